# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 The assay authors
"""Many forms of calls, captured into the directory that is named: for the tests of assay_capture's table.

    python3 capture_forms.py DIR [cpu|cuda]
"""

import sys

import torch
from torch import nn
from torch.nn import functional

import assay_capture

DEVICE = torch.device(sys.argv[2] if len(sys.argv) > 2 else "cpu")


def normal(*shape):
    return torch.randn(*shape, device=DEVICE, requires_grad=True)


def modules():
    net = nn.Sequential(nn.GroupNorm(2, 6), nn.ELU(), nn.BatchNorm2d(6, track_running_stats=False), nn.LeakyReLU(), nn.Hardswish(),
                        nn.InstanceNorm2d(6), nn.Softplus(), nn.ReLU(inplace=True)).to(DEVICE)
    return net(normal(4, 6, 5, 5))


def losses(y):
    one, target = torch.ones_like(y), torch.randint(6, (4, 5, 5), device=DEVICE)
    return (functional.mse_loss(y, 0 * one) + functional.smooth_l1_loss(y, one) + functional.huber_loss(y, y.detach() * 2) +
            functional.binary_cross_entropy_with_logits(y, one) + functional.binary_cross_entropy(y.sigmoid(), one) +
            functional.cross_entropy(y, target) + functional.nll_loss(y.log_softmax(1).exp(), target))


def reductions(y):
    return (y.std() + y.logsumexp(1).sum() + y.amax() + y.norm() + functional.glu(y, 1).sum() + (y / 3.7).mean() + (y / 2).sum() +
            y.prod(3).mean() + y.clamp(-1, 1).var((0, 2)).sum() + torch.where(y > 1, y, -y).abs().sum())


def normalizations():
    nn.BatchNorm1d(6).to(DEVICE).eval()(normal(3, 6))
    nn.LayerNorm(6, elementwise_affine=False).to(DEVICE)(normal(3, 6)).sum().backward()
    if hasattr(functional, "rms_norm"):
        functional.rms_norm(normal(3, 6), (6,), normal(6)).sum().backward()


def autocast(linear):
    with torch.autocast(DEVICE.type, dtype=torch.bfloat16):
        functional.gelu(linear(normal(7, 6))).softmax(-1).float().sum().backward()


def optimizers(linear):
    for optimizer, options in ((torch.optim.SGD, {"lr": 0.1, "momentum": 0.9, "nesterov": True, "weight_decay": 0.1}),
                               (torch.optim.Adam, {}), (torch.optim.AdamW, {"amsgrad": True}),
                               (torch.optim.RMSprop, {"momentum": 0.3, "centered": True}), (torch.optim.Adagrad, {})):
        for foreach in (False, True):
            one = optimizer(linear.parameters(), foreach=foreach, **options)
            one.step()
            one.step()


torch.manual_seed(1)
with assay_capture.capture(sys.argv[1], explicit=True):
    y = modules()
    (losses(y) + reductions(y)).backward()
    normalizations()
    linear = nn.Linear(6, 6).to(DEVICE)
    autocast(linear)
    optimizers(linear)
