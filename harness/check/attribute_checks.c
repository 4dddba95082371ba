/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Checks of the simple call without an attribute, with another value of it, and without an optional operand.
 */

#include "harness/check/check.h"
#include "harness/check/probe.h"

#include <math.h>
#include <string.h>

static struct attribute *find(struct attributes *attributes, const char *name)
{
    for (int a = 0; a < attributes->count; a++) {
        if (strcmp(attributes->item[a].name, name) == 0) {
            return &attributes->item[a];
        }
    }
    return NULL;
}

static bool check_left_out(struct checker *k, const struct op_default *otherwise)
{
    const char *name = otherwise->name;
    struct attributes attributes = k->base->program->step[0].attributes;
    struct attribute *attribute = find(&attributes, name);
    char fix[300], value[40];
    if (!attribute) {
        return true;
    }
    snprintf(value, sizeof value, "%g",
             attribute->type == ATTRIBUTE_REAL ? attribute->real : (double)attribute->integer);
    snprintf(fix, sizeof fix, "without \"%s\" the operator is called with %s%s, PyTorch's default", name,
             attribute->type == ATTRIBUTE_CHOICE ? attribute->word
             : attribute->type == ATTRIBUTE_BOOL ? attribute->integer ? "true" : "false"
                                                 : value,
             otherwise->kind == DEFAULT_EPSILON ? " (the epsilon of the dtype)" : "");
    *attribute = attributes.item[--attributes.count];
    int before = checker_complaints(k);
    checker_expect(k, CHECK_DEFAULTS, relayout(k->base->program, RELAYOUT_CONTIGUOUS, &attributes), fix);
    return checker_complaints(k) == before;
}

/* Sends another value of the attribute, chosen so that the result must differ from the simple call's: a
 * program that ignores the attribute then gives a wrong answer. */
static bool check_given(struct checker *k, const char *name)
{
    /* 3 is not a valid lower limit beside an upper limit of 1 */
    static const double other[] = {0.25, 3, 1, 0};
    char fix[200], text[400];
    int before = checker_complaints(k);
    snprintf(fix, sizeof fix, "read \"%s\" from \"attributes\"", name);
    for (size_t v = 0; v < sizeof other / sizeof *other; v++) {
        struct attributes attributes = k->base->program->step[0].attributes;
        struct attribute *attribute = find(&attributes, name);
        struct probe probe;
        if (!attribute || (attribute->type != ATTRIBUTE_REAL && other[v] != floor(other[v]))) {
            continue;
        }
        const struct op_choice *choice = op_choice_numbered(k->op, name, (int64_t)other[v]);
        if (attribute->type == ATTRIBUTE_CHOICE && (!choice || choice->number == attribute->integer)) {
            continue;
        }
        attribute->word = choice ? choice->word : NULL;
        attribute->integer = attribute->type == ATTRIBUTE_BOOL ? !attribute->integer : (int64_t)other[v];
        attribute->real = attribute->type == ATTRIBUTE_REAL ? other[v] : attribute->real;
        if (!probe_make(&probe, relayout(k->base->program, RELAYOUT_CONTIGUOUS, &attributes),
                        &k->c->hello.profile)) {
            continue;
        }
        bool alike = probe_alike(k->base, &probe);
        if (alike) { /* the simple call's answer must be wrong for this value, or the check could not fail */
            for (int s = 0; s < probe.program->storages; s++) {
                memcpy(probe.images.image[s], k->base->images.image[s],
                       probe.program->storage[s].bytes + BACKEND_GUARD);
            }
            alike = probe_right(&probe, &k->c->hello.profile, false, text, sizeof text);
        }
        probe_destroy(&probe);
        if (!alike) {
            checker_expect(k, CHECK_GIVEN, relayout(k->base->program, RELAYOUT_CONTIGUOUS, &attributes), fix);
            break;
        }
    }
    return checker_complaints(k) == before;
}

/* --- operands that may be absent */

bool check_absent(struct checker *k)
{
    int before = checker_complaints(k);
    const struct step *step = &k->base->program->step[0];
    for (int i = 0; i < step->inputs && checker_complaints(k) == before; i++) {
        if (!op_may_lack(k->op, step->inputs, i)) {
            continue;
        }
        if (step->input[i].storage < 0) {
            findings_tried(k->c->findings, CHECK_ABSENT); /* the simple call lacked this operand */
            continue;
        }
        struct program *program = relayout(k->base->program, RELAYOUT_CONTIGUOUS, NULL), *without = NULL;
        if (program) {
            program->step[0].input[i].storage = -1;
            without = relayout(program, RELAYOUT_CONTIGUOUS, NULL);
            program_destroy(&program);
        }
        char fix[120];
        snprintf(fix, sizeof fix, "input %d (%s) is null: PyTorch takes None there", i,
                 op_operand_name(k->op, step->inputs, i));
        checker_expect(k, CHECK_ABSENT, without, fix);
    }
    return checker_complaints(k) == before;
}

bool check_attributes(struct checker *k)
{
    bool good = true;
    for (int d = 0; d < ATTRIBUTES_MAX && k->op->defaults[d].name && good; d++) {
        good = check_left_out(k, &k->op->defaults[d]) && check_given(k, k->op->defaults[d].name);
    }
    return good;
}
