// A run as the report has it: the cluster at the start, and what each step changes. The form of the
// data is described in report_html_data.h.

// A list that is told by what is new in it.
function patched(old, change) {
  const [start, end, added] = change;
  return [...old.slice(0, start), ...added, ...old.slice(old.length - end)];
}

function nodeAfter(old, change) {
  const base = old || { zone: "", condition: "", pods: [] };
  return { ...base, ...change, pods: patched(base.pods, change.pods) };
}

function workloadsAfter(old, changes) {
  const known = new Map(old.map((workload) => [workload.name, workload]));
  return changes.map((change) => ({ ...change,
    waiting: patched(known.has(change.name) ? known.get(change.name).waiting : [], change.waiting) }));
}

// Ready pods by workload, in an array of its own.
function countReady(counts, node, sign) {
  for (const pod of node.pods) if (pod[1] === "" && pod[2] >= 0) counts[pod[2]] += sign;
}

export function clusterAfter(before, step) {
  const cluster = { nodes: before.nodes, workloads: before.workloads, ready: before.ready, places: before.places };
  if (step.workloads) cluster.workloads = workloadsAfter(before.workloads, step.workloads);
  if (!step.nodes && !step.gone) return cluster;
  cluster.ready = before.ready.slice();
  cluster.nodes = before.nodes.slice();
  let moved = false;
  for (const change of step.nodes || []) {
    const place = before.places.get(change.name);
    const old = place === undefined ? undefined : before.nodes[place];
    const node = nodeAfter(old, change);
    if (old) countReady(cluster.ready, old, -1);
    countReady(cluster.ready, node, 1);
    if (old) cluster.nodes[place] = node;
    else moved = cluster.nodes.push(node) > 0;
  }
  const gone = new Set(step.gone || []);
  for (const name of gone) countReady(cluster.ready, before.nodes[before.places.get(name)], -1);
  if (gone.size > 0) cluster.nodes = cluster.nodes.filter((node) => !gone.has(node.name));
  if (moved || gone.size > 0) cluster.places = placesOf(cluster.nodes);
  return cluster;
}

function placesOf(nodes) {
  return new Map(nodes.map((node, place) => [node.name, place]));
}

export function emptyCluster(workloads) {
  return { nodes: [], workloads: [], ready: workloads.map(() => 0), places: new Map() };
}

// The cluster after each step, by step: [0] is the start. Nodes that a step leaves alone are shared.
export function clustersOf(run) {
  const clusters = [clusterAfter(emptyCluster(run.workloads), run.start)];
  for (const step of run.steps) clusters.push(clusterAfter(clusters[clusters.length - 1], step));
  return clusters;
}

// The names of nodes that differ somewhere in the run, or are not there all the time.
export function busyNodes(run) {
  const busy = new Set();
  for (const step of run.steps) {
    for (const node of step.nodes || []) busy.add(node.name);
    for (const name of step.gone || []) busy.add(name);
  }
  return busy;
}

// What differs between two clusters: names of nodes and pods.
function changesBetween(before, after) {
  const changes = new Set();
  if (!before) return changes;
  for (const node of after.nodes) {
    const place = before.places.get(node.name);
    const old = place === undefined ? undefined : before.nodes[place];
    if (old === node) continue;
    changes.add(node.name);
    const stages = new Map((old ? old.pods : []).map((pod) => [pod[0], pod[1]]));
    for (const pod of node.pods) if (stages.get(pod[0]) !== pod[1]) changes.add(pod[0]);
  }
  if (before.workloads === after.workloads) return changes;
  const waiting = new Set(before.workloads.flatMap((workload) => workload.waiting));
  const wanted = new Map(before.workloads.map((workload) => [workload.name, workload.replicas]));
  for (const workload of after.workloads) {
    for (const pod of workload.waiting) if (!waiting.has(pod)) changes.add(pod);
    if (wanted.get(workload.name) !== workload.replicas) changes.add(workload.name);
  }
  return changes;
}

// What of a step is marked: what it changed; if that is nothing, what it is about.
export function marksOf(before, after, step) {
  const marks = changesBetween(before, after);
  if (marks.size === 0 && step && step.about) marks.add(step.about).add(step.about.split("/").pop());
  return marks;
}

// The names of nodes, pods and workloads of a cluster that are otherwise in another one.
export function differencesBetween(other, cluster) {
  const differences = new Set();
  for (const node of cluster.nodes) {
    const place = other.places.get(node.name);
    const old = place === undefined ? { condition: null, pods: [] } : other.nodes[place];
    const stages = new Map(old.pods.map((pod) => [pod[0], pod[1]]));
    const changed = node.pods.filter((pod) => stages.get(pod[0]) !== pod[1]);
    for (const pod of changed) differences.add(pod[0]);
    if (old.condition !== node.condition || changed.length > 0 || old.pods.length !== node.pods.length
      || String(old.cpu) !== String(node.cpu) || String(old.memory) !== String(node.memory)) differences.add(node.name);
  }
  const workloads = new Map(other.workloads.map((workload) => [workload.name, workload]));
  for (const workload of cluster.workloads) {
    const old = workloads.get(workload.name);
    if (!old || old.replicas !== workload.replicas) differences.add(workload.name);
    const waited = new Set(old ? old.waiting : []);
    for (const pod of workload.waiting) if (!waited.has(pod)) differences.add(pod);
  }
  return differences;
}
