#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Omnium authors
# SPDX-License-Identifier: Apache-2.0
"""`omnium run --sample P`: what it reports is what a check of all blocks reports, or less.

  tests/programs/sampled_run.py OMNIUM
  OMNIUM_SEEDS=100 tests/programs/sampled_run.py OMNIUM
  OMNIUM_FIRST_SEED=31 OMNIUM_SEEDS=1 tests/programs/sampled_run.py OMNIUM

Runs random_waits.cpp, which writes what it does as a trace, and compares the names of refuted blocks, with both
compilers and each combination of --conflicts and --waits:

* with P = 100, those of the trace;
* with a smaller P, none that the trace does not have. The run is recorded at the same time, and the recording has all
  of them: sampling loses no block of it;
* with --waits keep, where no block is cut, what a P of 50 finds with many seeds is all that there is.

And the words: a share that was judged is never called serializable, and wrong values are refused."""
import itertools
import json
import os
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import limited_run

SOURCE = pathlib.Path(__file__).resolve().parent / "random_waits.cpp"
SEEDS = int(os.environ.get("OMNIUM_SEEDS", "2"))
FIRST_SEED = int(os.environ.get("OMNIUM_FIRST_SEED", "1"))
MODES = [["--conflicts", which, "--waits", how]
         for which, how in itertools.product(["data", "all"], ["split", "keep"])]
CHOICES = 9  # seeds of the choice, for what must be found


def refuted(report):
    return {block["label"] for violation in report["violations"] for block in violation["refuted"]}


def counted(report):
    """How many blocks there were, and how many were judged."""
    blocks = report["trace"]["blocks"]
    return blocks + report["trace"].get("passed_over", 0), blocks


class Program:
    def __init__(self, omnium, compiler, scratch):
        self.omnium, self.scratch, self.wrong = omnium, scratch, []
        self.compiler, self.path = compiler, scratch / f"program-{compiler}"
        limited_run.run([omnium, "c++", "-std=c++20", "-g", "-O2", "-pthread", str(SOURCE), "-o", self.path],
                        env=dict(os.environ, OMNIUM_CXX=compiler), check=True)

    def expect(self, what, seed, mode, good):
        if not good:
            self.wrong.append(f"{self.compiler}, seed {seed}, {' '.join(mode)}: {what}")

    def run(self, seed, mode, *options, record=None):
        """The result of a run, and the blocks that are refuted in the trace that it wrote."""
        live, trace = self.scratch / "live.json", self.scratch / "true.std"
        variables = {} if record is None else {"OMNIUM_OPTIONS": f"record={record}"}
        limited_run.run([self.omnium, "run", *mode, *options, "-f", "json", "-o", live, "--log", os.devnull, "--",
                         self.path, str(seed), trace], env=dict(os.environ, **variables), stdout=subprocess.DEVNULL)
        return json.loads(live.read_text()), trace

    def check(self, mode, trace):
        checked = self.scratch / "checked.json"
        limited_run.run([self.omnium, "check", *mode, "--all", "-f", "json", "-o", checked, trace])
        return refuted(json.loads(checked.read_text()))

    def compare(self, seed, mode):
        all_of_them, trace = self.run(seed, mode, "--sample", "100")
        expected = self.check(mode, trace)
        self.expect("--sample 100 differs", seed, mode,
                    refuted(all_of_them) == expected and "sample" not in all_of_them)
        blocks = counted(all_of_them)[0]
        union, judged = set(), 0
        for choice in range(1, CHOICES + 1):
            some, _ = self.run(seed, mode, "--sample", "50", "--sample-seed", str(choice))
            found = refuted(some)
            union |= found
            judged += counted(some)[1]
            self.expect(f"choice {choice}: not in the trace {sorted(found - expected)}", seed, mode, found <= expected)
            self.expect(f"choice {choice}: blocks are lost", seed, mode, counted(some)[0] == blocks)
            self.expect(f"choice {choice}: sample {some.get('sample')}", seed, mode,
                        some["sample"] == {"percent": 50, "seed": choice})
            self.expect(f"choice {choice}: called serializable", seed, mode, some["serializable"] is not True)
        self.expect(f"{judged} of {CHOICES} times {blocks} blocks judged", seed, mode,
                    CHOICES * blocks * 0.4 < judged < CHOICES * blocks * 0.95)
        if "keep" in mode:
            self.expect(f"never found {sorted(expected - union)}", seed, mode, union == expected)
        return expected

    def compare_with_recording(self, seed, mode):
        raw, recorded = self.scratch / "run.raw", self.scratch / "recorded.omt"
        raw.unlink(missing_ok=True)
        some, trace = self.run(seed, mode, "--sample", "10", "--sample-seed", "3", record=raw)
        limited_run.run([self.omnium, "convert", raw, recorded], check=True)
        expected = self.check(mode, trace)
        self.expect("the recording lacks blocks", seed, mode, self.check(mode, recorded) == expected)
        self.expect("recorded: something else was found", seed, mode, refuted(some) <= expected)


    def check_words(self):
        def said(*options, variables=None):
            done = limited_run.run([self.omnium, "run", *options, "--", self.path, "1", self.scratch / "true.std"],
                                   env=dict(os.environ, **(variables or {})), stdout=subprocess.DEVNULL,
                                   stderr=subprocess.PIPE, text=True)
            return done.returncode, " ".join(done.stderr.replace("\u00a0", " ").split())
        status, text = said("--sample", "0.0001", "--sample-seed", "7")
        self.expect(f"none judged: {text}", 1, [], status == 0 and ": serializable" not in text and
                    "no violation was found in the blocks that were judged" in text and "0 of " in text and
                    "blocks judged (--sample: 0.0001 %, seed 7)" in text and "nothing was checked" in text)
        status, text = said(variables={"OMNIUM_OPTIONS": "sample=0.0001:sample_seed=7"})
        self.expect(f"by the environment: {text}", 1, [], "(--sample: 0.0001 %, seed 7)" in text)
        for percent in ("0", "101", "100.1", "-1", "1%", "0.00001", "", ".", "1e1"):
            status, text = said(f"--sample={percent}")
            self.expect(f"--sample {percent}: {status} {text}", 1, [],
                        status == 2 and "percent" in text or percent == "" and status != 0)
        self.expect("a seed alone", 1, [], said("--sample-seed", "3")[0] == 2)
        status, text = said(variables={"OMNIUM_OPTIONS": "sample=0"})
        self.expect(f"sample=0: {status} {text}", 1, [], "sample must be more than 0" in text)


def main():
    omnium, found, wrong = os.path.abspath(sys.argv[1]), 0, []
    with tempfile.TemporaryDirectory() as folder:
        for compiler in ("g++", "clang++"):
            program = Program(omnium, compiler, pathlib.Path(folder))
            program.check_words()
            for seed in range(FIRST_SEED, FIRST_SEED + SEEDS):
                for mode in MODES:
                    found += len(program.compare(seed, mode))
                    program.compare_with_recording(seed, mode)
            wrong += program.wrong
    print("\n".join(wrong) or f"{found} refuted blocks: a share of them with --sample, and nothing else")
    return 0 if found > 0 and not wrong else 1


if __name__ == "__main__":
    sys.exit(main())
