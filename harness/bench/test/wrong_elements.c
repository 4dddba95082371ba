/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Tests which single wrong elements `assay bench wrong` finds accepted: as many as the judge accepts, and a
 * hole only where the case passes with the wrong element. */

#include "harness/bench/wrong_elements.h"
#include "harness/judge/judge.h"
#include "harness/judge/traversal.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

TestSuite(wrong_elements, .timeout = 120);

enum { ALL = 1 << 20 };

static struct wrong_elements elements_of(const char *id, bool any, uint64_t seed)
{
    struct error error = {.text = ""};
    struct suite_list *list = suite_list_create();
    struct wrong_backend backend;
    struct wrong_elements seen = {.cases = 0};
    const int at = suite_list_find(list, id);
    cr_assert(at >= 0, "no case %s", id);
    cr_assert(wrong_backend_open(&backend, "cpu", &error), "%s", error.text);
    cr_assert(wrong_elements_add(&seen, suite_list_at(list, at), id, seed, any, ALL, &backend, &error), "%s",
              error.text);
    wrong_backend_close(&backend);
    suite_list_destroy(&list);
    return seen;
}

/* --- against the judge on the whole tensors at once */

struct zeroed {
    int64_t spoiled, refused;
};

/* Sets a one-component element to zero if zero is wrong there. Returns true if it did. */
static bool spoil(const struct traversal *t, int64_t at, unsigned char *bytes)
{
    const struct value *truth = truth_value(t->output, at);
    unsigned char right[8];
    if (truth->class != VALUE_FINITE) {
        return false;
    }
    dtype_store(t->view.dtype, right, value_approximately(truth));
    const double x = dtype_load(t->view.dtype, right);
    if (x == 0 || !isfinite(x)) {
        return false;
    }
    dtype_store(t->view.dtype, bytes, 0);
    return true;
}

static void zero_all(void *user, const struct program *program, struct program_truth *truth,
                     const struct images *images, const struct profile *profile)
{
    struct zeroed *z = user;
    struct ownership ownership;
    struct error error = {.text = ""};
    struct record record = {.id = NULL};
    struct step_result *result = calloc((size_t)program->steps, sizeof *result);
    cr_assert(ownership_create(&ownership, program, &error));
    struct traversal t = traversal_of(program, truth, profile, &ownership);
    while (traversal_next_tensor(&t)) {
        struct element_block block;
        while (traversal_next_slice(&t)) {
            while (traversal_next_block(&t, &block)) {
                for (int64_t i = block.first; i < block.first + block.count; i++) {
                    z->spoiled += spoil(&t, i - t.first, images_element(images, &t.view, i));
                }
            }
        }
    }
    struct judge_run run = {.images = images, .result = result};
    struct judge_request request = {
        .program = program, .truth = truth, .profile = profile, .runs = 1, .run = &run};
    cr_assert(judge(&request, &record, &error), "%s", error.text);
    z->refused = record.over_bound;
    record_clear(&record);
    ownership_destroy(&ownership);
    free(result);
}

static struct zeroed zeroed(const char *id)
{
    struct error error = {.text = ""};
    struct zeroed z = {0, 0};
    struct record record;
    struct suite_list *list = suite_list_create();
    struct wrong_backend backend;
    struct case_options options = {.seed = 1, .whole = true, .inspect = zero_all, .user = &z};
    cr_assert(wrong_backend_open(&backend, "cpu", &error), "%s", error.text);
    cr_assert(case_run(suite_list_at(list, suite_list_find(list, id)), id, &backend.class, backend.backend,
                       &options, &record));
    record_clear(&record);
    wrong_backend_close(&backend);
    suite_list_destroy(&list);
    return z;
}

Test(wrong_elements, as_many_zeros_are_taken_as_the_judge_accepts)
{
    static const char *const id[] = {"linalg/matmul/float32/rows-in-batches",
                                     "linalg/matmul/float16/rows-in-batches",
                                     "elementwise/sub/float32/ordinary"};
    for (size_t i = 0; i < sizeof id / sizeof *id; i++) {
        const struct wrong_elements seen = elements_of(id[i], true, 1);
        const struct zeroed z = zeroed(id[i]);
        cr_expect_eq(seen.elements, z.spoiled, "%s: %ld of %ld", id[i], (long)seen.elements, (long)z.spoiled);
        cr_expect_eq(seen.mistake[MISTAKE_ZERO].taken, z.spoiled - z.refused, "%s: %ld taken, %ld accepted",
                     id[i], (long)seen.mistake[MISTAKE_ZERO].taken, (long)(z.spoiled - z.refused));
        cr_expect_eq(seen.mistake[MISTAKE_ZERO].taken > 0, i < 2);
    }
}

/* --- holes */

/* Rows are compared bit by bit with the same rows in other batches, which fails answers that the error bounds
 * accept. */
Test(wrong_elements, what_the_case_refuses_is_no_hole)
{
    const struct wrong_elements seen = elements_of("linalg/matmul/float32/rows-in-batches", false, 1);
    const struct mistake_counts *zero = &seen.mistake[MISTAKE_ZERO];
    cr_expect_eq(seen.vacuous, 0);
    cr_expect(zero->taken > zero->holes && zero->holes > 0, "%ld of %ld", (long)zero->holes,
              (long)zero->taken);
    cr_expect_eq(seen.opening[OPENING_SMALL].holes,
                 zero->holes + seen.mistake[MISTAKE_NEGATED].holes + seen.mistake[MISTAKE_DOUBLED].holes);
    cr_expect(seen.opening[OPENING_SMALL].relative < 1e-4);
}

Test(wrong_elements, a_vacuous_case_has_no_holes)
{
    const struct wrong_elements seen = elements_of("linalg/logdet/float32/hilbert-n8", true, 1);
    cr_expect_eq(seen.cases, 1);
    cr_expect_eq(seen.vacuous, 1);
    for (int m = 0; m < MISTAKES; m++) {
        cr_expect_eq(seen.mistake[m].taken, seen.mistake[m].in_vacuous);
        cr_expect_eq(seen.mistake[m].holes, 0);
    }
    cr_expect_gt(seen.mistake[MISTAKE_DOUBLED].taken, 0);
}

/* The answer is four error bounds off, or the next number of a result that must be correctly rounded. */
Test(wrong_elements, what_is_far_off_is_refused)
{
    static const char *const id[] = {"elementwise/exp/float32/ordinary", "elementwise/sub/float32/ordinary",
                                     "elementwise/sub/bfloat16/ordinary",
                                     "linalg/matmul/float16/random-9x7x5"};
    for (size_t i = 0; i < sizeof id / sizeof *id; i++) {
        const struct wrong_elements seen = elements_of(id[i], true, 1);
        cr_expect(seen.elements > 40);
        cr_expect_eq(seen.mistake[MISTAKE_OFF].tried, seen.elements, "%s", id[i]);
        cr_expect_eq(seen.mistake[MISTAKE_OFF].taken, 0, "%s", id[i]);
    }
}

/* The exponential of a matrix with small entries is not the identity. */
Test(wrong_elements, small_entries_beside_ones_are_seen)
{
    static const char *const id[] = {"linalg/matrix_exp/float32/tiny", "linalg/matrix_exp/float64/tiny",
                                     "linalg/matrix_exp/float64/subnormal"};
    for (size_t i = 0; i < sizeof id / sizeof *id; i++) {
        const struct wrong_elements seen = elements_of(id[i], false, 1);
        cr_expect(seen.elements >= 9, "%s: %ld", id[i], (long)seen.elements);
        for (int m = 0; m < MISTAKES; m++) {
            cr_expect_eq(seen.mistake[m].taken, 0, "%s: %s", id[i], mistake_name((enum mistake)m));
        }
    }
}
