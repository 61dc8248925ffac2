# SPDX-License-Identifier: Apache-2.0
"""A trace server as a test has it: started, asked, killed."""

import http.client
import json
import os
import re
import signal
import subprocess
import tempfile
import uuid


def folder():
    """Files of a test, in memory if possible: what tests wait for is the disk."""
    place = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    return tempfile.TemporaryDirectory(prefix="fathom-trace-", dir=place)


class Server:
    def __init__(self, fathom, *options, environment=None, before=None):
        self.process = subprocess.Popen(
            [fathom, "trace", "serve", "--listen", "127.0.0.1:0", *options],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, **(environment or {})},
            preexec_fn=before,
        )
        self.said = self.process.stderr.readline()
        found = re.search(r"http://127\.0\.0\.1:(\d+)", self.said)
        self.port = int(found.group(1)) if found else None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        self.process.stderr.close()

    def connection(self, timeout=30):
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=timeout)

    def ask(self, method, path, body=None, headers=None, connection=None):
        """The status and the answer; a body that is not bytes is sent as JSON."""
        own = connection or self.connection()
        headers = dict(headers or {})
        if body is not None and not isinstance(body, (bytes, str)):
            body = json.dumps(body)
        if body is not None:
            headers.setdefault("Content-Type", "application/json")
        own.request(method, path, body, headers)
        answer = own.getresponse()
        text = answer.read().decode()
        if not connection:
            own.close()
        if answer.getheader("Content-Type", "").startswith("application/json") and text:
            return answer.status, json.loads(text)
        return answer.status, text

    def get(self, path, **options):
        return self.ask("GET", path, **options)

    def post(self, path, body, **options):
        return self.ask("POST", path, body, **options)

    def all(self, kind):
        """Everything of a kind, page by page."""
        found, after = [], ""
        while after is not None:
            status, page = self.get(f"/api/v1/{kind}?limit=5000" + (f"&after={after}" if after else ""))
            assert status == 200, page
            found += page[kind]
            after = page["next"]
        return found

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def stop(self):
        """Asks it to end; its exit code and what else it said."""
        self.process.send_signal(signal.SIGTERM)
        rest = self.process.stderr.read()
        return self.process.wait(), rest


def mergelog(sources=(), cpid=None, time=1):
    return {"cpid": cpid or str(uuid.uuid4()), "sources": list(sources), "timeUnixNano": str(time)}


def span(cpid, name="sync", start=1, **more):
    return {
        "cpid": cpid,
        "spanId": str(uuid.uuid4()),
        "parentId": "",
        "service": "deployment-controller",
        "name": name,
        "startTimeUnixNano": str(start),
        "endTimeUnixNano": str(start + 10),
        **more,
    }
