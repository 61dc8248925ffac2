#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""That the checks of the source's structure find what they are for, on stand-ins."""

import os
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "tools"))

import fidelity_rows  # noqa: E402
import structure_checks as checks  # noqa: E402


class Calls(unittest.TestCase):
    CIRCLE = {"a.c": {"b.c"}, "b.c": {"c.c"}, "c.c": {"a.c"}, "d.c": {"a.c", "e.c"}, "e.c": set()}

    def test_what_objects_define_and_want(self):
        self.assertEqual(checks.symbols("0 T here\n0 t own\n0 D table\n  U there\n"),
                         ({"here", "table"}, {"there"}))

    def test_calls_follow_from_symbols(self):
        found = {"a.c": ({"f"}, {"g", "malloc"}), "b.c": ({"g"}, set())}
        self.assertEqual(checks.calls_between(found), {"a.c": {"b.c"}, "b.c": set()})

    def test_objects_that_a_compiler_made(self):
        with tempfile.TemporaryDirectory() as folder:
            for name, text in (("a", "int g(void); int f(void); int f(void) { return g(); }"),
                               ("b", "int f(void); int g(void); int g(void) { return f(); }")):
                with open(os.path.join(folder, name + ".c"), "w", encoding="utf-8") as stream:
                    stream.write(text)
            subprocess.run([shutil.which("cc"), "-c", "a.c", "b.c"], cwd=folder, check=True)
            found = {name: checks.symbols(subprocess.run(["nm", name + ".o"], cwd=folder, text=True,
                                                         capture_output=True, check=True).stdout)
                     for name in ("a", "b")}
        self.assertEqual(checks.cycles(checks.calls_between(found)), [{"a", "b"}])

    def test_no_circle(self):
        self.assertEqual(checks.call_problems({"a.c": {"b.c", "c.c"}, "b.c": {"c.c"}, "c.c": set()},
                                              ""), "")

    def test_a_circle(self):
        problems = checks.call_problems(self.CIRCLE, "")
        self.assertIn("in a circle", problems)
        self.assertIn("    b.c calls c.c\n", problems)
        self.assertNotIn("d.c", problems)

    def test_two_circles_are_two(self):
        calls = {"a.c": {"b.c"}, "b.c": {"a.c", "c.c"}, "c.c": {"d.c"}, "d.c": {"c.c"}}
        self.assertCountEqual(checks.cycles(calls), [{"a.c", "b.c"}, {"c.c", "d.c"}])

    def test_a_circle_that_is_allowed(self):
        self.assertEqual(checks.call_problems(self.CIRCLE, "# why\na.c b.c\nc.c\n    they must\n"), "")

    def test_a_larger_circle_than_is_allowed(self):
        self.assertIn("in a circle", checks.call_problems(self.CIRCLE, "a.c b.c\n    they must\n"))

    def test_an_exception_without_its_circle(self):
        self.assertIn("no such cycle: x.c y.c",
                      checks.call_problems({"a.c": set()}, "x.c y.c\n    they must\n"))

    def test_an_exception_without_a_reason(self):
        self.assertIn("no reason", checks.call_problems(self.CIRCLE, "a.c b.c c.c\n"))


class Layers(unittest.TestCase):
    LAYERS = {"src": [["base"], ["model"], ["cli"]], "src/model": [["state"], ["emit"], ["a", "b"]]}

    def problems(self, path, other, exceptions=()):
        return checks.layer_problems({path: [other]}, self.LAYERS, set(exceptions))

    def test_to_the_left(self):
        self.assertEqual(self.problems("src/cli/main.c", "src/base/text.h"), "")
        self.assertEqual(self.problems("src/model/a/x.c", "src/model/emit.h"), "")
        self.assertEqual(self.problems("src/model/emit.c", "src/model/state/word.h"), "")

    def test_to_the_right(self):
        self.assertIn("base may not include", self.problems("src/base/text.c", "src/cli/main.h"))
        self.assertIn("state may not include",
                      self.problems("src/model/state/word.c", "src/model/emit.h"))

    def test_parts_of_one_layer(self):
        self.assertEqual(self.problems("src/model/a/x.c", "src/model/a/y.h"), "")
        self.assertIn("a may not include", self.problems("src/model/a/x.c", "src/model/b/y.h"))

    def test_a_folder_that_is_no_layer(self):
        self.assertIn("new is no layer", self.problems("src/new/x.c", "src/base/text.h"))
        self.assertIn("new is no layer", self.problems("src/model/new/x.c", "src/base/text.h"))

    def test_the_interface_of_a_folder_is_free(self):
        self.assertEqual(self.problems("src/model/model.h", "src/model/a/x.h"), "")

    def test_exceptions(self):
        allowed = ("src/base/text.c", "src/cli/main.h")
        self.assertEqual(self.problems(*allowed, [allowed]), "")
        self.assertIn("does not include", self.problems("src/cli/main.c", "src/base/text.h", [allowed]))

    def test_the_file_of_layers(self):
        self.assertEqual(checks.layers_of("# why\nsrc/x:\n    a\n    b c\n\nexcept p.c q.h so\n"),
                         ({"src/x": [["a"], ["b", "c"]]}, {("p.c", "q.h")}))


class Versions(unittest.TestCase):
    def problems(self, line, path="src/decide/x.c"):
        return checks.version_problems({path: line})

    def test_bare_comparisons(self):
        for line in ("if (minor >= 27)", "rules->kubernetes_minor < 28;", "x = features.minor == 28",
                     "return 29 <= input->minor;", "a = minor != 30 ? b : c"):
            self.assertIn("src/decide/x.c:1:", self.problems(line), line)

    def test_what_is_none(self):
        for line in ("{.minor = 26}", "minor >= row->first", "features->min_domains", "minority > 3"):
            self.assertEqual(self.problems(line), "", line)

    def test_tables_may(self):
        self.assertEqual(self.problems("minor >= 27", "src/decide/features.c"), "")


class Tags(unittest.TestCase):
    HEADER = {"src/a.h": "struct path {\n"}

    def test_defined_once(self):
        texts = {**self.HEADER, "src/b.c": "struct path;\nstruct path *f(struct path *p) {\n"}
        self.assertEqual(checks.tag_problems(texts, ""), "")

    def test_a_header_and_a_source(self):
        problems = checks.tag_problems({**self.HEADER, "src/b.c": "    struct path {\n"}, "")
        self.assertEqual(problems, "struct path is defined in src/a.h:1 src/b.c:1\n")

    def test_structs_of_single_files_are_their_own(self):
        self.assertEqual(checks.tag_problems({"a.c": "struct x {", "b.c": "struct x {"}, ""), "")

    def test_enums_and_structs_have_different_names(self):
        self.assertEqual(checks.tag_problems({**self.HEADER, "b.h": "enum path {"}, ""), "")

    def test_exceptions(self):
        texts = {**self.HEADER, "src/b.h": "struct path {\n"}
        self.assertEqual(checks.tag_problems(texts, "# why\nstruct path because\n"), "")
        self.assertIn("is defined once", checks.tag_problems(self.HEADER, "struct path because\n"))


class FakeTests(fidelity_rows.Tests):
    """A tree with one case and one unit test."""

    def __init__(self):
        super().__init__(ROOT)
        self.cases = {"one-case"}
        self.sources = {"one_test.c"}


class FidelityRows(unittest.TestCase):
    HEAD = "# Page\n\n| matter | in the model |\n|---|---|\n"

    def problems(self, text):
        return fidelity_rows.row_problems(self.HEAD + text, FakeTests())

    def test_rows_that_name_a_test(self):
        for row in ("| a | `one-case` |", "| a | `one_test.c` |", "| a | `test/cases` |",
                    "| a | [b](#b) |\n\n## B\n\nAs `one-case` shows."):
            self.assertEqual(self.problems(row + "\n"), "", row)

    def test_rows_that_name_none(self):
        for row in ("| a | b |", "| a | `src/base/arena.c` |", "| a | [b](#b) |\n\n## B\n\nNothing."):
            self.assertIn("docs/fidelity.md:5: no test is named", self.problems(row + "\n"), row)

    def test_names_of_nothing(self):
        self.assertIn(":5: there is no test/cases/nowhere", self.problems("| a | `test/cases/nowhere` |\n"))
        self.assertIn(":5: there is no gone_test.c", self.problems("See `gone_test.c`.\n"))
        self.assertIn(":5: there is no section #gone", self.problems("| `one-case` | [b](#gone) |\n"))


if __name__ == "__main__":
    unittest.main()
