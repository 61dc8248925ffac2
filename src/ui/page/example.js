// What somebody without files can begin with: a rollout that a budget, nodes and a spread decide about.
export const EXAMPLE = {
  name: "example.yaml",
  text: `# Two nodes, and an application that is drained from them: can it be?
# Press "Verify", or "Explore by hand". Then change minAvailable to 1.
apiVersion: fathom/v1
kind: Check
metadata:
  name: example
spec:
  nodeGroups:
  - name: node
    count: 2
    node:
      status: {allocatable: {cpu: "2", memory: 4Gi, pods: "110"}}
  events:
  - {name: maintenance, atMost: 1, after: settled}
  intents:
  - {name: drainCompletes}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: default}
spec:
  replicas: 2
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers:
      - name: web
        image: example.org/web:1
        resources: {requests: {cpu: 500m, memory: 1Gi}}
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: {name: web, namespace: default}
spec:
  minAvailable: 2
  selector: {matchLabels: {app: web}}
`,
};
