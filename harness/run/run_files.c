/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/run/run_files.h"

#include "harness/host/output.h"
#include "harness/options/files.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const struct {
    const char *name;
    enum report_format format;
} reports[] = {{"junit.xml", REPORT_JUNIT},
               {"parity.md", REPORT_MARKDOWN},
               {"parity.csv", REPORT_CSV},
               {"parity.html", REPORT_HTML}};
enum { REPORTS = sizeof reports / sizeof *reports };

/* Joins the report's directory and the name. A path that is too long is cut, and opening it fails. */
static void in_report(const struct run_files *files, const char *name, char path[PATH_MAX])
{
    if (snprintf(path, PATH_MAX, "%s/%s", files->report, name) >= PATH_MAX) {
        path[PATH_MAX - 1] = 0;
    }
}

bool run_files_check(const struct run_files *files, struct error *error)
{
    const char *outputs[] = {files->results, files->junit};
    const char *const names[] = {"--results", "--junit"};
    char path[PATH_MAX];
    for (int o = 0; o < 2; o++) {
        if (outputs[o] && strcmp(outputs[o], "-") == 0) {
            return error_set(error, "%s -: the standard output carries the summary; give a file", names[o]);
        }
        if (outputs[o] && files->baseline && output_same(outputs[o], files->baseline)) {
            return error_set(error, "%s and --baseline are both %s", names[o], outputs[o]);
        }
        for (int r = 0; outputs[o] && files->report && r < REPORTS; r++) {
            in_report(files, reports[r].name, path);
            if (output_same(outputs[o], path) && !(o == 1 && reports[r].format == REPORT_JUNIT)) {
                return error_set(error, "%s %s is a file that --report writes; give another file", names[o],
                                 outputs[o]);
            }
        }
    }
    if (files->report) {
        in_report(files, "results.jsonl", path);
        if (files->junit && output_same(files->junit, path)) {
            return error_set(error, "--junit %s would overwrite the records of --report: give another file",
                             files->junit);
        }
        if (files->baseline && output_same(files->baseline, path)) {
            return error_set(error, "--baseline %s would be overwritten by the records of --report",
                             files->baseline);
        }
    }
    for (int r = 0; files->report && files->baseline && r < REPORTS; r++) {
        in_report(files, reports[r].name, path);
        if (output_same(files->baseline, path)) {
            return error_set(error, "--baseline %s is a file that --report writes: give another folder",
                             files->baseline);
        }
    }
    if (files->results && files->junit && output_same(files->results, files->junit)) {
        return error_set(error, "--results and --junit are both %s", files->junit);
    }
    return true;
}

/* Locks the report's directory itself, because the files in it are replaced one by one. */
static bool lock_report(struct run_files *files, struct error *error)
{
    char inside[PATH_MAX];
    in_report(files, "results.jsonl", inside);
    files->folder_made = access(files->report, F_OK) != 0;
    if (!output_make_parents(inside)) {
        return error_set(error, "cannot write %s: %s", inside, strerror(errno));
    }
    files->folder = open(files->report, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    files->busy = files->folder >= 0 && !output_lock(files->folder, files->report, error);
    return !files->busy;
}

bool run_files_open(struct run_files *files, struct error *error)
{
    char path[PATH_MAX];
    if (files->report && !lock_report(files, error)) {
        return false;
    }
    if (!files->results && !files->report) {
        return true;
    }
    if (!files->results) {
        in_report(files, "results.jsonl", path);
    }
    bool good = results_file_open(&files->to, files->results ? files->results : path, error);
    files->busy = files->to.busy;
    return good;
}

void run_files_close(struct run_files *files)
{
    results_file_drop(&files->to);
    if (files->folder_made) {
        rmdir(files->report); /* fails, as it should, unless the directory is empty */
    }
    if (files->folder >= 0) {
        close(files->folder);
        files->folder = -1;
    }
}

static void remove_file(const char *path)
{
    struct stat status;
    if (lstat(path, &status) == 0 && S_ISREG(status.st_mode)) {
        unlink(path);
    }
}

/* True if the records go to --results and are also to be copied into the report; `path` is then the copy's
 * place. */
static bool has_two(const struct run_files *files, char path[PATH_MAX])
{
    if (!files->results || !files->report) {
        return false;
    }
    in_report(files, "results.jsonl", path);
    return !output_same(path, files->results);
}

bool run_files_begin(struct run_files *files, struct error *error)
{
    char path[PATH_MAX];
    for (int r = 0; r < REPORTS && files->report; r++) {
        in_report(files, reports[r].name, path);
        remove_file(path);
    }
    if (has_two(files, path)) {
        remove_file(path);
    }
    if (files->junit) {
        remove_file(files->junit);
    }
    return !files->to.file || results_file_empty(&files->to, error);
}

static bool shown(bool good, const struct error *error)
{
    if (!good) {
        options_fault("%s", error->text);
    }
    return good;
}

/* Checks that the path still leads to the directory that this run has locked. */
static bool check_folder(const struct run_files *files, struct error *error)
{
    struct stat open, named;
    return files->folder < 0 || fstat(files->folder, &open) != 0 ||
           (stat(files->report, &named) == 0 && named.st_dev == open.st_dev && named.st_ino == open.st_ino) ||
           error_set(error, "%s was removed or replaced during the run", files->report);
}

bool run_files_write(struct run_files *files, const struct results *results,
                     const struct summary_options *options)
{
    char path[PATH_MAX];
    struct error error = {.text = ""};
    bool good = shown(check_folder(files, &error), &error);
    good = (!files->to.file || shown(results_file_close(&files->to, &error), &error)) && good;
    if (has_two(files, path)) {
        good = shown(files_write_results(path, results, &error), &error) && good;
    }
    for (int r = 0; r < REPORTS && files->report; r++) {
        in_report(files, reports[r].name, path);
        good = shown(files_write_report(path, reports[r].format, results, options, &error), &error) && good;
    }
    if (files->junit) {
        good =
            shown(files_write_report(files->junit, REPORT_JUNIT, results, options, &error), &error) && good;
    }
    return good;
}
