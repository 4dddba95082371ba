/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Procedure: what does an item cost? Time on the device and peak memory against the batch, which doubles
 * until the backend's limit is reached; the backend must report that and not crash. The least of several
 * times is the cost of the work, because noise only adds. A time that looks like a cliff is measured again
 * together with its neighbours, in several windows of rounds: what slows the machine slows all three, while a
 * cliff stands out in the median of every window. A time that grows faster than the batch over the upper
 * octaves is measured again likewise. */

#include "suites/block/training.h"
#include "suites/scaling/cost_curves.h"
#include "suites/shared/rows.h"
#include "suites/shared/workload.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { POINTS_MAX = 48, ROUNDS = 4, WINDOWS = 3, WINDOW_ROUNDS = 11, KIB = 1024 };
/* A program may take this many times the bytes of its operands and results, for scratch and staging
 * memory. */
enum { ROOM = 4 };
/* so many heights on one side of a threshold decide the median of a window */
enum { HALF_OF_WINDOW = WINDOW_ROUNDS / 2 + 1 };
enum {
    PROBE_FIRST = 16,
    PROBE_LAST = 16384
}; /* batches 16, 64, … also with one item more, which shows how the allocator rounds */

struct row {
    struct suite_row row;
    /* bytes that may be reserved; 0: what the device has, at most an eighth of the machine's memory */
    int64_t limit;
    const struct workload *workload; /* NULL: that of the operator */
};

static const struct workload *workload_of(const struct suite_case *c)
{
    const struct row *row = c->row;
    return row->workload ? row->workload : workload_find(c->op->name);
}

struct sweep {
    const struct suite_case *of;
    int points;
    double batch[POINTS_MAX], time[POINTS_MAX], peak[POINTS_MAX]; /* ns, bytes */
    double need[POINTS_MAX];                                      /* bytes of operands and results */
    double repeat[POINTS_MAX][ROUNDS];                            /* times of the first rounds, ns */
    double pace[POINTS_MAX]; /* least ns of the fixed piece of work beside them */
    int repeats[POINTS_MAX];
    /* of a suspected cliff, measured again with its neighbours; 0: not suspected */
    double height[POINTS_MAX];
    struct growth in_turn; /* of a suspected growth, the least of the windows; no octaves: not suspected */
    double last;           /* ns of the latest run */
    struct program *program[POINTS_MAX];
    bool limited; /* the backend enforces a limit that the procedure has set */
    bool ended;   /* the last program did not fit */
};

static void add_point(struct sweep *sweep, int64_t batch)
{
    sweep->batch[sweep->points] = (double)batch;
    sweep->time[sweep->points] = sweep->pace[sweep->points] = INFINITY;
    sweep->points++;
}

/* Builds the program of point i when it is first needed; programs behind the first that does not fit are
 * never built. Returns false with a finding if that fails. */
static bool has_program(struct bench *bench, struct sweep *sweep, int i, struct finding *finding)
{
    const struct suite_case *c = sweep->of;
    struct error error = {.text = "out of memory for a program"};
    if (sweep->program[i]) {
        return true;
    }
    struct program *program = sweep->program[i] = program_create();
    struct builder b = builder_of(c, bench->seed, program, &error);
    if (program) {
        workload_append(&b, workload_of(c), 0, (int64_t)sweep->batch[i]);
    }
    if (!program || !build_done(&b)) {
        finding_note(finding, FINDING_ERROR, "%s", error.text);
        return false;
    }
    for (int s = 0; s < program->storages; s++) {
        sweep->need[i] += (double)program->storage[s].bytes;
    }
    return true;
}

/* True if the sweep also has this power of two plus one. */
static bool has_next(int64_t batch)
{
    bool fourth = (batch & INT64_C(0x5555555555555555)) != 0;
    return batch == 65536 || (fourth && batch >= PROBE_FIRST && batch <= PROBE_LAST);
}

/* Adds the batches 1, 2, 4, …, also 17, 65, 257, …, and 65,535 and 65,537, up to the first whose input alone
 * is larger than the limit. */
static void sweep_plan(struct sweep *sweep, int64_t limit)
{
    const struct suite_case *c = sweep->of;
    int64_t bytes = workload_row_bytes(workload_of(c), c->dtype), batch = 1;
    for (; sweep->points < POINTS_MAX - 3 && (batch / 2) * bytes <= limit; batch *= 2) {
        for (int64_t b = batch == 65536 ? 65535 : batch; b <= batch + has_next(batch); b++) {
            add_point(sweep, b);
        }
    }
}

/* Returns the limit. An eighth of the machine's memory, because programs, their images and a CPU device's
 * memory take up to eight times the bytes of an input. */
static int64_t limit_of(const struct row *row, struct bench *bench)
{
    struct usage usage;
    int64_t machine = (int64_t)sysconf(_SC_PHYS_PAGES) / 8 * sysconf(_SC_PAGESIZE);
    bench->usage(bench, &usage);
    int64_t device = usage.memory.limit > 0 ? (int64_t)usage.memory.limit : machine;
    return row->limit > 0 ? row->limit : device < machine ? device : machine;
}

/* Runs point i once. Returns false if the device is lost. */
static bool take(struct bench *bench, struct sweep *sweep, int i, struct finding *finding,
                 struct error *error)
{
    struct execution execution;
    struct usage usage;
    if (!has_program(bench, sweep, i, finding)) {
        return true;
    }
    if (!bench->execute(bench, sweep->program[i], &execution, error)) {
        return false;
    }
    bench->usage(bench, &usage);
    bool short_of_memory = execution.status == STEP_OUT_OF_MEMORY;
    if (short_of_memory && !sweep->limited && sweep->need[i] < (double)usage.memory.limit / ROOM) {
        finding_note(finding, FINDING_FAIL,
                     "a batch of %.0f, which takes %.0f of %llu bytes, does not fit: %s", sweep->batch[i],
                     sweep->need[i], (unsigned long long)usage.memory.limit, execution.message);
    } else if (short_of_memory) {
        sweep->points = i; /* run() destroys the programs behind it */
        sweep->ended = true;
        snprintf(finding->remark, sizeof finding->remark, "ended before a batch of %.0f: %s", sweep->batch[i],
                 execution.message);
    } else if (finding_ran(finding, &execution, "batch %.0f", sweep->batch[i])) {
        sweep->last = (double)execution.device_ns;
        sweep->time[i] = fmin(sweep->time[i], sweep->last);
        sweep->pace[i] = fmin(sweep->pace[i], (double)execution.pace_ns);
        if (sweep->repeats[i] < ROUNDS) {
            sweep->repeat[i][sweep->repeats[i]++] = sweep->last;
        }
        /* in the first round batches ascend, so the greatest peak so far is this one's */
        if (sweep->peak[i] == 0) {
            sweep->peak[i] = (double)usage.memory.peak;
        }
    }
    return true;
}

/* Measures the median height of point i over rounds that run it between its neighbours, until enough of them
 * are on one side of cliff_ratio to decide the median. Returns false if the device is lost. */
static bool window(struct bench *bench, struct sweep *sweep, int i, double *height, struct finding *finding,
                   struct error *error)
{
    double heights[WINDOW_ROUNDS];
    int rounds = 0;
    for (int side[2] = {0, 0}; side[0] < HALF_OF_WINDOW && side[1] < HALF_OF_WINDOW;) {
        const int point[4] = {cliff_second(sweep->batch, i), i - 1, i, i + 1};
        double x[4], y[4];
        for (int k = 0; k < 4; k++) {
            if (!take(bench, sweep, point[k], finding, error)) {
                return false;
            }
            x[k] = sweep->batch[point[k]];
            y[k] = sweep->last;
        }
        heights[rounds] = cliff_height(x, y, 4, 2);
        side[heights[rounds++] > cliff_ratio]++;
    }
    *height = series_median(heights, rounds);
    return true;
}

static bool suspect(struct bench *bench, struct sweep *sweep, int i, struct finding *finding,
                    struct error *error)
{
    double height;
    sweep->height[i] = INFINITY;
    for (int w = 0; w < WINDOWS && sweep->height[i] > cliff_ratio && finding->kind == FINDING_NONE; w++) {
        if (!window(bench, sweep, i, &height, finding, error)) {
            return false;
        }
        sweep->height[i] = fmin(sweep->height[i], height);
    }
    return true;
}

/* Measures the times of the points of a fit, ascending or descending. Returns false if the device is lost. */
static bool climb(struct bench *bench, struct sweep *sweep, const struct growth *fit, double *round, bool up,
                  struct finding *finding, struct error *error)
{
    for (int k = 0; k <= fit->octaves; k++) {
        int at = up ? k : fit->octaves - k;
        if (!take(bench, sweep, fit->point[at], finding, error)) {
            return false;
        }
        round[at] = sweep->last;
    }
    return true;
}

/* Measures a time that grows too fast again, window by window, until one window does not confirm it. */
static bool look_at_growth(struct bench *bench, struct sweep *sweep, struct finding *finding,
                           struct error *error)
{
    struct growth fit = growth_fit(sweep->batch, sweep->time, sweep->points);
    double times[WINDOW_ROUNDS * GROWTH_POINTS];
    bool exceeds = growth_suspect(&fit, curves_growth);
    for (int w = 0; w < WINDOWS && exceeds && finding->kind == FINDING_NONE; w++) {
        for (int r = 0; r < WINDOW_ROUNDS; r++) {
            if (!climb(bench, sweep, &fit, times + r * (fit.octaves + 1), r % 2 == 0, finding, error)) {
                return false;
            }
        }
        struct growth turn = growth_in_turn(&fit, sweep->batch, times, WINDOW_ROUNDS);
        exceeds = growth_exceeds(&turn, curves_growth);
        if (w == 0 || !exceeds || turn.exponent < sweep->in_turn.exponent) {
            sweep->in_turn = turn;
        }
    }
    return true;
}

/* Returns the first cliff that was not measured again; −1 if there is none. */
static int unexamined(const struct sweep *sweep)
{
    int i = cliff_find(sweep->batch, sweep->time, sweep->points, curves_grain, 1);
    while (i >= 0 && sweep->height[i] > 0) {
        i = cliff_find(sweep->batch, sweep->time, sweep->points, curves_grain, i + 1);
    }
    return i;
}

static bool measure_until_clear(struct bench *bench, struct sweep *sweep, struct finding *finding,
                                struct error *error)
{
    bool good = true;
    for (int r = 0; good && r < ROUNDS && finding->kind == FINDING_NONE; r++) {
        for (int i = 0; good && i < sweep->points && finding->kind == FINDING_NONE; i++) {
            good = take(bench, sweep, i, finding, error);
        }
    }
    /* repeated measurements lower times and so may make a neighbour look high: start over each time */
    for (int i = unexamined(sweep); good && i >= 0 && finding->kind == FINDING_NONE; i = unexamined(sweep)) {
        good = suspect(bench, sweep, i, finding, error);
    }
    return good && (finding->kind != FINDING_NONE || look_at_growth(bench, sweep, finding, error));
}

/* Stores the spread: the median of the first rounds above the least time. Repeated measurements of suspects
 * only lower the least time and are not part of it. */
static bool keep_beside(struct sweep *sweep, struct series_set *set)
{
    double spread[POINTS_MAX], per_item[POINTS_MAX];
    struct series *time = series_find(set, "time"), *item = series_find(set, "time per item");
    for (int i = 0; i < sweep->points; i++) {
        int repeats = sweep->repeats[i]; /* 0 if a finding ended the sweep */
        spread[i] = repeats ? fmax(0, series_median(sweep->repeat[i], repeats) - sweep->time[i]) : NAN;
        per_item[i] = spread[i] / sweep->batch[i];
    }
    return !time || !item ||
           (series_beside(time, spread, sweep->pace) && series_beside(item, per_item, sweep->pace));
}

static bool keep(struct sweep *sweep, struct series_set *set)
{
    bool good = true;
    for (int i = 0; i < sweep->points; i++) {
        good = good && series_add(set, "time", "ns", sweep->batch[i], sweep->time[i]) &&
               series_add(set, "time per item", "ns", sweep->batch[i], sweep->time[i] / sweep->batch[i]);
        if (sweep->height[i] > 0) {
            good = good &&
                   series_add(set, "height beside neighbours", "times", sweep->batch[i], sweep->height[i]);
        }
        if (sweep->peak[i] > 0) {
            good = good && series_add(set, "peak memory", "bytes", sweep->batch[i], sweep->peak[i]) &&
                   series_add(set, "peak memory per item", "bytes", sweep->batch[i],
                              sweep->peak[i] / sweep->batch[i]);
        }
    }
    for (int k = 0; k < sweep->in_turn.octaves; k++) {
        good = good && series_add(set, "time exponent in turn", "exponent",
                                  sweep->batch[sweep->in_turn.point[k + 1]], sweep->in_turn.octave[k]);
    }
    good = good && keep_beside(sweep, set);
    curves_fit(series_find(set, "time"));
    struct series *peak = series_find(set, "peak memory");
    curves_fit(peak);
    if (peak) {
        peak->factor = sweep->peak[sweep->points - 1] / sweep->need[sweep->points - 1];
    }
    return good;
}

static bool run(const struct suite_case *c, struct bench *bench, struct series_set *set,
                struct finding *finding, struct error *error)
{
    const struct row *row = c->row;
    struct sweep *sweep = calloc(1, sizeof *sweep);
    if (!sweep) {
        return error_set(error, "out of memory");
    }
    int64_t limit = limit_of(row, bench);
    sweep->limited = bench->limit_memory(bench, (uint64_t)limit);
    sweep->of = c;
    sweep_plan(sweep, limit);
    int programs = sweep->points;
    bool good = measure_until_clear(bench, sweep, finding, error);
    if (good && sweep->points == 0 && finding->kind == FINDING_NONE) {
        finding_note(finding, FINDING_ERROR, "nothing was measured: %s", finding->remark);
    }
    if (good && sweep->limited && !sweep->ended && finding->kind == FINDING_NONE) {
        finding_note(finding, FINDING_FAIL, "a batch of %.0f is larger than the limit of %lld bytes and runs",
                     sweep->batch[sweep->points - 1], (long long)limit);
    }
    int last = sweep->points;
    /* after memory ran out, the largest batch that fits must run again */
    if (good && sweep->ended && finding->kind == FINDING_NONE && last > 0) {
        good = take(bench, sweep, last - 1, finding, error);
        if (good && sweep->points < last) {
            finding_note(finding, FINDING_FAIL,
                         "after memory ran out, a batch of %.0f that ran before does not",
                         sweep->batch[last - 1]);
        }
    }
    good = good && (keep(sweep, set) || error_set(error, "out of memory for a series"));
    bench->limit_memory(bench, 0);
    for (int i = 0; i < programs; i++) {
        program_destroy(&sweep->program[i]);
    }
    free(sweep);
    return good;
}

static const struct procedure curve = {.fresh = true,
                                       .alone = true,
                                       .run = run,
                                       .verdict = curves_verdict,
                                       .limits = curves_limits,
                                       .spoil = curves_spoil};

#define CURVE(op_, limit_) SUITE_ROW("curve", STANDARD, NULL, .op = op_), .limit = limit_

static const struct row rows[] = {
    {CURVE("sgn", 16384 * KIB)},
    {CURVE("add_", 4096 * KIB)},
    {CURVE("vector_norm", 1024 * KIB)},
    {CURVE("logdet", 256 * KIB)},
    {CURVE("csr_mm", 1024 * KIB)},
    {CURVE("layer_norm", 512 * KIB)},
    {CURVE("linear", 256 * KIB)},
    {CURVE("matrix_exp", 128 * KIB)},
    {SUITE_ROW("curve-encoder-training", STANDARD, NULL, .op = "layer_norm"), .limit = 512 * KIB,
     .workload = &block_encoder_training},
    {SUITE_ROW("curve-to-the-end", EXHAUSTIVE, NULL, .op = "sgn")},
};

static void declare(struct suite_list *list)
{
    suite_declare_rows(list, &(struct suite_table){SUITE_ROWS(rows), .dtypes = 1U << DTYPE_FLOAT32,
                                                   .covers = "scaling_curve", .family = "scaling",
                                                   .procedure = &curve});
}

const struct suite suite_scaling_curve = {.declare = declare};
