/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Calls of the plan of sizes: normalization of layers, groups, samples and channels. */
#include "suites/norm/normalization.h"
#include "suites/plan/call_builder.h"
#include "suites/plan/measure.h"

/* An outlier that makes up only a part of the variance, so that the normalized values of the others still
 * vary. */
static double outlier(int64_t count)
{
    double x = 2;
    while (x * x < 4.0 * (double)count) {
        x *= 2;
    }
    return x;
}

/* Appends the call on `runs` groups of `count` consecutive elements, with their decisive elements. */
static void normalization_step(const struct call_builder *m, const struct normalization_call *call,
                               int64_t runs, int64_t count, bool special)
{
    bool gradient = normalization_is_gradient(m->b->c->op);
    for (int64_t k = 0; k < runs; k++) {
        call_set_decisive(m, &call->input[gradient], (struct run){k * count, 1, count}, k, runs,
                          outlier(count), special);
    }
    build_step(m->b, m->b->c->op, &call->attributes, call->inputs, call->input);
}

static struct normalization_row normalization_row_of(const struct call_builder *m)
{
    static const unsigned absent[] = {0, NO_BIAS, NO_WEIGHT, NO_WEIGHT | NO_BIAS};
    bool gradient = normalization_is_gradient(m->b->c->op);
    struct normalization_row row = {.absent = absent[m->call->turn / 2 % 4], .fill = FILL_RANDOM};
    row.x = call_layout(m, 0, 3);
    row.grad = gradient ? call_layout(m, 1, 3) : LAYOUT_CONTIGUOUS;
    row.weight = row.bias = call_layout(m, 2, 3);
    return row;
}

static void build_layer(const struct call_builder *m)
{
    struct normalization_row row = normalization_row_of(m);
    int64_t rows = call_size(m, PLAN_ROWS), terms = call_size(m, PLAN_TERMS);
    row.parameter = 1;
    row.rank = rows == 1 && m->call->turn % 2 ? 1 : 2;
    row.dim[0] = row.rank == 1 ? terms : rows;
    row.dim[1] = terms;
    struct normalization_call call = normalization_layer(m->b, &row);
    normalization_step(m, &call, rows, terms, !normalization_is_gradient(m->b->c->op));
}

/* A group has one channel, two, or one for each of its elements. */
static void build_group(const struct call_builder *m)
{
    struct normalization_row row = normalization_row_of(m);
    int64_t batch = call_size(m, PLAN_BATCH), groups = call_size(m, PLAN_GROUPS),
            terms = call_size(m, PLAN_TERMS);
    bool instance = normalization_kind(m->b->c->op) == NORMALIZATION_INSTANCE;
    int64_t channels = instance                                  ? 1
                       : m->call->turn % 3 == 2 && terms <= 1025 ? terms
                       : m->call->turn % 2 && terms % 2 == 0     ? 2
                                                                 : 1;
    row.parameter = (int)groups;
    row.statistics = (enum normalization_statistics)m->call->variant;
    row.running = call_layout(m, 2, 3);
    row.rank = !instance && channels == terms ? 2 : 3;
    row.dim[0] = batch;
    row.dim[1] = groups * channels;
    row.dim[2] = terms / channels;
    struct normalization_call call = normalization_group(m->b, &row);
    /* No NaN in gradients, where it would reach every sum, nor in statistics that are averaged over
     * samples. */
    normalization_step(m, &call, batch * groups, terms,
                       !normalization_is_gradient(m->b->c->op) &&
                           (row.statistics != STATISTICS_MOVED || batch == 1));
}

static void build_channels(const struct call_builder *m)
{
    struct normalization_row row = normalization_row_of(m);
    int64_t batch = call_size(m, PLAN_BATCH), groups = call_size(m, PLAN_GROUPS),
            columns = call_size(m, PLAN_COLUMNS);
    bool split = columns % 2 == 0 && m->call->turn % 3 == 0;
    row.parameter = m->call->variant;
    row.rank = columns == 1 && m->call->turn % 2 ? 2 : split ? 4 : 3;
    row.dim[0] = batch;
    row.dim[1] = groups;
    row.dim[2] = split ? 2 : columns;
    row.dim[3] = columns / 2;
    row.running = call_layout(m, 2, 3);
    struct normalization_call call = normalization_channels(m->b, &row);
    bool gradient = normalization_is_gradient(m->b->c->op);
    for (int64_t c = 0; c < groups; c++) { /* elements of a channel are in every sample */
        enum plan_place place = (enum plan_place)((m->call->place + c) % PLACES);
        int64_t at = call_place(place, batch * columns);
        struct run one = {at / columns * groups * columns + c * columns + at % columns, 1, 1};
        call_set_decisive(m, &call.input[gradient], one, c, groups, outlier(batch * columns), !gradient);
    }
    build_step(m->b, m->b->c->op, &call.attributes, call.inputs, call.input);
}

/* --- how long the dimensions are */

static const struct shape *input_of(const struct step *step)
{
    return &step->input[normalization_is_gradient(step->op)].shape;
}

static int64_t measure_layer(const struct program *program, const struct step *step, enum plan_kind kind)
{
    (void)program;
    const struct shape *x = input_of(step);
    const struct integers *tail = attributes_integers(&step->attributes, "normalized_shape");
    if (!tail) {
        return -1;
    }
    return kind == PLAN_TERMS  ? measure_span(x, x->rank - tail->count, x->rank)
           : kind == PLAN_ROWS ? measure_span(x, 0, x->rank - tail->count)
                               : -1;
}

static int64_t measure_channels(const struct step *step, bool over_batch, enum plan_kind kind)
{
    const struct shape *x = input_of(step);
    if (x->rank < 2) {
        return -1;
    }
    const int64_t groups = attributes_integer(&step->attributes, "num_groups", x->dim[1]),
                  inner = measure_span(x, 2, x->rank);
    switch (kind) {
    case PLAN_BATCH:
        return x->dim[0];
    case PLAN_GROUPS:
        return groups;
    case PLAN_COLUMNS:
        return inner;
    case PLAN_TERMS:
        return over_batch ? x->dim[0] * inner : groups > 0 ? x->dim[1] / groups * inner : -1;
    default:
        return -1;
    }
}

static int64_t measure_group(const struct program *program, const struct step *step, enum plan_kind kind)
{
    (void)program;
    return measure_channels(step, false, kind);
}

static int64_t measure_batch(const struct program *program, const struct step *step, enum plan_kind kind)
{
    (void)program;
    return measure_channels(step, true, kind);
}

static int64_t channels(const struct op *op, const struct step *step)
{
    (void)op;
    return step && input_of(step)->rank > 1 ? input_of(step)->dim[1] : 0;
}

static int decisive_operand(const struct op *op)
{
    return normalization_is_gradient(op);
}

/* Training needs at least two elements per channel. */
static bool fits_batch(const struct plan_choice *choice)
{
    return choice->variant <= 0 || choice->size[PLAN_BATCH] * choice->size[PLAN_COLUMNS] >= 2;
}

/* Selects a call without weight and bias, so that normalized_shape can be changed. */
static void prepare_layer(const struct plan_operator *planned, struct plan_call *call, int64_t n)
{
    (void)planned;
    (void)n;
    call->turn = 6;
}

/* --- forms */

extern const struct plan_form plan_form_norm_layer, plan_form_norm_group, plan_form_norm_instance,
    plan_form_norm_instance_backward, plan_form_norm_batch;

/* With one or two elements per statistic every gradient is 0. */
enum { GRADIENT_TERMS = 3 };
#define LAYER(name_, least_, telling_)                                                                       \
    PLAN_OPERATOR(name_, norm_layer, PLAN_AXIS(ROWS, 0, 65537), PLAN_TELLING(TERMS, least_, 65537, telling_))
#define GROUP(name_, form_, telling_)                                                                        \
    PLAN_OPERATOR(name_, norm_##form_, PLAN_AXIS(BATCH, 0, 65537), PLAN_AXIS(GROUPS, 1, 65537),              \
                  PLAN_TELLING(TERMS, 2, 65537, telling_))
#define BATCH(name_)                                                                                         \
    PLAN_OPERATOR(name_, norm_batch, PLAN_AXIS(BATCH, 1, 65537), PLAN_AXIS(GROUPS, 1, 65537),                \
                  PLAN_AXIS(COLUMNS, 1, 65537), PLAN_DERIVED(TERMS, 1, 65537))
#define NORMALIZES .places = true, .budget = {.times = 3}, .decisive_operand = decisive_operand

static const struct plan_operator layers[] = {
    LAYER("layer_norm", 1, 0),
    LAYER("rms_norm", 1, 0),
    LAYER("layer_norm_backward", 2, GRADIENT_TERMS),
    LAYER("rms_norm_backward", 1, GRADIENT_TERMS),
};

const struct plan_form plan_form_norm_layer = {
    .place = 130,
    PLAN_OPERATORS(layers),
    NORMALIZES,
    .build = build_layer,
    .measure = measure_layer,
    .prepare_turn = prepare_layer,
};

static const struct plan_operator groups[] = {
    GROUP("group_norm", group, 0),
    GROUP("group_norm_backward", group, GRADIENT_TERMS),
};

const struct plan_form plan_form_norm_group = {
    .place = 170,
    PLAN_OPERATORS(groups),
    NORMALIZES,
    .build = build_group,
    .measure = measure_group,
    .channels = channels,
};

static const struct plan_operator instances[] = {GROUP("instance_norm", instance, 0)};

const struct plan_form plan_form_norm_instance = {
    .place = 171,
    PLAN_OPERATORS(instances),
    NORMALIZES,
    .variants = 3, /* without running statistics, updating them, normalizing by them */
    .variants_at = VARIANTS_AT_BESIDE,
    .usual_variant = STATISTICS_MOVED,
    .build = build_group,
    .measure = measure_group,
    .channels = channels,
};

static const struct plan_operator instance_gradients[] = {
    GROUP("instance_norm_backward", instance_backward, GRADIENT_TERMS)};

const struct plan_form plan_form_norm_instance_backward = {
    .place = 172,
    PLAN_OPERATORS(instance_gradients),
    NORMALIZES,
    .build = build_group,
    .measure = measure_group,
    .channels = channels,
};

static const struct plan_operator batches[] = {BATCH("batch_norm"), BATCH("batch_norm_backward")};

const struct plan_form plan_form_norm_batch = {
    .place = 180,
    PLAN_OPERATORS(batches),
    NORMALIZES,
    .variants = 2, /* evaluation, training */
    .variants_at = VARIANTS_AT_BESIDE,
    .usual_variant = 1,
    .fits = fits_batch,
    .build = build_channels,
    .measure = measure_batch,
    .channels = channels,
};
