# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 The assay authors
"""ATen's calls that need more than their own arguments to be calls of assay: gradients of normalizations, cross_entropy, and lists.

The gradient of a normalization is called with 1/√(variance + eps) and without eps, which the forward call had. cross_entropy is
dispatched as log_softmax and nll_loss.
"""

from capture_calls import CALLS, Call, Unfit, binary, in_place, leading, loss, plain, softmax, vector_norm


class Memory:
    """What earlier calls of the step have said. It lives as long as the capture of a step."""

    def __init__(self):
        self.eps = {}  # address of a forward pass' 1/√(variance + eps) → eps
        self.logits = None  # (result of the last log_softmax, its version, its input, its version, dim)

    def eps_of(self, a):
        if a["rstd"] is None or a["rstd"].data_ptr() not in self.eps:
            raise Unfit("its forward call, which had eps, was not captured")
        return self.eps[a["rstd"].data_ptr()]


def remembered(memory, eps, number):
    """Returns what to do after a normalization: remember eps for the gradient, which is called with result `number`."""
    def after(results):
        if results[number].numel():
            memory.eps[results[number].data_ptr()] = eps
    return after


def gradients(a, parameters, dtype_of):
    """Returns which results of a normalization's gradient are judged: those of the parameters only if there is a weight."""
    leading(*(x for x in dtype_of if x is not None))
    mask = list(a.get("output_mask") or [True] * 3)[:1 + parameters]
    if a["weight"] is None and mask[0]:
        return (0,)
    if not all(mask):
        raise Unfit("a gradient of which PyTorch computes only some results")
    return tuple(range(1 + parameters))


def forward(*operands):
    leading(*(x for x in operands if x is not None))
    return operands


# --- normalizations

def layer_norm(a, memory):
    return Call("layer_norm", forward(a["input"], a["weight"], a["bias"]),
                {"normalized_shape": list(a["normalized_shape"]), "eps": a["eps"]}, after=remembered(memory, a["eps"], 2))


def layer_norm_gradient(a, memory):
    attributes = {"normalized_shape": list(a["normalized_shape"]), "eps": memory.eps_of(a)}
    operands = [a["grad_out"], a["input"], a["weight"]]
    return Call("layer_norm_backward", operands, attributes, taken=gradients(a, 2, operands))


def rms_norm(a, memory):
    eps = {} if a["eps"] is None else {"eps": a["eps"]}
    return Call("rms_norm", forward(a["input"], a["weight"]), {"normalized_shape": list(a["normalized_shape"]), **eps},
                after=remembered(memory, a["eps"], 1))


def rms_norm_gradient(a, memory):
    eps = memory.eps_of(a)
    operands = [a["grad_out"], a["input"], a["weight"]]
    return Call("rms_norm_backward", operands,
                {"normalized_shape": list(a["normalized_shape"]), **({} if eps is None else {"eps": eps})}, taken=gradients(a, 1, operands))


def group_norm(a, memory):
    return Call("group_norm", forward(a["input"], a["weight"], a["bias"]), {"num_groups": a["group"], "eps": a["eps"]},
                after=remembered(memory, a["eps"], 2))


def group_norm_gradient(a, memory):
    operands = [a["grad_out"], a["input"], a["weight"]]
    return Call("group_norm_backward", operands, {"num_groups": a["group"], "eps": memory.eps_of(a)}, taken=gradients(a, 2, operands))


def batch_norm(training=None):
    """A batch normalization, in training or as its arguments say. The running statistics are overwritten without the schema of
    every overload saying so; in evaluation they are judged to be unchanged."""
    def call(a, memory):
        mean, variance = a.get("running_mean"), a.get("running_var")
        attributes = {"training": bool(a["training"]) if training is None else training,
                      "momentum": a["exponential_average_factor"] if "exponential_average_factor" in a else a["momentum"],
                      "eps": a["epsilon"] if "epsilon" in a else a["eps"]}
        written = tuple(i for i, x in ((1, mean), (2, variance)) if x is not None)
        return Call("batch_norm", forward(a["input"], mean, variance, a["weight"], a["bias"]), attributes, written=written)
    return call


def batch_norm_gradient(a, memory):
    grad = a["grad_out"] if "grad_out" in a else a["grad_output"]
    training = a.get("train", a.get("update", True))
    operands = [grad, a["input"], a["running_mean"], a["running_var"], a["weight"]]
    eps = a["epsilon"] if "epsilon" in a else a["eps"]
    return Call("batch_norm_backward", operands, {"training": bool(training), "eps": eps}, taken=gradients(a, 2, operands))


# --- cross_entropy

def log_softmax(a, memory):
    call, x = softmax("log_softmax")(a), a["self"]

    def after(results):
        memory.logits = (results[0], results[0]._version, x, x._version, a["dim"] % max(x.dim(), 1))
    call.after = after
    return call


def nll_loss(a, memory):
    """nll_loss, or cross_entropy if its operand is the unchanged result of the last log_softmax, over the classes."""
    x, found, memory.logits = a["self"], memory.logits, None
    if found:
        result, version, logits, before, dim = found
        same = result.data_ptr() == x.data_ptr() and result.shape == x.shape and result.stride() == x.stride()
        if same and dim == (1 if x.dim() > 1 else 0) and (x._version, logits._version) == (version, before):
            return loss("cross_entropy", "logits", "target", "weight")({**a, "logits": logits})
    return loss("nll_loss", "self", "target", "weight")(a)


REMEMBERING = {
    "native_layer_norm": layer_norm, "native_layer_norm_backward": layer_norm_gradient,
    "_fused_rms_norm": rms_norm, "_fused_rms_norm_backward": rms_norm_gradient,
    "native_group_norm": group_norm, "native_group_norm_backward": group_norm_gradient,
    "native_batch_norm": batch_norm(), "cudnn_batch_norm": batch_norm(), "miopen_batch_norm": batch_norm(),
    "_native_batch_norm_legit": batch_norm(), "_native_batch_norm_legit.no_stats": batch_norm(),
    "_batch_norm_with_update": batch_norm(True), "_batch_norm_no_update": batch_norm(False),
    "native_batch_norm_backward": batch_norm_gradient, "cudnn_batch_norm_backward": batch_norm_gradient,
    "miopen_batch_norm_backward": batch_norm_gradient, "batch_norm_backward": batch_norm_gradient,
    "_log_softmax": log_softmax, "nll_loss_forward": nll_loss, "nll_loss2d_forward": nll_loss,
}


# --- lists of tensors: optimizers with foreach=True, the default on CUDA

def each(one, **given):
    """A call for lists of tensors, as one call for each of them: `given` says which argument is which of `one`."""
    def call(a, memory):
        calls = []
        for i, x in enumerate(a["self"]):
            values = {name: a[argument] for name, argument in given.items()}
            calls.append(one({"self": x, **{name: v[i] if isinstance(v, (list, tuple)) else v for name, v in values.items()}}))
            if calls[-1].taken == (0,):
                calls[-1].taken = (i,)
        return calls
    return call


def each_in_place(op, *others):
    """A function of each tensor of a list, which is overwritten: as the function of it as it was."""
    def call(a, memory):
        return [Call(op, [x, *(a[other][i] for other in others)], taken=(x,)) for i, x in enumerate(a["self"])]
    return call


def lists():
    """The overloads for lists: in place and as functions, with another list, one number, a list of numbers or a tensor."""
    found = {}
    for name in ("sqrt", "neg", "reciprocal", "abs", "exp"):
        found["_foreach_" + name] = each(plain(name, "self"))
        found["_foreach_%s_" % name] = each_in_place(name)
    for name in ("maximum", "minimum"):
        found["_foreach_%s_.List" % name] = each_in_place(name, "other")
    for name in ("add", "sub", "mul", "div"):
        alpha = {"alpha": "alpha"} if name in ("add", "sub") else {}
        for stem, one in ((name, binary), (name + "_", in_place)):
            found["_foreach_%s.List" % stem] = each(one(stem, *alpha), other="other", **alpha)
            for overload, argument in (("Scalar", "scalar"), ("ScalarList", "scalars"), ("Tensor", "other")):
                # lists are divided by a number, not multiplied by its reciprocal
                found["_foreach_%s.%s" % (stem, overload)] = each(one(stem, inverts=False), other=argument)
    for name in ("addcmul", "addcdiv"):
        for stem, one in ((name, CALLS[name]), (name + "_", in_place(name + "_", "value"))):
            for overload, argument in (("Scalar", "value"), ("ScalarList", "scalars")):
                found["_foreach_%s.%s" % (stem, overload)] = each(one, tensor1="tensor1", tensor2="tensor2", value=argument)
    found["_foreach_norm.Scalar"] = each(vector_norm, ord="ord")
    found["_foreach_lerp_.Scalar"] = each(in_place("lerp_", "weight"), end="tensors1", weight="weight")
    return found


REMEMBERING.update(lists())


KNOWN = {name.split(".")[0] for name in (*REMEMBERING, *CALLS)}


def calls_of(name, a, memory):
    """Returns the calls of assay's operators that an overload with these arguments stands for. Raises Unfit where there are none.
    An overload with `out` is the function of the operands as they were before; its result is that tensor."""
    base = name.split(".")[0]
    if name.endswith("out") and a.get("out") is not None:
        name = next((other for other in (base, base + ".Tensor") if other in CALLS), name)
    if name in REMEMBERING:
        found = REMEMBERING[name](a, memory)
    elif name in CALLS:
        found = CALLS[name](a)
    else:
        raise Unfit("an overload that is not recorded" if base in KNOWN else "no operator of assay")
    return found if isinstance(found, list) else [found]
