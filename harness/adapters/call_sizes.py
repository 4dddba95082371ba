# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 The assay authors
"""Other sizes for a call, so that its operands still fit each other.

Equal sizes stay equal. If no size is a multiple or a sum of others, each becomes about half as large, still even if it was, and
still a multiple of each attribute that divides it (groups). Otherwise all are halved, or doubled if that is impossible, because
sums and multiples survive both. Calls with products of sizes, or with integers beside other dtypes, which may be places in
tensors, get no other sizes."""

import math

MOST = 1 << 20  # elements of a call that is made larger


def related(sizes):
    return any(b % a == 0 or any(a + c == b for c in sizes) for b in sizes for a in sizes if a < b)


def products(sizes):
    return any(a * b in sizes for a in sizes for b in sizes)


def shrunk(size, divisors):
    step = math.lcm(*(d for d in (2, *divisors) if size % d == 0))
    return max(step, (size + 1) // 2 // step * step)


def plan(sizes, alone, divisors, elements):
    """Returns the new size of each size above 1; empty if there is none."""
    if products(sizes):
        return {}
    if alone or not related(sizes):
        new = {size: shrunk(size, divisors) for size in sizes}
        if any(new[size] != size for size in sizes):
            return new
    halves = [d for d in divisors if any(size % d == 0 for size in sizes)]
    if all(size % 2 == 0 and all(size % d or size // 2 % d == 0 for d in halves) for size in sizes):
        return {size: size // 2 for size in sizes}
    return {size: 2 * size for size in sizes} if elements * 4 <= MOST else {}


def other_sizes(request, operands, arrays):
    """Returns the shapes of operands and the attributes of a call on other sizes, or None."""
    there = [x for x in request["inputs"] if x]
    integers = [arrays.is_integer(x) for x in operands if x is not None]
    if any(0 in x["shape"] for x in there) or (any(integers) and not all(integers)):
        return None
    sizes = {n for x in there for n in x["shape"] if n > 1}
    attributes = request["attributes"]
    divisors = [v for v in attributes.values() if isinstance(v, int) and not isinstance(v, bool) and v > 1]
    elements = sum(math.prod(x["shape"]) for x in there)
    new = plan(sizes, len(there) == 1, divisors, elements)
    if not new:
        return None
    return ([x and [new.get(n, n) for n in x["shape"]] for x in request["inputs"]],
            {key: [new.get(n, n) for n in value] if isinstance(value, list) and "shape" in key else value
             for key, value in attributes.items()})
