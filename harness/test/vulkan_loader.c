/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/test/trial.h"

#include <criterion/criterion.h>
#include <stdlib.h>

/* Machines without Vulkan's loader, or with an old one: a file of its name that is found before it. */

TestSuite(vulkan_loader, .init = trial_begin, .fini = trial_end, .timeout = 120);

#define SGN "run elementwise/sgn/float32 --level smoke --no-cache --backend "

Test(vulkan_loader, is_needed_by_vulkan_alone)
{
    trial_write("libvulkan.so.1", "no library");
    setenv("LD_LIBRARY_PATH", trial->folder, 1);
    trial_run_expect(0, "gate: PASS", SGN "cpu");
    trial_run_expect(3, "Vulkan's loader cannot be loaded: ", SGN "vulkan");
    trial_expect(3, "install it (Debian: libvulkan1) and a driver, or choose another --backend");
}

Test(vulkan_loader, an_old_one_is_refused)
{
    char command[400];
    trial_write("old.c", "void vkAllocateMemory(void) {}\nvoid vkAllocateCommandBuffers(void) {}\n");
    snprintf(command, sizeof command, "cd %s && cc -shared -fPIC -o libvulkan.so.1 old.c", trial->folder);
    cr_assert_eq(system(command), 0);
    setenv("LD_LIBRARY_PATH", trial->folder, 1);
    trial_run_expect(3, "libvulkan.so.1 has no vkBeginCommandBuffer: assay needs a loader of Vulkan 1.2",
                     SGN "vulkan");
}
