/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/test/trial.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The Python module assay: runs harness/adapters/test/test_assay.py with pytest where ASSAY_PYTHON (or
 * python3) has pytest and numpy; its tests with tensors need torch as well. */

Test(python_module, pytest, .timeout = 300)
{
    char command[1024], line[1024], last[1024] = "";
    const char *faulty = getenv("ASSAY_FAULTY");
    char *program = realpath(faulty ? faulty : "build/test/assay-faulty", NULL);
    trial_needs_modules("pytest, numpy");
    cr_assert_not_null(program);
    setenv("ASSAY_PROGRAM", program, 1);
    setenv("PYTHONPATH", "harness/adapters", 1);
    setenv("PYTHONDONTWRITEBYTECODE", "1", 1);
    snprintf(command, sizeof command,
             "'%s' -m pytest -q --tb=short -p no:cacheprovider harness/adapters/test/test_assay.py 2>&1",
             getenv("ASSAY_PYTHON"));
    FILE *output = popen(command, "r");
    cr_assert_not_null(output);
    while (fgets(line, sizeof line, output)) {
        if (strchr("EF", line[0]) || strstr(line, " passed")) {
            strncat(last, line, sizeof last - strlen(last) - 1);
        }
    }
    const int status = pclose(output);
    cr_expect_eq(status, 0, "%s", last);
    cr_expect(strstr(last, " passed"), "%s", last);
    free(program);
}
