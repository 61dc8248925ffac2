#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The workbench of `fathom ui` in headless Chromium.

    ui_test.py FATHOM [--pictures FOLDER]

Without Chromium (a machine with the packages of `./fathom` alone) it is skipped.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import urllib.error
import urllib.request

import browser

FATHOM = ""
PICTURES = ""
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BROKEN = os.path.join(ROOT, "examples", "c03-spread-conflict", "broken.yaml")
STATE = "document.querySelector('.explore-state').textContent"
HOSTILE = "<img src=x onerror=window.ran=1>\u202e\U0001f600" + "n" * 80

OBJECTIVE = """apiVersion: fathom/v1
kind: ServiceObjective
metadata: {name: shop}
spec:
  objective: {maxResponseTime: 4s}
  service: {processingTime: 500ms, podStartup: 2s}
  pods: {initial: 1, min: 1, max: 2}
  load:
    constant: {maxRequestsPerSecond: 4}
  autoscaler:
    rule: queueThreshold
    queueThreshold: {model: nginx, checkInterval: 3s, scaleUp: 50}
"""


def trace_of(check):
    """The steps of the counterexample, and its sizes."""
    with tempfile.TemporaryDirectory() as folder:
        report = os.path.join(folder, "report.json")
        subprocess.run([FATHOM, "verify", check, "--trial", "0", "-o", "json=" + report], check=False)
        with open(report, encoding="utf-8") as stream:
            intent = json.load(stream)["intents"][0]
    sizes = {**intent["scale"]["nodeGroups"], **intent["scale"]["workloads"]}
    return [step["detail"] for step in intent["trace"]], ",".join(f"{name}={count}" for name, count in sizes.items())


class UiTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp(prefix="fathom-ui-test-")
        cls.check = os.path.join(cls.folder, "check.yaml")
        with open(BROKEN, encoding="utf-8") as source, open(cls.check, "w", encoding="utf-8") as stream:
            # Sizes that take moments, whatever else the machine does.
            stream.write(source.read().replace("max: 6}", "max: 2}").replace("max: 72", "max: 6"))
        with open(os.path.join(cls.folder, HOSTILE + ".yaml"), "w", encoding="utf-8") as stream:
            stream.write("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: '<script>window.ran=1</script>'}\n")
        cls.server = subprocess.Popen([FATHOM, "ui", "check.yaml", HOSTILE + ".yaml", "--listen", "127.0.0.1:0"], cwd=cls.folder,
                                      stdout=subprocess.PIPE, text=True, env=dict(os.environ, TMPDIR=cls.folder))
        cls.link = cls.server.stdout.readline().strip()
        cls.address, cls.token = re.fullmatch(r"(http://127\.0\.0\.1:\d+)/#token=(\w+)", cls.link).groups()
        cls.browser = browser.Browser()

    @classmethod
    def tearDownClass(cls):
        cls.browser.close()
        cls.server.terminate()
        left = cls.server.wait(20), [name for name in os.listdir(cls.folder) if name.startswith("fathom-ui-")]
        cls.server.stdout.close()
        shutil.rmtree(cls.folder)
        if left != (0, []):
            raise AssertionError(f"the server ended with {left[0]} and left {left[1]}")

    def setUp(self):
        self.browser.problems.clear()
        self.browser.call("Page.navigate", url="about:blank")
        self.browser.open(self.link, "window.fathom && !fathom.panels.get('edit').hidden")

    def tearDown(self):
        self.assertEqual(self.browser.problems, [])
        self.assertIsNone(self.browser.evaluate("window.ran || null"))

    def picture(self, name):
        if PICTURES:
            self.browser.screenshot(os.path.join(PICTURES, name + ".png"))

    def edit(self, old, new):
        """As if it were typed into the text."""
        self.browser.evaluate(f"(() => {{ const area = document.querySelector('.source');"
                              f"area.value = area.value.replace({json.dumps(old)}, {json.dumps(new)});"
                              "area.dispatchEvent(new Event('input')); })()")

    def checked(self, words):
        self.browser.wait_for(f"document.querySelector('.check-state').textContent.includes({json.dumps(words)})")

    def verify(self, verdict):
        self.browser.click_on("header button.main")
        self.browser.wait_for(f"document.querySelector('.progress').textContent === {json.dumps(verdict)} && "
                              "document.querySelector('.report .top')", 25)
        if verdict == "something is violated":
            self.browser.wait_for("document.querySelector('.explore-from')")

    def choose(self, detail):
        """Takes the step of the menu that is told so."""
        taken = self.browser.evaluate("fathom.explorer.take.length")
        found = self.browser.wait_for(
            f"([...document.querySelectorAll('.choice')].find((choice) => choice.firstChild.textContent === {json.dumps(detail)}) || {{}}).dataset?.choice")
        self.browser.click_on(f'.choice[data-choice="{found}"]')
        self.browser.wait_for(f"fathom.explorer.take.length === {taken + 1}")

    def test_problems_are_marked_and_a_change_makes_it_hold(self):
        self.checked("objects")
        self.edit("replicas: 3", "replicas: three")
        self.checked("problems")
        line = self.browser.evaluate("Number(document.querySelector('.gutter .wrong').textContent)")
        self.assertIn("three", self.browser.evaluate(f"document.querySelector('.source').value.split('\\n')[{line - 1}]"))
        said = subprocess.run([FATHOM, "check-manifests", "-f", "-"], stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True, check=False,
                              input=self.browser.evaluate("document.querySelector('.source').value")).stderr
        self.assertIn(said.splitlines()[0].split(": ", 1)[1],
                      self.browser.evaluate("document.querySelector('.problems').textContent"))
        self.picture("ui-editor")
        self.edit("replicas: three", "replicas: 3")
        self.checked("objects")
        self.verify("something is violated")
        self.assertEqual(self.browser.evaluate("document.querySelectorAll('.report .stage:not([hidden])').length"), 1)
        self.picture("ui-report")
        self.browser.click_on("#tab-edit")
        self.edit("kubernetes.io/zone\n        whenUnsatisfiable: DoNotSchedule", "kubernetes.io/zone\n        whenUnsatisfiable: ScheduleAnyway")
        self.checked("objects")
        self.verify("everything holds")
        self.browser.click_on(".verifier button[title^='What the edits']")
        self.browser.wait_for("document.querySelector('.progress').textContent === 'the edits change what happens'")
        self.assertIn("podsSchedulable", self.browser.evaluate("document.querySelector('.comparison').textContent"))
        # A link brings what was edited.
        link = self.browser.evaluate("location.href")
        self.browser.call("Page.navigate", url="about:blank")
        self.browser.open(link, "window.fathom && fathom.editor.edited.length === 1")

    def another_server(self, *files):
        """Its link; it ends with the test."""
        server = subprocess.Popen([FATHOM, "ui", *files, "--listen", "127.0.0.1:0"], stdout=subprocess.PIPE, text=True, env=dict(os.environ, TMPDIR=self.folder))
        self.addCleanup(lambda: (server.terminate(), server.wait(20), server.stdout.close()))
        return server.stdout.readline().strip()

    def test_without_files(self):
        """What somebody sees who begins with nothing: a hint, an example, and files of this machine."""
        self.browser.open(self.another_server(), "window.fathom && !document.querySelector('.empty-hint').hidden")
        for view, words in (("explore", "nothing to explore yet"), ("verify", "press Verify"), ("what-if", "No run to compare with yet")):
            self.browser.click_on(f"#tab-{view}")
            self.browser.wait_for(f"!fathom.panels.get('{view}').hidden && fathom.panels.get('{view}').textContent.includes({json.dumps(words)})")
        self.browser.click_on("header button.main")
        self.browser.wait_for("document.querySelector('.progress').textContent.includes('nothing to verify yet')")
        self.browser.click_on("#tab-edit")
        self.picture("ui-empty")
        self.browser.click_on(".begin-example")
        self.checked("3 objects, no problems")
        self.assertTrue(self.browser.evaluate("document.querySelector('.empty-hint').hidden"))
        self.verify("something is violated")
        self.picture("ui-example")
        # As the example says.
        self.browser.click_on("#tab-edit")
        self.edit("minAvailable: 2", "minAvailable: 1")
        self.verify("everything holds")
        # Files of this machine, and one that is taken out.
        chosen = os.path.join(self.folder, "chosen.yaml")
        with open(chosen, "w", encoding="utf-8") as stream:
            stream.write("apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: second}\n")
        self.browser.click_on("#tab-edit")
        self.browser.choose_files("input[type=file]", [chosen])
        self.browser.wait_for("fathom.editor.problems.length > 0")
        self.assertEqual(self.browser.evaluate("fathom.editor.contents.map((file) => file.name)"), ["example.yaml", "chosen.yaml"])
        self.assertIn("chosen.yaml:", self.browser.evaluate("document.querySelector('.problems').textContent"))
        self.browser.evaluate("fathom.editor.remove.click()")
        self.checked("3 objects, no problems")
        self.assertEqual(self.browser.evaluate("fathom.editor.contents.map((file) => file.name)"), ["example.yaml"])

    def test_by_hand_to_the_violation_and_a_link_to_it(self):
        steps, setup = trace_of(self.check)
        self.browser.click_on("#tab-explore")
        self.browser.wait_for("fathom.explorer.begun && document.querySelector('.choice')")
        self.browser.type_into(".setup", setup)
        self.browser.key("Enter")
        self.browser.wait_for(f"{STATE}.startsWith('3 nodes')")
        for detail in steps:
            self.choose(detail)
        self.browser.wait_for(f"{STATE}.includes('podsSchedulable is violated')")
        self.picture("ui-explore")
        cluster = self.browser.evaluate("document.querySelector('.picture').textContent")
        link = self.browser.evaluate("location.href")
        # Undo, "back" of the browser, and the link lead to the same state.
        self.browser.click_on(".explorer button[title^='Undo']")
        self.browser.wait_for(f"fathom.explorer.take.length === {len(steps) - 1}")
        self.browser.evaluate("history.back()")
        self.browser.wait_for(f"fathom.explorer.take.length === {len(steps)} && {STATE}.includes('is violated')")
        self.browser.call("Page.navigate", url="about:blank")
        self.browser.open(link, f"window.fathom && {STATE}.includes('podsSchedulable is violated')")
        self.assertEqual(self.browser.evaluate("document.querySelector('.picture').textContent"), cluster)

    def test_from_a_counterexample_on(self):
        steps, _ = trace_of(self.check)
        self.verify("something is violated")
        self.browser.click_on(".tools button[title='One step back']")
        self.browser.click_on(".explore-from")
        self.browser.wait_for(f"fathom.explorer.take.length === {len(steps) - 1}")
        self.choose(steps[-1])
        self.browser.wait_for(f"{STATE}.includes('podsSchedulable is violated')")
        self.browser.evaluate("fathom.explorer.go([])")
        self.browser.wait_for("fathom.explorer.take.length === 0")
        self.browser.click_on(".explorer button[title^='Ten']")
        # A run at random may come to its end before.
        self.browser.wait_for("fathom.explorer.take.length > 0")
        self.assertLessEqual(self.browser.evaluate("fathom.explorer.take.length"), 10)

    def test_from_the_counterexample_of_a_question_on(self):
        """Manifests without a Check: the events of the question come, here and for whom the link is sent to."""
        self.browser.open(self.another_server(os.path.join(ROOT, "examples", "tutorial", "manifests")), "window.fathom && !fathom.panels.get('edit').hidden")
        self.verify("something is violated")
        self.browser.evaluate("document.querySelector('.evidence').open = true")
        steps = self.browser.wait_for("document.querySelector('.stage:not([hidden])') && [...document.querySelectorAll('.run li[data-step] .detail')].map((detail) => detail.textContent)")
        self.browser.click_on(".tools button[title='One step back']")
        self.browser.click_on(".explore-from")
        self.browser.wait_for(f"fathom.explorer.take.length === {len(steps) - 1}")
        self.assertRegex(steps[-1], "maintenance begins")
        self.choose(steps[-1])
        self.browser.wait_for(f"{STATE}.includes('drainCompletes (Deployment/shop/web) is violated') || {STATE}.includes('drainCompletes is violated')")
        link, told = self.browser.evaluate("location.href"), self.browser.evaluate(STATE)
        self.assertIn("question=2", link)
        self.browser.call("Page.navigate", url="about:blank")
        self.browser.open(link, f"window.fathom && {STATE} === {json.dumps(told)}")
        # Beside the same run with a budget that lets one pod go.
        self.browser.click_on(".explorer .ask-what-if")
        self.browser.wait_for(f"document.querySelectorAll('.pair.same').length === {len(steps)}")
        self.edit("minAvailable: 2", "minAvailable: 1")
        self.browser.wait_for(f"document.querySelectorAll('.pair').length > {len(steps)}")
        self.assertIn("as it is now it violates nothing", self.browser.evaluate("document.querySelector('.what-if-state').textContent"))
        # The manifests alone: nobody drains.
        self.browser.click_on("#tab-explore")
        self.browser.click_on(".leave-question")
        self.browser.wait_for("fathom.explorer.take.length === 0 && document.querySelector('.leave-question').hidden")
        self.assertNotIn("question=", self.browser.wait_for("!/question=/.test(location.hash) && location.href"))

    def test_what_if_a_field_changes(self):
        steps, _ = trace_of(self.check)
        self.verify("something is violated")
        self.browser.click_on(".report .ask-what-if")
        self.browser.wait_for(f"document.querySelectorAll('.pair').length === {len(steps)}")
        # Nothing has changed: both runs are the same.
        self.assertEqual(self.browser.evaluate("document.querySelectorAll('.pair.same').length"), len(steps))
        self.assertTrue(self.browser.evaluate("document.querySelector('.what-if-state').textContent.startsWith('Both runs are the same')"))
        self.assertEqual(self.browser.evaluate("document.querySelectorAll('.side .changed:not(.legend .changed)').length"), 0)
        self.edit("kubernetes.io/zone\n        whenUnsatisfiable: DoNotSchedule", "kubernetes.io/zone\n        whenUnsatisfiable: ScheduleAnyway")
        self.browser.wait_for("document.querySelector('.pair.differs')")
        rows = self.browser.evaluate("[...document.querySelectorAll('.pair')].map((row) => [row.className.replace(' now', ''),"
                                     "...[...row.querySelectorAll('td')].slice(0, 2).map((cell) => cell.textContent)])")
        self.assertEqual([kind for kind, _, _ in rows], ["pair same"] * (len(steps) - 1) + ["pair differs"])
        pod = re.search(r"for pod (\S+)", steps[-1]).group(1)
        self.assertIn(f"binds pod {pod}", rows[-1][2])
        self.assertIn("violates podsSchedulable", rows[-1][1])
        self.assertNotIn("violates", rows[-1][2])
        # The row is shown, and its difference is marked: the pod waits on the left, and has a node on the right.
        left, right = self.browser.evaluate("[...document.querySelectorAll('.side')].map((side) => [...side.querySelectorAll('.pod.changed .pod-name')]"
                                            ".map((name) => name.textContent))")
        self.assertEqual((left, right), ([pod], [pod]))
        self.assertEqual(self.browser.evaluate("document.querySelector('.what-if .legend .changed').textContent"), "differs from the other run")
        self.picture("ui-what-if")
        # The link shows somebody else the same two runs.
        link = self.browser.wait_for("/[&#]run=.*&edited=/.test(location.hash) && location.href")
        self.browser.call("Page.navigate", url="about:blank")
        self.browser.open(link, "window.fathom && document.querySelector('.pair.differs')")
        self.assertEqual(self.browser.evaluate("[...document.querySelectorAll('.pair')].map((row) => [row.className.replace(' now', ''),"
                                               "...[...row.querySelectorAll('td')].slice(0, 2).map((cell) => cell.textContent)])"), rows)
        # With the keyboard alone.
        self.browser.evaluate("document.querySelector('.pair').focus()")
        self.browser.key("Home")
        self.assertEqual(self.browser.evaluate("document.querySelector('.what-if .where').textContent"), "the start")
        self.browser.key("ArrowRight")
        self.assertEqual(self.browser.evaluate("document.querySelector('.what-if .where').textContent"), f"row 1 of {len(steps)}: the same")
        self.browser.key("d")
        self.assertIn("differs", self.browser.evaluate("document.querySelector('.what-if .where').textContent"))
        # More pods: steps that come in addition.
        self.edit("kubernetes.io/zone\n        whenUnsatisfiable: ScheduleAnyway", "kubernetes.io/zone\n        whenUnsatisfiable: DoNotSchedule")
        self.edit("replicas: 3\n  selector", "replicas: 5\n  selector")
        self.browser.wait_for("document.querySelector('.pair.only-right')")
        self.assertIn("with 5 replicas", self.browser.evaluate("document.querySelector('.pair td:nth-child(2)').textContent"))
        self.edit("replicas: 5\n  selector", "replicas: five\n  selector")
        self.browser.wait_for("document.querySelector('.what-if-state').classList.contains('violated')")
        self.assertIn("five", self.browser.evaluate("document.querySelector('.what-if-state').textContent"))

    def test_links_that_are_cut_or_made_up(self):
        # The last two are [3] and {"files":[{}],"take":3}, packed.
        for run in ("", "x", "izaOBQA", "q1ZKy8xJLVayiq6ujdVRKknMTlWyMq4FAA"):
            self.browser.call("Page.navigate", url="about:blank")
            self.browser.open(f"{self.address}/#view=what-if&run={run}&edited={run}", "window.fathom && document.querySelector('.what-if-state').textContent.startsWith('No run to compare with yet')")

    def test_a_controller_check(self):
        with open(os.path.join(ROOT, "examples", "controller-machine", "broken-hasty.yaml"), encoding="utf-8") as stream:
            text = stream.read()
        self.browser.evaluate(f"(() => {{ fathom.editor.take([{{name: 'controller.yaml', text: {json.dumps(text)}}}]);"
                              "fathom.editor.openNamed('controller.yaml'); fathom.changed(); })()")
        self.verify_controller("something is violated")
        self.assertEqual(self.browser.evaluate("[...document.querySelectorAll('.report .lanes span')].map((lane) => lane.textContent)"),
                         ["user", "controller", "API server"])
        # Life lines go through from row to row, but where the loop begins.
        gaps = self.browser.evaluate("""(() => {
          const rows = [...document.querySelectorAll('.report .message')].map((row) => row.querySelector('.drawing').getBoundingClientRect());
          return rows.slice(1).map((row, place) => row.top - rows[place].bottom);
        })()""")
        self.assertEqual(len([gap for gap in gaps if gap > 1]), 1, gaps)
        self.picture("ui-sequence")
        # What a check names is not run here: a link could bring it.
        ran = os.path.join(self.folder, "ran")
        program = text[:text.index("    machine:")] + f"    command: [touch, {ran}]\n" + text[text.index("  script:"):]
        self.browser.evaluate(f"(() => {{ fathom.editor.take([{{name: 'controller.yaml', text: {json.dumps(program)}}}]); fathom.changed(); }})()")
        self.browser.click_on("header button.main")
        self.browser.wait_for("document.querySelector('.messages').textContent.includes('expected a machine')")
        self.assertFalse(os.path.exists(ran))
        # The Check beside it is verified when it is the one that is open.
        self.browser.evaluate("fathom.editor.openNamed('check.yaml')")
        self.verify("something is violated")

    def verify_controller(self, verdict):
        self.browser.click_on("header button.main")
        self.browser.wait_for(f"document.querySelector('.progress').textContent === {json.dumps(verdict)} && document.querySelector('.report .sequence')")

    def test_an_objective_with_sliders(self):
        self.assertTrue(self.browser.evaluate("document.getElementById('tab-objective').hidden"))
        self.browser.evaluate(f"(() => {{ fathom.editor.take([{{name: 'slo.yaml', text: {json.dumps(OBJECTIVE)}}}]); fathom.changed(); }})()")
        self.browser.wait_for("!document.getElementById('tab-objective').hidden")
        self.browser.click_on("#tab-objective")
        self.browser.wait_for("document.querySelector('.objective-state').classList.contains('violated') && document.querySelector('.plot svg')")
        self.picture("ui-objective")
        # At three requests a second it holds, as --find max-rate says.
        self.browser.evaluate("(() => { const s = document.querySelector('input[aria-label=maxRequestsPerSecond]');"
                              "s.value = '3'; s.dispatchEvent(new Event('input')); })()")
        self.browser.wait_for("document.querySelector('.objective-state').classList.contains('holds')")
        self.assertIn("maxRequestsPerSecond: 3}", self.browser.evaluate("fathom.objective.file.text"))

    def test_keys_alone_and_screen_readers(self):
        """From the tabs to the violation, without a mouse; whatever can be operated has a name."""
        self.browser.evaluate("document.getElementById('tab-edit').focus()")
        self.browser.key("ArrowRight")
        self.browser.wait_for("!fathom.panels.get('verify').hidden && document.activeElement.id === 'tab-verify'")
        self.browser.evaluate("document.querySelector('header button.main').focus()")
        self.browser.key("Enter")
        self.browser.wait_for("document.querySelector('.explore-from')")
        views = {}
        for view in ("verify", "explore", "what-if", "edit"):
            if view == "explore":
                self.browser.evaluate("document.querySelector('.explore-from').focus()")
                self.browser.key("Enter")
                self.browser.wait_for("document.querySelector('.choice') && fathom.explorer.take.length > 0")
                # Undo, a step of the menu, and one at random, by keys.
                taken = self.browser.evaluate("fathom.explorer.take.length")
                self.browser.evaluate("document.querySelector('.choice').focus()")
                self.browser.key("u")
                self.browser.wait_for(f"fathom.explorer.take.length === {taken - 1}")
                self.browser.evaluate("document.querySelector('.choice').focus()")
                self.browser.key("Enter")
                self.browser.wait_for(f"fathom.explorer.take.length === {taken}")
            elif view == "what-if":
                self.browser.evaluate("document.querySelector('.explorer .ask-what-if').focus()")
                self.browser.key("Enter")
                self.browser.wait_for("document.querySelector('.pair')")
            else:
                self.browser.evaluate(f"document.getElementById('tab-{view}').click()")
            nameless, roles = self.browser.nameless_controls()
            self.assertEqual(nameless, [], view)
            self.assertLessEqual({"main", "tablist", "tabpanel", "status", "heading"}, roles, view)
            views[view] = self.browser.tab_stops(40)
        self.assertIn("Verify", views["verify"])
        self.assertIn("Undo", views["explore"])
        self.assertIn("Next difference (d)", views["what-if"])
        self.assertIn("Manifest", views["edit"])

    def test_a_phone(self):
        for scheme in ("light", "dark"):
            self.browser.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
            self.browser.call("Emulation.setDeviceMetricsOverride", width=400, height=800, deviceScaleFactor=1, mobile=True)
            for view in ("edit", "verify", "explore", "what-if"):
                self.browser.click_on(f"#tab-{view}")
                self.browser.wait_for(f"!fathom.panels.get('{view}').hidden")
                self.assertLessEqual(self.browser.evaluate("document.documentElement.scrollWidth"), 400, (scheme, view))
                self.assertEqual(self.browser.faint_texts(), [], (scheme, view))
            self.browser.click_on("#tab-explore")
            self.browser.wait_for("document.querySelector('.choice')")
            self.picture("ui-phone-" + scheme)
            self.browser.click_on(".choice")
            self.browser.wait_for("fathom.explorer.take.length > 0 && !document.querySelector('.explorer .ask-what-if').disabled")
            self.browser.click_on(".explorer .ask-what-if")
            self.browser.wait_for("document.querySelector('.what-if-state').textContent.startsWith('Both runs') && document.querySelector('.pair')")
            self.assertLessEqual(self.browser.evaluate("document.documentElement.scrollWidth"), 400, (scheme, "two runs"))
            self.assertEqual(self.browser.faint_texts(), [], (scheme, "two runs"))
            self.browser.evaluate("document.querySelector('.two-pictures').scrollIntoView()")
            self.picture("ui-phone-what-if-" + scheme)
        self.browser.call("Emulation.setDeviceMetricsOverride", width=1400, height=1200, deviceScaleFactor=1, mobile=False)
        self.browser.call("Emulation.setEmulatedMedia", features=[])

    def ask(self, path, token=None, body=None, **headers):
        if token:
            headers["Authorization"] = "Bearer " + token
        request = urllib.request.Request(self.address + path, body, headers)
        try:
            with urllib.request.urlopen(request, timeout=20) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as error:
            return error.code, error.read().decode()

    def test_only_the_page_may_ask(self):
        self.assertEqual(self.ask("/")[0], 200)
        for path in ("/api/files", "/api/jobs/1", "/api/jobs/1/page"):
            self.assertEqual(self.ask(path)[0], 401)
            self.assertEqual(self.ask(path, "wrong")[0], 401)
        self.assertEqual(self.ask("/api/files", self.token)[0], 200)
        self.assertEqual(self.ask("/api/files", self.token, Host="evil.example")[0], 403)
        self.assertEqual(self.ask("/", Host="evil.example:80")[0], 403)
        self.assertEqual(self.ask("/api/files", self.token, Origin="http://evil.example")[0], 403)
        self.assertEqual(self.ask("/api/nothing", self.token)[0], 404)
        self.assertEqual(self.ask("/api/jobs/99", self.token)[0], 404)

    def test_names_stay_inside_of_the_folder(self):
        for name in ("../x.yaml", "/tmp/x.yaml", "a/../../x.yaml", "-o", ""):
            body = json.dumps({"files": [{"name": name, "text": "kind: Pod"}]}).encode()
            for path in ("/api/check", "/api/verify", "/api/explore", "/api/compare", "/api/what-if"):
                self.assertEqual(self.ask(path, self.token, body)[0], 400, (path, name))
        for body in (b"", b"[]", b"{\"files\": 3}", b"{\"files\": [{}]}", b"\xff"):
            self.assertEqual(self.ask("/api/check", self.token, body)[0], 400)


def main():
    global FATHOM, PICTURES
    FATHOM = os.path.abspath(sys.argv.pop(1))
    if len(sys.argv) > 1 and os.path.isdir(sys.argv[1]):  # tools/mutate names the root of the tree
        del sys.argv[1]
    if "--pictures" in sys.argv:
        at = sys.argv.index("--pictures")
        PICTURES = sys.argv[at + 1]
        del sys.argv[at:at + 2]
    if not browser.find_chromium():
        print("there is no Chromium here")
        return 77
    unittest.main()
    return 0


if __name__ == "__main__":
    sys.exit(main())
