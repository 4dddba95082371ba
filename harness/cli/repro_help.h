/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_CLI_REPRO_HELP_H
#define ASSAY_HARNESS_CLI_REPRO_HELP_H

/* The text and the examples of `assay repro --help`. */

extern const char repro_about[], repro_examples[];

#endif
