/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/check/check.h"
#include "harness/check/probe.h"
#include "harness/check/wire.h"

int checker_complaints(const struct checker *k)
{
    int complaints = 0;
    for (int i = 0; i < CHECKS; i++) {
        complaints += k->c->findings->of[i].complaints;
    }
    return complaints;
}

static const char *status_word(enum step_status status)
{
    return status == STEP_REJECTED        ? "rejected"
           : status == STEP_UNSUPPORTED   ? "unsupported"
           : status == STEP_OUT_OF_MEMORY ? "out_of_memory"
           : status == STEP_ERROR         ? "error"
                                          : "ok";
}

void checker_complain_status(struct checker *k, enum check check, const struct probe *probe, const char *fix)
{
    conversation_complain(k->c, check, fix, "\"status\": \"%s\", %.200s", status_word(probe->status),
                          probe->message[0] ? probe->message : "without a word");
}

bool checker_expect(struct checker *k, enum check check, struct program *program, const char *fix)
{
    const struct profile *profile = &k->c->hello.profile;
    struct probe probe;
    char text[400];
    bool right = false;
    if (!program || !probe_make(&probe, program, profile)) {
        return true;
    }
    findings_tried(k->c->findings, check);
    k->c->charge = check;
    k->c->fix = fix;
    enum step_status status = probe_ask(&probe, k->c, 0);
    k->c->charge = CHECKS;
    if (status == STEP_OK) {
        right = probe_right(&probe, profile, false, text, sizeof text);
        if (!right) {
            char ignored[400];
            bool base = probe_alike(k->base, &probe) && probe_same(k->base, &probe, ignored, sizeof ignored);
            conversation_complain(k->c, check, fix, "%s%s", text,
                                  base ? ": the answer of the simple call" : "");
        }
    } else if (status != STEP_UNSUPPORTED && status != STEP_NOT_RUN) {
        checker_complain_status(k, check, &probe, fix);
    }
    probe_destroy(&probe);
    return right;
}
