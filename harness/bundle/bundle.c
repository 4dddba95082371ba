/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/bundle/bundle.h"
#include "harness/formats/archive.h"
#include "harness/formats/npy_pack.h"
#include "reports/records/input.h"
#include "reports/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { JSON_LIMIT = 1 << 20, SLACK = 1 << 12 };

void bundle_clear(struct bundle *bundle)
{
    problem_clear(&bundle->problem);
    for (int o = 0; o < bundle->outputs; o++) {
        struct bundle_output *output = &bundle->output[o];
        free(output->truth);
        free(output->tail);
        free(output->bound);
        tensor_destroy(&output->got);
    }
    exec_hello_clear(&bundle->hello);
    json_decref(bundle->json);
    *bundle = (struct bundle){.outputs = 0};
}

bool bundle_has_truth(const struct bundle *bundle)
{
    bool all = bundle->outputs > 0;
    for (int o = 0; o < bundle->outputs; o++) {
        all = all && !bundle->output[o].unjudged;
    }
    return all;
}

bool bundle_is_one(const char *path)
{
    char start[4] = "";
    struct error error;
    FILE *file = input_open(path, &error);
    bool zip = file && fread(start, 1, 4, file) == 4 && memcmp(start, "PK\x03\x04", 4) == 0;
    if (file) {
        fclose(file);
    }
    return zip;
}

/* --- arrays: the same functions read and write, so that both agree */

struct array {
    const char *stem;
    int number;
    const char *descr;
    const struct shape *shape;
    void **bytes; /* reading: allocated by the callback where *bytes is NULL */
    size_t size;
};

typedef bool visit(void *user, const struct array *array, struct error *error);

static bool visit_output(struct bundle_output *output, int o, visit *each, void *user, struct error *error)
{
    const struct dtype_info *info = dtype_info(output->dtype);
    const char *wide = info->components == 2 ? "<c16" : "<f8";
    size_t elements = (size_t)shape_elements(&output->shape),
           numbers = (size_t)count_product((int64_t)elements, info->components) * sizeof(double);
    void *truth = output->truth, *tail = output->tail, *bound = output->bound, *got = output->got.data;
    const bool judged = !output->unjudged;
    bool good =
        !judged || each(user, &(struct array){"truth", o, wide, &output->shape, &truth, numbers}, error);
    output->truth = truth;
    good =
        good && (!judged ||
                 each(user, &(struct array){"truth_tail", o, wide, &output->shape, &tail, numbers}, error));
    output->tail = tail;
    if (good && output->answered) {
        size_t size = (size_t)shape_bytes(&output->shape, output->dtype);
        good =
            (!judged ||
             each(user, &(struct array){"bound", o, "<f8", &output->shape, &bound, elements * sizeof(double)},
                  error)) &&
            each(user, &(struct array){"got", o, npy_descr(output->dtype), &output->shape, &got, size},
                 error);
        output->bound = bound;
        output->got = (struct tensor){.dtype = output->dtype, .shape = output->shape, .data = got};
    }
    return good;
}

static bool visit_all(struct bundle *bundle, visit *each, void *user, struct error *error)
{
    bool good = true;
    for (int i = 0; good && i < bundle->problem.inputs.inputs; i++) {
        struct tensor *tensor = &bundle->problem.inputs.input[i];
        const json_t *input = json_array_get(json_object_get(bundle->json, "inputs"), (size_t)i);
        if (json_is_object(input)) {
            void *bytes = tensor->data;
            good = each(user,
                        &(struct array){"input", i, npy_descr(tensor->dtype), &tensor->shape, &bytes,
                                        tensor_bytes(tensor)},
                        error);
            tensor->data = bytes;
        }
    }
    for (int o = 0; good && o < bundle->outputs; o++) {
        good = visit_output(&bundle->output[o], o, each, user, error);
    }
    return good;
}

static bool add_array(void *user, const struct array *array, struct error *error)
{
    char name[48];
    size_t length;
    snprintf(name, sizeof name, "%s-%d.npy", array->stem, array->number);
    unsigned char *file = npy_pack(array->descr, array->shape, *array->bytes, array->size, &length);
    bool good =
        file ? archive_add(user, name, file, length, error) : error_set(error, "out of memory for %s", name);
    free(file);
    return good;
}

bool bundle_write(const struct bundle *bundle, const char *path, struct error *error)
{
    struct bundle arrays = *bundle; /* a copy, because visit_all sets the pointers again */
    char *text = json_dumps(bundle->json, JSON_INDENT(1) | JSON_REAL_PRECISION(17));
    struct archive_writer *writer = text ? archive_write_begin(error) : NULL;
    bool good = writer != NULL;
    good = good && archive_add(writer, "bundle.json", text, strlen(text), error) &&
           visit_all(&arrays, add_array, writer, error);
    if (writer) {
        good = archive_write_end(&writer, good ? path : NULL, error) && good;
    }
    free(text);
    return good;
}

/* --- reading */

struct opened {
    struct archive *archive;
    const char *path;
    int taken; /* number of members read so far */
};

/* Reads one array. The member's size in the archive must fit the array before anything is read. */
static bool take_array(void *user, const struct array *array, struct error *error)
{
    struct opened *opened = user;
    struct error why = {.text = ""};
    char name[48];
    snprintf(name, sizeof name, "%s-%d.npy", array->stem, array->number);
    int at = archive_find(opened->archive, name);
    unsigned char *file;
    if (at < 0) {
        return error_set(error, "%s: it has no member %s", opened->path, name);
    }
    uint64_t size = archive_member(opened->archive, at)->size;
    if (array->size > INT64_MAX - SLACK || size > array->size + SLACK || size < array->size) {
        return error_set(error, "%s: %s has %llu bytes, bundle.json promises an array of %zu", opened->path,
                         name, (unsigned long long)size, array->size);
    }
    if (!archive_read(opened->archive, at, size, &file, error)) {
        return false;
    }
    size_t start = npy_unpack(array->descr, array->shape, array->size, file, (size_t)size, &why);
    *array->bytes = start ? malloc(array->size + 1) : NULL;
    if (*array->bytes) {
        memcpy(*array->bytes, file + start, array->size);
    }
    free(file);
    opened->taken++;
    return *array->bytes ||
           error_set(error, "%s: %s: %.300s", opened->path, name, start ? "out of memory" : why.text);
}

/* Makes the operands usable: an empty array has no data, as everywhere in assay, and bools become 0 or 1. */
static void refine(struct bundle *bundle)
{
    for (int i = 0; i < bundle->problem.inputs.inputs; i++) {
        struct tensor *tensor = &bundle->problem.inputs.input[i];
        if (tensor->data && !tensor_bytes(tensor)) {
            free(tensor->data);
            tensor->data = NULL;
        }
        for (size_t k = 0; tensor->data && tensor->dtype == DTYPE_BOOL && k < tensor_bytes(tensor); k++) {
            tensor->data[k] = tensor->data[k] != 0;
        }
    }
}

bool bundle_read(const char *path, struct bundle *bundle, struct error *error)
{
    struct error why = {.text = ""};
    unsigned char *text = NULL;
    *bundle = (struct bundle){.outputs = 0};
    struct opened opened = {.archive = archive_open(path, error), .path = path, .taken = 1};
    if (!opened.archive) {
        return false;
    }
    int at = archive_find(opened.archive, "bundle.json");
    bool good = at >= 0 || error_set(error, "%s: it has no bundle.json: it is no bundle of assay", path);
    good = good && archive_read(opened.archive, at, JSON_LIMIT, &text, error);
    if (good &&
        !bundle_read_json((char *)text, (size_t)archive_member(opened.archive, at)->size, bundle, &why)) {
        /* the message quotes the file, which may contain control characters */
        char *line = text_one_line(why.text);
        good = error_set(error, "%s: bundle.json: %.400s", path, line ? line : "");
        free(line);
    }
    good = good && visit_all(bundle, take_array, &opened, error);
    if (good && opened.taken != archive_count(opened.archive)) {
        good = error_set(error, "%s: it has %d members, bundle.json speaks of %d", path,
                         archive_count(opened.archive), opened.taken);
    }
    if (good) {
        refine(bundle);
    }
    free(text);
    archive_close(&opened.archive);
    return good;
}
