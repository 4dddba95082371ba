/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/test/programs/faulty_values.h"

#include <math.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* One call. Of its operands and results only the first component is used. */
struct call {
    const struct step *step;
    unsigned char *const *before, *const *image;
};

static double load(unsigned char *const *image, const struct view *view, int64_t i)
{
    const struct dtype_info *info = dtype_info(view->dtype);
    return dtype_load(info->component,
                      image[view->storage] + BACKEND_GUARD + (size_t)view_element(view, i) * info->size);
}

static double in(const struct call *c, int operand, int64_t i)
{
    return load(c->before, &c->step->input[operand], i);
}

static void out(const struct call *c, const struct view *view, int64_t i, double x)
{
    const struct dtype_info *info = dtype_info(view->dtype);
    dtype_store(info->component,
                c->image[view->storage] + BACKEND_GUARD + (size_t)view_element(view, i) * info->size, x);
}

static int64_t length(const struct view *view, int back)
{
    return view->shape.rank >= back ? view->shape.dim[view->shape.rank - back] : 1;
}

/* --- determinants */

/* log|det| by elimination with partial pivoting. `wrong`: at the first row exchange the element on the
 * diagonal is used in place of the pivot. */
static double log_determinant(const struct call *c, int64_t matrix, bool wrong, int *sign)
{
    int64_t n = length(&c->step->input[0], 1);
    double *a = malloc((size_t)(n * n + 1) * sizeof *a), sum = 0;
    *sign = 1;
    for (int64_t k = 0; k < n * n; k++) {
        a[k] = in(c, 0, matrix * n * n + k);
    }
    for (int64_t k = 0; k < n; k++) {
        int64_t pivot = k;
        for (int64_t i = k + 1; i < n; i++) {
            pivot = fabs(a[i * n + k]) > fabs(a[pivot * n + k]) ? i : pivot;
        }
        bool here = wrong && pivot != k;
        sum += log(fabs(a[(here ? k : pivot) * n + k]));
        wrong = wrong && !here;
        *sign *= a[pivot * n + k] < 0 ? -1 : 1;
        for (int64_t j = 0; pivot != k && j < n; j++) {
            double kept = a[k * n + j];
            a[k * n + j] = a[pivot * n + j];
            a[pivot * n + j] = kept;
        }
        *sign = pivot != k ? -*sign : *sign;
        for (int64_t i = k + 1; i < n; i++) {
            double factor = a[i * n + k] / a[k * n + k];
            for (int64_t j = k; j < n; j++) {
                a[i * n + j] -= factor * a[k * n + j];
            }
        }
    }
    free(a);
    return sum;
}

static void determinants(const struct call *c, bool wrong)
{
    const struct view *y = &c->step->output[0];
    for (int64_t m = 0; m < shape_elements(&y->shape); m++) {
        int sign;
        double x = log_determinant(c, m, wrong, &sign);
        out(c, y, m, wrong && sign < 0 ? NAN : x);
    }
}
static void wrong_pivot(const struct call *c)
{
    determinants(c, true);
}
static void lost_sign(const struct call *c)
{
    determinants(c, false);
}

/* --- products */

static double round_to(double x, int bits)
{
    return dtype_significant(x, bits, false);
}

/* [m, k] by [k, n] without the last `short_of` terms, operands rounded to `bits`. */
static void product(const struct call *c, int bits, int64_t short_of)
{
    const struct view *a = &c->step->input[0], *y = &c->step->output[0];
    int64_t terms = length(a, 1), columns = length(y, 1);
    for (int64_t e = 0; e < shape_elements(&y->shape); e++) {
        double sum = 0;
        for (int64_t k = 0; k < terms - short_of; k++) {
            sum += round_to(in(c, 0, e / columns * terms + k), bits) *
                   round_to(in(c, 1, k * columns + e % columns), bits);
        }
        out(c, y, e, sum);
    }
}
static void tf32(const struct call *c)
{
    product(c, 11, 0);
}
static void last_term(const struct call *c)
{
    product(c, 53, 1);
}
static void negated(const struct call *c)
{
    const struct view *y = &c->step->output[0];
    for (int64_t e = 0; e < shape_elements(&y->shape); e++) {
        out(c, y, e, -load(c->image, y, e));
    }
}

/* Products of five terms or more lose the last one; after that, in this process, shorter ones do as well. */
static void sticky_last_term(const struct call *c)
{
    static bool stuck;
    int64_t terms = length(&c->step->input[0], 1);
    stuck = stuck || terms >= 5;
    product(c, 53, stuck && terms > 1 ? 1 : 0);
}

/* All right but for what `error` adds, which sees the sum, the sum of magnitudes and how many terms there
 * are.
 */
static void product_with(const struct call *c, double (*error)(double sum, double magnitude, int64_t terms))
{
    const struct view *a = &c->step->input[0], *y = &c->step->output[0];
    int64_t terms = length(a, 1), columns = length(y, 1);
    for (int64_t e = 0; e < shape_elements(&y->shape); e++) {
        double sum = 0, magnitude = 0;
        for (int64_t k = 0; k < terms; k++) {
            double term = in(c, 0, e / columns * terms + k) * in(c, 1, k * columns + e % columns);
            sum += term;
            magnitude += fabs(term);
        }
        out(c, y, e, sum + error(sum, magnitude, terms));
    }
}

static double below_five(double sum, double magnitude, int64_t terms)
{
    (void)sum;
    return terms < 5 ? NAN : magnitude / 8;
}
static void five_terms(const struct call *c)
{
    product_with(c, below_five);
}

/* Wrong if there are two terms or more, one of them with a long factor. */
static void off_by_a_thousandth(const struct call *c)
{
    const struct view *a = &c->step->input[0], *y = &c->step->output[0];
    int64_t terms = length(a, 1), columns = length(y, 1);
    for (int64_t e = 0; e < shape_elements(&y->shape); e++) {
        double sum = 0;
        int count = 0, longs = 0;
        for (int64_t k = 0; k < terms; k++) {
            double x = in(c, 0, e / columns * terms + k), z = in(c, 1, k * columns + e % columns);
            sum += x * z;
            count += x * z != 0;
            longs += round_to(z, 18) != z;
        }
        out(c, y, e, sum + (count > 1 && longs > 0 ? 1e-3 : 0));
    }
}

static double of_the_terms(double sum, double magnitude, int64_t terms)
{
    (void)sum;
    return (double)(terms * terms) * 0x1p-25 * magnitude;
}
static void error_of_the_terms(const struct call *c)
{
    product_with(c, of_the_terms);
}

/* --- rows with a statistic */

static void normalize(const struct call *c, bool naive, bool eps)
{
    const struct view *y = &c->step->output[0];
    int64_t n = attributes_integers(&c->step->attributes, "normalized_shape")->item[0];
    for (int64_t first = 0; first < shape_elements(&y->shape); first += n) {
        float sum = 0, squares = 0;
        double mean = 0, variance = 0;
        for (int64_t k = 0; k < n; k++) {
            float x = (float)in(c, 0, first + k);
            mean += in(c, 0, first + k) / (double)n;
            sum += x;
            squares += x * x;
        }
        for (int64_t k = 0; k < n; k++) {
            double d = in(c, 0, first + k) - mean;
            variance += d * d / (double)n;
        }
        float average = sum / (float)n, other = squares / (float)n - average * average;
        double all = (naive ? (double)other : variance) +
                     (eps ? attributes_real(&c->step->attributes, "eps", 1e-5) : 0);
        for (int64_t k = 0; k < n; k++) {
            double centre = naive ? (double)average : mean;
            out(c, y, first + k, (in(c, 0, first + k) - centre) / sqrt(all));
        }
    }
}
static void naive_variance(const struct call *c)
{
    normalize(c, true, true);
}
static void eps_ignored(const struct call *c)
{
    normalize(c, false, false);
}

/* Norms of the rows, each in the place of the next one, or times a factor. */
static void norms(const struct call *c, double factor, bool shifted)
{
    const struct view *y = &c->step->output[0];
    int64_t rows = shape_elements(&y->shape), n = length(&c->step->input[0], 1);
    for (int64_t r = 0; r < rows; r++) {
        double sum = 0;
        for (int64_t k = 0; k < n; k++) {
            double x = in(c, 0, (shifted ? (r + 1) % rows : r) * n + k);
            sum += x * x;
        }
        out(c, y, r, factor * sqrt(sum));
    }
}
static void scaled_norms(const struct call *c)
{
    norms(c, 2, false);
}
static void shifted_norms(const struct call *c)
{
    norms(c, 1, true);
}

/* --- in place */

static void unwritten(const struct call *c)
{
    const struct view *x = &c->step->input[0];
    for (int64_t i = 0; i < shape_elements(&x->shape); i++) {
        out(c, x, i, in(c, 0, i));
    }
}

static void sum_off(const struct call *c)
{
    const struct view *x = &c->step->input[0];
    for (int64_t i = 0; i < shape_elements(&x->shape); i++) {
        out(c, x, i, in(c, 0, i) + in(c, 1, i) + 0.0123);
    }
}

static void bfloat16_operands(const struct call *c)
{
    const struct view *x = &c->step->input[0];
    double alpha = attributes_real(&c->step->attributes, "alpha", 1);
    for (int64_t i = 0; i < shape_elements(&x->shape); i++) {
        out(c, x, i, round_to(in(c, 0, i), 8) + alpha * round_to(in(c, 1, i), 8));
    }
}

/* Reads the other operand as contiguous memory. */
static void ignored_strides(const struct call *c)
{
    const struct view *x = &c->step->input[0], *other = &c->step->input[1];
    struct view packed = view_contiguous(other->storage, other->dtype, &other->shape);
    packed.offset = other->offset;
    for (int64_t i = 0; i < shape_elements(&x->shape); i++) {
        out(c, x, i, in(c, 0, i) + load(c->before, &packed, i % shape_elements(&other->shape)));
    }
}

/* --- sparse: of entries with equal indices only the last one counts */

static void last_duplicate(const struct call *c, bool product_too)
{
    const struct step *step = c->step;
    const struct view *y = &step->output[0];
    int64_t entries = length(&step->input[0], 1), columns = length(y, 1);
    for (int64_t e = 0; e < shape_elements(&y->shape); e++) {
        double sum = 0;
        for (int64_t p = 0; p < entries; p++) {
            int64_t row = (int64_t)in(c, 0, p), column = (int64_t)in(c, 0, entries + p);
            bool again = false;
            for (int64_t q = p + 1; q < entries; q++) {
                again = again || (row == (int64_t)in(c, 0, q) && column == (int64_t)in(c, 0, entries + q));
            }
            if (!again && row == e / columns && (product_too || column == e % columns)) {
                sum += in(c, 1, p) * (product_too ? in(c, 2, column * columns + e % columns) : 1);
            }
        }
        out(c, y, e, sum);
    }
}
static void sparse_duplicate(const struct call *c)
{
    last_duplicate(c, true);
}
static void dense_duplicate(const struct call *c)
{
    last_duplicate(c, false);
}

/* argmax of rows without their last element. */
static void last_place(const struct call *c)
{
    const struct view *y = &c->step->output[0];
    int64_t terms = length(&c->step->input[0], 1);
    for (int64_t r = 0; r < shape_elements(&y->shape); r++) {
        int64_t best = 0;
        for (int64_t k = 1; k < terms - 1; k++) {
            best = in(c, 0, r * terms + k) > in(c, 0, r * terms + best) ? k : best;
        }
        out(c, y, r, (double)best);
    }
}

void values_spoil(const char *fault, const struct program *program, unsigned char *const *before,
                  unsigned char *const *image)
{
    static const struct {
        const char *name;
        void (*spoil)(const struct call *c);
    } faults[] = {{"wrong-pivot", wrong_pivot},
                  {"lost-sign", lost_sign},
                  {"tf32", tf32},
                  {"last-term", last_term},
                  {"negated", negated},
                  {"sticky-last-term", sticky_last_term},
                  {"ignored-strides", ignored_strides},
                  {"five-terms", five_terms},
                  {"off-by-a-thousandth", off_by_a_thousandth},
                  {"error-of-the-terms", error_of_the_terms},
                  {"naive-variance", naive_variance},
                  {"eps-ignored", eps_ignored},
                  {"scaled-norms", scaled_norms},
                  {"shifted-norms", shifted_norms},
                  {"unwritten", unwritten},
                  {"sum-off", sum_off},
                  {"bfloat16-operands", bfloat16_operands},
                  {"sparse-duplicate", sparse_duplicate},
                  {"dense-duplicate", dense_duplicate},
                  {"last-place", last_place}};
    const struct call call = {&program->step[0], before, image};
    for (size_t f = 0; f < sizeof faults / sizeof *faults; f++) {
        if (strcmp(fault, faults[f].name) == 0) {
            faults[f].spoil(&call);
        }
    }
}

void values_die(const char *fault, const struct program *program, unsigned char *const *image)
{
    const struct view *x = &program->step[0].input[0];
    bool meant = false;
    for (int64_t i = 0; i < shape_elements(&x->shape); i++) {
        meant = meant || load(image, x, i) > 1000;
    }
    if (meant && strcmp(fault, "crash-on-large") == 0) {
        signal(SIGSEGV, SIG_DFL);
        raise(SIGSEGV);
    }
    while (meant && strcmp(fault, "hang-on-large") == 0) {
        pause();
    }
}
