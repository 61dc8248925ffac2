#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Clients that do not behave, against `fathom apiserver --memory`.

    test/apiserver/clients_test.py build/fathom
"""

import http.client
import json
import os
import socket
import stat
import subprocess
import sys
import tempfile
import time
import unittest

from serving import FATHOM, Server

CONFIG_MAPS = "/api/v1/namespaces/default/configmaps"
OBJECTS = 40
OBJECT_BYTES = 250_000
SLOW_READERS = 40
CONNECTIONS_MOST = 512


class Clients(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.server = Server(self.folder.name)
        self.sockets = []

    def tearDown(self):
        for connection in self.sockets:
            connection.close()
        self.assertEqual(self.server.stop(), 0)
        self.folder.cleanup()

    def ask(self, method, path, body=None):
        connection = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=60)
        connection.request(method, path, json.dumps(body) if body else None, {"Content-Type": "application/json"})
        answer = connection.getresponse()
        content = answer.read()
        connection.close()
        return answer.status, content

    def send(self, text):
        connection = socket.socket()
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        connection.connect(("127.0.0.1", self.server.port))
        connection.sendall(text.encode())
        self.sockets.append(connection)
        return connection

    def read_until(self, connection, words):
        connection.settimeout(60)
        content = b""
        while words not in content:
            piece = connection.recv(4096)
            if not piece:
                break
            content += piece
        return content

    def memory(self):
        with open(f"/proc/{self.server.process.pid}/status", encoding="utf-8") as status:
            line = next(line for line in status if line.startswith("VmRSS"))
        return int(line.split()[1]) * 1024

    def test_answers_that_nobody_reads_take_little_memory(self):
        for i in range(OBJECTS):
            content = {"metadata": {"name": f"c{i}"}, "data": {"x": "y" * OBJECT_BYTES}}
            self.assertEqual(self.ask("POST", CONFIG_MAPS, content)[0], 201)
        for _ in range(SLOW_READERS):
            self.send(f"GET {CONFIG_MAPS} HTTP/1.1\r\nHost: localhost\r\n\r\n").recv(1)
        status, content = self.ask("GET", CONFIG_MAPS)
        self.assertEqual(status, 200)
        self.assertEqual(len(json.loads(content)["items"]), OBJECTS)
        whole = SLOW_READERS * OBJECTS * OBJECT_BYTES
        self.assertLess(self.memory(), whole / 2)

    def test_connections_that_say_nothing_keep_nobody_out(self):
        """Those that only begin a request, or drip its body, go first; a watch stays."""
        watch = self.send(f"GET {CONFIG_MAPS}?watch=1 HTTP/1.1\r\nHost: localhost\r\n\r\n")
        self.assertIn(b"200 OK", self.read_until(watch, b"200 OK"))
        beginnings = ("", "GET / HTTP/1.1\r\nHost: local", f"POST {CONFIG_MAPS} HTTP/1.1\r\nHost: localhost\r\n"
                      "Content-Type: application/json\r\nContent-Length: 99\r\n\r\n{")
        for i in range(CONNECTIONS_MOST):
            self.send(beginnings[i % len(beginnings)])
        self.assertEqual(self.ask("POST", CONFIG_MAPS, {"metadata": {"name": "a"}})[0], 201)
        self.assertIn(b'"ADDED"', self.read_until(watch, b'"ADDED"'))

    def test_watches_leave_connections_for_requests(self):
        """Beyond seven eighths of the connections a watch gets 429, and whoever asks is answered."""
        admitted = CONNECTIONS_MOST - CONNECTIONS_MOST // 8
        answers = []
        for _ in range(CONNECTIONS_MOST + 20):
            watch = self.send(f"GET {CONFIG_MAPS}?watch=1 HTTP/1.1\r\nHost: localhost\r\n\r\n")
            watch.settimeout(60)
            answers.append(watch.recv(4096).split()[1])
        self.assertEqual(answers.count(b"200"), admitted)
        self.assertEqual(answers.count(b"429"), len(answers) - admitted)
        self.assertEqual(self.ask("POST", CONFIG_MAPS, {"metadata": {"name": "a"}})[0], 201)
        self.assertIn(b'"ADDED"', self.read_until(self.sockets[0], b'"ADDED"'))
        # One that ends makes room for another, as soon as the server writes to it and notices.
        self.sockets[0].close()
        self.assertEqual(self.ask("POST", CONFIG_MAPS, {"metadata": {"name": "b"}})[0], 201)
        status = b"429"
        end = time.monotonic() + 60
        while status == b"429" and time.monotonic() < end:
            watch = self.send(f"GET {CONFIG_MAPS}?watch=1 HTTP/1.1\r\nHost: localhost\r\n\r\n")
            watch.settimeout(60)
            status = watch.recv(4096).split()[1]
        self.assertEqual(status, b"200")

    def test_a_client_that_asked_keeps_its_connection(self):
        """Hundreds that connect and say nothing close each other."""
        kept = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=60)
        kept.request("GET", CONFIG_MAPS)
        kept.getresponse().read()
        for _ in range(CONNECTIONS_MOST + 20):
            self.send("")
        self.assertEqual(self.ask("GET", CONFIG_MAPS)[0], 200)
        kept.request("GET", CONFIG_MAPS)
        self.assertEqual(kept.getresponse().status, 200)
        kept.close()

    def test_a_watch_sends_what_is_there_piece_by_piece(self):
        for i in range(OBJECTS):
            content = {"metadata": {"name": f"c{i}"}, "data": {"x": "y" * OBJECT_BYTES}}
            self.ask("POST", CONFIG_MAPS, content)
        for _ in range(SLOW_READERS):
            self.send(f"GET {CONFIG_MAPS}?watch=1 HTTP/1.1\r\nHost: localhost\r\n\r\n").recv(1)
        self.assertLess(self.memory(), SLOW_READERS * OBJECTS * OBJECT_BYTES / 2)
        connection = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=60)
        connection.request("GET", CONFIG_MAPS + "?watch=1")
        answer = connection.getresponse()
        self.assertEqual(answer.readline(), b"\n")
        names = [json.loads(answer.readline())["object"]["metadata"]["name"] for _ in range(OBJECTS)]
        self.assertEqual(sorted(names), sorted(f"c{i}" for i in range(OBJECTS)))
        self.ask("POST", CONFIG_MAPS, {"metadata": {"name": "late"}})
        self.assertEqual(json.loads(answer.readline())["object"]["metadata"]["name"], "late")
        connection.close()

    def test_connections_that_the_system_does_not_allow_are_not_taken(self):
        self.server.stop()
        limited = ["sh", "-c", 'ulimit -n 200; exec "$0" "$@"', os.path.abspath(FATHOM[0])]
        self.server.process = subprocess.Popen(
            [*limited, "apiserver", "--memory", "--port", "0"], stdout=subprocess.PIPE, text=True
        )
        self.server.port = int(self.server.process.stdout.readline().rsplit(":", 1)[1])
        heard = 0
        watches = [
            self.send(f"GET {CONFIG_MAPS}?watch=1 HTTP/1.1\r\nHost: localhost\r\n\r\n") for _ in range(40)
        ]
        for watch in watches:
            watch.settimeout(60)
            self.assertIn(b"200 OK", watch.recv(4096))
        self.assertEqual(self.ask("POST", CONFIG_MAPS, {"metadata": {"name": "a"}})[0], 201)
        for watch in watches:
            content = b""
            while b"ADDED" not in content:
                piece = watch.recv(4096)
                self.assertTrue(piece)
                content += piece
            heard += 1
        self.assertEqual(heard, len(watches))

    def test_the_kubeconfig_is_for_the_user_alone(self):
        path = os.path.join(self.folder.name, "open")
        with open(path, "w", encoding="utf-8"):
            pass
        os.chmod(path, 0o644)
        second = Server(self.folder.name, "--write-kubeconfig", path)
        self.assertEqual(second.stop(), 0)
        self.assertEqual(stat.S_IMODE(os.stat(path).st_mode), 0o600)

    def test_other_machines_need_a_token(self):
        command = [os.path.abspath(FATHOM[0]), "apiserver", "--memory", "--port", "0", "--listen", "0.0.0.0"]
        refused = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
        self.assertEqual(refused.returncode, 2)
        self.assertIn("--token-file, or say --insecure", refused.stderr)
        with subprocess.Popen([*command, "--insecure"], stdout=subprocess.PIPE, text=True) as allowed:
            self.assertIn("http://0.0.0.0:", allowed.stdout.readline())
            allowed.terminate()


if __name__ == "__main__":
    # What a build with AddressSanitizer has freed is not to count as kept.
    os.environ["ASAN_OPTIONS"] = ":".join(filter(None, [os.environ.get("ASAN_OPTIONS"), "quarantine_size_mb=1"]))
    if len(sys.argv) > 1:
        FATHOM.append(sys.argv.pop(1))
    unittest.main()
