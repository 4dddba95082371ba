/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "suites/shared/windows.h"

void windows_add_list(struct attributes *attributes, const char *name, const int64_t *numbers, int count,
                      int64_t otherwise)
{
    struct attribute list = {.name = name, .type = ATTRIBUTE_INTEGERS, .integers = {.count = count}};
    bool given = false, equal = count > 1;
    for (int i = 0; i < count; i++) {
        list.integers.item[i] = numbers[i] == 0 ? otherwise : numbers[i];
        given = given || numbers[i] != 0;
        equal = equal && numbers[i] == numbers[0];
    }
    list.integers.count = equal ? 1 : count;
    if (given) {
        attributes->item[attributes->count++] = list;
    }
}

struct shape windows_shape(int64_t batch, int64_t channels, const int64_t *size, int rank)
{
    struct shape shape = {.rank = 0};
    if (batch >= 0) {
        shape.dim[shape.rank++] = batch;
    }
    shape.dim[shape.rank++] = channels;
    for (int i = 0; i < rank; i++) {
        shape.dim[shape.rank++] = size[i];
    }
    return shape;
}
