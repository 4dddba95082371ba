# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 The assay authors
"""Where a program is: in which module, in which phase of a step, and in which step.

Only functions of PyTorch are wrapped, and only as long as needed: Module.__call__ and autograd's entries while a step is captured,
the steps of optimizers while steps are counted. A wrapper calls what it wraps with the same arguments and returns its result.
"""

import functools
import gc

import torch


class Places:
    """The module and the phase of the call that is running, as a stack of (phase, module path)."""

    def __init__(self, model=None):
        self.model, self.names, self.stack, self.wrapped = model, {}, [], []

    def now(self, grad):
        """Returns the module path, and the phase. Outside of everything it is the forward phase if `grad`: autograd records."""
        if self.stack:
            return self.stack[-1][1], self.stack[-1][0]
        return "", "forward" if grad else ""

    def inside(self, phase, path, function, args, kwargs):
        self.stack.append((phase, path))
        try:
            return function(*args, **kwargs)
        finally:
            self.stack.pop()

    def path(self, module):
        """Returns the name of a module in the model, or in the outermost module that is running; that itself has its class' name."""
        if not any(path for phase, path in self.stack if phase == "forward") or not self.names:
            roots = [self.model] if self.model is not None else []
            known = any(module is m for root in roots for m in root.modules())
            root = roots[0] if known else module
            self.names = {id(m): name or type(root).__name__ for name, m in root.named_modules()}
        outer = self.stack[-1][1] if self.stack else ""
        return self.names.get(id(module), outer or type(module).__name__)

    def wrap(self, owner, name, wrapper):
        self.wrapped.append((owner, name, getattr(owner, name), wrapper))
        setattr(owner, name, wrapper)

    def begin(self):
        places, call = self, torch.nn.Module.__call__
        backward, grad = torch.autograd.backward, torch.autograd.grad

        @functools.wraps(call)
        def module_call(module, *args, **kwargs):
            return places.inside("forward", places.path(module), functools.partial(call, module), args, kwargs)

        def phase(function):
            @functools.wraps(function)
            def inner(*args, **kwargs):
                return places.inside("backward", "", function, args, kwargs)
            return inner

        self.wrap(torch.nn.Module, "__call__", module_call)
        self.wrap(torch.autograd, "backward", phase(backward))
        self.wrap(torch.autograd, "grad", phase(grad))

    def end(self):
        for owner, name, original, wrapper in reversed(self.wrapped):
            if getattr(owner, name) is wrapper:  # else somebody else has wrapped it since
                setattr(owner, name, original)
        self.wrapped, self.names = [], {}


class Counter:
    """Counts the steps of optimizers: calls `before` and `after` around each outermost Optimizer.step."""

    def __init__(self, before, after):
        self.before, self.after, self.depth, self.undo = before, after, 0, []

    def around(self, step):
        @functools.wraps(step)
        def counted(*args, **kwargs):
            if self.depth:
                return step(*args, **kwargs)
            self.depth += 1
            self.before()
            try:
                result = step(*args, **kwargs)
            finally:
                self.depth -= 1
                self.after(False)
            self.after(True)
            return result
        counted.assay_capture = True
        return counted

    def wrap(self, owner, step):
        if not getattr(step, "assay_capture", False):
            counted = self.around(step)
            setattr(owner, "step", counted)
            self.undo.append((owner, step, counted))

    def classes(self):
        found = [torch.optim.Optimizer]
        for one in found:
            found += [sub for sub in one.__subclasses__() if sub not in found]
        return [one for one in found if "step" in vars(one)]

    def begin(self):
        for one in self.classes():
            self.wrap(one, vars(one)["step"])
        # Schedulers give an optimizer a step of its own.
        for one in [x for x in gc.get_objects() if issubclass(type(x), torch.optim.Optimizer)]:
            if "step" in vars(one):
                self.wrap(one, vars(one)["step"])
        counter, original = self, torch.optim.Optimizer.__init__

        @functools.wraps(original)
        def init(optimizer, *args, **kwargs):
            for one in type(optimizer).__mro__:  # a class that was defined since
                if issubclass(one, torch.optim.Optimizer) and "step" in vars(one):
                    counter.wrap(one, vars(one)["step"])
            return original(optimizer, *args, **kwargs)
        torch.optim.Optimizer.__init__ = init
        self.init = (original, init)

    def end(self):
        for owner, step, counted in reversed(self.undo):
            if vars(owner).get("step") is counted:
                setattr(owner, "step", step)
        if torch.optim.Optimizer.__init__ is self.init[1]:
            torch.optim.Optimizer.__init__ = self.init[0]
        self.undo = []
