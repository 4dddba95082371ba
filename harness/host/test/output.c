/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/host/output.h"

#include "harness/options/files.h"
#include "harness/test/trial.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* What is written where, and what survives if it cannot be written. */

#define GLOB "elementwise/sgn/float32"
#define RUN  "run " GLOB " --level smoke --backend faulty --quiet "

TestSuite(output, .init = trial_begin, .fini = trial_end, .timeout = 60);

static long size_of(const char *name)
{
    struct stat status;
    return stat(trial_path(name), &status) == 0 ? (long)status.st_size : -1;
}

static void reads_red(const char *name, const char *why)
{
    char words[120];
    snprintf(words, sizeof words, "report FOLDER/%s --format markdown", name);
    trial_run_expect(0, "gate: FAIL", words);
    trial_expect(0, why);
    snprintf(words, sizeof words, "merge FOLDER/%s -o FOLDER/merged", name);
    trial_run_expect(1, why, words);
}

static bool file_says(const char *name, const char *part)
{
    static char text[262144];
    FILE *file = fopen(trial_path(name), "r");
    text[file ? fread(text, 1, sizeof text - 1, file) : 0] = 0;
    if (file) {
        fclose(file);
    }
    return strstr(text, part) != NULL;
}

/* Nothing that an earlier run has left may pass for this one's, and every report says what happened. */
Test(output, a_run_that_does_not_start_leaves_files_that_say_so)
{
    static const char why[] = "nothing was run: the device is out to lunch";
    trial_run_expect(0, "gate: PASS", RUN "--report FOLDER/r");
    trial_run_expect(0, "gate: PASS", RUN "--results FOLDER/k --report FOLDER/r");
    for (int both = 0; both < 2; both++) {
        trial_faults("open refuse");
        trial_run_expect(3, "out to lunch",
                         both ? RUN "--results FOLDER/k --junit FOLDER/j --report FOLDER/r"
                              : RUN "--report FOLDER/r");
        reads_red("r/results.jsonl", why);
        static const char *const reports[] = {"r/junit.xml", "r/parity.md", "r/parity.csv", "r/parity.html"};
        for (int n = 0; n < 4; n++) {
            cr_expect(file_says(reports[n], why), "%s", reports[n]);
        }
        cr_expect(file_says("r/junit.xml", "<testcase classname=\"faulty.missing\" name=\"faulty\""));
        cr_expect(file_says("r/junit.xml", "errors=\"1\""));
    }
    reads_red("k", why);
    cr_expect(file_says("j", why));
    trial_read("k");
    cr_expect_eq(trial->results.header[0].expected, trial_count(GLOB));
    trial_faults("%s", "");
    trial_run_expect(0, "gate: PASS", RUN "--report FOLDER/r");
    trial_read("r/results.jsonl");
    cr_expect_eq(trial->results.records, trial_count(GLOB), "the new run's records alone");
}

Test(output, a_run_that_is_refused_leaves_files_that_say_so)
{
    trial_run_expect(0, "gate: PASS", RUN "--results FOLDER/k --report FOLDER/r");
    trial_run_expect(2, "no case matches",
                     "run elementwise/nope --backend faulty --results FOLDER/k --report FOLDER/r");
    reads_red("k", "nothing was run: no case matches");
    reads_red("r/results.jsonl", "nothing was run: no case matches");
    cr_expect(file_says("r/junit.xml", "nothing was run: no case matches"));
    trial_run_expect(0, "gate: PASS", RUN "--results FOLDER/k");
    trial_write("known.json", "{");
    trial_run_expect(2, "known.json", RUN "--results FOLDER/k --baseline FOLDER/known.json");
    reads_red("k", "nothing was run: ");
    trial_run_expect(0, "gate: PASS", RUN "--report FOLDER/r");
    trial_run_expect(2, "cannot write", RUN "--results FOLDER/k/x --report FOLDER/r"); /* k is a file */
    reads_red("r/results.jsonl", "nothing was run: cannot write");
    cr_expect(file_says("r/junit.xml", "nothing was run: cannot write"));
    trial_run_expect(2, "cannot write", "run " GLOB " --results FOLDER/k/x --report FOLDER/r");
    cr_expect(file_says("r/junit.xml", "errors=\"1\""), "by the backend that is the default");
    trial_run_expect(0, "gate: PASS", RUN "--results FOLDER/k");
    trial_run_expect(2, "are both", RUN "--results FOLDER/k --junit FOLDER/k");
    trial_run_expect(0, "gate: PASS", "merge FOLDER/k -o FOLDER/m");
}

/* What another process does to the records while the run goes on costs the run its exit status 0. */
Test(output, records_that_are_changed_meanwhile_fail_the_run)
{
    static const struct {
        const char *files, *what, *said;
    } rows[] = {{"--results FOLDER/k", ": > %s/k", "k was changed by another process during the run"},
                {"--results FOLDER/k", "echo >> %s/k", "k was changed by another process"},
                {"--results FOLDER/k", "rm %s/k", "k was removed or replaced during the run"},
                {"--results FOLDER/k", "cd %s && cp k l && mv l k", "k was removed or replaced"},
                {"--report FOLDER/d", "rm -r %s/d", "d was removed or replaced during the run"},
                {"--report FOLDER/d", "cd %s && mv d e && mkdir d", "d was removed or replaced"},
                {"--report FOLDER/d", "rm %s/d/results.jsonl", "d/results.jsonl was removed or replaced"},
                {"--results FOLDER/k", "cp %s/k /dev/null", NULL}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char command[200];
        setenv("ASSAY_TEST_SLOW", "30", 1);
        pid_t pid = trial_start(RUN "--jobs 1 %s", rows[i].files);
        for (int n = 0; n < 1000 && size_of(strstr(rows[i].files, "/d") ? "d/results.jsonl" : "k") < 3000;
             n++) {
            nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
        }
        snprintf(command, sizeof command, rows[i].what, trial->folder);
        cr_assert_eq(system(command), 0, "%s", command);
        trial_wait(pid);
        cr_expect_eq(trial->status, rows[i].said != NULL, "%s: %s", command, trial->output);
        cr_expect(!rows[i].said || strstr(trial->output, rows[i].said), "%s: %s", command, trial->output);
        snprintf(command, sizeof command, "cd %s && rm -rf k d e", trial->folder);
        cr_assert_eq(system(command), 0);
    }
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
    trial_run_expect(0, "gate: PASS", RUN "--report FOLDER/h");
    trial_run_expect(0, "", "report FOLDER/h/results.jsonl --format html -o FOLDER/again.html");
    snprintf(command, sizeof command, "cmp %s/h/parity.html %s/again.html", trial->folder, trial->folder);
    cr_expect_eq(system(command), 0, "the two pages differ");
    trial_run_expect(2, "did you mean html?", "report FOLDER/h/results.jsonl --format htm");
}

/* In any order of completion: by id, those of one id by backend, those of one backend in their order. */
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
    trial_run_expect(2, "cannot be used with --self-test", RUN "--self-test --report FOLDER/o");
    cr_expect_not(trial_has("o"), "nothing is made before all is checked");
    trial_run_expect(0, "gate: PASS", RUN "--results FOLDER/r");
    trial_run_expect(2, "the path is empty", "merge FOLDER/r --output=");
    trial_run_expect(2, "is one of the results files", "report FOLDER/r --format csv -o FOLDER/r");
    trial_run_expect(0, "{\"version\":2", "merge FOLDER/r -o -");
    trial_run_expect(0, "gate: PASS", RUN "--results FOLDER/o/results.jsonl --report FOLDER/o");
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

Test(output, a_standard_output_that_is_full_is_reported)
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
