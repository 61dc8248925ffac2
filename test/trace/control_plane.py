# SPDX-License-Identifier: Apache-2.0
"""A small control plane whose every cause is known, and its audit log.

Users, controllers with caches that lag, a scheduler, kubelets and an API server
with optimistic concurrency, all driven by one random generator: the same seed
gives the same run. What caused a write is what its writer had newly read:

  * a reconcile reads versions of objects from its cache. Its causes are, for
    each object, the writer of the version read and the writer of its generation,
    if these are newer than what the reconcile before (of the same key) had read,
    and the deleters of what has gone since;
  * an update is refused unless its writer read the newest version; the writer of
    that version is a cause in any case;
  * the garbage collector acts on the deletion of an owner;
  * users act on their own: what they do has no cause, but for the version that
    an update replaces.

Nothing here is used by Fathom; `fathom trace import` sees the log alone.
"""

import copy
import heapq
import json
import random

EPOCH = 1_700_000_000_000_000  # microseconds


class Conflict(Exception):
    pass


class ControlPlane:
    """The API server, the clock and the log."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.now = 0  # microseconds
        self.agenda = []
        self.turn = 0
        self.version = 1000
        self.objects = {}
        self.writers = {}  # (key, version) -> audit id
        self.makers = {}  # (key, uid, generation) -> (audit id, version)
        self.deleters = {}  # (key, uid) -> audit id
        self.watchers = []
        self.log = []
        self.truth = {}  # audit id -> set of audit ids
        self.names = 0

    def after(self, delay, what, *arguments):
        self.turn += 1
        heapq.heappush(self.agenda, (self.now + max(1, int(delay)), self.turn, what, arguments))

    def run(self, until):
        while self.agenda and self.agenda[0][0] <= until:
            self.now, _, what, arguments = heapq.heappop(self.agenda)
            what(*arguments)

    def fresh(self, letters=5):
        return "".join(self.random.choice("bcdfghjklmnpqrstvwxz2456789") for _ in range(letters))

    def uuid(self):
        return f"{self.random.getrandbits(128):032x}"

    def causes_of(self, reads, previous):
        """The writers of what is new in `reads`, {key: (uid, version, generation)}."""
        causes = set()
        for key, (uid, version, generation) in reads.items():
            before = previous.get(key)
            old = before[1] if before and before[0] == uid else 0
            if version > old:
                causes.add(self.writers[key, version])
                maker = self.makers.get((key, uid, generation))
                if maker and maker[1] > old:
                    causes.add(maker[0])
            if before and before[0] != uid:
                causes.add(self.deleters[key, before[0]])
        for key, (uid, _, _) in previous.items():
            if key not in reads and (key, uid) in self.deleters:
                causes.add(self.deleters[key, uid])
        return causes

    # -- requests: each is answered at once, and logged with a start and an end

    def request(self, actor, verb, key, body=None, subresource=None, causes=()):
        """Commits and gives the object after it; raises Conflict."""
        audit_id = self.uuid()
        start = self.now - self.random.randint(100, 400)
        end = self.now + self.random.randint(100, 1000)
        old = self.objects.get(key)
        code, response = 200, None
        known = set(causes)
        if verb == "create" and not subresource:
            response = self.commit_create(key, body, audit_id)
            code = 201
        elif old is None:
            code = 404
        elif verb == "update" and body["metadata"]["resourceVersion"] != str(self.versions(old)):
            code = 409
        elif verb == "delete":
            response = self.commit_delete(key, old, body or {}, audit_id)
        elif subresource == "eviction":
            self.commit_delete(key, old, {}, audit_id)
            response = status_success()
            code = 201
        elif subresource == "binding":
            new = copy.deepcopy(old)
            new["spec"]["nodeName"] = body["target"]["name"]
            self.commit(key, old, new, audit_id)
            response = status_success()
            code = 201
        else:
            if verb == "update":
                known.add(self.writers[key, self.versions(old)])
            response = self.commit_change(key, old, verb, body, subresource, audit_id)
        self.truth[audit_id] = known
        self.write_log(audit_id, actor, verb, key, body, subresource, code, response, start, end)
        if code == 409:
            raise Conflict(key)
        return response

    @staticmethod
    def versions(obj):
        return int(obj["metadata"]["resourceVersion"])

    def commit(self, key, old, new, audit_id):
        if old is not None and canonical(old) == canonical(new):
            return old
        self.version += self.random.randint(1, 3)
        new["metadata"]["resourceVersion"] = str(self.version)
        kind = new["kind"]
        of_spec = old is not None and (old.get("spec") != new.get("spec") or (
            kind == "Deployment" and old["metadata"].get("annotations")
            != new["metadata"].get("annotations")))
        if kind != "Pod" and kind != "Node" and kind != "Service":
            generation = new["metadata"].get("generation", 0)
            if old is None or of_spec:
                generation += 1
                self.makers[key, new["metadata"]["uid"], generation] = (audit_id, self.version)
            new["metadata"]["generation"] = generation
        self.objects[key] = new
        self.writers[key, self.version] = audit_id
        self.tell(key, new)
        return new

    def commit_create(self, key, body, audit_id):
        new = copy.deepcopy(body)
        new["metadata"]["name"] = key[2]
        new["metadata"]["uid"] = self.uuid()
        return copy.deepcopy(self.commit(key, None, new, audit_id))

    def commit_delete(self, key, old, body, audit_id):
        """A pod that runs is only marked; its kubelet removes it."""
        grace = body.get("gracePeriodSeconds", 30)
        if key[0] == "Pod" and grace and old["spec"].get("nodeName"):
            new = copy.deepcopy(old)
            new["metadata"].setdefault("deletionTimestamp", instant(self.now))
            return copy.deepcopy(self.commit(key, old, new, audit_id))
        del self.objects[key]
        self.version += 1
        self.deleters[key, old["metadata"]["uid"]] = audit_id
        self.tell(key, None)
        if key[0] == "Pod":
            return copy.deepcopy(old)  # with its last version
        return status_success()

    def commit_change(self, key, old, verb, body, subresource, audit_id):
        new = copy.deepcopy(old)
        if subresource == "scale":
            new["spec"]["replicas"] = body["spec"]["replicas"]
        elif subresource == "status" and verb == "update":
            new["status"] = copy.deepcopy(body["status"])
        elif verb == "update":
            status = new.get("status")
            new = copy.deepcopy(body)
            new["metadata"]["generation"] = old["metadata"].get("generation", 0)
            if status is not None:
                new["status"] = status
        else:
            merge_patch(new, body)
        new = self.commit(key, old, new, audit_id)
        if subresource == "scale":
            return {"kind": "Scale", "apiVersion": "autoscaling/v1",
                    "metadata": {"name": key[2], "namespace": key[1],
                                 "uid": new["metadata"]["uid"],
                                 "resourceVersion": new["metadata"]["resourceVersion"]},
                    "spec": {"replicas": new["spec"]["replicas"]}}
        return copy.deepcopy(new)

    def tell(self, key, obj):
        for watcher in self.watchers:
            watcher.hear(key, copy.deepcopy(obj))

    def write_log(self, audit_id, actor, verb, key, body, subresource, code, response, start, end):
        reference = {"resource": RESOURCES[key[0]], "apiVersion": "v1"}
        if key[1]:
            reference["namespace"] = key[1]
        if not (verb == "create" and not subresource and body
                and "generateName" in body["metadata"]):
            reference["name"] = key[2]
        if subresource:
            reference["subresource"] = subresource
        if verb == "update" and body:
            reference["resourceVersion"] = body["metadata"].get("resourceVersion", "")
            reference["uid"] = body["metadata"].get("uid", "")
        request_body = copy.deepcopy(body)
        if request_body is not None and subresource in BODIES:
            request_body["kind"] = BODIES[subresource]
        line = {"kind": "Event", "apiVersion": "audit.k8s.io/v1", "level": "RequestResponse",
                "auditID": audit_id, "stage": "ResponseComplete", "verb": verb,
                "user": {"username": actor[0]}, "userAgent": actor[1], "objectRef": reference,
                "responseStatus": {"code": code},
                "requestReceivedTimestamp": instant(start), "stageTimestamp": instant(end)}
        if request_body is not None:
            line["requestObject"] = request_body
        if response is not None:
            line["responseObject"] = response
        self.log.append((end, line))

    def lines(self):
        return [line for _, line in sorted(self.log, key=lambda entry: entry[0])]


RESOURCES = {"Deployment": "deployments", "ReplicaSet": "replicasets", "Pod": "pods",
             "Node": "nodes", "PodDisruptionBudget": "poddisruptionbudgets",
             "HorizontalPodAutoscaler": "horizontalpodautoscalers"}
BODIES = {"binding": "Binding", "eviction": "Eviction", "scale": "Scale"}


def canonical(obj):
    clone = copy.deepcopy(obj)
    clone["metadata"].pop("resourceVersion", None)
    return json.dumps(clone, sort_keys=True)


def status_success():
    return {"kind": "Status", "apiVersion": "v1", "status": "Success"}


def instant(microseconds):
    total = EPOCH + microseconds
    seconds, fraction = divmod(total, 1_000_000)
    days, rest = divmod(seconds, 86400)
    # 2023-11-14 is day 19675 since 1970; runs never last for a day and a half.
    day = 14 + days - 19675
    return (f"2023-11-{day:02d}T{rest // 3600:02d}:{rest // 60 % 60:02d}:{rest % 60:02d}"
            f".{fraction:06d}Z")


def merge_patch(target, patch):
    for name, value in patch.items():
        if value is None:
            target.pop(name, None)
        elif isinstance(value, dict) and isinstance(target.get(name), dict):
            merge_patch(target[name], value)
        else:
            target[name] = copy.deepcopy(value)


def owner_of(obj):
    references = obj["metadata"].get("ownerReferences") or []
    return references[0]["uid"] if references else None


def reference_to(obj):
    return [{"apiVersion": obj["apiVersion"], "kind": obj["kind"],
             "name": obj["metadata"]["name"], "uid": obj["metadata"]["uid"], "controller": True}]


def read_of(obj):
    metadata = obj["metadata"]
    return metadata["uid"], int(metadata["resourceVersion"]), metadata.get("generation", 0)


class Controller:
    """A cache that lags behind, a queue of keys, one reconcile at a time."""

    account = ""

    def __init__(self, plane):
        self.plane = plane
        self.actor = (f"system:serviceaccount:kube-system:{self.account}",
                      "kube-controller-manager/v1.26.15")
        self.cache = {}
        self.heard_until = 0
        self.queue = []
        self.busy = False
        self.plan = []
        self.previous = {}
        plane.watchers.append(self)

    def hear(self, key, obj):
        lag = self.plane.random.randint(500, 25_000)
        self.heard_until = max(self.heard_until + 1, self.plane.now + lag)
        self.plane.after(self.heard_until - self.plane.now, self.receive, key, obj)

    def receive(self, key, obj):
        old = self.cache.get(key)
        if obj is None:
            self.cache.pop(key, None)
        else:
            self.cache[key] = obj
        for wanted in self.keys_for(key, obj if obj is not None else old):
            self.enqueue(wanted)

    def keys_for(self, key, obj):
        raise NotImplementedError

    def enqueue(self, key):
        if key not in self.queue:
            self.queue.append(key)
        if not self.busy:
            self.busy = True
            self.plane.after(self.plane.random.randint(500, 8000), self.work)

    def work(self):
        if not self.queue:
            self.busy = False
            return
        key = self.queue.pop(0)
        self.plan = []
        self.reconcile(key, {})
        self.carry_out(key)

    def ask(self, *arguments):
        """A request that this reconcile makes; they follow each other, with what was read
        before the first of them."""
        self.plan.append(arguments)

    def carry_out(self, key):
        if self.plan:
            verb, target, body, subresource, causes = (*self.plan.pop(0), None, None)[:5]
            try:
                if verb == "create" or target in self.plane.objects:
                    self.plane.request(self.actor, verb, target, body, subresource, causes or ())
                self.plane.after(self.plane.random.randint(1500, 6000), self.carry_out, key)
                return
            except Conflict:
                self.enqueue(key)
        self.plane.after(self.plane.random.randint(500, 8000), self.work)

    def read(self, reads, key):
        obj = self.cache.get(key)
        if obj is not None:
            reads[key] = read_of(obj)
        return copy.deepcopy(obj)

    def owned(self, reads, kind, uid):
        found = []
        for key, obj in sorted(self.cache.items()):
            if key[0] == kind and owner_of(obj) == uid:
                found.append(self.read(reads, key))
        return found

    def causes(self, key, reads):
        causes = self.plane.causes_of(reads, self.previous.get(key, {}))
        self.previous[key] = dict(reads)
        return causes

    def reconcile(self, key, reads):
        raise NotImplementedError


def with_owner(controller, kind, key, obj):
    """The key itself, or that of the owner of this kind."""
    if key[0] == kind:
        return [key]
    for reference in (obj or {"metadata": {}})["metadata"].get("ownerReferences") or []:
        if reference["kind"] == kind:
            return [(kind, key[1], reference["name"])]
    return []


class DeploymentController(Controller):
    account = "deployment-controller"

    def keys_for(self, key, obj):
        return with_owner(self, "Deployment", key, obj) if key[0] != "Pod" else []

    def reconcile(self, key, reads):
        deployment = self.read(reads, key)
        if deployment is None:
            return
        sets = self.owned(reads, "ReplicaSet", deployment["metadata"]["uid"])
        causes = self.causes(key, reads)
        image = deployment["spec"]["template"]["image"]
        wanted = deployment["spec"]["replicas"]
        new = next((s for s in sets if s["spec"]["template"]["image"] == image), None)
        if new is None:
            body = {"kind": "ReplicaSet", "apiVersion": "apps/v1",
                    "metadata": {"namespace": key[1], "labels": deployment["metadata"]["labels"],
                                 "ownerReferences": reference_to(deployment)},
                    "spec": {"replicas": 1 if sets else wanted,
                             "template": deployment["spec"]["template"]},
                    "status": {"replicas": 0, "readyReplicas": 0}}
            self.plane.names += 1
            name = f"{key[2]}-{self.plane.names:x}{self.plane.fresh(6)}"
            if not any(k[0] == "ReplicaSet" and owner_of(o) == deployment["metadata"]["uid"]
                       and o["spec"]["template"]["image"] == image
                       for k, o in self.plane.objects.items()):
                self.ask("create", ("ReplicaSet", key[1], name), body, None, causes)
            return
        old = [s for s in sets if s is not new and s["spec"]["replicas"] > 0]
        total = sum(s["spec"]["replicas"] for s in sets)
        ready = sum(s["status"].get("readyReplicas", 0) for s in sets)
        if not old and new["spec"]["replicas"] != wanted:
            self.scale(new, wanted, causes)
        elif old and total <= wanted and new["spec"]["replicas"] < wanted:
            self.scale(new, new["spec"]["replicas"] + 1, causes)
        elif old and ready > wanted:
            self.scale(old[0], old[0]["spec"]["replicas"] - 1, causes)
        elif old and new["spec"]["replicas"] >= wanted and ready >= total:
            self.scale(old[0], old[0]["spec"]["replicas"] - 1, causes)
        status = {"observedGeneration": deployment["metadata"]["generation"],
                  "replicas": sum(s["status"].get("replicas", 0) for s in sets),
                  "readyReplicas": ready}
        if deployment.get("status") != status:
            deployment["status"] = status
            self.ask("update", key, deployment, "status", causes)

    def scale(self, replica_set, replicas, causes):
        replica_set["spec"]["replicas"] = replicas
        key = ("ReplicaSet", replica_set["metadata"]["namespace"], replica_set["metadata"]["name"])
        self.ask("update", key, replica_set, None, causes)


class ReplicaSetController(Controller):
    account = "replicaset-controller"

    def __init__(self, plane):
        super().__init__(plane)
        self.expected = {}

    def keys_for(self, key, obj):
        return with_owner(self, "ReplicaSet", key, obj)

    def reconcile(self, key, reads):
        replica_set = self.read(reads, key)
        if replica_set is None:
            return
        uid = replica_set["metadata"]["uid"]
        pods = self.owned(reads, "Pod", uid)
        # What it did before must be seen first.
        mine = {k for k, o in self.plane.objects.items() if k[0] == "Pod" and owner_of(o) == uid}
        if self.expected.get(key, set()) - {("Pod", key[1], p["metadata"]["name"]) for p in pods
                                            } & mine:
            return
        causes = self.causes(key, reads)
        alive = [p for p in pods if "deletionTimestamp" not in p["metadata"]]
        surplus = len(alive) - replica_set["spec"]["replicas"]
        for _ in range(-surplus):
            name = f"{key[2]}-{self.plane.fresh()}"
            pod = {"kind": "Pod", "apiVersion": "v1",
                   "metadata": {"generateName": key[2] + "-", "namespace": key[1],
                                "labels": replica_set["metadata"]["labels"],
                                "ownerReferences": reference_to(replica_set)},
                   "spec": {"image": replica_set["spec"]["template"]["image"]},
                   "status": {"phase": "Pending"}}
            self.ask("create", ("Pod", key[1], name), pod, None, causes)
            self.expected.setdefault(key, set()).add(("Pod", key[1], name))
        for pod in sorted(alive, key=lambda p: ("nodeName" in p["spec"],
                                                p["metadata"]["name"]))[:max(0, surplus)]:
            pod_key = ("Pod", key[1], pod["metadata"]["name"])
            self.ask("delete", pod_key, {"kind": "DeleteOptions"}, None, causes)
        status = {"observedGeneration": replica_set["metadata"]["generation"],
                  "replicas": len(alive),
                  "readyReplicas": sum(p["status"].get("ready", False) for p in alive)}
        if replica_set.get("status") != status:
            replica_set["status"] = status
            self.ask("update", key, replica_set, "status", causes)


class Scheduler(Controller):
    account = ""

    def __init__(self, plane, nodes):
        super().__init__(plane)
        self.actor = ("system:kube-scheduler", "kube-scheduler/v1.26.15")
        self.nodes = nodes

    def keys_for(self, key, obj):
        return [key] if key[0] == "Pod" and obj and not obj["spec"].get("nodeName") else []

    def reconcile(self, key, reads):
        pod = self.read(reads, key)
        if pod is None or pod["spec"].get("nodeName"):
            return
        causes = self.causes(key, reads)
        if key in self.plane.objects and not self.plane.objects[key]["spec"].get("nodeName"):
            body = {"metadata": {"name": key[2], "namespace": key[1],
                                 "uid": pod["metadata"]["uid"]},
                    "target": {"kind": "Node", "name": self.plane.random.choice(self.nodes)}}
            self.ask("create", key, body, "binding", causes)


class Kubelet(Controller):
    def __init__(self, plane, node):
        super().__init__(plane)
        self.node = node
        self.actor = (f"system:node:{node}", "kubelet/v1.26.15")
        self.done = set()

    def keys_for(self, key, obj):
        return [key] if key[0] == "Pod" and obj and obj["spec"].get("nodeName") == self.node else []

    def reconcile(self, key, reads):
        pod = self.read(reads, key)
        if pod is None:
            return
        causes = self.causes(key, reads)
        uid = pod["metadata"]["uid"]
        if "deletionTimestamp" in pod["metadata"]:
            if (uid, "end") not in self.done:
                self.done.add((uid, "end"))
                self.plane.after(self.plane.random.randint(100_000, 800_000), self.remove, key, uid,
                                 causes)
        elif (uid, "start") not in self.done:
            self.done.add((uid, "start"))
            self.plane.after(self.plane.random.randint(50_000, 500_000), self.report, key, uid,
                             causes)

    def report(self, key, uid, causes):
        obj = self.plane.objects.get(key)
        if obj and obj["metadata"]["uid"] == uid:
            self.plane.request(self.actor, "patch", key,
                               {"status": {"phase": "Running", "ready": True}}, "status", causes)

    def remove(self, key, uid, causes):
        obj = self.plane.objects.get(key)
        if obj and obj["metadata"]["uid"] == uid:
            self.plane.request(self.actor, "delete", key,
                               {"kind": "DeleteOptions", "gracePeriodSeconds": 0}, causes=causes)


class GarbageCollector(Controller):
    account = "generic-garbage-collector"

    def keys_for(self, key, obj):
        dependents = [k for k, o in self.cache.items()
                      if obj and key not in self.cache and owner_of(o) == obj["metadata"]["uid"]]
        return sorted(dependents)

    def reconcile(self, key, reads):
        dependent = self.read(reads, key)
        if dependent is None or key not in self.plane.objects:
            return
        if "deletionTimestamp" in self.plane.objects[key]["metadata"]:
            return
        reference = dependent["metadata"]["ownerReferences"][0]
        owner = (reference["kind"], key[1], reference["name"])
        deleter = self.plane.deleters.get((owner, reference["uid"]))
        if deleter:
            self.ask("delete", key, {"kind": "DeleteOptions"}, None,
                     {deleter} | self.causes(key, reads))


class DisruptionController(Controller):
    account = "disruption-controller"

    def keys_for(self, key, obj):
        if key[0] == "PodDisruptionBudget":
            return [key]
        if key[0] != "Pod" or not obj:
            return []
        return [k for k, o in sorted(self.cache.items()) if k[0] == "PodDisruptionBudget"
                and o["spec"]["selector"]["matchLabels"] == obj["metadata"].get("labels")]

    def reconcile(self, key, reads):
        budget = self.read(reads, key)
        if budget is None:
            return
        labels = budget["spec"]["selector"]["matchLabels"]
        pods = [self.read(reads, k) for k, o in sorted(self.cache.items())
                if k[0] == "Pod" and o["metadata"].get("labels") == labels]
        causes = self.causes(key, reads)
        healthy = sum(p["status"].get("ready", False) and "deletionTimestamp" not in p["metadata"]
                      for p in pods)
        status = {"observedGeneration": budget["metadata"]["generation"],
                  "currentHealthy": healthy, "expectedPods": len(pods)}
        if budget.get("status") != status:
            budget["status"] = status
            self.ask("update", key, budget, "status", causes)


class Autoscaler(Controller):
    account = "horizontal-pod-autoscaler"

    def __init__(self, plane):
        super().__init__(plane)
        plane.after(1_000_000, self.tick)

    def keys_for(self, key, obj):
        return []

    def tick(self):
        for key in sorted(k for k in self.cache if k[0] == "HorizontalPodAutoscaler"):
            self.enqueue(key)
        self.plane.after(1_500_000, self.tick)

    def reconcile(self, key, reads):
        autoscaler = self.read(reads, key)
        if autoscaler is None:
            return
        target = ("Deployment", key[1], autoscaler["spec"]["scaleTargetRef"]["name"])
        deployment = self.read(reads, target)
        causes = self.causes(key, reads)
        if deployment is None:
            return
        wanted = deployment["spec"]["replicas"]
        if self.plane.random.random() < 0.4:
            wanted = self.plane.random.randint(1, autoscaler["spec"]["maxReplicas"])
        if wanted != deployment["spec"]["replicas"]:
            body = {"metadata": {"name": target[2], "namespace": key[1],
                                 "uid": deployment["metadata"]["uid"],
                                 "resourceVersion": deployment["metadata"]["resourceVersion"]},
                    "spec": {"replicas": wanted}}
            self.ask("update", target, body, "scale", causes)
        status = {"currentReplicas": deployment["status"].get("replicas", 0),
                  "desiredReplicas": wanted}
        if autoscaler.get("status") != status:
            autoscaler["status"] = status
            self.ask("update", key, autoscaler, "status", causes)


class Users:
    """People with kubectl; what they do depends on nothing that controllers do."""

    NAMES = ("alice", "bob", "carol")

    def __init__(self, plane, deeds):
        self.plane = plane
        self.apps = []
        self.count = 0
        when = 0
        for _ in range(deeds):
            when += plane.random.choice((20_000, 300_000, 1_500_000, 3_000_000))
            plane.after(when, self.act)
        self.last = when

    def actor(self):
        return self.plane.random.choice(self.NAMES), "kubectl/v1.26.15 (linux/amd64)"

    def act(self):
        random_ = self.plane.random
        alive = [k for k in self.apps if k in self.plane.objects]
        if len(alive) < 2 or random_.random() < 0.15:
            self.create()
            return
        key = random_.choice(alive)
        deed = random_.choice((self.patch_replicas, self.put_replicas, self.patch_scale,
                               self.patch_image, self.patch_image, self.put_image, self.label,
                               self.evict, self.delete_pod, self.delete, self.annotate,
                               self.patch_replicas))
        deed(key)

    def create(self):
        self.count += 1
        plane = self.plane
        name = f"app{self.count}"
        labels = {"app": name}
        key = ("Deployment", "default", name)
        plane.request(self.actor(), "create", key, {
            "kind": "Deployment", "apiVersion": "apps/v1",
            "metadata": {"namespace": "default", "labels": labels},
            "spec": {"replicas": plane.random.randint(1, 4),
                     "template": {"image": "v1", "labels": labels}},
            "status": {}})
        self.apps.append(key)
        if plane.random.random() < 0.5:
            plane.request(self.actor(), "create", ("PodDisruptionBudget", "default", name), {
                "kind": "PodDisruptionBudget", "apiVersion": "policy/v1",
                "metadata": {"namespace": "default"},
                "spec": {"minAvailable": 1, "selector": {"matchLabels": labels}}, "status": {}})
        if plane.random.random() < 0.4:
            plane.request(self.actor(), "create", ("HorizontalPodAutoscaler", "default", name), {
                "kind": "HorizontalPodAutoscaler", "apiVersion": "autoscaling/v2",
                "metadata": {"namespace": "default"},
                "spec": {"maxReplicas": 5, "scaleTargetRef": {
                    "apiVersion": "apps/v1", "kind": "Deployment", "name": name}}, "status": {}})

    def patch(self, key, body, subresource=None):
        self.plane.request(self.actor(), "patch", key, body, subresource)

    def put(self, key, change):
        obj = copy.deepcopy(self.plane.objects[key])
        change(obj)
        self.plane.request(self.actor(), "update", key, obj)

    def patch_replicas(self, key):
        self.patch(key, {"spec": {"replicas": self.plane.random.randint(1, 5)}})

    def put_replicas(self, key):
        self.put(key, lambda o: o["spec"].update(replicas=self.plane.random.randint(1, 5)))

    def patch_scale(self, key):
        self.patch(key, {"spec": {"replicas": self.plane.random.randint(1, 5)}}, "scale")

    def patch_image(self, key):
        self.patch(key, {"spec": {"template": {"image": f"v{self.plane.random.randint(1, 9)}"}}})

    def put_image(self, key):
        self.put(key, lambda o: o["spec"]["template"].update(
            image=f"v{self.plane.random.randint(1, 9)}"))

    def label(self, key):
        self.patch(key, {"metadata": {"labels": {"team": self.plane.fresh(3)}}})

    def annotate(self, key):
        self.patch(key, {"metadata": {"annotations": {"note": self.plane.fresh(3)}}})

    def pods_of(self, key):
        return [k for k, o in sorted(self.plane.objects.items()) if k[0] == "Pod"
                and o["metadata"]["labels"].get("app") == key[2]
                and "deletionTimestamp" not in o["metadata"]]

    def evict(self, key):
        pods = self.pods_of(key)
        if pods:
            pod = self.plane.random.choice(pods)
            self.plane.request(self.actor(), "create", pod, {
                "metadata": {"name": pod[2], "namespace": pod[1]}}, "eviction")

    def delete_pod(self, key):
        pods = self.pods_of(key)
        if pods:
            self.plane.request(self.actor(), "delete", self.plane.random.choice(pods),
                               {"kind": "DeleteOptions"})

    def delete(self, key):
        if self.plane.random.random() < 0.5:
            self.plane.request(self.actor(), "delete", key, {"kind": "DeleteOptions"})


def simulate(seed, deeds=25, nodes=3):
    """(audit log lines, truth: {audit id: set of audit ids})"""
    plane = ControlPlane(seed)
    names = [f"n{i + 1}" for i in range(nodes)]
    DeploymentController(plane)
    ReplicaSetController(plane)
    Scheduler(plane, names)
    for name in names:
        Kubelet(plane, name)
    GarbageCollector(plane)
    DisruptionController(plane)
    Autoscaler(plane)
    users = Users(plane, deeds)
    plane.run(users.last + 15_000_000)
    return plane.lines(), plane.truth
