# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 The assay authors
"""assay's operators of mixed precision as calls of PyTorch, for torch_operators.py."""

import warnings

import torch

LOWER = {10: torch.float16, 16: torch.bfloat16}  # ONNX's numbers


def autocast(operator):
    """The call inside torch.autocast. Older versions know bfloat16 alone on the CPU: for float16 they warn and leave autocast
    off, or raise."""
    def call(a, x, *operands):
        dtype = LOWER[a["dtype"]]
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("error")
                context = torch.autocast(device_type=x.device.type, dtype=dtype)
                context.__enter__()
        except (RuntimeError, UserWarning) as fault:
            raise NotImplementedError("autocast to %s: %s" % (dtype, fault)) from None
        try:
            return operator(x, *operands)
        finally:
            context.__exit__(None, None, None)
    return call


def amp_scale(a, x, scale):
    """GradScaler.scale: a product with a float32 tensor of the loss's rank, so that a 16-bit loss is promoted."""
    return x * scale.reshape((1,) * min(1, x.dim()))


def amp_unscale(a, *operands):
    *grads, found_inf, inv_scale = operands
    torch._amp_foreach_non_finite_check_and_unscale_(grads, found_inf, inv_scale)


def amp_step(a, param, grad, found_inf):
    """GradScaler.step: SGD, unless an infinity was found."""
    if found_inf.item():
        return
    leaf = param.detach()
    leaf.grad = grad
    torch.optim.SGD([leaf], lr=a["lr"]).step()


def amp_update_scale(a, scale, tracker, found_inf):
    torch._amp_update_scale_(scale, tracker, found_inf, a["growth_factor"], a["backoff_factor"], a["growth_interval"])


def grad_scaler(a, *operands):
    """A scaler's own calls on SGD over all params. PyTorch before 2.3 has a scaler for CUDA alone."""
    *tensors, scale, tracker = operands
    params = [param.detach() for param in tensors[::2]]
    for param, grad in zip(params, tensors[1::2]):
        param.grad = grad
    optimizer = torch.optim.SGD(params, lr=a["lr"])
    settings = {name: a[name] for name in ("growth_factor", "backoff_factor", "growth_interval")}
    if hasattr(torch.amp, "GradScaler"):
        scaler = torch.amp.GradScaler(params[0].device.type, **settings)
    elif params[0].is_cuda:
        scaler = torch.cuda.amp.GradScaler(**settings)
    else:
        raise NotImplementedError("this PyTorch has no gradient scaler for %s" % params[0].device.type)
    scaler.load_state_dict({"scale": scale.item(), "_growth_tracker": tracker.item(), **settings})
    scaler.scale(torch.ones(1, device=params[0].device))  # the scaler's state is created with the first loss
    for call in a["calls"]:
        if call == 2:
            scaler.update()
        else:
            (scaler.unscale_, scaler.step)[call](optimizer)
    scale.fill_(scaler.get_scale())
    tracker.fill_(scaler.state_dict()["_growth_tracker"])


OPERATORS = {
    "autocast_matmul": autocast(torch.matmul),
    "autocast_linear": autocast(torch.nn.functional.linear),
    "grad_scaler": grad_scaler,
    "amp_scale": amp_scale,
    "amp_unscale": amp_unscale,
    "amp_step": amp_step,
    "amp_update_scale": amp_update_scale,
}
