/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/bench/kernel_worker.h"

#include "harness/backends/backends.h"
#include "harness/bench/kernel_rows.h"
#include "harness/host/clock.h"
#include "harness/host/descriptors.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

/* The copy that is the ceiling reads and writes this much; it is beyond the caches of current devices. */
enum { COPY_ELEMENTS = 1 << 28, COPY_LEAST = 1 << 16 };

struct request {
    int row;
    enum kernel_role role;
};

/* --- the process of a backend */

/* Returns the bytes of memory that this machine can give; 0 if that is unknown. */
static int64_t host_memory(void)
{
    long long kibibytes = 0;
    char line[128];
    FILE *file = fopen("/proc/meminfo", "r");
    while (file && fgets(line, sizeof line, file)) {
        if (sscanf(line, "MemAvailable: %lld kB", &kibibytes) == 1) {
            break;
        }
    }
    if (file) {
        fclose(file);
    }
    return kibibytes > 0 ? kibibytes * 1024 : (int64_t)sysconf(_SC_PHYS_PAGES) * sysconf(_SC_PAGESIZE);
}

bool kernel_fits(int64_t bytes, uint64_t device, int64_t host, struct kernel_measured *measured)
{
    enum { COPIES = 3 };
    const double mebibyte = 1 << 20, needed = (double)bytes,
                 most = 0.9 * (double)device; /* the default limit */
    if ((device == 0 || needed <= most) && (host <= 0 || COPIES * needed <= (double)host)) {
        return true;
    }
    measured->status = STEP_OUT_OF_MEMORY;
    if (device > 0 && needed > most) {
        snprintf(measured->message, sizeof measured->message,
                 "needs %.0f MiB of the device's memory, of which %.0f MiB may be used; see --scale",
                 needed / mebibyte, most / mebibyte);
    } else {
        snprintf(measured->message, sizeof measured->message,
                 "needs %.0f MiB of this machine's memory, of which %.0f MiB are free; see --scale",
                 COPIES * needed / mebibyte, (double)host / mebibyte);
    }
    return false;
}

static void measure_row(const struct backend_class *class, struct backend *backend,
                        const struct kernel_row *row, uint64_t seed, enum kernel_role role, int file,
                        struct kernel_measured *measured)
{
    struct backend_info info;
    struct error error;
    class->info(backend, &info);
    *measured = (struct kernel_measured){.status = STEP_ERROR};
    if (!kernel_fits(kernel_row_bytes(row), info.memory_bytes, host_memory(), measured)) {
        return;
    }
    struct program *program = kernel_row_build(row, seed, &error);
    if (program) {
        kernel_measure(class, backend, program, role, file, measured);
    } else {
        snprintf(measured->message, sizeof measured->message, "%.*s", (int)sizeof measured->message - 1,
                 error.text);
    }
    program_destroy(&program);
}

/* Measures the ceiling: by the backend's own copy, else by the operator clone. Leaves the reason in
 * hello->why where there is none. */
static void measure_copy(const struct backend_class *class, struct backend *backend, int64_t scale,
                         struct kernel_hello *hello)
{
    const int64_t scaled = COPY_ELEMENTS / scale, memory = (int64_t)(hello->memory_bytes / 16);
    int64_t elements = scaled > COPY_LEAST ? scaled : COPY_LEAST;
    if (memory > 0 && elements * (int64_t)sizeof(float) > memory) { /* both copies take an eighth */
        elements = memory / (int64_t)sizeof(float);
    }
    struct kernel_measured measured = {.message = ""};
    struct error error = {.text = ""};
    if (class->copy_rate) {
        class->copy_rate(backend, (uint64_t)elements * sizeof(float), &hello->copy_rate, &error);
        snprintf(measured.message, sizeof measured.message, "%.*s", (int)sizeof measured.message - 1,
                 error.text);
    } else {
        const struct kernel_row row = kernel_row_copy(elements);
        measure_row(class, backend, &row, 1, KERNEL_TIME, -1, &measured);
        if (measured.status == STEP_OK && measured.seconds > 0) {
            hello->copy_rate = (double)measured.bytes / measured.seconds;
        }
    }
    memcpy(hello->why, measured.message, sizeof hello->why);
}

static struct backend *open_backend(const char *name, const struct backend_class **class,
                                    struct kernel_hello *hello)
{
    const char *selector;
    struct error error = {.text = ""};
    struct backend_info info;
    *class = backends_find(name, &selector, &error);
    struct backend *backend =
        *class ? (*class)->open(&(struct backend_options){.selector = selector}, &error) : NULL;
    if (!backend) {
        snprintf(hello->why, sizeof hello->why, "%.*s", (int)sizeof hello->why - 1, error.text);
        return NULL;
    }
    (*class)->info(backend, &info);
    hello->is_open = true;
    memcpy(hello->device, info.device, sizeof hello->device);
    hello->memory_bytes = info.memory_bytes;
    return backend;
}

/* The process: opens the backend, says so, and measures until its parent closes the line. */
static void serve(const struct kernel_workers *workers, int index, int line)
{
    const struct kernel_worker *worker = &workers->worker[index];
    const struct backend_class *class;
    struct kernel_hello hello = {.is_open = false};
    struct kernel_measured measured;
    struct request request;
    struct backend *backend = open_backend(worker->backend, &class, &hello);
    if (backend && worker->hello.is_open) { /* the process was started again */
        hello.copy_rate = worker->hello.copy_rate;
    } else if (backend) {
        measure_copy(class, backend, workers->scale, &hello);
    }
    bool going = descriptor_write(line, &hello, sizeof hello) && backend;
    while (going && descriptor_read(line, &request, sizeof request)) {
        const struct kernel_row row = kernel_row(request.row, workers->scale);
        measure_row(class, backend, &row, workers->seed, request.role, workers->file, &measured);
        going = descriptor_write(line, &measured, sizeof measured);
    }
    if (backend) {
        class->close(&backend);
    }
}

/* --- the parent's side */

/* Waits for an answer. Returns false after KERNEL_SECONDS, and if the process has ended. */
static bool receive(const struct kernel_worker *worker, void *answer, size_t size)
{
    struct pollfd wait = {.fd = worker->line, .events = POLLIN};
    const double until = clock_seconds() + KERNEL_SECONDS;
    int ready;
    do {
        const double left = until - clock_seconds();
        ready = left > 0 ? poll(&wait, 1, (int)(left * 1e3) + 1) : 0;
    } while (ready < 0 && errno == EINTR);
    return ready > 0 && descriptor_read(worker->line, answer, size);
}

/* Ends a process that does not answer, and says how it ended. */
static void end(struct kernel_worker *worker, char *text, size_t size)
{
    int status = 0;
    const pid_t ended = waitpid(worker->pid, &status, WNOHANG);
    struct pollfd closed = {.fd = worker->line, .events = POLLIN};
    const bool is_silent = ended == 0 && poll(&closed, 1, 0) == 0;
    if (is_silent) {
        kill(worker->pid, SIGKILL);
    }
    if (ended == 0) {
        waitpid(worker->pid, &status, 0);
    }
    if (is_silent) {
        snprintf(text, size, "gave no answer within %d s and was ended; see --scale", (int)KERNEL_SECONDS);
    } else if (WIFSIGNALED(status)) {
        snprintf(text, size, "the process of this backend died of signal %d, %s", WTERMSIG(status),
                 strsignal(WTERMSIG(status)));
    } else {
        snprintf(text, size, "the process of this backend exited with status %d", WEXITSTATUS(status));
    }
    close(worker->line);
    worker->pid = 0;
}

bool kernel_worker_start(const struct kernel_workers *workers, int index)
{
    struct kernel_worker *worker = &workers->worker[index];
    int line[2];
    fflush(NULL);
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, line) != 0) {
        snprintf(worker->hello.why, sizeof worker->hello.why, "cannot make a socket: %s", strerror(errno));
        return false;
    }
    const pid_t pid = fork();
    if (pid == 0) {
        close(line[0]);
        for (int w = 0; w < workers->count; w++) { /* else those processes would not see their parent end */
            if (workers->worker[w].pid > 0) {
                close(workers->worker[w].line);
            }
        }
        serve(workers, index, line[1]);
        fflush(NULL);
        _exit(0);
    }
    close(line[1]);
    if (pid < 0) {
        snprintf(worker->hello.why, sizeof worker->hello.why, "cannot start a process: %s", strerror(errno));
        close(line[0]);
        return false;
    }
    worker->pid = pid;
    worker->line = line[0];
    struct kernel_hello hello;
    if (!receive(worker, &hello, sizeof hello)) {
        worker->hello.is_open = false;
        end(worker, worker->hello.why, sizeof worker->hello.why);
        return false;
    }
    worker->hello = hello;
    if (!hello.is_open) {
        kernel_worker_stop(worker);
    }
    return hello.is_open;
}

void kernel_worker_measure(const struct kernel_workers *workers, int index, int row, enum kernel_role role,
                           struct kernel_measured *measured)
{
    struct kernel_worker *worker = &workers->worker[index];
    const struct request request = {.row = row, .role = role};
    *measured = (struct kernel_measured){.status = STEP_CRASHED};
    if (worker->pid == 0 && !kernel_worker_start(workers, index)) {
        measured->status = STEP_ERROR;
        memcpy(measured->message, worker->hello.why, sizeof measured->message);
    } else if (!descriptor_write(worker->line, &request, sizeof request) ||
               !receive(worker, measured, sizeof *measured)) {
        *measured = (struct kernel_measured){.status = STEP_CRASHED};
        end(worker, measured->message, sizeof measured->message);
    }
}

void kernel_worker_stop(struct kernel_worker *worker)
{
    if (worker->pid > 0) {
        close(worker->line);
        waitpid(worker->pid, NULL, 0);
        worker->pid = 0;
    }
}
