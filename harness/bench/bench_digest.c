/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Checks that truths are the same everywhere. Computes truths, radii, sensitivities, envelopes and error
 * bounds of every judged element in each execution configuration of this machine: with the loops of older
 * processors, several threads, blocks of other sizes. Equal digests on two machines show that both judge
 * alike. */

#include "harness/bench/bench.h"
#include "reference/numeric/elementary/elementary.h"
#include "reference/numeric/exact/dot_enclosure.h"
#include "reference/numeric/exact/dot_enclosure_kernel.h"
#include "reference/numeric/exact/residue_kernel.h"
#include "reference/numeric/matrix/double_lu.h"
#include "reference/numeric/matrix/exponential_kernel.h"
#include "reference/numeric/matrix/mca_kernel.h"
#include "reference/operator/bound_memo.h"
#include "reference/program/observed.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

/* An execution configuration: instruction sets, threads, block sizes. `sums` is an index of
 * dot_enclosure_kernel.h and `lu` of lu_kernel.h in reference/numeric/ (−1: the best available); rows,
 * columns and terms 0: the default. */
struct configuration {
    const char *name;
    int sums, lu, threads, rows, columns, terms;
};

static const struct configuration configurations[] = {
    {"as usual", -1, -1, 1, 0, 0, 0},
    {"plain C", 0, 0, 1, 0, 0, 0},
    {"SSE2", 1, 0, 1, 0, 0, 0},
    {"AVX2", 2, 1, 1, 0, 0, 0},
    {"AVX2 and FMA", 2, 2, 1, 0, 0, 0},
    {"AVX-512", 3, 3, 1, 0, 0, 0},
    {"blocks of 1 row, 8 columns", -1, -1, 1, 1, 8, 8},
    {"blocks of 7 rows, 56 columns", -1, -1, 1, 7, 56, 56},
    {"blocks of 4,096", -1, -1, 1, 4096, 4096, 4096},
    {"2 threads", -1, -1, 2, 32, 0, 0},
    {"2 threads, blocks of 1 row, 8 columns", -1, -1, 2, 1, 8, 8},
    {"2 threads, blocks of 7 rows, 56 columns", -1, -1, 2, 7, 56, 56},
    {"2 threads, blocks of 4,096", -1, -1, 2, 4096, 4096, 4096},
};

/* Selects a configuration. Returns false if this machine lacks the instruction set. */
static bool take_configuration(const struct configuration *configuration)
{
    dot_enclosure_threads(configuration->threads);
    dot_enclosure_chunks(configuration->rows, 0);
    lu_blocks(configuration->columns, configuration->terms);
    int exponential = configuration->lu > 0
                          ? configuration->lu - 1
                          : configuration->lu; /* this kernel has no variant for AVX2 alone */
    int runs = configuration->lu > 1 ? configuration->lu - 1
                                     : configuration->lu; /* this kernel has no variant with FMA */
    /* the plain C of this kernel is compiled for SSE2 */
    int functions = configuration->sums > 0 ? configuration->sums - 1 : configuration->sums;
    return sum_pass_force(configuration->sums) && elementary_force(functions) &&
           lu_force(configuration->lu) && residue_force(configuration->lu) &&
           exponential_force(exponential) && mca_kernel_force(runs);
}

/* --- digest input: single numbers without padding; every NaN is the same */

struct feed {
    XXH3_state_t *state;
    int used;
    uint64_t number[256];
};

static void flush(struct feed *feed)
{
    XXH3_128bits_update(feed->state, feed->number, (size_t)feed->used * sizeof *feed->number);
    feed->used = 0;
}

static void feed_integer(struct feed *feed, int64_t x)
{
    if (feed->used == (int)(sizeof feed->number / sizeof *feed->number)) {
        flush(feed);
    }
    feed->number[feed->used++] = (uint64_t)x;
}

static void feed_real(struct feed *feed, double x)
{
    int64_t bits = -1;
    if (!isnan(x)) {
        memcpy(&bits, &x, sizeof bits);
    }
    feed_integer(feed, bits);
}

static void feed_value(struct feed *feed, const struct value *value)
{
    feed_real(feed, value->hi);
    feed_real(feed, value->lo);
    feed_integer(feed, value->exponent);
    feed_integer(feed, value->class | value->exact << 2 | value->payload << 3 | value->special_input << 4 |
                           value->open << 5);
}

static void feed_envelope(struct feed *feed, const struct envelope *envelope)
{
    feed_real(feed, envelope->spread);
    for (int w = 0; w < ENVELOPE_WIDTHS; w++) {
        feed_real(feed, envelope->drift[w]);
    }
    feed_real(feed, envelope->truncation);
    feed_real(feed, envelope->group_spread);
    feed_integer(feed, envelope->group);
    feed_real(feed, envelope->sign_spread);
}

static void feed_output(struct feed *feed, const struct truth_output *output)
{
    int components = dtype_info(output->dtype)->components;
    feed_integer(feed, output->elements);
    feed_real(feed, output->scale);
    for (int64_t i = 0; i < output->elements; i++) {
        for (int c = 0; c < components; c++) {
            feed_value(feed, &output->value[i * components + c]);
            feed_real(feed, output->radius ? output->radius[i * components + c] : 0);
        }
        for (int k = 0; k < output->sensitivities; k++) {
            feed_real(feed, output->sensitivity[i * output->sensitivities + k]);
        }
        if (output->envelope) {
            feed_envelope(feed, &output->envelope[i]);
        }
    }
}

static void feed_truth(struct feed *feed, const struct truth *truth)
{
    feed_integer(feed, truth->bits);
    for (int o = 0; o < truth->outputs; o++) {
        feed_output(feed, &truth->output[o]);
    }
    if (truth->flushed) {
        feed_truth(feed, truth->flushed);
    }
}

/* Adds B and the other sets of accepted results. */
static void feed_accept(struct feed *feed, const struct accept *accept)
{
    int components = dtype_info(accept->dtype)->components;
    feed_integer(feed, accept->sets);
    for (int s = 0; s < accept->sets; s++) {
        const struct accept_set *set = &accept->set[s];
        feed_real(feed, set->radius);
        feed_integer(feed, set->unbounded_below | (int)set->rule << 1);
        for (int c = 0; c < components; c++) {
            feed_integer(feed, (int64_t)set->component[c].special | (int64_t)set->component[c].finite << 8);
            if (set->component[c].finite) {
                feed_value(feed, &set->component[c].centre);
                feed_integer(feed, set->component[c].zero);
            }
        }
    }
}

/* Adds S, N and the other members of the envelope. */
static void feed_limit(struct feed *feed, const struct envelope_limit *limit)
{
    feed_integer(feed, limit->known | limit->fixed << 1 | limit->may_fail << 2);
    if (limit->known) {
        feed_real(feed, limit->spread);
        feed_real(feed, limit->certain);
        feed_real(feed, limit->group_spread);
        feed_integer(feed, limit->group);
    }
}

static void feed_limits(struct feed *feed, const struct step *step, const struct truth *truth,
                        const struct profile *declared)
{
    struct profile profile = profile_of_operator(declared, step->op->name);
    for (int o = 0; o < truth->outputs; o++) {
        struct bound_memo memo = {.other = NULL};
        struct bound_query query = {.op = step->op,
                                    .profile = &profile,
                                    .attributes = &step->attributes,
                                    .truth = truth,
                                    .output = o,
                                    .exact = step->exact,
                                    .memo = &memo};
        for (int64_t i = 0; i < truth->output[o].elements; i++) {
            struct accept accept;
            struct envelope_limit limit;
            query.element = i;
            op_accept(&query, &accept);
            op_envelope(&query, &limit);
            feed_accept(feed, &accept);
            feed_limit(feed, &limit);
        }
    }
}

/* --- cases */

struct request {
    const struct plan *plan;
    const struct selection *selection;
    uint64_t seed;
    XXH3_state_t *state;
    XXH128_hash_t *first, *other; /* [cases] in the default configuration, and in the current one */
};

static bool digest_case(const struct request *request, const struct suite_case *c, XXH128_hash_t *digest,
                        struct error *error)
{
    struct program *program = suite_build(c, request->seed, error);
    struct program_truth truth = {.steps = 0};
    struct profile profile = profile_ieee();
    struct feed feed = {.state = request->state, .used = 0};
    struct truth_source source = {.user = NULL};
    unsigned char **left = NULL;
    bool good = program != NULL;
    if (good && program_is_observed(program)) {
        left = program_rehearse(program, error); /* no backend runs: the operands of observed steps */
        source.left = left;
        good = left != NULL;
    }
    good = good && program_truth_compute(program, &source, &truth, error);
    XXH3_128bits_reset(request->state);
    for (int s = 0; good && s < truth.steps; s++) {
        if (truth.truth[s]) {
            feed_truth(&feed, truth.truth[s]);
            feed_limits(&feed, &program->step[s], truth.truth[s], &profile);
        }
    }
    flush(&feed);
    *digest = XXH3_128bits_digest(request->state);
    program_truth_destroy(&truth);
    program_left_destroy(program, &left);
    program_destroy(&program);
    return good;
}

/* Computes the digests of all cases. Returns false with the error of a case without a truth. */
static bool digest_all(const struct request *request, XXH128_hash_t *digest, struct error *error)
{
    bool good = true;
    for (int i = 0; good && i < request->selection->count; i++) {
        const struct suite_case *c = suite_list_at(request->plan->list, request->selection->index[i]);
        if (!c->procedure) { /* a measurement has no truth */
            good = digest_case(request, c, &digest[i], error);
        }
    }
    return good;
}

/* Prints one line. Returns true if all digests equal those of the default configuration. */
static bool print_configuration(const struct request *request, const struct configuration *configuration,
                                const XXH128_hash_t *digest)
{
    int count = request->selection->count, at = 0;
    while (at < count && XXH128_isEqual(digest[at], request->first[at])) {
        at++;
    }
    XXH128_hash_t whole = XXH3_128bits(digest, (size_t)count * sizeof *digest);
    printf("%016" PRIx64 "%016" PRIx64 "  %s", (uint64_t)whole.high64, (uint64_t)whole.low64,
           configuration->name);
    if (at < count) {
        printf(": differs, first in %s", suite_list_id(request->plan->list, request->selection->index[at]));
    }
    printf("\n");
    fflush(stdout);
    return at == count;
}

static int run_configurations(const struct request *request, struct error *error)
{
    int status = EXIT_HOLDS;
    size_t size = (size_t)request->selection->count * sizeof *request->other;
    memset(request->first, 0, size);
    memset(request->other, 0, size);
    for (size_t w = 0; w < sizeof configurations / sizeof *configurations; w++) {
        XXH128_hash_t *digest = w == 0 ? request->first : request->other;
        if (!take_configuration(&configurations[w])) {
            printf("%32s  %s: not on this machine\n", "", configurations[w].name);
            continue;
        }
        if (!digest_all(request, digest, error)) {
            status = EXIT_USAGE;
            break;
        }
        if (!print_configuration(request, &configurations[w], digest)) {
            status = EXIT_GATE;
        }
    }
    take_configuration(&configurations[0]);
    return status;
}

int bench_digest(const struct plan *plan, const struct plan_options *options,
                 const struct selection *selection)
{
    size_t size = ((size_t)selection->count + 1) * sizeof(XXH128_hash_t);
    struct request request = {.plan = plan,
                              .selection = selection,
                              .seed = options->seed,
                              .state = XXH3_createState(),
                              .first = malloc(size),
                              .other = malloc(size)};
    struct error error = {.text = "out of memory"};
    int status =
        request.state && request.first && request.other ? run_configurations(&request, &error) : EXIT_USAGE;
    if (status == EXIT_USAGE) {
        options_fault("bench digest: %s", error.text);
        status = EXIT_GATE;
    }
    XXH3_freeState(request.state);
    free(request.first);
    free(request.other);
    return status;
}
