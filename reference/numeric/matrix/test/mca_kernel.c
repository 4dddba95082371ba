/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Tests eight perturbed evaluations side by side, to the bit, against one after the other, for every isa that
 * the processor has. */

#include "reference/numeric/matrix/mca_kernel.h"
#include "reference/test/support.h"

enum { LANES = MCA_LANES, N = 9, ENTRIES = N * N, ISAS = 8, WORDS = 37 };

/* Numbers of all lanes: those of `from` on are noise. */
static void fill(struct philox *g, double *x, int count, double size)
{
    for (int i = 0; i < count * LANES; i++) {
        x[i] = philox_signed(g) * size;
    }
}

static double rounded(double x, double z)
{
    return x + z * x;
}

static double subtract(double x, double product, double inner, double outer)
{
    product += inner * product;
    x -= product;
    return x + outer * x;
}

/* Entry (i, j) of a lane's product as a plain program has it. */
static double entry_of(const struct mca_product *p, int lane, int i, int j)
{
    int n = p->n, at = i * n + j;
    double sum = 0, energy = 0;
    for (int k = 0; k < n; k++) {
        double left = p->shared ? p->shared[i * n + k] : p->left[(i * n + k) * LANES + lane];
        double product = left * p->right[(k * n + j) * LANES + lane];
        sum += product;
        energy += product * product + sum * sum;
    }
    sum = p->divisor ? sum / p->divisor + (i == j) : sum;
    double error = p->error ? p->error[at] : p->noise * sqrt(energy);
    return sum + (p->bits[at / 32 * LANES + lane] >> at % 32 & 1 ? error : -error);
}

static void check_products(struct philox *g, int n, int isa)
{
    double left[ENTRIES * LANES], right[ENTRIES * LANES], shared[ENTRIES * LANES], error[ENTRIES * LANES],
        to[ENTRIES * LANES];
    uint64_t bits[4 * LANES];
    fill(g, left, ENTRIES, 1);
    fill(g, right, ENTRIES, 1);
    fill(g, shared, ENTRIES, 1);
    fill(g, error, ENTRIES, 0x1p-20);
    for (int i = 0; i < 4 * LANES; i++) {
        bits[i] = philox_next64(g);
    }
    struct mca_product product = {.n = n, .right = right, .bits = bits, .noise = 0x1p-20, .to = to};
    for (int kind = 0; kind < 4; kind++) {
        product.shared = kind < 2 ? shared : NULL;
        product.left = left;
        product.error = kind < 3 ? error : NULL;
        product.divisor = kind == 0 ? 7 : 0;
        mca_kernel_product(&product);
        for (int i = 0; i < n * n * LANES; i++) {
            double expected = entry_of(&product, i % LANES, i / LANES / n, i / LANES % n);
            cr_assert_eq(to[i], expected, "machine %d, order %d, kind %d, %d", isa, n, kind, i);
        }
    }
}

Test(mca_kernel, products_are_the_textbooks)
{
    for (int isa = 0; isa < ISAS; isa++) {
        struct philox g;
        philox_start(&g, 1);
        for (int n = 1; mca_kernel_force(isa) && n <= N; n++) {
            check_products(&g, n, isa);
        }
    }
    cr_assert(mca_kernel_force(-1));
}

/* Row k off row i, as one run does it. */
static void eliminate(int n, double *a, double *b, int k, int i, const double *z, int lane)
{
    double f = rounded(a[(i * n + k) * LANES + lane] / a[(k * n + k) * LANES + lane], *z);
    z += LANES;
    for (int j = 0; j < n; j++) {
        double *side[] = {a, b};
        for (int s = j > k ? 0 : 1; s < 2; s++, z += 2 * LANES) {
            double *to = &side[s][(i * n + j) * LANES + lane];
            *to = subtract(*to, f * side[s][(k * n + j) * LANES + lane], z[0], z[LANES]);
        }
    }
}

static void substitute(int n, const double *a, double *b, int i, int j, const double *z, int lane)
{
    double *to = &b[(i * n + j) * LANES + lane], x = *to;
    for (int k = i + 1; k < n; k++, z += 2 * LANES) {
        x = subtract(x, a[(i * n + k) * LANES + lane] * b[(k * n + j) * LANES + lane], z[0], z[LANES]);
    }
    *to = rounded(x / a[(i * n + i) * LANES + lane], *z);
}

static void check_system(struct philox *g, int n, int isa)
{
    double a[2][ENTRIES * LANES], b[2][ENTRIES * LANES], z[(4 * N + 2) * MCA_COLUMNS * LANES];
    fill(g, a[0], ENTRIES, 1);
    fill(g, b[0], ENTRIES, 1);
    fill(g, z, (4 * N + 2) * MCA_COLUMNS, 0x1p-20);
    memcpy(a[1], a[0], sizeof a[0]);
    memcpy(b[1], b[0], sizeof b[0]);
    for (int k = 0; k < n; k++) {
        for (int i = k + 1; i < n; i++) {
            mca_kernel_eliminate(n, a[0], b[0], k, i, z);
            for (int lane = 0; lane < LANES; lane++) {
                eliminate(n, a[1], b[1], k, i, z + lane, lane);
            }
        }
    }
    cr_assert(memcmp(a[0], a[1], sizeof a[0]) == 0 && memcmp(b[0], b[1], sizeof b[0]) == 0, "machine %d, %d",
              isa, n);
    for (int i = n - 1; i >= 0; i--) {
        for (int j = 0, columns; j < n; j += columns) {
            columns = n - j < 1 + i % MCA_COLUMNS ? n - j : 1 + i % MCA_COLUMNS;
            mca_kernel_substitute(n, a[0], b[0], i, j, columns, z);
            for (int c = 0; c < columns * LANES; c++) {
                int at = c / LANES * (2 * (n - 1 - i) + 1) * LANES + c % LANES;
                substitute(n, a[1], b[1], i, j + c / LANES, z + at, c % LANES);
            }
        }
    }
    cr_assert(memcmp(b[0], b[1], sizeof b[0]) == 0, "machine %d, order %d", isa, n);
}

Test(mca_kernel, systems_are_solved_in_the_order_of_one_run)
{
    for (int isa = 0; isa < ISAS; isa++) {
        struct philox g;
        philox_start(&g, 2);
        for (int n = 1; mca_kernel_force(isa) && n <= N; n++) {
            check_system(&g, n, isa);
        }
    }
    cr_assert(mca_kernel_force(-1));
}

/* Ties go to the first, a NaN is never greater and nothing is greater than it. */
Test(mca_kernel, every_lane_has_its_own_pivot)
{
    static const double odd[] = {0, -1, 1, 2, -2, NAN, INFINITY, 0x1p-1074};
    for (int isa = 0; isa < ISAS; isa++) {
        struct philox g;
        philox_start(&g, 3);
        for (int round = 0; mca_kernel_force(isa) && round < 300; round++) {
            double a[ENTRIES * LANES];
            int64_t row[LANES];
            int k = round % N;
            for (int i = 0; i < ENTRIES * LANES; i++) {
                a[i] = odd[philox_below(&g, 8)];
            }
            mca_kernel_pivot(N, a, k, row);
            for (int lane = 0; lane < LANES; lane++) {
                int pivot = k;
                for (int i = k + 1; i < N; i++) {
                    bool more = fabs(a[(i * N + k) * LANES + lane]) > fabs(a[(pivot * N + k) * LANES + lane]);
                    pivot = more ? i : pivot;
                }
                cr_assert_eq(row[lane], pivot, "machine %d, lane %d", isa, lane);
            }
        }
    }
    cr_assert(mca_kernel_force(-1));
}

Test(mca_kernel, sums_are_rounded_twice)
{
    double x[ENTRIES * LANES], y[ENTRIES * LANES], u[ENTRIES * LANES], v[ENTRIES * LANES], e[ENTRIES * LANES],
        z[2 * ENTRIES * LANES];
    for (int isa = 0; isa < ISAS; isa++) {
        struct philox g;
        philox_start(&g, 4);
        if (!mca_kernel_force(isa)) {
            continue;
        }
        fill(&g, x, ENTRIES, 1);
        fill(&g, y, ENTRIES, 1);
        fill(&g, z, 2 * ENTRIES, 0x1p-20);
        memcpy(u, y, sizeof u);
        memcpy(v, y, sizeof v);
        mca_kernel_accumulate(ENTRIES, 0.7, x, u, z);
        mca_kernel_combine(ENTRIES, x, v, e, z);
        for (int i = 0; i < ENTRIES * LANES; i++) {
            const double *inner = &z[i / LANES * 2 * LANES + i % LANES];
            double sum = y[i] + rounded(0.7 * x[i], inner[0]);
            cr_assert_eq(u[i], rounded(sum, inner[LANES]), "machine %d", isa);
            cr_assert_eq(e[i], rounded(y[i] + x[i], inner[0]), "machine %d", isa);
            cr_assert_eq(v[i], rounded(y[i] - x[i], inner[LANES]), "machine %d", isa);
        }
    }
    cr_assert(mca_kernel_force(-1));
}

Test(mca_kernel, noise_is_that_of_the_stream)
{
    static const uint64_t start[] = {0, 1, 4, 7, 1002, (1ULL << 34) - 6}, apart[] = {0, 1, 4, 37, 998};
    uint64_t words[(WORDS + 3) * LANES];
    double drawn[(WORDS + 3) * LANES];
    struct philox g;
    philox_start(&g, 0x123456789abcdef0);
    for (int isa = 0; isa < ISAS; isa++) {
        for (int s = 0; mca_kernel_force(isa) && s < 30; s++) {
            struct mca_words of = {g.key, start[s / 5], apart[s % 5], WORDS};
            mca_kernel_words(&of, words);
            mca_kernel_noise(&of, 0.5, drawn);
            for (int lane = 0; lane < LANES; lane++) {
                struct philox h = g;
                philox_seek(&h, of.position + (uint64_t)lane * of.apart);
                for (int t = 0; t < WORDS; t++) {
                    uint32_t word = philox_next(&h);
                    cr_assert_eq((uint32_t)words[t * LANES + lane], word, "machine %d, word %d", isa, t);
                    cr_assert_eq(drawn[t * LANES + lane], word >> 31 ? 0.5 : -0.5, "machine %d", isa);
                }
            }
        }
    }
    cr_assert(mca_kernel_force(-1));
}
