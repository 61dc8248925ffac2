#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How good are the edges that `fathom trace import` finds?

Runs of control_plane.py, whose every cause is known, are written as audit logs,
imported, and every edge is compared with the truth. The table that this prints
is part of docs/trace.md, and `--check` compares it with what stands there.

    import_quality.py FATHOM [--check | --update] [--seeds N]

An edge labelled `exact` that is wrong is a failure, whatever else.
"""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile

import control_plane

LABELS = ("exact", "owner", "time-window")
DOCUMENT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../docs/trace.md")
BEGIN, END = "<!-- import quality: begin -->\n", "<!-- import quality: end -->\n"


def metadata_level(lines):
    kept = []
    for line in lines:
        line = {k: v for k, v in line.items() if k not in ("requestObject", "responseObject")}
        line["level"] = "Metadata"
        kept.append(line)
    return kept


def without(lines, part):
    return [line for line in lines if part not in line["user"]["username"]]


def holes(lines, seed):
    chance = control_plane.random.Random(seed)
    return [line for line in lines if chance.random() >= 0.1]


LOGS = (
    ("bodies (RequestResponse)", lambda lines, seed: lines),
    ("bodies, no kubelets", lambda lines, seed: without(lines, "system:node")),
    ("bodies, every tenth line missing", holes),
    ("Metadata only", lambda lines, seed: metadata_level(lines)),
)


def import_log(fathom, lines, folder):
    path = os.path.join(folder, "audit.log")
    with open(path, "w", encoding="utf-8") as stream:
        for line in lines:
            stream.write(json.dumps(line, separators=(",", ":")) + "\n")
    done = subprocess.run([fathom, "trace", "import", "-f", path, "-o", "json"],
                          stdout=subprocess.PIPE, check=True)
    return json.loads(done.stdout)


def compare(lines, truth, records, counts, wrong):
    """Adds this run to counts[label] = [found, right]; gives (true edges, found ones)."""
    present = {line["auditID"] for line in lines if line["responseStatus"]["code"] < 400}
    true_edges = {(cause, effect) for effect, causes in truth.items() for cause in causes
                  if effect in present and cause in present}
    found = set()
    audit_ids = {span["spanId"]: span["attributes"]["k8s.audit.id"] for span in records["spans"]}
    for span in records["spans"]:
        effect = span["attributes"]["k8s.audit.id"]
        if effect not in present:
            continue
        for cause in span["attributes"].get("cpid.causes", ()):
            edge = (audit_ids[cause["span"]], effect)
            right = edge in true_edges
            counts[cause["label"]][0] += 1
            counts[cause["label"]][1] += right
            if right:
                found.add(edge)
            elif cause["label"] == "exact":
                wrong.append((edge, cause))
    return len(true_edges), len(found)


def measure(fathom, seeds):
    rows, wrong = [], []
    with tempfile.TemporaryDirectory() as folder:
        runs = [(seed, *control_plane.simulate(seed)) for seed in seeds]
        for name, change in LOGS:
            counts = {label: [0, 0] for label in LABELS}
            true_total = found_total = 0
            for seed, lines, truth in runs:
                changed = change(lines, seed)
                records = import_log(fathom, changed, folder)
                true_count, found = compare(changed, truth, records, counts, wrong)
                true_total += true_count
                found_total += found
            rows.append((name, counts, true_total, found_total))
    return rows, wrong


def share(part, whole):
    return f"{100 * part / whole:.1f} %" if whole else "-"


def table(rows, seeds):
    text = (f"{len(seeds)} runs of a simulated control plane (test/trace/control_plane.py). "
            "Precision: which part of the edges found is true. Recall: which part of the true "
            "edges was found with this label.\n\n"
            "| log | true edges | label | edges found | precision | recall |\n"
            "| --- | --- | --- | --- | --- | --- |\n")
    for name, counts, true_total, found in rows:
        for label in LABELS:
            edges, right = counts[label]
            text += (f"| {name} | {true_total} | {label} | {edges} | {share(right, edges)} "
                     f"| {share(right, true_total)} |\n")
        edges = sum(counts[label][0] for label in LABELS)
        right = sum(counts[label][1] for label in LABELS)
        text += (f"| {name} | {true_total} | all | {edges} | {share(right, edges)} "
                 f"| {share(found, true_total)} |\n")
    return text


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("fathom")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--update", action="store_true")
    parser.add_argument("--seeds", type=int, default=6)
    options = parser.parse_args()
    seeds = range(1, options.seeds + 1)
    rows, wrong = measure(options.fathom, seeds)
    text = table(rows, seeds)
    print(text)
    for edge, cause in wrong[:10]:
        print("wrong, though exact:", edge, cause)
    failed = len(wrong)
    if options.check or options.update:
        with open(DOCUMENT, encoding="utf-8") as stream:
            document = stream.read()
        there = re.search(re.escape(BEGIN) + "(.*?)" + re.escape(END), document, re.S)
        if not there:
            sys.exit(f"{DOCUMENT}: no place for the table")
        if options.update:
            with open(DOCUMENT, "w", encoding="utf-8") as stream:
                stream.write(document.replace(there.group(0), BEGIN + text + END))
        elif there.group(1) != text:
            print("docs/trace.md says something else; --update writes it")
            failed += 1
    checks = len(LOGS) + bool(options.check)
    print(f"{max(0, checks - failed)} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
