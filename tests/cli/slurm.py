#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Omnium authors
# SPDX-License-Identifier: Apache-2.0
"""Runs `omnium check --slurm` and `omnium hunt --slurm` on a real Slurm of two virtual nodes, which it starts and stops
itself, and compares the merged result with that of one process: slurm.py OMNIUM. Ends with 77 where it cannot run."""
import json
import os
import pwd
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

SKIP = 77
PROGRAMS = ["munged", "slurmctld", "slurmd", "sbatch", "scontrol", "squeue", "sinfo"]
NODES = 2
TRACES = 24


def skip(reason):
    print(f"skipped: {reason}")
    sys.exit(SKIP)


def free_ports(count):
    sockets = [socket.socket() for _ in range(count)]
    for it in sockets:
        it.bind(("127.0.0.1", 0))
    ports = [it.getsockname()[1] for it in sockets]
    for it in sockets:
        it.close()
    return ports


class Cluster:
    """Slurm with its own munge, all below one folder."""

    def __init__(self, folder):
        self.folder = folder
        self.children = {}
        self.environment = dict(os.environ, SLURM_CONF=f"{folder}/slurm.conf")

    def write_configuration(self):
        ports = free_ports(NODES + 1)
        host = socket.gethostname().split(".")[0]
        lines = [
            "ClusterName=omnium", f"SlurmctldHost={host}(127.0.0.1)", "SlurmUser=root", "SlurmdUser=root",
            "AuthType=auth/munge", f"AuthInfo=socket={self.folder}/munge.socket", "CryptoType=crypto/munge",
            "ProctrackType=proctrack/linuxproc", "TaskPlugin=task/none", "JobAcctGatherType=jobacct_gather/none",
            "SelectType=select/cons_tres", "SelectTypeParameters=CR_CPU", "SchedulerType=sched/backfill",
            "ReturnToService=2", "MpiDefault=none", "SlurmdTimeout=10", "MessageTimeout=30", "JobRequeue=1",
            f"SlurmctldPort={ports[0]}", f"StateSaveLocation={self.folder}/state",
            f"SlurmdSpoolDir={self.folder}/spool.%n", f"SlurmctldPidFile={self.folder}/slurmctld.pid",
            f"SlurmdPidFile={self.folder}/slurmd.%n.pid", f"SlurmctldLogFile={self.folder}/slurmctld.log",
            f"SlurmdLogFile={self.folder}/slurmd.%n.log",
        ]
        for i in range(NODES):
            lines.append(f"NodeName=n{i + 1} NodeHostname={host} NodeAddr=127.0.0.1 Port={ports[i + 1]} CPUs=1")
        lines.append(f"PartitionName=all Nodes=n[1-{NODES}] Default=YES MaxTime=INFINITE State=UP")
        with open(f"{self.folder}/slurm.conf", "w") as out:
            out.write("\n".join(lines) + "\n")

    def start_munge(self):
        user = pwd.getpwnam("munge")
        home = f"{self.folder}/munge"
        os.mkdir(home, 0o700)
        with open(f"{home}/key", "wb") as out:
            out.write(os.urandom(1024))
        os.chmod(f"{home}/key", 0o600)
        for path in (home, f"{home}/key"):
            os.chown(path, user.pw_uid, user.pw_gid)
        os.chmod(self.folder, 0o1777)
        self.children["munged"] = subprocess.Popen(
            ["munged", "--foreground", "--force", f"--key-file={home}/key", f"--socket={self.folder}/munge.socket",
             f"--pid-file={home}/pid", f"--log-file={home}/log", f"--seed-file={home}/seed"],
            user=user.pw_uid, group=user.pw_gid, extra_groups=[], stderr=subprocess.DEVNULL)
        self.wait_until(lambda: os.path.exists(f"{self.folder}/munge.socket"), "munged")

    def start(self):
        os.mkdir(f"{self.folder}/state")
        self.write_configuration()
        self.start_munge()
        self.children["slurmctld"] = self.spawn(["slurmctld", "-D"])
        for i in range(NODES):
            self.start_node(f"n{i + 1}")
        self.wait_until(lambda: self.ask("sinfo", "-h", "-o", "%D %t").strip() == f"{NODES} idle", "the nodes")

    def start_node(self, name):
        self.children[name] = self.spawn(["slurmd", "-D", "-N", name])

    def stop_node(self, name):
        """As if the machine had lost its power."""
        child = self.children.pop(name)
        child.send_signal(signal.SIGKILL)
        child.wait()

    def spawn(self, words):
        return subprocess.Popen(words, env=self.environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def ask(self, *words):
        return subprocess.run(words, env=self.environment, capture_output=True, text=True, timeout=60).stdout

    def wait_until(self, holds, what, seconds=90):
        end = time.monotonic() + seconds
        while not holds():
            if time.monotonic() > end:
                self.show_logs()
                raise RuntimeError(f"waited too long for {what}")
            time.sleep(0.2)

    def show_logs(self):
        for name in sorted(os.listdir(self.folder)):
            if name.endswith(".log"):
                with open(f"{self.folder}/{name}", errors="replace") as log:
                    print(f"--- {name}\n{''.join(log.readlines()[-15:])}")

    def stop(self):
        if "slurmctld" in self.children:
            self.ask("scancel", "--user=root")
            self.ask("scontrol", "shutdown")
        for child in reversed(list(self.children.values())):
            child.terminate()
            try:
                child.wait(20)
            except subprocess.TimeoutExpired:
                child.kill()
                child.wait()


def omnium(program, words, cluster, expected):
    ran = subprocess.run([program, *words], env=cluster.environment, cwd=cluster.folder, capture_output=True, text=True,
                         timeout=120)
    assert ran.returncode in expected, f"{words}: status {ran.returncode}\n{ran.stdout}{ran.stderr}"
    return ran.stdout


def without_effort(text):
    return re.sub(r'"seconds":[0-9.]+,"peak_bytes":[0-9]+', "", text)


def submitted(program, words, cluster):
    said = omnium(program, words, cluster, [0])
    jobs = re.search(r"squeue --jobs (\d+),(\d+)", said)
    assert jobs, said
    return jobs.groups()


def wait_for_result(cluster, path):
    cluster.wait_until(lambda: cluster.ask("squeue", "-h").strip() == "" and os.path.exists(path), path, 180)


def check(program, cluster):
    """The merged result is that of one process, also if a task is requeued and a node dies."""
    paths = []
    for seed in range(TRACES):
        paths.append(f"{cluster.folder}/{seed}.omt")
        violate = ["--violate"] if seed % 3 == 0 else []
        omnium(program, ["generate", "random", "--events", "2K", "--seed", str(seed), *violate, "-o", paths[-1]], cluster, [0])
    with open(f"{cluster.folder}/traces.txt", "w") as out:
        out.write("\n".join(paths) + "\n")
    omnium(program, ["check", "--files-from", "traces.txt", "-f", "json", "-o", "whole.json"], cluster, [66])
    expected = without_effort(omnium(program, ["merge", "whole.json"], cluster, [66]))
    array, _ = submitted(program, ["check", "--slurm", "6", "--files-from", "traces.txt", "-f", "json", "-o", "all.json"], cluster)
    cluster.ask("scontrol", "requeue", f"{array}_6")
    cluster.stop_node("n2")
    time.sleep(1)
    cluster.start_node("n2")
    wait_for_result(cluster, f"{cluster.folder}/all.json")
    with open(f"{cluster.folder}/all.json") as merged:
        assert without_effort(merged.read()) == expected, "the shards did not find what one process finds"
    assert len([it for it in os.listdir(f"{cluster.folder}/all.json.shards") if it.endswith(".json")]) == 6
    again = ["check", "--slurm", "2", "--files-from", "traces.txt", "-f", "json", "-o", "all.json"]
    omnium(program, again, cluster, [2])  # the folder of the first submission is still there
    print("check: 6 shards of", TRACES, "traces on", NODES, "nodes: the same as one process")


def hunt(program, cluster):
    source = f"{cluster.folder}/bank.cpp"
    with open(source, "w") as out:
        out.write("""#include <omnium/atomic.h>
#include <mutex>
#include <thread>
std::mutex mutex;
int balance;
void deposit() {
  OMNIUM_ATOMIC("deposit");
  int old;
  { std::lock_guard hold(mutex); old = balance; }
  { std::lock_guard hold(mutex); balance = old + 1; }
}
int main() { std::thread a(deposit), b(deposit); a.join(); b.join(); }
""")
    omnium(program, ["c++", "-g", "-O1", source, "-o", "bank"], cluster, [0])
    submitted(program, ["hunt", "--slurm", "2", "--time", "8", "-f", "json", "-o", "hunted.json", "--", "./bank"], cluster)
    wait_for_result(cluster, f"{cluster.folder}/hunted.json")
    with open(f"{cluster.folder}/hunted.json") as merged:
        result = json.loads(merged.readline())
    assert [it["block"]["label"] for it in result["causes"]] == ["deposit"], result["causes"]
    assert "hunted.json.shards" in result["causes"][0].get("found_by", ""), result["causes"]
    print("hunt: found on the cluster, with its replay file")


def main():
    program = os.path.abspath(sys.argv[1])
    os.environ["PATH"] += ":/usr/sbin:/sbin"
    missing = [it for it in PROGRAMS if shutil.which(it) is None]
    if missing:
        skip(f"not installed: {', '.join(missing)} (Debian: slurm-wlm slurmd munge)")
    if os.geteuid() != 0:
        skip("Slurm's daemons need root")
    folder = tempfile.mkdtemp(prefix="omnium-slurm-", dir="/tmp")
    cluster = Cluster(folder)
    try:
        cluster.start()
        check(program, cluster)
        hunt(program, cluster)
    except AssertionError:
        cluster.show_logs()
        raise
    finally:
        cluster.stop()
        shutil.rmtree(folder, ignore_errors=True)


main()
