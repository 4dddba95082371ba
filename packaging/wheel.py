#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 The assay authors
"""Makes a wheel of an installed assay.

    wheel.py STAGE VERSION FOLDER              FOLDER/assay-VERSION-py3-none-linux_MACHINE.whl, for this machine alone
    wheel.py STAGE VERSION FOLDER PYTHON       the same with its libraries, as manylinux_GLIBC_MACHINE

STAGE is what `make install` has put under its PREFIX. It becomes the package assay_program, whose main() is the command assay;
the manual page and the completion go where the environment has its own. A .pth file puts the adapters at the end of sys.path, so
that `import assay` and `python -m assay_capture` find them, and these find each other.

PYTHON is one that has auditwheel, which copies the libraries that the program is linked with into the wheel, but for those that
every system of the tag has. (The Vulkan loader is no such library: the program loads it when a Vulkan device is opened.) Their
licences are those of the Debian packages that the libraries come from.
"""
import base64
import hashlib
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ELSEWHERE = ("share/man/", "share/bash-completion/")  # in the environment, not in the package
SKIPPED = ("share/assay/.folders",)  # make uninstall's; pip has its own list


def run(*words):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True)
    if done.returncode:
        sys.exit("wheel: %s: exit status %d\n%s%s" % (" ".join(map(str, words)), done.returncode, done.stdout, done.stderr))
    return done.stdout


def lay_out(stage, version, tag, tree):
    """Writes the unpacked wheel into the folder `tree`, without RECORD."""
    for path in sorted(p for p in stage.rglob("*") if p.is_file()):
        name = path.relative_to(stage).as_posix()
        if name not in SKIPPED and "__pycache__" not in name:
            place = tree / ("assay-%s.data/data" % version if name.startswith(ELSEWHERE) else "assay_program") / name
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, place)
    run("strip", "--strip-all", tree / "assay_program/bin/assay")
    shutil.copy(HERE / "launcher.py", tree / "assay_program/__init__.py")
    (tree / "assay_program.pth").write_text("assay_program/share/assay/adapters\n")
    info = tree / ("assay-%s.dist-info" % version)
    (info / "licenses").mkdir(parents=True)
    shutil.copy(stage / "share/doc/assay/LICENSE", info / "licenses/LICENSE")
    (info / "METADATA").write_text(
        "Metadata-Version: 2.1\nName: assay\nVersion: %s\n"
        "Summary: Compares the results of a GPU compute backend with a certified truth\n"
        "License: MIT; libraries in assay.libs have licences of their own, beside this file in licenses/\n"
        "License-File: licenses/LICENSE\nRequires-Python: >=3.9\nClassifier: Operating System :: POSIX :: Linux\n"
        "Description-Content-Type: text/markdown\n\n%s" % (version, (stage / "share/doc/assay/README.md").read_text(encoding="utf-8")),
        encoding="utf-8")
    (info / "WHEEL").write_text("Wheel-Version: 1.0\nGenerator: assay's packaging/wheel.py\nRoot-Is-Purelib: false\nTag: py3-none-%s\n" % tag)
    (info / "entry_points.txt").write_text("[console_scripts]\nassay = assay_program:main\n")


def pack(tree, version, file):
    """Writes RECORD and the archive; its bytes depend on the files alone."""
    record = "assay-%s.dist-info/RECORD" % version
    names = sorted(p.relative_to(tree).as_posix() for p in tree.rglob("*") if p.is_file())
    lines = ["%s,," % record]
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:

        def add(name, data, mode):
            member = zipfile.ZipInfo(name, (2020, 1, 1, 0, 0, 0))
            member.external_attr = (0o100000 | mode) << 16
            member.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(member, data)

        for name in names:
            if name != record:
                data = (tree / name).read_bytes()
                digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
                lines.append("%s,sha256=%s,%d" % (name, digest, len(data)))
                add(name, data, 0o755 if os.access(tree / name, os.X_OK) else 0o644)
        add(record, "\n".join(sorted(lines)) + "\n", 0o644)


def loaded(program):
    """The libraries that the dynamic linker loads for a program: their real paths by the names of these files."""
    found = re.findall(r"=> (/\S+)", run("ldd", program))
    return {os.path.basename(os.path.realpath(path)): os.path.realpath(path) for path in found}


def owner(path):
    """The Debian package of a library; older packages name it without /usr."""
    for name in (path, re.sub("^/usr", "", path)):
        done = subprocess.run(["dpkg-query", "-S", name], capture_output=True, text=True)
        if done.returncode == 0:
            return done.stdout.split(": ")[0].split(",")[0]
    sys.exit("wheel: no Debian package has %s, so that its licence is unknown" % path)


def add_licences(tree, version, program):
    """Adds the copyright file of each library that auditwheel has copied, and a list of their packages."""
    licenses = tree / ("assay-%s.dist-info/licenses" % version)
    paths, rows = loaded(program), []
    for library in sorted(p.name for p in (tree / "assay.libs").iterdir()):
        plain = re.sub(r"-[0-9a-f]{8}(?=\.)", "", library, count=1)  # auditwheel puts a digest into the name
        if plain not in paths:
            sys.exit("wheel: assay.libs has %s, which ldd does not name" % library)
        package = owner(paths[plain])
        bare = package.split(":")[0]
        shutil.copy("/usr/share/doc/%s/copyright" % bare, licenses / (bare + ".copyright"))
        source = run("dpkg-query", "-W", "-f", "${source:Package} ${source:Version}", package)
        rows.append("%-40s %-16s source package %s\n" % (library, bare, source))
    # Debian's files name the texts of common licences, which the wheel must hold itself.
    named = {name.rstrip(".") for file in licenses.glob("*.copyright")
             for name in re.findall(r"/usr/share/common-licenses/([\w.-]+)", file.read_text(encoding="utf-8"))}
    for name in named:
        text = Path("/usr/share/common-licenses") / name
        if not text.is_file():
            sys.exit("wheel: there is no %s, which a library's licence names" % text)
        shutil.copy(text, licenses / name)
    (licenses / "LIBRARIES").write_text("The libraries of assay.libs, the Debian packages that they are copied from unchanged but for names\n"
                                        "and search paths, and the source packages, which Debian keeps at snapshot.debian.org.\n\n" + "".join(rows))
    metadata = tree / ("assay-%s.dist-info/METADATA" % version)
    files = "".join("License-File: licenses/%s\n" % p.name for p in sorted(licenses.iterdir()))
    metadata.write_text(metadata.read_text(encoding="utf-8").replace("License-File: licenses/LICENSE\n", files), encoding="utf-8")
    return rows


def main(stage, version, folder, python=None):
    stage, folder = Path(stage), Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    machine = platform.machine()
    with tempfile.TemporaryDirectory(prefix="assay-wheel-") as place:
        place = Path(place)
        tree, tag = place / "tree", "linux_" + machine
        tree.mkdir()
        lay_out(stage, version, tag, tree)
        plain = place / ("assay-%s-py3-none-%s.whl" % (version, tag))
        pack(tree, version, plain)
        if not python:
            shutil.copy(plain, folder)
            print(folder / plain.name)
            return
        tag = "manylinux_%s_%s" % (os.confstr("CS_GNU_LIBC_VERSION").split()[1].replace(".", "_"), machine)
        run(python, "-m", "auditwheel", "repair", "--plat", tag, "--only-plat", "--wheel-dir", place / "repaired", plain)
        [repaired] = (place / "repaired").glob("*.whl")
        whole = place / "whole"
        with zipfile.ZipFile(repaired) as archive:
            for member in archive.infolist():
                file = Path(archive.extract(member, whole))
                if not member.is_dir():
                    file.chmod(member.external_attr >> 16 & 0o777 or 0o644)
        rows = add_licences(whole, version, stage / "bin/assay")
        pack(whole, version, folder / repaired.name)
        print("%s: %.1f MB, with %d libraries" % (folder / repaired.name, (folder / repaired.name).stat().st_size / 1e6, len(rows)))


if __name__ == "__main__":
    if len(sys.argv) not in (4, 5):
        sys.exit(__doc__)
    main(*sys.argv[1:])
