/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/backends/backends.h"

#include "harness/host/nearest.h"

#include <stdio.h>
#include <string.h>

extern const struct backend_class *const backend_classes[]; /* generated, NULL at the end */

const struct backend_class *backends_at(int index)
{
    for (int i = 0; backend_classes[i]; i++) {
        if (index-- == 0) {
            return backend_classes[i];
        }
    }
    for (int i = 0; backend_classes_extra && backend_classes_extra[i]; i++) {
        if (index-- == 0) {
            return backend_classes_extra[i];
        }
    }
    return NULL;
}

const struct backend_class *backends_find(const char *text, const char **selector, struct error *error)
{
    char name[64], known[256] = "";
    size_t length = strcspn(text, ":"), used = 0;
    snprintf(name, sizeof name, "%.*s", (int)length, text);
    *selector = text[length] && text[length + 1] ? text + length + 1 : NULL;
    struct nearest nearest = {.word = name};
    for (int i = 0; backends_at(i); i++) {
        if (strcmp(name, backends_at(i)->name) == 0) {
            return backends_at(i);
        }
        nearest_offer(&nearest, backends_at(i)->name);
        if (used < sizeof known) {
            used += (size_t)snprintf(known + used, sizeof known - used, "%s%s", i ? ", " : "",
                                     backends_at(i)->name);
        }
    }
    if (nearest.best) {
        error_set(error, "unknown backend \"%s\"; did you mean %s? (there are: %s)", name, nearest.best,
                  known);
    } else {
        error_set(error, "unknown backend \"%s\"; there are: %s", name, known);
    }
    return NULL;
}
