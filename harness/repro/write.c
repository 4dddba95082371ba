/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/repro/write.h"
#include "harness/formats/npy.h"
#include "harness/repro/repro_parts.h"

#include <dirent.h>
#include <string.h>
#include <unistd.h>

static void file_name(const char *stem, int tensors, int judged, char *name, size_t size)
{
    if (tensors > 1) {
        snprintf(name, size, "%s-%d.npy", stem, judged);
    } else {
        snprintf(name, size, "%s.npy", stem);
    }
}

/* Notes a file that was written, or the first fault. */
static void note(struct repro_written *written, bool good, const char *name, const struct error *error)
{
    if (good) {
        json_array_append_new(written->names, json_string(name));
    } else if (!written->fault[0]) {
        memcpy(written->fault, error->text, sizeof written->fault);
    }
}

static bool path_of(const char *directory, const char *name, char path[4096], struct error *error)
{
    return snprintf(path, 4096, "%s/%s", directory, name) < 4096 ||
           error_set(error, "%s/%s: the path is too long", directory, name);
}

void repro_write_values(const struct values *values, const char *directory, const char *got, bool truth,
                        struct repro_written *written)
{
    for (int t = 0; t < values->count; t++) {
        const struct value_tensor *tensor = &values->tensor[t];
        const int components = dtype_info(tensor->dtype)->components;
        const struct {
            const char *stem;
            int components;
            const double *numbers;
        } array[] = {{truth ? "truth" : NULL, components, tensor->truth},
                     {truth ? "truth_tail" : NULL, components, tensor->tail},
                     {truth ? "radius" : NULL, components, tensor->radius},
                     {truth ? "bound" : NULL, 1, tensor->bound},
                     {got, components, tensor->got}};
        for (int n = 0; n < 5; n++) {
            char name[160], path[4096];
            struct error error = {.text = ""};
            if (!array[n].stem) {
                continue;
            }
            file_name(array[n].stem, values->count, t, name, sizeof name);
            note(written,
                 path_of(directory, name, path, &error) &&
                     npy_write(path, array[n].components, &tensor->shape, array[n].numbers, &error),
                 name, &error);
        }
    }
}

/* --- inputs */

void repro_write_inputs(const struct program *program, const char *directory, struct repro_written *written)
{
    for (int s = 0; s < program->steps; s++) {
        const struct step *step = &program->step[s];
        for (int i = 0; i < step->inputs; i++) {
            const struct view *view = &step->input[i];
            char name[64], path[4096];
            struct tensor tensor = {.data = NULL};
            struct error error = {.text = ""};
            if (view->storage < 0 || !storage_defines(&program->storage[view->storage], view)) {
                continue;
            }
            if (program->steps == 1) {
                snprintf(name, sizeof name, "input-%d.npy", i);
            } else {
                snprintf(name, sizeof name, "input-%d-%d.npy", s, i);
            }
            bool good = tensor_gather(&tensor, view, program->storage[view->storage].data) ||
                        error_set(&error, "out of memory for %s", name);
            note(written,
                 good && path_of(directory, name, path, &error) && npy_write_tensor(path, &tensor, &error),
                 name, &error);
            tensor_destroy(&tensor);
        }
    }
}

/* Skips one "-NUMBER" if the text begins with it. */
static const char *skip_number(const char *text)
{
    size_t digits = text[0] == '-' ? strspn(text + 1, "0123456789") : 0;
    return digits ? text + 1 + digits : text;
}

void repro_write_clear(const char *directory, const char *stem)
{
    DIR *folder = opendir(directory);
    struct dirent *entry;
    size_t length = strlen(stem);
    while (folder && (entry = readdir(folder))) {
        char path[4096];
        if (strncmp(entry->d_name, stem, length) == 0 &&
            strcmp(skip_number(skip_number(entry->d_name + length)), ".npy") == 0 &&
            path_of(directory, entry->d_name, path, NULL)) {
            unlink(path);
        }
    }
    if (folder) {
        closedir(folder);
    }
}

void repro_write(struct repro *repro, const struct program *program, const struct program_truth *truth,
                 const struct images *images, const struct profile *profile)
{
    struct values values;
    struct repro_written written = {.names = repro->written};
    bool valued = repro_has_values(&repro->record);
    if (!values_take(&values, program, truth, images, profile)) {
        snprintf(repro->unwritten, sizeof repro->unwritten, "out of memory for the files of --output-dir");
    } else if (repro->setup.values && valued) {
        values_save(&values, repro->setup.values);
    }
    if (repro->files->output_dir && !repro->unwritten[0]) {
        if (repro->first) {
            repro_write_inputs(program, repro->files->output_dir, &written);
        }
        repro_write_values(&values, repro->files->output_dir, valued ? repro->got : NULL, repro->first,
                           &written);
        memcpy(repro->unwritten, written.fault, sizeof repro->unwritten);
    }
    values_clear(&values);
}
