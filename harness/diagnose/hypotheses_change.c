/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Hypotheses about changed calls. TF32 is float32 with 11 bits of significand; hardware rounds to it
 * (cvt.rna) or truncates, and both are tried, as for bfloat16. */

#include "harness/diagnose/hypotheses_parts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- operands in a narrower format */

struct format {
    const char *name, *how;
    enum dtype dtype; /* DTYPE_COUNT: `bits` of the operand's own exponents */
    int bits;
    bool cut; /* truncated, not rounded */
};

static const struct format formats[] = {
    {"float32", "float32", DTYPE_FLOAT32, 24, false},
    {"tf32", "TF32 (11 bits)", DTYPE_COUNT, 11, false},
    {"tf32", "TF32 (11 bits), cut off,", DTYPE_COUNT, 11, true},
    {"float16", "float16", DTYPE_FLOAT16, 11, false},
    {"bfloat16", "bfloat16", DTYPE_BFLOAT16, 8, false},
    {"bfloat16", "bfloat16, cut off,", DTYPE_COUNT, 8, true},
};

static double narrow(const struct format *format, double x)
{
    unsigned char bytes[8];
    if (format->dtype != DTYPE_COUNT) {
        dtype_store(format->dtype, bytes, x);
        return dtype_load(format->dtype, bytes);
    }
    return dtype_significant(x, format->bits, format->cut);
}

/* Which operands a device rounds: all of them; those that are multiplied, for a bias is often added in the
 * wider format that sums are in; or the first or second one alone, whose format others do not share. */
enum which { ALL, MULTIPLIED, FIRST, SECOND, WHICH };
static const char *const which_are[] = {"the operands are", "the operands but the bias are",
                                        "the first operand is", "the second operand is"};

static bool takes(const struct op_call *call, enum which which, int i)
{
    const char *name = op_operand_name(call->op, call->inputs, i);
    return which == ALL || (which == MULTIPLIED ? strcmp(name, "bias") != 0 : i == (which == SECOND));
}

/* True if `which` leaves out some operand: if not, ALL has tried the same. */
static bool leaves_out(const struct search *s, enum which which)
{
    const struct op_call *call = s->of->call;
    bool any = false;
    for (int i = 0; i < call->inputs; i++) {
        any = any || (may_change(call, i) && !takes(call, which, i));
    }
    return any;
}

/* Rounds the operands; true if any changed. */
static bool round_operands(struct changed *changed, const struct format *format, enum which which)
{
    bool any = false;
    for (int i = 0; i < changed->call.inputs; i++) {
        const struct tensor *input = &changed->input[i];
        enum dtype component = dtype_info(input->dtype)->component;
        size_t size = dtype_info(component)->size;
        if (!may_change(&changed->call, i) || dtype_info(component)->precision <= format->bits ||
            !takes(&changed->call, which, i)) {
            continue;
        }
        for (size_t at = 0; at < tensor_bytes(input); at += size) {
            double x = dtype_load(component, input->data + at), y = narrow(format, x);
            if (x != y && !isnan(x)) {
                dtype_store(component, input->data + at, y);
                any = true;
            }
        }
    }
    return any;
}

static void try_rounded(struct search *s, const struct format *format, enum which which)
{
    struct changed changed;
    char name[NAME_MOST + 16];
    bool good = changed_create(&changed, s->of->call);
    if (good && round_operands(&changed, format, which)) {
        struct fit fit = changed_fit(s, &changed, holding_of(s));
        snprintf(name, sizeof name, "operands-%s", format->name);
        search_offer(s, &fit, name, "%s rounded to %s before anything is computed", which_are[which],
                     format->how);
    }
    s->memory = s->memory || !good;
    changed_destroy(&changed);
}

void try_operands(struct search *s)
{
    for (enum which which = ALL; which < WHICH; which++) {
        for (size_t f = 0; (which == ALL || leaves_out(s, which)) && f < sizeof formats / sizeof *formats;
             f++) {
            try_rounded(s, &formats[f], which);
        }
    }
}

/* --- results in a narrower format, with operands as they are, or all in it */

static bool is_number_of(const struct search *s, enum dtype format, int64_t *numbers)
{
    *numbers = 0;
    for (int o = 0; o < s->of->truth->outputs; o++) {
        const struct tensor *got = &s->of->got[o];
        int64_t elements = shape_elements(&got->shape);
        if (!dtype_is_floating(got->dtype) || dtype_info(got->dtype)->components != 1 ||
            dtype_info(got->dtype)->precision <= dtype_info(format)->precision) {
            return false;
        }
        for (int64_t i = 0; i < elements; i++) {
            double x = dtype_load(got->dtype, element_of(got, i));
            if (isfinite(x) && !dtype_holds(format, x)) {
                return false;
            }
            *numbers += isfinite(x) && x != 0;
        }
    }
    return true;
}

void try_formats(struct search *s)
{
    static const enum dtype narrowest[] = {DTYPE_BFLOAT16, DTYPE_FLOAT16, DTYPE_FLOAT32};
    enum { NUMBERS_LEAST = 4 }; /* fewer may be of the format by chance */
    int64_t numbers = 0;
    size_t f = 0;
    while (f < 3 && !(is_number_of(s, narrowest[f], &numbers) && numbers >= NUMBERS_LEAST)) {
        f++;
    }
    if (f == 3) {
        return;
    }
    const char *format = dtype_info(narrowest[f])->name;
    struct holding h = holding_of(s);
    struct profile profile = *s->of->profile;
    struct changed changed;
    char name[NAME_MOST + 16];
    h.through = narrowest[f];
    struct fit fit = fit_all(s, &h);
    snprintf(name, sizeof name, "result-%s", format);
    search_offer(s, &fit, name, "the results are rounded to %s", format);
    bool good = changed_create(&changed, s->of->call);
    for (size_t k = 0; good && k < sizeof formats / sizeof *formats; k++) {
        if (formats[k].dtype == narrowest[f]) {
            round_operands(&changed, &formats[k], ALL);
        }
    }
    for (int d = 0; d < DTYPE_COUNT; d++) {
        bool wider = dtype_info(profile.accumulate[d])->precision > dtype_info(narrowest[f])->precision;
        profile.accumulate[d] = wider ? narrowest[f] : profile.accumulate[d];
    }
    h.profile = &profile;
    fit = good ? changed_fit(s, &changed, h) : fit;
    snprintf(name, sizeof name, "computed-%s", format);
    search_offer(s, &fit, name, "operands, sums and results are those of %s", format);
    s->memory = s->memory || !good;
    changed_destroy(&changed);
}

/* --- attributes */

static void try_attribute(struct search *s, int a, const char *format, double x)
{
    struct changed changed;
    char name[NAME_MOST + 16];
    const char *attribute = s->of->call->attributes->item[a].name;
    bool good = changed_create(&changed, s->of->call);
    if (good && changed.attributes.item[a].real != x) {
        changed.attributes.item[a].real = x;
        struct fit fit = changed_fit(s, &changed, holding_of(s));
        snprintf(name, sizeof name, "%s-%s", attribute, format);
        search_offer(s, &fit, name, "%s = %.17g is rounded to %s, %.17g", attribute,
                     s->of->call->attributes->item[a].real, format, x);
    }
    s->memory = s->memory || !good;
    changed_destroy(&changed);
}

void try_attributes(struct search *s)
{
    static const enum dtype narrower[] = {DTYPE_FLOAT32, DTYPE_FLOAT16, DTYPE_BFLOAT16};
    const struct attributes *attributes = s->of->call->attributes;
    for (int a = 0; a < attributes->count; a++) {
        const struct attribute *item = &attributes->item[a];
        if (item->type != ATTRIBUTE_REAL || !isfinite(item->real)) {
            continue;
        }
        for (int f = 0; f < 3; f++) {
            unsigned char bytes[8];
            dtype_store(narrower[f], bytes, item->real);
            try_attribute(s, a, dtype_info(narrower[f])->name, dtype_load(narrower[f], bytes));
        }
    }
}

/* --- operands misread */

/* Misreads operand `only`, or all of them (−1); true if any changed. */
static bool misread_operands(struct changed *changed, int only)
{
    bool any = false;
    for (int i = 0; i < changed->call.inputs; i++) {
        if ((only < 0 || only == i) && may_change(&changed->call, i)) {
            any = misread(&changed->input[i]) || any;
        }
    }
    return any;
}

static void try_misread(struct search *s, int only, const struct tensor *got, const char *text)
{
    struct changed changed;
    bool good = changed_create(&changed, s->of->call);
    if (good && misread_operands(&changed, only)) {
        struct holding h = holding_of(s);
        h.got = got;
        struct fit fit = changed_fit(s, &changed, h);
        if (only < 0) {
            search_offer(s, &fit, "layout", "%s", text);
        } else {
            search_offer(s, &fit, "layout",
                         "the matrices of input %d (%s) are read in the other order, rows for columns", only,
                         input_name(s, only));
        }
    }
    s->memory = s->memory || !good;
    changed_destroy(&changed);
}

/* Tries operands that are read with their strides ignored. */
static void try_packed(struct search *s)
{
    for (int i = 0; s->of->packed && i < s->of->call->inputs; i++) {
        struct changed changed;
        if (!s->of->packed[i].data) {
            continue;
        }
        bool good = changed_create(&changed, s->of->call);
        if (good) {
            memcpy(changed.input[i].data, s->of->packed[i].data, tensor_bytes(&changed.input[i]));
            struct fit fit = changed_fit(s, &changed, holding_of(s));
            search_offer(s, &fit, "layout", "input %d (%s) is read as contiguous: its strides are ignored", i,
                         input_name(s, i));
        }
        s->memory = s->memory || !good;
        changed_destroy(&changed);
    }
}

void try_layout(struct search *s)
{
    struct tensor got[TRUTH_OUTPUTS_MAX] = {{.data = NULL}};
    bool any = false;
    int matrices = 0;
    try_packed(s);
    if (op_has_indices(s->of->call->op)) {
        return; /* no operand is a matrix in itself */
    }
    for (int i = 0; i < s->of->call->inputs; i++) {
        matrices += s->of->call->input[i].shape.rank >= 2;
        try_misread(s, i, s->of->got, "");
    }
    if (matrices > 1) {
        try_misread(s, -1, s->of->got,
                    "the matrices of all operands are read in the other order, rows for columns");
    }
    bool good = got_copy(s, got);
    for (int o = 0; good && o < s->of->truth->outputs; o++) {
        any = misread(&got[o]) || any;
    }
    if (any) {
        try_misread(s, -1, got, "operands and results are in the other order, rows for columns");
    }
    got_destroy(s, got);
    s->memory = s->memory || !good;
}
