/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "suites/plan/search.h"

#include <string.h>

static int64_t size_of(const struct search *s, const int pick[SLOTS], enum plan_kind kind)
{
    int a = s->chosen[kind];
    if (a < 0 || pick[a] < 0) { /* an open one: the least that `allowed` gives */
        return a >= 0 && kind == PLAN_TERMS && s->planned->axis[a].least > 0 ? 3 : 1;
    }
    return s->class_size[pick[a]];
}

static bool open(const struct search *s, const int pick[SLOTS], enum plan_kind kind)
{
    return s->first[kind] >= 0 && pick[s->first[kind]] < 0;
}

static int64_t sparse_work(const struct search *s, const int pick[SLOTS])
{
    int64_t rows = size_of(s, pick, PLAN_ROWS), columns = size_of(s, pick, PLAN_COLUMNS);
    int64_t width = size_of(s, pick, PLAN_WIDTH), entries = size_of(s, pick, PLAN_ENTRIES);
    bool one_row = pick[VARIANT_SLOT] > 0, dense = strcmp(s->planned->name, "to_dense") == 0;
    columns = one_row && open(s, pick, PLAN_COLUMNS) && columns < entries ? entries : columns;
    return (entries + rows + columns) * (width > 0 ? width : 1) + (dense ? rows * columns : 0);
}

/* In elements read, written or multiplied. */
static int64_t work(const struct search *s, const int pick[SLOTS])
{
    int64_t rows = size_of(s, pick, PLAN_ROWS), columns = size_of(s, pick, PLAN_COLUMNS);
    int64_t terms = size_of(s, pick, PLAN_TERMS), batch = size_of(s, pick, PLAN_BATCH);
    int64_t order = size_of(s, pick, PLAN_ORDER), groups = size_of(s, pick, PLAN_GROUPS);
    switch (s->planned->form) {
    case FORM_PRODUCT:
        return batch * (rows * columns * (terms + 1) + rows * terms + terms * columns);
    case FORM_MATRIX:
        return batch * (order * order * order / 16 + 1);
    case FORM_SPARSE:
        return sparse_work(s, pick);
    default:
        return rows * columns * terms * batch * groups;
    }
}

/* Each entry has a place of its own. */
static bool sparse_fits(const struct search *s, const int pick[SLOTS])
{
    int64_t rows = size_of(s, pick, PLAN_ROWS), columns = size_of(s, pick, PLAN_COLUMNS);
    int64_t entries = size_of(s, pick, PLAN_ENTRIES);
    bool one_row = pick[VARIANT_SLOT] > 0;
    if (open(s, pick, PLAN_ROWS) || open(s, pick, PLAN_COLUMNS) || open(s, pick, PLAN_ENTRIES)) {
        return true;
    }
    return entries == 0 || (rows > 0 && entries <= (one_row ? columns : rows * columns));
}

bool search_fits(const struct search *s, const int pick[SLOTS], int64_t budget)
{
    bool channels = s->planned->form == FORM_CHANNELS, training = pick[VARIANT_SLOT] > 0;
    bool statistics = channels && s->planned->axis[s->chosen[PLAN_BATCH]].least > 0;
    if (statistics && training && size_of(s, pick, PLAN_BATCH) * size_of(s, pick, PLAN_COLUMNS) < 2) {
        return false;
    }
    return work(s, pick) <= budget && (s->planned->form != FORM_SPARSE || sparse_fits(s, pick));
}

/* Three runs of terms hold the decisive element in every place. */
int64_t search_budget(const struct search *s, int a, int64_t size)
{
    enum plan_form form = s->planned->form;
    enum plan_kind kind = s->planned->axis[a].kind;
    int64_t least = form == FORM_PRODUCT ? 2048 : form == FORM_MATRIX ? 96 : 512;
    int64_t several = form == FORM_PRODUCT  ? 8 * size + 8
                      : form == FORM_SPARSE ? 5 * size + 16
                      : kind == PLAN_ORDER  ? size * size * size / 16 + 2
                      : kind == PLAN_TERMS || (form >= FORM_REDUCTION && form <= FORM_LOSS) ? 3 * size
                                                                                            : 2 * size;
    bool few = size > PLAN_LARGE && form != FORM_PRODUCT && form != FORM_SPARSE;
    for (int k = 0; few && k < s->axes; k++) {
        const struct plan_axis *other = &s->planned->axis[k];
        several = k == 0 ? size : several;
        several *= k != a && !other->derived && other->kind == PLAN_TERMS && other->least > 0 ? 3 : 1;
    }
    return few               ? (form == FORM_CHANNELS && kind == PLAN_GROUPS ? 2 * several : several)
           : several > least ? several
                             : least;
}
