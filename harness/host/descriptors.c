/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/host/descriptors.h"

#include <errno.h>
#include <unistd.h>

bool descriptor_write(int to, const void *bytes, size_t size)
{
    for (const unsigned char *at = bytes; size > 0;) {
        ssize_t done = write(to, at, size);
        if (done == 0 || (done < 0 && errno != EINTR)) {
            return false;
        }
        at += done > 0 ? done : 0;
        size -= done > 0 ? (size_t)done : 0;
    }
    return true;
}

bool descriptor_read(int from, void *bytes, size_t size)
{
    for (unsigned char *at = bytes; size > 0;) {
        ssize_t done = read(from, at, size);
        if (done == 0 || (done < 0 && errno != EINTR)) {
            return false;
        }
        at += done > 0 ? done : 0;
        size -= done > 0 ? (size_t)done : 0;
    }
    return true;
}
