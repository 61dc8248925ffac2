/* SPDX-License-Identifier: Apache-2.0 */
#include "apiserver/resource_type.h"

#include "apiserver/names.h"
#include "base/vec.h"

#include <stdatomic.h>
#include <string.h>

/* What a defined type lives in. */
struct resource_life {
    struct memory *memory;
    struct arena arena;
    struct resource_type type;
    atomic_uint references;
};

/* Kinds without rules of their own in the checker's environment. */
static const struct api_kind rules_namespace = {.kind = "Namespace"};
static const struct api_kind rules_event = {.kind = "Event"};
static const struct api_kind rules_lease = {.kind = "Lease"};
static const struct api_kind rules_node = {.kind = "Node", .status_is_given = true};
static bool definition_valid(const struct api_kind *kind, struct arena *arena,
                             const struct datum *definition, const char **why);
static const struct api_kind rules_definition = {.kind = "CustomResourceDefinition",
                                                 .valid = definition_valid};

static const struct resource_version_served v1_plain = {.name = "v1"};
static const struct resource_version_served v1_status = {.name = "v1", .status = true};
static const struct resource_version_served v2_status = {.name = "v2", .status = true};

#define CORE ""
#define APPS "apps"
#define RBAC "rbac.authorization.k8s.io"
/* A kind that manifests have and no controller here reads: it is kept as it is given. */
#define KEPT(name) (&(const struct api_kind){.kind = (name)})

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
    {{RBAC, "clusterroles", "clusterrole", "ClusterRole", "ClusterRoleList", "", false, false},
     KEPT("ClusterRole")},
    {{RBAC, "clusterrolebindings", "clusterrolebinding", "ClusterRoleBinding",
      "ClusterRoleBindingList", "", false, false},
     KEPT("ClusterRoleBinding")},
    {{CORE, "limitranges", "limitrange", "LimitRange", "LimitRangeList", "limits", true, false},
     KEPT("LimitRange")},
    {{CORE, "nodes", "node", "Node", "NodeList", "no", false, false}, &rules_node},
    {{CORE, "persistentvolumes", "persistentvolume", "PersistentVolume", "PersistentVolumeList",
      "pv", false, false},
     KEPT("PersistentVolume")},
    {{CORE, "replicationcontrollers", "replicationcontroller", "ReplicationController",
      "ReplicationControllerList", "rc", true, true},
     KEPT("ReplicationController")},
    {{CORE, "resourcequotas", "resourcequota", "ResourceQuota", "ResourceQuotaList", "quota", true,
      false},
     KEPT("ResourceQuota")},
    {{APPS, "deployments", "deployment", "Deployment", "DeploymentList", "deploy", true, true},
     KEPT("Deployment")},
    {{APPS, "replicasets", "replicaset", "ReplicaSet", "ReplicaSetList", "rs", true, true},
     KEPT("ReplicaSet")},
    {{"autoscaling", "horizontalpodautoscalers", "horizontalpodautoscaler",
      "HorizontalPodAutoscaler", "HorizontalPodAutoscalerList", "hpa", true, false},
     KEPT("HorizontalPodAutoscaler")},
    {{"batch", "cronjobs", "cronjob", "CronJob", "CronJobList", "cj", true, true}, KEPT("CronJob")},
    {{"batch", "jobs", "job", "Job", "JobList", "", true, true}, KEPT("Job")},
    {{"networking.k8s.io", "ingresses", "ingress", "Ingress", "IngressList", "ing", true, true},
     KEPT("Ingress")},
    {{"networking.k8s.io", "networkpolicies", "networkpolicy", "NetworkPolicy", "NetworkPolicyList",
      "netpol", true, true},
     KEPT("NetworkPolicy")},
    {{"policy", "poddisruptionbudgets", "poddisruptionbudget", "PodDisruptionBudget",
      "PodDisruptionBudgetList", "pdb", true, true},
     KEPT("PodDisruptionBudget")},
    {{"scheduling.k8s.io", "priorityclasses", "priorityclass", "PriorityClass", "PriorityClassList",
      "pc", false, false},
     KEPT("PriorityClass")},
    {{"storage.k8s.io", "storageclasses", "storageclass", "StorageClass", "StorageClassList", "sc",
      false, false},
     KEPT("StorageClass")},
    {{CORE, "endpoints", "endpoints", "Endpoints", "EndpointsList", "ep", true, false},
     KEPT("Endpoints")},
    {{"admissionregistration.k8s.io", "mutatingwebhookconfigurations",
      "mutatingwebhookconfiguration", "MutatingWebhookConfiguration",
      "MutatingWebhookConfigurationList", "", false, true},
     KEPT("MutatingWebhookConfiguration")},
    {{"admissionregistration.k8s.io", "validatingwebhookconfigurations",
      "validatingwebhookconfiguration", "ValidatingWebhookConfiguration",
      "ValidatingWebhookConfigurationList", "", false, true},
     KEPT("ValidatingWebhookConfiguration")},
    {{"apiregistration.k8s.io", "apiservices", "apiservice", "APIService", "APIServiceList", "",
      false, false},
     KEPT("APIService")},
    {{"discovery.k8s.io", "endpointslices", "endpointslice", "EndpointSlice", "EndpointSliceList",
      "", true, false},
     KEPT("EndpointSlice")},
    {{"networking.k8s.io", "ingressclasses", "ingressclass", "IngressClass", "IngressClassList", "",
      false, true},
     KEPT("IngressClass")},
    {{"node.k8s.io", "runtimeclasses", "runtimeclass", "RuntimeClass", "RuntimeClassList", "",
      false, false},
     KEPT("RuntimeClass")},
    {{"storage.k8s.io", "csidrivers", "csidriver", "CSIDriver", "CSIDriverList", "", false, false},
     KEPT("CSIDriver")},
    {{APPS, "controllerrevisions", "controllerrevision", "ControllerRevision",
      "ControllerRevisionList", "", true, false},
     KEPT("ControllerRevision")},
    {{"storage.k8s.io", "csinodes", "csinode", "CSINode", "CSINodeList", "", false, false},
     KEPT("CSINode")},
    {{"storage.k8s.io", "volumeattachments", "volumeattachment", "VolumeAttachment",
      "VolumeAttachmentList", "", false, false},
     KEPT("VolumeAttachment")},
    {{"storage.k8s.io", "volumeattributesclasses", "volumeattributesclass", "VolumeAttributesClass",
      "VolumeAttributesClassList", "vac", false, false},
     KEPT("VolumeAttributesClass")},
    {{"admissionregistration.k8s.io", "validatingadmissionpolicies", "validatingadmissionpolicy",
      "ValidatingAdmissionPolicy", "ValidatingAdmissionPolicyList", "", false, true},
     KEPT("ValidatingAdmissionPolicy")},
    {{"admissionregistration.k8s.io", "validatingadmissionpolicybindings",
      "validatingadmissionpolicybinding", "ValidatingAdmissionPolicyBinding",
      "ValidatingAdmissionPolicyBindingList", "", false, true},
     KEPT("ValidatingAdmissionPolicyBinding")},
    {{"admissionregistration.k8s.io", "mutatingadmissionpolicies", "mutatingadmissionpolicy",
      "MutatingAdmissionPolicy", "MutatingAdmissionPolicyList", "", false, true},
     KEPT("MutatingAdmissionPolicy")},
    {{"admissionregistration.k8s.io", "mutatingadmissionpolicybindings",
      "mutatingadmissionpolicybinding", "MutatingAdmissionPolicyBinding",
      "MutatingAdmissionPolicyBindingList", "", false, true},
     KEPT("MutatingAdmissionPolicyBinding")},
    {{"flowcontrol.apiserver.k8s.io", "flowschemas", "flowschema", "FlowSchema", "FlowSchemaList",
      "", false, true},
     KEPT("FlowSchema")},
    {{"flowcontrol.apiserver.k8s.io", "prioritylevelconfigurations", "prioritylevelconfiguration",
      "PriorityLevelConfiguration", "PriorityLevelConfigurationList", "", false, true},
     KEPT("PriorityLevelConfiguration")},
    {{"resource.k8s.io", "deviceclasses", "deviceclass", "DeviceClass", "DeviceClassList", "",
      false, true},
     KEPT("DeviceClass")},
    {{"resource.k8s.io", "resourceclaims", "resourceclaim", "ResourceClaim", "ResourceClaimList",
      "", true, false},
     KEPT("ResourceClaim")},
    {{"resource.k8s.io", "resourceclaimtemplates", "resourceclaimtemplate", "ResourceClaimTemplate",
      "ResourceClaimTemplateList", "", true, false},
     KEPT("ResourceClaimTemplate")},
    {{"resource.k8s.io", "resourceslices", "resourceslice", "ResourceSlice", "ResourceSliceList",
      "", false, true},
     KEPT("ResourceSlice")},
    {{"coordination.k8s.io", "leases", "lease", "Lease", "LeaseList", "", true, false},
     &rules_lease},
    {{"apiextensions.k8s.io", "customresourcedefinitions", "customresourcedefinition",
      "CustomResourceDefinition", "CustomResourceDefinitionList", "crd,crds", false, true},
     &rules_definition},
};

enum { TYPES_MOST = sizeof(built_in) / sizeof(*built_in) + RESOURCE_DEFINITIONS_MOST };

/* Kinds whose status is a sub-resource. A Node comes with its own. */
static bool has_status(const char *kind)
{
    static const char *const names[] = {
        "CronJob",
        "CustomResourceDefinition",
        "DaemonSet",
        "Deployment",
        "Ingress",
        "Job",
        "Namespace",
        "PersistentVolume",
        "PersistentVolumeClaim",
        "Pod",
        "PodDisruptionBudget",
        "ReplicaSet",
        "ReplicationController",
        "ResourceQuota",
        "Service",
        "StatefulSet",
    };
    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
        if (strcmp(names[i], kind) == 0)
            return true;
    return false;
}

static struct resource_type *add_built_in(struct resource_types *types, struct resource_type type)
{
    struct resource_type *added = ARENA_NEW(types->arena, struct resource_type);
    *added = type;
    added->index = types->count;
    added->identity = types->identities++;
    VEC_PUSH(types->arena, types, added);
    return added;
}

void resource_types_init(struct resource_types *types, struct arena *arena)
{
    *types = (struct resource_types){.arena = arena,
                                     .object_counts = ARENA_ARRAY(arena, uint32_t, TYPES_MOST)};
    for (size_t i = 0; i < sizeof(built_in) / sizeof(*built_in); i++) {
        struct resource_type *type = add_built_in(types, built_in[i].type);
        type->versions = strcmp(type->group, "autoscaling") == 0 ? &v2_status
                         : has_status(type->kind)                ? &v1_status
                                                                 : &v1_plain;
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

bool resource_type_has_place(const struct resource_types *types, const struct resource_type *type)
{
    return types->items[type->index]->identity == type->identity;
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

const struct resource_type *resource_type_hold(const struct resource_type *type)
{
    if (type->life)
        atomic_fetch_add(&type->life->references, 1);
    return type;
}

void resource_type_release(const struct resource_type *type)
{
    struct resource_life *life = type ? type->life : NULL;
    if (!life || atomic_fetch_sub(&life->references, 1) != 1)
        return;
    arena_release(&life->arena);
    memory_release(life->memory, life, sizeof(*life));
}

void resource_types_release(struct resource_types *types)
{
    for (uint32_t i = 0; i < types->count; i++)
        resource_type_release(types->items[i]);
}

/* A type to be filled, held by the list. */
static struct resource_life *new_life(const struct resource_types *types)
{
    struct memory *memory = types->arena->memory;
    struct resource_life *life = memory_allocate(memory, sizeof(*life));
    *life = (struct resource_life){.memory = memory};
    atomic_init(&life->references, 1);
    arena_init(&life->arena, memory);
    return life;
}

static bool is_free(const struct resource_types *types, const struct resource_type *type)
{
    return type->out_of_service && atomic_load(&type->life->references) == 1 &&
           types->object_counts[type->index] == 0;
}

/* The place of the type that has this group and plural, or of one that nobody knows any more, or
 * one behind the last. */
static uint32_t place_for(const struct resource_types *types, const char *group, const char *plural)
{
    const struct resource_type *known = find_custom(types, group, plural);
    if (known)
        return known->index;
    for (uint32_t i = 0; i < types->count; i++)
        if (is_free(types, types->items[i]))
            return i;
    return types->count;
}

static void put(struct resource_types *types, struct resource_life *life)
{
    struct resource_type *type = &life->type;
    const struct resource_type *known = find_custom(types, type->group, type->plural);
    type->index = place_for(types, type->group, type->plural);
    type->identity = known ? known->identity : types->identities++;
    type->life = life;
    if (type->index == types->count)
        VEC_PUSH(types->arena, types, NULL);
    else
        resource_type_release(types->items[type->index]);
    types->items[type->index] = type;
}

bool resource_types_full(const struct resource_types *types, const struct datum *definition)
{
    return place_for(types, datum_text(datum_at(definition, "spec.group"), ""),
                     datum_text(datum_at(definition, "spec.names.plural"), "")) >= TYPES_MOST;
}

void resource_type_define(struct resource_types *types, const struct datum *definition)
{
    struct resource_life *life = new_life(types);
    const char *why = "";
    if (!build_type(&life->arena, definition, &life->type, &why))
        bug("a CustomResourceDefinition that is not valid was stored: %s", why);
    put(types, life);
}

void resource_type_retire(struct resource_types *types, const struct datum *definition)
{
    const struct resource_type *known =
        find_custom(types, datum_text(datum_at(definition, "spec.group"), ""),
                    datum_text(datum_at(definition, "spec.names.plural"), ""));
    if (!known)
        return;
    struct resource_life *life = new_life(types);
    struct resource_version_served *version =
        ARENA_NEW(&life->arena, struct resource_version_served);
    version->name = arena_strdup(&life->arena, known->versions[0].name);
    life->type = (struct resource_type){
        .versions = version,
        .version_count = 1,
        .group = arena_strdup(&life->arena, known->group),
        .plural = arena_strdup(&life->arena, known->plural),
        .kind = arena_strdup(&life->arena, known->kind),
        .namespaced = known->namespaced,
        .out_of_service = true,
        .rules = custom_rules(&life->arena, arena_strdup(&life->arena, known->kind)),
    };
    put(types, life);
}
