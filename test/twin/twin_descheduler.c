/* SPDX-License-Identifier: Apache-2.0 */
/* One cycle of the descheduler, pod by pod. */
#include "model/descheduler/descheduler.h"
#include "twin/twin_internal.h"

static void evict(struct twin_run *run, const struct cluster *cluster,
                  const struct descheduler_outcome *outcome)
{
    struct twin_state next = *run->state;
    uint32_t victims = 0;
    for (uint32_t l = 0; l < outcome->loss_count; l++) {
        const uint32_t class = cluster->kinds.items[outcome->losses[l].kind].class;
        struct place_of_pod *pod = &next.pods[run->twin->place_of_class.items[class]];
        victims |= 1U << run->twin->revisions[pod->revision].workload;
        *pod = (struct place_of_pod){POD_TERMINATES, pod->revision, 0, pod->node};
    }
    twin_emit(run, &next, TWIN_ACT_DESCHEDULE, 0, UINT32_MAX, victims, FAST);
}

void twin_deschedule(struct twin_run *run)
{
    struct twin *twin = run->twin;
    const struct check *check = twin->scope->check;
    if (!check->controllers.descheduler || !check->controllers.descheduler->policy)
        return;
    const struct surroundings *around = &twin->catalog->surroundings;
    struct view_budget *budgets =
        ARENA_ARRAY(&twin->scratch, struct view_budget, around->budgets.count + 1);
    for (uint32_t b = 0; b < around->budgets.count; b++)
        budgets[b] = (struct view_budget){around->budgets.items[b],
                                          twin_budget_allows(run, around->budgets.items[b])};
    struct view view = twin_view(run);
    view.budgets = budgets;
    view.budget_count = around->budgets.count;
    const struct descheduler_setup setup = {
        .policy = check->controllers.descheduler->policy,
        .objects = twin->scope->objects,
        .rules = descheduler_rules_of(DESCHEDULER_MINOR_FIRST),
        .mode = DESCHEDULER_GRACEFUL,
    };
    struct cluster *cluster = cluster_of_view(&twin->scratch, &view);
    struct descheduler_outcomes outcomes = {0};
    descheduler_enumerate(&twin->scratch, &setup, cluster,
                          (struct descheduler_limits){.runs_most = 100000}, &outcomes);
    if (outcomes.too_many)
        twin->overflow = true;
    for (uint32_t i = 0; i < outcomes.items.count; i++)
        if (outcomes.items.items[i].loss_count > 0)
            evict(run, cluster, &outcomes.items.items[i]);
}
