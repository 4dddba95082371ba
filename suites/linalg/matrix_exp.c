/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* matrix_exp: difficult matrices, batches that mix norms, layouts, chains.
 *
 * Jordan blocks and overscaling: Al-Mohy and Higham, SIMAX 31 (2009). Moler–Van Loan: "Nineteen dubious
 * ways", SIAM Review 45 (2003). Ward: SIAM J. Numer. Anal. 14 (1977). Only e^0 = I is `exact`: polynomials of
 * another form (PyTorch's, with irrational coefficients) round even where A² = 0. */

#include "suites/linalg/matrices.h"

#include <math.h>

enum kind {
    ZERO,       /* the zero matrix */
    SCALAR,     /* p·I */
    JORDAN,     /* λ = p on the diagonal, 1e3 above it */
    OVERSCALED, /* [[1, p], [0, −1]] */
    SKEW,       /* [[0, −p], [p, 0]] */
    ROTATIONS,  /* SKEW of 0.7·p, 1.4·p, … down the diagonal: block diagonal */
    GENERATOR,  /* nonnegative off the diagonal, rows sum to 0 before rounding; entries up to p */
    MOLER_VAN_LOAN,
    WARD1,
    WARD2,
    WARD3,
    WARD4,       /* shift(10) with 1e-10 in the corner */
    SHIFT,       /* p above the diagonal: nilpotent */
    SQUARE_ZERO, /* distinct powers of two in the upper right quarter */
    SHIFTED,     /* t·cyclic shift: every row and column sums to t = p */
    DECAY,       /* −p·diag(1, 1 − 1/n, …) */
    OUTER,       /* p/n·vvᵀ, v = ±1: 1-norm p */
    DIAGONAL,    /* p, −p, p/2, −p/2, … */
    RANDOM_P,    /* random, entries below p/n: 1-norm below p */
    TRIANGLE,    /* random, entries below p on and above the diagonal */
    CANCELLED,   /* 1 → 2, 3 with weights ±1, 2, 3 → 4: entry (1, 4) cancels to zero beside a loop */
    TINY         /* random times 2^p */
};

static void jordan(int n, double p, double *a)
{
    for (int i = 0; i < n; i++) {
        a[i * n + i] = p;
        if (i + 1 < n) {
            a[i * n + i + 1] = 1e3;
        }
    }
}

static void generator_matrix(struct philox *generator, int n, double p, double *a)
{
    for (int i = 0; i < n; i++) {
        double sum = 0;
        for (int j = 0; j < n; j++) {
            a[i * n + j] = p * (double)philox_below(generator, 1 << 10) / (1 << 10);
            sum += i == j ? 0 : a[i * n + j];
        }
        a[i * n + i] = -sum;
    }
}

static void rotations(int n, double p, double *a)
{
    for (int i = 0; i + 1 < n; i += 2) {
        double t = p * 0.7 * (i / 2 + 1);
        a[i * n + i + 1] = -t;
        a[(i + 1) * n + i] = t;
    }
}

static bool fixed_entries(enum kind kind, double *a)
{
    static const double moler[] = {-49, 24, -64, 31}, ward1[] = {4, 2, 0, 1, 4, 1, 1, 1, 4},
                        ward2[] = {29.87942128909879,  0.7815750847907159, -2.289519314033932,
                                   0.7815750847907159, 25.72656945571064,  8.680737820540137,
                                   -2.289519314033932, 8.680737820540137,  34.39400925519054},
                        ward3[] = {-131, 19, 18, -390, 56, 54, -387, 57, 52};
    const double *from = kind == MOLER_VAN_LOAN ? moler
                         : kind == WARD1        ? ward1
                         : kind == WARD2        ? ward2
                         : kind == WARD3        ? ward3
                                                : NULL;
    for (int i = 0; from && i < (kind == MOLER_VAN_LOAN ? 4 : 9); i++) {
        a[i] = from[i];
    }
    return from;
}

/* a: zero. */
static void random_entries(struct philox *generator, enum kind kind, int n, double p, double *a)
{
    double scale = kind == RANDOM_P ? p / n : kind == TINY ? ldexp(1, (int)p) : p;
    for (int i = 0; i < n * n; i++) {
        double x = philox_signed(generator);
        a[i] = kind == TRIANGLE && i / n > i % n ? 0 : x * scale;
    }
}

static double entry(enum kind kind, int n, double p, int i, int j)
{
    switch (kind) {
    case SCALAR:
        return i == j ? p : 0;
    case OVERSCALED:
        return i == j ? 1 - 2 * i : i < j ? p : 0;
    case SKEW:
        return i == j ? 0 : i < j ? -p : p;
    case WARD4:
        return j == i + 1 ? 1 : i == n - 1 && j == 0 ? 1e-10 : 0;
    case SHIFT:
        return j == i + 1 ? p : 0;
    case SQUARE_ZERO:
        return i < n / 2 && j >= n / 2 ? ldexp((i + j) % 2 ? -1 : 1, (i * n + j) % 11 - 5 + (int)p) : 0;
    case SHIFTED:
        return j == (i + 1) % n ? p : 0;
    case DECAY:
        return i == j ? -p * (n - i) / n : 0;
    case OUTER:
        return ((i * 3 % 4 < 2) == (j * 3 % 4 < 2) ? p : -p) / n;
    case DIAGONAL:
        return i != j ? 0 : (i % 2 ? -p : p) / (1 + i / 2);
    case CANCELLED:
        return i == j                         ? p
               : i == 0 && j == 1             ? 1
               : i == 0 && j == 2             ? -1
               : (i == 1 || i == 2) && j == 3 ? 1
                                              : 0;
    default:
        return 0;
    }
}

static void store(struct builder *b, const struct view *view, enum kind kind, double p, int tensor)
{
    double a[64 * 64] = {0};
    int n = (int)view->shape.dim[view->shape.rank - 1];
    struct philox generator = build_generator(b, tensor);
    if (kind == JORDAN) {
        jordan(n, p, a);
    } else if (kind == ROTATIONS) {
        rotations(n, p, a);
    } else if (kind == GENERATOR) {
        generator_matrix(&generator, n, p, a);
    } else if (kind == RANDOM_P || kind == TRIANGLE || kind == TINY) {
        random_entries(&generator, kind, n, p, a);
    } else if (!fixed_entries(kind, a)) {
        for (int i = 0; i < n * n; i++) {
            a[i] = entry(kind, n, p, i / n, i % n);
        }
    }
    for (int i = 0; i < n * n; i++) {
        build_set(b, view, i, a[i]);
    }
    build_origin(b, view, kind == RANDOM_P || kind == TRIANGLE || kind == TINY);
}

struct row {
    const char *name;
    enum level level;
    void (*build)(struct builder *b);
    enum kind kind;
    int count, n; /* matrices, and their order */
    double p;
    enum layout layout;
    const char *covers;
    int line;
    bool exact;
    unsigned dtypes;
};

static struct view evaluate(struct builder *b, const struct view *a, bool exact)
{
    struct step *step = build_step(b, b->c->op, NULL, 1, a);
    if (!step) {
        return *a;
    }
    step->exact = exact;
    return step->output[0];
}

static void single(struct builder *b)
{
    const struct row *row = b->c->row;
    struct shape shape = shape_of(2, (int64_t)row->n, (int64_t)row->n);
    struct view a = build_tensor(b, b->c->dtype, &shape, row->layout);
    store(b, &a, row->kind, row->p, 0);
    evaluate(b, &a, row->exact);
}

/* count random matrices with 1-norms spread over the degrees of every table. */
static void batch(struct builder *b)
{
    const struct row *row = b->c->row;
    struct view a = matrix_batch(b, row->count, row->n, row->layout);
    for (int m = 0; m < row->count; m++) {
        struct view one = view_at(&a, m);
        store(b, &one, row->kind, row->p * (1 + m % 7), m);
    }
    evaluate(b, &a, false);
}

/* Norms from 1e-6 to 200 side by side, small and large first in turn. */
static void bins(struct builder *b)
{
    const struct row *row = b->c->row;
    static const double norms[] = {1e-6, 60, 0.02, 3, 0.25, 9, 1e-3, 1.2, 200, 0, 0.6, 24};
    struct view a = matrix_batch(b, row->count, row->n, row->layout);
    for (int m = 0; m < row->count; m++) {
        struct view one = view_at(&a, m);
        double norm = norms[(m + (int)row->p) % 12];
        store(b, &one, m % 3 == 2 ? SHIFTED : RANDOM_P, norm, m);
    }
    evaluate(b, &a, false);
}

/* Around θ of the table: a cyclic shift, decay and rank one at ‖A‖₁ = θ(1 ± 2^-10)·2^s. p selects θ. */
static void thresholds(struct builder *b)
{
    const struct row *row = b->c->row;
    static const double theta[2][8] = {{.42587, 1.88015, 3.92572, 11.249, .05117, .58005, 1.46166, 3.01007},
                                       {.014956, .25394, .95042, 5.3719, 3.397e-4, .04991, .29962, 1.09086}};
    static const enum kind kinds[] = {SHIFTED, DECAY, OUTER};
    struct view a = matrix_batch(b, 12, row->n, row->layout);
    for (int m = 0; m < 12; m++) {
        struct view one = view_at(&a, m);
        double t = theta[b->c->dtype == DTYPE_FLOAT64][(int)row->p];
        store(b, &one, kinds[m % 3], t * (m / 3 % 2 ? 1 + 0x1p-10 : 1 - 0x1p-10) * (m / 6 ? 4 : 1), m);
    }
    evaluate(b, &a, false);
}

/* The special entry (p: NaN or an infinity) at each place in turn. */
static void special_entry(struct builder *b)
{
    const struct row *row = b->c->row;
    struct view a = matrix_batch(b, row->count, row->n, row->layout);
    for (int m = 0; m < row->count; m++) {
        struct view one = view_at(&a, m);
        store(b, &one, RANDOM_P, 2, m);
        build_set(b, &one, m % (row->n * row->n), row->p);
    }
    evaluate(b, &a, false);
}

static void one_by_one(struct builder *b)
{
    const struct row *row = b->c->row;
    uint64_t bits[SPECIALS_MAX];
    int count = special_bits(b->c->dtype, bits);
    struct view a = matrix_batch(b, count, 1, row->layout);
    for (int m = 0; m < count; m++) {
        build_set_bits(b, &a, m, 0, bits[m]);
    }
    evaluate(b, &a, false);
}

/* Aᵀ through strides, −A, and A again: e^Aᵀ, e^−A, and the bits of e^A alone and in a batch. */
static void related(struct builder *b)
{
    const struct row *row = b->c->row;
    struct view a = matrix_batch(b, row->count, row->n, row->layout), negative = a;
    negative = matrix_batch(b, row->count, row->n, row->layout);
    for (int m = 0; m < row->count; m++) {
        struct view one = view_at(&a, m), other = view_at(&negative, m);
        store(b, &one, SHIFTED, row->p * (m + 1), m);
        store(b, &other, SHIFTED, -row->p * (m + 1), m);
        build_set(b, &one, 0, 0.5);
        build_set(b, &other, 0, -0.5);
    }
    struct view transposed = view_transposed(&a), y = evaluate(b, &a, false);
    evaluate(b, &transposed, false);
    evaluate(b, &negative, false);
    struct view again = evaluate(b, &a, false);
    build_relate(b, &y, &again, "the same batch again gives the same bits");
    struct view one = view_at(&a, row->count - 1), inside = view_at(&y, row->count - 1);
    struct view alone = evaluate(b, &one, false);
    build_relate(b, &inside, &alone, "a matrix has the same exponential alone and in a batch");
}

static void empty(struct builder *b)
{
    const struct row *row = b->c->row;
    struct view a = matrix_batch(b, row->count, row->n, row->layout);
    evaluate(b, &a, false);
}

enum { F32 = 1U << DTYPE_FLOAT32, F64 = 1U << DTYPE_FLOAT64, BOTH = F32 | F64 };

#define CASE(name_, level_, build_, kind_, count_, n_, p_, layout_, covers_)                                 \
    {                                                                                                        \
        name_, LEVEL_##level_, build_, kind_, count_, n_, p_, LAYOUT_##layout_, covers_, __LINE__, false,    \
            BOTH                                                                                             \
    }
#define ONE(name_, level_, kind_, n_, p_, covers_)                                                           \
    CASE(name_, level_, single, kind_, 1, n_, p_, CONTIGUOUS, covers_)
#define ONLY(dtype_, name_, level_, kind_, n_, p_, covers_)                                                  \
    {                                                                                                        \
        name_, LEVEL_##level_, single, kind_, 1, n_, p_, LAYOUT_CONTIGUOUS, covers_, __LINE__, false, dtype_ \
    }
#define EXACT(name_, level_, kind_, n_, p_, covers_)                                                         \
    {                                                                                                        \
        name_, LEVEL_##level_, single, kind_, 1, n_, p_, LAYOUT_CONTIGUOUS, covers_, __LINE__, true, BOTH    \
    }
#define GRID "layout_grid poison self_encoding"

static const struct row rows[] = {
    EXACT("zero-n1", SMOKE, ZERO, 1, 0, "expm_zero"),
    EXACT("zero-n5", SMOKE, ZERO, 5, 0, "expm_zero"),
    EXACT("zero-n33", STANDARD, ZERO, 33, 0, "expm_zero"),
    ONE("square-zero-n4", SMOKE, SQUARE_ZERO, 4, 0, "expm_nilpotent"),
    ONE("square-zero-n8", STANDARD, SQUARE_ZERO, 8, 3, "expm_nilpotent"),
    ONE("square-zero-n24", STANDARD, SQUARE_ZERO, 24, -2, "expm_nilpotent"),
    ONE("shift6-n4", SMOKE, SHIFT, 4, 6, "expm_nilpotent"),
    ONE("shift-n12", STANDARD, SHIFT, 12, 1, "expm_nilpotent"),
    ONE("scalar-1", SMOKE, SCALAR, 1, 1, "expm_scalar"),
    ONE("scalar-minus-20", STANDARD, SCALAR, 1, -20, "expm_scalar"),
    ONE("scalar-88", STANDARD, SCALAR, 1, 88, "expm_scalar"),
    ONE("scalar-overflow", SMOKE, SCALAR, 1, 1000, "expm_scalar expm_range"),
    ONE("scalar-underflow", STANDARD, SCALAR, 1, -1000, "expm_scalar expm_range"),
    ONE("jordan-n3", SMOKE, JORDAN, 3, 0.5, "expm_jordan"),
    ONE("jordan-n4-negative", STANDARD, JORDAN, 4, -1, "expm_jordan"),
    ONE("overscaled-b100", SMOKE, OVERSCALED, 2, 100, "expm_overscaling"),
    ONE("overscaled-b1e3", STANDARD, OVERSCALED, 2, 1e3, "expm_overscaling"),
    ONLY(F64, "overscaled-b1e6", SMOKE, OVERSCALED, 2, 1e6, "expm_overscaling"),
    ONE("skew-half-pi", SMOKE, SKEW, 2, 1.5707963267948966, "expm_skew"),
    ONE("skew-100", STANDARD, SKEW, 2, 100, "expm_skew"),
    ONLY(F64, "skew-1e4", SMOKE, SKEW, 2, 1e4, "expm_skew"),
    ONE("rotations-n6", SMOKE, ROTATIONS, 6, 2, "expm_blocks expm_skew"),
    ONE("rotations-n16", STANDARD, ROTATIONS, 16, 1, "expm_blocks"),
    ONE("generator-n5", SMOKE, GENERATOR, 5, 1, "expm_generator"),
    ONE("generator-n5-times-50", SMOKE, GENERATOR, 5, 50, "expm_generator"),
    ONE("generator-n12", STANDARD, GENERATOR, 12, 1, "expm_generator"),
    ONE("moler-van-loan", SMOKE, MOLER_VAN_LOAN, 2, 0, "expm_ward"),
    ONE("ward-1", SMOKE, WARD1, 3, 0, "expm_ward"),
    ONE("ward-2", STANDARD, WARD2, 3, 0, "expm_ward"),
    ONE("ward-3", STANDARD, WARD3, 3, 0, "expm_ward"),
    ONE("ward-4", SMOKE, WARD4, 10, 0, "expm_ward"),
    ONE("cancelled-n4", STANDARD, CANCELLED, 4, 1, "expm_blocks"),
    ONE("diagonal-100", SMOKE, DIAGONAL, 2, 100, "expm_range"),
    ONE("diagonal-700", STANDARD, DIAGONAL, 4, 700, "expm_range"),
    ONE("decay-60", STANDARD, DECAY, 5, 60, "expm_range"),
    ONE("tiny", SMOKE, TINY, 4, -60, "expm_range"),
    ONE("subnormal", STANDARD, TINY, 3, -130, "expm_range"),
    ONE("triangular-n6", STANDARD, TRIANGLE, 6, 3, "expm_blocks"),
    CASE("theta-pade3", SMOKE, thresholds, ZERO, 12, 4, 0, CONTIGUOUS, "expm_truncation"),
    CASE("theta-pade5", STANDARD, thresholds, ZERO, 12, 4, 1, CONTIGUOUS, "expm_truncation"),
    CASE("theta-pade7", SMOKE, thresholds, ZERO, 12, 4, 2, CONTIGUOUS, "expm_truncation"),
    CASE("theta-pade13", STANDARD, thresholds, ZERO, 12, 4, 3, CONTIGUOUS, "expm_truncation"),
    CASE("theta-taylor4", STANDARD, thresholds, ZERO, 12, 4, 4, CONTIGUOUS, "expm_truncation"),
    CASE("theta-taylor8", SMOKE, thresholds, ZERO, 12, 4, 5, CONTIGUOUS, "expm_truncation"),
    CASE("theta-taylor12", STANDARD, thresholds, ZERO, 12, 4, 6, CONTIGUOUS, "expm_truncation"),
    CASE("theta-taylor18", SMOKE, thresholds, ZERO, 12, 4, 7, CONTIGUOUS, "expm_truncation"),
    ONE("norm-1", SMOKE, SHIFTED, 3, 1, "expm_truncation"),
    ONE("norm-2", SMOKE, SHIFTED, 3, 2, "expm_truncation"),
    ONE("decay-1", STANDARD, DECAY, 3, 1, "expm_truncation"),
    ONE("decay-2", STANDARD, DECAY, 3, 2, "expm_truncation"),
    ONE("rank-one-1", STANDARD, OUTER, 5, 1, "expm_truncation"),
    ONE("rank-one-2", STANDARD, OUTER, 5, 2, "expm_truncation"),

    CASE("norm-bins-12-n3", SMOKE, bins, ZERO, 12, 3, 0, CONTIGUOUS, "expm_bins self_encoding"),
    CASE("norm-bins-13-n4", SMOKE, bins, ZERO, 13, 4, 1, CONTIGUOUS, "expm_bins self_encoding"),
    CASE("norm-bins-24-n2", STANDARD, bins, ZERO, 24, 2, 4, REVERSED, "expm_bins layout_grid"),
    CASE("norm-bins-12-n9", STANDARD, bins, ZERO, 12, 9, 8, CONTIGUOUS, "expm_bins"),
    CASE("norm-bins-5-n33", STANDARD, bins, ZERO, 5, 33, 2, CONTIGUOUS, "expm_bins"),
    CASE("nan-at-each-place-n1", SMOKE, special_entry, ZERO, 1, 1, NAN, CONTIGUOUS, "expm_nan"),
    CASE("nan-at-each-place-n3", SMOKE, special_entry, ZERO, 9, 3, NAN, CONTIGUOUS, "expm_nan"),
    CASE("nan-in-each-other-n33", STANDARD, special_entry, ZERO, 2, 33, NAN, CONTIGUOUS, "expm_nan"),
    CASE("infinity-at-each-place-n2", SMOKE, special_entry, ZERO, 4, 2, INFINITY, CONTIGUOUS, "expm_nan"),
    CASE("minus-infinity-n3", STANDARD, special_entry, ZERO, 9, 3, -INFINITY, CONTIGUOUS, "expm_nan"),
    CASE("one-by-one", SMOKE, one_by_one, ZERO, 0, 1, 0, CONTIGUOUS, "expm_scalar special_values"),
    CASE("empty-matrices-3", SMOKE, empty, ZERO, 3, 0, 0, CONTIGUOUS, "size_limits"),
    CASE("empty-batch-n3", SMOKE, empty, ZERO, 0, 3, 0, CONTIGUOUS, "size_limits"),
    CASE("related-n3", SMOKE, related, ZERO, 4, 3, 0.7, CONTIGUOUS, "transpose batch_invariance repeats"),
    CASE("related-n17", STANDARD, related, ZERO, 2, 17, 1.1, CONTIGUOUS, "transpose batch_invariance"),
    CASE("related-n33", STANDARD, related, ZERO, 2, 33, 1.1, BLOCK, "transpose batch_invariance"),

    CASE("transposed", SMOKE, batch, RANDOM_P, 4, 5, 0.4, TRANSPOSED, GRID " transpose"),
    CASE("block", SMOKE, batch, RANDOM_P, 4, 5, 0.4, BLOCK, GRID),
    CASE("columns", STANDARD, batch, RANDOM_P, 4, 5, 0.4, COLUMNS, GRID),
    CASE("batch-rows", STANDARD, batch, RANDOM_P, 4, 5, 0.4, ROWS, GRID),
    CASE("batch-stepped", SMOKE, batch, RANDOM_P, 4, 5, 0.4, ROWS_STEPPED, GRID),
    CASE("last-stepped2", STANDARD, batch, RANDOM_P, 4, 5, 0.4, STEPPED2, GRID),
    CASE("last-stepped3", STANDARD, batch, RANDOM_P, 4, 5, 0.4, STEPPED3, GRID),
    CASE("offset1", SMOKE, batch, RANDOM_P, 4, 5, 0.4, OFFSET1, GRID),
    CASE("offset3", STANDARD, batch, RANDOM_P, 4, 5, 0.4, OFFSET3, GRID),
    CASE("far", STANDARD, batch, RANDOM_P, 4, 5, 0.4, FAR, GRID),
    CASE("heads", STANDARD, batch, RANDOM_P, 4, 5, 0.4, HEADS, GRID),
    CASE("batch-innermost", STANDARD, batch, RANDOM_P, 4, 5, 0.4, PERMUTED, GRID),
    CASE("reversed", STANDARD, batch, RANDOM_P, 4, 5, 0.4, REVERSED, GRID " transpose"),
    CASE("transposed-block", STANDARD, batch, RANDOM_P, 4, 5, 0.4, TRANSPOSED_BLOCK, GRID " transpose"),
    CASE("transposed-block-n33", STANDARD, batch, RANDOM_P, 2, 33, 2, TRANSPOSED_BLOCK, GRID),
    CASE("batch-257-n2", STANDARD, batch, RANDOM_P, 257, 2, 0.4, CONTIGUOUS, "self_encoding signed_bias"),

    ONE("random-n1", STANDARD, RANDOM_P, 1, 2, "size_limits"),
    ONE("random-n2", SMOKE, RANDOM_P, 2, 2, "size_limits"),
    ONE("random-n3", STANDARD, RANDOM_P, 3, 8, "size_limits"),
    ONE("random-n4", STANDARD, RANDOM_P, 4, 0.5, "size_limits"),
    ONE("random-n5", STANDARD, RANDOM_P, 5, 8, "size_limits"),
    ONE("random-n6", STANDARD, RANDOM_P, 6, 2, "size_limits"),
    ONE("random-n7", STANDARD, RANDOM_P, 7, 30, "size_limits"),
    ONE("random-n8", SMOKE, RANDOM_P, 8, 2, "size_limits"),
    ONE("random-n9", STANDARD, RANDOM_P, 9, 8, "size_limits"),
    ONE("random-n10", STANDARD, RANDOM_P, 10, 0.5, "size_limits"),
    ONE("random-n11", STANDARD, RANDOM_P, 11, 2, "size_limits"),
    ONE("random-n12", STANDARD, RANDOM_P, 12, 8, "size_limits"),
    ONE("random-n16", STANDARD, RANDOM_P, 16, 2, "size_limits"),
    ONE("random-n17", STANDARD, RANDOM_P, 17, 8, "size_limits"),
    ONE("random-n20", STANDARD, RANDOM_P, 20, 8, "size_limits"),
    ONE("random-n21", STANDARD, RANDOM_P, 21, 8, "size_limits"),
    ONE("random-n24", STANDARD, RANDOM_P, 24, 4, "size_limits"),
    ONE("random-n32", STANDARD, RANDOM_P, 32, 4, "size_limits"),
    ONE("random-n33", SMOKE, RANDOM_P, 33, 4, "size_limits"),
    ONE("random-n64", STANDARD, RANDOM_P, 64, 4, "size_limits"),
};

static void declare(struct suite_list *list)
{
    static const enum dtype dtypes[] = {DTYPE_FLOAT32, DTYPE_FLOAT64};
    const struct op *op = op_find("matrix_exp");
    for (int k = 0; k < 2; k++) {
        for (size_t r = 0; op && r < sizeof rows / sizeof *rows; r++) {
            if (rows[r].dtypes >> dtypes[k] & 1) {
                suite_declare(list, &(struct suite_case){.op = op,
                                                         .dtype = dtypes[k],
                                                         .name = rows[r].name,
                                                         .level = rows[r].level,
                                                         .covers = rows[r].covers,
                                                         .file = __FILE__,
                                                         .line = rows[r].line,
                                                         .build = rows[r].build,
                                                         .row = &rows[r]});
            }
        }
    }
}

const struct suite suite_linalg_matrix_exp = {.declare = declare};
