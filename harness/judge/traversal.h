/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_JUDGE_TRAVERSAL_H
#define ASSAY_HARNESS_JUDGE_TRAVERSAL_H

/* The judged elements of a case in their order, for whoever looks at results: step by step, judged tensor by
 * judged tensor, block by block. An element belongs to the step that wrote it last: what a later one writes
 * to is passed over.
 *
 *   struct traversal t = traversal_of(program, truth, profile, &ownership);
 *   while (traversal_next_tensor(&t)) {
 *       while (traversal_next_slice(&t)) {
 *           struct element_block block;
 *           while (traversal_next_block(&t, &block)) {
 *               const unsigned char *got = element_block_in(&block, images);
 *               for (int64_t i = 0; i < block.count; i++, got += block.stride) {
 *                   element block.first + i of the tensor, block.first − t.first + i of its truth, its bytes
 *                   at `got`
 *               }
 *           }
 *       }
 *   }
 *   t.failed: a slice had no truth, t.error
 *
 * Who asks for no truth leaves out the slices: the blocks are then the whole tensor's. A walk holds nothing
 * of its own and may be left at any point; of walks through one truth in slices only one is under way. */

#include "harness/judge/memory/images.h"
#include "reference/operator/bound_memo.h"
#include "reference/program/slices.h"

struct traversal {
    const struct program *program;
    const struct program_truth *truth;
    const struct profile *declared;
    const struct ownership *ownership;

    /* The tensor in hand. */
    int step, judged;
    struct view view;
    int64_t elements;
    size_t size;            /* of an element in bytes */
    struct profile profile; /* as it holds for the step */
    struct profile good;    /* the same with the primitives of a good implementation */

    /* The slice of its truth in hand: all of it, unless the truth comes in slices. */
    struct truth_output *output;
    int64_t first, end;       /* elements of the tensor */
    struct bound_query query; /* of the tensor; whoever asks sets `element` */
    struct bound_memo memo;   /* its */
    struct bound_memo graded; /* of the query under `good` */

    /* Where the walk is. */
    int tensors; /* of the step */
    struct view tensor[TRUTH_OUTPUTS_MAX];
    int64_t next, line;      /* element; how many elements lie evenly in memory, one line after the other */
    ptrdiff_t line_stride;   /* bytes */
    bool sliced, undisputed; /* a slice is in hand; nothing of the tensor is written to later */
    bool failed;
    struct error error;
};

/* Whether a good implementation's limits are others than the profile's; its are asked by this query. */
static inline bool traversal_is_graded(const struct traversal *t)
{
    return t->profile.primitives == PRIMITIVES_VULKAN && !t->query.op->plain;
}

/* Both profiles' limits will be asked: either may bring the other one's. Not where the walk is copied. */
static inline void traversal_pair(struct traversal *t)
{
    bool graded = traversal_is_graded(t);
    t->memo.other = graded ? &t->graded : NULL;
    t->memo.other_profile = &t->good;
    t->graded.other = graded ? &t->memo : NULL;
    t->graded.other_profile = &t->profile;
}

static inline struct bound_query traversal_graded(struct traversal *t)
{
    struct bound_query query = t->query;
    query.profile = &t->good;
    query.quality = true;
    query.memo = &t->graded;
    return query;
}

/* Elements one after the other that lie evenly in memory. */
struct element_block {
    int storage;
    int64_t first, count; /* elements, row-major in the tensor; count ≥ 1 */
    size_t at;            /* of the first one, bytes from the storage's first byte */
    ptrdiff_t stride;     /* bytes from one to the next */
};

/* Before the first tensor. The arguments live as long as the walk. */
struct traversal traversal_of(const struct program *program, const struct program_truth *truth,
                              const struct profile *profile, const struct ownership *ownership);

/* On to the next tensor, an empty one too; false behind the last. */
bool traversal_next_tensor(struct traversal *t);

/* On to the tensor's first slice, or to the next one; false behind the last. */
bool traversal_next_slice(struct traversal *t);

/* On to the next block of the tensor, or slice, in hand; false behind the last. */
bool traversal_next_block(struct traversal *t, struct element_block *block);

/* The block's first element as a run left it. */
static inline const unsigned char *element_block_in(const struct element_block *block,
                                                    const struct images *images)
{
    return images->image[block->storage] + BACKEND_GUARD + block->at;
}

/* `count` results of one component, `stride` bytes apart from `got` on, as numbers. */
void numbers_of(enum dtype dtype, int count, const unsigned char *got, ptrdiff_t stride, double *x);

#endif
