/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_SHRINK_SHRINK_H
#define ASSAY_HARNESS_SHRINK_SHRINK_H

/* Finds the smallest problem that still fails by the same rule: delta debugging (Zeller and Hildebrandt,
 * "Simplifying and isolating failure-inducing input", IEEE Trans. Softw. Eng. 28 (2002)) over operands that
 * may be left out, the dimensions that the shape rule ties together, layouts, attributes and values.
 *
 * A smaller problem replaces the present one if status, rule and hypothesis are the same as at first, its
 * error is at least four times its limit (or the square root of what the first problem had, if that is less),
 * and an error of a tenth would still be detected; so the result is neither marginal nor vacuous. A crash
 * must end in the same way; a hang must give no answer within the time that candidates have. Candidates are
 * tried in one fixed order, so that only the clock can make two results differ. */

#include "harness/shrink/trials.h"

struct shrunk {
    struct problem problem; /* to be cleared by the caller */
    struct outcome before, after;
    int tried, taken; /* number of problems asked, and of those that became the best */
    double seconds;
    bool late;  /* the time was up before the search was complete */
    bool fresh; /* each problem was asked in a fresh process, because the first result did not fail in one */
};

/* Searches for at most `seconds`, and as long again if the result does not fail in a fresh process. Returns
 * false with the reason if the problem does not fail or could not be asked. trials->wanted_rule is valid only
 * while this function runs. */
bool shrink_problem(struct trials *trials, const struct problem *from, double seconds, struct shrunk *shrunk,
                    struct error *error);

/* Writes the sizes of a problem: "order 64, batch 4", with the names of the plan of sizes; shapes where it
 * has no names. */
void shrink_sizes(const struct problem *problem, char *text, size_t size);

#endif
