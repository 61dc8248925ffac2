/* SPDX-License-Identifier: Apache-2.0 */
/* The tables of what expressions can ask. docs/expressions.md lists them; a test compares both. */
#include "cluster/ask/expression_cluster.h"

#include "cluster/ask/expression_nodes.h"
#include "cluster/ask/expression_pods.h"
#include "cluster/ask/expression_workloads.h"

#include <string.h>

static const struct expression_class pod_class, node_class, taint_class, zone_class, workload_class,
    autoscaler_class, budget_class, event_class;

static const struct cluster_classes classes = {
    &pod_class,      &node_class,       &taint_class,  &zone_class,
    &workload_class, &autoscaler_class, &budget_class, &event_class,
};

#define OBJECT(name)                                                              \
    static const struct expression_type name##_type = {.kind = EXPRESSION_OBJECT, \
                                                       .class = &name##_class};   \
    static const struct expression_type name##_bag = {.kind = EXPRESSION_BAG,     \
                                                      .element = &name##_type}
OBJECT(pod);
OBJECT(node);
OBJECT(taint);
OBJECT(zone);
OBJECT(autoscaler);
OBJECT(budget);
static const struct expression_type workload_type = {.kind = EXPRESSION_OBJECT,
                                                     .class = &workload_class},
                                    event_type = {.kind = EXPRESSION_OBJECT, .class = &event_class},
                                    workload_map = {.kind = EXPRESSION_MAP,
                                                    .element = &workload_type},
                                    event_map = {.kind = EXPRESSION_MAP, .element = &event_type},
                                    quantity_map = {.kind = EXPRESSION_MAP,
                                                    .element = &expression_quantity};

#define FIELD(name, type, read, meaning) \
    {                                    \
        name, type, read, meaning, false \
    }
#define OPTIONAL(name, type, read, meaning) \
    {                                       \
        name, type, read, meaning, true     \
    }
#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static const struct expression_field pod_fields[] = {
    FIELD("labels", &expression_map_of_string, pod_field_labels, "its labels"),
    FIELD("namespace", &expression_string, pod_field_namespace, "its namespace"),
    OPTIONAL("owner", &expression_string, pod_field_owner,
             "its workload, as Kind/namespace/name; pods without one lack it"),
    FIELD("phase", &expression_string, pod_field_phase, "Pending or Running"),
    FIELD("ready", &expression_bool, pod_field_ready, "whether it is ready"),
    FIELD("terminating", &expression_bool, pod_field_terminating, "whether it was told to end"),
    OPTIONAL("node", &node_type, pod_field_node, "the node that it is on; one that waits lacks it"),
    FIELD("revision", &expression_int, pod_field_revision,
          "which template of its workload, from 1 on"),
    FIELD("current", &expression_bool, pod_field_current, "whether that is the present template"),
    FIELD("requests", &quantity_map, pod_field_requests, "what it requests, by resource"),
    FIELD("priority", &expression_int, pod_field_priority, "its priority"),
};
static const struct expression_missing pod_missing[] = {
    {"name", "pods of one workload are counted; ask owner or labels"},
    {"metadata", "ask labels or namespace"},
    {"spec", "ask node, requests or priority"},
    {"status", "ask phase, ready or terminating"},
    {"nodeName", "ask node, and of it labels, zone or group"},
    {"annotations", "ask labels"},
};
static const struct expression_class pod_class = {
    "pod", pod_fields, COUNT(pod_fields), pod_missing, COUNT(pod_missing), pod_title};

static const struct expression_field node_fields[] = {
    FIELD("labels", &expression_map_of_string, node_field_labels, "its labels"),
    FIELD("taints", &taint_bag, node_field_taints, "its taints"),
    FIELD("ready", &expression_bool, node_field_ready, "whether it is Ready"),
    FIELD("cordoned", &expression_bool, node_field_cordoned, "whether it is unschedulable"),
    OPTIONAL("zone", &expression_string, node_field_zone, "its zone, if it has the label of one"),
    FIELD("group", &expression_string, node_field_group, "its node group"),
    FIELD("allocatable", &quantity_map, node_field_allocatable, "what pods can have, by resource"),
    FIELD("pods", &pod_bag, node_field_pods, "the pods on it"),
};
static const struct expression_missing node_missing[] = {
    {"name", "nodes of a group are counted; ask group, zone or labels"},
    {"metadata", "ask labels"},
    {"spec", "ask taints or cordoned"},
    {"status", "ask ready or allocatable"},
    {"capacity", "ask allocatable"},
    {"conditions", "ask ready"},
};
static const struct expression_class node_class = {
    "node", node_fields, COUNT(node_fields), node_missing, COUNT(node_missing), node_title};

static const struct expression_field taint_fields[] = {
    FIELD("key", &expression_string, taint_field_key, "its key"),
    FIELD("value", &expression_string, taint_field_value, "its value"),
    FIELD("effect", &expression_string, taint_field_effect,
          "NoSchedule, PreferNoSchedule or NoExecute"),
};
static const struct expression_class taint_class = {
    .name = "taint", .fields = taint_fields, .field_count = COUNT(taint_fields)};

static const struct expression_field zone_fields[] = {
    FIELD("name", &expression_string, zone_field_name, "its name"),
    FIELD("nodes", &node_bag, zone_field_nodes, "its nodes"),
    FIELD("pods", &pod_bag, zone_field_pods, "the pods on its nodes"),
};
static const struct expression_class zone_class = {
    .name = "zone", .fields = zone_fields, .field_count = COUNT(zone_fields), .title = zone_title};

static const struct expression_field workload_fields[] = {
    FIELD("name", &expression_string, workload_field_name, "its name"),
    FIELD("namespace", &expression_string, workload_field_namespace, "its namespace"),
    FIELD("kind", &expression_string, workload_field_kind, "its kind"),
    FIELD("exists", &expression_bool, workload_field_exists, "whether it is there"),
    FIELD("replicas", &expression_int, workload_field_replicas, "the replicas that it wants"),
    FIELD("ready", &expression_int, workload_field_ready, "how many of its pods are ready"),
    FIELD("pods", &pod_bag, workload_field_pods, "its pods"),
    FIELD("converged", &expression_bool, workload_field_converged,
          "whether it is as its spec wants"),
    FIELD("updated", &expression_bool, workload_field_updated,
          "the same, with all pods of the present template"),
    FIELD("updating", &expression_bool, workload_field_updating,
          "whether pods of a former template are left"),
};
static const struct expression_class workload_class = {.name = "workload",
                                                       .fields = workload_fields,
                                                       .field_count = COUNT(workload_fields),
                                                       .title = workload_title};

static const struct expression_field autoscaler_fields[] = {
    FIELD("name", &expression_string, autoscaler_field_name, "its name"),
    FIELD("target", &workload_type, autoscaler_field_target, "the workload that it scales"),
    FIELD("minReplicas", &expression_int, autoscaler_field_min, "its lower bound"),
    FIELD("maxReplicas", &expression_int, autoscaler_field_max, "its upper bound"),
    FIELD("replicas", &expression_int, autoscaler_field_replicas,
          "the replicas that its target wants"),
};
static const struct expression_class autoscaler_class = {.name = "autoscaler",
                                                         .fields = autoscaler_fields,
                                                         .field_count = COUNT(autoscaler_fields),
                                                         .title = autoscaler_title};

static const struct expression_field budget_fields[] = {
    FIELD("name", &expression_string, budget_field_name, "its name"),
    FIELD("namespace", &expression_string, budget_field_namespace, "its namespace"),
    FIELD("disruptionsAllowed", &expression_int, budget_field_allowed,
          "how many pods may be evicted"),
    FIELD("currentHealthy", &expression_int, budget_field_healthy, "how many pods are healthy"),
    FIELD("desiredHealthy", &expression_int, budget_field_desired, "how many have to be"),
};
static const struct expression_class budget_class = {.name = "budget",
                                                     .fields = budget_fields,
                                                     .field_count = COUNT(budget_fields),
                                                     .title = budget_title};

static const struct expression_field event_fields[] = {
    FIELD("happened", &expression_bool, event_field_happened, "whether it has come"),
    FIELD("active", &expression_bool, event_field_active,
          "whether what it did lasts: the node that it took is not back, the manifest is in force"),
    FIELD("count", &expression_int, event_field_count, "how often it has come"),
};
static const struct expression_class event_class = {
    .name = "event", .fields = event_fields, .field_count = COUNT(event_fields)};

static const struct expression_variable variables[] = {
    {"pods", &pod_bag, read_pods, "all pods"},
    {"nodes", &node_bag, read_nodes, "all nodes that have an object"},
    {"zones", &zone_bag, read_zones, "the zones that nodes have as topology.kubernetes.io/zone"},
    {"workloads", &workload_map, read_workloads,
     "workloads by Kind/namespace/name or, where one has it, Kind/name"},
    {"autoscalers", &autoscaler_bag, read_autoscalers, "HorizontalPodAutoscalers"},
    {"budgets", &budget_bag, read_budgets, "PodDisruptionBudgets"},
    {"events", &event_map, read_events, "events of the Check, by the name of their kind"},
};

const struct expression_environment cluster_environment = {variables, COUNT(variables)};

struct expression_cluster expression_cluster(struct worker *worker, const struct state *state,
                                             const struct expression_value *workloads)
{
    return (struct expression_cluster){worker, state, &classes, workloads};
}
