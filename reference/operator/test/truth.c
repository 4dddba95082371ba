/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reference/test/support.h"

Test(truth, survives_serialisation_and_refuses_damage)
{
    double a[8] = {0x1p-140, 2, 3, 4, 1, 2, 2, 4};
    struct tensor tensor = tensor_from(DTYPE_FLOAT32, shape_of(3, (int64_t)2, (int64_t)2, (int64_t)2), a);
    struct truth *truth = truth_of_call("slogdet", NULL, 1, &tensor);
    cr_assert_not_null(truth->flushed);
    size_t size = 0, size_again = 0;
    unsigned char *bytes = truth_serialize(truth, &size);
    struct truth *again = truth_deserialize(bytes, size);
    cr_assert_not_null(again);
    unsigned char *bytes_again = truth_serialize(again, &size_again);
    cr_assert_eq(size, size_again);
    cr_assert_arr_eq(bytes, bytes_again, size);
    for (size_t cut = 0; cut < size; cut += 7) {
        cr_assert_null(truth_deserialize(bytes, cut), "cut at %zu", cut);
    }
    bytes[0] ^= 1;
    cr_assert_null(truth_deserialize(bytes, size));
    truth_destroy(&truth);
    truth_destroy(&again);
    cr_assert_null(again);
    truth_destroy(&again);
    tensor_destroy(&tensor);
    free(bytes);
    free(bytes_again);
}
