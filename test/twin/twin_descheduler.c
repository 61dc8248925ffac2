/* SPDX-License-Identifier: Apache-2.0 */
/* One cycle of the descheduler, pod by pod. */
#include "decide/descheduler/descheduler.h"
#include "twin/twin_internal.h"

/* Or it is only seen that it would be so. */
static void evict(struct twin_run *run, const struct cluster *cluster,
                  const struct descheduler_outcome *outcome, bool foreseen)
{
    struct twin_state next = *run->state;
    uint32_t victims = 0;
    uint32_t revision = 0;
    for (uint32_t l = 0; l < outcome->loss_count; l++) {
        const uint32_t class = cluster->kinds.items[outcome->losses[l].kind].class;
        const uint32_t place = run->twin->place_of_class.items[class];
        victims |= 1U << workload_of(run->twin, &next.pods[place]);
        revision = next.pods[place].revision;
        twin_spend_budget(run->twin, &next, place);
        end_pod(run->twin, &next, place);
    }
    /* The webhooks of random Checks are asked about the evictions of all, or of none. */
    if (twin_refuses(run, "pods/eviction", "CREATE", revision))
        return;
    run->restless |= victims;
    if (foreseen)
        return;
    next.cycle_left = run->twin->clock.cycle_period;
    twin_emit(run, &next, TWIN_ACT_DESCHEDULE, 0, UINT32_MAX, victims, FAST);
}

/* A cycle only spends what budgets allow, so whom the eviction API would not let go
 * before it stays. */
static bool may_happen(struct twin_run *run, const struct cluster *cluster,
                       const struct descheduler_outcome *outcome)
{
    for (uint32_t l = 0; l < outcome->loss_count; l++) {
        const uint32_t class = cluster->kinds.items[outcome->losses[l].kind].class;
        const uint32_t place = run->twin->place_of_class.items[class];
        if (!twin_may_evict(run, place) ||
            twin_kubelets_lag(run, workload_of(run->twin, &run->state->pods[place])))
            return false;
    }
    return true;
}

static int64_t present(void)
{
    return INT64_MAX / 4;
}

/* By the clock pods have ages, as far as anybody asks for them. */
static void set_ages(struct twin_run *run, struct cluster *cluster)
{
    struct twin *twin = run->twin;
    for (uint32_t k = 0; k < cluster->kinds.count; k++) {
        struct pod_kind *kind = &cluster->kinds.items[k];
        const uint32_t place = twin->place_of_class.items[kind->class];
        const uint32_t age = run->state->pods[place].start;
        if (!twin_is_timed(twin, &run->state->pods[place]))
            continue;
        struct pod *pod = arena_copy(&twin->scratch, kind->pod, sizeof(*pod));
        pod->meta.creation_time =
            present() - (age / 2) * twin->clock.tick - (age % 2 ? NANOSECONDS_PER_SECOND : 0);
        kind->pod = pod;
    }
}

static void cycle(struct twin_run *run, bool foreseen)
{
    struct twin *twin = run->twin;
    const struct check *check = twin->scope->check;
    uint32_t numbers[TWIN_NODES_MOST];
    if (!check->controllers.descheduler || !check->controllers.descheduler->policy)
        return;
    struct view view = twin_view(run, 0, numbers);
    view.budgets = twin_budgets(run, &view.budget_count);
    int minor = DESCHEDULER_MINOR_FIRST;
    if (check->controllers.descheduler->version &&
        !descheduler_parse_version(check->controllers.descheduler->version, &minor))
        bug("%s is no version", check->controllers.descheduler->version);
    const struct descheduler_setup setup = {
        .policy = check->controllers.descheduler->policy,
        .objects = twin->scope->objects,
        .features = descheduler_features_of_version(minor),
        .mode = DESCHEDULER_GRACEFUL,
        .now = twin->clocked ? present() : 0,
    };
    struct cluster *cluster = cluster_of_view(&twin->scratch, &view);
    struct descheduler_outcomes outcomes = {0};
    if (twin->clocked)
        set_ages(run, cluster);
    descheduler_enumerate(&twin->scratch, &setup, cluster,
                          (struct descheduler_limits){.runs_most = 100000}, &outcomes);
    if (outcomes.too_many)
        twin->overflow = true;
    bool idle = outcomes.items.count == 0;
    for (uint32_t i = 0; i < outcomes.items.count; i++)
        if (outcomes.items.items[i].loss_count == 0)
            idle = true;
        else if (may_happen(run, cluster, &outcomes.items.items[i]))
            evict(run, cluster, &outcomes.items.items[i], foreseen);
    if (!idle || !twin->clocked || foreseen)
        return;
    struct twin_state next = *run->state;
    next.cycle_left = twin->clock.cycle_period;
    twin_emit(run, &next, TWIN_ACT_CYCLE, 0, ALL, 0, FAST);
}

void twin_deschedule(struct twin_run *run)
{
    cycle(run, false);
}

void twin_foresee(struct twin_run *run)
{
    cycle(run, true);
}
