/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "suites/norm/normalization.h"

#include <math.h>
#include <string.h>

struct shape normalization_shape(const struct normalization_row *row)
{
    struct shape shape = {.rank = row->rank};
    for (int d = 0; d < row->rank; d++) {
        shape.dim[d] = row->dim[d];
    }
    return shape;
}

struct view normalization_absent(void)
{
    return (struct view){.storage = -1};
}

struct view normalization_tensor(struct builder *b, const struct normalization_row *row, bool grad)
{
    const struct shape shape = normalization_shape(row);
    const enum layout layout = grad ? row->grad : row->x;
    return (grad ? row->grad_channels_last : row->channels_last)
               ? build_channels_last(b, b->c->dtype, &shape, 1, layout)
               : build_tensor(b, b->c->dtype, &shape, layout);
}

/* A uniform number with mean 0 and standard deviation 1, a multiple of 2^-20. */
static double uniform(struct philox *generator)
{
    return data_integer(generator, 1816186) * 0x1p-20; /* sqrt(3)·2^20 */
}

/* Returns a special value if element j of the group has one (groups 1 and 2, or every group), else z. */
static double special(enum normalization_fill fill, int64_t group, int64_t j, int64_t members, double z)
{
    int64_t at = fill == FILL_SPECIALS_FIRST  ? 0
                 : fill == FILL_SPECIALS_LAST ? members - 1
                 : fill == FILL_SPECIALS_EACH ? group * 7 % members
                                              : members / 2;
    int64_t kind = fill == FILL_SPECIALS_EACH ? 1 + group % 2 : group;
    return j != at ? z : kind == 1 ? (double)NAN : kind == 2 ? (double)INFINITY : z;
}

double normalization_end(const struct builder *b, const struct normalization_row *row, unsigned end)
{
    return row->ends & end ? 0.8 * dtype_max(b->c->dtype) : 1;
}

static double ordinary(const struct normalization_row *row, enum dtype dtype, int64_t group, int64_t j,
                       int64_t members, struct philox *generator)
{
    double eps = row->eps > 0 ? row->eps : 1e-5, z = uniform(generator), sign = j % 2 ? -1 : 1;
    switch (row->fill) {
    case FILL_CONSTANT:
        return dtype == DTYPE_FLOAT16 ? 1234.5678 : 12345.678;
    case FILL_ALTERNATING:
        return 3 * sign;
    case FILL_PAIRS:
        return ldexp(1, dtype == DTYPE_FLOAT64   ? 51
                        : dtype == DTYPE_FLOAT32 ? 22
                        : dtype == DTYPE_FLOAT16 ? 10
                                                 : 7) +
               1 + sign;
    case FILL_RANGE:
        return sign * (1 + fabs(z) / 2) *
               (dtype == DTYPE_FLOAT64   ? 1e200
                : dtype == DTYPE_FLOAT16 ? 2e4
                                         : 1e20);
    case FILL_VARIANCES: {
        static const double share[] = {0, 0.1, 1, 10};
        return 0.5 + z * share[group % 4] * sqrt(eps);
    }
    case FILL_SIGNS:
        return 1 + z / 64;
    case FILL_OUTLIER:
        return j == members - 1 ? 1000 : z * 0x1p-6;
    case FILL_SPECIALS:
    case FILL_SPECIALS_FIRST:
    case FILL_SPECIALS_LAST:
    case FILL_SPECIALS_EACH:
        return special(row->fill, group, j, members, z);
    default:
        return row->mean + z;
    }
}

struct view normalization_input(struct builder *b, const struct normalization_row *row,
                                const struct normalization_map *map)
{
    struct shape shape = normalization_shape(row);
    struct view x = normalization_tensor(b, row, false);
    struct philox generator = build_generator(b, 0);
    int64_t members = map->inner * (map->over_batch ? map->batch : map->channels / map->groups);
    for (int64_t i = 0; i < shape_elements(&shape); i++) {
        int64_t sample = i / map->inner / map->channels, channel = i / map->inner % map->channels;
        int64_t group = map->over_batch ? channel : i / members;
        int64_t j = map->over_batch ? sample * map->inner + i % map->inner : i % members;
        double value = ordinary(row, b->c->dtype, group, j, members, &generator);
        value *= row->fill == FILL_SIGNS && i / 2 % 2 ? -1 : 1;
        build_set(b, &x, i, value * normalization_end(b, row, ENDS_X));
    }
    build_origin(b, &x, row->fill == FILL_RANDOM || row->fill == FILL_OUTLIER);
    return x;
}

struct view normalization_random(struct builder *b, const struct normalization_row *row, int tensor,
                                 const struct shape *shape, enum layout layout, double around)
{
    struct view view = build_tensor(b, row->wide ? DTYPE_FLOAT32 : b->c->dtype, shape, layout);
    struct philox generator = build_generator(b, tensor);
    for (int64_t i = 0; i < shape_elements(shape); i++) {
        double x = around + uniform(&generator) / (around > 0 ? 4 : 1);
        double scale = ldexp(x, i % 2 ? row->spread : -row->spread) * (row->gain > 0 ? row->gain : 1);
        double shift = row->ends & ENDS_BIAS ? -normalization_end(b, row, ENDS_BIAS) : x;
        build_set(b, &view, i, around > 0 ? scale * normalization_end(b, row, ENDS_WEIGHT) : shift);
    }
    build_origin(b, &view, true);
    return view;
}

struct view normalization_grad(struct builder *b, const struct normalization_row *row)
{
    struct view view = normalization_tensor(b, row, true);
    struct philox generator = build_generator(b, 3);
    for (int64_t i = 0; i < shape_elements(&view.shape); i++) {
        double z = uniform(&generator), steady = (1 + z / 64) * normalization_end(b, row, ENDS_GRAD);
        build_set(b, &view, i, row->fill == FILL_SIGNS ? steady : z);
    }
    build_origin(b, &view, true);
    return view;
}

void normalization_plain(struct builder *b)
{
    const struct normalization_row *row = b->c->row;
    struct normalization_call call = row->make(b, row);
    struct step *step = build_step(b, b->c->op, &call.attributes, call.inputs, call.input);
    if (step) {
        step->exact = row->exact;
    }
}

void normalization_alone(struct builder *b)
{
    const struct normalization_row *row = b->c->row;
    struct normalization_call call = row->make(b, row);
    struct step *step = build_step(b, b->c->op, &call.attributes, call.inputs, call.input);
    struct view y = step ? step->output[0] : call.input[0];
    const int64_t picks[] = {0, row->dim[0] / 2, row->dim[0] - 1};
    for (int k = 0; !b->failed && k < 3; k++) {
        struct normalization_call alone = call;
        for (int i = 0; i <= normalization_is_gradient(b->c->op); i++) { /* grad_output and x */
            alone.input[i] = view_window(&call.input[i], picks[k], 1, 1);
        }
        step = build_step(b, b->c->op, &alone.attributes, alone.inputs, alone.input);
        if (step) {
            struct view single = step->output[0], inside = view_window(&y, picks[k], 1, 1);
            build_relate(b, &inside, &single, "a sample alone is normalized as it is within the batch");
        }
    }
}

void normalization_eps_chain(struct builder *b)
{
    const struct normalization_row *row = b->c->row;
    static const double values[] = {1e-5, 0.5, 1e-5, 0.01};
    struct normalization_call call = row->make(b, row);
    struct step *step = NULL;
    struct view first = call.input[0];
    for (int k = 0; k < 4; k++) {
        for (int a = 0; a < call.attributes.count; a++) {
            if (strcmp(call.attributes.item[a].name, "eps") == 0) {
                call.attributes.item[a].real = values[k];
            }
        }
        step = build_step(b, b->c->op, &call.attributes, call.inputs, call.input);
        first = step && k == 0 ? step->output[0] : first;
        if (step && k == 2) {
            build_relate(b, &first, &step->output[0], "the same eps again gives the same bits");
        }
    }
}

void normalization_refused(struct builder *b)
{
    const struct normalization_row *row = b->c->row;
    struct normalization_call call = row->make(b, row);
    build_rejection(b, b->c->op, &call.attributes, call.inputs, call.input);
}

void normalization_short_weight(struct builder *b)
{
    const struct normalization_row *row = b->c->row;
    struct normalization_call call = row->make(b, row);
    call.input[call.weight].shape.dim[0]--;
    build_rejection(b, b->c->op, &call.attributes, call.inputs, call.input);
}
