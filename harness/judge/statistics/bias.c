/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/judge/statistics/bias.h"
#include "harness/judge/traversal.h"

#include <stdlib.h>

struct number { /* (hi + lo)·2^exponent */
    double hi, lo;
    int32_t exponent;
};

static int compare_numbers(const void *left, const void *right)
{
    const struct number *a = left, *b = right;
    return a->exponent != b->exponent ? (a->exponent > b->exponent) - (a->exponent < b->exponent)
           : a->hi != b->hi           ? (a->hi > b->hi) - (a->hi < b->hi)
                                      : (a->lo > b->lo) - (a->lo < b->lo);
}

/* Σ m² over the clusters of m equal numbers in a sorted list. */
static double squares(const struct number *number, int64_t count)
{
    double sum = 0;
    for (int64_t i = 0, next; i < count; i = next) {
        for (next = i + 1; next < count && compare_numbers(&number[i], &number[next]) == 0; next++) {
        }
        sum += (double)(next - i) * (double)(next - i);
    }
    return sum;
}

static bool add_tensor(const struct traversal *t, int64_t *total, double *sum)
{
    const struct truth_output *out = t->output;
    struct number *number = malloc(((size_t)out->elements + 1) * sizeof *number);
    int64_t count = 0;
    for (int64_t i = 0; number && i < out->elements; i++) {
        const struct value *value = &out->value[i];
        if (value->class == VALUE_FINITE && value->hi != 0) {
            number[count++] = (struct number){value->hi, value->lo, value->exponent};
        }
    }
    if (number) {
        qsort(number, (size_t)count, sizeof *number, compare_numbers);
        *sum += squares(number, count);
        *total += count;
    }
    free(number);
    return number != NULL;
}

bool bias_cluster(const struct judging *j, int step, double *cluster)
{
    const struct judge_request *request = j->request;
    struct traversal t = traversal_of(request->program, request->truth, request->profile, &j->ownership);
    int64_t total = 0;
    double sum = 0;
    bool good = true, whole = true;
    while (good && whole && traversal_next_tensor(&t)) {
        if (step >= 0 && t.step != step) {
            continue;
        }
        if (!traversal_next_slice(&t)) {
            break;
        }
        whole = t.first == 0 && t.end == t.elements;
        good = !whole || !dtype_is_floating(t.view.dtype) || add_tensor(&t, &total, &sum);
    }
    *cluster = whole && total > 0 ? sum / (double)total : 1;
    return good && !t.failed;
}
