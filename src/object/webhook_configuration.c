/* SPDX-License-Identifier: Apache-2.0 */
/* ValidatingWebhookConfiguration and MutatingWebhookConfiguration, as far as it matters whom a
 * webhook that does not answer keeps out. */
#include "object/kind.h"
#include "object/names.h"
#include "object/policy.h"
#include "object/schemas.h"

#include <string.h>

enum { TIMEOUT = 10, TIMEOUT_MOST = 30 };

static const struct enum_name failure_policies[] = {
    {"Fail", WEBHOOK_FAILS_CLOSED},
    {"Ignore", WEBHOOK_FAILS_OPEN},
    {0},
};

static const struct field service_fields[] = {
    FIELD_STRING("name", webhook, service_name, FIELD_REQUIRED),
    FIELD_STRING("namespace", webhook, service_namespace, FIELD_REQUIRED),
};
static const char *const service_unused[] = {"path", "port", NULL};
static const struct schema service_schema =
    SCHEMA_COMPLETE(webhook, service_fields, service_unused);

static const struct field client_fields[] = {
    FIELD_NESTED("service", 0, service_schema),
};
static const char *const client_unused[] = {"caBundle", "url", NULL};
static const struct schema client_schema = SCHEMA_COMPLETE(webhook, client_fields, client_unused);

static const struct field rule_fields[] = {
    FIELD_STRINGS("apiGroups", webhook_rule, api_groups, FIELD_REQUIRED),
    FIELD_STRINGS("apiVersions", webhook_rule, api_versions, FIELD_REQUIRED),
    FIELD_STRINGS("operations", webhook_rule, operations, FIELD_REQUIRED),
    FIELD_STRINGS("resources", webhook_rule, resources, FIELD_REQUIRED),
    FIELD_STRING("scope", webhook_rule, scope, 0),
};
static const struct schema rule_schema = SCHEMA_COMPLETE(webhook_rule, rule_fields, nothing_unused);

static const struct field webhook_fields[] = {
    FIELD_NESTED("clientConfig", FIELD_REQUIRED, client_schema),
    FIELD_ENUM("failurePolicy", webhook, failure_policy, 0, failure_policies, WEBHOOK_FAILS_CLOSED),
    FIELD_NOT_MODELLED(
        "matchConditions",
        "match conditions are not evaluated; the webhook is asked whatever they say"),
    FIELD_STRING("name", webhook, name, FIELD_REQUIRED),
    FIELD_POINTER("namespaceSelector", webhook, namespace_selector, 0, label_selector_schema),
    FIELD_POINTER("objectSelector", webhook, object_selector, 0, label_selector_schema),
    FIELD_LIST("rules", webhook, rules, rule_count, 0, rule_schema),
    FIELD_INT32("timeoutSeconds", webhook, timeout_seconds, 0, 1, TIMEOUT_MOST, TIMEOUT),
};
static const char *const webhook_unused[] = {"admissionReviewVersions", "matchPolicy",
                                             "reinvocationPolicy", "sideEffects", NULL};
static const struct schema webhook_schema =
    SCHEMA_COMPLETE(webhook, webhook_fields, webhook_unused);

static const struct field fields[] = {
    FIELD_STRUCT("metadata", webhook_configuration, meta, 0, object_meta_schema),
    FIELD_LIST("webhooks", webhook_configuration, webhooks, webhook_count, 0, webhook_schema),
};
static const struct schema schema = SCHEMA_COMPLETE(webhook_configuration, fields, object_unused);

static bool is_one_of(const char *text, const char *const *words)
{
    while (*words && strcmp(*words, text) != 0)
        words++;
    return *words != NULL;
}

/* A misspelt operation would match nothing, and the webhook keep nobody out. */
static void validate_rule(struct reading *reading, const struct path *path,
                          const struct webhook_rule *rule)
{
    static const char *const operations[] = {"CREATE", "UPDATE", "DELETE", "CONNECT", "*", NULL};
    static const char *const scopes[] = {"Cluster", "Namespaced", "*", NULL};
    const struct path list = path_field(path, "operations");
    const struct path scope = path_field(path, "scope");
    for (uint32_t i = 0; i < rule->operations.count; i++) {
        const struct path item = path_item(&list, i);
        if (!is_one_of(rule->operations.items[i], operations))
            reading_error(reading, &item,
                          "expected CREATE, UPDATE, DELETE, CONNECT or *, found \"%s\"",
                          rule->operations.items[i]);
        else if (rule->operations.count > 1 && strcmp(rule->operations.items[i], "*") == 0)
            reading_error(reading, &item, "* stands for all operations, and must stand alone");
    }
    if (rule->scope && !is_one_of(rule->scope, scopes))
        reading_error(reading, &scope, "expected Cluster, Namespaced or *, found \"%s\"",
                      rule->scope);
}

static void validate_name(struct reading *reading, const struct path *path,
                          const struct webhook_configuration *configuration, uint32_t number)
{
    const char *name = configuration->webhooks[number].name;
    const char *dot = name ? strchr(name, '.') : NULL;
    if (!name)
        return;
    if (!name_is_dns_subdomain(name) || !dot || !strchr(dot + 1, '.'))
        reading_error(reading, path,
                      "expected a domain of at least three parts such as pods.example.org, found "
                      "\"%s\"",
                      name);
    for (uint32_t i = 0; i < number; i++)
        if (configuration->webhooks[i].name && strcmp(configuration->webhooks[i].name, name) == 0)
            reading_error(reading, path, "there is a webhook %s already", name);
}

static void validate(struct reading *reading, const struct path *path, const void *object)
{
    const struct webhook_configuration *configuration = object;
    const struct path metadata = path_field(path, "metadata");
    const struct path list = path_field(path, "webhooks");
    object_meta_validate(reading, &metadata, &configuration->meta, NAME_DNS_SUBDOMAIN);
    for (uint32_t i = 0; i < configuration->webhook_count; i++) {
        const struct webhook *webhook = &configuration->webhooks[i];
        const struct path item = path_item(&list, i);
        const struct path namespaces = path_field(&item, "namespaceSelector");
        const struct path selected = path_field(&item, "objectSelector");
        const struct path name = path_field(&item, "name");
        const struct path rules = path_field(&item, "rules");
        validate_name(reading, &name, configuration, i);
        for (uint32_t r = 0; r < webhook->rule_count; r++) {
            const struct path rule = path_item(&rules, r);
            validate_rule(reading, &rule, &webhook->rules[r]);
        }
        if (webhook->namespace_selector)
            label_selector_validate(reading, &namespaces, webhook->namespace_selector);
        if (webhook->object_selector)
            label_selector_validate(reading, &selected, webhook->object_selector);
    }
}

static const struct kind_version versions[] = {
    {.api_version = "admissionregistration.k8s.io/v1", .schema = &schema}, {0}};

const struct kind_type validating_webhook_configuration_kind = {
    .versions = versions,
    .validate = validate,
};

const struct kind_type mutating_webhook_configuration_kind = {
    .versions = versions,
    .validate = validate,
};
