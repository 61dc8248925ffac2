# SPDX-License-Identifier: Apache-2.0
"""Recorded runs (docs/recordings.md) read, changed and written again."""
import copy
import gzip
import json
import os
import pathlib
import re


def lines_of(folder, name):
    for path, opener in ((folder / name, open), (folder / (name + ".gz"), gzip.open)):
        if path.exists():
            with opener(path, "rt", encoding="utf-8") as stream:
                return [json.loads(line) for line in stream]
    return None


def numbers_of(folder):
    """The numbers of the runs in a folder."""
    found = (re.match(r"run-(\d+)\.actions\.jsonl", name) for name in os.listdir(folder))
    return sorted(int(match.group(1)) for match in found if match)


class Run:
    """One run: versions of objects and write requests, as dictionaries."""

    def __init__(self, folder, number):
        self.folder = pathlib.Path(folder)
        self.name = f"{self.folder.name}-{number}"
        self.versions = lines_of(self.folder, f"run-{number}.jsonl")
        self.deeds = lines_of(self.folder, f"run-{number}.actions.jsonl")
        self.metrics = lines_of(self.folder, f"run-{number}.metrics.jsonl")
        manifests = self.folder / "manifests.yaml"
        self.manifests = manifests.read_text(encoding="utf-8") if manifests.exists() else ""
        scenario = self.folder / "scenario.json"
        self.scenario = scenario.read_text(encoding="utf-8") if scenario.exists() else ""
        self.settled = any(deed.get("object") == "end settled" for deed in self.deeds)

    def copy(self):
        other = copy.copy(self)
        other.versions = copy.deepcopy(self.versions)
        other.deeds = copy.deepcopy(self.deeds)
        other.metrics = copy.deepcopy(self.metrics)
        return other

    def write(self, folder):
        folder = pathlib.Path(folder)
        folder.mkdir(parents=True)
        if self.manifests:
            (folder / "manifests.yaml").write_text(self.manifests, encoding="utf-8")
        if self.scenario:
            (folder / "scenario.json").write_text(self.scenario, encoding="utf-8")
        files = {"": self.versions, ".actions": self.deeds, ".metrics": self.metrics}
        for part, lines in files.items():
            if lines is not None:
                text = "".join(json.dumps(line, separators=(",", ":")) + "\n" for line in lines)
                (folder / f"run-1{part}.jsonl").write_text(text, encoding="utf-8")

    def last_rv(self):
        numbers = [version["rv"] for version in self.versions if "rv" in version]
        numbers += [deed["rv"] for deed in self.deeds if deed.get("rv") is not None]
        return max(numbers)

    def last_time(self):
        return max(version["t"] for version in self.versions if "rv" in version)

    def state(self, rv=None):
        """The objects after a commit: (kind, name) to the version that is there."""
        found = {}
        for version in self.versions:
            if "rv" not in version or (rv is not None and version["rv"] > rv):
                continue
            key = (version["kind"], version["name"])
            if version["type"] == "DELETED":
                found.pop(key, None)
            else:
                found[key] = version
        return found

    def before(self, index):
        """What there is before the deed with this index, and nothing else."""
        rv = self.deeds[index]["rv"]
        other = self.copy()
        other.deeds = other.deeds[:index]
        other.versions = [v for v in other.versions if "rv" not in v or v["rv"] < rv]
        return other

    def add(self, deed, version, time):
        """One more write, after all others; its number."""
        rv = self.last_rv() + 1
        end = [d for d in self.deeds if str(d.get("object", "")).startswith("end")]
        self.deeds = [d for d in self.deeds if d not in end]
        self.deeds.append({**deed, "t": time, "rv": rv})
        for line in end:
            self.deeds.append({**line, "t": time + 3})
        self.versions.append({**version, "t": time, "rv": rv})
        return rv


def committed(deed):
    return deed.get("rv") is not None and not deed.get("code") and not deed.get("noop")


def active(version):
    return not version.get("deleting") and version.get("phase") not in ("Failed", "Succeeded")


def pods_of(state, kind=None, name=None):
    return [v for (k, _), v in state.items()
            if k == "Pod" and (kind is None or v.get("owner") == [kind, name])]


def objects_of(state, kind):
    return [v for (k, _), v in state.items() if k == kind]


def renamed(value, names):
    """The same value with other names of objects."""
    if isinstance(value, str):
        if value in names:
            return names[value]
        kind, slash, rest = value.partition("/")
        return f"{kind}/{names[rest]}" if slash and rest in names else value
    if isinstance(value, list):
        return [renamed(item, names) for item in value]
    if isinstance(value, dict):
        return {names.get(key, key): renamed(item, names) for key, item in value.items()}
    return value
