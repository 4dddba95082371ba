#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 The assay authors
"""Writes a few small valid files for every fuzzed reader: seeds.py ASSAY FOLDER makes FOLDER/READER/…

libFuzzer changes the inputs that it is given; from nothing it would not find a zip archive or a JSON object with the
right members. ASSAY itself writes records, baselines and bundles, so that they have the formats of this version.
"""

import io
import json
import os
import struct
import subprocess
import sys
import zipfile

assay, folder = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])

MOST = 8192  # bytes of an input, as the Makefile tells libFuzzer


def write(reader, name, data):
    os.makedirs(os.path.join(folder, reader), exist_ok=True)
    with open(os.path.join(folder, reader, name), "wb") as out:
        out.write(data.encode() if isinstance(data, str) else data)


def npy(descr, shape, data, version=1, fortran=False):
    header = "{'descr': '%s', 'fortran_order': %s, 'shape': %s, }" % (descr, fortran, shape)
    prefix = 10 if version == 1 else 12
    header += " " * (-(prefix + len(header) + 1) % 64) + "\n"
    length = struct.pack("<H" if version == 1 else "<I", len(header))
    return b"\x93NUMPY" + bytes([version, 0]) + length + header.encode() + data


def npz(members, compression):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", compression) as archive:
        for name, data in members:
            archive.writestr(name, data)
    return out.getvalue()


def safetensors(tensors, metadata=None):
    header, data = ({"__metadata__": metadata} if metadata else {}), b""
    for name, dtype, shape, numbers in tensors:
        header[name] = {"dtype": dtype, "shape": shape, "data_offsets": [len(data), len(data) + len(numbers)]}
        data += numbers
    text = json.dumps(header).encode()
    return struct.pack("<Q", len(text)) + text + data


ONE = struct.pack("<f", 1)
ARRAYS = [("<f4", "(2, 3)", ONE * 6), ("<f8", "()", bytes(8)), ("<f2", "(4,)", bytes(8)), ("<c8", "(1, 1, 2)", bytes(16)),
          ("|i1", "(0, 5)", b""), ("|u1", "(3,)", b"abc"), ("<i4", "(2,)", bytes(8)), ("<i8", "(1,)", bytes(8)),
          ("|b1", "(2,)", b"\0\1"), (">f4", "(2,)", bytes(8)), ("<u8", "(1,)", b"\xff" * 8), ("<V2", "(2,)", bytes(4))]
for number, (descr, shape, data) in enumerate(ARRAYS):
    write("npy", f"{number}.npy", npy(descr, shape, data, 1 + number % 3, number % 2 == 0))

members = [(f"a{number}.npy", npy(*array)) for number, array in enumerate(ARRAYS)]
write("npz", "stored.npz", npz(members[:4], zipfile.ZIP_STORED))
write("npz", "deflated.npz", npz(members[4:9], zipfile.ZIP_DEFLATED))
write("npz", "refused.npz", npz(members[9:] + [("notes.txt", b"no array")], zipfile.ZIP_STORED))
write("npz", "ordered.npz", npz([("arr_1.npy", members[0][1]), ("arr_0.npy", members[1][1])], zipfile.ZIP_DEFLATED))

write("safetensors", "plain", safetensors([("a", "F32", [2], ONE * 2), ("b", "I64", [], bytes(8)), ("c", "BF16", [1, 3], bytes(6))],
                                          {"format": "pt"}))
write("safetensors", "all", safetensors([(d, d, [2], bytes(2 * n)) for d, n in
                                         [("F64", 8), ("F16", 2), ("C64", 8), ("I32", 4), ("I8", 1), ("U8", 1), ("BOOL", 1), ("U64", 8)]]))
write("safetensors", "empty", safetensors([("a", "F32", [0, 4], b"")]))

HEAD = "%%MatrixMarket matrix "
for name, kind, body in [
        ("general", "coordinate real general", "% a comment\n3 4 3\n1 1 1.5\n2 3 -2e-3\n3 4 inf\n"),
        ("symmetric", "coordinate integer symmetric", "2 2 2\n1 1 4\n2 1 -7\n"),
        ("skew", "coordinate real skew-symmetric", "3 3 2\n2 1 1\n3 1 2\n"),
        ("pattern", "coordinate pattern general", "2 2 1\n1 2\n"),
        ("array", "array real general", "2 3\n1\n2\n3\n4\n5\n6\n"),
        ("lower", "array real symmetric", "2 2\n1\n2\n3\n"),
        ("complex", "coordinate complex hermitian", "1 1 1\n1 1 2 0\n")]:
    write("matrix_market", name, HEAD + kind + "\n" + body)

PER = {"float32": "kept", "float16": "flushed"}
PROFILE = {"rounding": {"float32": "rte", "bfloat16": "open"}, "subnormals": PER, "special_values": "kept", "accumulate": {"float16": "float32"},
           "accumulate_own": ["softmax"], "matrix_units": ["matmul"], "summation": {"matmul": "pairwise", "sum": "blocked:64", "mv": "recursive"},
           "algorithm": {"matmul": "fast:32", "mv": "classical", "conv2d": "winograd:2"}, "conversions": "via-float32", "primitives": "opencl",
           "attributes": "float32", "range": ["softmax"], "refusals": "open", "invariance": "bits", "nondeterministic": ["matmul"],
           "sgn_nan": {"complex64": "zero"}, "sgn_zero": "positive", "ties": "first", "padding": "zeros", "slogdet_nan_sign": "number",
           "attention_empty_row": "zero", "attention_probabilities": {"float16": "float32"}}
HELLO = {"hello": 1, "name": "seed", "version": "1", "device": "d", "dtypes": ["float32", "float16", "complex64", "int64"],
         "operators": ["sgn", "matmul", "softmax"], "memory": True, "return_storages": True, "repeats": True,
         "profile": PROFILE}
OUTPUTS = [{"dtype": "float32", "shape": []}, {"dtype": "float32", "shape": []}]
write("protocol", "hello", json.dumps(HELLO))
write("protocol", "short", json.dumps({"hello": 1, "name": "s", "dtypes": ["float32"], "operators": {"sgn": ["float32"], "slogdet": ["float64"]},
                                       "profile": {"range": "naive", "rounding": "rte", "primitives": "vector"}}))
for name, reply in [("ok", {"status": "ok", "device_ns": 81234, "outputs": OUTPUTS, "mutated": []}),
                    ("all", {"status": "ok", "outputs": OUTPUTS, "mutated": [], "return_storages": True}),
                    ("shape", {"status": "ok", "outputs": [{"dtype": "float32", "shape": [2, 2]}] * 2}),
                    ("unsupported", {"status": "unsupported", "reason": "no kernel"}), ("error", {"status": "error", "message": "lost"}),
                    ("rejected", {"status": "rejected", "message": "no"}), ("short_of", {"status": "out_of_memory"}),
                    ("memory", {"status": "ok", "allocated": 5, "reserved": 6, "peak": 7, "limit": 8, "process": 9})]:
    write("protocol", name, json.dumps(dict(id=1, **reply)))
    write("protocol", name + "-even", json.dumps(dict(id=1, **reply)) + " ")

# --- of assay's own writers
work = os.path.join(folder, "work")
os.makedirs(work, exist_ok=True)


def run(*words, status=(0,)):
    done = subprocess.run([assay, *words], cwd=work, env=dict(os.environ, XDG_CACHE_HOME=work), stdout=subprocess.DEVNULL)
    if done.returncode not in status:
        sys.exit("seeds.py: assay %s: exit %d" % (" ".join(words), done.returncode))


run("run", "linalg/matmul/float32/random-9x7x5", "elementwise/sgn/complex64/specials", "linalg/logdet/float32/*", "inplace/add_/int32/self-alias",
    "--level", "smoke", "--backend", "cpu", "--results", "r")
run("run", "scaling/sgn/float32/curve", "memory/logdet/float32/epochs", "--level", "standard", "--backend", "cpu", "--results", "series", status=(0, 1))
for name in "r", "series":
    with open(os.path.join(work, name), encoding="utf-8") as lines:
        for number, line in enumerate(list(lines)[:12]):
            write("records", f"{name}-{number}", line.strip())
            if name == "r" and '"status":"pass"' in line:
                write("records", f"{number}-fail", line.strip().replace('"status":"pass"', '"status":"fail"'))
STORED = 40  # bytes of the store's own head before the payload (harness/cache/store.c)
truths = [os.path.join(where, name) for where, _, names in os.walk(os.path.join(work, "assay", "truth")) for name in names]
for number, path in enumerate(sorted(truths, key=os.path.getsize)):
    with open(path, "rb") as truth:
        data = truth.read()[STORED:]
        if len(data) < MOST:
            write("records", f"truth-{number}", data)

for number, case in enumerate(["linalg/matmul/float32/random-9x7x5", "elementwise/sgn/complex64/specials", "inplace/add_/int32/self-alias",
                               "norm/layer_norm/float32/eps-left-out", "reduction/softmax/float16/cube-1", "sparse/coalesce/float32/duplicates"]):
    run("repro", case, "--backend", "cpu", "--bundle", "b.zip")
    with zipfile.ZipFile(os.path.join(work, "b.zip")) as bundle:
        write("bundle", str(number), bundle.read("bundle.json"))
    with open(os.path.join(work, "b.zip"), "rb") as whole:
        data = whole.read()
        if len(data) < MOST:
            write("npz", f"bundle-{number}.npz", data)

ENTRY = {"id": "linalg/logdet/float32/hilbert-n5", "status": "fail", "backend": "vulkan", "device": "llvmpipe*", "driver": "*", "reason": "why",
         "link": "https://example.org/1", "owner": "me", "expires": "2027-02-28"}
write("baseline", "two", json.dumps({"version": 2, "entries": [ENTRY, {"id": "linalg/*", "reason": "r", "status": "timeout"}]}, indent=1))
write("baseline", "one", json.dumps({"version": 1, "entries": [{"id": "a/b/c/d", "reason": "r"}]}))
