/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The requests that the steps of the model stand for, beside those that create pods.
 *
 * Of some the model knows exactly when they are refused: those that a step consists of, and whose
 * labels are known. Whoever makes such a request makes it again until it is admitted, so that the
 * step comes later. With clocks it would matter how much later.
 *
 * What depends on all others is left open. A request too many only leaves more undecided, one too
 * few may let something hold that does not. So versions and match conditions are not looked at,
 * object selectors only where the labels are those of the pods, and statuses, endpoints and leases
 * count as written all the time.
 */
#include "cluster/build/webhook_requests.h"

#include "cluster/state/actions.h"
#include "cluster/state/population_model.h"
#include "cluster/state/workloads.h"
#include "object/check.h"
#include "object/object.h"

#include <string.h>

enum { WRITERS_MOST = 24 };

static bool has_kind(const struct population *population, enum object_kind kind)
{
    for (uint32_t w = 0; w < population->workloads.count; w++)
        if (population->workloads.items[w].kind == kind)
            return true;
    return false;
}

static bool has_deployments(const struct population *population)
{
    return has_kind(population, OBJECT_DEPLOYMENT);
}

static bool has_replica_sets(const struct population *population)
{
    return has_deployments(population) || has_kind(population, OBJECT_REPLICA_SET);
}

static bool has_replica_sets_of_users(const struct population *population)
{
    return has_kind(population, OBJECT_REPLICA_SET);
}

static bool has_replication_controllers(const struct population *population)
{
    return has_kind(population, OBJECT_REPLICATION_CONTROLLER);
}

static bool has_stateful_sets(const struct population *population)
{
    return has_kind(population, OBJECT_STATEFUL_SET);
}

static bool has_daemon_sets(const struct population *population)
{
    return has_kind(population, OBJECT_DAEMON_SET);
}

static bool has_jobs(const struct population *population)
{
    return population->has_jobs || has_kind(population, OBJECT_JOB) ||
           has_kind(population, OBJECT_CRON_JOB);
}

static bool has_budgets(const struct population *population)
{
    return population->catalog->surroundings.budgets.count > 0;
}

/* Pods that are there and that a controller takes for its own. */
static bool has_adopted(const struct population *population)
{
    for (uint32_t i = 0; i < population->scope->pod_count; i++)
        if (population->scope->pods[i].adopter)
            return true;
    return false;
}

static bool has_claims(const struct population *population)
{
    for (uint32_t r = 0; r < population->revisions.count; r++) {
        const struct pod_spec *spec = &population->revisions.items[r].pod->spec;
        for (uint32_t v = 0; v < spec->volume_count; v++)
            if (spec->volumes[v].claim_name || spec->volumes[v].disk ||
                spec->volumes[v].source == VOLUME_EPHEMERAL_CLAIM)
                return true;
    }
    return has_stateful_sets(population);
}

static bool has_no_clock(const struct population *population)
{
    return population->scope->time != TIME_CLOCKED;
}

/* A pod whose binding fails gives up the place that is kept for it, and waits for a while, so that
 * pods of a lower priority may come first. Its volumes may be bound by then. */
static bool binding_is_all(const struct population *population)
{
    for (uint32_t r = 0; r < population->revisions.count; r++)
        if (population->revisions.items[r].priority != population->revisions.items[0].priority)
            return false;
    return has_no_clock(population) && !has_claims(population);
}

/* Requests of one kind, and who makes them. */
struct request_row {
    const char *group; /* "": the core group */
    const char *resource;
    const char *part; /* subresource; "": the object itself */
    const char *operation;
    enum webhook_object object;
    bool (*is_written)(const struct population *population); /* NULL: it is in every model */
    bool always;     /* true if it is written again and again, whatever the model does */
    unsigned traits; /* actions with one of these make it, ... */
    enum population_action writers[WRITERS_MOST]; /* ... and these */
    uint32_t writer_count;
    /* Is it modelled that the request is refused? NULL: it is not. */
    bool (*is_refused)(const struct population *population);
    enum webhook_request request;
};

#define REFUSED(when, what) .is_refused = (when), .request = (what)

#define BY(...)                                                                                 \
    .writers = {__VA_ARGS__}, .writer_count = sizeof((enum population_action[]){__VA_ARGS__}) / \
                                              sizeof(enum population_action)

#define USERS_WRITE  ACT_EVENT_APPLY, ACT_EVENT_ROLLBACK, ACT_EVENT_SCALE, ACT_REAPPLY
#define USERS_DELETE ACT_EVENT_DELETE, ACT_EVENT_ROLLBACK
#define JOBS_MOVE                                                                                \
    ACT_JOB_CREATE, ACT_JOB_DELETE, ACT_JOB_COMPLETE, ACT_JOB_FAIL, ACT_JOB_DEADLINE,            \
        ACT_JOB_FAILURE_POLICY, ACT_JOB_FAILED_INDEXES, ACT_JOB_SUCCESS_POLICY, ACT_JOB_SUCCEED, \
        ACT_JOB_ENDED

#define NODES_COME ACT_NODE_RETURN, ACT_NODE_JOINS
#define NODES_GO                                                                                \
    ACT_EVENT_NODE_FAILS, ACT_EVENT_ZONE_FAILS, ACT_EVENT_PARTITION, ACT_PANIC, ACT_TAINT_NODE, \
        ACT_NODES_NOTICED, ACT_NODE_NOTICED
#define ENDPOINTS_CHANGE ACT_START, ACT_TERMINATED, ACT_ENDPOINT_REMOVED

static const struct request_row rows[] = {
    /* Beside steps, or with each of them. Those that come about by such a request, or follow from
     * what it writes, are not possible while it is refused. */
    {"coordination.k8s.io", "leases", "", "CREATE", WEBHOOK_SYSTEM, .always = true, BY(NODES_COME)},
    {"coordination.k8s.io", "leases", "", "UPDATE", WEBHOOK_SYSTEM, .always = true, BY(NODES_COME)},
    {"", "nodes", "status", "UPDATE", WEBHOOK_CLUSTER, .always = true,
     BY(NODES_COME, NODES_GO, ACT_EVENT_PRESSURE, ACT_PRESSURE_ENDS, ACT_IMAGES_REPORTED)},
    {"", "pods", "status", "UPDATE", WEBHOOK_POD, .always = true, .traits = EVICTS_PODS,
     BY(ACT_START, ACT_POD_SUCCEEDS, ACT_POD_FAILS, ACT_REJECT, ACT_TERMINATED, ACT_CHOOSE_VICTIMS,
        NODES_GO)},
    {"", "endpoints", "", "CREATE", WEBHOOK_NAMESPACED, .always = true, BY(ENDPOINTS_CHANGE)},
    {"", "endpoints", "", "UPDATE", WEBHOOK_NAMESPACED, .always = true, BY(ENDPOINTS_CHANGE)},
    {"discovery.k8s.io", "endpointslices", "", "CREATE", WEBHOOK_NAMESPACED, .always = true,
     BY(ENDPOINTS_CHANGE)},
    {"discovery.k8s.io", "endpointslices", "", "UPDATE", WEBHOOK_NAMESPACED, .always = true,
     BY(ENDPOINTS_CHANGE)},
    {"discovery.k8s.io", "endpointslices", "", "DELETE", WEBHOOK_NAMESPACED, .always = true,
     BY(ENDPOINTS_CHANGE)},
    {"", "serviceaccounts", "token", "CREATE", WEBHOOK_NAMESPACED, .always = true, BY(ACT_START)},
    {"authentication.k8s.io", "tokenreviews", "", "CREATE", WEBHOOK_CLUSTER, .always = true},
    {"authorization.k8s.io", "subjectaccessreviews", "", "CREATE", WEBHOOK_CLUSTER, .always = true},
    {"apps", "deployments", "status", "UPDATE", WEBHOOK_NAMESPACED, has_deployments, true,
     BY(ACT_DEPLOYMENT_SYNC)},
    {"apps", "replicasets", "status", "UPDATE", WEBHOOK_NAMESPACED, has_replica_sets, true,
     BY(ACT_DEPLOYMENT_SYNC)},
    {"", "replicationcontrollers", "status", "UPDATE", WEBHOOK_NAMESPACED,
     has_replication_controllers, true},
    {"apps", "statefulsets", "status", "UPDATE", WEBHOOK_NAMESPACED, has_stateful_sets, true,
     BY(ACT_STATEFUL_CREATE, ACT_STATEFUL_DELETE, ACT_STATEFUL_STATUS)},
    {"apps", "daemonsets", "status", "UPDATE", WEBHOOK_NAMESPACED, has_daemon_sets, true,
     BY(ACT_DAEMON_SYNC)},
    {"batch", "jobs", "status", "UPDATE", WEBHOOK_NAMESPACED, has_jobs, true, BY(JOBS_MOVE)},
    {"batch", "cronjobs", "status", "UPDATE", WEBHOOK_NAMESPACED, has_jobs, true,
     BY(ACT_CRON_START, ACT_CRON_REPLACE, ACT_CRON_SEE)},
    {"policy", "poddisruptionbudgets", "status", "UPDATE", WEBHOOK_NAMESPACED, has_budgets, true,
     .traits = ASKS_BUDGETS, BY(ACT_BUDGET_SYNC, ACT_DESCHEDULE)},
    /* An adoption, which states do not tell from what was so before. */
    {"", "pods", "", "UPDATE", WEBHOOK_POD, has_adopted, true},

    /* Pods. */
    {"", "pods", "eviction", "CREATE", WEBHOOK_NAMESPACED, .traits = ASKS_BUDGETS,
     BY(ACT_DESCHEDULE), REFUSED(has_no_clock, REQUEST_EVICTION)},
    {"", "pods", "binding", "CREATE", WEBHOOK_NAMESPACED, BY(ACT_BIND),
     REFUSED(binding_is_all, REQUEST_BINDING)},
    {"", "pods", "", "UPDATE", WEBHOOK_POD, has_jobs,
     BY(JOBS_MOVE, ACT_POD_SUCCEEDS, ACT_POD_FAILS, ACT_TERMINATED, ACT_COLLECT)},
    {"", "pods", "", "DELETE", WEBHOOK_POD, .traits = TAKES_AWAY | EVICTS_PODS,
     BY(JOBS_MOVE, ACT_DAEMON_SYNC, ACT_POD_GARBAGE, ACT_POD_SUCCEEDS, ACT_POD_FAILS, ACT_REJECT,
        ACT_EVENT_DELETE, ACT_EVENT_SUSPEND)},

    /* Those that own them. */
    {"apps", "replicasets", "", "CREATE", WEBHOOK_NAMESPACED, has_deployments,
     BY(ACT_DEPLOYMENT_SYNC), REFUSED(has_no_clock, REQUEST_SET_CREATE)},
    {"apps", "replicasets", "", "CREATE", WEBHOOK_NAMESPACED, has_replica_sets_of_users,
     BY(USERS_WRITE)},
    {"apps", "replicasets", "", "UPDATE", WEBHOOK_NAMESPACED, has_replica_sets,
     BY(ACT_DEPLOYMENT_SYNC, USERS_WRITE), REFUSED(has_no_clock, REQUEST_SET_UPDATE)},
    {"apps", "replicasets", "", "DELETE", WEBHOOK_NAMESPACED, has_replica_sets,
     BY(ACT_DEPLOYMENT_SYNC, ACT_COLLECT, USERS_DELETE)},
    {"apps", "deployments", "", "CREATE", WEBHOOK_NAMESPACED, has_deployments, BY(USERS_WRITE)},
    {"apps", "deployments", "", "DELETE", WEBHOOK_NAMESPACED, has_deployments, BY(USERS_DELETE)},
    /* The controller writes annotations with the status. */
    {"apps", "deployments", "", "UPDATE", WEBHOOK_NAMESPACED, has_deployments, BY(USERS_WRITE)},
    {"apps", "statefulsets", "", "CREATE", WEBHOOK_NAMESPACED, has_stateful_sets, BY(USERS_WRITE)},
    {"apps", "statefulsets", "", "UPDATE", WEBHOOK_NAMESPACED, has_stateful_sets, BY(USERS_WRITE)},
    {"apps", "statefulsets", "", "DELETE", WEBHOOK_NAMESPACED, has_stateful_sets, BY(USERS_DELETE)},
    {"apps", "daemonsets", "", "CREATE", WEBHOOK_NAMESPACED, has_daemon_sets, BY(USERS_WRITE)},
    {"apps", "daemonsets", "", "UPDATE", WEBHOOK_NAMESPACED, has_daemon_sets, BY(USERS_WRITE)},
    {"apps", "daemonsets", "", "DELETE", WEBHOOK_NAMESPACED, has_daemon_sets, BY(USERS_DELETE)},
    {"", "replicationcontrollers", "", "CREATE", WEBHOOK_NAMESPACED, has_replication_controllers,
     BY(USERS_WRITE)},
    {"", "replicationcontrollers", "", "UPDATE", WEBHOOK_NAMESPACED, has_replication_controllers,
     BY(USERS_WRITE)},
    {"", "replicationcontrollers", "", "DELETE", WEBHOOK_NAMESPACED, has_replication_controllers,
     BY(USERS_DELETE)},
    {"apps", "controllerrevisions", "", "CREATE", WEBHOOK_NAMESPACED,
     BY(USERS_WRITE, ACT_STATEFUL_CREATE, ACT_STATEFUL_DELETE, ACT_DAEMON_SYNC)},
    {"apps", "controllerrevisions", "", "UPDATE", WEBHOOK_NAMESPACED,
     BY(USERS_WRITE, ACT_STATEFUL_CREATE, ACT_STATEFUL_DELETE, ACT_DAEMON_SYNC)},
    {"apps", "deployments", "scale", "UPDATE", WEBHOOK_NAMESPACED, has_deployments,
     BY(ACT_AUTOSCALE, ACT_EVENT_SCALE)},
    {"apps", "replicasets", "scale", "UPDATE", WEBHOOK_NAMESPACED, has_replica_sets,
     BY(ACT_AUTOSCALE, ACT_EVENT_SCALE)},
    {"apps", "statefulsets", "scale", "UPDATE", WEBHOOK_NAMESPACED, has_stateful_sets,
     BY(ACT_AUTOSCALE, ACT_EVENT_SCALE)},
    {"", "replicationcontrollers", "scale", "UPDATE", WEBHOOK_NAMESPACED,
     has_replication_controllers, BY(ACT_AUTOSCALE, ACT_EVENT_SCALE)},
    {"argoproj.io", "rollouts", "", "CREATE", WEBHOOK_NAMESPACED, has_deployments, BY(USERS_WRITE)},
    {"argoproj.io", "rollouts", "", "DELETE", WEBHOOK_NAMESPACED, has_deployments,
     BY(USERS_DELETE)},
    {"argoproj.io", "rollouts", "", "UPDATE", WEBHOOK_NAMESPACED, has_deployments,
     BY(ACT_DEPLOYMENT_SYNC, USERS_WRITE)},
    {"argoproj.io", "rollouts", "status", "UPDATE", WEBHOOK_NAMESPACED, has_deployments,
     BY(ACT_DEPLOYMENT_SYNC)},
    {"argoproj.io", "rollouts", "scale", "UPDATE", WEBHOOK_NAMESPACED, has_deployments,
     BY(ACT_AUTOSCALE, ACT_EVENT_SCALE)},
    {"autoscaling", "horizontalpodautoscalers", "", "DELETE", WEBHOOK_NAMESPACED,
     BY(ACT_EVENT_DELETE)},
    {"policy", "poddisruptionbudgets", "", "DELETE", WEBHOOK_NAMESPACED, has_budgets,
     BY(ACT_EVENT_DELETE)},
    {"autoscaling", "horizontalpodautoscalers", "status", "UPDATE", WEBHOOK_NAMESPACED,
     BY(ACT_AUTOSCALE, ACT_SYNC)},
    {"batch", "jobs", "", "CREATE", WEBHOOK_NAMESPACED,
     BY(ACT_CRON_START, ACT_CRON_REPLACE, USERS_WRITE)},
    {"batch", "jobs", "", "UPDATE", WEBHOOK_NAMESPACED, has_jobs, BY(JOBS_MOVE, USERS_WRITE)},
    {"batch", "jobs", "", "DELETE", WEBHOOK_NAMESPACED, has_jobs,
     BY(ACT_CRON_REPLACE, ACT_CRON_SEE, JOBS_MOVE, ACT_COLLECT, USERS_DELETE)},
    {"batch", "cronjobs", "", "CREATE", WEBHOOK_NAMESPACED, has_jobs, BY(USERS_WRITE)},
    {"batch", "cronjobs", "", "DELETE", WEBHOOK_NAMESPACED, has_jobs, BY(USERS_DELETE)},
    {"batch", "cronjobs", "", "UPDATE", WEBHOOK_NAMESPACED, has_jobs,
     BY(ACT_EVENT_SUSPEND, ACT_RESUME, USERS_WRITE)},

    /* Nodes. */
    {"", "nodes", "", "CREATE", WEBHOOK_CLUSTER, BY(ACT_NODE_JOINS, ACT_NODE_RETURN)},
    {"", "nodes", "", "UPDATE", WEBHOOK_CLUSTER,
     BY(ACT_EVENT_NODE_FAILS, ACT_EVENT_ZONE_FAILS, ACT_EVENT_PARTITION, ACT_EVENT_MAINTENANCE,
        ACT_EVENT_PRESSURE, ACT_TAINT_NODE, ACT_NODES_NOTICED, ACT_NODE_NOTICED, ACT_NODE_RETURN,
        ACT_NODE_JOINS, ACT_PRESSURE_ENDS, ACT_NODE_UNNEEDED, ACT_NODE_NEEDED, ACT_NODES_REMOVE,
        ACT_NODE_REMOVED, ACT_SCALE_DOWN_EVICT, ACT_SCALE_DOWN_FAILS, ACT_NODES_GIVE_UP,
        ACT_DRAIN_EVICT, ACT_DRAIN_DONE, ACT_PANIC)},
    {"", "nodes", "", "DELETE", WEBHOOK_CLUSTER,
     BY(ACT_NODE_REMOVED, ACT_NODES_REMOVE, ACT_GROUP_SHRINKS, ACT_NODES_GIVE_UP,
        ACT_NODE_FAILS_TO_COME, ACT_EVENT_DELETE, ACT_POD_GARBAGE, ACT_EVENT_NODE_FAILS,
        ACT_EVENT_ZONE_FAILS)},

    /* Volumes. */
    {"", "persistentvolumeclaims", "", "CREATE", WEBHOOK_NAMESPACED, has_claims,
     BY(ACT_STATEFUL_CREATE, ACT_BIND, ACT_BIND_CLAIM)},
    {"", "persistentvolumeclaims", "", "UPDATE", WEBHOOK_NAMESPACED, has_claims,
     BY(ACT_STATEFUL_CREATE, ACT_STATEFUL_DELETE, ACT_BIND, ACT_BIND_CLAIM)},
    {"", "persistentvolumeclaims", "", "DELETE", WEBHOOK_NAMESPACED, has_claims,
     .traits = TAKES_AWAY | EVICTS_PODS, BY(ACT_STATEFUL_CREATE)},
    {"", "persistentvolumeclaims", "status", "UPDATE", WEBHOOK_NAMESPACED, has_claims,
     BY(ACT_BIND, ACT_BIND_CLAIM)},
    {"", "persistentvolumes", "", "CREATE", WEBHOOK_CLUSTER, has_claims,
     BY(ACT_BIND, ACT_BIND_CLAIM)},
    {"", "persistentvolumes", "", "UPDATE", WEBHOOK_CLUSTER, has_claims,
     BY(ACT_BIND, ACT_BIND_CLAIM)},
    {"", "persistentvolumes", "status", "UPDATE", WEBHOOK_CLUSTER, has_claims,
     BY(ACT_BIND, ACT_BIND_CLAIM)},
    {"storage.k8s.io", "volumeattachments", "", "CREATE", WEBHOOK_CLUSTER, has_claims,
     BY(ACT_BIND, ACT_ADMIT, ACT_START)},
    {"storage.k8s.io", "volumeattachments", "status", "UPDATE", WEBHOOK_CLUSTER, has_claims,
     BY(ACT_ADMIT, ACT_START, ACT_TERMINATED)},
    {"storage.k8s.io", "volumeattachments", "", "DELETE", WEBHOOK_CLUSTER, has_claims,
     .traits = TAKES_AWAY | EVICTS_PODS, BY(ACT_START)},
};

static bool lists(const struct string_list *list, const char *wanted)
{
    for (uint32_t i = 0; i < list->count; i++)
        if (strcmp(list->items[i], "*") == 0 || strcmp(list->items[i], wanted) == 0)
            return true;
    return false;
}

/* Of "pods", "pods/status", "pods" with a star for any part, and stars for both. A star for any
 * part stands for the object itself, too. */
static bool names_resource(const struct string_list *resources, const struct request_row *row)
{
    for (uint32_t i = 0; i < resources->count; i++) {
        const char *item = resources->items[i];
        const size_t length = strcspn(item, "/");
        const char *part = item[length] ? item + length + 1 : "";
        const bool object =
            (length == 1 && *item == '*') ||
            (strlen(row->resource) == length && !strncmp(row->resource, item, length));
        if (object && (strcmp(part, "*") == 0 || strcmp(part, row->part) == 0))
            return true;
    }
    return false;
}

static bool has_scope(const struct webhook_rule *rule, const struct request_row *row)
{
    return !rule->scope || strcmp(rule->scope, "*") == 0 ||
           (strcmp(rule->scope, "Cluster") == 0) == (row->object == WEBHOOK_CLUSTER);
}

static bool is_asked(const struct webhook *webhook, const struct request_row *row)
{
    for (uint32_t i = 0; i < webhook->rule_count; i++) {
        const struct webhook_rule *rule = &webhook->rules[i];
        if (lists(&rule->operations, row->operation) && lists(&rule->api_groups, row->group) &&
            names_resource(&rule->resources, row) && has_scope(rule, row) &&
            (!row->is_refused || lists(&rule->api_versions, "v1")))
            return true;
    }
    return false;
}

/* Leases are kept in the namespaces of the cluster itself. */
static bool selects_system(const struct population *population, const struct webhook *webhook)
{
    static const char *const system[] = {"kube-system", "kube-node-lease"};
    const struct surroundings *around = &population->catalog->surroundings;
    bool selects = !webhook->namespace_selector;
    for (size_t i = 0; !selects && i < sizeof(system) / sizeof(*system); i++) {
        struct label name = {"kubernetes.io/metadata.name", system[i]};
        struct labels labels = {&name, 1};
        for (uint32_t n = 0; n < around->namespaces.count; n++)
            if (strcmp(around->namespaces.items[n]->meta.name, system[i]) == 0)
                labels = around->namespaces.items[n]->meta.labels;
        selects = label_selector_matches(webhook->namespace_selector, &labels);
    }
    return selects;
}

static bool reaches(const struct population *population, const struct population_webhook *webhook,
                    enum webhook_object object)
{
    switch (object) {
    case WEBHOOK_POD: return webhook->covers_any;
    case WEBHOOK_NAMESPACED: return webhook->near_any;
    case WEBHOOK_SYSTEM: return selects_system(population, webhook->webhook);
    case WEBHOOK_CLUSTER: return true;
    }
    return true;
}

/* Is it the same for all revisions? */
static bool is_of_all_or_none(const struct population *population, const bool *marked)
{
    for (uint32_t r = 1; r < population->revisions.count; r++)
        if (marked[r] != marked[0])
            return false;
    return true;
}

/* ... for those of each workload? */
static bool is_of_whole_workloads(const struct population *population, const bool *marked)
{
    for (uint32_t r = 1; r < population->revisions.count; r++)
        if (population->revisions.items[r].workload ==
                population->revisions.items[r - 1].workload &&
            marked[r] != marked[r - 1])
            return false;
    return true;
}

static bool is_modelled(const struct population *population, const struct request_row *row)
{
    return row->is_refused && row->is_refused(population);
}

/* Is the step left out while the request is refused? One that makes several requests is if all of
 * them are. The first one that is refused ends the sync of a Deployment. */
static bool is_left_out(const struct population *population, const struct population_webhook *added,
                        const struct request_row *row, enum population_action action)
{
    if (!is_modelled(population, row))
        return false;
    switch (action) {
    case ACT_DRAIN_EVICT:
    case ACT_SCALE_DOWN_EVICT:
    case ACT_BIND: return true;
    case ACT_DESCHEDULE: return is_of_all_or_none(population, added->refuses[row->request]);
    case ACT_DEPLOYMENT_SYNC: return is_of_whole_workloads(population, added->covers);
    default: return false;
    }
}

/* Evictions and bindings have no labels, and ReplicaSets those of their pods. */
static void add_refusals(const struct population *population, struct population_webhook *added,
                         const struct request_row *row)
{
    static const struct labels none = {0};
    const struct label_selector *selector = added->webhook->object_selector;
    const bool without_labels = !selector || label_selector_matches(selector, &none);
    const bool is_set = row->request == REQUEST_SET_CREATE || row->request == REQUEST_SET_UPDATE;
    bool *refuses = added->refuses[row->request];
    if (!is_modelled(population, row) ||
        (is_set && !is_of_whole_workloads(population, added->covers)))
        return;
    for (uint32_t r = 0; r < population->revisions.count; r++) {
        refuses[r] = is_set ? added->covers[r] : added->near[r] && without_labels;
        added->refuses_some |= refuses[r];
    }
}

/* Nothing happens beside the controllers without events of the Check. */
static bool may_come(const struct population *population, enum population_action action)
{
    return (!action_has(action, IS_EVENT) && action != ACT_REAPPLY) ||
           (population->scope->check && population->scope->check->event_count > 0);
}

static void add_writer(const struct population *population, struct population_webhook *added,
                       const struct request_row *row, enum population_action action)
{
    if (is_left_out(population, added, row, action) || !may_come(population, action))
        return;
    added->asked[action] |= (uint8_t)(1U << row->object);
    added->asks_more = true;
}

static void add_writers(const struct population *population, struct population_webhook *added,
                        const struct request_row *row)
{
    for (uint32_t a = 0; a < POPULATION_ACTION_COUNT; a++)
        if (action_has(a, row->traits))
            add_writer(population, added, row, a);
    for (uint32_t i = 0; i < row->writer_count; i++)
        add_writer(population, added, row, row->writers[i]);
}

void webhook_find_requests(const struct population *population, struct population_webhook *added)
{
    for (uint32_t r = 0; r < population->revisions.count; r++) {
        added->covers_any |= added->covers[r];
        added->near_any |= added->near[r];
    }
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        const struct request_row *row = &rows[i];
        if ((row->is_written && !row->is_written(population)) || !is_asked(added->webhook, row) ||
            !reaches(population, added, row->object))
            continue;
        added->asked_always |= row->always;
        added->asks_more |= row->always;
        add_refusals(population, added, row);
        add_writers(population, added, row);
    }
}
