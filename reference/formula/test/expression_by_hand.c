/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Bounds and spreads from formulas against those that operators derive by hand. */

#include "reference/formula/test/expression.h"
#include "reference/test/call.h"

enum { FORMS_MOST = 2, RESULTS_MOST = 512 };

/* An operator, the formulas of its legal forms, and the operand of the call for each input (−1: an attribute
 * of that name). */
struct subject {
    const char *operator_name;
    struct expression_input inputs[5];
    int operand[5];
    const char *form[FORMS_MOST];
    enum expression_form kind[FORMS_MOST];
    int forms;
    int64_t row; /* elements of a row; 0: one row of all elements */
};

/* Profiles that differ in what bounds depend on. */
static struct profile profile_number(int k)
{
    struct profile profile = profile_ieee();
    if (k & 1) {
        profile.primitives = PRIMITIVES_VULKAN;
        for (int d = 0; d < DTYPE_COUNT; d++) {
            profile.rounding[d] = ROUNDING_OPEN;
            profile.subnormals[d] = SUBNORMALS_MAY_FLUSH;
        }
    }
    if (k & 2) {
        profile.accumulate[DTYPE_FLOAT16] = profile.accumulate[DTYPE_BFLOAT16] = DTYPE_FLOAT32;
    }
    if (k & 4) {
        profile.summation = SUMMATION_PAIRWISE;
    }
    return profile;
}

/* The operands as doubles, the rows of the subject one after the other. */
struct operands {
    double x[5][RESULTS_MOST];
    const double *at[5];
};

static void bounds_by_form(const struct subject *s, struct call *call, const struct profile *profile,
                           const struct operands *o, int64_t n, double *bound, double *spread)
{
    struct expression_measure *measure = malloc(FORMS_MOST * RESULTS_MOST * sizeof *measure);
    enum dtype dtype = call->input[0].dtype;
    int64_t row = s->row ? s->row : n;
    struct envelope envelope[RESULTS_MOST];
    struct primitive_errors allow = primitive_errors_of(profile, dtype, (double)row, -1, false);
    for (int64_t i = 0; i < n; i++) {
        spread[i] = 0;
    }
    for (int f = 0; f < s->forms; f++) {
        struct expression *e = parsed(s->form[f], s->inputs);
        struct expression_workspace *w = expression_workspace_create(e);
        for (int64_t r = 0; r < n / row; r++) {
            const double *at[5];
            for (int k = 0; k < 5 && s->inputs[k].name; k++) {
                bool whole = s->operand[k] >= 0 && shape_elements(&call->input[s->operand[k]].shape) == n;
                at[k] = o->x[k] + (whole ? r * row : 0);
            }
            struct expression_row of = {.n = row, .input = at};
            expression_measures(w, &of, &allow, &measure[f * RESULTS_MOST + r * row]);
            expression_envelope(w, &of, dtype, &envelope[r * row]);
        }
        for (int64_t i = 0; i < n; i++) {
            spread[i] = fmax(spread[i], envelope[i].spread);
        }
        expression_workspace_destroy(&w);
        expression_destroy(&e);
    }
    for (int64_t i = 0; i < n; i++) {
        struct expression_measure one[FORMS_MOST];
        for (int f = 0; f < s->forms; f++) {
            one[f] = measure[f * RESULTS_MOST + i];
        }
        bound[i] = expression_forms_bound(one, s->kind, s->forms, &allow, RANGE_SAFE);
    }
    free(measure);
}

/* Expects bounds of this call at most 1.1 times those by hand; *ratio: the greatest ratio of finite ones, and
 * in all how many there were. */
static void compare(const struct subject *s, struct call *call, const struct profile *profile, double *ratio,
                    int64_t *compared)
{
    static struct operands o;
    int64_t n = shape_elements(&call->input[0].shape);
    cr_assert_leq(n, RESULTS_MOST);
    for (int k = 0; k < 5 && s->inputs[k].name; k++) {
        if (s->operand[k] < 0) {
            o.x[k][0] = attributes_real(&call->attributes, s->inputs[k].name, 1);
            continue;
        }
        const struct tensor *t = &call->input[s->operand[k]];
        for (int64_t i = 0; i < shape_elements(&t->shape); i++) {
            o.x[k][i] = tensor_component(t, i);
        }
    }
    double bound[RESULTS_MOST], spread[RESULTS_MOST];
    struct truth *truth = truth_of_call(s->operator_name, &call->attributes, call->inputs, call->input);
    bounds_by_form(s, call, profile, &o, n, bound, spread);
    for (int64_t i = 0; i < n; i++) {
        struct bound_query query = {.op = op_find(s->operator_name),
                                    .profile = profile,
                                    .attributes = &call->attributes,
                                    .truth = truth,
                                    .element = i};
        double hand = query.op->bound(&query);
        bool open = query.op->may_overflow && query.op->may_overflow(&query);
        if (open || truth->output[0].value[i].class != VALUE_FINITE) {
            continue;
        }
        /* Where a quotient may round beyond the range, a formula gives no bound; by hand infinity is
         * accepted. */
        if (bound[i] == INFINITY && fabs(value_approximately(&truth->output[0].value[i])) + hand >=
                                        dtype_max(profile->accumulate[call->input[0].dtype])) {
            continue;
        }
        cr_expect_leq(bound[i], 1.1 * hand, "%s %s [%ld]: %.4g, by hand %.4g; x = %a", s->operator_name,
                      dtype_info(call->input[0].dtype)->name, (long)i, bound[i], hand, o.x[0][i]);
        if (hand > 0 && hand < INFINITY) {
            *ratio = fmax(*ratio, bound[i] / hand);
            ++*compared;
        }
        double by_hand = truth->output[0].envelope[i].spread;
        cr_expect(!(by_hand < INFINITY) || spread[i] <= 1.1 * by_hand, "%s [%ld]: S/u %.4g, by hand %.4g",
                  s->operator_name, (long)i, spread[i], by_hand);
    }
    truth_destroy(&truth);
}

static double any_number(struct philox *g, enum dtype dtype, int64_t i)
{
    static const double fixed[] = {0,   -0.0, 1,      -2,    INFINITY, -INFINITY,
                                   NAN, 1e30, -1e-30, 3e-39, 65504,    6e-8};
    const struct dtype_info *info = dtype_info(dtype);
    int range = i % 3 == 0 ? info->emax - 1 : 6;
    double x = i % 11 == 5 ? fixed[philox_below(g, sizeof fixed / sizeof *fixed)]
                           : ldexp(philox_signed(g), (int)philox_below(g, (unsigned)(2 * range)) - range);
    unsigned char bytes[8];
    dtype_store(dtype, bytes, x);
    return dtype_load(dtype, bytes);
}

static void compare_rms(int64_t n, double mean, int number, bool weighted, double *ratio, int64_t *compared)
{
    static const enum dtype dtypes[] = {DTYPE_FLOAT32, DTYPE_FLOAT16, DTYPE_BFLOAT16};
    struct subject s = {"rms_norm",
                        {{"x", EXPRESSION_ELEMENT}, {"eps", EXPRESSION_ATTRIBUTE}, {NULL, EXPRESSION_ROW}},
                        {0, -1},
                        {"x * rsqrt(mean(x * x) + eps)", "x / sqrt(mean(x * x) + eps)"},
                        {EXPRESSION_FORM_SCALED, EXPRESSION_FORM_SCALED},
                        2,
                        n};
    if (weighted) {
        s.inputs[2] = (struct expression_input){"weight", EXPRESSION_ELEMENT};
        s.operand[2] = 1;
        s.form[0] = "x * rsqrt(mean(x * x) + eps) * weight";
        s.form[1] = "x / sqrt(mean(x * x) + eps) * weight";
    }
    struct philox g;
    enum dtype dtype = dtypes[number % 3];
    struct profile profile = profile_number(number);
    /* Where the direction of rounding is open, K additions err by K·u/(1 − K·u); by hand it is K·u. */
    if (profile_accumulate_is_open(&profile, dtype) &&
        (double)n * profile_accumulate_roundoff(&profile, dtype) > 0x1p-7) {
        return;
    }
    struct call call = call_of("rms_norm");
    double x[RESULTS_MOST];
    int64_t rows = RESULTS_MOST / n < 4 ? RESULTS_MOST / n : 4;
    philox_start(&g, (uint64_t)n);
    for (int64_t i = 0; i < rows * n; i++) {
        x[i] = mean + philox_signed(&g);
    }
    give(&call, dtype, shape_of(2, rows, n), x);
    if (weighted) {
        give(&call, dtype, shape_of(1, n), x);
    }
    real_attribute(&call, "eps", 1e-5);
    integers_attribute(&call, "normalized_shape", integers_of(1, n));
    compare(&s, &call, &profile, ratio, compared);
    end(&call);
}

Test(expression_by_hand, rms_norm)
{
    static const int64_t lengths[] = {1, 2, 3, 33, 255, 500};
    double ratio = 0;
    int64_t compared = 0;
    for (int k = 0; k < 6; k++) {
        for (int number = 0; number < 24; number++) {
            compare_rms(lengths[k], number % 4 == 0 ? 100 : 0, number % 8, number >= 8, &ratio, &compared);
        }
    }
    cr_expect_gt(compared, 5000);
    cr_log_info("rms_norm: at most %.4g times the bound by hand, %ld elements", ratio, (long)compared);
}

Test(expression_by_hand, square_rounds_once)
{
    static const struct {
        const char *formula;
        bool once;
    } rows[] = {{"x * x", true},
                {"-x", true},
                {"x / y", true},
                {"x", true},
                {"max(x, y)", true},
                {"x * 2", true},
                {"x * 0.1", false},
                {"x * x * x", false},
                {"exp(x)", false},
                {"x < 0 ? x * y : x", true},
                {"t = x * y; t < 0 ? t : 0", false},
                {"-(x * y)", true}};
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        struct expression *e = parsed(rows[k].formula, two_operands);
        cr_expect_eq(expression_rounds_once(e), rows[k].once, "%s", rows[k].formula);
        expression_destroy(&e);
    }
}

/* x·x: the truth is exact, and only the result's own rounding needs a bound. */
Test(expression_by_hand, square)
{
    struct expression *e = parsed("x * x", two_operands);
    struct expression_workspace *w = expression_workspace_create(e);
    struct profile profile = profile_ieee();
    struct primitive_errors allow = primitive_errors_of(&profile, DTYPE_FLOAT32, 1, -1, false);
    struct philox g;
    double x[RESULTS_MOST], value[RESULTS_MOST], radius[RESULTS_MOST], bound[RESULTS_MOST];
    philox_start(&g, 21);
    for (int64_t i = 0; i < RESULTS_MOST; i++) {
        x[i] = any_number(&g, DTYPE_FLOAT32, i);
    }
    struct tensor tensor = tensor_from(DTYPE_FLOAT32, shape_of(1, (int64_t)RESULTS_MOST), x);
    struct truth *truth = truth_of_call("square", NULL, 1, &tensor);
    const double *input[] = {x, x};
    struct expression_row row = {.n = RESULTS_MOST, .input = input};
    expression_values(w, &row, value, radius);
    expression_limits(w, &row, &allow, bound);
    for (int64_t i = 0; i < RESULTS_MOST; i++) {
        struct value v = truth->output[0].value[i], mine = value_of(value[i]);
        cr_expect(radius[i] == 0 && mine.class == v.class && (v.class != VALUE_FINITE || v.hi == mine.hi),
                  "%a", x[i]);
        cr_expect_leq(bound[i], 0x1p-149 * 1.1, "%a: %a", x[i], bound[i]);
    }
    truth_destroy(&truth);
    tensor_destroy(&tensor);
    expression_workspace_destroy(&w);
    expression_destroy(&e);
}
