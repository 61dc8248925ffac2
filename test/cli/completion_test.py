#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Completion in real shells: bash, zsh, fish and kubectl.

A shell that is not installed is left out, and said so.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

# (what is typed, candidates that must be offered, candidates that must not be)
CASES = [
    ("fathom ver", {"verify", "version"}, {"explain"}),
    ("fathom trace ", {"import", "query", "serve", "show"}, {"verify"}),
    ("fathom verify --intent pods", {"podsSchedulable"}, {"converges"}),
    ("fathom verify --event zone", {"zone-outage"}, {"drain"}),
    ("fathom verify --output s", {"sarif", "svg"}, {"json"}),
    ("fathom verify --kubernetes-version 1.3", {"1.36", "1.30"}, {"1.26"}),
    ("fathom decide depl", {"deployment"}, {"scheduler"}),
    ("fathom schema Che", {"Check"}, {"Report"}),
    ("fathom completion ", {"bash", "fish", "zsh"}, set()),
    (
        "fathom verify -f examples/app-marketplace/before/rabbitmq.yaml --setup State",
        {"StatefulSet/shop/rabbitmq="},
        {"nodes="},
    ),
    (
        "fathom verify examples/c03-spread-conflict/broken.yaml --intent converges=workload=D",
        {"converges=workload=Deployment/default/web"},
        set(),
    ),
    ("fathom verify examples/typ", {"examples/typo.yaml"}, {"verify"}),
]


def environment(fathom, folder):
    for name in ("fathom", "kubectl-fathom"):
        os.symlink(fathom, os.path.join(folder, name))
    plugin = os.path.join(folder, "kubectl_complete-fathom")
    shutil.copy(os.path.join(ROOT, "packaging/kubectl_complete-fathom"), plugin)
    os.chmod(plugin, 0o755)
    return {
        "PATH": folder + ":" + os.environ["PATH"],
        "HOME": folder,
        "TERM": "xterm",
        "LC_ALL": "C.UTF-8",
    }


def bash(typed, variables):
    """The words that bash would offer, with what it keeps of the word before them."""
    script = (
        'eval "$(fathom completion bash)"\n'
        f"COMP_LINE='{typed}'; COMP_POINT=${{#COMP_LINE}}\n"
        "_fathom\n"
        'printf "%s\\n" "${COMPREPLY[@]}"\n'
        '[[ ${#COMPREPLY[@]} -gt 0 ]] || compgen -f -- "${COMP_LINE##* }"\n'
    )
    done = subprocess.run(
        ["bash", "-c", script], cwd=ROOT, env=variables, capture_output=True, text=True, check=True
    )
    current = typed.split(" ")[-1]
    kept = re.match(r".*[=:]|", current).group()
    return {kept + word if kept and not word.startswith(kept) else word
            for word in done.stdout.split("\n") if word}


def fish(typed, variables):
    done = subprocess.run(
        ["fish", "--no-config", "-c", f"fathom completion fish | source; complete -C '{typed}'"],
        cwd=ROOT, env=variables, capture_output=True, text=True, check=True,
    )
    return {line.split("\t")[0] for line in done.stdout.split("\n") if line}


def zsh(typed, variables):
    """What the function hands to zsh's own, which draw the list."""
    script = (
        "compdef() { : }; _describe() { print -rl -- \"${(@P)4}\" }; _files() { print -l -- $words[-1]*(N) }\n"
        'eval "$(fathom completion zsh)"\n'
        f"words=(\"${{(@s: :)${{:-{typed}}}}}\"); CURRENT=$#words\n"
        "_fathom\n"
    )
    done = subprocess.run(
        ["zsh", "-f", "-c", script], cwd=ROOT, env=variables, capture_output=True, text=True,
        check=False,
    )
    if done.stderr:
        print(done.stderr)
    lines = [line for line in done.stdout.split("\n") if line]
    return {re.split(r"(?<!\\\\):", line)[0].replace("\\\\:", ":") for line in lines}


def kubectl(typed, variables):
    words = typed.split(" ")
    done = subprocess.run(
        ["kubectl", "__complete"] + words, cwd=ROOT, env=variables, capture_output=True, text=True,
        check=False,
    )
    return {line.split("\t")[0] for line in done.stdout.split("\n") if line and line[0] != ":"}


def main():
    fathom = os.path.abspath(sys.argv[1])
    failures = 0
    for shell in (bash, zsh, fish, kubectl):
        if not shutil.which(shell.__name__):
            print(f"{shell.__name__} is not installed: left out")
            continue
        passed = 0
        with tempfile.TemporaryDirectory() as folder:
            variables = environment(fathom, folder)
            for typed, wanted, unwanted in CASES:
                if shell is kubectl and "examples/typ" in typed:
                    continue  # files are the shell's own
                found = shell(typed, variables)
                missing = wanted - found
                wrong = unwanted & found
                if missing or wrong:
                    failures += 1
                    print(f"{shell.__name__}: {typed!r}: missing {missing}, wrong {wrong}: {found}")
                else:
                    passed += 1
        print(f"{shell.__name__}: {passed} lines are completed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
