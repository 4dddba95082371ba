/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/exec/greeting.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static bool is_named(const char *const *names, const char *name)
{
    for (; names && *names; names++) {
        if (strcmp(*names, name) == 0) {
            return true;
        }
    }
    return false;
}

static void put_dtypes(json_t *json, const struct profile *p)
{
    static const char *const zeros[] = {
        [SGN_ZERO_KEPT] = "kept", [SGN_ZERO_POSITIVE] = "positive", [SGN_ZERO_OPEN] = "open"};
    enum { ROUNDING, SUBNORMALS, SPECIAL, ACCUMULATE, PROBABILITIES, NAN_, ZERO, MEMBERS };
    static const char *const names[MEMBERS] = {
        "rounding", "subnormals", "special_values", "accumulate", "attention_probabilities",
        "sgn_nan",  "sgn_zero"};
    for (int m = 0; m < MEMBERS; m++) {
        json_t *of = json_object();
        for (int d = 0; d < DTYPE_COUNT; d++) {
            const char *const words[MEMBERS] = {p->rounding[d] == ROUNDING_RTE ? "rte" : "open",
                                                p->subnormals[d] == SUBNORMALS_KEPT ? "kept" : "flushed",
                                                p->special_values[d] ? "kept" : "open",
                                                dtype_info(p->accumulate[d])->name,
                                                dtype_info(p->attention_probabilities[d])->name,
                                                p->sgn_nan[d] == SGN_NAN_IS_NAN ? "nan" : "zero",
                                                zeros[p->sgn_zero[d]]};
            json_object_set_new(of, dtype_info((enum dtype)d)->name, json_string(words[m]));
        }
        json_object_set_new(json, names[m], of);
    }
}

static void put_word(json_t *json, const char *name, const char *word)
{
    json_object_set_new(json, name, json_string(word));
}

static void put_words(json_t *json, const struct profile *p)
{
    put_word(json, "primitives", primitives_name(p->primitives));
    put_word(json, "invariance", p->invariance == INVARIANCE_BITS ? "bits" : "bound");
    put_word(json, "refusals", p->refusals == REFUSALS_PYTORCH ? "pytorch" : "open");
    put_word(json, "slogdet_nan_sign", p->slogdet_nan_sign == SLOGDET_NAN_SIGN_NAN ? "nan" : "number");
    static const char *const rows[] = {[ATTENTION_EMPTY_ROW_OPEN] = "open",
                                       [ATTENTION_EMPTY_ROW_ZERO] = "zero",
                                       [ATTENTION_EMPTY_ROW_NAN] = "nan"};
    put_word(json, "attention_empty_row", rows[p->attention_empty_row]);
    put_word(json, "ties", p->ties == TIES_ANY ? "any" : "first");
    put_word(json, "padding", padding_name(p->padding));
    put_word(json, "attributes", p->attributes_float32 ? "float32" : "float64");
    put_word(json, "default_eps", p->epsilon_float32 ? "float32" : "dtype");
    put_word(json, "conversions", p->conversions_via_float32 ? "via-float32" : "direct");
}

static void put_operator(json_t *json, const struct profile *p, const struct op *op)
{
    const struct {
        const char *name;
        const char *const *list;
    } lists[] = {{"nondeterministic", p->nondeterministic},
                 {"accumulate_own", p->accumulate_own},
                 {"matrix_units", p->matrix_units},
                 {"range", p->naive_range},
                 {"documented_forms", p->documented}};
    for (size_t l = 0; l < sizeof lists / sizeof *lists; l++) {
        if (is_named(lists[l].list, op->name)) {
            json_object_set_new(json, lists[l].name, json_pack("[s]", op->name));
        }
    }
    struct summation_order order = profile_summation(p, op->name);
    char word[48] = "";
    if (order.kind == SUMMATION_BLOCKED) {
        snprintf(word, sizeof word, "blocked:%" PRId64, order.size);
    } else if (order.kind == SUMMATION_RECURSIVE || order.kind == SUMMATION_PAIRWISE) {
        snprintf(word, sizeof word, order.kind == SUMMATION_PAIRWISE ? "pairwise" : "recursive");
    }
    if (word[0]) {
        json_object_set_new(json, "summation", json_pack("{s:s}", op->name, word));
    }
    const int winograd = profile_winograd(p, op->name);
    if (winograd > 0 || profile_fast_crossover(p, op->name) > 0) {
        snprintf(word, sizeof word, "%s:%" PRId64, winograd > 0 ? "winograd" : "fast",
                 winograd > 0 ? winograd : profile_fast_crossover(p, op->name));
        json_object_set_new(json, "algorithm", json_pack("{s:s}", op->name, word));
    }
}

json_t *greeting_profile_put(const struct profile *profile, const struct op *op)
{
    json_t *json = json_object();
    put_dtypes(json, profile);
    put_words(json, profile);
    put_operator(json, profile, op);
    return json;
}
