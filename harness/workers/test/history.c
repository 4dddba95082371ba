/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/workers/history.h"

#include "reference/base/philox.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

/* Tests the search for the history that reproduces a failure, with cases whose cause is known. */

enum { MANY = 6000 };

/* A cause: the case fails if at least `needed` of the culprits ran before it; if all are needed, in their
 * order. */
struct cause {
    int culprit[64], culprits, needed;
    bool alone;     /* the case also fails alone */
    double chance;  /* probability that it fails without a cause */
    int unsettling; /* a case that never finishes, so that no run after it has an outcome; −1: none */
};

static int probes;
static struct philox generator;

static enum history_outcome ask(const struct cause *cause, const int *before, int count)
{
    int met = 0;
    for (int i = 0; i < count; i++) {
        if (before[i] == cause->unsettling) {
            return HISTORY_UNSETTLED;
        }
        if (cause->needed == cause->culprits) { /* all of them, in this order */
            met += met < cause->culprits && before[i] == cause->culprit[met];
        } else {
            for (int c = 0; c < cause->culprits; c++) {
                met += before[i] == cause->culprit[c];
            }
        }
    }
    bool fails = cause->alone || (cause->needed && met >= cause->needed) ||
                 (cause->chance > 0 && philox_unit(&generator) < cause->chance);
    return fails ? HISTORY_FAILED : HISTORY_PASSED;
}

/* Searches in a history of the cases 0, 1, …, count − 1, each of which takes `seconds`. */
static struct history search(const struct cause *cause, int count, const int *hint, int hints, int repeat,
                             double budget, double seconds)
{
    static int before[MANY];
    struct history history;
    for (int i = 0; i < count; i++) {
        before[i] = i;
    }
    cr_assert(history_begin(&history, before, count, hint, hints, repeat, budget));
    for (probes = 0; history.verdict == HISTORY_OPEN; probes++) {
        cr_assert_lt(probes, 1000, "the search does not end");
        history_take(&history, ask(cause, history.trial, history.trials), 0.05,
                     seconds * (history.trials + 1));
    }
    return history;
}

static void expect_current(const struct history *history, const int *expected, int count)
{
    cr_expect_eq(history->length, count, "%d cases are named, %d needed", history->length, count);
    cr_expect(history->length == count &&
              memcmp(history->current, expected, (size_t)count * sizeof *expected) == 0);
}

/* One culprit, anywhere among the last 4,096 cases; then two far apart, in order. */
Test(history, the_shortest_is_found)
{
    for (int at = 1; at < 4096; at = at * 3 + 1) {
        struct cause cause = {.culprit = {5000 - at}, .culprits = 1, .needed = 1, .unsettling = -1};
        struct history history = search(&cause, 5000, NULL, 0, 2, 60, 1e-4);
        cr_expect_eq(history.verdict, HISTORY_DEPENDS, "%d before", at);
        expect_current(&history, cause.culprit, 1);
        cr_expect(history.shortest && history.alone_runs == 2 && history.after_failed == 2);
        cr_expect_lt(probes, 40, "%d probes", probes);
        history_clear(&history);
    }
    struct cause pair = {.culprit = {1000, 1990}, .culprits = 2, .needed = 2, .unsettling = -1};
    struct history history = search(&pair, 2000, NULL, 0, 3, 60, 1e-4);
    cr_expect_eq(history.verdict, HISTORY_DEPENDS);
    expect_current(&history, pair.culprit, 2);
    cr_expect_eq(history.after_failed, 3, "as often as --repeat says");
    history_clear(&history);
}

/* The fault counts calls: any 11 cases cause it, and none of the cases found can be spared. */
Test(history, as_many_as_it_takes)
{
    struct cause cause = {.culprits = 40, .needed = 11, .unsettling = -1};
    for (int c = 0; c < 40; c++) {
        cause.culprit[c] = 2 * c;
    }
    struct history history = search(&cause, 80, NULL, 0, 2, 60, 1e-4);
    cr_expect_eq(history.verdict, HISTORY_DEPENDS);
    cr_expect_eq(history.length, 11);
    cr_expect(history.shortest);
    history_clear(&history);
}

Test(history, what_fails_alone_needs_none)
{
    struct cause cause = {.alone = true, .unsettling = -1};
    struct history history = search(&cause, 100, NULL, 0, 2, 60, 1e-4);
    cr_expect_eq(history.verdict, HISTORY_FAILS_ALONE);
    cr_expect_eq(probes, 1);
    history_clear(&history);
}

/* If nothing fails again, `repeat` runs alone and as many after the history are made and counted in words.
 */
Test(history, chance_is_counted)
{
    struct cause none = {.unsettling = -1};
    char words[300];
    struct history history = search(&none, 100, NULL, 0, 5, 60, 1e-4);
    cr_expect_eq(history.verdict, HISTORY_CHANCE);
    history_words(&history, words, sizeof words);
    cr_expect_str_eq(words, "passes alone in a fresh worker (5 of 5 runs) and after the 100 cases that its "
                            "worker had run (5 of 5)");
    history_clear(&history);
    history = search(&none, 0, NULL, 0, 3, 60, 1e-4);
    cr_expect_eq(history.verdict, HISTORY_CHANCE);
    cr_expect_eq(probes, 3);
    history_clear(&history);
    history = search(&none, 5000, NULL, 0, 2, 60, 1e-4);
    history_words(&history, words, sizeof words);
    cr_expect(strstr(words, "the last 4096 of the 5000 cases"), "a bound is reported: %s", words);
    history_clear(&history);
}

/* A failure by chance is not attributed to a history: it also occurs alone, or not each time after the
 * history. */
Test(history, chance_is_not_called_history)
{
    int verdicts[HISTORY_UNTRIED + 1] = {0};
    philox_start(&generator, 7);
    for (int trial = 0; trial < 2000; trial++) {
        struct cause cause = {.chance = 0.02, .unsettling = -1};
        struct history history = search(&cause, 50, NULL, 0, 5, 60, 1e-4);
        verdicts[history.verdict]++;
        history_clear(&history);
    }
    cr_expect_eq(verdicts[HISTORY_DEPENDS], 0, "a history is invented for %d of 2000",
                 verdicts[HISTORY_DEPENDS]);
    cr_expect_gt(verdicts[HISTORY_NOW_AND_THEN], 100);
    cr_expect_gt(verdicts[HISTORY_CHANCE], 1000);
}

/* A list that explained one case is tried first for the next; a long list is not shortened. */
Test(history, a_hint_is_tried_first)
{
    const int hint[] = {3, 9};
    struct cause cause = {.culprit = {3}, .culprits = 1, .needed = 1, .unsettling = -1};
    struct history history = search(&cause, 4000, hint, 2, 2, 60, 1e-4);
    expect_current(&history, cause.culprit, 1);
    cr_expect_leq(probes, 8);
    history_clear(&history);
    int many[20];
    struct cause count = {.culprits = 20, .needed = 20, .unsettling = -1};
    for (int c = 0; c < 20; c++) {
        many[c] = count.culprit[c] = c;
    }
    history = search(&count, 100, many, 20, 2, 60, 1e-4);
    cr_expect_eq(history.verdict, HISTORY_DEPENDS);
    cr_expect_eq(probes, 4);
    cr_expect(history.hinted && !history.shortest);
    history_clear(&history);
    cause.culprit[0] = 50; /* the hint does not explain it */
    history = search(&cause, 100, hint, 2, 2, 60, 1e-4);
    expect_current(&history, cause.culprit, 1);
    history_clear(&history);
}

/* The search takes bounded time, and says what it had no time for. */
Test(history, time_is_bounded)
{
    char words[300];
    struct cause none = {.unsettling = -1};
    struct history history = search(&none, 4000, NULL, 0, 2, 60, 1);
    cr_expect_eq(history.verdict, HISTORY_CHANCE);
    cr_expect_leq(history.spent, 61);
    cr_expect_eq(history.suffix, 8);
    history_words(&history, words, sizeof words);
    cr_expect(strstr(words, "the last 8 of the 4000 cases"), "%s", words);
    history_clear(&history);
    history = search(&none, 4000, NULL, 0, 2, 0, 1);
    cr_expect_eq(history.verdict, HISTORY_UNTRIED);
    cr_expect_eq(probes, 1);
    history_words(&history, words, sizeof words);
    cr_expect(strstr(words, "no time"), "%s", words);
    history_clear(&history);
    struct cause early = {.culprit = {3992}, .culprits = 1, .needed = 1, .unsettling = -1};
    history = search(&early, 4000, NULL, 0, 2, 15, 1);
    cr_expect_eq(history.verdict, HISTORY_DEPENDS);
    cr_expect_not(history.shortest);
    history_words(&history, words, sizeof words);
    cr_expect(strstr(words, "no time to search for fewer"), "%s", words);
    history_clear(&history);
}

/* A history that cannot be run again proves nothing; a shorter one may. */
Test(history, what_cannot_be_run_again_says_nothing)
{
    struct cause cause = {.culprit = {95}, .culprits = 1, .needed = 1, .unsettling = 90};
    struct history history = search(&cause, 100, NULL, 0, 2, 60, 1e-4);
    cr_expect_eq(history.verdict, HISTORY_DEPENDS);
    expect_current(&history, cause.culprit, 1);
    history_clear(&history);
    struct cause hidden = {.unsettling = 99};
    history = search(&hidden, 100, NULL, 0, 2, 60, 1e-4);
    cr_expect_eq(history.verdict, HISTORY_UNTRIED);
    history_clear(&history);
}
