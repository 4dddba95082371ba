#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 The assay authors
"""wheel_files.py WHEEL FOLDER: what must be in a wheel is, RECORD is right, and unpacked into FOLDER it works as pip leaves it.

Of a wheel with libraries also: each has a licence, and the program needs no library that is neither there nor in every system.
"""
import base64
import csv
import hashlib
import io
import os
import re
import site
import subprocess
import sys
import zipfile
from pathlib import Path

wheel, folder = sys.argv[1:]
archive = zipfile.ZipFile(wheel)
members = {member.filename: member for member in archive.infolist()}
version = re.match(r"assay-([^-]+)-py3-none-(?:linux|manylinux_\d+_\d+)_\w+\.whl$", os.path.basename(wheel)).group(1)
info, data = "assay-%s.dist-info/" % version, "assay-%s.data/data/" % version

executable = ["assay_program/bin/assay", "assay_program/share/assay/recipes/gate", "assay_program/share/assay/recipes/slurm.sh"]
wanted = executable + ["assay_program/__init__.py", "assay_program.pth", "assay_program/share/doc/assay/README.md",
                       data + "share/man/man1/assay.1", data + "share/bash-completion/completions/assay",
                       info + "METADATA", info + "WHEEL", info + "RECORD", info + "entry_points.txt", info + "licenses/LICENSE"]
wanted += ["assay_program/share/assay/recipes/" + p.name for p in Path("packaging/recipes").iterdir()]
wanted += ["assay_program/share/assay/adapters/" + p.name for p in Path("harness/adapters").iterdir() if p.suffix in (".py", ".c", ".json")]
assert not set(wanted) - set(members), "lacks %s" % sorted(set(wanted) - set(members))
strays = [name for name in members if "__pycache__" in name or "/test/" in name or name.endswith(".folders")]
assert not strays, strays
for name in executable:
    assert members[name].external_attr >> 16 & 0o111, name + " is not executable"

record = {row[0]: row for row in csv.reader(io.StringIO(archive.read(info + "RECORD").decode()))}
assert set(record) == set(members), set(record) ^ set(members)
for name, (_, digest, size) in record.items():
    if name != info + "RECORD":
        content = archive.read(name)
        assert digest == "sha256=" + base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode(), name
        assert int(size) == len(content), name

for name, member in members.items():
    place = Path(archive.extract(member, folder))
    place.chmod(member.external_attr >> 16 & 0o777)
site.addsitedir(folder)  # as Python does with the environment's own folder, .pth files and all
import assay  # noqa: E402
import assay_bundle  # noqa: E402
import assay_program  # noqa: E402

for module in (assay, assay_bundle):
    assert Path(folder, "assay_program/share/assay/adapters") in Path(module.__file__).parents, module.__file__
assert os.path.samefile(assay.Judge.program(), assay_program.PROGRAM)
assert "Tag: py3-none-" + re.search(r"py3-none-(\S+)\.whl", wheel).group(1) in archive.read(info + "WHEEL").decode()
assert "assay = assay_program:main" in archive.read(info + "entry_points.txt").decode()


def launched(*words, **variables):
    env = {**{n: v for n, v in os.environ.items() if n not in ("ASSAY_PYTHON", "ASSAY_ADAPTERS")}, **variables, "PYTHONPATH": folder}
    return subprocess.run([sys.executable, "-c", "import assay_program; assay_program.main()", *words], env=env, capture_output=True, text=True)


run = launched("run", "elementwise/sgn/float32", "--level", "smoke", "--backend", "cpu", "--no-cache")
assert run.returncode == 0 and "gate: PASS" in run.stdout, run
# Adapters run in this environment, unless another is named.
other = launched("run", "elementwise/sgn/float32", "--level", "smoke", "--backend", "array:math", ASSAY_PYTHON="/nonexistent/python")
assert other.returncode == 3 and "/nonexistent/python" in other.stderr, other
own = launched("run", "elementwise/sgn/float32", "--level", "smoke", "--backend", "array:math", PATH="/nonexistent")
assert own.returncode == 3 and "math" in own.stderr and "not found" not in own.stderr, own

libraries = [name for name in members if name.startswith("assay.libs/")]
if libraries:
    needed = subprocess.run(["ldd", assay_program.PROGRAM], capture_output=True, text=True).stdout
    outside = set(re.findall(r"(\S+) => (?!%s)" % re.escape(os.path.realpath(folder)), needed))
    allowed = {"libc.so.6", "libm.so.6", "libgcc_s.so.1", "libstdc++.so.6", "libz.so.1", "libdl.so.2", "libpthread.so.0"}
    assert not outside - allowed, outside - allowed
    for name in [name for name in members if name.endswith(".copyright")]:
        for text in re.findall(r"/usr/share/common-licenses/([\w.-]*\w)", archive.read(name).decode()):
            assert info + "licenses/" + text in members, "%s names %s, which is not there" % (name, text)
    listed = archive.read(info + "licenses/LIBRARIES").decode()
    for name in libraries:
        line = [line for line in listed.split("\n") if line.startswith(name[len("assay.libs/"):] + " ")]
        assert len(line) == 1 and info + "licenses/%s.copyright" % line[0].split()[1] in members, name
print("%d files, %d libraries" % (len(members), len(libraries)))
