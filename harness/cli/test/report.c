/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* The parity table of real runs: its formats agree, the page compares with an earlier release. */
#include "harness/test/trial.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

TestSuite(report, .init = trial_begin, .fini = trial_end, .timeout = 900);

/* Writes the three formats of these results files, and compares them cell by cell (same_cells.py). Returns
 * the number of cells; *listed is the number of them that Markdown has room for. */
static int compare_formats(const char *files, int *listed)
{
    static const char *const formats[] = {"html", "csv", "markdown"};
    char command[300], said[4096] = "";
    int cells = 0, differences = -1, fields;
    for (int f = 0; f < 3; f++) {
        trial_run("report %s --format %s -o FOLDER/%s", files, formats[f], formats[f]);
        cr_assert_eq(trial->status, 0, "%s", trial->output);
    }
    snprintf(command, sizeof command, "python3 reports/test/same_cells.py %s/html %s/csv %s/markdown 2>&1",
             trial->folder, trial->folder, trial->folder);
    FILE *reader = popen(command, "r");
    said[fread(said, 1, sizeof said - 1, reader)] = 0;
    cr_expect_eq(pclose(reader), 0, "%s: %s", files, said);
    fields = sscanf(said + strspn(said, "\n"),
                    "%d cells, %d of them in Markdown, %*d mixed, %*d of them with counts "
                    "in Markdown: %d differences",
                    &cells, listed, &differences);
    cr_expect(fields == 3 && differences == 0, "%s: %s", files, said);
    return cells;
}

Test(report, html_csv_and_markdown_of_a_run_agree)
{
    static const char *const backends[] = {"cpu", "vulkan"};
    int listed;
    trial_needs_python();
    for (int b = 0; b < 2; b++) {
        trial_run("run to vector_norm softmax celu --level smoke --backend %s --results FOLDER/%s --quiet",
                  backends[b], backends[b]);
        cr_assert_eq(trial->status, 0, "%s", trial->output);
    }
    int cells = compare_formats("FOLDER/cpu FOLDER/vulkan", &listed);
    cr_expect(cells > 20 && listed == cells, "%d cells, %d in Markdown", cells, listed);
}

/* The first Python that has the module; NULL: none. */
static const char *python_with(const char *module)
{
    const char *const candidates[] = {"build/adapters/bin/python", getenv("ASSAY_PYTHON"), "python3",
                                      "/usr/bin/python3"};
    char command[300];
    for (size_t c = 0; c < sizeof candidates / sizeof *candidates; c++) {
        snprintf(command, sizeof command, "'%s' -c 'import %s' 2>/dev/null",
                 candidates[c] ? candidates[c] : "false", module);
        if (candidates[c] && system(command) == 0) {
            return candidates[c];
        }
    }
    return NULL;
}

/* Smoke runs of five backends, together and each alone. What is not installed is left out and named. */
Test(report, the_formats_agree_on_five_backends_takes_seconds)
{
    static const struct {
        const char *selector, *module;
    } backends[] = {{"vulkan", NULL},
                    {"cpu", NULL},
                    {"torch:cpu", "torch"},
                    {"array:numpy", "numpy"},
                    {"onnx:cpu", "onnxruntime"}};
    char files[400] = "", lacking[100] = "";
    int listed;
    trial_needs_python();
    for (int b = 0; b < 5; b++) {
        const char *python = backends[b].module ? python_with(backends[b].module) : "python3";
        if (!python) {
            snprintf(lacking + strlen(lacking), sizeof lacking - strlen(lacking), " %s", backends[b].module);
            continue;
        }
        setenv("ASSAY_PYTHON", python, 1);
        trial_run("run --level smoke --backend %s --no-rerun --results FOLDER/%d --quiet",
                  backends[b].selector, b);
        cr_assert(trial->status == 0 || trial->status == 1, "%s", trial->output);
        char file[20];
        snprintf(file, sizeof file, "FOLDER/%d", b);
        int cells = compare_formats(file, &listed);
        cr_expect(cells > 700 && listed == cells, "%s: %d cells, %d in Markdown", backends[b].selector, cells,
                  listed);
        snprintf(files + strlen(files), sizeof files - strlen(files), " %s", file);
    }
    compare_formats(files + 1, &listed);
    if (*lacking) {
        cr_skip_test("no Python here has%s: those backends are left out", lacking);
    }
}

Test(report, the_page_has_a_title_and_an_earlier_release)
{
    trial_run("run sgn --level smoke --backend faulty --name lib --results FOLDER/old --quiet");
    trial_faults("wrong %s", trial_id("elementwise/sgn/float32/*", 0));
    trial_run("run sgn --level smoke --backend faulty --name lib --results FOLDER/new --quiet");
    trial_expect(1, "1 failed");
    trial_run_expect(0, "", "report FOLDER/new --format html --title two --before FOLDER/old -o FOLDER/page");
    char command[300];
    snprintf(command, sizeof command,
             "grep -q '{\"title\":\"two\",' %s/page && grep -q "
             "'\"before\":{\"backends\":\\[{\"name\":\"lib\"' %s/page",
             trial->folder, trial->folder);
    cr_expect_eq(system(command), 0);
    trial_run_expect(2, "nothere", "report FOLDER/new --format html --before FOLDER/nothere");
    trial_run_expect(2, "--before: this option needs --format html",
                     "report FOLDER/new --format csv --before FOLDER/old");
    trial_run_expect(2, "--title: this option needs --format html",
                     "report FOLDER/new --format text --title two");
    trial_run_expect(2, "is one of the results files",
                     "report FOLDER/new --before FOLDER/old --format html -o FOLDER/old");
}
