# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 The assay authors
"""The package assay_program of the wheel: the program, its adapters, recipes and pages, laid out as `make install` lays them out.

`assay` on PATH is the entry point main(). It makes adapters run in this environment, unless ASSAY_PYTHON names another Python.
"""
import os
import sys

PREFIX = os.path.dirname(os.path.abspath(__file__))
PROGRAM = os.path.join(PREFIX, "bin", "assay")


def main():
    os.environ.setdefault("ASSAY_PYTHON", sys.executable or "python3")
    try:
        os.execv(PROGRAM, ["assay"] + sys.argv[1:])
    except OSError as fault:
        sys.exit("assay: %s cannot be started: %s" % (PROGRAM, fault.strerror))
