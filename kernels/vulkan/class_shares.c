/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* cross_entropy with class probabilities as targets, and its gradient.
 *
 * A dispatch writes a term for each sample and class to scratch memory: the class's share (its smoothed
 * target probability times its weight), in the forward direction times −log softmax. The row reductions
 * (rows.h) then sum the terms of each sample, or, for a mean or a sum, all terms. The gradient uses the sums
 * of the shares. */

#include "kernels/vulkan/class_shares.h"
#include "kernels/vulkan/plans/rows.h"

enum { NONE, MEAN, SUM }; /* PyTorch's reductions, in the order of reference/ */

struct arguments { /* of ops/class_shares.comp */
    struct vk_view_argument input, target, weight, gradient, result;
    struct vk_rows_logarithms states;
    uint64_t whole, label, other, count;
    uint32_t classes, inner, weighs, smooths, surprises, divides;
};

static const char *const shaders[2][DTYPE_COUNT] = {
    {[DTYPE_FLOAT16] = "class_shares.terms.float16",
     [DTYPE_BFLOAT16] = "class_shares.terms.bfloat16",
     [DTYPE_FLOAT32] = "class_shares.terms.float32",
     [DTYPE_FLOAT64] = "class_shares.terms.float64"},
    {[DTYPE_FLOAT16] = "class_shares.slope.float16",
     [DTYPE_BFLOAT16] = "class_shares.slope.bfloat16",
     [DTYPE_FLOAT32] = "class_shares.slope.float32",
     [DTYPE_FLOAT64] = "class_shares.slope.float64"},
};

struct operands {
    const struct view *grad, *input, *target, *weight; /* NULL: absent */
    struct shape others; /* the shape of the input without its class dimension */
    int64_t classes, samples, inner, reduction;
    double smoothing;
};

static struct operands operands_of(const struct step *step, bool gradient)
{
    const struct view *x = &step->input[gradient];
    const int at = x->shape.rank > 1;
    struct operands o = {.grad = gradient ? &step->input[0] : NULL, .input = x, .target = x + 1};
    o.weight = step->inputs > gradient + 2 && x[2].storage >= 0 ? x + 2 : NULL;
    o.classes = x->shape.rank > 0 ? x->shape.dim[at] : 0;
    o.samples = o.inner = 1;
    for (int d = 0; d < x->shape.rank; d++) {
        if (d != at) {
            o.others.dim[o.others.rank++] = x->shape.dim[d];
            o.samples *= x->shape.dim[d];
            o.inner *= d > 0 ? x->shape.dim[d] : 1;
        }
    }
    o.reduction = attributes_integer(&step->attributes, "reduction", MEAN);
    o.smoothing = attributes_real(&step->attributes, "label_smoothing", 0);
    return o;
}

static bool fit(const struct step *step, const struct operands *o)
{
    const struct view *x = o->input;
    return x->shape.rank > 0 && o->target->dtype == x->dtype && shape_equal(&o->target->shape, &x->shape) &&
           attributes_integer(&step->attributes, "ignore_index", -100) < 0 && o->smoothing >= 0 &&
           o->smoothing <= 1 &&
           (!o->weight || (o->weight->dtype == x->dtype && o->weight->shape.rank == 1 &&
                           o->weight->shape.dim[0] == o->classes)) &&
           (!o->grad ||
            (o->grad->dtype == x->dtype &&
             (o->reduction == NONE ? shape_equal(&o->grad->shape, &o->others) : o->grad->shape.rank == 0)));
}

static void dispatch(struct vk_plan *plan, const struct arguments *a, const char *shader)
{
    vk_plan_dispatch(plan,
                     &(struct vk_dispatch){.shader = shader,
                                           .groups = vk_groups(a->input.elements, vk_plan_workgroup(plan)),
                                           .workgroup = vk_plan_workgroup(plan),
                                           .arguments = a,
                                           .bytes = sizeof *a,
                                           .iterations = 5 * VK_RANK_MAX + 8});
}

/* Adds a dispatch that writes a term for each class to scratch memory, sample by sample: its share, if
 * `surprises` times −log softmax. Returns the address. */
static uint64_t add_terms(struct vk_plan *plan, const struct arguments *whole, enum dtype dtype,
                          bool surprises)
{
    struct arguments a = *whole;
    const uint64_t terms = vk_plan_scratch(plan, 8 * (uint64_t)a.input.elements + 8);
    a.result = vk_view_line(terms, a.input.elements, 1);
    a.surprises = surprises;
    dispatch(plan, &a, shaders[0][dtype]);
    return terms;
}

void vk_plan_class_shares(struct vk_plan *plan, const struct step *step, bool gradient)
{
    const struct operands o = operands_of(step, gradient);
    const enum dtype dtype = o.input->dtype, wide = dtype == DTYPE_FLOAT64 ? DTYPE_FLOAT64 : DTYPE_FLOAT32;
    const double count = (double)o.samples;
    if (!fit(step, &o)) {
        vk_plan_fail(plan, LAUNCH_REJECTED, "%s: operands do not fit", step->op->name);
        return;
    }
    struct arguments a = {
        .input = vk_plan_elements(plan, o.input),
        .target = vk_plan_elements(plan, o.target),
        .result = vk_plan_elements(plan, &step->output[0]),
        .label = vk_real_bits(wide, 1 - o.smoothing),
        .other = vk_real_bits(wide, o.classes > 0 ? o.smoothing / (double)o.classes : 0),
        .count = vk_real_bits(wide, count),
        .classes = (uint32_t)o.classes,
        .inner = (uint32_t)o.inner,
        .weighs = o.weight != NULL,
        .smooths = o.smoothing > 0,
        .divides = o.reduction == MEAN,
    };
    a.weight = o.weight ? vk_plan_elements(plan, o.weight) : a.target;
    if (gradient) {
        const struct view each = view_broadcast(o.grad, &o.others);
        a.gradient = vk_plan_elements(plan, &each);
    }
    if (vk_plan_is_good(plan) && a.input.elements > 0) {
        a.states = vk_rows_logarithms(plan, o.input, o.input->shape.rank > 1, false, NULL);
    }
    if (!vk_plan_is_good(plan)) {
        return;
    }
    const uint64_t terms = add_terms(plan, &a, dtype, !gradient);
    if (!gradient && o.reduction != NONE) {
        vk_rows_total(plan, terms, a.input.elements, a.divides ? &count : NULL, &step->output[0]);
        return;
    }
    a.whole = vk_rows_sums(plan, terms, (uint32_t)o.samples, a.classes, wide);
    if (gradient) {
        dispatch(plan, &a, shaders[1][dtype]);
    } else {
        vk_rows_values(plan, a.whole, &step->output[0]);
    }
}
