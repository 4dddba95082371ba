/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/cli/help_pages.h"
#include "harness/cli/help.h"
#include "harness/options/markdown.h"

#include <stdio.h>
#include <string.h>

/* Behind "DIRECTORY/"; NULL where the page stands elsewhere. */
static const char *below(const char *directory, const char *page)
{
    size_t length = strlen(directory);
    return strncmp(page, directory, length) == 0 && page[length] == '/' ? page + length + 1 : NULL;
}

static void print_commands(const struct command *commands)
{
    puts(
        "# The command line\n\n"
        "This page and those of the commands are generated from the program's option tables by `make "
        "docs`.\n\n"
        "```text\nassay COMMAND [ARGUMENT…]\nassay COMMAND --help\nassay help COMMAND\nassay "
        "--version\n```\n\n"
        "Options may stand in any order: `--name value`, `--name=value`, `-n value`. `--` ends the options.\n"
        "An option that nothing would honour (`--show` of a CSV file) is refused before anything runs.\n\n"
        "| command | what it does |\n|---|---|");
    for (const struct command *command = commands; command->name; command++) {
        if (command->help) {
            printf("| [`assay %s`](cli/%s.md) | ", command->name, command->name);
            markdown_text(command->help, true);
            puts(" |");
        }
    }
    puts("\n`assay help --man` prints the manual page assay(1), `assay help --markdown PAGE` one of these "
         "pages "
         "and without\nPAGE their names.\n\n## Environment variables\n\n| variable | meaning |\n|---|---|");
    const char *name, *text;
    for (int v = 0; help_variable(v, &name, &text); v++) {
        printf("| `%s` | ", name);
        markdown_text(text, true);
        puts(" |");
    }
    printf("\n## Examples\n\n```text\n%s```\n\n## Exit status\n\n", help_examples);
    markdown_text(help_exit_status, false);
    puts(". [Statuses and exit codes](statuses-and-exit-codes.md) says more.");
}

static void print_command(const struct command *command)
{
    char name[32], *argv[] = {name, NULL};
    snprintf(name, sizeof name, "%s", command->name);
    options_instead = markdown_command;
    (void)!command->run(1, argv); /* ends where its options are parsed */
}

int help_page_names(const struct command *commands)
{
    puts("cli");
    for (const struct command *command = commands; command->name; command++) {
        if (command->help) {
            printf("cli/%s\n", command->name);
        }
    }
    puts("operators");
    const char *family;
    for (int f = 0; (family = help_operator_family(f)); f++) {
        printf("operators/%s\n", family);
    }
    return EXIT_HOLDS;
}

int help_page(const struct command *commands, const char *page)
{
    const char *name = below("cli", page), *family = below("operators", page);
    bool found = false, good = true;
    if (strcmp(page, "cli") == 0) {
        print_commands(commands);
        found = true;
    } else if (strcmp(page, "operators") == 0) {
        good = help_operator_families();
        found = true;
    }
    for (const struct command *command = commands; name && command->name && !found; command++) {
        found = command->help && strcmp(name, command->name) == 0;
        if (found) {
            print_command(command);
        }
    }
    if (family && help_has_operators(family)) {
        good = help_operators_of(family);
        found = true;
    }
    return !found ? options_fault("there is no page \"%s\"; `assay help --markdown` lists the pages", page)
           : good ? EXIT_HOLDS
                  : options_fault("out of memory");
}
