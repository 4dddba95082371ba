/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_TEST_PROGRAMS_FAULTY_MEMORY_H
#define ASSAY_HARNESS_TEST_PROGRAMS_FAULTY_MEMORY_H

/* An allocator that only counts: every storage of a program is a block, whose size ASSAY_TEST_PROCEDURE
 * changes.
 *
 *   rounds   to powers of two, which is right
 *   hoards   to five times what is requested
 *   swells   by one byte for every pair of rows
 *   stingy   not at all, but more than half of the limit is refused
 */

#include "reference/program/backend.h"

bool counted_memory(void); /* true if the environment selects one of these */

/* Takes the program's blocks and returns them. False if they do not fit; the result of the first step then
 * says so. */
bool counted_run(const struct program *program, struct backend_run *run);
void counted_usage(struct backend_memory *memory);
void counted_empty(void);
void counted_limit(uint64_t bytes);

/* ASSAY_TEST_PROCEDURE=short: programs of more than 64 KiB run out of memory, and no limit is known. True if
 * the program was answered in this way. */
bool short_of_memory(const struct program *program, struct backend_run *run);

#endif
