/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_JUDGE_TRAVERSAL_H
#define ASSAY_HARNESS_JUDGE_TRAVERSAL_H

/* Walks over the judged elements of a case: step by step, judged tensor by judged tensor, block by block. An
 * element belongs to the step that wrote it last: elements that a later step overwrites are skipped.
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
 *   if t.failed, a slice had no truth, for the reason in t.error
 *
 * A caller that needs no truth omits the loop over slices; the blocks are then those of the whole tensor. A
 * traversal owns nothing and may be abandoned at any point. A truth in slices serves one traversal at a time.
 */

#include "harness/judge/memory/images.h"
#include "reference/operator/bound_memo.h"
#include "reference/program/slices.h"

struct traversal {
    const struct program *program;
    const struct program_truth *truth;
    const struct profile *declared;
    const struct ownership *ownership;

    /* The current tensor. */
    int step, judged;
    struct view view;
    int64_t elements;
    size_t size;            /* bytes of an element */
    struct profile profile; /* the declared profile, as it holds for the step's operator */
    struct profile good;    /* the same with the primitive errors of a good implementation */

    /* The current slice of its truth; the whole truth unless it comes in slices. */
    struct truth_output *output;
    int64_t first, end;       /* elements of the tensor */
    struct bound_query query; /* of the tensor; the caller sets `element`, counted from `first` */
    struct bound_memo memo;   /* of `query` */
    struct bound_memo graded; /* of `query` under the profile `good` */

    /* The position of the traversal. */
    int tensors; /* number of judged tensors of the step */
    struct view tensor[TRUTH_OUTPUTS_MAX];
    int64_t next, line;      /* the next element; how many elements one stride leads through (a line) */
    ptrdiff_t line_stride;   /* bytes */
    bool sliced, undisputed; /* a slice is current; no later step writes to the tensor's byte range */
    bool failed;
    struct error error;
};

/* True if the bounds of a good implementation differ from the profile's; traversal_graded is then the query
 * for them. */
static inline bool traversal_is_graded(const struct traversal *t)
{
    return t->profile.primitives == PRIMITIVES_VULKAN && !t->query.op->plain;
}

/* Connects the memos of both queries, so that computing the bounds under one profile may fill the memo of the
 * other. The memos hold pointers into the traversal: a copy of it must be connected again. */
static inline void traversal_pair(struct traversal *t)
{
    bool graded = traversal_is_graded(t);
    t->memo.other = graded ? &t->graded : NULL;
    t->memo.other_profile = &t->good;
    t->graded.other = graded ? &t->memo : NULL;
    t->graded.other_profile = &t->profile;
}

/* The query under the profile of a good implementation; its element is that of t->query. */
static inline struct bound_query traversal_graded(struct traversal *t)
{
    struct bound_query query = t->query;
    query.profile = &t->good;
    query.quality = true;
    query.memo = &t->graded;
    return query;
}

/* Consecutive elements at equal distances in memory. */
struct element_block {
    int storage;
    int64_t first, count; /* elements, row-major in the tensor; count ≥ 1 */
    size_t at;            /* of the first one, bytes from the storage's first byte */
    ptrdiff_t stride;     /* bytes from one to the next */
};

/* Starts before the first tensor. The arguments must outlive the traversal. */
struct traversal traversal_of(const struct program *program, const struct program_truth *truth,
                              const struct profile *profile, const struct ownership *ownership);

/* Advances to the next tensor, also an empty one; false after the last. */
bool traversal_next_tensor(struct traversal *t);

/* Advances to the tensor's first slice or to the next one; false after the last, or with t->failed set. */
bool traversal_next_slice(struct traversal *t);

/* Advances to the next block of the current slice, or of the tensor; false after the last. */
bool traversal_next_block(struct traversal *t, struct element_block *block);

/* The bytes of the block's first element, as a run left them. */
static inline const unsigned char *element_block_in(const struct element_block *block,
                                                    const struct images *images)
{
    return images->image[block->storage] + BACKEND_GUARD + block->at;
}

/* Loads `count` results of one component as doubles; they lie `stride` bytes apart from `got` on. */
void numbers_of(enum dtype dtype, int count, const unsigned char *got, ptrdiff_t stride, double *x);

#endif
