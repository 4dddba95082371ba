/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* The hypothesis that sums are rounded to a narrow format, in one of the orders that programs have: one term
 * after the other, blocks of which the totals are added, several running sums, or halves. The sums of a
 * product, a reduction or a softmax are computed in that way, and every result must be what comes out of it:
 * no error bound is involved. Only additions inside a block, which the program does in a wider format and in
 * an order of its own, and exponentials may change a few results by a rounding. Other orders:
 * hypotheses_narrow.c. */

#include "harness/diagnose/hypotheses_parts.h"
#include "reference/numeric/elementary/portable.h"
#include "reference/ops/matmul/matmul_shape.h"
#include "reference/ops/rowwise/rowwise.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum order {
    BLOCKS, /* totals of `width` adjacent terms, added one after the other */
    LANES,  /* `width` running sums, each of every width-th term, then added in halves, of neighbours */
    FOLDED, /* the same, but the upper half of the running sums is added to the lower half, again and again */
    HALVES
};

enum { WIDTH_MOST = 256 }; /* of running sums */

struct scheme {
    enum dtype format;
    enum order order;
    int64_t width;
    bool fused; /* a term is not rounded before it is added */
};

/* The terms of one result. */
struct terms {
    int64_t count;
    double *term;   /* exact products of two 16-bit or float32 numbers; float64 products are rounded */
    double added;   /* afterwards: a bias */
    double divided; /* afterwards: by this number of terms */
};

/* Where the terms of all results are. */
struct source {
    const struct op_call *call;
    bool product, linear, mean, softmax;
    struct product shapes;
    struct rowwise_rows rows;
    struct terms terms;
};

/* True if the attribute `dim` is the last dimension, whose rows are contiguous. */
static bool is_last(const struct op_call *call)
{
    int rank = call->input[0].shape.rank;
    int64_t dim = attributes_integer(call->attributes, "dim", 0);
    return rank > 0 && (dim == rank - 1 || dim == -1);
}

static bool source_open(struct source *source, const struct search *s)
{
    const struct op_call *call = s->of->call;
    const char *name = call->op->name;
    *source = (struct source){.call = call,
                              .linear = strcmp(name, "linear") == 0,
                              .mean = strcmp(name, "mean") == 0,
                              .softmax = strcmp(name, "softmax") == 0 && is_last(call)};
    source->product = source->linear || strcmp(name, "matmul") == 0 || strcmp(name, "mv") == 0;
    if (source->product) {
        source->terms.count =
            product_of(source->linear, &call->input[0].shape, &call->input[1].shape, &source->shapes)
                ? source->shapes.k
                : 0;
    } else if (source->mean || source->softmax || strcmp(name, "sum") == 0) {
        bool good = rowwise_rows_create(&source->rows, call->op, call->attributes, &call->input[0].shape);
        source->terms.count = good ? source->rows.terms : 0;
    }
    source->terms.term =
        source->terms.count > 0 ? malloc((size_t)source->terms.count * sizeof(double)) : NULL;
    return source->terms.term != NULL;
}

static void source_close(struct source *source)
{
    rowwise_rows_clear(&source->rows);
    free(source->terms.term);
}

static void gather_product(struct source *source, int64_t i)
{
    const struct product *p = &source->shapes;
    const struct tensor *a = &source->call->input[0], *b = &source->call->input[1],
                        *bias = source->call->inputs > 2 ? &source->call->input[2] : NULL;
    int64_t j = i % p->n, row = i / p->n % p->m, batch = i / (p->n * p->m);
    int64_t first = shape_broadcast_element(&p->a, &p->all, batch) * p->m * p->k + row * p->k,
            second = shape_broadcast_element(&p->b, &p->all, batch) * p->k * p->n;
    for (int64_t l = 0; l < p->k; l++) {
        int64_t at = second + (source->linear ? j * p->k + l : l * p->n + j);
        source->terms.term[l] = tensor_component(a, first + l) * tensor_component(b, at);
    }
    bool biased = bias && !tensor_absent(bias);
    source->terms.added = biased ? tensor_component(bias, shape_elements(&bias->shape) > 1 ? j : 0) : 0;
    source->terms.divided = 1;
}

/* The terms of a softmax, e^(x − max). They and the differences are rounded as products are. */
static void gather_exponentials(struct source *source, const struct scheme *scheme, int64_t row)
{
    const struct tensor *x = &source->call->input[0];
    double most = -INFINITY;
    for (int64_t l = 0; l < source->terms.count; l++) {
        most = fmax(most, tensor_component(x, row * source->terms.count + l));
    }
    for (int64_t l = 0; l < source->terms.count; l++) {
        double d = tensor_component(x, row * source->terms.count + l) - most;
        source->terms.term[l] = portable_exp(scheme->fused ? d : rounded_to(scheme->format, d));
    }
    source->terms.divided = 1;
}

static void gather(struct source *source, int64_t i)
{
    if (source->product) {
        gather_product(source, i);
        return;
    }
    for (int64_t l = 0; l < source->terms.count; l++) {
        source->terms.term[l] =
            tensor_component(&source->call->input[0], rowwise_element(&source->rows, i, l));
    }
    source->terms.divided = source->mean ? (double)source->terms.count : 1;
}

/* --- sums */

static double halves(const struct scheme *scheme, const double *term, int64_t count)
{
    if (count == 1) {
        return scheme->fused ? term[0] : rounded_to(scheme->format, term[0]);
    }
    int64_t left = 1;
    while (2 * left < count) {
        left *= 2;
    }
    return rounded_to(scheme->format, halves(scheme, term, left) + halves(scheme, term + left, count - left));
}

static double sum_of(const struct scheme *scheme, const struct terms *terms)
{
    double running[WIDTH_MOST] = {0};
    if (scheme->order == HALVES) {
        return halves(scheme, terms->term, terms->count);
    }
    if (scheme->order == BLOCKS) {
        double sum = 0;
        for (int64_t first = 0; first < terms->count; first += scheme->width) {
            double total = 0;
            for (int64_t l = first; l < terms->count && l < first + scheme->width; l++) {
                total += scheme->fused ? terms->term[l] : rounded_to(scheme->format, terms->term[l]);
            }
            sum = rounded_to(scheme->format, sum + total);
        }
        return sum;
    }
    for (int64_t l = 0; l < terms->count; l++) {
        double x = scheme->fused ? terms->term[l] : rounded_to(scheme->format, terms->term[l]);
        running[l % scheme->width] = rounded_to(scheme->format, running[l % scheme->width] + x);
    }
    for (int64_t half = scheme->width / 2; scheme->order == FOLDED && half > 0; half /= 2) {
        for (int64_t l = 0; l < half; l++) {
            running[l] = rounded_to(scheme->format, running[l] + running[l + half]);
        }
    }
    return scheme->order == FOLDED ? running[0] : halves(scheme, running, scheme->width);
}

/* What is done to a sum before it is stored. */
static double finished(const struct terms *terms, enum dtype format, double sum)
{
    return rounded_to(format, sum + terms->added) / terms->divided;
}

/* The two results that the scheme gives for element i: with what follows the sum in its format, and in a
 * wider one. `sum`: of the terms of row `row`, kept between calls, because all results of a softmax's row
 * need it. */
static void results_of(struct source *source, const struct scheme *scheme, int64_t i, double *sum,
                       int64_t *row, double result[2])
{
    const struct terms *terms = &source->terms;
    if (!source->softmax) {
        gather(source, i);
        *sum = sum_of(scheme, terms);
        result[0] = finished(terms, scheme->format, *sum);
        result[1] = (*sum + terms->added) / terms->divided;
        return;
    }
    if (*row != i / terms->count) {
        *row = i / terms->count;
        gather_exponentials(source, scheme, *row);
        *sum = sum_of(scheme, terms);
    }
    double e = terms->term[i % terms->count];
    result[0] = rounded_to(scheme->format, e) / *sum;
    result[1] = e / *sum;
}

/* Compares all results with the sums of the scheme. *evidence: the logarithm to base 2 of the number of
 * results that errors of this size could have given, over all refused elements. */
static struct fit compare(const struct search *s, struct source *source, const struct scheme *scheme,
                          double *evidence)
{
    enum { TRIED = 64, SHARE = 50 }; /* one result in 50 may differ by a rounding */
    const struct truth_output *out = &s->of->truth->output[0];
    int64_t misses = 0, row = -1;
    double sum = 0;
    struct fit fit = {.holds = true, .gain = INFINITY};
    *evidence = 0;
    for (int64_t i = 0; fit.holds && i < out->elements; i++) {
        double got = dtype_load(out->dtype, element_of(&s->of->got[0], i));
        double result[2];
        results_of(source, scheme, i, &sum, &row, result);
        double x = rounded_to(out->dtype, result[0]), other = rounded_to(out->dtype, result[1]);
        bool same = x == got || other == got || (isnan(x) && isnan(got));
        misses += !same;
        double size = source->softmax ? fabs(x) : fabs(sum) + fabs(source->terms.added),
               near = 4 * dtype_unit_roundoff(scheme->format) * size;
        fit.holds = (same || fabs(x - got) <= near / source->terms.divided) &&
                    (scheme->width > 1 || source->softmax || misses == 0) &&
                    misses <= 1 + (i < TRIED ? TRIED : i) / SHARE;
        fit.explained += s->refused[0][i];
        if (s->refused[0][i] && same && isfinite(got)) {
            double error = fabs(value_distance(truth_value(out, i), got));
            *evidence += portable_log2(1 + 2 * error / dtype_ulp(out->dtype, got));
        }
    }
    return fit;
}

static void offer_scheme(struct search *s, const struct scheme *scheme, const struct fit *fit)
{
    char name[NAME_MOST + 16], how[80];
    const char *format = dtype_info(scheme->format)->name;
    if (scheme->order == HALVES) {
        snprintf(how, sizeof how, "each sum of two halves is");
    } else if (scheme->order != BLOCKS) {
        snprintf(how, sizeof how, "%lld running sums are", (long long)scheme->width);
    } else if (scheme->width > 1) {
        snprintf(how, sizeof how, "partial sums of %lld terms are", (long long)scheme->width);
    } else {
        snprintf(how, sizeof how, "sums, one term after the other, are");
    }
    snprintf(name, sizeof name, "accumulate-%s", format);
    search_offer(s, fit, name, "%s rounded to %s at each addition%s", how, format,
                 scheme->fused || scheme->order == BLOCKS ? "" : ", and terms before it");
}

static void try_schemes(struct search *s, struct source *source, enum dtype format)
{
    const double least = 12; /* bits; some 50 schemes are tried */
    double evidence;
    static const enum order orders[] = {BLOCKS, HALVES, LANES, FOLDED};
    struct fit best = {.holds = false};
    struct scheme scheme = {.format = format}, found = scheme;
    for (size_t o = 0; !best.holds && o < sizeof orders / sizeof *orders; o++) {
        scheme.order = orders[o];
        bool lanes = scheme.order == LANES || scheme.order == FOLDED;
        int64_t first = lanes ? 2 : 1, last = lanes ? WIDTH_MOST : scheme.order == BLOCKS ? 512 : 1;
        for (int fused = 0; fused <= 1; fused++) {
            for (int64_t width = first; !best.holds && width <= last && !search_late(s); width *= 2) {
                if (width > 1 && width >= source->terms.count) {
                    break;
                }
                scheme.width = width;
                scheme.fused = fused;
                best = compare(s, source, &scheme, &evidence);
                best.holds = best.holds && evidence >= least;
                found = scheme;
            }
        }
    }
    if (best.holds) {
        offer_scheme(s, &found, &best);
    }
}

void try_sums(struct search *s)
{
    static const enum dtype formats[] = {DTYPE_FLOAT32, DTYPE_FLOAT16, DTYPE_BFLOAT16};
    const struct truth_output *out = &s->of->truth->output[0];
    struct source source;
    if (s->of->truth->outputs == 1 && dtype_info(out->dtype)->kind == KIND_FLOAT &&
        s->of->call->input[0].dtype == out->dtype) {
        enum dtype declared = dtype_info(s->of->profile->accumulate[out->dtype])->component;
        bool good = source_open(&source, s);
        for (size_t f = 0; good && f < sizeof formats / sizeof *formats; f++) {
            if (dtype_info(formats[f])->precision < dtype_info(declared)->precision) {
                try_schemes(s, &source, formats[f]);
            }
        }
        source_close(&source);
    }
}
