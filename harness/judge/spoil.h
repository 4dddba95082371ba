/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_JUDGE_SPOIL_H
#define ASSAY_HARNESS_JUDGE_SPOIL_H

#include "harness/judge/memory/images.h"

/* The negative control: spoils the last judged element of the last step that has one, alike in every run, so
 * that only the comparison with the truth can notice. No step reads what the last one writes, so the truths
 * of observed steps stay as they are. False if the case has no value to spoil. */
bool spoil_results(const struct program *program, const struct images *images, int runs);

#endif
