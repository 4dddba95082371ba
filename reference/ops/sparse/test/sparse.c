/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reference/test/support.h"

enum { ROWS = 7, COLUMNS = 6, ENTRIES = 30, WIDTH = 3, BITS = 8000 };

static struct attributes scaled(struct attributes a, double alpha, double beta)
{
    a.item[a.count++] = (struct attribute){.name = "alpha", .type = ATTRIBUTE_REAL, .real = alpha};
    a.item[a.count++] = (struct attribute){.name = "beta", .type = ATTRIBUTE_REAL, .real = beta};
    return a;
}

static void fill(double *x, int64_t n, enum dtype dtype, uint64_t seed, int spread)
{
    struct philox generator;
    philox_start(&generator, seed);
    for (int64_t i = 0; i < n; i++) {
        unsigned char bytes[8];
        int e = (int)philox_below(&generator, 2 * (uint32_t)spread + 1) - spread;
        double sign = philox_below(&generator, 2) ? 1 : -1;
        dtype_store(dtype, bytes, sign * ldexp(1 + philox_unit(&generator), e));
        x[i] = dtype_load(dtype, bytes);
    }
}

/* A random matrix in all forms: COO with duplicates, CSR, and what both expand to in Arb. */
struct sample {
    enum dtype dtype;
    int64_t place[2 * ENTRIES], crow[ROWS + 1];
    double values[ENTRIES], dense[COLUMNS * WIDTH], left[ROWS * WIDTH], right[WIDTH * COLUMNS];
    arb_mat_t a;
};

static void sample_create(struct sample *s, enum dtype dtype, uint64_t seed)
{
    struct philox generator;
    int spread = dtype == DTYPE_FLOAT16 ? 3 : dtype == DTYPE_FLOAT64 ? 300 : 40;
    s->dtype = dtype;
    fill(s->values, ENTRIES, dtype, seed, spread);
    fill(s->dense, COLUMNS * WIDTH, dtype, seed + 1000, spread);
    fill(s->left, ROWS * WIDTH, dtype, seed + 2000, spread);
    fill(s->right, WIDTH * COLUMNS, dtype, seed + 3000, spread);
    philox_start(&generator, seed + 4000);
    arb_mat_init(s->a, ROWS, COLUMNS);
    for (int64_t p = 0; p < ENTRIES; p++) {
        int64_t row = (int64_t)philox_below(&generator, ROWS), column = philox_below(&generator, COLUMNS);
        arb_t v;
        arb_init(v);
        arb_set_d(v, s->values[p]);
        arb_add(arb_mat_entry(s->a, row, column), arb_mat_entry(s->a, row, column), v, BITS);
        arb_clear(v);
        s->place[p] = row;
        s->place[ENTRIES + p] = column;
    }
}

static void check_value(const struct value *value, const arb_t wanted, const char *what, int64_t i)
{
    if (arb_is_zero(wanted)) {
        cr_expect(value->class == VALUE_FINITE && value->hi == 0, "%s, element %d", what, (int)i);
    } else {
        cr_expect_leq(value_distance_log2(value, wanted), -103, "%s, element %d", what, (int)i);
    }
}

/* alpha·A·D + beta·C in balls; transposed: Aᵀ. */
static void check_product(const struct sample *s, const struct truth *truth, bool transposed, const double *d,
                          int64_t width, double alpha, double beta, const double *c, const char *what)
{
    int64_t rows = transposed ? COLUMNS : ROWS, inner = transposed ? ROWS : COLUMNS;
    arb_t sum, x;
    arb_init(sum);
    arb_init(x);
    for (int64_t i = 0; i < rows * width; i++) {
        arb_zero(sum);
        for (int64_t k = 0; k < inner; k++) {
            arb_set_d(x, d[k * width + i % width]);
            arb_addmul(sum, x,
                       transposed ? arb_mat_entry(s->a, k, i / width) : arb_mat_entry(s->a, i / width, k),
                       BITS);
        }
        arb_set_d(x, alpha);
        arb_mul(sum, sum, x, BITS);
        if (c) {
            arb_set_d(x, beta);
            arb_t y;
            arb_init(y);
            arb_set_d(y, c[i]);
            arb_addmul(sum, x, y, BITS);
            arb_clear(y);
        }
        check_value(&truth->output[0].value[i], sum, what, i);
    }
    arb_clear(sum);
    arb_clear(x);
}

static void check_coo(enum dtype dtype, enum dtype index, uint64_t seed)
{
    struct sample s;
    sample_create(&s, dtype, seed);
    struct attributes size = size_of(ROWS, COLUMNS), more = scaled(size, -1.5, 0.75);
    struct tensor indices = tensor_from_integers(index, shape_of(2, (int64_t)2, (int64_t)ENTRIES), s.place),
                  values = tensor_from(dtype, shape_of(1, (int64_t)ENTRIES), s.values),
                  dense = tensor_from(dtype, shape_of(2, (int64_t)COLUMNS, (int64_t)WIDTH), s.dense),
                  vector = tensor_from(dtype, shape_of(1, (int64_t)COLUMNS), s.dense),
                  left = tensor_from(dtype, shape_of(2, (int64_t)ROWS, (int64_t)WIDTH), s.left);
    struct tensor mm[] = {indices, values, dense}, mv[] = {indices, values, vector},
                  addmm[] = {left, indices, values, dense}, backward[] = {left, indices, values};
    struct truth *truth = truth_of_call("sparse_mm", &size, 3, mm);
    check_product(&s, truth, false, s.dense, WIDTH, 1, 0, NULL, "sparse_mm");
    truth_destroy(&truth);
    truth = truth_of_call("sparse_mv", &size, 3, mv);
    check_product(&s, truth, false, s.dense, 1, 1, 0, NULL, "sparse_mv");
    truth_destroy(&truth);
    truth = truth_of_call("sparse_addmm", &more, 4, addmm);
    check_product(&s, truth, false, s.dense, WIDTH, -1.5, 0.75, s.left, "sparse_addmm");
    truth_destroy(&truth);
    truth = truth_of_call("sparse_mm_backward_dense", &size, 3, backward);
    check_product(&s, truth, true, s.left, WIDTH, 1, 0, NULL, "sparse_mm_backward_dense");
    truth_destroy(&truth);
    truth = truth_of_call("to_dense", &size, 2, mm);
    for (int64_t i = 0; i < ROWS * COLUMNS; i++) {
        check_value(&truth->output[0].value[i], arb_mat_entry(s.a, i / COLUMNS, i % COLUMNS), "to_dense", i);
    }
    truth_destroy(&truth);
    struct tensor *owned[] = {&indices, &values, &dense, &vector, &left};
    for (size_t k = 0; k < sizeof owned / sizeof *owned; k++) {
        tensor_destroy(owned[k]);
    }
    arb_mat_clear(s.a);
}

Test(sparse, products_agree_with_arb)
{
    const enum dtype types[] = {DTYPE_FLOAT16, DTYPE_BFLOAT16, DTYPE_FLOAT32, DTYPE_FLOAT64};
    for (int trial = 0; trial < 40; trial++) {
        check_coo(types[trial % 4], trial % 3 ? DTYPE_INT64 : DTYPE_INT32, (uint64_t)trial);
    }
}

/* The places of a sample in order, each once; the values there are what duplicates sum to. */
static void check_coalesce(enum dtype dtype, uint64_t seed)
{
    struct sample s;
    sample_create(&s, dtype, seed);
    struct attributes size = size_of(ROWS, COLUMNS);
    struct tensor input[] = {
        tensor_from_integers(DTYPE_INT64, shape_of(2, (int64_t)2, (int64_t)ENTRIES), s.place),
        tensor_from(dtype, shape_of(1, (int64_t)ENTRIES), s.values)};
    bool stored[ROWS * COLUMNS] = {false};
    int64_t count = 0;
    for (int64_t p = 0; p < ENTRIES; p++) {
        int64_t at = s.place[p] * COLUMNS + s.place[ENTRIES + p];
        count += !stored[at];
        stored[at] = true;
    }
    struct truth *truth = truth_of_call("coalesce", &size, 2, input);
    cr_assert_eq(truth->output[1].elements, count);
    cr_assert_eq(truth->output[0].elements, 2 * count);
    for (int64_t i = 0, place = 0; i < ROWS * COLUMNS; i++) {
        if (stored[i]) {
            cr_expect_eq(truth->output[0].value[place].hi, (double)(i / COLUMNS));
            cr_expect_eq(truth->output[0].value[count + place].hi, (double)(i % COLUMNS));
            check_value(&truth->output[1].value[place++], arb_mat_entry(s.a, i / COLUMNS, i % COLUMNS),
                        "coalesce", i);
        }
    }
    truth_destroy(&truth);
    tensor_destroy(&input[0]);
    tensor_destroy(&input[1]);
    arb_mat_clear(s.a);
}

Test(sparse, coalesce_agrees_with_arb)
{
    for (uint64_t seed = 0; seed < 20; seed++) {
        check_coalesce(DTYPE_FLOAT32, seed);
        check_coalesce(DTYPE_FLOAT64, seed);
    }
}

/* left·right at (row, column), plus beta·v. */
static void check_dot(const struct sample *s, const struct value *value, int64_t row, int64_t column,
                      bool by_column, double alpha, double beta, double v, const char *what)
{
    arb_t sum, x, y;
    arb_init(sum);
    arb_init(x);
    arb_init(y);
    for (int64_t k = 0; k < WIDTH; k++) {
        arb_set_d(x, s->left[row * WIDTH + k]);
        arb_set_d(y, by_column ? s->dense[column * WIDTH + k] : s->right[k * COLUMNS + column]);
        arb_addmul(sum, x, y, BITS);
    }
    arb_set_d(x, alpha);
    arb_mul(sum, sum, x, BITS);
    arb_set_d(x, beta);
    arb_set_d(y, v);
    arb_addmul(sum, x, y, BITS);
    check_value(value, sum, what, row * COLUMNS + column);
    arb_clear(sum);
    arb_clear(x);
    arb_clear(y);
}

/* CSR: row r holds columns r mod 2, r mod 2 + 2, …, but row 2 none. */
static int64_t csr_of(struct sample *s, int64_t column[ENTRIES], int64_t row[ENTRIES])
{
    int64_t n = 0;
    for (int64_t r = 0; r < ROWS; r++) {
        s->crow[r] = n;
        for (int64_t c = r % 2; r != 2 && c < COLUMNS; c += 2) {
            row[n] = r;
            column[n++] = c;
        }
    }
    s->crow[ROWS] = n;
    return n;
}

Test(sparse, sampled_products_agree_with_arb)
{
    for (uint64_t seed = 0; seed < 20; seed++) {
        struct sample s;
        int64_t row[ENTRIES], column[ENTRIES];
        enum dtype dtype = seed % 2 ? DTYPE_FLOAT32 : DTYPE_FLOAT64;
        sample_create(&s, dtype, seed);
        int64_t n = csr_of(&s, column, row);
        struct attributes size = size_of(ROWS, COLUMNS), more = scaled(size, 0.5, -3);
        struct tensor input[] = {
            tensor_from_integers(DTYPE_INT32, shape_of(1, (int64_t)(ROWS + 1)), s.crow),
            tensor_from_integers(DTYPE_INT32, shape_of(1, (int64_t)(n)), column),
            tensor_from(dtype, shape_of(1, n), s.values),
            tensor_from(dtype, shape_of(2, (int64_t)ROWS, (int64_t)WIDTH), s.left),
            tensor_from(dtype, shape_of(2, (int64_t)WIDTH, (int64_t)COLUMNS), s.right),
            tensor_from_integers(DTYPE_INT64, shape_of(2, (int64_t)2, (int64_t)ENTRIES), s.place),
            tensor_from(dtype, shape_of(2, (int64_t)COLUMNS, (int64_t)WIDTH), s.dense)};
        struct truth *truth = truth_of_call("sampled_addmm", &more, 5, input);
        for (int64_t p = 0; p < n; p++) {
            check_dot(&s, &truth->output[0].value[p], row[p], column[p], false, 0.5, -3, s.values[p],
                      "sampled_addmm");
        }
        truth_destroy(&truth);
        struct tensor backward[] = {input[3], input[5], input[6]};
        truth = truth_of_call("sparse_mm_backward_sparse", &size, 3, backward);
        for (int64_t p = 0; p < ENTRIES; p++) {
            check_dot(&s, &truth->output[0].value[p], s.place[p], s.place[ENTRIES + p], true, 1, 0, 0,
                      "sparse_mm_backward_sparse");
        }
        truth_destroy(&truth);
        for (size_t k = 0; k < sizeof input / sizeof *input; k++) {
            tensor_destroy(&input[k]);
        }
        arb_mat_clear(s.a);
    }
}

/* CSR and COO of the same matrix have the same truth. */
Test(sparse, csr_is_coo)
{
    struct sample s;
    int64_t row[2 * ENTRIES], column[ENTRIES];
    sample_create(&s, DTYPE_FLOAT32, 5);
    int64_t n = csr_of(&s, column, row);
    memcpy(row + n, column, (size_t)n * sizeof *row);
    struct attributes size = size_of(ROWS, COLUMNS);
    struct tensor values = tensor_from(DTYPE_FLOAT32, shape_of(1, n), s.values);
    struct tensor dense = tensor_from(DTYPE_FLOAT32, shape_of(2, (int64_t)COLUMNS, (int64_t)WIDTH), s.dense);
    struct tensor csr[] = {tensor_from_integers(DTYPE_INT64, shape_of(1, (int64_t)(ROWS + 1)), s.crow),
                           tensor_from_integers(DTYPE_INT64, shape_of(1, (int64_t)(n)), column), values,
                           dense},
                  coo[] = {tensor_from_integers(DTYPE_INT64, shape_of(2, (int64_t)2, (int64_t)n), row),
                           values, dense};
    struct truth *x = truth_of_call("csr_mm", &size, 4, csr), *y = truth_of_call("sparse_mm", &size, 3, coo);
    cr_assert_eq(x->output[0].elements, ROWS * WIDTH);
    for (int64_t i = 0; i < ROWS * WIDTH; i++) {
        cr_expect_eq(x->output[0].value[i].hi, y->output[0].value[i].hi);
        cr_expect_eq(x->output[0].value[i].lo, y->output[0].value[i].lo);
    }
    truth_destroy(&x);
    truth_destroy(&y);
    struct tensor *owned[] = {&csr[0], &csr[1], &coo[0], &values, &dense};
    for (size_t k = 0; k < sizeof owned / sizeof *owned; k++) {
        tensor_destroy(owned[k]);
    }
    arb_mat_clear(s.a);
}
