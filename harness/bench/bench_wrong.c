/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Measures what a verdict lets pass: wrong numbers replace single elements of every operator's results, and
 * the table says how many of them the judge accepts in cases that are not vacuous (wrong_elements.h). */

#include "harness/bench/bench.h"
#include "harness/bench/wrong_elements.h"
#include "harness/options/options.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

/* Cases of an operator and dtype are tried in an order that the seed decides, and again with other seeds,
 * until ELEMENTS_LEAST elements and CASES_LEAST cases were tried. For results with few elements this ends
 * after SEEDS seeds if MANY_CASES cases were tried, and in any case after SEEDS_MOST. */
enum {
    ELEMENTS_LEAST = 10000,
    CASES_LEAST = 40,
    SEEDS = 10,
    SEEDS_MOST = 100,
    MANY_CASES = 400,
    OF_ONE_TENSOR = 256
};

/* The cases of one operator and dtype. */
struct row {
    const struct op *op;
    enum dtype dtype;
    int count, *index; /* indices into the suite list */
};

/* The results of a row, shared by the processes. */
struct finding {
    struct wrong_elements seen;
    int seeds;
    bool good, any; /* any: no step of the operator reads random floating data, so any data were taken */
    char error[256];
};

struct shared {
    int next; /* the next row to measure */
    struct finding finding[];
};

struct measurement {
    const struct plan *plan;
    const struct plan_options *options;
    int rows;
    struct row *row;
    struct shared *shared;
};

/* --- measuring */

static bool is_enough(const struct finding *f)
{
    bool elements = f->seen.elements >= ELEMENTS_LEAST && f->seen.cases >= CASES_LEAST;
    return elements || f->seeds >= SEEDS_MOST || (f->seeds >= SEEDS && f->seen.cases >= MANY_CASES);
}

static bool try_row(const struct measurement *m, const struct row *row, struct finding *f,
                    const struct wrong_backend *backend, struct error *error)
{
    /* some: elements were tried; if the first seed tries none, no other seed does */
    bool good = true, some = true;
    for (f->seeds = 0; good && some && !is_enough(f); f->seeds++) {
        for (int i = 0; good && i < row->count && !is_enough(f); i++) {
            good = wrong_elements_add(&f->seen, suite_list_at(m->plan->list, row->index[i]),
                                      suite_list_id(m->plan->list, row->index[i]),
                                      m->options->seed + (uint64_t)f->seeds, f->any, OF_ONE_TENSOR, backend,
                                      error);
        }
        some = f->seen.elements > 0;
    }
    return good;
}

static void measure_row(const struct measurement *m, int r, const struct wrong_backend *backend)
{
    struct error error = {.text = ""};
    struct finding *f = &m->shared->finding[r];
    f->good = try_row(m, &m->row[r], f, backend, &error);
    if (f->good && f->seen.elements == 0) {
        f->any = true;
        f->seen = (struct wrong_elements){.cases = 0};
        f->good = try_row(m, &m->row[r], f, backend, &error);
    }
    snprintf(f->error, sizeof f->error, "%s", error.text);
}

/* Measures rows until none is left. Returns false with the reason where the backend cannot be opened. */
static bool measure_rows(const struct measurement *m, struct error *error)
{
    struct wrong_backend backend;
    bool good = wrong_backend_open(&backend, m->options->backends.text[0], error);
    for (int r; good && (r = __atomic_fetch_add(&m->shared->next, 1, __ATOMIC_RELAXED)) < m->rows;) {
        measure_row(m, r, &backend);
    }
    wrong_backend_close(&backend);
    return good;
}

static bool measure(const struct measurement *m, struct error *error)
{
    const int jobs = (int)m->options->jobs;
    fflush(stdout);
    for (int j = 1; j < jobs; j++) {
        if (fork() == 0) {
            _exit(measure_rows(m, error) ? 0 : 1);
        }
    }
    bool good = measure_rows(m, error);
    while (jobs > 1 && (wait(NULL) > 0 || errno == EINTR)) {
    }
    return good;
}

/* --- the table */

static void print_heading(void)
{
    printf("%-34s %-10s %6s %8s %8s", "operator", "dtype", "cases", "vacuous", "elements");
    for (int m = 0; m < MISTAKES; m++) {
        printf(" %8s %8s", mistake_name((enum mistake)m), "holes");
    }
    putchar('\n');
}

static int64_t holes_of(const struct wrong_elements *seen)
{
    int64_t holes = 0;
    for (int m = 0; m < MISTAKES; m++) {
        holes += seen->mistake[m].holes;
    }
    return holes;
}

static void print_row(const struct row *row, const struct finding *f)
{
    const struct wrong_elements *seen = &f->seen;
    printf("%-34s %-10s %6d %7.2f%% %8" PRId64, row->op->name, dtype_info(row->dtype)->name, seen->cases,
           seen->cases ? 100.0 * seen->vacuous / seen->cases : 0.0, seen->elements);
    for (int m = 0; m < MISTAKES; m++) {
        printf(" %8" PRId64 " %8" PRId64, seen->mistake[m].taken, seen->mistake[m].holes);
    }
    printf("%s\n", f->any ? " any data" : "");
    if (seen->mostly) {
        printf("    %d more cases accept zeros for most of their elements\n", seen->mostly);
    }
    for (int o = 0; o < OPENINGS; o++) {
        const struct opening_counts *opening = &seen->opening[o];
        if (opening->holes) {
            printf("    %s: %" PRId64
                   ", |truth| %.3g to %.3g, up to %.3g of its tensor's greatest, limit up to "
                   "%.3g|truth|: %s\n",
                   opening_name((enum opening)o), opening->holes, opening->least, opening->most,
                   opening->relative, opening->limit, opening->example);
        }
    }
}

static void add_counts(struct wrong_elements *sum, const struct wrong_elements *seen)
{
    sum->cases += seen->cases;
    sum->vacuous += seen->vacuous;
    sum->mostly += seen->mostly;
    sum->unjudged += seen->unjudged;
    sum->elements += seen->elements;
    for (int m = 0; m < MISTAKES; m++) {
        sum->mistake[m].taken += seen->mistake[m].taken;
        sum->mistake[m].in_vacuous += seen->mistake[m].in_vacuous;
        sum->mistake[m].holes += seen->mistake[m].holes;
    }
    for (int o = 0; o < OPENINGS; o++) {
        sum->opening[o].holes += seen->opening[o].holes;
    }
}

static void print_sum(const struct measurement *m)
{
    struct wrong_elements sum = {.cases = 0};
    int open = 0, few = 0, none = 0;
    for (int r = 0; r < m->rows; r++) {
        const struct wrong_elements *seen = &m->shared->finding[r].seen;
        add_counts(&sum, seen);
        open += holes_of(seen) > 0;
        none += seen->elements == 0;
        few += seen->elements > 0 && seen->elements < ELEMENTS_LEAST;
    }
    printf("%d operators and dtypes: %d with holes, %d with fewer than %d elements, %d with none\n", m->rows,
           open, few, ELEMENTS_LEAST, none);
    printf("%d cases, %d vacuous, %d not judged; %" PRId64 " elements\n", sum.cases, sum.vacuous,
           sum.unjudged, sum.elements);
    for (int i = 0; i < MISTAKES; i++) {
        const struct mistake_counts *c = &sum.mistake[i];
        printf("%-8s taken %" PRId64 ", in vacuous cases %" PRId64 ", holes %" PRId64 "\n",
               mistake_name((enum mistake)i), c->taken, c->in_vacuous, c->holes);
    }
    for (int o = 0; o < OPENINGS; o++) {
        printf("holes by %s: %" PRId64 "\n", opening_name((enum opening)o), sum.opening[o].holes);
    }
}

static bool print_table(const struct measurement *m, struct error *error)
{
    print_heading();
    for (int r = 0; r < m->rows; r++) {
        const struct finding *f = &m->shared->finding[r];
        if (!f->good) {
            return error_set(error, "%s %s: %s", m->row[r].op->name, dtype_info(m->row[r].dtype)->name,
                             f->error[0] ? f->error : "its process ended");
        }
        print_row(&m->row[r], f);
    }
    print_sum(m);
    return true;
}

/* --- rows */

static struct row *row_of(struct measurement *m, const struct suite_case *c)
{
    for (int r = m->rows - 1; r >= 0; r--) {
        if (m->row[r].op == c->op && m->row[r].dtype == c->dtype) {
            return &m->row[r];
        }
    }
    struct row *larger = realloc(m->row, ((size_t)m->rows + 1) * sizeof *larger);
    if (!larger) {
        return NULL;
    }
    m->row = larger;
    m->row[m->rows] = (struct row){.op = c->op, .dtype = c->dtype};
    return &m->row[m->rows++];
}

static bool find_rows(struct measurement *m, const struct selection *selection)
{
    for (int i = 0; i < selection->count; i++) {
        const struct suite_case *c = suite_list_at(m->plan->list, selection->index[i]);
        struct row *row = c->procedure ? NULL : row_of(m, c);
        int *larger = row ? realloc(row->index, ((size_t)row->count + 1) * sizeof *larger) : NULL;
        if (larger) {
            row->index = larger;
            row->index[row->count++] = selection->index[i];
        } else if (!c->procedure) {
            return false;
        }
    }
    return true;
}

static int by_name(const void *a, const void *b)
{
    const struct row *x = a, *y = b;
    int order = strcmp(x->op->family, y->op->family);
    order = order ? order : strcmp(x->op->name, y->op->name);
    return order ? order : (int)x->dtype - (int)y->dtype;
}

int bench_wrong(const struct plan *plan, const struct plan_options *options, struct selection *selection)
{
    struct error error = {.text = "out of memory"};
    struct measurement m = {.plan = plan, .options = options};
    selection_shuffle(selection, options->seed);
    bool good = find_rows(&m, selection);
    if (m.rows) {
        qsort(m.row, (size_t)m.rows, sizeof *m.row, by_name);
    }
    const size_t bytes = sizeof *m.shared + (size_t)m.rows * sizeof m.shared->finding[0];
    m.shared = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    good = good && m.shared != MAP_FAILED && measure(&m, &error) && print_table(&m, &error);
    if (m.shared != MAP_FAILED) {
        munmap(m.shared, bytes);
    }
    for (int r = 0; r < m.rows; r++) {
        free(m.row[r].index);
    }
    free(m.row);
    if (!good) {
        options_fault("bench wrong: %s", error.text);
        return EXIT_NOTHING_RUN;
    }
    return EXIT_HOLDS;
}
