/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/selection/select.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

Test(select, patterns)
{
    const char *id = "linalg/logdet/float32/n=33,mean=1e3";
    cr_expect(select_matches("*", id));
    cr_expect(select_matches("linalg/*", id), "* crosses /");
    cr_expect(select_matches("*mean=1e?", id));
    cr_expect(select_matches("linalg/[l-m]ogdet/*", id));
    cr_expect(select_matches(id, id));
    cr_expect(select_matches("linalg/logdet", id), "all below a path");
    cr_expect(select_matches("linalg/logdet/", id));
    cr_expect(select_matches("logdet", id), "an operator alone");
    cr_expect(select_matches("float32", id), "a dtype alone");
    cr_expect(select_matches("linalg", id));
    cr_expect_not(select_matches("log", id), "a part of a word is no match");
    cr_expect_not(select_matches("linalg/log", id));
    cr_expect_not(select_matches("n=33", id));
    cr_expect_not(select_matches("slogdet", id));
    cr_expect_not(select_matches("", id));
    cr_expect(select_matches("a/b/c/x[1]", "a/b/c/x[1]"), "an exact id may hold wildcard characters");
}

static struct suite_list *list;

static void make_list(void)
{
    list = suite_list_create();
    cr_assert(list);
    cr_assert_gt(suite_list_count(list), 10);
}

static void drop_list(void)
{
    suite_list_destroy(&list);
}

TestSuite(selection, .init = make_list, .fini = drop_list);

Test(selection, levels_are_nested)
{
    struct selection smoke, standard;
    struct error error;
    cr_assert(select_cases(list, &(struct selection_query){.level = LEVEL_SMOKE}, &smoke, &error));
    cr_assert(select_cases(list, &(struct selection_query){.level = LEVEL_STANDARD}, &standard, &error));
    cr_expect_leq(smoke.count, standard.count);
    for (int i = 0, j = 0; i < smoke.count; i++, j++) {
        while (j < standard.count && standard.index[j] != smoke.index[i]) {
            j++;
        }
        cr_assert_lt(j, standard.count, "%s runs at smoke alone", suite_list_id(list, smoke.index[i]));
    }
    selection_destroy(&smoke);
    selection_destroy(&standard);
}

Test(selection, shards_are_a_partition)
{
    int count = suite_list_count(list);
    for (int n = 1; n <= 7; n += 2) {
        int *seen = calloc((size_t)count, sizeof *seen);
        for (int k = 1; k <= n; k++) {
            struct selection part;
            struct error error;
            struct selection_query query = {.level = LEVEL_EXHAUSTIVE, .shard = {k, n}};
            cr_assert(select_cases(list, &query, &part, &error), "%s", error.text);
            cr_expect_leq(abs(part.count * n - count), n, "shards are of even size");
            for (int i = 0; i < part.count; i++) {
                seen[part.index[i]]++;
            }
            selection_destroy(&part);
        }
        for (int i = 0; i < count; i++) {
            cr_assert_eq(seen[i], 1, "%s is in %d shards of %d", suite_list_id(list, i), seen[i], n);
        }
        free(seen);
    }
}

Test(selection, shuffle_permutes_by_seed)
{
    struct selection a, b, plain;
    struct error error;
    struct selection_query query = {.level = LEVEL_EXHAUSTIVE};
    cr_assert(select_cases(list, &query, &plain, &error) && select_cases(list, &query, &a, &error) &&
              select_cases(list, &query, &b, &error));
    size_t bytes = (size_t)a.count * sizeof *a.index;
    selection_shuffle(&a, 7);
    selection_shuffle(&b, 7);
    cr_expect_eq(memcmp(a.index, b.index, bytes), 0, "the same seed, the same order");
    cr_expect_neq(memcmp(a.index, plain.index, bytes), 0);
    long sum = 0, expected = 0;
    for (int i = 0; i < a.count; i++) {
        sum += (long)a.index[i] * a.index[i];
        expected += (long)plain.index[i] * plain.index[i];
    }
    cr_expect_eq(sum, expected, "nothing is lost");
    selection_destroy(&a);
    selection_destroy(&b);
    selection_destroy(&plain);
}

static void expect_fault(const struct selection_query *query, const char *part)
{
    struct selection selection;
    struct error error = {.text = ""};
    cr_expect_not(select_cases(list, query, &selection, &error));
    cr_expect(strstr(error.text, part), "expected \"%s\" in \"%s\"", part, error.text);
}
#define WORDS(...)                                                                                           \
    &(struct case_words)                                                                                     \
    {                                                                                                        \
        .count = (int)(sizeof((char *[]){__VA_ARGS__}) / sizeof(char *)), .text = (char *[]){__VA_ARGS__},   \
        .origin = (char *[8])                                                                                \
        {                                                                                                    \
            NULL                                                                                             \
        }                                                                                                    \
    }
#define GLOBS(...) .globs = WORDS(__VA_ARGS__)

Test(selection, nothing_is_never_green)
{
    expect_fault(&(struct selection_query){.level = LEVEL_STANDARD, GLOBS("sgm")}, "did you mean \"sgn\"?");
    expect_fault(&(struct selection_query){.level = LEVEL_STANDARD, GLOBS("flaot32")},
                 "did you mean \"float32\"?");
    expect_fault(&(struct selection_query){.level = LEVEL_STANDARD, GLOBS("elementwise/sgm/*")},
                 "unknown operator \"sgm\", did you mean \"sgn\"?");
    expect_fault(&(struct selection_query){.level = LEVEL_STANDARD, GLOBS("elementwize/sgn")},
                 "unknown family \"elementwize\", did you mean \"elementwise\"?");
    expect_fault(&(struct selection_query){.level = LEVEL_STANDARD, GLOBS("elementwise/sgn/float23/*")},
                 "unknown dtype \"float23\", did you mean \"float32\"?");
    expect_fault(&(struct selection_query){.level = LEVEL_STANDARD, GLOBS("sgn", "*nothing-like-this*")},
                 "no case matches \"*nothing-like-this*\"");
    expect_fault(&(struct selection_query){.level = LEVEL_STANDARD, .excludes = WORDS("*")},
                 "--exclude leaves none");
    expect_fault(&(struct selection_query){.level = LEVEL_EXHAUSTIVE, .shard = {1000000, 1000000}}, "shard");
    expect_fault(
        &(struct selection_query){.level = LEVEL_SMOKE, GLOBS("sgn"), .among = WORDS("no/such/case/id")},
        "none of the 1 cases that failed last is among the");
}

static void in_file(const char *content, const char *fault, int count)
{
    char path[] = "/tmp/assay-words-XXXXXX", word[32];
    int file = mkstemp(path);
    cr_assert(file >= 0 && write(file, content, strlen(content)) == (ssize_t)strlen(content));
    close(file);
    snprintf(word, sizeof word, "@%s", path);
    struct texts texts = {.count = 2, .text = (const char *[]){"elementwise/neg", word}};
    struct case_words words = {.count = 0};
    struct error error = {.text = ""};
    struct selection selection = {.count = 0};
    bool good = case_words_expand(&texts, &words, &error) &&
                select_cases(list, &(struct selection_query){.level = LEVEL_SMOKE, .globs = &words},
                             &selection, &error);
    cr_expect_eq(good, fault == NULL, "%s", error.text);
    cr_expect(!fault || (strstr(error.text, path) && strstr(error.text, fault)), "%s", error.text);
    cr_expect_eq(words.count, good || count ? count : 0);
    case_words_destroy(&words);
    selection_destroy(&selection);
    unlink(path);
}

/* The lines of a file of ids select what words of the command line select; an error names the line. */
Test(selection, ids_come_from_a_file)
{
    in_file("# two cases\n\n  elementwise/sgn/float32/specials\r\nelementwise/sgn/float32/rank-0", NULL, 3);
    in_file("elementwise/sgn/*/specials\nsgn\n", NULL, 3);
    in_file("sgn\nelementwise/sgm/float32/specials\n", ":2: no case matches", 3);
    in_file("\n# nothing\n", "names no case", 0);
    in_file("{\"id\": \"x\"}\n", ":1: this is a line of JSON", 0);
    struct case_words words;
    struct error error = {.text = ""};
    struct texts absent = {.count = 1, .text = (const char *[]){"@/tmp/no/such/file"}};
    cr_expect_not(case_words_expand(&absent, &words, &error));
    cr_expect_str_eq(error.text, "cannot read the case ids of @/tmp/no/such/file: No such file or directory");
}

/* The cases of a list of ids are the same as those that the globs select. */
Test(selection, every_id_of_a_level_in_a_list)
{
    struct error error = {.text = ""};
    struct selection all, listed;
    struct selection_query query = {.level = LEVEL_STANDARD};
    cr_assert(select_cases(list, &query, &all, &error));
    struct case_words words = {.count = all.count};
    words.text = calloc((size_t)all.count, sizeof *words.text);
    words.origin = calloc((size_t)all.count, sizeof *words.origin);
    for (int i = 0; i < all.count; i++) {
        words.text[i] = strdup(suite_list_id(list, all.index[i]));
    }
    query.globs = &words;
    cr_assert(select_cases(list, &query, &listed, &error), "%s", error.text);
    cr_expect_eq(listed.count, all.count);
    cr_expect_str_eq(listed.digest, all.digest);
    selection_destroy(&all);
    selection_destroy(&listed);
    case_words_destroy(&words);
}

Test(selection, one_id)
{
    struct error error = {.text = ""};
    const char *id = suite_list_id(list, 3);
    cr_expect_eq(select_one(list, id, &error), 3);
    char wrong[300];
    snprintf(wrong, sizeof wrong, "%sx", id);
    cr_expect_eq(select_one(list, wrong, &error), -1);
    cr_expect(strstr(error.text, id), "%s", error.text);
}
