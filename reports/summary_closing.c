/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* The end of the summary: what the results lack, and the last line with the gate's verdict. */

#include "reference/base/memory.h"
#include "reports/records/losses.h"
#include "reports/summary_parts.h"
#include "reports/text.h"
#include "reports/utf8.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { CAUSE_WIDTH = 36 }; /* of a usual cause, "12 unsupported not in the baseline" */

void summary_colour(const struct summary *summary, const char *code)
{
    if (summary->options->colour) {
        fprintf(summary->to, "\x1b[%sm", code);
    }
}

int summary_failed(const int count[STATUS_COUNT])
{
    return count[STATUS_FAIL] + count[STATUS_CRASH] + count[STATUS_TIMEOUT] + count[STATUS_ERROR];
}

/* The last line, which is broken between pieces where it would be too wide. */
struct line {
    const struct summary *summary;
    int column;
};

/* Begins a new line if this many columns are not left in it; a list keeps its comma or colon and goes on with
 * an indentation. */
static void put_separator(struct line *line, const char *separator, int columns)
{
    FILE *to = line->summary->to;
    bool list = *separator == ',' || *separator == ':';
    if (line->column && line->column + utf8_columns(separator) + columns + list > SUMMARY_WIDTH) {
        fprintf(to, "%.*s\n%s", list, separator, list ? "  " : "");
        line->column = list ? 2 : 0;
    } else if (line->column) {
        fputs(separator, to);
        line->column += utf8_columns(separator);
    }
}

static void put(struct line *line, const char *separator, const char *text)
{
    put_separator(line, separator, utf8_columns(text));
    fputs(text, line->summary->to);
    line->column += utf8_columns(text);
}

__attribute__((format(printf, 3, 4))) static void put_format(struct line *line, const char *separator,
                                                             const char *format, ...)
{
    char text[200];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    put(line, separator, text);
}

/* --- what fails the gate, one piece each */

struct causes {
    struct line *line;
    int count;
};

/* The separator of the next cause. */
static const char *next(struct causes *causes)
{
    return causes->count++ ? ", " : ": ";
}

/* True if a baseline was applied: the options say so, or a record does. */
static bool has_baseline(const struct summary *summary)
{
    bool has = summary->options->baseline;
    for (int r = 0; r < summary->results->records && !has; r++) {
        const struct record *record = &summary->results->record[r];
        has = record->excused || record->status == STATUS_EXPECTED_FAIL ||
              record->status == STATUS_UNEXPECTED_PASS;
    }
    return has;
}

static void put_additions(struct causes *causes, const struct summary *summary)
{
    static const struct {
        enum gate_addition addition;
        const char *what;
        bool baselined; /* a baseline can name it */
    } kinds[] = {{GATE_UNSUPPORTED, "unsupported", true},
                 {GATE_VACUOUS, "vacuous", true},
                 {GATE_FLAKE, "flaky", false},
                 {GATE_UNEXPECTED_PASS, "passed unexpectedly", false},
                 {GATE_RANGE, "range", false},
                 {GATE_IMPLAUSIBLE, "implausible", false}};
    const struct results *results = summary->results;
    bool baseline = has_baseline(summary);
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        int count = 0;
        for (int r = 0; (summary->options->gate & kinds[k].addition) && r < results->records; r++) {
            count += gate_fails_by(&results->record[r], kinds[k].addition);
        }
        if (count) {
            put_format(causes->line, next(causes), "%d %s%s", count, kinds[k].what,
                       kinds[k].baselined && baseline ? " not in the baseline" : "");
        }
    }
}

/* Names what is lost: the shards where they are known. */
static void put_losses(struct causes *causes, const struct losses *losses)
{
    static const char nothing[] = "nothing was run"; /* a header's fault begins so: see run_not_started */
    int64_t lost = 0;
    int faults = 0;
    for (int i = 0; i < losses->count; i++) {
        const struct loss *loss = &losses->loss[i];
        char *backend = text_one_line(loss->backend);
        if (loss->shards[0] && !loss->fault) {
            put_format(causes->line, next(causes), "shard%s %s of %s %s not there",
                       strchr(loss->shards, ',') ? "s" : "", loss->shards, backend ? backend : "",
                       strchr(loss->shards, ',') ? "are" : "is");
        } else if (loss->fault && strncmp(loss->fault, nothing, strlen(nothing)) == 0) {
            put_format(causes->line, next(causes), "%s on %s", nothing, backend ? backend : "");
        } else if (loss->fault || loss->extra) {
            faults++;
        } else {
            lost += loss->lost;
        }
        free(backend);
    }
    if (lost) {
        put_format(causes->line, next(causes), "%" PRId64 " selected cases have no record", lost);
    }
    if (faults) {
        put_format(causes->line, next(causes), "the results are incomplete (see above)");
    }
}

static void put_causes(struct line *line, const int total[STATUS_COUNT], const struct losses *losses)
{
    const struct summary *summary = line->summary;
    struct causes causes = {line, 0};
    if (summary_failed(total)) {
        put_format(line, next(&causes), "%d failed", summary_failed(total));
    }
    if (total[STATUS_MISSING]) {
        put_format(line, next(&causes), "%d missing", total[STATUS_MISSING]);
    }
    put_additions(&causes, summary);
    put_losses(&causes, losses);
    if (summary->options->cause) {
        put_format(line, next(&causes), "%s", summary->options->cause);
    }
    if (causes.count == 0) {
        put_format(line, next(&causes), "there are no records");
    }
}

/* "101 cases in 1.0 s, truth 96 % from cache" */
static void put_numbers(struct line *line)
{
    const struct summary_options *options = line->summary->options;
    int records = line->summary->results->records;
    put_format(line, "", "%d case%s", records, records == 1 ? "" : "s");
    if (!isnan(options->seconds)) {
        put_format(line, "", " in %.1f s", options->seconds);
    }
    if (options->remembered > 0) {
        put_format(line, ", ", "%lld verdicts from cache", (long long)options->remembered);
    }
    if (!isnan(options->truth_from_cache)) {
        put_format(line, ", ", "truth %.0f %% from cache", 100 * options->truth_from_cache);
    }
    char *folder = options->report_dir ? text_one_line(options->report_dir) : NULL;
    if (folder) {
        put(line, " · ", folder);
    }
    free(folder);
}

void summary_closing(const struct summary *summary)
{
    const struct summary_options *options = summary->options;
    const struct results *results = summary->results;
    struct line line = {summary, 0};
    int total[STATUS_COUNT] = {0};
    struct losses losses;
    for (int i = 0; i < results->records; i++) {
        total[results->record[i].status]++;
    }
    losses_find(results, false, &losses);
    for (int i = 0; i < losses.count; i++) {
        char *text = loss_text(&losses.loss[i]);
        fprintf(summary->to, "%s\n", text ? text : "");
        free(text);
    }
    int status = options->verdict ? options->exit_status : report_exit_status(results, options->gate);
    status = !options->verdict && status == 0 && options->cause ? 1 : status;
    bool fails = status == 1 && !options->verdict;
    put_numbers(&line);
    const char *verdict = options->verdict ? options->verdict
                          : status == 3    ? "NOTHING JUDGED: every case of a backend is unsupported (exit 3)"
                          : fails          ? "gate: FAIL"
                                           : "gate: PASS";
    char counts[80] = "";
    if (!fails) {
        snprintf(counts, sizeof counts, "%d failed · ", summary_failed(total));
    }
    if (!fails && total[STATUS_MISSING]) {
        size_t used = strlen(counts);
        snprintf(counts + used, sizeof counts - used, "%d missing · ", total[STATUS_MISSING]);
    }
    /* the first cause is meant to stand on the verdict's line */
    put_separator(&line, " · ", utf8_columns(counts) + utf8_columns(verdict) + (fails ? CAUSE_WIDTH : 0));
    fputs(counts, summary->to);
    summary_colour(summary, status ? "1;31" : "1;32");
    fputs(verdict, summary->to);
    summary_colour(summary, "0");
    line.column += utf8_columns(counts) + utf8_columns(verdict);
    if (fails) {
        put_causes(&line, total, &losses);
    }
    putc('\n', summary->to);
    losses_destroy(&losses);
}
