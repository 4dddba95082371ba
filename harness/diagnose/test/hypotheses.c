/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/diagnose/hypotheses.h"
#include "harness/diagnose/test/planted.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

/* The search without the program: what explains a result, what is too wide to explain it, and what is said of
 * equals. */

static struct truth *truth;
static struct tensor input[2], got, before;
static struct attributes attributes;
static struct op_call call;
static struct profile profile;

static void fill(struct tensor *tensor, const struct shape *shape, const double *x)
{
    cr_assert(tensor_create(tensor, DTYPE_FLOAT32, shape));
    for (int64_t k = 0; x && k < shape_elements(shape); k++) {
        dtype_store(DTYPE_FLOAT32, tensor->data + 4 * k, x[k]);
    }
}

/* Of the operands as given; the answer is the plant's. */
static struct hypothesis_case question(const char *op, const struct shape *shape)
{
    struct op_signature signature = {.outputs = 1, .output = {{DTYPE_FLOAT32, *shape}}};
    struct error error = {.text = ""};
    call = (struct op_call){
        .op = op_find(op), .attributes = &attributes, .inputs = given.inputs, .input = input};
    profile = profile_ieee();
    for (int i = 0; i < given.inputs; i++) {
        fill(&input[i], &given.in[i].shape, given.in[i].x);
    }
    fill(&got, shape, plant.got);
    fill(&before, shape, NULL);
    memset(before.data, 0xFF, tensor_bytes(&before));
    truth = op_truth(&call, &signature, &error);
    cr_assert_not_null(truth, "%s", error.text);
    return (struct hypothesis_case){
        .call = &call, .truth = truth, .profile = &profile, .got = &got, .before = &before};
}

static void begin(void)
{
    memset(&plant, 0, sizeof plant);
    plant.dtype = DTYPE_FLOAT32;
}

static void end(void)
{
    truth_destroy(&truth);
    tensor_destroy(&input[0]);
    tensor_destroy(&input[1]);
    tensor_destroy(&got);
    tensor_destroy(&before);
}

TestSuite(hypotheses, .init = begin, .fini = end);

static const struct shape product = {.rank = 2, .dim = {M, N}}, scalar = {.rank = 0};

Test(hypotheses, nothing_is_wrong_with_a_right_result)
{
    struct hypothesis best;
    given_product(1);
    plant_keep();
    right_matmul();
    const struct hypothesis_case of = question("matmul", &product);
    cr_assert(hypotheses_explain(&of, &best));
    cr_assert(!best.wrong && !best.name[0] && !best.cut);
}

/* N(0,1) leaves float16's range hardly ever: its 11 bits are TF32's. */
Test(hypotheses, equals_are_named_as_well)
{
    struct hypothesis best;
    plant_fault_tf32_matmul();
    const struct hypothesis_case of = question("matmul", &product);
    cr_assert(hypotheses_explain(&of, &best));
    cr_assert_str_eq(best.name, "operands-tf32");
    cr_assert(strstr(best.also, "operands-float16"), "%s", best.also);
    cr_assert(best.wrong && best.t <= 1);
}

Test(hypotheses, time_ends_the_search)
{
    struct hypothesis best;
    plant_fault_tf32_matmul();
    struct hypothesis_case of = question("matmul", &product);
    of.seconds = 1e-9;
    cr_assert(hypotheses_explain(&of, &best));
    cr_assert(best.wrong && best.cut && !best.name[0]);
}

/* Numerically singular: the limits admit any smaller logarithm, so that none needs a cause. */
Test(hypotheses, what_nothing_refuses_needs_no_cause)
{
    struct hypothesis best;
    plant_fault_hilbert_9();
    plant.got[0] *= 2;
    const struct hypothesis_case of = question("logdet", &scalar);
    cr_assert(hypotheses_explain(&of, &best));
    cr_assert(!best.wrong && !best.name[0]);
}

/* Numbers a little beyond their limits: scaled a little they would be within, which is no evidence of a
 * factor. */
Test(hypotheses, what_is_hardly_outside_is_not_explained)
{
    struct hypothesis best;
    given_rows(1, 0);
    plant_keep();
    plant_norm(&plant, 6, 128, 2);
    struct attribute dim = {.name = "dim", .type = ATTRIBUTE_INTEGERS, .integers = {.count = 1, .item = {1}}};
    attributes = (struct attributes){.count = 1, .item = {dim}};
    const struct shape norms = shape_of(1, (int64_t)6);
    struct hypothesis_case of = question("vector_norm", &norms);
    double limit = 0;
    for (int64_t k = 0; k < 6; k++) {
        struct bound_query query = {
            .op = call.op, .profile = &profile, .attributes = &attributes, .truth = truth, .element = k};
        struct envelope_limit envelope;
        op_envelope(&query, &envelope);
        cr_assert(envelope.known);
        limit = envelope_limit_reach(&envelope);
        dtype_store(DTYPE_FLOAT32, got.data + 4 * k, plant.got[k] + 1.3 * limit);
    }
    cr_assert(hypotheses_explain(&of, &best));
    attributes.count = 0;
    cr_assert(best.wrong);
    cr_assert(!best.name[0], "%s: %s", best.name, best.text);
}

/* x·y of two matrices of which `strided` is shown by its columns, and read as if it were not. */
static void check_strides(int strided, int64_t offset)
{
    enum { SIDE = 8 };
    const struct shape square = shape_of(2, (int64_t)SIDE, (int64_t)SIDE);
    struct program *program = program_create();
    struct program_truth of = {.steps = 0};
    struct images images;
    struct error error = {.text = ""};
    struct hypothesis best;
    struct view view[2];
    double right[2][SIDE * SIDE];
    cr_assert(program);
    given_product(1);
    for (int i = 0; i < 2; i++) {
        const struct shape whole = shape_of(1, SIDE * SIDE + offset);
        view[i] = program_input(program, DTYPE_FLOAT32, &whole);
        for (int64_t k = 0; k < SIDE * SIDE + offset; k++) {
            program_set(program, &view[i], k, 0, plant.in[i].x[k]);
        }
        memcpy(right[i], plant.in[i].x + offset, sizeof right[i]); /* as it is read */
        view[i].shape = square;
        view[i].offset = offset;
        view[i].stride[0] = i == strided ? 1 : SIDE;
        view[i].stride[1] = i == strided ? SIDE : 1;
    }
    attributes = (struct attributes){.count = 0};
    const struct step *step = program_step(program, op_find("matmul"), &attributes, 2, view);
    cr_assert(step && step->expect == EXPECT_VALUE);
    int storage = step->output[0].storage;
    profile = profile_ieee();
    cr_assert(program_truth_compute(program, NULL, &of, &error), "%s", error.text);
    cr_assert(images_create(&images, program));
    images_fill(&images, program, 0);
    for (int64_t k = 0; k < SIDE * SIDE; k++) {
        double sum = 0;
        for (int64_t l = 0; l < SIDE; l++) {
            sum += right[0][k / SIDE * SIDE + l] * right[1][l * SIDE + k % SIDE];
        }
        dtype_store(DTYPE_FLOAT32, images.image[storage] + BACKEND_GUARD + 4 * k, sum);
    }
    cr_assert(hypotheses_of_program(program, &of, &images, &profile, 0, NULL, NULL, &best));
    cr_expect_str_eq(best.name, "layout", "operand %d: %s", strided, best.name);
    cr_expect(strstr(best.text, "strides are ignored"), "%s", best.text);
    images_destroy(&images);
    program_truth_destroy(&of);
    program_destroy(&program);
}

Test(hypotheses, strides_that_are_ignored_are_named)
{
    check_strides(0, 0);
    check_strides(1, 0);
    check_strides(1, 3);
}
