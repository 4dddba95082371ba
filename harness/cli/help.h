/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_CLI_HELP_H
#define ASSAY_HARNESS_CLI_HELP_H

/* Prints the help, the manual and the completion of the whole program, from the table of its commands. */

#include "harness/cli/commands.h"

void help_print(const struct command *commands);  /* assay --help */
void help_manual(const struct command *commands); /* assay help --man: assay(1), for make install */
void help_complete(const struct command *commands,
                   const char *line); /* assay complete LINE: see harness/cli/complete.h */

#endif
