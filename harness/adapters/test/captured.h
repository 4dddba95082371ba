/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_ADAPTERS_TEST_CAPTURED_H
#define ASSAY_HARNESS_ADAPTERS_TEST_CAPTURED_H

/* Runs assay_capture.py and checks what it has written, for assay_capture.c. */

#include "harness/bundle/bundle.h"
#include "harness/test/trial.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

/* Runs Python with these words of a shell; FOLDER is a variable of it. Keeps status and output in `trial`. */
static void python(const char *words)
{
    char command[1024];
    setenv("PYTHONPATH", "harness/adapters", 1);
    setenv("PYTHONDONTWRITEBYTECODE", "1", 1);
    setenv("FOLDER", trial->folder, 1);
    snprintf(command, sizeof command, "\"$ASSAY_PYTHON\" %s 2>&1", words);
    FILE *from = popen(command, "r");
    cr_assert(from);
    size_t got = fread(trial->output, 1, sizeof trial->output - 1, from);
    trial->output[got] = '\0';
    int status = pclose(from);
    trial->status = WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

static void expect(int status, const char *part)
{
    cr_expect_eq(trial->status, status, "exit %d: %s", trial->status, trial->output);
    cr_expect(strstr(trial->output, part), "no \"%s\" in: %s", part, trial->output);
}

static json_t *capture_of(const char *name)
{
    char path[128];
    json_error_t fault;
    snprintf(path, sizeof path, "%s/capture.json", name);
    json_t *capture = json_load_file(trial_path(path), 0, &fault);
    cr_assert(capture, "%s: %s: %s", path, fault.text, trial->output);
    cr_expect_eq(json_integer_value(json_object_get(capture, "assay_capture")), 1);
    return capture;
}

static const char *text(const json_t *object, const char *member)
{
    const char *found = json_string_value(json_object_get(object, member));
    return found ? found : "";
}

/* --- bundles */

/* Expects that the shape rule of the operator accepts the operands, and that its judged tensors are those
 * that were recorded. */
static void expect_judged(const struct bundle *bundle, const char *path)
{
    const struct problem *problem = &bundle->problem;
    struct view input[OPERANDS_MAX];
    struct op_signature signature;
    struct error error = {.text = ""};
    for (int i = 0; i < problem->inputs.inputs; i++) {
        const struct tensor *tensor = &problem->inputs.input[i];
        bool absent = json_is_null(json_array_get(json_object_get(bundle->json, "inputs"), (size_t)i));
        input[i] = view_contiguous(absent ? -1 : i, tensor->dtype, &tensor->shape);
    }
    const struct op_operands operands = {
        .attributes = &problem->attributes, .inputs = problem->inputs.inputs, .input = input};
    bool good = op_signature(problem->op, &operands, &signature, &error);
    cr_assert(good, "%s: %s", path, error.text);
    int o = 0;
    for (int i = 0; i < operands.inputs; i++) {
        if (op_mutates(problem->op, operands.inputs, i) && input[i].storage >= 0) {
            cr_expect(bundle->output[o].dtype == input[i].dtype &&
                          shape_equal(&bundle->output[o].shape, &input[i].shape),
                      "%s: operand %d, which is overwritten", path, i);
            o++;
        }
    }
    for (int k = 0; k < signature.outputs; k++, o++) {
        cr_expect(bundle->output[o].dtype == signature.output[k].dtype &&
                      shape_equal(&bundle->output[o].shape, &signature.output[k].shape),
                  "%s: result %d", path, k);
    }
    cr_expect_eq(bundle->outputs, o, "%s: %d judged tensors, %d recorded", path, o, bundle->outputs);
}

/* Expects that the file is a bundle without a truth, with arrays that fit and a call that assay accepts. */
static void expect_bundle(const char *path, const char *op)
{
    struct error error = {.text = ""};
    struct bundle bundle;
    cr_assert(bundle_read(path, &bundle, &error), "%s", error.text);
    cr_expect_str_eq(bundle.problem.op->name, op, "%s", path);
    expect_judged(&bundle, path);
    for (int k = 0; k < bundle.outputs; k++) {
        cr_expect(bundle.output[k].answered && bundle.output[k].unjudged, "%s", path);
    }
    bundle_clear(&bundle);
}

/* Checks every call of a capture. Returns how many of them have files. */
static int expect_calls(const char *name, const json_t *capture)
{
    size_t c;
    json_t *call;
    int recorded = 0;
    json_array_foreach(json_object_get(capture, "calls"), c, call)
    {
        char path[256];
        cr_expect_eq(json_integer_value(json_object_get(call, "call")), (json_int_t)c);
        if (json_is_null(json_object_get(call, "file"))) {
            cr_expect(text(call, "why")[0], "%s: call %zu", name, c);
            cr_expect_not(strstr(text(call, "why"), "not understood"), "%s: %s", text(call, "aten"),
                          text(call, "why"));
            continue;
        }
        cr_expect(json_is_null(json_object_get(call, "why")));
        snprintf(path, sizeof path, "%s/%s", name, text(call, "file"));
        expect_bundle(trial_path(path), text(call, "op"));
        recorded++;
    }
    return recorded;
}

/* The first recorded call of an operator in a phase. */
static const json_t *first(const json_t *capture, const char *op, const char *phase)
{
    size_t c;
    json_t *call;
    json_array_foreach(json_object_get(capture, "calls"), c, call)
    {
        if (json_is_string(json_object_get(call, "file")) && strcmp(text(call, "op"), op) == 0 &&
            strcmp(text(call, "phase"), phase) == 0) {
            return call;
        }
    }
    cr_expect(false, "no %s in the phase \"%s\"", op, phase);
    return NULL;
}

#endif
