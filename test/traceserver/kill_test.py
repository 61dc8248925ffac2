#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Kills the trace server while it is being written to, again and again.

    test/traceserver/kill_test.py --fathom build/fathom [--rounds 100] [--seed N]

After each kill (-9, at a random moment) the store must be sound, the server must
start on it, and every record that was acknowledged in any round must be there,
as it was sent; and none that was never sent.
"""

import argparse
import os
import random
import sqlite3
import sys
import threading

from server import Server, folder, mergelog, span


class Client(threading.Thread):
    """Sends records until the connection breaks; single ones and batches."""

    def __init__(self, server, seed):
        super().__init__()
        self.server = server
        self.random = random.Random(seed)
        self.sent = {"mergelogs": {}, "spans": {}}
        self.acknowledged = {"mergelogs": set(), "spans": set()}
        self.first = threading.Event()
        self.problem = None

    def batch(self):
        logs, spans = [], []
        known = list(self.sent["mergelogs"])[-20:]
        for _ in range(self.random.choice((1, 1, 5, 50, 400))):
            sources = self.random.sample(known, min(len(known), self.random.randint(0, 3)))
            logs.append(mergelog(sources, time=len(self.sent["mergelogs"]) + 1))
            spans.append(span(logs[-1]["cpid"], object=f"Pod/default/{self.random.random()}"))
            known.append(logs[-1]["cpid"])
        self.random.shuffle(logs)
        return {"mergelogs": logs, "spans": spans}

    def run(self):
        connection = self.server.connection(timeout=20)
        try:
            while True:
                batch = self.batch()
                self.sent["mergelogs"].update((log["cpid"], log) for log in batch["mergelogs"])
                self.sent["spans"].update((one["spanId"], one) for one in batch["spans"])
                status, answer = self.server.post("/api/v1/records", batch, connection=connection)
                if status != 200 or answer["refused"]:
                    self.problem = f"{status} {answer}"
                    break
                self.acknowledged["mergelogs"].update(log["cpid"] for log in batch["mergelogs"])
                self.acknowledged["spans"].update(one["spanId"] for one in batch["spans"])
                self.first.set()
        except OSError:
            pass
        except Exception as problem:  # an answer that was cut off
            self.problem = None if "IncompleteRead" in repr(problem) else repr(problem)
        self.first.set()
        connection.close()


def normal(kind, record):
    return {**record, "sources": sorted(record["sources"])} if kind == "mergelogs" else record


def check(server, sent, acknowledged):
    """What is wrong with what the server has, as a list of sentences."""
    problems = []
    for kind, key in (("mergelogs", "cpid"), ("spans", "spanId")):
        found = {record[key]: record for record in server.all(kind)}
        lost = acknowledged[kind] - found.keys()
        if lost:
            problems.append(f"{len(lost)} acknowledged {kind} are lost")
        for name, record in found.items():
            if name not in sent[kind]:
                problems.append(f"{kind}: {name} was never sent")
            elif normal(kind, sent[kind][name]) != normal(kind, record):
                problems.append(f"{kind}: {record} was sent as {sent[kind][name]}")
    return problems


def soundness(path):
    """SQLite's own opinion; afterwards, since it is the server that has to recover."""
    database = sqlite3.connect(path)
    answer = database.execute("PRAGMA integrity_check").fetchall()
    database.close()
    return [] if answer == [("ok",)] else [f"the store is damaged: {answer[:3]}"]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--fathom", required=True)
    parser.add_argument("--rounds", type=int, default=100)
    parser.add_argument("--clients", type=int, default=3)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    chance = random.Random(options.seed)
    sent = {"mergelogs": {}, "spans": {}}
    acknowledged = {"mergelogs": set(), "spans": set()}
    failed = 0
    with folder() as place:
        path = os.path.join(place, "store")
        for number in range(options.rounds):
            problems = []
            with Server(options.fathom, "--store", path) as server:
                if not server.port:
                    problems.append(f"the server does not start: {server.said}")
                else:
                    clients = [Client(server, chance.random()) for _ in range(options.clients)]
                    for client in clients:
                        client.start()
                    clients[0].first.wait()
                    threading.Event().wait(chance.random() ** 2 * 0.2)
                    server.kill()
                    for client in clients:
                        client.join()
                        for kind in sent:
                            sent[kind].update(client.sent[kind])
                            acknowledged[kind] |= client.acknowledged[kind]
                        if client.problem:
                            problems.append(client.problem)
            if number % 10 == 9 or number == options.rounds - 1:
                with Server(options.fathom, "--store", path) as server:
                    problems += check(server, sent, acknowledged)
                problems += soundness(path)
            for problem in problems[:5]:
                print(f"round {number}: {problem}")
            failed += bool(problems)
    count = sum(len(names) for names in acknowledged.values())
    print(f"{count} acknowledged of {sum(len(names) for names in sent.values())} records sent")
    print(f"{options.rounds - failed} passed, {failed} failed")
    return 1 if failed or not count else 0


if __name__ == "__main__":
    sys.exit(main())
