/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/shrink/ties.h"

#include <stdlib.h>
#include <string.h>

/* The elements of a dimension that are kept. */
struct keeping {
    const int64_t *kept;
    int64_t count;
};

/* --- layouts */

/* Orders the dimensions by stride, the smallest first; of equal strides the later dimension first. */
static void by_stride(const struct repro_layout *layout, int rank, int order[RANK_MAX])
{
    for (int d = 0; d < rank; d++) {
        int at = d;
        for (; at > 0 && llabs(layout->stride[order[at - 1]]) >= llabs(layout->stride[d]); at--) {
            order[at] = order[at - 1];
        }
        order[at] = d;
    }
}

void tie_lay(struct repro_layout *layout, const struct shape *before, const struct shape *after, size_t size)
{
    int order[RANK_MAX];
    /* elements from the first to the last of the dimensions so far, before and after the cut */
    int64_t was = 1, is = 1;
    int64_t lead = layout->offset, below = 0;
    by_stride(layout, before->rank, order);
    for (int k = 0; k < before->rank; k++) {
        int d = order[k];
        int64_t stride = llabs(layout->stride[d]), gap = stride - was;
        int64_t now = stride == 0 || gap < 0 ? stride : is + gap;
        bool turned = layout->stride[d] < 0;
        lead -= turned && before->dim[d] > 0 ? (before->dim[d] - 1) * stride : 0;
        below += turned && after->dim[d] > 0 ? (after->dim[d] - 1) * now : 0;
        was += before->dim[d] > 0 ? (before->dim[d] - 1) * stride : 0;
        is += after->dim[d] > 0 ? (after->dim[d] - 1) * now : 0;
        layout->stride[d] = turned ? -now : now;
    }
    int64_t tail = layout->bytes - (lead + was) * (int64_t)size;
    layout->offset = lead + below;
    layout->bytes = (lead + is) * (int64_t)size + (tail > 0 ? tail : 0);
}

/* --- operands */

static bool cut_operand(struct problem *p, int i, const struct keeping keep[RANK_MAX])
{
    struct tensor *tensor = &p->inputs.input[i], cut;
    struct shape shape = tensor->shape;
    size_t size = dtype_info(tensor->dtype)->size;
    for (int d = 0; d < shape.rank; d++) {
        shape.dim[d] = keep[d].kept ? keep[d].count : shape.dim[d];
    }
    if (!tensor_create(&cut, tensor->dtype, &shape)) {
        return false;
    }
    int64_t elements = shape_elements(&shape);
    for (int64_t e = 0; e < elements; e++) {
        int64_t rest = e, from = 0, step = 1;
        for (int d = shape.rank - 1; d >= 0; d--) {
            int64_t k = rest % shape.dim[d];
            from += (keep[d].kept ? keep[d].kept[k] : k) * step;
            rest /= shape.dim[d];
            step *= tensor->shape.dim[d];
        }
        memcpy(cut.data + (size_t)e * size, tensor->data + (size_t)from * size, size);
    }
    if (p->inputs.layout[i].given) {
        tie_lay(&p->inputs.layout[i], &tensor->shape, &shape, size);
    }
    tensor_destroy(tensor);
    *tensor = cut;
    return true;
}

static bool cut_operands(struct problem *p, const struct tie *tie, const struct keeping *keep)
{
    for (int i = 0; i < p->inputs.inputs; i++) {
        struct keeping own[RANK_MAX] = {{.kept = NULL}};
        bool touched = false;
        for (int m = 0; m < tie->members; m++) {
            const struct member *member = &tie->member[m];
            if (member->kind == MEMBER_DIMENSION && member->index == i) {
                own[member->place] = *keep;
                touched = true;
            }
        }
        if (touched && !cut_operand(p, i, own)) {
            return false;
        }
    }
    return true;
}

static void cut_attributes(struct problem *p, const struct tie *tie, int64_t count)
{
    for (int m = 0; m < tie->members; m++) {
        const struct member *member = &tie->member[m];
        if (member->kind == MEMBER_ATTRIBUTE) {
            p->attributes.item[member->index].integers.item[member->place] = count;
        }
    }
}

/* Returns true if operands that share memory are still identical or disjoint. Partial overlaps cannot be cut.
 */
static bool shares_well(const struct problem *p)
{
    for (int i = 0; i < p->inputs.inputs; i++) {
        for (int j = i + 1; j < p->inputs.inputs; j++) {
            const struct repro_layout *a = &p->inputs.layout[i], *b = &p->inputs.layout[j];
            struct view x = problem_view(&p->inputs, i), y = problem_view(&p->inputs, j);
            if (a->given && b->given && x.storage >= 0 && x.storage == y.storage &&
                view_sharing(&x, &y) == VIEWS_OVERLAP) {
                return false;
            }
        }
    }
    return true;
}

/* --- sparse matrices */

static int64_t index_at(const struct tensor *tensor, int64_t i)
{
    return dtype_load_integer(tensor->dtype, tensor->data + (size_t)i * dtype_info(tensor->dtype)->size);
}

static void set_index(struct tensor *tensor, int64_t i, int64_t x)
{
    dtype_store_integer(tensor->dtype, tensor->data + (size_t)i * dtype_info(tensor->dtype)->size, x);
}

/* Returns the new index of each element of a dimension, −1 if it is removed. Owned by the caller; NULL: out
 * of memory. */
static int64_t *places(const struct keeping *keep, int64_t length)
{
    int64_t *place = malloc(((size_t)length + 1) * sizeof *place);
    for (int64_t k = 0; place && k < length; k++) {
        place[k] = -1;
    }
    for (int64_t k = 0; place && k < keep->count; k++) {
        place[keep->kept[k]] = k;
    }
    return place;
}

/* The sparse matrix of a problem. */
struct matrix {
    int at; /* the operand with its indices */
    bool csr;
    int64_t entries;
};

static bool find_matrix(const struct problem *p, struct matrix *matrix)
{
    for (int i = 0; i < p->inputs.inputs; i++) {
        bool csr = op_is_csr(p->op, p->inputs.inputs, i), coo = op_is_coo(p->op, p->inputs.inputs, i);
        if ((csr || coo) && !tensor_absent(&p->inputs.input[i])) {
            const struct shape *shape = &p->inputs.input[csr ? i + 1 : i].shape;
            *matrix = (struct matrix){i, csr, shape->rank ? shape->dim[shape->rank - 1] : 0};
            return true;
        }
    }
    return false;
}

/* Returns the row (axis 0) or column (axis 1) of each entry, owned by the caller; NULL: out of memory. */
static int64_t *coordinates(const struct problem *p, const struct matrix *matrix, int axis)
{
    const struct tensor *indices = &p->inputs.input[matrix->at];
    int64_t *x = malloc(((size_t)matrix->entries + 1) * sizeof *x);
    int64_t rows = indices->shape.dim[0] - 1;
    for (int64_t e = 0; x && !matrix->csr && e < matrix->entries; e++) {
        x[e] = index_at(indices, axis * matrix->entries + e);
    }
    for (int64_t e = 0; x && matrix->csr && axis == 1 && e < matrix->entries; e++) {
        x[e] = index_at(indices + 1, e);
    }
    for (int64_t r = 0, e = 0; x && matrix->csr && axis == 0 && r < rows; r++) {
        for (; e < index_at(indices, r + 1) && e < matrix->entries; e++) {
            x[e] = r;
        }
    }
    return x;
}

/* Writes the row starts for `rows` rows. row[e]: row of remaining entry e. */
static bool set_starts(struct problem *p, int at, int64_t rows, const int64_t *row, int64_t entries)
{
    struct tensor *starts = &p->inputs.input[at], made;
    struct shape shape = shape_of(1, rows + 1);
    if (!tensor_create(&made, starts->dtype, &shape)) {
        return false;
    }
    for (int64_t r = 0, e = 0; r <= rows; r++) {
        for (; e < entries && row[e] < r; e++) {
        }
        set_index(&made, r, e);
    }
    if (p->inputs.layout[at].given) {
        tie_lay(&p->inputs.layout[at], &starts->shape, &shape, dtype_info(starts->dtype)->size);
    }
    tensor_destroy(starts);
    *starts = made;
    return true;
}

/* Removes all entries but those in `stay`, from every member of their tie, and updates the row starts. */
static bool cut_entries(struct problem *p, const struct ties *ties, const struct matrix *matrix,
                        const struct keeping *stay)
{
    const struct tie *entries = ties_of(ties, matrix->csr ? matrix->at + 1 : matrix->at, !matrix->csr);
    if (stay->count == matrix->entries) {
        return true;
    }
    int64_t *row = entries && stay->count > 0 ? coordinates(p, matrix, 0) : NULL;
    bool good = row && cut_operands(p, entries, stay);
    if (good && matrix->csr) {
        for (int64_t e = 0; e < stay->count; e++) {
            row[e] = row[stay->kept[e]];
        }
        good = set_starts(p, matrix->at, p->inputs.input[matrix->at].shape.dim[0] - 1, row, stay->count);
    }
    free(row);
    return good;
}

/* Renumbers the rows or columns of the remaining entries. */
static bool rename_places(struct problem *p, struct matrix *matrix, int axis, const int64_t *place,
                          int64_t count)
{
    struct tensor *indices = &p->inputs.input[matrix->at];
    int64_t *x = coordinates(p, matrix, axis);
    for (int64_t e = 0; x && e < matrix->entries; e++) {
        x[e] = place[x[e]];
        if (!matrix->csr) {
            set_index(indices, axis * matrix->entries + e, x[e]);
        } else if (axis == 1) {
            set_index(indices + 1, e, x[e]);
        }
    }
    bool good = x && (!matrix->csr || axis == 1 || set_starts(p, matrix->at, count, x, matrix->entries));
    free(x);
    return good;
}

/* Removes rows or columns of the matrix, and their entries. */
static bool cut_matrix(struct problem *p, const struct ties *ties, int axis, const struct keeping *keep,
                       int64_t length)
{
    struct matrix matrix;
    if (!find_matrix(p, &matrix)) {
        return true;
    }
    int64_t *x = coordinates(p, &matrix, axis), *place = places(keep, length);
    int64_t *kept = malloc(((size_t)matrix.entries + 1) * sizeof *kept), count = 0;
    bool good = x && place && kept;
    for (int64_t e = 0; good && e < matrix.entries; e++) {
        good = x[e] >= 0 && x[e] < length;
        if (good && place[x[e]] >= 0) {
            kept[count++] = e;
        }
    }
    good = good && cut_entries(p, ties, &matrix, &(struct keeping){kept, count});
    good = good && find_matrix(p, &matrix) && rename_places(p, &matrix, axis, place, keep->count);
    free(x);
    free(place);
    free(kept);
    return good;
}

/* Returns 0 or 1 if the tie is the matrix's rows or columns, −1 if it is something else. */
static int axis_of(const struct problem *p, const struct tie *tie)
{
    for (int m = 0; m < tie->members; m++) {
        const struct member *member = &tie->member[m];
        if (member->kind == MEMBER_ROW_STARTS) {
            return 0;
        }
        if (member->kind == MEMBER_ATTRIBUTE && op_has_indices(p->op) &&
            strcmp(p->attributes.item[member->index].name, "size") == 0) {
            return member->place;
        }
    }
    return -1;
}

/* --- all of it */

/* Checks the shape rule; where it requires it, reduces a number of groups in proportion. */
static bool refine(struct problem *p, int64_t length, int64_t count)
{
    if (problem_is_taken(p)) {
        return true;
    }
    for (int a = 0; a < p->attributes.count; a++) {
        struct attribute *attribute = &p->attributes.item[a];
        int64_t x = attribute->integer, less = x > 1 && length % x == 0 ? x * count / length : 0;
        if (attribute->type == ATTRIBUTE_INTEGER && less >= 1 && x * count % length == 0) {
            attribute->integer = less;
            if (problem_is_taken(p)) {
                return true;
            }
            attribute->integer = x;
        }
    }
    return false;
}

bool tie_keep(struct problem *to, const struct problem *from, const struct ties *ties, const struct tie *tie,
              const int64_t *kept, int64_t count)
{
    const struct keeping keep = {kept, count};
    struct matrix matrix;
    if (!problem_copy(to, from)) {
        return false;
    }
    int axis = axis_of(to, tie);
    bool entries =
        find_matrix(to, &matrix) && tie == ties_of(ties, matrix.csr ? matrix.at + 1 : matrix.at, !matrix.csr);
    bool good = axis < 0 || cut_matrix(to, ties, axis, &keep, tie->length);
    good = good && (entries ? cut_entries(to, ties, &matrix, &keep) : cut_operands(to, tie, &keep));
    if (good) {
        cut_attributes(to, tie, count);
        good = shares_well(to) && refine(to, tie->length, count);
    }
    if (!good) {
        problem_clear(to);
    }
    return good;
}
