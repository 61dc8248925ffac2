/* SPDX-License-Identifier: Apache-2.0 */
/* Ports of a node are taken once. */
#include "decide/scheduler/rule_cases.h"

#define PORTS(name, ports, spec)                         \
    "{apiVersion: v1, kind: Pod, metadata: {name: " name \
    "}, spec: {containers: [{name: c, image: i, ports: [" ports "]}]" spec "}}" END
#define NODES       NODE("n1", "", "4", "") NODE("n2", "", "4", "")
#define TAKEN(port) PORTS("old", port, RUNNING("n1", "01"))
#define WANTS(port) PORTS("new", port, "")

#define SIDECAR(more)                                              \
    NODE("n1", "", "4", "")                                        \
    TAKEN("{containerPort: 80, hostPort: 80}")                     \
    PORTS("new", "{containerPort: 90}",                            \
          ", initContainers: [{name: s, image: i, " more "ports: " \
          "[{containerPort: 80, hostPort: 80}]}]")

static const struct rule_case cases[] = {
    {"a port that is taken", 26,
     NODES TAKEN("{containerPort: 80, hostPort: 80}") WANTS("{containerPort: 81, hostPort: 80}"),
     "n1: node(s) didn't have free ports for the requested pod ports; n2=ok"},
    {"another port", 26,
     NODES TAKEN("{containerPort: 80, hostPort: 80}") WANTS("{containerPort: 80, hostPort: 81}"),
     "n1=ok; n2=ok"},
    {"the same port of another protocol", 26,
     NODES TAKEN("{containerPort: 80, hostPort: 80, protocol: UDP}")
         WANTS("{containerPort: 80, hostPort: 80}"),
     "n1=ok; n2=ok"},
    {"the same port at another address", 26,
     NODES TAKEN("{containerPort: 80, hostPort: 80, hostIP: 10.0.0.1}")
         WANTS("{containerPort: 80, hostPort: 80, hostIP: 10.0.0.2}"),
     "n1=ok; n2=ok"},
    {"no address is every address", 26,
     NODES TAKEN("{containerPort: 80, hostPort: 80, hostIP: 10.0.0.1}")
         WANTS("{containerPort: 80, hostPort: 80}"),
     "n1: node(s) didn't have free ports for the requested pod ports; n2=ok"},
    {"in the network of the node every port is one of the node", 26,
     NODES TAKEN("{containerPort: 80, hostPort: 80}")
         PORTS("new", "{containerPort: 80}", ", hostNetwork: true"),
     "n1: node(s) didn't have free ports for the requested pod ports; n2=ok"},
    {"ports of sidecars are not looked at", 32, SIDECAR("restartPolicy: Always, "), "n1=ok"},
    {"ports of sidecars are taken, too", 33, SIDECAR("restartPolicy: Always, "),
     "n1: node(s) didn't have free ports for the requested pod ports"},
    {"ports of init containers are free again", 36, SIDECAR(""), "n1=ok"},
    {"a port of the pod alone is none of the node", 26,
     NODES TAKEN("{containerPort: 80, hostPort: 80}") WANTS("{containerPort: 80}"), "n1=ok; n2=ok"},
};

extern const struct rule_table rules_of_node_ports;
const struct rule_table rules_of_node_ports = RULE_TABLE("NodePorts", cases);
