# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 The assay authors
"""Functions in Python as a backend of assay, each in the place of one operator.

    assay run --backend call:FILE.py:FUNCTION       call_target.py lists the forms of a selector

A function gets tensors of PyTorch, or arrays of numpy, with the strides and offsets of the case; call_checks.py sees to it that
a right answer was computed from the operands of this call.
"""

import os
import sys
import time

import assay_exec
from assay_exec import Unsupported
from call_arrays import NumpyArrays, TorchArrays
from call_checks import Checks, Failed, Violation
from call_target import Target, describe

# The members of a runtime's profile that hold for a function that somebody wrote with it: what its arithmetic does.
ARITHMETIC = ("rounding", "subnormals", "accumulate", "primitives", "sgn_nan", "sgn_zero", "conversions", "default_eps")


def calls_on(base):
    class CallAdapter(Checks, base):
        memory = None
        no_memory = (MemoryError,)

        def __init__(self, target, arithmetic, *words):
            super().__init__(*words)
            self.target_of_calls, self.known = target, {}
            self.name, self.version = "call " + target.selector.short, target.version
            # With 16-bit sums and intermediates the bounds of long rows are so wide that anything passes: who computes so says it.
            self.profile = {**{key: value for key, value in arithmetic.items() if key in ARITHMETIC}, "refusals": "open",
                            "accumulate": {"float16": "float32", "bfloat16": "float32"},
                            **target.constant("ASSAY_PROFILE", {})}

        def offer(self, names):
            self.target_of_calls.name_operators(names)
            functions = self.target_of_calls.functions
            self.operators = functions
            offered = self.target_of_calls.constant("ASSAY_DTYPES", self.dtypes)
            self.only = {name: " ".join(dtype for dtype in self.dtypes if dtype in
                                        (offered.get(name, self.dtypes) if isinstance(offered, dict) else offered))
                         for name in functions}
            self.name += " (%s)" % ", ".join(functions)

        def reply(self, request):
            self.known = request.get("attributes", self.known) if "hello" in request else self.known
            return super().reply(request)

        def invoke(self, call, request, operands):
            """Calls the function with the attributes of the request. Returns its result; raises Failed for its exceptions."""
            name = request["run"]
            attributes = assay_exec.numbers(request["attributes"])
            head, keywords = self.operators[name].bind(name, attributes, self.known.get(name, dict.fromkeys(attributes)), operands)
            try:
                return call(*head, **keywords)
            except (*self.no_memory, NotImplementedError):
                raise
            except Exception as fault:
                if "out of memory" in str(fault):
                    raise MemoryError(str(fault)) from fault
                if "not implemented for" in str(fault):  # PyTorch has no kernel for this dtype
                    raise Unsupported(describe(fault)) from fault
                raise Failed(describe(fault)) from fault

        def run(self, request, storages):
            name = request["run"]
            if name not in self.operators:
                raise Unsupported("the call has no " + name)
            strange = [x["dtype"] for x in request["inputs"] if x and x["dtype"] not in self.dtypes]
            if strange:
                raise Unsupported("%s is not among the dtypes" % strange[0])
            if not request["outputs"] and not request.get("mutates") and self.profile.get("refusals") == "open":
                raise Unsupported("operands to refuse: ASSAY_PROFILE does not promise \"refusals\": \"pytorch\"")
            return self.checked(request, storages)

        def answer(self, request, storages):
            try:
                return self.run(request, storages)
            except Failed as fault:
                # Of an operator in place a request does not say whether its operands are to be refused.
                status = "error" if request["outputs"] else "rejected"
                return {"status": status, "message": str(fault)[:200]}, ()
            except Violation as fault:
                return {"status": "error", "message": str(fault)[:200]}, ()
            except (Unsupported, NotImplementedError) as fault:
                text = str(fault) if isinstance(fault, Unsupported) else describe(fault)
                return {"status": "unsupported", "reason": text[:200]}, ()
            except self.no_memory as fault:
                return {"status": "out_of_memory", "message": str(fault)[:200] or "out of memory"}, ()
            except Exception as fault:
                return {"status": "error", "message": describe(fault)[:200]}, ()

        def timed(self, call):
            self.finish(None)
            start = time.perf_counter_ns()
            results = call()
            self.finish(results)
            return results, time.perf_counter_ns() - start

        @staticmethod
        def element_size(dtype):
            return assay_exec.itemsize(dtype)

    return CallAdapter


def on_numpy(target):
    import array_adapter
    adapter = calls_on(assay_exec.HostAdapter)(target, array_adapter.profile("numpy"))
    if adapter.formats["bfloat16"] == adapter.numpy.dtype("uint16"):  # without ml_dtypes numpy has no such numbers
        adapter.dtypes = tuple(name for name in adapter.dtypes if name != "bfloat16")
    adapter.device = "the host, numpy " + adapter.numpy.__version__
    adapter.begin_checks(NumpyArrays(adapter.numpy, adapter.formats))
    return adapter


def on_torch(target, place):
    import torch_adapter
    torch = torch_adapter.torch
    torch.set_num_threads(max(1, int(os.environ.get("ASSAY_TORCH_THREADS", "1"))))
    adapter = calls_on(torch_adapter.TorchAdapter)(target, torch_adapter.profile(torch.device(place)), place)
    adapter.no_memory = torch_adapter.TorchAdapter.no_memory
    adapter.device += ", torch " + torch.__version__
    adapter.begin_checks(TorchArrays(torch, torch_adapter.DTYPES, adapter.target))
    return adapter


def main():
    if len(sys.argv) < 2:
        sys.exit("call: give FILE.py:FUNCTION")
    target = Target(sys.argv[1], os.environ.get("ASSAY_CALL_OPERATOR", ""))
    place = target.selector.place or ("cpu" if "torch" in sys.modules else "numpy")
    (on_numpy(target) if place == "numpy" else on_torch(target, place)).serve()


if __name__ == "__main__":
    main()
