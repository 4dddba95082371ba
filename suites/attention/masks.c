/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Masks of attention: conditions, −infinity and finite numbers; every way in which they broadcast; rows
 * without a key. */

#include "suites/attention/calls.h"

#define MASKED(name_, level_, mask_, ...)                                                                    \
    CALL("mask-" name_, level_, "attention_masks", 2, 3, 7, 11, 12, .mask = ATTENTION_##mask_, __VA_ARGS__)
#define FORWARD_MASKED(name_, level_, mask_, ...)                                                            \
    FORWARD_CALL("mask-" name_, level_, "attention_masks", 2, 3, 7, 11, 12, .mask = ATTENTION_##mask_,       \
                 __VA_ARGS__)
#define KINDS(suffix_, level_, ...)                                                                          \
    MASKED("conditions" suffix_, level_, CONDITIONS, __VA_ARGS__),                                           \
        MASKED("infinite" suffix_, STANDARD, INFINITE, __VA_ARGS__),                                         \
        MASKED("finite" suffix_, STANDARD, FINITE, __VA_ARGS__)

static const struct attention_row rows[] = {
    KINDS("", SMOKE, .mask_dims = MASK_ALL),
    KINDS("-keys", SMOKE, .mask_dims = MASK_KEYS),
    KINDS("-vector", STANDARD, .mask_dims = MASK_KEYS, .mask_rank = 1),
    KINDS("-matrix", STANDARD, .mask_dims = MASK_KEYS | MASK_QUERIES, .mask_rank = 2),
    KINDS("-batches", SMOKE, .mask_dims = MASK_BATCH | MASK_KEYS),
    KINDS("-batches-queries", STANDARD, .mask_dims = MASK_BATCH | MASK_QUERIES | MASK_KEYS),
    KINDS("-heads", STANDARD, .mask_dims = MASK_HEADS | MASK_QUERIES | MASK_KEYS),
    KINDS("-heads-keys", STANDARD, .mask_dims = MASK_HEADS | MASK_KEYS),
    MASKED("finite-queries", STANDARD, FINITE, .mask_dims = MASK_QUERIES),
    MASKED("finite-one", STANDARD, FINITE, .mask_dims = MASK_BATCH),
    MASKED("conditions-groups", STANDARD, CONDITIONS, .mask_dims = MASK_ALL, .key_heads = 1),
    MASKED("infinite-groups", STANDARD, INFINITE, .mask_dims = MASK_HEADS | MASK_KEYS, .key_heads = 1),
    MASKED("conditions-transposed", STANDARD, CONDITIONS, .laid = 3, .layout = LAYOUT_TRANSPOSED),
    MASKED("infinite-transposed", STANDARD, INFINITE, .laid = 3, .layout = LAYOUT_TRANSPOSED),
    MASKED("conditions-block", STANDARD, CONDITIONS, .laid = 3, .layout = LAYOUT_BLOCK),
    MASKED("finite-block", STANDARD, FINITE, .laid = 3, .layout = LAYOUT_BLOCK),
    MASKED("finite-permuted", STANDARD, FINITE, .laid = 3, .layout = LAYOUT_PERMUTED),
    MASKED("conditions-expanded", STANDARD, CONDITIONS, .laid = 3, .layout = LAYOUT_EXPANDED_ROWS),
    MASKED("finite-expanded", STANDARD, FINITE, .laid = 3, .layout = LAYOUT_EXPANDED_ROWS),
    MASKED("far", SMOKE, FAR, .mask_dims = MASK_ALL),
    MASKED("far-keys", STANDARD, FAR, .mask_dims = MASK_KEYS | MASK_BATCH),
    FORWARD_MASKED("sunken", SMOKE, SUNKEN, .mask_dims = MASK_ALL),
    FORWARD_MASKED("sunken-keys", STANDARD, SUNKEN, .mask_dims = MASK_KEYS),
    FORWARD_MASKED("conditions-deep", SMOKE, CONDITIONS, .data = ATTENTION_DEEP),
    FORWARD_MASKED("conditions-deep-keys", STANDARD, CONDITIONS, .data = ATTENTION_DEEP,
                   .mask_dims = MASK_KEYS),
    MASKED("last-tall", SMOKE, LAST, .data = ATTENTION_TALL, .mask_dims = MASK_ALL),
    MASKED("last-tall-keys", STANDARD, LAST, .data = ATTENTION_TALL, .mask_dims = MASK_KEYS),
    MASKED("empty", SMOKE, EMPTY, .mask_dims = MASK_ALL),
    MASKED("empty-matrix", STANDARD, EMPTY, .mask_dims = MASK_QUERIES | MASK_KEYS, .mask_rank = 2),
    MASKED("empty-infinite", STANDARD, EMPTY_INFINITE, .mask_dims = MASK_ALL),
    CALL("mask-conditions-65x129", STANDARD, "attention_masks", 1, 2, 65, 129, 8,
         .mask = ATTENTION_CONDITIONS),
    CALL("mask-infinite-17x257", STANDARD, "attention_masks", 1, 2, 17, 257, 8, .mask = ATTENTION_INFINITE),
    CALL("mask-empty-65x65", STANDARD, "attention_masks", 1, 1, 65, 65, 8, .mask = ATTENTION_EMPTY),
    CALL("mask-large-scores", STANDARD, "attention_masks attention_maximum", 1, 2, 9, 33, 12,
         .mask = ATTENTION_CONDITIONS, .data = ATTENTION_LARGE),
};

static void declare(struct suite_list *list)
{
    suite_declare_rows(list, &(struct suite_table){SUITE_ROWS(rows), ATTENTION_OPS, .build = attention_build,
                                                   .level = level_beyond_float16_32});
}

const struct suite suite_attention_masks = {.declare = declare};
