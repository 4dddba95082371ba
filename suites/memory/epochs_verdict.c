/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "suites/memory/epochs_verdict.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double MIB = 1024 * 1024;

enum rule { RETURNS, ZERO, PLATEAU };

/* `slack`: growth over the whole series that is accepted whatever its trend; `part`: the same as a share of
 * the first point. A C library keeps pages, an allocator a block. */
static const struct rule_row {
    const char *prefix;
    enum rule rule;
    double slack, part;
} rules[] = {
    {"allocated", RETURNS, 0, 0},
    {"live ", RETURNS, 0, 0},
    {"reserved on repetition", ZERO, 0, 0},
    {"reserved", PLATEAU, 0, 0},
    {"budget", PLATEAU, 2 * 1024 * 1024, 0.02},
    {"resident", PLATEAU, 1024 * 1024, 0.02},
    {"descriptors", PLATEAU, 0.5, 0},
};

double epochs_added(double first, double second, double greatest)
{
    return fmax(0, second - fmax(first, greatest));
}

static const struct rule_row *rule_of(const struct series *series)
{
    for (unsigned k = 0; k < sizeof rules / sizeof *rules; k++) {
        if (strncmp(series->name, rules[k].prefix, strlen(rules[k].prefix)) == 0) {
            return &rules[k];
        }
    }
    return NULL;
}

static void amount(const struct series *series, double y, char *text, size_t size)
{
    if (strcmp(series->unit, "bytes") == 0 && fabs(y) >= MIB / 8) {
        snprintf(text, size, "%.4g MiB", y / MIB);
    } else {
        snprintf(text, size, "%.17g%s%s", y, strcmp(series->unit, "bytes") == 0 ? " bytes" : "", "");
    }
}

static void judge_return(const struct series *series, struct finding *finding)
{
    char from[48], to[48];
    for (int i = 1; i < series->points; i++) {
        if (series->y[i] != series->y[0]) {
            amount(series, series->y[0], from, sizeof from);
            amount(series, series->y[series->points - 1], to, sizeof to);
            finding_note(
                finding, FINDING_FAIL,
                "%s must return to its start after every epoch: %s at the first boundary, changed at "
                "boundary %d, %s at the last",
                series->name, from, i + 1, to);
            return;
        }
    }
}

static void judge_zero(const struct series *series, struct finding *finding)
{
    for (int i = 0; i < series->points; i++) {
        if (series->y[i] > 0) {
            char text[48];
            amount(series, series->y[i], text, sizeof text);
            finding_note(
                finding, FINDING_FAIL,
                "%s: running the same work again reserved %s more in epoch %d: what was freed is not "
                "used again",
                series->name, text, i + 1);
            return;
        }
    }
}

/* The growth over a whole measurement that is accepted whatever its trend. */
static double slack_of(const struct series *series, const struct rule_row *row)
{
    return fmax(row->slack, row->part * (series->points ? series->y[0] : 0));
}

bool epochs_suspect(const struct series_set *set)
{
    for (int s = 0; s < set->count; s++) {
        const struct series *series = &set->item[s];
        const struct rule_row *row = rule_of(series);
        int last = series->points - 1;
        bool rises = row && row->rule == PLATEAU && last > 0 &&
                     series->y[last] - series->y[0] > slack_of(series, row) * last / (EPOCHS - 1);
        for (int i = 1; rises && i <= last; i++) {
            rises = series->y[i] > series->y[i - 1];
        }
        if (rises) {
            return true;
        }
    }
    return false;
}

static void judge_plateau(const struct series *series, const struct rule_row *row, struct finding *finding)
{
    double slack = slack_of(series, row);
    struct plateau_verdict v = series_plateau(series, slack);
    char from[48], to[48], growth[48];
    if (v.verdict == PLATEAU_HOLDS) {
        return;
    }
    amount(series, series->y[0], from, sizeof from);
    amount(series, series->y[series->points - 1], to, sizeof to);
    amount(series, v.growth, growth, sizeof growth);
    if (v.verdict == PLATEAU_RISES) {
        finding_note(
            finding, FINDING_FAIL,
            "%s rises from %s to %s: Theil-Sen slope %s over %d epochs, trend p = %.2g (false alarms: "
            "%g)",
            series->name, from, to, growth, series->points, v.p, plateau_false_alarm);
    } else {
        finding_note(finding, FINDING_FAIL,
                     "%s grows by %.0f %%, from %s to %s, over %d epochs; %.0f %% is too much", series->name,
                     100 * v.ratio, from, to, series->points, 100 * plateau_growth);
    }
}

static void judge(const struct series *series, const struct rule_row *row, struct finding *finding)
{
    if (row && row->rule == RETURNS) {
        judge_return(series, finding);
    } else if (row && row->rule == ZERO) {
        judge_zero(series, finding);
    } else if (row) {
        judge_plateau(series, row, finding);
    }
}

void epochs_verdict(const struct series_set *set, struct finding *finding)
{
    for (int s = 0; s < set->count; s++) {
        judge(&set->item[s], rule_of(&set->item[s]), finding);
    }
}

void epochs_limits(struct series_set *set)
{
    static const char *const said[] = {[RETURNS] = "returns to its start after every epoch",
                                       [ZERO] = "stays 0: what was freed is used again",
                                       [PLATEAU] =
                                           "a plateau: neither a rising trend nor growth beyond the line"};
    for (int s = 0; s < set->count; s++) {
        struct series *series = &set->item[s];
        const struct rule_row *row = rule_of(series);
        struct finding finding = {.kind = FINDING_NONE};
        if (!row || series->points == 0 || !series_limit(series, said[row->rule])) {
            continue;
        }
        double start = series->y[0], slack = slack_of(series, row);
        for (int i = 0; i < series->points; i++) {
            series->limit[i] = row->rule == RETURNS ? start
                               : row->rule == ZERO  ? 0
                                                    : start + fmax(slack, plateau_growth * start);
        }
        judge(series, row, &finding);
        series->breaks = finding.kind == FINDING_FAIL;
    }
}

bool epochs_note(struct series_set *set, int epoch, const struct usage *usage)
{
    const struct backend_memory *memory = &usage->memory;
    bool good = series_add(set, "allocated", "bytes", epoch, (double)memory->allocated) &&
                series_add(set, "reserved", "bytes", epoch, (double)memory->reserved);
    if (memory->budget) {
        good = good && series_add(set, "budget", "bytes", epoch, (double)memory->budget);
    }
    if (usage->resident > 0) {
        good = good && series_add(set, "resident", "bytes", epoch, usage->resident);
    }
    if (usage->descriptors > 0) {
        good = good && series_add(set, "descriptors", "files", epoch, usage->descriptors);
    }
    for (int k = 0; k < memory->kinds; k++) {
        char *name = NULL;
        good = good && asprintf(&name, "live %s", memory->kind[k].name) >= 0 &&
               series_add(set, name, "objects", epoch, (double)memory->kind[k].live);
        free(name);
    }
    return good;
}

/* The bounds 1.1 and 2.2 exclude guard zones and small blocks, and three times the need, from what counts as
 * rounding. */
bool epochs_rounds(double peak, double need)
{
    return peak <= 0 || (peak > 1.1 * need && peak <= 2.2 * need);
}

static double need_of(const struct program *program)
{
    double need = 0;
    for (int s = 0; s < program->storages; s++) {
        need += (double)program->storage[s].bytes;
    }
    return need;
}

bool epochs_set_limit(struct bench *bench, const struct program *program, int64_t nominal, uint64_t *limit,
                      struct finding *finding, struct error *error)
{
    struct execution execution;
    struct usage usage;
    *limit = 0;
    if (!bench->limit_memory(bench, (uint64_t)nominal)) {
        return true;
    }
    *limit = (uint64_t)nominal;
    if (!bench->execute(bench, program, &execution, error)) {
        return false;
    }
    if (execution.status != STEP_OUT_OF_MEMORY) {
        return true;
    }
    bench->limit_memory(bench, 2 * (uint64_t)nominal);
    if (!bench->execute(bench, program, &execution, error)) {
        return false;
    }
    bench->usage(bench, &usage);
    if (execution.status == STEP_OK && epochs_rounds((double)usage.memory.peak, need_of(program))) {
        *limit = 2 * (uint64_t)nominal;
        snprintf(
            finding->remark, sizeof finding->remark,
            "the allocator rounds sizes: %llu bytes for %.0f at the peak; the limit is %llu bytes instead of "
            "%lld",
            (unsigned long long)usage.memory.peak, need_of(program), (unsigned long long)*limit,
            (long long)nominal);
    }
    bench->empty_cache(bench);
    bench->limit_memory(bench, *limit);
    return true;
}

void epochs_spoil(struct series_set *set)
{
    struct series *allocated = series_find(set, "allocated");
    if (allocated && allocated->points) {
        allocated->y[allocated->points - 1] += 512;
    }
}
