/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_OPERATOR_ACCEPT_H
#define ASSAY_REFERENCE_OPERATOR_ACCEPT_H

/* The set of results that are accepted for one element, and the test whether a result is in it.
 *
 * Rules, in this order:
 *
 *    0  an operator's own acceptance set comes first;
 *    1  truth NaN: the result must be NaN;
 *    2  truth exactly ±infinity: the result must be the same infinity;
 *    3  otherwise the result is finite and within B = E_compute + u·|truth| + η of the truth; or it is the
 *       infinity of that sign where |truth| + B ≥ MAX + ulp/2; or it is MAX for a larger truth, where the
 *       rounding direction is open;
 *    4  where subnormals may be flushed: the union (never the hull) of the sets at x and at x flushed to ±0;
 *    5  where the truth is a signed zero, the result has that sign, unless the operator leaves it open;
 *    6  overflow of a naive intermediate is a failure where the operator's contract is overflow-safe, and a
 *       finding of class RANGE where the profile declares naive intermediates (op_range_finding);
 *    7  conventions (sgn of NaN) are the profile's;
 *    8  complex: |result − truth| ≤ B normwise; special values component by component;
 *    9  a copied value keeps every bit, the payload of a NaN too;
 *   10  an operation that rounds once, under declared rounding to nearest: only the truth rounded to nearest,
 *       ties to even; with rule 4 also that of flushed operands, and zero where |truth| is below the least
 *       normal (tininess may be detected before or after rounding).
 *
 * Pure functions of their arguments. */

#include "reference/operator/profile.h"
#include "reference/operator/truth.h"

enum { ACCEPT_NAN = 1, ACCEPT_POSITIVE_INFINITY = 2, ACCEPT_NEGATIVE_INFINITY = 4 };
enum { ZERO_POSITIVE = 1, ZERO_NEGATIVE = 2, ZERO_ANY = 3 };
/* The most alternatives that an operator has: clamp_ under open rounding with flushed operands has 2·5, a
 * complex sgn 2·2·3. */
enum { ACCEPT_SETS_MAX = 16 };

enum accept_rule { /* the rule that judged a result; printed with a failure */
                   RULE_OPERATOR = 0,
                   RULE_NAN = 1,
                   RULE_INFINITY = 2,
                   RULE_BOUND = 3,
                   RULE_FLUSH = 4,
                   RULE_ZERO_SIGN = 5,
                   RULE_RANGE = 6,
                   RULE_CONVENTION = 7,
                   RULE_COMPLEX = 8,
                   RULE_PAYLOAD = 9,
                   RULE_ROUNDED = 10,
                   RULE_ENVELOPE = 11 /* beyond the error of independent rounding:
                                         reference/operator/envelope.h */
};

/* One alternative of an acceptance set. For a real element only component[0] counts. */
struct accept_set {
    struct {
        unsigned special; /* ACCEPT_… bits */
        bool finite;      /* finite results near `centre` are accepted */
        struct value centre;
        unsigned zero; /* ZERO_… bits: the signs that a zero result may have */
    } component[2];
    double radius;         /* B, absolute; normwise over both components when complex */
    bool unbounded_below;  /* every result ≤ centre + radius is accepted (numerically singular logdet) */
    enum accept_rule rule; /* the rule that a result outside this set breaks */
};

struct accept {
    enum dtype dtype;
    int sets;        /* ≥ 1; a result must lie in one of them */
    bool incomplete; /* there were more than ACCEPT_SETS_MAX alternatives: the judge must not refuse a
                        result */
    struct accept_set set[ACCEPT_SETS_MAX];
};

struct accept_verdict {
    bool accepted;
    enum accept_rule rule; /* when refused */
    /* The least |got − centre|/B over the alternatives. 0 where the result equals the truth or B is infinite;
     * infinity where B = 0 and the result is wrong, or where a special value differs. */
    double error_over_bound;
};

/* Makes the set of rules 1–3, 5 and 8 for a truth value (two values when complex) and E_compute. For an
 * integer dtype E_compute counts steps: the numbers of the dtype from truth − E to truth + E are accepted,
 * without u·|truth| and η (quantization has E = 1 in its tie band). */
void accept_default(struct accept *accept, enum dtype dtype, const struct profile *profile,
                    const struct value *truth, double compute_error);

/* Makes the set of an operation on a real dtype that rounds its exact result once (rule 10). Where the
 * profile declares rounding to nearest for the dtype and for the type in which it is computed, only the
 * rounded truth is accepted (B = 0); else this is accept_default with E = 0. The truth must be exact, or so
 * precise that no midpoint of the dtype lies within its error. */
void accept_rounded(struct accept *accept, enum dtype dtype, const struct profile *profile,
                    const struct value *truth);

/* accept_rounded for a conversion. Where the profile says that conversions into 16-bit formats go through
 * float32, the result of rounding twice is accepted as well. */
void accept_converted(struct accept *accept, enum dtype dtype, const struct profile *profile,
                      const struct value *truth);

/* Widens the set for an element at which an intermediate of a legal order of operations may overflow: NaN and
 * the infinities are accepted as well. Where rounding is open for the dtype or its accumulation type, every
 * result is accepted, because MAX may replace an infinity. */
void accept_overflowed(struct accept *accept, const struct profile *profile);

/* Accepts a zero of either sign in every alternative, for a real dtype. */
void accept_any_zero(struct accept *accept);

/* Adds an alternative that accepts exactly the number x (rule 4). */
void accept_also(struct accept *accept, double x);

/* Adds every alternative of `other` (rule 4), except those that accept the same results as one already
 * present, whatever their rule. */
void accept_union(struct accept *accept, const struct accept *other);

/* Judges one element, given as the bytes of its dtype. Where double arithmetic cannot decide (error over
 * bound within 2^-40 of 1), MPFR decides. */
struct accept_verdict accept_judge(const struct accept *accept, const void *got);

const char *accept_rule_text(enum accept_rule rule); /* one sentence, for reports */
const char *accept_rule_name(enum accept_rule rule); /* e.g. "bound"; failures are grouped by it */

#endif
