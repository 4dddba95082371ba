/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_KERNELS_VULKAN_KERNEL_H
#define ASSAY_KERNELS_VULKAN_KERNEL_H

/* What an operator of this backend is: a launch plan, a function that turns one step into dispatches.
 *
 * A file ops/STEM.c exports `const struct vk_op_set vk_op_set_STEM`. A plan keeps the first failure: after
 * it, every call on it does nothing, so that an operator need not test each one. Plans run in the order of
 * their dispatches, with a full memory barrier between two of them. Nothing is executed while planning. */

#include "kernels/vulkan/launch.h"

struct vk_plan; /* owned by the launcher */

/* No invocation may run more loop iterations than this in total: llvmpipe silently ends every loop once
 * 65,535 are spent over all loops of an invocation (LP_MAX_TGSI_LOOP_ITERATIONS in Mesa's gallivm). */
enum { VK_LOOP_LIMIT = 60000 };

enum { VK_WORKGROUP = 64 }; /* invocations; specialization constant 0 of every shader */

enum { VK_RANK_MAX = 6 }; /* dimensions that a kernel sees */

/* struct View of lib/kernel.glsl (std430). */
struct vk_view_argument {
    uint64_t address; /* of the storage's first byte */
    uint32_t offset;  /* of element (0, …, 0), in elements, ≥ 0 */
    uint32_t elements;
    uint32_t dim[VK_RANK_MAX];    /* padded in front with 1 */
    uint32_t stride[VK_RANK_MAX]; /* two's complement */
    uint32_t outermost;           /* of the dimensions that are not 1; the last one where all are */
    uint32_t step;                /* its stride */
};

/* Views of which invocations read where elements lie by way of push constants (struct Line of
 * lib/kernel.glsl): a CPU's driver reads those once for all invocations, and what lies behind an address once
 * for each. */
enum { VK_LINES_MAX = 4 };

struct vk_dispatch {
    const char *shader;    /* "STEM.VARIANT" */
    uint32_t constants[3]; /* specialization constants 1…; constant 0 is `workgroup` */
    uint32_t workgroup;    /* invocations; 0 = VK_WORKGROUP */
    uint64_t groups;       /* workgroups; 0 dispatches nothing */
    const void *arguments; /* copied */
    size_t bytes;          /* ≤ VK_ARGUMENTS_MAX */
    const struct vk_view_argument *line[VK_LINES_MAX]; /* NULL where there is none */
    uint32_t elements, more;                           /* push constants, too; more: the operator's own */
    uint64_t iterations; /* upper bound on loop iterations of one invocation, over all its loops */
};

enum { VK_ARGUMENTS_MAX = 1024 };

struct vk_op {
    const char *name; /* operator name as in reference/ */
    int variant;      /* which of the operators that share a plan: a number or flags of the file's own */
    void (*plan)(struct vk_plan *plan, const struct step *step);
};

struct vk_op_set {
    const struct vk_op *op;
    int count;
};

const struct vk_op *vk_op_find(const char *name); /* NULL when this backend lacks it */

int vk_plan_variant(const struct vk_plan *plan); /* that of the operator which is planned */

/* Ends the plan with a reason. */
void vk_plan_fail(struct vk_plan *plan, enum launch_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
bool vk_plan_is_good(const struct vk_plan *plan); /* nothing failed yet */

uint64_t vk_plan_storage_bytes(const struct vk_plan *plan,
                               const struct view *view); /* of the view's storage */

/* A view as kernels read it. Fails the plan where an element number does not fit in 32 bits, and where the
 * view leaves its storage: device addresses have no robustness, the write would land in another allocation.
 * More than VK_RANK_MAX dimensions are joined; the plan fails where strides do not allow it. */
struct vk_view_argument vk_plan_view(struct vk_plan *plan, const struct view *view);

/* The same for kernels that ask for elements by number alone: dimensions are joined where strides allow it,
 * each of them would cost every element a division. */
struct vk_view_argument vk_plan_elements(struct vk_plan *plan, const struct view *view);

/* `count` elements one behind the other, `stride` apart. */
struct vk_view_argument vk_view_line(uint64_t address, uint32_t count, uint32_t stride);

/* Joins the dimensions of a view that was put together by hand, and finds the outermost one. */
void vk_view_join(struct vk_view_argument *view);

/* Only the dimensions in `mask`, bit d for number d of the padded VK_RANK_MAX, joined. */
struct vk_view_argument vk_view_only(const struct vk_view_argument *view, unsigned mask);

/* Brings views of more than VK_RANK_MAX dimensions to no more, as views_collapse does; others stay as they
 * are. For plans that look at dimensions. Fails the plan where strides do not allow it. */
void vk_plan_fold(struct vk_plan *plan, int count, struct view *const view[], unsigned apart,
                  int place[RANK_MAX]);

/* The same of an operand whose dimensions in `mask` are reduced: none of them is joined with one that is not,
 * and *mask follows them. */
struct view vk_plan_fold_reduced(struct vk_plan *plan, const struct view *x, unsigned *mask);

/* Device memory for the step, filled with 0xFF bytes (NaN in every format), aligned to 256. Its address. */
uint64_t vk_plan_scratch(struct vk_plan *plan, uint64_t bytes);

/* Where a shader named like this one and "x2" is there, it computes two elements in each invocation; it is
 * taken for many elements whose lines, all of them, come in pairs. */
void vk_plan_dispatch(struct vk_plan *plan, const struct vk_dispatch *dispatch);

/* Workgroups that hold `invocations`. */
static inline uint64_t vk_groups(uint64_t invocations, uint32_t workgroup)
{
    return (invocations + workgroup - 1) / workgroup;
}

/* Invocations of a workgroup that share `work` items: of a short row, or a small matrix, most of
 * VK_WORKGROUP would idle, and each barrier wait for them. The choice must not depend on a batch, which may
 * change no bit of a result. */
enum { VK_SHORT = 64, VK_FEW = 8 };
static inline uint32_t vk_sharers(uint64_t work)
{
    return work <= VK_SHORT ? VK_FEW : VK_WORKGROUP;
}

/* A parameter's bits in the type that a dtype is computed in: float64 for float64, else float32. */
uint64_t vk_real_bits(enum dtype dtype, double x);

/* False where the device may replace subnormals of that width (16, 32, 64) by zeros. */
bool vk_plan_keeps_subnormals(const struct vk_plan *plan, int width);

#endif
