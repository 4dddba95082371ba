/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Random records and headers survive writing and reading. */

#include "reports/records/test/record.h"
#include "reports/utf8.h"

#include <criterion/criterion.h>

static uint64_t state = 88172645463325252U;

static uint64_t draw(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

/* Any bit pattern, including subnormals, infinities and NaNs; every few draws a special one. */
static double any_double(void)
{
    static const double special[] = {0, -0.0, INFINITY, -INFINITY, 0x1p-1074, -0x1.fffffffffffffp1023, 0.1};
    uint64_t bits = draw();
    double value;
    if (bits % 5 == 0) {
        return special[bits / 5 % 7];
    }
    memcpy(&value, &bits, sizeof value);
    return value;
}

static char *any_text(void)
{
    size_t length = draw() % 24;
    char *bytes = calloc(1, length + 1);
    if (draw() % 8 == 0) {
        free(bytes);
        return NULL;
    }
    for (size_t i = 0; i < length; i++) {
        bytes[i] = (char)(draw() % 2 ? 1 + draw() % 255 : ' ' + draw() % 90);
    }
    return bytes;
}

static struct record any_record(void)
{
    struct record r = {
        .id = strdup("a/b/c/d"), .backend = strdup("x"), .status = (enum status)(draw() % STATUS_COUNT)};
    char **texts[] = {&r.reason,        &r.detail,      &r.repro,          &r.source,
                      &r.inputs_digest, &r.rule,        &r.implausible_by, &r.worst.where,
                      &r.worst.inputs,  &r.worst.truth, &r.worst.got};
    double *reals[] = {
        &r.max_ulp,     &r.mean_ulp,   &r.bias_ulp,   &r.bias_resolution, &r.max_nu,     &r.p99_nu,
        &r.quality_nu,  &r.median_rho, &r.resolution, &r.envelope_q,      &r.envelope_t, &r.envelope_g,
        &r.implausible, &r.nmse,       &r.bit_exact,  &r.faithful,        &r.worst.ulp,  &r.worst.nu};
    int64_t *wholes[] = {&r.elements,       &r.over_0,      &r.over_1,          &r.over_bound,
                         &r.device_ns,      &r.wall_ns,     &r.reference_ns,    &r.peak_bytes,
                         &r.range_findings, &r.worst.index, &r.envelope_groups, &r.case_ns};
    int *ints[] = {&r.truth_bits, &r.distinct, &r.validation};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        *texts[i] = any_text();
    }
    for (size_t i = 0; i < sizeof reals / sizeof *reals; i++) {
        *reals[i] = any_double();
    }
    for (size_t i = 0; i < sizeof wholes / sizeof *wholes; i++) {
        *wholes[i] = (int64_t)(draw() >> draw() % 64) * (draw() % 2 ? 1 : -1);
    }
    for (size_t i = 0; i < sizeof ints / sizeof *ints; i++) {
        *ints[i] = (int)draw();
    }
    r.series_count = (int)(draw() % 3);
    r.series = r.series_count ? calloc((size_t)r.series_count, sizeof *r.series) : NULL;
    for (int s = 0; s < r.series_count; s++) {
        int points = (int)(draw() % 5);
        r.series[s] = (struct record_series){.name = strdup("live \"x\""),
                                             .unit = strdup(s ? "ns" : "bytes"),
                                             .points = points,
                                             .x = calloc((size_t)points + 1, sizeof(double)),
                                             .y = calloc((size_t)points + 1, sizeof(double))};
        for (int i = 0; i < points; i++) {
            r.series[s].x[i] = any_double();
            r.series[s].y[i] = any_double();
        }
        for (int m = 0; m < 2; m++) {
            double **beside = m ? &r.series[s].spread : &r.series[s].pace;
            *beside = draw() % 2 ? calloc((size_t)points + 1, sizeof(double)) : NULL;
            for (int i = 0; *beside && i < points; i++) {
                (*beside)[i] = any_double();
            }
        }
        if (draw() % 2) {
            r.series[s].octaves = 1 + (int)(draw() % 3);
            r.series[s].exponent = any_double();
            r.series[s].factor = (double)(1 + draw() % 1000) / 7;
        }
        if (draw() % 2) {
            r.series[s].limit = calloc((size_t)points + 1, sizeof(double));
            for (int i = 0; i < points; i++) {
                r.series[s].limit[i] = any_double();
            }
            r.series[s].rule = any_text();
            r.series[s].breaks = draw() % 2;
            r.series[s].exponent_limit = 1.4;
        }
    }
    r.by_inputs = (int)(draw() % 4);
    r.by_input = calloc((size_t)r.by_inputs + 1, sizeof *r.by_input);
    for (int k = 0; k < r.by_inputs; k++) { /* positive ones first */
        r.by_input[k] =
            (struct record_by_input){k > 1, (int)(draw() % 2200) - 1100, any_double(), any_double()};
    }
    r.ulp_buckets = (int)(draw() % (RECORD_ULP_BUCKETS + 1));
    for (int b = 0; b < r.ulp_buckets; b++) {
        r.ulp_bucket[b] = (int64_t)(draw() >> (1 + draw() % 63));
    }
    return r;
}

static bool same_real(double a, double b)
{
    return (isnan(a) && isnan(b)) || (a == b && signbit(a) == signbit(b));
}

static bool same_text(const char *written, const char *back)
{
    char *valid = written ? utf8_repair(written, strlen(written)) : NULL;
    bool same = valid && back ? !strcmp(valid, back) : !valid && !back;
    free(valid);
    return same;
}

static bool same_by_input(const struct record *a, const struct record *b)
{
    bool same = a->by_inputs == b->by_inputs;
    for (int k = 0; same && k < a->by_inputs; k++) {
        const struct record_by_input *p = &a->by_input[k], *q = &b->by_input[k];
        same = p->negative == q->negative && p->exponent == q->exponent && same_real(p->ulp, q->ulp) &&
               same_real(p->allowed, q->allowed);
    }
    return same;
}

static bool same_series(const struct record *a, const struct record *b)
{
    bool same = a->series_count == b->series_count;
    for (int s = 0; same && s < a->series_count; s++) {
        const struct record_series *p = &a->series[s], *q = &b->series[s];
        same = same_text(p->name, q->name) && same_text(p->unit, q->unit) && p->points == q->points &&
               p->octaves == q->octaves && same_real(p->exponent, q->exponent) &&
               same_real(p->factor, q->factor) && !p->limit == !q->limit && !p->spread == !q->spread &&
               !p->pace == !q->pace && same_text(p->rule, q->rule) && p->breaks == q->breaks &&
               same_real(p->exponent_limit, q->exponent_limit);
        for (int i = 0; same && i < p->points; i++) {
            same = same_real(p->x[i], q->x[i]) && same_real(p->y[i], q->y[i]) &&
                   (!p->limit || same_real(p->limit[i], q->limit[i])) &&
                   (!p->spread || same_real(p->spread[i], q->spread[i])) &&
                   (!p->pace || same_real(p->pace[i], q->pace[i]));
        }
    }
    return same;
}

static bool same_record(const struct record *a, const struct record *b)
{
#define REAL(m)  same_real(a->m, b->m)
#define TEXT(m)  same_text(a->m, b->m)
#define WHOLE(m) (a->m == b->m)
    return TEXT(id) && TEXT(backend) && WHOLE(status) && TEXT(reason) && TEXT(detail) && TEXT(repro) &&
           TEXT(source) && TEXT(inputs_digest) && WHOLE(truth_bits) && WHOLE(elements) && REAL(max_ulp) &&
           REAL(mean_ulp) && REAL(bias_ulp) && REAL(bias_resolution) && REAL(max_nu) && REAL(p99_nu) &&
           REAL(quality_nu) && REAL(median_rho) && REAL(resolution) && REAL(envelope_q) && REAL(envelope_t) &&
           REAL(envelope_g) && WHOLE(envelope_groups) && REAL(implausible) && TEXT(implausible_by) &&
           TEXT(rule) && REAL(nmse) && REAL(bit_exact) && REAL(faithful) && WHOLE(over_0) && WHOLE(over_1) &&
           WHOLE(over_bound) && WHOLE(distinct) && WHOLE(validation) && WHOLE(device_ns) && WHOLE(wall_ns) &&
           WHOLE(reference_ns) && WHOLE(case_ns) && WHOLE(peak_bytes) && WHOLE(range_findings) &&
           WHOLE(worst.index) && TEXT(worst.where) && TEXT(worst.inputs) && TEXT(worst.truth) &&
           TEXT(worst.got) && REAL(worst.ulp) && REAL(worst.nu) && WHOLE(ulp_buckets) &&
           !memcmp(a->ulp_bucket, b->ulp_bucket, sizeof a->ulp_bucket) && same_by_input(a, b) &&
           same_series(a, b);
}

Test(record, any_record_round_trips)
{
    for (int i = 0; i < 2000; i++) {
        struct record record = any_record(), copy;
        char *line = record_format(&record);
        cr_assert(line && !strchr(line, '\n'), "one record is one line");
        struct record back = parse(line);
        cr_assert(same_record(&record, &back), "%s", line);
        cr_assert(record_copy(&copy, &record));
        char *copied = record_format(&copy);
        cr_assert_str_eq(copied, line);
        free(copied);
        cr_assert(copy.id != record.id, "a copy owns its texts");
        char *again = record_format(&back);
        cr_assert_str_eq(again, line);
        free(line);
        free(again);
        record_clear(&record);
        record_clear(&back);
        record_clear(&copy);
        cr_assert_null(copy.id);
    }
}

Test(record, header_round_trips)
{
    struct results results = {0};
    struct record_header *header = add_header(&results, "vulkan", NASTY), back;
    struct error error = {0};
    header->seed = UINT64_MAX;
    header->expected = 412;
    header->selected = 1236;
    header->shard = text("2/3");
    header->selection = text("0123456789abcdef0123456789abcdef");
    header->reference = text("feed");
    char *line = record_header_format(header);
    cr_assert(record_header_parse(line, strlen(line), &back, &error), "%s", error.text);
    char *again = record_header_format(&back);
    cr_assert_str_eq(again, line);
    cr_assert(back.seed == UINT64_MAX && back.expected == 412 && back.version == RECORD_VERSION);
    cr_assert(back.selected == 1236 && same_text(back.shard, "2/3") && same_text(back.reference, "feed"));
    cr_assert(same_text(back.selection, header->selection));
    cr_assert(back.profile_count == 2 && back.environment_count == 1);
    cr_assert_str_eq(back.profile[0].name, "rounding");
    cr_assert_str_eq(back.profile[0].value, "rte");
    cr_assert(same_text(NASTY, back.profile[1].value) && same_text(NASTY, back.device));
    free(line);
    free(again);
    record_header_clear(&back);
    cr_assert(!record_header_parse("{\"version\":3}", 13, &back, &error) && strstr(error.text, "version 3"));
    results_destroy(&results);
}
