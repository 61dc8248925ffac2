/* SPDX-License-Identifier: Apache-2.0 */
#include "apiserver/resource_type.h"

#include "apiserver/names.h"
#include "base/vec.h"

#include <string.h>

/* Kinds without rules of their own in the checker's environment. */
static const struct api_kind rules_namespace = {.kind = "Namespace"};
static const struct api_kind rules_event = {.kind = "Event"};
static const struct api_kind rules_lease = {.kind = "Lease"};
static bool definition_valid(const struct api_kind *kind, struct arena *arena,
                             const struct datum *definition, const char **why);
static const struct api_kind rules_definition = {.kind = "CustomResourceDefinition",
                                                 .valid = definition_valid};

static const struct resource_version_served v1_plain = {.name = "v1"};
static const struct resource_version_served v1_status = {.name = "v1", .status = true};

#define CORE ""
#define APPS "apps"
#define RBAC "rbac.authorization.k8s.io"

static const struct built_in {
    struct resource_type type;
    const struct api_kind *own_rules; /* NULL: those of the environment */
} built_in[] = {
    /* group, plural, singular, kind, list kind, short names, namespaced, generations */
    {{CORE, "configmaps", "configmap", "ConfigMap", "ConfigMapList", "cm", true, false}, NULL},
    {{CORE, "events", "event", "Event", "EventList", "ev", true, false}, &rules_event},
    {{CORE, "namespaces", "namespace", "Namespace", "NamespaceList", "ns", false, false},
     &rules_namespace},
    {{CORE, "persistentvolumeclaims", "persistentvolumeclaim", "PersistentVolumeClaim",
      "PersistentVolumeClaimList", "pvc", true, false},
     NULL},
    {{CORE, "pods", "pod", "Pod", "PodList", "po", true, false}, NULL},
    {{CORE, "secrets", "secret", "Secret", "SecretList", "", true, false}, NULL},
    {{CORE, "serviceaccounts", "serviceaccount", "ServiceAccount", "ServiceAccountList", "sa", true,
      false},
     NULL},
    {{CORE, "services", "service", "Service", "ServiceList", "svc", true, false}, NULL},
    {{APPS, "daemonsets", "daemonset", "DaemonSet", "DaemonSetList", "ds", true, true}, NULL},
    {{APPS, "statefulsets", "statefulset", "StatefulSet", "StatefulSetList", "sts", true, true},
     NULL},
    {{RBAC, "roles", "role", "Role", "RoleList", "", true, false}, NULL},
    {{RBAC, "rolebindings", "rolebinding", "RoleBinding", "RoleBindingList", "", true, false},
     NULL},
    {{"coordination.k8s.io", "leases", "lease", "Lease", "LeaseList", "", true, false},
     &rules_lease},
    {{"apiextensions.k8s.io", "customresourcedefinitions", "customresourcedefinition",
      "CustomResourceDefinition", "CustomResourceDefinitionList", "crd,crds", false, true},
     &rules_definition},
};

/* Kinds whose status is a sub-resource. */
static bool has_status(const char *kind)
{
    static const char *const names[] = {
        "CustomResourceDefinition",
        "DaemonSet",
        "Namespace",
        "PersistentVolumeClaim",
        "Pod",
        "Service",
        "StatefulSet",
    };
    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
        if (strcmp(names[i], kind) == 0)
            return true;
    return false;
}

static struct resource_type *add_type(struct resource_types *types, struct resource_type type)
{
    struct resource_type *added = ARENA_NEW(types->arena, struct resource_type);
    *added = type;
    added->index = types->count;
    VEC_PUSH(types->arena, types, added);
    return added;
}

void resource_types_init(struct resource_types *types, struct arena *arena)
{
    *types = (struct resource_types){.arena = arena};
    for (size_t i = 0; i < sizeof(built_in) / sizeof(*built_in); i++) {
        struct resource_type *type = add_type(types, built_in[i].type);
        type->versions = has_status(type->kind) ? &v1_status : &v1_plain;
        type->version_count = 1;
        type->rules = built_in[i].own_rules ? built_in[i].own_rules : api_kind_built_in(type->kind);
        if (!type->rules)
            bug("the API server has no rules for kind %s", type->kind);
    }
}

static const struct resource_version_served *find_version(const struct resource_type *type,
                                                          const char *version)
{
    for (uint32_t i = 0; i < type->version_count; i++)
        if (!version || strcmp(type->versions[i].name, version) == 0)
            return &type->versions[i];
    return NULL;
}

const struct resource_type *resource_type_find(const struct resource_types *types,
                                               const char *group, const char *version,
                                               const char *plural,
                                               const struct resource_version_served **served)
{
    for (uint32_t i = 0; i < types->count; i++) {
        const struct resource_type *type = types->items[i];
        if (type->out_of_service || strcmp(type->group, group) != 0 ||
            strcmp(type->plural, plural) != 0)
            continue;
        const struct resource_version_served *found = find_version(type, version);
        if (!found)
            return NULL;
        if (served)
            *served = found;
        return type;
    }
    return NULL;
}

bool resource_group_known(const struct resource_types *types, const char *group,
                          const char *version)
{
    for (uint32_t i = 0; i < types->count; i++)
        if (!types->items[i]->out_of_service && strcmp(types->items[i]->group, group) == 0 &&
            find_version(types->items[i], version))
            return true;
    return false;
}

const char *resource_api_version(struct arena *arena, const struct resource_type *type,
                                 const char *version)
{
    return *type->group ? arena_printf(arena, "%s/%s", type->group, version) : version;
}

const char *resource_qualified(struct arena *arena, const struct resource_type *type)
{
    return *type->group ? arena_printf(arena, "%s.%s", type->plural, type->group) : type->plural;
}

/* The definition's texts are copied: a type outlives the object that defined it. */
static const char *copied(struct arena *arena, const struct datum *definition, const char *path,
                          const char *otherwise)
{
    const char *text = datum_text(datum_at(definition, path), NULL);
    return arena_strdup(arena, text && *text ? text : otherwise);
}

static const char *short_names(struct arena *arena, const struct datum *definition)
{
    const struct datum *list = datum_at(definition, "spec.names.shortNames");
    const char *joined = "";
    for (uint32_t i = 0; list && list->kind == DATUM_LIST && i < list->count; i++) {
        const char *name = datum_text(list->items[i], "");
        if (name_is_label(name))
            joined = arena_printf(arena, "%s%s%s", joined, *joined ? "," : "", name);
    }
    return joined;
}

static bool is_true(const struct datum *value)
{
    return value && value->kind == DATUM_TRUE;
}

/* The version in which objects are stored comes first. */
static bool read_versions(struct arena *arena, const struct datum *definition,
                          struct resource_type *type, const char **why)
{
    const struct datum *list = datum_at(definition, "spec.versions");
    if (!list || list->kind != DATUM_LIST || !list->count) {
        *why = "spec.versions: Required value: must have at least one version";
        return false;
    }
    VEC(struct resource_version_served) versions = {0};
    uint32_t stored = UINT32_MAX;
    for (uint32_t i = 0; i < list->count; i++) {
        const struct datum *version = list->items[i];
        const char *name = datum_text(datum_at(version, "name"), "");
        if (!name_is_label(name)) {
            *why = arena_printf(arena, "spec.versions[%u].name: Invalid value: \"%s\"", i, name);
            return false;
        }
        if (is_true(datum_at(version, "storage"))) {
            if (stored != UINT32_MAX || !is_true(datum_at(version, "served"))) {
                *why = "spec.versions: Invalid value: must have exactly one version marked as "
                       "storage version, and it must be served";
                return false;
            }
            stored = versions.count;
        }
        if (!is_true(datum_at(version, "served")))
            continue;
        const struct resource_version_served served = {
            .name = arena_strdup(arena, name),
            .status = datum_at(version, "subresources.status") != NULL,
            .columns = datum_copy(arena, datum_at(version, "additionalPrinterColumns")),
        };
        VEC_PUSH(arena, &versions, served);
    }
    if (stored >= versions.count) {
        *why = "spec.versions: Invalid value: must have exactly one version marked as storage "
               "version";
        return false;
    }
    const struct resource_version_served first = versions.items[stored];
    versions.items[stored] = versions.items[0];
    versions.items[0] = first;
    type->versions = versions.items;
    type->version_count = versions.count;
    return true;
}

/* "CronTab" */
static bool is_kind_name(const char *text)
{
    const size_t length = strlen(text);
    return length && length <= 63 && (text[0] < '0' || text[0] > '9') &&
           strspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789") == length;
}

static const struct resource_type *find_custom(const struct resource_types *types,
                                               const char *group, const char *plural)
{
    for (uint32_t i = 0; i < types->count; i++)
        if (strcmp(types->items[i]->group, group) == 0 &&
            strcmp(types->items[i]->plural, plural) == 0)
            return types->items[i];
    return NULL;
}

static const struct api_kind *custom_rules(struct arena *arena, const char *kind)
{
    struct api_kind *rules = ARENA_NEW(arena, struct api_kind);
    rules->kind = kind;
    rules->custom = true;
    return rules;
}

static bool check_names(struct arena *arena, const struct datum *definition, const char **why)
{
    static const struct {
        const char *path;
        bool (*is_good)(const char *text);
        bool optional;
    } rules[] = {
        {"spec.group", name_is_domain, false},        {"spec.names.plural", name_is_label, false},
        {"spec.names.singular", name_is_label, true}, {"spec.names.kind", is_kind_name, false},
        {"spec.names.listKind", is_kind_name, true},
    };
    for (size_t i = 0; i < sizeof(rules) / sizeof(*rules); i++) {
        const char *text = datum_text(datum_at(definition, rules[i].path), "");
        if ((!*text && rules[i].optional) || rules[i].is_good(text))
            continue;
        *why = *text ? arena_printf(arena, "%s: Invalid value: \"%s\"", rules[i].path, text)
                     : arena_printf(arena, "%s: Required value", rules[i].path);
        return false;
    }
    const char *group = datum_text(datum_at(definition, "spec.group"), "");
    const char *plural = datum_text(datum_at(definition, "spec.names.plural"), "");
    const char *name = datum_text(datum_at(definition, "metadata.name"), "");
    const char *wanted = arena_printf(arena, "%s.%s", plural, group);
    if (strcmp(name, wanted) != 0) {
        *why = arena_printf(arena,
                            "metadata.name: Invalid value: \"%s\": must be "
                            "spec.names.plural+\".\"+spec.group",
                            name);
        return false;
    }
    for (size_t i = 0; i < sizeof(built_in) / sizeof(*built_in); i++)
        if (strcmp(built_in[i].type.group, group) == 0) {
            *why = arena_printf(arena, "spec.group: Invalid value: \"%s\": is built in", group);
            return false;
        }
    const char *scope = datum_text(datum_at(definition, "spec.scope"), "");
    if (strcmp(scope, "Namespaced") != 0 && strcmp(scope, "Cluster") != 0) {
        *why = arena_printf(arena,
                            "spec.scope: Unsupported value: \"%s\": supported values: "
                            "\"Cluster\", \"Namespaced\"",
                            scope);
        return false;
    }
    return true;
}

static bool build_type(struct arena *arena, const struct datum *definition,
                       struct resource_type *type, const char **why)
{
    if (!check_names(arena, definition, why))
        return false;
    const char *kind = copied(arena, definition, "spec.names.kind", "");
    char *lower = arena_strdup(arena, kind);
    for (char *c = lower; *c; c++)
        if (*c >= 'A' && *c <= 'Z')
            *c = (char)(*c - 'A' + 'a');
    *type = (struct resource_type){
        .group = copied(arena, definition, "spec.group", ""),
        .plural = copied(arena, definition, "spec.names.plural", ""),
        .singular = copied(arena, definition, "spec.names.singular", lower),
        .kind = kind,
        .list_kind =
            copied(arena, definition, "spec.names.listKind", arena_printf(arena, "%sList", kind)),
        .short_names = short_names(arena, definition),
        .namespaced = strcmp(datum_text(datum_at(definition, "spec.scope"), ""), "Namespaced") == 0,
        .counts_generations = true,
        .rules = custom_rules(arena, kind),
    };
    return read_versions(arena, definition, type, why);
}

static bool definition_valid(const struct api_kind *kind, struct arena *arena,
                             const struct datum *definition, const char **why)
{
    (void)kind;
    struct resource_type type;
    const char *reason = "";
    const bool good = build_type(arena, definition, &type, &reason);
    if (!good && why)
        *why = reason;
    return good;
}

/* Somebody may be reading the type that is there, so another takes its place. */
void resource_type_define(struct resource_types *types, const struct datum *definition)
{
    struct resource_type type;
    const char *why = "";
    if (!build_type(types->arena, definition, &type, &why))
        bug("a CustomResourceDefinition that is not valid was stored: %s", why);
    const struct resource_type *known = find_custom(types, type.group, type.plural);
    if (!known) {
        add_type(types, type);
        return;
    }
    type.index = known->index;
    types->items[type.index] = arena_copy(types->arena, &type, sizeof(type));
}

void resource_type_retire(struct resource_types *types, const struct datum *definition)
{
    const struct resource_type *known =
        find_custom(types, datum_text(datum_at(definition, "spec.group"), ""),
                    datum_text(datum_at(definition, "spec.names.plural"), ""));
    if (!known)
        return;
    struct resource_type retired = *known;
    retired.out_of_service = true;
    types->items[retired.index] = arena_copy(types->arena, &retired, sizeof(retired));
}
