/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Cases of convolutions of one, two and three dimensions, of transposed ones, and of their gradients. */

#include "suites/convolution/call.h"

/* The operators of each table. */
enum { CONV = 1, TRANSPOSED = 2, CONV_GRADIENT = 4, TRANSPOSED_GRADIENT = 8 };
enum {
    FORWARD = CONV | TRANSPOSED,
    PLAIN = CONV | CONV_GRADIENT,
    GRADIENTS = CONV_GRADIENT | TRANSPOSED_GRADIENT
};
enum { F32 = 1U << DTYPE_FLOAT32 };

/* A sample alone, and samples in another order, must have the bits that they have in the batch. */
static void build_alone(struct builder *b)
{
    const struct convolution_row *row = b->c->row;
    const bool gradient = convolution_is_gradient(b->c->op);
    struct convolution_operands o;
    struct step *step = convolution_make(b, &row->call, &o) ? convolution_step(b, &row->call, &o) : NULL;
    struct view whole = step ? step->output[0] : o.input[0];
    const int64_t starts[] = {0, row->call.batch / 2, row->call.batch - 1, 1}, lengths[] = {1, 1, 1, 2};
    for (int k = 0; !b->failed && k < 4; k++) {
        struct convolution_operands alone = o;
        for (int i = 0; i <= gradient; i++) {
            alone.input[i] = view_window(&o.input[i], starts[k], lengths[k], 1);
        }
        step = convolution_step(b, &row->call, &alone);
        if (step) {
            struct view inside = view_window(&whole, starts[k], lengths[k], 1);
            build_relate(b, &inside, &step->output[0],
                         "a sample alone has the bits that it has in the batch");
        }
    }
}

/* A convolution with one attribute, with another, and with the first again. */
static void build_in_turn(struct builder *b)
{
    const struct convolution_row *row = b->c->row;
    struct convolution_call other = row->call;
    struct convolution_operands o, p;
    struct view first = {.storage = -1};
    other.stride[0] = 2;
    other.padding[0] = 1;
    if (!convolution_make(b, &row->call, &o)) {
        return;
    }
    for (int k = 0; k < 3; k++) {
        b->stream = k * 16;
        struct step *step = NULL;
        if (k != 1) {
            step = convolution_step(b, &row->call, &o);
        } else if (convolution_make(b, &other, &p)) {
            step = convolution_step(b, &other, &p);
        }
        first = step && k == 0 ? step->output[0] : first;
        if (step && k == 2) {
            build_relate(b, &first, &step->output[0], "the same call again gives the same bits");
        }
    }
}

#define ROW(name_, level_, ...) SUITE_ROW(name_, level_, __VA_ARGS__)
#define CALL(...)               .call = {__VA_ARGS__}

static const struct convolution_row lines[] = {
    {ROW("plain", SMOKE, "windows self_encoding"),
     CALL(.batch = 2, .in = 3, .out = 4, .size = {11}, .kernel = {3}, .padding = {1})},
    {ROW("integers", STANDARD, "windows self_encoding"),
     CALL(.batch = 2, .in = 3, .out = 4, .size = {11}, .kernel = {3}, .data = CONVOLUTION_INTEGERS)},
    {ROW("encoded", STANDARD, "windows self_encoding", .ops = FORWARD),
     CALL(.batch = 2, .in = 3, .out = 5, .size = {13}, .kernel = {4}, .padding = {2},
          .data = CONVOLUTION_ENCODED)},
    {ROW("stride-3", STANDARD, "windows flags"),
     CALL(.batch = 2, .in = 3, .out = 4, .size = {13}, .kernel = {2}, .stride = {3}, .padding = {1})},
    {ROW("dilation-3-stride-2", STANDARD, "windows flags"),
     CALL(.batch = 2, .in = 3, .out = 4, .size = {17}, .kernel = {4}, .stride = {2}, .dilation = {3},
          .padding = {2})},
    {ROW("kernel-65", STANDARD, "windows"),
     CALL(.batch = 2, .in = 2, .out = 3, .size = {131}, .kernel = {65}, .padding = {7})},
    {ROW("no-batch", STANDARD, "windows"),
     CALL(.batch = -1, .in = 3, .out = 4, .size = {11}, .kernel = {3}, .groups = 2)},
    {ROW("specials", STANDARD, "special_values windows"),
     CALL(.batch = 3, .in = 2, .out = 3, .size = {19}, .kernel = {3}, .data = CONVOLUTION_SPECIAL)},
    {ROW("alone", STANDARD, "batch_invariance", .build = build_alone),
     CALL(.batch = 5, .in = 3, .out = 4, .size = {33}, .kernel = {3}, .padding = {1})},
    {ROW("channels-65", STANDARD, "many_channels"),
     CALL(.batch = 2, .in = 3, .out = 65, .size = {9}, .kernel = {3}, .padding = {1})},
    {ROW("channels-130", STANDARD, "many_channels"),
     CALL(.batch = 2, .in = 1, .out = 2, .groups = 65, .size = {9}, .kernel = {3}, .padding = {1})},
    {ROW("length-65537", STANDARD, "size_limits windows", .dtypes = F32, .ops = PLAIN),
     CALL(.batch = 1, .in = 1, .out = 2, .size = {65537}, .kernel = {3}, .padding = {1})},
    {ROW("channels-65537", STANDARD, "size_limits windows", .dtypes = F32, .ops = FORWARD),
     CALL(.batch = 1, .in = 65537, .out = 1, .size = {2}, .kernel = {1})},
    {ROW("results-65537", STANDARD, "size_limits windows", .dtypes = F32, .ops = PLAIN),
     CALL(.batch = 1, .in = 1, .out = 65537, .size = {2}, .kernel = {2})},
    {ROW("depthwise-65537", STANDARD, "size_limits windows", .dtypes = F32, .ops = PLAIN),
     CALL(.batch = 1, .in = 1, .out = 1, .groups = 65537, .size = {3}, .kernel = {2})},
    {ROW("batch-65537", STANDARD, "size_limits windows", .dtypes = F32, .ops = PLAIN),
     CALL(.batch = 65537, .in = 1, .out = 1, .size = {3}, .kernel = {2})},
};

#define PICTURE .batch = 2, .in = 3, .out = 4, .size = {7, 6}, .kernel = {3, 2}
#define LAYOUT(name_, level_, ops_, ...)                                                                     \
    {                                                                                                        \
        ROW(name_, level_, "layout_grid poison", .ops = ops_), CALL(PICTURE, .padding = {1, 1}, __VA_ARGS__) \
    }

static const struct convolution_row pictures[] = {
    {ROW("plain", SMOKE, "windows self_encoding"), CALL(PICTURE)},
    {ROW("integers", SMOKE, "windows self_encoding"), CALL(PICTURE, .data = CONVOLUTION_INTEGERS)},
    {ROW("encoded", STANDARD, "windows self_encoding", .ops = FORWARD),
     CALL(PICTURE, .padding = {2, 1}, .data = CONVOLUTION_ENCODED)},
    {ROW("no-bias", STANDARD, "windows", .ops = FORWARD), CALL(PICTURE, .no_bias = true)},
    {ROW("no-batch", STANDARD, "windows"),
     CALL(.batch = -1, .in = 3, .out = 4, .size = {7, 6}, .kernel = {3, 2})},
    {ROW("batch-0", SMOKE, "windows"), CALL(.batch = 0, .in = 3, .out = 4, .size = {7, 6}, .kernel = {3, 2})},
    {ROW("one-by-one", STANDARD, "windows"),
     CALL(.batch = 3, .in = 9, .out = 5, .size = {5, 7}, .kernel = {1, 1})},
    {ROW("one-window", STANDARD, "windows", .ops = PLAIN),
     CALL(.batch = 3, .in = 5, .out = 9, .size = {5, 4}, .kernel = {5, 4})},
    {ROW("wide-kernel", STANDARD, "windows"),
     CALL(.batch = 2, .in = 2, .out = 3, .size = {9, 8}, .kernel = {1, 7}, .padding = {0, 3})},
    {ROW("tall-kernel", STANDARD, "windows"),
     CALL(.batch = 2, .in = 2, .out = 3, .size = {8, 9}, .kernel = {7, 1}, .padding = {3, 0})},
    {ROW("3x3-padded", SMOKE, "windows"),
     CALL(.batch = 2, .in = 8, .out = 16, .size = {14, 14}, .kernel = {3, 3}, .padding = {1, 1})},
    {ROW("3x3-padded-64", STANDARD, "windows"),
     CALL(.batch = 1, .in = 64, .out = 33, .size = {9, 11}, .kernel = {3, 3}, .padding = {1, 1})},
    {ROW("3x3-256", EXHAUSTIVE, "windows", .dtypes = F32),
     CALL(.batch = 1, .in = 256, .out = 256, .size = {14, 14}, .kernel = {3, 3}, .padding = {1, 1})},
    {ROW("stride-2", SMOKE, "windows flags"), CALL(PICTURE, .stride = {2, 2})},
    {ROW("stride-2-integers", STANDARD, "windows flags"),
     CALL(PICTURE, .stride = {2, 2}, .data = CONVOLUTION_INTEGERS)},
    {ROW("stride-3-1", STANDARD, "windows flags"),
     CALL(.batch = 2, .in = 3, .out = 4, .size = {9, 6}, .kernel = {2, 3}, .stride = {3, 1},
          .padding = {1, 0})},
    {ROW("stride-beyond-kernel", STANDARD, "windows flags"),
     CALL(.batch = 2, .in = 3, .out = 4, .size = {11, 12}, .kernel = {2, 1}, .stride = {4, 3})},
    {ROW("rows-left-over", STANDARD, "windows flags"), /* no window reaches the last rows and columns */
     CALL(.batch = 2, .in = 3, .out = 4, .size = {10, 11}, .kernel = {3, 3}, .stride = {3, 4},
          .data = CONVOLUTION_INTEGERS)},
    {ROW("dilation-2", SMOKE, "windows flags"),
     CALL(.batch = 2, .in = 3, .out = 4, .size = {9, 8}, .kernel = {3, 2}, .dilation = {2, 2})},
    {ROW("dilation-1-3-integers", STANDARD, "windows flags"),
     CALL(.batch = 2, .in = 3, .out = 4, .size = {7, 9}, .kernel = {3, 2}, .dilation = {1, 3},
          .padding = {1, 2}, .data = CONVOLUTION_INTEGERS)},
    {ROW("dilation-2-stride-2", STANDARD, "windows flags"),
     CALL(.batch = 2, .in = 3, .out = 4, .size = {9, 10}, .kernel = {3, 3}, .stride = {2, 2},
          .dilation = {2, 2}, .padding = {1, 2})},
    {ROW("dilation-3-stride-2", STANDARD, "windows flags"),
     CALL(.batch = 2, .in = 3, .out = 4, .size = {11, 10}, .kernel = {3, 3}, .stride = {2, 2},
          .dilation = {3, 3}, .padding = {3, 1})},
    {ROW("dilation-2-groups-2", STANDARD, "windows flags"),
     CALL(.batch = 2, .in = 3, .out = 2, .groups = 2, .size = {9, 8}, .kernel = {3, 2}, .dilation = {2, 2})},
    {ROW("padding-2-0", STANDARD, "windows flags"), CALL(PICTURE, .padding = {2, 0})},
    {ROW("padding-beyond-kernel", STANDARD, "windows flags", .ops = PLAIN),
     CALL(.batch = 2, .in = 3, .out = 4, .size = {4, 5}, .kernel = {2, 2}, .padding = {4, 3})},
    {ROW("padding-pairs", SMOKE, "windows flags", .ops = PLAIN),
     CALL(PICTURE, .pairs = true, .padding = {0, 2}, .end = {3, 1})},
    {ROW("padding-pairs-stride-2", STANDARD, "windows flags", .ops = PLAIN),
     CALL(PICTURE, .pairs = true, .padding = {1, 0}, .end = {0, 2}, .stride = {2, 2},
          .data = CONVOLUTION_INTEGERS)},
    {ROW("same", STANDARD, "windows flags", .ops = PLAIN), CALL(PICTURE, .same = true)},
    {ROW("same-even-dilated", STANDARD, "windows flags", .ops = PLAIN),
     CALL(.batch = 2, .in = 3, .out = 4, .size = {7, 6}, .kernel = {4, 2}, .dilation = {1, 3}, .same = true,
          .data = CONVOLUTION_INTEGERS)},
    {ROW("groups-2", SMOKE, "windows flags"),
     CALL(.batch = 2, .in = 3, .out = 2, .groups = 2, .size = {7, 6}, .kernel = {3, 2})},
    {ROW("groups-3-integers", STANDARD, "windows flags"),
     CALL(.batch = 2, .in = 2, .out = 3, .groups = 3, .size = {7, 6}, .kernel = {3, 2}, .stride = {2, 1},
          .data = CONVOLUTION_INTEGERS)},
    {ROW("depthwise", STANDARD, "windows flags"),
     CALL(.batch = 2, .in = 1, .out = 1, .groups = 17, .size = {7, 6}, .kernel = {3, 3}, .padding = {1, 1})},
    {ROW("depthwise-2", STANDARD, "windows flags"),
     CALL(.batch = 2, .in = 1, .out = 2, .groups = 9, .size = {7, 6}, .kernel = {3, 3}, .padding = {1, 1})},
    {ROW("output-padding-1", SMOKE, "windows flags", .ops = TRANSPOSED | TRANSPOSED_GRADIENT),
     CALL(PICTURE, .stride = {2, 2}, .padding = {1, 1}, .more = {1, 1})},
    {ROW("output-padding-0-2", STANDARD, "windows flags", .ops = TRANSPOSED | TRANSPOSED_GRADIENT),
     CALL(PICTURE, .stride = {2, 3}, .more = {0, 2}, .groups = 2)},
    {ROW("output-padding-dilated", STANDARD, "windows flags", .ops = TRANSPOSED | TRANSPOSED_GRADIENT),
     CALL(PICTURE, .dilation = {3, 2}, .more = {2, 1}, .data = CONVOLUTION_INTEGERS)},
    {ROW("channels-5-7", STANDARD, "windows"),
     CALL(.batch = 2, .in = 5, .out = 7, .size = {6, 5}, .kernel = {3, 3})},
    {ROW("channels-33-31", STANDARD, "windows"),
     CALL(.batch = 2, .in = 33, .out = 31, .size = {5, 4}, .kernel = {2, 3}, .padding = {1, 1})},
    {ROW("channels-65-66", STANDARD, "many_channels windows"),
     CALL(.batch = 1, .in = 65, .out = 66, .size = {4, 5}, .kernel = {3, 3}, .padding = {1, 1})},
    {ROW("channels-130-130", STANDARD, "many_channels windows"),
     CALL(.batch = 2, .in = 130, .out = 130, .size = {3, 3}, .kernel = {2, 2})},
    {ROW("specials", SMOKE, "special_values windows"),
     CALL(.batch = 3, .in = 2, .out = 3, .size = {7, 8}, .kernel = {3, 2}, .padding = {1, 1},
          .data = CONVOLUTION_SPECIAL)},
    {ROW("weight-infinite-padded", STANDARD, "special_values windows"),
     CALL(.batch = 2, .in = 2, .out = 3, .size = {5, 6}, .kernel = {3, 3}, .padding = {1, 1},
          .data = CONVOLUTION_WEIGHT_INFINITE)},
    {ROW("subnormal", STANDARD, "subnormal_factors", .ops = FORWARD),
     CALL(PICTURE, .data = CONVOLUTION_SUBNORMAL)},
    {ROW("overflow", STANDARD, "overflow_sums"), CALL(PICTURE, .data = CONVOLUTION_OVERFLOW)},
    {ROW("positive-4096", STANDARD, "windows"),
     CALL(.batch = 1, .in = 64, .out = 3, .size = {9, 10}, .kernel = {8, 8}, .data = CONVOLUTION_POSITIVE)},
    {ROW("alone", SMOKE, "batch_invariance", .build = build_alone),
     CALL(.batch = 5, .in = 3, .out = 4, .size = {7, 6}, .kernel = {3, 2}, .padding = {1, 1})},
    {ROW("alone-33", STANDARD, "batch_invariance", .build = build_alone),
     CALL(.batch = 33, .in = 17, .out = 9, .size = {6, 5}, .kernel = {3, 3}, .stride = {2, 2})},
    {ROW("in-turn", STANDARD, "order flags", .build = build_in_turn), CALL(PICTURE)},
    LAYOUT("input-permuted", STANDARD, 0, .input = LAYOUT_PERMUTED),
    LAYOUT("input-reversed", STANDARD, 0, .input = LAYOUT_REVERSED),
    LAYOUT("input-transposed", STANDARD, 0, .input = LAYOUT_TRANSPOSED),
    LAYOUT("input-block", SMOKE, 0, .input = LAYOUT_BLOCK),
    LAYOUT("input-stepped2", STANDARD, 0, .input = LAYOUT_STEPPED2),
    LAYOUT("input-offset1", STANDARD, 0, .input = LAYOUT_OFFSET1),
    LAYOUT("input-expanded", STANDARD, 0, .input = LAYOUT_EXPANDED),
    LAYOUT("input-expanded-rows", STANDARD, 0, .input = LAYOUT_EXPANDED_ROWS),
    LAYOUT("weight-transposed", SMOKE, 0, .weight = LAYOUT_TRANSPOSED),
    LAYOUT("weight-permuted", STANDARD, 0, .weight = LAYOUT_PERMUTED),
    LAYOUT("weight-reversed", STANDARD, 0, .weight = LAYOUT_REVERSED),
    LAYOUT("weight-block", STANDARD, 0, .weight = LAYOUT_BLOCK),
    LAYOUT("weight-rows-stepped", STANDARD, 0, .weight = LAYOUT_ROWS_STEPPED),
    LAYOUT("weight-expanded-rows", STANDARD, 0, .weight = LAYOUT_EXPANDED_ROWS),
    LAYOUT("bias-stepped3", STANDARD, FORWARD, .bias = LAYOUT_STEPPED3),
    LAYOUT("bias-expanded", STANDARD, FORWARD, .bias = LAYOUT_EXPANDED),
    LAYOUT("grad-permuted", STANDARD, GRADIENTS, .grad = LAYOUT_PERMUTED),
    LAYOUT("grad-block", STANDARD, GRADIENTS, .grad = LAYOUT_BLOCK),
    LAYOUT("grad-expanded", STANDARD, GRADIENTS, .grad = LAYOUT_EXPANDED),
    LAYOUT("grad-expanded-rows", STANDARD, GRADIENTS, .grad = LAYOUT_EXPANDED_ROWS),
    LAYOUT("channels-last", SMOKE, 0, .channels_last = true),
    LAYOUT("channels-last-integers", STANDARD, 0, .channels_last = true, .data = CONVOLUTION_INTEGERS),
    LAYOUT("channels-last-groups", STANDARD, 0, .channels_last = true, .groups = 3, .stride = {2, 1}),
    {ROW("channels-last-strided", STANDARD, "layout_grid windows"),
     CALL(.batch = 2, .in = 4, .out = 3, .size = {9, 8}, .kernel = {3, 2}, .stride = {2, 3},
          .padding = {2, 1}, .dilation = {1, 2}, .channels_last = true)},
};

static const struct convolution_row volumes[] = {
    {ROW("plain", SMOKE, "windows self_encoding"),
     CALL(.batch = 2, .in = 3, .out = 2, .size = {4, 5, 6}, .kernel = {2, 3, 2})},
    {ROW("integers", STANDARD, "windows self_encoding"),
     CALL(.batch = 2, .in = 3, .out = 2, .size = {4, 5, 6}, .kernel = {2, 3, 2}, .padding = {1, 0, 1},
          .data = CONVOLUTION_INTEGERS)},
    {ROW("encoded", STANDARD, "windows self_encoding", .ops = FORWARD),
     CALL(.batch = 2, .in = 2, .out = 5, .size = {4, 5, 6}, .kernel = {2, 3, 2},
          .data = CONVOLUTION_ENCODED)},
    {ROW("stride-dilation", STANDARD, "windows flags"),
     CALL(.batch = 2, .in = 3, .out = 2, .size = {5, 6, 7}, .kernel = {2, 3, 2}, .stride = {2, 1, 3},
          .dilation = {1, 2, 2}, .padding = {1, 2, 0})},
    {ROW("groups-2", STANDARD, "windows flags"),
     CALL(.batch = 2, .in = 2, .out = 3, .groups = 2, .size = {4, 3, 5}, .kernel = {3, 2, 2},
          .padding = {1, 1, 1})},
    {ROW("output-padding", STANDARD, "windows flags", .ops = TRANSPOSED | TRANSPOSED_GRADIENT),
     CALL(.batch = 2, .in = 2, .out = 3, .size = {2, 3, 2}, .kernel = {3, 2, 3}, .stride = {2, 3, 2},
          .padding = {1, 0, 1}, .more = {1, 2, 0})},
    {ROW("channels-last", STANDARD, "layout_grid"),
     CALL(.batch = 2, .in = 3, .out = 2, .size = {4, 5, 6}, .kernel = {2, 3, 2}, .channels_last = true)},
    {ROW("channels-last-strided", STANDARD, "layout_grid windows"),
     CALL(.batch = 2, .in = 3, .out = 2, .size = {5, 6, 7}, .kernel = {2, 3, 2}, .stride = {2, 1, 3},
          .dilation = {1, 2, 2}, .padding = {1, 2, 1}, .channels_last = true)},
    {ROW("specials", STANDARD, "special_values windows"),
     CALL(.batch = 2, .in = 2, .out = 2, .size = {4, 5, 6}, .kernel = {2, 2, 2},
          .data = CONVOLUTION_SPECIAL)},
    {ROW("channels-65", STANDARD, "many_channels"),
     CALL(.batch = 2, .in = 3, .out = 65, .size = {3, 4, 3}, .kernel = {2, 2, 2})},
    {ROW("channels-130", STANDARD, "many_channels"),
     CALL(.batch = 2, .in = 1, .out = 2, .groups = 65, .size = {3, 4, 3}, .kernel = {2, 2, 2})},
    {ROW("alone", STANDARD, "batch_invariance", .build = build_alone),
     CALL(.batch = 4, .in = 2, .out = 3, .size = {4, 3, 5}, .kernel = {2, 2, 3})},
};

static void declare(struct suite_list *list)
{
    const struct suite_table tables[] = {
        {SUITE_ROWS(lines),
         .ops = {"conv1d", "conv_transpose1d", "conv1d_backward", "conv_transpose1d_backward"}},
        {SUITE_ROWS(pictures),
         .ops = {"conv2d", "conv_transpose2d", "conv2d_backward", "conv_transpose2d_backward"}},
        {SUITE_ROWS(volumes),
         .ops = {"conv3d", "conv_transpose3d", "conv3d_backward", "conv_transpose3d_backward"}}};
    for (size_t t = 0; t < sizeof tables / sizeof *tables; t++) {
        struct suite_table table = tables[t];
        table.build = convolution_plain;
        table.level = level_beyond_float32;
        suite_declare_rows(list, &table);
    }
}

const struct suite suite_convolution_cases = {.declare = declare};
