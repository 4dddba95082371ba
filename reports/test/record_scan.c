/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reports/test/fixture.h"

#include <criterion/criterion.h>
#include <jansson.h>
#include <stdio.h>

/* Records are read in one pass and written without an object between; jansson is who must agree. */

static uint64_t state = 88172645463325252U;

static uint64_t draw(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

static double any_real(void)
{
    uint64_t bits = draw();
    double value;
    memcpy(&value, &bits, sizeof value);
    switch (draw() % 4) {
    case 0:
        return (double)(int64_t)(bits % 2000) - 1000;
    case 1:
        return ldexp((double)(bits >> 11), -(int)(draw() % 120));
    default:
        return value;
    }
}

static char *any_text(void)
{
    static const char *const texts[] = {"",        "plain", "a\nb\t\"c\"\\ /", "\x01\x1f\x7f", "caf\xc3\xa9",
                                        "bad\xff", NULL};
    return text(texts[draw() % (sizeof texts / sizeof *texts)]);
}

static struct record any(void)
{
    struct record r = {.id = text("a/b/c/d"),
                       .backend = text("x"),
                       .status = (enum status)(draw() % STATUS_COUNT),
                       .reason = any_text(),
                       .detail = any_text(),
                       .elements = (int64_t)(draw() >> draw() % 64),
                       .truth_bits = (int)(draw() % 200) - 100,
                       .case_ns = -(int64_t)(draw() >> 2),
                       .max_ulp = any_real(),
                       .bias_ulp = any_real(),
                       .resolution = any_real(),
                       .nmse = any_real(),
                       .ulp_buckets = (int)(draw() % 4),
                       .worst = {.index = (int64_t)(draw() % 3) - 1, .truth = any_text(), .nu = any_real()}};
    for (int b = 0; b < r.ulp_buckets; b++)
        r.ulp_bucket[b] = (int64_t)(draw() >> (1 + draw() % 63));
    if (draw() % 8 == 0) {
        r.series = calloc(1, sizeof *r.series);
        r.series_count = 1;
        r.series[0] = (struct record_series){.name = text("time"),
                                             .unit = text("ns"),
                                             .points = 1,
                                             .x = calloc(1, sizeof(double)),
                                             .y = calloc(1, sizeof(double))};
        r.series[0].y[0] = any_real();
    }
    return r;
}

Test(record_scan, what_is_written_is_what_jansson_writes)
{
    for (int i = 0; i < 20000; i++) {
        struct record record = any();
        json_error_t fault;
        char *line = record_format(&record);
        json_t *object = json_loads(line, JSON_REJECT_DUPLICATES, &fault);
        cr_assert(object, "%s: %s", fault.text, line);
        char *again = json_dumps(object, JSON_COMPACT | JSON_REAL_PRECISION(17));
        cr_assert_str_eq(line, again);
        json_decref(object);
        free(again);
        free(line);
        record_clear(&record);
    }
}

/* One byte or one piece of the line changed, taken out or put in. */
static void spoil(char *line, size_t size)
{
    static const char *const pieces[] = {"null",
                                         "\"nan\"",
                                         "1e999",
                                         "-0.0",
                                         "01",
                                         "1.",
                                         "{}",
                                         "[1,2]",
                                         "\\u0041",
                                         ",",
                                         "\"id\":\"z\",",
                                         "\"version\":2,",
                                         "\"worst\":{},",
                                         " ",
                                         "1e2",
                                         "true",
                                         "\"ulp_histogram\":[-1],",
                                         "-",
                                         "99999999999999999999",
                                         "\xc3\xa9",
                                         "\\n",
                                         "\"worst\":null,",
                                         "\"max_ulp\":3,",
                                         "\"elements\":3.0,",
                                         "\x01",
                                         "\"",
                                         "}"};
    size_t length = strlen(line), at = draw() % (length + 1);
    const char *piece = pieces[draw() % (sizeof pieces / sizeof *pieces)];
    if (draw() % 2) { /* behind what may begin a member or a value */
        while (at < length && !strchr("{,:[", line[at]))
            at++;
        at += at < length;
    }
    size_t out = draw() % 3 ? 0 : draw() % (length - at + 1), in = strlen(piece);
    if (draw() % 4 == 0 && at < length) {
        line[at] = (char)draw();
    } else if (length - out + in + 1 < size) {
        memmove(line + at + in, line + at + out, length - at - out + 1);
        memcpy(line + at, piece, in);
    }
}

/* A member that no scan knows makes the same line one for jansson. */
static char *for_jansson(const char *line)
{
    char *other = NULL;
    if (line[0] != '{' || asprintf(&other, "{\"unknown\":0,%s", line + 1) < 0)
        return NULL;
    return other;
}

Test(record_scan, whatever_the_line_jansson_reads_the_same)
{
    char line[16384];
    int taken = 0, refused = 0;
    for (int i = 0; i < 60000; i++) {
        struct record record = any(), a, b;
        struct error error;
        char *written = record_format(&record), *other;
        snprintf(line, sizeof line, "%s", written);
        free(written);
        record_clear(&record);
        for (uint64_t n = draw() % 4; n; n--)
            spoil(line, sizeof line);
        if (!(other = for_jansson(line)))
            continue;
        bool one = record_parse(line, strlen(line), &a, &error);
        bool two = record_parse(other, strlen(other), &b, &error);
        cr_assert_eq(one, two, "%s%s", one ? "the scan alone takes " : "the scan alone refuses ", line);
        if (one) {
            char *x = record_format(&a), *y = record_format(&b);
            cr_assert_str_eq(x, y, "of %s", line);
            free(x);
            free(y);
        }
        taken += one;
        refused += !one;
        record_clear(&a);
        record_clear(&b);
        free(other);
    }
    cr_assert(taken > 10000 && refused > 10000, "%d taken, %d refused", taken, refused);
}

/* No byte behind the end is read: the line stands at the end of its memory, for the sanitizers. */
Test(record_scan, a_line_cut_at_any_byte)
{
    static const char whole[] =
        "{\"version\":2,\"id\":\"a\",\"status\":\"pass\",\"elements\":12,\"max_ulp\":0.125,"
        "\"reason\":\"a\\nb\",\"ulp_histogram\":[1,2],\"worst\":{\"index\":-1,\"nu\":\"inf\"}}";
    for (size_t length = 0; length < sizeof whole; length++) {
        struct record record;
        struct error error;
        char *line = malloc(length + 1);
        memcpy(line, whole, length);
        line[length] = 0;
        cr_assert_eq(record_parse(line, length, &record, &error), length == sizeof whole - 1);
        record_clear(&record);
        free(line);
    }
}
