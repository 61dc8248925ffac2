#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes docs/recorded-runs.md: how the recorded runs are followed, scenario by
scenario and controller by controller. With --check, only says whether the page
is what it would write.

    recorded_table.py FATHOM [--check]
"""
import json
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "recorded-runs.md"


RECORDINGS = (("v1.26.15", "runs"), ("v1.36.4", "runs-1.36"))


def follow(fathom, folder):
    done = subprocess.run(
        [fathom, "replay", "--observed", str(ROOT / "test" / "data" / folder), "-o", "json"],
        capture_output=True, text=True, check=False)
    return json.loads(done.stdout)["runs"]


def by_controller(runs):
    lines = [
        "| writer | write | writes | followed | oldest view needed | runs, late |",
        "|---|---|---|---|---|---|",
    ]
    kinds = {}
    for run in runs:
        for by in run["writesBy"]:
            entry = kinds.setdefault((by["actor"], f"{by['action']} {by['kind']}"), [0, 0, 0.0, 0])
            entry[0] += by["writes"]
            entry[1] += by["followed"]
            entry[2] = max(entry[2], by["longestLagSeconds"])
            entry[3] += by["longestLagSeconds"] > 0
    for (actor, what), (writes, followed, lag, late) in sorted(kinds.items()):
        lines.append(f"| {actor} | {what} | {writes:,} | {followed:,} | {lag:.2f} s | {late} |")
    writes = sum(run["writes"] for run in runs)
    followed = sum(run["writesFollowed"] for run in runs)
    lines += [
        f"| all | | {writes:,} | {followed:,} | "
        f"{max(run['longestLagSeconds'] for run in runs):.2f} s | "
        f"{sum(run['longestLagSeconds'] > 0 for run in runs)} |",
    ]
    return lines


def by_scenario(runs):
    lines = [
        "| scenario | runs | followed | writes judged | settled |",
        "|---|---|---|---|---|",
    ]
    scenarios = {}
    for run in runs:
        name = "r001..r100" if run["recording"].startswith("r") else run["recording"]
        scenarios.setdefault(name, []).append(run)
    for name, some in [*sorted(scenarios.items()), ("all", runs)]:
        lines.append(
            f"| {name} | {len(some)} | {sum(run['followed'] for run in some)} | "
            f"{sum(run['writes'] for run in some):,} | "
            f"{sum(run['end'] == 'settled' for run in some)} |")
    return lines


def page(fathom):
    lines = [
        "# Recorded runs that the model follows",
        "",
        "Runs of real Kubernetes control planes, v1.26.15 (`test/data/runs`) and v1.36.4 "
        "(`test/data/runs-1.36`), each followed by `fathom replay --observed` "
        "([recordings.md](recordings.md) says what that means) by the rules of its version. Made "
        "by `tools/recorded_table.py`; a test keeps it true.",
        "",
        "*Late*: runs in which such a write can only be explained by a view that is not the newest "
        "one. [Views that lag behind](fidelity.md#views-that-lag-behind) says what `fathom verify` makes of "
        "each.",
        "",
        "The random scenarios r001 to r100 stand together. *Settled*: runs that settled, and whose "
        "last state is a rest of the model, too; the others were cut while something went on for "
        "ever, or have a ResourceQuota.",
    ]
    for version, folder in RECORDINGS:
        runs = follow(fathom, folder)
        lines += ["", f"## By controller, {version}", "", *by_controller(runs)]
        lines += ["", f"## By scenario, {version}", "", *by_scenario(runs)]
    return "\n".join(lines) + "\n"


def main():
    text = page(sys.argv[1])
    if "--check" not in sys.argv:
        PAGE.write_text(text)
    elif PAGE.read_text() != text:
        sys.exit("docs/recorded-runs.md is out of date: tools/recorded_table.py build/fathom")


main()
