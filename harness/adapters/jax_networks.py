# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 The assay authors
"""assay's operators of neural networks, convolutions, attention, embeddings and linear layers, as calls of JAX, for
jax_adapter.py. Gradients are those of jax.vjp."""

import jax
import jax.numpy as jnp
from assay_exec import Rejected, Unsupported

DIMENSIONS = (1, 2, 3)


def each(a, name, rank, otherwise, least):
    """Returns the list `name` with one number for each spatial dimension. JAX takes negative padding as cropping."""
    numbers = list(a.get(name, [otherwise]))
    if len(numbers) not in (1, rank) or min(numbers) < least:
        raise Rejected("%s has one number for all dimensions or one for each, of %d or more" % (name, least))
    return numbers * rank if len(numbers) == 1 else numbers


def pairs_of(a, weight, dilation, rank):
    """Returns the padding of a convolution as JAX takes it, begin and end of each dimension."""
    padding = list(a.get("padding", [0]))
    if len(padding) == 2 * rank:
        if min(padding) < 0:
            raise Rejected("negative padding")
        return [tuple(padding[2 * d: 2 * d + 2]) for d in range(rank)]
    if not a.get("same"):
        return [(n, n) for n in each(a, "padding", rank, 0, 0)]
    if "padding" in a or any(s != 1 for s in a.get("stride", ())):
        raise Rejected("same excludes padding and strides")
    sums = [d * (kernel - 1) for d, kernel in zip(dilation, weight.shape[2:])]
    return [(total // 2, total - total // 2) for total in sums]


def batched(rank, call):
    """Adds a batch of 1 where the input, the first operand, has none."""
    def batch(a, x, weight, bias=None):
        if x.ndim not in (rank + 1, rank + 2) or weight.ndim != rank + 2:
            raise Rejected("the input has %d dimensions, or %d without a batch, the weight %d" % (rank + 2, rank + 1, rank + 2))
        y = call(a, x if x.ndim == rank + 2 else x[None], weight)
        y = y if x.ndim == rank + 2 else y[0]
        if bias is None:
            return y
        if bias.shape != (y.shape[-rank - 1],):
            raise Rejected("the bias has one number for each channel of the result")
        return y + bias.reshape((-1,) + (1,) * rank)
    return batch


def correlation(x, weight, groups, stride, pairs, dilation):
    if groups < 1 or x.shape[1] % groups or weight.shape[0] % groups or x.shape[1] != weight.shape[1] * groups:
        raise Rejected("the groups do not divide the channels")
    if any(d * (k - 1) >= n + sum(pair) for n, k, d, pair in zip(x.shape[2:], weight.shape[2:], dilation, pairs)):
        raise Rejected("the kernel is longer than the padded input")
    return jax.lax.conv_general_dilated(x, weight, stride, pairs, rhs_dilation=dilation, feature_group_count=groups)


def convolution(rank):
    def call(a, x, weight):
        stride, dilation = each(a, "stride", rank, 1, 1), each(a, "dilation", rank, 1, 1)
        return correlation(x, weight, a.get("groups", 1), stride, pairs_of(a, weight, dilation, rank), dilation)
    return batched(rank, call)


def transposed_convolution(rank):
    """jax.linear_transpose of the convolution that maps the result's shape to the input's."""
    def call(a, x, weight):
        stride, dilation = each(a, "stride", rank, 1, 1), each(a, "dilation", rank, 1, 1)
        padding, more, groups = each(a, "padding", rank, 0, 0), each(a, "output_padding", rank, 0, 0), a.get("groups", 1)
        if any(o >= max(s, d) for o, s, d in zip(more, stride, dilation)):
            raise Rejected("output_padding is less than stride or dilation")
        sizes = [(n - 1) * s - 2 * p + d * (k - 1) + o + 1
                 for n, s, p, d, k, o in zip(x.shape[2:], stride, padding, dilation, weight.shape[2:], more)]
        if min(sizes) < 1:
            raise Rejected("nothing is left of the result")
        if groups < 1 or x.shape[1] % groups or x.shape[1] != weight.shape[0]:
            raise Rejected("the groups do not divide the channels")
        result = jax.ShapeDtypeStruct((x.shape[0], weight.shape[1] * groups, *sizes), x.dtype)
        # The rows of output_padding lie behind the last window.
        pairs = [(p, p - o) for p, o in zip(padding, more)]
        forward = lambda y: correlation(y, weight, groups, stride, pairs, dilation)  # noqa: E731
        return jax.linear_transpose(forward, result)(x)[0]
    return batched(rank, call)


def gradient(forward, channels):
    def call(a, grad, x, weight):
        bias = jnp.zeros(channels(a, weight), x.dtype)
        y, back = jax.vjp(lambda *operands: forward(a, *operands), x, weight, bias)
        if grad.shape != y.shape:
            raise Rejected("grad_output is not of the shape of the result")
        return back(grad)
    return call


def attention(a, query, key, value, mask=None):
    """jax.nn.dot_product_attention, which has the heads behind the rows."""
    if not query.ndim == key.ndim == value.ndim == 4:
        raise Unsupported("jax.nn.dot_product_attention has a batch and heads")
    if a.get("is_causal") and mask is not None:
        raise Rejected("a mask excludes is_causal")
    if key.shape != value.shape or query.shape[0] != key.shape[0] or query.shape[3] != key.shape[3]:
        raise Unsupported("jax.nn.dot_product_attention has values as wide as keys, and broadcasts nothing")
    if query.shape[1] != key.shape[1] and not a.get("enable_gqa"):
        raise Unsupported("jax.nn.dot_product_attention repeats heads unasked")
    if not query.size or not key.size:
        raise Unsupported("jax.nn.dot_product_attention of nothing")
    words = {}
    if mask is not None:
        shape = query.shape[:3] + key.shape[2:3]
        mask = jnp.reshape(mask, (1,) * (4 - mask.ndim) + mask.shape)
        if mask.ndim != 4 or any(m not in (1, n) for m, n in zip(mask.shape, shape)):
            raise Rejected("the mask does not broadcast to %s" % (shape,))
        words["mask" if mask.dtype == bool else "bias"] = jnp.broadcast_to(mask, shape)
    query, key, value = (jnp.swapaxes(x, 1, 2) for x in (query, key, value))
    return jnp.swapaxes(jax.nn.dot_product_attention(query, key, value, is_causal=bool(a.get("is_causal", False)),
                                                     scale=a.get("scale"), **words), 1, 2)


def attention_gradient(a, grad, query, key, value, mask=None):
    inputs = [query, key, value] + ([mask] if mask is not None and mask.dtype != bool else [])
    y, back = jax.vjp(lambda q, k, v, m=mask: attention(a, q, k, v, m), *inputs)
    if grad.shape != y.shape:
        raise Rejected("grad_output is not of the shape of the result")
    return back(grad)


def linear(a, x, weight, bias=None):
    y = jnp.matmul(x, weight.T)
    return y if bias is None else y + bias


def embedding(a, weight, indices):
    """jnp.take, which does not refuse an index out of bounds."""
    check_indices(indices, weight.shape[0], a.get("padding_idx"))
    return jnp.take(weight, indices, axis=0)


def check_indices(indices, rows, padding):
    if indices.size and not (0 <= indices.min() and indices.max() < rows) or not -rows <= (padding or 0) < rows:
        raise Rejected("an index is out of bounds of %d" % rows)


def embedding_gradient(a, grad, indices):
    rows, padding = a["num_weights"], a.get("padding_idx")
    check_indices(indices, rows, padding)
    if grad.shape[:-1] != indices.shape:
        raise Rejected("grad_output has a row for each index")
    weight = jnp.zeros((rows, grad.shape[-1]), grad.dtype)
    by_weight = jax.vjp(lambda value: jnp.take(value, indices, axis=0), weight)[1](grad)[0]
    return by_weight if padding is None else by_weight.at[padding].set(0)


OPERATORS = {
    **{"conv%dd" % rank: convolution(rank) for rank in DIMENSIONS},
    **{"conv_transpose%dd" % rank: transposed_convolution(rank) for rank in DIMENSIONS},
    **{"conv%dd_backward" % rank: gradient(convolution(rank), lambda a, weight: weight.shape[0]) for rank in DIMENSIONS},
    **{"conv_transpose%dd_backward" % rank: gradient(transposed_convolution(rank), lambda a, weight: weight.shape[1] * a.get("groups", 1))
       for rank in DIMENSIONS},
    "scaled_dot_product_attention": attention,
    "scaled_dot_product_attention_backward": attention_gradient,
    "linear_backward": gradient(linear, lambda a, weight: weight.shape[0]),
    "embedding": embedding,
    "embedding_backward": embedding_gradient,
}
