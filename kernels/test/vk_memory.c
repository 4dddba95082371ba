/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "kernels/vulkan/internal.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

static const uint64_t MIB = 1024 * 1024;

static struct vk_device *device;
static struct vk_memory *memory;

static void open_with_limit(uint64_t limit)
{
    struct error error = {0};
    device = vk_device_create(&(struct vk_device_parameters){.no_disk_cache = true}, &error);
    cr_assert(device, "%s", error.text);
    memory = vk_memory_create(&(struct vk_memory_parameters){.objects = &device->objects,
                                                             .device = device->logical,
                                                             .addressed = true,
                                                             .limit = limit,
                                                             .block_max = 1024 * MIB});
    cr_assert(memory);
}

static void close_all(void)
{
    vk_memory_destroy(&memory);
    vk_device_destroy(&device);
}

static struct vk_memory_counters counters(void)
{
    struct vk_memory_counters now;
    vk_memory_counters(memory, &now);
    return now;
}

Test(vk_memory, counts_and_reuses)
{
    open_with_limit(64 * MIB);
    struct vk_allocation a, b;
    cr_assert_eq(vk_memory_allocate(memory, 1000, &a, NULL), VK_MEMORY_OK);
    cr_assert_eq(vk_memory_allocate(memory, 1, &b, NULL), VK_MEMORY_OK);
    cr_assert_eq(counters().allocated, 1024 + 512);
    cr_assert_eq(counters().reserved, 2 * MIB, "small requests share a block");
    cr_assert_eq(a.buffer, b.buffer);
    cr_assert_eq(a.address % 256, 0);
    cr_assert_geq(b.offset, a.offset + a.size);
    const VkDeviceAddress first = a.address;
    vk_memory_free(memory, &a);
    vk_memory_free(memory, &a); /* zeroed: nothing happens */
    cr_assert_eq(counters().allocated, 512);
    cr_assert_eq(vk_memory_allocate(memory, 1024, &a, NULL), VK_MEMORY_OK);
    cr_assert_eq(a.address, first, "best fit takes the hole");
    vk_memory_free(memory, &a);
    vk_memory_free(memory, &b);
    cr_assert_eq(counters().peak, 1024 + 512);
    cr_assert_eq(counters().allocated, 0);
    cr_assert_eq(counters().reserved, 2 * MIB, "freed memory stays cached");
    vk_memory_empty_cache(memory);
    cr_assert_eq(counters().reserved, 0);
    close_all();
}

Test(vk_memory, joins_neighbours_in_any_order)
{
    open_with_limit(64 * MIB);
    static const int order[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    for (int o = 0; o < 6; o++) {
        struct vk_allocation part[3], whole;
        for (int i = 0; i < 3; i++) {
            cr_assert_eq(vk_memory_allocate(memory, 512 * 1024, &part[i], NULL), VK_MEMORY_OK);
        }
        for (int i = 0; i < 3; i++) {
            vk_memory_free(memory, &part[order[o][i]]);
        }
        cr_assert_eq(vk_memory_allocate(memory, 1 * MIB, &whole, NULL), VK_MEMORY_OK);
        cr_assert_eq(counters().reserved, 2 * MIB, "order %d left the block in pieces", o);
        vk_memory_free(memory, &whole);
    }
    close_all();
}

Test(vk_memory, retries_once_after_emptying_the_cache)
{
    open_with_limit(8 * MIB);
    struct vk_allocation a, b;
    struct error error = {0};
    cr_assert_eq(vk_memory_allocate(memory, 3 * MIB, &a, NULL), VK_MEMORY_OK);
    vk_memory_free(memory, &a);
    cr_assert_eq(counters().reserved, 3 * MIB);
    cr_assert_eq(vk_memory_allocate(memory, 6 * MIB, &b, NULL), VK_MEMORY_OK,
                 "the cached 3 MiB are in the way");
    cr_assert_eq(counters().reserved, 6 * MIB);
    cr_assert_eq(vk_memory_allocate(memory, 4 * MIB, &a, &error), VK_MEMORY_OUT);
    cr_assert(strstr(error.text, "out of device memory"), "%s", error.text);
    cr_assert_eq(counters().allocated, 6 * MIB, "a refusal takes nothing");
    cr_assert_eq(vk_memory_allocate(memory, UINT64_MAX - 5, &a, &error), VK_MEMORY_OUT);
    vk_memory_free(memory, &a); /* zeroed by the refusal */
    vk_memory_free(memory, &b);
    close_all();
}

/* Requests 64 TiB, which no driver has. On a device with its own memory the device is out of memory; on one
 * that computes in host memory the host is. */
Test(vk_memory, a_shortage_of_this_machine_is_not_the_devices)
{
    const uint64_t bytes = UINT64_C(1) << 46;
    for (int ours = 0; ours < 2; ours++) {
        struct vk_allocation a;
        struct error error = {0};
        open_with_limit(2 * bytes);
        vk_memory_destroy(&memory);
        memory = vk_memory_create(&(struct vk_memory_parameters){.objects = &device->objects,
                                                                 .device = device->logical,
                                                                 .addressed = true,
                                                                 .ours = ours,
                                                                 .limit = 2 * bytes,
                                                                 .block_max = 2 * bytes});
        enum vk_memory_result result = vk_memory_allocate(memory, bytes, &a, &error);
        cr_expect_eq(result, ours ? VK_MEMORY_ERROR : VK_MEMORY_OUT, "%d: %s", result, error.text);
        cr_expect(strstr(error.text, ours ? "VK_ERROR_OUT_OF_HOST_MEMORY" : "out of device memory"), "%s",
                  error.text);
        cr_expect_eq(counters().reserved, 0);
        close_all();
    }
}

/* Whole pages of host memory can be imported as device memory, which counts only as Vulkan objects. */
Test(vk_memory, imports_pages_of_the_host)
{
    enum { BYTES = 1 << 20, PAGE = 1 << 16 };
    open_with_limit(1 * MIB); /* which it does not fall under */
    if (!device->physical.import_alignment) {
        close_all();
        cr_skip("the device has no VK_EXT_external_memory_host");
    }
    cr_assert_eq(PAGE % device->physical.import_alignment, 0);
    struct vk_memory_counters before = counters(), after;
    const struct vk_objects live = device->objects;
    struct vk_allocation a;
    unsigned char *pages = aligned_alloc(PAGE, 2 * BYTES);
    cr_assert(pages);
    cr_expect(!vk_memory_import(device->memory, pages + 16, BYTES, &a), "no page begins there");
    cr_expect(!vk_memory_import(device->memory, pages, BYTES + 16, &a), "no page ends there");
    cr_expect(!vk_memory_import(memory, pages, BYTES, &a), "this one does not know that it can");
    cr_expect_eq(a.buffer, VK_NULL_HANDLE);
    vk_memory_free(device->memory, &a); /* zeroed by the refusal */
    cr_assert(vk_memory_import(device->memory, pages, 2 * BYTES, &a));
    cr_expect_eq(a.host, pages);
    cr_expect_eq(a.size, 2 * BYTES);
    cr_expect_neq(a.address, 0);
    cr_expect_eq(device->objects.live[VK_OBJECT_MEMORY], live.live[VK_OBJECT_MEMORY] + 1);
    vk_memory_free(device->memory, &a);
    vk_memory_free(device->memory, &a);
    vk_memory_counters(device->memory, &after);
    cr_expect_eq(after.peak, before.peak);
    cr_expect_eq(after.allocated, 0);
    cr_expect_arr_eq(&device->objects, &live, sizeof live);
    free(pages);
    close_all();
}
