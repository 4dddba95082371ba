/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* A chain of observed steps on a program: each step gets, and is judged from, the bits that came back. */

#include "harness/backends/backends.h"
#include "harness/judge/case.h"
#include "suites/build.h"

#include <criterion/criterion.h>
#include <string.h>

static struct view matrix(struct builder *b, int64_t rows, int64_t columns, int tensor)
{
    const struct shape shape = shape_of(2, rows, columns);
    struct view view = build_tensor(b, DTYPE_FLOAT32, &shape, LAYOUT_CONTIGUOUS);
    struct philox generator = build_generator(b, tensor);
    for (int64_t i = 0; i < rows * columns; i++) {
        build_set(b, &view, i, philox_signed(&generator) + 1.5);
    }
    build_origin(b, &view, true);
    return view;
}

/* [9, 6]·[6, 6], then [6, 9]·[9, 7]: the first product has more rows than columns, the second has not. */
static void build(struct builder *b)
{
    const struct view x = matrix(b, 9, 6, 0), w = matrix(b, 6, 6, 1), v = matrix(b, 9, 7, 2);
    build_observed(b);
    const struct step *step = build_step(b, op_find("matmul"), NULL, 2, (struct view[]){x, w});
    if (step) {
        const struct view turned = view_transposed(&step->output[0]);
        build_step(b, op_find("matmul"), NULL, 2, (struct view[]){turned, v});
    }
}

static struct record run(const char *way)
{
    const struct suite_case c = {.op = op_find("matmul"),
                                 .dtype = DTYPE_FLOAT32,
                                 .name = "declared",
                                 .covers = "",
                                 .file = __FILE__,
                                 .line = __LINE__,
                                 .build = build};
    const struct case_options options = {.seed = 1, .repeat = 2};
    struct backend_options how = {.selector = NULL};
    struct error error = {.text = ""};
    struct record record;
    char name[160];
    snprintf(name, sizeof name, "exec:exec python3 harness/test/programs/drifting_program.py %s", way);
    const struct backend_class *class = backends_find(name, &how.selector, &error);
    cr_assert(class, "%s", error.text);
    struct backend *backend = class->open(&how, &error);
    cr_assert(backend, "%s", error.text);
    cr_assert(case_run(&c, "linalg/matmul/float32/declared", class, backend, &options, &record));
    class->close(&backend);
    return record;
}

Test(observed_steps, a_program_is_judged_by_what_it_sent_back)
{
    struct record record = run("exact");
    cr_expect_eq(record.status, STATUS_PASS, "%s", record.reason ? record.reason : "");
    record_clear(&record);
    record = run("tall");
    cr_expect_eq(record.status, STATUS_FAIL);
    cr_assert(record.wrong_step && record.detail, "%s", record.reason ? record.reason : "");
    cr_expect_str_eq(record.wrong_step, "step 1 of 2, matmul");
    cr_expect(!strstr(record.detail, "also wrong"), "%s", record.detail);
    record_clear(&record);
    record = run("scaled");
    cr_assert(record.wrong_step && record.detail, "%s", record.reason ? record.reason : "");
    cr_expect_str_eq(record.wrong_step, "step 1 of 2, matmul");
    cr_expect(strstr(record.detail, "also wrong: step 2 of 2, matmul"), "%s", record.detail);
    record_clear(&record);
    record = run("dies");
    cr_expect_eq(record.status, STATUS_CRASH, "%s", record.reason ? record.reason : "");
    record_clear(&record);
}
