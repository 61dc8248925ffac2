/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How many pods become ready.
 *
 * An intent that must never be violated is not violated either if no pod ever runs. A repair that
 * brings that about is none. One quiet run tells: controllers act in the model's order, and an
 * event comes whenever nothing else moves, until the run ends or comes back to where it was.
 */
#include "cluster/threads/crew.h"
#include "repair/repair.h"
#include "walk/walk.h"

#include <string.h>

enum { STEPS_MOST = 1500, EVENTS_MOST = 4 };

/* The workload that a pod of this name belongs to: names of pods begin with that of their owner. */
static uint32_t owner_of(const struct scope *scope, const char *pod)
{
    uint32_t best = UINT32_MAX;
    size_t longest = 0;
    for (uint32_t w = 0; w < scope->workload_count; w++) {
        const char *name = scope->workloads[w].object->meta->name;
        const size_t length = strlen(name);
        if (length > longest && strncmp(pod, name, length) == 0 &&
            (pod[length] == '-' || pod[length] == '\0')) {
            longest = length;
            best = w;
        }
    }
    return best;
}

/* Pods of the picture that are ready: the others have their stage behind the name. */
static void count_ready(struct walk *walk, const struct scope *scope, uint32_t *now)
{
    struct story_picture picture;
    memset(now, 0, sizeof(*now) * scope->workload_count);
    storyteller_picture(walk->teller, &picture);
    for (uint32_t n = 0; n < picture.node_count; n++)
        for (uint32_t p = 0; p < picture.nodes[n].pods.count; p++) {
            const char *pod = picture.nodes[n].pods.items[p];
            const uint32_t owner = strchr(pod, ' ') ? UINT32_MAX : owner_of(scope, pod);
            if (owner != UINT32_MAX)
                now[owner]++;
        }
}

/* The first step that somebody of the cluster takes and that changes something; if there is none,
 * the first event. */
static uint32_t next_choice(const struct walk *walk, uint32_t *events)
{
    uint32_t event = UINT32_MAX;
    for (uint32_t i = 0; i < walk->choices.count; i++) {
        const bool outside = walk->choices.items[i].step.fairness == FAIRNESS_OPTIONAL;
        if (walk->choices.items[i].changes && !outside)
            return i;
        if (walk->choices.items[i].changes && event == UINT32_MAX)
            event = i;
    }
    if (event == UINT32_MAX || *events == 0)
        return UINT32_MAX;
    (*events)--;
    return event;
}

/* Each workload by itself. What is found is too little once the budget is over. */
static void find_ready(struct walk *walk, const struct scope *scope, const struct budget *budget,
                       struct repair_ready *ready)
{
    uint32_t *now = ARENA_ARRAY(walk->arena, uint32_t, scope->workload_count + 1);
    uint32_t events = EVENTS_MOST;
    bool rested = false;
    for (uint32_t i = 0; i < STEPS_MOST && !budget_is_over(budget); i++) {
        const uint32_t choice = next_choice(walk, &events);
        const bool rests = choice == UINT32_MAX || walk_rests(walk);
        if (i % 4 == 0 || rests)
            count_ready(walk, scope, now);
        for (uint32_t w = 0; w < scope->workload_count; w++)
            ready->most[w] = now[w] > ready->most[w] ? now[w] : ready->most[w];
        for (uint32_t w = 0; rests && !rested && w < scope->workload_count; w++)
            ready->first[w] = now[w];
        rested |= rests;
        if (choice == UINT32_MAX || (i % 16 == 0 && walk_came_back(walk) != UINT32_MAX))
            break;
        walk_take(walk, choice);
    }
}

/* What an autoscaler adds to what is asked for may be just what is wrong. */
static void count_what_is_asked_for(const struct scope *scope, const struct setup *setup,
                                    uint32_t *ready)
{
    for (uint32_t w = 0; w < scope->workload_count; w++)
        if (setup_workload_is_sized(&scope->workloads[w]) && ready[w] != UINT32_MAX &&
            ready[w] > (uint32_t)setup->replicas[w])
            ready[w] = (uint32_t)setup->replicas[w];
}

/* Jobs that a CronJob starts beside each other are asked for by nobody: each of them counts as the
 * one with the most pods. */
static void count_one_job(const struct scope *scope, uint32_t *ready)
{
    for (uint32_t w = 0; w < scope->workload_count; w++) {
        const struct object *cron_job = scope->workloads[w].cron_job;
        for (uint32_t v = 0; cron_job && v < scope->workload_count; v++)
            if (scope->workloads[v].cron_job == cron_job && ready[v] != UINT32_MAX &&
                (ready[w] == UINT32_MAX || ready[v] > ready[w]))
                ready[w] = ready[v];
    }
}

struct repair_ready repair_ready_pods(struct arena *arena, struct memory *memory,
                                      const struct scope *scope, const struct setup *setup,
                                      const struct check_intent *intents, uint32_t intent_count,
                                      const struct population_options *options,
                                      const struct budget *budget)
{
    struct repair_ready ready = {
        .most = ARENA_ARRAY(arena, uint32_t, scope->workload_count + 1),
        .first = ARENA_ARRAY(arena, uint32_t, scope->workload_count + 1),
    };
    memset(ready.first, 0xff, sizeof(*ready.first) * scope->workload_count);
    struct population_options manner = *options;
    struct problems problems;
    struct arena scratch;
    arena_init(&scratch, memory);
    problems_init(&problems, &scratch);
    manner.reductions = REDUCTIONS_NEVER;
    struct crew *crew =
        crew_create(NULL, memory, scope, setup, intents, intent_count, &manner, &problems);
    struct walk *walk = crew ? walk_create(&scratch, crew_worker(crew), false) : NULL;
    if (walk)
        find_ready(walk, scope, budget, &ready);
    count_what_is_asked_for(scope, setup, ready.most);
    count_what_is_asked_for(scope, setup, ready.first);
    count_one_job(scope, ready.most);
    count_one_job(scope, ready.first);
    if (crew)
        crew_free(crew);
    arena_release(&scratch);
    return ready;
}

static bool same_replicas(const struct scope *scope, const struct setup *left,
                          const struct setup *right)
{
    for (uint32_t w = 0; w < scope->workload_count; w++)
        if (left->replicas[w] != right->replicas[w])
            return false;
    return true;
}

const struct setup *repair_roomy_setup(struct arena *arena, const struct scope *scope)
{
    struct setups setups = {0};
    scope_enumerate(arena, scope, &setups);
    const struct setup *usual = setups_usual(scope, &setups);
    const struct setup *roomy = usual;
    for (uint32_t i = 0; usual && i < setups.count; i++)
        if (setups.items[i].total_nodes > roomy->total_nodes &&
            same_replicas(scope, &setups.items[i], usual))
            roomy = &setups.items[i];
    return roomy;
}
