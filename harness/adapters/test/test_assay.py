# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 The assay authors
"""Tests of the Python module assay; run by harness/adapters/test/python_module.c and by pytest alone.

    PYTHONPATH=harness/adapters python3 -m pytest harness/adapters/test/test_assay.py
"""

import json
import pathlib
import subprocess
import sys
import textwrap

import numpy as np
import pytest

import assay

try:
    import torch
except ImportError:
    torch = None

needs_torch = pytest.mark.skipif(torch is None, reason="no torch here")


def numbers(*shape, seed=1):
    return np.random.default_rng(seed).standard_normal(shape).astype(np.float32)


def softmax(x):
    e = np.exp(x - x.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


# --- right kernels, in several algebraic forms

FORMS = {
    "quotient": softmax,
    "logarithm": lambda x: np.exp(x - x.max(-1, keepdims=True)
                                  - np.log(np.exp(x - x.max(-1, keepdims=True)).sum(-1, keepdims=True))),
    "base 2": lambda x: (lambda e: e / e.sum(-1, keepdims=True))(np.exp2((x - x.max(-1, keepdims=True)) * np.float32(1.4426950408889634))),
}


@pytest.mark.parametrize("form", FORMS)
def test_a_right_kernel_passes(form):
    verdict = assay.assert_right("softmax", [x := numbers(8, 64)], FORMS[form](x), dim=-1)
    assert verdict.right and not verdict.cannot_tell and verdict.error_over_bound < 1 and verdict.resolution < 1e-4


LAYOUTS = {
    "transposed": lambda x: np.ascontiguousarray(x.T).T,
    "reversed": lambda x: x[::-1, ::-1],
    "sliced": lambda x: np.repeat(x, 2, axis=1)[:, ::2],
    "expanded": lambda x: np.broadcast_to(x[:1], x.shape),
    "big-endian": lambda x: x.astype(">f4"),
    "empty": lambda x: x[:0],
}


@pytest.mark.parametrize("layout", LAYOUTS)
def test_layouts(layout):
    x = LAYOUTS[layout](numbers(6, 33))
    assay.assert_right("softmax", [x], softmax(x).astype(np.float32), dim=-1)
    if x.size:
        with pytest.raises(AssertionError, match="softmax is wrong"):
            assay.assert_right("softmax", [x], softmax(x[::-1]).astype(np.float32) * np.float32(1.001), dim=-1)


def test_several_results_and_operands_that_are_left_out():
    x, rows = numbers(16, 4, 9), np.float32(16 * 9)
    mean, var = np.zeros(4, np.float32), np.ones(4, np.float32)
    m, v = x.mean((0, 2)), x.var((0, 2))
    y = (x - m[:, None]) / np.sqrt(v[:, None] + np.float32(1e-5))
    after = (np.float32(0.9) * mean + np.float32(0.1) * m, np.float32(0.9) * var + np.float32(0.1) * v * rows / (rows - 1))
    assay.assert_right("batch_norm", [x, mean, var, None, None], after + (y,), training=True)
    with pytest.raises(AssertionError):  # the biased variance
        assay.assert_right("batch_norm", [x, mean, var, None, None], (after[0], np.float32(0.9) + np.float32(0.1) * v, y), training=True)


def test_an_in_place_operator():
    a, b = numbers(5, 7), numbers(5, 7, seed=2)
    assay.assert_right("add_", [a, b], a + np.float32(2) * b, alpha=2)
    with pytest.raises(AssertionError, match="rule 10"):  # 2 b is exact, so the sum rounds once
        assay.assert_right("add_", [a, b], a + b, alpha=2)


# --- wrong kernels

def test_zeros_where_the_truth_is_tiny():
    x = numbers(4, 8) * np.float32(1e-15)
    with pytest.raises(AssertionError, match="explained by zeros"):
        assay.assert_right("mul", [x, x[::-1].copy()], np.zeros_like(x))


def test_float16_sums_for_float32():
    a, b = numbers(8, 256), numbers(256, 8, seed=2)
    half = np.zeros((8, 8), np.float16)
    for k in range(256):
        half += (a[:, k, None] * b[k]).astype(np.float16)
    with pytest.raises(AssertionError, match="rule 3"):
        assay.assert_right("matmul", [a, b], half.astype(np.float32))


def test_the_report_says_what_where_and_how_to_replay():
    x = numbers(4, 16)
    with pytest.raises(AssertionError) as caught:
        assay.assert_right("softmax", [x], softmax(x) * np.float32(1.01), dim=-1)
    for word in ("softmax is wrong", "rule 3", "worst element  output 0 [", "truth ", "got ", "replay         assay repro "):
        assert word in str(caught.value)
    bundle = str(caught.value).split("assay repro ")[1].strip()
    again = subprocess.run([assay.Judge.program(), "repro", bundle], capture_output=True, text=True)
    assert again.returncode == 1 and "recorded: fail" in again.stdout, again.stdout + again.stderr


def test_a_verdict_is_true_or_false():
    x = numbers(4, 16)
    assert assay.judge("softmax", [x], softmax(x), dim=-1)
    wrong = assay.judge("torch.softmax", [x], softmax(x)[::-1], dim=-1)
    assert not wrong and wrong.rule and wrong.worst["where"] and wrong.bundle and "wrong" in repr(wrong)


def test_cannot_tell():
    x = numbers(8, 512).astype(np.float16)
    y = softmax(x.astype(np.float32)).astype(np.float16)
    with pytest.warns(assay.AssayWarning, match="may be right or wrong"):
        assay.assert_right("softmax", [x], y, dim=-1, profile="none")
    with pytest.raises(AssertionError, match="cannot tell"):
        assay.assert_right("softmax", [x], y, dim=-1, profile="none", strict=True)
    assert not assay.judge("softmax", [x], y, dim=-1).cannot_tell
    assert not assay.judge("softmax", [x], y, dim=-1, profile={"accumulate": {"float16": "float32"}}).cannot_tell


# --- calls that cannot be judged

FAULTS = {
    "unknown operator": lambda x: assay.judge("softmx", [x], x, dim=-1),
    "not in this version": lambda x: assay.judge("lstm", [x], x),
    "no attribute": lambda x: assay.judge("softmax", [x], x, dm=-1),
    "of another type": lambda x: assay.judge("softmax", [x], x, dim="last"),
    "give a number": lambda x: assay.judge("softmax", [x], x, dim=object()),
    "takes 1 to 1 inputs": lambda x: assay.judge("softmax", [x, x], x, dim=-1),
    "recorded as float64": lambda x: assay.judge("softmax", [x], x.astype(np.float64), dim=-1),
    r"recorded as float32 \[2, 8\]": lambda x: assay.judge("softmax", [x], x[:2], dim=-1),
    "of dtype float128": lambda x: assay.judge("softmax", [x.astype(np.longdouble)], x, dim=-1),
    "give a numpy array": lambda x: assay.judge("softmax", [[1.0]], x, dim=-1),
    "no profile 'torch'": lambda x: assay.judge("softmax", [x], x, dim=-1, profile="torch"),
    "no member": lambda x: assay.judge("softmax", [x], x, dim=-1, profile={"roundng": "rte"}),
}


@pytest.mark.parametrize("word", FAULTS)
def test_what_cannot_be_judged_is_an_error(word):
    with pytest.raises(assay.Error, match=word):
        FAULTS[word](numbers(4, 8))


def test_a_process_that_ended_is_started_anew():
    x = numbers(4, 8)
    assay.assert_right("abs", [x], np.abs(x))
    assay.keeper.process.kill()
    assay.keeper.process.wait()
    assay.assert_right("abs", [x], np.abs(x))


def test_pytest_shows_the_report(tmp_path):
    (tmp_path / "test_mine.py").write_text(textwrap.dedent("""
        import assay, numpy as np
        def test_mine():
            x = np.ones((2, 4), np.float32)
            assay.assert_right("softmax", [x], x, dim=-1)
    """))
    run = subprocess.run([sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(tmp_path)], capture_output=True, text=True)
    assert run.returncode == 1 and "softmax is wrong" in run.stdout and "replay         assay repro" in run.stdout, run.stdout
    assert "def assert_right" not in run.stdout, run.stdout


# --- torch

@needs_torch
@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32", "float64"])
def test_torch(dtype):
    x = torch.from_numpy(numbers(8, 40)).to(getattr(torch, dtype)).t().contiguous().t()
    y = torch.softmax(x.double(), -1).to(x.dtype)
    assert not assay.assert_right("softmax", [x], y, dim=-1).cannot_tell
    with pytest.raises(AssertionError):
        assay.assert_right("softmax", [x], torch.zeros_like(y), dim=-1)


@needs_torch
def test_torch_tensors_that_need_gradients():
    x = torch.from_numpy(numbers(3, 4)).requires_grad_()
    assay.assert_right("exp", [x], torch.exp(x))


@needs_torch
def test_torch_integers_and_bools():
    a = torch.arange(12).reshape(3, 4)
    assay.assert_right("eq", [a, a.flip(1)], a == a.flip(1))
    with pytest.raises(AssertionError):
        assay.assert_right("add", [a, a], a + a + 1)


@needs_torch
@pytest.mark.parametrize("device", ["cpu", "cuda", "mps"])
def test_the_profile_by_name_is_what_the_torch_adapter_sends(device, monkeypatch):
    """profiles.json leaves out what is empty, and has the default_eps that PyTorch documents and the attention of 2.5 and later."""
    import torch_attention
    import torch_profile

    monkeypatch.setattr(torch_attention, "empty_row", lambda device: "zero")
    monkeypatch.setattr(torch_attention, "IN_FLOAT32", True)
    monkeypatch.setattr(torch_profile, "default_eps", lambda device: "dtype")
    sent = {key: value for key, value in torch_profile.profile(torch.device(device)).items() if value not in ([], {})}
    named = json.loads((pathlib.Path(torch_profile.__file__).parent / "profiles.json").read_text(encoding="utf-8"))
    assert sent == named["torch:" + device]
