/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Cases of average and maximum pooling of one, two and three dimensions, and of their gradients. */

#include "suites/pooling/calls.h"

/* The operators of each table. */
enum { AVG = 1, AVG_GRADIENT = 2, MAX = 4, MAX_GRADIENT = 8 };
enum { MEANS = AVG | AVG_GRADIENT, MAXIMA = MAX | MAX_GRADIENT, FORWARD = AVG | MAX };
enum { F32 = 1U << DTYPE_FLOAT32 };

/* A sample alone, and two of them, must have the bits that they have in the batch. */
static void build_alone(struct builder *b)
{
    const struct pool_row *row = b->c->row;
    struct pool_operands o;
    struct step *step = pool_make(b, &row->call, &o) ? pool_step(b, &o) : NULL;
    struct view whole = step ? step->output[0] : o.input[0];
    const int64_t starts[] = {0, row->call.batch - 1, 1}, lengths[] = {1, 1, 2};
    for (int k = 0; !b->failed && k < 3; k++) {
        struct pool_operands alone = o;
        for (int i = 0; i < o.inputs; i++) {
            alone.input[i] = view_window(&o.input[i], starts[k], lengths[k], 1);
        }
        step = pool_step(b, &alone);
        if (step) {
            struct view inside = view_window(&whole, starts[k], lengths[k], 1);
            build_relate(b, &inside, &step->output[0],
                         "a sample alone has the bits that it has in the batch");
        }
    }
}

#define ROW(name_, level_, ...) SUITE_ROW(name_, level_, __VA_ARGS__)
#define CALL(...)               .call = {__VA_ARGS__}
#define LINE                    .batch = 2, .channels = 3, .size = {13}

static const struct pool_row lines[] = {
    {ROW("plain", SMOKE, "pool_windows self_encoding"), CALL(LINE, .kernel = {3})},
    {ROW("encoded", STANDARD, "pool_windows self_encoding"),
     CALL(LINE, .kernel = {4}, .stride = {3}, .data = POOL_ENCODED)},
    {ROW("across", STANDARD, "pool_windows"), CALL(LINE, .kernel = {5}, .stride = {2}, .padding = {2})},
    {ROW("apart", STANDARD, "pool_windows"), CALL(LINE, .kernel = {2}, .stride = {5})},
    {ROW("ceil", STANDARD, "pool_borders"), CALL(LINE, .kernel = {4}, .stride = {3}, .ceil = true)},
    {ROW("ceil-padded", SMOKE, "pool_borders"),
     CALL(.batch = 2, .channels = 3, .size = {12}, .kernel = {4}, .stride = {3}, .padding = {2}, .ceil = true,
          .data = POOL_INTEGERS)},
    {ROW("ceil-dropped", STANDARD, "pool_borders"), /* a window would begin in the padding at the end */
     CALL(.batch = 2, .channels = 3, .size = {5}, .kernel = {2}, .stride = {3}, .padding = {1},
          .ceil = true)},
    {ROW("uncounted", SMOKE, "pool_borders flags", .ops = MEANS),
     CALL(LINE, .kernel = {5}, .padding = {2}, .uncounted = true)},
    {ROW("dilation-2", STANDARD, "pool_windows flags", .ops = MAXIMA),
     CALL(LINE, .kernel = {4}, .stride = {2}, .padding = {2}, .dilation = {2}, .data = POOL_NEGATIVE)},
    {ROW("no-batch", STANDARD, "pool_windows"),
     CALL(.batch = -1, .channels = 3, .size = {11}, .kernel = {3}, .stride = {2})},
    {ROW("channels-last-padded", STANDARD, "layout_grid pool_borders"),
     CALL(LINE, .kernel = {3}, .stride = {2}, .padding = {1}, .channels_last = true)},
    {ROW("whole", STANDARD, "pool_windows"), CALL(LINE, .kernel = {13})},
    {ROW("window-1025", STANDARD, "pool_windows"),
     CALL(.batch = 1, .channels = 2, .size = {1027}, .kernel = {1025}, .stride = {1}, .data = POOL_POSITIVE)},
    {ROW("window-4099", STANDARD, "pool_windows size_limits", .ops = FORWARD),
     CALL(.batch = 1, .channels = 2, .size = {4099}, .kernel = {4099}, .data = POOL_POSITIVE)},
    {ROW("length-65537", STANDARD, "pool_windows size_limits", .dtypes = F32),
     CALL(.batch = 1, .channels = 1, .size = {65537}, .kernel = {3}, .stride = {2}, .padding = {1})},
    {ROW("channels-65", STANDARD, "many_channels"),
     CALL(.batch = 2, .channels = 65, .size = {5}, .kernel = {2})},
    {ROW("channels-130", STANDARD, "many_channels"),
     CALL(.batch = 1, .channels = 130, .size = {7}, .kernel = {3}, .stride = {1})},
    {ROW("channels-65537", STANDARD, "many_channels size_limits", .dtypes = F32),
     CALL(.batch = 1, .channels = 65537, .size = {3}, .kernel = {2}, .stride = {1})},
    {ROW("batch-65537", STANDARD, "size_limits", .dtypes = F32),
     CALL(.batch = 65537, .channels = 1, .size = {3}, .kernel = {2}, .stride = {1})},
};

#define PICTURE .batch = 2, .channels = 3, .size = {7, 6}, .kernel = {3, 2}
#define LAYOUT(name_, ...)                                                                                   \
    {                                                                                                        \
        ROW(name_, STANDARD, "layout_grid poison"), CALL(PICTURE, .stride = {2, 1}, __VA_ARGS__)             \
    }

static const struct pool_row pictures[] = {
    {ROW("plain", SMOKE, "pool_windows self_encoding"), CALL(PICTURE)},
    {ROW("integers", SMOKE, "pool_windows pool_ties"),
     CALL(PICTURE, .stride = {1, 1}, .padding = {1, 1}, .data = POOL_INTEGERS)},
    {ROW("encoded", SMOKE, "pool_windows self_encoding"),
     CALL(.batch = 2, .channels = 3, .size = {9, 8}, .kernel = {3, 4}, .stride = {2, 3},
          .data = POOL_ENCODED)},
    {ROW("across", STANDARD, "pool_windows"),
     CALL(.batch = 2, .channels = 3, .size = {9, 8}, .kernel = {5, 3}, .stride = {2, 1}, .padding = {2, 1})},
    {ROW("apart", STANDARD, "pool_windows"),
     CALL(.batch = 2, .channels = 3, .size = {11, 12}, .kernel = {2, 1}, .stride = {4, 3})},
    {ROW("one-by-one", STANDARD, "pool_windows"),
     CALL(.batch = 2, .channels = 3, .size = {5, 4}, .kernel = {1, 1})},
    {ROW("whole", STANDARD, "pool_windows"),
     CALL(.batch = 3, .channels = 5, .size = {7, 7}, .kernel = {7, 7})},
    {ROW("wide", STANDARD, "pool_windows"),
     CALL(.batch = 2, .channels = 3, .size = {4, 13}, .kernel = {1, 7}, .padding = {0, 3}, .stride = {1, 2})},
    {ROW("tall", STANDARD, "pool_windows"),
     CALL(.batch = 2, .channels = 3, .size = {13, 4}, .kernel = {7, 1}, .padding = {3, 0}, .stride = {2, 1})},
    {ROW("3x3-stride-2", STANDARD, "pool_windows"),
     CALL(.batch = 2, .channels = 8, .size = {14, 15}, .kernel = {3, 3}, .stride = {2, 2},
          .padding = {1, 1})},
    {ROW("negative-padded", SMOKE, "pool_ties pool_borders"),
     CALL(.batch = 2, .channels = 3, .size = {6, 7}, .kernel = {3, 3}, .padding = {1, 1}, .stride = {2, 2},
          .data = POOL_NEGATIVE)},
    {ROW("ceil", SMOKE, "pool_borders"),
     CALL(.batch = 2, .channels = 3, .size = {6, 8}, .kernel = {3, 3}, .stride = {2, 2}, .ceil = true)},
    {ROW("ceil-padded", SMOKE, "pool_borders"),
     CALL(.batch = 2, .channels = 3, .size = {6, 8}, .kernel = {4, 3}, .stride = {3, 2}, .padding = {2, 1},
          .ceil = true)},
    {ROW("ceil-padded-integers", STANDARD, "pool_borders"),
     CALL(.batch = 2, .channels = 3, .size = {9, 12}, .kernel = {4, 4}, .stride = {3, 3}, .padding = {1, 2},
          .ceil = true, .data = POOL_INTEGERS)},
    {ROW("ceil-dropped", STANDARD, "pool_borders"),
     CALL(.batch = 2, .channels = 3, .size = {5, 6}, .kernel = {2, 3}, .stride = {3, 4}, .padding = {1, 1},
          .ceil = true)},
    {ROW("uncounted", SMOKE, "pool_borders flags", .ops = MEANS),
     CALL(PICTURE, .padding = {1, 1}, .uncounted = true)},
    {ROW("uncounted-ceil", STANDARD, "pool_borders flags", .ops = MEANS),
     CALL(.batch = 2, .channels = 3, .size = {6, 8}, .kernel = {4, 3}, .stride = {3, 2}, .padding = {2, 1},
          .ceil = true, .uncounted = true)},
    {ROW("divisor-3", SMOKE, "pool_borders flags", .ops = MEANS), CALL(PICTURE, .divisor = 3)},
    {ROW("divisor-7-padded", STANDARD, "pool_borders flags", .ops = MEANS),
     CALL(PICTURE, .padding = {1, 1}, .divisor = 7, .uncounted = true, .ceil = true)},
    {ROW("dilation-2", SMOKE, "pool_windows flags", .ops = MAXIMA),
     CALL(.batch = 2, .channels = 3, .size = {9, 8}, .kernel = {3, 2}, .stride = {1, 2}, .dilation = {2, 2})},
    {ROW("dilation-3-padded", STANDARD, "pool_windows flags", .ops = MAXIMA),
     CALL(.batch = 2, .channels = 3, .size = {9, 10}, .kernel = {3, 3}, .stride = {2, 2}, .padding = {1, 1},
          .dilation = {3, 2}, .ceil = true, .data = POOL_NEGATIVE)},
    {ROW("no-batch", STANDARD, "pool_windows"),
     CALL(.batch = -1, .channels = 4, .size = {7, 6}, .kernel = {3, 2})},
    {ROW("batch-0", SMOKE, "pool_windows"),
     CALL(.batch = 0, .channels = 3, .size = {7, 6}, .kernel = {3, 2})},
    {ROW("channels-65", STANDARD, "many_channels"),
     CALL(.batch = 2, .channels = 65, .size = {5, 4}, .kernel = {2, 2})},
    {ROW("channels-130", STANDARD, "many_channels"),
     CALL(.batch = 1, .channels = 130, .size = {4, 4}, .kernel = {3, 2}, .stride = {1, 2})},
    {ROW("specials", SMOKE, "special_values pool_ties"),
     CALL(.batch = 3, .channels = 3, .size = {9, 8}, .kernel = {2, 3}, .data = POOL_SPECIAL)},
    {ROW("specials-across", STANDARD, "special_values pool_ties"),
     CALL(.batch = 2, .channels = 2, .size = {11, 13}, .kernel = {3, 3}, .stride = {1, 2}, .padding = {1, 1},
          .data = POOL_SPECIAL)},
    {ROW("specials-alone", STANDARD, "special_values pool_ties"),
     CALL(.batch = 2, .channels = 2, .size = {9, 8}, .kernel = {1, 1}, .data = POOL_SPECIAL)},
    {ROW("subnormal", STANDARD, "special_values", .ops = MAXIMA), CALL(PICTURE, .data = POOL_SUBNORMAL)},
    {ROW("positive-1024", STANDARD, "pool_windows"),
     CALL(.batch = 1, .channels = 2, .size = {33, 34}, .kernel = {32, 32}, .stride = {1, 1},
          .data = POOL_POSITIVE)},
    {ROW("alone", SMOKE, "batch_invariance", .build = build_alone),
     CALL(.batch = 5, .channels = 3, .size = {9, 8}, .kernel = {3, 2}, .stride = {2, 1})},
    LAYOUT("transposed", .layout = LAYOUT_TRANSPOSED, .grad = LAYOUT_TRANSPOSED),
    LAYOUT("reversed", .layout = LAYOUT_REVERSED, .grad = LAYOUT_REVERSED),
    LAYOUT("block", .layout = LAYOUT_BLOCK, .grad = LAYOUT_BLOCK),
    LAYOUT("stepped3", .layout = LAYOUT_STEPPED3, .grad = LAYOUT_STEPPED3),
    LAYOUT("rows-stepped", .layout = LAYOUT_ROWS_STEPPED, .grad = LAYOUT_ROWS_STEPPED),
    LAYOUT("offset1", .layout = LAYOUT_OFFSET1, .grad = LAYOUT_OFFSET1),
    LAYOUT("channels-last", .channels_last = true),
    LAYOUT("channels-last-padded", .channels_last = true, .padding = {1, 1}),
    {ROW("channels-last-uncounted", STANDARD, "layout_grid pool_borders", .ops = MEANS),
     CALL(.batch = 2, .channels = 4, .size = {6, 8}, .kernel = {4, 3}, .stride = {3, 2}, .padding = {2, 1},
          .ceil = true, .uncounted = true, .channels_last = true)},
    LAYOUT("permuted-padded", .padding = {1, 1}, .layout = LAYOUT_PERMUTED, .grad = LAYOUT_PERMUTED),
    {ROW("distant", STANDARD, "distant"), CALL(PICTURE, .layout = LAYOUT_DISTANT, .grad = LAYOUT_DISTANT)},
    {ROW("expanded", STANDARD, "expanded"),
     CALL(PICTURE, .layout = LAYOUT_EXPANDED, .grad = LAYOUT_EXPANDED)},
    {ROW("rows-65537", STANDARD, "size_limits", .dtypes = F32),
     CALL(.batch = 1, .channels = 1, .size = {65537, 2}, .kernel = {3, 2}, .stride = {2, 1})},
};

#define SOLID .batch = 2, .channels = 2, .size = {5, 4, 6}, .kernel = {2, 3, 2}

static const struct pool_row solids[] = {
    {ROW("plain", SMOKE, "pool_windows self_encoding"), CALL(SOLID)},
    {ROW("encoded", STANDARD, "pool_windows self_encoding"),
     CALL(SOLID, .stride = {1, 1, 2}, .data = POOL_ENCODED)},
    {ROW("across", STANDARD, "pool_windows"),
     CALL(SOLID, .stride = {2, 1, 1}, .padding = {1, 1, 1}, .data = POOL_NEGATIVE)},
    {ROW("ceil-padded", SMOKE, "pool_borders"),
     CALL(.batch = 2, .channels = 2, .size = {6, 5, 8}, .kernel = {4, 2, 3}, .stride = {3, 2, 2},
          .padding = {2, 1, 1}, .ceil = true)},
    {ROW("uncounted-ceil", STANDARD, "pool_borders flags", .ops = MEANS),
     CALL(.batch = 2, .channels = 2, .size = {6, 5, 8}, .kernel = {4, 2, 3}, .stride = {3, 2, 2},
          .padding = {2, 1, 1}, .ceil = true, .uncounted = true)},
    {ROW("divisor-5", STANDARD, "pool_borders flags", .ops = MEANS),
     CALL(SOLID, .padding = {1, 1, 0}, .divisor = 5)},
    {ROW("dilation-2", STANDARD, "pool_windows flags", .ops = MAXIMA),
     CALL(SOLID, .stride = {1, 1, 1}, .dilation = {2, 1, 3})},
    {ROW("no-batch", STANDARD, "pool_windows"),
     CALL(.batch = -1, .channels = 3, .size = {4, 5, 3}, .kernel = {2, 2, 2})},
    {ROW("specials", STANDARD, "special_values pool_ties"),
     CALL(SOLID, .stride = {1, 1, 1}, .data = POOL_SPECIAL)},
    {ROW("channels-65", STANDARD, "many_channels"),
     CALL(.batch = 2, .channels = 65, .size = {2, 3, 2}, .kernel = {2, 2, 1})},
    {ROW("channels-130", STANDARD, "many_channels"),
     CALL(.batch = 1, .channels = 130, .size = {2, 2, 3}, .kernel = {1, 2, 2}, .stride = {1, 1, 1})},
    {ROW("permuted", STANDARD, "layout_grid poison"),
     CALL(SOLID, .layout = LAYOUT_PERMUTED, .grad = LAYOUT_PERMUTED)},
    {ROW("channels-last", STANDARD, "layout_grid poison"), CALL(SOLID, .channels_last = true)},
    {ROW("channels-last-padded", STANDARD, "layout_grid pool_borders"),
     CALL(SOLID, .stride = {1, 2, 1}, .padding = {1, 1, 1}, .channels_last = true)},
    {ROW("alone", STANDARD, "batch_invariance", .build = build_alone),
     CALL(.batch = 3, .channels = 2, .size = {4, 5, 3}, .kernel = {2, 2, 2}, .stride = {1, 2, 1})},
};

static void declare(struct suite_list *list)
{
    const struct suite_table tables[] = {{SUITE_ROWS(lines), .ops = {"avg_pool1d", "avg_pool1d_backward",
                                                                     "max_pool1d", "max_pool1d_backward"}},
                                         {SUITE_ROWS(pictures), .ops = {"avg_pool2d", "avg_pool2d_backward",
                                                                        "max_pool2d", "max_pool2d_backward"}},
                                         {SUITE_ROWS(solids), .ops = {"avg_pool3d", "avg_pool3d_backward",
                                                                      "max_pool3d", "max_pool3d_backward"}}};
    for (size_t t = 0; t < sizeof tables / sizeof *tables; t++) {
        struct suite_table table = tables[t];
        table.build = pool_plain;
        suite_declare_rows(list, &table);
    }
}

const struct suite suite_pooling_cases = {.declare = declare};
