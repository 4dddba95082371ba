/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "suites/coverage.h"
#include "suites/shared/procedure.h"

#include <criterion/criterion.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static struct suite_list *list;

static void open_list(void)
{
    list = suite_list_create();
    cr_assert_not_null(list);
    cr_assert_gt(suite_list_count(list), 0);
}

static void close_list(void)
{
    suite_list_destroy(&list);
    cr_assert_null(list);
}

TestSuite(suites, .init = open_list, .fini = close_list);

static int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

Test(suites, ids_are_unique)
{
    int count = suite_list_count(list);
    const char **id = malloc((size_t)count * sizeof *id);
    for (int i = 0; i < count; i++) {
        id[i] = suite_list_id(list, i);
    }
    for (int i = count - 1; i >= 0; i -= 101) { /* suite_list_find() searches from the start each time */
        cr_expect_eq(suite_list_find(list, id[i]), i, "%s is found elsewhere", id[i]);
    }
    qsort(id, (size_t)count, sizeof *id, by_text);
    for (int i = 1; i < count; i++) {
        cr_expect_str_neq(id[i - 1], id[i], "two cases are named %s", id[i]);
    }
    free(id);
    cr_expect_eq(suite_list_find(list, "no/such/case/here"), -1);
}

/* Names of any length are kept whole, also formatted ones. */
Test(suites, names_are_whole)
{
    char name[301];
    memset(name, 'n', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    struct suite_case c = *suite_list_at(list, 0);
    for (int together = 0; together < 2; together++) {
        c.name = name;
        if (together) {
            suite_declare_named(list, &c, "%.150s-%s", name, name + 151);
            name[150] = '-';
        } else {
            suite_declare(list, &c);
        }
        int last = suite_list_count(list) - 1;
        cr_expect_str_eq(suite_list_at(list, last)->name, name);
        cr_expect(strstr(suite_list_id(list, last), name));
        cr_expect_eq(suite_list_find(list, suite_list_id(list, last)), last);
    }
}

static bool is_declared(const struct step *step, const struct attribute *attribute)
{
    for (int a = 0; a < ATTRIBUTES_MAX && step->op->attributes[a].name; a++) {
        const struct op_attribute *declared = &step->op->attributes[a];
        if (strcmp(declared->name, attribute->name) == 0) {
            enum attribute_type type = declared->type == ATTRIBUTE_CODE ? ATTRIBUTE_INTEGER : declared->type;
            bool named = declared->type != ATTRIBUTE_CODE ||
                         op_choice_numbered(step->op, attribute->name, attribute->integer);
            return type == ATTRIBUTE_NUMBER
                       ? attribute->type == ATTRIBUTE_INTEGER || attribute->type == ATTRIBUTE_REAL
                       : attribute->type == type && named;
        }
    }
    return false;
}

/* An attribute of another type than the operator declares would be read as absent. */
Test(suites, attributes_are_as_declared)
{
    for (int i = 0; i < suite_list_count(list); i++) {
        const struct suite_case *c = suite_list_at(list, i);
        struct program *program = c->build && c->level == LEVEL_SMOKE ? suite_build(c, 1, NULL) : NULL;
        for (int s = 0; program && s < program->steps; s++) {
            const struct attributes *attributes = &program->step[s].attributes;
            for (int a = 0; a < attributes->count; a++) {
                cr_expect(is_declared(&program->step[s], &attributes->item[a]), "%s: %s of %s",
                          suite_list_id(list, i), attributes->item[a].name, program->step[s].op->name);
            }
        }
        program_destroy(&program);
    }
}

/* Ids are family/operator/dtype/name, of characters without a meaning to shells and globs. */
Test(suites, ids_are_well_formed)
{
    for (int i = 0; i < suite_list_count(list); i++) {
        const struct suite_case *c = suite_list_at(list, i);
        const char *id = suite_list_id(list, i);
        char expected[256];
        snprintf(expected, sizeof expected, "%s/%s/%s/%s", c->family ? c->family : c->op->family, c->op->name,
                 dtype_info(c->dtype)->name, c->name);
        cr_expect_str_eq(id, expected);
        cr_expect(*c->name && strlen(c->name) <= 40, "%s: the name is empty or too long", id);
        for (const char *p = c->name; *p; p++) {
            cr_expect(isalnum((unsigned char)*p) || strchr("-^", *p), "%s: character '%c'", id, *p);
        }
        cr_expect(c->line > 0 && strncmp(c->file, "suites/", 7) == 0, "%s: row %s:%d", id, c->file, c->line);
        cr_expect(c->op->dtypes >> c->dtype & 1, "%s: the reference cannot answer this dtype", id);
    }
}

/* Slow: builds thousands of programs to measure them. */
Test(suites, every_item_is_answered_slow)
{
    for (int i = 0; i < suite_list_count(list); i++) {
        const char *unknown = coverage_unknown(suite_list_at(list, i));
        cr_expect_null(unknown, "%s covers an unknown item at \"%s\"", suite_list_id(list, i), unknown);
    }
    char *text = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);
    int uncovered = suite_coverage_write(file, list);
    fclose(file);
    cr_expect_eq(uncovered, 0, "items or sizes without a case:\n%s", text);
    free(text);
}

/* Unknown keys are found in `covers`, known ones are not. */
Test(suites, a_gap_is_reported)
{
    cr_expect_lt(coverage_find("no_such_item", 12), 0);
    cr_expect_geq(coverage_find("hilbert", 7), 0);
    struct suite_case c = *suite_list_at(list, 0);
    c.covers = "hilbert  frankly";
    cr_expect_str_eq(coverage_unknown(&c), "frankly");
    c.covers = " hilbert frank ";
    cr_expect_null(coverage_unknown(&c));
}

static void check_views(const struct program *program, const char *id)
{
    for (int s = 0; s < program->steps; s++) {
        const struct step *step = &program->step[s];
        for (int i = 0; i < step->inputs + step->outputs; i++) {
            const struct view *view = i < step->inputs ? &step->input[i] : &step->output[i - step->inputs];
            if (i < step->inputs && view->storage < 0) {
                continue; /* an absent optional operand */
            }
            cr_expect(view->storage >= 0 && view->storage < program->storages, "%s: step %d", id, s);
            cr_expect(view_in_bounds(view, program->storage[view->storage].bytes), "%s: step %d, operand %d",
                      id, s, i);
        }
    }
    for (int r = 0; r < program->relations; r++) {
        const struct relation *relation = &program->relation[r];
        cr_expect(view_in_bounds(&relation->a, program->storage[relation->a.storage].bytes), "%s: relation",
                  id);
        cr_expect(view_in_bounds(&relation->b, program->storage[relation->b.storage].bytes), "%s: relation",
                  id);
        cr_expect(shape_equal(&relation->a.shape, &relation->b.shape), "%s: relation of unequal shapes", id);
        cr_expect_eq(relation->a.dtype, relation->b.dtype, "%s: relation of unequal dtypes", id);
    }
}

/* Checks that every operand is data or the result of an earlier step: a program never reads filler. */
static void check_defined(const struct program *program, const char *id)
{
    unsigned char **known = calloc((size_t)program->storages + 1, sizeof *known);
    for (int s = 0; s < program->storages; s++) {
        known[s] = malloc(program->storage[s].bytes + 1);
        for (size_t at = 0; at < program->storage[s].bytes; at++) {
            known[s][at] = storage_defined(&program->storage[s], at);
        }
    }
    for (int s = 0; s < program->steps; s++) {
        const struct step *step = &program->step[s];
        int64_t undefined = 0;
        for (int i = 0; i < step->inputs; i++) {
            int64_t count = step->input[i].storage < 0 ? 0 : shape_elements(&step->input[i].shape);
            size_t size = dtype_info(step->input[i].dtype)->size;
            for (int64_t k = 0; k < count; k++) {
                undefined += !known[step->input[i].storage][(size_t)view_element(&step->input[i], k) * size];
            }
        }
        cr_expect_eq(undefined, 0, "%s: step %d reads what nothing wrote", id, s);
        for (int o = 0; o < step->outputs; o++) {
            memset(known[step->output[o].storage], 1, program->storage[step->output[o].storage].bytes);
        }
    }
    for (int s = 0; s < program->storages; s++) {
        free(known[s]);
    }
    free(known);
}

static void build_all(uint64_t seed)
{
    for (int i = 0; i < suite_list_count(list); i++) {
        const struct suite_case *c = suite_list_at(list, i);
        if (c->procedure) {
            cr_expect(c->procedure->run && c->procedure->spoil && !c->build, "%s", suite_list_id(list, i));
            continue;
        }
        if (c->level == LEVEL_EXHAUSTIVE && i % 509) {
            continue; /* only some of the thousands of large blocks that differ in a number */
        }
        struct error error = {.text = ""};
        char first[33], second[33];
        struct program *program = suite_build(c, seed, &error), *again = suite_build(c, seed, &error);
        cr_assert(program && again, "%s: %s", suite_list_id(list, i), error.text);
        cr_expect_gt(program->steps, 0, "%s has no step", suite_list_id(list, i));
        program_digest(program, first);
        program_digest(again, second);
        cr_expect_str_eq(first, second, "%s is not the same twice", suite_list_id(list, i));
        check_views(program, suite_list_id(list, i));
        check_defined(program, suite_list_id(list, i));
        program_destroy(&again);
        program_destroy(&program);
    }
}

Test(suites, every_program_of_seed_1_builds_slow)
{
    build_all(1);
}

Test(suites, every_program_of_seed_2_builds_slow)
{
    build_all(2);
}

Test(suites, seed_and_case_select_the_data)
{
    struct philox a, b, c, d;
    const struct suite_case *one = suite_list_at(list, 0), *two = suite_list_at(list, 1);
    suite_generator(&a, 1, one, 0);
    suite_generator(&b, 2, one, 0);
    suite_generator(&c, 1, one, 1);
    suite_generator(&d, 1, two, 0);
    uint64_t x = philox_next64(&a);
    cr_expect_neq(x, philox_next64(&b));
    cr_expect_neq(x, philox_next64(&c));
    cr_expect_neq(x, philox_next64(&d));
    suite_generator(&b, 1, one, 0);
    cr_expect_eq(x, philox_next64(&b));
}

/* Programs have the same bits on every machine. A change here changes every published digest of a result. */
Test(suites, digests_are_pinned)
{
    static const struct {
        const char *id, *digest;
    } pinned[] = {
#include "suites/test/pinned.def"
    };
    for (size_t k = 0; k < sizeof pinned / sizeof *pinned; k++) {
        int index = suite_list_find(list, pinned[k].id);
        cr_assert_geq(index, 0, "%s is gone", pinned[k].id);
        struct program *program = suite_build(suite_list_at(list, index), 1, NULL);
        cr_assert_not_null(program);
        char digest[33];
        program_digest(program, digest);
        cr_expect_str_eq(digest, pinned[k].digest, "%s", pinned[k].id);
        program_destroy(&program);
    }
}

/* A case whose name begins with "refuse" holds a refusal. That no other case does, the builders check. */
Test(suites, refusals_are_expected_where_named)
{
    int refusing = 0;
    for (int i = 0; i < suite_list_count(list); i++) {
        const struct suite_case *c = suite_list_at(list, i);
        if (strncmp(c->name, "refuse", 6) != 0) {
            continue;
        }
        struct program *program = suite_build(c, 1, NULL);
        cr_assert_not_null(program);
        bool refused = false;
        for (int s = 0; s < program->steps; s++) {
            refused = refused || program->step[s].expect == EXPECT_REJECTION;
        }
        cr_expect(refused, "%s", suite_list_id(list, i));
        program_destroy(&program);
        refusing++;
    }
    cr_expect_gt(refusing, 30);
}

Test(suites, levels_have_names)
{
    enum level level = LEVEL_SMOKE;
    for (int l = 0; l < LEVEL_COUNT; l++) {
        cr_expect(level_from_name(level_name((enum level)l), &level));
        cr_expect_eq(level, (enum level)l);
    }
    cr_expect_not(level_from_name("thorough", &level));
    cr_expect_eq(level, LEVEL_EXHAUSTIVE);
}
