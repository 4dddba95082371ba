# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 The assay authors
"""Records the operator calls of one training step, so that assay says which of them is the first with a wrong result.

    python3 -m assay_capture [options] SCRIPT [argument ...]
    assay repro capture

runs a PyTorch program with its own arguments, and writes every operator call of one step (operands with their strides, attributes
and results) into a directory. The program computes what it computes without it, bit by bit. `assay repro DIR` computes the truth of
each call and names the first whose result is not right, with the module that called it.

A step ends when Optimizer.step returns; step 0 is everything up to the first time. A program that never calls it is one step.
In a program of your own:

    import assay_capture
    with assay_capture.capture("DIR", model=model, step=3):
        train()                      # assay_capture.step() ends a step where no optimizer does

It needs the standard library and PyTorch, 1.13 or 2.x. Code must run eagerly: torch.compile runs it so while a mode is on.
"""

import argparse
import os
import re
import sys
import types

import torch
from torch.utils import _python_dispatch

import capture_files
from capture_files import Refused
from capture_mode import Mode, Recorder, amount
from capture_steps import Counter, Places

GIB = 1 << 30
_running = []  # the captures that have begun and not ended


class capture:
    """A context in which one step is captured into `directory`. `model`: modules are named as in model.named_modules(), by default
    as in the outermost module that is called. `step`: which step. `operators`: names or globs of assay's operators. `limit`: bytes
    of arrays that are written at most. `explicit`: a step ends only where the program calls assay_capture.step()."""

    def __init__(self, directory, model=None, step=0, operators=("*",), limit=GIB, explicit=False, script=None):
        self.operators = (operators,) if isinstance(operators, str) else tuple(operators)
        self.wanted, self.explicit, self.done, self.state = step, explicit, 0, "before"
        capture_files.prepare(directory)
        self.places = Places(model)
        self.recorder = Recorder(directory, script or os.path.basename(sys.argv[0]), step, limit, self.operators, self.places)
        self.counter = Counter(self.optimizer_begins, self.optimizer_ended)
        self.mode = Mode(self.recorder)

    def __enter__(self):
        # The mode is entered before all modes of the program, not at the step, so that both are left in the opposite order.
        self.counter.begin()
        self.mode.__enter__()
        self.entered = True
        _running.append(self)
        if self.wanted == 0:
            self.begin()
        return self

    def __exit__(self, kind, fault, trace):
        _running.remove(self)
        self.counter.end()
        ended = kind is None or (kind is SystemExit and not fault.code)
        if self.state == "during" and ended:
            self.end()
        elif self.state == "during":
            self.recorder.stop("the program ended with %s" % kind.__name__)
            self.end()
        elif self.state == "before":
            self.recorder.stop("the program ended with %s" % kind.__name__ if not ended else
                               "the program has only %d steps" % self.done)
            self.recorder.write_list(False)
        self.leave()
        return False

    def leave(self):
        """Leaves the mode where no other has been entered since; else it stays, without effect."""
        if self.entered and _python_dispatch._get_current_dispatch_mode() is self.mode:
            self.entered = False
            self.mode.__exit__(None, None, None)

    # --- steps

    def begin(self):
        self.state, self.recorder.active = "during", True
        self.places.begin()

    def end(self):
        self.state, self.recorder.active = "after", False
        self.places.end()
        self.recorder.memory = None
        self.recorder.write_list(True)
        self.leave()

    def ended(self):
        """A step has ended."""
        if self.state == "during":
            self.end()
        self.done += 1
        if self.done == self.wanted:
            self.begin()

    def optimizer_begins(self):
        self.places.stack.append(("optimizer", ""))

    def optimizer_ended(self, well):
        if not well:
            self.places.stack.pop()
        elif not self.explicit:
            self.ended()

    def summary(self):
        """Returns a line about what was captured."""
        recorder = self.recorder
        if self.state == "before":
            return "%s: step %d was never reached" % (recorder.reason, self.wanted)
        kept = sum(one["file"] is not None for one in recorder.calls)
        line = "%d call%s of step %d in %s (%s), %d more listed as not recorded" % (
            kept, "" if kept == 1 else "s", self.wanted, recorder.directory, amount(recorder.bytes), len(recorder.calls) - kept)
        return line + (", incomplete: " + recorder.reason if recorder.reason else "") + "; next: assay repro " + recorder.directory


def step():
    """Ends a step, in a program that is captured with --explicit-steps, or that has no optimizer. Elsewhere it does nothing."""
    for one in list(_running):
        one.ended()


# --- the command

def size_of(text):
    match = re.fullmatch(r"(\d+)\s*([KMGT]?)(i?B)?", text.strip(), re.I)
    if not match or not int(match.group(1)):
        raise argparse.ArgumentTypeError("%r is no size: give a number of bytes, or 512M, 2G" % text)
    return int(match.group(1)) << {"": 0, "K": 10, "M": 20, "G": 30, "T": 40}[match.group(2).upper()]


def step_of(text):
    if not text.isdigit():
        raise argparse.ArgumentTypeError("%r is no number of a step: give 0 for the first, 1, 2, …" % text)
    return int(text)


def parser():
    about, _, rest = __doc__.partition("\n\n")
    found = argparse.ArgumentParser(prog="python3 -m assay_capture", formatter_class=argparse.RawDescriptionHelpFormatter,
                                    usage="python3 -m assay_capture [options] SCRIPT [argument ...]",
                                    description=about + "\n\n" + rest.rstrip(), epilog="""\
examples:
  python3 -m assay_capture train.py --epochs 1             the first step, into capture/
  python3 -m assay_capture --step 100 --output drift train.py
  python3 -m assay_capture --operators 'layer_norm*' --operators linear train.py

The script may be interrupted once the step is over: capture.json is written at its end. A second run into the same directory
replaces the capture; a directory with other files is refused.""")
    found.add_argument("--step", type=step_of, default=0, metavar="N", help="capture step N (default: 0, the first)")
    found.add_argument("--output", default="capture", metavar="DIR", help="directory of the capture (default: capture)")
    found.add_argument("--operators", action="append", metavar="GLOB",
                       help="record only operators of assay whose names match, as `linear` or `*_backward`; may be repeated")
    found.add_argument("--limit", type=size_of, default=GIB, metavar="SIZE",
                       help="stop recording when the arrays take more: bytes, 512M, 2G (default: 1G)")
    found.add_argument("--explicit-steps", action="store_true",
                       help="a step ends where the script calls assay_capture.step(), not with Optimizer.step")
    found.add_argument("script", metavar="SCRIPT", nargs="?", help="the program; everything behind it is for the program")
    found.add_argument("arguments", nargs=argparse.REMAINDER, help=argparse.SUPPRESS)
    return found


def run_script(script, arguments):
    """Runs a program as `python3 SCRIPT arguments` does."""
    with open(script, "rb") as file:
        code = compile(file.read(), script, "exec")
    main_module = types.ModuleType("__main__")
    main_module.__file__, main_module.__builtins__ = script, __builtins__
    sys.modules["__main__"], sys.argv = main_module, [script, *arguments]
    sys.path[0] = os.path.dirname(os.path.abspath(script))
    exec(code, main_module.__dict__)


def main(words=None):
    options = parser().parse_args(words)
    if options.script is None:
        parser().error("name the program to run; --help shows examples")
    if not os.path.isfile(options.script):
        parser().error("there is no script %s" % options.script)
    try:
        captured = capture(options.output, step=options.step, operators=options.operators or ("*",), limit=options.limit,
                           explicit=options.explicit_steps, script=os.path.basename(options.script))
    except Refused as fault:
        parser().error(str(fault))
    output = os.path.abspath(options.output)  # the program may change its working directory
    captured.recorder.directory = output
    try:
        with captured:
            run_script(options.script, options.arguments)
    finally:
        captured.recorder.directory = options.output
        print("assay_capture: " + captured.summary(), file=sys.stderr)
    return 1 if captured.state == "before" else 0


if __name__ == "__main__":
    import assay_capture  # the module that the program imports, which is another one than __main__

    sys.exit(assay_capture.main())
