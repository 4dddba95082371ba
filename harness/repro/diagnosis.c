/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/diagnose/hypotheses.h"
#include "harness/judge/statistics/evidence.h"
#include "harness/judge/statistics/worst.h"
#include "harness/repro/repro_parts.h"
#include "reference/numeric/elementary/portable.h"
#include "reference/ops/conversion/conversion_rules.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

static void progress(void *user)
{
    repro_report_phase(user, (enum case_phase)REPRO_EXPLAINING);
}

/* Returns true if the judge has refused no element and found no common error: there is nothing to explain,
 * and the search for a hypothesis, which needs the whole truth at once, can be left out. A conversion may
 * be undefined although nothing refuses its result. */
static bool is_right(const struct op *op, const struct record *record)
{
    return op->accept != conversion_accept &&
           (record->status == STATUS_PASS || record->status == STATUS_VACUOUS) && record->over_bound == 0 &&
           record->range_findings == 0 && !(record->implausible > 1);
}

void repro_explain(struct repro *repro, const struct program *program, struct program_truth *truth,
                   const struct images *images, const struct profile *profile)
{
    if (is_right(repro->op, &repro->record)) {
        repro->hypothesis = (struct hypothesis){.wrong = false};
        return;
    }
    const int step = hypotheses_step(program, repro->record.wrong_step);
    if (!hypotheses_of_program(program, truth, images, profile, step, progress, repro, &repro->hypothesis)) {
        repro->hypothesis = (struct hypothesis){.cut = true};
    }
}

/* --- words */

/* A text buffer that cuts what does not fit. */
struct words {
    char *text;
    size_t size, used;
};

static void say(struct words *w, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void say(struct words *w, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int more = vsnprintf(w->text + w->used, w->size - w->used, format, arguments);
    va_end(arguments);
    w->used += more > 0 ? (size_t)more : 0;
    w->used = w->used < w->size ? w->used : w->size - 1;
}

/* Writes a number, or what it is instead. */
static void say_number(struct words *w, double x)
{
    if (isnan(x)) {
        say(w, "NaN");
    } else if (isinf(x)) {
        say(w, "%sinfinity", x < 0 ? "-" : "");
    } else {
        say(w, "the number %.6g", x);
    }
}

/* Writes the error of the shown element, in ulp, relative, and as a multiple of Q and of the certified bound;
 * or, where one is NaN or an infinity and the other is not, what they are: no multiple says anything then. */
static void say_error(struct words *w, const struct repro *repro)
{
    const struct record_worst *worst = &repro->shown.worst;
    if (!isfinite(worst->ulp)) {
        say(w, "the element shown is ");
        say_number(w, repro->got_number);
        say(w, " where the truth is ");
        say_number(w, repro->true_number);
        return;
    }
    say(w, "the element shown is %.3g ulp off", fabs(worst->ulp));
    if (repro->precision && repro->true_number != 0 && isfinite(repro->true_number)) {
        say(w, " (relative error %.2g)", fabs(repro->got_number / repro->true_number - 1));
    }
    if (isfinite(repro->q)) {
        say(w, ", %.3g times the envelope of independent rounding", repro->q);
    }
    if (isfinite(worst->nu) && isfinite(repro->bound)) {
        say(w, ", %.3g times the certified bound", worst->nu);
    }
}

/* Writes the operand elements that the shown element is computed from, if they are few. */
static void say_operands(struct words *w, const struct repro *repro)
{
    enum { MOST = 160 };
    const char *inputs = repro->shown.worst.inputs;
    if (inputs && inputs[0] && strlen(inputs) <= MOST) {
        say(w, "; there %s", inputs);
    }
}

/* Writes how many bits of arithmetic would explain the error, and the precisions of narrower formats. */
static void say_bits(struct words *w, const struct repro *repro)
{
    static const struct {
        const char *name;
        int bits;
    } rungs[] = {{"float32 has", 24}, {"TF32 and float16 have", 11}, {"bfloat16 has", 8}};
    double factor = fmax(repro->shown.worst.nu, isfinite(repro->q) ? repro->q : 0);
    if (!isfinite(repro->shown.worst.ulp) || !repro->precision) {
        return;
    }
    /* an infinite factor: only the truth is accepted */
    factor = isfinite(factor) ? factor : fabs(repro->shown.worst.ulp) * 2;
    int lost = portable_log2_ceiling(fmax(factor, 1)), left = repro->precision - lost;
    if (left < 1 || fabs(repro->shown.worst.ulp) >= ldexp(1, repro->precision)) {
        say(w, "; no digit of it is right");
        return;
    }
    say(w, "; arithmetic with about %d bits has such errors, %d of %d bits are lost", left, lost,
        repro->precision);
    const char *separator = " (";
    for (size_t r = 0; r < sizeof rungs / sizeof *rungs; r++) {
        if (rungs[r].bits < repro->precision) {
            say(w, "%s%s %d", separator, rungs[r].name, rungs[r].bits);
            separator = ", ";
        }
    }
    say(w, "%s", separator[0] == ',' ? ")" : "");
}

static void say_hypothesis(struct words *w, const struct repro *repro)
{
    const struct hypothesis *h = &repro->hypothesis;
    say(w, "explained by %s: %s; with that every element is within its limits", h->name, h->text);
    if (h->t > 0) {
        say(w, ", root mean square error T = %.2g", h->t);
    }
    say(w, "%s%s%s; ", h->also[0] ? " (so do: " : "", h->also, h->also[0] ? ")" : "");
    say_error(w, repro);
}

static const char *implausible_by(const struct record *record)
{
    switch (record->implausible_by ? record->implausible_by[0] : 0) {
    case 'Q':
        return "the limit of one element, Q";
    case 'T':
        return "the root mean square of all errors, T";
    case 'G':
        return "the common scale error, G";
    default:
        return "?";
    }
}

static void say_wrong(struct words *w, const struct repro *repro)
{
    const struct record *record = &repro->record;
    bool fails = record->status == STATUS_FAIL;
    if (!fails) {
        say(w,
            "implausible: within the certified bound, but %.3g times the limit of independent rounding (%s): "
            "likely a defect; ",
            record->implausible, implausible_by(record));
    }
    if (repro->hypothesis.name[0]) {
        say_hypothesis(w, repro);
        say_operands(w, repro);
        return;
    }
    say(w,
        "not explained%s: ", repro->hypothesis.cut ? " by the hypotheses that could be tried in time" : "");
    if (fails) {
        say(w, "%s; ", record->reason ? record->reason : "it fails");
    }
    say_error(w, repro);
    say_bits(w, repro);
    say_operands(w, repro);
}

/* Describes a result without a finding. The amplification of rounding is S where the envelope decides, else
 * B, over u·|truth|; the smaller one if both are known. */
static void say_right(struct words *w, const struct repro *repro)
{
    const double ill = 64, deviations = 16; /* Q is 16 times S */
    const struct record *record = &repro->record;
    bool decided = isfinite(repro->q);
    double amplified = fmin(repro->bound, decided ? repro->reach / deviations : INFINITY) / repro->magnitude;
    bool by_verify_alone = isnan(record->bit_exact); /* only the operator's own `verify` judged the result */
    if ((repro->shown.worst.whole || by_verify_alone) && record->max_nu == 0) {
        say(w, "no defect: the operator's own check of the whole result finds no error");
    } else if (repro->shown.worst.whole) {
        say(w, "no defect: the error of the whole result is %.3g times its bound", record->max_nu);
    } else if (record->max_ulp <= 1) {
        say(w, "right to the last place");
    } else if (amplified < ill || !isfinite(repro->shown.worst.ulp)) {
        say(w, "no defect: ");
        say_error(w, repro);
    } else {
        say(w, "ill-conditioned: within the certified bound");
        if (decided) {
            say(w, " and the envelope; the certified bound is %.3g times the envelope",
                repro->bound / repro->reach);
        } else {
            say(w, "; there is no envelope for these data");
        }
        say(w, "; rounding is amplified about %.3g times; ", amplified);
        say_error(w, repro);
    }
    if (record->status == STATUS_VACUOUS) {
        say(w, "; %s", record->reason ? record->reason : "no evidence");
    }
}

bool repro_is_vacuous(const struct repro *repro)
{
    return repro->record.status == STATUS_VACUOUS ||
           (repro->record.status == STATUS_PASS && isinf(repro->bound) && !isfinite(repro->q));
}

bool repro_cannot_tell(const struct repro *repro)
{
    return repro_is_vacuous(repro) || repro->undeclared.member[0];
}

/* Says why the result can be called neither right nor wrong, and what would decide. */
static void say_undecided(struct words *w, const struct repro *repro)
{
    const struct undeclared *u = &repro->undeclared;
    const char *reason = repro->record.reason;
    say(w, "cannot tell: ");
    if (repro->record.status == STATUS_VACUOUS) {
        say(w, "%s", reason ? reason : "a wrong answer would pass too");
    } else if (repro_is_vacuous(repro)) {
        say(w, "neither the certified bound nor the envelope limits the result");
    } else {
        say(w, "the result is within limits that are wide because of the profile");
    }
    if (u->member[0]) {
        say(w, "; the profile lacks %s: with it the result %s%s", u->member,
            u->fails ? "fails: " : "passes, and a wrong one would not", u->fails ? u->reason : "");
    } else {
        say(w, "; no member of the profile would decide it: the problem is ill-conditioned in this dtype");
        double reach = fmin(repro->bound, isfinite(repro->q) ? repro->reach : INFINITY) / repro->magnitude;
        if (isfinite(reach)) {
            say(w, ", where rounding is amplified about %.3g times", reach);
        }
    }
    say(w, "; ");
    say_error(w, repro);
}

/* Says that conversions are undefined, which is no question of rounding or of conditioning. */
static void say_undefined(struct words *w, const struct repro *repro)
{
    const struct hypothesis *h = &repro->hypothesis;
    const char *inputs = repro->shown.worst.inputs;
    say(w,
        "undefined conversion: in %lld element(s), the first in place %lld, a number is converted that the "
        "target type cannot hold; C and PyTorch leave that result open, so that any passes",
        (long long)h->undefined, (long long)h->undefined_at);
    if (inputs && repro->shown.worst.got && strlen(inputs) < 160) {
        say(w, "; at the element shown %s gives %s", inputs, repro->shown.worst.got);
    }
}

void repro_diagnose(const struct repro *repro, char *text, size_t size)
{
    const struct record *record = &repro->record;
    struct words w = {.text = text, .size = size};
    text[0] = '\0';
    bool passes = record->status == STATUS_PASS || record->status == STATUS_VACUOUS;
    if (passes && record->range_findings > 0) {
        say(&w, "no failure under the declared profile: %s", record->reason ? record->reason : "");
    } else if (!passes && record->status != STATUS_FAIL) {
        say(&w, "no answer: %s", record->reason ? record->reason : status_name(record->status));
    } else if (record->status == STATUS_FAIL && repro->shown.worst.whole) {
        say(&w, "defect: %s", record->reason ? record->reason : "");
    } else if (repro->hypothesis.wrong || record->over_bound > 0 || record->implausible > 1) {
        say_wrong(&w, repro);
    } else if (record->status == STATUS_FAIL) {
        say(&w, "defect: %s", record->reason ? record->reason : "");
    } else if (passes && repro->hypothesis.undefined > 0) {
        say_undefined(&w, repro);
    } else if (repro_cannot_tell(repro) && !repro->shown.worst.whole) {
        say_undecided(&w, repro);
    } else {
        say_right(&w, repro);
    }
}
