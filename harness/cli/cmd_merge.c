/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/cli/commands.h"
#include "harness/files.h"
#include "harness/options/options.h"
#include "reports/losses.h"

#include <inttypes.h>

static const char about[] =
    "Joins results, of shards usually, into one file in the order of the ids. Each case of a backend has "
    "one\n"
    "record then: one that was measured stands against a missing one, so that an interrupted run and its\n"
    "repetition join; of two measured ones that differ in status the worse one stands, and a line says so.\n"
    "\n"
    "Files of one backend and device must come from the same assay, seed and level. Another device or "
    "driver\n"
    "is another column: the shards of one run belong on equal machines. A lost shard and cases without a\n"
    "record are named, and fail the gate.\n"
    "\n"
    "Exit status as of the joined run: 0 the gate holds, 1 it does not, 2 usage or files that do not belong\n"
    "together, 3 nothing was judged.";
static const char examples[] = "  assay merge shard1.jsonl shard2.jsonl shard3.jsonl -o all.jsonl\n"
                               "  assay merge interrupted.jsonl again.jsonl -o all.jsonl";

/* Why the gate does not hold: "2 fail, 1 missing, 46 without a record". */
static void tell_why(const struct results *results, bool strict)
{
    char text[400];
    size_t used = 0;
    struct losses losses;
    for (int s = 0; s < STATUS_COUNT; s++) {
        int count = 0;
        for (int r = 0; r < results->records; r++) {
            count += results->record[r].status == (enum status)s;
        }
        if (count && status_fails_gate((enum status)s, strict)) {
            used += (size_t)snprintf(text + used, sizeof text - used, "%s%d %s", used ? ", " : "", count,
                                     status_name((enum status)s));
        }
    }
    losses_find(results, false, &losses);
    int64_t lost = 0;
    for (int i = 0; i < losses.count; i++) {
        lost += losses.loss[i].lost;
    }
    losses_destroy(&losses);
    if (lost) {
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%" PRId64 " without a record",
                                 used ? ", " : "", lost);
    }
    options_fault("the gate FAILS (exit 1): %s", used ? text : "there is no record");
}

int cmd_merge(int argc, char **argv)
{
    struct texts paths = {.count = 0};
    const char *output = NULL;
    bool strict = false;
    const struct option_row rows[] = {
        {'o', "output", OPTION_PATH, &output, "FILE", "where to; - is the standard output", 0, 0},
        {0, "strict", OPTION_FLAG, &strict, NULL, "for the exit status, as for run", 0, 0},
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
            options_fault("merge needs results files and -o FILE");
        } else if (files_read_all(&paths, true, &results)) {
            status = files_write_results(output, &results, &error) ? report_exit_status(&results, strict)
                                                                   : options_fault("%s", error.text);
            if (status == EXIT_GATE) {
                tell_why(&results, strict);
            } else if (status == EXIT_NOTHING_RUN) {
                options_fault("nothing was judged (exit 3): on some backend every case is unsupported");
            }
        }
    }
    results_destroy(&results);
    texts_destroy(&paths);
    return status;
}
