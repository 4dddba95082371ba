/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_SUITES_INPLACE_OPERANDS_H
#define ASSAY_SUITES_INPLACE_OPERANDS_H

/* Operators that write into an operand: a table of what each operand is and which is written, and data for
 * the operands. */

#include "suites/shared/update.h"

enum { WRITES_OPERANDS = 3 };

enum operand_role {
    ROLE_NONE,
    ROLE_TERM,    /* integers up to 40 in size; here and below random bits in integer dtypes */
    ROLE_FACTOR,  /* integers up to 5 in size */
    ROLE_DIVISOR, /* ±1, ±2, ±4 */
    ROLE_END,     /* an end of an interval: integers up to 15 in size */
    ROLE_WEIGHT,  /* 0, ¼, ½, ¾, 1 */
    ROLE_LOW,     /* integers from −20 to 0 */
    ROLE_HIGH,    /* integers from 0 to 20 */
    ROLE_BITS,    /* any bit pattern, signalling NaN included */
    ROLE_MASK     /* bool */
};

/* Groups of cases that an operator has, a bit each. */
enum {
    WRITES_ROUND =
        1, /* random operands, and operands whose products or sums have more digits than the dtype */
    WRITES_SPECIALS = 2, /* special values, lengths */
    WRITES_OVERFLOW = 4, /* operands near the end of the range */
    WRITES_SUBNORMALS = 8,
    WRITES_PRODUCTS = 16,  /* products of normal numbers that are subnormal */
    WRITES_CANCEL = 32,    /* operands that cancel */
    WRITES_TILES = 64,     /* a matrix and its transpose as operands */
    WRITES_FROM_ONE = 128, /* a large tensor that broadcasts one element */
    WRITES_DIVIDE = 256,   /* many quotients by one divisor */
    WRITES_LONG = 512,     /* 4,194,305 elements at level standard */
    WRITES_LONG_MORE = 1024,
    WRITES_LONGEST = 2048,
    WRITES_WINDOWS = 4096, /* windows of one storage, overlapping and disjoint */
    WRITES_INTEGERS_OPEN =
        8192,            /* no case expects integers to be refused: PyTorch lacks them but accepts the call */
    WRITES_SMOKE = 16384 /* refusals run at level smoke; of other operators at level standard */
};

struct writes {
    const char *name;
    unsigned cases; /* bits of the above */
    int operands, written;
    const char *label[WRITES_OPERANDS];
    enum operand_role role[WRITES_OPERANDS];
    unsigned dtypes;
    const char *attribute; /* the attribute that every case passes; NULL: none */
    double value;
    bool exact; /* on data of the roles every legal algorithm is exact */
};

extern const struct writes writes[];
int writes_count(void);
/* Returns NULL if the table does not have the operator. */
const struct writes *writes_find(const char *name);

enum dtype writes_dtype(const struct writes *w, enum dtype dtype, int operand);

/* Makes an operand of that shape and layout. `data` fills it; for DATA_INTEGERS, and for masks, the role of
 * the operand does. */
struct view writes_operand(struct builder *b, const struct writes *w, int operand, const struct shape *shape,
                           enum layout layout, enum data data);

/* The attribute `name` = x as PyTorch would pass it: an integer for an integer dtype, unless x is a
 * fraction. */
struct attributes writes_attribute(enum dtype dtype, const char *name, double x);

/* Appends the step with `attributes`, or with the table's attribute if NULL. The step is marked exact if
 * `exact` and the table says so. Returns NULL on a fault. */
struct step *writes_step(struct builder *b, const struct writes *w, int operands, const struct view *operand,
                         const struct attributes *attributes, bool exact);

#endif
