/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "suites/build.h"
#include "reference/program/observed.h"

/* The placement of elements in a storage. `order`: which dimension lies where in memory. `step_…`: distance
 * of neighbours (0: 1). `pad_…`: elements behind each run. `offset`: elements in front of the first, plus
 * `skip_rows` indices of the outermost dimension. `repeat`: dimensions of stride 0, REPEAT_ROWS all but the
 * last, REPEAT_ALL every one. */
enum order { ORDER_SAME, ORDER_SWAP_LAST, ORDER_REVERSED, ORDER_FIRST_INNERMOST, ORDER_SWAP_HEADS };
enum repeat { REPEAT_NONE, REPEAT_ROWS, REPEAT_ALL };

static const struct layout_row {
    const char *name;
    enum order order;
    int step_inner, step_outer, pad_inner, pad_middle, skip_rows, offset;
    enum repeat repeat;
    int apart; /* additional elements between outermost indices */
} layouts[LAYOUT_COUNT] = {
    [LAYOUT_CONTIGUOUS] = {.name = "contiguous"},
    [LAYOUT_TRANSPOSED] = {.name = "transposed", .order = ORDER_SWAP_LAST},
    [LAYOUT_REVERSED] = {.name = "reversed", .order = ORDER_REVERSED},
    [LAYOUT_PERMUTED] = {.name = "permuted", .order = ORDER_FIRST_INNERMOST},
    [LAYOUT_COLUMNS] = {.name = "columns", .pad_inner = 3, .offset = 2},
    [LAYOUT_ROWS] = {.name = "rows", .skip_rows = 2},
    [LAYOUT_BLOCK] = {.name = "block", .pad_inner = 5, .pad_middle = 3, .skip_rows = 1, .offset = 2},
    [LAYOUT_STEPPED2] = {.name = "stepped2", .step_inner = 2},
    [LAYOUT_STEPPED3] = {.name = "stepped3", .step_inner = 3, .offset = 1},
    [LAYOUT_ROWS_STEPPED] = {.name = "rows-stepped", .step_outer = 2},
    [LAYOUT_OFFSET1] = {.name = "offset1", .offset = 1},
    [LAYOUT_OFFSET3] = {.name = "offset3", .offset = 3},
    [LAYOUT_TRANSPOSED_BLOCK] = {.name = "transposed-block",
                                 .order = ORDER_SWAP_LAST,
                                 .pad_inner = 3,
                                 .pad_middle = 2,
                                 .skip_rows = 1,
                                 .offset = 5},
    [LAYOUT_HEADS] = {.name = "heads", .order = ORDER_SWAP_HEADS},
    [LAYOUT_FAR] = {.name = "far", .offset = 4099},
    [LAYOUT_DISTANT] = {.name = "distant", .offset = 65543, .apart = 65541},
    [LAYOUT_EXPANDED] = {.name = "expanded", .repeat = REPEAT_ALL},
    [LAYOUT_EXPANDED_ROWS] = {.name = "expanded-rows", .repeat = REPEAT_ROWS},
};

const char *layout_name(enum layout layout)
{
    return layouts[layout].name;
}

bool layout_repeats(enum layout layout)
{
    return layouts[layout].repeat != REPEAT_NONE;
}

struct builder builder_of(const struct suite_case *c, uint64_t seed, struct program *program,
                          struct error *error)
{
    return (struct builder){.c = c, .seed = seed, .program = program, .error = error};
}

bool build_fail(struct builder *b, const char *text)
{
    if (!b->failed) {
        error_set(b->error, "%s:%d: case %s: %s", b->c->file, b->c->line, b->c->name, text);
    }
    b->failed = true;
    return false;
}

bool build_done(struct builder *b)
{
    for (int s = 0; s < b->program->steps; s++) {
        for (int o = 0; o < b->program->step[s].outputs; o++) {
            if (b->program->step[s].output[o].storage < 0) {
                build_fail(b, "out of memory for an output");
            }
        }
    }
    struct error error;
    if (!b->failed && program_is_observed(b->program) && !program_check(b->program, &error)) {
        build_fail(b, error.text);
    }
    return !b->failed;
}

void build_observed(struct builder *b)
{
    b->observed = true;
}

struct philox build_generator(const struct builder *b, int tensor)
{
    struct philox generator;
    suite_generator(&generator, b->seed, b->c, tensor + b->stream);
    return generator;
}

/* memory[k]: the dimension that lies k-th from the outside. */
static void memory_order(enum order order, int rank, int memory[RANK_MAX])
{
    for (int d = 0; d < rank; d++) {
        memory[d] = order == ORDER_REVERSED          ? rank - 1 - d
                    : order == ORDER_FIRST_INNERMOST ? (d + 1) % rank
                                                     : d;
    }
    if (order == ORDER_SWAP_LAST && rank >= 2) {
        memory[rank - 1] = rank - 2;
        memory[rank - 2] = rank - 1;
    }
    if (order == ORDER_SWAP_HEADS && rank >= 3) {
        memory[rank - 3] = rank - 2;
        memory[rank - 2] = rank - 3;
    }
}

struct view build_tensor(struct builder *b, enum dtype dtype, const struct shape *shape, enum layout layout)
{
    const struct layout_row *row = &layouts[layout];
    int rank = shape->rank, memory[RANK_MAX];
    memory_order(row->order, rank, memory);
    struct view view = {.dtype = dtype, .shape = *shape, .offset = row->offset};
    int64_t run = 1; /* elements that one index of the current dimension spans */
    for (int k = rank - 1; k >= 0; k--) {
        int d = memory[k];
        if (row->repeat == REPEAT_ALL || (row->repeat == REPEAT_ROWS && k < rank - 1)) {
            continue; /* stride 0 */
        }
        int64_t requested = k == rank - 1 ? row->step_inner : k == 0 ? row->step_outer : 1;
        int64_t step = requested > 0 ? requested : 1;
        int64_t pad = k == rank - 1 ? row->pad_inner : k > 0 ? row->pad_middle : 0;
        view.stride[d] = run * step;
        if (k == 0) {
            view.offset += row->skip_rows * run;
        }
        run = run * (shape->dim[d] * step + pad) + (k == 1 ? row->apart : 0);
    }
    /* Two elements of filler behind all layouts but the contiguous one, so that reading on shows. */
    int64_t elements = view.offset + run + (layout == LAYOUT_CONTIGUOUS ? 0 : 2);
    view.storage = program_storage(b->program, (size_t)elements * dtype_info(dtype)->size);
    if (view.storage < 0) {
        build_fail(b, "out of memory for a tensor");
        view.shape = (struct shape){.rank = 1, .dim = {0}};
        return view;
    }
    program_define(b->program, &view);
    return view;
}

struct view build_channels_last(struct builder *b, enum dtype dtype, const struct shape *shape, int channel,
                                enum layout layout)
{
    struct shape memory = *shape;
    const int last = shape->rank - 1;
    for (int d = channel; d < last; d++) {
        memory.dim[d] = shape->dim[d + 1];
    }
    memory.dim[last] = shape->dim[channel];
    const struct view from = build_tensor(b, dtype, &memory, layout);
    struct view view = from;
    if (b->failed) {
        return view;
    }
    view.shape = *shape;
    view.stride[channel] = from.stride[last];
    for (int d = channel + 1; d <= last; d++) {
        view.stride[d] = from.stride[d - 1];
    }
    return view;
}

struct view build_vector(struct builder *b, enum dtype dtype, int64_t length)
{
    struct shape shape = {.rank = 1, .dim = {length}};
    return build_tensor(b, dtype, &shape, LAYOUT_CONTIGUOUS);
}

struct view view_window(const struct view *from, int64_t start, int64_t length, int64_t step)
{
    struct view view = *from;
    view.offset += start * from->stride[0];
    view.shape.dim[0] = length;
    view.stride[0] *= step;
    return view;
}

struct view view_transposed(const struct view *from)
{
    struct view view = *from;
    int i = from->shape.rank - 1, j = i - 1;
    view.shape.dim[i] = from->shape.dim[j];
    view.shape.dim[j] = from->shape.dim[i];
    view.stride[i] = from->stride[j];
    view.stride[j] = from->stride[i];
    return view;
}

struct view view_at(const struct view *from, int64_t index)
{
    struct view view = *from;
    view.offset += index * from->stride[0];
    view.shape.rank--;
    for (int d = 0; d < view.shape.rank; d++) {
        view.shape.dim[d] = from->shape.dim[d + 1];
        view.stride[d] = from->stride[d + 1];
    }
    return view;
}

void build_origin(struct builder *b, const struct view *view, bool random)
{
    if (!b->failed && view->storage >= 0) {
        enum origin *origin = &b->program->storage[view->storage].origin;
        *origin = random && *origin != ORIGIN_STRUCTURED ? ORIGIN_RANDOM : ORIGIN_STRUCTURED;
    }
}

void build_set(struct builder *b, const struct view *view, int64_t i, double x)
{
    if (!b->failed) {
        program_set(b->program, view, i, 0, x);
    }
}

void build_set_bits(struct builder *b, const struct view *view, int64_t i, int component, uint64_t bits)
{
    if (!b->failed) {
        program_set_bits(b->program, view, i, component, bits);
    }
}

static struct step *append_step(struct builder *b, const struct op *op, const struct attributes *attributes,
                                int inputs, const struct view *input, enum step_expectation expect)
{
    if (b->failed) {
        return NULL;
    }
    if (!op) {
        build_fail(b, "uses an operator that reference/ does not define");
        return NULL;
    }
    struct step *step = program_step(b->program, op, attributes, inputs, input);
    if (inputs > OPERANDS_MAX) {
        build_fail(b, "gives a step more operands than OPERANDS_MAX");
    } else if (!step) {
        build_fail(b, "out of memory for a step");
    } else if (step->expect != expect) {
        build_fail(b, expect == EXPECT_VALUE ? "the operator's shape rule rejects what it should accept"
                                             : "the operator's shape rule accepts what it should reject");
        step = NULL;
    }
    if (step) {
        step->observed = b->observed;
    }
    return step;
}

void build_add_attribute(struct attributes *attributes, const char *name, enum attribute_type type, double x)
{
    attributes->item[attributes->count++] =
        (struct attribute){.name = name, .type = type, .integer = (int64_t)x, .real = x};
}

struct step *build_step(struct builder *b, const struct op *op, const struct attributes *attributes,
                        int inputs, const struct view *input)
{
    return append_step(b, op, attributes, inputs, input, EXPECT_VALUE);
}

void build_rejection(struct builder *b, const struct op *op, const struct attributes *attributes, int inputs,
                     const struct view *input)
{
    append_step(b, op, attributes, inputs, input, EXPECT_REJECTION);
}

struct view build_unary(struct builder *b, const struct op *op, const struct view *x)
{
    struct step *step = build_step(b, op, NULL, 1, x);
    return step ? step->output[0] : *x;
}

void build_relate(struct builder *b, const struct view *a, const struct view *c, const char *text)
{
    if (!b->failed && !program_relate(b->program, a, c, text)) {
        build_fail(b, "out of memory for a relation");
    }
}

void build_relate_all(struct builder *b, const struct view *view, const struct view *one, const char *text)
{
    struct view repeated = *one;
    repeated.shape = view->shape;
    for (int d = 0; d < view->shape.rank; d++) {
        repeated.stride[d] = 0;
    }
    build_relate(b, view, &repeated, text);
}

struct format format_of(enum dtype component)
{
    const struct dtype_info *info = dtype_info(component);
    struct format f = {.width = 8 * (int)info->size};
    f.sign = (uint64_t)1 << (f.width - 1);
    if (!dtype_is_floating(component)) {
        return f;
    }
    f.fraction = info->precision - 1;
    f.exponent = f.width - 1 - f.fraction;
    f.infinity = (((uint64_t)1 << f.exponent) - 1) << f.fraction;
    return f;
}

int special_bits(enum dtype component, uint64_t bits[SPECIALS_MAX])
{
    static const uint32_t integers[] = {0,           1,           0xFFFFFFFFU, 0x7FFFFFFFU,
                                        0x80000000U, 0x80000001U, 0x7FFFFFFEU, 0x00FFFFFFU,
                                        0x01000000U, 0x01000001U, 0xFEFFFFFFU, 0xFF000000U,
                                        0xFF000001U, 2,           0xFFFFFFFEU, 0x7FFFFFC1U};
    static const uint64_t wide[] = {0,
                                    1,
                                    UINT64_MAX,
                                    INT64_MAX,
                                    (uint64_t)1 << 63,
                                    ((uint64_t)1 << 63) + 1,
                                    INT64_MAX - 1,
                                    0x7FFFFFFF,
                                    0x80000000,
                                    0xFFFFFFFF,
                                    0x100000000,
                                    0xFFFFFFFF80000000,
                                    0x20000000000001, /* 2^53 + 1: no float64 */
                                    0xFFDFFFFFFFFFFFFF,
                                    0x0123456789ABCDEF,
                                    2};
    int count = 0;
    if (component == DTYPE_INT64) {
        for (; count < (int)(sizeof wide / sizeof *wide); count++) {
            bits[count] = wide[count];
        }
        return count;
    }
    if (!dtype_is_floating(component)) {
        for (; count < (int)(sizeof integers / sizeof *integers); count++) {
            bits[count] = integers[count];
        }
        return count;
    }
    struct format f = format_of(component);
    uint64_t hidden = (uint64_t)1 << f.fraction, quiet = hidden >> 1;
    uint64_t one = ((uint64_t)dtype_info(component)->emax) << f.fraction;
    const uint64_t magnitudes[] = {
        0,           /* zero */
        1,           /* least subnormal */
        hidden - 1,  /* largest subnormal */
        hidden >> 1, /* a subnormal power of two */
        hidden,      /* least normal */
        hidden + 1,  /* its successor */
        one - 1,     /* the neighbours of 1, and 1 */
        one,
        one + 1,
        one + quiet,               /* 1.5 */
        f.infinity - 1,            /* the greatest finite number */
        f.infinity,                /* infinity */
        f.infinity | quiet,        /* quiet NaN, no payload */
        f.infinity | quiet | 3,    /* quiet NaN, small payload */
        f.infinity | (hidden - 1), /* quiet NaN, full payload */
        f.infinity | 1,            /* signalling NaN, least payload */
        f.infinity | (quiet - 1),  /* signalling NaN, full payload */
    };
    for (size_t m = 0; m < sizeof magnitudes / sizeof *magnitudes; m++) {
        bits[count++] = magnitudes[m];
        bits[count++] = magnitudes[m] | f.sign;
    }
    return count;
}
