/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/test/trial.h"

#include <criterion/criterion.h>
#include <criterion/parameterized.h>
#include <stdlib.h>

/* One coarse test per operator: the whole program runs its smoke level on both backends. A new operator is
 * found by its registration. Cases that the device cannot run are unsupported, not failed. */

struct operator_name {
    char text[NAME_MOST + 1];
};

ParameterizedTestParameters(operators_slow, smoke_level_holds)
{
    enum { MOST = 1024 };
    static struct operator_name names[MOST];
    int count = op_count();
    if (count > MOST) {
        abort();
    }
    for (int i = 0; i < count; i++) {
        snprintf(names[i].text, sizeof names[i].text, "%s", op_at(i)->name);
    }
    return cr_make_param_array(struct operator_name, names, (size_t)count);
}

ParameterizedTest(struct operator_name *name, operators_slow, smoke_level_holds, .timeout = 120)
{
    trial_begin();
    /* A family may have the name of one of its operators: the glob means the operator alone. */
    char glob[64];
    snprintf(glob, sizeof glob, "*/%s/*", name->text);
    trial_run("run %s --level smoke --backend cpu --backend vulkan --results FOLDER/r", glob);
    cr_assert_eq(trial->status, 0, "%s", trial->output);
    trial_read("r");
    cr_assert_gt(trial->results.records, 0);
    cr_assert_eq(trial->results.records, 2 * trial_count(glob));
    trial_end();
}
