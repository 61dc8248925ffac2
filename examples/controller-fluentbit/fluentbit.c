/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Two FluentBit controllers in one plugin.
 *
 * A FluentBitConfig becomes a Secret of its name. A FluentBit names such a Secret and
 * becomes a ServiceAccount, a Role, a RoleBinding, a Service and a DaemonSet; as long as
 * its Secret is not there, nothing can be done for it, and nothing is asked for
 * (`desired`). Users may write Secrets by hand, too.
 *
 * Parameter of the check: `selector: image` puts the image's name into the DaemonSet's
 * selector, which cannot change (see broken-selector.yaml).
 */
#include "fathom/parts.h"

static const struct fathom_value *spec_of(const struct fathom_round *round, const char *path)
{
    return fathom_at(round->call, round->cr, path);
}

static const struct fathom_value *metadata(const struct fathom_round *round)
{
    return fathom_make(round->call, "{labels: %v, annotations: %v}", spec_of(round, "spec.labels"),
                       spec_of(round, "spec.annotations"));
}

/* --- FluentBitConfig --------------------------------------------------------------- */

static const struct fathom_value *config_secret(const struct fathom_round *round)
{
    return fathom_make(round->call, "{data: {'fluent-bit.conf': %v, 'parsers.conf': %v}}",
                       spec_of(round, "spec.fluentbitConfig"),
                       spec_of(round, "spec.parsersConfig"));
}

static const struct fathom_part config_items[] = {
    {.kind = "Secret", .suffix = "", .make = config_secret},
};
static const struct fathom_parts config_parts = {.items = config_items, .count = 1};

/* --- FluentBit ----------------------------------------------------------------------- */

static const char *secret_name(const struct fathom_round *round)
{
    return fathom_text(round->call, round->cr, "spec.fluentbitConfigName", "");
}

static const struct fathom_value *service_account(const struct fathom_round *round)
{
    return fathom_make(round->call, "{metadata: {labels: %v, annotations: %v}}",
                       spec_of(round, "spec.labels"),
                       spec_of(round, "spec.serviceAccountAnnotations"));
}

static const struct fathom_value *role(const struct fathom_round *round)
{
    return fathom_make(round->call,
                       "{metadata: %v, rules: [{apiGroups: [''], resources: ['pods'],"
                       " verbs: ['get']}]}",
                       metadata(round));
}

static const struct fathom_value *role_binding(const struct fathom_round *round)
{
    return fathom_make(
        round->call,
        "{metadata: %v, subjects: [{kind: 'ServiceAccount', name: %s, namespace: %s}],"
        " roleRef: {apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: '%s-role'}}",
        metadata(round), round->name, round->name_space, round->name);
}

static const struct fathom_value *service(const struct fathom_round *round)
{
    return fathom_make(round->call,
                       "{metadata: {labels: %v, annotations: %v}, spec: {selector: %v,"
                       " ports: [{name: 'metrics', port: %d}]}}",
                       spec_of(round, "spec.serviceLabels"),
                       spec_of(round, "spec.serviceAnnotations"),
                       spec_of(round, "spec.serviceSelector"),
                       (int)fathom_number(round->call, round->cr, "spec.metricsPort", 2020));
}

/* The volumes that are ours, and the user's own. */
static const struct fathom_value *volumes(const struct fathom_round *round)
{
    const struct fathom_value *own = spec_of(round, "spec.volumes");
    const struct fathom_value *all =
        fathom_truth(round->call, round->cr, "spec.disableLogVolumes", false)
            ? fathom_make(round->call, "[{name: 'config', secret: {secretName: %s}}]",
                          secret_name(round))
            : fathom_make(round->call,
                          "[{name: 'config', secret: {secretName: %s}},"
                          " {name: 'varlogs', hostPath: {path: '/var/log'}}]",
                          secret_name(round));
    uint32_t first = fathom_count(round->call, all);
    for (uint32_t i = 0; i < fathom_count(round->call, own); i++)
        all = fathom_with(round->call, all, fathom_print(round->call, "[%u]", first + i),
                          fathom_item(round->call, own, i));
    return all;
}

static const struct fathom_value *container(const struct fathom_round *round)
{
    struct fathom_call *call = round->call;
    return fathom_make(
        call,
        "{name: 'fluent-bit', image: %v, imagePullPolicy: %v, args: %v, command: %v,"
        " resources: %v, securityContext: %v, env: %v, livenessProbe: %v, readinessProbe: %v,"
        " ports: %v, volumeMounts: %v}",
        spec_of(round, "spec.image"), spec_of(round, "spec.imagePullPolicy"),
        spec_of(round, "spec.args"), spec_of(round, "spec.command"),
        spec_of(round, "spec.resources"), spec_of(round, "spec.containerSecurityContext"),
        spec_of(round, "spec.envVars"), spec_of(round, "spec.livenessProbe"),
        spec_of(round, "spec.readinessProbe"), spec_of(round, "spec.ports"),
        spec_of(round, "spec.volumeMounts"));
}

static bool selects_image(struct fathom_call *call)
{
    return strcmp(fathom_text(call, fathom_parameter(call, "selector"), NULL, ""), "image") == 0;
}

static const struct fathom_value *daemon_set(const struct fathom_round *round)
{
    struct fathom_call *call = round->call;
    const struct fathom_value *made = fathom_make(
        call,
        "{metadata: %v, spec: {selector: {matchLabels: {'app.kubernetes.io/name': %s}},"
        " template: {metadata: {labels: {'app.kubernetes.io/name': %s}, annotations: %v},"
        " spec: {serviceAccountName: %s, containers: [%v], initContainers: %v, volumes: %v,"
        " tolerations: %v, affinity: %v, nodeSelector: %v, runtimeClassName: %v, dnsPolicy: %v,"
        " priorityClassName: %v, schedulerName: %v, securityContext: %v, hostNetwork: %v,"
        " imagePullSecrets: %v}}}}",
        metadata(round), round->name, round->name, spec_of(round, "spec.annotations"), round->name,
        container(round), spec_of(round, "spec.initContainers"), volumes(round),
        spec_of(round, "spec.tolerations"), spec_of(round, "spec.affinity"),
        spec_of(round, "spec.nodeSelector"), spec_of(round, "spec.runtimeClassName"),
        spec_of(round, "spec.dnsPolicy"), spec_of(round, "spec.priorityClassName"),
        spec_of(round, "spec.schedulerName"), spec_of(round, "spec.securityContext"),
        spec_of(round, "spec.hostNetwork"), spec_of(round, "spec.imagePullSecrets"));
    if (selects_image(call))
        made = fathom_with(call, made, "spec.selector.matchLabels.image",
                           spec_of(round, "spec.image"));
    return made;
}

static const char *const subjects[] = {"subjects", NULL};
static const char *const pods[] = {"spec.template", NULL};
static const char *const pods_and_selector[] = {"spec.template", "spec.selector", NULL};

enum { DAEMON_SET = 5, PARTS };

static const struct fathom_part usual[PARTS] = {
    {.kind = "Secret", .named = secret_name}, /* must be there, whoever wrote it */
    {.kind = "ServiceAccount", .suffix = "", .make = service_account},
    {.kind = "Role", .suffix = "-role", .make = role},
    {.kind = "RoleBinding", .suffix = "-role-binding", .make = role_binding, .updated = subjects},
    {.kind = "Service", .suffix = "", .make = service, .unmatched = "spec.clusterIP"},
    {.kind = "DaemonSet", .suffix = "", .make = daemon_set, .updated = pods, .owned_only = true},
};

/* --- Both ------------------------------------------------------------------------------ */

static bool is_config(struct fathom_call *call, const struct fathom_value *cr)
{
    return strcmp(fathom_text(call, cr, "kind", ""), "FluentBitConfig") == 0;
}

static struct fathom_parts parts_of(struct fathom_call *call, const struct fathom_value *cr,
                                    struct fathom_part *items)
{
    if (is_config(call, cr))
        return config_parts;
    memcpy(items, usual, sizeof usual);
    if (selects_image(call))
        items[DAEMON_SET].updated = pods_and_selector;
    return (struct fathom_parts){.items = items, .count = PARTS};
}

static struct fathom_answer step(struct fathom_call *call, const struct fathom_value *cr,
                                 const struct fathom_response *response,
                                 const struct fathom_value *local)
{
    struct fathom_round round = fathom_round_of(call, cr, local);
    struct fathom_part items[PARTS];
    struct fathom_parts parts = parts_of(call, cr, items);
    return fathom_parts_step(&parts, &round, response);
}

static bool match(struct fathom_call *call, const struct fathom_store *store,
                  const struct fathom_value *cr)
{
    struct fathom_part items[PARTS];
    struct fathom_parts parts = parts_of(call, cr, items);
    return fathom_parts_match(&parts, call, store, cr);
}

static bool desired(struct fathom_call *call, const struct fathom_store *store,
                    const struct fathom_value *cr)
{
    struct fathom_round round = fathom_round_of(call, cr, NULL);
    return is_config(call, cr) ||
           fathom_find(call, store, "Secret", round.name_space, secret_name(&round)) != NULL;
}

static const char *const kinds[] = {"FluentBit", "FluentBitConfig", NULL};
static const char *const user_kinds[] = {"Secret", NULL};

const struct fathom_controller fathom_controller = {
    FATHOM_CONTROLLER_HEADER,
    .name = "fluentbit",
    .custom_kinds = kinds,
    .user_kinds = user_kinds,
    .init = fathom_parts_init,
    .step = step,
    .status = fathom_parts_status,
    .match = match,
    .desired = desired,
};
