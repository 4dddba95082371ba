/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Tests that the cases of ties and of their neighbours contain them in each dtype: halves that common
 * mistakes round another way, and numbers next to halves. */

#include "reference/ops/quantization/quantization_affine.h"
#include "suites/suite.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>

struct counts {
    int ties, half_up, zero_first, beyond;
};

static struct counts counted(const struct suite_case *c)
{
    struct program *program = suite_build(c, 1, NULL);
    cr_assert_not_null(program);
    const struct step *step = &program->step[0];
    const struct view *x = &step->input[0];
    size_t size = dtype_info(x->dtype)->size;
    double s = attributes_real(&step->attributes, "scale", 0);
    double z = (double)attributes_integer(&step->attributes, "zero_point", 0);
    struct counts counts = {0};
    for (int64_t i = 0; i < shape_elements(&x->shape); i++) {
        double ratio =
            dtype_load(x->dtype, program->storage[x->storage].data + (size_t)view_element(x, i) * size) / s;
        double q = nearbyint(ratio) + z;
        bool within = fabs(q) < 100; /* of int8, where saturation would hide it */
        counts.ties += within && fabs(ratio - floor(ratio)) == 0.5;
        counts.half_up += within && floor(ratio + 0.5) + z != q;
        counts.zero_first += within && nearbyint(ratio + z) != q;
        counts.beyond += fabs(q) > 128;
    }
    program_destroy(&program);
    return counts;
}

static struct counts of(const struct suite_list *list, const char *dtype, const char *name)
{
    char id[96];
    snprintf(id, sizeof id, "quantization/quantize_per_tensor/%s/%s", dtype, name);
    int index = suite_list_find(list, id);
    cr_assert_geq(index, 0, "%s is gone", id);
    return counted(suite_list_at(list, index));
}

Test(quantize, ties_tell_the_classic_mistakes_apart)
{
    static const char *const dtypes[] = {"float16", "bfloat16", "float32"};
    struct suite_list *list = suite_list_create();
    for (int d = 0; d < 3; d++) {
        struct counts ties = of(list, dtypes[d], "ties"), near = of(list, dtypes[d], "near-ties-powers");
        cr_expect(ties.ties > 50 && ties.half_up > 25 && ties.zero_first > 50, "%s: %d, %d, %d", dtypes[d],
                  ties.ties, ties.half_up, ties.zero_first);
        cr_expect(near.ties > 20 && near.ties < 400, "%s: %d", dtypes[d], near.ties);
        cr_expect_gt(of(list, dtypes[d], "edges").beyond, 100, "%s", dtypes[d]);
        cr_expect_gt(of(list, dtypes[d], "random").beyond, 10, "%s", dtypes[d]);
    }
    suite_list_destroy(&list);
}
