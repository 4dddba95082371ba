/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "kernels/vulkan/route.h"

#include "kernels/test/trial.h"

/* Runs `name` of two elements on a route (NULL: any), and returns the trial to be closed. */
static struct trial ran(const char *route, const char *name)
{
    struct trial trial = trial_open(&(struct vk_device_parameters){.no_disk_cache = true, .route = route});
    const struct shape shape = shape_of(1, 2);
    const struct view x = program_input(trial.program, DTYPE_FLOAT32, &shape);
    program_set(trial.program, &x, 0, 3, 0);
    program_set(trial.program, &x, 1, -2, 0);
    trial_step(&trial, name, 1, &x);
    trial_run(&trial);
    return trial;
}

Test(vk_route, a_call_that_a_route_lacks_is_unsupported_there)
{
    struct trial trial = ran("tiled", "sgn");
    cr_assert_eq(trial.result[0].status, LAUNCH_UNSUPPORTED);
    cr_assert_str_eq(trial.result[0].message, "the route tiled does not have this operator");
    cr_assert_str_eq(vk_device_routes(trial.device), "");
    trial_close(&trial);
}

Test(vk_route, the_device_says_which_route_a_launch_took)
{
    struct trial trial = ran("portable", "sgn");
    cr_assert_eq(trial.result[0].status, LAUNCH_OK);
    cr_assert_str_eq(vk_device_routes(trial.device), "portable");
    trial_close(&trial);
}

Test(vk_route, names_and_numbers_agree)
{
    cr_assert_eq(vk_route_find("portable"), VK_PORTABLE);
    cr_assert_eq(vk_route_find("wide"), VK_WIDE);
    cr_assert_eq(vk_route_find("tiled"), VK_TILED);
    cr_assert_eq(vk_route_find("tile"), VK_ROUTE_ANY);
    for (int r = 0; r < VK_ROUTES; r++) {
        cr_assert_eq(vk_route_find(vk_route_name(r)), r);
        cr_assert(strstr(vk_route_names(), vk_route_name(r)));
    }
}
