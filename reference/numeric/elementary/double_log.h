/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_NUMERIC_ELEMENTARY_DOUBLE_LOG_H
#define ASSAY_REFERENCE_NUMERIC_ELEMENTARY_DOUBLE_LOG_H

/* Returns log x for finite x > 0, computed by + − × ÷ only, so that every machine gets the same bits. The
 * relative error is below 2^-49, and log 1 is 0. */
double double_log(double x);

#endif
