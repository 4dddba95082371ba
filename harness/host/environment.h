/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_HOST_ENVIRONMENT_H
#define ASSAY_HARNESS_HOST_ENVIRONMENT_H

/* Describes what a result depends on besides the code, in the header of a results file. */

#include "reference/program/backend.h"
#include "reports/records/record.h"

/* Fills assay, commit, started, os, cpu, memory and the environment variables that change what a driver does.
 */
void environment_host(struct record_header *header);

/* Fills device, driver, api, device memory, what the backend offers, and the profile as pairs of name and
 * value. */
void environment_device(struct record_header *header, const struct backend_info *info);

/* Returns the command line, "assay run linalg/logdet --backend vulkan", quoted for a shell where needed;
 * owned by the caller. */
char *environment_command(int argc, char **argv);

/* Appends one word, quoted for a shell where needed, after a space unless the text is empty. */
void environment_quote(char *text, size_t size, const char *word);

#endif
