/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_KERNELS_CPU_SPECIAL_H
#define ASSAY_KERNELS_CPU_SPECIAL_H

/* What C's library has not, in long double. erfinv: NaN beyond ±1, ±∞ there. digamma: −∞ at 0, ∞ at −0, NaN
 * at negative integers and −∞. */

long double cpu_erfinv(long double x);
long double cpu_digamma(long double x);

#endif
