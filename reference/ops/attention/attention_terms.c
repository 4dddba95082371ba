/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reference/ops/attention/attention_sums.h"

#include <math.h>

static const double more = 1 + 0x1p-30; /* covers roundings of sums of doubles of one sign */

void attention_term(const struct attention_group *g, enum attention_gradient which, int64_t at,
                    double term[TERMS])
{
    const int64_t size = g->room * g->a->queries * g->a->keys;
    const double *n = g->number + at;
    if (which == GRADIENT_VALUE) {
        double p = n[GROUP_P * size];
        term[TERM_SCORE] = n[GROUP_P_SCORE * size];
        term[TERM_DISTANCE] = n[GROUP_P_DISTANCE * size];
        term[TERM_WEIGHT] = term[TERM_MAGNITUDE] = p;
        term[TERM_VALUE] = 0;
        term[TERM_LOST] = p > 0 || n[GROUP_P_RADIUS * size] > 0;
        term[TERM_RADIUS] = n[GROUP_P_RADIUS * size];
        for (int k = 0; k < ENVELOPE_WIDTHS; k++) {
            term[TERM_DRIFT + k] = p > 0 ? g->s.u[k] * g->s.u[k] * n[GROUP_P_VARIANCE * size] / p : p;
        }
        term[TERM_VARIANCE] = n[GROUP_P_VARIANCE * size];
        term[TERM_EXPONENTIAL] = n[GROUP_P_EXPONENTIAL * size];
        term[TERM_ARGUMENT] = n[GROUP_P_ARGUMENT * size];
        term[TERM_LOW] = p * p;
        term[TERM_LOGARITHM] = term[TERM_SHARED] = 0;
        return;
    }
    /* all terms have the same D */
    bool row = which == GRADIENT_QUERY || (which == GRADIENT_MASK && g->a->mask_columns == 1);
    term[TERM_SCORE] = n[GROUP_DS_SCORE * size];
    term[TERM_DISTANCE] = n[GROUP_DS_DISTANCE * size];
    term[TERM_WEIGHT] = n[GROUP_DS_WEIGHT * size];
    term[TERM_VALUE] = n[GROUP_DS_VALUE * size];
    term[TERM_LOST] = n[GROUP_DS_LOST * size];
    term[TERM_MAGNITUDE] = fabs(n[GROUP_DS * size]);
    term[TERM_RADIUS] = n[GROUP_DS_RADIUS * size];
    for (int k = 0; k < ENVELOPE_WIDTHS; k++) {
        term[TERM_DRIFT + k] = n[(GROUP_DRIFT + k) * size];
    }
    term[TERM_VARIANCE] = n[GROUP_DS_VARIANCE * size] + (row ? 0 : n[GROUP_D_VARIANCE * size]);
    term[TERM_EXPONENTIAL] = n[GROUP_DS_EXPONENTIAL * size];
    term[TERM_ARGUMENT] = n[GROUP_DS_ARGUMENT * size];
    term[TERM_LOW] = n[GROUP_DS_LOW * size];
    term[TERM_LOGARITHM] = row ? n[GROUP_DS_LOGARITHM * size] : 0;
    term[TERM_SHARED] = row ? sqrt(n[GROUP_D_VARIANCE * size]) : 0;
}

void attention_gradient_fill(const struct attention_group *g, const double sum[TERMS], double terms,
                             int flags, double *s)
{
    s[ATTENTION_KEYS] = (double)g->a->keys;
    s[ATTENTION_WIDTH] = (double)g->a->width;
    s[ATTENTION_SCORE_MOST] = g->most.score_most;
    s[ATTENTION_DISTANCE_MOST] = g->most.distance_most;
    s[ATTENTION_FAR_MOST] = g->most.far;
    s[ATTENTION_MAXIMUM] = g->maximum;
    s[ATTENTION_OVERFLOW] = g->most.plain;
    s[ATTENTION_SUBNORMAL] = g->most.subnormal;
    s[ATTENTION_FLAGS] =
        flags | (g->special ? ATTENTION_MAY_BE_NAN : 0) | (g->has_empty ? ATTENTION_MEETS_EMPTY : 0);
    s[ATTENTION_GRADIENT_TERMS] = terms;
    s[ATTENTION_GRADIENT_VALUE_WIDTH] = (double)g->a->value_width;
    s[ATTENTION_GRADIENT_SCORE] = sum[TERM_SCORE] * more;
    s[ATTENTION_GRADIENT_DISTANCE] = sum[TERM_DISTANCE] * more;
    s[ATTENTION_GRADIENT_WEIGHT] = sum[TERM_WEIGHT] * more;
    s[ATTENTION_GRADIENT_VALUE] = sum[TERM_VALUE] * more;
    s[ATTENTION_GRADIENT_LOST] = sum[TERM_LOST] * more;
    s[ATTENTION_GRADIENT_MAGNITUDE] = sum[TERM_MAGNITUDE] * more;
    s[ATTENTION_GRADIENT_EXPONENTIAL] = sqrt(sum[TERM_EXPONENTIAL]);
    s[ATTENTION_GRADIENT_ARGUMENT] = sqrt(sum[TERM_ARGUMENT]);
    s[ATTENTION_GRADIENT_LOW] = sqrt(sum[TERM_LOW]);
    s[ATTENTION_GRADIENT_FLUSHED] = terms > 0 ? g->flushed * terms * more : 0;
}

void attention_gradient_surround(const double sum[TERMS], double order, double squares, double value,
                                 bool scaled, struct envelope *e)
{
    double shared = sum[TERM_SHARED] * sum[TERM_SHARED] + sum[TERM_LOGARITHM] * sum[TERM_LOGARITHM],
           last = order * order + 2 * squares * squares;
    e->spread = sqrt(sum[TERM_VARIANCE] + shared + last + (scaled ? 2 * value * value : 0));
    for (int k = 0; k < ENVELOPE_WIDTHS; k++) {
        e->drift[k] = sum[TERM_DRIFT + k];
    }
}
