/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Tests value batches, and the error bounds that are computed from them without a second evaluation of the
 * function. */

#include "reference/operator/bound_batch.h"
#include "reference/ops/elementwise/elementwise.h"
#include "reference/test/support.h"

static struct value special(enum value_class class)
{
    return (struct value){.class = (uint8_t) class};
}

Test(value_batch, parts_and_kinds)
{
    const struct value value[] = {
        value_from_dd(3, 0x1p-60),        {.hi = -0.75, .exact = true},      {.hi = -0.75},
        {.hi = 1, .exponent = VALUE_FAR}, {.hi = 1, .exponent = -VALUE_FAR}, {.hi = 1, .special_input = true},
        {.hi = 1, .open = true},          {.hi = 1, .payload = true},        special(VALUE_NAN),
        special(VALUE_POSITIVE_INFINITY), special(VALUE_NEGATIVE_INFINITY)};
    enum { COUNT = sizeof value / sizeof *value, NUMBERS = 3 };
    struct value many[BATCH_MAX];
    struct value_batch run;
    for (int i = 0; i < BATCH_MAX; i++) {
        many[i] = value[i % COUNT];
    }
    value_batch_of(many, BATCH_MAX - 1, &run); /* the last one is of no whole vector */
    for (int i = 0; i < BATCH_MAX - 1; i++) {
        const int k = i % COUNT;
        cr_expect(run.hi[i] == value[k].hi && run.lo[i] == value[k].lo);
        cr_expect_eq(run.kind[i] == 0, k < NUMBERS, "%d", k);
        cr_expect_eq(run.kind[i], value_batch_kind(&value[k]));
        for (int other = NUMBERS; other < COUNT; other++) {
            cr_expect_eq(run.kind[i] == value_batch_kind(&value[other]), k == other, "%d and %d", k, other);
        }
    }
}

/* Every 32nd number, in strides of which all kinds of results are: far beyond the range, below it, special.
 */
enum { COUNT = 2 * BATCH_MAX };
static struct tensor operands(int turn)
{
    double x[COUNT];
    struct philox g;
    philox_start(&g, (uint64_t)turn);
    for (int i = 0; i < COUNT; i++) {
        x[i] = turn < 3 ? ldexp(philox_signed(&g), 3 + 4 * turn) : i - BATCH_MAX;
    }
    if (turn == 0) {
        x[7] = NAN;
    }
    return tensor_from(DTYPE_FLOAT32, shape_of(1, (int64_t)COUNT), x);
}

static void limits_of(const char *name, const struct truth *truth, double *bound)
{
    struct profile profile = profile_ieee();
    const struct attributes none = {.count = 0};
    const struct bound_query query = {
        .op = op_find(name), .profile = &profile, .attributes = &none, .truth = truth};
    for (int first = 0; first < COUNT; first += BATCH_MAX) {
        op_bounds(&query, first, BATCH_MAX, bound + first);
    }
}

/* Limits of a run are those of each element alone, whose neighbours do not matter, and stay so when any are
 * certified: 2^3 is 8, which tier 1 has within a radius. */
Test(value_batch, numbers_become_values)
{
    static const double number[] = {1.5, -2, -0.0, INFINITY, -0x1p800, -INFINITY, 0x1p-1074, 3},
                        radius[] = {0.1, 0, 0, INFINITY, INFINITY, INFINITY, 0x1p-1074, 0x1p-50};
    struct value value[8];
    memset(value, 0xff, sizeof value);
    values_of_numbers(value, number, radius, 8);
    for (int i = 0; i < 8; i++) {
        bool far = radius[i] == INFINITY;
        double hi = far ? copysign(1, number[i]) : number[i];
        cr_expect(value[i].hi == hi && signbit(value[i].hi) == signbit(hi) && value[i].lo == 0, "%d", i);
        cr_expect(value[i].exponent == (far ? VALUE_FAR : 0) && value[i].class == VALUE_FINITE &&
                      !value[i].payload && !value[i].special_input && !value[i].open &&
                      value[i].exact == (radius[i] == 0),
                  "%d", i);
    }
}

/* Numbers that are not filled in yet: in whole batches, and one by one. */
Test(value_batch, numbers_that_are_not_reported)
{
    enum { MANY = BATCH_MAX + 9 };
    struct truth_output out = {.dtype = DTYPE_FLOAT32, .elements = MANY, .value = NULL};
    struct value_batch untold, known;
    memset(&untold, 0xff, sizeof untold);
    out.number = malloc(MANY * sizeof *out.number);
    out.radius = malloc(MANY * sizeof *out.radius);
    for (int i = 0; i < MANY; i++) {
        bool beyond = i >= BATCH_MAX && i % 3 == 0;
        out.number[i] = beyond ? i % 2 ? INFINITY : -INFINITY : i % 7 == 0 ? -0.0 : 1.5 * i;
        out.radius[i] = beyond ? INFINITY : i % 7 == 0 ? 0 : 0x1p-50 * i;
    }
    for (int from = 0; from + 8 < MANY; from += BATCH_MAX) {
        const int count = from == 0 ? BATCH_MAX : MANY - from;
        struct value value[BATCH_MAX];
        values_of_numbers(value, out.number + from, out.radius + from, count);
        value_batch_at(&out, from, count, &untold);
        value_batch_of(value, count, &known);
        cr_expect(untold.of == value_batch_place(&out, from) &&
                  untold.of != value_batch_place(&out, from + 1));
        cr_expect(untold.numbers == known.numbers && known.numbers == (from == 0));
        cr_expect_arr_eq(untold.hi, known.hi, (size_t)count * sizeof *known.hi);
        cr_expect_arr_eq(untold.lo, known.lo, (size_t)count * sizeof *known.lo);
        cr_expect_arr_eq(untold.kind, known.kind, (size_t)count * sizeof *known.kind);
        for (int i = 0; i < count; i++) {
            struct value one = truth_output_value(&out, from + i);
            cr_expect(one.hi == value[i].hi && one.exponent == value[i].exponent &&
                      one.exact == value[i].exact);
        }
    }
    cr_assert(truth_output_fill(&out));
    const struct value *before = out.value;
    out.value[0] = value_of(3); /* as one that was certified */
    cr_expect(truth_output_fill(&out) && out.value == before && truth_output_value(&out, 0).hi == 3);
    value_batch_at(&out, 0, MANY - 9, &known);
    cr_expect(known.hi[0] == 3 && known.of == before && out.value[MANY - 9 + 2].exponent == VALUE_FAR);
    free(out.value);
    free(out.number);
    free(out.radius);
}

Test(value_batch, limits_do_not_depend_on_what_is_certified)
{
    static const char *const names[] = {"exp", "exp2", "tanh", "erf", "log1p", "sqrt"};
    static double before[COUNT], after[COUNT];
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        for (int turn = 0; turn < 4; turn++) {
            const struct op *op = op_find(names[k]);
            struct tensor x = operands(turn);
            struct truth *truth = any_truth_of_call(names[k], NULL, 1, &x, true),
                         *certain = any_truth_of_call(names[k], NULL, 1, &x, false);
            struct truth_output *out = &truth->output[0];
            limits_of(names[k], truth, before);
            limits_of(names[k], certain, after); /* of no radius at all */
            for (int i = 0; i < COUNT; i++) {
                cr_assert_eq(before[i], after[i], "%s(%g): %g, certain %g", names[k], tensor_component(&x, i),
                             before[i], after[i]);
            }
            for (int i = 0; i < COUNT; i += turn == 3 ? 1 : 1 + i % 5) {
                out->value[i] = certain->output[0].value[i];
                out->radius[i] = 0;
            }
            limits_of(op->name, truth, after);
            cr_assert_arr_eq(before, after, sizeof before, "%s, %d", names[k], turn);
            truth_destroy(&truth);
            truth_destroy(&certain);
            tensor_destroy(&x);
        }
    }
}

/* Where a run holds results that are infinite, and others that are numbers beyond those of the type: exactly
 * these lie beyond, with their signs. */
Test(value_batch, infinities_are_not_what_lies_beyond)
{
    const double x[] = {INFINITY, 1, 1000, 100, -INFINITY};
    struct tensor input = tensor_from(DTYPE_FLOAT32, shape_of(1, (int64_t)5), x);
    struct truth *exp = any_truth_of_call("exp", NULL, 1, &input, true);
    const struct value *value = exp->output[0].value;
    cr_expect_eq(value[0].class, VALUE_POSITIVE_INFINITY);
    cr_expect(value[0].exact && value[1].hi > 2.7 && value[1].exponent == 0 && value[3].exponent == 0);
    cr_expect(value[2].class == VALUE_FINITE && value[2].hi == 1 && value[2].exponent == VALUE_FAR);
    cr_expect(value[4].class == VALUE_FINITE && value[4].hi == 0 && value[4].exact);
    truth_destroy(&exp);
    struct truth *sinh = any_truth_of_call("sinh", NULL, 1, &input, true);
    value = sinh->output[0].value;
    cr_expect_eq(value[4].class, VALUE_NEGATIVE_INFINITY);
    truth_destroy(&sinh);
    tensor_destroy(&input);
}

/* The same one by one, of numbers, what has no number, what is too large and what has an exponent. */
Test(value_batch, the_greatest_of_many)
{
    enum { MANY = 2 * BATCH_MAX + 5 };
    const struct value odd[] = {
        special(VALUE_NAN),          special(VALUE_NEGATIVE_INFINITY),   {.hi = -1, .exponent = VALUE_FAR},
        {.hi = -1.5, .exponent = 3}, {.hi = -13, .special_input = true}, {.hi = 0x1p200}};
    struct value value[MANY];
    struct philox g;
    philox_start(&g, 21);
    for (int trial = 0; trial < 200; trial++) {
        double greatest = 0;
        for (int i = 0; i < MANY; i++) {
            bool plain = trial % 4 == 0 || philox_below(&g, 60) != 0;
            const struct value one = {.hi = 12 * philox_signed(&g)},
                               other = odd[philox_below(&g, trial % 4 == 1 ? 3 : 6)];
            value[i] = plain ? one : other;
            double size = fabs(value_approximately(&value[i]));
            greatest = size <= 100 && size > greatest ? size : greatest;
        }
        cr_assert_eq(values_greatest(value, MANY, 100), greatest, "%d", trial);
        cr_assert_eq(values_greatest(value, 0, 100), 0);
    }
}

/* Of a formula that has other forms, beside numbers of every size: the limit of an element is its own,
 * whatever its neighbours' forms escape from. */
Test(value_batch, limits_of_other_forms_are_each_elements_own)
{
    int asked = 0;
    for (int turn = 0; turn < 4 * op_count(); turn++) {
        const struct op *op = op_at(turn / 4);
        const enum dtype dtype = turn % 2 ? DTYPE_FLOAT32 : DTYPE_FLOAT16;
        if (!op->row || !op->row->form[0] || op->row->views != VIEWS_OPERANDS) {
            continue;
        }
        struct tensor input[OPERANDS_MAX];
        int inputs = 0;
        struct philox g;
        philox_start(&g, (uint64_t)turn);
        for (; inputs < OPERANDS_MAX && op->operands[inputs].name; inputs++) {
            double x[BATCH_MAX];
            for (int i = 0; i < BATCH_MAX; i++) {
                x[i] = ldexp(philox_signed(&g),
                             (int)philox_below(&g, turn % 2 ? 250 : 34) - (turn % 2 ? 120 : 18));
            }
            input[inputs] = tensor_from(dtype, shape_of(1, (int64_t)BATCH_MAX), x);
        }
        struct attributes attributes = {.count = 0};
        op_default_attributes(op, dtype, &attributes);
        struct truth *truth = any_truth_of_call(op->name, &attributes, inputs, input, true);
        struct profile profile = profile_ieee();
        profile.primitives = turn / 2 % 2 ? PRIMITIVES_VULKAN : profile.primitives;
        struct bound_query query = {.op = op, .profile = &profile, .attributes = &attributes, .truth = truth};
        double bound[BATCH_MAX], alone;
        op_bounds(&query, 0, BATCH_MAX, bound);
        for (int i = 0; i < BATCH_MAX; i++) {
            op_bounds(&query, i, 1, &alone);
            cr_expect_eq(bound[i], alone, "%s, element %d: %g in a run, %g alone", op->name, i, bound[i],
                         alone);
        }
        asked++;
        truth_destroy(&truth);
        for (int i = 0; i < inputs; i++) {
            tensor_destroy(&input[i]);
        }
    }
    cr_expect_gt(asked, 40, "%d", asked);
}

/* The greatest of a tensor, whether tier 1 tells all of it, some of it, or nothing is taken from there. */
Test(value_batch, the_scale_is_the_greatest_truth)
{
    static const double known[] = {1, 3, 2, 200, -4}, some[] = {1, 3, 2, NAN, 0.5};
    const struct attributes none = {.count = 0};
    for (int k = 0; k < 4; k++) {
        struct tensor input[] = {tensor_from(DTYPE_FLOAT32, shape_of(1, (int64_t)5), k & 1 ? some : known)};
        const struct op_call call = {
            .op = op_find("exp"), .attributes = &none, .inputs = 1, .input = input, .enclosed = k < 2};
        const struct op_signature signature = {.outputs = 1,
                                               .output = {{.dtype = DTYPE_FLOAT32, .shape = input[0].shape}}};
        struct error error = {.text = ""};
        struct truth *truth = op_truth(&call, &signature, &error);
        cr_assert_not_null(truth, "%s", error.text);
        cr_expect_float_eq(truth->output[0].scale, exp(3), 1e-12, "%d: %g", k, truth->output[0].scale);
        truth_destroy(&truth);
        tensor_destroy(&input[0]);
    }
}
