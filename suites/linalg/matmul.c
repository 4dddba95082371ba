/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* matmul, linear and mv: the cases of suites/shared/products.h. */

#include "suites/shared/products.h"

static void declare(struct suite_list *list)
{
    product_declare(list, "matmul");
    product_declare(list, "linear");
    product_declare(list, "mv");
}

const struct suite suite_linalg_matmul = {.declare = declare};
