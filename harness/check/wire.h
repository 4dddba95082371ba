/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_HARNESS_CHECK_WIRE_H
#define ASSAY_HARNESS_CHECK_WIRE_H

/* Lines and bytes as they come, and what is wrong with them; conversation.c stands on it. */

#include "harness/check/conversation.h"

/* A complaint about the request in hand. */
void conversation_complain(struct conversation *c, enum check check, const char *fix, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* From now on the program has so many seconds. */
void wire_limit(struct conversation *c, double seconds);

/* The program is lost: complains of it with the last words, and kills it. */
void wire_lose(struct conversation *c, enum check check, const char *fix, const char *text);

/* Nothing came: it is late, or it has ended. Complains; NULL. */
char *wire_silence(struct conversation *c, enum check late);

/* The next line that is a JSON object, valid until the next read. Text before it is complained of. NULL: the
 * program was lost; no object was charged to `form`. */
char *wire_message(struct conversation *c, enum check form);

/* Id, status, reason, spelling and device_ns of an answer to a step. False: lost. */
bool wire_answer(struct conversation *c, const char *line, int64_t wall_ns);
bool wire_id(struct conversation *c, const json_t *json);

/* Bytes behind an answer. */
struct wire_payload {
    uint64_t declared, heard;
    unsigned char head[256]; /* the first of them */
};
bool wire_bytes(struct conversation *c, struct wire_payload *payload, void *to, size_t size);

/* Behind an answer, or before a request (NULL), nothing is said. False: lost. */
bool wire_nothing_more(struct conversation *c, const struct wire_payload *payload);

#endif
