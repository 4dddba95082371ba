/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reference/ops/attention/attention_gradient_exact.h"

#include <stdlib.h>

enum { PRODUCT_BITS = 106 /* hold a product of two doubles */ };

bool attention_gradient_exact_create(struct attention_gradient_exact *e, const struct op_call *call,
                                     const struct attention *a, int64_t rooms)
{
    const size_t rows = (size_t)rooms, scores = rows * ((size_t)a->keys + 1);
    *e = (struct attention_gradient_exact){.a = a, .call = call, .rooms = rooms};
    e->batch = malloc(rows * sizeof *e->batch);
    e->query = malloc(rows * sizeof *e->query);
    e->precision = calloc(rows, sizeof *e->precision);
    e->p = malloc(scores * sizeof *e->p);
    e->ds = malloc(scores * sizeof *e->ds);
    e->takes = malloc(scores * sizeof *e->takes);
    bool good = attention_scores_create(&e->s, call, &attention_backward_operands, a, 1);
    good = attention_exact_create(&e->row, call, &attention_backward_operands, a) && good;
    return good && e->batch && e->query && e->precision && e->p && e->ds && e->takes;
}

static void forget(struct attention_gradient_exact *e, int64_t room)
{
    for (int64_t j = 0; e->precision[room] && j < e->a->keys; j++) {
        mpfi_clear(e->p[room * e->a->keys + j]);
        mpfi_clear(e->ds[room * e->a->keys + j]);
    }
    e->precision[room] = 0;
}

void attention_gradient_exact_clear(struct attention_gradient_exact *e)
{
    for (int64_t r = 0; e->precision && e->p && e->ds && r < e->rooms; r++) {
        forget(e, r);
    }
    attention_scores_clear(&e->s);
    attention_exact_clear(&e->row);
    free(e->batch);
    free(e->query);
    free(e->precision);
    free(e->p);
    free(e->ds);
    free(e->takes);
}

/* Encloses dP = Σ dO·V of a key. */
static void enclose_product(const struct attention_gradient_exact *e, int64_t key, mpfr_ptr product,
                            mpfi_ptr dp)
{
    const struct attention *a = e->a;
    const int64_t columns = a->value_width, grad = (e->row.batch * a->queries + e->row.query) * columns,
                  value = (attention_value_matrix(a, e->row.batch) * a->keys + key) * columns;
    mpfi_set_ui(dp, 0);
    for (int64_t d = 0; d < columns; d++) {
        mpfr_set_d(product, tensor_component(&e->call->input[0], grad + d), MPFR_RNDN);
        mpfr_mul_d(product, product, tensor_component(&e->call->input[3], value + d), MPFR_RNDN);
        mpfi_add_fr(dp, dp, product);
    }
}

/* Computes P, and dS = P·(dP − D) with D = Σ P·dP, which is 0 where one key alone takes part. */
static void fill_row(struct attention_gradient_exact *e, int64_t room, mpfr_prec_t precision)
{
    const int64_t keys = e->a->keys, at = room * keys;
    mpfr_t product;
    mpfi_t d, term;
    int64_t parts = 0;
    mpfr_init2(product, PRODUCT_BITS);
    mpfi_init2(d, precision);
    mpfi_init2(term, precision);
    mpfi_set_ui(d, 0);
    for (int64_t j = 0; j < keys; j++) {
        mpfi_init2(e->p[at + j], precision);
        mpfi_init2(e->ds[at + j], precision);
        e->takes[at + j] = e->row.takes[j];
        if (e->row.takes[j]) {
            mpfi_div(e->p[at + j], e->row.weight[j], e->row.total);
            enclose_product(e, j, product, e->ds[at + j]);
            mpfi_mul(term, e->p[at + j], e->ds[at + j]);
            mpfi_add(d, d, term);
            parts++;
        }
    }
    for (int64_t j = 0; j < keys; j++) {
        if (e->row.takes[j]) {
            mpfi_sub(e->ds[at + j], e->ds[at + j], d);
            mpfi_mul(e->ds[at + j], e->ds[at + j], e->p[at + j]);
            if (parts == 1) {
                mpfi_set_ui(e->ds[at + j], 0);
                mpfi_set_ui(e->p[at + j], 1);
            }
        }
    }
    mpfi_clear(d);
    mpfi_clear(term);
    mpfr_clear(product);
}

/* Returns the room of a row at this precision, or −1 when out of memory. */
static int64_t seek(struct attention_gradient_exact *e, int64_t batch, int64_t query, mpfr_prec_t precision)
{
    const struct attention *a = e->a;
    int64_t room = (batch * a->queries + query) % e->rooms;
    if (e->precision[room] == precision && e->batch[room] == batch && e->query[room] == query) {
        return room;
    }
    forget(e, room);
    struct attention_row described;
    int64_t element = (attention_query_matrix(a, batch) * a->queries + query) * a->width;
    if (!attention_scores_compute(&e->s, batch, query, 1, element)) {
        return -1;
    }
    attention_row_describe(&e->s, 0, &described);
    attention_exact_seek(&e->row, &e->s, 0, &described, batch, query, element);
    attention_exact_weights(&e->row, precision);
    fill_row(e, room, precision);
    e->batch[room] = batch;
    e->query[room] = query;
    e->precision[room] = precision;
    return room;
}

struct climbing {
    struct attention_gradient_exact *e;
    const struct attention_exact_sum *sum;
    bool failed;
};

static void enclose(void *user, mpfr_prec_t precision, mpfi_t out[])
{
    struct climbing *c = user;
    struct attention_gradient_exact *e = c->e;
    mpfi_t term;
    mpfi_init2(term, precision);
    mpfi_set_ui(out[0], 0);
    for (int64_t n = 0; n < c->sum->count; n++) {
        const struct attention_term t = c->sum->term(c->sum->user, n);
        int64_t room = seek(e, t.batch, t.query, precision);
        c->failed = c->failed || room < 0;
        int64_t at = room * e->a->keys + t.key;
        if (room >= 0 && e->takes[at]) {
            attention_exact_add(out[0], c->sum->of_p ? e->p[at] : e->ds[at], t.factor, term);
        }
    }
    if (c->sum->scaled) {
        attention_exact_scale(e->a, out[0]);
    }
    attention_exact_zero(out[0]);
    mpfi_clear(term);
}

bool attention_gradient_certify(struct attention_gradient_exact *e, const struct attention_exact_sum *sum,
                                struct value *value, int *bits, struct error *error)
{
    struct climbing climbing = {.e = e, .sum = sum};
    const struct ziv ziv = {.enclose = enclose, .user = &climbing, .count = 1};
    return (ziv_refine(&ziv, value, bits, error) && !climbing.failed) ||
           error_set(error, "%s: a result is neither certified nor 0", e->call->op->name);
}
