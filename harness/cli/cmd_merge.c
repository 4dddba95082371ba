/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/cli/commands.h"
#include "harness/options/files.h"
#include "harness/options/options.h"
#include "reports/text.h"

#include <limits.h>
#include <math.h>
#include <string.h>

static const char about[] =
    "Merges results, usually of shards, into one file in the order of the ids, with\n"
    "one record per case and backend. Of two records of a case, a measured one\n"
    "replaces a missing one, so that an interrupted run and its repetition can be\n"
    "merged. Of two measured ones with different statuses the worse one stays, and a\n"
    "line reports the difference.\n"
    "\n"
    "Files of one backend and device must come from the same assay, seed and level.\n"
    "Results of another device or driver become a column of their own, so run the\n"
    "shards of one run on equal machines. Shards that were cut with different --costs\n"
    "cannot be merged. A lost shard and cases without a record are reported, and fail\n"
    "the gate.\n"
    "\n"
    "The output ends with the summary of the merged run, as run prints it.\n"
    "\n"
    "Exit status, of the merged run: 0 gate PASS; 1 gate FAIL; 2 usage, or files that\n"
    "do not belong together; 3 nothing was judged.";
static const char examples[] = "  assay merge shard1.jsonl shard2.jsonl shard3.jsonl -o all.jsonl\n"
                               "  assay merge interrupted.jsonl again.jsonl -o all.jsonl";

int cmd_merge(int argc, char **argv)
{
    struct texts paths = {.count = 0};
    const char *output = NULL;
    struct summary_options summary = {.failures_max = SUMMARY_SHOWN, .seconds = NAN, .truth_from_cache = NAN};
    const struct option_row rows[] = {
        {'o', "output", OPTION_PATH, &output, "FILE", "the merged file; - is the standard output", 0, 0},
        {0, "fail-on", OPTION_GATE, &summary.gate, "LIST", "as for run: what else fails the gate", 0,
         GATE_OF_RECORDS},
        {0, "strict", OPTION_BITS, &summary.gate, NULL, "as for run", 0, GATE_STRICT},
        {0, "show", OPTION_INTEGER, &summary.failures_max, "N", "as for run", 0, INT_MAX},
        {0, "by", OPTION_BY, &summary.by_operator, "family|operator", "as for run", 0, 0},
        OPTIONS_COLOR,
        {.name = NULL},
    };
    const struct command_help help = {.usage = "assay merge SHARD.jsonl… -o ALL.jsonl",
                                      .about = about,
                                      .examples = examples,
                                      .option = rows};
    enum options_outcome outcome = options_parse(&help, argc, argv, &paths);
    int status = outcome == OPTIONS_HELP ? EXIT_HOLDS : EXIT_USAGE;
    struct results results = {.headers = 0};
    struct error error = {.text = ""};
    if (outcome == OPTIONS_OK) {
        if (paths.count == 0 || !output) {
            options_fault("merge needs at least one results file, and -o FILE for the merged results");
        } else if (files_read_all(&paths, true, &results)) {
            status = files_write_results(output, &results, &error)
                         ? report_exit_status(&results, summary.gate)
                         : options_fault("%s", error.text);
            if (status != EXIT_USAGE) { /* the joined records may go to the standard output */
                FILE *to = strcmp(output, "-") == 0 ? stderr : stdout;
                summary.colour = text_colour(to);
                report_summary(to, &results, &summary);
            }
        }
    }
    results_destroy(&results);
    texts_destroy(&paths);
    return status;
}
