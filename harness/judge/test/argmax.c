/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* argmax in verdicts: every place of a tie is right, and other places are reported with their elements. */

#include "harness/judge/test/mock.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct program *places_copied(const double *x)
{
    struct program *program = program_create();
    struct shape shape = shape_of(2, (int64_t)2, (int64_t)3), one = shape_of(1, (int64_t)2);
    struct view in = program_input(program, DTYPE_FLOAT32, &shape),
                kept = program_input(program, DTYPE_INT64, &one);
    for (int i = 0; i < 6; i++) {
        program_set(program, &in, i, 0, x[i]);
    }
    struct attributes dim = {.count = 1, .item = {{.name = "dim", .type = ATTRIBUTE_INTEGER, .integer = 1}}};
    struct view place = program_step(program, op_find("argmax"), &dim, 1, &in)->output[0];
    program_step(program, op_find("copy_"), NULL, 2, (struct view[]){kept, place});
    return program;
}

Test(argmax, a_later_step_reads_what_alone_is_right)
{
    struct mock m;
    mock_open(&m, places_copied((double[]){1, 2, 3, 6, 5, 4}), 2);
    mock_answer(&m);
    const struct record *record = mock_verdict(&m);
    cr_expect_eq(record->status, STATUS_PASS, "%s", record->reason);
    cr_expect_eq(record->elements, 4);
    cr_expect_eq(record->bit_exact, 1, "of the copy");
    for (int r = 0; r < 2; r++) {
        *(int64_t *)mock_element(&m, r, &m.program->step[0].output[0], 1) = 1;
    }
    record = mock_verdict(&m);
    cr_expect_str_eq(record->rule, "place");
    cr_expect_str_eq(record->worst.where, "step 0 (argmax) output 0 [1]");
    mock_close(&m);
    struct program *tied = places_copied((double[]){1, 2, 3, 6, 6, 4});
    struct program_truth truth;
    struct error error = {.text = ""};
    cr_expect_not(program_truth_compute(tied, NULL, &truth, &error));
    cr_expect(strstr(error.text, "step 1 (copy_) reads what an earlier step computed inexactly"), "%s",
              error.text);
    program_destroy(&tied);
}

/* A step that reads what an earlier step has changed is verified by what it read. */
Test(argmax, operands_are_those_before_the_step)
{
    struct program *program = program_create();
    struct shape shape = shape_of(1, (int64_t)3);
    struct view x = program_input(program, DTYPE_FLOAT32, &shape), last = x;
    last.offset = 2;
    last.shape.dim[0] = 1;
    struct attributes value = {.count = 1, .item = {{.name = "value", .type = ATTRIBUTE_REAL, .real = 9}}};
    program_set(program, &x, 1, 0, 5);
    program_step(program, op_find("fill_"), &value, 1, &last);
    program_step(program, op_find("argmax"), NULL, 1, &x);
    value.item[0].real = -9;
    program_step(program, op_find("fill_"), &value, 1, &last);
    struct mock m;
    mock_open(&m, program, 2);
    mock_answer(&m);
    cr_expect_eq(m.truth.truth[1]->output[0].value[0].hi, 2);
    const struct record *record = mock_verdict(&m);
    cr_expect_eq(record->status, STATUS_PASS, "%s", record->reason);
    *(int64_t *)mock_element(&m, 0, &program->step[1].output[0], 0) = 1;
    *(int64_t *)mock_element(&m, 1, &program->step[1].output[0], 0) = 1;
    cr_expect_eq(mock_verdict(&m)->status, STATUS_FAIL);
    mock_close(&m);
}

/* --- outputs of argmax are not measured element by element */

static void open_places(struct mock *m, int64_t rows, int64_t columns, const double *x)
{
    struct program *program = program_create();
    struct shape shape = shape_of(2, rows, columns);
    struct view in = program_input(program, DTYPE_FLOAT32, &shape);
    for (int64_t i = 0; i < rows * columns; i++) {
        program_set(program, &in, i, 0, x[i]);
    }
    struct attributes dim = {.count = 1, .item = {{.name = "dim", .type = ATTRIBUTE_INTEGER, .integer = 1}}};
    program_step(program, op_find("argmax"), &dim, 1, &in);
    mock_open(m, program, 2);
    mock_answer(m);
}

static const struct record *places(struct mock *m, int64_t first, int64_t second)
{
    for (int r = 0; r < m->runs; r++) {
        int64_t *got = mock_element(m, r, &m->program->step[0].output[0], 0);
        got[0] = first;
        got[1] = second;
    }
    return mock_verdict(m);
}

Test(argmax, any_of_the_greatest_is_right)
{
    struct mock m;
    open_places(&m, 2, 4, (double[]){1, 7, 2, 7, 0, -0.0, -3, 0});
    const int64_t first[] = {1, 3}, second[] = {0, 1, 3};
    for (int k = 0; k < 6; k++) {
        const struct record *record = places(&m, first[k % 2], second[k / 2]);
        cr_expect_eq(record->status, STATUS_PASS, "%s", record->reason);
        cr_expect_eq(record->elements, 2);
        cr_expect(isnan(record->max_ulp) && isnan(record->mean_ulp) && isnan(record->bit_exact) &&
                  isnan(record->faithful) && isnan(record->nmse) && isnan(record->p99_nu) &&
                  isnan(record->median_rho) && isnan(record->quality_nu) && isnan(record->resolution));
        cr_expect_eq(record->ulp_buckets, 0);
        cr_expect_eq(record->max_nu, 0);
        cr_expect_eq(record->worst.index, -1);
    }
    mock_close(&m);
}

Test(argmax, a_place_of_another_element_or_of_none_is_wrong)
{
    static const struct {
        int64_t first, second, index;
        const char *says;
    } row[] = {
        {0, 0, 0, "the element at place 0 is 1, not the greatest one: 7 at place 1 (1 of 2 elements fail)"},
        {1, 2, 1, "the element at place 2 is -3, not the greatest one: 0 at place 0 (1 of 2 elements fail)"},
        {4, 2, 0, "place 4 is none of 0 to 3; the greatest element, 7, is at place 1 (2 of 2 elements fail)"},
        {1, -1, 1, "place -1 is none of 0 to 3; the greatest element, 0, is at place 0"},
        {1, INT64_C(0x100000000), 1, "place 4294967296 is none of 0 to 3"},
    };
    struct mock m;
    open_places(&m, 2, 4, (double[]){1, 7, 2, 7, 0, -0.0, -3, 0});
    for (size_t k = 0; k < sizeof row / sizeof *row; k++) {
        const struct record *record = places(&m, row[k].first, row[k].second);
        cr_expect_eq(record->status, STATUS_FAIL);
        cr_expect_str_eq(record->rule, "place");
        cr_expect(strstr(record->reason, row[k].says), "%s", record->reason);
        cr_expect_eq(record->worst.index, row[k].index);
        cr_expect_eq(record->max_nu, INFINITY);
    }
    cr_expect_str_eq(m.record.worst.truth, "0 or another place, where the element is 0");
    cr_expect_str_eq(m.record.worst.got, "4294967296 (0x0000000100000000)");
    mock_close(&m);
}

Test(argmax, subnormals_that_may_be_flushed_tie)
{
    struct mock m;
    open_places(&m, 2, 4, (double[]){1, 2, 3, 4, 0, 0x1p-140, 0x1p-130, -1});
    cr_expect_eq(places(&m, 3, 2)->status, STATUS_PASS);
    cr_expect_eq(places(&m, 3, 1)->status, STATUS_FAIL);
    cr_expect_eq(places(&m, 3, 0)->status, STATUS_FAIL);
    m.profile.subnormals[DTYPE_FLOAT32] = SUBNORMALS_MAY_FLUSH;
    cr_expect_eq(places(&m, 3, 2)->status, STATUS_PASS);
    cr_expect_eq(places(&m, 3, 1)->status, STATUS_PASS);
    cr_expect_eq(places(&m, 3, 0)->status, STATUS_PASS);
    cr_expect_eq(places(&m, 3, 3)->status, STATUS_FAIL, "a number below zero is no zero");
    mock_close(&m);
}

Test(argmax, the_first_alone_where_that_is_promised)
{
    struct mock m;
    open_places(&m, 2, 4, (double[]){1, 7, 2, 7, 0, 0x1p-140, 0x1p-130, 0x1p-130});
    m.profile.ties = TIES_FIRST;
    cr_expect_eq(places(&m, 1, 2)->status, STATUS_PASS);
    cr_expect_eq(places(&m, 1, 3)->status, STATUS_FAIL);
    const struct record *record = places(&m, 3, 2);
    cr_expect_eq(record->status, STATUS_FAIL);
    cr_expect(strstr(record->reason, "of several greatest elements, 7, that at place 3 is not the first one, "
                                     "which the profile promises: place 1 (1 of 2 elements fail)"),
              "%s", record->reason);
    cr_expect_str_eq(record->worst.truth, "1, where the element is 7");
    m.profile.subnormals[DTYPE_FLOAT32] = SUBNORMALS_MAY_FLUSH;
    cr_expect_eq(places(&m, 1, 0)->status, STATUS_PASS, "the first of the zeros");
    cr_expect_eq(places(&m, 1, 1)->status, STATUS_FAIL, "neither flushed nor kept the first");
    cr_expect_eq(places(&m, 1, 2)->status, STATUS_PASS);
    mock_close(&m);
}

Test(argmax, special_values_count_where_they_are_promised)
{
    struct mock m;
    open_places(&m, 2, 4, (double[]){1, 2, 3, 4, INFINITY, 5, NAN, -1});
    cr_expect_eq(places(&m, 3, 2)->status, STATUS_PASS);
    cr_expect_eq(places(&m, 3, 0)->status, STATUS_FAIL, "a NaN is greater than an infinity");
    m.profile.special_values[DTYPE_FLOAT32] = false;
    cr_expect_eq(places(&m, 3, 0)->status, STATUS_PASS);
    cr_expect_eq(places(&m, 3, 4)->status, STATUS_FAIL, "no such place");
    cr_expect_eq(places(&m, 2, 2)->status, STATUS_FAIL, "a row without any");
    mock_close(&m);
}

/* Code that looks at elements one by one, for a table or a report, reports none falsely. */
Test(argmax, no_element_is_refused_alone)
{
    struct mock m;
    struct accept accept;
    open_places(&m, 2, 4, (double[]){1, 7, 2, 7, 0, -0.0, -3, 0});
    struct bound_query query = {
        .op = op_find("argmax"), .profile = &m.profile, .truth = m.truth.truth[0], .element = 1};
    op_accept(&query, &accept);
    cr_expect(accept_judge(&accept, &(int64_t){0}).accepted);
    cr_expect(accept_judge(&accept, &(int64_t){3}).accepted);
    mock_close(&m);
}

Test(argmax, rows_of_ties_alone_are_no_evidence)
{
    struct mock m;
    open_places(&m, 2, 4, (double[]){7, 7, 7, 7, 5, 5, 5, 5});
    const struct record *record = places(&m, 0, 3);
    cr_expect_eq(record->status, STATUS_VACUOUS);
    cr_expect_str_eq(record->rule, "wrong class: truth + 1");
    mock_close(&m);
    open_places(&m, 2, 4, (double[]){7, 7, 7, 7, 1, 5, 5, 2});
    cr_expect_str_eq(places(&m, 0, 1)->rule, "wrong class: twice the truth");
    mock_close(&m);
    open_places(&m, 2, 1, (double[]){7, 7});
    cr_expect_eq(places(&m, 0, 0)->status, STATUS_PASS, "there is one place alone");
    mock_close(&m);
}

Test(argmax, the_record_keeps_what_it_was)
{
    struct mock m;
    struct record back;
    struct error error;
    open_places(&m, 2, 4, (double[]){1, 7, 2, 7, 0, -0.0, -3, 0});
    places(&m, 0, 0);
    m.record.id = strdup("reduction/argmax/float32/x");
    char *line = record_format(&m.record);
    cr_assert(record_parse(line, strlen(line), &back, &error), "%s", error.text);
    cr_expect_str_eq(back.worst.whole, "place");
    cr_expect(isnan(back.bit_exact) && isnan(back.max_ulp));
    record_clear(&back);
    free(line);
    mock_close(&m);
}
