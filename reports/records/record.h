/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REPORTS_RECORDS_RECORD_H
#define ASSAY_REPORTS_RECORDS_RECORD_H

/* Result records: what a run leaves behind, one JSON object per line (JSON Lines, UTF-8).
 *
 * A file begins with the header (environment, one per backend), then follows one record per case and backend,
 * in the order of completion; each is flushed at once. Reports read nothing else. Numbers that JSON cannot
 * hold are the strings "nan", "inf", "-inf". Unknown members are ignored, a larger version is refused.
 *
 * A parsed header or record owns its strings; a NULL string is an absent member. */

#include "reference/base/error.h"
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Version 2 added the envelope: resolution, envelope_…, implausible, implausible_by, rule. */
enum { RECORD_VERSION = 2 };

/* Values of `rule`. The first belongs to a failure, the others to a vacuous case; the class follows the last
 * one. */
#define RECORD_RULE_ENVELOPE    "envelope"
#define RECORD_RULE_SOMETIMES   "now and then"
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

/* True for fail, crash and timeout: the backend was asked and gave no right answer. Such a case is run again,
 * and a baseline may name it; an error says nothing about the backend. */
bool status_is_failure(enum status status);

/* The severity of a status: 0 for a pass, larger the worse; statuses that fail the gate come last.
 * parity_rank orders them for a cell of the parity table. */
int status_severity(enum status status);

/* The worst element of a case, in words that a person can check. All owned strings. */
struct record_worst {
    int64_t index; /* flat, row-major, in the judged tensor; −1 when no element is to blame */
    char *where;   /* "step 1 output 0 [2, 0, 5]" */
    char *inputs;  /* the inputs if they are few: "x = -1.5 (0xbfc00000)"; else NULL */
    char *truth;   /* 30 digits */
    char *got;     /* decimal and bit pattern: "0 (0x00000000)" */
    char *whole;   /* the rule by which the operator judged the whole tensor; then `truth` is what that rule
                      requires here, and there is no error in ulp. NULL: the element was judged by itself */
    double ulp;    /* error in ulp of the dtype; NaN where a special value is involved */
    double nu;     /* error / bound */
};

/* A curve that a procedure measured. Owned strings and arrays of `points` numbers. */
struct record_series {
    char *name, *unit; /* "time per item", "ns" */
    int points;
    double *x, *y;
    int octaves;     /* the number of upper octaves over which `exponent` was fitted; 0: no fit (absent) */
    double exponent; /* y grows as x to this power */
    double factor;   /* for memory: the size at the last point over that of operands and results; 0: unknown,
                        absent */
    double *spread;  /* spread of the repeats at each point: half of them lie from y to y + spread; NULL:
                        unknown, absent */
    double *pace;    /* time in ns of a fixed piece of work on the machine beside each point; NULL: unknown,
                        absent */
    double *limit;   /* the threshold at each point, NaN where the point is not judged; NULL: none, absent */
    double exponent_limit; /* the limit of `exponent`; 0: none, absent */
    char *rule;            /* the limits in words; NULL: none, absent */
    bool breaks;           /* the curve violates its rule; absent: it does not */
};

/* The greatest error among inputs of one sign and binade, 2^exponent ≤ |x| < 2^(exponent + 1); of float64,
 * one entry covers eight binades from there on. `allowed` is the error bound of that element, infinite where
 * anything is right. */
struct record_by_input {
    bool negative;
    int exponent;
    double ulp, allowed;
};

/* Histogram of errors in ulp by powers of two: 0 · up to ½ · up to 1 · up to 2 · … · up to 2^12 · beyond.
 * Elements without an error in ulp (special values) are in no bucket, so the sum may be below `elements`. */
enum { RECORD_ULP_BUCKETS = 16 };

struct record {
    char *id;      /* family/operator/dtype/name */
    char *backend; /* "vulkan", "cpu": as selected on the command line */
    enum status status;
    char *reason;  /* one line: why the case does not pass, or the baseline's reason */
    char *excused; /* of an unsupported or vacuous case: the reason of the baseline's entry that excuses it,
                      so that it never fails the gate; NULL: no entry does */
    char *rule; /* the rule in a few words. Of a failure: "envelope" (only by the envelope), "bound", "bias",
                   "state", …; of a vacuous case: "wide bound", "wrong class: zeros"; NULL: other records, and
                   version 1 */
    char *wrong_step;    /* of a failure in a chain of observed steps: the first wrong one, "step 7 of 19,
                            softmax_backward"; NULL: other records */
    char *detail;        /* full text of a failure, several lines; also into JUnit */
    char *repro;         /* the command that replays it */
    char *source;        /* "suites/linalg/logdet.c:41": the row that declares the case */
    char *inputs_digest; /* 32 hex digits */
    int truth_bits;      /* certified bits of the truth; 0 when exact */
    int64_t elements;    /* judged elements */
    double max_ulp, mean_ulp, bias_ulp; /* over finite elements; mean_ulp: mean of |e|; tolerances:
                                           harness/judge/statistics/metrics.h */
    double bias_resolution; /* the least relative scale error that the case's bias test would detect */
    double max_nu,
        p99_nu;        /* error / bound; where the envelope fails an element within its bound: error / Q */
    double quality_nu; /* error / Q for the primitive errors of a good implementation: a grade, never a
                          verdict */
    double median_rho; /* median of limit / scale, with the smaller limit in force */
    double resolution; /* the least relative scale error of a whole result that would fail
                          (docs/explanation/envelope.md); NaN: unknown (version 1, a procedure) */
    double envelope_q, envelope_t,
        envelope_g;          /* greatest |error|/Q, T and G; 0 where the envelope does not apply */
    int64_t envelope_groups; /* independent groups in the sum of G */
    double implausible;      /* a finding, not a status: the factor above the limit of Q, T or G, where the
                                envelope may not fail the case; 0: none */
    char *implausible_by;    /* "Q", "T" or "G", the limit that `implausible` refers to; NULL: none */
    char *implausible_step;  /* in a chain of observed steps: where, as in wrong_step; else NULL */
    double nmse;
    double bit_exact, faithful; /* shares of elements in [0, 1]: equal to the correctly rounded truth, and
                                   nearer to it than 1 ulp */
    int64_t over_0, over_1, over_bound; /* elements with |e| > 0, |e| > 1 ulp, outside their acceptance set */
    int ulp_buckets;                    /* buckets in use, the others are 0; 0: unknown, absent */
    int64_t ulp_bucket[RECORD_ULP_BUCKETS]; /* written as "ulp_histogram" */
    int by_inputs; /* entries of by_input, for functions of one number; 0: not measured, absent */
    struct record_by_input *by_input; /* positive inputs first, exponents rising; owned */
    int runs, runs_failed; /* how often a case that was run again ran in all, and how many of these runs
                              failed; 0: it ran once, absent */
    int distinct;          /* distinct outputs over repeats; 1 = bitwise repeatable */
    int validation;        /* messages of the validation layer */
    int remembered;        /* 1: the verdict comes from an earlier run on the same bits
                            * (harness/judge/verdict_query.h)
                            */
    int64_t device_ns, wall_ns,
        reference_ns;   /* times in ns: on the device, of all runs on the backend, of the truth */
    int64_t case_ns;    /* time in ns of the case in its worker, verdict included; 0: unknown */
    int64_t peak_bytes; /* device bytes at the allocator's peak */
    /* findings of class RANGE: wrong elements that count in no other metric, because an intermediate of the
     * naive form leaves the range and the profile declares that form */
    int64_t range_findings;
    char *line; /* the line that it was read from, if it is to be written unchanged; owned; NULL: format it
                   anew */
    int part;   /* 1 + index in results.part of its header; 0: unknown; not written */
    int series_count;
    struct record_series *series;
    struct record_worst worst; /* index −1 when the case passed exactly */
};

/* One environment variable or profile entry, in the order of the file. */
struct record_pair {
    char *name, *value;
};

struct record_header {
    int version;
    char *assay, *commit;                  /* "0.1.0", git commit or "unknown" */
    char *started;                         /* ISO 8601 UTC, "2026-01-31T12:00:00Z" */
    char *backend, *device, *driver, *api; /* the backend that this header describes */
    char *os, *cpu;
    uint64_t memory_bytes, device_memory_bytes;
    uint64_t seed;
    char *level;
    char *command;    /* the command line */
    char *reference;  /* digest of the reference's sources */
    int64_t expected; /* cases selected for this file; fewer records mean that cases are lost */
    char *shard;      /* "2/4": the shard of the selection below; absent: the whole selection */
    char *partition;  /* digest of the assignment of cases to shards, where costs decided it; absent: dealt in
                         turn */
    char *selection;  /* digest of the ids of the whole selection; equal digests mean equal selections */
    int64_t selected; /* number of cases of the whole selection, over all shards */
    char *lost_shards; /* "2/4, 3/4": the shards of which a merge found no file, while cases are without a
                          record; absent: none */
    char *offers;      /* the operators and dtypes that a worker offers to its parent, "sgn:float32,float64
                          square:float32"; not in a file */
    char *options; /* options that change how cases run, where they are not the defaults, "validate repeat=3";
                      absent: none */
    char *fault; /* why these results are incomplete, in one line: the backend did not start, or records have
                    no header; absent: no such fault. A fault fails the gate, whatever the records are */
    int profile_count, environment_count;
    struct record_pair *profile, *environment;
};

/* What one header stated before headers of one backend became one. Owned texts, as in the header. */
struct record_part {
    char *backend; /* the name in the results */
    char *started, *command, *shard, *partition, *selection, *fault, *lost_shards;
    int64_t expected, selected;
};

/* One results file, or several joined ones. */
struct results {
    int headers, records, parts;
    struct record_header *header;
    struct record *record;
    struct record_part *part; /* none where the results were never in a file */
    char *conflict; /* how two headers of one backend contradict each other; NULL: no contradiction */
    bool torn;      /* the last line was cut short and dropped */
};

/* Writes one line and flushes it. False when the stream has failed. */
bool record_header_write(FILE *to, const struct record_header *header);
bool record_write(FILE *to, const struct record *record);

/* The same as one line of text without newline, or the line that the record was read from; the caller frees
 * it. NULL when out of memory. */
char *record_header_format(const struct record_header *header);
char *record_format(const struct record *record);

/* Parses one line. False with the fault in *error; the result is then empty. A record needs id and status, in
 * a file also a backend. Absent numbers are 0, an absent resolution is NaN, an absent worst element has index
 * −1. */
bool record_parse(const char *line, size_t length, struct record *record, struct error *error);
bool record_header_parse(const char *line, size_t length, struct record_header *header, struct error *error);

/* Reads a results file. False with file, line and fault in *error. A last line cut short by a crash is
 * dropped (`torn`). Records without a header before them get one whose `fault` names the file and line; the
 * last part gets such a fault when a torn line leaves no case without a record, because that line may have
 * been another header. Of several headers of a backend (merged shards) the first is kept; where they disagree
 * about seed, level, assay, commit or reference, or are shards of one selection cut in two ways, `conflict`
 * describes it. */
bool results_read(const char *path, struct results *results, struct error *error);
/* The same for results that are written again: each record keeps its line, which is much faster than
 * formatting it and keeps members that this version does not know. */
bool results_read_lines(const char *path, struct results *results, struct error *error);

/* Moves everything of `from` behind `to`, which may be zeroed, for reports over several files; `from` is
 * empty then. The same backend on another device, driver or API becomes a column of its own, "vulkan#2" in
 * header and records, as in results_read. False when out of memory; the content is then divided between both.
 */
bool results_join(struct results *to, struct results *from);
void results_destroy(struct results *results);

/* Appends a header or record and takes over its contents. False when out of memory; it is then unchanged. */
bool results_add_header(struct results *results, struct record_header *header);
bool results_add_record(struct results *results, struct record *record);

/* True if two parts state the same cases of one backend: one run read twice, or run again. */
bool record_same_part(const struct record_part *a, const struct record_part *b);
/* Drops the parts, so that the headers alone state what is expected. */
void results_forget_parts(struct results *results);

/* Sets the reason; the arguments may contain the old one. Drops `line`. */
void record_reason(struct record *record, const char *format, ...) __attribute__((format(printf, 2, 3)));
void record_rule(struct record *record, const char *rule); /* NULL: no rule; drops `line` */

void record_clear(struct record *record); /* frees the strings, zeroes the struct */
void record_header_clear(struct record_header *header);
bool record_copy(struct record *to, const struct record *from); /* deep; false when out of memory */

/* The part 0 to 3 of an id "family/operator/dtype/name", as a pointer into id and a length. False when the id
 * has fewer parts. */
bool record_id_part(const char *id, int part, const char **text, int *length);

#endif
