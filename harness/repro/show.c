/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/repro/repro_parts.h"
#include "harness/shrink/problem.h"

#include "reports/records/fields.h"
#include "reports/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* Prints the place in memory of each operand that is not contiguous from the start of its memory. */
static void show_places(const struct repro_inputs *inputs)
{
    for (int i = 0; i < inputs->inputs; i++) {
        const struct view view = problem_view(inputs, i);
        char name[32], shape[INTEGERS_TEXT], strides[INTEGERS_TEXT];
        if (view.storage < 0 || (view_is_contiguous(&view) && view.offset == 0)) {
            continue;
        }
        snprintf(name, sizeof name, "input %d", i);
        numbers_print(view.shape.dim, view.shape.rank, shape, sizeof shape);
        numbers_print(view.stride, view.shape.rank, strides, sizeof strides);
        printf("  %-16s %s %s, strides %s, offset %lld\n", name, dtype_info(view.dtype)->name, shape, strides,
               (long long)view.offset);
    }
}

void repro_show_inputs(const struct repro *repro)
{
    char shape[INTEGERS_TEXT];
    const struct tensor *leading = repro_leading_input(repro);
    const struct integers *size = attributes_integers(&repro->attributes, "size");
    numbers_print(size ? size->item : leading->shape.dim, size ? size->count : leading->shape.rank, shape,
                  sizeof shape);
    printf("%s of %s%s %s\n", repro->op->name, size ? "sparse " : "", dtype_info(leading->dtype)->name,
           shape);
    show_places(&repro->inputs);
}

static void show(const char *name, const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    if (json_is_real(value)) {
        printf("  %-16s %.6g\n", name, json_real_value(value));
    } else if (json_is_integer(value)) {
        printf("  %-16s %lld\n", name, (long long)json_integer_value(value));
    } else if (json_is_string(value)) {
        const char *text = json_string_value(value);
        /* a metric that is NaN is unknown; a truth may be NaN */
        bool known = strcmp(text, "nan") != 0 || strcmp(key, "truth") == 0;
        printf("  %-16s ", name);
        text_put_line(stdout, known ? text : "–");
        putchar('\n');
    }
}

/* Prints the diagnosis, which is long. On a terminal it is broken between words; in a file or a pipe it is
 * one line, to be searched. */
static void show_diagnosis(const json_t *backend)
{
    enum { INDENT = 19, LEAST = 40 };
    struct winsize window;
    const char *text = json_string_value(json_object_get(backend, "diagnosis"));
    char *line = text ? text_one_line(text) : NULL;
    if (!line || !isatty(STDOUT_FILENO) || ioctl(STDOUT_FILENO, TIOCGWINSZ, &window) != 0 ||
        window.ws_col < LEAST) {
        show("diagnosis", backend, "diagnosis");
    } else {
        const size_t room = window.ws_col - INDENT - 1u;
        const char *rest = line;
        for (bool first = true; *rest; first = false) {
            size_t take = strlen(rest);
            if (take > room) {
                for (take = room; take > 0 && rest[take] != ' '; take--) {
                }
                take = take ? take : strcspn(rest, " "); /* a word longer than the line */
            }
            printf("  %-16s %.*s\n", first ? "diagnosis" : "", (int)take, rest);
            rest += take + strspn(rest + take, " ");
        }
    }
    free(line);
}

/* Prints the worst element. A special value has no bound: exactly that value is required. */
static void show_worst(const json_t *worst)
{
    const char *bound = json_string_value(json_object_get(worst, "bound"));
    if (!json_is_object(worst)) {
        return;
    }
    show("worst element", worst, "where");
    show("", worst, "inputs");
    show("truth", worst, "truth");
    show("got", worst, "got");
    if (json_is_string(json_object_get(worst, "whole"))) {
        printf("  %-16s of all of the result together, not of an element\n", "bound");
    } else if (bound && bound[0] == 'n') {
        printf("  %-16s none: the result is a special value\n", "bound");
    } else {
        show("bound", worst, "bound");
    }
    if (json_is_real(json_object_get(worst, "envelope"))) { /* the envelope decides for this element */
        show("envelope Q", worst, "envelope");
    }
}

/* Prints the envelope's measures. The resolution is a number, or a text for NaN or infinity. */
static void show_envelope(const json_t *backend)
{
    double resolution = NAN, factor = NAN;
    char text[TEXT_NUMBER];
    const char *by = json_string_value(json_object_get(backend, "implausible_by"));
    if (field_real_get(json_object_get(backend, "resolution"), &resolution)) {
        printf("  %-16s %s\n", "resolution", text_resolution(resolution, text));
    }
    if (field_real_get(json_object_get(backend, "implausible"), &factor)) {
        printf("  %-16s %s times the limit of independent rounding (", "implausible",
               text_number(factor, text));
        text_put_line(stdout, by ? text_statistic(by) : "unknown");
        puts(")");
    }
}

void repro_show_backend(const json_t *backend)
{
    const char *name = json_string_value(json_object_get(backend, "name")),
               *status = json_string_value(json_object_get(backend, "status")), *separator = " ";
    size_t i;
    json_t *file;
    const bool undecided = json_is_true(json_object_get(backend, "cannot_tell"));
    text_put_line(stdout, name ? name : "-");
    fputs(undecided ? ": cannot tell (" : ": ", stdout);
    text_put_line(stdout, status ? status : "-");
    puts(undecided ? ")" : "");
    show_diagnosis(backend);
    show_worst(json_object_get(backend, "worst"));
    show("max ulp", backend, "max_ulp");
    show("max err/bound", backend, "max_nu");
    show_envelope(backend);
    show("amplification", backend, "conditioning");
    show("distinct results", backend, "distinct");
    show("route", backend, "routes");
    show("time", backend, "time");
    const json_t *written = json_object_get(backend, "written");
    if (json_array_size(written) > 0) {
        printf("  %-16s", "written");
        json_array_foreach(written, i, file)
        {
            fputs(separator, stdout);
            text_put_line(stdout, json_string_value(file));
            separator = ", ";
        }
        putchar('\n');
    }
    fflush(stdout);
}

/* Prints "input 0  float32 [2, 2]", and the elements of small operands. */
static void show_operands(const json_t *inputs)
{
    size_t i, k;
    json_t *input, *dim;
    json_array_foreach(inputs, i, input)
    {
        char name[32], shape[SHAPE_TEXT] = "";
        const char *dtype = json_string_value(json_object_get(input, "dtype"));
        const json_t *values = json_object_get(input, "values");
        size_t used = 0;
        snprintf(name, sizeof name, "input %zu", i);
        json_array_foreach(json_object_get(input, "shape"), k, dim)
        {
            used += (size_t)snprintf(shape + used, sizeof shape - used, "%s%" JSON_INTEGER_FORMAT,
                                     k ? ", " : "", json_integer_value(dim));
        }
        if (!dtype) {
            printf("  %-16s none\n", name);
            continue;
        }
        printf("  %-16s %s [%s]%s%s", name, dtype, shape,
               json_is_true(json_object_get(input, "contiguous")) ? "" : ", strided",
               json_is_true(json_object_get(input, "filler")) ? ", not defined" : "");
        for (k = 0; k < json_array_size(values); k++) {
            fputs(k ? ", " : " = ", stdout);
            text_put_line(stdout, json_string_value(json_array_get(values, k)));
        }
        putchar('\n');
    }
}

void repro_show_shrunk(const json_t *shrunk, double seconds)
{
    const char *found = json_string_value(json_object_get(shrunk, "hypothesis")),
               *first = json_string_value(json_object_get(shrunk, "hypothesis_before"));
    printf("shrunk: %s -> %s, %" JSON_INTEGER_FORMAT " problems tried in %.1f s%s%s\n",
           json_string_value(json_object_get(shrunk, "before")),
           json_string_value(json_object_get(shrunk, "after")),
           json_integer_value(json_object_get(shrunk, "tried")), seconds,
           json_is_true(json_object_get(shrunk, "complete"))
               ? ""
               : "; the time was up, a longer --shrink-time may find a smaller one",
           json_is_true(json_object_get(shrunk, "alone"))
               ? ""
               : "; earlier calls change the result, so each ran in a process of its own");
    show_operands(json_object_get(shrunk, "inputs"));
    char *attributes =
        json_dumps(json_object_get(shrunk, "attributes"), JSON_ENSURE_ASCII | JSON_REAL_PRECISION(17));
    if (attributes && strcmp(attributes, "{}") != 0) {
        printf("  %-16s %s\n", "attributes", attributes);
    }
    free(attributes);
    if (strcmp(found ? found : "", first ? first : "") != 0) {
        printf("  %-16s %s before, %s now\n", "hypothesis", first ? first : "none", found ? found : "none");
    }
    repro_show_backend(shrunk);
    repro_show_bundle(shrunk);
    if (json_object_get(shrunk, "replay")) {
        show("replay", shrunk, "replay");
    } else {
        printf("  %-16s --bundle FILE writes the call, --output-dir DIR its inputs\n", "replay");
    }
}

void repro_show_times(const json_t *backends)
{
    double last = 0;
    size_t b;
    json_t *backend;
    const char *beside = "";
    json_array_foreach(backends, b, backend)
    {
        const double time = (double)json_integer_value(json_object_get(backend, "device_ns"));
        beside = time > 0 ? json_string_value(json_object_get(backend, "name")) : beside;
        last = time > 0 ? time : last;
    }
    json_array_foreach(backends, b, backend)
    {
        const double time = (double)json_integer_value(json_object_get(backend, "device_ns"));
        if (time > 0 && strcmp(json_string_value(json_object_get(backend, "name")), beside) != 0) {
            fputs("time: ", stdout);
            text_put_line(stdout, json_string_value(json_object_get(backend, "name")));
            printf(" takes %.3g times as long as ", time / last);
            text_put_line(stdout, beside);
            putchar('\n');
        }
    }
}

void repro_show_bundle(const json_t *backend)
{
    show("bundle", backend, "bundle");
}

/* Returns the operands with their places in memory; null for one that is left out. */
static json_t *places_put(const struct repro_inputs *inputs)
{
    json_t *list = json_array();
    for (int i = 0; i < inputs->inputs; i++) {
        const struct view view = problem_view(inputs, i);
        json_array_append_new(
            list, view.storage < 0 ? json_null()
                                   : json_pack("{s:s, s:o, s:o, s:I}", "dtype", dtype_info(view.dtype)->name,
                                               "shape", repro_numbers_put(view.shape.dim, view.shape.rank),
                                               "strides", repro_numbers_put(view.stride, view.shape.rank),
                                               "offset", (json_int_t)view.offset));
    }
    return list;
}

void repro_show_json(const struct repro *repro, json_t *backends, json_t *comparison)
{
    json_t *whole = json_pack("{s:s, s:s, s:O}", "op", repro->op->name, "dtype",
                              dtype_info(repro_leading_input(repro)->dtype)->name, "backends", backends);
    json_object_set_new(whole, "inputs", places_put(&repro->inputs));
    if (repro->id) {
        json_object_set_new(whole, "case", json_string(repro->id)); /* as in the case's own report */
    }
    static const char *const shared[] = {"inputs_digest", "truth_bits", "conditioning", "diagnosis"};
    json_t *hypothesis = NULL;
    for (int k = 0; k < 4; k++) { /* each member from the first backend that has it */
        json_t *value = NULL;
        for (size_t b = 0; b < json_array_size(backends) && (!value || json_is_null(value)); b++) {
            value = json_object_get(json_array_get(backends, b), shared[k]);
            hypothesis = json_object_get(json_array_get(backends, b), "hypothesis"); /* from the diagnosis */
        }
        json_object_set(whole, shared[k], value ? value : json_null());
    }
    json_object_set(whole, "hypothesis", hypothesis ? hypothesis : json_null());
    json_object_set(whole, "comparison", comparison ? comparison : json_null());
    json_print(stdout, whole, JSON_INDENT(1) | JSON_REAL_PRECISION(17));
    putchar('\n');
    json_decref(whole);
}
