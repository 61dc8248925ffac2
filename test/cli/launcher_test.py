#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The launcher's promises, with stand-ins for apt, meson and ninja.

Each test works on a copy of the launcher in a folder of its own, with a small
source tree and a PATH on which the stand-ins come first. They write down how
they were called; the one for ninja "compiles" by making a program that prints
its arguments.
"""

import os
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

STAND_INS = {
    "dpkg-query": """
for name in "$@"; do
    grep -qxF "$name" "$STAND_INS/installed" && printf 'installed=%s ' "$name"
done
exit 1""",
    "apt-get": """
echo "apt-get $*" >>"$STAND_INS/calls"
[ -e "$STAND_INS/apt-fails" ] && { echo "E: no network"; exit 100; }
case "$*" in
*update*) touch "$STAND_INS/apt-updated" ;;
*install*)
    [ -e "$STAND_INS/apt-updated" ] || { echo "E: Unable to locate package"; exit 100; }
    for name in "$@"; do echo "$name" >>"$STAND_INS/installed"; done ;;
esac""",
    "id": 'cat "$STAND_INS/uid"',
    "sudo": """
echo "sudo $*" >>"$STAND_INS/calls"
[ -e "$STAND_INS/sudo-works" ] || exit 1
while [ "${1#-}" != "$1" ]; do shift; done
exec "$@" """,
    "meson": """
echo "meson" >>"$STAND_INS/calls"
for build; do case $build in */build) touch "$build/build.ninja" ;; esac; done""",
    "ninja": """
echo "ninja" >>"$STAND_INS/calls"
[ -e "$STAND_INS/slow" ] && sleep 0.3
grep -q broken "$2/../src/main.c" && { echo "main.c:1:1: error: broken"; exit 1; }
printf '#!/bin/sh\\necho "ran: $*"\\n' >"$2/fathom"
chmod +x "$2/fathom" """,
}


class Launcher(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="fathom launcher ")
        self.addCleanup(shutil.rmtree, self.folder)
        self.tree = os.path.join(self.folder, "a tree")
        self.stand_ins = os.path.join(self.folder, "bin")
        os.makedirs(os.path.join(self.tree, "src", "part"))
        os.makedirs(os.path.join(self.tree, "tools"))
        os.makedirs(os.path.join(self.tree, "include"))
        os.mkdir(self.stand_ins)
        for name in ("fathom", "tools/build.sh"):
            shutil.copy(os.path.join(ROOT, name), os.path.join(self.tree, name))
        self.write("packages.txt", "# comment\nbuild gcc\nbuild meson\ntest clang\n")
        for name in (
            "meson.build", "meson_options.txt", "VERSION", "include/part.h", "src/main.c", "src/part/a.c",
        ):
            self.write(name, "text\n")
        for name, script in STAND_INS.items():
            path = os.path.join(self.stand_ins, name)
            with open(path, "w", encoding="utf-8") as stream:
                stream.write("#!/bin/sh" + script if script[0] == "\n" else f"#!/bin/sh\n{script}")
            os.chmod(path, 0o755)
        self.note("installed", "gcc\nmeson\n")
        self.note("uid", "0\n")

    def write(self, name, content):
        with open(os.path.join(self.tree, name), "w", encoding="utf-8") as stream:
            stream.write(content)

    def note(self, name, content=""):
        with open(os.path.join(self.stand_ins, name), "w", encoding="utf-8") as stream:
            stream.write(content)

    def calls(self):
        """What the stand-ins were asked since the last look."""
        path = os.path.join(self.stand_ins, "calls")
        if not os.path.exists(path):
            return []
        with open(path, encoding="utf-8") as stream:
            calls = stream.read().splitlines()
        os.remove(path)
        return calls

    def environment(self):
        environment = dict(os.environ)
        environment.pop("FATHOM_PACKAGES", None)
        environment["PATH"] = self.stand_ins + ":" + environment["PATH"]
        environment["STAND_INS"] = self.stand_ins
        return environment

    def launch(self, *arguments, program=None, folder=None):
        return subprocess.run(
            [program or os.path.join(self.tree, "fathom"), *arguments],
            cwd=folder or self.folder,
            env=self.environment(),
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )

    def assert_runs(self, done):
        self.assertEqual((done.stderr, done.stdout, done.returncode), ("", "ran: x\n", 0))

    def built(self):
        """A tree that is built, and a clock that has moved on since."""
        self.assert_runs(self.launch("x"))
        self.calls()
        time.sleep(0.02)

    def test_builds_once_and_says_nothing(self):
        self.assert_runs(self.launch("x"))
        self.assertEqual(self.calls(), ["meson", "ninja"])
        self.assert_runs(self.launch("x"))
        self.assertEqual(self.calls(), [])

    def test_arguments_arrive_as_they_are(self):
        self.built()
        self.assertEqual(self.launch("a b", "", "$c").stdout, "ran: a b  $c\n")

    def test_builds_again_when_a_file_changes(self):
        self.built()
        self.write("src/part/a.c", "other\n")
        self.assert_runs(self.launch("x"))
        self.assertEqual(self.calls(), ["ninja"])

    def test_builds_again_when_a_file_goes_or_comes(self):
        self.built()
        os.remove(os.path.join(self.tree, "src/part/a.c"))
        self.assert_runs(self.launch("x"))
        self.assertEqual(self.calls(), ["ninja"])
        time.sleep(0.02)
        self.write("src/part/b.c", "new\n")
        self.assert_runs(self.launch("x"))
        self.assertEqual(self.calls(), ["ninja"])

    def test_builds_again_when_an_older_file_is_put_in_place(self):
        self.built()
        path = os.path.join(self.tree, "src/part/a.c")
        self.write("src/part/a.c", "older\n")
        os.utime(path, (1, 1))
        self.assert_runs(self.launch("x"))
        self.assertEqual(self.calls(), ["ninja"])
        self.assertGreater(os.stat(path).st_mtime, 1, "ninja would not have seen it")

    def test_other_files_do_not_matter(self):
        self.built()
        self.write("README.md", "text\n")
        self.assert_runs(self.launch("x"))
        self.assertEqual(self.calls(), [])

    def test_failed_build_shows_the_compiler_and_is_tried_again(self):
        self.built()
        self.write("src/main.c", "broken\n")
        for _ in range(2):
            done = self.launch("x")
            self.assertEqual((done.stdout, done.returncode), ("", 70))
            self.assertIn("main.c:1:1: error: broken", done.stderr)
        self.write("src/main.c", "mended\n")
        self.assert_runs(self.launch("x"))

    def test_works_through_links_and_from_any_folder(self):
        link = os.path.join(self.folder, "a link")
        os.symlink(os.path.join(self.tree, "fathom"), link)
        self.assert_runs(self.launch("x", program=link, folder="/"))
        self.assert_runs(self.launch("x", program="./fathom", folder=self.tree))
        self.assert_runs(self.launch("x", program="../fathom", folder=self.tree + "/src"))

    def test_two_at_once_build_once(self):
        self.note("slow")
        program = os.path.join(self.tree, "fathom")
        running = [
            subprocess.Popen(
                [program, "x"],
                env=self.environment(),
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
            )
            for _ in range(3)
        ]
        self.assertEqual([process.communicate()[0] for process in running], ["ran: x\n"] * 3)
        self.assertEqual(self.calls(), ["meson", "ninja"])

    def test_a_copied_tree_is_built_anew(self):
        self.built()
        copy = os.path.join(self.folder, "copy")
        shutil.copytree(self.tree, copy, symlinks=True)
        self.assert_runs(self.launch("x", program=os.path.join(copy, "fathom")))
        self.assertEqual(self.calls(), ["meson", "ninja"])

    def test_missing_packages_are_installed_after_an_update(self):
        self.note("installed", "gcc\n")
        done = self.launch("x")
        self.assertEqual((done.stdout, done.returncode), ("ran: x\n", 0))
        self.assertEqual(done.stderr, "fathom: installing Debian packages: meson\n")
        calls = self.calls()
        self.assertEqual([call.split()[0] for call in calls],
                         ["apt-get", "apt-get", "apt-get", "meson", "ninja"])
        self.assertTrue(calls[2].endswith("--no-install-recommends meson"), calls)

    def test_a_changed_list_of_packages_is_looked_at(self):
        self.built()
        self.note("apt-updated")
        self.write("packages.txt", "build gcc\nbuild meson\nbuild more\n")
        done = self.launch("x")
        self.assertEqual(done.stderr, "fathom: installing Debian packages: more\n")
        self.assertEqual(done.returncode, 0)

    def test_sudo_is_used_when_it_asks_nothing(self):
        self.note("installed", "gcc\n")
        self.note("uid", "1000\n")
        self.note("sudo-works")
        self.note("apt-updated")
        self.assertEqual(self.launch("x").returncode, 0)
        self.assertIn("sudo -n true", self.calls())

    def assert_told_what_to_install(self, done):
        self.assertEqual((done.stdout, done.returncode), ("", 2))
        self.assertIn(
            "fathom: these Debian packages are missing and could not be installed: gcc meson\n",
            done.stderr,
        )
        self.assertIn("    apt-get install --no-install-recommends gcc meson\n", done.stderr)

    def test_without_root_it_says_what_to_install(self):
        self.note("installed", "")
        self.note("uid", "1000\n")
        self.assert_told_what_to_install(self.launch("x"))
        self.assertEqual(self.calls(), ["sudo -n true"])

    def test_when_apt_fails_it_says_so_and_what_to_install(self):
        self.note("installed", "")
        self.note("apt-fails")
        done = self.launch("x")
        self.assert_told_what_to_install(done)
        self.assertIn("fathom: apt: E: no network\n", done.stderr)

    def test_as_a_kubectl_plugin(self):
        self.built()
        link = os.path.join(self.folder, "kubectl-fathom")
        os.symlink(os.path.join(self.tree, "fathom"), link)
        self.assert_runs(self.launch("x", program=link))


if __name__ == "__main__":
    sys.exit(unittest.main())
