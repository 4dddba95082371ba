/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_OPERATOR_ATTRIBUTES_H
#define ASSAY_REFERENCE_OPERATOR_ATTRIBUTES_H

/* The attributes of a call: numbers, words and lists beside its operands, with PyTorch's names. */

#include "reference/base/tensor.h"

enum { ATTRIBUTES_MAX = 12, INTEGERS_MAX = 16 };
enum { INTEGERS_TEXT = 24 * INTEGERS_MAX }; /* room for any list that is printed */

enum attribute_type {
    ATTRIBUTE_INTEGER,
    ATTRIBUTE_REAL,
    ATTRIBUTE_BOOL,
    ATTRIBUTE_INTEGERS,
    ATTRIBUTE_CHOICE, /* one of the words that the operator declares: reduction = mean, sum, none */
    /* The two types below occur only in the declaration of an operator. */
    ATTRIBUTE_NUMBER, /* INTEGER for integer operands, REAL for others */
    ATTRIBUTE_CODE    /* INTEGER: the number of a declared word elsewhere (ONNX's dtypes) */
};

/* A list of integers that need not be a shape: dimensions, paddings, a sequence of calls. Code that reads a
 * list from outside must reject more than INTEGERS_MAX. */
struct integers {
    int count;
    int64_t item[INTEGERS_MAX];
};

/* Returns a list of `count` int64_t numbers: integers_of(2, (int64_t)3, (int64_t)4). */
struct integers integers_of(int count, ...);
struct integers integers_of_shape(const struct shape *shape);
/* Converts a list to a shape. Returns false, with *shape empty, if a number is negative or there are more
 * than RANK_MAX. */
bool integers_to_shape(const struct integers *integers, struct shape *shape);

struct attribute {
    const char *name; /* PyTorch's name, e.g. "alpha"; static storage */
    enum attribute_type type;
    int64_t integer;  /* INTEGER, BOOL; for CHOICE the number of the word */
    double real;      /* REAL */
    const char *word; /* CHOICE: the declared word */
    struct integers integers;
    bool assumed; /* the call and its requests omit it: the profile's value for it */
};

struct attributes {
    int count;
    struct attribute item[ATTRIBUTES_MAX];
};

bool attributes_given(const struct attributes *attributes, const char *name); /* the call gives it */
/* Return the value of the named attribute, or `otherwise` where the call omits it. INTEGER and REAL convert
 * to each other: a real that no int64 holds gives the nearest end of the range, NaN gives 0. */
double attributes_real(const struct attributes *attributes, const char *name, double otherwise);
int64_t attributes_integer(const struct attributes *attributes, const char *name, int64_t otherwise);
/* Returns the numbers of an INTEGERS attribute; NULL where the call omits it. */
const struct integers *attributes_integers(const struct attributes *attributes, const char *name);

#endif
