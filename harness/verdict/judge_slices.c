/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* A tensor whose truth comes in slices, judged by several threads: chunks of slices, each with its own truth,
 * metrics and evidence, which are added up in the order of the chunks. The result is the same with any number
 * of threads. */

#include "harness/verdict/judging.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>

enum { SLICES_TO_CHUNK = 8, THREADS_MAX = 256 };

struct crew {
    struct judging *whole;
    struct evidence *evidence;
    int64_t elements, chunk; /* of the tensor; to a chunk */
    int64_t taken, added;    /* chunks */
    bool failed;
    pthread_mutex_t lock;
    pthread_cond_t turn;
};

/* Everything that one thread walks with. */
struct walk {
    struct program_truth truth;
    struct traversal t;
    struct judging part;
    struct evidence evidence;
};

static bool judge_chunk(struct walk *w, int64_t first, int64_t last)
{
    bool good = true;
    w->t.end = first; /* where the next slice begins */
    w->t.sliced = true;
    while (good && w->t.end < last && traversal_next_slice(&w->t)) {
        good = (w->evidence.truth || judging_begin_evidence(&w->t, &w->evidence)) &&
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
    to->range_findings += from->range_findings;
    to->beyond_envelope += from->beyond_envelope;
    to->bits = from->bits < to->bits ? from->bits : to->bits;
    to->scale = fmax(to->scale, from->scale);
    to->scaled = from->scaled;
    if (from->have_worst && (!to->have_worst || from->worst.verdict.nu > to->worst.verdict.nu)) {
        to->worst = from->worst;
        to->have_worst = true;
    }
    bool begun = crew->evidence->elements > 0;
    return metrics_merge(&to->metrics, &from->metrics) &&
           (begun || evidence_open(crew->evidence, 0, w->evidence.dtype, w->evidence.may_fail)) &&
           (evidence_merge(crew->evidence, &w->evidence), true);
}

/* Adds the chunk once all before it are added. */
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

static void *work(void *user)
{
    struct crew *crew = user;
    const struct judge_request *request = crew->whole->request;
    const struct truth_slices *slices = request->truth->slices;
    struct walk w = {.truth = {.steps = request->truth->steps, .truth = request->truth->truth}};
    struct error error = {.text = "out of memory while judging"};
    w.truth.slices = truth_slices_create(request->program, !slices->call.enclosed, 1, &error);
    if (w.truth.slices) {
        w.truth.slices->per = slices->per;
        w.t = traversal_of(request->program, &w.truth, request->profile, &crew->whole->ownership);
        traversal_next_tensor(&w.t);
    }
    for (int64_t chunk = take_chunk(crew); chunk >= 0; chunk = take_chunk(crew)) {
        int64_t first = chunk * crew->chunk, last = first + crew->chunk;
        w.part = judging_of(request);
        w.part.error = error;
        settle_open(&w.part.settle, request->program, &w.truth);
        bool good = w.truth.slices && judge_chunk(&w, first, last < crew->elements ? last : crew->elements);
        hand_in(crew, &w, chunk, good);
        settle_close(&w.part.settle);
        metrics_destroy(&w.part.metrics);
        evidence_close(&w.evidence);
    }
    truth_slices_destroy(&w.truth.slices);
    return NULL;
}

bool judging_slices(struct judging *j, int64_t elements, struct evidence *evidence)
{
    const struct truth_slices *slices = j->request->truth->slices;
    int wanted = j->request->threads > THREADS_MAX ? THREADS_MAX : j->request->threads, started = 0;
    pthread_t thread[THREADS_MAX];
    struct crew crew = {.whole = j,
                        .evidence = evidence,
                        .elements = elements,
                        .chunk = SLICES_TO_CHUNK * slices->per * slices->row,
                        .lock = PTHREAD_MUTEX_INITIALIZER,
                        .turn = PTHREAD_COND_INITIALIZER};
    while (started < wanted - 1 && pthread_create(&thread[started], NULL, work, &crew) == 0) {
        started++; /* fewer will do */
    }
    work(&crew);
    for (int k = 0; k < started; k++) {
        pthread_join(thread[k], NULL);
    }
    return !crew.failed;
}
