/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reference/ops/convolution/test/convolution_judged.h"
#include "harness/judge/statistics/evidence.h"
#include "reference/ops/convolution/convolution_shape.h"

static double held(enum dtype dtype, double x)
{
    unsigned char bytes[8];
    dtype_store(dtype, bytes, x);
    return dtype_load(dtype, bytes);
}

/* A number with as many random bits as any dtype here holds. */
static double unit(struct philox *g)
{
    return (philox_unit(g) + philox_unit(g) * 0x1p-24 + philox_unit(g) * 0x1p-48) *
           (philox_below(g, 2) ? 1 : -1);
}

static double *filled(int64_t count, enum dtype dtype, enum convolution_data data, struct philox *g)
{
    double *x = malloc(((size_t)count + 1) * sizeof *x);
    cr_assert(x);
    for (int64_t i = 0; i < count; i++) {
        x[i] = unit(g);
        x[i] = data == DATA_RELU       ? fmax(x[i] + 0.25, 0)
               : data == DATA_MEAN     ? x[i] + 8
               : data == DATA_WIDE     ? ldexp(x[i], (int)philox_below(g, 9) - 4)
               : data == DATA_INTEGERS ? (int)philox_below(g, 17) - 8
                                       : x[i];
        x[i] = held(dtype, x[i]);
    }
    if (data == DATA_OUTLIER && count > 0) {
        x[philox_below(g, (uint32_t)count)] = held(dtype, 1000 * unit(g));
    }
    return x;
}

static struct tensor side_tensor(const struct judged_case *c, enum side side)
{
    return tensor_from(c->dtype, c->shape[side], c->x[side]);
}

static void make_tensors(struct judged_case *c)
{
    const bool gradient = c->op->variant & CONVOLUTION_GRADIENT;
    c->inputs = gradient || c->bias ? 3 : 2;
    c->input[0] = side_tensor(c, gradient ? c->to : c->from);
    c->input[1] = side_tensor(c, gradient ? c->from : SIDE_WEIGHT);
    if (gradient) {
        c->input[2] = side_tensor(c, SIDE_WEIGHT);
    } else if (c->bias) {
        c->input[2] = tensor_from(c->dtype, shape_of(1, c->shape[c->to].dim[1]), c->bias);
    }
}

static void fill_operands(struct judged_case *c, struct philox *g)
{
    for (int side = 0; side < SIDES; side++) {
        c->shape[side] = convolution_case_shape(&c->p, (enum side)side);
        enum convolution_data data = side == SIDE_WEIGHT && c->data != DATA_INTEGERS ? DATA_UNIFORM : c->data;
        c->x[side] = filled(shape_elements(&c->shape[side]), c->dtype, data, g);
    }
    if (!(c->op->variant & CONVOLUTION_GRADIENT) && philox_below(g, 2)) {
        c->bias = filled(c->shape[c->to].dim[1], c->dtype, c->data, g);
    }
}

/* Gives the case the profile that declares Winograd's algorithm, and the call what it then assumes. */
static void declare(struct judged_case *c, int winograd)
{
    static const struct operator_algorithm declared[2][5] = {{{"conv2d", 0, 2},
                                                              {"conv_transpose2d", 0, 2},
                                                              {"conv2d_backward", 0, 2},
                                                              {"conv_transpose2d_backward", 0, 2},
                                                              {NULL, 0, 0}},
                                                             {{"conv2d", 0, 4},
                                                              {"conv_transpose2d", 0, 4},
                                                              {"conv2d_backward", 0, 4},
                                                              {"conv_transpose2d_backward", 0, 4},
                                                              {NULL, 0, 0}}};
    struct view view[3];
    for (int i = 0; i < c->inputs; i++) {
        view[i] = view_contiguous(i, c->input[i].dtype, &c->input[i].shape);
    }
    const struct op_operands operands = {.attributes = &c->attributes, .inputs = c->inputs, .input = view};
    c->profile.algorithms = declared[winograd == 4];
    cr_assert(c->op->assumes(c->op, &c->profile, &operands, &c->attributes.item[c->attributes.count]));
    c->attributes.count++;
}

void judged_open_case(struct judged_case *c, const char *op, const struct convolution_case *p, int winograd,
                      enum dtype dtype, enum convolution_data data, struct philox *g)
{
    *c = (struct judged_case){.op = op_find(op),
                              .p = *p,
                              .attributes = convolution_case_attributes(p),
                              .dtype = dtype,
                              .data = data,
                              .profile = profile_ieee(),
                              .from = p->transposed ? SIDE_Y : SIDE_X,
                              .to = p->transposed ? SIDE_X : SIDE_Y};
    c->profile.accumulate[DTYPE_FLOAT16] = c->profile.accumulate[DTYPE_BFLOAT16] = DTYPE_FLOAT32;
    fill_operands(c, g);
    make_tensors(c);
    if (winograd > 0) {
        declare(c, winograd);
    }
    c->truth = any_truth_of_call(op, &c->attributes, c->inputs, c->input, true);
}

static void close_tensors(struct judged_case *c)
{
    for (int i = 0; i < c->inputs; i++) {
        tensor_destroy(&c->input[i]);
    }
    truth_destroy(&c->truth);
}

void judged_change(struct judged_case *c)
{
    close_tensors(c);
    make_tensors(c);
    c->truth = any_truth_of_call(c->op->name, &c->attributes, c->inputs, c->input, true);
}

void judged_open(struct judged_case *c, const char *op, uint64_t number, int64_t size)
{
    static const enum dtype dtypes[] = {DTYPE_FLOAT32, DTYPE_FLOAT16, DTYPE_FLOAT32, DTYPE_BFLOAT16,
                                        DTYPE_FLOAT32, DTYPE_FLOAT16, DTYPE_FLOAT64, DTYPE_BFLOAT16};
    const struct op *of = op_find(op);
    struct convolution_case p;
    struct philox g;
    philox_start(&g, number * 1009 + (uint64_t)of->variant);
    do {
        p = convolution_case_any(&g, of->variant & CONVOLUTION_RANK, of->variant & CONVOLUTION_TRANSPOSED);
    } while (convolution_case_triples(&p) > size || p.batch == 0);
    judged_open_case(c, op, &p, 0, dtypes[number % 8], (enum convolution_data)(number / 8 % DATA_KINDS), &g);
}

void judged_close(struct judged_case *c)
{
    for (int side = 0; side < SIDES; side++) {
        free(c->x[side]);
    }
    free(c->bias);
    close_tensors(c);
}

struct convolution_terms judged_terms(const struct judged_case *c, int output)
{
    if (!(c->op->variant & CONVOLUTION_GRADIENT)) {
        return convolution_terms_of(&c->p, c->to, c->x);
    }
    return output == 2 ? convolution_terms_of_channels(&c->shape[c->to], c->x[c->to])
                       : convolution_terms_of(&c->p, output == 1 ? SIDE_WEIGHT : c->from, c->x);
}

struct judged_verdict judged_result(const struct judged_case *c, int output, const double *got)
{
    const struct truth_output *out = &c->truth->output[output];
    struct judged_verdict v = {.refused = false};
    struct evidence evidence;
    cr_assert(evidence_open(&evidence, out->elements, out->dtype, true));
    struct bound_query query = {.op = c->op,
                                .profile = &c->profile,
                                .attributes = &c->attributes,
                                .truth = c->truth,
                                .output = output};
    for (query.element = 0; query.element < out->elements; query.element++) {
        struct accept accept;
        struct envelope_limit limit;
        unsigned char bytes[8];
        op_accept(&query, &accept);
        op_envelope(&query, &limit);
        dtype_store(out->dtype, bytes, got[query.element]);
        struct accept_verdict verdict = accept_judge(&accept, bytes);
        v.refused = v.refused || !verdict.accepted;
        v.bound = fmax(v.bound, verdict.error_over_bound);
        v.q = fmax(v.q, evidence_add(&evidence, &query, &accept, &limit, bytes));
    }
    struct evidence_statistics s;
    cr_assert(evidence_end_slice(&evidence));
    evidence_measure(&evidence, &s);
    v.t = s.t;
    v.g = s.g;
    evidence_close(&evidence);
    return v;
}

bool judged_passes(const struct judged_verdict *v)
{
    return !v->refused && v->q <= 1 && v->t <= EVIDENCE_T_LIMIT && v->g <= EVIDENCE_G_LIMIT;
}
