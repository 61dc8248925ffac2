/* SPDX-License-Identifier: Apache-2.0 */
#include "object/kubectl_way.h"

#include "base/map.h"

#include <string.h>

/* ---- what is no manifest ---- */

static bool is_file(const struct value *root, const char *name)
{
    const char *file = root->file ? strrchr(root->file, '/') : NULL;
    file = file ? file + 1 : root->file;
    return file && strcmp(file, name) == 0;
}

static bool is_kustomization(const struct value *root)
{
    const char *kind = value_find_string(root, "kind");
    return (kind && strcmp(kind, "Kustomization") == 0 &&
            !value_find(value_find(root, "spec"), "sourceRef")) ||
           is_file(root, "kustomization.yaml") || is_file(root, "kustomization.yml");
}

static bool is_chart(const struct value *root)
{
    return is_file(root, "Chart.yaml") && value_find(root, "apiVersion") &&
           !value_find(root, "kind");
}

/* What is no mapping at all is told by whoever decodes it. */
static bool is_manifest(const struct value *root)
{
    return !is_kustomization(root) && !is_chart(root) &&
           (root->kind != VALUE_MAPPING ||
            (value_find_string(root, "apiVersion") && value_find_string(root, "kind")));
}

/* What has a name as objects have it, or a kind of Kubernetes, is likely to be a manifest that lost
 * its first lines. kubectl refuses it, and applies the rest. */
static bool is_meant(const struct value *root)
{
    const char *kind = value_find_string(root, "kind");
    return value_find(value_find(root, "metadata"), "name") != NULL ||
           (kind && kind_parse(kind) != OBJECT_OTHER);
}

static const char *missing_words(const struct value *root)
{
    if (value_find_string(root, "kind"))
        return "there is no apiVersion";
    return value_find_string(root, "apiVersion") ? "there is no kind"
                                                 : "there is neither apiVersion nor kind";
}

/* A package.json or a values.yaml in the folder changes no verdict; a manifest that is lost may,
 * and so may kustomize and Helm, which make other objects of the same files. */
static void warn_of_other(const struct value *root, struct problems *problems)
{
    const struct place place = value_place(root);
    if (is_kustomization(root))
        problem_warning(problems, place, NULL,
                        "kustomize puts this folder together: its files are read as they are, "
                        "without it (kubectl kustomize FOLDER | fathom verify -f - verifies what "
                        "it makes)");
    else if (is_chart(root))
        problem_warning(problems, place, NULL,
                        "this folder is a Helm chart: its files are read as they are (helm "
                        "template FOLDER | fathom verify -f - verifies what it makes)");
    else if (is_meant(root))
        problem_warning(problems, place, NULL, "no manifest (%s): left out", missing_words(root));
    else
        problem_remark(problems, place, NULL, "no manifest (%s): left out", missing_words(root));
}

void documents_drop_others(struct documents *documents, struct problems *problems)
{
    uint32_t manifests = 0;
    uint32_t kept = 0;
    const char *told = NULL;
    for (uint32_t i = 0; i < documents->count; i++)
        manifests += is_manifest(&documents->items[i].root);
    for (uint32_t i = 0; i < documents->count; i++) {
        const struct value *root = &documents->items[i].root;
        const bool is_known = is_kustomization(root) || is_chart(root);
        /* If nothing else is there, the user means these, and is told what is wrong with them. */
        if (is_manifest(root) || (manifests == 0 && !is_known)) {
            documents->items[kept++] = documents->items[i];
        } else if (is_known || is_meant(root) || !told || !root->file ||
                   strcmp(told, root->file) != 0) {
            told = is_known || is_meant(root) ? told : root->file;
            warn_of_other(root, problems);
        }
    }
    documents->count = kept;
}

/* ---- what makes no difference ---- */

/* By group; "": the core. Kinds that may refuse or change pods (webhooks, quotas, policies of
 * admission), or that other programs make pods of, are not among them. */
static const struct {
    const char *group;
    const char *kind; /* "": all of the group */
} harmless[] = {
    {"", "ConfigMap"},
    {"", "Endpoints"},
    {"", "Event"},
    {"", "Secret"},
    {"", "ServiceAccount"},
    {"admissionregistration.k8s.io", "ValidatingAdmissionPolicyBinding"},
    {"apiextensions.k8s.io", "CustomResourceDefinition"},
    {"apiregistration.k8s.io", "APIService"},
    {"apps", "ControllerRevision"},
    {"cert-manager.io", ""},
    {"coordination.k8s.io", "Lease"},
    {"discovery.k8s.io", "EndpointSlice"},
    {"extensions", "Ingress"},
    {"flowcontrol.apiserver.k8s.io", "FlowSchema"},
    {"flowcontrol.apiserver.k8s.io", "PriorityLevelConfiguration"},
    {"gateway.networking.k8s.io", ""},
    {"metallb.io", ""},
    {"monitoring.coreos.com", "PodMonitor"},
    {"monitoring.coreos.com", "Probe"},
    {"monitoring.coreos.com", "PrometheusRule"},
    {"monitoring.coreos.com", "ServiceMonitor"},
    {"networking.istio.io", ""},
    {"networking.k8s.io", "Ingress"},
    {"networking.k8s.io", "IngressClass"},
    {"networking.k8s.io", "NetworkPolicy"},
    {"rbac.authorization.k8s.io", "ClusterRole"},
    {"rbac.authorization.k8s.io", "ClusterRoleBinding"},
    {"rbac.authorization.k8s.io", "Role"},
    {"rbac.authorization.k8s.io", "RoleBinding"},
    {"route.openshift.io", ""},
    {"security.istio.io", ""},
    {"snapshot.storage.k8s.io", ""},
    {"telemetry.istio.io", ""},
    {"traefik.containo.us", ""},
    {"traefik.io", ""},
};
enum { HARMLESS = sizeof(harmless) / sizeof(*harmless) };

static bool is_of_group(const char *version, const char *group)
{
    const char *slash = strchr(version, '/');
    const size_t length = slash ? (size_t)(slash - version) : 0;
    return strlen(group) == length && strncmp(version, group, length) == 0;
}

/* Its row in the table; HARMLESS: it has none. */
static size_t harmless_row(const struct value *root)
{
    const char *version = value_find_string(root, "apiVersion");
    const char *kind = value_find_string(root, "kind");
    size_t row = 0;
    while (version && kind && row < HARMLESS &&
           !((!*harmless[row].kind || strcmp(harmless[row].kind, kind) == 0) &&
             is_of_group(version, harmless[row].group)))
        row++;
    return version && kind ? row : HARMLESS;
}

bool object_may_make_pods(const struct object *object)
{
    return object->kind == OBJECT_OTHER && object->source && object->api_version &&
           api_version_is_foreign(object->api_version) &&
           harmless_row(&object->source->root) == HARMLESS;
}

const char *documents_drop_harmless(struct arena *arena, struct documents *documents)
{
    uint32_t counts[HARMLESS] = {0};
    const char *text = NULL;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < documents->count; i++) {
        const size_t row = harmless_row(&documents->items[i].root);
        if (row < HARMLESS)
            counts[row]++;
        else
            documents->items[kept++] = documents->items[i];
    }
    documents->count = kept;
    for (size_t row = 0; row < HARMLESS; row++)
        if (counts[row] > 0)
            text = arena_printf(arena, "%s%s%u %s%s", text ? text : "", text ? ", " : "",
                                counts[row], *harmless[row].kind ? harmless[row].kind : "of ",
                                *harmless[row].kind ? "" : harmless[row].group);
    return text;
}

/* ---- what is given several times ---- */

static const char *key_of(struct arena *arena, const struct value *root, const char *name_space)
{
    const struct value *meta = value_find(root, "metadata");
    const char *kind = value_find_string(root, "kind");
    const char *version = value_find_string(root, "apiVersion");
    const char *name = value_find_string(meta, "name");
    const char *own = value_find_string(meta, "namespace");
    const char *slash = version ? strchr(version, '/') : NULL;
    if (!kind || !name || !version)
        return NULL;
    return arena_printf(arena, "%.*s/%s/%s/%s", slash ? (int)(slash - version) : 0, version, kind,
                        own          ? own
                        : name_space ? name_space
                                     : "default",
                        name);
}

/* What one file gives again: one warning, at the first of them, says how much it is. */
struct given_again {
    uint32_t warning; /* its place among the problems */
    uint32_t more;
};

static const char *file_of(const struct value *value)
{
    return value->file ? value->file : "";
}

static void warn_again(struct arena *arena, struct map *files, const struct value *former,
                       const struct value *root, struct problems *problems)
{
    struct map_entry *entry = map_put(files, file_of(root));
    struct given_again *again = entry->value;
    if (again) {
        again->more++;
        return;
    }
    again = ARENA_NEW(arena, struct given_again);
    again->warning = problems->count;
    entry->value = again;
    problem_warning(
        problems, value_place(root), "metadata.name",
        "%s %s is given again: this one counts, and not the one at %s:%u:%u, as with kubectl apply",
        value_find_string(root, "kind"), value_find_string(value_find(root, "metadata"), "name"),
        former->file, former->line, former->column);
}

/* Looks files up in the order of the documents, so that each is told once. */
static void count_again(struct map *files, const struct documents *documents,
                        struct problems *problems)
{
    for (uint32_t i = 0; i < documents->count; i++) {
        struct given_again *again = map_get(files, file_of(&documents->items[i].root));
        if (!again || again->more == 0)
            continue;
        struct problem *warning = &problems->items[again->warning];
        warning->message = arena_printf(problems->arena, "%s (and %u more of this file)",
                                        warning->message, again->more);
        again->more = 0;
    }
}

void documents_keep_last(struct arena *arena, struct documents *documents, const char *name_space,
                         struct problems *problems)
{
    bool *replaced = ARENA_ARRAY(arena, bool, documents->count + 1);
    struct map last;
    struct map files;
    map_init(&last, arena);
    map_init(&files, arena);
    for (uint32_t i = 0; i < documents->count; i++) {
        const struct value *root = &documents->items[i].root;
        const char *key = key_of(arena, root, name_space);
        if (!key)
            continue;
        struct map_entry *entry = map_put(&last, key);
        if (entry->value) {
            const uint32_t before = (uint32_t)((uintptr_t)entry->value - 1);
            const struct value *former = &documents->items[before].root;
            replaced[before] = true;
            if (!value_equal(former, root))
                warn_again(arena, &files, former, root, problems);
        }
        entry->value = (void *)((uintptr_t)i + 1);
    }
    count_again(&files, documents, problems);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < documents->count; i++)
        if (!replaced[i])
            documents->items[kept++] = documents->items[i];
    documents->count = kept;
}
