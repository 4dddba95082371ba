/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/diagnose/test/stories.h"
#include "harness/test/trial.h"

#include <criterion/criterion.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What `repro --op` says of each story: its cause, or "not explained" where it has none that assay knows, but
 * never another cause. */

TestSuite(stories, .init = trial_begin, .fini = trial_end, .timeout = 600);

static size_t store(enum dtype dtype, unsigned char bytes[8], double x)
{
    if (dtype_is_floating(dtype) || dtype == DTYPE_BOOL) {
        dtype_store(dtype, bytes, x);
    } else {
        dtype_store_integer(dtype, bytes, (int64_t)x);
    }
    return dtype_info(dtype)->size;
}

/* Writes an operand as .npy; bfloat16 as float32, for --dtype. */
static void write_operand(int i)
{
    static const char *const types[DTYPE_COUNT] = {"<f2", "<f4", "<f4", "<f8", "",
                                                   "|i1", "|u1", "<i4", "<i8", "|b1"};
    const struct story_tensor *in = &story.in[i];
    enum dtype dtype = in->dtype == DTYPE_BFLOAT16 ? DTYPE_FLOAT32 : in->dtype;
    char name[16], shape[SHAPE_TEXT] = "", header[256];
    for (int d = 0; d < in->shape.rank; d++) {
        snprintf(shape + strlen(shape), sizeof shape - strlen(shape), "%lld,", (long long)in->shape.dim[d]);
    }
    int used = snprintf(header, sizeof header, "{'descr': '%s', 'fortran_order': False, 'shape': (%s), }",
                        types[dtype], shape);
    memset(header + used, ' ', sizeof header - (size_t)used);
    const unsigned short length = 118;
    header[length - 1] = '\n';
    snprintf(name, sizeof name, "%d.npy", i);
    FILE *file = fopen(trial_path(name), "wb");
    cr_assert_not_null(file);
    fwrite("\x93NUMPY\x01\x00", 1, 8, file);
    fwrite(&length, 2, 1, file);
    fwrite(header, 1, length, file);
    for (int64_t k = 0; k < shape_elements(&in->shape); k++) {
        unsigned char bytes[8];
        size_t size = store(dtype, bytes, in->x[k]);
        fwrite(bytes, size, 1, file);
    }
    cr_assert_eq(fclose(file), 0);
}

static void write_answer(void)
{
    const struct story_tensor *got = &story.got[0];
    FILE *file = fopen(trial_path("answer"), "wb");
    cr_assert_not_null(file);
    for (int64_t k = 0; k < shape_elements(&got->shape); k++) {
        unsigned char bytes[8];
        size_t size = store(got->dtype, bytes, got->x[k]);
        for (size_t b = 0; story.patterned >= 0 && k >= story.patterned && b < size; b++) {
            bytes[b] = story.pattern[b % 4];
        }
        fwrite(bytes, size, 1, file);
    }
    cr_assert_eq(fclose(file), 0);
}

/* Runs repro on a story; the answer is owned by *whole. */
static json_t *ask(const struct story *of, uint64_t seed, json_t **whole)
{
    char inputs[400] = "";
    memset(&story, 0, sizeof story);
    story.seed = seed;
    story.patterned = -1;
    of->tell();
    for (int i = 0; i < story.inputs; i++) {
        write_operand(i);
        snprintf(inputs + strlen(inputs), sizeof inputs - strlen(inputs), " --input FOLDER/%d.npy", i);
    }
    write_answer();
    setenv("ASSAY_TEST_ANSWER", trial_path("answer"), 1);
    trial_run("repro --op %s%s%s%s --backend faulty --format json", of->call, of->dtype ? " --dtype " : "",
              of->dtype ? of->dtype : "", inputs);
    *whole = trial_json();
    return json_array_get(json_object_get(*whole, "backends"), 0);
}

/* Checks all stories of a table: each must be diagnosed rightly. */
static void tell_all(const struct story *of, uint64_t seed)
{
    for (; of->name; of++, seed += 1000) {
        json_t *whole, *backend = ask(of, seed, &whole);
        const char *name = json_string_value(json_object_get(backend, "hypothesis")),
                   *text = json_string_value(json_object_get(backend, "diagnosis"));
        bool undefined = text && strncmp(text, "undefined conversion", 20) == 0;
        const char *found = name ? name : undefined ? "undefined" : NULL;
        bool good = of->expected ? found && strcmp(found, of->expected) == 0
                                 : !found && text && strstr(text, "not explained");
        cr_expect(good, "%s: expected %s, found %s: %s", of->name, of->expected ? of->expected : "none",
                  found ? found : "none", text ? text : trial->output);
        json_decref(whole);
    }
}

Test(stories, those_written_before_the_diagnosis_takes_seconds)
{
    tell_all(stories_first, 1);
}

Test(stories, those_written_after_the_diagnosis_takes_seconds)
{
    tell_all(stories_second, 1);
}

Test(stories, those_of_other_causes_and_of_none_takes_seconds)
{
    tell_all(stories_third, 1);
}

/* Faults whose errors look like those of a narrow format, or of another hypothesis, with several numbers
 * each. */
Test(stories, errors_that_resemble_others_takes_seconds)
{
    for (uint64_t seed = 1; seed <= 3; seed++) {
        tell_all(stories_alike, seed);
    }
}

static const struct story *story_of(const struct story *of, const char *name)
{
    while (of->name && strcmp(of->name, name) != 0) {
        of++;
    }
    cr_assert_not_null(of->name, "%s", name);
    return of;
}

/* Says the same story as text; trial->output has it. */
static void ask_for_text(const struct story *of)
{
    json_t *whole;
    ask(of, 1, &whole);
    json_decref(whole);
    trial_run("repro --op %s --input FOLDER/0.npy --backend faulty", of->call);
}

Test(stories, nan_beside_a_number_is_said_in_words)
{
    json_t *whole, *backend = ask(story_of(stories_third, "softmax without its maximum"), 1, &whole);
    const char *text = json_string_value(json_object_get(backend, "diagnosis"));
    cr_assert(text && strstr(text, "the element shown is NaN where the truth is the number "), "%s", text);
    cr_assert(!strstr(text, "times the"), "%s", text);
    json_decref(whole);
}

Test(stories, the_error_is_also_relative_and_the_operands_are_named)
{
    json_t *whole, *backend = ask(story_of(stories_second, "a slope of 0.01 for 0.2"), 1, &whole);
    const char *text = json_string_value(json_object_get(backend, "diagnosis"));
    cr_assert(text && strstr(text, "ulp off (relative error 0.9"), "%s", text);
    cr_assert(strstr(text, "; there input 0 (input) = -"), "%s", text);
    json_decref(whole);
}

Test(stories, the_next_command_is_printed_for_what_fails)
{
    ask_for_text(story_of(stories_third, "softmax without its maximum"));
    cr_assert(strstr(trial->output, "  next             assay repro --op softmax --input "), "%s",
              trial->output);
    cr_assert(strstr(trial->output, " --attr dim=1 --backend faulty --shrink --bundle bug.zip\n"), "%s",
              trial->output);
    ask_for_text(story_of(stories_first, "a conversion to int8 saturates"));
    cr_assert(!strstr(trial->output, "  next "), "%s", trial->output);
    cr_assert(strstr(trial->output, "undefined conversion: in "), "%s", trial->output);
}
