/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pods that want to be near other pods, or far from them, and existing pods
 * that want the same of the incoming one. This file compiles the terms and
 * matches kinds of pods; the rules are in inter_pod_affinity_filter.c and
 * inter_pod_affinity_score.c.
 */
#include "decide/scheduler/pod_affinity.h"

#include <string.h>

static bool matches_all(const struct catalog *catalog, const struct affinity_terms *terms,
                        const struct pod *pod)
{
    for (uint32_t i = 0; i < terms->count; i++)
        if (!affinity_term_matches(catalog, &terms->items[i], pod, true))
            return false;
    return terms->count > 0;
}

static void prepare(struct plan *plan, struct part *part)
{
    struct arena *arena = plan->catalog->arena;
    uint32_t keys = plan->catalog->topology_keys.count;
    struct pod_affinity_state *state = ARENA_NEW(arena, struct pod_affinity_state);
    state->key_count = keys;
    state->has_affinity = plan->shape->required_affinity.count > 0;
    state->has_anti_affinity = plan->shape->required_anti_affinity.count > 0;
    state->matches_itself =
        matches_all(plan->catalog, &plan->shape->required_affinity, plan->shape->pod);
    state->affinity = ARENA_ARRAY(arena, struct domain_table, keys + 1);
    state->anti_affinity = ARENA_ARRAY(arena, struct domain_table, keys + 1);
    state->existing_anti_affinity = ARENA_ARRAY(arena, struct domain_table, keys + 1);
    state->preferences = ARENA_ARRAY(arena, struct domain_table, keys + 1);
    part->state = state;
    part->counters = plan_reserve_counters(plan, 1 + 3 * keys);
    bool prefers =
        plan->shape->preferred_affinity.count > 0 || plan->shape->preferred_anti_affinity.count > 0;
    if (plan->profile->settings->inter_pod_affinity.ignore_preferred_terms_of_existing_pods &&
        !prefers) {
        part->scores = false;
        part->skips = plan->catalog->features.scores_may_skip;
    }
}

/* Adds each term's weight (times `sign`) to its key's counter if it matches the pod. */
static void add_preferences(const struct plan *plan, const struct part *part,
                            const struct affinity_terms *terms, const struct pod *pod,
                            bool of_incoming, int32_t sign, int64_t *counters)
{
    for (uint32_t i = 0; i < terms->count; i++)
        if (affinity_term_matches(plan->catalog, &terms->items[i], pod, of_incoming))
            counters[affinity_counter_preference(part, terms->items[i].topology_key)] +=
                (int64_t)sign * terms->items[i].weight;
}

static void relate(const struct plan *plan, const struct part *part, const struct pod_shape *pod,
                   bool terminating, int64_t *counters)
{
    (void)terminating;
    const struct catalog *catalog = plan->catalog;
    const struct pod_shape *own = plan->shape;
    counters[part->counters] = matches_all(catalog, &own->required_affinity, pod->pod);
    for (uint32_t i = 0; i < own->required_anti_affinity.count; i++) {
        const struct affinity_term *term = &own->required_anti_affinity.items[i];
        counters[affinity_counter_anti(part, term->topology_key)] +=
            affinity_term_matches(catalog, term, pod->pod, true);
    }
    for (uint32_t i = 0; i < pod->required_anti_affinity.count; i++) {
        const struct affinity_term *term = &pod->required_anti_affinity.items[i];
        counters[affinity_counter_existing(part, term->topology_key)] +=
            affinity_term_matches(catalog, term, own->pod, false);
    }
    int32_t hard_weight = plan->profile->settings->inter_pod_affinity.hard_pod_affinity_weight;
    for (uint32_t i = 0; i < pod->required_affinity.count; i++) {
        const struct affinity_term *term = &pod->required_affinity.items[i];
        if (affinity_term_matches(catalog, term, own->pod, false))
            counters[affinity_counter_preference(part, term->topology_key)] += hard_weight;
    }
    add_preferences(plan, part, &own->preferred_affinity, pod->pod, true, 1, counters);
    add_preferences(plan, part, &own->preferred_anti_affinity, pod->pod, true, -1, counters);
    add_preferences(plan, part, &pod->preferred_affinity, own->pod, false, 1, counters);
    add_preferences(plan, part, &pod->preferred_anti_affinity, own->pod, false, -1, counters);
}

/* Is one of the terms about the pod, and is the node in a domain of it? */
static bool any_applies(const struct plan *plan, const struct affinity_terms *terms,
                        const struct pod *pod, bool of_incoming,
                        const struct node_template *template)
{
    for (uint32_t i = 0; i < terms->count; i++)
        if (template->domains.items[terms->items[i].topology_key] != VIEW_NONE &&
            affinity_term_matches(plan->catalog, &terms->items[i], pod, of_incoming))
            return true;
    return false;
}

static bool counts_for_score(const struct plan *plan, const struct pod_shape *pod,
                             const struct node_template *template)
{
    const struct pod_shape *own = plan->shape;
    return any_applies(plan, &own->preferred_affinity, pod->pod, true, template) ||
           any_applies(plan, &own->preferred_anti_affinity, pod->pod, true, template) ||
           any_applies(plan, &pod->preferred_affinity, own->pod, false, template) ||
           any_applies(plan, &pod->preferred_anti_affinity, own->pod, false, template) ||
           (plan->profile->settings->inter_pod_affinity.hard_pod_affinity_weight > 0 &&
            any_applies(plan, &pod->required_affinity, own->pod, false, template));
}

/* Without a term that is about a pod on some node there is nothing to score. */
static bool skips(const struct plan *plan, const struct part *part, const struct view *view)
{
    (void)part;
    if (!plan->catalog->features.scores_may_skip)
        return false;
    for (uint32_t n = 0; n < view->node_count; n++) {
        const struct node_config *config = plan->catalog->configs.items[view->nodes[n].config];
        for (uint32_t i = 0; i < config->pod_entry_count; i++)
            if (counts_for_score(plan, plan->catalog->pods.items[config->pods[i].pod]->shape,
                                 config->template))
                return false;
    }
    return true;
}

/* The terms of a placed pod also apply to pods that are created later. */
static void read_placed(struct reads *reads, const struct pod_spec *spec)
{
    if (!spec->affinity)
        return;
    reads_pod_affinity(reads, spec->affinity->pod_affinity);
    reads_pod_affinity(reads, spec->affinity->pod_anti_affinity);
}

/* May a term of `own` be about `other`? A term that goes by the labels of namespaces, or by labels
 * of its own pod, may be about any. */
static bool may_select(const struct pod_affinity_term *term, const struct pod *own,
                       const struct pod *other)
{
    bool reaches = term->namespaces.count == 0 && !term->namespace_selector &&
                   strcmp(own->meta.namespace, other->meta.namespace) == 0;
    if (!term->label_selector)
        return false;
    for (uint32_t n = 0; n < term->namespaces.count; n++)
        reaches |= strcmp(term->namespaces.items[n], other->meta.namespace) == 0;
    return (reaches || term->namespace_selector) &&
           (term->match_label_keys.count > 0 || term->mismatch_label_keys.count > 0 ||
            label_selector_matches(term->label_selector, &other->meta.labels));
}

static bool terms_may_select(const struct pod_affinity *affinity, const struct pod *own,
                             const struct pod *other)
{
    for (uint32_t t = 0; affinity && t < affinity->required_count; t++)
        if (may_select(&affinity->required[t], own, other))
            return true;
    for (uint32_t t = 0; affinity && t < affinity->preferred_count; t++)
        if (may_select(&affinity->preferred[t].term, own, other))
            return true;
    return false;
}

static bool looks_at(struct catalog *catalog, const struct pod *own, const struct pod *other)
{
    const struct affinity *affinity = own->spec.affinity;
    (void)catalog;
    return affinity && (terms_may_select(affinity->pod_affinity, own, other) ||
                        terms_may_select(affinity->pod_anti_affinity, own, other));
}

static bool only_room(const struct pod_shape *shape)
{
    return shape->required_affinity.count == 0 && shape->required_anti_affinity.count == 0;
}

static const struct plugin_reads reads = {
    .of_placed = read_placed, .looks_at = looks_at, .only_room = only_room};

static const struct plugin_field fields[] = {{"affinity.podAntiAffinity", "anti-affinity"},
                                             {"affinity.podAffinity", NULL},
                                             {"affinity", NULL},
                                             {0}};

const struct plugin plugin_inter_pod_affinity = {
    .name = "InterPodAffinity",
    .mirrors = "pkg/scheduler/framework/plugins/interpodaffinity/ @ v1.26.15",
    .weight = 2,
    .events = EVENT_POD_ALL | EVENT_NODE_ADD | EVENT_NODE_LABEL,
    .global_filter = true,
    .global_score = true,
    .reads = &reads,
    .fields = fields,
    .prepare = prepare,
    .relate = relate,
    .gather = affinity_gather,
    .filter = affinity_filter,
    .pre_score = affinity_pre_score,
    .score = affinity_score,
    .skips = skips,
    .normalise = affinity_normalise,
    .lead = affinity_lead,
};
