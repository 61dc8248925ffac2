/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Webhooks, of which the model knows that those that fail closed keep new pods out, evictions,
 * bindings, and the ReplicaSets of Deployments. Of other requests that the controllers of the model
 * make, there is a warning, and what may depend on them is undecided (webhook_requests.c). Most
 * webhooks look at the custom resources of their own programs, which no controller of the model
 * writes: nothing is said of them.
 */
#include "cluster/build/supports_webhooks.h"

#include "cluster/ask/support.h"
#include "cluster/ask/traffic.h"
#include "object/policy.h"

#include <string.h>

/* What controllers, autoscalers, drains and kubectl write in a run; "": the core group. */
static const struct {
    const char *group;
    const char *resource;
} written[] = {
    {"", "nodes"},
    {"", "persistentvolumeclaims"},
    {"", "pods"},
    {"", "replicationcontrollers"},
    {"apps", "daemonsets"},
    {"apps", "deployments"},
    {"apps", "replicasets"},
    {"apps", "statefulsets"},
    {"batch", "cronjobs"},
    {"batch", "jobs"},
};

static bool has_group(const struct webhook_rule *rule, const char *group)
{
    for (uint32_t i = 0; i < rule->api_groups.count; i++)
        if (strcmp(rule->api_groups.items[i], "*") == 0 ||
            strcmp(rule->api_groups.items[i], group) == 0)
            return true;
    return false;
}

/* Is the rule about this resource ("pods", "*"), or a part of it ("pods/eviction")? */
static bool has_resource(const struct webhook_rule *rule, const char *resource)
{
    for (uint32_t i = 0; i < rule->resources.count; i++) {
        const char *item = rule->resources.items[i];
        const size_t length = strcspn(item, "/");
        if ((length == 1 && *item == '*') ||
            (strlen(resource) == length && strncmp(item, resource, length) == 0))
            return true;
    }
    return false;
}

static bool is_of_model(const struct webhook_rule *rule)
{
    for (size_t i = 0; i < sizeof(written) / sizeof(*written); i++)
        if (has_group(rule, written[i].group) && has_resource(rule, written[i].resource))
            return true;
    return false;
}

static bool is_of_new_pods_alone(const struct webhook_rule *rule)
{
    return rule->operations.count == 1 && strcmp(rule->operations.items[0], "CREATE") == 0 &&
           rule->resources.count == 1 && strcmp(rule->resources.items[0], "pods") == 0;
}

static bool has_operations_of(const struct webhook_rule *rule, bool updates)
{
    for (uint32_t i = 0; i < rule->operations.count; i++)
        if (strcmp(rule->operations.items[i], "CREATE") != 0 &&
            !(updates && strcmp(rule->operations.items[i], "UPDATE") == 0))
            return false;
    return true;
}

/* Is the rule only about requests of which it is modelled that they are refused? Evictions and
 * bindings are only ever created. */
static bool is_modelled(const struct support *support, const struct webhook_rule *rule)
{
    for (uint32_t i = 0; i < rule->resources.count; i++) {
        const char *resource = rule->resources.items[i];
        if (!(strcmp(resource, "pods") == 0 && has_operations_of(rule, false)) &&
            !(strcmp(resource, "replicasets") == 0 && has_operations_of(rule, true)) &&
            strcmp(resource, "pods/eviction") != 0 && strcmp(resource, "pods/binding") != 0)
            return false;
    }
    return support->scope->time != TIME_CLOCKED;
}

/* Does the Service send requests to a pod of the manifests? */
static bool has_pods(const struct support *support, const struct service *service)
{
    const struct scope *scope = support->scope;
    for (uint32_t w = 0; w < scope->workload_count; w++) {
        struct object_meta pod = workload_template(scope->workloads[w].object)->meta;
        pod.namespace = scope->workloads[w].object->meta->namespace;
        if (service_selects(service, &pod))
            return true;
    }
    return false;
}

void supports_webhooks(const struct support *support, const struct object *object,
                       const struct webhook_configuration *configuration)
{
    for (uint32_t i = 0; i < configuration->webhook_count; i++) {
        const struct webhook *webhook = &configuration->webhooks[i];
        const char *path = arena_printf(support->arena, "webhooks[%u]", i);
        bool matters = false;
        bool more = false;
        for (uint32_t r = 0; r < webhook->rule_count; r++) {
            const bool of_model = is_of_model(&webhook->rules[r]);
            matters |= of_model;
            more |=
                of_model && !is_of_new_pods_alone(&webhook->rules[r]) &&
                (support->scope->webhooks_admit_rest || !is_modelled(support, &webhook->rules[r]));
        }
        /* Only webhooks that fail closed keep anything out. */
        if (webhook->failure_policy != WEBHOOK_FAILS_CLOSED || !matters)
            continue;
        const struct object *service =
            webhook->service_name ? objects_find(support->scope->objects, OBJECT_SERVICE,
                                                 webhook->service_namespace, webhook->service_name)
                                  : NULL;
        if (!webhook->service_name)
            problem_warning(support->problems, object->place, path,
                            "webhook %s is called by its URL: it is taken to answer",
                            webhook->name);
        else if (!service)
            problem_warning(support->problems, object->place, path,
                            "the Service of webhook %s is not among the manifests: it is taken to "
                            "answer",
                            webhook->name);
        else if (!has_pods(support, service->as.service))
            problem_warning(support->problems, object->place, path,
                            "no pod of the manifests is behind the Service of webhook %s: it is "
                            "taken to answer",
                            webhook->name);
        else if (more && support->scope->webhooks_admit_rest)
            problem_warning(support->problems, object->place, path,
                            "the webhook keeps new pods out while it does not answer; other "
                            "requests that it is asked about are taken to be admitted");
        else if (more)
            problem_warning(support->problems, object->place, path,
                            "verify models that webhook %s keeps new pods, evictions, bindings and "
                            "ReplicaSets out while it does not answer; what may depend on other "
                            "requests that it refuses then is undecided",
                            webhook->name);
    }
}
