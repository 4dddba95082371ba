/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reports/gate.h"

#include <string.h>

static const struct addition {
    const char *name, *option;
    enum gate_addition bit;
} additions[] = {
    {"flake", "--fail-on flake", GATE_FLAKE},
    {"unsupported", "--fail-on unsupported", GATE_UNSUPPORTED},
    {"unexpected_pass", "--fail-on unexpected_pass", GATE_UNEXPECTED_PASS},
    {"stale", "--fail-on stale", GATE_STALE},
    {"vacuous", "--fail-on vacuous", GATE_VACUOUS},
    {"range", "--fail-on range", GATE_RANGE},
    {"implausible", "--fail-on implausible", GATE_IMPLAUSIBLE},
    {"worse", "--fail-on worse", GATE_WORSE},
    {"fail", "--fail-on fail", GATE_FAIL},
    {"none", "--fail-on none", GATE_NONE},
};
enum { ADDITIONS = sizeof additions / sizeof *additions };

static unsigned find(const char *word, size_t length, unsigned known)
{
    for (int a = 0; a < ADDITIONS; a++) {
        bool same = strlen(additions[a].name) == length && memcmp(additions[a].name, word, length) == 0;
        if (same && (known & additions[a].bit)) {
            return additions[a].bit;
        }
    }
    return 0;
}

const char *gate_name(int index, unsigned known)
{
    for (int a = 0; a < ADDITIONS; a++) {
        if ((known & additions[a].bit) && index-- == 0) {
            return additions[a].name;
        }
    }
    return NULL;
}

static bool refuse(const char *word, size_t length, unsigned known, struct error *error)
{
    char list[160];
    size_t used = 0;
    for (int a = 0; a < ADDITIONS; a++) {
        if (known & additions[a].bit) {
            used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", used ? ", " : "",
                                     additions[a].name);
        }
    }
    return error_set(error, "--fail-on: \"%.*s\" is unknown; give %s%s", (int)length, word, list,
                     known & GATE_FAIL ? " (fail stands for crash, timeout, error and missing too)"
                                       : " (fail, crash, timeout, error and missing always fail)");
}

bool gate_parse(const char *list, unsigned known, unsigned *gate, struct error *error)
{
    for (const char *word = list;; word++) {
        size_t length = strcspn(word, ",");
        unsigned bit = find(word, length, known);
        if (!bit) {
            return refuse(word, length, known, error);
        }
        *gate |= bit;
        word += length;
        if (!*word) {
            return true;
        }
    }
}

bool gate_fails_status(enum status status, unsigned gate)
{
    switch (status) {
    case STATUS_PASS:
    case STATUS_EXPECTED_FAIL:
        return false;
    case STATUS_VACUOUS:
        return gate & GATE_VACUOUS;
    case STATUS_UNSUPPORTED:
        return gate & GATE_UNSUPPORTED;
    case STATUS_UNEXPECTED_PASS:
        return gate & GATE_UNEXPECTED_PASS;
    case STATUS_FLAKE:
        return gate & GATE_FLAKE;
    case STATUS_FAIL:
    case STATUS_CRASH:
    case STATUS_TIMEOUT:
    case STATUS_ERROR:
    case STATUS_MISSING:
    case STATUS_COUNT:
        break;
    }
    return true;
}

bool gate_excuses(const struct record *record)
{
    return record->excused && (record->status == STATUS_UNSUPPORTED || record->status == STATUS_VACUOUS);
}

bool gate_fails(const struct record *record, unsigned gate)
{
    /* the baseline excuses such a case with its findings */
    bool known = record->status == STATUS_EXPECTED_FAIL || gate_excuses(record);
    return (!known && gate_fails_status(record->status, gate)) ||
           (!known && (gate & GATE_RANGE) && record->range_findings > 0) ||
           (!known && (gate & GATE_IMPLAUSIBLE) && record->implausible > 0);
}

bool gate_fails_by(const struct record *record, enum gate_addition addition)
{
    bool always = gate_fails_status(record->status, 0);
    return addition == GATE_FAIL ? always : !always && gate_fails(record, addition);
}

const char *gate_option(enum gate_addition addition, unsigned gate)
{
    if (!(gate & addition)) {
        return NULL;
    }
    if ((addition & GATE_STRICT) && (gate & GATE_STRICT) == GATE_STRICT) {
        return "--strict";
    }
    for (int a = 0; a < ADDITIONS; a++) {
        if (additions[a].bit == addition) {
            return additions[a].option;
        }
    }
    return NULL;
}
