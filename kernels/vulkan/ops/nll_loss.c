/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* nll_loss, cross_entropy and their gradients, with class indices as targets.
 *
 * If the loss is reduced, a dispatch writes the term and the weight of each sample to scratch memory, and the
 * row reductions (rows.h) sum both. cross_entropy uses log Σ exp(x − m) of each sample, from
 * vk_rows_logarithms, and its gradient uses Σ exp(x − m). Targets that are class probabilities are planned by
 * class_shares.c. */

#include "kernels/vulkan/class_shares.h"
#include "kernels/vulkan/plans/rows.h"
#include "kernels/vulkan/sparse.h"

#include <string.h>

enum { NONE, MEAN, SUM }; /* PyTorch's reductions, in the order of reference/ */

struct arguments { /* of nll_loss.comp */
    struct vk_view_argument input, target, weight, gradient, result;
    uint64_t weights, total;
    int64_t ignore;
    uint32_t classes, inner;
    struct vk_rows_logarithms states;
    uint64_t whole, label, other;
    uint32_t weighs, wide, smooths, unused;
};

enum variant { FORWARD, BACKWARD, ENTROPY, SLOPE, VARIANTS };

static const char *const shaders[VARIANTS][DTYPE_COUNT] = {
    {[DTYPE_FLOAT16] = "nll_loss.forward.float16",
     [DTYPE_BFLOAT16] = "nll_loss.forward.bfloat16",
     [DTYPE_FLOAT32] = "nll_loss.forward.float32",
     [DTYPE_FLOAT64] = "nll_loss.forward.float64"},
    {[DTYPE_FLOAT16] = "nll_loss.backward.float16",
     [DTYPE_BFLOAT16] = "nll_loss.backward.bfloat16",
     [DTYPE_FLOAT32] = "nll_loss.backward.float32",
     [DTYPE_FLOAT64] = "nll_loss.backward.float64"},
    {[DTYPE_FLOAT16] = "nll_loss.entropy.float16",
     [DTYPE_BFLOAT16] = "nll_loss.entropy.bfloat16",
     [DTYPE_FLOAT32] = "nll_loss.entropy.float32",
     [DTYPE_FLOAT64] = "nll_loss.entropy.float64"},
    {[DTYPE_FLOAT16] = "nll_loss.slope.float16",
     [DTYPE_BFLOAT16] = "nll_loss.slope.bfloat16",
     [DTYPE_FLOAT32] = "nll_loss.slope.float32",
     [DTYPE_FLOAT64] = "nll_loss.slope.float64"},
};

struct operands {
    const struct view *grad, *input, *target, *weight; /* NULL: absent */
    int64_t classes, inner, samples, reduction, ignore;
};

static struct operands operands_of(const struct step *step, bool gradient)
{
    const struct view *x = &step->input[gradient];
    const int at = x->shape.rank > 1;
    struct operands o = {.grad = gradient ? &step->input[0] : NULL, .input = x, .target = x + 1, .inner = 1};
    o.weight = step->inputs > gradient + 2 && x[2].storage >= 0 ? x + 2 : NULL;
    o.classes = x->shape.rank > 0 ? x->shape.dim[at] : 0;
    for (int d = 2; d < x->shape.rank; d++) {
        o.inner *= x->shape.dim[d];
    }
    o.samples = (at ? x->shape.dim[0] : 1) * o.inner;
    o.reduction = attributes_integer(&step->attributes, "reduction", MEAN);
    o.ignore = attributes_integer(&step->attributes, "ignore_index", -100);
    return o;
}

static bool fit(const struct operands *o)
{
    const struct shape *x = &o->input->shape, *t = &o->target->shape;
    bool good = x->rank > 0 && t->rank == x->rank - 1 && o->target->dtype == DTYPE_INT64;
    for (int d = 0, from = 0; good && d < t->rank; d++, from++) {
        from += from == 1;
        good = t->dim[d] == x->dim[from];
    }
    good = good && (!o->weight || (o->weight->dtype == o->input->dtype && o->weight->shape.rank == 1 &&
                                   o->weight->shape.dim[0] == o->classes));
    return good && (!o->grad ||
                    (o->grad->dtype == o->input->dtype &&
                     (o->reduction == NONE ? shape_equal(&o->grad->shape, t) : o->grad->shape.rank == 0)));
}

static void dispatch(struct vk_plan *plan, const struct arguments *a, const char *shader)
{
    vk_plan_dispatch(plan,
                     &(struct vk_dispatch){.shader = shader,
                                           .groups = vk_groups(a->result.elements, vk_plan_workgroup(plan)),
                                           .workgroup = vk_plan_workgroup(plan),
                                           .arguments = a,
                                           .bytes = sizeof *a,
                                           .iterations = 4 * VK_RANK_MAX + 8});
}

/* Adds a dispatch that writes the terms and the weights of all samples to scratch memory. Returns its
 * arguments, which hold their addresses. */
static struct arguments to_scratch(struct vk_plan *plan, const struct arguments *whole,
                                   const struct operands *o, enum variant variant)
{
    const uint32_t count = (uint32_t)o->samples;
    struct arguments a = *whole;
    a.weights = vk_plan_scratch(plan, 8 * (uint64_t)count + 8);
    a.result = vk_view_line(vk_plan_scratch(plan, 8 * (uint64_t)count + 8), count, 1);
    a.wide = 1;
    dispatch(plan, &a, shaders[variant == ENTROPY ? ENTROPY : FORWARD][o->input->dtype]);
    return a;
}

static void add_logarithms(struct vk_plan *plan, const struct step *step, const struct operands *o,
                           struct arguments *a)
{
    const double smoothing = attributes_real(&step->attributes, "label_smoothing", 0);
    const enum dtype wide = o->input->dtype == DTYPE_FLOAT64 ? DTYPE_FLOAT64 : DTYPE_FLOAT32;
    const bool gradient = o->grad != NULL;
    struct view weight, *given = NULL;
    if (!(smoothing >= 0 && smoothing <= 1)) {
        vk_plan_fail(plan, LAUNCH_REJECTED, "%s: label_smoothing must lie in [0, 1]", step->op->name);
        return;
    }
    if (o->weight) { /* broadcast the weights along the class dimension of the input */
        weight = *o->weight;
        weight.shape = o->input->shape;
        for (int d = 0; d < weight.shape.rank; d++) {
            weight.stride[d] = d == (weight.shape.rank > 1) ? o->weight->stride[0] : 0;
        }
        given = &weight;
    }
    a->smooths = smoothing > 0;
    a->label = vk_real_bits(wide, 1 - smoothing);
    a->other = vk_real_bits(wide, o->classes > 0 ? smoothing / (double)o->classes : 0);
    if (o->samples > 0 && o->classes > 0) {
        a->states =
            vk_rows_logarithms(plan, o->input, o->input->shape.rank > 1, a->smooths && !gradient, given);
        a->whole = a->states.sum;
        if (gradient && a->smooths && o->weight) {
            a->whole = vk_rows_sum_of(plan, o->weight);
        }
    }
}

static void plan_nll(struct vk_plan *plan, const struct step *step)
{
    const enum variant variant = (enum variant)vk_plan_variant(plan);
    const bool gradient = variant == BACKWARD || variant == SLOPE;
    if (variant >= ENTROPY && dtype_is_floating(step->input[gradient + 1].dtype)) {
        vk_plan_class_shares(plan, step, gradient);
        return;
    }
    const struct operands o = operands_of(step, gradient);
    const enum dtype dtype = o.input->dtype, wide = dtype == DTYPE_FLOAT64 ? DTYPE_FLOAT64 : DTYPE_FLOAT32;
    if (!shaders[0][dtype]) {
        vk_plan_fail(plan, LAUNCH_UNSUPPORTED, "%s of %s", step->op->name, dtype_info(dtype)->name);
    } else if (!fit(&o)) {
        vk_plan_fail(plan, LAUNCH_REJECTED, "%s: shapes or dtypes do not fit", step->op->name);
    }
    if (!vk_plan_is_good(plan) || !vk_indices_fit(plan, step, o.target, o.classes, o.ignore)) {
        return;
    }
    struct arguments a = {.ignore = o.ignore,
                          .classes = (uint32_t)o.classes,
                          .inner = (uint32_t)o.inner,
                          .weighs = o.weight != NULL,
                          .input = vk_plan_elements(plan, o.input),
                          .target = vk_plan_elements(plan, o.target),
                          .result = vk_plan_elements(plan, &step->output[0])};
    a.weight = o.weight ? vk_plan_elements(plan, o.weight) : a.target;
    if (gradient) {
        struct view each = view_broadcast(o.grad, &o.target->shape);
        a.gradient = vk_plan_elements(plan, &each);
    }
    if (variant >= ENTROPY) {
        add_logarithms(plan, step, &o, &a);
    }
    if (!vk_plan_is_good(plan)) {
        return;
    }
    if (o.reduction != NONE && !(gradient && o.reduction == SUM)) {
        const uint32_t count = (uint32_t)o.samples;
        const struct arguments terms = to_scratch(plan, &a, &o, variant);
        if (!gradient && o.reduction == SUM) {
            vk_rows_total(plan, terms.result.address, count, NULL, &step->output[0]);
            return;
        }
        a.total = vk_rows_sum(plan, terms.weights, count, wide);
        if (!gradient) {
            uint64_t sum = vk_rows_sum(plan, terms.result.address, count, wide);
            vk_rows_ratio(plan, sum, a.total, &step->output[0]);
            return;
        }
    }
    dispatch(plan, &a, shaders[variant][dtype]);
}

/* Route wide needs enough classes for a workgroup, where it reduces over them. */
static bool wide_pays(const struct vk_plan *plan, const struct step *step)
{
    enum { CLASSES_LEAST = 256 };
    const int variant = vk_plan_variant(plan);
    return !vk_plan_is_on_cpu(plan) &&
           (variant < ENTROPY || operands_of(step, variant == SLOPE).classes >= CLASSES_LEAST);
}

#define OP(name_, variant_)                                                                                  \
    {.name = name_, .variant = variant_, .plan = plan_nll},                                                  \
    {                                                                                                        \
        .name = name_, .route = VK_WIDE, .variant = variant_, .plan = plan_nll, .pays = wide_pays            \
    }
static const struct vk_op ops[] = {OP("nll_loss", FORWARD), OP("nll_loss_backward", BACKWARD),
                                   OP("cross_entropy", ENTROPY), OP("cross_entropy_backward", SLOPE)};
const struct vk_op_set vk_op_set_nll_loss = {ops, sizeof ops / sizeof *ops};
