/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/cli/commands.h"
#include "harness/host/version.h"
#include "harness/repro/repro.h"
#include "harness/selection/plan.h"
#include "reports/records/fields.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

static const char about[] =
    "Judges results that another program sends, until its input ends. The Python\n"
    "module assay keeps this command running, so that judging a small result takes\n"
    "milliseconds.\n"
    "\n"
    "Each line of the standard input is a JSON object with the path of a bundle,\n"
    "{\"bundle\": \"/dev/shm/call.zip\"}. A bundle holds an operator's operands,\n"
    "attributes, results and the profile of the backend that computed them; its\n"
    "outputs may have \"truth\": false. Each answer is one line: the object that\n"
    "`assay repro BUNDLE --format json` has for one backend (status, rule, reason,\n"
    "diagnosis, hypothesis, worst, max_ulp, max_nu, resolution, cannot_tell, fails),\n"
    "or {\"error\": \"…\"} if the line or the bundle cannot be read. The first line, sent\n"
    "before anything is read, is {\"assay\": VERSION}.\n"
    "\n"
    "The backend is not run again, so what only a run can show is not judged: writes\n"
    "beside the results, operands that changed, other bits in another run.\n"
    "\n"
    "Exit status: 0 the input ended; 2 usage, or the output cannot be written.";

static const char examples[] = "  echo '{\"bundle\": \"bug.zip\"}' | assay judge";

static void answer(const struct plan *plan, const struct plan_options *options, const char *line,
                   size_t length)
{
    static const struct repro_files files = {.format = "json", .in_process = true};
    struct error error = {.text = ""};
    json_error_t fault;
    json_t *request = json_loadb(line, length, JSON_REJECT_DUPLICATES, &fault), *reply = NULL;
    const char *path = json_string_value(json_object_get(request, "bundle"));
    if (path) {
        reply = repro_judge_bundle(plan, options, &files, path, &error);
    } else if (request) {
        error_set(&error, "the line has no \"bundle\", the path of a bundle");
    } else {
        error_set(&error, "the line is no JSON object: %.200s", fault.text);
    }
    if (!reply) {
        reply = json_pack("{s:o}", "error", field_text_put(error.text));
    }
    json_print(stdout, reply, JSON_COMPACT | JSON_REAL_PRECISION(17));
    putchar('\n');
    fflush(stdout);
    json_decref(reply);
    json_decref(request);
}

int cmd_judge(int argc, char **argv)
{
    struct plan_options options = plan_defaults();
    struct plan plan;
    struct error error = {.text = ""};
    const struct option_row rows[] = {
        {0, "no-cache", OPTION_FLAG, &options.no_cache, NULL, "compute the truth anew", 0, 0},
        {.name = NULL},
    };
    const struct command_help help = {
        .usage = "assay judge [OPTION…]", .about = about, .examples = examples, .option = rows};
    const enum options_outcome outcome = options_parse(&help, argc, argv, NULL);
    if (outcome != OPTIONS_OK) {
        return outcome == OPTIONS_HELP ? EXIT_HOLDS : EXIT_USAGE;
    }
    if (!plan_open_calls(&plan, &options, &error)) {
        return options_fault("%s", error.text);
    }
    options.repeat = 2;
    printf("{\"assay\": \"%s\"}\n", version_number());
    fflush(stdout);
    char *line = NULL;
    size_t room = 0;
    ssize_t length;
    while (!ferror(stdout) && (length = getline(&line, &room, stdin)) >= 0) {
        answer(&plan, &options, line, (size_t)length);
    }
    free(line);
    plan_close(&plan, &options);
    return ferror(stdout) ? options_fault("cannot write the answers") : EXIT_HOLDS;
}
