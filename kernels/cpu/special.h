/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_KERNELS_CPU_SPECIAL_H
#define ASSAY_KERNELS_CPU_SPECIAL_H

/* Functions that the C library lacks, in long double. cpu_erfinv returns ±∞ at ±1 and NaN beyond. cpu_digamma
 * returns −∞ at 0, ∞ at −0, and NaN at the negative integers and −∞. */

long double cpu_erfinv(long double x);
long double cpu_digamma(long double x);

#endif
