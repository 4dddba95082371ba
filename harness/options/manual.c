/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/options/manual.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* Prints text with these characters escaped. Without the escapes groff would print typographic signs, and an
 * option could not be copied from the page (groff_char(7)). */
static void put(const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        const char *escape = text[i] == '\\'   ? "\\e"
                             : text[i] == '-'  ? "\\-"
                             : text[i] == '\'' ? "\\(aq"
                             : text[i] == '`'  ? "\\(ga"
                             : text[i] == '^'  ? "\\(ha"
                             : text[i] == '~'  ? "\\(ti"
                                               : NULL;
        if (escape) {
            fputs(escape, stdout);
        } else {
            putchar(text[i]);
        }
    }
}

static void put_line(const char *text, size_t length)
{
    if (length && text[0] == '.') {
        fputs("\\&", stdout);
    }
    put(text, length);
    putchar('\n');
}

void manual_text(const char *text)
{
    put_line(text, strlen(text));
}

void manual_paragraphs(const char *text)
{
    bool kept = false; /* true between .nf and .fi */
    for (bool first = true; *text; first = false) {
        size_t length = strcspn(text, "\n");
        bool indented = text[0] == ' ', empty = length == 0;
        if (indented != kept && !empty) {
            puts(indented ? ".PP\n.nf" : ".fi");
            kept = indented;
        }
        if (empty && kept) {
            puts(".fi");
            kept = false;
        }
        if (empty || first) {
            puts(".PP");
        }
        if (!empty) {
            put_line(text, length);
        }
        text += length + (text[length] == '\n');
    }
    if (kept) {
        puts(".fi");
    }
}

void manual_section(const char *title)
{
    fputs(".SH ", stdout);
    for (; *title; title++) {
        putchar(toupper((unsigned char)*title));
    }
    putchar('\n');
}

void manual_item(const char *tag, const char *argument, const char *text)
{
    fputs(".TP\n\\fB", stdout);
    put(tag, strlen(tag));
    fputs("\\fR", stdout);
    if (argument) {
        fputs(" \\fI", stdout);
        put(argument, strlen(argument));
        fputs("\\fR", stdout);
    }
    putchar('\n');
    manual_text(text);
}

void manual_command(const struct command_help *help, int argc, char **argv)
{
    char title[64], tag[80];
    snprintf(title, sizeof title, "assay %s", argc > 0 ? argv[0] : "");
    manual_section(title);
    fputs("\\fB", stdout);
    put(help->usage, strlen(help->usage));
    puts("\\fR");
    manual_paragraphs(help->about);
    for (const struct option_row *row = help->option; row->name; row++) {
        char letter[] = {'-', row->letter, ',', ' ', 0};
        snprintf(tag, sizeof tag, "%s--%s", row->letter ? letter : "", row->name);
        if (row->help) {
            manual_item(tag, row->argument, row->help);
        }
    }
    manual_item("--help", NULL, "print what stands here");
    if (help->examples) {
        puts(".PP\nExamples:");
        manual_paragraphs(help->examples);
    }
}
