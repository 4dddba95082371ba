/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_KERNELS_VULKAN_ROUTE_H
#define ASSAY_KERNELS_VULKAN_ROUTE_H

/* Routes: the ways in which this backend computes operators.
 *
 *   portable   an element or a row per invocation or workgroup, by integer operations where a device may
 *              differ: the simple kernels, which every device runs and which have every operator
 *
 *   wide       16 bytes per invocation, and workgroups of 256
 *
 *   tiled      products by tiles in shared memory
 *
 * `--backend vulkan+ROUTE` opens a device for one route; a call that the route does not cover is unsupported.
 * Plain `vulkan` takes for each call the first of tiled, wide and portable that covers it and pays on the
 * device. The results of all routes are judged under one profile. */

#include "kernels/vulkan/kernel.h"

enum { VK_ROUTE_ANY = -1 };

const char *vk_route_name(int route); /* "portable", …; static storage */
int vk_route_find(const char *name);  /* VK_ROUTE_ANY if there is none of that name */

/* The names of the routes in the order in which they are tried, separated by ", ". Static storage. */
const char *vk_route_names(void);

const struct vk_op *vk_op_find(const char *name, enum vk_route route); /* NULL when the route lacks it */

/* Plans the step on the route of the device, or on the first that covers it, and returns the route. Failures
 * are in the plan. */
int vk_route_plan(struct vk_plan *plan, const struct step *step);

#endif
