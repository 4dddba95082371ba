/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/judge/statistics/by_input.h"
#include "reference/numeric/simd/multiversion.h"
#include "reference/operator/value_batch.h"
#include "reference/ops/elementwise/elementwise.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    LEAST_ELEMENTS = 2048,   /* fewer elements are not drawn, */
    LEAST_PLACES = 40,       /* nor are fewer exponents, */
    MANY_ELEMENTS = 1 << 20, /* unless there are so many elements */
    EXPONENTS = 2048,        /* of a double, from −1023 on */
    WIDE = 8                 /* exponents of float64 that share one place */
};

struct place {
    bool seen, open; /* open: `allowed` is not known yet */
    double ulp, allowed;
    double size;     /* the ulp of the truth there */
    int64_t element; /* of the current slice */
};

/* Places of both signs; those outside [from, to) are empty. */
struct by_input {
    int64_t elements;
    int from, to;
    struct place of[2][EXPONENTS];
};

static bool concerns(const struct program *program)
{
    const struct step *step = &program->step[0];
    return program->steps == 1 && step->op->row && step->op->row->formula && step->inputs == 1 &&
           step->op->row->views == VIEWS_OPERANDS && dtype_is_floating(step->input[0].dtype) &&
           step->output[0].dtype == step->input[0].dtype &&
           shape_elements(&step->output[0].shape) >= LEAST_ELEMENTS;
}

struct by_input *by_input_open(const struct program *program, bool *good)
{
    struct by_input *places = concerns(program) ? calloc(1, sizeof *places) : NULL;
    if (places) {
        places->from = EXPONENTS;
    }
    *good = places || !concerns(program);
    return places;
}

void by_input_close(struct by_input **places)
{
    free(*places);
    *places = NULL;
}

/* The place of a number, finite and not 0. */
static struct place *place_of(struct by_input *places, enum dtype dtype, double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    int exponent = (int)(bits >> 52 & 0x7ff);
    exponent = dtype == DTYPE_FLOAT64 ? exponent / WIDE * WIDE : exponent;
    places->from = exponent < places->from ? exponent : places->from;
    places->to = exponent >= places->to ? exponent + 1 : places->to;
    return &places->of[bits >> 63][exponent];
}

/* Finds B in ulp, infinity if any result is right. False if out of memory. */
static bool find_allowed(struct traversal *t, struct place *place)
{
    struct accept accept;
    if (t->query.op->accept && !truth_output_fill(t->output)) { /* which looks at values */
        return false;
    }
    t->query.element = place->element;
    op_accept(&t->query, &accept);
    const struct accept_set *set = &accept.set[0];
    place->allowed = set->component[0].finite ? set->radius / place->size : INFINITY;
    place->open = false;
    return true;
}

static void take(struct by_input *places, struct traversal *t, int64_t element, const unsigned char *got)
{
    enum dtype dtype = t->view.dtype;
    const struct value truth = truth_output_value(t->output, element);
    double x = t->output->sensitivity[element], y = dtype_load(dtype, got);
    if (!isfinite(x) || x == 0 || !isfinite(y) || truth.class != VALUE_FINITE || truth.hi == 0) {
        return;
    }
    double size = fabs(value_approximately(&truth));
    struct place *place = place_of(places, dtype, x);
    double ulp = dtype_ulp(dtype, size < dtype_max(dtype) ? size : dtype_max(dtype));
    double error = fabs(value_distance(&truth, y));
    places->elements++;
    if (!place->seen || error > place->ulp * ulp) {
        *place =
            (struct place){.seen = true, .open = true, .ulp = error / ulp, .size = ulp, .element = element};
    }
}

/* Finds the bounds where the current slice has the greatest errors so far: once for each place, because
 * errors that grow from element to element are common. */
bool by_input_end_slice(struct by_input *places, struct traversal *t)
{
    bool good = true;
    for (int k = 0; k < 2; k++) {
        for (int e = places->from; e < places->to; e++) {
            struct place *place = &places->of[k][e];
            good = good && (!place->open || find_allowed(t, place));
        }
    }
    return good;
}

MULTIVERSION static bool any_number(const double *y, int count)
{
    int64_t any = 0;
    for (int i = 0; i < count; i++) {
        any |= mask_of(fabs(y[i]) < INFINITY);
    }
    return any != 0;
}

/* True if none of `count` elements of one place changes what the place holds, as is usual; they are then
 * added to *elements. All are examined together. False also if they must be examined one by one. */
MULTIVERSION static bool are_quiet(const struct truth_output *out, int64_t element, const double *y,
                                   int count, const struct place *place, int64_t *elements)
{
    const double *x = &out->sensitivity[element];
    const double least = dtype_least_normal(out->dtype), most = dtype_max(out->dtype),
                 smallest = dtype_least_subnormal(out->dtype);
    const double unit = 2 * dtype_unit_roundoff(out->dtype), ulps = place->ulp;
    struct value_batch truth;
    uint64_t first, apart = 0;
    int64_t loud = 0, valid = 0;
    memcpy(&first, x, sizeof first);
    value_batch_at(out, element, count, &truth);
    for (int i = 0; i < count; i++) {
        uint64_t bits;
        memcpy(&bits, &x[i], sizeof bits);
        double hi = truth.hi[i], size = fabs(hi), held = size < most ? size : most;
        double ulp = held >= 2 * least ? dtype_binade_below(held) * unit : smallest;
        double error = fabs((y[i] - hi) - truth.lo[i]);
        int64_t number = mask_of(fabs(y[i]) < INFINITY), counts = number & mask_of(size != 0);
        apart |= bits ^ first;
        loud |= (number & mask_of(truth.kind[i] != 0)) | (counts & mask_of(error > ulps * ulp));
        valid -= counts;
    }
    *elements += valid;
    return apart >> 52 == 0 && loud == 0;
}

/* True if a number has a place, in types narrower than float64: every finite one but 0. */
static bool is_placed(double x)
{
    return isfinite(x) && x != 0;
}

/* The place of a number if it holds an error already; else NULL. */
static const struct place *place_held(const struct by_input *places, double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    const struct place *place = &places->of[bits >> 63][bits >> 52 & 0x7ff];
    return is_placed(x) && place->seen ? place : NULL;
}

/* True if all numbers have one sign and exponent. */
MULTIVERSION static bool have_one_place(const double *x, int count)
{
    uint64_t first, apart = 0;
    memcpy(&first, x, sizeof first);
    for (int i = 0; i < count; i++) {
        uint64_t bits;
        memcpy(&bits, &x[i], sizeof bits);
        apart |= bits ^ first;
    }
    return apart >> 52 == 0;
}

/* Adds elements of one place whose errors are known: the first with the greatest error, if that exceeds the
 * error of the place. False, with nothing added, for other elements. */
static bool take_known(struct by_input *places, struct traversal *t, int64_t element, int count,
                       const unsigned char *got, ptrdiff_t stride, const struct by_input_errors *known)
{
    const double *x = &t->output->sensitivity[element];
    const struct place *place = t->view.dtype == DTYPE_FLOAT64 ? NULL : place_held(places, x[0]);
    int at = 0;
    if (!is_placed(x[0]) || !have_one_place(x, count)) {
        return false;
    }
    if (place && known->most <= place->ulp) {
        places->elements += count;
        return true;
    }
    while (known->off[at] < known->most) {
        at++;
    }
    take(places, t, element + at, got + at * stride);
    places->elements += count - 1;
    return true;
}

/* True if a batch changes nothing but the number of elements, which is then increased. */
static bool is_quiet(struct by_input *places, struct traversal *t, int64_t element, int count,
                     const unsigned char *got, ptrdiff_t stride)
{
    const struct place *place = place_held(places, t->output->sensitivity[element]);
    int64_t elements = 0;
    double y[BATCH_MAX];
    numbers_of(t->view.dtype, count, got, stride, y);
    bool quiet = place ? are_quiet(t->output, element, y, count, place, &elements) : !any_number(y, count);
    places->elements += quiet ? elements : 0;
    return quiet;
}

void by_input_add(struct by_input *places, struct traversal *t, int64_t element, int count,
                  const unsigned char *got, ptrdiff_t stride, const struct by_input_errors *known)
{
    const bool many = count > 1 && t->view.dtype != DTYPE_FLOAT64;
    if (t->output->sensitivities != 1 ||
        (known && take_known(places, t, element, count, got, stride, known)) ||
        (many && is_quiet(places, t, element, count, got, stride))) {
        return;
    }
    for (int i = 0; i < count; i++) {
        take(places, t, element + i, got + i * stride);
    }
}

void by_input_merge(struct by_input *to, struct by_input *from)
{
    to->elements += from->elements;
    from->elements = 0;
    to->from = from->from < to->from ? from->from : to->from;
    to->to = from->to > to->to ? from->to : to->to;
    for (int k = 0; k < 2; k++) {
        for (int e = from->from; e < from->to; e++) {
            const struct place *place = &from->of[k][e];
            bool greater = place->seen && (!to->of[k][e].seen || place->ulp > to->of[k][e].ulp);
            to->of[k][e] = greater ? *place : to->of[k][e];
        }
    }
}

/* Rounds up to eight bits, which suffice for a plot; below 2^-24 it is 0. */
static double rounded_up(double x)
{
    int exponent;
    double part = frexp(x, &exponent);
    return !isfinite(x) ? x : x < 0x1p-24 ? 0 : ldexp(ceil(part * 256) / 256, exponent);
}

bool by_input_keep(const struct by_input *places, struct record *record)
{
    int count = 0;
    for (int sign = 0; sign < 2; sign++) {
        for (int e = 0; e < EXPONENTS; e++) {
            count += places->of[sign][e].seen;
        }
    }
    if (count == 0 || (count < LEAST_PLACES && places->elements < MANY_ELEMENTS)) {
        return true;
    }
    record->by_input = malloc((size_t)count * sizeof *record->by_input);
    for (int sign = 0; record->by_input && sign < 2; sign++) {
        for (int e = 0; e < EXPONENTS; e++) {
            const struct place *place = &places->of[sign][e];
            if (place->seen) {
                record->by_input[record->by_inputs++] = (struct record_by_input){
                    sign == 1, e - 1023, rounded_up(place->ulp), rounded_up(place->allowed)};
            }
        }
    }
    return record->by_input != NULL;
}
