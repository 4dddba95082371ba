/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/repro/drift.h"

const struct tensor *repro_leading_input(const struct drift *drift)
{
    return &drift->inputs.input[op_leading_input(drift->op)];
}

bool repro_has_values(const struct record *record)
{
    return record->status == STATUS_PASS || record->status == STATUS_VACUOUS ||
           (record->status == STATUS_FAIL && record->elements > 0);
}

void repro_tell_phase(void *user, enum case_phase phase)
{
    const struct drift *drift = user;
    if (drift->phases) {
        fprintf(drift->phases, "phase %d\n", (int)phase);
        fflush(drift->phases);
    }
}
