# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 The assay authors
"""Reads a JUnit report with junitparser or junit2html, or checks it against the rules of CI services.

    python3 reports/test/junit_readers.py rules|junitparser|junit2html FILE.xml"""
import os
import re
import sys
import xml.etree.ElementTree as tree

# Jenkins' JUnit plugin (CaseResult.java) cuts standard output beyond this in its middle, unless the case failed.
JENKINS_OUT, JENKINS_OUT_FAILED = 1_000, 100_000
# GitLab's limits of one report (docs.gitlab.com/ci/testing/unit_test_reports): bytes, cases, elements (those of 17.6.1).
GITLAB_BYTES, GITLAB_CASES, GITLAB_ELEMENTS = 30_000_000, 500_000, 250_000
# libxml2's default limit for a text, which GitLab's reader does not change.
LIBXML2_TEXT = 10_000_000


def once(names, what):
    names = list(names)
    twice = [name for name in set(names) if names.count(name) > 1] if len(set(names)) < len(names) else []
    assert not twice, f"{what} twice: {twice[:3]}"


def check_case(suite, case):
    name = case.get("classname")
    where = (name, case.get("name"))
    parts = name.split(".")
    assert len(parts) > 1 and parts[0], f"{where}: Jenkins takes what stands before the last dot for a package"
    assert "/" not in name, f"{where}: a path in a class is another class on another machine"
    red = [element for element in case if element.tag in ("failure", "error")]
    assert len(red) <= 1 and len(case) <= 2, f"{where}: one outcome and one output"
    output = case.findtext("system-out", "")
    assert len(output) <= (JENKINS_OUT_FAILED if red else JENKINS_OUT), f"{where}: Jenkins cuts {len(output)} characters"
    for element in red:
        assert element.get("message"), f"{where}: Jenkins' list shows the message"
        file = suite.get("file")
        if file and re.fullmatch(r"[\w./+-]+\.\w+", file):
            # mikepenz/action-junit-report: the file of the suite, and the line behind it in the failure's text.
            assert re.search(f" [^ ]*{re.escape(file)}.*?:\\d+", element.text or ""), f"{where}: no {file}:LINE"
    return bool(red)


def rules(path):
    size = os.path.getsize(path)
    root = tree.parse(path).getroot()
    suites = root.findall("testsuite")
    cases = [(suite, case) for suite in suites for case in suite.findall("testcase")]
    once((suite.get("name") for suite in suites), "Jenkins drops a suite whose name and time it knows: a name")
    once(((case.get("classname"), case.get("name")) for _, case in cases), "GitLab drops a case whose key it knows: a key")
    red = sum(check_case(suite, case) for suite, case in cases)
    assert size < GITLAB_BYTES, f"{size} bytes"
    assert len(cases) <= GITLAB_CASES and sum(1 for _ in root.iter()) <= GITLAB_ELEMENTS, f"{len(cases)} cases"
    assert all(len(element.text or "") < LIBXML2_TEXT for element in root.iter()), "a text beyond libxml2's limit"
    files = sum(suite.get("file") is not None for suite in suites)
    print(f"{len(suites)} suites, {files} with a file, {len(cases)} cases, {red} red")


def with_junitparser(path):
    import junitparser
    report = junitparser.JUnitXml.fromfile(path)
    kinds = {"Failure": 0, "Error": 0, "Skipped": 0}
    cases = 0
    for suite in report:
        for case in suite:
            cases += 1
            for result in case.result:
                kinds[type(result).__name__] += 1
    assert (report.tests, report.failures, report.errors) == (cases, kinds["Failure"], kinds["Error"])
    print(f"{cases} tests, {kinds['Failure']} failures, {kinds['Error']} errors, {kinds['Skipped']} skipped")


def with_junit2html(path):
    from html.parser import HTMLParser
    from junit2htmlreport import parser
    report = parser.Junit(path)
    cases = [case for suite in report.suites for group in suite.classes.values() for case in group.cases]
    outcomes = [str(case.outcome()) for case in cases]
    shown = []
    reader = HTMLParser()
    reader.handle_data = shown.append
    reader.feed(report.html())
    shown = "".join(shown)
    for case in cases:
        assert case.name in shown, f"{case.name} is not on the page"
    print(f"{len(cases)} tests, {outcomes.count('failed')} failed, {outcomes.count('skipped')} skipped")


{"rules": rules, "junitparser": with_junitparser, "junit2html": with_junit2html}[sys.argv[1]](sys.argv[2])
