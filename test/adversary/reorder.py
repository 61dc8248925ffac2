# SPDX-License-Identifier: Apache-2.0
"""The same Check with everything in another order that has no order: documents, members of
mappings, and lists that Kubernetes and Fathom read as sets."""

# The order of the others means something: plugins and profiles, patterns, commands.
SETS = {"nodeGroups", "workloads", "events", "taints", "tolerations", "containers", "values",
        "matchExpressions", "nodeSelectorTerms", "topologySpreadConstraints", "metrics", "policies",
        "volumes", "ports", "conditions", "levels", "total", "to", "ownerReferences",
        "volumeClaimTemplates", "accessModes", "initContainerStatuses", "containerStatuses",
        "preferredDuringSchedulingIgnoredDuringExecution",
        "requiredDuringSchedulingIgnoredDuringExecution"}


def is_set(key, items):
    """Of tolerations of the same taint, the first one counts."""
    return key in SETS and not (key == "tolerations" and
                                any("tolerationSeconds" in item for item in items))


def shuffled(value, key, dice):
    if isinstance(value, list):
        items = [shuffled(item, key, dice) for item in value]
        if is_set(key, items):
            dice.shuffle(items)
        return items
    if isinstance(value, dict):
        members = [(k, shuffled(v, k, dice)) for k, v in value.items()]
        dice.shuffle(members)
        return dict(members)
    return value


def reorder(case, dice):
    # A canonical start places the workloads in the order of the manifests.
    if case.spec.get("start") == "canonical":
        return None
    changed = case.copy()
    intents = changed.spec.get("intents", [])
    order = list(range(len(intents)))
    dice.shuffle(order)
    if intents:
        changed.spec["intents"] = [intents[i] for i in order]
    changed.intents = [order.index(i) for i in range(len(intents))]
    changed.documents = [shuffled(document, "", dice) for document in changed.documents]
    dice.shuffle(changed.documents)
    changed.applied = {name: [shuffled(document, "", dice) for document in documents]
                       for name, documents in changed.applied.items()}
    return changed
