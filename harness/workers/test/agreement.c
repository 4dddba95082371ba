/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/workers/agreement.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

/* Tests that every worker process, and a program that is started again, must find the backend that the first
 * one found. */

static struct record_pair first_profile[] = {{"rounding", "rte"}, {"nondeterministic", "sum mean"}};

static struct record_header first_header(void)
{
    return (struct record_header){.device = "d",
                                  .driver = "two 1",
                                  .api = "exec protocol 1",
                                  .device_memory_bytes = 7,
                                  .offers = "sgn:float32 square:float32,float64",
                                  .profile = first_profile,
                                  .profile_count = 2};
}

static void expect_difference(const struct record_header *other, const char *words)
{
    const struct record_header first = first_header();
    char text[300] = "";
    cr_expect_not(agreement_holds(&first, other, text, sizeof text), "%s", words);
    cr_expect_str_eq(text, words);
}

Test(agreement, every_part_of_a_greeting_is_compared)
{
    struct record_header other = first_header();
    other.device = "e";
    expect_difference(&other, "the device is \"e\"; the first worker's was \"d\"");
    other = first_header();
    other.driver = NULL;
    expect_difference(&other, "the driver is \"\"; the first worker's was \"two 1\"");
    other = first_header();
    other.api = "exec protocol 2";
    expect_difference(&other, "the API is \"exec protocol 2\"; the first worker's was \"exec protocol 1\"");
    other = first_header();
    other.device_memory_bytes = 8;
    expect_difference(&other, "the device has 8 bytes of memory; the first worker's had 7");
    other = first_header();
    other.offers = "sgn:float32";
    expect_difference(&other, "it does not offer square:float32,float64; the first worker's did");
    other.offers = "sgn:float32 square:float32,float64 exp:float32";
    expect_difference(&other, "it offers exp:float32; the first worker's did not");
    other.offers = NULL;
    expect_difference(&other, "it does not offer sgn:float32; the first worker's did");
}

Test(agreement, profiles_are_compared_in_both_directions)
{
    struct record_header other = first_header();
    struct record_pair changed[] = {{"rounding", "open"}, {"nondeterministic", "sum mean"}};
    struct record_pair more[] = {{"rounding", "rte"}, {"nondeterministic", "sum mean"}, {"range", "naive"}};
    other.profile = changed;
    expect_difference(&other, "the profile's rounding is \"open\"; the first worker's was \"rte\"");
    other.profile_count = 1;
    other.profile = first_profile;
    expect_difference(&other, "the profile's nondeterministic is \"\"; the first worker's was \"sum mean\"");
    other.profile = more;
    other.profile_count = 3;
    expect_difference(&other, "the profile's range is \"naive\"; the first worker's was \"\"");
    struct record_pair longer[] = {{"rounding", "rte"}, {"nondeterministic", "sum mean exp"}};
    other.profile = longer;
    other.profile_count = 2;
    expect_difference(
        &other, "the profile's nondeterministic is \"sum mean exp\"; the first worker's was \"sum mean\"");
}

Test(agreement, the_order_of_words_does_not_matter)
{
    const struct record_header first = first_header();
    struct record_header other = first_header();
    struct record_pair turned[] = {{"nondeterministic", "mean sum"}, {"rounding", "rte"}};
    char text[300] = "";
    other.profile = turned;
    other.offers = "square:float32,float64 sgn:float32";
    cr_expect(agreement_holds(&first, &other, text, sizeof text), "%s", text);
}
