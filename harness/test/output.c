/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/output.h"

#include "harness/files.h"
#include "harness/test/trial.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* What is written, where, and what survives when it cannot be. */

#define GLOB "elementwise/sgn/float32"
#define RUN  "run " GLOB " --level smoke --backend faulty --quiet "

TestSuite(output, .init = trial_begin, .fini = trial_end, .timeout = 60);

static long size_of(const char *name)
{
    struct stat status;
    return stat(trial_path(name), &status) == 0 ? (long)status.st_size : -1;
}

Test(output, a_backend_that_does_not_open_destroys_no_records)
{
    trial_run_expect(0, "gate holds", RUN "--report FOLDER/r");
    long size = size_of("r/results.jsonl");
    trial_faults("open refuse");
    trial_run_expect(3, "out to lunch", RUN "--report FOLDER/r");
    cr_expect_eq(size_of("r/results.jsonl"), size);
    cr_expect(!trial_has("r/junit.xml") && !trial_has("r/parity.md") && !trial_has("r/parity.csv") &&
                  !trial_has("r/parity.html"),
              "no stale green report");
    trial_run_expect(3, "out to lunch", RUN "--report FOLDER/fresh");
    cr_expect_not(trial_has("fresh/results.jsonl"), "no empty file where nothing ran");
    trial_run_expect(2, "no case matches", "run elementwise/nope --backend faulty --report FOLDER/r");
    trial_faults("%s", "");
    trial_run_expect(0, "gate holds", RUN "--report FOLDER/r");
    trial_read("r/results.jsonl");
    cr_expect_eq(trial->results.records, trial_count(GLOB), "the new run's records alone");
    cr_expect(trial_has("r/junit.xml"));
}

Test(output, a_symbolic_link_stays_one)
{
    struct stat status;
    struct error error = {.text = ""};
    trial_write("real", "old");
    cr_assert_eq(symlink("real", trial_path("link")), 0);
    cr_assert(output_write(trial_path("link"), "new one", 7, &error), "%s", error.text);
    cr_assert(lstat(trial_path("link"), &status) == 0 && S_ISLNK(status.st_mode));
    cr_expect_eq(size_of("real"), 7);
    cr_assert(output_write(trial_path("a/b/c"), "x", 1, &error), "folders are made: %s", error.text);
    cr_expect_eq(size_of("a/b/c"), 1);
}

Test(output, what_failed_leaves_what_was_there)
{
    struct output output;
    struct error error = {.text = ""};
    trial_write("report", "old");
    cr_assert(output_begin(&output, trial_path("report"), &error), "%s", error.text);
    fputs("half of a longer rep", output.file);
    cr_expect_not(output_end(&output, false, &error));
    cr_expect_eq(size_of("report"), 3);
    cr_expect_not(output_write("/dev/full", "text", 4, &error));
    cr_expect_str_eq(error.text, "cannot write /dev/full: No space left on device");
    char command[200];
    snprintf(command, sizeof command, "test -z \"$(ls %s | grep tmp)\"", trial->folder);
    cr_expect_eq(system(command), 0, "nothing is left beside it");
    trial_run_expect(1, "cannot write /dev/full: No space left", RUN "--junit /dev/full");
    trial_run_expect(1, "No space left on device", RUN "--results /dev/full");
}

/* The page comes from a file alone, and is the one that the run wrote. */
Test(output, the_page_of_a_run_and_of_its_file_are_one)
{
    char command[300];
    trial_run_expect(0, "gate holds", RUN "--report FOLDER/h");
    trial_run_expect(0, "", "report FOLDER/h/results.jsonl --format html -o FOLDER/again.html");
    snprintf(command, sizeof command, "cmp %s/h/parity.html %s/again.html", trial->folder, trial->folder);
    cr_expect_eq(system(command), 0, "the two pages differ");
    trial_run_expect(2, "did you mean html?", "report FOLDER/h/results.jsonl --format htm");
}

/* In any order of completion: by id, those of one id by backend, those of one backend as they stood. */
Test(output, records_are_sorted_in_place)
{
    enum { RECORDS = 600 };
    static char *names[2] = {"vulkan", "cpu"}; /* in the order of the headers, not of the alphabet */
    struct record_header header[2] = {{.backend = names[0]}, {.backend = names[1]}};
    struct results results = {.headers = 2, .header = header, .records = RECORDS};
    results.record = calloc(RECORDS, sizeof *results.record);
    unsigned state = 12345;
    for (int i = 0; i < RECORDS; i++) {
        state = state * 1103515245U + 12345U;
        cr_assert_gt(asprintf(&results.record[i].id, "f/o/d/%03u", (state >> 16) % 100), 0);
        results.record[i].backend = names[(state >> 8) % 2];
        results.record[i].wall_ns = i;
    }
    files_sort(&results);
    bool seen[RECORDS] = {false};
    for (int i = 0; i < RECORDS; i++) {
        const struct record *record = &results.record[i], *last = i ? record - 1 : NULL;
        cr_assert_not(seen[record->wall_ns], "each stays there once");
        seen[record->wall_ns] = true;
        int order = last ? strcmp(last->id, record->id) : -1;
        bool later = last && last->backend != record->backend;
        cr_expect(order < 0 || (order == 0 && later && record->backend == names[1]) ||
                      (order == 0 && !later && last->wall_ns < record->wall_ns),
                  "%s of %s stands behind %s of %s", record->id, record->backend, last->id, last->backend);
    }
    for (int i = 0; i < RECORDS; i++) {
        free(results.record[i].id);
    }
    free(results.record);
}

Test(output, paths_that_clash_or_are_empty_are_refused)
{
    trial_run_expect(2, "would overwrite the records",
                     RUN "--report FOLDER/o --junit FOLDER/./o//results.jsonl");
    trial_run_expect(2, "--report writes", RUN "--report FOLDER/o --results FOLDER/o/parity.md");
    trial_run_expect(2, "--report writes", RUN "--report FOLDER/o --results FOLDER/o/parity.html");
    trial_run_expect(2, "are both", RUN "--results FOLDER/x --junit FOLDER/x");
    trial_run_expect(2, "give a file", RUN "--results -");
    trial_run_expect(2, "give a file", RUN "--junit -");
    trial_run_expect(2, "the path is empty", RUN "--report=");
    trial_run_expect(2, "the path is empty", RUN "--results=");
    trial_run_expect(2, "the path is empty", RUN "--junit=");
    trial_run_expect(2, "the path is empty", RUN "--baseline=");
    trial_run_expect(2, "--self-test spoils", RUN "--self-test --report FOLDER/o");
    cr_expect_not(trial_has("o"), "nothing is made before all is checked");
    trial_run_expect(0, "gate holds", RUN "--results FOLDER/r");
    trial_run_expect(2, "the path is empty", "merge FOLDER/r --output=");
    trial_run_expect(2, "is one of the results files", "report FOLDER/r --format csv -o FOLDER/r");
    trial_run_expect(0, "{\"version\":2", "merge FOLDER/r -o -");
    trial_run_expect(0, "gate holds", RUN "--results FOLDER/o/results.jsonl --report FOLDER/o");
    trial_read("o/results.jsonl");
    cr_expect_eq(trial->results.records, trial_count(GLOB));
}

/* The exit status of `words` behind a shell's redirection. */
static int shell(const char *words, const char *redirection)
{
    char command[PATH_MAX + 600];
    snprintf(command, sizeof command, "%s %s %s 2> %s", trial_program("assay-faulty"), words, redirection,
             trial_path("stderr"));
    int status = system(command);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

Test(output, a_standard_output_that_is_full_is_told)
{
    static const char *const commands[] = {RUN,           "list",       "list --coverage",
                                           "devices cpu", "run --help", "--help"};
    for (unsigned c = 0; c < sizeof commands / sizeof *commands; c++) {
        cr_expect_eq(shell(commands[c], "> /dev/full"), 2, "%s", commands[c]);
        cr_expect_gt(size_of("stderr"), 0);
    }
    cr_expect_eq(shell("list", "| head -1 > /dev/null"), 0);
    cr_expect_eq(shell("list --level exhaustive", "| true"), 0);
    cr_expect_eq(size_of("stderr"), 0, "a reader that went away is no fault");
}
