/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/repro/repro_child.h"
#include "harness/repro/waiting.h"
#include "harness/test/trial.h"
#include "reference/base/philox.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Tests calls whose result is judged and written in slices. */

enum { ROWS = 600, COLUMNS = 256 };
#define CALL                                                                                                 \
    "repro --op layer_norm --attr normalized_shape=256 --input FOLDER/x.npy --dtype float32 --backend cpu"

static void begin(void)
{
    static double x[ROWS * COLUMNS];
    struct philox g;
    trial_begin();
    philox_start(&g, 3);
    for (int k = 0; k < ROWS * COLUMNS; k++) {
        x[k] = philox_signed(&g);
    }
    trial_array("x.npy", shape_of(2, (int64_t)ROWS, (int64_t)COLUMNS), x);
}

TestSuite(repro_large, .init = begin, .fini = trial_end, .timeout = 120);

/* With several backends the values are kept whole, to be compared; alone they are written slice by slice. */
Test(repro_large, files_are_the_same_in_slices_and_whole)
{
    static const char *const names[] = {"truth", "truth_tail", "radius", "bound", "got-cpu"};
    trial_run(CALL " --output-dir FOLDER/one");
    trial_expect(
        0, "written          input-0.npy, truth.npy, truth_tail.npy, radius.npy, bound.npy, got-cpu.npy");
    trial_run(CALL " --backend faulty --output-dir FOLDER/two");
    trial_expect(0, "all bits are the same");
    for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
        char command[512], name[64];
        struct stat status;
        snprintf(command, sizeof command, "cmp %s/one/%s.npy %s/two/%s.npy", trial->folder, names[n],
                 trial->folder, names[n]);
        cr_expect_eq(system(command), 0, "%s", names[n]);
        snprintf(name, sizeof name, "one/%s.npy", names[n]);
        cr_assert_eq(stat(trial_path(name), &status), 0, "%s", names[n]);
        cr_expect_eq(status.st_size, 128 + ROWS * COLUMNS * 8, "%s: %lld", names[n],
                     (long long)status.st_size);
    }
}

Test(repro_large, a_file_that_cannot_be_written_is_named)
{
    cr_assert_eq(mkdir(trial_path("out"), 0777), 0);
    cr_assert_eq(mkdir(trial_path("out/bound.npy"), 0777), 0);
    trial_run(CALL " --output-dir FOLDER/out");
    trial_expect(2, "bound.npy");
    cr_expect_not(trial_has("out/truth.npy"), "%s", trial->output);
}

Test(repro_large, the_line_says_what_is_done)
{
    static const struct {
        int phase, size;
        double done, seconds;
        const char *backend, *line;
    } row[] = {{REPRO_OPENING, 80, 0, 1.5, "cpu", "cpu: starting, 1 s"},
               {PHASE_REFERENCE, 80, 0, 2, "cpu", "cpu: computing the reference, 2 s"},
               {PHASE_RUN, 80, 0.5, 3, "torch:cuda", "torch:cuda: running, 3 s"},
               {PHASE_JUDGE, 80, 0, 3, "cpu", "cpu: judging, 3 s"},
               {PHASE_JUDGE, 80, 0.424, 75.9, "cpu", "cpu: judging 42 %, 75 s"},
               {PHASE_JUDGE, 80, 1.5, 3, "cpu", "cpu: judging 100 %, 3 s"},
               {REPRO_EXPLAINING, 80, 1, 3, "cpu", "cpu: looking for an explanation, 3 s"},
               {PHASE_RUN, 24, 0, 3, "exec:python3 a long command", "exec:pyth: running, 3 s"}};
    for (size_t r = 0; r < sizeof row / sizeof *row; r++) {
        const struct waiting waiting = {.backend = row[r].backend, .done = row[r].done};
        char text[80];
        waiting_format(&waiting, row[r].phase, row[r].seconds, text, row[r].size);
        cr_expect_lt(strlen(text), (size_t)row[r].size, "%s", text);
        cr_expect_str_eq(text, row[r].line);
    }
}

/* On a terminal the line appears and is erased before the report; elsewhere there is none. */
Test(repro_large, a_slow_backend_shows_what_it_does_on_a_terminal)
{
    char command[4096];
    static char said[8192];
    trial_needs_python();
    trial_script("slow", "#!/bin/sh\nsleep 2\nexit 1\n");
    snprintf(command, sizeof command,
             "TERM=xterm python3 -c 'import os, pty, sys\n"
             "pid, fd = pty.fork()\n"
             "if pid == 0: os.execv(sys.argv[1], sys.argv[1:])\n"
             "out = b\"\"\n"
             "while True:\n"
             "    try: part = os.read(fd, 4096)\n"
             "    except OSError: break\n"
             "    if not part: break\n"
             "    out += part\n"
             "os.waitpid(pid, 0)\n"
             "sys.stdout.buffer.write(out.replace(b\"\\x1b\", b\"E\"))' "
             "%s repro --op sgn --input %s/x.npy --dtype float32 --backend exec:%s/slow",
             trial_program("assay-faulty"), trial->folder, trial->folder);
    FILE *reader = popen(command, "r");
    cr_assert_not_null(reader);
    said[fread(said, 1, sizeof said - 1, reader)] = '\0';
    pclose(reader);
    cr_expect(strstr(said, "E[Kexec:") && strstr(said, "/slow: starting, 1 s"), "%s", said);
    trial_run("repro --op sgn --input FOLDER/x.npy --dtype float32 --backend exec:FOLDER/slow");
    cr_expect_not(strstr(trial->output, "starting,"), "%s", trial->output);
}
