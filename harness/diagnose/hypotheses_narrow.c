/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* The hypothesis that sums and intermediates are rounded to a format that is narrower than the declared one,
 * whatever the order of the sums: half-precision sums of half-precision operands.
 *
 * The envelope gives the standard deviation S of such errors for each element. The hypothesis holds if every
 * element lies within the limits under a profile that accumulates in the narrow format, if the errors follow
 * S better than the size of the truth or a constant (growth_favours), if they are neither much smaller nor
 * greater than S, and if they are more than a factor and a shift of each row (growth_is_common). Noise of
 * another kind fails one of these. Errors that are a small part of S are those of partial sums: each sum in
 * blocks, of which only the totals are rounded. */

#include "harness/diagnose/hypotheses_parts.h"
#include "harness/judge/statistics/evidence.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The row of an element, whose elements share errors; −1 where they do not. */
static int64_t row_of(const struct search *s, const struct truth_output *out, int64_t i)
{
    int rank = out->shape.rank;
    return s->of->call->op->rowwise && rank > 1 ? i / out->shape.dim[rank - 1] : -1;
}

/* Adds the elements that an envelope decides under the narrow profile. The declared profile has been compared
 * with the result already. */
static void measure(const struct search *s, const struct holding *h, struct growth *growth)
{
    for (int o = 0; o < s->of->truth->outputs; o++) {
        const struct truth_output *out = &s->of->truth->output[o];
        if (dtype_info(out->dtype)->kind != KIND_FLOAT) {
            continue;
        }
        for (int64_t i = 0; i < out->elements; i++) {
            struct limit limit = limit_of(h, o, i);
            double got = dtype_load(out->dtype, element_of(&s->of->got[o], i));
            if (limit.finite && isfinite(got) && limit.spread > 0 && isfinite(limit.spread)) {
                double rounding = dtype_ulp(out->dtype, got) / sqrt(12);
                growth_add(growth, limit.group < 0 ? row_of(s, out, i) : limit.group,
                           value_distance(truth_value(out, i), got), rounding, limit.spread, limit.centre, 0);
            }
        }
    }
}

static int64_t elements_of(const struct truth *truth)
{
    int64_t elements = 0;
    for (int o = 0; o < truth->outputs; o++) {
        elements += truth->output[o].elements;
    }
    return elements;
}

static void try_format(struct search *s, enum dtype format)
{
    enum { ELEMENTS_LEAST = 16 };
    const double least = 0.03, tree = 0.1, most = 2; /* of S */
    struct profile profile = *s->of->profile;
    struct holding h = holding_of(s);
    struct growth growth;
    double size = 0;
    char name[NAME_MOST + 16];
    for (int d = 0; d < DTYPE_COUNT; d++) {
        bool wider = dtype_info(profile.accumulate[d])->precision > dtype_info(format)->precision;
        profile.accumulate[d] = wider ? format : profile.accumulate[d];
    }
    profile.accumulate_own = profile.matrix_units = NULL;
    profile.matrix_unit = false;
    h.profile = &profile;
    struct fit fit = fit_all(s, &h);
    if (!fit.holds || fit.t > EVIDENCE_T_LIMIT) {
        return;
    }
    if (!growth_open(&growth, elements_of(s->of->truth))) {
        s->memory = true;
        return;
    }
    measure(s, &h, &growth);
    bool follows =
        growth.count >= ELEMENTS_LEAST && growth_favours(&growth, &size) && !growth_is_common(&growth);
    growth_close(&growth);
    /* a tenth of the elements must be wrong under the declared format */
    if (follows && size >= least && size <= most && 10 * s->refusals >= elements_of(s->of->truth)) {
        fit.gain = INFINITY; /* the growth is the evidence, not one element */
        snprintf(name, sizeof name, "accumulate-%s", dtype_info(format)->name);
        search_offer(
            s, &fit, name,
            "%s are rounded to %s: the errors grow as such sums do, %.2g times what a rounding at each "
            "addition gives",
            size < tree ? "partial sums" : "sums and intermediates", dtype_info(format)->name, size);
    }
}

/* The format of the operands, if sums are declared to be wider. Results of a wider dtype than the sums are
 * among try_formats. */
void try_narrow(struct search *s)
{
    enum dtype dtype = dtype_info(s->of->truth->output[0].dtype)->component;
    if (s->best->name[0] || !dtype_is_floating(dtype)) {
        return;
    }
    enum dtype declared = dtype_info(s->of->profile->accumulate[dtype])->component;
    if (dtype_info(declared)->precision > dtype_info(dtype)->precision) {
        try_format(s, dtype);
    }
}
