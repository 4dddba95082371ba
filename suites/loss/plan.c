/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Calls of the plan of sizes: losses and their gradients. The variant is the reduction: mean, sum or none.
 * Weights, smoothed labels, probabilities as targets and ignored targets come in turn. The last sample always
 * counts and its target is the last class, so that no gradient ends in a 0. */
#include "suites/loss/operands.h"
#include "suites/plan/call_builder.h"
#include "suites/plan/measure.h"

#include "reference/ops/loss/loss.h"

#include <string.h>

static enum loss_reduction reduction_of(const struct call_builder *m)
{
    static const enum loss_reduction reductions[] = {LOSS_MEAN, LOSS_SUM, LOSS_NONE};
    return reductions[m->call->variant];
}

static struct attributes attributes_of(const struct call_builder *m)
{
    const enum loss_reduction reduction = reduction_of(m);
    return (struct attributes){
        .count = 1,
        .item = {{.name = "reduction",
                  .type = ATTRIBUTE_CHOICE,
                  .integer = reduction,
                  .word = op_choice_numbered(m->b->c->op, "reduction", reduction)->word}}};
}

/* --- element by element */

/* A vector, a row, a column, or rows and columns if they fit. */
static struct shape shape_of_elements(const struct call_builder *m)
{
    const int64_t elements = call_size(m, PLAN_TERMS);
    const int turn = m->call->turn % 5;
    const int64_t rows = turn == 1 ? 1 : turn == 2 ? elements : turn; /* 3, 4 */
    return turn == 0 || rows == 0 || elements % rows ? shape_of(1, elements)
                                                     : shape_of(2, rows, elements / rows);
}

static void build_pairs(const struct call_builder *m)
{
    const struct op *op = m->b->c->op;
    const int first = op_input_named(op, "grad_output") == 0, weights = m->call->turn % 3,
              most = op_inputs_max(op), inputs = first + 2 + weights < most ? first + 2 + weights : most;
    const struct shape whole = shape_of_elements(m), scalar = {.rank = 0};
    const struct attributes attributes = attributes_of(m);
    struct view input[LOSS_OPERANDS];
    for (int k = 0; k < inputs; k++) {
        const bool one = k == 0 && first && reduction_of(m) != LOSS_NONE;
        input[k] = build_tensor(m->b, m->call->dtype, one ? &scalar : &whole, call_layout(m, k, inputs));
        loss_operand_fill(m->b, LOSS_FILL_RANDOM, false, k, &input[k]);
    }
    build_step(m->b, op, &attributes, inputs, input);
}

/* --- classes */

static void fill(const struct call_builder *m, const struct view *x, int tensor, double least, double most)
{
    struct philox generator = build_generator(m->b, tensor);
    for (int64_t i = 0; i < shape_elements(&x->shape); i++) {
        build_set(m->b, x, i, least + (most - least) * philox_unit(&generator));
    }
    build_origin(m->b, x, true);
}

static void fill_targets(const struct call_builder *m, const struct view *target, int64_t classes)
{
    struct philox generator = build_generator(m->b, 1);
    const int64_t samples = shape_elements(&target->shape);
    for (int64_t i = 0; i < samples; i++) {
        const int64_t any = philox_below(&generator, (uint32_t)classes);
        const bool last = i == samples - 1, ignored = !last && m->call->turn % 2 && i % 5 == 3;
        build_set_bits(m->b, target, i, 0, (uint64_t)(last ? classes - 1 : ignored ? -100 : any));
    }
}

/* [samples, classes], one sample [classes], or [samples, classes, other dimensions]. */
static struct shape shape_of_classes(const struct call_builder *m, struct shape *others)
{
    const int64_t samples = call_size(m, PLAN_BATCH), classes = call_size(m, PLAN_TERMS);
    const bool alone = samples == 1 && m->call->turn % 2, behind = !alone && m->call->turn % 3 == 1;
    *others = alone    ? (struct shape){.rank = 0}
              : behind ? shape_of(2, (int64_t)1, samples)
                       : shape_of(1, samples);
    return alone    ? shape_of(1, classes)
           : behind ? shape_of(3, (int64_t)1, classes, samples)
                    : shape_of(2, samples, classes);
}

static void build_classes(const struct call_builder *m)
{
    const struct op *op = m->b->c->op;
    const bool gradient = op_input_named(op, "grad_output") == 0,
               smooths = op_attribute_named(op, "label_smoothing"),
               shares = smooths && m->call->turn % 5 == 4, weighs = m->call->turn % 4 == 1;
    const int64_t classes = call_size(m, PLAN_TERMS);
    const int inputs = gradient + 2 + weighs;
    const struct shape scalar = {.rank = 0}, each = shape_of(1, classes);
    struct shape others, whole = shape_of_classes(m, &others);
    struct attributes attributes = attributes_of(m);
    struct view input[LOSS_OPERANDS];
    int k = 0;
    if (gradient) {
        const struct shape *own = reduction_of(m) == LOSS_NONE ? &others : &scalar;
        input[k] = build_tensor(m->b, m->call->dtype, own, call_layout(m, k, inputs));
        fill(m, &input[k++], 3, 0.5, 2);
    }
    input[k] = build_tensor(m->b, m->call->dtype, &whole, call_layout(m, k, inputs));
    fill(m, &input[k++], 0, -6, -0.0625);
    input[k] = build_tensor(m->b, shares ? m->call->dtype : DTYPE_INT64, shares ? &whole : &others,
                            call_layout(m, k, inputs));
    if (shares) {
        fill(m, &input[k++], 1, 0, 2 / (double)classes);
    } else {
        fill_targets(m, &input[k++], classes);
    }
    if (weighs) {
        input[k] = build_tensor(m->b, m->call->dtype, &each, call_layout(m, k, inputs));
        fill(m, &input[k++], 2, 0.25, 2);
    }
    if (smooths && m->call->turn % 4 == 2) {
        attributes.item[attributes.count++] =
            (struct attribute){.name = "label_smoothing", .type = ATTRIBUTE_REAL, .real = 0.125};
    }
    build_step(m->b, op, &attributes, k, input);
}

/* --- how long the dimensions are */

static const struct shape *input_of(const struct step *step)
{
    return &step->input[op_input_named(step->op, "input")].shape;
}

static int64_t measure_elements(const struct program *program, const struct step *step, enum plan_kind kind)
{
    (void)program;
    return kind == PLAN_TERMS ? shape_elements(input_of(step)) : -1;
}

static int64_t measure_classes(const struct program *program, const struct step *step, enum plan_kind kind)
{
    (void)program;
    const struct shape *x = input_of(step);
    const int64_t along = x->rank > 1 ? x->dim[1] : measure_last(x, 1);
    return kind == PLAN_TERMS ? along : kind == PLAN_BATCH && along > 0 ? shape_elements(x) / along : -1;
}

/* --- operands that broadcast */

static bool broadcasts(const struct op *op, int operand)
{
    const char *name = op_operand_name(op, op_inputs_max(op), operand);
    const bool weight = strcmp(name, "weight") == 0 || strcmp(name, "pos_weight") == 0;
    return weight || (strcmp(name, "target") == 0 && op_input_named(op, "grad_output") < 0 &&
                      op_input_named(op, "weight") < 0);
}

static void build_middle(struct builder *b, int turn)
{
    const struct op *op = b->c->op;
    const struct attributes each = {.count = 1,
                                    .item = {{.name = "reduction",
                                              .type = ATTRIBUTE_CHOICE,
                                              .integer = LOSS_NONE,
                                              .word = op_choice_numbered(op, "reduction", LOSS_NONE)->word}}};
    const int inputs = op_inputs_max(op);
    struct view input[LOSS_OPERANDS];
    for (int k = 0; k < inputs; k++) {
        const struct shape shape = plan_middle_shape(b, k, turn);
        input[k] = build_tensor(b, b->c->dtype, &shape, LAYOUT_CONTIGUOUS);
        loss_operand_fill(b, LOSS_FILL_RANDOM, false, k, &input[k]);
    }
    build_step(b, op, &each, inputs, input);
}

/* Without ignored samples. */
static void prepare_classes(const struct plan_operator *planned, struct plan_call *call, int64_t n)
{
    (void)planned;
    (void)n;
    call->turn = 10;
}

/* --- forms */

extern const struct plan_form plan_form_loss_elements, plan_form_loss_classes;

#define LOSS_FORM                                                                                            \
    .variants = 3, .variants_at = VARIANTS_AT_BESIDE, .budget = {.times = 3}, .no_one_sided = true

#define ELEMENTS(name_) PLAN_OPERATOR(name_, loss_elements, PLAN_AXIS(TERMS, 0, 65537))
static const struct plan_operator elements[] = {
    ELEMENTS("mse_loss"),
    ELEMENTS("l1_loss"),
    ELEMENTS("smooth_l1_loss"),
    ELEMENTS("huber_loss"),
    ELEMENTS("kl_div"),
    ELEMENTS("binary_cross_entropy"),
    ELEMENTS("binary_cross_entropy_with_logits"),
    ELEMENTS("mse_loss_backward"),
    ELEMENTS("l1_loss_backward"),
    ELEMENTS("smooth_l1_loss_backward"),
    ELEMENTS("huber_loss_backward"),
    ELEMENTS("kl_div_backward"),
    ELEMENTS("binary_cross_entropy_backward"),
    ELEMENTS("binary_cross_entropy_with_logits_backward"),
};

const struct plan_form plan_form_loss_elements = {
    .place = 150,
    PLAN_OPERATORS(elements),
    LOSS_FORM,
    .build = build_pairs,
    .measure = measure_elements,
    .broadcasts = broadcasts,
    .build_middle = build_middle,
};

#define CLASSES(name_, least_)                                                                               \
    PLAN_OPERATOR(name_, loss_classes, PLAN_AXIS(BATCH, 0, 65537), PLAN_AXIS(TERMS, least_, 65537))
static const struct plan_operator classes[] = {
    CLASSES("nll_loss", 1),
    CLASSES("nll_loss_backward", 1),
    CLASSES("cross_entropy", 2),
    CLASSES("cross_entropy_backward", 2),
};

const struct plan_form plan_form_loss_classes = {
    .place = 160,
    PLAN_OPERATORS(classes),
    LOSS_FORM,
    .build = build_classes,
    .measure = measure_classes,
    .prepare_turn = prepare_classes,
};
