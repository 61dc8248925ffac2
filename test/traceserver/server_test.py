#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The trace server over HTTP: every path, every refusal, limits, and its end."""

import argparse
import contextlib
import gzip
import json
import os
import random
import resource
import socket
import subprocess
import sys
import threading
import time
import unittest
import uuid

from server import Server, folder, mergelog, span

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "web"))
import page_policy  # noqa: E402

FATHOM = "fathom"

# Figure 7 of the paper: what comes from what, and what table 2 says of it.
PUBLISHED = [(1, []), (2, []), (4, []), (6, []), (8, []), (3, [1, 2]), (5, [3, 4]), (7, [2, 4, 6])]
RELATED = {1: [1, 3, 5], 2: [2, 3, 5, 7], 3: [3, 5], 4: [4, 5, 7], 5: [5], 6: [6, 7], 7: [7], 8: [8]}
ROOTS = {1: [1], 2: [2], 3: [1, 2], 4: [4], 5: [1, 2, 4], 6: [6], 7: [2, 4, 6], 8: [8]}

CONNECTIONS_MOST = 4096


def named(number):
    return f"fa000000-0000-4000-8000-{number:012d}"


def published(number):
    sources = dict(PUBLISHED)[number]
    return mergelog([named(source) for source in sources], named(number), number)


def numbers(cpids):
    return sorted(int(cpid[-12:]) for cpid in cpids)


class Paths(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = Server(FATHOM, "--in-memory")
        # Backwards, in several ways: order and form do not matter.
        logs = [published(number) for number, _ in reversed(PUBLISHED)]
        for body in (logs[0], logs[1:3], {"mergelogs": logs[3:]}):
            status, answer = cls.server.post("/api/v1/mergelogs", body)
            assert (status, answer["refused"]) == (200, []), answer
        cls.spans = [span(named(number), f"span of {number}", number) for number in (1, 2, 3, 5, 7)]
        status, answer = cls.server.post("/api/v1/spans", {"spans": cls.spans})
        assert (status, answer["accepted"]) == (200, 5), answer

    @classmethod
    def tearDownClass(cls):
        cls.server.__exit__()

    def good(self, path):
        status, answer = self.server.get(path)
        self.assertEqual(status, 200, answer)
        return answer

    def test_related_and_roots(self):
        for number, _ in PUBLISHED:
            path = f"/api/v1/cpids/{named(number)}"
            self.assertEqual(numbers(self.good(path + "/related")["cpids"]), RELATED[number])
            roots = self.good(path + "/roots")["roots"]
            self.assertEqual(numbers(root["cpid"] for root in roots), ROOTS[number])
            logs = self.good(path + "/mergelogs")["mergelogs"]
            self.assertEqual(numbers(log["cpid"] for log in logs), RELATED[number])
            spans = self.good(path + "/spans")["spans"]
            expected = [number for number in RELATED[number] if number in (1, 2, 3, 5, 7)]
            self.assertEqual(numbers(found["cpid"] for found in spans), expected)

    def test_directions(self):
        path = f"/api/v1/cpids/{named(3)}/mergelogs?direction="
        found = {
            way: numbers(log["cpid"] for log in self.good(path + way)["mergelogs"])
            for way in ("forward", "backward", "both")
        }
        self.assertEqual(found, {"forward": [3, 5], "backward": [1, 2, 3], "both": [1, 2, 3, 5]})
        status, answer = self.server.get(path + "sideways")
        self.assertEqual(status, 400)
        self.assertIn("forward, backward or both", answer["error"])

    def test_everything_in_pages(self):
        for kind, count in (("mergelogs", 8), ("spans", 5)):
            found, after = [], ""
            for _ in range(20):
                page = self.good(f"/api/v1/{kind}?limit=3" + (f"&after={after}" if after else ""))
                found += page[kind]
                after = page["next"]
                if after is None:
                    break
            self.assertEqual(len(found), count)
        self.assertCountEqual(found, self.spans)

    def test_one_cpid_and_recent_changes(self):
        answer = self.good(f"/api/v1/cpids/{named(3).upper()}")
        self.assertEqual((answer["cpid"], answer["known"], answer["timeUnixNano"]), (named(3), True, "3"))
        self.assertEqual((numbers(answer["sources"]), numbers(answer["targets"])), ([1, 2], [5]))
        roots = self.good("/api/v1/roots?limit=2")
        self.assertEqual([root["cpid"] for root in roots["roots"]], [named(8), named(6)])
        self.assertTrue(roots["truncated"])
        short = self.good(f"/api/v1/cpids/{named(2)}/related?limit=2")
        self.assertEqual((len(short["cpids"]), short["truncated"]), (2, True))

    def test_the_newest_of_many_changes(self):
        with Server(FATHOM, "--in-memory") as server:
            times = list(range(1, 301))
            random.Random(7).shuffle(times)
            server.post("/api/v1/mergelogs", [mergelog(time=time) for time in times])
            for limit in (1, 7, 149, 150, 151, 299, 300, 301):
                status, answer = server.get(f"/api/v1/roots?limit={limit}")
                found = [int(root["timeUnixNano"]) for root in answer["roots"]]
                self.assertEqual((status, found), (200, list(range(300, max(300 - limit, 0), -1))))
                self.assertEqual(answer["truncated"], limit < 300)

    def test_spans_before_a_merge_are_not_of_the_other_cause(self):
        with Server(FATHOM, "--in-memory") as server:
            cpid = {name: str(uuid.uuid4()) for name in "abcdgh"}
            told = {name: [] for name in cpid}

            def act(name):
                told[name].append(span(cpid[name], f"{name} {len(told[name])}"))
                self.assertEqual(server.post("/api/v1/spans", told[name][-1])[0], 200)

            def merge(new, *sources):
                log = mergelog([cpid[source] for source in sources], cpid[new])
                self.assertEqual(server.post("/api/v1/mergelogs", log)[0], 200)

            def spans_of(name):
                spans = server.get(f"/api/v1/cpids/{cpid[name]}/spans")[1]["spans"]
                return sorted(found["name"] for found in spans)

            for root in "abcd":
                merge(root)
                act(root)
            merge("g", "a", "b")
            act("g")
            self.assertEqual(spans_of("a"), ["a 0", "g 0"])
            self.assertEqual(spans_of("b"), ["b 0", "g 0"])
            # Another pair; what comes after both merges is told apart, and what
            # an object does that still carries b is b's alone.
            merge("h", "c", "d")
            for name in "ghb":
                act(name)
            self.assertEqual(spans_of("a"), ["a 0", "g 0", "g 1"])
            self.assertEqual(spans_of("b"), ["b 0", "b 1", "g 0", "g 1"])
            self.assertEqual(spans_of("c"), ["c 0", "h 0"])

    def test_again_is_once_and_otherwise_is_refused(self):
        log = published(3)
        status, answer = self.server.post("/api/v1/mergelogs", log)
        self.assertEqual((status, answer), (200, {"accepted": 1, "refused": []}))
        log["sources"] = [named(1)]
        status, answer = self.server.post("/api/v1/mergelogs", log)
        self.assertEqual(status, 409)
        self.assertEqual(
            answer["refused"],
            [{"kind": "mergelog", "index": 0, "error": "cpid: it is known with other sources already"}],
        )
        status, answer = self.server.post("/api/v1/spans", [self.spans[0], {**self.spans[1], "name": "x"}])
        self.assertEqual((status, answer["accepted"], answer["refused"][0]["index"]), (200, 1, 1))
        self.assertEqual(len(self.server.all("spans")), 5)

    def test_refusals(self):
        cases = [
            ("GET", "/api/v1/cpids/nonsense", None, 400, "not a CPID"),
            ("GET", f"/api/v1/cpids/{uuid.uuid4()}", None, 404, "nothing is known"),
            ("GET", "/api/v1/nothing", None, 404, "nothing at /api/v1/nothing"),
            ("DELETE", "/api/v1/spans", None, 405, "DELETE"),
            ("POST", "/metrics", {}, 405, "POST"),
            ("GET", "/api/v1/spans?limit=0", None, 400, "limit"),
            ("GET", "/api/v1/spans?limit=x", None, 400, "limit"),
            ("GET", "/api/v1/spans?after=7", None, 400, "after"),
            ("GET", "/api/v1/mergelogs?after=-7", None, 400, "after"),
            ("POST", "/api/v1/mergelogs", b"", 400, "not JSON"),
            ("POST", "/api/v1/mergelogs", b"{", 400, "not JSON"),
            ("POST", "/api/v1/mergelogs", b"[" * 100000, 400, "not JSON"),
            ("POST", "/api/v1/mergelogs", b"\xff\xfe", 400, "not UTF-8"),
            ("POST", "/api/v1/mergelogs", {}, 400, "expected a mergelog"),
            ("POST", "/api/v1/records", [], 400, "expected {"),
            ("POST", "/api/v1/spans", [{"cpid": 7}], 400, None),
            ("POST", "/v1/traces", [], 400, "resourceSpans"),
            ("PUT", "/api/v1/live", [], 400, "cpids"),
            ("PUT", "/api/v1/live", {"cpids": ["x"]}, 400, "UUIDs"),
        ]
        for method, path, body, expected, words in cases:
            status, answer = self.server.ask(method, path, body)
            self.assertEqual(status, expected, (method, path, answer))
            if words:
                self.assertIn(words, answer["error"])
        self.assertEqual(self.good("/healthz"), {"status": "ok"})

    def test_other_types_and_hosts_are_refused(self):
        status, _ = self.server.post("/api/v1/spans", b"[]", headers={"Content-Type": "text/plain"})
        self.assertEqual(status, 415)
        status, _ = self.server.post("/api/v1/spans", b"[]", headers={"Content-Encoding": "br"})
        self.assertEqual(status, 415)
        status, answer = self.server.get("/api/v1/spans", headers={"Host": "evil.example:7788"})
        self.assertEqual(status, 403, answer)
        status, _ = self.server.get("/healthz", headers={"Host": "localhost:7788"})
        self.assertEqual(status, 200)
        for status, host, origin in (
            (403, "localhost:evil.example", None),
            (403, "127.0.0.1:7788", "http://evil.example"),
            (403, "127.0.0.1:7788", "null"),
            (403, "127.0.0.1:7788", "http://127.0.0.1:80"),
            (200, "127.0.0.1:7788", "http://127.0.0.1:7788"),
        ):
            headers = {"Host": host, **({"Origin": origin} if origin else {})}
            self.assertEqual(self.server.get("/api/v1/spans", headers=headers)[0], status, headers)
            self.assertEqual(self.server.post("/api/v1/spans", b"[]", headers=headers)[0], status, headers)

    def test_the_page_runs_only_its_own_script_and_style(self):
        connection = self.server.connection()
        self.addCleanup(connection.close)
        connection.request("GET", "/")
        answer = connection.getresponse()
        page, policy = answer.read().decode(), answer.getheader("Content-Security-Policy")
        rules = page_policy.check(self, page, policy)
        self.assertEqual(rules["connect-src"], "'self'")
        self.assertEqual(rules["frame-ancestors"], "'none'")

    def test_compressed_bodies(self):
        gzipped = {"Content-Encoding": "gzip"}
        body = gzip.compress(json.dumps([published(1)]).encode())
        self.assertEqual(self.server.post("/api/v1/mergelogs", body, headers=gzipped)[0], 200)
        for wrong in (b"not gzip", body[:-9]):
            self.assertEqual(self.server.post("/api/v1/mergelogs", wrong, headers=gzipped)[0], 400)
        bomb = gzip.compress(b" " * (64 << 20))
        self.assertLess(len(bomb), 100000)
        self.assertEqual(self.server.post("/api/v1/mergelogs", bomb, headers=gzipped)[0], 413)
        # A few kilobytes that would be millions of values.
        for many in (b"1," * 4000000 + b"1", b"{}," * 2000000 + b"{}", b"[" * 4000000):
            status, answer = self.server.post("/api/v1/spans", gzip.compress(b"[" + many + b"]"), headers=gzipped)
            self.assertEqual((status, answer["error"]), (413, "expected at most 1048576 values"))

    def test_records_from_the_future(self):
        ahead = time.time_ns() + 3600 * 10**9
        late = {**published(1), "timeUnixNano": str(ahead)}
        status, answer = self.server.post("/api/v1/mergelogs", [published(2), late])
        self.assertEqual(status, 200)
        self.assertEqual(answer["accepted"], 1)
        self.assertEqual([(record["index"], record["error"]) for record in answer["refused"]],
                         [(1, "it is dated ahead of the clock of the server")])

    def test_opentelemetry(self):
        trace = uuid.uuid4().hex

        def request(span_id):
            return {
                "resourceSpans": [
                    {
                        "resource": {
                            "attributes": [{"key": "service.name", "value": {"stringValue": "web"}}]
                        },
                        "scopeSpans": [
                            {
                                "spans": [
                                    {
                                        "traceId": trace,
                                        "spanId": span_id,
                                        "name": "GET /",
                                        "kind": 2,
                                        "startTimeUnixNano": "1000",
                                        "endTimeUnixNano": "2000",
                                    }
                                ]
                            }
                        ],
                    }
                ]
            }

        self.assertEqual(self.server.post("/v1/traces", request("00f067aa0ba902b7")), (200, {}))
        status, answer = self.server.post("/v1/traces", request("0" * 16))
        self.assertEqual((status, answer["partialSuccess"]["rejectedSpans"]), (200, "1"))
        found = self.good(f"/api/v1/cpids/{uuid.UUID(trace)}/spans")["spans"]
        self.assertEqual([(one["service"], one["name"]) for one in found], [("web", "GET /")])

    def test_metrics(self):
        text = self.good("/metrics")
        self.assertRegex(text, r"(?m)^fathom_trace_records_accepted_total \d+$")
        self.assertRegex(text, r"(?m)^fathom_trace_cpids \d+$")
        for line in text.splitlines():
            self.assertRegex(line, r"^(# (HELP|TYPE) fathom_trace_\w+ .+|fathom_trace_\w+ \d+)$")

    def test_garbage_instead_of_http(self):
        for garbage in (b"\0" * 100, b"GET\r\n\r\n", b"POST / HTTP/9.9\r\n\r\n", os.urandom(5000)):
            with socket.create_connection(("127.0.0.1", self.server.port)) as raw:
                raw.sendall(garbage)
                raw.settimeout(0.2)
                try:
                    raw.recv(4096)
                except OSError:
                    pass  # it waits for more, or has hung up
        self.assertEqual(self.good("/healthz"), {"status": "ok"})


class Exports(unittest.TestCase):
    def test_what_other_commands_write_is_taken(self):
        """As records and as OpenTelemetry's: the same graph, however many traces show it."""
        recorded = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../data/runs/r001")

        def written(command, *options):
            arguments = [FATHOM, "trace", command, "-f", recorded, "--run", "1", *options]
            return subprocess.run(arguments, capture_output=True, text=True, check=True).stdout

        def graph(path, body):
            with Server(FATHOM, "--in-memory") as server:
                status, answer = server.post(path, body)
                self.assertEqual((status, answer.get("refused", [])), (200, []))
                self.assertNotIn("partialSuccess", answer)
                logs = {log["cpid"]: sorted(log["sources"]) for log in server.all("mergelogs")}
                return logs, len(server.all("spans"))

        records = written("import", "-o", "json")
        logs, spans = graph("/api/v1/records", records)
        self.assertGreater(len([sources for sources in logs.values() if sources]), 1)
        self.assertEqual(graph("/v1/traces", written("show", "-o", "otlp")), (logs, spans))
        root = next(cpid for cpid, sources in logs.items() if not sources)
        merged, _ = graph("/v1/traces", written("show", "-o", "otlp", "--merge-traces", root))
        self.assertEqual(merged, {cpid: logs[cpid] for cpid in merged})
        self.assertIn(root, merged)


class Limits(unittest.TestCase):
    def test_token(self):
        with folder() as place:
            path = os.path.join(place, "token")
            with open(path, "w", encoding="utf-8") as stream:
                stream.write("s3cret\n")
            for options, environment in (
                (("--token-file", path), {}),
                ((), {"FATHOM_TRACE_TOKEN": "s3cret"}),
            ):
                with Server(FATHOM, "--in-memory", *options, environment=environment) as server:
                    self.assertEqual(server.get("/healthz")[0], 200)
                    for wrong in ("", "Bearer s3cre", "Bearer s3cret2", "Bearer S3cret", "Basic s3cret"):
                        headers = {"Authorization": wrong} if wrong else {}
                        for path_asked in ("/api/v1/spans", "/metrics", "/nothing"):
                            self.assertEqual(server.get(path_asked, headers=headers)[0], 401)
                        self.assertEqual(server.post("/api/v1/mergelogs", [], headers=headers)[0], 401)
                    right = {"Authorization": "Bearer s3cret", "Host": "trace.example"}
                    self.assertEqual(server.get("/api/v1/spans", headers=right)[0], 200)
            with open(path, "w", encoding="utf-8") as stream:
                stream.write("two words\n")
            with Server(FATHOM, "--in-memory", "--token-file", path) as server:
                self.assertEqual(server.process.wait(timeout=30), 2)
                self.assertIn("expected a token", server.said)

    def test_bodies(self):
        with Server(FATHOM, "--in-memory", "--max-body", "1Ki") as server:
            small = [mergelog() for _ in range(12)]
            self.assertEqual(server.post("/api/v1/mergelogs", small[:7])[0], 200)
            status, answer = server.post("/api/v1/mergelogs", small)
            self.assertEqual((status, answer["error"]), (413, "expected at most 1024 bytes"))
            # One that asks first; one without a length and without an end.
            with socket.create_connection(("127.0.0.1", server.port)) as raw:
                raw.sendall(
                    b"POST /api/v1/spans HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999\r\n"
                    b"Content-Type: application/json\r\nExpect: 100-continue\r\n\r\n"
                )
                self.assertIn(b" 413 ", raw.recv(4096))
            with socket.create_connection(("127.0.0.1", server.port)) as raw:
                raw.sendall(
                    b"POST /api/v1/spans HTTP/1.1\r\nHost: localhost\r\n"
                    b"Transfer-Encoding: chunked\r\nContent-Type: application/json\r\n\r\n"
                )
                raw.settimeout(20)
                with self.assertRaises(ConnectionError):
                    for _ in range(100000):
                        raw.sendall(b"400\r\n" + b"x" * 1024 + b"\r\n")
            self.assertEqual(server.get("/healthz")[0], 200)

    def test_connections_that_say_nothing_keep_nobody_out(self):
        before = resource.getrlimit(resource.RLIMIT_NOFILE)
        if before[1] < CONNECTIONS_MOST + 200:
            self.skipTest("the system does not allow so many connections")
        resource.setrlimit(resource.RLIMIT_NOFILE, (CONNECTIONS_MOST + 200, before[1]))
        with Server(FATHOM, "--in-memory") as server, contextlib.ExitStack() as stack:
            for i in range(CONNECTIONS_MOST + 20):
                raw = stack.enter_context(socket.create_connection(("127.0.0.1", server.port)))
                raw.sendall(b"GET / HT" if i % 2 else b"")
            self.assertEqual(server.post("/api/v1/mergelogs", [mergelog()])[0], 200)
        resource.setrlimit(resource.RLIMIT_NOFILE, before)

    def test_as_many_connections_as_there_are_descriptors(self):
        """Where the system allows few, those that say nothing keep nobody out either."""
        few = 200

        def limit():
            resource.setrlimit(resource.RLIMIT_NOFILE, (few, few))

        with Server(FATHOM, "--in-memory", before=limit) as server, contextlib.ExitStack() as silent:
            for _ in range(2 * few):
                silent.enter_context(socket.create_connection(("127.0.0.1", server.port)))
            self.assertEqual(server.get("/healthz")[0], 200)

    def test_rate(self):
        with Server(FATHOM, "--in-memory", "--max-rate", "1") as server:
            logs = [[mergelog() for _ in range(50)] for _ in range(4)]
            statuses = [server.post("/api/v1/mergelogs", body)[0] for body in logs]
            self.assertEqual(statuses, [200, 429, 429, 429])  # the first has used up a minute
            self.assertEqual(len(server.all("mergelogs")), 50)

    def test_retention(self):
        with Server(FATHOM, "--in-memory", "--max-cpids", "50") as server:
            old = [mergelog(time=number) for number in range(1, 41)]
            server.post("/api/v1/mergelogs", old)
            self.assertEqual(server.ask("PUT", "/api/v1/live", {"cpids": [old[0]["cpid"]]})[0], 200)
            for number in range(41, 101):
                server.post("/api/v1/mergelogs", mergelog(time=number))
            left = {log["cpid"] for log in server.all("mergelogs")}
            self.assertLessEqual(len(left), 51)
            self.assertIn(old[0]["cpid"], left)
            self.assertNotIn(old[1]["cpid"], left)

    def test_a_thousand_clients(self):
        with folder() as place, Server(FATHOM, "--store", os.path.join(place, "store")) as server:
            most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
            resource.setrlimit(resource.RLIMIT_NOFILE, (min(most, 8192), most))
            clients = []
            body = [json.dumps([mergelog()]).encode() for _ in range(1000)]
            for _ in body:  # all are connected before the first is answered
                client = socket.create_connection(("127.0.0.1", server.port), timeout=60)
                clients.append(client)
            for _ in range(2):
                for client, logs in zip(clients, body):
                    client.sendall(
                        b"POST /api/v1/mergelogs HTTP/1.1\r\nHost: localhost\r\nContent-Type: "
                        b"application/json\r\nContent-Length: %d\r\n\r\n%s" % (len(logs), logs)
                    )
                for client in clients:
                    self.assertIn(b'"accepted":1', client.recv(4096))
            for client in clients:
                client.close()
            self.assertEqual(len(server.all("mergelogs")), 1000)


class Store(unittest.TestCase):
    def setUp(self):
        self.folder = folder()
        self.addCleanup(self.folder.cleanup)
        self.path = os.path.join(self.folder.name, "store")

    def server(self, *options, **more):
        return Server(FATHOM, "--store", self.path, *options, **more)

    def test_an_orderly_end_keeps_everything(self):
        with self.server() as server:
            acknowledged, threads = [], []
            ended = threading.Event()

            def load():
                while not ended.is_set():
                    log = mergelog()
                    try:
                        if server.post("/api/v1/mergelogs", log)[0] == 200:
                            acknowledged.append(log["cpid"])
                    except OSError:
                        return

            for _ in range(4):
                threads.append(threading.Thread(target=load))
                threads[-1].start()
            while len(acknowledged) < 20:
                ended.wait(0.01)
            code, said = server.stop()
            ended.set()
            for thread in threads:
                thread.join()
            self.assertEqual((code, said), (0, "fathom: trace server has stopped\n"))
        self.assertEqual(sorted(os.listdir(self.folder.name)), ["store"])
        with self.server() as server:
            self.assertLessEqual(set(acknowledged), {log["cpid"] for log in server.all("mergelogs")})

    def test_one_server_a_store(self):
        with self.server() as server, self.server() as second:
            self.assertEqual(second.process.wait(timeout=30), 2)
            self.assertIn("database is locked", second.said)
            self.assertEqual(server.get("/healthz")[0], 200)

    def test_a_full_disk_is_an_answer(self):
        def limit_files():
            resource.setrlimit(resource.RLIMIT_FSIZE, (300 << 10, 300 << 10))

        acknowledged = []
        with self.server(before=limit_files) as server:
            full = 0
            while full < 3:
                logs = [mergelog() for _ in range(200)]
                status, answer = server.post("/api/v1/mergelogs", logs)
                self.assertIn(status, (200, 507), answer)
                if status == 200:
                    self.assertEqual(answer["accepted"], 200)
                    acknowledged += [log["cpid"] for log in logs]
                full += status == 507
            # It goes on, with what it knows.
            self.assertEqual({log["cpid"] for log in server.all("mergelogs")}, set(acknowledged))
            self.assertGreater(len(acknowledged), 200)
            server.kill()
        with self.server() as server:
            self.assertEqual({log["cpid"] for log in server.all("mergelogs")}, set(acknowledged))
            self.assertEqual(server.post("/api/v1/mergelogs", mergelog())[0], 200)

    def test_one_server_a_port(self):
        with Server(FATHOM, "--in-memory") as server:
            with Server(FATHOM, "--in-memory", "--listen", f"127.0.0.1:{server.port}") as second:
                self.assertEqual(second.process.wait(timeout=30), 2)
                self.assertIn(f"cannot listen at 127.0.0.1:{server.port}: Address", second.said)

    def test_addresses(self):
        for wrong in ("7788", "example.org:80", "127.0.0.1:99999", "::1:80", "127.0.0.1:"):
            with self.server("--listen", wrong) as server:
                self.assertEqual(server.process.wait(timeout=30), 2)
                self.assertIn("expected an address and a port", server.said)
        with self.server("--listen", "0.0.0.0:0") as server:
            self.assertEqual(server.process.wait(timeout=30), 2)
            self.assertIn("or say --insecure", server.said)
        with self.server("--listen", "0.0.0.0:0", "--insecure") as server:
            self.assertIn("http://0.0.0.0:", server.said)
            self.assertIn("no token is needed", server.process.stderr.readline())


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--fathom", required=True)
    options, rest = parser.parse_known_args()
    FATHOM = os.path.abspath(options.fathom)
    program = unittest.main(argv=[sys.argv[0], *rest], exit=False)
    failed = len(program.result.failures) + len(program.result.errors)
    print(f"{program.result.testsRun - failed} passed, {failed} failed")
    sys.exit(1 if failed else 0)
