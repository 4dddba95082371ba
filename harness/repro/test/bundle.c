/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/exec/greeting.h"
#include "harness/formats/npy.h"
#include "harness/formats/npy_pack.h"
#include "harness/repro/repro.h"
#include "harness/repro/repro_parts.h"
#include "harness/shrink/problem.h"
#include "harness/test/trial.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

/* Tests that bundles keep everything bit by bit. For bundles from elsewhere see bundle_foreign.c. */

TestSuite(bundle, .init = trial_begin, .fini = trial_end, .timeout = 120);

static void digest_of(const struct problem *problem, char digest[33])
{
    struct program *program = program_create();
    struct error error = {.text = ""};
    cr_assert(problem_place(problem->op, &problem->attributes, &problem->inputs, program, &error), "%s",
              error.text);
    program_digest(program, digest);
    program_destroy(&program);
}

/* Clears members of an attribute that its type does not use, because they enter the digest. */
static void clean(struct attributes *attributes)
{
    for (int a = 0; a < attributes->count; a++) {
        struct attribute *of = &attributes->item[a], kept = *of;
        bool real = kept.type == ATTRIBUTE_REAL, list = kept.type == ATTRIBUTE_INTEGERS;
        *of = (struct attribute){.name = kept.name, .type = kept.type};
        of->word = kept.word;
        of->real = real ? kept.real : 0;
        of->integer = real || list ? 0 : kept.integer;
        of->integers = list ? kept.integers : of->integers;
    }
}

static void round_trip(const char *id, struct problem *problem)
{
    static struct repro repro;
    struct error error = {.text = ""};
    clean(&problem->attributes);
    struct bundle out = {.problem = *problem}, in;
    char before[33], after[33];
    repro.op = problem->op;
    repro.attributes = problem->attributes;
    repro.inputs = problem->inputs;
    repro.setup = (struct worker_setup){.backend = "cpu", .seed = 1, .repeat = 2};
    json_t *answer = json_pack("{s:s, s:s}", "status", "pass", "diagnosis", "");
    out.json = repro_keep_manifest(&repro, NULL, answer);
    cr_assert_not_null(out.json, "%s", id);
    cr_assert(bundle_write(&out, trial_path("x.zip"), &error), "%s: %s", id, error.text);
    cr_assert(bundle_read(trial_path("x.zip"), &in, &error), "%s: %s", id, error.text);
    digest_of(problem, before);
    digest_of(&in.problem, after);
    cr_expect_str_eq(before, after, "%s", id);
    cr_expect_eq(in.problem.inputs.exact, problem->inputs.exact, "%s", id);
    for (int i = 0; i < problem->inputs.inputs; i++) {
        cr_expect_eq(in.problem.inputs.layout[i].origin, problem->inputs.layout[i].origin, "%s", id);
    }
    bundle_clear(&in);
    json_decref(out.json);
    json_decref(answer);
}

/* Covers every operator, dtype, layout and kind of shared memory in the suite. */
Test(bundle, every_call_of_the_suite_comes_back)
{
    int count = 0;
    for (int i = 0; i < suite_list_count(trial->list); i++) {
        const struct suite_case *c = suite_list_at(trial->list, i);
        struct error error = {.text = ""};
        struct problem problem;
        if (c->level != LEVEL_SMOKE || c->procedure) {
            continue;
        }
        struct program *program = suite_build(c, 1, &error);
        cr_assert_not_null(program);
        if (problem_of_program(&problem, program, &error)) {
            round_trip(suite_list_id(trial->list, i), &problem);
            count++;
        }
        problem_clear(&problem);
        program_destroy(&program);
    }
    cr_expect_gt(count, 1500);
}

Test(bundle, a_case_is_replayed)
{
    static const char *const ids[] = {
        "inplace/add_/float32/self-transposed", "inplace/add_/float32/self-alias",
        "norm/vector_norm/bfloat16/*",          "elementwise/sgn/complex64/*",
        "inplace/masked_fill_/float16/*",       "sparse/csr_mm/float32/*"};
    for (size_t k = 0; k < sizeof ids / sizeof *ids; k++) {
        const char *const backends[] = {"cpu", "faulty"}; /* the second: from the recorded results alone */
        for (int b = 0; b < 2; b++) {
            trial_run("repro %s --backend %s --bundle FOLDER/b.zip", trial_id(ids[k], 0), backends[b]);
            cr_expect_eq(trial->status, 0, "%s: %s", ids[k], trial->output);
            trial_run("repro FOLDER/b.zip");
            cr_expect_eq(trial->status, 0, "%s: %s", ids[k], trial->output);
            cr_expect(strstr(trial->output, "no failure, as recorded"), "%s: %s", ids[k], trial->output);
            cr_expect(strstr(trial->output, "the truth is the bundle's"), "%s: %s", ids[k], trial->output);
        }
    }
}

/* Compares with numpy.save of numpy.zeros((2, 3), "float32"), and of a vector. */
Test(bundle, arrays_are_files_of_numpy)
{
    static const float x[6] = {1, 2, 3, 4, 5, 6};
    const struct shape shape = shape_of(2, (int64_t)2, (int64_t)3), six = shape_of(1, (int64_t)6);
    struct tensor tensor;
    struct error error = {.text = ""};
    size_t length;
    unsigned char *file = npy_pack(npy_descr(DTYPE_FLOAT32), &shape, x, sizeof x, &length);
    cr_assert_eq(length, 128 + sizeof x);
    cr_expect_eq(memcmp(file,
                        "\x93NUMPY\x01\x00v\x00{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }",
                        10 + 59),
                 0);
    FILE *to = fopen(trial_path("x.npy"), "wb");
    cr_assert_eq(fwrite(file, 1, length, to), length);
    cr_assert_eq(fclose(to), 0);
    cr_assert(npy_read(trial_path("x.npy"), &tensor, &error), "%s", error.text);
    cr_expect_eq(memcmp(tensor.data, x, sizeof x), 0);
    cr_expect_eq(npy_unpack("<f4", &shape, sizeof x, file, length, &error), 128);
    cr_expect_eq(npy_unpack("<f4", &six, sizeof x, file, length, &error), 0);
    cr_expect_eq(npy_unpack("<f4", &shape, sizeof x, file, length - 1, &error), 0);
    tensor_destroy(&tensor);
    free(file);
}

Test(bundle, a_profile_comes_back)
{
    const struct op *op = op_find("matmul");
    static const char *const names[] = {"sgn", "matmul", NULL}, *const others[] = {"sgn", NULL};
    static const struct operator_summation orders[] = {{"matmul", {SUMMATION_BLOCKED, 32}}, {NULL, {0, 0}}};
    struct profile p = profile_ieee();
    p.rounding[DTYPE_FLOAT16] = ROUNDING_OPEN;
    p.subnormals[DTYPE_FLOAT32] = SUBNORMALS_MAY_FLUSH;
    p.special_values[DTYPE_BFLOAT16] = false;
    p.accumulate[DTYPE_FLOAT16] = DTYPE_FLOAT32;
    p.primitives = PRIMITIVES_OPENCL;
    p.sgn_nan[DTYPE_FLOAT32] = SGN_NAN_IS_ZERO;
    p.sgn_zero[DTYPE_FLOAT64] = SGN_ZERO_OPEN;
    p.invariance = INVARIANCE_BOUND;
    p.refusals = REFUSALS_OPEN;
    p.attributes_float32 = p.conversions_via_float32 = true;
    p.nondeterministic = others;
    p.matrix_units = p.naive_range = p.documented = names;
    p.summations = orders;
    struct exec_hello hello = {.operators = 1, .operator= calloc(1, sizeof *hello.operator)};
    struct error error = {.text = ""};
    hello.operator[0] =(struct exec_operator){op, ~0U};
    json_t *json = greeting_profile_put(&p, op);
    cr_assert(greeting_profile(json, &hello, &error), "%s", error.text);
    struct profile *q = &hello.profile;
    cr_expect_eq(memcmp(p.rounding, q->rounding, sizeof p.rounding), 0);
    cr_expect_eq(memcmp(p.subnormals, q->subnormals, sizeof p.subnormals), 0);
    cr_expect_eq(memcmp(p.special_values, q->special_values, sizeof p.special_values), 0);
    cr_expect_eq(memcmp(p.accumulate, q->accumulate, sizeof p.accumulate), 0);
    cr_expect_eq(memcmp(p.sgn_nan, q->sgn_nan, sizeof p.sgn_nan), 0);
    cr_expect_eq(memcmp(p.sgn_zero, q->sgn_zero, sizeof p.sgn_zero), 0);
    cr_expect(p.primitives == q->primitives && p.invariance == q->invariance && p.refusals == q->refusals &&
              q->attributes_float32 && q->conversions_via_float32);
    cr_expect_not(profile_is_nondeterministic(q, "matmul"));
    cr_expect(profile_of_operator(q, "matmul").matrix_unit);
    cr_expect_eq(profile_of_operator(q, "matmul").range, RANGE_NAIVE);
    cr_expect(profile_of_operator(q, "matmul").documented_form);
    cr_expect_not(profile_of_operator(q, "sgn").documented_form);
    cr_expect_eq(profile_summation(q, "matmul").kind, SUMMATION_BLOCKED);
    cr_expect_eq(profile_summation(q, "matmul").size, 32);
    json_decref(json);
    exec_hello_clear(&hello);
}
