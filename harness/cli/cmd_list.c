/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/cli/commands.h"
#include "harness/cli/plan.h"
#include "suites/coverage.h"

#include <stdio.h>
#include <string.h>

static const char about[] =
    "Prints the ids of the cases that `assay run` with the same arguments would run, in their\n"
    "stable order. Lists no truth and opens no device.";

static const char examples[] =
    "  assay list                      every case of the standard level\n"
    "  assay list logdet --level exhaustive\n"
    "  assay list --count              a table: family, operator, dtype, cases\n"
    "  assay list --coverage           which required item is answered by which case";

/* The length of family/operator/dtype in an id. */
static int group_length(const char *id)
{
    const char *text;
    int length;
    return record_id_part(id, 2, &text, &length) ? (int)(text - id) + length : (int)strlen(id);
}

static void print_counts(const struct plan *plan, const struct selection *selection)
{
    for (int i = 0; i < selection->count;) {
        const char *id = suite_list_id(plan->list, selection->index[i]);
        int length = group_length(id), count = 0;
        while (i < selection->count) {
            const char *other = suite_list_id(plan->list, selection->index[i]);
            if (group_length(other) != length || strncmp(other, id, (size_t)length) != 0) {
                break;
            }
            count++;
            i++;
        }
        printf("%6d  %.*s\n", count, length, id);
    }
    printf("%6d  in all\n", selection->count);
}

int cmd_list(int argc, char **argv)
{
    struct plan_options options = plan_defaults();
    struct texts globs = {.count = 0};
    bool count = false, coverage = false;
    const struct option_row rows[] = {
        {'l', "level", OPTION_LEVEL, &options.level, "L", "smoke, standard (the default) or exhaustive", 0,
         0},
        {'x', "exclude", OPTION_TEXTS, &options.excludes, "GLOB", "leave these cases out", 0, 0},
        {0, "shard", OPTION_SHARD, &options.shard, "K/N", "the K-th of N disjoint parts", 0, 0},
        {'c', "count", OPTION_FLAG, &count, NULL, "numbers of cases instead of ids", 0, 0},
        {0, "coverage", OPTION_FLAG, &coverage, NULL,
         "required items and the cases that answer them; exit 1 on a gap", 0, 0},
        {.name = NULL},
    };
    const struct command_help help = {
        .usage = "assay list [GLOB…] [OPTION…]", .about = about, .examples = examples, .option = rows};
    enum options_outcome outcome = options_parse(&help, argc, argv, &globs);
    int status = outcome == OPTIONS_HELP ? EXIT_HOLDS : EXIT_USAGE;
    struct plan plan = {.list = NULL};
    struct selection selection = {.count = 0};
    struct error error = {.text = ""};
    if (outcome == OPTIONS_OK) {
        if (!plan_open(&plan, &options, &error) ||
            (!coverage && !plan_select(&plan, &options, &globs, &selection, &error))) {
            status = options_fault("%s", error.text);
        } else if (coverage) {
            int uncovered = suite_coverage_write(stdout, plan.list);
            status = uncovered ? EXIT_GATE : EXIT_HOLDS;
        } else {
            for (int i = 0; i < selection.count && !count; i++) {
                puts(suite_list_id(plan.list, selection.index[i]));
            }
            if (count) {
                print_counts(&plan, &selection);
            }
            status = EXIT_HOLDS;
        }
    }
    selection_destroy(&selection);
    texts_destroy(&globs);
    plan_close(&plan, &options);
    return status;
}
