/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/cli/commands.h"
#include "harness/cli/files.h"
#include "harness/cli/options.h"

#include <string.h>
#include <unistd.h>

static const char report_about[] =
    "Writes a report from one or several results files. Several stand side by side: the same case on\n"
    "several backends is one row of the parity table.";
static const char report_examples[] =
    "  assay report build/report/results.jsonl --format junit -o junit.xml\n"
    "  assay report llvmpipe.jsonl h200.jsonl --format markdown -o parity.md\n"
    "  assay report results.jsonl --format csv                  on the standard output";

static const char merge_about[] =
    "Joins results, of shards usually, into one file in the order of the ids. A case that one file misses\n"
    "and another has measured is taken from the latter. Exit status as of the joined run: 0 the gate holds,\n"
    "1 it does not, for instance because a shard is missing.";
static const char merge_examples[] = "  assay merge shard1.jsonl shard2.jsonl shard3.jsonl -o all.jsonl";

/* Reads and joins all files. False with the fault told. */
static bool read_all(const struct texts *paths, struct results *results)
{
    struct error error = {.text = ""};
    for (int i = 0; i < paths->count; i++) {
        struct results one = {.headers = 0};
        if (!results_read(paths->text[i], &one, &error)) {
            options_fault("%s", error.text);
            return false;
        }
        bool joined = results_join(results, &one);
        results_destroy(&one);
        if (!joined) {
            options_fault("out of memory for %s", paths->text[i]);
            return false;
        }
    }
    files_sort(results);
    return true;
}

int cmd_report(int argc, char **argv)
{
    struct texts paths = {.count = 0};
    const char *format_name = NULL, *output = "-";
    bool strict = false;
    const struct option_row rows[] = {
        {'f', "format", OPTION_TEXT, &format_name, "FORMAT", "junit, markdown or csv", 0, 0},
        {'o', "output", OPTION_TEXT, &output, "FILE", "where to, default the standard output", 0, 0},
        {0, "strict", OPTION_FLAG, &strict, NULL, "as for run: flakes are failures", 0, 0},
        {.name = NULL},
    };
    const struct command_help help = {.usage = "assay report RESULTS.jsonl… --format FORMAT [-o FILE]",
                                      .about = report_about,
                                      .examples = report_examples,
                                      .option = rows};
    enum options_outcome outcome = options_parse(&help, argc, argv, &paths);
    int status = outcome == OPTIONS_HELP ? EXIT_HOLDS : EXIT_USAGE;
    struct results results = {.headers = 0};
    struct error error = {.text = ""};
    enum report_format format;
    if (outcome == OPTIONS_OK) {
        if (paths.count == 0) {
            options_fault("report needs at least one results file; assay run --results FILE writes one");
        } else if (!format_name) {
            options_fault("report needs --format junit, markdown or csv");
        } else if (!files_format(format_name, &format, &error)) {
            options_fault("%s", error.text);
        } else if (read_all(&paths, &results)) {
            bool good = files_write_report(output, format, &results, strict, &error);
            status = good ? EXIT_HOLDS : options_fault("%s", error.text);
        }
    }
    results_destroy(&results);
    texts_destroy(&paths);
    return status;
}

/* Of two records of one case and backend where one is missing, the other stands. The records are sorted. */
static void drop_missing(struct results *results)
{
    int kept = 0;
    for (int r = 0; r < results->records; r++) {
        struct record *record = &results->record[r], *last = kept ? &results->record[kept - 1] : NULL;
        bool same = last && !strcmp(last->id, record->id) && !strcmp(last->backend, record->backend);
        if (same && record->status == STATUS_MISSING) {
            record_clear(record);
        } else if (same && last->status == STATUS_MISSING) {
            record_clear(last);
            *last = *record;
        } else {
            results->record[kept++] = *record;
        }
    }
    results->records = kept;
}

static bool write_results(const char *path, const struct results *results, struct error *error)
{
    char temporary[4096];
    if ((size_t)snprintf(temporary, sizeof temporary, "%s.tmp%ld", path, (long)getpid()) >=
        sizeof temporary) {
        return error_set(error, "the path is too long: %s", path);
    }
    FILE *file = files_create(temporary, error); /* the output may be one of the inputs */
    if (!file) {
        return false;
    }
    bool good = true;
    for (int h = 0; h < results->headers; h++) {
        good = record_header_write(file, &results->header[h]) && good;
    }
    for (int r = 0; r < results->records; r++) {
        good = record_write(file, &results->record[r]) && good;
    }
    good = files_close(file, temporary, error) && good;
    if (!good || rename(temporary, path) != 0) {
        unlink(temporary);
        return error_set(error, "cannot write %s", path);
    }
    return true;
}

int cmd_merge(int argc, char **argv)
{
    struct texts paths = {.count = 0};
    const char *output = NULL;
    bool strict = false;
    const struct option_row rows[] = {
        {'o', "output", OPTION_TEXT, &output, "FILE", "where to", 0, 0},
        {0, "strict", OPTION_FLAG, &strict, NULL, "for the exit status, as for run", 0, 0},
        {.name = NULL},
    };
    const struct command_help help = {.usage = "assay merge SHARD.jsonl… -o ALL.jsonl",
                                      .about = merge_about,
                                      .examples = merge_examples,
                                      .option = rows};
    enum options_outcome outcome = options_parse(&help, argc, argv, &paths);
    int status = outcome == OPTIONS_HELP ? EXIT_HOLDS : EXIT_USAGE;
    struct results results = {.headers = 0};
    struct error error = {.text = ""};
    if (outcome == OPTIONS_OK) {
        if (paths.count == 0 || !output) {
            options_fault("merge needs results files and -o FILE");
        } else if (read_all(&paths, &results)) {
            drop_missing(&results);
            bool good = write_results(output, &results, &error);
            status = good ? report_exit_status(&results, strict) : options_fault("%s", error.text);
        }
    }
    results_destroy(&results);
    texts_destroy(&paths);
    return status;
}
