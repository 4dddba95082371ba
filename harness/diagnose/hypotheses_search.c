/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/diagnose/hypotheses_parts.h"
#include "harness/host/clock.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

bool search_late(struct search *s)
{
    if (s->of->progress) {
        s->of->progress(s->of->user);
    }
    s->best->cut = s->best->cut || (s->of->seconds > 0 && clock_seconds() > s->deadline);
    return s->best->cut;
}

/* Errors of rounding reach about S: all T up to 1 are equally good. */
static double score_of(double t)
{
    return t > 1 ? t : 1;
}

/* Appends a name, or "…" once there is no room for it. */
static void add_name(char *names, size_t size, const char *name)
{
    static const char more[] = ", …";
    size_t used = strlen(names), wanted = strlen(name) + 2;
    bool full = used >= sizeof more && strcmp(names + used + 1 - sizeof more, more) == 0;
    if (used + wanted + sizeof more <= size) {
        snprintf(names + used, size - used, "%s%s", used ? ", " : "", name);
    } else if (!full) {
        snprintf(names + used, size - used, "%s", more);
    }
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
