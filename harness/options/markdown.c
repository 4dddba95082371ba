/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/options/markdown.h"

#include <stdio.h>
#include <string.h>

static void put(const char *text, size_t length, bool cell)
{
    bool code = false;
    for (size_t i = 0; i < length; i++) {
        code ^= text[i] == '`';
        bool markup = text[i] != '`' && strchr("\\*_<>[]", text[i]);
        if ((markup && !code) || (text[i] == '|' && (cell || !code))) {
            putchar('\\');
        }
        putchar(text[i]);
    }
}

void markdown_text(const char *text, bool cell)
{
    put(text, strlen(text), cell);
}

void markdown_paragraphs(const char *text)
{
    bool fenced = false;
    while (*text) {
        size_t length = strcspn(text, "\n");
        bool indented = text[0] == ' ';
        if (length && indented != fenced) {
            puts(indented ? "\n```text" : "```\n");
            fenced = indented;
        }
        if (fenced) {
            printf("%.*s\n", (int)length, text);
        } else {
            put(text, length, false);
            putchar('\n');
        }
        text += length + (text[length] == '\n');
    }
    if (fenced) {
        puts("```");
    }
}

/* A vertical bar needs no escape between backquotes outside a table: options stand in a list. */
static void put_option(const struct option_row *row)
{
    char letter[] = {'-', row->letter, ',', ' ', 0};
    printf("- `%s--%s%s%s`: ", row->letter ? letter : "", row->name, row->argument ? " " : "",
           row->argument ? row->argument : "");
    markdown_text(row->help, false);
    putchar('\n');
}

void markdown_command(const struct command_help *help, int argc, char **argv)
{
    printf("# assay %s\n\n", argc > 0 ? argv[0] : "");
    puts("This page is generated from the program's option tables by `make docs`. `assay COMMAND --help` "
         "prints "
         "the same;\n[all commands](../cli.md).\n");
    printf("```text\n%s\n```\n\n", help->usage);
    markdown_paragraphs(help->about);
    puts("\n## Options\n");
    for (const struct option_row *row = help->option; row->name; row++) {
        if (row->help) {
            put_option(row);
        }
    }
    puts("- `--help`: print what stands here");
    if (help->examples) {
        puts("\n## Examples");
        markdown_paragraphs(help->examples);
    }
}
