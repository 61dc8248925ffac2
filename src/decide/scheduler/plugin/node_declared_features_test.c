/* SPDX-License-Identifier: Apache-2.0 */
/* Which pods need nodes that declare what they support. */
#include "decide/scheduler/rule_cases.h"

#define NODES                                                                            \
    NODE("n1", "", "4", ", declaredFeatures: [RestartAllContainersOnContainerExits]")    \
    NODE("n2", "", "4", ", declaredFeatures: [Other, UserNamespacesHostNetworkSupport]") \
    NODE("n3", "", "4", "")
#define RESTARTS(list, action)                                                                \
    NODES "{apiVersion: v1, kind: Pod, metadata: {name: new}, spec: {restartPolicy: Never, "  \
          "containers: [{name: c, image: i}], " list ": [{name: d, image: i, restartPolicy: " \
          "Always, restartPolicyRules: [{action: " action ", exitCodes: {operator: In, "      \
          "values: [42]}}]}]}}" END
#define RULES(action)                                                                        \
    NODES "{apiVersion: v1, kind: Pod, metadata: {name: new}, spec: {restartPolicy: Never, " \
          "containers: [{name: c, image: i, restartPolicy: Never, restartPolicyRules: "      \
          "[{action: " action ", exitCodes: {operator: In, values: [42]}}]}]}}" END
#define MISSING "node(s) didn't match Pod's required features"

static const struct rule_case cases[] = {
    {"a pod that needs nothing", 36, NODES POD("new", "", "1", ""), "n1=ok; n2=ok; n3=ok"},
    {"a container that restarts all", 36, RULES("RestartAllContainers"),
     "n1=ok; n2: " MISSING "; n3: " MISSING},
    {"nobody looked before", 35, RULES("RestartAllContainers"), "n1=ok; n2=ok; n3=ok"},
    {"a container that restarts itself", 36, RULES("Restart"), "n1=ok; n2=ok; n3=ok"},
    {"an init container that restarts all", 36, RESTARTS("initContainers", "RestartAllContainers"),
     "n1=ok; n2: " MISSING "; n3: " MISSING},
    {"users of its own on the network of the node", 36,
     NODES POD("new", "", "1", ", hostNetwork: true, hostUsers: false"),
     "n1: " MISSING "; n2=ok; n3: " MISSING},
    {"users of its own alone", 36, NODES POD("new", "", "1", ", hostUsers: false"),
     "n1=ok; n2=ok; n3=ok"},
    {"users of the node on its network", 36,
     NODES POD("new", "", "1", ", hostNetwork: true, hostUsers: true"), "n1=ok; n2=ok; n3=ok"},
};

extern const struct rule_table rules_of_node_declared_features;
const struct rule_table rules_of_node_declared_features = RULE_TABLE("NodeDeclaredFeatures", cases);
