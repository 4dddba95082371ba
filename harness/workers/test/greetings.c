/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/exec/protocol.h"
#include "harness/test/trial.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Tests that every worker process, and a program that is started again, must find the backend that the first
 * one found. */

TestSuite(greetings, .init = trial_begin, .fini = trial_end, .timeout = 60);

/* Writes FOLDER/p, which greets with `first` in its first process and with `then` in later ones. `dies`: a
 * shell line that the first process runs instead of the program. */
static void write_program(const char *first, const char *then, const char *dies)
{
    char script[3 * PATH_MAX + 512];
    const char *program = trial_program("peculiar");
    trial_write("first", first);
    trial_write("then", then);
    snprintf(script, sizeof script,
             "#!/bin/sh\nif mkdir %s 2>/dev/null; then %s%s slow %s; else exec %s slow %s; fi\n",
             trial_path("started"), dies, program, trial_path("first"), program, trial_path("then"));
    trial_script("p", script);
}

static const struct record *run(int jobs, int status)
{
    trial_run("run elementwise/sgn/float32 elementwise/square/float32 --level standard --exclude "
              "*/length-1048579 --backend exec:FOLDER/p --jobs %d --no-cache --results FOLDER/r",
              jobs);
    trial_read("r");
    cr_assert_eq(trial->status, status, "%s", trial->output);
    cr_expect_eq(trial_records(STATUS_UNSUPPORTED), 0, "what the first worker offers is not unsupported: %s",
                 trial->output);
    for (int r = 0; r < trial->results.records; r++) {
        if (trial->results.record[r].status == STATUS_ERROR) {
            return &trial->results.record[r];
        }
    }
    cr_assert_eq(status, 0, "%s", trial->output);
    return NULL;
}

static const char both[] = "{\"operators\": [\"sgn\", \"square\"]}";

Test(greetings, a_second_worker_that_offers_less_fails_the_gate)
{
    write_program(both, "{\"operators\": [\"square\"]}", "");
    cr_expect(strstr(run(2, 1)->reason, "a worker process opened another backend than the first one: it does "
                                        "not offer sgn:"));
    cr_expect_gt(trial_records(STATUS_PASS), 0, "the first worker goes on: %s", trial->output);
}

Test(greetings, a_second_worker_with_another_profile_fails_the_gate)
{
    write_program(both, "{\"operators\": [\"sgn\", \"square\"], \"profile\": {\"subnormals\": \"flushed\"}}",
                  "");
    cr_expect(strstr(run(2, 1)->reason,
                     "the profile's subnormals.float16 is \"may flush\"; the first worker's was "
                     "\"kept\""));
}

Test(greetings, two_workers_that_agree_pass)
{
    write_program(both, "{\"operators\": [\"square\", \"sgn\"]}", "");
    run(2, 0);
}

/* There is one worker. Its program dies after a few answers, that is some bytes after the greeting with its
 * list of operators, and is started again with another greeting. */
Test(greetings, a_program_that_is_started_again_must_greet_as_before)
{
    /* the first process gets the greeting request and a little of the first case, and then reads the end */
    char *hello = exec_format_hello(), dies[64];
    snprintf(dies, sizeof dies, "dd bs=1 count=%zu status=none | ", strlen(hello) + 1000);
    free(hello);
    write_program(both, "{\"operators\": [\"sgn\", \"square\"], \"profile\": {\"special_values\": \"open\"}}",
                  dies);
    const struct record *record = run(1, 1);
    cr_expect(strstr(record->reason, "the program was started again and greeted otherwise: the profile's "
                                     "special_values.float16 is \"open\"; the first worker's was \"kept\"") ||
                  strstr(record->reason, "a worker process opened another backend"),
              "%s", record->reason);
    int restarted = 0;
    for (int r = 0; r < trial->results.records; r++) {
        const char *reason = trial->results.record[r].reason;
        restarted += reason && strstr(reason, "started again and greeted otherwise") != NULL;
    }
    cr_expect_geq(restarted, 1, "%s", trial->output);
}
