/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reports/join.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

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
        record.line = join->lines ? strndup(line, strcspn(line, "\r\n")) : NULL; /* none: it is formatted */
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

static bool read_lines(FILE *file, const char *path, struct join *join, struct error *error)
{
    char *line = NULL;
    size_t room = 0;
    struct error fault = {0};
    bool ok = true;
    long number = 0;
    for (ssize_t length; ok && (length = getline(&line, &room, file)) >= 0 && line;) {
        number++;
        if (blank(line, (size_t)length) || read_line(join, line, (size_t)length, &fault)) {
            continue;
        }
        /* No newline and no whole object: the writer died in its last line. That case is lost, the rest is
         * not. */
        if (line[length - 1] == '\n' || strncmp(fault.text, "not JSON", 8)) {
            ok = error_set(error, "%.200s:%ld: %.250s", path, number, fault.text);
        }
        join->to->torn = ok;
        break;
    }
    free(line);
    if (ok && ferror(file)) {
        ok = error_set(error, "%.200s: %s", path, strerror(errno));
    }
    return ok;
}

static bool read_file(const char *path, bool lines, struct results *results, struct error *error)
{
    memset(results, 0, sizeof *results);
    FILE *file = fopen(path, "r");
    if (!file) {
        return error_set(error, "%.200s: %s", path, strerror(errno));
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
