# SPDX-License-Identifier: Apache-2.0
"""What an adversary changes of a Check, and which verdicts may change with it.

A row of RELATIONS has a function that gives the changed case (None if it does not apply to
this one) and a rule. To add a relation, write the function and its row."""
import collections

import rename
import reorder
import restate
import unrelated

# `settles`: the unrelated workload comes to rest, so that nobody waits for it.
Relation = collections.namedtuple("Relation", "name apply rule settles", defaults=(True,))


def steps(intent):
    """A counterexample without a loop is a shortest one, however things are called. A loop is
    any fair one."""
    return "" if intent["loop"] else f" in {len(intent['trace'])} steps"


def outcome(intent):
    """The verdict, and of a violation its smallest scale and its length."""
    if intent["verdict"] != "violated":
        return intent["verdict"]
    scale = intent["scale"]
    return f"violated with {scale['nodes']} nodes and {scale['pods']} pods{steps(intent)}"


def same(before, after, _intent):
    """The Check says the same as before."""
    return outcome(before) == outcome(after)


def same_scale(before, after, _intent):
    """The same where the model may leave out more or less: what no intent reads has no steps."""
    return outcome(before).split(" in ")[0] == outcome(after).split(" in ")[0]


def kept(before, after, intent):
    """A run of the cluster is still one when something unrelated is added, so what was
    violated stays violated. What held of all workloads may be violated by the new one; what
    held of another workload still holds."""
    if before["verdict"] == "violated":
        return after["verdict"] == "violated"
    return after["verdict"] == "holds" or "workload" not in intent


def violated_stays(before, after, _intent):
    """The same of pods that are on a node for a moment, until their kubelet refuses them: the
    scheduler counts what they request, and a drain waits for them."""
    return before["verdict"] != "violated" or after["verdict"] == "violated"


def of_one(apply):
    """With intents of the only workload, which nothing unrelated can violate."""
    def both(case, dice):
        limited = restate.limited(case, dice)
        return apply(limited, dice) if limited else None
    return both


RELATIONS = (
    Relation("rename", rename.rename, same),
    Relation("reorder", reorder.reorder, same),
    Relation("split", restate.split, same),
    Relation("defaults", restate.defaults, same),
    Relation("files", restate.files, same),
    Relation("alone", restate.alone, same_scale),
    Relation("limited", restate.limited, same_scale),
    Relation("strangers", unrelated.strangers, same),
    Relation("paused", unrelated.paused, kept),
    Relation("zero", unrelated.zero, kept),
    Relation("suspended", unrelated.suspended, kept),
    Relation("finished", unrelated.finished, kept),
    Relation("huge", unrelated.huge, kept),
    Relation("huge-of-one", of_one(unrelated.huge), kept),
    Relation("ready", unrelated.ready, kept),
    Relation("ready-of-one", of_one(unrelated.ready), kept),
    Relation("namesake", unrelated.namesake, kept),
    Relation("namesake-of-one", of_one(unrelated.namesake), kept),
    Relation("never-ready", unrelated.never_ready, kept),
    Relation("never-ready-of-one", of_one(unrelated.never_ready), kept),
    Relation("busy", unrelated.busy, violated_stays, False),
    Relation("busy-stateful", unrelated.busy_stateful, violated_stays, False),
    Relation("misplaced", unrelated.misplaced, violated_stays, False),
    Relation("slow-loop", unrelated.slow_loop, kept, False),
    Relation("slow-loop-of-one", of_one(unrelated.slow_loop), kept, False),
    Relation("slow-loop-stateful", unrelated.slow_loop_stateful, kept, False),
    Relation("quarrel", unrelated.quarrel, kept, False),
    Relation("quarrel-of-one", of_one(unrelated.quarrel), kept, False),
)

# A cluster autoscaler looks at all pods and nodes, and its flags and groups have names; and so do
# expressions.
WHERE_ALL_IS_SEEN = {"reorder", "files"}
EXPRESSIONS = {"always", "never", "eventually", "stable", "leadsTo", "until", "reachable", "alwaysPossible"}


def applicable(relations, case):
    """Those that leave what controllers and expressions of the case look at as it is."""
    own_words = any(EXPRESSIONS & intent.keys() for intent in case.spec.get("intents", []))
    if not own_words and "clusterAutoscaler" not in case.spec.get("controllers", {}):
        return relations
    return [relation for relation in relations if relation.name in WHERE_ALL_IS_SEEN]


def chosen(names):
    """The relations of a list of names: `all`, or `settling` for those that come to rest."""
    known = {relation.name: relation for relation in RELATIONS}
    if names == "all":
        return RELATIONS
    if names == "settling":
        return [relation for relation in RELATIONS if relation.settles]
    return [known[name] for name in names.split(",")]
