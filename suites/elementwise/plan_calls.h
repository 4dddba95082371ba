/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_SUITES_ELEMENTWISE_PLAN_CALLS_H
#define ASSAY_SUITES_ELEMENTWISE_PLAN_CALLS_H

/* The functions that the forms of element-wise operators give to the plan of sizes (suites/plan/form.h). */

#include "suites/plan/call_builder.h"

void elementwise_build_signs(const struct call_builder *m);
void elementwise_build_square(const struct call_builder *m);
void elementwise_build_unary(const struct call_builder *m);
void elementwise_build_mapped(const struct call_builder *m);
int64_t elementwise_measure_mapped(const struct program *program, const struct step *step,
                                   enum plan_kind kind);
bool elementwise_broadcasts(const struct op *op, int operand);
void elementwise_build_middle(struct builder *b, int turn);
void elementwise_restrict_to_domain(struct builder *b, int operand, const struct view *x);
int64_t elementwise_channels(const struct op *op, const struct step *step);
void elementwise_prepare_turn(const struct plan_operator *planned, struct plan_call *call, int64_t n);

#endif
