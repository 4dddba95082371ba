# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 The assay authors
"""How a finding is shown: a function without arguments that returns what is right, what came, and whether that is right.

    python harness/adapters/findings/numpy_findings.py [--check]

prints each; --check ends with 1 where one is not seen with the version that it was found in. No line here needs assay.
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
    """How a Python that runs this text ends: what may kill the process is tried in another one."""
    done = subprocess.run([sys.executable, "-c", text], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    return done.returncode


def raised(call):
    """The result, or the exception's own words."""
    try:
        return call()
    except Exception as fault:  # each library has its own
        return "%s: %s" % (type(fault).__name__, " ".join(str(fault).split())[:120])
