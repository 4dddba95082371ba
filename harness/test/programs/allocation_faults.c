/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* A library for LD_PRELOAD that makes allocations of assay fail; harness/test/allocations.sh uses it (glibc
 * only).
 *
 *   ASSAY_FAIL_ROLE   "worker" or "parent": the processes of assay that it concerns; none without it
 *   ASSAY_FAIL_AT     the first allocation that fails, counted from 1 in each process; 0 or absent: none
 *   ASSAY_FAIL_COUNT  how many fail in turn; 0: all from there on
 *   ASSAY_FAIL_HIT    a file to which each process appends the stack of its first allocation that failed
 *   ASSAY_FAIL_SUM    a file to which each process appends a line at its end: its allocations before its work
 *                     began (the parent starts a worker, the worker answers), and all of its allocations
 */

#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ANSWERS_FD = 4 /* harness/workers/child.h */, DEPTH = 48 };

/* glibc's own names of what this file replaces. */
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *memory, size_t size);
void *__libc_memalign(size_t alignment, size_t size);

static bool ready, concerned;
static long first, count;
static _Atomic long taken;
static long taken_before_work = -1;

static int open_named(const char *variable)
{
    const char *path = getenv(variable);
    return path ? open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666) : -1;
}

/* Appends the stack to ASSAY_FAIL_HIT. What backtrace allocates the first time must not fail. */
static void note_stack(void)
{
    void *frame[DEPTH];
    int file = open_named("ASSAY_FAIL_HIT");
    if (file >= 0) {
        concerned = false;
        backtrace_symbols_fd(frame, backtrace(frame, DEPTH), file);
        concerned = true;
        close(file);
    }
}

static long number_of(const char *variable)
{
    const char *text = getenv(variable);
    return text ? atol(text) : 0;
}

/* Reads the variables. It runs before main, while the process has one thread, and allocates nothing. */
static void prepare(void)
{
    char line[4096];
    int file = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
    ssize_t length = file >= 0 ? read(file, line, sizeof line - 1) : 0;
    if (file >= 0) {
        close(file);
    }
    line[length > 0 ? length : 0] = '\0';
    const char *slash = strrchr(line, '/'), *name = slash ? slash + 1 : line;
    const char *argument = line + strlen(line) + 1, *role = getenv("ASSAY_FAIL_ROLE");
    bool worker = argument < line + length && strcmp(argument, "worker") == 0;
    ready = true;
    concerned = role && strncmp(name, "assay", 5) == 0 && worker == (strcmp(role, "worker") == 0);
    first = number_of("ASSAY_FAIL_AT");
    count = number_of("ASSAY_FAIL_COUNT");
}

static bool fails(void)
{
    if (!ready) {
        prepare();
    }
    if (!concerned) {
        return false;
    }
    const long number = atomic_fetch_add(&taken, 1) + 1;
    const bool failing = first > 0 && number >= first && (count == 0 || number < first + count);
    if (failing && number == first) {
        note_stack();
    }
    if (failing) {
        errno = ENOMEM;
    }
    return failing;
}

void *malloc(size_t size)
{
    return fails() ? NULL : __libc_malloc(size);
}

void *calloc(size_t number, size_t size)
{
    return fails() ? NULL : __libc_calloc(number, size);
}

void *realloc(void *memory, size_t size)
{
    return fails() ? NULL : __libc_realloc(memory, size);
}

void *aligned_alloc(size_t alignment, size_t size)
{
    return fails() ? NULL : __libc_memalign(alignment, size);
}

void *memalign(size_t alignment, size_t size)
{
    return fails() ? NULL : __libc_memalign(alignment, size);
}

int posix_memalign(void **memory, size_t alignment, size_t size)
{
    void *made = fails() ? NULL : __libc_memalign(alignment, size);
    if (made) {
        *memory = made;
    }
    return made ? 0 : ENOMEM;
}

static void note_work(void)
{
    if (concerned && taken_before_work < 0) {
        taken_before_work = atomic_load(&taken);
    }
}

int posix_spawn(pid_t *pid, const char *path, const posix_spawn_file_actions_t *actions,
                const posix_spawnattr_t *attributes, char *const argv[], char *const environment[])
{
    int (*spawn)(pid_t *, const char *, const posix_spawn_file_actions_t *, const posix_spawnattr_t *,
                 char *const[], char *const[]);
    *(void **)&spawn = dlsym(RTLD_NEXT, "posix_spawn");
    note_work();
    return spawn(pid, path, actions, attributes, argv, environment);
}

ssize_t write(int file, const void *bytes, size_t size)
{
    static ssize_t (*next)(int, const void *, size_t);
    if (!next) {
        *(void **)&next = dlsym(RTLD_NEXT, "write");
    }
    if (file == ANSWERS_FD) {
        note_work();
    }
    return next(file, bytes, size);
}

static void report(void) __attribute__((destructor));
static void report(void)
{
    int file = concerned ? open_named("ASSAY_FAIL_SUM") : -1;
    if (file >= 0) {
        dprintf(file, "%ld %ld\n", taken_before_work, atomic_load(&taken));
        close(file);
    }
}
