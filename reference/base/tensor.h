/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_BASE_TENSOR_H
#define ASSAY_REFERENCE_BASE_TENSOR_H

/* Shapes, strided views of a storage, and contiguous host tensors.
 *
 * A *storage* is a block of bytes; a *view* selects the elements of one storage that an operand reads or
 * writes. Strides and offsets count elements (as in PyTorch), storage sizes count bytes. Strides may be zero
 * or negative. */

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
    int64_t offset;           /* of element (0, …, 0), in elements from the start of the storage */
};

/* The elements of a view, contiguous and row-major. The reference computes from tensors. */
struct tensor {
    enum dtype dtype;
    struct shape shape;
    unsigned char *data; /* elements × dtype size bytes; NULL when empty */
    bool zero_copy;      /* `data` belongs to another owner: it is read only and never freed by
                            tensor_destroy */
};

/* Returns a·b for counts ≥ 0 (dimensions, elements, bytes), or INT64_MAX where the product does not fit. No
 * allocation grants INT64_MAX bytes, and a further product with a count ≥ 1 stays INT64_MAX. All products of
 * counts use this function. */
static inline int64_t count_product(int64_t a, int64_t b)
{
    int64_t product;
    return __builtin_mul_overflow(a, b, &product) ? INT64_MAX : product;
}

/* Returns the shape with the given `rank` int64_t dimensions, as in shape_of(2, (int64_t)3, (int64_t)4). */
struct shape shape_of(int rank, ...);
/* Returns the number of elements: 0 if a dimension is 0, else saturating as count_product does. */
int64_t shape_elements(const struct shape *shape);
int64_t shape_bytes(const struct shape *shape, enum dtype dtype); /* saturates as count_product does */
bool shape_equal(const struct shape *a, const struct shape *b);
void shape_print(const struct shape *shape, char *text, size_t size);          /* prints "[2, 3]" */
void numbers_print(const int64_t *number, int count, char *text, size_t size); /* prints "[2, 3]" */

/* Sets *both to the shape that a and b broadcast to; `both` may point to a or b. Returns false, with *both
 * unchanged, if they do not broadcast. */
bool shape_broadcast(const struct shape *a, const struct shape *b, struct shape *both);

/* Returns whether `from` broadcasts to `to` by PyTorch's rule: trailing dimensions are aligned, and each is
 * equal or 1. */
bool shape_broadcasts(const struct shape *from, const struct shape *to);

/* Returns i/n and sets *rest to the remainder, for i ≥ 0 and n > 0. Divides 32-bit numbers where i and n fit,
 * which takes half the time on many processors. */
static inline int64_t shape_divide(int64_t i, int64_t n, int64_t *rest)
{
    if (i <= UINT32_MAX && n <= UINT32_MAX) {
        *rest = (uint32_t)i % (uint32_t)n;
        return (uint32_t)i / (uint32_t)n;
    }
    *rest = i % n;
    return i / n;
}

/* Returns the row-major index of the element of `from` that element i of `to` reads under broadcasting. */
int64_t shape_broadcast_element(const struct shape *from, const struct shape *to, int64_t i);

/* Returns a view of shape `to` that repeats `view` by zero strides. Requires shape_broadcasts. */
struct view view_broadcast(const struct view *view, const struct shape *to);

/* Returns the row-major contiguous view of a whole storage. */
struct view view_contiguous(int storage, enum dtype dtype, const struct shape *shape);

/* Returns the index, counted in elements from the start of the storage, of the i-th element of the view in
 * row-major order. */
int64_t view_element(const struct view *view, int64_t i);

/* Reduces the rank of `count` views of equal rank. Dimension d is merged into the dimension before it if in
 * every view one stride walks through both, which keeps the order of the elements. A dimension whose bit is
 * set in `apart` is not merged. place[d] receives the new dimension that contains d; `place` may be NULL. */
void views_collapse(int count, struct view *const view[], unsigned apart, int place[RANK_MAX]);

/* Returns whether every element lies inside a storage of `bytes` bytes; true for an empty view. */
bool view_in_bounds(const struct view *view, size_t bytes);

bool view_is_contiguous(const struct view *view);

/* Returns whether two different indices of the view name the same element (0-stride expands, overlapping
 * windows). Exact: it enumerates the elements in O(n log n). Returns false when out of memory. */
bool view_overlaps_itself(const struct view *view);

/* How two views share memory. VIEWS_IDENTICAL: element i of one is element i of the other, for all i. */
enum view_sharing { VIEWS_DISJOINT, VIEWS_IDENTICAL, VIEWS_OVERLAP };
enum view_sharing view_sharing(const struct view *a, const struct view *b);

/* tensor_gather copies the elements that the view selects out of the storage into new memory, which the
 * caller destroys; tensor_scatter copies a tensor into the elements that the view selects. tensor_gather
 * returns false when out of memory. */
bool tensor_gather(struct tensor *tensor, const struct view *view, const unsigned char *storage);
/* tensor_gather for reading only: a contiguous view is passed zero-copy, and the storage must then outlive
 * the tensor; any other view is copied. */
bool tensor_borrow(struct tensor *tensor, const struct view *view, unsigned char *storage);
void tensor_scatter(const struct tensor *tensor, const struct view *view, unsigned char *storage);
bool tensor_create(struct tensor *tensor, enum dtype dtype, const struct shape *shape); /* zero-filled */
void tensor_destroy(struct tensor *tensor);
/* Copies dtype, shape and data; a tensor without data stays without. Returns false when out of memory; call
 * tensor_destroy then too. */
bool tensor_copy(struct tensor *to, const struct tensor *from);

static inline size_t tensor_bytes(const struct tensor *tensor)
{
    return (size_t)shape_bytes(&tensor->shape, tensor->dtype);
}

/* Returns whether the tensor stands for an optional operand that the call omits: a zeroed struct, which has
 * no data although the shape of a scalar has one element. */
static inline bool tensor_absent(const struct tensor *tensor)
{
    return !tensor->data && shape_elements(&tensor->shape) > 0;
}

/* tensor_holds_special returns whether any component is NaN or infinite, tensor_holds_subnormal whether any
 * is subnormal. Both return false for dtypes that are not floating. */
bool tensor_holds_special(const struct tensor *tensor);
bool tensor_holds_subnormal(const struct tensor *tensor);

/* Sets element i of a float64 tensor. */
static inline void tensor_put(struct tensor *tensor, int64_t i, double x)
{
    dtype_store(DTYPE_FLOAT64, tensor->data + (size_t)i * sizeof x, x);
}

/* Returns the k-th component (k < elements × components) of a tensor as a double; see dtype_load. */
double tensor_component(const struct tensor *tensor, int64_t k);
/* Converts components `first` to `first` + count − 1 to doubles. */
void tensor_components(const struct tensor *tensor, int64_t first, int64_t count, double *to);
/* Converts `count` consecutive float32 numbers, at any alignment, to doubles. */
void tensor_floats(const unsigned char *from, int64_t count, double *to);

#endif
