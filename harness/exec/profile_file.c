/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/exec/profile_file.h"
#include "harness/exec/adapter.h"
#include "harness/exec/greeting.h"
#include "harness/host/nearest.h"
#include "reports/records/input.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool profile_take(const json_t *profile, const struct op *op, struct exec_hello *hello, struct error *error)
{
    struct error why = {.text = ""};
    hello->operator= calloc(1, sizeof *hello->operator);
    if (!hello->operator) {
        return error_set(error, "out of memory");
    }
    hello->operator[0] =(struct exec_operator){op, ~0U};
    hello->operators = 1;
    if (!greeting_profile(json_is_null(profile) ? NULL : profile, hello, &why)) {
        const char *text = strncmp(why.text, "hello: ", 7) == 0 ? why.text + 7 : why.text;
        return error_set(error, "%.400s", text);
    }
    return true;
}

/* Returns the JSON text of a file; NULL with the fault. */
static json_t *load(const char *path, struct error *error)
{
    size_t length;
    json_error_t fault;
    char *text = input_text(path, &length, error);
    json_t *json = text ? json_loadb(text, length, JSON_REJECT_DUPLICATES, &fault) : NULL;
    if (text && !json) {
        error_set(error, "%s: line %d: %.160s; a profile is a JSON object, {\"rounding\": \"rte\"}", path,
                  fault.line, fault.text);
    }
    free(text);
    return json;
}

/* Adds the names of the profiles to the error. */
static bool refuse_name(const char *word, const json_t *named, struct error *error)
{
    char names[300] = "";
    struct nearest nearest = {.word = word};
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)(uintptr_t)named, key, value)
    {
        size_t used = strlen(names);
        nearest_offer(&nearest, key);
        snprintf(names + used, sizeof names - used, "%s%s", used ? ", " : "", key);
    }
    return error_set(error,
                     "--profile %.200s: there is no file and no profile of this name%s%s; the names are %s",
                     word, nearest.best ? "; did you mean " : "", nearest.best ? nearest.best : "", names);
}

bool profile_file_read(const char *word, const struct op *op, struct exec_hello *hello, struct error *error)
{
    char path[1200];
    struct error why = {.text = ""};
    const bool file = access(word, F_OK) == 0;
    if (!file && !adapter_file("profiles.json", path, sizeof path, &why)) {
        return error_set(error, "--profile %.100s: %.300s", word, why.text);
    }
    json_t *json = load(file ? word : path, &why);
    if (!json) {
        return error_set(error, "--profile %.400s", why.text);
    }
    const json_t *profile = json_object_get(json, file ? "profile" : word);
    bool good = file || profile || refuse_name(word, json, error);
    if (file && !profile) {
        profile = json;
    }
    if (good && !profile_take(profile, op, hello, &why)) {
        good = error_set(error, "--profile %.100s: %.300s", word, why.text);
    }
    json_decref(json);
    return good;
}
