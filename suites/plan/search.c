/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "suites/plan/search.h"
#include "suites/plan/form.h"

struct plan_choice search_choice(const struct search *s, const int pick[SLOTS])
{
    struct plan_choice choice = {.dense = s->planned->dense, .variant = pick[VARIANT_SLOT]};
    for (int kind = 0; kind < PLAN_KINDS; kind++) {
        const int a = s->chosen[kind];
        const bool shared = kind == PLAN_TERMS && a >= 0 && s->planned->axis[a].least > 0;
        choice.open[kind] = s->first[kind] >= 0 && pick[s->first[kind]] < 0;
        /* an open dimension counts as the least size that `allowed` permits */
        choice.size[kind] = a >= 0 && pick[a] >= 0 ? s->class_size[pick[a]] : shared ? 3 : 1;
    }
    return choice;
}

void search_choose(const struct search *s, struct plan_choice *choice, int slot, int value)
{
    if (slot < s->axes) {
        const enum plan_kind kind = s->planned->axis[slot].kind;
        choice->open[kind] = choice->open[kind] && s->first[kind] != slot;
        choice->size[kind] = s->chosen[kind] == slot ? s->class_size[value] : choice->size[kind];
    }
    choice->variant = slot == VARIANT_SLOT ? value : choice->variant;
}

static int64_t work(const struct search *s, const struct plan_choice *choice)
{
    int64_t product = 1;
    for (int kind = 0; kind < PLAN_KINDS; kind++) {
        product *= choice->size[kind];
    }
    return s->planned->form->work ? s->planned->form->work(choice) : product;
}

bool search_fits(const struct search *s, const struct plan_choice *choice, int64_t budget)
{
    const struct plan_form *form = s->planned->form;
    return (!form->fits || form->fits(choice)) && work(s, choice) <= budget;
}

/* Three groups of terms hold the decisive element in every place. */
int64_t search_budget(const struct search *s, int a, int64_t size)
{
    const struct plan_budget *budget = &s->planned->form->budget;
    const enum plan_kind kind = s->planned->axis[a].kind;
    const int64_t least = budget->least ? budget->least : 512;
    int64_t several = budget->times        ? budget->times * size + budget->plus
                      : kind == PLAN_ORDER ? size * size * size / 16 + 2
                      : kind == PLAN_TERMS ? 3 * size
                                           : 2 * size;
    const bool few = size > PLAN_LARGE && !budget->beyond_large;
    for (int k = 0; few && k < s->axes; k++) {
        const struct plan_axis *other = &s->planned->axis[k];
        several = k == 0 ? size : several;
        several *= k != a && !other->derived && other->kind == PLAN_TERMS && other->least > 0 ? 3 : 1;
    }
    /* Groups whose terms follow from other dimensions need two elements of these each. */
    return few && kind == PLAN_GROUPS && s->chosen[PLAN_TERMS] < 0 ? 2 * several
           : few || several > least                                ? several
                                                                   : least;
}
