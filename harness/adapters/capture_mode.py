# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 The assay authors
"""Records the operator calls of one step, seen by a TorchDispatchMode, into the directory of a capture."""

import contextlib
import fnmatch
import os
import time

import torch
from torch.utils._python_dispatch import TorchDispatchMode

import capture_files
from capture_calls import FLOATS, INTEGERS, NARROW, PLACES, PREDICATES, WHOLE, Number, Unfit
from capture_files import Bundle
from capture_more import Memory, calls_of
from torch_profile import NAMES, profile

# Calls that compute nothing: copies, tensors of given values, questions. They are not listed, nor are views.
SILENT = set("""clone copy_ _copy_from _copy_from_and_resize contiguous detach detach_ lift lift_fresh lift_fresh_copy _unsafe_view
    _reshape_copy alias empty empty_like empty_strided new_empty new_empty_strided zeros zeros_like new_zeros ones ones_like new_ones
    full full_like new_full scalar_tensor arange linspace eye fill fill_ zero_ set_ resize_ resize_as_ _local_scalar_dense item
    is_pinned _pin_memory is_same_size _has_compatible_shallow_copy_type record_stream _version sym_size sym_stride sym_numel
    sym_storage_offset cat stack _foreach_zero_ _foreach_copy_ _assert_async _assert_scalar _nested_tensor_from_mask_left_aligned""".split())


@contextlib.contextmanager
def unseen():
    """No mode sees what is called within, neither this one nor the program's own."""
    guard = torch._C._DisableTorchDispatch()  # as long as it lives; no context manager in PyTorch 1.13
    try:
        with torch._C.DisableTorchFunction():
            yield
    finally:
        del guard


def is_view(func):
    """Returns whether an overload only returns views of its arguments."""
    results = func._schema.returns
    return bool(results) and all(r.alias_info is not None and not r.alias_info.is_write for r in results)


def by_name(func, args, kwargs):
    """Returns the arguments of a call by their names, with the defaults of those that are left out."""
    found = {}
    for i, one in enumerate(func._schema.arguments):
        if i < len(args):
            found[one.name] = args[i]
        elif one.name in kwargs:
            found[one.name] = kwargs[one.name]
        else:
            found[one.name] = one.default_value
    return found


def fits(call):
    """Raises Unfit unless assay's operator takes this dtype."""
    indices = {"where": 1}.get(call.op, 0)
    dtype = call.operands[indices].dtype
    bitwise = call.op.startswith("bitwise_")
    if call.op == "to":
        capture_files.name_of(dtype)
    elif not (dtype in WHOLE if bitwise else dtype in FLOATS or (dtype in WHOLE and call.op in INTEGERS)):
        raise Unfit("%s of dtype %s" % (call.op, NAMES.get(dtype, str(dtype).split(".")[-1])))
    return dtype


def expected(call, dtype):
    """Returns the dtype that assay expects of the results."""
    if call.op == "to":
        return getattr(torch, call.attributes["dtype"])
    return torch.bool if call.op in PREDICATES else torch.int64 if call.op in PLACES else dtype


class Recorder:
    """Writes calls into `directory`, at most `limit` bytes of arrays."""

    def __init__(self, directory, script, step, limit, operators, places):
        self.directory, self.script, self.step, self.limit = directory, script, step, limit
        self.operators, self.places, self.memory = operators, places, Memory()
        self.calls, self.bytes, self.reason, self.process = [], 0, None, os.getpid()
        self.device, self.profiles, self.active = None, {}, False
        self.started = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())

    # --- one call

    def call(self, func, args, kwargs):
        name = str(func)
        if not self.active or os.getpid() != self.process or name.startswith(("profiler.", "prim.")):
            return func(*args, **kwargs)
        name = name[5:] if name.startswith("aten.") else name
        name = name[:-8] if name.endswith(".default") else name
        if is_view(func) or name.split(".")[0] in SILENT:
            return func(*args, **kwargs)
        where = self.places.now(self.grads(args))
        with unseen():
            found = self.before(name, func, args, kwargs)
        result = func(*args, **kwargs)
        if found and self.active:
            with unseen():
                self.after(found, func, result, where)
        return result

    def grads(self, args):
        return torch.is_grad_enabled() and any(isinstance(x, torch.Tensor) and x.requires_grad for x in args)

    def before(self, name, func, args, kwargs):
        """Returns a list of (operator, bundle or None, why) for a call that is about to run."""
        op = None
        try:
            arguments = by_name(func, args, kwargs)
            if name == "_to_copy" and arguments.get("dtype") in (None, arguments["self"].dtype):
                return []  # to another device or layout
            calls, bundles = calls_of(name, arguments, self.memory), []
            op = calls[0].op if calls else None
            for call in calls:
                if not any(fnmatch.fnmatchcase(call.op, glob) for glob in self.operators):
                    bundles.append((call, None, "excluded by --operators"))
                    continue
                fits(call)
                bundles.append((call, Bundle(call), None))
        except Unfit as fault:
            return [(op, None, str(fault))]
        except Exception as fault:  # a form of the call that the table does not know must not end the program
            return [(op, None, "not understood: %s: %s" % (type(fault).__name__, str(fault)[:200]))]
        if not self.room(sum(bundle.size for _, bundle, _ in bundles if bundle)):
            return []
        for _, bundle, _ in bundles:
            if bundle:
                bundle.copy()
        return bundles

    def after(self, found, func, result, where):
        results = result if isinstance(result, (list, tuple)) else (result,)
        for call, bundle, why in found:
            op = call if isinstance(call, (str, type(None))) else call.op
            if bundle:
                try:
                    self.judgeable(bundle, results)
                except Unfit as fault:
                    bundle, why = None, str(fault)
            if call is not None and not isinstance(call, str) and call.after:
                call.after(results)
            if bundle and not self.room(bundle.size):
                return
            file = None
            if bundle:
                file = "%06d-%s.zip" % (len(self.calls), op)
                device = self.device_of(bundle.call)
                bundle.write(os.path.join(self.directory, file), "torch:" + device.type, self.profile(device), self.header(device))
                self.bytes += bundle.size
            self.calls.append({"call": len(self.calls), "file": file, "op": op, "aten": str(func), "module": where[0],
                               "phase": where[1], "why": why})

    def judgeable(self, bundle, results):
        bundle.answer(results)
        wanted = capture_files.name_of(expected(bundle.call, fits(bundle.call)))
        writes = len(bundle.call.written)
        if any(dtype != wanted for dtype, _, _ in bundle.results[writes:]):
            raise Unfit("a result of another dtype than its operands")

    def room(self, size):
        if self.bytes + size <= self.limit:
            return True
        self.stop("the limit of %s was reached at call %d" % (amount(self.limit), len(self.calls)))
        return False

    def stop(self, reason):
        self.reason, self.active = self.reason or reason, False

    # --- circumstances

    def device_of(self, call):
        tensor = next(x for x in call.operands if isinstance(x, torch.Tensor))
        if self.device is None or self.device.type == "cpu":
            self.device = tensor.device
        return tensor.device

    def profile(self, device):
        if device.type not in self.profiles:
            self.profiles[device.type] = profile(device)
        return self.profiles[device.type]

    def header(self, device):
        name = str(device)
        if device.type == "cuda":
            name += " " + torch.cuda.get_device_name(device)
        return {"version": 2, "device": name, "driver": "torch " + torch.__version__, "started": self.started}

    def write_list(self, complete):
        """Writes capture.json, which makes the directory a capture."""
        if self.reason:
            complete = False
        device = self.header(self.device)["device"] if self.device is not None else "cpu"
        capture_files.write_list(self.directory, {
            "assay_capture": 1, "runtime": "torch " + torch.__version__, "device": device, "script": self.script, "step": self.step,
            "complete": complete, "reason": self.reason, "calls": self.calls})


class Mode(TorchDispatchMode):
    def __init__(self, recorder):
        super().__init__()
        self.recorder = recorder

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        return self.recorder.call(func, args, kwargs or {})


def amount(size):
    """Returns a number of bytes in words: 1 GiB."""
    for unit, name in ((1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB")):
        if size >= unit:
            return "%s %s" % (("%.1f" % (size / unit)).rstrip("0").rstrip("."), name)
    return "%d bytes" % size
