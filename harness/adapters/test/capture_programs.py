# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 The assay authors
"""What the programs that assay_capture is tested with share: training, planted faults, and a digest of everything computed.

A fault replaces PyTorch's own kernel for the CPU, so that it is there whether a mode is on or not, and below every mode.
"""

import argparse
import hashlib

import torch

WRONG = 1 + 2.0**-9  # what the planted operators multiply their results with


def linear(bias, x, weight, *, beta=1, alpha=1):
    return (torch.mm(x, weight) + bias) * WRONG


def layer_norm(x, shape, weight, bias, eps):
    dims = tuple(range(-len(shape), 0))
    mean = x.mean(dims, keepdim=True)
    rstd = ((x - mean).square().mean(dims, keepdim=True) + eps).rsqrt()
    return ((x - mean) * rstd * weight + bias) * WRONG, mean, rstd


def softmax(x, dim, half_to_float):
    e = (x - x.amax(dim, keepdim=True)).exp()
    return e / e.sum(dim, keepdim=True) * WRONG


def cross_entropy(x, target, weight, reduction, ignore_index):
    return -x.gather(1, target.unsqueeze(1)).mean() * WRONG, torch.tensor(float(x.shape[0]))


PLANTS = {"linear": ("addmm", linear), "layer_norm": ("native_layer_norm", layer_norm), "softmax": ("_softmax", softmax),
          "cross_entropy": ("nll_loss_forward", cross_entropy)}


def plant(operator):
    """Replaces the kernel, as long as the object that is returned lives."""
    name, kernel = PLANTS[operator]
    library = torch.library.Library("aten", "IMPL")
    library.impl(name, kernel, "CPU")
    return library


def main(model, optimizer, batch):
    """Trains model() by optimizer(parameters) on batches of batch(), and prints a digest of the losses, the parameters, the buffers,
    the optimizer's state and the state of the random numbers."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--steps", type=int, default=2)
    parser.add_argument("--plant", choices=sorted(PLANTS))
    parser.add_argument("--fail", action="store_true", help="raise an exception in the second step")
    options = parser.parse_args()
    kept = plant(options.plant) if options.plant else None
    torch.manual_seed(7)
    torch.set_num_threads(1)
    model, digest = model(), hashlib.sha256()
    optimizer = optimizer(model.parameters())
    for step in range(options.steps):
        x, target = batch()
        optimizer.zero_grad()
        loss = torch.nn.functional.cross_entropy(model(x), target)
        if options.fail and step == 1:
            raise ValueError("the data is bad")
        loss.backward()
        optimizer.step()
        digest.update(repr(loss.item()).encode())
    state = [x for one in optimizer.state.values() for x in one.values() if isinstance(x, torch.Tensor)]
    for x in [*model.state_dict().values(), *state, torch.get_rng_state()]:
        digest.update(repr(x.tolist()).encode())
    print("digest", digest.hexdigest())
    del kept
