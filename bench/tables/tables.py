#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Omnium authors
# SPDX-License-Identifier: Apache-2.0
"""Every table of the five papers, for programs of ours, beside the papers' own figures (Markdown).

  make tables                                             all of it: build/release/tables.md
  bench/tables/tables.py --only accounts,sor --runs 2 --no-injection --out tables.md

Programs: small ones after the papers' benchmarks (bench/tables/programs), kernels (bench/programs), the bank and the shapes of
examples, examples/shop, and some whose bugs ordinary runs do not show (bench/hunt). All functions are blocks. Each program is
recorded several times, with its threads delayed at random by a seed, because short runs hardly overlap. What is a matter of
time (slow-downs, speed-ups) is measured with larger runs of the programs that have them. Python 3, standard library only.
"""

import argparse
import dataclasses
import json
import os
import pathlib
import platform
import re
import statistics
import subprocess
import sys
import tempfile
import time

import papers

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SECONDS = 600  # of one command, so that none hangs
HUNTED = ["account_transfer", "cache_get_or_create", "connection_pool", "double_checked_init"]
KERNELS = {"hash_map": ["3", "300"], "b_tree": ["3", "300"], "task_queue": ["3", "300"], "pipeline": ["3", "10"]}
# Arguments of the runs whose time is measured: some ten to some hundred milliseconds, and some million events.
LARGE = {"accounts": ["3", "20000"], "bounded_buffer": ["2", "20000"], "elevator": ["3", "30000"], "hedc": ["3", "60000"],
         "moldyn": ["3", "400"], "montecarlo": ["3", "20000"], "multiset": ["3", "20000"], "philo": ["5", "20000"],
         "raytracer": ["3", "30000"], "sor": ["3", "8000"], "tsp": ["3", "30"], "vector": ["3", "6000"],
         "web_log": ["3", "10000"], "kernel hash_map": ["3", "60000"], "kernel b_tree": ["3", "60000"],
         "kernel task_queue": ["3", "60000"], "kernel pipeline": ["3", "600"]}


@dataclasses.dataclass
class Subject:
    name: str
    sources: list
    arguments: list = dataclasses.field(default_factory=list)
    binary: pathlib.Path = None
    plain: pathlib.Path = None
    traces: list = dataclasses.field(default_factory=list)
    large: pathlib.Path = None  # trace of a larger run
    answers: list = dataclasses.field(default_factory=list)  # per trace: engine -> row of `check -e all`
    facts: dict = dataclasses.field(default_factory=dict)    # of the first trace
    costs: dict = dataclasses.field(default_factory=dict)    # by way to run it: seconds, MB of the largest process

    @property
    def lines(self):
        return sum(len(source.read_text().splitlines()) for source in self.sources)

    def mean(self, engine, key):
        values = [answer[engine][key] for answer in self.answers if answer[engine][key] is not None]
        return statistics.mean(values) if values else None


def all_subjects():
    out = [Subject(source.stem, [source]) for source in sorted((ROOT / "bench/tables/programs").glob("*.cpp"))]
    out += [Subject(f"kernel {name}", [ROOT / f"bench/programs/{name}.cpp"], arguments) for name, arguments in KERNELS.items()]
    shapes = [ROOT / "examples/bank/bank.cpp", *sorted((ROOT / "examples/shapes").glob("*.cpp"))]
    out += [Subject(f"shape {source.stem}", [source]) for source in shapes[:4] if source.exists()]
    out += [Subject("shop", sorted((ROOT / "examples/shop").glob("*.cpp")))]
    out += [Subject(f"hunt {name}", [ROOT / f"bench/hunt/programs/{name}.cpp"]) for name in HUNTED]
    return out


def number(value):
    if value is None:
        return "-"
    if isinstance(value, str):
        return value
    if isinstance(value, int) or value == int(value) or value >= 100:
        return f"{round(value):,}"
    return f"{value:.2f}"


def table(heading, rows):
    lines = ["| " + " | ".join(heading) + " |", "|" + "---|" * len(heading)]
    lines += ["| " + " | ".join(number(cell) for cell in row) + " |" for row in rows]
    return "\n".join(lines) + "\n"


def beside(ours, of_paper):
    """ours (paper)"""
    return f"{number(ours)} ({number(of_paper)})" if of_paper is not None else number(ours)


class Measuring:
    def __init__(self, options, folder):
        self.options, self.omnium, self.folder = options, options.omnium.resolve(), folder

    def run(self, command, **variables):
        environment = dict(os.environ, OMNIUM_FUNCTIONS="all", **variables)
        return subprocess.run([str(word) for word in command], capture_output=True, text=True, errors="replace",
                              timeout=SECONDS, env=environment, check=False)

    def build(self, subject):
        stem = subject.name.replace(" ", "_")
        subject.binary, subject.plain = self.folder / stem, self.folder / f"{stem}.plain"
        flags = ["-std=c++20", "-g", "-O1", "-pthread", "-I", ROOT / "include", "-I", ROOT / "bench/programs"]
        for command, binary in (([self.omnium, "c++"], subject.binary), (["g++"], subject.plain)):
            done = self.run([*command, *flags, *subject.sources, "-o", binary])
            if done.returncode != 0:
                raise SystemExit(f"{subject.name} cannot be built:\n{done.stderr}")

    def record(self, subject):
        for seed in range(1, self.options.runs + 1):
            trace = self.folder / f"{subject.binary.name}.{seed}.omt"
            done = self.run([self.omnium, "record", "--blocks", "functions", "-o", trace, "--", subject.binary,
                             *subject.arguments], OMNIUM_OPTIONS=f"perturb={seed}")
            if not trace.exists():
                raise SystemExit(f"{subject.name} was not recorded:\n{done.stderr}")
            subject.traces.append(trace)

        if subject.name in LARGE:
            subject.large = self.folder / f"{subject.binary.name}.large.omt"
            self.run([self.omnium, "record", "--blocks", "functions", "-o", subject.large, "--", subject.binary, *LARGE[subject.name]])

    def check(self, subject, *words):
        done = self.run([self.omnium, "check", "-f", "json", *words])
        if done.returncode not in (0, 66):
            raise SystemExit(f"{subject.name}: {done.stderr}")
        return done.stdout.splitlines()

    def compare(self, subject):
        for trace in subject.traces:
            line = self.check(subject, "-e", "all", "--no-merge", "--all-edges", "--timeout", "60", trace)[0]
            subject.answers.append({row["engine"]: row for row in json.loads(line)["engines"]})
        report = json.loads(self.check(subject, "-e", "davida", "--stats", subject.traces[0])[0])
        subject.facts = dict(report["trace"], davida=report["stats"])

    def cost(self, command, **variables):
        """The least seconds of several runs, and the largest process in MB."""
        seconds, megabytes = [], []
        peak = self.folder / "peak"  # told by `time`, because what Python starts counts Python's own memory
        for _ in range(self.options.repeats):
            started = time.monotonic()
            subprocess.run(["/usr/bin/time", "-q", "-f", "%M", "-o", str(peak), *map(str, command)], stdout=subprocess.DEVNULL,
                           stderr=subprocess.DEVNULL, env=dict(os.environ, **variables), check=False)
            seconds.append(time.monotonic() - started)
            megabytes.append(int(peak.read_text().split()[-1]) / 1024)
        return min(seconds), max(megabytes)

    def measure(self, subject):
        if subject.name not in LARGE:
            return
        program = [subject.binary, *LARGE[subject.name]]
        run = ["timeout", str(SECONDS), self.omnium, "run", "--blocks", "functions"]
        subject.costs = {"base": self.cost([subject.plain, *LARGE[subject.name]]),
                         "empty": self.cost(program, OMNIUM_OPTIONS="check=0"),
                         "online": self.cost([*run, "--", *program])}
        for engine in ("velodrome", "reach", "davida"):
            subject.costs[engine] = self.cost([*run, "-e", engine, "--", *program])


def velodrome_1(subjects):
    rows = []
    for subject in subjects:
        base, empty, online, live = None, None, None, None
        if subject.costs:
            base = subject.costs["base"][0]
            empty, online, live = (subject.costs[way][0] / base for way in ("empty", "online", "velodrome"))
        paper = papers.VELODROME_1.get(subject.name, [None] * 6)
        plain, merged = "velodrome --no-merge", "velodrome"
        rows.append([subject.name, subject.lines, base and f"{base:.3f}", beside(empty, paper[0]), online, beside(live, paper[1]),
                     beside(subject.mean(plain, "nodes_made"), paper[2]), beside(subject.mean(plain, "nodes"), paper[3]),
                     beside(subject.mean(merged, "nodes_made"), paper[4]), beside(subject.mean(merged, "nodes"), paper[5])])
    return table(["program", "lines", "base s", "empty", "`run`", "`run -e velodrome`", "nodes, no merging", "most alive",
                  "nodes", "most alive"], rows)


def velodrome_2(measuring, subjects):
    rows, total = [], [0] * 4
    for subject in subjects:
        blocks = json.loads(measuring.check(subject, "--atomizer", *subject.traces)[0])["blocks"]
        violated = sum(block["violated"] > 0 for block in blocks)
        warned = sum(block["warned"] > 0 and block["violated"] > 0 for block in blocks)
        false_alarms = sum(block["false_alarm"] for block in blocks)
        counts = [warned, false_alarms, violated, sum(block["violated"] > 0 and block["warned"] == 0 for block in blocks)]
        total = [sum(pair) for pair in zip(total, counts)]
        paper = papers.VELODROME_2.get(subject.name)
        known = [paper[0], paper[1], paper[2], None] if paper else [None] * 4
        rows.append([subject.name, len(blocks), *(beside(*pair) for pair in zip(counts, known))])
    rows.append(["total", "", *(beside(*pair) for pair in zip(total, [*papers.VELODROME_2_TOTAL[:3], None]))])
    return table(["program", "functions", "warned and violated", "warned, not violated in these runs", "violated (exact)",
                  "violated, not warned"], rows)


def aerodrome(measuring, subjects, of_paper, spec_of):
    rows = []
    for subject in subjects:
        if subject.large is None:
            continue
        spec = spec_of(subject)
        words = ["-j", "1", *(["-s", spec] if spec else []), subject.large]
        velodrome, vector = (min((json.loads(measuring.check(subject, "-e", engine, *words)[0]) for _ in range(3)),
                                 key=lambda answer: answer["seconds"]) for engine in ("velodrome", "aerodrome"))
        paper = of_paper.get(subject.name, [None] * 5)
        facts = velodrome["trace"]
        speed_up = velodrome["seconds"] / vector["seconds"] if velodrome["seconds"] and vector["seconds"] else None
        rows.append([subject.name, beside(facts["events"], paper[0]), facts["threads"], facts["locks"], facts["variables"],
                     facts["transactions"], beside("yes" if vector["serializable"] else "no", paper[1]),
                     beside(f"{velodrome['seconds']:.4f}", paper[2]), beside(f"{vector['seconds']:.4f}", paper[3]),
                     beside(speed_up, paper[4])])
    return table(["program", "events", "threads", "locks", "variables", "transactions", "atomic?", "velodrome s",
                  "aerodrome s", "speed-up"], rows)


def refined_spec(measuring, subject):
    """Without what is not atomic in any of its traces: as careful as one of DoubleChecker's."""
    spec = measuring.folder / f"{subject.binary.name}.spec"
    done = measuring.run([measuring.omnium, "refine", "-o", spec, *subject.traces, subject.large])
    if done.returncode not in (0, 66) or not spec.exists():
        raise SystemExit(f"{subject.name}: {done.stderr}")
    return spec


def davida_4_to_6(subjects):
    rows = []
    for subject in subjects:
        paper = papers.DAVIDA.get(subject.name, [None] * 13)
        keys = ["instances", "transactions", "distinct_sequences", "visited", "kept", "skipped"]
        values = [subject.mean(engine, key) for key in keys for engine in ("velodrome", "davida")]
        values.append(subject.facts["davida"]["maximum forest size"])
        rows.append([subject.name, *(beside(*pair) for pair in zip(values, paper)),
                     subject.facts["davida"]["most skipped by the trees of one moment"]])
    both = [f"{what}, {who}" for what in ("violations", "transactions", "distinct witnesses", "visited", "kept", "skipped")
            for who in ("Velodrome", "Davida")]
    return table(["program", *both, "largest forest", "most skipped"], rows)


def davida_7(subjects):
    rows, all_values = [], []
    for subject in (subject for subject in subjects if subject.costs):
        base, base_memory = subject.costs["base"]
        times = [subject.costs[engine][0] / base for engine in ("velodrome", "reach", "davida")]
        sizes = [subject.costs[engine][1] / base_memory for engine in ("velodrome", "davida")]
        paper = papers.DAVIDA_7.get(subject.name, [None] * 5)
        all_values.append([*sizes, *times])
        rows.append([subject.name, f"{base_memory:.1f}", f"{base:.3f}", *(beside(*pair) for pair in zip([*sizes, *times], paper))])
    means = [statistics.mean(column) for column in zip(*all_values)]
    rows.append(["mean", "", "", *(beside(*pair) for pair in zip(means, papers.DAVIDA_7_MEAN))])
    return table(["program", "base MB", "base s", "memory, Velodrome", "memory, Davida", "time, Velodrome",
                  "time, reach (RegionTrack)", "time, Davida"], rows)


def farzan_1(subjects):
    rows = []
    for subject in subjects:
        answer = subject.answers[0]
        full, summary = answer["conflict-graph --all-edges"], answer["summary-graph"]
        paper = papers.FARZAN_1.get(subject.name, [None] * 5)
        rows.append([subject.name, f"{subject.facts['threads']}; {subject.facts['variables']}", subject.facts["events"],
                     beside(f"{number(full['nodes'])}, {number(full['edges'])}", paper[0]),
                     beside(f"{full['seconds']:.4f} s", paper[1]),
                     beside(f"{number(summary['nodes'])}, {number(summary['edges'])}", paper[2]),
                     beside(f"{summary['seconds']:.4f} s", paper[3]),
                     beside("no" if summary["serializable"] else "yes", paper[4])])
    return table(["program", "threads; entities", "events", "conflict graph", "time", "summarized", "time", "violation?"], rows)


def wang_1(measuring, subjects):
    rows = []
    for subject in subjects:
        paper = papers.WANG_1.get(subject.name, [None] * 6)
        done = measuring.run([measuring.omnium, "predict", "-m", "all", "-f", "json", subject.traces[0]])
        if done.returncode not in (0, 66):
            rows.append([subject.name, done.stderr.strip().splitlines()[0][:60], *[""] * 8])
            continue
        answer = json.loads(done.stdout)
        methods = {row["method"]: row for row in answer["methods"]}
        row = [subject.name]
        for i, name in enumerate(["commit-node", "reduction", "block"]):
            method = methods[name]
            # What is violated in the recording itself is no prediction, but to the paper it is a warning.
            happened = answer["recorded"] if name != "block" else 0
            said = f"{method['warnings'] + happened}-{method['undecided']}-{method['impossible']}"
            row += [beside(said, paper[2 * i]), f"{method['seconds']:.4f}", beside(method["space"], paper[2 * i + 1])]
        rows.append(row)
    heading = [f"{name}, {what}" for name in ("commit-node", "reduction", "block-based") for what in ("report", "s", "space")]
    return table(["program", *heading], rows)


def injection(options, folder):
    out = folder / "injection.md"
    command = [ROOT / "bench/hunt/inject.py", "--only", "lending_library", "--ways", "plain,pause", "--time", str(options.injection),
               "--omnium", options.omnium, "--out", out]
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=1200, check=False)
    if done.returncode != 0 or not out.exists():
        return f"not measured: {done.stderr.strip().splitlines()[-1] if done.stderr else 'no output'}\n"
    tables = [line for line in out.read_text().splitlines() if line.startswith("|")]
    return "\n".join(f"\n{line}" if line.startswith("| without |") else line for line in tables) + "\n"


def machine():
    model = re.search(r"model name\s*: (.*)", pathlib.Path("/proc/cpuinfo").read_text())
    commit = subprocess.run(["git", "-C", str(ROOT), "rev-parse", "--short", "HEAD"], capture_output=True, text=True, check=False)
    load = os.getloadavg()[0]
    return (f"Machine: {model[1] if model else platform.machine()}, {os.cpu_count()} processors, load {load:.1f} at the start. "
            f"Commit {commit.stdout.strip() or 'unknown'}. {platform.system()} {platform.release()}.\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--omnium", type=pathlib.Path, default=ROOT / "build/release/omnium")
    parser.add_argument("--out", type=pathlib.Path, default=ROOT / "build/release/tables.md")
    parser.add_argument("--runs", type=int, default=5, help="recordings of each program (5)")
    parser.add_argument("--repeats", type=int, default=3, help="runs of which the fastest counts (3)")
    parser.add_argument("--only", default="", help="names of programs, with commas (all)")
    parser.add_argument("--injection", type=int, default=10, help="seconds per injected defect (10)")
    parser.add_argument("--no-injection", action="store_true")
    options = parser.parse_args()
    subjects = [it for it in all_subjects() if not options.only or it.name in options.only.split(",")]
    text = [machine(), f"{options.runs} recordings of each program. In parentheses: the paper's figure for the program of that name.\n"]
    with tempfile.TemporaryDirectory() as folder:
        measuring = Measuring(options, pathlib.Path(folder))
        for subject in subjects:
            print(subject.name, file=sys.stderr, flush=True)
            measuring.build(subject)
            measuring.record(subject)
            measuring.compare(subject)
            measuring.measure(subject)
        parts = [
            ("Velodrome, table 1", lambda: velodrome_1(subjects)),
            ("Velodrome, table 2", lambda: velodrome_2(measuring, subjects)),
            ("Velodrome, section 6: lock statements taken out (30 % in one run, 70 % with pauses)",
             lambda: "not measured\n" if options.no_injection else injection(options, pathlib.Path(folder))),
            ("AeroDrome, table 1: careful specifications",
             lambda: aerodrome(measuring, subjects, papers.AERODROME_1, lambda subject: refined_spec(measuring, subject))),
            ("AeroDrome, table 2: all functions (speed-ups between {} and {})".format(*papers.AERODROME_2_RANGE),
             lambda: aerodrome(measuring, subjects, {}, lambda subject: None)),
            ("Davida, tables IV to VI", lambda: davida_4_to_6(subjects)),
            ("Davida, table VII", lambda: davida_7(subjects)),
            ("Farzan and Madhusudan, table 1", lambda: farzan_1(subjects)),
            ("Wang and Stoller, table 1", lambda: wang_1(measuring, subjects)),
        ]
        for heading, make in parts:
            print(heading, file=sys.stderr, flush=True)
            text.append(f"## {heading}\n\n{make()}")
    options.out.write_text("\n".join(text))
    print(f"written: {options.out}")


if __name__ == "__main__":
    main()
