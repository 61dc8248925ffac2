#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Scenarios of `fathom decide --batch` in which a member is missing, null or empty, each in turn: whatever the
deciders make of them, the program does not crash.

    scenario_holes_test.py FATHOM [SCENARIOS]   (of each corpus; 2)
"""

import copy
import glob
import gzip
import json
import os
import random
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
DECIDERS = {"sched": "scheduler", "desched": "descheduler"}
BY_FAMILY = ("cronjob", "quota", "limitrange")  # of the corpus that has several
BYTES_MOST = 6000
EMPTY = {str: "", list: [], dict: {}, int: 0, float: 0, bool: False}


def scenarios():
    """Decider and line, of all corpora."""
    for path in sorted(glob.glob(os.path.join(ROOT, "test", "data", "conformance", "*.jsonl.gz"))):
        name = os.path.basename(path).split("-")[0]
        if name == "slo":
            continue
        with gzip.open(path, "rt", encoding="utf-8") as stream:
            for line in stream:
                if len(line) >= BYTES_MOST:
                    continue
                scenario = json.loads(line)
                scenario.pop("expected", None)
                scenario.pop("result", None)
                family = scenario.get("family", "").split("-")[0]
                yield (os.path.basename(path), family if name == "quota" and family in BY_FAMILY else DECIDERS.get(name, name),
                       scenario)


def places(value, path=()):
    if isinstance(value, (dict, list)):
        for key in value if isinstance(value, dict) else range(len(value)):
            yield path + (key,)
            yield from places(value[key], path + (key,))


def altered(scenario, path, how):
    changed = copy.deepcopy(scenario)
    inside = changed
    for key in path[:-1]:
        inside = inside[key]
    if how == "missing":
        del inside[path[-1]]
    else:
        inside[path[-1]] = None if how == "null" else EMPTY.get(type(inside[path[-1]]))
    return json.dumps(changed)


def crashes(fathom, decider, lines):
    """The lines with which the program crashes: halves, until they are found."""
    done = subprocess.run([fathom, "decide", decider, "--batch"], input="\n".join(lines).encode() + b"\n",
                          stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False)
    if done.returncode in (0, 1, 2, 3):
        return []
    if len(lines) == 1:
        return [(done.returncode, lines[0], done.stderr.decode(errors="replace")[-500:])]
    middle = len(lines) // 2
    return crashes(fathom, decider, lines[:middle]) + crashes(fathom, decider, lines[middle:])


def main():
    fathom, count = os.path.abspath(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 2
    draw = random.Random(27)
    corpora, seen, batches = {}, set(), {}
    for corpus, decider, scenario in scenarios():
        corpora.setdefault((corpus, decider), []).append(scenario)
    for (_, decider), found in corpora.items():
        for scenario in draw.sample(found, min(count, len(found))):
            for path in places(scenario):
                kind = tuple(0 if isinstance(key, int) else key for key in path)
                for how in ("missing", "null", "empty"):
                    if (decider, kind, how) not in seen:
                        seen.add((decider, kind, how))
                        batches.setdefault(decider, []).append(altered(scenario, path, how))
    failed = 0
    for decider, lines in sorted(batches.items()):
        for code, line, said in crashes(fathom, decider, lines):
            failed += 1
            print(f"decide {decider}: exit code {code}: {line}\n{said}")
    print(f"{sum(len(lines) for lines in batches.values()) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
