/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/test/trial.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

/* Tests that every reader refuses invalid and endless files at once and with little memory. */

TestSuite(endless, .init = trial_begin, .fini = trial_end, .timeout = 60);

#define RUN "run elementwise/sgn/float32 --level smoke --backend cpu --quiet "

static const struct {
    const char *suffix, *words; /* FILE stands for the file */
} readers[] = {{".jsonl", "report FILE --format text"},
               {".jsonl", "merge FILE -o FOLDER/m"},
               {".jsonl", "compare FILE FILE"},
               {".jsonl", RUN "--shard 1/2 --costs FILE"},
               {".json", RUN "--baseline FILE"},
               {".json", RUN "--baseline FILE --update-baseline"},
               {".npy", "repro --op sgn --backend cpu --input FILE"},
               {".npz", "repro --op sgn --backend cpu --input FILE"},
               {".safetensors", "repro --op sgn --backend cpu --input FILE"},
               {".safetensors", "repro --op sgn --backend cpu --input FILE:x"},
               {".mtx", "repro --op sgn --backend cpu --input FILE"},
               {".zip", "repro FILE"}};
enum { READERS = sizeof readers / sizeof *readers };

static void read_with(int r, const char *file)
{
    char words[300] = "";
    for (const char *c = readers[r].words; *c;) {
        bool here = strncmp(c, "FILE", 4) == 0;
        snprintf(words + strlen(words), sizeof words - strlen(words), here ? "%s" : "%.1s", here ? file : c);
        c += here ? 4 : 1;
    }
    trial_run("%s", words);
    cr_expect_eq(trial->status, 2, "%s: exit %d: %s", words, trial->status, trial->output);
}

Test(endless, pipes_directories_and_devices_are_named)
{
    static const char *const kinds[] = {"a pipe: give a regular file", "a directory",
                                        "a device: give a regular file"};
    for (int r = 0; r < READERS; r++) {
        for (int kind = 0; kind < 3; kind++) {
            char name[32], file[64];
            snprintf(name, sizeof name, "k%d-%d%s", kind, r, readers[r].suffix);
            snprintf(file, sizeof file, "FOLDER/%s", name);
            cr_assert_eq(kind == 0   ? mkfifo(trial_path(name), 0600)
                         : kind == 1 ? mkdir(trial_path(name), 0700)
                                     : symlink("/dev/zero", trial_path(name)),
                         0);
            read_with(r, file);
            bool bundle = strcmp(readers[r].suffix, ".zip") == 0; /* recognized by how it begins */
            cr_expect(strstr(trial->output, !bundle     ? kinds[kind]
                                            : kind == 1 ? "this directory has no capture.json"
                                                        : "neither a bundle nor a case"),
                      "%s: %s", readers[r].words, trial->output);
            cr_expect_lt(trial->seconds, 5, "%s", readers[r].words);
        }
    }
}

/* The file is one line of 4 GiB that takes no disk space, read with a memory limit of 1 GiB. */
Test(endless, a_line_without_end_takes_no_memory)
{
    struct rlimit before, small;
#ifdef __SANITIZE_ADDRESS__
    cr_skip_test("a sanitizer's own memory is beyond the limit");
#endif
    cr_assert_eq(getrlimit(RLIMIT_AS, &before), 0);
    small = before;
    small.rlim_cur = 1UL << 30;
    for (int r = 0; r < READERS; r++) {
        char name[32], file[64];
        snprintf(name, sizeof name, "long-%d%s", r, readers[r].suffix);
        snprintf(file, sizeof file, "FOLDER/%s", name);
        trial_write(name,
                    strcmp(readers[r].suffix, ".mtx") ? "" : "%%MatrixMarket matrix array real general\n");
        cr_assert_eq(truncate(trial_path(name), 1L << 32), 0);
        cr_assert_eq(setrlimit(RLIMIT_AS, &small), 0);
        read_with(r, file);
        cr_assert_eq(setrlimit(RLIMIT_AS, &before), 0);
        bool lines = !strncmp(readers[r].suffix, ".js", 3) || !strcmp(readers[r].suffix, ".mtx");
        cr_expect(!lines || strstr(trial->output, "longer than 64 MiB"), "%s: %s", readers[r].words,
                  trial->output);
        cr_expect(!strstr(trial->output, "out of memory"), "%s", trial->output);
        unlink(trial_path(name));
    }
}
