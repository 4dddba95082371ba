/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* argmax, argmin: the index of the greatest (least) element, of all elements or along a dimension.
 *
 * Definition: PyTorch torch.argmax, torch.argmin; without `dim` the index in the flattened input. A NaN
 * counts as greater and as less than every number (torch.max, to whose indices the documentation refers,
 * propagates NaN), so if there is a NaN the index of any NaN is right. +0 and −0 are equal. An empty
 * dimension is refused.
 *
 * Any index of a greatest element is right; only the first one if the profile promises that. Where the device
 * may treat subnormals as zeros, the greatest of the numbers so flushed are right as well. Nothing is
 * computed: the check is exact. */

#include "reference/ops/argmax/argmax.h"
#include "reference/operator/op.h"
#include "reference/operator/reduction.h"

#include <math.h>
#include <stdio.h>

enum {
    DTYPES = 1U << DTYPE_FLOAT16 | 1U << DTYPE_BFLOAT16 | 1U << DTYPE_FLOAT32 | 1U << DTYPE_FLOAT64 |
             1U << DTYPE_INT32 | 1U << DTYPE_INT64
};

enum { GREATEST, LEAST };

/* Sets bit d of *mask if dimension d is reduced; returns false if `dim` is out of range. A scalar has the
 * dimension 0. */
static bool reduced(const struct attributes *attributes, int rank, unsigned *mask)
{
    int64_t dim = attributes_integer(attributes, "dim", 0), least = rank > 0 ? rank : 1;
    bool all = !attributes_given(attributes, "dim");
    *mask = all || rank == 0 ? (1U << rank) - 1 : 0;
    if (all) {
        return true;
    }
    if (dim < -least || dim >= least) {
        return false;
    }
    *mask |= rank == 0 ? 0 : 1U << (dim < 0 ? dim + rank : dim);
    return true;
}

static bool signature(const struct op *op, const struct op_operands *operands, struct op_signature *out,
                      struct error *reason)
{
    const struct view *x = &operands->input[0];
    unsigned mask;
    int64_t terms = 1;
    *out = (struct op_signature){.outputs = 1};
    if (!(op->dtypes >> x->dtype & 1)) {
        return error_set(reason, "%s: dtype %s is not supported", op->name, dtype_info(x->dtype)->name);
    }
    if (!reduced(operands->attributes, x->shape.rank, &mask)) {
        return error_set(reason, "%s: the dimension is out of range", op->name);
    }
    bool keep = attributes_integer(operands->attributes, "keepdim", 0) != 0;
    out->output[0].dtype = DTYPE_INT64;
    for (int d = 0; d < x->shape.rank; d++) {
        bool gone = mask >> d & 1;
        terms = gone ? count_product(terms, x->shape.dim[d]) : terms;
        if (!gone || keep) {
            out->output[0].shape.dim[out->output[0].shape.rank++] = gone ? 1 : x->shape.dim[d];
        }
    }
    return terms > 0 || error_set(reason, "%s: there is no greatest or least of no elements", op->name);
}

/* --- the order of elements */

/* One element as it is compared; integers are kept as such, because a double may not hold them. */
struct key {
    bool nan;
    int64_t integer;
    double real;
};

static struct key key_at(const struct tensor *x, int64_t element, bool flush)
{
    const unsigned char *from = x->data + (size_t)element * dtype_info(x->dtype)->size;
    if (!dtype_is_floating(x->dtype)) {
        return (struct key){.integer = dtype_load_integer(x->dtype, from)};
    }
    double real = dtype_load(x->dtype, from);
    return (struct key){.nan = isnan(real), .real = flush && dtype_is_subnormal(x->dtype, from) ? 0 : real};
}

/* Returns a positive number if a comes before b, 0 if they are equal, else a negative number. */
static int compare(const struct key *a, const struct key *b, int variant)
{
    if (a->nan || b->nan) {
        return (int)a->nan - (int)b->nan;
    }
    int above = (a->integer > b->integer) - (a->integer < b->integer);
    above = above ? above : (a->real > b->real) - (a->real < b->real);
    return variant == LEAST ? -above : above;
}

/* Returns the place of the first of the leading elements of a row, and how many there are. */
static int64_t find_first(const struct tensor *x, const struct reduction *r, int64_t row, int variant,
                          bool flush, int64_t *count)
{
    int64_t first = 0;
    struct key best = key_at(x, r->base[row] + r->term[0], flush);
    *count = 1;
    for (int64_t k = 1; k < r->terms; k++) {
        struct key key = key_at(x, r->base[row] + r->term[k], flush);
        int order = compare(&key, &best, variant);
        *count = order > 0 ? 1 : *count + (order == 0);
        if (order > 0) {
            first = k;
            best = key;
        }
    }
    return first;
}

static bool truth(const struct op_call *call, struct truth *truth, struct error *error)
{
    struct truth_output *out = &truth->output[0];
    struct reduction r;
    unsigned mask;
    reduced(call->attributes, call->input[0].shape.rank, &mask);
    bool good = reduction_create(&r, &call->input[0].shape, mask) ||
                error_set(error, "%s: out of memory for a reduction", call->op->name);
    for (int64_t i = 0; good && i < out->elements; i++) {
        int64_t count, first = find_first(&call->input[0], &r, i, call->op->variant, false, &count);
        out->value[i] = value_of_integer(first);
        out->value[i].exact = count == 1;
    }
    reduction_clear(&r);
    return good;
}

/* --- verification of an index */

static void print_element(const struct tensor *x, int64_t element, char *text, size_t size)
{
    const unsigned char *from = x->data + (size_t)element * dtype_info(x->dtype)->size;
    if (dtype_is_floating(x->dtype)) {
        snprintf(text, size, "%.17g", dtype_load(x->dtype, from));
    } else {
        snprintf(text, size, "%lld", (long long)dtype_load_integer(x->dtype, from));
    }
}

/* One row of a verification. */
struct row {
    const struct verification_query *query;
    const struct reduction *r;
    int64_t number, got;
    bool first;       /* only the first of several leading elements is right */
    bool flush, open; /* subnormals may count as zeros; any result is right beside NaN and infinities */
};

static bool has_special(const struct row *row)
{
    const struct tensor *x = &row->query->call->input[0];
    for (int64_t k = 0; dtype_is_floating(x->dtype) && k < row->r->terms; k++) {
        struct key key = key_at(x, row->r->base[row->number] + row->r->term[k], false);
        if (key.nan || isinf(key.real)) {
            return true;
        }
    }
    return false;
}

static bool is_right(const struct row *row)
{
    const struct tensor *x = &row->query->call->input[0];
    int variant = row->query->call->op->variant;
    if (row->got < 0 || row->got >= row->r->terms) {
        return false;
    }
    for (int flush = 0; flush <= (int)row->flush; flush++) {
        int64_t count, first = find_first(x, row->r, row->number, variant, flush, &count);
        int64_t base = row->r->base[row->number];
        struct key best = key_at(x, base + row->r->term[first], flush),
                   got = key_at(x, base + row->r->term[row->got], flush);
        if (compare(&got, &best, variant) == 0 && (!row->first || row->got == first)) {
            return true;
        }
    }
    return row->open && has_special(row);
}

static void describe(const struct row *row, struct verification *found)
{
    const struct tensor *x = &row->query->call->input[0];
    const char *what = row->query->call->op->variant == LEAST ? "least" : "greatest";
    int64_t base = row->r->base[row->number], count,
            first = find_first(x, row->r, row->number, row->query->call->op->variant, false, &count);
    char best[32], there[32];
    print_element(x, base + row->r->term[first], best, sizeof best);
    snprintf(found->wanted, sizeof found->wanted, "%lld%s, where the element is %s", (long long)first,
             count > 1 && !row->first ? " or another place" : "", best);
    if (row->got < 0 || row->got >= row->r->terms) {
        snprintf(found->sentence, sizeof found->sentence,
                 "place %lld is none of 0 to %lld; the %s element, %s, is at place %lld", (long long)row->got,
                 (long long)row->r->terms - 1, what, best, (long long)first);
        return;
    }
    struct key leads = key_at(x, base + row->r->term[first], false),
               got = key_at(x, base + row->r->term[row->got], false);
    if (compare(&got, &leads, row->query->call->op->variant) == 0) {
        snprintf(found->sentence, sizeof found->sentence,
                 "of several %s elements, %s, that at place %lld is not the first one, which the profile "
                 "promises: place %lld",
                 what, best, (long long)row->got, (long long)first);
        return;
    }
    print_element(x, base + row->r->term[row->got], there, sizeof there);
    snprintf(found->sentence, sizeof found->sentence,
             "the element at place %lld is %s, not the %s one: %s at place %lld", (long long)row->got, there,
             what, best, (long long)first);
}

static bool verify(const struct verification_query *query, struct verification *found)
{
    const struct tensor *x = &query->call->input[0], *got = &query->got[0];
    struct reduction r;
    unsigned mask;
    reduced(query->call->attributes, x->shape.rank, &mask);
    bool good = reduction_create(&r, &x->shape, mask), floating = dtype_is_floating(x->dtype);
    struct row row = {.query = query, .r = &r};
    row.first = query->profile->ties == TIES_FIRST;
    row.flush = floating && profile_loses_subnormals(query->profile, x->dtype);
    row.open = floating && !query->profile->special_values[x->dtype];
    for (; good && row.number < query->truth->output[0].elements; row.number++) {
        row.got = dtype_load_integer(DTYPE_INT64, got->data + (size_t)row.number * sizeof(int64_t));
        if (is_right(&row)) {
            continue;
        }
        if (found->refused++ == 0) {
            found->element = row.number;
            describe(&row, found);
        }
    }
    found->accepted = found->refused == 0;
    found->error_over_bound = found->accepted ? 0 : (double)INFINITY;
    found->rule = "place";
    reduction_clear(&r);
    return good;
}

#define OP(name_, variant_)                                                                                  \
    {                                                                                                        \
        .family = "reduction", .name = name_, .variant = variant_, .operands = {{"input", OPERAND_READ}},    \
        .outputs = 1, .results = {{NULL, RESULT_VERIFIED}},                                                  \
        .attributes = {{"dim", ATTRIBUTE_INTEGER}, {"keepdim", ATTRIBUTE_BOOL}},                             \
        .defaults = {{"keepdim", DEFAULT_VALUE, 0}}, .dtypes = DTYPES, .signature = signature,               \
        .truth = truth, .verify = verify                                                                     \
    }

static const struct op ops[] = {OP("argmax", GREATEST), OP("argmin", LEAST)};

bool argmax_picks_least(const struct op *op)
{
    return op->signature == signature && op->variant == LEAST;
}

const struct op_set op_set_argmax = {.op = ops, .count = sizeof ops / sizeof *ops};
