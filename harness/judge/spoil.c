/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/judge/spoil.h"
#include "harness/judge/verification.h"

bool spoil_results(const struct program *program, const struct images *images, int runs)
{
    for (int s = program->steps - 1; s >= 0; s--) {
        struct view judged[TRUTH_OUTPUTS_MAX];
        const struct step *step = &program->step[s];
        int count = step->expect == EXPECT_VALUE ? step_judged(step, judged) : 0;
        const struct view *view = count ? &judged[count - 1] : NULL;
        int64_t elements = view ? shape_elements(&view->shape) : 0;
        if (elements == 0) {
            continue;
        }
        const struct dtype_info *info = dtype_info(view->dtype);
        for (int r = 0; r < runs; r++) {
            unsigned char *element = images_element(&images[r], view, elements - 1);
            if (step_is_verified(&program->step[s], count - 1) && dtype_is_integer(view->dtype)) {
                for (size_t b = 0; b < info->size; b++) {
                    element[b] = (unsigned char)~element[b]; /* another number might be right as well */
                }
            } else if (dtype_is_floating(info->component)) {
                double x = dtype_load(info->component, element);
                dtype_store(info->component, element, x > -1e4 && x < 1e4 ? 2 * x + 17 : 17);
            } else {
                element[0] ^= 0x40;
            }
        }
        return true;
    }
    return false;
}
