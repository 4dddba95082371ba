/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Route wide of normalizations. Groups of up to GROUP_MOST vectors are held in the registers of one
 * workgroup; longer ones are divided into parts. Which workgroup sums what depends on the length of a group
 * and on the dtype alone, so that a batch changes no bit.
 *
 * A term goes through at most VECTORS_MOST vectors of its invocation and a tree over 256: 63 + 8 additions of
 * float16 in a group of more than 8,192. In a part it is chunk/256 + 8, and 16 + 8 over at most PARTS_MOST
 * parts: 48 of a group of up to 2^24 elements, 32 + n/2^20 of longer ones. All of that is below the depth
 * that reference/ops/normalization states for the declared order, 12 + n/32. */
#include "kernels/vulkan/plans/normalization.h"

enum { WORKGROUP = 256, VECTORS_MOST = 8, GROUP_MOST = WORKGROUP * VECTORS_MOST };
enum { CHUNK = 4096, PARTS_MOST = 4096, PARTIAL_WORDS = 4 };
enum { BY_ELEMENT, OF_VECTOR, AS_VECTOR }; /* PARAMETERS of normalization_wide.comp */

#define SHADERS(phase)                                                                                       \
    {                                                                                                        \
        [DTYPE_FLOAT16] = "normalization" phase "_float16",                                                  \
        [DTYPE_BFLOAT16] = "normalization" phase "_bfloat16",                                                \
        [DTYPE_FLOAT32] = "normalization" phase "_float32",                                                  \
        [DTYPE_FLOAT64] = "normalization" phase "_float64",                                                  \
    }

static const char *const held[DTYPE_COUNT] = SHADERS("_wide.held"),
                         *const part[DTYPE_COUNT] = SHADERS("_wide.part"),
                         *const apply[DTYPE_COUNT] = SHADERS("_wide.apply"),
                         *const gradient_part[DTYPE_COUNT] = SHADERS("_gradient_wide.part"),
                         *const input[DTYPE_COUNT] = SHADERS("_gradient_wide.input");

static bool is_aligned(const struct vk_view_argument *view, uint32_t vector)
{
    return view->address % VK_VECTOR_BYTES == 0 && view->offset % vector == 0;
}

/* Returns how a kernel reads the parameters of a vector. */
static uint32_t parameters_of(const struct vk_normalization *n, const struct vk_normalization_arguments *a,
                              uint32_t vector)
{
    const bool none = !n->weight && !n->bias,
               lines = vk_view_is_dense(&a->weight) && vk_view_is_dense(&a->bias);
    if (none || (n->over_batch ? a->inner : a->members) % vector != 0) {
        return none && !n->over_batch && a->members % vector == 0 ? OF_VECTOR : BY_ELEMENT;
    }
    if (a->inner % vector == 0) {
        return OF_VECTOR;
    }
    return a->inner == 1 && !n->over_batch && !n->wide && lines && is_aligned(&a->weight, vector) &&
                   is_aligned(&a->bias, vector)
               ? AS_VECTOR
               : BY_ELEMENT;
}

static void dispatch(struct vk_plan *plan, const struct vk_normalization_arguments *a, const char *shader,
                     uint64_t groups, uint32_t workgroup, const uint32_t constants[3])
{
    /* of the bits of a loop: vectors with their elements, each with x, y and two parameters in their views */
    enum { IN_VIEW = VK_RANK_MAX + 1, ELEMENTS = VECTORS_MOST * 8, EACH = 8 + 4 * IN_VIEW };
    const uint64_t share = (a->chunk * 2 * IN_VIEW + (uint64_t)a->parts * 8) / WORKGROUP;
    vk_plan_dispatch(plan,
                     &(struct vk_dispatch){
                         .shader = shader,
                         .constants = {constants[0], constants[1], vk_plan_native_halves(plan), constants[2]},
                         .groups = groups,
                         .workgroup = workgroup,
                         .arguments = a,
                         .bytes = sizeof *a,
                         .line = {&a->x, a->grad.elements > 0 ? &a->grad : &a->bias, &a->y, &a->weight},
                         .elements = a->x.elements,
                         .iterations = 4 * (share + ELEMENTS * EACH)});
}

/* Divides the groups into parts. Returns the number of all parts. */
static uint64_t divide(struct vk_plan *plan, enum dtype dtype, struct vk_normalization_arguments *a)
{
    const uint32_t word = dtype == DTYPE_FLOAT64 ? 8 : 4;
    a->chunk = CHUNK;
    while (a->members / a->chunk >= PARTS_MOST) {
        a->chunk *= 2;
    }
    a->parts = (a->members + a->chunk - 1) / a->chunk;
    const uint64_t parts = (uint64_t)a->groups * a->parts;
    a->partial = vk_plan_scratch(plan, parts * PARTIAL_WORDS * word);
    return parts;
}

/* Two passes over the parts of the groups, and their statistics. */
static void plan_parts(struct vk_plan *plan, enum dtype dtype, struct vk_normalization_arguments a,
                       bool whole)
{
    const uint64_t parts = divide(plan, dtype, &a);
    for (int pass = 0; pass < 2; pass++) {
        a.flags |= pass > 0 ? SECOND_PASS : 0;
        dispatch(plan, &a, part[dtype], parts, WORKGROUP, (uint32_t[]){1, BY_ELEMENT, whole});
    }
    dispatch(plan, &a,
             dtype == DTYPE_FLOAT64 ? "normalization_wide.joined_float64"
                                    : "normalization_wide.joined_float32",
             a.groups, WORKGROUP, (uint32_t[]){1, BY_ELEMENT, whole});
}

/* Returns the workgroup for groups of so many vectors, and how many of them an invocation holds: 1, 2, 3, 4
 * or VECTORS_MOST. */
static uint32_t workgroup_of(uint32_t vectors, uint32_t *each)
{
    const uint32_t workgroup = vectors <= 8 ? 8 : vectors <= 4 * VK_WORKGROUP ? VK_WORKGROUP : WORKGROUP;
    const uint32_t most = (vectors + workgroup - 1) / workgroup;
    *each = most <= 4 ? most : VECTORS_MOST;
    return workgroup;
}

void vk_normalization_wide_check(struct vk_plan *plan)
{
    if (vk_plan_vector_workgroup(plan) != WORKGROUP) {
        vk_plan_fail(plan, LAUNCH_UNSUPPORTED, "the device has no workgroups of %d", WORKGROUP);
    }
}

/* True if the elements of x, y and dy lie in vectors, in one piece each: a shader then takes a vector at
 * once. Others it takes by elements, and sums the same numbers in the same order. */
static bool are_vectors(const struct vk_normalization_arguments *a, uint32_t vector)
{
    return vk_view_is_dense(&a->x) && vk_view_is_dense(&a->y) && vk_view_is_dense(&a->grad) &&
           is_aligned(&a->x, vector) && is_aligned(&a->y, vector) && is_aligned(&a->grad, vector);
}

void vk_normalization_wide(struct vk_plan *plan, const struct vk_normalization *n,
                           const struct vk_normalization_arguments *given, bool applies)
{
    struct vk_normalization_arguments a = *given;
    const enum dtype dtype = n->x->dtype;
    const uint32_t vector = VK_VECTOR_BYTES / (uint32_t)dtype_info(dtype)->size;
    const uint32_t vectors = (uint32_t)(((uint64_t)a.members + vector - 1) / vector);
    const bool lie = are_vectors(&a, vector),
               whole = lie && (n->over_batch ? a.inner : a.members) % vector == 0;
    const uint32_t parameters = parameters_of(n, &a, vector);
    uint32_t each;
    if (a.x.elements == 0) {
        return;
    }
    if (!n->evaluates && vectors <= GROUP_MOST) {
        const uint32_t workgroup = workgroup_of(vectors, &each);
        a.flags |= applies ? APPLIES : 0;
        dispatch(plan, &a, held[dtype], a.groups, workgroup, (uint32_t[]){each, parameters, whole});
        return;
    }
    if (!n->evaluates) {
        plan_parts(plan, dtype, a, whole);
    }
    if (applies) {
        dispatch(plan, &a, apply[dtype], vk_groups(vk_groups(a.x.elements, vector), WORKGROUP), WORKGROUP,
                 (uint32_t[]){1, parameters, lie});
    }
}

void vk_normalization_wide_gradient(struct vk_plan *plan, const struct vk_normalization *n,
                                    const struct vk_normalization_arguments *given)
{
    struct vk_normalization_arguments a = *given;
    const enum dtype dtype = n->x->dtype;
    const uint32_t vector = VK_VECTOR_BYTES / (uint32_t)dtype_info(dtype)->size;
    const bool lie = are_vectors(&a, vector),
               whole = lie && (n->over_batch ? a.inner : a.members) % vector == 0;
    const uint32_t parameters = parameters_of(n, &a, vector), of_groups[] = {1, parameters, whole},
                   of_all[] = {1, parameters, lie};
    uint32_t each;
    if (a.x.elements == 0) {
        return;
    }
    if (!n->evaluates) {
        const uint64_t parts = divide(plan, dtype, &a);
        const uint32_t vectors = (uint32_t)(((uint64_t)a.members + vector - 1) / vector),
                       workgroup = workgroup_of(vectors, &each);
        dispatch(plan, &a, gradient_part[dtype], parts, workgroup, of_groups);
        dispatch(plan, &a,
                 dtype == DTYPE_FLOAT64 ? "normalization_gradient_wide.joined_float64"
                                        : "normalization_gradient_wide.joined_float32",
                 a.groups, vk_sharers(a.parts), of_groups);
    }
    dispatch(plan, &a, input[dtype], vk_groups(vk_groups(a.x.elements, vector), WORKGROUP), WORKGROUP,
             of_all);
}
