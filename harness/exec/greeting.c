/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Parses a program's greeting. */

#include "harness/exec/greeting.h"
#include "harness/exec/json.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Returns the known dtypes of a list. Dtypes that assay does not know are ignored. */
static unsigned dtypes_of(const json_t *list)
{
    unsigned dtypes = 0;
    size_t i;
    json_t *item;
    json_array_foreach(list, i, item)
    {
        enum dtype dtype;
        if (json_is_string(item) && dtype_from_name(json_string_value(item), &dtype)) {
            dtypes |= 1U << dtype;
        }
    }
    return dtypes;
}

static void add_operator(struct exec_hello *hello, const char *name, unsigned dtypes)
{
    const struct op *op = op_find(name);
    if (op) { /* operators that assay does not know are ignored */
        hello->operator[hello->operators++] =(struct exec_operator){op, dtypes};
    }
}

/* Returns false with the reason if the operator is never tested on any of these dtypes: they are dtypes of
 * another operand, or "dtypes" lacks them. A list without any dtype that assay knows is accepted, and offers
 * nothing. */
static bool offers_any(const char *name, unsigned dtypes, const struct exec_hello *hello, struct error *error)
{
    const struct op *op = op_find(name);
    char names[200];
    if (!op || dtypes == 0 || (dtypes & op->dtypes & hello->dtypes)) {
        return true;
    }
    if (dtypes & op->dtypes) {
        return error_set(error, "hello: \"operators\": none of the dtypes of \"%s\" stands in \"dtypes\"",
                         name);
    }
    dtypes_print(op->dtypes, names, sizeof names);
    return error_set(
        error,
        "hello: \"operators\": \"%s\" is asked on the dtypes of its leading input: %s; the list has none of "
        "them",
        name, names);
}

/* Parses "operators": ["sgn", …], each on all dtypes, or {"sgn": ["float32", …], …}. */
static bool parse_operators(json_t *json, struct exec_hello *hello, struct error *error)
{
    size_t i, size = json_is_object(json) ? json_object_size(json) : json_array_size(json);
    const char *key;
    json_t *item;
    hello->operator= calloc(size + 1, sizeof *hello->operator);
    if (!hello->operator) {
        return error_set(error, "out of memory for the greeting");
    }
    json_array_foreach(json, i, item)
    {
        if (!json_is_string(item)) {
            return error_set(error, "hello: \"operators\" must be a list of names");
        }
        add_operator(hello, json_string_value(item), hello->dtypes);
    }
    json_object_foreach(json_is_object(json) ? json : NULL, key, item)
    {
        if (!json_is_array(item)) {
            return error_set(error, "hello: \"operators\": \"%.40s\" must be a list of dtypes", key);
        }
        if (!offers_any(key, dtypes_of(item), hello, error)) {
            return false;
        }
        add_operator(hello, key, dtypes_of(item) & hello->dtypes);
    }
    return true;
}

/* Returns the offered operators and dtypes that assay knows as text, in the order of the greeting. */
static char *describe_offers(const struct exec_hello *hello)
{
    char *text = NULL;
    size_t size;
    FILE *to = open_memstream(&text, &size);
    for (int o = 0; to && o < hello->operators; o++) {
        const char *separator = ":";
        fprintf(to, "%s%s", o > 0 ? " " : "", hello->operator[o].op->name);
        for (int d = 0; d < DTYPE_COUNT; d++) {
            if (hello->operator[o].dtypes>> d & 1) {
                fprintf(to, "%s%s", separator, dtype_info((enum dtype)d)->name);
                separator = ",";
            }
        }
    }
    bool good = to && !ferror(to);
    good = to && fclose(to) == 0 && good;
    if (!good) {
        free(text);
    }
    return good ? text : NULL;
}

static bool parse_lists(const json_t *json, struct exec_hello *hello, struct error *error)
{
    const json_t *dtypes = json_object_get(json, "dtypes");
    json_t *operators = json_object_get(json, "operators");
    if (!json_is_array(dtypes) || (!json_is_array(operators) && !json_is_object(operators))) {
        return error_set(error, "hello: \"dtypes\" must be a list of names, \"operators\" one, or an object "
                                "of lists of dtypes");
    }
    hello->dtypes = dtypes_of(dtypes);
    unsigned offered = 0;
    bool good = parse_operators(operators, hello, error);
    for (int o = 0; good && o < hello->operators; o++) {
        offered |= hello->operator[o].dtypes;
    }
    return good && (offered != 0 || error_set(error, "hello: none of the operators or none of the dtypes is "
                                                     "one that assay knows"));
}

bool exec_parse_hello(const char *line, struct exec_hello *hello, struct error *error)
{
    json_error_t fault;
    json_t *json = json_loads(line, JSON_REJECT_DUPLICATES, &fault);
    memset(hello, 0, sizeof *hello);
    bool good = json_is_object(json) || error_set(error, "hello: not a JSON object: %.80s", line);
    if (good && json_integer_value(json_object_get(json, "hello")) != 1) {
        good = error_set(error, "hello: \"hello\" must be 1, the version of the protocol");
    }
    if (good && !json_copy_text(json, "name", hello->name, sizeof hello->name)) {
        good = error_set(error, "hello: \"name\" is missing");
    }
    if (good) {
        json_copy_text(json, "version", hello->version, sizeof hello->version);
        json_copy_text(json, "device", hello->device, sizeof hello->device);
        hello->memory = json_is_true(json_object_get(json, "memory"));
        hello->return_storages = json_is_true(json_object_get(json, "return_storages"));
        hello->repeats = json_is_true(json_object_get(json, "repeats"));
        good = parse_lists(json, hello, error) &&
               greeting_profile(json_object_get(json, "profile"), hello, error);
        hello->offers = good ? describe_offers(hello) : NULL;
        good = good && (hello->offers || error_set(error, "out of memory for the greeting"));
    }
    json_decref(json);
    return good;
}

void exec_hello_clear(struct exec_hello *hello)
{
    free(hello->operator);
    free(hello->offers);
    free(hello->nondeterministic);
    free(hello->naive_range);
    free(hello->documented);
    free(hello->accumulate_own);
    free(hello->matrix_units);
    free(hello->summations);
    free(hello->algorithms);
    memset(hello, 0, sizeof *hello);
}

bool exec_offers(const struct exec_hello *hello, const struct op *op, enum dtype leading,
                 struct error *reason)
{
    unsigned dtypes = 0;
    bool named = false;
    for (int o = 0; o < hello->operators; o++) {
        named = named || hello->operator[o].op == op;
        dtypes |= hello->operator[o].op == op ? hello->operator[o].dtypes : 0;
    }
    if (!named) {
        return error_set(reason, "the program does not offer %s", op->name);
    }
    return (dtypes >> leading & 1) ||
           error_set(reason, "the program does not offer %s on %s", op->name, dtype_info(leading)->name);
}
