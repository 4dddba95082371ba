/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* C = A·B in integers with |a| < 2^α, |b| < 2^β, so |c| ≤ X = n·2^(α+β). Trailing zeros that all entries of a
 * factor share are removed first and go to the exponent.
 *
 * With different primes p_i < 2^23, i < m, M = Π p_i ≥ 4X and c_i ≡ C·(M/p_i)⁻¹ modulo p_i, |c_i| ≤ 2^22,
 *
 *     C = Σ c_i·(M/p_i) − q·M,   q = Σ c_i/p_i − C/M.
 *
 * Both sides agree modulo each p_i, hence modulo M, and q makes them equal. q is the integer nearest to s = Σ
 * c_i/p_i, because |C/M| ≤ 1/4 and s in double errs by less than 2^-33 (m ≤ 500 terms below 1). So the
 * residues determine each entry exactly, without an error bound.
 *
 * Residues: an entry is Σ d_j·2^(22j) with digits d_j of 22 bits; modulo p it is Σ d_j·w_j with |w_j| ≤ 2^22,
 * w_j ≡ 2^(22j). The right side has digits of M/p_i and M, times c_i and q. Products of residues of A and B
 * are sums of at most 256 terms below 2^44. All are sums of products in double below 2^53 (500·2^44 +
 * 250·2^22), in which nothing rounds. */

#include "reference/numeric/exact/integer_product.h"
#include "reference/numeric/exact/residue_kernel.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum {
    TILE = RESIDUE_TILE,
    DIGIT_BITS = 22,
    DIGITS_MAX = RESIDUE_TERMS,
    PRIMES_MAX = 500,
    PRIMES_ROWS = (PRIMES_MAX + TILE) / TILE * TILE,
    /* digits of M, rounded up to whole tiles */
    OUT_MAX = (23 * PRIMES_MAX / DIGIT_BITS + TILE) / TILE * TILE,
    COLUMNS = 64 /* columns of B at a time */
};

struct integer_product {
    int n, stride; /* stride: n rounded up to whole tiles */
    int known;     /* primes found so far */
    uint32_t prime[PRIMES_MAX];
    int primes, digits, out; /* m, the digits of an entry of A or B, the digits of M */
    /* moduli with factor 1, and with factor (M/p_i)⁻¹ */
    struct residue_moduli entry[PRIMES_ROWS / TILE], whole[PRIMES_ROWS / TILE];
    double *weight;   /* w_j: one row for each prime, `digits` apart */
    double *cofactor; /* one row for each digit, m + 1 apart: of M/p_i, and of −M in the last column */
    double *left, *right, *product;
    void *memory;
    size_t size;
};

struct integer_product *integer_product_create(int n)
{
    struct integer_product *p = calloc(1, sizeof *p);
    if (p) {
        p->n = n;
        p->stride = (n + TILE - 1) / TILE * TILE;
    }
    return p;
}

void integer_product_destroy(struct integer_product **product)
{
    if (*product) {
        free((*product)->memory);
        free(*product);
        *product = NULL;
    }
}

/* --- primes, from 2^23 down */

static bool is_prime(uint32_t x)
{
    for (uint32_t d = 3; d * d <= x; d += 2) {
        if (x % d == 0) {
            return false;
        }
    }
    return x % 2 == 1;
}

static uint32_t prime_at(struct integer_product *p, int i)
{
    while (p->known <= i) {
        uint32_t x = p->known ? p->prime[p->known - 1] - 1 : (1U << 23) - 1;
        while (!is_prime(x)) {
            x--;
        }
        p->prime[p->known++] = x;
    }
    return p->prime[i];
}

/* Returns the residue of least magnitude. */
static double centred(uint64_t x, uint32_t prime)
{
    uint64_t r = x % prime;
    return r > prime / 2 ? -(double)(prime - r) : (double)r;
}

static uint32_t inverse_of(uint32_t x, uint32_t prime) /* Fermat: x^(p − 2) */
{
    uint64_t power = x % prime, result = 1;
    for (uint32_t e = prime - 2; e; e >>= 1, power = power * power % prime) {
        result = e & 1 ? result * power % prime : result;
    }
    return (uint32_t)result;
}

/* --- digits */

/* Returns the digit of |x| in bits [bit, bit + DIGIT_BITS). */
static uint32_t digit_at(const mp_limb_t *limb, size_t limbs, mp_bitcnt_t bit)
{
    size_t at = bit / GMP_NUMB_BITS, shift = bit % GMP_NUMB_BITS;
    mp_limb_t x = at < limbs ? limb[at] >> shift : 0;
    if (shift + DIGIT_BITS > GMP_NUMB_BITS && at + 1 < limbs) {
        x |= limb[at + 1] << (GMP_NUMB_BITS - shift);
    }
    return (uint32_t)(x & ((1U << DIGIT_BITS) - 1));
}

/* Stores `count` digits of x from `bit` on, TILE numbers apart, with the sign of x. */
static void spread_digits(mpz_srcptr x, mp_bitcnt_t bit, int count, double *to)
{
    const mp_limb_t *limb = mpz_limbs_read(x);
    size_t limbs = mpz_size(x);
    double sign = mpz_sgn(x) < 0 ? -1 : 1;
    for (int j = 0; j < count; j++, bit += DIGIT_BITS) {
        to[j * TILE] = sign * digit_at(limb, limbs, bit);
    }
}

/* Sets x = Σ digit_j·2^(22j); digits of either sign below 2^53, TILE apart; |x| < 2^(22·count − 2). */
static void collect_digits(const double *digit, int count, mpz_t x)
{
    mp_limb_t limb[OUT_MAX * DIGIT_BITS / GMP_NUMB_BITS + 2];
    mp_size_t limbs = count * DIGIT_BITS / GMP_NUMB_BITS + 1;
    int64_t carry = 0;
    memset(limb, 0, (size_t)(limbs + 1) * sizeof *limb);
    for (int j = 0; j < count; j++) {
        carry += (int64_t)digit[j * TILE];
        mp_limb_t d = (mp_limb_t)(carry & ((1 << DIGIT_BITS) - 1));
        carry = (carry - (int64_t)d) / (1 << DIGIT_BITS); /* exact */
        int at = j * DIGIT_BITS / GMP_NUMB_BITS, shift = j * DIGIT_BITS % GMP_NUMB_BITS;
        limb[at] |= d << shift;
        if (shift + DIGIT_BITS > GMP_NUMB_BITS) {
            limb[at + 1] |= d >> (GMP_NUMB_BITS - shift);
        }
    }
    bool negative = carry < 0; /* then the digits so far are those of x + 2^(22·count) */
    if (negative) {
        int used = count * DIGIT_BITS % GMP_NUMB_BITS;
        limb[limbs - 1] |= ~(mp_limb_t)0 << used;
        mpn_neg(limb, limb, limbs);
    }
    memcpy(mpz_limbs_write(x, limbs), limb, (size_t)limbs * sizeof *limb);
    mpz_limbs_finish(x, negative ? -limbs : limbs);
}

/* --- the tables of one product */

struct extent {
    mp_bitcnt_t zeros, bits; /* trailing zeros shared by all entries; bits from there to the highest of any */
};

static struct extent extent_of(int count, mpz_t *x)
{
    mp_bitcnt_t zeros = ~(mp_bitcnt_t)0, top = 0;
    for (int i = 0; i < count; i++) {
        if (mpz_sgn(x[i])) {
            mp_bitcnt_t low = mpz_scan1(x[i], 0), high = mpz_sizeinbase(x[i], 2);
            zeros = low < zeros ? low : zeros;
            top = high > top ? high : top;
        }
    }
    return top ? (struct extent){zeros, top - zeros} : (struct extent){0, 0};
}

static int digits_of(mp_bitcnt_t bits)
{
    return (int)((bits + DIGIT_BITS - 1) / DIGIT_BITS);
}

/* Chooses primes so that M ≥ 2^bits. Returns false if that takes too many primes. */
static bool choose_primes(struct integer_product *p, mp_bitcnt_t bits, mpz_t m)
{
    mpz_set_ui(m, 1);
    for (p->primes = 0; mpz_sizeinbase(m, 2) <= bits; p->primes++) {
        if (p->primes == PRIMES_MAX) {
            return false;
        }
        mpz_mul_ui(m, m, prime_at(p, p->primes));
    }
    p->out = digits_of(mpz_sizeinbase(m, 2));
    return true;
}

/* Allocates all arrays as one block, each aligned to 64 bytes. */
static bool allocate(struct integer_product *p)
{
    size_t m = (size_t)p->primes, rows = (m + TILE - 1) / TILE * TILE, stride = (size_t)p->stride;
    size_t out = (size_t)(p->out + TILE - 1) / TILE * TILE;
    size_t weights = rows * (size_t)p->digits, cofactors = out * (m + 1) /* rows of whole tiles: even */;
    size_t lefts = m * stride * stride, rights = m * stride * COLUMNS, count = lefts + 2 * rights;
    size_t size = (weights + cofactors + count) * sizeof(double) + 64;
    if (size > p->size) {
        free(p->memory);
        p->memory = aligned_alloc(64, (size + 63) / 64 * 64);
        p->size = p->memory ? size : 0;
    }
    if (p->memory) {
        p->left = p->memory;
        p->right = p->left + lefts;
        p->product = p->right + rights;
        p->weight = p->product + rights;
        p->cofactor = p->weight + weights;
    }
    return p->memory != NULL;
}

static void fill_tables(struct integer_product *p, const mpz_t m)
{
    mpz_t rest;
    mpz_init(rest);
    _Alignas(64) double digit[OUT_MAX * TILE];
    int columns = p->primes + 1, rows = (p->primes + TILE - 1) / TILE * TILE;
    memset(p->cofactor, 0, (size_t)((p->out + TILE - 1) / TILE * TILE * columns) * sizeof *p->cofactor);
    for (int i = 0; i < rows; i++) { /* rows beyond the last prime are 0 */
        bool real = i < p->primes;
        uint32_t prime = real ? p->prime[i] : 1;
        struct residue_moduli *entry = &p->entry[i / TILE], *whole = &p->whole[i / TILE];
        uint64_t w = real;
        for (int j = 0; j < p->digits; j++, w = (w << DIGIT_BITS) % prime) {
            p->weight[i * p->digits + j] = centred(w, prime);
        }
        entry->prime[i % TILE] = whole->prime[i % TILE] = prime;
        entry->inverse[i % TILE] = whole->inverse[i % TILE] = 1 / (double)prime;
        entry->factor[i % TILE] = real;
        whole->factor[i % TILE] = 0;
        if (real) {
            mpz_divexact_ui(rest, m, prime);
            whole->factor[i % TILE] = centred(inverse_of((uint32_t)mpz_fdiv_ui(rest, prime), prime), prime);
            spread_digits(rest, 0, p->out, digit);
            for (int d = 0; d < p->out; d++) {
                p->cofactor[d * columns + i] = digit[d * TILE];
            }
        }
    }
    spread_digits(m, 0, p->out, digit);
    for (int d = 0; d < p->out; d++) {
        p->cofactor[d * columns + p->primes] = -digit[d * TILE];
    }
    mpz_clear(rest);
}

/* --- from entries to residues and back, eight columns of a row at a time */

/* Computes the residues of x[0 .. count); the results of consecutive primes are `apart` numbers apart. */
static void to_residues(const struct integer_product *p, mpz_t *x, int count, struct extent extent,
                        double *to, size_t apart)
{
    _Alignas(64) double panel[DIGITS_MAX * TILE], tile[TILE * TILE];
    int digits = digits_of(extent.bits);
    memset(panel, 0, (size_t)(digits * TILE) * sizeof *panel);
    for (int lane = 0; lane < count; lane++) {
        spread_digits(x[lane], extent.zeros, digits, panel + lane);
    }
    for (int i = 0; i < p->primes; i += TILE) {
        struct residue_factors factors = {p->weight + i * p->digits, p->digits, panel, digits};
        memset(tile, 0, sizeof tile);
        residue_add(tile, &factors);
        residue_reduce(tile, &p->entry[i / TILE]);
        for (int r = 0; r < TILE && i + r < p->primes; r++) {
            memcpy(to + (size_t)(i + r) * apart, tile + r * TILE, TILE * sizeof *tile);
        }
    }
}

static void from_residues(const struct integer_product *p, const double *residue, int count, mpz_t *x)
{
    const double integers = 0x1.8p52;
    _Alignas(64) double panel[(PRIMES_MAX + TILE) * TILE], digit[OUT_MAX * TILE];
    int m = p->primes;
    memcpy(panel, residue, (size_t)(m * TILE) * sizeof *panel);
    memset(panel + m * TILE, 0, TILE * TILE * sizeof *panel);
    for (int i = 0; i < m; i += TILE) {
        residue_reduce(panel + i * TILE, &p->whole[i / TILE]);
    }
    for (int lane = 0; lane < TILE; lane++) {
        double s = 0;
        for (int i = 0; i < m; i++) {
            s += panel[i * TILE + lane] * p->whole[i / TILE].inverse[i % TILE];
        }
        panel[m * TILE + lane] = (s + integers) - integers;
    }
    memset(digit, 0, (size_t)((p->out + TILE - 1) / TILE * TILE * TILE) * sizeof *digit);
    for (int d = 0; d < p->out; d += TILE) {
        struct residue_factors factors = {p->cofactor + d * (m + 1), m + 1, panel, m + 1};
        residue_add(digit + d * TILE, &factors);
    }
    for (int lane = 0; lane < count; lane++) {
        collect_digits(digit + lane, p->out, x[lane]);
    }
}

/* Computes columns [from, to) of the product modulo prime i. */
static void multiply_modulo(const struct integer_product *p, int i, int from, int to)
{
    size_t stride = (size_t)p->stride, m = (size_t)p->primes;
    const double *left = p->left + (size_t)i * stride * stride;
    const double *right = p->right + (size_t)i * stride * COLUMNS;
    struct residue_moduli moduli;
    for (int r = 0; r < TILE; r++) {
        moduli.prime[r] = p->prime[i];
        moduli.inverse[r] = 1 / (double)p->prime[i];
        moduli.factor[r] = 1;
    }
    for (size_t row = 0; row < stride; row += TILE) {
        for (size_t g = 0; g < (size_t)(to - from + TILE - 1) / TILE; g++) {
            _Alignas(64) double tile[TILE * TILE] = {0};
            for (int k = 0; k < p->n; k += RESIDUE_TERMS) {
                int terms = p->n - k < RESIDUE_TERMS ? p->n - k : RESIDUE_TERMS;
                struct residue_factors factors = {left + row * stride + k, p->stride,
                                                  right + (g * stride + (size_t)k) * TILE, terms};
                residue_add(tile, &factors);
                residue_reduce(tile, &moduli);
            }
            for (size_t r = 0; r < TILE; r++) {
                memcpy(p->product + ((g * stride + row + r) * m + (size_t)i) * TILE, tile + r * TILE,
                       TILE * sizeof *tile);
            }
        }
    }
}

static int tile_columns(int n, int column)
{
    return n - column < TILE ? n - column : TILE;
}

static void multiply(const struct integer_product *p, mpz_t *a, mpz_t *b, const struct extent extent[2],
                     mpz_t *c)
{
    size_t stride = (size_t)p->stride, m = (size_t)p->primes;
    int n = p->n;
    for (size_t i = 0; i < m; i++) { /* clears the rows beyond the order */
        memset(p->left + (i * stride + (size_t)n) * stride, 0,
               (stride - (size_t)n) * stride * sizeof(double));
    }
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j += TILE) {
            to_residues(p, &a[i * n + j], tile_columns(n, j), extent[0], p->left + (size_t)i * stride + j,
                        stride * stride);
        }
    }
    for (int from = 0; from < n; from += COLUMNS) {
        int to = from + COLUMNS < n ? from + COLUMNS : n;
        for (int k = 0; k < n; k++) {
            for (int j = from; j < to; j += TILE) {
                to_residues(p, &b[k * n + j], tile_columns(n, j), extent[1],
                            p->right + (size_t)(j - from) * stride + (size_t)k * TILE, stride * COLUMNS);
            }
        }
        for (int i = 0; i < p->primes; i++) {
            multiply_modulo(p, i, from, to);
        }
        for (int j = from; j < to; j += TILE) {
            for (int i = 0; i < n; i++) {
                size_t at = (size_t)(j - from) / TILE * stride + (size_t)i;
                from_residues(p, p->product + at * m * TILE, tile_columns(n, j), &c[i * n + j]);
            }
        }
    }
}

bool integer_product_compute(struct integer_product *p, mpz_t *a, mpz_t *b, mpz_t *c, mp_bitcnt_t *exponent)
{
    int n = p->n, order = 0;
    struct extent extent[2] = {extent_of(n * n, a), extent_of(n * n, b)};
    while (1LL << order < n) {
        order++;
    }
    int left = digits_of(extent[0].bits), right = digits_of(extent[1].bits);
    p->digits = left > right ? left : right;
    if (extent[0].bits > DIGITS_MAX * DIGIT_BITS || extent[1].bits > DIGITS_MAX * DIGIT_BITS) {
        return false;
    }
    mpz_t m;
    mpz_init(m);
    bool good = choose_primes(p, extent[0].bits + extent[1].bits + (mp_bitcnt_t)order + 2, m) && allocate(p);
    if (good) {
        fill_tables(p, m);
        multiply(p, a, b, extent, c);
        *exponent = extent[0].zeros + extent[1].zeros;
    }
    mpz_clear(m);
    return good;
}
