/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_HOST_ENVIRONMENT_H
#define ASSAY_HARNESS_HOST_ENVIRONMENT_H

/* What a result depends on besides the code: for the header of a results file. */

#include "reference/program/backend.h"
#include "reports/records/record.h"

/* assay, commit, started, os, cpu, memory and the environment variables that change what a driver does. */
void environment_host(struct record_header *header);

/* device, driver, api, device memory, what is offered, and the profile as name/value pairs. */
void environment_device(struct record_header *header, const struct backend_info *info);

/* "assay run linalg/logdet --backend vulkan", quoted for a shell where it must be; owned by the caller. */
char *environment_command(int argc, char **argv);

/* Appends one word, quoted for a shell where it must be, with a space before it unless the text is empty. */
void environment_quote(char *text, size_t size, const char *word);

#endif
