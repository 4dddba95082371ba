/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Tests that classes of calls are measured on programs and that a class without a case is a gap. */

#include "suites/plan/classes.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

static uint32_t seen(const struct suite_list *list, enum call_class class, const char *id)
{
    const int index = suite_list_find(list, id);
    cr_assert_geq(index, 0, "%s is gone", id);
    const struct suite_case *c = suite_list_at(list, index);
    struct program *program = suite_build(c, 1, NULL);
    cr_assert_not_null(program);
    const uint32_t parts = class_seen(class, c->op, program);
    program_destroy(&program);
    return parts;
}

Test(classes, are_measured_on_programs)
{
    static const struct {
        enum call_class class;
        const char *id;
        uint32_t parts;
    } known[] = {
        {CLASS_MIDDLE, "elementwise/add/float32/middle-3d", 3},
        {CLASS_MIDDLE, "elementwise/lerp/float32/middle-5d", 7},
        {CLASS_MIDDLE, "elementwise/add/float32/row", 0},
        {CLASS_MIDDLE, "elementwise/add/float32/column", 0},
        {CLASS_MIDDLE, "elementwise/add/float32/scalar", 0},
        {CLASS_MIDDLE, "inplace/add_/int32/middle-3d", 2}, /* the written operand does not broadcast */
        {CLASS_MIDDLE, "loss/mse_loss/float32/middle-3d", 2},
        {CLASS_APART, "reduction/sum/float32/apart-4d", 1 << 4},
        {CLASS_APART, "reduction/sum_backward/float32/apart-5d", 1 << 5},
        {CLASS_APART, "reduction/softmax/float32/between-4d", 1 << 4},
        {CLASS_APART, "reduction/sum/float32/rank-4-permuted", 0}, /* no two of its dimensions are alike */
        {CLASS_APART, "norm/vector_norm/float32/apart-4d-p2", 1 << 4},
        {CLASS_IN_TURN, "elementwise/glu/float32/attributes-in-turn", 1},
        {CLASS_IN_TURN, "elementwise/softplus/float32/attributes-in-turn", 3},
        {CLASS_IN_TURN, "elementwise/softplus/float32/attributes-near", 0}, /* of other shapes */
        {CLASS_IN_TURN, "linalg/matmul/float32/attributes-in-turn", 1U << CLASS_STRIDES},
        {CLASS_VALUES, "elementwise/leaky_relu/float32/attributes-near", 3},
        {CLASS_CHANNELS, "elementwise/prelu/float32/channels-65", 1},
        {CLASS_CHANNELS, "elementwise/prelu/float32/channels-130", 3},
        {CLASS_ZEROS, "quantization/quantize_per_channel/float32/zero-129-uint8", 1},
        {CLASS_ZEROS, "quantization/quantize_per_channel/float32/ties-uint8", 0},
    };
    struct suite_list *list = suite_list_create();
    for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
        cr_expect_eq(seen(list, known[k].class, known[k].id), known[k].parts, "%s", known[k].id);
    }
    suite_list_destroy(&list);
}

/* Drops cases of a class for one operator, and of one dtype only for others: both are gaps. */
Test(classes, a_class_that_no_case_shows_is_a_gap)
{
    struct suite_list *list = suite_list_create();
    char *text = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);
    cr_expect_eq(class_coverage_write(file, list), 0);
    fflush(file);
    cr_expect_null(strstr(text, "no case"));
    for (int i = suite_list_count(list) - 1; i >= 0; i--) {
        const char *id = suite_list_id(list, i);
        if (strncmp(id, "elementwise/glu/bfloat16/attributes-in-turn", 43) == 0 ||
            strncmp(id, "elementwise/sub/int32/middle-", 29) == 0 ||
            strncmp(id, "reduction/prod/", 15) == 0) {
            suite_list_drop(list, i);
        }
    }
    rewind(file);
    cr_expect_geq(class_coverage_write(file, list), 1 + 2 + 2 * 6);
    fclose(file);
    cr_expect_not_null(strstr(text, "| glu | attributes_in_turn | 6 | no case: dim of bfloat16 |"));
    cr_expect_not_null(strstr(text, "| sub | middle_broadcast | 10 | no case: operand 0 (input) of int32;"
                                    " operand 1 (other) of int32 |"));
    cr_expect_not_null(strstr(text, "| prod | apart | 0 | no case: 4 dimensions of float16, bfloat16,"));
    free(text);
    suite_list_destroy(&list);
}
