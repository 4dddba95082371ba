/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: 2026 The assay authors */
#include "harness/selection/operator_names.h"
#include "harness/host/nearest.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* Where PyTorch has an operator, if it is not torch.NAME, torch.Tensor.NAME_ or the gradient of another one.
 */
static const struct documented {
    const char *op, *name;
} documented[] = {
    {"amp_scale", "torch.amp.GradScaler.scale"},
    {"amp_step", "torch.amp.GradScaler.step"},
    {"amp_unscale", "torch.amp.GradScaler.unscale_"},
    {"amp_update_scale", "torch.amp.GradScaler.update"},
    {"autocast_linear", "torch.nn.functional.linear under torch.autocast"},
    {"autocast_matmul", "torch.matmul under torch.autocast"},
    {"batch_norm", "torch.nn.functional.batch_norm"},
    {"binary_cross_entropy", "torch.nn.functional.binary_cross_entropy"},
    {"binary_cross_entropy_with_logits", "torch.nn.functional.binary_cross_entropy_with_logits"},
    {"celu", "torch.nn.functional.celu"},
    {"coalesce", "torch.Tensor.coalesce"},
    {"cross_entropy", "torch.nn.functional.cross_entropy"},
    {"csr_mm", "torch.sparse.mm of a CSR matrix"},
    {"csr_mv", "torch.mv of a CSR matrix"},
    {"dequantize_per_block", "none; ONNX DequantizeLinear with block_size"},
    {"dequantize_per_channel", "torch.dequantize of torch.quantize_per_channel"},
    {"dequantize_per_tensor", "torch.dequantize of torch.quantize_per_tensor"},
    {"elu", "torch.nn.functional.elu"},
    {"fma", "none; C's fma, IEEE 754 fusedMultiplyAdd"},
    {"gelu", "torch.nn.functional.gelu"},
    {"glu", "torch.nn.functional.glu"},
    {"grad_scaler", "torch.amp.GradScaler"},
    {"group_norm", "torch.nn.functional.group_norm"},
    {"hardsigmoid", "torch.nn.functional.hardsigmoid"},
    {"hardswish", "torch.nn.functional.hardswish"},
    {"hardtanh", "torch.nn.functional.hardtanh"},
    {"huber_loss", "torch.nn.functional.huber_loss"},
    {"instance_norm", "torch.nn.functional.instance_norm"},
    {"int8_linear", "none; torch._int_mm with scales"},
    {"int_mm", "torch._int_mm"},
    {"kl_div", "torch.nn.functional.kl_div"},
    {"l1_loss", "torch.nn.functional.l1_loss"},
    {"layer_norm", "torch.nn.functional.layer_norm"},
    {"leaky_relu", "torch.nn.functional.leaky_relu"},
    {"linear", "torch.nn.functional.linear"},
    {"log_softmax", "torch.nn.functional.log_softmax"},
    {"logsigmoid", "torch.nn.functional.logsigmoid"},
    {"matrix_exp", "torch.linalg.matrix_exp"},
    {"matrix_norm", "torch.linalg.matrix_norm"},
    {"mish", "torch.nn.functional.mish"},
    {"mse_loss", "torch.nn.functional.mse_loss"},
    {"nll_loss", "torch.nn.functional.nll_loss"},
    {"prelu", "torch.nn.functional.prelu"},
    {"quantize_per_block", "none; ONNX QuantizeLinear with block_size"},
    {"relu", "torch.nn.functional.relu"},
    {"rms_norm", "torch.nn.functional.rms_norm"},
    {"sampled_addmm", "torch.sparse.sampled_addmm"},
    {"selu", "torch.nn.functional.selu"},
    {"silu", "torch.nn.functional.silu"},
    {"slogdet", "torch.linalg.slogdet"},
    {"smooth_l1_loss", "torch.nn.functional.smooth_l1_loss"},
    {"softmax", "torch.nn.functional.softmax"},
    {"softmin", "torch.nn.functional.softmin"},
    {"softplus", "torch.nn.functional.softplus"},
    {"softsign", "torch.nn.functional.softsign"},
    {"sparse_addmm", "torch.sparse.addmm"},
    {"sparse_mm", "torch.sparse.mm of a COO matrix"},
    {"sparse_mv", "torch.mv of a COO matrix"},
    {"sparse_transpose", "torch.Tensor.t of a COO matrix"},
    {"swiglu", "none; silu of one half of the input, times the other"},
    {"to", "torch.Tensor.to"},
    {"to_dense", "torch.Tensor.to_dense"},
    {"vector_norm", "torch.linalg.vector_norm"},
};

/* Other names of operators that assay has. */
static const struct documented synonyms[] = {
    {"add", "plus"},
    {"binary_cross_entropy", "bce"},
    {"binary_cross_entropy_with_logits", "bcewithlogits"},
    {"clamp", "clip"},
    {"clamp", "clampmin"},
    {"clamp", "clampmax"},
    {"div", "divide"},
    {"div", "truedivide"},
    {"ge", "greaterequal"},
    {"gt", "greater"},
    {"le", "lessequal"},
    {"linear", "addmm"},
    {"lt", "less"},
    {"matmul", "bmm"},
    {"matmul", "gemm"},
    {"matmul", "mm"},
    {"mul", "multiply"},
    {"neg", "negative"},
    {"sampled_addmm", "sddmm"},
    {"scaled_dot_product_attention", "attention"},
    {"scaled_dot_product_attention", "sdpa"},
    {"sigmoid", "expit"},
    {"sub", "subtract"},
    {"vector_norm", "norm"},
};

/* Operators that assay does not have, by a part of their names, and the operators that they consist of or
 * that come nearest. */
static const struct absent {
    const char *part, *nearest;
} absent[] = {
    {"unfold", "matmul, linear"},
    {"transformer", "scaled_dot_product_attention, layer_norm, linear"},
    {"lstm", "linear, sigmoid, tanh"},
    {"gru", "linear, sigmoid, tanh"},
    {"rnn", "linear, tanh"},
    {"embeddingbag", "embedding, sum"},
    {"gather", "copy_"},
    {"scatter", "coalesce, copy_"},
    {"index", "copy_, masked_fill_"},
    {"dropout", "mul, masked_fill_"},
    {"pool", "avg_pool2d, max_pool2d"},
    {"einsum", "matmul"},
    {"baddbmm", "matmul, add"},
    {"dot", "matmul"},
    {"outer", "matmul"},
    {"det", "slogdet, logdet"},
    {"inv", "slogdet"},
    {"solve", "slogdet"},
    {"cholesky", "logdet"},
    {"svd", "matrix_norm"},
    {"eig", "matrix_exp"},
    {"qr", "slogdet"},
    {"cumsum", "sum"},
    {"cumprod", "prod"},
    {"sort", "argmax, amax"},
    {"topk", "argmax, amax"},
    {"adam", "lerp_, addcmul_, addcdiv_"},
    {"sgd", "add_, mul_"},
    {"fft", "matmul"},
    {"relu6", "hardtanh"},
    {"median", "amax, mean"},
    {"interpolate", "lerp"},
    {"upsample", "lerp"},
    {"cosinesimilarity", "vector_norm, sum, mul"},
    {"normalize", "vector_norm, div"},
    {"nanmean", "nansum"},
    {"loss", "mse_loss, cross_entropy"},
};

enum { WORD = 96 };

/* Writes the word without underscores and in lower case. */
static void squeeze(const char *word, char out[WORD])
{
    size_t n = 0;
    for (; *word && n + 1 < WORD; word++) {
        if (*word != '_') {
            out[n++] = (char)tolower((unsigned char)*word);
        }
    }
    out[n] = '\0';
}

/* Drops an ending, if something stays. */
static bool drop(char *word, const char *ending)
{
    const size_t length = strlen(word), size = strlen(ending);
    if (length <= size || strcmp(word + length - size, ending) != 0) {
        return false;
    }
    word[length - size] = '\0';
    return true;
}

static const struct op *squeezed(const char *word)
{
    char name[WORD];
    for (int o = 0; o < op_count(); o++) {
        squeeze(op_at(o)->name, name);
        if (strcmp(name, word) == 0) {
            return op_at(o);
        }
    }
    for (size_t s = 0; s < sizeof synonyms / sizeof *synonyms; s++) {
        if (strcmp(synonyms[s].name, word) == 0) {
            return op_find(synonyms[s].op);
        }
    }
    return NULL;
}

/* Returns the last name of a path, "LayerNorm" of "torch.nn.LayerNorm", "mean" of "aten::mean.dim"; the whole
 * word if it is none. */
static void last_name(const char *word, char out[WORD])
{
    static const char *const spaces[] = {"torch.",      "aten::",  "aten.",   "nn.",      "F.",
                                         "functional.", "linalg.", "Tensor.", "special.", "ops.",
                                         "sparse.",     "prims.",  "jnp.",    "np."};
    bool again = true, aten = false;
    while (again) {
        again = false;
        for (size_t s = 0; s < sizeof spaces / sizeof *spaces && !again; s++) {
            const size_t length = strlen(spaces[s]);
            again = strncmp(word, spaces[s], length) == 0;
            aten = aten || (again && strncmp(spaces[s], "aten", 4) == 0);
            word += again ? length : 0;
        }
    }
    snprintf(out, WORD, "%s", word);
    if (aten && strchr(out, '.')) { /* an overload: mean.dim */
        *strchr(out, '.') = '\0';
    }
}

static const struct op *find(const char *word)
{
    const struct op *op = op_find(word);
    char name[WORD], loose[WORD];
    if (op) {
        return op;
    }
    last_name(word, name);
    op = op_find(name);
    /* an in-place operator is another one than that without its underscore */
    if (op || (name[0] && name[strlen(name) - 1] == '_')) {
        return op;
    }
    squeeze(name, loose);
    op = squeezed(loose);
    if (!op && (drop(loose, "1d") || drop(loose, "2d") || drop(loose, "3d") || drop(loose, "loss"))) {
        op = squeezed(loose); /* BatchNorm3d, CrossEntropyLoss */
    }
    return op;
}

const struct op *operator_named(const char *word, struct error *error)
{
    const struct op *op = find(word);
    char name[WORD], loose[WORD];
    struct nearest nearest = {.word = name};
    if (op) {
        return op;
    }
    last_name(word, name);
    squeeze(name, loose);
    for (size_t a = 0; a < sizeof absent / sizeof *absent; a++) {
        const char *part = absent[a].part;
        const bool is_short = strlen(part) < 4; /* others contain it by chance */
        if (is_short ? strncmp(loose, part, strlen(part)) == 0 : strstr(loose, part) != NULL) {
            error_set(error, "operator \"%.80s\": not in this version; nearest: %s", word, absent[a].nearest);
            return NULL;
        }
    }
    for (int i = 0; i < op_count(); i++) {
        nearest_offer(&nearest, op_at(i)->name);
    }
    error_set(error, "unknown operator \"%.80s\"%s%s", word,
              nearest.best ? "; did you mean " : "; assay list --operators shows them",
              nearest.best ? nearest.best : "");
    return NULL;
}

void operator_documented(const struct op *op, char *text, size_t size)
{
    char name[WORD], of[160];
    for (size_t d = 0; d < sizeof documented / sizeof *documented; d++) {
        if (strcmp(documented[d].op, op->name) == 0) {
            snprintf(text, size, "%s", documented[d].name);
            return;
        }
    }
    snprintf(name, sizeof name, "%s", op->name);
    char *backward = strstr(name, "_backward");
    if (backward) {
        *backward = '\0';
        const struct op *forward = op_find(name);
        if (forward) {
            operator_documented(forward, of, sizeof of);
        }
        snprintf(text, size, "the gradient of %s", forward ? of : name);
    } else if (drop(name, "_out")) {
        snprintf(text, size, "torch.%s with out=", name);
    } else if (drop(name, "_")) {
        snprintf(text, size, "torch.Tensor.%s", op->name);
    } else {
        snprintf(text, size, "torch.%s", op->name);
    }
}
