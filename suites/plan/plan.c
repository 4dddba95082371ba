/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "suites/plan/plan.h"
#include "suites/plan/form.h"

#include <stdio.h>
#include <string.h>

extern const struct plan_form
    *const plan_forms[]; /* generated, in the order of their names, NULL at the end */

static const struct size_class {
    int64_t size, octave; /* octave: a prime of [octave, 2·octave); 0: the size itself */
} classes[] = {
#define SIZE(n_)        {n_, 0},
#define PRIME(low_, n_) {n_, low_},
#include "suites/plan/plan.def"
};

static const char *const kind_names[PLAN_KINDS] = {
#define KIND(key_, name_, text_) [PLAN_##key_] = name_,
#include "suites/plan/plan.def"
};

const struct plan_form *plan_form_after(const struct plan_form *form)
{
    const struct plan_form *next = NULL;
    for (int k = 0; plan_forms[k]; k++) {
        const bool later = !form || plan_forms[k]->place > form->place;
        next = later && (!next || plan_forms[k]->place < next->place) ? plan_forms[k] : next;
    }
    return next;
}

int plan_operators(void)
{
    int count = 0;
    for (int k = 0; plan_forms[k]; k++) {
        count += plan_forms[k]->count;
    }
    return count;
}

const struct plan_operator *plan_operator(int index)
{
    const struct plan_form *form = plan_form_after(NULL);
    while (index >= form->count) {
        index -= form->count;
        form = plan_form_after(form);
    }
    return &form->operators[index];
}

int plan_index(const struct plan_operator *planned)
{
    int before = 0;
    for (int k = 0; plan_forms[k]; k++) {
        before += plan_forms[k]->place < planned->form->place ? plan_forms[k]->count : 0;
    }
    return before + (int)(planned - planned->form->operators);
}

const struct plan_operator *plan_find(const char *name)
{
    for (int k = 0; plan_forms[k]; k++) {
        for (int o = 0; o < plan_forms[k]->count; o++) {
            if (strcmp(plan_forms[k]->operators[o].name, name) == 0) {
                return &plan_forms[k]->operators[o];
            }
        }
    }
    return NULL;
}

int plan_axes(const struct plan_operator *planned)
{
    int count = 0;
    while (count < PLAN_AXES && planned->axis[count].most > 0) {
        count++;
    }
    return count;
}

const char *plan_kind_name(enum plan_kind kind)
{
    return kind_names[kind];
}

int plan_classes(void)
{
    return (int)(sizeof classes / sizeof *classes);
}

int64_t plan_class_size(int class)
{
    return classes[class].size;
}

static bool is_prime(int64_t n)
{
    for (int64_t d = 2; d * d <= n; d++) {
        if (n % d == 0) {
            return false;
        }
    }
    return n > 1;
}

bool plan_class_holds(int class, int64_t size)
{
    int64_t low = classes[class].octave;
    if (low == 0) {
        return size == classes[class].size;
    }
    return size > low + 1 && size < 2 * low - 1 && is_prime(size);
}

void plan_class_name(int class, char *text, size_t size)
{
    long long low = classes[class].octave;
    if (low == 0) {
        snprintf(text, size, "%lld", (long long)classes[class].size);
    } else {
        snprintf(text, size, "a prime of %lld to %lld", low, 2 * low - 1);
    }
}

void plan_measure_all(const struct plan_operator *planned, const struct program *program,
                      const struct step *step, int64_t size[PLAN_AXES])
{
    bool empty = false;
    for (int a = 0; a < plan_axes(planned); a++) {
        size[a] = planned->form->measure(program, step, planned->axis[a].kind);
        empty = empty || (size[a] == 0 && !planned->axis[a].derived);
    }
    for (int a = 0; empty && a < plan_axes(planned); a++) {
        size[a] = size[a] == 0 ? 0 : -1;
    }
}

unsigned plan_common_dtypes(const struct op *op)
{
    return op->dtypes & ~(1U << DTYPE_INT8 | 1U << DTYPE_UINT8 | 1U << DTYPE_INT64 | 1U << DTYPE_BOOL);
}
