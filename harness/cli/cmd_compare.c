/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/cli/commands.h"
#include "harness/options/files.h"
#include "harness/options/options.h"
#include "reports/compare/compare.h"
#include "reports/report.h"

#include <limits.h>
#include <string.h>

static const char about[] =
    "Compares two runs, of two releases of a driver say: what got worse, even within tolerance. A case is\n"
    "worse where it passed and does not any more, where its error has grown by --error-ratio and is more\n"
    "than 5 % of the bound, and where the new run does not have it at all (--subset: it need not). A curve\n"
    "(time or memory per item) is worse where it has grown by --curve-ratio in the median of its points,\n"
    "and more than half of them by more than the spreads of the repeats that both records keep, after what\n"
    "the machine's pace explains, which is recorded beside them: a busy machine is no regression. Older\n"
    "files have no spread, then the ratio alone decides, and the output says so; --curves off leaves curves\n"
    "out. Cases whose inputs differ are left out and counted. Where the runs were judged by different\n"
    "references, a case that now fails by rule envelope, is vacuous, or is nearer to its limit is listed as\n"
    "judged more sharply, not as worse, unless its error in ulps has grown by --error-ratio too.\n"
    "\n"
    "Changes are told in kinds: operator, dtype and what happened, with a count and one example each.\n"
    "\n"
    "Different devices, or different backends, make a table of both, a row per operator, and no regression:\n"
    "exit 0 unless --fail-on asks for worse. (What stands in brackets behind a device's name does not make\n"
    "it another.)\n"
    "\n"
    "--fail-on adds to what fails, which is worse: fail (also crash, timeout, error, missing), flake,\n"
    "unsupported, unexpected_pass, vacuous, range and implausible are of the new run, whether they changed\n"
    "or not, as in assay run. With none, worse does not fail. A file that is not whole (cases without a\n"
    "record, records without a header) always fails. Of several records of one case the worst counts.\n"
    "\n"
    "Exit status: 0 nothing fails, 1 something does, 2 usage.";
static const char examples[] =
    "  assay compare release-1.jsonl release-2.jsonl\n"
    "  assay compare old.jsonl new.jsonl --error-ratio 1.5 --format json\n"
    "  assay compare main.jsonl branch.jsonl --format markdown --fail-on fail   for a pull request\n"
    "  assay compare llvmpipe.jsonl h200.jsonl                                  a table\n";

static bool print(const char *format, const struct results results[2], const struct comparison *comparison,
                  const struct compare_options *options)
{
    if (strcmp(format, "json") == 0) {
        return compare_json(stdout, &results[1], comparison, options);
    }
    if (strcmp(format, "markdown") == 0) {
        return compare_markdown(stdout, &results[1], comparison, options);
    }
    return compare_text(stdout, &results[1], comparison, options);
}

static int compare(const struct texts *paths, const struct compare_options *options, const char *format)
{
    struct results results[2] = {{.headers = 0}, {.headers = 0}};
    struct comparison comparison = {.changes = 0};
    int status = EXIT_USAGE;
    if (!files_read(paths->text[0], &results[0]) || !files_read(paths->text[1], &results[1])) {
        status = EXIT_USAGE; /* the fault has been printed */
    } else if (!compare_build(&results[0], &results[1], options, &comparison)) {
        options_fault("out of memory");
    } else if (comparison.compared == 0) {
        options_fault("%s and %s have no case in common%s", paths->text[0], paths->text[1],
                      comparison.other_inputs ? " with the same inputs" : "");
    } else {
        bool good = print(format, results, &comparison, options);
        unsigned gate = compare_gate(&comparison, options);
        status = !good ? options_fault("cannot write the comparison")
                 : compare_fails(&comparison, &results[1], gate) ? EXIT_GATE
                                                                 : EXIT_HOLDS;
    }
    compare_destroy(&comparison);
    results_destroy(&results[0]);
    results_destroy(&results[1]);
    return status;
}

int cmd_compare(int argc, char **argv)
{
    struct texts paths = {.count = 0};
    struct compare_options options = {
        .error_ratio = 2, .least_error = 0.05, .curve_ratio = 1.5, .shown = SUMMARY_SHOWN};
    const char *format = "text", *curves = "on";
    bool by_operator = true;
    const struct option_row rows[] = {
        {0, "error-ratio", OPTION_POSITIVE, &options.error_ratio, "R",
         "growth of error / bound that counts, default 2", 1, 0},
        {0, "curve-ratio", OPTION_POSITIVE, &options.curve_ratio, "R",
         "growth of a curve that counts, default 1.5", 1, 0},
        {0, "curves", OPTION_CHOICE, &curves, "on|off", "off leaves curves out", 0, 0},
        {0, "subset", OPTION_FLAG, &options.subset, NULL,
         "the new run is meant to hold fewer cases: those that are gone are not worse", 0, 0},
        {0, "fail-on", OPTION_GATE, &options.gate, "LIST",
         "what else fails: fail, flake, unsupported, unexpected_pass, vacuous, range, implausible; none: not "
         "worse",
         0, GATE_OF_COMPARE},
        {'f', "format", OPTION_CHOICE, &format, "text|json|markdown",
         "default text; markdown for a comment on a pull request (at most 65,000 bytes)", 0, 0},
        {0, "show", OPTION_INTEGER, &options.shown, "N",
         "kinds of each change that are shown; 0: all, default 10", 0, INT_MAX},
        {0, "by", OPTION_BY, &by_operator, "family|operator", "the rows of a table, default operator", 0, 0},
        {.name = NULL},
    };
    const struct command_help help = {.usage = "assay compare OLD.jsonl NEW.jsonl [OPTION…]",
                                      .about = about,
                                      .examples = examples,
                                      .option = rows};
    enum options_outcome outcome = options_parse(&help, argc, argv, &paths);
    int status = outcome == OPTIONS_HELP ? EXIT_HOLDS : EXIT_USAGE;
    options.no_curves = strcmp(curves, "off") == 0;
    options.by_family = !by_operator;
    if (outcome == OPTIONS_OK && paths.count != 2) {
        options_fault(
            "compare needs two results files, the old one first; assay run --results FILE writes one");
    } else if (outcome == OPTIONS_OK && !(options.error_ratio > 1 && options.curve_ratio > 1)) {
        options_fault("--error-ratio and --curve-ratio must be greater than 1");
    } else if (outcome == OPTIONS_OK) {
        status = compare(&paths, &options, format);
    }
    texts_destroy(&paths);
    return status;
}
