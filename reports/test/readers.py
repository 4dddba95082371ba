# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 The assay authors
"""Reads a report with Python's own parsers and prints counts, which the tests compare."""
import csv
import html
import re
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


SPAN = re.compile(r"(?<!`)(`+)(?!`)(.*?)(?<!`)\1(?!`)")
ESCAPED = re.compile(r"<code>((?:[^<&]|&#\d+;)*)</code>")
OURS = re.compile(r"</?details>|</?summary>|\*\*")


def bare(line):
    """The part of a line in which a forge looks for markup: without code spans and without our own markup."""
    return OURS.sub("", ESCAPED.sub("", SPAN.sub("", line)))


def cells(line):
    """Splits a row at its pipes, which GFM (4.10) does before it parses anything else."""
    assert line.startswith("| ") and line.endswith(" |"), line
    found = []
    for cell in re.split(r"(?<!\\)\|", line[1:-1]):
        cell = cell.strip().replace("\\|", "|")
        span, escaped = SPAN.fullmatch(cell), ESCAPED.fullmatch(cell)
        if span:
            cell = span[2]
            cell = cell[1:-1] if cell[0] == cell[-1] == " " and cell.strip() else cell
        elif escaped:
            cell = html.unescape(escaped[1]).replace("\u200b", "")
        found.append(cell)
    return found


def markdown(path):
    """Counts the parts of GitHub's dialect that a report uses: headings, tables, fences, folds."""
    text = open(path, encoding="utf-8", newline="").read()
    assert "\r" not in text
    print(f"{len(text)} characters, {len(text.encode())} bytes")
    assert len(text.encode()) <= 65000
    fence, table, folds = None, None, 0
    for line in text.split("\n"):
        if fence:
            fence = None if line.strip() == fence and not line.startswith(" ") else fence
            print("   ", line)
            continue
        opening = re.match("(`{3,})text$", line)
        if opening:
            fence = opening[1]
            continue
        plain = SPAN.sub("", line)
        folds += plain.count("<details>") - plain.count("</details>")
        assert folds in (0, 1), line
        assert not re.search(r"[<>\[\]@~$]|https?:|www\.|\w#\d| #\d", bare(line)), line
        assert not line.startswith("#") or re.match("##+ ", line), line
        if line.startswith("|") and table is None:
            table = cells(line)
            print("table:", " / ".join(table))
        elif re.fullmatch(r"[|:-]+", line) and table is not None:
            assert line.count("|") == len(table) + 1, line
        elif line.startswith("|"):
            row = cells(line)
            assert len(row) == len(table), (row, table)
            print("row:", " / ".join(row))
        else:
            table = None
            if line:
                print(line)
    assert not fence and not folds


{"markdown": markdown, "junit": junit, "csv": table}[sys.argv[1]](sys.argv[2])
