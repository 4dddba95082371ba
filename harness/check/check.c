/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/check/check.h"

static const char why_not[] = "not checked because of earlier complaints";

bool check_program(const struct check_options *options, struct findings *findings, struct conversation *c)
{
    *c = (struct conversation){.command = options->command,
                               .time_limit = options->time_limit,
                               .findings = findings,
                               .charge = CHECKS,
                               .where = ""};
    struct checker k = {.c = c};
    conversation_start(c);
    k.list = c->greeted ? suite_list_create() : NULL;
    bool tried = k.list != NULL;
    if (tried) {
        check_operators(&k, options->operators);
        check_beyond_the_offer(&k);
        check_memory(&k);
        check_end(&k);
        suite_list_destroy(&k.list);
    }
    conversation_stop(c);
    if (c->greeted && !tried) {
        findings_note(findings, "out of memory for the cases: no request was sent");
    }
    for (int i = 0; i < CHECKS && (!c->greeted || c->losses >= LOSSES_MAX); i++) {
        findings_excuse(findings, (enum check)i, why_not);
    }
    return !c->silent && tried == c->greeted;
}
