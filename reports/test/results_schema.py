# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 The assay authors
"""Holds docs/reference/results.schema.json and results-format.md against the writer and against results files.

    python3 reports/test/results_schema.py keys             the writer's keys are those of the schema and of the page
    python3 reports/test/results_schema.py lines FILE…      every line of these files is valid; together they use every key"""
import json
import re
import sys
from pathlib import Path

from jsonschema import Draft202012Validator

SCHEMA = Path("docs/reference/results.schema.json")
PAGE = Path("docs/reference/results-format.md")
# A worker says this to its parent; a file never has it.
NEVER_IN_A_FILE = {"header.offers"}
# Statuses that the runs of .ci/schema must show, so that records of each kind are looked at.
STATUSES = {"pass", "fail", "vacuous", "unsupported", "crash", "timeout", "error", "expected_fail", "unexpected_pass", "flake", "missing"}


def schema_keys(schema):
    """All keys as "header.seed", "record.worst.nu", "record.series.x"."""
    found = set()

    def walk(node, path):
        for name, inner in node.get("properties", {}).items():
            found.add(f"{path}.{name}")
            walk(inner, f"{path}.{name}")
        if isinstance(node.get("items"), dict):
            walk(node["items"], path)

    for kind in ("header", "record"):
        walk(schema["$defs"][kind], kind)
    return found


def written_keys():
    """Those of the field tables, and of the functions that put members into an object, of the folder reports/."""
    places = {"record": "record", "record_worst": "record.worst", "record_header": "header"}
    found = {"record.version", "header.version", "record.worst"}
    for source in (path for path in Path("reports").rglob("*.c") if "test" not in path.parts):
        text = re.sub(r"/\*.*?\*/", "", source.read_text(), flags=re.S)
        for kind, name in re.findall(r"\b(?:FIELD|REQUIRED)\((record\w*), \w+, (\w+)\)", text):
            found.add(f"{places[kind]}.{name}")
        if "fields_put(object" in text:
            found |= {f"header.{name}" for name in re.findall(r'put_pairs\(object, "(\w+)"', text)}
        if "series_put" in text and "json_pack" in text:
            for function, body in re.findall(r"^(?:static )?bool (\w*put\w*)\([^)]*\)\n\{(.*?)^\}", text, flags=re.S | re.M):
                whole = re.findall(r'json_object_set_new\(object, "(\w+)"', body)
                inner = re.findall(r'(?:json_object_set_new\(one|put_numbers\(one), "(\w+)"', body)
                for pack, names in re.findall(r'json_pack\("(\{[^"]*)"((?:[^;])*?)\);', body, flags=re.S):
                    inner += re.findall(r'"(\w+)"', names)
                found |= {f"record.{name}" for name in whole}
                place = whole[0] if whole else "series"
                found |= {f"record.{place}.{name}" for name in inner}
    return found


def check_keys():
    schema, page = json.loads(SCHEMA.read_text()), PAGE.read_text()
    Draft202012Validator.check_schema(schema)
    known, written = schema_keys(schema), written_keys()
    assert len(written) > 80, f"only {len(written)} keys were found in the writer's source"
    faults = [f"{SCHEMA} lacks {key}, which is written" for key in sorted(written - known)]
    faults += [f"{SCHEMA} has {key}, which nothing writes" for key in sorted(known - written)]
    faults += [f"{PAGE} does not explain {key}" for key in sorted(known) if f"`{key.split('.')[-1]}`" not in page]
    for kind in ("header", "record"):
        faults += [f"{SCHEMA}: {kind} is not strict" for _ in [0] if schema["$defs"][kind]["additionalProperties"] is not False]
    return faults


def used_keys(value, path):
    if isinstance(value, dict) and path not in ("header.profile", "header.environment"):
        for name, inner in value.items():
            yield f"{path}.{name}"
            yield from used_keys(inner, f"{path}.{name}")
    if isinstance(value, list):
        for inner in value:
            yield from used_keys(inner, path)


def check_lines(names):
    schema = json.loads(SCHEMA.read_text())
    parts = {kind: Draft202012Validator({**schema["$defs"][kind], "$defs": schema["$defs"]}) for kind in ("header", "record")}
    either, faults, used, statuses, lines = Draft202012Validator(schema), [], set(), set(), 0
    for name in names:
        for number, line in enumerate(Path(name).read_text().splitlines(), 1):
            value = json.loads(line)
            kind = "record" if "status" in value else "header"
            lines += 1
            used |= set(used_keys(value, kind))
            statuses.add(value.get("status"))
            errors = list(parts[kind].iter_errors(value)) or list(either.iter_errors(value))
            faults += [f"{name}:{number}: {'/'.join(map(str, error.path))}: {error.message[:200]}" for error in errors]
    faults += [f"no line has {key}" for key in sorted(schema_keys(schema) - used - NEVER_IN_A_FILE)]
    faults += [f"no record has the status {status}" for status in sorted(STATUSES - statuses)]
    print(f"{lines} lines of {len(names)} results files keep the schema" if not faults else f"{len(faults)} faults")
    return faults


def main():
    faults = check_keys() if sys.argv[1:] == ["keys"] else check_lines(sys.argv[2:]) if sys.argv[1:2] == ["lines"] else [__doc__]
    print(*faults[:40], sep="\n", end="\n" if faults else "")
    sys.exit(bool(faults))


main()
