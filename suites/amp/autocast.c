/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* autocast_matmul and autocast_linear: the cases of suites/shared/products.h, cast to float16 and to
 * bfloat16. */

#include "suites/shared/products.h"

static void declare(struct suite_list *list)
{
    product_declare(list, "autocast_matmul");
    product_declare(list, "autocast_linear");
}

const struct suite suite_amp_autocast = {.declare = declare};
