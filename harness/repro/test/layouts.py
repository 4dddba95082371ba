# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 The assay authors
"""layouts.py ASSAY FOLDER: compares the operands of `assay repro` with numpy's and scipy's readers.

Each case is an operand. repro runs with --bundle, and the script compares values, strides and offset in the bundle with those
of the array that numpy gives. Strides and offsets count elements, from the start of the file's array. Prints each difference, and
at the end the number of cases."""

import io
import json
import os
import subprocess
import sys
import zipfile

import numpy
import scipy.io
import scipy.sparse

ASSAY, FOLDER = sys.argv[1:]
RANDOM = numpy.random.default_rng(1)
SLICES = ("[:, 1:9:2]", "[::-1]", "[-1]", "[..., 0]", "[1:3, ::-2]", "[1]", "[..., ::3]", "[:2, -1]", "[5:0:-2]", "[0, 1, ...]")
cases = faults = files = 0
pending = []


def path(name):
    return os.path.join(FOLDER, name)


def new(ending):
    """A path that no other case uses."""
    global files
    files += 1
    return path("%d%s" % (files, ending))


def place(view, base):
    """The strides and the offset of a view of `base`, in elements."""
    start = view.__array_interface__["data"][0] - base.__array_interface__["data"][0]
    return [s // view.itemsize for s in view.strides], start // view.itemsize


def bundle(words):
    file = path("b.zip")
    if os.path.exists(file):
        os.unlink(file)
    ran = subprocess.run([ASSAY, "repro", *words, "--backend", "cpu", "--bundle", file], capture_output=True, text=True)
    if ran.returncode != 0:
        return ran.stdout + ran.stderr, None
    archive = zipfile.ZipFile(file)
    inputs = json.loads(archive.read("bundle.json"))["inputs"]
    return inputs, [numpy.load(io.BytesIO(archive.read("input-%d.npy" % i))) for i in range(len(inputs))]


def expect(words, wanted):
    """`wanted`: for each input its values, strides and offset; strides None: contiguous."""
    global cases, faults
    cases += 1
    inputs, arrays = bundle(words)
    if arrays is None:
        faults += 1
        print(words, inputs)
        return
    for i, (values, strides, offset) in enumerate(wanted):
        values = numpy.asarray(values)
        if strides is None:
            strides, offset = place(numpy.ascontiguousarray(values), numpy.ascontiguousarray(values))
        same = arrays[i].dtype == values.dtype and arrays[i].shape == values.shape and arrays[i].tobytes() == values.tobytes()
        if not same or inputs[i]["strides"] != strides or inputs[i]["offset"] != offset:
            faults += 1
            print(words, "input", i, "has strides", inputs[i]["strides"], "offset", inputs[i]["offset"], "and not", strides, offset,
                  "" if same else "and other values")


def expect_view(file, view, base, layout=None):
    """An operand from `file`, of float32 together with others in one call of amp_unscale, which takes any number of them."""
    option = ["--layout", "0=" + layout] if layout else []
    if view.dtype == numpy.float32:
        pending.append((file, (view, *place(view, base)), layout))
        if len(pending) == 24:
            flush()
    else:
        expect(["--op", "abs" if view.dtype.kind == "i" else "sgn", "--input", file, *option], [(view, *place(view, base))])


def flush():
    global cases
    numpy.save(path("zero.npy"), numpy.zeros(1, "f4"))
    words = ["--op", "amp_unscale"]
    for i, (file, _, layout) in enumerate(pending):
        words += ["--input", file] + (["--layout", "%d=%s" % (i, layout)] if layout else [])
    expect([*words, "--input", path("zero.npy"), "--input", path("zero.npy")], [wanted for _, wanted, _ in pending])
    cases += len(pending) - 1
    pending.clear()


def array(shape, dtype):
    return (100 * RANDOM.standard_normal(shape)).astype(dtype)


def safetensors(name, arrays):
    header, data = {}, b""
    for key, x in arrays.items():
        header[key] = dict(dtype={"f": "F%d", "i": "I%d"}[x.dtype.kind] % (8 * x.itemsize), shape=x.shape,
                           data_offsets=[len(data), len(data) + x.nbytes])
        data += x.tobytes()
    text = json.dumps(header).encode()
    with open(name, "wb") as file:
        file.write(len(text).to_bytes(8, "little") + text + data)


def dense_files():
    for dtype in ("f4", "f8", "f2", "i4"):
        for shape in ((6, 12), (6, 3, 10), (6, 2, 3, 4)) if dtype == "f4" else ((6, 12),):
            for order in "CF":
                x = numpy.array(array(shape, dtype), order=order)
                npy, npz, tensors = new(".npy"), new(".npz"), new(".safetensors")
                numpy.save(npy, x)
                (numpy.savez if order == "C" else numpy.savez_compressed)(npz, a=x, b=x)
                kinds = [(npy, numpy.load(npy)), (npz + ":b", numpy.load(npz)["b"])]
                if order == "C":
                    safetensors(tensors, {"other": x[:1], "w[0]": x})
                    kinds.append((tensors + ":w[0]", x))
                for name, read in kinds:
                    expect_view(name, read, read)
                    for cut in SLICES if dtype == "f4" else SLICES[:2]:
                        expect_view(name + cut, eval("read" + cut), read)
    x = array((3, 4), "f8")
    scipy.io.mmwrite(path("x.mtx"), x, precision=17)
    read = numpy.ascontiguousarray(scipy.io.mmread(path("x.mtx")))
    for cut in ("", "[::2, 1:]", "[:, ::-1]"):
        expect_view(path("x.mtx") + cut, eval("read" + cut), read)


def layouts():
    for shape in ((5, 7), (2, 3, 4), (2, 3, 4, 5), (2, 3, 2, 2, 3)):
        x = array(shape, "f4")
        file = new(".npy")
        numpy.save(file, x)
        turned = numpy.ascontiguousarray(x.swapaxes(-1, -2)).swapaxes(-1, -2)
        expect_view(file, turned, turned, "transposed")
        if len(shape) > 2:
            last = numpy.moveaxis(numpy.ascontiguousarray(numpy.moveaxis(x, 1, -1)), -1, 1)
            expect_view(file, last, last, "channels-last")
        expect_view(file, x, x, "contiguous")
        for cut in (lambda n: slice(1, 2 * n + 1, 2), lambda n: slice(2 * n, 0, -2)):
            memory = numpy.zeros([2 * n + 3 for n in shape], "f4")
            view = memory[tuple(cut(n) for n in shape)]
            view[...] = x
            strides, offset = place(view, memory)
            expect_view(file, view, memory, "strides:%s,offset:%d" % (",".join(map(str, strides)), offset))


def expanded():
    x = numpy.asfortranarray(array((4, 1, 3), "f4"))
    numpy.save(path("x.npy"), x)
    for shape in ((4, 5, 3), (2, 4, 5, 3)):
        wide = numpy.broadcast_to(x, shape)
        words = ["--op", "sgn", "--input", path("x.npy"), "--expand", "0=" + ",".join(map(str, shape))]
        expect(words, [(wide, *place(wide, x))])
    wide = numpy.broadcast_to(x[::2, :, 1], (2, 6))
    expect(["--op", "sgn", "--input", path("x.npy") + "[::2, :, 1]", "--expand", "0=2,6"], [(wide, *place(wide, x))])


def sparse_files():
    matrix = scipy.sparse.random(7, 5, 0.4, format="coo", random_state=2, dtype="f4")
    order = RANDOM.permutation(matrix.nnz)
    matrix = scipy.sparse.coo_matrix((matrix.data[order], (matrix.row[order], matrix.col[order])), matrix.shape)
    dense = array((5, 3), "f4")
    numpy.save(path("d.npy"), dense)
    for kind in ("coo", "csc", "csr"):
        for compressed in (False, True):
            scipy.sparse.save_npz(path("m.npz"), matrix.asformat(kind), compressed=compressed)
            expect_sparse("m.npz", scipy.sparse.load_npz(path("m.npz")), dense)
    scipy.io.mmwrite(path("m.mtx"), matrix, precision=9)
    read = scipy.io.mmread(path("m.mtx"))  # its astype would sort the entries
    expect_sparse("m.mtx", scipy.sparse.coo_matrix((read.data.astype("f4"), (read.row, read.col)), read.shape), dense)


def expect_sparse(name, read, dense):
    coo, csr = read.tocoo(), read.tocsr()
    csr.sort_indices()
    words = ["--input", path(name), "--input", path("d.npy")]
    indices = numpy.array([coo.row, coo.col]).astype("i8")
    expect(["--op", "sparse_mm", *words], [(x, None, 0) for x in (indices, coo.data, dense)])
    expect(["--op", "csr_mm", *words], [(x, None, 0) for x in (csr.indptr.astype("i8"), csr.indices.astype("i8"), csr.data, dense)])


dense_files()
layouts()
flush()
expanded()
sparse_files()
print("%d cases, %d differ" % (cases, faults))
