/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/bundle/capture.h"
#include "reports/records/input.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

bool capture_is_one(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

const char *capture_text(const json_t *call, const char *member)
{
    const char *text = json_string_value(json_object_get(call, member));
    return text ? text : "";
}

static bool is_text_or_null(const json_t *object, const char *member)
{
    const json_t *value = json_object_get(object, member);
    return !value || json_is_null(value) || json_is_string(value);
}

/* A file must lie in the directory itself: a capture may come from anyone. */
static bool is_inside(const char *file)
{
    return !strchr(file, '/') && strcmp(file, "..") != 0;
}

static bool check_call(const json_t *call, size_t number, const char *folder, struct error *error)
{
    static const char *const members[] = {"file", "op", "aten", "module", "phase", "why"};
    if (!json_is_object(call)) {
        return error_set(error, "%s/capture.json: call %zu is no object", folder, number);
    }
    for (size_t m = 0; m < sizeof members / sizeof *members; m++) {
        if (!is_text_or_null(call, members[m])) {
            return error_set(error, "%s/capture.json: call %zu: \"%s\" must be a text or null", folder,
                             number, members[m]);
        }
    }
    if (!is_inside(capture_text(call, "file"))) {
        return error_set(error, "%s/capture.json: call %zu: its file must lie in this directory", folder,
                         number);
    }
    return capture_text(call, "op")[0] || capture_text(call, "aten")[0] ||
           error_set(error, "%s/capture.json: call %zu has no name", folder, number);
}

json_t *capture_read(const char *folder, struct error *error)
{
    char path[PATH_MAX];
    size_t length, k;
    json_error_t fault;
    json_t *call;
    struct stat status;
    if ((size_t)snprintf(path, sizeof path, "%s/capture.json", folder) >= sizeof path) {
        error_set(error, "%.60s…: the path is too long", folder);
        return NULL;
    }
    if (stat(path, &status) != 0) {
        error_set(error, "%s: this directory has no capture.json: it is no capture of assay_capture.py",
                  folder);
        return NULL;
    }
    char *text = input_text(path, &length, error);
    json_t *json = text ? json_loadb(text, length, JSON_REJECT_DUPLICATES, &fault) : NULL;
    bool good = json != NULL;
    if (text && !json) {
        error_set(error, "%s: line %d: %.200s", path, fault.line, fault.text);
    }
    free(text);
    const json_t *version = json_object_get(json, "assay_capture"), *calls = json_object_get(json, "calls");
    if (good && json_integer_value(version) != CAPTURE_VERSION) {
        good = error_set(error, "%s: this assay reads captures of version %d", path, CAPTURE_VERSION);
    }
    if (good && !json_is_array(calls)) {
        good = error_set(error, "%s: \"calls\" must be a list", path);
    }
    json_array_foreach(calls, k, call)
    {
        good = good && check_call(call, k, folder, error);
    }
    if (!good) {
        json_decref(json);
        json = NULL;
    }
    return json;
}
