# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 The assay authors
"""same_cells.py HTML CSV MARKDOWN: compares the cells of three reports of the same results.

Reads the data of the page, the rows of the CSV file and the matrix of the Markdown report. For every cell it derives the
verdict from the counts by the rule of docs/how-to/parity-table.md and compares: the verdict, the counts, the number of RANGE
findings, the worst case and the numbers of HTML and CSV, the sign in Markdown, and the counts that Markdown lists. Prints
one line per difference, then the totals; the exit status is 1 if anything differs."""
import csv
import json
import math
import re
import sys

ORDER = "fail crash timeout error missing flake unexpected_pass expected_fail pass vacuous unsupported".split()
SIGNS = dict(zip(ORDER, "F C T E M ~ ! k ✓ v ·".split()))
SHORT = dict(f16="float16", bf16="bfloat16", f32="float32", f64="float64", c64="complex64", i8="int8", u8="uint8", i32="int32",
             i64="int64")
NUMBERS = dict(max_ulp="max_ulp", mean_ulp="mean_ulp", bias_ulp="bias_ulp", bit_exact="bit_exact", faithful="faithful",
               allowed_ulp="allowed_ulp", max_error_over_bound="max_nu", quality="quality", median_resolution="resolution",
               most_implausible="most_implausible")


def of_page(path):
    """{(family, operator, dtype, backend): cell} and the backends in their order."""
    block = re.search(r'<script type="application/json" id="data">(.*?)</script>', open(path, encoding="utf-8").read(), re.S)
    data = json.loads(block[1])
    first = [0]
    for count in data["cases"]["in"]:
        first.append(first[-1] + count)
    cells = {}
    for backend in data["backends"]:
        for row, (names, cell) in enumerate(zip(data["rows"], backend["cells"])):
            if cell == 0:
                continue
            name = data["cases"]["name"][cell["worst"]]
            assert first[row] <= cell["worst"] < first[row + 1], names
            cells[(*names, backend["name"])] = dict(
                verdict=data["statuses"][cell["verdict"]], count=dict(zip(data["statuses"], cell["count"])), range=cell["range"],
                worst=name[0] if isinstance(name, list) else "/".join([*names, name]),
                numbers={csv_name: cell[name] for csv_name, name in NUMBERS.items()})
    return cells, [backend["name"] for backend in data["backends"]]


def of_csv(path):
    with open(path, newline="", encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file, strict=True) if row["family"]]  # one without a family is a loss
    return {(row["family"], row["operator"], row["dtype"], row["backend"]): dict(
        verdict=row["verdict"], count={status: int(row[status]) for status in ORDER}, range=int(row["range"]),
        worst=row["worst_case"], numbers={name: row[name] for name in NUMBERS}, cases=int(row["cases"])) for row in rows}


def of_markdown(path, backends):
    """The sign of each cell of the matrix, and the counts of those that are listed."""
    signs, counts, dtypes, listing = {}, {}, None, False
    for line in open(path, encoding="utf-8"):
        parts = [part.strip().strip("`") for part in line.strip().strip("|").split("|")]
        if line.startswith("| operator "):
            dtypes = [SHORT.get(name, name) for name in parts[1:]]
        elif dtypes and line.startswith("| "):
            family, operator = parts[0].split("/", 1)
            for dtype, cell in zip(dtypes, parts[1:]):
                assert len(cell) in (0, len(backends)), line
                signs.update({(family, operator, dtype, backends[k]): sign for k, sign in enumerate(cell)})
        elif not line.startswith("|"):
            dtypes = None
        if "of several statuses, with the counts" in line or line == "</details>\n":
            listing = line != "</details>\n"
        listed = re.fullmatch(r"([^/ ]+)/(.+)/([^/ ]+?)(?: (\S.*))?: (\w+) \((.*)\)\n", line) if listing else None
        if listed:
            *names, backend, verdict, words = listed.groups()
            count = {name: int(number) for number, name in (word.split() for word in words.split(", "))}
            counts[(*names, backend or backends[0])] = verdict, count
    return signs, counts


def same_number(shown, text):
    if shown is None or text == "":
        return shown is None and text == ""
    return float(shown) == float(text) or math.isclose(float(shown), float(text), rel_tol=0)


def main():
    cells, backends = of_page(sys.argv[1])
    rows = of_csv(sys.argv[2])
    signs, counts = of_markdown(sys.argv[3], backends)
    faults = []
    for key in sorted(cells.keys() | rows.keys()):
        if key not in cells or key not in rows:
            faults.append(f"{'/'.join(key)}: only in {'HTML' if key in cells else 'CSV'}")
            continue
        html, line = cells[key], rows[key]
        verdict = next(status for status in ORDER if line["count"][status])
        sign = "r" if line["range"] and verdict in ("pass", "vacuous") else SIGNS[verdict]
        what = {"verdict of HTML": (html["verdict"], verdict), "verdict of CSV": (line["verdict"], verdict),
                "counts of HTML": (html["count"], line["count"]), "cases of CSV": (line["cases"], sum(line["count"].values())),
                "range": (html["range"], line["range"]), "worst case": (html["worst"], line["worst"])}
        if key in signs:
            what["sign of Markdown"] = signs[key], sign
        if key in counts:
            what["counts of Markdown"] = counts[key], (verdict, {name: n for name, n in line["count"].items() if n})
        faults += [f"{'/'.join(key)}: {name}: {a} and {b}" for name, (a, b) in what.items() if a != b]
        faults += [f"{'/'.join(key)}: {name}: {html['numbers'][name]} and {line['numbers'][name]}"
                   for name in NUMBERS if not same_number(html["numbers"][name], line["numbers"][name])]
    faults += [f"{'/'.join(key)}: only in Markdown" for key, sign in signs.items() if sign != "_" and key not in rows]
    faults += [f"{'/'.join(key)}: Markdown says that nothing was measured" for key, sign in signs.items() if sign == "_" and key in rows]
    mixed = sum(max(row["count"].values()) < row["cases"] for row in rows.values())
    print(*faults, sep="\n")
    print(f"{len(rows)} cells, {sum(key in rows for key in signs)} of them in Markdown, {mixed} mixed, {len(counts)} of them with counts "
          f"in Markdown: {len(faults)} differences")
    sys.exit(1 if faults else 0)


main()
