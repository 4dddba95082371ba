/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/diagnose/hypotheses_parts.h"
#include "harness/host/clock.h"
#include "harness/judge/statistics/evidence.h"
#include "reference/ops/conversion/conversion_rules.h"

#include <math.h>
#include <stdlib.h>

/* Marks the elements that the truth refuses, and finds T of the result. */
static bool mark(struct search *s)
{
    const struct truth *truth = s->of->truth;
    const struct holding h = holding_of(s);
    double sum = 0;
    int64_t count = 0;
    for (int o = 0; o < truth->outputs; o++) {
        s->refused[o] = calloc((size_t)truth->output[o].elements + 1, sizeof *s->refused[o]);
        if (!s->refused[o]) {
            return false;
        }
        for (int64_t i = 0; i < truth->output[o].elements; i++) {
            double excess = 0;
            s->refused[o][i] = !element_fits(&h, o, i, element_of(&s->of->got[o], i), &excess);
            s->refusals += s->refused[o][i];
            sum += excess * excess;
            count++;
        }
    }
    s->t = count ? sqrt(sum / (double)count) : 0;
    return true;
}

/* Counts the conversions that the operator leaves undefined: any result is accepted there. */
static void count_undefined(struct search *s)
{
    const struct truth *truth = s->of->truth;
    if (s->of->call->op->accept != conversion_accept) {
        return;
    }
    for (int64_t i = 0; i < truth->output[0].elements; i++) {
        const struct bound_query query = {.op = s->of->call->op, .truth = truth, .element = i};
        if (!conversion_is_defined(&query)) {
            s->best->undefined_at = s->best->undefined++ == 0 ? i : s->best->undefined_at;
        }
    }
}

bool hypotheses_explain(const struct hypothesis_case *of, struct hypothesis *best)
{
    static void (*const groups[])(struct search *) = {
        try_memory,   try_sign,     try_places,    try_range,    try_attributes,
        try_ignored,  try_operands, try_functions, try_unbiased, try_factor,
        try_variance, try_formats,  try_sums,      try_layout,   try_narrow};
    struct search s = {.of = of, .best = best, .deadline = clock_seconds() + of->seconds};
    *best = (struct hypothesis){.t = 0};
    s.memory = !mark(&s);
    count_undefined(&s);
    best->wrong = s.refusals > 0 || s.t > EVIDENCE_T_LIMIT;
    for (size_t g = 0; best->wrong && !s.memory && g < sizeof groups / sizeof *groups; g++) {
        groups[g](&s);
    }
    for (int o = 0; o < of->truth->outputs; o++) {
        free(s.refused[o]);
    }
    return !s.memory;
}
