/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/host/environment.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

static const char *value_of_dd(int count, const struct record_pair *pair, const char *name)
{
    for (int i = 0; i < count; i++) {
        if (strcmp(pair[i].name, name) == 0) {
            return pair[i].value;
        }
    }
    return NULL;
}

Test(environment, host_tells_drivers_variables_and_no_secrets)
{
    struct record_header header = {.version = 0};
    setenv("MESA_LOADER_TEST", "x=y", 1);
    setenv("VK_ICD_FILENAMES", "/some/icd.json", 1);
    setenv("SECRET_TOKEN", "hush", 1);
    environment_host(&header);
    cr_expect(header.assay && header.commit && header.os && header.cpu && header.memory_bytes > 0);
    cr_expect_eq(strlen(header.started), strlen("2026-01-31T12:00:00Z"));
    cr_expect_str_eq(value_of_dd(header.environment_count, header.environment, "MESA_LOADER_TEST"), "x=y");
    cr_expect_str_eq(value_of_dd(header.environment_count, header.environment, "VK_ICD_FILENAMES"),
                     "/some/icd.json");
    cr_expect_null(value_of_dd(header.environment_count, header.environment, "SECRET_TOKEN"));
    record_header_clear(&header);
}

Test(environment, device_tells_the_profile)
{
    struct record_header header = {.version = 0};
    struct backend_info info = {
        .device = "D", .driver = "R", .api = "A", .memory_bytes = 5, .profile = profile_ieee()};
    info.profile.subnormals[DTYPE_FLOAT16] = SUBNORMALS_MAY_FLUSH;
    info.profile.nondeterministic = (const char *const[]){"index_add_", NULL};
    environment_device(&header, &info);
    cr_expect_str_eq(header.device, "D");
    cr_expect_eq(header.device_memory_bytes, 5);
    cr_expect_str_eq(value_of_dd(header.profile_count, header.profile, "rounding.float32"), "rte");
    cr_expect_str_eq(value_of_dd(header.profile_count, header.profile, "subnormals.float16"), "may flush");
    cr_expect_str_eq(value_of_dd(header.profile_count, header.profile, "nondeterministic"), "index_add_");
    cr_expect_null(value_of_dd(header.profile_count, header.profile, "rounding.int32"));
    record_header_clear(&header);
}

Test(environment, words_are_quoted_for_a_shell)
{
    char text[64] = "";
    environment_quote(text, sizeof text, "plain/n=3,x:1");
    environment_quote(text, sizeof text, "two words");
    environment_quote(text, sizeof text, "it's");
    environment_quote(text, sizeof text, "");
    cr_expect_str_eq(text, "plain/n=3,x:1 'two words' 'it'\\''s' ''");
    char small[12] = "";
    environment_quote(small, sizeof small, "a-word-that-is-too-long-for-this");
    cr_expect_lt(strlen(small), sizeof small);
}
