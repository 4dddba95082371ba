/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/options/files.h"
#include "harness/repro/write.h"

#include <string.h>
#include <sys/stat.h>

static bool same_name(const struct texts *backends, int a, int b, char name[2][100])
{
    const int which[] = {a, b};
    for (int n = 0; n < 2; n++) {
        snprintf(name[n], 100, "%s", backends->text[which[n]]);
        for (char *c = name[n]; *c; c++) {
            bool plain = (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') || (*c >= '0' && *c <= '9') ||
                         strchr("._-+", *c);
            *c = plain ? *c : '_';
        }
    }
    return strcmp(name[0], name[1]) == 0;
}

void repro_results_name(const struct texts *backends, int b, char got[128])
{
    char name[2][100];
    int number = 1;
    for (int a = 0; a < b; a++) {
        number += same_name(backends, a, b, name);
    }
    same_name(backends, b, b, name);
    if (number > 1) {
        snprintf(got, 128, "got-%s#%d", name[0], number);
    } else {
        snprintf(got, 128, "got-%s", name[0]);
    }
}

bool repro_folder_prepare(const char *folder, const struct texts *backends, struct error *error)
{
    char inside[1100], got[128];
    struct stat status;
    if (!folder[0] || (size_t)snprintf(inside, sizeof inside, "%s/x", folder) >= sizeof inside) {
        return error_set(error, "--output-dir %.60s: give a path of at most 1000 bytes", folder);
    }
    if (!files_make_parents(inside) || stat(folder, &status) != 0 || !S_ISDIR(status.st_mode)) {
        return error_set(error, "--output-dir %s: this is not a directory, and it cannot be created", folder);
    }
    static const char *const stems[] = {"truth", "truth_tail", "radius", "bound", "input"};
    for (size_t s = 0; s < sizeof stems / sizeof *stems; s++) {
        repro_write_clear(folder, stems[s]);
    }
    for (int b = 0; b < backends->count; b++) {
        repro_results_name(backends, b, got);
        repro_write_clear(folder, got);
    }
    return true;
}
