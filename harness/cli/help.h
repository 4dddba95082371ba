/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_CLI_HELP_H
#define ASSAY_HARNESS_CLI_HELP_H

/* Prints the help, the manual and the completion of the whole program, from the table of its commands. */

#include "harness/cli/commands.h"

#include <stdbool.h>

void help_print(const struct command *commands);  /* assay --help */
void help_manual(const struct command *commands); /* assay help --man: assay(1), for make install */

/* What the pages say too (help_pages.h). */
extern const char help_examples[], help_exit_status[];
bool help_variable(int index, const char **name, const char **text); /* false behind the last one */

void help_complete(const struct command *commands,
                   const char *line); /* assay complete LINE: see harness/cli/complete.h */

#endif
