/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Large tensors, judged in slices, by any number of threads and in batches, compared with the whole truth and
 * with loops of the test's own. */
#include "harness/judge/test/same_verdict.h"
#include "reference/base/philox.h"
#include "reference/program/slices.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 700, WIDTH = 300 };

static struct program *large_program(const char *op, bool affine)
{
    struct program *program = program_create();
    struct shape shape = shape_of(2, (int64_t)ROWS, (int64_t)WIDTH), row = shape_of(1, (int64_t)WIDTH);
    struct attributes attributes = {.count = affine};
    attributes.item[0] =
        (struct attribute){.name = "normalized_shape", .type = ATTRIBUTE_INTEGERS, .integers = {1, {WIDTH}}};
    struct view input[2] = {program_input(program, DTYPE_FLOAT32, &shape)};
    struct philox g;
    philox_start(&g, 3);
    for (int64_t i = 0; i < ROWS * WIDTH; i++) {
        program_set(program, &input[0], i, 0, (philox_unit(&g) + philox_unit(&g) - 1) * 2);
    }
    if (affine) {
        input[1] = program_input(program, DTYPE_FLOAT32, &row);
        for (int64_t i = 0; i < WIDTH; i++) {
            program_set(program, &input[1], i, 0, 0.5 + philox_unit(&g));
        }
    }
    for (int s = 0; s < program->storages; s++) {
        program->storage[s].origin = ORIGIN_RANDOM;
    }
    program_step(program, op_find(op), &attributes, affine ? 2 : 1, input);
    return program;
}

static float *results(struct mock *m, int run)
{
    return (float *)(void *)mock_storage(m, run, m->program->step[0].output[0].storage);
}

static void spoil(struct mock *m, int64_t element, float by)
{
    for (int r = 0; r < m->runs; r++) {
        results(m, r)[element] += by;
    }
}

/* Judges again, with the truth in slices of `per` rows. */
static void judge_sliced(struct mock *m, int threads, int64_t per, struct record *record)
{
    struct error error = {.text = ""};
    struct program_truth truth;
    const struct truth_source source = {.sliced = true};
    struct judge_run run[MOCK_RUNS];
    cr_assert(program_truth_compute(m->program, &source, &truth, &error) && truth.slices, "%s", error.text);
    program_truth_slices(&truth, 0)->per = per;
    for (int r = 0; r < m->runs; r++) {
        run[r] = (struct judge_run){&m->images[r], m->result[r]};
    }
    const struct judge_request request = {.program = m->program,
                                          .truth = &truth,
                                          .profile = &m->profile,
                                          .runs = m->runs,
                                          .run = run,
                                          .threads = threads};
    memset(record, 0, sizeof *record);
    cr_assert(judge(&request, record, &error), "%s", error.text);
    program_truth_destroy(&truth);
}

static void hold_against_whole(struct mock *m, enum status status)
{
    static const struct {
        int threads;
        int64_t per;
    } row[] = {{1, 1}, {1, 37}, {3, 37}, {2, ROWS}};
    struct record first, other;
    const int64_t unit = m->program->step->op->elementwise ? WIDTH : 1; /* there each element is a row */
    mock_verdict(m);
    cr_expect_eq(m->record.status, status, "%s", m->record.reason);
    for (size_t k = 0; k < sizeof row / sizeof *row; k++) {
        judge_sliced(m, row[k].threads, row[k].per * unit, k == 1 ? &first : &other);
        expect_same_verdict(k == 1 ? &first : &other, &m->record);
        if (row[k].per == 37 && row[k].threads > 1) { /* any number of threads: the same to the bit */
            cr_expect(first.mean_ulp == other.mean_ulp && first.nmse == other.nmse &&
                      first.envelope_t == other.envelope_t && first.envelope_g == other.envelope_g &&
                      first.p99_nu == other.p99_nu && first.resolution == other.resolution);
        }
        if (k != 1) {
            record_clear(&other);
        }
    }
    record_clear(&first);
}

Test(large, normalized_rows_in_slices_are_judged_as_the_whole)
{
    struct mock m;
    mock_open(&m, large_program("layer_norm", true), 1);
    mock_answer(&m);
    hold_against_whole(&m, STATUS_PASS);
    for (int64_t i = 0; i < ROWS * WIDTH; i++) { /* a neighbour now and then */
        results(&m, 0)[i] = i % 3 ? nextafterf(results(&m, 0)[i], i % 2 ? 9 : -9) : results(&m, 0)[i];
    }
    hold_against_whole(&m, STATUS_PASS);
    spoil(&m, 123456, 1);
    hold_against_whole(&m, STATUS_FAIL);
    cr_expect_eq(m.record.worst.index, 123456);
    spoil(&m, 123456, -1);
    for (int64_t i = 0; i < ROWS * WIDTH; i++) { /* an error of scale, which T and G see */
        results(&m, 0)[i] *= 1 + 0x1p-19F;
    }
    hold_against_whole(&m, STATUS_FAIL);
    mock_close(&m);
}

/* What the plain loops and the plain truth say of squares; every `period`-th result is an ulp off. */
static void expect_squares(struct mock *m, int64_t wrong)
{
    const struct view *input = &m->program->step[0].input[0];
    int64_t inexact = 0, exact = 0, faithful = 0, n = ROWS * WIDTH;
    double greatest = 0, sum = 0, error = 0, square = 0, resolution = INFINITY;
    for (int64_t i = 0; i < n; i++) {
        float x = *(float *)mock_element(m, 0, input, i), got = results(m, 0)[i];
        double t = (double)x * (double)x, rounded = (double)(float)t, ulp = dtype_ulp(DTYPE_FLOAT32, t);
        exact += (double)got == rounded;
        inexact += (double)got != t;
        faithful += fabs((double)got - t) < ulp;
        greatest = fmax(greatest, fabs((double)got - t) / ulp);
        sum += fabs((double)got - t) / ulp;
        error += ((double)got - t) * ((double)got - t);
        square += t * t;
        double to = dtype_ulp(DTYPE_FLOAT32, rounded) / 2 - fabs(rounded - t);
        to = to > 0 ? to : dtype_ulp(DTYPE_FLOAT32, rounded); /* of a tie both neighbours are as near */
        resolution = t > 0 ? fmin(resolution, to / t) : resolution;
    }
    const struct record *r = &m->record;
    cr_expect_eq(r->elements, n);
    cr_expect_eq(r->over_bound, wrong);
    cr_expect_eq(exact, n - wrong);
    cr_expect_eq(r->bit_exact, (double)exact / (double)n);
    cr_expect_eq(r->faithful, (double)faithful / (double)n);
    cr_expect_eq(r->over_0, inexact);
    cr_expect_eq(r->max_ulp, greatest);
    cr_expect_float_eq(r->mean_ulp, sum / (double)n, 1e-9);
    cr_expect_float_eq(r->nmse, error / square, 1e-9 * (error / square));
    cr_expect_float_eq(r->resolution, resolution, 1e-9 * resolution, "%g, %g", r->resolution, resolution);
    cr_expect_eq(r->median_rho, 0);
}

Test(large, squares_are_judged_many_at_a_time)
{
    struct mock m;
    mock_open(&m, large_program("square", false), 2);
    mock_answer(&m);
    hold_against_whole(&m, STATUS_PASS);
    expect_squares(&m, 0);
    cr_expect_eq(m.record.over_1, 0);
    cr_expect_eq(m.record.worst.index, -1);
    for (int64_t i = 5000; i < 6000; i += 100) {
        spoil(&m, i, results(&m, 0)[i] * 0x1p-22F);
    }
    hold_against_whole(&m, STATUS_FAIL);
    expect_squares(&m, 10);
    cr_expect_eq(m.record.worst.index, 5000);
    mock_close(&m);
}

/* Judged whole and in slices: right results, some off by one number in each binade, one far off. */
static void hold_function(struct program *program)
{
    struct mock m;
    mock_open(&m, program, 1);
    mock_answer(&m);
    hold_against_whole(&m, STATUS_PASS);
    for (int64_t i = 0; i < ROWS * WIDTH; i += 3) {
        results(&m, 0)[i] = nextafterf(results(&m, 0)[i], i % 2 ? INFINITY : -INFINITY);
    }
    mock_verdict(&m);
    hold_against_whole(&m, m.record.status);
    spoil(&m, 600 * WIDTH + 17, 1);
    hold_against_whole(&m, STATUS_FAIL);
    mock_close(&m);
}

/* Truths that are numbers, not values, except at the ends of the range, for special values and for subnormal
 * numbers. */
Test(large, functions_of_one_number_in_slices)
{
    static const char *const names[] = {"exp", "sinh"};
    static const struct {
        int64_t row, rows;
        double scale;
    } bands[] = {{100, 40, 100}, {200, 40, 0x1p-149}, {300, 20, 0x1p-128}, {400, 9, INFINITY}};
    for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
        struct program *program = large_program(names[n], false);
        struct philox g;
        philox_start(&g, n);
        for (size_t b = 0; b < sizeof bands / sizeof *bands; b++) {
            for (int64_t i = 0; i < bands[b].rows * WIDTH; i++) {
                program_set(program, &program->step[0].input[0], bands[b].row * WIDTH + i, 0,
                            bands[b].scale * philox_signed(&g));
            }
        }
        hold_function(program);
    }
}

/* Inputs next to 1.46163214, where digamma is zero. */
Test(large, later_slices_of_fewer_bits)
{
    struct program *program = large_program("digamma", false);
    struct philox g;
    philox_start(&g, 1);
    for (int64_t i = 0; i < ROWS * WIDTH; i++) {
        double x = philox_unit(&g);
        program_set(program, &program->step[0].input[0], i, 0,
                    i / WIDTH != 652 ? 3 + x : 0x1.762d86p0 + 0x1p-4 * (1 + x));
    }
    struct mock m;
    struct record record[3];
    mock_open(&m, program, 1);
    mock_answer(&m);
    judge_sliced(&m, 1, ROWS * WIDTH, &record[0]);
    judge_sliced(&m, 1, 10 * WIDTH, &record[1]);
    judge_sliced(&m, 1, 600 * WIDTH, &record[2]);
    const int bits = record[0].truth_bits;
    cr_expect_leq(bits, 45);
    for (int k = 0; k < 3; k++) {
        cr_expect_eq(record[k].truth_bits, bits, "%d: %d, %d", k, record[k].truth_bits, bits);
        record_clear(&record[k]);
    }
    mock_close(&m);
}

/* The worst element is certified where the slice is small beside its tensor, too. Numbers of one binade are
 * no picture, however many chunks they come in. */
Test(large, small_slices_of_one_binade)
{
    enum { COUNT = 10 * (1 << 15) }; /* ten chunks */
    struct program *program = program_create();
    const struct shape shape = shape_of(1, (int64_t)COUNT);
    const struct view x = program_input(program, DTYPE_FLOAT32, &shape);
    struct philox g;
    philox_start(&g, 5);
    for (int64_t i = 0; i < COUNT; i++) {
        program_set(program, &x, i, 0, 1 + philox_unit(&g));
    }
    program_step(program, op_find("exp"), NULL, 1, &x);
    struct mock m;
    struct record record;
    mock_open(&m, program, 1);
    mock_answer(&m);
    mock_verdict(&m);
    judge_sliced(&m, 1, 64, &record);
    expect_same_verdict(&record, &m.record);
    cr_expect_eq(record.by_inputs, 0);
    cr_expect_gt(strlen(record.worst.truth), 25U, "%s", record.worst.truth);
    record_clear(&record);
    mock_close(&m);
}

/* Special values, subnormal numbers, zeros, ties and overflow among many ordinary elements are judged one by
 * one. */
Test(large, squares_of_hostile_numbers)
{
    static const float hostile[] = {0,         -0.0F,         INFINITY,      NAN,        1e-30F,
                                    0x1p-75F,  0x1.5p-70F,    0x1p-63F,      0x1.8p-63F, 0x1.8p64F,
                                    0x1p63F,   0x1.000002p0F, 0x1.001p0F,    1,          0x1.FFFFFEp127F,
                                    0x1p-149F, 0x1.6A09E6p0F, 0x1.6A09E8p63F};
    enum { HOSTILE = sizeof hostile / sizeof *hostile };
    struct program *program = large_program("square", false);
    const struct view input = program->step[0].input[0];
    for (int64_t i = 0; i < ROWS * WIDTH; i += 1000) {
        program_set(program, &input, i, 0, (double)hostile[i / 1000 % HOSTILE]);
    }
    struct mock m;
    mock_open(&m, program, 2);
    mock_answer(&m);
    hold_against_whole(&m, STATUS_PASS);
    cr_expect_eq(m.record.bit_exact, 1);
    for (int k = 0; k < HOSTILE; k++) { /* each of them another number */
        float *x = &results(&m, 0)[k * 1000], before = *x;
        *x = isfinite(before) && before != 0 ? nextafterf(before, 9) : 1;
        memcpy(&results(&m, 1)[k * 1000], x, sizeof *x);
        mock_verdict(&m);
        cr_expect(m.record.status == STATUS_FAIL && m.record.over_bound == 1 &&
                      m.record.worst.index == k * 1000,
                  "%a squared: %a passes", (double)hostile[k], (double)*x);
        *x = before;
        memcpy(&results(&m, 1)[k * 1000], x, sizeof *x);
    }
    mock_close(&m);
}

/* A whole truth in chunks of rows: products, a wrong one among them. */
static struct program *large_product(void)
{
    struct program *program = program_create();
    struct shape left = shape_of(2, (int64_t)ROWS, (int64_t)20),
                 right = shape_of(2, (int64_t)20, (int64_t)WIDTH);
    struct view input[2] = {program_input(program, DTYPE_FLOAT32, &left),
                            program_input(program, DTYPE_FLOAT32, &right)};
    struct philox g;
    philox_start(&g, 4);
    for (int i = 0; i < 2; i++) {
        for (int64_t e = 0; e < shape_elements(&input[i].shape); e++) {
            program_set(program, &input[i], e, 0,
                        (philox_unit(&g) - 0.5) * ldexp(1, (int)philox_below(&g, 8)));
        }
        program->storage[input[i].storage].origin = ORIGIN_RANDOM;
    }
    program_step(program, op_find("matmul"), NULL, 2, input);
    return program;
}

static void hold_threads_against_one(enum status status, int64_t wrong)
{
    struct record record[4];
    for (int threads = 0; threads < 4; threads++) { /* each from a fresh truth: what was certified stays so */
        struct mock m;
        mock_open(&m, large_product(), 1);
        mock_answer(&m);
        for (int64_t i = 0; i < ROWS * WIDTH; i += 2) {
            results(&m, 0)[i] = nextafterf(results(&m, 0)[i], i % 4 ? INFINITY : -INFINITY);
        }
        if (wrong >= 0) {
            spoil(&m, wrong, 1);
        }
        struct judge_run run = {&m.images[0], m.result[0]};
        const struct judge_request request = {.program = m.program,
                                              .truth = &m.truth,
                                              .profile = &m.profile,
                                              .runs = 1,
                                              .run = &run,
                                              .threads = threads};
        memset(&record[threads], 0, sizeof *record);
        cr_assert(judge(&request, &record[threads], NULL));
        cr_expect_eq(record[threads].status, status, "%s", record[threads].reason);
        cr_expect_eq(record[threads].truth_bits, record[0].truth_bits);
        expect_same_verdict(&record[threads], &record[0]);
        mock_close(&m);
    }
    cr_expect_eq(record[2].envelope_t, record[3].envelope_t);
    cr_expect_eq(record[2].mean_ulp, record[3].mean_ulp);
    cr_expect_eq(record[3].worst.index == wrong, wrong >= 0);
    for (int k = 0; k < 4; k++) {
        record_clear(&record[k]);
    }
}

Test(large, products_are_judged_by_several_threads_as_by_one)
{
    hold_threads_against_one(STATUS_PASS, -1);
    hold_threads_against_one(STATUS_FAIL, 200123);
}

/* Two steps that stand alone, the first without radii; of the second values are off, within a radius that
 * says so. */
Test(large, a_later_step_is_certified_from_its_own_operands)
{
    struct program *program = large_program("square", false);
    struct shape shape = shape_of(2, (int64_t)4, (int64_t)WIDTH);
    struct view x = program_input(program, DTYPE_FLOAT32, &shape);
    struct attributes attributes = {.count = 1};
    attributes.item[0] =
        (struct attribute){.name = "normalized_shape", .type = ATTRIBUTE_INTEGERS, .integers = {1, {WIDTH}}};
    for (int64_t i = 0; i < 4 * WIDTH; i++) {
        program_set(program, &x, i, 0, (double)(i * i % 1009) - 300);
    }
    program_step(program, op_find("layer_norm"), &attributes, 1, &x);
    struct mock m;
    mock_open(&m, program, 1);
    mock_answer(&m);
    const double right = mock_verdict(&m)->mean_ulp;
    struct truth_output *y = &m.truth.truth[1]->output[0];
    cr_assert(y->radius && !m.truth.truth[0]->output[0].radius);
    for (int64_t i = 0; i < y->elements; i++) {
        y->radius[i] = fabs(y->value[i].hi) * 0x1p-20;
        y->value[i].hi *= 1 + 0x1p-21;
    }
    cr_expect_eq(mock_verdict(&m)->status, STATUS_PASS, "%s", m.record.reason);
    expect_near(m.record.mean_ulp, right, 1e-12, "mean_ulp");
    mock_close(&m);
}
