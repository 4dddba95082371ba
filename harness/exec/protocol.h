/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_EXEC_PROTOCOL_H
#define ASSAY_HARNESS_EXEC_PROTOCOL_H

/* The words of the protocol that a program behind `exec:` speaks; docs/reference/exec-protocol.md is its
 * page.
 *
 * Everything that comes from the program is checked before it is believed: types, ranges, sizes. Pure
 * functions. */

#include "reference/program/backend.h"

/* An operator that a program offers, and the dtypes of its leading input. */
struct exec_operator {
    const struct op *op;
    unsigned dtypes; /* bit DTYPE_… */
};

/* What a program says of itself. Owns its lists. */
struct exec_hello {
    char name[64], version[64], device[256];
    unsigned dtypes; /* bit DTYPE_…; of any operand */
    int operators;
    struct exec_operator *operator; /* those that assay knows */
    struct profile profile;         /* borrows the lists below */
    bool memory;                    /* it answers {"memory": true} and {"empty_cache": true} */
    bool return_storages;           /* it sends back every storage of a request that asks for it */
    char *offers;                   /* backend_info.offers */
    const char **nondeterministic, **accumulate_own, **matrix_units, **naive_range, **documented;
    struct operator_summation *summations;
    struct operator_algorithm *fast;
};

/* False with what is wrong. The caller clears in either case. */
bool exec_parse_hello(const char *line, struct exec_hello *hello, struct error *error);
void exec_hello_clear(struct exec_hello *hello);

/* Whether the program offers the operator on a leading input of this dtype; `reason` says what it lacks. */
bool exec_offers(const struct exec_hello *hello, const struct op *op, enum dtype leading,
                 struct error *reason);

/* One step as a request: its line of JSON (to be freed), and which of the program's storages follow it, in
 * order. */
struct exec_request {
    char *line; /* with newline */
    int storages;
    int storage[OPERANDS_MAX]; /* indices into the case's storages */
    int returned;
    int returned_storage[OPERANDS_MAX]; /* distinct storages that the reply brings back, in their order */
};

/* `return_all`: the reply brings back every storage of the request, in the request's order; else those that
 * the step writes to, in the order of `mutates`. Only a program whose greeting offers `return_storages` may
 * be asked for all. False when out of memory. */
bool exec_format_step(long id, const struct program *program, const struct step *step, bool return_all,
                      struct exec_request *request);

/* The head of the answer to a step: OK means that the returned storages and outputs follow as bytes. Outputs
 * must have the declared dtypes and shapes, and an answer to `return_all` must say that all storages follow.
 * False when it is out of form. */
struct exec_reply {
    enum step_status status;
    char message[256];
    int64_t device_ns;
    uint64_t unasked; /* bytes of outputs that follow from operands that should have been refused */
};
bool exec_parse_reply(const char *line, long id, const struct step *step, bool return_all,
                      struct exec_reply *reply, struct error *error);

/* The answer to a request about memory. `agrees`: it says "ok", or no status at all. False when it is out of
 * form. */
bool exec_parse_memory(const char *line, long id, bool *agrees, struct backend_memory *memory,
                       struct error *error);

#endif
