/* SPDX-License-Identifier: Apache-2.0 */
/* Workloads, autoscalers, budgets and events of a state, for expressions. Their numbers are those
 * of the model. */
#ifndef FATHOM_CLUSTER_ASK_EXPRESSION_WORKLOADS_H
#define FATHOM_CLUSTER_ASK_EXPRESSION_WORKLOADS_H

#include "cluster/ask/expression_cluster.h"

struct expression_value read_workloads(void *context, struct arena *scratch);
struct expression_value read_autoscalers(void *context, struct arena *scratch);
struct expression_value read_budgets(void *context, struct arena *scratch);
struct expression_value read_events(void *context, struct arena *scratch);

#define OBJECT_FIELD(name)                                             \
    struct expression_value name(void *context, struct arena *scratch, \
                                 struct expression_object object);
OBJECT_FIELD(workload_field_name)
OBJECT_FIELD(workload_field_namespace)
OBJECT_FIELD(workload_field_kind)
OBJECT_FIELD(workload_field_exists)
OBJECT_FIELD(workload_field_replicas)
OBJECT_FIELD(workload_field_ready)
OBJECT_FIELD(workload_field_converged)
OBJECT_FIELD(workload_field_updated)
OBJECT_FIELD(workload_field_updating)
OBJECT_FIELD(autoscaler_field_name)
OBJECT_FIELD(autoscaler_field_target)
OBJECT_FIELD(autoscaler_field_min)
OBJECT_FIELD(autoscaler_field_max)
OBJECT_FIELD(autoscaler_field_replicas)
OBJECT_FIELD(budget_field_name)
OBJECT_FIELD(budget_field_namespace)
OBJECT_FIELD(budget_field_allowed)
OBJECT_FIELD(budget_field_healthy)
OBJECT_FIELD(budget_field_desired)
OBJECT_FIELD(event_field_happened)
OBJECT_FIELD(event_field_active)
OBJECT_FIELD(event_field_count)
#undef OBJECT_FIELD
const char *workload_title(void *context, struct arena *arena, struct expression_object object);
const char *budget_title(void *context, struct arena *arena, struct expression_object object);
const char *autoscaler_title(void *context, struct arena *arena, struct expression_object object);

#endif
