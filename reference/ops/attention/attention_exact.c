/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reference/ops/attention/attention_exact.h"

#include <stdlib.h>

enum { PRODUCT_BITS = 106 /* hold a product of two doubles */ };

bool attention_exact_create(struct attention_exact *e, const struct op_call *call,
                            const struct attention_operands *at, const struct attention *a)
{
    const size_t keys = (size_t)a->keys + 1;
    *e = (struct attention_exact){.a = a,
                                  .call = call,
                                  .at = at,
                                  .takes = malloc(keys * sizeof *e->takes),
                                  .weight = malloc(keys * sizeof *e->weight)};
    return e->takes && e->weight;
}

static void forget(struct attention_exact *e)
{
    for (int64_t j = 0; e->precision && j < e->a->keys; j++) {
        mpfi_clear(e->weight[j]);
    }
    if (e->precision) {
        mpfi_clear(e->total);
    }
    e->precision = 0;
}

void attention_exact_clear(struct attention_exact *e)
{
    forget(e);
    free(e->takes);
    free(e->weight);
}

void attention_exact_seek(struct attention_exact *e, const struct attention_scores *s, int64_t row,
                          const struct attention_row *described, int64_t batch, int64_t query,
                          int64_t element)
{
    forget(e);
    e->batch = batch;
    e->query = query;
    e->element = element;
    e->most = described->most;
    for (int64_t j = 0; j < e->a->keys; j++) {
        e->takes[j] = s->score[row * e->a->keys + j].key == ATTENTION_TAKES_PART;
    }
}

void attention_exact_scale(const struct attention *a, mpfi_ptr x)
{
    if (a->scaled) {
        mpfi_mul_d(x, x, a->scale);
    } else if (a->width > 0) {
        mpfi_t root;
        mpfi_init2(root, mpfi_get_prec(x));
        mpfi_set_si(root, (long)a->width);
        mpfi_sqrt(root, root);
        mpfi_div(x, x, root);
        mpfi_clear(root);
    }
}

/* Encloses s − most of one key. */
static void enclose_argument(const struct attention_exact *e, int64_t key, mpfr_ptr product, mpfi_ptr x)
{
    const struct attention *a = e->a;
    const struct tensor *q = &e->call->input[e->at->query], *k = &e->call->input[e->at->key];
    const int64_t from = (attention_key_matrix(a, e->batch) * a->keys + key) * a->width;
    mpfi_set_ui(x, 0);
    for (int64_t d = 0; d < a->width; d++) {
        mpfr_set_d(product, tensor_component(q, e->element + d), MPFR_RNDN);
        mpfr_mul_d(product, product, tensor_component(k, from + d), MPFR_RNDN);
        mpfi_add_fr(x, x, product);
    }
    attention_exact_scale(a, x);
    if (a->masked && !a->boolean) {
        mpfi_add_d(x, x,
                   tensor_component(&e->call->input[e->at->mask],
                                    attention_mask_element(a, e->batch, e->query, key)));
    }
    mpfi_sub_d(x, x, e->most);
}

void attention_exact_weights(struct attention_exact *e, mpfr_prec_t precision)
{
    if (e->precision == precision) {
        return;
    }
    forget(e);
    e->precision = precision;
    mpfi_init2(e->total, precision);
    mpfi_set_ui(e->total, 0);
    mpfr_t product;
    mpfr_init2(product, PRODUCT_BITS);
    for (int64_t j = 0; j < e->a->keys; j++) {
        mpfi_init2(e->weight[j], precision);
        if (e->takes[j]) {
            enclose_argument(e, j, product, e->weight[j]);
            mpfi_exp(e->weight[j], e->weight[j]);
            mpfi_add(e->total, e->total, e->weight[j]);
        }
    }
    mpfr_clear(product);
}

void attention_exact_zero(mpfi_ptr x)
{
    bool small = (mpfr_zero_p(&x->left) || mpfr_get_exp(&x->left) < ATTENTION_ZERO_EXPONENT) &&
                 (mpfr_zero_p(&x->right) || mpfr_get_exp(&x->right) < ATTENTION_ZERO_EXPONENT);
    if (mpfr_number_p(&x->left) && mpfr_number_p(&x->right) && small) {
        mpfi_set_ui(x, 0);
    }
}

void attention_exact_add(mpfi_ptr sum, mpfi_srcptr x, double y, mpfi_ptr term)
{
    mpfi_mul_d(term, x, y);
    mpfi_add(sum, sum, term);
}
