/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Measures, error bounds and spreads of results, from adjoint sweeps (expression_adjoint.h). */

#include "reference/formula/expression_adjoint.h"
#include "reference/numeric/simd/multiversion.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

/* True if every legal program returns the truth of lane k, which is NaN or infinite. */
static bool is_certain(const struct sweep *s, size_t k)
{
    const struct expression *e = s->w->e;
    struct intervals f = bound_plain(s->w, e->root);
    double v = workspace_balls(s->w, e->root).value[k];
    bool point = f.low[k] == v && f.high[k] == v, nan = isnan(f.low[k]) && isnan(f.high[k]);
    return point || (isnan(v) && nan) || !bound_arguments_err(e, e->root);
}

enum answer { ANSWER_ORDINARY, ANSWER_NOTHING, ANSWER_UNBOUNDED };

static enum answer answer_of(const struct sweep *s, size_t k)
{
    struct balls root = workspace_balls(s->w, s->w->e->root);
    bool special = root.radius[k] == 0 && !isfinite(root.value[k]);
    return !special ? ANSWER_ORDINARY : is_certain(s, k) ? ANSWER_NOTHING : ANSWER_UNBOUNDED;
}

/* The adjoint at which a result smaller than BOUND_FAR_OFF starts. */
#define FAR_UP 0x1p128

static double start_of(const struct sweep *s, size_t k)
{
    return fabs(workspace_balls(s->w, s->w->e->root).value[k]) < BOUND_FAR_OFF ? FAR_UP : 1;
}

static size_t block_of(int64_t first, int64_t results)
{
    return results - first < EXPRESSION_BLOCK ? (size_t)(results - first) : EXPRESSION_BLOCK;
}

/* Sweeps one block of the results and leaves the sums in the sinks. Returns the number of results in the
 * block. */
static size_t sweep_block(struct sweep *s, int64_t first, int64_t results)
{
    size_t count = block_of(first, results);
    struct expression_workspace *w = s->w;
    int root = w->e->root;
    if (!w->e->node[root].of_row) {
        workspace_evaluate(w, s->row, root, first, count);
        for (int k = 0; k < w->e->node[root].needs; k++) {
            bound_forward(w, s->row, s->kinds, w->e->node[root].need[k], count);
        }
    }
    sweep_start(s, root, root, 1, 1, count);
    for (size_t k = 0; s->what != GATHER_SPREAD && k < count; k++) {
        struct intervals adjoint = bound_adjoint(w, root);
        adjoint.low[k] = adjoint.high[k] = start_of(s, k);
    }
    if (!w->e->node[root].of_row) {
        sweep_elements(s, root, count);
    }
    sweep_row(s, count);
    return count;
}

/* Rescales a sum that was collected with the scaled adjoint of a small result. */
static inline double in_own_scale(double collected, double value)
{
    double least = collected > 0 ? 0x1p-1074 : 0;
    return fabs(value) < BOUND_FAR_OFF ? collected * (1 / FAR_UP) + least : collected;
}

static double finished(const struct sweep *s, size_t k, enum answer answer, double x)
{
    double value = workspace_balls(s->w, s->w->e->root).value[k];
    return answer == ANSWER_NOTHING                        ? 0
           : answer == ANSWER_UNBOUNDED || !(x < INFINITY) ? INFINITY
                                                           : in_own_scale(x, value) * bound_slack(s->w->e);
}

static void emit_measure(const struct sweep *s, size_t k, struct expression_measure *out)
{
    enum answer answer = answer_of(s, k);
    out->may_overflow = s->row_may_overflow || s->w->escaped[(size_t)s->w->e->root * EXPRESSION_BLOCK + k] ||
                        answer == ANSWER_UNBOUNDED;
    for (int c = 0; c < EXPRESSION_CLASSES; c++) {
        out->class[c] = finished(s, k, answer, sweep_sink(s, c)[k]);
    }
}

static struct sweep sweep_of(struct expression_workspace *w, const struct expression_row *row,
                             const struct expression_kinds *kinds, enum gathered what)
{
    workspace_claim(w);
    return (struct sweep){.w = w,
                          .row = row,
                          .kinds = kinds,
                          .widest = &kinds->of[0],
                          .what = what,
                          .columns = what == GATHER_BOUND     ? kinds->kinds
                                     : what == GATHER_CLASSES ? EXPRESSION_CLASSES
                                                              : 1 + ENVELOPE_WIDTHS};
}

void expression_measures(struct expression_workspace *w, const struct expression_row *row,
                         const struct primitive_errors *widest, struct expression_measure *measure)
{
    const struct expression_kinds kinds = {.kinds = 1, .of = {*widest}};
    struct sweep s = sweep_of(w, row, &kinds, GATHER_CLASSES);
    int64_t results = expression_is_row(w->e) ? 1 : row->n;
    sweep_prepare(&s);
    for (int64_t first = 0; first < results; first += EXPRESSION_BLOCK) {
        size_t count = sweep_block(&s, first, results);
        for (size_t k = 0; k < count; k++) {
            emit_measure(&s, k, &measure[first + (int64_t)k]);
        }
    }
}

double expression_bound(const struct expression_measure *measure,
                        const struct primitive_errors *primitive_errors)
{
    double bound = 0;
    for (int c = 0; c < EXPRESSION_CLASSES; c++) {
        bool none = measure->class[c] == 0 || primitive_errors->of[c] == 0;
        bound += none ? 0 : measure->class[c] * primitive_errors->of[c];
    }
    return bound < INFINITY ? bound * (1 + 0x1p-46) * primitive_errors->rounded : INFINITY;
}

double expression_forms_bound(const struct expression_measure *measure, const enum expression_form *form,
                              int forms, const struct primitive_errors *primitive_errors, enum range range)
{
    double greatest = -1;
    for (int f = 0; f < forms; f++) {
        bool binds = !measure[f].may_overflow || form[f] == EXPRESSION_FORM_SCALED;
        bool counts = binds && (form[f] != EXPRESSION_FORM_NAIVE || range == RANGE_NAIVE);
        double bound = counts ? expression_bound(&measure[f], primitive_errors) : -1;
        greatest = bound > greatest ? bound : greatest;
    }
    return greatest < 0 ? INFINITY : greatest;
}

/* True if all answers of a block are ordinary. */
MULTIVERSION static bool all_ordinary(const struct sweep *s, size_t count)
{
    const struct balls root = workspace_balls(s->w, s->w->e->root);
    int64_t odd = mask_of(s->row_may_overflow);
    for (size_t k = 0; k < count; k++) {
        odd |= mask_of(root.radius[k] == 0) & ~mask_of(fabs(root.value[k]) < INFINITY);
    }
    return odd == 0;
}

/* As finish_one_by_one, for a block whose answers are all ordinary. */
MULTIVERSION static void finish_plainly(const struct sweep *s, int kind, double *bound, size_t count)
{
    const double *value = workspace_balls(s->w, s->w->e->root).value, *x = sweep_sink(s, kind);
    const unsigned char *escaped = s->w->escaped + (size_t)s->w->e->root * EXPRESSION_BLOCK;
    const double up = bound_slack(s->w->e), rounded = s->kinds->of[kind].rounded;
    for (size_t k = 0; k < count; k++) {
        double own = in_own_scale(x[k], value[k]);
        bound[k] = (((x[k] < INFINITY) & (escaped[k] == 0)) ? own * up : INFINITY) * rounded;
    }
}

/* As finish_plainly, for a single operation, whose error needs no sweep. */
MULTIVERSION static void finish_alone(const struct sweep *s, int kind, double *bound, size_t count)
{
    const double *value = workspace_balls(s->w, s->w->e->root).value,
                 *error = bound_error(s->w, kind, s->w->e->root);
    const double up = bound_slack(s->w->e), rounded = s->kinds->of[kind].rounded;
    for (size_t k = 0; k < count; k++) {
        double x = error[k], least = ((x > 0) & (fabs(value[k]) < BOUND_FAR_OFF)) ? 0x1p-1074 : 0;
        bound[k] = (x < INFINITY ? (x + least) * up : INFINITY) * rounded;
    }
}

static void finish_one_by_one(const struct sweep *s, int kind, double *bound, size_t count)
{
    const unsigned char *escaped = s->w->escaped + (size_t)s->w->e->root * EXPRESSION_BLOCK;
    for (size_t k = 0; k < count; k++) {
        bool may_overflow = s->row_may_overflow || escaped[k];
        enum answer answer = answer_of(s, k);
        double x = finished(s, k, answer, sweep_sink(s, kind)[k]);
        bound[k] = answer != ANSWER_NOTHING && may_overflow ? INFINITY : x * s->kinds->of[kind].rounded;
    }
}

/* True if an element is unbounded although its exact result may lie in the range of the type. */
MULTIVERSION static bool is_lost(const struct sweep *s, const double *bound, size_t count)
{
    const struct intervals f = bound_plain(s->w, s->w->e->root);
    const double most = dtype_max(s->widest->type);
    int lost = 0;
    for (size_t k = 0; k < count; k++) {
        lost |= !(bound[k] < INFINITY) & !((f.low[k] > most) | (f.high[k] < -most));
    }
    return lost;
}

/* Bounds the elements that are unbounded beside a wider kind by themselves. Other elements stay as they are,
 * so no element's bound depends on which elements are requested with it. Without memory they stay
 * unbounded. */
static void find_lost(struct expression_workspace *w, const struct expression_row *row,
                      const struct primitive_errors *primitive_errors, double *bound, int64_t results)
{
    double *alone = malloc((size_t)results * sizeof *alone);
    if (alone) {
        expression_limits(w, row, primitive_errors, alone);
    }
    for (int64_t i = 0; alone && i < results; i++) {
        bound[i] = bound[i] < INFINITY ? bound[i] : alone[i];
    }
    free(alone);
}

/* Bounds a block of a single-operation expression without a sweep. Returns false and fills nothing if an
 * answer is not ordinary. */
static bool limit_alone(const struct sweep *s, int64_t first, size_t count, double *const *bound)
{
    struct expression_workspace *w = s->w;
    workspace_evaluate(w, s->row, w->e->root, first, count);
    if (!all_ordinary(s, count)) {
        return false;
    }
    bound_alone(w, s->row, s->kinds, count);
    for (int j = 0; j < s->kinds->kinds; j++) {
        finish_alone(s, j, bound[j] + first, count);
    }
    return true;
}

static void limit_block(struct sweep *s, int64_t first, int64_t results, double *const *bound)
{
    size_t count = sweep_block(s, first, results);
    bool ordinary = all_ordinary(s, count);
    for (int j = 0; j < s->kinds->kinds; j++) {
        (ordinary ? finish_plainly : finish_one_by_one)(s, j, bound[j] + first, count);
    }
}

/* True if the whole block lies far beyond the range and is bounded; it then needs no sweep. */
static bool limit_all_beyond(struct sweep *s, int64_t first, size_t count, double *const *bound)
{
    bool all = bound_all_far(s->w, s->row, s->kinds, first, count);
    for (int j = 0; all && j < s->kinds->kinds; j++) {
        all = bound_by_range(s->w, s->row, s->kinds, j, first, count, bound[j] + first);
    }
    return all;
}

bool expression_limits_each(struct expression_workspace *w, const struct expression_row *row,
                            const struct expression_kinds *kinds, double *const *bound)
{
    struct sweep s = sweep_of(w, row, kinds, GATHER_BOUND);
    int64_t results = expression_is_row(w->e) ? 1 : row->n;
    bool lost[EXPRESSION_KINDS] = {false}, alone = bound_is_alone(w->e), swept = false, plain = true;
    const bool in_range = kinds->in_range && (!alone || kinds->far);
    sweep_prepare(&s);
    for (int64_t first = 0; first < results; first += EXPRESSION_BLOCK) {
        size_t count = block_of(first, results);
        if (in_range && limit_all_beyond(&s, first, count, bound)) {
            plain = false;
            continue;
        }
        swept = true;
        if (alone && bound_alone_plainly(w, row, kinds, first, count, bound)) {
            continue;
        }
        plain = false;
        if (!alone || !limit_alone(&s, first, count, bound)) {
            limit_block(&s, first, results, bound);
        }
        for (int j = 0; j < kinds->kinds; j++) {
            lost[j] = lost[j] || is_lost(&s, bound[j] + first, count);
        }
    }
    for (int j = 1; j < kinds->kinds; j++) {
        if (lost[j]) {
            find_lost(w, row, &kinds->of[j], bound[j], results);
        }
    }
    for (int64_t first = 0; in_range && swept && first < results; first += EXPRESSION_BLOCK) {
        for (int j = 0; j < kinds->kinds; j++) {
            bound_by_range(w, row, kinds, j, first, block_of(first, results), bound[j] + first);
        }
    }
    return plain && !in_range;
}

void expression_limits(struct expression_workspace *w, const struct expression_row *row,
                       const struct primitive_errors *primitive_errors, double *bound)
{
    const struct expression_kinds kinds = {.kinds = 1, .of = {*primitive_errors}};
    expression_limits_each(w, row, &kinds, &bound);
}

bool expression_envelope(struct expression_workspace *w, const struct expression_row *row, enum dtype dtype,
                         struct envelope *out)
{
    const struct expression_kinds none = {.kinds = 1, .of = {{.type = dtype, .divisor_most = INFINITY}}};
    struct sweep s = sweep_of(w, row, &none, GATHER_SPREAD);
    double u[ENVELOPE_WIDTHS];
    int64_t results = expression_is_row(w->e) ? 1 : row->n;
    envelope_widths(dtype, u);
    s.u = u;
    if (!sweep_prepare(&s)) {
        return false;
    }
    for (int64_t first = 0; first < results; first += EXPRESSION_BLOCK) {
        size_t count = sweep_block(&s, first, results);
        for (size_t k = 0; k < count; k++) {
            struct envelope *e = &out[first + (int64_t)k];
            *e = (struct envelope){.spread = sweep_sink(&s, 0)[k], .group = -1};
            for (int width = 0; width < ENVELOPE_WIDTHS; width++) {
                e->drift[width] = sweep_sink(&s, 1 + width)[k];
            }
        }
    }
    return true;
}
