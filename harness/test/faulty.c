/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/test/faulty.h"

#include "harness/formats/npy.h"
#include "harness/options/select.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

static double seconds_now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

struct trial *trial_create(void)
{
    struct trial *trial = calloc(1, sizeof *trial);
    cr_assert(trial);
    snprintf(trial->folder, sizeof trial->folder, "/tmp/assay-trial-XXXXXX");
    cr_assert(mkdtemp(trial->folder));
    trial->list = suite_list_create();
    cr_assert(trial->list);
    setenv("ASSAY_TEST_MARKS", trial->folder, 1);
    setenv("XDG_CACHE_HOME", trial->folder, 1);
    unsetenv("ASSAY_TEST_FAULTS");
    unsetenv("ASSAY_TEST_SLOW");
    unsetenv("ASSAY_TEST_LIMIT");
    unsetenv("ASSAY_TEST_ANSWER");
    unsetenv("ASSAY_TEST_VALUES");
    return trial;
}

void trial_destroy(struct trial **trial)
{
    char command[96];
    snprintf(command, sizeof command, "rm -rf %s", (*trial)->folder);
    cr_expect_eq(system(command), 0);
    suite_list_destroy(&(*trial)->list);
    results_destroy(&(*trial)->results);
    free(*trial);
    *trial = NULL;
}

void trial_faults(const char *format, ...)
{
    char text[4096];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    setenv("ASSAY_TEST_FAULTS", text, 1);
}

static pid_t start(struct trial *trial, const char *words)
{
    char *argv[64] = {"assay-faulty"}, *copy = strdup(words), log[96];
    int argc = 1;
    char expanded[32][160];
    for (char *word = strtok(copy, " "); word && argc < 32; word = strtok(NULL, " ")) {
        char *folder = strstr(word, "FOLDER");
        snprintf(expanded[argc], sizeof expanded[argc], "%.*s%s%s",
                 folder ? (int)(folder - word) : (int)strlen(word), word, folder ? trial->folder : "",
                 folder ? folder + 6 : "");
        argv[argc] = expanded[argc];
        argc++;
    }
    const char *program = getenv("ASSAY_FAULTY");
    program = program ? program : "build/test/assay-faulty";
    snprintf(log, sizeof log, "%s/output", trial->folder);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 1, log, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    posix_spawn_file_actions_adddup2(&actions, 1, 2);
    pid_t pid;
    cr_assert_eq(posix_spawn(&pid, program, &actions, NULL, argv, environ), 0, "cannot start %s", program);
    posix_spawn_file_actions_destroy(&actions);
    free(copy);
    return pid;
}

pid_t trial_start(struct trial *trial, const char *format, ...)
{
    char words[2048];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(words, sizeof words, format, arguments);
    va_end(arguments);
    trial->seconds = seconds_now();
    return start(trial, words);
}

void trial_wait(struct trial *trial, pid_t pid)
{
    int status;
    char log[96];
    cr_assert_eq(waitpid(pid, &status, 0), pid);
    trial->seconds = seconds_now() - trial->seconds;
    trial->status = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
    snprintf(log, sizeof log, "%s/output", trial->folder);
    FILE *file = fopen(log, "r");
    cr_assert(file);
    trial->output[fread(trial->output, 1, OUTPUT_MAX - 1, file)] = 0;
    fclose(file);
}

void trial_run(struct trial *trial, const char *format, ...)
{
    char words[2048];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(words, sizeof words, format, arguments);
    va_end(arguments);
    trial->seconds = seconds_now();
    trial_wait(trial, start(trial, words));
}

void trial_script(const struct trial *trial, const char *name, const char *text)
{
    char path[128];
    snprintf(path, sizeof path, "%s/%s", trial->folder, name);
    FILE *file = fopen(path, "w");
    cr_assert(file && fputs(text, file) >= 0 && fclose(file) == 0);
    cr_assert_eq(chmod(path, 0755), 0);
}

void trial_read(struct trial *trial, const char *name)
{
    char path[128];
    struct error error = {.text = ""};
    results_destroy(&trial->results);
    snprintf(path, sizeof path, "%s/%s", trial->folder, name);
    cr_assert(results_read(path, &trial->results, &error), "%s\n%s", error.text, trial->output);
}

const struct record *trial_record(const struct trial *trial, const char *id)
{
    const struct record *found = NULL;
    for (int r = 0; r < trial->results.records; r++) {
        if (strcmp(trial->results.record[r].id, id) == 0) {
            cr_assert_null(found, "%s has two records", id);
            found = &trial->results.record[r];
        }
    }
    cr_assert(found, "%s has no record\n%s", id, trial->output);
    return found;
}

double trial_first(const struct trial *trial, const char *name, int64_t *elements)
{
    char path[128];
    struct tensor tensor;
    struct error error = {.text = ""};
    snprintf(path, sizeof path, "%s/out/%s", trial->folder, name);
    cr_assert(npy_read(path, &tensor, &error), "%s", error.text);
    double x = tensor_component(&tensor, 0);
    if (elements) {
        *elements = shape_elements(&tensor.shape);
    }
    tensor_destroy(&tensor);
    return x;
}

const char *trial_id(const struct trial *trial, const char *glob, int n)
{
    int count = suite_list_count(trial->list);
    for (int i = 0; i < count; i++) {
        const char *id = suite_list_id(trial->list, i);
        if (suite_list_at(trial->list, i)->level == LEVEL_SMOKE && select_matches(glob, id) && n-- == 0) {
            return id;
        }
    }
    cr_assert_fail("there are too few cases for %s", glob);
    return NULL;
}

int trial_count(const struct trial *trial, const char *glob)
{
    int count = suite_list_count(trial->list), matching = 0;
    for (int i = 0; i < count; i++) {
        matching += suite_list_at(trial->list, i)->level == LEVEL_SMOKE &&
                    select_matches(glob, suite_list_id(trial->list, i));
    }
    return matching;
}
