/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/shrink/test/shrink.h"

#include <criterion/criterion.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Tests --shrink on planted failures: how small each call gets, that it has the same failure with the same
 * cause, and that a sound backend passes the shrunk call with evidence. Each is bundled and replayed. For
 * failures that a wrong search would accept see shrink_search.c. */

TestSuite(shrink, .init = trial_begin, .fini = trial_end, .timeout = 300);
TestSuite(shrink_slow, .init = trial_begin, .fini = trial_end, .timeout = 300);

/* --- operands */

/* Returns the sign of a determinant, by elimination. */
static int determinant_sign(const double *from, int n)
{
    static double a[4096];
    int sign = 1;
    memcpy(a, from, (size_t)(n * n) * sizeof *a);
    for (int k = 0; k < n; k++) {
        int pivot = k;
        for (int i = k; i < n; i++) {
            pivot = fabs(a[i * n + k]) > fabs(a[pivot * n + k]) ? i : pivot;
        }
        sign = a[pivot * n + k] < 0 ? -sign : sign;
        sign = pivot != k ? -sign : sign;
        for (int j = 0; j < n; j++) {
            double kept = a[k * n + j];
            a[k * n + j] = a[pivot * n + j];
            a[pivot * n + j] = pivot != k ? kept : a[pivot * n + j];
        }
        for (int i = k + 1; i < n; i++) {
            for (int j = n - 1; j >= k; j--) {
                a[i * n + j] -= a[i * n + k] / a[k * n + k] * a[k * n + j];
            }
        }
    }
    return sign;
}

static void write_matrix(int n, int sign)
{
    static double x[4096];
    for (int k = 0; k < n * n; k++) {
        x[k] = (float)normal();
    }
    for (int k = 0; k < n && determinant_sign(x, n) != sign; k++) {
        for (int j = 0; j < n; j++) {
            x[k * n + j] = -x[k * n + j];
        }
    }
    write_tensor(0, DTYPE_FLOAT32, shape_of(2, (int64_t)n, (int64_t)n), x);
}

static void matrix_24(void)
{
    write_matrix(24, 1);
}
static void matrix_64(void)
{
    write_matrix(64, 1);
}
static void negative_matrix(void)
{
    write_matrix(16, -1);
}
static void last_leads(void)
{
    static double x[6 * 40];
    for (int k = 0; k < 6 * 40; k++) {
        x[k] = k == 4 * 40 - 1 ? 20 : normal();
    }
    write_tensor(0, DTYPE_FLOAT32, shape_of(2, (int64_t)6, (int64_t)40), x);
}
static void batches(void)
{
    write_normal(0, shape_of(3, (int64_t)4, (int64_t)8, (int64_t)8), 1, 0);
    write_normal(1, shape_of(3, (int64_t)4, (int64_t)8, (int64_t)8), 1, 0);
}
static void far_rows(void)
{
    write_normal(0, shape_of(2, (int64_t)6, (int64_t)128), 1, 3000);
}
static void small_rows(void)
{
    write_normal(0, shape_of(2, (int64_t)6, (int64_t)128), 1e-3, 0);
    write_normal(1, shape_of(1, (int64_t)128), 0, 1);
    write_normal(2, shape_of(1, (int64_t)128), 0, 0);
}
static void rows(void)
{
    write_normal(0, shape_of(2, (int64_t)50, (int64_t)70), 1, 0);
}
static void vectors(void)
{
    write_normal(0, shape_of(2, (int64_t)30, (int64_t)10), 1, 0);
    write_normal(1, shape_of(2, (int64_t)30, (int64_t)10), 1, 0);
}
static void broadcast(void)
{
    write_normal(0, shape_of(3, (int64_t)5, (int64_t)8, (int64_t)8), 1, 0);
    write_normal(1, shape_of(1, (int64_t)8), 1, 0);
}
static void entries(void)
{
    enum { ENTRIES = 90 };
    double index[2 * ENTRIES];
    for (int k = 0; k < 2 * ENTRIES; k++) {
        index[k] = floor(uniform() * (k < ENTRIES ? 9 : 13));
    }
    write_tensor(0, DTYPE_INT64, shape_of(2, (int64_t)2, (int64_t)ENTRIES), index);
    write_normal(1, shape_of(1, (int64_t)ENTRIES), 1, 0);
    write_normal(2, shape_of(2, (int64_t)13, (int64_t)7), 1, 0);
}

/* --- the failures */

struct row {
    const char *fault;
    const char *call; /* operator and attributes */
    void (*operands)(void);
    int inputs;
    const char *after, *hypothesis; /* NULL: not explained */
};

static const struct row quick[] = {
    {"wrong-pivot", "logdet", matrix_24, 1, "batch 1, order 2", NULL},
    {"lost-sign", "logdet", negative_matrix, 1, "batch 1, order 1", "wrong-sign"},
    {"tf32", "matmul", write_product, 2, "rows 1, columns 1, batch 1, terms 1", "operands-tf32"},
    {"last-term", "matmul", write_product, 2, "rows 1, columns 1, batch 1, terms 2", NULL},
    {"negated", "matmul", batches, 2, "rows 1, columns 1, batch 1, terms 1", "wrong-sign"},
    {"naive-variance", "layer_norm --attr normalized_shape=128", far_rows, 1, "rows 1, terms 2",
     "naive-variance"},
    {"eps-ignored", "layer_norm --attr normalized_shape=128", small_rows, 3, "rows 1, terms 2",
     "eps-ignored"},
    {"scaled-norms", "vector_norm --attr dim=1", rows, 1, "rows 3, terms 1", "scale"},
    {"shifted-norms", "vector_norm --attr dim=1", rows, 1, "rows 2, terms 1", "permutation"},
    {"unwritten", "add_", vectors, 2, "rows 1, columns 1", "stale"},
    {"bfloat16-operands", "add_ --attr alpha=0.7", vectors, 2, "rows 1, columns 1", "operands-bfloat16"},
    {"unwritten", "add_", broadcast, 2, "rows 1, columns 1", "stale"},
    {"sparse-duplicate", "sparse_mm --attr size=9,13", entries, 3, "width 1, rows 1, columns 1, entries 2",
     NULL},
    {"dense-duplicate", "to_dense --attr size=9,13", entries, 2, "rows 1, columns 1, entries 2", NULL},
    {"last-place", "argmax --attr dim=1", last_leads, 1, "rows 1, terms 2", NULL},
};

static const struct row slow[] = {
    {"wrong-pivot", "logdet", matrix_64, 1, "batch 1, order 2", NULL},
};

static json_t *shrink(const struct row *row, json_t **whole)
{
    char inputs[200] = "";
    operands_restart();
    row->operands();
    for (int i = 0; i < row->inputs; i++) {
        snprintf(inputs + strlen(inputs), sizeof inputs - strlen(inputs), " --input FOLDER/%d.npy", i);
    }
    setenv("ASSAY_TEST_VALUES", row->fault, 1);
    trial_run("repro --op %s%s --backend faulty --format json --shrink --bundle FOLDER/b.zip --output-dir "
              "FOLDER/out",
              row->call, inputs);
    return first_answer(whole);
}

static void check_same_failure(const struct row *row, const json_t *before, const json_t *after)
{
    const char *hypothesis = row->hypothesis ? row->hypothesis : "";
    cr_expect_str_eq(text_of(before, "status"), "fail");
    cr_expect_str_eq(text_of(after, "status"), "fail", "%s", row->fault);
    cr_expect_str_eq(text_of(after, "rule"), text_of(before, "rule"), "%s", row->fault);
    cr_expect_str_eq(text_of(before, "hypothesis"), hypothesis, "%s", row->fault);
    cr_expect_str_eq(text_of(after, "hypothesis"), hypothesis, "%s %s", row->fault, row->call);
    cr_expect_str_eq(text_of(after, "after"), row->after, "%s %s: %s", row->fault, row->call,
                     text_of(after, "after"));
    cr_expect(json_is_true(json_object_get(after, "complete")), "%s", row->fault);
    cr_expect(json_is_true(json_object_get(after, "alone")), "%s", row->fault);
}

/* Replays the bundle on a sound backend, on the wrong one, and from the recorded results alone. */
static void check_replays(const struct row *row)
{
    json_t *whole, *answer;
    /* the truth is NaN or a place, so that no error of scale can be detected */
    bool special = strcmp(row->fault, "lost-sign") == 0 || strcmp(row->fault, "last-place") == 0;
    trial_run("repro FOLDER/b.zip --backend cpu --format json");
    answer = first_answer(&whole);
    cr_expect_eq(trial->status, 0, "%s", trial->output);
    cr_expect_str_eq(text_of(answer, "status"), "pass", "%s: a sound backend: %s", row->fault, trial->output);
    cr_expect(special || number_of(answer, "resolution") <= 0.1, "%s is evidence of nothing: %s", row->fault,
              trial->output);
    cr_expect_str_eq(text_of(answer, "replay"), "the failure is gone");
    cr_expect_str_eq(text_of(answer, "reference_differs"), "");
    json_decref(whole);
    const char *const ways[] = {"--backend faulty", ""};
    for (int w = 0; w < 2; w++) {
        trial_run("repro FOLDER/b.zip --time-limit 30 %s", ways[w]);
        cr_expect_eq(trial->status, 1, "%s", trial->output);
        cr_expect(strstr(trial->output, "replay           still there"), "%s", trial->output);
        cr_expect(strstr(trial->output, "the truth is the bundle's"), "%s", trial->output);
    }
}

static void check_row(const struct row *row)
{
    json_t *whole, *before = shrink(row, &whole), *after = json_object_get(before, "shrunk");
    cr_assert_not_null(after, "%s: %s", row->fault, trial->output);
    check_same_failure(row, before, after);
    check_replays(row);
    json_decref(whole);
}

Test(shrink, planted_failures_get_small_and_stay_what_they_are)
{
    cr_assert_geq(sizeof quick / sizeof *quick, 12);
    for (size_t r = 0; r < sizeof quick / sizeof *quick; r++) {
        check_row(&quick[r]);
    }
}

Test(shrink_slow, one_wrong_pivot_of_sixty_four)
{
    check_row(&slow[0]);
}

Test(shrink, the_same_input_gives_the_same_result)
{
    json_t *whole[2];
    char *text[2];
    for (int k = 0; k < 2; k++) {
        json_t *answer = shrink(&quick[5], &whole[k]);
        text[k] = json_dumps(json_object_get(json_object_get(answer, "shrunk"), "inputs"), JSON_SORT_KEYS);
    }
    cr_expect_str_eq(text[0], text[1]);
    for (int k = 0; k < 2; k++) {
        free(text[k]);
        json_decref(whole[k]);
    }
}

/* A sum that is a number of the dtype fails by the error bound, any other by the rule of correct rounding.
 */
Test(shrink, a_neighbouring_rule_is_not_taken)
{
    const struct row row = {"sum-off", "add_", vectors, 2, NULL, NULL};
    json_t *whole, *before = shrink(&row, &whole), *after = json_object_get(before, "shrunk");
    cr_assert_not_null(after, "%s", trial->output);
    cr_expect_str_eq(text_of(before, "rule"), "rounding");
    cr_expect_str_eq(text_of(after, "rule"), "rounding", "%s", trial->output);
    cr_expect_str_eq(text_of(after, "after"), "rows 1, columns 1");
    json_decref(whole);
}

Test(shrink, the_end_of_the_time_is_reported)
{
    setenv("ASSAY_TEST_VALUES", "wrong-pivot", 1);
    operands_restart();
    matrix_24();
    trial_run("repro --op logdet --input FOLDER/0.npy --backend faulty --shrink --shrink-time 0.01");
    cr_expect(strstr(trial->output, "the time was up"), "%s", trial->output);
    cr_expect(strstr(trial->output, "order 24 -> batch 1, order 24"), "%s", trial->output);
}
