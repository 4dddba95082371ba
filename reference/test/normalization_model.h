/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_TEST_NORMALIZATION_MODEL_H
#define ASSAY_REFERENCE_TEST_NORMALIZATION_MODEL_H

/* A small problem of one of the normalizations, and the operators' own truth for it. */

#include "reference/ops/normalization/normalization.h"
#include "reference/test/support.h"

enum { MOST = 128 };

/* One call on a tensor [batch, channels, inner], and which elements share statistics. */
struct model {
    const char *name, *gradient;
    enum dtype dtype;
    int64_t batch, channels, inner, groups; /* groups of a sample; 0: statistics over the batch */
    bool centred, evaluates, affine;
    bool running; /* for instance_norm: with running statistics */
    double eps, mean;
    double x[MOST], dy[MOST], weight[MOST], bias[MOST], running_mean[MOST], running_var[MOST];
};

static inline double rounded(enum dtype dtype, double x)
{
    unsigned char bytes[8];
    dtype_store(dtype, bytes, x);
    return dtype_load(dtype, bytes);
}

static inline void fill(struct model *m, uint64_t seed)
{
    struct philox generator;
    philox_start(&generator, seed);
    for (int64_t i = 0; i < m->batch * m->channels * m->inner; i++) {
        m->x[i] = rounded(m->dtype, m->mean + 4 * philox_unit(&generator) - 2);
        m->dy[i] = rounded(m->dtype, 2 * philox_unit(&generator) - 1);
    }
    for (int64_t c = 0; c < m->channels; c++) {
        m->weight[c] = m->affine ? rounded(m->dtype, 0.5 + philox_unit(&generator)) : 1;
        m->bias[c] = m->affine && m->centred ? rounded(m->dtype, 2 * philox_unit(&generator) - 1) : 0;
        m->running_mean[c] = rounded(m->dtype, m->mean + philox_unit(&generator));
        m->running_var[c] = rounded(m->dtype, 0.5 + philox_unit(&generator));
    }
}

static inline int64_t channel_of(const struct model *m, int64_t i)
{
    return i / m->inner % m->channels;
}

static inline int64_t group_of(const struct model *m, int64_t i)
{
    int64_t c = channel_of(m, i);
    return m->groups == 0 ? c : i / m->inner / m->channels * m->groups + c / (m->channels / m->groups);
}

/* --- the operators' own truths */

static inline struct shape shape_of_model(const struct model *m)
{
    return m->inner == 1 ? shape_of(2, m->batch, m->channels) : shape_of(3, m->batch, m->channels, m->inner);
}

static inline struct attributes attributes_of(const struct model *m)
{
    struct attributes a = {.count = 1, .item = {{.name = "eps", .type = ATTRIBUTE_REAL, .real = m->eps}}};
    bool layer = strcmp(m->name, "layer_norm") == 0 || strcmp(m->name, "rms_norm") == 0;
    if (strcmp(m->name, "instance_norm") == 0) {
        a.item[a.count++] =
            (struct attribute){.name = "use_input_stats", .type = ATTRIBUTE_BOOL, .integer = !m->evaluates};
        a.item[a.count++] = (struct attribute){.name = "momentum", .type = ATTRIBUTE_REAL, .real = 0.1};
    } else if (layer) {
        a.item[a.count++] = (struct attribute){
            .name = "normalized_shape", .type = ATTRIBUTE_INTEGERS, .integers = integers_of(1, m->channels)};
    } else if (m->groups) {
        a.item[a.count++] = (struct attribute){
            .name = "num_groups", .type = ATTRIBUTE_INTEGER, .integer = m->groups, .real = (double)m->groups};
    } else {
        a.item[a.count++] =
            (struct attribute){.name = "training", .type = ATTRIBUTE_BOOL, .integer = !m->evaluates};
        a.item[a.count++] = (struct attribute){.name = "momentum", .type = ATTRIBUTE_REAL, .real = 0.1};
    }
    return a;
}

static inline bool is(const struct model *m, const char *name)
{
    return strcmp(m->name, name) == 0;
}

static inline struct truth *truth_of_model(const struct model *m, bool gradient)
{
    struct tensor input[5] = {{.data = NULL}};
    struct view view[5];
    int count = 0;
    struct shape channels = shape_of(1, m->channels);
    if (gradient) {
        input[count++] = tensor_from(m->dtype, shape_of_model(m), m->dy);
    }
    input[count++] = tensor_from(m->dtype, shape_of_model(m), m->x);
    if (is(m, "batch_norm") || (m->running && !gradient)) {
        input[count] = tensor_from(m->dtype, channels, m->running_mean);
        input[count + 1] = tensor_from(m->dtype, channels, m->running_var);
        count += 2;
    } else if (is(m, "instance_norm") && !gradient) {
        count += 2;
    }
    if (m->affine) {
        input[count++] = tensor_from(m->dtype, channels, m->weight);
        if (!gradient && !is(m, "rms_norm")) {
            input[count++] = tensor_from(m->dtype, channels, m->bias);
        }
    }
    const struct op *op = op_find(gradient ? m->gradient : m->name);
    struct attributes attributes = attributes_of(m);
    for (int i = 0; i < count; i++) {
        view[i] = view_contiguous(tensor_absent(&input[i]) ? -1 : i, input[i].dtype, &input[i].shape);
    }
    struct op_operands operands = {.attributes = &attributes, .inputs = count, .input = view};
    struct op_signature signature = {.outputs = 0};
    struct error error = {.text = ""};
    cr_assert(op->signature(op, &operands, &signature, &error), "%s", error.text);
    struct op_call call = {.op = op, .attributes = &attributes, .inputs = count, .input = input};
    struct truth *truth = op_truth(&call, &signature, &error);
    cr_assert_not_null(truth, "%s", error.text);
    for (int i = 0; i < count; i++) {
        tensor_destroy(&input[i]);
    }
    return truth;
}

#endif
