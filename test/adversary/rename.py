# SPDX-License-Identifier: Apache-2.0
"""The same Check with other names: of objects, namespaces, node groups, containers and
schedulers, and of labels, taints and their values.

A name is spelled with the alphabet backwards (a for z). So parts of names fit together as
before (`web-*`, the node `pool-1` of the group `pool`), and names are in another order. Names
that Kubernetes gives a meaning stay."""
import re

CLUSTER_KINDS = {"Node", "PriorityClass", "PersistentVolume", "StorageClass", "Namespace",
                 "RuntimeClass", "CSINode", "Check"}
KUBERNETES_NAMES = {"default-scheduler", "kube-system", "kube-public", "kube-node-lease",
                    "system-cluster-critical", "system-node-critical", "metadata.name"}
KUBERNETES_LABELS = {"pod-template-hash", "controller-revision-hash", "pod-template-generation",
                     "job-name", "controller-uid"}
KEPT_VALUES = {"kubernetes.io/os", "kubernetes.io/arch", "pod-template-generation"}

# Members whose text is a name, wherever they stand.
NAMES = {"namespace", "nodeName", "priorityClassName", "runtimeClassName", "schedulerName",
         "serviceName", "claimName", "storageClassName", "volumeName", "container", "currentRevision", "updateRevision",
         "group", "node", "zone"}
# Mappings and lists whose member `name` is one that somebody chose.
NAMED = {"metadata", "ownerReferences", "scaleTargetRef", "claimRef", "nodeGroups", "containers",
         "initContainers", "containerStatuses", "priorityThreshold"}
LABELS = {"labels", "matchLabels", "nodeSelector"}
EXPRESSIONS = {"matchExpressions", "matchFields", "taints", "tolerations"}
OBJECTS = {"workload", "object"}


def name(text):
    if text in KUBERNETES_NAMES:
        return text
    return re.sub("[a-z]", lambda c: chr(ord("a") + ord("z") - ord(c[0])),
                  re.sub("[A-Z]", lambda c: chr(ord("A") + ord("Z") - ord(c[0])), text))


def label_key(key):
    domain = key.rpartition("/")[0]
    kept = key in KUBERNETES_LABELS or re.search(r"(^|\.)(kubernetes|k8s)\.io$", domain)
    return key if kept or key in KUBERNETES_NAMES else name(key)


def label_value(key, value):
    return value if key in KEPT_VALUES else name(value)


def labels(mapping):
    return {label_key(key): label_value(key, value) for key, value in mapping.items()}


def object_name(text):
    """Kind/namespace/name or Kind/name."""
    kind, _, rest = text.partition("/")
    return "/".join([kind, *(name(part) for part in rest.split("/"))])


def selector_text(text):
    """As in `key=value,key=value`."""
    return ",".join("=".join(name(part) if n else label_key(part)
                             for n, part in enumerate(term.split("="))) for term in text.split(","))


def expression(item):
    changed = dict(item)
    key = item.get("key", "")
    if key:
        changed["key"] = label_key(key)
    if "value" in item:
        changed["value"] = label_value(key, item["value"])
    if "values" in item:
        changed["values"] = [label_value(key, value) for value in item["values"]]
    return changed


def renamed(value, key, parent):
    """The value of the member `key` of the member `parent`; items of lists have the key of
    their list."""
    if isinstance(value, list):
        return [renamed(item, key, parent) for item in value]
    if isinstance(value, dict):
        if key in LABELS or key == "selector" and all(isinstance(v, str) for v in value.values()):
            return labels(value)
        if key in EXPRESSIONS:
            return expression(value)
        if key == "groups":  # of the cluster autoscaler
            return {name(group): limits for group, limits in value.items()}
        return {k: renamed(v, k, key) for k, v in value.items()}
    if not isinstance(value, str):
        return value
    if key == "topologyKey":
        return label_key(value)
    if key == "nodeSelector":
        return selector_text(value)
    if key in OBJECTS or key == "name" and parent == "workloads":
        return object_name(value)
    if key in NAMES or key == "name" and parent in NAMED:
        return name(value)
    if parent == "namespaces" and key in ("include", "exclude"):
        return name(value)
    return value


def rename(case, _dice):
    changed = case.copy()
    for document in changed.all_documents():
        if document.get("kind") not in CLUSTER_KINDS:
            document["metadata"].setdefault("namespace", "default")
        for key in document:
            document[key] = renamed(document[key], key, "")
    return changed
