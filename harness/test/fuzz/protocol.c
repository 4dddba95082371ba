/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* libFuzzer target for what a program behind exec: may send: greetings, answers, memory. */

#include "harness/exec/protocol.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static struct program *program;
    static struct exec_request request;
    if (!program) {
        program = program_create();
        struct shape shape = shape_of(2, (int64_t)2, (int64_t)2);
        struct view x = program_input(program, DTYPE_FLOAT32, &shape);
        struct step *step = program_step(program, op_find("slogdet"), NULL, 1, &x);
        exec_format_step(1, program, step, false, &request);
    }
    char *line = malloc(size + 1);
    if (!line) {
        return 0;
    }
    memcpy(line, bytes, size);
    line[size] = '\0';
    struct exec_hello hello;
    struct exec_reply reply;
    struct backend_memory memory;
    struct error error;
    exec_parse_hello(line, &hello, &error);
    exec_hello_clear(&hello);
    exec_parse_reply(line, 1, &program->step[0], size % 2, &reply, &error);
    bool agrees;
    exec_parse_memory(line, 1, &agrees, &memory, &error);
    free(line);
    return 0;
}
