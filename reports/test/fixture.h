/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REPORTS_TEST_FIXTURE_H
#define ASSAY_REPORTS_TEST_FIXTURE_H

/* Results to report on: two backends, every status, and texts that try to break out of their container.
 * Static functions, so that tests link alone or together. */

#include "reports/records/record.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FIXTURE static __attribute__((unused))

/* "]]>" ends CDATA; ESC and U+FFFE are illegal in XML 1.0; then a stray byte, a surrogate in UTF-8, an astral
 * sign. */
#define NASTY                                                                                                \
    "a ]]> \"quoted\" 'single' <b>&amp; | \x1b[31m bell\x07 tab\t caf\xc3\xa9 \xf0\x9d\x94\xb8 "             \
    "bad\xff\xed\xa0\x80 "                                                                                   \
    "\xef\xbf\xbe end,\r\nsecond line \\ `code`"

FIXTURE char *text(const char *from)
{
    return from ? strdup(from) : NULL;
}

FIXTURE struct record *add_record(struct results *results, const char *id, const char *backend,
                                  enum status status)
{
    results->record = realloc(results->record, (size_t)(results->records + 1) * sizeof *results->record);
    struct record *record = &results->record[results->records++];
    *record = (struct record){.id = text(id),
                              .backend = text(backend),
                              .status = status,
                              .elements = 1,
                              .resolution = NAN,
                              .bit_exact = 1,
                              .faithful = 1,
                              .distinct = 1,
                              .wall_ns = 1500000,
                              .device_ns = 50000,
                              .worst = {.index = -1}};
    return record;
}

FIXTURE struct record_header *add_header(struct results *results, const char *backend, const char *device)
{
    results->header = realloc(results->header, (size_t)(results->headers + 1) * sizeof *results->header);
    struct record_header *header = &results->header[results->headers++];
    *header = (struct record_header){.version = RECORD_VERSION,
                                     .assay = text("0.1.0"),
                                     .commit = text("abc123"),
                                     .started = text("2026-01-31T12:00:00Z"),
                                     .backend = text(backend),
                                     .device = text(device),
                                     .driver = text("Mesa 22.3.6"),
                                     .api = text("Vulkan 1.3"),
                                     .os = text("Debian 12"),
                                     .cpu = text("2 cores"),
                                     .memory_bytes = 8ULL << 30,
                                     .device_memory_bytes = 4ULL << 30,
                                     .seed = 1,
                                     .level = text("standard"),
                                     .command = text("assay run")};
    header->profile = calloc(2, sizeof *header->profile);
    header->profile_count = 2;
    header->profile[0] = (struct record_pair){text("rounding"), text("rte")};
    header->profile[1] = (struct record_pair){text("subnormals.float32"), text(NASTY)};
    header->environment = calloc(1, sizeof *header->environment);
    header->environment_count = 1;
    header->environment[0] = (struct record_pair){text("VK_ICD_FILENAMES"), text("/x/lvp.json")};
    return header;
}

#define ODD "linalg/logdet/float32/odd-permutation-n5"

/* A failing case with every part of a failure filled in. */
FIXTURE struct record *add_failure(struct results *results, const char *backend)
{
    struct record *record = add_record(results, ODD, backend, STATUS_FAIL);
    record->reason = text("special-value rule 1: where the truth is NaN, the result must be NaN");
    record->repro = text("assay repro " ODD " --backend vulkan --seed 1");
    record->source = text("suites/linalg/logdet.c:41");
    record->inputs_digest = text("00112233445566778899aabbccddeeff");
    record->max_nu = INFINITY;
    record->max_ulp = NAN;
    record->over_bound = 1;
    record->worst = (struct record_worst){.index = 0,
                                          .where = text("output 0 [0]"),
                                          .ulp = NAN,
                                          .nu = INFINITY,
                                          .truth = text("NaN (the determinant is -1)"),
                                          .got = text("0 (0x00000000)")};
    return record;
}

/* Twelve cases of backend "vulkan", one per status and one more pass, then cases of "cpu". */
FIXTURE void fill(struct results *results)
{
    static const char *const ids[STATUS_COUNT] = {"elementwise/sgn/float16/exhaustive",
                                                  ODD,
                                                  "linalg/logdet/float32/hilbert-n8",
                                                  "elementwise/sgn/float64/specials",
                                                  "linalg/logdet/float64/kahan",
                                                  "linalg/det/float32/hang",
                                                  "linalg/det/float32/refused",
                                                  "elementwise/sgn/complex64/nan",
                                                  "elementwise/sgn/float32/denormal",
                                                  "inplace/add_/float32/overlap|x",
                                                  "inplace/add_/int32/shard"};
    add_header(results, "vulkan", "llvmpipe (LLVM 15.0.6)");
    add_header(results, "cpu", "a processor, \"plain C\"");
    for (int status = 0; status < STATUS_COUNT; status++) {
        if (status == STATUS_FAIL) {
            add_failure(results, "vulkan");
            continue;
        }
        struct record *record = add_record(results, ids[status], "vulkan", (enum status)status);
        record->max_ulp = 0.5;
        record->max_nu = status == STATUS_VACUOUS ? 0.01 : 0.25;
        record->median_rho = status == STATUS_VACUOUS ? 0.36 : 1e-7;
        record->resolution = status == STATUS_VACUOUS ? INFINITY : 1e-7;
        if (status != STATUS_PASS) {
            record->reason = text(status == STATUS_UNSUPPORTED ? "shaderFloat64 missing" : NASTY);
        }
    }
    add_record(results, "elementwise/sgn/float16/specials", "vulkan", STATUS_PASS)->bias_ulp = -0.125;
    add_record(results, "elementwise/sgn/float16/exhaustive", "cpu", STATUS_PASS)->max_nu = 0.71;
    add_record(results, ODD, "cpu", STATUS_PASS)->inputs_digest = text("00112233445566778899aabbccddeeff");
    add_record(results, "linalg/logdet/float32/hilbert-n8", "cpu", STATUS_VACUOUS)->median_rho = 0.2;
}

/* The text that `call` prints to `to`; the caller frees it. */
#define PRINT(shown, call)                                                                                   \
    do {                                                                                                     \
        size_t size_;                                                                                        \
        FILE *to = open_memstream(&(shown), &size_);                                                         \
        call;                                                                                                \
        fclose(to);                                                                                          \
    } while (0)

/* Writes a file with this content; the caller unlinks and frees its name. */
FIXTURE char *temporary(const char *content, size_t size)
{
    char name[] = "/tmp/assay-reports-XXXXXX";
    int file = mkstemp(name);
    if (file < 0 || write(file, content, size) != (ssize_t)size || close(file)) {
        abort();
    }
    return strdup(name);
}

/* The output of `script` for the content, run by the first Python that has the modules: that of make
 * adapters, ASSAY_PYTHON, python3. NULL, with the reason printed, where none has. */
FIXTURE char *read_by(const char *script, const char *modules, const char *format, const char *content)
{
    const char *candidates[] = {"build/adapters/bin/python", getenv("ASSAY_PYTHON"), "python3"},
               *python = NULL;
    char command[600];
    for (size_t c = 0; c < sizeof candidates / sizeof *candidates && !python; c++) {
        snprintf(command, sizeof command, "'%s' -c 'import %s' 2>/dev/null",
                 candidates[c] ? candidates[c] : "false", modules);
        if (candidates[c] && system(command) == 0) {
            python = candidates[c];
        }
    }
    if (!python) {
        fprintf(stderr, "skipped: no Python here has %s, so nothing else reads this %s\n", modules, format);
        return NULL;
    }
    char *name = temporary(content, strlen(content)), *said = calloc(1, 65536);
    snprintf(command, sizeof command, "'%s' reports/test/%s %s %s 2>&1", python, script, format, name);
    FILE *reader = popen(command, "r");
    said[fread(said, 1, 65535, reader)] = 0;
    pclose(reader);
    unlink(name);
    free(name);
    return said;
}

/* The output of an independent reader for the content; NULL where there is no Python. */
FIXTURE char *read_with_python(const char *format, const char *content)
{
    return read_by("readers.py", "xml.etree.ElementTree, csv", format, content);
}

#endif
