/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/cli/help.h"

#include "harness/cli/complete.h"
#include "harness/host/version.h"
#include "harness/options/manual.h"

#include <stdio.h>
#include <string.h>

static const struct {
    const char *name, *text;
} environment[] = {
    {"ASSAY_PYTHON", "the Python that has PyTorch, ONNX Runtime, JAX … (python3)"},
    {"ASSAY_ADAPTERS", "the folder of their adapters, if it is not beside the program"},
    {"XDG_CACHE_HOME", "the folder of the cache of truths, at most 4 GiB (~/.cache)"},
    {"NO_COLOR", "if set and not empty: no colours, as when TERM is dumb"},
    {"CLICOLOR_FORCE", "if set, not empty and not 0: colours without a terminal too"},
};
enum { VARIABLES = sizeof environment / sizeof *environment };

const char help_examples[] = "  assay devices\n"
                             "  assay run --level smoke\n"
                             "  assay run 'linalg/*' --backend cpu --report build/report\n"
                             "  assay repro linalg/logdet/float32/hilbert-n8\n";

const char help_exit_status[] = "0 gate PASS, 1 gate FAIL, 2 usage, 3 nothing could be run";

bool help_variable(int index, const char **name, const char **text)
{
    bool known = index < VARIABLES;
    *name = known ? environment[index].name : NULL;
    *text = known ? environment[index].text : NULL;
    return known;
}

void help_print(const struct command *commands)
{
    printf("assay %s compares results of GPU compute backends with a certified truth.\n\nusage: assay "
           "COMMAND [ARGUMENT…]     assay COMMAND --help explains a command\n\ncommands:\n",
           version_number());
    for (const struct command *command = commands; command->name; command++) {
        if (command->help) {
            printf("  %-9s %s\n", command->name, command->help);
        }
    }
    printf("\nexamples:\n%s\nenvironment:\n", help_examples);
    for (int v = 0; v < VARIABLES; v++) {
        printf("  %-15s %s\n", environment[v].name, environment[v].text);
    }
    printf("\nexit status: %s\n", help_exit_status);
}

static void run_command(const struct command *command, int argc, char **argv)
{
    (void)!command->run(argc, argv); /* ends when it parses its options, by options_instead */
}

void help_manual(const struct command *commands)
{
    printf(".TH ASSAY 1 \"\" \"assay %s\" \"User Commands\"\n.nh\n.ad l\n", version_number());
    manual_section("name");
    puts("assay \\- compare the results of a GPU compute backend with a certified truth");
    manual_section("synopsis");
    puts("\\fBassay\\fR \\fICOMMAND\\fR [\\fIARGUMENT\\fR…]\n.br\n\\fBassay\\fR \\fICOMMAND\\fR "
         "\\fB\\-\\-help\\fR");
    manual_section("description");
    manual_text("assay runs each operator on a compute backend and compares every element with a certified "
                "reference, under error bounds that are computed from the inputs.");
    manual_section("commands");
    for (const struct command *command = commands; command->name; command++) {
        if (command->help) {
            manual_item(command->name, NULL, command->help);
        }
    }
    options_instead = manual_command;
    for (const struct command *command = commands; command->name; command++) {
        char name[32], *argv[] = {name, NULL};
        snprintf(name, sizeof name, "%s", command->name);
        if (command->help) {
            run_command(command, 1, argv);
        }
    }
    manual_section("examples");
    manual_paragraphs(help_examples);
    manual_section("environment");
    for (int v = 0; v < VARIABLES; v++) {
        manual_item(environment[v].name, NULL, environment[v].text);
    }
    manual_section("exit status");
    manual_text(help_exit_status);
    manual_section("see also");
    manual_text(
        "README.md and the pages below docs/ (reference/statuses-and-exit-codes.md, "
        "reference/exec-protocol.md, explanation/verdict.md) in share/doc/assay beside the folder of the "
        "program; the adapters and the programs to begin an own backend with in share/assay/adapters; "
        "recipes "
        "for CI services in share/assay/recipes.");
}

void help_complete(const struct command *commands, const char *line)
{
    static const char *const others[] = {"help", "version", "--help", "--version"};
    struct typed typed;
    if (!typed_read(&typed, line)) {
        return;
    }
    const char *first = typed.count > 2 ? typed.word[1] : NULL;
    if (typed.count == 2 || (first && !strcmp(first, "help") && typed.count == 3)) {
        complete_begin(&typed, COMPLETE_WORDS);
        for (const struct command *command = commands; command->name; command++) {
            if (command->help) {
                complete_offer(&typed, command->name);
            }
        }
        for (int o = 0; typed.count == 2 && o < 4; o++) {
            complete_offer(&typed, others[o]);
        }
    }
    for (const struct command *command = commands; first && command->name; command++) {
        if (command->help && strcmp(first, command->name) == 0) {
            complete_typed = &typed;
            options_instead = complete_command;
            run_command(command, typed.count - 1, typed.word + 1);
        }
    }
    typed_destroy(&typed);
}
