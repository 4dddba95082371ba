/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_OPS_CONVOLUTION_WINOGRAD_TILE_H
#define ASSAY_REFERENCE_OPS_CONVOLUTION_WINOGRAD_TILE_H

/* Winograd's algorithm F(m×m, 3×3) on one tile, with what its roundings may do to the result. For each pair
 * of channels U = G g Gᵀ from a kernel g and V = Bᵀ d B from a tile d of m + 2 by m + 2 elements; then
 *
 *     Y = Aᵀ (Σ_c U_c ∘ V_c) A,     m by m results.
 *
 * The matrices are those of Lavin and Gray, "Fast algorithms for convolutional neural networks" (CVPR 2016):
 * interpolation at 0, ±1 (and ±2 for m = 4) and infinity. Factors that move between the rows of G and Bᵀ, or
 * of Bᵀ and the columns of Aᵀ, change no product of magnitudes below and so no bound.
 *
 * The error bound. Let n_A, n_B, n_G be the most entries that are not zero in a row of Aᵀ, Bᵀ, G. Multiplying
 * by one of these matrices from one side forms sums of at most n products. A term of such a sum is rounded
 * once as a product and at most n − 1 times in additions, in any order: n roundings. U and V are products
 * from both sides, so that their terms go through 2·n_G and 2·n_B roundings, and the last transform adds
 * 2·n_A. In between, U·V is rounded once and added over C channels in at most C − 1 additions, in any order.
 * The entries of two of the three matrices may themselves be rounded (1/6 and 1/24 in G; after a scaling also
 * entries of Aᵀ or Bᵀ), and each of these is used twice: 4 roundings. A bias is one more addition. So the
 * computed result is Y with every elementary product a·g·d multiplied by at most
 *
 *     κ = C + 4 + 2·(n_A + n_B + n_G) (+ 1 with a bias)
 *
 * factors (1 + δ), |δ| ≤ u, and its error is at most κ·u/(1 − κ·u) times the sum of their magnitudes,
 *
 *     W = |Aᵀ| (Σ_c |G||g||Gᵀ| ∘ |Bᵀ||d||B|) |A|   (+ |bias|)
 *
 * (Higham, Accuracy and Stability, lemma 3.1). Barabasz, Anderson, Soodhalter and Gregg, "Error analysis and
 * improving the accuracy of Winograd convolution for deep neural networks", ACM TOMS 46 (2020), bound the
 * same algorithm by products of norms. The transforms must be applied one side after the other; a sum over
 * all elements of a tile at once has more roundings.
 *
 * Underflow. An operation may lose η, and so may an operand that is flushed. With ‖·‖ the largest sum of
 * magnitudes in a row, an entry of V errs by at most c_V·η, c_V = ‖B‖² + 2·n_B·(1 + ‖B‖), an entry of U by
 * c_U·η likewise, and a result by the `underflow` below times η; twice that covers their rounding.
 *
 * The spread S is the root of the sum of squares of all these roundings, each carried to the result by the
 * adjoint of what follows it, with the values of one tile. */

#include <stdbool.h>
#include <stdint.h>

enum { WINOGRAD_MOST = 6, WINOGRAD_ENTRIES = WINOGRAD_MOST * WINOGRAD_MOST };

struct winograd {
    int m, n;                  /* results and elements of a tile, along one side */
    const double *at, *g, *bt; /* m×n, n×3, n×n */
    int roundings;             /* 4 + 2·(n_A + n_B + n_G) */
    double norm_a, norm_b, norm_g;
    double least_a, least_b, least_g; /* 2·n·(1 + norm): η that one transform adds */
};

/* Returns the algorithm with tiles of m×m results, 2 or 4; NULL for other m. */
const struct winograd *winograd_of(int m);

/* n×n transformed elements of one channel: values, sums of magnitudes, and variance over u². */
struct winograd_part {
    double value[WINOGRAD_ENTRIES], magnitude[WINOGRAD_ENTRIES], variance[WINOGRAD_ENTRIES];
    double greatest; /* of the finite sums of magnitudes: a result that uses another one has no bound */
};

/* Transforms a kernel (3×3) or a tile (n×n). Elements that are not finite make magnitudes infinite or NaN. */
void winograd_kernel(const struct winograd *w, const double *g, struct winograd_part *u);
void winograd_data(const struct winograd *w, const double *d, struct winograd_part *v);

/* One tile of results. `magnitude` is W without the bias, not rounded up; `variance` is (S/u)², with value,
 * for the caller to add a bias. */
struct winograd_result {
    double magnitude[WINOGRAD_ENTRIES], variance[WINOGRAD_ENTRIES]; /* m×m */
    double kernels, data; /* Σ over channels of the greatest magnitudes of U and of V */
};

/* Multiplies `channels` transformed kernels by as many transformed tiles and transforms the sum. */
void winograd_multiply(const struct winograd *w, int64_t channels, const struct winograd_part *u,
                       const struct winograd_part *v, struct winograd_result *y);

/* Returns by how many η underflow may change a result, twice the first order. */
double winograd_underflow(const struct winograd *w, int64_t channels, double kernels, double data);

#endif
