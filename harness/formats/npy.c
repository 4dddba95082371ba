/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/formats/npy.h"
#include "reports/records/input.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { HEADER_MAX = 1 << 16 };
_Static_assert(RANK_MAX == 8, "a message below says so");

static const struct {
    const char *descr;
    enum dtype dtype;
} types[] = {{"<f2", DTYPE_FLOAT16},   {"<f4", DTYPE_FLOAT32}, {"<f8", DTYPE_FLOAT64},
             {"<c8", DTYPE_COMPLEX64}, {"|i1", DTYPE_INT8},    {"|u1", DTYPE_UINT8},
             {"<i4", DTYPE_INT32},     {"<i8", DTYPE_INT64},   {"|b1", DTYPE_BOOL}};

/* Returns what follows 'key': in the header's Python dictionary, without blanks; NULL when the key is
 * missing. */
static const char *value_of_key(const char *header, const char *key)
{
    char quoted[32];
    snprintf(quoted, sizeof quoted, "'%s'", key);
    const char *at = strstr(header, quoted);
    at = at ? at + strlen(quoted) : NULL;
    at = at ? at + strspn(at, " ") : NULL;
    return at && *at == ':' ? at + 1 + strspn(at + 1, " ") : NULL;
}

/* Returns NULL, or what is wrong with the shape. */
static const char *parse_shape(const char *text, struct shape *shape)
{
    static const char form[] = "its shape is no tuple of whole numbers";
    *shape = (struct shape){.rank = 0};
    if (!text) {
        return "its header has no shape";
    }
    if (*text++ != '(') {
        return form;
    }
    int64_t most = 1;
    for (text += strspn(text, " "); *text != ')';) {
        char *end;
        errno = 0;
        long long dim = strtoll(text, &end, 10);
        if (end == text || dim < 0) {
            return form;
        }
        if (shape->rank == RANK_MAX) {
            return "it has more than 8 dimensions; save a.reshape(…) of at most 8";
        }
        shape->dim[shape->rank++] = dim;
        most = count_product(most, dim ? dim : 1); /* also counts the other dimensions of an empty array */
        if (errno || count_product(most, 16) == INT64_MAX) {
            return "its header claims more elements than any memory holds";
        }
        text = end + strspn(end, " ");
        if (*text == ',') {
            text += 1 + strspn(text + 1, " ");
        } else if (*text != ')') {
            return form;
        }
    }
    return NULL;
}

/* Refuses a type: names it, and says what to save instead. */
static bool refuse_descr(const char *path, const char *descr, struct error *error)
{
    static const char known[] = "<f2 <f4 <f8 <c8 |i1 |u1 <i4 <i8 |b1";
    if (!descr || *descr != '\'') {
        return error_set(error, "%s: %s; read are plain arrays of %s", path,
                         descr && *descr == '[' ? "it holds records" : "its header has no descr", known);
    }
    char found[24];
    snprintf(found, sizeof found, "%.*s", (int)strcspn(descr + 1, "'"), descr + 1);
    /* ml_dtypes' arrays are saved under this type */
    if (strcmp(found, "<V2") == 0 || strcmp(found, "|V2") == 0) {
        return error_set(error,
                         "%s: its descr is '%s', two bytes of no type: bfloat16 has none here; save it "
                         "as safetensors, or a.astype('<f4') and round with --dtype bfloat16",
                         path, found);
    }
    if (strcmp(found, "|O") == 0) {
        return error_set(error,
                         "%s: it holds pickled Python objects (descr '|O'), which can run code when they are "
                         "read; save an array of numbers, a.astype('<f4')",
                         path);
    }
    /* Types without their byte order, each with the advice and what it changes. */
    static const struct {
        const char *type, *advice;
    } advices[] = {
        {"f2", "save a.astype('<f2') instead"},
        {"f4", "save a.astype('<f4') instead"},
        {"f8", "save a.astype('<f8') instead"},
        {"f16", "a.astype('<f8') rounds it to float64"},
        {"c8", "save a.astype('<c8') instead"},
        {"c16", "a.astype('<c8') rounds both parts to float32"},
        {"c32", "a.astype('<c8') rounds both parts to float32"},
        {"i2", "save a.astype('<i4') instead"},
        {"i4", "save a.astype('<i4') instead"},
        {"i8", "save a.astype('<i8') instead"},
        {"u2", "save a.astype('<i4') instead"},
        {"u4", "save a.astype('<i8') instead"},
        {"u8",
         "a.astype('<i8') holds its numbers only where all are below 2^63: greater ones turn negative"}};
    const char *advice = "save an array of one of those types";
    for (size_t t = 0; found[0] && t < sizeof advices / sizeof *advices; t++) {
        advice = strcmp(found + 1, advices[t].type) == 0 ? advices[t].advice : advice;
    }
    return error_set(error, "%s: its descr is '%s', none of %s; %s", path, found, known, advice);
}

static bool parse_header(const char *path, const char *header, struct npy_layout *layout, struct error *error)
{
    const char *descr = value_of_key(header, "descr"), *order = value_of_key(header, "fortran_order");
    bool known = false;
    for (size_t t = 0; descr && !known && t < sizeof types / sizeof *types; t++) {
        size_t length = strlen(types[t].descr);
        if (*descr == '\'' && strncmp(descr + 1, types[t].descr, length) == 0 && descr[length + 1] == '\'') {
            layout->dtype = types[t].dtype;
            known = true;
        }
    }
    if (!known) {
        return refuse_descr(path, descr, error);
    }
    if (!order || (strncmp(order, "True", 4) != 0 && strncmp(order, "False", 5) != 0)) {
        return error_set(error, "%s: its header has no fortran_order", path);
    }
    layout->fortran = *order == 'T';
    const char *fault = parse_shape(value_of_key(header, "shape"), &layout->shape);
    return !fault || error_set(error, "%s: %s", path, fault);
}

/* Refuses a file that does not begin as a .npy file does: a file of torch's or a pickle with the way to
 * convert it. torch.save writes a zip archive that begins with NAME/data.pkl; before version 1.6 it wrote
 * pickles. */
static bool refuse_foreign(FILE *file, const char *path, struct error *error)
{
    unsigned char start[512] = {0};
    const char *dot = strrchr(path, '.');
    rewind(file);
    size_t got = fread(start, 1, sizeof start, file), named = start[26] | (size_t)start[27] << 8;
    bool zip = got > 30 && memcmp(start, "PK\3\4", 4) == 0,
         pickle = start[0] == 0x80 && start[1] >= 2 && start[1] <= 5,
         torch =
             (dot && (strcmp(dot, ".pt") == 0 || strcmp(dot, ".pth") == 0)) ||
             (zip && named >= 8 && named <= got - 30 && memcmp(start + 30 + named - 8, "data.pkl", 8) == 0) ||
             (pickle && memcmp(start + 2, "\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19", 12) == 0);
    if (torch) {
        return error_set(
            error,
            "%.100s: a file of torch.save is a pickle, which can run code when it is read; convert it:\n"
            "  x = torch.load(\"%.100s\", map_location=\"cpu\").detach()\n"
            "  numpy.save(\"x.npy\", x.numpy())\n"
            "bfloat16: safetensors.torch.save_file({\"x\": x}, \"x.safetensors\") as the second line",
            path, path);
    }
    if (pickle) {
        return error_set(
            error,
            "%s: it is a Python pickle, which can run code when it is read; load it in Python and "
            "write its array with numpy.save(\"x.npy\", array)",
            path);
    }
    if (zip) {
        return error_set(error, "%s: it is a zip archive; if numpy.savez wrote it, rename it to .npz", path);
    }
    return error_set(error, "%s: it does not begin as a .npy file does; write one with numpy.save", path);
}

/* Reads the header's text into `header`. */
static bool read_header(FILE *file, const char *path, char header[HEADER_MAX + 1], struct error *error)
{
    unsigned char start[12];
    if (fread(start, 1, 10, file) != 10 || memcmp(start, "\x93NUMPY", 6) != 0) {
        return refuse_foreign(file, path, error);
    }
    if (start[6] < 1 || start[6] > 3) {
        return error_set(error, "%s: .npy version %d is not known; 1 to 3 are", path, start[6]);
    }
    size_t length = (size_t)start[8] | (size_t)start[9] << 8;
    bool good = true;
    if (start[6] > 1) {
        good = fread(start + 10, 1, 2, file) == 2;
        length |= good ? (size_t)start[10] << 16 | (size_t)start[11] << 24 : 0;
    }
    if (length > HEADER_MAX) {
        return error_set(error, "%s: its header is longer than 64 KiB", path);
    }
    if (!good || fread(header, 1, length, file) != length) {
        return error_set(error, "%s: it ends within its header", path);
    }
    header[length] = '\0';
    return true;
}

/* Checks the file's size before memory is allocated, because a header may claim anything. */
static bool check_size(FILE *file, const char *path, const struct npy_layout *layout, struct error *error)
{
    long at = ftell(file);
    if (at < 0 || fseek(file, 0, SEEK_END) != 0) {
        return error_set(error, "%s: its length is unknown; give a regular file", path);
    }
    long have = ftell(file) - at, want = (long)shape_bytes(&layout->shape, layout->dtype);
    if (have < want) {
        return error_set(error, "%s: it is cut short: %ld of the %ld bytes that its header promises", path,
                         have, want);
    }
    if (have > want) {
        return error_set(error, "%s: it goes on for %ld bytes behind the %ld of its array; save one array",
                         path, have - want, want);
    }
    return fseek(file, at, SEEK_SET) == 0 || error_set(error, "%s: %s", path, strerror(errno));
}

struct view npy_fortran(enum dtype dtype, const struct shape *shape)
{
    struct view view = {.dtype = dtype, .shape = *shape};
    int64_t stride = 1;
    for (int d = 0; d < shape->rank; d++) {
        view.stride[d] = stride;
        stride = count_product(stride, shape->dim[d] > 0 ? shape->dim[d] : 1);
    }
    return view;
}

/* Returns the shape of the stored elements: in Fortran order that of the transpose. */
static struct shape stored_shape(const struct npy_layout *layout)
{
    struct shape stored = layout->shape;
    for (int d = 0; layout->fortran && d < stored.rank; d++) {
        stored.dim[d] = layout->shape.dim[stored.rank - 1 - d];
    }
    return stored;
}

/* Makes the tensor from the stored elements, which it takes over. */
static bool turn(const struct npy_layout *layout, struct tensor *raw, struct tensor *tensor)
{
    if (!layout->fortran) {
        *tensor = *raw;
        return true;
    }
    const struct view turned = npy_fortran(raw->dtype, &layout->shape);
    bool good = tensor_gather(tensor, &turned, raw->data);
    tensor_destroy(raw);
    return good;
}

static bool read_elements(FILE *file, const struct npy_layout *layout, struct tensor *tensor)
{
    const struct shape stored = stored_shape(layout);
    struct tensor raw;
    if (!tensor_create(&raw, layout->dtype, &stored)) {
        return false;
    }
    if (fread(raw.data, 1, tensor_bytes(&raw), file) != tensor_bytes(&raw)) {
        tensor_destroy(&raw);
        return false;
    }
    return turn(layout, &raw, tensor);
}

bool npy_take(const struct npy_layout *layout, const unsigned char *bytes, struct tensor *tensor)
{
    const struct shape stored = stored_shape(layout);
    struct tensor raw;
    *tensor = (struct tensor){.data = NULL};
    if (!tensor_create(&raw, layout->dtype, &stored)) {
        return false;
    }
    if (tensor_bytes(&raw)) {
        memcpy(raw.data, bytes + layout->data, tensor_bytes(&raw));
    }
    return turn(layout, &raw, tensor);
}

static bool read_layout(FILE *file, const char *path, struct npy_layout *layout, struct error *error)
{
    char *header = malloc(HEADER_MAX + 1);
    bool good = header || error_set(error, "%s: out of memory", path);
    good = good && read_header(file, path, header, error) && parse_header(path, header, layout, error);
    free(header);
    long at = good ? ftell(file) : 0;
    layout->data = at > 0 ? (size_t)at : 0;
    return good;
}

bool npy_describe(const unsigned char *start, size_t size, const char *name, struct npy_layout *layout,
                  struct error *error)
{
    *layout = (struct npy_layout){.data = 0};
    FILE *file = size ? fmemopen((void *)(uintptr_t)start, size, "rb") : NULL;
    if (!file) {
        return error_set(error, "%s: %s", name, size ? "out of memory" : "it is empty");
    }
    bool good = read_layout(file, name, layout, error);
    fclose(file);
    return good;
}

bool npy_read(const char *path, struct tensor *tensor, struct error *error)
{
    bool fortran;
    return npy_read_order(path, tensor, &fortran, error);
}

bool npy_read_order(const char *path, struct tensor *tensor, bool *fortran, struct error *error)
{
    *fortran = false;
    *tensor = (struct tensor){.data = NULL};
    FILE *file = input_open(path, error);
    if (!file) {
        return false;
    }
    struct npy_layout layout = {.data = 0};
    bool good = false;
    if (read_layout(file, path, &layout, error) && check_size(file, path, &layout, error)) {
        good = read_elements(file, &layout, tensor) ||
               error_set(error, "%s: it cannot be read, or its %lld bytes do not fit in memory", path,
                         (long long)shape_bytes(&layout.shape, layout.dtype));
    }
    *fortran = layout.fortran;
    fclose(file);
    return good;
}
