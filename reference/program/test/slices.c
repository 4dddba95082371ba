/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Tests truths in slices against whole ones: the same values, radii, sensitivities and error bounds, to the
 * bit, for slices of any length. */

#include "reference/program/slices.h"
#include "reference/base/philox.h"
#include "reference/operator/value_batch.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

/* Numbers of all sizes, some subnormal, some no numbers. */
static double any_number(struct philox *g, enum dtype dtype)
{
    double x = (philox_unit(g) - 0.5) * ldexp(1, (int)philox_below(g, 12));
    switch (philox_below(g, 400)) {
    case 0:
        return NAN;
    case 1:
        return INFINITY;
    case 2:
        return 0;
    case 3:
        return ldexp(dtype_least_normal(dtype), -2) * x;
    default:
        return x;
    }
}

struct asked {
    const char *op;
    enum dtype dtype;
    int inputs;
    struct shape shape[3];
    enum { PLAIN, NO_SPECIALS, TRANSPOSED } data;
    struct integers normalized;
};

static struct program *program_of(const struct asked *a)
{
    struct program *program = program_create();
    struct attributes attributes = {.count = a->normalized.count > 0};
    struct view input[3];
    struct philox g;
    philox_start(&g, 11);
    attributes.item[0] =
        (struct attribute){.name = "normalized_shape", .type = ATTRIBUTE_INTEGERS, .integers = a->normalized};
    for (int i = 0; i < a->inputs; i++) {
        input[i] = program_input(program, a->dtype, &a->shape[i]);
        if (a->data == TRANSPOSED && a->shape[i].rank == 2) {
            input[i].stride[0] = 1;
            input[i].stride[1] = a->shape[i].dim[0];
        }
        for (int64_t e = 0; e < shape_elements(&a->shape[i]); e++) {
            double x = any_number(&g, a->dtype);
            program_set(program, &input[i], e, 0, a->data == NO_SPECIALS && !isfinite(x) ? 1 : x);
        }
    }
    struct step *step = program_step(program, op_find(a->op), &attributes, a->inputs, input);
    cr_assert(step && step->expect == EXPECT_VALUE, "%s", a->op);
    return program;
}

static void expect_bits(double x, double y, const char *op, const char *what, int64_t element)
{
    cr_assert(memcmp(&x, &y, sizeof x) == 0 || (isnan(x) && isnan(y)),
              "%s [%d]: %s %.17g in slices, %.17g whole", op, (int)element, what, x, y);
}

/* What is asked of element `at` of a slice and `element` of the whole. */
static void expect_limits(struct bound_query in_slice, struct bound_query whole,
                          const struct profile *profile)
{
    struct accept a, b;
    struct envelope_limit s, w;
    const char *op = whole.op->name;
    in_slice.profile = whole.profile = profile;
    op_accept(&in_slice, &a);
    op_accept(&whole, &b);
    op_envelope(&in_slice, &s);
    op_envelope(&whole, &w);
    cr_assert_eq(a.sets, b.sets, "%s [%d]", op, (int)whole.element);
    for (int k = 0; k < a.sets; k++) {
        expect_bits(a.set[k].radius, b.set[k].radius, op, "B", whole.element);
        expect_bits(a.set[k].component[0].centre.hi, b.set[k].component[0].centre.hi, op, "centre",
                    whole.element);
        cr_assert_eq(a.set[k].component[0].special, b.set[k].component[0].special);
    }
    cr_assert(s.known == w.known && s.fixed == w.fixed && s.may_fail == w.may_fail);
    expect_bits(s.spread, w.spread, op, "S", whole.element);
    expect_bits(s.certain, w.certain, op, "N", whole.element);
    expect_bits(s.group_spread, w.group_spread, op, "S of the group", whole.element);
}

static void expect_values(const struct truth_output *s, int64_t at, const struct truth_output *w,
                          int64_t element, const char *op)
{
    const struct value in_slice = truth_output_value(s, at), *x = &in_slice, *y = &w->value[element];
    cr_assert(x->class == y->class && x->exponent == y->exponent && x->exact == y->exact &&
                  x->open == y->open && x->special_input == y->special_input,
              "%s [%d]: %g·2^%d, %g·2^%d", op, (int)element, x->hi, x->exponent, y->hi, y->exponent);
    expect_bits(x->hi, y->hi, op, "truth", element);
    expect_bits(x->lo, y->lo, op, "tail", element);
    cr_assert_eq(s->radius != NULL, w->radius != NULL);
    expect_bits(s->radius ? s->radius[at] : 0, w->radius ? w->radius[element] : 0, op, "radius", element);
    for (int k = 0; k < s->sensitivities; k++) {
        expect_bits(s->sensitivity[at * s->sensitivities + k], w->sensitivity[element * w->sensitivities + k],
                    op, "sensitivity", element);
    }
}

/* Slices of `per` rows; how many. `untold`: how many of them have numbers in place of values, which are taken
 * then; NULL: none may. */
static int hold_slices(const struct asked *a, const struct program *program, const struct truth *whole,
                       int64_t per, int *untold)
{
    struct profile strict = profile_ieee(), open = profile_ieee();
    struct error error = {.text = ""};
    struct truth_slices *slices = truth_slices_create(program, 0, NULL, false, 1, &error);
    int count = 0;
    open.rounding[a->dtype] = ROUNDING_OPEN;
    open.subnormals[a->dtype] = SUBNORMALS_MAY_FLUSH;
    cr_assert_not_null(slices, "%s has no slices", a->op);
    slices->per = per;
    slices->call.numbers = untold != NULL;
    for (int64_t element = 0; element < whole->output[0].elements; element++) {
        int64_t before = slices->truth ? slices->first : -1;
        cr_assert(truth_slices_turn_to(slices, element, &error), "%s", error.text);
        struct truth_output *out = &slices->truth->output[0];
        bool first = before != slices->first, numbers = out->value == NULL;
        count += first;
        cr_assert(untold || !numbers);
        cr_assert(!numbers || !slices->truth->flushed, "it is held against its like");
        if (untold) {
            *untold += first && numbers;
        }
        cr_assert(element >= slices->first && element < slices->first + slices->count);
        int64_t at = element - slices->first;
        expect_values(&slices->truth->output[0], at, &whole->output[0], element, a->op);
        struct bound_query query = {.op = program->step->op, .attributes = &program->step->attributes};
        struct bound_query in_slice = query, of_whole = query;
        in_slice.truth = slices->truth;
        in_slice.element = at;
        of_whole.truth = whole;
        of_whole.element = element;
        expect_limits(in_slice, of_whole, &strict);
        expect_limits(in_slice, of_whole, &open);
        if (numbers && element % 5 == 4) { /* filled in from here on */
            cr_assert(truth_output_fill(out) && out->value);
            expect_values(out, at, &whole->output[0], element, a->op);
        }
    }
    truth_slices_destroy(&slices);
    return count;
}

Test(slices, are_the_whole_to_the_bit)
{
    static const struct asked row[] = {
        {"square", DTYPE_FLOAT32, 1, {{2, {50, 40}}}, PLAIN, {.count = 0}},
        {"square", DTYPE_FLOAT16, 1, {{2, {50, 40}}}, TRANSPOSED, {.count = 0}},
        {"add_", DTYPE_FLOAT32, 2, {{3, {20, 10, 7}}, {1, {7}}}, PLAIN, {.count = 0}},
        {"mul_", DTYPE_FLOAT16, 2, {{3, {20, 10, 7}}, {2, {1, 7}}}, PLAIN, {.count = 0}},
        {"addcdiv_", DTYPE_FLOAT32, 3, {{2, {60, 30}}, {2, {60, 30}}, {0}}, PLAIN, {.count = 0}},
        {"layer_norm", DTYPE_FLOAT32, 3, {{3, {9, 6, 33}}, {1, {33}}, {1, {33}}}, PLAIN, {1, {33}}},
        {"layer_norm", DTYPE_FLOAT64, 2, {{3, {30, 3, 11}}, {2, {3, 11}}}, NO_SPECIALS, {2, {3, 11}}},
        {"layer_norm", DTYPE_FLOAT32, 1, {{2, {50, 40}}}, TRANSPOSED, {1, {40}}},
        {"rms_norm", DTYPE_FLOAT16, 2, {{2, {40, 30}}, {1, {30}}}, PLAIN, {1, {30}}},
        {"layer_norm_backward", DTYPE_FLOAT32, 2, {{2, {50, 40}}, {2, {50, 40}}}, PLAIN, {1, {40}}},
        {"rms_norm_backward", DTYPE_FLOAT64, 2, {{3, {9, 6, 33}}, {3, {9, 6, 33}}}, NO_SPECIALS, {1, {33}}},
        {"instance_norm", DTYPE_FLOAT16, 1, {{3, {40, 4, 9}}}, PLAIN, {.count = 0}},
        {"instance_norm_backward", DTYPE_FLOAT32, 2, {{3, {40, 4, 9}}, {3, {40, 4, 9}}}, PLAIN, {.count = 0}},
    };
    static const int64_t per[] = {1, 7, 4096};
    for (size_t r = 0; r < sizeof row / sizeof *row; r++) {
        struct program *program = program_of(&row[r]);
        struct program_truth truth;
        struct error error = {.text = ""};
        cr_assert(program_truth_compute(program, NULL, &truth, &error), "%s", error.text);
        for (size_t k = 0; k < sizeof per / sizeof *per; k++) {
            int slices = hold_slices(&row[r], program, truth.truth[0], per[k], NULL);
            cr_assert(per[k] > 1000 ? slices == 1 : slices > 4, "%s: %d slices", row[r].op, slices);
        }
        program_truth_destroy(&truth);
        program_destroy(&program);
    }
}

/* Of functions of one number, where tier 1 tells all of a slice. */
Test(slices, of_numbers_are_the_whole_to_the_bit)
{
    static const struct asked row[] = {
        {"exp", DTYPE_FLOAT32, 1, {{2, {90, 20}}}, PLAIN, {.count = 0}},
        {"erf", DTYPE_FLOAT32, 1, {{2, {90, 20}}}, PLAIN, {.count = 0}},
        {"sinh", DTYPE_FLOAT16, 1, {{2, {90, 20}}}, PLAIN, {.count = 0}},
        {"log", DTYPE_BFLOAT16, 1, {{2, {90, 20}}}, TRANSPOSED, {.count = 0}},
        {"tanh", DTYPE_FLOAT64, 1, {{2, {90, 20}}}, PLAIN, {.count = 0}},
    };
    for (size_t r = 0; r < sizeof row / sizeof *row; r++) {
        struct program *program = program_of(&row[r]);
        struct program_truth truth;
        struct error error = {.text = ""};
        int untold = 0;
        cr_assert(program_truth_compute(program, NULL, &truth, &error), "%s", error.text);
        int slices = hold_slices(&row[r], program, truth.truth[0], 20, &untold);
        cr_assert_eq(slices, 90);
        bool numbers =
            row[r].dtype != DTYPE_FLOAT64 && strcmp(row[r].op, "log") != 0; /* of which half is NaN */
        cr_assert(numbers ? untold > 20 && untold < 90 : untold == 0, "%s: %d untold", row[r].op, untold);
        program_truth_destroy(&truth);
        program_destroy(&program);
    }
}

/* A matrix with entries in every third row, some of them in one place. */
static struct program *dense_program(enum dtype dtype, int64_t rows, int64_t columns, int64_t entries)
{
    struct program *program = program_create();
    const struct shape indices = shape_of(2, (int64_t)2, entries), values = shape_of(1, entries);
    struct view input[2] = {program_input(program, DTYPE_INT64, &indices),
                            program_input(program, dtype, &values)};
    struct attributes size = {.count = 1};
    struct philox g;
    philox_start(&g, 17);
    size.item[0] = (struct attribute){
        .name = "size", .type = ATTRIBUTE_INTEGERS, .integers = integers_of(2, rows, columns)};
    for (int64_t p = 0; p < entries; p++) {
        program_set(program, &input[0], p, 0, 3 * (double)philox_below(&g, (uint32_t)(rows + 2) / 3));
        program_set(program, &input[0], entries + p, 0, (double)philox_below(&g, (uint32_t)columns));
        program_set(program, &input[1], p, 0, any_number(&g, dtype));
    }
    struct step *step = program_step(program, op_find("to_dense"), &size, 2, input);
    cr_assert(step && step->expect == EXPECT_VALUE);
    return program;
}

Test(slices, of_a_dense_matrix_are_the_whole_to_the_bit)
{
    const enum dtype dtypes[] = {DTYPE_FLOAT16, DTYPE_FLOAT32, DTYPE_FLOAT64};
    static const int64_t per[] = {1, 7, 4096};
    for (size_t d = 0; d < sizeof dtypes / sizeof *dtypes; d++) {
        const struct asked asked = {.op = "to_dense", .dtype = dtypes[d]};
        struct program *program = dense_program(dtypes[d], 100, 9, 500);
        struct program_truth truth;
        struct error error = {.text = ""};
        cr_assert(program_truth_compute(program, NULL, &truth, &error), "%s", error.text);
        for (size_t k = 0; k < sizeof per / sizeof *per; k++) {
            int slices = hold_slices(&asked, program, truth.truth[0], per[k], NULL);
            cr_assert_eq(slices, (100 + per[k] - 1) / per[k]);
        }
        program_truth_destroy(&truth);
        program_destroy(&program);
    }
}

/* What is small, has no rows, or whose rows know of each other is asked as a whole. */
Test(slices, are_for_large_calls_with_rows)
{
    static const struct asked whole[] = {
        {"square", DTYPE_FLOAT32, 1, {{2, {50, 40}}}, PLAIN, {.count = 0}},
        {"add_", DTYPE_FLOAT32, 2, {{3, {600, 20, 11}}, {3, {1, 1, 11}}}, PLAIN, {.count = 0}},
        {"add_", DTYPE_FLOAT32, 2, {{2, {600, 400}}, {2, {600, 1}}}, PLAIN, {.count = 0}},
        {"layer_norm", DTYPE_FLOAT32, 1, {{2, {400, 400}}}, PLAIN, {2, {400, 400}}},
        {"matmul", DTYPE_FLOAT32, 2, {{2, {400, 2}}, {2, {2, 400}}}, NO_SPECIALS, {.count = 0}},
        {"layer_norm_backward",
         DTYPE_FLOAT32,
         3,
         {{2, {900, 200}}, {2, {900, 200}}, {1, {200}}},
         PLAIN,
         {1, {200}}},
    };
    for (size_t r = 0; r < sizeof whole / sizeof *whole; r++) {
        struct program *program = program_of(&whole[r]);
        cr_expect_null(truth_slices_create(program, 0, NULL, false, 0, NULL), "row %zu", r);
        program_destroy(&program);
    }
    struct asked large = {"square", DTYPE_FLOAT32, 1, {{2, {400, 400}}}, PLAIN, {.count = 0}};
    struct program *program = program_of(&large);
    struct program_truth truth;
    struct error error = {.text = ""};
    const struct truth_source source = {.sliced = true};
    cr_assert(program_truth_compute(program, &source, &truth, &error));
    cr_assert(truth.slices && !truth.truth[0] && program_truth_has(&truth, 0));
    cr_assert(program_truth_complete(program, &truth, &error));
    cr_assert(!truth.slices && truth.truth[0] && truth.truth[0]->output[0].elements == 160000);
    program_truth_destroy(&truth);
    program_destroy(&program);
}
