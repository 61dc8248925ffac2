/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A RabbitMQ operator: ten objects for each RabbitmqCluster, brought about one after
 * the other (fathom/parts.h).
 *
 * The server's configuration holds the number of replicas, and the StatefulSet's pods
 * carry the version of the ConfigMap that it is in: a change of the cluster's size or
 * configuration restarts the pods. Only the StatefulSet must be ours before we touch
 * it: one that an earlier cluster of the same name left behind is about to be deleted
 * by the garbage collector, and shrinking it meanwhile would lose messages.
 *
 * Parameters of the check: `checkOwner: false` leaves that out, `clientSuffix: ""`
 * names the client's service as the cluster (see broken-*.yaml); `parts: [0, 9]` makes
 * only some of the parts, those from the first number to the second, for a smaller check.
 */
#include "fathom/parts.h"

#define LABELS "labels: {'app.kubernetes.io/name': %s, 'app.kubernetes.io/part-of': 'rabbitmq'}"

static const struct fathom_value *spec_of(const struct fathom_round *round, const char *path)
{
    return fathom_at(round->call, round->cr, path);
}

/* Labels and annotations that the user wants on every object, and ours. */
static const struct fathom_value *metadata(const struct fathom_round *round)
{
    struct fathom_call *call = round->call;
    const struct fathom_value *labels = spec_of(round, "spec.labels");
    const struct fathom_value *made = fathom_make(call, "{" LABELS ", annotations: %v}",
                                                  round->name, spec_of(round, "spec.annotations"));
    for (uint32_t i = 0; i < fathom_count(call, labels); i++)
        made = fathom_with(call, made,
                           fathom_print(call, "labels[\"%s\"]", fathom_key(call, labels, i)),
                           fathom_item(call, labels, i));
    return made;
}

/* --- The ten parts ------------------------------------------------------------ */

static const struct fathom_value *nodes_service(const struct fathom_round *round)
{
    return fathom_make(round->call,
                       "{metadata: %v, spec: {clusterIP: 'None', publishNotReadyAddresses: true,"
                       " selector: {'app.kubernetes.io/name': %s},"
                       " ports: [{name: 'epmd', port: 4369}, {name: 'cluster-rpc', port: 25672}]}}",
                       metadata(round), round->name);
}

static const struct fathom_value *client_service(const struct fathom_round *round)
{
    return fathom_make(round->call,
                       "{metadata: %v, spec: {selector: {'app.kubernetes.io/name': %s},"
                       " ports: [{name: 'amqp', port: 5672}, {name: 'management', port: 15672},"
                       " {name: 'prometheus', port: 15692}]}}",
                       metadata(round), round->name);
}

static const char *client_service_name(const struct fathom_round *round)
{
    return fathom_print(
        round->call, "%s%s", round->name,
        fathom_text(round->call, fathom_parameter(round->call, "clientSuffix"), NULL, "-client"));
}

/* Random in reality, and never changed: one constant for each cluster. */
static const struct fathom_value *erlang_cookie(const struct fathom_round *round)
{
    return fathom_make(round->call, "{metadata: %v, data: {'.erlang.cookie': 'cookie of %s'}}",
                       metadata(round), round->name);
}

static const struct fathom_value *default_user(const struct fathom_round *round)
{
    return fathom_make(round->call,
                       "{metadata: %v, data: {username: 'user', password: 'password of %s',"
                       " host: '%s.%s.svc', port: '5672', provider: 'rabbitmq',"
                       " type: 'rabbitmq'}}",
                       metadata(round), round->name, round->name, round->name_space);
}

static const struct fathom_value *plugins_conf(const struct fathom_round *round)
{
    return fathom_make(round->call,
                       "{metadata: %v, data: {enabled_plugins: '[rabbitmq_peer_discovery_k8s,"
                       "rabbitmq_prometheus,rabbitmq_management].'}}",
                       metadata(round));
}

static const struct fathom_value *server_conf(const struct fathom_round *round)
{
    return fathom_make(
        round->call,
        "{metadata: %v, data: {"
        "'operatorDefaults.conf': 'queue_master_locator = min-masters\\n"
        "cluster_formation.peer_discovery_backend = rabbit_peer_discovery_k8s\\n"
        "cluster_formation.k8s.address_type = hostname\\n"
        "cluster_formation.target_cluster_size_hint = %v\\ncluster_name = %s\\n',"
        " 'userDefinedConfiguration.conf': 'total_memory_available_override_value = 1G\\n%v',"
        " 'advanced.config': %v, 'rabbitmq-env.conf': %v}}",
        metadata(round), spec_of(round, "spec.replicas"), round->name,
        spec_of(round, "spec.rabbitmqConfig.additionalConfig"),
        spec_of(round, "spec.rabbitmqConfig.advancedConfig"),
        spec_of(round, "spec.rabbitmqConfig.envConfig"));
}

static const struct fathom_value *service_account(const struct fathom_round *round)
{
    return fathom_make(round->call, "{metadata: %v}", metadata(round));
}

static const struct fathom_value *role(const struct fathom_round *round)
{
    return fathom_make(round->call,
                       "{metadata: %v, rules: ["
                       "{apiGroups: [''], resources: ['endpoints'], verbs: ['get']},"
                       " {apiGroups: [''], resources: ['events'], verbs: ['create']}]}",
                       metadata(round));
}

static const struct fathom_value *role_binding(const struct fathom_round *round)
{
    return fathom_make(
        round->call,
        "{metadata: %v, subjects: [{kind: 'ServiceAccount', name: '%s-server', namespace: %s}],"
        " roleRef: {apiGroup: 'rbac.authorization.k8s.io', kind: 'Role',"
        " name: '%s-peer-discovery'}}",
        metadata(round), round->name, round->name_space, round->name);
}

static const struct fathom_value *pod_template(const struct fathom_round *round)
{
    return fathom_make(
        round->call,
        "{metadata: {labels: {'app.kubernetes.io/name': %s},"
        " annotations: {serverConfVersion: %v}},"
        " spec: {serviceAccountName: '%s-server', affinity: %v, tolerations: %v,"
        " terminationGracePeriodSeconds: 604800,"
        " containers: [{name: 'rabbitmq', image: %v, resources: %v,"
        " env: [{name: 'K8S_SERVICE_NAME', value: '%s-nodes'}],"
        " ports: [{name: 'epmd', containerPort: 4369}, {name: 'amqp', containerPort: 5672}],"
        " volumeMounts: [{name: 'server-conf', mountPath: '/etc/rabbitmq/conf.d'},"
        " {name: 'persistence', mountPath: '/var/lib/rabbitmq/mnesia'}]}],"
        " volumes: [{name: 'server-conf', configMap: {name: '%s-server-conf'}},"
        " {name: 'plugins-conf', configMap: {name: '%s-plugins-conf'}},"
        " {name: 'erlang-cookie', secret: {secretName: '%s-erlang-cookie'}}]}}",
        round->name, fathom_at(round->call, round->local, "serverConfVersion"), round->name,
        spec_of(round, "spec.affinity"), spec_of(round, "spec.tolerations"),
        spec_of(round, "spec.image"), spec_of(round, "spec.resources"), round->name, round->name,
        round->name, round->name);
}

static const struct fathom_value *server(const struct fathom_round *round)
{
    return fathom_make(
        round->call,
        "{metadata: %v, spec: {replicas: %v, serviceName: '%s-nodes', podManagementPolicy: %v,"
        " selector: {matchLabels: {'app.kubernetes.io/name': %s}}, template: %v,"
        " persistentVolumeClaimRetentionPolicy: %v,"
        " volumeClaimTemplates: [{metadata: {name: 'persistence'},"
        " spec: {accessModes: ['ReadWriteOnce'], storageClassName: %v,"
        " resources: {requests: {storage: %v}}}}]}}",
        metadata(round), spec_of(round, "spec.replicas"), round->name,
        spec_of(round, "spec.podManagementPolicy"), round->name, pod_template(round),
        spec_of(round, "spec.persistentVolumeClaimRetentionPolicy"),
        spec_of(round, "spec.persistence.storageClassName"),
        spec_of(round, "spec.persistence.storage"));
}

/* --- The controller -------------------------------------------------------------- */

static const char *const nothing[] = {NULL};
static const char *const subjects[] = {"subjects", NULL};
static const char *const changing[] = {"spec.replicas", "spec.template",
                                       "spec.persistentVolumeClaimRetentionPolicy", NULL};
static const struct fathom_memo conf_version[] = {{"serverConfVersion", "metadata.resourceVersion"},
                                                  {NULL, NULL}};

enum { SERVER = 9, PARTS };

static const struct fathom_part usual[PARTS] = {
    {.kind = "Service", .suffix = "-nodes", .make = nodes_service},
    {.kind = "Service",
     .named = client_service_name,
     .make = client_service,
     .unmatched = "spec.clusterIP"},
    {.kind = "Secret", .suffix = "-erlang-cookie", .make = erlang_cookie, .updated = nothing},
    {.kind = "Secret", .suffix = "-default-user", .make = default_user, .updated = nothing},
    {.kind = "ConfigMap", .suffix = "-plugins-conf", .make = plugins_conf},
    {.kind = "ConfigMap", .suffix = "-server-conf", .make = server_conf, .remember = conf_version},
    {.kind = "ServiceAccount", .suffix = "-server", .make = service_account},
    {.kind = "Role", .suffix = "-peer-discovery", .make = role},
    {.kind = "RoleBinding", .suffix = "-server", .make = role_binding, .updated = subjects},
    {.kind = "StatefulSet",
     .suffix = "-server",
     .make = server,
     .updated = changing,
     .owned_only = true},
};

/* Those that the check is about. */
static struct fathom_parts parts_of(struct fathom_call *call, struct fathom_part *parts)
{
    int first = (int)fathom_number(call, fathom_parameter(call, "parts"), "[0]", 0);
    int last = (int)fathom_number(call, fathom_parameter(call, "parts"), "[1]", SERVER);
    memcpy(parts, usual, sizeof usual);
    parts[SERVER].owned_only = fathom_truth(call, fathom_parameter(call, "checkOwner"), NULL, true);
    if (first < 0 || last < first || last > SERVER)
        fathom_fail(call, "parameters.parts: expected two numbers from 0 to %d", SERVER);
    return (struct fathom_parts){.items = parts + first, .count = last - first + 1};
}

static struct fathom_answer step(struct fathom_call *call, const struct fathom_value *cr,
                                 const struct fathom_response *response,
                                 const struct fathom_value *local)
{
    struct fathom_round round = fathom_round_of(call, cr, local);
    struct fathom_part items[PARTS];
    struct fathom_parts parts = parts_of(call, items);
    return fathom_parts_step(&parts, &round, response);
}

static bool match(struct fathom_call *call, const struct fathom_store *store,
                  const struct fathom_value *cr)
{
    struct fathom_part items[PARTS];
    struct fathom_parts parts = parts_of(call, items);
    return fathom_parts_match(&parts, call, store, cr);
}

static const char *validate(struct fathom_call *call, const struct fathom_value *cr)
{
    return fathom_number(call, cr, "spec.replicas", 0) < 0
               ? "spec.replicas: must be greater than or equal to 0"
               : NULL;
}

static const char *validate_change(struct fathom_call *call, const struct fathom_value *cr,
                                   const struct fathom_value *before)
{
    static const char *const immutable[] = {"spec.persistence", "spec.podManagementPolicy"};
    if (fathom_number(call, cr, "spec.replicas", 0) <
        fathom_number(call, before, "spec.replicas", 0))
        return "spec.replicas: must not decrease";
    for (int i = 0; i < 2; i++)
        if (!fathom_equal(call, fathom_at(call, cr, immutable[i]),
                          fathom_at(call, before, immutable[i])))
            return fathom_print(call, "%s: is immutable", immutable[i]);
    return NULL;
}

/* No step takes replicas from a StatefulSet of ours. */
static const char *const safety_names[] = {"the server never shrinks", NULL};

static const char *safety(struct fathom_call *call, const struct fathom_store *before,
                          const struct fathom_store *after, const struct fathom_value *external)
{
    (void)external;
    for (uint32_t i = 0; i < fathom_store_count(call, before); i++) {
        const struct fathom_value *old = fathom_store_item(call, before, i);
        if (strcmp(fathom_text(call, old, "kind", ""), "StatefulSet") != 0)
            continue;
        const struct fathom_value *now = fathom_find(
            call, after, "StatefulSet", fathom_text(call, old, "metadata.namespace", ""),
            fathom_text(call, old, "metadata.name", ""));
        if (now && fathom_number(call, now, "spec.replicas", 0) <
                       fathom_number(call, old, "spec.replicas", 0))
            return safety_names[0];
    }
    return NULL;
}

static const char *const kinds[] = {"RabbitmqCluster", NULL};

const struct fathom_controller fathom_controller = {
    FATHOM_CONTROLLER_HEADER,
    .name = "rabbitmq",
    .custom_kinds = kinds,
    .init = fathom_parts_init,
    .step = step,
    .status = fathom_parts_status,
    .match = match,
    .safety_names = safety_names,
    .safety = safety,
    .validate = validate,
    .validate_change = validate_change,
};
