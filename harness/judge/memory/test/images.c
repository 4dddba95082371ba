/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/judge/memory/images.h"

#include <criterion/criterion.h>
#include <string.h>

/* Data in every third number of two bytes, in the middle too few for eight bytes at once; poison everywhere
 * else. */
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

enum { NUMBERS = 3000, BYTES = 4 * NUMBERS };

static struct program *negation(struct view *x, int *result)
{
    struct program *program = program_create();
    struct shape shape = shape_of(1, (int64_t)NUMBERS);
    *x = program_input(program, DTYPE_FLOAT32, &shape);
    for (int64_t i = 0; i < NUMBERS; i++) {
        program_set(program, x, i, 0, (double)(i + 1));
    }
    const struct step *step = program_step(program, op_find("neg"), NULL, 1, x);
    cr_assert_not_null(step);
    *result = step->output[0].storage;
    return program;
}

/* The image of an unchanged operand is released. An operand that changed anywhere stays, so that stray writes
 * can be found, and the program's own data is unchanged. Results always stay. */
static void hold_released(int64_t at, int run, size_t least)
{
    struct view x, same;
    int result;
    struct program *program = negation(&x, &result), *again = negation(&same, &result);
    struct images images, earlier;
    struct ownership ownership;
    struct clobber clobber;
    struct error error = {.text = ""};
    const bool zero_copy = least <= BYTES, changed = at > INT64_MIN;
    cr_assert(ownership_create(&ownership, program, &error), "%s", error.text);
    cr_assert(images_create_zero_copy(&earlier, program, least, NULL));
    cr_assert(images_create_zero_copy(&images, program, least, run > 0 ? &earlier : NULL));
    images_fill(&images, program, run);
    unsigned char *const image = images.image[x.storage], *const data = program->storage[x.storage].data;
    cr_expect_eq(image + BACKEND_GUARD == data, zero_copy);
    cr_expect_eq(image[0], run == 0 ? 0xFF : 0x5A);
    cr_expect_arr_eq(image + BACKEND_GUARD, again->storage[same.storage].data, BYTES);
    if (changed) {
        image[BACKEND_GUARD + at] ^= 1;
    }
    bool good = images_release_untouched(&images, program, run);
    cr_expect_eq(good, !zero_copy || !changed, "byte %lld", (long long)at);
    cr_assert(good || images_restore(&images, program, again));
    cr_expect_arr_eq(data, again->storage[same.storage].data, BYTES);
    cr_expect_not_null(images.image[result]);
    cr_expect_eq(images.image[x.storage] != NULL, changed, "byte %lld", (long long)at);
    cr_expect_eq(images_clobbered(&images, program, &ownership, run, &clobber), changed);
    cr_expect(!changed || (clobber.storage == x.storage && clobber.byte == at && clobber.count == 1));
    images_destroy(&images);
    images_destroy(&earlier);
    ownership_destroy(&ownership);
    program_destroy(&program);
    program_destroy(&again);
}

Test(images, what_no_step_writes_to_is_released)
{
    static const int64_t places[] = {INT64_MIN, -BACKEND_GUARD,           -1, 0, 4095, 4096, BYTES - 1,
                                     BYTES,     BYTES + BACKEND_GUARD - 1};
    for (size_t k = 0; k < sizeof places / sizeof *places; k++) {
        for (int run = 0; run < 2; run++) {
            hold_released(places[k], run, SIZE_MAX);
            hold_released(places[k], run, BYTES);
            hold_released(places[k], run, BYTES + 1);
        }
    }
}

/* An operand that is updated in place is a result, and one that a relation names is read afterwards: neither
 * is passed zero-copy, or a second run would begin with what the first one left. */
Test(images, what_is_read_afterwards_stays)
{
    struct program *program = program_create();
    struct shape shape = shape_of(1, (int64_t)8);
    struct view x = program_input(program, DTYPE_FLOAT32, &shape),
                y = program_input(program, DTYPE_FLOAT32, &shape),
                z = program_input(program, DTYPE_FLOAT32, &shape);
    cr_assert(program_step(program, op_find("add_"), NULL, 2, (struct view[]){x, y}));
    cr_assert(program_relate(program, &z, &x, "as an operand"));
    struct images images;
    cr_assert(images_create_zero_copy(&images, program, 1, NULL));
    cr_expect(images.image[x.storage] != program->storage[x.storage].data - STORAGE_MARGIN);
    cr_expect(images.image[y.storage] == program->storage[y.storage].data - STORAGE_MARGIN);
    cr_expect(images.image[z.storage] != program->storage[z.storage].data - STORAGE_MARGIN);
    images_fill(&images, program, 0);
    cr_assert(images_release_untouched(&images, program, 0));
    cr_expect(images.image[x.storage] && !images.image[y.storage] && images.image[z.storage]);
    images_destroy(&images);
    program_destroy(&program);
}

/* Large images begin and end with a page, the program's own memory as well: a device may work there. */
Test(images, large_ones_are_whole_pages)
{
    struct program *program = program_create();
    struct shape shape = shape_of(1, (int64_t)STORAGE_PAGED / 4),
                 small = shape_of(1, (int64_t)STORAGE_PAGED / 4 - 1);
    struct view x = program_input(program, DTYPE_FLOAT32, &shape),
                y = program_input(program, DTYPE_FLOAT32, &small);
    struct images images;
    cr_assert(images_create(&images, program));
    cr_expect_eq(storage_pages(STORAGE_PAGED), STORAGE_PAGED + STORAGE_PAGE);
    cr_expect_eq(storage_pages(STORAGE_PAGED + STORAGE_PAGE - 2 * BACKEND_GUARD),
                 STORAGE_PAGED + STORAGE_PAGE);
    cr_expect_eq((uintptr_t)images.image[x.storage] % STORAGE_PAGE, 0);
    cr_expect_eq((uintptr_t)(program->storage[x.storage].data - STORAGE_MARGIN) % STORAGE_PAGE, 0);
    cr_expect_eq(storage_pages(program->storage[y.storage].bytes), 0);
    for (size_t i = 0; i < STORAGE_PAGED; i++) {
        cr_assert_eq(program->storage[x.storage].data[i], 0);
    }
    images_destroy(&images);
    program_destroy(&program);
}
