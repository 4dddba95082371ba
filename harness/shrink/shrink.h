/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_SHRINK_SHRINK_H
#define ASSAY_HARNESS_SHRINK_SHRINK_H

/* The smallest problem that still fails by the same rule: delta debugging (Zeller and Hildebrandt,
 * "Simplifying and isolating failure-inducing input", IEEE Trans. Softw. Eng. 28 (2002)) over operands that
 * may be left out, the dimensions that the shape rule ties together, layouts, attributes and values.
 *
 * A smaller problem takes the place of the one before where status, rule and hypothesis are the same, it is
 * beyond its limit by four times (or by the root of what the first one was, where that is less), and an error
 * of a tenth would still be seen: what is left is neither marginal nor vacuous. A crash has the same end, a
 * hang gives no answer in the time that candidates have. Everything is tried in one order, so that only the
 * clock can make two results differ. */

#include "harness/shrink/trials.h"

struct shrunk {
    struct problem problem; /* to be cleared */
    struct outcome before, after;
    int asked, taken; /* problems */
    double seconds;
    bool late;  /* the time was up before nothing more could be taken away */
    bool fresh; /* it fails so in a fresh process alone: each problem had one of its own */
};

/* Searches for `seconds` at most, and as long again where the result does not fail in a fresh process. False
 * with the reason where nothing fails, or nothing could be asked. trials->wanted_rule stays valid while
 * shrink_problem runs only. */
bool shrink_problem(struct trials *trials, const struct problem *from, double seconds, struct shrunk *shrunk,
                    struct error *error);

/* "order 64, batch 4", as the plan of sizes names the dimensions; shapes where it does not. */
void shrink_sizes(const struct problem *problem, char *text, size_t size);

#endif
