/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_KERNELS_CPU_CONVERT_H
#define ASSAY_KERNELS_CPU_CONVERT_H

/* Conversions of one element between dtypes, for the CPU backend. */

#include "kernels/cpu/cpu_backend.h"

/* Converts an element by one conversion of C, or, to the 16-bit formats, by one rounding of half.h; copies
 * the bytes if the dtypes are equal. Complex64 converts only to complex64. */
void cpu_convert(enum dtype from, const unsigned char *source, enum dtype to, unsigned char *target);

/* Load and store an element of an integer dtype or bool. Storing takes x modulo 2^bits; a bool is 0 or 1. */
int64_t cpu_integer_at(enum dtype dtype, const unsigned char *from);
void cpu_put_integer(enum dtype dtype, unsigned char *to, int64_t x);

#endif
