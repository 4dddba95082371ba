/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Checks that a request to repeat an operator is honoured: every run has the operands of the request, the
 * results are those of one run, and device_ns is the time of one run. */

#include "harness/check/check.h"
#include "harness/check/probe.h"
#include "harness/check/wire.h"

enum { REPEATS = 3, MANY = 64 };

static const char fix_result[] =
    "start every run from the operands of the request, and answer with the results of one run";

/* Sends the simple call of `k` with repeats. Complains under CHECK_REPEATED unless the answer has the bits of
 * the simple call (`is_exact`; else: unless it is right) and, of MANY runs, a device_ns: fewer may take less
 * than a tick of the device's clock. Returns false after a complaint. */
static bool is_answered(struct checker *k, struct probe *probe, int repeats, bool is_exact)
{
    const struct profile *profile = &k->c->hello.profile;
    char text[400];
    const enum step_status status = probe_ask_repeated(probe, k->c, repeats);
    if (status == STEP_NOT_RUN) {
        return false;
    }
    if (status != STEP_OK) {
        checker_complain_status(k, CHECK_REPEATED, probe,
                                "\"repeats\": true in the greeting promises answers to such requests");
        return false;
    }
    if (is_exact ? !probe_same(k->base, probe, text, sizeof text)
                 : !probe_right(probe, profile, false, text, sizeof text)) {
        conversation_complain(k->c, CHECK_REPEATED, fix_result, "%s", text);
        return false;
    }
    if (repeats == MANY && k->c->device_ns <= 0) {
        conversation_complain(k->c, CHECK_REPEATED,
                              "read the clock before the first and after the last of the repeats, and divide",
                              "no \"device_ns\" greater than 0");
        return false;
    }
    return true;
}

bool check_repeated(struct checker *k, bool is_exact)
{
    struct probe probe;
    if (!k->c->hello.repeats) {
        findings_excuse(k->c->findings, CHECK_REPEATED, "its greeting has no \"repeats\": true");
        return true;
    }
    if (k->c->losses > 0 || k->c->findings->of[CHECK_DEVICE_NS].complaints > 0) {
        findings_excuse(k->c->findings, CHECK_REPEATED, "its answers or its times went wrong before");
        return true;
    }
    if (op_writes(k->op) ||
        !probe_make(&probe, relayout(k->base->program, RELAYOUT_CONTIGUOUS, NULL), &k->c->hello.profile)) {
        return true;
    }
    findings_tried(k->c->findings, CHECK_REPEATED);
    k->c->charge = CHECK_REPEATED;
    k->c->fix = fix_result;
    bool good = is_answered(k, &probe, REPEATS, is_exact) && is_answered(k, &probe, MANY, is_exact);
    if (good && k->c->device_ns > k->c->wall_ns / (MANY / 2)) { /* half of the exchange is left to the runs */
        conversation_complain(k->c, CHECK_REPEATED, "divide the time by the number of runs",
                              "\"device_ns\": %lld for one of %d runs, where the whole exchange took %lld",
                              (long long)k->c->device_ns, MANY, (long long)k->c->wall_ns);
        good = false;
    }
    k->c->charge = CHECKS;
    probe_destroy(&probe);
    return good;
}
