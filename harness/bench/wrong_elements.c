/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/bench/wrong_elements.h"

#include "harness/backends/backends.h"
#include "harness/judge/judge.h"
#include "harness/judge/statistics/evidence.h"
#include "harness/judge/traversal.h"
#include "harness/judge/verification.h"
#include "reference/numeric/elementary/portable.h"
#include "reference/operator/value_batch.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* holes of one kind and case for which the judge is called; further ones are counted without it */
enum { TESTED_MOST = 24 };

/* A case whose elements are being tried. */
struct walk {
    struct wrong_elements *to;
    const struct suite_case *c;
    const char *id;
    uint64_t seed;
    bool any;
    int most;
    struct record *record;
    struct error *error;
    bool good;

    const struct program *program;
    struct program_truth *truth;
    const struct images *images;
    const struct profile *profile;
    struct step_result *result;
    bool vacuous;
    int tested[MISTAKES]; /* number of holes for which the judge was called */
    int64_t seen, zeros;  /* elements tried, and those of them that would be accepted as zeros */
};

/* One element, with the results that are accepted for it. */
struct tried {
    struct bound_query query;
    struct accept accept;
    struct envelope_limit envelope;
    bool may_fail;
    unsigned char *bytes; /* as computed */
    int64_t element;      /* its index in the tensor */
    struct right_answer right;
    double scale;
    bool verified;
};

const char *opening_name(enum opening opening)
{
    static const char *const name[OPENINGS] = {"no limit", "another result is right", "underflow",
                                               "cancellation", "wide limit"};
    return name[opening];
}

/* --- the judge */

/* Judges the whole case with these bytes in place of the element's. Returns true if the case fails. */
static bool case_refuses(struct walk *w, const struct tried *t, const unsigned char *wrong, size_t size)
{
    unsigned char computed[16];
    struct record record;
    struct judge_run run = {.images = w->images, .result = w->result};
    struct judge_request request = {
        .program = w->program, .truth = w->truth, .profile = w->profile, .runs = 1, .run = &run};
    memset(&record, 0, sizeof record);
    memcpy(computed, t->bytes, size);
    memcpy(t->bytes, wrong, size);
    w->good = judge(&request, &record, w->error);
    memcpy(t->bytes, computed, size);
    bool refuses = w->good && record.status == STATUS_FAIL;
    record_clear(&record);
    return refuses;
}

static enum opening opening_of(const struct tried *t, enum dtype component, const unsigned char *wrong)
{
    double distance = 0;
    for (int c = 0; c < dtype_info(t->accept.dtype)->components; c++) {
        double x = dtype_load(component, wrong + (size_t)c * dtype_info(component)->size);
        distance = portable_hypot(distance, x - t->right.truth[c]);
    }
    const struct accept_set *own = &t->accept.set[0];
    if (!t->verified && isinf(own->radius)) {
        return OPENING_UNLIMITED;
    }
    if (t->verified || own->unbounded_below || !(distance <= own->radius * (1 + 0x1p-20))) {
        return OPENING_ANOTHER;
    }
    if (dtype_is_floating(component) && t->right.size < 4 * dtype_least_normal(component)) {
        return OPENING_SUBNORMAL;
    }
    return t->right.size < 0.1 * t->scale ? OPENING_SMALL : OPENING_WIDE;
}

static void keep_hole(struct walk *w, const struct tried *t, enum dtype component, enum mistake mistake,
                      const unsigned char *wrong)
{
    const enum opening opening = opening_of(t, component, wrong);
    struct opening_counts *o = &w->to->opening[opening];
    const double relative = t->scale > 0 ? t->right.size / t->scale : 1,
                 limit = t->right.limit / t->right.size;
    w->to->mistake[mistake].holes++;
    o->least = o->holes ? fmin(o->least, t->right.size) : t->right.size;
    o->most = fmax(o->most, t->right.size);
    if (o->holes++ == 0 || relative > o->relative) {
        snprintf(o->example, sizeof o->example, "%s --seed %" PRIu64 " [%" PRId64 "]", w->id, w->seed,
                 t->element);
    }
    o->relative = fmax(o->relative, relative);
    o->limit = fmax(o->limit, limit);
}

static void try_mistake(struct walk *w, const struct tried *t, enum dtype dtype, enum mistake mistake)
{
    struct mistake_counts *m = &w->to->mistake[mistake];
    const size_t size = dtype_info(dtype)->size;
    unsigned char wrong[16] = {0}, taken_bytes[16];
    bool tried = false, taken = false;
    if (t->verified && w->tested[mistake] == TESTED_MOST) {
        return; /* only the judge can decide, and its calls are used up */
    }
    for (int side = 1; side >= -1 && !taken; side -= mistake == MISTAKE_OFF ? 2 : 3) {
        double error;
        if (wrong_answer(&t->right, dtype, mistake, side, wrong)) {
            tried = true;
            taken = t->verified ||
                    !evidence_refuses(&t->query, &t->accept, &t->envelope, t->may_fail, wrong, &error);
            memcpy(taken_bytes, wrong, sizeof wrong);
        }
    }
    bool ask = taken && (t->verified || !w->vacuous) && w->tested[mistake] < TESTED_MOST;
    w->tested[mistake] += ask;
    bool refused = ask && case_refuses(w, t, taken_bytes, size);
    taken = taken && !(t->verified && refused);
    m->tried += tried;
    m->taken += taken;
    m->in_vacuous += taken && w->vacuous;
    w->zeros += taken && mistake == MISTAKE_ZERO;
    if (taken && !refused && !w->vacuous) {
        keep_hole(w, t, dtype_info(dtype)->component, mistake, taken_bytes);
    }
}

/* --- elements */

/* Takes the element's truth. Returns false for elements on which no mistake is tried: the truth must be
 * finite and round to a finite number other than zero. */
static bool take_truth(struct tried *t, const struct truth_output *output, int64_t at)
{
    const struct dtype_info *info = dtype_info(output->dtype);
    const struct value *value = truth_value(output, at);
    double right = 0;
    t->right.size = 0;
    for (int c = 0; c < info->components; c++) {
        if (value[c].class != VALUE_FINITE) {
            return false;
        }
        t->right.truth[c] = value_approximately(&value[c]);
        t->right.size = portable_hypot(t->right.size, t->right.truth[c]);
        double x = dtype_is_floating(info->component) ? answer_rounded(info->component, t->right.truth[c])
                                                      : t->right.truth[c];
        right = fmax(right, fabs(x));
    }
    return right > 0 && isfinite(right) && isfinite(t->right.size);
}

static void try_element(struct walk *w, struct traversal *t, bool may_fail, int64_t element,
                        unsigned char *bytes)
{
    struct tried tried = {.bytes = bytes, .may_fail = may_fail, .element = element};
    t->query.element = element - t->first;
    if (!take_truth(&tried, t->output, t->query.element)) {
        return;
    }
    tried.query = t->query;
    tried.verified = step_is_verified(&w->program->step[t->step], t->judged);
    tried.scale = fmax(t->output->scale, tried.right.size);
    op_accept(&t->query, &tried.accept);
    op_envelope(&t->query, &tried.envelope);
    tried.right.limit = evidence_reach(&tried.accept);
    if (may_fail && evidence_decides(&tried.accept, &tried.envelope)) {
        tried.right.limit = fmin(tried.right.limit, envelope_limit_reach(&tried.envelope));
    }
    w->seen++;
    for (int m = 0; m < MISTAKES && w->good; m++) {
        try_mistake(w, &tried, t->view.dtype, (enum mistake)m);
    }
}

static void try_tensor(struct walk *w, struct traversal *t)
{
    struct element_block block;
    const int64_t stride = t->elements / w->most + 1;
    while (w->good && traversal_next_slice(t)) {
        if (!truth_output_fill(t->output)) {
            w->good = error_set(w->error, "out of memory");
            return;
        }
        bool random = program_step_is_random(w->program, t->step);
        t->query.element = 0;
        bool may_fail = t->elements > 0 && random && op_envelope_may_fail(&t->query);
        while (w->good && traversal_next_block(t, &block)) {
            const unsigned char *first = element_block_in(&block, w->images);
            for (int64_t i = (stride - block.first % stride) % stride; w->good && i < block.count;
                 i += stride) {
                unsigned char *bytes =
                    w->images->image[block.storage] + (first - w->images->image[block.storage]);
                try_element(w, t, may_fail, block.first + i, bytes + i * block.stride);
            }
        }
    }
}

/* Returns true if elements of this step are tried. */
static bool is_tried(const struct program *program, int step, const struct op *op, bool any)
{
    return program->step[step].op == op && (any || program_step_is_random(program, step));
}

static void inspect(void *user, const struct program *program, struct program_truth *truth,
                    const struct images *images, const struct profile *profile)
{
    struct walk *w = user;
    struct ownership ownership;
    if (w->record->status != STATUS_PASS && w->record->status != STATUS_VACUOUS) {
        return;
    }
    w->program = program;
    w->truth = truth;
    w->images = images;
    w->profile = profile;
    w->vacuous = w->record->status == STATUS_VACUOUS;
    w->result = calloc((size_t)program->steps + 1, sizeof *w->result);
    w->good = w->result && ownership_create(&ownership, program, w->error);
    if (!w->good) {
        error_set(w->error, "out of memory");
        free(w->result);
        return;
    }
    for (int s = 0; s < program->steps; s++) {
        w->result[s].status = program->step[s].expect == EXPECT_REJECTION ? STEP_REJECTED : STEP_OK;
    }
    struct traversal t = traversal_of(program, truth, profile, &ownership);
    while (w->good && traversal_next_tensor(&t)) {
        if (is_tried(program, t.step, w->c->op, w->any)) {
            try_tensor(w, &t);
        }
    }
    ownership_destroy(&ownership);
    free(w->result);
}

/* Finds out whether any element of the case is tried; otherwise nothing has to be computed. */
static bool has_elements(const struct suite_case *c, uint64_t seed, bool any, bool *found,
                         struct error *error)
{
    struct program *program = suite_build(c, seed, error);
    *found = false;
    for (int s = 0; program && s < program->steps; s++) {
        *found = *found || is_tried(program, s, c->op, any);
    }
    bool good = program != NULL;
    program_destroy(&program);
    return good;
}

bool wrong_elements_add(struct wrong_elements *to, const struct suite_case *c, const char *id, uint64_t seed,
                        bool any, int most, const struct wrong_backend *backend, struct error *error)
{
    struct record record;
    struct walk w = {.to = to,
                     .c = c,
                     .id = id,
                     .seed = seed,
                     .any = any,
                     .most = most,
                     .record = &record,
                     .error = error,
                     .good = true};
    bool found;
    if (!has_elements(c, seed, any, &found, error)) {
        return false;
    }
    if (!found) {
        return true;
    }
    struct case_options options = {.seed = seed, .whole = true, .inspect = inspect, .user = &w};
    bool alive = case_run(c, id, &backend->class, backend->backend, &options, &record);
    bool judged = record.status == STATUS_PASS || record.status == STATUS_VACUOUS;
    to->unjudged += !judged;
    if (judged && w.seen) {
        to->cases++;
        to->vacuous += w.vacuous;
        to->mostly += !w.vacuous && 2 * w.zeros > w.seen;
        to->elements += w.seen;
        to->in_vacuous += w.vacuous ? w.seen : 0;
    }
    if (!alive) {
        error_set(error, "%s", record.reason ? record.reason : "the device is lost");
    }
    record_clear(&record);
    return alive && w.good;
}

/* --- the backend */

static struct backend_info declared; /* the description of the backend that --backend names */

static void say_declared(const struct backend *backend, struct backend_info *info)
{
    (void)backend;
    *info = declared;
}

bool wrong_backend_open(struct wrong_backend *backend, const char *name, struct error *error)
{
    struct backend_options open = {.selector = NULL};
    const char *none;
    *backend = (struct wrong_backend){.backend = NULL};
    const struct backend_class *judged = backends_find(name, &open.selector, error);
    struct backend *other = judged ? judged->open(&open, error) : NULL;
    if (!other) {
        return false;
    }
    judged->info(other, &declared);
    judged->close(&other);
    const struct backend_class *cpu = backends_find("cpu", &none, error);
    open.selector = NULL;
    backend->backend = cpu ? cpu->open(&open, error) : NULL;
    if (backend->backend) {
        backend->class = *cpu;
        backend->class.info = say_declared;
    }
    return backend->backend != NULL;
}

void wrong_backend_close(struct wrong_backend *backend)
{
    if (backend->backend) {
        backend->class.close(&backend->backend);
    }
}
