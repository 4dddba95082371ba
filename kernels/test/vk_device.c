/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "kernels/test/trial.h"
#include "kernels/test/violation.h"
#include "kernels/vulkan/internal.h"
#include "kernels/vulkan/kernel.h"

#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

Test(vk_device, unknown_selector_lists_what_there_is)
{
    struct error error = {0};
    struct vk_device *device = vk_device_create(
        &(struct vk_device_parameters){.selector = "no such device", .no_disk_cache = true}, &error);
    cr_assert_null(device);
    cr_assert(strstr(error.text, "no such device") && strstr(error.text, "0: "), "%s", error.text);
    vk_device_destroy(&device);
}

Test(vk_device, selected_by_index_and_by_part_of_the_name)
{
    struct vk_device_info best, again;
    struct vk_device *device = vk_device_create(&(struct vk_device_parameters){.no_disk_cache = true}, NULL);
    cr_assert(device);
    vk_device_info(device, &best);
    vk_device_destroy(&device);
    char part[6];
    snprintf(part, sizeof part, "%.5s", best.name);
    for (char *c = part; *c; c++) {
        *c = (char)(*c >= 'a' && *c <= 'z' ? *c - 32 : *c);
    }
    device = vk_device_create(&(struct vk_device_parameters){.selector = part, .no_disk_cache = true}, NULL);
    cr_assert(device, "%s", part);
    vk_device_info(device, &again);
    cr_assert_str_eq(best.name, again.name);
    cr_assert_eq(best.profile.accumulate[DTYPE_FLOAT16], DTYPE_FLOAT32);
    cr_assert_eq(best.profile.subnormals[DTYPE_FLOAT16], SUBNORMALS_KEPT);
    vk_device_destroy(&device);
}

Test(vk_device, loop_limit_is_above_what_kernels_use)
{
    char text[512] = "";
    struct vk_device *device =
        vk_device_create(&(struct vk_device_parameters){.validate = true, .no_disk_cache = true}, NULL);
    cr_assert(device);
    cr_assert_eq(vk_device_loop_limit(device, VK_LOOP_LIMIT), VK_LOOP_LIMIT);
    const int64_t counted = vk_device_loop_limit(device, 200000);
    cr_assert(counted >= VK_LOOP_LIMIT && counted <= 200000);
    cr_assert_eq(vk_device_messages(device, text, sizeof text), 0, "%s", text);
    vk_device_destroy(&device);
}

Test(vk_device, loop_limit_follows_from_device_type_and_probe)
{
    cr_assert_eq(vk_loop_limit(true, VK_LOOPS_PROBED), 60000);
    cr_assert_eq(vk_loop_limit(true, 10), 60000); /* a CPU is not probed */
    cr_assert_eq(vk_loop_limit(false, -1), 60000);
    cr_assert_eq(vk_loop_limit(false, VK_LOOPS_PROBED), VK_LOOPS_UNLIMITED);
    cr_assert_eq(vk_loop_limit(false, 65535), 60073);
    cr_assert_eq(vk_loop_limit(false, 1200), 1100);
    cr_assert_eq(vk_loop_limit(false, VK_LOOPS_PROBED - 1), 183332);
    cr_assert_eq(vk_loop_limit(false, 0), 1);
    struct vk_device *device =
        vk_device_create(&(struct vk_device_parameters){.selector = "llvmpipe", .no_disk_cache = true}, NULL);
    if (!device) {
        cr_skip_test("no llvmpipe here");
    }
    cr_assert_eq(vk_device_loops(device), 60000);
    vk_device_destroy(&device);
}

Test(vk_device, list_shows_each_device)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    cr_assert_gt(vk_device_list(out), 0);
    fclose(out);
    cr_assert(strstr(text, "usable            yes") && strstr(text, "loop iterations") &&
                  strstr(text, "heap 0"),
              "%s", text);
    free(text);
}

static struct view three_numbers(struct trial *trial)
{
    const struct shape shape = shape_of(1, (int64_t)3);
    struct view x = program_input(trial->program, DTYPE_FLOAT32, &shape);
    program_set(trial->program, &x, 0, 0, -2);
    program_set(trial->program, &x, 1, 0, 0);
    program_set(trial->program, &x, 2, 0, 5);
    return x;
}

static void violation_is_seen(bool staging)
{
    struct trial trial = trial_open(
        &(struct vk_device_parameters){.validate = true, .staging = staging, .no_disk_cache = true});
    char text[512] = "";
    const struct view x = three_numbers(&trial);
    trial_step(&trial, "sgn", 1, &x);
    trial_run(&trial);
    cr_assert_eq(trial.result[0].status, LAUNCH_OK);
    cr_assert_eq(vk_device_messages(trial.device, text, sizeof text), 0, "%s", text);
    cr_assert(vk_commit_violation(trial.device, NULL));
    cr_assert_gt(vk_device_messages(trial.device, text, sizeof text), 0);
    cr_assert(strstr(text, "SYNC-HAZARD-WRITE-AFTER-WRITE"), "%s", text);
    cr_assert_eq(vk_device_messages(trial.device, text, sizeof text), 0, "counted once");
    trial_close(&trial);
}

Test(vk_device, validation_is_silent_on_us_and_sees_a_hazard)
{
    violation_is_seen(false);
}

Test(vk_device, validation_is_silent_on_staged_copies)
{
    violation_is_seen(true);
}

Test(vk_device, missing_validation_layer_is_a_clear_error)
{
    struct error error = {0};
    setenv("VK_LAYER_PATH", "/nonexistent", 1);
    struct vk_device *device =
        vk_device_create(&(struct vk_device_parameters){.validate = true, .no_disk_cache = true}, &error);
    cr_assert_null(device);
    cr_assert(strstr(error.text, "VK_LAYER_KHRONOS_validation is not installed"), "%s", error.text);
}

/* One worker of a run with --jobs 1 meets every operator, dtype and reduction there is. */
Test(vk_device, any_number_of_pipelines_and_each_is_found_again)
{
    enum { MANY = 1100 }; /* the table of 512 doubles at 257 and at 513 */
    static VkPipeline made[MANY];
    struct error error = {0};
    struct vk_device *device =
        vk_device_create(&(struct vk_device_parameters){.no_disk_cache = true}, &error);
    cr_assert(device, "%s", error.text);
    struct vk_pipeline_key key = {.shader = vk_shader_find("probe.loop"), .constants = {VK_WORKGROUP}};
    cr_assert_not_null(key.shader);
    for (uint32_t i = 0; i < MANY; i++) {
        key.constants[1] = i;
        cr_assert_eq(vk_pipelines_get(device->pipelines, &key, &made[i], &error), VK_PIPELINE_OK, "%u: %s", i,
                     error.text);
    }
    for (uint32_t i = 0; i < MANY; i++) {
        VkPipeline again;
        key.constants[1] = i;
        cr_assert_eq(vk_pipelines_get(device->pipelines, &key, &again, &error), VK_PIPELINE_OK);
        cr_assert_eq(again, made[i], "%u", i);
        cr_assert(i == 0 || made[i] != made[i - 1]);
    }
    vk_device_destroy(&device);
}

/* The most recently used pipelines stay; the others are destroyed, and made again when they are requested. */
Test(vk_device, of_many_pipelines_those_asked_for_last_are_kept)
{
    enum { MANY = 600, MOST = 40, LEFT = 30 };
    static VkPipeline made[MANY];
    struct error error = {0};
    struct vk_device *device =
        vk_device_create(&(struct vk_device_parameters){.no_disk_cache = true}, &error);
    cr_assert(device, "%s", error.text);
    struct vk_pipeline_key key = {.shader = vk_shader_find("probe.loop"), .constants = {VK_WORKGROUP}};
    const int64_t *live = &device->objects.live[VK_OBJECT_PIPELINE], before = *live;
    for (uint32_t i = 0; i < MANY; i++) {
        key.constants[1] = i;
        cr_assert_eq(vk_pipelines_get(device->pipelines, &key, &made[i], &error), VK_PIPELINE_OK);
    }
    VkPipeline again;
    key.constants[1] = 7; /* old, but requested just now */
    cr_assert_eq(vk_pipelines_get(device->pipelines, &key, &again, &error), VK_PIPELINE_OK);
    vk_pipelines_trim(device->pipelines, MANY);
    cr_assert_eq(*live, before + MANY, "no more than may be: all are kept");
    vk_pipelines_trim(device->pipelines, MOST);
    cr_assert_eq(*live, before + LEFT, "%lld", (long long)*live);
    for (uint32_t i = MANY - 1; i >= MANY - LEFT + 1; i--) {
        key.constants[1] = i;
        cr_assert_eq(vk_pipelines_get(device->pipelines, &key, &again, &error), VK_PIPELINE_OK);
        cr_assert_eq(again, made[i], "%u", i);
    }
    key.constants[1] = 7;
    cr_assert_eq(vk_pipelines_get(device->pipelines, &key, &again, &error), VK_PIPELINE_OK);
    cr_assert_eq(again, made[7]);
    cr_assert_eq(*live, before + LEFT, "none of them was made again");
    key.constants[1] = 8;
    cr_assert_eq(vk_pipelines_get(device->pipelines, &key, &again, &error), VK_PIPELINE_OK);
    cr_assert_eq(*live, before + LEFT + 1, "this one was");
    vk_device_destroy(&device);
}

Test(vk_device, pipeline_cache_that_is_a_fifo_does_not_hang)
{
    char directory[] = "/tmp/assay-cache-XXXXXX", command[256];
    cr_assert(mkdtemp(directory));
    setenv("XDG_CACHE_HOME", directory, 1);
    struct trial trial = trial_open(&(struct vk_device_parameters){0});
    const struct view x = three_numbers(&trial);
    trial_step(&trial, "sgn", 1, &x);
    trial_run(&trial);
    trial_close(&trial);
    snprintf(command, sizeof command, "f=$(ls %s/assay/pipelines-*) && rm $f && mkfifo $f", directory);
    cr_assert_eq(system(command), 0);
    alarm(20);
    struct vk_device *device = vk_device_create(&(struct vk_device_parameters){0}, NULL);
    cr_expect(device);
    vk_device_destroy(&device);
    alarm(0);
    snprintf(command, sizeof command, "rm -r %s", directory);
    cr_assert_eq(system(command), 0);
}

Test(vk_device, damaged_pipeline_cache_is_ignored_and_replaced)
{
    char directory[] = "/tmp/assay-cache-XXXXXX", command[128], path[256] = "";
    cr_assert(mkdtemp(directory));
    setenv("XDG_CACHE_HOME", directory, 1);
    for (int round = 0; round < 3; round++) {
        struct trial trial = trial_open(&(struct vk_device_parameters){0});
        const struct view x = three_numbers(&trial);
        const struct view y = trial_step(&trial, "sgn", 1, &x)->output[0];
        trial_run(&trial);
        cr_assert_eq(trial_value(&trial, &y, 2, 0), 1);
        trial_close(&trial);
        snprintf(command, sizeof command, "ls %s/assay/pipelines-*", directory);
        FILE *list = popen(command, "r");
        cr_assert(list && fscanf(list, "%255s", path) == 1, "round %d left no cache", round);
        pclose(list);
        if (round == 0) { /* cut it short; the next round must write it anew */
            cr_assert_eq(truncate(path, 20), 0);
        } else {
            struct stat status;
            cr_assert_eq(stat(path, &status), 0);
            cr_assert_gt(status.st_size, 24);
        }
    }
    snprintf(command, sizeof command, "rm -r %s", directory);
    cr_assert_eq(system(command), 0);
}
