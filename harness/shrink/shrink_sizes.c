/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Candidates that are smaller: in memory, operands, lengths, or number of dimensions. */

#include "harness/shrink/shrink_parts.h"
#include "harness/shrink/ties.h"

#include <stdlib.h>
#include <string.h>

/* --- layouts */

/* Makes the operand row-major in a storage of its own. */
static void straighten(struct problem *p, int i)
{
    const struct tensor *tensor = &p->inputs.input[i];
    struct repro_layout *layout = &p->inputs.layout[i];
    struct view view = view_contiguous(0, tensor->dtype, &tensor->shape);
    memcpy(layout->stride, view.stride, sizeof layout->stride);
    layout->offset = 0;
    layout->bytes = shape_bytes(&tensor->shape, tensor->dtype);
    layout->storage = 0;
    for (int j = 0; j < p->inputs.inputs; j++) {
        int other = p->inputs.layout[j].storage;
        layout->storage =
            j != i && p->inputs.layout[j].given && other >= layout->storage ? other + 1 : layout->storage;
    }
}

static bool is_plain(const struct problem *p, int i)
{
    const struct repro_layout *layout = &p->inputs.layout[i];
    struct view view = problem_view(&p->inputs, i);
    bool shared = false;
    for (int j = 0; j < p->inputs.inputs; j++) {
        shared =
            shared || (j != i && p->inputs.layout[j].given && p->inputs.layout[j].storage == layout->storage);
    }
    return view.storage < 0 || !layout->given ||
           (!shared && view_is_contiguous(&view) && view.offset == 0 &&
            layout->bytes == shape_bytes(&view.shape, view.dtype));
}

bool shrink_layouts(struct shrink *s)
{
    struct problem candidate;
    bool changed = false, crooked = false;
    for (int i = 0; i < s->best.inputs.inputs; i++) {
        crooked = crooked || !is_plain(&s->best, i);
    }
    if (!crooked || !problem_copy(&candidate, &s->best)) {
        return false;
    }
    for (int i = 0; i < candidate.inputs.inputs; i++) {
        if (!is_plain(&candidate, i)) {
            straighten(&candidate, i);
        }
    }
    changed = shrink_try(s, &candidate);
    for (int i = 0; i < s->best.inputs.inputs; i++) {
        if (!is_plain(&s->best, i) && problem_copy(&candidate, &s->best)) {
            straighten(&candidate, i);
            changed = shrink_try(s, &candidate) || changed;
        }
    }
    return changed;
}

/* --- operands */

static void take_out(struct problem *p, int i)
{
    struct repro_inputs *inputs = &p->inputs;
    tensor_destroy(&inputs->input[i]);
    inputs->inputs--;
    for (int j = i; j < inputs->inputs; j++) {
        inputs->input[j] = inputs->input[j + 1];
        inputs->layout[j] = inputs->layout[j + 1];
    }
    memset(&inputs->input[inputs->inputs], 0, sizeof *inputs->input);
    memset(&inputs->layout[inputs->inputs], 0, sizeof *inputs->layout);
}

bool shrink_operands(struct shrink *s)
{
    const struct op *op = s->best.op;
    bool changed = false;
    for (int i = s->best.inputs.inputs; i-- > 0;) {
        struct problem candidate;
        bool more = op_is_variadic(op) && s->best.inputs.inputs > op_inputs_min(op),
             optional = op_may_lack(op, s->best.inputs.inputs, i) && !tensor_absent(&s->best.inputs.input[i]);
        if ((!more && !optional) || !problem_copy(&candidate, &s->best)) {
            continue;
        }
        if (more || i == candidate.inputs.inputs - 1) {
            take_out(&candidate, i);
        } else {
            tensor_destroy(&candidate.inputs.input[i]);
            memset(&candidate.inputs.input[i], 0, sizeof candidate.inputs.input[i]);
        }
        changed = shrink_try(s, &candidate) || changed;
    }
    return changed;
}

/* --- lengths */

/* How a dimension is cut: of every `period` elements (0: of all), `count` from `start` on are removed. */
struct cut {
    int64_t start, count, period;
};

static bool try_cut(struct shrink *s, const struct ties *ties, const struct tie *tie, struct cut cut)
{
    struct problem candidate;
    int64_t *kept = malloc(((size_t)tie->length + 1) * sizeof *kept), count = 0;
    for (int64_t k = 0; kept && k < tie->length; k++) {
        int64_t at = cut.period ? k % cut.period : k;
        if (at < cut.start || at >= cut.start + cut.count) {
            kept[count++] = k;
        }
    }
    bool good = kept && count > 0 && count < tie->length && !shrink_late(s) &&
                tie_keep(&candidate, &s->best, ties, tie, kept, count) && shrink_try(s, &candidate);
    free(kept);
    return good;
}

/* Tries to keep only `count` elements, from `start` on. */
static bool try_window(struct shrink *s, const struct ties *ties, const struct tie *tie, int64_t start,
                       int64_t count)
{
    struct problem candidate;
    int64_t *kept = malloc(((size_t)count + 1) * sizeof *kept);
    for (int64_t k = 0; kept && k < count; k++) {
        kept[k] = start + k;
    }
    bool good = kept && !shrink_late(s) && tie_keep(&candidate, &s->best, ties, tie, kept, count) &&
                shrink_try(s, &candidate);
    free(kept);
    return good;
}

/* Returns the tie that holds the given member in the changed problem; NULL once its length is 1. */
static const struct tie *find_again(struct ties *ties, const struct problem *problem, struct member member)
{
    ties_find(ties, problem);
    for (int t = 0; t < ties->count; t++) {
        for (int m = 0; m < ties->tie[t].members; m++) {
            const struct member *other = &ties->tie[t].member[m];
            if (other->kind == member.kind && other->index == member.index && other->place == member.place) {
                return &ties->tie[t];
            }
        }
    }
    return NULL;
}

/* Removes parts of a dimension, halves first. `in_periods`: removes the same part of each of its `groups`
 * periods. */
static bool shorten_by_parts(struct shrink *s, struct member member, bool in_periods, int64_t groups)
{
    struct ties *ties = malloc(sizeof *ties);
    const struct tie *tie = ties ? find_again(ties, &s->best, member) : NULL;
    bool changed = false;
    int64_t length = tie ? (in_periods ? tie->length / groups : tie->length) : 0;
    for (int64_t part = (length + 1) / 2; tie && part > 0; part = part > 1 ? (part + 1) / 2 : 0) {
        for (int64_t start = 0; tie && start < length && length > 1;) {
            if (try_cut(s, ties, tie, (struct cut){start, part, in_periods ? length : 0})) {
                changed = true;
                tie = find_again(ties, &s->best, member);
                length = tie ? (in_periods ? tie->length / groups : tie->length) : 0;
            } else {
                start += part;
            }
            tie = shrink_late(s) ? NULL : tie;
        }
    }
    free(ties);
    return changed;
}

/* Tries to keep one, two or three consecutive elements at several places, then the first 4, 8, …. This is
 * cheap and often enough. Elements that must stay together on a diagonal seldom survive halving. */
static bool shorten_to_few(struct shrink *s, struct member member)
{
    enum { WINDOWS = 16 };
    struct ties *ties = malloc(sizeof *ties);
    const struct tie *tie = ties ? find_again(ties, &s->best, member) : NULL;
    bool done = false;
    for (int64_t few = 1; tie && !done && few < tie->length; few = few < 4 ? few + 1 : few * 2) {
        int64_t places = tie->length - few + 1, windows = few > 3 ? 1 : places < WINDOWS ? places : WINDOWS;
        for (int64_t w = 0; !done && w < windows; w++) {
            int64_t start = windows > 1 ? (places - 1) * w / (windows - 1) : 0;
            done = try_window(s, ties, tie, start, few);
        }
    }
    free(ties);
    return done;
}

/* Tries every subset with at least two elements less, of a dimension that is already short. */
static bool shorten_by_choice(struct shrink *s, struct member member)
{
    enum { SHORT = 6 };
    struct ties *ties = malloc(sizeof *ties);
    const struct tie *tie = ties ? find_again(ties, &s->best, member) : NULL;
    bool done = false;
    for (int size = 1; tie && tie->length <= SHORT && !done && size < tie->length - 1; size++) {
        for (unsigned set = 1; !done && set < 1U << tie->length; set++) {
            int64_t kept[SHORT];
            int count = 0;
            for (int k = 0; k < (int)tie->length; k++) {
                if (set >> k & 1) {
                    kept[count++] = k;
                }
            }
            struct problem candidate;
            done = count == size && !shrink_late(s) &&
                   tie_keep(&candidate, &s->best, ties, tie, kept, count) && shrink_try(s, &candidate);
        }
    }
    free(ties);
    return done;
}

static bool shorten(struct shrink *s, struct member member)
{
    bool changed = shorten_to_few(s, member);
    changed = shorten_by_parts(s, member, false, 1) || changed;
    changed = shorten_by_choice(s, member) || changed;
    for (int a = 0; a < s->best.attributes.count; a++) { /* the same elements of every group */
        struct ties *ties = malloc(sizeof *ties);
        const struct tie *tie = ties ? find_again(ties, &s->best, member) : NULL;
        const struct attribute *attribute = &s->best.attributes.item[a];
        int64_t groups = attribute->type == ATTRIBUTE_INTEGER ? attribute->integer : 0;
        bool grouped = tie && groups > 1 && groups < tie->length && tie->length % groups == 0;
        free(ties);
        if (grouped) {
            changed = shorten_by_parts(s, member, true, groups) || changed;
        }
    }
    return changed;
}

bool shrink_lengths(struct shrink *s)
{
    struct ties *ties = malloc(sizeof *ties);
    bool any = false, changed = ties != NULL;
    while (changed && !shrink_late(s)) {
        changed = false;
        ties_find(ties, &s->best);
        for (int t = 0; t < ties->count; t++) {
            changed = shorten(s, ties->tie[t].member[0]) || changed;
        }
        any = any || changed;
    }
    free(ties);
    return any;
}

/* --- ranks */

/* Removes dimension d, if its length is 1, from every operand of this rank. `shift`: lowers the numbers after
 * d in attributes named dim. */
static bool flatten(struct problem *p, int rank, int d, bool shift)
{
    bool changed = false;
    for (int i = 0; i < p->inputs.inputs; i++) {
        struct shape *shape = &p->inputs.input[i].shape;
        if (tensor_absent(&p->inputs.input[i]) || shape->rank != rank || shape->dim[d] != 1 ||
            op_is_indices(p->op, p->inputs.inputs, i)) {
            continue;
        }
        shape->rank--;
        for (int k = d; k < shape->rank; k++) {
            shape->dim[k] = shape->dim[k + 1];
            p->inputs.layout[i].stride[k] = p->inputs.layout[i].stride[k + 1];
        }
        changed = true;
    }
    for (int a = 0; shift && a < p->attributes.count; a++) {
        struct attribute *attribute = &p->attributes.item[a];
        for (int k = 0; strcmp(attribute->name, "dim") == 0 && k < attribute->integers.count; k++) {
            attribute->integers.item[k] -= attribute->integers.item[k] > d;
        }
    }
    return changed;
}

bool shrink_ranks(struct shrink *s)
{
    bool changed = false;
    for (int d = 0; d < RANK_MAX; d++) {
        for (int rank = RANK_MAX; rank > d; rank--) {
            for (int shift = 1; shift >= 0; shift--) {
                struct problem candidate;
                if (!problem_copy(&candidate, &s->best)) {
                    return changed;
                }
                if (flatten(&candidate, rank, d, shift) && problem_is_taken(&candidate)) {
                    changed = shrink_try(s, &candidate) || changed;
                } else {
                    problem_clear(&candidate);
                }
            }
        }
    }
    return changed;
}
