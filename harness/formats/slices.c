/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/formats/slices.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* One index between commas. */
struct item {
    enum { NUMBER, RANGE, ELLIPSIS } kind;
    int64_t start, stop, step; /* NUMBER: only start */
    bool from, to;             /* start and stop are present */
};

const char *slice_split(const char *text, char *base, size_t size)
{
    size_t length = strlen(text);
    const char *at = length && text[length - 1] == ']' ? strrchr(text, '[') : NULL;
    if (!at || at == text || (size_t)(at - text) >= size || access(text, F_OK) == 0) {
        return NULL;
    }
    memcpy(base, text, (size_t)(at - text));
    base[at - text] = 0;
    return at;
}

/* --- reading */

static const char *skip(const char *text)
{
    return text + strspn(text, " ");
}

/* Reads a whole number if there is one. Returns NULL if it is out of range. */
static const char *read_number(const char *text, int64_t *x, bool *there)
{
    char *end;
    text = skip(text);
    *there = strspn(text, "+-0123456789") > 0;
    if (!*there) {
        return text;
    }
    errno = 0;
    *x = strtoll(text, &end, 10);
    return errno || end == text ? NULL : skip(end);
}

/* Returns what follows the item, or NULL. */
static const char *read_item(const char *text, struct item *item)
{
    bool number, step = false;
    *item = (struct item){.kind = NUMBER, .step = 1};
    text = skip(text);
    if (strncmp(text, "...", 3) == 0) {
        item->kind = ELLIPSIS;
        return skip(text + 3);
    }
    text = read_number(text, &item->start, &number);
    if (!text || *text != ':') {
        return number ? text : NULL;
    }
    item->kind = RANGE;
    item->from = number;
    text = read_number(text + 1, &item->stop, &item->to);
    if (text && *text == ':') {
        text = read_number(text + 1, &item->step, &step);
        item->step = step ? item->step : 1;
    }
    return text;
}

/* Returns the number of items, or −1 with the fault. */
static int read_items(const char *slice, const char *where, struct item item[RANK_MAX + 1],
                      struct error *error)
{
    int items = 0, ellipses = 0;
    const char *text = skip(slice + 1);
    while (text && *text && *text != ']') {
        if (items == RANK_MAX + 1) {
            error_set(error, "%s: it has more than %d indices", where, RANK_MAX);
            return -1;
        }
        text = read_item(text, &item[items]);
        ellipses += text && item[items].kind == ELLIPSIS;
        items++;
        text = text && *text == ',' ? skip(text + 1) : text && *text == ']' ? text : NULL;
    }
    if (!text || !*text || text[1] || items == 0) {
        error_set(error,
                  "%s: write a slice of whole numbers, ranges START:STOP:STEP and \"...\", as in "
                  "x.npy[:, 1:9:2]",
                  where);
        return -1;
    }
    if (ellipses > 1) {
        error_set(error, "%s: a slice has at most one \"...\"", where);
        return -1;
    }
    return items;
}

/* --- applying */

static bool take_number(int64_t x, const char *where, int64_t length, int d, int64_t stride, int64_t *offset,
                        struct error *error)
{
    int64_t at = x < 0 ? x + length : x;
    if (at < 0 || at >= length) {
        return error_set(error, "%s: index %lld is beyond dimension %d, which has %lld elements", where,
                         (long long)x, d, (long long)length);
    }
    *offset += at * stride;
    return true;
}

static int64_t within(int64_t x, int64_t least, int64_t most)
{
    return x < least ? least : x > most ? most : x;
}

/* Returns the length of the range, and adds its first element to the offset. Python's slice.indices. */
static int64_t take_range(const struct item *item, int64_t length, int64_t stride, int64_t *offset)
{
    const int64_t least = item->step < 0 ? -1 : 0, most = item->step < 0 ? length - 1 : length;
    int64_t start = item->from       ? item->start
                    : item->step < 0 ? most
                                     : least,
            stop = item->to         ? item->stop
                   : item->step < 0 ? least
                                    : most;
    start = item->from ? within(start < 0 ? start + length : start, least, most) : start;
    stop = item->to ? within(stop < 0 ? stop + length : stop, least, most) : stop;
    int64_t span = item->step < 0 ? start - stop : stop - start;
    if (span <= 0) {
        return 0;
    }
    *offset += start * stride;
    /* a step of −2^63 has no opposite, and is longer than any dimension */
    int64_t size = item->step == INT64_MIN ? INT64_MAX : item->step < 0 ? -item->step : item->step;
    return 1 + (span - 1) / size;
}

bool slice_view(const char *slice, const char *where, struct view *view, struct error *error)
{
    struct item item[RANK_MAX + 1];
    const int items = read_items(slice, where, item, error);
    int numbered = 0, d = 0;
    for (int k = 0; k < items; k++) {
        numbered += item[k].kind != ELLIPSIS;
    }
    if (items < 0) {
        return false;
    }
    if (numbered > view->shape.rank) {
        return error_set(error, "%s: it has %d indices, and the array %d dimensions", where, numbered,
                         view->shape.rank);
    }
    struct view cut = {.storage = view->storage, .dtype = view->dtype, .offset = view->offset};
    for (int k = 0; k <= items; k++) {
        bool whole = k == items || item[k].kind == ELLIPSIS; /* dimensions without an index */
        int count = !whole ? 1 : k == items ? view->shape.rank - d : view->shape.rank - numbered;
        for (int n = 0; n < count; n++, d++) {
            const int64_t length = view->shape.dim[d], stride = view->stride[d];
            int64_t *dim = &cut.shape.dim[cut.shape.rank], *step = &cut.stride[cut.shape.rank];
            *dim = length;
            *step = stride;
            if (!whole && item[k].kind == NUMBER) {
                if (!take_number(item[k].start, where, length, d, stride, &cut.offset, error)) {
                    return false;
                }
                continue;
            }
            if (!whole && item[k].step == 0) {
                return error_set(error, "%s: a step cannot be 0", where);
            }
            if (!whole) {
                *dim = take_range(&item[k], length, stride, &cut.offset);
                if (*dim > 0 && __builtin_mul_overflow(item[k].step, stride, step)) {
                    return error_set(error, "%s: the step %lld is too large", where, (long long)item[k].step);
                }
            }
            cut.shape.rank++;
        }
    }
    *view = cut;
    return true;
}
