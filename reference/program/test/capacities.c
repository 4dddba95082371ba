/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Tests capacities: all of the room is usable, and a request that exceeds it is refused with the name of the
 * limit. */
#include "reference/operator/ziv.h"
#include "reference/program/program.h"
#include "reference/test/support.h"

/* `inputs` operands of two numbers, the last `scalars` of them of one. */
static void operands_of(struct program *program, struct view input[], int inputs, int scalars)
{
    struct shape two = shape_of(1, (int64_t)2), one = shape_of(1, (int64_t)1);
    for (int i = 0; i < inputs; i++) {
        input[i] = program_input(program, DTYPE_FLOAT32, i < inputs - scalars ? &two : &one);
        program_set(program, &input[i], 0, 0, i + 1);
    }
}

Test(capacities, a_call_of_32_operands_is_judged_whole)
{
    struct program *program = program_create();
    struct view input[OPERANDS_MAX], judged[TRUTH_OUTPUTS_MAX];
    struct program_truth truth;
    struct error error = {.text = ""};
    operands_of(program, input, OPERANDS_MAX, 2);
    struct step *step = program_step(program, op_find("amp_unscale"), NULL, OPERANDS_MAX, input);
    cr_assert(step && step->expect == EXPECT_VALUE);
    cr_expect_eq(step_judged(step, judged), OPERANDS_MAX - 1);
    cr_assert(program_truth_compute(program, NULL, &truth, &error), "%s", error.text);
    cr_expect_eq(truth.truth[0]->outputs, OPERANDS_MAX - 1);
    for (int g = 0; g < OPERANDS_MAX - 2; g++) { /* times 32, the last of them */
        cr_expect_eq(truth.truth[0]->output[g].value[0].hi, 32 * (g + 1));
    }
    size_t size, again;
    unsigned char *bytes = truth_serialize(truth.truth[0], &size);
    struct truth *back = truth_deserialize(bytes, size);
    cr_assert_not_null(back);
    unsigned char *bytes_again = truth_serialize(back, &again);
    cr_expect(size == again && memcmp(bytes, bytes_again, size) == 0);
    free(bytes);
    free(bytes_again);
    truth_destroy(&back);
    program_truth_destroy(&truth);
    program_destroy(&program);
}

Test(capacities, more_operands_are_refused)
{
    struct program *program = program_create();
    struct view input[OPERANDS_MAX + 1];
    struct op_signature signature;
    struct error error = {.text = ""};
    operands_of(program, input, OPERANDS_MAX + 1, 2);
    const struct op_operands operands = {.inputs = OPERANDS_MAX + 1, .input = input};
    cr_expect_not(op_signature(op_find("amp_unscale"), &operands, &signature, &error));
    cr_expect_str_eq(error.text, "amp_unscale: 33 inputs, at most 32 are taken (OPERANDS_MAX)");
    cr_expect_null(program_step(program, op_find("amp_unscale"), NULL, OPERANDS_MAX + 1, input));
    cr_expect_eq(program->steps, 0);
    program_destroy(&program);
}

static bool three_outputs(const struct op *op, const struct op_operands *operands, struct op_signature *out,
                          struct error *reason)
{
    (void)op, (void)operands, (void)reason;
    *out = (struct op_signature){.outputs = 3};
    return true;
}

Test(capacities, more_judged_tensors_are_refused)
{
    static const struct op op = {
        .name = "many", .operands = {{"x", OPERAND_MUTATED | OPERAND_VARIADIC}}, .signature = three_outputs};
    struct program *program = program_create();
    struct view input[OPERANDS_MAX];
    struct op_signature signature;
    struct error error = {.text = ""};
    operands_of(program, input, OPERANDS_MAX, 0);
    struct op_operands operands = {.inputs = TRUTH_OUTPUTS_MAX - 3, .input = input};
    cr_expect(op_signature(&op, &operands, &signature, &error), "%s", error.text);
    operands.inputs++;
    cr_expect_not(op_signature(&op, &operands, &signature, &error));
    cr_expect_str_eq(error.text, "many: 33 tensors to judge, at most 32 are (TRUTH_OUTPUTS_MAX)");
    input[0].storage = -1; /* an absent one is not judged */
    cr_expect(op_signature(&op, &operands, &signature, &error), "%s", error.text);
    program_destroy(&program);
}

/* The longest that an int64 makes: all of it, to the bracket. */
Test(capacities, every_shape_and_list_can_be_printed)
{
    struct shape shape = {.rank = RANK_MAX};
    struct integers list = {.count = INTEGERS_MAX};
    char text[INTEGERS_TEXT];
    for (int k = 0; k < INTEGERS_MAX; k++) {
        list.item[k] = shape.dim[k % RANK_MAX] = INT64_MIN;
    }
    shape_print(&shape, text, SHAPE_TEXT);
    cr_expect_eq(strlen(text), RANK_MAX * strlen("-9223372036854775808, "));
    cr_expect_eq(text[strlen(text) - 1], ']');
    numbers_print(list.item, list.count, text, INTEGERS_TEXT);
    cr_expect_eq(strlen(text), INTEGERS_MAX * strlen("-9223372036854775808, "));
    cr_expect_eq(text[strlen(text) - 1], ']');
}

/* Elements stay where they are, in their order, whatever is joined. */
static void same_elements(const struct view *a, const struct view *b)
{
    int64_t count = shape_elements(&a->shape);
    cr_assert_eq(shape_elements(&b->shape), count);
    for (int64_t i = 0; i < count; i++) {
        cr_assert_eq(view_element(a, i), view_element(b, i), "element %d", (int)i);
    }
}

Test(capacities, dimensions_are_joined_where_strides_allow)
{
    struct shape shape = shape_of(8, (int64_t)2, (int64_t)1, (int64_t)3, (int64_t)2, (int64_t)2, (int64_t)1,
                                  (int64_t)2, (int64_t)3);
    struct view whole = view_contiguous(0, DTYPE_FLOAT32, &shape), view = whole;
    int place[RANK_MAX];
    views_collapse(1, (struct view *const[]){&view}, 0, place);
    cr_expect_eq(view.shape.rank, 1);
    same_elements(&whole, &view);
    view = whole;
    views_collapse(1, (struct view *const[]){&view}, 1U << 3 | 1U << 7, place);
    cr_expect(view.shape.rank == 3 && view.shape.dim[0] == 6 && view.shape.dim[1] == 8 &&
              view.shape.dim[2] == 3);
    cr_expect(place[2] == 0 && place[3] == 1 && place[6] == 1 && place[7] == 2);
    same_elements(&whole, &view);
    struct view turned = whole; /* the first and the last exchanged, a step over the middle, one reversed */
    turned.shape.dim[0] = 3, turned.stride[0] = 1;
    turned.shape.dim[7] = 2, turned.stride[7] = whole.stride[0];
    turned.offset = 100, turned.stride[3] = -turned.stride[3];
    view = turned;
    views_collapse(1, (struct view *const[]){&view}, 0, NULL);
    cr_expect_eq(view.shape.rank, 5, "%d", view.shape.rank);
    same_elements(&turned, &view);
    struct view wide = whole; /* one row of two shown three times */
    wide.stride[0] = wide.stride[2] = 0;
    view = wide;
    views_collapse(1, (struct view *const[]){&view}, 0, NULL);
    cr_expect_eq(view.shape.rank, 2);
    same_elements(&wide, &view);
}

/* What one of them does not allow, none does; an empty one allows it all. */
Test(capacities, views_are_joined_together)
{
    struct shape shape = shape_of(3, (int64_t)2, (int64_t)3, (int64_t)4),
                 empty = shape_of(3, (int64_t)2, (int64_t)0, (int64_t)4);
    struct view whole = view_contiguous(0, DTYPE_FLOAT32, &shape), a = whole, b = whole;
    b.stride[0] = 0;
    views_collapse(2, (struct view *const[]){&a, &b}, 0, NULL);
    cr_expect(a.shape.rank == 2 && a.shape.dim[1] == 12 && b.shape.rank == 2 && b.stride[0] == 0);
    same_elements(&whole, &a);
    a = view_contiguous(0, DTYPE_FLOAT32, &empty);
    views_collapse(1, (struct view *const[]){&a}, 0, NULL);
    cr_expect(a.shape.rank == 1 && a.shape.dim[0] == 0);
}

static void enclose_points(void *user, mpfr_prec_t precision, mpfi_t out[])
{
    const int *count = user;
    (void)precision;
    for (int i = 0; i < *count; i++) {
        mpfi_set_si(out[i], i);
    }
}

Test(capacities, more_enclosures_are_refused)
{
    int count = ZIV_TOGETHER_MAX, bits = 1000;
    struct ziv ziv = {.enclose = enclose_points, .user = &count, .count = count};
    struct value value[ZIV_TOGETHER_MAX + 1];
    struct error error = {.text = ""};
    cr_assert(ziv_refine(&ziv, value, &bits, &error), "%s", error.text);
    cr_expect_eq(value[7].hi, 7);
    ziv.count = ++count;
    cr_expect_not(ziv_refine(&ziv, value, &bits, &error));
    cr_expect(strstr(error.text, "at most 8 can (ZIV_TOGETHER_MAX)"), "%s", error.text);
}
