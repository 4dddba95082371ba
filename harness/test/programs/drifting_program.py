# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 The assay authors
"""matmul of float32 matrices on harness/adapters/assay_exec.py, wrong in the way that the first argument names:

exact  one rounding of the exact result          coarse  operands of 11 bits, summed exactly
scaled the exact result, 0.1 % too large         skewed  the exact result, 0.1 % too large in every other element
nan    NaN in the first element                  dies    the process ends when matmul is called
tall   0.1 % too large where there are more rows than columns, else as exact
"""

import math
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "adapters"))
import assay_exec  # noqa: E402 (its folder is named above)

WAY = sys.argv[1]


def coarse(x):
    m, e = math.frexp(x)
    return math.ldexp(round(m * 2048) / 2048, e)


def matmul(a, x, y):
    if WAY == "dies":
        os._exit(3)
    rows, inner, columns = x.shape[0], x.shape[1], y.shape[1]
    p, q = x.read(), y.read()
    if WAY == "coarse":
        p, q = [coarse(v) for v in p], [coarse(v) for v in q]
    found = [math.fsum(p[i * inner + k] * q[k * columns + j] for k in range(inner))
             for i in range(rows) for j in range(columns)]
    if WAY in ("scaled", "skewed"):
        found = [v * (1.001 if WAY == "scaled" or n % 2 else 1) for n, v in enumerate(found)]
    if WAY == "tall" and rows > columns:
        found = [v * 1.001 for v in found]
    if WAY == "nan":
        found[0] = math.nan
    return [(x.dtype, [rows, columns], found)]


class Drifting(assay_exec.Adapter):
    name, version, device = "drifting", "1", "the host"
    dtypes, operators = ("float32",), {"matmul": matmul}
    profile = {"rounding": "rte", "subnormals": "kept", "invariance": "bits"}


Drifting().serve()
