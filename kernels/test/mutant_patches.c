/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */

/* Tests check.sh, which checks that the patches of mutants apply, and renew.sh, on a copy of kernels/ with
 * one patch. */

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PATCH  "kernels/test/mutants/patches/MUTANT_EXP_FLAT.patch"
#define SOURCE "kernels/vulkan/lib/functions.glsl"

static char tree[] = "/tmp/assay-patches-XXXXXX";

static void copy(void)
{
    char command[512];
    cr_assert(mkdtemp(tree));
    snprintf(command, sizeof command,
             "cp -a kernels %s && cd %s/kernels/test/mutants && mv patches all && mkdir patches && "
             "mv all/MUTANT_EXP_FLAT.patch patches/ && rm -r all && "
             "grep '^MUTANT_EXP_FLAT' mutants.txt >one && mv one mutants.txt",
             tree, tree);
    cr_assert_eq(system(command), 0);
}

static void delete (void)
{
    char command[128];
    snprintf(command, sizeof command, "rm -rf %s", tree);
    cr_assert_eq(system(command), 0);
}

TestSuite(mutant_patches, .init = copy, .fini = delete);

/* Runs a shell command in the copy; it must succeed. */
static void in_tree(const char *command)
{
    char whole[512];
    snprintf(whole, sizeof whole, "cd %s && { %s; } >log 2>&1", tree, command);
    cr_assert_eq(system(whole), 0, "%s", command);
}

/* Returns the output of check.sh for the copy. */
static const char *check(int *status)
{
    static char text[4096];
    char command[256];
    snprintf(command, sizeof command, "sh kernels/test/mutants/check.sh %s 2>&1", tree);
    FILE *pipe = popen(command, "r");
    cr_assert(pipe);
    text[fread(text, 1, sizeof text - 1, pipe)] = '\0';
    *status = pclose(pipe);
    return text;
}

static void accepts(void)
{
    int status;
    const char *text = check(&status);
    cr_expect_eq(status, 0, "%s", text);
    cr_expect_str_empty(text);
}

static void refuses(const char *part)
{
    int status;
    const char *text = check(&status);
    cr_expect_neq(status, 0);
    cr_expect(strstr(text, part), "no \"%s\" in: %s", part, text);
}

Test(mutant_patches, line_numbers_may_move)
{
    in_tree("{ echo; echo; cat " SOURCE "; } >moved && cp moved " SOURCE);
    accepts();
}

Test(mutant_patches, a_changed_line_of_context_is_refused)
{
    in_tree("grep -qxF ' {' " PATCH " && grep -vxF '{' " SOURCE " >changed && cp changed " SOURCE);
    refuses(PATCH " does not apply");
}

Test(mutant_patches, context_that_stands_twice_is_refused)
{
    in_tree("cat " SOURCE " " SOURCE " >twice && cp twice " SOURCE);
    refuses(PATCH ": what stands around line");
}

Test(mutant_patches, every_name_has_a_patch_and_every_patch_a_name)
{
    in_tree("mv " PATCH " kernels/test/mutants/patches/MUTANT_NOBODY.patch");
    refuses("MUTANT_EXP_FLAT: mutants.txt lists it");
    refuses("mutants.txt does not list MUTANT_NOBODY");
}

Test(mutant_patches, the_head_is_that_of_the_list)
{
    in_tree("sed -i.old '1s/$/ or so/' " PATCH " && rm " PATCH ".old");
    refuses(PATCH ": its first line is not that of mutants.txt");
}

Test(mutant_patches, macros_are_refused)
{
    in_tree("printf '#ifdef %s_FLAT\\n#endif\\n' MUTANT >>kernels/cpu/ops/unary.c");
    refuses("kernels/cpu/ops/unary.c:");
}

Test(mutant_patches, a_file_that_is_not_copied_is_refused)
{
    in_tree("sed -i.old 's|kernels/vulkan/lib|kernels/test/lib|' " PATCH " && rm " PATCH ".old");
    refuses(PATCH " changes a file outside");
}

Test(mutant_patches, a_renewed_patch_is_what_it_was)
{
    /* but for the numbers of its lines, which a change above them has moved */
    in_tree("sed 's/^@@.*//' " PATCH " >before && sh kernels/test/mutants/renew.sh begin MUTANT_EXP_FLAT && "
            "sh kernels/test/mutants/renew.sh end MUTANT_EXP_FLAT && sed 's/^@@.*//' " PATCH
            " | cmp before -");
    accepts();
}

Test(mutant_patches, a_new_patch_has_the_head_of_the_list)
{
    in_tree("sed 's/FLAT/NEW/' kernels/test/mutants/mutants.txt >new && cat new "
            ">>kernels/test/mutants/mutants.txt && "
            "sh kernels/test/mutants/renew.sh begin MUTANT_EXP_NEW && "
            "echo '// wrong' >>build/mutants/renew/MUTANT_EXP_NEW/b/" SOURCE " && "
            "sh kernels/test/mutants/renew.sh end MUTANT_EXP_NEW && "
            "grep -qxF '+// wrong' kernels/test/mutants/patches/MUTANT_EXP_NEW.patch");
    accepts();
}
