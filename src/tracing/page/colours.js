// A colour for each controller: the same in every trace, whoever else is in it. Those that most
// traces have are told apart for certain; others get theirs by their names.

// Around the circle of hues; those that meet in most traces are far from each other.
const OF_KUBERNETES = ["horizontal-pod-autoscaler", "job-controller", "scheduler", "cronjob-controller", "garbage-collector",
  "kubelet", "endpointslice-controller", "disruption-controller", "node-lifecycle-controller", "deployment-controller",
  "statefulset-controller", "daemonset-controller", "replicaset-controller", "replication-controller", "descheduler"];
const HUES = OF_KUBERNETES.length;

function numberOf(name) {
  let hash = 2166136261;
  for (const letter of name) hash = Math.imul(hash ^ letter.codePointAt(0), 16777619) >>> 0;
  return (hash ^ (hash >>> 15)) % HUES;
}

// {hue, plain}: names that are not of Kubernetes have paler colours, which none of Kubernetes has.
function lookOf(name) {
  const place = OF_KUBERNETES.indexOf(name);
  return { hue: (place < 0 ? numberOf(name) : place) * (360 / HUES), plain: place >= 0 };
}

export function colourOf(name, dark) {
  const { hue, plain } = lookOf(name);
  if (dark) return plain ? `hsl(${hue} 60% 27%)` : `hsl(${hue} 22% 34%)`;
  return plain ? `hsl(${hue} 70% 72%)` : `hsl(${hue} 30% 83%)`;
}
