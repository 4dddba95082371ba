/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Cached verdicts: what distinguishes requests and answers, and that a case gets the same record with and
 * without the cache. */
#include "harness/cache/verdict_cache.h"
#include "harness/judge/test/cpu_case.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char folder[] = "/tmp/assay-verdict-XXXXXX";

static void begin(void)
{
    cr_assert(mkdtemp(folder));
}

static void end(void)
{
    char command[64];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    cr_expect_eq(system(command), 0);
}

TestSuite(verdict_query, .init = begin, .fini = end);

/* --- questions */

static const char inputs[] = "00112233445566778899aabbccddeeff";

static void expect_another(const struct profile *profile, const char *before, const char *what)
{
    char hex[33];
    question_digest(&(struct question){"a/b/c/d", 1, 2, inputs, profile}, hex);
    cr_expect_str_neq(hex, before, "%s", what);
}

/* All bytes of a profile that are no pointer and no padding count: each member distinguishes requests. */
Test(verdict_query, every_member_of_a_profile_is_asked)
{
    struct profile p = profile_ieee();
    char hex[33];
    question_digest(&(struct question){"a/b/c/d", 1, 2, inputs, &p}, hex);
#define OTHER(member, value)                                                                                 \
    {                                                                                                        \
        struct profile q = p;                                                                                \
        q.member = value;                                                                                    \
        expect_another(&q, hex, #member);                                                                    \
    }
    for (int d = 0; d < DTYPE_COUNT; d++) {
        OTHER(rounding[d], p.rounding[d] == ROUNDING_RTE ? ROUNDING_OPEN : ROUNDING_RTE)
        OTHER(subnormals[d], p.subnormals[d] == SUBNORMALS_KEPT ? SUBNORMALS_MAY_FLUSH : SUBNORMALS_KEPT)
        OTHER(special_values[d], !p.special_values[d])
        OTHER(accumulate[d], (enum dtype)(p.accumulate[d] + 1))
        OTHER(attention_probabilities[d], (enum dtype)(p.attention_probabilities[d] + 1))
        OTHER(sgn_nan[d], p.sgn_nan[d] == SGN_NAN_IS_NAN ? SGN_NAN_IS_ZERO : SGN_NAN_IS_NAN)
        OTHER(sgn_zero[d], p.sgn_zero[d] == SGN_ZERO_OPEN ? SGN_ZERO_KEPT : SGN_ZERO_OPEN)
    }
    OTHER(summation, SUMMATION_PAIRWISE)
    OTHER(summation_size, 77)
    OTHER(primitives, (enum primitives)(p.primitives + 1))
    OTHER(invariance, p.invariance == INVARIANCE_BITS ? INVARIANCE_BOUND : INVARIANCE_BITS)
    OTHER(range, p.range == RANGE_SAFE ? RANGE_NAIVE : RANGE_SAFE)
    OTHER(documented_form, !p.documented_form)
    OTHER(refusals, p.refusals == REFUSALS_PYTORCH ? REFUSALS_OPEN : REFUSALS_PYTORCH)
    OTHER(slogdet_nan_sign,
          p.slogdet_nan_sign == SLOGDET_NAN_SIGN_NAN ? SLOGDET_NAN_SIGN_NUMBER : SLOGDET_NAN_SIGN_NAN)
    OTHER(attention_empty_row, ATTENTION_EMPTY_ROW_NAN)
    OTHER(ties, p.ties == TIES_ANY ? TIES_FIRST : TIES_ANY)
    OTHER(padding, p.padding == PADDING_ZEROS ? PADDING_SKIPPED : PADDING_ZEROS)
    OTHER(attributes_float32, !p.attributes_float32)
    OTHER(matrix_unit, !p.matrix_unit)
    OTHER(conversions_via_float32, !p.conversions_via_float32)
}

Test(verdict_query, every_list_of_a_profile_is_asked)
{
    struct profile p = profile_ieee();
    char hex[33], first[33], second[33];
    question_digest(&(struct question){"a/b/c/d", 1, 2, inputs, &p}, hex);
    static const char *const names[] = {"sum", NULL};
    OTHER(nondeterministic, names)
    OTHER(accumulate_own, names)
    OTHER(matrix_units, names)
    OTHER(naive_range, names)
    OTHER(documented, names)
    static const struct operator_summation sums[] = {{"sum", {SUMMATION_BLOCKED, 8}}, {NULL, {0}}},
                                           longer[] = {{"sum", {SUMMATION_BLOCKED, 16}}, {NULL, {0}}};
    static const struct operator_algorithm fast[] = {{"matmul", 64, 0}, {NULL, 0, 0}};
    OTHER(summations, sums)
    OTHER(algorithms, fast)
    struct profile q = p, r = p;
    q.summations = sums;
    r.summations = longer;
    question_digest(&(struct question){"a/b/c/d", 1, 2, inputs, &q}, first);
    question_digest(&(struct question){"a/b/c/d", 1, 2, inputs, &r}, second);
    cr_expect_str_neq(first, second);
    q = r = p; /* the same name in one list or in the next */
    q.nondeterministic = names;
    r.accumulate_own = names;
    question_digest(&(struct question){"a/b/c/d", 1, 2, inputs, &q}, first);
    question_digest(&(struct question){"a/b/c/d", 1, 2, inputs, &r}, second);
    cr_expect_str_neq(first, second);
}

Test(verdict_query, id_seed_and_runs_are_asked)
{
    const struct profile p = profile_ieee();
    const struct question questions[] = {{"a/b/c/d", 1, 2, inputs, &p},
                                         {"a/b/c/e", 1, 2, inputs, &p},
                                         {"a/b/c/d", 2, 2, inputs, &p},
                                         {"a/b/c/d", 1, 3, inputs, &p}};
    char hex[4][33];
    for (int k = 0; k < 4; k++) {
        question_digest(&questions[k], hex[k]);
        for (int j = 0; j < k; j++) {
            cr_expect_str_neq(hex[j], hex[k], "%d and %d", j, k);
        }
    }
}

/* --- answers */

static struct program *program_of(const char *op)
{
    struct program *program = program_create();
    struct shape shape = shape_of(1, (int64_t)5);
    struct view x = program_input(program, DTYPE_FLOAT32, &shape);
    for (int64_t i = 0; i < 5; i++) {
        program_set(program, &x, i, 0, 1.5 * (double)i - 2);
    }
    program_step(program, op_find(op), NULL, 1, &x);
    return program;
}

static void answer_of(const struct mock *m, char hex[33])
{
    struct judge_run run[MOCK_RUNS];
    for (int r = 0; r < m->runs; r++) {
        run[r] = (struct judge_run){.images = &m->images[r], .result = m->result[r]};
    }
    answer_digest(&(struct judge_request){.program = m->program, .runs = m->runs, .run = run}, hex);
}

/* Each bit of both images, guards and operand included, and what the steps say. */
Test(verdict_query, every_byte_that_came_back_is_the_answer)
{
    struct mock m;
    char hex[33], other[33];
    mock_open(&m, program_of("exp"), 2);
    mock_answer(&m);
    answer_of(&m, hex);
    for (int r = 0; r < 2; r++) {
        for (int s = 0; s < m.program->storages; s++) {
            for (size_t at = 0; at < m.program->storage[s].bytes + 2 * BACKEND_GUARD; at++) {
                unsigned char *byte = &m.images[r].image[s][at];
                *byte ^= (unsigned char)(1 << at % 8);
                answer_of(&m, other);
                *byte ^= (unsigned char)(1 << at % 8);
                cr_assert_str_neq(other, hex, "run %d, storage %d, byte %zu", r, s, at);
            }
        }
        m.result[r][0].status = STEP_REJECTED;
        answer_of(&m, other);
        cr_expect_str_neq(other, hex);
        m.result[r][0].status = STEP_OK;
        m.result[r][0].message[0] = 'x';
        answer_of(&m, other);
        cr_expect_str_neq(other, hex);
        m.result[r][0].message[0] = 0;
    }
    answer_of(&m, other);
    cr_expect_str_eq(other, hex);
    mock_close(&m);
}

/* --- whole cases */

static void build(struct builder *b)
{
    struct shape shape = shape_of(1, (int64_t)70000);
    struct view x = program_input(b->program, DTYPE_FLOAT32, &shape);
    for (int64_t i = 0; i < 70000; i++) {
        program_set(b->program, &x, i, 0, (double)(i % 1000) / 512 - 0.9);
    }
    b->program->storage[x.storage].origin = ORIGIN_STRUCTURED;
    program_step(b->program, b->c->op, NULL, 1, &x);
}

static int wrong_run; /* −1: none */
static int runs;

static bool run(struct backend *backend, const struct program *program, struct backend_run *r,
                struct error *error)
{
    bool good = backend_class_cpu.run(backend, program, r, error);
    if (runs++ == wrong_run || wrong_run == 2) {
        r->image[program->step[0].output[0].storage][BACKEND_GUARD + 2] ^= 0x20;
    }
    return good;
}

static void run_case(const char *judge, struct case_options options, struct record *record)
{
    struct verdict_cache *cache =
        verdict_cache_create(folder, judge, (struct truth_libraries){"4.2.0", "6.2.1", "1.5.4"});
    const struct verdict_source verdicts = verdict_cache_source(cache);
    options.seed = options.seed ? options.seed : 1;
    options.repeat = 2;
    options.verdicts = &verdicts;
    runs = 0;
    cpu_case("var", build, run, &options, record);
    cr_expect_eq(runs, 2, "it runs on the backend all the same");
    verdict_cache_destroy(&cache);
}

static void inspect(void *user, const struct program *program, struct program_truth *truth,
                    const struct images *images, const struct profile *profile)
{
    (void)program;
    (void)images;
    (void)profile;
    *(bool *)user = program_truth_has(truth, 0);
}

/* The record without its times and without what says where the verdict came from. */
static char *shown(struct record *record)
{
    struct record plain;
    cr_assert(record_copy(&plain, record));
    plain.device_ns = plain.wall_ns = plain.reference_ns = plain.case_ns = 0;
    plain.remembered = 0;
    char *line = record_format(&plain);
    record_clear(&plain);
    return line;
}

Test(verdict_query, the_same_bits_have_the_same_verdict_without_a_truth)
{
    struct record record;
    wrong_run = -1;
    run_case("a", (struct case_options){.seed = 1}, &record);
    cr_assert_eq(record.status, STATUS_PASS, "%s", record.reason ? record.reason : "");
    cr_expect(record.remembered == 0 && record.reference_ns > 0);
    char *first = shown(&record);
    record_clear(&record);
    run_case("a", (struct case_options){.seed = 1}, &record);
    cr_expect(record.remembered == 1 && record.reference_ns == 0);
    cr_expect(record.device_ns > 0 && record.wall_ns > 0);
    char *second = shown(&record);
    cr_expect_str_eq(second, first);
    record_clear(&record);
    free(first);
    free(second);
    /* Another judge, another request, and cases that are inspected or spoiled are judged again. */
    run_case("b", (struct case_options){.seed = 1}, &record);
    cr_expect(record.remembered == 0 && record.status == STATUS_PASS);
    record_clear(&record);
    run_case("b", (struct case_options){.seed = 2}, &record);
    cr_expect(record.remembered == 0 && record.status == STATUS_PASS);
    record_clear(&record);
    bool seen = false;
    run_case("b", (struct case_options){.inspect = inspect, .user = &seen}, &record);
    cr_expect(record.remembered == 0 && seen);
    record_clear(&record);
    run_case("b", (struct case_options){.self_test = true}, &record);
    cr_expect_eq(record.status, STATUS_FAIL, "the spoiled value is found");
    record_clear(&record);
    run_case("b", (struct case_options){.seed = 1}, &record);
    cr_expect(record.remembered == 1);
    record_clear(&record);
}

Test(verdict_query, other_bits_are_judged_and_failures_always)
{
    struct record record;
    wrong_run = -1;
    run_case("a", (struct case_options){.seed = 1}, &record);
    record_clear(&record);
    for (wrong_run = 0; wrong_run < 3; wrong_run++) { /* in one of the runs, or in both */
        for (int again = 0; again < 2; again++) {
            run_case("a", (struct case_options){.seed = 1}, &record);
            cr_expect(record.status == STATUS_FAIL && record.remembered == 0 && record.reference_ns > 0, "%d",
                      wrong_run);
            cr_expect(record.detail && record.reason);
            record_clear(&record);
        }
    }
    wrong_run = -1; /* what passed is still known */
    run_case("a", (struct case_options){.seed = 1}, &record);
    cr_expect(record.status == STATUS_PASS && record.remembered == 1);
    record_clear(&record);
}

/* --- entries */

Test(verdict_query, what_does_not_verify_or_answers_something_else_is_not_taken)
{
    const struct truth_libraries some = {"4.2.0", "6.2.1", "1.5.4"}, others = {"4.2.1", "6.2.1", "1.5.4"};
    const struct profile p = profile_ieee();
    struct question question = {"a/b/c/d", 1, 2, inputs, &p};
    struct record record = {.id = (char *)"a/b/c/d",
                            .status = STATUS_PASS,
                            .max_ulp = 0.25,
                            .resolution = 1e-7},
                  found;
    char answer[33] = "";
    struct verdict_cache *cache = verdict_cache_create(folder, "a", some);
    struct verdict_source source = verdict_cache_source(cache);
    source.store(source.user, &question, "0123456789abcdef0123456789abcdef", &record, 1000);
    cr_expect_not(source.lookup(source.user, &question, answer, &found), "it took no time");
    source.store(source.user, &question, "0123456789abcdef0123456789abcdef", &record, INT64_MAX);
    cr_assert(source.lookup(source.user, &question, answer, &found));
    cr_expect_str_eq(answer, "0123456789abcdef0123456789abcdef");
    cr_expect(found.max_ulp == 0.25 && found.resolution == 1e-7 && found.status == STATUS_PASS);
    record_clear(&found);
    question.inputs_digest = "00112233445566778899aabbccddeefe";
    cr_expect_not(source.lookup(source.user, &question, answer, &found), "other inputs under that id");
    question.inputs_digest = inputs;
    struct verdict_cache *other = verdict_cache_create(folder, "a", others);
    struct verdict_source theirs = verdict_cache_source(other);
    cr_expect_not(theirs.lookup(theirs.user, &question, answer, &found), "another MPFR");
    theirs.store(theirs.user, &question, answer, &record, INT64_MAX);
    cr_expect_not(source.lookup(source.user, &question, answer, &found), "it took the place");
    verdict_cache_destroy(&other);
    source.store(source.user, &question, answer, &record, INT64_MAX);
    char command[128];
    snprintf(command, sizeof command, "for f in %s/*/*; do printf x >>$f; done", folder);
    cr_assert_eq(system(command), 0);
    cr_expect_not(source.lookup(source.user, &question, answer, &found), "longer than it says");
    snprintf(command, sizeof command, "[ -z \"$(ls %s/*/* 2>/dev/null)\" ]", folder);
    cr_expect_eq(system(command), 0, "it is removed");
    verdict_cache_destroy(&cache);
}
