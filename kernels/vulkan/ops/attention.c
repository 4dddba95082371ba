/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Attention and its gradient: products of matrices, of all batches at once, with attention.comp between them.
 * The scores of all queries and keys lie in device memory, in the type in which sums are taken. */

#include "kernels/vulkan/plans/formats.h"
#include "kernels/vulkan/plans/heads.h"
#include "kernels/vulkan/plans/product.h"
#include "kernels/vulkan/plans/tile.h"

struct arguments { /* of attention.comp */
    struct vk_view_argument mask, result;
    uint64_t scores, slopes, scale; /* scale: the bits of the number */
    uint32_t rows, queries, keys, causal;
    uint32_t extent[VK_RANK_MAX], from[VK_RANK_MAX], terms;
};

enum { NO_MASK, NUMBERS, CONDITIONS }; /* MASK of attention.comp */
enum { REDUCED_BY_GROUP = 128 };       /* elements of a sum from which a workgroup shares it */

/* What a step has to plan with. */
struct planning {
    struct vk_plan *plan;
    struct attention_sizes s;
    struct heads h;
    enum dtype dtype;
    uint32_t format; /* of the operands, as in lib/formats.glsl */
    const char *width;
    uint64_t batches;
    struct vk_view_argument query, key, value, mask;
    uint32_t mask_kind;
    uint64_t scores; /* the probabilities, later the gradients of the scores times the scale */
};

static uint32_t real_size(const struct planning *p)
{
    return p->dtype == DTYPE_FLOAT64 ? 8 : 4;
}

static void open_planning(struct planning *p, struct vk_plan *plan, int inputs, const struct view *input,
                          const struct attributes *attributes)
{
    *p = (struct planning){.plan = plan, .dtype = input[0].dtype};
    const char *fault = attention_sizes_of(attributes, inputs, input, &p->s);
    if (fault) {
        vk_plan_fail(plan, LAUNCH_REJECTED, "attention: %s", fault);
        return;
    }
    p->format = vk_format(p->dtype);
    p->width = vk_format_width(p->dtype, p->format);
    vk_heads(plan, &p->s, &p->h);
    p->batches = 1;
    for (int d = 0; d < HEADS_LEADING; d++) {
        p->batches *= p->h.leading[d];
    }
    const uint64_t most = UINT32_MAX, rows = p->batches * (uint64_t)p->s.queries;
    if (rows > most || (p->s.keys > 0 && rows > most / (uint64_t)p->s.keys)) {
        vk_plan_fail(plan, LAUNCH_UNSUPPORTED, "attention: more than 2^32 scores");
    }
}

/* The views of the operands; false once the plan has failed. */
static bool take_operands(struct planning *p, const struct view *input)
{
    p->query = vk_heads_view(p->plan, &p->h, &p->s, &input[0], 1);
    p->key = vk_heads_view(p->plan, &p->h, &p->s, &input[1], p->s.key_group);
    p->value = vk_heads_view(p->plan, &p->h, &p->s, &input[2], p->s.value_group);
    if (p->s.masked) {
        p->mask = vk_heads_view(p->plan, &p->h, &p->s, &input[3], 1);
        p->mask.dim[HEADS_LEADING] = (uint32_t)p->s.queries; /* the rows are decomposed by these */
        p->mask.dim[HEADS_LEADING + 1] = (uint32_t)p->s.keys;
        p->mask_kind = input[3].dtype == DTYPE_BOOL ? CONDITIONS : NUMBERS;
    }
    return vk_plan_is_good(p->plan);
}

/* Adds a product on the plan's route. Formats: that of the operands where `own`, else that of sums. */
static void multiply(struct planning *p, const struct vk_view_argument *a, bool a_own,
                     const struct vk_view_argument *b, const struct vk_view_argument *result, bool result_own)
{
    const uint32_t formats =
        (a_own ? p->format : 0) | p->format << FORMAT_B | (result_own ? p->format : 0) << FORMAT_RESULT;
    const struct product product = {.a = *a,
                                    .b = *b,
                                    .result = *result,
                                    .inner = a->dim[VK_RANK_MAX - 1],
                                    .dtype = p->dtype,
                                    .formats = formats,
                                    .width = vk_format_width(p->dtype, formats)};
    if (result->elements == 0 || !vk_plan_is_good(p->plan)) {
        return;
    }
    if (vk_plan_route(p->plan) == VK_TILED && vk_product_fits_tiles(&product)) {
        vk_product_tiled(p->plan, &product);
    } else {
        vk_product_portable(p->plan, &product, false);
    }
}

static struct arguments arguments_of(const struct planning *p)
{
    struct arguments v = {.mask = p->mask,
                          .scores = p->scores,
                          .rows = (uint32_t)(p->batches * (uint64_t)p->s.queries),
                          .queries = (uint32_t)p->s.queries,
                          .keys = (uint32_t)p->s.keys,
                          .causal = p->s.causal,
                          .scale = vk_real_bits(p->dtype, p->s.scale)};
    return v;
}

/* Adds a dispatch of one workgroup for each row of scores. */
static void for_rows(struct planning *p, const char *what, const struct arguments *v)
{
    char shader[40];
    snprintf(shader, sizeof shader, "attention.%s.%s", what, p->width);
    if (v->rows > 0 && v->keys > 0) {
        vk_plan_dispatch(p->plan, &(struct vk_dispatch){.shader = shader,
                                                        .constants = {p->format, p->mask_kind},
                                                        .workgroup = vk_sharers(v->keys),
                                                        .groups = v->rows,
                                                        .arguments = v,
                                                        .bytes = sizeof *v,
                                                        .iterations = 4 * (uint64_t)v->keys / VK_FEW + 64});
    }
}

/* Computes the probabilities of all queries. */
static void weigh(struct planning *p)
{
    const uint64_t scores = p->batches * (uint64_t)(p->s.queries * p->s.keys);
    p->scores = vk_plan_scratch(p->plan, scores * real_size(p) + 8);
    const struct vk_view_argument keys = vk_heads_transposed(&p->key),
                                  result = vk_heads_scratch(&p->h, p->scores, p->s.queries, p->s.keys);
    multiply(p, &p->query, true, &keys, &result, false);
    const struct arguments v = arguments_of(p);
    for_rows(p, "weigh", &v);
}

static void plan_forward(struct vk_plan *plan, const struct step *step)
{
    struct planning p;
    open_planning(&p, plan, step->inputs, step->input, &step->attributes);
    if (!vk_plan_is_good(plan) || step->outputs == 0 || !take_operands(&p, step->input)) {
        return;
    }
    const struct vk_view_argument result = vk_heads_view(plan, &p.h, &p.s, &step->output[0], 1);
    weigh(&p);
    const struct vk_view_argument weights = vk_heads_scratch(&p.h, p.scores, p.s.queries, p.s.keys);
    multiply(&p, &weights, false, &p.value, &result, true);
}

/* --- the gradient */

/* Sums matrices of all batches at `from` into a result that several of them share. */
static void reduce(struct planning *p, const struct vk_view_argument *from,
                   const struct vk_view_argument *result)
{
    struct arguments v = {.result = *result, .scores = from->address, .terms = 1};
    uint64_t elements = 1;
    for (int d = 0; d < VK_RANK_MAX; d++) {
        v.extent[d] = from->dim[d];
        v.from[d] = from->stride[d];
        const bool shared = result->stride[d] == 0 || result->dim[d] != from->dim[d];
        v.result.dim[d] = shared ? 1 : from->dim[d];
        v.terms *= shared ? from->dim[d] : 1;
        elements *= v.result.dim[d];
    }
    v.result.elements = (uint32_t)elements;
    const bool group = v.terms >= REDUCED_BY_GROUP;
    char shader[40];
    snprintf(shader, sizeof shader, "attention.reduce.%s", p->width);
    if (elements > 0) {
        vk_plan_dispatch(p->plan, &(struct vk_dispatch){
                                      .shader = shader,
                                      .constants = {p->format << 6, NO_MASK, group},
                                      .groups = vk_groups(elements, group ? 1 : VK_WORKGROUP),
                                      .arguments = &v,
                                      .bytes = sizeof v,
                                      .iterations = 8 * (uint64_t)v.terms / (group ? VK_WORKGROUP : 1) + 64});
    }
}

/* Adds a product whose result is a gradient: of each batch, or the sum of those that share it. */
static void multiply_into(struct planning *p, const struct vk_view_argument *a,
                          const struct vk_view_argument *b, const struct vk_view_argument *gradient)
{
    if (!vk_heads_share(&p->h, gradient)) {
        multiply(p, a, false, b, gradient, true);
        return;
    }
    const int64_t rows = a->dim[HEADS_LEADING], columns = b->dim[HEADS_LEADING + 1];
    const uint64_t elements = p->batches * (uint64_t)(rows * columns);
    const struct vk_view_argument parts =
        vk_heads_scratch(&p->h, vk_plan_scratch(p->plan, elements * real_size(p) + 8), rows, columns);
    multiply(p, a, false, b, &parts, false);
    reduce(p, &parts, gradient);
}

static void plan_backward(struct vk_plan *plan, const struct step *step)
{
    struct planning p;
    open_planning(&p, plan, step->inputs - 1, step->input + 1, &step->attributes);
    const struct view *own = &step->input[0];
    if (vk_plan_is_good(plan) && (own->dtype != p.dtype || !attention_sizes_fit(&p.s, &own->shape))) {
        vk_plan_fail(plan, LAUNCH_REJECTED, "%s: grad_output has not the shape and dtype of the result",
                     step->op->name);
    }
    if (!vk_plan_is_good(plan) || step->outputs == 0 || !take_operands(&p, step->input + 1)) {
        return;
    }
    const struct vk_view_argument grad = vk_heads_view(plan, &p.h, &p.s, own, 1);
    const struct vk_view_argument to_query = vk_heads_view(plan, &p.h, &p.s, &step->output[0], 1),
                                  to_key = vk_heads_view(plan, &p.h, &p.s, &step->output[1], p.s.key_group),
                                  to_value =
                                      vk_heads_view(plan, &p.h, &p.s, &step->output[2], p.s.value_group);
    const uint64_t scores = p.batches * (uint64_t)(p.s.queries * p.s.keys);
    weigh(&p);
    struct arguments v = arguments_of(&p);
    v.slopes = vk_plan_scratch(plan, scores * real_size(&p) + 8);
    const struct vk_view_argument weights = vk_heads_scratch(&p.h, p.scores, p.s.queries, p.s.keys),
                                  slopes = vk_heads_scratch(&p.h, v.slopes, p.s.queries, p.s.keys),
                                  values = vk_heads_transposed(&p.value),
                                  turned = vk_heads_transposed(&weights);
    multiply_into(&p, &turned, &grad, &to_value);
    multiply(&p, &grad, true, &values, &slopes, false);
    for_rows(&p, "slope", &v);
    multiply_into(&p, &weights, &p.key, &to_query);
    multiply_into(&p, &turned, &p.query, &to_key);
    if (step->outputs > 3) {
        struct vk_view_argument to_mask = vk_heads_view(plan, &p.h, &p.s, &step->output[3], 1);
        reduce(&p, &slopes, &to_mask);
    }
}

static bool pays(const struct vk_plan *plan, const struct step *step)
{
    const int first = step->op->outputs > 1; /* of the gradient */
    const struct shape *key = &step->input[first + 1].shape;
    return key->rank >= 2 && vk_tiles_pay(plan, key->dim[key->rank - 2], key->dim[key->rank - 1], 1);
}

#define ATTENTION(route_)                                                                                    \
    {.name = "scaled_dot_product_attention", .route = (route_), .plan = plan_forward, .pays = pays},         \
    {                                                                                                        \
        .name = "scaled_dot_product_attention_backward", .route = (route_), .plan = plan_backward,           \
        .pays = pays                                                                                         \
    }

static const struct vk_op ops[] = {ATTENTION(VK_PORTABLE), ATTENTION(VK_TILED)};
const struct vk_op_set vk_op_set_attention = {ops, sizeof ops / sizeof *ops};
