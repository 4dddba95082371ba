/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/exec/greeting.h"
#include "harness/host/nearest.h"

#include <stdlib.h>
#include <string.h>

/* How the value of a member is written. */
enum form {
    WORD,         /* "libm" */
    PER_DTYPE,    /* one word for all dtypes, or {"float32": word, …} */
    DTYPE_OF,     /* as PER_DTYPE, with names of dtypes as words */
    PER_OPERATOR, /* one word for all operators, or {"matmul": word, …} */
    NAMES,        /* a list of operators */
    WORD_OR_NAMES /* one word, or a list of operators */
};

enum member {
    ROUNDING,
    SUBNORMALS,
    SPECIAL_VALUES,
    ACCUMULATE,
    ACCUMULATE_OWN,
    MATRIX_UNITS,
    SUMMATION,
    ALGORITHM,
    CONVERSIONS,
    PRIMITIVES,
    ATTRIBUTES,
    DEFAULT_EPS,
    RANGE,
    DOCUMENTED_FORMS,
    REFUSALS,
    INVARIANCE,
    NONDETERMINISTIC,
    SGN_NAN,
    SGN_ZERO,
    SLOGDET_NAN_SIGN,
    TIES,
    PADDING,
    ATTENTION_EMPTY_ROW,
    ATTENTION_PROBABILITIES,
    MEMBERS
};

enum { WORDS_MAX = 5, WINOGRAD_WORD = 3 /* of `algorithm` */ };

/* The members and their words. An absent member means its first word, except `rounding`, `subnormals`,
 * `primitives` and `invariance`, which promise nothing when absent. A word that ends in ':' is followed by a
 * size. */
static const struct {
    const char *name;
    enum form form;
    const char *words[WORDS_MAX];
} members[MEMBERS + 1] = {
    [ROUNDING] = {"rounding", PER_DTYPE, {"rte", "open"}},
    [SUBNORMALS] = {"subnormals", PER_DTYPE, {"kept", "flushed"}},
    [SPECIAL_VALUES] = {"special_values", PER_DTYPE, {"kept", "open"}},
    [ACCUMULATE] = {"accumulate", DTYPE_OF, {NULL}},
    [ACCUMULATE_OWN] = {"accumulate_own", NAMES, {NULL}},
    [MATRIX_UNITS] = {"matrix_units", NAMES, {NULL}},
    [SUMMATION] = {"summation", PER_OPERATOR, {"undeclared", "recursive", "pairwise", "blocked:"}},
    [ALGORITHM] = {"algorithm", PER_OPERATOR, {"classical", "fast", "fast:", "winograd:2", "winograd:4"}},
    [CONVERSIONS] = {"conversions", WORD, {"direct", "via-float32"}},
    [PRIMITIVES] = {"primitives", WORD, {"vulkan", "opencl", "libm", "cuda", "vector"}},
    [ATTRIBUTES] = {"attributes", WORD, {"float64", "float32"}},
    [DEFAULT_EPS] = {"default_eps", WORD, {"dtype", "float32"}},
    [RANGE] = {"range", WORD_OR_NAMES, {"safe", "naive"}},
    [DOCUMENTED_FORMS] = {"documented_forms", NAMES, {NULL}},
    [REFUSALS] = {"refusals", WORD, {"pytorch", "open"}},
    [INVARIANCE] = {"invariance", WORD, {"bits", "bound"}},
    [NONDETERMINISTIC] = {"nondeterministic", NAMES, {NULL}},
    [SGN_NAN] = {"sgn_nan", PER_DTYPE, {"nan", "zero"}},
    [SGN_ZERO] = {"sgn_zero", PER_DTYPE, {"kept", "positive", "open"}},
    [SLOGDET_NAN_SIGN] = {"slogdet_nan_sign", WORD, {"nan", "number"}},
    [TIES] = {"ties", WORD, {"any", "first"}},
    [PADDING] = {"padding", WORD, {"open", "skipped", "zeros"}},
    [ATTENTION_EMPTY_ROW] = {"attention_empty_row", WORD, {"open", "zero", "nan"}},
    [ATTENTION_PROBABILITIES] = {"attention_probabilities", DTYPE_OF, {NULL}},
};

const char *greeting_member(int i)
{
    return members[i].name;
}

/* --- checking */

/* Returns the index of the text among the member's words, and the size after it in *size; −1: it is none of
 * them. */
static int word_of(enum member member, const char *text, int64_t *size)
{
    for (int w = 0; text && w < WORDS_MAX && members[member].words[w]; w++) {
        const char *word = members[member].words[w];
        size_t length = strlen(word);
        bool sized = word[length - 1] == ':';
        *size = 0;
        if (!sized && strcmp(text, word) == 0) {
            return w;
        }
        if (sized && strncmp(text, word, length) == 0 && text[length] >= '1' && text[length] <= '9' &&
            strspn(text + length, "0123456789") == strlen(text + length) && strlen(text + length) < 16) {
            *size = strtoll(text + length, NULL, 10);
            return w;
        }
    }
    return -1;
}

static bool check_word(enum member member, const json_t *value, struct error *error)
{
    const char *text = json_string_value(value);
    enum dtype dtype;
    int64_t size;
    if (members[member].form == DTYPE_OF) {
        return (text && dtype_from_name(text, &dtype)) ||
               error_set(error, "hello: profile: \"%s\": \"%.40s\" is no dtype", members[member].name,
                         text ? text : "(no string)");
    }
    if (word_of(member, text, &size) >= 0) {
        return true;
    }
    char known[160] = "";
    size_t used = 0;
    for (int w = 0; w < WORDS_MAX && members[member].words[w]; w++) {
        const char *word = members[member].words[w];
        used += (size_t)snprintf(known + used, sizeof known - used, "%s\"%s%s\"", w ? ", " : "", word,
                                 word[strlen(word) - 1] == ':' ? "SIZE" : "");
    }
    return error_set(error, "hello: profile: \"%s\" does not know \"%.40s\"; it takes %s%s",
                     members[member].name, text ? text : "(no string)", known,
                     members[member].form == WORD_OR_NAMES ? " or a list of operators" : "");
}

static bool check_names(enum member member, const json_t *value, struct error *error)
{
    size_t i;
    json_t *name;
    bool good = json_is_array(value);
    json_array_foreach(value, i, name)
    {
        good = good && json_is_string(name);
    }
    return good || error_set(error, "hello: profile: \"%s\" must be a list of names", members[member].name);
}

static bool check_member(enum member member, json_t *value, struct error *error)
{
    const char *key;
    json_t *word;
    enum dtype dtype;
    enum form form = members[member].form;
    if (form == NAMES || (form == WORD_OR_NAMES && json_is_array(value))) {
        return check_names(member, value, error);
    }
    if (form == WORD || form == WORD_OR_NAMES || !json_is_object(value)) {
        return check_word(member, value, error);
    }
    json_object_foreach(value, key, word)
    {
        if (form != PER_OPERATOR && !dtype_from_name(key, &dtype)) {
            return error_set(error, "hello: profile: \"%s\": \"%.40s\" is no dtype", members[member].name,
                             key);
        }
        if (!check_word(member, word, error)) {
            return false;
        }
    }
    return true;
}

static bool check_all(json_t *json, struct error *error)
{
    const char *key;
    json_t *value;
    json_object_foreach(json, key, value)
    {
        struct nearest nearest = {.word = key};
        int m = 0;
        while (m < MEMBERS && strcmp(members[m].name, key) != 0) {
            nearest_offer(&nearest, members[m++].name);
        }
        if (m == MEMBERS) {
            return error_set(error, "hello: profile: \"%.40s\" is no member of it%s%s%s", key,
                             nearest.best ? "; did you mean \"" : "", nearest.best ? nearest.best : "",
                             nearest.best ? "\"?" : "");
        }
        if (!check_member((enum member)m, value, error)) {
            return false;
        }
    }
    return true;
}

/* --- reading the checked members */

/* Returns the word of a member for a dtype or an operator; `otherwise` if the member is absent or does not
 * name it. */
static int word_for(const json_t *json, enum member member, const char *name, int otherwise, int64_t *size)
{
    const json_t *value = json_object_get(json, members[member].name);
    value = json_is_object(value) ? json_object_get(value, name) : value;
    int word = word_of(member, json_string_value(value), size);
    return word < 0 ? otherwise : word;
}

static int word(const json_t *json, enum member member, int otherwise)
{
    int64_t size;
    return word_for(json, member, "", otherwise, &size);
}

/* Reads the dtype that a member states for the dtype d; leaves *dtype if it states none. */
static void read_dtype(const json_t *json, enum member member, enum dtype d, enum dtype *dtype)
{
    const json_t *value = json_object_get(json, members[member].name);
    const char *own =
        json_string_value(json_is_object(value) ? json_object_get(value, dtype_info(d)->name) : value);
    if (own) {
        dtype_from_name(own, dtype);
    }
}

static void read_dtypes(const json_t *json, struct profile *profile)
{
    for (int d = 0; d < DTYPE_COUNT; d++) {
        const char *name = dtype_info((enum dtype)d)->name;
        int64_t size;
        profile->rounding[d] = word_for(json, ROUNDING, name, 1, &size) == 0 ? ROUNDING_RTE : ROUNDING_OPEN;
        profile->subnormals[d] =
            word_for(json, SUBNORMALS, name, 1, &size) == 0 ? SUBNORMALS_KEPT : SUBNORMALS_MAY_FLUSH;
        profile->special_values[d] = word_for(json, SPECIAL_VALUES, name, 0, &size) == 0;
        profile->sgn_nan[d] = word_for(json, SGN_NAN, name, 0, &size) == 0 ? SGN_NAN_IS_NAN : SGN_NAN_IS_ZERO;
        static const enum sgn_zero zero[] = {SGN_ZERO_KEPT, SGN_ZERO_POSITIVE, SGN_ZERO_OPEN};
        profile->sgn_zero[d] = zero[word_for(json, SGN_ZERO, name, 0, &size)];
        read_dtype(json, ACCUMULATE, (enum dtype)d, &profile->accumulate[d]);
        read_dtype(json, ATTENTION_PROBABILITIES, (enum dtype)d, &profile->attention_probabilities[d]);
    }
}

static void read_words(const json_t *json, struct profile *profile)
{
    static const enum padding paddings[] = {PADDING_OPEN, PADDING_SKIPPED, PADDING_ZEROS};
    static const enum primitives primitives[] = {PRIMITIVES_VULKAN, PRIMITIVES_OPENCL, PRIMITIVES_LIBM,
                                                 PRIMITIVES_CUDA, PRIMITIVES_VECTOR};
    profile->primitives = primitives[word(json, PRIMITIVES, 0)];
    profile->invariance = word(json, INVARIANCE, 1) == 0 ? INVARIANCE_BITS : INVARIANCE_BOUND;
    profile->refusals = word(json, REFUSALS, 0) == 0 ? REFUSALS_PYTORCH : REFUSALS_OPEN;
    profile->slogdet_nan_sign =
        word(json, SLOGDET_NAN_SIGN, 0) == 0 ? SLOGDET_NAN_SIGN_NAN : SLOGDET_NAN_SIGN_NUMBER;
    profile->ties = word(json, TIES, 0) == 0 ? TIES_ANY : TIES_FIRST;
    profile->padding = paddings[word(json, PADDING, 0)];
    static const enum attention_empty_row rows[] = {ATTENTION_EMPTY_ROW_OPEN, ATTENTION_EMPTY_ROW_ZERO,
                                                    ATTENTION_EMPTY_ROW_NAN};
    profile->attention_empty_row = rows[word(json, ATTENTION_EMPTY_ROW, 0)];
    profile->attributes_float32 = word(json, ATTRIBUTES, 0) == 1;
    profile->epsilon_float32 = word(json, DEFAULT_EPS, 0) == 1;
    profile->conversions_via_float32 = word(json, CONVERSIONS, 0) == 1;
}

/* Returns the operators in a list that the program offers; other names are ignored. The bare word "naive"
 * stands for the offered operators whose row has naive_by_word. */
static const char **read_names(const json_t *json, enum member member, const struct exec_hello *hello)
{
    const json_t *list = json_object_get(json, members[member].name);
    const char **names = calloc((size_t)hello->operators + 1, sizeof *names);
    bool by_word = members[member].form == WORD_OR_NAMES && word(json, member, 0) == 1;
    int count = 0;
    for (int o = 0; names && o < hello->operators; o++) {
        size_t i;
        json_t *name;
        bool named = by_word && hello->operator[o].op->naive_by_word;
        json_array_foreach(list, i, name)
        {
            named = named || strcmp(json_string_value(name), hello->operator[o].op->name) == 0;
        }
        if (named) {
            names[count++] = hello->operator[o].op->name;
        }
    }
    return names;
}

static bool read_operators(const json_t *json, struct exec_hello *hello)
{
    static const enum summation orders[] = {SUMMATION_UNDECLARED, SUMMATION_RECURSIVE, SUMMATION_PAIRWISE,
                                            SUMMATION_BLOCKED};
    hello->nondeterministic = read_names(json, NONDETERMINISTIC, hello);
    hello->accumulate_own = read_names(json, ACCUMULATE_OWN, hello);
    hello->matrix_units = read_names(json, MATRIX_UNITS, hello);
    hello->naive_range = read_names(json, RANGE, hello);
    hello->documented = read_names(json, DOCUMENTED_FORMS, hello);
    hello->summations = calloc((size_t)hello->operators + 1, sizeof *hello->summations);
    hello->algorithms = calloc((size_t)hello->operators + 1, sizeof *hello->algorithms);
    if (!hello->nondeterministic || !hello->accumulate_own || !hello->matrix_units || !hello->naive_range ||
        !hello->documented || !hello->summations || !hello->algorithms) {
        return false;
    }
    int summations = 0, algorithms = 0;
    for (int o = 0; o < hello->operators; o++) {
        const char *name = hello->operator[o].op->name;
        int64_t size;
        int algorithm, order = word_for(json, SUMMATION, name, 0, &size);
        if (order > 0) {
            hello->summations[summations++] = (struct operator_summation){name, {orders[order], size}};
        }
        if ((algorithm = word_for(json, ALGORITHM, name, 0, &size)) > 0) {
            const int winograd = algorithm < WINOGRAD_WORD ? 0 : algorithm == WINOGRAD_WORD ? 2 : 4;
            hello->algorithms[algorithms++] = (struct operator_algorithm){name,
                                                                          winograd ? 0
                                                                          : size   ? size
                                                                                   : FAST_CROSSOVER,
                                                                          winograd};
        }
    }
    hello->profile.nondeterministic = hello->nondeterministic;
    hello->profile.accumulate_own = hello->accumulate_own;
    hello->profile.matrix_units = hello->matrix_units;
    hello->profile.naive_range = hello->naive_range;
    hello->profile.documented = hello->documented;
    hello->profile.summations = hello->summations;
    hello->profile.algorithms = hello->algorithms;
    return true;
}

bool greeting_profile(const json_t *json, struct exec_hello *hello, struct error *error)
{
    json_t *checked = (json_t *)(uintptr_t)json; /* jansson's iterators take no const pointer */
    if (json && !json_is_object(json)) {
        return error_set(error, "hello: \"profile\" must be an object");
    }
    if (!check_all(checked, error)) {
        return false;
    }
    hello->profile = profile_ieee();
    read_dtypes(json, &hello->profile);
    read_words(json, &hello->profile);
    return read_operators(json, hello) || error_set(error, "out of memory for the greeting");
}
