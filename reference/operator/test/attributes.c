/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Tests lists of integers, and choices (words with numbers) as operators declare them. */
#include "reference/operator/op.h"

#include <criterion/criterion.h>
#include <string.h>

Test(attributes, a_list_is_a_shape_or_is_none)
{
    struct integers list = integers_of(3, (int64_t)4, (int64_t)0, (int64_t)2), wide = {.count = RANK_MAX + 1};
    struct shape shape;
    cr_assert(integers_to_shape(&list, &shape));
    cr_expect(shape.rank == 3 && shape.dim[0] == 4 && shape.dim[1] == 0 && shape.dim[2] == 2);
    struct integers back = integers_of_shape(&shape);
    cr_expect(back.count == 3 && back.item[0] == 4 && back.item[2] == 2);
    list.item[1] = -1;
    cr_expect(!integers_to_shape(&list, &shape) && shape.rank == 0, "a negative number");
    cr_expect_not(integers_to_shape(&wide, &shape), "more than a shape has");
    wide.count = RANK_MAX;
    cr_expect(integers_to_shape(&wide, &shape) && shape.rank == RANK_MAX);
}

Test(attributes, words_and_their_numbers)
{
    const struct op *cast = op_find("autocast_linear");
    char text[64];
    cr_expect_eq(op_choice_named(cast, "dtype", "bfloat16")->number, 16);
    cr_expect_str_eq(op_choice_numbered(cast, "dtype", 10)->word, "float16");
    cr_expect_null(op_choice_named(cast, "dtype", "float32"));
    cr_expect_null(op_choice_numbered(cast, "dtype", 0));
    cr_expect_null(op_choice_named(cast, "type", "float16"));
    op_print_choices(cast, "dtype", text, sizeof text);
    cr_expect_str_eq(text, "float16 or bfloat16");
    op_print_choices(cast, "type", text, sizeof text);
    cr_expect_str_eq(text, "");
}

/* Words belong to an attribute that has them, each with a number of its own; who has words has a declaration
 * of that type. */
Test(attributes, every_declaration_is_sound)
{
    for (int o = 0; o < op_count(); o++) {
        const struct op *op = op_at(o);
        for (int a = 0; a < ATTRIBUTES_MAX && op->attributes[a].name; a++) {
            const struct op_attribute *of = &op->attributes[a];
            char text[64];
            op_print_choices(op, of->name, text, sizeof text);
            bool chosen = of->type == ATTRIBUTE_CHOICE || of->type == ATTRIBUTE_CODE;
            cr_expect_eq(op_attribute_named(op, of->name), of, "%s: two attributes %s", op->name, of->name);
            cr_expect_eq(text[0] != '\0', chosen, "%s: %s", op->name, of->name);
            cr_expect_leq(strlen(of->name), NAME_MOST, "%s: %s", op->name, of->name);
        }
        for (int c = 0; c < CHOICES_MAX && op->choices[c].attribute; c++) {
            const struct op_choice *choice = &op->choices[c];
            cr_expect_not_null(op_attribute_named(op, choice->attribute), "%s: %s", op->name, choice->word);
            cr_expect_eq(op_choice_named(op, choice->attribute, choice->word), choice, "%s", choice->word);
            cr_expect_eq(op_choice_numbered(op, choice->attribute, choice->number), choice, "%s",
                         choice->word);
        }
    }
}
