/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/cli/bench_options.h"

#include "harness/host/nearest.h"

#include <string.h>

const char bench_about[] =
    "Measures what assay costs, and checks that it computes the same everywhere.\n"
    "\n"
    "  reference   truths per second and operator: computed, and read from the cache\n"
    "  kernels     device time and cells per second of each case, slowest first; with\n"
    "              --sizes calls of real sizes instead, in turn on each backend: time\n"
    "              when warm, GB/s or TFLOP/s, share of the speed of a copy, and the\n"
    "              ratio to the last backend. No truth is computed; instead the\n"
    "              2-norm of the difference to the last backend's results must be\n"
    "              small. Words are names of operators or of rows\n"
    "  runner      tiny cases per second, overhead per case, wall time of the levels\n"
    "              with a cold and a warm cache and with cached verdicts, the\n"
    "              core-seconds of each part (device, procedures, reference, judge,\n"
    "              the rest), peak memory; it uses caches of its own\n"
    "  resolution  what the limits resolve on random data: the CPU backend against\n"
    "              the certified bound and the envelope, and how many spoiled results\n"
    "              fail; words are operators\n"
    "  wrong       single wrong elements (negated, zero, doubled, off by a thousandth\n"
    "              or by four limits) that the verdict accepts in cases that are not\n"
    "              vacuous: per operator and dtype, of 10,000 elements and 40 cases\n"
    "              of the level (default standard) on random data, with the range of\n"
    "              |truth| and the reason\n"
    "  sizes       truth, limits and verdict at the sizes of real tensors, without a\n"
    "              device, beside OpenBLAS's product if it is installed; words are\n"
    "              operators\n"
    "  digest      one digest of all truths and limits, computed in every\n"
    "              configuration (instruction sets, threads, blocks); exit status 1\n"
    "              if two digests differ\n"
    "  elementary  time per element of exp, log, pow and others in double, as the\n"
    "              reference computes them with a radius, beside the C library; for\n"
    "              their operators in float32 the truth, the whole check (truth,\n"
    "              limits, verdict, all metrics) and MPFR; words are functions\n"
    "\n"
    "--level bounds the cases; default smoke, and standard for runner and wrong.\n"
    "\n"
    "kernels --sizes: |a - b|/|b| (2-norms) may be 1e-10 for float64, 1e-4 for\n"
    "float32, 4e-3 for float16, 3e-2 for bfloat16, 0 for integers; NaN and\n"
    "infinities must be in the same places. The exit status is 1 if a result differs\n"
    "or a backend fails, 3 if a backend cannot be opened. A row that needs more\n"
    "memory than there is says so. --scale N makes rows about N times smaller: 65536\n"
    "for seconds on llvmpipe. A time marked * is that of single runs.";

const char bench_examples[] = "  assay bench runner --jobs 2\n"
                              "  assay bench kernels logdet --level standard --backend vulkan\n"
                              "  assay bench kernels --sizes --backend vulkan --backend torch:cuda\n"
                              "  assay bench kernels --sizes 'matmul/float16/*' --backend vulkan\n"
                              "  assay bench kernels --sizes --scale 65536 -b vulkan -b cpu\n"
                              "  assay bench reference\n"
                              "  assay bench digest matmul logdet --level standard\n"
                              "  assay bench sizes matmul --level exhaustive --jobs 2\n"
                              "  assay bench wrong logdet 'elementwise/*' --backend vulkan --jobs 2\n"
                              "  assay bench elementary exp 'log*'";

int bench_check_subject(const char *subject)
{
    static const char *const subjects[] = {"reference", "kernels", "runner", "resolution",
                                           "wrong",     "sizes",   "digest", "elementary"};
    struct nearest nearest = {.word = subject};
    for (size_t s = 0; s < sizeof subjects / sizeof *subjects; s++) {
        if (strcmp(subject, subjects[s]) == 0) {
            return EXIT_HOLDS;
        }
        nearest_offer(&nearest, subjects[s]);
    }
    return nearest.best ? options_fault("unknown subject \"%s\"; did you mean %s?", subject, nearest.best)
                        : options_fault("unknown subject \"%s\"; give reference, kernels, runner, "
                                        "resolution, wrong, sizes, digest or elementary",
                                        subject);
}

bool bench_check_options(const char *subject, const struct plan_options *options, bool sizes,
                         struct error *error)
{
    static const char *const of_sizes[] = {"level", "jobs", "repeat", NULL};
    if (sizes && strcmp(subject, "kernels") != 0) {
        return error_set(error, "--sizes: this option needs bench kernels");
    }
    if (!sizes && options_given("scale")) {
        return error_set(error, "--scale: this option needs bench kernels --sizes");
    }
    if (sizes) {
        return options_refuse(
            of_sizes, "this option has no effect with --sizes, which has rows of its own; leave it out",
            error);
    }
    static const struct {
        const char *subject, *without[6], *why;
    } rows[] = {
        {"reference",
         {"backend", "jobs", "repeat"},
         "this option has no effect on bench reference, which computes each truth once in this process; "
         "leave it out"},
        {"kernels",
         {"jobs"},
         "this option has no effect on bench kernels, which runs one case at a time; leave it out"},
        {"runner", {NULL}, ""},
        {"resolution",
         {"backend", "repeat"},
         "this option has no effect on bench resolution, which uses the CPU backend; leave it out"},
        {"wrong",
         {"repeat"},
         "this option has no effect on bench wrong, which runs each case as often as the judge needs; leave "
         "it out"},
        {"sizes",
         {"backend", "repeat", "exclude"},
         "this option has no effect on bench sizes, which has cases of its own; leave it out"},
        {"digest",
         {"backend", "jobs", "repeat"},
         "this option has no effect on bench digest, which computes truths and limits in this process; leave "
         "it out"},
        {"elementary",
         {"backend", "level", "exclude", "jobs", "repeat"},
         "this option has no effect on bench elementary, which measures functions on one core; leave it out"},
    };
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        if (strcmp(subject, rows[r].subject) == 0 && !options_refuse(rows[r].without, rows[r].why, error)) {
            return false;
        }
    }
    bool runner = strcmp(subject, "runner") == 0;
    bool one = runner || strcmp(subject, "wrong") == 0;
    if (one && options->backends.count > 1) {
        return error_set(error, "--backend %s: bench %s takes one backend", options->backends.text[1],
                         subject);
    }
    if (options->level == LEVEL_EXHAUSTIVE && (runner || strcmp(subject, "resolution") == 0)) {
        return error_set(error, "--level exhaustive: bench %s measures the levels smoke and standard",
                         subject);
    }
    return true;
}
