/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/exec/protocol.h"
#include "harness/repro/attributes.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct attributes attributes;
static struct error error;

static bool reads(const char *name, const char *text)
{
    struct texts texts = {.count = 1, .text = &text};
    error.text[0] = '\0';
    return repro_attributes_read(op_find(name), &texts, &attributes, &error);
}

static bool resolves(const char *name, const char *text, enum dtype dtype)
{
    return reads(name, text) && repro_attributes_resolve(op_find(name), dtype, &attributes, &error);
}

Test(repro_attributes, every_type_has_its_form)
{
    const struct attribute *a = attributes.item;
    cr_assert(reads("vector_norm", "dim=0") && a->type == ATTRIBUTE_INTEGERS && a->integers.count == 1);
    cr_assert(reads("vector_norm", "dim=2,-3") && a->integers.count == 2 && a->integers.item[1] == -3);
    cr_assert(reads("layer_norm", "normalized_shape=[4, 8]") && a->integers.item[1] == 8);
    cr_assert(reads("layer_norm", "normalized_shape=(4)") && a->integers.item[0] == 4);
    cr_assert(reads("vector_norm", "keepdim=True") && a->type == ATTRIBUTE_BOOL && a->integer == 1);
    cr_assert(reads("vector_norm", "keepdim=0") && a->type == ATTRIBUTE_BOOL && a->integer == 0);
    cr_assert(reads("vector_norm", "ord=3") && a->type == ATTRIBUTE_REAL && a->real == 3);
    cr_assert(reads("vector_norm", "ord=-inf") && isinf(a->real));
    cr_assert(reads("autocast_matmul", "dtype=bfloat16") && a->type == ATTRIBUTE_INTEGER && a->integer == 16);
    cr_assert(reads("autocast_matmul", "dtype=10") && a->type == ATTRIBUTE_INTEGER && a->integer == 10);
    cr_assert(reads("vector_norm", "dim=1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16"));
    cr_assert(a->integers.count == INTEGERS_MAX && a->integers.item[15] == 16);
    cr_assert(reads("group_norm", "num_groups=4") && a->type == ATTRIBUTE_INTEGER && a->integer == 4);
}

Test(repro_attributes, a_number_takes_the_type_of_the_operands)
{
    const struct attribute *a = attributes.item;
    cr_assert(resolves("add_", "alpha=2", DTYPE_FLOAT32) && a->type == ATTRIBUTE_REAL && a->real == 2);
    cr_assert(resolves("add_", "alpha=99999999999999999999", DTYPE_FLOAT32) && a->real == 1e20);
    cr_assert(resolves("add_", "alpha=9007199254740993", DTYPE_INT64) && a->integer == 9007199254740993);
    cr_assert_not(resolves("add_", "alpha=99999999999999999999", DTYPE_INT64));
    cr_assert(strstr(error.text, "at most 64 bits"), "%s", error.text);
    cr_assert_not(resolves("add_", "alpha=0.5", DTYPE_INT32));
}

Test(repro_attributes, what_does_not_fit_is_refused)
{
    static const struct {
        const char *op, *text, *message;
    } row[] = {{"vector_norm", "dim=4,", "4, or 2,3"},
               {"vector_norm", "dim=,4", "4, or 2,3"},
               {"vector_norm", "dim=", "4, or 2,3"},
               {"vector_norm", "dim=[4", "4, or 2,3"},
               {"vector_norm", "dim=4)", "4, or 2,3"},
               {"vector_norm", "dim=1.5", "4, or 2,3"},
               {"vector_norm", "dim=1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17",
                "dim of vector_norm, which takes 1 to 16"},
               {"vector_norm", "dim=99999999999999999999", "whole numbers"},
               {"vector_norm", "keepdim=2", "true, false"},
               {"autocast_matmul", "dtype=float32", "float16 or bfloat16"},
               {"autocast_matmul", "dtype=11", "float16 or bfloat16"},
               {"vector_norm", "ord=two", "a number"},
               {"vector_norm", "ord=1e999", "a number"},
               {"group_norm", "num_groups=99999999999999999999", "at most 64 bits"},
               {"group_norm", "num_groups=2.5", "a whole number"},
               {"vector_norm", "order=2", "did you mean ord; it has ord, dim, keepdim"},
               {"sgn", "alpha=2", "sgn has no attributes"},
               {"vector_norm", "ord", "NAME=VALUE"}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        cr_expect_not(reads(row[i].op, row[i].text), "%s", row[i].text);
        cr_expect(strstr(error.text, row[i].message), "%s: %s", row[i].text, error.text);
    }
    const char *twice[] = {"ord=1", "ord=2"};
    struct texts texts = {.count = 2, .text = twice};
    cr_assert_not(repro_attributes_read(op_find("vector_norm"), &texts, &attributes, &error));
}

/* A loss with `reduction`, as PyTorch's losses have it. */
static const struct op loss = {
    .name = "loss",
    .operands = {{"input", OPERAND_READ}},
    .attributes = {{"reduction", ATTRIBUTE_CHOICE}},
    .defaults = {{"reduction", DEFAULT_VALUE, 1}},
    .choices = {{"reduction", "none", 0}, {"reduction", "mean", 1}, {"reduction", "sum", 2}},
};

static bool chooses(const char *text)
{
    struct texts texts = {.count = 1, .text = &text};
    error.text[0] = '\0';
    return repro_attributes_read(&loss, &texts, &attributes, &error);
}

Test(repro_attributes, one_of_a_few_words)
{
    const struct attribute *a = attributes.item;
    cr_assert(chooses("reduction=sum") && a->type == ATTRIBUTE_CHOICE && a->integer == 2);
    cr_expect_str_eq(a->word, "sum");
    cr_assert_not(chooses("reduction=2"));
    cr_expect(strstr(error.text, "which takes none, mean or sum"), "%s", error.text);
    struct attributes given = {.count = 0};
    op_default_attributes(&loss, DTYPE_FLOAT32, &given);
    cr_assert(given.count == 1 && given.item[0].type == ATTRIBUTE_CHOICE);
    cr_expect_str_eq(given.item[0].word, "mean");
    cr_expect_eq(attributes_integer(&given, "reduction", -1), 1);
}

/* The word is sent to the program as it is; other words make another request. */
Test(repro_attributes, a_word_is_sent_as_it_is)
{
    struct program *program = program_create();
    struct shape shape = shape_of(1, (int64_t)2);
    struct step *step = NULL;
    char digest[2][33];
    struct view x = program_input(program, DTYPE_FLOAT32, &shape);
    cr_assert(chooses("reduction=sum"));
    cr_assert((step = program_step(program, op_find("square"), &attributes, 1, &x)));
    step->op = &loss;
    struct exec_request request;
    cr_assert(exec_format_step(1, program, step, false, &request));
    cr_expect(strstr(request.line, "\"attributes\":{\"reduction\":\"sum\"}"), "%s", request.line);
    program_digest(program, digest[0]);
    step->attributes.item[0].word = "mean";
    program_digest(program, digest[1]);
    cr_expect_str_neq(digest[0], digest[1]);
    free(request.line);
    program_destroy(&program);
}
