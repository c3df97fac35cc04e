#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Omnium authors
# SPDX-License-Identifier: Apache-2.0
"""action.yml and scripts/gitlab.yml are what they should be, and their commands work: ci_files.py OMNIUM SOURCE"""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

import yaml

SECONDS = 120
BAD = "t1|begin(inc)|a.cc:1\nt1|r(x)|a.cc:2\nt2|w(x)|b.cc:7\nt1|w(x)|a.cc:3\nt1|end(inc)|a.cc:4\n"
NO_BLOCKS = "t1|r(x)|a.cc:2\n"


def check_action(source):
    """Every step is one, every input that is used is declared, and the other way round."""
    text = (source / "action.yml").read_text()
    action = yaml.safe_load(text)
    assert set(action) == {"name", "description", "branding", "inputs", "outputs", "runs"}, set(action)
    assert action["runs"]["using"] == "composite"
    for step in action["runs"]["steps"]:
        assert ("run" in step) != ("uses" in step), step
        if "run" in step:
            assert step["shell"] == "bash", step  # composite actions have no default
            assert "${{" not in step["run"], "an input in a script would be code"
            subprocess.run(["bash", "-n"], input=step["run"], text=True, check=True, timeout=SECONDS)
    used = set(re.findall(r"inputs\.([a-z-]+)", text))
    assert used == set(action["inputs"]), used ^ set(action["inputs"])
    ids = {step["id"] for step in action["runs"]["steps"] if "id" in step}
    assert set(re.findall(r"steps\.([a-z-]+)\.", text)) == ids
    written = set(re.findall(r'output "([a-z]+)=', (source / "scripts/ci.sh").read_text()))
    assert set(re.findall(r"outputs\.([a-z]+) ", text)) == written, written
    return action


def run_action(omnium, source, folder, environment, **variables):
    """The step that checks, as GitHub would run it."""
    files = {name: folder / name for name in ("GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY")}
    for file in files.values():
        file.write_text("")
    all_variables = dict(environment, GITHUB_ACTIONS="true", **{name: str(path) for name, path in files.items()}, **variables)
    ran = subprocess.run([source / "scripts/ci.sh", "check"], cwd=folder, env=all_variables, capture_output=True, text=True, timeout=SECONDS,
                         check=False)
    return ran, {name: path.read_text() for name, path in files.items()}


def check_script(omnium, source, folder, environment):
    ran, files = run_action(omnium, source, folder, environment, OMNIUM_COMMAND="check", OMNIUM_TARGET="bad.std")
    assert ran.returncode == 66, ran
    assert "::error file=a.cc,line=3,title=Omnium av-" in ran.stdout, ran
    assert "status=66\n" in files["GITHUB_OUTPUT"] and "sarif=omnium-report/omnium.sarif" in files["GITHUB_OUTPUT"], files
    assert files["GITHUB_STEP_SUMMARY"].startswith("## Omnium: 1 finding\n"), files
    assert json.loads((folder / "omnium-report/omnium.sarif").read_text())["runs"][0]["results"]
    ran, _ = run_action(omnium, source, folder, environment, OMNIUM_COMMAND="check", OMNIUM_TARGET="bad.std", OMNIUM_FAIL="false")
    assert ran.returncode == 0, ran
    (folder / "main.json").write_bytes((folder / "omnium-report/omnium.json").read_bytes())
    ran, files = run_action(omnium, source, folder, environment, OMNIUM_COMMAND="check", OMNIUM_TARGET="bad.std", OMNIUM_BASELINE="main.json")
    assert ran.returncode == 0 and "::error" not in ran.stdout and "no new findings" in files["GITHUB_STEP_SUMMARY"], ran
    ran, _ = run_action(omnium, source, folder, environment, OMNIUM_COMMAND="check", OMNIUM_TARGET="none.std")
    assert ran.returncode == 2 and "nothing was checked" in ran.stderr, ran
    ran, _ = run_action(omnium, source, folder, environment, OMNIUM_COMMAND="rm", OMNIUM_TARGET="bad.std")
    assert ran.returncode == 2, ran


def check_gitlab(source, folder, environment):
    job = yaml.safe_load((source / "scripts/gitlab.yml").read_text())[".omnium"]
    assert set(job) == {"image", "variables", "before_script", "script", "artifacts"}, set(job)
    assert job["artifacts"]["reports"]["junit"] in job["script"][-1]
    variables = dict(job["variables"], OMNIUM_COMMAND="check", OMNIUM_TARGET="bad.std")
    script = "\n".join(["set -eo pipefail", *job["before_script"], *job["script"]])
    ran = subprocess.run(["bash", "-c", script], cwd=folder, env=dict(environment, **variables), capture_output=True, text=True, timeout=SECONDS,
                         check=False)
    assert ran.returncode == 66, ran
    suites = xml.etree.ElementTree.parse(folder / "omnium-report/omnium.xml").getroot()
    assert sum(int(suite.get("failures")) for suite in suites) == 1


def main():
    omnium, source = (pathlib.Path(argument).resolve() for argument in sys.argv[1:3])
    check_action(source)
    environment = dict(os.environ, PATH=f"{omnium.parent}:{os.environ['PATH']}")
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "bad.std").write_text(BAD)
        (folder / "none.std").write_text(NO_BLOCKS)
        check_script(omnium, source, folder, environment)
        check_gitlab(source, folder, environment)
    print("ci files: 1 passed, 0 failed")


main()
