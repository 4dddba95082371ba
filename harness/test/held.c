/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/options/files.h"
#include "harness/test/trial.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Options do what their help promises: each is given to the program, and what it wrote is read back. */

TestSuite(held, .init = trial_begin, .fini = trial_end, .timeout = 120);

static int count_of(const char *text, const char *part)
{
    int count = 0;
    for (; (text = strstr(text, part)); text += strlen(part)) {
        count++;
    }
    return count;
}

static void ends(int status)
{
    cr_assert_eq(trial->status, status, "%d: %s", trial->status, trial->output);
}

Test(held, seed)
{
    static const char id[] = "linalg/logdet/float32/hilbert-n8",
                      random[] = "linalg/logdet/float32/random-negative-n33";
    char digest[3][33];
    for (int k = 0; k < 3; k++) {
        trial_run("run linalg/logdet/float32/random-negative-n33 --backend cpu --results FOLDER/r --seed %s",
                  k == 0   ? "1"
                  : k == 1 ? "7"
                           : "0x7");
        ends(0);
        trial_read("r");
        cr_expect_eq(trial->results.header[0].seed, k ? 7u : 1u);
        snprintf(digest[k], sizeof digest[k], "%s", trial_record(random)->inputs_digest);
    }
    cr_expect_str_neq(digest[0], digest[1]);
    cr_expect_str_eq(digest[1], digest[2]);
    trial_run("repro linalg/logdet/float32/random-negative-n33 --backend cpu --seed 7");
    ends(0);
    cr_expect(strstr(trial->output, digest[1]), "%s", trial->output);
    trial_run("repro %s --backend cpu --seed 7", id);
    cr_expect(strstr(trial->output, "vacuous"), "what is not random is the same: %s", trial->output);
}

/* Plants three kinds of failure, in three operators. */
static void plant_three(void)
{
    trial_faults("wrong %s\nwrong %s\nwrong %s", trial_id("elementwise/sgn/float32", 0),
                 trial_id("elementwise/square/float32", 0), trial_id("elementwise/sign/float32", 0));
}

/* --wild changes the inputs; repro with the seed of the header makes the same inputs. */
Test(held, wild)
{
    static const char id[] = "elementwise/silu/float32/ordinary";
    char plain[33], wild[33];
    trial_run("run %s --backend cpu --results FOLDER/r", id);
    ends(0);
    trial_read("r");
    snprintf(plain, sizeof plain, "%s", trial_record(id)->inputs_digest);
    trial_run("run %s --backend cpu --results FOLDER/r --wild --seed 3", id);
    ends(0);
    trial_read("r");
    snprintf(wild, sizeof wild, "%s", trial_record(id)->inputs_digest);
    cr_expect_str_neq(plain, wild);
    cr_expect_eq(trial->results.header[0].seed, (UINT64_C(1) << 62) + 3);
    trial_run("repro %s --backend cpu --seed 0x4000000000000003", id);
    ends(0);
    cr_expect(strstr(trial->output, wild), "%s", trial->output);
}

/* Our own CPU backend is right of every case on whatever numbers. */
Test(held, wild_inputs_of_every_case_takes_seconds, .timeout = 300)
{
    for (int seed = 1; seed <= 3; seed++) {
        trial_run("run --backend cpu --level smoke --wild --seed %d --no-rerun --exclude */grad_scaler/* "
                  "--exclude */matrix_exp/*",
                  seed);
        ends(0);
    }
}

Test(held, show)
{
    plant_three();
    trial_run(
        "run elementwise/*/float32/* --level smoke --backend faulty --no-rerun --show 1 --results FOLDER/r");
    ends(1);
    cr_expect_eq(count_of(trial->output, "\nFAIL elementwise/"), 1, "%s", trial->output);
    trial_run("run elementwise/*/float32/* --level smoke --backend faulty --no-rerun --show 0");
    cr_expect_eq(count_of(trial->output, "\nFAIL elementwise/"), 3, "%s", trial->output);
    trial_run("report FOLDER/r --format text --show 2");
    cr_expect_eq(count_of(trial->output, "\nFAIL elementwise/"), 2, "%s", trial->output);
    trial_run("merge FOLDER/r -o FOLDER/all --show 2");
    cr_expect_eq(count_of(trial->output, "\nFAIL elementwise/"), 2, "%s", trial->output);
}

/* What --fail-on and --strict turn red in a report and in a joined run. */
Test(held, gate_of_report_and_merge)
{
    trial_run("run linalg/logdet/float32/hilbert-n8 --backend cpu --results FOLDER/v");
    ends(0);
    trial_run("report FOLDER/v --format text --fail-on vacuous");
    ends(1);
    cr_expect(strstr(trial->output, " · gate: FAIL: 1 vacuous\n"), "%s", trial->output);
    trial_run("report FOLDER/v --format junit");
    cr_expect(!strstr(trial->output, "<failure"), "%s", trial->output);
    trial_run("report FOLDER/v --format junit --fail-on vacuous");
    cr_expect(strstr(trial->output, "<failure"), "%s", trial->output);

    const char *example = trial_program("example");
    trial_run("run elementwise/sgn/float32 linalg/matmul/float32 --level smoke --backend exec:%s "
              "--results FOLDER/u",
              example);
    ends(0);
    cr_expect(strstr(trial->output, "unsupported"), "%s", trial->output);
    trial_run("merge FOLDER/u -o FOLDER/all");
    ends(0);
    trial_run("merge FOLDER/u -o FOLDER/all --strict");
    ends(1);
    trial_run("merge FOLDER/u -o FOLDER/all --fail-on unsupported");
    ends(1);
    trial_run("report FOLDER/u --format junit --strict");
    cr_expect(strstr(trial->output, "<failure"), "%s", trial->output);
    trial_run("report FOLDER/u --format text --strict");
    ends(1);
    cr_expect(strstr(trial->output, "gate: FAIL"), "%s", trial->output);
    trial_run("run linalg/matmul/float32 elementwise/sgn/float32 --level smoke --backend exec:%s "
              "--strict",
              example);
    ends(1);
}

Test(held, the_gate_of_a_run)
{
    trial_run("run linalg/logdet/float32/hilbert-n8 --backend cpu --color always --fail-on vacuous,range");
    ends(1);
    cr_expect(strstr(trial->output, "\x1b[1;31mgate: FAIL"), "%s", trial->output);
    trial_run("run linalg/logdet/float32/hilbert-n8 --backend cpu --fail-on range --color always");
    ends(0);
    cr_expect(strstr(trial->output, "\x1b[1;32mgate: PASS"), "%s", trial->output);
}

static char *baseline(void)
{
    static char text[4096];
    FILE *file = fopen(trial_path("known.json"), "r");
    cr_assert(file);
    text[fread(text, 1, sizeof text - 1, file)] = 0;
    fclose(file);
    return text;
}

/* Written, read by the next run, and the same after a second update. */
Test(held, update_baseline)
{
    const char *id = trial_id("elementwise/sgn/float32", 1);
    trial_faults("wrong %s", id);
    for (int k = 0; k < 2; k++) {
        static char first[4096];
        trial_run("run elementwise/sgn/float32 --level smoke --backend faulty --baseline FOLDER/known.json "
                  "--update-baseline");
        cr_expect(strstr(baseline(), id) && strstr(baseline(), "\"status\": \"fail\""), "%s", baseline());
        cr_expect(k == 0 || strcmp(first, baseline()) == 0, "%s", baseline());
        snprintf(first, sizeof first, "%s", baseline());
    }
    trial_run("run elementwise/sgn/float32 --level smoke --backend faulty --baseline FOLDER/known.json");
    ends(0);
    cr_expect(strstr(trial->output, "1 expected to fail"), "%s", trial->output);
}

/* FOLDER/NAME: what was read, with the errors of `count` cases and the curve of the first multiplied. */
static void write_worse(const char *name, int count, double error, double curve)
{
    struct error fault = {.text = ""};
    double x[] = {1, 2, 4}, y[] = {100 * curve, 100 * curve, 100 * curve};
    char series_name[] = "time per item", unit[] = "ns";
    struct record_series series = {.name = series_name, .unit = unit, .points = 3, .x = x, .y = y};
    struct record *first = &trial->results.record[0];
    for (int r = 0; r < count; r++) {
        trial->results.record[r].max_nu = 0.2 * error;
    }
    first->series = &series;
    first->series_count = 1;
    cr_assert(files_write_results(trial_path(name), &trial->results, &fault), "%s", fault.text);
    first->series = NULL;
    first->series_count = 0;
}

Test(held, compare)
{
    trial_run("run elementwise/sgn --level smoke --backend cpu --results FOLDER/r");
    trial_read("r");
    files_sort(&trial->results);
    write_worse("old", 30, 1, 1);
    write_worse("errors", 30, 1.7, 1);
    write_worse("curve", 30, 1, 1.7);
    trial_run("compare FOLDER/old FOLDER/errors");
    ends(0);
    trial_run("compare FOLDER/old FOLDER/errors --error-ratio 1.5");
    ends(1);
    trial_run("compare FOLDER/old FOLDER/curve --curve-ratio 2");
    ends(0);
    trial_run("compare FOLDER/old FOLDER/curve --curve-ratio 1.5");
    ends(1);
    cr_expect(strstr(trial->output, "time per item"), "%s", trial->output);
}

static int lines(void)
{
    return count_of(trial->output, "\n");
}

Test(held, what_is_listed_is_what_runs_takes_seconds)
{
    trial_run("list elementwise/sgn --level smoke");
    int smoke = lines();
    cr_expect_eq(smoke, trial_count("elementwise/sgn"));
    trial_run("list elementwise/sgn");
    cr_expect_gt(lines(), smoke);
    trial_run("list elementwise/sgn --level smoke --exclude *float16*");
    int without = lines();
    cr_expect(without < smoke && without > 0 && !strstr(trial->output, "float16"), "%s", trial->output);
    trial_run(
        "run elementwise/sgn --level smoke --exclude *float16* --backend cpu --quiet --results FOLDER/r");
    ends(0);
    trial_read("r");
    cr_expect_eq(trial->results.records, without);
    int parts = 0;
    for (int k = 1; k <= 3; k++) {
        trial_run("list elementwise/sgn --level smoke --shard %d/3", k);
        char *listed = strdup(trial->output);
        parts += lines();
        trial_run("run elementwise/sgn --level smoke --backend cpu --quiet --results FOLDER/r --shard %d/3",
                  k);
        trial_read("r");
        cr_expect_eq(trial->results.records, count_of(listed, "\n"));
        for (int r = 0; r < trial->results.records; r++) {
            cr_expect(strstr(listed, trial->results.record[r].id), "%s", trial->results.record[r].id);
        }
        free(listed);
    }
    cr_expect_eq(parts, smoke);
    trial_run("list --coverage");
    ends(0);
    cr_expect(strstr(trial->output, "elementwise/sgn/"), "%s", trial->output);
}

/* The order of the records is that in which cases ended: one worker's is the order in which they were handed
 * out. */
Test(held, shuffle)
{
    char *order[3] = {NULL};
    for (int k = 0; k < 3; k++) {
        size_t size;
        FILE *text = open_memstream(&order[k], &size);
        trial_run("run elementwise/sgn --level smoke --backend cpu --jobs 1 --results FOLDER/r%s",
                  k ? " --shuffle" : "");
        ends(0);
        trial_read("r");
        for (int r = 0; r < trial->results.records; r++) {
            fprintf(text, "%s\n", trial->results.record[r].id);
        }
        fclose(text);
    }
    cr_expect_eq(count_of(order[0], "\n"), count_of(order[1], "\n"));
    cr_expect_str_neq(order[0], order[1]);
    cr_expect_str_eq(order[1], order[2], "it depends on the seed alone");
    for (int k = 0; k < 3; k++) {
        free(order[k]);
    }
    trial_run("run elementwise/sgn --level smoke --backend cpu --shuffle");
    ends(0);
}

Test(held, validate)
{
    trial_run("devices vulkan --validate");
    ends(0);
    cr_expect(strstr(trial->output, "with the validation layer"), "%s", trial->output);
    trial_run("run elementwise/square/float32 --level smoke --backend vulkan --validate --results FOLDER/r");
    ends(0);
    trial_read("r");
    for (int r = 0; r < trial->results.records; r++) {
        const struct record *record = &trial->results.record[r];
        cr_expect(record->validation == 0 && strstr(record->repro, " --validate"), "%s", record->repro);
    }
    trial_run("repro elementwise/square/float32/specials --backend vulkan --validate");
    ends(0);
}

Test(held, bench)
{
    trial_run("bench kernels elementwise/sgn --backend cpu --level smoke --exclude *float16*");
    ends(0);
    int without = lines();
    cr_expect(strstr(trial->output, "cpu: ") == trial->output && !strstr(trial->output, "float16"), "%s",
              trial->output);
    trial_run("bench kernels elementwise/sgn --backend cpu --level smoke");
    cr_expect_gt(lines(), without);
    trial_run("bench kernels elementwise/sgn/float32/exponents --backend cpu --repeat 5");
    ends(0);
    cr_expect(strstr(trial->output, "elementwise/sgn/float32/exponents"), "%s", trial->output);
    char *first = NULL;
    for (int k = 0; k < 3; k++) {
        trial_run("bench resolution matmul --level smoke --jobs 2 --seed %d", k < 2 ? 3 : 4);
        ends(0);
        cr_expect(k == 0 || (strcmp(first, trial->output) == 0) == (k == 1), "%s", trial->output);
        first = first ? first : strdup(trial->output);
    }
    free(first);
}
