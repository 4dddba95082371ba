# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 The assay authors
"""What PyTorch promises about its arithmetic on a device, as a profile of assay, and the dtypes that both have."""

import torch

import torch_attention
from torch_losses import LOSSES
from torch_windows import CONVOLUTIONS

DTYPES = {
    "float16": torch.float16,
    "bfloat16": torch.bfloat16,
    "float32": torch.float32,
    "float64": torch.float64,
    "complex64": torch.complex64,
    "int8": torch.int8,
    "uint8": torch.uint8,
    "int32": torch.int32,
    "int64": torch.int64,
    "bool": torch.bool,
}
NAMES = {dtype: name for name, dtype in DTYPES.items()}

# Gradients of average pooling: on CUDA each share is rounded, or added with atomics, in the operands' own dtype.
AVERAGES = ("avg_pool1d_backward", "avg_pool2d_backward", "avg_pool3d_backward")

# Operators that on CUDA keep statistics, sums of duplicates or of windows, or (as documented: reduced-precision reductions)
# partial sums of products in the operands' own dtype if that has 16 bits.
NARROW = ("matmul", "mv", "linear", "linear_backward", "autocast_matmul", "autocast_linear", "group_norm", "group_norm_backward", "instance_norm_backward", "batch_norm", "batch_norm_backward", "csr_mm",
          "to_dense", "embedding_backward", *AVERAGES, "max_pool3d_backward")

# Operators that on CUDA round every intermediate to the operands' own dtype: softsign is abs, add and divide in turn,
# logsumexp a maximum, a difference, exp, sum, log and a sum, losses differences, products and logarithms; softmax's
# gradient begins with the products, as prelu's of the weight does, those of var, std and logsumexp are made of the
# forward's result and of tensors.
IN_TURN = ("softsign", "softsign_backward", "sigmoid_backward", "tanh_backward", "logsumexp", "softmax_backward", "prelu_backward_weight",
           "var_backward", "std_backward", "logsumexp_backward", *LOSSES)

# Operators whose 16-bit products go through CUDA's tensor cores.
PRODUCTS = ("matmul", "mv", "linear", "linear_backward", "autocast_matmul", "autocast_linear", *CONVOLUTIONS,
            "scaled_dot_product_attention", "scaled_dot_product_attention_backward")

# Operators in which CUDA adds with atomics (NLLLoss of images, gradients of 3d pooling: torch.use_deterministic_algorithms), or
# sorts duplicates in any order.
ATOMICS = ("nll_loss", "cross_entropy", "coalesce", "to_dense", "sparse_mm", "sparse_mv", "sparse_addmm", "csr_mm", "csr_mv",
           "sparse_mm_backward_sparse", "sparse_mm_backward_dense", "embedding_backward", "avg_pool3d_backward", "max_pool3d_backward")

# Operators for which cuDNN may take an algorithm whose sums differ from run to run: gradients of convolutions, and transposed
# convolutions, which are the gradient of the input (cuDNN's CUDNN_CONVOLUTION_BWD_DATA_ALGO_0, …_BWD_FILTER_ALGO_0 and …_3;
# torch.backends.cudnn.deterministic forbids them).
SCATTERED = tuple(name for name in CONVOLUTIONS if "_" in name)


def in_turn_attention():
    """The way math of PyTorch before 2.5 rounds scores and probabilities to the operands' dtype."""
    return tuple(torch_attention.OPERATORS) if torch_attention.WAY == "math" and not torch_attention.IN_FLOAT32 else ()


def split_attention():
    """All ways but math split the gradient of the query and add its parts with atomics."""
    return () if torch_attention.WAY == "math" else ("scaled_dot_product_attention_backward",)


def set_numerics():
    """Sets what changes numbers. cuDNN takes TF32 for convolutions of float32 unless it is forbidden. Without a search (benchmark)
    cuDNN's heuristic chooses the algorithm. PyTorch has no setting that forbids Winograd's algorithm or an FFT, and the profile
    does not declare one: if cuDNN chooses one, a case whose bound it leaves fails. On the CPU oneDNN is called with
    algorithm::convolution_direct, and PyTorch's own convolution is a product of matrices."""
    torch.backends.cuda.matmul.allow_tf32 = False
    torch.backends.cudnn.allow_tf32 = False
    torch.backends.cudnn.benchmark = False
    torch.backends.cudnn.deterministic = False
    torch_attention.set_math()


def default_eps(device):
    """Finds out which default eps rms_norm uses for 16-bit dtypes: the dtype's own is documented, and makes 0.12 of 2^-8."""
    try:
        small = torch.full((1, 4), 2.0**-8, dtype=torch.float16, device=device)
        return "float32" if torch.nn.functional.rms_norm(small, (4,))[0, 0].item() > 0.5 else "dtype"
    except (AttributeError, RuntimeError):  # before 2.4, or no 16-bit dtypes here
        return "dtype"


def profile(device):
    on_cpu_or_cuda, on_cuda = device.type in ("cpu", "cuda"), device.type == "cuda"
    kept = "kept" if on_cpu_or_cuda else "flushed"
    return {
        "rounding": "rte" if on_cpu_or_cuda else "open",
        "subnormals": {name: kept for name in ("float16", "bfloat16", "float32", "float64")},
        # On CUDA the elementwise kernels compute 16-bit dtypes in float32 (opmath); elsewhere nothing is promised.
        "accumulate": {"float16": "float32", "bfloat16": "float32"} if on_cuda else {},
        "primitives": {"cpu": "libm", "cuda": "cuda"}.get(device.type, "vulkan"),
        # torch.sgn and torch.sign of a real NaN give 0 and of -0 give +0: documented conventions.
        "sgn_nan": "zero",
        "sgn_zero": "open",
        # torch.argmax: "If there are multiple maximal values then the indices of the first maximal value are returned."
        "ties": "first",
        "accumulate_own": list(NARROW + IN_TURN + in_turn_attention()) if on_cuda else [],
        # Tensor cores promise no order and no rounding of their sums.
        "matrix_units": list(PRODUCTS) if on_cuda else [],
        # From the other end, (end - input) * (1 - weight), for |weight| >= 1/2: beyond the range for weights below 0.
        "range": ["lerp", "lerp_"],
        # c10::Half and c10::BFloat16 are made from a float, whatever the source is.
        "conversions": "via-float32",
        "default_eps": default_eps(device),
        "nondeterministic": list(ATOMICS + SCATTERED + split_attention()) if on_cuda else [],
        # On the CPU oneDNN leaves out the products with padding, and PyTorch's own convolution of float64 multiplies by 0;
        # nothing is documented.
        "padding": "open",
        # In the way that ASSAY_TORCH_ATTENTION names: torch_attention.py.
        "attention_probabilities": {"float16": "float32", "bfloat16": "float32"} if torch_attention.IN_FLOAT32 and on_cpu_or_cuda else {},
        "attention_empty_row": torch_attention.empty_row(device),
    }
