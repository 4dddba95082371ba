/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Tests the copy whose speed memory-bound kernels are compared with. vk_device_copy_rate itself compares
 * every byte that its kernel has copied. */
#include "kernels/test/trial.h"
#include "kernels/vulkan/internal.h"

static struct vk_device *open_device(void)
{
    struct error error = {0};
    struct vk_device *device =
        vk_device_create(&(struct vk_device_parameters){.validate = true, .no_disk_cache = true}, &error);
    cr_assert(device, "%s", error.text);
    return device;
}

/* Sizes below, at and beyond the vectors of a workgroup, and of several pieces of the comparison. */
Test(vk_copy, rate_is_measured_for_whole_and_partial_workgroups, .timeout = 120)
{
    static const uint64_t sizes[] = {1, 16, 255 * 16, 1024 * 16, 1025 * 16, (1 << 20) + 5000 * 16, 3 << 20};
    struct vk_device *device = open_device();
    struct vk_memory_counters before, after;
    char text[512] = "";
    vk_device_memory(device, &before);
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        struct error error = {0};
        double rate = -1;
        cr_assert(vk_device_copy_rate(device, sizes[s], &rate, &error), "%llu bytes: %s",
                  (unsigned long long)sizes[s], error.text);
        cr_expect(device->queries ? rate > 0 : rate == 0, "%llu bytes: %g", (unsigned long long)sizes[s],
                  rate);
    }
    vk_device_memory(device, &after);
    cr_expect_eq(after.allocated, before.allocated);
    cr_expect_eq(vk_device_messages(device, text, sizeof text), 0, "%s", text);
    vk_device_destroy(&device);
}

Test(vk_copy, rate_of_16_mebibytes_is_plausible)
{
    struct vk_device *device = open_device();
    struct error error = {0};
    double rate;
    cr_assert(vk_device_copy_rate(device, 16 << 20, &rate, &error), "%s", error.text);
    cr_expect(!device->queries || (rate > 1e7 && rate < 1e15), "%g bytes per second", rate);
    vk_device_destroy(&device);
}

Test(vk_copy, refusals_have_a_reason_and_no_rate)
{
    struct vk_device *device = open_device();
    struct error error = {0};
    double rate = 1;
    cr_expect(!vk_device_copy_rate(device, 0, &rate, &error) && rate == 0 && error.text[0]);
    vk_device_limit_memory(device, 4 << 20);
    error = (struct error){0};
    cr_expect(!vk_device_copy_rate(device, 64 << 20, &rate, &error) && rate == 0 && error.text[0]);
    vk_device_destroy(&device);
}
