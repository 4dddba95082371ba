/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/backends/backends.h"
#include "harness/check/check.h"
#include "harness/cli/commands.h"
#include "harness/exec/adapter.h"
#include "harness/host/clock.h"
#include "harness/options/options.h"
#include "harness/selection/select.h"
#include "harness/workers/worker.h"

#include <string.h>

static const char about[] =
    "Checks that a program follows the exec protocol. It starts the program, goes\n"
    "through the clauses of docs/reference/exec-protocol.md, and reports for each\n"
    "whether the program keeps it: the greeting and its spelling, the form of every\n"
    "answer, attributes left out and given, absent operands, strides, gaps, shared\n"
    "storages, empty tensors, refusals, operators that are not offered, state kept\n"
    "between requests, memory, text on stdout, the end. A complaint shows the\n"
    "request, the answer, what the protocol demands and what to do.\n"
    "\n"
    "It checks the protocol, not the numbers: a result may be off by eight bounds\n"
    "here. If there is no complaint, assay run judges the numbers. The words behind\n"
    "the backend are globs of operators.\n"
    "\n"
    "Exit status: 0 the program keeps the protocol; 1 it does not; 2 usage; 3 it does\n"
    "not start.";

static const char examples[] = "  assay check exec:./mine\n"
                               "  assay check 'exec:python3 starter.py' --time-limit 5\n"
                               "  assay check exec:./mine 'add*' vector_norm      only these operators\n"
                               "  assay check array:numpy --format json\n"
                               "  assay run --level smoke --backend exec:./mine   the next step";

/* Finds the command of the program behind the backend. Returns false with the reason if there is none. */
static bool find_command(const char *backend, char *command, size_t size, struct error *error)
{
    struct backend_options options = {.selector = NULL};
    const struct backend_class *class = backends_find(backend, &options.selector, error);
    return class &&
           (class->command ? class->command(&options, command, size, error)
                           : error_set(error,
                                       "check works on programs of the exec protocol, and backend %s is "
                                       "none; give exec:COMMAND, torch:, onnx:, jax:, array: or call:",
                                       class->name));
}

/* Checks that each glob matches an operator of assay. */
static bool check_globs(const struct texts *words, struct error *error)
{
    for (int w = 1; w < words->count; w++) {
        bool found = false;
        for (int o = 0; o < op_count() && !found; o++) {
            found = select_matches(words->text[w], op_at(o)->name);
        }
        if (!found) {
            return error_set(error, "no operator matches \"%s\"", words->text[w]);
        }
    }
    return true;
}

static int check(const struct check_options *options, const char *backend, bool json)
{
    struct findings findings = {.notes = 0};
    struct conversation c;
    double begun = clock_seconds();
    bool started = check_program(options, &findings, &c), written = true;
    struct check_summary summary = {.backend = backend,
                                    .name = c.hello.name,
                                    .device = c.hello.device,
                                    .requests = c.requests,
                                    .seconds = clock_seconds() - begun};
    if (json) {
        written = findings_print_json(&findings, &summary, stdout);
    } else if (findings_ended(&findings)) {
        options_fault("%s does not greet: %s; run the command by hand", backend, findings_ended(&findings));
    } else {
        findings_print(&findings, &summary, stdout);
    }
    int status = !started ? EXIT_NOTHING_RUN : findings_failed(&findings) ? EXIT_GATE : EXIT_HOLDS;
    findings_destroy(&findings);
    conversation_destroy(&c);
    return written ? status : options_fault("out of memory for the report");
}

int cmd_check(int argc, char **argv)
{
    struct texts words = {.count = 0};
    const char *format = "text";
    double time_limit = WORKER_TIME_LIMIT;
    const struct option_row rows[] = {
        {0, "time-limit", OPTION_POSITIVE, &time_limit, "SECONDS",
         "seconds for the greeting and for each answer, default 60", 0, 0},
        {0, "format", OPTION_CHOICE, &format, "text|json", "default text", 0, 0},
        {.name = NULL},
    };
    const struct command_help help = {.usage = "assay check BACKEND [OPERATOR…] [OPTION…]",
                                      .about = about,
                                      .examples = examples,
                                      .option = rows};
    enum options_outcome outcome = options_parse(&help, argc, argv, &words);
    int status = outcome == OPTIONS_HELP ? EXIT_HOLDS : EXIT_USAGE;
    if (outcome == OPTIONS_OK) {
        struct error error = {.text = ""};
        char command[ADAPTER_COMMAND];
        bool json = strcmp(format, "json") == 0;
        if (words.count == 0) {
            options_fault("check needs a backend: exec:COMMAND, or torch:, onnx:, jax:, array:, call:");
        } else if (!find_command(words.text[0], command, sizeof command, &error) ||
                   !check_globs(&words, &error) || !texts_add(&words, NULL)) {
            options_fault("%s", error.text);
        } else {
            struct check_options options = {
                .command = command, .time_limit = time_limit, .operators = words.text + 1};
            status = check(&options, words.text[0], json);
        }
    }
    texts_destroy(&words);
    return status;
}
