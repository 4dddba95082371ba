/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Elements with bounds B and Q, judged in batches, compared with the same elements judged alone: every number
 * of the record is the same, to the bit. */
#include "harness/judge/batch/bounded_loops.h"
#include "harness/judge/test/judging_profiles.h"
#include "harness/judge/test/same_verdict.h"
#include "reference/base/philox.h"
#include "suites/suite.h"

#include <limits.h>
#include <stdlib.h>

/* What comes back in the last judged tensor: the rounded truth with, in units in the last place of the
 * element's bits, … */
enum spoiling {
    NOTHING,
    SOME,    /* −1, 0 or 1 for each; */
    MANY,    /* up to 31 for each; */
    TWO_OFF, /* 1,000 for one, 300 for one behind it; */
    ONE_FAR, /* 4,096 for one; */
    SIGN,    /* or another sign for one */
    SPOILINGS
};

static int64_t amount(enum spoiling how, struct philox *g, bool first, bool last)
{
    double x = philox_signed(g);
    int64_t alone = how == TWO_OFF ? first ? 1000 : 300 : how == ONE_FAR && last ? 4096 : 0;
    return how == SOME ? llround(x) : how == MANY ? llround(31 * x) : first || last ? alone : 0;
}

static void spoil(struct mock *m, enum spoiling how)
{
    const struct step *step = &m->program->step[m->program->steps - 1];
    struct view judged[TRUTH_OUTPUTS_MAX];
    const struct view *view = &judged[step_judged(step, judged) - 1];
    int64_t elements = shape_elements(&view->shape);
    struct philox g;
    philox_start(&g, 7);
    for (int64_t i = 0; i < elements; i++) {
        bool first = i == elements / 3, last = i == elements - 1 - elements / 3;
        unsigned char *element = mock_element(m, 0, view, i);
        uint64_t bits = dtype_bits(view->dtype, element);
        double x = dtype_load(view->dtype, element);
        int64_t by = amount(how, &g, first, last);
        if (isfinite(x) && x != 0 && dtype_is_floating(view->dtype)) {
            uint64_t sign = (uint64_t)1 << (8 * dtype_info(view->dtype)->size - 1);
            bits = how == SIGN && last ? bits ^ sign : bits + (uint64_t)by;
            dtype_store_bits(view->dtype, element, bits);
        }
    }
}

/* Each on a truth of its own: judging certifies elements of it. */
static void judge_as(struct program *program, struct profile (*profile)(void), enum spoiling how,
                     bool one_by_one, struct record *record)
{
    struct mock m;
    mock_open(&m, program, 1);
    m.profile = profile();
    mock_answer(&m);
    spoil(&m, how);
    mock_judge(&m, one_by_one, record);
    mock_close(&m);
}

/* Takes ownership of both programs, which are equal. */
static void compare(struct program *program, struct program *again, const char *id,
                    struct profile (*profile)(void), enum spoiling how)
{
    struct record together, alone;
    judge_as(program, profile, how, false, &together);
    judge_as(again, profile, how, true, &alone);
    const struct {
        const char *name;
        double together, alone;
    } number[] = {{"mean_ulp", together.mean_ulp, alone.mean_ulp},
                  {"nmse", together.nmse, alone.nmse},
                  {"bias_ulp", together.bias_ulp, alone.bias_ulp},
                  {"bias_resolution", together.bias_resolution, alone.bias_resolution},
                  {"T", together.envelope_t, alone.envelope_t},
                  {"G", together.envelope_g, alone.envelope_g},
                  {"Q", together.envelope_q, alone.envelope_q},
                  {"resolution", together.resolution, alone.resolution},
                  {"quality", together.quality_nu, alone.quality_nu},
                  {"p99", together.p99_nu, alone.p99_nu},
                  {"rho", together.median_rho, alone.median_rho},
                  {"bit-exact", together.bit_exact, alone.bit_exact},
                  {"faithful", together.faithful, alone.faithful},
                  {"bits of the truth", together.truth_bits, alone.truth_bits}};
    for (size_t k = 0; k < sizeof number / sizeof *number; k++) {
        bool nan = isnan(number[k].together) && isnan(number[k].alone);
        cr_expect(nan || number[k].together == number[k].alone, "%s, spoiled %d, %s: %.17g and %.17g", id,
                  how, number[k].name, number[k].together, number[k].alone);
    }
    expect_same_verdict(&together, &alone);
    record_clear(&together);
    record_clear(&alone);
}

/* True for a small case of an operator that is judged by error bounds, if its steps give values alone. */
static bool concerns(const struct suite_case *c)
{
    if (c->procedure || c->level != LEVEL_SMOKE || !c->op->bound || c->op->one_rounding) {
        return false;
    }
    struct program *program = suite_build(c, 1, NULL);
    bool takes = mock_takes(program);
    program_destroy(&program);
    return takes;
}

static int hold_against_alone(struct profile (*profile)(void))
{
    struct suite_list *list = suite_list_create();
    int compared = 0;
    for (int i = 0; i < suite_list_count(list); i++) {
        const struct suite_case *c = suite_list_at(list, i);
        bool concerned = concerns(c);
        for (enum spoiling how = NOTHING; concerned && how < SPOILINGS; how++) {
            compare(suite_build(c, 1, NULL), suite_build(c, 1, NULL), suite_list_id(list, i), profile, how);
            compared++;
        }
    }
    suite_list_destroy(&list);
    return compared;
}

Test(bounded, as_judged_alone)
{
    cr_expect_gt(hold_against_alone(strict), 2500);
}

Test(bounded, as_judged_alone_beside_a_good_implementation_takes_seconds)
{
    cr_expect_gt(hold_against_alone(vulkan), 2500);
}

Test(bounded, as_judged_alone_under_open_rounding_takes_seconds)
{
    cr_expect_gt(hold_against_alone(open_rounding), 2500);
}

/* 1 + a·b − 1, a·b about 2^-21: what the truth's radius is beside the unit in the last place, 2^-8 or so,
 * is left to certification. */
static struct program *cancelling(const struct op *op)
{
    enum { ROWS = 40 };
    const struct shape rows = shape_of(2, (int64_t)ROWS, (int64_t)3),
                       columns = shape_of(2, (int64_t)3, (int64_t)ROWS);
    struct program *program = program_create();
    const struct view input[] = {program_input(program, DTYPE_FLOAT32, &rows),
                                 program_input(program, DTYPE_FLOAT32, &columns)};
    struct philox g;
    philox_start(&g, 8);
    for (int64_t i = 0; i < ROWS; i++) {
        const double row[] = {1, ldexp(1 + philox_unit(&g), -10), -1},
                     column[] = {1, ldexp(1 + philox_unit(&g), -11), 1};
        for (int64_t k = 0; k < 3; k++) {
            program_set(program, &input[0], i * 3 + k, 0, row[k]);
            program_set(program, &input[1], k * ROWS + i, 0, column[k]);
        }
    }
    program_step(program, op, NULL, 2, input);
    return program;
}

Test(bounded, radii_that_are_not_small_are_refined)
{
    const struct op *op = op_find("matmul");
    for (enum spoiling how = NOTHING; how < SPOILINGS; how++) {
        compare(cancelling(op), cancelling(op), "cancelling", strict, how);
    }
}

static struct program *product(const struct op *op)
{
    enum { ROWS = 16, TERMS = 2048 };
    const struct shape rows = shape_of(2, (int64_t)ROWS, (int64_t)TERMS),
                       columns = shape_of(2, (int64_t)TERMS, (int64_t)ROWS);
    struct program *program = program_create();
    const struct view input[] = {program_input(program, DTYPE_FLOAT32, &rows),
                                 program_input(program, DTYPE_FLOAT32, &columns)};
    struct philox g;
    philox_start(&g, 9);
    for (int64_t i = 0; i < (int64_t)ROWS * TERMS; i++) {
        program_set(program, &input[0], i, 0, philox_signed(&g));
        program_set(program, &input[1], i, 0, philox_signed(&g));
    }
    for (int s = 0; s < program->storages; s++) {
        program->storage[s].origin = ORIGIN_RANDOM;
    }
    program_step(program, op, NULL, 2, input);
    return program;
}

Test(bounded, what_lies_between_q_and_b_is_refused)
{
    const struct op *op = op_find("matmul");
    struct record record;
    judge_as(product(op), strict, TWO_OFF, false, &record);
    cr_expect_eq(record.over_bound, 2, "%lld, Q %g, B %g", (long long)record.over_bound, record.envelope_q,
                 record.max_nu);
    record_clear(&record);
    for (enum spoiling how = NOTHING; how < SPOILINGS; how++) {
        compare(product(op), product(op), "product", strict, how);
    }
}

/* Functions of so many ordinary numbers that runs are taken whole; where the truth is far below the limits,
 * and where it is a difference that tier 1 knows little of. */
static const struct ordinary {
    const char *op;
    double from, to;
    int count;
} ordinary[] = {
    {"exp", -3, 3, 1040},    {"exp", -3, 3, 1041},
    {"log", 0.1, 10, 1040},  {"log", 1 + 0x1p-23, 1 + 0x1p-18, 1040},
    {"tanh", 0.01, 4, 1040}, {"logit", 0.5 + 0x1p-23, 0.5 + 0x1p-17, 1040},
};

static struct program *function_of(const struct ordinary *of)
{
    const struct shape shape = shape_of(1, (int64_t)of->count);
    struct program *program = program_create();
    const struct view input = program_input(program, DTYPE_FLOAT32, &shape);
    struct philox g;
    philox_start(&g, 10);
    for (int64_t i = 0; i < of->count; i++) {
        program_set(program, &input, i, 0, of->from + (of->to - of->from) * philox_unit(&g));
    }
    program_step(program, op_find(of->op), NULL, 1, &input);
    return program;
}

Test(bounded, whole_runs_as_judged_alone)
{
    struct profile (*const profile[])(void) = {strict, vulkan, open_rounding};
    for (size_t k = 0; k < sizeof ordinary / sizeof *ordinary; k++) {
        for (size_t p = 0; p < sizeof profile / sizeof *profile; p++) {
            for (enum spoiling how = NOTHING; how < SPOILINGS; how++) {
                compare(function_of(&ordinary[k]), function_of(&ordinary[k]), ordinary[k].op, profile[p],
                        how);
            }
        }
    }
}

static struct program *product_of_op(const struct ordinary *of)
{
    return product(op_find(of->op));
}

/* Once with this machine's ISA and once with the generic one. */
static void compare_isas(struct program *(*make)(const struct ordinary *), const struct ordinary *of, int isa,
                         enum spoiling how)
{
    struct record truth_radius, plain;
    cr_assert(bounded_loops_force(isa));
    judge_as(make(of), vulkan, how, false, &truth_radius);
    cr_assert(bounded_loops_force(0));
    judge_as(make(of), vulkan, how, false, &plain);
    expect_same_verdict(&truth_radius, &plain);
    cr_expect(truth_radius.mean_ulp == plain.mean_ulp && truth_radius.resolution == plain.resolution &&
              truth_radius.bias_ulp == plain.bias_ulp && truth_radius.quality_nu == plain.quality_nu &&
              truth_radius.envelope_t == plain.envelope_t && truth_radius.median_rho == plain.median_rho);
    record_clear(&truth_radius);
    record_clear(&plain);
}

/* Compares the loops of lesser ISAs with the generic ones. */
Test(bounded, any_machine_gives_the_same_bits)
{
    const struct ordinary matmul = {.op = "matmul"};
    int isas = 0;
    for (int isa = 1; bounded_loops_force(isa); isa++, isas++) {
        for (enum spoiling how = NOTHING; how < SPOILINGS; how++) {
            compare_isas(product_of_op, &matmul, isa, how);
            compare_isas(function_of, &ordinary[0], isa, how);
        }
    }
    bounded_loops_force(-1);
    if (isas == 0) {
        cr_skip_test("this processor has one machine's loops alone");
    }
}

/* Every place of a column is a sum of three entries. Every third sum may leave the range on the way: there an
 * infinity is right as well. */
static struct program *sums_beyond(void)
{
    enum { PLACES = 300, ENTRIES = 3 * PLACES };
    struct program *program = program_create();
    const struct shape places = shape_of(2, (int64_t)2, (int64_t)ENTRIES),
                       values = shape_of(1, (int64_t)ENTRIES);
    const struct view input[] = {program_input(program, DTYPE_INT64, &places),
                                 program_input(program, DTYPE_FLOAT32, &values)};
    const struct attributes size = {
        .count = 1,
        .item = {
            {.name = "size", .type = ATTRIBUTE_INTEGERS, .integers = {.count = 2, .item = {PLACES, 1}}}}};
    struct philox g;
    philox_start(&g, 9);
    for (int64_t i = 0; i < ENTRIES; i++) {
        const bool beyond = i / 3 % 3 == 0;
        const double x = 1 + philox_unit(&g);
        program_set_bits(program, &input[0], i, 0, (uint64_t)(i / 3));
        program_set(program, &input[1], i, 0, !beyond ? x : i % 3 == 2 ? -2e38 * x / 1.5 : 2e38 * x / 1.2);
    }
    program_step(program, op_find("to_dense"), &size, 2, input);
    return program;
}

/* Numbers are judged in batches there as elsewhere; an infinity passes there and nowhere else. */
Test(bounded, an_infinity_passes_where_sums_may_leave_the_range)
{
    compare(sums_beyond(), sums_beyond(), "sums beyond the range", strict, NOTHING);
    for (int64_t place = 0; place < 6; place++) {
        struct view judged[TRUTH_OUTPUTS_MAX];
        struct record record;
        struct mock m;
        mock_open(&m, sums_beyond(), 1);
        mock_answer(&m);
        step_judged(&m.program->step[0], judged);
        dtype_store(DTYPE_FLOAT32, mock_element(&m, 0, &judged[0], place), INFINITY);
        mock_judge(&m, false, &record);
        cr_expect_eq(record.status, place % 3 == 0 ? STATUS_PASS : STATUS_FAIL, "place %d", (int)place);
        record_clear(&record);
        mock_close(&m);
    }
}

/* Of an operator that says nothing of bound_batch.h, and takes no finite result. */
static void refuse(const struct bound_query *query, struct accept *accept)
{
    const struct truth_output *out = &query->truth->output[query->output];
    accept_default(accept, out->dtype, query->profile, &out->value[query->element], op_bound(query));
    accept->set[0].component[0].finite = false;
}

Test(bounded, acceptance_of_its_own_is_asked)
{
    struct op op = *op_find("matmul");
    struct record record;
    op.accept = refuse;
    op.bounded = false;
    judge_as(product(&op), strict, NOTHING, false, &record);
    cr_expect_eq(record.over_bound, record.elements);
    record_clear(&record);
}
