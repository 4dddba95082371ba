/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* The same operands with one value of an attribute, another one, and the first again, for every attribute and
 * operator; and square operands of products and matrices, their transposes, and themselves again. An
 * implementation that caches an attribute, a plan or strides for a shape is wrong in the second step or the
 * third. Shapes are square, so that another dimension fits too. */

#include "suites/plan/call_builder.h"
#include "suites/plan/classes.h"

#include <math.h>
#include <string.h>

enum { ALTERNATIVES = 24 };

/* Alternative attributes for a step that was built. */
struct alternatives {
    const struct builder *b;
    const struct step *step;
    int count;
    struct attributes at[ALTERNATIVES];
};

static struct attribute *attribute_of(struct attributes *all, const char *name)
{
    for (int k = 0; k < all->count; k++) {
        if (strcmp(all->item[k].name, name) == 0) {
            return &all->item[k];
        }
    }
    return NULL;
}

/* Returns whether the operator accepts the step's operands with these attributes. */
static bool accepts(const struct alternatives *a, const struct attributes *attributes)
{
    struct tensor value[OPERANDS_MAX];
    struct op_operands operands;
    struct op_signature signature;
    struct error reason;
    bool good = program_operands(a->b->program, a->step->op, attributes, a->step->inputs, a->step->input,
                                 value, &operands);
    good = good && op_signature(a->step->op, &operands, &signature, &reason);
    for (int k = 0; k < OPERANDS_MAX; k++) {
        tensor_destroy(&value[k]);
    }
    return good;
}

/* Adds the step's attributes with one replaced, if the operator accepts them. */
static void add(struct alternatives *a, const struct attribute *other)
{
    struct attributes all = a->step->attributes;
    struct attribute *own = attribute_of(&all, other->name);
    if (!own && all.count < ATTRIBUTES_MAX) {
        own = &all.item[all.count++];
    }
    if (own) {
        *own = *other;
    }
    if (own && a->count < ALTERNATIVES && accepts(a, &all)) {
        a->at[a->count++] = all;
    }
}

/* Returns another value of an attribute that changes results: most are doubled; for some the double would be
 * too small or change nothing. */
static double other_number(const char *name, double x)
{
    static const struct {
        const char *name;
        double other;
    } known[] = {{"eps", 0.25},     {"label_smoothing", 0.25},
                 {"momentum", 0.5}, {"threshold", 1},
                 {"ord", 1},        {"min_val", 2},
                 {"max_val", 0},    {"weight", 0.75},
                 {"lr", 2}};
    for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
        if (strcmp(name, known[k].name) == 0) {
            return known[k].other;
        }
    }
    return x == 0 ? 3 : 2 * x;
}

static void add_integers(struct alternatives *a, const struct op_attribute *declared,
                         const struct attribute *own)
{
    static const int64_t numbers[] = {-2, 0, 1, 2, 3, 100};
    const int64_t now = own ? own->integer : INT64_MIN;
    const bool interval = strncmp(declared->name, "quant_", 6) == 0;
    int tried = a->count;
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++) {
        const bool fits =
            !interval || (strcmp(declared->name, "quant_min") == 0 ? numbers[k] == 1 : numbers[k] == 100);
        if (fits && numbers[k] != now && a->count < tried + 2) {
            add(a, &(struct attribute){
                       .name = declared->name, .type = ATTRIBUTE_INTEGER, .integer = numbers[k]});
        }
    }
}

/* Numbers for all dimensions of a window, or for the padding of each. */
static void add_window_lists(struct alternatives *a, const struct op_attribute *declared,
                             const struct attribute *own)
{
    const int tried = a->count;
    for (int64_t x = 0; x <= 3 && a->count < tried + 2; x++) {
        if (!own || own->integers.item[0] != x) {
            add(a, &(struct attribute){
                       .name = declared->name, .type = ATTRIBUTE_INTEGERS, .integers = integers_of(1, x)});
        }
    }
}

static void add_lists(struct alternatives *a, const struct op_attribute *declared,
                      const struct attribute *own)
{
    const struct integers lists[] = {integers_of(1, (int64_t)0), integers_of(1, (int64_t)1),
                                     integers_of_shape(&a->step->input[0].shape)};
    static const char *const of_windows[] = {"stride", "padding", "dilation", "output_padding",
                                             "kernel_size"};
    const bool places = strcmp(declared->name, "dim") == 0;
    for (size_t w = 0; w < sizeof of_windows / sizeof *of_windows; w++) {
        if (strcmp(declared->name, of_windows[w]) == 0) {
            add_window_lists(a, declared, own);
            return;
        }
    }
    for (int k = places ? 0 : 2; k < (places ? 2 : 3); k++) {
        const bool same = own && own->integers.count == 1 && lists[k].count == 1 &&
                          (own->integers.item[0] + 2) % 2 == lists[k].item[0];
        if (!same) {
            add(a, &(struct attribute){
                       .name = declared->name, .type = ATTRIBUTE_INTEGERS, .integers = lists[k]});
        }
    }
}

static void add_choices(struct alternatives *a, const struct op_attribute *declared,
                        const struct attribute *own)
{
    for (int k = 0; k < CHOICES_MAX && a->step->op->choices[k].attribute; k++) {
        const struct op_choice *choice = &a->step->op->choices[k];
        if (strcmp(choice->attribute, declared->name) == 0 && (!own || own->integer != choice->number)) {
            add(a, &(struct attribute){.name = declared->name,
                                       .type = declared->type == ATTRIBUTE_CODE ? ATTRIBUTE_INTEGER
                                                                                : ATTRIBUTE_CHOICE,
                                       .integer = choice->number,
                                       .word = choice->word});
        }
    }
}

static void find_alternatives(struct alternatives *a)
{
    const struct op *op = a->step->op;
    struct attributes usual = a->step->attributes;
    const enum dtype dtype = a->step->input[op_leading_input(op)].dtype;
    op_default_attributes(op, dtype, &usual);
    for (int k = 0; k < ATTRIBUTES_MAX && op->attributes[k].name; k++) {
        const struct op_attribute *declared = &op->attributes[k];
        const struct attribute *own = attribute_of(&usual, declared->name);
        const double now = own ? own->type == ATTRIBUTE_REAL ? own->real : (double)own->integer : 0,
                     other = other_number(declared->name, now);
        switch (declared->type) {
        case ATTRIBUTE_INTEGER:
            add_integers(a, declared, own);
            break;
        case ATTRIBUTE_INTEGERS:
            add_lists(a, declared, own);
            break;
        case ATTRIBUTE_CHOICE:
        case ATTRIBUTE_CODE:
            add_choices(a, declared, own);
            break;
        case ATTRIBUTE_BOOL:
            add(a, &(struct attribute){
                       .name = declared->name, .type = ATTRIBUTE_BOOL, .integer = !(own && own->integer)});
            break;
        default:
            add(a, &(struct attribute){.name = declared->name,
                                       .type = declared->type == ATTRIBUTE_NUMBER && !dtype_is_floating(dtype)
                                                   ? ATTRIBUTE_INTEGER
                                                   : ATTRIBUTE_REAL,
                                       .integer = (int64_t)other,
                                       .real = other});
        }
    }
}

/* --- the first call */

static struct plan_call call_of(const struct builder *b)
{
    const struct plan_operator *planned = b->c->row;
    const int64_t n = b->c->parameter;
    struct plan_call call = {.dtype = b->c->dtype, .layout = LAYOUT_CONTIGUOUS, .turn = 2};
    call.variant = planned->form->usual_variant;
    for (int k = 0; k < plan_axes(planned); k++) {
        const enum plan_kind kind = planned->axis[k].kind;
        call.size[k] = planned->axis[k].derived ? 0 : kind == PLAN_BATCH ? 2 : kind == PLAN_GROUPS ? 4 : n;
    }
    if (planned->form->prepare_turn) {
        planned->form->prepare_turn(planned, &call, n);
    }
    return call;
}

/* Replaces NaN and large numbers, which would hide the effect of another dimension. */
static void refill(struct builder *b, const struct step *step)
{
    const struct plan_operator *planned = b->c->row;
    if (!planned->form->decisive_operand) {
        return;
    }
    const struct view *x = &step->input[planned->form->decisive_operand(b->c->op)];
    struct philox generator = build_generator(b, 1000);
    for (int64_t i = 0; i < shape_elements(&x->shape); i++) {
        const double at = 0.5 + philox_unit(&generator), sign = philox_below(&generator, 3) ? 1 : -1;
        build_set(b, x, i, dtype_is_floating(x->dtype) ? sign * at : sign * floor(8 * at));
    }
}

static const struct step *build_first(struct builder *b, const struct plan_call *call)
{
    if (!plan_build(b, b->c->row, call)) {
        return NULL;
    }
    const struct step *step = &b->program->step[b->program->steps - 1];
    refill(b, step);
    return step;
}

/* Appends the call again on new operands, because it overwrites one, and with other attributes. */
static void build_anew(struct builder *b, const struct plan_call *call, const struct attributes *attributes)
{
    if (build_first(b, call)) {
        b->program->step[b->program->steps - 1].attributes = *attributes;
    }
}

static void build_transposes(struct builder *b, const struct step *first)
{
    const struct attributes attributes = first->attributes;
    const int inputs = first->inputs;
    struct view input[OPERANDS_MAX];
    memcpy(input, first->input, (size_t)inputs * sizeof *input);
    for (int k = 0; k < inputs && !b->failed; k++) {
        const struct view own = input[k];
        const int rank = own.shape.rank;
        if (own.storage >= 0 && rank > 1 && own.shape.dim[rank - 1] == own.shape.dim[rank - 2]) {
            input[k] = view_transposed(&own);
            build_step(b, b->c->op, &attributes, inputs, input);
            input[k] = own;
            build_step(b, b->c->op, &attributes, inputs, input);
        }
    }
}

static void build(struct builder *b)
{
    const struct plan_call call = call_of(b);
    const struct step *first = build_first(b, &call);
    if (!first) {
        return;
    }
    const struct step kept = *first;
    struct alternatives others = {.b = b, .step = &kept};
    find_alternatives(&others);
    for (int k = 0; k < others.count && !b->failed; k++) {
        if (op_writes(b->c->op)) {
            build_anew(b, &call, &others.at[k]);
            build_anew(b, &call, &kept.attributes);
        } else {
            build_step(b, b->c->op, &others.at[k], kept.inputs, kept.input);
            build_step(b, b->c->op, &kept.attributes, kept.inputs, kept.input);
        }
    }
    if (class_parts(CLASS_IN_TURN, b->c->op) >> CLASS_STRIDES & 1) {
        build_transposes(b, &kept);
    }
}

static void declare(struct suite_list *list)
{
    for (int o = 0; o < plan_operators(); o++) {
        const struct plan_operator *planned = plan_operator(o);
        const struct op *op = op_find(planned->name);
        for (int k = 0; op && class_parts(CLASS_IN_TURN, op) && k < 2 * DTYPE_COUNT; k++) {
            if (plan_dtypes(planned) >> k / 2 & 1) {
                suite_declare(
                    list, &(struct suite_case){.op = op,
                                               .dtype = (enum dtype)(k / 2),
                                               .name = k % 2 ? "attributes-in-turn-12" : "attributes-in-turn",
                                               .level = LEVEL_STANDARD,
                                               .covers = "attributes_in_turn order",
                                               .file = __FILE__,
                                               .line = __LINE__,
                                               .build = build,
                                               .row = planned,
                                               .parameter = k % 2 ? 12 : 6});
            }
        }
    }
}

const struct suite suite_plan_turns = {.declare = declare, .coverage = class_coverage_write};
