/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* What a program says of itself when it is greeted. */

#include "harness/exec/json.h"
#include "harness/exec/protocol.h"

#include <stdlib.h>
#include <string.h>

static const char *profile_text(const json_t *profile, const char *key, const char *otherwise)
{
    const char *value = json_string_value(json_object_get(profile, key));
    return value ? value : otherwise;
}

/* "rounding": "rte" for all dtypes, or {"float32": "rte", …}; a dtype that is not named keeps `otherwise`. */
static const char *per_dtype(const json_t *profile, const char *key, enum dtype dtype, const char *otherwise)
{
    const json_t *value = json_object_get(profile, key);
    if (json_is_object(value)) {
        return profile_text(value, dtype_info(dtype)->name, otherwise);
    }
    return json_is_string(value) ? json_string_value(value) : otherwise;
}

/* The members of a profile and the words that they may hold, alone or per dtype; NULL: dtypes or operators.
 */
static const struct {
    const char *name;
    const char *words[5];
    bool per_dtype;
} members[] = {{"rounding", {"rte", "open"}, true},
               {"subnormals", {"kept", "flushed"}, true},
               {"special_values", {"kept", "open"}, true},
               {"accumulate", {NULL}, true},
               {"primitives", {"vulkan", "opencl", "libm"}, false},
               {"invariance", {"bits", "bound"}, false},
               {"sgn_nan", {"nan", "zero"}, false},
               {"sgn_zero", {"kept", "positive", "open"}, false},
               {"nondeterministic", {NULL}, false},
               {"accumulate_own", {NULL}, false}};

static bool check_word(int member, const json_t *value, struct error *error)
{
    const char *text = json_string_value(value);
    for (int w = 0; text && members[member].words[w]; w++) {
        if (strcmp(members[member].words[w], text) == 0) {
            return true;
        }
    }
    return error_set(error, "hello: profile: \"%s\" does not know \"%.40s\"; it takes \"%s\", \"%s\"%s",
                     members[member].name, text ? text : "(no string)", members[member].words[0],
                     members[member].words[1], members[member].words[2] ? ", …" : "");
}

/* A member or a word that is misspelt would promise nothing, or something else, in silence. */
static bool check_profile(json_t *json, struct error *error)
{
    const char *key, *dtype_name;
    json_t *value, *word;
    bool good = !json || json_is_object(json) || error_set(error, "hello: \"profile\" must be an object");
    json_object_foreach(json_is_object(json) ? json : NULL, key, value)
    {
        int m = 0;
        enum dtype dtype;
        while (m < (int)(sizeof members / sizeof *members) && strcmp(members[m].name, key) != 0) {
            m++;
        }
        if (m == (int)(sizeof members / sizeof *members)) {
            return error_set(error, "hello: profile: \"%.40s\" is no member of it", key);
        }
        if (members[m].words[0] && !(members[m].per_dtype && json_is_object(value))) {
            good = good && check_word(m, value, error);
        }
        json_object_foreach(members[m].per_dtype && json_is_object(value) ? value : NULL, dtype_name, word)
        {
            const char *text = json_string_value(word);
            good =
                good && (dtype_from_name(dtype_name, &dtype) ||
                         error_set(error, "hello: profile: \"%s\": \"%.40s\" is no dtype", key, dtype_name));
            good = good &&
                   (members[m].words[0]
                        ? check_word(m, word, error)
                        : (text && dtype_from_name(text, &dtype)) ||
                              error_set(error, "hello: profile: \"%s\" of %s is no dtype", key, dtype_name));
        }
    }
    return good;
}

/* Names of operators that the program offers; others are none of assay's business. */
static void parse_names(const json_t *json, const struct exec_hello *hello,
                        const char *list[PROFILE_OPERATORS_MAX])
{
    int known = 0;
    size_t i;
    json_t *name;
    json_array_foreach(json, i, name)
    {
        for (int o = 0; o < hello->operators && json_is_string(name) && known < PROFILE_OPERATORS_MAX; o++) {
            if (strcmp(hello->operator_name[o], json_string_value(name)) == 0) {
                list[known++] = hello->operator_name[o];
            }
        }
    }
}

/* A member that is absent promises nothing: open rounding, subnormals that may be flushed, Vulkan's
 * primitives. */
static void parse_profile(const json_t *json, struct exec_hello *hello)
{
    struct profile *profile = &hello->profile;
    *profile = profile_ieee();
    for (int d = 0; d < DTYPE_COUNT; d++) {
        enum dtype dtype = (enum dtype)d, accumulate;
        bool rte = strcmp(per_dtype(json, "rounding", dtype, "open"), "rte") == 0;
        bool kept = strcmp(per_dtype(json, "subnormals", dtype, "flushed"), "kept") == 0;
        profile->rounding[d] = rte ? ROUNDING_RTE : ROUNDING_OPEN;
        profile->subnormals[d] = kept ? SUBNORMALS_KEPT : SUBNORMALS_MAY_FLUSH;
        profile->special_values[d] = strcmp(per_dtype(json, "special_values", dtype, "kept"), "open") != 0;
        if (dtype_from_name(per_dtype(json, "accumulate", dtype, "undeclared"), &accumulate)) {
            profile->accumulate[d] = accumulate;
        }
    }
    const char *primitives = profile_text(json, "primitives", "vulkan");
    profile->primitives = strcmp(primitives, "libm") == 0     ? PRIMITIVES_LIBM
                          : strcmp(primitives, "opencl") == 0 ? PRIMITIVES_OPENCL
                                                              : PRIMITIVES_VULKAN;
    profile->sgn_nan =
        strcmp(profile_text(json, "sgn_nan", "nan"), "zero") == 0 ? SGN_NAN_IS_ZERO : SGN_NAN_IS_NAN;
    const char *zero = profile_text(json, "sgn_zero", "kept");
    profile->sgn_zero = strcmp(zero, "positive") == 0 ? SGN_ZERO_POSITIVE
                        : strcmp(zero, "open") == 0   ? SGN_ZERO_OPEN
                                                      : SGN_ZERO_KEPT;
    bool bits = strcmp(profile_text(json, "invariance", "bound"), "bits") == 0;
    profile->invariance = bits ? INVARIANCE_BITS : INVARIANCE_BOUND;
    parse_names(json_object_get(json, "nondeterministic"), hello, profile->nondeterministic);
    parse_names(json_object_get(json, "accumulate_own"), hello, profile->accumulate_own);
}

static bool parse_lists(const json_t *json, struct exec_hello *hello, struct error *error)
{
    size_t i;
    json_t *item;
    int known = 0;
    if (!json_is_array(json_object_get(json, "dtypes")) ||
        !json_is_array(json_object_get(json, "operators"))) {
        return error_set(error, "hello: \"dtypes\" and \"operators\" must be lists of names");
    }
    json_array_foreach(json_object_get(json, "dtypes"), i, item)
    {
        enum dtype dtype;
        if (json_is_string(item) && dtype_from_name(json_string_value(item), &dtype)) {
            hello->dtypes |= 1U << dtype;
        } /* a dtype that assay does not know is none of its business */
    }
    json_array_foreach(json_object_get(json, "operators"), i, item)
    {
        const char *name = json_string_value(item);
        if (!name || strlen(name) >= EXEC_NAME_MAX) {
            return error_set(error, "hello: \"operators\" must be a list of names shorter than %d bytes",
                             EXEC_NAME_MAX);
        }
        known += op_find(name) != NULL; /* others are none of assay's business */
        if (hello->operators < EXEC_OPERATORS_MAX) {
            snprintf(hello->operator_name[hello->operators++], EXEC_NAME_MAX, "%s", name);
        }
    }
    return (known > 0 && hello->dtypes != 0) ||
           error_set(error, "hello: none of the operators or none of the dtypes is one that assay knows");
}

bool exec_parse_hello(const char *line, struct exec_hello *hello, struct error *error)
{
    json_error_t fault;
    json_t *json = json_loads(line, JSON_REJECT_DUPLICATES, &fault);
    memset(hello, 0, sizeof *hello);
    bool good = json_is_object(json) || error_set(error, "hello: not a JSON object: %.80s", line);
    if (good && json_integer_value(json_object_get(json, "hello")) != 1) {
        good = error_set(error, "hello: \"hello\" must be 1, the version of the protocol");
    }
    if (good && !json_copy_text(json, "name", hello->name, sizeof hello->name)) {
        good = error_set(error, "hello: \"name\" is missing");
    }
    if (good) {
        json_copy_text(json, "version", hello->version, sizeof hello->version);
        json_copy_text(json, "device", hello->device, sizeof hello->device);
        hello->memory = json_is_true(json_object_get(json, "memory"));
        good = parse_lists(json, hello, error);
    }
    good = good && check_profile(json_object_get(json, "profile"), error);
    if (good) {
        parse_profile(json_object_get(json, "profile"), hello);
    }
    json_decref(json);
    return good;
}

bool exec_offers(const struct exec_hello *hello, const char *operator_name)
{
    for (int o = 0; o < hello->operators; o++) {
        if (strcmp(hello->operator_name[o], operator_name) == 0) {
            return true;
        }
    }
    return false;
}
