/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#ifndef ASSAY_REPORTS_GATE_H
#define ASSAY_REPORTS_GATE_H

/* What fails the gate: fail, crash, timeout, error and missing always, and what --fail-on adds. A gate is a
 * set of those additions, 0 for none. */

#include "reports/records/record.h"

enum gate_addition {
    GATE_FLAKE = 1,
    GATE_UNSUPPORTED = 2,
    GATE_UNEXPECTED_PASS = 4,
    GATE_STALE = 8, /* a baseline entry that names no case, or is of no use: no record tells of it */
    GATE_VACUOUS = 16,
    GATE_RANGE = 32,       /* a finding of class RANGE */
    GATE_IMPLAUSIBLE = 64, /* a finding of the envelope */
    GATE_WORSE = 128,      /* these three of compare alone: what got worse, */
    GATE_FAIL = 256,       /* what always fails a run, in the new one, */
    GATE_NONE = 512,       /* and not what got worse */
    GATE_STRICT = GATE_UNSUPPORTED | GATE_FLAKE | GATE_UNEXPECTED_PASS | GATE_STALE,
    GATE_OF_RECORDS = GATE_STRICT | GATE_VACUOUS | GATE_RANGE | GATE_IMPLAUSIBLE,
    GATE_OF_REPRO = GATE_VACUOUS | GATE_RANGE | GATE_IMPLAUSIBLE,
    GATE_OF_COMPARE = (GATE_OF_RECORDS & ~GATE_STALE) | GATE_WORSE | GATE_FAIL | GATE_NONE
};

/* Adds a list, "flake,vacuous", to *gate; what stands in it must be among `known`. False names the nearest.
 */
bool gate_parse(const char *list, unsigned known, unsigned *gate, struct error *error);

/* The names that a list of those may hold, in their order; NULL past the end. */
const char *gate_name(int index, unsigned known);

/* Whether a status, or all that a record says, fails the gate. */
bool gate_fails_status(enum status status, unsigned gate);
bool gate_fails(const struct record *record, unsigned gate);

/* Whether a record fails by one addition alone; GATE_FAIL: by what always fails. */
bool gate_fails_by(const struct record *record, enum gate_addition addition);

/* "--fail-on unsupported" or "--strict": which option makes it fail; NULL where it fails without one or not
 * at all. */
const char *gate_option(enum gate_addition addition, unsigned gate);

#endif
