/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reference/program/slices.h"
#include "reference/program/observed.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { LEAST_ELEMENTS = 1 << 13, LEAST_ROWS = 64, MOST_ELEMENTS = 1 << 19 };

/* Finds the rows of an element-wise operator. An input of the shape of the result has rows; one that is
 * repeated along all leading dimensions is read as a whole. Returns the number of leading dimensions; 0:
 * there are no rows. */
static int elementwise_rows(const struct step *step, const struct shape *result, struct op_rows *rows)
{
    int trailing = 0;
    for (int i = 0; i < step->inputs; i++) {
        const struct view *view = &step->input[i];
        int rank = view->shape.rank;
        if (view->storage >= 0 && !shape_equal(&view->shape, result)) {
            for (; rank > 0 && view->shape.dim[view->shape.rank - rank] == 1; rank--) {
            }
            trailing = rank > trailing ? rank : trailing;
        }
    }
    int leading = result->rank - trailing;
    /* Rows have the shape [count, trailing dimensions]. An input of higher rank, such as [1, 1, n] with rows
     * [n], does not broadcast to them. */
    for (int i = 0; i < step->inputs; i++) {
        bool equal = shape_equal(&step->input[i].shape, result);
        leading =
            step->input[i].storage < 0 || equal || step->input[i].shape.rank <= trailing + 1 ? leading : 0;
    }
    for (int i = 0; i < step->inputs && leading > 0; i++) {
        bool equal = step->input[i].storage >= 0 && shape_equal(&step->input[i].shape, result);
        rows->input[i] = equal ? leading : 0;
    }
    rows->output = leading;
    return leading;
}

bool truth_rows(const struct program *program, int of, struct op_rows *rows)
{
    const struct step *step = &program->step[of];
    struct view judged[TRUTH_OUTPUTS_MAX];
    *rows = (struct op_rows){.output = 0};
    if (step->expect != EXPECT_VALUE || step_judged(step, judged) != 1 ||
        step->op->verify) { /* `verify` judges the whole result */
        return false;
    }
    const struct op_operands operands = {
        .attributes = &step->attributes, .inputs = step->inputs, .input = step->input};
    if (step->op->rows) {
        return step->op->rows(&operands, rows);
    }
    return step->op->elementwise && elementwise_rows(step, &judged[0].shape, rows) > 0;
}

static int64_t product(const struct shape *shape, int first, int last)
{
    int64_t count = 1;
    for (int d = first; d < last; d++) {
        count = count_product(count, shape->dim[d]);
    }
    return count;
}

/* Returns the shape of `count` rows: one dimension replaces the leading ones. */
static struct shape shape_of_rows(const struct shape *shape, int leading, int64_t count)
{
    struct shape part = {.rank = shape->rank - leading + 1, .dim = {count}};
    for (int d = leading; d < shape->rank; d++) {
        part.dim[d - leading + 1] = shape->dim[d];
    }
    return part;
}

struct truth_slices *truth_slices_create(const struct program *program, int of, unsigned char *const *left,
                                         bool certified, int64_t least, struct error *error)
{
    struct view judged[TRUTH_OUTPUTS_MAX];
    struct op_rows rows;
    const struct step *step = &program->step[of];
    if (!truth_rows(program, of, &rows) || rows.whole) {
        return NULL;
    }
    step_judged(step, judged);
    if (shape_elements(&judged[0].shape) < (least ? least : SLICED_LEAST)) {
        return NULL;
    }
    int64_t row = product(&judged[0].shape, rows.output, judged[0].shape.rank);
    bool all = true; /* every row reads only itself, and operands no larger than itself */
    for (int i = 0; i < step->inputs; i++) {
        all = all &&
              (rows.input[i] || step->input[i].storage < 0 || shape_elements(&step->input[i].shape) <= row);
    }
    int64_t per = (LEAST_ELEMENTS + row - 1) / row;
    per = !all && per < LEAST_ROWS && LEAST_ROWS * row <= MOST_ELEMENTS ? LEAST_ROWS : per;
    struct truth_slices *slices = calloc(1, sizeof *slices);
    if (!slices) {
        error_set(error, "%s: out of memory for the truth", step->op->name);
        return NULL;
    }
    *slices = (struct truth_slices){.program = program,
                                    .step = of,
                                    .left = left,
                                    .rows = rows,
                                    .judged = judged[0],
                                    .row = row,
                                    .per = per};
    slices->call = (struct op_call){.op = step->op,
                                    .attributes = &step->attributes,
                                    .inputs = step->inputs,
                                    .input = slices->input,
                                    .whole = step->input,
                                    .enclosed = !certified};
    return slices;
}

void truth_slices_destroy(struct truth_slices **slices)
{
    if (*slices) {
        for (int i = 0; i < OPERANDS_MAX; i++) {
            tensor_destroy(&(*slices)->input[i]);
        }
        truth_destroy(&(*slices)->truth);
    }
    free(*slices);
    *slices = NULL;
}

/* Gathers `count` rows of a view from first_row on. */
static bool gather_rows(struct tensor *tensor, const struct view *view, int leading, int64_t first_row,
                        int64_t count, unsigned char *storage)
{
    int64_t row = product(&view->shape, leading, view->shape.rank);
    struct shape shape = shape_of_rows(&view->shape, leading, count);
    if (view_is_contiguous(view)) {
        struct view part = view_contiguous(view->storage, view->dtype, &shape);
        part.offset = view->offset + first_row * row;
        return tensor_borrow(tensor, &part, storage);
    }
    size_t size = dtype_info(view->dtype)->size;
    if (!tensor_create(tensor, view->dtype, &shape)) {
        return false;
    }
    for (int64_t i = 0; i < count * row; i++) {
        size_t at = (size_t)view_element(view, first_row * row + i) * size;
        memcpy(tensor->data + (size_t)i * size, storage + at, size);
    }
    return true;
}

static bool gather(struct truth_slices *slices, int64_t first_row, int64_t count)
{
    const struct step *step = &slices->program->step[slices->step];
    bool good = true;
    for (int i = 0; good && i < step->inputs; i++) {
        const struct view *view = &step->input[i];
        unsigned char *data =
            view->storage >= 0 ? program_operand_bytes(slices->program, slices->left, slices->step, i) : NULL;
        struct tensor *to = &slices->input[i];
        if (data && slices->rows.input[i]) {
            tensor_destroy(to);
            good = gather_rows(to, view, slices->rows.input[i], first_row, count, data);
        } else if (data && !slices->whole_gathered) {
            good = tensor_borrow(to, view, data);
        }
    }
    slices->whole_gathered = good;
    return good;
}

static _Atomic int64_t busy; /* the result of truth_slices_ns */

static int64_t thread_ns(void)
{
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

int64_t truth_slices_ns(void)
{
    return atomic_load(&busy);
}

bool truth_slices_turn_to(struct truth_slices *slices, int64_t element, struct error *error)
{
    if (slices->truth && element >= slices->first && element < slices->first + slices->count) {
        return true;
    }
    const struct step *step = &slices->program->step[slices->step];
    int64_t rows = shape_elements(&slices->judged.shape) / slices->row;
    int64_t first = element / slices->row / slices->per * slices->per,
            count = rows - first < slices->per ? rows - first : slices->per;
    truth_destroy(&slices->truth);
    if (!gather(slices, first, count)) {
        return error_set(error, "%s: out of memory for the operands of a slice", step->op->name);
    }
    struct op_signature signature = {.outputs = step->outputs};
    for (int o = 0; o < step->outputs; o++) {
        signature.output[o].dtype = step->output[o].dtype;
        signature.output[o].shape = shape_of_rows(&step->output[o].shape, slices->rows.output, count);
    }
    slices->first = first * slices->row;
    slices->count = count * slices->row;
    slices->call.first_row = first;
    int64_t begun = thread_ns();
    slices->truth = op_truth(&slices->call, &signature, error);
    atomic_fetch_add(&busy, thread_ns() - begun);
    return slices->truth != NULL;
}
