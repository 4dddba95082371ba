/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Hypotheses about memory that the call did not write, or wrote something else to. */

#include "harness/diagnose/hypotheses_parts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static bool same_bytes(const struct tensor *a, const struct tensor *b, int64_t element)
{
    return memcmp(element_of(a, element), element_of(b, element), dtype_info(a->dtype)->size) == 0;
}

static bool is_zero(const struct tensor *tensor, int64_t element)
{
    const struct dtype_info *info = dtype_info(tensor->dtype);
    bool zero = true;
    for (int c = 0; c < info->components; c++) {
        zero = zero && dtype_load(info->component, element_of(tensor, element) +
                                                       (size_t)c * dtype_info(info->component)->size) == 0;
    }
    return zero;
}

/* Offers the hypothesis that every refused element is as it was before the call (or zero, or equal to another
 * tensor). Other elements are not compared. */
static void offer_kept(struct search *s, const struct tensor *const other[], const char *name,
                       const char *text)
{
    int64_t elements = 0, refused = 0, first = -1;
    bool all = s->refusals > 0;
    for (int o = 0; all && o < s->of->truth->outputs; o++) {
        int64_t count = s->of->truth->output[o].elements;
        for (int64_t i = 0; all && i < count; i++) {
            if (s->refused[o][i]) {
                all =
                    other ? other[o] && same_bytes(&s->of->got[o], other[o], i) : is_zero(&s->of->got[o], i);
                first = refused++ == 0 ? i : first;
            }
        }
        elements += count;
    }
    const struct fit fit = {.holds = all, .explained = refused, .gain = INFINITY};
    search_offer(s, &fit, name, "%lld of %lld elements, the first in place %lld, %s", (long long)refused,
                 (long long)elements, (long long)first, text);
}

/* --- patterns that allocators, debuggers and tests fill memory with */

/* True if the bytes are a pattern, repeated: one byte, or a word of four in either order. Bytes of 0 are no
 * pattern, and neither is one that is a likely number: 0x3F and 0x40 begin 0.5 to 2 in every format. */
static bool is_pattern(const unsigned char *bytes, size_t size)
{
    static const unsigned char single[] = {0xCD, 0xCC, 0xDD, 0xFD, 0xAA, 0xA5, 0x5A, 0xAB,
                                           0xBE, 0xEF, 0xFE, 0xDE, 0xAD, 0x55, 0xFF};
    static const uint32_t words[] = {0xDEADBEEF, 0xBAADF00D, 0xFEEEFEEE, 0xCAFEBABE, 0x8BADF00D,
                                     0xDEADC0DE, 0xABADCAFE, 0xABABABAB, 0xDEADDEAD, 0xFEEDFACE};
    bool one = size >= 2;
    for (size_t b = 1; b < size; b++) {
        one = one && bytes[b] == bytes[0];
    }
    for (size_t k = 0; one && k < sizeof single; k++) {
        if (bytes[0] == single[k]) {
            return true;
        }
    }
    for (size_t k = 0; size >= 4 && k < sizeof words / sizeof *words; k++) {
        bool little = true, big = true;
        for (size_t b = 0; b < size; b++) {
            little = little && bytes[b] == (words[k] >> 8 * (b % 4) & 0xFF);
            big = big && bytes[b] == (words[k] >> 8 * (3 - b % 4) & 0xFF);
        }
        if (little || big) {
            return true;
        }
    }
    return false;
}

/* Offers the hypothesis that every refused element holds the same pattern. */
static void try_pattern(struct search *s)
{
    enum { BYTES_LEAST = 8 }; /* fewer may be a number by chance */
    const unsigned char *pattern = NULL;
    size_t size = 0, bytes = 0;
    int64_t first = -1, refused = 0;
    bool all = s->refusals > 0;
    for (int o = 0; all && o < s->of->truth->outputs; o++) {
        for (int64_t i = 0; all && i < s->of->truth->output[o].elements; i++) {
            if (!s->refused[o][i]) {
                continue;
            }
            const unsigned char *got = element_of(&s->of->got[o], i);
            if (!pattern) {
                pattern = got;
                size = dtype_info(s->of->got[o].dtype)->size;
                first = i;
            }
            bytes += dtype_info(s->of->got[o].dtype)->size;
            all = dtype_info(s->of->got[o].dtype)->size == size && memcmp(got, pattern, size) == 0;
            refused++;
        }
    }
    const struct fit fit = {.holds = all && bytes >= BYTES_LEAST && is_pattern(pattern, size),
                            .explained = refused,
                            .gain = INFINITY};
    if (fit.holds) {
        search_offer(
            s, &fit, "unwritten",
            "%lld element(s), the first in place %lld, hold the bytes %02x %02x …, a pattern that memory "
            "is filled with: no result was written there",
            (long long)refused, (long long)first, pattern[0], pattern[1]);
    }
}

void try_memory(struct search *s)
{
    const struct tensor *other[TRUTH_OUTPUTS_MAX];
    int outputs = s->of->truth->outputs;
    for (int o = 0; o < outputs; o++) {
        other[o] = &s->of->before[o];
    }
    offer_kept(s, other, "stale", "are what memory held before the call: nothing was written there");
    try_pattern(s);
    offer_kept(s, NULL, "zeros", "are 0");
    for (int i = 0; i < s->of->call->inputs; i++) {
        const struct tensor *input = &s->of->call->input[i];
        char text[160];
        bool like = input->data && s->of->truth->output[0].elements > 1;
        for (int o = 0; o < outputs; o++) {
            bool same = input->dtype == s->of->got[o].dtype &&
                        shape_elements(&input->shape) == shape_elements(&s->of->got[o].shape);
            other[o] = same ? input : NULL;
        }
        snprintf(text, sizeof text, "are those of input %d (%s) as it was given", i, input_name(s, i));
        if (like) {
            offer_kept(s, other, "operand-copied", text);
        }
    }
}
