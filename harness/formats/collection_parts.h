/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_FORMATS_COLLECTION_PARTS_H
#define ASSAY_HARNESS_FORMATS_COLLECTION_PARTS_H

/* The two formats behind harness/formats/collection.h: npz.c and safetensors.c. */

#include "harness/formats/collection.h"

bool npz_open(struct collection *collection, struct error *error);
bool npz_read(struct collection *collection, const struct collection_entry *entry, struct tensor *tensor,
              struct error *error);
bool safetensors_open(struct collection *collection, struct error *error);
bool safetensors_read(struct collection *collection, const struct collection_entry *entry,
                      struct tensor *tensor, struct error *error);

/* Copies `text` with "?" for control characters, at most 200 bytes. */
const char *collection_printable(const char *text, char printable[201]);

#endif
