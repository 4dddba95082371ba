/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "suites/wild.h"

#include "suites/suite.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

static struct program *built(const struct suite_list *list, const char *id, uint64_t seed)
{
    struct error error = {.text = ""};
    int index = suite_list_find(list, id);
    cr_assert_geq(index, 0, "%s", id);
    struct program *program = suite_build(suite_list_at(list, index), seed, &error);
    cr_assert_not_null(program, "%s: %s", id, error.text);
    return program;
}

static void digest_of(const struct suite_list *list, const char *id, uint64_t seed, char hex[33])
{
    struct program *program = built(list, id, seed);
    program_digest(program, hex);
    program_destroy(&program);
}

Test(wild, inputs_follow_from_the_seed_and_are_others)
{
    struct suite_list *list = suite_list_create();
    char plain[33], one[33], again[33], other[33];
    static const char id[] = "loss/cross_entropy/float32/mean-weights-zero";
    digest_of(list, id, 1, plain);
    digest_of(list, id, WILD_SEED | 1, one);
    digest_of(list, id, WILD_SEED | 1, again);
    digest_of(list, id, WILD_SEED | 2, other);
    cr_expect_str_eq(one, again);
    cr_expect_str_neq(one, plain);
    cr_expect_str_neq(one, other);
    suite_list_destroy(&list);
}

/* Integers, refusals and chains stay as they are; replaced operands are no longer declared random. */
Test(wild, what_stays)
{
    static const char *const same[] = {"inplace/add_/float32/refuse-own-transpose",
                                       "conversion/clone/int64/transposed-block",
                                       "reduction/argmax/int64/length-1"};
    struct suite_list *list = suite_list_create();
    for (size_t k = 0; k < sizeof same / sizeof *same; k++) {
        char plain[33], wild[33];
        struct philox generator;
        struct program *program = built(list, same[k], 1);
        philox_start(&generator, 1);
        program_digest(program, plain);
        cr_assert(wild_program(program, &generator));
        program_digest(program, wild);
        program_destroy(&program);
        cr_expect_str_eq(plain, wild, "%s", same[k]);
    }
    struct program *program = built(list, "sparse/csr_mm/float32/random-9x7", WILD_SEED | 1);
    cr_expect_not(program_step_is_random(program, 0));
    program_destroy(&program);
    suite_list_destroy(&list);
}

static float number_at(const struct program *program, const struct view *view, int64_t i)
{
    float x;
    memcpy(&x, program->storage[view->storage].data + view_element(view, i) * (int64_t)sizeof x, sizeof x);
    return x;
}

/* A floating target of classes gets probabilities. */
Test(wild, targets_are_probabilities)
{
    struct suite_list *list = suite_list_create();
    int64_t least = 0, one = 0, between = 0;
    for (uint64_t seed = 0; seed < 20; seed++) {
        struct program *program = built(list, "loss/cross_entropy/float32/shares-none", WILD_SEED | seed);
        const struct view *target = &program->step[0].input[1];
        for (int64_t i = 0; i < shape_elements(&target->shape); i++) {
            const float p = number_at(program, target, i);
            cr_assert(p >= 0 && p <= 1, "%g", (double)p);
            least += p < 1e-36F;
            one += p == 1;
            between += p > 0.1F && p < 1;
        }
        program_destroy(&program);
    }
    cr_expect(least > 0 && one > 0 && between > 0);
    suite_list_destroy(&list);
}

/* Every manner occurs: special values, both ends of the range, ordinary numbers. */
Test(wild, the_whole_range)
{
    struct suite_list *list = suite_list_create();
    int64_t nan = 0, infinite = 0, tiny = 0, huge = 0, ordinary = 0;
    for (uint64_t seed = 0; seed < 20; seed++) {
        struct program *program = built(list, "elementwise/exp/float32/ordinary", WILD_SEED | seed);
        const struct view *view = &program->step[0].input[0];
        for (int64_t i = 0; i < shape_elements(&view->shape); i++) {
            const float x = number_at(program, view, i);
            nan += isnan(x);
            infinite += isinf(x) != 0;
            tiny += fabsf(x) < 1e-36F;
            huge += fabsf(x) > 1e36F;
            ordinary += fabsf(x) > 0.01F && fabsf(x) < 100;
        }
        program_destroy(&program);
    }
    cr_expect(nan > 0 && infinite > 0 && tiny > 0 && huge > 0 && ordinary > 0, "%d %d %d %d %d", (int)nan,
              (int)infinite, (int)tiny, (int)huge, (int)ordinary);
    suite_list_destroy(&list);
}
