/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/bundle/bundle.h"
#include "harness/bundle/capture.h"
#include "harness/cli/commands.h"
#include "harness/cli/repro_case.h"
#include "harness/cli/repro_help.h"
#include "harness/formats/inputs.h"
#include "harness/host/output.h"
#include "harness/repro/repro.h"
#include "harness/selection/plan.h"
#include "reports/gate.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct words {
    struct texts ids, after;
    struct repro_files files;
    const char *seed;
    bool replay;  /* the argument is a file that --bundle wrote, or a capture */
    bool capture; /* the argument is a directory that assay_capture.py wrote */
};

/* Checks early what would destroy the bundle's file or prevent writing it, because the search may take a
 * minute. */
static bool check_bundle(const struct repro_files *files, struct error *error)
{
    struct stat status;
    if (strcmp(files->bundle, "-") == 0) {
        return error_set(error, "--bundle -: the standard output has the report; give a file");
    }
    if (stat(files->bundle, &status) == 0 && S_ISDIR(status.st_mode)) {
        return error_set(error, "--bundle %s: this is a folder; give a file", files->bundle);
    }
    for (int i = 0; i < files->inputs.count; i++) {
        char path[PATH_MAX];
        const char *input = files->inputs.text[i];
        input = repro_input_path(input, path, sizeof path) ? path : input;
        if (strcmp(input, "none") != 0 && output_same(input, files->bundle)) {
            return error_set(error,
                             "--bundle %s: this file is an input and would be overwritten; give another file",
                             files->bundle);
        }
    }
    return true;
}

/* Refuses options that would have no effect. Returns 0 or the exit status. */
static int check_words(const struct words *words, const struct plan_options *options)
{
    const struct repro_files *files = &words->files;
    bool own = files->op || files->inputs.count;
    struct error error = {.text = ""};
    static const char *const of_calls[] = {"op",      "input",       "attr",   "dtype",      "seed", "after",
                                           "shrink",  "shrink-time", "bundle", "output-dir", "data", "got",
                                           "profile", "name",        "layout", "expand",     NULL};
    if (words->replay &&
        !options_refuse(of_calls,
                        "this option cannot be used with a bundle, which has its own operator, operands and "
                        "seed; use --backend, --format, --repeat, --time-limit, --validate, --fail-on, "
                        "--no-cache, --in-process and --color",
                        &error)) {
        return options_fault("%s", error.text);
    }
    if (words->replay) {
        own = true;
    }
    if (files->bench && words->capture) {
        return options_fault("--bench cannot be used with a capture; assay repro takes one of its bundles");
    }
    const struct {
        bool given;
        const char *name;
    } tensors[] = {
        {files->dtype, "dtype"},   {files->attributes.count, "attr"}, {files->data, "data"},
        {files->got.count, "got"}, {files->layouts.count, "layout"},  {files->expands.count, "expand"}};
    for (size_t t = 0; !own && t < sizeof tensors / sizeof *tensors; t++) {
        if (tensors[t].given) {
            return options_fault("--%s needs --op and --input; a case has its own operands", tensors[t].name);
        }
    }
    if (own && !words->replay && (!files->op || !files->inputs.count || words->ids.count)) {
        return options_fault(
            "repro needs a case id, or --op with --input, or a bundle; assay repro --help shows examples");
    }
    if (files->profile && !files->got.count) {
        return options_fault("--profile needs --got; a backend states its own profile");
    }
    if (files->got.count && files->shrink) {
        return options_fault("--shrink cannot be used with --got, which has the result of one call alone");
    }
    if (files->bench && !own) {
        return options_fault(
            "--bench needs --op and --input, or a bundle; the report of a case has its time");
    }
    if (files->names.count && !own) {
        return options_fault("--name needs --op and --input");
    }
    if (files->names.count > options->backends.count + (files->got.count > 0)) {
        return options_fault("--name is given %d times, for %d backend%s", files->names.count,
                             options->backends.count + (files->got.count > 0),
                             options->backends.count + (files->got.count > 0) == 1 ? "" : "s");
    }
    if (own && words->after.count) {
        return options_fault("--after needs a case; tensors from files are run alone");
    }
    if (own && words->seed) {
        return options_fault("--seed needs a case; tensors from files contain nothing random");
    }
    if (!own && words->ids.count != 1) {
        return options_fault("repro takes one case id, but %d are given; assay list shows the ids",
                             words->ids.count);
    }
    if (files->in_process && options->time_limit > 0) {
        return options_fault(
            "--time-limit cannot be used with --in-process, because no other process could end the case");
    }
    if (files->shrink_seconds > 0 && !files->shrink) {
        return options_fault("--shrink-time needs --shrink");
    }
    if (files->shrink && files->in_process) {
        return options_fault(
            "--shrink cannot be used with --in-process, because it runs its candidates in other processes");
    }
    if ((files->shrink || files->bundle) && words->after.count) {
        return options_fault("--after cannot be used with --shrink or --bundle, which take a single call");
    }
    if (files->bundle && options->backends.count + (files->got.count > 0) > 1) {
        return options_fault(
            "a bundle contains the answer of one backend, but %d are given; give one --backend%s",
            options->backends.count + (files->got.count > 0), files->got.count ? ", or --got alone" : "");
    }
    return files->bundle && !check_bundle(files, &error) ? options_fault("%s", error.text) : 0;
}

/* Reads --seed as text, so that its absence can be detected. */
static bool read_seed(const struct command_help *help, const char *text, uint64_t *seed)
{
    const struct option_row rows[] = {{0, "seed", OPTION_UNSIGNED, seed, "N", NULL, 0, 0}, {.name = NULL}};
    const struct command_help alone = {.usage = help->usage, .about = "", .option = rows};
    char *argv[] = {"repro", "--seed", (char *)(uintptr_t)text};
    return !text || options_parse(&alone, 3, argv, NULL) == OPTIONS_OK;
}

/* Reports a word that is no case, which may be meant as a file. */
static int no_case(const struct words *words, const struct error *error)
{
    const char *word = words->ids.text[0], *dot = strrchr(word, '.');
    if (access(word, F_OK) == 0) {
        return options_fault("%s: this is neither a bundle nor a case; for tensors use --op OP --input %s",
                             word, word);
    }
    if (dot && strcmp(dot, ".zip") == 0) {
        return options_fault("%s: there is no file and no case of this name", word);
    }
    return options_fault("%s", error->text);
}

static int run(struct words *words, struct plan_options *options)
{
    struct plan plan;
    struct error error = {.text = ""};
    words->capture = words->ids.count == 1 && capture_is_one(words->ids.text[0]);
    words->replay = words->capture || (words->ids.count == 1 && bundle_is_one(words->ids.text[0]));
    int status = check_words(words, options);
    if (status) {
        return status;
    }
    options->time_limit = options->time_limit > 0 ? options->time_limit : plan_defaults().time_limit;
    words->files.shrink_seconds = words->files.shrink_seconds > 0 ? words->files.shrink_seconds : 60;
    words->files.format = words->files.format ? words->files.format : "text";
    const bool structured = words->files.data && strcmp(words->files.data, "structured") == 0;
    if ((words->replay || words->files.op) && !structured) {
        /* a result reported as "likely a defect" must change the exit status */
        words->files.gate |= GATE_IMPLAUSIBLE;
    }
    if (words->files.bench && !options_given("repeat")) {
        options->repeat = 20;
    }
    bool named = options->backends.count > 0;
    const bool single = words->capture || words->replay || words->files.op;
    if (!(single ? plan_open_calls : plan_open)(&plan, options, &error)) {
        return options_fault("%s", error.text);
    }
    struct repro_target target = {.index = NULL};
    if (words->capture) {
        status = repro_capture(&plan, options, &words->files, words->ids.text[0], named);
    } else if (words->replay) {
        status = repro_bundle(&plan, options, &words->files, words->ids.text[0], named);
    } else if (words->files.op) {
        status = repro_files(&plan, options, &words->files, named);
    } else if (!repro_aim(&plan, words->ids.text[0], &words->after, &target, &error)) {
        status = no_case(words, &error);
    } else {
        bool more = words->files.shrink || words->files.bundle,
             /* JSON is one document: with --shrink or --bundle it is that of the call */
            json = strcmp(words->files.format, "json") == 0;
        status = more && json ? EXIT_HOLDS : repro_case_run(&plan, options, &target, &words->files);
        if (more && status != EXIT_NOTHING_RUN) {
            fflush(stdout);
            int call = repro_call(&plan, options, &words->files, target.index[target.before]);
            /* a failure counts even if it does not occur again */
            status = call == EXIT_HOLDS ? status : call;
        }
    }
    free(target.index);
    suite_list_destroy(&plan.list);
    errno = 0;
    if (fflush(stdout) != 0 || ferror(stdout)) {
        return options_fault("cannot write the output%s%s", errno ? ": " : "", errno ? strerror(errno) : "");
    }
    return status;
}

int cmd_repro(int argc, char **argv)
{
    struct plan_options options = plan_defaults();
    struct words words = {.seed = NULL};
    struct repro_files *files = &words.files;
    options.time_limit = 0; /* 0: not given */
    const struct option_row rows[] = {
        {0, "op", OPTION_TEXT, &files->op, "OP", "the operator for tensors from files; see assay list", 0, 0},
        {0, "input", OPTION_TEXTS, &files->inputs, "A.npy",
         "an input: .npy, .npz[:NAME], .safetensors[:NAME], .mtx, or none; a slice may follow, x.npy[:, "
         "::2]; "
         "give several in PyTorch's argument order",
         0, 0},
        {0, "got", OPTION_TEXTS, &files->got, "Y.npy",
         "judge this result, which exists already, for --op and --input; no device is needed; one for each "
         "result of the operator, in their order",
         0, 0},
        {0, "profile", OPTION_TEXT, &files->profile, "FILE|NAME",
         "what the backend of --got promises: a JSON file (docs/reference/profile.md), or torch:cpu, "
         "torch:cuda, torch:mps, numpy, ieee, opencl, none; default opencl, OpenCL's precision with 16-bit "
         "sums in float32",
         0, 0},
        {0, "layout", OPTION_TEXTS, &files->layouts, "I=SPEC",
         "where input I (from 0) lies in memory: contiguous, transposed, channels-last, strides:S0,S1,…, "
         "offset:N (in elements; also behind one of the others and a comma); its values stay",
         0, 0},
        {0, "expand", OPTION_TEXTS, &files->expands, "I=SHAPE",
         "broadcast input I to this shape with stride 0, as torch.expand does", 0, 0},
        {0, "dtype", OPTION_TEXT, &files->dtype, "D",
         "round the inputs to this dtype first, except masks, counters and indices; default: the dtypes of "
         "the files",
         0, 0},
        {0, "attr", OPTION_TEXTS, &files->attributes, "K=V",
         "an attribute: a number, true or false, or a list 2,3; may be given several times", 0, 0},
        {0, "output-dir", OPTION_PATH, &files->output_dir, "DIR",
         "write inputs, truth, bound and results as .npy", 0, 0},
        {0, "format", OPTION_CHOICE, &files->format, "text|json", "default text", 0, 0},
        {0, "shrink", OPTION_FLAG, &files->shrink, NULL,
         "then search for the smallest call and the simplest values that fail by the same rule", 0, 0},
        {0, "shrink-time", OPTION_POSITIVE, &files->shrink_seconds, "S", "seconds for --shrink, default 60",
         0, 0},
        {0, "bundle", OPTION_PATH, &files->bundle, "FILE",
         "write operands, environment, truth, result and diagnosis to this file; with --shrink those of the "
         "smallest call",
         0, 0},
        {0, "data", OPTION_CHOICE, &files->data, "random|structured",
         "what the tensors of --input are: for random ones the limits of the envelope apply, as in the "
         "suite; for structured ones they do not; by default a result beyond them is a finding (implausible)",
         0, 0},
        {0, "fail-on", OPTION_GATE, &files->gate, "LIST",
         "what else makes the exit status 1, besides a wrong result and no answer: implausible (always with "
         "--input), vacuous (with cannot tell), range",
         0, GATE_OF_REPRO},
        {'b', "backend", OPTION_TEXTS, &options.backends, "B",
         "vulkan, vulkan:N, vulkan:SUBSTRING, each also with +ROUTE (tiled, wide, portable) behind it; cpu, "
         "torch:DEVICE, onnx:PROVIDER, jax:PLATFORM, array:MODULE, call:FILE.py:FUNCTION or exec:COMMAND; "
         "may be given several times",
         0, 0},
        {0, "name", OPTION_TEXTS, &files->names, "TEXT",
         "the name of a backend in the report; several name --got and the backends in their order", 0, 0},
        {0, "after", OPTION_TEXTS, &words.after, "CASE",
         "a case to run before it in the same process; may be given several times, in this order", 0, 0},
        {0, "seed", OPTION_TEXT, &words.seed, "N", "seed of a case's random inputs, default 1", 0, 0},
        {0, "repeat", OPTION_INTEGER, &options.repeat, "N", "runs on the backend, default 2, with --bench 20",
         2, 1000},
        {0, "bench", OPTION_FLAG, &files->bench, NULL,
         "print the time of the call on each backend whose result is right, and the ratio to the last one", 0,
         0},
        {0, "time-limit", OPTION_POSITIVE, &options.time_limit, "S",
         "seconds on the device, default 60; with --op also for the reference and the comparison", 0, 0},
        {0, "validate", OPTION_FLAG, &options.validate, NULL, "use the backend's validation layer", 0, 0},
        {0, "no-cache", OPTION_FLAG, &options.no_cache, NULL, "compute the truth anew", 0, 0},
        {0, "in-process", OPTION_FLAG, &files->in_process, NULL,
         "run in this process and without a time limit, for a debugger", 0, 0},
        OPTIONS_COLOR,
        {.name = NULL},
    };
    const struct command_help help = {
        .usage = "assay repro CASE-ID [--after CASE]… | --op OP --input A.npy… | BUNDLE | CAPTURE [OPTION…]",
        .about = repro_about,
        .examples = repro_examples,
        .option = rows};
    enum options_outcome outcome = options_parse(&help, argc, argv, &words.ids);
    int status = outcome == OPTIONS_HELP ? EXIT_HOLDS : EXIT_USAGE;
    if (outcome == OPTIONS_OK && read_seed(&help, words.seed, &options.seed)) {
        status = run(&words, &options);
    }
    texts_destroy(&words.ids);
    texts_destroy(&words.after);
    texts_destroy(&files->inputs);
    texts_destroy(&files->got);
    texts_destroy(&files->names);
    texts_destroy(&files->layouts);
    texts_destroy(&files->expands);
    texts_destroy(&files->attributes);
    texts_destroy(&options.backends);
    return status;
}
