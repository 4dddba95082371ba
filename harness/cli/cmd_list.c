/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/cli/commands.h"
#include "harness/cli/help_operator.h"
#include "harness/selection/plan.h"
#include "suites/coverage.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char about[] =
    "Prints the ids of the cases that `assay run` with the same arguments would run,\n"
    "in a stable order. It computes no truth and opens no device.\n"
    "`assay help operator NAME` explains one operator.";

static const char examples[] =
    "  assay list                      every case of the standard level\n"
    "  assay list logdet --level exhaustive\n"
    "  assay list --operators 'batch_*'  operands and attributes of operators\n"
    "  assay list --count              a table: family, operator, dtype, cases\n"
    "  assay list --coverage           the requirements, and the cases that test each";

/* Returns the length of family/operator/dtype in an id. */
static int group_length(const char *id)
{
    const char *text;
    int length;
    return record_id_part(id, 2, &text, &length) ? (int)(text - id) + length : (int)strlen(id);
}

struct count {
    const char *id; /* its first case */
    int length, cases;
};

/* Prints one row per family, operator and dtype, in the order of the list. Returns false when out of memory.
 */
static bool print_counts(const struct plan *plan, const struct selection *selection)
{
    struct count *count = calloc((size_t)selection->count + 1, sizeof *count);
    int groups = 0;
    for (int i = 0; count && i < selection->count; i++) {
        const char *id = suite_list_id(plan->list, selection->index[i]);
        int length = group_length(id), g = groups - 1;
        while (g >= 0 && (count[g].length != length || strncmp(count[g].id, id, (size_t)length) != 0)) {
            g--;
        }
        if (g < 0) {
            g = groups++;
            count[g] = (struct count){id, length, 0};
        }
        count[g].cases++;
    }
    for (int g = 0; g < groups; g++) {
        printf("%6d  %.*s\n", count[g].cases, count[g].length, count[g].id);
    }
    printf("%6d  in all\n", selection->count);
    bool good = count != NULL;
    free(count);
    return good;
}

int cmd_list(int argc, char **argv)
{
    struct plan_options options = plan_defaults();
    options.level = LEVEL_COUNT;
    struct texts globs = {.count = 0};
    bool count = false, coverage = false, operators = false;
    const struct option_row rows[] = {
        {'l', "level", OPTION_LEVEL, &options.level, "L", "smoke, standard (the default) or exhaustive", 0,
         0},
        {'x', "exclude", OPTION_TEXTS, &options.excludes, "GLOB", "leave these cases out", 0, 0},
        {0, "shard", OPTION_SHARD, &options.shard, "K/N", "list the K-th of N disjoint parts", 0, 0},
        {0, "costs", OPTION_PATH, &options.costs, "FILE",
         "as for run: results of an earlier run to balance the parts by", 0, 0},
        {'c', "count", OPTION_FLAG, &count, NULL, "print numbers of cases instead of ids", 0, 0},
        {0, "coverage", OPTION_FLAG, &coverage, NULL,
         "list the required items, sizes and classes of calls with the cases of all levels that test them; "
         "exit status 1 if one has no case",
         0, 0},
        {0, "operators", OPTION_FLAG, &operators, NULL,
         "print the operators instead, with operands, results and attributes; GLOB is a name or a family", 0,
         0},
        {.name = NULL},
    };
    const struct command_help help = {
        .usage = "assay list [GLOB…] [OPTION…]", .about = about, .examples = examples, .option = rows};
    enum options_outcome outcome = options_parse(&help, argc, argv, &globs);
    int status = outcome == OPTIONS_HELP ? EXIT_HOLDS : EXIT_USAGE;
    struct plan plan = {.list = NULL};
    struct selection selection = {.count = 0};
    struct error error = {.text = ""};
    bool narrowed =
        count || globs.count || options.excludes.count || options.shard.count || options.level != LEVEL_COUNT;
    options.level = options.level == LEVEL_COUNT ? LEVEL_STANDARD : options.level;
    if (outcome == OPTIONS_OK && coverage && narrowed) {
        options_fault("--coverage covers all cases; leave out GLOB, --count, --exclude, --level and --shard");
    } else if (outcome == OPTIONS_OK && operators) {
        static const char *const of_cases[] = {"level", "exclude",  "shard", "costs",
                                               "count", "coverage", NULL};
        status = options_refuse(of_cases, "this option is about cases; --operators lists operators", &error)
                     ? help_list_operators(&globs)
                     : options_fault("%s", error.text);
    } else if (outcome == OPTIONS_OK) {
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
            bool good = !count || print_counts(&plan, &selection);
            status = good ? EXIT_HOLDS : options_fault("out of memory");
        }
    }
    selection_destroy(&selection);
    texts_destroy(&globs);
    plan_close(&plan, &options);
    return status;
}
