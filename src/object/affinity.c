/* SPDX-License-Identifier: Apache-2.0 */
/* Affinity to nodes and pods, and topology spread constraints. */
#include "object/names.h"
#include "object/pod_parts.h"

#include <string.h>

static const struct field preferred_node_term_fields[] = {
    FIELD_STRUCT("preference", preferred_node_term, preference, FIELD_REQUIRED,
                 node_selector_term_schema),
    FIELD_INT32("weight", preferred_node_term, weight, FIELD_REQUIRED, 1, 100, 0),
};
static const struct schema preferred_node_term_schema =
    SCHEMA_COMPLETE(preferred_node_term, preferred_node_term_fields, nothing_unused);

#define REQUIRED  "requiredDuringSchedulingIgnoredDuringExecution"
#define PREFERRED "preferredDuringSchedulingIgnoredDuringExecution"

static const struct field node_affinity_fields[] = {
    FIELD_LIST(PREFERRED, node_affinity, preferred, preferred_count, 0, preferred_node_term_schema),
    FIELD_POINTER(REQUIRED, node_affinity, required, 0, node_selector_schema),
};
const struct schema node_affinity_schema =
    SCHEMA_COMPLETE(node_affinity, node_affinity_fields, nothing_unused);

static const struct field pod_affinity_term_fields[] = {
    FIELD_POINTER("labelSelector", pod_affinity_term, label_selector, 0, label_selector_schema),
    FIELD_STRINGS("matchLabelKeys", pod_affinity_term, match_label_keys, 0),
    FIELD_STRINGS("mismatchLabelKeys", pod_affinity_term, mismatch_label_keys, 0),
    FIELD_POINTER("namespaceSelector", pod_affinity_term, namespace_selector, 0,
                  label_selector_schema),
    FIELD_STRINGS("namespaces", pod_affinity_term, namespaces, 0),
    FIELD_STRING("topologyKey", pod_affinity_term, topology_key, FIELD_REQUIRED),
};
static const struct schema pod_affinity_term_schema =
    SCHEMA_COMPLETE(pod_affinity_term, pod_affinity_term_fields, nothing_unused);

static const struct field weighted_pod_affinity_term_fields[] = {
    FIELD_STRUCT("podAffinityTerm", weighted_pod_affinity_term, term, FIELD_REQUIRED,
                 pod_affinity_term_schema),
    FIELD_INT32("weight", weighted_pod_affinity_term, weight, FIELD_REQUIRED, 1, 100, 0),
};
static const struct schema weighted_pod_affinity_term_schema =
    SCHEMA_COMPLETE(weighted_pod_affinity_term, weighted_pod_affinity_term_fields, nothing_unused);

static const struct field pod_affinity_fields[] = {
    FIELD_LIST(PREFERRED, pod_affinity, preferred, preferred_count, 0,
               weighted_pod_affinity_term_schema),
    FIELD_LIST(REQUIRED, pod_affinity, required, required_count, 0, pod_affinity_term_schema),
};
static const struct schema pod_affinity_schema =
    SCHEMA_COMPLETE(pod_affinity, pod_affinity_fields, nothing_unused);

static const struct field affinity_fields[] = {
    FIELD_POINTER("nodeAffinity", affinity, node_affinity, 0, node_affinity_schema),
    FIELD_POINTER("podAffinity", affinity, pod_affinity, 0, pod_affinity_schema),
    FIELD_POINTER("podAntiAffinity", affinity, pod_anti_affinity, 0, pod_affinity_schema),
};
const struct schema affinity_schema = SCHEMA_COMPLETE(affinity, affinity_fields, nothing_unused);

static const struct enum_name unsatisfiable_names[] = {
    {"DoNotSchedule", DO_NOT_SCHEDULE},
    {"ScheduleAnyway", SCHEDULE_ANYWAY},
    {0},
};
static const struct enum_name inclusion_names[] = {
    {"Honor", INCLUSION_HONOR},
    {"Ignore", INCLUSION_IGNORE},
    {0},
};

static const struct field topology_spread_constraint_fields[] = {
    FIELD_POINTER("labelSelector", topology_spread_constraint, label_selector, 0,
                  label_selector_schema),
    FIELD_STRINGS("matchLabelKeys", topology_spread_constraint, match_label_keys, 0),
    FIELD_INT32("maxSkew", topology_spread_constraint, max_skew, FIELD_REQUIRED, 1, INT32_MAX, 0),
    FIELD_OPTIONAL_INT("minDomains", topology_spread_constraint, min_domains, 1, INT32_MAX),
    FIELD_ENUM("nodeAffinityPolicy", topology_spread_constraint, node_affinity_policy, 0,
               inclusion_names, INCLUSION_UNSET),
    FIELD_ENUM("nodeTaintsPolicy", topology_spread_constraint, node_taints_policy, 0,
               inclusion_names, INCLUSION_UNSET),
    FIELD_STRING("topologyKey", topology_spread_constraint, topology_key, FIELD_REQUIRED),
    FIELD_ENUM("whenUnsatisfiable", topology_spread_constraint, when_unsatisfiable, FIELD_REQUIRED,
               unsatisfiable_names, DO_NOT_SCHEDULE),
};
const struct schema topology_spread_constraint_schema =
    SCHEMA_COMPLETE(topology_spread_constraint, topology_spread_constraint_fields, nothing_unused);

void node_affinity_validate(struct reading *reading, const struct path *path,
                            const struct node_affinity *affinity)
{
    const struct path required = path_field(path, REQUIRED);
    const struct path preferred = path_field(path, PREFERRED);
    if (affinity->required)
        node_selector_validate(reading, &required, affinity->required);
    for (uint32_t i = 0; i < affinity->preferred_count; i++) {
        const struct path item = path_item(&preferred, i);
        const struct path preference = path_field(&item, "preference");
        node_selector_term_validate(reading, &preference, &affinity->preferred[i].preference);
    }
}

static void pod_affinity_term_validate(struct reading *reading, const struct path *path,
                                       const struct pod_affinity_term *term)
{
    const struct path selector = path_field(path, "labelSelector");
    const struct path namespace_selector = path_field(path, "namespaceSelector");
    const struct path namespaces = path_field(path, "namespaces");
    const struct path topology_key = path_field(path, "topologyKey");
    if (term->label_selector)
        label_selector_validate(reading, &selector, term->label_selector);
    if (term->namespace_selector)
        label_selector_validate(reading, &namespace_selector, term->namespace_selector);
    for (uint32_t i = 0; i < term->namespaces.count; i++) {
        const struct path item = path_item(&namespaces, i);
        dns_label_validate(reading, &item, term->namespaces.items[i]);
    }
    qualified_name_validate(reading, &topology_key, term->topology_key);
}

static void pod_affinity_validate(struct reading *reading, const struct path *path,
                                  const struct pod_affinity *affinity)
{
    const struct path required = path_field(path, REQUIRED);
    const struct path preferred = path_field(path, PREFERRED);
    for (uint32_t i = 0; i < affinity->required_count; i++) {
        const struct path item = path_item(&required, i);
        pod_affinity_term_validate(reading, &item, &affinity->required[i]);
    }
    for (uint32_t i = 0; i < affinity->preferred_count; i++) {
        const struct path item = path_item(&preferred, i);
        const struct path term = path_field(&item, "podAffinityTerm");
        pod_affinity_term_validate(reading, &term, &affinity->preferred[i].term);
    }
}

void affinity_validate(struct reading *reading, const struct path *path,
                       const struct pod_spec *spec)
{
    const struct affinity *affinity = spec->affinity;
    const struct path field = path_field(path, "affinity");
    const struct path node = path_field(&field, "nodeAffinity");
    const struct path pod = path_field(&field, "podAffinity");
    const struct path pod_anti = path_field(&field, "podAntiAffinity");
    if (affinity && affinity->node_affinity)
        node_affinity_validate(reading, &node, affinity->node_affinity);
    if (affinity && affinity->pod_affinity)
        pod_affinity_validate(reading, &pod, affinity->pod_affinity);
    if (affinity && affinity->pod_anti_affinity)
        pod_affinity_validate(reading, &pod_anti, affinity->pod_anti_affinity);
}

/* A key that is in both is refused by the server, but means something. */
static void match_label_keys_validate(struct reading *reading, const struct path *path,
                                      const struct topology_spread_constraint *constraint)
{
    const struct path keys = path_field(path, "matchLabelKeys");
    const struct label_selector none = {0};
    const struct label_selector *selector =
        constraint->label_selector ? constraint->label_selector : &none;
    struct name_set used;
    name_set_init(&used, reading->problems->arena);
    for (uint32_t i = 0; i < selector->match_expression_count; i++)
        if (selector->match_expressions[i].key)
            name_set_add(&used, selector->match_expressions[i].key);
    for (uint32_t i = 0; i < constraint->match_label_keys.count; i++) {
        const char *key = constraint->match_label_keys.items[i];
        const struct path item = path_item(&keys, i);
        qualified_name_validate(reading, &item, key);
        if (labels_find(&selector->match_labels, key) || name_set_has(&used, key))
            reading_warning(reading, &item,
                            "expected a key that the labelSelector does not use, found \"%s\"",
                            key);
    }
}

void topology_spread_validate(struct reading *reading, const struct path *path,
                              const struct pod_spec *spec)
{
    const struct path constraints = path_field(path, "topologySpreadConstraints");
    struct name_set keys[SCHEDULE_ANYWAY + 1];
    name_set_init(&keys[DO_NOT_SCHEDULE], reading->problems->arena);
    name_set_init(&keys[SCHEDULE_ANYWAY], reading->problems->arena);
    for (uint32_t i = 0; i < spec->topology_spread_constraint_count; i++) {
        const struct topology_spread_constraint *constraint = &spec->topology_spread_constraints[i];
        const struct path item = path_item(&constraints, i);
        const struct path selector = path_field(&item, "labelSelector");
        const struct path topology_key = path_field(&item, "topologyKey");
        const struct path min_domains = path_field(&item, "minDomains");
        if (constraint->label_selector)
            label_selector_validate(reading, &selector, constraint->label_selector);
        qualified_name_validate(reading, &topology_key, constraint->topology_key);
        if (constraint->min_domains.set && constraint->when_unsatisfiable != DO_NOT_SCHEDULE)
            reading_error(reading, &min_domains,
                          "expected whenUnsatisfiable DoNotSchedule with minDomains, found "
                          "ScheduleAnyway");
        match_label_keys_validate(reading, &item, constraint);
        if (constraint->topology_key &&
            !name_set_add(&keys[constraint->when_unsatisfiable], constraint->topology_key))
            reading_error(reading, &topology_key,
                          "expected each topologyKey once with %s, found \"%s\" again",
                          unsatisfiable_names[constraint->when_unsatisfiable].name,
                          constraint->topology_key);
    }
}
