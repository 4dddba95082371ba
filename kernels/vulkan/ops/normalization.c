/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "kernels/vulkan/plans/normalization.h"

#include <math.h>
#include <string.h>

/* Variants: a kind, with the flag GRADIENT for its gradient. */
enum { LAYER, RMS, GROUP, INSTANCE, BATCH, KINDS = 7, GRADIENT = 8 };

/* The most terms of a channel that one invocation sums on route wide: n − 1 additions, which the declared
 * depth of so few terms allows. */
enum { FEW_TERMS = 13 };

#define SHADERS(phase)                                                                                       \
    {                                                                                                        \
        [DTYPE_FLOAT16] = phase "_float16", [DTYPE_BFLOAT16] = phase "_bfloat16",                            \
        [DTYPE_FLOAT32] = phase "_float32", [DTYPE_FLOAT64] = phase "_float64",                              \
    }

static const char *const statistics[DTYPE_COUNT] = SHADERS("normalization.statistics"),
                         *const apply[DTYPE_COUNT] = SHADERS("normalization.apply"),
                         *const input[DTYPE_COUNT] = SHADERS("normalization_gradient.input"),
                         *const parameters[DTYPE_COUNT] = SHADERS("normalization_gradient.parameters"),
                         *const few[DTYPE_COUNT] = SHADERS("normalization_gradient_wide.few"),
                         *const running[DTYPE_COUNT] = SHADERS("normalization.running");

static struct vk_view_argument view_or_none(struct vk_plan *plan, const struct view *view)
{
    return view ? vk_plan_elements(plan, view) : (struct vk_view_argument){0};
}

static struct vk_normalization_arguments arguments_of(struct vk_plan *plan, const struct vk_normalization *n,
                                                      const struct step *step)
{
    const enum dtype dtype = n->x->dtype;
    const double members = (double)shape_elements(&n->x->shape) / (double)(n->groups ? n->groups : 1);
    const bool gradient = n->grad != NULL;
    struct vk_normalization_arguments a = {
        .x = view_or_none(plan, n->x),
        .grad = view_or_none(plan, n->grad),
        .weight = view_or_none(plan, n->weight),
        .bias = view_or_none(plan, n->bias),
        .mean = view_or_none(plan, n->mean),
        .variance = view_or_none(plan, n->variance),
        .y = vk_plan_elements(plan, &step->output[0]),
        .eps = vk_real_bits(dtype, n->eps),
        .momentum = vk_real_bits(dtype, n->momentum),
        .rest = vk_real_bits(dtype, 1 - n->momentum),
        .share = vk_real_bits(dtype, 1 / members),
        .unbiased = vk_real_bits(dtype, members / (members - 1)),
        .sample_share = vk_real_bits(dtype, n->over_batch ? 1 : 1 / (double)(n->batch ? n->batch : 1)),
        .batch = (uint32_t)n->batch,
        .channels = (uint32_t)n->channels,
        .inner = (uint32_t)n->inner,
        .groups = (uint32_t)n->groups,
        .members = (uint32_t)members};
    a.flags = (n->centred ? CENTRED : 0) | (n->over_batch ? OVER_BATCH : 0) | (n->evaluates ? EVALUATES : 0) |
              (n->weight ? HAS_WEIGHT : 0) | (n->bias ? HAS_BIAS : 0) | (n->wide ? WIDE_PARAMETERS : 0);
    if (gradient && step->outputs > 1) {
        a.dweight = vk_plan_elements(plan, &step->output[1]);
        a.flags |= HAS_DWEIGHT;
    }
    if (gradient && step->outputs > 2) {
        a.dbias = vk_plan_elements(plan, &step->output[2]);
        a.flags |= HAS_DBIAS;
    }
    return a;
}

/* Returns the loop iterations of one invocation for its share of `terms` elements, of which it reads `reads`
 * in their views: a driver may keep the loop over dimensions as one. */
static uint64_t iterations(uint64_t terms, uint64_t reads)
{
    const uint64_t share = terms / vk_sharers(terms) + 1;
    return share * (reads * (VK_RANK_MAX + 1) + 3) + 64;
}

static void plan_normalization(struct vk_plan *plan, const struct vk_normalization *n,
                               const struct step *step)
{
    const enum dtype dtype = n->x->dtype;
    if (!statistics[dtype]) {
        vk_plan_fail(plan, LAUNCH_UNSUPPORTED, "%s of %s", step->op->name, dtype_info(dtype)->name);
        return;
    }
    struct vk_normalization_arguments a = arguments_of(plan, n, step);
    const bool wide = vk_plan_route(plan) == VK_WIDE;
    if (wide) {
        vk_normalization_wide_check(plan);
    }
    if (!vk_plan_is_good(plan)) {
        return;
    }
    const uint64_t word = dtype == DTYPE_FLOAT64 ? 8 : 4, elements = a.y.elements;
    a.statistics = vk_plan_scratch(plan, n->groups * STATISTICS_PER_GROUP * word + word);
    struct vk_dispatch dispatch = {.arguments = &a,
                                   .bytes = sizeof a,
                                   .elements = (uint32_t)elements,
                                   .line = {&a.x, &a.mean, &a.variance}};
    if (elements && (!wide || n->evaluates)) {
        dispatch.shader = statistics[dtype];
        dispatch.groups = n->groups;
        dispatch.workgroup = vk_sharers(a.members);
        dispatch.iterations = iterations(a.members, 3) + VK_WORKGROUP; /* exponents, mean, variance */
        vk_plan_dispatch(plan, &dispatch);
    }
    if (wide) {
        vk_normalization_wide(plan, n, &a, !n->grad);
        if (n->grad) {
            vk_normalization_wide_gradient(plan, n, &a);
        }
    }
    const struct vk_view_argument *const lines[] = {&a.x, n->grad ? &a.grad : &a.bias, &a.y, &a.weight};
    memcpy(dispatch.line, lines, sizeof lines);
    if (n->grad && !n->evaluates && !wide) {
        struct vk_normalization_arguments first = a;
        first.flags |= FINDS_MEANS;
        struct vk_dispatch means = dispatch;
        means.arguments = &first;
        means.shader = input[dtype];
        means.groups = elements == 0 ? 0 : n->groups;
        means.workgroup = vk_sharers(a.members);
        means.iterations = iterations(a.members, 6); /* sums twice, if need be */
        vk_plan_dispatch(plan, &means);
    }
    dispatch.shader = n->grad ? input[dtype] : apply[dtype];
    dispatch.workgroup = n->grad ? vk_sharers(a.members) : VK_WORKGROUP;
    dispatch.groups = elements == 0 ? 0 : n->grad ? n->groups : vk_groups(elements, VK_WORKGROUP);
    dispatch.iterations = n->grad ? iterations(a.members, 4) : iterations(1, 6);
    if (!wide) {
        vk_plan_dispatch(plan, &dispatch);
    }
    if (a.flags & HAS_DWEIGHT) {
        dispatch.line[2] = &a.dweight;
        dispatch.line[3] = &a.dbias;
        dispatch.shader = parameters[dtype];
        dispatch.groups = n->channels;
        dispatch.workgroup = vk_sharers((uint64_t)a.batch * a.inner);
        dispatch.iterations = 3 * iterations((uint64_t)a.batch * a.inner, 2); /* sums thrice */
        if (wide && (uint64_t)a.batch * a.inner <= FEW_TERMS) {
            dispatch.shader = few[dtype];
            dispatch.workgroup = vk_plan_vector_workgroup(plan);
            dispatch.groups = vk_groups(n->channels, dispatch.workgroup);
            dispatch.iterations = 3 * (FEW_TERMS * (4 * VK_RANK_MAX + 3)) + 64;
        }
        vk_plan_dispatch(plan, &dispatch);
    }
    const bool moves = !n->evaluates;
    const uint64_t samples = n->over_batch ? 1 : n->batch;
    if (!n->grad && moves && n->mean && (n->over_batch || elements)) {
        dispatch.line[1] = &a.mean;
        dispatch.line[2] = &a.variance;
        dispatch.shader = running[dtype];
        dispatch.workgroup = vk_sharers(samples);
        dispatch.groups = n->channels;
        dispatch.iterations = 2 * iterations(samples, 4); /* sums twice */
        vk_plan_dispatch(plan, &dispatch);
    }
}

static const struct view *operand(const struct step *step, int i)
{
    return i < step->inputs && step->input[i].storage >= 0 ? &step->input[i] : NULL;
}

/* True if the parameter is present and its shape is not `shape` or its dtype is not that of x. */
static bool parameter_misfits(const struct view *parameter, const struct view *x, const struct shape *shape)
{
    return parameter && (parameter->dtype != x->dtype || !shape_equal(&parameter->shape, shape));
}

/* Plans layer_norm and rms_norm: […, normalized_shape] is taken as [batch, channels, 1], with a group per
 * sample. */
static void plan_layer(struct vk_plan *plan, const struct step *step)
{
    const bool gradient = vk_plan_variant(plan) & GRADIENT;
    const struct integers *given = attributes_integers(&step->attributes, "normalized_shape");
    struct shape tail;
    struct vk_normalization n = {.x = &step->input[gradient],
                                 .grad = gradient ? &step->input[0] : NULL,
                                 .weight = operand(step, gradient + 1),
                                 .bias = gradient ? NULL : operand(step, 2),
                                 .centred = (vk_plan_variant(plan) & KINDS) == LAYER,
                                 .inner = 1};
    /* The default of rms_norm is torch.finfo(dtype).eps. */
    const double epsilon = n.centred ? 1e-5 : 2 * dtype_unit_roundoff(n.x->dtype);
    n.eps = attributes_real(&step->attributes, "eps", epsilon);
    const struct shape *shape = &n.x->shape;
    bool fits = given && integers_to_shape(given, &tail) && tail.rank > 0 && tail.rank <= shape->rank;
    for (int d = 0; fits && d < tail.rank; d++) {
        fits = tail.dim[d] == shape->dim[shape->rank - tail.rank + d];
    }
    if (!fits) {
        vk_plan_fail(plan, LAUNCH_REJECTED, "%s: normalized_shape is not the end of the shape",
                     step->op->name);
    } else if (parameter_misfits(n.weight, n.x, &tail) || parameter_misfits(n.bias, n.x, &tail) ||
               parameter_misfits(n.grad, n.x, shape)) {
        vk_plan_fail(plan, LAUNCH_REJECTED, "%s: an operand of another shape or dtype", step->op->name);
    }
    if (!vk_plan_is_good(plan)) {
        return;
    }
    n.channels = (uint64_t)shape_elements(&tail);
    n.batch = 1;
    for (int d = 0; d < shape->rank - tail.rank; d++) {
        n.batch *= (uint64_t)shape->dim[d];
    }
    n.groups = n.batch;
    plan_normalization(plan, &n, step);
}

/* Sets batch, channels and inner from a shape of at least two dimensions. */
static void split(struct vk_normalization *n)
{
    const struct shape *shape = &n->x->shape;
    n->batch = (uint64_t)shape->dim[0];
    n->channels = (uint64_t)shape->dim[1];
    n->inner = 1;
    for (int d = 2; d < shape->rank; d++) {
        n->inner *= (uint64_t)shape->dim[d];
    }
}

static bool operands_misfit(const struct vk_normalization *n)
{
    const struct shape channels = {.rank = 1, .dim = {n->x->shape.dim[1]}};
    struct view like = *n->x;
    like.dtype = n->wide ? DTYPE_FLOAT32 : like.dtype;
    return parameter_misfits(n->weight, &like, &channels) || parameter_misfits(n->bias, &like, &channels) ||
           parameter_misfits(n->mean, &like, &channels) || parameter_misfits(n->variance, &like, &channels) ||
           parameter_misfits(n->grad, n->x, &n->x->shape);
}

/* True if the first parameter that is present is float32 and the elements have 16 bits. */
static bool is_wide(const struct vk_normalization *n)
{
    const struct view *first = n->mean ? n->mean : n->weight ? n->weight : n->bias;
    return first && first->dtype == DTYPE_FLOAT32 && dtype_info(n->x->dtype)->size == 2;
}

/* Plans group_norm and instance_norm: a group is a range of channels of one sample, or, if the statistics are
 * given, a channel in all samples as in batch_norm. */
static void plan_group(struct vk_plan *plan, const struct step *step)
{
    const bool gradient = vk_plan_variant(plan) & GRADIENT,
               instance = (vk_plan_variant(plan) & KINDS) == INSTANCE;
    const int weight = gradient ? 2 : instance ? 3 : 1;
    const bool forward = instance && !gradient;
    struct vk_normalization n = {.x = &step->input[gradient],
                                 .grad = gradient ? &step->input[0] : NULL,
                                 .mean = forward ? operand(step, 1) : NULL,
                                 .variance = forward ? operand(step, 2) : NULL,
                                 .evaluates =
                                     forward && !attributes_integer(&step->attributes, "use_input_stats", 1),
                                 .momentum = attributes_real(&step->attributes, "momentum", 0.1),
                                 .weight = operand(step, weight),
                                 .bias = gradient ? NULL : operand(step, weight + 1),
                                 .centred = true,
                                 .eps = attributes_real(&step->attributes, "eps", 1e-5)};
    n.over_batch = n.evaluates; /* given statistics belong to a channel */
    if (n.x->shape.rank < (instance && gradient ? 3 : 2)) {
        vk_plan_fail(plan, LAUNCH_REJECTED, "%s: too few dimensions", step->op->name);
        return;
    }
    split(&n);
    n.wide = forward && is_wide(&n);
    const int64_t channels = n.x->shape.dim[1],
                  requested = attributes_integer(&step->attributes, "num_groups", 0);
    const int64_t groups = instance ? channels : requested;
    if (!instance && (groups <= 0 || channels % groups != 0)) {
        vk_plan_fail(plan, LAUNCH_REJECTED, "%s: %lld groups do not divide %lld channels", step->op->name,
                     (long long)groups, (long long)channels);
    } else if (instance && n.inner == 1 && !n.evaluates) {
        vk_plan_fail(plan, LAUNCH_REJECTED, "%s: a single value per channel", step->op->name);
    } else if (!n.mean != !n.variance || (n.evaluates && !n.mean)) {
        vk_plan_fail(plan, LAUNCH_REJECTED, "%s: a running statistic is missing", step->op->name);
    } else if (operands_misfit(&n)) {
        vk_plan_fail(plan, LAUNCH_REJECTED, "%s: an operand of another shape or dtype", step->op->name);
    }
    n.groups = n.over_batch ? n.channels : n.batch * (uint64_t)groups;
    if (vk_plan_is_good(plan)) {
        plan_normalization(plan, &n, step);
    }
}

static void plan_batch(struct vk_plan *plan, const struct step *step)
{
    const bool gradient = vk_plan_variant(plan) & GRADIENT;
    struct vk_normalization n = {.x = &step->input[gradient],
                                 .grad = gradient ? &step->input[0] : NULL,
                                 .mean = operand(step, gradient + 1),
                                 .variance = operand(step, gradient + 2),
                                 .weight = operand(step, gradient + 3),
                                 .bias = gradient ? NULL : operand(step, 4),
                                 .centred = true,
                                 .over_batch = true,
                                 .evaluates = attributes_integer(&step->attributes, "training", 0) == 0,
                                 .eps = attributes_real(&step->attributes, "eps", 1e-5),
                                 .momentum = attributes_real(&step->attributes, "momentum", 0.1)};
    if (n.x->shape.rank < 2 || n.x->shape.rank > 5) {
        vk_plan_fail(plan, LAUNCH_REJECTED, "%s: needs 2 to 5 dimensions", step->op->name);
        return;
    }
    split(&n);
    n.groups = n.channels;
    n.wide = is_wide(&n);
    if (!n.mean != !n.variance || (n.evaluates && !n.mean)) {
        vk_plan_fail(plan, LAUNCH_REJECTED, "%s: a running statistic is missing", step->op->name);
    } else if (!n.evaluates && n.batch * n.inner == 1) {
        vk_plan_fail(plan, LAUNCH_REJECTED, "%s: a single value per channel", step->op->name);
    } else if (operands_misfit(&n)) {
        vk_plan_fail(plan, LAUNCH_REJECTED, "%s: an operand of another shape or dtype", step->op->name);
    } else {
        plan_normalization(plan, &n, step);
    }
}

#define ON_BOTH(operator, kind, function)                                                                    \
    {.name = operator, .variant = kind, .plan = function},                                                   \
    {                                                                                                        \
        .name = operator, .variant = kind, .route = VK_WIDE, .plan = function                                \
    }

static const struct vk_op ops[] = {
    ON_BOTH("layer_norm", LAYER, plan_layer),
    ON_BOTH("layer_norm_backward", LAYER | GRADIENT, plan_layer),
    ON_BOTH("rms_norm", RMS, plan_layer),
    ON_BOTH("rms_norm_backward", RMS | GRADIENT, plan_layer),
    ON_BOTH("group_norm", GROUP, plan_group),
    ON_BOTH("group_norm_backward", GROUP | GRADIENT, plan_group),
    ON_BOTH("instance_norm", INSTANCE, plan_group),
    ON_BOTH("instance_norm_backward", INSTANCE | GRADIENT, plan_group),
    ON_BOTH("batch_norm", BATCH, plan_batch),
    ON_BOTH("batch_norm_backward", BATCH | GRADIENT, plan_batch),
};
const struct vk_op_set vk_op_set_normalization = {ops, sizeof ops / sizeof *ops};
