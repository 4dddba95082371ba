/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Builds the program of a case, and replaces its inputs for seeds from WILD_SEED on. */

#include "suites/build.h"
#include "suites/wild.h"

struct program *suite_build(const struct suite_case *c, uint64_t seed, struct error *error)
{
    struct program *program = program_create();
    if (!c->build) {
        error_set(error, "%s is a procedure, not a program", c->name);
        program_destroy(&program);
    } else if (!program) {
        error_set(error, "out of memory for a program");
    } else {
        struct builder b = builder_of(c, seed, program, error);
        c->build(&b);
        if (!build_done(&b)) {
            program_destroy(&program);
        } else if (seed >= WILD_SEED) {
            struct philox generator = build_generator(&b, -1);
            if (!wild_program(program, &generator)) {
                error_set(error, "out of memory for a program");
                program_destroy(&program);
            }
        }
    }
    return program;
}
