/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/judge/test/false_alarms.h"
#include "harness/judge/statistics/evidence.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double *elements_of(const struct program *program, const struct view *view)
{
    int64_t n = view->storage < 0 ? 0 : shape_elements(&view->shape);
    double *x = view->storage < 0 ? NULL : malloc(((size_t)n + 1) * sizeof *x);
    for (int64_t i = 0; i < n; i++) {
        x[i] = dtype_load(view->dtype, program->storage[view->storage].data +
                                           (size_t)view_element(view, i) * dtype_info(view->dtype)->size);
    }
    return x;
}

/* Counts a false report if `factor` is beyond `limit`. */
static void note(struct tally *t, const struct problem *p, enum legal_form form, enum rule rule,
                 double factor, double limit)
{
    static const char *const names[RULES] = {"B", "Q", "T", "G"};
    t->greatest[rule] = fmax(t->greatest[rule], factor);
    if (factor > limit) {
        t->reported_falsely[rule]++;
        t->kind[p->data]++;
        cr_log_warn("%s %s n=%lld %s seed=%llu %s: %s = %g", p->op, dtype_info(p->dtype)->name,
                    (long long)p->size, problem_data_name(p->data), (unsigned long long)p->seed,
                    legal_form_name(form), names[rule], factor);
    }
}

static void judge_tensor(struct tally *t, const struct problem *p, const struct legal *l,
                         const struct profile *profile, const struct truth *truth, int output)
{
    const struct truth_output *out = &truth->output[output];
    struct evidence e;
    cr_assert(evidence_open(&e, out->elements, out->dtype, true));
    struct bound_query query = {.op = l->step->op,
                                .profile = profile,
                                .attributes = &l->step->attributes,
                                .truth = truth,
                                .output = output};
    for (int64_t i = 0; i < out->elements; i++) {
        struct accept accept;
        struct envelope_limit limit;
        unsigned char bytes[8];
        query.element = i;
        op_accept(&query, &accept);
        op_envelope(&query, &limit);
        dtype_store(out->dtype, bytes, l->output[output][i]);
        struct accept_verdict verdict = accept_judge(&accept, bytes);
        note(t, p, l->form, RULE_BY_B, verdict.accepted ? 0 : verdict.error_over_bound, 0);
        note(t, p, l->form, RULE_BY_Q, evidence_add(&e, &query, &accept, &limit, bytes), 1);
    }
    struct evidence_statistics s;
    cr_assert(evidence_end_slice(&e));
    evidence_measure(&e, &s);
    note(t, p, l->form, RULE_BY_T, s.t, EVIDENCE_T_LIMIT);
    note(t, p, l->form, RULE_BY_G, s.g, EVIDENCE_G_LIMIT);
    evidence_close(&e);
}

static void scale_operands(struct program *program, int scale)
{
    const struct step *step = &program->step[0];
    for (int i = 0; scale && i < step->inputs; i++) {
        double *x = elements_of(program, &step->input[i]);
        for (int64_t k = 0; x && k < shape_elements(&step->input[i].shape); k++) {
            program_set(program, &step->input[i], k, 0, ldexp(x[k], scale));
        }
        free(x);
    }
}

void report_falsely(struct tally *t, const struct problem *p)
{
    struct error error = {.text = ""};
    struct program *program = problem_build(p, &error);
    struct program_truth truth;
    struct profile profile = profile_ieee();
    cr_assert_not_null(program, "%s", error.text);
    scale_operands(program, t->scale);
    if (!program_truth_compute(program, NULL, &truth, &error)) {
        /* e^A of entries of a million */
        cr_assert(strstr(error.text, "grows beyond") || strstr(error.text, "precision ladder"), "%s",
                  error.text);
        program_destroy(&program);
        return;
    }
    struct legal l = {.wide = p->dtype == DTYPE_FLOAT64 ? DTYPE_FLOAT64 : DTYPE_FLOAT32,
                      .step = &program->step[0]};
    for (int d = 0; d < DTYPE_COUNT; d++) {
        profile.accumulate[d] =
            profile.accumulate[d] == DTYPE_FLOAT16 || profile.accumulate[d] == DTYPE_BFLOAT16
                ? DTYPE_FLOAT32
                : profile.accumulate[d];
    }
    for (int i = 0; i < l.step->inputs; i++) {
        l.input[i] = elements_of(program, &l.step->input[i]);
    }
    for (int o = 0; o < truth.truth[0]->outputs; o++) {
        l.output[o] = calloc((size_t)truth.truth[0]->output[o].elements + 1, sizeof(double));
    }
    for (int form = 0; form < LEGAL_FORMS; form++) {
        l.form = (enum legal_form)form;
        philox_start(&l.generator, p->seed);
        if (legal_run(&l)) {
            t->results++;
            for (int o = 0; o < truth.truth[0]->outputs; o++) {
                judge_tensor(t, p, &l, &profile, truth.truth[0], o);
            }
        }
    }
    for (int o = 0; o < TRUTH_OUTPUTS_MAX; o++) {
        free(l.output[o]);
    }
    for (int i = 0; i < OPERANDS_MAX; i++) {
        free(l.input[i]);
    }
    t->problems++;
    program_truth_destroy(&truth);
    program_destroy(&program);
}

struct problem problem_numbered(const char *op, int64_t number)
{
    static const int64_t rows[] = {2, 3, 4, 5, 7, 8, 12, 16, 17, 24, 33},
                         orders[] = {1, 2, 3, 4, 5, 6, 8, 10, 12};
    struct philox g;
    philox_start(&g, (uint64_t)number * 977 + 5);
    bool matrix = problem_is_matrix(op);
    uint32_t r = philox_next(&g) >> 8;
    return (struct problem){.op = op,
                            .dtype = philox_next(&g) >> 16 & 1 ? DTYPE_FLOAT64 : DTYPE_FLOAT32,
                            .size =
                                matrix ? orders[r % (strcmp(op, "matrix_exp") == 0 ? 7 : 9)] : rows[r % 11],
                            .data = (enum problem_data)(number % (matrix ? PROBLEM_KINDS : PROBLEM_VECTORS)),
                            .seed = (uint64_t)number};
}
