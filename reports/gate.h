/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REPORTS_GATE_H
#define ASSAY_REPORTS_GATE_H

/* The gate. The statuses fail, crash, timeout, error and missing always fail it; --fail-on and --strict add
 * to them. A gate is a set of these additions, 0 for none. */

#include "reports/records/record.h"

enum gate_addition {
    GATE_FLAKE = 1,
    GATE_UNSUPPORTED = 2,
    GATE_UNEXPECTED_PASS = 4,
    GATE_STALE = 8, /* a baseline entry that matches no case or changes nothing; no record holds it */
    GATE_VACUOUS = 16,
    GATE_RANGE = 32,       /* a finding of class RANGE */
    GATE_IMPLAUSIBLE = 64, /* a finding of the envelope */
    GATE_WORSE = 128,      /* the last three belong to `assay compare`: anything got worse; */
    GATE_FAIL = 256,       /* a case of the new run has a status that always fails; */
    GATE_NONE = 512,       /* something that got worse does not fail */
    GATE_STRICT = GATE_UNSUPPORTED | GATE_FLAKE | GATE_UNEXPECTED_PASS | GATE_STALE,
    GATE_OF_RECORDS = GATE_STRICT | GATE_VACUOUS | GATE_RANGE | GATE_IMPLAUSIBLE,
    GATE_OF_REPRO = GATE_VACUOUS | GATE_RANGE | GATE_IMPLAUSIBLE,
    GATE_OF_COMPARE = (GATE_OF_RECORDS & ~GATE_STALE) | GATE_WORSE | GATE_FAIL | GATE_NONE
};

/* Adds the additions of a list such as "flake,vacuous" to *gate. Each must be in the set `known`. False, with
 * the accepted names in *error, for any other word. */
bool gate_parse(const char *list, unsigned known, unsigned *gate, struct error *error);

/* The name of the addition with this index among those in `known`; NULL past the end. */
const char *gate_name(int index, unsigned known);

/* True if a status, or a record with its findings, fails the gate. */
bool gate_fails_status(enum status status, unsigned gate);
bool gate_fails(const struct record *record, unsigned gate);

/* True if the baseline excuses a record that is unsupported or vacuous. Other statuses are never excused by
 * the record's own word: a file could say anything. */
bool gate_excuses(const struct record *record);

/* True if a record fails by this addition and would pass without additions. For GATE_FAIL: true if its status
 * always fails. */
bool gate_fails_by(const struct record *record, enum gate_addition addition);

/* The option that added this addition to the gate, "--fail-on unsupported" or "--strict"; NULL where the gate
 * does not have it. */
const char *gate_option(enum gate_addition addition, unsigned gate);

#endif
