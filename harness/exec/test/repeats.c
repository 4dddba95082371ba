/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Tests backend_run.repeats: the backends run a program many times and state the time of one run. */

#include "harness/backends/backends.h"
#include "harness/host/clock.h"
#include "harness/judge/memory/images.h"
#include "harness/test/trial.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

TestSuite(repeats, .timeout = 120);

static struct program *product(int64_t n)
{
    struct program *program = program_create();
    struct view input[2];
    for (int i = 0; i < 2; i++) {
        input[i] = program_input(program, DTYPE_FLOAT32, &(struct shape){.rank = 2, .dim = {n, n}});
        for (int64_t e = 0; e < n * n; e++) {
            program_set(program, &input[i], e, 0, (double)(e % 7) - 3);
        }
    }
    cr_assert(program_step(program, op_find("matmul"), &(struct attributes){.count = 0}, 2, input));
    return program;
}

/* Opens a backend that offers repeats. */
static struct backend *open_repeating(const char *name, const struct backend_class **class)
{
    const char *selector;
    struct error error = {.text = ""};
    *class = backends_find(name, &selector, &error);
    struct backend *backend =
        *class ? (*class)->open(&(struct backend_options){.selector = selector}, &error) : NULL;
    cr_assert(backend, "%s", error.text);
    struct backend_info info;
    (*class)->info(backend, &info);
    cr_assert(info.repeats, "%s", name);
    return backend;
}

static void expect_time_of_one_run(const char *name)
{
    enum { REPEATS = 6, ROUNDS = 3 };
    struct error error = {.text = ""};
    const struct backend_class *class;
    struct backend *backend = open_repeating(name, &class);
    struct program *program = product(160);
    struct images images[2];
    struct step_result result;
    int64_t once = INT64_MAX;
    for (int k = 0; k < 2; k++) {
        cr_assert(images_create(&images[k], program));
    }
    for (int r = 0; r < 3; r++) {
        struct backend_run run = {.image = images[0].image, .result = &result};
        images_fill(&images[0], program, 0);
        cr_assert(class->run(backend, program, &run, &error) && result.status == STEP_OK, "%s", error.text);
        once = run.device_ns < once ? run.device_ns : once;
    }
    struct backend_run run = {
        .image = images[1].image, .result = &result, .repeats = REPEATS, .warm_up = 2, .rounds = ROUNDS};
    images_fill(&images[1], program, 0);
    int64_t start = clock_ns();
    cr_assert(class->run(backend, program, &run, &error) && result.status == STEP_OK, "%s", error.text);
    int64_t wall = clock_ns() - start;
    /* the median of three is at most half of the sum */
    cr_expect_leq(run.device_ns * REPEATS * 2, wall + wall / 8, "%s: one run %lld ns, all %lld ns", name,
                  (long long)run.device_ns, (long long)wall);
    cr_expect_geq(run.device_ns, once / 4, "%s: one run %lld ns, alone %lld ns", name,
                  (long long)run.device_ns, (long long)once);
    int s = program->step[0].output[0].storage;
    cr_expect_eq(memcmp(images[0].image[s], images[1].image[s], program->storage[s].bytes), 0, "%s", name);
    for (int k = 0; k < 2; k++) {
        images_destroy(&images[k]);
    }
    program_destroy(&program);
    class->close(&backend);
}

Test(repeats, the_cpu_backend_states_the_time_of_one_run)
{
    expect_time_of_one_run("cpu");
}

Test(repeats, the_vulkan_backend_states_the_time_of_one_run)
{
    expect_time_of_one_run("vulkan");
}

Test(repeats, pytorch_states_the_time_of_one_run)
{
    trial_needs_modules("torch");
    setenv("ASSAY_ADAPTERS", "harness/adapters", 1); /* tests run in the root of the tree */
    expect_time_of_one_run("torch:cpu");
}

/* add_ with repeats: a second run would start from the result of the first. */
static void expect_one_run_in_place(const char *name)
{
    enum { N = 8 };
    struct error error = {.text = ""};
    const struct backend_class *class;
    struct backend *backend = open_repeating(name, &class);
    struct program *program = program_create();
    struct view input[2];
    for (int i = 0; i < 2; i++) {
        input[i] = program_input(program, DTYPE_FLOAT32, &(struct shape){.rank = 1, .dim = {N}});
        for (int e = 0; e < N; e++) {
            program_set(program, &input[i], e, 0, i + 1);
        }
    }
    cr_assert(program_step(program, op_find("add_"), &(struct attributes){.count = 0}, 2, input));
    cr_expect_not(backend_may_repeat(program));
    struct images images;
    struct step_result result;
    struct backend_run run = {.result = &result, .repeats = 5, .warm_up = 3};
    cr_assert(images_create(&images, program));
    images_fill(&images, program, 0);
    run.image = images.image;
    cr_assert(class->run(backend, program, &run, &error) && result.status == STEP_OK, "%s: %s%s", name,
              error.text, result.message);
    for (int e = 0; e < N; e++) {
        cr_expect_eq(dtype_load(DTYPE_FLOAT32, images_element(&images, &input[0], e)), 3, "%s", name);
    }
    images_destroy(&images);
    program_destroy(&program);
    class->close(&backend);
}

Test(repeats, an_operator_in_place_runs_once)
{
    expect_one_run_in_place("cpu");
    expect_one_run_in_place("vulkan");
}

Test(repeats, a_program_is_not_requested_to_repeat_an_operator_in_place)
{
    trial_needs_python();
    expect_one_run_in_place("exec:exec python3 harness/test/programs/flawed_program.py");
}

/* Sends one request for sign of one float32 to the adapters' base and returns whether the answer has `part`.
 */
static bool base_answers(const char *members, const char *part)
{
    char command[1024], answer[4096];
    snprintf(
        command, sizeof command,
        "printf '%%s\\n\\0\\0\\0\\0' '{\"id\": 1, \"run\": \"sign\", \"attributes\": {}, \"storages\": [4], "
        "\"inputs\": [{\"storage\": 0, \"dtype\": \"float32\", \"shape\": [1], \"strides\": [1], "
        "\"offset\": 0}], \"outputs\": [{\"dtype\": \"float32\", \"shape\": [1]}], \"mutates\": []%s}' | "
        "python3 harness/test/programs/base_program.py 2>/dev/null",
        members);
    FILE *pipe = popen(command, "r");
    cr_assert(pipe);
    answer[fread(answer, 1, sizeof answer - 1, pipe)] = 0;
    pclose(pipe);
    return strstr(answer, part) != NULL;
}

Test(repeats, adapters_refuse_numbers_out_of_bounds_by_name)
{
    trial_needs_python();
    cr_expect(base_answers("", "\"status\": \"ok\""));
    cr_expect(base_answers(", \"repeats\": 3, \"warm_up\": 0", "\"status\": \"ok\""));
    cr_expect(base_answers(", \"repeats\": 0", "\\\"repeats\\\": 0 is no integer from 1 to 1000000"));
    cr_expect(base_answers(", \"repeats\": 1000001", "\\\"repeats\\\": 1000001 is no integer"));
    cr_expect(base_answers(", \"repeats\": true", "\\\"repeats\\\": True is no integer"));
    cr_expect(base_answers(", \"repeats\": 2.5", "\\\"repeats\\\": 2.5 is no integer"));
    cr_expect(base_answers(", \"rounds\": 16", "\\\"rounds\\\": 16 is no integer from 1 to 15"));
    cr_expect(base_answers(", \"warm_up\": -1", "\\\"warm_up\\\": -1 is no integer from 0 to 1000000"));
}
