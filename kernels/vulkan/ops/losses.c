/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Losses and their gradients (lib/losses.inc), in one dispatch. If a loss is reduced, the dispatch writes its
 * terms to scratch memory, and the row reductions (rows.h) sum them. Route wide has larger workgroups, and
 * its own order of the sum. */

#include "kernels/vulkan/plans/rows.h"

#include <string.h>

enum { OPERANDS = 5, ATTRIBUTES = 2 };
enum {
    REDUCED_NONE,
    REDUCED_MEAN,
    REDUCED_SUM,
    REDUCED_BATCHMEAN
}; /* PyTorch's reductions, in the order of reference/ */

struct arguments { /* of lib/losses.glsl */
    struct vk_view_argument operand[OPERANDS], result;
    uint64_t real[ATTRIBUTES], count;
    uint32_t has, wide, divides, padding;
};

struct function {
    const char *name;
    const char *shader[DTYPE_COUNT];
};

#define SHADER(name, dtype) "losses." #name "." dtype
#define SINGLES(name)                                                                                        \
    [DTYPE_FLOAT16] = SHADER(name, "float16"), [DTYPE_BFLOAT16] = SHADER(name, "bfloat16"),                  \
    [DTYPE_FLOAT32] = SHADER(name, "float32")
#define ROW(name_, ...)    {.name = #name_, .shader = {__VA_ARGS__}},
#define SINGLE(name, term) ROW(name, SINGLES(name))
#define REAL_(name, term)  ROW(name, SINGLES(name), [DTYPE_FLOAT64] = SHADER(name, "float64"))
static const struct function functions[] = {
#include "kernels/vulkan/lib/losses.inc"
};

/* Returns the index of the operand in arguments.operand. */
static int place_of(const char *operand)
{
    static const char *const name[OPERANDS] = {"grad_output", "input", "target", "weight", "pos_weight"};
    int k = 0;
    while (k < OPERANDS - 1 && strcmp(operand, name[k]) != 0) {
        k++;
    }
    return k;
}

static bool fits(const struct view *x, const struct shape *shape)
{
    return x->dtype < DTYPE_COUNT && shape_broadcasts(&x->shape, shape);
}

/* Rejects attributes, shapes and dtypes that PyTorch refuses. */
static void check(struct vk_plan *plan, const struct step *step, const struct shape *whole, bool gradient)
{
    const struct attributes *a = &step->attributes;
    const struct view *x = &step->input[gradient], *y = x + 1;
    const bool cross = strncmp(step->op->name, "binary", 6) == 0,
               reduced = attributes_integer(a, "reduction", REDUCED_MEAN) != REDUCED_NONE;
    bool good = attributes_real(a, "beta", 1) >= 0 && attributes_real(a, "delta", 1) > 0;
    good = good && (cross || gradient ? shape_equal(&x->shape, &y->shape) : fits(x, whole) && fits(y, whole));
    good = good && (!gradient || (reduced ? step->input[0].shape.rank == 0
                                          : shape_equal(&step->input[0].shape, &x->shape)));
    for (int k = 0; k < step->inputs; k++) {
        const struct view *one = &step->input[k];
        good = good && (one->storage < 0 || (one->dtype == x->dtype && fits(one, whole)));
    }
    if (!good) {
        vk_plan_fail(plan, LAUNCH_REJECTED, "%s: operands or attributes do not fit", step->op->name);
    }
}

static void take_operands(struct vk_plan *plan, const struct step *step, const struct shape *whole,
                          struct arguments *a)
{
    for (int k = 0; k < step->inputs && vk_plan_is_good(plan); k++) {
        int place = place_of(op_operand_name(step->op, step->inputs, k));
        if (step->input[k].storage >= 0) {
            struct view repeated = view_broadcast(&step->input[k], whole);
            a->operand[place] = vk_plan_elements(plan, &repeated);
            a->has |= 1U << place;
        }
    }
}

/* Allocates contiguous scratch memory for `count` terms: float64 for float64, else float32. */
static struct vk_view_argument terms_of(struct vk_plan *plan, uint32_t count, enum dtype dtype)
{
    const uint64_t size = dtype == DTYPE_FLOAT64 ? 8 : 4;
    return vk_view_line(vk_plan_scratch(plan, ((uint64_t)count + 1) * size), count, 1);
}

static void plan_loss(struct vk_plan *plan, const struct step *step)
{
    const struct function *function = &functions[vk_plan_variant(plan)];
    const bool gradient = strcmp(op_operand_name(step->op, step->inputs, 0), "grad_output") == 0;
    const struct view *x = &step->input[gradient];
    const int64_t reduction = attributes_integer(&step->attributes, "reduction", REDUCED_MEAN);
    const bool reduced = reduction != REDUCED_NONE && !gradient;
    struct arguments a = {.has = 0};
    struct shape whole;
    if (!function->shader[x->dtype]) {
        vk_plan_fail(plan, LAUNCH_UNSUPPORTED, "%s of %s", step->op->name, dtype_info(x->dtype)->name);
    } else if (!shape_broadcast(&x->shape, &x[1].shape, &whole)) {
        vk_plan_fail(plan, LAUNCH_REJECTED, "%s: shapes do not fit", step->op->name);
    } else {
        check(plan, step, &whole, gradient);
    }
    if (!vk_plan_is_good(plan)) {
        return;
    }
    take_operands(plan, step, &whole, &a);
    if (!vk_plan_is_good(plan)) {
        return;
    }
    double count = reduction == REDUCED_BATCHMEAN ? (x->shape.rank > 0 ? (double)x->shape.dim[0] : 1)
                                                  : (double)shape_elements(&whole);
    const bool divides = reduction == REDUCED_MEAN || reduction == REDUCED_BATCHMEAN;
    a.result =
        reduced ? terms_of(plan, a.operand[1].elements, x->dtype) : vk_plan_elements(plan, &step->output[0]);
    a.wide = reduced;
    a.divides = gradient && divides;
    a.count = vk_real_bits(x->dtype, count);
    for (int k = 0; k < ATTRIBUTES && step->op->attributes[k + 1].name; k++) {
        a.real[k] =
            vk_real_bits(x->dtype, attributes_real(&step->attributes, step->op->attributes[k + 1].name,
                                                   step->op->defaults[k + 1].value));
    }
    vk_plan_dispatch(plan,
                     &(struct vk_dispatch){.shader = function->shader[x->dtype],
                                           .groups = vk_groups(a.result.elements, vk_plan_workgroup(plan)),
                                           .workgroup = vk_plan_workgroup(plan),
                                           .arguments = &a,
                                           .bytes = sizeof a,
                                           .line = {&a.operand[0], &a.operand[1], &a.operand[2], &a.result},
                                           .elements = a.result.elements,
                                           .iterations = (OPERANDS + 2) * VK_RANK_MAX + 64});
    if (reduced) {
        vk_rows_total(plan, a.result.address, a.result.elements, divides ? &count : NULL, &step->output[0]);
    }
}

enum {
#undef ROW
#define ROW(name, ...) ROW_##name,
#include "kernels/vulkan/lib/losses.inc"
};
#undef ROW
#define ROW(name_, ...)                                                                                      \
    {.name = #name_, .variant = ROW_##name_, .plan = plan_loss},                                             \
        {.name = #name_, .route = VK_WIDE, .variant = ROW_##name_, .plan = plan_loss},
static const struct vk_op ops[] = {
#include "kernels/vulkan/lib/losses.inc"
};
const struct vk_op_set vk_op_set_losses = {ops, sizeof ops / sizeof *ops};
