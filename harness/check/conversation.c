/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/check/conversation.h"
#include "harness/check/wire.h"
#include "harness/host/clock.h"

#include <stdlib.h>
#include <string.h>

bool conversation_is_open(const struct conversation *c)
{
    return c->greeted && c->losses < LOSSES_MAX;
}

void conversation_stop(struct conversation *c)
{
    if (c->running) {
        exec_stop(&c->program);
        c->running = false;
    }
}

void conversation_destroy(struct conversation *c)
{
    conversation_stop(c);
    exec_hello_clear(&c->hello);
}

/* Sends the greeting request that a run sends. */
static bool send_hello(struct conversation *c)
{
    char *hello = exec_format_hello();
    bool sent = hello && exec_send(&c->program, hello, strlen(hello));
    free(hello);
    return sent;
}

bool conversation_start(struct conversation *c)
{
    struct error error = {.text = ""};
    if (c->running) {
        return true;
    }
    bool first = !c->greeted;
    if (!exec_start(&c->program, c->command, &error)) {
        c->silent = true;
        findings_complain(c->findings, CHECK_GREETS,
                          &(struct complaint){"", "", error.text, "start a shell"});
        return false;
    }
    c->running = true;
    /* it has greeted before, and that greeting was checked: only that a greeting comes matters */
    if (!first) {
        wire_limit(c, c->time_limit);
        for (int lines = 0; lines < 8 && c->running; lines++) {
            char *line = lines > 0 || send_hello(c) ? exec_line(&c->program, &error) : NULL;
            if (line && line[0] == '{') {
                return true;
            }
            if (!line) {
                break;
            }
        }
        wire_lose(c, CHECK_GREETS, "see what it keeps between its lives, a lock or a device",
                  "started again, it does not greet");
        return false;
    }
    snprintf(c->sent, sizeof c->sent, "{\"hello\": 1}");
    c->requests++;
    findings_tried(c->findings, CHECK_GREETS);
    wire_limit(c, c->time_limit);
    char *line = send_hello(c) ? wire_message(c, CHECK_GREETING) : wire_silence(c, CHECK_GREETS);
    if (line) {
        greeting_check(c, line);
    }
    return c->running && c->greeted;
}

/* --- one step */

static bool send_step(struct conversation *c, const struct program *program,
                      const struct exec_request *request, const struct images *images)
{
    bool good = exec_send(&c->program, request->line, strlen(request->line));
    for (int s = 0; good && s < request->storages; s++) {
        int storage = request->storage[s];
        good =
            exec_send(&c->program, images->image[storage] + BACKEND_GUARD, program->storage[storage].bytes);
    }
    return good;
}

/* Reads the bytes after an ok: returned storages and outputs, or the outputs for operands that should have
 * been refused. */
static bool receive_results(struct conversation *c, const struct program *program,
                            const struct exec_request *request, const struct exec_reply *reply,
                            struct images *images)
{
    const struct step *step = &program->step[0];
    struct wire_payload payload = {.declared = reply->unasked};
    for (int m = 0; m < request->returned; m++) {
        payload.declared += program->storage[request->returned_storage[m]].bytes;
    }
    for (int o = 0; o < step->outputs; o++) {
        payload.declared += (uint64_t)shape_bytes(&step->output[o].shape, step->output[o].dtype);
    }
    bool good = true;
    for (int m = 0; good && m < request->returned; m++) {
        int storage = request->returned_storage[m];
        good =
            wire_bytes(c, &payload, images->image[storage] + BACKEND_GUARD, program->storage[storage].bytes);
    }
    /* outputs are contiguous, each in a storage of its own */
    for (int o = 0; good && o < step->outputs; o++) {
        good = wire_bytes(c, &payload, images->image[step->output[o].storage] + BACKEND_GUARD,
                          program->storage[step->output[o].storage].bytes);
    }
    for (uint64_t left = reply->unasked; good && left > 0;) {
        unsigned char ignored[4096];
        size_t size = left < sizeof ignored ? (size_t)left : sizeof ignored;
        good = wire_bytes(c, &payload, ignored, size);
        left -= size;
    }
    return good && wire_nothing_more(c, &payload);
}

static void note_request(struct conversation *c, const char *line)
{
    size_t length = strcspn(line, "\n"), room = sizeof c->sent - 4;
    snprintf(c->sent, sizeof c->sent, "%.*s%s", (int)(length < room ? length : room), line,
             length > room ? "…" : "");
}

/* Reads and checks the answer's line. Returns false if the program was lost. */
static bool receive_step(struct conversation *c, const struct step *step, int64_t begun,
                         struct exec_reply *reply)
{
    struct error why = {.text = ""};
    char *line = wire_message(c, CHECK_JSON);
    c->wall_ns = clock_ns() - begun;
    if (!line || !wire_answer(c, line, c->wall_ns)) {
        return false;
    }
    if (!exec_parse_reply(line, c->id, step, c->return_storages, reply, &why)) {
        wire_lose(c, CHECK_OUTPUTS, "state dtype and shape of what is sent, as the request has them",
                  why.text);
        return false;
    }
    return true;
}

static bool format_step(struct conversation *c, const struct program *program, struct exec_request *request)
{
    enum { WARM_UP = 2 };
    const struct step *step = &program->step[0];
    return c->repeats > 0 ? exec_format_repeated(++c->id, program, step, c->repeats, WARM_UP, 1, request)
                          : exec_format_step(++c->id, program, step, c->return_storages, request);
}

enum step_status conversation_ask(struct conversation *c, const struct program *program,
                                  struct images *images, char message[256])
{
    struct exec_request request;
    struct exec_reply reply = {.status = STEP_NOT_RUN};
    message[0] = '\0';
    if (!conversation_is_open(c) || !conversation_start(c) || !wire_nothing_more(c, NULL) ||
        !conversation_start(c) || !format_step(c, program, &request)) {
        return STEP_NOT_RUN;
    }
    note_request(c, request.line);
    c->requests++;
    findings_tried(c->findings, CHECK_LIVES);
    findings_tried(c->findings, CHECK_TIME);
    findings_tried(c->findings, CHECK_STDOUT);
    wire_limit(c, c->time_limit);
    int64_t begun = clock_ns();
    bool good;
    if (!send_step(c, program, &request, images)) {
        wire_silence(c, CHECK_TIME);
        good = false;
    } else {
        good = receive_step(c, &program->step[0], begun, &reply);
    }
    if (good && reply.status == STEP_OK) {
        findings_tried(c->findings, CHECK_BYTES);
        good = receive_results(c, program, &request, &reply, images);
    } else if (good && reply.status == STEP_MISSHAPEN) {
        wire_lose(c, CHECK_OUTPUTS, "count the elements of the result", reply.message);
        good = false;
    } else if (good) {
        good = wire_nothing_more(c, &(struct wire_payload){.declared = 0});
    }
    free(request.line);
    c->device_ns = reply.device_ns;
    snprintf(message, 256, "%s", reply.message);
    return good ? reply.status : STEP_NOT_RUN;
}

json_t *conversation_say(struct conversation *c, const char *members, size_t bytes)
{
    char line[512];
    if (!conversation_is_open(c) || !conversation_start(c) || !wire_nothing_more(c, NULL) ||
        !conversation_start(c)) {
        return NULL;
    }
    int length = snprintf(line, sizeof line, "{\"id\": %ld, %s}\n", ++c->id, members);
    unsigned char *zeros = calloc(1, bytes + 1);
    note_request(c, line);
    c->requests++;
    wire_limit(c, c->time_limit);
    int64_t begun = clock_ns();
    bool sent = zeros && exec_send(&c->program, line, (size_t)length) && exec_send(&c->program, zeros, bytes);
    free(zeros);
    char *answer = sent ? wire_message(c, CHECK_JSON) : wire_silence(c, CHECK_TIME);
    c->wall_ns = clock_ns() - begun;
    json_t *json = answer ? json_loads(answer, 0, NULL) : NULL;
    if (json && !wire_id(c, json)) {
        json_decref(json);
        return NULL;
    }
    return json;
}
