/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "kernels/vulkan/plans/rows_pass.h"

#include <stdio.h>

/* On route portable: workgroups of VK_WORKGROUP for parts of CHUNK terms, or an invocation for a row.
 *
 * On route wide the order of a sum depends only on the number of its terms, their dtype, and whether they lie
 * one behind the other, so that a row has the same result alone and in a batch. Where they do, workgroups of
 * WIDE_GROUP (of VK_WORKGROUP below WIDE_SHORT terms) sum parts of WIDE_CHUNK terms, or of as many more as
 * keep the number of parts at WIDE_PARTS or below: a term goes through at most chunk/256 + 8 additions of its
 * part and 16 + 8 of the parts, 96 for up to 2^26 terms and n/2^19 + 32 for more. Where they lie apart, an
 * invocation sums APART_CHUNK terms, and a workgroup the parts: 32 + n/2^13 + 8 additions, at most n − 1.
 * Both are below the depth that reference/ops/rowwise/rowwise.c states for the declared order, 48 + n/2^5 for
 * up to 4,096 terms and 176 + n/2^17 for more, up to APART_MOST terms. */
enum { CHUNK = 4096, ALONE = 32 }; /* ALONE: most terms of a row that one invocation sums */
enum { WIDE_GROUP = 256, WIDE_CHUNK = 16384, WIDE_PARTS = 4096, WIDE_SHORT = 512 };
enum { APART_CHUNK = 32, APART_MOST = 1 << 20 };
enum { SHADER_MAX_BYTES = 96 };

static void dispatch(struct vk_plan *plan, const char *shader, uint64_t groups, uint32_t workgroup,
                     uint64_t iterations, const struct vk_rows_arguments *a, bool pass)
{
    const struct vk_view_argument *third = pass ? &a->other_kept : &a->result,
                                  *fourth = pass ? &a->other_reduced : &a->result_terms;
    const bool native = vk_plan_route(plan) == VK_WIDE && vk_plan_native_halves(plan);
    vk_plan_dispatch(plan, &(struct vk_dispatch){.shader = shader,
                                                 .constants = {0, 0, native},
                                                 .groups = groups,
                                                 .workgroup = workgroup,
                                                 .arguments = a,
                                                 .bytes = sizeof *a,
                                                 .line = {&a->kept, &a->reduced, third, fourth},
                                                 .elements = a->rows,
                                                 .more = a->terms,
                                                 .iterations = iterations});
}

/* True if all rows consist of aligned vectors. */
static bool are_vectors(const struct vk_view_argument *kept, const struct vk_view_argument *row,
                        uint32_t vector)
{
    bool aligned = kept->offset % vector == 0 && kept->address % VK_VECTOR_BYTES == 0;
    for (int d = 0; d < VK_RANK_MAX; d++) {
        aligned = aligned && (kept->dim[d] == 1 || kept->stride[d] % vector == 0);
    }
    return aligned && vk_view_is_dense(row) && row->elements % vector == 0;
}

void vk_rows_check(struct vk_plan *plan, const struct vk_rows_arguments *a)
{
    if (vk_plan_route(plan) != VK_WIDE) {
        return;
    }
    if (vk_plan_vector_workgroup(plan) != WIDE_GROUP) {
        vk_plan_fail(plan, LAUNCH_UNSUPPORTED, "the device has no workgroups of %d", WIDE_GROUP);
    } else if (!vk_view_is_dense(&a->reduced) && a->terms > APART_MOST) {
        vk_plan_fail(plan, LAUNCH_UNSUPPORTED, "rows of more than %d elements that lie apart", APART_MOST);
    }
}

/* Sets the number of parts of a row, and their length. */
static void divide(struct vk_plan *plan, struct vk_rows_arguments *a)
{
    const bool wide = vk_plan_route(plan) == VK_WIDE;
    const bool apart = wide && !vk_view_is_dense(&a->reduced);
    a->alone = wide ? apart : a->terms <= ALONE;
    a->chunk = apart ? APART_CHUNK : wide ? WIDE_CHUNK : CHUNK;
    while (wide && !apart && a->terms / a->chunk >= WIDE_PARTS) {
        a->chunk *= 2;
    }
    a->parts = (a->alone && !apart) || a->terms == 0 ? 1 : (a->terms + a->chunk - 1) / a->chunk;
}

void vk_rows_pass(struct vk_plan *plan, struct vk_rows_arguments a, const char *shader, uint64_t to)
{
    const bool wide = vk_plan_route(plan) == VK_WIDE;
    char name[SHADER_MAX_BYTES];
    divide(plan, &a);
    const bool small = !a.alone && a.terms < WIDE_SHORT;
    const uint32_t workgroup = wide && !small ? WIDE_GROUP : VK_WORKGROUP;
    const uint64_t groups = (uint64_t)a.rows * a.parts;
    if (groups > INT32_MAX) {
        vk_plan_fail(plan, LAUNCH_UNSUPPORTED, "%llu parts of rows: kernels number them in 32 bits",
                     (unsigned long long)groups);
        return;
    }
    snprintf(name, sizeof name, "%s%s", shader, wide ? "_wide" : "");
    a.to = a.parts > 1 ? vk_plan_scratch(plan, groups * 8) : to;
    dispatch(plan, name, a.alone ? vk_groups(groups, workgroup) : groups, workgroup,
             wide ? a.chunk / 32 + APART_CHUNK * (VK_RANK_MAX + 1) + 2 * VK_RANK_MAX + 64
                  : CHUNK / 32 * (VK_RANK_MAX + 1) + 2 * VK_RANK_MAX + 8,
             &a, true);
    if (a.parts > 1) {
        a.from = a.to;
        a.to = to;
        a.terms = a.chunk = a.parts;
        a.parts = a.joins = 1;
        a.alone = 0;
        dispatch(plan, shader, a.rows, workgroup, a.terms / 32 + 2 * VK_RANK_MAX + 8, &a, true);
    }
}

void vk_rows_end(struct vk_plan *plan, const char *shader, uint64_t results,
                 const struct vk_rows_arguments *a)
{
    dispatch(plan, shader, vk_groups(results, VK_WORKGROUP), VK_WORKGROUP, 4 * VK_RANK_MAX + 8, a, false);
}

void vk_rows_map(struct vk_plan *plan, const char *shader, enum dtype dtype,
                 const struct vk_rows_arguments *a)
{
    char name[SHADER_MAX_BYTES];
    const uint64_t elements = (uint64_t)a->rows * a->terms;
    const uint32_t vector = VK_VECTOR_BYTES / (uint32_t)dtype_info(dtype)->size;
    if (vk_plan_route(plan) != VK_WIDE || !are_vectors(&a->kept, &a->reduced, vector) ||
        !are_vectors(&a->result, &a->result_terms, vector)) {
        vk_rows_end(plan, shader, elements, a);
        return;
    }
    snprintf(name, sizeof name, "%s_wide", shader);
    dispatch(plan, name, vk_groups(elements / vector, WIDE_GROUP), WIDE_GROUP, 4 * VK_RANK_MAX + 64, a,
             false);
}

/* Rows that a workgroup holds in registers: up to HELD_MOST vectors of 16 bytes in each of 256 invocations,
 * or of HELD_GROUP for longer rows: with 16 vectors in each an H200 took 1.7 times as long as the three
 * passes. */
enum { HELD_MOST = 4, HELD_GROUP = 1024 };

bool vk_rows_held(struct vk_plan *plan, const char *shader, enum dtype dtype,
                  const struct vk_rows_arguments *a)
{
    const uint32_t vector = VK_VECTOR_BYTES / (uint32_t)dtype_info(dtype)->size;
    const uint64_t vectors = vk_groups(a->terms, vector);
    const uint32_t workgroup = vectors <= HELD_MOST * WIDE_GROUP ? WIDE_GROUP : HELD_GROUP;
    if (vk_plan_route(plan) != VK_WIDE || dtype == DTYPE_FLOAT64 || a->terms == 0 ||
        vectors > HELD_MOST * HELD_GROUP || !vk_plan_has_workgroup(plan, workgroup) ||
        !vk_view_is_dense(&a->reduced) || !vk_view_is_dense(&a->result_terms)) {
        return false;
    }
    uint32_t held = 1;
    while (held * workgroup < vectors) {
        held *= 2;
    }
    vk_plan_dispatch(plan,
                     &(struct vk_dispatch){.shader = shader,
                                           .constants = {held, workgroup, vk_plan_native_halves(plan)},
                                           .groups = a->rows,
                                           .workgroup = workgroup,
                                           .arguments = a,
                                           .bytes = sizeof *a,
                                           .line = {&a->kept, &a->reduced, &a->result, &a->result_terms},
                                           .elements = a->rows,
                                           .more = a->terms,
                                           .iterations = 3 * HELD_MOST * 9 + 2 * VK_RANK_MAX + 32});
    return true;
}
