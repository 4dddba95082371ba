/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "suites/sparse/matrices.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct place {
    int64_t row, column;
};

static const struct {
    const char *name, *letters;
    bool far; /* sparse_takes_far */
} operators[] = {
    {.name = "coalesce", .letters = "IV", .far = true},
    {.name = "to_dense", .letters = "IV"},
    {.name = "sparse_transpose", .letters = "IV", .far = true},
    {.name = "sparse_mm", .letters = "IVD"},
    {.name = "sparse_mv", .letters = "IVv", .far = true},
    {.name = "sparse_addmm", .letters = "SIVD"},
    {.name = "csr_mm", .letters = "RCVD"},
    {.name = "csr_mv", .letters = "RCVv"},
    {.name = "sparse_mm_backward_dense", .letters = "SIV"},
    {.name = "sampled_addmm", .letters = "RCVAB"},
    {.name = "sparse_mm_backward_sparse", .letters = "SID"},
};

/* Returns its index in the table; −1: the operator is not sparse. */
static int number_of(const struct op *op)
{
    for (int k = 0; k < (int)(sizeof operators / sizeof *operators); k++) {
        if (strcmp(operators[k].name, op->name) == 0) {
            return k;
        }
    }
    return -1;
}

const char *sparse_operands_of(const struct op *op)
{
    const int number = number_of(op);
    return number < 0 ? NULL : operators[number].letters;
}

bool sparse_takes_far(const struct op *op)
{
    const int number = number_of(op);
    return number >= 0 && operators[number].far;
}

/* --- places */

static int by_row(const void *a, const void *b)
{
    const struct place *x = a, *y = b;
    return x->row != y->row ? (x->row < y->row ? -1 : 1) : (x->column > y->column) - (x->column < y->column);
}

static int by_column(const void *a, const void *b)
{
    const struct place *x = a, *y = b;
    return x->column != y->column ? (x->column < y->column ? -1 : 1) : (x->row > y->row) - (x->row < y->row);
}

/* Returns place p of a walk over all `places`: from the last one, by a stride without a common factor. */
static struct place spread(int64_t places, int64_t columns, int64_t p)
{
    static const int64_t primes[] = {7919, 7907, 7901};
    int64_t stride = primes[0];
    for (int k = 1; k < 3 && places % stride == 0; k++) {
        stride = primes[k];
    }
    int64_t at = places - 1 - p * stride % places;
    return (struct place){.row = at / columns, .column = at % columns};
}

static struct place draw(struct philox *generator, const struct sparse_case *s, int64_t p,
                         const struct place *before)
{
    struct place place = {.row = (int64_t)philox_below(generator, (uint32_t)s->rows),
                          .column = (int64_t)philox_below(generator, (uint32_t)s->columns)};
    switch (s->kind) {
    case SPARSE_HEAVY:
        place.row = place.row * 2 / 3;
        return place;
    case SPARSE_GAPS:
        place.row = place.row == 0 || place.row == s->rows - 1 || place.row == s->rows / 2 ? 1 : place.row;
        place.column = place.column == s->columns - 1 ? 0 : place.column;
        return place;
    case SPARSE_ONE_ROW:
        place.row = s->rows > 1 ? s->rows - 2 : 0;
        return place;
    case SPARSE_ONE_PLACE:
        return (struct place){.row = s->rows - 1, .column = s->columns / 2};
    case SPARSE_UNIQUE:
        return (struct place){.row = (p * 37 + 5) % (s->rows * s->columns) / s->columns,
                              .column = (p * 37 + 5) % s->columns};
    case SPARSE_SPREAD:
        return spread(s->rows * s->columns, s->columns, p);
    case SPARSE_LAST_ROW:
        place = spread(s->columns, s->columns, p);
        place.row = s->rows - 1;
        return place;
    case SPARSE_DIAGONAL:
        return (struct place){.row = p, .column = p};
    case SPARSE_FAR:
        if (p % 4 == 0) {
            return (struct place){.row = p ? place.row % 2 : 0, .column = p ? place.column % 65536 : 0};
        }
        return p % 4 == 1 ? (struct place){.row = before[-1].row + 65535, .column = before[-1].column + 1}
                          : place;
    case SPARSE_RANDOM:
        return p > 0 && p % 8 == 7 ? before[-1] : place;
    default:
        return place;
    }
}

/* Three equal rounds of entries/3: the second and third repeat the places of the first. */
static void place_cancelling(struct place *place, const struct sparse_case *s)
{
    int64_t third = s->entries / 3;
    for (int64_t p = third; third && p < 3 * third; p++) {
        place[p] = place[p % third];
    }
}

static struct place *places_of(struct builder *b, const struct sparse_case *s)
{
    struct philox generator = build_generator(b, 0);
    struct place *place = calloc((size_t)s->entries + 1, sizeof *place);
    for (int64_t p = 0; place && p < s->entries; p++) {
        place[p] = draw(&generator, s, p, &place[p]);
    }
    if (place && s->kind == SPARSE_CANCELLING) {
        place_cancelling(place, s);
    } else if (place && (s->kind == SPARSE_SORTED || s->kind == SPARSE_BY_COLUMN)) {
        qsort(place, (size_t)s->entries, sizeof *place, s->kind == SPARSE_SORTED ? by_row : by_column);
    }
    if (!place) {
        build_fail(b, "out of memory for a pattern");
    }
    return place;
}

/* Sorts the places and removes duplicates, as CSR requires. Returns the number of places left. */
static int64_t make_unique(struct place *place, int64_t entries)
{
    int64_t kept = 0;
    qsort(place, (size_t)entries, sizeof *place, by_row);
    for (int64_t p = 0; p < entries; p++) {
        if (p == 0 || by_row(&place[p], &place[p - 1]) != 0) {
            place[kept++] = place[p];
        }
    }
    return kept;
}

/* --- values */

static void fill_one(struct builder *b, const struct view *view, int64_t i, enum sparse_fill fill,
                     struct philox *generator)
{
    enum dtype dtype = view->dtype;
    switch (fill) {
    case FILL_INTEGERS:
        build_set(b, view, i, data_integer(generator, 4));
        break;
    case FILL_SUBNORMALS:
        build_set_bits(b, view, i, 0, data_subnormal(generator, dtype, i));
        break;
    case FILL_POSITIVE:
        build_set_bits(b, view, i, 0, data_between(generator, dtype, -1, 0) & ~format_of(dtype).sign);
        break;
    default:
        build_set_bits(b, view, i, 0, data_between(generator, dtype, -2, 2));
    }
}

/* Sets values v in the first third and −v in the second; the last third keeps its own, w. */
static void cancel(struct builder *b, const struct view *values, const struct sparse_case *s)
{
    struct philox first = build_generator(b, 1);
    int64_t third = s->entries / 3;
    for (int64_t p = 0; p < third; p++) {
        uint64_t bits = data_between(&first, values->dtype, -2, 2);
        build_set_bits(b, values, p, 0, bits);
        build_set_bits(b, values, third + p, 0, bits ^ format_of(values->dtype).sign);
    }
}

static bool is_random(const struct sparse_case *s)
{
    return s->fill == FILL_POSITIVE || (s->fill == FILL_RANDOM && s->kind != SPARSE_CANCELLING);
}

static void fill_values(struct builder *b, const struct view *values, const struct sparse_case *s)
{
    struct philox generator = build_generator(b, 1);
    uint64_t bits[SPECIALS_MAX];
    int64_t count = shape_elements(&values->shape), specials = special_bits(values->dtype, bits);
    /* of sampled_addmm, whose own values beta = 0 ignores */
    bool ignored = s->beta == 0 && strchr(sparse_operands_of(b->c->op), 'A');
    for (int64_t p = 0; p < count; p++) {
        if (s->fill == FILL_SPECIALS) {
            build_set_bits(b, values, p, 0, bits[p % specials]);
        } else if (s->fill == FILL_INFINITIES && ignored && p % 4 == 1) {
            build_set(b, values, p, (double)NAN);
        } else if (s->fill == FILL_INFINITIES && p % 3 == 0) {
            build_set(b, values, p, p % 2 ? -0.0 : 0);
        } else {
            fill_one(b, values, p, s->fill, &generator);
        }
    }
    build_origin(b, values, is_random(s));
    if (s->kind == SPARSE_CANCELLING && s->fill == FILL_RANDOM && count == s->entries) {
        cancel(b, values, s);
    }
}

/* Fills a dense operand; `tensor` is the number of its generator. */
static void fill_dense(struct builder *b, const struct view *dense, const struct sparse_case *s, int tensor)
{
    struct philox generator = build_generator(b, tensor);
    uint64_t bits[SPECIALS_MAX];
    int64_t count = shape_elements(&dense->shape), specials = special_bits(dense->dtype, bits);
    int64_t width = dense->shape.rank == 2 ? dense->shape.dim[1] : 1;
    int64_t last = dense->shape.dim[0] - 1; /* a row that SPARSE_GAPS never names */
    for (int64_t i = 0; i < count; i++) {
        int64_t row = i / width, column = i % width;
        if (s->fill == FILL_SPECIALS) {
            build_set_bits(b, dense, i, 0, bits[column % specials]);
        } else if (s->fill == FILL_INFINITIES && row == last) {
            build_set(b, dense, i, column % 2 ? (double)NAN : (double)INFINITY);
        } else if (s->fill == FILL_INFINITIES && row % 3 == 1 && column == 0) {
            build_set(b, dense, i, row % 2 ? (double)INFINITY : -(double)INFINITY);
        } else {
            fill_one(b, dense, i, s->fill, &generator);
        }
    }
    build_origin(b, dense, is_random(s));
}

/* Fills an operand that is multiplied with subnormals with numbers so large that products are normal if
 * nothing was flushed. */
static void fill_large(struct builder *b, const struct view *dense, int tensor)
{
    struct philox generator = build_generator(b, tensor);
    int64_t count = shape_elements(&dense->shape);
    int high = dtype_info(dense->dtype)->emax / 2;
    for (int64_t i = 0; i < count; i++) {
        build_set_bits(b, dense, i, 0, data_between(&generator, dense->dtype, high, high + 2));
    }
}

/* True for the factor of a product that is multiplied with the subnormal one. */
static bool is_large(const char *letters, char letter)
{
    bool values = strchr(letters, 'V') != NULL, dense = strchr(letters, 'D') != NULL;
    return letter == 'v' || letter == 'A' || (letter == 'D' && values) ||
           (letter == 'S' && !(values && dense));
}

/* --- operands */

static struct view make(struct builder *b, const struct sparse_case *s, int operand, enum dtype dtype,
                        struct shape shape)
{
    bool laid = s->laid < 0 || s->laid == operand;
    return build_tensor(b, dtype, &shape, laid ? s->layout : LAYOUT_CONTIGUOUS);
}

static void set_index(struct builder *b, const struct view *view, int64_t i, int64_t index)
{
    build_set_bits(b, view, i, 0, (uint64_t)index & (view->dtype == DTYPE_INT32 ? 0xFFFFFFFFU : ~0ULL));
}

static struct view make_coo(struct builder *b, const struct sparse_case *s, int operand,
                            const struct place *place, int64_t entries)
{
    struct view view =
        make(b, s, operand, s->narrow ? DTYPE_INT32 : DTYPE_INT64, shape_of(2, (int64_t)2, entries));
    for (int64_t p = 0; p < entries; p++) {
        set_index(b, &view, p, place[p].row);
        set_index(b, &view, entries + p, place[p].column);
    }
    return view;
}

static struct view make_csr(struct builder *b, const struct sparse_case *s, int operand, char letter,
                            const struct place *place, int64_t entries)
{
    int64_t length = letter == 'R' ? s->rows + 1 : entries;
    struct view view = make(b, s, operand, s->narrow ? DTYPE_INT32 : DTYPE_INT64, shape_of(1, length));
    for (int64_t p = 0; letter == 'C' && p < entries; p++) {
        set_index(b, &view, p, place[p].column);
    }
    for (int64_t r = 0, p = 0; letter == 'R' && r <= s->rows; r++) {
        while (p < entries && place[p].row < r) {
            p++;
        }
        set_index(b, &view, r, p);
    }
    return view;
}

static struct view make_dense(struct builder *b, const struct sparse_case *s, int operand,
                              const char *letters)
{
    char letter = letters[operand];
    struct shape shape = letter == 'v'   ? shape_of(1, s->columns)
                         : letter == 'D' ? shape_of(2, s->columns, s->width)
                         : letter == 'B' ? shape_of(2, s->width, s->columns)
                                         : shape_of(2, s->rows, s->width);
    struct view view = make(b, s, operand, b->c->dtype, shape);
    if (s->fill == FILL_SUBNORMALS && is_large(letters, letter)) {
        fill_large(b, &view, 2 + operand);
    } else {
        fill_dense(b, &view, s, 2 + operand);
    }
    return view;
}

int sparse_build(struct builder *b, const char *letters, const struct sparse_case *s, struct view *input)
{
    struct place *place = places_of(b, s);
    int64_t entries = s->entries;
    int count = (int)strlen(letters);
    if (place && strchr(letters, 'R')) {
        entries = make_unique(place, entries);
    }
    for (int k = 0; place && k < count; k++) {
        switch (letters[k]) {
        case 'I':
            input[k] = make_coo(b, s, k, place, entries);
            break;
        case 'R':
        case 'C':
            input[k] = make_csr(b, s, k, letters[k], place, entries);
            break;
        case 'V':
            input[k] = make(b, s, k, b->c->dtype, shape_of(1, entries));
            fill_values(b, &input[k], s);
            break;
        default:
            input[k] = make_dense(b, s, k, letters);
        }
    }
    free(place);
    return count;
}

struct attributes sparse_attributes(const struct op *op, const struct sparse_case *s)
{
    struct attributes a = {.count = 1};
    a.item[0] = (struct attribute){
        .name = "size", .type = ATTRIBUTE_INTEGERS, .integers = {.count = 2, .item = {s->rows, s->columns}}};
    if (op->attributes[1].name && (s->alpha != 1 || s->beta != 1)) {
        a.item[a.count++] = (struct attribute){.name = "beta", .type = ATTRIBUTE_REAL, .real = s->beta};
        a.item[a.count++] = (struct attribute){.name = "alpha", .type = ATTRIBUTE_REAL, .real = s->alpha};
    }
    return a;
}
