/* SPDX-License-Identifier: Apache-2.0 */
/* The scheduler, pod by pod: where it goes, and whom it drives out. */
#include "twin/twin_internal.h"

struct scheduling {
    struct twin_run *run;
    uint32_t scheduler;
    struct view view;
    uint32_t numbers[TWIN_NODES_MOST]; /* of the view's nodes */
    /* Where each pod may go, if it is its turn. */
    bool fits[TWIN_PODS_MOST][TWIN_NODES_MOST];
};

int32_t twin_priority(const struct twin *twin, uint32_t revision)
{
    const struct optional_int priority = twin->revisions[revision].pod->spec.priority;
    return priority.set ? (int32_t)priority.value : 0;
}

static int32_t priority_of(const struct twin *twin, const struct place_of_pod *pod)
{
    return twin_priority(twin, pod->revision);
}

static uint32_t nominated_entry(const struct scheduling *scheduling, const struct place_of_pod *pod)
{
    for (uint32_t e = 0; e < scheduling->view.node_count; e++)
        if (pod->nominated != NOBODY && scheduling->numbers[e] == pod->nominated)
            return e;
    return VIEW_NONE;
}

/* Members of a StatefulSet are pods of their own kind. */
static uint32_t bit_of(const struct twin *twin, const struct place_of_pod *pod)
{
    return kind_of(twin, pod) == OBJECT_STATEFUL_SET ? 1U << pod->member : 1;
}

/* Of pods that are for one node nobody asks. */
static void note_try(const struct twin *twin, struct twin_state *next, uint32_t place)
{
    const struct place_of_pod *pod = &next->pods[place];
    if (twin->ranks && kind_of(twin, pod) != OBJECT_DAEMON_SET)
        next->tried[pod->revision] |= bit_of(twin, pod);
}

/* Since 1.33 whoever is driven out is deleted a while after that was decided. With clocks it is one
 * step. */
static bool twin_preempts_later(const struct twin *twin)
{
    return twin->features.async_preemption && !twin->clocked;
}

static void preempt(struct scheduling *scheduling, uint32_t place,
                    const struct candidate *candidate)
{
    struct twin_run *run = scheduling->run;
    struct twin *twin = run->twin;
    const uint32_t node = scheduling->numbers[candidate->entry];
    struct twin_state next = *run->state;
    uint32_t victims = 0;
    const bool later = twin_preempts_later(twin);
    for (uint32_t v = 0; v < candidate->victim_count; v++) {
        const uint32_t victim = twin->place_of_class.items[candidate->victims[v]];
        next.pods[victim].chosen = twin->features.waits_for_preempted && !twin->clocked;
        if (!later) {
            victims |= 1U << workload_of(twin, &next.pods[victim]);
            end_pod(twin, &next, victim);
        }
    }
    for (uint32_t p = 0; p < TWIN_PODS_MOST; p++)
        if (next.pods[p].stage == POD_WAITS && next.pods[p].nominated == node &&
            twin->revisions[next.pods[p].revision].scheduler == scheduling->scheduler &&
            priority_of(twin, &next.pods[p]) < priority_of(twin, &next.pods[place]))
            next.pods[p].nominated = NOBODY;
    next.pods[place].nominated = (uint8_t)node;
    note_try(twin, &next, place);
    twin_emit(run, &next, later ? TWIN_ACT_CHOOSE_VICTIMS : TWIN_ACT_PREEMPT, about_pod(place),
              workload_of(twin, &next.pods[place]), victims, FAST);
}

/* The requests that delete those who were chosen come in any order, and at any time. */
static void delete_victims(struct twin_run *run)
{
    for (uint32_t p = 0; p < TWIN_PODS_MOST; p++) {
        const struct place_of_pod *pod = &run->state->pods[p];
        if (!pod->chosen || pod->stage == POD_TERMINATES)
            continue;
        struct twin_state next = *run->state;
        end_pod(run->twin, &next, p);
        twin_emit(run, &next, TWIN_ACT_DELETE_VICTIM, about_pod(p), workload_of(run->twin, pod),
                  1U << workload_of(run->twin, pod), FAST);
    }
}

/* Is somebody on the node about to be deleted, to make room there? */
static bool is_being_cleared(const struct twin_run *run, uint32_t node)
{
    for (uint32_t p = 0; p < TWIN_PODS_MOST; p++)
        if (run->state->pods[p].chosen && run->state->pods[p].stage != POD_TERMINATES &&
            run->state->pods[p].node == node)
            return true;
    return false;
}

/* Somebody of them goes anyway, or there is nobody. */
static bool makes_room_already(const struct scheduling *scheduling,
                               const struct candidate *candidate)
{
    const struct twin_run *run = scheduling->run;
    for (uint32_t v = 0; v < candidate->victim_count; v++) {
        const uint32_t victim = run->twin->place_of_class.items[candidate->victims[v]];
        if (run->state->pods[victim].stage == POD_TERMINATES)
            return true;
    }
    return candidate->victim_count == 0;
}

static void fail(struct scheduling *scheduling, uint32_t place, const struct decision *decision)
{
    struct twin_run *run = scheduling->run;
    struct twin *twin = run->twin;
    struct twin_state next = *run->state;
    const struct place_of_pod *pod = &run->state->pods[place];
    const bool nominated = nominated_entry(scheduling, pod) != VIEW_NONE;
    bool chosen = false;
    if (!decision->error) {
        const struct preemption *preemption =
            scheduler_preempt(twin->scheduler, &scheduling->view, decision);
        twin->overflow |= preemption->orders_left_out;
        if (nominated && (preemption->message || is_being_cleared(run, pod->nominated)))
            return; /* it waits for its victims */
        for (uint32_t c = 0; c < preemption->candidate_count; c++) {
            const struct candidate *candidate = &preemption->candidates[c];
            chosen |= candidate->chosen;
            if (candidate->chosen && !makes_room_already(scheduling, candidate))
                preempt(scheduling, place, candidate);
        }
    }
    if (chosen)
        return;
    next.pods[place].nominated = NOBODY;
    note_try(twin, &next, place);
    const bool first = next.tried[pod->revision] != run->state->tried[pod->revision];
    twin_emit(run, &next, TWIN_ACT_UNSCHEDULABLE, about_pod(place), workload_of(twin, pod), 0,
              nominated || first ? FAST : IDLE);
}

static bool try_to_place(struct scheduling *scheduling, uint32_t place)
{
    struct twin *twin = scheduling->run->twin;
    const struct place_of_pod *pod = &scheduling->run->state->pods[place];
    const struct decision *decision =
        scheduler_decide(twin->scheduler, &scheduling->view, twin_class(twin, place, pod),
                         nominated_entry(scheduling, pod));
    if (!decision)
        return false;
    if (decision->best_count == 0)
        fail(scheduling, place, decision);
    else
        for (uint32_t b = 0; b < decision->best_count; b++)
            scheduling->fits[place][scheduling->numbers[decision->best[b]]] = true;
    for (uint32_t e = 0; e < decision->node_count && decision->best_count > 0; e++)
        if (twin_images_decide(scheduling->run, pod->revision, decision, scheduling->numbers, e))
            scheduling->fits[place][scheduling->numbers[e]] = true;
    return decision->best_count > 0;
}

/* May it be in the back-off queue, because it, or one like it, was tried in vain? Pods with a
 * nomination were, and of pods that are for one node nobody knows. */
static bool may_be_late(const struct scheduling *scheduling, const struct place_of_pod *pod)
{
    return kind_of(scheduling->run->twin, pod) == OBJECT_DAEMON_SET ||
           nominated_entry(scheduling, pod) != VIEW_NONE ||
           (scheduling->run->state->tried[pod->revision] & bit_of(scheduling->run->twin, pod));
}

void twin_forget_tries(const struct twin *twin, struct twin_state *next)
{
    uint32_t waiting[REVISIONS_MOST] = {0};
    for (uint32_t p = 0; p < TWIN_PODS_MOST; p++)
        if (next->pods[p].stage == POD_WAITS)
            waiting[next->pods[p].revision] |= bit_of(twin, &next->pods[p]);
    for (uint32_t r = 0; r < twin->revision_count; r++)
        next->tried[r] &= waiting[r];
}

/* The pod comes to the node, and its claim gets one of the volumes that it can have there. */
static void bind(struct twin_run *run, uint32_t place, uint32_t node)
{
    struct twin *twin = run->twin;
    const struct place_of_pod *pod = &run->state->pods[place];
    uint8_t choices[VOLUMES_MOST + TWIN_NODES_MOST];
    uint32_t claim;
    if (twin_refuses(run, "pods/binding", "CREATE", pod->revision))
        return;
    const uint32_t count = twin_volumes_at(twin, run->state, pod, node, &claim, choices);
    for (uint32_t c = 0; c < count || c == 0; c++) {
        struct twin_state next = *run->state;
        twin_arrive(twin, &next, place, node);
        if (count > 0)
            next.volumes[claim] = choices[c];
        twin_emit(run, &next, TWIN_ACT_BIND, about_pod(place), workload_of(twin, pod), 0, FAST);
    }
}

/* What one scheduler may do, which knows of no other: pods wait for those of a higher priority that
 * have a place to go to, unless these are late. */
static void schedule(struct twin_run *run, uint32_t scheduler)
{
    struct twin *twin = run->twin;
    struct scheduling scheduling = {.run = run, .scheduler = scheduler};
    int32_t highest = INT32_MIN;
    scheduling.view = twin_view(run, scheduler, scheduling.numbers);
    scheduling.view.budgets = twin_budgets(run, &scheduling.view.budget_count);
    for (uint32_t p = 0; p < TWIN_PODS_MOST; p++) {
        const struct place_of_pod *pod = &run->state->pods[p];
        if (pod->stage == POD_WAITS && !pod_names_node(twin, pod) &&
            !twin_claim_is_awaited(twin, run->state, pod) &&
            twin->revisions[pod->revision].scheduler == scheduler && try_to_place(&scheduling, p) &&
            !may_be_late(&scheduling, pod) && priority_of(twin, pod) > highest)
            highest = priority_of(twin, pod);
    }
    for (uint32_t p = 0; p < TWIN_PODS_MOST; p++)
        for (uint32_t n = 0; n < twin->node_count; n++) {
            const struct place_of_pod *pod = &run->state->pods[p];
            if (!scheduling.fits[p][n] || priority_of(twin, pod) < highest)
                continue;
            bind(run, p, n);
        }
}

void twin_schedule(struct twin_run *run)
{
    for (uint32_t s = 0; s < run->twin->scheduler_count; s++)
        schedule(run, s);
    delete_victims(run);
}
