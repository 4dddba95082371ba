/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "suites/problems.h"
#include "reference/numeric/elementary/portable.h"
#include "suites/build.h"

#include <math.h>
#include <string.h>

static const char *const data_names[PROBLEM_KINDS] = {
    [PROBLEM_NORMAL] = "N(0,1)",           [PROBLEM_UNIFORM] = "U(0,1)",
    [PROBLEM_LOG_UNIFORM] = "log-uniform", [PROBLEM_LOG_UNIFORM_POSITIVE] = "log-uniform+",
    [PROBLEM_MEAN_10] = "mean-10",         [PROBLEM_MEAN_1001] = "mean-1001",
    [PROBLEM_MEAN_50] = "mean-50.7",       [PROBLEM_MEAN_12345] = "mean-12345",
    [PROBLEM_SQUARES] = "squares",         [PROBLEM_EIGHTH] = "|N|^8",
    [PROBLEM_EXPONENTIAL] = "exp(4N)",     [PROBLEM_OUTLIER] = "outlier-last",
    [PROBLEM_CAUCHY] = "cauchy",           [PROBLEM_SMALL_MATRIX] = "N(0,1/n)",
    [PROBLEM_LARGE_MATRIX] = "8N(0,1/n)",  [PROBLEM_SKEW] = "skew",
    [PROBLEM_GENERATOR] = "generator"};

const char *problem_data_name(enum problem_data data)
{
    return data_names[data];
}

/* Sum of twelve uniforms: mean 0, variance 1, by exact arithmetic. */
static double normal(struct philox *generator)
{
    uint64_t sum = 0;
    for (int k = 0; k < 12; k++) {
        sum += philox_next64(generator) >> 16;
    }
    return (double)sum * 0x1p-48 - 6;
}

static double uniform(struct philox *generator)
{
    return ((double)(philox_next64(generator) >> 11) + 0.5) * 0x1p-53;
}

static double draw(struct philox *g, enum problem_data data, int64_t n)
{
    double z = normal(g);
    switch (data) {
    case PROBLEM_UNIFORM:
        return uniform(g);
    case PROBLEM_LOG_UNIFORM:
    case PROBLEM_LOG_UNIFORM_POSITIVE:
        return portable_exp(M_LN10 * (12 * uniform(g) - 6)) * (data == PROBLEM_LOG_UNIFORM && z < 0 ? -1 : 1);
    case PROBLEM_MEAN_10:
        return 10 + z;
    case PROBLEM_MEAN_1001:
        return 1001 + z;
    case PROBLEM_MEAN_50:
        return 50.7 + 0.05 * z;
    case PROBLEM_MEAN_12345:
        return 12345.678 + 12 * z;
    case PROBLEM_SQUARES:
        return z * z;
    case PROBLEM_EIGHTH:
        return z * z * z * z * z * z * z * z;
    case PROBLEM_EXPONENTIAL:
        return portable_exp(4 * z);
    case PROBLEM_CAUCHY:
        return portable_tan(M_PI * (uniform(g) - 0.5));
    case PROBLEM_SMALL_MATRIX:
        return z / sqrt((double)n);
    case PROBLEM_LARGE_MATRIX:
        return 8 * z / sqrt((double)n);
    case PROBLEM_SKEW:
        return 3 * z / sqrt((double)n);
    case PROBLEM_GENERATOR:
        return fabs(z);
    default:
        return z;
    }
}

static struct view tensor(struct builder *b, const struct problem *p, int number, enum problem_data data,
                          struct shape shape)
{
    struct view view = build_tensor(b, p->dtype, &shape, LAYOUT_CONTIGUOUS);
    struct philox generator = build_generator(b, number);
    int64_t row = shape.rank ? shape.dim[shape.rank - 1] : 1;
    for (int64_t i = 0; i < shape_elements(&shape); i++) {
        double x = draw(&generator, data, p->size);
        build_set(b, &view, i, data == PROBLEM_OUTLIER && i % row == row - 1 ? 1e4 : x);
    }
    build_origin(b, &view, true);
    return view;
}

/* One square matrix. */
static struct view matrix(struct builder *b, const struct problem *p)
{
    int64_t n = p->size;
    struct view view = tensor(b, p, 0, p->data, shape_of(2, n, n));
    struct philox generator = build_generator(b, 0);
    double a[256 * 256];
    for (int64_t i = 0; i < n * n && n <= 256; i++) {
        a[i] = draw(&generator, p->data, n);
    }
    for (int64_t i = 0; i < n && n <= 256 && p->data == PROBLEM_SKEW; i++) {
        for (int64_t j = 0; j < n; j++) {
            build_set(b, &view, i * n + j, a[i * n + j] - a[j * n + i]);
        }
    }
    for (int64_t i = 0; i < n && n <= 256 && p->data == PROBLEM_GENERATOR; i++) {
        double sum = 0;
        for (int64_t j = 0; j < n; j++) {
            sum += i == j ? 0 : a[i * n + j];
        }
        build_set(b, &view, i * n + i, -sum);
    }
    return view;
}

static struct attributes one_integer(const char *name, int64_t x)
{
    struct attributes a = {.count = 1};
    a.item[0] = (struct attribute){.name = name, .type = ATTRIBUTE_INTEGER, .integer = x};
    return a;
}

static struct attributes one_list(const char *name, struct integers integers)
{
    struct attributes a = {.count = 1};
    a.item[0] = (struct attribute){.name = name, .type = ATTRIBUTE_INTEGERS, .integers = integers};
    return a;
}

/* A call that a row of the table builds: operands and attributes. */
struct call {
    struct view input[5];
    int inputs;
    struct attributes attributes;
};

enum { ROWS = 32 }; /* independent groups */

static int64_t side(const struct problem *p) /* rows and columns of a product's result */
{
    return p->size < 1024 ? 16 : 32;
}

static void make_product(struct builder *b, const struct problem *p, struct call *call)
{
    bool linear = strcmp(p->op, "linear") == 0;
    int64_t n = side(p);
    call->input[0] = tensor(b, p, 0, p->data, shape_of(2, n, p->size));
    call->input[1] = tensor(b, p, 1, p->data, linear ? shape_of(2, n, p->size) : shape_of(2, p->size, n));
    call->inputs = 2 + linear;
    if (linear) {
        call->input[2] = tensor(b, p, 2, PROBLEM_NORMAL, shape_of(1, n));
    }
}

static void make_norm(struct builder *b, const struct problem *p, struct call *call)
{
    bool whole = strcmp(p->op, "matrix_norm") == 0 && p->size % 4 == 0;
    call->input[0] = tensor(b, p, 0, p->data,
                            strcmp(p->op, "matrix_norm") != 0 ? shape_of(2, (int64_t)ROWS, p->size)
                            : whole ? shape_of(3, (int64_t)ROWS, (int64_t)4, p->size / 4)
                                    : shape_of(3, (int64_t)ROWS, (int64_t)1, p->size));
    call->inputs = 1;
    if (strcmp(p->op, "vector_norm") == 0) {
        call->attributes = one_list("dim", integers_of(1, (int64_t)1));
    }
}

/* Layer, RMS, group, instance and batch normalization and their gradients, with weights in (0, 1). */
static void make_normalization(struct builder *b, const struct problem *p, struct call *call)
{
    bool gradient = strstr(p->op, "_backward") != NULL, layer = strncmp(p->op, "layer", 5) == 0;
    bool rms = strncmp(p->op, "rms", 3) == 0, batch = strncmp(p->op, "batch", 5) == 0;
    bool instance = strncmp(p->op, "instance", 8) == 0, rows = layer || rms;
    int64_t channels = rows ? p->size : 16, half = p->size % 2 == 0 ? p->size / 2 : p->size;
    struct shape x = rows       ? shape_of(2, (int64_t)ROWS, p->size)
                     : batch    ? shape_of(3, p->size % 2 == 0 ? (int64_t)2 : (int64_t)1, channels, half)
                     : instance ? shape_of(3, (int64_t)2, channels, p->size)
                                : shape_of(3, (int64_t)4, channels, p->size % 2 == 0 ? half : p->size);
    struct shape parameters = shape_of(1, channels);
    int at = 0;
    if (gradient) {
        call->input[at++] = tensor(b, p, 9, PROBLEM_NORMAL, x);
    }
    call->input[at++] = tensor(b, p, 0, p->data, x);
    for (int k = 0; k < (batch || (instance && !gradient) ? 2 : 0); k++) {
        call->input[at++] = (struct view){.storage = -1};
    }
    call->input[at++] = tensor(b, p, 1, PROBLEM_UNIFORM, parameters);
    if (!gradient && !rms) {
        call->input[at++] = tensor(b, p, 2, PROBLEM_NORMAL, parameters);
    }
    call->inputs = at;
    call->attributes = rows    ? one_list("normalized_shape", integers_of(1, p->size))
                       : batch ? one_integer("training", 1)
                               : one_integer("num_groups", 8);
    call->attributes.item[0].type = batch ? ATTRIBUTE_BOOL : call->attributes.item[0].type;
    call->attributes.count = !instance;
}

/* Windows of 3 × 3 on as many channels as `size` has nines, of 1 × 1 on `size` channels otherwise. */
static void make_convolution(struct builder *b, const struct problem *p, struct call *call)
{
    const int64_t window = p->size % 9 == 0 ? 3 : 1, channels = p->size / (window * window),
                  side_of = 3 + window;
    call->input[0] = tensor(b, p, 0, p->data, shape_of(4, (int64_t)1, channels, side_of, side_of));
    call->input[1] = tensor(b, p, 1, p->data, shape_of(4, (int64_t)16, channels, window, window));
    call->inputs = 2;
}

/* `size` keys of 64 numbers. */
static void make_attention(struct builder *b, const struct problem *p, struct call *call)
{
    const int64_t queries = 16, width = 64;
    call->input[0] = tensor(b, p, 0, p->data, shape_of(3, (int64_t)1, queries, width));
    call->input[1] = tensor(b, p, 1, p->data, shape_of(3, (int64_t)1, p->size, width));
    call->input[2] = tensor(b, p, 2, p->data, shape_of(3, (int64_t)1, p->size, queries));
    call->inputs = 3;
}

/* A CSR matrix whose rows have an entry in each of `size` columns. */
static void make_sparse(struct builder *b, const struct problem *p, struct call *call)
{
    int64_t n = p->size, entries = (int64_t)ROWS * n;
    struct shape crow = shape_of(1, (int64_t)ROWS + 1), column = shape_of(1, entries);
    call->input[0] = build_tensor(b, DTYPE_INT64, &crow, LAYOUT_CONTIGUOUS);
    call->input[1] = build_tensor(b, DTYPE_INT64, &column, LAYOUT_CONTIGUOUS);
    for (int64_t i = 0; i <= ROWS; i++) {
        build_set_bits(b, &call->input[0], i, 0, (uint64_t)(i * n));
    }
    for (int64_t i = 0; i < entries; i++) {
        build_set_bits(b, &call->input[1], i, 0, (uint64_t)(i % n));
    }
    call->input[2] = tensor(b, p, 0, p->data, shape_of(1, entries));
    call->input[3] = tensor(b, p, 1, p->data, shape_of(1, n));
    call->inputs = 4;
    call->attributes = one_list("size", integers_of(2, (int64_t)ROWS, n));
}

static void make_matrix(struct builder *b, const struct problem *p, struct call *call)
{
    call->input[0] = matrix(b, p);
    call->inputs = 1;
}

static const struct maker {
    const char *op;
    void (*make)(struct builder *b, const struct problem *p, struct call *call);
} makers[] = {{"matmul", make_product},
              {"linear", make_product},
              {"conv2d", make_convolution},
              {"scaled_dot_product_attention", make_attention},
              {"csr_mv", make_sparse},
              {"vector_norm", make_norm},
              {"matrix_norm", make_norm},
              {"layer_norm", make_normalization},
              {"rms_norm", make_normalization},
              {"group_norm", make_normalization},
              {"instance_norm", make_normalization},
              {"batch_norm", make_normalization},
              {"layer_norm_backward", make_normalization},
              {"rms_norm_backward", make_normalization},
              {"group_norm_backward", make_normalization},
              {"instance_norm_backward", make_normalization},
              {"batch_norm_backward", make_normalization},
              {"logdet", make_matrix},
              {"slogdet", make_matrix},
              {"matrix_exp", make_matrix},
              {NULL, NULL}};

const char *problem_operator(int index)
{
    return makers[index].op;
}

static const struct maker *maker_of(const char *op)
{
    const struct maker *maker = makers;
    while (maker->op && strcmp(maker->op, op) != 0) {
        maker++;
    }
    return maker->op ? maker : NULL;
}

bool problem_is_matrix(const char *op)
{
    const struct maker *maker = maker_of(op);
    return maker && maker->make == make_matrix;
}

struct program *problem_build(const struct problem *problem, struct error *error)
{
    const struct maker *maker = maker_of(problem->op);
    struct suite_case c = {
        .op = op_find(problem->op), .dtype = problem->dtype, .name = "problem", .file = __FILE__};
    struct program *program = maker && c.op ? program_create() : NULL;
    if (!program) {
        error_set(error, "no random problems are made for \"%s\"", problem->op);
        return NULL;
    }
    struct builder b = builder_of(&c, problem->seed, program, error);
    struct call call = {.inputs = 0};
    maker->make(&b, problem, &call);
    build_step(&b, c.op, &call.attributes, call.inputs, call.input);
    if (!build_done(&b)) {
        program_destroy(&program);
    }
    return program;
}
