#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 The assay authors
"""Checks the files for GitHub and GitLab, and runs the action's scripts as the service would. Needs check-jsonschema.

    service_files.py forms           they keep their published schemas; what they name, inputs, steps and files, is there
    service_files.py run ASSAY DIR   the action's steps `run` and `merge` in DIR with this program: whole, and in two shards
"""
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from ruamel.yaml import YAML

PACKAGING = Path(__file__).resolve().parent.parent
ACTION = PACKAGING / "action.yml"
SCHEMAS = (("vendor.github-actions", ACTION), ("vendor.github-workflows", PACKAGING / "recipes/github.yml"),
           ("vendor.gitlab-ci", PACKAGING / "recipes/gitlab.yml"))
action = YAML(typ="safe").load(ACTION.read_text(encoding="utf-8"))
steps = action["runs"]["steps"]


def fault(text):
    sys.exit("service_files: " + text)


def forms():
    for schema, file in SCHEMAS:
        words = ["--data-transform", "gitlab-ci"] if schema.endswith("gitlab-ci") else []
        done = subprocess.run([sys.executable, "-m", "check_jsonschema", "--builtin-schema", schema, *words, file], capture_output=True, text=True)
        if done.returncode:
            fault("%s does not keep the schema %s:\n%s%s" % (file, schema, done.stdout, done.stderr))
    text = ACTION.read_text(encoding="utf-8")
    used = set(re.findall(r"inputs\.([\w-]+)", text))
    if used != set(action["inputs"]):
        fault("action.yml declares the inputs %s and uses %s" % (sorted(action["inputs"]), sorted(used)))
    given = {}
    for step in steps:
        given[step.get("id")] = set(re.findall(r'"(\w+)=', step.get("run", ""))) | ({"cache-hit"} if "cache" in step.get("uses", "") else set())
    for step, output in re.findall(r"steps\.(\w+)\.outputs\.([\w-]+)", text):
        if output not in given.get(step, ()):
            fault("action.yml: no step %s has an output %s" % (step, output))
    # The workflow gives the action only inputs that it has, and waits only for jobs that are there.
    workflow = YAML(typ="safe").load(SCHEMAS[1][1].read_text(encoding="utf-8"))
    calls = 0
    for name, job in workflow["jobs"].items():
        needs = job.get("needs", [])
        if lacking := set([needs] if isinstance(needs, str) else needs) - set(workflow["jobs"]):
            fault("github.yml: job %s needs %s" % (name, lacking))
        for step in job["steps"]:
            if step.get("uses", "").endswith("/packaging"):
                calls += 1
                if lacking := set(step.get("with", {})) - set(action["inputs"]):
                    fault("github.yml: job %s gives the action %s, which it does not take" % (name, lacking))
    print("%d files keep their schemas; the action has %d inputs and is called %d times" % (len(SCHEMAS), len(used), calls))


def run_step(what, inputs, folder):
    """Runs the step with the script that calls `gate WHAT` last, with these inputs; returns its exit status and output."""
    [step] = [s for s in steps if 'gate" %s' % what in s.get("run", "") and s["if"].startswith("${{ inputs.do == '%s'" % what)]
    values = {name: str(member.get("default", "")) for name, member in action["inputs"].items()}
    values.update(inputs)
    env = {name: re.sub(r"\$\{\{ inputs\.([\w-]+) \}\}", lambda m: values[m.group(1)], value) for name, value in step["env"].items()}
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("ASSAY_", "CI_", "SLURM_", "GITHUB_")) or name.startswith("ASSAY_TEST")}
    done = subprocess.run(["bash", "--noprofile", "--norc", "-e", "-o", "pipefail", "-c", step["run"]], cwd=folder, env={**clean, **env},
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return done.returncode, done.stdout


def run(program, folder):
    folder = Path(folder)
    wheel = folder / "assay-wheel"
    (wheel / "env/bin").mkdir(parents=True)
    shutil.copy(PACKAGING / "recipes/gate", wheel)
    os.symlink(program, wheel / "env/bin/assay")
    (folder / "elementwise").mkdir()
    (folder / "elementwise/nothing").touch()  # a pattern of operators is not one of files
    inputs = {"backend": "cpu", "name": "mine", "arguments": "elementwise/*sgn/float32/* --quiet"}

    def expect(status, part, what, more):
        got, output = run_step(what, {**inputs, **more}, folder)
        if got != status or part not in output + (folder / "assay-report/summary.md").read_text(encoding="utf-8"):
            fault("%s with %s: exit status %d, not %d, or no '%s':\n%s" % (what, more, got, status, part, output))

    def has(name):
        return (folder / "assay-report" / name).is_file()

    expect(0, "15 cases", "run", {})
    if not (has("part-1-1.jsonl") and has("junit.xml") and has("parity.html") and (folder / "assay-cache/assay").is_dir()):
        fault("a run without a shard leaves no report")
    (folder / "assay-report/part-1-1.jsonl").unlink()
    for shard in ("1/2", "2/2"):
        expect(0, "", "run", {"shard": shard})
    merge = {"parts": "assay-report/part-*.jsonl", "costs": "costs.jsonl"}
    expect(0, "15 cases", "merge", merge)
    if not (folder / "costs.jsonl").is_file():
        fault("merge leaves no costs")
    (folder / "assay-report/part-1-2.jsonl").unlink()
    expect(1, "shard 1/2", "merge", merge)
    expect(3, "", "run", {"backend": "exec:false"})
    print("the action's scripts run")


if sys.argv[1:] == ["forms"]:
    forms()
elif len(sys.argv) == 4 and sys.argv[1] == "run":
    run(*sys.argv[2:])
else:
    sys.exit(__doc__)
