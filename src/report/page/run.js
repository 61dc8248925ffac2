// A run as the report has it: the cluster at the start, and what each step changes.

// The cluster after each step, by step: [0] is the start. Nodes that a step leaves alone are shared.
export function clustersOf(run) {
  const clusters = [{ nodes: run.start.nodes, workloads: run.start.workloads }];
  for (const step of run.steps) {
    const before = clusters[clusters.length - 1];
    let nodes = before.nodes;
    if (step.nodes || step.gone) {
      const changed = new Map((step.nodes || []).map((node) => [node.name, node]));
      const gone = new Set(step.gone || []);
      nodes = nodes.filter((node) => !gone.has(node.name)).map((node) => changed.get(node.name) || node);
      const known = new Set(nodes.map((node) => node.name));
      nodes.push(...(step.nodes || []).filter((node) => !known.has(node.name)));
    }
    clusters.push({ nodes, workloads: step.workloads || before.workloads });
  }
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

// What a step changes, for marking: names of nodes and pods.
export function changesOf(clusters, number) {
  const changes = new Set();
  if (number === 0) return changes;
  const before = new Map(clusters[number - 1].nodes.map((node) => [node.name, node]));
  for (const node of clusters[number].nodes) {
    const old = before.get(node.name);
    if (old === node) continue;
    changes.add(node.name);
    const stages = new Map((old ? old.pods : []).map((pod) => [pod[0], pod[1]]));
    for (const pod of node.pods) if (stages.get(pod[0]) !== pod[1]) changes.add(pod[0]);
  }
  const waiting = new Set(clusters[number - 1].workloads.flatMap((workload) => workload.waiting));
  for (const workload of clusters[number].workloads)
    for (const pod of workload.waiting) if (!waiting.has(pod)) changes.add(pod);
  return changes;
}

// The pods of a workload that are ready.
export function readyPods(cluster, name) {
  let ready = 0;
  for (const node of cluster.nodes)
    for (const pod of node.pods) if (pod[1] === "" && pod[2] === name) ready++;
  return ready;
}
