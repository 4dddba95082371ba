/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "kernels/vulkan/plans/rows_pass.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum mode { MODE_COUNT, MODE_POWER_1, MODE_POWER_2, MODE_POWER_3, MODE_POWER, MODE_EXTREMUM };

struct arguments { /* of vector_norm.comp */
    struct vk_view_argument kept, reduced, result;
    uint64_t leads, sums;
    uint32_t terms, parts, chunk, mode;
    uint32_t least, padding;
    uint64_t p, root;
};

enum { CHUNK = 4096 };
enum { WIDE_PARTS = 1024, TERMS_LEAST = 256 }; /* of route wide: most parts; fewest terms for which it pays */

#define SHADERS(phase)                                                                                       \
    {                                                                                                        \
        [DTYPE_FLOAT16] = "vector_norm." phase "_float16",                                                   \
        [DTYPE_BFLOAT16] = "vector_norm." phase "_bfloat16",                                                 \
        [DTYPE_FLOAT32] = "vector_norm." phase "_float32",                                                   \
        [DTYPE_FLOAT64] = "vector_norm." phase "_float64",                                                   \
    }

static const char *const span[DTYPE_COUNT] = SHADERS("span"), *const sum[DTYPE_COUNT] = SHADERS("sum"),
                         *const finish[DTYPE_COUNT] = SHADERS("finish");

static enum mode mode_of(double p)
{
    return isinf(p) ? MODE_EXTREMUM
           : p == 0 ? MODE_COUNT
           : p == 1 ? MODE_POWER_1
           : p == 2 ? MODE_POWER_2
           : p == 3 ? MODE_POWER_3
                    : MODE_POWER;
}

/* An order that float32 holds, of the same norm to float64: beyond 2^60 lead·n^(1/p) is lead to 2^-55 for
 * every n < 2^32, and below 2^-40 the norm of two elements, at least lead·2^(1/p), is beyond every format. */
static double order_in_range(double p)
{
    return fabs(p) > 0x1p60 ? copysign(INFINITY, p) : p != 0 && fabs(p) < 0x1p-40 ? copysign(0x1p-40, p) : p;
}

/* Restricts the view to the dimensions in `mask`: bit d stands for dimension d of the padded VK_RANK_MAX. */
static void keep_dimensions(struct vk_view_argument *view, unsigned mask)
{
    view->elements = 1;
    for (int d = 0; d < VK_RANK_MAX; d++) {
        view->dim[d] = mask >> d & 1 ? view->dim[d] : 1;
        view->elements *= view->dim[d];
    }
}

struct reduction {
    struct vk_view_argument kept, reduced, result;
    enum dtype from, to; /* of the elements and of the result; sums are float64 for float64, else float32 */
    double p;
};

/* Fails the plan as unsupported if its route does not cover a reduction over `reduced`, which is joined. */
static void check_route(struct vk_plan *plan, const struct vk_view_argument *reduced)
{
    if (vk_plan_route(plan) == VK_WIDE && !vk_view_is_dense(reduced)) {
        vk_plan_fail(plan, LAUNCH_UNSUPPORTED, "the elements of a norm do not lie one behind the other");
    }
}

/* Adds a dispatch of one phase by the shader of the route. */
static void dispatch_phase(struct vk_plan *plan, const char *shader, struct vk_dispatch dispatch)
{
    enum { NAME_MAX_BYTES = 64 };
    char name[NAME_MAX_BYTES];
    snprintf(name, sizeof name, "%s%s", shader, vk_plan_route(plan) == VK_WIDE ? "_wide" : "");
    dispatch.shader = name;
    vk_plan_dispatch(plan, &dispatch);
}

/* Adds the dispatches: SPAN finds the leading element of each output, if the order needs it, SUM sums the
 * powers, FINISH takes the root. */
static void dispatch_phases(struct vk_plan *plan, const struct reduction *r, const struct arguments *a)
{
    const bool wide = vk_plan_route(plan) == VK_WIDE;
    const uint32_t workgroup = vk_plan_vector_workgroup(plan);
    const uint64_t outputs = a->kept.elements, share = wide ? a->chunk / 64 + 64 : CHUNK / 32;
    struct vk_dispatch dispatch = {.constants = {0, 0, wide && vk_plan_native_halves(plan)},
                                   .groups = outputs * a->parts,
                                   .workgroup = wide ? workgroup : vk_sharers(a->terms),
                                   .arguments = a,
                                   .bytes = sizeof *a,
                                   .line = {&a->kept, &a->reduced, &a->result},
                                   .elements = (uint32_t)outputs,
                                   .more = a->terms,
                                   .iterations = share * (VK_RANK_MAX + 1) + a->parts + VK_RANK_MAX + 8};
    if (a->mode >= MODE_POWER_2) {
        dispatch_phase(plan, span[r->from], dispatch);
    }
    if (a->mode != MODE_EXTREMUM) {
        dispatch_phase(plan, sum[r->from], dispatch);
    }
    dispatch.groups = outputs;
    dispatch.workgroup = wide && a->parts > VK_FEW ? workgroup : VK_FEW; /* most norms have one part */
    dispatch.iterations = 2 * (uint64_t)a->parts + VK_RANK_MAX + 8;
    dispatch_phase(plan, finish[r->to], dispatch);
}

static void plan_reduction(struct vk_plan *plan, const struct reduction *r)
{
    const uint64_t size = r->from == DTYPE_FLOAT64 ? 8 : 4, terms = r->reduced.elements;
    const uint64_t outputs = r->kept.elements;
    const double p = order_in_range(r->p);
    struct arguments a = {.kept = r->kept,
                          .reduced = r->reduced,
                          .result = r->result,
                          .terms = (uint32_t)terms,
                          .chunk = CHUNK,
                          .mode = mode_of(p),
                          .least = p < 0,
                          .p = vk_real_bits(r->from, p),
                          .root = vk_real_bits(r->from, 1 / p)};
    while (vk_plan_route(plan) == VK_WIDE && terms > (uint64_t)a.chunk * WIDE_PARTS) {
        a.chunk *= 2;
    }
    a.parts = (uint32_t)((terms + a.chunk - 1) / a.chunk);
    vk_view_join(&a.kept);
    vk_view_join(&a.reduced);
    vk_view_join(&a.result);
    check_route(plan, &a.reduced);
    if (!vk_plan_is_good(plan) || outputs == 0) {
        return;
    }
    if (outputs * a.parts > INT32_MAX) {
        vk_plan_fail(plan, LAUNCH_UNSUPPORTED, "%llu parts of sums: kernels number them in 32 bits",
                     (unsigned long long)(outputs * a.parts));
        return;
    }
    a.leads = vk_plan_scratch(plan, outputs * a.parts * size + 8);
    a.sums = vk_plan_scratch(plan, outputs * a.parts * size + 8);
    dispatch_phases(plan, r, &a);
}

/* Sets bit d of *mask if dimension d is reduced; false if `dim` is out of range or repeated. */
static bool reduced_mask(const struct step *step, int rank, unsigned *mask)
{
    const struct integers *dim = attributes_integers(&step->attributes, "dim");
    *mask = 0;
    for (int k = 0; dim && k < dim->count; k++) {
        const int64_t d = dim->item[k] + (dim->item[k] < 0 ? rank : 0);
        if (d < 0 || d >= rank || *mask >> d & 1) {
            return false;
        }
        *mask |= 1U << d;
    }
    if (!dim || dim->count == 0) {
        *mask = (1U << rank) - 1;
    }
    return true;
}

static bool empty_in(const struct shape *shape, unsigned mask)
{
    for (int d = 0; d < shape->rank; d++) {
        if ((mask >> d & 1) && shape->dim[d] == 0) {
            return true;
        }
    }
    return false;
}

static void plan_vector(struct vk_plan *plan, const struct step *step)
{
    const struct view *x = &step->input[0];
    const double p = attributes_real(&step->attributes, "ord", 2);
    unsigned mask = 0;
    if (!span[x->dtype]) {
        vk_plan_fail(plan, LAUNCH_UNSUPPORTED, "vector_norm of %s", dtype_info(x->dtype)->name);
    } else if (!reduced_mask(step, x->shape.rank, &mask)) {
        vk_plan_fail(plan, LAUNCH_REJECTED, "vector_norm: a dimension out of range, or named twice");
    } else if (isnan(p) || ((p < 0 || isinf(p)) && empty_in(&x->shape, mask))) {
        vk_plan_fail(plan, LAUNCH_REJECTED, "vector_norm: order %g has no identity, and nothing to reduce",
                     p);
    }
    if (!vk_plan_is_good(plan)) {
        return;
    }
    struct view folded = vk_plan_fold_reduced(plan, x, &mask);
    if (!vk_plan_is_good(plan)) {
        return;
    }
    struct reduction r = {
        .kept = vk_plan_view(plan, &folded), .result = vk_plan_view(plan, &step->output[0]), .p = p};
    r.from = r.to = x->dtype;
    r.reduced = r.kept;
    r.reduced.offset = 0;
    keep_dimensions(&r.reduced, mask << (VK_RANK_MAX - folded.shape.rank));
    keep_dimensions(&r.kept, ~(mask << (VK_RANK_MAX - folded.shape.rank)));
    plan_reduction(plan, &r);
}

/* Plans the greatest or least absolute sum of the columns (p = ±1) or rows (p = ±inf): writes 1-norms, not
 * rounded to the dtype, to scratch memory, and then takes their extremum. */
static void plan_extreme_sum(struct vk_plan *plan, const struct step *step, double p)
{
    const struct view *x = &step->input[0];
    const enum dtype wide = x->dtype == DTYPE_FLOAT64 ? DTYPE_FLOAT64 : DTYPE_FLOAT32;
    const int summed = isinf(p) ? VK_RANK_MAX - 1 : VK_RANK_MAX - 2, other = 2 * VK_RANK_MAX - 3 - summed;
    const unsigned all = (1U << VK_RANK_MAX) - 1;
    struct view folded = *x;
    vk_plan_fold(plan, 1, (struct view *const[]){&folded}, 3U << (x->shape.rank - 2), NULL);
    struct reduction r = {.kept = vk_plan_view(plan, &folded), .from = x->dtype, .to = wide, .p = 1};
    if (!vk_plan_is_good(plan)) {
        return;
    }
    r.reduced = r.kept;
    r.reduced.offset = 0;
    keep_dimensions(&r.reduced, 1U << summed);
    keep_dimensions(&r.kept, all & ~(1U << summed));
    struct vk_view_argument joined = r.reduced;
    vk_view_join(&joined);
    check_route(plan, &joined);
    r.result = r.kept;
    r.result.offset = 0;
    r.result.address = vk_plan_scratch(plan, (uint64_t)r.kept.elements * dtype_info(wide)->size + 8);
    for (int d = VK_RANK_MAX, step_ = 1; d-- > 0; step_ *= (int)r.kept.dim[d]) {
        r.result.stride[d] = (uint32_t)step_;
    }
    plan_reduction(plan, &r);
    struct reduction s = {.kept = r.result,
                          .reduced = r.result,
                          .result = vk_plan_view(plan, &step->output[0]),
                          .from = wide,
                          .to = x->dtype,
                          .p = p > 0 ? INFINITY : -INFINITY};
    keep_dimensions(&s.reduced, 1U << other);
    keep_dimensions(&s.kept, all & ~(1U << other));
    plan_reduction(plan, &s);
}

static void plan_matrix(struct vk_plan *plan, const struct step *step)
{
    const struct view *x = &step->input[0];
    const int rank = x->shape.rank;
    const double p = attributes_real(&step->attributes, "ord", NAN); /* NaN: absent, the Frobenius norm */
    if (!span[x->dtype]) {
        vk_plan_fail(plan, LAUNCH_UNSUPPORTED, "matrix_norm of %s", dtype_info(x->dtype)->name);
    } else if (rank < 2) {
        vk_plan_fail(plan, LAUNCH_REJECTED, "matrix_norm: needs at least two dimensions");
    } else if (!isnan(p) && fabs(p) != 1 && !isinf(p)) {
        vk_plan_fail(plan, LAUNCH_REJECTED, "matrix_norm: order %g", p);
    } else if (!isnan(p) && x->shape.dim[rank - (isinf(p) ? 2 : 1)] == 0) {
        vk_plan_fail(plan, LAUNCH_REJECTED, "matrix_norm: order %g of no rows or columns", p);
    }
    if (!vk_plan_is_good(plan)) {
        return;
    }
    if (!isnan(p)) {
        plan_extreme_sum(plan, step, p);
        return;
    }
    struct view folded = *x;
    vk_plan_fold(plan, 1, (struct view *const[]){&folded}, 3U << (rank - 2), NULL);
    struct reduction r = {
        .kept = vk_plan_view(plan, &folded), .result = vk_plan_view(plan, &step->output[0]), .p = 2};
    r.from = r.to = x->dtype;
    r.reduced = r.kept;
    r.reduced.offset = 0;
    keep_dimensions(&r.reduced, 3U << (VK_RANK_MAX - 2));
    keep_dimensions(&r.kept, ~(3U << (VK_RANK_MAX - 2)));
    plan_reduction(plan, &r);
}

/* Route wide needs norms of enough elements for a workgroup. */
static bool wide_pays(const struct vk_plan *plan, const struct step *step)
{
    const struct shape *shape = &step->input[0].shape;
    unsigned mask = 3U << (shape->rank > 1 ? shape->rank - 2 : 0); /* of matrix_norm */
    const bool vector = strcmp(step->op->name, "vector_norm") == 0;
    int64_t terms = 1;
    if (vk_plan_is_on_cpu(plan) || (vector && !reduced_mask(step, shape->rank, &mask))) {
        return false;
    }
    for (int d = 0; d < shape->rank; d++) {
        terms *= mask >> d & 1 ? shape->dim[d] : 1;
    }
    return terms >= TERMS_LEAST;
}

static const struct vk_op ops[] = {
    {.name = "vector_norm", .plan = plan_vector},
    {.name = "matrix_norm", .plan = plan_matrix},
    {.name = "vector_norm", .route = VK_WIDE, .plan = plan_vector, .pays = wide_pays},
    {.name = "matrix_norm", .route = VK_WIDE, .plan = plan_matrix, .pays = wide_pays}};
const struct vk_op_set vk_op_set_vector_norm = {ops, sizeof ops / sizeof *ops};
