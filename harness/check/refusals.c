/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Checks that operands that must be refused are refused, that operators and dtypes that were not offered are
 * answered, and that the program lives on. */

#include "harness/check/check.h"
#include "harness/check/probe.h"
#include "harness/check/wire.h"

#include <string.h>

enum { REFUSALS_TRIED = 6, WAYS = 3, BEYOND_MAX = 16 };

/* Sends one call that must be refused. */
static void check_refusal(struct checker *k, struct program *program)
{
    static const char fix[] = "check shapes, dtypes and overlap before computing, and answer \"rejected\"";
    struct images images;
    char message[256];
    if (!images_create(&images, program)) {
        return;
    }
    images_fill(&images, program, 0);
    findings_tried(k->c->findings, CHECK_REFUSES);
    k->c->charge = CHECK_REFUSES;
    k->c->fix = fix;
    enum step_status status = conversation_ask(k->c, program, &images, message);
    k->c->charge = CHECKS;
    if (status == STEP_OK) {
        conversation_complain(k->c, CHECK_REFUSES, fix,
                              "\"status\": \"ok\": operands were taken that must be refused");
    } else if (status == STEP_ERROR || status == STEP_OUT_OF_MEMORY) {
        conversation_complain(
            k->c, CHECK_REFUSES,
            "answer \"rejected\" where operands are refused: \"error\" is for what went wrong",
            "\"status\": \"%s\", %.200s", status == STEP_ERROR ? "error" : "out_of_memory", message);
    }
    images_destroy(&images);
}

void check_refusals(struct checker *k)
{
    int tried = 0, before = checker_complaints(k);
    if (k->c->hello.profile.refusals == REFUSALS_OPEN) {
        findings_excuse(k->c->findings, CHECK_REFUSES, "its profile leaves refusals open");
        return;
    }
    for (int i = 0;
         i < suite_list_count(k->list) && tried < REFUSALS_TRIED && checker_complaints(k) == before; i++) {
        const struct suite_case *c = suite_list_at(k->list, i);
        struct error error = {.text = ""};
        if (c->op != k->op || c->dtype != k->dtype || c->procedure || c->level > LEVEL_STANDARD ||
            !strstr(c->name, "refuse")) {
            continue;
        }
        struct program *program = suite_build(c, 1, &error);
        if (program && program->steps == 1 && program->step[0].expect == EXPECT_REJECTION) {
            tried++;
            check_refusal(k, program);
        }
        program_destroy(&program);
    }
}

/* --- beyond the offer */

/* Sends a simple call of any offered operator, to see that the program still lives and understands requests.
 */
static bool still_answers(struct checker *k, const char *fix)
{
    const struct exec_hello *hello = &k->c->hello;
    const struct profile *profile = &hello->profile;
    for (int o = 0; o < hello->operators; o++) {
        unsigned dtypes = hello->operator[o].dtypes & hello->operator[o].op->dtypes;
        for (int d = 0; d < DTYPE_COUNT; d++) {
            struct probe probe;
            if (!(dtypes >> d & 1) ||
                !probe_simple(&probe, k->list, hello->operator[o].op, (enum dtype)d, 0, profile)) {
                continue;
            }
            int before = checker_complaints(k);
            k->c->charge = CHECK_NOT_OFFERED;
            k->c->fix = fix;
            probe_ask(&probe, k->c, 0);
            k->c->charge = CHECKS;
            probe_destroy(&probe);
            return checker_complaints(k) == before;
        }
    }
    return true;
}

static void judge_beyond(struct checker *k, json_t *answer, const char *fix)
{
    const char *status = json_string_value(json_object_get(answer, "status"));
    if (answer && (!status || (strcmp(status, "unsupported") != 0 && strcmp(status, "error") != 0))) {
        conversation_complain(k->c, CHECK_NOT_OFFERED, fix, "\"status\": \"%.40s\"",
                              status ? status : "(none)");
    }
    json_decref(answer);
}

/* Sends one call on a leading dtype that is not offered. Takes ownership of the probe. */
static void ask_beyond(struct checker *k, struct probe *probe)
{
    static const char fix[] =
        "look at each operand's \"dtype\", and answer unsupported where there is no kernel for it";
    const struct profile *profile = &k->c->hello.profile;
    char text[400];
    snprintf(k->c->place, sizeof k->c->place, "%s on %s, which is not offered", k->op->name,
             dtype_info(k->dtype)->name);
    k->c->where = k->c->place;
    k->c->charge = CHECK_NOT_OFFERED;
    k->c->fix = fix;
    if (probe_ask(probe, k->c, 0) == STEP_OK && !probe_right(probe, profile, false, text, sizeof text)) {
        conversation_complain(k->c, CHECK_NOT_OFFERED, fix, "\"status\": \"ok\", and %s", text);
    }
    k->c->charge = CHECKS;
    probe_destroy(probe);
}

static void check_dtypes(struct checker *k)
{
    const struct exec_hello *hello = &k->c->hello;
    int tried = 0, before = checker_complaints(k);
    for (int o = 0; o < hello->operators; o++) {
        k->op = hello->operator[o].op;
        for (int d = 0; d < DTYPE_COUNT && tried < BEYOND_MAX && checker_complaints(k) == before; d++) {
            struct probe probe;
            k->dtype = (enum dtype)d;
            if ((k->op->dtypes & ~hello->operator[o].dtypes) >> d & 1 &&
                probe_simple(&probe, k->list, k->op, k->dtype, 0, &hello->profile)) {
                tried++;
                ask_beyond(k, &probe);
            }
        }
    }
}

void check_beyond_the_offer(struct checker *k)
{
    static const struct {
        const char *where, *members, *fix;
        size_t bytes;
    } ways[WAYS - 1] = {
        {"an operator that is not offered",
         "\"run\": \"assay_check_no_operator\", \"attributes\": {}, \"storages\": [48], \"inputs\": "
         "[{\"storage\": 0, "
         "\"dtype\": \"float32\", \"shape\": [12], \"strides\": [1], \"offset\": 0}], \"outputs\": [], "
         "\"mutates\": []",
         "read the storages before the operator is looked up, and answer unsupported", 48},
        {"a request that is none of this version's", "\"assay_check_no_request\": true",
         "answer a line that is not understood with \"status\": \"error\" and its id", 0},
    };
    int before = checker_complaints(k);
    if (k->c->losses > 0) {
        findings_excuse(k->c->findings, CHECK_NOT_OFFERED, "its answers to what it offers went wrong before");
        return;
    }
    for (int w = 0; w < WAYS - 1 && checker_complaints(k) == before && conversation_is_open(k->c); w++) {
        findings_tried(k->c->findings, CHECK_NOT_OFFERED);
        k->c->where = ways[w].where;
        k->c->charge = CHECK_NOT_OFFERED;
        k->c->fix = ways[w].fix;
        judge_beyond(k, conversation_say(k->c, ways[w].members, ways[w].bytes), ways[w].fix);
        k->c->charge = CHECKS;
        if (checker_complaints(k) == before) {
            still_answers(k, ways[w].fix);
        }
    }
    if (checker_complaints(k) == before && conversation_is_open(k->c)) {
        check_dtypes(k);
    }
    k->c->where = "";
}
