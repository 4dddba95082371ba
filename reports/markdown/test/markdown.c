/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reports/gate.h"
#include "reports/report.h"
#include "reports/test/fixture.h"

#include <criterion/criterion.h>
#include <stdio.h>

static char *tell(const struct results *results, unsigned gate)
{
    char *shown;
    PRINT(shown, cr_assert(report_markdown(to, results, gate, NULL)));
    return shown;
}

static int widest_line(const char *text)
{
    int most = 0;
    for (const char *line = text; *line; line += strcspn(line, "\n") + 1) {
        int length = (int)strcspn(line, "\n");
        most = *line == '|' && length > most ? length : most;
    }
    return most;
}

/* Checks that the texts occur in this order. */
static void expect_in_order(const char *shown, const char *const *parts, size_t count)
{
    const char *at = shown;
    for (size_t i = 0; i < count && at; i++) {
        const char *found = strstr(at, parts[i]);
        cr_expect(found, "no \"%s\" behind the one before it in\n%s", parts[i], shown);
        at = found ? found : at;
    }
}

Test(markdown, totals_failures_matrix_environment_in_this_order)
{
    static const char *const parts[] = {
        "## assay: gate: FAIL\n\n",
        "| # | backend  | device                   | driver        | cases | pass |  fail | no answer |",
        "| 1 | `vulkan` | `llvmpipe (LLVM 15.0.6)` | `Mesa 22.3.6` |    12 |    2 | **1** |     **4** |",
        "| 2 | `cpu`    | `a processor, \"plain C\"` | `Mesa 22.3.6` |     3 |    2 |     0 |         0 |",
        "### 4 failures in 4 groups\n\n",
        "| cases | backend  | operator/dtype   | rule      | error/bound | example",
        "|     1 | `vulkan` | `logdet/float32` | `fail`    |         inf | `odd-permutation-n5` |",
        "|     1 | `vulkan` | `logdet/float64` | `crash`   |           - | `kahan`",
        "<details><summary>Examples of 4 of 4 groups, with the command that replays it</summary>\n\n```",
        "FAIL " ODD,
        "     replay: assay repro " ODD " --backend vulkan --seed 1\n",
        "### Operators\n\n",
        "| operator          | f16  | f32  | f64  | c64  | i32  |\n",
        "| `elementwise/sgn` | `✓✓` | `!_` | `·_` | `k_` |      |\n",
        "| `linalg/logdet`   |      | `F✓` | `C_` |      |      |\n",
        "`F` fail · `C` crash · ",
        " · `✓` pass (some cases may be vacuous or unsupported) · ",
        "`·` unsupported · `_` nothing measured\n",
        "<details><summary>3 cells of several statuses, with the counts</summary>\n\n```text\n",
        "\nlinalg/logdet/float32 vulkan: fail (1 fail, 1 vacuous)\n"
        "linalg/logdet/float32 cpu: pass (1 pass, 1 vacuous)\n```\n",
        "<details><summary>Where it ran</summary>",
        "  assay                    0.1.0 (abc123), reference unknown\n",
        "1 vulkan\n  device                   llvmpipe (LLVM 15.0.6)\n",
        "  profile: rounding        rte\n",
        "2 cpu\n",
        "</details>\n"};
    struct results results = {0};
    fill(&results);
    char *shown = tell(&results, 0);
    expect_in_order(shown, parts, sizeof parts / sizeof *parts);
    cr_expect_leq(widest_line(shown), 150, "%s", shown);
    cr_expect_not(strstr(shown, "fails the gate by"));
    free(shown);
    shown = tell(&results, GATE_STRICT);
    cr_expect(strstr(shown, "1 unsupported: fails the gate by `--strict`.\n"), "%s", shown);
    free(shown);
    results_destroy(&results);
}

Test(markdown, kinds_have_a_count_and_their_worst_example)
{
    struct results results = {0};
    add_header(&results, "vulkan", "d");
    for (int i = 0; i < 559; i++) {
        char id[64];
        snprintf(id, sizeof id, "elementwise/sgn/%s/case-%d", i % 2 ? "float32" : "bfloat16", i);
        struct record *record = add_record(&results, id, "vulkan", STATUS_FAIL);
        record->rule = text(i == 3 ? "bias" : "bound");
        record->max_nu = i == 200 ? 1e9 : 2;
        record->repro = text("assay repro it");
    }
    char *shown = tell(&results, 0);
    cr_expect(strstr(shown, "### 559 failures in 3 groups\n\n| cases | operator/dtype "), "%s", shown);
    cr_expect(strstr(shown, "|   280 | `sgn/bfloat16` | `bound` |      1.0e+9 | `case-200` |"), "%s", shown);
    cr_expect(strstr(shown, "|     1 | `sgn/float32`  | `bias`  |           2 | `case-3` "), "%s", shown);
    cr_expect_not(strstr(shown, "left out"));
    free(shown);
    results_destroy(&results);
}

Test(markdown, implausible_findings_by_their_factor)
{
    struct results results = {0};
    static const double factors[] = {2, 12.4, 340};
    for (int i = 0; i < 3; i++) {
        char id[] = "f/o/float32/0";
        id[12] = (char)('0' + i);
        struct record *record = add_record(&results, id, "x", STATUS_PASS);
        record->implausible = factors[i];
        record->implausible_by = text(i == 2 ? "G" : "T");
    }
    char *shown = tell(&results, 0);
    static const char *const parts[] = {
        "## assay: gate: PASS",
        "### Operators",
        "### 3 implausible\n",
        "findings, no failures.",
        "|     1 | `o/float32`    | `common scale error` |             340 | `2`     |\n",
        "|     2 | `o/float32`    | `root mean square`   |            12.4 | `1`     |\n",
        "Where it ran"};
    expect_in_order(shown, parts, sizeof parts / sizeof *parts);
    free(shown);
    shown = tell(&results, GATE_IMPLAUSIBLE);
    cr_expect(strstr(shown, "## assay: gate: FAIL") &&
                  strstr(shown, "they fail the gate by `--fail-on implausible`") &&
                  strstr(shown, "### 3 failures in 1 group\n"),
              "%s", shown);
    free(shown);
    results_destroy(&results);
}

/* A cell shows its worst case, but pass where the others are vacuous or unsupported. */
Test(markdown, a_symbol_for_each_backend)
{
    struct results results = {0};
    add_record(&results, "f/o/float32/a", "x", STATUS_PASS);
    add_record(&results, "f/o/float32/b", "x", STATUS_VACUOUS);
    add_record(&results, "f/o/float32/c", "x", STATUS_UNSUPPORTED);
    add_record(&results, "f/o/float64/a", "x", STATUS_VACUOUS);
    add_record(&results, "f/o/float64/b", "x", STATUS_UNSUPPORTED);
    add_record(&results, "f/o/bool/a", "x", STATUS_FLAKE);
    add_record(&results, "f/o/what/a", "x", STATUS_PASS);
    add_record(&results, "f/o/what/b", "x", STATUS_TIMEOUT);
    add_record(&results, "f/o/float32/a", "y", STATUS_MISSING);
    char *shown = tell(&results, 0);
    cr_expect(strstr(shown, "| operator | f32  | f64  | bool | `what` |\n"), "%s", shown);
    cr_expect(strstr(shown, "| `f/o`    | `✓M` | `v_` | `~_` | `T_`   |\n"), "%s", shown);
    free(shown);
    results_destroy(&results);
}

static const char *const hostile[] = {
    "@octocat",
    "#1234",
    "<script>alert(1)</script>",
    "[x](javascript:alert(1))",
    "![i](http://evil.example/x.png)",
    "a|b|c",
    "`tick`",
    "```\n# heading",
    "\r\n| x | y |",
    "</details>",
    "www.evil.example",
    "http://evil.example/@me",
    ":bomb: $x$ ~~s~~",
    "me@evil.example",
    "\xe2\x80\xaegnp",
    "~~~\nx",
    "<!-- ",
    "|@octocat www.evil.example me@evil.example #1 http://evil.example",
    "\\|x",
    "\\`",
    "``````````````````````````````````````````````````````````````````````",
    "file:///etc/passwd",
    "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
    NASTY};
enum { HOSTILE = sizeof hostile / sizeof *hostile };

static void set(char **member, const char *value)
{
    free(*member);
    *member = text(value);
}

/* `count` records whose names try to be markup everywhere. */
static void fill_hostile(struct results *results, int backends, int records)
{
    static const enum status statuses[] = {STATUS_FAIL, STATUS_CRASH,   STATUS_ERROR,
                                           STATUS_PASS, STATUS_VACUOUS, STATUS_UNSUPPORTED};
    for (int k = 0; k < backends; k++) {
        struct record_header *header = add_header(results, hostile[k % HOSTILE], hostile[(k + 5) % HOSTILE]);
        char **const members[] = {&header->driver, &header->api,    &header->os,    &header->cpu,
                                  &header->level,  &header->commit, &header->assay, &header->started};
        for (int m = 0; m < 8; m++) {
            set(members[m], hostile[(k + m) % HOSTILE]);
        }
        for (int p = 0; p < header->profile_count; p++) {
            set(&header->profile[p].name, hostile[(k + p) % HOSTILE]);
        }
        for (int r = 0; r < records; r++) {
            char *id;
            cr_assert(asprintf(&id, "%s/%s%d/%s%d/%s%d", hostile[r % HOSTILE], hostile[3 * r % HOSTILE],
                               r % 97, hostile[r / 7 % HOSTILE], r % 31, hostile[r % HOSTILE], r) > 0);
            struct record *record = add_record(results, id, hostile[k % HOSTILE], statuses[r % 6]);
            free(id);
            record->rule = text(hostile[(r + 3) % HOSTILE]);
            record->reason = text(hostile[(r + 7) % HOSTILE]);
            record->detail = text(hostile[(r + 9) % HOSTILE]);
            record->repro = text(hostile[(r + 1) % HOSTILE]);
            record->implausible = r % 5 == 0 ? r : 0;
            record->implausible_by = text(hostile[r % HOSTILE]);
        }
    }
}

Test(markdown, hostile_names_do_nothing)
{
    struct results results = {0};
    fill_hostile(&results, 1, HOSTILE * 6);
    char *shown = tell(&results, 0);
    cr_expect(!strstr(shown, "\xe2\x80\xae") && !strchr(shown, '\r') && !strchr(shown, '\x1b'));
    char *said = read_with_python("markdown", shown);
    if (said) {
        cr_expect(!strstr(said, "Traceback"), "%s", said);
        cr_expect(strstr(said, "\nrow: 1 / @octocat / a|b|c / @octocat / 144 / 24 / **24** / "), "%s", said);
    }
    free(said);
    free(shown);
    results_destroy(&results);
}

/* Any results fit a comment, which states what it left out and where to find it. */
Test(markdown, always_fits_a_comment)
{
    static const struct {
        int backends, records;
    } sizes[] = {{1, 6000}, {24, 400}, {3, 2000}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        struct results results = {0};
        fill_hostile(&results, sizes[i].backends, sizes[i].records);
        char *shown = tell(&results, GATE_STRICT | GATE_IMPLAUSIBLE);
        cr_expect_leq(strlen(shown), 65000, "%zu bytes", strlen(shown));
        cr_expect(
            strstr(shown, "groups did not fit; `assay report RESULTS --format text --show 0` has all.\n"));
        cr_expect(strstr(shown, "did not fit; `assay report RESULTS --format html`, or csv, has them."));
        cr_expect(strstr(shown, "Where it ran") && strcmp(shown + strlen(shown) - 11, "</details>\n") == 0);
        char *said = read_with_python("markdown", shown);
        cr_expect(!said || !strstr(said, "Traceback"), "%s", said);
        free(said);
        free(shown);
        results_destroy(&results);
    }
}

Test(markdown, an_independent_reader_finds_the_same_cells)
{
    struct results results = {0};
    fill(&results);
    set(&results.header[1].device, "a|b\\|c `d` [click](javascript:alert(1))");
    char *shown = tell(&results, 0), *said = read_with_python("markdown", shown);
    if (said) {
        cr_expect(strstr(said, "\ntable: # / backend / device / driver / cases / pass / fail / "), "%s",
                  said);
        cr_expect(
            strstr(said,
                   "\nrow: 2 / cpu / a|b\\|c `d` [click](javasc… / Mesa 22.3.6 / 3 / 2 / 0 / 0 / 1 / 0 / "),
            "%s", said);
        cr_expect(strstr(said, "\nrow: linalg/logdet /  / F✓ / C_ /  / \n"), "%s", said);
    }
    free(said);
    free(shown);
    results_destroy(&results);
}

Test(markdown, what_no_backend_says_is_unknown)
{
    struct results results = {0};
    add_record(&results, "f/o/d/1", "a", STATUS_PASS);
    char *shown = tell(&results, 0);
    cr_expect(strstr(shown, "| 1 | `a`     | `unknown` |") &&
                  strstr(shown, "1 a: no header, nothing known\n"),
              "%s", shown);
    free(shown);
    results_destroy(&results);
}
