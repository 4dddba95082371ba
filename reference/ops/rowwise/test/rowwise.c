/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* The row-wise operator class: sums against exact rational arithmetic, selections, dimensions. */

#include "reference/ops/rowwise/rowwise.h"
#include "reference/test/support.h"

#include <gmp.h>

static struct attributes along(int count, const int64_t *dim, bool keep)
{
    struct attributes a = {
        .count = 1, .item = {{.name = "dim", .type = ATTRIBUTE_INTEGERS, .integers = {.count = count}}}};
    for (int k = 0; k < count; k++) {
        a.item[0].integers.item[k] = dim[k];
    }
    if (keep) {
        a.item[a.count++] = (struct attribute){.name = "keepdim", .type = ATTRIBUTE_BOOL, .integer = 1};
    }
    return a;
}

/* True if |value − exact| ≤ radius, with equality to the truth if the value is marked exact. */
static void expect_near(const struct value *value, double radius, const mpq_t exact, const char *text, int i)
{
    mpq_t hi, rest, most;
    mpfr_t all;
    mpfr_init2(all, 4096);
    mpq_inits(hi, rest, most, (mpq_ptr)0);
    value_to_mpfr(value, all);
    mpfr_get_q(hi, all);
    mpq_sub(rest, hi, exact);
    mpq_abs(rest, rest);
    mpq_set_d(most, radius);
    if (!value->exact && radius == 0) { /* certified to 104 bits */
        mpq_abs(most, exact);
        mpq_div_2exp(most, most, 103);
    }
    cr_expect_leq(mpq_cmp(rest, most), 0, "%s %d: the truth is %.17g", text, i, mpq_get_d(exact));
    mpq_clears(hi, rest, most, (mpq_ptr)0);
    mpfr_clear(all);
}

enum { LENGTH = 300 };

/* Kind 0: any exponent; 1: whole numbers; 2: cancels to the last bit; 3: one exponent. */
static double term_of(struct philox *g, int kind, int k, const double *x)
{
    double unit = philox_unit(g) - 0.5;
    switch (kind) {
    case 0:
        return ldexp(unit, (int)philox_below(g, 240) - 120);
    case 1:
        return (double)philox_below(g, 2001) - 1000;
    case 2:
        return k % 2 ? -x[k - 1] : ldexp(unit, (int)philox_below(g, 60) - 30);
    default:
        return 1 + unit;
    }
}

static void check_sum(const char *name, const struct tensor *x, bool enclosed, int i)
{
    struct truth *truth = any_truth_of_call(name, NULL, 1, x, enclosed);
    mpq_t sum, term;
    mpq_inits(sum, term, (mpq_ptr)0);
    int64_t n = shape_elements(&x->shape);
    for (int64_t k = 0; k < n; k++) {
        mpq_set_d(term, tensor_component(x, k));
        mpq_add(sum, sum, term);
    }
    if (op_find(name)->rowwise->mean) {
        mpq_set_si(term, 1, (unsigned long)n);
        mpq_mul(sum, sum, term);
    }
    const struct truth_output *out = &truth->output[0];
    expect_near(&out->value[0], out->radius ? out->radius[0] : 0, sum, name, i);
    mpq_clears(sum, term, (mpq_ptr)0);
    truth_destroy(&truth);
}

Test(rowwise, sums_are_those_of_rational_arithmetic)
{
    static const enum dtype dtypes[] = {DTYPE_FLOAT16, DTYPE_BFLOAT16, DTYPE_FLOAT32, DTYPE_FLOAT64};
    static const char *const names[] = {"sum", "mean"};
    struct philox g;
    philox_start(&g, 71);
    for (int i = 0; i < 800; i++) {
        double x[LENGTH];
        int n = 1 + (int)philox_below(&g, LENGTH);
        for (int k = 0; k < n; k++) {
            x[k] = term_of(&g, i % 5 % 4, k, x);
            x[k] = dtypes[i % 4] == DTYPE_FLOAT16 && fabs(x[k]) > 60000 ? 3 : x[k];
        }
        struct tensor input = tensor_from(dtypes[i % 4], shape_of(1, (int64_t)n), x);
        for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
            check_sum(names[k], &input, i % 2, i);
        }
        tensor_destroy(&input);
    }
}

Test(rowwise, sums_beyond_the_range_have_their_value)
{
    static const double x[] = {0x1.8p1023, 0x1.8p1023, -0x1p1023, 0x1p-1074};
    struct tensor input = tensor_from(DTYPE_FLOAT64, shape_of(1, (int64_t)4), x);
    check_sum("sum", &input, true, 0);
    check_sum("sum", &input, false, 1);
    tensor_destroy(&input);
}

Test(rowwise, integers_wrap_and_are_summed_whole)
{
    static const int64_t x[] = {INT64_MAX, 2, INT64_C(1) << 53, 1};
    struct tensor input = tensor_from_integers(DTYPE_INT64, shape_of(2, (int64_t)2, (int64_t)2), x);
    struct attributes last = along(1, (int64_t[]){-1}, false);
    struct truth *truth = truth_of_call("sum", &last, 1, &input);
    struct value wrapped = value_of_integer(INT64_MIN + 1), whole = value_of_integer((INT64_C(1) << 53) + 1);
    for (int r = 0; r < 2; r++) {
        const struct value *wanted = r ? &whole : &wrapped;
        cr_expect_eq(truth->output[0].value[r].hi, wanted->hi);
        cr_expect_eq(truth->output[0].value[r].lo, wanted->lo);
    }
    truth_destroy(&truth);
    tensor_destroy(&input);
}

Test(rowwise, what_is_selected)
{
    static const double x[5][3] = {
        {3, 9, -1}, {0, -0.0, -2}, {NAN, 4, 8}, {-4, -3, INFINITY}, {-0x1p-140, -1, -0x1p-130}};
    static const double wanted[5] = {9, 0, NAN, INFINITY, -0x1p-140};
    struct tensor input = tensor_from(DTYPE_FLOAT32, shape_of(2, (int64_t)5, (int64_t)3), &x[0][0]);
    struct attributes last = along(1, (int64_t[]){1}, false);
    struct truth *truth = truth_of_call("amax", &last, 1, &input);
    struct profile kept = profile_ieee(), flushing = profile_ieee();
    flushing.subnormals[DTYPE_FLOAT32] = SUBNORMALS_MAY_FLUSH;
    for (int r = 0; r < 5; r++) {
        struct accept accept = accept_of("amax", &last, &kept, truth, 0, r, false);
        cr_expect(accepts_double(&accept, wanted[r]), "row %d", r);
        cr_expect_not(accepts_double(&accept, -1), "row %d", r);
    }
    struct accept strict = accept_of("amax", &last, &kept, truth, 0, 1, false);
    cr_expect(accepts_double(&strict, -0.0), "zeros of both signs are one");
    strict = accept_of("amax", &last, &kept, truth, 0, 4, false);
    cr_expect_not(accepts_double(&strict, -0x1p-130));
    struct accept loose = accept_of("amax", &last, &flushing, truth, 0, 4, false);
    cr_expect(accepts_double(&loose, -0x1p-130), "all that may compare as zeros do");
    cr_expect(accepts_double(&loose, 0));
    cr_expect_not(accepts_double(&loose, 0x1p-124));
    truth_destroy(&truth);
    tensor_destroy(&input);
}

Test(rowwise, the_least_is_the_greatest_of_opposites)
{
    static const double x[5][3] = {
        {3, 9, -1}, {5, 7, 6}, {NAN, 4, 8}, {-4, -3, INFINITY}, {-0x1p-140, 1, 0x1p-130}};
    static const int64_t whole[3] = {INT64_MIN, INT64_MAX, 0};
    double opposite[5][3];
    for (int i = 0; i < 15; i++) {
        opposite[i / 3][i % 3] = -x[i / 3][i % 3];
    }
    struct tensor input = tensor_from(DTYPE_FLOAT32, shape_of(2, (int64_t)5, (int64_t)3), &x[0][0]),
                  turned = tensor_from(DTYPE_FLOAT32, shape_of(2, (int64_t)5, (int64_t)3), &opposite[0][0]),
                  integers = tensor_from_integers(DTYPE_INT64, shape_of(1, (int64_t)3), whole);
    struct attributes last = along(1, (int64_t[]){1}, false);
    struct truth *least = truth_of_call("amin", &last, 1, &input),
                 *greatest = truth_of_call("amax", &last, 1, &turned),
                 *lowest = truth_of_call("amin", NULL, 1, &integers);
    for (int r = 0; r < 5; r++) {
        double got = value_approximately(&least->output[0].value[r]),
               wanted = -value_approximately(&greatest->output[0].value[r]);
        cr_expect(got == wanted || (isnan(got) && isnan(wanted)), "row %d: %g", r, got);
    }
    cr_expect_eq(value_approximately(&least->output[0].value[1]), 5);
    cr_expect_eq(lowest->output[0].value[0].hi, value_of_integer(INT64_MIN).hi);
    truth_destroy(&least);
    truth_destroy(&greatest);
    truth_destroy(&lowest);
    tensor_destroy(&input);
    tensor_destroy(&turned);
    tensor_destroy(&integers);
}

/* --- dimensions */

static void expect_shape(const char *name, const struct attributes *attributes, struct shape x,
                         struct shape wanted)
{
    struct view view = view_contiguous(0, DTYPE_FLOAT32, &x);
    struct attributes none = {.count = 0};
    struct op_operands operands = {
        .attributes = attributes ? attributes : &none, .inputs = 1, .input = &view};
    struct op_signature signature;
    cr_assert(op_signature(op_find(name), &operands, &signature, NULL), "%s", name);
    cr_expect(shape_equal(&signature.output[0].shape, &wanted), "%s", name);
}

Test(rowwise, shapes_are_pytorchs)
{
    const struct shape x = shape_of(3, (int64_t)2, (int64_t)3, (int64_t)4), scalar = {.rank = 0};
    const struct attributes ends = along(2, (int64_t[]){-1, 0}, false),
                            kept = along(2, (int64_t[]){-1, 0}, true), empty = along(0, NULL, true),
                            none = along(0, NULL, false), first = along(1, (int64_t[]){-1}, true);
    expect_shape("sum", &ends, x, shape_of(1, (int64_t)3));
    expect_shape("sum", &kept, x, shape_of(3, (int64_t)1, (int64_t)3, (int64_t)1));
    expect_shape("amax", &empty, x, shape_of(3, (int64_t)1, (int64_t)1, (int64_t)1));
    expect_shape("amax", &none, x, scalar);
    expect_shape("sum", NULL, x, scalar);
    expect_shape("sum", &first, scalar, scalar);
}

Test(rowwise, dimensions_that_are_none_are_refused)
{
    const struct shape x = shape_of(2, (int64_t)3, (int64_t)0);
    struct view view = view_contiguous(0, DTYPE_FLOAT32, &x);
    struct attributes twice = along(2, (int64_t[]){1, -1}, false), beyond = along(1, (int64_t[]){2}, false),
                      below = along(1, (int64_t[]){-3}, false), one = along(1, (int64_t[]){1}, false),
                      zero = along(1, (int64_t[]){0}, false);
    cr_expect(refuses("sum", &twice, 1, &view, NULL));
    cr_expect(refuses("sum", &beyond, 1, &view, NULL));
    cr_expect(refuses("sum", &below, 1, &view, NULL));
    cr_expect(refuses("amax", &one, 1, &view, NULL), "the greatest of nothing");
    cr_expect(refuses("amax", NULL, 1, &view, NULL));
    cr_expect_not(refuses("amax", &zero, 1, &view, NULL));
    cr_expect_not(refuses("sum", &one, 1, &view, NULL));
}

/* Rows along any dimensions hold what their elements' indices say. */
Test(rowwise, rows_along_any_dimensions)
{
    enum { A = 2, B = 3, C = 4 };
    double x[A * B * C];
    for (int i = 0; i < A * B * C; i++) {
        x[i] = ldexp(1, i);
    }
    struct tensor input = tensor_from(DTYPE_FLOAT64, shape_of(3, (int64_t)A, (int64_t)B, (int64_t)C), x);
    for (unsigned mask = 1; mask < 8; mask++) {
        int64_t dim[3];
        int count = 0;
        for (int d = 3; d-- > 0;) {
            if (mask >> d & 1) {
                dim[count++] = d;
            }
        }
        struct attributes attributes = along(count, dim, true);
        struct truth *truth = truth_of_call("sum", &attributes, 1, &input);
        double wanted[A * B * C] = {0};
        const struct shape *shape = &truth->output[0].shape;
        for (int i = 0; i < A * B * C; i++) {
            int64_t at[3] = {i / (B * C), i / C % B, i % C}, to = 0;
            for (int d = 0; d < 3; d++) {
                to = to * shape->dim[d] + (mask >> d & 1 ? 0 : at[d]);
            }
            wanted[to] += x[i];
        }
        for (int64_t i = 0; i < truth->output[0].elements; i++) {
            cr_expect_eq(truth->output[0].value[i].hi, wanted[i], "mask %u, %lld", mask, (long long)i);
        }
        truth_destroy(&truth);
    }
    tensor_destroy(&input);
}

/* --- variances */

static struct attributes corrected(int64_t correction)
{
    return (struct attributes){
        .count = 1, .item = {{.name = "correction", .type = ATTRIBUTE_INTEGER, .integer = correction}}};
}

static void variance_of(const struct tensor *x, int64_t correction, mpq_t variance)
{
    mpq_t mean, d;
    mpq_inits(mean, d, (mpq_ptr)0);
    int64_t n = shape_elements(&x->shape);
    for (int64_t k = 0; k < n; k++) {
        mpq_set_d(d, tensor_component(x, k));
        mpq_add(mean, mean, d);
    }
    mpq_set_si(d, 1, (unsigned long)n);
    mpq_mul(mean, mean, d);
    mpq_set_si(variance, 0, 1);
    for (int64_t k = 0; k < n; k++) {
        mpq_set_d(d, tensor_component(x, k));
        mpq_sub(d, d, mean);
        mpq_mul(d, d, d);
        mpq_add(variance, variance, d);
    }
    mpq_set_si(d, 1, (unsigned long)(n - correction));
    mpq_mul(variance, variance, d);
    mpq_clears(mean, d, (mpq_ptr)0);
}

Test(rowwise, variances_are_those_of_rational_arithmetic)
{
    struct philox g;
    mpq_t wanted;
    mpq_init(wanted);
    philox_start(&g, 72);
    for (int i = 0; i < 200; i++) {
        double x[LENGTH], offset = i % 3 ? 1e6 : 0;
        int n = 3 + (int)philox_below(&g, 60);
        for (int k = 0; k < n; k++) {
            x[k] = offset + term_of(&g, 1 + i % 3, k, x);
        }
        struct tensor input = tensor_from(i % 2 ? DTYPE_FLOAT32 : DTYPE_FLOAT64, shape_of(1, (int64_t)n), x);
        struct attributes attributes = corrected(i % 3);
        struct truth *truth = any_truth_of_call("var", &attributes, 1, &input, i / 2 % 2);
        const struct truth_output *out = &truth->output[0];
        variance_of(&input, i % 3, wanted);
        expect_near(&out->value[0], out->radius ? out->radius[0] : 0, wanted, "var", i);
        truth_destroy(&truth);
        tensor_destroy(&input);
    }
    mpq_clear(wanted);
}

Test(rowwise, variances_of_too_few_are_pytorchs)
{
    static const double x[] = {1, 3};
    static const double wanted[] = {1, 2, INFINITY, INFINITY};
    struct tensor two = tensor_from(DTYPE_FLOAT32, shape_of(1, (int64_t)2), x),
                  one = tensor_from(DTYPE_FLOAT32, shape_of(1, (int64_t)1), x);
    for (int64_t c = 0; c < 4; c++) {
        struct attributes attributes = corrected(c);
        struct truth *truth = truth_of_call("var", &attributes, 1, &two),
                     *alone = truth_of_call("std", &attributes, 1, &one);
        double got = value_approximately(&truth->output[0].value[0]),
               nothing = value_approximately(&alone->output[0].value[0]);
        cr_expect_eq(got, wanted[c], "correction %lld: %g", (long long)c, got);
        cr_expect(c == 0 ? nothing == 0 : isnan(nothing), "correction %lld: %g", (long long)c, nothing);
        truth_destroy(&truth);
        truth_destroy(&alone);
    }
    tensor_destroy(&two);
    tensor_destroy(&one);
}

/* Far from 0 the two-pass form and Welford's are accepted, and E[x²] − E[x]² is refused. */
Test(rowwise, forms_of_a_variance)
{
    struct profile profile = profile_ieee();
    struct philox g;
    int refused = 0, far = 0;
    philox_start(&g, 8);
    for (int i = 0; i < 600; i++) {
        double x[64];
        float single[64], sum = 0, squares = 0, two = 0, mean = 0, welford = 0;
        int n = 2 + (int)philox_below(&g, 63);
        for (int k = 0; k < n; k++) {
            single[k] = (float)((i % 2 ? 1000 : 0) + philox_unit(&g));
            x[k] = (double)single[k];
            sum += single[k];
            squares += single[k] * single[k];
            float d = single[k] - mean;
            mean += d / (float)(k + 1);
            welford += d * (single[k] - mean);
        }
        for (int k = 0; k < n; k++) {
            two += (single[k] - sum / (float)n) * (single[k] - sum / (float)n);
        }
        float naive = squares - sum / (float)n * sum;
        struct tensor input = tensor_from(DTYPE_FLOAT32, shape_of(1, (int64_t)n), x);
        struct attributes attributes = corrected(1);
        for (int root = 0; root < 2; root++) {
            const char *name = root ? "std" : "var";
            struct truth *truth = truth_of_call(name, &attributes, 1, &input);
            struct accept accept = accept_of(name, &attributes, &profile, truth, 0, 0, false);
            float forms[] = {two, welford, naive}, degrees = (float)(n - 1);
            for (int f = 0; f < 3; f++) {
                float y = root ? sqrtf(forms[f] / degrees) : forms[f] / degrees;
                bool accepted = accepts_double(&accept, (double)y);
                cr_expect(accepted || f == 2, "%s %d, form %d: %.9g", name, i, f, (double)y);
                far += f == 2 && i % 2;
                refused += f == 2 && i % 2 && !accepted;
            }
            truth_destroy(&truth);
        }
        tensor_destroy(&input);
    }
    cr_expect_gt(refused, far / 2, "%d of %d", refused, far);
}
