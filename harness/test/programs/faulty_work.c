/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/test/programs/faulty_work.h"
#include "harness/host/clock.h"
#include "harness/workers/child.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void flood(void)
{
    static char block[65536];
    memset(block, 'x', sizeof block);
    for (int i = 0; i < CHILD_LINE_MAX / (int)sizeof block + 2; i++) {
        if (write(CHILD_ANSWERS_FD, block, sizeof block) < 0) {
            break;
        }
    }
}

static void *burn(void *user)
{
    int64_t end = clock_thread_ns() + WORK_BURNT_MS * INT64_C(1000000);
    while (clock_thread_ns() < end) {
    }
    return user;
}

static void swell(void)
{
    size_t size = (size_t)WORK_SWOLLEN_MIB << 20;
    unsigned char *bytes = malloc(size);
    if (bytes) {
        memset(bytes, 1, size);
    }
    __asm__ volatile("" : : "r"(bytes) : "memory"); /* or nothing would be touched */
    free(bytes);
}

void work_act(const char *name)
{
    pthread_t thread;
    if (strcmp(name, "flood") == 0) {
        flood();
    } else if (strcmp(name, "swell") == 0) {
        swell();
    } else if (strcmp(name, "burn") == 0 && pthread_create(&thread, NULL, burn, NULL) == 0) {
        pthread_join(thread, NULL);
    }
}
