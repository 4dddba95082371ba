/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Tests what operators declare of their operands: names and roles by number, repeated operands too. */
#include "reference/test/support.h"

static void name_is(const char *op, int inputs, int i, const char *name)
{
    cr_expect_str_eq(op_operand_name(op_find(op), inputs, i), name, "%s: input %d of %d", op, i, inputs);
}

static void takes(const char *op, int least, int most)
{
    cr_expect_eq(op_inputs_min(op_find(op)), least, "%s", op);
    cr_expect_eq(op_inputs_max(op_find(op)), most, "%s", op);
}

Test(operands, a_call_has_what_is_required_at_least)
{
    takes("matmul", 2, 2);
    takes("linear", 2, 3);
    takes("batch_norm", 1, 5);
    takes("batch_norm_backward", 2, 5);
    takes("clamp_", 1, 3);
    takes("fill_", 1, 1);
    takes("sparse_addmm", 4, 4);
}

Test(operands, a_call_repeats_some_as_far_as_there_is_room)
{
    takes("amp_unscale", 3, OPERANDS_MAX);
    takes("grad_scaler", 4, OPERANDS_MAX);
    cr_expect(op_is_variadic(op_find("amp_unscale")) && op_is_variadic(op_find("grad_scaler")));
    cr_expect_not(op_is_variadic(op_find("linear")));
    for (int grads = 1; grads <= OPERANDS_MAX - 2; grads++) {
        const struct op *op = op_find("amp_unscale");
        int inputs = grads + 2;
        name_is("amp_unscale", inputs, 0, "grad");
        name_is("amp_unscale", inputs, grads - 1, "grad");
        name_is("amp_unscale", inputs, grads, "found_inf");
        name_is("amp_unscale", inputs, grads + 1, "inv_scale");
        name_is("amp_unscale", inputs, grads + 2, "");
        for (int i = 0; i < inputs; i++) {
            cr_expect_eq(op_mutates(op, inputs, i), i <= grads, "input %d of %d", i, inputs);
        }
    }
}

/* Thirty of three in turn, beside the other two. */
Test(operands, those_that_are_repeated_in_turn_stay_together)
{
    static const struct op op = {.operands = {{"first", OPERAND_READ},
                                              {"a", OPERAND_VARIADIC},
                                              {"b", OPERAND_VARIADIC},
                                              {"c", OPERAND_VARIADIC | OPERAND_MUTATED},
                                              {"last", OPERAND_INDICES}}};
    static const char *const names[] = {"first", "a", "b", "c", "a", "b", "c", "last"};
    cr_expect(op_inputs_min(&op) == 5 && op_inputs_max(&op) == 32);
    for (int i = 0; i < 8; i++) {
        cr_expect_str_eq(op_operand_name(&op, 8, i), names[i], "input %d", i);
        cr_expect_eq(op_mutates(&op, 8, i), i == 3 || i == 6, "input %d", i);
        cr_expect_eq(op_is_indices(&op, 8, i), i == 7, "input %d", i);
    }
    name_is("grad_scaler", 6, 2, "param");
    name_is("grad_scaler", 6, 3, "grad");
    name_is("grad_scaler", 6, 4, "scale");
    name_is("grad_scaler", 6, 5, "growth_tracker");
    name_is("grad_scaler", 6, -1, "");
}

Test(operands, roles_are_known_by_number)
{
    const struct op *norm = op_find("batch_norm"), *lerp = op_find("lerp_"), *out = op_find("add_out");
    for (int i = 0; i < 5; i++) {
        cr_expect_eq(op_mutates(norm, 5, i), i == 1 || i == 2, "input %d", i);
        cr_expect_eq(op_may_lack(norm, 5, i), i > 0, "input %d", i);
    }
    cr_expect(op_may_lack(lerp, 3, 2) && !op_may_lack(lerp, 3, 1) && !op_may_lack(lerp, 3, 3));
    cr_expect(op_written_input(out) == 2 && op_written_input(lerp) == 0);
    cr_expect(op_written_input(op_find("matmul")) == -1 && !op_writes(op_find("matmul")));
    cr_expect(op_writes(norm) && op_written_input(norm) == 1);
}

Test(operands, indices_come_as_one_tensor_or_as_two)
{
    const struct op *coo = op_find("sparse_addmm"), *csr = op_find("sampled_addmm"), *none = op_find("add_");
    cr_expect(op_is_coo(coo, 4, 1) && !op_is_csr(coo, 4, 1) && !op_is_coo(coo, 4, 0));
    cr_expect(op_is_csr(csr, 5, 0) && !op_is_csr(csr, 5, 1) && !op_is_coo(csr, 5, 0) &&
              !op_is_coo(csr, 5, 1));
    cr_expect(op_is_indices(csr, 5, 0) && op_is_indices(csr, 5, 1) && !op_is_indices(csr, 5, 2));
    cr_expect(op_has_indices(coo) && op_has_indices(csr) && !op_has_indices(none));
    cr_expect(op_first_indices(coo) == 1 && op_first_indices(csr) == 0 && op_first_indices(none) == -1);
    cr_expect(op_leading_input(coo) == 0 && op_leading_input(csr) == 2 && op_leading_input(none) == 0);
    cr_expect(op_input_named(csr, "mat2") == 4 && op_input_named(csr, "mat3") == -1);
}

Test(operands, they_are_reported_by_name)
{
    static const struct {
        const char *op, *text;
    } rows[] = {{"matmul", "input, other"},
                {"linear", "input, weight, [bias]"},
                {"amp_unscale", "grad, …, found_inf, inv_scale"},
                {"grad_scaler", "param, grad, …, scale, growth_tracker"}};
    char text[64];
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        op_print_operands(op_find(rows[r].op), text, sizeof text);
        cr_expect_str_eq(text, rows[r].text);
    }
    op_print_operands(op_find("linear"), text, 10);
    cr_expect_str_eq(text, "input, we");
}

/* Which elements have a NaN among their operands: of element-wise operators alone. */
Test(operands, element_wise_is_what_the_operator_says)
{
    const double x[] = {1, NAN, 3, 4}, column[] = {5, INFINITY};
    struct shape square = shape_of(2, (int64_t)2, (int64_t)2), tall = shape_of(2, (int64_t)2, (int64_t)1);
    struct tensor whole[] = {tensor_from(DTYPE_FLOAT32, square, x), tensor_from(DTYPE_FLOAT32, tall, column)};
    struct truth *sign = truth_of_call("sgn", NULL, 1, whole), *sum = truth_of_call("add_", NULL, 2, whole),
                 *norm = truth_of_call("matrix_norm", NULL, 1, whole);
    for (int i = 0; i < 4; i++) {
        cr_expect_eq(sign->output[0].value[i].special_input, i == 1, "%d", i);
        cr_expect_eq(sum->output[0].value[i].special_input, i > 0, "%d", i);
    }
    cr_expect_not(norm->output[0].value[0].special_input);
    cr_expect(op_find("square")->elementwise && !op_find("matmul")->elementwise);
    truth_destroy(&sign);
    truth_destroy(&sum);
    truth_destroy(&norm);
    tensor_destroy(&whole[0]);
    tensor_destroy(&whole[1]);
}

/* Of all that are there: one name for each, those that are repeated side by side. */
Test(operands, every_declaration_is_sound)
{
    for (int o = 0; o < op_count(); o++) {
        const struct op *op = op_at(o);
        int rows = 0, groups = 0;
        while (rows < OPERANDS_MAX && op->operands[rows].name) {
            const struct op_operand *row = &op->operands[rows];
            bool variadic = row->role & OPERAND_VARIADIC;
            groups += variadic && (rows == 0 || !(row[-1].role & OPERAND_VARIADIC));
            cr_expect(row->name[0] && op_input_named(op, row->name) == rows, "%s: two are named %s", op->name,
                      row->name);
            cr_expect_not(variadic && (row->role & OPERAND_OPTIONAL), "%s: %s", op->name, row->name);
            cr_expect_leq(strlen(row->name), NAME_MOST, "%s: %s", op->name, row->name);
            rows++;
        }
        cr_expect(rows > 0 && groups <= 1, "%s", op->name);
        cr_expect(op_inputs_min(op) > 0 && op_inputs_min(op) <= op_inputs_max(op), "%s", op->name);
        cr_expect_leq(op_inputs_max(op), OPERANDS_MAX, "%s", op->name);
        cr_expect_leq(strlen(op->name), NAME_MOST, "%s", op->name);
    }
}
