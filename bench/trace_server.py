#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How much a trace server takes, durably, and how fast it answers.

    bench/trace_server.py --fathom build/fathom [--count 1000000] [--folder DIR]

The server runs on one core (taskset), its store on a disk. Clients on four
connections send batches of 1000 mergelogs, then of 1000 spans; a batch counts
when it is acknowledged, that is, on the disk. Records per second are told by the
clock and by the processor time that the server took: on a machine that does
other things, too, the latter says what one core can do. Then the server is
started anew on its store, and asked.
"""

import argparse
import json
import os
import random
import sys
import tempfile
import threading
import time
import uuid

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "test", "traceserver"))
from server import Server

BATCH = 1000
CHANGE = 500  # CPIDs of one change: each merges one or two of the last twenty


def processor_seconds(process):
    with open(f"/proc/{process.pid}/stat", encoding="ascii") as stream:
        fields = stream.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def resident_mib(process):
    with open(f"/proc/{process.pid}/status", encoding="ascii") as stream:
        return next(int(line.split()[1]) for line in stream if line.startswith("VmRSS")) / 1024


def mergelogs(cpids, first):
    chance = random.Random(first)
    for number in range(first, first + BATCH):
        place = number % CHANGE
        near = range(max(0, place - 20), place)
        sources = {cpids[number - place + chance.choice(near)] for _ in range(2)} if place else ()
        yield {"cpid": cpids[number], "sources": list(sources), "timeUnixNano": str(10**18 + number)}


def spans(cpids, first):
    for number in range(first, first + BATCH):
        yield {
            "cpid": cpids[number],
            "spanId": str(uuid.uuid4()),
            "parentId": "",
            "service": "deployment-controller",
            "name": "syncDeployment",
            "startTimeUnixNano": str(10**18 + number),
            "endTimeUnixNano": str(10**18 + number + 1000000),
            "object": "Deployment/default/web",
            "resourceVersionRead": str(number),
            "resourceVersionWritten": str(number + 1),
        }


def load(server, kind, make, cpids):
    """Batches are made before the clock starts, some at a time."""
    spent = clock = 0.0
    for start in range(0, len(cpids), 200 * BATCH):
        bodies = [
            json.dumps(list(make(cpids, first)))
            for first in range(start, min(start + 200 * BATCH, len(cpids)), BATCH)
        ]

        def send(turn, bodies=bodies):
            connection = server.connection()
            for body in bodies[turn::4]:
                status, answer = server.post(f"/api/v1/{kind}", body, connection=connection)
                assert status == 200 and answer["accepted"] == BATCH, answer
            connection.close()

        threads = [threading.Thread(target=send, args=(turn,)) for turn in range(4)]
        before = processor_seconds(server.process)
        began = time.monotonic()
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        clock += time.monotonic() - began
        spent += processor_seconds(server.process) - before
    print(
        f"{kind}: {len(cpids) / clock:,.0f} a second by the clock, "
        f"{len(cpids) / spent:,.0f} a second of processor time"
    )


def ask(server, cpids, path):
    times, answers = [], []
    connection = server.connection()
    before = processor_seconds(server.process)
    for cpid in random.Random(1).sample(cpids, 1000):
        began = time.monotonic()
        status, answer = server.get(f"/api/v1/cpids/{cpid}/{path}", connection=connection)
        times.append((time.monotonic() - began) * 1000)
        assert status == 200
        answers.append(len(next(iter(answer.values()))))
    times.sort()
    print(
        f"{path}: {times[500]:.2f} ms in the middle, {times[990]:.2f} ms for 99 of 100, "
        f"{processor_seconds(server.process) - before:.2f} ms of processor time each; "
        f"{sum(answers) / 1000:.0f} in an answer on average, {max(answers)} at most"
    )


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--fathom", required=True)
    parser.add_argument("--count", type=int, default=1000000)
    parser.add_argument("--folder", default=None)
    parser.add_argument("--core", type=int, default=0)
    options = parser.parse_args()
    cpids = [str(uuid.uuid4()) for _ in range(options.count)]
    with tempfile.TemporaryDirectory(dir=options.folder) as place:
        store = os.path.join(place, "store")

        def start():
            def pin():
                os.sched_setaffinity(0, {options.core})

            return Server(options.fathom, "--store", store, before=pin)

        with start() as server:
            load(server, "mergelogs", mergelogs, cpids)
            load(server, "spans", spans, cpids)
            print(f"memory: {resident_mib(server.process):.0f} MiB")
            server.stop()
        print(f"store: {os.path.getsize(store) / (1 << 20):.0f} MiB")
        began = time.monotonic()
        with start() as server:
            print(
                f"start: {time.monotonic() - began:.1f} s, {processor_seconds(server.process):.1f} s of "
                f"processor time, {resident_mib(server.process):.0f} MiB"
            )
            for path in ("related", "roots", "mergelogs", "spans"):
                ask(server, cpids, path)


if __name__ == "__main__":
    main()
