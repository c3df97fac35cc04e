#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Omnium authors
# SPDX-License-Identifier: Apache-2.0
"""What -f sarif writes is valid by the official schema: sarif_schema.py OMNIUM SOURCE BUILD

The schema comes from an npm package, once per build folder. With stricter eyes than the schema's: every
place of a run that says it has one is a URI reference, and thread flows are ordered by executionOrder.
"""
import json
import pathlib
import re
import subprocess
import sys
import tarfile
import urllib.parse

import jsonschema

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import limited_run

PACKAGE = "@microsoft/jest-sarif@1.0.0-beta.0"
TRIES, SECONDS = 3, 100  # to fetch it
SKIPPED = 77
MEMBER = "package/lib/schemas/sarif-2.1.0-rtm.5.json"


def fetch(folder):
    """npm alone would wait for a quarter of an hour, or longer, for a registry that does not answer."""
    for _ in range(TRIES):
        try:
            limited_run.run(["npm", "pack", "--silent", "--fetch-timeout=30000", PACKAGE], SECONDS, cwd=folder, check=True,
                            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
            return
        except (limited_run.TooLong, subprocess.CalledProcessError) as error:
            print(error, flush=True)
    print(f"skipped: {PACKAGE} cannot be fetched")
    sys.exit(SKIPPED)


def official_schema(folder):
    folder.mkdir(parents=True, exist_ok=True)
    if not list(folder.glob("*.tgz")):
        fetch(folder)
    with tarfile.open(next(folder.glob("*.tgz"))) as package:
        return json.load(package.extractfile(MEMBER))


def hostile_trace(path):
    name = '<b> "q" \\ \x1b[2J %41 \xff'
    place = f"/tmp/a dir/{name}.cc:7:2"
    lines = [f"{name}|begin({name})|{place}", f"{name}|r({name})|{place}", f"u|w({name})|-", f"{name}|w({name})|{place}"]
    path.write_bytes("\n".join(lines).encode("latin-1") + b"\n")


def walk(value):
    yield value
    for inner in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from walk(inner)


def checked_flows(log):
    """How many code flows there are, all of them in order, and every URI is one."""
    flows = 0
    for value in walk(log):
        if isinstance(value, dict) and "uri" in value:
            assert urllib.parse.urlparse(value["uri"]).scheme in ("", "file"), value
            assert all(" " < c < "\x7f" for c in value["uri"]), value
        if isinstance(value, dict) and "threadFlows" in value:
            order = [step["executionOrder"] for flow in value["threadFlows"] for step in flow["locations"]]
            assert sorted(order) == list(range(1, len(order) + 1)), order
            flows += 1
    return flows


def sentence(text):
    return text and text[0].isupper() and text.rstrip()[-1] in ".!?"


def check_rules(log):
    """What Microsoft's multitool and GitHub ask for beyond the schema: SARIF1002, 1004, 1005, 1007, 2001, 2005, 2010 to 2012,
    and of GitHub's code scanning GH1001 to GH1007."""
    (run,) = log["runs"]
    driver = run["tool"]["driver"]
    assert driver["version"][0].isdigit() and driver["semanticVersion"] and driver["fullName"], driver
    for uri in filter(None, [driver.get("informationUri"), *(rule.get("helpUri") for rule in driver["rules"])]):
        assert urllib.parse.urlparse(uri).scheme in ("http", "https"), uri
    for rule in driver["rules"]:
        assert re.fullmatch("[A-Z][A-Za-z]+", rule["name"]), rule
        assert sentence(rule["shortDescription"]["text"]) and sentence(rule["fullDescription"]["text"]), rule
        assert rule["help"]["text"] and rule["help"]["markdown"], rule
        assert rule["defaultConfiguration"]["level"] == "error", rule
        assert len(rule["fullDescription"]["text"]) <= 1000, rule
    ids = [rule["id"] for rule in driver["rules"]]
    assert len(set(ids)) == len(ids), ids
    for base in run["originalUriBaseIds"].values():
        assert "uri" not in base or base["uri"].endswith("/"), base
    for result in run["results"]:
        assert ids[result["ruleIndex"]] == result["ruleId"], result
        assert result["message"]["text"], result
        # A trace of which nobody knows the places has results without one.
        for location in result.get("locations", []):
            region = location.get("physicalLocation", {}).get("region", {"startLine": 1})
            assert region["startLine"] >= 1 and region.get("startColumn", 1) >= 1, region
        assert all(value for value in result.get("partialFingerprints", {}).values()), result
    used = {result["ruleId"] for result in run["results"]}
    assert used == set(ids), "rules that nothing uses, or the other way round"


def main():
    omnium, source, build = (pathlib.Path(argument) for argument in sys.argv[1:4])
    folder = build / "sarif-schema"
    validator = jsonschema.Draft4Validator(official_schema(folder))
    hostile_trace(folder / "hostile.std")
    traces = sorted((source / "tests/paper/traces").glob("*.std")) + [folder / "hostile.std"]
    commands = [["check", "-e", engine, "-f", "sarif", *chosen]
                for chosen in [[trace] for trace in traces] + [traces]
                for engine in ("reach", "velodrome", "conflict-graph", "aerodrome")]
    commands += [["predict", "-f", "sarif", trace] for trace in traces]
    results = flows = 0
    levels = {"check": set(), "predict": set()}
    for words in commands:
        ran = limited_run.run([omnium, *words], stdout=subprocess.PIPE)
        assert ran.returncode in (0, 66), ran
        log = json.loads(ran.stdout)
        for error in validator.iter_errors(log):
            sys.exit(f"{words}: {list(error.absolute_path)}: {error.message}")
        check_rules(log)
        flows += checked_flows(log)
        results += len(log["runs"][0]["results"])
        levels[words[0]] |= {result["level"] for result in log["runs"][0]["results"]}
    assert levels["check"] == {"error"} and levels["predict"] <= {"warning", "note"} and levels["predict"], levels
    assert results > 50 and flows > 50, (results, flows)
    print(f"{results} results, {flows} code flows: valid")


main()
