/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What there is to know about a kind: its API versions with the schema of each,
 * and what is written by hand for it. Each kind's file ends in one such
 * descriptor; kind_table.c lists them.
 *
 * Objects begin with their `struct object_meta meta`.
 */
#ifndef FATHOM_OBJECT_KIND_H
#define FATHOM_OBJECT_KIND_H

#include "object/object.h"
#include "object/schema.h"

struct kind_version {
    const char *api_version;
    const struct schema *schema;
    /* Brings what this version's schema has read into the form of the first
     * version, before defaults are set; NULL when there is nothing to do. */
    void (*convert)(struct reading *reading, const struct path *path, void *object);
};

struct kind_type {
    const struct kind_version *versions; /* the first is the one that is written; ends with {0} */
    bool namespaced;
    bool nameless; /* a configuration file rather than an object of a cluster */
    /* Fills in what the API server would; NULL when the schema's fallbacks do. */
    void (*set_defaults)(struct arena *arena, void *object);
    /* Reports everything that the API server would refuse. */
    void (*validate)(struct reading *reading, const struct path *path, const void *object);
};

/* NULL for OBJECT_OTHER. */
const struct kind_type *kind_type_find(enum object_kind kind);

extern const struct kind_type node_kind;
extern const struct kind_type pod_kind;
extern const struct kind_type namespace_kind;
extern const struct kind_type service_kind;
extern const struct kind_type deployment_kind;
extern const struct kind_type replica_set_kind;
extern const struct kind_type replication_controller_kind;
extern const struct kind_type stateful_set_kind;
extern const struct kind_type daemon_set_kind;
extern const struct kind_type job_kind;
extern const struct kind_type cron_job_kind;
extern const struct kind_type horizontal_pod_autoscaler_kind;
extern const struct kind_type pod_metrics_kind;
extern const struct kind_type pod_disruption_budget_kind;
extern const struct kind_type priority_class_kind;
extern const struct kind_type runtime_class_kind;
extern const struct kind_type persistent_volume_kind;
extern const struct kind_type persistent_volume_claim_kind;
extern const struct kind_type storage_class_kind;
extern const struct kind_type limit_range_kind;
extern const struct kind_type resource_quota_kind;
extern const struct kind_type validating_webhook_configuration_kind;
extern const struct kind_type mutating_webhook_configuration_kind;
extern const struct kind_type scheduler_configuration_kind;
extern const struct kind_type descheduler_policy_kind;
extern const struct kind_type check_kind;
extern const struct kind_type service_objective_kind;

#endif
