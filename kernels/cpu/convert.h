/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_KERNELS_CPU_CONVERT_H
#define ASSAY_KERNELS_CPU_CONVERT_H

/* One element into another dtype, as the CPU backend does it: by one conversion of the language, into the 16-bit
 * formats as half.h rounds. Of one dtype the bytes. Not between complex64 and others. */

#include "kernels/cpu/cpu_backend.h"

void cpu_convert(enum dtype from, const unsigned char *source, enum dtype to, unsigned char *target);

/* An integer or a bool, and back: modulo 2^bits, a bool 0 or 1. */
int64_t cpu_integer_at(enum dtype dtype, const unsigned char *from);
void cpu_put_integer(enum dtype dtype, unsigned char *to, int64_t x);

#endif
