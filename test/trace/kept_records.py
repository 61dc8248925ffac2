#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Imports that are kept: in the store of a trace server, and by one that runs.

    kept_records.py FATHOM

The same questions get the same answers from the file, the store and the server.
"""

import json
import os
import re
import subprocess
import sys
import tempfile
import unittest

import control_plane

FATHOM = ""


def run(*arguments, code=0, environment=None):
    done = subprocess.run([FATHOM, "trace", *arguments], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, check=False,
                          env=dict(os.environ, **(environment or {})))
    assert done.returncode == code, (arguments, done.returncode, done.stderr)
    return done.stdout.decode() if code == 0 else done.stderr.decode()


def canonical(text):
    records = json.loads(text)
    for log in records["mergelogs"]:
        log["sources"].sort()
    return (sorted(records["mergelogs"], key=lambda log: log["cpid"]),
            sorted(records["spans"], key=lambda span: span["spanId"]))


class KeptTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.log = os.path.join(cls.folder.name, "audit.log")
        lines, _ = control_plane.simulate(7, deeds=8)
        with open(cls.log, "w", encoding="utf-8") as stream:
            stream.writelines(json.dumps(line) + "\n" for line in lines)
        cls.records = run("import", "-f", cls.log, "-o", "json")
        cls.root = next(log["cpid"] for log in json.loads(cls.records)["mergelogs"]
                        if not log["sources"])

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def same_answers(self, *source, environment=None):
        self.assertEqual(canonical(run("show", *source, "-o", "json", environment=environment)),
                         canonical(self.records))
        for question, member in (("related", "cpids"), ("roots", "roots")):
            answers = [sorted(json.loads(run("query", question, self.root, *where, "-o", "json",
                                             environment=environment))[member])
                       for where in (source, ("-f", self.log))]
            self.assertEqual(*answers)
        spans = [{s["spanId"] for s in json.loads(run(
            "query", "spans", self.root, *where, "-o", "json", environment=environment))["spans"]}
            for where in (source, ("-f", self.log))]
        self.assertEqual(*spans)

    def test_a_store(self):
        store = os.path.join(self.folder.name, "trace.db")
        run("import", "-f", self.log, "--store", store)
        self.same_answers("--store", store)
        run("import", "-f", self.log, "--store", store)  # again: nothing new
        self.same_answers("--store", store)

    def test_a_server(self):
        token = {"FATHOM_TRACE_TOKEN": "secret"}
        server = subprocess.Popen([FATHOM, "trace", "serve", "--in-memory", "--listen",
                                   "127.0.0.1:0"], stderr=subprocess.PIPE, text=True,
                                  env=dict(os.environ, **token))
        self.addCleanup(lambda: (server.terminate(), server.wait(10), server.stderr.close()))
        url = re.search(r"http://[\d.]+:\d+", server.stderr.readline()).group(0)
        run("import", "-f", self.log, "--server", url, environment=token)
        self.same_answers("--server", url, environment=token)
        self.assertIn(": 401: ", run("show", "--server", url, code=2))
        self.assertIn(": 401: ", run("import", "-f", self.log, "--server", url, code=2))

    def test_nothing_there(self):
        self.assertIn("cannot be read", run("show", "--store", "/nonexistent/trace.db", code=2))
        self.assertIn("Connection refused", run("show", "--server", "http://127.0.0.1:1", code=2))
        self.assertIn("expected http://HOST", run("show", "--server", "ftp://x", code=2))
        self.assertIn("no CPID is, or begins with, \"ffff\"",
                      run("query", "roots", "ffff", "-f", self.log, code=2))
        self.assertIn("expected related, roots, mergelogs or spans",
                      run("query", "what", "-f", self.log, code=2))


def main():
    global FATHOM
    FATHOM = os.path.abspath(sys.argv.pop(1))
    unittest.main()


if __name__ == "__main__":
    main()
