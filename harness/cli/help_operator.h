/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_CLI_HELP_OPERATOR_H
#define ASSAY_HARNESS_CLI_HELP_OPERATOR_H

#include "harness/options/options.h"

/* `assay help operator NAME`: what assay knows of one operator. The exit status. */
int help_operator(const char *name);

/* `assay list --operators [GLOB…]`: one line for each operator whose name or family matches a pattern, with
 * its operands, results and attributes. The exit status. */
int help_list_operators(const struct texts *globs);

#endif
