/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_BASE_TENSOR_H
#define ASSAY_REFERENCE_BASE_TENSOR_H

/* Shapes, strided views of a storage, and contiguous host tensors.
 *
 * A *storage* is a run of bytes; a *view* names the part of one storage that an operand reads or writes.
 * Strides and offsets are in elements (as in PyTorch), storages in bytes. Strides may be zero or negative. */

#include "reference/base/dtype.h"
#include "reference/base/error.h"

enum { RANK_MAX = 8, SHAPE_TEXT = 24 * RANK_MAX /* room for any shape that is printed */ };

struct shape {
    int rank;              /* 0..RANK_MAX; rank 0 is a scalar with one element */
    int64_t dim[RANK_MAX]; /* each ≥ 0 */
};

struct view {
    int storage; /* index into the program's storages */
    enum dtype dtype;
    struct shape shape;
    int64_t stride[RANK_MAX]; /* in elements */
    int64_t offset;           /* of element (0, …, 0), in elements from the storage's first byte */
};

/* A view's elements, contiguous and row-major: what the reference reads. */
struct tensor {
    enum dtype dtype;
    struct shape shape;
    unsigned char *data; /* elements × dtype size bytes; NULL when empty */
    bool zero_copy;           /* the data is somebody else's, to be read and not freed; else it is owned */
};

/* a·b of two counts ≥ 0 (dimensions, elements, bytes): INT64_MAX where it does not fit, which no allocation
 * grants and no further product makes small again. The one way in which counts are multiplied. */
static inline int64_t count_product(int64_t a, int64_t b)
{
    int64_t product;
    return __builtin_mul_overflow(a, b, &product) ? INT64_MAX : product;
}

struct shape shape_of(int rank, ...); /* rank int64_t dims: shape_of(2, (int64_t)3, (int64_t)4) */
int64_t shape_elements(const struct shape *shape); /* 0 where a dimension is 0, else as count_product */
int64_t shape_bytes(const struct shape *shape, enum dtype dtype); /* likewise */
bool shape_equal(const struct shape *a, const struct shape *b);
void shape_print(const struct shape *shape, char *text, size_t size);          /* "[2, 3]" */
void numbers_print(const int64_t *number, int count, char *text, size_t size); /* likewise */

/* The shape that both broadcast to, which may be one of them; false where there is none, *both as it was. */
bool shape_broadcast(const struct shape *a, const struct shape *b, struct shape *both);

/* PyTorch's broadcasting of `from` to `to` (trailing dimensions align; each is equal or 1). */
bool shape_broadcasts(const struct shape *from, const struct shape *to);

/* i/n for i ≥ 0, n > 0, *rest the remainder: of 32 bits where they will do, which many machines divide in
 * half the time. */
static inline int64_t shape_divide(int64_t i, int64_t n, int64_t *rest)
{
    if (i <= UINT32_MAX && n <= UINT32_MAX) {
        *rest = (uint32_t)i % (uint32_t)n;
        return (uint32_t)i / (uint32_t)n;
    }
    *rest = i % n;
    return i / n;
}

/* The row-major element of `from` that element i of `to` reads under that broadcasting. */
int64_t shape_broadcast_element(const struct shape *from, const struct shape *to, int64_t i);

/* The view with `to`'s shape that repeats `view` by zero strides. Only where shape_broadcasts. */
struct view view_broadcast(const struct view *view, const struct shape *to);

/* The row-major contiguous view of a whole storage. */
struct view view_contiguous(int storage, enum dtype dtype, const struct shape *shape);

/* Element index of the i-th element in row-major order of the view's shape, counted from the storage's start.
 */
int64_t view_element(const struct view *view, int64_t i);

/* Brings `count` views of one rank to fewer dimensions: one joins the dimension before it where in every view
 * a single stride walks through both, elements staying in their order; not where its bit is set in `apart`.
 * place[d] (may be NULL): which dimension d is part of now. */
void views_collapse(int count, struct view *const view[], unsigned apart, int place[RANK_MAX]);

/* True when every element lies inside a storage of `bytes` bytes. Empty views always do. */
bool view_in_bounds(const struct view *view, size_t bytes);

bool view_is_contiguous(const struct view *view);

/* True when two different indices of the view name the same element (0-stride expands, overlapping windows).
 * Exact: decided by enumeration, O(elements). */
bool view_overlaps_itself(const struct view *view);

/* How two views share memory. IDENTICAL: element i of one is element i of the other, for all i. */
enum view_sharing { VIEWS_DISJOINT, VIEWS_IDENTICAL, VIEWS_OVERLAP };
enum view_sharing view_sharing(const struct view *a, const struct view *b);

/* Copies the elements that a view selects out of (into) a storage's bytes. gather allocates the tensor's
 * data; the caller destroys it. */
bool tensor_gather(struct tensor *tensor, const struct view *view, const unsigned char *storage);
/* The same to be read only: where the elements lie one behind the other, as they lie in the storage, which
 * must outlive the tensor; else a copy. */
bool tensor_borrow(struct tensor *tensor, const struct view *view, unsigned char *storage);
void tensor_scatter(const struct tensor *tensor, const struct view *view, unsigned char *storage);
bool tensor_create(struct tensor *tensor, enum dtype dtype, const struct shape *shape); /* zero-filled */
void tensor_destroy(struct tensor *tensor);
/* Type, shape and data, where there are any. False when out of memory; destroy then as well. */
bool tensor_copy(struct tensor *to, const struct tensor *from);

static inline size_t tensor_bytes(const struct tensor *tensor)
{
    return (size_t)shape_bytes(&tensor->shape, tensor->dtype);
}

/* An optional operand that the call leaves out: a zeroed tensor, no data although a scalar has an element. */
static inline bool tensor_absent(const struct tensor *tensor)
{
    return !tensor->data && shape_elements(&tensor->shape) > 0;
}

/* Whether a component of a floating dtype is NaN or infinite; is subnormal. */
bool tensor_holds_special(const struct tensor *tensor);
bool tensor_holds_subnormal(const struct tensor *tensor);

/* Element i of a tensor of float64. */
static inline void tensor_put(struct tensor *tensor, int64_t i, double x)
{
    dtype_store(DTYPE_FLOAT64, tensor->data + (size_t)i * sizeof x, x);
}

/* The k-th component (k < elements × components) of a tensor as a double; see dtype_load. */
double tensor_component(const struct tensor *tensor, int64_t k);
/* Components `first` to `first` + count − 1. */
void tensor_components(const struct tensor *tensor, int64_t first, int64_t count, double *to);
/* `count` numbers of float32 that lie beside one another, at any address. */
void tensor_floats(const unsigned char *from, int64_t count, double *to);

#endif
