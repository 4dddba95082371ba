/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Outputs that an operator's own `verify` judges: the direction of a vector, right up to its sign and within
 * a limit of its norm, beside its length, which is judged element by element. */

#include "harness/judge/verification.h"
#include "harness/judge/test/mock.h"

#include <math.h>
#include <string.h>

enum { N = 2, DIRECTION = 0, LENGTH = 1 };
static const double LIMIT = 0x1p-20; /* of |got ∓ v|₂ */

static bool takes_vector(const struct op *op, const struct op_operands *operands, struct op_signature *out,
                         struct error *reason)
{
    (void)op, (void)reason;
    *out = (struct op_signature){.outputs = 2};
    out->output[DIRECTION].dtype = out->output[LENGTH].dtype = DTYPE_FLOAT32;
    out->output[DIRECTION].shape = operands->input[0].shape;
    return true;
}

static bool direct(const struct op_call *call, struct truth *truth, struct error *error)
{
    (void)error;
    double x = tensor_component(&call->input[0], 0), y = tensor_component(&call->input[0], 1);
    double length = hypot(x, y);
    truth->output[DIRECTION].value[0] = value_of(x / length);
    truth->output[DIRECTION].value[1] = value_of(y / length);
    truth->output[DIRECTION].value[0].exact = truth->output[DIRECTION].value[1].exact = y == 0;
    truth->output[LENGTH].value[0] = value_of(length);
    return true;
}

/* Looks at the operand, as one must that is right for every operand. */
static bool up_to_sign(const struct verification_query *query, struct verification *found)
{
    const struct tensor *a = &query->call->input[0], *got = &query->got[DIRECTION];
    double length = hypot(tensor_component(a, 0), tensor_component(a, 1)), least = INFINITY;
    for (int sign = -1; sign <= 1; sign += 2) {
        double square = 0;
        for (int i = 0; i < N; i++) {
            double error = tensor_component(got, i) - sign * tensor_component(a, i) / length;
            square += error * error;
        }
        least = fmin(least, sqrt(square));
    }
    found->error_over_bound = least / LIMIT;
    found->accepted = found->error_over_bound <= 1;
    found->resolution = LIMIT;
    found->output = DIRECTION;
    found->element = 1;
    found->refused = found->accepted ? 0 : N;
    snprintf(found->sentence, sizeof found->sentence, "the direction is %.3g from that of the operand",
             least);
    snprintf(found->wanted, sizeof found->wanted, "0.8 or -0.8");
    return true;
}

static bool blind(const struct verification_query *query, struct verification *found)
{
    (void)query;
    found->resolution = LIMIT;
    return true;
}

static bool wide(const struct verification_query *query, struct verification *found)
{
    bool good = up_to_sign(query, found);
    found->resolution = 0.25;
    return good;
}

static bool named(const struct verification_query *query, struct verification *found)
{
    bool good = up_to_sign(query, found);
    found->rule = "orthogonality";
    snprintf(found->got, sizeof found->got, "a vector of length 2");
    return good;
}

static bool short_of_memory(const struct verification_query *query, struct verification *found)
{
    (void)query, (void)found;
    return false;
}

static struct op direction = {.family = "test",
                              .name = "direction",
                              .operands = {{"input", OPERAND_READ}},
                              .outputs = 2,
                              .results = {{"direction", RESULT_VERIFIED}, {"length", 0}},
                              .dtypes = 1U << DTYPE_FLOAT32,
                              .signature = takes_vector,
                              .truth = direct,
                              .verify = up_to_sign};

/* Of (3, 4): (0.6, 0.8) and 5; of (2, 0), which is exact, (1, 0) and 2. Steps behind it are the caller's. */
static struct view first_step(struct program *program, double x0, double x1)
{
    struct shape shape = shape_of(1, (int64_t)N);
    struct view x = program_input(program, DTYPE_FLOAT32, &shape);
    program_set(program, &x, 0, 0, x0);
    program_set(program, &x, 1, 0, x1);
    return program_step(program, &direction, NULL, 1, &x)->output[DIRECTION];
}

static void open_direction(struct mock *m,
                           bool (*verify)(const struct verification_query *, struct verification *))
{
    struct program *program = program_create();
    direction.verify = verify;
    first_step(program, 3, 4);
    mock_open(m, program, 2);
    mock_answer(m);
}

static float *result(struct mock *m, int run, int output)
{
    return mock_element(m, run, &m->program->step[0].output[output], 0);
}

static void set(struct mock *m, float x, float y)
{
    for (int r = 0; r < m->runs; r++) {
        result(m, r, DIRECTION)[0] = x;
        result(m, r, DIRECTION)[1] = y;
    }
}

Test(verification, either_sign_is_right)
{
    struct mock m;
    open_direction(&m, up_to_sign);
    for (int sign = -1; sign <= 1; sign += 2) {
        set(&m, (float)sign * 0.6F, (float)sign * 0.8F);
        const struct record *record = mock_verdict(&m);
        cr_expect_eq(record->status, STATUS_PASS, "%s", record->reason);
        cr_expect_eq(record->elements, N + 1);
        cr_expect_eq(record->over_bound, 0);
        cr_expect(record->max_nu > 0 && record->max_nu < 0.1, "rounding: %g", record->max_nu);
        cr_expect_eq(record->max_ulp, 0, "of the length");
        cr_expect_eq(record->bit_exact, 1, "of the length");
        cr_expect_leq(record->resolution, LIMIT);
    }
    mock_close(&m);
}

Test(verification, the_error_over_the_limit_is_kept_and_shown)
{
    struct mock m;
    open_direction(&m, up_to_sign);
    set(&m, 0.6F, 0.8F + 0x1p-21F);
    const struct record *record = mock_verdict(&m);
    cr_expect_eq(record->status, STATUS_PASS, "%s", record->reason);
    cr_expect(record->max_nu > 0.4 && record->max_nu < 0.6, "%g", record->max_nu);
    cr_expect_eq(record->worst.nu, record->max_nu);
    cr_expect_eq(record->worst.index, 1);
    cr_expect_str_eq(record->worst.where, "output 0 (direction) [1]");
    cr_expect_str_eq(record->worst.truth, "0.8 or -0.8");
    cr_expect_str_eq(record->worst.whole, "verify");
    cr_expect(isnan(record->worst.ulp));
    mock_close(&m);
}

Test(verification, what_is_beyond_the_limit_fails)
{
    struct mock m;
    open_direction(&m, up_to_sign);
    set(&m, 0.6F, 0.8F + 0x1p-19F);
    const struct record *record = mock_verdict(&m);
    cr_expect_eq(record->status, STATUS_FAIL);
    cr_expect_str_eq(record->rule, "verify");
    cr_expect(strstr(record->reason, "from that of the operand (2 of 2 elements fail)"), "%s",
              record->reason);
    cr_expect(record->max_nu > 1.9 && record->max_nu < 2.1, "%g", record->max_nu);
    cr_expect_eq(record->over_bound, N);
    cr_expect_str_eq(record->worst.where, "output 0 (direction) [1]");
    cr_expect(strncmp(record->worst.got, "0.800001", 8) == 0, "%s", record->worst.got);
    direction.verify = named;
    record = mock_verdict(&m);
    cr_expect_str_eq(record->rule, "orthogonality");
    cr_expect_str_eq(record->worst.whole, "orthogonality");
    cr_expect_str_eq(record->worst.got, "a vector of length 2");
    mock_close(&m);
}

/* The verdict and ν cannot contradict each other, whatever `verify` says. */
static bool contradicts(const struct verification_query *query, struct verification *found)
{
    bool good = up_to_sign(query, found);
    found->accepted = query->got[DIRECTION].data && !found->accepted;
    return good;
}

Test(verification, a_refusal_has_an_error_beyond_the_limit)
{
    struct mock m;
    open_direction(&m, contradicts);
    const struct record *record = mock_verdict(&m);
    cr_expect_eq(record->status, STATUS_FAIL);
    cr_expect_gt(record->max_nu, 1);
    cr_expect_eq(record->over_bound, 1, "at least");
    mock_close(&m);
}

Test(verification, other_outputs_and_bytes_are_judged_as_ever)
{
    struct mock m;
    open_direction(&m, up_to_sign);
    result(&m, 0, LENGTH)[0] = result(&m, 1, LENGTH)[0] = 5.5F;
    const struct record *record = mock_verdict(&m);
    cr_expect_str_eq(record->rule, "bound");
    cr_expect_str_eq(record->worst.where, "output 1 (length) []");
    cr_expect_null(record->worst.whole);
    set(&m, 0, 0); /* both are wrong: the first finding is the reason and has the element */
    record = mock_verdict(&m);
    cr_expect_str_eq(record->rule, "bound");
    cr_expect_str_eq(record->worst.where, "output 1 (length) []");
    cr_expect(strstr(record->detail, "from that of the operand"), "%s", record->detail);
    cr_expect_eq(record->over_bound, N + 1);
    mock_answer(&m);
    m.images[0].image[1][BACKEND_GUARD - 1] ^= 1;
    cr_expect_str_eq(mock_verdict(&m)->rule, "stray write");
    mock_close(&m);
}

Test(verification, two_runs_must_give_the_same_bits)
{
    struct mock m;
    open_direction(&m, up_to_sign);
    result(&m, 1, DIRECTION)[0] *= -1;
    result(&m, 1, DIRECTION)[1] *= -1;
    const struct record *record = mock_verdict(&m);
    cr_expect_eq(record->status, STATUS_FAIL);
    cr_expect_str_eq(record->rule, "not repeatable");
    cr_expect(strstr(record->reason, "of output 0 (direction) of step 0"), "%s", record->reason);
    mock_close(&m);
}

Test(verification, what_takes_wrong_results_is_evidence_of_nothing)
{
    struct mock m;
    open_direction(&m, blind);
    const struct record *record = mock_verdict(&m);
    cr_expect_eq(record->status, STATUS_VACUOUS);
    cr_expect_str_eq(record->rule, "wrong class: zeros");
    cr_expect_str_eq(record->reason, "no evidence: zeros in place of what step 0 returns would pass");
    direction.verify = wide;
    record = mock_verdict(&m);
    cr_expect_eq(record->status, STATUS_VACUOUS);
    cr_expect_str_eq(record->rule, RECORD_RULE_WIDE);
    cr_expect_eq(record->median_rho, 0.25);
    mock_close(&m);
}

Test(verification, out_of_memory_is_no_verdict)
{
    struct mock m;
    open_direction(&m, short_of_memory);
    struct judge_run run = {&m.images[0], m.result[0]};
    struct judge_request request = {
        .program = m.program, .truth = &m.truth, .profile = &m.profile, .runs = 1, .run = &run};
    struct record record = {.id = NULL};
    struct error error = {.text = ""};
    cr_expect_not(judge(&request, &record, &error));
    cr_expect(strstr(error.text, "memory"), "%s", error.text);
    record_clear(&record);
    mock_close(&m);
}

/* --- chains */

Test(verification, what_a_later_step_overwrites_is_not_verified)
{
    struct program *program = program_create();
    direction.verify = up_to_sign;
    struct view y = first_step(program, 2, 0), part = y;
    part.shape.dim[0] = 1;
    struct attributes value = {.count = 1, .item = {{.name = "value", .type = ATTRIBUTE_REAL, .real = 7}}};
    program_step(program, op_find("fill_"), &value, 1, &part);
    struct mock m;
    mock_open(&m, program, 2);
    mock_answer(&m);
    set(&m, 7, -50);
    const struct record *record = mock_verdict(&m);
    cr_expect_eq(record->status, STATUS_PASS, "%s", record->reason);
    cr_expect_eq(record->elements, 2, "the length and the filled element");
    set(&m, 8, -50);
    cr_expect_eq(mock_verdict(&m)->status, STATUS_FAIL);
    mock_close(&m);
}

Test(verification, the_worst_of_several_steps_is_reported)
{
    struct program *program = program_create();
    direction.verify = up_to_sign;
    first_step(program, 3, 4);
    first_step(program, 4, 3);
    first_step(program, 3, 4);
    struct mock m;
    mock_open(&m, program, 2);
    mock_answer(&m);
    const struct record *record = mock_verdict(&m);
    cr_expect_eq(record->status, STATUS_PASS, "%s", record->reason);
    cr_expect_eq(record->elements, 3 * (N + 1));
    for (int r = 0; r < 2; r++) {
        *(float *)mock_element(&m, r, &program->step[1].output[DIRECTION], 1) = 0.7F;
    }
    record = mock_verdict(&m);
    cr_expect_eq(record->status, STATUS_FAIL);
    cr_expect_str_eq(record->worst.where, "step 1 (direction) output 0 (direction) [1]");
    cr_expect(strstr(record->reason, "(2 of 6 elements fail)"), "%s", record->reason);
    mock_close(&m);
}
