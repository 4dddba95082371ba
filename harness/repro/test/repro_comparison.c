/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/test/trial.h"

#include <criterion/criterion.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Tests the comparison of several backends, which are programs that err in known ways (drifting_program.py).
 */

static json_t *json; /* the comparison of the latest call */
static json_t *whole;

enum { N = 24 };

static void write_numbers(const char *name, unsigned seed)
{
    static double a[N * N];
    srand48((long)seed);
    for (int k = 0; k < N * N; k++) { /* nearly normally distributed */
        a[k] = drand48() + drand48() + drand48() + drand48() - 2;
    }
    trial_array(name, shape_of(2, (int64_t)N, (int64_t)N), a);
}

static void begin(void)
{
    static const char *const ways[] = {"exact", "coarse", "coarse2", "scaled", "skewed", "nan", "dies"};
    trial_begin();
    write_numbers("A.npy", 1);
    write_numbers("B.npy", 2);
    for (size_t w = 0; w < sizeof ways / sizeof *ways; w++) {
        char text[PATH_MAX + 128], folder[PATH_MAX];
        cr_assert_not_null(getcwd(folder, sizeof folder));
        snprintf(text, sizeof text,
                 "#!/bin/sh\nexec python3 %s/harness/test/programs/drifting_program.py %.6s\n", folder,
                 ways[w]);
        trial_script(ways[w], text);
    }
}

static void end(void)
{
    json_decref(whole);
    whole = NULL;
    trial_end();
}

TestSuite(repro_comparison, .init = begin, .fini = end, .timeout = 120);

/* Returns the sentence, with the directory removed from the names. */
static const char *ask(const char *first, const char *second, const char *third)
{
    static char said[2048];
    const char *const way[] = {first, second, third};
    char words[512] = "", name[128];
    for (int w = 0; w < 3; w++) {
        size_t used = strlen(words);
        if (way[w] && strcmp(way[w], "cpu") == 0) {
            snprintf(words + used, sizeof words - used, " --backend cpu");
        } else if (way[w]) {
            snprintf(words + used, sizeof words - used, " --backend exec:FOLDER/%s", way[w]);
        }
    }
    trial_run("repro --op matmul --dtype float32 --input FOLDER/A.npy --input FOLDER/B.npy%s --format json",
              words);
    json_decref(whole);
    whole = json_loads(strchr(trial->output, '{') ? strchr(trial->output, '{') : "", JSON_DISABLE_EOF_CHECK,
                       NULL);
    json = json_object_get(whole, "comparison");
    const char *sentence = json_string_value(json_object_get(json, "sentence"));
    cr_assert_not_null(sentence, "%s", trial->output);
    snprintf(name, sizeof name, "exec:%s/", trial->folder);
    said[0] = 0;
    for (const char *at = sentence; *at;) {
        size_t used = strlen(said);
        at += strncmp(at, name, strlen(name)) == 0 ? strlen(name) : 0;
        if (*at) {
            snprintf(said + used, sizeof said - used, "%c", *at++);
        }
    }
    return said;
}

static json_t *of(int b)
{
    return json_array_get(json_object_get(json, "backends"), (size_t)b);
}

static double number(json_t *object, const char *key)
{
    cr_assert(json_is_number(json_object_get(object, key)), "%s: %s", key, trial->output);
    return json_number_value(json_object_get(object, key));
}

static void verdict(int b, const char *word)
{
    cr_expect_str_eq(json_string_value(json_object_get(of(b), "verdict")), word, "%d: %s", b, trial->output);
}

static bool starts(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

Test(repro_comparison, none_drifts_and_how_much_they_differ)
{
    const char *said = ask("cpu", "exact", NULL);
    cr_expect(starts(said, "none drifts: they differ by at most "), "%s", said);
    cr_expect(strstr(said, " of 576 elements"), "%s", said);
    verdict(0, "right");
    verdict(1, "right");
    cr_expect_lt(number(of(0), "q"), 1.0);
    json_t *pair = json_array_get(json_object_get(json, "pairs"), 0);
    cr_expect_gt(number(pair, "differing"), 0);
    cr_expect_gt(number(pair, "max_difference"), 0);
    cr_expect_lt(number(pair, "max_difference"), 1e-4);
    cr_expect_geq(number(pair, "max_ulp"), 1);
}

Test(repro_comparison, the_same_bits_are_said_to_be)
{
    const char *said = ask("coarse", "coarse2", "exact");
    cr_expect(starts(said, "coarse and coarse2 drift the same way (the same bits): coarse "), "%s", said);
    said = ask("exact", "dies", NULL);
    cr_expect(starts(said, "none drifts; dies gives no answer (crash: ") ||
                  strstr(said, "dies gives no answer"),
              "%s", said);
    verdict(1, "no answer");
    cr_expect_eq(json_array_size(json_object_get(json, "pairs")), 0u);
}

/* The factor is the worst element's error over Q, reported with the numbers from which it comes. */
Test(repro_comparison, one_drifts_and_by_how_much)
{
    const char *said = ask("cpu", "coarse", NULL);
    char expected[128];
    verdict(0, "right");
    verdict(1, "drifts");
    double factor = number(of(1), "factor"), q = number(of(1), "q");
    cr_expect_str_eq(json_string_value(json_object_get(of(1), "by")), "Q");
    cr_expect_eq(factor, q);
    cr_expect_gt(q, 2);
    cr_expect_lt(q, 10000);
    snprintf(expected, sizeof expected, "drifting 1 drifts: %.3g times what independent rounding gives",
             factor);
    cr_expect(starts(said, expected), "%s\n%s", said, expected);
    cr_expect(strstr(said, "; cpu does not"), "%s", said);
    trial_run("repro --op matmul --dtype float32 --input FOLDER/A.npy --input FOLDER/B.npy "
              "--backend cpu --backend exec:FOLDER/coarse");
    cr_expect(strstr(trial->output, "comparison: drifting 1 drifts"), "%s", trial->output);
    cr_expect(strstr(trial->output, " of 576 elements differ, by at most "), "%s", trial->output);
}

/* All drift. `scaled` and `skewed` share half of their error, which is not the same way. */
Test(repro_comparison, all_drift_the_same_way_or_not)
{
    const char *said = ask("scaled", "skewed", NULL);
    cr_expect(starts(said, "scaled drifts: "), "%s", said);
    cr_expect(strstr(said, "; skewed drifts: "), "%s", said);
    cr_expect_not(strstr(said, "does not"), "%s", said);
    json_t *pair = json_array_get(json_object_get(json, "pairs"), 0);
    cr_expect_gt(number(pair, "apart"), 0.5);
    said = ask("coarse", "scaled", "coarse2");
    cr_expect(starts(said, "coarse and coarse2 drift the same way"), "%s", said);
    cr_expect(strstr(said, "; scaled drifts: "), "%s", said);
}

Test(repro_comparison, a_special_value_is_no_factor)
{
    const char *said = ask("exact", "nan", NULL);
    cr_expect(starts(said, "nan drifts: NaN where the truth is "), "%s", said);
    cr_expect(strstr(said, ", in 1 of 576 elements; exact does not"), "%s", said);
    json_t *pair = json_array_get(json_object_get(json, "pairs"), 0);
    cr_expect_eq(number(pair, "special"), 1);
    cr_expect_eq(number(pair, "differing"), 1);
}

/* If no backend can be judged, none is called right. */
Test(repro_comparison, who_cannot_be_judged_and_who_refuses_is_said)
{
    trial_matrix("H.npy", 7, 7, trial_hilbert);
    trial_run("repro --op logdet --dtype float32 --input FOLDER/H.npy --backend cpu --backend faulty");
    cr_expect(strstr(trial->output, "cpu: cannot tell (vacuous)"), "%s", trial->output);
    cr_expect(strstr(trial->output,
                     "comparison: the limits are too wide to tell whether a backend drifts: all bits are "
                     "the same\n"),
              "%s", trial->output);
    trial_run("repro --op logdet --dtype float32 --input FOLDER/H.npy --backend exec:FOLDER/exact "
              "--backend exec:FOLDER/coarse");
    cr_expect(strstr(trial->output, "comparison: no backend has answered; exec:"), "%s", trial->output);
    cr_expect(strstr(trial->output, "exact gives no answer (unsupported: "), "%s", trial->output);
    cr_expect(strstr(trial->output, "coarse gives no answer (unsupported: "), "%s", trial->output);
}

/* --- a case of the suite */

Test(repro_comparison, a_case_is_reported_in_json_and_its_tensors_are_written)
{
    static const char *const how[] = {"", " --in-process"};
    for (int h = 0; h < 2; h++) {
        int64_t n;
        trial_run("repro linalg/logdet/float32/hilbert-n5 --backend cpu --backend faulty --format json "
                  "--output-dir FOLDER/out%s",
                  how[h]);
        cr_assert_eq(trial->status, 0, "%s", trial->output);
        json_decref(whole);
        whole = trial_json();
        cr_expect_str_eq(json_string_value(json_object_get(whole, "case")),
                         "linalg/logdet/float32/hilbert-n5");
        cr_expect_str_eq(json_string_value(json_object_get(whole, "op")), "logdet");
        cr_expect_eq(json_array_size(json_object_get(whole, "backends")), 2u);
        json_t *first = json_array_get(json_object_get(whole, "backends"), 0);
        cr_expect_str_eq(json_string_value(json_object_get(first, "status")), "pass");
        cr_expect_eq(json_array_size(json_object_get(first, "written")), 6u, "%s", trial->output);
        cr_expect(json_is_object(json_object_get(first, "record")));
        json = json_object_get(whole, "comparison");
        cr_expect(starts(json_string_value(json_object_get(json, "sentence")), "none drifts"), "%s",
                  trial->output);
        double truth = trial_first("truth.npy", &n), got = trial_first("got-cpu.npy", &n);
        /* the logarithm of the determinant of the float32 matrix */
        cr_expect_lt(fabs(truth + 26.3083730525326771), 1e-14);
        cr_expect_leq(fabs(got - truth), trial_first("bound.npy", &n));
        cr_expect_eq(got, trial_first("got-faulty.npy", &n));
        trial_first("input-0.npy", &n);
        cr_expect_eq(n, 25);
    }
}

Test(repro_comparison, a_case_with_a_wrong_backend_says_which)
{
    setenv("ASSAY_TEST_ANSWER", "/dev/null", 1); /* nothing is written there */
    trial_run("repro inplace/add_/float32/alpha-tenth-random --backend cpu --backend faulty");
    cr_expect_eq(trial->status, 1, "%s", trial->output);
    cr_expect(strstr(trial->output, "comparison: faulty drifts: "), "%s", trial->output);
    cr_expect(strstr(trial->output, "; cpu does not\n"), "%s", trial->output);
    trial_run("repro inplace/add_/float32/alpha-tenth-random --backend faulty --format json");
    unsetenv("ASSAY_TEST_ANSWER");
    whole = trial_json();
    cr_expect_str_eq(json_string_value(json_object_get(whole, "hypothesis")), "stale", "%s", trial->output);
    cr_expect(json_is_null(json_object_get(whole, "comparison")));
}

/* Steps of a chain overwrite earlier results, and some inputs are given only to the first step. */
Test(repro_comparison, a_chain_writes_what_is_there_at_its_end)
{
    int64_t n;
    trial_run("repro inplace/add_/float16/chain-then-sgn --backend cpu --output-dir FOLDER/out");
    cr_assert_eq(trial->status, 0, "%s", trial->output);
    cr_expect(strstr(trial->output, "written          input-0-0.npy, "), "%s", trial->output);
    cr_expect(strstr(trial->output, "truth"), "%s", trial->output);
    trial_first("input-0-0.npy", &n);
    cr_expect_gt(n, 0);
    /* No file is left under the names of the next call. */
    trial_run("repro linalg/logdet/float32/hilbert-n5 --backend cpu --output-dir FOLDER/out");
    cr_assert_eq(trial->status, 0, "%s", trial->output);
    trial_first("truth.npy", &n);
    static const char *const gone[] = {"out/input-0-0.npy", "out/truth-0.npy", "out/got-cpu-1.npy"};
    for (size_t g = 0; g < sizeof gone / sizeof *gone; g++) {
        cr_expect_not(trial_has(gone[g]), "%s", gone[g]);
    }
}
