/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reference/program/refine.h"
#include "reference/numeric/simd/multiversion.h"
#include "reference/operator/value_batch.h"
#include "reference/program/observed.h"

#include <limits.h>
#include <math.h>
#include <string.h>

static const double share = 0x1p-10; /* allowed radius as a share of an error, an ulp or a bound */

void refine_open(struct refine *refine, const struct program *program, const struct program_truth *truth)
{
    *refine = (struct refine){.program = program, .of = truth};
    refine_seek(refine, 0);
}

void refine_open_call(struct refine *refine, const struct op_call *call, struct truth *truth)
{
    *refine = (struct refine){.truth = truth, .call = *call};
}

static void release(struct refine *refine)
{
    for (int i = 0; i < OPERANDS_MAX; i++) {
        tensor_destroy(&refine->input[i]);
        tensor_destroy(&refine->flushed[i]);
    }
    refine->gathered = false;
}

void refine_seek(struct refine *refine, int step)
{
    const struct truth_slices *slices = program_truth_slices(refine->of, step);
    if (slices || step != refine->step) {
        release(refine);
    }
    refine->step = step;
    refine->truth = slices ? slices->truth : refine->of->truth ? refine->of->truth[step] : NULL;
}

void refine_close(struct refine *refine)
{
    release(refine);
    *refine = (struct refine){.truth = NULL};
}

bool refine_concerns(const struct refine *refine, int output)
{
    const struct truth *truth = refine->truth;
    return truth &&
           (truth->output[output].radius || (truth->flushed && truth->flushed->output[output].radius));
}

/* Gathers the operands of the step as tensors. A step whose truth has radii depends on the truth of no other
 * step, so they are the program's own data or, of an observed step, what the device left. */
static bool gather_step(struct refine *refine)
{
    const struct step *step = &refine->program->step[refine->step];
    bool good = true;
    refine->call = (struct op_call){.op = step->op,
                                    .attributes = &step->attributes,
                                    .inputs = step->inputs,
                                    .input = refine->input,
                                    .enclosed = true};
    for (int i = 0; good && i < step->inputs; i++) {
        const struct view *view = &step->input[i];
        good = view->storage < 0 ||
               tensor_borrow(&refine->input[i], view,
                             program_operand_bytes(refine->program, refine->of->left, refine->step, i));
    }
    return good;
}

static bool gather(struct refine *refine, struct error *error)
{
    bool good = true;
    const struct truth_slices *slices = refine->of ? program_truth_slices(refine->of, refine->step) : NULL;
    if (slices) {
        refine->call = slices->call;
    } else if (refine->program) {
        good = gather_step(refine);
    }
    if (good && refine->truth->flushed) {
        op_flush_inputs(&refine->call, refine->flushed, &good);
    }
    refine->gathered = good;
    return good || error_set(error, "%s: out of memory", refine->call.op->name);
}

void refine_lock(struct refine *refine)
{
    if (refine->lock) {
        pthread_mutex_lock(refine->lock);
    }
}

void refine_unlock(struct refine *refine)
{
    if (refine->lock) {
        pthread_mutex_unlock(refine->lock);
    }
}

/* Certifies one element of the truth or of the truth of flushed operands. */
static bool certify(struct refine *refine, struct truth *truth, int output, int64_t element,
                    struct error *error)
{
    if (!refine->gathered && !gather(refine, error)) {
        return false;
    }
    struct op_call call = refine->call;
    call.input = truth == refine->truth ? call.input : refine->flushed;
    refine_lock(refine);
    bool good = (truth_output_fill(&truth->output[output]) ||
                 error_set(error, "%s: out of memory for the truth", call.op->name)) &&
                call.op->certify(&call, truth, output, element, error);
    refine_unlock(refine);
    return good;
}

/* Stores hi + lo + radius, rounded; a result of 0 keeps the sign of the value. */
static void store_moved(const struct value *value, double radius, enum dtype component, unsigned char *to)
{
    double lo = value->lo + radius, hi = value->hi + lo, t = hi - value->hi;
    struct value moved = value_from_dd(hi, (value->hi - (hi - t)) + (lo - t));
    moved.hi = moved.hi == 0 ? copysign(0, value->hi) : moved.hi;
    value_store(&moved, component, to);
}

static bool rounds_alike(const struct value *value, double radius, enum dtype component)
{
    unsigned char below[8] = {0}, above[8] = {0};
    double wide = radius + fabs(value->lo); /* this test usually suffices */
    if (component == DTYPE_FLOAT32 && (float)(value->hi - wide) == (float)(value->hi + wide)) {
        return true;
    }
    store_moved(value, -radius, component, below);
    store_moved(value, radius, component, above);
    return memcmp(below, above, sizeof below) == 0;
}

/* Returns the least distance from the truth that is refused; 0 where only one number is accepted. */
static double least_limit(const struct refine_view *view)
{
    double least = view->limit->known ? envelope_limit_reach(view->limit) : INFINITY;
    for (int s = 0; s < view->accept->sets; s++) {
        least = fmin(least, view->accept->set[s].radius);
    }
    return least;
}

/* Returns whether the ratio of error and bound is so near 1 that the radius may change the verdict. With a
 * bound of at least `limit` the ratio moves by a little more than radius/limit, because the bound moves with
 * the truth, by u of it. */
static bool near_one(double ratio, double radius, double limit)
{
    return fabs(ratio - 1) <= fmin(2 * share, 4 * radius / limit + 0x1p-40);
}

/* Returns whether one component of an element of `truth` is decided. */
static bool decided(const struct refine_view *view, const struct truth *truth, int c)
{
    const struct truth_output *output = &truth->output[view->query->output];
    const struct dtype_info *info = dtype_info(output->dtype);
    int64_t k = view->query->element * info->components + c;
    double radius = output->radius ? output->radius[k] : 0;
    const struct value *value = &output->value[k];
    if (radius == 0) {
        return true;
    }
    double x = dtype_load(info->component,
                          (const unsigned char *)view->got + (size_t)c * dtype_info(info->component)->size);
    if (!isfinite(x) && value_is_beyond(value, radius, info->component)) {
        return true; /* the verdict is the same for every truth within the radius */
    }
    double error = isfinite(x) ? fabs(value_distance(value, x)) : 0;
    double ulp = dtype_ulp(info->component, fmin(fabs(value->hi), dtype_max(info->component)));
    double least = least_limit(view);
    if (radius > share * fmax(error, ulp) || !rounds_alike(value, radius, info->component) ||
        near_one(view->error_over_bound, radius, least) ||
        (view->limit->known && near_one(error / envelope_limit_reach(view->limit), radius, least))) {
        return false;
    }
    /* every bound is at least u·|truth|, which is ulp/2 or more */
    return radius <= share / 4 * ulp || radius <= share * least;
}

static bool refine_one(struct refine *refine, struct truth *truth, const struct refine_view *view,
                       bool *certified, struct error *error)
{
    const struct bound_query *query = view->query;
    int components = dtype_info(truth->output[query->output].dtype)->components;
    for (int c = 0; c < components; c++) {
        if (!decided(view, truth, c)) {
            *certified = true;
            return certify(refine, truth, query->output, query->element, error);
        }
    }
    return true;
}

bool refine_element(struct refine *refine, const struct refine_view *view, bool *certified,
                    struct error *error)
{
    *certified = false;
    return refine_one(refine, refine->truth, view, certified, error) &&
           (!refine->truth->flushed || refine_one(refine, refine->truth->flushed, view, certified, error));
}

/* Returns whether an element depends on so many numbers that certifying it only to show it costs more than
 * judging it. */
static bool comes_of_many(const struct refine *refine, int output)
{
    enum { MANY = 4096 };
    /* each slice is a call */
    const struct truth_slices *slices = refine->of ? program_truth_slices(refine->of, refine->step) : NULL;
    const struct step *step = refine->program && !slices ? &refine->program->step[refine->step] : NULL;
    const struct op_call *call = slices ? &slices->call : &refine->call;
    int inputs = step ? step->inputs : call->inputs;
    int64_t most = 0;
    for (int i = 0; i < inputs; i++) {
        bool absent = step ? step->input[i].storage < 0 : tensor_absent(&call->input[i]);
        const struct shape *shape = step ? &step->input[i].shape : &call->input[i].shape;
        int64_t elements = absent ? 0 : shape_elements(shape);
        most = elements > most ? elements : most;
    }
    return most / MANY >= refine->truth->output[output].elements;
}

bool refine_within(struct refine *refine, int output, int64_t element, double most, bool *certified,
                   struct error *error)
{
    struct truth *truths[] = {refine->truth, refine->truth ? refine->truth->flushed : NULL};
    const struct op *op = refine->program ? refine->program->step[refine->step].op : refine->call.op;
    bool good = true;
    *certified = false;
    if (refine->truth && (op->certify_costly || comes_of_many(refine, output))) {
        return true;
    }
    for (int t = 0; t < 2 && good; t++) {
        int components = truths[t] ? dtype_info(truths[t]->output[output].dtype)->components : 0;
        bool enclosed = false;
        for (int c = 0; c < components && truths[t]->output[output].radius; c++) {
            enclosed = enclosed || truths[t]->output[output].radius[element * components + c] > most;
        }
        good = !enclosed || certify(refine, truths[t], output, element, error);
        *certified = *certified || enclosed;
    }
    return good;
}

bool refine_certify(struct refine *refine, int output, int64_t element, struct error *error)
{
    bool certified;
    return refine_within(refine, output, element, 0, &certified, error);
}

/* Returns the exponent that frexp gives. */
static int exponent_of(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    int exponent = (int)(bits >> 52 & 0x7ff);
    if (exponent == 0 || exponent == 0x7ff) {
        frexp(x, &exponent);
        return exponent;
    }
    return exponent - 1022;
}

/* Returns the certified relative bits: |hi| ≥ 2^(value−1) and size < 2^radius. */
static int bits_of(double hi, double size)
{
    int value = exponent_of(hi), radius = exponent_of(size);
    return value - 1 - radius < 0 ? 0 : value - 1 - radius;
}

enum { APART = sizeof(struct value) / sizeof(double) }; /* doubles from one value's hi to the next one's */

/* Returns the least number of certified bits if all numbers and their radii are normal; −1 if one is not, and
 * each must be computed by bits_of. */
MULTIVERSION static int64_t least_bits(const double *value, size_t apart, const double *radius, int count,
                                       int least)
{
    int64_t odd = 0, fewest = least;
    for (int i = 0; i < count; i++) {
        uint64_t hi, size;
        memcpy(&hi, &value[(size_t)i * apart], sizeof hi);
        memcpy(&size, &radius[i], sizeof size);
        int64_t concerned = mask_of(radius[i] > 0) & mask_of(radius[i] < INFINITY);
        int64_t of_value = (int64_t)(hi >> 52 & 0x7ff), of_radius = (int64_t)(size >> 52 & 0x7ff);
        int64_t bits = concerned ? of_value - 1 - of_radius : least;
        odd |= concerned & (mask_of(of_value == 0) | mask_of(of_value == 0x7ff) | mask_of(of_radius == 0));
        fewest = bits < fewest ? bits : fewest;
    }
    return odd ? -1 : fewest < 0 ? 0 : fewest;
}

double refine_bits_scale(int bits)
{
    return bits < 1000 ? ldexp(1, bits + 1) : INFINITY;
}

static inline __attribute__((always_inline)) bool all_as_many(const double *value, size_t apart,
                                                              const double *radius, int count, double scale)
{
    int64_t many = -1;
    for (int i = 0; i < count; i++) {
        many &= mask_of(radius[i] * scale <= fabs(value[(size_t)i * apart]));
    }
    return many != 0;
}

/* Returns whether every number certainly has at least `least` bits. */
MULTIVERSION static bool have_as_many(const double *value, size_t apart, const double *radius, int count,
                                      int least)
{
    const double scale = refine_bits_scale(least);
    return scale < INFINITY && (apart == 1 ? all_as_many(value, 1, radius, count, scale)
                                           : all_as_many(value, APART, radius, count, scale));
}

int refine_bits(const struct truth *truth, int o, int64_t first, int64_t end)
{
    int least = truth->bits;
    const struct truth_output *output = &truth->output[o];
    const int64_t components = dtype_info(output->dtype)->components, last = end * components;
    for (int64_t k = first * components; output->radius && k < last; k += BATCH_MAX) {
        const int count = last - k < BATCH_MAX ? (int)(last - k) : BATCH_MAX;
        const size_t apart = output->value ? APART : 1;
        const double *value = output->value ? &output->value[k].hi : &output->number[k];
        int64_t bits = have_as_many(value, apart, &output->radius[k], count, least)
                           ? least
                           : least_bits(value, apart, &output->radius[k], count, least);
        least = bits >= 0 ? (int)bits : least;
        for (int i = 0; bits < 0 && i < count; i++) {
            double radius = output->radius[k + i];
            int own = radius > 0 && !isinf(radius) ? bits_of(value[(size_t)i * apart], radius) : least;
            least = own < least ? own : least;
        }
    }
    return least;
}
