/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Checks the requests about memory, and that memory in use does not grow with the number of requests. */

#include "harness/check/check.h"
#include "harness/check/probe.h"
#include "harness/check/wire.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <string.h>

enum { SAMPLES = 8, CALLS_PER_SAMPLE = 12, WARM_UP_SAMPLES = 2 };

static const char *const members[] = {"id",    "allocated", "reserved", "peak",
                                      "limit", "process",   "status",   NULL};

/* Checks that the members are non-negative integers and that `allocated` is there. */
static bool numbers(struct checker *k, json_t *answer)
{
    for (int m = 1; m < 6; m++) {
        const json_t *value = json_object_get(answer, members[m]);
        bool required = m == 1;
        if (value ? !json_is_integer(value) || json_integer_value(value) < 0 : required) {
            conversation_complain(k->c, CHECK_MEMORY, "state bytes as integers, 0 where they are not known",
                                  "\"%s\" is %s", members[m], value ? "no count of bytes" : "missing");
            return false;
        }
    }
    return true;
}

static int64_t number(const json_t *answer, const char *member)
{
    return (int64_t)json_integer_value(json_object_get(answer, member));
}

static bool check_numbers(struct checker *k)
{
    json_t *answer = conversation_say(k->c, "\"memory\": true", 0);
    bool good = answer != NULL;
    if (!good) {
        return false;
    }
    check_spelling(k->c, CHECK_MEMORY, answer, members);
    int64_t allocated = number(answer, "allocated"), peak = number(answer, "peak"),
            process = number(answer, "process");
    good = numbers(k, answer);
    if (good && peak > 0 && peak < allocated) {
        conversation_complain(k->c, CHECK_MEMORY, "\"peak\" is the greatest \"allocated\" since the start",
                              "\"peak\": %" PRId64 ", and \"allocated\": %" PRId64, peak, allocated);
        good = false;
    }
    if (good && process > 0 && kill((pid_t)process, 0) != 0 && errno == ESRCH) {
        conversation_complain(k->c, CHECK_MEMORY, "\"process\" is the pid that holds the memory: getpid()",
                              "\"process\": %" PRId64 ", and no process has that number", process);
        good = false;
    }
    json_decref(answer);
    return good;
}

static bool check_word(struct checker *k, const char *request, bool may_lack)
{
    json_t *answer = conversation_say(k->c, request, 0);
    const char *status = json_string_value(json_object_get(answer, "status"));
    bool good = status && (strcmp(status, "ok") == 0 || (may_lack && strcmp(status, "unsupported") == 0));
    if (answer && !good) {
        conversation_complain(
            k->c, CHECK_MEMORY,
            "answer with ok; a program that has no memory to tell of says \"memory\": false",
            "\"status\": \"%.40s\"", status ? status : "(none)");
    }
    json_decref(answer);
    return answer && good;
}

/* Repeats one call, and samples the memory in use. Complains if it grows in every sample after the first
 * WARM_UP_SAMPLES. */
static void check_growth(struct checker *k, struct probe *probe)
{
    static const char *const grows[] = {"allocated", "reserved"};
    int64_t sample[2][SAMPLES];
    for (int s = 0; s < SAMPLES; s++) {
        for (int n = 0; n < CALLS_PER_SAMPLE; n++) {
            if (probe_ask(probe, k->c, 0) == STEP_NOT_RUN) {
                return;
            }
        }
        json_t *answer = conversation_say(k->c, "\"memory\": true", 0);
        if (!answer) {
            return;
        }
        for (int g = 0; g < 2; g++) {
            sample[g][s] = number(answer, grows[g]);
        }
        json_decref(answer);
    }
    findings_tried(k->c->findings, CHECK_GROWTH);
    for (int g = 0; g < 2; g++) {
        bool always = true;
        for (int s = WARM_UP_SAMPLES + 1; s < SAMPLES; s++) {
            always = always && sample[g][s] > sample[g][s - 1];
        }
        if (always) {
            conversation_complain(
                k->c, CHECK_GROWTH, "free what a request has allocated; assay run 'memory/*' measures it",
                "\"%s\" grew in every one of the last %d samples, of %d equal requests each: from %" PRId64
                " to %" PRId64 " bytes",
                grows[g], SAMPLES - WARM_UP_SAMPLES - 1, CALLS_PER_SAMPLE, sample[g][WARM_UP_SAMPLES],
                sample[g][SAMPLES - 1]);
            return;
        }
    }
}

void check_memory(struct checker *k)
{
    const struct exec_hello *hello = &k->c->hello;
    struct probe probe = {.program = NULL};
    if (!hello->memory) {
        findings_excuse(k->c->findings, CHECK_MEMORY, "its greeting has no \"memory\": true");
        findings_excuse(k->c->findings, CHECK_GROWTH, "its greeting has no \"memory\": true");
        return;
    }
    if (k->c->losses > 0) {
        findings_excuse(k->c->findings, CHECK_MEMORY, "its answers went wrong before");
        findings_excuse(k->c->findings, CHECK_GROWTH, "its answers went wrong before");
        return;
    }
    findings_tried(k->c->findings, CHECK_MEMORY);
    k->c->where = "requests about memory";
    k->c->charge = CHECK_MEMORY;
    k->c->fix = "\"memory\": true in the greeting promises answers to memory, empty_cache and memory_limit";
    bool good = check_numbers(k) && check_word(k, "\"empty_cache\": true", false) &&
                check_word(k, "\"memory_limit\": 1073741824", true) &&
                check_word(k, "\"memory_limit\": 0", true);
    k->c->charge = CHECKS;
    for (int o = 0; o < hello->operators && good && !probe.program; o++) {
        for (int d = 0; d < DTYPE_COUNT && !probe.program; d++) {
            if (hello->operator[o].dtypes>> d & 1) {
                probe_simple(&probe, k->list, hello->operator[o].op, (enum dtype)d, 0, &hello->profile);
            }
        }
    }
    if (probe.program) {
        check_growth(k, &probe);
    }
    probe_destroy(&probe);
    k->c->where = "";
}
