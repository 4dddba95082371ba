/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_EXEC_PROTOCOL_H
#define ASSAY_HARNESS_EXEC_PROTOCOL_H

/* Formats the requests and parses the answers of the protocol that a program behind `exec:` speaks;
 * docs/reference/exec-protocol.md describes it.
 *
 * Everything that comes from the program is checked before it is used: types, ranges, sizes. The functions
 * have no state. */

#include "reference/program/backend.h"

/* An operator that a program offers, and the dtypes of its leading input on which it does. */
struct exec_operator {
    const struct op *op;
    unsigned dtypes; /* bits 1 << DTYPE_… */
};

/* A program's greeting. Owns its lists. */
struct exec_hello {
    char name[64], version[64], device[256];
    unsigned dtypes; /* bits 1 << DTYPE_…, of any operand */
    int operators;
    struct exec_operator *operator; /* the offered operators that assay knows */
    struct profile profile;         /* points to the lists below */
    bool memory;                    /* answers {"memory": true} and {"empty_cache": true} */
    bool return_storages;           /* sends back every storage of a request that asks for it */
    bool repeats;                   /* honours "repeats", "warm_up" and "rounds" of a request */
    char *offers;                   /* backend_info.offers */
    const char **nondeterministic, **accumulate_own, **matrix_units, **naive_range, **documented;
    struct operator_summation *summations;
    struct operator_algorithm *algorithms;
};

/* Returns the greeting request, {"hello": 1, "operators": […]} with all of assay's operators, and a
 * line feed. The caller frees it; NULL when out of memory. */
char *exec_format_hello(void);

/* Parses a greeting. Returns false with the fault. The caller calls exec_hello_clear in either case. */
bool exec_parse_hello(const char *line, struct exec_hello *hello, struct error *error);
void exec_hello_clear(struct exec_hello *hello);

/* Returns true if the program offers the operator on a leading input of this dtype; else `reason` says what
 * is missing. */
bool exec_offers(const struct exec_hello *hello, const struct op *op, enum dtype leading,
                 struct error *reason);

/* A step as a request: its line of JSON (owned; freed by the caller), and the storages of the case whose
 * bytes follow the line, in order. */
struct exec_request {
    char *line; /* with its newline */
    int storages;
    int storage[OPERANDS_MAX]; /* indices into the case's storages */
    int returned;
    /* distinct storages that the reply brings back, in the reply's order */
    int returned_storage[OPERANDS_MAX];
};

/* Formats a step as a request. `return_all`: the reply is to bring back every storage of the request, in the
 * request's order; only a program whose greeting has `return_storages` may be asked for that. Otherwise it
 * brings back the storages that the step writes to, in the order of `mutates`. Returns false when out of
 * memory. */
bool exec_format_step(long id, const struct program *program, const struct step *step, bool return_all,
                      struct exec_request *request);

/* As exec_format_step without `return_all`, with the request to run the step warm_up times and then `rounds`
 * times, between two readings of the clock, `repeats` times. Only for programs whose greeting has `repeats`,
 * and for operators that write none of their operands. */
bool exec_format_repeated(long id, const struct program *program, const struct step *step, int repeats,
                          int warm_up, int rounds, struct exec_request *request);

/* The first line of the answer to a step. Status OK means that the returned storages and the outputs follow
 * as bytes. exec_parse_reply checks that outputs have the declared dtypes and shapes, and that an answer to
 * `return_all` says that all storages follow. It returns false with the fault when the line is malformed. */
struct exec_reply {
    enum step_status status;
    char message[256];
    int64_t device_ns;
    uint64_t unasked; /* bytes of outputs that follow although the operands should have been refused */
};
bool exec_parse_reply(const char *line, long id, const struct step *step, bool return_all,
                      struct exec_reply *reply, struct error *error);

/* Parses the answer to a request about memory. `agrees`: its status is "ok" or absent. Returns false with the
 * fault when it is malformed. */
bool exec_parse_memory(const char *line, long id, bool *agrees, struct backend_memory *memory,
                       struct error *error);

#endif
