/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Checks the simple call in other layouts, with shared and empty operands, with special values, and with a
 * large tensor. */

#include "harness/check/check.h"
#include "harness/check/probe.h"
#include "harness/check/wire.h"
#include "suites/build.h"

#include <string.h>

/* Sends the call in another layout. Charges wrong values to `check`, and bytes that must not change to their
 * own checks. */
static bool check_layout(struct checker *k, enum check check, enum relayout how, const char *fix)
{
    const struct profile *profile = &k->c->hello.profile;
    struct probe probe;
    int before = checker_complaints(k);
    struct program *program = relayout(k->base->program, how, NULL);
    if (!program || !probe_make(&probe, program, profile)) {
        return true;
    }
    findings_tried(k->c->findings, check);
    enum step_status status = probe_ask(&probe, k->c, 1);
    char text[400];
    if (status == STEP_OK && !probe_right(&probe, profile, false, text, sizeof text)) {
        conversation_complain(k->c, check, fix, "%s", text);
    } else if (status == STEP_OK) {
        checker_check_memory(k, &probe);
    } else if (status != STEP_UNSUPPORTED && status != STEP_NOT_RUN) {
        conversation_complain(k->c, check, fix, "it answers no ok: %.200s", probe.message);
    }
    probe_destroy(&probe);
    return checker_complaints(k) == before;
}

/* Returns the call with one tensor for two operands: x.op_(x), op(x, x). NULL if no two operands are alike,
 * or the operator refuses it. */
static struct program *shared(const struct program *from)
{
    const struct step *step = &from->step[0];
    struct program *to = program_create();
    struct view input[OPERANDS_MAX];
    bool found = false;
    int storages = 0;
    for (int i = 0; i < step->inputs; i++) {
        input[i] = step->input[i];
        storages = input[i].storage >= storages ? input[i].storage + 1 : storages;
        for (int j = 0; j < i && !found; j++) {
            if (input[i].storage >= 0 && input[j].storage >= 0 && input[i].dtype == input[j].dtype &&
                shape_equal(&input[i].shape, &input[j].shape) && !op_is_indices(step->op, step->inputs, i) &&
                !op_is_indices(step->op, step->inputs, j) &&
                !(op_mutates(step->op, step->inputs, i) && op_mutates(step->op, step->inputs, j))) {
                input[i] = input[j];
                found = true;
            }
        }
    }
    bool good = to && found;
    for (int s = 0; good && s < storages; s++) {
        good = program_storage(to, from->storage[s].bytes) == s;
        if (good) {
            memcpy(to->storage[s].data, from->storage[s].data, from->storage[s].bytes);
            memcpy(to->storage[s].defined, from->storage[s].defined, from->storage[s].bytes / 8 + 1);
            to->storage[s].definition = from->storage[s].definition;
        }
    }
    if (to && (!good || !program_step(to, step->op, &step->attributes, step->inputs, input) ||
               to->step[0].expect != EXPECT_VALUE)) {
        program_destroy(&to);
    }
    return to;
}

/* Sends every special value and the subnormals through copy_, which must keep their bits. */
static void check_bits(struct checker *k)
{
    const struct profile *profile = &k->c->hello.profile;
    uint64_t bits[SPECIALS_MAX];
    struct shape shape = shape_of(1, (int64_t)special_bits(k->dtype, bits));
    struct program *program = program_create();
    struct probe probe;
    char text[400];
    if (!program) {
        return;
    }
    struct view input[2] = {program_input(program, k->dtype, &shape),
                            program_input(program, k->dtype, &shape)};
    for (int64_t i = 0; i < shape.dim[0]; i++) {
        program_set_bits(program, &input[1], i, 0, bits[i]);
    }
    program_step(program, k->op, NULL, 2, input);
    if (!probe_make(&probe, program, profile)) {
        return;
    }
    findings_tried(k->c->findings, CHECK_BITS);
    if (probe_ask(&probe, k->c, 0) == STEP_OK && !probe_right(&probe, profile, true, text, sizeof text)) {
        conversation_complain(
            k->c, CHECK_BITS,
            "move bytes, not numbers; what the device cannot keep is declared: \"subnormals\", "
            "\"special_values\"",
            "%s", text);
    }
    probe_destroy(&probe);
}

/* Sends a call of an element-wise operator with more bytes than a pipe holds. */
static void check_large(struct checker *k)
{
    struct shape shape = shape_of(2, (int64_t)257, (int64_t)263);
    struct program *program = program_create();
    struct view input[OPERANDS_MAX];
    int inputs = op_inputs_min(k->op);
    if (!program) {
        return;
    }
    for (int i = 0; i < inputs; i++) {
        input[i] = program_input(program, k->dtype, &shape);
        for (int64_t e = 0; e < shape_elements(&shape); e++) {
            program_set(program, &input[i], e, 0, (double)(e * 7919 % 23) - 11.5 + i);
        }
    }
    struct step *step = program_step(program, k->op, &k->base->program->step[0].attributes, inputs, input);
    if (!step || step->expect != EXPECT_VALUE) {
        program_destroy(&program);
        return;
    }
    k->large = true;
    checker_expect(
        k, CHECK_LARGE, program,
        "a pipe holds 64 KiB: read until all bytes of a storage are there, write until all are gone");
}

void check_layouts(struct checker *k)
{
    static const char fix[] =
        "read element (i, j, …) at offset + i·strides[0] + j·strides[1] + …, in elements";
    int before = checker_complaints(k);
    if (!check_layout(k, CHECK_STRIDES, RELAYOUT_STEPPED, fix) ||
        !check_layout(k, CHECK_STRIDES, RELAYOUT_TRANSPOSED, fix) ||
        !check_layout(k, CHECK_EXPANDED, RELAYOUT_EXPANDED,
                      "do not take a stride of 0 for a contiguous dimension")) {
        return;
    }
    checker_expect(k, CHECK_SHARED, shared(k->base->program),
                   "find a storage by the number in \"storage\", not by that of the input");
    if (checker_complaints(k) == before) {
        checker_expect(k, CHECK_EMPTY, relayout(k->base->program, RELAYOUT_EMPTY, NULL),
                       "answer ok with the shapes of the request, and no bytes for an empty tensor");
    }
    if (checker_complaints(k) == before && strcmp(k->op->name, "copy_") == 0 && k->dtype == DTYPE_FLOAT32) {
        check_bits(k);
    }
    if (checker_complaints(k) == before && k->op->elementwise && k->dtype == DTYPE_FLOAT32 && !k->large) {
        check_large(k);
    }
}
