/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REPORTS_PAGE_PAGE_H
#define ASSAY_REPORTS_PAGE_PAGE_H

/* The parity page in two parts, before and behind its data; embed.sh generates it from the files beside this
 * one. */

#include <stddef.h>

extern const unsigned char page_before[], page_after[];
extern const size_t page_before_size, page_after_size;

#endif
