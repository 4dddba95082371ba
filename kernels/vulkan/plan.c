/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "kernels/vulkan/plan.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

bool vk_grow(void *array, int *room, int wanted, size_t size)
{
    if (wanted <= *room) {
        return true;
    }
    int more = *room * 2 > wanted ? *room * 2 : wanted + 16;
    void *grown = realloc(*(void **)array, (size_t)more * size);
    if (!grown) {
        return false;
    }
    *(void **)array = grown;
    *room = more;
    return true;
}

int vk_plan_variant(const struct vk_plan *plan)
{
    return plan->variant;
}

void vk_plan_fail(struct vk_plan *plan, enum launch_status status, const char *format, ...)
{
    if (plan->status != LAUNCH_OK) {
        return;
    }
    va_list list;
    va_start(list, format);
    vsnprintf(plan->message, sizeof plan->message, format, list);
    va_end(list);
    plan->status = status;
}

bool vk_plan_is_good(const struct vk_plan *plan)
{
    return plan->status == LAUNCH_OK;
}

enum vk_route vk_plan_route(const struct vk_plan *plan)
{
    return plan->route;
}

bool vk_plan_is_on_cpu(const struct vk_plan *plan)
{
    return plan->device->physical.properties.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU;
}

uint32_t vk_plan_shared_bytes(const struct vk_plan *plan)
{
    return plan->device->physical.properties.limits.maxComputeSharedMemorySize;
}

bool vk_plan_keeps_subnormals(const struct vk_plan *plan, int width)
{
    const VkPhysicalDeviceFloatControlsProperties *f = &plan->device->physical.float_controls;
    return width == 16   ? f->shaderDenormPreserveFloat16
           : width == 32 ? f->shaderDenormPreserveFloat32
                         : f->shaderDenormPreserveFloat64;
}

uint64_t vk_plan_loop_limit(const struct vk_plan *plan)
{
    return vk_device_loops(plan->device);
}

uint64_t vk_real_bits(enum dtype dtype, double x)
{
    const float single = (float)x;
    uint64_t bits = 0;
    if (dtype == DTYPE_FLOAT64) {
        memcpy(&bits, &x, sizeof x);
    } else {
        memcpy(&bits, &single, sizeof single);
    }
    return bits;
}

uint64_t vk_plan_storage_bytes(const struct vk_plan *plan, const struct view *view)
{
    return plan->launch->program->storage[view->storage].bytes;
}

/* True if the least and the greatest element number of the view lie in the storage. */
static bool inside(const struct view *view, size_t elements)
{
    int64_t low = view->offset, high = view->offset;
    for (int d = 0; d < view->shape.rank; d++) {
        const int64_t span = (view->shape.dim[d] - 1) * view->stride[d];
        *(span < 0 ? &low : &high) += span;
    }
    return low >= 0 && high < (int64_t)elements;
}

void vk_plan_fold(struct vk_plan *plan, int count, struct view *const view[], unsigned apart,
                  int place[RANK_MAX])
{
    const int rank = view[0]->shape.rank;
    for (int d = 0; place && d < rank; d++) {
        place[d] = d;
    }
    if (rank <= VK_RANK_MAX) {
        return;
    }
    views_collapse(count, view, apart, place);
    if (view[0]->shape.rank > VK_RANK_MAX) {
        vk_plan_fail(plan, LAUNCH_UNSUPPORTED,
                     "%d dimensions, %d where strides let them be joined: kernels take %d", rank,
                     view[0]->shape.rank, VK_RANK_MAX);
    }
}

struct view vk_plan_fold_reduced(struct vk_plan *plan, const struct view *x, unsigned *mask)
{
    struct view folded = *x;
    const unsigned whole = *mask;
    int place[RANK_MAX];
    vk_plan_fold(plan, 1, (struct view *const[]){&folded}, whole ^ whole << 1, place);
    *mask = 0;
    for (int d = 0; d < x->shape.rank; d++) {
        *mask |= (whole >> d & 1) << place[d];
    }
    return folded;
}

static void find_outermost(struct vk_view_argument *view)
{
    view->outermost = 0;
    while (view->outermost < VK_RANK_MAX - 1 && view->dim[view->outermost] == 1) {
        view->outermost++;
    }
    view->step = view->stride[view->outermost];
}

void vk_view_join(struct vk_view_argument *view)
{
    int to = VK_RANK_MAX - 1;
    for (int d = VK_RANK_MAX - 2; d >= 0; d--) {
        if (view->dim[to] == 1) {
            view->dim[to] = view->dim[d];
            view->stride[to] = view->stride[d];
        } else if (view->dim[d] != 1 && view->stride[d] == view->dim[to] * view->stride[to]) {
            view->dim[to] *= view->dim[d];
        } else if (view->dim[d] != 1) {
            to--;
            view->dim[to] = view->dim[d];
            view->stride[to] = view->stride[d];
        }
    }
    while (to-- > 0) {
        view->dim[to] = 1;
        view->stride[to] = 0;
    }
    find_outermost(view);
}

bool vk_view_is_dense(const struct vk_view_argument *view)
{
    return view->elements <= 1 || (view->outermost == VK_RANK_MAX - 1 && view->stride[VK_RANK_MAX - 1] == 1);
}

struct vk_view_argument vk_view_line(uint64_t address, uint32_t count, uint32_t stride)
{
    return (struct vk_view_argument){.address = address,
                                     .elements = count,
                                     .dim = {1, 1, 1, 1, 1, count},
                                     .stride = {0, 0, 0, 0, 0, stride},
                                     .outermost = VK_RANK_MAX - 1,
                                     .step = stride};
}

struct vk_view_argument vk_view_only(const struct vk_view_argument *view, unsigned mask)
{
    struct vk_view_argument kept = *view;
    kept.elements = 1;
    for (int d = 0; d < VK_RANK_MAX; d++) {
        kept.dim[d] = mask >> d & 1 ? view->dim[d] : 1;
        kept.elements *= kept.dim[d];
    }
    vk_view_join(&kept);
    return kept;
}

struct vk_view_argument vk_plan_elements(struct vk_plan *plan, const struct view *view)
{
    struct vk_view_argument argument = vk_plan_view(plan, view);
    vk_view_join(&argument);
    return argument;
}

struct vk_view_argument vk_plan_view(struct vk_plan *plan, const struct view *whole)
{
    struct vk_view_argument argument = {0};
    struct view folded = *whole;
    const struct view *view = &folded;
    if (vk_plan_is_good(plan)) {
        vk_plan_fold(plan, 1, (struct view *const[]){&folded}, 0, NULL);
    }
    const size_t size = dtype_info(view->dtype)->size;
    if (!vk_plan_is_good(plan)) {
        return argument;
    }
    const struct storage *storage = &plan->launch->program->storage[view->storage];
    const int64_t elements = shape_elements(&view->shape);
    if (storage->bytes / size > UINT32_MAX || elements > INT32_MAX) {
        vk_plan_fail(plan, LAUNCH_UNSUPPORTED, "a storage of %zu bytes: kernels number elements in 32 bits",
                     storage->bytes);
        return argument;
    }
    if (elements && !inside(view, storage->bytes / size)) {
        vk_plan_fail(plan, LAUNCH_ERROR, "a view that leaves its storage of %zu bytes", storage->bytes);
        return argument;
    }
    argument.address = plan->run->storage[view->storage].address + plan->launch->guard;
    argument.offset = (uint32_t)view->offset;
    argument.elements = (uint32_t)elements;
    const int pad = VK_RANK_MAX - view->shape.rank;
    for (int d = 0; d < VK_RANK_MAX; d++) {
        argument.dim[d] = d < pad ? 1 : (uint32_t)view->shape.dim[d - pad];
        argument.stride[d] = d < pad ? 0 : (uint32_t)view->stride[d - pad];
    }
    find_outermost(&argument);
    return argument;
}

uint64_t vk_plan_scratch(struct vk_plan *plan, uint64_t bytes)
{
    struct vk_run_cache *run = plan->run;
    struct error error = {0};
    if (!vk_plan_is_good(plan)) {
        return 0;
    }
    if (!vk_grow(&run->scratch, &run->scratch_room, run->scratches + 1, sizeof *run->scratch)) {
        vk_plan_fail(plan, LAUNCH_ERROR, "out of host memory");
        return 0;
    }
    struct vk_allocation *scratch = &run->scratch[run->scratches];
    enum vk_memory_result result = vk_memory_allocate(plan->device->memory, bytes, scratch, &error);
    if (result != VK_MEMORY_OK) {
        vk_plan_fail(plan, result == VK_MEMORY_OUT ? LAUNCH_OUT_OF_MEMORY : LAUNCH_ERROR, "%.250s",
                     error.text);
        return 0;
    }
    run->scratches++;
    if (scratch->host) {
        memset(scratch->host, 0xFF, scratch->size); /* unmapped memory is filled by the launcher */
    }
    return scratch->address;
}
