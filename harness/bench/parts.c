/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/bench/parts.h"

#include "harness/host/processors.h"

#include <pthread.h>
#include <stdatomic.h>

enum { THREADS_MAX = 64 };

struct crew {
    void (*work)(void *user, int64_t part);
    void *user;
    int64_t parts;
    _Atomic int64_t next;
};

static void *run(void *user)
{
    struct crew *crew = user;
    for (int64_t p = atomic_fetch_add(&crew->next, 1); p < crew->parts;
         p = atomic_fetch_add(&crew->next, 1)) {
        crew->work(crew->user, p);
    }
    return NULL;
}

void parts_run(int64_t parts, void (*work)(void *user, int64_t part), void *user)
{
    struct crew crew = {.work = work, .user = user, .parts = parts};
    pthread_t thread[THREADS_MAX];
    int64_t wanted = processors_usable();
    int started = 0;
    wanted = wanted < parts ? wanted : parts;
    wanted = wanted < THREADS_MAX ? wanted : THREADS_MAX;
    /* this thread is one of them, and does all the work where no other can be started */
    while (started < wanted - 1 && pthread_create(&thread[started], NULL, run, &crew) == 0) {
        started++;
    }
    run(&crew);
    for (int t = 0; t < started; t++) {
        pthread_join(thread[t], NULL);
    }
}
