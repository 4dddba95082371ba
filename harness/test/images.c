/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/verdict/images.h"

#include <criterion/criterion.h>
#include <string.h>

/* Data at every third number of two bytes, in the middle of it too few for eight at once, and filler of the
 * run everywhere else. */
Test(images, data_where_it_is_defined_and_filler_elsewhere)
{
    enum { NUMBERS = 40, DENSE = 17 };
    struct program *program = program_create();
    int storage = program_storage(program, 2 * 3 * NUMBERS + 2 * DENSE);
    const struct view stepped = {.storage = storage,
                                 .dtype = DTYPE_FLOAT16,
                                 .shape = shape_of(1, (int64_t)NUMBERS),
                                 .stride = {3},
                                 .offset = 1},
                      dense = {.storage = storage,
                               .dtype = DTYPE_FLOAT16,
                               .shape = shape_of(1, (int64_t)DENSE),
                               .stride = {1},
                               .offset = 3 * NUMBERS};
    program_define(program, &stepped);
    program_define(program, &dense);
    for (int64_t i = 0; i < NUMBERS; i++) {
        program_set(program, &stepped, i, 0, (double)(i + 1));
    }
    for (int64_t i = 0; i < DENSE; i++) {
        program_set(program, &dense, i, 0, (double)-i);
    }
    for (int run = 0; run < 2; run++) {
        struct images images;
        cr_assert(images_create(&images, program));
        images_fill(&images, program, run);
        const struct storage *s = &program->storage[storage];
        const unsigned char filler = run == 0 ? 0xFF : 0x5A, *image = images.image[storage];
        for (int64_t at = -BACKEND_GUARD; at < (int64_t)s->bytes + BACKEND_GUARD; at++) {
            bool data = at >= 0 && at < (int64_t)s->bytes && storage_defined(s, (size_t)at);
            cr_assert_eq(image[at + BACKEND_GUARD], data ? s->data[at] : filler, "byte %lld", (long long)at);
        }
        for (int64_t i = 0; i < NUMBERS; i++) {
            cr_assert_eq(dtype_load(DTYPE_FLOAT16, images_element(&images, &stepped, i)), (double)(i + 1));
        }
        images_destroy(&images);
    }
    program_destroy(&program);
}
