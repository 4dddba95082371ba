/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/verdict/evidence.h"
#include "harness/verdict/hypotheses_parts.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

bool search_late(struct search *s)
{
    if (s->of->progress) {
        s->of->progress(s->of->user);
    }
    s->best->cut = s->best->cut || (s->of->seconds > 0 && now() > s->deadline);
    return s->best->cut;
}

/* Errors of rounding are up to about S: below that one T is as good as another. */
static double score_of(double t)
{
    return t > 1 ? t : 1;
}

static void add_name(char *names, size_t size, const char *name)
{
    size_t used = strlen(names);
    snprintf(names + used, size - used, "%s%s", used ? ", " : "", name);
}

void search_offer(struct search *s, const struct fit *fit, const char *name, const char *format, ...)
{
    struct hypothesis *best = s->best;
    if (!fit_explains(s, fit) || strcmp(best->name, name) == 0 || strstr(best->also, name)) {
        return;
    }
    if (best->name[0] && score_of(fit->t) >= s->score) {
        add_name(best->also, sizeof best->also, name);
        return;
    }
    va_list arguments;
    if (best->name[0]) {
        add_name(best->also, sizeof best->also, best->name);
    }
    va_start(arguments, format);
    vsnprintf(best->text, sizeof best->text, format, arguments);
    va_end(arguments);
    snprintf(best->name, sizeof best->name, "%s", name);
    best->t = fit->t;
    s->score = score_of(fit->t);
}

/* Marks what the truth refuses. */
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

bool hypotheses_explain(const struct hypothesis_case *of, struct hypothesis *best)
{
    static void (*const groups[])(struct search *) = {try_memory,     try_sign,     try_places,
                                                      try_attributes, try_operands, try_factor,
                                                      try_variance,   try_formats,  try_layout};
    struct search s = {.of = of, .best = best, .deadline = now() + of->seconds};
    *best = (struct hypothesis){.t = 0};
    s.memory = !mark(&s);
    best->wrong = s.refusals > 0 || s.t > EVIDENCE_T_LIMIT;
    for (size_t g = 0; best->wrong && !s.memory && g < sizeof groups / sizeof *groups; g++) {
        groups[g](&s);
    }
    for (int o = 0; o < of->truth->outputs; o++) {
        free(s.refused[o]);
    }
    return !s.memory;
}
