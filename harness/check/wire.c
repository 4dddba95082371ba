/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/check/wire.h"
#include "harness/host/clock.h"
#include "harness/host/nearest.h"

#include <ctype.h>
#include <inttypes.h>
#include <poll.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* Text that arrives late after an answer is waited for only in the first requests; later the next request
 * finds it. */
enum { LINES_OF_TEXT = 64, QUIET_MS = 2, EARLY_REQUESTS = 64 };

static const char fix_stdout[] =
    "keep a copy of descriptor 1 for the answers and let 1 be stderr (dup, dup2), as "
    "assay_exec.py does: libraries print too";

void conversation_complain(struct conversation *c, enum check check, const char *fix, const char *format, ...)
{
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    findings_complain(c->findings, check, &(struct complaint){c->where ? c->where : "", c->sent, text, fix});
}

void wire_limit(struct conversation *c, double seconds)
{
    c->program.late = false;
    c->program.deadline = clock_ns() + (int64_t)(seconds * 1e9);
}

void wire_lose(struct conversation *c, enum check check, const char *fix, const char *text)
{
    char words[160] = "", whole[1400];
    exec_last_log_line(&c->program, words, sizeof words);
    snprintf(whole, sizeof whole, "%s%s%s", text, words[0] ? "; the last line of its stderr: " : "", words);
    bool charged = c->charge != CHECKS, late = c->program.late;
    conversation_complain(c, charged ? c->charge : check, charged ? c->fix : fix, "%s", whole);
    exec_kill(&c->program);
    c->running = false;
    c->losses += late ? LOSSES_LATE : 1;
}

/* Says why no more output came. */
static void describe_silence(struct conversation *c, char *text, size_t size)
{
    char how[128];
    if (c->program.late) {
        snprintf(text, size, "nothing within %g s", c->time_limit);
    } else {
        exec_describe_end(&c->program, how, sizeof how);
        snprintf(text, size, "no answer: it %s", how);
    }
}

char *wire_silence(struct conversation *c, enum check late)
{
    char text[256];
    describe_silence(c, text, sizeof text);
    if (c->program.late) {
        wire_lose(c, late,
                  "flush stdout behind every answer; read every storage of the request; a slow start wants a "
                  "greater --time-limit",
                  text);
        return NULL;
    }
    if (late == CHECK_GREETS) {
        c->silent = true;
        wire_lose(c, CHECK_GREETS, "run the command by hand, and type {\"hello\": 1}", text);
        return NULL;
    }
    wire_lose(c, CHECK_LIVES, "catch what goes wrong and answer \"error\" with its message", text);
    return NULL;
}

static bool is_object(const char *line, json_error_t *fault)
{
    json_t *json = json_loads(line, JSON_REJECT_DUPLICATES, fault);
    bool good = json_is_object(json);
    json_decref(json);
    return good;
}

char *wire_message(struct conversation *c, enum check form)
{
    char first[200] = "", text[600], silence[256] = "more text";
    struct error why = {.text = ""};
    json_error_t fault = {.text = ""};
    for (int number = 1; number <= LINES_OF_TEXT; number++) {
        char *line = exec_line(&c->program, &why);
        if (!line && why.text[0]) {
            wire_lose(c, form, "a message is at most 1 MiB; numbers belong into the bytes behind it",
                      why.text);
            return NULL;
        }
        if (!line && number > 1) { /* the preceding line was meant to be the answer */
            describe_silence(c, silence, sizeof silence);
            break;
        }
        if (!line) {
            return wire_silence(c, form == CHECK_GREETING ? CHECK_GREETS : CHECK_TIME);
        }
        if (is_object(line, &fault)) {
            findings_tried(c->findings, form);
            if (number > 1) {
                conversation_complain(c, CHECK_STDOUT, fix_stdout,
                                      "%d line%s of text before the message, the first: \"%s\"", number - 1,
                                      number > 2 ? "s" : "", first);
            }
            return line;
        }
        if (number == 1) {
            snprintf(first, sizeof first, "%.180s", line);
        }
        if (line[strspn(line, " \t")] == '{') { /* a malformed message */
            snprintf(text, sizeof text, "\"%.180s\": %s", line, fault.text);
            wire_lose(c, form,
                      "write the line with a JSON library; NaN and Infinity are no JSON, nor is a name twice",
                      text);
            return NULL;
        }
    }
    snprintf(text, sizeof text, "no JSON object: \"%s\", then %s", first, silence);
    wire_lose(c, form, "answer with one line that is a JSON object, and flush it", text);
    return NULL;
}

bool wire_id(struct conversation *c, const json_t *json)
{
    const json_t *id = json_object_get(json, "id");
    char text[128];
    findings_tried(c->findings, CHECK_ID);
    if (json_is_integer(id) && json_integer_value(id) == c->id) {
        return true;
    }
    if (json_is_integer(id)) {
        snprintf(text, sizeof text, "\"id\": %" JSON_INTEGER_FORMAT " where %ld was asked",
                 json_integer_value(id), c->id);
    } else {
        snprintf(text, sizeof text, "%s where %ld was asked",
                 id ? "an \"id\" that is no integer" : "no \"id\"", c->id);
    }
    wire_lose(c, CHECK_ID, "copy the id of the request that is answered, and answer in order", text);
    return false;
}

static bool check_status(struct conversation *c, const json_t *json)
{
    static const char *const words[] = {"ok", "unsupported", "rejected", "out_of_memory", "error", NULL};
    const char *status = json_string_value(json_object_get(json, "status"));
    struct nearest nearest = {.word = status};
    char text[160];
    findings_tried(c->findings, CHECK_STATUS);
    for (int w = 0; status && words[w]; w++) {
        if (strcmp(status, words[w]) == 0) {
            return true;
        }
        nearest_offer(&nearest, words[w]);
    }
    snprintf(text, sizeof text, "\"status\": \"%.40s\"%s%s%s", status ? status : "(none)",
             nearest.best ? "; did you mean \"" : "", nearest.best ? nearest.best : "",
             nearest.best ? "\"?" : "");
    wire_lose(c, CHECK_STATUS, "use one of the five words", text);
    return false;
}

static void check_reason(struct conversation *c, const json_t *json)
{
    const char *status = json_string_value(json_object_get(json, "status"));
    const char *key = strcmp(status, "unsupported") == 0 ? "reason" : "message";
    const char *text = json_string_value(json_object_get(json, key));
    if (strcmp(status, "ok") == 0) {
        return;
    }
    findings_tried(c->findings, CHECK_REASON);
    if (!text || !text[0]) {
        conversation_complain(c, CHECK_REASON,
                              "say in a few words what is missing or wrong: the record shows them",
                              "\"status\": \"%s\" without a \"%s\"", status, key);
    }
}

/* Checks device_ns. A device's clock may run faster than ours by an eighth, and a millisecond is added. */
static void check_device_ns(struct conversation *c, const json_t *json, int64_t wall_ns)
{
    const json_t *device_ns = json_object_get(json, "device_ns");
    static const char fix[] =
        "nanoseconds, not seconds or milliseconds, of this operator alone; or leave it out";
    if (!device_ns) {
        findings_excuse(c->findings, CHECK_DEVICE_NS, "its answers have none");
        return;
    }
    findings_tried(c->findings, CHECK_DEVICE_NS);
    if (!json_is_integer(device_ns)) {
        conversation_complain(c, CHECK_DEVICE_NS, fix, "\"device_ns\" is no integer");
    } else if (json_integer_value(device_ns) < 0) {
        conversation_complain(c, CHECK_DEVICE_NS, fix, "\"device_ns\": %" JSON_INTEGER_FORMAT,
                              json_integer_value(device_ns));
    } else if (json_integer_value(device_ns) > wall_ns + wall_ns / 8 + 1000000) {
        conversation_complain(c, CHECK_DEVICE_NS, fix,
                              "\"device_ns\": %" JSON_INTEGER_FORMAT
                              ", where the whole exchange took %" PRId64,
                              json_integer_value(device_ns), wall_ns);
    }
}

void check_spelling(struct conversation *c, enum check check, json_t *object, const char *const *known)
{
    const char *key;
    json_t *value;
    findings_tried(c->findings, check);
    json_object_foreach(object, key, value)
    {
        struct nearest nearest = {.word = key};
        int k = 0;
        while (known[k] && strcmp(known[k], key) != 0) {
            nearest_offer(&nearest, known[k++]);
        }
        if (!known[k]) {
            conversation_complain(c, check, "correct the name, or leave it out: nobody reads it",
                                  "\"%.60s\" is no member%s%s%s", key,
                                  nearest.best ? "; did you mean \"" : "", nearest.best ? nearest.best : "",
                                  nearest.best ? "\"?" : "");
        }
    }
}

bool wire_answer(struct conversation *c, const char *line, int64_t wall_ns)
{
    static const char *const members[] = {"id",        "status",  "outputs", "mutated", "return_storages",
                                          "device_ns", "message", "reason",  NULL};
    json_t *json = json_loads(line, 0, NULL);
    bool good = json && wire_id(c, json) && check_status(c, json);
    if (good) {
        findings_tried(c->findings, CHECK_OUTPUTS);
        check_reason(c, json);
        check_spelling(c, CHECK_SPELLING, json, members);
        check_device_ns(c, json, wall_ns);
    }
    json_decref(json);
    return good;
}

bool wire_bytes(struct conversation *c, struct wire_payload *payload, void *to, size_t size)
{
    char text[200], how[128];
    size_t got = exec_read(&c->program, to, size);
    if (payload->heard < sizeof payload->head) {
        size_t room = sizeof payload->head - (size_t)payload->heard;
        memcpy(payload->head + payload->heard, to, got < room ? got : room);
    }
    payload->heard += got;
    if (got == size) {
        return true;
    }
    int used = snprintf(text, sizeof text, "%" PRIu64 " bytes of the %" PRIu64 " that were declared, then ",
                        payload->heard, payload->declared);
    if (c->program.late) {
        snprintf(text + used, sizeof text - (size_t)used, "nothing for %g s", c->time_limit);
    } else {
        exec_describe_end(&c->program, how, sizeof how);
        snprintf(text + used, sizeof text - (size_t)used, "it %s", how);
    }
    wire_lose(c, CHECK_BYTES,
              "send whole storages of what is mutated, then each output contiguous, and flush", text);
    return false;
}

/* Returns the length of the text at `bytes`: at least four printable bytes and a newline, and not a message;
 * else 0. */
static size_t text_length(const unsigned char *bytes, size_t size)
{
    size_t length = 0;
    while (length < size && (isprint(bytes[length]) || bytes[length] == '\t')) {
        length++;
    }
    return length >= 4 && bytes[0] != '{' && length < size && bytes[length] == '\n' ? length : 0;
}

bool wire_nothing_more(struct conversation *c, const struct wire_payload *payload)
{
    unsigned char more[256];
    struct pollfd readable = {.fd = c->program.from, .events = POLLIN};
    char text[400];
    if (c->program.end == c->program.start &&
        poll(&readable, 1, payload && c->requests < EARLY_REQUESTS ? QUIET_MS : 0) >= 0 &&
        !exec_has_more(&c->program)) {
        return true;
    }
    wire_limit(c, 0.02); /* reads what comes with it */
    size_t size = exec_read(&c->program, more, sizeof more), head = payload ? (size_t)payload->heard : 0;
    head = head < sizeof payload->head ? head : sizeof payload->head;
    size_t before = payload ? text_length(payload->head, head) : 0, behind = text_length(more, size);
    c->program.late = false; /* this was no wait for an answer */
    if (size == 0) {
        return true; /* the end of its output: the next request reports it */
    }
    if (before || behind) {
        snprintf(text, sizeof text, "text %s: \"%.*s\"",
                 before ? "between the line and the bytes" : "behind an answer",
                 (int)(before ? before : behind), before ? (const char *)payload->head : (const char *)more);
        wire_lose(c, CHECK_STDOUT, fix_stdout, text);
    } else if (payload) {
        snprintf(text, sizeof text, "%s%zu bytes more than the %" PRIu64 " that were declared",
                 size == sizeof more ? "at least " : "", size, payload->declared);
        wire_lose(c, CHECK_BYTES,
                  "send the whole storages of what is mutated once each, then the outputs, and nothing more",
                  text);
    } else {
        snprintf(text, sizeof text, "%s%zu bytes behind an answer, before the next request",
                 size == sizeof more ? "at least " : "", size);
        wire_lose(c, CHECK_BYTES, "send what was declared and nothing more", text);
    }
    return false;
}
