/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A ZooKeeper operator: three Services, a ConfigMap and a StatefulSet for each
 * ZookeeperCluster, and a znode that tells the running ensemble how many members it
 * is going to have.
 *
 * A member that is to be taken away must know before it goes, or the ensemble loses
 * it without removing it. So before a StatefulSet that exists is updated, the size is
 * written into the znode, through ZooKeeper's own API: the node is looked for, then set
 * (with the version that was seen, so that a late write of an earlier round fails) or
 * created. znodes.h is a model of that API.
 *
 * Parameter of the check: `flow: published` asks for the StatefulSet a second time
 * where it was not found, instead of creating it at once (see published.yaml).
 */
#include "znodes.h"

static const struct fathom_value *spec_of(const struct fathom_round *round, const char *path)
{
    return fathom_at(round->call, round->cr, path);
}

static const struct fathom_value *metadata(const struct fathom_round *round)
{
    return fathom_make(round->call, "{labels: {app: %s}, annotations: %v}", round->name,
                       spec_of(round, "spec.annotations"));
}

/* --- The five objects ------------------------------------------------------------ */

static const struct fathom_value *headless_service(const struct fathom_round *round)
{
    return fathom_make(
        round->call,
        "{metadata: %v, spec: {clusterIP: 'None', selector: {app: %s}, ports: ["
        "{name: 'tcp-client', port: %v}, {name: 'tcp-quorum', port: %v},"
        " {name: 'tcp-leader-election', port: %v}, {name: 'tcp-metrics', port: %v},"
        " {name: 'tcp-admin-server', port: %v}]}}",
        metadata(round), round->name, spec_of(round, "spec.ports.client"),
        spec_of(round, "spec.ports.quorum"), spec_of(round, "spec.ports.leaderElection"),
        spec_of(round, "spec.ports.metrics"), spec_of(round, "spec.ports.adminServer"));
}

static const struct fathom_value *client_service(const struct fathom_round *round)
{
    return fathom_make(round->call,
                       "{metadata: %v, spec: {selector: {app: %s},"
                       " ports: [{name: 'tcp-client', port: %v}]}}",
                       metadata(round), round->name, spec_of(round, "spec.ports.client"));
}

static const struct fathom_value *admin_service(const struct fathom_round *round)
{
    return fathom_make(round->call,
                       "{metadata: %v, spec: {selector: {app: %s},"
                       " ports: [{name: 'tcp-admin-server', port: %v}]}}",
                       metadata(round), round->name, spec_of(round, "spec.ports.adminServer"));
}

static const struct fathom_value *config_map(const struct fathom_round *round)
{
    static const char *const settings[] = {"initLimit",
                                           "tickTime",
                                           "syncLimit",
                                           "globalOutstandingLimit",
                                           "preAllocSize",
                                           "snapCount",
                                           "commitLogCount",
                                           "snapSizeLimitInKb",
                                           "maxCnxns",
                                           "maxClientCnxns",
                                           "minSessionTimeout",
                                           "maxSessionTimeout",
                                           "autoPurgeSnapRetainCount",
                                           "autoPurgePurgeInterval",
                                           "quorumListenOnAllIps"};
    const struct fathom_value *text = fathom_make(round->call, "'dataDir=/data\\n'");
    for (size_t i = 0; i < sizeof settings / sizeof settings[0]; i++)
        text = fathom_make(round->call, "'%v%s=%v\\n'", text, settings[i],
                           spec_of(round, fathom_print(round->call, "spec.conf.%s", settings[i])));
    return fathom_make(round->call, "{metadata: %v, data: {'zoo.cfg': %v}}", metadata(round), text);
}

/* Its pods carry the version of the ConfigMap: another configuration restarts them. */
static const struct fathom_value *stateful_set(const struct fathom_round *round)
{
    return fathom_make(
        round->call,
        "{metadata: %v, spec: {replicas: %v, serviceName: '%s-headless',"
        " podManagementPolicy: 'OrderedReady', selector: {matchLabels: {app: %s}},"
        " template: {metadata: {labels: {app: %s}, annotations: {lastRestartAt: %v}},"
        " spec: {affinity: %v, tolerations: %v, nodeSelector: %v,"
        " containers: [{name: 'zookeeper', image: %v, resources: %v,"
        " command: ['/usr/local/bin/zookeeperStart.sh']}],"
        " volumes: [{name: 'conf', configMap: {name: '%s-configmap'}}]}},"
        " volumeClaimTemplates: [{metadata: {name: 'data'}, spec: {storageClassName: %v,"
        " resources: {requests: {storage: %v}}}}]}}",
        metadata(round), spec_of(round, "spec.replicas"), round->name, round->name, round->name,
        fathom_at(round->call, round->local, "configVersion"), spec_of(round, "spec.affinity"),
        spec_of(round, "spec.tolerations"), spec_of(round, "spec.nodeSelector"),
        spec_of(round, "spec.image"), spec_of(round, "spec.resources"), round->name,
        spec_of(round, "spec.persistence.storageClassName"),
        spec_of(round, "spec.persistence.storageSize"));
}

static const struct fathom_value *status_of(const struct fathom_round *round)
{
    return fathom_make(round->call, "{readyReplicas: %d}",
                       (int)fathom_number(round->call, round->local, "ready", 0));
}

static const char *const changing[] = {"spec.replicas", "spec.template", NULL};
static const struct fathom_memo config_version[] = {{"configVersion", "metadata.resourceVersion"},
                                                    {NULL, NULL}};
static const struct fathom_memo ready[] = {{"ready", "status.readyReplicas"}, {NULL, NULL}};

enum { STATEFUL_SET = 4, PARTS };

static const struct fathom_part items[PARTS] = {
    {.kind = "Service", .suffix = "-headless", .make = headless_service},
    {.kind = "Service", .suffix = "-client", .make = client_service, .unmatched = "spec.clusterIP"},
    {.kind = "Service",
     .suffix = "-admin-server",
     .make = admin_service,
     .unmatched = "spec.clusterIP"},
    {.kind = "ConfigMap", .suffix = "-configmap", .make = config_map, .remember = config_version},
    {.kind = "StatefulSet",
     .suffix = "",
     .make = stateful_set,
     .updated = changing,
     .owned_only = true,
     .remember = ready},
};
static const struct fathom_parts parts = {.items = items, .count = PARTS, .status = status_of};

/* --- The round ---------------------------------------------------------------------- */

static struct fathom_answer call_zookeeper(const struct fathom_round *round, const char *at,
                                           const struct fathom_value *content)
{
    return (struct fathom_answer){.local = fathom_now_at(round, at),
                                  .request = {.verb = FATHOM_EXTERNAL, .object = content}};
}

static struct fathom_answer create_znode(const struct fathom_round *round, const char *at,
                                         const char *path, const struct fathom_value *data)
{
    return call_zookeeper(round, at,
                          fathom_make(round->call,
                                      "{call: 'create', cluster: %s, namespace: %s, path: %s,"
                                      " data: %v}",
                                      round->name, round->name_space, path, data));
}

static struct fathom_answer step(struct fathom_call *call, const struct fathom_value *cr,
                                 const struct fathom_response *response,
                                 const struct fathom_value *local)
{
    struct fathom_round round = fathom_round_of(call, cr, local);
    const char *node = fathom_print(call, PARENT "/%s", round.name);
    const struct fathom_value *data =
        fathom_make(call, "'CLUSTER_SIZE=%v'", fathom_at(call, cr, "spec.replicas"));
    if (fathom_is_at(call, local, "look")) {
        bool again =
            strcmp(fathom_text(call, fathom_parameter(call, "flow"), NULL, ""), "published") == 0;
        if (response->error == FATHOM_NOT_FOUND)
            return again ? fathom_parts_get(&parts, &round, STATEFUL_SET)
                         : fathom_parts_write(&parts, &round, STATEFUL_SET, response);
        if (response->error)
            return fathom_end_error(&round);
        return call_zookeeper(&round, "exists",
                              fathom_make(call,
                                          "{call: 'exists', cluster: %s, namespace: %s, path: %s}",
                                          round.name, round.name_space, node));
    }
    if (fathom_is_at(call, local, "exists")) {
        if (response->error)
            return fathom_end_error(&round);
        if (!response->content)
            return create_znode(&round, "parent", PARENT, NULL);
        return call_zookeeper(&round, "znode",
                              fathom_make(call,
                                          "{call: 'set', cluster: %s, namespace: %s, path: %s,"
                                          " data: %v, version: %v}",
                                          round.name, round.name_space, node, data,
                                          fathom_at(call, response->content, "version")));
    }
    if (fathom_is_at(call, local, "parent"))
        return response->error && response->error != FATHOM_ALREADY_EXISTS
                   ? fathom_end_error(&round)
                   : create_znode(&round, "znode", node, data);
    if (fathom_is_at(call, local, "znode"))
        return response->error ? fathom_end_error(&round)
                               : fathom_parts_get(&parts, &round, STATEFUL_SET);
    struct fathom_answer answer = fathom_parts_step(&parts, &round, response);
    if (fathom_is_at(call, answer.local, "get") &&
        fathom_number(call, answer.local, "part", 0) == STATEFUL_SET)
        answer.local = fathom_with(call, answer.local, "at", fathom_make(call, "'look'"));
    return answer;
}

static bool match(struct fathom_call *call, const struct fathom_store *store,
                  const struct fathom_value *cr)
{
    return fathom_parts_match(&parts, call, store, cr);
}

/* --- The rules for ZookeeperClusters -------------------------------------------------- */

static const char *validate(struct fathom_call *call, const struct fathom_value *cr)
{
    if (fathom_number(call, cr, "spec.replicas", 0) < 3)
        return "spec.replicas: must be at least 3";
    if (fathom_number(call, cr, "spec.conf.syncLimit", 0) < 1)
        return "spec.conf.syncLimit: must be at least 1";
    return fathom_number(call, cr, "spec.conf.minSessionTimeout", 0) >
                   fathom_number(call, cr, "spec.conf.maxSessionTimeout", 0)
               ? "spec.conf.minSessionTimeout: must not be more than maxSessionTimeout"
               : NULL;
}

static const char *validate_change(struct fathom_call *call, const struct fathom_value *cr,
                                   const struct fathom_value *before)
{
    static const char *const immutable[] = {"spec.ports", "spec.persistence"};
    for (int i = 0; i < 2; i++)
        if (!fathom_equal(call, fathom_at(call, cr, immutable[i]),
                          fathom_at(call, before, immutable[i])))
            return fathom_print(call, "%s: is immutable", immutable[i]);
    return NULL;
}

static const char *const kinds[] = {"ZookeeperCluster", NULL};

const struct fathom_controller fathom_controller = {
    FATHOM_CONTROLLER_HEADER,
    .name = "zookeeper",
    .custom_kinds = kinds,
    .init = fathom_parts_init,
    .step = step,
    .status = fathom_parts_status,
    .match = match,
    .safety_names = safety_names,
    .safety = safety,
    .validate = validate,
    .validate_change = validate_change,
    .external = external,
};
