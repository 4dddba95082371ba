/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/options/options.h"

#include <criterion/criterion.h>
#include <criterion/redirect.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

struct parsed {
    bool flag;
    const char *text;
    struct texts texts, words;
    int64_t integer;
    uint64_t seed;
    double seconds;
    enum level level;
    struct shard shard;
};

static enum options_outcome parse(struct parsed *parsed, int argc, char **argv)
{
    *parsed = (struct parsed){.integer = 2, .level = LEVEL_STANDARD};
    const struct option_row rows[] = {
        {'f', "flag", OPTION_FLAG, &parsed->flag, NULL, "a flag", 0, 0},
        {'o', "output", OPTION_TEXT, &parsed->text, "FILE", "a text", 0, 0},
        {0, "path", OPTION_PATH, &parsed->text, "FILE", "a path", 0, 0},
        {'b', "backend", OPTION_TEXTS, &parsed->texts, "B", "texts", 0, 0},
        {'j', "jobs", OPTION_INTEGER, &parsed->integer, "N", "an integer", 1, 256},
        {0, "seed", OPTION_UNSIGNED, &parsed->seed, "N", "unsigned", 0, 0},
        {0, "time-limit", OPTION_POSITIVE, &parsed->seconds, "S", "seconds", 0, 0},
        {'l', "level", OPTION_LEVEL, &parsed->level, "L", "a level", 0, 0},
        {0, "shard", OPTION_SHARD, &parsed->shard, "K/N", "a shard", 0, 0},
        {.name = NULL},
    };
    const struct command_help help = {.usage = "assay test", .about = "About.", .option = rows};
    return options_parse(&help, argc, argv, &parsed->words);
}

#define PARSE(parsed, ...)                                                                                   \
    parse(parsed, (int)(sizeof((char *[]){"test", __VA_ARGS__}) / sizeof(char *)),                           \
          (char *[]){"test", __VA_ARGS__})

static void release(struct parsed *parsed)
{
    texts_destroy(&parsed->texts);
    texts_destroy(&parsed->words);
}

Test(options, reads_every_type)
{
    struct parsed parsed;
    cr_assert_eq(PARSE(&parsed, "glob", "--flag", "--output=a=b", "-b", "cpu", "--backend", "vulkan", "-j",
                       "3", "--seed", "0xffffffffffffffff", "--time-limit", "2.5", "--level", "smoke",
                       "--shard", "2/4", "--", "--jobs"),
                 OPTIONS_OK);
    cr_expect(parsed.flag);
    cr_expect_str_eq(parsed.text, "a=b");
    cr_assert_eq(parsed.texts.count, 2);
    cr_expect_str_eq(parsed.texts.text[1], "vulkan");
    cr_expect_eq(parsed.integer, 3);
    cr_expect_eq(parsed.seed, UINT64_MAX);
    cr_expect_eq(parsed.seconds, 2.5);
    cr_expect_eq(parsed.level, LEVEL_SMOKE);
    cr_expect(parsed.shard.index == 2 && parsed.shard.count == 4);
    cr_assert_eq(parsed.words.count, 2);
    cr_expect_str_eq(parsed.words.text[1], "--jobs", "after -- nothing is an option");
    release(&parsed);
}

/* Returns the error message for a wrong command line. */
static const char *fault_of(int argc, char **argv)
{
    static char text[512];
    struct parsed parsed;
    FILE *message = tmpfile();
    fflush(stderr);
    int saved = dup(2);
    dup2(fileno(message), 2);
    enum options_outcome outcome = parse(&parsed, argc, argv);
    fflush(stderr);
    dup2(saved, 2);
    close(saved);
    rewind(message);
    text[fread(text, 1, sizeof text - 1, message)] = 0;
    fclose(message);
    release(&parsed);
    return outcome == OPTIONS_WRONG ? text : "accepted";
}
#define EXPECT_FAULT(part, ...)                                                                              \
    cr_expect(strstr(fault_of((int)(sizeof((char *[]){"test", __VA_ARGS__}) / sizeof(char *)),               \
                              (char *[]){"test", __VA_ARGS__}),                                              \
                     part),                                                                                  \
              "expected \"%s\" in \"%s\"", part,                                                             \
              fault_of((int)(sizeof((char *[]){"test", __VA_ARGS__}) / sizeof(char *)),                      \
                       (char *[]){"test", __VA_ARGS__}))

Test(options, says_what_is_wrong)
{
    EXPECT_FAULT("unknown option \"--jbos\"; did you mean --jobs?", "--jbos", "3");
    EXPECT_FAULT("unknown option \"--jbos\"; did you mean --jobs?", "--jbos=3");
    EXPECT_FAULT("unknown option \"--hlep\"; did you mean --help?", "--hlep");
    EXPECT_FAULT("unknown option \"-z\"; --help", "-z");
    EXPECT_FAULT("unknown level \"smoek\"; did you mean smoke?", "--level", "smoek");
    EXPECT_FAULT("--jobs needs a value", "--jobs");
    EXPECT_FAULT("--flag takes no value", "--flag=1");
    EXPECT_FAULT("whole number from 1 to 256", "--jobs", "0");
    EXPECT_FAULT("whole number from 1 to 256", "--jobs", "3x");
    EXPECT_FAULT("whole number from 1 to 256", "--jobs", "99999999999999999999");
    EXPECT_FAULT("whole number", "--seed", "-1");
    EXPECT_FAULT("whole number", "--seed", "");
    EXPECT_FAULT("greater than 0", "--time-limit", "0");
    EXPECT_FAULT("greater than 0", "--time-limit", "nan");
    EXPECT_FAULT("K/N", "--shard", "5/4");
    EXPECT_FAULT("K/N", "--shard", "0/4");
    EXPECT_FAULT("K/N", "--shard", "1/4x");
    EXPECT_FAULT("K/N", "--shard", "1/4294967297");
    EXPECT_FAULT("K/N", "--shard", "4294967297/4294967298");
    EXPECT_FAULT("K/N", "--shard", "+1/2");
    EXPECT_FAULT("K/N", "--shard", "");
    EXPECT_FAULT("the path is empty", "--path", "");
    EXPECT_FAULT("the path is empty", "--path=");
    EXPECT_FAULT("usage: assay test", "--what");
}

Test(options, helps, .init = cr_redirect_stdout)
{
    struct parsed parsed;
    cr_expect_eq(PARSE(&parsed, "--jobs", "2", "--help"), OPTIONS_HELP);
    release(&parsed);
}
