/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REPORTS_RECORDS_RECORD_H
#define ASSAY_REPORTS_RECORDS_RECORD_H

/* Result records: what a run leaves behind, one JSON object per line (JSON Lines, UTF-8).
 *
 * The first line of a file is the header (environment, one per backend run), then one record per case and
 * backend, in the order of completion, each flushed when it is known. Reports read nothing else. Numbers that
 * JSON cannot hold are the strings "nan", "inf", "-inf". Unknown members are ignored, a larger version is
 * refused.
 *
 * Strings of a parsed header or record are owned by it; a NULL string is an absent member. */

#include "reference/base/error.h"
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Version 2 added the envelope: resolution, envelope_…, implausible, implausible_by, rule. */
enum { RECORD_VERSION = 2 };

/* What `rule` says of a failure or of a vacuous case. The last one is followed by the class. */
#define RECORD_RULE_ENVELOPE    "envelope"
#define RECORD_RULE_WIDE        "wide bound"
#define RECORD_RULE_WRONG_CLASS "wrong class: "

enum status {
    STATUS_PASS,
    STATUS_FAIL,
    STATUS_VACUOUS,
    STATUS_UNSUPPORTED,
    STATUS_CRASH,
    STATUS_TIMEOUT,
    STATUS_ERROR,
    STATUS_EXPECTED_FAIL,
    STATUS_UNEXPECTED_PASS,
    STATUS_FLAKE,
    STATUS_MISSING,
    STATUS_COUNT
};

const char *status_name(enum status status); /* "pass", "expected_fail", … */
bool status_from_name(const char *name, enum status *status);

/* 0 for a pass, larger the worse; what fails the gate comes last. And its inverse. */
int status_severity(enum status status);
enum status status_at_severity(int rank);

/* The worst element of a case, in words that a person can check. All owned strings. */
struct record_worst {
    int64_t index; /* flat, row-major, in the judged tensor; −1 when no element is to blame */
    char *where;   /* "step 1 output 0 [2, 0, 5]" */
    char *inputs;  /* the inputs where small: "x = -1.5 (0xbfc00000)"; NULL where not */
    char *truth;   /* 30 digits */
    char *got;     /* decimal and bit pattern: "0 (0x00000000)" */
    char *whole;   /* the rule of the operator's own verdict on all of the tensor: `truth` is what was wanted
                      here, and there is no error in ulp; NULL: the element was judged alone */
    double ulp;    /* error in ulp of the dtype; NaN where a special value is involved */
    double nu;     /* error / bound */
};

/* A curve that a procedure measured. Owned strings and arrays of `points` numbers. */
struct record_series {
    char *name, *unit; /* "time per item", "ns" */
    int points;
    double *x, *y;
    int octaves;     /* upper ones, over which `exponent` was fitted; 0: it was not (the member is absent) */
    double exponent; /* y grows as x to this power */
    double factor; /* memory: times what operands and results take, at the last point; 0: not known, absent */
    double *spread; /* of the repeats at each point: half of them lie from y to y + spread; NULL: not known,
                       absent */
    double *pace;   /* ns that a fixed piece of work took on the machine beside each point; NULL: not known,
                       absent */
    double *limit;  /* the threshold at each point, NaN where the point is not judged; NULL: none, absent */
    double exponent_limit; /* of the exponent; 0: none, absent */
    char *rule;            /* what the limits say, in words; NULL: none, absent */
    bool breaks;           /* the curve does not keep to its rule; absent: it does */
};

/* The greatest error among inputs of one sign and binade, 2^exponent ≤ |x| < 2^(exponent + 1), of float64 of
 * eight of them from there on; and what the certified bound allows that element, infinite where it allows
 * anything. */
struct record_by_input {
    bool negative;
    int exponent;
    double ulp, allowed;
};

/* Errors in ulp, counted by powers of two: 0 · up to ½ · up to 1 · up to 2 · … · up to 2^12 · beyond. Only
 * elements that have such a number: what is missing to `elements` are special values. */
enum { RECORD_ULP_BUCKETS = 16 };

struct record {
    char *id;      /* family/operator/dtype/name */
    char *backend; /* "vulkan", "cpu": as selected on the command line */
    enum status status;
    char *reason; /* one line: why not pass; the rule that failed; the baseline's reason */
    char
        *rule; /* what fails, in a few words: "envelope" (by nothing else), "bound", "bias", "state", … "wide
                  bound", "wrong class: zeros": why a case is vacuous. NULL: everything else, and version 1 */
    char *detail;        /* full text of a failure, several lines; also into JUnit */
    char *repro;         /* the command that replays it */
    char *source;        /* "suites/linalg/logdet.c:41": the row that declares the case */
    char *inputs_digest; /* 32 hex digits */
    int truth_bits;      /* certified bits of the truth; 0 when exact */
    int64_t elements;    /* judged elements */
    double max_ulp, mean_ulp,
        bias_ulp;           /* of finite elements; mean of |e|; tolerances: see harness/judge/statistics/metrics.h */
    double bias_resolution; /* smallest relative scale error that this case's bias test would see */
    double max_nu, p99_nu;  /* error / bound; of an element that Q fails within the bound: error / Q */
    double quality_nu;      /* error / Q of a good implementation's primitives: a grade, never a verdict */
    double median_rho;      /* limit / scale: the smaller limit in force */
    double resolution;      /* least relative scale error of a whole result that would fail:
                               docs/explanation/envelope.md.      NaN: not known (version 1, a procedure) */
    double envelope_q, envelope_t, envelope_g; /* greatest |error|/Q, T and G; 0 where no envelope decides */
    int64_t envelope_groups;                   /* independent groups that G sums */
    double implausible; /* a finding, no status: how many times the limit of Q, T or G, where the envelope may
                           not fail the case; 0: none */
    char *implausible_by; /* "Q", "T" or "G": which of them; NULL: none */
    double nmse;
    double bit_exact, faithful;         /* fractions in [0, 1] */
    int64_t over_0, over_1, over_bound; /* elements with |e| > 0, |e| > 1 ulp, outside their acceptance set */
    int ulp_buckets;                    /* how many of them are told, the rest are 0; 0: not known, absent */
    int64_t ulp_bucket[RECORD_ULP_BUCKETS]; /* written as "ulp_histogram" */
    int by_inputs;                          /* of functions of one number; 0: not measured, absent */
    struct record_by_input *by_input;       /* positive ones first, exponents rising; owned */
    int distinct;                           /* distinct outputs over repeats; 1 = bitwise repeatable */
    int validation;                         /* validation-layer messages */
    int remembered; /* 1: judged in an earlier run, on the same bits (harness/judge/verdict_query.h) */
    int64_t device_ns, wall_ns, reference_ns; /* on the device; of all runs on the backend; of the truth */
    int64_t case_ns;    /* of all of the case in its worker, its verdict included; 0: not known */
    int64_t peak_bytes; /* device bytes at the allocator's peak */
    /* elements that nothing else is measured of: an intermediate of the naive form leaves the range, and the
     * profile declares that form */
    int64_t range_findings;
    char *line; /* as it was read, where it is to be written again and nothing in it has changed; owned; NULL:
                   to be formatted */
    int part;   /* 1 + the index in results.part of the header it stood behind; 0: unknown; not written */
    int series_count;
    struct record_series *series;
    struct record_worst worst; /* index −1 when the case passed exactly */
};

/* One environment variable or profile entry; order kept. */
struct record_pair {
    char *name, *value;
};

struct record_header {
    int version;
    char *assay, *commit;                  /* "0.1.0", git commit or "unknown" */
    char *started;                         /* ISO 8601 UTC, "2026-01-31T12:00:00Z" */
    char *backend, *device, *driver, *api; /* of the backend that this header speaks for */
    char *os, *cpu;
    uint64_t memory_bytes, device_memory_bytes;
    uint64_t seed;
    char *level;
    char *command;    /* the command line */
    char *reference;  /* digest of the reference's sources */
    int64_t expected; /* cases selected for this file: fewer records = missing */
    char *shard;      /* "2/4" of the selection below; absent: all of it */
    char *partition; /* digest of the shard that each of its cases is in, where costs decided; absent: in turn
                      */
    char *selection; /* digest of the ids of the whole selection: equal ones asked the same */
    int64_t selected; /* cases of the whole selection, all shards together */
    char *offers; /* "sgn:float32,float64 square:float32": only from a worker to its parent, not in a file */
    char *fault; /* why these results are not whole, in one line: nothing started, or records that no header of
                    their file speaks for; absent: no such reason. It fails the gate, whatever the records say */
    int profile_count, environment_count;
    struct record_pair *profile, *environment;
};

/* What one header promised, before headers of one backend became one. Owned texts, as in the header. */
struct record_part {
    char *backend; /* as known in the results */
    char *started, *command, *shard, *partition, *selection, *fault;
    int64_t expected, selected;
};

/* A whole results file, or several. */
struct results {
    int headers, records, parts;
    struct record_header *header;
    struct record *record;
    struct record_part *part; /* none where the results never stood in a file */
    char *conflict;           /* how two headers of one backend contradict each other; NULL: they do not */
    bool torn;                /* a last line was cut short and dropped */
};

/* Writes one line and flushes it. False when the stream has failed. */
bool record_header_write(FILE *to, const struct record_header *header);
bool record_write(FILE *to, const struct record *record);

/* The same as one line of text without newline; the caller frees it. NULL when out of memory. A record's
 * line, where it has kept one. */
char *record_header_format(const struct record_header *header);
char *record_format(const struct record *record);

/* Parses one line. False with what is wrong; the result is then empty. A record must say id and status; in a
 * file also its backend. Absent numbers are 0, an absent worst element has index −1. */
bool record_parse(const char *line, size_t length, struct record *record, struct error *error);
bool record_header_parse(const char *line, size_t length, struct record_header *header, struct error *error);

/* Reads a results file; a last line cut short by a crash is dropped (`torn`). False names file, line and
 * fault. Records that no header before them speaks for get one at the end, whose `fault` names the file and the
 * line; so does a torn last line in a file that lacks no case (it may have been another header). A header of a backend that appears twice (merged shards) is kept once; where the two disagree about
 * seed, level, assay, commit or reference, or are shards of one selection that were cut in two ways,
 * `conflict` says so. */
bool results_read(const char *path, struct results *results, struct error *error);
/* The same for results that are written again: each record keeps its line, which is much faster than to make
 * it anew, and loses no member that this version does not know. */
bool results_read_lines(const char *path, struct results *results, struct error *error);

/* Moves everything of `from` behind `to`, for reports over several files; `from` is empty then, `to` may be
 * zeroed. The same backend on another device, driver or API is another column: it becomes "vulkan#2" in
 * header and records. (results_read does the same with headers inside one file.) False when out of memory,
 * both then hold what they hold. */
bool results_join(struct results *to, struct results *from);
void results_destroy(struct results *results);

/* Whether two headers of one backend speak for the same cases: the same run read twice, or run again. */
bool record_same_part(const struct record_part *a, const struct record_part *b);
/* From here on the headers alone say what is expected. */
void results_forget_parts(struct results *results);

/* In place of what stood there; the reason may quote the former one. */
void record_reason(struct record *record, const char *format, ...) __attribute__((format(printf, 2, 3)));
void record_rule(struct record *record, const char *rule); /* NULL: none */

void record_clear(struct record *record); /* frees the strings, zeroes the struct */
void record_header_clear(struct record_header *header);
bool record_copy(struct record *to, const struct record *from); /* deep; false when out of memory */

/* Parts of an id "family/operator/dtype/name": pointer into id and length; false when the id has fewer parts.
 */
bool record_id_part(const char *id, int part, const char **text, int *length);

#endif
