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
    "Compares two runs, for instance with two releases of a driver, and shows what\n"
    "got worse, even within tolerance.\n"
    "\n"
    "A case is worse if it passed and does not pass now; if its error has grown by\n"
    "--error-ratio and is more than 5 % of the bound; or if the new run lacks it\n"
    "(with --subset that is allowed). A curve (time or memory per item) is worse if\n"
    "it has grown by --curve-ratio in the median of its points, and more than half of\n"
    "the points by more than the spreads of the repeats, which the records contain.\n"
    "Growth that the machine's pace explains, which is recorded beside the curves,\n"
    "does not count, so that a busy machine is no regression. In older files without\n"
    "a spread the ratio alone decides, and the output states it; --curves off leaves\n"
    "curves out. Cases with different inputs are left out and counted. If the runs\n"
    "were judged by different references, a case that now fails by rule envelope, is\n"
    "vacuous, or is nearer to its limit is listed as judged more strictly, not as\n"
    "worse, unless its error in ulp has also grown by --error-ratio.\n"
    "\n"
    "Changes are grouped by operator, dtype and rule, with a count and an example.\n"
    "\n"
    "Different devices or backends make a table with a row per operator, and no\n"
    "regression: the exit status is 0 unless --fail-on contains worse. (What is in\n"
    "brackets behind a device's name does not make it another device.)\n"
    "\n"
    "--fail-on adds to what fails: fail (with crash, timeout, error, missing), flake,\n"
    "unsupported, unexpected_pass, vacuous, range and implausible fail if the new run\n"
    "has such cases, changed or not, as in assay run. With none, getting worse does\n"
    "not fail. An incomplete file (cases without a record, records without a header)\n"
    "always fails. Of several records of one case the worst counts.\n"
    "\n"
    "Exit status: 0 nothing fails; 1 something fails; 2 usage.";
static const char examples[] = "  assay compare release-1.jsonl release-2.jsonl\n"
                               "  assay compare old.jsonl new.jsonl --error-ratio 1.5 --format json\n"
                               "  assay compare main.jsonl branch.jsonl --format markdown --fail-on fail\n"
                               "  assay compare llvmpipe.jsonl h200.jsonl          two devices: a table";

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
         "the growth of error / bound that is worse, default 2", 1, 0},
        {0, "curve-ratio", OPTION_POSITIVE, &options.curve_ratio, "R",
         "the growth of a curve that is worse, default 1.5", 1, 0},
        {0, "curves", OPTION_CHOICE, &curves, "on|off", "off: do not compare curves", 0, 0},
        {0, "subset", OPTION_FLAG, &options.subset, NULL,
         "the new run may have fewer cases; cases that it lacks are not worse", 0, 0},
        {0, "fail-on", OPTION_GATE, &options.gate, "LIST",
         "what else fails: fail, flake, unsupported, unexpected_pass, vacuous, range, implausible; none: "
         "worse does not fail",
         0, GATE_OF_COMPARE},
        {'f', "format", OPTION_CHOICE, &format, "text|json|markdown",
         "default text; markdown fits a comment on a pull request (at most 65,000 bytes)", 0, 0},
        {0, "show", OPTION_INTEGER, &options.shown, "N",
         "groups of each kind of change that are shown, default 10; 0: all", 0, INT_MAX},
        {0, "by", OPTION_BY, &by_operator, "family|operator",
         "one row of a table for each of these, default operator", 0, 0},
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
