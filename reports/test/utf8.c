/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reports/utf8.h"
#include "reports/test/fixture.h"

#include <criterion/criterion.h>

static void repairs(const char *from, size_t length, const char *to)
{
    char *got = utf8_repair(from, length);
    cr_assert_str_eq(got, to);
    free(got);
}

Test(utf8, what_is_valid_stays)
{
    const char *all = "a\x7f\xc2\x80\xdf\xbf\xe0\xa0\x80\xed\x9f\xbf\xee\x80\x80\xef\xbf\xbf"
                      "\xf0\x90\x80\x80\xf4\x8f\xbf\xbf";
    repairs(all, strlen(all), all);
}

/* The ranges of Unicode's table 3-7: one byte beyond each is ill-formed. */
Test(utf8, what_is_not_is_replaced)
{
#define R "\xef\xbf\xbd"
    repairs("\x80", 1, R);                   /* a lone continuation */
    repairs("\xc1\xbf", 2, R R);             /* overlong */
    repairs("\xe0\x9f\xbf", 3, R R R);       /* overlong */
    repairs("\xed\xa0\x80", 3, R R R);       /* a surrogate */
    repairs("\xf0\x8f\xbf\xbf", 4, R R R R); /* overlong */
    repairs("\xf4\x90\x80\x80", 4, R R R R); /* above U+10FFFF */
    repairs("\xf5\x80\x80\x80", 4, R R R R);
    repairs("\xe2\x82", 2, R); /* cut short: one replacement for the beginning */
    repairs("\xe2\x82"
            "a",
            3, R "a");
    repairs("\xf0\x9f\x98z", 4, R "z");
    repairs("a\0b", 3, "a" R "b");
    repairs("\xe2\x82\xac", 2, R); /* bytes beyond `length` are not read */
}

Test(utf8, every_code_point_round_trips)
{
    for (uint32_t code = 1; code <= 0x10ffff; code++) {
        char bytes[4];
        uint32_t back;
        if (code >= 0xd800 && code <= 0xdfff) {
            continue;
        }
        size_t size = utf8_encode(code, bytes);
        cr_assert(utf8_decode(bytes, size, &back) == size && back == code, "U+%04X", (unsigned)code);
    }
}

Test(utf8, visible_spells_out_what_readers_refuse_or_obey)
{
    static const char *const pairs[][2] = {{"\x1b[31m", "\\x1b[31m"},
                                           {"\x07", "\\x07"},
                                           {"a\r\nb", "a\nb"},
                                           {"a\rb", "a\\x0db"},
                                           {"\t\n", "\t\n"},
                                           {"\x7f", "\\x7f"},
                                           {"\xc2\x85", "\\x85"},
                                           {"\xc2\xa0", "\xc2\xa0"},
                                           {"\xef\xbf\xbe", "\\ufffe"},
                                           {"\xef\xbf\xbf", "\\uffff"},
                                           {"\xff", "\xef\xbf\xbd"},
                                           {"a\xe2\x80\xae"
                                            "b",
                                            "a\\u202eb"},               /* right-to-left override */
                                           {"\xe2\x80\x8b", "\\u200b"}, /* zero-width space */
                                           {"\xe2\x81\xa6", "\\u2066"}, /* an isolate */
                                           {"\xd8\x9c\xc2\xad", "\\u061c\\u00ad"},
                                           {"\xef\xbb\xbf", "\\ufeff"},
                                           {"\xf3\xa0\x80\x81", "\\U000e0001"}, /* a tag */
                                           {"\xe2\x80\xa6\xe2\x80\xa7", "\xe2\x80\xa6\xe2\x80\xa7"},
                                           {"\xf0\x9d\x94\xb8", "\xf0\x9d\x94\xb8"},
                                           {"", ""}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        char *got = utf8_visible(pairs[i][0]);
        cr_assert_str_eq(got, pairs[i][1]);
        free(got);
    }
    char *none = utf8_visible(NULL);
    cr_assert_str_eq(none, "");
    free(none);
}

Test(utf8, columns)
{
    cr_assert_eq(utf8_columns("abc"), 3);
    cr_assert_eq(utf8_columns("caf\xc3\xa9"), 4);
    cr_assert_eq(utf8_columns("cafe\xcc\x81"), 4);
    cr_assert_eq(utf8_columns("\xcc\x80\xcd\xaf\xcd\xb0\xcb\xbf"),
                 2); /* U+0300 and U+036F combine, their neighbours do not */
}
