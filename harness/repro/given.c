/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/repro/given.h"
#include "harness/exec/profile_file.h"
#include "harness/formats/collection.h"
#include "harness/formats/npy.h"
#include "suites/build.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* --- one tensor */

static bool read_member(const char *path, const char *name, struct tensor *tensor, struct error *error)
{
    struct collection from;
    char list[200];
    bool good = collection_open(&from, path, error);
    int i = good && name ? collection_find(&from, name) : 0;
    if (good && (i < 0 || (!name && from.count != 1))) {
        collection_list(&from, list, sizeof list);
        good = error_set(error, "%s: name one of its tensors, as in --got %s:NAME; it holds %s", path, path,
                         list);
    }
    good = good && collection_read(&from, i, tensor, error);
    collection_close(&from);
    return good;
}

static bool read_tensor(const char *word, struct tensor *tensor, struct error *error)
{
    char file[PATH_MAX];
    const char *name;
    return collection_split(word, file, sizeof file, &name) ? read_member(file, name, tensor, error)
                                                            : npy_read(word, tensor, error);
}

/* Converts the tensor to the result's dtype, which must hold each of its numbers. */
static bool convert(struct tensor *tensor, enum dtype dtype, const char *word, struct error *error)
{
    struct tensor other;
    const struct dtype_info *to = dtype_info(dtype), *from = dtype_info(tensor->dtype);
    if (tensor->dtype == dtype) {
        return true;
    }
    if (from->components != to->components) {
        return error_set(error, "--got %s: it is %s, the result of this call is %s", word, from->name,
                         to->name);
    }
    if (!tensor_create(&other, dtype, &tensor->shape)) {
        return error_set(error, "--got %s: out of memory", word);
    }
    const int64_t components = shape_elements(&tensor->shape) * to->components;
    const size_t size = dtype_info(to->component)->size;
    for (int64_t k = 0; k < components; k++) {
        const double x = tensor_component(tensor, k);
        dtype_store(to->component, other.data + (size_t)k * size, x);
        const double y = tensor_component(&other, k);
        if (!(x == y || (x != x && y != y))) {
            tensor_destroy(&other);
            return error_set(error,
                             "--got %s: it is %s and holds %.9g, which is no number of %s, the dtype of this "
                             "call's result; give the result as it was computed",
                             word, from->name, x, to->name);
        }
    }
    tensor_destroy(tensor);
    *tensor = other;
    return true;
}

static bool read_result(const char *word, const struct view *judged, struct bundle_output *output,
                        struct error *error)
{
    char is[SHAPE_TEXT], wanted[SHAPE_TEXT];
    *output = (struct bundle_output){
        .dtype = judged->dtype, .shape = judged->shape, .answered = true, .unjudged = true};
    if (!read_tensor(word, &output->got, error)) {
        return false;
    }
    if (!shape_equal(&output->got.shape, &judged->shape)) {
        shape_print(&output->got.shape, is, sizeof is);
        shape_print(&judged->shape, wanted, sizeof wanted);
        return error_set(error, "--got %s: it has the shape %s, the result of this call %s", word, is,
                         wanted);
    }
    return convert(&output->got, judged->dtype, word, error);
}

/* --- all of them */

static bool read_all(const struct texts *files, const struct step *step, struct bundle *bundle,
                     struct error *error)
{
    struct view judged[TRUTH_OUTPUTS_MAX];
    const int count = step_judged(step, judged);
    if (files->count != count) {
        return error_set(error,
                         "%s has %d result%s to judge, --got is given %d time%s; in-place operators have "
                         "their operands as they are after the call",
                         step->op->name, count, count == 1 ? "" : "s", files->count,
                         files->count == 1 ? "" : "s");
    }
    for (int o = 0; o < count; o++) {
        if (op_result_is_counted(step->op, o)) {
            return error_set(error, "--got: the length of a result of %s depends on its operands; give a -b",
                             step->op->name);
        }
        bundle->outputs++;
        if (!read_result(files->text[o], &judged[o], &bundle->output[o], error)) {
            return false;
        }
    }
    return true;
}

bool repro_given_read(struct repro *repro, struct bundle *bundle, struct error *error)
{
    const struct repro_files *files = repro->files;
    struct program *program = suite_build(&repro->c, 1, error);
    *bundle = (struct bundle){.outputs = 0};
    bundle->json = json_pack("{s:{s:s, s:s}}", "header", "device", "given with --got", "driver", "");
    bool good =
        program && (bundle->json || error_set(error, "out of memory")) &&
        read_all(&files->got, &program->step[0], bundle, error) &&
        profile_file_read(files->profile ? files->profile : "opencl", repro->op, &bundle->hello, error);
    bundle->profiled = good;
    program_destroy(&program);
    return good;
}
