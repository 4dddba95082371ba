/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/test/trial.h"

#include "harness/formats/npy.h"
#include "harness/selection/select.h"

#include <criterion/criterion.h>
#include <dirent.h>
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

struct trial *trial;

void trial_begin(void)
{
    static const char *const switches[] = {"ASSAY_TEST_FAULTS",   "ASSAY_TEST_SLOW",   "ASSAY_TEST_LIMIT",
                                           "ASSAY_TEST_ANSWER",   "ASSAY_TEST_VALUES", "ASSAY_TEST_STATE",
                                           "ASSAY_TEST_PROCEDURE"};
    trial = calloc(1, sizeof *trial);
    cr_assert(trial);
    snprintf(trial->folder, sizeof trial->folder, "/tmp/assay-trial-XXXXXX");
    cr_assert(mkdtemp(trial->folder));
    trial->list = suite_list_create();
    cr_assert(trial->list);
    char *adapters = realpath("harness/adapters", NULL); /* which programs in build/test do not look for */
    if (adapters) {
        setenv("ASSAY_ADAPTERS", adapters, 0);
    }
    free(adapters);
    setenv("ASSAY_TEST_MARKS", trial->folder, 1);
    setenv("XDG_CACHE_HOME", trial->folder, 1);
    for (size_t i = 0; i < sizeof switches / sizeof *switches; i++) {
        unsetenv(switches[i]);
    }
}

void trial_end(void)
{
    char command[96];
    snprintf(command, sizeof command, "rm -rf %s", trial->folder);
    cr_expect_eq(system(command), 0);
    suite_list_destroy(&trial->list);
    results_destroy(&trial->results);
    free(trial);
    trial = NULL;
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

static const char *faulty(void)
{
    const char *program = getenv("ASSAY_FAULTY");
    return program ? program : "build/test/assay-faulty";
}

static pid_t start(const char *format, va_list arguments)
{
    char *argv[64] = {"assay-faulty"}, words[2048], log[96];
    int argc = 1;
    char expanded[32][160];
    vsnprintf(words, sizeof words, format, arguments);
    for (char *word = strtok(words, " "); word && argc < 32; word = strtok(NULL, " ")) {
        char *folder = strstr(word, "FOLDER");
        snprintf(expanded[argc], sizeof expanded[argc], "%.*s%s%s",
                 folder ? (int)(folder - word) : (int)strlen(word), word, folder ? trial->folder : "",
                 folder ? folder + 6 : "");
        argv[argc] = expanded[argc];
        argc++;
    }
    const char *program = faulty();
    snprintf(log, sizeof log, "%s/output", trial->folder);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 1, log, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    posix_spawn_file_actions_adddup2(&actions, 1, 2);
    pid_t pid;
    trial->seconds = seconds_now();
    cr_assert_eq(posix_spawn(&pid, program, &actions, NULL, argv, environ), 0, "cannot start %s", program);
    posix_spawn_file_actions_destroy(&actions);
    return pid;
}

pid_t trial_start(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    pid_t pid = start(format, arguments);
    va_end(arguments);
    return pid;
}

void trial_wait(pid_t pid)
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

void trial_run(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    pid_t pid = start(format, arguments);
    va_end(arguments);
    trial_wait(pid);
}

void trial_shell(const char *command)
{
    char *whole;
    cr_assert_geq(asprintf(&whole, "cd %s && %s", trial->folder, command), 0);
    cr_assert_eq(system(whole), 0, "%s", command);
    free(whole);
}

void trial_expect(int status, const char *part)
{
    cr_expect_eq(trial->status, status, "exit %d: %s", trial->status, trial->output);
    cr_expect(strstr(trial->output, part), "\"%s\" lacks \"%s\"", trial->output, part);
}

void trial_run_expect(int status, const char *part, const char *words)
{
    trial_run("%s", words);
    cr_expect_eq(trial->status, status, "assay %s: exit %d: %s", words, trial->status, trial->output);
    cr_expect(strstr(trial->output, part), "assay %s: \"%s\" lacks \"%s\"", words, trial->output, part);
}

json_t *trial_json(void)
{
    json_t *json = json_loads(trial->output, 0, NULL);
    cr_assert_not_null(json, "%s", trial->output);
    return json;
}

const char *trial_path(const char *name)
{
    static char path[4][200];
    static int turn;
    cr_assert(trial, "trial_begin comes first");
    turn = (turn + 1) % 4;
    cr_assert_lt((size_t)snprintf(path[turn], sizeof path[turn], "%s/%s", trial->folder, name),
                 sizeof path[turn]);
    return path[turn];
}

bool trial_has(const char *name)
{
    return access(trial_path(name), F_OK) == 0;
}

void trial_write(const char *name, const char *text)
{
    FILE *file = fopen(trial_path(name), "w");
    cr_assert(file && fputs(text, file) >= 0 && fclose(file) == 0);
}

void trial_script(const char *name, const char *text)
{
    trial_write(name, text);
    cr_assert_eq(chmod(trial_path(name), 0755), 0);
}

void trial_peculiar(const char *peculiarity, const char *greeting)
{
    char script[PATH_MAX + 256];
    trial_write("greeting", greeting);
    snprintf(script, sizeof script, "#!/bin/sh\nexec %s %s %s\n", trial_program("peculiar"), peculiarity,
             trial_path("greeting"));
    trial_script("p", script);
}

void trial_array(const char *name, struct shape shape, const double *x)
{
    cr_assert(npy_write(trial_path(name), 1, &shape, x, NULL));
}

void trial_matrix(const char *name, int64_t rows, int64_t columns, double (*entry)(int64_t i, int64_t j))
{
    double *x = malloc((size_t)(rows * columns) * sizeof *x);
    cr_assert_not_null(x);
    for (int64_t k = 0; k < rows * columns; k++) {
        x[k] = entry(k / columns, k % columns);
    }
    trial_array(name, shape_of(2, rows, columns), x);
    free(x);
}

double trial_hilbert(int64_t i, int64_t j)
{
    return 1.0 / (double)(i + j + 1);
}

const char *trial_program(const char *name)
{
    static char path[PATH_MAX];
    char *whole = realpath(faulty(), NULL);
    cr_assert_not_null(whole, "ASSAY_FAULTY names build/test/assay-faulty");
    cr_assert_lt(
        (size_t)snprintf(path, sizeof path, "%.*s/%s", (int)(strrchr(whole, '/') - whole), whole, name),
        sizeof path);
    free(whole);
    return path;
}

void trial_needs_python(void)
{
    if (system("python3 -c '' 2>/dev/null") != 0) {
        cr_skip_test("no python3: what speaks it is not tried");
    }
}

void trial_needs_modules(const char *modules)
{
    const char *candidates[] = {"build/adapters/bin/python", getenv("ASSAY_PYTHON"), "python3"};
    for (size_t c = 0; c < sizeof candidates / sizeof *candidates; c++) {
        char command[512];
        if (!candidates[c]) {
            continue;
        }
        snprintf(command, sizeof command, "'%s' -c 'import %s' 2>/dev/null", candidates[c], modules);
        if (system(command) == 0) {
            setenv("ASSAY_PYTHON", candidates[c], 1);
            return;
        }
    }
    cr_skip_test("no Python here has %s (make adapters): not tried", modules);
}

void trial_read(const char *name)
{
    char path[128];
    struct error error = {.text = ""};
    results_destroy(&trial->results);
    snprintf(path, sizeof path, "%s/%s", trial->folder, name);
    cr_assert(results_read(path, &trial->results, &error), "%s\n%s", error.text, trial->output);
}

const struct record *trial_record(const char *id)
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

int trial_records(enum status status)
{
    int count = 0;
    for (int r = 0; r < trial->results.records; r++) {
        count += trial->results.record[r].status == status;
    }
    return count;
}

double trial_first(const char *name, int64_t *elements)
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

const char *trial_id(const char *glob, int n)
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

int trial_count(const char *glob)
{
    int count = suite_list_count(trial->list), matching = 0;
    for (int i = 0; i < count; i++) {
        matching += suite_list_at(trial->list, i)->level == LEVEL_SMOKE &&
                    select_matches(glob, suite_list_id(trial->list, i));
    }
    return matching;
}

int trial_processes(const char *words)
{
    DIR *all = opendir("/proc");
    int count = 0;
    cr_assert(all, "the processes are counted in /proc");
    for (struct dirent *one; (one = readdir(all));) {
        char path[300], line[4096] = "";
        snprintf(path, sizeof path, "/proc/%s/cmdline", one->d_name);
        FILE *file = one->d_name[0] >= '1' && one->d_name[0] <= '9' ? fopen(path, "rb") : NULL;
        size_t length = file ? fread(line, 1, sizeof line - 1, file) : 0;
        for (size_t k = 0; k + 1 < length; k++) {
            line[k] = line[k] ? line[k] : ' ';
        }
        count += strstr(line, words) != NULL;
        if (file) {
            fclose(file);
        }
    }
    closedir(all);
    return count;
}

void trial_await(const char *words)
{
    for (int i = 0; i < 1000 && trial_processes(words) == 0; i++) {
        usleep(20000);
    }
}
