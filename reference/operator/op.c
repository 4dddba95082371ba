/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reference/operator/op.h"
#include "reference/operator/value_batch.h"

#include <limits.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const struct op_set *const op_sets[]; /* generated: one for each file in reference/ops/, ended by
                                                NULL */

int op_count(void)
{
    int count = 0;
    for (int s = 0; op_sets[s]; s++) {
        count += op_sets[s]->count;
    }
    return count;
}

const struct op *op_at(int index)
{
    for (int s = 0; op_sets[s]; s++) {
        if (index < op_sets[s]->count) {
            return &op_sets[s]->op[index];
        }
        index -= op_sets[s]->count;
    }
    return NULL;
}

/* All operators by name, sorted once, because suites look them up tens of thousands of times. */
static const struct op **by_name;
static pthread_once_t sorted = PTHREAD_ONCE_INIT;

static int compare_names(const void *a, const void *b)
{
    return strcmp((*(const struct op *const *)a)->name, (*(const struct op *const *)b)->name);
}

static int compare_with_name(const void *name, const void *op)
{
    return strcmp(name, (*(const struct op *const *)op)->name);
}

static void sort_names(void)
{
    by_name = malloc((size_t)op_count() * sizeof *by_name);
    for (int i = 0; by_name && i < op_count(); i++) {
        by_name[i] = op_at(i);
    }
    if (by_name) {
        qsort(by_name, (size_t)op_count(), sizeof *by_name, compare_names);
    }
}

const struct op *op_find(const char *name)
{
    pthread_once(&sorted, sort_names);
    if (by_name) {
        const struct op **found =
            bsearch(name, by_name, (size_t)op_count(), sizeof *by_name, compare_with_name);
        return found ? *found : NULL;
    }
    for (int i = 0; i < op_count(); i++) { /* without memory for the sorted list */
        if (strcmp(op_at(i)->name, name) == 0) {
            return op_at(i);
        }
    }
    return NULL;
}

bool op_takes_square_matrices(const struct op *op, const struct op_operands *operands, struct error *reason)
{
    const struct view *a = &operands->input[0];
    int rank = a->shape.rank;
    if (!(op->dtypes >> a->dtype & 1)) {
        return error_set(reason, "%s: dtype %s is not supported", op->name, dtype_info(a->dtype)->name);
    }
    if (rank < 2 || a->shape.dim[rank - 1] != a->shape.dim[rank - 2]) {
        return error_set(reason, "%s: needs a batch of square matrices [..., n, n]", op->name);
    }
    return true;
}

/* Appends "; given: float32 [2, 3], none, int64 [4]", the operands, to an error about shapes; cut off where
 * the text is full. */
static void name_operands(const struct op_operands *operands, struct error *reason)
{
    const char *separator = "; given: ";
    for (int i = 0; i < operands->inputs; i++) {
        const struct view *view = &operands->input[i];
        char shape[SHAPE_TEXT], one[SHAPE_TEXT + 64];
        size_t used = strlen(reason->text);
        shape_print(&view->shape, shape, sizeof shape);
        int length = view->storage < 0 ? snprintf(one, sizeof one, "%snone", separator)
                                       : snprintf(one, sizeof one, "%s%s %s", separator,
                                                  dtype_info(view->dtype)->name, shape);
        if (used + (size_t)length + sizeof ", …" > sizeof reason->text) {
            snprintf(reason->text + used, sizeof reason->text - used, ", …");
            return;
        }
        memcpy(reason->text + used, one, (size_t)length + 1);
        separator = ", ";
    }
}

bool op_signature(const struct op *op, const struct op_operands *operands, struct op_signature *signature,
                  struct error *reason)
{
    char text[SHAPE_TEXT];
    if (operands->inputs > OPERANDS_MAX) {
        return error_set(reason, "%s: %d inputs, at most %d are taken (OPERANDS_MAX)", op->name,
                         operands->inputs, OPERANDS_MAX);
    }
    if (!op->signature(op, operands, signature, reason)) {
        if (reason) {
            name_operands(operands, reason);
        }
        return false;
    }
    int judged = signature->outputs;
    for (int i = 0; i < operands->inputs; i++) {
        judged += op_mutates(op, operands->inputs, i) && operands->input[i].storage >= 0;
    }
    if (judged > TRUTH_OUTPUTS_MAX) {
        return error_set(reason, "%s: %d tensors to judge, at most %d are (TRUTH_OUTPUTS_MAX)", op->name,
                         judged, TRUTH_OUTPUTS_MAX);
    }
    for (int o = 0; o < signature->outputs; o++) {
        if (shape_bytes(&signature->output[o].shape, signature->output[o].dtype) == INT64_MAX) {
            shape_print(&signature->output[o].shape, text, sizeof text);
            return error_set(reason, "%s: output %d, %s, would hold more than 2^63 bytes", op->name, o, text);
        }
    }
    return true;
}

const struct op_default *op_default_named(const struct op *op, const char *name)
{
    for (int d = 0; d < ATTRIBUTES_MAX && op->defaults[d].name; d++) {
        if (strcmp(op->defaults[d].name, name) == 0) {
            return &op->defaults[d];
        }
    }
    return NULL;
}

bool op_has_default(const struct op *op, const char *attribute)
{
    return op_default_named(op, attribute) != NULL;
}

bool op_default_is_epsilon(const struct op *op, const char *attribute)
{
    const struct op_default *own = op_default_named(op, attribute);
    return own && own->kind == DEFAULT_EPSILON;
}

void op_default_attributes(const struct op *op, enum dtype leading, struct attributes *attributes)
{
    enum attribute_type number = dtype_is_floating(leading) ? ATTRIBUTE_REAL : ATTRIBUTE_INTEGER;
    for (int a = 0; a < ATTRIBUTES_MAX && op->attributes[a].name; a++) {
        const struct op_attribute *declared = &op->attributes[a];
        const struct op_default *own = op_default_named(op, declared->name);
        if (!own || attributes_given(attributes, declared->name)) {
            continue;
        }
        double x = own->kind == DEFAULT_EPSILON ? 2 * dtype_unit_roundoff(leading) : own->value;
        /* an operator declares at most ATTRIBUTES_MAX */
        struct attribute *attribute = &attributes->item[attributes->count++];
        *attribute = (struct attribute){.name = declared->name,
                                        .type = declared->type == ATTRIBUTE_NUMBER ? number : declared->type};
        if (attribute->type == ATTRIBUTE_REAL) {
            attribute->real = x;
        } else {
            attribute->integer = (int64_t)x;
        }
        if (attribute->type == ATTRIBUTE_CHOICE) {
            attribute->word = op_choice_numbered(op, declared->name, attribute->integer)->word;
        }
    }
}

static bool is_special(const struct tensor *tensor, int64_t element)
{
    const struct dtype_info *info = dtype_info(tensor->dtype);
    bool special = false;
    for (int c = 0; dtype_is_floating(tensor->dtype) && c < info->components; c++) {
        special = special || !isfinite(tensor_component(tensor, element * info->components + c));
    }
    return special;
}

/* Marks the elements of an element-wise result that have a NaN or an infinity among their operands, for which
 * some devices promise nothing. Returns false when out of memory. */
static bool mark_special_inputs(const struct op_call *call, struct truth *truth)
{
    struct truth_output *out = &truth->output[0];
    bool marks = call->op->elementwise && truth->outputs == 1, good = true;
    for (int i = 0; marks && i < call->inputs; i++) {
        const struct tensor *input = &call->input[i];
        bool any = tensor_holds_special(input);
        good = good && (!any || truth_output_fill(out));
        int components = dtype_info(out->dtype)->components;
        for (int64_t k = 0; good && any && k < out->elements * components; k++) {
            int64_t at = shape_broadcast_element(&input->shape, &out->shape, k / components);
            out->value[k].special_input = out->value[k].special_input || is_special(input, at);
        }
    }
    return good;
}

/* Creates the judged tensors and lets the operator fill them. */
static struct truth *truth_of(const struct op_call *call, const struct op_signature *signature,
                              struct error *error)
{
    const struct op *op = call->op;
    struct truth *truth = calloc(1, sizeof *truth);
    if (!truth) {
        error_set(error, "%s: out of memory for the truth", op->name);
        return NULL;
    }
    truth->bits = INT_MAX;
    bool good = true;
    for (int i = 0; i < call->inputs && good; i++) {
        if (op_mutates(op, call->inputs, i) && !tensor_absent(&call->input[i])) {
            int o = truth->outputs++;
            good = truth_output_create(&truth->output[o], call->input[i].dtype, &call->input[i].shape,
                                       op->sensitivities ? op->sensitivities(call, o) : 0, !op->assigns);
        }
    }
    for (int i = 0; i < signature->outputs && good; i++) {
        int o = truth->outputs++;
        good = truth_output_create(&truth->output[o], signature->output[i].dtype, &signature->output[i].shape,
                                   op->sensitivities ? op->sensitivities(call, o) : 0, !op->assigns);
    }
    if (good) {
        good = (call->enclosed && op->enclose ? op->enclose : op->truth)(call, truth, error) &&
               (mark_special_inputs(call, truth) ||
                error_set(error, "%s: out of memory for the truth", op->name));
    } else {
        error_set(error, "%s: out of memory for the truth's tensors", op->name);
    }
    if (!good) {
        truth_destroy(&truth);
        return NULL;
    }
    for (int o = 0; o < truth->outputs; o++) {
        struct truth_output *output = &truth->output[o];
        int64_t components = output->elements * dtype_info(output->dtype)->components;
        /* values beyond the range do not count */
        double max = dtype_max(dtype_info(output->dtype)->component);
        output->scale = output->scaled ? output->scale
                                       : fmax(output->scale, values_greatest(output->value, components, max));
    }
    return truth;
}

uint32_t op_flush_inputs(const struct op_call *call, struct tensor *flushed, bool *good)
{
    uint32_t dtypes = 0;
    *good = true;
    for (int i = 0; i < call->inputs; i++) {
        bool holds = tensor_holds_subnormal(&call->input[i]);
        dtypes |= holds ? 1U << dtype_info(call->input[i].dtype)->component : 0;
    }
    for (int i = 0; dtypes && i < call->inputs; i++) {
        const struct tensor *from = &call->input[i];
        const struct dtype_info *info = dtype_info(from->dtype);
        if (tensor_absent(from)) {
            continue;
        }
        *good = tensor_create(&flushed[i], from->dtype, &from->shape) && *good;
        if (!*good || !from->data) {
            continue;
        }
        memcpy(flushed[i].data, from->data, tensor_bytes(from));
        size_t size = dtype_info(info->component)->size;
        for (size_t at = 0; info->precision && at < tensor_bytes(from); at += size) {
            if (dtype_is_subnormal(info->component, from->data + at)) {
                double zero = copysign(0, dtype_load(info->component, from->data + at));
                dtype_store(info->component, flushed[i].data + at, zero);
            }
        }
    }
    return dtypes;
}

struct truth *op_truth(const struct op_call *call, const struct op_signature *signature, struct error *error)
{
    struct truth *truth = truth_of(call, signature, error);
    struct tensor flushed[OPERANDS_MAX] = {{.data = NULL}};
    bool good = true;
    bool computes = !call->op->moves || !call->op->moves(call);
    uint32_t dtypes = truth && computes ? op_flush_inputs(call, flushed, &good) : 0;
    if (dtypes && good) {
        struct op_call flushed_call = *call;
        flushed_call.input = flushed;
        flushed_call.numbers = false;
        truth->flushed = truth_of(&flushed_call, signature, error);
        truth->flushed_dtypes = dtypes;
        good = truth->flushed != NULL;
        for (int o = 0; o < truth->outputs; o++) { /* both truths are compared as values */
            good = good && (truth_output_fill(&truth->output[o]) ||
                            error_set(error, "%s: out of memory for the truth", call->op->name));
        }
    }
    for (int i = 0; i < call->inputs; i++) {
        tensor_destroy(&flushed[i]);
    }
    if (!good) {
        truth_destroy(&truth);
    }
    return truth;
}
