/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reports/record.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Which column a backend's name means from here on: shards and repeated files share one, another device gets
 * its own. */
struct alias {
    char *name;  /* as written in the file */
    char *known; /* as known in the results; NULL = the same */
};

struct join {
    struct results *to;
    struct alias *alias;
    int aliases, header_room, record_room;
};

static bool grow(void **array, int count, int *room, size_t size)
{
    if (count < *room)
        return true;
    int more = *room ? 2 * *room : 16;
    void *larger = realloc(*array, (size_t)more * size);
    if (!larger)
        return false;
    *array = larger;
    *room = more;
    return true;
}

static bool same(const char *a, const char *b)
{
    return !strcmp(a ? a : "", b ? b : "");
}

static struct record_header *header_named(const struct results *results, const char *name)
{
    for (int i = 0; i < results->headers; i++) {
        if (same(results->header[i].backend, name))
            return &results->header[i];
    }
    return NULL;
}

/* The header under which this one's records are kept: "vulkan", "vulkan#2", … Fills `name` with that name. */
static struct record_header *header_like(struct results *results, const struct record_header *header,
                                         char *name, size_t size)
{
    snprintf(name, size, "%s", header->backend);
    for (int n = 2;; n++) {
        struct record_header *known = header_named(results, name);
        if (!known || (same(known->device, header->device) && same(known->driver, header->driver) &&
                       same(known->api, header->api)))
            return known;
        snprintf(name, size, "%.900s#%d", header->backend, n);
    }
}

static bool alias_set(struct join *join, const char *name, const char *known)
{
    int i = 0;
    while (i < join->aliases && strcmp(join->alias[i].name, name))
        i++;
    if (i == join->aliases) {
        struct alias *larger = realloc(join->alias, (size_t)(i + 1) * sizeof *larger);
        char *copy = strdup(name);
        if (larger)
            join->alias = larger;
        if (!larger || !copy) {
            free(copy);
            return false;
        }
        join->alias[join->aliases++] = (struct alias){.name = copy};
    }
    free(join->alias[i].known);
    join->alias[i].known = same(name, known) ? NULL : strdup(known);
    return join->alias[i].known || same(name, known);
}

/* Takes the header over, or merges it into the one that is there; `header` is empty after success. */
static bool join_header(struct join *join, struct record_header *header)
{
    char name[1024];
    struct record_header *known = header_like(join->to, header, name, sizeof name);
    if (!alias_set(join, header->backend, name))
        return false;
    if (known) {
        /* Shards of one run each selected their part; the same header once more adds nothing. */
        if (!same(known->started, header->started) || !same(known->command, header->command))
            known->expected += header->expected;
        record_header_clear(header);
        return true;
    }
    if (!grow((void **)&join->to->header, join->to->headers, &join->header_room, sizeof *header))
        return false;
    if (!same(header->backend, name)) {
        char *copy = strdup(name);
        if (!copy)
            return false;
        free(header->backend);
        header->backend = copy;
    }
    join->to->header[join->to->headers++] = *header;
    *header = (struct record_header){0};
    return true;
}

static bool join_record(struct join *join, struct record *record)
{
    if (!grow((void **)&join->to->record, join->to->records, &join->record_room, sizeof *record))
        return false;
    for (int i = 0; i < join->aliases; i++) {
        if (join->alias[i].known && same(join->alias[i].name, record->backend)) {
            char *copy = strdup(join->alias[i].known);
            if (!copy)
                return false;
            free(record->backend);
            record->backend = copy;
            break;
        }
    }
    join->to->record[join->to->records++] = *record;
    *record = (struct record){0};
    return true;
}

static void join_end(struct join *join)
{
    for (int i = 0; i < join->aliases; i++) {
        free(join->alias[i].name);
        free(join->alias[i].known);
    }
    free(join->alias);
}

bool results_join(struct results *to, struct results *from)
{
    struct join join = {.to = to, .header_room = to->headers, .record_room = to->records};
    bool ok = true;
    for (int i = 0; ok && i < from->headers; i++)
        ok = join_header(&join, &from->header[i]);
    for (int i = 0; ok && i < from->records; i++)
        ok = join_record(&join, &from->record[i]);
    join_end(&join);
    if (ok)
        results_destroy(from);
    return ok;
}

/* A record has an id, a header has none. Records are the many, so that parser is asked first. */
static bool read_line(struct join *join, const char *line, size_t length, struct error *error)
{
    struct record record;
    struct record_header header;
    struct error as_record = {0}, as_header = {0};
    bool ok;
    if (record_parse(line, length, &record, &as_record)) {
        if (!record.backend) { /* a worker need not name it, a file must */
            record_clear(&record);
            return error_set(error, "member \"backend\" is missing");
        }
        ok = join_record(join, &record);
        record_clear(&record);
    } else if (record_header_parse(line, length, &header, &as_header)) {
        ok = join_header(join, &header);
        record_header_clear(&header);
    } else {
        bool meant_header = strstr(line, "\"assay\"") && !strstr(line, "\"id\"");
        return error_set(error, "%s", (meant_header ? as_header : as_record).text);
    }
    return ok || error_set(error, "out of memory");
}

static bool blank(const char *line, size_t length)
{
    return strspn(line, " \t\r\n") >= length;
}

static bool read_lines(FILE *file, const char *path, struct join *join, struct error *error)
{
    char *line = NULL;
    size_t room = 0;
    struct error fault = {0};
    bool ok = true;
    long number = 0;
    for (ssize_t length; ok && (length = getline(&line, &room, file)) >= 0 && line;) {
        number++;
        if (blank(line, (size_t)length) || read_line(join, line, (size_t)length, &fault))
            continue;
        /* No newline and no whole object: the writer died in its last line. That case is lost, the rest is
         * not. */
        if (line[length - 1] == '\n' || strncmp(fault.text, "not JSON", 8))
            ok = error_set(error, "%.200s:%ld: %.250s", path, number, fault.text);
        break;
    }
    free(line);
    if (ok && ferror(file))
        ok = error_set(error, "%.200s: %s", path, strerror(errno));
    return ok;
}

bool results_read(const char *path, struct results *results, struct error *error)
{
    memset(results, 0, sizeof *results);
    FILE *file = fopen(path, "r");
    if (!file)
        return error_set(error, "%.200s: %s", path, strerror(errno));
    struct join join = {.to = results};
    bool ok = read_lines(file, path, &join, error);
    fclose(file);
    join_end(&join);
    if (ok && !results->headers && !results->records)
        ok = error_set(error, "%.200s: no result header or record in it", path);
    if (!ok)
        results_destroy(results);
    return ok;
}

void results_destroy(struct results *results)
{
    for (int i = 0; i < results->headers; i++)
        record_header_clear(&results->header[i]);
    for (int i = 0; i < results->records; i++)
        record_clear(&results->record[i]);
    free(results->header);
    free(results->record);
    *results = (struct results){0};
}
