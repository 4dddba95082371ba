/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* logdet and slogdet of single matrices of every family of suites/linalg/matrices.h. batches.c has batches,
 * layouts and chains.
 *
 * A case is `exact` only if elimination with partial pivoting rounds nowhere, whatever it does with ties,
 * blocks or fused operations: multipliers are 0, ±1 or a power of two, and all sums are representable. */

#include "suites/linalg/matrices.h"

struct row {
    struct suite_row row;
    enum family family;
    int n;
    int64_t p; /* parameter of the family */
    bool exact;
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

enum { LOGDET = 1, SLOGDET = 2, SINGLE = 1U << DTYPE_FLOAT32 };

#define ONE(name_, level_, family_, n_, covers_) SUITE_ROW(name_, level_, covers_), .family = family_, .n = n_
/* Of large matrices slogdet computes sign and logarithm from the same factorisation as logdet. */
#define LARGE(name_, n_, ...)                                                                                \
    {SUITE_ROW(name_, STANDARD, "size_limits", .ops = LOGDET, __VA_ARGS__), .family = RANDOM, .n = n_},      \
    {                                                                                                        \
        SUITE_ROW(name_, EXHAUSTIVE, "size_limits", .ops = SLOGDET, __VA_ARGS__), .family = RANDOM, .n = n_  \
    }

static const struct row rows[] = {
    {ONE("hilbert-n2", SMOKE, HILBERT, 2, "hilbert")},
    {ONE("hilbert-n3", STANDARD, HILBERT, 3, "hilbert")},
    {ONE("hilbert-n4", STANDARD, HILBERT, 4, "hilbert")},
    {ONE("hilbert-n5", STANDARD, HILBERT, 5, "hilbert")},
    {ONE("hilbert-n6", SMOKE, HILBERT, 6, "hilbert")},
    {ONE("hilbert-n7", STANDARD, HILBERT, 7, "hilbert")},
    {ONE("hilbert-n8", STANDARD, HILBERT, 8, "hilbert")},
    {ONE("hilbert-n9", STANDARD, HILBERT, 9, "hilbert")},
    {ONE("hilbert-n10", STANDARD, HILBERT, 10, "hilbert")},
    {ONE("kahan-n5", SMOKE, KAHAN, 5, "kahan")},
    {ONE("kahan-n20", STANDARD, KAHAN, 20, "kahan")},
    {ONE("kahan-n48", STANDARD, KAHAN, 48, "kahan")},
    {ONE("vandermonde-n4", SMOKE, VANDERMONDE, 4, "vandermonde")},
    {ONE("vandermonde-n6", STANDARD, VANDERMONDE, 6, "vandermonde")},
    {ONE("vandermonde-n8", STANDARD, VANDERMONDE, 8, "vandermonde")},
    {ONE("frank-n5", SMOKE, FRANK, 5, "frank")},
    {ONE("frank-n8", STANDARD, FRANK, 8, "frank")},
    {ONE("frank-n12", STANDARD, FRANK, 12, "frank")},
    {ONE("pascal-n4", SMOKE, PASCAL, 4, "pascal")},
    {ONE("pascal-n8", STANDARD, PASCAL, 8, "pascal")},
    {ONE("pascal-n12", STANDARD, PASCAL, 12, "pascal")},
    {ONE("moler-n4", SMOKE, MOLER, 4, "moler")},
    {ONE("moler-n10", STANDARD, MOLER, 10, "moler")},
    {ONE("min-ij-n6", SMOKE, MIN_IJ, 6, "min_ij")},
    {ONE("min-ij-n33", STANDARD, MIN_IJ, 33, "min_ij")},
    {ONE("lehmer-n6", SMOKE, LEHMER, 6, "lehmer")},
    {ONE("lehmer-n20", STANDARD, LEHMER, 20, "lehmer")},
    {ONE("tridiagonal-n3", SMOKE, TRIDIAGONAL, 3, "tridiagonal")},
    {ONE("tridiagonal-n17", STANDARD, TRIDIAGONAL, 17, "tridiagonal")},
    {ONE("tridiagonal-n64", STANDARD, TRIDIAGONAL, 64, "tridiagonal")},
    {ONE("growth-n6", SMOKE, GROWTH, 6, "growth")},
    {ONE("growth-n20", STANDARD, GROWTH, 20, "growth")},
    {ONE("growth-n33", STANDARD, GROWTH, 33, "growth")},

    {ONE("one-transposition-n2", SMOKE, TRANSPOSITION, 2, "negative_transposition"), .exact = true},
    {ONE("one-transposition-n5", SMOKE, TRANSPOSITION, 5, "negative_transposition"), .p = 2, .exact = true},
    {ONE("one-transposition-n33", STANDARD, TRANSPOSITION, 33, "negative_transposition"), .p = 31,
     .exact = true},
    {ONE("cyclic-n2", STANDARD, CYCLIC, 2, "negative_cyclic"), .exact = true},
    {ONE("cyclic-n3", SMOKE, CYCLIC, 3, "negative_cyclic"), .exact = true},
    {ONE("cyclic-n4", SMOKE, CYCLIC, 4, "negative_cyclic"), .exact = true},
    {ONE("cyclic-n5", STANDARD, CYCLIC, 5, "negative_cyclic"), .exact = true},
    {ONE("cyclic-n32", STANDARD, CYCLIC, 32, "negative_cyclic"), .exact = true},
    {ONE("cyclic-n65", STANDARD, CYCLIC, 65, "negative_cyclic"), .exact = true},
    {ONE("reflection-n4", SMOKE, REFLECTION, 4, "negative_reflection")},
    {ONE("reflection-n7", STANDARD, REFLECTION, 7, "negative_reflection")},
    {ONE("even-permutation-n3", STANDARD, EVEN_PERMUTATION, 3, "negative_transposition"), .exact = true},
    {ONE("even-permutation-n4", STANDARD, EVEN_PERMUTATION, 4, "negative_transposition"), .exact = true},
    {ONE("even-permutation-n5", SMOKE, EVEN_PERMUTATION, 5, "negative_transposition"), .exact = true},
    {ONE("even-permutation-n6", STANDARD, EVEN_PERMUTATION, 6, "negative_transposition"), .exact = true},
    {ONE("even-permutation-n7", STANDARD, EVEN_PERMUTATION, 7, "negative_transposition"), .exact = true},
    {ONE("even-permutation-n8", STANDARD, EVEN_PERMUTATION, 8, "negative_transposition"), .exact = true},
    {ONE("even-permutation-n9", STANDARD, EVEN_PERMUTATION, 9, "negative_transposition"), .exact = true},
    {ONE("odd-permutation-n3", STANDARD, ODD_PERMUTATION, 3, "negative_transposition"), .exact = true},
    {ONE("odd-permutation-n4", STANDARD, ODD_PERMUTATION, 4, "negative_transposition"), .exact = true},
    {ONE("odd-permutation-n5", SMOKE, ODD_PERMUTATION, 5, "negative_transposition"), .exact = true},
    {ONE("odd-permutation-n6", STANDARD, ODD_PERMUTATION, 6, "negative_transposition"), .exact = true},
    {ONE("odd-permutation-n7", STANDARD, ODD_PERMUTATION, 7, "negative_transposition"), .exact = true},
    {ONE("odd-permutation-n8", STANDARD, ODD_PERMUTATION, 8, "negative_transposition"), .exact = true},
    {ONE("odd-permutation-n9", STANDARD, ODD_PERMUTATION, 9, "negative_transposition"), .exact = true},
    {ONE("random-negative-n3", SMOKE, RANDOM_NEGATIVE, 3, "negative_transposition")},
    {ONE("random-negative-n8", STANDARD, RANDOM_NEGATIVE, 8, "negative_transposition")},
    {ONE("random-negative-n33", STANDARD, RANDOM_NEGATIVE, 33, "negative_transposition")},
    {ONE("random-negative-n64", STANDARD, RANDOM_NEGATIVE, 64, "negative_transposition")},

    {ONE("near-singular", SMOKE, NEAR_SINGULAR, 2, "near_singular"), .exact = true},
    {ONE("near-singular-negative", SMOKE, NEAR_SINGULAR_NEGATIVE, 2, "near_singular"), .exact = true},
    {ONE("zeros-n1", SMOKE, ZEROS, 1, "singular_zeros one_by_one"), .exact = true},
    {ONE("zeros-n4", SMOKE, ZEROS, 4, "singular_zeros"), .exact = true},
    {ONE("zeros-n33", STANDARD, ZEROS, 33, "singular_zeros"), .exact = true},
    {ONE("duplicate-rows-exact-n3", SMOKE, DUPLICATE_EXACT, 3, "singular_duplicate"), .exact = true},
    {ONE("duplicate-rows-exact-n8", STANDARD, DUPLICATE_EXACT, 8, "singular_duplicate"), .exact = true},
    {ONE("duplicate-rows-random-n4", STANDARD, DUPLICATE_RANDOM, 4, "singular_duplicate")},
    {ONE("duplicate-rows-random-n17", STANDARD, DUPLICATE_RANDOM, 17, "singular_duplicate")},
    {ONE("rank-1-n3", SMOKE, RANK_ONE, 3, "singular_rank_one")},
    {ONE("rank-1-n9", STANDARD, RANK_ONE, 9, "singular_rank_one")},
    {ONE("proportional-n2", SMOKE, PROPORTIONAL, 2, "singular_rank_one"), .exact = true},
    {ONE("counting-n3", SMOKE, COUNTING, 3, "singular_counting")},
    {ONE("counting-n6", STANDARD, COUNTING, 6, "singular_counting")},

    {ONE("diagonal-1e-30-n8", SMOKE, DIAGONAL_DECIMAL, 8, "diagonal_tiny"), .p = -30, .exact = true},
    {ONE("diagonal-1e-30-n40", STANDARD, DIAGONAL_DECIMAL, 40, "diagonal_tiny"), .p = -30, .exact = true},
    {ONE("diagonal-1e30-n8", SMOKE, DIAGONAL_DECIMAL, 8, "diagonal_huge"), .p = 30, .exact = true},
    {ONE("diagonal-1e30-n40", STANDARD, DIAGONAL_DECIMAL, 40, "diagonal_huge"), .p = 30, .exact = true},
    {ONE("diagonal-mixed-n8", SMOKE, DIAGONAL_MIXED, 8, "diagonal_mixed"), .exact = true},
    {ONE("diagonal-mixed-n33", STANDARD, DIAGONAL_MIXED, 33, "diagonal_mixed"), .exact = true},
    {ONE("diagonal-subnormal-n4", STANDARD, DIAGONAL_SUBNORMAL, 4, "diagonal_tiny"), .exact = true},
    {ONE("two-negatives-n2", SMOKE, NEGATIVE_PAIR, 2, "two_negatives"), .exact = true},
    {ONE("two-negatives-n7", STANDARD, NEGATIVE_PAIR, 7, "two_negatives"), .exact = true},

    {ONE("scaled-identity-2^100-n20", STANDARD, SCALED_IDENTITY, 20, "exact_permuted_diagonal diagonal_huge"),
     .p = 100, .exact = true},
    {ONE("scaled-identity-2^-100-n20", STANDARD, SCALED_IDENTITY, 20,
         "exact_permuted_diagonal diagonal_tiny"),
     .p = -100, .exact = true},
    {ONE("scaled-identity-2^7-n64", STANDARD, SCALED_IDENTITY, 64, "exact_permuted_diagonal"), .p = 7,
     .exact = true},
    {ONE("identity-n16", STANDARD, SCALED_IDENTITY, 16, "exact_permuted_diagonal"), .exact = true},
    {ONE("upper-exact-n4", SMOKE, UPPER, 4, "exact_triangular"), .exact = true},
    {ONE("upper-exact-n16", STANDARD, UPPER, 16, "exact_triangular"), .exact = true},
    {ONE("upper-exact-n33", STANDARD, UPPER, 33, "exact_triangular two_negatives"), .p = 2, .exact = true},
    {ONE("upper-exact-negative-n9", STANDARD, UPPER, 9, "exact_triangular"), .p = 1, .exact = true},
    {ONE("lower-exact-n4", SMOKE, LOWER, 4, "exact_triangular"), .exact = true},
    {ONE("lower-exact-n16", STANDARD, LOWER, 16, "exact_triangular"), .exact = true},
    {ONE("lower-exact-n33", STANDARD, LOWER, 33, "exact_triangular two_negatives"), .p = 2, .exact = true},
    {ONE("lower-exact-negative-n9", STANDARD, LOWER, 9, "exact_triangular"), .p = 1, .exact = true},
    {ONE("permuted-diagonal-n5", SMOKE, PERMUTED_DIAGONAL, 5, "exact_permuted_diagonal"), .exact = true},
    {ONE("permuted-diagonal-n16", STANDARD, PERMUTED_DIAGONAL, 16, "exact_permuted_diagonal"), .exact = true},
    {ONE("permuted-diagonal-n47", STANDARD, PERMUTED_DIAGONAL, 47, "exact_permuted_diagonal"), .exact = true},
    {ONE("permuted-diagonal-n100", STANDARD, PERMUTED_DIAGONAL, 100, "exact_permuted_diagonal"),
     .exact = true},
    {ONE("permuted-diagonal-negative-n6", SMOKE, PERMUTED_DIAGONAL, 6, "exact_permuted_diagonal"), .p = 1,
     .exact = true},
    {ONE("permuted-diagonal-negative-n33", STANDARD, PERMUTED_DIAGONAL, 33, "exact_permuted_diagonal"),
     .p = 1, .exact = true},

    {ONE("tiny-pivot-n3", SMOKE, TINY_PIVOT, 3, "row_exchange")},
    {ONE("tiny-pivot-n8", SMOKE, TINY_PIVOT, 8, "row_exchange")},
    {ONE("tiny-pivot-n33", STANDARD, TINY_PIVOT, 33, "row_exchange")},
    {ONE("tiny-pivot-n64", STANDARD, TINY_PIVOT, 64, "row_exchange")},
    {ONE("zero-pivot-n4", SMOKE, ZERO_PIVOT, 4, "row_exchange")},
    {ONE("zero-pivot-n33", STANDARD, ZERO_PIVOT, 33, "row_exchange")},
    {ONE("nan-last-n33", STANDARD, NAN_ENTRY, 33, "nan_entry"), .p = 33 * 33 - 1},
    {ONE("nan-first-n64", STANDARD, NAN_ENTRY, 64, "nan_entry")},

    {ONE("random-n1", SMOKE, RANDOM, 1, "size_limits")},
    {ONE("random-n2", SMOKE, RANDOM, 2, "size_limits")},
    {ONE("random-n3", SMOKE, RANDOM, 3, "size_limits")},
    {ONE("random-n4", SMOKE, RANDOM, 4, "size_limits")},
    {ONE("random-n5", STANDARD, RANDOM, 5, "size_limits")},
    {ONE("random-n6", STANDARD, RANDOM, 6, "size_limits")},
    {ONE("random-n7", STANDARD, RANDOM, 7, "size_limits")},
    {ONE("random-n8", STANDARD, RANDOM, 8, "size_limits")},
    {ONE("random-n9", STANDARD, RANDOM, 9, "size_limits")},
    {ONE("random-n10", STANDARD, RANDOM, 10, "size_limits")},
    {ONE("random-n11", STANDARD, RANDOM, 11, "size_limits")},
    {ONE("random-n12", STANDARD, RANDOM, 12, "size_limits")},
    {ONE("random-n13", STANDARD, RANDOM, 13, "size_limits")},
    {ONE("random-n14", STANDARD, RANDOM, 14, "size_limits")},
    {ONE("random-n15", STANDARD, RANDOM, 15, "size_limits")},
    {ONE("random-n16", SMOKE, RANDOM, 16, "size_limits")},
    {ONE("random-n17", STANDARD, RANDOM, 17, "size_limits")},
    {ONE("random-n18", STANDARD, RANDOM, 18, "size_limits")},
    {ONE("random-n19", STANDARD, RANDOM, 19, "size_limits")},
    {ONE("random-n20", STANDARD, RANDOM, 20, "size_limits")},
    {ONE("random-n31", STANDARD, RANDOM, 31, "size_limits")},
    {ONE("random-n32", STANDARD, RANDOM, 32, "size_limits")},
    {ONE("random-n33", SMOKE, RANDOM, 33, "size_limits")},
    {ONE("random-n47", STANDARD, RANDOM, 47, "size_limits")},
    {ONE("random-n48", STANDARD, RANDOM, 48, "size_limits")},
    {ONE("random-n49", STANDARD, RANDOM, 49, "size_limits")},
    {ONE("random-n63", STANDARD, RANDOM, 63, "size_limits")},
    {ONE("random-n64", STANDARD, RANDOM, 64, "size_limits")},
    {ONE("random-n65", STANDARD, RANDOM, 65, "size_limits")},
    {ONE("random-n100", STANDARD, RANDOM, 100, "size_limits")},
    LARGE("random-n128", 128, .dtypes = 0),
    LARGE("random-n200", 200, .dtypes = SINGLE),
    {ONE("random-n256", EXHAUSTIVE, RANDOM, 256, "size_limits")},
    {ONE("random-n320", EXHAUSTIVE, RANDOM, 320, "size_limits")},
};

static void declare(struct suite_list *list)
{
    suite_declare_rows(
        list, &(struct suite_table){SUITE_ROWS(rows), .ops = {"logdet", "slogdet"}, .build = build_matrix});
}

const struct suite suite_linalg_logdet = {.declare = declare};
