/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/test/trial.h"

#include <criterion/criterion.h>
#include <ctype.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Tests that every option in --help is used by some test, as "COMMAND … --option" in one string. Strings
 * where a refusal is expected do not count, nor do those of the completion. */

static char *texts; /* the strings of all tests, each between newlines */
static size_t used;

static void add(const char *text, size_t length)
{
    texts = realloc(texts, used + length + 2);
    cr_assert(texts);
    memcpy(texts + used, text, length);
    used += length;
    texts[used] = 0;
}

/* Skips blanks and one name of a macro, as in "A" GLOB "B", to the quote where the same string continues;
 * NULL if it does not. */
static const char *goes_on(const char *at)
{
    at += strspn(at, " \n");
    at += strspn(at, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789");
    at += strspn(at, " \n");
    return *at == '"' ? at : NULL;
}

/* Collects the strings of one source, token by token; comments and character constants are skipped. */
static void read_texts(const char *source)
{
    const char *statement = source;
    for (const char *at = source; *at; at++) {
        if (strncmp(at, "/*", 2) == 0) {
            at = strstr(at, "*/");
            cr_assert(at);
            at++;
        } else if (*at == '\'') {
            at += at[1] == '\\' ? 3 : 2;
        } else if (*at == ';' || *at == '{' || *at == '}') {
            statement = at + 1;
        } else if (*at == '"') {
            size_t length = (size_t)(at - statement);
            bool refusal =
                memmem(statement, length, "refused(", 8) || memmem(statement, length, "expect(2", 8);
            add("\n", 1);
            for (const char *quote = at; quote; quote = goes_on(at + 1)) {
                for (at = quote + 1; *at != '"'; at++) {
                    at += *at == '\\';
                    add(at, refusal ? 0 : 1);
                }
            }
            add("\n", 1);
        }
    }
}

static void read_sources(void)
{
    static char source[1 << 20];
    glob_t found;
    cr_assert_eq(glob("harness/test/*.c", 0, NULL, &found), 0);
    cr_assert_eq(glob("harness/*/test/*.c", GLOB_APPEND, NULL, &found), 0);
    cr_assert_eq(glob("harness/*/*/test/*.c", GLOB_APPEND, NULL, &found), 0);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        FILE *file = fopen(found.gl_pathv[i], "r");
        cr_assert(file);
        size_t length = fread(source, 1, sizeof source - 1, file);
        cr_assert_lt(length, sizeof source - 1);
        source[length] = 0;
        fclose(file);
        if (!strstr(found.gl_pathv[i], "completion.c")) {
            read_texts(source);
        }
    }
    globfree(&found);
}

/* Returns true if a string begins with the command and has the option, by its name or its letter. */
static bool is_given(const char *command, const char *name, char letter)
{
    char begin[40], spelled[2][80];
    snprintf(begin, sizeof begin, "\n%s ", command);
    snprintf(spelled[0], sizeof spelled[0], " --%s", name);
    snprintf(spelled[1], sizeof spelled[1], " -%c", letter ? letter : '\n');
    for (const char *text = texts; (text = strstr(text, begin)); text++) {
        size_t length = strcspn(text + 1, "\n") + 1;
        for (int s = 0; s < 2; s++) {
            const char *at = memmem(text, length, spelled[s], strlen(spelled[s]));
            char after = at ? at[strlen(spelled[s])] : 'x';
            if (at && !isalpha((unsigned char)after) && after != '-') {
                return true;
            }
        }
    }
    return false;
}

/* Checks the options in one command's help. Returns their number. */
static int check_command(const char *command)
{
    int options = 0;
    trial_run("%s --help", command);
    char *row = strstr(trial->output, "\noptions:\n"), *end = strstr(trial->output, "\nexamples:\n");
    cr_assert(row && end, "%s", trial->output);
    *end = 0;
    for (row = strchr(row + 1, '\n'); row; row = strchr(row + 1, '\n')) {
        char letter = 0, name[64];
        bool is_option = sscanf(row, "\n  -%c, --%63[a-z-]", &letter, name) == 2;
        letter = is_option ? letter : 0;
        is_option =
            is_option || (strncmp(row, "\n      --", 9) == 0 && sscanf(row, "\n --%63[a-z-]", name) == 1);
        if (is_option && strcmp(name, "help") != 0) {
            options++;
            cr_expect(is_given(command, name, letter), "no test runs assay %s … --%s", command, name);
        }
    }
    return options;
}

Test(each_option, has_a_test, .timeout = 60)
{
    trial_begin();
    char commands[32][32];
    int count = 0, options = 0;
    read_sources();
    trial_run("--help");
    char *row = strstr(trial->output, "\ncommands:\n");
    cr_assert(row);
    for (row = strchr(row + 1, '\n');
         row && row[1] == ' ' && sscanf(row, "\n  %31[a-z]", commands[count]) == 1;
         row = strchr(row + 1, '\n')) {
        count++;
    }
    cr_assert(count >= 8 && count < 32);
    for (int c = 0; c < count; c++) {
        options += check_command(commands[c]);
    }
    cr_expect_gt(options, 60);
    cr_expect(!is_given("run", "no-such-option", 0) && is_given("run", "shuffle", 0));
    free(texts);
    trial_end();
}
