/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Preemption: which pods of lower priority would have to go.
 *
 * Mirrors pkg/scheduler/framework/preemption/preemption.go and
 * plugins/defaultpreemption/default_preemption.go @ v1.26.15. For each node that
 * preemption might help on: take all pods of lower priority away; if the pod
 * fits then, give them back one by one, those first whose loss would violate a
 * budget, then the more important ones; a pod that does not fit any more is a
 * victim.
 *
 * Importance is priority, then age. Pods that are equal in both are given back
 * in an order that depends on the scheduler's memory, so every order is tried
 * here, up to a limit, and a node can have several outcomes.
 */
#include "decide/scheduler/cycle.h"
#include "object/policy.h"

#include <stdlib.h>
#include <string.h>

enum { ORDERS_MOST = 256 }; /* orders of equally important pods tried on one node */

struct dry_run {
    struct scheduler *scheduler;
    const struct cycle *cycle;
    uint32_t entry;
    const struct node_config *config;
    struct load now;       /* of the node, while pods go and come back */
    struct load stripped;  /* without any pod of lower priority */
    struct load nominated; /* room for `now` with the nominated pods */
    uint32_t *order;       /* pods of lower priority, most important first */
    uint32_t pod_count;
    bool *violates;
    int32_t *allowed; /* by budget */
};

struct candidates {
    VEC(struct candidate) list;
};

static const struct pod_class *class_of(const struct dry_run *run, uint32_t pod)
{
    return run->scheduler->catalog->pods.items[pod];
}

static bool fits(struct dry_run *run)
{
    const struct cycle *cycle = run->cycle;
    const struct load *base = &cycle->records[run->entry]->load;
    const struct pod_class *own = run->entry == cycle->nominated_entry ? cycle->pod : NULL;
    plan_load_copy(cycle->plan, &run->nominated, &run->now);
    if (plan_load_nominate(cycle->plan, &run->nominated, run->config, own) &&
        cycle_filter(cycle, run->entry, base, &run->nominated, NULL).code != VERDICT_FEASIBLE)
        return false;
    return cycle_filter(cycle, run->entry, base, &run->now, NULL).code == VERDICT_FEASIBLE;
}

/* A pod that has not started counts as starting now: the youngest of all. */
static int64_t start_time(const struct pod_class *pod)
{
    return pod->start_time == TIME_NONE ? INT64_MAX : pod->start_time;
}

/* Negative: left is the more important. */
static int compare_importance(const struct pod_class *left, const struct pod_class *right)
{
    if (left->shape->priority != right->shape->priority)
        return left->shape->priority > right->shape->priority ? -1 : 1;
    int64_t a = start_time(left);
    int64_t b = start_time(right);
    return (a > b) - (a < b);
}

static void collect_pods(struct dry_run *run)
{
    const struct node_config *config = run->config;
    int32_t priority = run->cycle->plan->shape->priority;
    run->order = ARENA_ARRAY(&run->scheduler->scratch, uint32_t, config->pod_count + 1);
    for (uint32_t i = 0; i < config->pod_entry_count; i++) {
        const struct pod_class *pod = class_of(run, config->pods[i].pod);
        for (uint32_t n = 0; pod->shape->priority < priority && n < config->pods[i].count; n++) {
            /* Insertion keeps equally important ones in the order of their classes. */
            uint32_t at = run->pod_count++;
            while (at > 0 && compare_importance(class_of(run, run->order[at - 1]), pod) > 0) {
                run->order[at] = run->order[at - 1];
                at--;
            }
            run->order[at] = pod->id;
        }
    }
}

static bool budget_covers(const struct pod_disruption_budget *budget, const struct pod *pod)
{
    const struct label_selector *selector = budget->selector;
    if (!selector || (selector->match_labels.count == 0 && selector->match_expression_count == 0))
        return false;
    if (strcmp(budget->meta.namespace, pod->meta.namespace) != 0 ||
        !label_selector_matches(selector, &pod->meta.labels))
        return false;
    for (uint32_t i = 0; i < budget->status.disrupted_pod_count; i++)
        if (strcmp(budget->status.disrupted_pods[i].name, pod->meta.name) == 0)
            return false;
    return true;
}

/* Whether losing this pod too, after those before it, would violate a budget. */
static bool spend_budgets(struct dry_run *run, const struct pod *pod)
{
    const struct view *view = run->cycle->view;
    bool violates = false;
    for (uint32_t i = 0; pod->meta.labels.count > 0 && i < view->budget_count; i++)
        if (budget_covers(view->budgets[i].budget, pod) && --run->allowed[i] < 0)
            violates = true;
    return violates;
}

static void mark_violations(struct dry_run *run)
{
    const struct view *view = run->cycle->view;
    for (uint32_t i = 0; i < view->budget_count; i++)
        run->allowed[i] = view->budgets[i].status.disruptions_allowed;
    for (uint32_t i = 0; i < run->pod_count; i++)
        run->violates[i] = spend_budgets(run, class_of(run, run->order[i])->pod);
}

/* Gives pods back: those whose loss violates a budget (`violating`), or the others.
 * A pod that does not fit is a victim. */
static void reprieve(struct dry_run *run, bool violating, struct candidate *candidate,
                     uint32_t *victims)
{
    for (uint32_t i = 0; i < run->pod_count; i++) {
        if (run->violates[i] != violating)
            continue;
        const struct pod_class *pod = class_of(run, run->order[i]);
        plan_load_add(run->cycle->plan, &run->now, pod, 1);
        if (fits(run))
            continue;
        plan_load_remove(run->cycle->plan, &run->now, pod);
        victims[candidate->victim_count++] = pod->id;
        candidate->budget_violations += violating;
    }
}

static void sort_victims(const struct dry_run *run, uint32_t *victims, uint32_t count)
{
    for (uint32_t i = 1; i < count; i++) {
        uint32_t victim = victims[i];
        uint32_t at = i;
        while (at > 0 &&
               compare_importance(class_of(run, victims[at - 1]), class_of(run, victim)) > 0) {
            victims[at] = victims[at - 1];
            at--;
        }
        victims[at] = victim;
    }
}

static bool is_known(const struct candidates *candidates, const struct candidate *candidate)
{
    for (uint32_t i = 0; i < candidates->list.count; i++) {
        const struct candidate *known = &candidates->list.items[i];
        if (known->entry == candidate->entry && known->victim_count == candidate->victim_count &&
            known->budget_violations == candidate->budget_violations &&
            memcmp(known->victims, candidate->victims,
                   candidate->victim_count * sizeof(*candidate->victims)) == 0)
            return true;
    }
    return false;
}

static void try_order(struct dry_run *run, struct candidates *candidates)
{
    struct arena *scratch = &run->scheduler->scratch;
    uint32_t *victims = ARENA_ARRAY(scratch, uint32_t, run->pod_count);
    struct candidate candidate = {.entry = run->entry, .victims = victims};
    plan_load_copy(run->cycle->plan, &run->now, &run->stripped);
    mark_violations(run);
    reprieve(run, true, &candidate, victims);
    reprieve(run, false, &candidate, victims);
    if (run->scheduler->catalog->features.victims_by_importance)
        sort_victims(run, victims, candidate.victim_count);
    if (candidate.victim_count > 0 && !is_known(candidates, &candidate))
        VEC_PUSH(scratch, &candidates->list, candidate);
}

static void reverse(uint32_t *items, uint32_t count)
{
    for (uint32_t i = 0; i < count / 2; i++) {
        uint32_t item = items[i];
        items[i] = items[count - 1 - i];
        items[count - 1 - i] = item;
    }
}

/* The next distinct order of these items; false, and back to the first, after the last. */
static bool next_order(uint32_t *items, uint32_t count)
{
    uint32_t fall = count - 1;
    while (fall > 0 && items[fall - 1] >= items[fall])
        fall--;
    if (fall == 0) {
        reverse(items, count);
        return false;
    }
    uint32_t swap = count - 1;
    while (items[swap] <= items[fall - 1])
        swap--;
    uint32_t item = items[swap];
    items[swap] = items[fall - 1];
    items[fall - 1] = item;
    reverse(items + fall, count - fall);
    return true;
}

/* Goes on to the next order in which equally important pods could come. */
static bool advance(struct dry_run *run)
{
    for (uint32_t begin = 0; begin < run->pod_count;) {
        const struct pod_class *first = class_of(run, run->order[begin]);
        uint32_t end = begin + 1;
        while (end < run->pod_count &&
               compare_importance(first, class_of(run, run->order[end])) == 0)
            end++;
        if (end - begin > 1 && next_order(run->order + begin, end - begin))
            return true;
        begin = end;
    }
    return false;
}

static void try_node(struct scheduler *scheduler, uint32_t entry, struct candidates *candidates)
{
    struct arena *scratch = &scheduler->scratch;
    const struct cycle *cycle = &scheduler->cycle;
    struct dry_run run = {
        .scheduler = scheduler,
        .cycle = cycle,
        .entry = entry,
        .config = scheduler->catalog->configs.items[cycle->view->nodes[entry].config],
    };
    collect_pods(&run);
    if (run.pod_count == 0)
        return;
    const struct load *load = &cycle->records[entry]->load;
    plan_load_init(cycle->plan, scratch, &run.now, load->template);
    plan_load_init(cycle->plan, scratch, &run.stripped, load->template);
    plan_load_init(cycle->plan, scratch, &run.nominated, load->template);
    plan_load_copy(cycle->plan, &run.now, load);
    for (uint32_t i = 0; i < run.pod_count; i++)
        plan_load_remove(cycle->plan, &run.now, class_of(&run, run.order[i]));
    if (!fits(&run))
        return;
    plan_load_copy(cycle->plan, &run.stripped, &run.now);
    run.violates = ARENA_ARRAY(scratch, bool, run.pod_count);
    run.allowed = ARENA_ARRAY(scratch, int32_t, cycle->view->budget_count + 1);
    uint32_t orders = 0;
    do {
        try_order(&run, candidates);
    } while (++orders < ORDERS_MOST && advance(&run));
    scheduler->preemption.orders_left_out |= orders == ORDERS_MOST;
}

/* How good a candidate is, most important first; smaller is better. */
struct rank {
    int64_t values[5];
};

static struct rank rank_of(const struct scheduler *scheduler, const struct candidate *candidate)
{
    const struct catalog *catalog = scheduler->catalog;
    struct rank rank = {{0}};
    int32_t highest = INT32_MIN;
    int64_t earliest = INT64_MAX;
    int64_t sum = 0;
    for (uint32_t i = 0; i < candidate->victim_count; i++) {
        const struct pod_class *pod = catalog->pods.items[candidate->victims[i]];
        int32_t priority = pod->shape->priority;
        sum += (int64_t)priority + INT32_MAX + 1;
        if (priority > highest || (priority == highest && start_time(pod) < earliest))
            earliest = start_time(pod);
        if (priority > highest)
            highest = priority;
    }
    rank.values[0] = candidate->budget_violations;
    rank.values[1] = catalog->pods.items[candidate->victims[0]]->shape->priority;
    rank.values[2] = sum;
    rank.values[3] = candidate->victim_count;
    rank.values[4] = -earliest;
    return rank;
}

static int compare_ranks(const struct rank *left, const struct rank *right)
{
    for (uint32_t i = 0; i < 5; i++)
        if (left->values[i] != right->values[i])
            return left->values[i] < right->values[i] ? -1 : 1;
    return 0;
}

/*
 * A candidate can be chosen if no other node is certain to be better. Any
 * outcome of a node may be the real one, so a node is certain to be better only
 * if its worst outcome is.
 */
static void choose(struct scheduler *scheduler, struct candidate *candidates, uint32_t count)
{
    struct arena *scratch = &scheduler->scratch;
    struct rank *ranks = ARENA_ARRAY(scratch, struct rank, count + 1);
    struct rank *worst = ARENA_ARRAY(scratch, struct rank, count + 1); /* of the same node */
    uint32_t begin = 0;
    for (uint32_t i = 0; i < count; i++) {
        ranks[i] = rank_of(scheduler, &candidates[i]);
        if (candidates[i].entry != candidates[begin].entry)
            begin = i;
        worst[i] = ranks[i];
        for (uint32_t j = begin; j < i; j++)
            if (compare_ranks(&worst[j], &worst[i]) < 0)
                worst[j] = worst[i];
            else
                worst[i] = worst[j];
    }
    scheduler->preemption.chosen_count = 0;
    for (uint32_t i = 0; i < count; i++) {
        candidates[i].chosen = true;
        for (uint32_t j = 0; j < count; j++)
            if (candidates[j].entry != candidates[i].entry &&
                compare_ranks(&worst[j], &ranks[i]) < 0)
                candidates[i].chosen = false;
        scheduler->preemption.chosen_count += candidates[i].chosen;
    }
}

/* From 1.27 on the scheduler waits only for terminating pods whose DisruptionTarget
 * condition says that they were preempted. */
static bool is_awaited(const struct scheduler *scheduler, const struct pod_class *pod)
{
    if (!pod->terminating || !scheduler->catalog->features.waits_for_preempted)
        return pod->terminating;
    const struct condition *target =
        conditions_find(&pod->pod->status.conditions, "DisruptionTarget");
    return target && strcmp(target->status, "True") == 0 && target->reason &&
           strcmp(target->reason, "PreemptionByScheduler") == 0;
}

static bool victim_is_leaving(const struct scheduler *scheduler)
{
    const struct cycle *cycle = &scheduler->cycle;
    const struct node_config *config =
        scheduler->catalog->configs.items[cycle->view->nodes[cycle->nominated_entry].config];
    for (uint32_t i = 0; i < config->pod_entry_count; i++) {
        const struct pod_class *pod = scheduler->catalog->pods.items[config->pods[i].pod];
        if (is_awaited(scheduler, pod) && pod->shape->priority < cycle->plan->shape->priority)
            return true;
    }
    return false;
}

static const char *why_not_eligible(const struct scheduler *scheduler,
                                    const struct decision *decision)
{
    const struct cycle *cycle = &scheduler->cycle;
    if (!cycle->plan->profile->preempts)
        return "preemption is disabled";
    if (!cycle->plan->shape->preempts)
        return "not eligible due to preemptionPolicy=Never.";
    if (cycle->nominated_entry != VIEW_NONE &&
        decision->nodes[cycle->nominated_entry].verdict.code != VERDICT_UNRESOLVABLE &&
        victim_is_leaving(scheduler))
        return "not eligible due to a terminating pod on the nominated node.";
    return NULL;
}

static bool may_help(const struct scheduler *scheduler, enum verdict_code code)
{
    return code == VERDICT_UNSCHEDULABLE ||
           (code == VERDICT_NOT_EXAMINED && !scheduler->catalog->features.preempts_where_examined);
}

const struct preemption *scheduler_preempt(struct scheduler *scheduler, const struct view *view,
                                           const struct decision *decision)
{
    struct preemption *preemption = &scheduler->preemption;
    *preemption = (struct preemption){0};
    if (decision->error)
        return preemption;
    preemption->message = why_not_eligible(scheduler, decision);
    if (preemption->message)
        return preemption;
    struct candidates candidates = {{0}};
    for (uint32_t i = 0; i < view->node_count; i++)
        if (may_help(scheduler, decision->nodes[i].verdict.code))
            try_node(scheduler, i, &candidates);
    choose(scheduler, candidates.list.items, candidates.list.count);
    preemption->candidates = candidates.list.items;
    preemption->candidate_count = candidates.list.count;
    return preemption;
}
