# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 The assay authors
"""What `call:…` names: functions in Python, the operators that they stand for, and how a call binds its arguments.

    call:FILE.py:FUNCTION            the operator is the function's name
    call:FILE.py:FUNCTION=OPERATOR   or is named
    call:PACKAGE.MODULE:FUNCTION     a module, looked for in the working folder as well
    call:FILE.py                     the dict ASSAY_OPERATORS of the file: {"softmax": function, …}
    call:FILE.toml                   lines softmax = "my.py:function"; paths are relative to the file

with @cpu, @cuda, @cuda:1, @mps (tensors of PyTorch) or @numpy (arrays) at the end.
"""

import difflib
import hashlib
import importlib
import importlib.util
import inspect
import os
import re
import sys

from assay_exec import Unsupported

PLACE = re.compile(r"(cpu|cuda(:\d+)?|mps|numpy)")
NAME = re.compile(r"[A-Za-z_]\w*")

# Operators of which `dim` has no default in PyTorch. A function without it works along the last dimension.
LAST_DIMENSION = ("softmax", "softmin", "log_softmax", "softmax_backward", "log_softmax_backward")


def give_up(text):
    """Ends the adapter; assay shows the first 150 characters of the last line of a program that does not greet."""
    sys.exit(text)


class Selector:
    def __init__(self, text, otherwise=""):
        """`otherwise`: the operator that repro has named, for a function of another name."""
        self.text, self.otherwise = text, otherwise
        self.place = self.operator = self.function = ""
        head, _, last = text.rpartition("@")
        if head and PLACE.fullmatch(last):
            text, self.place = head, last
        head, _, last = text.rpartition("=")
        if head and NAME.fullmatch(last):
            text, self.operator = head, last
        head, _, last = text.rpartition(":")
        if head and NAME.fullmatch(last):
            text, self.function = head, last
        self.module = os.path.expanduser(text)
        self.short = os.path.basename(self.module)


class Module:
    """A file or module that holds functions. It can be loaded a second time, with variables of its own."""

    def __init__(self, name):
        self.name, self.is_file = name, name.endswith(".py")
        self.stem = os.path.splitext(os.path.basename(name))[0] if self.is_file else name
        folder = os.path.dirname(os.path.abspath(name)) if self.is_file else os.getcwd()
        sys.path.insert(0, folder)
        try:
            spec = self.spec()
            if spec is None or not spec.origin or not os.path.isfile(spec.origin):
                give_up("call: there is no %s %s" % ("file" if self.is_file else "module", name[-90:]))
            with open(spec.origin, "rb") as source:
                self.digest = hashlib.sha256(source.read()).hexdigest()[:12]
            self.loaded = self.load(register=True)
        finally:
            sys.path.remove(folder)
            sys.path.append(folder)  # for what functions import later, behind the adapter's own modules

    def spec(self):
        try:
            if self.is_file:
                return importlib.util.spec_from_file_location(self.stem, os.path.abspath(self.name))
            return importlib.util.find_spec(self.name)
        except (ImportError, ValueError):
            return None

    def load(self, register=False):
        if register and not self.is_file:
            return self.attempt(lambda: importlib.import_module(self.name))
        spec = self.spec()
        module = importlib.util.module_from_spec(spec)
        if register:
            sys.modules.setdefault(self.stem, module)
        return self.attempt(lambda: spec.loader.exec_module(module)) or module

    def attempt(self, action):
        try:
            return action()
        except Exception as fault:
            give_up("call: %s cannot be loaded: %s" % (os.path.basename(self.name), describe(fault)[:110]))


class Function:
    """A function that stands for an operator, and a way to get it from a second, fresh copy of its module."""

    def __init__(self, module, find, label):
        self.module, self.find, self.label = module, find, label
        self.call = find(module.loaded)
        if not callable(self.call):
            give_up("call: %s has no function %s" % (os.path.basename(module.name), label))
        try:
            self.parameters = list(inspect.signature(self.call).parameters.values())
        except (TypeError, ValueError):  # a function in C
            self.parameters = None

    def fresh(self):
        """Returns the function of a module that has just been loaded again; None if it cannot be."""
        try:
            return self.find(self.module.load())
        except (Exception, SystemExit):
            return None

    def bind(self, operator, attributes, known, operands):
        """Returns the positional and the keyword arguments of a call. Raises Unsupported where the function does not take what
        the call has. `known`: the operator's attributes and their defaults in PyTorch."""
        for name in ("rounding_mode",):  # PyTorch's word is None
            if attributes.get(name) == "none":
                attributes = {**attributes, name: None}
        if self.parameters is None:
            operands = list(operands)
            while operands and operands[-1] is None:
                operands.pop()
            return operands, {k: v for k, v in attributes.items() if not self.means_default(operator, k, v, known, operands)}
        kinds = [p.kind for p in self.parameters]
        every, rest = inspect.Parameter.VAR_KEYWORD in kinds, inspect.Parameter.VAR_POSITIONAL in kinds
        named = {p.name: p for p in self.parameters if p.name in known and p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)}
        keywords = {}
        for name, value in attributes.items():
            if name in named or every:
                keywords[name] = value
            elif not self.means_default(operator, name, value, known, operands):
                raise Unsupported("%s does not take %s, and the call has %s = %s" % (self.label, name, name, value))
        for name, parameter in named.items():
            if name not in keywords and parameter.default is parameter.empty and known[name] != "finfo.eps":
                keywords[name] = known[name]  # PyTorch's default, or None
        places = [p for p in self.parameters if p.name not in named and
                  p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
        operands = list(operands)
        while operands and operands[-1] is None and (len(operands) > len(places) or
                                                     places[len(operands) - 1].default is not inspect.Parameter.empty):
            operands.pop()
        if len(operands) > len(places) and not rest:
            raise Unsupported("%s takes %d operands, and the call has %d" % (self.label, len(places), len(operands)))
        needed = sum(p.default is p.empty for p in places)
        if len(operands) < needed:
            operands += [None] * (needed - len(operands))
        if any(p.kind is p.POSITIONAL_ONLY for p in named.values()):
            raise Unsupported("%s takes an attribute by position only" % self.label)
        # By keyword, if an attribute stands between the operands: layer_norm(x, normalized_shape, weight).
        first = next((i for i, p in enumerate(self.parameters) if p.name in named), len(self.parameters))
        head = operands if rest else operands[:first]
        keywords.update({} if rest else {p.name: x for p, x in zip(places[first:], operands[first:])})
        return head, keywords

    @staticmethod
    def means_default(operator, name, value, known, operands):
        if name == "dim" and operator in LAST_DIMENSION:
            return value in (-1, operands[0].ndim - 1)
        if name == "normalized_shape":
            return len(value) == 1
        default = known.get(name)
        return value is None if name == "rounding_mode" else default is not None and value == default


def describe(fault):
    """An exception as one line: its kind, its message, and the file and line that raised it."""
    text = " ".join(str(fault).split())
    place, frame = "", fault.__traceback__
    here = os.path.dirname(os.path.abspath(__file__))
    while frame:
        file = frame.tb_frame.f_code.co_filename
        if os.path.dirname(os.path.abspath(file)) != here and not file.startswith("<frozen") and "/lib/python" not in file:
            place = " (%s:%d)" % (os.path.basename(file), frame.tb_lineno)
        frame = frame.tb_next
    name = type(fault).__name__
    return "%s: %s%s" % (name, text[:180 - len(name) - len(place)], place) if text else name + place


def from_dict(module, table):
    """The functions of ASSAY_OPERATORS."""
    if not isinstance(table, dict) or not table:
        give_up("call: name a function, %s:FUNCTION, or define ASSAY_OPERATORS = {\"softmax\": function} in it" %
                os.path.basename(module.name))
    return {name: Function(module, lambda loaded, name=name: loaded.ASSAY_OPERATORS.get(name), name) for name in table}


def from_toml(path):
    try:
        import tomllib
    except ImportError:
        give_up("call: a .toml needs Python 3.11; ASSAY_OPERATORS = {…} in a .py does the same")
    try:
        with open(path, "rb") as file:
            table = tomllib.load(file)
    except (OSError, tomllib.TOMLDecodeError) as fault:
        give_up("call: %s" % str(fault)[:130])
    modules, functions = {}, {}
    for operator, text in table.items():
        selector = Selector(text if isinstance(text, str) else "")
        if not selector.function:
            give_up("call: %s: %s must be \"FILE.py:FUNCTION\"" % (os.path.basename(path), operator))
        name = selector.module
        if name.endswith(".py"):
            name = os.path.join(os.path.dirname(os.path.abspath(path)), name)
        module = modules[name] = modules.get(name) or Module(name)
        functions[operator] = Function(module, lambda loaded, of=selector.function: getattr(loaded, of, None), selector.function)
    if not functions:
        give_up("call: %s names no function" % os.path.basename(path))
    return functions


class Target:
    """The functions by the names of their operators; "" stands for one that only the greeting can name."""

    def __init__(self, text, otherwise=""):
        self.selector = Selector(text, otherwise)
        if self.selector.module.endswith(".toml"):
            self.functions = from_toml(self.selector.module)
        else:
            module = Module(self.selector.module)
            if self.selector.function:
                name = self.selector.function
                self.functions = {self.selector.operator: Function(module, lambda m: getattr(m, name, None), name)}
            else:
                self.functions = from_dict(module, getattr(module.loaded, "ASSAY_OPERATORS", None))
        self.modules = list({id(f.module): f.module for f in self.functions.values()}.values())
        self.version = "-".join(module.digest for module in self.modules)

    def constant(self, name, otherwise):
        """A variable of the modules; of several modules, of the last that has it."""
        for module in self.modules:
            otherwise = getattr(module.loaded, name, otherwise)
        return otherwise

    def name_operators(self, operators):
        """Gives the function its operator, once the names of assay's operators are known."""
        one = self.functions.get("")
        if one:
            name = one.label if one.label in operators else self.selector.otherwise
            if not name:
                give_up("call: \"%s\" is no operator of assay: append one to the selector, %s:%s=softmax" %
                        (one.label, self.selector.short[-40:], one.label))
            self.functions = {name: one}
        for name in self.functions:
            if name not in operators:
                near = difflib.get_close_matches(name, operators, 1)
                give_up("call: \"%s\" is no operator of assay%s; assay list names all" %
                        (name[:40], near and "; did you mean %s?" % near[0] or ""))
