/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pods of a kind are spread over the domains of a topology key. This file
 * compiles the constraints, the pod's own or the scheduler's defaults; the
 * rules are in pod_topology_spread_filter.c and pod_topology_spread_score.c.
 */
#include "decide/pod_shape.h"
#include "decide/scheduler/default_selector.h"
#include "decide/scheduler/node_match.h"
#include "decide/scheduler/topology_spread.h"

#include <string.h>

/* A selector that is absent matches nothing, unless matchLabelKeys adds a requirement. */
static const struct label_selector *constraint_selector(struct plan *plan,
                                                        const struct topology_spread_constraint *c)
{
    const struct labels *labels = &plan->shape->pod->meta.labels;
    if (!plan->catalog->features.spread_match_label_keys)
        return c->label_selector;
    bool has_key = false;
    for (uint32_t i = 0; i < c->match_label_keys.count; i++)
        has_key |= labels_find(labels, c->match_label_keys.items[i]) != NULL;
    if (!has_key || (!c->label_selector && plan->catalog->features.keys_need_selector))
        return c->label_selector;
    static const struct label_selector empty;
    return selector_with_label_keys(plan->catalog, c->label_selector ? c->label_selector : &empty,
                                    &c->match_label_keys, labels);
}

static struct spread_constraint compile(struct plan *plan,
                                        const struct topology_spread_constraint *constraint)
{
    const struct features *features = &plan->catalog->features;
    struct spread_constraint compiled = {
        .key = catalog_topology_key(plan->catalog, constraint->topology_key),
        .identity = strcmp(constraint->topology_key, LABEL_HOSTNAME) == 0,
        .max_skew = constraint->max_skew,
        .min_domains = constraint->min_domains.set ? constraint->min_domains.value : 1,
        .selector = constraint_selector(plan, constraint),
        .honours_affinity = true,
    };
    if (features->node_inclusion_policy) {
        compiled.honours_affinity = constraint->node_affinity_policy != INCLUSION_IGNORE;
        compiled.honours_taints = constraint->node_taints_policy == INCLUSION_HONOR;
    }
    return compiled;
}

static void compile_all(struct plan *plan, const struct topology_spread_constraint *constraints,
                        uint32_t count, enum when_unsatisfiable action,
                        const struct label_selector *selector, struct spread_constraints *out)
{
    out->items = ARENA_ARRAY(plan->catalog->arena, struct spread_constraint, count + 1);
    for (uint32_t i = 0; i < count; i++) {
        if (constraints[i].when_unsatisfiable != action)
            continue;
        struct spread_constraint compiled = compile(plan, &constraints[i]);
        if (selector)
            compiled.selector = selector;
        compiled.matches_itself =
            compiled.selector &&
            label_selector_matches(compiled.selector, &plan->shape->pod->meta.labels);
        compiled.counter = plan_reserve_counters(plan, action == DO_NOT_SCHEDULE ? 2 : 1);
        out->items[out->count++] = compiled;
    }
}

static const struct topology_spread_constraint built_in_constraints[] = {
    {.max_skew = 3, .topology_key = LABEL_HOSTNAME, .when_unsatisfiable = SCHEDULE_ANYWAY},
    {.max_skew = 5,
     .topology_key = "topology.kubernetes.io/zone",
     .when_unsatisfiable = SCHEDULE_ANYWAY},
};

enum { BUILT_IN_COUNT = sizeof(built_in_constraints) / sizeof(built_in_constraints[0]) };

static void prepare(struct plan *plan, struct part *part)
{
    const struct pod_topology_spread_arguments *arguments =
        &plan->profile->settings->pod_topology_spread;
    const struct pod_spec *spec = &plan->shape->pod->spec;
    const struct topology_spread_constraint *constraints = spec->topology_spread_constraints;
    uint32_t count = spec->topology_spread_constraint_count;
    struct spread *spread = ARENA_NEW(plan->catalog->arena, struct spread);
    const struct label_selector *selector = NULL;
    spread->soft_needs_all_keys = true;
    if (count == 0) {
        bool built_in = arguments->defaulting == SPREAD_DEFAULTING_SYSTEM;
        constraints = built_in ? built_in_constraints : arguments->default_constraints;
        count = built_in ? BUILT_IN_COUNT : arguments->default_constraint_count;
        spread->soft_needs_all_keys = !built_in;
        selector = default_selector(plan->catalog, plan->shape->pod);
        if (!selector)
            count = 0;
    }
    compile_all(plan, constraints, count, DO_NOT_SCHEDULE, selector, &spread->hard);
    compile_all(plan, constraints, count, SCHEDULE_ANYWAY, selector, &spread->soft);
    part->filters = spread->hard.count > 0;
    part->scores = spread->soft.count > 0;
    part->skips = plan->catalog->features.scores_may_skip;
    part->same_score = part->skips ? 0 : NODE_SCORE_MOST;
    part->facts = plan_reserve_facts(plan, spread_fact_all_soft_keys(spread) + 1);
    part->state = spread;
}

static bool has_all_keys(const struct spread_constraints *constraints,
                         const struct node_template *template)
{
    for (uint32_t i = 0; i < constraints->count; i++)
        if (template->domains.items[constraints->items[i].key] == VIEW_NONE)
            return false;
    return true;
}

static bool includes(const struct plan *plan, const struct spread_constraint *constraint,
                     const struct node_template *template)
{
    if (constraint->honours_affinity && !node_match_pod(plan->shape->pod, template))
        return false;
    return !constraint->honours_taints || node_match_taints(plan->shape->pod, template);
}

static void examine(const struct plan *plan, const struct part *part,
                    const struct node_template *template, int64_t *facts)
{
    const struct spread *spread = part->state;
    bool has_hard_keys = has_all_keys(&spread->hard, template);
    for (uint32_t i = 0; i < spread->hard.count; i++)
        facts[i] = has_hard_keys && includes(plan, &spread->hard.items[i], template);
    bool has_soft_keys = has_all_keys(&spread->soft, template);
    for (uint32_t i = 0; i < spread->soft.count; i++)
        facts[spread->hard.count + i] = (has_soft_keys || !spread->soft_needs_all_keys) &&
                                        includes(plan, &spread->soft.items[i], template);
    facts[spread_fact_all_soft_keys(spread)] = has_soft_keys;
}

/* Whether pods with these labels count; in preemption an empty selector always matches. */
static bool counts(const struct plan *plan, const struct spread_constraint *constraint,
                   const struct labels *labels)
{
    const struct label_selector *selector = constraint->selector;
    bool empty =
        selector && selector->match_labels.count == 0 && selector->match_expression_count == 0;
    if (!selector || (empty && plan->catalog->features.empty_selector_is_nothing))
        return false;
    return label_selector_matches(selector, labels);
}

static void relate(const struct plan *plan, const struct part *part, const struct pod_shape *pod,
                   bool terminating, int64_t *counters)
{
    const struct spread *spread = part->state;
    if (strcmp(pod->pod->meta.namespace, plan->shape->pod->meta.namespace) != 0)
        return;
    const struct labels *labels = &pod->pod->meta.labels;
    for (uint32_t i = 0; i < spread->hard.count; i++) {
        const struct spread_constraint *constraint = &spread->hard.items[i];
        bool matches = constraint->selector && label_selector_matches(constraint->selector, labels);
        counters[constraint->counter] = counts(plan, constraint, labels) && !terminating;
        counters[constraint->counter + 1] = matches;
    }
    for (uint32_t i = 0; i < spread->soft.count; i++) {
        const struct spread_constraint *constraint = &spread->soft.items[i];
        counters[constraint->counter] = counts(plan, constraint, labels) && !terminating;
    }
}

static void read_incoming(struct reads *reads, const struct pod_spec *spec)
{
    reads_spread_constraints(reads, spec->topology_spread_constraints,
                             spec->topology_spread_constraint_count);
    reads_spread_constraints(reads, built_in_constraints, BUILT_IN_COUNT);
}

static void read_profile(struct reads *reads, const struct scheduler_profile *profile)
{
    reads_spread_constraints(reads, profile->pod_topology_spread.default_constraints,
                             profile->pod_topology_spread.default_constraint_count);
}

static bool selects(const struct label_selector *selector, const struct pod *own,
                    const struct pod *other)
{
    return selector && strcmp(own->meta.namespace, other->meta.namespace) == 0 &&
           label_selector_matches(selector, &other->meta.labels);
}

static bool looks_at(struct catalog *catalog, const struct pod *own, const struct pod *other)
{
    const struct pod_spec *spec = &own->spec;
    if (spec->topology_spread_constraint_count == 0)
        return selects(default_selector(catalog, own), own, other);
    for (uint32_t i = 0; i < spec->topology_spread_constraint_count; i++)
        if (selects(spec->topology_spread_constraints[i].label_selector, own, other))
            return true;
    return false;
}

static const struct plugin_reads reads = {
    .of_incoming = read_incoming,
    .of_profile = read_profile,
    .looks_at = looks_at,
    .only_room = only_room_ever, /* except for hard constraints, which room.c handles */
};

static const struct plugin_field fields[] = {{"topologySpreadConstraints", NULL}, {0}};

const struct plugin plugin_pod_topology_spread = {
    .name = "PodTopologySpread",
    .mirrors = "pkg/scheduler/framework/plugins/podtopologyspread/ @ v1.26.15",
    .weight = 2,
    .events = EVENT_POD_ALL | EVENT_NODE_ADD | EVENT_NODE_LABEL,
    .global_filter = true,
    .global_score = true,
    .reads = &reads,
    .fields = fields,
    .prepare = prepare,
    .examine = examine,
    .relate = relate,
    .gather = spread_gather,
    .filter = spread_filter,
    .pre_score = spread_pre_score,
    .score = spread_score,
    .normalise = spread_normalise,
    .lead = spread_lead,
};
