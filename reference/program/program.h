/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REFERENCE_PROGRAM_PROGRAM_H
#define ASSAY_REFERENCE_PROGRAM_PROGRAM_H

/* A case as data: storages, and steps that apply operators to views of them.
 *
 * Usually one step; a chain where in-place updates, aliasing or order matter. Storages stay on the device
 * between steps. A program owns its arrays; built by a suite, then read-only. */

#include "reference/operator/op.h"

/* Bytes of a storage that no tensor defines (gaps of strided views, outputs) are *filler*: the harness fills
 * them with a poison pattern, differently in each of the two runs, and so finds reads and writes of what is
 * not an operand's. */
enum origin {
    ORIGIN_UNDECLARED,
    ORIGIN_RANDOM, /* full significands from a generator, exchangeable: nothing sorted, no placed trend; one
                      outlier in a stated place is allowed. The envelope (reference/operator/envelope.h) may then fail
                      a case */
    ORIGIN_STRUCTURED /* at least in part, whatever else is declared */
};

/* Bytes before and behind a storage's data that are its own as well: room for the guards of who runs the
 * program on that memory. */
enum { STORAGE_MARGIN = 256 };

/* From STORAGE_PAGED bytes on that memory is whole pages that hold nothing else: a device may work right
 * there. */
enum { STORAGE_PAGE = 65536 /* every page there is divides it */, STORAGE_PAGED = 1 << 20 };
size_t storage_pages(size_t bytes); /* their bytes, margins included; 0 of a smaller storage */

/* Memory for a storage of so many bytes and its margins, not cleared; for free(). NULL when out of memory. */
unsigned char *storage_allocate(size_t bytes);

enum definition { DEFINED_NONE, DEFINED_SOME, DEFINED_ALL };

struct storage {
    size_t bytes;
    unsigned char *data; /* initial contents where defined, between margins */
    enum definition definition;
    unsigned char *defined; /* of DEFINED_SOME: one bit per byte, set for data, clear for filler */
    enum origin origin;
};

/* Whether byte `at` < bytes is data. */
static inline bool storage_defined(const struct storage *storage, size_t at)
{
    return storage->definition == DEFINED_ALL ||
           (storage->definition == DEFINED_SOME && (storage->defined[at / 8] >> at % 8 & 1));
}

/* Of the eight bytes from `at` on, a multiple of 8, byte k of the word in memory is 1 where byte k is data,
 * else 0: of DEFINED_SOME. */
static inline uint64_t storage_defined_eight(const struct storage *storage, size_t at)
{
    const uint64_t each = 0x0101010101010101U;
    uint64_t bits = storage->defined[at / 8] * each & 0x8040201008040201U; /* bit k in byte k */
    return ((bits + 0x7F * each) >> 7) & each;
}

/* Whether every element of a view of it is data. */
bool storage_defines(const struct storage *storage, const struct view *view);

enum step_expectation { EXPECT_VALUE, EXPECT_REJECTION };

struct step {
    const struct op *op;
    struct attributes attributes;
    int inputs;
    struct view input[OPERANDS_MAX]; /* storage −1: absent optional operand */
    int outputs;
    struct view output[TRUTH_OUTPUTS_MAX];
    enum step_expectation expect;
    bool exact; /* exactness probe, see struct bound_query */
};

/* Two views that must hold the same bits after the run (invariance under batch, position, order). */
struct relation {
    struct view a, b;
    const char *text; /* what the invariance is; static storage */
};

struct program {
    int storages, steps, relations;
    struct storage *storage;
    struct step *step;
    struct relation *relation;
};

/* Whether all floating operands of step `step` are random data that no earlier step has written, none shown
 * in several places by a stride of 0. */
bool program_step_is_random(const struct program *program, int step);

/* Whether no other step writes what step `step` reads, or reads or writes what it writes: its truth is a
 * matter of its own. */
bool program_step_stands_alone(const struct program *program, int step);

struct program *program_create(void);
void program_destroy(struct program **program);

/* A new storage of `bytes` bytes, all filler; its index, or −1 when out of memory. */
int program_storage(struct program *program, size_t bytes);

/* Marks the view's elements as defined, zero-filled; define before setting. */
void program_define(struct program *program, const struct view *view);

/* Sets component c of element i (row-major in the view) to x, rounded to the dtype, or to exact bits. */
void program_set(struct program *program, const struct view *view, int64_t i, int c, double x);
void program_set_bits(struct program *program, const struct view *view, int64_t i, int c, uint64_t bits);

/* The bits first, first + 1, … of a contiguous view of one component. */
void program_set_patterns(struct program *program, const struct view *view, uint64_t first);

/* A new storage holding one contiguous tensor, defined or (for outputs) left filler. */
struct view program_input(struct program *program, enum dtype dtype, const struct shape *shape);
struct view program_output(struct program *program, enum dtype dtype, const struct shape *shape);

/* Appends a step and returns it for further settings (valid until the next append). Outputs are created
 * contiguous from the operator's signature unless the operands must be rejected, in which case expect is set
 * to REJECTION. NULL when out of memory, and for more than OPERANDS_MAX inputs. */
struct step *program_step(struct program *program, const struct op *op, const struct attributes *attributes,
                          int inputs, const struct view *input);

/* The operands of a step that is about to be appended, with the values of its indices where the program
 * defines them and no earlier step changes them. `value` holds OPERANDS_MAX tensors, which the caller
 * destroys; false when out of memory, and for more than OPERANDS_MAX inputs. */
bool program_operands(const struct program *program, const struct op *op, const struct attributes *attributes,
                      int inputs, const struct view *input, struct tensor *value,
                      struct op_operands *operands);

bool program_relate(struct program *program, const struct view *a, const struct view *b, const char *text);

/* Makes of the attributes of every step what the profile says: real ones are rounded to float32, for a backend
 * that holds them so, and an eps that is left out becomes the backend's own default (`assumed`). The truth is
 * then that of the numbers which the backend computes with. */
void program_adapt(struct program *program, const struct profile *profile);

/* The judged views of a step in the order of its truth: mutated inputs, then outputs. Returns their number.
 */
int step_judged(const struct step *step, struct view judged[TRUTH_OUTPUTS_MAX]);

/* One of them as texts name it: "input 0", "output 1 (logabsdet)". An input that is written to by its place
 * among those. */
enum { JUDGED_TEXT = RESULT_TEXT + 8 };
void step_print_judged(const struct step *step, int judged, char text[JUDGED_TEXT]);

/* 128-bit digest (XXH3) of everything the program is: operators, attributes, views, defined bytes. 32 hex
 * digits. */
void program_digest(const struct program *program, char hex[33]);

/* 128-bit digest of one call's values and of whether radii will do: the cache key of its truth. Layout does
 * not enter, values do. */
void call_digest(const struct op_call *call, char hex[33]);

/* Truths of all steps, computed by executing the program on the host with correctly rounded intermediates.
 * truth[s] is NULL for a step that must be rejected. A step that reads a value which an earlier step produced
 * inexactly has no single truth: that is an error (a chain must be exact up to its last link). The truth of a
 * program's only step may hold values within radii (reference/program/refine.h).
 * `lookup` (may be NULL) may answer a call from a cache, else op_truth is called and `store` told, with the
 * CPU time that all threads together took for it. */
struct truth_source {
    struct truth *(*lookup)(void *user, const struct op_call *call);
    void (*store)(void *user, const struct op_call *call, const struct truth *truth, int64_t nanoseconds);
    void *user;
    bool certified;       /* values within radii will not do */
    bool sliced;          /* a large truth may come in slices (reference/program/slices.h), from no cache */
    int64_t sliced_least; /* elements from which on it does; 0: SLICED_LEAST */
};

struct program_truth {
    int steps;
    struct truth **truth;        /* owned */
    struct truth_slices *slices; /* owned; in place of the only step's truth; NULL: there is none such */
};

/* Whether a step has a truth, whole or in slices. */
static inline bool program_truth_has(const struct program_truth *truth, int step)
{
    return truth->slices || truth->truth[step];
}

bool program_truth_compute(const struct program *program, const struct truth_source *source,
                           struct program_truth *truth, struct error *error);
void program_truth_destroy(struct program_truth *truth);

/* Makes a truth in slices a whole one. False with the reason: out of memory, first of all. */
bool program_truth_complete(const struct program *program, struct program_truth *truth, struct error *error);

/* The operands of a step with a truth, as they are before it: what its truth was computed from. `input` holds
 * OPERANDS_MAX tensors without data, which the caller destroys before the program, also where out of memory
 * makes it false. */
bool program_step_inputs(const struct program *program, const struct program_truth *truth, int step,
                         struct tensor *input);

#endif
