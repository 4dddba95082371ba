/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/cli/commands.h"
#include "harness/host/output.h"
#include "harness/options/files.h"
#include "harness/options/options.h"
#include "reports/text.h"

#include <limits.h>
#include <math.h>
#include <string.h>

static const char report_about[] =
    "Writes a report of one or several results files. Several files are shown side by\n"
    "side: a case on several backends is one row of the parity table.\n"
    "\n"
    "The resolution of a row is the median over its cases of the least relative scale\n"
    "error that would fail (`none`: no such error; `–`: unknown). `implausible`\n"
    "counts errors that are larger than independent rounding explains, but fail no\n"
    "case.\n"
    "\n"
    "All formats give a cell of the table the same verdict: the first of fail, crash,\n"
    "timeout, error, missing, flake, unexpected_pass, expected_fail, pass, vacuous,\n"
    "unsupported that one of its cases has. The counts stand beside it.\n"
    "\n"
    "markdown fits a comment on a pull request (at most 65,000 bytes) and states what\n"
    "it left out. html is one page for a browser, without network: the matrix, its\n"
    "cases with their worst elements, histograms of errors, curves of memory and time\n"
    "with their thresholds, and the environment. The address of the page names the\n"
    "filter and the open cell, so it is a link to them. With --before the page shows\n"
    "what changed since an earlier release.\n"
    "\n"
    "Exit status of text, as of the run: 0 gate PASS; 1 gate FAIL; 2 usage; 3 nothing\n"
    "was judged. Of the other formats: 0 written, whatever the results are; 2 usage.";
static const char report_examples[] =
    "  assay report build/report/results.jsonl --format junit -o junit.xml\n"
    "  assay report llvmpipe.jsonl h200.jsonl --format markdown -o parity.md\n"
    "  assay report llvmpipe.jsonl h200.jsonl --format html -o parity.html\n"
    "  assay report new.jsonl --before old.jsonl --format html --title 'Release 2.4' -o parity.html\n"
    "  assay report results.jsonl --format text --by operator   one row per operator\n"
    "  assay report results.jsonl --format csv                 to the standard output";

static bool writes_over_input(const struct texts *paths, const char *output)
{
    for (int i = 0; i < paths->count; i++) {
        if (output_same(paths->text[i], output)) {
            return true;
        }
    }
    return false;
}

/* Refuses options that the format does not use. */
static bool check_format(enum report_format format, struct error *error)
{
    static const char *const of_text[] = {"show", "by", "color", NULL},
                             *const of_gate[] = {"fail-on", "strict", NULL},
                             *const of_page[] = {"title", "before", NULL};
    bool numbers = format == REPORT_CSV || format == REPORT_HTML;
    return (format == REPORT_TEXT || options_refuse(of_text, "this option needs --format text", error)) &&
           (format == REPORT_HTML || options_refuse(of_page, "this option needs --format html", error)) &&
           (!numbers ||
            options_refuse(
                of_gate,
                "this option needs --format text, junit or markdown; csv and html do not depend on the gate",
                error));
}

int cmd_report(int argc, char **argv)
{
    struct texts paths = {.count = 0}, earlier = {.count = 0};
    const char *format_name = NULL, *output = "-";
    struct summary_options summary = {.failures_max = SUMMARY_SHOWN, .seconds = NAN, .truth_from_cache = NAN};
    const struct option_row rows[] = {
        {'f', "format", OPTION_CHOICE, &format_name, "text|junit|markdown|csv|html",
         "text is the summary that run prints", 0, 0},
        {'o', "output", OPTION_PATH, &output, "FILE", "the file to write, default the standard output", 0, 0},
        {0, "fail-on", OPTION_GATE, &summary.gate, "LIST",
         "for text, junit and markdown, as for run: what else is shown as a failure of the gate", 0,
         GATE_OF_RECORDS},
        {0, "strict", OPTION_BITS, &summary.gate, NULL, "for text, junit and markdown, as for run", 0,
         GATE_STRICT},
        {0, "show", OPTION_INTEGER, &summary.failures_max, "N", "for text: as for run", 0, INT_MAX},
        {0, "by", OPTION_BY, &summary.by_operator, "family|operator", "for text: as for run", 0, 0},
        {0, "title", OPTION_TEXT, &summary.html.title, "TEXT",
         "for html: the heading of the page, default the names of the backends", 0, 0},
        {0, "before", OPTION_TEXTS, &earlier, "FILE",
         "for html: results of an earlier release, with whose cells the page compares; may be given several "
         "times",
         0, 0},
        OPTIONS_COLOR,
        {.name = NULL},
    };
    const struct command_help help = {.usage = "assay report RESULTS.jsonl… --format FORMAT [-o FILE]",
                                      .about = report_about,
                                      .examples = report_examples,
                                      .option = rows};
    enum options_outcome outcome = options_parse(&help, argc, argv, &paths);
    int status = outcome == OPTIONS_HELP ? EXIT_HOLDS : EXIT_USAGE;
    struct results results = {.headers = 0}, before = {.headers = 0};
    struct error error = {.text = ""};
    enum report_format format;
    if (outcome == OPTIONS_OK) {
        if (paths.count == 0) {
            options_fault("report needs at least one results file; assay run --results FILE writes one");
        } else if (!format_name) {
            options_fault("report needs --format text, junit, markdown, csv or html");
        } else if (!files_format(format_name, &format, &error) || !check_format(format, &error)) {
            options_fault("%s", error.text);
        } else if (writes_over_input(&paths, output) || writes_over_input(&earlier, output)) {
            options_fault("-o %s is one of the results files; give another file", output);
        } else if (files_read_all(&paths, false, &results) &&
                   (!earlier.count || files_read_all(&earlier, false, &before))) {
            summary.html.before = earlier.count ? &before : NULL;
            summary.colour = text_colour(strcmp(output, "-") == 0 ? stdout : NULL);
            bool good = files_write_report(output, format, &results, &summary, &error);
            status = !good                   ? options_fault("%s", error.text)
                     : format == REPORT_TEXT ? report_exit_status(&results, summary.gate)
                                             : EXIT_HOLDS;
        }
    }
    results_destroy(&results);
    results_destroy(&before);
    texts_destroy(&paths);
    texts_destroy(&earlier);
    return status;
}
