/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reference/test/support.h"

#include "reference/ops/matmul/matmul.h"
#include "reference/ops/product_sum/product_sum_bound.h"

#include <stddef.h>

enum { M = 4, K = 37, N = 3, BITS = 8000 };

static struct attributes cast_to(int64_t code)
{
    return (struct attributes){.count = code != 0,
                               .item = {{.name = "dtype", .type = ATTRIBUTE_INTEGER, .integer = code}}};
}

static void fill(double *x, int64_t n, uint64_t seed, int spread)
{
    struct philox generator;
    philox_start(&generator, seed);
    for (int64_t i = 0; i < n; i++) {
        int e = (int)philox_below(&generator, 2 * (uint32_t)spread + 1) - spread;
        x[i] = ldexp(1 + philox_unit(&generator), e) * (philox_below(&generator, 2) ? 1 : -1);
    }
}

static double number_of(enum dtype dtype, double x)
{
    unsigned char bytes[8];
    dtype_store(dtype, bytes, x);
    return dtype_load(dtype, bytes);
}

/* Every element against a sum in balls of the operands, rounded to the operands' dtype and then to `low`. */
static void check(const char *name, enum dtype dtype, enum dtype low, int64_t code, uint64_t seed, int spread)
{
    double a[M * K], b[K * N], bias[N];
    bool linear = strstr(name, "linear") != NULL, vector = strcmp(name, "mv") == 0;
    int n = vector ? 1 : N;
    fill(a, M * K, seed, spread);
    fill(b, K * N, seed + 1, spread);
    fill(bias, N, seed + 2, spread);
    struct tensor input[] = {tensor_from(dtype, shape_of(2, (int64_t)M, (int64_t)K), a),
                             tensor_from(dtype,
                                         vector   ? shape_of(1, (int64_t)K)
                                         : linear ? shape_of(2, (int64_t)N, (int64_t)K)
                                                  : shape_of(2, (int64_t)K, (int64_t)N),
                                         b),
                             tensor_from(dtype, shape_of(1, (int64_t)N), bias)};
    struct attributes attributes = cast_to(code);
    struct truth *truth = truth_of_call(name, &attributes, linear ? 3 : 2, input);
    cr_expect_eq(truth->output[0].dtype, low);
    arb_t sum, x, y;
    arb_init(sum);
    arb_init(x);
    arb_init(y);
    cr_expect_eq(truth->output[0].elements, M * n);
    for (int e = 0; e < M * n; e++) {
        int i = e / n, j = e % n;
        arb_set_d(sum, linear ? number_of(low, number_of(dtype, bias[j])) : 0);
        for (int k = 0; k < K; k++) {
            arb_set_d(x, number_of(low, number_of(dtype, a[i * K + k])));
            arb_set_d(y, number_of(low, number_of(dtype, b[linear ? j * K + k : k * n + j])));
            arb_addmul(sum, x, y, BITS);
        }
        cr_expect_leq(value_distance_log2(&truth->output[0].value[e], sum), -103, "%s of %s, element %d",
                      name, dtype_info(dtype)->name, e);
    }
    arb_clear(sum);
    arb_clear(x);
    arb_clear(y);
    truth_destroy(&truth);
    for (int i = 0; i < 3; i++) {
        tensor_destroy(&input[i]);
    }
}

Test(matmul, agrees_with_arb)
{
    for (uint64_t seed = 0; seed < 20; seed++) {
        check("matmul", DTYPE_FLOAT16, DTYPE_FLOAT16, 0, seed, 5);
        check("linear", DTYPE_BFLOAT16, DTYPE_BFLOAT16, 0, seed, 50);
        check("matmul", DTYPE_FLOAT32, DTYPE_FLOAT32, 0, seed, 60);
        check("linear", DTYPE_FLOAT32, DTYPE_FLOAT32, 0, seed, 60);
        check("matmul", DTYPE_FLOAT64, DTYPE_FLOAT64, 0, seed, 400);
        check("linear", DTYPE_FLOAT64, DTYPE_FLOAT64, 0, seed, 3);
        check("mv", DTYPE_FLOAT16, DTYPE_FLOAT16, 0, seed, 5);
        check("mv", DTYPE_BFLOAT16, DTYPE_BFLOAT16, 0, seed, 50);
        check("mv", DTYPE_FLOAT32, DTYPE_FLOAT32, 0, seed, 60);
        check("mv", DTYPE_FLOAT64, DTYPE_FLOAT64, 0, seed, 400);
    }
}

Test(matmul, autocast_rounds_the_operands_first)
{
    for (uint64_t seed = 0; seed < 20; seed++) {
        check("autocast_matmul", DTYPE_FLOAT32, DTYPE_FLOAT16, ONNX_FLOAT16, seed, 14);
        check("autocast_linear", DTYPE_FLOAT32, DTYPE_BFLOAT16, ONNX_BFLOAT16, seed, 50);
        check("autocast_linear", DTYPE_BFLOAT16, DTYPE_FLOAT16, ONNX_FLOAT16, seed, 14);
        check("autocast_matmul", DTYPE_FLOAT64, DTYPE_FLOAT64, ONNX_FLOAT16, seed, 40);
    }
}

static struct value cast_of(double x, int64_t code)
{
    double one = 1;
    struct tensor input[] = {tensor_from(DTYPE_FLOAT32, shape_of(2, (int64_t)1, (int64_t)1), &x),
                             tensor_from(DTYPE_FLOAT32, shape_of(2, (int64_t)1, (int64_t)1), &one)};
    struct attributes attributes = cast_to(code);
    struct truth *truth = truth_of_call("autocast_matmul", &attributes, 2, input);
    struct value value = truth->output[0].value[0];
    truth_destroy(&truth);
    tensor_destroy(&input[0]);
    tensor_destroy(&input[1]);
    return value;
}

Test(matmul, the_ends_of_float16_and_bfloat16)
{
    cr_expect_eq(cast_of(65504, ONNX_FLOAT16).hi, 65504);
    cr_expect_eq(cast_of(0x1.ffdffep15, ONNX_FLOAT16).hi, 65504); /* the float32 below 65520 */
    cr_expect_eq(cast_of(65520, ONNX_FLOAT16).class, VALUE_POSITIVE_INFINITY);
    cr_expect_eq(cast_of(-65520, ONNX_FLOAT16).class, VALUE_NEGATIVE_INFINITY);
    cr_expect_eq(cast_of(0x1p-25, ONNX_FLOAT16).hi, 0);
    cr_expect_eq(cast_of(0x1.000002p-25, ONNX_FLOAT16).hi, 0x1p-24);
    cr_expect_eq(cast_of(2049, ONNX_FLOAT16).hi, 2048);
    cr_expect_eq(cast_of(2051, ONNX_FLOAT16).hi, 2052);
    cr_expect_eq(cast_of(257, ONNX_BFLOAT16).hi, 256);
    cr_expect_eq(cast_of(259, ONNX_BFLOAT16).hi, 260);
    cr_expect_eq(cast_of(65520, ONNX_BFLOAT16).hi, 65536);
    cr_expect_eq(cast_of(0x1.fep127, ONNX_BFLOAT16).hi, 0x1.fep127);
    cr_expect_eq(cast_of(0x1.ffp127, ONNX_BFLOAT16).class, VALUE_POSITIVE_INFINITY);
}

/* [1, 2^-12]·[1, x] in float32 and float16: errors up to γ_2·(|A||B|) are accepted, larger ones are not. */
Test(matmul, the_bound_is_that_of_the_accumulator)
{
    double a[] = {1, 0x1p-12}, b[] = {1, 1};
    struct tensor input[] = {tensor_from(DTYPE_FLOAT32, shape_of(1, (int64_t)2), a),
                             tensor_from(DTYPE_FLOAT32, shape_of(1, (int64_t)2), b)};
    struct profile profile = profile_ieee();
    struct truth *truth = truth_of_call("matmul", NULL, 2, input);
    struct accept accept = accept_of("matmul", NULL, &profile, truth, 0, 0, false);
    cr_expect(accepts_double(&accept, 1 + 0x1p-12));
    cr_expect(accepts_double(&accept, 1 + 0x1p-12 + 0x1p-23));
    cr_expect_not(accepts_double(&accept, 1 + 0x1p-12 + 0x1p-21));
    cr_expect_not(accepts_double(&accept, 1));
    accept = accept_of("matmul", NULL, &profile, truth, 0, 0, true);
    cr_expect_not(accepts_double(&accept, 1 + 0x1p-12 + 0x1p-23));
    truth_destroy(&truth);
    struct attributes half = cast_to(ONNX_FLOAT16);
    profile.accumulate[DTYPE_FLOAT16] = DTYPE_FLOAT32;
    truth = truth_of_call("autocast_matmul", &half, 2, input);
    accept = accept_of("autocast_matmul", &half, &profile, truth, 0, 0, false);
    cr_expect(accepts_double(&accept, 1));
    cr_expect_not(accepts_double(&accept, 1 + 0x1p-10));
    cr_expect_not(accepts_double(&accept, 1 - 0x1p-10));
    truth_destroy(&truth);
    tensor_destroy(&input[0]);
    tensor_destroy(&input[1]);
}

/* A declared order: blocks of 128. The bound of 4,099 equal terms is 160/4,099 of that of any order. */
Test(matmul, a_declared_order_is_held_to_its_blocks)
{
    enum { LONG = 4099 };
    double *a = calloc(LONG, sizeof *a);
    cr_assert(a);
    for (int k = 0; k < LONG; k++) {
        a[k] = 1 + ldexp(1, -20);
    }
    struct tensor input[] = {tensor_from(DTYPE_FLOAT32, shape_of(1, (int64_t)LONG), a),
                             tensor_from(DTYPE_FLOAT32, shape_of(1, (int64_t)LONG), a)};
    struct truth *truth = truth_of_call("matmul", NULL, 2, input);
    struct profile profile = profile_ieee();
    double exact = value_approximately(&truth->output[0].value[0]), far = exact * (1 + 1000 * 0x1p-24);
    struct accept accept = accept_of("matmul", NULL, &profile, truth, 0, 0, false);
    cr_expect(accepts_double(&accept, far));
    profile.summation = SUMMATION_DECLARED;
    accept = accept_of("matmul", NULL, &profile, truth, 0, 0, false);
    cr_expect_not(accepts_double(&accept, far));
    cr_expect(accepts_double(&accept, exact * (1 + 100 * 0x1p-24)));
    truth_destroy(&truth);
    tensor_destroy(&input[0]);
    tensor_destroy(&input[1]);
    free(a);
}

static bool accepted(const char *name, struct shape a, struct shape b, struct shape *result)
{
    struct view view[] = {view_contiguous(0, DTYPE_FLOAT32, &a), view_contiguous(1, DTYPE_FLOAT32, &b)};
    struct attributes none = {.count = 0};
    struct op_operands operands = {.attributes = &none, .inputs = 2, .input = view};
    struct op_signature signature = {.outputs = 0};
    const struct op *op = op_find(name);
    bool good = op->signature(op, &operands, &signature, NULL);
    *result = signature.output[0].shape;
    return good;
}

Test(matmul, shapes)
{
    struct shape y;
    cr_expect(accepted("matmul", shape_of(1, (int64_t)3), shape_of(1, (int64_t)3), &y) && y.rank == 0);
    cr_expect(accepted("matmul", shape_of(2, (int64_t)2, (int64_t)3), shape_of(1, (int64_t)3), &y));
    cr_expect(y.rank == 1 && y.dim[0] == 2);
    cr_expect(accepted("matmul", shape_of(4, (int64_t)5, (int64_t)1, (int64_t)2, (int64_t)3),
                       shape_of(3, (int64_t)7, (int64_t)3, (int64_t)4), &y));
    cr_expect(y.rank == 4 && y.dim[0] == 5 && y.dim[1] == 7 && y.dim[2] == 2 && y.dim[3] == 4);
    cr_expect_not(accepted("matmul", shape_of(2, (int64_t)2, (int64_t)3), shape_of(1, (int64_t)2), &y));
    cr_expect_not(accepted("matmul", shape_of(3, (int64_t)2, (int64_t)2, (int64_t)3),
                           shape_of(3, (int64_t)3, (int64_t)3, (int64_t)3), &y));
    cr_expect_not(accepted("matmul", shape_of(0), shape_of(1, (int64_t)1), &y));
    cr_expect(accepted("linear", shape_of(3, (int64_t)6, (int64_t)2, (int64_t)3),
                       shape_of(2, (int64_t)4, (int64_t)3), &y));
    cr_expect(y.rank == 3 && y.dim[0] == 6 && y.dim[1] == 2 && y.dim[2] == 4);
    cr_expect(accepted("mv", shape_of(2, (int64_t)2, (int64_t)0), shape_of(1, (int64_t)0), &y));
    cr_expect(y.rank == 1 && y.dim[0] == 2);
    cr_expect_not(accepted("mv", shape_of(2, (int64_t)2, (int64_t)3), shape_of(1, (int64_t)2), &y));
    cr_expect_not(accepted("mv", shape_of(1, (int64_t)3), shape_of(1, (int64_t)3), &y));
    cr_expect_not(
        accepted("mv", shape_of(3, (int64_t)1, (int64_t)2, (int64_t)3), shape_of(1, (int64_t)3), &y));
    cr_expect_not(
        accepted("mv", shape_of(2, (int64_t)2, (int64_t)3), shape_of(2, (int64_t)3, (int64_t)1), &y));
    cr_expect_not(accepted("mv", shape_of(2, (int64_t)2, (int64_t)1), shape_of(0), &y));
    cr_expect_not(accepted("linear", shape_of(1, (int64_t)4), shape_of(2, (int64_t)4, (int64_t)3), &y));
}

/* --- the enclosure beside the truth */

static struct truth *enclosure_of(const char *name, const struct attributes *attributes, int inputs,
                                  const struct tensor *input)
{
    struct view view[3];
    struct op_signature signature;
    struct error error = {.text = ""};
    const struct op *op = op_find(name);
    for (int i = 0; i < inputs; i++) {
        view[i] = view_contiguous(i, input[i].dtype, &input[i].shape);
    }
    struct op_operands operands = {.attributes = attributes, .inputs = inputs, .input = view};
    struct op_call call = {
        .op = op, .attributes = attributes, .inputs = inputs, .input = input, .enclosed = true};
    cr_assert(op_signature(op, &operands, &signature, &error), "%s", error.text);
    struct truth *truth = op_truth(&call, &signature, &error);
    cr_assert_not_null(truth, "%s", error.text);
    return truth;
}

/* Values lie within their radii; all else is equal to the certified truth, except that MAGNITUDE may be
 * slightly greater. */
static void check_enclosure(const struct truth_output *truth, const struct truth_output *enclosed)
{
    cr_assert_not_null(enclosed->radius);
    for (int64_t e = 0; e < truth->elements; e++) {
        const double *s = &truth->sensitivity[e * PRODUCT_SUM_SENSITIVITIES],
                     *t = &enclosed->sensitivity[e * PRODUCT_SUM_SENSITIVITIES];
        for (int k = 0; k < PRODUCT_SUM_SENSITIVITIES; k++) {
            bool same = k == MAGNITUDE ? t[k] >= s[k] && t[k] <= s[k] * (1 + 0x1p-40)
                                       : s[k] == t[k] || (isnan(s[k]) && isnan(t[k]));
            cr_assert(same, "sensitivity %d of element %lld: %a and %a", k, (long long)e, s[k], t[k]);
        }
        const struct value *v = &truth->value[e], *w = &enclosed->value[e];
        cr_assert_eq(v->class, w->class);
        cr_assert(v->class != VALUE_FINITE ||
                  fabs((w->hi - v->hi) + (w->lo - v->lo)) <= enclosed->radius[e] * (1 + 0x1p-30));
        cr_assert(v->class != VALUE_FINITE || memcmp(&truth->envelope[e], &enclosed->envelope[e],
                                                     offsetof(struct envelope, group_spread)) == 0);
    }
}

/* The sum and max|A|·max|B| of each batch, in plain loops: a of [2, 3, 4, 7], b of [3, 7, 9] or one weight;
 * where all numbers are finite. */
static void check_batches(const struct truth_output *enclosed, bool linear, const double *a, const double *b)
{
    for (int64_t e = 0; e < enclosed->elements; e++) {
        int64_t batch = e / 36;
        const double *x = &a[batch * 28], *y = linear ? b : &b[batch % 3 * 63];
        double left = 0, right = 0, sum = 0;
        for (int i = 0; i < 28; i++) {
            left = fmax(left, fabs(x[i]));
        }
        for (int i = 0; i < 63; i++) {
            right = fmax(right, fabs(y[i]));
        }
        for (int k = 0; k < 7; k++) {
            sum += x[e / 9 % 4 * 7 + k] * y[linear ? e % 9 * 7 + k : k * 9 + e % 9];
        }
        cr_assert_eq(enclosed->sensitivity[e * PRODUCT_SUM_SENSITIVITIES + GREATEST],
                     left * right * (1 + 0x1p-52));
        cr_assert(linear || fabs(sum - enclosed->value[e].hi) < 1e-13 * left * right);
    }
}

enum odd { PLAIN, SUBNORMALS, SPECIALS, EDGES, ODDITIES };

/* EDGES: what a cast to float16 takes to its greatest number, out of the range, to its least number, to 0. */
static void plant(enum odd odd, enum dtype dtype, double *x, int64_t count)
{
    const double edge[] = {65519, -65521, 0x1.8p-25, -0x1p-26, 0x1.ffffp14};
    for (int64_t i = 5; odd != PLAIN && i < count; i += 61) {
        x[i] = odd == SUBNORMALS ? dtype_least_subnormal(dtype) * (double)(1 + i % 7)
               : odd == EDGES    ? number_of(dtype, edge[i % 5])
               : i % 2           ? INFINITY
                                 : NAN;
    }
}

static void check_pair(enum dtype dtype, int64_t code, bool linear, enum odd odd, uint64_t seed)
{
    double a[6 * 4 * 7], b[3 * 7 * 9], bias[9];
    struct attributes attributes = cast_to(code);
    fill(a, 6 * 4 * 7, seed, 3);
    fill(b, 3 * 7 * 9, seed + 100, 3);
    fill(bias, 9, seed + 200, 3);
    plant(odd, dtype, a, 6 * 4 * 7);
    plant(odd, dtype, b, linear ? 63 : 3 * 63);
    plant(odd, dtype, bias, odd == SPECIALS ? 0 : 9);
    const struct shape batches = {.rank = 4, .dim = {2, 3, 4, 7}};
    struct tensor input[] = {tensor_from(dtype, batches, a),
                             linear ? tensor_from(dtype, shape_of(2, (int64_t)9, (int64_t)7), b)
                                    : tensor_from(dtype, shape_of(3, (int64_t)3, (int64_t)7, (int64_t)9), b),
                             tensor_from(dtype, shape_of(1, (int64_t)9), bias)};
    const char *name = code ? linear ? "autocast_linear" : "autocast_matmul" : linear ? "linear" : "matmul";
    struct truth *truth = truth_of_call(name, &attributes, linear ? 3 : 2, input),
                 *enclosed = enclosure_of(name, &attributes, linear ? 3 : 2, input);
    check_enclosure(&truth->output[0], &enclosed->output[0]);
    cr_assert(code || (odd == SUBNORMALS) == (truth->flushed != NULL) || odd == EDGES);
    if (truth->flushed) {
        check_enclosure(&truth->flushed->output[0], &enclosed->flushed->output[0]);
    }
    if (odd == PLAIN && dtype == DTYPE_FLOAT64) {
        check_batches(&enclosed->output[0], linear, a, b);
    }
    truth_destroy(&truth);
    truth_destroy(&enclosed);
    for (int i = 0; i < 3; i++) {
        tensor_destroy(&input[i]);
    }
}

Test(matmul, an_enclosure_is_the_truth_but_for_its_radius)
{
    const struct {
        enum dtype dtype;
        int64_t code;
    } taken[] = {{DTYPE_FLOAT16, 0}, {DTYPE_BFLOAT16, 0},           {DTYPE_FLOAT32, 0},
                 {DTYPE_FLOAT64, 0}, {DTYPE_FLOAT32, ONNX_FLOAT16}, {DTYPE_FLOAT32, ONNX_BFLOAT16}};
    for (int round = 0; round < 6 * 2 * ODDITIES; round++) {
        check_pair(taken[round % 6].dtype, taken[round % 6].code, round / 6 % 2, (enum odd)(round / 12),
                   (uint64_t)round);
    }
}

/* The enclosure of mv; its truth is matmul's product of the matrix and a column. */
Test(matmul, mv_is_one_column)
{
    for (int round = 0; round < 4 * ODDITIES; round++) {
        const enum dtype dtypes[] = {DTYPE_FLOAT16, DTYPE_BFLOAT16, DTYPE_FLOAT32, DTYPE_FLOAT64};
        double a[24 * 70], b[70];
        fill(a, 24 * 70, (uint64_t)round, 3);
        fill(b, 70, (uint64_t)round + 100, 3);
        plant((enum odd)(round / 4), dtypes[round % 4], a, 24 * 70);
        struct tensor input[] = {tensor_from(dtypes[round % 4], shape_of(2, (int64_t)24, (int64_t)70), a),
                                 tensor_from(dtypes[round % 4], shape_of(1, (int64_t)70), b)};
        struct truth *truth = truth_of_call("mv", NULL, 2, input),
                     *enclosed = enclosure_of("mv", &(struct attributes){.count = 0}, 2, input);
        check_enclosure(&truth->output[0], &enclosed->output[0]);
        truth_destroy(&enclosed);
        input[1].shape = shape_of(2, (int64_t)70, (int64_t)1);
        enclosed = enclosure_of("matmul", &(struct attributes){.count = 0}, 2, input);
        cr_expect_eq(enclosed->output[0].elements, 24);
        check_enclosure(&truth->output[0], &enclosed->output[0]);
        truth_destroy(&enclosed);
        truth_destroy(&truth);
        tensor_destroy(&input[0]);
        tensor_destroy(&input[1]);
    }
}
