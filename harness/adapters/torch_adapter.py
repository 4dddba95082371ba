# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 The assay authors
"""PyTorch as a backend of assay: speaks the protocol of docs/reference/exec-protocol.md on stdin and stdout.

    assay run --backend torch:cpu        (or torch:cuda, torch:mps)

It needs only the standard library and torch. Every operator is a public call of PyTorch (torch_operators.py) on views with the
strides and offsets of the request; nothing is computed here.
"""

import ctypes
import os
import sys

import assay_exec

torch = assay_exec.need("torch", "pip install torch")
import torch_attention  # noqa: E402 (behind the module that may be absent)
from torch_functions import own_name  # noqa: E402
from torch_operators import OPERATORS  # noqa: E402
from torch_profile import DTYPES, NAMES, profile, set_numerics  # noqa: E402

# Words in PyTorch's messages about operands that must be refused; any other exception is an error of the backend.
REFUSALS = (
    "more than one element of the written-to tensor refers to a single memory location",
    "some elements of the input tensor and the written-to tensor refer to a single memory location",
    "unsupported operation",
    "doesn't match the broadcast shape",
    "is out of bounds",
    "to match target batch_size",
    "label_smoothing must be",
    "ignore_index is not supported",
    "can't be cast to the desired output type",
    "must match the size of tensor",
    "alpha must not be",
    "not be a floating point number",
    "appears multiple times",
    "cannot compute",
    "must have at least 2",
    "Dimension out of range",
    "Expected reduction dim",
    "no identity",
    "zero size",
    "must be batches of square matrices",
    "both running statistics or neither",
    "found negative index",
    "size is inconsistent with indices",
    "must have same nnz",
    "number of dimensions must be sparse_dim",
    "tensor dimensionality must be sum of",
    "is not satisfied",
    "must be equal to nnz",
    "must be equal to the number of rows",
    "must have the same dtype",
    "different to the input size",
    "must be the same as input size",
    "is out of bounds",
    "does not support non-positive",
    "does not support negative",
    "to match target batch_size",
    "to have the same dtype",
    "expected scalar type",
    "must be a float tensor",
    "must be a 1-element tensor",
    "must be an int tensor",
    "must be an int32 or int64",
    "must be Int or Long",
    "cannot be multiplied",
    "must match mat1",
    "must match mat2",
    "must match the existing size",
    "expected self.size",
    "Expected dim",
    "size mismatch",
    "Integer division with addcdiv",
    "expanded size of the tensor",
    "number of sizes provided",
    "Mismatch in shape",
    "Given normalized_shape=",
    "Expected more than 1",
    "to be divisible by num_groups",
    "has already been called",
    "is being called after step",
    "No inf checks were recorded",
    "Attempting to unscale FP16 gradients",
    "to be a vector of size equal to the number of channels",
    "should contain",
    "weight should contain",
    "Expected running_mean and running_var",
    "running_mean must be defined in evaluation mode",
    "expected to be defined",
    "to be of same shape as normalized_shape",
    "above upper bound",
    "below lower bound",
    "must be between `quant_min`",
    "`zero_point` must be between",
    "`quant_min` should be less than",
    "not consistent with input tensor",
    "not consistent with the dimension of input",
    "equal to channel",
    "Halving dimension must be even",
    "does not support 0-dimensional tensors", "glu does not support scalars",
    "expects at least a 1-dimensional tensor",
    "Mismatch of parameter numbers",
    "Not allow zero-dim input tensor",
    "to be a scalar or 1D tensor",
    "prelu: Expected",
    "axis must be between 0 and number of dimensions",
    "need to have the same dimensions",
    "Channel axis out of range",
    "vector + matrix @ vector expected",
    "scales and zero_points must match",
    "Expected mat2 to be of dimension", "Expected mat2 dtype", "must be a matrix", "needs to match mat2.size(0)",
    "Expected grad_output.sizes()",
    # convolutions and attention
    "Given groups=", "Given transposed=", "values to match the convolution dimensions", "non-positive stride is not supported",
    "non-positive groups is not supported", "negative padding is not supported", "negative output_padding is not supported",
    "dilation should be greater than zero", "Calculated padded input size per channel", "output padding must be smaller",
    "non-positive dilation is not supported", "weight should have at least", "expected bias to be 1-dimensional",
    "invalid shape dimension", "dimensions are invalid", "could not construct a memory descriptor",
    "could not create a primitive descriptor", "(unbatched) or", "Output size is too small",
    "is not supported for strided convolutions", "exclude each other", "must be greater than 0 but got",
    # pooling
    "should be greater than zero, but got", "should be at most half of", "or equal to half of kernel size", "stride should not be zero",
    "smaller than kernel size", "divisor must be not zero", "with negative dimension", "tensor expected for input",
    "dimensions, but got", "integer out of range", "pad must be non-negative", "be a single int", "be omitted, a single int",
    "Explicit attn_mask should not be set when is_causal", "must divide the number of heads",
    "Expected size for first two dimensions", "Expected attn_mask dtype", "at least 2 dimensional",
)
MISSING = ("not implemented for", "is not currently implemented", "not supported", "doesn't support", "Unsupported",
           "Could not run", "No available kernel",
           "requires compiling PyTorch with", "to be a strided and contiguous tensor",
           "but got Half", "but got BFloat16", "expects a Float Tensor",
           "only works on Float Tensor", "needs to be greater than", "a multiple of 8")

class TorchAdapter(assay_exec.Adapter):
    name, version = "torch", torch.__version__
    operators, refusals, missing = OPERATORS, REFUSALS, MISSING
    no_memory = (MemoryError, torch.cuda.OutOfMemoryError)
    fatal = ("CUDA error",)  # after such an error every call in the process fails

    def __init__(self, device):
        self.target = torch.device(device)
        self.dtypes = [name for name, dtype in DTYPES.items() if self.holds(dtype)]
        self.device = str(self.target)
        if self.target.type == "cuda":
            self.device += " " + torch.cuda.get_device_name(self.target)
        if os.environ.get("PYTORCH_ENABLE_MPS_FALLBACK", "0") == "1":
            self.device += " (PYTORCH_ENABLE_MPS_FALLBACK=1)"
            torch.set_warn_always(True)  # mps_fallback is a TORCH_WARN_ONCE: it must say so each time
        if torch_attention.WAY not in (*torch_attention.WAYS, "all"):
            sys.exit("ASSAY_TORCH_ATTENTION is %s; it must be one of: %s, all" % (torch_attention.WAY, ", ".join(torch_attention.WAYS)))
        if torch_attention.WAY != "math":
            self.device += " (ASSAY_TORCH_ATTENTION=%s)" % torch_attention.WAY
        set_numerics()
        self.profile = profile(self.target)

    def default(self, name):
        return own_name(name)

    def holds(self, dtype):
        try:
            torch.zeros(1, dtype=dtype).to(self.target)
            return True
        except (TypeError, RuntimeError):
            return False

    def upload(self, data):
        host = torch.frombuffer(data, dtype=torch.uint8) if data else torch.empty(0, dtype=torch.uint8)
        return host.to(self.target) if self.target.type != "cpu" else host.clone()

    def view(self, storage, dtype, shape, strides, offset):
        size = assay_exec.itemsize(dtype)
        whole = storage[: storage.numel() // size * size].view(DTYPES[dtype])
        return torch.as_strided(whole, shape, strides, offset)

    def download(self, storage):
        """The bytes of a tensor's elements in row-major order (without numpy, because only torch is required)."""
        host = storage.detach().to("cpu").contiguous()
        if host.is_conj():
            host = host.resolve_conj()
        if not host.numel():
            return b""
        size = host.numel() * host.element_size()
        if host.data_ptr() == storage.data_ptr():  # the bytes may change later
            return ctypes.string_at(host.data_ptr(), size)
        place = (ctypes.c_ubyte * size).from_address(host.data_ptr())
        place.owner = host  # the copy lives as long as its bytes are referred to
        return memoryview(place)

    def result(self, value):
        return NAMES[value.dtype], value.shape, self.download(value)

    def finish(self, results):
        if self.target.type == "cuda":
            torch.cuda.synchronize(self.target)
        elif self.target.type == "mps":
            torch.mps.synchronize()

    def timed(self, call, repeats, warm_up, rounds):
        """On CUDA the time of a round is that between two events in the stream, which leaves out the launch of the first kernel and the wait
        for the last."""
        if self.target.type != "cuda":
            return super().timed(call, repeats, warm_up, rounds)
        with torch.cuda.device(self.target):
            marks = [torch.cuda.Event(enable_timing=True) for _ in range(rounds + 1)]  # a round ends where the next one begins
            results = None
            for _ in range(warm_up):
                results = None
                results = call()
            marks[0].record()
            for mark in marks[1:]:
                for _ in range(repeats):
                    results = None
                    results = call()
                mark.record()
            torch.cuda.synchronize()
        elapsed = [int(start.elapsed_time(end) * 1e6) for start, end in zip(marks, marks[1:])]
        return results, assay_exec.median(elapsed) // repeats

    def elsewhere(self, results, caught):
        return "the CPU" if any("fall back to run on the CPU" in str(warning.message) for warning in caught) else None

    def limit_memory(self, size):
        """Bytes that the caching allocator may reserve; 0: no limit."""
        if self.target.type != "cuda":
            return {"status": "unsupported", "reason": "only torch:cuda can limit its memory"}
        if 0 < size < 256 << 20:
            return {"status": "unsupported", "reason": "PyTorch reserves segments of 2 and 20 MiB, libraries their own"}
        total = torch.cuda.get_device_properties(self.target).total_memory
        # The function needs a device with an index.
        device = self.target.index if self.target.index is not None else torch.cuda.current_device()
        torch.cuda.set_per_process_memory_fraction(min(1.0, size / total) if size else 1.0, device)
        return {"status": "ok"}

    def memory(self):
        return {**self.counters(), "process": os.getpid()}

    def counters(self):
        if self.target.type == "cuda":
            return {
                "allocated": torch.cuda.memory_allocated(self.target),
                "reserved": torch.cuda.memory_reserved(self.target),
                "peak": torch.cuda.max_memory_allocated(self.target),
                "limit": torch.cuda.get_device_properties(self.target).total_memory,
            }
        if self.target.type == "mps":
            return {"allocated": torch.mps.current_allocated_memory(),
                    "reserved": torch.mps.driver_allocated_memory(), "peak": 0, "limit": 0}
        return {"allocated": 0, "reserved": 0, "peak": 0, "limit": 0}

    def empty_cache(self):
        if self.target.type == "cuda":
            torch.cuda.empty_cache()
        elif self.target.type == "mps":
            torch.mps.empty_cache()


def main():
    device = sys.argv[1] if len(sys.argv) > 1 else "cpu"
    torch.set_num_threads(max(1, int(os.environ.get("ASSAY_TORCH_THREADS", "1"))))
    TorchAdapter(device).serve()


if __name__ == "__main__":
    main()
