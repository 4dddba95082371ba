/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "suites/plan/form.h"
#include "suites/plan/search.h"

#include <stdlib.h>

static const enum layout layouts[] = {LAYOUT_CONTIGUOUS, LAYOUT_TRANSPOSED, LAYOUT_BLOCK, LAYOUT_STEPPED2,
                                      LAYOUT_OFFSET1};
enum { LAYOUTS = sizeof layouts / sizeof *layouts };

/* Lists the dtypes, float32 first if present: larger sizes use the first one. */
static int dtypes_of(unsigned dtypes, enum dtype list[LEVELS_MAX])
{
    int count = 0;
    if (dtypes >> DTYPE_FLOAT32 & 1) {
        list[count++] = DTYPE_FLOAT32;
    }
    for (int d = 0; d < DTYPE_COUNT && count < LEVELS_MAX; d++) {
        if (d != DTYPE_FLOAT32 && (dtypes >> d & 1)) {
            list[count++] = (enum dtype)d;
        }
    }
    return count;
}

int plan_variants(const struct plan_operator *planned)
{
    return planned->form->variants > 1 ? planned->form->variants : 1;
}

static bool same_budget(const struct plan_budget *a, const struct plan_budget *b)
{
    return a->least == b->least && a->times == b->times && a->plus == b->plus &&
           a->beyond_large == b->beyond_large;
}

/* Compares all members that the array depends on. */
static bool same_form(const struct plan_form *a, const struct plan_form *b)
{
    return a->variants == b->variants && a->variants_at == b->variants_at && a->places == b->places &&
           a->pairs_to == b->pairs_to && same_budget(&a->budget, &b->budget) && a->work == b->work &&
           a->fits == b->fits;
}

bool plan_alike(const struct plan_operator *a, const struct plan_operator *b)
{
    bool same = same_form(a->form, b->form) && plan_axes(a) == plan_axes(b) && a->dense == b->dense;
    for (int k = 0; same && k < plan_axes(a); k++) {
        const struct plan_axis *x = &a->axis[k], *y = &b->axis[k];
        same = x->kind == y->kind && x->derived == y->derived && x->least == y->least && x->most == y->most &&
               x->telling == y->telling;
    }
    return same;
}

static int band_of(int64_t size)
{
    return size <= 1 ? 0 : size <= 9 ? 1 : size <= 33 ? 2 : size <= 129 ? 3 : size <= 513 ? 4 : 5;
}

/* --- pairs */

/* Returns the last axis that is not derived: most kernels loop along it. */
static int main_axis(const struct search *s)
{
    int a = s->axes - 1;
    while (s->planned->axis[a].derived) {
        a--;
    }
    return a;
}

/* Returns the level at which class c of axis a is required together with that value of the slot; LEVEL_COUNT
 * if it is not required. */
static enum level requested(const struct search *s, int a, int c, int slot, int value)
{
    int64_t size = plan_class_size(c);
    bool axis = slot < s->axes;
    if (s->planned->axis[a].derived || slot == a || (axis && s->planned->axis[slot].derived)) {
        return LEVEL_COUNT;
    }
    if (size == 0) {
        return slot == DTYPE_SLOT ? LEVEL_STANDARD : LEVEL_COUNT;
    }
    const struct plan_form *form = s->planned->form;
    enum plan_kind kind = s->planned->axis[a].kind;
    if (size <= (form->pairs_to ? form->pairs_to : PLAN_SMALL)) {
        return slot == DTYPE_SLOT && value > 0 && size > PLAN_TINY ? LEVEL_EXHAUSTIVE : LEVEL_STANDARD;
    }
    bool beside = a != main_axis(s) && size > PLAN_BESIDE && size != 4097;
    if (size <= PLAN_LARGE) {
        bool variants = form->variants_at == VARIANTS_AT_LARGE || kind == PLAN_ORDER ||
                        (form->variants_at == VARIANTS_AT_BESIDE && (size <= PLAN_BESIDE || size == 4097));
        bool every = a == main_axis(s) && size == 4097; /* the only size above 2^12 in every dtype */
        bool here = slot == DTYPE_SLOT ? value == 0 || every : slot == VARIANT_SLOT && variants;
        return here                 ? (beside ? LEVEL_EXHAUSTIVE : LEVEL_STANDARD)
               : slot == DTYPE_SLOT ? LEVEL_EXHAUSTIVE
                                    : LEVEL_COUNT;
    }
    bool row = slot == VARIANT_SLOT && kind == PLAN_ENTRIES && value == 1; /* all entries in one row */
    return row || (slot == DTYPE_SLOT && value == 0)
               ? (size == 65537 && a == main_axis(s) ? LEVEL_STANDARD : LEVEL_EXHAUSTIVE)
               : LEVEL_COUNT;
}

/* Returns the value of a slot for pairs with other slots: of an axis, the band of its size. */
static int seen(const struct search *s, const int pick[SLOTS], int slot)
{
    return slot < s->axes ? s->class_band[pick[slot]] : pick[slot];
}

static bool empty(const struct search *s, const int pick[SLOTS])
{
    for (int a = 0; a < s->axes; a++) {
        if (!s->planned->axis[a].derived && pick[a] >= 0 && s->class_size[pick[a]] == 0) {
            return true;
        }
    }
    return false;
}

static uint64_t bit_of(int slot, int value)
{
    return UINT64_C(1) << (slot * LEVELS_MAX + value) % 64;
}

static uint64_t *word_of(struct values *values, int slot, int value)
{
    return &values->word[(slot * LEVELS_MAX + value) / 64];
}

static bool is_missing(struct search *s, int a, int c, int slot, int value)
{
    return *word_of(&s->missing[a][c], slot, value) & bit_of(slot, value);
}

static void set_missing(struct search *s, int a, int c, int slot, int value, bool missing)
{
    uint64_t *word = word_of(&s->missing[a][c], slot, value), bit = bit_of(slot, value);
    *word = missing ? *word | bit : *word & ~bit;
}

/* The values of the slots that are chosen and not derived. */
static struct values chosen_values(const struct search *s, const int pick[SLOTS])
{
    struct values chosen = {{0}};
    for (int t = 0; t < SLOTS; t++) {
        if ((t < s->axes ? !s->planned->axis[t].derived : t >= DTYPE_SLOT) && pick[t] >= 0) {
            const int value = seen(s, pick, t);
            *word_of(&chosen, t, value) |= bit_of(t, value);
        }
    }
    return chosen;
}

/* Whether the class of axis a counts in pairs: where a size is 0, classes of other sizes do not. */
static bool counts(const struct search *s, const int pick[SLOTS], int a, bool nothing)
{
    return !s->planned->axis[a].derived && pick[a] >= 0 && !(nothing && s->class_size[pick[a]] > 0);
}

/* Marks the pairs of a call as covered. */
static void cover(struct search *s, const int pick[SLOTS])
{
    const struct values chosen = chosen_values(s, pick);
    const bool nothing = empty(s, pick);
    for (int a = 0; a < s->axes; a++) {
        for (int w = 0; w < VALUES_WORDS && counts(s, pick, a, nothing); w++) {
            s->missing[a][pick[a]].word[w] &= ~chosen.word[w];
        }
    }
}

/* What a slot may gain: pairs that are required, not covered yet, and would be by the slot's value. */
struct gains {
    struct values others;    /* values of the slots that are chosen */
    bool nothing;            /* a size of them is 0 */
    int with[2][LEVELS_MAX]; /* pairs of other axes with each value; [1]: if the slot's size is 0 */
};

static struct gains gains_of(struct search *s, const int pick[SLOTS], int slot)
{
    struct gains gains = {.others = chosen_values(s, pick), .nothing = empty(s, pick)};
    for (int a = 0; a < s->axes; a++) {
        for (int zero = 0; zero < 2; zero++) {
            const bool counted = counts(s, pick, a, gains.nothing || zero);
            for (int value = 0; counted && value < LEVELS_MAX; value++) {
                gains.with[zero][value] += is_missing(s, a, pick[a], slot, value);
            }
        }
    }
    return gains;
}

/* Returns the gain of the value for a slot that was open in `gains`. */
static int gain_of(const struct search *s, const struct gains *gains, int slot, int value)
{
    if (slot >= s->axes) {
        return gains->with[0][value];
    }
    const bool zero = s->class_size[value] == 0;
    int gain = gains->with[zero][s->class_band[value]];
    for (int w = 0; w < VALUES_WORDS && (zero || !gains->nothing); w++) {
        gain += __builtin_popcountll(s->missing[slot][value].word[w] & gains->others.word[w]);
    }
    return gain;
}

static bool allowed(const struct search *s, int slot, int value)
{
    if (slot >= s->axes) {
        return true;
    }
    const struct plan_axis *axis = &s->planned->axis[slot];
    const int64_t size = s->class_size[value], least = axis->telling ? axis->telling : axis->least;
    if (size == 0) {
        return s->nothing && axis->kind == PLAN_ENTRIES;
    }
    return size >= least && size <= axis->most &&
           (size <= PLAN_LARGE || (s->beyond && axis->kind == PLAN_COLUMNS));
}

/* Whether a slot takes the greatest of equal candidates: every axis; of sparse matrices only the rows, and
 * only if entries are spread. */
static bool wants_greatest(const struct search *s, const int pick[SLOTS], int slot)
{
    bool sparse = s->first[PLAN_ENTRIES] >= 0;
    return slot < s->axes &&
           (!sparse || (pick[VARIANT_SLOT] == 0 && !s->beyond && s->planned->axis[slot].kind == PLAN_ROWS));
}

/* Fills the open slots one after the other with the value that covers most pairs; of equal ones the first, or
 * with `greatest` the greatest that fits the budget. Returns false if nothing fits. */
static bool complete(struct search *s, int pick[SLOTS], int64_t budget, bool greatest)
{
    static const int order[] = {VARIANT_SLOT, 0, 1, 2, 3, 4, 5, DTYPE_SLOT, LAYOUT_SLOT, PLACE_SLOT};
    _Static_assert(sizeof order / sizeof *order == SLOTS, "a slot that is not completed");
    for (size_t k = 0; k < sizeof order / sizeof *order; k++) {
        int slot = order[k], best = -1, most = -1;
        bool derived = slot < PLAN_AXES && (slot >= s->axes || s->planned->axis[slot].derived);
        if (derived || pick[slot] >= 0) {
            continue;
        }
        const struct gains gains = gains_of(s, pick, slot);
        struct plan_choice choice = search_choice(s, pick);
        for (int v = 0; v < s->levels[slot]; v++) {
            pick[slot] = v;
            const int gain = allowed(s, slot, v) ? gain_of(s, &gains, slot, v) : -1;
            if (gain > most || (greatest && gain >= 0 && gain == most && wants_greatest(s, pick, slot))) {
                search_choose(s, &choice, slot, v);
                best = search_fits(s, &choice, budget) ? v : best;
                most = best == v ? gain : most;
            }
        }
        pick[slot] = best;
        if (best < 0) {
            return false;
        }
    }
    const struct plan_choice choice = search_choice(s, pick);
    return search_fits(s, &choice, budget);
}

static bool append(struct plan_array *array, const struct search *s, const int pick[SLOTS], int axis,
                   enum level level)
{
    if (array->count % 64 == 0) {
        struct plan_call *call = realloc(array->call, (size_t)(array->count + 64) * sizeof *call);
        if (!call) {
            return false;
        }
        array->call = call;
    }
    struct plan_call *call = &array->call[array->count];
    *call = (struct plan_call){.dtype = s->dtype[pick[DTYPE_SLOT]],
                               .layout = layouts[pick[LAYOUT_SLOT]],
                               .place = (enum plan_place)pick[PLACE_SLOT],
                               .variant = pick[VARIANT_SLOT],
                               .axis = axis,
                               .class = pick[axis],
                               .level = level,
                               .turn = array->count};
    for (int a = 0; a < s->axes; a++) {
        call->size[a] = s->planned->axis[a].derived ? 0 : plan_class_size(pick[a]);
    }
    array->count++;
    return true;
}

/* Appends a call with a pair that no call has yet, if one fits the budget. Returns false when out of
 * memory. */
static bool answer(struct plan_array *array, struct search *s, int a, int c, int slot, int value,
                   enum level level)
{
    int pick[SLOTS];
    int64_t size = plan_class_size(c), budget = search_budget(s, a, size);
    for (int k = 0; k < SLOTS; k++) {
        pick[k] = -1;
    }
    pick[a] = c;
    s->beyond = size > PLAN_LARGE && s->planned->axis[a].kind == PLAN_ENTRIES;
    s->nothing = size == 0;
    pick[DTYPE_SLOT] = size > PLAN_TINY ? 0 : -1;
    if (slot < s->axes) { /* the least size of the band */
        for (int v = 0; v < s->levels[slot] && pick[slot] < 0; v++) {
            pick[slot] = allowed(s, slot, v) && s->class_band[v] == value ? v : -1;
        }
        if (pick[slot] < 0) {
            return true;
        }
    } else {
        pick[slot] = value;
    }
    if (!complete(s, pick, budget, size > PLAN_SMALL)) {
        set_missing(s, a, c, slot, value, false); /* no call within the budget has both */
        return true;
    }
    cover(s, pick);
    return append(array, s, pick, a, level);
}

/* A pair: class of an axis, and value of another slot. All pairs are numbered. */
struct pair {
    int axis, class, slot, value;
};

static struct pair pair_of(int number)
{
    int rest = number / LEVELS_MAX / SLOTS;
    return (struct pair){.axis = rest / plan_classes(),
                         .class = rest % plan_classes(),
                         .slot = number / LEVELS_MAX % SLOTS,
                         .value = number % LEVELS_MAX};
}

static void prepare(struct search *s, const struct plan_operator *planned, unsigned dtypes)
{
    *s = (struct search){.planned = planned, .axes = plan_axes(planned)};
    for (int a = 0; a < s->axes; a++) {
        s->levels[a] = plan_classes();
    }
    s->levels[DTYPE_SLOT] = dtypes_of(dtypes, s->dtype);
    s->levels[LAYOUT_SLOT] = LAYOUTS;
    s->levels[PLACE_SLOT] = planned->form->places ? PLACES : 1;
    s->levels[VARIANT_SLOT] = plan_variants(planned);
    for (int c = 0; c < plan_classes(); c++) {
        s->class_size[c] = plan_class_size(c);
        s->class_band[c] = band_of(s->class_size[c]);
    }
    for (int kind = 0; kind < PLAN_KINDS; kind++) {
        s->first[kind] = s->chosen[kind] = -1;
    }
    for (int a = s->axes - 1; a >= 0; a--) {
        enum plan_kind kind = planned->axis[a].kind;
        s->first[kind] = a;
        s->chosen[kind] = planned->axis[a].derived ? s->chosen[kind] : a;
    }
    for (int k = 0; k < s->axes * plan_classes() * SLOTS * LEVELS_MAX; k++) {
        struct pair p = pair_of(k);
        enum level level = requested(s, p.axis, p.class, p.slot, p.value);
        s->level[p.axis][p.class][p.slot][p.value] = (unsigned char)level;
        set_missing(s, p.axis, p.class, p.slot, p.value, level != LEVEL_COUNT);
    }
}

bool plan_array_create(struct plan_array *array, const struct plan_operator *planned, unsigned dtypes)
{
    struct search *s = malloc(sizeof *s);
    bool good = s != NULL;
    *array = (struct plan_array){.count = 0};
    if (good) {
        prepare(s, planned, dtypes);
    }
    for (int pass = LEVEL_STANDARD; good && pass <= LEVEL_EXHAUSTIVE; pass++) {
        for (int k = 0; good && k < s->axes * plan_classes() * SLOTS * LEVELS_MAX; k++) {
            struct pair p = pair_of(k);
            const struct plan_axis *axis = &planned->axis[p.axis];
            int64_t size = s->class_size[p.class];
            bool there =
                p.slot >= DTYPE_SLOT ? p.value < s->levels[p.slot] : p.slot < s->axes && p.value < BANDS;
            if (there && size >= axis->least && size <= axis->most &&
                s->level[p.axis][p.class][p.slot][p.value] == pass &&
                is_missing(s, p.axis, p.class, p.slot, p.value)) {
                good = answer(array, s, p.axis, p.class, p.slot, p.value, (enum level)pass);
            }
        }
    }
    free(s);
    if (!good) {
        plan_array_destroy(array);
    }
    return good;
}

void plan_array_destroy(struct plan_array *array)
{
    free(array->call);
    *array = (struct plan_array){.count = 0};
}
