/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Checks the greeting member by member. `assay run` ignores names that it does not know; here a name that
 * resembles a known one is reported as a probable typing error. */

#include "harness/check/conversation.h"
#include "harness/check/wire.h"
#include "harness/exec/greeting.h"
#include "harness/host/nearest.h"

#include <string.h>

static bool check_text(struct conversation *c, const json_t *json, const char *key, bool required)
{
    const json_t *value = json_object_get(json, key);
    if ((value && !json_is_string(value)) || (required && (!value || !json_string_value(value)[0]))) {
        conversation_complain(c, CHECK_MEMBERS, "state it as a text",
                              value ? "\"%s\" is no text" : "\"%s\" is missing", key);
        return false;
    }
    return true;
}

static void check_members(struct conversation *c, const json_t *json)
{
    const json_t *hello = json_object_get(json, "hello"), *memory = json_object_get(json, "memory");
    const json_t *return_storages = json_object_get(json, "return_storages"),
                 *repeats = json_object_get(json, "repeats");
    const json_t *dtypes = json_object_get(json, "dtypes"), *operators = json_object_get(json, "operators");
    findings_tried(c->findings, CHECK_MEMBERS);
    if (!json_is_integer(hello) || json_integer_value(hello) != 1) {
        conversation_complain(c, CHECK_MEMBERS, "this is version 1 of the protocol: answer \"hello\": 1",
                              json_is_integer(hello) ? "\"hello\" is %" JSON_INTEGER_FORMAT
                                                     : "\"hello\" is no integer, or missing",
                              json_integer_value(hello));
    }
    check_text(c, json, "name", true);
    check_text(c, json, "version", false);
    check_text(c, json, "device", false);
    if (!json_is_array(dtypes)) {
        conversation_complain(c, CHECK_MEMBERS, "list the names of the dtypes", "\"dtypes\" is %s",
                              dtypes ? "no list" : "missing");
    }
    if (!json_is_array(operators) && !json_is_object(operators)) {
        conversation_complain(c, CHECK_MEMBERS,
                              "list the names of the operators, or state the dtypes of each",
                              "\"operators\" is %s", operators ? "neither a list nor an object" : "missing");
    }
    if (memory && !json_is_boolean(memory)) {
        conversation_complain(c, CHECK_MEMBERS, "true where requests about memory are answered, else false",
                              "\"memory\" is neither true nor false");
    }
    if (return_storages && !json_is_boolean(return_storages)) {
        conversation_complain(c, CHECK_MEMBERS,
                              "true where a request may ask for every storage back, else false",
                              "\"return_storages\" is neither true nor false");
    }
    if (repeats && !json_is_boolean(repeats)) {
        conversation_complain(c, CHECK_MEMBERS,
                              "true where \"repeats\" and \"warm_up\" of a request are honoured, else false",
                              "\"repeats\" is neither true nor false");
    }
    if (!json_is_true(return_storages)) {
        findings_excuse(c->findings, CHECK_OPERANDS,
                        "the greeting does not offer \"return_storages\": an operand that is only read and "
                        "overwritten goes unseen");
    }
}

/* --- names */

static void offer_dtypes(struct nearest *nearest)
{
    for (int d = 0; d < DTYPE_COUNT; d++) {
        nearest_offer(nearest, dtype_info((enum dtype)d)->name);
    }
}

/* Returns true if assay knows the dtype. An unknown name near to a known one is a complaint; any other is
 * only noted. */
static bool check_dtype(struct conversation *c, const json_t *item, const char *of)
{
    const char *name = json_string_value(item);
    struct nearest nearest = {.word = name};
    enum dtype dtype;
    if (!name) {
        conversation_complain(c, CHECK_DTYPES, "list names of dtypes", "a dtype%s%s is no text",
                              of ? " of " : "", of ? of : "");
        return false;
    }
    if (dtype_from_name(name, &dtype)) {
        return true;
    }
    offer_dtypes(&nearest);
    if (nearest.best) {
        conversation_complain(c, CHECK_DTYPES, "use the array API's names",
                              "\"%.40s\"%s%s is no dtype; did you mean \"%s\"?", name, of ? ", of " : "",
                              of ? of : "", nearest.best);
    } else {
        findings_note(c->findings, "dtype \"%.40s\" is none that assay has", name);
    }
    return false;
}

static bool lists(const json_t *list, const char *name)
{
    size_t i;
    json_t *item;
    json_array_foreach(list, i, item)
    {
        if (json_is_string(item) && strcmp(json_string_value(item), name) == 0) {
            return true;
        }
    }
    return false;
}

static void check_dtypes(struct conversation *c, const json_t *json)
{
    size_t i;
    const char *key;
    json_t *item, *operators = json_object_get(json, "operators"), *dtypes = json_object_get(json, "dtypes");
    findings_tried(c->findings, CHECK_DTYPES);
    json_array_foreach(dtypes, i, item)
    {
        check_dtype(c, item, NULL);
    }
    json_object_foreach(json_is_object(operators) ? operators : NULL, key, item)
    {
        size_t k;
        json_t *own;
        json_array_foreach(item, k, own)
        {
            if (check_dtype(c, own, key) && !lists(dtypes, json_string_value(own))) {
                conversation_complain(c, CHECK_DTYPES, "add it to \"dtypes\": it is not asked for otherwise",
                                      "\"%.60s\" is offered on %s, which \"dtypes\" lacks", key,
                                      json_string_value(own));
            }
        }
    }
}

/* Returns true, with the likely name, if assay does not know the name but knows one near to it. */
static bool is_slip(const char *name, const char **meant)
{
    struct nearest nearest = {.word = name};
    if (op_find(name)) {
        return false;
    }
    for (int o = 0; o < op_count(); o++) {
        nearest_offer(&nearest, op_at(o)->name);
    }
    *meant = nearest.best;
    return nearest.best != NULL;
}

static void check_operator(struct conversation *c, enum check check, const char *name, const char *of)
{
    const char *meant = NULL;
    if (is_slip(name, &meant)) {
        conversation_complain(c, check, "correct the name: PyTorch's functional one; assay list shows them",
                              "\"%.60s\"%s%s is no operator; did you mean \"%s\"?", name, of ? " in " : "",
                              of ? of : "", meant);
    } else if (!op_find(name)) {
        findings_note(c->findings, "operator \"%.60s\" is none that assay has", name);
    }
}

static void check_operators(struct conversation *c, json_t *operators)
{
    size_t i;
    const char *key;
    json_t *item;
    findings_tried(c->findings, CHECK_OPERATORS);
    json_array_foreach(operators, i, item)
    {
        if (!json_is_string(item)) {
            conversation_complain(c, CHECK_OPERATORS, "list names", "an operator is no text");
        } else {
            check_operator(c, CHECK_OPERATORS, json_string_value(item), NULL);
        }
    }
    json_object_foreach(json_is_object(operators) ? operators : NULL, key, item)
    {
        check_operator(c, CHECK_OPERATORS, key, NULL);
        if (!json_is_array(item)) {
            conversation_complain(c, CHECK_OPERATORS, "state the list of its dtypes",
                                  "\"%.60s\" has no list of dtypes", key);
        }
    }
}

/* Checks the operators that the profile's members name. greeting_profile checks their words. */
static void check_profile(struct conversation *c, json_t *profile)
{
    static const char *const per_operator[] = {"summation", "algorithm"};
    static const char *const names[] = {"accumulate_own", "matrix_units", "nondeterministic", "range"};
    struct error error = {.text = ""};
    struct exec_hello ignored = {.operators = 0};
    const char *key;
    size_t i;
    json_t *item;
    if (!profile) {
        findings_excuse(c->findings, CHECK_PROFILE, "it promises nothing");
        return;
    }
    findings_tried(c->findings, CHECK_PROFILE);
    bool good = greeting_profile(profile, &ignored, &error);
    exec_hello_clear(&ignored);
    if (!good) {
        conversation_complain(c, CHECK_PROFILE,
                              "correct it by the table of the page; left out, it promises nothing", "%s",
                              error.text);
        return;
    }
    for (size_t m = 0; m < sizeof per_operator / sizeof *per_operator; m++) {
        json_t *member = json_object_get(profile, per_operator[m]);
        json_object_foreach(json_is_object(member) ? member : NULL, key, item)
        {
            check_operator(c, CHECK_PROFILE, key, per_operator[m]);
        }
    }
    for (size_t m = 0; m < sizeof names / sizeof *names; m++) {
        json_array_foreach(json_object_get(profile, names[m]), i, item)
        {
            check_operator(c, CHECK_PROFILE, json_string_value(item), names[m]);
        }
    }
}

void greeting_check(struct conversation *c, const char *line)
{
    static const char *const members[] = {"hello",           "name",      "version", "device",
                                          "dtypes",          "operators", "memory",  "profile",
                                          "return_storages", "repeats",   NULL};
    struct error error = {.text = ""};
    json_t *json = json_loads(line, 0, NULL);
    check_members(c, json);
    check_spelling(c, CHECK_UNKNOWN_MEMBERS, json, members);
    check_dtypes(c, json);
    check_operators(c, json_object_get(json, "operators"));
    check_profile(c, json_object_get(json, "profile"));
    c->greeted = exec_parse_hello(line, &c->hello, &error);
    if (!c->greeted && findings_failed(c->findings) == 0) {
        conversation_complain(c, CHECK_OPERATORS,
                              "offer one operator and one dtype that assay knows: assay list", "%s",
                              error.text);
    }
    json_decref(json);
}
