/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_PROGRAM_PROGRAM_H
#define ASSAY_REFERENCE_PROGRAM_PROGRAM_H

/* A case as data: storages, and steps that apply operators to views of them.
 *
 * Most programs have one step; a chain tests in-place updates, aliasing or order. Storages stay on the device
 * between steps. A suite builds a program with the functions below; afterwards it is only read. A program
 * owns its arrays. */

#include "reference/operator/op.h"

/* The origin of the data of a storage. Bytes that no tensor defines (gaps of strided views, outputs) are
 * *filler*: the harness fills them with a poison pattern, which differs between the two runs, and so detects
 * reads and writes outside the operands. */
enum origin {
    ORIGIN_UNDECLARED,
    /* Full significands from a generator, exchangeable: nothing sorted, no placed trend; one outlier in a
     * stated place is allowed. The envelope (reference/operator/envelope.h) may then fail a case. */
    ORIGIN_RANDOM,
    ORIGIN_STRUCTURED /* at least a part of the data has structure */
};

/* Bytes that are allocated before and behind the data of a storage: room for the guards of a backend that
 * runs the program in that memory. */
enum { STORAGE_MARGIN = 256 };

/* A storage of STORAGE_PAGED bytes or more occupies whole pages that hold nothing else, so that a device may
 * work directly in its memory. */
enum { STORAGE_PAGE = 65536 /* a multiple of every page size in use */, STORAGE_PAGED = 1 << 20 };
/* Returns the bytes of these pages, margins included; 0 for a smaller storage. */
size_t storage_pages(size_t bytes);

/* Allocates memory for a storage of so many bytes and its margins, not cleared; release it with free().
 * Returns NULL when out of memory. */
unsigned char *storage_allocate(size_t bytes);

enum definition { DEFINED_NONE, DEFINED_SOME, DEFINED_ALL };

struct storage {
    size_t bytes;
    unsigned char *data; /* initial contents, between margins; meaningful where defined */
    enum definition definition;
    unsigned char *defined; /* for DEFINED_SOME: one bit per byte, set for data, clear for filler */
    enum origin origin;
};

/* Returns whether byte `at` < bytes is data. */
static inline bool storage_defined(const struct storage *storage, size_t at)
{
    return storage->definition == DEFINED_ALL ||
           (storage->definition == DEFINED_SOME && (storage->defined[at / 8] >> at % 8 & 1));
}

/* Returns, for the eight bytes from `at` on, a word whose byte k in memory is 1 where byte k is data, else 0.
 * `at` is a multiple of 8; the storage is DEFINED_SOME. */
static inline uint64_t storage_defined_eight(const struct storage *storage, size_t at)
{
    const uint64_t each = 0x0101010101010101U;
    uint64_t bits = storage->defined[at / 8] * each & 0x8040201008040201U; /* bit k in byte k */
    return ((bits + 0x7F * each) >> 7) & each;
}

/* Returns whether every element of a view of the storage is data. */
bool storage_defines(const struct storage *storage, const struct view *view);

enum step_expectation { EXPECT_VALUE, EXPECT_REJECTION };

struct step {
    const struct op *op;
    struct attributes attributes;
    int inputs;
    struct view input[OPERANDS_MAX]; /* storage −1: omitted optional operand */
    int outputs;
    struct view output[TRUTH_OUTPUTS_MAX];
    enum step_expectation expect;
    bool exact; /* exactness probe, see struct bound_query */
    /* Operands that an earlier step wrote are judged as the device left them: the truth of this step is that
     * of those bits, and is found after the run (observed.h). */
    bool observed;
};

/* Two views that must hold the same bits after the run (invariance under batch, position or order). */
struct relation {
    struct view a, b;
    const char *text; /* names the invariance; static storage */
};

struct program {
    int storages, steps, relations;
    struct storage *storage;
    struct step *step;
    struct relation *relation;
};

/* Returns whether step `step` has floating operands and all of them are random data that no earlier step has
 * written and no stride of 0 repeats. Of an observed step they may also be results of earlier steps for which
 * the same holds: it descends from random data only. */
bool program_step_is_random(const struct program *program, int step);

/* Returns whether no other step writes a storage that step `step` reads, or reads or writes one that it
 * writes. Its truth then depends on no other step. */
bool program_step_stands_alone(const struct program *program, int step);

/* Prints "step 7 of 19, softmax_backward" in a program with observed steps, counted from 1, and "step 6
 * (softmax_backward)" in every other, counted from 0. */
enum { STEP_TEXT = NAME_MOST + 48 };
void program_print_step(const struct program *program, int step, char text[STEP_TEXT]);

struct program *program_create(void);
void program_destroy(struct program **program);

/* Adds a storage of `bytes` bytes, all filler. Returns its index, or −1 when out of memory. */
int program_storage(struct program *program, size_t bytes);

/* Marks the elements of the view as data, initially zero; call it before setting them. */
void program_define(struct program *program, const struct view *view);

/* Sets component c of element i (row-major in the view) to x rounded to the dtype, or to exact bits. */
void program_set(struct program *program, const struct view *view, int64_t i, int c, double x);
void program_set_bits(struct program *program, const struct view *view, int64_t i, int c, uint64_t bits);

/* Sets the elements of a contiguous view of one component to the bits first, first + 1, … */
void program_set_patterns(struct program *program, const struct view *view, uint64_t first);

/* Adds a storage for one contiguous tensor and returns its view: program_input marks it as data,
 * program_output leaves it filler. view.storage is −1 when out of memory. */
struct view program_input(struct program *program, enum dtype dtype, const struct shape *shape);
struct view program_output(struct program *program, enum dtype dtype, const struct shape *shape);

/* Appends a step and returns it for further settings; the pointer is valid until the next append. Outputs are
 * created contiguous as the operator's signature says. If the signature rejects the operands, `expect` is set
 * to EXPECT_REJECTION. Returns NULL when out of memory and for more than OPERANDS_MAX inputs. */
struct step *program_step(struct program *program, const struct op *op, const struct attributes *attributes,
                          int inputs, const struct view *input);

/* Fills the operands of a step that is about to be appended, with the values of its indices where the program
 * defines them and no earlier step changes them. `value` holds OPERANDS_MAX tensors, which the caller
 * destroys. Returns false when out of memory and for more than OPERANDS_MAX inputs. */
bool program_operands(const struct program *program, const struct op *op, const struct attributes *attributes,
                      int inputs, const struct view *input, struct tensor *value,
                      struct op_operands *operands);

bool program_relate(struct program *program, const struct view *a, const struct view *b, const char *text);

/* Adapts the attributes of every step to the profile: real ones are rounded to float32 for a backend that
 * holds them so, an omitted eps becomes the backend's own default (`assumed`), and operators add what they
 * assume (struct op). The truth is then that of the numbers with which the backend computes. */
void program_adapt(struct program *program, const struct profile *profile);

/* Fills the judged views of a step in the order of its truth: mutated inputs, then outputs. Returns their
 * number. */
int step_judged(const struct step *step, struct view judged[TRUTH_OUTPUTS_MAX]);

/* Prints a judged view as "input 0" or "output 1 (logabsdet)"; an input is numbered among the mutated ones.
 */
enum { JUDGED_TEXT = RESULT_TEXT + 8 };
void step_print_judged(const struct step *step, int judged, char text[JUDGED_TEXT]);

/* Computes the 128-bit digest (XXH3) of a program: operators, attributes, views, expectations, and the bytes
 * of its storages with which of them are data. 32 hex digits. */
void program_digest(const struct program *program, char hex[33]);

/* Computes the 128-bit digest of one call's values and of whether values within radii are allowed: the cache
 * key of its truth. Layout does not enter, values do. */
void call_digest(const struct op_call *call, char hex[33]);

/* The source of the truths of a program, which program_truth_compute computes by executing the program on the
 * host with correctly rounded intermediates. A step that reads a value which an earlier step produced
 * inexactly has no single truth: unless it is observed (observed.h), that is an error, and the chain must be
 * exact up to its last step. The truth of a step that depends on no other, or that is observed, may hold
 * values within radii (reference/program/refine.h). `lookup` (may be NULL) may answer a call from a cache.
 * Otherwise op_truth computes it and `store` (may be NULL) receives it, with the CPU time that all threads
 * together took. */
struct truth_source {
    struct truth *(*lookup)(void *user, const struct op_call *call);
    void (*store)(void *user, const struct op_call *call, const struct truth *truth, int64_t nanoseconds);
    void *user;
    bool certified;       /* values within radii are not allowed */
    bool sliced;          /* a large truth may be computed in slices (reference/program/slices.h), without
                             the cache */
    int64_t sliced_least; /* least number of elements for slices; 0: SLICED_LEAST */
    /* For each storage the bytes that a run left in it, or NULL where it left the program's own: the operands
     * of observed steps. They must outlive the truth. NULL: there was no run, and a step that observes is an
     * error. */
    unsigned char *const *left;
    int steps; /* only the first so many steps have a truth; 0: all */
};

struct program_truth {
    int steps;
    struct truth **truth;         /* owned */
    struct truth_slices **slices; /* of each step, owned: they replace its truth; NULL: no step has slices */
    unsigned char *const *left;   /* as in truth_source */
};

/* Returns the slices in which the truth of a step is computed; NULL: it is whole. */
static inline struct truth_slices *program_truth_slices(const struct program_truth *truth, int step)
{
    return truth->slices ? truth->slices[step] : NULL;
}

/* Returns whether a step has a truth, whole or in slices; a step that must be rejected has none. */
static inline bool program_truth_has(const struct program_truth *truth, int step)
{
    return (truth->truth && truth->truth[step]) || program_truth_slices(truth, step);
}

bool program_truth_compute(const struct program *program, const struct truth_source *source,
                           struct program_truth *truth, struct error *error);
void program_truth_destroy(struct program_truth *truth);

/* Executes a program with observed steps on the host: returns for each storage the bytes that a device leaves
 * whose results are the rounded truths of the operands that it has. With them as truth_source.left, commands
 * that run no backend find some truth of every step. Returns NULL with the reason; release the array with
 * program_left_destroy. */
unsigned char **program_rehearse(const struct program *program, struct error *error);
void program_left_destroy(const struct program *program, unsigned char ***left);

/* Replaces truths in slices by whole ones. Returns false with the reason, usually out of memory. */
bool program_truth_complete(const struct program *program, struct program_truth *truth, struct error *error);

/* Fills the operands of a step as they are before it, from which its truth was computed. `input` holds
 * OPERANDS_MAX tensors without data. The caller destroys them before the program, also after a failure.
 * Returns false when out of memory. */
bool program_step_inputs(const struct program *program, const struct program_truth *truth, int step,
                         struct tensor *input);

#endif
