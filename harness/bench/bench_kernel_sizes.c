/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Measures kernels at real sizes on several backends, without truths. The last backend is the reference: its
 * results and times are what the others are compared with. */

#include "harness/bench/bench.h"
#include "harness/bench/kernel_rows.h"
#include "harness/bench/kernel_worker.h"
#include "harness/host/nearest.h"
#include "reports/text.h"

#include <fnmatch.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LINE_COLUMNS = 80, COLUMN = 40 /* of a row's name and the number of its backend */ };

struct table {
    struct kernel_workers workers;
    struct kernel_measured *measured; /* one per backend */
    bool is_terminal;
    int rows, wanted, measurements;
    int different, unmeasured;
    bool some_single, some_fast; /* footnotes are due */
};

/* --- which rows */

static bool matches(const struct texts *globs, const char *name, const char *op)
{
    for (int g = 0; g < globs->count; g++) {
        char longer[KERNEL_NAME + 8];
        snprintf(longer, sizeof longer, "%.*s/*", KERNEL_NAME, globs->text[g]);
        if (fnmatch(globs->text[g], name, 0) == 0 || fnmatch(globs->text[g], op, 0) == 0 ||
            fnmatch(longer, name, 0) == 0) {
            return true;
        }
    }
    return false;
}

/* The names of unscaled rows select: they do not change with --scale. */
static bool is_wanted(int index, const struct plan_options *options, const struct texts *globs)
{
    char name[KERNEL_NAME];
    const struct kernel_row row = kernel_row(index, 1);
    kernel_row_name(&row, name);
    return (globs->count == 0 || matches(globs, name, row.op)) && !matches(&options->excludes, name, row.op);
}

static int refuse_globs(const struct texts *globs)
{
    struct nearest nearest = {.word = globs->count > 0 ? globs->text[0] : ""};
    for (int r = 0; r < kernel_rows(); r++) {
        nearest_offer(&nearest, kernel_row(r, 1).op);
    }
    return nearest.best && globs->count > 0
               ? options_fault("bench kernels --sizes: no row matches \"%s\"; did you mean %s?",
                               globs->text[0], nearest.best)
               : options_fault("bench kernels --sizes: no row is selected; without a glob or --exclude it "
                               "measures all %d",
                               kernel_rows());
}

/* --- output */

static void print_rate(char *text, size_t size, double per_second, const char *unit)
{
    static const char prefix[] = "kMGTP";
    int p = 0;
    double x = per_second * 1e-3;
    while (x >= 999.5 && prefix[p + 1]) {
        x *= 1e-3;
        p++;
    }
    snprintf(text, size, "%.*f %c%s", x < 9.995 ? 2 : x < 99.95 ? 1 : 0, x, prefix[p], unit);
}

/* Writes a ratio with two or three digits. */
static void print_ratio(char *text, size_t size, double ratio)
{
    snprintf(text, size, "%.*f", ratio < 9.995 ? 2 : ratio < 99.95 ? 1 : 0, ratio);
}

/* Writes microseconds in at most eight characters. */
static void print_time(char *text, size_t size, const struct kernel_measured *m)
{
    const double us = m->seconds * 1e6;
    if (us < 9999999) {
        snprintf(text, size, "%.*f%s", us < 1e3 ? 2 : us < 99999 ? 1 : 0, us, m->is_repeated ? "" : "*");
    } else {
        snprintf(text, size, "%.2e%s", us, m->is_repeated ? "" : "*");
    }
}

static void print_measured(struct table *t, int index, const struct kernel_row *row)
{
    const struct kernel_measured *m = &t->measured[index], *last = &t->measured[t->workers.count - 1];
    const double copy = t->workers.worker[index].hello.copy_rate, operations = kernel_row_operations(row);
    char time[24] = "-", rate[24] = "-", share[24] = "-", ratio[24] = "-", apart[24] = "-";
    if (m->seconds > 0) {
        print_time(time, sizeof time, m);
        if (operations > 0) {
            print_rate(rate, sizeof rate, operations / m->seconds, "FLOP/s");
        } else if (kernel_row_is_copying(row)) {
            print_rate(rate, sizeof rate, (double)m->bytes / m->seconds, "B/s");
        }
        if (kernel_row_is_copying(row) && copy > 0) {
            const double percent = 100 * (double)m->bytes / m->seconds / copy;
            snprintf(share, sizeof share, "%.*f%%", percent < 9.95 ? 1 : 0, percent);
            t->some_fast = t->some_fast || percent > 110;
        }
        if (last->status == STEP_OK && last->seconds > 0) {
            print_ratio(ratio, sizeof ratio, m->seconds / last->seconds);
        }
        t->some_single = t->some_single || !m->is_repeated;
    }
    if (m->is_compared) {
        snprintf(apart, sizeof apart, "%.0e", m->difference);
    }
    printf("%9s %12s %5s %5s %5s\n", time, rate, share, ratio, apart);
}

/* Prints a text after the name of a row, or on lines of its own. */
static void print_reason(const char *status, const char *message)
{
    const int used = printf(" %s%s", status, *message ? ": " : "");
    if (COLUMN + used + (int)strlen(message) > LINE_COLUMNS) {
        printf("\n    ");
    }
    text_put_line(stdout, message);
    printf("\n");
}

static const char *status_word(enum step_status status)
{
    static const char *const word[] = {[STEP_OK] = "ok",
                                       [STEP_REJECTED] = "rejected",
                                       [STEP_UNSUPPORTED] = "unsupported",
                                       [STEP_OUT_OF_MEMORY] = "out of memory",
                                       [STEP_ERROR] = "error",
                                       [STEP_NOT_RUN] = "not run",
                                       [STEP_CRASHED] = "crashed",
                                       [STEP_MISSHAPEN] = "misshapen"};
    return word[status];
}

static void print_row(struct table *t, const struct kernel_row *row)
{
    char name[KERNEL_NAME];
    kernel_row_name(row, name);
    for (int b = 0; b < t->workers.count; b++) {
        const struct kernel_measured *m = &t->measured[b];
        printf("%-38s%2d", name, b + 1);
        if (m->status != STEP_OK) {
            print_reason(status_word(m->status), m->message);
        } else {
            print_measured(t, b, row);
        }
        if (m->is_compared && !kernel_is_near(m->difference, m->limit)) {
            printf("    DIFFERS: %.2e in norm from backend %d, more than %.0e\n", m->difference,
                   t->workers.count, m->limit);
        }
    }
    fflush(stdout);
}

static void show_progress(const struct table *t, const char *doing, const char *name)
{
    if (t->is_terminal) {
        fprintf(stderr, "\r\033[K%d/%d %.30s %.40s", t->rows + 1, t->wanted, name, doing);
        fflush(stderr);
    }
}

static void clear_progress(const struct table *t)
{
    if (t->is_terminal) {
        fputs("\r\033[K", stderr);
        fflush(stderr);
    }
}

/* --- the run */

static void count(struct table *t, const struct kernel_measured *m)
{
    t->measurements += m->status == STEP_OK;
    /* a refusal is an answer; what follows is none */
    t->unmeasured += m->status == STEP_ERROR || m->status == STEP_CRASHED || m->status == STEP_MISSHAPEN;
    t->different += m->is_compared && !kernel_is_near(m->difference, m->limit);
}

static void measure_row(struct table *t, int index)
{
    char name[KERNEL_NAME];
    const int last = t->workers.count - 1;
    const struct kernel_row row = kernel_row(index, t->workers.scale);
    kernel_row_name(&row, name);
    for (int k = 0; k <= last; k++) {
        const int b = k == 0 ? last : k - 1; /* the last one first: the others are compared with it */
        const bool can_compare = t->measured[last].status == STEP_OK;
        const enum kernel_role role = b == last     ? last > 0 ? KERNEL_KEEP : KERNEL_TIME
                                      : can_compare ? KERNEL_COMPARE
                                                    : KERNEL_TIME;
        show_progress(t, t->workers.worker[b].backend, name);
        kernel_worker_measure(&t->workers, b, index, role, &t->measured[b]);
        count(t, &t->measured[b]);
    }
    clear_progress(t);
    print_row(t, &row);
    t->rows++;
}

/* Opens every backend and prints what it is. Returns how many opened. */
static int open_backends(struct table *t)
{
    int opened = 0;
    for (int b = 0; b < t->workers.count; b++) {
        struct kernel_worker *worker = &t->workers.worker[b];
        char rate[24] = "-";
        show_progress(t, "opens and copies", worker->backend);
        const bool good = kernel_worker_start(&t->workers, b);
        clear_progress(t);
        if (!good) {
            options_fault("--backend %s: %s", worker->backend, worker->hello.why);
            continue;
        }
        opened++;
        if (worker->hello.copy_rate > 0) {
            print_rate(rate, sizeof rate, worker->hello.copy_rate, "B/s");
        }
        printf("%d  %s: ", b + 1, worker->backend);
        text_put_line(stdout, worker->hello.device);
        printf("; copy %s%s", rate, *worker->hello.why ? ": " : "");
        text_put_line(stdout, worker->hello.why);
        printf("\n");
    }
    return opened;
}

static void print_notes(const struct table *t)
{
    if (t->some_single) {
        printf("*: single runs without a warm-up, because the operator writes to an operand or\n"
               "the backend does not offer repeats.\n");
    }
    if (t->some_fast) {
        printf("More than 100%% of the copy: the tensors fit in a cache.\n");
    }
    if (t->different > 0) {
        printf("%d result%s from backend %d.\n", t->different, t->different == 1 ? " differs" : "s differ",
               t->workers.count);
    }
    if (t->unmeasured > 0) {
        printf("%d measurement%s failed.\n", t->unmeasured, t->unmeasured == 1 ? "" : "s");
    }
}

static int run(struct table *t, const struct plan_options *options, const struct texts *globs)
{
    int status = EXIT_NOTHING_RUN;
    if (open_backends(t) == t->workers.count) {
        printf("\n%-38s #%9s %12s %5s %5s %5s\n", "row", "us", "rate", "copy", "ratio", "apart");
        for (int r = 0; r < kernel_rows(); r++) {
            if (is_wanted(r, options, globs)) {
                measure_row(t, r);
            }
        }
        print_notes(t);
        status = t->different > 0 || t->unmeasured > 0 ? EXIT_GATE
                 : t->measurements > 0                 ? EXIT_HOLDS
                                                       : EXIT_NOTHING_RUN;
    }
    for (int b = 0; b < t->workers.count; b++) {
        kernel_worker_stop(&t->workers.worker[b]);
    }
    return status;
}

/* Opens a file without a name, on disk unless TMPDIR says otherwise. Returns −1 where that fails. */
static int open_unnamed(void)
{
    char path[PATH_MAX];
    const char *folder = getenv("TMPDIR");
    snprintf(path, sizeof path, "%s/assay-bench-XXXXXX", folder && *folder ? folder : "/tmp");
    const int file = mkstemp(path);
    if (file >= 0) {
        unlink(path);
    }
    return file;
}

int bench_kernel_sizes(const struct plan_options *options, const struct texts *globs, int64_t scale)
{
    const int backends = options->backends.count;
    struct table t = {.is_terminal = isatty(STDERR_FILENO) == 1,
                      .workers = {.count = backends, .scale = scale, .seed = options->seed}};
    for (int r = 0; r < kernel_rows(); r++) {
        t.wanted += is_wanted(r, options, globs);
    }
    if (t.wanted == 0) {
        return refuse_globs(globs);
    }
    t.workers.worker = calloc((size_t)backends, sizeof *t.workers.worker);
    t.measured = calloc((size_t)backends, sizeof *t.measured);
    t.workers.file = open_unnamed();
    int status = EXIT_NOTHING_RUN;
    if (!t.workers.worker || !t.measured) {
        options_fault("bench kernels --sizes: out of memory");
    } else if (t.workers.file < 0) {
        options_fault("bench kernels --sizes: cannot make a file for results; set TMPDIR to a folder that "
                      "can be written");
    } else {
        for (int b = 0; b < backends; b++) {
            t.workers.worker[b].backend = options->backends.text[b];
        }
        void (*before)(int) = signal(SIGPIPE, SIG_IGN); /* a process that ends is detected by its silence */
        status = run(&t, options, globs);
        signal(SIGPIPE, before);
    }
    if (t.workers.file >= 0) {
        close(t.workers.file);
    }
    free(t.measured);
    free(t.workers.worker);
    return status;
}
