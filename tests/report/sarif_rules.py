#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Omnium authors
# SPDX-License-Identifier: Apache-2.0
"""What -f sarif writes keeps the rules of Microsoft's validator, GitHub's included: sarif_rules.py OMNIUM SOURCE BUILD

The validator (sarif-multitool) comes from an npm package, once per build folder. The one thing that it may ask for is an
address of Omnium's own, which a build has only if OMNIUM_HOMEPAGE was given.
Its notes are not asked for: they want numbers as names of rules, and a network.
"""
import json
import os
import pathlib
import subprocess
import sys
import tarfile
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import limited_run

PACKAGE = "@microsoft/sarif-multitool-linux@5.7.0"
SECONDS = 240  # to fetch it
SKIPPED = 77
ALLOWED = {"SARIF2005"}  # only what it says about the address

PREDICTED = """T1|begin(inc)|a.cc:1
T1|acq(m)|a.cc:2
T1|r(x)|a.cc:3
T1|rel(m)|a.cc:4
T1|acq(m)|a.cc:5
T1|w(x)|a.cc:6
T1|rel(m)|a.cc:7
T1|end(inc)|a.cc:8
T2|begin(put)|a.cc:11
T2|acq(m)|a.cc:12
T2|w(x)|a.cc:13
T2|rel(m)|a.cc:14
T2|end(put)|a.cc:15
"""


def validator(folder):
    program = folder / "package" / "Sarif.Multitool"
    if not program.exists():
        folder.mkdir(parents=True, exist_ok=True)
        try:
            limited_run.run(["npm", "pack", "--silent", "--fetch-timeout=30000", PACKAGE], SECONDS, cwd=folder, check=True,
                            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        except (limited_run.TooLong, subprocess.CalledProcessError, FileNotFoundError) as error:
            print(error, f"\nskipped: {PACKAGE} cannot be fetched")
            sys.exit(SKIPPED)
        archive = next(folder.glob("*.tgz"))
        with tarfile.open(archive) as package:
            package.extractall(folder)
        archive.unlink()
        program.chmod(0o755)
    return program


def said_of(program, paths, folder):
    """(rule, message) of everything that the validator says."""
    out = folder / "said.sarif"
    limited_run.run([str(program), "validate", *map(str, paths), "--rule-kind", "Sarif;Gh", "--output", str(out), "--log",
                     "ForceOverwrite", "--level", "Error;Warning", "--kind", "Fail"], SECONDS, check=False,
                    stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, env=dict(os.environ, DOTNET_SYSTEM_GLOBALIZATION_INVARIANT="1"))
    run = json.loads(out.read_text(encoding="utf-8-sig"))["runs"][0]
    rules = {rule["id"]: rule for rule in run["tool"]["driver"].get("rules", [])}
    for result in run.get("results", []):
        message = result["message"]
        text = message.get("text")
        if text is None:
            text = rules[result["ruleId"]]["messageStrings"][message["id"]]["text"]
            for i, argument in enumerate(message.get("arguments", [])):
                text = text.replace("{%d}" % i, argument)
        yield result["ruleId"], text


def main():
    omnium, source, build = map(pathlib.Path, sys.argv[1:4])
    program = validator(build / "sarif-multitool")
    examples = source / "examples"
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        (folder / "t.std").write_text(PREDICTED, encoding="utf-8")
        files = []
        for name, words in {"check": ["check", examples / "traces/bank.std"],
                            "clean": ["check", folder / "t.std"],
                            "predict": ["predict", folder / "t.std"],
                            "cycle": ["model", examples / "models/peterson_atomic.omp"]}.items():
            files.append(folder / f"{name}.sarif")
            subprocess.run([str(omnium), *map(str, words), "-o", str(files[-1])], check=False, timeout=60)
        wrong = [f"{rule}: {text}" for rule, text in said_of(program, files, folder)
                 if not (rule in ALLOWED and "informationUri" in text)]
        # A file that lacks what is asked for is found out.
        broken = json.loads(files[0].read_text(encoding="utf-8"))
        broken["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["region"]["startLine"] = 0
        (folder / "broken.sarif").write_text(json.dumps(broken), encoding="utf-8")
        if not any(rule not in ALLOWED for rule, _ in said_of(program, [folder / "broken.sarif"], folder)):
            wrong.append("the validator accepts everything")
    if wrong:
        raise SystemExit("\n".join(wrong))
    print("1 passed, 0 failed")


main()
