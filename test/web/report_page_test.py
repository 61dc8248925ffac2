#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The page of `fathom verify -o html` in headless Chromium.

    report_page_test.py FATHOM [--pictures FOLDER]

Without Chromium (a machine with the packages of `./fathom` alone) it is skipped.
"""

import collections
import json
import os
import re
import subprocess
import sys
import tempfile
import unittest

import browser

FATHOM = ""
PICTURES = ""
FOLDER = ""
EXAMPLES = os.path.join(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))), "examples")
READY = "document.querySelector('.stage:not([hidden])')"

# What the page shows of its first counterexample.
SHOWN = """(() => {
  const stage = document.querySelector('.stage:not([hidden])'); // of the first counterexample
  const name = (pod) => {
    const state = pod.querySelector('small');
    return pod.querySelector('.pod-name').textContent + (state ? ` (${state.textContent.trim()})` : '');
  };
  const nodes = [...stage.querySelectorAll('.picture .node')].map((node) => [
    node.querySelector('strong').textContent, node.querySelector('em')?.textContent.trim() || '',
    [...node.querySelectorAll('.pod')].map(name)]);
  const workloads = [...stage.querySelectorAll('.picture .wanted')].map((box) => [
    box.querySelector('span:nth-of-type(2)').textContent, [...box.querySelectorAll('.pod')].map(
      (pod) => pod.querySelector('.pod-name').textContent),
    Number((box.querySelector('.more')?.textContent || '0').replace(/\\D/g, ''))]);
  return [nodes, workloads, stage.querySelector('.told .sentence').textContent];
})()"""

# The table of the scheduler, row by row; null: there is none.
TABLE = """(() => {
  const table = document.querySelector('.scheduling table');
  if (!table) return null;
  const heads = [...table.querySelectorAll('thead th')].slice(2).map((head) => head.textContent);
  return [...table.querySelectorAll('tbody tr')].map((row) => {
    const cells = [...row.querySelectorAll('td')].map((cell) => cell.textContent);
    const nodes = row.querySelector('th').textContent;
    return { nodes, words: cells[0], count: Number((/ \\((\\d+) nodes\\)/.exec(nodes) || [0, 1])[1]),
      taken: row.querySelector('.taken-mark') !== null,
      scores: cells[0] === 'passed' ? heads.map((head, place) => [head, Number(cells[place + 1])]) : null };
  });
})()"""

# The rows of a sequence diagram; where an arrow goes is measured against the life lines.
SEQUENCE = """(() => {
  const lanes = [...document.querySelectorAll('.lanes span')];
  const middle = (lane) => { const box = lane.getBoundingClientRect(); return box.x + box.width / 2; };
  const nearest = (x) => lanes.reduce((best, lane) => Math.abs(middle(lane) - x) < Math.abs(middle(best) - x) ? lane : best).textContent;
  return [...document.querySelectorAll('.message')].map((row) => {
    const line = row.querySelector('.message-line');
    const own = row.querySelector('.own, .cross');
    const frame = row.querySelector('.drawing').getBoundingClientRect();
    const at = (name) => nearest(frame.x + line[name].baseVal.value);
    const box = own && own.getBoundingClientRect();
    return { detail: row.querySelector('.detail').textContent, from: line ? at('x1') : nearest(box.x + box.width / 2),
      to: line ? at('x2') : null, needs: [...row.querySelectorAll('.causes a')].map((link) => link.textContent),
      loop: row.classList.contains('loop'), fault: row.classList.contains('fault') };
  });
})()"""
BETWEEN = (("the user", ("user", "API server")), ("the controller learns", ("API server", "controller")),
           ("the controller sends", ("controller", "API server")), ("the API server answers", ("API server", "controller")),
           ("the API server applies the late", ("API server", None)), ("the API server", ("API server", "controller")),
           ("a round starts", ("controller", None)), ("the round ends", ("controller", None)), ("the controller", ("controller", None)))

TEMPLATE_OF_WEB = re.compile(r"^  template:\n    metadata: \{labels: \{app: web\}\}\n    spec:\n((?:      .*\n)+)", re.M)

MANY_NODES = """apiVersion: fathom/v1
kind: Check
metadata: {name: many}
spec:
  scale: {mode: exact}
  nodeGroups:
  - name: node
    count: 1000
    node: {status: {allocatable: {cpu: '4', memory: 8Gi, pods: '110'}}}
  intents: [{name: podsSchedulable}]
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: 2
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      nodeSelector: {disk: ssd}
      containers: [{name: c, image: app, resources: {requests: {cpu: 500m}}}]
"""


TWO_GROUPS = """apiVersion: fathom/v1
kind: Check
metadata: {name: two}
spec:
  nodeGroups:
  - {name: big, count: {min: 0}, node: {status: {allocatable: {cpu: '4', memory: 8Gi, pods: '110'}}}}
  - {name: small, count: {min: 0}, node: {status: {allocatable: {cpu: '1', memory: 8Gi, pods: '110'}}}}
  workloads: [{name: Deployment/default/web, replicas: {min: 1, max: 3}}]
  intents: [{name: podsSchedulable}]
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: 2
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers: [{name: c, image: app, resources: {requests: {cpu: 600m}}}]
"""


def verify(check, name):
    """The page, and what `fathom replay` says of the cluster after each step."""
    page, report = os.path.join(FOLDER, name + ".html"), os.path.join(FOLDER, name + ".json")
    done = subprocess.run([FATHOM, "verify", check, "--trial", "0", "-o", f"html={page}", "-o", f"json={report}"],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    if done.returncode != 1:
        raise RuntimeError(f"{check}: exit code {done.returncode}: {done.stderr.decode()}")
    replayed = subprocess.run([FATHOM, "replay", report, "-o", "json"], stdout=subprocess.PIPE, check=False)
    if replayed.returncode != 1:  # 1: the violation stands
        raise RuntimeError(f"replay of {check}: exit code {replayed.returncode}")
    return "file://" + page, json.loads(replayed.stdout)[0]["steps"]


def trace_of(name):
    """The steps of the first intent, as the report in JSON has them."""
    with open(os.path.join(FOLDER, name + ".json"), encoding="utf-8") as stream:
        return json.load(stream)["intents"][0]["trace"]


def decide(template, cluster, pod):
    """What the scheduler makes of the pod in a cluster of the replay."""
    spec = "".join(line[4:] for line in template.splitlines(True))
    documents = []
    for node in cluster["nodes"]:
        zone = node["name"].rsplit("-", 1)[0]
        labels = f"{{kubernetes.io/hostname: {node['name']}, topology.kubernetes.io/zone: {zone}}}"
        documents.append(f"apiVersion: v1\nkind: Node\nmetadata: {{name: {node['name']}, labels: {labels}}}\n"
                         "status: {allocatable: {cpu: '4', memory: 16Gi, pods: '110'}}\n")
        for words in node["pods"]:
            name = words.split(" ")[0]
            documents.append(f"apiVersion: v1\nkind: Pod\nmetadata: {{name: {name}, namespace: default, labels: {{app: web}}}}\n"
                             f"spec:\n  nodeName: {node['name']}\n{spec}status: {{phase: Running}}\n")
    documents.append(f"apiVersion: v1\nkind: Pod\nmetadata: {{name: {pod}, namespace: default, labels: {{app: web}}}}\nspec:\n{spec}")
    done = subprocess.run([FATHOM, "decide", "scheduler", "-f", "-", "-o", "json"], input="---\n".join(documents).encode(),
                          stdout=subprocess.PIPE, check=True)
    return next(each["decision"] for each in json.loads(done.stdout)["result"] if each["pod"] == f"default/{pod}")


def told(cluster):
    """As the page tells it: nodes as [name, condition, pods], workloads as [words, waiting]."""
    nodes = [[node["name"], node.get("condition", ""), node["pods"]] for node in cluster["nodes"]]
    workloads = [[f"{w['name']} wants {w['replicas']}", w["waiting"]] for w in cluster["workloads"]]
    return nodes, workloads


def looks_of(node):
    """Of a node as told() has it: without names."""
    _, condition, pods = node
    return condition, tuple(sorted(pod.partition(" ")[2] for pod in pods))


class ReportPageTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.browser = browser.Browser()

    @classmethod
    def tearDownClass(cls):
        cls.browser.close()

    def setUp(self):
        self.browser.problems.clear()

    def tearDown(self):
        self.assertEqual(self.browser.problems, [])

    def open(self, url):
        self.browser.call("Page.navigate", url="about:blank")
        self.browser.open(url, READY)

    def where(self):
        return int(self.browser.evaluate("document.querySelector('.where').textContent").split()[0])

    def key(self, key):
        self.browser.evaluate("document.querySelector('.stage button').focus()")
        self.browser.key(key)

    def picture(self, name):
        if PICTURES:
            self.browser.screenshot(os.path.join(PICTURES, name + ".png"))

    def compare(self, steps):
        """Every picture of the page with that of the replay."""
        self.key("Home")
        for number, step in enumerate(steps):
            self.assertEqual(self.where(), number)
            nodes, workloads, words = self.browser.evaluate(SHOWN)
            wanted_nodes, wanted_workloads = told(step["cluster"])
            # A box that stands for several has the looks of each of them.
            alike = collections.Counter()
            for name, condition, pods in nodes:
                found = re.search(r"^(.*) and (\d+) like it$", name)
                alike[looks_of([name, condition, pods])] += 1 + (int(found.group(2)) if found else 0)
                self.assertIn([found.group(1) if found else name, condition, pods], wanted_nodes)
            self.assertEqual(alike, collections.Counter(looks_of(node) for node in wanted_nodes))
            self.assertEqual([words for words, _, _ in workloads],
                             [words for words, _ in wanted_workloads])
            for (_, pods, more), (_, wanted) in zip(workloads, wanted_workloads):
                self.assertEqual(len(pods) + more, len(wanted))
                self.assertEqual(pods, [pod for pod in wanted if pod in pods] if more else wanted)
            if number:
                self.assertEqual(words, step["detail"])
            self.key("ArrowRight")

    def test_each_step_is_as_replay_has_it(self):
        """Of every example: loops, clocks, nodes that come and go, workloads that are created."""
        cases = [name for name in sorted(os.listdir(EXAMPLES)) if re.match(r"c\d\d-", name)]
        self.assertEqual(len(cases), 16)
        loops = idle = 0
        for case in cases + ["autoscaler-flaps", "cron-jobs-pile-up", os.path.join("field", "56-waves")]:
            with self.subTest(case):
                name = os.path.basename(case)
                page, steps = verify(os.path.join(EXAMPLES, case, "broken.yaml"), name)
                self.open(page)
                self.compare(steps)
                self.picture(name)
                loops += self.browser.evaluate("document.querySelectorAll('.track .loop-head').length")
                idle += self.browser.evaluate("document.querySelectorAll('details.idle').length")
        # The bars, worked out by hand: each pod of this Check requests 500m and 2Gi of 4 CPU and 16Gi.
        page, steps = verify(os.path.join(EXAMPLES, "c03-spread-conflict", "broken.yaml"), "bars")
        self.open(page)
        bars = self.browser.evaluate("[...document.querySelectorAll('.picture .node')].map((node) => [...node.querySelectorAll('.bar')].map((bar) => bar.title))")
        self.assertEqual(bars, [[f"{500 * len(node['pods'])}m of 4000m CPU requested", f"{2 * len(node['pods'])}Gi of 16Gi memory requested"]
                                for node in steps[-1]["cluster"]["nodes"]])
        self.assertGreater(loops, 4)
        self.assertGreater(idle, 1)

    def test_slider_buttons_and_links_lead_to_steps(self):
        page, steps = verify(os.path.join(EXAMPLES, "c03-spread-conflict", "broken.yaml"), "links")
        last = len(steps) - 1
        self.open(page)
        self.assertEqual(self.where(), last)
        why = trace_of("links")[-1]["why"]
        self.assertEqual(self.browser.evaluate("[...document.querySelectorAll('.told .why')].map((each) => each.textContent)"), why)
        self.browser.click_on(".tools button[title='One step back']")
        self.assertEqual(self.where(), last - 1)
        self.browser.evaluate("(() => { const s = document.querySelector('.tools input');"
                              "s.value = '3'; s.dispatchEvent(new Event('input')); })()")
        self.assertEqual(self.where(), 3)
        self.browser.click_on("#i1-s11 .causes a")
        self.browser.wait_for("document.querySelector('.where').textContent.startsWith('4 of')")
        self.browser.click_on("#i1-s6 .detail")
        self.assertEqual(self.where(), 6)
        self.open(page + "#i1-s7")
        self.assertEqual(self.where(), 7)

    def test_scores_are_those_of_the_scheduler(self):
        """The tables of a run, against `fathom decide` with each node and pod by itself."""
        check = os.path.join(EXAMPLES, "c03-spread-conflict", "broken.yaml")
        page, steps = verify(check, "scores")
        with open(check, encoding="utf-8") as stream:
            template = TEMPLATE_OF_WEB.search(stream.read()).group(1)
        self.open(page)
        self.key("Home")
        compared = 0
        for before, step in zip(steps, trace_of("scores")):
            self.key("ArrowRight")
            told = self.browser.evaluate(TABLE)
            self.assertEqual(told is not None, step["actor"] == "scheduler", step["detail"])
            if told is None:
                continue
            decided = decide(template, before["cluster"], step["object"].split("/")[-1])
            wanted = collections.Counter()
            for node, status in decided["status"].items():
                scores = decided["scores"].get(node)
                wanted[tuple(sorted(scores.items())) if status == "ok" else f"{status['plugin']}: {status['reason']}"] += 1
            shown = {tuple(sorted(dict(row["scores"]).items())) if row["scores"] else row["words"]: row["count"] for row in told}
            self.assertEqual(shown, dict(wanted))
            taken = [row["nodes"] for row in told if row["taken"]]
            self.assertEqual(len(taken), 1 if decided["best"] else 0)
            compared += 1
        self.assertGreater(compared, 4)
        # On demand, with the keyboard alone; it stays open.
        self.assertFalse(self.browser.evaluate("document.querySelector('.scheduling').open"))
        self.browser.evaluate("document.querySelector('.scheduling summary').focus()")
        self.browser.key("Enter")
        self.browser.wait_for("document.querySelector('.scheduling').open")
        self.picture("scores")
        self.key("ArrowLeft")
        self.assertTrue(self.browser.evaluate("document.querySelector('.scheduling').open"))
        self.picture("scores-passed")

    def test_load_and_metric_stand_beside_the_replicas(self):
        page, _ = verify(os.path.join(EXAMPLES, "c03-spread-conflict", "broken.yaml"), "load")
        self.open(page)
        captions = self.browser.evaluate("[...document.querySelectorAll('.series')].map((each) => [each.dataset.series, each.textContent])")
        self.assertEqual([what for what, _ in captions],
                         ["pods wanted and ready", "CPU used and load", "cpu that the autoscaler sees, and its target"])
        # The autoscaler's reason, in the report's own words, is what the chart says before its step.
        trace = trace_of("load")
        autoscaling = next(number for number, step in enumerate(trace) if step["actor"] == "HorizontalPodAutoscaler")
        used, requested, percent, target = re.search(r" (\d+)m of the (\d+)m CPU requested, (\d+)%; the target is (\d+)%",
                                                     " ".join(trace[autoscaling]["why"])).groups()
        self.key("Home")
        for _ in range(autoscaling):
            self.key("ArrowRight")
        words = self.browser.evaluate("[...document.querySelectorAll('.series figcaption')].map((each) => each.textContent).join('; ')")
        self.assertIn(f"{used}m CPU used", words)
        self.assertIn(f"cpu {percent}% (line), target {target}% (dashes)", words)
        self.assertEqual(int(percent), int(used) * 100 // int(requested))

    def test_a_loop_goes_round(self):
        page, steps = verify(os.path.join(EXAMPLES, "c05-duplicates-vs-resources", "broken.yaml"), "loop")
        self.open(page)
        first = self.browser.evaluate("JSON.parse(document.querySelector('.run-data').textContent).loopFrom")
        self.assertEqual(self.where(), len(steps) - 1)
        self.browser.click_on(".tools button[title='One step on']")
        self.assertEqual(self.where(), first + 1)

    def test_a_thousand_nodes_fit_on_a_screen(self):
        check = os.path.join(FOLDER, "many.yaml")
        with open(check, "w", encoding="utf-8") as stream:
            stream.write(MANY_NODES)
        page, steps = verify(check, "many")
        self.assertEqual(len(steps[0]["cluster"]["nodes"]), 1000)
        self.open(page)
        self.compare(steps)
        self.assertLess(self.browser.evaluate("document.querySelectorAll('.picture .node').length"), 20)

    def test_nodes_that_are_all_busy_fit_on_a_screen(self):
        """Each gets a pod in turn; those that look alike are one box at every step."""
        check = os.path.join(FOLDER, "busy.yaml")
        with open(check, "w", encoding="utf-8") as stream:
            stream.write(MANY_NODES.replace("count: 1000", "count: 60").replace("replicas: 2", "replicas: 61")
                         .replace("      nodeSelector: {disk: ssd}\n", "").replace("500m", "2500m"))
        page, steps = verify(check, "busy")
        self.assertGreater(len(steps), 60)
        self.open(page)
        self.compare(steps)
        self.assertLess(self.browser.evaluate("document.querySelectorAll('.picture .node').length"), 5)

    def test_the_summary_says_what_was_proved(self):
        page = os.path.join(FOLDER, "fixed.html")
        subprocess.run([FATHOM, "verify", os.path.join(EXAMPLES, "c07-nodename-vs-taint", "fixed.yaml"), "--trial", "0",
                        "--heatmap", "--max-states", "1000000", "--jobs", "2", "-o", "html=" + page], check=True)
        self.browser.open("file://" + page, "document.querySelector('.summary')")
        top = self.browser.evaluate("document.querySelector('.top').textContent")
        for words in ("holds", "in all ", " nodes", "Explored", "Premises", "Kubernetes 1.", "fathom verify "):
            self.assertIn(words, top)
        # The command says all that the report depends on; the number of threads is nothing of that.
        command = self.browser.evaluate("document.querySelector('.origin code').textContent")
        self.assertRegex(command, r"^fathom verify \S+fixed\.yaml --heatmap --max-states=1000000 --trial=0$")
        self.assertIn("not decided", self.browser.evaluate("document.querySelector('.keys').textContent"))

    def test_findings_are_by_cause(self):
        page = os.path.join(FOLDER, "findings.html")
        done = subprocess.run([FATHOM, "verify", os.path.join(EXAMPLES, "app-marketplace", "before", "rabbitmq.yaml"),
                               "--quiet", "-o", "html=" + page], check=False)
        self.assertEqual(done.returncode, 1)
        self.browser.open("file://" + page, "document.querySelector('.finding')")
        self.assertEqual(self.browser.evaluate("document.querySelectorAll('.finding').length"), 1)
        self.assertIn("minAvailable: 67%", self.browser.evaluate("document.querySelector('.manifest mark').textContent"))
        self.assertTrue(self.browser.evaluate("document.querySelector('.stage').hidden"))
        # On paper nothing of it is folded.
        self.browser.evaluate("dispatchEvent(new Event('beforeprint'))")
        self.assertEqual(self.browser.evaluate("document.querySelectorAll('.evidence:not([open]), .top details:not([open])').length"), 0)
        self.browser.wait_for(READY)
        self.browser.evaluate("document.querySelector('.evidence').open = false")
        self.browser.click_on(".evidence > summary")
        self.browser.wait_for(READY)
        self.picture("findings")

    def test_questions_are_on_top_and_the_rest_is_folded(self):
        page, report = os.path.join(FOLDER, "questions.html"), os.path.join(FOLDER, "questions.json")
        done = subprocess.run([FATHOM, "verify", "-f", os.path.join(EXAMPLES, "tutorial", "manifests"), "--quiet", "-o", "html=" + page,
                               "-o", "json=" + report], check=False)
        self.assertEqual(done.returncode, 1)
        with open(report, encoding="utf-8") as stream:
            wanted = json.load(stream)
        self.browser.open("file://" + page, "document.querySelector('.top')")
        rows = self.browser.evaluate("[...document.querySelectorAll('.top')[0].querySelectorAll('tr')].map((row) => [...row.children].map((cell) => cell.textContent))")
        self.assertEqual([(verdict, name) for verdict, name, _ in rows], [(each["verdict"], each["name"]) for each in wanted["questions"]])
        for verdict, _, extent in rows:
            self.assertRegex(extent, "nodes" if verdict == "holds" else "finding 1")
        # Words are not broken, and the page is short: a screen, and something.
        self.assertLess(self.browser.evaluate("Math.max(...[...document.querySelectorAll('.top td:first-child')].map((cell) => cell.clientHeight))"), 60)
        self.assertLess(self.browser.evaluate("document.documentElement.scrollHeight"), 1600)
        self.picture("questions")
        # A link opens what it leads to.
        shut = "[...document.querySelectorAll('details.question')].map((part) => part.open)"
        self.assertEqual(self.browser.evaluate(shut), [False] * len(rows))
        self.browser.click_on(".top tr:nth-child(2) th a")
        self.browser.wait_for(f"{shut}.join() === 'false,true,false,false'")
        self.browser.click_on("details.question[open] section p a")
        self.browser.wait_for("document.querySelector('.finding:target')")
        for width in (1400, 400):
            self.browser.call("Emulation.setDeviceMetricsOverride", width=width, height=1000, deviceScaleFactor=1, mobile=width == 400)
            self.browser.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true; })")
            self.browser.wait_for(READY)
            for scheme in ("light", "dark"):
                self.browser.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
                self.assertEqual(self.browser.faint_texts(), [], (width, scheme))
            self.assertLessEqual(self.browser.evaluate("document.documentElement.scrollWidth"), width)
        self.browser.call("Emulation.setDeviceMetricsOverride", width=1400, height=1200, deviceScaleFactor=1, mobile=False)
        self.browser.call("Emulation.setEmulatedMedia", features=[])

    def test_a_step_that_changes_nothing_marks_what_it_is_about(self):
        page, _ = verify(os.path.join(EXAMPLES, "c03-spread-conflict", "broken.yaml"), "about")
        self.open(page)
        trace = trace_of("about")
        marked = "[...document.querySelectorAll('.picture .pod.changed .pod-name')].map((name) => name.textContent)"
        self.assertEqual(trace[-1]["detail"], "the scheduler finds no node for pod web-1-6")
        self.assertEqual(self.browser.evaluate(marked), ["web-1-6"])
        self.key("ArrowLeft")
        self.assertEqual(self.browser.evaluate(marked), ["web-1-5"])

    def test_keys_alone_and_screen_readers(self):
        page, steps = verify(os.path.join(EXAMPLES, "c05-duplicates-vs-resources", "broken.yaml"), "keys")
        self.open(page)
        nameless, roles = self.browser.nameless_controls()
        self.assertEqual(nameless, [])
        for role in ("main", "heading", "toolbar", "slider", "image", "group", "list"):
            self.assertIn(role, roles)
        stops = self.browser.tab_stops()
        for name in ("noEvictionLoop", "Start", "One step back", "One step on", "End", "Play the run", "step"):
            self.assertIn(name, stops)
        # A step of the list is reached, and Enter shows it.
        self.browser.evaluate("document.querySelector('#i1-s4').focus()")
        self.browser.key("Enter")
        self.assertEqual(self.where(), 4)
        self.assertEqual(self.browser.evaluate("document.querySelector('.told').getAttribute('aria-live')"), "polite")
        # Play begins anew at the end, and goes on until it is pressed again.
        self.key("End")
        self.browser.evaluate("document.querySelector('.tools button[title=\"Play the run\"]').focus()")
        self.browser.key("Enter")
        self.browser.wait_for("document.querySelector('.tools [aria-pressed]').textContent === 'Pause' && document.querySelector('.where').textContent.startsWith('2 of')")
        self.browser.key("Enter")
        self.assertEqual(self.browser.evaluate("document.querySelector('.tools [aria-pressed]').getAttribute('aria-pressed')"), "false")
        self.assertEqual(len(steps) - 1, 9)

    def test_reduced_motion(self):
        page, _ = verify(os.path.join(EXAMPLES, "c07-nodename-vs-taint", "broken.yaml"), "motion")
        self.open(page)
        for wish, seconds in (("reduce", "0s"), ("no-preference", "0.2s")):
            self.browser.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-reduced-motion", "value": wish}])
            self.assertEqual(self.browser.evaluate("getComputedStyle(document.querySelector('.bar .fill')).transitionDuration"), seconds)
        self.browser.call("Emulation.setEmulatedMedia", features=[])

    def test_nothing_is_wider_than_a_phone(self):
        page, _ = verify(os.path.join(EXAMPLES, "c03-spread-conflict", "broken.yaml"), "phone")
        for scheme in ("light", "dark"):
            self.browser.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
            self.browser.call("Emulation.setDeviceMetricsOverride", width=400, height=800, deviceScaleFactor=1, mobile=True)
            self.open(page)
            self.assertLessEqual(self.browser.evaluate("document.documentElement.scrollWidth"), 400)
            self.picture("phone-" + scheme)
            for front, back in (("--ink", "--card"), ("--soft", "--card"), ("--bad", "--card"), ("--good", "--card"),
                                ("--open", "--card"), ("--link", "--card"), ("--ink", "--mark")):
                self.assertGreater(self.browser.contrast(front, back), 4.5, (scheme, front, back))
            # At a step of the scheduler, with all that can be opened.
            self.open(page + "#i1-s14")
            self.browser.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true; })")
            self.assertIsNotNone(self.browser.evaluate(TABLE))
            self.assertEqual(self.browser.faint_texts(), [], scheme)
            self.assertLessEqual(self.browser.evaluate("document.documentElement.scrollWidth"), 400)
            self.picture("phone-scores-" + scheme)
        self.browser.call("Emulation.setDeviceMetricsOverride", width=1400, height=1200, deviceScaleFactor=1, mobile=False)
        self.browser.call("Emulation.setEmulatedMedia", features=[])

    def test_a_heat_map_has_a_legend(self):
        page = os.path.join(FOLDER, "heat.html")
        check = os.path.join(EXAMPLES, "c03-spread-conflict", "broken.yaml")
        subprocess.run([FATHOM, "verify", check, "--heatmap", "--trial", "0", "-o", f"html={page}"], check=False,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for width in (400, 1400):
            self.browser.call("Emulation.setDeviceMetricsOverride", width=width, height=1200, deviceScaleFactor=1, mobile=width == 400)
            self.open("file://" + page)
            self.assertLessEqual(self.browser.evaluate("document.documentElement.scrollWidth"), width)
            words, heights, empty = self.browser.evaluate("""(() => {
              const keys = [...document.querySelectorAll('.keys > span')];
              document.querySelector('.map').scrollIntoView();
              const box = document.querySelector('.map').getBoundingClientRect();
              const numbers = document.querySelector('.map tr:last-child th:last-child').getBoundingClientRect();
              return [keys.map((key) => key.textContent), keys.map((key) => key.getBoundingClientRect().height),
                numbers.bottom > box.bottom + 1 || numbers.height > 25];
            })()""")
            self.assertEqual(words, ["#violated", ".holds", "?not decided", "not explored"])
            self.assertLess(max(heights), 30)  # no key is in another line than its word
            self.assertFalse(empty)  # the numbers of nodes are seen, however long the map is
            self.picture(f"heat-map-{width}")
        # On paper all of it is there, and so is what the looks of pods mean.
        self.browser.call("Emulation.setEmulatedMedia", media="print")
        cut, legend = self.browser.evaluate("""(() => {
          const map = document.querySelector('.map');
          return [map.scrollHeight > map.clientHeight + 1, document.querySelector('.legend').checkVisibility()];
        })()""")
        self.assertFalse(cut)
        self.assertTrue(legend)
        self.browser.call("Emulation.setEmulatedMedia", media="")

    def verdict_of_size(self, big, small, pods):
        check = os.path.join(FOLDER, "size.yaml")
        with open(check, "w", encoding="utf-8") as stream:
            stream.write(TWO_GROUPS.replace("name: big, count: {min: 0}", f"name: big, count: {big}")
                         .replace("name: small, count: {min: 0}", f"name: small, count: {small}").replace("{min: 1, max: 3}", str(pods)))
        return subprocess.run([FATHOM, "verify", check, "--quiet", "--trial", "0", "--scale", "exact", "-o", "json=" + os.devnull], check=False).returncode

    def test_a_heat_map_goes_beyond_what_was_explored(self):
        """Of two groups without a maximum; against an exploration of each size by itself."""
        check, page = os.path.join(FOLDER, "two.yaml"), os.path.join(FOLDER, "two.html")
        with open(check, "w", encoding="utf-8") as stream:
            stream.write(TWO_GROUPS)
        subprocess.run([FATHOM, "verify", check, "--heatmap", "--quiet", "--trial", "0", "-o", "html=" + page], check=False)
        self.open("file://" + page)
        nodes, rows = self.browser.evaluate("""(() => {
          const rows = [...document.querySelectorAll('.map tr')];
          const nodes = [...rows.pop().querySelectorAll('th[scope=col]')].map((head) => Number(head.textContent));
          return [nodes, rows.map((row) => [Number(row.querySelector('th').textContent), ...[...row.querySelectorAll('td')].map((cell) => cell.textContent + cell.className)])];
        })()""")
        found = {(count, pods): cell for pods, *cells in rows for count, cell in zip(nodes, cells)}
        looks = collections.Counter(cell for cell in found.values())
        self.assertGreater(looks[".b"], 5)  # holds, known from other sizes
        self.assertGreater(looks["#v"], 2)
        self.assertIn(".holds, known from other sizes", self.browser.evaluate("[...document.querySelectorAll('.keys > span')].map((key) => key.textContent)"))
        compared = 0
        for (count, pods), cell in found.items():
            if cell == "" or (count + pods) % 2:
                continue
            worst = max(self.verdict_of_size(big, count - big, pods) for big in range(count + 1))
            self.assertEqual({".": 0, "#": 1}[cell[0]], worst, (count, pods))
            compared += 1
        self.assertGreater(compared, 10)
        svg = subprocess.run([FATHOM, "verify", check, "--heatmap", "--quiet", "--trial", "0", "-o", "svg"], stdout=subprocess.PIPE, text=True, check=False).stdout
        self.assertIn("holds, known from other sizes", svg)
        self.assertRegex(svg, 'viewBox="0 0 \\d+ \\d+"')
        self.assertEqual(svg.count('fill="#bfdfbd"'), looks[".b"] + 1)

    def controller(self, check, name, code=1):
        """The page of `fathom controller`, and its report."""
        page, report = os.path.join(FOLDER, name + ".html"), os.path.join(FOLDER, name + ".json")
        done = subprocess.run([FATHOM, "controller", check, "-o", f"html={page}", "-o", f"json={report}"], stderr=subprocess.PIPE, check=False)
        self.assertEqual(done.returncode, code, done.stderr)
        self.browser.open("file://" + page, "document.querySelector('main') && document.readyState === 'complete'")
        with open(report, encoding="utf-8") as stream:
            return json.load(stream)

    def test_a_controller_is_a_sequence_diagram(self):
        report = self.controller(os.path.join(EXAMPLES, "controller-machine", "broken-hasty.yaml"), "sequence")
        intent = report["intents"][0]
        rows = self.browser.evaluate(SEQUENCE)
        lanes = self.browser.evaluate("[...document.querySelectorAll('.lanes span')].map((lane) => lane.textContent)")
        self.assertEqual(lanes, ["user", "controller", "API server"])
        self.assertEqual([row["detail"] for row in rows], [step["detail"] for step in intent["trace"]])
        for row, step in zip(rows, intent["trace"]):
            # By the sentence: who sends it, and who gets it.
            who = next(lanes for start, lanes in BETWEEN if step["detail"].startswith(start))
            self.assertEqual([row["from"], row["to"]], list(who), step["detail"])
            self.assertEqual(row["needs"], [str(cause) for cause in step["causes"] if cause > 0])
            self.assertEqual(row["loop"], step["step"] >= intent["loop"]["from"])
        self.assertEqual([row["detail"] for row in rows if row["fault"]],
                         [step["detail"] for step in intent["trace"] if "crashes" in step["detail"]])
        self.assertIn("It needs: operation 1", self.browser.evaluate("document.body.textContent"))
        self.picture("sequence")
        # A cause is a link to its step.
        self.browser.click_on("#i1-s8 .causes a")
        self.browser.wait_for("document.querySelector('.message:target')")
        for scheme in ("light", "dark"):
            self.browser.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
            self.browser.call("Emulation.setDeviceMetricsOverride", width=400, height=800, deviceScaleFactor=1, mobile=True)
            self.assertLessEqual(self.browser.evaluate("document.documentElement.scrollWidth"), 400)
            self.assertEqual(self.browser.faint_texts(), [], scheme)
            self.picture("sequence-phone-" + scheme)
        self.browser.call("Emulation.setDeviceMetricsOverride", width=1400, height=1200, deviceScaleFactor=1, mobile=False)
        self.browser.call("Emulation.setEmulatedMedia", features=[])

    def test_names_in_a_sequence_diagram_are_texts(self):
        with open(os.path.join(EXAMPLES, "controller-machine", "broken-hasty.yaml"), encoding="utf-8") as stream:
            text = stream.read()
        check = os.path.join(FOLDER, "hostile-controller.yaml")
        title = "<script>window.ran=1</script><img src=x onerror=window.ran=1>\u202e\U0001f600"
        with open(check, "w", encoding="utf-8") as stream:
            stream.write(text.replace("name: website-hasty", "name: '<script>window.ran=1</script>" + "n" * 10000 + "'")
                         .replace("title: hello", f"title: '{title}'").replace("version: \"1.25\"", "version: '" + "v" * 10000 + "'"))
        self.controller(check, "hostile-sequence")
        self.assertIsNone(self.browser.evaluate("window.ran || null"))
        self.assertEqual(self.browser.evaluate("document.querySelectorAll('img').length"), 0)
        self.assertIn("<script>window.ran=1</script>", self.browser.evaluate("document.querySelector('.messages').textContent"))
        self.assertLessEqual(self.browser.evaluate("document.documentElement.scrollWidth"), 1400)

    def test_names_are_texts(self):
        folder = os.path.join(FOLDER, "<script>window.ran=1<", "script><img src=x onerror=window.ran=1>")
        os.makedirs(folder)
        check = os.path.join(folder, "\u202e\U0001f600check.yaml")
        with open(os.path.join(EXAMPLES, "c07-nodename-vs-taint", "broken.yaml"), encoding="utf-8") as stream:
            text = stream.read()
        with open(check, "w", encoding="utf-8") as stream:
            stream.write(text)
        page, _ = verify(check, "hostile")
        self.open(page)
        self.assertIsNone(self.browser.evaluate("window.ran || null"))
        self.assertIn("<img src=x onerror=window.ran=1>", self.browser.evaluate("document.body.textContent"))
        self.assertEqual(self.browser.evaluate("document.querySelectorAll('img').length"), 0)

    def test_long_and_foreign_expressions_are_texts(self):
        text = "<script>window.ran=1</script>\u202e\U0001f600" + "n" * 10000
        page = os.path.join(FOLDER, "expression.html")
        subprocess.run([FATHOM, "verify", os.path.join(EXAMPLES, "c07-nodename-vs-taint", "broken.yaml"), "--trial", "0",
                        "--always", f'"{text}" == "x"', "-o", "html=" + page], check=False)
        self.open("file://" + page)
        self.assertIsNone(self.browser.evaluate("window.ran || null"))
        # What would turn the rest of its line round is told, and does not do so.
        self.assertTrue(self.browser.evaluate(f"document.querySelector('.summary').textContent.includes({json.dumps(text.replace(chr(0x202e), chr(92) + 'u202e'))})"))
        self.assertFalse(self.browser.evaluate("/[\\u202a-\\u202e\\u2066-\\u2069]/.test(document.documentElement.textContent)"))
        self.assertLessEqual(self.browser.evaluate("document.documentElement.scrollWidth"), 1400)
        self.assertLess(self.browser.evaluate("document.documentElement.scrollHeight"), 4000)

    def test_only_its_own_script_and_style_may_run(self):
        page, _ = verify(os.path.join(EXAMPLES, "c07-nodename-vs-taint", "broken.yaml"), "policy")
        self.open(page)
        policy = self.browser.evaluate("document.querySelector('meta[http-equiv]').content")
        self.assertRegex(policy, r"^default-src 'none'; style-src 'sha256-[^']+'; script-src 'sha256-[^']+'$")
        self.browser.evaluate("(() => { const s = document.createElement('script'); s.textContent = 'window.ran = 1';"
                              "document.body.append(s); })()")
        self.assertIsNone(self.browser.evaluate("window.ran || null"))
        self.browser.problems.clear()  # the browser says that it was refused


def main():
    global FATHOM, PICTURES, FOLDER
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
    with tempfile.TemporaryDirectory() as FOLDER:
        unittest.main()
    return 0


if __name__ == "__main__":
    sys.exit(main())
