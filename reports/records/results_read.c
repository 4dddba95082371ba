/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reports/records/input.h"
#include "reports/records/join.h"
#include "reports/records/losses.h"

#include <stdlib.h>
#include <string.h>

/* Reads a record or a header. A record has an id, a header has none; most lines are records, so that parser
 * is tried first. */
static bool read_line(struct join *join, const char *line, size_t length, struct error *error)
{
    struct record record;
    struct record_header header;
    struct error as_record = {0}, as_header = {0};
    bool ok;
    if (record_parse(line, length, &record, &as_record)) {
        if (!record.backend) { /* a worker may omit it, a file may not */
            record_clear(&record);
            return error_set(error, "member \"backend\" is missing");
        }
        record.line =
            join->lines ? strndup(line, strcspn(line, "\r\n")) : NULL; /* NULL: it will be formatted anew */
        ok = join_record(join, &record, 0);
        record_clear(&record);
    } else if (record_header_parse(line, length, &header, &as_header)) {
        ok = join_header(join, &header, true);
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

/* A backend with records before any header of its own. */
struct bare {
    char *backend;
    long line; /* line number of the first record */
    int64_t records;
};

struct bares {
    struct bare *bare;
    int count;
};

static bool bare_note(struct bares *bares, const struct record *record, long line)
{
    int b = 0;
    while (b < bares->count && strcmp(bares->bare[b].backend, record->backend)) {
        b++;
    }
    if (b == bares->count) {
        struct bare *larger = realloc(bares->bare, (size_t)(b + 1) * sizeof *larger);
        bares->bare = larger ? larger : bares->bare;
        char *backend = larger ? strdup(record->backend) : NULL;
        if (!backend) {
            return false;
        }
        bares->bare[bares->count++] = (struct bare){backend, line, 0};
    }
    bares->bare[b].records++;
    return true;
}

/* Makes headers for records without one. */
static bool cover_bare(struct bares *bares, const char *path, struct join *join)
{
    bool good = true;
    for (int b = 0; b < bares->count; b++) {
        const struct bare *bare = &bares->bare[b];
        char *fault = NULL;
        good = good &&
               asprintf(&fault,
                        "%s:%ld: %lld record%s no header: the file lost its beginning, or was joined from "
                        "parts of other files; run again, or leave this file out",
                        path, bare->line, (long long)bare->records,
                        bare->records == 1 ? " has" : "s have") >= 0 &&
               join_bare(join, bare->backend, fault);
        free(fault);
        free(bare->backend);
    }
    free(bares->bare);
    return good;
}

/* If a case lacks a record, the torn line was that record; otherwise it may have been another header, which
 * is noted as a fault. */
static bool explain_torn(const char *path, long line, struct results *results)
{
    struct losses losses;
    bool good = losses_find(results, false, &losses);
    if (good && losses.count == 0 && results->parts) {
        char **fault = &results->part[results->parts - 1].fault;
        good = asprintf(fault,
                        "%s:%ld: the last line is cut short, though every case has a record: the header of "
                        "another backend may be lost; run again",
                        path, line) >= 0;
        *fault = good ? *fault : NULL;
    }
    losses_destroy(&losses);
    return good;
}

static bool read_lines(FILE *file, const char *path, struct join *join, struct error *error)
{
    char *line = NULL;
    size_t room = 0;
    struct error fault = {0};
    struct bares bares = {.count = 0};
    bool ok = true;
    long number = 0;
    struct error unread = {.text = ""};
    for (ssize_t length; ok && (length = input_line(file, &line, &room, path, ++number, &unread)) >= 0;) {
        int before = join->to->records;
        if (blank(line, (size_t)length) || read_line(join, line, (size_t)length, &fault)) {
            const struct record *record = join->to->records > before ? &join->to->record[before] : NULL;
            ok = !record || record->part || bare_note(&bares, record, number) ||
                 error_set(error, "out of memory");
            continue;
        }
        /* No newline and no complete object: the writer died in its last line. Only that case is lost. */
        if (line[length - 1] == '\n' || strncmp(fault.text, "not JSON", 8)) {
            ok = error_set(error, "%.200s:%ld: %.250s", path, number, fault.text);
        }
        join->to->torn = ok;
        break;
    }
    free(line);
    if (unread.text[0]) {
        ok = error_set(error, "%s", unread.text);
    }
    bool covered =
        cover_bare(&bares, path, join) && (!join->to->torn || explain_torn(path, number, join->to));
    return ok && (covered || error_set(error, "out of memory"));
}

static bool read_file(const char *path, bool lines, struct results *results, struct error *error)
{
    memset(results, 0, sizeof *results);
    FILE *file = input_open(path, error);
    if (!file) {
        return false;
    }
    struct join join = {.to = results, .lines = lines};
    bool ok = read_lines(file, path, &join, error);
    fclose(file);
    join_end(&join);
    join_expected(results);
    if (ok && !results->headers && !results->records) {
        ok = error_set(error, "%.200s: no result header or record in it", path);
    }
    if (!ok) {
        results_destroy(results);
    }
    return ok;
}

bool results_read(const char *path, struct results *results, struct error *error)
{
    return read_file(path, false, results, error);
}

bool results_read_lines(const char *path, struct results *results, struct error *error)
{
    return read_file(path, true, results, error);
}
