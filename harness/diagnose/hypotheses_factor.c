/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* The hypothesis that every result is the truth times one factor. A factor that is fitted explains anything
 * that is nearly proportional, so only factors that programs are known to forget or to apply twice are tried:
 * powers of two, the number of terms, mathematical constants, and the numbers that the call gives. */

#include "harness/diagnose/hypotheses_parts.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* The best factor so far. */
struct factor {
    double fitted, width; /* by least squares, and how far the right one may be from it */
    double value;         /* of the candidate nearest to it; 0: none is near */
    char text[64];
};

/* Fits the factor between result and truth by least squares over finite elements, each weighed by its error
 * bound. *refused: the elements that a factor could explain. */
static void fit_factor(const struct search *s, struct factor *factor, int64_t *refused)
{
    const struct holding h = holding_of(s);
    double along = 0, square = 0;
    *refused = 0;
    for (int o = 0; o < s->of->truth->outputs; o++) {
        const struct truth_output *out = &s->of->truth->output[o];
        for (int64_t i = 0; dtype_info(out->dtype)->kind == KIND_FLOAT && i < out->elements; i++) {
            struct limit limit = limit_of(&h, o, i);
            double x = dtype_load(out->dtype, element_of(&s->of->got[o], i));
            double width = limit.reach + dtype_unit_roundoff(out->dtype) * fabs(limit.centre);
            if (limit.finite && isfinite(x) && isfinite(width) && width > 0) {
                double t = limit.centre / width;
                along += x / width * t;
                square += t * t;
                *refused += s->refused[o][i] && limit.centre != 0;
            }
        }
    }
    factor->fitted = square > 0 ? along / square : NAN;
    factor->width = square > 0 ? (1 + fabs(factor->fitted)) * 4 / sqrt(square) : 0;
}

static void offer_factor(struct factor *factor, double value, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static void offer_factor(struct factor *factor, double value, const char *format, ...)
{
    double distance = fabs(value - factor->fitted);
    if (!isfinite(value) || value == 0 || value == 1 || distance > factor->width ||
        (factor->value != 0 && distance >= fabs(factor->value - factor->fitted))) {
        return;
    }
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(factor->text, sizeof factor->text, format, arguments);
    va_end(arguments);
    factor->value = value;
}

static void offer_constants(struct factor *factor)
{
    static const struct {
        const char *name;
        double value;
    } constants[] = {{"ln 2", 0.69314718055994531},
                     {"1/ln 2", 1.4426950408889634},
                     {"ln 10", 2.3025850929940457},
                     {"1/ln 10", 0.43429448190325183},
                     {"log2(10)", 3.3219280948873623},
                     {"log10(2)", 0.30102999566398120},
                     {"the square root of 2", 1.4142135623730951},
                     {"1 over the square root of 2", 0.70710678118654752},
                     {"pi", 3.1415926535897932},
                     {"1/pi", 0.31830988618379067},
                     {"2 pi", 6.2831853071795865},
                     {"1/(2 pi)", 0.15915494309189534},
                     {"pi/180", 0.017453292519943296},
                     {"180/pi", 57.295779513082321}};
    for (int e = -24; e <= 24; e++) {
        offer_factor(factor, ldexp(1, e), "2^%d", e);
    }
    for (size_t c = 0; c < sizeof constants / sizeof *constants; c++) {
        offer_factor(factor, constants[c].value, "%s", constants[c].name);
    }
}

/* Factors of a number of terms. */
static void offer_count(struct factor *factor, int64_t terms)
{
    double n = (double)terms;
    if (terms < 2) {
        return;
    }
    offer_factor(factor, n, "n = %lld", (long long)terms);
    offer_factor(factor, 1 / n, "1/n for n = %lld", (long long)terms);
    offer_factor(factor, sqrt(n), "the square root of n = %lld", (long long)terms);
    offer_factor(factor, 1 / sqrt(n), "1 over the square root of n = %lld", (long long)terms);
    offer_factor(factor, n / (n - 1), "n/(n - 1) for n = %lld", (long long)terms);
    offer_factor(factor, (n - 1) / n, "(n - 1)/n for n = %lld", (long long)terms);
    offer_factor(factor, sqrt(n / (n - 1)), "the square root of n/(n - 1) for n = %lld", (long long)terms);
    offer_factor(factor, sqrt((n - 1) / n), "the square root of (n - 1)/n for n = %lld", (long long)terms);
}

static void offer_counts(const struct op_call *call, struct factor *factor)
{
    for (int i = 0; i < call->inputs; i++) {
        const struct shape *shape = &call->input[i].shape;
        for (int d = 0; d < shape->rank && !tensor_absent(&call->input[i]); d++) {
            int64_t product = 1;
            for (int e = d; e < shape->rank; e++) { /* the last e − d + 1 dimensions from d on */
                product = count_product(product, shape->dim[e]);
                offer_count(factor, product);
            }
        }
    }
}

/* Factors that the call gives: real attributes, and operands of one element. */
static void offer_given(const struct op_call *call, struct factor *factor)
{
    for (int a = 0; a < call->attributes->count; a++) {
        const struct attribute *item = &call->attributes->item[a];
        double x = item->type == ATTRIBUTE_REAL ? item->real : NAN;
        offer_factor(factor, x, "%s", item->name);
        offer_factor(factor, 1 / x, "1/%s", item->name);
        offer_factor(factor, 1 - x, "1 - %s", item->name);
        offer_factor(factor, 1 / (1 - x), "1/(1 - %s)", item->name);
    }
    for (int i = 0; i < call->inputs; i++) {
        const struct tensor *input = &call->input[i];
        if (input->data && shape_elements(&input->shape) == 1 && dtype_is_floating(input->dtype)) {
            double x = tensor_component(input, 0);
            const char *name = op_operand_name(call->op, call->inputs, i);
            offer_factor(factor, x, "%s", name);
            offer_factor(factor, 1 / x, "1/%s", name);
        }
    }
}

void try_factor(struct search *s)
{
    enum { ELEMENTS_LEAST = 3 }; /* one number is a multiple of any other */
    struct factor factor = {.text = ""};
    struct holding h = holding_of(s);
    int64_t refused;
    fit_factor(s, &factor, &refused);
    if (refused < ELEMENTS_LEAST || !isfinite(factor.fitted)) {
        return;
    }
    offer_constants(&factor);
    offer_counts(s->of->call, &factor);
    offer_given(s->of->call, &factor);
    h.factor = factor.value;
    if (factor.value != 0) {
        struct fit fit = fit_all(s, &h);
        search_offer(s, &fit, "scale", "the result is %.9g times the truth, %s", h.factor, factor.text);
    }
}
