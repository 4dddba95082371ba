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

void checker_check_memory(struct checker *k, const struct probe *probe)
{
    struct ownership ownership;
    struct clobber clobber;
    const bool returned = k->c->return_storages;
    if ((!returned && !op_writes(k->op)) || !ownership_create(&ownership, probe->program, NULL)) {
        return;
    }
    if (returned) {
        findings_tried(k->c->findings, CHECK_OPERANDS);
    }
    if (op_writes(k->op)) {
        findings_tried(k->c->findings, CHECK_GAPS);
    }
    if (images_clobbered(&probe->images, probe->program, &ownership, 1, &clobber)) {
        const struct step *step = &probe->program->step[0];
        /* an input in that storage that the step reads, and one that it writes */
        int reader = -1, writer = -1;
        for (int i = 0; i < step->inputs; i++) {
            bool writes = op_mutates(step->op, step->inputs, i);
            bool there = step->input[i].storage == clobber.storage;
            reader = there && !writes && reader < 0 ? i : reader;
            writer = there && writes && writer < 0 ? i : writer;
        }
        if (writer >= 0) {
            conversation_complain(
                k->c, CHECK_GAPS, "write the elements of the view alone, into the bytes that were sent",
                "%lld bytes changed that belong to no result, the first is byte %lld of a storage: 0x%02x, "
                "now 0x%02x",
                (long long)clobber.count, (long long)clobber.byte, clobber.before, clobber.after);
        } else {
            conversation_complain(
                k->c, CHECK_OPERANDS, "compute into memory of its own: an operand is not scratch space",
                "%lld bytes of what is only read changed, the first is byte %lld of the storage of input %d: "
                "0x%02x, now 0x%02x",
                (long long)clobber.count, (long long)clobber.byte, reader, clobber.before, clobber.after);
        }
    }
    ownership_destroy(&ownership);
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
