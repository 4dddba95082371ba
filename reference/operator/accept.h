/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_OPERATOR_ACCEPT_H
#define ASSAY_REFERENCE_OPERATOR_ACCEPT_H

/* What is accepted as the result for one element, and whether a result is in it.
 *
 * Rules, in this order:
 *   0  an operator's own acceptance set comes first;
 *   1  truth NaN: the result must be NaN;
 *   2  truth exactly ±infinity: the same infinity;
 *   3  otherwise finite within B = E_compute + u·|truth| + η; or the infinity of that sign where
 *      |truth| + B ≥ MAX + ulp/2; MAX for a larger truth only where the rounding direction is open;
 *   4  where subnormals may be flushed: the union (never the hull) of the sets at x and at x flushed to ±0;
 *   5  where the truth is a zero with a sign, the result has that sign, unless the operator leaves it open;
 *   6  overflow of a naive intermediate is a failure where the operator's contract is overflow-safe, and a
 *      finding of class RANGE where the profile declares naive intermediates (op_range_finding);
 *   7  conventions (sgn of NaN) are the profile's;
 *   8  complex: |result − truth| ≤ B normwise; special values component by component;
 *   9  what is copied keeps every bit, the payload of a NaN too;
 *  10  one operation that rounds once, under declared rounding to nearest: the truth rounded to nearest, ties
 * to even, and no other number; with rule 4, that of flushed operands, and zero where |truth| is below the
 *      least normal (tininess may be found before or after rounding).
 *
 * Pure functions of their arguments. */

#include "reference/operator/profile.h"
#include "reference/operator/truth.h"

enum { ACCEPT_NAN = 1, ACCEPT_POSITIVE_INFINITY = 2, ACCEPT_NEGATIVE_INFINITY = 4 };
enum { ZERO_POSITIVE = 1, ZERO_NEGATIVE = 2, ZERO_ANY = 3 };
/* Most that an operator makes: clamp_ under open rounding with flushed operands, twice 5; a complex sgn,
 * twice 2 times 3. */
enum { ACCEPT_SETS_MAX = 16 };

enum accept_rule { /* which rule a result was held against; printed with a failure */
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
                   RULE_ENVELOPE = 11 /* beyond what independent rounding errs: reference/operator/envelope.h */
};

/* One alternative. For a real element component[0] alone counts. */
struct accept_set {
    struct {
        unsigned special; /* ACCEPT_… bits */
        bool finite;      /* finite results near `centre` are accepted */
        struct value centre;
        unsigned zero; /* ZERO_… bits: signs that a zero result may carry */
    } component[2];
    double radius;         /* B, absolute; over both components normwise when complex */
    bool unbounded_below;  /* every result ≤ centre + radius is accepted (numerically singular logdet) */
    enum accept_rule rule; /* the rule that a result outside this set breaks */
};

struct accept {
    enum dtype dtype;
    int sets;        /* ≥ 1; a result must lie in one of them */
    bool incomplete; /* more alternatives than ACCEPT_SETS_MAX: nothing may be refused, the judge says so */
    struct accept_set set[ACCEPT_SETS_MAX];
};

struct accept_verdict {
    bool accepted;
    enum accept_rule rule; /* when refused */
    double error_over_bound; /* least |got − centre|/B over the sets: 0 where got is exact, infinity where B = 0 and got
                  is wrong or where a special value differs */
};

/* The set of rules 1–3, 5 and 8 for a truth value (two of them when complex) and E_compute. Of an integer
 * dtype, whose truth is one of its numbers, the numbers of the dtype from truth − E to truth + E: no
 * u·|truth|, no η (quantization in its tie band: E = 1). */
void accept_default(struct accept *accept, enum dtype dtype, const struct profile *profile,
                    const struct value *truth, double compute_error);

/* The set of an operation that rounds its exact result once (rule 10), of a real dtype: where the profile
 * declares rounding to nearest, of the dtype and of the type that it is computed in, B is 0 around the
 * rounded truth; else accept_default with E = 0. The truth must be exact, or so close that no midpoint lies
 * between. */
void accept_rounded(struct accept *accept, enum dtype dtype, const struct profile *profile,
                    const struct value *truth);

/* The same for a conversion: where the profile says that conversions into 16-bit formats go through float32,
 * what that gives is accepted as well. */
void accept_converted(struct accept *accept, enum dtype dtype, const struct profile *profile,
                      const struct value *truth);

/* Where an intermediate of a legal order of operations may leave the range: NaN and the infinities are
 * accepted as well, and everything where the rounding of the accumulation type is open, so that MAX may stand
 * for an infinity. */
void accept_overflowed(struct accept *accept, const struct profile *profile);

/* Leaves the sign of a zero open in every alternative, of a real dtype. */
void accept_any_zero(struct accept *accept);

/* Adds the number x, to the bit, as an alternative (rule 4). */
void accept_also(struct accept *accept, double x);

/* Adds every alternative of `other` (rule 4). Equal alternatives are kept once: those that judge alike,
 * whatever rule they are held against. */
void accept_union(struct accept *accept, const struct accept *other);

/* Judges one element, given as the bytes of its dtype. A comparison whose outcome double arithmetic leaves in
 * doubt
 * (|ν − 1| < 2^-40) is decided in MPFR. */
struct accept_verdict accept_judge(const struct accept *accept, const void *got);

const char *accept_rule_text(enum accept_rule rule); /* one sentence, for reports */
const char *accept_rule_name(enum accept_rule rule); /* "bound": failures are grouped by it */

#endif
