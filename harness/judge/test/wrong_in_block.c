/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Wrong operators inside an encoder block, forward and backward: the first wrong step that is reported is the
 * wrong one. Six defects that implementations have had, on random blocks of every kind. */

#include "harness/judge/test/cpu_case.h"
#include "suites/block/encoder.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { TRIALS = 30, LEAST = 95 /* of a hundred trials */ };

/* Which step is wrong: the `nth` of the operator, or the first linear layer with a square weight. `change`
 * alters the call, `spoil` what it left; either may be NULL. */
struct defect {
    const char *name, *op;
    void (*change)(struct step *step);
    void (*spoil)(const struct step *step, unsigned char **image);
    enum heads_mask mask; /* of all blocks that show it */
    bool gelu, square;
    bool several; /* a sample with a single key would not show it */
};

static const struct defect *defect;
static int wrong_step; /* of the latest run */

static unsigned char *place(unsigned char **image, const struct view *view, int64_t i)
{
    return image[view->storage] + BACKEND_GUARD +
           (size_t)view_element(view, i) * dtype_info(view->dtype)->size;
}

static double number(unsigned char **image, const struct view *view, int64_t i)
{
    return dtype_load(view->dtype, place(image, view, i));
}

static void put(unsigned char **image, const struct view *view, int64_t i, double x)
{
    dtype_store(view->dtype, place(image, view, i), x);
}

/* layer_norm with the variance over n − 1. */
static void sample_variance(const struct step *step, unsigned char **image)
{
    const struct view *y = &step->output[0], *bias = &step->input[2];
    const int64_t n = bias->shape.dim[0];
    for (int64_t i = 0; i < shape_elements(&y->shape); i++) {
        const double b = number(image, bias, i % n);
        put(image, y, i, (number(image, y, i) - b) * sqrt((double)(n - 1) / (double)n) + b);
    }
}

static void by_tanh(struct step *step)
{
    step->attributes = (struct attributes){
        .count = 1, .item = {{.name = "approximate", .type = ATTRIBUTE_CHOICE, .integer = 1}}};
}

static void key_without_scale(const struct step *step, unsigned char **image)
{
    const struct view *grad = &step->output[1];
    const double factor = sqrt((double)grad->shape.dim[3]);
    for (int64_t i = 0; i < shape_elements(&grad->shape); i++) {
        put(image, grad, i, number(image, grad, i) * factor);
    }
}

/* Query i sees key i + 1 too. */
static void one_key_more(const struct step *step, unsigned char **image)
{
    const struct view *q = &step->input[0], *k = &step->input[1], *v = &step->input[2], *y = &step->output[0];
    const int64_t length = q->shape.dim[2], dim = q->shape.dim[3];
    const int64_t heads = q->shape.dim[0] * q->shape.dim[1];
    for (int64_t row = 0; row < heads * length; row++) {
        const int64_t first = row / length * length, query = row % length;
        const int64_t keys = query + 2 < length ? query + 2 : length;
        double mixed[64] = {0}, sum = 0;
        for (int64_t j = first; j < first + keys; j++) {
            double score = 0;
            for (int64_t d = 0; d < dim; d++) {
                score += number(image, q, row * dim + d) * number(image, k, j * dim + d);
            }
            const double p = exp(score / sqrt((double)dim));
            sum += p;
            for (int64_t d = 0; d < dim; d++) {
                mixed[d] += p * number(image, v, j * dim + d);
            }
        }
        for (int64_t d = 0; d < dim; d++) {
            put(image, y, row * dim + d, mixed[d] / sum);
        }
    }
}

static void transposed(struct step *step)
{
    step->input[1] = view_transposed(&step->input[1]);
}

static void twice(struct step *step)
{
    step->attributes =
        (struct attributes){.count = 1, .item = {{.name = "alpha", .type = ATTRIBUTE_REAL, .real = 2}}};
}

static const struct defect defects[] = {
    {.name = "layer_norm with n − 1", .op = "layer_norm", .spoil = sample_variance},
    {.name = "gelu in its tanh form", .op = "gelu", .change = by_tanh, .gelu = true},
    {.name = "gradient of the keys without scale",
     .op = "scaled_dot_product_attention_backward",
     .spoil = key_without_scale,
     .several = true},
    {.name = "causal mask off by one",
     .op = "scaled_dot_product_attention",
     .spoil = one_key_more,
     .mask = HEADS_CAUSAL},
    {.name = "linear with a transposed weight", .op = "linear", .change = transposed, .square = true},
    {.name = "residual added twice", .op = "add", .change = twice},
};

static bool is_wrong(const struct step *step)
{
    const struct shape *weight = &step->input[1].shape;
    return strcmp(step->op->name, defect->op) == 0 && (!defect->square || weight->dim[0] == weight->dim[1]);
}

static bool run(struct backend *backend, const struct program *program, struct backend_run *r,
                struct error *error)
{
    wrong_step = -1;
    for (int s = 0; s < program->steps; s++) {
        struct step step = program->step[s];
        struct program one = *program;
        struct backend_run part = *r;
        const bool wrong = wrong_step < 0 && is_wrong(&step);
        if (wrong && defect->change) {
            defect->change(&step);
        }
        one.step = &step;
        one.steps = 1;
        part.result = &r->result[s];
        if (!backend_class_cpu.run(backend, &one, &part, error)) {
            return false;
        }
        if (wrong && defect->spoil) {
            defect->spoil(&step, r->image);
        }
        wrong_step = wrong ? s : wrong_step;
    }
    return true;
}

static void build(struct builder *b)
{
    struct block block = block_begin(b);
    encoder_build(&block, b->c->row, true);
}

/* Runs a random block with the defect. Returns whether its step is named as the first wrong one. */
static bool is_named(struct philox *g, enum dtype dtype, uint64_t seed)
{
    const struct block_call call = {
        .value = {[HEADS_BATCH] = 1 + philox_below(g, 3),
                  [HEADS_LENGTH] = 5 + philox_below(g, 5),
                  [HEADS_HEADS] = 1 + philox_below(g, 3),
                  [HEADS_DIM] = 8 + 2 * philox_below(g, 3),
                  [HEADS_DTYPE] = dtype,
                  [HEADS_MASK] =
                      defect->mask ? defect->mask : (int64_t)philox_below(g, defect->several ? 2 : 3),
                  [HEADS_PACKED] = philox_below(g, 2),
                  [ENCODER_POST] = philox_below(g, 2),
                  [ENCODER_RELU] = !defect->gelu && philox_below(g, 2)}};
    const struct suite_case c = {.op = op_find("layer_norm"),
                                 .dtype = dtype,
                                 .name = "declared",
                                 .covers = "",
                                 .file = __FILE__,
                                 .line = __LINE__,
                                 .build = build,
                                 .row = &call};
    const struct case_options options = {.seed = seed, .repeat = 1};
    struct backend_class class = backend_class_cpu;
    struct error error = {.text = ""};
    struct record record;
    class.run = run;
    struct backend *cpu = backend_class_cpu.open(&(struct backend_options){.selector = NULL}, &error);
    cr_assert(cpu, "%s", error.text);
    cr_assert(case_run(&c, "block/layer_norm/float32/declared", &class, cpu, &options, &record));
    backend_class_cpu.close(&cpu);
    char step[64];
    snprintf(step, sizeof step, "step %d of ", wrong_step + 1);
    const bool named = record.status == STATUS_FAIL && record.wrong_step &&
                       strncmp(record.wrong_step, step, strlen(step)) == 0;
    record_clear(&record);
    return named;
}

static void expect_named(int which)
{
    static const enum dtype dtypes[] = {DTYPE_FLOAT32, DTYPE_FLOAT16, DTYPE_BFLOAT16};
    struct philox g;
    philox_start(&g, 0x626C6F636B00U + (uint64_t)which);
    defect = &defects[which];
    for (int d = 0; d < 3; d++) {
        int named = 0;
        for (int t = 0; t < TRIALS; t++) {
            named += is_named(&g, dtypes[d], (uint64_t)t + 1);
        }
        cr_expect_geq(100 * named, LEAST * TRIALS, "%s in %s: named in %d of %d trials", defect->name,
                      dtype_info(dtypes[d])->name, named, TRIALS);
    }
}

Test(wrong_in_block, layer_norm_with_the_variance_of_a_sample)
{
    expect_named(0);
}

Test(wrong_in_block, gelu_in_its_tanh_form)
{
    expect_named(1);
}

Test(wrong_in_block, gradient_of_the_keys_without_scale)
{
    expect_named(2);
}

Test(wrong_in_block, causal_mask_off_by_one)
{
    expect_named(3);
}

Test(wrong_in_block, linear_with_a_transposed_weight)
{
    expect_named(4);
}

Test(wrong_in_block, residual_added_twice)
{
    expect_named(5);
}
