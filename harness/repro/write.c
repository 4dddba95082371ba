/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/repro/write.h"
#include "harness/formats/npy.h"
#include "harness/repro/repro_parts.h"
#include "reference/program/slices.h"

#include <dirent.h>
#include <stdlib.h>
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

/* --- a large result, as its slices are judged */

enum { ARRAYS = 5 };
static const char *const stems[ARRAYS] = {"truth", "truth_tail", "radius", "bound"}; /* then the results */

struct slices_files {
    struct npy_writer writer[ARRAYS];
    char name[ARRAYS][160], path[ARRAYS][4096];
    bool wanted[ARRAYS];
    struct error error;
};

static bool add_part(void *user, const struct value_tensor *part)
{
    struct slices_files *files = user;
    const double *const numbers[ARRAYS] = {part->truth, part->tail, part->radius, part->bound, part->got};
    bool good = true;
    for (int n = 0; good && n < ARRAYS; n++) {
        int64_t count = n == 3 ? shape_elements(&part->shape) : value_components(part);
        good = !files->wanted[n] || npy_writer_add(&files->writer[n], numbers[n], count, &files->error);
    }
    return good;
}

/* Writes truth, bound and results slice by slice, so that memory holds one slice. `got`: NULL: no results. */
static void write_slices(const struct repro *repro, const struct program *program,
                         const struct program_truth *truth, const struct images *images,
                         const struct profile *profile, const char *got, struct repro_written *written)
{
    const struct view *judged = &program_truth_slices(truth, 0)->judged;
    const int components = dtype_info(judged->dtype)->components;
    struct slices_files *files = calloc(1, sizeof *files);
    bool good = files != NULL;
    for (int n = 0; good && n < ARRAYS; n++) {
        files->wanted[n] = n < 4 ? repro->first : got != NULL;
        file_name(n < 4 ? stems[n] : got ? got : "", 1, 0, files->name[n], sizeof files->name[n]);
        good = !files->wanted[n] ||
               (path_of(repro->files->output_dir, files->name[n], files->path[n], &files->error) &&
                npy_writer_begin(&files->writer[n], files->path[n], n == 3 ? 1 : components, &judged->shape,
                                 &files->error));
    }
    if (good && !values_in_slices(program, truth, images, profile, add_part, files)) {
        good = files->error.text[0] ? false
                                    : error_set(&files->error, "out of memory for the files of --output-dir");
    }
    for (int n = 0; files && n < ARRAYS; n++) {
        if (files->wanted[n] && files->path[n][0]) {
            bool put = npy_writer_end(&files->writer[n], good, &files->error);
            note(written, put, files->name[n], &files->error);
        }
    }
    if (!files) {
        snprintf(written->fault, sizeof written->fault, "out of memory for the files of --output-dir");
    } else if (!good && !written->fault[0]) {
        memcpy(written->fault, files->error.text, sizeof written->fault);
    }
    free(files);
}

/* Writes the same of a result that is small, or is to be compared with that of another backend. */
static void write_whole(struct repro *repro, const struct program *program, const struct program_truth *truth,
                        const struct images *images, const struct profile *profile, bool valued,
                        bool to_files, struct repro_written *written)
{
    struct values values;
    if (!values_take(&values, program, truth, images, profile)) {
        snprintf(written->fault, sizeof written->fault, "out of memory for the files of --output-dir");
    } else if (repro->setup.values && valued) {
        values_save(&values, repro->setup.values);
    }
    if (to_files && !written->fault[0]) {
        repro_write_values(&values, repro->files->output_dir, valued ? repro->got : NULL, repro->first,
                           written);
    }
    values_clear(&values);
}

void repro_write(struct repro *repro, const struct program *program, const struct program_truth *truth,
                 const struct images *images, const struct profile *profile)
{
    struct repro_written written = {.names = repro->written};
    const bool valued = repro_has_values(&repro->record),
               to_files = repro->files->output_dir && !repro->no_files;
    if (to_files && repro->first) {
        repro_write_inputs(program, repro->files->output_dir, &written);
    }
    if (program_truth_slices(truth, 0) && !repro->setup.values) {
        write_slices(repro, program, truth, images, profile, valued ? repro->got : NULL, &written);
    } else {
        write_whole(repro, program, truth, images, profile, valued, to_files, &written);
    }
    memcpy(repro->unwritten, written.fault, sizeof repro->unwritten);
}
