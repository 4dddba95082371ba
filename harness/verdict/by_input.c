/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/verdict/by_input.h"
#include "reference/elementwise.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    LEAST_ELEMENTS = 2048,   /* fewer are no picture, */
    LEAST_PLACES = 40,       /* nor are fewer exponents, */
    MANY_ELEMENTS = 1 << 20, /* unless there are so many numbers of them */
    EXPONENTS = 2048,        /* of a double, from −1023 on */
    WIDE = 8                 /* exponents of float64 that are one place */
};

struct place {
    bool seen, open; /* open: `allowed` is not asked yet */
    double ulp, allowed;
    double size;     /* of an ulp there, */
    int64_t element; /* of the slice in hand */
};

/* Of both signs; places outside [from, to) are empty. */
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

/* Finite, and not 0. */
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

/* B in ulp; infinite where any result is right. */
static double allowed_ulp(struct traversal *t, double ulp)
{
    struct accept accept;
    op_accept(&t->query, &accept);
    const struct accept_set *set = &accept.set[0];
    return set->component[0].finite ? set->radius / ulp : INFINITY;
}

static void take(struct by_input *places, struct traversal *t, int64_t element, const unsigned char *got)
{
    enum dtype dtype = t->view.dtype;
    const struct value *truth = &t->output->value[element];
    double x = t->output->sensitivity[element], y = dtype_load(dtype, got);
    if (!isfinite(x) || x == 0 || !isfinite(y) || truth->class != VALUE_FINITE || truth->hi == 0) {
        return;
    }
    double size = fabs(value_approximately(truth));
    struct place *place = place_of(places, dtype, x);
    double ulp = dtype_ulp(dtype, size < dtype_max(dtype) ? size : dtype_max(dtype));
    double error = fabs(value_distance(truth, y));
    places->elements++;
    if (!place->seen || error > place->ulp * ulp) {
        *place =
            (struct place){.seen = true, .open = true, .ulp = error / ulp, .size = ulp, .element = element};
    }
}

/* What is allowed where the slice in hand has the greatest errors so far: asked once for each place, for
 * errors that grow from element to element are common. */
static void close_places(struct by_input *places, struct traversal *t)
{
    for (int k = 0; k < 2; k++) {
        for (int e = places->from; e < places->to; e++) {
            struct place *place = &places->of[k][e];
            if (place->open) {
                t->query.element = place->element;
                place->allowed = allowed_ulp(t, place->size);
                place->open = false;
            }
        }
    }
}

void by_input_add(struct by_input *places, struct traversal *t, int64_t first, const struct images *images)
{
    struct element_block block;
    t->next = first;
    while (t->output->sensitivities == 1 && traversal_next_block(t, &block)) {
        const unsigned char *got = element_block_in(&block, images);
        for (int64_t i = 0; i < block.count; i++, got += block.stride) {
            take(places, t, block.first + i - t->first, got);
        }
    }
    close_places(places, t);
}

void by_input_merge(struct by_input *to, const struct by_input *from)
{
    to->elements += from->elements;
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

/* As a plot needs it: eight bits, upwards; next to nothing is nothing. */
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
