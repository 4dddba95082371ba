/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/test/trial.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Tests the Python adapters: their shared base with only the standard library, the short names of the
 * backends, and each runtime at the smoke level if its package is installed (make adapters). */

TestSuite(adapters, .init = trial_begin, .fini = trial_end, .timeout = 600);

/* Runs the test's own adapter and reads its records. */
static void base(const char *level, const char *globs)
{
    trial_needs_python();
    trial_run("run %s --level %s --jobs 1 --no-rerun --results FOLDER/r --backend "
              "exec:exec${IFS}python3${IFS}harness/test/programs/base_program.py",
              globs, level);
    trial_read("r");
    cr_assert_gt(trial->results.records, 0, "%s", trial->output);
}

/* Expects that every record of one operator has this status and contains `word`. */
static void expect_all(const char *operator_name, enum status status, const char *word)
{
    int found = 0;
    for (int r = 0; r < trial->results.records; r++) {
        const struct record *record = &trial->results.record[r];
        if (strstr(record->id, operator_name)) {
            found++;
            cr_expect_eq(record->status, status, "%s: %s", record->id, status_name(record->status));
            cr_expect(record->reason && strstr(record->reason, word), "%s: %s", record->id,
                      record->reason ? record->reason : "");
        }
    }
    cr_expect_gt(found, 0, "%s", operator_name);
}

static int passed(const char *word)
{
    int found = 0;
    for (int r = 0; r < trial->results.records; r++) {
        const struct record *record = &trial->results.record[r];
        found += record->status == STATUS_PASS && strstr(record->id, word);
    }
    return found;
}

/* Covers all of clamp_: strides and offsets, absent limits, refusals, attributes that change from step to
 * step; with a library that prints and reads where only the protocol may. */
Test(adapters, base_reads_and_writes_in_place)
{
    base("standard", "inplace/clamp_/float32/grid-* inplace/clamp_/float32/m* inplace/clamp_/int32/m* "
                     "inplace/clamp_/*32/refuse* inplace/clamp_/*32/chain-* inplace/clamp_/*32/broadcast-* "
                     "inplace/clamp_/*32/accept-* inplace/clamp_/*32/length-* inplace/fill_/float32/value-* "
                     "elementwise/sign/float32/repeat-*");
    cr_expect_eq(trial->status, 0, "%s", trial->output);
    cr_expect_geq(passed("clamp_/float32/grid-self-"), 12, "%s", trial->output);
    cr_expect_geq(passed("clamp_/float32/grid-min-expanded"), 2);
    cr_expect_geq(passed("clamp_/float32/min") + passed("clamp_/float32/max"), 10, "%s", trial->output);
    cr_expect_geq(passed("clamp_/float32/refuse"), 8, "%s", trial->output);
    cr_expect_geq(passed("clamp_/float32/refused-between-updates"), 1);
    cr_expect_geq(passed("clamp_/float32/chain-attributes"), 2, "%s", trial->output);
    cr_expect_geq(passed("clamp_/int32/refuse-float-other"), 1, "%s", trial->output);
    cr_expect_eq(passed("fill_/float32/value-"), 7, "NaN and infinities come as words: %s", trial->output);
    cr_expect_gt(passed("sign/float32/"), 3, "%s", trial->output);
    cr_expect_eq(trial_records(STATUS_UNSUPPORTED) + trial_records(STATUS_VACUOUS), 0, "%s", trial->output);
}

Test(adapters, base_tells_exceptions_apart)
{
    base("smoke",
         "linalg/logdet/float32/offset1 linalg/slogdet/float32/one-by-one linalg/matrix_exp/float32/ward-1 "
         "linalg/matmul/float32/random-9x7x5 norm/vector_norm/float32/pairs-p* "
         "elementwise/sgn/float64/specials");
    expect_all("/slogdet/", STATUS_UNSUPPORTED, "later");
    expect_all("/matrix_exp/", STATUS_UNSUPPORTED, "no kernel for this");
    expect_all("/sgn/", STATUS_UNSUPPORTED, "base fell back to the CPU");
    expect_all("/logdet/", STATUS_ERROR, "broken");
    expect_all("/matmul/", STATUS_FAIL, "rejected operands that it must accept: shapes do not fit");
    expect_all("/vector_norm/", STATUS_ERROR, "the device is lost");
}

/* --- the short names */

Test(adapters, a_missing_package_says_what_to_install)
{
    trial_needs_python();
    static const struct {
        const char *backend,
            *absent; /* the message if the package is installed, but lacks what is requested */
    } rows[] = {{"array:no_such_module", "No module named '"},
                {"onnx:nowhere", "ONNX Runtime has no nowhere here: "},
                {"jax:nowhere", "JAX has no nowhere here"}};
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        trial_run("run elementwise/sign/float32 --level smoke --backend %s", rows[r].backend);
        cr_expect_eq(trial->status, 3, "%s: %s", rows[r].backend, trial->output);
        bool installs = strstr(trial->output, "No module named '") &&
                        strstr(trial->output, ": pip install ") && strstr(trial->output, "ASSAY_PYTHON");
        cr_expect(installs || (r > 0 && strstr(trial->output, rows[r].absent)), "%s", trial->output);
    }
}

Test(adapters, a_selector_is_no_shell)
{
    static const char *const names[] = {"torch", "onnx", "jax", "array", "call"};
    for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
        trial_run("run elementwise/sign/float32 --level smoke --backend %s:$(touch${IFS}FOLDER/x)", names[n]);
        cr_expect_eq(trial->status, 3, "%s", trial->output);
        const char *part = strcmp(names[n], "call") == 0 ? "there is no module $(touch" : "is no ";
        cr_expect(strstr(trial->output, part), "%s", trial->output);
    }
    cr_expect_not(trial_has("x"));
}

/* ASSAY_ADAPTERS comes first; ASSAY_PYTHON is the interpreter. */
Test(adapters, the_environment_names_python_and_folder)
{
    setenv("ASSAY_ADAPTERS", trial->folder, 1);
    setenv("ASSAY_PYTHON", "/bin/sh", 1);
    trial_script("jax_adapter.py", "echo \"the words were: $*\" >&2; exit 4\n");
    trial_run("run elementwise/sign/float32 --level smoke --backend jax:tpu");
    cr_expect_eq(trial->status, 3, "%s", trial->output);
    cr_expect(strstr(trial->output, "the words were: tpu"), "%s", trial->output);
    unlink(trial_path("jax_adapter.py"));
}

/* --- the runtimes that are installed */

/* Before 2.0 numpy did not implement the array API. */
#define ARRAY_NUMPY "numpy; numpy.linalg.vector_norm"

/* Runs the operators that every release computes correctly, at the smoke level. */
static void runs(const char *modules, const char *backend, int least, const char *globs)
{
    trial_needs_modules(modules);
    trial_run("run %s --level smoke --jobs 1 --backend %s --results FOLDER/r", globs, backend);
    trial_read("r");
    cr_expect_eq(trial->status, 0, "%s", trial->output);
    cr_expect_eq(trial_records(STATUS_FAIL) + trial_records(STATUS_ERROR) + trial_records(STATUS_CRASH), 0,
                 "%s", trial->output);
    cr_expect_geq(trial_records(STATUS_PASS), least, "%s", trial->output);
}

Test(adapters, numpy)
{
    runs(ARRAY_NUMPY, "array:numpy", 300,
         "elementwise/sgn/float32 elementwise/square inplace/mul_ inplace/add_ linalg/matmul "
         "norm/matrix_norm/float64");
}

Test(adapters, array_api_strict)
{
    runs("array_api_strict", "array:array_api_strict", 80,
         "elementwise/sign/float32 inplace/mul_/float32 norm/matrix_norm/float64");
}

Test(adapters, onnx_runtime)
{
    runs("onnx, onnxruntime", "onnx", 80,
         "elementwise/sign/float32 inplace/mul_/float32 inplace/copy_ linalg/matmul/float32 "
         "linalg/linear/float32 "
         "norm/layer_norm/float32");
}

Test(adapters, jax)
{
    runs("jax", "jax:cpu", 30, "elementwise/sign/float32 linalg/matmul/float32 sparse/to_dense/float32/r*");
}

/* Runs an operator that overwrites its operand on the device and computes the right result. Each adapter must
 * bring back what the operator received, not its own copy of the request. */
static void overwrites(const char *modules, const char *kind, const char *operator_name, const char *globs)
{
    trial_needs_modules(modules);
    trial_run("run %s --level standard --jobs 1 --no-rerun --results FOLDER/r --backend "
              "exec:exec${IFS}'%s'${IFS}harness/test/programs/overwriting_program.py${IFS}%s${IFS}%s",
              globs, getenv("ASSAY_PYTHON"), kind, operator_name);
    trial_read("r");
    cr_expect_eq(trial->status, 1, "%s", trial->output);
    cr_expect_gt(trial_records(STATUS_FAIL), 1, "%s", trial->output);
    for (int r = 0; r < trial->results.records; r++) {
        const struct record *record = &trial->results.record[r];
        cr_expect(record->status != STATUS_ERROR && record->status != STATUS_CRASH, "%s: %s", record->id,
                  record->reason);
        if (record->status == STATUS_FAIL) {
            cr_expect_str_eq(record->rule, "stray write", "%s: %s", record->id, record->reason);
        }
    }
}

Test(adapters, pytorch_brings_operands_back)
{
    overwrites("torch", "torch", "matmul", "linalg/matmul/float32/[a-f]* linalg/matmul/bfloat16/[a-f]*");
}

Test(adapters, numpy_brings_operands_back)
{
    overwrites(ARRAY_NUMPY, "array", "mul", "elementwise/mul/float32");
}

Test(adapters, jax_brings_operands_back)
{
    overwrites("jax", "jax", "matmul", "linalg/matmul/float32/[a-f]* linalg/matmul/bfloat16/[a-f]*");
}

Test(adapters, onnx_runtime_brings_operands_back)
{
    overwrites("onnx, onnxruntime", "onnx", "matmul", "linalg/matmul/float32/[a-f]*");
}

/* Results and conditions are bool, attributes arrive, and what the runtime lacks is reported. */
Test(adapters, pytorch_of_several_numbers)
{
    runs("torch", "torch:cpu", 150,
         "elementwise/eq elementwise/ge elementwise/isnan elementwise/signbit elementwise/where "
         "elementwise/bitwise_not elementwise/bitwise_left_shift elementwise/copysign/float32 "
         "elementwise/fmod/int* elementwise/remainder/int* elementwise/floor_divide/int* "
         "elementwise/nextafter elementwise/addcmul/*/ordinary* elementwise/addcdiv/*/ordinary* "
         "elementwise/leaky_relu/*/ordinary* elementwise/softplus_backward/float32/ordinary* "
         "elementwise/prelu/float32/channels-* elementwise/prelu_backward*/float32/channels-* "
         "elementwise/glu/float32/halves-* elementwise/glu_backward/float32/halves-* "
         "elementwise/swiglu/float32/halves-* elementwise/*lu*/float32/refuse-*");
    cr_expect_eq(passed("/addcmul/float32/ordinary-value") + passed("/addcdiv/float64/ordinary-value") +
                     passed("/softplus_backward/float32/ordinary-beta"),
                 3, "%s", trial->output);
    for (int r = 0; r < trial->results.records; r++) {
        const struct record *record = &trial->results.record[r];
        cr_expect(record->status == STATUS_PASS || strstr(record->reason, "not implemented for"), "%s: %s",
                  record->id, record->reason);
    }
}

Test(adapters, pytorch_of_integers_and_attributes)
{
    runs("torch", "torch:cpu", 90,
         "elementwise/div/int* elementwise/add/*/*-alpha-* elementwise/sub/*/specials-alpha-* "
         "elementwise/sub/int*/refuse-*");
    cr_expect_eq(trial_records(STATUS_PASS), trial->results.records, "%s", trial->output);
    cr_expect_eq(passed("/sub/int64/refuse-fractional-alpha") + passed("/add/int64/specials-alpha-far") +
                     passed("/div/int64/specials-floor"),
                 3, "%s", trial->output);
}

Test(adapters, numpy_and_array_api_strict_of_several_numbers)
{
    static const char globs[] = "elementwise/eq elementwise/isnan elementwise/where elementwise/signbit "
                                "elementwise/bitwise_right_shift elementwise/remainder elementwise/maximum "
                                "elementwise/div/int64/*-floor elementwise/sub/float32/specials*";
    runs("array_api_strict", "array:array_api_strict", 60, globs);
    expect_all("/sub/float32/specials-alpha", STATUS_UNSUPPORTED, "the array API has no alpha");
    expect_all("/signbit/int32/", STATUS_UNSUPPORTED, "Only real floating-point");
    runs(ARRAY_NUMPY, "array:numpy", 90, globs);
}

Test(adapters, onnx_runtime_of_several_numbers)
{
    runs("onnx, onnxruntime", "onnx", 50,
         "elementwise/eq/float* elementwise/isnan/float32 elementwise/where/int* elementwise/bitwise_xor "
         "elementwise/fmod elementwise/remainder/int* elementwise/leaky_relu/float32/ordinary* "
         "elementwise/hardtanh/float32/ordinary* elementwise/softplus/float32/ordinary* "
         "elementwise/prelu/float32 elementwise/clamp/float32 elementwise/div/int32 "
         "elementwise/add/float32/specials*");
    cr_expect_eq(passed("/add/float32/specials"), 1);
    expect_all("/add/float32/specials-alpha", STATUS_UNSUPPORTED, "Add has no alpha");
    cr_expect_eq(passed("/leaky_relu/float32/ordinary-slope") + passed("/hardtanh/float32/ordinary-relu6"),
                 2);
    expect_all("/div/int32/specials-floor", STATUS_UNSUPPORTED, "which it cuts off");
    cr_expect_eq(passed("/div/int32/specials-trunc"), 1);
    expect_all("/clamp/", STATUS_UNSUPPORTED, "Clip's limits are scalars");
    expect_all("/softplus/float32/ordinary-beta", STATUS_UNSUPPORTED, "neither beta nor threshold");
}

Test(adapters, jax_of_several_numbers)
{
    runs(
        "jax", "jax:cpu", 20,
        "elementwise/eq/float32 elementwise/isnan/float32 elementwise/where/float32 "
        "elementwise/bitwise_or/int32 "
        "elementwise/add/int32/s* elementwise/relu_backward/float32 elementwise/leaky_relu/float32/ordinary* "
        "elementwise/gelu/float32/ordinary* elementwise/hardtanh/float32/ordinary* "
        "elementwise/div/int32/specials-*");
    cr_expect_eq(passed("/leaky_relu/float32/ordinary-slope") + passed("/gelu/float32/ordinary-tanh"), 2);
    cr_expect_eq(passed("/div/int32/specials-trunc") + passed("/div/int32/specials-floor"), 2);
    expect_all("/hardtanh/float32/ordinary-relu6", STATUS_UNSUPPORTED, "between -1 and 1");
    expect_all("/add/int32/specials-alpha", STATUS_UNSUPPORTED, "JAX has no alpha");
}

/* Convolutions with padding pairs, groups, strides and dilations, without a batch, and what must be refused.
 */
Test(adapters, pytorch_of_convolutions)
{
    runs("torch", "torch:cpu", 110, "convolution");
    cr_expect_eq(trial_records(STATUS_PASS), trial->results.records, "%s", trial->output);
    cr_expect_geq(passed("/padding-pairs"), 2, "%s", trial->output);
    cr_expect_geq(passed("/refuse-"), 48, "%s", trial->output);
}

Test(adapters, onnx_runtime_of_convolutions)
{
    runs("onnx, onnxruntime", "onnx", 40, "convolution");
    cr_expect_geq(passed("conv2d/float32/padding-pairs") + passed("conv2d/float32/groups-2"), 2);
    expect_all("/conv2d_backward/", STATUS_UNSUPPORTED, "does not offer");
}

Test(adapters, pytorch_of_attention)
{
    runs("torch; torch.nn.functional.scaled_dot_product_attention", "torch:cpu", 20, "attention");
    cr_expect_eq(trial_records(STATUS_PASS) + trial_records(STATUS_VACUOUS), trial->results.records, "%s",
                 trial->output);
}

Test(adapters, jax_of_convolutions)
{
    runs("jax", "jax:cpu", 20,
         "convolution/conv2d/float32/[dgp]* convolution/conv1d_backward convolution/conv_transpose1d* "
         "convolution/conv2d_backward/float32/g*");
    cr_expect_geq(passed("/conv2d/float32/padding-pairs") + passed("/conv2d_backward/float32/groups-2"), 2,
                  "%s", trial->output);
}

/* With a provider that takes no node, ONNX Runtime would compute on the CPU silently. */
Test(adapters, onnx_runtime_on_another_provider_does_not_fall_back_in_silence)
{
    trial_needs_modules("onnx, onnxruntime");
    char command[512];
    snprintf(command, sizeof command,
             "'%s' -c 'import onnxruntime, sys; sys.exit(\"AzureExecutionProvider\" not in "
             "onnxruntime.get_available_providers())'",
             getenv("ASSAY_PYTHON"));
    if (system(command) != 0) {
        cr_skip_test("this ONNX Runtime has no provider that takes no nodes: not tried");
    }
    trial_run("run linalg/matmul/float32/random-9x7x5 --level smoke --backend onnx:azure --results FOLDER/r");
    trial_read("r");
    cr_assert_eq(trial->results.records, 1, "%s", trial->output);
    cr_expect_eq(trial->results.record[0].status, STATUS_UNSUPPORTED, "%s", trial->output);
    cr_expect(strstr(trial->results.record[0].reason, "fell back to the CPU"), "%s",
              trial->results.record[0].reason);
}

/* PyTorch may compute on the CPU what MPS lacks; the device's name says that this was allowed. */
Test(adapters, pytorch_tells_that_it_may_fall_back)
{
    trial_needs_modules("torch");
    setenv("PYTORCH_ENABLE_MPS_FALLBACK", "1", 1);
    trial_run("run elementwise/sign/float32/specials --level smoke --backend torch:cpu");
    cr_expect_eq(trial->status, 0, "%s", trial->output);
    cr_expect(strstr(trial->output, "cpu (PYTORCH_ENABLE_MPS_FALLBACK=1)"), "%s", trial->output);
}

/* --- the findings of each runtime, without assay */

static void findings(const char *modules, const char *file)
{
    trial_needs_modules(modules);
    char command[512];
    snprintf(command, sizeof command, "'%s' harness/adapters/findings/%s --check", getenv("ASSAY_PYTHON"),
             file);
    cr_expect_eq(system(command), 0, "%s", file);
}

Test(adapters, findings_of_numpy)
{
    findings(ARRAY_NUMPY, "numpy_findings.py");
}

Test(adapters, findings_of_onnx_runtime)
{
    findings("onnx, onnxruntime", "onnx_findings.py");
}

Test(adapters, findings_of_jax)
{
    findings("jax", "jax_findings.py");
}

Test(adapters, findings_of_pytorch)
{
    findings("torch", "torch_findings.py");
}
