/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/cli/commands.h"
#include "harness/cli/repro_case.h"
#include "harness/formats/collection.h"
#include "harness/selection/plan.h"
#include "harness/host/output.h"
#include "harness/repro/bundle.h"
#include "harness/repro/repro.h"
#include "reports/gate.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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
    "PyTorch's arguments; .npz, whose arrays are taken in their order, and one of them by name,\n"
    "A.npz:x; safetensors, weights.safetensors:layer.weight, which also hold bfloat16; or .mtx\n"
    "files (MatrixMarket): one of coordinates stands for indices and values of a sparse operator\n"
    "and sets its size; none: an optional tensor that is left out.\n"
    "It says which it is, a defect or an ill-conditioned problem. What neither bound nor envelope\n"
    "admits it recomputes with operands rounded to TF32, float16, bfloat16 or float32, attributes\n"
    "rounded or eps ignored, the naive variance, operands or results in another layout, and tries\n"
    "other signs, factors and orders of rows and memory that was not written: the hypothesis that\n"
    "puts every element within its own limits is named, else \"not explained\".\n"
    "\n"
    "With --output-dir it writes, of a case or of files, truth.npy and truth_tail.npy (float64;\n"
    "the truth is their sum, to radius.npy: 0 where it is certified), bound.npy (under the\n"
    "profile of the first backend that can be asked), got-BACKEND.npy and input-0.npy …;\n"
    "complex ones are complex128, their bound is float64, and an input of bfloat16 is float32.\n"
    "--format json has all that is known.\n"
    "\n"
    "Several backends, also of a bundle, are compared at the end: one sentence says which of them drift and "
    "how far,\n"
    "in units of what independent rounding gives (the envelope) or, where there is no envelope, of\n"
    "the certified bound; whether those that drift do so the same way; then each pair's differences.\n"
    "\n"
    "--attr gives what is no tensor, in the operator's own type: alpha=0.5, num_groups=4,\n"
    "keepdim=true (or false, 1, 0), lists dim=0 or normalized_shape=4,8 (brackets may be written).\n"
    "What is left out is PyTorch's default, and is sent as such.\n"
    "\n"
    "--shrink then looks for the smallest call that fails by the same rule with the same diagnosis:\n"
    "operands that may be left out, lengths as the shape rule ties them together, layouts, attributes\n"
    "and values, each candidate judged as any other call. --bundle writes one file of all that is\n"
    "known of the call, or of what --shrink left of it; `assay repro FILE` replays it: on the backends\n"
    "of -b, else on the bundle's own, else (it is not here, or could run anything) by the recorded\n"
    "results alone. Nothing in a bundle is run.\n"
    "\n"
    "\"cannot tell\" stands first where a wrong answer would pass as well, or where the verdict hangs on\n"
    "what the backend's profile does not say; behind it the member of the profile that would decide.\n"
    "\n"
    "Exit status: 0 every backend has answered and nothing is known to be wrong (pass, vacuous, cannot\n"
    "tell), 1 one is wrong or has no answer; of --input and of bundles also one that is likely a defect\n"
    "(implausible), and what --fail-on names, 2 usage, or an output file cannot be written,\n"
    "3 a backend could not be started.";

static const char examples[] =
    "  assay repro linalg/logdet/float32/hilbert-n8\n"
    "  assay repro linalg/logdet/float32/hilbert-n8 --backend cpu --backend vulkan\n"
    "  assay repro inplace/mul_/float32/random --after elementwise/sgn/float32/length-65\n"
    "  assay repro --op logdet --input A.npy --backend vulkan --backend torch:cuda --output-dir drift\n"
    "  assay repro --op matmul --input AB.npz --backend cpu\n"
    "  assay repro --op layer_norm --attr normalized_shape=768 --input x.npz:hidden\n"
    "      --input w.safetensors:norm.weight --input w.safetensors:norm.bias\n"
    "  assay repro --op sparse_mm --input A.mtx --input B.npy --backend cpu\n"
    "  assay repro --op add_ --dtype float16 --attr alpha=2 --input x.npy --input y.npy --format json\n"
    "  assay repro --op layer_norm --attr normalized_shape=8 --input x.npy --input none --input b.npy\n"
    "  assay repro --op vector_norm --input A.npy --attr dim=0,1 --attr keepdim=true\n"
    "  assay repro --op logdet --input A.npy --backend vulkan --shrink --bundle bug.zip\n"
    "  assay repro bug.zip --backend vulkan --backend cpu\n"
    "  gdb --args assay repro inplace/add_/int32/self-alias --in-process --backend cpu";

struct words {
    struct texts ids, after;
    struct repro_files files;
    const char *seed;
    bool replay; /* the argument is a file that --bundle wrote */
};

/* Checks early what would destroy the bundle's file or prevent writing it, because the search may take a
 * minute. */
static bool check_bundle(const struct repro_files *files, struct error *error)
{
    struct stat status;
    if (strcmp(files->bundle, "-") == 0) {
        return error_set(error, "--bundle -: the standard output has the report; name a file");
    }
    if (stat(files->bundle, &status) == 0 && S_ISDIR(status.st_mode)) {
        return error_set(error, "--bundle %s: it is a folder; name a file", files->bundle);
    }
    for (int i = 0; i < files->inputs.count; i++) {
        char path[PATH_MAX];
        const char *name, *input = files->inputs.text[i];
        input = collection_split(input, path, sizeof path, &name) ? path : input;
        if (strcmp(input, "none") != 0 && output_same(input, files->bundle)) {
            return error_set(error, "--bundle %s: it is an input, which would be lost; name another file",
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
    static const char *const of_calls[] = {"op",     "input",       "attr",   "dtype",      "seed", "after",
                                           "shrink", "shrink-time", "bundle", "output-dir", "data", NULL};
    if (words->replay && !options_refuse(of_calls,
                                         "a bundle has its own operator, operands and seed; it goes with "
                                         "--backend, --format, --repeat, --time-limit, --validate, --fail-on, "
                                         "--no-cache, --in-process and --color",
                                         &error)) {
        return options_fault("%s", error.text);
    }
    if (words->replay) {
        own = true;
    }
    const struct {
        bool given;
        const char *name;
    } tensors[] = {{files->dtype, "dtype"}, {files->attributes.count, "attr"}, {files->data, "data"}};
    for (size_t t = 0; !own && t < sizeof tensors / sizeof *tensors; t++) {
        if (tensors[t].given) {
            return options_fault("--%s goes with --op and --input; a case has its own operands",
                                 tensors[t].name);
        }
    }
    if (own && !words->replay && (!files->op || !files->inputs.count || words->ids.count)) {
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
    if ((files->shrink || files->bundle) && words->after.count) {
        return options_fault("--shrink and --bundle take one call, and --after is for what needs others");
    }
    if (files->bundle && options->backends.count > 1) {
        return options_fault("--bundle holds the answer of one backend, %d are given",
                             options->backends.count);
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
        return options_fault("%s: no file of --bundle, and no case; tensors go with --op OP --input %s", word,
                             word);
    }
    if (dot && strcmp(dot, ".zip") == 0) {
        return options_fault("%s: there is no such file, and no such case", word);
    }
    return options_fault("%s", error->text);
}

static int run(struct words *words, struct plan_options *options)
{
    struct plan plan;
    struct error error = {.text = ""};
    words->replay = words->ids.count == 1 && bundle_is_one(words->ids.text[0]);
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
    bool named = options->backends.count > 0;
    if (!plan_open(&plan, options, &error)) {
        return options_fault("%s", error.text);
    }
    struct repro_target target = {.index = NULL};
    if (words->replay) {
        status = repro_bundle(&plan, options, &words->files, words->ids.text[0], named);
    } else if (words->files.op) {
        status = repro_files(&plan, options, &words->files);
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
    options.time_limit = 0; /* 0: not given */
    const struct option_row rows[] = {
        {0, "op", OPTION_TEXT, &files->op, "OP", "an operator, for tensors from files; see assay list", 0, 0},
        {0, "input", OPTION_TEXTS, &files->inputs, "A.npy",
         "an input: .npy, .npz[:NAME], .safetensors[:NAME], .mtx, or none; several in PyTorch's argument "
         "order",
         0, 0},
        {0, "dtype", OPTION_TEXT, &files->dtype, "D",
         "round the inputs to it first, but not masks, counters and indices; default: as in the files", 0, 0},
        {0, "attr", OPTION_TEXTS, &files->attributes, "K=V",
         "an attribute: a number, true or false, or a list 2,3; may be given several times", 0, 0},
        {0, "output-dir", OPTION_PATH, &files->output_dir, "DIR",
         "write inputs, truth, bound and results as .npy", 0, 0},
        {0, "format", OPTION_CHOICE, &files->format, "text|json", "default text", 0, 0},
        {0, "shrink", OPTION_FLAG, &files->shrink, NULL,
         "then look for the smallest call and the simplest values that fail by the same rule", 0, 0},
        {0, "shrink-time", OPTION_POSITIVE, &files->shrink_seconds, "S", "for so long, default 60", 0, 0},
        {0, "bundle", OPTION_PATH, &files->bundle, "FILE",
         "write operands, environment, truth, result and diagnosis into it; with --shrink of what is left", 0,
         0},
        {0, "data", OPTION_CHOICE, &files->data, "random|structured",
         "what the tensors of --input are: of random ones the envelope's limits are in force, as in the "
         "suite; of "
         "structured ones they say nothing; left out, what is beyond them is a finding (implausible)",
         0, 0},
        {0, "fail-on", OPTION_GATE, &files->gate, "LIST",
         "what makes the exit status 1 beside a wrong result and none: implausible (of --input always), "
         "vacuous "
         "(also: cannot tell), range",
         0, GATE_OF_REPRO},
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
        OPTIONS_COLOR,
        {.name = NULL},
    };
    const struct command_help help = {
        .usage = "assay repro CASE-ID [--after CASE]… | --op OP --input A.npy… | BUNDLE [OPTION…]",
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
