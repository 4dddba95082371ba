/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reports/records/record_series.h"

#include <stdlib.h>
#include <string.h>

enum { POINTS_MAX = 1 << 16 }; /* the most points of a series, and series of a record */

static json_t *numbers(const double *value, int count)
{
    json_t *array = json_array();
    bool ok = array;
    for (int i = 0; ok && i < count; i++) {
        ok = !json_array_append_new(array, field_real_put(value[i]));
    }
    if (!ok) {
        json_decref(array);
    }
    return ok ? array : NULL;
}

static bool put_numbers(json_t *one, const char *name, const double *value, int count)
{
    return !value || !json_object_set_new(one, name, numbers(value, count));
}

/* Adds the thresholds of a curve; absent where there were none. */
static bool put_limit(json_t *one, const struct record_series *series)
{
    bool ok = true;
    if (series->limit) {
        ok = !json_object_set_new(one, "limit", numbers(series->limit, series->points));
    }
    if (series->exponent_limit > 0) {
        ok = !json_object_set_new(one, "exponent_limit", field_real_put(series->exponent_limit)) && ok;
    }
    if (series->rule) {
        ok = !json_object_set_new(one, "rule", field_text_put(series->rule)) && ok;
    }
    if (series->breaks) {
        ok = !json_object_set_new(one, "breaks", json_true()) && ok;
    }
    return ok;
}

bool series_put(json_t *object, const struct record *record)
{
    if (record->series_count == 0) {
        return true;
    }
    json_t *all = json_array();
    bool ok = all;
    for (int s = 0; ok && s < record->series_count; s++) {
        const struct record_series *series = &record->series[s];
        json_t *one = json_pack("{s:o, s:o, s:o, s:o}", "name", field_text_put(series->name), "unit",
                                field_text_put(series->unit), "x", numbers(series->x, series->points), "y",
                                numbers(series->y, series->points));
        if (one && series->octaves > 0) {
            ok = !json_object_set_new(one, "octaves", json_integer(series->octaves)) &&
                 !json_object_set_new(one, "exponent", field_real_put(series->exponent));
        }
        if (one && series->factor > 0) {
            ok = !json_object_set_new(one, "factor", field_real_put(series->factor)) && ok;
        }
        ok = one && put_numbers(one, "spread", series->spread, series->points) &&
             put_numbers(one, "pace", series->pace, series->points) && put_limit(one, series) &&
             !json_array_append_new(all, one) && ok;
    }
    return !json_object_set_new(object, "series", all) && ok;
}

static bool get_numbers(const json_t *array, double **value, int *count)
{
    size_t size = json_array_size(array);
    *value = calloc(size + 1, sizeof **value);
    bool ok = *value && json_is_array(array) && size <= POINTS_MAX;
    for (size_t i = 0; ok && i < size; i++) {
        ok = field_real_get(json_array_get(array, i), &(*value)[i]);
    }
    *count = (int)size;
    return ok;
}

/* Reads the fit of a curve; absent where there was none. */
static bool get_fit(const json_t *one, struct record_series *series)
{
    const json_t *octaves = json_object_get(one, "octaves"), *exponent = json_object_get(one, "exponent");
    const json_t *factor = json_object_get(one, "factor");
    int64_t count = 0;
    bool ok = !octaves || (field_integer_get(octaves, &count) && count >= 0 && count <= POINTS_MAX);
    series->octaves = (int)count;
    return ok && (!exponent || field_real_get(exponent, &series->exponent)) &&
           (!factor || field_real_get(factor, &series->factor));
}

static bool present(const json_t *value)
{
    return value && !json_is_null(value);
}

/* Reads one number per point; absent where they are unknown. */
static bool get_beside(const json_t *one, const char *name, const struct record_series *series,
                       double **value)
{
    const json_t *array = json_object_get(one, name);
    int points = series->points;
    return !present(array) || (get_numbers(array, value, &points) && points == series->points);
}

static bool get_limit(const json_t *one, struct record_series *series)
{
    const json_t *rule = json_object_get(one, "rule");
    const json_t *exponent = json_object_get(one, "exponent_limit"), *breaks = json_object_get(one, "breaks");
    bool ok = get_beside(one, "limit", series, &series->limit);
    series->breaks = json_is_true(breaks);
    return ok && (!present(breaks) || json_is_boolean(breaks)) &&
           (!present(exponent) || field_real_get(exponent, &series->exponent_limit)) &&
           (!present(rule) || field_text_get(rule, &series->rule));
}

bool series_get(const json_t *object, struct record *record, struct error *error)
{
    const json_t *all = json_object_get(object, "series");
    size_t size = json_array_size(all);
    if (!all || json_is_null(all)) {
        return true;
    }
    if (!json_is_array(all) || size > POINTS_MAX) {
        return error_set(error, "member \"series\" is not an array");
    }
    record->series = calloc(size + 1, sizeof *record->series);
    for (size_t s = 0; record->series && s < size; s++) {
        const json_t *one = json_array_get(all, s);
        struct record_series *series = &record->series[record->series_count++];
        int points = 0;
        if (!field_text_get(json_object_get(one, "name"), &series->name) ||
            !field_text_get(json_object_get(one, "unit"), &series->unit) ||
            !get_numbers(json_object_get(one, "x"), &series->x, &points) ||
            !get_numbers(json_object_get(one, "y"), &series->y, &series->points) ||
            points != series->points) {
            return error_set(error, "series %zu has no name, no unit, or x and y of different lengths", s);
        }
        if (!get_fit(one, series)) {
            return error_set(error, "series %zu has an exponent or a factor that is no number", s);
        }
        if (!get_beside(one, "spread", series, &series->spread) ||
            !get_beside(one, "pace", series, &series->pace)) {
            return error_set(error, "series %zu has a spread or a pace of another type or length", s);
        }
        if (!get_limit(one, series)) {
            return error_set(error, "series %zu has a limit or a rule of another type or length", s);
        }
    }
    return record->series || error_set(error, "out of memory");
}

void series_free(struct record *record)
{
    for (int s = 0; s < record->series_count; s++) {
        free(record->series[s].name);
        free(record->series[s].unit);
        free(record->series[s].x);
        free(record->series[s].y);
        free(record->series[s].spread);
        free(record->series[s].pace);
        free(record->series[s].limit);
        free(record->series[s].rule);
    }
    free(record->series);
}

static double *copy_numbers(const double *from, int count)
{
    double *to = malloc((size_t)count * sizeof *to + 1);
    if (to) {
        memcpy(to, from, (size_t)count * sizeof *to);
    }
    return to;
}

bool series_copy(struct record *to, const struct record *from)
{
    to->series_count = 0;
    to->series = from->series_count ? calloc((size_t)from->series_count, sizeof *to->series) : NULL;
    for (int s = 0; to->series && s < from->series_count; s++) {
        const struct record_series *series = &from->series[s];
        struct record_series *made = &to->series[to->series_count++];
        *made = *series;
        made->name = strdup(series->name);
        made->unit = strdup(series->unit);
        made->x = copy_numbers(series->x, series->points);
        made->y = copy_numbers(series->y, series->points);
        made->spread = series->spread ? copy_numbers(series->spread, series->points) : NULL;
        made->pace = series->pace ? copy_numbers(series->pace, series->points) : NULL;
        made->limit = series->limit ? copy_numbers(series->limit, series->points) : NULL;
        made->rule = series->rule ? strdup(series->rule) : NULL;
        if (!made->name || !made->unit || !made->x || !made->y || (series->limit && !made->limit) ||
            (series->spread && !made->spread) || (series->pace && !made->pace) ||
            (series->rule && !made->rule)) {
            return false;
        }
    }
    return to->series_count == from->series_count;
}

/* Writes triples of exponent, error and bound, by sign. */
bool by_input_put(json_t *object, const struct record *record)
{
    if (record->by_inputs == 0) {
        return true;
    }
    json_t *side[2] = {json_array(), json_array()};
    bool ok = side[0] && side[1];
    for (int k = 0; ok && k < record->by_inputs; k++) {
        const struct record_by_input *one = &record->by_input[k];
        json_t *triple =
            json_pack("[i,o,o]", one->exponent, field_real_put(one->ulp), field_real_put(one->allowed));
        ok = triple && !json_array_append_new(side[one->negative], triple);
    }
    json_t *both = json_pack("{s:o, s:o}", "positive", side[0], "negative", side[1]);
    return !json_object_set_new(object, "error_by_input", both) && ok;
}

static bool get_triple(const json_t *triple, bool negative, struct record_by_input *out)
{
    int64_t exponent = 0;
    bool ok = json_is_array(triple) && json_array_size(triple) == 3 &&
              field_integer_get(json_array_get(triple, 0), &exponent) && exponent >= -1100 &&
              exponent <= 1100 && field_real_get(json_array_get(triple, 1), &out->ulp) &&
              field_real_get(json_array_get(triple, 2), &out->allowed);
    out->negative = negative;
    out->exponent = (int)exponent;
    return ok;
}

bool by_input_get(const json_t *object, struct record *record, struct error *error)
{
    const json_t *both = json_object_get(object, "error_by_input");
    if (!present(both)) {
        return true;
    }
    const json_t *side[2] = {json_object_get(both, "positive"), json_object_get(both, "negative")};
    size_t count = json_array_size(side[0]) + json_array_size(side[1]);
    bool ok = json_is_array(side[0]) && json_is_array(side[1]) && count <= POINTS_MAX;
    record->by_input = ok ? calloc(count + 1, sizeof *record->by_input) : NULL;
    if (ok && !record->by_input) {
        return error_set(error, "out of memory");
    }
    for (int s = 0; ok && s < 2; s++) {
        for (size_t k = 0; ok && k < json_array_size(side[s]); k++) {
            ok = get_triple(json_array_get(side[s], k), s == 1, &record->by_input[record->by_inputs++]);
        }
    }
    return ok || error_set(error, "member \"error_by_input\" has no lists \"positive\" and \"negative\" of "
                                  "triples [exponent, error in ulp, what is allowed]");
}

bool by_input_copy(struct record *to, const struct record *from)
{
    size_t bytes = (size_t)from->by_inputs * sizeof *to->by_input;
    to->by_input = bytes ? malloc(bytes) : NULL;
    if (to->by_input) {
        memcpy(to->by_input, from->by_input, bytes);
    }
    to->by_inputs = to->by_input ? from->by_inputs : 0;
    return to->by_inputs == from->by_inputs;
}

bool histogram_put(json_t *object, const struct record *record)
{
    if (record->ulp_buckets == 0) {
        return true;
    }
    json_t *array = json_array();
    bool ok = array;
    for (int b = 0; ok && b < record->ulp_buckets; b++) {
        ok = !json_array_append_new(array, json_integer(record->ulp_bucket[b]));
    }
    return !json_object_set_new(object, "ulp_histogram", array) && ok;
}

bool histogram_get(const json_t *object, struct record *record, struct error *error)
{
    const json_t *array = json_object_get(object, "ulp_histogram");
    if (!present(array)) {
        return true;
    }
    size_t size = json_array_size(array);
    bool ok = json_is_array(array) && size <= RECORD_ULP_BUCKETS;
    for (size_t b = 0; ok && b < size; b++) {
        ok =
            field_integer_get(json_array_get(array, b), &record->ulp_bucket[b]) && record->ulp_bucket[b] >= 0;
    }
    record->ulp_buckets = ok ? (int)size : 0;
    return ok ||
           error_set(error, "member \"ulp_histogram\" is no list of at most %d counts", RECORD_ULP_BUCKETS);
}
