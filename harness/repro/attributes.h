/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_REPRO_ATTRIBUTES_H
#define ASSAY_HARNESS_REPRO_ATTRIBUTES_H

/* Reads attributes from the command line, "NAME=VALUE", in the types that the operator declares: whole
 * numbers, reals ("inf", "-inf" and "nan" too), true, false, 1 or 0, and lists "4", "2,3", "[2, 3]" or "(2,
 * 3)". */

#include "harness/options/options.h"
#include "reference/operator/op.h"

/* Reads the texts. Returns false with the fault where the operator has no such attribute, or the value is not
 * of its type. */
bool repro_attributes_read(const struct op *op, const struct texts *texts, struct attributes *attributes,
                           struct error *error);

/* Gives attributes of type ATTRIBUTE_NUMBER the type that goes with the dtype of the leading input. Call it
 * once that dtype is known. Returns false with the fault where a value is not of that type. */
bool repro_attributes_resolve(const struct op *op, enum dtype leading, struct attributes *attributes,
                              struct error *error);

#endif
