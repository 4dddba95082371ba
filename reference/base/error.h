/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_BASE_ERROR_H
#define ASSAY_REFERENCE_BASE_ERROR_H

/* An error message that travels from the function that failed to the command that prints it. It says what
 * went wrong, where, and what to do about it.
 *
 * A function that can fail takes a `struct error *`, which may be NULL, and returns false or NULL. The caller
 * owns the struct, which holds no allocation. Threads must not share one. */

#include <stdbool.h>

struct error {
    char text[512]; /* UTF-8, no trailing newline; empty = no error */
};

/* Writes the message, truncated to fit, and returns false so that callers can write `return error_set(...)`.
 */
bool error_set(struct error *error, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
