/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/adapters/test/captured.h"

/* Tests assay_capture.py: programs compute the same with it, and what it writes is a bundle of assay for each
 * call, in the order of execution. */

TestSuite(assay_capture, .init = trial_begin, .fini = trial_end, .timeout = 600);

static void same_with_and_without(const char *program, int least, const char *modules[][3])
{
    trial_needs_modules("torch");
    char words[512], digest[128];
    snprintf(words, sizeof words, "harness/adapters/test/%s", program);
    python(words);
    expect(0, "digest ");
    snprintf(digest, sizeof digest, "%.70s", strstr(trial->output, "digest "));
    snprintf(words, sizeof words,
             "-m assay_capture --step 1 --output \"$FOLDER/c\" harness/adapters/test/%s --steps 2", program);
    python(words);
    expect(0, digest);
    expect(0, " calls of step 1 in ");
    json_t *capture = capture_of("c");
    cr_expect(json_is_true(json_object_get(capture, "complete")));
    cr_expect(json_is_null(json_object_get(capture, "reason")));
    cr_expect_str_eq(text(capture, "script"), program);
    cr_expect_str_eq(text(capture, "device"), "cpu");
    cr_expect_eq(json_integer_value(json_object_get(capture, "step")), 1);
    cr_expect_geq(expect_calls("c", capture), least);
    for (int m = 0; modules[m][0]; m++) {
        cr_expect_str_eq(text(first(capture, modules[m][0], modules[m][1]), "module"), modules[m][2], "%s",
                         modules[m][0]);
    }
    json_decref(capture);
}

Test(assay_capture, a_perceptron_computes_the_same)
{
    same_with_and_without("capture_mlp.py", 80,
                          (const char *[][3]){{"linear", "forward", "first"},
                                              {"batch_norm", "forward", "normalized"},
                                              {"relu", "forward", "Mlp"},
                                              {"softmax", "forward", "Mlp"},
                                              {"layer_norm", "forward", "layer"},
                                              {"silu", "forward", "tail.3"},
                                              {"cross_entropy", "forward", ""},
                                              {"batch_norm_backward", "backward", ""},
                                              {"layer_norm_backward", "backward", ""},
                                              {"matmul", "backward", ""},
                                              {"add_", "optimizer", ""},
                                              {NULL}});
}

Test(assay_capture, a_transformer_computes_the_same_takes_seconds)
{
    same_with_and_without("capture_transformer.py", 300,
                          (const char *[][3]){{"layer_norm", "forward", "blocks.0.norm1"},
                                              {"softmax", "forward", "blocks.0.attention"},
                                              {"linear", "forward", "blocks.0.attention.out"},
                                              {"gelu", "forward", "blocks.0"},
                                              {"cross_entropy", "forward", ""},
                                              {"softmax_backward", "backward", ""},
                                              {"addcdiv_", "optimizer", ""},
                                              {NULL}});
}

/* Expects that assay names the call of an operator with a wrong kernel as the first wrong one, and judges all
 * calls right without it. */
static void planted(const char *program, const char *operator_name)
{
    char words[512], found[256];
    snprintf(words, sizeof words,
             "-m assay_capture --output \"$FOLDER/c\" harness/adapters/test/%s --steps 1%s%s", program,
             operator_name ? " --plant " : "", operator_name ? operator_name : "");
    python(words);
    expect(0, " calls of step 0 in ");
    trial_run("repro FOLDER/c");
    if (!operator_name) {
        expect(0, " right, 0 wrong, ");
        return;
    }
    json_t *capture = capture_of("c");
    const json_t *call = first(capture, operator_name, "forward");
    const char *module = text(call, "module");
    snprintf(found, sizeof found, "first wrong: call %lld, %s%s%s (forward)\n",
             (long long)json_integer_value(json_object_get(call, "call")), operator_name,
             module[0] ? " in " : "", module);
    cr_expect_eq(trial->status, 1, "%s", trial->output);
    cr_expect(strstr(trial->output, found), "%s%s", found, trial->output);
    json_decref(capture);
}

static void plant_each(const char *program)
{
    trial_needs_modules("torch");
    planted(program, NULL);
    planted(program, "linear");
    planted(program, "layer_norm");
    planted(program, "softmax");
    planted(program, "cross_entropy");
}

Test(assay_capture, a_wrong_operator_of_a_perceptron_takes_seconds)
{
    plant_each("capture_mlp.py");
}

Test(assay_capture, a_wrong_operator_of_a_transformer_takes_seconds)
{
    plant_each("capture_transformer.py");
}

/* --- options */

Test(assay_capture, options_of_operators_and_size_takes_seconds)
{
    trial_needs_modules("torch");
    python("-m assay_capture --output \"$FOLDER/c\" --operators 'layer_norm*' "
           "harness/adapters/test/capture_mlp.py");
    expect(0, "2 calls of step 0 in ");
    json_t *capture = capture_of("c");
    cr_expect_eq(expect_calls("c", capture), 2);
    json_decref(capture);
    python("-m assay_capture --output \"$FOLDER/c\" --limit 20K harness/adapters/test/capture_mlp.py");
    expect(0, "incomplete: the limit of 20 KiB was reached at call ");
    capture = capture_of("c");
    cr_expect(json_is_false(json_object_get(capture, "complete")));
    cr_expect(strstr(text(capture, "reason"), "the limit of 20 KiB was reached at call "));
    int recorded = expect_calls("c", capture);
    cr_expect(recorded > 2 && recorded < 40, "%d", recorded);
    json_decref(capture);
    python("-m assay_capture --limit none harness/adapters/test/capture_mlp.py");
    expect(2, "'none' is no size");
    python("-m assay_capture \"$FOLDER/none.py\"");
    expect(2, "there is no script ");
}

Test(assay_capture, directories_of_others_are_refused)
{
    trial_needs_modules("torch");
    trial_write("one.py", "import torch\ntorch.relu(torch.ones(3))\n");
    python("-m assay_capture --output \"$FOLDER\" \"$FOLDER/one.py\"");
    expect(2, "holds other files than a capture (one.py)");
    cr_expect(trial_has("one.py"));
    python("-m assay_capture --output \"$FOLDER/one.py\" \"$FOLDER/one.py\"");
    expect(2, "cannot hold a capture: File exists");
}

Test(assay_capture, an_exception_leaves_a_part_takes_seconds)
{
    trial_needs_modules("torch");
    python("-m assay_capture --step 1 --output \"$FOLDER/c\" harness/adapters/test/capture_mlp.py --fail");
    expect(1, "ValueError: the data is bad");
    json_t *capture = capture_of("c");
    cr_expect(json_is_false(json_object_get(capture, "complete")));
    cr_expect_str_eq(text(capture, "reason"), "the program ended with ValueError");
    cr_expect_gt(expect_calls("c", capture), 10);
    json_decref(capture);
    python("-m assay_capture --step 5 --output \"$FOLDER/c\" harness/adapters/test/capture_mlp.py");
    expect(1, "the program has only 2 steps: step 5 was never reached");
    capture = capture_of("c");
    cr_expect_eq(json_array_size(json_object_get(capture, "calls")), 0);
    json_decref(capture);
}

/* Normalizations, losses, reductions and their gradients, autocast, and optimizers one by one and on lists.
 */
Test(assay_capture, many_forms_of_calls_takes_seconds)
{
    trial_needs_modules("torch");
    python("harness/adapters/test/capture_forms.py \"$FOLDER/c\"");
    expect(0, "");
    json_t *capture = capture_of("c");
    cr_expect(json_is_true(json_object_get(capture, "complete")));
    cr_expect_geq(expect_calls("c", capture), 450);
    static const char *const ops[][2] = {{"group_norm_backward", "backward"},
                                         {"batch_norm_backward", "backward"},
                                         {"layer_norm_backward", "backward"},
                                         {"elu_backward", "backward"},
                                         {"glu_backward", "backward"},
                                         {"huber_loss_backward", "backward"},
                                         {"vector_norm", "forward"},
                                         {"nll_loss", "forward"},
                                         {"cross_entropy", "forward"},
                                         {"to", "forward"},
                                         {"maximum", "optimizer"},
                                         {"addcmul_", "optimizer"},
                                         {"sqrt", "optimizer"}};
    for (size_t n = 0; n < sizeof ops / sizeof *ops; n++) {
        first(capture, ops[n][0], ops[n][1]);
    }
    json_decref(capture);
}

/* Operands with strides, an offset and common memory; numbers; attributes; a program that captures itself and
 * counts its own steps. */
Test(assay_capture, a_program_captures_itself_takes_seconds)
{
    trial_needs_modules("torch");
    trial_write("own.py",
                "import sys, torch, assay_capture\n"
                "x, whole = torch.randn(6, 8), torch.arange(12, dtype=torch.int32).view(3, 4)\n"
                "with assay_capture.capture(sys.argv[1], step=1, explicit=True):\n"
                "    torch.exp(x); assay_capture.step()\n"
                "    x[1:, ::2].t().add_(x[1:, 1::2].t(), alpha=0.1); x.mul_(x); x.clamp(min=-0.5); 1 - x\n"
                "    x.bfloat16() * 0.5; x.bfloat16() * 0.3; whole * 3; whole.sum(1); x.masked_fill(x > 0, "
                "-torch.inf)\n"
                "    torch.nn.functional.gelu(x, approximate='tanh'); x.var((0, 1)); x.double() + x; "
                "assay_capture.step()\n"
                "    torch.sin(x)\n");
    python("\"$FOLDER/own.py\" \"$FOLDER/c\"");
    expect(0, "");
    json_t *capture = capture_of("c");
    cr_expect_eq(expect_calls("c", capture), 13, "%s", trial->output);
    static const char *const rows[][2] = {
        {"add_"},   {"mul_"},
        {"clamp_"}, {"sub"},
        {"to"},     {"mul"},
        {"to"},     {"", "the number 0.3, which bfloat16 does not hold"},
        {"mul"},    {"sum", "a result of another dtype than its operands"},
        {"gt"},     {"masked_fill_"},
        {"gelu"},   {"var"},
        {"to"},     {"", "operands of different dtypes, of which PyTorch converts some"}};
    cr_expect_eq(json_array_size(json_object_get(capture, "calls")), sizeof rows / sizeof *rows);
    for (size_t c = 0; c < sizeof rows / sizeof *rows; c++) {
        const json_t *call = json_array_get(json_object_get(capture, "calls"), c);
        cr_expect_str_eq(text(call, "op"), rows[c][0], "call %zu", c);
        cr_expect_str_eq(text(call, "why"), rows[c][1] ? rows[c][1] : "", "call %zu", c);
    }
    json_decref(capture);
}
