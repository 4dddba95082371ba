/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/test/shell.h"
#include "harness/test/trial.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What the Makefile requires of a machine, when it builds anew, and which commit it finds. */

static void begin(void)
{
    trial_begin();
    setenv("T", trial->folder, 1);
    unsetenv("MAKEFLAGS");
    unsetenv("MAKELEVEL");
    unsetenv("WERROR");
}

TestSuite(makefile, .init = begin, .fini = trial_end, .timeout = 120);

/* A machine without what the tests alone need: neither pkg-config nor the compiler, Python and PATH have it.
 */
static void without_the_tests_needs(void)
{
    trial_script("pkg-config", "#!/bin/sh\ncase \"$*\" in *criterion*) exit 1 ;; esac\n"
                               "PATH=${PATH#*:} exec pkg-config \"$@\"\n");
    trial_script("cc-without", "#!/bin/sh\nsource=$(cat)\ncase $source in *arb.h*) exit 1 ;; esac\n"
                               "echo \"$source\" | PATH=${PATH#*:} gcc \"$@\"\n");
    trial_script("python3", "#!/bin/sh\nexit 1\n");
    setenv("CC", trial_path("cc-without"), 1);
    must("echo \"$T:$PATH\"");
    output[strcspn(output, "\n")] = 0;
    setenv("PATH", output, 1);
}

Test(makefile, conformance_needs_nothing_of_the_tests)
{
    must("make -n conformance BACKEND=cpu LEVEL=smoke | grep 'ci/deps'");
    cr_expect(strstr(output, ".ci/deps program  \n"), "%s", output);
    must("make -n conformance BACKEND=vulkan:1 VALIDATE=1 | grep 'ci/deps'");
    cr_expect(strstr(output, ".ci/deps program device layer\n"), "%s", output);
    must("sh .ci/deps --missing program device layer check");
    cr_expect_str_eq(output, "", "this machine builds the tests, and so has all: %s", output);
    without_the_tests_needs();
    must("sh .ci/deps --missing program device");
    cr_expect_str_eq(output, "", "%s", output);
    must("sh .ci/deps --missing program check");
    cr_expect_str_eq(output, "criterion arb.h jsonschema \n", "%s", output);
}

Test(makefile, packages_of_the_program_and_of_the_tests_are_disjoint)
{
    must("sh .ci/deps --list check | tr ' ' '\\n' | sort >\"$T/check\"; "
         "sh .ci/deps --list program device | tr ' ' '\\n' | sort | comm -12 - \"$T/check\" | grep .; "
         "grep -c . \"$T/check\"");
    cr_expect_str_eq(output, "7\n");
    must("CC=clang sh .ci/deps --list program | tr ' ' '\\n' | grep -x -e clang -e gcc");
    cr_expect_str_eq(output, "clang\n");
    cr_expect_eq(shell("sh .ci/deps --list programs 2>&1"), 2);
    cr_expect(strstr(output, "check    what the tests need besides"), "%s", output);
}

/* Builds a small program of the tree in a folder of the test's own; prints what make compiles. */
#define MAKE_SMALL "make --no-print-directory BUILD=\"$T/b\" \"$T/b/test/example\" "
#define COMPILED   " 2>&1 | grep -c '^  LINK ' || true"

Test(makefile, another_compiler_or_other_flags_build_anew)
{
    trial_script("cc-other",
                 "#!/bin/sh\n[ \"$*\" != --version ] || { echo 'other 1.0'; exit; }\nexec gcc \"$@\"\n");
    static const struct {
        const char *words, *compiled;
    } builds[] = {{"", "1\n"},
                  {"", "0\n"},
                  {"WERROR=1", "0\n"},
                  {"V=1", "0\n"},
                  {"CC=\"$T/cc-other\"", "1\n"},
                  {"CC=\"$T/cc-other\"", "0\n"},
                  {"CC=\"$T/cc-other\" CFLAGS=-O0", "1\n"},
                  {"CC=\"$T/cc-other\" CFLAGS=-O0 WERROR=1", "0\n"},
                  {"", "1\n"}};
    for (size_t b = 0; b < sizeof builds / sizeof *builds; b++) {
        char command[400];
        snprintf(command, sizeof command, "%s%s%s", MAKE_SMALL, builds[b].words, COMPILED);
        must(command);
        cr_expect_str_eq(output, builds[b].compiled, "build %zu, %s", b, builds[b].words);
    }
}

/* Every object of the program depends on the compiler: the program has some 600. */
Test(makefile, all_objects_depend_on_the_compiler)
{
    trial_script("cc-other",
                 "#!/bin/sh\n[ \"$*\" != --version ] || { echo 'other 1.0'; exit; }\nexec gcc \"$@\"\n");
    must("make -n build | grep -o '[^ ]*\\.o -c\\|-c -o [^ ]*\\.o' | sort -u | wc -l");
    int before = atoi(output);
    must("make -n build CC=\"$T/cc-other\" | tr ' ' '\\n' | grep '\\.o$' | sort -u >\"$T/objects\"; "
         "make -n build CC=\"$T/cc-other\" | grep -o -- '-c -o [^ ]*\\.o' | sed 's/.* //' | sort -u | "
         "comm -13 - \"$T/objects\"");
    cr_expect_str_eq(output, "", "these are linked and not compiled anew: %s", output);
    must("wc -l <\"$T/objects\"");
    cr_expect_gt(atoi(output), 500);
    cr_expect_lt(before, 20, "an unchanged tree compiles %d objects", before);
}

#define COMMIT_OF(git)                                                                                       \
    git " make --no-print-directory BUILD=\"$T/v\" \"$T/v/version.stamp\" 2>\"$T/said\" >&2; "               \
        "cut -d ' ' -f 2 \"$T/v/version.stamp\""

/* git's own tests set the variable by which a tree seems to be another user's, which git refuses. */
Test(makefile, another_users_tree_has_its_commit)
{
    if (shell("git rev-parse HEAD >/dev/null 2>&1")) {
        cr_skip("this tree is no clone, or git is not here");
    }
    must("git rev-parse --short=12 HEAD");
    char commit[64];
    snprintf(commit, sizeof commit, "%.12s", output);
    cr_assert_neq(shell("GIT_TEST_ASSUME_DIFFERENT_OWNER=1 git rev-parse HEAD 2>/dev/null"), 0,
                  "git accepts it");
    must(COMMIT_OF("GIT_TEST_ASSUME_DIFFERENT_OWNER=1"));
    cr_expect(strstr(output, commit), "%s, not %s", output, commit);
    must("cat \"$T/said\"");
    cr_expect_not(strstr(output, "unknown"), "%s", output);
    trial_script("git", "#!/bin/sh\necho 'fatal: of its own reasons' >&2\nexit 128\n");
    must(COMMIT_OF("PATH=\"$T:$PATH\""));
    cr_expect_str_eq(output, "unknown\n");
    must("cat \"$T/said\"");
    cr_expect(strstr(output, "will name no commit of assay (\"unknown\"), because git does not give it: "
                             "fatal: of its own reasons"),
              "%s", output);
}
