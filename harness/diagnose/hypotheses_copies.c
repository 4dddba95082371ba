/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Copies of the results and of the call, to be changed. */

#include "harness/diagnose/hypotheses_parts.h"

#include <stdlib.h>
#include <string.h>

bool changed_create(struct changed *changed, const struct op_call *call)
{
    bool good = true;
    memset(changed, 0, sizeof *changed);
    changed->attributes = *call->attributes;
    changed->call = (struct op_call){.op = call->op,
                                     .attributes = &changed->attributes,
                                     .inputs = call->inputs,
                                     .input = changed->input,
                                     .enclosed = true};
    for (int i = 0; i < call->inputs; i++) {
        good = tensor_copy(&changed->input[i], &call->input[i]) && good;
    }
    return good;
}

void changed_destroy(struct changed *changed)
{
    for (int i = 0; i < changed->call.inputs; i++) {
        tensor_destroy(&changed->input[i]);
    }
}

bool may_change(const struct op_call *call, int i)
{
    const struct tensor *input = &call->input[i];
    return input->data && dtype_is_floating(input->dtype) && !op_is_indices(call->op, call->inputs, i);
}

const char *input_name(const struct search *s, int i)
{
    return op_operand_name(s->of->call->op, s->of->call->inputs, i);
}

bool changed_is_legal(const struct search *s, const struct changed *changed)
{
    const struct op_call *call = &changed->call;
    const struct truth *truth = s->of->truth;
    struct view view[OPERANDS_MAX];
    struct op_signature signature;
    struct error error = {.text = ""};
    int mutated = 0;
    for (int i = 0; i < call->inputs; i++) {
        const struct tensor *input = &call->input[i];
        view[i] = view_contiguous(tensor_absent(input) ? -1 : i, input->dtype, &input->shape);
        mutated += op_mutates(call->op, call->inputs, i) && !tensor_absent(input);
    }
    const struct op_operands operands = {
        .attributes = call->attributes, .inputs = call->inputs, .input = view, .value = call->input};
    if (!op_signature(call->op, &operands, &signature, &error) ||
        mutated + signature.outputs != truth->outputs) {
        return false;
    }
    for (int o = 0; o < signature.outputs; o++) {
        const struct truth_output *out = &truth->output[mutated + o];
        if (signature.output[o].dtype != out->dtype ||
            !shape_equal(&signature.output[o].shape, &out->shape)) {
            return false;
        }
    }
    return true;
}

/* The shapes of the outputs are those of the original call. */
struct truth *changed_truth(struct search *s, const struct changed *changed)
{
    const struct truth *truth = s->of->truth;
    struct op_signature signature = {.outputs = 0};
    struct error error = {.text = ""};
    int mutated = 0;
    for (int i = 0; i < changed->call.inputs; i++) {
        mutated +=
            op_mutates(changed->call.op, changed->call.inputs, i) && !tensor_absent(&changed->input[i]);
    }
    for (int o = mutated; o < truth->outputs; o++) {
        signature.output[signature.outputs].dtype = truth->output[o].dtype;
        signature.output[signature.outputs++].shape = truth->output[o].shape;
    }
    return op_truth(&changed->call, &signature, &error);
}

bool misread(struct tensor *tensor)
{
    int rank = tensor->shape.rank;
    int64_t m = rank < 2 ? 1 : tensor->shape.dim[rank - 2], n = rank < 2 ? 1 : tensor->shape.dim[rank - 1];
    size_t size = dtype_info(tensor->dtype)->size, bytes = tensor->data ? tensor_bytes(tensor) : 0;
    unsigned char *kept = m > 1 && n > 1 && bytes ? malloc(bytes) : NULL;
    if (!kept) {
        return false;
    }
    memcpy(kept, tensor->data, bytes);
    for (int64_t first = 0; (size_t)first * size < bytes; first += m * n) {
        for (int64_t i = 0; i < m; i++) {
            for (int64_t j = 0; j < n; j++) {
                int64_t row = first + i * n + j, column = first + j * m + i;
                memcpy(tensor->data + (size_t)row * size, kept + (size_t)column * size, size);
            }
        }
    }
    free(kept);
    return true;
}

bool got_copy(const struct search *s, struct tensor got[TRUTH_OUTPUTS_MAX])
{
    bool good = true;
    for (int o = 0; o < s->of->truth->outputs; o++) {
        good = tensor_copy(&got[o], &s->of->got[o]) && good;
    }
    return good;
}

void got_destroy(const struct search *s, struct tensor got[TRUTH_OUTPUTS_MAX])
{
    for (int o = 0; o < s->of->truth->outputs; o++) {
        tensor_destroy(&got[o]);
    }
}
