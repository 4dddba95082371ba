/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_CHECK_WIRE_H
#define ASSAY_HARNESS_CHECK_WIRE_H

/* Reads the lines and bytes of the program under test and complains of what is wrong with them.
 * conversation.c uses it. */

#include "harness/check/conversation.h"

/* Makes a complaint about the current request. */
void conversation_complain(struct conversation *c, enum check check, const char *fix, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Gives the program this many seconds from now on. */
void wire_limit(struct conversation *c, double seconds);

/* Gives the program up: makes a complaint with the last line of its stderr, and kills it. */
void wire_lose(struct conversation *c, enum check check, const char *fix, const char *text);

/* Complains that no answer came, because the program is late or has ended. Returns NULL. */
char *wire_silence(struct conversation *c, enum check late);

/* Returns the next line that is a JSON object, valid until the next read; complains of text before it.
 * Returns NULL if the program was lost; a line that is no object is charged to `form`. */
char *wire_message(struct conversation *c, enum check form);

/* Checks id, status, reason, spelling and device_ns of the answer to a step. Both return false if the program
 * was lost. */
bool wire_answer(struct conversation *c, const char *line, int64_t wall_ns);
bool wire_id(struct conversation *c, const json_t *json);

/* The bytes after an answer. */
struct wire_payload {
    uint64_t declared, heard;
    unsigned char head[256]; /* the first bytes */
};
bool wire_bytes(struct conversation *c, struct wire_payload *payload, void *to, size_t size);

/* Checks that the program sends nothing more after an answer, or before a request (payload NULL). Returns
 * false if the program was lost. */
bool wire_nothing_more(struct conversation *c, const struct wire_payload *payload);

#endif
