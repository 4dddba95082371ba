/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_KERNELS_VULKAN_KERNEL_H
#define ASSAY_KERNELS_VULKAN_KERNEL_H

/* The interface for operators of this backend. An operator is a planning function, which turns one step of a
 * program into dispatches.
 *
 * A file ops/STEM.c exports `const struct vk_op_set vk_op_set_STEM`. Nothing is executed while planning. The
 * dispatches run later, in their order, with a full memory barrier between any two. A plan keeps its first
 * failure, after which every call on it does nothing, so that an operator need not test each call. */

#include "kernels/vulkan/launch.h"

struct vk_plan; /* owned by the launcher */

/* The bound on the loop iterations of one invocation in total on CPU devices; vk_plan_loop_limit returns that
 * of the device. llvmpipe silently ends every loop once 65,535 are spent over all loops of an invocation
 * (LP_MAX_TGSI_LOOP_ITERATIONS in Mesa's gallivm). */
enum { VK_LOOP_LIMIT = 60000 };

enum { VK_WORKGROUP = 64 }; /* invocations; specialization constant 0 of every shader */

enum { VK_RANK_MAX = 6 }; /* dimensions that a kernel sees */

/* A view as the kernels read it: struct View of lib/kernel.glsl (std430). */
struct vk_view_argument {
    uint64_t address; /* of the storage's first byte */
    uint32_t offset;  /* of element (0, …, 0), in elements, ≥ 0 */
    uint32_t elements;
    uint32_t dim[VK_RANK_MAX];    /* padded in front with 1 */
    uint32_t stride[VK_RANK_MAX]; /* two's complement */
    uint32_t outermost;           /* the first dimension whose extent is not 1; the last one if all are 1 */
    uint32_t step;                /* the stride of dimension `outermost` */
};

/* Views whose addresses and strides are pushed as constants (struct Line of lib/kernel.glsl): a CPU driver
 * reads push constants once for all invocations, but data behind an address once for each invocation. */
enum { VK_LINES_MAX = 4, VK_FREE_CONSTANTS = 6 };

struct vk_dispatch {
    const char *shader;                    /* "STEM.VARIANT" */
    uint32_t constants[VK_FREE_CONSTANTS]; /* specialization constants 1 to 3 and 5 to 7; 0 is `workgroup`,
                                              and 4 and 8 are the launcher's: ONE_LINE of lib/kernel.glsl,
                                              UNROLLED of lib/wide.glsl */
    uint32_t workgroup;                    /* invocations of a workgroup; 0: VK_WORKGROUP */
    uint64_t groups;                       /* workgroups; 0 dispatches nothing */
    const void *arguments;                 /* argument block, copied by vk_plan_dispatch */
    size_t bytes;                          /* ≤ VK_ARGUMENTS_MAX */
    const struct vk_view_argument *line[VK_LINES_MAX]; /* views that are pushed; NULL: none */
    int written;             /* the line that is written; read by vk_plan_dispatch_elements alone */
    uint32_t elements, more; /* pushed too; the meaning of `more` is the operator's */
    uint64_t iterations;     /* upper bound on loop iterations of one invocation, over all its loops */
};

enum { VK_ARGUMENTS_MAX = 1024 };

/* A route is one of the ways in which this backend computes operators (route.h). */
enum vk_route { VK_PORTABLE, VK_WIDE, VK_TILED, VK_ROUTES };

/* An operator on one route. Different files may export an operator on different routes. A plan for a call
 * that its route does not cover fails as unsupported, before it allocates anything; plain `vulkan` then tries
 * the next route. */
struct vk_op {
    const char *name; /* operator name as in reference/ */
    enum vk_route route;
    int variant; /* tag private to the file: a number or flags for operators that share a function */
    void (*plan)(struct vk_plan *plan, const struct step *step);
    /* Whether plain `vulkan` tries this route for a step; NULL: on every device but a CPU. Must not depend on
     * the size of a batch, because that must not change a bit of a result. Not read for VK_PORTABLE. */
    bool (*pays)(const struct vk_plan *plan, const struct step *step);
};

struct vk_op_set {
    const struct vk_op *op;
    int count;
};

int vk_plan_variant(const struct vk_plan *plan); /* the variant of the operator that is being planned */
enum vk_route vk_plan_route(const struct vk_plan *plan); /* the route on which it is being planned */
bool vk_plan_is_on_cpu(const struct vk_plan *plan); /* the device is a CPU (VK_PHYSICAL_DEVICE_TYPE_CPU) */

/* Fails the plan with a status and a reason, unless it has failed before. */
void vk_plan_fail(struct vk_plan *plan, enum launch_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
bool vk_plan_is_good(const struct vk_plan *plan); /* nothing failed yet */

/* Returns the most loop iterations that one invocation of a dispatch may run on this device, at least 1. */
uint64_t vk_plan_loop_limit(const struct vk_plan *plan);

uint64_t vk_plan_storage_bytes(const struct vk_plan *plan,
                               const struct view *view); /* of the view's storage */

/* Returns a view as kernels read it. A view of more than VK_RANK_MAX dimensions is folded as by vk_plan_fold.
 * Fails the plan if element numbers do not fit in 32 bits, or if the view leaves its storage: device
 * addresses have no robustness, so that the write would land in another allocation. */
struct vk_view_argument vk_plan_view(struct vk_plan *plan, const struct view *view);

/* As vk_plan_view, but joins all dimensions that strides allow to join, because each dimension costs a
 * division for every element. For kernels that address elements only by their row-major number. */
struct vk_view_argument vk_plan_elements(struct vk_plan *plan, const struct view *view);

/* `count` elements one behind the other, `stride` apart. */
struct vk_view_argument vk_view_line(uint64_t address, uint32_t count, uint32_t stride);

/* Joins the dimensions of a view that was put together by hand, and finds the outermost one. */
void vk_view_join(struct vk_view_argument *view);

/* True if the elements of a joined view lie one behind the other. */
bool vk_view_is_dense(const struct vk_view_argument *view);

/* Returns the view restricted to the dimensions in `mask`, then joined. Bit d stands for dimension d of the
 * padded VK_RANK_MAX. */
struct vk_view_argument vk_view_only(const struct vk_view_argument *view, unsigned mask);

/* Reduces views of more than VK_RANK_MAX dimensions to VK_RANK_MAX or fewer with views_collapse
 * (reference/base/tensor.h), which explains `apart` and `place`; leaves other views unchanged. Fails the plan
 * as unsupported if the strides do not allow it. For plans that treat dimensions differently. */
void vk_plan_fold(struct vk_plan *plan, int count, struct view *const view[], unsigned apart,
                  int place[RANK_MAX]);

/* As vk_plan_fold for an operand whose dimensions in *mask are reduced: joins no reduced dimension with one
 * that is kept, and updates *mask to the new dimensions. */
struct view vk_plan_fold_reduced(struct vk_plan *plan, const struct view *x, unsigned *mask);

/* Allocates device memory that lives until the end of the launch, and returns its address, a multiple of 256;
 * 0 once the plan has failed. The memory is filled with 0xFF bytes, which are NaN in every format. */
uint64_t vk_plan_scratch(struct vk_plan *plan, uint64_t bytes);

/* Adds a dispatch to the plan. If a shader exists whose name is this one's followed by "x2", it computes two
 * elements in each invocation; it is used for many elements if every pushed view is contiguous and aligned to
 * pairs. */
void vk_plan_dispatch(struct vk_plan *plan, const struct vk_dispatch *dispatch);

enum { VK_VECTOR_BYTES = 16 }; /* what an invocation of route wide reads at once */

bool vk_plan_has_workgroup(const struct vk_plan *plan, uint32_t invocations); /* the device allows so many */

/* Returns the workgroup size of route wide: 256, or VK_WORKGROUP on a device without such workgroups. */
uint32_t vk_plan_vector_workgroup(const struct vk_plan *plan);

/* Returns the workgroup size of a kernel that serves both routes: that of route wide on it, else
 * VK_WORKGROUP. */
static inline uint32_t vk_plan_workgroup(const struct vk_plan *plan)
{
    return vk_plan_route(plan) == VK_WIDE ? vk_plan_vector_workgroup(plan) : VK_WORKGROUP;
}

/* Adds a dispatch of a kernel that computes each element of one pushed view, `written`, from the elements of
 * the others. Its plan function serves two routes. On VK_WIDE the shader whose name is followed by "_wide"
 * computes a vector of elements in each invocation: as many as fill 16 bytes with the widest type, of
 * `widest` bytes. Then the plan fails as unsupported unless every pushed view consists of aligned vectors. On
 * other routes this is vk_plan_dispatch. */
void vk_plan_dispatch_elements(struct vk_plan *plan, const struct vk_dispatch *dispatch, size_t widest);

/* Dispatches, as vk_plan_dispatch_elements does, a kernel that computes each element of `to` from the one of
 * `from` at the same place, and takes their two views as arguments. */
void vk_plan_map(struct vk_plan *plan, const char *shader, const struct view *from, const struct view *to);

/* True if the device converts between float16 and float32 by rounding to nearest even, keeping subnormals and
 * signed zeros, infinities and NaNs: by float controls that it declares. */
bool vk_plan_native_halves(const struct vk_plan *plan);

/* Returns the number of workgroups that `invocations` need. */
static inline uint64_t vk_groups(uint64_t invocations, uint32_t workgroup)
{
    return (invocations + workgroup - 1) / workgroup;
}

/* Returns the workgroup size for `work` items: on a short row or a small matrix, most of VK_WORKGROUP
 * invocations would idle, and each barrier would wait for them. `work` must not depend on the size of a
 * batch, because that must not change a bit of a result. */
enum { VK_SHORT = 64, VK_FEW = 8 };
static inline uint32_t vk_sharers(uint64_t work)
{
    return work <= VK_SHORT ? VK_FEW : VK_WORKGROUP;
}

/* Returns the bits of x in the type in which a dtype is computed: float64 for float64, else float32. */
uint64_t vk_real_bits(enum dtype dtype, double x);

uint32_t vk_plan_shared_bytes(const struct vk_plan *plan); /* of shared memory that a workgroup may have */

/* False if the device may flush subnormals of that width (16, 32 or 64 bits) to zero. */
bool vk_plan_keeps_subnormals(const struct vk_plan *plan, int width);

#endif
