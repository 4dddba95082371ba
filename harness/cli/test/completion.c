/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/test/trial.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Tests harness/options/assay.bash in a bash without start files and without the package bash-completion. It
 * is called as bash calls it: with the line, the cursor and the words split at COMP_WORDBREAKS. */

static char answer[1 << 16];

TestSuite(completion, .init = trial_begin, .fini = trial_end, .timeout = 60);

/* $1 is the line. bash splits words at ':' and '=' too, but not inside quotes. */
static const char driver[] =
    "source harness/options/assay.bash\n"
    "complete -p assay >/dev/null || exit 9\n"
    "compopt() { echo \"option $*\"; }\n"
    "COMP_WORDBREAKS=$' \\t\\n\"\\'><=;|&(:'\n"
    "COMP_LINE=$1 COMP_POINT=${#1} rest=$1 COMP_WORDS=()\n"
    "while [ -n \"$rest\" ]; do\n"
    "    case $rest in\n"
    "    [\\'\\\"]*) COMP_WORDS+=(\"$rest\") rest= ;;\n"
    "    ' '*) rest=${rest#\"${rest%%[! ]*}\"}; [ -n \"$rest\" ] || COMP_WORDS+=('') ;;\n"
    "    [:=]*) COMP_WORDS+=(\"${rest:0:1}\") rest=${rest:1}; [ -n \"$rest\" ] || COMP_WORDS+=('') ;;\n"
    "    *) word=${rest%%[ :=]*}; COMP_WORDS+=(\"$word\") rest=${rest#\"$word\"} ;;\n"
    "    esac\n"
    "done\n"
    "COMP_CWORD=$((${#COMP_WORDS[@]} - 1))\n"
    "_assay \"$ASSAY_FAULTY\" \"${COMP_WORDS[COMP_CWORD]}\" ''\n"
    "printf '%s\\n' \"${COMPREPLY[@]}\"\n";

/* Returns what bash would offer for "assay LINE", one candidate per line between newlines. */
static const char *offered(const char *line)
{
    char command[512], path[128];
    trial_script("driver", driver);
    setenv("ASSAY_FAULTY", "build/test/assay-faulty", 0);
    snprintf(path, sizeof path, "%s/line", trial->folder);
    FILE *file = fopen(path, "w");
    cr_assert(file && fprintf(file, "assay %s", line) > 0 && fclose(file) == 0);
    snprintf(command, sizeof command,
             "cd '%s' && x=$(cat line; echo .) && cd \"$OLDPWD\" && exec bash --norc --noprofile %s/driver "
             "\"${x%%.}\"",
             trial->folder, trial->folder);
    FILE *pipe = popen(command, "r");
    cr_assert(pipe);
    answer[0] = '\n';
    size_t length = 1 + fread(answer + 1, 1, sizeof answer - 2, pipe);
    answer[length] = 0;
    cr_assert_eq(pclose(pipe), 0, "%s", answer);
    return answer;
}

static void offers(const char *line, const char *all)
{
    cr_expect_str_eq(offered(line), all, "assay %s: %s", line, answer);
}

static void has(const char *line, const char *one, bool wanted)
{
    char whole[200];
    snprintf(whole, sizeof whole, "\n%s\n", one);
    cr_expect_eq(strstr(offered(line), whole) != NULL, wanted, "assay %s: %s in %s", line, one, answer);
}

Test(completion, commands)
{
    offers("r", "\nrun\nrepro\nreport\n");
    offers("help co", "\ncompare\n");
    has("", "devices", true);
    has("", "--version", true);
    has("", "worker", false);
    offers("nosuch --", "\n\n");
}

/* Every option in the help of every command is offered, and no other. */
Test(completion, options_of_each_command)
{
    static const char *const commands[] = {"run",   "list",    "devices", "repro", "report",
                                           "merge", "compare", "check",   "bench"};
    for (size_t c = 0; c < sizeof commands / sizeof *commands; c++) {
        char line[64], help[OUTPUT_MAX];
        int offered_count = 0, shown = 0;
        trial_run("%s --help", commands[c]);
        memcpy(help, trial->output, sizeof help);
        snprintf(line, sizeof line, "%s --", commands[c]);
        for (const char *text = offered(line); (text = strstr(text, "\n--")); text++) {
            offered_count++;
        }
        char *options = strstr(help, "\noptions:\n"), *end = strstr(help, "\nexamples:\n");
        cr_assert(options && end);
        *end = 0;
        for (char *row = options + 9; (row = strstr(row, "\n  ")); row++) {
            char name[80], letter;
            if (sscanf(row, " -%c, %79s", &letter, name) == 2 || sscanf(row, " %79s", name) == 1) {
                bool option = strncmp(name, "--", 2) == 0 && strspn(row + 1, " ") < 8;
                shown += option;
                char whole[90];
                snprintf(whole, sizeof whole, "\n%s\n", name);
                cr_expect(!option || strstr(answer, whole), "%s lacks %s", line, name);
            }
        }
        cr_expect_eq(offered_count, shown, "%s: %d offered, %d in --help", line, offered_count, shown);
        cr_expect_gt(shown, 1);
    }
}

Test(completion, values)
{
    offers("run --level s", "\nsmoke\nstandard\n");
    offers("run -l ", "\nsmoke\nstandard\nexhaustive\n");
    offers("run --level=s", "\nsmoke\nstandard\n");
    offers("report x --format ", "\ntext\njunit\nmarkdown\ncsv\nhtml\n");
    offers("repro --format j", "\njson\n");
    offers("run --by ", "\nfamily\noperator\n");
    offers("run --color a", "\nauto\nalways\n");
    offers("run --fail-on v", "\nvacuous\n");
    offers("run --fail-on flake,u", "\nflake,unsupported\nflake,unexpected_pass\n");
    offers("run --fail-on=flake,u", "\nflake,unsupported\nflake,unexpected_pass\n");
    has("run --fail-on flake,", "flake,flake", false);
    has("run --fail-on ", "worse", false);
    offers("repro --dtype b", "\nbfloat16\nbool\n");
    offers("repro --op logd", "\nlogdet\n");
    offers("run --seed ", "\n\n");
    offers("run --no-cache=", "\n\n");
    offers("bench r", "\nreference\nrunner\nresolution\n");
}

Test(completion, backends)
{
    offers("run --backend torch:", "\ncpu\ncuda\nmps\n");
    offers("devices jax:c", "\ncpu\n");
    offers("run --backend cp", "\ncpu\n");
    has("run --backend c", "call:", true);
    has("run --backend ", "vulkan", true);
    has("run --backend ", "faulty", true);
    has("run --backend ", "option -o nospace", true);
}

/* Ids are completed part by part; a glob may also be an operator or a dtype. */
Test(completion, cases)
{
    offers("run elementwise/sgn/fl",
           "\noption -o nospace\noption -o nospace\noption -o nospace\nelementwise/sgn/float16/\n"
           "elementwise/sgn/float32/\nelementwise/sgn/float64/\n");
    offers("repro linalg/logdet/float32/hilbert-n1", "\nlinalg/logdet/float32/hilbert-n10\n");
    offers("run logd", "\nlogdet\n");
    offers("bench reference logd", "\nlogdet\n");
    offers("list --level smoke bfl", "\nbfloat16\n");
    has("repro logd", "logdet", false);
    offers("repro --after elementwise/sgn/float32/length-655",
           "\nelementwise/sgn/float32/length-65536\nelementwise/sgn/float32/length-65537\n");
    offers("run --exclude logd", "\nlogdet\n");
    offers("run 'elementwise/sgn/bool", "\n\n");
    has("run 'elementwise/sgn/f", "elementwise/sgn/float32/", true);
    offers("list 'elementwise/squ", "\noption -o nospace\noption -o nospace\noption -o nospace\n"
                                    "elementwise/square/float16/\nelementwise/square/float32/\n"
                                    "elementwise/square/int32/\n");
    has("run elementwise/sgn/float32/length=", "option -o nospace", false);
}

Test(completion, files)
{
    char line[200], name[100];
    trial_script("a results.jsonl", "");
    snprintf(line, sizeof line, "report %s/a", trial->folder);
    snprintf(name, sizeof name, "%s/a results.jsonl", trial->folder);
    has(line, name, true); /* readline quotes it: */
    has(line, "option -o filenames", true);
    snprintf(line, sizeof line, "run --results=%s/a", trial->folder);
    has(line, name, true);
    snprintf(line, sizeof line, "run --backend exec:%s/a", trial->folder);
    has(line, name, true);
    snprintf(line, sizeof line, "run --report %s/", trial->folder);
    has(line, name, false);
}

/* The page has the contents of the tables, and groff reports no warning. */
Test(manual, has_every_option_and_no_fault)
{
    static const char *const commands[] = {"run",   "list",    "devices", "repro", "report",
                                           "merge", "compare", "check",   "bench"};
    trial_begin();
    trial_run("help --man");
    cr_assert_eq(trial->status, 0);
    char *page = strdup(trial->output);
    cr_assert_lt(strlen(page), OUTPUT_MAX - 1);
    char path[128], command[600];
    snprintf(path, sizeof path, "%s/assay.1", trial->folder);
    FILE *file = fopen(path, "w");
    cr_assert(file && fputs(page, file) >= 0 && fclose(file) == 0);
    for (size_t c = 0; c < sizeof commands / sizeof *commands; c++) {
        char title[64];
        snprintf(title, sizeof title, "\n.SH ASSAY %s\n", commands[c]);
        for (char *p = title + 5; *p; p++) {
            *p = (char)(*p >= 'a' && *p <= 'z' ? *p - 32 : *p);
        }
        const char *section = strstr(page, title);
        cr_expect(section, "%s", title);
        trial_run("%s --help", commands[c]);
        char *options = strstr(trial->output, "\noptions:\n"), *end = strstr(trial->output, "\nexamples:\n");
        cr_assert(section && options && end);
        *end = 0;
        for (char *row = options; (row = strstr(row, " --")); row++) {
            char name[80] = "\\-\\-", *to = name + 4;
            for (const char *from = row + 3; (*from >= 'a' && *from <= 'z') || *from == '-'; from++) {
                *to++ = '\\';
                to -= *from != '-';
                *to++ = *from;
            }
            *to = 0;
            cr_expect(strstr(section, name), "%s lacks %s", title, name);
        }
    }
    cr_expect(strstr(page, "\\fBASSAY_PYTHON\\fR") && strstr(page, "\\fBASSAY_ADAPTERS\\fR"));
    free(page);
    if (system("command -v groff >/dev/null 2>&1") == 0) {
        snprintf(command, sizeof command,
                 "cd %s && groff -k -man -Tutf8 -ww assay.1 >rendered 2>warnings && ! grep . warnings "
                 "&& grep -q 'fail-on' rendered",
                 trial->folder);
        cr_expect_eq(system(command), 0, "groff warns");
    } else if (system("command -v mandoc >/dev/null 2>&1") == 0) {
        snprintf(command, sizeof command, "mandoc -Tlint -Wwarning %s/assay.1", trial->folder);
        cr_expect_eq(system(command), 0, "mandoc warns");
    } else {
        trial_end();
        cr_skip_test("neither groff nor mandoc is here: the page is not rendered");
    }
    trial_end();
}

/* The pages of docs/reference that the program prints: .ci/generated-pages compares them with those in the
 * tree. */
Test(manual, markdown_pages_are_listed_and_printed)
{
    trial_begin();
    trial_run("help --markdown");
    trial_expect(0, "cli\ncli/run\n");
    trial_expect(0, "\noperators\n");
    trial_expect(0, "\noperators/linalg\n");
    trial_run("help --markdown cli/run");
    trial_expect(0, "- `--max-failures N`: ");
    trial_run("help --markdown operators/inplace");
    trial_expect(0, "| `add_` | self!, other → ! | alpha: number = 1 | floats, int32, int64 | ");
    trial_run("help --markdown operators/reduction");
    trial_expect(0, "| `argmax` | input → 1 | dim: integer; keepdim: bool = false | ");
    trial_run("help --markdown cli/walk");
    trial_expect(2, "there is no page \"cli/walk\"");
    trial_end();
}
