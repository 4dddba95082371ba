/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_SUITES_INPLACE_OPERANDS_H
#define ASSAY_SUITES_INPLACE_OPERANDS_H

/* The operators that write into an operand, as their suites see them: which operand is written, what each one
 * means, and data for it. */

#include "suites/shared/update.h"

enum { WRITES_OPERANDS = 3 };

enum operand_role {
    ROLE_NONE,
    ROLE_TERM,    /* integers up to 40; random bits of integer dtypes, here and below */
    ROLE_FACTOR,  /* integers up to 5 */
    ROLE_DIVISOR, /* ±1, ±2, ±4 */
    ROLE_END,     /* of an interval: integers up to 15 */
    ROLE_WEIGHT,  /* 0, ¼, ½, ¾, 1 */
    ROLE_LOW,     /* integers from −20 to 0 */
    ROLE_HIGH,    /* integers from 0 to 20 */
    ROLE_BITS,    /* any pattern, signalling NaN included */
    ROLE_MASK     /* bool */
};

/* Groups of cases that an operator is asked, a bit each. */
enum {
    WRITES_ROUND =
        1, /* random operands, and such that products or sums need more digits than the dtype has */
    WRITES_SPECIALS = 2, /* special values, lengths */
    WRITES_OVERFLOW = 4, /* operands near the end of the range */
    WRITES_SUBNORMALS = 8,
    WRITES_PRODUCTS = 16,  /* products of normal numbers that are subnormal */
    WRITES_CANCEL = 32,    /* operands that cancel */
    WRITES_TILES = 64,     /* matrices from and to their transposes */
    WRITES_FROM_ONE = 128, /* a large tensor from one element */
    WRITES_DIVIDE = 256,   /* many quotients by one divisor */
    WRITES_LONG = 512,     /* 4,194,305 elements, at level standard; at level exhaustive; 16,777,217 */
    WRITES_LONG_MORE = 1024,
    WRITES_LONGEST = 2048,
    WRITES_WINDOWS = 4096, /* windows of one storage that overlap, and that do not */
    WRITES_INTEGERS_OPEN =
        8192,            /* integers are not asked: PyTorch lacks it for them, and does not refuse them */
    WRITES_SMOKE = 16384 /* refusals at level smoke, of those that stand for all */
};

struct writes {
    const char *name;
    unsigned cases; /* bits of the above */
    int operands, written;
    const char *label[WRITES_OPERANDS];
    enum operand_role role[WRITES_OPERANDS];
    unsigned dtypes;
    const char *attribute; /* what every case passes, NULL for nothing */
    double value;
    bool exact; /* on the roles' data, every legal algorithm is exact */
};

extern const struct writes writes[];
int writes_count(void);
const struct writes *writes_find(const char *name); /* NULL where no row describes the operator */

enum dtype writes_dtype(const struct writes *w, enum dtype dtype, int operand);

/* An operand of that shape and layout with the data of its role, or of `data` where that is not DATA_INTEGERS
 * (masks stay masks). */
struct view writes_operand(struct builder *b, const struct writes *w, int operand, const struct shape *shape,
                           enum layout layout, enum data data);

/* `name` = x as PyTorch would pass it: an integer where the dtype is one. */
struct attributes writes_attribute(enum dtype dtype, const char *name, double x);

/* The step with the operator's usual attribute, or with `attributes`; marked exact where the row says so. */
struct step *writes_step(struct builder *b, const struct writes *w, int operands, const struct view *operand,
                         const struct attributes *attributes, bool exact);

#endif
