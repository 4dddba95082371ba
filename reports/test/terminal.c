/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* The summary on a terminal of 80 columns. */
#include "reports/report.h"
#include "reports/test/fixture.h"
#include "reports/utf8.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* What a terminal of these columns gets; the caller frees it. */
static char *on_terminal(const struct results *results, const struct summary_options *options, int columns)
{
    static char got[65536];
    struct winsize window = {.ws_row = 24, .ws_col = (unsigned short)columns};
    int master = posix_openpt(O_RDWR | O_NOCTTY);
    cr_assert(master >= 0 && grantpt(master) == 0 && unlockpt(master) == 0);
    int slave = open(ptsname(master), O_RDWR | O_NOCTTY);
    cr_assert(slave >= 0 && ioctl(slave, TIOCSWINSZ, &window) == 0);
    FILE *to = fdopen(slave, "w");
    cr_assert(to);
    setvbuf(to, NULL, _IOFBF, sizeof got); /* a terminal holds some 4 KB that nobody has read */
    report_summary(to, results, options);
    fclose(to);
    size_t length = 0;
    for (ssize_t part; (part = read(master, got + length, sizeof got - 1 - length)) > 0;) {
        length += (size_t)part; /* until the closed terminal has no more */
    }
    got[length] = 0;
    close(master);
    return got;
}

static void every_line_fits(char *shown, int columns)
{
    for (char *rest = shown, *line; (line = strsep(&rest, "\n"));) {
        int width = utf8_columns(line) - (*line && line[strlen(line) - 1] == '\r');
        cr_expect(width <= columns || strstr(line, "replay: "), "%d columns: %s", width, line);
    }
}

/* No line is wider than the terminal, but a command that is to be copied stays whole. No word is lost. */
Test(terminal, every_line_fits)
{
    struct results results = {0};
    add_header(&results, "vulkan", "llvmpipe");
    struct record *record =
        add_record(&results, "linalg/logdet/float32/odd-permutation-of-many-rows-n5", "vulkan", STATUS_FAIL);
    record->reason =
        text("rule 3: the result must be within B = E_compute + u|truth| + eta of the truth, which it is "
             "not by far, and a word of the greatest length: "
             "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa");
    record->repro = text(
        "assay repro linalg/logdet/float32/odd-permutation-of-many-rows-n5 --backend 'exec:a b c' --seed 1");
    record->source = text("suites/linalg/logdet.c:41");
    record = add_record(&results, "elementwise/sgn/float32/rank-0", "vulkan", STATUS_FAIL);
    record->rule = text(RECORD_RULE_SOMETIMES);
    record->reason = text(
        "fails sometimes: 2 of 7 further runs failed; at first: rule 3: é is beyond the bound, and so on");
    record->detail = text("an element that is another one at each run");
    record->runs = 8;
    record->runs_failed = 3;
    record = add_record(&results, "elementwise/sgn/float32/length-65", "vulkan", STATUS_FLAKE);
    record->runs = 5;
    record->runs_failed = 1;
    struct summary_options options = {
        .seconds = 1, .truth_from_cache = 0.5, .report_dir = "a/folder/of/some/length"};
    for (int columns = 80; columns <= 100; columns += 10) {
        char *shown = on_terminal(&results, &options, columns);
        cr_expect(strstr(shown, "  ..") || columns > 90, "a long id is shortened: %s", shown);
        cr_expect(
            strstr(
                shown,
                "FAIL elementwise/sgn/float32/rank-0\r\n     fails sometimes: 2 of 7 further runs failed;"),
            "%s", shown);
        cr_expect(!strstr(shown, "another one at each run"), "%s", shown);
        cr_expect(
            strstr(shown,
                   "length-65:\r\n       1 of 5 runs failed (this operator and dtype: 4 of 13, 31 %)") ||
                strstr(shown, "length-65: 1 of 5 runs failed (this operator and dtype: 4 of 13, 31 %)"),
            "%s", shown);
        every_line_fits(shown, columns);
    }
    options.failures_max = 1; /* the other kinds of failure get a line each */
    for (int i = 0; i < 2; i++) {
        record = add_record(
            &results, i ? "linalg/slogdet/float64/a-name-of-a-case-that-is-long" : "linalg/mv/float64/x",
            "vulkan", STATUS_FAIL);
        record->rule = text("not repeatable");
    }
    char *shown = on_terminal(&results, &options, 80);
    cr_expect(strstr(shown, "    1  slogdet/float64           not repeatable  .."), "%s", shown);
    every_line_fits(shown, 80);
    results_destroy(&results);
}
