/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "reference/test/support.h"

static struct accept accept_value(enum dtype dtype, const struct profile *profile, double truth, double error)
{
    struct value value = value_of(truth);
    struct accept accept;
    accept_default(&accept, dtype, profile, &value, error);
    return accept;
}

Test(accept, rule_1_nan_only_for_nan)
{
    struct profile ieee = profile_ieee();
    struct accept accept = accept_value(DTYPE_FLOAT32, &ieee, NAN, 0);
    cr_assert(accepts_double(&accept, NAN));
    cr_assert(accepts_double(&accept, -NAN));
    cr_assert_not(accepts_double(&accept, 0));
    cr_assert_not(accepts_double(&accept, INFINITY));
    accept = accept_value(DTYPE_FLOAT32, &ieee, 1, 0.5);
    cr_assert_not(accepts_double(&accept, NAN));
}

Test(accept, rule_2_the_same_infinity)
{
    struct profile ieee = profile_ieee();
    struct accept accept = accept_value(DTYPE_FLOAT16, &ieee, -INFINITY, 0);
    cr_assert(accepts_double(&accept, -INFINITY));
    cr_assert_not(accepts_double(&accept, INFINITY));
    cr_assert_not(accepts_double(&accept, -65504));
    cr_assert_not(accepts_double(&accept, NAN));
    accept = accept_value(DTYPE_FLOAT16, &ieee, INFINITY, 0);
    cr_assert(accepts_double(&accept, INFINITY));
    cr_assert_not(accepts_double(&accept, NAN));
    cr_assert_not(accepts_double(&accept, -INFINITY));
}

Test(accept, rule_3_within_the_bound_and_no_further)
{
    struct profile ieee = profile_ieee();
    struct value value = value_from_dd(1.5, 0x1p-60); /* not a float32 */
    struct accept accept;
    accept_default(&accept, DTYPE_FLOAT32, &ieee, &value, 0x1p-20);
    /* B = 2^-20 + 2^-24·1.5 = 17.5·2^-24: eight units of 2^-23 above 1.5 are in, nine are out */
    cr_assert(accepts_double(&accept, 1.5 + 8 * 0x1p-23));
    cr_assert_not(accepts_double(&accept, 1.5 + 9 * 0x1p-23));
    cr_assert(accepts_double(&accept, 1.5 - 8 * 0x1p-23));
    cr_assert_not(accepts_double(&accept, 1.5 - 9 * 0x1p-23));
    cr_assert_eq(accept.set[0].radius, 0x1p-20 + 1.5 * 0x1p-24);
}

Test(accept, rule_3_what_is_representable_and_rounded_once_is_exact)
{
    struct profile ieee = profile_ieee();
    struct accept accept = accept_value(DTYPE_FLOAT32, &ieee, 1, 0);
    cr_assert(accepts_double(&accept, 1));
    cr_assert_not(accepts_double(&accept, 1 - 0x1p-24));
    cr_assert_not(accepts_double(&accept, 1 + 0x1p-23));
    accept = accept_value(DTYPE_FLOAT32, &ieee, 0.1, 0); /* no float32: both neighbours are within u|truth| */
    cr_assert(accepts_double(&accept, (double)0.1F));
    cr_assert_not(accepts_double(&accept, (double)nextafterf(0.1F, 1)));
}

Test(accept, rule_3_open_rounding_doubles_u)
{
    struct profile open = profile_ieee();
    open.rounding[DTYPE_FLOAT32] = ROUNDING_OPEN;
    struct profile ieee = profile_ieee();
    double truth = 1.75 + 0x1p-25,
           far = 1.75 + 0x1p-23; /* a neighbour that only the other direction reaches */
    struct accept strict = accept_value(DTYPE_FLOAT32, &ieee, 1 + 0x1p-25, 0);
    struct accept loose = accept_value(DTYPE_FLOAT32, &open, 1 + 0x1p-25, 0);
    cr_assert_not(accepts_double(&strict, 1 + 0x1p-23));
    cr_assert(accepts_double(&loose, 1 + 0x1p-23));
    cr_assert_eq(accept_value(DTYPE_FLOAT32, &open, truth, 0).set[0].radius, 0x1p-23 * truth);
    (void)far;
}

Test(accept, rule_3_overflow)
{
    struct profile ieee = profile_ieee(), open = profile_ieee();
    open.rounding[DTYPE_FLOAT16] = ROUNDING_OPEN;
    struct accept accept = accept_value(DTYPE_FLOAT16, &ieee, 1e6, 0);
    cr_assert(accepts_double(&accept, INFINITY));
    cr_assert_not(accepts_double(&accept, 65504));
    cr_assert_not(accepts_double(&accept, -INFINITY));
    accept = accept_value(DTYPE_FLOAT16, &open, 1e6, 0);
    cr_assert(accepts_double(&accept, INFINITY));
    cr_assert(accepts_double(&accept, 65504));
    cr_assert_not(accepts_double(&accept, -65504));
    accept = accept_value(DTYPE_FLOAT16, &open, -1e6, 0);
    cr_assert(accepts_double(&accept, -65504));
    cr_assert_not(accepts_double(&accept, 65504));
    accept = accept_value(DTYPE_FLOAT16, &ieee, 65519, 0); /* rounds to MAX, and MAX + ulp/2 is within B */
    cr_assert(accepts_double(&accept, 65504));
    accept = accept_value(DTYPE_FLOAT16, &ieee, 60000, 0);
    cr_assert_not(accepts_double(&accept, INFINITY));
    accept = accept_value(DTYPE_FLOAT16, &ieee, 65440, 200); /* below MAX, but B goes beyond MAX + ulp/2 */
    cr_assert(accepts_double(&accept, INFINITY));
    cr_assert_not(accepts_double(&accept, -INFINITY));
    accept = accept_value(DTYPE_FLOAT16, &ieee, 1000, 70000); /* the bound spans the whole range */
    cr_assert(accepts_double(&accept, INFINITY) && accepts_double(&accept, -INFINITY));
}

Test(accept, rule_3_underflow_unit)
{
    struct profile ieee = profile_ieee();
    struct accept accept = accept_value(DTYPE_FLOAT16, &ieee, 0x1.8p-25, 0); /* 3/4 of the least subnormal */
    cr_assert(accepts_double(&accept, 0x1p-24));
    cr_assert(accepts_double(&accept, 0));
    cr_assert_not(accepts_double(&accept, 0x1p-23));
}

Test(accept, rule_4_union_never_hull)
{
    struct profile flush = profile_ieee();
    flush.subnormals[DTYPE_FLOAT32] = SUBNORMALS_MAY_FLUSH;
    double x = 0x1p-140;
    struct tensor tensor = tensor_from(DTYPE_FLOAT32, shape_of(1, (int64_t)1), &x);
    struct truth *truth = truth_of_call("sgn", NULL, 1, &tensor);
    struct accept accept = accept_of("sgn", NULL, &flush, truth, 0, 0, false);
    cr_assert(accepts_double(&accept, 1));
    cr_assert(accepts_double(&accept, 0));
    cr_assert_not(accepts_double(&accept, 0.5));
    cr_assert_not(accepts_double(&accept, -1));
    struct profile ieee = profile_ieee();
    accept = accept_of("sgn", NULL, &ieee, truth, 0, 0, false);
    cr_assert_not(accepts_double(&accept, 0));
    truth_destroy(&truth);
    tensor_destroy(&tensor);
}

Test(accept, rule_4_a_subnormal_result_may_be_flushed)
{
    struct profile flush = profile_ieee();
    flush.subnormals[DTYPE_FLOAT32] = SUBNORMALS_MAY_FLUSH;
    struct accept accept = accept_value(DTYPE_FLOAT32, &flush, 0x1p-130, 0);
    cr_assert(accepts_double(&accept, 0));
    cr_assert(accepts_double(&accept, 0x1p-130));
    accept = accept_value(DTYPE_FLOAT32, &flush, 0x1p-126, 0);
    cr_assert_not(accepts_double(&accept, 0));
}

Test(accept, rule_5_sign_of_zero)
{
    struct profile ieee = profile_ieee();
    struct accept accept = accept_value(DTYPE_FLOAT32, &ieee, -0.0, 0);
    cr_assert(accepts_double(&accept, -0.0));
    cr_assert_not(accepts_double(&accept, 0.0));
    unsigned char plus[4] = {0};
    cr_assert_eq(accept_judge(&accept, plus).rule, RULE_ZERO_SIGN);
    accept = accept_value(DTYPE_FLOAT32, &ieee, 0.0, 0);
    cr_assert(accepts_double(&accept, 0.0));
    cr_assert_not(accepts_double(&accept, -0.0));
}

Test(accept, special_values_are_only_judged_where_they_are_promised)
{
    struct profile profile = profile_ieee();
    profile.special_values[DTYPE_FLOAT32] = false;
    struct accept accept = accept_value(DTYPE_FLOAT32, &profile, NAN, 0);
    cr_assert(accepts_double(&accept, 7));
    accept = accept_value(DTYPE_FLOAT32, &profile, -0.0, 0);
    cr_assert(accepts_double(&accept, 0.0));
    accept = accept_value(DTYPE_FLOAT32, &profile, 2, 0);
    cr_assert_not(accepts_double(&accept, 3));
}

Test(accept, rule_7_conventions_of_sgn)
{
    double x[2] = {NAN, -0.0};
    struct tensor tensor = tensor_from(DTYPE_FLOAT32, shape_of(1, (int64_t)2), x);
    struct truth *truth = truth_of_call("sgn", NULL, 1, &tensor);
    struct profile profile = profile_ieee();
    struct accept nan = accept_of("sgn", NULL, &profile, truth, 0, 0, false);
    struct accept zero = accept_of("sgn", NULL, &profile, truth, 0, 1, false);
    cr_assert(accepts_double(&nan, NAN) && !accepts_double(&nan, 0) && !accepts_double(&nan, 1));
    cr_assert(accepts_double(&zero, -0.0) && !accepts_double(&zero, 0.0));
    profile.sgn_nan[DTYPE_FLOAT32] = SGN_NAN_IS_ZERO;
    profile.sgn_zero[DTYPE_FLOAT32] = SGN_ZERO_POSITIVE;
    nan = accept_of("sgn", NULL, &profile, truth, 0, 0, false);
    zero = accept_of("sgn", NULL, &profile, truth, 0, 1, false);
    cr_assert(accepts_double(&nan, 0) && !accepts_double(&nan, NAN) && !accepts_double(&nan, 1));
    cr_assert(accepts_double(&zero, 0.0) && !accepts_double(&zero, -0.0));
    truth_destroy(&truth);
    tensor_destroy(&tensor);
}

Test(accept, rule_8_complex_is_normwise)
{
    struct profile ieee = profile_ieee();
    struct value z[2] = {value_from_dd(0.6, 0x1p-70), value_from_dd(0.8, 0x1p-70)};
    struct accept accept;
    accept_default(&accept, DTYPE_COMPLEX64, &ieee, z, 0x1p-10);
    float in[2] = {0.6F + 0x1p-11F, 0.8F + 0x1p-11F}, out[2] = {0.6F + 0x1.8p-11F, 0.8F + 0x1.8p-11F};
    cr_assert(accept_judge(&accept, in).accepted);
    cr_assert_not(accept_judge(&accept, out).accepted);
    float nan[2] = {0.6F, NAN};
    cr_assert_not(accept_judge(&accept, nan).accepted);
    struct value half[2] = {value_of(NAN), value_of(1)};
    accept_default(&accept, DTYPE_COMPLEX64, &ieee, half, 0);
    float right[2] = {NAN, 1}, wrong[2] = {NAN, 2};
    cr_assert(accept_judge(&accept, right).accepted);
    cr_assert_not(accept_judge(&accept, wrong).accepted);
}

static bool accepts_complex(const struct accept *accept, double re, double im)
{
    float z[2] = {(float)re, (float)im};
    return accept_judge(accept, z).accepted;
}

Test(accept, rule_8_each_component_overflows_or_stays_at_max)
{
    struct profile open = profile_ieee(), ieee = profile_ieee();
    open.rounding[DTYPE_FLOAT32] = ROUNDING_OPEN;
    struct value z[2] = {value_of(1e39), value_of(-1e39)};
    double max = dtype_max(DTYPE_FLOAT32);
    struct accept accept;
    accept_default(&accept, DTYPE_COMPLEX64, &open, z, 0);
    cr_assert(accepts_complex(&accept, INFINITY, -INFINITY));
    cr_assert(accepts_complex(&accept, max, -max));
    cr_assert(accepts_complex(&accept, max, -INFINITY));
    cr_assert(accepts_complex(&accept, INFINITY, -max));
    cr_assert_not(accepts_complex(&accept, max, max));
    cr_assert_not(accepts_complex(&accept, max, 0));
    accept_default(&accept, DTYPE_COMPLEX64, &ieee, z, 0);
    cr_assert(accepts_complex(&accept, INFINITY, -INFINITY));
    cr_assert_not(accepts_complex(&accept, max, -max));
    cr_assert_not(accepts_complex(&accept, max, -INFINITY));
    struct value small_and_large[2] = {value_of(0x1p-130), value_of(1e39)};
    open.subnormals[DTYPE_FLOAT32] = SUBNORMALS_MAY_FLUSH;
    accept_default(&accept, DTYPE_COMPLEX64, &open, small_and_large, 0);
    cr_assert(accepts_complex(&accept, 0, max) && accepts_complex(&accept, 0, INFINITY));
    cr_assert(accepts_complex(&accept, 0x1p-130, max) && accepts_complex(&accept, 0x1p-130, INFINITY));
}

Test(accept, rule_8_one_of_two_subnormal_components_is_flushed)
{
    struct profile flush = profile_ieee();
    flush.subnormals[DTYPE_FLOAT32] = SUBNORMALS_MAY_FLUSH;
    struct value z[2] = {value_of(0x1p-130), value_of(-0x1p-131)};
    struct accept accept;
    accept_default(&accept, DTYPE_COMPLEX64, &flush, z, 0);
    cr_assert(accepts_complex(&accept, 0x1p-130, -0x1p-131));
    cr_assert(accepts_complex(&accept, 0, -0x1p-131));
    cr_assert(accepts_complex(&accept, 0x1p-130, 0));
    cr_assert(accepts_complex(&accept, 0, 0));
    cr_assert_not(accepts_complex(&accept, 0x1p-130, 0x1p-131));
    cr_assert_not(accepts_complex(&accept, 0x1p-129, 0));
}

Test(accept, the_edge_itself_is_decided_exactly)
{
    struct profile ieee = profile_ieee();
    struct value value = value_from_dd(1, 0x1p-70);
    struct accept accept;
    accept_default(&accept, DTYPE_FLOAT64, &ieee, &value, 0);
    accept.set[0].radius = 0x1p-30 - 0x1p-70; /* got − truth, to the last bit */
    cr_assert(accepts_double(&accept, 1 + 0x1p-30));
    accept.set[0].radius = nextafter(0x1p-30 - 0x1p-70, 0);
    cr_assert_not(accepts_double(&accept, 1 + 0x1p-30));
}

Test(accept, integers_are_exact_to_64_bits)
{
    struct profile ieee = profile_ieee();
    struct value value = value_from_dd(0x1p62, 1);
    struct accept accept;
    accept_default(&accept, DTYPE_INT64, &ieee, &value, 0);
    int64_t right = ((int64_t)1 << 62) + 1, wrong = (int64_t)1 << 62;
    cr_assert(accept_judge(&accept, &right).accepted);
    cr_assert_not(accept_judge(&accept, &wrong).accepted);
}

Test(profile, an_operator_that_keeps_its_own_dtype)
{
    struct profile profile = profile_ieee(), own;
    profile.accumulate[DTYPE_FLOAT16] = DTYPE_FLOAT32;
    profile.accumulate_own = (const char *const[]){"group_norm", NULL};
    own = profile_of_operator(&profile, "group_norm");
    cr_expect_eq(own.accumulate[DTYPE_FLOAT16], DTYPE_FLOAT16);
    cr_expect_eq(profile_accumulate_roundoff(&own, DTYPE_FLOAT16), 0x1p-11);
    own = profile_of_operator(&profile, "layer_norm");
    cr_expect_eq(own.accumulate[DTYPE_FLOAT16], DTYPE_FLOAT32, "the others keep what the profile says");
}

/* Truths come from stack, heap and cache: what lies between their members is anyone's, and must not decide
 * whether two alternatives are one (an element with two is left out of the bias test). */
Test(accept, equal_alternatives_are_one_whatever_lies_between_their_members)
{
    for (int filler = 0; filler < 256; filler += 85) {
        struct profile ieee = profile_ieee();
        struct accept accept, other;
        struct value value;
        memset(&accept, filler, sizeof accept);
        memset(&other, 255 - filler, sizeof other);
        memset(&value, filler, sizeof value);
        value.hi = 1.5;
        value.lo = 0x1p-60;
        value.exponent = 0;
        value.class = VALUE_FINITE;
        value.exact = value.meets = value.payload = value.special_input = value.open = false;
        accept_default(&accept, DTYPE_FLOAT32, &ieee, &value, 0x1p-20);
        unsigned char *centre = (unsigned char *)&other.set[0].component[0].centre;
        const struct value plain = value_from_dd(1.5, 0x1p-60);
        accept_default(&other, DTYPE_FLOAT32, &ieee, &plain, 0x1p-20);
        /* The padding behind value's last member, as another copy may leave it. */
        memset(centre + offsetof(struct value, meets) + 1, 255 - filler,
               sizeof(struct value) - offsetof(struct value, meets) - 1);
        other.set[0].component[1].special = 5; /* a real element has one component */
        accept_union(&accept, &other);
        cr_expect_eq(accept.sets, 1, "filler %d", filler);
        cr_expect_not(accept.incomplete);
    }
}

Test(accept, alternatives_that_judge_otherwise_are_kept)
{
    struct profile ieee = profile_ieee();
    struct accept accept = accept_value(DTYPE_FLOAT32, &ieee, 1, 0), other;
    const double truths[] = {0.0, -0.0, 2, NAN, INFINITY};
    for (int k = 0; k < 5; k++) {
        other = accept_value(DTYPE_FLOAT32, &ieee, truths[k], 0);
        accept_union(&accept, &other);
        accept_union(&accept, &other);
        cr_expect_eq(accept.sets, k + 2);
        cr_expect(accepts_double(&accept, truths[k]));
    }
    struct value wide = value_from_dd(3, 0x1p-60);
    accept_default(&accept, DTYPE_FLOAT32, &ieee, &wide, 0x1p-20);
    accept_default(&other, DTYPE_FLOAT32, &ieee, &wide, 0x1p-10); /* the same truth, another bound */
    accept_union(&accept, &other);
    cr_expect_eq(accept.sets, 2);
    cr_expect(accepts_double(&accept, 3 + 0x1p-10));
}

/* None may be dropped in silence: a result in it would be refused. */
Test(accept, more_alternatives_than_there_is_room_for_are_reported)
{
    struct profile ieee = profile_ieee();
    struct accept accept = accept_value(DTYPE_FLOAT32, &ieee, 0, 0);
    for (int k = 1; k < ACCEPT_SETS_MAX; k++) {
        accept_also(&accept, k);
        cr_assert_eq(accept.sets, k + 1);
        cr_assert_not(accept.incomplete);
    }
    accept_also(&accept, 1);
    cr_expect_not(accept.incomplete, "it is there already");
    accept_also(&accept, ACCEPT_SETS_MAX);
    cr_expect(accept.incomplete);
    struct accept other = accept_value(DTYPE_FLOAT32, &ieee, 0, 0);
    accept_union(&other, &accept);
    cr_expect(other.incomplete);
}

/* clamp_ with three flushable operands beside a flushed truth: more than six in the past. */
Test(accept, the_alternatives_of_a_flushed_clamp_all_hold)
{
    struct profile flush = profile_ieee();
    flush.subnormals[DTYPE_FLOAT32] = SUBNORMALS_MAY_FLUSH;
    struct accept accept = accept_value(DTYPE_FLOAT32, &flush, 0x1p-130, 0);
    const struct accept flushed = accept_value(DTYPE_FLOAT32, &flush, 0x1p-131, 0);
    for (int k = 0; k < 3; k++) {
        accept_also(&accept, 0x1p-140 * (k + 1));
    }
    accept_union(&accept, &flushed);
    const struct accept larger = accept_value(DTYPE_FLOAT32, &flush, 0x1p-127, 0);
    accept_union(&accept, &larger);
    cr_expect_not(accept.incomplete);
    cr_expect(accepts_double(&accept, 0x1p-127) && accepts_double(&accept, 0x1p-131) &&
              accepts_double(&accept, 3 * 0x1p-140));
}
