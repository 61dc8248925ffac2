#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What the build promises (docs/security.md): protections of the program, and the list of its parts.

    build_test.py FATHOM SANITIZERS   (SANITIZERS: "none" for a build without)
"""

import json
import os
import re
import subprocess
import sys
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
FATHOM = SANITIZERS = ""


def output(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


class Build(unittest.TestCase):
    def test_protections(self):
        self.assertIn("DYN (Position-Independent Executable", output("readelf", "-hW", FATHOM))
        segments = output("readelf", "-lW", FATHOM)
        self.assertIn("GNU_RELRO", segments)
        self.assertRegex(segments, r"GNU_STACK .* RW ")
        self.assertNotIn("RWE", segments)
        self.assertIn("BIND_NOW", output("readelf", "-dW", FATHOM))
        symbols = output("readelf", "-sW", "--dyn-syms", FATHOM)
        self.assertIn("__stack_chk_fail", symbols)
        if SANITIZERS == "none":
            self.assertIn("__memcpy_chk", symbols)

    def test_every_library_is_listed(self):
        with open(os.path.join(ROOT, "meson.build"), encoding="utf-8") as stream:
            needed = set(re.findall(r"dependency\('([^']+)'", stream.read())) - {"threads", "cmocka"}
        listed = json.loads(output(os.path.join(ROOT, "tools", "sbom")))
        versions = {package["name"]: package["versionInfo"] for package in listed["packages"]}
        self.assertLessEqual(needed, set(versions))
        for name in needed:
            self.assertNotEqual(versions[name], "NOASSERTION", name)
        known = {package["SPDXID"] for package in listed["packages"]} | {"SPDXRef-DOCUMENT"}
        for relation in listed["relationships"]:
            self.assertLessEqual({relation["spdxElementId"], relation["relatedSpdxElement"]}, known)


if __name__ == "__main__":
    SANITIZERS = sys.argv.pop(2)
    FATHOM = os.path.abspath(sys.argv.pop(1))
    unittest.main()
