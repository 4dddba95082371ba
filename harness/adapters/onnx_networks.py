# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 The assay authors
"""Convolutions, attention, embeddings and pooling as models of one node, for onnx_adapter.py. ONNX has no gradients."""

import functools

import assay_exec
from assay_exec import Rejected, Unsupported

np = assay_exec.need("numpy", "pip install numpy")


def each(a, name, rank, otherwise, least):
    """Returns the list `name` with one number for each spatial dimension."""
    numbers = list(a.get(name, [otherwise]))
    if len(numbers) not in (1, rank) or min(numbers) < least:
        raise Rejected("%s has one number for all dimensions or one for each, of %d or more" % (name, least))
    return numbers * rank if len(numbers) == 1 else numbers


def pads_of(a, kernel, dilation, rank):
    """Returns ONNX's pads: the begins of all dimensions, then the ends."""
    padding = list(a.get("padding", [0]))
    if len(padding) == 2 * rank:
        if min(padding) < 0:
            raise Rejected("negative padding")
        return padding[::2] + padding[1::2]
    if not a.get("same"):
        return 2 * each(a, "padding", rank, 0, 0)
    if "padding" in a or any(s != 1 for s in a.get("stride", ())):
        raise Rejected("same excludes padding and strides")
    sums = [d * (k - 1) for d, k in zip(dilation, kernel)]
    return [total // 2 for total in sums] + [total - total // 2 for total in sums]


class Networks:
    """The operators, of an adapter that has node(). Each takes the number of spatial dimensions first."""

    def network_operators(self):
        calls = {"conv%dd": self.convolution, "conv_transpose%dd": self.transposed_convolution, "max_pool%dd": self.max_pool,
                 "avg_pool%dd": self.average_pool}
        return {**{name % rank: functools.partial(call, rank) for name, call in calls.items() for rank in (1, 2, 3)},
                "scaled_dot_product_attention": self.attention, "embedding": self.embedding}

    @staticmethod
    def batched(rank, x):
        """Returns the input with a batch, and what removes it from the result."""
        if x.ndim not in (rank + 1, rank + 2):
            raise Rejected("the input has %d dimensions, or %d without a batch" % (rank + 2, rank + 1))
        return (x, lambda y: y) if x.ndim == rank + 2 else (x[None], lambda y: y[0])

    def convolution(self, rank, a, x, weight, bias=None):
        if weight.ndim != rank + 2:
            raise Rejected("the weight has %d dimensions" % (rank + 2))
        stride, dilation = each(a, "stride", rank, 1, 1), each(a, "dilation", rank, 1, 1)
        pads = pads_of(a, weight.shape[2:], dilation, rank)
        x, back = self.batched(rank, x)
        return back(self.node("Conv", x, weight, bias, strides=stride, dilations=dilation, pads=pads, group=a.get("groups", 1),
                              kernel_shape=weight.shape[2:]))

    def transposed_convolution(self, rank, a, x, weight, bias=None):
        if weight.ndim != rank + 2:
            raise Rejected("the weight has %d dimensions" % (rank + 2))
        stride, dilation = each(a, "stride", rank, 1, 1), each(a, "dilation", rank, 1, 1)
        more = each(a, "output_padding", rank, 0, 0)
        if any(o >= max(s, d) for o, s, d in zip(more, stride, dilation)):
            raise Rejected("output_padding is less than stride or dilation")
        x, back = self.batched(rank, x)
        return back(self.node("ConvTranspose", x, weight, bias, strides=stride, dilations=dilation, output_padding=more,
                              pads=2 * each(a, "padding", rank, 0, 0), group=a.get("groups", 1), kernel_shape=weight.shape[2:]))

    def pooling(self, rank, a, x):
        kernel = each(a, "kernel_size", rank, 1, 1)
        stride = each(a, "stride", rank, 1, 1) if a.get("stride") else kernel
        padding = each(a, "padding", rank, 0, 0)
        if any(2 * p > k for p, k in zip(padding, kernel)):
            raise Rejected("padding is at most half of the kernel")
        return (*self.batched(rank, x), {"kernel_shape": kernel, "strides": stride, "pads": 2 * padding,
                                         "ceil_mode": int(bool(a.get("ceil_mode", False)))})

    def max_pool(self, rank, a, x):
        """ONNX counts the indices through the whole tensor, PyTorch within each plane."""
        x, back, words = self.pooling(rank, a, x)
        values, indices = self.nodes("MaxPool", x, results=[self.type_of(x), self.type_named("int64")],
                                     dilations=each(a, "dilation", rank, 1, 1), **words)
        return back(values), back(indices % max(1, int(np.prod(x.shape[2:]))))

    def average_pool(self, rank, a, x):
        if "divisor_override" in a:
            raise Unsupported("AveragePool has no divisor of its own")
        x, back, words = self.pooling(rank, a, x)
        return back(self.node("AveragePool", x, count_include_pad=int(bool(a.get("count_include_pad", True))), **words))

    def attention(self, a, query, key, value, mask=None):
        """Attention of four dimensions, in which the heads of keys and values are shared wherever they are fewer."""
        if not query.ndim == key.ndim == value.ndim == 4 or query.shape[0] != key.shape[0] or query.shape[0] != value.shape[0]:
            raise Unsupported("Attention has a batch and heads, and broadcasts none of them")
        heads = [x.shape[1] for x in (query, key, value)]
        if heads[1] != heads[2] or not heads[1] or heads[0] % heads[1] or (heads[0] != heads[1] and not a.get("enable_gqa")):
            raise Unsupported("Attention has heads that divide")
        if a.get("is_causal") and mask is not None:
            raise Rejected("a mask excludes is_causal")
        words = {"scale": float(a["scale"])} if "scale" in a else {}
        if mask is not None:  # ONNX lets masks broadcast; ONNX Runtime wants all queries and keys of them
            mask = np.broadcast_to(mask, np.broadcast_shapes(mask.shape, (query.shape[2], key.shape[2])))
        return self.node("Attention", query, key, value, mask, is_causal=int(bool(a.get("is_causal", False))), **words)

    def embedding(self, a, weight, indices):
        """Gather, which takes negative indices from the end."""
        rows, padding = weight.shape[0], a.get("padding_idx") or 0
        if (indices.size and not (0 <= indices.min() and indices.max() < rows)) or not -rows <= padding < rows:
            raise Rejected("an index is out of bounds of %d" % rows)
        return self.node("Gather", weight, indices, axis=0)
