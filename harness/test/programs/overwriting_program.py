# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 The assay authors
"""An adapter of harness/adapters/ one of whose operators overwrites, on the device, an operand that it should only read:

    overwriting_program.py torch|array|jax|onnx OPERATOR

The result is right; only the operand's bytes that come back show the fault."""

import ctypes
import os
import sys

sys.path.insert(0, os.environ.get("ASSAY_ADAPTERS") or
                os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "adapters"))
kind, name = sys.argv[1:3]

if kind == "torch":
    import torch_adapter

    adapter = torch_adapter.TorchAdapter("cpu")

    def overwrite(operand):
        operand.zero_()
elif kind == "array":
    import array_adapter

    adapter = array_adapter.ArrayAdapter("numpy")

    def overwrite(operand):
        operand[...] = 0
elif kind == "jax":
    import jax_adapter

    adapter = jax_adapter.JaxAdapter("cpu")

    def overwrite(operand):  # JAX's arrays cannot be written to, but a kernel behind them can
        jax_adapter.jax.block_until_ready(operand)
        ctypes.memset(operand.unsafe_buffer_pointer(), 0, operand.nbytes)
else:
    import onnx_adapter

    adapter = onnx_adapter.OnnxAdapter("cpu")

    def overwrite(operand):
        for place, _, value in adapter.received:  # what the session was fed
            if place is operand:
                ctypes.memset(value.data_ptr(), 0, operand.nbytes)

right = adapter.operators[name]


def wrong(attributes, *operands):
    result = right(attributes, *operands)
    adapter.finish(result)
    overwrite(operands[-1])
    return result


adapter.operators = {name: wrong}
adapter.only = {name: adapter.only[name]} if name in adapter.only else {}
adapter.profile = {key: value for key, value in adapter.profile.items() if not isinstance(value, (list, tuple))}
adapter.serve()
