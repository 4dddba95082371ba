/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* What a cached truth depends on: harness/cache/truth_keys.sh on an edited copy of the sources with the
 * objects of the build, and the libraries' versions. */

#include "harness/cache/truth_key.h"
#include "harness/test/trial.h"

#include <criterion/criterion.h>
#include <gmp.h>
#include <limits.h>
#include <mpfi.h>
#include <mpfr.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

TestSuite(truth_key, .init = trial_begin, .fini = trial_end, .timeout = 60);

/* --- what a digest covers */

enum { DIGESTS_MAX = 256 };

struct digests {
    int count;
    char name[DIGESTS_MAX][48], text[DIGESTS_MAX][40]; /* of each op_set, then "all" */
};

/* A command of the shell in FOLDER; $R is the tree's root, $B the build. */
static void shell(const char *command)
{
    char root[PATH_MAX];
    cr_assert_not_null(getcwd(root, sizeof root));
    setenv("R", root, 1);
    setenv("B", trial_program(".."), 1);
    trial_shell(command);
}

static struct digests digests_of(const char *objects)
{
    struct digests d = {.count = 0};
    char line[256], command[PATH_MAX];
    snprintf(command, sizeof command, "sh $R/harness/cache/truth_keys.sh %s compiler >keys.c", objects);
    shell(command);
    FILE *file = fopen(trial_path("keys.c"), "r");
    cr_assert_not_null(file);
    while (fgets(line, sizeof line, file) && d.count < DIGESTS_MAX) {
        char *name = d.name[d.count], *text = d.text[d.count];
        if (sscanf(line, " {&op_set_%47[a-z0-9_], \"%39[0-9a-f]\"}", name, text) == 2 ||
            (sscanf(line, "const char truth_digest_of_%47[a-z][] = \"%39[0-9a-f]\"", name, text) == 2 &&
             strcmp(name, "all") == 0)) {
            d.count++;
        }
    }
    fclose(file);
    return d;
}

/* A line added to `path` in the copy changes these digests, named between spaces, and no other. */
static void expect_changed(const struct digests *before, const char *objects, const char *path,
                           const char *names)
{
    char command[256], name[64];
    snprintf(command, sizeof command, "cp %s kept && echo '/* edited */' >>%s", path, path);
    shell(command);
    struct digests after = digests_of(objects);
    snprintf(command, sizeof command, "mv kept %s", path);
    shell(command);
    cr_assert_geq(before->count, 20, "%d digests", before->count);
    cr_assert_eq(after.count, before->count);
    for (int k = 0; k < before->count; k++) {
        snprintf(name, sizeof name, " %s ", before->name[k]);
        cr_expect_str_eq(after.name[k], before->name[k]);
        cr_expect_eq(strcmp(after.text[k], before->text[k]) != 0, strstr(names, name) != NULL, "%s and%s",
                     path, name);
    }
}

static void copy_sources(void)
{
    shell("cp -r $R/reference reference && echo 'gcc 12 -O2' >compiler");
}

Test(truth_key, what_operators_share_counts_for_all)
{
    copy_sources();
    shell("echo 1, 2, 3 >reference/table.inc"); /* that some file may include */
    shell("echo A page >reference/notes.md");
    struct digests before = digests_of("$B/obj");
    expect_changed(&before, "$B/obj", "reference/operator/ziv.c", " all ");
    expect_changed(&before, "$B/obj", "reference/numeric/round_up.h", " all ");
    expect_changed(&before, "$B/obj", "reference/table.inc", " all ");
    expect_changed(&before, "$B/obj", "reference/notes.md", " ");
}

/* Another compiler, or other flags, may round a truth otherwise. */
Test(truth_key, the_compiler_and_its_flags_count_for_all)
{
    copy_sources();
    struct digests before = digests_of("$B/obj");
    expect_changed(&before, "$B/obj", "compiler", " all ");
    shell("grep -q -- -ffp-contract=off $B/obj/gen/compiler.txt && "
          "grep -q 'FILE_FLAGS := -O3' $B/obj/gen/compiler.txt");
}

Test(truth_key, an_operators_own_sources_count_for_it_alone)
{
    copy_sources();
    struct digests before = digests_of("$B/obj");
    expect_changed(&before, "$B/obj", "reference/ops/determinant/logdet.c", " logdet ");
    expect_changed(&before, "$B/obj", "reference/ops/determinant/logdet_bound.c", " logdet ");
    expect_changed(&before, "$B/obj", "reference/ops/determinant/logdet_bound.h", " logdet ");
    expect_changed(&before, "$B/obj", "reference/ops/inplace/inplace.c", " inplace ");
    expect_changed(&before, "$B/obj", "reference/ops/inplace/inplace_clamp.c", " inplace_clamp ");
}

/* What a family has of its own counts for its operators, and a test of it for none. */
Test(truth_key, a_file_of_a_family_counts_for_that_family_alone, .timeout = 240)
{
    static const char *const edited[][2] = {
        {"amp/grad_scaler.c", " grad_scaler "},
        {"argmax/argmax.c", " argmax "},
        {"determinant/determinant.h", " logdet "},
        {"matmul/matmul.h", " int_mm matmul "},
        {"matrix_exp/matrix_sensitivity.c", " matrix_exp "},
        {"norm/power_norm.c", " vector_norm "},
        {"norm/test/vector_norm.c", " "},
        {"normalization/normalization_envelope.c", " batch_norm group_norm instance_norm layer_norm "},
        {"quantization/quantization_limits.c", " quantization "},
        {"sparse/sparse_sum.c", " coalesce sampled_addmm sparse_mm "},
    };
    copy_sources();
    struct digests before = digests_of("$B/obj");
    for (size_t i = 0; i < sizeof edited / sizeof *edited; i++) {
        char path[128];
        snprintf(path, sizeof path, "reference/ops/%s", edited[i][0]);
        expect_changed(&before, "$B/obj", path, edited[i][1]);
    }
}

/* Losses are made of rows and of single elements; what is copied in place is converted. */
Test(truth_key, a_file_that_families_share_counts_for_them, .timeout = 240)
{
    copy_sources();
    struct digests before = digests_of("$B/obj");
    expect_changed(&before, "$B/obj", "reference/ops/conversion/conversion_rules.c",
                   " conversion embedding inplace_copy ");
    expect_changed(&before, "$B/obj", "reference/ops/inplace/inplace_operands.c",
                   " inplace inplace_clamp inplace_copy ");
    expect_changed(
        &before, "$B/obj", "reference/ops/elementwise/elementwise_limits.c",
        " activation_gradients activation_views activations arithmetic inplace loss_gradients losses "
        "nll_loss unary ");
    expect_changed(
        &before, "$B/obj", "reference/ops/rowwise/rowwise.h",
        " avg_pool cross_entropy cross_entropy_backward loss_gradients losses nll_loss prelu_weight "
        "reduction_gradients reductions softmax ");
}

/* One in ops/ for two operators, one that looks operators up, one that what all share needs. */
Test(truth_key, a_helper_counts_for_whoever_needs_it)
{
    copy_sources();
    shell("mkdir -p obj && cp -r $B/obj/reference obj/reference");
    trial_write("reference/ops/elementwise/helper.c", "int helper(void);\nint helper(void) { return 1; }\n");
    trial_write("reference/ops/matmul/deeper.c",
                "int helper(void);\nint deeper(void);\nint deeper(void) { return helper(); }\n");
    trial_write("reference/ops/deepest.c", "int deepest(void);\nint deepest(void) { return 1; }\n");
    shell("echo 'int helper(void); int sgn_user(void); int sgn_user(void) { return helper(); }' "
          ">>reference/ops/elementwise/sgn.c\n"
          "echo 'int deeper(void); int amp_user(void); int amp_user(void) { return deeper(); }' "
          ">>reference/ops/matmul/amp.c\n"
          "echo 'const struct op *found(void); const struct op *found(void) { return op_find(\"sgn\"); }' "
          ">>reference/ops/elementwise/square.c\n"
          "echo 'int deepest(void); int core_user(void); int core_user(void) { return deepest(); }' "
          ">>reference/operator/ziv.c\n"
          "for f in ops/elementwise/helper ops/matmul/deeper ops/deepest ops/elementwise/sgn ops/matmul/amp "
          "ops/elementwise/square operator/ziv; do\n"
          "    ${CC:-cc} -std=c17 -D_GNU_SOURCE -w -I. -MMD -c -o obj/reference/$f.o reference/$f.c || exit "
          "1\ndone");
    struct digests before = digests_of("obj");
    expect_changed(&before, "obj", "reference/ops/elementwise/helper.c", " sgn amp square ");
    expect_changed(&before, "obj", "reference/ops/matmul/deeper.c", " amp square ");
    expect_changed(&before, "obj", "reference/ops/deepest.c", " all ");
    expect_changed(&before, "obj", "reference/ops/determinant/logdet_bound.c", " logdet square ");
}

/* Without symbols nothing is known, and everything counts. */
Test(truth_key, where_nothing_is_known_every_source_counts)
{
    copy_sources();
    shell("mkdir -p obj && cp -r $B/obj/reference obj/reference && "
          "for o in $(find obj/reference/ops -name '*.o'); do : >$o; done");
    struct digests before = digests_of("obj 2>said");
    expect_changed(&before, "obj 2>said", "reference/ops/determinant/logdet_bound.c", " all ");
    expect_changed(&before, "obj 2>said", "reference/operator/ziv.c", " all ");
}

/* --- what a key contains */

Test(truth_key, the_libraries_that_are_loaded_are_in_it)
{
    const struct op *op = op_find("logdet");
    struct truth_libraries loaded = truth_libraries(), other;
    char key[TRUTH_KEY], changed[TRUTH_KEY], words[TRUTH_KEY];
    cr_expect_str_eq(loaded.mpfr, mpfr_get_version());
    cr_expect_str_eq(loaded.gmp, gmp_version);
    cr_expect_str_eq(loaded.mpfi, mpfi_get_version());
    truth_key(op, &loaded, key);
    snprintf(words, sizeof words, " mpfr %s gmp %s mpfi %s serial %d", mpfr_get_version(), gmp_version,
             mpfi_get_version(), TRUTH_SERIAL_VERSION);
    cr_expect(strstr(key, words), "%s", key);
    for (int k = 0; k < 3; k++) {
        other = loaded;
        *(k == 0 ? &other.mpfr : k == 1 ? &other.gmp : &other.mpfi) = "0.0";
        truth_key(op, &other, changed);
        cr_expect_str_neq(changed, key);
    }
}

/* Operators of one file share a key, those of two do not. */
Test(truth_key, every_operator_has_one)
{
    struct truth_libraries loaded = truth_libraries();
    char key[2][TRUTH_KEY];
    for (int i = 0; i < op_count(); i++) {
        truth_key(op_at(i), &loaded, key[i % 2]);
        cr_expect_eq(strncmp(key[i % 2], truth_digest_of_all, 32), 0);
        cr_expect_null(strstr(key[i % 2], truth_digest_of_sources), "%s is of no op_set", op_at(i)->name);
    }
    truth_key(op_find("logdet"), &loaded, key[0]);
    truth_key(op_find("slogdet"), &loaded, key[1]);
    cr_expect_str_eq(key[0], key[1]);
    truth_key(op_find("matmul"), &loaded, key[1]);
    cr_expect_str_neq(key[0], key[1]);
}
