/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
/* Row reductions and row maps. An operator is a recipe of passes and an end (lib/rows.inc): a pass computes
 * one number for each row, a statistic, in one or two dispatches; the end computes the results from the
 * statistics. */

#include "kernels/vulkan/plans/rows.h"
#include "kernels/vulkan/plans/rows_pass.h"

enum { PASSES = VK_ROWS_PASSES };

/* The shaders of a pass or an end, "rows.NAME.DTYPE"; NULL: the dtype is unsupported. */
struct part {
    const char *shader[DTYPE_COUNT];
};

#define SHADER(name, dtype) "rows." #name "." dtype
#define REALS(name)                                                                                          \
    [DTYPE_FLOAT16] = SHADER(name, "float16"), [DTYPE_BFLOAT16] = SHADER(name, "bfloat16"),                  \
    [DTYPE_FLOAT32] = SHADER(name, "float32"), [DTYPE_FLOAT64] = SHADER(name, "float64")
#define INTEGERS(name)        [DTYPE_INT32] = SHADER(name, "int32"), [DTYPE_INT64] = SHADER(name, "int64")
#define REAL_(name)           static const struct part real_##name = {{REALS(name)}};
#define WHOLE_(name)          static const struct part whole_##name = {{INTEGERS(name)}};
#define LEAD(name, term)      REAL_(name) WHOLE_(name)
#define SUM(name, term)       REAL_(name)
#define PAIRS(name, term)     REAL_(name)
#define POWERS(name, term)    REAL_(name)
#define FACTOR(name, term)    REAL_(name) WHOLE_(name)
#define ADD(name, term)       WHOLE_(name)
#define COUNT(name, term)     REAL_(name) WHOLE_(name)
#define WORD_END(name, term)  REAL_(name) WHOLE_(name)
#define REAL_END(name, term)  REAL_(name)
#define WHOLE_END(name, term) REAL_(name) WHOLE_(name)
#define BOOL_END(name, term)  REAL_(name) WHOLE_(name)
#define MAP(name, term)       REAL_(name)
#define PAIR_MAP(name, term)  REAL_(name)
#include "kernels/vulkan/lib/rows.inc"

/* The passes and the end of an operator for floating dtypes, and, `whole`, for integers. */
struct recipe {
    const struct part *pass[PASSES], *end, *whole, *whole_end;
    const struct part *held; /* the whole map for rows that a workgroup holds, on route wide; NULL: none */
    bool maps;               /* the end computes a result for every element, not one for every row */
    bool gradient;           /* the first operand, grad_output, has the shape of the reduced second operand */
    bool needs_terms;        /* an empty row is refused */
    bool none;               /* an empty list of dimensions reduces no dimension; else it reduces all */
};
#define CHOICE(name, leader)                                                                                 \
    static const struct recipe name = {.pass = {&real_##leader},                                             \
                                       .end = &real_leader,                                                  \
                                       .whole = &whole_##leader,                                             \
                                       .whole_end = &whole_leader,                                           \
                                       .needs_terms = true}
#define COUNTED(name, answer, ...)                                                                           \
    static const struct recipe name = {.pass = {&real_nonzero},                                              \
                                       .end = &real_##answer,                                                \
                                       .whole = &whole_nonzero,                                              \
                                       .whole_end = &whole_##answer,                                         \
                                       __VA_ARGS__}
CHOICE(amax, greatest);
CHOICE(amin, least);
#define JOINED(name, all)                                                                                    \
    static const struct recipe name = {                                                                      \
        .pass = {&real_##all}, .end = &real_value, .whole = &whole_##all, .whole_end = &whole_number}
JOINED(sum, total);
JOINED(prod, factors);
static const struct recipe mean = {.pass = {&real_total}, .end = &real_mean};
static const struct recipe nansum = {.pass = {&real_numbers}, .end = &real_value};
COUNTED(any, any, .none = true);
COUNTED(all, all, .none = true);
COUNTED(count_nonzero, number, .none = false);
static const struct recipe logsumexp = {.pass = {&real_greatest, &real_shifted}, .end = &real_logsumexp};
static const struct recipe var = {.pass = {&real_total, &real_squares}, .end = &real_var};
static const struct recipe std = {.pass = {&real_total, &real_squares}, .end = &real_std};
#define MAPPED(name, ...)                                                                                    \
    static const struct recipe name = {.pass = {__VA_ARGS__}, .end = &real_##name, .maps = true}
/* Those with a kernel for rows that a workgroup holds (ops/softmax.comp). */
#define HELD(name, ...)                                                                                      \
    static const struct part held_##name = {{[DTYPE_FLOAT16] = "softmax." #name ".float16",                  \
                                             [DTYPE_BFLOAT16] = "softmax." #name ".bfloat16",                \
                                             [DTYPE_FLOAT32] = "softmax." #name ".float32"}};                \
    static const struct recipe name = {                                                                      \
        .pass = {__VA_ARGS__}, .end = &real_##name, .held = &held_##name, .maps = true}
HELD(softmax, &real_greatest, &real_exponentials);
HELD(softmin, &real_least, &real_negated);
HELD(log_softmax, &real_greatest, &real_exponentials);
MAPPED(softmax_backward, &real_products);
MAPPED(log_softmax_backward, &real_total);
#define GRADIENT(name, ...)                                                                                  \
    static const struct recipe name = {                                                                      \
        .maps = true, .gradient = true, .pass = {__VA_ARGS__}, .end = &real_##name}
#define EXTREMUM(name, leader)                                                                               \
    static const struct recipe name = {.maps = true,                                                         \
                                       .gradient = true,                                                     \
                                       .needs_terms = true,                                                  \
                                       .pass = {leader, &real_leaders},                                      \
                                       .end = &real_extremum_backward}
GRADIENT(sum_backward, NULL);
GRADIENT(mean_backward, NULL);
EXTREMUM(amax_backward, &real_greatest);
EXTREMUM(amin_backward, &real_least);
GRADIENT(var_backward, &real_total);
GRADIENT(std_backward, &real_total, &real_squares);
GRADIENT(logsumexp_backward, &real_greatest, &real_shifted);

static bool add_dimension(int64_t dim, int rank, unsigned *mask)
{
    const int most = rank > 0 ? rank : 1;
    if (dim < -most || dim >= most || *mask >> (dim < 0 ? dim + most : dim) & 1) {
        return false;
    }
    *mask |= 1U << (dim < 0 ? dim + most : dim);
    return true;
}

/* Sets bit d of *mask if dimension d belongs to the row; false if `dim` is absent, out of range or twice. */
static bool row_mask(const struct step *step, const struct recipe *recipe, unsigned *mask)
{
    const int rank = step->input[recipe->gradient].shape.rank;
    const bool single = recipe->maps && !recipe->gradient;
    const struct integers *dims = attributes_integers(&step->attributes, "dim");
    bool good = true;
    *mask = single || (dims && (dims->count > 0 || recipe->none)) ? 0 : (1U << rank) - 1;
    if (single) {
        good = attributes_given(&step->attributes, "dim") &&
               add_dimension(attributes_integer(&step->attributes, "dim", 0), rank, mask);
    }
    for (int k = 0; dims && k < dims->count && good; k++) {
        good = add_dimension(dims->item[k], rank, mask);
    }
    *mask &= (1U << rank) - 1;
    return good;
}

static void plan_recipe(struct vk_plan *plan, struct vk_rows_arguments *a, const struct recipe *recipe,
                        enum dtype dtype)
{
    const bool whole = !dtype_is_floating(dtype);
    const struct part *end = whole ? recipe->whole_end : recipe->end;
    vk_rows_check(plan, a);
    if (recipe->held && vk_rows_held(plan, recipe->held->shader[dtype], dtype, a)) {
        return;
    }
    for (int k = 0; k < PASSES; k++) {
        a->statistic[k] = vk_plan_scratch(plan, (uint64_t)a->rows * 8 + 8);
    }
    for (int k = 0; k < (whole ? 1 : PASSES) && recipe->pass[k]; k++) {
        vk_rows_pass(plan, *a, (whole ? recipe->whole : recipe->pass[k])->shader[dtype], a->statistic[k]);
    }
    if (recipe->maps) {
        vk_rows_map(plan, end->shader[dtype], dtype, a);
    } else {
        vk_rows_end(plan, end->shader[dtype], a->rows, a);
    }
}

static void take_apart(struct vk_plan *plan, const struct view *x, unsigned gone,
                       struct vk_view_argument *kept, struct vk_view_argument *reduced)
{
    const struct vk_view_argument whole = vk_plan_view(plan, x);
    *kept = vk_view_only(&whole, ~gone);
    *reduced = vk_view_only(&whole, gone);
    reduced->offset = 0;
}

uint64_t vk_rows_sums(struct vk_plan *plan, uint64_t terms, uint32_t rows, uint32_t count, enum dtype wide)
{
    struct vk_rows_arguments a = {.kept = vk_view_line(terms, rows, count),
                                  .reduced = vk_view_line(terms, count, 1),
                                  .rows = rows,
                                  .terms = count};
    vk_rows_check(plan, &a);
    const uint64_t state = vk_plan_scratch(plan, (uint64_t)rows * 8 + 8);
    a.statistic[0] = a.statistic[1] = state; /* the shader reads them for terms that use statistics */
    vk_rows_pass(plan, a, real_total.shader[wide], state);
    return state;
}

uint64_t vk_rows_sum_of(struct vk_plan *plan, const struct view *x)
{
    struct vk_rows_arguments a = {.rows = 1};
    take_apart(plan, x, 1U << (VK_RANK_MAX - 1), &a.kept, &a.reduced);
    a.terms = a.reduced.elements;
    vk_rows_check(plan, &a);
    const uint64_t state = vk_plan_scratch(plan, 16);
    a.statistic[0] = a.statistic[1] = state;
    vk_rows_pass(plan, a, real_total.shader[x->dtype], state);
    return state;
}

static void end(struct vk_plan *plan, struct vk_rows_arguments *a, const struct part *part,
                const struct view *result)
{
    a->result = vk_plan_elements(plan, result);
    a->rows = a->result.elements;
    a->terms = 1;
    vk_rows_end(plan, part->shader[result->dtype], a->rows, a);
}

void vk_rows_values(struct vk_plan *plan, uint64_t sums, const struct view *result)
{
    struct vk_rows_arguments a = {.statistic = {sums, sums}};
    end(plan, &a, &real_value, result);
}

void vk_rows_total(struct vk_plan *plan, uint64_t terms, uint32_t count, const double *divisor,
                   const struct view *result)
{
    const enum dtype wide = result->dtype == DTYPE_FLOAT64 ? DTYPE_FLOAT64 : DTYPE_FLOAT32;
    const uint64_t state = vk_rows_sum(plan, terms, count, wide);
    struct vk_rows_arguments a = {.statistic = {state, state},
                                  .count = vk_real_bits(wide, divisor ? *divisor : 1)};
    end(plan, &a, divisor ? &real_mean : &real_value, result);
}

void vk_rows_ratio(struct vk_plan *plan, uint64_t dividend, uint64_t divisor, const struct view *result)
{
    struct vk_rows_arguments a = {.statistic = {dividend, divisor}};
    end(plan, &a, &real_ratio, result);
}

struct vk_rows_logarithms vk_rows_logarithms(struct vk_plan *plan, const struct view *x, int dim,
                                             bool surprises, const struct view *weight)
{
    const bool wide = x->dtype == DTYPE_FLOAT64;
    const unsigned gone = 1U << (VK_RANK_MAX - x->shape.rank + dim);
    struct vk_rows_arguments a = {.count = 0};
    take_apart(plan, x, gone, &a.kept, &a.reduced);
    a.rows = a.kept.elements;
    a.terms = a.reduced.elements;
    vk_rows_check(plan, &a);
    if (surprises && weight && vk_plan_route(plan) == VK_WIDE) {
        vk_plan_fail(plan, LAUNCH_UNSUPPORTED, "label smoothing with weights"); /* a pass of two operands */
    }
    const uint64_t room = (uint64_t)a.rows * 8 + 8;
    const struct vk_rows_logarithms to = {vk_plan_scratch(plan, room), vk_plan_scratch(plan, room),
                                          vk_plan_scratch(plan, room), vk_plan_scratch(plan, room)};
    a.statistic[0] = to.greatest;
    a.statistic[1] = to.sum;
    vk_rows_pass(plan, a, real_greatest.shader[x->dtype], to.greatest);
    vk_rows_pass(plan, a, real_exponentials.shader[x->dtype], to.sum);
    struct vk_rows_arguments log = a;
    log.result = vk_view_line(to.logarithm, a.rows, wide ? 1 : 2);
    vk_rows_end(plan, real_logarithm.shader[wide ? DTYPE_FLOAT64 : DTYPE_FLOAT32], a.rows, &log);
    if (surprises) {
        a.statistic[1] = to.logarithm;
        if (weight) {
            struct view each = view_broadcast(weight, &x->shape);
            take_apart(plan, &each, gone, &a.other_kept, &a.other_reduced);
        }
        vk_rows_pass(plan, a, (weight ? &real_weighed_surprises : &real_surprises)->shader[x->dtype],
                     to.surprises);
    }
    return to;
}

/* Broadcasts *each, with one number for each row, to the elements of x; false if the shape does not fit. */
static bool along_rows(const struct view *x, unsigned mask, bool keep, struct view *each)
{
    const struct view number = *each;
    int from = 0;
    bool good = true;
    each->shape = x->shape;
    for (int d = 0; d < x->shape.rank && good; d++) {
        const bool gone = mask >> d & 1;
        each->stride[d] = 0;
        if (!gone || keep) {
            good = from < number.shape.rank && number.shape.dim[from] == (gone ? 1 : x->shape.dim[d]);
            each->stride[d] = gone ? 0 : number.stride[from];
            from++;
        }
    }
    return good && from == number.shape.rank;
}

/* Splits the dimensions of the operands, and of the result of a map, into those of the row and the others. */
static bool take_views(struct vk_plan *plan, const struct step *step, const struct recipe *recipe,
                       unsigned mask, struct vk_rows_arguments *a)
{
    const bool two = step->inputs > 1, maps = recipe->maps;
    struct view x = step->input[recipe->gradient], y = step->output[0], other = step->input[two];
    const bool keep = attributes_integer(&step->attributes, "keepdim", 0) != 0;
    if (recipe->gradient) {
        other = step->input[0];
        if (other.dtype != x.dtype || !along_rows(&x, mask, keep, &other)) {
            vk_plan_fail(plan, LAUNCH_REJECTED, "%s: grad_output is not as the input reduced",
                         step->op->name);
            return false;
        }
    }
    const unsigned whole = mask;
    const int rank = x.shape.rank;
    int place[RANK_MAX];
    vk_plan_fold(plan, maps ? 2 + two : 1, (struct view *const[]){&x, &y, &other}, whole ^ whole << 1, place);
    mask = 0;
    for (int d = 0; d < rank; d++) {
        mask |= (whole >> d & 1) << place[d];
    }
    if (!vk_plan_is_good(plan)) {
        return false;
    }
    const unsigned gone = mask << (VK_RANK_MAX - x.shape.rank);
    take_apart(plan, &x, gone, &a->kept, &a->reduced);
    if (two) {
        take_apart(plan, &other, gone, &a->other_kept, &a->other_reduced);
    }
    if (maps) {
        take_apart(plan, &y, gone, &a->result, &a->result_terms);
    } else {
        a->result = vk_plan_elements(plan, &y);
    }
    return vk_plan_is_good(plan);
}

/* clang-format off */
#define OPERATORS(OP) \
    OP(amax) OP(amin) OP(sum) OP(nansum) OP(prod) OP(mean) OP(any) OP(all) OP(count_nonzero) \
    OP(logsumexp) OP(var) OP(std) OP(softmax) OP(softmin) OP(log_softmax) OP(softmax_backward) \
    OP(log_softmax_backward) OP(sum_backward) OP(mean_backward) OP(amax_backward) OP(amin_backward) \
    OP(var_backward) OP(std_backward) OP(logsumexp_backward)
/* clang-format on */
#define NUMBER(name) NUMBER_##name,
#define RECIPE(name) &name,
#define VK_OP(name_) {.name = #name_, .variant = NUMBER_##name_, .plan = plan_rows},
enum { OPERATORS(NUMBER) };
static const struct recipe *const recipes[] = {OPERATORS(RECIPE)};

static void plan_rows(struct vk_plan *plan, const struct step *step)
{
    const struct recipe *recipe = recipes[vk_plan_variant(plan)];
    const struct view *x = &step->input[recipe->gradient];
    const struct part *last = dtype_is_floating(x->dtype) ? recipe->end : recipe->whole_end;
    struct vk_rows_arguments a = {.rows = 0};
    unsigned mask = 0;
    int64_t terms = 1;
    if (!last || !last->shader[x->dtype]) {
        vk_plan_fail(plan, LAUNCH_UNSUPPORTED, "%s of %s", step->op->name, dtype_info(x->dtype)->name);
    } else if (!row_mask(step, recipe, &mask)) {
        vk_plan_fail(plan, LAUNCH_REJECTED, "%s: a dimension is missing, out of range, or named twice",
                     step->op->name);
    }
    for (int d = 0; d < x->shape.rank; d++) {
        terms *= mask >> d & 1 ? x->shape.dim[d] : 1;
    }
    if (terms == 0 && recipe->needs_terms) {
        vk_plan_fail(plan, LAUNCH_REJECTED, "%s: rows are empty", step->op->name);
    }
    if (!vk_plan_is_good(plan) || !take_views(plan, step, recipe, mask, &a)) {
        return;
    }
    int64_t degrees = terms - attributes_integer(&step->attributes, "correction", 1);
    a.count = vk_real_bits(x->dtype, (double)terms);
    a.degrees = vk_real_bits(x->dtype, degrees > 0 ? (double)degrees : 0);
    a.terms = a.reduced.elements;
    a.rows = a.kept.elements;
    if (a.rows > 0 && (a.terms > 0 || !recipe->maps)) {
        plan_recipe(plan, &a, recipe, x->dtype);
    }
}

/* Route wide needs rows that are long enough for a workgroup. */
static bool wide_pays(const struct vk_plan *plan, const struct step *step)
{
    enum { TERMS_LEAST = 256 };
    const struct shape *shape = &step->input[0].shape;
    unsigned mask = 0;
    int64_t terms = 1;
    if (vk_plan_is_on_cpu(plan) || !row_mask(step, recipes[vk_plan_variant(plan)], &mask)) {
        return false;
    }
    for (int d = 0; d < shape->rank; d++) {
        terms *= mask >> d & 1 ? shape->dim[d] : 1;
    }
    return terms >= TERMS_LEAST;
}

/* Those whose passes and maps have one operand and are no products. */
#define WIDE_OP(name_)                                                                                       \
    {.name = #name_, .route = VK_WIDE, .variant = NUMBER_##name_, .plan = plan_rows, .pays = wide_pays},
/* clang-format off */
#define WIDE_OPERATORS(OP) \
    OP(amax) OP(amin) OP(sum) OP(nansum) OP(mean) OP(any) OP(all) OP(count_nonzero) \
    OP(logsumexp) OP(var) OP(std) OP(softmax) OP(softmin) OP(log_softmax)
/* clang-format on */
static const struct vk_op ops[] = {OPERATORS(VK_OP) WIDE_OPERATORS(WIDE_OP)};
const struct vk_op_set vk_op_set_rows = {ops, sizeof ops / sizeof *ops};
