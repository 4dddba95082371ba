# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 The assay authors
"""How call_adapter.py calls a function, so that a right answer was computed from the operands of this call.

assay runs each case twice, compares the bits of both, judges them, and sees what becomes of operands. What it cannot see
through the protocol happens here. In the first of the two runs, the function is first called on other sizes. Then, in each:

1. On the operands' own memory, with other values (call_arrays.py, other_values), whose result is kept.
2. The operands get the case's values back, memory as large as the results is filled with NaN and freed, and the function is
   called again: this is the result that assay judges. It must have the operator's dtypes and shapes, lie neither in an operand
   nor in a result of an earlier call, and leave those results as they were.
3. In the last run, the function is called on the same values at other addresses, and must give the same bits. If the result was
   the one of the other values, bit for bit, this happens in both runs, and then in a copy of its module that is loaded again:
   another answer there shows that the first was remembered.
4. In the last run, the first 16 forms of a call that came after other sizes are called in such a copy too. A result there that
   is off by an eighth of the greatest element shows that earlier sizes have been remembered.

The operands of the run before are kept until the next ones are made, so that these lie elsewhere. Exceptions of the calls on
other values or sizes are ignored: the function may refuse them.
"""

from call_sizes import other_sizes

FORMS = 16
MAY_ALIAS = ("to", "sum_backward")  # PyTorch returns the tensor itself if it has the dtype already, an expanded gradient


class Violation(Exception):
    """The function has broken a rule that assay cannot see through the protocol."""


class Failed(Exception):
    """The function raised an exception."""


def as_list(results):
    return list(results) if isinstance(results, (tuple, list)) else [results]


class Checks:
    """Methods of an adapter, which also has upload(), view(), result(), invoke() and timed()."""

    def begin_checks(self, arrays):
        self.arrays = arrays
        self.earlier = []         # (result, its bytes) of the latest calls
        self.storages_before = None
        self.overwritten = ""     # what the first run of a case has overwritten
        self.after_sizes = False  # the case's first run called the function on other sizes
        self.forms = set()

    def views(self, request, uploaded):
        return [x and self.view(uploaded[x["storage"]], x["dtype"], x["shape"], x["strides"], x["offset"]) for x in request["inputs"]]

    def values_of(self, request, results, operands):
        """The values that a call has computed: its results, or the operands that it has written."""
        return (as_list(results) if request["outputs"] else []) + [operands[i] for i in request.get("mutates", [])]

    def bits(self, request, results, operands):
        """The same as dtypes, shapes and bytes, with one NaN for all."""
        return [self.result(self.arrays.one_nan(value)) for value in self.values_of(request, results, operands)]

    def poison(self, request):
        """Fills and frees as much memory as the results have, so that a result which is not written is not right by chance."""
        made = [self.arrays.poison(x["dtype"], x["shape"]) for x in request["outputs"] if None not in x["shape"]]
        del made

    # --- calls whose results are not judged

    def call_other_sizes(self, function, request, operands):
        """Calls the function on other sizes. Returns true if there are such, and it returned."""
        changed = other_sizes(request, operands, self.arrays)
        if not changed:
            return False
        shapes, attributes = changed
        try:
            others = [x if x is None else self.arrays.of_shape(x, shape) for x, shape in zip(operands, shapes)]
            self.finish(self.invoke(function.call, {**request, "attributes": attributes}, others))
            return True
        except Exception:
            return False

    def call_other_values(self, function, request, uploaded, operands):
        """Calls the function on other values in the operands' memory. Returns the bits of its results, or None."""
        integers = [self.arrays.is_integer(x) for x in operands if x is not None]
        for x, operand in zip(request["inputs"], operands):
            if x and (all(integers) or not self.arrays.is_integer(operand)):  # integers beside others may be places in them
                count = request["storages"][x["storage"]] // self.element_size(x["dtype"])
                self.arrays.overwrite(operand, x["shape"], x["strides"], x["offset"], count)
        bits = None
        try:
            results = self.invoke(function.call, request, operands)
            self.finish(results)
            bits = self.bits(request, results, operands)
            if request["outputs"]:
                self.check_memory(request, as_list(results), uploaded)
                self.keep(as_list(results))
            return bits
        except Violation:
            return bits  # the judged call will have the same fault
        except Exception:
            return None

    def call_elsewhere(self, call, request, originals):
        """Calls it on the case's values in new memory. Returns its results, the values that it computed, and their bits."""
        uploaded = [self.upload(bytearray(data)) for data in originals]
        operands = self.views(request, uploaded)
        self.poison(request)
        results = self.invoke(call, request, operands)
        self.finish(results)
        return results, self.values_of(request, results, operands), self.bits(request, results, operands)

    def call_fresh(self, function, request, originals):
        """The same in a fresh copy of the function's module; None if that is impossible."""
        call = function.fresh()
        try:
            return call and self.call_elsewhere(call, request, originals)
        except Exception:
            return None

    # --- results

    def keep(self, values):
        self.earlier.extend((value, self.result(value)[2]) for value in values if not self.arrays.strange(value))
        del self.earlier[:-8]

    def check_form(self, request, results):
        """Checks types, dtypes and shapes. Returns the list of results."""
        expected, values = request["outputs"], as_list(results)
        if not expected:
            return []
        if len(values) != len(expected):
            raise Violation("the function returned %d results, and the operator has %d" % (len(values), len(expected)))
        for k, (value, x) in enumerate(zip(values, expected)):
            strange = self.arrays.strange(value)
            if strange:
                raise Violation("result %d is %s" % (k, strange))
            dtype, shape, _ = self.result(value)
            shape = list(shape)
            if dtype != x["dtype"] or len(shape) != len(x["shape"]) or any(
                    n is not None and n != m for n, m in zip(x["shape"], shape)):
                raise Violation("result %d is %s %s, and %s %s is expected" % (k, dtype, shape, x["dtype"], x["shape"]))
        return values

    def has_form(self, request, results):
        try:
            self.check_form(request, results)
            return True
        except Violation:
            return False

    def check_memory(self, request, values, uploaded):
        """Checks that results lie neither in operands, nor in each other, nor in results of earlier calls."""
        taken = [("operand %d, which it must not" % i, self.arrays.storage_range(uploaded[x["storage"]]))
                 for i, x in enumerate(request["inputs"]) if x and request["run"] not in MAY_ALIAS]
        taken += [("the result of an earlier call, which it overwrites", self.arrays.extent(value)) for value, _ in self.earlier]
        for k, value in enumerate(values):
            start, end = self.arrays.extent(value)
            for what, (first, behind) in taken:
                if start < behind and first < end:
                    raise Violation("aliasing: result %d shares memory with %s" % (k, what))
            taken.append(("result %d" % k, (start, end)))
        for value, data in self.earlier:
            if self.result(value)[2] != data:
                raise Violation("aliasing: this call has changed the result of an earlier call")

    def check_repeats(self, function, request, originals, judged, before):
        """`judged` are the bits of the result, `before` those for other values (None: unknown)."""
        same = bool(before) and judged == before and any(data for _, _, data in judged)
        if same or bool(request.get("return_storages")):
            *_, elsewhere = self.call_elsewhere(function.call, request, originals)
            if same and elsewhere != judged:
                raise Violation("remembered by address: other values in the same memory gave the same result, the same values in "
                                "other memory another one")
            if elsewhere != judged and request["run"] not in self.profile.get("nondeterministic", ()):
                raise Violation("not repeatable: the same values in other memory gave other bits")
        fresh = same and self.call_fresh(function, request, originals)
        if fresh and fresh[2] != judged:
            raise Violation("remembered by shape: other values of the same shapes gave the same result, a fresh copy of the module "
                            "another one")

    def check_sizes(self, function, request, originals, judged):
        """Checks that the result does not depend grossly on the sizes of the calls before."""
        form = str((request["run"], [x and (x["dtype"], x["shape"]) for x in request["inputs"]]))
        if not self.after_sizes or form in self.forms or len(self.forms) >= FORMS:
            return
        self.forms.add(form)
        fresh = self.call_fresh(function, request, originals)
        if fresh and any(self.differ(a, b) for a, b in zip(judged, fresh[1])):
            raise Violation("right only for the sizes of its first call: after calls on other sizes the result is another one than "
                            "in a fresh copy of the module")

    def differ(self, a, b):
        a, b = self.arrays.wide(a), self.arrays.wide(b)
        if a.shape != b.shape or bool(((a != a) != (b != b)).any()):
            return True
        infinite = float("inf")
        if bool(((abs(a) == infinite) != (abs(b) == infinite)).any()):
            return True
        finite = (abs(a) < infinite) & (abs(b) < infinite)
        a, b = a[finite], b[finite]
        return len(a) > 0 and bool(abs(a - b).max() > abs(b).max() / 8)

    def note_overwritten(self, request, uploaded, originals):
        """Returns which operand that the operator must only read has changed; "" if none."""
        written = {request["inputs"][i]["storage"] for i in request.get("mutates", [])}
        for i, x in enumerate(request["inputs"]):
            if x and x["storage"] not in written and bytes(self.download(uploaded[x["storage"]])) != originals[x["storage"]]:
                return "operand %d, which it must only read, is overwritten" % i
        return ""

    # --- the judged call

    def checked(self, request, storages):
        try:
            return self.judged_call(request, storages)
        except Exception:
            self.earlier = []  # they may lie in memory that was restored
            raise

    def judged_call(self, request, storages):
        function, every = self.operators[request["run"]], bool(request.get("return_storages"))
        originals = [bytes(data) for data in storages]
        uploaded = [self.upload(data) for data in storages]
        operands = self.views(request, uploaded)
        self.storages_before = uploaded  # kept until the next request has made its own
        if not every:
            self.after_sizes = self.call_other_sizes(function, request, operands)
        before = self.call_other_values(function, request, uploaded, operands)
        for storage, data in zip(uploaded, originals):
            self.arrays.restore(storage, data)
        self.poison(request)
        try:
            results, elapsed = self.timed(lambda: self.invoke(function.call, request, operands))
            values = self.check_form(request, results)
        except (Failed, Violation) as fault:
            fresh = self.call_fresh(function, request, originals)
            if fresh and self.has_form(request, fresh[0]):
                raise Violation("right only for the sizes of its first call: after calls on other sizes, %s" % fault) from fault
            raise
        mutated = request.get("mutates", [])
        changed = dict.fromkeys(request["inputs"][i]["storage"] for i in mutated)
        blobs = [bytes(self.download(uploaded[storage])) for storage in (range(len(uploaded)) if every else changed)]
        bits = self.bits(request, results, operands)
        self.check_memory(request, values, uploaded)
        self.check_repeats(function, request, originals, bits, before)
        overwritten = self.note_overwritten(request, uploaded, originals)
        if every:
            self.check_sizes(function, request, originals, self.values_of(request, results, operands))
            if self.overwritten and not overwritten:  # else assay reports it, with the element
                overwritten, self.overwritten = self.overwritten, ""
                raise Violation(overwritten + " in some calls")
        self.overwritten = "" if every else overwritten
        self.earlier = []
        self.keep(values)
        sent = [self.result(value) for value in values]
        outputs = [{"dtype": dtype, "shape": list(shape)} for dtype, shape, _ in sent]
        blobs += [data for _, _, data in sent]
        reply = {"status": "ok", "device_ns": elapsed, "outputs": outputs, "mutated": mutated}
        return {**reply, "return_storages": True} if every else reply, blobs
