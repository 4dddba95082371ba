/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_TEST_PROGRAMS_FAULTY_MEMORY_H
#define ASSAY_HARNESS_TEST_PROGRAMS_FAULTY_MEMORY_H

/* An allocator that is only counted: every storage of a program is a block, rounded as ASSAY_TEST_PROCEDURE
 * says. rounds    to powers of two, and nothing is wrong hoards    five times what is asked for swells    and
 * one byte for every pair of rows more stingy    refuses what would fit: more than half of the limit */

#include "reference/program/backend.h"

bool counted_memory(void); /* whether the environment asks for one */

/* Takes the program's blocks and gives them back. False when they do not fit: the first step says so. */
bool counted_run(const struct program *program, struct backend_run *run);
void counted_usage(struct backend_memory *memory);
void counted_empty(void);
void counted_limit(uint64_t bytes);

/* ASSAY_TEST_PROCEDURE=short: programs of more than 64 KiB are out of memory, and no limit is known. True
 * where the program has been answered so. */
bool short_of_memory(const struct program *program, struct backend_run *run);

#endif
