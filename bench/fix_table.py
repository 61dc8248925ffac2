#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`fathom fix` on every broken Check of the tree: what repairs it, what that costs, how long it takes.

    bench/fix_table.py FATHOM [--seconds N] [--keep FILE] [--note TEXT] [--again TABLE] [FOLDER ...] >docs/bench-fix.md

Checks are looked for in examples/ and test/; with --again, only those that an earlier table has. Each is repaired
with all guardrails first. If that finds nothing, once more with a budget of three nodes and three pods, still with all
guardrails; and then with every protection allowed, too. Options that the first lines of a Check name ("# options:") are
given. Seconds are CPU time of one thread; after N of them (30) an attempt is interrupted as by Ctrl-C, so that the
table does not depend on what else the machine does. With --keep every row is appended to FILE (JSON, a row a line) as
soon as it is known, and the rows that FILE has already are not made again. A note says what of the tree was tried, if
not all. bench/fix_reasons.txt says why a Check is not repaired.
"""

import argparse
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import time

FOLDERS = ("examples", "test/cases")
MORE = ("--budget", "nodes=+3,pods=+3,cpu=+100%,memory=+100%")
LOOSE = ("--allow", "all", *MORE)
ATTEMPTS = (("with all guardrails", ()), ("with a budget", MORE), ("if allowed", LOOSE))
REASONS = pathlib.Path(__file__).parent / "fix_reasons.txt"
GROUPS = (("field failures", "*/field/*"), ("examples/app-*", "examples/app-*"), ("examples", "examples/*"),
          ("test/cases", "test/cases/*"))
COLUMNS = ("Check", "repaired", "patch, or why there is none", "cost", "given up", "seconds")
TICKS = os.sysconf("SC_CLK_TCK")


def spent(process):
    """CPU seconds of a process that runs; 0 if it is gone."""
    try:
        fields = pathlib.Path(f"/proc/{process.pid}/stat").read_text().rsplit(")", 1)[1].split()
    except OSError:
        return 0
    return (int(fields[11]) + int(fields[12])) / TICKS


def run(most, *command):
    """What it prints, its exit code and CPU seconds."""
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        seconds, asked = 0, 0
        while True:
            try:
                output, _ = process.communicate(timeout=0.1 if seconds > 0.5 else 0.02)
                break
            except subprocess.TimeoutExpired:
                seconds = max(seconds, spent(process))
                if seconds > most and not asked:
                    asked = time.monotonic()
                    process.send_signal(signal.SIGINT)
                elif asked and time.monotonic() - asked > 60:
                    process.kill()
    usage = os.times()
    total = usage.children_user + usage.children_system
    taken, run.before = total - run.before, total
    return output, process.returncode, taken


run.before = sum(os.times()[2:4])


def is_broken(fathom, path, most):
    if not re.search(r"^kind: Check\b", path.read_text(), re.MULTILINE):
        return False
    _, code, _ = run(most, fathom, "verify", str(path), "--trial", "0", "--jobs", "1", "--quiet", *options_of(path))
    return code == 1


def options_of(path):
    """Those of "# options: ..." at the beginning, but for the limit of states, which is one of a single exploration."""
    found = re.search(r"^# options: (.*)$", path.read_text(), re.MULTILINE)
    return re.sub(r"--max-states \S+", "", found[1]).split() if found else []


def repair(fathom, path, most, *options):
    own = re.sub(r"--search \S+", "", " ".join(options_of(path))).split()  # fix has no such option
    output, code, seconds = run(most, fathom, "fix", str(path), "-o", "json", "--jobs", "1", "--quiet", *own, *options)
    if code == 2:
        raise SystemExit(f"{path}: fathom fix takes it for wrong")
    checks = json.loads(output)["checks"] if output else []
    patches = [check["patches"][0] for check in checks if check["patches"]]
    good = code == 0 and all(c["result"] in ("repaired", "holds") for c in checks)
    return (patches if good and patches else None), code, seconds


def row(fathom, path, most):
    """A row of the table; `repaired` is one of the attempts, or "no"."""
    seconds = 0
    for how, options in ATTEMPTS:
        patches, code, more = repair(fathom, path, most, *options)
        seconds += more
        if patches:
            break
    cells = {"Check": str(path), "repaired": how if patches else "no", "seconds": round(seconds, 2)}
    if not patches:
        return {**cells, COLUMNS[2]: "limit reached" if code == 3 else "none found", "cost": "", "given up": ""}
    lost = sorted({loss["protection"] for patch in patches for loss in patch["givesUp"]})
    return {**cells,
            COLUMNS[2]: "; ".join(edit["detail"] for patch in patches for edit in patch["edits"]),
            "cost": ", ".join(filter(None, (patch["costs"] for patch in patches))) or "nothing",
            "given up": ", ".join(lost) or "nothing"}


def count(rows, how):
    return sum(row["repaired"] == how for row in rows)


def share(number, of):
    return f"{number} of {of} ({100 * number // max(of, 1)} %)"


def summary(rows):
    kept = count(rows, "with all guardrails")
    paid = kept + count(rows, "with a budget")
    repaired = len(rows) - count(rows, "no") - count(rows, "never")
    return (f"{share(repaired, len(rows))} repaired, {share(paid, len(rows))} with all guardrails, "
            f"{share(kept, len(rows))} within the usual budget, too")


def reasons():
    """From a Check to why it is not repaired: "never" or "not found", and a sentence."""
    known = {}
    for line in REASONS.read_text().splitlines():
        if line and not line.startswith("#"):
            path, kind, why = (part.strip() for part in line.split("|"))
            known[path] = (kind, why)
    return known


def explain(rows):
    """Puts the reasons into the rows without a patch."""
    known = reasons()
    for cells in rows:
        if cells["repaired"] == "no" and cells["Check"] in known:
            kind, why = known[cells["Check"]]
            cells["repaired"] = "never" if kind == "never" else "no"
            cells[COLUMNS[2]] = f"{cells[COLUMNS[2]]}: {why}" if kind != "never" else why


def write(rows, note):
    times = sorted(row["seconds"] for row in rows)
    print("# Repairs of the broken Checks\n")
    print("Written by `bench/fix_table.py`: the first patch of `fathom fix` for every Check of the tree in which an "
          "intent is violated. `with a budget`: with all guardrails, but only with `" + " ".join(MORE) + "`. "
          "`if allowed`: only with `--allow all`, too. `never`: no change of manifests could repair it, because the "
          "intents contradict each other, or an event alone is at fault. Seconds are CPU time of one thread, with all "
          "attempts." + (" " + note if note else "") + "\n")
    print(f"{summary(rows)}. CPU: median {times[len(times) // 2]:.2f} s, the longest {times[-1]:.1f} s.\n")
    explain(rows)
    possible = [row for row in rows if row["repaired"] != "never"]
    print(f"Of those that a change of manifests could repair: {summary(possible)}.\n")
    left = rows
    for name, pattern in GROUPS:
        own = [row for row in left if pathlib.PurePath(row["Check"]).match(pattern + "/*")]
        left = [row for row in left if row not in own]
        if own:
            print(f"- {name}: {summary(own)}")
    print("\n| " + " | ".join(COLUMNS) + " |\n" + "|---" * len(COLUMNS) + "|")
    for cells in rows:
        print("| " + " | ".join(str(cells[column]).replace("|", "\\|") for column in COLUMNS) + " |")


def paths_of(folders, table):
    if table:
        found = re.findall(r"^\| (\S+\.yaml) \|", pathlib.Path(table).read_text(), re.MULTILINE)
        return [pathlib.Path(path) for path in found if os.path.exists(path)]
    return sorted({path for folder in folders for path in pathlib.Path(folder).rglob("*.yaml")})


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("fathom")
    parser.add_argument("--seconds", type=float, default=30)
    parser.add_argument("--keep")
    parser.add_argument("--note", default="")
    parser.add_argument("--again", metavar="TABLE")
    parser.add_argument("folders", nargs="*", default=FOLDERS)
    given = parser.parse_intermixed_args()
    known = {}
    if given.keep and os.path.exists(given.keep):
        with open(given.keep, encoding="utf-8") as stream:
            known = {cells["Check"]: cells for cells in map(json.loads, stream)}
    rows = []
    for path in paths_of(given.folders, given.again):
        cells = known.get(str(path))
        if not cells:
            broken = is_broken(given.fathom, path, given.seconds)
            cells = row(given.fathom, path, given.seconds) if broken else {"Check": str(path), "repaired": None}
            if given.keep:
                with open(given.keep, "a", encoding="utf-8") as stream:
                    stream.write(json.dumps(cells) + "\n")
        if cells["repaired"]:
            rows.append(cells)
            print(cells["repaired"], cells["seconds"], path, cells[COLUMNS[2]][:150], file=sys.stderr, flush=True)
    write(rows, given.note)


if __name__ == "__main__":
    main()
