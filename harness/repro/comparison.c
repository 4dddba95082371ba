/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/repro/comparison.h"
#include "harness/judge/statistics/evidence.h"
#include "harness/repro/comparison_parts.h"
#include "reports/records/fields.h"
#include "reports/report.h"
#include "reports/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static json_t *text_or_null(const char *text)
{
    return text ? field_text_put(text) : json_null();
}

void repro_put_metrics(const struct record *record, bool valued, json_t *to)
{
    bool found = valued && record->implausible > 0;
    const struct {
        const char *name;
        double value;
    } reals[] = {{"max_ulp", record->max_ulp},
                 {"mean_ulp", record->mean_ulp},
                 {"bias_ulp", record->bias_ulp},
                 {"max_nu", record->max_nu},
                 {"nmse", record->nmse},
                 {"bit_exact", record->bit_exact},
                 {"resolution", record->resolution},
                 {"envelope_q", record->envelope_q},
                 {"envelope_t", record->envelope_t},
                 {"envelope_g", record->envelope_g}};
    for (size_t r = 0; r < sizeof reals / sizeof *reals; r++) {
        json_object_set_new(to, reals[r].name, valued ? field_real_put(reals[r].value) : json_null());
    }
    json_object_set_new(to, "implausible", found ? field_real_put(record->implausible) : json_null());
    json_object_set_new(to, "implausible_by", found ? text_or_null(record->implausible_by) : json_null());
    json_object_set_new(to, "distinct", valued ? json_integer(record->distinct) : json_null());
    json_object_set_new(to, "truth_bits", valued ? json_integer(record->truth_bits) : json_null());
    json_object_set_new(to, "rule", text_or_null(record->rule));
}

/* --- one backend */

static double real_of(const json_t *backend, const char *key)
{
    double x = 0;
    return field_real_get(json_object_get(backend, key), &x) ? x : 0;
}

static const char *text_of(const json_t *backend, const char *key)
{
    const char *text = json_string_value(json_object_get(backend, key));
    return text ? text : "";
}

/* Chooses the measure by which the backend drifts: the first that applies of special values, Q, T, G and B.
 */
static void find_factor(struct compared *of)
{
    bool known = of->q > 0 || of->t > 0; /* an envelope decides for some element */
    of->by = NULL;
    of->factor = NAN;
    if (of->from_truth.special > 0) {
        of->by = "special";
        of->factor = (double)of->from_truth.special;
    } else if (of->q > 1) {
        of->by = "Q";
        of->factor = of->q;
    } else if (of->t > EVIDENCE_T_LIMIT) {
        of->by = "T";
        of->factor = of->t;
    } else if (of->g > EVIDENCE_G_LIMIT && known) {
        of->by = "G";
        of->factor = of->g / EVIDENCE_G_LIMIT;
    } else if (of->error_over_bound > 1) {
        of->by = "B";
        of->factor = of->error_over_bound;
    }
}

static void weigh(struct compared *of, const json_t *backend, const struct values *values)
{
    enum status status = STATUS_ERROR;
    *of = (struct compared){.name = text_of(backend, "name"),
                            .status = text_of(backend, "status"),
                            .reason = text_of(backend, "reason"),
                            .rule = text_of(backend, "rule"),
                            .error_over_bound = real_of(backend, "max_nu"),
                            .ulp = real_of(backend, "max_ulp"),
                            .q = real_of(backend, "envelope_q"),
                            .t = real_of(backend, "envelope_t"),
                            .g = real_of(backend, "envelope_g"),
                            .values = values,
                            .from_truth = difference_from_truth(values)};
    bool answered = status_from_name(of->status, &status) &&
                    (status == STATUS_PASS || status == STATUS_FAIL || status == STATUS_VACUOUS);
    bool found = real_of(backend, "implausible") > 0;
    find_factor(of);
    if (!answered) {
        of->verdict = VERDICT_NO_ANSWER;
    } else if (found || (status == STATUS_FAIL && of->by)) {
        of->verdict = VERDICT_DRIFTS;
    } else if (status == STATUS_FAIL) {
        of->verdict = VERDICT_WRONG;
    } else {
        of->verdict = status == STATUS_PASS ? VERDICT_RIGHT : VERDICT_OPEN;
    }
    if (of->verdict != VERDICT_DRIFTS) { /* then a special value is a legal result, and no drift */
        of->by = NULL;
        of->factor = NAN;
    }
}

const char *compared_verdict(enum compared_verdict verdict)
{
    static const char *const names[] = {"right", "open", "drifts", "wrong", "no answer"};
    return names[verdict];
}

/* --- two backends */

static bool same_way(const struct pair *pair)
{
    return pair->comparable && pair->sum.special == 0 && (isnan(pair->apart) || pair->apart < 0.5);
}

static void relate(const struct compared *a, const struct compared *b, struct pair *pair)
{
    pair->comparable = a->values->count > 0 && difference_between(a->values, b->values, &pair->sum);
    double nearer = fmin(a->from_truth.square, b->from_truth.square);
    pair->apart = nearer > 0 ? sqrt(pair->sum.square / nearer) : pair->sum.square > 0 ? INFINITY : NAN;
    pair->same_way = same_way(pair);
}

/* --- the JSON object */

static json_t *describe(const struct compared *of)
{
    bool valued = of->values->count > 0;
    json_t *json =
        json_pack("{s:s, s:s, s:o, s:o}", "name", of->name, "verdict", compared_verdict(of->verdict), "by",
                  text_or_null(of->by), "factor", of->by ? field_real_put(of->factor) : json_null());
    const struct {
        const char *name;
        double value;
    } reals[] = {
        {"max_nu", of->error_over_bound}, {"max_ulp", of->ulp}, {"q", of->q}, {"t", of->t}, {"g", of->g}};
    for (size_t r = 0; r < sizeof reals / sizeof *reals; r++) {
        json_object_set_new(json, reals[r].name, valued ? field_real_put(reals[r].value) : json_null());
    }
    json_object_set_new(json, "special", valued ? json_integer(of->from_truth.special) : json_null());
    return json;
}

static json_t *describe_pair(const struct pair *pair, const char *a, const char *b)
{
    return json_pack("{s:s, s:s, s:I, s:I, s:I, s:o, s:o, s:o}", "a", a, "b", b, "elements",
                     (json_int_t)pair->sum.elements, "differing", (json_int_t)pair->sum.differing, "special",
                     (json_int_t)pair->sum.special, "max_difference",
                     field_real_put(pair->sum.max_difference), "max_ulp", field_real_put(pair->sum.max_ulp),
                     "apart", isnan(pair->apart) ? json_null() : field_real_put(pair->apart));
}

json_t *repro_compare(const json_t *backends, const struct values *values)
{
    struct comparison c = {.count = (int)json_array_size(backends)};
    size_t n = (size_t)c.count;
    char *sentence = NULL;
    json_t *json = NULL, *list = json_array(), *pairs = json_array();
    c.of = calloc(n + 1, sizeof *c.of);
    c.pair = calloc(n * n + 1, sizeof *c.pair);
    for (int b = 0; c.of && c.pair && b < c.count; b++) {
        weigh(&c.of[b], json_array_get(backends, (size_t)b), &values[b]);
        json_array_append_new(list, describe(&c.of[b]));
        for (int a = 0; a < b; a++) {
            struct pair *pair = &c.pair[a * c.count + b];
            relate(&c.of[a], &c.of[b], pair);
            c.pair[b * c.count + a] = *pair;
        }
    }
    for (int a = 0; c.of && c.pair && a < c.count; a++) {
        for (int b = a + 1; b < c.count; b++) {
            if (c.pair[a * c.count + b].comparable) {
                json_array_append_new(pairs,
                                      describe_pair(&c.pair[a * c.count + b], c.of[a].name, c.of[b].name));
            }
        }
    }
    if (c.of && c.pair && (sentence = comparison_sentence(&c))) {
        json = json_pack("{s:o, s:O, s:O}", "sentence", field_text_put(sentence), "backends", list, "pairs",
                         pairs);
    }
    json_decref(list);
    json_decref(pairs);
    free(sentence);
    free(c.of);
    free(c.pair);
    return json;
}

void repro_show_comparison(const json_t *comparison)
{
    size_t i;
    json_t *pair;
    fputs("comparison: ", stdout);
    text_put_line(stdout, text_of(comparison, "sentence"));
    putchar('\n');
    json_array_foreach(json_object_get(comparison, "pairs"), i, pair)
    {
        const char *a = text_of(pair, "a"), *b = text_of(pair, "b");
        long long differing = json_integer_value(json_object_get(pair, "differing")),
                  elements = json_integer_value(json_object_get(pair, "elements")),
                  special = json_integer_value(json_object_get(pair, "special"));
        fputs("  ", stdout);
        text_put_line(stdout, a);
        fputs(" and ", stdout);
        text_put_line(stdout, b);
        if (!differing) {
            printf(": the same bits in all of %lld element%s\n", elements, elements == 1 ? "" : "s");
            continue;
        }
        printf(": %lld of %lld elements differ, by at most %.4g, %.4g ulp", differing, elements,
               real_of(pair, "max_difference"), real_of(pair, "max_ulp"));
        if (special) {
            printf("; %lld in NaN or infinity", special);
        }
        putchar('\n');
    }
    fflush(stdout);
}
