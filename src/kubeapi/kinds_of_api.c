/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The built-in kinds that controllers make: which shapes the API server reads,
 * what it takes for valid, and what may not change.
 */
#include "kubeapi/verbs.h"

#include <string.h>

/* A member and what it has to be where it is given. */
struct api_shape {
    const char *path;
    enum datum_kind kind;
};

/* All that kinds_of_api.c knows of one kind. */
struct rules {
    const struct api_shape *shapes; /* a NULL path at the end */
    bool needs_spec;
    const char *counted;           /* a number that may not be negative; NULL: none */
    const char *const *changeable; /* members of the spec that may change; NULL: all */
    const char *const *constant;   /* paths that may not change; NULL: none */
};

static bool shapes_fit(const struct api_kind *kind, const struct datum *object)
{
    const struct rules *rules = kind->context;
    for (const struct api_shape *shape = rules->shapes; shape->path; shape++) {
        const struct datum *value = datum_at(object, shape->path);
        if (value && value->kind != shape->kind)
            return false;
    }
    return true;
}

static bool says(struct arena *arena, const char **why, const char *path, const char *what)
{
    if (why)
        *why = arena_printf(arena, "%s: %s", path, what);
    return false;
}

static bool follows_rules(const struct api_kind *kind, struct arena *arena,
                          const struct datum *object, const char **why)
{
    const struct rules *rules = kind->context;
    if (rules->needs_spec && !datum_member(object, "spec"))
        return says(arena, why, "spec", "is required");
    if (rules->counted && datum_number(datum_at(object, rules->counted), 0) < 0)
        return says(arena, why, rules->counted, "must be greater than or equal to 0");
    return true;
}

static bool listed(const char *const *names, const char *name)
{
    for (; *names; names++)
        if (strcmp(*names, name) == 0)
            return true;
    return false;
}

/* The members of `one` that the other has with the same content, or that may change. */
static bool unchanged(const struct rules *rules, const struct datum *one, const struct datum *other,
                      const char **which)
{
    for (uint32_t i = 0; one && i < one->count; i++) {
        *which = one->members[i].key;
        if (!listed(rules->changeable, *which) &&
            !datum_equal(one->members[i].value, datum_member(other, *which)))
            return false;
    }
    return true;
}

static bool changes_little(const struct api_kind *kind, struct arena *arena,
                           const struct datum *object, const struct datum *before, const char **why)
{
    const struct rules *rules = kind->context;
    const char *which = NULL;
    if (rules->changeable) {
        const struct datum *spec = datum_member(object, "spec");
        const struct datum *old = datum_member(before, "spec");
        if (!unchanged(rules, spec, old, &which) || !unchanged(rules, old, spec, &which))
            return says(arena, why, arena_printf(arena, "spec.%s", which), "field is immutable");
    }
    for (const char *const *path = rules->constant; path && *path; path++)
        if (!datum_equal(datum_at(object, *path), datum_at(before, *path)))
            return says(arena, why, *path, "field is immutable");
    return true;
}

static bool role_is_valid(const struct api_kind *kind, struct arena *arena,
                          const struct datum *object, const char **why)
{
    (void)kind;
    static const char *const needed[] = {"apiGroups", "resources", "verbs"};
    const struct datum *rules = datum_member(object, "rules");
    for (uint32_t i = 0; rules && i < rules->count; i++) {
        for (size_t k = 0; k < sizeof(needed) / sizeof(needed[0]); k++) {
            const struct datum *list = datum_member(rules->items[i], needed[k]);
            if (!list || list->kind != DATUM_LIST || list->count == 0)
                return says(arena, why,
                            arena_printf(arena, "rules[%lu].%s", (unsigned long)i, needed[k]),
                            "needs at least one item");
        }
    }
    return true;
}

static bool role_binding_is_valid(const struct api_kind *kind, struct arena *arena,
                                  const struct datum *object, const char **why)
{
    (void)kind;
    const char *group = datum_text(datum_at(object, "roleRef.apiGroup"), "");
    const char *role = datum_text(datum_at(object, "roleRef.kind"), "");
    if (strcmp(group, "rbac.authorization.k8s.io") != 0)
        return says(arena, why, "roleRef.apiGroup", "must be rbac.authorization.k8s.io");
    if (strcmp(role, "Role") != 0 && strcmp(role, "ClusterRole") != 0)
        return says(arena, why, "roleRef.kind", "must be Role or ClusterRole");
    return true;
}

#define SPEC_AND_STATUS        \
    {"spec", DATUM_OBJECT},    \
    {                          \
        "status", DATUM_OBJECT \
    }
#define SHAPES(...) ((const struct api_shape[]){__VA_ARGS__, {NULL, DATUM_FALSE}})

static const char *const stateful_set_changeable[] = {
    "replicas",        "template", "persistentVolumeClaimRetentionPolicy",
    "minReadySeconds", "ordinals", "revisionHistoryLimit",
    "updateStrategy",  NULL,
};
static const char *const selector_constant[] = {"spec.selector", NULL};
static const char *const role_ref_constant[] = {"roleRef", NULL};

static const struct rules stateful_set_rules = {
    .shapes = SHAPES(SPEC_AND_STATUS, {"spec.replicas", DATUM_INTEGER},
                     {"spec.serviceName", DATUM_STRING}, {"spec.selector", DATUM_OBJECT},
                     {"spec.template", DATUM_OBJECT}, {"spec.podManagementPolicy", DATUM_STRING},
                     {"spec.volumeClaimTemplates", DATUM_LIST},
                     {"spec.persistentVolumeClaimRetentionPolicy", DATUM_OBJECT},
                     {"status.readyReplicas", DATUM_INTEGER}),
    .needs_spec = true,
    .counted = "spec.replicas",
    .changeable = stateful_set_changeable,
};
static const struct rules daemon_set_rules = {
    .shapes = SHAPES(SPEC_AND_STATUS, {"spec.selector", DATUM_OBJECT},
                     {"spec.template", DATUM_OBJECT}, {"status.numberReady", DATUM_INTEGER}),
    .needs_spec = true,
    .constant = selector_constant,
};
static const struct rules service_rules = {
    .shapes = SHAPES(SPEC_AND_STATUS, {"spec.ports", DATUM_LIST}, {"spec.selector", DATUM_OBJECT},
                     {"spec.clusterIP", DATUM_STRING}),
    .needs_spec = true,
};
static const struct rules pod_rules = {
    .shapes = SHAPES(SPEC_AND_STATUS, {"spec.containers", DATUM_LIST}),
    .needs_spec = true,
};
static const struct rules claim_rules = {
    .shapes = SHAPES(SPEC_AND_STATUS, {"spec.resources", DATUM_OBJECT},
                     {"spec.storageClassName", DATUM_STRING}),
    .needs_spec = true,
};
static const struct rules role_rules = {.shapes = SHAPES({"rules", DATUM_LIST})};
static const struct rules role_binding_rules = {
    .shapes = SHAPES({"roleRef", DATUM_OBJECT}, {"subjects", DATUM_LIST}),
    .constant = role_ref_constant,
};
static const struct rules data_rules = {
    .shapes =
        SHAPES({"data", DATUM_OBJECT}, {"binaryData", DATUM_OBJECT}, {"stringData", DATUM_OBJECT}),
};
static const struct rules account_rules = {
    .shapes = SHAPES({"secrets", DATUM_LIST}, {"imagePullSecrets", DATUM_LIST}),
};

static const struct api_kind built_in[] = {
    {"ConfigMap", false, NULL, shapes_fit, NULL, NULL, &data_rules},
    {"DaemonSet", false, "numberReady", shapes_fit, follows_rules, changes_little,
     &daemon_set_rules},
    {"PersistentVolumeClaim", false, NULL, shapes_fit, follows_rules, NULL, &claim_rules},
    {"Pod", false, NULL, shapes_fit, follows_rules, NULL, &pod_rules},
    {"Role", false, NULL, shapes_fit, role_is_valid, NULL, &role_rules},
    {"RoleBinding", false, NULL, shapes_fit, role_binding_is_valid, changes_little,
     &role_binding_rules},
    {"Secret", false, NULL, shapes_fit, NULL, NULL, &data_rules},
    {"Service", false, NULL, shapes_fit, follows_rules, NULL, &service_rules},
    {"ServiceAccount", false, NULL, shapes_fit, NULL, NULL, &account_rules},
    {"StatefulSet", false, "readyReplicas", shapes_fit, follows_rules, changes_little,
     &stateful_set_rules},
};

const struct api_kind *api_kind_built_in(const char *kind)
{
    for (size_t i = 0; i < sizeof(built_in) / sizeof(built_in[0]); i++)
        if (strcmp(built_in[i].kind, kind) == 0)
            return &built_in[i];
    return NULL;
}
