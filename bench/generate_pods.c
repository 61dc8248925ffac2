/* SPDX-License-Identifier: Apache-2.0 */
#include "generate_pods.h"

static void generate_metadata(FILE *stream, uint32_t pod)
{
    const uint32_t workload = pod / 25;
    fprintf(stream,
            "- apiVersion: v1\n"
            "  kind: Pod\n"
            "  metadata:\n"
            "    creationTimestamp: \"2023-03-%02uT10:%02u:00Z\"\n"
            "    generateName: workload-%u-7d4b9c6f5d-\n"
            "    labels:\n"
            "      app: workload-%u\n"
            "      app.kubernetes.io/part-of: shop\n"
            "      pod-template-hash: 7d4b9c6f5d\n"
            "    name: workload-%u-7d4b9c6f5d-%05x\n"
            "    namespace: team-%u\n"
            "    ownerReferences:\n"
            "    - apiVersion: apps/v1\n"
            "      blockOwnerDeletion: true\n"
            "      controller: true\n"
            "      kind: ReplicaSet\n"
            "      name: workload-%u-7d4b9c6f5d\n"
            "      uid: 6f1c2f0e-0000-4000-8000-%012x\n"
            "    resourceVersion: \"%u\"\n"
            "    uid: 0b9d5c1a-0000-4000-9000-%012x\n",
            1 + pod % 28, pod % 60, workload, workload, workload, pod, workload % 40, workload,
            workload, 100000 + pod, pod);
}

static void generate_spec(FILE *stream, uint32_t pod)
{
    const uint32_t workload = pod / 25;
    fprintf(stream,
            "  spec:\n"
            "    affinity:\n"
            "      podAntiAffinity:\n"
            "        preferredDuringSchedulingIgnoredDuringExecution:\n"
            "        - podAffinityTerm:\n"
            "            labelSelector:\n"
            "              matchLabels:\n"
            "                app: workload-%u\n"
            "            topologyKey: kubernetes.io/hostname\n"
            "          weight: 100\n"
            "    containers:\n"
            "    - env:\n"
            "      - name: LOG_LEVEL\n"
            "        value: info\n"
            "      image: registry.example.com/shop/workload-%u:v1.%u\n"
            "      imagePullPolicy: IfNotPresent\n"
            "      name: main\n"
            "      ports:\n"
            "      - containerPort: 8080\n"
            "        protocol: TCP\n"
            "      readinessProbe:\n"
            "        failureThreshold: 3\n"
            "        httpGet:\n"
            "          path: /healthz\n"
            "          port: 8080\n"
            "          scheme: HTTP\n"
            "        periodSeconds: 10\n"
            "        timeoutSeconds: 1\n"
            "      resources:\n"
            "        limits:\n"
            "          memory: %uMi\n"
            "        requests:\n"
            "          cpu: %um\n"
            "          memory: %uMi\n"
            "      volumeMounts:\n"
            "      - mountPath: /etc/config\n"
            "        name: config\n"
            "    dnsPolicy: ClusterFirst\n"
            "    nodeName: node-%u\n"
            "    priority: 0\n"
            "    restartPolicy: Always\n"
            "    schedulerName: default-scheduler\n"
            "    serviceAccountName: default\n"
            "    tolerations:\n"
            "    - effect: NoExecute\n"
            "      key: node.kubernetes.io/not-ready\n"
            "      operator: Exists\n"
            "      tolerationSeconds: 300\n"
            "    volumes:\n"
            "    - configMap:\n"
            "        name: workload-%u\n"
            "      name: config\n",
            workload, workload, pod % 30, 256 + workload % 8 * 128, 50 + workload % 20 * 25,
            128 + workload % 8 * 128, pod % 1000, workload);
}

static void generate_status(FILE *stream, uint32_t pod)
{
    fprintf(stream,
            "  status:\n"
            "    conditions:\n"
            "    - lastTransitionTime: \"2023-03-01T10:00:00Z\"\n"
            "      status: \"True\"\n"
            "      type: Ready\n"
            "    - status: \"True\"\n"
            "      type: PodScheduled\n"
            "    hostIP: 10.0.%u.%u\n"
            "    phase: Running\n",
            pod / 250 % 250, pod % 250);
}

void generate_pods(FILE *stream, uint32_t count)
{
    fputs("apiVersion: v1\nitems:\n", stream);
    for (uint32_t pod = 0; pod < count; pod++) {
        generate_metadata(stream, pod);
        generate_spec(stream, pod);
        generate_status(stream, pod);
    }
    fputs("kind: List\nmetadata:\n  resourceVersion: \"\"\n", stream);
}
