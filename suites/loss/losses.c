/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Element-wise losses and their gradients (reference/ops/loss/loss.h): reductions, weights, special values of
 * each operand, kinks and ends of the domain, broadcasting, layouts, long sums, refusals. */

#include "suites/loss/operands.h"
#include "suites/shared/data.h"
#include "suites/shared/rows.h"

#include "reference/ops/loss/loss.h"

#include <string.h>

struct row {
    struct suite_row row;
    int rank;
    int64_t dim[3];
    enum loss_reduction reduction;
    enum loss_fill fill;
    enum layout layout;
    bool given; /* passes `value` as beta or delta; or log_target */
    double value;
    bool weighs;      /* has a weight for each element */
    bool weighs_rows; /* has a weight for each column, and pos_weight */
    bool repeats;     /* the target is one row and broadcasts */
    /* only: for losses with any of these bits (loss_kind; 0: all); never: for none with any of these */
    unsigned only, never;
    bool forward, backward; /* only for losses, only for gradients */
};

static struct attributes attributes_of(const struct row *row, const struct op *op)
{
    const struct op_attribute *other = &op->attributes[1];
    struct attributes a = {.count = 1};
    a.item[0] = (struct attribute){.name = "reduction",
                                   .type = ATTRIBUTE_CHOICE,
                                   .integer = row->reduction,
                                   .word = op_choice_numbered(op, "reduction", row->reduction)->word};
    if (row->given && other->name) {
        a.item[a.count++] =
            (struct attribute){.name = other->name, .type = other->type, .real = row->value, .integer = 1};
    }
    return a;
}

static int build_operands(struct builder *b, struct view input[LOSS_OPERANDS])
{
    const struct row *row = b->c->row;
    const struct op *op = b->c->op;
    const int first = op_input_named(op, "grad_output") == 0, most = op_inputs_max(op);
    struct shape whole = {.rank = row->rank}, scalar = {.rank = 0}, last = {.rank = 1};
    memcpy(whole.dim, row->dim, sizeof row->dim);
    last.dim[0] = row->rank > 0 ? row->dim[row->rank - 1] : 1;
    if (row->fill == LOSS_FILL_SPECIALS || row->fill == LOSS_FILL_BREAKPOINTS) {
        whole = shape_of(1, loss_length(b, row->fill));
    }
    int inputs = 0;
    for (int k = 0; k < most; k++) {
        const bool weight = k > first + 1, more = k > first + 2;
        if (weight && !(row->weighs && !more) && !row->weighs_rows) {
            break;
        }
        const struct shape *shape = k == 0 && first && row->reduction != LOSS_NONE ? &scalar
                                    : (weight && row->weighs_rows) || (k == first + 1 && row->repeats)
                                        ? &last
                                        : &whole;
        input[k] = build_tensor(b, b->c->dtype, shape, row->layout);
        loss_operand_fill(b, row->fill, row->given, k, &input[k]);
        inputs++;
    }
    return inputs;
}

static void build(struct builder *b)
{
    struct view input[LOSS_OPERANDS];
    struct attributes attributes = attributes_of(b->c->row, b->c->op);
    int inputs = build_operands(b, input);
    build_step(b, b->c->op, &attributes, inputs, input);
}

static void refuse(struct builder *b)
{
    struct view input[LOSS_OPERANDS];
    struct attributes attributes = attributes_of(b->c->row, b->c->op);
    int inputs = build_operands(b, input);
    build_rejection(b, b->c->op, &attributes, inputs, input);
}

/* An operand of another shape, which must be refused; counted from grad_output or the input on. */
static void refuse_shape(struct builder *b)
{
    const struct row *row = b->c->row;
    const int first = op_input_named(b->c->op, "grad_output") == 0;
    struct view input[LOSS_OPERANDS];
    struct attributes attributes = attributes_of(row, b->c->op);
    struct shape other = shape_of(2, row->dim[0], row->dim[1] - 1);
    int inputs = build_operands(b, input), which = (int)row->row.parameter + first;
    input[which] = build_tensor(b, b->c->dtype, &other, LAYOUT_CONTIGUOUS);
    build_rejection(b, b->c->op, &attributes, inputs, input);
}

#define FLAT     .rank = 2, .dim = {9, 33}
#define GIVEN(x) .given = true, .value = x
#define LAID(name_, l)                                                                                       \
    {                                                                                                        \
        SUITE_ROW(name_, STANDARD, "layout_grid poison"), FLAT, .layout = LAYOUT_##l, .weighs = true         \
    }

static const struct row rows[] = {
    {SUITE_ROW("random-none", SMOKE, "loss_reductions"), FLAT},
    {SUITE_ROW("random-mean", SMOKE, "loss_reductions"), FLAT, .reduction = LOSS_MEAN},
    {SUITE_ROW("random-sum", SMOKE, "loss_reductions"), FLAT, .reduction = LOSS_SUM},
    {SUITE_ROW("random-batchmean", SMOKE, "loss_reductions"), FLAT, .reduction = LOSS_BATCHMEAN,
     .only = LOSS_OF_LOGARITHMS},
    {SUITE_ROW("random-none-4099", STANDARD, "loss_reductions signed_bias"), .rank = 1, .dim = {4099}},
    {SUITE_ROW("random-mean-4099", STANDARD, "loss_reductions"), .rank = 2, .dim = {3, 4099},
     .reduction = LOSS_MEAN, .forward = true},
    /* More elements than float16 can count. */
    {SUITE_ROW("random-mean-65521", STANDARD, "loss_reductions size_limits", .dtypes = 1U << DTYPE_FLOAT16),
     .rank = 1, .dim = {65521}, .reduction = LOSS_MEAN},
    {SUITE_ROW("random-sum-65", STANDARD, "loss_reductions"), .rank = 3, .dim = {5, 1, 13},
     .reduction = LOSS_SUM, .forward = true},
    {SUITE_ROW("specials", SMOKE, "special_values"), .fill = LOSS_FILL_SPECIALS},
    {SUITE_ROW("specials-weights", STANDARD, "special_values loss_weights"), .fill = LOSS_FILL_SPECIALS,
     .weighs = true, .only = LOSS_WEIGHED},
    {SUITE_ROW("turns", SMOKE, "loss_turns"), .fill = LOSS_FILL_BREAKPOINTS},
    {SUITE_ROW("turns-given", STANDARD, "loss_turns flags"), .fill = LOSS_FILL_BREAKPOINTS, GIVEN(0.5),
     .only = LOSS_BETA | LOSS_DELTA},
    {SUITE_ROW("turns-log-target", STANDARD, "loss_turns flags"), .fill = LOSS_FILL_BREAKPOINTS, GIVEN(1),
     .only = LOSS_OF_LOGARITHMS},
    {SUITE_ROW("turns-sum", STANDARD, "loss_turns"), .fill = LOSS_FILL_BREAKPOINTS, .reduction = LOSS_SUM,
     .forward = true, .only = LOSS_WEIGHED},
    {SUITE_ROW("nan-mean", SMOKE, "nan_places"), FLAT, .reduction = LOSS_MEAN, .fill = LOSS_FILL_NAN,
     .never = LOSS_OF_SHARES},
    {SUITE_ROW("nan-sum", STANDARD, "nan_places"), .rank = 1, .dim = {4100}, .reduction = LOSS_SUM,
     .fill = LOSS_FILL_NAN, .forward = true, .never = LOSS_OF_SHARES},
    {SUITE_ROW("infinite-mean", STANDARD, "special_values"), FLAT, .reduction = LOSS_MEAN,
     .fill = LOSS_FILL_INFINITE, .forward = true, .only = LOSS_UNWEIGHED, .never = LOSS_OF_LOGARITHMS},
    {SUITE_ROW("given-none", STANDARD, "flags"), FLAT, GIVEN(0.25), .only = LOSS_BETA | LOSS_DELTA},
    {SUITE_ROW("given-mean", SMOKE, "flags"), FLAT, .reduction = LOSS_MEAN, GIVEN(3),
     .only = LOSS_BETA | LOSS_DELTA},
    {SUITE_ROW("beta-0", STANDARD, "flags"), .fill = LOSS_FILL_BREAKPOINTS, GIVEN(0), .only = LOSS_BETA},
    {SUITE_ROW("log-target-none", STANDARD, "flags"), FLAT, GIVEN(1), .only = LOSS_OF_LOGARITHMS},
    {SUITE_ROW("log-target-mean", SMOKE, "flags"), FLAT, .reduction = LOSS_MEAN, GIVEN(1),
     .only = LOSS_OF_LOGARITHMS},
    {SUITE_ROW("log-target-batchmean", STANDARD, "flags"), FLAT, .reduction = LOSS_BATCHMEAN, GIVEN(1),
     .only = LOSS_OF_LOGARITHMS},
    {SUITE_ROW("weights-none", STANDARD, "loss_weights"), FLAT, .weighs = true, .only = LOSS_WEIGHED},
    {SUITE_ROW("weights-mean", SMOKE, "loss_weights"), FLAT, .reduction = LOSS_MEAN, .weighs = true,
     .only = LOSS_WEIGHED},
    {SUITE_ROW("weights-rows-none", STANDARD, "loss_weights"), FLAT, .weighs_rows = true,
     .only = LOSS_WEIGHED},
    {SUITE_ROW("weights-rows-mean", SMOKE, "loss_weights"), FLAT, .reduction = LOSS_MEAN, .weighs_rows = true,
     .only = LOSS_WEIGHED},
    {SUITE_ROW("scalar-mean", STANDARD, "loss_reductions"), .rank = 0, .reduction = LOSS_MEAN},
    {SUITE_ROW("scalar-none", STANDARD, "loss_reductions"), .rank = 0},
    {SUITE_ROW("empty-none", STANDARD, "loss_reductions"), .rank = 2, .dim = {0, 5}},
    {SUITE_ROW("empty-mean", STANDARD, "loss_reductions"), .rank = 2, .dim = {0, 5}, .reduction = LOSS_MEAN},
    {SUITE_ROW("empty-sum", STANDARD, "loss_reductions"), .rank = 2, .dim = {3, 0}, .reduction = LOSS_SUM},
    {SUITE_ROW("empty-batchmean", STANDARD, "loss_reductions"), .rank = 2, .dim = {3, 0},
     .reduction = LOSS_BATCHMEAN, .only = LOSS_OF_LOGARITHMS, .forward = true},
    {SUITE_ROW("repeated-target-none", STANDARD, "loss_broadcast"), FLAT, .repeats = true, .forward = true,
     .only = LOSS_UNWEIGHED},
    {SUITE_ROW("repeated-target-mean", STANDARD, "loss_broadcast"), FLAT, .repeats = true, .forward = true,
     .reduction = LOSS_MEAN, .only = LOSS_UNWEIGHED},
    LAID("transposed", TRANSPOSED),
    LAID("transposed-block", TRANSPOSED_BLOCK),
    LAID("stepped3", STEPPED3),
    {SUITE_ROW("block-mean", STANDARD, "layout_grid poison"), FLAT, .layout = LAYOUT_BLOCK,
     .reduction = LOSS_MEAN, .forward = true},
    {SUITE_ROW("offset1-mean", STANDARD, "layout_grid poison"), FLAT, .layout = LAYOUT_OFFSET1,
     .reduction = LOSS_MEAN},
    {SUITE_ROW("refuse-target", SMOKE, "loss_refusals", .build = refuse_shape, .parameter = 1), FLAT},
    {SUITE_ROW("refuse-weight", STANDARD, "loss_refusals", .build = refuse_shape, .parameter = 2), FLAT,
     .weighs = true, .only = LOSS_WEIGHED},
    {SUITE_ROW("refuse-pos-weight", STANDARD, "loss_refusals", .build = refuse_shape, .parameter = 3), FLAT,
     .weighs_rows = true, .only = LOSS_OF_LOGITS},
    {SUITE_ROW("refuse-repeated-target", STANDARD, "loss_refusals", .build = refuse), FLAT, .repeats = true,
     .forward = true, .only = LOSS_WEIGHED},
    {SUITE_ROW("refuse-grad", STANDARD, "loss_refusals", .build = refuse_shape, .parameter = -1), FLAT,
     .backward = true},
    {SUITE_ROW("refuse-beta", STANDARD, "loss_refusals", .build = refuse), FLAT, GIVEN(-1),
     .only = LOSS_BETA | LOSS_DELTA},
    {SUITE_ROW("refuse-delta-0", STANDARD, "loss_refusals", .build = refuse), FLAT, GIVEN(0),
     .only = LOSS_DELTA},
};

static bool asks(const void *at, const struct op *op, enum dtype dtype)
{
    (void)dtype;
    const struct row *row = at;
    const bool backward = op_input_named(op, "grad_output") == 0;
    const unsigned kind = loss_kind(op);
    return (!row->only || (kind & row->only)) && !(kind & row->never) && !(row->forward && backward) &&
           !(row->backward && !backward);
}

static void declare(struct suite_list *list)
{
    for (int k = 0; k < op_count(); k++) {
        const struct op *op = op_at(k);
        if (op->loss) {
            suite_declare_rows(list, &(struct suite_table){SUITE_ROWS(rows), .ops = {op->name}, .asks = asks,
                                                           .build = build, .level = level_beyond_float16_32});
        }
    }
}

const struct suite suite_loss_losses = {.declare = declare};
