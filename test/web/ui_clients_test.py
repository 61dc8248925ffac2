#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Clients that do not behave, against `fathom ui`: it answers others, and its memory stays bounded.

    test/web/ui_clients_test.py build/fathom
"""

import http.client
import json
import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
FATHOM = ""
CHECK = os.path.join(ROOT, "examples", "c03-spread-conflict", "broken.yaml")
CONNECTIONS = 64
MIB = 1 << 20


class Clients(unittest.TestCase):
    def setUp(self):
        self.server = subprocess.Popen([FATHOM, "ui", CHECK, "--listen", "127.0.0.1:0"], stdout=subprocess.PIPE, text=True)
        port, self.token = re.fullmatch(r"http://127\.0\.0\.1:(\d+)/#token=(\w+)\n", self.server.stdout.readline()).groups()
        self.port = int(port)
        self.sockets = []

    def tearDown(self):
        for raw in self.sockets:
            raw.close()
        self.server.send_signal(signal.SIGTERM)
        self.assertEqual(self.server.wait(60), 0)
        self.server.stdout.close()

    def ask(self, method, path, body=None, token=True):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)
        headers = {"Authorization": "Bearer " + self.token} if token else {}
        try:
            connection.request(method, path, body, headers)
            answer = connection.getresponse()
            return answer.status, answer.read()
        finally:
            connection.close()

    def ask_again(self, *request):
        """Many that came at once take a moment to be closed."""
        for _ in range(50):
            try:
                return self.ask(*request)
            except OSError:
                time.sleep(0.1)
        return self.ask(*request)

    def send(self, *parts, token=True):
        """Says something, and reads nothing."""
        raw = socket.create_connection(("127.0.0.1", self.port), timeout=60)
        self.sockets.append(raw)
        own = f"Authorization: Bearer {self.token}\r\n" if token else ""
        for part in parts:
            try:
                raw.sendall(part.replace(b"TOKEN", own.encode()))
            except OSError:
                return  # it was closed, as it should be

    def peak(self):
        with open(f"/proc/{self.server.pid}/status", encoding="utf-8") as status:
            return int(re.search(r"VmHWM:\s+(\d+)", status.read()).group(1)) * 1024

    def test_connections_that_say_nothing_keep_nobody_out(self):
        beginnings = (b"", b"GET / HTTP/1.1\r\nHost: local",
                      b"POST /api/check HTTP/1.1\r\nHost: localhost\r\nTOKENContent-Length: 99\r\n\r\n{")
        for i in range(3 * CONNECTIONS):
            self.send(beginnings[i % len(beginnings)], token=False)
        self.assertEqual(self.ask_again("GET", "/api/files")[0], 200)

    def test_bodies_without_the_token_are_not_kept(self):
        before = self.peak()
        for path in (b"/", b"/api/check"):
            for _ in range(10):
                self.send(b"POST " + path + b" HTTP/1.1\r\nHost: localhost\r\nContent-Length: 16000000\r\n\r\n",
                          b" " * 15_000_000, token=False)
        self.assertEqual(self.ask("GET", "/api/files")[0], 200)
        self.assertLess(self.peak() - before, 40 * MIB)

    def test_bodies_together_have_a_largest_size(self):
        for _ in range(CONNECTIONS - 4):
            self.send(b"POST /api/check HTTP/1.1\r\nHost: localhost\r\nTOKENContent-Length: 16000000\r\n\r\n",
                      b" " * 15_000_000)
        self.assertEqual(self.ask("GET", "/api/files")[0], 200)
        self.assertLess(self.peak(), 600 * MIB)

    def test_a_request_has_a_largest_size(self):
        self.assertEqual(self.ask("POST", "/api/check", b" " * (17 * MIB))[0], 413)
        status, content = self.ask("POST", "/api/check", b"[" + b"1," * 4_000_000 + b"1]")
        self.assertEqual(status, 413)
        self.assertIn(b"values", content)
        self.assertLess(self.peak(), 200 * MIB)

    def test_many_at_a_time_take_turns(self):
        """More clients than are worked on at a time; all get their answers."""
        with open(CHECK, encoding="utf-8") as stream:
            body = json.dumps({"files": [{"name": "check.yaml", "text": stream.read()}]})
        statuses = []
        threads = [threading.Thread(target=lambda: statuses.append(self.ask("POST", "/api/check", body)[0])) for _ in range(20)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(statuses, [200] * 20)

    def test_answers_that_nobody_reads(self):
        for _ in range(CONNECTIONS):
            self.send(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n" * 20)
        self.assertEqual(self.ask("GET", "/api/files")[0], 200)
        self.assertLess(self.peak(), 300 * MIB)


class Start(unittest.TestCase):
    def test_a_link_that_cannot_be_told(self):
        with open("/dev/full", "wb") as full:
            done = subprocess.run([FATHOM, "ui", CHECK, "--listen", "127.0.0.1:0"], stdout=full, stderr=subprocess.PIPE, timeout=60)
        self.assertEqual(done.returncode, 2)
        self.assertIn(b"standard output: cannot be written: No space left on device", done.stderr)

    def test_files_without_an_end(self):
        with tempfile.TemporaryDirectory() as folder:
            with open(os.path.join(folder, "large.yaml"), "wb") as stream:
                stream.truncate(1 << 33)
            process = subprocess.Popen([FATHOM, "ui", folder, "--listen", "127.0.0.1:0"], stdout=subprocess.PIPE,
                                       stderr=subprocess.PIPE)
            self.assertIn(b"#token=", process.stdout.readline())
            process.terminate()
            said = process.communicate(timeout=60)[1]
        self.assertEqual(process.returncode, 0)
        self.assertIn(b"left out", said)


if __name__ == "__main__":
    FATHOM = os.path.abspath(sys.argv.pop(1))
    unittest.main()
