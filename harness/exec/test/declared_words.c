/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Tests how the words of a profile in a greeting are read. */

#include "harness/exec/greeting.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

static bool greets(const char *profile, struct exec_hello *hello, struct error *error)
{
    char line[1024];
    snprintf(
        line, sizeof line,
        "{\"hello\": 1, \"name\": \"x\", \"dtypes\": [\"float32\", \"float16\"], \"operators\": [\"sgn\", "
        "\"matmul\"], \"profile\": {%s}}",
        profile);
    error->text[0] = '\0';
    return exec_parse_hello(line, hello, error);
}

Test(declared_words, every_member_is_read)
{
    struct exec_hello hello;
    struct error error;
    cr_assert(
        greets("\"summation\": {\"matmul\": \"blocked:96\"}, \"range\": \"naive\", \"refusals\": "
               "\"open\", \"padding\": \"zeros\", \"ties\": \"first\", \"slogdet_nan_sign\": \"number\", "
               "\"sgn_zero\": {\"float16\": "
               "\"open\"}, "
               "\"attributes\": \"float32\", \"default_eps\": \"float32\", \"algorithm\": {\"matmul\": "
               "\"fast:32\", \"sgn\": \"winograd:4\"}, \"conversions\": "
               "\"via-float32\", \"accumulate\": \"float32\", \"accumulate_own\": [\"matmul\"], "
               "\"attention_empty_row\": \"zero\", \"attention_probabilities\": {\"float16\": \"float32\"}",
               &hello, &error),
        "%s", error.text);
    const struct profile *p = &hello.profile;
    struct summation_order order = profile_summation(p, "matmul");
    cr_expect(order.kind == SUMMATION_BLOCKED && order.size == 96);
    cr_expect_eq(profile_summation(p, "sgn").kind, SUMMATION_UNDECLARED);
    cr_expect(p->refusals == REFUSALS_OPEN && p->attributes_float32 && p->epsilon_float32);
    cr_expect(p->slogdet_nan_sign == SLOGDET_NAN_SIGN_NUMBER && p->conversions_via_float32);
    cr_expect(p->ties == TIES_FIRST && p->padding == PADDING_ZEROS);
    cr_expect_eq(p->attention_empty_row, ATTENTION_EMPTY_ROW_ZERO);
    cr_expect_eq(p->attention_probabilities[DTYPE_FLOAT16], DTYPE_FLOAT32);
    cr_expect_eq(p->attention_probabilities[DTYPE_BFLOAT16], DTYPE_BFLOAT16);
    cr_expect(p->sgn_zero[DTYPE_FLOAT16] == SGN_ZERO_OPEN && p->sgn_zero[DTYPE_FLOAT32] == SGN_ZERO_KEPT);
    cr_expect_eq(profile_fast_crossover(p, "matmul"), 32);
    cr_expect_eq(profile_fast_crossover(p, "linear"), 0);
    cr_expect(profile_winograd(p, "matmul") == 0 && profile_winograd(p, "sgn") == 4 &&
              profile_fast_crossover(p, "sgn") == 0);
    cr_expect_eq(p->accumulate[DTYPE_FLOAT16], DTYPE_FLOAT32);
    exec_hello_clear(&hello);
    cr_assert(greets("", &hello, &error));
    p = &hello.profile;
    cr_expect(p->refusals == REFUSALS_PYTORCH && !p->attributes_float32);
    cr_expect(p->slogdet_nan_sign == SLOGDET_NAN_SIGN_NAN && !p->conversions_via_float32);
    cr_expect(p->ties == TIES_ANY && p->padding == PADDING_OPEN);
    cr_expect_eq(p->attention_empty_row, ATTENTION_EMPTY_ROW_OPEN);
    cr_expect_eq(p->attention_probabilities[DTYPE_FLOAT16], DTYPE_FLOAT16);
    exec_hello_clear(&hello);
}

static const char *const ranged[] = {"sgn",       "vector_norm", "rms_norm", "batch_norm_backward",
                                     "logdet",    "softmax",     "sigmoid",  "cross_entropy_backward",
                                     "logsumexp", "hypot"};

static enum range range_of(const char *range, const char *op)
{
    char line[512];
    struct exec_hello hello;
    struct error error = {.text = ""};
    int used = snprintf(line, sizeof line,
                        "{\"hello\": 1, \"name\": \"x\", \"dtypes\": [\"float32\"], \"profile\": {%s}, "
                        "\"operators\": [",
                        range);
    for (size_t i = 0; i < sizeof ranged / sizeof *ranged; i++) {
        used += snprintf(line + used, sizeof line - (size_t)used, "%s\"%s\"", i ? ", " : "", ranged[i]);
    }
    snprintf(line + used, sizeof line - (size_t)used, "]}");
    cr_assert(exec_parse_hello(line, &hello, &error), "%s", error.text);
    enum range own = profile_of_operator(&hello.profile, op).range;
    exec_hello_clear(&hello);
    return own;
}

/* The bare word applies to the operators whose textbook formula the page names, and softmax is none of them.
 */
Test(declared_words, range_is_of_each_operator)
{
    for (size_t i = 0; i < sizeof ranged / sizeof *ranged; i++) {
        const char *op = ranged[i];
        enum range by_word = i < 5 ? RANGE_NAIVE : RANGE_SAFE;
        cr_expect_eq(range_of("\"range\": \"naive\"", op), by_word, "%s", op);
        cr_expect_eq(range_of("\"range\": \"safe\"", op), RANGE_SAFE, "%s", op);
        cr_expect_eq(range_of("\"range\": []", op), RANGE_SAFE, "%s", op);
        cr_expect_eq(range_of("", op), RANGE_SAFE, "%s", op);
        cr_expect_eq(range_of("\"range\": [\"softmax\", \"rms_norm\", \"unheard_of\"]", op),
                     strcmp(op, "softmax") && strcmp(op, "rms_norm") ? RANGE_SAFE : RANGE_NAIVE, "%s", op);
    }
}

Test(declared_words, what_is_misspelt_is_named)
{
    static const struct {
        const char *profile, *message;
    } row[] = {{"\"sumation\": \"pairwise\"", "did you mean \"summation\""},
               {"\"conversion\": \"direct\"", "did you mean \"conversions\""},
               {"\"colour\": \"red\"", "\"colour\" is no member"},
               {"\"summation\": \"blocked\"", "\"pairwise\", \"blocked:SIZE\""},
               {"\"summation\": \"blocked:0\"", "blocked:SIZE"},
               {"\"summation\": \"blocked:-4\"", "blocked:SIZE"},
               {"\"summation\": {\"matmul\": 7}", "no string"},
               {"\"algorithm\": \"strassen\"",
                "\"classical\", \"fast\", \"fast:SIZE\", \"winograd:2\", \"winograd:4\""},
               {"\"algorithm\": {\"conv2d\": \"winograd:6\"}",
                "does not know \"winograd:6\"; it takes \"classical\""},
               {"\"accumulate\": \"single\"", "is no dtype"},
               {"\"sgn_nan\": {\"float31\": \"nan\"}", "\"float31\" is no dtype"},
               {"\"nondeterministic\": \"sgn\"", "must be a list of names"},
               {"\"nondeterministic\": [7]", "must be a list of names"},
               {"\"range\": \"naiv\"", "it takes \"safe\", \"naive\" or a list of operators"},
               {"\"range\": {\"sgn\": \"naive\"}", "or a list of operators"},
               {"\"documented_forms\": \"elu\"", "must be a list of names"},
               {"\"range\": [\"sgn\", 1]", "must be a list of names"},
               {"\"attributes\": \"float16\"", "\"float64\", \"float32\""}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        struct exec_hello hello;
        struct error error;
        cr_expect_not(greets(row[i].profile, &hello, &error), "%s", row[i].profile);
        cr_expect(strstr(error.text, row[i].message), "%s: %s", row[i].profile, error.text);
        exec_hello_clear(&hello);
    }
}

Test(declared_words, the_page_lists_every_member)
{
    FILE *file = fopen("docs/reference/profile.md", "r");
    cr_assert_not_null(file, "to be run from the root of the tree");
    static char page[1 << 16];
    page[fread(page, 1, sizeof page - 1, file)] = '\0';
    fclose(file);
    for (int m = 0; greeting_member(m); m++) {
        char row[64];
        snprintf(row, sizeof row, "\n| `%s` |", greeting_member(m));
        cr_expect(strstr(page, row), "%s", greeting_member(m));
    }
}
