# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 The assay authors
"""Makes a large results file of a real one by repeating every record under COUNT names of its backend.

    python3 reports/test/replicate.py RESULTS.jsonl COUNT [fail] >large.jsonl

With `fail` every record is a failure. Such files serve to measure the time and memory of reports and merge."""
import json
import sys


def main(path, count, fail):
    with open(path, encoding="utf-8") as file:
        lines = [json.loads(line) for line in file]
    header, records = lines[0], lines[1:]
    assert "id" not in header and all("id" in record for record in records), "one header, then records"
    out, written, copy = sys.stdout, 0, 0
    while written < count:
        part = records[:count - written]
        name = header["backend"] + (f"-{copy + 1}" if copy else "")
        out.write(json.dumps({**header, "backend": name, "expected": len(part), "selected": len(part)}) + "\n")
        for record in part:
            record = {**record, "backend": name}
            if fail:
                record.update(status="fail", reason="made to fail", rule="bound")
            out.write(json.dumps(record, separators=(",", ":"), ensure_ascii=False) + "\n")
        written, copy = written + len(part), copy + 1


main(sys.argv[1], int(sys.argv[2]), sys.argv[3:] == ["fail"])
