/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/selection/select.h"

#include "harness/host/nearest.h"
#include "reports/records/record.h"

#include <fnmatch.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

static bool has_wildcard(const char *pattern)
{
    return strpbrk(pattern, "*?[") != NULL;
}

bool select_matches(const char *pattern, const char *id)
{
    if (strcmp(pattern, id) == 0) {
        return true;
    }
    if (has_wildcard(pattern)) {
        return fnmatch(pattern, id, 0) == 0;
    }
    size_t length = strlen(pattern);
    if (length && strncmp(pattern, id, length) == 0 && (id[length] == '/' || pattern[length - 1] == '/')) {
        return true;
    }
    for (int part = 0; part < 3; part++) {
        const char *text;
        int size;
        if (record_id_part(id, part, &text, &size) && (size_t)size == length &&
            !memcmp(text, pattern, length)) {
            return true;
        }
    }
    return false;
}

static bool any_matches(int patterns, const char *const *pattern, const char *id)
{
    for (int p = 0; p < patterns; p++) {
        if (select_matches(pattern[p], id)) {
            return true;
        }
    }
    return false;
}

/* Offers one part (or the whole) of every id to `nearest`. The best one is copied to `best`, because parts of
 * an id are not NUL-terminated. */
static void offer_parts(const struct suite_list *list, int part, struct nearest *nearest, char *best,
                        size_t size)
{
    int count = suite_list_count(list);
    for (int i = 0; i < count; i++) {
        const char *text = suite_list_id(list, i);
        int length = (int)strlen(text);
        if (part >= 0 && !record_id_part(text, part, &text, &length)) {
            continue;
        }
        char word[256];
        snprintf(word, sizeof word, "%.*s", length, text);
        const char *before = nearest->best;
        int distance = nearest->distance;
        nearest_offer(nearest, word);
        if (nearest->best != before || nearest->distance != distance) {
            snprintf(best, size, "%s", word);
            nearest->best = best;
        }
    }
}

/* Writes `unknown operator "logdte", did you mean "logdet"?` if no id has this word as its part number
 * `part`. Returns false without writing if an id has it. */
static bool explain_part(const struct suite_list *list, int part, const char *word, char *text, size_t size)
{
    static const char *const kind[] = {"family", "operator", "dtype", "case"};
    int count = suite_list_count(list);
    for (int i = 0; i < count; i++) {
        const char *known;
        int length;
        if (record_id_part(suite_list_id(list, i), part, &known, &length) && (size_t)length == strlen(word) &&
            memcmp(known, word, (size_t)length) == 0) {
            return false;
        }
    }
    char best[256];
    struct nearest nearest = {.word = word};
    offer_parts(list, part, &nearest, best, sizeof best);
    snprintf(text, size,
             nearest.best ? "unknown %s \"%s\", did you mean \"%s\"?" : "unknown %s \"%s\"; see assay list",
             kind[part], word, nearest.best);
    return true;
}

static void explain_glob(const struct suite_list *list, const char *pattern, char *text, size_t size)
{
    snprintf(text, size, "assay list shows the cases");
    /* a single word may be a family, an operator or a dtype: take the nearest of all */
    if (!strchr(pattern, '/')) {
        char best[256];
        struct nearest nearest = {.word = pattern};
        for (int part = 1; part <= 3; part++) {
            offer_parts(list, part % 3, &nearest, best,
                        sizeof best); /* operators first, then dtypes and families */
        }
        if (nearest.best) {
            snprintf(text, size, "did you mean \"%s\"?", nearest.best);
        }
        return;
    }
    const char *at = pattern;
    for (int part = 0; part < 4 && at; part++) {
        size_t length = part == 3 ? strlen(at) : strcspn(at, "/");
        char word[256];
        snprintf(word, sizeof word, "%.*s", (int)length, at);
        if (word[0] && !has_wildcard(word) && part < 3 && explain_part(list, part, word, text, size)) {
            return;
        }
        at = at[length] ? at + length + 1 : NULL;
    }
    char best[256];
    struct nearest nearest = {.word = pattern};
    offer_parts(list, -1, &nearest, best, sizeof best);
    if (nearest.best) {
        snprintf(text, size, "did you mean \"%s\"?", nearest.best);
    }
}

/* Checks that each glob matches a case at this level on its own. */
static bool check_globs(const struct suite_list *list, const struct selection_query *query,
                        struct error *error)
{
    int count = suite_list_count(list);
    for (int g = 0; g < query->globs; g++) {
        int known = 0, within = 0;
        enum level least = LEVEL_COUNT;
        for (int i = 0; i < count; i++) {
            if (select_matches(query->glob[g], suite_list_id(list, i))) {
                enum level level = suite_list_at(list, i)->level;
                known++;
                within += level <= query->level;
                least = level < least ? level : least;
            }
        }
        if (!known) {
            char why[400];
            explain_glob(list, query->glob[g], why, sizeof why);
            return error_set(error, "no case matches \"%s\": %s", query->glob[g], why);
        }
        if (!within) {
            return error_set(error, "\"%s\" matches %d case%s, none at level %s: add --level %s",
                             query->glob[g], known, known == 1 ? "" : "s", level_name(query->level),
                             level_name(least));
        }
    }
    return true;
}

/* Checks that each exclude matches a case: a mistyped one would run cases that should not run. */
static bool check_excludes(const struct suite_list *list, const struct selection_query *query,
                           struct error *error)
{
    int count = suite_list_count(list);
    for (int x = 0; x < query->excludes; x++) {
        bool known = false;
        for (int i = 0; i < count && !known; i++) {
            known = select_matches(query->exclude[x], suite_list_id(list, i));
        }
        if (!known) {
            char why[400];
            explain_glob(list, query->exclude[x], why, sizeof why);
            return error_set(error, "--exclude \"%s\" matches no case: %s", query->exclude[x], why);
        }
    }
    return true;
}

/* Reduces the selection to the cases of the shard. Without costs cases go to the shards in turn, which
 * spreads families evenly. */
static bool take_shard(const struct suite_list *list, const struct selection_query *query,
                       struct selection *selection, struct error *error)
{
    int shards = query->shard.count ? query->shard.count : 1, own = query->shard.index, count = 0;
    int *shard_of = malloc(((size_t)selection->whole + 1) * sizeof *shard_of);
    bool good =
        shard_of && (!query->costs || costs_cut(query->costs, list, selection->index, selection->whole,
                                                shards, shard_of, selection->partition));
    for (int i = 0; good && i < selection->whole; i++) {
        int shard = query->costs ? shard_of[i] : i % shards + 1;
        selection->guessed += query->costs && !query->costs->recorded[selection->index[i]];
        if (!query->shard.count || shard == own) {
            selection->index[count++] = selection->index[i];
        }
    }
    selection->count = count;
    free(shard_of);
    return good || error_set(error, "out of memory");
}

bool select_cases(const struct suite_list *list, const struct selection_query *query,
                  struct selection *selection, struct error *error)
{
    *selection = (struct selection){.count = 0, .shard = query->shard};
    if (!check_globs(list, query, error) || !check_excludes(list, query, error)) {
        return false;
    }
    int count = suite_list_count(list), matched = 0, kept = 0;
    XXH128_hash_t digest = {0};
    selection->index = malloc(((size_t)count + 1) * sizeof *selection->index);
    if (!selection->index) {
        return error_set(error, "out of memory");
    }
    for (int i = 0; i < count; i++) {
        const char *id = suite_list_id(list, i);
        if (suite_list_at(list, i)->level > query->level ||
            (query->globs && !any_matches(query->globs, query->glob, id))) {
            continue;
        }
        matched++;
        if (any_matches(query->excludes, query->exclude, id)) {
            continue;
        }
        selection->index[kept++] = i;
        digest = XXH3_128bits_withSeed(id, strlen(id), digest.low64 ^ digest.high64);
    }
    selection->whole = kept;
    snprintf(selection->digest, sizeof selection->digest, "%016" PRIx64 "%016" PRIx64,
             (uint64_t)digest.high64, (uint64_t)digest.low64);
    bool good = take_shard(list, query, selection, error);
    if (good && selection->count) {
        return true;
    }
    selection_destroy(selection);
    if (!good) {
        return false;
    }
    if (!matched) {
        return error_set(error, "there is no case at level %s", level_name(query->level));
    }
    if (!kept) {
        return error_set(error, "--exclude leaves none of the %d selected cases", matched);
    }
    return error_set(error, "shard %d/%d holds none of the %d selected cases: use at most %d shards",
                     query->shard.index, query->shard.count, kept, kept);
}

void selection_destroy(struct selection *selection)
{
    free(selection->index);
    *selection = (struct selection){.count = 0};
}

int select_one(const struct suite_list *list, const char *id, struct error *error)
{
    int index = suite_list_find(list, id), count = suite_list_count(list), named = 0;
    for (int i = 0; index < 0 && i < count; i++) {
        named += select_matches(id, suite_list_id(list, i));
    }
    if (named) {
        error_set(
            error,
            "\"%s\" names %d case%s, one whole id is needed: assay list '%s' --level exhaustive shows %s", id,
            named, named == 1 ? "" : "s", id, named == 1 ? "it" : "them");
    } else if (index < 0) {
        char why[400];
        explain_glob(list, id, why, sizeof why);
        error_set(error, "unknown case \"%s\": %s", id, why);
    }
    return index;
}

void selection_shuffle(struct selection *selection, uint64_t seed)
{
    uint64_t state = seed;
    for (int i = selection->count - 1; i > 0; i--) { /* Fisher–Yates over splitmix64 */
        uint64_t z = state += 0x9E3779B97F4A7C15u;
        z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
        z = (z ^ z >> 27) * 0x94D049BB133111EBu;
        int j = (int)((z ^ z >> 31) % (uint64_t)(i + 1));
        int swapped = selection->index[i];
        selection->index[i] = selection->index[j];
        selection->index[j] = swapped;
    }
}
