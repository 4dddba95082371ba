/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reference/base/memory.h"
#include "reports/markdown/markdown_parts.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { VALUE_COLUMNS = 160 };

/* Prints a name and a value; line breaks in the value become blanks, because it comes from a backend. */
static void line(FILE *to, const char *name, const char *value)
{
    char *copy = strdup(value ? value : "unknown");
    for (char *c = copy; copy && (c = strpbrk(c, "\r\n"));) {
        *c = ' ';
    }
    fprintf(to, "  %-24s %s\n", name, copy ? copy : "");
    free(copy);
}

static void linef(FILE *to, const char *name, const char *format, ...) __attribute__((format(printf, 3, 4)));
static void linef(FILE *to, const char *name, const char *format, ...)
{
    char *text = NULL;
    va_list arguments;
    va_start(arguments, format);
    if (vasprintf(&text, format, arguments) >= 0) {
        line(to, name, text);
    }
    va_end(arguments);
    free(text);
}

static const char *shown(const char *text)
{
    return text ? text : "unknown";
}

static void put_machine(FILE *to, const struct record_header *header)
{
    line(to, "OS", header->os);
    line(to, "CPU", header->cpu);
    linef(to, "memory", "%.1f GiB", (double)header->memory_bytes * 0x1p-30);
}

static bool same_machine(const struct record_header *a, const struct record_header *b)
{
    return !strcmp(shown(a->os), shown(b->os)) && !strcmp(shown(a->cpu), shown(b->cpu)) &&
           a->memory_bytes == b->memory_bytes;
}

static void put_run(FILE *to, const struct record_header *header)
{
    linef(to, "assay", "%s (%s), reference %.12s", shown(header->assay), shown(header->commit),
          shown(header->reference));
    linef(to, "run with", "level %s, seed %" PRIu64 "%s%s", shown(header->level), header->seed,
          header->shard ? ", shard " : "", header->shard ? header->shard : "");
}

static bool same_run(const struct record_header *a, const struct record_header *b)
{
    return !strcmp(shown(a->assay), shown(b->assay)) && !strcmp(shown(a->commit), shown(b->commit)) &&
           !strcmp(shown(a->reference), shown(b->reference)) && !strcmp(shown(a->level), shown(b->level)) &&
           a->seed == b->seed && !strcmp(a->shard ? a->shard : "", b->shard ? b->shard : "");
}

static void put_pairs(FILE *to, const char *prefix, const struct record_pair *pair, int count)
{
    char name[96];
    for (int i = 0; i < count; i++) {
        snprintf(name, sizeof name, "%s%.60s", prefix, pair[i].name ? pair[i].name : "");
        for (char *c = name; (c = strpbrk(c, "\r\n"));) {
            *c = ' ';
        }
        line(to, name, pair[i].value ? pair[i].value : "");
    }
}

/* True if all backends agree, so that the values are printed once, at the top. */
static bool shared(const struct parity *parity,
                   bool (*same)(const struct record_header *, const struct record_header *))
{
    const struct record_header *first = parity->columns ? parity->column[0].header : NULL;
    for (int k = 0; k < parity->columns; k++) {
        const struct record_header *header = parity->column[k].header;
        if (!header || !same(first, header)) {
            return false;
        }
    }
    return first;
}

static void put_backend(FILE *to, const struct parity *parity, int k, bool run, bool machine)
{
    const struct record_header *header = parity->column[k].header;
    char *name = strdup(parity->column[k].backend);
    for (char *c = name; name && (c = strpbrk(c, "\r\n"));) {
        *c = ' ';
    }
    fprintf(to, "%d %s%s\n", k + 1, name ? name : "", header ? "" : ": no header, nothing known");
    free(name);
    if (!header) {
        return;
    }
    line(to, "device", header->device);
    line(to, "driver", header->driver);
    line(to, "API", header->api);
    line(to, "started", header->started);
    if (header->device_memory_bytes) {
        linef(to, "device memory", "%.1f GiB", (double)header->device_memory_bytes * 0x1p-30);
    }
    if (!run) {
        put_run(to, header);
    }
    if (!machine) {
        put_machine(to, header);
    }
    put_pairs(to, "", header->environment, header->environment_count);
    put_pairs(to, "profile: ", header->profile, header->profile_count);
}

void markdown_environment(struct markdown *markdown, const struct parity *parity)
{
    char *text = NULL;
    size_t size;
    FILE *to = open_memstream(&text, &size);
    markdown->ok = markdown->ok && to;
    if (!to) {
        return;
    }
    bool run = shared(parity, same_run), machine = shared(parity, same_machine);
    if (run || machine) {
        fputs("all\n", to);
    }
    if (run) {
        put_run(to, parity->column[0].header);
    }
    if (machine) {
        put_machine(to, parity->column[0].header);
    }
    for (int k = 0; k < parity->columns; k++) {
        put_backend(to, parity, k, run, machine);
    }
    markdown->ok = memory_stream_text(to, &text) && markdown->ok;
    markdown_put(markdown, "<details><summary>Where it ran</summary>\n\n");
    int left = text ? markdown_block(markdown, text, VALUE_COLUMNS) : 0;
    if (left) {
        markdown_say(markdown, "\n%d lines did not fit; the results files have them.\n", left);
    }
    markdown_say(markdown, "\n</details>\n");
    free(text);
}
