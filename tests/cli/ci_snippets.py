#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Omnium authors
# SPDX-License-Identifier: Apache-2.0
"""The snippets of docs/guide/ci.md and docs/scaling.md work as they are printed: ci_snippets.py OMNIUM SOURCE

Each is cut out of the page and run where there are traces: one that violates and one that does not.
"""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import limited_run

BAD = "t1|begin(inc)|a.cc:1\nt1|r(x)|a.cc:2\nt2|w(x)|b.cc:7\nt1|w(x)|a.cc:3\nt1|end(inc)|a.cc:4\n"
GOOD = "t1|begin(inc)|a.cc:1\nt1|w(x)|a.cc:2\nt1|end(inc)|a.cc:4\n"
KNOWN = "suppress block inc because it is a test\n"


def run(command, folder, environment):
    return limited_run.run(command, cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def expect(what, ran, status):
    if ran.returncode != status:
        sys.exit(f"{what}: expected status {status}, got {ran.returncode}\n{ran.stdout}")


def commands(block):
    """Lines of shell in a YAML block."""
    lines = [line.strip().removeprefix("- ") for line in block.splitlines()]
    return "set -e\n" + "\n".join(line for line in lines if line.startswith("omnium "))


def check_ctest(block, folder, environment):
    (folder / "CMakeLists.txt").write_text(f"cmake_minimum_required(VERSION 3.25)\nproject(bank NONE)\n{block}")
    expect("cmake", run(["cmake", "-B", "build"], folder, environment), 0)
    (folder / "omnium.supp").write_text("")
    failed = run(["ctest", "--test-dir", "build", "--output-on-failure"], folder, environment)
    expect("ctest", failed, 8)
    assert "1 tests failed out of 2" in failed.stdout and "ATOMICITY VIOLATION" in failed.stdout, failed.stdout
    (folder / "omnium.supp").write_text(KNOWN)
    expect("ctest", run(["ctest", "--test-dir", "build"], folder, environment), 0)


def check_github(script, folder, environment):
    (folder / "omnium.supp").write_text("")
    expect("no findings known", run(["omnium", "check", "-f", "json", "-o", "main.json", "traces/good.omt"], folder, environment), 0)
    found = run(["bash", "-c", script], folder, environment)
    expect("GitHub", found, 66)
    assert "::error file=a.cc,line=3,title=Omnium av-" in found.stdout, found.stdout
    assert len(json.loads((folder / "result.sarif").read_text())["runs"][0]["results"]) == 1
    os.replace(folder / "result.json", folder / "main.json")
    expect("GitHub with a baseline", run(["bash", "-c", script], folder, environment), 0)
    expect("diff", run(["omnium", "diff", "main.json", "result.json"], folder, environment), 0)


def check_gitlab(script, folder, environment):
    (folder / "omnium.supp").write_text("")
    expect("GitLab", run(["bash", "-c", script], folder, environment), 66)
    suites = xml.etree.ElementTree.parse(folder / "atomicity.xml").getroot()
    assert sum(int(suite.get("failures")) for suite in suites) == 1
    (folder / "omnium.supp").write_text(KNOWN)
    expect("GitLab with suppressions", run(["bash", "-c", script], folder, environment), 0)


def check_shards(block, folder, environment):
    """The lines of a matrix of four jobs, then those of the job that merges."""
    shard, merge = re.findall(r"^ *- (?:run: )?(omnium .*)$", block, re.M)
    (folder / "traces.txt").write_text("traces/good.omt\ntraces/bad.omt\n")
    for i in "1234":
        task = dict(environment, CI_NODE_INDEX=i, CI_NODE_TOTAL="4")
        expect("shard " + i, run(["bash", "-c", shard.replace("${{ matrix.shard }}", i)], folder, task), 0)
    expect("merge", run(["bash", "-c", merge], folder, environment), 66)
    for result in folder.glob("shard-*.json"):
        result.unlink()


def main():
    omnium, source = (pathlib.Path(argument).resolve() for argument in sys.argv[1:3])
    page = (source / "docs/guide/ci.md").read_text()
    (cmake,) = re.findall(r"^```cmake\n(.*?)^```", page, re.S | re.M)
    github, gitlab = re.findall(r"^```yaml\n(.*?)^```", page, re.S | re.M)
    environment = dict(os.environ, PATH=f"{omnium.parent}:{os.environ['PATH']}")
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "traces").mkdir()
        for trace, text in (("bad", BAD), ("good", GOOD)):
            (folder / f"{trace}.std").write_text(text)
            expect("convert", run(["omnium", "convert", f"{trace}.std", f"traces/{trace}.omt"], folder, environment), 0)
        check_ctest(cmake, folder, environment)
        check_github(commands(github), folder, environment)
        check_gitlab(commands(gitlab), folder, environment)
        recipes = re.findall(r"^```yaml\n(.*?)^```", (source / "docs/scaling.md").read_text(), re.S | re.M)
        assert len(recipes) == 2, recipes
        for recipe in recipes:
            check_shards(recipe, folder, environment)


main()
