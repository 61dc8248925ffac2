#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Names that are markup, run from right to left, or are long, in every field that a manifest or a report
may carry: pages show them as text, in headless Chromium.

    hostile_test.py FATHOM [--pictures FOLDER]

Without Chromium (a machine with the packages of `./fathom` alone) it is skipped. Those of traces are in
test/trace/dashboard_test.py.
"""

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
MARKUP = "<script>window.ran=1</script><img src=x onerror=window.ran=1>"
HOSTILE = MARKUP + "\u202e\u0645\u0631\U0001f600"
TOLD = HOSTILE.replace("\u202e", "\\u202e")
LONG = HOSTILE + "n" * 10_000

# Of each kind of value one field at least; those that are free texts are marked.
MANIFESTS = """apiVersion: fathom/v1
kind: Check
metadata: {name: hostile}
spec:
  kubernetesVersion: '1.30'
  nodeGroups:
  - name: node
    count: 2
    node:
      metadata: {labels: {disk: ssd}, annotations: {note: free}}
      spec: {taints: [{key: soft, value: soft, effect: PreferNoSchedule}]}
      status: {allocatable: {cpu: '2', memory: 4Gi, pods: '110'}}
  workloads:
  - {name: Deployment/default/web, replicas: 3}
  events:
  - {name: maintenance, atMost: 1, after: settled}
  intents:
  - {name: podsSchedulable}
  - {name: always, expression: 'nodes.size() < 1 || "free" == "x"'}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: default, labels: {team: a}, annotations: {note: free}}
spec:
  replicas: 3
  selector: {matchLabels: {app: web}}
  strategy: {type: RollingUpdate, rollingUpdate: {maxSurge: 1, maxUnavailable: 0}}
  template:
    metadata: {labels: {app: web}, annotations: {note: free}}
    spec:
      priorityClassName: high
      serviceAccountName: robot
      nodeSelector: {disk: ssd}
      tolerations: [{key: soft, operator: Exists}]
      topologySpreadConstraints:
      - {maxSkew: 1, topologyKey: kubernetes.io/hostname, whenUnsatisfiable: DoNotSchedule, labelSelector: {matchLabels: {app: web}}}
      containers:
      - name: web
        image: free
        command: [free, free]
        env: [{name: GREETING, value: free}]
        resources: {requests: {cpu: 1500m, memory: 1Gi}}
---
apiVersion: scheduling.k8s.io/v1
kind: PriorityClass
metadata: {name: high}
value: 10
description: free
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: {name: web, namespace: default}
spec: {minAvailable: 1, selector: {matchLabels: {app: web}}}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: settings}
data: {greeting: free}
"""

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

VALUE = re.compile(r"(?<=: )(?:'[^']*'|[\w./%-]+)(?=[,}\]\n])")
KEY = re.compile(r"(?<=[{ ])\w+(?=: )")

# Nothing ran, no markup became an element, nothing is wider than the window.
HARM = """(() => {
  const found = [];
  if (window.ran) found.push('a script ran');
  if (document.querySelector('img')) found.push('there is an image');
  if (document.querySelectorAll('script:not([type="application/json"])').length !== 1) found.push('there are other scripts');
  const wide = document.documentElement.scrollWidth;
  if (wide > innerWidth) found.push(`it is ${wide} wide`);
  if (document.documentElement.scrollHeight > 12000) found.push(`it is ${document.documentElement.scrollHeight} high`);
  return found;
})()"""


def quoted(text):
    return "'" + text.replace("'", "''") + "'"


def variants(text):
    """The manifests with one value, or one key, that is hostile: what it was, and the text."""
    for found in VALUE.finditer(text):
        yield found.group(0), text[:found.start()] + quoted(LONG) + text[found.end():]
    for found in KEY.finditer(text):
        yield found.group(0) + ":", text[:found.start()] + quoted(HOSTILE) + text[found.end():]


def places(value, path=()):
    """Where the texts of a report are."""
    if isinstance(value, dict):
        for key, each in value.items():
            yield from places(each, path + (key,))
    elif isinstance(value, list):
        for key, each in enumerate(value):
            yield from places(each, path + (key,))
    elif isinstance(value, str):
        yield path


def changed(report, path, text):
    copy = json.loads(json.dumps(report))
    at = copy
    for key in path[:-1]:
        at = at[key]
    at[path[-1]] = text
    return copy


class HostileTest(unittest.TestCase):
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

    def picture(self, name):
        if PICTURES:
            self.browser.screenshot(os.path.join(PICTURES, name + ".png"))

    def at_both_widths(self, url, name):
        """Opens it, unfolds everything, goes through all steps, looks for harm."""
        for width in (1400, 400):
            self.browser.call("Emulation.setDeviceMetricsOverride", width=width, height=1000, deviceScaleFactor=1, mobile=width == 400)
            self.browser.call("Page.navigate", url="about:blank")
            self.browser.open(url, "document.readyState === 'complete' && document.querySelector('main')")
            self.browser.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true; })")
            self.browser.evaluate("(() => { for (const slider of document.querySelectorAll('.tools input')) for (let step = 0; step <= slider.max; step++) {"
                                  "slider.value = String(step); slider.dispatchEvent(new Event('input')); } })()")
            self.assertEqual(self.browser.evaluate(HARM), [], (name, width))
            self.picture(f"{name}-{width}")
        self.browser.call("Emulation.setDeviceMetricsOverride", width=1400, height=1000, deviceScaleFactor=1, mobile=False)

    def start_workbench(self, text):
        check = os.path.join(FOLDER, "check.yaml")
        with open(check, "w", encoding="utf-8") as stream:
            stream.write(text)
        server = subprocess.Popen([FATHOM, "ui", check, "--listen", "127.0.0.1:0"], stdout=subprocess.PIPE, text=True)
        self.addCleanup(lambda: (server.terminate(), server.wait(20), server.stdout.close()))
        self.browser.call("Page.navigate", url="about:blank")
        self.browser.open(server.stdout.readline().strip(), "window.fathom && document.querySelector('.check-state').textContent.includes('objects')")

    def test_no_module_makes_markup_of_texts(self):
        root = os.path.join(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))), "src")
        modules = 0
        for folder, _, names in os.walk(root):
            for name in names:
                if not name.endswith(".js"):
                    continue
                with open(os.path.join(folder, name), encoding="utf-8") as stream:
                    self.assertNotRegex(stream.read(), r"innerHTML|outerHTML|insertAdjacentHTML|createContextualFragment|document\.write|\beval\(|new Function", name)
                modules += 1
        self.assertGreater(modules, 20)

    def test_every_field_of_manifests(self):
        """One after the other in the editor; then all that may be so in one report."""
        self.start_workbench(MANIFESTS)
        free, refused = [], 0
        for was, text in variants(MANIFESTS):
            exit_code, said = self.browser.evaluate(f"""(async () => {{
              const {{ editor }} = fathom;
              const [file] = editor.files;
              file.text = {json.dumps(text)};
              editor.open(0);
              const shown = new Promise((resolve) => {{ editor.show = (answer) => {{ delete editor.show; editor.show(answer); resolve(answer.exit); }}; }});
              editor.check();
              return [await shown, document.querySelector('.problems').textContent];
            }})()""")
            self.assertEqual(self.browser.evaluate(HARM), [], was)
            # A problem that quotes it does so as text.
            if "<script" in said:
                self.assertIn("<script>window.ran=1<", said)
                self.assertNotIn("\u202e", said)
                refused += 1
            if exit_code == 0 and not was.endswith(":"):
                free.append(was)
        self.assertGreater(refused, 20)
        self.assertGreaterEqual(free.count("free"), 7, free)
        self.picture("hostile-editor")

    def test_reports_of_hostile_manifests(self):
        check, page = os.path.join(FOLDER, "free.yaml"), os.path.join(FOLDER, "free.html")
        text = MANIFESTS.replace("'nodes.size() < 1 || \"free\" == \"x\"'", quoted(f'nodes.size() < 1 || "{LONG}" == "x"'))
        text = re.sub(r"\bfree\b", lambda _: quoted(LONG), text)
        with open(check, "w", encoding="utf-8") as stream:
            stream.write(text)
        done = subprocess.run([FATHOM, "verify", check, "--quiet", "-o", "html=" + page], stderr=subprocess.PIPE, text=True, check=False)
        self.assertEqual(done.returncode, 1, done.stderr[:300])
        self.at_both_widths("file://" + page, "hostile-report")
        # What is long leaves room for the rest of its row.
        self.assertGreater(self.browser.evaluate("Math.min(...[...document.querySelectorAll('.summary td:last-child')].map((cell) => cell.clientWidth))"), 200)
        self.assertTrue(self.browser.evaluate(f"document.body.textContent.includes({json.dumps(TOLD + 'n' * 10_000)})"))

    def test_the_workbench_with_hostile_manifests(self):
        text = MANIFESTS.replace('"free" == "x"', f'"{LONG}" == "x"').replace("image: free", "image: " + quoted(LONG))
        self.start_workbench(text)
        self.browser.click_on("header button.main")
        self.browser.wait_for("document.querySelector('.progress').textContent === 'something is violated' && document.querySelector('.explore-from')")
        for view, ready in (("verify", "document.querySelector('.report .top')"), ("explore", "document.querySelector('.choice')"), ("edit", "true")):
            self.browser.click_on(f"#tab-{view}")
            self.browser.wait_for(f"!fathom.panels.get('{view}').hidden && {ready}")
            for width in (1400, 400):
                self.browser.call("Emulation.setDeviceMetricsOverride", width=width, height=1000, deviceScaleFactor=1, mobile=width == 400)
                self.assertEqual(self.browser.evaluate(HARM), [], (view, width))
                self.picture(f"hostile-{view}-{width}")
            self.browser.call("Emulation.setDeviceMetricsOverride", width=1400, height=1000, deviceScaleFactor=1, mobile=False)
        self.assertIn("<script>window.ran=1</script>", self.browser.evaluate("document.querySelector('.report').textContent"))

    def test_objectives(self):
        """In the view with sliders: a name that is refused, and texts that are drawn."""
        self.start_workbench(MANIFESTS)
        for old, new in (("name: shop", "name: " + quoted(LONG)), ("kind: ServiceObjective", "kind: ServiceObjective\n" + quoted(HOSTILE) + ": 3"),
                         ("model: nginx", "model: " + quoted(LONG)), ("name: shop", "name: shop, annotations: {note: " + quoted(LONG) + "}")):
            text = OBJECTIVE.replace(old, new)
            self.assertNotEqual(text, OBJECTIVE)
            self.browser.evaluate(f"(() => {{ fathom.editor.take([{{name: 'slo.yaml', text: {json.dumps(text)}}}]); fathom.changed(); fathom.turn('edit'); }})()")
            self.browser.click_on("#tab-objective")
            self.browser.wait_for("!/^(asking)?$/.test(document.querySelector('.objective-state').textContent)")
            for width in (1400, 400):
                self.browser.call("Emulation.setDeviceMetricsOverride", width=width, height=1000, deviceScaleFactor=1, mobile=width == 400)
                self.assertEqual(self.browser.evaluate(HARM), [], (new[:40], width))
            self.browser.call("Emulation.setDeviceMetricsOverride", width=1400, height=1000, deviceScaleFactor=1, mobile=False)
            self.picture("hostile-objective")

    def test_every_text_of_a_report(self):
        """A report that is read again and written as the page of a trace, with one text after the other that is hostile."""
        check, report, page = (os.path.join(FOLDER, name) for name in ("told.yaml", "told.json", "told.html"))
        with open(check, "w", encoding="utf-8") as stream:
            stream.write(MANIFESTS)
        subprocess.run([FATHOM, "verify", check, "--quiet", "--trial", "0", "-o", "json=" + report], check=False)
        with open(report, encoding="utf-8") as stream:
            told = json.load(stream)
        # Of texts at like places the first and the last.
        alike = {}
        for path in places(told):
            alike.setdefault(tuple(key for key in path if isinstance(key, str)), []).append(path)
        shown = set()
        for kind, path in [(kind, path) for kind, paths in alike.items() for path in {paths[0], paths[-1]}]:
            with open(report, "w", encoding="utf-8") as stream:
                json.dump(changed(told, path, HOSTILE + "n" * 3000), stream)
            if os.path.exists(page):
                os.remove(page)
            done = subprocess.run([FATHOM, "trace", "show", "-f", report, "-o", "html=" + page], stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
            self.assertIn(done.returncode, (0, 2), path)
            self.assertNotIn("\u202e", done.stderr.decode(), path)
            if done.returncode == 0:
                self.browser.call("Page.navigate", url="about:blank")
                self.browser.open("file://" + page)
                self.browser.evaluate("fathom.flame.spans.forEach((span) => fathom.flame.pick(span))")
                self.assertEqual(self.browser.evaluate(HARM), [], path)
                if self.browser.evaluate("document.body.innerText.includes('<script>window.ran=1</script>')"):
                    shown.add(kind)
        self.assertLessEqual({("intents", "label"), *(("intents", "trace", field) for field in ("actor", "detail", "object"))}, shown)


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
