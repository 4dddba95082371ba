/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/cli/files.h"

#include "harness/cli/nearest.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

bool files_make_parents(const char *path)
{
    char folder[PATH_MAX];
    if (!path[0] || (size_t)snprintf(folder, sizeof folder, "%s", path) >= sizeof folder) {
        return false;
    }
    for (char *slash = strchr(folder + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = 0;
        if (mkdir(folder, 0777) != 0 && errno != EEXIST) {
            return false;
        }
        *slash = '/';
    }
    return true;
}

FILE *files_create(const char *path, struct error *error)
{
    FILE *file = fopen(path, "we");
    if (!file && errno == ENOENT && files_make_parents(path)) {
        file = fopen(path, "we");
    }
    if (!file) {
        error_set(error, "cannot write %s: %s", path, strerror(errno));
    }
    return file;
}

bool files_close(FILE *file, const char *path, struct error *error)
{
    bool good = !ferror(file);
    if (fclose(file) != 0 || !good) {
        return error_set(error, "%s is incomplete: %s", path, strerror(errno));
    }
    return true;
}

static const char *const formats[REPORT_FORMATS] = {"junit", "markdown", "csv"};

bool files_format(const char *name, enum report_format *format, struct error *error)
{
    struct nearest nearest = {.word = name};
    for (int f = 0; f < REPORT_FORMATS; f++) {
        if (strcmp(name, formats[f]) == 0) {
            *format = (enum report_format)f;
            return true;
        }
        nearest_offer(&nearest, formats[f]);
    }
    return error_set(error, "unknown format \"%s\"; %s%s%s", name,
                     nearest.best ? "did you mean " : "there are ",
                     nearest.best ? nearest.best : "junit, markdown and csv", nearest.best ? "?" : "");
}

static bool write_report(FILE *to, enum report_format format, const struct results *results, bool strict,
                         struct error *error)
{
    switch (format) {
    case REPORT_JUNIT:
        return report_junit(to, results, strict, error);
    case REPORT_MARKDOWN:
        return report_markdown(to, results, error);
    case REPORT_CSV:
        return report_csv(to, results, error);
    case REPORT_FORMATS:
        break;
    }
    return false;
}

bool files_write_report(const char *path, enum report_format format, const struct results *results,
                        bool strict, struct error *error)
{
    if (strcmp(path, "-") == 0) {
        return write_report(stdout, format, results, strict, error) && fflush(stdout) == 0;
    }
    FILE *file = files_create(path, error);
    if (!file) {
        return false;
    }
    if (!write_report(file, format, results, strict, error)) {
        fclose(file);
        return false;
    }
    return files_close(file, path, error);
}

static int backend_rank(const struct results *results, const char *backend)
{
    int rank = 0;
    while (rank < results->headers && strcmp(results->header[rank].backend, backend) != 0) {
        rank++;
    }
    return rank;
}

struct ranked {
    struct record record;
    int rank; /* of its backend */
};

static int by_id(const void *a, const void *b)
{
    const struct ranked *x = a, *y = b;
    int order = strcmp(x->record.id, y->record.id);
    return order ? order : x->rank - y->rank;
}

void files_sort(struct results *results)
{
    struct ranked *ranked = malloc(((size_t)results->records + 1) * sizeof *ranked);
    if (!ranked) {
        return; /* the order of completion then: nothing is lost by it */
    }
    for (int i = 0; i < results->records; i++) {
        ranked[i] = (struct ranked){results->record[i], backend_rank(results, results->record[i].backend)};
    }
    qsort(ranked, (size_t)results->records, sizeof *ranked, by_id);
    for (int i = 0; i < results->records; i++) {
        results->record[i] = ranked[i].record;
    }
    free(ranked);
}
