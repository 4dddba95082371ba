/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Judges a large tensor with independent rows by several threads, in chunks of rows. Each chunk has its own
 * metrics and evidence, and its own truth if that comes in slices; they are added in the order of the chunks,
 * so that the result is the same with any number of threads. */

#include "harness/judge/judging.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>

enum { CHUNKS = 16, LEAST_ELEMENTS = 1 << 15, MOST_ELEMENTS = 1 << 18, THREADS_MAX = 256 };

struct crew {
    struct judging *whole;
    const struct traversal *of; /* stands at the tensor */
    struct evidence *evidence;
    int64_t elements, chunk; /* of the tensor; to a chunk */
    int64_t taken, added;    /* chunks that were handed out; that were added */
    bool failed;
    pthread_mutex_t lock, certifying;
    pthread_cond_t turn;
};

/* What one thread needs to judge chunks. */
struct walk {
    struct program_truth truth; /* as the whole, but with slices of its own */
    struct truth_slices *slices;
    struct traversal t;
    struct refine refine;
    struct judging part;
    struct evidence evidence;
};

/* Judges elements [first, last) if the truth is whole. */
static bool judge_part(struct walk *w, int64_t first, int64_t last)
{
    bool good = w->evidence.truth || judging_begin_evidence(&w->t, last - first, &w->evidence);
    w->t.next = first;
    w->t.end = last;
    return good && judging_slice(&w->part, &w->t, &w->evidence);
}

static bool judge_chunk(struct walk *w, int64_t first, int64_t last)
{
    bool good = true;
    if (!w->slices) {
        return judge_part(w, first, last);
    }
    w->t.end = first; /* where the next slice begins */
    w->t.sliced = true;
    while (good && w->t.end < last && traversal_next_slice(&w->t)) {
        good = (w->evidence.truth || judging_begin_evidence(&w->t, w->t.end - w->t.first, &w->evidence)) &&
               judging_slice(&w->part, &w->t, &w->evidence);
    }
    if (w->t.failed) {
        w->part.error = w->t.error;
    }
    return good && !w->t.failed;
}

static bool add_chunk(struct crew *crew, struct walk *w)
{
    struct judging *to = crew->whole, *from = &w->part;
    to->incomplete = to->incomplete || from->incomplete;
    if (from->range_findings && !to->range_findings) {
        to->finding = from->finding;
    }
    to->range_findings += from->range_findings;
    to->beyond_envelope += from->beyond_envelope;
    to->bits = from->bits < to->bits ? from->bits : to->bits;
    to->scale = fmax(to->scale, from->scale);
    to->scaled = from->scaled;
    if (from->have_worst &&
        (!to->have_worst || from->worst.verdict.error_over_bound > to->worst.verdict.error_over_bound)) {
        to->worst = from->worst;
        to->have_worst = true;
    }
    bool begun = crew->evidence->elements > 0;
    if (from->by_input) {
        by_input_merge(to->by_input, from->by_input);
    }
    return metrics_merge(&to->metrics, &from->metrics) &&
           (begun || evidence_open(crew->evidence, 0, w->evidence.dtype, w->evidence.may_fail)) &&
           (evidence_merge(crew->evidence, &w->evidence), true);
}

/* Adds the chunk after all chunks before it. */
static void hand_in(struct crew *crew, struct walk *w, int64_t chunk, bool good)
{
    pthread_mutex_lock(&crew->lock);
    while (crew->added < chunk && !crew->failed) {
        pthread_cond_wait(&crew->turn, &crew->lock);
    }
    if (!crew->failed && !(good && add_chunk(crew, w))) {
        crew->failed = true;
        crew->whole->error = w->part.error;
    }
    crew->added++;
    if (crew->whole->request->progress) {
        double done = (double)crew->added * (double)crew->chunk / (double)crew->elements;
        crew->whole->request->progress(crew->whole->request->user, done < 1 ? done : 1);
    }
    pthread_cond_broadcast(&crew->turn);
    pthread_mutex_unlock(&crew->lock);
}

/* The next chunk; −1: none is left, or one has failed. */
static int64_t take_chunk(struct crew *crew)
{
    pthread_mutex_lock(&crew->lock);
    bool any = !crew->failed && crew->taken * crew->chunk < crew->elements;
    int64_t chunk = any ? crew->taken++ : -1;
    pthread_mutex_unlock(&crew->lock);
    return chunk;
}

/* Gives a thread slices of its own. False with the reason if out of memory. */
static bool own_slices(struct walk *w, const struct judge_request *request, int step, struct error *error)
{
    const struct truth_slices *slices = program_truth_slices(request->truth, step);
    if (!slices) {
        return true;
    }
    w->truth.slices = calloc((size_t)request->truth->steps, sizeof *w->truth.slices);
    w->slices = w->truth.slices ? truth_slices_create(request->program, step, slices->left,
                                                      !slices->call.enclosed, 1, error)
                                : NULL;
    if (!w->slices) {
        return false;
    }
    w->truth.slices[step] = w->slices;
    w->slices->call.numbers = true; /* other code that reads values fills them first */
    w->slices->per = slices->per;
    return true;
}

static void *work(void *user)
{
    struct crew *crew = user;
    const struct judge_request *request = crew->whole->request;
    struct walk w = {.truth = *request->truth};
    struct error error = {.text = "out of memory while judging"};
    w.truth.slices = NULL;
    bool ready = own_slices(&w, request, crew->of->step, &error);
    w.t = *crew->of; /* stands at the tensor */
    w.t.truth = &w.truth;
    w.t.query.memo = &w.t.memo;
    w.t.query.profile = &w.t.profile;
    if (ready) {
        ready = w.slices || traversal_next_slice(&w.t);
    }
    refine_open(&w.refine, request->program, &w.truth); /* its operands are gathered once for all chunks */
    refine_seek(&w.refine, crew->of->step);
    w.refine.lock = w.slices ? NULL : &crew->certifying;
    struct by_input *by_input =
        crew->whole->by_input && ready ? by_input_open(request->program, &ready) : NULL;
    for (int64_t chunk = take_chunk(crew); chunk >= 0; chunk = take_chunk(crew)) {
        int64_t first = chunk * crew->chunk, last = first + crew->chunk;
        w.part = judging_of(request, &w.refine);
        w.part.error = error;
        w.part.by_input = by_input;
        bool good = ready && judge_chunk(&w, first, last < crew->elements ? last : crew->elements);
        hand_in(crew, &w, chunk, good);
        metrics_destroy(&w.part.metrics);
        evidence_close(&w.evidence);
    }
    by_input_close(&by_input);
    refine_close(&w.refine);
    truth_slices_destroy(&w.slices);
    free(w.truth.slices);
    return NULL;
}

/* The elements of a chunk: whole slices, or whole rows; 0: the tensor must be judged at once. */
static int64_t chunk_of(const struct judging *j, const struct traversal *t)
{
    const struct truth_slices *slices = program_truth_slices(j->request->truth, t->step);
    const int64_t elements = t->elements;
    const bool separate = t->program->steps == 1 || t->program->step[t->step].observed;
    struct op_rows rows;
    int64_t unit = slices ? slices->per * slices->row : 0;
    if (!slices && separate && j->request->threads > 1 && truth_rows(t->program, t->step, &rows)) {
        unit = 1;
        for (int d = rows.output; d < t->view.shape.rank; d++) {
            unit *= t->view.shape.dim[d];
        }
    }
    int64_t part = elements / CHUNKS;
    part = part < LEAST_ELEMENTS ? LEAST_ELEMENTS : part > MOST_ELEMENTS ? MOST_ELEMENTS : part;
    int64_t chunk = unit > 0 ? (part + unit - 1) / unit * unit : 0;
    return slices || chunk < elements ? chunk : 0;
}

bool judging_in_chunks(struct judging *j, const struct traversal *t, struct evidence *evidence, bool *good)
{
    int wanted = j->request->threads > THREADS_MAX ? THREADS_MAX : j->request->threads, started = 0;
    pthread_t thread[THREADS_MAX];
    struct crew crew = {.whole = j,
                        .of = t,
                        .evidence = evidence,
                        .elements = t->elements,
                        .chunk = chunk_of(j, t),
                        .lock = PTHREAD_MUTEX_INITIALIZER,
                        .certifying = PTHREAD_MUTEX_INITIALIZER,
                        .turn = PTHREAD_COND_INITIALIZER};
    if (crew.chunk == 0) {
        return false;
    }
    while (started < wanted - 1 && pthread_create(&thread[started], NULL, work, &crew) == 0) {
        started++; /* fewer threads will do */
    }
    work(&crew);
    for (int k = 0; k < started; k++) {
        pthread_join(thread[k], NULL);
    }
    *good = !crew.failed;
    return true;
}
