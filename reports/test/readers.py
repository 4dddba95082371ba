# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 The assay authors
"""Reads a report with Python's own parsers and prints what it counts: the tests compare."""
import csv
import sys
import xml.etree.ElementTree as tree
from decimal import Decimal


def junit(path):
    root = tree.parse(path).getroot()
    kinds = {"failures": "failure", "errors": "error", "skipped": "skipped"}
    total = dict.fromkeys(kinds, 0)
    pairs = set()
    tests, time = 0, Decimal(0)
    for suite in root.findall("testsuite"):
        cases = suite.findall("testcase")
        assert int(suite.get("tests")) == len(cases), suite.get("name")
        for name, tag in kinds.items():
            found = sum(case.find(tag) is not None for case in cases)
            assert int(suite.get(name)) == found, (suite.get("name"), name)
            total[name] += found
        assert Decimal(suite.get("time")) == sum(Decimal(case.get("time")) for case in cases), suite.get("name")
        pairs.update((case.get("classname"), case.get("name")) for case in cases)
        tests += len(cases)
        time += Decimal(suite.get("time"))
    for name in ("failures", "errors"):
        assert int(root.get(name)) == total[name], name
    assert int(root.get("tests")) == tests and Decimal(root.get("time")) == time
    assert len(pairs) == tests, "classname and name are not unique"
    print(f"{tests} tests, {total['failures']} failures, {total['errors']} errors, {total['skipped']} skipped, {time} s")


def table(path):
    with open(path, newline="", encoding="utf-8") as file:
        rows = list(csv.reader(file, strict=True))
    assert all(len(row) == len(rows[0]) for row in rows), "rows differ in length"
    for field in (field for row in rows for field in row):
        try:
            float(field)
        except ValueError:
            assert not field.startswith(tuple("=+-@\t\r\n\uff1d\uff0b\uff0d\uff20")), f"a formula: {field!r}"
    rows = [dict(zip(rows[0], row)) for row in rows[1:]]
    statuses = ("pass fail vacuous unsupported crash timeout error expected_fail unexpected_pass flake missing").split()
    for row in rows:
        assert int(row["cases"]) == sum(int(row[status]) for status in statuses), row
        assert int(row[row["verdict"]]) > 0, row
        for number in ("max_ulp", "bias_ulp", "max_error_over_bound", "quality", "median_resolution", "most_implausible",
                       "vacuous_share"):
            assert row[number] == "" or float(row[number]) is not None
    print(f"{len(rows)} rows, {sum(int(row['cases']) for row in rows)} cases")
    for row in rows:
        print(row["operator"], row["dtype"], row["backend"], row["device"], row["verdict"], sep=" / ")


{"junit": junit, "csv": table}[sys.argv[1]](sys.argv[2])
