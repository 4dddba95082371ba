/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Which wrong results are accepted? Each formula of numbers is tested at each binade of an operand, with the
 * other operands of either sign, under the weakest and the strongest environment. Wrong results are 0, half,
 * twice and the negated truth, NaN, the truth + 1 and both infinities. Results that an environment's
 * specification leaves open stand in a table with the reason; each row of the table must be needed. */

#include "reference/operator/profile.h"
#include "reference/ops/elementwise/elementwise.h"
#include "reference/test/support.h"

enum { WRONG = 8, ALL_KINDS = 3, BINADES = 8192 };

static const char letters[WRONG + 1] = "0h2-n+ij"; /* of wrong[]: i and j are +inf and −inf */

/* The values of the other operands, and their negatives. AS_LARGE: 9/8 of the operand's magnitude, at most
 * the greatest number. */
#define AS_LARGE INFINITY
enum { AS_LARGE_ALONE = 4 };
static const double others[] = {1.25, 1.75, 0x1.4p-20, AS_LARGE};
enum { OTHERS = sizeof others / sizeof *others };

#define GREATEST 9999 /* an exponent that stands for the greatest number only */

/* Wrong results that may pass when operand number `operand` is x = ±1.40625·2^e with from ≤ e ≤ to, or the
 * greatest number. */
static const struct open {
    const char *op; /* its name, followed by the word of its choice */
    int operand;
    unsigned dtypes, environments; /* bits; environments 1: Vulkan, 2: libm; AS_LARGE_ALONE */
    int sign;                      /* 0: either */
    int from, to;
    const char *passes;
} open_results[] = {
#define WIDE   (1U << DTYPE_BFLOAT16 | 1U << DTYPE_FLOAT32)
#define DOUBLE (1U << DTYPE_FLOAT64)
#define ANY    "0h2-n+ij"
    /* x·(1 + erf x): the sum cancels, and the error of erf there times x is far greater than the result; for
     * float64 beyond 2^895 that error, in the scale of results below 2^-900, is no double */
    {"gelu", 0, WIDE, ALL_KINDS, -1, 2, 127, "0h2-+"},
    {"gelu", 0, DOUBLE, ALL_KINDS, -1, 4, 899, "0h2-+"},
    {"gelu", 0, DOUBLE, ALL_KINDS, -1, 900, 1023, ANY},
    {"gelu_backward", 1, WIDE, ALL_KINDS, -1, 2, 3, "0h2-"},
    {"gelu_backward", 1, DOUBLE, ALL_KINDS, -1, 4, 980, "0h2-"},
    {"gelu tanh", 0, WIDE, ALL_KINDS, -1, 2, 127, "0h2-+"},
    {"gelu tanh", 0, DOUBLE, 2, -1, 53, 899, "+"},
    {"gelu tanh", 0, DOUBLE, 2, -1, 900, 1023, "+nij"},
    /* x³·(1 − tanh²) likewise, up to where it leaves the range */
    {"gelu_backward tanh", 1, WIDE, ALL_KINDS, 0, 2, 50, "0h2-+"},
    {"gelu_backward tanh", 1, WIDE, 1, 0, 50, 50, "ij"},
    {"gelu_backward tanh", 1, 1U << DTYPE_FLOAT16, ALL_KINDS, 0, 8, 15, "0h2-+ij"},
    {"gelu_backward tanh", 1, DOUBLE, 2, 0, 11, 1023, ANY},
    /* 1 + x·(1 − s), s the sigmoid: s may err by an ulp of 1, times x */
    {"silu_backward", 1, WIDE, ALL_KINDS, 1, 20, 127, "0h2-+"},
    {"silu_backward", 1, DOUBLE, ALL_KINDS, 1, 52, 1023, "0h2-+"},
    {"mish_backward", 1, WIDE, ALL_KINDS, 1, 19, 127, "0h2-+"},
    {"mish_backward", 1, DOUBLE, ALL_KINDS, 1, 52, 1023, "0h2-+"},
    /* g/d − |x|/d·(g/d), d = 1 + |x|: the difference cancels */
    {"softsign_backward", 1, WIDE, ALL_KINDS, 0, 19, 62, "0h2-"},
    {"softsign_backward", 1, DOUBLE, ALL_KINDS, 0, 52, 511, "0h2-"},
    /* Vulkan specifies x/y for |y| in [2^-126, 2^126] only; these operators divide */
    {"reciprocal", 0, WIDE, 1, 0, -149, -127, ANY},
    {"reciprocal", 0, WIDE, 1, 0, 126, 127, ANY},
    {"div", 1, WIDE, 1, 0, -149, -127, ANY},
    {"div", 1, WIDE, 1, 0, 126, 127, ANY},
    {"addcdiv", 2, WIDE, 1, 0, -149, -127, ANY},
    {"addcdiv", 2, WIDE, 1, 0, 126, 127, ANY},
    {"softsign", 0, WIDE, 1, 0, 126, 127, ANY},
    {"softsign_backward", 1, WIDE, 1, 0, 126, 127, "nij+"},
    {"asinh", 0, WIDE, 1, 0, 126, 127, ANY},
    {"acosh", 0, WIDE, 1, 1, 126, 127, ANY},
    {"hypot", 0, WIDE, 1, 0, 126, 127, ANY},
    {"hypot", 1, WIDE, 1, 0, 126, 127, ANY},
    {"atan2", 0, WIDE, 1, 0, 126, 127, ANY},
    {"atan2", 1, WIDE, 1, 0, 126, 127, ANY},
    {"div", 0, WIDE, 1 | AS_LARGE_ALONE, 0, -149, -127, ANY},
    {"div", 0, WIDE, 1 | AS_LARGE_ALONE, 0, 126, 127, ANY},
    {"addcdiv", 0, WIDE, 1 | AS_LARGE_ALONE, 0, -149, -127, ANY},
    {"addcdiv", 0, WIDE, 1 | AS_LARGE_ALONE, 0, 126, 127, ANY},
    {"addcdiv", 1, WIDE, 1 | AS_LARGE_ALONE, 0, -149, -127, ANY},
    {"addcdiv", 1, WIDE, 1 | AS_LARGE_ALONE, 0, 126, 127, ANY},
    {"atan2", 0, WIDE, 1 | AS_LARGE_ALONE, 0, -149, -127, ANY},
    {"atan2", 1, WIDE, 1 | AS_LARGE_ALONE, 0, -149, -127, ANY},
    {"hypot", 0, WIDE, 1 | AS_LARGE_ALONE, 0, -149, -127, "nij+-"},
    {"hypot", 1, WIDE, 1 | AS_LARGE_ALONE, 0, -149, -127, "nij+-"},
    /* sin(π·x)/(π·x): likewise of π·x, which may be subnormal or leave the range */
    {"sinc", 0, WIDE, 1, 0, -149, -129, ANY},
    {"sinc", 0, WIDE, 1, 0, 124, 127, "nij+"},
    {"sinc", 0, WIDE, 2, 0, 126, 127, "nij+"},
    {"sinc", 0, 1U << DTYPE_FLOAT32, 2, 0, -149, -149, "h"},
    {"sinc", 0, DOUBLE, 2, 0, -1074, -1060, ANY},
    /* log(x/(1 − x)): the quotient is subnormal, or may be flushed */
    {"logit", 0, 1U << DTYPE_FLOAT32, 1, 1, -149, -149, ANY},
    {"logit", 0, DOUBLE, 2, 1, -1074, -1024, ANY},
    /* grad times a slope of two numbers, which other orders may multiply differently */
    {"celu_backward", 1, 1U << DTYPE_FLOAT32, 1, -1, GREATEST, GREATEST, "nij+"},
    {"mish_backward", 1, 1U << DTYPE_FLOAT32, ALL_KINDS, 1, GREATEST, GREATEST, "nij"},
    {"silu_backward", 1, 1U << DTYPE_FLOAT32, ALL_KINDS, -1, GREATEST, GREATEST, "nij+"},
    {"softplus_backward", 1, 1U << DTYPE_FLOAT32, ALL_KINDS, -1, GREATEST, GREATEST, "nij+"},
    /* results of float64 between 2^1024 and 2^1026 have no bound, and only infinity is right */
    {"digamma", 0, DOUBLE, 2, 0, -1026, -1024, "0-n+ij"},
    {"pow", 0, DOUBLE, 2, 1, 585, 585, "0-n+j"},
    {"addcdiv", 1, DOUBLE, 2, 0, 1005, 1005, "0-n+ij"},
    {"addcdiv", 2, DOUBLE, 2, 0, -1046, -1024, "0-n+ij"},
    /* x + w·(y − x) and y − (y − x)·(1 − w): a product leaves the range, and the sum leads back from there */
    {"lerp", 0, WIDE, ALL_KINDS, 0, 127, 127, ANY},
    /* the latter cancels where the weight is small */
    {"lerp", 0, WIDE, ALL_KINDS, 0, -149, -40, "0h2-"},
    {"lerp", 1, WIDE, ALL_KINDS, 0, 0, 0, "0h2-"},
    /* y·(1 − y) and 1 − y² of an operand that is no sigmoid or tanh leave the range */
    {"sigmoid_backward", 1, WIDE, ALL_KINDS, 0, 64, 127, ANY},
    {"sigmoid_backward", 1, DOUBLE, 2, 0, 512, 1023, ANY},
    {"tanh_backward", 1, WIDE, ALL_KINDS, 0, 64, 127, ANY},
    {"tanh_backward", 1, DOUBLE, 2, 0, 512, 1023, ANY},
};
enum { OPEN_ROWS = sizeof open_results / sizeof *open_results };

struct sweep {
    const struct op *op;
    char name[64];
    struct attributes attributes;
    int operand, operands;
    double other[OPERANDS_MAX];
    enum dtype dtype;
    int count;
    double x[BINADES];
    long tried, passed; /* passed: in this sweep, without a row in the table */
    bool used[OPEN_ROWS];
};

/* Returns the row of the table that allows this; −1: none. */
static int row_of(const struct sweep *s, int environment, double x, char letter)
{
    const bool as_large = isinf(s->other[s->operand == 0]);
    const int exponent = ilogb(x), greatest = fabs(x) == dtype_max(s->dtype) ? GREATEST : exponent;
    for (int r = 0; r < OPEN_ROWS; r++) {
        const struct open *o = &open_results[r];
        if (strcmp(o->op, s->name) == 0 && o->operand == s->operand && o->dtypes >> s->dtype & 1 &&
            o->environments >> environment & 1 && o->sign * x >= 0 &&
            (as_large || !(o->environments & AS_LARGE_ALONE)) && o->from <= greatest && exponent <= o->to &&
            strchr(o->passes, letter)) {
            return r;
        }
    }
    return -1;
}

/* True if `got` is far from the truth v and from the number that v rounds to. */
static bool is_wrong(double got, double v, const struct dtype_info *info)
{
    double most = info->max;
    if (isnan(got) || isnan(v)) {
        return !isnan(v);
    }
    if (isinf(got)) {
        return !(fabs(v) > 0.6 * most && (got > 0) == (v > 0));
    }
    if (isinf(v)) {
        return true;
    }
    bool ends = fabs(v) > 0.4 * most && fabs(got) > 0.9 * most;
    return !ends && fabs(got - v) > 0.25 * fabs(v) && fabs(got - v) > 4 * info->least_normal;
}

static void try_results(struct sweep *s, const struct truth *truth, int environment, int i)
{
    const struct dtype_info *info = dtype_info(s->dtype);
    struct profile profile = profile_ieee();
    profile.primitives = environment == 0 ? PRIMITIVES_VULKAN : PRIMITIVES_LIBM;
    profile.accumulate[DTYPE_FLOAT16] = profile.accumulate[DTYPE_BFLOAT16] = DTYPE_FLOAT32;
    struct accept accept = accept_of(s->op->name, &s->attributes, &profile, truth, 0, i, false);
    double v = value_approximately(&truth->output[0].value[i]);
    const double wrong[WRONG] = {0, v / 2, 2 * v, -v, NAN, v + fmax(1, fabs(v)), INFINITY, -INFINITY};
    for (int k = 0; k < WRONG; k++) {
        s->tried += is_wrong(wrong[k], v, info);
        if (!is_wrong(wrong[k], v, info) || !accepts_double(&accept, wrong[k])) {
            continue;
        }
        int row = row_of(s, environment, s->x[i], letters[k]);
        if (row >= 0) {
            s->used[row] = true;
        } else if (s->passed++ == 0) {
            cr_expect(false, "%s of %s under %s, operand %d: at %a, truth %a, %g passes", s->name, info->name,
                      primitives_name(profile.primitives), s->operand, s->x[i], v, wrong[k]);
        }
    }
}

static struct tensor other_operand(const struct sweep *s, double other)
{
    static double all[BINADES];
    for (int i = 0; i < s->count; i++) {
        all[i] = isinf(other) ? copysign(fmin(1.125 * fabs(s->x[i]), dtype_max(s->dtype)), other) : other;
    }
    return tensor_from(s->dtype, shape_of(1, (int64_t)s->count), all);
}

static void sweep_binades(struct sweep *s)
{
    const struct dtype_info *info = dtype_info(s->dtype);
    const int step = s->dtype == DTYPE_FLOAT64 ? 7 : 1, least = info->emin - info->precision + 1;
    struct tensor input[OPERANDS_MAX];
    s->count = 0;
    s->passed = 0;
    for (int sign = -1; sign <= 1; sign += 2) {
        for (int e = least; e <= info->emax; e += step) {
            s->x[s->count++] = sign * ldexp(1.40625, e);
        }
        if (s->dtype != DTYPE_FLOAT64) { /* intervals of doubles end there, and much is left open */
            s->x[s->count++] = sign * info->max;
        }
    }
    for (int k = 0; k < s->operands; k++) {
        input[k] = k == s->operand ? tensor_from(s->dtype, shape_of(1, (int64_t)s->count), s->x)
                                   : other_operand(s, s->other[k]);
    }
    struct truth *truth = any_truth_of_call(s->op->name, &s->attributes, s->operands, input, true);
    for (int i = 0; truth->output[0].dtype == s->dtype && i < s->count; i++) {
        for (int environment = s->dtype == DTYPE_FLOAT64; environment < 2; environment++) {
            try_results(s, truth, environment, i); /* Vulkan does not specify float64 */
        }
    }
    truth_destroy(&truth);
    for (int k = 0; k < s->operands; k++) {
        tensor_destroy(&input[k]);
    }
    cr_expect(s->passed <= 1, "and %ld more where the others are %g, …", s->passed - 1,
              s->other[s->operand == 0]);
}

/* Sweeps the other operands in every combination of signs. Gradients are not tested with a grad as large as
 * the operand: a slope that vanishes may err by an underflow, which times such a grad is any number. */
static void sweep_others(struct sweep *s)
{
    const int sizes = s->operands == 1 ? 1 : elementwise_is_gradient(s->op) ? OTHERS - 1 : OTHERS;
    for (int o = 0; o < sizes; o++) {
        for (unsigned signs = 0; signs < 1U << s->operands; signs++) {
            if (signs >> s->operand & 1) {
                continue; /* the swept operand takes both signs anyway */
            }
            for (int k = 0; k < s->operands; k++) {
                s->other[k] = signs >> k & 1 ? -others[o] : others[o];
            }
            sweep_binades(s);
        }
    }
}

static void sweep_formula(struct sweep *s)
{
    bool has = s->op->dtypes & ELEMENTWISE_FLOATS & 1U << s->dtype;
    for (s->operand = 0; has && s->operand < s->operands; s->operand++) {
        sweep_others(s);
    }
}

/* Selects the formula of this number of the attribute of words; 0 is the operator's own. Returns false if
 * there is no such formula. */
static bool choose(struct sweep *s, int64_t number)
{
    const struct elementwise *row = s->op->row;
    s->attributes = (struct attributes){.count = 0};
    snprintf(s->name, sizeof s->name, "%s", s->op->name);
    if (number > 0) {
        if (!row->choice || !row->chosen[number]) {
            return false;
        }
        s->attributes = (struct attributes){
            .count = 1, .item = {{.name = row->choice, .type = ATTRIBUTE_CHOICE, .integer = number}}};
        const struct op_choice *word = op_choice_numbered(s->op, row->choice, number);
        snprintf(s->name, sizeof s->name, "%s %s", s->op->name, word->word);
    }
    return elementwise_row(s->op, &s->attributes)->formula;
}

static void sweep_formulas(enum dtype dtype)
{
    static struct sweep s;
    int functions = 0;
    s.dtype = dtype;
    for (int o = 0; o < op_count(); o++) {
        s.op = op_at(o);
        for (s.operands = 0; s.operands < OPERANDS_MAX && s.op->operands[s.operands].name; s.operands++) {
        }
        bool swept = s.op->row && s.op->row->views == VIEWS_OPERANDS &&
                     !op_writes(s.op); /* their rows are those of operators that do not write an operand */
        for (int64_t number = 0; swept && number < ELEMENTWISE_CHOICES; number++) {
            if (choose(&s, number)) {
                sweep_formula(&s);
                functions++;
            }
        }
    }
    for (int r = 0; r < OPEN_ROWS; r++) {
        cr_expect(s.used[r] || !(open_results[r].dtypes >> dtype & 1), "%s, from 2^%d: nothing wrong passes",
                  open_results[r].op, open_results[r].from);
    }
    cr_expect(functions > 50 && s.tried > 500000, "%d functions, %ld results", functions, s.tried);
}

/* Only wrong results that environments leave open are accepted. */
Test(holes, of_float16)
{
    sweep_formulas(DTYPE_FLOAT16);
}

Test(holes, of_bfloat16)
{
    sweep_formulas(DTYPE_BFLOAT16);
}

Test(holes, of_float32)
{
    sweep_formulas(DTYPE_FLOAT32);
}

Test(holes, of_float64)
{
    sweep_formulas(DTYPE_FLOAT64);
}
