/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Mutants that are wrong at one size of one dimension of one operator and right everywhere else: the CPU
 * backend, with results spoiled in every step of that size. Each must be caught by the first case of the plan
 * that has the size (suites/plan/plan.def). */

#include "harness/judge/judge.h"
#include "suites/plan/size_coverage.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

extern const struct backend_class backend_class_cpu;

enum { RUNS = 2 };

/* Under a sanitizer, which looks for other faults than the suites', only every eighth operator is tested. */
#ifdef __SANITIZE_ADDRESS__
enum { EVERY = 8 };
#else
enum { EVERY = 1 };
#endif

/* A planned case that has run on the CPU backend. */
struct bench {
    struct program *program;
    struct program_truth truth;
    struct images images[RUNS];
    struct step_result *result;
    struct profile profile;
};

static bool set_up(struct bench *b, const struct suite_case *c, struct backend *cpu)
{
    struct error error = {.text = ""};
    struct backend_info info;
    memset(b, 0, sizeof *b);
    backend_class_cpu.info(cpu, &info);
    b->profile = info.profile;
    b->program = suite_build(c, 1, &error);
    cr_assert(b->program, "%s: %s", c->name, error.text);
    cr_assert(program_truth_compute(b->program, NULL, &b->truth, &error), "%s: %s", c->name, error.text);
    b->result = calloc((size_t)b->program->steps, sizeof *b->result);
    bool ran = true;
    for (int r = 0; r < RUNS; r++) {
        cr_assert(images_create(&b->images[r], b->program));
        images_fill(&b->images[r], b->program, r);
        struct backend_run run = {.image = b->images[r].image, .result = b->result};
        cr_assert(backend_class_cpu.run(cpu, b->program, &run, &error), "%s", error.text);
        for (int s = 0; s < b->program->steps; s++) {
            ran = ran && b->result[s].status == STEP_OK;
        }
    }
    return ran;
}

static void tear_down(struct bench *b)
{
    for (int r = 0; r < RUNS; r++) {
        images_destroy(&b->images[r]);
    }
    free(b->result);
    program_truth_destroy(&b->truth);
    program_destroy(&b->program);
}

static bool passes(struct bench *b, const char *id)
{
    struct judge_run run[RUNS] = {{&b->images[0], b->result}, {&b->images[1], b->result}};
    struct judge_request request = {
        .program = b->program, .truth = &b->truth, .profile = &b->profile, .runs = RUNS, .run = run};
    struct record record = {.id = NULL};
    cr_assert(judge(&request, &record, NULL), "%s", id);
    bool pass = record.status != STATUS_FAIL;
    record_clear(&record);
    return pass;
}

/* What a mutant leaves in the last element of the largest judged tensor. */
enum fault { FAULT_DROPPED, FAULT_REPEATED, FAULT_ZERO, FAULT_OTHER, FAULTS };

/* The bytes of that element in one run and what the mutant makes of them; NULL if nothing is judged. */
static unsigned char *faulty_element(const struct bench *b, int step, int run, enum fault fault,
                                     unsigned char wrong[16], size_t *size)
{
    struct view judged[TRUTH_OUTPUTS_MAX];
    int count = step_judged(&b->program->step[step], judged);
    const struct view *view = NULL;
    int64_t elements = 0;
    for (int j = 0; j < count; j++) {
        if (shape_elements(&judged[j].shape) > elements) {
            view = &judged[j];
            elements = shape_elements(&view->shape);
        }
    }
    if (!view) {
        return NULL;
    }
    *size = dtype_info(view->dtype)->size;
    const struct storage *storage = &b->program->storage[view->storage];
    size_t last = (size_t)view_element(view, elements - 1) * *size,
           first = (size_t)view_element(view, 0) * *size;
    unsigned char *bytes = b->images[run].image[view->storage] + BACKEND_GUARD;
    if (fault == FAULT_DROPPED && storage_defined(storage, last)) {
        memcpy(wrong, storage->data + last, *size);
    } else if (fault == FAULT_DROPPED) {
        memset(wrong, run % 2 ? 0x5A : 0xFF, *size); /* the poison of harness/judge/memory/images.c */
    } else if (fault == FAULT_REPEATED) {
        memcpy(wrong, bytes + first, *size);
    } else {
        memset(wrong, fault == FAULT_ZERO ? 0 : 0x41, *size);
    }
    return bytes + last;
}

/* Spoils the step in all runs, or restores it to what is given. False if the mutant changes nothing. */
static bool spoil(struct bench *b, int step, enum fault fault, unsigned char kept[RUNS][16], bool restore)
{
    bool changed = false;
    for (int r = 0; r < RUNS; r++) {
        unsigned char wrong[16];
        size_t size = 0;
        unsigned char *at = faulty_element(b, step, r, fault, wrong, &size);
        if (!at) { /* nothing to compute: a byte before the output */
            b->images[r].image[b->program->step[step].input[0].storage][0] ^= 1;
            changed = true;
        } else if (restore) {
            memcpy(at, kept[r], size);
        } else {
            memcpy(kept[r], at, size);
            changed = changed || memcmp(at, wrong, size) != 0;
            memcpy(at, wrong, size);
        }
    }
    return changed;
}

/* True if the truth is 0 or what rounding leaves of 0, as random data near 1 make it: a 0 is then no fault,
 * and a neighbour's number may be none. */
static bool is_zero(const struct bench *b, int step)
{
    const struct truth *truth = b->truth.truth[step];
    const struct truth_output *largest = &truth->output[0];
    for (int o = 1; o < truth->outputs; o++) {
        largest = truth->output[o].elements > largest->elements ? &truth->output[o] : largest;
    }
    return largest->elements > 0 &&
           fabs(value_approximately(&largest->value[largest->elements - 1])) < 0x1p-10;
}

/* True if the case catches a mutant of that step alone; the kind of mutant varies with `turn`. */
static bool catches(struct bench *b, int step, int turn, const char *id)
{
    unsigned char kept[RUNS][16];
    for (int k = 0; k < FAULTS; k++) {
        enum fault fault = k < FAULT_OTHER ? (enum fault)((turn + k) % FAULT_OTHER) : FAULT_OTHER;
        bool nothing = is_zero(b, step) && (fault == FAULT_REPEATED || fault == FAULT_ZERO);
        bool changed = spoil(b, step, fault, kept, false) && !nothing;
        bool caught = changed && !passes(b, id);
        spoil(b, step, fault, kept, true);
        if (changed) {
            return caught;
        }
    }
    return false;
}

/* --- every size of an operator that its cases up to `most` have */

struct hunt {
    const struct plan_operator *planned;
    bool tried[PLAN_AXES][64];
    int mutants, survivors;
};

static void hunt_case(struct hunt *hunt, const struct suite_case *c, const char *id, struct backend *cpu)
{
    struct bench b;
    bool ready = false;
    struct program *program = suite_build(c, 1, NULL);
    cr_assert(program, "%s", id);
    for (int s = 0; s < program->steps; s++) {
        int64_t size[PLAN_AXES];
        plan_measure_all(hunt->planned, program, &program->step[s], size);
        for (int a = 0; a < plan_axes(hunt->planned); a++) {
            for (int k = 0; size[a] >= 0 && k < plan_classes(); k++) {
                if (!plan_class_holds(k, size[a]) || hunt->tried[a][k]) {
                    continue;
                }
                hunt->tried[a][k] = true;
                if (!ready) {
                    cr_assert(set_up(&b, c, cpu), "%s: the CPU backend does not take it", id);
                    cr_assert(passes(&b, id), "%s: the CPU backend fails", id);
                    ready = true;
                }
                bool caught = catches(&b, s, a + k, id);
                cr_expect(caught, "%s wrong at %s = %lld passes %s, step %d", hunt->planned->name,
                          plan_kind_name(hunt->planned->axis[a].kind), (long long)size[a], id, s);
                hunt->mutants++;
                hunt->survivors += !caught;
            }
        }
    }
    if (ready) {
        tear_down(&b);
    }
    program_destroy(&program);
}

/* Operators of the plan from `first` to `last`. */
static int hunt_all(const char *first, const char *last, enum level level, const char *only)
{
    const int from = plan_index(plan_find(first)), to = plan_index(plan_find(last));
    struct suite_list *list = suite_list_create();
    struct backend *cpu = backend_class_cpu.open(&(struct backend_options){.selector = NULL}, NULL);
    int mutants = 0;
    cr_assert(list && cpu);
    for (int o = from; o <= to; o++) {
        struct hunt hunt = {.planned = plan_operator(o)};
        char name[64];
        snprintf(name, sizeof name, " %s ", hunt.planned->name);
        if (only ? !strstr(only, name) : o % EVERY) {
            continue;
        }
        for (int i = 0; i < suite_list_count(list); i++) {
            const struct suite_case *c = suite_list_at(list, i);
            if (strstr(c->covers, "size_plan") && strcmp(c->op->name, hunt.planned->name) == 0 &&
                c->level <= level) {
                hunt_case(&hunt, c, suite_list_id(list, i), cpu);
            }
        }
        mutants += hunt.mutants;
    }
    backend_class_cpu.close(&cpu);
    suite_list_destroy(&list);
    return mutants;
}

/* Numbers of mutants are at least what the plan has of these operators; see the assertion of each. */
Test(plan, faults_at_one_size_of_elementwise_operators_are_caught_slow)
{
    cr_expect_gt(hunt_all("sgn", "amp_step", LEVEL_STANDARD, NULL), 1500 / (2 * EVERY - 1));
}

Test(plan, faults_at_one_size_of_products_and_matrices_are_caught_slow)
{
    cr_expect_gt(hunt_all("matmul", "matrix_exp", LEVEL_STANDARD, NULL), 700 / (2 * EVERY - 1));
}

Test(plan, faults_at_one_size_of_norms_are_caught_slow)
{
    const int mutants = hunt_all("vector_norm", "logsumexp_backward", LEVEL_STANDARD, NULL) +
                        hunt_all("group_norm", "prelu_backward_weight", LEVEL_STANDARD, NULL);
    cr_expect_gt(mutants, 1000 / (2 * EVERY - 1));
}

Test(plan, faults_at_one_size_of_losses_are_caught_slow)
{
    cr_expect_gt(hunt_all("mse_loss", "cross_entropy_backward", LEVEL_STANDARD, NULL), 900 / (2 * EVERY - 1));
}

Test(plan, faults_at_one_size_of_sparse_operators_are_caught_slow)
{
    cr_expect_gt(hunt_all("coalesce", "sparse_mm_backward_dense", LEVEL_STANDARD, NULL),
                 1500 / (2 * EVERY - 1));
}

/* The sizes that only level exhaustive tests, for one operator with each kind of dimension. */
Test(plan, faults_at_sizes_of_level_exhaustive_are_caught_slow)
{
    cr_expect_gt(hunt_all("sgn", "sparse_mm_backward_dense", LEVEL_EXHAUSTIVE,
                          EVERY > 1 ? " sign " : " sign matmul batch_norm csr_mm "),
                 700 / (2 * EVERY - 1));
}
