/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "kernels/vulkan/launch.h"

#include "kernels/vulkan/plan.h"

#include <stdlib.h>
#include <string.h>

enum { UPDATE_MAX = 65536 };  /* vkCmdUpdateBuffer's limit, in bytes */
enum { PIPELINES_MOST = 24 }; /* cached between launches; the largest operator has about twenty */

static size_t image_bytes(const struct launch *launch, int storage)
{
    return launch->program->storage[storage].bytes + 2 * launch->guard;
}

/* Imports an image as device memory, zero-copy; false if that is not requested or not possible. */
static bool lies_there(struct vk_device *device, const struct launch *launch, int storage)
{
    const size_t pages = launch->in_place ? storage_pages(launch->program->storage[storage].bytes) : 0;
    return device->direct && pages > 0 &&
           vk_memory_import(device->memory, launch->image[storage], pages, &device->run->storage[storage]);
}

/* Imports or allocates device memory for every storage. */
static enum vk_memory_result allocate(struct vk_device *device, const struct launch *launch,
                                      struct error *error)
{
    struct vk_run_cache *run = device->run;
    for (int s = 0; s < launch->program->storages; s++) {
        enum vk_memory_result result =
            lies_there(device, launch, s)
                ? VK_MEMORY_OK
                : vk_memory_allocate(device->memory, image_bytes(launch, s), &run->storage[s], error);
        if (result != VK_MEMORY_OK) {
            return result;
        }
        run->storages = s + 1;
    }
    return VK_MEMORY_OK;
}

static enum vk_memory_result allocate_block(struct vk_device *device, struct error *error)
{
    struct vk_run_cache *run = device->run;
    if (run->block.size >= run->arguments_used) {
        return VK_MEMORY_OK;
    }
    vk_memory_free(device->memory, &run->block);
    return vk_memory_allocate(device->memory, 2 * run->arguments_used, &run->block, error);
}

static void release(struct vk_device *device)
{
    struct vk_run_cache *run = device->run;
    while (run->scratches) {
        vk_memory_free(device->memory, &run->scratch[--run->scratches]);
    }
    while (run->storages) {
        vk_memory_free(device->memory, &run->storage[--run->storages]);
    }
    run->dispatches = 0;
    run->arguments_used = 0;
}

void vk_run_cache_destroy(struct vk_device *device)
{
    struct vk_run_cache *run = device->run;
    if (!run) {
        return;
    }
    release(device);
    vk_memory_free(device->memory, &run->block);
    free(run->dispatch);
    free(run->arguments);
    free(run->storage);
    free(run->scratch);
    free(run);
    device->run = NULL;
}

/* --- staging: all images, contiguous in one host-visible allocation */

static void record_copies(struct vk_device *device, const struct launch *launch,
                          const struct vk_allocation *staging, bool up)
{
    uint64_t at = staging->offset;
    for (int s = 0; s < launch->program->storages; s++) {
        const struct vk_allocation *storage = &device->run->storage[s];
        const uint64_t size = image_bytes(launch, s);
        if (up) {
            vkCmdCopyBuffer(device->commands, staging->buffer, storage->buffer, 1,
                            &(VkBufferCopy){at, storage->offset, size});
        } else {
            vkCmdCopyBuffer(device->commands, storage->buffer, staging->buffer, 1,
                            &(VkBufferCopy){storage->offset, at, size});
        }
        at += size;
    }
}

static void record_arguments(struct vk_device *device)
{
    const struct vk_run_cache *run = device->run;
    for (size_t at = 0; at < run->arguments_used; at += UPDATE_MAX) {
        size_t size = run->arguments_used - at < UPDATE_MAX ? run->arguments_used - at : UPDATE_MAX;
        vkCmdUpdateBuffer(device->commands, run->block.buffer, run->block.offset + at, (size + 3) / 4 * 4,
                          run->arguments + at);
    }
}

static void upload(struct vk_device *device, const struct launch *launch, const struct vk_allocation *staging)
{
    struct vk_run_cache *run = device->run;
    unsigned char *to = staging->host;
    for (int s = 0; s < launch->program->storages; s++) {
        const size_t bytes = image_bytes(launch, s);
        if (!device->direct) {
            memcpy(to, launch->image[s], bytes);
            to += bytes;
        } else if (run->storage[s].host != launch->image[s]) {
            memcpy(run->storage[s].host, launch->image[s], bytes);
        }
    }
    if (device->direct) {
        if (run->arguments_used) {
            memcpy(run->block.host, run->arguments, run->arguments_used);
        }
        return; /* host writes are visible to commands that are submitted after them */
    }
    record_copies(device, launch, staging, true);
    record_arguments(device);
    for (int s = 0; s < run->scratches; s++) {
        vkCmdFillBuffer(device->commands, run->scratch[s].buffer, run->scratch[s].offset,
                        run->scratch[s].size, 0xFFFFFFFF);
    }
    vk_barrier(device->commands, VK_STAGE_TRANSFER, VK_ACCESS_TRANSFER_WRITE_BIT, VK_STAGE_COMPUTE,
               VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT);
}

/* Records all dispatches once. `behind`: others were recorded before, whose writes they must see. */
static void record_once(struct vk_device *device, bool behind)
{
    const struct vk_run_cache *run = device->run;
    VkCommandBuffer commands = device->commands;
    VkPipeline bound = VK_NULL_HANDLE;
    for (int i = 0; i < run->dispatches; i++) {
        const struct vk_recorded *dispatch = &run->dispatch[i];
        struct vk_push push = dispatch->push;
        push.arguments += run->block.address;
        if (i || behind) {
            vk_barrier(commands, VK_STAGE_COMPUTE, VK_ACCESS_SHADER_WRITE_BIT, VK_STAGE_COMPUTE,
                       VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT);
        }
        if (dispatch->pipeline != bound) {
            vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, bound = dispatch->pipeline);
        }
        vkCmdPushConstants(commands, vk_pipelines_layout(device->pipelines), VK_SHADER_STAGE_COMPUTE_BIT, 0,
                           sizeof push, &push);
        vkCmdDispatch(commands, dispatch->groups[0], dispatch->groups[1], dispatch->groups[2]);
    }
}

static int repeats_of(const struct launch *launch)
{
    return launch->repeats > 1 ? launch->repeats : 1;
}

static int rounds_of(const struct launch *launch)
{
    return launch->rounds < 1 ? 1 : launch->rounds > VK_ROUNDS_MAX ? VK_ROUNDS_MAX : launch->rounds;
}

static void record_time(const struct vk_device *device, bool top, int query)
{
    if (device->queries) {
        vkCmdWriteTimestamp(device->commands,
                            top ? VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT : VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT,
                            device->queries, (uint32_t)query);
    }
}

/* Records the runs before the first timestamp, and those between any two. After a warm-up the first timestamp
 * waits for its end, because the runs would otherwise be charged with it. The end of a round is the beginning
 * of the next. */
static void record_dispatches(struct vk_device *device, const struct launch *launch)
{
    if (device->queries) {
        vkCmdResetQueryPool(device->commands, device->queries, 0, (uint32_t)rounds_of(launch) + 1);
    }
    for (int w = 0; w < launch->warm_up; w++) {
        record_once(device, w > 0);
    }
    record_time(device, launch->warm_up <= 0, 0);
    for (int round = 0; round < rounds_of(launch); round++) {
        for (int r = 0; r < repeats_of(launch); r++) {
            record_once(device, round > 0 || r > 0 || launch->warm_up > 0);
        }
        record_time(device, false, round + 1);
    }
}

static void record_downloads(struct vk_device *device, const struct launch *launch,
                             const struct vk_allocation *staging)
{
    if (device->direct) {
        vk_barrier(device->commands, VK_STAGE_COMPUTE, VK_ACCESS_SHADER_WRITE_BIT, VK_STAGE_HOST,
                   VK_ACCESS_HOST_READ_BIT);
        return;
    }
    vk_barrier(device->commands, VK_STAGE_COMPUTE | VK_STAGE_TRANSFER,
               VK_ACCESS_SHADER_WRITE_BIT | VK_ACCESS_TRANSFER_WRITE_BIT, VK_STAGE_TRANSFER,
               VK_ACCESS_TRANSFER_READ_BIT | VK_ACCESS_TRANSFER_WRITE_BIT);
    record_copies(device, launch, staging, false);
    vk_barrier(device->commands, VK_STAGE_TRANSFER, VK_ACCESS_TRANSFER_WRITE_BIT, VK_STAGE_HOST,
               VK_ACCESS_HOST_READ_BIT);
}

static void download(struct vk_device *device, const struct launch *launch,
                     const struct vk_allocation *staging)
{
    const unsigned char *from = staging->host;
    for (int s = 0; s < launch->program->storages; s++) {
        const size_t bytes = image_bytes(launch, s);
        const unsigned char *here = device->run->storage[s].host;
        if (!device->direct) {
            memcpy(launch->image[s], from, bytes);
            from += bytes;
        } else if (here != launch->image[s]) {
            memcpy(launch->image[s], here, bytes);
        }
    }
}

static int ascending(const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/* Returns the median over the rounds of the time between two timestamps, in ns; 0 if there is none. */
static int64_t elapsed(const struct vk_device *device, int rounds)
{
    uint64_t stamp[VK_ROUNDS_MAX + 1];
    const uint32_t bits = device->physical.timestamp_bits, stamps = (uint32_t)rounds + 1;
    if (!device->queries ||
        vkGetQueryPoolResults(device->logical, device->queries, 0, stamps, stamps * sizeof *stamp, stamp,
                              sizeof *stamp,
                              VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT) != VK_SUCCESS) {
        return 0;
    }
    const uint64_t mask = bits < 64 ? (1ull << bits) - 1 : ~0ull;
    for (int r = 0; r < rounds; r++) {
        stamp[r] = (stamp[r + 1] - stamp[r]) & mask;
    }
    qsort(stamp, (size_t)rounds, sizeof *stamp, ascending);
    return (int64_t)((double)stamp[rounds / 2] * (double)device->physical.properties.limits.timestampPeriod);
}

static bool execute(struct vk_device *device, struct launch *launch, const struct vk_allocation *staging,
                    struct error *error)
{
    if (!vk_begin(device, error)) {
        return false;
    }
    upload(device, launch, staging);
    record_dispatches(device, launch);
    record_downloads(device, launch, staging);
    if (!vk_submit(device, error)) {
        return false;
    }
    download(device, launch, staging);
    launch->device_ns = device->run->dispatches ? elapsed(device, rounds_of(launch)) / repeats_of(launch) : 0;
    return true;
}

/* Plans every step up to the first that is neither OK nor REJECTED. */
static void plan(struct vk_device *device, struct launch *launch)
{
    device->run->routes = 0;
    for (int s = 0; s < launch->program->steps; s++) {
        launch->result[s] = vk_plan_step(device, launch, &launch->program->step[s]);
        if (launch->result[s].status > LAUNCH_REJECTED) {
            break;
        }
    }
}

static void out_of_memory(struct launch *launch, enum vk_memory_result result, const struct error *error)
{
    for (int s = 0; s < launch->program->steps; s++) {
        launch->result[s] = (struct launch_result){.status = LAUNCH_NOT_RUN};
    }
    if (launch->program->steps == 0) {
        return;
    }
    launch->result[0].status = result == VK_MEMORY_OUT ? LAUNCH_OUT_OF_MEMORY : LAUNCH_ERROR;
    snprintf(launch->result[0].message, sizeof launch->result[0].message, "%.250s", error->text);
}

bool vk_launch(struct vk_device *device, struct launch *launch, struct error *error)
{
    struct vk_allocation staging = {0};
    enum vk_memory_result result = VK_MEMORY_OK;
    uint64_t total = 0;
    struct error reason = {0};
    bool good = true;
    launch->device_ns = 0;
    if (!device->run && !(device->run = calloc(1, sizeof *device->run))) {
        return error_set(error, "out of memory");
    }
    struct vk_run_cache *run = device->run;
    if (!vk_grow(&run->storage, &run->storage_room, launch->program->storages, sizeof *run->storage)) {
        return error_set(error, "out of memory");
    }
    for (int s = 0; s < launch->program->steps; s++) {
        launch->result[s] = (struct launch_result){.status = LAUNCH_NOT_RUN};
    }
    for (int s = 0; s < launch->program->storages; s++) {
        total += image_bytes(launch, s);
    }
    result = allocate(device, launch, &reason);
    if (result == VK_MEMORY_OK) {
        plan(device, launch);
        result = allocate_block(device, &reason);
    }
    if (result == VK_MEMORY_OK && !device->direct) {
        result = vk_memory_allocate(device->staging, total, &staging, &reason);
    }
    if (result != VK_MEMORY_OK) {
        out_of_memory(launch, result, &reason);
    } else {
        good = execute(device, launch, &staging, error);
    }
    release(device);
    if (device->staging) {
        vk_memory_free(device->staging, &staging);
    }
    if (good) {
        vk_pipelines_save(device->pipelines);
        vk_pipelines_trim(device->pipelines, PIPELINES_MOST);
    }
    return good;
}
