/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reference/numeric/exact/dot_enclosure.h"
#include "reference/base/dtype.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>

enum {
    CHUNK = 32, /* rows that stay in the cache of a core while the panels are read */
    THREADS_MAX = 64,
    NO_GRID = 1 << 20,       /* grid of a row of zeros: every grid fits */
    WORTH_A_THREAD = 1 << 22 /* this many products justify another thread */
};

static int threads_wanted = 1, chunk = CHUNK;
static double worth_a_thread = WORTH_A_THREAD;

void dot_enclosure_threads(int threads)
{
    threads_wanted = threads < 1 ? 1 : threads > THREADS_MAX ? THREADS_MAX : threads;
}

void dot_enclosure_chunks(int rows, double products)
{
    chunk = rows > 0 ? rows : CHUNK;
    worth_a_thread = rows > 0 ? products : WORTH_A_THREAD;
}

/* Facts about a row of the left matrix or a column of the right one. */
struct line {
    bool usable;
    int grid;                /* every number is a multiple of 2^grid */
    bool positive, negative; /* whether there are positive numbers, negative numbers */
};

struct work {
    const struct dot_enclosure_problem *of;
    void (*take)(void *user, int64_t row, int64_t column, const struct dot_enclosure *sum);
    void *user;
    int64_t panels;
    double *panel; /* panels × terms × SUM_LANES */
    double *bias;  /* of columns: panels × SUM_LANES; NULL: none */
    struct line *row, *column;
    int share, shares; /* thread number `share` of `shares`: decides which chunks it takes */
    bool good;
};

static void look_at(struct line *line, double x, bool wide)
{
    double size = fabs(x);
    line->usable = line->usable && isfinite(x) && (!wide || x == 0 || (size >= 0x1p-200 && size <= 0x1p200));
    if (line->usable && x != 0) {
        int grid = dtype_lowest_bit(x);
        line->grid = grid < line->grid ? grid : line->grid;
        line->positive = line->positive || x > 0;
        line->negative = line->negative || x < 0;
    }
}

static void look_at_bias(struct line *line, double bias, bool wide)
{
    struct line alone = {.usable = true, .grid = NO_GRID};
    look_at(&alone, bias, wide);
    line->usable = line->usable && alone.usable;
}

static void look_at_rows(struct work *w)
{
    const struct dot_enclosure_problem *p = w->of;
    for (int64_t i = 0; i < p->rows; i++) {
        w->row[i] = (struct line){.usable = true, .grid = NO_GRID};
        for (int64_t k = 0; k < p->terms; k++) {
            look_at(&w->row[i], p->left[i * p->terms + k], p->wide);
        }
        if (p->bias && p->bias_of_rows) {
            look_at_bias(&w->row[i], p->bias[i], p->wide);
        }
    }
}

/* Returns where element (k, column) of the right matrix lies in the panels for k = 0; elements of a column
 * are SUM_LANES apart. */
static double *column_at(const struct work *w, int64_t column)
{
    return &w->panel[column / SUM_LANES * SUM_LANES * w->of->terms + column % SUM_LANES];
}

static void pack_column(const struct work *w, int64_t j)
{
    const struct dot_enclosure_problem *p = w->of;
    double *to = column_at(w, j);
    if (j < p->columns && !p->right) {
        p->column(p->source, j, to);
        return;
    }
    for (int64_t k = 0; k < p->terms; k++) {
        to[k * SUM_LANES] = j < p->columns ? p->right[k * p->along + j * p->across] : 0;
    }
}

static void pack(struct work *w)
{
    const struct dot_enclosure_problem *p = w->of;
    for (int64_t j = 0; j < w->panels * SUM_LANES; j++) {
        const double *from = column_at(w, j);
        struct line *line = &w->column[j];
        *line = (struct line){.usable = true, .grid = NO_GRID};
        pack_column(w, j);
        for (int64_t k = 0; k < p->terms; k++) {
            look_at(line, from[k * SUM_LANES], p->wide);
        }
        if (w->bias) {
            w->bias[j] = j < p->columns ? p->bias[j] : 0;
            look_at_bias(line, w->bias[j], p->wide);
        }
    }
}

static double bias_of(const struct work *w, int64_t row, int64_t column)
{
    const struct dot_enclosure_problem *p = w->of;
    return !p->bias ? 0 : p->bias_of_rows ? p->bias[row] : p->bias[column];
}

static bool grid_holds(const struct work *w, int64_t row, int64_t column, double absolute)
{
    int grid = w->row[row].grid + w->column[column].grid;
    double bias = bias_of(w, row, column);
    if (bias != 0) {
        int own = dtype_lowest_bit(bias);
        grid = own < grid ? own : grid;
    }
    return absolute == 0 || (grid > -1000 && absolute <= ldexp(0x1p53, grid));
}

/* Returns whether all terms that are not 0 have one sign. Their sum then equals that of their magnitudes in
 * size, rounded alike; like_magnitudes says whether it does. The converse does not hold for terms too small
 * to change the sum, so mixed rows and columns are checked term by term. */
static bool one_sign(const struct work *w, int64_t row, int64_t column, bool like_magnitudes)
{
    const struct dot_enclosure_problem *p = w->of;
    const struct line *a = &w->row[row], *b = &w->column[column];
    bool mixed = (a->positive && a->negative) || (b->positive && b->negative);
    if (!like_magnitudes || (!mixed && !p->bias)) {
        return like_magnitudes;
    }
    const double *right = column_at(w, column), bias = bias_of(w, row, column);
    bool positive = bias > 0, negative = bias < 0;
    for (int64_t k = 0; k < p->terms; k++) {
        double x = p->left[row * p->terms + k], y = right[k * SUM_LANES];
        positive = positive || (x > 0 && y > 0) || (x < 0 && y < 0);
        negative = negative || (x > 0 && y < 0) || (x < 0 && y > 0);
    }
    return !(positive && negative);
}

static struct envelope_prefixes prefixes_of(const struct work *w, const struct sum_lanes *lanes, int lane)
{
    return (struct envelope_prefixes){.n = w->of->terms + (w->of->bias != NULL),
                                      .total = lanes->total[lane],
                                      .absolute = lanes->absolute[lane],
                                      .squares = lanes->squares[lane],
                                      .natural = lanes->energy[lane],
                                      .greatest = lanes->greatest[lane]};
}

static void measure(const struct work *w, int64_t row, int64_t column, const struct sum_lanes *lanes,
                    int lane, struct dot_enclosure *sum)
{
    double n = (double)w->of->terms + (w->of->bias != NULL), absolute = lanes->absolute[lane];
    sum->known = w->row[row].usable && w->column[column].usable;
    sum->exact = sum->known && grid_holds(w, row, column, absolute);
    sum->one_sign = one_sign(w, row, column, absolute == fabs(lanes->total[lane]));
    sum->magnitude = sum->exact ? absolute : absolute * (1 + (n + 2) * 0x1p-52);
    if (w->of->wide) {
        sum->value = lanes->total[lane] + lanes->low[lane];
        sum->low = lanes->low[lane] - (sum->value - lanes->total[lane]);
        sum->radius = (n + 2) * (n + 2) * 0x1p-104 * absolute;
    } else {
        sum->value = lanes->total[lane];
        sum->low = 0;
        sum->radius = 0x1p-53 * (1 + 0x1p-20) * sqrt(n * lanes->energy[lane]);
    }
    sum->radius = sum->exact ? 0 : sum->radius;
}

/* The results of one order of summation: the bias last, or first. */
struct order {
    struct sum_pass pass;
    int rows, columns; /* the part of the tile that is needed */
    struct sum_lanes lanes[SUM_ROWS];
    double greatest[SUM_ROWS][SUM_LANES]; /* s* */
    struct envelope_sum sum[SUM_ROWS][SUM_LANES];
};

static void count(const struct work *w, struct order *o, bool coarse[SUM_ROWS][SUM_LANES])
{
    if (w->of->wide) {
        sum_pass_wide(&o->pass, o->lanes);
    } else {
        sum_pass_narrow(&o->pass, o->lanes);
    }
    for (int r = 0; r < o->rows; r++) {
        for (int lane = 0; lane < o->columns; lane++) {
            struct envelope_prefixes p = prefixes_of(w, &o->lanes[r], lane);
            o->greatest[r][lane] = envelope_sum_of(&p, &o->sum[r][lane]);
            for (int u = 0; u < ENVELOPE_WIDTHS; u++) {
                coarse[r][lane] = coarse[r][lane] || envelope_coarse(&p, o->greatest[r][lane], w->of->u[u]);
            }
        }
    }
}

/* Computes what small terms after large prefixes lose, for sums in which no lattice is coarse. */
static void count_small(const struct order *o, double u, double small[SUM_ROWS][SUM_LANES])
{
    double limit[SUM_ROWS][SUM_LANES] = {{0}};
    for (int r = 0; r < o->rows; r++) {
        for (int lane = 0; lane < o->columns; lane++) {
            limit[r][lane] = u * o->greatest[r][lane];
        }
    }
    sum_pass_small(&o->pass, limit, small);
}

static void count_drift(const struct work *w, struct order *o)
{
    for (int k = 0; k < ENVELOPE_WIDTHS; k++) {
        double u = w->of->u[k], small[SUM_ROWS][SUM_LANES];
        bool again = k > 0 && u == w->of->u[k - 1], any = false;
        for (int r = 0; r < o->rows && !again; r++) {
            for (int lane = 0; lane < o->columns; lane++) {
                any = any || o->lanes[r].least[lane] <= u * o->greatest[r][lane];
            }
        }
        if (any) {
            count_small(o, u, small);
        }
        for (int r = 0; r < o->rows; r++) {
            for (int lane = 0; lane < o->columns; lane++) {
                double *drift = o->sum[r][lane].drift;
                drift[k] = again ? drift[k - 1] : any ? small[r][lane] : 0;
            }
        }
    }
}

/* Computes the statistics of one sum separately, with its terms gathered in `term`. */
static void count_alone(const struct work *w, int64_t row, int64_t column, double *term,
                        struct envelope_sum *sum)
{
    const struct dot_enclosure_problem *p = w->of;
    const double *right = column_at(w, column);
    for (int64_t k = 0; k < p->terms; k++) {
        term[k] = p->left[row * p->terms + k] * right[k * SUM_LANES];
    }
    if (p->bias) {
        term[p->terms] = bias_of(w, row, column);
        envelope_sum_started(term, p->terms + 1, p->u, sum);
    } else {
        envelope_sum(term, p->terms, p->u, sum);
    }
}

static void keep_greater(struct envelope_sum *sum, const struct envelope_sum *other)
{
    sum->order = other->order > sum->order ? other->order : sum->order;
    for (int u = 0; u < ENVELOPE_WIDTHS; u++) {
        sum->drift[u] = other->drift[u] > sum->drift[u] ? other->drift[u] : sum->drift[u];
    }
}

/* Computes SUM_ROWS rows before `end`, from `row` on, by one panel. If only one row is left, the pass takes
 * it twice. */
static void one_tile(const struct work *w, int64_t row, int64_t end, int64_t panel, double *term)
{
    const struct dot_enclosure_problem *p = w->of;
    int rows = end - row < SUM_ROWS ? 1 : SUM_ROWS;
    int64_t left = p->columns - panel * SUM_LANES;
    int columns = left < SUM_LANES ? (int)left : SUM_LANES;
    const double *bias[SUM_ROWS] = {NULL, NULL}, *none[SUM_ROWS] = {NULL, NULL};
    _Alignas(64) double of_rows[SUM_ROWS][SUM_LANES];
    struct order order[2]; /* the passes below fill the lanes and sums of order 0, and of order 1 if there
                              is a bias */
    bool coarse[SUM_ROWS][SUM_LANES] = {{false}};
    for (int r = 0; r < SUM_ROWS && p->bias; r++) {
        for (int lane = 0; lane < SUM_LANES && p->bias_of_rows; lane++) {
            of_rows[r][lane] = p->bias[row + (r < rows ? r : 0)];
        }
        bias[r] = p->bias_of_rows ? of_rows[r] : &w->bias[panel * SUM_LANES];
    }
    for (int o = 0; o < 2; o++) {
        const double **head = o ? bias : none, **tail = o ? none : bias;
        order[o].rows = rows;
        order[o].columns = columns;
        order[o].pass =
            (struct sum_pass){.left = {&p->left[row * p->terms], &p->left[(row + rows - 1) * p->terms]},
                              .panel = &w->panel[panel * p->terms * SUM_LANES],
                              .terms = p->terms,
                              .head = {head[0], head[1]},
                              .tail = {tail[0], tail[1]}};
    }
    for (int o = 0; o < (p->bias ? 2 : 1); o++) {
        count(w, &order[o], coarse);
        count_drift(w, &order[o]);
    }
    for (int r = 0; r < rows; r++) {
        for (int lane = 0; lane < columns; lane++) {
            int64_t column = panel * SUM_LANES + lane;
            struct dot_enclosure sum;
            measure(w, row + r, column, &order[0].lanes[r], lane, &sum);
            sum.envelope = order[0].sum[r][lane];
            if (p->bias) {
                keep_greater(&sum.envelope, &order[1].sum[r][lane]);
            }
            if (coarse[r][lane] && sum.known) {
                count_alone(w, row + r, column, term, &sum.envelope);
            }
            w->take(w->user, row + r, column, &sum);
        }
    }
}

static void *count_share(void *user)
{
    struct work *w = user;
    const struct dot_enclosure_problem *p = w->of;
    double *term = malloc(((size_t)p->terms + 1) * sizeof *term);
    w->good = term != NULL;
    for (int64_t from = (int64_t)w->share * chunk; w->good && from < p->rows;
         from += (int64_t)w->shares * chunk) {
        int64_t to = from + chunk < p->rows ? from + chunk : p->rows;
        for (int64_t panel = 0; panel < w->panels; panel++) {
            for (int64_t row = from; row < to; row += SUM_ROWS) {
                one_tile(w, row, to, panel, term);
            }
        }
    }
    free(term);
    return NULL;
}

/* If a thread cannot be started, the calling thread takes its share. */
static bool count_all(const struct work *w)
{
    const struct dot_enclosure_problem *p = w->of;
    struct work part[THREADS_MAX];
    pthread_t thread[THREADS_MAX];
    bool started[THREADS_MAX] = {false}, good = true;
    double products = (double)p->rows * (double)p->columns * (double)p->terms;
    int shares = products < worth_a_thread || p->rows <= chunk ? 1 : threads_wanted;
    for (int s = 0; s < shares; s++) {
        part[s] = *w;
        part[s].share = s;
        part[s].shares = shares;
        started[s] = s > 0 && pthread_create(&thread[s], NULL, count_share, &part[s]) == 0;
    }
    for (int s = 0; s < shares; s++) {
        if (!started[s]) {
            count_share(&part[s]);
        }
    }
    for (int s = 0; s < shares; s++) {
        if (started[s]) {
            pthread_join(thread[s], NULL);
        }
        good = good && part[s].good;
    }
    return good;
}

bool dot_enclosures(const struct dot_enclosure_problem *problem,
                    void (*take)(void *user, int64_t row, int64_t column, const struct dot_enclosure *sum),
                    void *user)
{
    struct work w = {.of = problem, .take = take, .user = user};
    w.panels = (problem->columns + SUM_LANES - 1) / SUM_LANES;
    size_t lanes = (size_t)w.panels * SUM_LANES;
    w.panel = aligned_alloc(64, (lanes * (size_t)problem->terms + SUM_LANES) * sizeof *w.panel);
    bool of_columns = problem->bias && !problem->bias_of_rows;
    w.bias = of_columns ? aligned_alloc(64, (lanes + SUM_LANES) * sizeof *w.bias) : NULL;
    w.row = malloc(((size_t)problem->rows + 1) * sizeof *w.row);
    w.column = malloc((lanes + 1) * sizeof *w.column);
    bool good = w.panel && w.row && w.column && (w.bias || !of_columns);
    if (good) {
        look_at_rows(&w);
        pack(&w);
        good = count_all(&w);
    }
    free(w.panel);
    free(w.bias);
    free(w.row);
    free(w.column);
    return good;
}
