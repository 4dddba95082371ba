/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/repro/case_show.h"
#include "harness/judge/statistics/evidence.h"
#include "reports/report.h"
#include "reports/text.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void print_real(const char *name, double x)
{
    if (isnan(x)) {
        printf("  %-16s –\n", name);
    } else {
        printf("  %-16s %.4g\n", name, x);
    }
}

/* Prints the smallest error of scale that this case would detect, which readers look for first. */
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
        char *step = record->implausible_step ? text_one_line(record->implausible_step) : NULL;
        printf("  %-16s %s times the limit of independent rounding (%s)%s%s\n", "implausible",
               text_number(record->implausible, factor),
               record->implausible_by ? text_statistic(record->implausible_by) : "unknown",
               step ? " in " : "", step ? step : "");
        free(step);
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
    if (isnan(record->bit_exact)) {
        printf("  %-16s %" PRId64 " (judged as a whole, %" PRId64 " not accepted)\n", "elements",
               record->elements, record->over_bound);
    } else {
        printf("  %-16s %" PRId64 " (%" PRId64 " inexact, %" PRId64 " beyond 1 ulp, %" PRId64
               " not accepted)\n",
               "elements", record->elements, record->over_0, record->over_1, record->over_bound);
    }
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
    printf("  %-16s ", "inputs");
    text_put_line(stdout, record->inputs_digest ? record->inputs_digest : "unknown");
    putchar('\n');
}

/* Prints what a procedure measured: first and last point of each curve, its range, and the fitted quantities.
 */
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
            char *name = text_one_line(series->name), *unit = text_one_line(series->unit);
            printf("  %-24s %8s %7d %12.10g %12.10g %12.10g %12.10g\n", name ? name : "", unit ? unit : "",
                   series->points, series->y[0], series->y[series->points - 1], least, greatest);
            free(name);
            free(unit);
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

static void print_text(const char *name, const char *text)
{
    printf("  %-16s ", name);
    text_put_line(stdout, text);
    putchar('\n');
}

static void print_worst(const struct record_worst *worst, const char *bound)
{
    if (!worst->truth && !worst->got) {
        return;
    }
    print_text("worst element", worst->where ? worst->where : "-");
    if (worst->inputs) {
        print_text("", worst->inputs);
    }
    print_text("truth", worst->truth ? worst->truth : "-");
    print_text("got", worst->got ? worst->got : "-");
    if (worst->whole) {
        printf("  %-16s judged as a whole, %.4g of the bound\n", "error", worst->nu);
    } else if (isnan(worst->ulp)) {
        printf("  %-16s no number of ulp, %.4g of the bound\n", "error", worst->nu);
    } else {
        printf("  %-16s %.4g ulp, %.4g of the bound\n", "error", worst->ulp, worst->nu);
    }
    for (const char *name = "bound"; bound && *bound; name = "") {
        size_t length = strcspn(bound, "\n");
        char *line = strndup(bound, length);
        print_text(name, line ? line : "");
        free(line);
        bound += length + (bound[length] == '\n');
    }
}

void repro_case_show(const struct record_header *header, const struct record *record)
{
    text_put_line(stdout, record->backend);
    fputs(": ", stdout);
    text_put_line(stdout, header->device);
    fputs(header->driver ? ", " : "", stdout);
    text_put_line(stdout, header->driver);
    putchar('\n');
    bool failure = gate_fails_status(record->status, GATE_STRICT) && record->status != STATUS_UNSUPPORTED;
    if (failure) {
        report_failure_in(text_colour(stdout), stdout, record);
    } else {
        printf("%s ", status_name(record->status));
        text_put_line(stdout, record->id);
        fputs(record->reason ? ": " : "", stdout);
        text_put_line(stdout, record->reason);
        putchar('\n');
    }
    if (record->series_count) {
        print_series(record);
    } else if (record->elements > 0) {
        print_worst(&record->worst, failure ? NULL : record->detail);
        print_metrics(record);
    }
}
