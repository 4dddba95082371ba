/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Hypotheses about single functions: a quotient computed as x·(1/y), and sine, cosine and tangent of an
 * argument that was reduced with a rounded π.
 *
 * A reduction subtracts k·P from x, for P = 2π, π or π/2 in some format, which errs by k times the error of P
 * and by the rounding of k·P. Each such program is computed here and must give every result. Programs that
 * split π into several parts are not known in such detail: for them the errors must be at most what an
 * argument gives that is off by a few u·|x|, and grow with |x| (growth_favours). */

#include "harness/diagnose/hypotheses_parts.h"
#include "reference/numeric/elementary/portable.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- x·(1/y) */

struct quotient {
    int x, y; /* the operands */
    enum dtype format;
    int64_t rounding_mode; /* 0: none, 1: trunc, 2: floor */
};

static double operand(const struct search *s, int input, const struct shape *shape, int64_t element)
{
    const struct tensor *x = &s->of->call->input[input];
    return tensor_component(x, shape_broadcast_element(&x->shape, shape, element));
}

static bool multiplied(const struct search *s, void *user, int output, int64_t element, struct prediction *p)
{
    const struct quotient *q = user;
    const struct truth_output *out = &s->of->truth->output[output];
    double reciprocal = rounded_to(q->format, 1 / operand(s, q->y, &out->shape, element));
    double x = rounded_to(q->format, operand(s, q->x, &out->shape, element) * reciprocal);
    x = q->rounding_mode == 1 ? trunc(x) : q->rounding_mode == 2 ? floor(x) : x;
    p->value = rounded_to(out->dtype, x);
    return true;
}

static void try_reciprocal(struct search *s)
{
    static const char *const names[] = {"div", "div_", "div_out", "floor_divide"};
    const struct op_call *call = s->of->call;
    enum dtype dtype = s->of->truth->output[0].dtype;
    struct quotient q = {.y = 1, .rounding_mode = attributes_integer(call->attributes, "rounding_mode", 0)};
    bool divides = false;
    for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
        divides = divides || strcmp(call->op->name, names[n]) == 0;
    }
    if (!divides || dtype_info(dtype)->kind != KIND_FLOAT || call->input[0].dtype != dtype ||
        call->input[1].dtype != dtype) {
        return;
    }
    q.rounding_mode = strcmp(call->op->name, "floor_divide") == 0 ? 2 : q.rounding_mode;
    for (int wide = 0; wide <= (dtype_info(dtype)->size == 2); wide++) {
        q.format = wide ? DTYPE_FLOAT32 : dtype;
        struct fit fit = fit_predicted(s, multiplied, &q);
        if (fit.explained >= 3 || q.rounding_mode != 0) { /* one result differs in one way by chance */
            search_offer(s, &fit, "reciprocal-multiply",
                         "the quotient is computed as %s * (1/%s), which rounds twice", input_name(s, 0),
                         input_name(s, 1));
        }
    }
}

/* --- arguments of sine, cosine and tangent */

#define QUARTER 1.5707963267948966 /* of a turn */

enum function { SINE, COSINE, TANGENT };
enum nearest { RINT, FLOOR, TRUNC };

struct reduction_by {
    enum function function;
    int quarters; /* P in quarters of a turn: 4, 2, 1 */
    enum dtype format;
    enum nearest nearest;
    bool rounds; /* k·P is rounded before it is subtracted */
};

static double value_at(enum function function, double r, double quarters)
{
    int turn = (int)fmod(quarters, 4);
    turn = turn < 0 ? turn + 4 : turn;
    if (function == TANGENT) {
        return turn % 2 ? -1 / portable_tan(r) : portable_tan(r);
    }
    turn = (turn + (function == COSINE)) % 4;
    double x = turn % 2 ? portable_cos(r) : portable_sin(r);
    return turn >= 2 ? -x : x;
}

static double slope_at(enum function function, double x)
{
    double f = value_at(function, x, 0);
    return function == TANGENT ? 1 + f * f : sqrt(fmax(0, 1 - f * f));
}

static double reduced(const struct reduction_by *by, double x, double k)
{
    double period = rounded_to(by->format, by->quarters * QUARTER);
    double product = by->rounds ? rounded_to(by->format, k * period) : k * period;
    return rounded_to(by->format, by->rounds ? x - product : fma(-k, period, x));
}

static double whole(enum nearest nearest, double x)
{
    return nearest == RINT ? rint(x) : nearest == FLOOR ? floor(x) : trunc(x);
}

static bool reduced_argument(const struct search *s, void *user, int output, int64_t element,
                             struct prediction *p)
{
    const struct reduction_by *by = user;
    const struct truth_output *out = &s->of->truth->output[output];
    const struct holding h = holding_of(s);
    double x = tensor_component(&s->of->call->input[0], element), turns = x / (by->quarters * QUARTER),
           got = dtype_load(out->dtype, element_of(&s->of->got[output], element)),
           u = dtype_unit_roundoff(out->dtype);
    if (!isfinite(x)) {
        return false;
    }
    for (int side = -1; side <= 1; side += 2) { /* the quotient itself is rounded */
        double k = whole(by->nearest, turns + side * 4 * u * fabs(turns));
        double f = value_at(by->function, reduced(by, x, k), k * by->quarters);
        if (side < 0 || fabs(f - got) < fabs(p->value - got)) {
            p->value = f;
        }
    }
    p->slack = limit_of(&h, output, element).reach + 4 * u * fabs(p->value);
    return true;
}

static const char *const formats_named[] = {"2 pi", "pi", "pi/2"};

static void try_reductions(struct search *s, enum function function)
{
    enum dtype dtype = s->of->truth->output[0].dtype;
    const enum dtype formats[] = {dtype, DTYPE_FLOAT32};
    for (int f = 0; f < 1 + (dtype != DTYPE_FLOAT32); f++) {
        for (int variant = 0; variant < 3 * 3 * 2 && !search_late(s); variant++) {
            struct reduction_by by = {.function = function,
                                      .quarters = 4 >> variant % 3,
                                      .format = formats[f],
                                      .nearest = (enum nearest)(variant / 3 % 3),
                                      .rounds = variant >= 9};
            struct fit fit = fit_predicted(s, reduced_argument, &by);
            search_offer(s, &fit, "argument-reduction",
                         "large arguments are wrong: they are reduced by %s rounded to %s",
                         formats_named[variant % 3], dtype_info(formats[f])->name);
        }
    }
}

/* Tries an argument that is off by at most a few u·|x|, as the errors show. */
static void try_argument_error(struct search *s, enum function function)
{
    enum { MULTIPLE = 4 };
    const struct truth_output *out = &s->of->truth->output[0];
    const struct holding h = holding_of(s);
    struct growth growth;
    struct fit fit = {.holds = true};
    double u = dtype_unit_roundoff(out->dtype);
    if (!growth_open(&growth, out->elements)) {
        s->memory = true;
        return;
    }
    for (int64_t i = 0; fit.holds && i < out->elements; i++) {
        double x = tensor_component(&s->of->call->input[0], i),
               got = dtype_load(out->dtype, element_of(&s->of->got[0], i));
        struct limit limit = limit_of(&h, 0, i);
        if (!limit.finite || !isfinite(got) || !isfinite(limit.reach)) {
            fit.holds = !s->refused[0][i];
            continue;
        }
        double slope = slope_at(function, x), error = got - limit.centre, off = MULTIPLE * u * fabs(x),
               slack = limit.reach + slope * off + off * off;
        fit.holds = fabs(error) <= slack;
        if (s->refused[0][i]) {
            fit.explained++;
            fit.gain = fmax(fit.gain, fabs(error) / limit.reach); /* the argument's error is the fault */
        }
        growth_add(&growth, -1, error, limit.reach / 4, slope * u * fabs(x), fabs(limit.centre), slope);
    }
    double size;
    if (fit.holds && fit.explained >= 8 && growth_favours(&growth, &size) && size >= 0.02 &&
        size <= MULTIPLE) {
        search_offer(s, &fit, "argument-reduction",
                     "the error grows with the argument, as if that were off by about %.2g units of its last "
                     "place: large arguments are not reduced exactly",
                     size * 2);
    }
    growth_close(&growth);
}

static void try_argument(struct search *s)
{
    static const char *const names[] = {"sin", "cos", "tan"};
    for (enum function f = SINE; f <= TANGENT; f++) {
        if (strcmp(s->of->call->op->name, names[f]) == 0 && s->of->truth->outputs == 1) {
            try_reductions(s, f);
            try_argument_error(s, f);
        }
    }
}

void try_functions(struct search *s)
{
    try_reciprocal(s);
    try_argument(s);
}
