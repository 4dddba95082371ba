/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/exec/protocol.h"
#include "harness/test/trial.h"

#include <criterion/criterion.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* Tests that programs behind exec: that are slow or silent, that die, or that send malformed answers or wrong
 * sizes, cost only their own case.
 *
 * Each is a shell script that misbehaves on the first request of its first run. From its second start on it
 * is the honest example program, whose greeting it uses. */

#define GLOB "elementwise/sgn/float32/repeat-*"

TestSuite(exec, .init = trial_begin, .fini = trial_end, .timeout = 60);

/* Writes FOLDER/liar, which runs `fault`, with the request's id in $id, after it has read the greeting and
 * the first request. */
static void write_liar(const char *fault)
{
    char script[PATH_MAX + 2048];
    unlink(trial_path("lied"));
    snprintf(script, sizeof script,
             "#!/bin/sh\nif [ -e %s ]; then exec %s; fi\ntouch %s\nread -r line\necho \"$line\" | %s\nread "
             "-r line\n"
             "id=$(echo \"$line\" | sed 's/.*\"id\":\\([0-9]*\\).*/\\1/')\n%s\n",
             trial_path("lied"), trial_program("example"), trial_path("lied"), trial_program("example"),
             fault);
    trial_script("liar", script);
}

/* Expects that the first case ends with `status` and `word` in its reason, and that every other case passes.
 */
static void expect(const char *fault, enum status status, const char *word)
{
    write_liar(fault);
    trial_run("run elementwise/sgn/float32 --level smoke --backend exec:FOLDER/liar --jobs 1 "
              "--no-rerun --time-limit 2"
              " --results FOLDER/r");
    trial_read("r");
    cr_assert_eq(trial->status, 1, "%s", trial->output);
    int hit = 0, passed = 0;
    for (int r = 0; r < trial->results.records; r++) {
        const struct record *record = &trial->results.record[r];
        passed += record->status == STATUS_PASS;
        if (record->status == status) {
            hit++;
            cr_assert(strstr(record->reason, word), "%s", record->reason);
        }
    }
    cr_assert_eq(hit, 1, "%d %s\n%s", hit, status_name(status), trial->output);
    cr_assert_eq(passed, trial->results.records - 1, "%s", trial->output);
}

Test(exec, a_program_that_is_killed)
{
    expect("kill -9 $$", STATUS_CRASH, "signal 9");
}
Test(exec, a_program_that_ends)
{
    expect("exit 3", STATUS_CRASH, "exit status 3");
}
Test(exec, a_silent_program)
{
    expect("exec sleep 100", STATUS_TIMEOUT, "2");
}
Test(exec, an_answer_that_is_no_json)
{
    expect("echo hello there; exec sleep 100", STATUS_ERROR, "no JSON object");
}
Test(exec, an_answer_to_another_request)
{
    expect("echo '{\"id\": 77, \"status\": \"ok\"}'; exec sleep 100", STATUS_ERROR, "another request");
}
Test(exec, a_status_that_is_none)
{
    expect("echo \"{\\\"id\\\": $id, \\\"status\\\": \\\"fine\\\"}\"; exec sleep 100", STATUS_ERROR,
           "\"fine\" is none");
}
Test(exec, another_shape_than_asked_for)
{
    expect("echo \"{\\\"id\\\": $id, \\\"status\\\": \\\"ok\\\", \\\"outputs\\\": [{\\\"dtype\\\": "
           "\\\"float32\\\", "
           "\\\"shape\\\": [123456789]}]}\"; exec sleep 100",
           STATUS_ERROR, "another shape");
}
Test(exec, another_number_of_outputs)
{
    expect("echo \"{\\\"id\\\": $id, \\\"status\\\": \\\"ok\\\", \\\"outputs\\\": []}\"; exec sleep 100",
           STATUS_ERROR, "0 outputs, 1");
}
Test(exec, fewer_bytes_than_declared)
{
    expect("shape=$(echo \"$line\" | sed "
           "'s/.*\"outputs\":\\[{\"dtype\":\"float32\",\"shape\":\\(\\[[0-9,]*\\]\\).*/\\1/')\n"
           "echo \"{\\\"id\\\": $id, \\\"status\\\": \\\"ok\\\", \\\"outputs\\\": [{\\\"dtype\\\": "
           "\\\"float32\\\", "
           "\\\"shape\\\": $shape}]}\"; exec sleep 100",
           STATUS_TIMEOUT, "2");
}
Test(exec, more_than_was_asked_for)
{
    expect("printf '{\"id\": %s, \"status\": \"unsupported\"}\\nand more' \"$id\"; exec sleep 100",
           STATUS_ERROR, "more than was asked for");
}
Test(exec, a_line_without_end)
{
    expect("head -c 1100000 /dev/zero | tr '\\0' x; exec sleep 100", STATUS_ERROR, "a line of more than");
}

/* The program logs without end: its log uses no disk space, nobody waits for it, and its last words are
 * reported. */
Test(exec, a_flood_on_stderr_fills_nothing)
{
    struct rlimit before, small;
    cr_assert_eq(getrlimit(RLIMIT_FSIZE, &before), 0);
    small = before;
    small.rlim_cur = 1 << 20; /* a file of 8 MiB would fail */
    cr_assert_eq(setrlimit(RLIMIT_FSIZE, &small), 0);
    write_liar("head -c 8388608 /dev/zero | tr '\\0' 'x' >&2 && echo whole >>$0.log\n"
               "echo >&2; echo 'what it said last' >&2; exit 3");
    trial_run("run " GLOB " --backend exec:FOLDER/liar --jobs 1 --no-rerun --results FOLDER/r");
    cr_assert_eq(setrlimit(RLIMIT_FSIZE, &before), 0);
    trial_read("r");
    int crashes = 0;
    for (int r = 0; r < trial->results.records; r++) {
        const struct record *record = &trial->results.record[r];
        crashes += record->status == STATUS_CRASH;
        cr_expect(record->status != STATUS_CRASH || strstr(record->reason, "it said: what it said last"),
                  "%s", record->reason);
    }
    cr_expect_eq(crashes, 1, "%s", trial->output);
    cr_expect(trial_has("liar.log"), "all of the flood was taken");
}

Test(exec, a_slow_program_is_waited_for)
{
    write_liar("");
    trial_write("lied", "");
    trial_run("run elementwise/sgn/float32 --level smoke --backend exec:sleep${IFS}0.4;FOLDER/liar --results "
              "FOLDER/r");
    cr_assert_eq(trial->status, 0, "%s", trial->output);
}

Test(exec, a_program_that_does_not_greet_is_exit_3)
{
    trial_run("run elementwise/sgn/float32 --backend exec:echo");
    cr_assert_eq(trial->status, 3, "%s", trial->output);
    trial_run("run elementwise/sgn/float32 --backend exec:/nonexistent");
    cr_assert_eq(trial->status, 3, "%s", trial->output);
    cr_assert(strstr(trial->output, "does not greet"), "%s", trial->output);
}

/* Holds for whichever command prints the words. C1 and bidirectional controls have two and three bytes. */
Test(exec, the_words_of_a_program_move_no_cursor)
{
    static const char *const commands[] = {"run elementwise/sgn/float32 --backend", "check",
                                           "repro elementwise/sgn/float32/length-65 --backend"};
    trial_script("liar", "#!/bin/sh\nprintf 'a\\033[2J\\007b\\302\\233c\\342\\200\\256d\\n' >&2\nexit 3\n");
    for (size_t c = 0; c < sizeof commands / sizeof *commands; c++) {
        trial_run("%s exec:FOLDER/liar", commands[c]);
        cr_expect_eq(trial->status, 3, "%s", trial->output);
        cr_expect(strstr(trial->output, "a\\x1b[2J\\x07b\\x9bc\\u202ed"), "%s: %s", commands[c],
                  trial->output);
        cr_expect_not(strpbrk(trial->output, "\033\007"), "%s: %s", commands[c], trial->output);
    }
}

/* Tests operators that every release of PyTorch computes correctly, if the interpreter has torch. */
Test(exec, pytorch_on_the_cpu)
{
    const char *python = getenv("ASSAY_PYTHON");
    char command[256];
    snprintf(command, sizeof command, "%s -c 'import torch' 2>/dev/null", python ? python : "python3");
    if (system(command) != 0) {
        cr_skip_test("no torch in %s: the adapter is not tried", python ? python : "python3");
    }
    trial_run("run elementwise/sgn/float32 elementwise/sign/bfloat16 elementwise/square inplace/mul_/int32 "
              "linalg/logdet/float64 --exclude *refuse-overlapping-windows --level smoke --backend torch:cpu "
              "--results FOLDER/r");
    cr_assert_eq(trial->status, 0, "%s", trial->output);
    trial_read("r");
    cr_assert_gt(trial_records(STATUS_PASS), 100, "%s", trial->output);
}

/* Otherwise a check that finds no process would prove nothing. */
Test(exec, a_process_that_lives_is_counted)
{
    pid_t asleep = fork();
    if (asleep == 0) {
        execlp("sleep", "sleep", "98763", (char *)NULL);
        _exit(127);
    }
    trial_await("sleep 98763");
    cr_expect_eq(trial_processes("sleep 98763"), 1);
    cr_expect_eq(kill(asleep, SIGKILL), 0);
    cr_expect_eq(waitpid(asleep, NULL, 0), asleep);
}

/* The program has started another one, which lives on. Both must end with the conversation, and with the
 * worker. */
Test(exec, what_a_program_has_started_ends_with_it)
{
    expect("sleep 98761 & echo hello there; sleep 98761; true", STATUS_ERROR, "no JSON object");
    cr_expect_eq(trial_processes("sleep 98761"), 0);
    expect("sleep 98762 & sleep 98762; true", STATUS_TIMEOUT, "2");
    for (int i = 0; i < 50 && trial_processes("sleep 98762") > 0; i++) {
        usleep(20000); /* the worker is killed first, then its processes */
    }
    cr_expect_eq(trial_processes("sleep 98762"), 0);
}

Test(exec, the_last_words_of_a_program_are_reported)
{
    expect("echo 'first line' >&2; echo 'no such device' >&2; exit 3", STATUS_CRASH,
           "it said: no such device");
}

/* Tests the whole program, with an answer that says that no entry is left. */
Test(exec, a_wrong_count_fails_the_case)
{
    trial_script(
        "counter",
        "#!/bin/sh\nread -r line\n"
        "echo '{\"hello\": 1, \"name\": \"counter\", \"dtypes\": [\"float32\", \"int64\"], \"operators\": "
        "[\"coalesce\"]}'\nread -r line\nid=$(echo \"$line\" | sed 's/.*\"id\":\\([0-9]*\\).*/\\1/')\n"
        "echo \"{\\\"id\\\": $id, \\\"status\\\": \\\"ok\\\", \\\"outputs\\\": [{\\\"dtype\\\": "
        "\\\"int64\\\", \\\"shape\\\": [2, 0]}, {\\\"dtype\\\": \\\"float32\\\", \\\"shape\\\": "
        "[0]}]}\"\nexec sleep 100\n");
    trial_run("run sparse/coalesce/float32/duplicates --backend exec:FOLDER/counter --jobs 1 --no-rerun "
              "--time-limit 5 --results FOLDER/r");
    trial_read("r");
    cr_assert_eq(trial->status, 1, "%s", trial->output);
    cr_assert_eq(trial->results.records, 1);
    cr_expect_eq(trial->results.record[0].status, STATUS_FAIL, "%s", trial->output);
    cr_expect(strstr(trial->results.record[0].reason, "another shape"), "%s",
              trial->results.record[0].reason);
}

/* Invalid UTF-8, and a device name that is cut within a character, cost no answer and do not block the search
 * for a smaller call. */
Test(exec, words_that_are_no_text_cost_no_answer)
{
    static const char *const bodies[] = {
        "import sys\nimport os\nsys.stderr.buffer.write(b'caf\\xe9\\n'); sys.stderr.flush(); os._exit(3)\n",
        "raise RuntimeError(chr(233) * 1000)\n", "raise RuntimeError('a' + chr(233) * 1000)\n"};
    for (size_t b = 0; b < sizeof bodies / sizeof *bodies; b++) {
        char text[2048], folder[PATH_MAX], body[256];
        size_t used = 0;
        for (const char *c = bodies[b]; *c; c++) { /* in a function */
            used +=
                (size_t)snprintf(body + used, sizeof body - used, *c == '\n' && c[1] ? "\n    " : "%c", *c);
        }
        cr_assert_not_null(getcwd(folder, sizeof folder));
        snprintf(text, sizeof text,
                 "#!/usr/bin/env python3\nimport sys\nsys.path.insert(0, '%.500s/harness/adapters')\n"
                 "import assay_exec\ndef matmul(a, x, y):\n    %sclass X(assay_exec.Adapter):\n"
                 "    name, version, device = 'x', '1', %s + chr(233) * 600\n"
                 "    dtypes, operators, profile = ('float32',), {'matmul': matmul}, {}\nX().serve()\n",
                 folder, body, b & 1 ? "'a'" : "''");
        trial_script("liar", text);
        trial_run("repro linalg/matmul/float32/random-9x7x5 --backend exec:FOLDER/liar --shrink "
                  "--shrink-time 2 --format json");
        cr_expect_eq(trial->status, 1, "%s", trial->output);
        cr_expect(strstr(trial->output, b ? "\"status\": \"error\"" : "\"status\": \"crash\""), "%s",
                  trial->output);
        cr_expect_not(strstr(trial->output, "phase judge"), "%s", trial->output);
        cr_expect(strstr(trial->output, b ? "\303\251" : "it said: caf"), "%s", trial->output);
    }
}
