/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "suites/loss/operands.h"
#include "suites/shared/data.h"

#include <math.h>

enum kind { KIND_NUMBER, KIND_LOGARITHM, KIND_PROBABILITY, KIND_LOGIT, KIND_WEIGHT };
enum { BREAKPOINTS = 14, TARGETS = 5 };

unsigned loss_kind(const struct op *op)
{
    const bool weighed = op_input_named(op, "weight") >= 0, logits = op_input_named(op, "pos_weight") >= 0;
    return (weighed ? LOSS_WEIGHED : LOSS_UNWEIGHED) | (logits ? LOSS_OF_LOGITS : 0) |
           (weighed && !logits ? LOSS_OF_SHARES : 0) |
           (op_attribute_named(op, "log_target") ? LOSS_OF_LOGARITHMS : 0) |
           (op_attribute_named(op, "beta") ? LOSS_BETA : 0) |
           (op_attribute_named(op, "delta") ? LOSS_DELTA : 0);
}

/* Returns the place of operand k: 0 grad_output, 1 input, 2 target, from 3 on weights. */
static int place_of(const struct builder *b, int k)
{
    return op_input_named(b->c->op, "grad_output") == 0 ? k : k + 1;
}

static enum kind kind_of(const struct builder *b, int place, bool given)
{
    const unsigned loss = loss_kind(b->c->op);
    const bool cross = loss & LOSS_WEIGHED, divergence = loss & LOSS_OF_LOGARITHMS;
    return place == 0                 ? KIND_NUMBER
           : place > 2                ? KIND_WEIGHT
           : divergence && place == 1 ? KIND_LOGARITHM
           : divergence               ? (given ? KIND_LOGARITHM : KIND_PROBABILITY)
           : cross && place == 1      ? (loss & LOSS_OF_LOGITS ? KIND_LOGIT : KIND_PROBABILITY)
           : cross                    ? KIND_PROBABILITY
                                      : KIND_NUMBER;
}

static double random_number(enum kind kind, struct philox *generator)
{
    const double unit = philox_unit(generator);
    switch (kind) {
    case KIND_LOGARITHM:
        return -6 * unit - 0.0625;
    case KIND_PROBABILITY:
        return 0.03125 + 0.9375 * unit;
    case KIND_LOGIT:
        return 16 * unit - 8;
    case KIND_WEIGHT:
        return 0.25 + 2 * unit;
    default:
        return 8 * unit - 4;
    }
}

int64_t loss_length(const struct builder *b, enum loss_fill fill)
{
    uint64_t bits[SPECIALS_MAX];
    return fill == LOSS_FILL_BREAKPOINTS ? BREAKPOINTS * TARGETS
                                         : (int64_t)special_bits(b->c->dtype, bits) * LOSS_OPERANDS;
}

/* True if the special value is valid for the operand: a probability lies in [0, 1], and only a target may be
 * NaN. */
static bool may_be(enum kind kind, int place, double x)
{
    return kind != KIND_PROBABILITY || (x >= 0 && x <= 1) || (isnan(x) && place == 2);
}

/* Returns breakpoints of formulas in the input beside each of a few targets. */
static double turn(enum kind kind, int place, int64_t i)
{
    static const double target[TARGETS] = {0, 1, 0.5, 0.25, 0.9375}, whole[TARGETS] = {0, 1, -2, 3, -4};
    static const double logits[BREAKPOINTS] = {0,   -0.0, 1,    -1,  20,   -20,     88,
                                               -88, 104,  -104, 1e4, -1e4, 0x1p-20, -0x1p-20};
    static const double inner[BREAKPOINTS] = {0,     1,     0.5,          0x1p-24, 0x1p-14,
                                              0.25,  0.75,  0.9990234375, 0x1p-7,  0x1p-9,
                                              0.125, 0.875, 0.03125,      0.96875};
    static const double logarithms[BREAKPOINTS] = {0,    -1, -0.5, -0x1p-14, -20, -88, -104,
                                                   -1e4, -2, -4,   -8,       -16, -3,  -0.25};
    static const double apart[BREAKPOINTS] = {0,    1,     -1, 0.5, -0.5,   1.25,    -1.25,
                                              0.75, -0.75, 2,  -2,  0.0625, -0.0625, 16};
    const int64_t k = i % BREAKPOINTS, j = i / BREAKPOINTS;
    if (place == 0 || place > 2) {
        return place ? 1.5 : (double)(i % 3) + 1;
    }
    if (kind == KIND_NUMBER) {
        return place == 2 ? whole[j] : whole[j] + apart[k];
    }
    if (place == 2) {
        return kind == KIND_LOGARITHM ? -16 * target[j] : target[j];
    }
    return kind == KIND_LOGIT ? logits[k] : kind == KIND_LOGARITHM ? logarithms[k] : inner[k];
}

void loss_operand_fill(struct builder *b, enum loss_fill fill, bool given, int k, const struct view *x)
{
    const int place = place_of(b, k);
    const enum kind kind = kind_of(b, place, given);
    struct philox generator = build_generator(b, k);
    uint64_t bits[SPECIALS_MAX];
    const int specials = special_bits(b->c->dtype, bits);
    const int64_t count = shape_elements(&x->shape);
    for (int64_t i = 0; i < count; i++) {
        build_set(b, x, i, random_number(kind, &generator));
        if (fill == LOSS_FILL_SPECIALS && i / specials == place) {
            unsigned char bytes[8];
            dtype_store_bits(b->c->dtype, bytes, bits[i % specials]);
            if (may_be(kind, place, dtype_load(b->c->dtype, bytes))) {
                build_set_bits(b, x, i, 0, bits[i % specials]);
            }
        } else if (fill == LOSS_FILL_BREAKPOINTS) {
            build_set(b, x, i, turn(kind, place, i));
        } else if ((fill == LOSS_FILL_NAN && place == 2 && i == count - 1) ||
                   (fill == LOSS_FILL_INFINITE && place == 1 && i == count / 2)) {
            build_set(b, x, i, place == 2 ? (double)NAN : (double)INFINITY);
        }
    }
    build_origin(b, x, fill == LOSS_FILL_RANDOM);
}
