/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* logdet, slogdet of single matrices: every family of suites/linalg/matrices.h. Batches, layouts and chains
 * stand in batches.c.
 *
 * A case is `exact` only where any elimination with partial pivoting, whatever it does with ties, blocks or
 * fused operations, rounds nowhere: multipliers 0, ±1 or a power of two, and sums that hold. */

#include "suites/linalg/matrices.h"

struct row {
    const char *name;
    enum level level;
    enum family family;
    int n;
    int64_t p;
    bool exact;
    const char *covers;
    int line;
};

static void build_matrix(struct builder *b)
{
    const struct row *row = b->c->row;
    struct shape shape = shape_of(2, (int64_t)row->n, (int64_t)row->n);
    struct view a = build_tensor(b, b->c->dtype, &shape, LAYOUT_CONTIGUOUS);
    matrix_store(b, &a, row->family, row->p, 0);
    struct step *step = build_step(b, b->c->op, NULL, 1, &a);
    if (step) {
        step->exact = row->exact;
    }
}

#define CASE(name_, level_, family_, n_, p_, covers_)                                                        \
    {                                                                                                        \
        name_, LEVEL_##level_, family_, n_, p_, false, covers_, __LINE__                                     \
    }
#define EXACT(name_, level_, family_, n_, p_, covers_)                                                       \
    {                                                                                                        \
        name_, LEVEL_##level_, family_, n_, p_, true, covers_, __LINE__                                      \
    }

static const struct row rows[] = {
    CASE("hilbert-n2", SMOKE, HILBERT, 2, 0, "hilbert"),
    CASE("hilbert-n3", STANDARD, HILBERT, 3, 0, "hilbert"),
    CASE("hilbert-n4", STANDARD, HILBERT, 4, 0, "hilbert"),
    CASE("hilbert-n5", STANDARD, HILBERT, 5, 0, "hilbert"),
    CASE("hilbert-n6", SMOKE, HILBERT, 6, 0, "hilbert"),
    CASE("hilbert-n7", STANDARD, HILBERT, 7, 0, "hilbert"),
    CASE("hilbert-n8", STANDARD, HILBERT, 8, 0, "hilbert"),
    CASE("hilbert-n9", STANDARD, HILBERT, 9, 0, "hilbert"),
    CASE("hilbert-n10", STANDARD, HILBERT, 10, 0, "hilbert"),
    CASE("kahan-n5", SMOKE, KAHAN, 5, 0, "kahan"),
    CASE("kahan-n20", STANDARD, KAHAN, 20, 0, "kahan"),
    CASE("kahan-n48", STANDARD, KAHAN, 48, 0, "kahan"),
    CASE("vandermonde-n4", SMOKE, VANDERMONDE, 4, 0, "vandermonde"),
    CASE("vandermonde-n6", STANDARD, VANDERMONDE, 6, 0, "vandermonde"),
    CASE("vandermonde-n8", STANDARD, VANDERMONDE, 8, 0, "vandermonde"),
    CASE("frank-n5", SMOKE, FRANK, 5, 0, "frank"),
    CASE("frank-n8", STANDARD, FRANK, 8, 0, "frank"),
    CASE("frank-n12", STANDARD, FRANK, 12, 0, "frank"),
    CASE("pascal-n4", SMOKE, PASCAL, 4, 0, "pascal"),
    CASE("pascal-n8", STANDARD, PASCAL, 8, 0, "pascal"),
    CASE("pascal-n12", STANDARD, PASCAL, 12, 0, "pascal"),
    CASE("moler-n4", SMOKE, MOLER, 4, 0, "moler"),
    CASE("moler-n10", STANDARD, MOLER, 10, 0, "moler"),
    CASE("min-ij-n6", SMOKE, MIN_IJ, 6, 0, "min_ij"),
    CASE("min-ij-n33", STANDARD, MIN_IJ, 33, 0, "min_ij"),
    CASE("lehmer-n6", SMOKE, LEHMER, 6, 0, "lehmer"),
    CASE("lehmer-n20", STANDARD, LEHMER, 20, 0, "lehmer"),
    CASE("tridiagonal-n3", SMOKE, TRIDIAGONAL, 3, 0, "tridiagonal"),
    CASE("tridiagonal-n17", STANDARD, TRIDIAGONAL, 17, 0, "tridiagonal"),
    CASE("tridiagonal-n64", STANDARD, TRIDIAGONAL, 64, 0, "tridiagonal"),
    CASE("growth-n6", SMOKE, GROWTH, 6, 0, "growth"),
    CASE("growth-n20", STANDARD, GROWTH, 20, 0, "growth"),
    CASE("growth-n33", STANDARD, GROWTH, 33, 0, "growth"),

    EXACT("one-transposition-n2", SMOKE, TRANSPOSITION, 2, 0, "negative_transposition"),
    EXACT("one-transposition-n5", SMOKE, TRANSPOSITION, 5, 2, "negative_transposition"),
    EXACT("one-transposition-n33", STANDARD, TRANSPOSITION, 33, 31, "negative_transposition"),
    EXACT("cyclic-n2", STANDARD, CYCLIC, 2, 0, "negative_cyclic"),
    EXACT("cyclic-n3", SMOKE, CYCLIC, 3, 0, "negative_cyclic"),
    EXACT("cyclic-n4", SMOKE, CYCLIC, 4, 0, "negative_cyclic"),
    EXACT("cyclic-n5", STANDARD, CYCLIC, 5, 0, "negative_cyclic"),
    EXACT("cyclic-n32", STANDARD, CYCLIC, 32, 0, "negative_cyclic"),
    EXACT("cyclic-n65", STANDARD, CYCLIC, 65, 0, "negative_cyclic"),
    CASE("reflection-n4", SMOKE, REFLECTION, 4, 0, "negative_reflection"),
    CASE("reflection-n7", STANDARD, REFLECTION, 7, 0, "negative_reflection"),
    EXACT("even-permutation-n3", STANDARD, EVEN_PERMUTATION, 3, 0, "negative_transposition"),
    EXACT("even-permutation-n4", STANDARD, EVEN_PERMUTATION, 4, 0, "negative_transposition"),
    EXACT("even-permutation-n5", SMOKE, EVEN_PERMUTATION, 5, 0, "negative_transposition"),
    EXACT("even-permutation-n6", STANDARD, EVEN_PERMUTATION, 6, 0, "negative_transposition"),
    EXACT("even-permutation-n7", STANDARD, EVEN_PERMUTATION, 7, 0, "negative_transposition"),
    EXACT("even-permutation-n8", STANDARD, EVEN_PERMUTATION, 8, 0, "negative_transposition"),
    EXACT("even-permutation-n9", STANDARD, EVEN_PERMUTATION, 9, 0, "negative_transposition"),
    EXACT("odd-permutation-n3", STANDARD, ODD_PERMUTATION, 3, 0, "negative_transposition"),
    EXACT("odd-permutation-n4", STANDARD, ODD_PERMUTATION, 4, 0, "negative_transposition"),
    EXACT("odd-permutation-n5", SMOKE, ODD_PERMUTATION, 5, 0, "negative_transposition"),
    EXACT("odd-permutation-n6", STANDARD, ODD_PERMUTATION, 6, 0, "negative_transposition"),
    EXACT("odd-permutation-n7", STANDARD, ODD_PERMUTATION, 7, 0, "negative_transposition"),
    EXACT("odd-permutation-n8", STANDARD, ODD_PERMUTATION, 8, 0, "negative_transposition"),
    EXACT("odd-permutation-n9", STANDARD, ODD_PERMUTATION, 9, 0, "negative_transposition"),
    CASE("random-negative-n3", SMOKE, RANDOM_NEGATIVE, 3, 0, "negative_transposition"),
    CASE("random-negative-n8", STANDARD, RANDOM_NEGATIVE, 8, 0, "negative_transposition"),
    CASE("random-negative-n33", STANDARD, RANDOM_NEGATIVE, 33, 0, "negative_transposition"),
    CASE("random-negative-n64", STANDARD, RANDOM_NEGATIVE, 64, 0, "negative_transposition"),

    EXACT("near-singular", SMOKE, NEAR_SINGULAR, 2, 0, "near_singular"),
    EXACT("near-singular-negative", SMOKE, NEAR_SINGULAR_NEGATIVE, 2, 0, "near_singular"),
    EXACT("zeros-n1", SMOKE, ZEROS, 1, 0, "singular_zeros one_by_one"),
    EXACT("zeros-n4", SMOKE, ZEROS, 4, 0, "singular_zeros"),
    EXACT("zeros-n33", STANDARD, ZEROS, 33, 0, "singular_zeros"),
    EXACT("duplicate-rows-exact-n3", SMOKE, DUPLICATE_EXACT, 3, 0, "singular_duplicate"),
    EXACT("duplicate-rows-exact-n8", STANDARD, DUPLICATE_EXACT, 8, 0, "singular_duplicate"),
    CASE("duplicate-rows-random-n4", STANDARD, DUPLICATE_RANDOM, 4, 0, "singular_duplicate"),
    CASE("duplicate-rows-random-n17", STANDARD, DUPLICATE_RANDOM, 17, 0, "singular_duplicate"),
    CASE("rank-1-n3", SMOKE, RANK_ONE, 3, 0, "singular_rank_one"),
    CASE("rank-1-n9", STANDARD, RANK_ONE, 9, 0, "singular_rank_one"),
    EXACT("proportional-n2", SMOKE, PROPORTIONAL, 2, 0, "singular_rank_one"),
    CASE("counting-n3", SMOKE, COUNTING, 3, 0, "singular_counting"),
    CASE("counting-n6", STANDARD, COUNTING, 6, 0, "singular_counting"),

    EXACT("diagonal-1e-30-n8", SMOKE, DIAGONAL_DECIMAL, 8, -30, "diagonal_tiny"),
    EXACT("diagonal-1e-30-n40", STANDARD, DIAGONAL_DECIMAL, 40, -30, "diagonal_tiny"),
    EXACT("diagonal-1e30-n8", SMOKE, DIAGONAL_DECIMAL, 8, 30, "diagonal_huge"),
    EXACT("diagonal-1e30-n40", STANDARD, DIAGONAL_DECIMAL, 40, 30, "diagonal_huge"),
    EXACT("diagonal-mixed-n8", SMOKE, DIAGONAL_MIXED, 8, 0, "diagonal_mixed"),
    EXACT("diagonal-mixed-n33", STANDARD, DIAGONAL_MIXED, 33, 0, "diagonal_mixed"),
    EXACT("diagonal-subnormal-n4", STANDARD, DIAGONAL_SUBNORMAL, 4, 0, "diagonal_tiny"),
    EXACT("two-negatives-n2", SMOKE, NEGATIVE_PAIR, 2, 0, "two_negatives"),
    EXACT("two-negatives-n7", STANDARD, NEGATIVE_PAIR, 7, 0, "two_negatives"),

    EXACT("scaled-identity-2^100-n20", STANDARD, SCALED_IDENTITY, 20, 100,
          "exact_permuted_diagonal diagonal_huge"),
    EXACT("scaled-identity-2^-100-n20", STANDARD, SCALED_IDENTITY, 20, -100,
          "exact_permuted_diagonal diagonal_tiny"),
    EXACT("scaled-identity-2^7-n64", STANDARD, SCALED_IDENTITY, 64, 7, "exact_permuted_diagonal"),
    EXACT("identity-n16", STANDARD, SCALED_IDENTITY, 16, 0, "exact_permuted_diagonal"),
    EXACT("upper-exact-n4", SMOKE, UPPER, 4, 0, "exact_triangular"),
    EXACT("upper-exact-n16", STANDARD, UPPER, 16, 0, "exact_triangular"),
    EXACT("upper-exact-n33", STANDARD, UPPER, 33, 2, "exact_triangular two_negatives"),
    EXACT("upper-exact-negative-n9", STANDARD, UPPER, 9, 1, "exact_triangular"),
    EXACT("lower-exact-n4", SMOKE, LOWER, 4, 0, "exact_triangular"),
    EXACT("lower-exact-n16", STANDARD, LOWER, 16, 0, "exact_triangular"),
    EXACT("lower-exact-n33", STANDARD, LOWER, 33, 2, "exact_triangular two_negatives"),
    EXACT("lower-exact-negative-n9", STANDARD, LOWER, 9, 1, "exact_triangular"),
    EXACT("permuted-diagonal-n5", SMOKE, PERMUTED_DIAGONAL, 5, 0, "exact_permuted_diagonal"),
    EXACT("permuted-diagonal-n16", STANDARD, PERMUTED_DIAGONAL, 16, 0, "exact_permuted_diagonal"),
    EXACT("permuted-diagonal-n47", STANDARD, PERMUTED_DIAGONAL, 47, 0, "exact_permuted_diagonal"),
    EXACT("permuted-diagonal-n100", STANDARD, PERMUTED_DIAGONAL, 100, 0, "exact_permuted_diagonal"),
    EXACT("permuted-diagonal-negative-n6", SMOKE, PERMUTED_DIAGONAL, 6, 1, "exact_permuted_diagonal"),
    EXACT("permuted-diagonal-negative-n33", STANDARD, PERMUTED_DIAGONAL, 33, 1, "exact_permuted_diagonal"),

    CASE("tiny-pivot-n3", SMOKE, TINY_PIVOT, 3, 0, "row_exchange"),
    CASE("tiny-pivot-n8", SMOKE, TINY_PIVOT, 8, 0, "row_exchange"),
    CASE("tiny-pivot-n33", STANDARD, TINY_PIVOT, 33, 0, "row_exchange"),
    CASE("tiny-pivot-n64", STANDARD, TINY_PIVOT, 64, 0, "row_exchange"),
    CASE("zero-pivot-n4", SMOKE, ZERO_PIVOT, 4, 0, "row_exchange"),
    CASE("zero-pivot-n33", STANDARD, ZERO_PIVOT, 33, 0, "row_exchange"),
    CASE("nan-last-n33", STANDARD, NAN_ENTRY, 33, 33 * 33 - 1, "nan_entry"),
    CASE("nan-first-n64", STANDARD, NAN_ENTRY, 64, 0, "nan_entry"),

    CASE("random-n1", SMOKE, RANDOM, 1, 0, "size_limits"),
    CASE("random-n2", SMOKE, RANDOM, 2, 0, "size_limits"),
    CASE("random-n3", SMOKE, RANDOM, 3, 0, "size_limits"),
    CASE("random-n4", SMOKE, RANDOM, 4, 0, "size_limits"),
    CASE("random-n5", STANDARD, RANDOM, 5, 0, "size_limits"),
    CASE("random-n6", STANDARD, RANDOM, 6, 0, "size_limits"),
    CASE("random-n7", STANDARD, RANDOM, 7, 0, "size_limits"),
    CASE("random-n8", STANDARD, RANDOM, 8, 0, "size_limits"),
    CASE("random-n9", STANDARD, RANDOM, 9, 0, "size_limits"),
    CASE("random-n10", STANDARD, RANDOM, 10, 0, "size_limits"),
    CASE("random-n11", STANDARD, RANDOM, 11, 0, "size_limits"),
    CASE("random-n12", STANDARD, RANDOM, 12, 0, "size_limits"),
    CASE("random-n13", STANDARD, RANDOM, 13, 0, "size_limits"),
    CASE("random-n14", STANDARD, RANDOM, 14, 0, "size_limits"),
    CASE("random-n15", STANDARD, RANDOM, 15, 0, "size_limits"),
    CASE("random-n16", SMOKE, RANDOM, 16, 0, "size_limits"),
    CASE("random-n17", STANDARD, RANDOM, 17, 0, "size_limits"),
    CASE("random-n18", STANDARD, RANDOM, 18, 0, "size_limits"),
    CASE("random-n19", STANDARD, RANDOM, 19, 0, "size_limits"),
    CASE("random-n20", STANDARD, RANDOM, 20, 0, "size_limits"),
    CASE("random-n31", STANDARD, RANDOM, 31, 0, "size_limits"),
    CASE("random-n32", STANDARD, RANDOM, 32, 0, "size_limits"),
    CASE("random-n33", SMOKE, RANDOM, 33, 0, "size_limits"),
    CASE("random-n47", STANDARD, RANDOM, 47, 0, "size_limits"),
    CASE("random-n48", STANDARD, RANDOM, 48, 0, "size_limits"),
    CASE("random-n49", STANDARD, RANDOM, 49, 0, "size_limits"),
    CASE("random-n63", STANDARD, RANDOM, 63, 0, "size_limits"),
    CASE("random-n64", STANDARD, RANDOM, 64, 0, "size_limits"),
    CASE("random-n65", STANDARD, RANDOM, 65, 0, "size_limits"),
    CASE("random-n100", STANDARD, RANDOM, 100, 0, "size_limits"),
    CASE("random-n128", STANDARD, RANDOM, 128, 0, "size_limits"),
    CASE("random-n200", STANDARD, RANDOM, 200, 0, "size_limits"), /* float32 only */
    CASE("random-n256", EXHAUSTIVE, RANDOM, 256, 0, "size_limits"),
    CASE("random-n320", EXHAUSTIVE, RANDOM, 320, 0, "size_limits"),
};

/* Of large matrices the sign and the logarithm come from the factors that logdet has. */
static enum level level_of(const struct row *row, const struct op *op)
{
    bool again = op->outputs == 2 && row->n >= 128;
    return again ? LEVEL_EXHAUSTIVE : row->level;
}

static void declare(struct suite_list *list)
{
    static const char *const ops[] = {"logdet", "slogdet"};
    static const enum dtype dtypes[] = {DTYPE_FLOAT32, DTYPE_FLOAT64};
    for (int k = 0; k < 4; k++) {
        const struct op *op = op_find(ops[k / 2]);
        enum dtype dtype = dtypes[k % 2];
        for (size_t r = 0; op && r < sizeof rows / sizeof *rows; r++) {
            if (rows[r].n <= 128 || rows[r].level == LEVEL_EXHAUSTIVE || dtype == DTYPE_FLOAT32) {
                suite_declare(list, &(struct suite_case){.op = op,
                                                         .dtype = dtype,
                                                         .name = rows[r].name,
                                                         .level = level_of(&rows[r], op),
                                                         .covers = rows[r].covers,
                                                         .file = __FILE__,
                                                         .line = rows[r].line,
                                                         .build = build_matrix,
                                                         .row = &rows[r]});
            }
        }
    }
}

const struct suite suite_linalg_logdet = {.declare = declare};
