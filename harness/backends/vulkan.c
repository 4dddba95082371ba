/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* The backend vulkan: connects kernels/vulkan to the backend interface. */

#include "kernels/vulkan/device.h"
#include "kernels/vulkan/launch.h"
#include "kernels/vulkan/route.h"
#include "reference/program/backend.h"

#include <stdlib.h>
#include <string.h>

_Static_assert((int)LAUNCH_NOT_RUN == (int)STEP_NOT_RUN &&
                   (int)LAUNCH_OUT_OF_MEMORY == (int)STEP_OUT_OF_MEMORY &&
                   (int)LAUNCH_REJECTED == (int)STEP_REJECTED &&
                   (int)LAUNCH_UNSUPPORTED == (int)STEP_UNSUPPORTED,
               "the launcher's statuses are the contract's");
_Static_assert((int)VK_ROUNDS_MAX == (int)BACKEND_ROUNDS_MAX, "and its most rounds");
_Static_assert(sizeof(struct launch_result) == sizeof(struct step_result), "and so are its results");

struct backend {
    struct vk_device *device;
    struct launch_result *result; /* cached between runs */
    int room;
};

static void vulkan_close(struct backend **backend)
{
    if (!*backend) {
        return;
    }
    vk_device_destroy(&(*backend)->device);
    free((*backend)->result);
    free(*backend);
    *backend = NULL;
}

/* Splits "SELECTOR+ROUTE" at the last +, if the word behind it is a route or nothing but it was given; the
 * name of a device may have a + of its own. The parts are copied to `text`. */
static void split(const char *whole, char *text, size_t size, const char **selector, const char **route)
{
    *selector = *route = NULL;
    if (!whole) {
        return;
    }
    snprintf(text, size, "%s", whole);
    char *plus = strrchr(text, '+');
    if (plus && (plus == text || vk_route_find(plus + 1) != VK_ROUTE_ANY)) {
        *plus = '\0';
        *route = plus + 1;
    }
    *selector = *text ? text : NULL;
}

static struct backend *vulkan_open(const struct backend_options *options, struct error *error)
{
    struct backend *backend = calloc(1, sizeof *backend);
    const char *selector, *route;
    char text[512];
    split(options->selector, text, sizeof text, &selector, &route);
    if (!backend) {
        error_set(error, "out of memory");
        return NULL;
    }
    backend->device =
        vk_device_create(&(struct vk_device_parameters){.selector = selector,
                                                        .route = route,
                                                        .validate = options->validate,
                                                        .memory_fraction = options->memory_fraction},
                         error);
    if (!backend->device) {
        vulkan_close(&backend);
    }
    return backend;
}

static void vulkan_info(const struct backend *backend, struct backend_info *info)
{
    struct vk_device_info device;
    vk_device_info(backend->device, &device);
    *info = (struct backend_info){
        .name = "vulkan", .memory_bytes = device.memory_bytes, .profile = device.profile};
    info->returns_operands = true; /* every image comes back whole, operands included */
    info->repeats = true;
    memcpy(info->device, device.name, sizeof info->device);
    memcpy(info->driver, device.driver, sizeof info->driver);
    memcpy(info->api, device.api, sizeof info->api);
}

static bool vulkan_run(struct backend *backend, const struct program *program, struct backend_run *run,
                       struct error *error)
{
    if (program->steps > backend->room) {
        struct launch_result *grown = realloc(backend->result, (size_t)program->steps * sizeof *grown);
        if (!grown) {
            return error_set(error, "out of memory");
        }
        backend->result = grown;
        backend->room = program->steps;
    }
    const bool repeated = backend_may_repeat(program);
    struct launch launch = {.program = program,
                            .guard = BACKEND_GUARD,
                            .image = run->image,
                            .in_place = run->in_place,
                            .repeats = repeated ? run->repeats : 1,
                            .warm_up = repeated ? run->warm_up : 0,
                            .rounds = repeated ? run->rounds : 1,
                            .result = backend->result};
    if (!vk_launch(backend->device, &launch, error)) {
        return false;
    }
    for (int s = 0; s < program->steps; s++) {
        run->result[s].status = (enum step_status)launch.result[s].status;
        memcpy(run->result[s].message, launch.result[s].message, sizeof run->result[s].message);
    }
    run->device_ns = launch.device_ns;
    return true;
}

static void vulkan_memory(struct backend *backend, struct backend_memory *memory)
{
    struct vk_memory_counters counters;
    vk_device_memory(backend->device, &counters);
    struct vk_device_usage usage;
    vk_device_usage(backend->device, &usage);
    *memory = (struct backend_memory){.allocated = counters.allocated,
                                      .reserved = counters.reserved,
                                      .peak = counters.peak,
                                      .limit = counters.limit,
                                      .budget = usage.budget,
                                      .kinds = usage.kinds};
    _Static_assert((int)VK_DEVICE_OBJECTS_MAX <= (int)BACKEND_OBJECTS_MAX, "every kind has a place");
    for (int k = 0; k < usage.kinds; k++) {
        memory->kind[k].name = usage.kind[k].name;
        memory->kind[k].live = usage.kind[k].live;
    }
}

static bool vulkan_limit_memory(struct backend *backend, uint64_t bytes)
{
    vk_device_limit_memory(backend->device, bytes);
    return true;
}

static const char *vulkan_routes(struct backend *backend)
{
    return vk_device_routes(backend->device);
}

static bool vulkan_copy_rate(struct backend *backend, uint64_t bytes, double *rate, struct error *error)
{
    return vk_device_copy_rate(backend->device, bytes, rate, error);
}

static void vulkan_empty_cache(struct backend *backend)
{
    vk_device_empty_cache(backend->device);
}

static int vulkan_messages(struct backend *backend, char *text, size_t size)
{
    return vk_device_messages(backend->device, text, size);
}

static int vulkan_list(const struct backend_options *options)
{
    (void)options;
    return vk_device_list(stdout);
}

const struct backend_class backend_class_vulkan = {
    .name = "vulkan",
    .help = "compute shaders on a Vulkan 1.2 device; vulkan:INDEX, vulkan:PART-OF-NAME; "
            "+tiled, +wide or +portable behind it: kernels of one route alone",
    .open = vulkan_open,
    .close = vulkan_close,
    .info = vulkan_info,
    .run = vulkan_run,
    .memory = vulkan_memory,
    .empty_cache = vulkan_empty_cache,
    .limit_memory = vulkan_limit_memory,
    .routes = vulkan_routes,
    .copy_rate = vulkan_copy_rate,
    .validation_messages = vulkan_messages,
    .list = vulkan_list};
