/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reports/records/record.h"
#include "reports/records/test/record.h"
#include "reports/text.h"

#include <criterion/criterion.h>

static void refuses(const char *line, const char *words)
{
    struct record record;
    struct error error = {0};
    cr_assert(!record_parse(line, strlen(line), &record, &error), "%s", line);
    cr_assert(strstr(error.text, words), "%s: \"%s\" does not say \"%s\"", line, error.text, words);
    cr_assert(!record.id && !record.backend && !record.worst.truth, "a refused record is empty");
}

Test(record, one_line_word_for_word)
{
    struct results results = {0};
    struct record *record = add_failure(&results, "vulkan");
    record->truth_bits = 96;
    record->mean_ulp = 0.1;
    record->bias_ulp = -1e-300;
    char *line = record_format(record);
    cr_assert_str_eq(
        line,
        "{\"version\":2,\"id\":\"" ODD "\",\"backend\":\"vulkan\",\"status\":\"fail\","
        "\"reason\":\"special-value rule 1: where the truth is NaN, the result must be NaN\","
        "\"repro\":\"assay repro " ODD " --backend vulkan --seed 1\","
        "\"source\":\"suites/linalg/logdet.c:41\",\"inputs_digest\":\"00112233445566778899aabbccddeeff\","
        "\"truth_bits\":96,\"elements\":1,\"max_ulp\":\"nan\",\"mean_ulp\":0.10000000000000001,"
        "\"bias_ulp\":-1e-300,\"bias_resolution\":0.0,\"max_nu\":\"inf\",\"p99_nu\":0.0,"
        "\"quality_nu\":0.0,\"median_rho\":0.0,\"resolution\":\"nan\",\"envelope_q\":0.0,\"envelope_t\":0.0,"
        "\"envelope_g\":0.0,\"envelope_groups\":0,\"implausible\":0.0,\"nmse\":0.0,\"bit_exact\":1.0,"
        "\"faithful\":1.0,\"over_0\":0,"
        "\"over_1\":0,\"over_bound\":1,\"distinct\":1,\"validation\":0,\"remembered\":0,\"device_ns\":50000,"
        "\"wall_ns\":1500000,\"reference_ns\":0,\"case_ns\":0,\"peak_bytes\":0,\"range_findings\":0,"
        "\"worst\":{\"index\":0,"
        "\"where\":\"output 0 [0]\",\"truth\":\"NaN (the determinant is -1)\",\"got\":\"0 (0x00000000)\","
        "\"ulp\":\"nan\",\"nu\":\"inf\"}}");
    free(line);
    results_destroy(&results);
}

Test(record, histogram_is_a_short_list_of_counts)
{
    struct record record = parse("{\"id\":\"a/b/c/d\",\"status\":\"pass\",\"ulp_histogram\":[3,0,7]}");
    cr_expect_eq(record.ulp_buckets, 3);
    cr_expect_eq(record.ulp_bucket[0], 3);
    cr_expect_eq(record.ulp_bucket[2], 7);
    record_clear(&record);
    record = parse("{\"id\":\"a/b/c/d\",\"status\":\"pass\"}");
    cr_expect_eq(record.ulp_buckets, 0, "older files have none");
    record_clear(&record);
    refuses(
        "{\"id\":\"a/b/c/d\",\"status\":\"pass\",\"ulp_histogram\":[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,"
        "17]}",
        "ulp_histogram");
    refuses("{\"id\":\"a/b/c/d\",\"status\":\"pass\",\"ulp_histogram\":[1,-2]}", "ulp_histogram");
    refuses("{\"id\":\"a/b/c/d\",\"status\":\"pass\",\"ulp_histogram\":7}", "ulp_histogram");
}

Test(record, errors_by_input_are_triples)
{
    struct record record = parse("{\"id\":\"a/b/c/d\",\"status\":\"pass\",\"error_by_input\":{"
                                 "\"positive\":[[-3,0.5,\"inf\"]],\"negative\":[[127,2.0,3.0]]}}");
    cr_assert_eq(record.by_inputs, 2);
    cr_expect(!record.by_input[0].negative && record.by_input[0].exponent == -3);
    cr_expect_eq(record.by_input[0].allowed, INFINITY);
    cr_expect(record.by_input[1].negative && record.by_input[1].ulp == 2);
    record_clear(&record);
    static const char *const wrong[] = {"7", "{\"positive\":[]}", "{\"positive\":[[1,2]],\"negative\":[]}",
                                        "{\"positive\":[[1e9,2,3]],\"negative\":[]}",
                                        "{\"positive\":[],\"negative\":[[5000,2,3]]}"};
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        char line[200];
        snprintf(line, sizeof line, "{\"id\":\"a/b/c/d\",\"status\":\"pass\",\"error_by_input\":%s}",
                 wrong[k]);
        refuses(line, "error_by_input");
    }
}

Test(record, limit_of_a_curve_has_its_points)
{
    refuses(
        "{\"id\":\"a/b/c/d\",\"status\":\"pass\",\"series\":[{\"name\":\"time\",\"unit\":\"ns\",\"x\":[1,2],"
        "\"y\":[1,2],\"limit\":[1]}]}",
        "limit");
    refuses(
        "{\"id\":\"a/b/c/d\",\"status\":\"pass\",\"series\":[{\"name\":\"time\",\"unit\":\"ns\",\"x\":[1,2],"
        "\"y\":[1,2],\"breaks\":\"yes\"}]}",
        "limit");
}

#define MINIMAL "\"id\":\"a/b/c/d\",\"backend\":\"x\",\"status\":\"pass\""

Test(record, what_a_parser_takes)
{
    struct record record =
        parse("{" MINIMAL ",\"new\":[1,{}],\"reason\":null,\"elements\":3.0,\"max_ulp\":2}");
    cr_assert(record.elements == 3 && record.max_ulp == 2 && !record.reason);
    cr_assert_eq(record.worst.index, -1, "no worst element");
    record_clear(&record);
    record = parse("{" MINIMAL ",\"reason\":\"a\\u0000b \xff\"}");
    cr_assert_str_eq(record.reason, "a\xef\xbf\xbd"
                                    "b \xef\xbf\xbd");
    record_clear(&record);
}

/* Version 1 has no envelope: its members are unknown, which is not zero. */
Test(record, version_1_is_read_and_its_resolution_is_not_known)
{
    struct record record =
        parse("{\"version\":1," MINIMAL ",\"elements\":4,\"median_rho\":1e-7,\"max_nu\":0.5}");
    char shown[TEXT_NUMBER];
    cr_assert(isnan(record.resolution) && record.implausible == 0 && !record.rule && !record.implausible_by);
    cr_assert_str_eq(text_resolution(record.resolution, shown), "–");
    char *line = record_format(&record);
    cr_assert(strstr(line, "{\"version\":2,") == line && strstr(line, "\"resolution\":\"nan\""), "%s", line);
    record_clear(&record);
    record = parse(line); /* as in a merge of files of both versions */
    cr_assert(isnan(record.resolution) && record.median_rho == 1e-7);
    free(line);
    record_clear(&record);
}

Test(record, version_2_says_what_the_envelope_found)
{
    struct record record = parse("{\"version\":2," MINIMAL ",\"resolution\":\"inf\",\"envelope_q\":0.25,"
                                 "\"envelope_t\":5.5,\"envelope_g\":2,\"envelope_groups\":64,"
                                 "\"implausible\":1.375,\"implausible_by\":\"T\",\"rule\":\"wide bound\"}");
    char shown[TEXT_NUMBER];
    cr_assert_str_eq(text_resolution(record.resolution, shown), "none");
    cr_assert(record.envelope_q == 0.25 && record.envelope_t == 5.5 && record.envelope_g == 2);
    cr_assert(record.envelope_groups == 64 && record.implausible == 1.375);
    cr_assert_str_eq(record.implausible_by, "T");
    cr_assert_str_eq(record.rule, RECORD_RULE_WIDE);
    record_clear(&record);
    refuses("{" MINIMAL ",\"resolution\":\"small\"}", "\"resolution\"");
    refuses("{" MINIMAL ",\"envelope_groups\":0.5}", "\"envelope_groups\"");
}

Test(record, a_worker_need_not_name_its_backend)
{
    struct record record = parse("{\"id\":\"a/b/c/d\",\"status\":\"flake\"}");
    cr_assert(!record.backend && record.status == STATUS_FLAKE);
    record_clear(&record);
}

Test(record, what_a_parser_refuses)
{
    refuses("{\"version\":3," MINIMAL "}", "version 3");
    refuses("{\"version\":0," MINIMAL "}", "version 0");
    refuses("{\"version\":\"1\"," MINIMAL "}", "\"version\"");
    refuses("{\"backend\":\"x\",\"status\":\"pass\"}", "\"id\" is missing");
    refuses("{\"id\":\"a\",\"backend\":\"x\"}", "\"status\" is missing");
    refuses("{\"id\":\"a\",\"backend\":\"x\",\"status\":\"passed\"}", "\"status\" cannot be \"passed\"");
    refuses("{" MINIMAL ",\"reason\":7}", "\"reason\" cannot be 7");
    refuses("{" MINIMAL ",\"truth_bits\":3000000000}", "\"truth_bits\"");
    refuses("{" MINIMAL ",\"elements\":1.5}", "\"elements\"");
    refuses("{" MINIMAL ",\"max_ulp\":\"infinite\"}", "\"max_ulp\"");
    refuses("{" MINIMAL ",\"worst\":{\"truth\":[]}}", "\"truth\"");
    refuses("{" MINIMAL ",\"series\":7}", "\"series\" is not an array");
    refuses("{" MINIMAL ",\"series\":[{\"name\":\"a\",\"unit\":\"ns\",\"x\":[1],\"y\":[1,2]}]}", "series 0");
    refuses("{" MINIMAL
            ",\"series\":[{\"name\":\"a\",\"unit\":\"ns\",\"x\":[1],\"y\":[2],\"octaves\":\"b\"}]}",
            "series 0");
    refuses("{" MINIMAL ",\"series\":[{\"name\":\"a\",\"unit\":\"ns\",\"x\":[1],\"y\":[2],\"factor\":[]}]}",
            "series 0");
    refuses("{" MINIMAL ",\"series\":[{\"name\":\"a\",\"unit\":\"ns\",\"x\":[1],\"y\":[\"b\"]}]}",
            "series 0");
    refuses("{" MINIMAL
            ",\"series\":[{\"name\":\"a\",\"unit\":\"ns\",\"x\":[1],\"y\":[2],\"spread\":[1,2]}]}",
            "series 0 has a spread or a pace");
    refuses("{" MINIMAL ",\"series\":[{\"name\":\"a\",\"unit\":\"ns\",\"x\":[1],\"y\":[2],\"pace\":7}]}",
            "series 0 has a spread or a pace");
    refuses("{" MINIMAL ",\"series\":[7]}", "series 0");
    refuses("{" MINIMAL "", "not JSON");
    refuses("[]", "not a JSON object");
    refuses("", "not JSON");
}

Test(record, a_seed_is_64_bits_without_sign)
{
    static const char *const wrong[] = {"\"\"",   "\"-1\"", "-1",  "\" 1\"", "\"18446744073709551616\"",
                                        "\"1x\"", "1.5",    "true"};
    struct record_header header;
    char line[100];
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct error error = {0};
        snprintf(line, sizeof line, "{\"assay\":\"1\",\"backend\":\"x\",\"seed\":%s}", wrong[i]);
        cr_assert(!record_header_parse(line, strlen(line), &header, &error), "%s", line);
        cr_assert(strstr(error.text, "\"seed\""), "%s", error.text);
    }
    snprintf(line, sizeof line, "{\"assay\":\"1\",\"backend\":\"x\",\"seed\":\"0009\"}");
    cr_assert(record_header_parse(line, strlen(line), &header, NULL) && header.seed == 9);
    record_header_clear(&header);
}

Test(record, a_full_disk_is_noticed)
{
    FILE *full = fopen("/dev/full", "w");
    struct results results = {0};
    add_failure(&results, "vulkan");
    cr_assert(full && !record_write(full, results.record));
    fclose(full);
    results_destroy(&results);
}

Test(record, parts_of_an_id)
{
    static const char *const parts[] = {"norm", "layer_norm", "float16", "n=33,mean=1e3/rows"};
    const char *part;
    int length;
    for (int i = 0; i < 4; i++) {
        cr_assert(record_id_part("norm/layer_norm/float16/n=33,mean=1e3/rows", i, &part, &length));
        cr_assert(length == (int)strlen(parts[i]) && !strncmp(part, parts[i], (size_t)length));
    }
    cr_assert(!record_id_part("a/b/c", 3, &part, &length) && !record_id_part("a", 0, &part, &length));
    cr_assert(!record_id_part("a/b/c/d", 4, &part, &length) &&
              !record_id_part("a/b/c/d", -1, &part, &length));
}
