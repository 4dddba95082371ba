/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_SUITES_LINALG_PLAN_PRODUCTS_H
#define ASSAY_SUITES_LINALG_PLAN_PRODUCTS_H

/* How the plan of sizes calls and measures products of matrices, of the families linalg and amp. */

#include "suites/plan/call_builder.h"

/* Builds a call of matmul, linear, both under autocast, or mv. */
void product_call_build(const struct call_builder *m);
int64_t product_call_measure(const struct program *program, const struct step *step, enum plan_kind kind);
int64_t product_call_work(const struct plan_choice *choice);
void product_call_prepare_turn(const struct plan_operator *planned, struct plan_call *call, int64_t n);

/* Initialises the members of their struct plan_form. */
#define PRODUCT_FORM                                                                                         \
    .places = true, .budget = {.least = 2048, .times = 8, .plus = 8, .beyond_large = true},                  \
    .work = product_call_work, .measure = product_call_measure, .transposes = true,                          \
    .prepare_turn = product_call_prepare_turn

#define PRODUCT_AXES PLAN_FLAT, PLAN_AXIS(BATCH, 0, 65537), PLAN_AXIS(TERMS, 0, 65537)

#endif
