/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/cli/commands.h"
#include "harness/cli/run.h"
#include "harness/options/plan.h"
#include "harness/repro/repro.h"
#include "harness/verdict/evidence.h"
#include "reports/report.h"
#include "reports/text.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char about[] =
    "Runs one case alone on each backend and prints all that is known of it: the truth and the\n"
    "result at the worst element, every metric, and for a failure the rule that it breaks and,\n"
    "of a case of one step, the hypothesis that explains it.\n"
    "`resolution` is the least relative error of scale, of the whole result, that the case would\n"
    "see; `envelope` holds the errors against independent rounding (Q, T and G), and `implausible`\n"
    "says that they are beyond it where that is a finding and no failure.\n"
    "\n"
    "--after CASE runs another case before it in the same process, unjudged; several run in their\n"
    "order. A failure that depends on what ran before has them in its replay line.\n"
    "\n"
    "With --op and --input it takes somebody's own tensors instead: .npy files in the order of\n"
    "PyTorch's arguments, or .mtx files (MatrixMarket): one of coordinates stands for indices\n"
    "and values of a sparse operator and sets its size; none: an optional tensor that is left\n"
    "out. It says which it is, a defect or an ill-conditioned problem. What neither bound nor\n"
    "envelope admits it recomputes with operands rounded to TF32, float16, bfloat16 or float32,\n"
    "attributes rounded or eps ignored, the naive variance, operands or results in another layout,\n"
    "and tries other signs, factors and orders of rows and memory that was not written: the\n"
    "hypothesis that puts every element within its own limits is named, else \"not explained\".\n"
    "With --output-dir it writes truth.npy and truth_tail.npy (float64;\n"
    "the truth is their sum), bound.npy (under the profile of the first backend that can be\n"
    "asked) and got-BACKEND.npy; complex ones are complex128, their bound is float64.\n"
    "\n"
    "--attr gives what is no tensor, in the operator's own type: alpha=0.5, num_groups=4,\n"
    "keepdim=true (or false, 1, 0), lists dim=0 or normalized_shape=4,8 (brackets may be written).\n"
    "What is left out is PyTorch's default, and is sent as such.\n"
    "\n"
    "Exit status: 0 every backend has answered and nothing is wrong (pass, or vacuous where the\n"
    "problem is ill-conditioned), 1 one is wrong or has no answer, 2 usage, or what was asked for\n"
    "cannot be written, 3 a backend could not be started.";

static const char examples[] =
    "  assay repro linalg/logdet/float32/hilbert-n8\n"
    "  assay repro linalg/logdet/float32/hilbert-n8 --backend cpu --backend vulkan\n"
    "  assay repro inplace/mul_/float32/random --after elementwise/sgn/float32/length-65\n"
    "  assay repro --op logdet --input A.npy --backend vulkan --backend torch:cuda --output-dir drift\n"
    "  assay repro --op sparse_mm --input A.mtx --input B.npy --backend cpu\n"
    "  assay repro --op add_ --dtype float16 --attr alpha=2 --input x.npy --input y.npy --format json\n"
    "  assay repro --op layer_norm --attr normalized_shape=8 --input x.npy --input none --input b.npy\n"
    "  assay repro --op vector_norm --input A.npy --attr dim=0,1 --attr keepdim=true\n"
    "  gdb --args assay repro inplace/add_/int32/self-alias --in-process --backend cpu";

static void print_real(const char *name, double x)
{
    if (isnan(x)) {
        printf("  %-16s –\n", name);
    } else {
        printf("  %-16s %.4g\n", name, x);
    }
}

/* What a reader asks first: how small an error of scale this case would see. */
static void print_envelope(const struct record *record)
{
    char sees[TEXT_NUMBER], factor[TEXT_NUMBER];
    printf("  %-16s %s\n", "resolution", text_resolution(record->resolution, sees));
    if (record->envelope_q > 0 || record->envelope_t > 0) {
        printf("  %-16s Q %.3g of 1, T %.3g of 4, G %.3g of 6 (%" PRId64 " group%s%s)\n", "envelope",
               record->envelope_q, record->envelope_t, record->envelope_g, record->envelope_groups,
               record->envelope_groups == 1 ? "" : "s",
               record->envelope_groups < EVIDENCE_LEAST_GROUPS ? ", too few to tell" : "");
    }
    if (record->implausible > 0) {
        printf("  %-16s %s times the limit of independent rounding, by %s\n", "implausible",
               text_number(record->implausible, factor),
               record->implausible_by ? record->implausible_by : "?");
    }
}

static void print_metrics(const struct record *record)
{
    const struct {
        const char *name;
        double value;
    } reals[] = {
        {"max ulp", record->max_ulp},         {"mean ulp", record->mean_ulp},
        {"bias ulp", record->bias_ulp},       {"bias resolution", record->bias_resolution},
        {"max err/bound", record->max_nu},    {"p99 err/bound", record->p99_nu},
        {"max err/good", record->quality_nu}, {"nmse", record->nmse},
        {"bit exact", record->bit_exact},     {"faithful", record->faithful},
    };
    print_envelope(record);
    printf("  %-16s %" PRId64 " (%" PRId64 " inexact, %" PRId64 " beyond 1 ulp, %" PRId64 " not accepted)\n",
           "elements", record->elements, record->over_0, record->over_1, record->over_bound);
    for (unsigned i = 0; i < sizeof reals / sizeof *reals; i++) {
        print_real(reals[i].name, reals[i].value);
    }
    if (record->truth_bits) {
        printf("  %-16s %d certified bits\n", "truth", record->truth_bits);
    } else {
        printf("  %-16s exact\n", "truth");
    }
    printf("  %-16s %d\n", "distinct results", record->distinct);
    printf("  %-16s device %.3f ms, run %.3f ms, reference %.3f ms\n", "time",
           (double)record->device_ns * 1e-6, (double)record->wall_ns * 1e-6,
           (double)record->reference_ns * 1e-6);
    printf("  %-16s %s\n", "inputs", record->inputs_digest ? record->inputs_digest : "unknown");
}

/* What a procedure measured: first and last point of each curve, its range, and what was fitted to it. */
static void print_series(const struct record *record)
{
    printf("  %-24s %8s %7s %12s %12s %12s %12s\n", "series", "unit", "points", "first", "last", "least",
           "greatest");
    for (int s = 0; s < record->series_count; s++) {
        const struct record_series *series = &record->series[s];
        double least = INFINITY, greatest = -INFINITY;
        for (int i = 0; i < series->points; i++) {
            least = fmin(least, series->y[i]);
            greatest = fmax(greatest, series->y[i]);
        }
        if (series->points) {
            printf("  %-24s %8s %7d %12.10g %12.10g %12.10g %12.10g\n", series->name, series->unit,
                   series->points, series->y[0], series->y[series->points - 1], least, greatest);
        }
        if (series->octaves) {
            printf("  %-24s grows as batch^%.3f over its last %d octaves\n", "", series->exponent,
                   series->octaves);
        }
        if (series->factor > 0) {
            printf("  %-24s %.3g times what operands and results take\n", "", series->factor);
        }
    }
    printf("  time: device %.3f ms, in all %.3f ms\n", (double)record->device_ns * 1e-6,
           (double)record->wall_ns * 1e-6);
}

static void print_worst(const struct record_worst *worst, const char *bound)
{
    if (!worst->truth && !worst->got) {
        return;
    }
    printf("  %-16s %s\n", "worst element", worst->where ? worst->where : "-");
    if (worst->inputs) {
        printf("  %-16s %s\n", "", worst->inputs);
    }
    printf("  %-16s %s\n", "truth", worst->truth ? worst->truth : "-");
    printf("  %-16s %s\n", "got", worst->got ? worst->got : "-");
    if (isnan(worst->ulp)) {
        printf("  %-16s no number of ulp, %.4g of the bound\n", "error", worst->nu);
    } else {
        printf("  %-16s %.4g ulp, %.4g of the bound\n", "error", worst->ulp, worst->nu);
    }
    for (const char *name = "bound"; bound && *bound; name = "") {
        int length = (int)strcspn(bound, "\n");
        printf("  %-16s %.*s\n", name, length, bound);
        bound += length + (bound[length] == '\n');
    }
}

static void print_record(const struct record_header *header, const struct record *record)
{
    printf("%s: %s%s%s\n", record->backend, header->device ? header->device : "", header->driver ? ", " : "",
           header->driver ? header->driver : "");
    bool failure = gate_fails_status(record->status, GATE_STRICT) && record->status != STATUS_UNSUPPORTED;
    if (failure) {
        report_failure(stdout, record);
    } else {
        printf("%s %s%s%s\n", status_name(record->status), record->id, record->reason ? ": " : "",
               record->reason ? record->reason : "");
    }
    if (record->series_count) {
        print_series(record);
    } else if (record->elements > 0) {
        print_worst(&record->worst, failure ? NULL : record->detail);
        print_metrics(record);
    }
}

/* Only what was answered, and is not wrong, holds. */
static bool is_against(const struct record *record)
{
    return gate_fails_status(record->status, 0) || record->status == STATUS_UNSUPPORTED;
}

/* What is run: the last of the indices, after the others. */
struct target {
    int *index, before;
};

/* One run of the case here, without a worker: a crash then meets the debugger. */
static bool run_in_process(const struct plan *plan, const struct worker_setup *setup,
                           const struct target *target, struct error *error, bool *failed)
{
    struct record_header header = {.version = RECORD_VERSION};
    struct record record;
    struct worker *worker = worker_open(setup, plan->list, error);
    if (!worker) {
        return false;
    }
    worker_describe(worker, &header);
    for (int i = 0; i < target->before; i++) {
        worker_run(worker, target->index[i], WORKER_UNJUDGED, &record);
        record_clear(&record);
    }
    worker_run(worker, target->index[target->before], WORKER_JUDGED, &record);
    free(record.repro);
    record.repro = worker_replay_after(setup, record.id, plan->list, target->index, target->before);
    print_record(&header, &record);
    *failed = *failed || is_against(&record);
    record_clear(&record);
    record_header_clear(&header);
    worker_close(&worker);
    return true;
}

static bool run_in_worker(const struct plan *plan, const struct plan_options *options,
                          const struct worker_setup *setup, const struct target *target, struct error *error,
                          bool *failed)
{
    struct selection one = {.count = 1, .index = &target->index[target->before]};
    struct results results = {.headers = 0};
    struct run_outcome outcome;
    struct run_plan run = {.list = plan->list,
                           .selection = &one,
                           .setup = *setup,
                           .jobs = 1,
                           .time_limit = options->time_limit,
                           .program = plan_program,
                           .level = suite_list_at(plan->list, *one.index)->level,
                           .before = target->index,
                           .before_count = target->before,
                           .quiet = true,
                           .keep_suspects = true};
    bool good = run_backend(&run, &results, &outcome, error);
    signal(SIGPIPE, SIG_DFL); /* a reader who has seen enough, as head has, ends it silently */
    for (int r = 0; good && r < results.records; r++) {
        print_record(&results.header[0], &results.record[r]);
        *failed = *failed || is_against(&results.record[r]);
    }
    fflush(stdout);
    signal(SIGPIPE, SIG_IGN); /* as the next worker needs it */
    results_destroy(&results);
    return good;
}

/* Finds the cases that are named. */
static bool aim(const struct plan *plan, const char *id, const struct texts *after, struct target *target,
                struct error *error)
{
    target->before = after->count;
    target->index = malloc(((size_t)after->count + 1) * sizeof *target->index);
    if (!target->index) {
        return error_set(error, "out of memory");
    }
    bool good = true;
    for (int i = 0; good && i <= after->count; i++) {
        target->index[i] = select_one(plan->list, i < after->count ? after->text[i] : id, error);
        good = target->index[i] >= 0;
    }
    return good;
}

static int repro(const struct plan *plan, const struct plan_options *options, const struct target *target,
                 bool in_process)
{
    struct error error = {.text = ""};
    bool failed = false, opened = true;
    for (int b = 0; b < options->backends.count; b++) {
        struct worker_setup setup = plan_setup(plan, options, options->backends.text[b]);
        setup.explain = true;
        bool good = in_process ? run_in_process(plan, &setup, target, &error, &failed)
                               : run_in_worker(plan, options, &setup, target, &error, &failed);
        if (!good) {
            options_fault("%s: %s", setup.backend, error.text);
            opened = false;
        }
    }
    return !opened ? EXIT_NOTHING_RUN : failed ? EXIT_GATE : EXIT_HOLDS;
}

struct words {
    struct texts ids, after;
    struct repro_files files;
    const char *seed;
};

/* Options that could do nothing are refused: who gives them expects something. 0, or the exit status. */
static int check_words(const struct words *words, const struct plan_options *options)
{
    const struct repro_files *files = &words->files;
    bool own = files->op || files->inputs.count;
    const struct {
        bool given;
        const char *name;
    } tensors[] = {{files->dtype, "dtype"},
                   {files->attributes.count, "attr"},
                   {files->output_dir, "output-dir"},
                   {files->format, "format"}};
    for (size_t t = 0; !own && t < sizeof tensors / sizeof *tensors; t++) {
        if (tensors[t].given) {
            return options_fault(
                "--%s goes with --op and --input; a case has its own operands, and prints text",
                tensors[t].name);
        }
    }
    if (own && (!files->op || !files->inputs.count || words->ids.count)) {
        return options_fault("repro takes a case id, or --op with --input; assay repro --help shows both");
    }
    if (own && words->after.count) {
        return options_fault("--after goes with a case: tensors from files run alone");
    }
    if (own && words->seed) {
        return options_fault("--seed goes with a case: nothing is random in tensors from files");
    }
    if (!own && words->ids.count != 1) {
        return options_fault("repro takes one case id, %d given; assay list shows them", words->ids.count);
    }
    if (files->in_process && options->time_limit > 0) {
        return options_fault(
            "--time-limit cannot hold with --in-process: no other process is there to end it");
    }
    if (files->shrink_seconds > 0 && !files->shrink) {
        return options_fault("--shrink-time goes with --shrink");
    }
    if (files->shrink && files->in_process) {
        return options_fault("--shrink asks in other processes, which --in-process is without");
    }
    if (files->shrink && words->after.count) {
        return options_fault("--shrink goes with what fails alone, and --after with what does not");
    }
    if (files->format && strcmp(files->format, "text") != 0 && strcmp(files->format, "json") != 0) {
        return options_fault("--format %s: text or json", files->format);
    }
    return 0;
}

/* As an option of its own, so that its absence can be told. */
static bool read_seed(const struct command_help *help, const char *text, uint64_t *seed)
{
    const struct option_row rows[] = {{0, "seed", OPTION_UNSIGNED, seed, "N", NULL, 0, 0}, {.name = NULL}};
    const struct command_help alone = {.usage = help->usage, .about = "", .option = rows};
    char *argv[] = {"repro", "--seed", (char *)(uintptr_t)text};
    return !text || options_parse(&alone, 3, argv, NULL) == OPTIONS_OK;
}

static int run(struct words *words, struct plan_options *options)
{
    struct plan plan;
    struct error error = {.text = ""};
    int status = check_words(words, options);
    if (status) {
        return status;
    }
    options->time_limit = options->time_limit > 0 ? options->time_limit : plan_defaults().time_limit;
    words->files.shrink_seconds = words->files.shrink_seconds > 0 ? words->files.shrink_seconds : 60;
    words->files.format = words->files.format ? words->files.format : "text";
    if (!plan_open(&plan, options, &error)) {
        return options_fault("%s", error.text);
    }
    struct target target = {.index = NULL};
    if (words->files.op) {
        status = repro_files(&plan, options, &words->files);
    } else if (!aim(&plan, words->ids.text[0], &words->after, &target, &error)) {
        status = options_fault("%s", error.text);
    } else {
        status = repro(&plan, options, &target, words->files.in_process);
        if (words->files.shrink && status != EXIT_NOTHING_RUN) {
            fflush(stdout);
            status = repro_case(&plan, options, &words->files, target.index[target.before]);
        }
    }
    free(target.index);
    suite_list_destroy(&plan.list);
    errno = 0;
    if (fflush(stdout) != 0 || ferror(stdout)) {
        return options_fault("the output cannot be written%s%s", errno ? ": " : "",
                             errno ? strerror(errno) : "");
    }
    return status;
}

int cmd_repro(int argc, char **argv)
{
    struct plan_options options = plan_defaults();
    struct words words = {.seed = NULL};
    struct repro_files *files = &words.files;
    options.time_limit = 0; /* not given */
    const struct option_row rows[] = {
        {0, "op", OPTION_TEXT, &files->op, "OP", "an operator, for tensors from files; see assay list", 0, 0},
        {0, "input", OPTION_TEXTS, &files->inputs, "A.npy",
         "an input, .npy or .mtx, or none; several in PyTorch's argument order", 0, 0},
        {0, "dtype", OPTION_TEXT, &files->dtype, "D",
         "round the inputs to it first, but not masks, counters and indices; default: as in the files", 0, 0},
        {0, "attr", OPTION_TEXTS, &files->attributes, "K=V",
         "an attribute: a number, true or false, or a list 2,3; may be given several times", 0, 0},
        {0, "output-dir", OPTION_TEXT, &files->output_dir, "DIR",
         "write truth, bound and results as .npy; with --op", 0, 0},
        {0, "format", OPTION_TEXT, &files->format, "F", "text or json; with --op", 0, 0},
        {0, "shrink", OPTION_FLAG, &files->shrink, NULL,
         "then look for the smallest call and the simplest values that fail by the same rule", 0, 0},
        {0, "shrink-time", OPTION_POSITIVE, &files->shrink_seconds, "S", "for so long, default 60", 0, 0},
        {'b', "backend", OPTION_TEXTS, &options.backends, "B",
         "vulkan, vulkan:N, vulkan:SUBSTRING, cpu, torch:DEVICE, onnx:PROVIDER, jax:PLATFORM, array:MODULE "
         "or exec:COMMAND; may be given several times",
         0, 0},
        {0, "after", OPTION_TEXTS, &words.after, "CASE",
         "a case to run before it in the same process; may be given several times, the order counts", 0, 0},
        {0, "seed", OPTION_TEXT, &words.seed, "N", "of a case's random inputs, default 1", 0, 0},
        {0, "repeat", OPTION_INTEGER, &options.repeat, "N", "runs on the backend, default 2", 2, 1000},
        {0, "time-limit", OPTION_POSITIVE, &options.time_limit, "S",
         "on the device, default 60; with --op also for the reference and the comparison", 0, 0},
        {0, "validate", OPTION_FLAG, &options.validate, NULL, "with the backend's validation layer", 0, 0},
        {0, "no-cache", OPTION_FLAG, &options.no_cache, NULL, "compute the truth afresh", 0, 0},
        {0, "in-process", OPTION_FLAG, &files->in_process, NULL,
         "without another process and without a time limit, for a debugger", 0, 0},
        {.name = NULL},
    };
    const struct command_help help = {
        .usage = "assay repro CASE-ID [--after CASE]… | --op OP --input A.npy… [OPTION…]",
        .about = about,
        .examples = examples,
        .option = rows};
    enum options_outcome outcome = options_parse(&help, argc, argv, &words.ids);
    int status = outcome == OPTIONS_HELP ? EXIT_HOLDS : EXIT_USAGE;
    if (outcome == OPTIONS_OK && read_seed(&help, words.seed, &options.seed)) {
        status = run(&words, &options);
    }
    texts_destroy(&words.ids);
    texts_destroy(&words.after);
    texts_destroy(&files->inputs);
    texts_destroy(&files->attributes);
    texts_destroy(&options.backends);
    return status;
}
