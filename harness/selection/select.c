/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/selection/select.h"

#include "harness/host/nearest.h"
#include "harness/selection/case_index.h"
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
             nearest.best ? "unknown %s \"%s\", did you mean \"%s\"?"
                          : "unknown %s \"%s\"; see assay list --operators",
             kind[part], word, nearest.best);
    return true;
}

static void explain_glob(const struct suite_list *list, const char *pattern, char *text, size_t size)
{
    snprintf(text, size, "assay list --operators shows the operators, assay list the cases");
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

/* --- matching many words */

struct matcher {
    const struct suite_list *list;
    struct case_index index; /* so that a list of ids need not be compared with every case */
};

/* What one word matches. */
struct matches {
    int known, within; /* cases of all levels, and of the selected ones */
    enum level least;  /* the lowest level of a case that matches */
};

static void note_match(const struct matcher *matcher, int index, enum level level, struct matches *matches,
                       bool *marked)
{
    enum level own = suite_list_at(matcher->list, index)->level;
    matches->known++;
    matches->within += own <= level;
    matches->least = own < matches->least ? own : matches->least;
    marked[index] = true;
}

/* Marks the case of this id, and cases below it. They are found by bisection. */
static struct matches mark_id(const struct matcher *matcher, const char *word, enum level level, bool *marked)
{
    struct matches matches = {.least = LEVEL_COUNT};
    const struct case_place *end = matcher->index.place + matcher->index.count,
                            *exact = case_index_find(&matcher->index, word);
    size_t length = strlen(word);
    for (; exact && exact < end && strncmp(exact->id, word, length) == 0; exact++) {
        if (exact->id[length] == 0 || exact->id[length] == '/') {
            note_match(matcher, exact->index, level, &matches, marked);
        }
    }
    return matches;
}

/* Marks the cases that the word matches: an id, a glob or a name. */
static struct matches mark(const struct matcher *matcher, const char *word, enum level level, bool *marked)
{
    struct matches matches = mark_id(matcher, word, level, marked);
    bool found = matches.known > 0;
    for (int i = 0; !found && i < matcher->index.count; i++) {
        if (select_matches(word, suite_list_id(matcher->list, i))) {
            note_match(matcher, i, level, &matches, marked);
        }
    }
    return matches;
}

/* Marks what the globs match. Each must match a case of this level. */
static bool mark_globs(const struct matcher *matcher, const struct selection_query *query, bool *marked,
                       struct error *error)
{
    for (int g = 0; query->globs && g < query->globs->count; g++) {
        const char *word = query->globs->text[g], *origin = query->globs->origin[g];
        struct matches matches = mark(matcher, word, query->level, marked);
        const char *at = origin ? origin : "", *colon = origin ? ": " : "";
        if (!matches.known) {
            char why[400];
            explain_glob(matcher->list, word, why, sizeof why);
            return error_set(error, "%s%sno case matches \"%s\": %s", at, colon, word, why);
        }
        if (!matches.within) {
            return error_set(error, "%s%s\"%s\" matches %d case%s, none at level %s: add --level %s", at,
                             colon, word, matches.known, matches.known == 1 ? "" : "s",
                             level_name(query->level), level_name(matches.least));
        }
    }
    return true;
}

/* Marks what is excluded. Each word must match a case: a mistyped one would run cases that should not run. */
static bool mark_excludes(const struct matcher *matcher, const struct selection_query *query, bool *marked,
                          struct error *error)
{
    for (int x = 0; query->excludes && x < query->excludes->count; x++) {
        const char *word = query->excludes->text[x], *origin = query->excludes->origin[x];
        if (!mark(matcher, word, query->level, marked).known) {
            char why[400];
            explain_glob(matcher->list, word, why, sizeof why);
            return error_set(error, "%s%s--exclude \"%s\" matches no case: %s", origin ? origin : "",
                             origin ? ": " : "", word, why);
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

/* The selected cases, by what is marked. Returns false where nothing is selected. */
static bool take_marked(const struct suite_list *list, const struct selection_query *query,
                        const bool *marked[3], struct selection *selection, struct error *error)
{
    enum { GLOBS, EXCLUDES, AMONG };
    int count = suite_list_count(list), matched = 0, kept = 0, excluded = 0;
    XXH128_hash_t digest = {0};
    for (int i = 0; i < count; i++) {
        const char *id = suite_list_id(list, i);
        if (suite_list_at(list, i)->level > query->level ||
            (query->globs && query->globs->count && !marked[GLOBS][i])) {
            continue;
        }
        matched++;
        excluded += marked[EXCLUDES][i];
        if (marked[EXCLUDES][i] || (query->among && !marked[AMONG][i])) {
            continue;
        }
        selection->index[kept++] = i;
        digest = XXH3_128bits_withSeed(id, strlen(id), digest.low64 ^ digest.high64);
    }
    selection->whole = kept;
    snprintf(selection->digest, sizeof selection->digest, "%016" PRIx64 "%016" PRIx64,
             (uint64_t)digest.high64, (uint64_t)digest.low64);
    if (!matched) {
        return error_set(error, "there is no case at level %s", level_name(query->level));
    }
    if (excluded == matched) {
        return error_set(error, "--exclude leaves none of the %d selected cases", matched);
    }
    return kept || error_set(error, "none of the %d cases that failed last is among the %d selected ones",
                             query->among ? query->among->count : 0, matched - excluded);
}

bool select_cases(const struct suite_list *list, const struct selection_query *query,
                  struct selection *selection, struct error *error)
{
    *selection = (struct selection){.count = 0, .shard = query->shard};
    size_t count = (size_t)suite_list_count(list);
    struct matcher matcher = {.list = list};
    bool *marks = calloc(3 * count + 1, sizeof *marks);
    selection->index = malloc((count + 1) * sizeof *selection->index);
    bool good = (marks && selection->index && case_index_create(list, &matcher.index)) ||
                error_set(error, "out of memory");
    good = good && mark_globs(&matcher, query, marks, error) &&
           mark_excludes(&matcher, query, marks + count, error);
    for (int a = 0; good && query->among && a < query->among->count; a++) {
        mark_id(&matcher, query->among->text[a], query->level, marks + 2 * count);
    }
    good = good &&
           take_marked(list, query, (const bool *[3]){marks, marks + count, marks + 2 * count}, selection,
                       error) &&
           take_shard(list, query, selection, error);
    if (good && !selection->count) {
        good = error_set(error, "shard %d/%d holds none of the %d selected cases: use at most %d shards",
                         query->shard.index, query->shard.count, selection->whole, selection->whole);
    }
    case_index_destroy(&matcher.index);
    free(marks);
    if (!good) {
        selection_destroy(selection);
    }
    return good;
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
