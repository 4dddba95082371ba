/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/exec/protocol.h"
#include "harness/test/trial.h"

#include <criterion/criterion.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Tests the formatting and parsing of the protocol's lines, without a program: greetings, requests, replies.
 */

#define GREETS(dtypes_, operators_)                                                                          \
    "{\"hello\": 1, \"name\": \"x\", \"dtypes\": " dtypes_ ", \"operators\": " operators_ "}"
#define PROFILED(profile_)                                                                                   \
    "{\"hello\": 1, \"name\": \"x\", \"dtypes\": [\"float32\"], \"operators\": [\"sgn\"], \"profile\": "     \
    "{" profile_ "}}"

Test(exec, a_greeting_promises_nothing_it_does_not_say)
{
    struct exec_hello hello;
    struct error error = {.text = ""};
    cr_assert(exec_parse_hello(
                  "{\"hello\": 1, \"name\": \"x\", \"dtypes\": [\"float32\"], \"operators\": [\"sgn\"]}",
                  &hello, &error),
              "%s", error.text);
    cr_assert_eq(hello.profile.rounding[DTYPE_FLOAT32], ROUNDING_OPEN);
    cr_assert_eq(hello.profile.subnormals[DTYPE_FLOAT32], SUBNORMALS_MAY_FLUSH);
    cr_assert_eq(hello.profile.primitives, PRIMITIVES_VULKAN);
    cr_assert_eq(hello.profile.invariance, INVARIANCE_BOUND);
    exec_hello_clear(&hello);
    cr_assert(exec_parse_hello(
        "{\"hello\": 1, \"name\": \"x\", \"operators\": [\"sgn\"], \"dtypes\": [\"float16\"], "
        "\"profile\": {\"rounding\": {\"float16\": \"rte\"}, \"subnormals\": \"kept\", "
        "\"nondeterministic\": [\"sgn\", \"unheard-of\"], \"sgn_nan\": \"zero\"}}",
        &hello, &error));
    cr_assert_eq(hello.profile.rounding[DTYPE_FLOAT16], ROUNDING_RTE);
    cr_assert_eq(hello.profile.rounding[DTYPE_FLOAT32], ROUNDING_OPEN);
    cr_assert_eq(hello.profile.subnormals[DTYPE_FLOAT64], SUBNORMALS_KEPT);
    cr_assert_eq(hello.profile.sgn_nan[DTYPE_FLOAT16], SGN_NAN_IS_ZERO);
    cr_assert(profile_is_nondeterministic(&hello.profile, "sgn"));
    cr_assert_eq(hello.dtypes, 1U << DTYPE_FLOAT16);
    exec_hello_clear(&hello);
    static const char *const bad[] = {
        "",
        "[]",
        "{\"hello\": 2, \"name\": \"x\"}",
        "{\"hello\": 1}",
        "{\"hello\": 1",
        "null",
        "\"x\"",
        "{\"hello\": 1, \"name\": \"x\", \"operators\": [7]}",
        GREETS("\"float32\"", "\"sgn\""),
        GREETS("[\"float32\"]", "[\"sng\"]"),
        GREETS("[\"flaot32\"]", "[\"sgn\"]"),
        GREETS("[\"float32\", \"bool\"]", "{\"sgn\": [\"float32\"], \"where\": [\"bool\"]}"),
        GREETS("[\"float32\"]", "{\"where\": [\"float32\"], \"sgn\": [\"float64\"]}"),
        PROFILED("\"roundng\": \"rte\""),
        PROFILED("\"rounding\": \"RTE\""),
        PROFILED("\"rounding\": {\"float33\": \"rte\"}"),
        PROFILED("\"accumulate\": {\"float16\": \"single\"}"),
        PROFILED("\"primitives\": \"metal\"")};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        cr_assert_not(exec_parse_hello(bad[i], &hello, &error), "%s", bad[i]);
        exec_hello_clear(&hello);
    }
}

Test(exec, a_request_says_what_the_page_says)
{
    struct program *program = program_create();
    struct shape shape = shape_of(1, (int64_t)3);
    struct view x = {.storage = program_storage(program, 28),
                     .dtype = DTYPE_FLOAT32,
                     .shape = shape,
                     .stride = {2},
                     .offset = 1};
    struct view y = program_input(program, DTYPE_FLOAT32, &shape);
    program_define(program, &x);
    struct attributes alpha = {.count = 1,
                               .item = {{.name = "alpha", .type = ATTRIBUTE_REAL, .real = INFINITY}}};
    struct step *step = program_step(program, op_find("add_"), &alpha, 2, (struct view[]){x, y});
    struct exec_request request;
    cr_assert(exec_format_step(7, program, step, false, &request));
    cr_assert_str_eq(
        request.line,
        "{\"id\":7,\"run\":\"add_\",\"attributes\":{\"alpha\":\"inf\"},\"storages\":[28,12],\"inputs\":["
        "{\"storage\":0,\"dtype\":\"float32\",\"shape\":[3],\"strides\":[2],\"offset\":1},"
        "{\"storage\":1,\"dtype\":\"float32\",\"shape\":[3],\"strides\":[1],\"offset\":0}],"
        "\"outputs\":[],\"mutates\":[0]}\n");
    cr_assert_eq(request.returned, 1);
    struct exec_reply reply;
    struct error error = {.text = ""};
    cr_assert(exec_parse_reply(
        "{\"id\": 7, \"status\": \"ok\", \"device_ns\": 5, \"outputs\": [], \"mutated\": [0]}", 7, step,
        false, &reply, &error));
    cr_assert_eq(reply.device_ns, 5);
    cr_assert_not(
        exec_parse_reply("{\"id\": 7, \"status\": \"ok\", \"outputs\": []}", 7, step, false, &reply, &error));
    cr_assert(exec_parse_reply("{\"id\": 7, \"status\": \"rejected\", \"message\": \"no\"}", 7, step, false,
                               &reply, &error));
    cr_assert_eq(reply.status, STEP_REJECTED);
    cr_assert_str_eq(reply.message, "no");
    cr_assert(exec_parse_reply("{\"id\": 7, \"status\": \"unsupported\", \"reason\": \"\"}", 7, step, false,
                               &reply, &error));
    cr_assert_eq(reply.status, STEP_UNSUPPORTED);
    cr_assert_str_eq(reply.message, "the program gave no reason");
    free(request.line);

    cr_assert(exec_format_step(8, program, step, true, &request));
    cr_expect(strstr(request.line, "\"mutates\":[0],\"return_storages\":true}\n"), "%s", request.line);
    cr_expect_eq(request.returned, 2);
    cr_expect_eq(request.returned_storage[1], request.storage[1]);
    static const char without[] = "{\"id\": 8, \"status\": \"ok\", \"outputs\": [], \"mutated\": [0]}";
    static const char with[] = "{\"id\": 8, \"status\": \"ok\", \"outputs\": [], \"mutated\": [0], "
                               "\"return_storages\": true}";
    cr_expect(exec_parse_reply(with, 8, step, true, &reply, &error), "%s", error.text);
    cr_expect_not(exec_parse_reply(without, 8, step, true, &reply, &error));
    cr_expect(strstr(error.text, "lacks \"return_storages\": true"), "%s", error.text);
    cr_expect_not(exec_parse_reply(with, 8, step, false, &reply, &error), "nobody asked for them");
    free(request.line);
    program_destroy(&program);
}

/* The program finds how many entries coalesce leaves: a wrong number is a wrong answer, not a malformed one.
 */
Test(exec, a_count_that_depends_on_the_data)
{
    struct program *program = program_create();
    struct shape places = shape_of(2, (int64_t)2, (int64_t)3), list = shape_of(1, (int64_t)3);
    struct view input[] = {program_input(program, DTYPE_INT64, &places),
                           program_input(program, DTYPE_FLOAT32, &list)};
    struct attributes size = {
        .count = 1,
        .item = {{.name = "size", .type = ATTRIBUTE_INTEGERS, .integers = {.count = 2, .item = {2, 2}}}}};
    program_set_bits(program, &input[0], 1, 0, 1);
    struct step *step = program_step(program, op_find("coalesce"), &size, 2, input);
    cr_assert_eq(step->output[1].shape.dim[0], 2);
    struct exec_request request;
    struct exec_reply reply;
    struct error error = {.text = ""};
    cr_assert(exec_format_step(1, program, step, false, &request));
    cr_assert(strstr(request.line, "\"outputs\":[{\"dtype\":\"int64\",\"shape\":[2,null]},"
                                   "{\"dtype\":\"float32\",\"shape\":[null]}]"),
              "%s", request.line);
    const char *format = "{\"id\": 1, \"status\": \"ok\", \"outputs\": [{\"dtype\": \"int64\", \"shape\": "
                         "[2, %d]}, {\"dtype\": \"float32\", \"shape\": [%d]}]}";
    char line[256];
    snprintf(line, sizeof line, format, 2, 2);
    cr_assert(exec_parse_reply(line, 1, step, false, &reply, &error), "%s", error.text);
    cr_expect_eq(reply.status, STEP_OK);
    snprintf(line, sizeof line, format, 3, 3);
    cr_assert(exec_parse_reply(line, 1, step, false, &reply, &error), "%s", error.text);
    cr_expect_eq(reply.status, STEP_MISSHAPEN);
    cr_expect(strstr(reply.message, "[2, 2]"), "%s", reply.message);
    free(request.line);
    program_destroy(&program);
}

/* A value that a profile assumes for an absent attribute is known to the judge only, and is not sent. */
Test(exec, an_assumed_attribute_is_not_sent)
{
    struct program *program = program_create();
    struct shape two = shape_of(1, (int64_t)2);
    struct view x = program_input(program, DTYPE_FLOAT16, &two);
    struct attributes attributes = {
        .count = 1,
        .item = {
            {.name = "normalized_shape", .type = ATTRIBUTE_INTEGERS, .integers = {.count = 1, .item = {2}}}}};
    struct step *step = program_step(program, op_find("rms_norm"), &attributes, 1, &x);
    program_adapt(program, &(struct profile){.epsilon_float32 = true});
    struct exec_request request;
    cr_assert_eq(step->attributes.count, 2);
    cr_assert(exec_format_step(1, program, step, false, &request));
    cr_expect(strstr(request.line, "\"attributes\":{\"normalized_shape\":[2]}"), "%s", request.line);
    free(request.line);
    program_destroy(&program);
}

Test(exec, mutated_is_the_list_that_was_asked_for)
{
    struct program *program = program_create();
    struct shape shape = shape_of(1, (int64_t)3);
    struct view x[2];
    for (int k = 0; k < 2; k++) {
        x[k] = program_input(program, DTYPE_FLOAT32, &shape);
        program_define(program, &x[k]);
    }
    struct step *step = program_step(program, op_find("add_"), NULL, 2, x);
    struct exec_reply reply;
    struct error error = {.text = ""};
    static const char *const wrong[] = {"[]", "[1]", "[0, 1]", "[0, \"x\"]", "\"0\""};
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        char line[128];
        snprintf(line, sizeof line, "{\"id\": 1, \"status\": \"ok\", \"outputs\": [], \"mutated\": %s}",
                 wrong[k]);
        cr_expect_not(exec_parse_reply(line, 1, step, false, &reply, &error), "%s", wrong[k]);
    }
    program_destroy(&program);
}

/* Adapters take the operators of the request as those that they may offer by their own names. */
Test(exec_words, the_greeting_request_lists_every_operator)
{
    char *line = exec_format_hello();
    json_t *json = line ? json_loads(line, 0, NULL) : NULL;
    const json_t *operators = json_object_get(json, "operators");
    cr_assert_eq((int)json_array_size(operators), op_count(), "%s", line);
    for (int o = 0; o < op_count(); o++) {
        cr_expect_str_eq(json_string_value(json_array_get(operators, (size_t)o)), op_at(o)->name);
    }
    json_decref(json);
    free(line);
}

/* The greeting request names each operator's attributes with PyTorch's defaults. */
Test(exec_words, the_greeting_request_has_defaults)
{
    char *line = exec_format_hello();
    json_t *hello = line ? json_loads(line, 0, NULL) : NULL,
           *attributes = json_object_get(hello, "attributes");
    double eps = 0;
    int correction = -1, keepdim = -1;
    const char *mode = "", *own = "";
    cr_assert_not_null(attributes);
    cr_expect_eq(json_unpack(attributes, "{s:{s:F}, s:{s:i, s:b}, s:{s:s}, s:{s:s}}", "layer_norm", "eps",
                             &eps, "var", "correction", &correction, "keepdim", &keepdim, "div",
                             "rounding_mode", &mode, "rms_norm", "eps", &own),
                 0, "%s", line);
    cr_expect_eq(eps, 1e-5);
    cr_expect_eq(correction, 1);
    cr_expect_eq(keepdim, 0);
    cr_expect_str_eq(mode, "none");
    cr_expect_str_eq(own, "finfo.eps");
    cr_expect(json_is_null(json_object_get(json_object_get(attributes, "softmax"), "dim")));
    cr_expect_null(json_object_get(attributes, "abs"), "an operator without attributes");
    json_decref(hello);
    free(line);
}
