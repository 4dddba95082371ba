/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/cli/run_files.h"

#include "harness/files.h"
#include "harness/output.h"

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

/* DIR/name; a name too long fails when it is opened. */
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
                return error_set(error, "%s %s is a file that --report writes: give another", names[o],
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

/* The folder of a report is locked itself: its files are replaced one by one. */
static bool lock_report(struct run_files *files, struct error *error)
{
    char inside[PATH_MAX];
    in_report(files, "results.jsonl", inside);
    files->folder_made = access(files->report, F_OK) != 0;
    if (!output_make_parents(inside)) {
        return error_set(error, "cannot write %s: %s", inside, strerror(errno));
    }
    files->folder = open(files->report, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    return files->folder < 0 || output_lock(files->folder, files->report, error);
}

bool run_files_open(struct run_files *files, struct error *error)
{
    if (files->report && !lock_report(files, error)) {
        return false;
    }
    if (files->results) {
        snprintf(files->to_path, sizeof files->to_path, "%s", files->results);
    } else if (files->report) {
        in_report(files, "results.jsonl", files->to_path);
    } else {
        return true;
    }
    files->to = files_open_to_grow(files->to_path, &files->made, error);
    if (files->to && !output_lock(fileno(files->to), files->to_path, error)) {
        fclose(files->to); /* another's, whoever made it */
        files->to = NULL;
    }
    return files->to != NULL;
}

void run_files_close(struct run_files *files)
{
    if (files->to) {
        fclose(files->to);
        files->to = NULL;
        if (files->made) {
            unlink(files->to_path);
        }
    }
    if (files->folder_made) {
        rmdir(files->report); /* of a run that wrote nothing into it */
    }
    if (files->folder >= 0) {
        close(files->folder);
        files->folder = -1;
    }
}

void run_files_remove_stale(const struct run_files *files)
{
    char path[PATH_MAX];
    struct stat status;
    for (int r = 0; r <= REPORTS; r++) {
        if (r < REPORTS && files->report) {
            in_report(files, reports[r].name, path);
        } else if (r == REPORTS && files->junit) {
            snprintf(path, sizeof path, "%s", files->junit);
        } else {
            continue;
        }
        if (lstat(path, &status) == 0 && S_ISREG(status.st_mode)) {
            unlink(path);
        }
    }
}

static bool told(bool good, const struct error *error)
{
    if (!good) {
        options_fault("%s", error->text);
    }
    return good;
}

bool run_files_write(struct run_files *files, const struct results *results,
                     const struct summary_options *options)
{
    char path[PATH_MAX];
    struct error error = {.text = ""};
    bool good = !files->to || told(files_close(files->to, files->to_path, &error), &error);
    files->to = NULL;
    if (files->results && files->report) { /* --results took the records; the report has them as well */
        in_report(files, "results.jsonl", path);
        if (!output_same(path, files->results)) {
            good = told(files_write_results(path, results, &error), &error) && good;
        }
    }
    for (int r = 0; r < REPORTS && files->report; r++) {
        in_report(files, reports[r].name, path);
        good = told(files_write_report(path, reports[r].format, results, options, &error), &error) && good;
    }
    if (files->junit) {
        good = told(files_write_report(files->junit, REPORT_JUNIT, results, options, &error), &error) && good;
    }
    return good;
}
