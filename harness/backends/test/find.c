/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/backends/backends.h"

#include <criterion/criterion.h>
#include <string.h>

Test(backends, a_route_stands_behind_the_name_or_the_device)
{
    const char *selector = "";
    struct error error = {0};
    cr_assert_not_null(backends_find("vulkan", &selector, &error));
    cr_assert_null(selector);
    cr_assert_not_null(backends_find("vulkan+tiled", &selector, &error));
    cr_assert_str_eq(selector, "+tiled");
    cr_assert_not_null(backends_find("vulkan:llvmpipe+wide", &selector, &error));
    cr_assert_str_eq(selector, "llvmpipe+wide");
    cr_assert_not_null(backends_find("exec:python3 a+b.py", &selector, &error));
    cr_assert_str_eq(selector, "python3 a+b.py");
}

Test(backends, a_class_without_routes_refuses_one)
{
    const char *selector;
    struct error error = {0};
    cr_assert_null(backends_find("cpu+tiled", &selector, &error));
    cr_assert_str_eq(error.text, "backend \"cpu+tiled\": cpu has no routes; vulkan has");
}

Test(backends, an_unknown_route_is_refused_by_name)
{
    struct error error = {0};
    const char *selector;
    const struct backend_class *vulkan = backends_find("vulkan+tield", &selector, &error);
    cr_assert_not_null(vulkan);
    cr_assert_null(vulkan->open(&(struct backend_options){.selector = selector}, &error));
    cr_assert_str_eq(error.text, "unknown route \"tield\"; there are: tiled, wide, portable");
}
