/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/repro/repro_parts.h"

const struct tensor *repro_leading_input(const struct repro *repro)
{
    return &repro->inputs.input[op_leading_input(repro->op)];
}

bool repro_has_values(const struct record *record)
{
    return record->status == STATUS_PASS || record->status == STATUS_VACUOUS ||
           (record->status == STATUS_FAIL && record->elements > 0);
}

void repro_report_phase(void *user, enum case_phase phase)
{
    const struct repro *repro = user;
    if (repro->phases) {
        fprintf(repro->phases, "phase %d\n", (int)phase);
        fflush(repro->phases);
    }
}

void repro_report_progress(void *user, double done)
{
    const struct repro *repro = user;
    if (repro->phases) {
        fprintf(repro->phases, "done %.3f\n", done);
        fflush(repro->phases);
    }
}
