/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/exec/session.h"
#include "harness/exec/program.h"
#include "harness/exec/protocol.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct backend {
    char name[64];
    char *command;
    struct exec_program program;
    bool running;
    struct exec_hello hello;
    char *greeting; /* the line that `hello` was read from */
    int greetings;  /* number of greetings so far */
    long id;        /* of the latest request */
    /* Greetings from before a restart after which the program greeted differently. They are kept because
     * callers of `info` use their lists. */
    struct exec_hello *earlier;
    int earlier_count;
};

/* Takes a greeting. Does nothing if it is the same as before; otherwise it replaces the earlier one, which is
 * kept. */
static bool take_greeting(struct backend *backend, const char *line, struct error *why)
{
    struct exec_hello hello;
    if (backend->greeting && strcmp(backend->greeting, line) == 0) {
        return true;
    }
    char *greeting = strdup(line);
    size_t kept = ((size_t)backend->earlier_count + 1) * sizeof *backend->earlier;
    struct exec_hello *earlier = realloc(backend->earlier, kept);
    backend->earlier = earlier ? earlier : backend->earlier;
    bool good = exec_parse_hello(line, &hello, why);
    if (!good || !greeting || !earlier) {
        exec_hello_clear(&hello);
        free(greeting);
        return good ? error_set(why, "out of memory for the greeting") : false;
    }
    if (backend->greeting) {
        backend->earlier[backend->earlier_count++] = backend->hello;
    }
    free(backend->greeting);
    backend->greeting = greeting;
    backend->hello = hello;
    return true;
}

/* Appends the last line that the program wrote to stderr. */
static void add_last_line(struct backend *backend, char *text, size_t size)
{
    char words[160];
    size_t used = strlen(text);
    exec_last_log_line(&backend->program, words, sizeof words);
    if (words[0] && used < size) {
        snprintf(text + used, size - used, "; it said: %s", words);
    }
}

static bool greet(struct backend *backend, struct error *error)
{
    if (!exec_start(&backend->program, backend->command, error)) {
        return false;
    }
    struct error why = {.text = ""};
    char *hello = exec_format_hello();
    const bool sent = hello && exec_send(&backend->program, hello, strlen(hello));
    char *line = sent ? exec_line(&backend->program, &why) : NULL;
    free(hello);
    bool good = line && take_greeting(backend, line, &why);
    if (!good) {
        char how[128] = "";
        if (!why.text[0]) {
            exec_describe_end(&backend->program, how, sizeof how);
        }
        error_set(error, "%s: \"%.200s\" does not greet: %s%s", backend->name, backend->command,
                  why.text[0] ? why.text : "it ", how);
        add_last_line(backend, error->text, sizeof error->text);
        exec_stop(&backend->program);
    }
    backend->running = good;
    backend->greetings += good;
    return good;
}

struct backend *exec_open(const char *name, const char *command, struct error *error)
{
    struct backend *backend = calloc(1, sizeof *backend);
    if (backend) {
        snprintf(backend->name, sizeof backend->name, "%s", name);
        backend->command = strdup(command);
    }
    if (!backend || !backend->command || !greet(backend, error)) {
        if (!backend || !backend->command) {
            error_set(error, "%s: out of memory", name);
        }
        exec_close(&backend);
    }
    return backend;
}

static void end_program(struct backend *backend)
{
    if (backend->running) {
        exec_stop(&backend->program);
        backend->running = false;
    }
}

void exec_close(struct backend **backend)
{
    if (*backend) {
        end_program(*backend);
        exec_hello_clear(&(*backend)->hello);
        for (int e = 0; e < (*backend)->earlier_count; e++) {
            exec_hello_clear(&(*backend)->earlier[e]);
        }
        free((*backend)->earlier);
        free((*backend)->greeting);
        free((*backend)->command);
        free(*backend);
        *backend = NULL;
    }
}

void exec_info(const struct backend *backend, struct backend_info *info)
{
    *info = (struct backend_info){.profile = backend->hello.profile,
                                  .returns_operands = backend->hello.return_storages,
                                  .repeats = backend->hello.repeats,
                                  .offers = backend->hello.offers,
                                  .greetings = backend->greetings};
    snprintf(info->name, sizeof info->name, "%s", backend->name);
    snprintf(info->device, sizeof info->device, "%s", backend->hello.device);
    snprintf(info->driver, sizeof info->driver, "%s%s%s", backend->hello.name,
             backend->hello.version[0] ? " " : "", backend->hello.version);
    snprintf(info->api, sizeof info->api, "exec protocol 1");
}

/* Ends the program after a failed step: status STEP_CRASHED if it died (`why` is ""), STEP_ERROR if its
 * answer was malformed. */
static void lose(struct backend *backend, struct step_result *result, const char *why)
{
    if (why[0]) {
        result->status = STEP_ERROR;
        snprintf(result->message, sizeof result->message, "the program answered out of form: %.200s", why);
    } else {
        char how[128];
        exec_describe_end(&backend->program, how, sizeof how);
        result->status = STEP_CRASHED;
        snprintf(result->message, sizeof result->message, "the program %s", how);
    }
    add_last_line(backend, result->message, sizeof result->message);
    exec_kill(&backend->program);
    backend->running = false;
}

static bool send_request(struct backend *backend, const struct program *program,
                         const struct exec_request *request, unsigned char **image)
{
    bool good = exec_send(&backend->program, request->line, strlen(request->line));
    for (int s = 0; good && s < request->storages; s++) {
        int storage = request->storage[s];
        good = exec_send(&backend->program, image[storage] + BACKEND_GUARD, program->storage[storage].bytes);
    }
    return good;
}

/* Receives the returned storages whole, then the outputs, which arrive contiguous and are scattered into
 * their storages. Discards `unasked` further bytes. */
static bool receive_results(struct backend *backend, const struct program *program, const struct step *step,
                            const struct exec_request *request, uint64_t unasked, unsigned char **image)
{
    bool good = true;
    for (int m = 0; good && m < request->returned; m++) {
        int storage = request->returned_storage[m];
        good = exec_bytes(&backend->program, image[storage] + BACKEND_GUARD, program->storage[storage].bytes);
    }
    for (int o = 0; good && o < step->outputs; o++) {
        struct tensor tensor = {.dtype = step->output[o].dtype, .shape = step->output[o].shape};
        const struct view *view = &step->output[o];
        if (view_is_contiguous(view)) { /* the usual case, which needs no copy */
            good = exec_bytes(&backend->program,
                              image[view->storage] + BACKEND_GUARD +
                                  view->offset * (int64_t)dtype_info(view->dtype)->size,
                              (size_t)shape_bytes(&view->shape, view->dtype));
            continue;
        }
        good = tensor_create(&tensor, tensor.dtype, &tensor.shape) &&
               exec_bytes(&backend->program, tensor.data, tensor_bytes(&tensor));
        if (good) {
            tensor_scatter(&tensor, &step->output[o], image[step->output[o].storage] + BACKEND_GUARD);
        }
        tensor_destroy(&tensor);
    }
    for (uint64_t left = unasked; good && left > 0;) {
        unsigned char ignored[4096];
        size_t size = left < sizeof ignored ? (size_t)left : sizeof ignored;
        good = exec_bytes(&backend->program, ignored, size);
        left -= size;
    }
    return good;
}

static bool offered(const struct backend *backend, const struct step *step, struct step_result *result)
{
    struct error reason = {.text = ""};
    bool good =
        exec_offers(&backend->hello, step->op, step->input[op_leading_input(step->op)].dtype, &reason);
    for (int i = 0; good && i < step->inputs + step->outputs; i++) {
        const struct view *view = i < step->inputs ? &step->input[i] : &step->output[i - step->inputs];
        if (view->storage >= 0 && !(backend->hello.dtypes >> view->dtype & 1)) {
            good = error_set(&reason, "the program does not offer %s", dtype_info(view->dtype)->name);
        }
    }
    if (!good) {
        result->status = STEP_UNSUPPORTED;
        snprintf(result->message, sizeof result->message, "%.*s", (int)sizeof result->message - 1,
                 reason.text);
    }
    return good;
}

static void run_step(struct backend *backend, const struct program *program, const struct step *step,
                     const struct backend_run *run, struct step_result *result, int64_t *device_ns)
{
    const bool repeated = backend->hello.repeats &&
                          (run->repeats > 1 || run->warm_up > 0 || run->rounds > 1) &&
                          backend_may_repeat(program);
    const bool return_all = !repeated && run->return_operands && backend->hello.return_storages;
    unsigned char **image = run->image;
    struct exec_request request;
    struct exec_reply reply;
    struct error why = {.text = ""};
    if (!offered(backend, step, result)) {
        return;
    }
    bool formatted =
        repeated ? exec_format_repeated(++backend->id, program, step, run->repeats > 1 ? run->repeats : 1,
                                        run->warm_up, run->rounds, &request)
                 : exec_format_step(++backend->id, program, step, return_all, &request);
    if (!formatted) {
        result->status = STEP_ERROR;
        snprintf(result->message, sizeof result->message, "out of memory for the request");
        return;
    }
    char *line = send_request(backend, program, &request, image) ? exec_line(&backend->program, &why) : NULL;
    if (!line || !exec_parse_reply(line, backend->id, step, return_all, &reply, &why)) {
        lose(backend, result, why.text);
    } else if (reply.status == STEP_MISSHAPEN) { /* the number of bytes that follow is unknown */
        result->status = reply.status;
        memcpy(result->message, reply.message, sizeof result->message);
        exec_kill(&backend->program);
        backend->running = false;
    } else if (reply.status == STEP_OK &&
               !receive_results(backend, program, step, &request, reply.unasked, image)) {
        lose(backend, result, "");
    } else if (exec_has_more(&backend->program)) {
        lose(backend, result, "it sent more than was asked for");
    } else {
        result->status = reply.status;
        memcpy(result->message, reply.message, sizeof result->message);
        *device_ns += reply.device_ns;
        if (reply.status == STEP_ERROR && !reply.message[0]) {
            snprintf(result->message, sizeof result->message, "the program reports an error and no message");
            add_last_line(backend, result->message, sizeof result->message);
        }
    }
    free(request.line);
}

bool exec_run(struct backend *backend, const struct program *program, struct backend_run *run,
              struct error *error)
{
    if (!backend->running && !greet(backend, error)) {
        return false;
    }
    bool going = true;
    run->device_ns = 0;
    for (int s = 0; s < program->steps; s++) {
        run->result[s].status = STEP_NOT_RUN;
        if (going) {
            run_step(backend, program, &program->step[s], run, &run->result[s], &run->device_ns);
            going = run->result[s].status == STEP_OK || run->result[s].status == STEP_REJECTED;
        }
    }
    return true;
}

/* Sends a request about memory, if the program is running and offers them. `what` is one member of the
 * request: "\"memory\": true". Returns false if the program answers otherwise than "ok". A malformed answer
 * costs no case: the next step starts the program anew. */
static bool ask(struct backend *backend, const char *what, struct backend_memory *memory)
{
    if (!backend->running || !backend->hello.memory) {
        return false;
    }
    char line[96];
    struct error why = {.text = ""};
    struct backend_memory ignored;
    bool agrees = false;
    int length = snprintf(line, sizeof line, "{\"id\": %ld, %s}\n", ++backend->id, what);
    char *answer =
        exec_send(&backend->program, line, (size_t)length) ? exec_line(&backend->program, &why) : NULL;
    if (!answer || !exec_parse_memory(answer, backend->id, &agrees, memory ? memory : &ignored, &why)) {
        end_program(backend);
        return false;
    }
    return agrees;
}

void exec_memory(struct backend *backend, struct backend_memory *memory)
{
    *memory = (struct backend_memory){.allocated = 0};
    ask(backend, "\"memory\": true", memory);
}

void exec_empty_cache(struct backend *backend)
{
    ask(backend, "\"empty_cache\": true", NULL);
}

bool exec_limit_memory(struct backend *backend, uint64_t bytes)
{
    char what[64];
    snprintf(what, sizeof what, "\"memory_limit\": %" PRIu64, bytes);
    return ask(backend, what, NULL);
}
