/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/options/files.h"

#include "harness/host/nearest.h"
#include "harness/host/output.h"
#include "reference/base/memory.h"
#include "reports/records/fields.h"
#include "reports/records/merge.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

bool files_make_parents(const char *path)
{
    return output_make_parents(path);
}

/* Writes one line and frees it. The standard output may be a terminal, so json_put writes to it. No line is
 * flushed on its own, because a file appears only when it is complete. */
static bool write_line(FILE *to, char *line)
{
    bool good = line && (to == stdout ? json_put(to, line) : fputs(line, to) >= 0);
    good = good && putc('\n', to) != EOF;
    free(line);
    return good;
}

bool files_write_results(const char *path, const struct results *results, struct error *error)
{
    struct output output;
    if (!output_begin(&output, path, error)) {
        return false;
    }
    bool good = true;
    for (int h = 0; good && h < results->headers; h++) {
        good = write_line(output.file, record_header_format(&results->header[h]));
    }
    for (int r = 0; good && r < results->records; r++) {
        good = write_line(output.file, record_format(&results->record[r]));
    }
    if (!good) {
        error_set(error, "cannot write %s: %s", strcmp(path, "-") ? path : "the standard output",
                  strerror(errno));
    }
    return output_end(&output, good, error);
}

static bool read_one(const char *path, bool lines, struct results *results)
{
    struct error error = {.text = ""};
    if (!(lines ? results_read_lines : results_read)(path, results, &error)) {
        options_fault("%s", error.text);
        return false;
    }
    if (results->torn) {
        options_fault("%s: the last line is cut short, so its case is lost", path);
        results->torn = false;
    }
    return true;
}

/* Prints a fault. `user`: a path to print before the text, or NULL. */
static void report_fault(void *user, const char *text)
{
    const char *path = user;
    options_fault("%s%s%s", path ? path : "", path ? ": " : "", text);
}

static bool join_files(const struct texts *paths, bool whole, struct results *results)
{
    for (int i = 0; i < paths->count; i++) {
        struct results one = {.headers = 0};
        if (!read_one(paths->text[i], whole, &one)) {
            results_destroy(&one);
            return false;
        }
        bool joined = results_join(results, &one);
        results_destroy(&one);
        if (!joined) {
            options_fault("out of memory for %s", paths->text[i]);
            return false;
        }
        if (results->conflict) {
            options_fault("%s and the files before it are of different runs: %s; assay compare shows the "
                          "differences of two runs",
                          paths->text[i], results->conflict);
            return false;
        }
    }
    return true;
}

static bool merge(struct results *results, bool whole, const char *path)
{
    struct error error = {.text = ""};
    files_sort(results);
    if (!merge_results(results, whole, report_fault, (void *)(uintptr_t)path, &error)) {
        options_fault("%s", error.text);
        return false;
    }
    return true;
}

bool files_read(const char *path, struct results *results)
{
    return join_files(&(struct texts){.text = &path, .count = 1}, false, results) &&
           merge(results, false, path);
}

bool files_read_all(const struct texts *paths, bool whole, struct results *results)
{
    return join_files(paths, whole, results) && merge(results, whole, NULL);
}

static const char *const formats[REPORT_FORMATS] = {"text", "junit", "markdown", "csv", "html"};

bool files_format(const char *name, enum report_format *format, struct error *error)
{
    struct nearest nearest = {.word = name};
    for (int f = 0; f < REPORT_FORMATS; f++) {
        if (strcmp(name, formats[f]) == 0) {
            *format = (enum report_format)f;
            return true;
        }
        nearest_offer(&nearest, formats[f]);
    }
    return error_set(
        error, "unknown format \"%s\"; %s%s%s", name, nearest.best ? "did you mean " : "there are ",
        nearest.best ? nearest.best : "text, junit, markdown, csv and html", nearest.best ? "?" : "");
}

static bool write_report(FILE *to, enum report_format format, const struct results *results,
                         const struct summary_options *options, struct error *error)
{
    switch (format) {
    case REPORT_TEXT:
        report_summary(to, results, options);
        return !ferror(to);
    case REPORT_JUNIT:
        return report_junit(to, results, options->gate, error);
    case REPORT_MARKDOWN:
        return report_markdown(to, results, options->gate, error);
    case REPORT_CSV:
        return report_csv(to, results, error);
    case REPORT_HTML:
        return report_html(to, results, &options->html, error);
    case REPORT_FORMATS:
        break;
    }
    return false;
}

bool files_write_report(const char *path, enum report_format format, const struct results *results,
                        const struct summary_options *options, struct error *error)
{
    char *text = NULL;
    size_t size = 0;
    FILE *memory = open_memstream(&text, &size);
    bool good = memory && write_report(memory, format, results, options, error);
    if (!memory_stream_text(memory, &text) && (good || !memory)) {
        good = error_set(error, "out of memory for %s", path);
    }
    good = good && output_write(path, text, size, error);
    free(text);
    return good;
}

static int backend_rank(const struct results *results, const char *backend)
{
    int rank = 0;
    while (rank < results->headers && strcmp(results->header[rank].backend, backend) != 0) {
        rank++;
    }
    return rank;
}

/* The sort key of a record with its place, so that sorting does not copy the records (there may be 200,000).
 */
struct place {
    int at;
    int rank; /* of the backend: its index in the headers */
    const char *id;
};

static int by_id(const void *a, const void *b)
{
    const struct place *x = a, *y = b;
    int order = strcmp(x->id, y->id);
    order = order ? order : x->rank - y->rank;
    return order ? order : x->at - y->at;
}

/* Moves record[place[i].at] to record[i] for every i, one cycle of the permutation after the other. Changes
 * place[]. */
static void permute(struct record *record, struct place *place, int count)
{
    for (int first = 0; first < count; first++) {
        struct record moved = record[first];
        int to = first;
        while (place[to].at != first) {
            int from = place[to].at;
            record[to] = record[from];
            place[to].at = to;
            to = from;
        }
        record[to] = moved;
        place[to].at = to;
    }
}

void files_sort(struct results *results)
{
    struct place *place = malloc(((size_t)results->records + 1) * sizeof *place);
    if (!place) {
        return; /* leave them in the order in which the cases finished: only the order is lost */
    }
    for (int i = 0; i < results->records; i++) {
        place[i] =
            (struct place){i, backend_rank(results, results->record[i].backend), results->record[i].id};
    }
    qsort(place, (size_t)results->records, sizeof *place, by_id);
    permute(results->record, place, results->records);
    free(place);
}
