/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/check/check.h"

static const char why_not[] = "it was left before this: see the complaints";

bool check_program(const struct check_options *options, struct findings *findings, struct conversation *c)
{
    *c = (struct conversation){.command = options->command,
                               .time_limit = options->time_limit,
                               .findings = findings,
                               .charge = CHECKS,
                               .where = ""};
    struct checker k = {.c = c};
    conversation_start(c);
    bool started = c->started || c->program.late || findings->of[CHECK_GREETS].complaints;
    k.list = c->greeted ? suite_list_create() : NULL;
    if (k.list) {
        check_operators(&k, options->operators);
        check_beyond_the_offer(&k);
        check_memory(&k);
        check_end(&k);
        suite_list_destroy(&k.list);
    }
    conversation_stop(c);
    for (int i = 0; i < CHECKS && (!c->greeted || c->losses >= LOSSES_MAX); i++) {
        findings_excuse(findings, (enum check)i, why_not);
    }
    return started || findings->of[CHECK_GREETING].complaints;
}
