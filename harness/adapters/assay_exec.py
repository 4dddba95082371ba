# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 The assay authors
"""What the Python adapters share: the conversation of docs/reference/exec-protocol.md, operands, and the answers for exceptions.

An adapter derives from Adapter, or from HostAdapter if its runtime takes numpy arrays, fills in its name, operators and
profile, and calls serve(). It must import this module before its runtime: from then on only the conversation is written to the
original stdout, and anything that a library prints, from Python or from C, goes to stderr.

This module needs only the standard library, and numpy if a HostAdapter is made.
"""

import importlib
import itertools
import json
import math
import os
import struct
import sys
import time
import warnings

REQUESTS = os.fdopen(os.dup(0), "rb")
ANSWERS = os.fdopen(os.dup(1), "wb")
os.dup2(2, 1)
os.dup2(os.open(os.devnull, os.O_RDONLY), 0)

# There are as many backend processes as processors, so each uses one thread, unless the user has set these variables.
for threads in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(threads, "1")

# dtype → the struct module's format of one element; bfloat16 is the upper half of a float32, as an integer of 16 bits.
FORMATS = {"float16": "e", "bfloat16": "H", "float32": "f", "float64": "d", "complex64": "2f", "int8": "b", "uint8": "B",
           "int32": "i", "int64": "q", "bool": "?"}


ROUNDS_MOST = 15


class Unsupported(Exception):
    """The runtime has no such operator, dtype or form of the call."""


class Rejected(Exception):
    """The operands must be refused."""


def need(module, install):
    """Imports a module, or exits with a message that says what to install: assay shows the last line of a program that does
    not greet."""
    try:
        return importlib.import_module(module)
    except ImportError as fault:
        known = str(fault)[:50]
        sys.exit("%s: %s; ASSAY_PYTHON names the python" % (known, install))


def itemsize(dtype):
    return struct.calcsize("<" + FORMATS[dtype])


class Elements:
    """An operand for runtimes without arrays: a strided view of its storage's bytes, which reads and writes lists of numbers
    in row-major order (complex64: pairs)."""

    def __init__(self, storage, dtype, shape, strides, offset):
        self.storage, self.dtype, self.shape = storage, dtype, shape
        self.format, self.size = "<" + FORMATS[dtype], itemsize(dtype)
        self.places = [offset + sum(i * s for i, s in zip(index, strides))
                       for index in itertools.product(*map(range, shape))]

    def read(self):
        found = (struct.unpack_from(self.format, self.storage, place * self.size) for place in self.places)
        return [item if len(item) > 1 else item[0] for item in found]

    def write(self, values):
        for place, value in zip(self.places, values):
            struct.pack_into(self.format, self.storage, place * self.size, *(value if isinstance(value, tuple) else (value,)))


class Adapter:
    name = version = device = ""
    dtypes = tuple(FORMATS)  # names of the dtypes that the runtime has
    operators = {}           # assay's name → function(attributes, operand, …); an absent optional operand is None
    only = {}                # operator with fewer dtypes → their names, separated by spaces
    profile = {}
    refusals = missing = fatal = ()  # words in messages: refused; unsupported; the process is unusable from now on
    refused, no_memory = (Rejected,), (MemoryError,)  # exception classes for these answers
    memory = None            # a function that returns the answer to a "memory" request

    # --- what an adapter may override

    def upload(self, data):
        """Returns the storage in the runtime's memory that holds the bytes of `data`, a bytearray."""
        return data

    def download(self, storage):
        """Returns all bytes of a storage that an operator may have changed."""
        return storage

    def view(self, storage, dtype, shape, strides, offset):
        """Returns an operand as a view of its storage; strides and offset count elements."""
        return Elements(storage, dtype, shape, strides, offset)

    def begin(self, every):
        """Called before the operands of an operator are made. `every`: bring_back() will be called and all storages sent back."""

    def bring_back(self):
        """Called before every storage is sent back. If operators work on copies of the operands, this must copy changes back,
        so that assay sees when an operator has changed an operand that it must only read."""

    def result(self, value):
        """Returns dtype, shape and row-major bytes of one result of an operator, here (dtype, shape, values)."""
        dtype, shape, values = value
        flat = itertools.chain.from_iterable(values) if dtype == "complex64" else values
        return dtype, shape, struct.pack("<%d%s" % (math.prod(shape) * len(FORMATS[dtype]), FORMATS[dtype][-1]), *flat)

    def finish(self, results):
        """Waits until `results` are computed. Called with None before the clock starts."""

    def timed(self, call, repeats, warm_up, rounds):
        """Calls `call` warm_up times, then `rounds` times `repeats` times. Returns the last results and the nanoseconds of one
        call: the median over the rounds."""
        results = None
        for _ in range(warm_up):
            results = None  # before the next call needs the memory
            results = call()
        self.finish(results)
        elapsed = []
        for _ in range(rounds):
            start = time.perf_counter_ns()
            for _ in range(repeats):
                results = None
                results = call()
            self.finish(results)
            elapsed.append(time.perf_counter_ns() - start)
        return results, median(elapsed) // repeats

    def elsewhere(self, results, caught):
        """Returns where the operator ran instead of the requested device, judging by its results and the warnings; else None."""

    def limit_memory(self, size):
        return {"status": "unsupported", "reason": "%s cannot limit its memory" % self.name}

    def empty_cache(self):
        """Frees cached memory."""

    def default(self, name):
        """Returns the runtime's own function of this name, called as the functions of `operators` are; None: it has none."""

    # --- the conversation

    def offer(self, names):
        """Offers also what assay has under the runtime's own name, and no line of this adapter mentions."""
        own = {name: self.default(name) for name in names if name not in self.operators}
        self.operators = {**self.operators, **{name: call for name, call in own.items() if call}}

    def hello(self):
        every = list(self.dtypes)
        operators = {name: self.only.get(name, " ".join(every)).split() for name in self.operators}
        return {"hello": 1, "name": self.name, "version": self.version, "device": self.device, "dtypes": every,
                "operators": operators if self.only else list(operators), "memory": bool(self.memory),
                "return_storages": True, "repeats": True, "profile": self.profile}

    def run(self, request, storages):
        operator = self.operators.get(request["run"])
        if operator is None:
            raise Unsupported("the adapter has no " + request["run"])
        strange = [x["dtype"] for x in request["inputs"] if x and x["dtype"] not in self.dtypes]
        if strange:
            raise Unsupported("%s has no %s" % (self.name, strange[0]))
        offered, taken = self.only.get(request["run"], "").split(), [x["dtype"] for x in request["inputs"] if x]
        if offered and taken and not set(offered) & set(taken):
            raise Unsupported("the adapter has no %s on %s" % (request["run"], taken[0]))
        every = bool(request.get("return_storages"))
        self.begin(every)
        uploaded = [self.upload(data) for data in storages]
        operands = [x and self.view(uploaded[x["storage"]], x["dtype"], x["shape"], x["strides"], x["offset"])
                    for x in request["inputs"]]
        self.finish(None)
        repeats, warm_up = count(request, "repeats", 1, 1), count(request, "warm_up", 0, 0)
        rounds = count(request, "rounds", 1, 1, ROUNDS_MOST)
        if request.get("mutates"):
            repeats, warm_up, rounds = 1, 0, 1  # a second run would start from the results of the first
        attributes = numbers(request["attributes"])
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            results, elapsed = self.timed(lambda: operator(attributes, *operands), repeats, warm_up, rounds)
        place = self.elsewhere(results, caught)
        if place:
            raise Unsupported("%s fell back to %s" % (self.name, place))
        mutated = request.get("mutates", [])
        changed = dict.fromkeys(request["inputs"][i]["storage"] for i in mutated)  # each storage once, in the order of mutates
        if every:
            self.bring_back()
        blobs = [self.download(uploaded[storage]) for storage in (range(len(uploaded)) if every else changed)]
        outputs = []
        if request["outputs"]:
            for value in results if isinstance(results, (tuple, list)) else (results,):
                dtype, shape, data = self.result(value)
                outputs.append({"dtype": dtype, "shape": list(shape)})
                blobs.append(data)
        reply = {"status": "ok", "device_ns": elapsed, "outputs": outputs, "mutated": mutated}
        return {**reply, "return_storages": True} if every else reply, blobs

    def answer(self, request, storages):
        try:
            return self.run(request, storages)
        except Exception as fault:  # any exception costs only this case
            text = str(fault) or type(fault).__name__
            def says(words):
                return any(word in text for word in words)
            if isinstance(fault, self.no_memory) or "out of memory" in text:
                return {"status": "out_of_memory", "message": text[:200]}, ()
            if isinstance(fault, self.refused) or says(self.refusals):
                return {"status": "rejected", "message": text[:200]}, ()
            if isinstance(fault, (Unsupported, NotImplementedError)) or says(self.missing):
                return {"status": "unsupported", "reason": text[:200]}, ()
            return {"status": "error", "message": text[:200]}, ()

    def reply(self, request):
        if "hello" in request:
            self.offer(request.get("operators", ()))
            return self.hello(), ()
        if "run" in request:
            storages = [bytearray(size) for size in request["storages"]]
            if [REQUESTS.readinto(data) for data in storages] != request["storages"]:
                sys.exit(0)  # stdin ended within a request
            return self.answer(request, storages)
        if "memory" in request:
            return self.memory(), ()
        if "memory_limit" in request:
            return self.limit_memory(request["memory_limit"]), ()
        if "empty_cache" in request:
            self.empty_cache()
            return {"status": "ok"}, ()
        return {"status": "error", "message": "not a request of protocol 1"}, ()

    def serve(self):
        for line in REQUESTS:
            request = json.loads(line)
            reply, blobs = self.reply(request)
            message = reply if "hello" in request else {"id": request.get("id"), **reply}
            ANSWERS.write(json.dumps(message).encode() + b"\n")
            for blob in blobs:
                ANSWERS.write(blob)
            ANSWERS.flush()
            if any(word in reply.get("message", "") for word in self.fatal):
                sys.exit(3)  # the next case gets a new process


def median(numbers):
    """Returns the number in the middle, of an even number the greater of two."""
    return sorted(numbers)[len(numbers) // 2]


def count(request, name, otherwise, least, most=1000000):
    """Returns a number of runs, which the protocol bounds."""
    runs = request.get(name, otherwise)
    if type(runs) is not int or not least <= runs <= most:
        raise ValueError('"%s": %r is no integer from %d to %d' % (name, runs, least, most))
    return runs


def numbers(attributes):
    """Converts the strings that stand for infinities and NaN, which JSON lacks."""
    special = {"inf": math.inf, "-inf": -math.inf, "nan": math.nan}
    return {key: special.get(value, value) if isinstance(value, str) else value for key, value in attributes.items()}


def axis(dim, ndim):
    """Returns `dim` if an array of `ndim` dimensions has it. PyTorch's scalars have one dimension, others' have none."""
    if not -max(ndim, 1) <= dim < max(ndim, 1):
        raise Rejected("no such axis")
    if not ndim:
        raise Unsupported("a scalar has no axis here")
    return dim


def matrix_and_vector(x, y):
    """Returns the operands of mv if they are a matrix and a vector."""
    if x.ndim != 2 or y.ndim != 1:
        raise Rejected("mv multiplies a matrix by a vector")
    return x, y


def axes(a, ndim, empty=None):
    """Returns the axes of a reduction as a tuple, from the list `dim`; None (all) if it is left out, `empty` if it is []."""
    dims = a.get("dim")
    if not dims:
        return None if dims is None else empty
    if len({d % max(ndim, 1) for d in dims}) < len(dims):
        raise Rejected("an axis is named twice")
    return tuple(axis(d, ndim) for d in dims)


class HostAdapter(Adapter):
    """Operands are numpy arrays, strided views of the request's own bytes. Results may be anything that numpy converts to an
    array. bfloat16 is the type of ml_dtypes if that is installed, else uint16 with its bits."""

    def __init__(self):
        self.numpy = need("numpy", "pip install numpy")
        self.formats = {name: self.numpy.dtype(name) for name in FORMATS if name != "bfloat16"}
        try:
            self.formats["bfloat16"] = self.numpy.dtype(importlib.import_module("ml_dtypes").bfloat16)
        except ImportError:
            self.formats["bfloat16"] = self.numpy.dtype("uint16")
        self.names = {dtype: name for name, dtype in self.formats.items()}
        self.received, self.every = [], False

    def begin(self, every):
        self.received, self.every = [], every

    def receive(self, place, copy):
        """Notes that the runtime works on `copy`, a copy of the operand `place`. Returns the copy."""
        if self.every and copy is not place:
            self.received.append((place, place.tobytes(), copy))
        return copy

    def host(self, copy):
        """Returns the runtime's copy as a numpy array."""
        return self.numpy.asarray(copy)

    def bring_back(self):
        for place, sent, copy in self.received:
            now, size = self.host(copy), place.dtype.itemsize
            if now.tobytes() == sent:
                continue
            before, after = (self.numpy.frombuffer(data, "u1").reshape(-1, size) for data in (sent, now.tobytes()))
            changed = (before != after).any(axis=1).reshape(place.shape)
            place[changed] = now.reshape(place.shape)[changed]

    def view(self, storage, dtype, shape, strides, offset):
        dtype = self.formats[dtype]
        if 0 in shape:
            return self.numpy.empty(shape, dtype)
        return self.numpy.ndarray(shape, dtype, storage, offset * dtype.itemsize, [s * dtype.itemsize for s in strides])

    def result(self, value):
        array = self.numpy.asarray(value)
        if array.dtype not in self.names:
            raise TypeError("a result of dtype %s" % array.dtype)
        return self.names[array.dtype], array.shape, array.tobytes()
