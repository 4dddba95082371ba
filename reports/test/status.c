/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reports/gate.h"

#include <criterion/criterion.h>

/* The documented table of statuses: name, fails the gate, fails it under --strict. */
static const struct {
    const char *name;
    enum status status;
    bool fails, fails_strict;
} table[] = {
    {"pass", STATUS_PASS, false, false},
    {"fail", STATUS_FAIL, true, true},
    {"vacuous", STATUS_VACUOUS, false, false},
    {"unsupported", STATUS_UNSUPPORTED, false, true},
    {"crash", STATUS_CRASH, true, true},
    {"timeout", STATUS_TIMEOUT, true, true},
    {"error", STATUS_ERROR, true, true},
    {"expected_fail", STATUS_EXPECTED_FAIL, false, false},
    {"unexpected_pass", STATUS_UNEXPECTED_PASS, false, true},
    {"flake", STATUS_FLAKE, false, true},
    {"missing", STATUS_MISSING, true, true},
};

Test(status, names_and_gate)
{
    cr_assert_eq(sizeof table / sizeof *table, STATUS_COUNT);
    for (size_t i = 0; i < STATUS_COUNT; i++) {
        enum status back = STATUS_COUNT;
        cr_assert_str_eq(status_name(table[i].status), table[i].name);
        cr_assert(status_from_name(table[i].name, &back) && back == table[i].status);
        cr_assert_eq(gate_fails_status(table[i].status, 0), table[i].fails, "%s", table[i].name);
        cr_assert_eq(gate_fails_status(table[i].status, GATE_STRICT), table[i].fails_strict, "%s",
                     table[i].name);
    }
}

Test(status, what_is_unknown)
{
    enum status untouched = STATUS_FLAKE;
    cr_assert(!status_from_name("passed", &untouched) && !status_from_name(NULL, &untouched));
    cr_assert_eq(untouched, STATUS_FLAKE);
    cr_assert_str_eq(status_name(STATUS_COUNT), "unknown");
    cr_assert(gate_fails_status(STATUS_COUNT, 0));
}
