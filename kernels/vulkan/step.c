/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "kernels/vulkan/plan.h"
#include "kernels/vulkan/route.h"

#include <string.h>

struct launch_result vk_plan_step(struct vk_device *device, const struct launch *launch,
                                  const struct step *step)
{
    struct vk_run_cache *run = device->run;
    const int dispatches = run->dispatches;
    struct vk_plan plan = {.device = device, .launch = launch, .run = run};
    struct launch_result result = {0};
#ifdef STEPS_ARE_KEPT
    const struct step earlier = kept(step);
    step = &earlier;
#endif
    const int route = vk_route_plan(&plan, step);
    if (plan.status == LAUNCH_OK) {
        run->routes |= 1u << route;
    } else {
        run->dispatches = dispatches;
    }
    result.status = plan.status;
    memcpy(result.message, plan.message, sizeof result.message);
    return result;
}
