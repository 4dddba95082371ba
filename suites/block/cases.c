/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "suites/block/cases.h"

#include <stdlib.h>

/* What a case's parameter says. */
enum { GRADIENT = 1, ALONE = 2, KINDS = 4 };

static void build(struct builder *b)
{
    const struct block_kind *kind = b->c->subject;
    const struct block_call *call = b->c->row;
    const bool gradient = b->c->parameter & GRADIENT;
    if (b->c->parameter & ALONE) {
        block_alone(b, kind->build, call, gradient, call->value[kind->batch]);
    } else {
        struct block block = block_begin(b);
        kind->build(&block, call, gradient);
    }
}

/* Returns the level of a case; LEVEL_COUNT: there is no such case. */
static enum level level_of(const struct block_kind *kind, const struct block_axes *axes,
                           const struct block_call *call, int parameter)
{
    if (parameter & ALONE) {
        const bool small = axes->work(call->value) <= BLOCK_ALONE;
        return !kind->separate || call->value[kind->batch] == 1 ? LEVEL_COUNT
               : small                                          ? LEVEL_STANDARD
                                                                : LEVEL_EXHAUSTIVE;
    }
    return call->level == LEVEL_SMOKE && !(parameter & GRADIENT) ? LEVEL_STANDARD : call->level;
}

void block_declare(struct suite_list *list, const struct block_kind *kind)
{
    const struct block_axes axes = kind->axes();
    struct block_call *call = malloc(BLOCK_CALLS_MAX * sizeof *call);
    if (!call || !suite_keep(list, call)) {
        suite_fail(list);
        return;
    }
    const int count = block_array(&axes, call);
    for (int k = 0; k < count; k++) {
        char text[BLOCK_NAME];
        kind->print(&call[k], text, sizeof text);
        for (int parameter = 0; parameter < KINDS; parameter++) {
            const enum level level = level_of(kind, &axes, &call[k], parameter);
            const struct suite_case c = {.family = "block",
                                         .op = op_find(kind->op),
                                         .dtype = (enum dtype)call[k].value[kind->dtype],
                                         .level = level,
                                         .covers = parameter & ALONE ? "batch_invariance" : "",
                                         .file = kind->file,
                                         .line = kind->line,
                                         .build = build,
                                         .row = &call[k],
                                         .subject = kind,
                                         .parameter = parameter};
            if (c.op && level != LEVEL_COUNT) {
                suite_declare_named(list, &c, "%s-%s%s-%s", kind->name, parameter & GRADIENT ? "bw" : "fw",
                                    parameter & ALONE ? "1" : "", text);
            }
        }
    }
}
