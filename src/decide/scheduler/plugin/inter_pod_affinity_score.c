/* SPDX-License-Identifier: Apache-2.0 */
/* Preferred affinity and anti-affinity, both ways, and the required affinity of
 * existing pods, which counts with the hard weight. Mirrors
 * interpodaffinity/scoring.go @ v1.26.15. */
#include "decide/scheduler/lead.h"
#include "decide/scheduler/pod_affinity.h"

void affinity_pre_score(struct cycle *cycle, const struct part *part)
{
    struct pod_affinity_state *state = part->state;
    for (uint32_t key = 0; key < state->key_count; key++)
        affinity_sum(cycle, &state->preferences[key], key, affinity_counter_preference(part, key));
}

int64_t affinity_score(const struct trial *trial)
{
    const struct pod_affinity_state *state = trial->part->state;
    int64_t sum = 0;
    for (uint32_t key = 0; key < state->key_count; key++) {
        uint32_t domain = trial->now->template->domains.items[key];
        if (domain == DOMAIN_OWN)
            sum += trial->now->counters[affinity_counter_preference(trial->part, key)];
        else if (domain != VIEW_NONE)
            sum += domain_table_get(&state->preferences[key], domain);
    }
    return sum;
}

void affinity_normalise(const struct cycle *cycle, const struct part *part, int64_t *scores)
{
    (void)part;
    int64_t lowest = INT64_MAX;
    int64_t highest = INT64_MIN;
    CYCLE_EACH_FEASIBLE(cycle, entry)
    {
        lowest = scores[entry] < lowest ? scores[entry] : lowest;
        highest = scores[entry] > highest ? scores[entry] : highest;
    }
    CYCLE_EACH_FEASIBLE(cycle, entry)
    {
        double scaled = 0;
        if (highest > lowest)
            scaled =
                NODE_SCORE_MOST * ((double)(scores[entry] - lowest) / (double)(highest - lowest));
        scores[entry] = (int64_t)scaled;
    }
}

/* All points are given for the distance from the lowest to the highest node, which may be these two
 * alone. Scores are computed as floating-point numbers: one that should be whole may be a little
 * less, and loses a point. That does not happen to the lowest and the highest. */
int64_t affinity_lead(const struct lead *lead)
{
    const int64_t more = lead_raw(lead, lead->ahead) - lead_raw(lead, lead->behind);
    int64_t lowest = INT64_MAX;
    int64_t highest = INT64_MIN;
    CYCLE_EACH_FEASIBLE(lead->cycle, entry)
    {
        const int64_t raw = lead_raw(lead, entry);
        lowest = raw < lowest ? raw : lowest;
        highest = raw > highest ? raw : highest;
    }
    const int64_t share = lead_share(more, -more, highest - lowest);
    return more > 0 && more < highest - lowest ? share - 1 : share;
}
