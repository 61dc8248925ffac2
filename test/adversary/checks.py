# SPDX-License-Identifier: Apache-2.0
"""Checks as trees: those of the source tree, and random ones of the twin.

A case has one document of kind Check, the objects that it is about, and the files that
its `apply` events bring. Everything is read as JSON from `write_checks`, and written as
YAML files whose documents are JSON, so that no package for YAML is needed."""
import copy
import json
import os
import pathlib
import pickle
import re
import subprocess

CHECK_FILE = "check.yaml"
PLACES = ("examples/*/*.yaml", "test/cases/*/check.yaml", "examples/field/*/*.yaml")


class Case:
    """`options` are those of the command line, and `defaults` what others are if they are not
    given. `intents` says where each intent of the first Check stands in this one. `extra` are
    further files beside check.yaml, which the Check names."""

    def __init__(self, name, documents, applied, options):
        self.name = name
        self.documents = documents
        self.applied = applied
        self.options = options
        self.defaults = {}
        self.extra = {}
        self.check["spec"] = {key: value for key, value in self.spec.items() if value is not None}
        self.intents = list(range(len(self.spec.get("intents", []))))

    @property
    def check(self):
        return next(document for document in self.documents if is_check(document))

    @property
    def spec(self):
        return self.check.setdefault("spec", {})

    @property
    def objects(self):
        return [document for document in self.documents if not is_check(document)]

    def of_kind(self, *kinds):
        return [thing for thing in self.objects if thing.get("kind") in kinds]

    def all_documents(self):
        """Those that are applied later, too."""
        return self.documents + [thing for file in self.applied.values() for thing in file]

    def copy(self):
        return pickle.loads(pickle.dumps(self))

    def write(self, folder, indent=None):
        os.makedirs(folder, exist_ok=True)
        for name, documents in {CHECK_FILE: self.documents, **self.applied,
                                **self.extra}.items():
            with open(os.path.join(folder, name), "w", encoding="utf-8") as stream:
                stream.write("---\n".join(json.dumps(d, indent=indent) + "\n" for d in documents))


def is_check(document):
    return document.get("kind") == "Check" and document.get("apiVersion") == "fathom/v1"


# ---- reading ----

def read(write_checks, *arguments):
    """The lines that write_checks gives, as trees."""
    done = subprocess.run([write_checks, *map(str, arguments)], stdout=subprocess.PIPE,
                          text=True, check=True)
    return [json.loads(line) for line in done.stdout.split("\n") if line]


def random_cases(write_checks, first, count):
    cases = []
    for made in read(write_checks, "--random", first, count):
        case = Case(f"seed {made['seed']}", made["documents"], {"applied.yaml": made["applied"]},
                    [])
        metadata = case.check["metadata"]
        version = metadata.get("annotations", {}).get("fathom.dev/twin-version", "1.26")
        case.options += ["--kubernetes-version", version]
        if metadata["name"] in ("full", "racing", "settled"):
            case.options += ["--interleaving", metadata["name"]]
        cases.append(case)
    return cases


def files_of(folder, names):
    """The files that a Check names: folders stand for what is in them."""
    for name in names:
        path = folder / name
        yield from sorted(path.glob("*.yaml")) if path.is_dir() else [path]


def options_of(path):
    """The options that a file of examples/field asks for, and the versions of a case."""
    asked = re.findall(r"^# options: (.*)$", path.read_text(encoding="utf-8"), re.M)
    yield [word for line in asked for word in line.split()]
    for expected in sorted(path.parent.glob("expected-*")):
        yield ["--kubernetes-version", expected.name.removeprefix("expected-")]


def cases_of_file(root, path, trees):
    """A case for each version that the file is about; none if there is not one Check."""
    documents = copy.deepcopy(trees[path])
    if sum(map(is_check, documents)) != 1:
        return
    case = Case(str(path.relative_to(root)), documents, {}, [])
    for file in files_of(path.parent, case.spec.pop("manifests", [])):
        case.documents += copy.deepcopy(trees[file])
    for event in case.spec.get("events", []):
        if "manifests" in event:
            name = f"applied-{len(case.applied) + 1}.yaml"
            case.applied[name] = [thing for file in files_of(path.parent, event["manifests"])
                                  for thing in copy.deepcopy(trees[file])]
            event["manifests"] = [name]
    for options in options_of(path):
        version = f" {options[1]}" if options else ""
        versioned = case.copy()
        versioned.name += version
        versioned.options = options
        yield versioned


def tree_cases(write_checks, root):
    """The Checks of examples and test/cases."""
    root = pathlib.Path(root)
    paths = [path for place in PLACES for path in sorted(root.glob(place))]
    folders = {place.rpartition("/")[0] for place in PLACES}
    beside = {path for folder in folders for path in root.glob(folder + "/**/*.yaml")}
    trees = {pathlib.Path(made["file"]): made["documents"]
             for made in read(write_checks, *sorted(beside))}
    return [case for path in paths for case in cases_of_file(root, path, trees)]
