# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 The assay authors
"""Runs and prints findings. A finding is a function without arguments that returns the right result, the library's result, and
whether that is right.

    python harness/adapters/findings/numpy_findings.py [--check]

prints each finding; with --check the exit status is 1 if a finding does not occur in a version in which it was found. assay is
not needed.
"""

import subprocess
import sys


def report(name, version, found_in, findings):
    faults = 0
    print("%s %s; found in %s" % (name, version, ", ".join(found_in)))
    for finding in findings:
        right, got, agrees = finding()
        print("%-9s %s: %s\n          right %s\n          got   %s" % (
            "is right" if agrees else "WRONG", finding.__name__, " ".join(finding.__doc__.split()), right, got))
        faults += bool(agrees)
    sys.exit(1 if "--check" in sys.argv[1:] and version in found_in and faults else 0)


def apart(text):
    """Returns the exit status of another Python that runs this text, for code that may kill the process."""
    done = subprocess.run([sys.executable, "-c", text], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    return done.returncode


def raised(call):
    """Returns the result of the call, or the exception's message."""
    try:
        return call()
    except Exception as fault:  # each library has its own
        return "%s: %s" % (type(fault).__name__, " ".join(str(fault).split())[:120])
