/* SPDX-License-Identifier: Apache-2.0 */
/* Required affinity and anti-affinity, both ways. Mirrors
 * interpodaffinity/filtering.go @ v1.26.15. Terminating pods count. */
#include "decide/scheduler/pod_affinity.h"

static int64_t total_affinity(const struct cycle *cycle, const struct part *part)
{
    const struct affinity_terms *terms = &cycle->plan->shape->required_affinity;
    int64_t total = 0;
    for (uint32_t entry = 0; entry < cycle->view->node_count; entry++) {
        const struct load *load = &cycle->records[entry]->load;
        for (uint32_t i = 0; i < terms->count; i++)
            if (load->template->domains.items[terms->items[i].topology_key] != VIEW_NONE)
                total += load->counters[part->counters] * cycle->view->nodes[entry].count;
    }
    return total;
}

void affinity_gather(struct cycle *cycle, const struct part *part)
{
    struct pod_affinity_state *state = part->state;
    const struct pod_shape *shape = cycle->plan->shape;
    for (uint32_t i = 0; i < shape->required_affinity.count; i++) {
        uint32_t key = shape->required_affinity.items[i].topology_key;
        affinity_sum(cycle, &state->affinity[key], key, part->counters);
    }
    state->affinity_total = state->has_affinity ? total_affinity(cycle, part) : 0;
    for (uint32_t i = 0; i < shape->required_anti_affinity.count; i++) {
        uint32_t key = shape->required_anti_affinity.items[i].topology_key;
        affinity_sum(cycle, &state->anti_affinity[key], key, affinity_counter_anti(part, key));
    }
    for (uint32_t key = 0; key < state->key_count; key++)
        affinity_sum(cycle, &state->existing_anti_affinity[key], key,
                     affinity_counter_existing(part, key));
}

/* The count in the node's domain: its own if it is a domain by itself. */
static int64_t count_in_domain(const struct trial *trial, const struct domain_table *table,
                               uint32_t domain, uint32_t counter)
{
    int64_t now = trial->now->counters[counter];
    if (domain == DOMAIN_OWN)
        return now;
    return domain_table_get(table, domain) + now - trial->base->counters[counter];
}

static bool affinity_is_satisfied(const struct trial *trial)
{
    const struct pod_affinity_state *state = trial->part->state;
    const struct affinity_terms *terms = &trial->plan->shape->required_affinity;
    bool near = true;
    uint32_t labelled_terms = 0;
    for (uint32_t i = 0; i < terms->count; i++) {
        uint32_t key = terms->items[i].topology_key;
        uint32_t domain = trial->now->template->domains.items[key];
        if (domain == VIEW_NONE)
            return false;
        labelled_terms++;
        if (count_in_domain(trial, &state->affinity[key], domain, trial->part->counters) <= 0)
            near = false;
    }
    if (near)
        return true;
    /* The first pod of a group with affinity to itself may go to any domain. */
    int64_t change =
        trial->now->counters[trial->part->counters] - trial->base->counters[trial->part->counters];
    return state->affinity_total + change * labelled_terms == 0 && state->matches_itself;
}

static bool anti_affinity_is_satisfied(const struct trial *trial)
{
    const struct pod_affinity_state *state = trial->part->state;
    const struct affinity_terms *terms = &trial->plan->shape->required_anti_affinity;
    for (uint32_t i = 0; i < terms->count; i++) {
        uint32_t key = terms->items[i].topology_key;
        uint32_t domain = trial->now->template->domains.items[key];
        if (domain != VIEW_NONE && count_in_domain(trial, &state->anti_affinity[key], domain,
                                                   affinity_counter_anti(trial->part, key)) > 0)
            return false;
    }
    return true;
}

static bool existing_pods_agree(const struct trial *trial)
{
    const struct pod_affinity_state *state = trial->part->state;
    for (uint32_t key = 0; key < state->key_count; key++) {
        uint32_t domain = trial->now->template->domains.items[key];
        if (domain != VIEW_NONE &&
            count_in_domain(trial, &state->existing_anti_affinity[key], domain,
                            affinity_counter_existing(trial->part, key)) > 0)
            return false;
    }
    return true;
}

struct verdict affinity_filter(const struct trial *trial)
{
    const struct pod_affinity_state *state = trial->part->state;
    if (state->has_affinity && !affinity_is_satisfied(trial))
        return verdict_no(VERDICT_UNRESOLVABLE, "node(s) didn't match pod affinity rules");
    if (state->has_anti_affinity && !anti_affinity_is_satisfied(trial))
        return verdict_no(VERDICT_UNSCHEDULABLE, "node(s) didn't match pod anti-affinity rules");
    if (!existing_pods_agree(trial))
        return verdict_no(VERDICT_UNSCHEDULABLE,
                          "node(s) didn't satisfy existing pods anti-affinity rules");
    return verdict_feasible();
}
