/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/cli/commands.h"
#include "harness/files.h"
#include "harness/options/options.h"
#include "reports/compare.h"

#include <string.h>

static const char about[] =
    "Compares two runs, of two releases of a driver say: what got worse, even within tolerance. A case is\n"
    "worse where it passed and does not any more, where its error has grown by --error-ratio and is more\n"
    "than 5 % of the bound, or where a curve (time or memory per item) has grown by --curve-ratio in the\n"
    "median of its points, and where the new run does not have it at all (--subset: it need not). Cases\n"
    "whose inputs differ are left out and counted. Where the runs were judged by different references, a\n"
    "case that now fails by rule envelope, is vacuous, or is nearer to its limit is listed as judged more\n"
    "sharply, not as worse, unless its error in ulps has grown by --error-ratio too.\n"
    "\n"
    "Exit status: 0 nothing got worse, 1 something did, 2 usage.";
static const char examples[] = "  assay compare release-1.jsonl release-2.jsonl\n"
                               "  assay compare old.jsonl new.jsonl --error-ratio 1.5 --format json\n";

static int compare(const struct texts *paths, const struct compare_options *options, bool json)
{
    struct results results[2] = {{.headers = 0}, {.headers = 0}};
    struct comparison comparison = {.changes = 0};
    int status = EXIT_USAGE;
    if (!files_read(paths->text[0], &results[0]) || !files_read(paths->text[1], &results[1])) {
        status = EXIT_USAGE; /* told */
    } else if (!compare_build(&results[0], &results[1], options, &comparison)) {
        options_fault("out of memory");
    } else if (comparison.compared == 0) {
        options_fault("%s and %s have no case in common%s", paths->text[0], paths->text[1],
                      comparison.other_inputs ? " with the same inputs" : "");
    } else {
        bool good = json ? compare_json(stdout, &comparison)
                         : compare_text(stdout, &results[0], &results[1], &comparison, options);
        status = !good                        ? options_fault("cannot write the comparison")
                 : compare_worse(&comparison) ? EXIT_GATE
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
    struct compare_options options = {.error_ratio = 2, .least_error = 0.05, .curve_ratio = 1.5, .shown = 20};
    const char *format = "text";
    bool all = false;
    const struct option_row rows[] = {
        {0, "error-ratio", OPTION_POSITIVE, &options.error_ratio, "R",
         "growth of error / bound that counts, default 2", 1, 0},
        {0, "curve-ratio", OPTION_POSITIVE, &options.curve_ratio, "R",
         "growth of a curve that counts, default 1.5", 1, 0},
        {0, "subset", OPTION_FLAG, &options.subset, NULL,
         "the new run is meant to hold fewer cases: those that are gone are not worse", 0, 0},
        {'f', "format", OPTION_CHOICE, &format, "text|json", "default text", 0, 0},
        {0, "all", OPTION_FLAG, &all, NULL, "every change, not the 20 greatest of each kind", 0, 0},
        {.name = NULL},
    };
    const struct command_help help = {.usage = "assay compare OLD.jsonl NEW.jsonl [options]",
                                      .about = about,
                                      .examples = examples,
                                      .option = rows};
    enum options_outcome outcome = options_parse(&help, argc, argv, &paths);
    int status = outcome == OPTIONS_HELP ? EXIT_HOLDS : EXIT_USAGE;
    bool json = strcmp(format, "json") == 0;
    options.shown = all ? 0 : options.shown;
    if (outcome == OPTIONS_OK && paths.count != 2) {
        options_fault(
            "compare needs two results files, the old one first; assay run --results FILE writes one");
    } else if (outcome == OPTIONS_OK && !(options.error_ratio > 1 && options.curve_ratio > 1)) {
        options_fault("--error-ratio and --curve-ratio must be greater than 1");
    } else if (outcome == OPTIONS_OK) {
        status = compare(&paths, &options, json);
    }
    texts_destroy(&paths);
    return status;
}
