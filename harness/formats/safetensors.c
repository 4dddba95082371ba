/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/formats/collection_parts.h"
#include "reports/records/input.h"

#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Format (huggingface/safetensors, README): the header's length as 8 little-endian bytes; the header in JSON,
 * {"NAME": {"dtype", "shape", "data_offsets": [begin, end]}, …, "__metadata__": {…}}; then the numbers,
 * row-major, little-endian and without gaps. A header has at most 100 MB, as in the authors' own reader. */

enum { HEADER_MOST = 100000000, LENGTH_BYTES = 8 };

static const struct {
    const char *name;
    enum dtype dtype;
} types[] = {{"F64", DTYPE_FLOAT64},   {"F32", DTYPE_FLOAT32},   {"F16", DTYPE_FLOAT16},
             {"BF16", DTYPE_BFLOAT16}, {"C64", DTYPE_COMPLEX64}, {"I64", DTYPE_INT64},
             {"I32", DTYPE_INT32},     {"I8", DTYPE_INT8},       {"U8", DTYPE_UINT8},
             {"BOOL", DTYPE_BOOL}};

_Static_assert(RANK_MAX == 8, "a message below says so");

static char *fault(const char *form, const char *what)
{
    char text[256], printable[201];
    snprintf(text, sizeof text, form, collection_printable(what, printable));
    return strdup(text);
}

/* Returns NULL, or why this tensor cannot be read. `broken`: a fault of the whole file. */
static char *describe(struct collection_entry *entry, const json_t *object, const char **broken)
{
    const char *type = json_string_value(json_object_get(object, "dtype"));
    const json_t *shape = json_object_get(object, "shape"),
                 *offsets = json_object_get(object, "data_offsets");
    const json_t *begin = json_array_get(offsets, 0), *end = json_array_get(offsets, 1);
    if (!type || !json_is_array(shape) || json_array_size(offsets) != 2 || !json_is_integer(begin) ||
        !json_is_integer(end)) {
        *broken = "has no dtype, shape or data_offsets of the right form";
        return NULL;
    }
    entry->at = json_integer_value(begin);
    entry->bytes = json_integer_value(end) - entry->at;
    if (entry->at < 0 || json_integer_value(end) < entry->at) {
        *broken = "has data_offsets that are no range";
        return NULL;
    }
    bool known = false;
    for (size_t t = 0; t < sizeof types / sizeof *types && !known; t++) {
        known = strcmp(type, types[t].name) == 0;
        entry->dtype = types[t].dtype;
    }
    int64_t elements = 1;
    size_t rank = json_array_size(shape);
    for (size_t d = 0; d < rank; d++) {
        const json_t *dim = json_array_get(shape, d);
        if (!json_is_integer(dim) || json_integer_value(dim) < 0) {
            *broken = "has a shape that is no list of whole numbers";
            return NULL;
        }
        elements = count_product(elements, json_integer_value(dim));
        if (d < RANK_MAX) {
            entry->shape.dim[d] = json_integer_value(dim);
        }
    }
    if (!known) {
        return fault("its dtype is %s; read are F64 F32 F16 BF16 C64 I64 I32 I8 U8 BOOL", type);
    }
    if (rank > RANK_MAX) {
        return fault("%s", "it has more than 8 dimensions; save a view of at most 8");
    }
    entry->shape.rank = (int)rank;
    if (count_product(elements, (int64_t)dtype_info(entry->dtype)->size) != entry->bytes) {
        *broken = "has another number of bytes than its shape and dtype take";
    }
    return NULL;
}

static int by_place(const void *a, const void *b)
{
    const struct collection_entry *const *x = a, *const *y = b;
    int64_t order = (*x)->at != (*y)->at ? (*x)->at - (*y)->at : (*x)->bytes - (*y)->bytes;
    return (order > 0) - (order < 0);
}

/* Checks that each byte from the header's end to the file's end belongs to exactly one tensor. */
static bool check_places(const struct collection *collection, int64_t bytes, struct error *error)
{
    const struct collection_entry **sorted = calloc((size_t)collection->count + 1, sizeof *sorted);
    int64_t at = 0;
    bool good = sorted || error_set(error, "%s: out of memory", collection->path);
    for (int i = 0; good && i < collection->count; i++) {
        sorted[i] = &collection->entry[i];
    }
    if (good) {
        qsort(sorted, (size_t)collection->count, sizeof *sorted, by_place);
    }
    for (int i = 0; good && i < collection->count; i++) {
        char name[201];
        if (sorted[i]->at != at) {
            good =
                error_set(error, "%s: its tensor %s begins at byte %" PRId64 " of the numbers, %s %" PRId64,
                          collection->path, collection_printable(sorted[i]->name, name), sorted[i]->at,
                          sorted[i]->at < at ? "within another that ends at" : "behind a hole from", at);
        } else if (sorted[i]->bytes > bytes - at) {
            good = error_set(
                error, "%s: it is cut short: its tensor %s ends behind the %" PRId64 " bytes of numbers",
                collection->path, collection_printable(sorted[i]->name, name), bytes);
        }
        at += good ? sorted[i]->bytes : 0;
    }
    if (good && at != bytes) {
        good = error_set(error, "%s: it goes on for %" PRId64 " bytes behind its last tensor",
                         collection->path, bytes - at);
    }
    free(sorted);
    return good;
}

static bool take_header(struct collection *collection, const json_t *header, int64_t data, int64_t bytes,
                        struct error *error)
{
    const char *name;
    json_t *object;
    collection->entry = calloc(json_object_size(header) + 1, sizeof *collection->entry);
    if (!collection->entry) {
        return error_set(error, "%s: out of memory", collection->path);
    }
    json_object_foreach((json_t *)(uintptr_t)header, name, object)
    {
        const char *broken = NULL;
        char printable[201];
        if (strcmp(name, "__metadata__") == 0) {
            continue;
        }
        struct collection_entry *entry = &collection->entry[collection->count++];
        entry->name = strdup(name);
        entry->fault = describe(entry, object, &broken);
        if (!entry->name) {
            return error_set(error, "%s: out of memory", collection->path);
        }
        if (broken) {
            return error_set(error, "%s: its tensor %s %s", collection->path,
                             collection_printable(name, printable), broken);
        }
    }
    if (!check_places(collection, bytes, error)) {
        return false;
    }
    for (int i = 0; i < collection->count; i++) {
        collection->entry[i].at += data;
    }
    return true;
}

/* Reads the header's length. Returns false if the file is shorter. */
static bool read_length(const struct collection *collection, int64_t file_bytes, size_t *length,
                        struct error *error)
{
    unsigned char start[LENGTH_BYTES];
    uint64_t claimed = 0;
    if (fread(start, 1, sizeof start, collection->file) != sizeof start) {
        return error_set(error, "%s: it is no safetensors file: shorter than the length of its header",
                         collection->path);
    }
    for (int b = LENGTH_BYTES; b-- > 0;) {
        claimed = claimed << 8 | start[b];
    }
    if (claimed > HEADER_MOST) {
        return error_set(
            error, "%s: it is no safetensors file: its header would have %" PRIu64 " bytes, more than 100 MB",
            collection->path, claimed);
    }
    *length = (size_t)claimed;
    return (int64_t)claimed <= file_bytes - LENGTH_BYTES ||
           error_set(error, "%s: it ends within its header of %" PRIu64 " bytes", collection->path, claimed);
}

bool safetensors_open(struct collection *collection, struct error *error)
{
    struct stat status;
    size_t length = 0;
    collection->file = input_open(collection->path, error);
    if (!collection->file) {
        return false;
    }
    if (fstat(fileno(collection->file), &status) != 0) {
        return error_set(error, "%s: %s", collection->path, strerror(errno));
    }
    if (!read_length(collection, status.st_size, &length, error)) {
        return false;
    }
    char *text = malloc(length + 1);
    bool good = text && fread(text, 1, length, collection->file) == length;
    if (!good) {
        free(text);
        return error_set(error, "%s: its header of %zu bytes cannot be read", collection->path, length);
    }
    json_error_t why;
    json_t *header = json_loadb(text, length, JSON_REJECT_DUPLICATES, &why);
    free(text);
    if (!json_is_object(header)) {
        char printable[201];
        error_set(error, "%s: its header is no JSON object%s%s", collection->path, header ? "" : ": ",
                  header ? "" : collection_printable(why.text, printable));
        json_decref(header);
        return false;
    }
    int64_t data = LENGTH_BYTES + (int64_t)length;
    good = take_header(collection, header, data, status.st_size - data, error);
    json_decref(header);
    return good;
}

bool safetensors_read(struct collection *collection, const struct collection_entry *entry,
                      struct tensor *tensor, struct error *error)
{
    char name[201];
    collection_printable(entry->name, name);
    if (!tensor_create(tensor, entry->dtype, &entry->shape)) {
        return error_set(error, "%s:%s: its %" PRId64 " bytes do not fit in memory", collection->path, name,
                         entry->bytes);
    }
    if (fseeko(collection->file, (off_t)entry->at, SEEK_SET) != 0 ||
        fread(tensor->data, 1, (size_t)entry->bytes, collection->file) != (size_t)entry->bytes) {
        tensor_destroy(tensor);
        return error_set(error, "%s:%s: it cannot be read", collection->path, name);
    }
    return true;
}
