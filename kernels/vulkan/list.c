/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Prints the Vulkan part of `assay devices`. */

#include "kernels/vulkan/internal.h"

#include <stdlib.h>

static const char *offers(VkBool32 offered)
{
    return offered ? "yes" : "no";
}

static void print_controls(FILE *out, const VkPhysicalDeviceFloatControlsProperties *f)
{
    const struct {
        int width;
        VkBool32 rte, preserve, denorm;
    } rows[] = {{16, f->shaderRoundingModeRTEFloat16, f->shaderSignedZeroInfNanPreserveFloat16,
                 f->shaderDenormPreserveFloat16},
                {32, f->shaderRoundingModeRTEFloat32, f->shaderSignedZeroInfNanPreserveFloat32,
                 f->shaderDenormPreserveFloat32},
                {64, f->shaderRoundingModeRTEFloat64, f->shaderSignedZeroInfNanPreserveFloat64,
                 f->shaderDenormPreserveFloat64}};
    for (int i = 0; i < 3; i++) {
        fprintf(out, "    float%d controls  RTE %s, signed zero/inf/NaN %s, denormals preserved %s\n",
                rows[i].width, offers(rows[i].rte), offers(rows[i].preserve), offers(rows[i].denorm));
    }
}

static void print_limits(FILE *out, const struct vk_physical *p)
{
    const VkPhysicalDeviceLimits *limits = &p->properties.limits;
    fprintf(out, "    dtypes            %sfloat32 %scomplex64 int32\n",
            p->storage16 ? "float16 bfloat16 " : "(no float16, bfloat16) ",
            p->float64 ? "float64 " : "(no float64) ");
    print_controls(out, &p->float_controls);
    fprintf(out, "    subgroup          %u invocations\n", p->subgroup.subgroupSize);
    fprintf(out, "    shared memory     %u bytes per workgroup of up to %u invocations\n",
            limits->maxComputeSharedMemorySize, limits->maxComputeWorkGroupInvocations);
    fprintf(out, "    workgroups        %u x %u x %u\n", limits->maxComputeWorkGroupCount[0],
            limits->maxComputeWorkGroupCount[1], limits->maxComputeWorkGroupCount[2]);
    for (uint32_t i = 0; i < p->memory.memoryHeapCount; i++) {
        fprintf(out, "    heap %u            %.1f MiB%s\n", i,
                (double)p->memory.memoryHeaps[i].size / 1048576,
                p->memory.memoryHeaps[i].flags & VK_MEMORY_HEAP_DEVICE_LOCAL_BIT ? ", device-local" : "");
    }
    if (p->timestamp_bits) {
        fprintf(out, "    timestamps        %g ns, %u bits\n", (double)limits->timestampPeriod,
                p->timestamp_bits);
    } else {
        fprintf(out, "    timestamps        none\n");
    }
}

static void print_loop_limit(FILE *out, int index)
{
    char selector[12];
    struct error error = {0};
    snprintf(selector, sizeof selector, "%d", index);
    struct vk_device *device = vk_device_create(&(struct vk_device_parameters){.selector = selector}, &error);
    const int64_t counted = device ? vk_device_loop_limit(device, VK_LOOPS_PROBED) : -1;
    if (counted < 0) {
        fprintf(out, "    loop iterations   the probe did not run%s%s\n", *error.text ? ": " : "",
                error.text);
    } else if (counted < VK_LOOPS_PROBED) {
        fprintf(out,
                "    loop iterations   no invocation may run more than %lld: the device silently ends loops "
                "there\n",
                (long long)counted);
    } else {
        fprintf(out, "    loop iterations   no limit found up to %d (assay's kernels keep to %llu)\n",
                VK_LOOPS_PROBED, (unsigned long long)vk_device_loops(device));
    }
    vk_device_destroy(&device);
}

int vk_device_list(FILE *out)
{
    struct vk_instance instance;
    struct error error = {0};
    struct vk_physical *physical = calloc(VK_PHYSICAL_MAX, sizeof *physical);
    int count, usable = 0;
    if (!physical || !vk_instance_open(&instance, false, &error)) {
        fprintf(out, "vulkan: %s\n", *error.text ? error.text : "out of memory");
        free(physical);
        return 0;
    }
    count = vk_physical_enumerate(&instance, physical);
    if (count == 0) {
        fprintf(out, "vulkan: no device; install a driver (Debian: mesa-vulkan-drivers) or look at "
                     "VK_ICD_FILENAMES\n");
    }
    for (int i = 0; i < count; i++) {
        const struct vk_physical *p = &physical[i];
        const uint32_t api = p->properties.apiVersion;
        fprintf(out, "vulkan:%d  %s (%s), Vulkan %u.%u.%u, %s %s\n", i, p->properties.deviceName,
                vk_physical_type(p), VK_API_VERSION_MAJOR(api), VK_API_VERSION_MINOR(api),
                VK_API_VERSION_PATCH(api), p->driver.driverName, p->driver.driverInfo);
        fprintf(out, "    usable            %s%s\n", p->usable ? "yes" : "no: it ", p->reason);
        if (!p->usable) {
            continue;
        }
        usable++;
        print_limits(out, p);
        print_loop_limit(out, i);
    }
    vk_instance_close(&instance);
    free(physical);
    return usable;
}
