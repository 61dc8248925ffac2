# SPDX-License-Identifier: Apache-2.0
"""The seeded mistakes, and what a checker has to say of each.

A row names a plugin of this folder with its parameters, what the user does, the budgets
and reductions, and what has to come out: the verdicts of `esr` and of safety, the length
of the stem, and how many states and transitions there are.
"""


def create(name="a", finalizers=None, **spec):
    metadata = {"name": name, "namespace": "default"}
    if finalizers:
        metadata["finalizers"] = finalizers
    return {
        "op": "create",
        "object": {"apiVersion": "example.org/v1", "kind": "Simple", "metadata": metadata, "spec": spec},
    }


def update(name="a", **spec):
    return create(name, **spec) | {"op": "update"}


def delete(name="a"):
    return {"op": "delete", "kind": "Simple", "name": name}


EVICTED = {
    "op": "update",
    "object": {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "a-1", "namespace": "default"}, "spec": {}},
}

SIMPLE = {"objects": ["service", "config", "set"]}
SET = {"objects": ["set"]}
SERVICES = {"objects": ["nodes", "main"]}
F = {"fuseSchedule": True}
FS = {"fuseSchedule": True, "statusController": False}
STALE = {"staleReads": 1, "crashes": 1}
CRASH = {"crashes": 1}


def row(name, plugin, parameters, script, budgets, reductions, esr="holds", safety=None, stem=None, states=None, transitions=None):
    return dict(locals())


ROWS = [
    row("ok-1", "simple", SIMPLE, [create(replicas=1, conf="a"), update(replicas=3, conf="b")], CRASH, {}, states=68174, transitions=252274),
    row("ok-2", "simple", SIMPLE, [create(replicas=1, conf="a")], {"crashes": 1, "failures": 1}, {}, states=8962, transitions=32626),
    row("B1", "simple", SIMPLE | {"enough": True}, [create(replicas=1, conf="a")], CRASH, {}, "progress", None, 8, 558, 1681),
    row("B1-", "simple", SIMPLE | {"enough": True}, [create(replicas=1, conf="a")], {}, {}, states=123, transitions=295),
    row("B2", "zk", {"parentIsError": True}, [create(replicas=3), update(replicas=2)], CRASH, FS, "progress", None, 27, 4392, 8460),
    row("B2-", "zk", {"parentIsError": True}, [create(replicas=3)], CRASH, FS, states=457, transitions=830),
    row("B2f", "zk", {}, [create(replicas=3), update(replicas=2)], CRASH, FS, states=4633, transitions=8949),
    row("B3", "zk", {"znodeLast": True}, [create(replicas=3), update(replicas=2)], CRASH, FS, "progress", None, 14, 4047, 7715),
    row("B4", "simple", SIMPLE | {"storage": "sent"}, [create(storage=1), update(storage=2)], {}, {}, "progress", None, 19, 3262, 9245),
    row("B4h", "simple", SIMPLE, [create(storage=1), update(storage=2)], {}, {}, "progress", None, 19, 3286, 9311),
    row("B4f", "simple", SIMPLE | {"storage": "sent", "rule": True}, [create(storage=1), update(storage=2)], {}, {}, states=645, transitions=2011),
    row("B5", "simple", SET | {"shrinkingIsBad": True}, [create(replicas=3), delete(), create(replicas=1)], {}, {}, "holds", "violated", 17, 5947, 19549),
    row("B5f", "simple", SET | {"shrinkingIsBad": True, "checkOwner": True}, [create(replicas=3), delete(), create(replicas=1)], {}, {}, "holds", "holds", None, 3635, 12515),
    row("B5fc", "simple", SET | {"shrinkingIsBad": True, "checkOwner": True}, [create(replicas=3), delete(), create(replicas=1)], CRASH, FS, "holds", "holds", None, 667, 1707),
    row("B6", "simple", SERVICES, [create("foo"), create("foo-nodes")], {}, {}, "stability", None, 24, 17779, 52072),
    row("B6f", "simple", SERVICES | {"mainSuffix": "-client"}, [create("foo"), create("foo-nodes")], {}, {}, states=9215, transitions=26880),
    row("B7", "zk", {"unversioned": True, "safety": "told"}, [create(replicas=3), update(replicas=2), update(replicas=1)], CRASH, FS, "holds", "violated", 61, 16376, 33950),
    row("B7f", "zk", {"safety": "told"}, [create(replicas=3), update(replicas=2), update(replicas=1)], CRASH, FS, "holds", "holds", None, 17177, 35908),
    row("B8", "zk", {"unchecked": True, "safety": "told"}, [create(replicas=3), update(replicas=2)], {"crashes": 1, "failures": 1}, FS, "holds", "violated", 44, 14880, 30832),
    row("B9", "one_set", {"shortcut": True, "unversioned": True}, [create(replicas=1), update(replicas=2), update(replicas=3)], CRASH, FS, "progress", None, 27, 1455, 2916),
    row("B9a", "one_set", {"shortcut": True}, [create(replicas=1), update(replicas=2), update(replicas=3)], CRASH, FS, states=1531, transitions=3059),
    row("B9b", "one_set", {"unversioned": True}, [create(replicas=1), update(replicas=2), update(replicas=3)], CRASH, FS, states=2079, transitions=4188),
    row("B10", "zk", {}, [create(replicas=3, conf="ok"), update(replicas=2, conf="bad")], {}, FS, "progress", None, 21, 237, 281),
    row("B10f", "zk", {"rule": True}, [create(replicas=3, conf="ok"), update(replicas=2, conf="bad")], {}, FS, states=89, transitions=133),
    row("N1", "zk", {"safety": "strict"}, [create(replicas=3), update(replicas=2)], CRASH, FS, "holds", "violated", 25, 4633, 8949),
    row("N1f", "zk", {"safety": "strict", "direct": True}, [create(replicas=3), update(replicas=2)], CRASH, FS, "holds", "holds", None, 4551, 8808),
    row("N1f-2", "zk", {"safety": "strict", "direct": True}, [create(replicas=3), update(replicas=2)], {"crashes": 2}, FS, "holds", "holds", None, 34290, 95747),
    row("I2", "resize", {}, [create(size=10), update(size=15)], CRASH, FS, "progress", None, 16, 827, 1528),
    row("I2-", "resize", {}, [create(size=10), update(size=15)], {}, FS, states=89, transitions=106),
    row("I2f", "resize", {"compare": "claim"}, [create(size=10), update(size=15)], CRASH, FS, states=764, transitions=1423),
    row("U2", "ring", {}, [create(replicas=3), update(replicas=2), update(replicas=3)], {}, FS, "progress", None, 23, 270, 369),
    row("U2f", "ring", {"recommission": True}, [create(replicas=3), update(replicas=2), update(replicas=3)], {}, FS, states=279, transitions=378),
    row("S1", "sieve", {"seed": "S1"}, [create(replicas=2), update(replicas=1), update(replicas=2)], STALE, FS, None, "violated"),
    row("S2", "sieve", {"seed": "S2"}, [create(finalizers=["claims"]), delete(), create(finalizers=["claims"])], STALE, FS, None, "violated"),
    row("S2-", "sieve", {"seed": "S2"}, [create(finalizers=["claims"]), delete(), create(finalizers=["claims"])], CRASH, FS, "holds", "holds"),
    row("S2f", "sieve", {"seed": "S2", "fixed": True}, [create(finalizers=["claims"]), delete(), create(finalizers=["claims"])], STALE, FS, "holds", "holds"),
    row("S3", "sieve", {"seed": "S3"}, [create(size=10), update(size=15)], STALE, FS, None, "violated"),
    row("S3-", "sieve", {"seed": "S3"}, [create(size=10), update(size=15)], CRASH, FS, "holds", "holds"),
    row("S3f", "sieve", {"seed": "S3", "fixed": True}, [create(size=10), update(size=15)], STALE, FS, "holds", "holds"),
    row("U1", "sieve", {"seed": "U1"}, [create(replicas=2), update(replicas=1), EVICTED], {}, FS, "progress"),
    row("U1f", "sieve", {"seed": "U1", "fixed": True}, [create(replicas=2), update(replicas=1), EVICTED], {}, FS, "holds"),
]
