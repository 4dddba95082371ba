/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/diagnose/hypotheses.h"
#include "harness/diagnose/test/stories.h"
#include "harness/repro/attributes.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

/* The stories of stories.c again, without a program around the search: quick, and in this process. */

static struct tensor input[STORY_INPUTS], got, before;
static struct attributes attributes;
static struct truth *truth;

static void fill(struct tensor *tensor, const struct story_tensor *from, enum dtype as)
{
    cr_assert(tensor_create(tensor, as, &from->shape));
    for (int64_t k = 0; k < shape_elements(&from->shape); k++) {
        unsigned char *at = tensor->data + (size_t)k * dtype_info(as)->size;
        if (dtype_is_floating(as) || as == DTYPE_BOOL) {
            dtype_store(as, at, from->x[k]);
        } else {
            dtype_store_integer(as, at, (int64_t)from->x[k]);
        }
    }
}

/* Reads "OP --attr A=V …" as repro does. */
static const struct op *read_call(const char *call)
{
    static char words[400];
    struct texts texts = {.count = 0};
    struct error error = {.text = ""};
    snprintf(words, sizeof words, "%s", call);
    const struct op *op = op_find(strtok(words, " "));
    cr_assert_not_null(op, "%s", call);
    for (char *word = strtok(NULL, " "); word; word = strtok(NULL, " ")) {
        cr_assert(strcmp(word, "--attr") == 0 || texts_add(&texts, word));
    }
    memset(&attributes, 0, sizeof attributes);
    cr_assert(repro_attributes_read(op, &texts, &attributes, &error) &&
                  repro_attributes_resolve(op, story.in[op_leading_input(op)].dtype, &attributes, &error),
              "%s: %s", call, error.text);
    op_default_attributes(op, story.in[op_leading_input(op)].dtype, &attributes);
    texts_destroy(&texts);
    return op;
}

static struct op_call call_of(const struct op *op)
{
    for (int i = 0; i < story.inputs; i++) {
        fill(&input[i], &story.in[i], story.in[i].dtype);
    }
    return (struct op_call){.op = op, .attributes = &attributes, .inputs = story.inputs, .input = input};
}

static void compute_truth(const struct op_call *call)
{
    struct view view[STORY_INPUTS];
    struct op_signature signature;
    struct error error = {.text = ""};
    for (int i = 0; i < call->inputs; i++) {
        view[i] = view_contiguous(i, input[i].dtype, &input[i].shape);
    }
    const struct op_operands operands = {
        .attributes = &attributes, .inputs = call->inputs, .input = view, .value = input};
    cr_assert(op_signature(call->op, &operands, &signature, &error), "%s", error.text);
    truth = op_truth(call, &signature, &error);
    cr_assert_not_null(truth, "%s", error.text);
}

static void explain(const struct story *of, uint64_t seed, struct hypothesis *best)
{
    memset(&story, 0, sizeof story);
    story.seed = seed;
    story.patterned = -1;
    of->tell();
    const struct op_call call = call_of(read_call(of->call));
    compute_truth(&call);
    fill(&got, &story.got[0], story.got[0].dtype);
    for (int64_t k = 0; story.patterned >= 0 && k < (int64_t)tensor_bytes(&got); k++) {
        size_t size = dtype_info(got.dtype)->size;
        got.data[k] =
            k / (int64_t)size >= story.patterned ? story.pattern[(size_t)k % size % 4] : got.data[k];
    }
    int written = op_written_input(call.op) < call.inputs ? op_written_input(call.op) : -1;
    cr_assert(written < 0 ? tensor_create(&before, got.dtype, &got.shape)
                          : tensor_copy(&before, &input[written]));
    if (written < 0) {
        memset(before.data, 0xFF, tensor_bytes(&before));
    }
    struct profile profile = profile_ieee();
    profile.accumulate[DTYPE_FLOAT16] = profile.accumulate[DTYPE_BFLOAT16] = DTYPE_FLOAT32;
    const struct hypothesis_case question = {
        .call = &call, .truth = truth, .profile = &profile, .got = &got, .before = &before};
    cr_assert(hypotheses_explain(&question, best));
    truth_destroy(&truth);
    tensor_destroy(&got);
    tensor_destroy(&before);
    for (int i = 0; i < call.inputs; i++) {
        tensor_destroy(&input[i]);
    }
}

static void explain_all(const struct story *of, uint64_t seed)
{
    for (; of->name; of++, seed += 1000) {
        struct hypothesis best;
        explain(of, seed, &best);
        const char *found = best.name[0]         ? best.name
                            : best.undefined > 0 ? "undefined"
                                                 : "none",
                   *expected = of->expected ? of->expected : "none";
        cr_expect_str_eq(found, expected, "%s: expected %s, found %s: %s", of->name, expected, found,
                         best.text);
    }
}

Test(stories_inside, causes_are_found)
{
    explain_all(stories_first, 1);
    explain_all(stories_second, 1);
}

Test(stories_inside, other_causes_are_found_or_none)
{
    explain_all(stories_third, 1);
}

Test(stories_inside, errors_that_resemble_others_are_not_explained)
{
    for (uint64_t seed = 1; seed <= 3; seed++) {
        explain_all(stories_alike, seed);
    }
}
