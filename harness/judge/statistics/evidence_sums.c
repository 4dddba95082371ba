/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Sums T and G over the elements of a tensor, slice by slice, and finds from which δ on T or G of truth·(1 +
 * δ) fails.
 *
 * An element contributes from δ = N/|t| on: T(δ)²·n = Σ ((δ|t| − N)/S)² and G(δ) = Σ w(δ|t| − N)|t|/sqrt(Σ
 * 1/S_c²), with w = 1/(S_c²·⟨t, t⟩), over the elements that do. Elements are gathered by N/|t|, in eight
 * steps to an octave, so that each sum is a polynomial in δ to whose coefficients a slice adds. A step within
 * which δ lies counts as a whole: the terms that are too many there have |δ|t| − N| below a ninth of N. */

#include "harness/judge/statistics/evidence.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS_TO_OCTAVE = 8, STEP_BITS = 3, FIRST_OCTAVE = -120, OCTAVES = 160 };
enum { STEPS = OCTAVES * STEPS_TO_OCTAVE };

/* The elements with N/|t| in one step: the least and the greatest N/|t|, and the coefficients of δ², −2δ and
 * 1 in T's sum, of δ and −1 in G's. */
struct evidence_step {
    double least, greatest;
    double squared, mixed, constant;
    double along, certain;
};

bool evidence_sums_open(struct evidence_sums *sums, bool may_fail)
{
    *sums = (struct evidence_sums){.step = may_fail ? calloc(STEPS, sizeof *sums->step) : NULL};
    return sums->step || !may_fail;
}

void evidence_sums_close(struct evidence_sums *sums)
{
    free(sums->step);
    *sums = (struct evidence_sums){.step = NULL};
}

static struct evidence_step *step_of(struct evidence_sums *sums, double from)
{
    uint64_t bits;
    memcpy(&bits, &from, sizeof bits);
    int64_t place = (int64_t)(bits >> (52 - STEP_BITS)) - (FIRST_OCTAVE + 1023) * STEPS_TO_OCTAVE;
    return &sums->step[place < 0 ? 0 : place >= STEPS ? STEPS - 1 : place];
}

/* `weight`: w, or 0 if the element is in no group that counts. */
static void add_to_step(struct evidence_sums *sums, double truth, double spread, double certain,
                        double weight)
{
    double from = certain / truth;
    if (truth == 0 || !isfinite(from)) {
        return;
    }
    struct evidence_step *step = step_of(sums, from);
    bool first = step->squared == 0;
    step->least = first || from < step->least ? from : step->least;
    step->greatest = first || from > step->greatest ? from : step->greatest;
    double t = truth / spread, n = certain / spread;
    step->squared += t * t;
    step->mixed += t * n;
    step->constant += n * n;
    step->along += weight * truth * truth;
    step->certain += weight * certain * truth;
}

struct group_sums {
    double along, square, spread, weight;
};

static double beyond(double error, double certain)
{
    double magnitude = fabs(error) - certain;
    return magnitude > 0 ? copysign(magnitude, error) : 0;
}

/* Numbers the groups from the least one of the slice on; returns how many numbers there are. */
static int64_t number_groups(struct evidence *e)
{
    int64_t least = INT64_MAX, room = 0;
    for (int64_t i = 0; i < e->count; i++) {
        least = e->group[i] >= 0 && e->group[i] < least ? e->group[i] : least;
    }
    for (int64_t i = 0; i < e->count; i++) {
        e->group[i] -= e->group[i] >= 0 ? least : 0;
        room = e->group[i] >= room ? e->group[i] + 1 : room;
    }
    return room;
}

static void add_groups(struct evidence *e, struct group_sums *groups, int64_t room)
{
    for (int64_t i = 0; i < e->count; i++) {
        if (e->group[i] >= 0) {
            struct group_sums *group = &groups[e->group[i]];
            group->along += beyond(e->error[i], e->certain[i]) * e->truth[i];
            group->square += e->truth[i] * e->truth[i];
            group->spread = e->group_spread[i];
        }
    }
    for (int64_t k = 0; k < room; k++) {
        if (groups[k].square > 0 && groups[k].spread > 0 && isfinite(groups[k].spread)) {
            double precision = 1 / (groups[k].spread * groups[k].spread);
            groups[k].weight = precision / groups[k].square;
            e->sums.along += groups[k].along / groups[k].square * precision;
            e->sums.weight += precision;
            e->sums.groups++;
        }
    }
}

bool evidence_end_slice(struct evidence *e)
{
    int64_t room = number_groups(e);
    struct group_sums *groups = calloc((size_t)room + 1, sizeof *groups);
    if (!groups) {
        return false;
    }
    add_groups(e, groups, room);
    for (int64_t i = 0; i < e->count; i++) {
        double x = beyond(e->error[i], e->certain[i]) / e->spread[i];
        e->sums.square += x * x;
        if (e->may_fail) {
            double weight = e->group[i] >= 0 ? groups[e->group[i]].weight : 0;
            add_to_step(&e->sums, fabs(e->truth[i]), e->spread[i], e->certain[i], weight);
        }
    }
    e->sums.count += e->count;
    e->count = 0;
    free(groups);
    return true;
}

static void merge_step(struct evidence_step *to, const struct evidence_step *from)
{
    if (from->squared == 0) {
        return;
    }
    bool first = to->squared == 0;
    to->least = first ? from->least : fmin(to->least, from->least);
    to->greatest = first ? from->greatest : fmax(to->greatest, from->greatest);
    to->squared += from->squared;
    to->mixed += from->mixed;
    to->constant += from->constant;
    to->along += from->along;
    to->certain += from->certain;
}

void evidence_sums_merge(struct evidence_sums *to, const struct evidence_sums *from)
{
    to->count += from->count;
    to->groups += from->groups;
    to->square += from->square;
    to->along += from->along;
    to->weight += from->weight;
    for (int k = 0; to->step && from->step && k < STEPS; k++) {
        merge_step(&to->step[k], &from->step[k]);
    }
}

static double t_of(const struct evidence_sums *sums, double square)
{
    return sums->count ? sqrt(square / (double)sums->count) : 0;
}

static double g_of(const struct evidence_sums *sums, double along)
{
    return sums->groups >= EVIDENCE_LEAST_GROUPS && sums->weight > 0 && isfinite(sums->weight)
               ? fabs(along) / sqrt(sums->weight)
               : 0;
}

static bool fails_by(const struct evidence_sums *sums, double delta)
{
    double square = 0, along = 0;
    for (int k = 0; k < STEPS; k++) {
        const struct evidence_step *step = &sums->step[k];
        if (step->squared > 0 && delta > step->least) {
            square += fmax(0, (delta * step->squared - 2 * step->mixed) * delta + step->constant);
            along += fmax(0, delta * step->along - step->certain);
        }
    }
    return t_of(sums, square) > EVIDENCE_T_LIMIT || g_of(sums, along) > EVIDENCE_G_LIMIT;
}

static double resolution_of(const struct evidence *e)
{
    if (!e->may_fail || e->sums.count == 0) {
        return e->limit_resolution;
    }
    double low = dtype_unit_roundoff(dtype_info(e->dtype)->component) / 2,
           high = fmin(e->limit_resolution, 0x1p20);
    bool fails = fails_by(&e->sums, high);
    for (int step = 0; fails && step < 24 && high > 1.02 * low; step++) {
        double middle = sqrt(low * high);
        bool seen = fails_by(&e->sums, middle);
        low = seen ? low : middle;
        high = seen ? middle : high;
    }
    return fails ? high : e->limit_resolution;
}

void evidence_measure(const struct evidence *e, struct evidence_statistics *s)
{
    *s = (struct evidence_statistics){.t = t_of(&e->sums, e->sums.square),
                                      .g = g_of(&e->sums, e->sums.along),
                                      .elements = e->sums.count,
                                      .groups = e->sums.groups,
                                      .resolution = resolution_of(e)};
}
