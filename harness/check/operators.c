/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Checks each offered operator: a simple call, the same again, and others in between; then the checks of
 * attribute_checks.c, layouts.c and refusals.c. After a complaint the operator is left, because the checks
 * that follow would only repeat it. */

#include "harness/check/check.h"
#include "harness/check/probe.h"
#include "harness/check/wire.h"
#include "harness/selection/select.h"
#include "reference/base/memory.h"

#include <stdlib.h>
#include <string.h>

enum { SIMPLE_MAX = 4 };

/* --- a simple call */

static const char fix_values[] =
    "compare with PyTorch's operator of that name: order of operands, names of attributes, "
    "dtype of the result";

/* Appends a place to the list that a note prints at the end. */
static void note_place(FILE *places, const char *where, const char *why)
{
    if (places) {
        fprintf(places, "%s%s", ftell(places) > 0 ? ", " : "", where);
        fprintf(places, why[0] ? " (%.60s)" : "%s", why);
    }
}

/* Finds the first simple call that is not answered with unsupported, and checks its answer. Returns false if
 * there is none or after a complaint. */
static bool answers(struct checker *k)
{
    const struct profile *profile = &k->c->hello.profile;
    char text[400];
    enum step_status status = STEP_UNSUPPORTED;
    for (int n = 0; n < SIMPLE_MAX && status == STEP_UNSUPPORTED; n++) {
        struct probe probe;
        if (!probe_simple(&probe, k->list, k->op, k->dtype, n, profile)) {
            break;
        }
        probe_destroy(k->base);
        *k->base = probe;
        status = probe_ask(k->base, k->c, 0);
    }
    if (!k->base->program) {
        note_place(k->unasked, k->c->where, "");
        return false;
    }
    findings_tried(k->c->findings, CHECK_OFFERS);
    if (status == STEP_UNSUPPORTED) {
        note_place(k->unsupported, k->c->where, k->base->message);
        snprintf(k->reason, sizeof k->reason, "%s", k->base->message);
        return false;
    }
    k->answered = k->answered || status != STEP_NOT_RUN;
    if (status == STEP_NOT_RUN) {
        return false;
    }
    if (status != STEP_OK) {
        checker_complain_status(k, CHECK_ANSWERS, k->base, "this call is legal: see what it trips over");
        return false;
    }
    findings_tried(k->c->findings, CHECK_ANSWERS);
    bool written = op_writes(k->op);
    if (written) {
        findings_tried(k->c->findings, CHECK_WRITES);
    }
    if (probe_right(k->base, profile, false, text, sizeof text)) {
        return true;
    }
    if (written && probe_unwritten(k->base)) {
        conversation_complain(k->c, CHECK_WRITES, "write the result into the storage, and send that back",
                              "the storage came back as it was sent: %s", text);
    } else {
        conversation_complain(k->c, CHECK_ANSWERS, fix_values, "%s", text);
    }
    return false;
}

/* --- state */

static bool is_nondeterministic(const struct checker *k)
{
    const char *const *name = k->c->hello.profile.nondeterministic;
    while (name && *name && strcmp(*name, k->op->name) != 0) {
        name++;
    }
    return name && *name;
}

/* Repeats the simple call: the result must have the same bits, or be correct if the operator is declared
 * nondeterministic. */
static bool again(struct checker *k, enum check check, const char *fix)
{
    const struct profile *profile = &k->c->hello.profile;
    struct probe probe;
    char text[400];
    bool good = true;
    if (!probe_make(&probe, relayout(k->base->program, RELAYOUT_CONTIGUOUS, NULL), profile)) {
        return true;
    }
    findings_tried(k->c->findings, check);
    enum step_status status = probe_ask(&probe, k->c, 1);
    if (status == STEP_OK) {
        good = is_nondeterministic(k) ? probe_right(&probe, profile, false, text, sizeof text)
                                      : probe_same(k->base, &probe, text, sizeof text);
        if (!good) {
            conversation_complain(k->c, check, fix, "%s", text);
        } else {
            int before = checker_complaints(k);
            checker_check_memory(k, &probe);
            good = checker_complaints(k) == before;
        }
    } else if (status != STEP_NOT_RUN) {
        checker_complain_status(k, check, &probe, fix);
        good = false;
    }
    probe_destroy(&probe);
    return good && status == STEP_OK;
}

/* Sends other values of the same shape. A wrong answer that equals the earlier one is charged to state, any
 * other one to the values. */
static bool other_values(struct checker *k)
{
    static const char fix[] =
        "look for buffers, caches and compiled calls that are found again by shape alone";
    const struct profile *profile = &k->c->hello.profile;
    struct probe probe;
    char text[400], ignored[400];
    bool good = true;
    if (!probe_make(&probe, relayout(k->base->program, RELAYOUT_ROLLED, NULL), profile)) {
        return true;
    }
    findings_tried(k->c->findings, CHECK_STATE);
    enum step_status status = probe_ask(&probe, k->c, 0);
    if (status == STEP_OK && !probe_right(&probe, profile, false, text, sizeof text)) {
        bool stale = probe_same(k->base, &probe, ignored, sizeof ignored);
        conversation_complain(k->c, stale ? CHECK_STATE : CHECK_ANSWERS, stale ? fix : fix_values, "%s%s",
                              text, stale ? ": the answer of the request before, on other values" : "");
        good = false;
    }
    probe_destroy(&probe);
    return good;
}

/* Sends other calls and one on NaN, then the simple call again: state that they left behind would change its
 * answer. */
static bool keeps_no_state(struct checker *k)
{
    struct probe probe;
    if (!other_values(k)) {
        return false;
    }
    for (int n = 1; n < SIMPLE_MAX; n++) {
        if (probe_simple(&probe, k->list, k->op, k->dtype, n, &k->c->hello.profile)) {
            probe_ask(&probe, k->c, 0);
            probe_destroy(&probe);
        }
    }
    if (probe_make(&probe, relayout(k->base->program, RELAYOUT_NAN, NULL), &k->c->hello.profile)) {
        probe_ask(&probe, k->c, 0);
        probe_destroy(&probe);
    }
    return again(
        k, CHECK_STATE,
        "look for buffers that are used again without being cleared, and for what the operator keeps");
}

static void check_operator(struct checker *k)
{
    struct probe base = {.program = NULL};
    int before = checker_complaints(k);
    k->base = &base;
    snprintf(k->c->place, sizeof k->c->place, "%s on %s", k->op->name, dtype_info(k->dtype)->name);
    k->c->where = k->c->place;
    bool good =
        answers(k) &&
        again(k, CHECK_REPEATS,
              "the same operands, the same bits; an operator that cannot stands in \"nondeterministic\"") &&
        keeps_no_state(k) && (!k->full || check_repeated(k, !is_nondeterministic(k)));
    if (good && k->full && check_attributes(k) && check_absent(k)) {
        check_layouts(k);
        if (checker_complaints(k) == before) {
            check_refusals(k);
        }
        if (checker_complaints(k) == before) {
            again(k, CHECK_STATE, "see what a request that was refused, or an empty one, leaves behind");
        }
    }
    k->right = good;
    probe_destroy(&base);
    k->base = NULL;
    k->c->where = "";
}

static bool is_selected(const char *const *globs, const char *name)
{
    bool selected = !globs || !globs[0];
    for (int g = 0; globs && globs[g] && !selected; g++) {
        selected = select_matches(globs[g], name);
    }
    return selected;
}

static void check_offered(struct checker *k, const char *const *globs)
{
    const struct exec_hello *hello = &k->c->hello;
    for (int o = 0; o < hello->operators; o++) {
        unsigned dtypes = hello->operator[o].dtypes & hello->operator[o].op->dtypes;
        k->op = hello->operator[o].op;
        k->full = true;
        for (int d = 0; d < DTYPE_COUNT && is_selected(globs, k->op->name); d++) {
            k->dtype =
                (enum dtype)((d + DTYPE_FLOAT32) % DTYPE_COUNT); /* float32 first: it gets every check */
            if (!(dtypes >> k->dtype & 1) || !conversation_is_open(k->c)) {
                continue;
            }
            int before = checker_complaints(k);
            check_operator(k);
            k->full = k->full && !k->right;
            if (checker_complaints(k) > before) {
                break;
            }
        }
    }
}

/* Makes one note of the collected places. */
static void note_places(struct checker *k, FILE **places, char **text, const char *what)
{
    if (memory_stream_text(*places, text) && (*text)[0]) {
        findings_note(k->c->findings, "%s: %s", what, *text);
    }
    free(*text);
    *places = NULL;
}

void check_operators(struct checker *k, const char *const *globs)
{
    char *unasked = NULL, *unsupported = NULL;
    size_t size[2];
    k->unasked = open_memstream(&unasked, &size[0]);
    k->unsupported = open_memstream(&unsupported, &size[1]);
    check_offered(k, globs);
    if (!k->answered && k->reason[0]) {
        findings_complain(
            k->c->findings, CHECK_OFFERS,
            &(struct complaint){"", k->c->sent, k->reason,
                                "offer what is there: whatever was asked was answered with unsupported"});
    }
    note_places(k, &k->unasked, &unasked, "no simple call is at hand for");
    note_places(k, &k->unsupported, &unsupported, "offered, but simple calls are unsupported");
}
