/* SPDX-License-Identifier: Apache-2.0 */
/* The node's labels and name, as the pod requires or prefers them. */
#include "decide/scheduler/lead.h"
#include "decide/scheduler/node_match.h"
#include "decide/scheduler/normalise.h"
#include "decide/scheduler/plan.h"

#include <stdlib.h>
#include <string.h>

enum { FACT_ADDED_MISMATCH, FACT_MISMATCH, FACT_PREFERENCES, FACT_COUNT };

static bool has_preferences(const struct plan *plan)
{
    const struct node_affinity *added = plan->profile->settings->node_affinity.added_affinity;
    const struct affinity *affinity = plan->shape->pod->spec.affinity;
    return (added && added->preferred_count > 0) ||
           (affinity && affinity->node_affinity && affinity->node_affinity->preferred_count > 0);
}

static void prepare(struct plan *plan, struct part *part)
{
    if (plan->catalog->features.node_affinity_may_skip && !has_preferences(plan)) {
        part->scores = false;
        part->skips = true;
    }
    part->facts = plan_reserve_facts(plan, FACT_COUNT);
}

static int64_t preferences(const struct node_affinity *affinity,
                           const struct node_template *template)
{
    int64_t sum = 0;
    for (uint32_t i = 0; affinity && i < affinity->preferred_count; i++)
        if (node_match_term(&affinity->preferred[i].preference, template))
            sum += affinity->preferred[i].weight;
    return sum;
}

static void examine(const struct plan *plan, const struct part *part,
                    const struct node_template *template, int64_t *facts)
{
    (void)part;
    const struct node_affinity *added = plan->profile->settings->node_affinity.added_affinity;
    const struct affinity *affinity = plan->shape->pod->spec.affinity;
    facts[FACT_ADDED_MISMATCH] =
        added && added->required && !node_match_selector(added->required, template);
    facts[FACT_MISMATCH] = !node_match_pod(plan->shape->pod, template);
    facts[FACT_PREFERENCES] = preferences(added, template) +
                              preferences(affinity ? affinity->node_affinity : NULL, template);
}

static const char conflict[] = "pod affinity terms conflict";

static int compare_names(const void *left, const void *right)
{
    return strcmp(*(const char *const *)left, *(const char *const *)right);
}

static bool list_has(const struct string_list *list, const char *name)
{
    for (uint32_t i = 0; i < list->count; i++)
        if (strcmp(list->items[i], name) == 0)
            return true;
    return false;
}

/* Whether every requirement on the name allows this one. */
static bool term_allows_name(const struct node_selector_term *term, const char *name)
{
    for (uint32_t i = 0; i < term->match_field_count; i++)
        if (term->match_fields[i].operator==
            SELECTOR_IN && !list_has(&term->match_fields[i].values, name))
            return false;
    return true;
}

static const struct selector_requirement *first_name_list(const struct node_selector_term *term)
{
    for (uint32_t i = 0; i < term->match_field_count; i++)
        if (term->match_fields[i].operator== SELECTOR_IN)
            return &term->match_fields[i];
    return NULL;
}

/*
 * If every term names nodes, only those are examined. A term whose lists of
 * names have nothing in common ends the attempt: in 1.26 even if another term
 * could match.
 */
static bool pre_filter(const struct plan *plan, const struct part *part, const struct view *view,
                       struct pre_filter_outcome *outcome)
{
    (void)part;
    (void)view;
    const struct affinity *affinity = plan->shape->pod->spec.affinity;
    if (!affinity || !affinity->node_affinity || !affinity->node_affinity->required)
        return true;
    const struct node_selector *required = affinity->node_affinity->required;
    VEC(const char *) names = {0};
    for (uint32_t t = 0; t < required->term_count; t++) {
        const struct selector_requirement *list = first_name_list(&required->terms[t]);
        if (!list)
            return true;
        uint32_t allowed = 0;
        for (uint32_t i = 0; i < list->values.count; i++) {
            if (!term_allows_name(&required->terms[t], list->values.items[i]))
                continue;
            allowed++;
            VEC_PUSH(plan->catalog->arena, &names, list->values.items[i]);
        }
        if (allowed == 0 && !plan->catalog->features.conflict_in_all_terms) {
            outcome->verdict = verdict_no(VERDICT_UNRESOLVABLE, conflict);
            return false;
        }
    }
    if (required->term_count == 0)
        return true;
    if (names.count == 0) {
        outcome->verdict = verdict_no(VERDICT_UNRESOLVABLE, conflict);
        return false;
    }
    qsort(names.items, names.count, sizeof(*names.items), compare_names);
    outcome->narrowed = true;
    outcome->node_names = (struct string_list){names.items, names.count};
    return true;
}

static struct verdict filter(const struct trial *trial)
{
    const int64_t *facts = trial->now->facts + trial->part->facts;
    if (facts[FACT_ADDED_MISMATCH])
        return verdict_no(VERDICT_UNRESOLVABLE,
                          "node(s) didn't match scheduler-enforced node affinity");
    if (facts[FACT_MISMATCH])
        return verdict_no(VERDICT_UNRESOLVABLE,
                          "node(s) didn't match Pod's node affinity/selector");
    return verdict_feasible();
}

static int64_t score(const struct trial *trial)
{
    return trial->now->facts[trial->part->facts + FACT_PREFERENCES];
}

static void normalise(const struct cycle *cycle, const struct part *part, int64_t *scores)
{
    (void)part;
    normalise_to_highest(cycle, scores, false);
}

static int64_t lead(const struct lead *lead)
{
    return lead_to_highest(lead, false);
}

static void read_incoming(struct reads *reads, const struct pod_spec *spec)
{
    reads_node_labels(reads, &spec->node_selector);
    if (spec->affinity)
        reads_node_affinity(reads, spec->affinity->node_affinity);
}

static void read_profile(struct reads *reads, const struct scheduler_profile *profile)
{
    reads_node_affinity(reads, profile->node_affinity.added_affinity);
}

static const struct plugin_reads reads = {
    .of_incoming = read_incoming,
    .of_profile = read_profile,
    .only_room = only_room_ever,
};

static const struct plugin_field fields[] = {
    {"nodeSelector", NULL}, {"affinity.nodeAffinity", NULL}, {0}};

const struct plugin plugin_node_affinity = {
    .name = "NodeAffinity",
    .mirrors = "pkg/scheduler/framework/plugins/nodeaffinity/node_affinity.go @ v1.26.15",
    .weight = 2,
    .events = EVENT_NODE_ADD | EVENT_NODE_UPDATE,
    .reads = &reads,
    .fields = fields,
    .prepare = prepare,
    .examine = examine,
    .pre_filter = pre_filter,
    .filter = filter,
    .score = score,
    .normalise = normalise,
    .lead = lead,
};
