/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reference/base/error.h"

#include <stdarg.h>
#include <stdio.h>

bool error_set(struct error *error, const char *format, ...)
{
    if (error) {
        va_list arguments;
        va_start(arguments, format);
        vsnprintf(error->text, sizeof error->text, format, arguments);
        va_end(arguments);
    }
    return false;
}
