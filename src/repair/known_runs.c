/* SPDX-License-Identifier: Apache-2.0 */
/* Runs that violate an intent. A candidate in whose model one of them still exists, step by step in
 * the same words, and still violates its intent is no repair; nothing has to be explored to see
 * that. */
#include "cluster/threads/crew.h"
#include "repair/repair.h"
#include "walk/walk.h"

#include <string.h>

struct known_run {
    uint32_t intent;   /* of the plan */
    const char *whose; /* the workload that violates it; NULL: unknown */
    uint64_t asked;
    const char **group_names;
    int32_t *nodes;
    uint32_t group_count;
    const char **workload_names;
    int32_t *replicas;
    uint32_t workload_count;
    struct walk_words *steps;
    uint32_t step_count;
    uint32_t initial;
    uint32_t loop_from;
    bool loops;
    bool rests;
    enum population_reductions reductions;
    enum population_nodes manner;
};

/* ---- keeping ---- */

static const char *keep(struct arena *arena, const char *text)
{
    return text ? arena_strdup(arena, text) : NULL;
}

static void keep_sizes(struct arena *arena, const struct scope *scope, const struct setup *setup,
                       struct known_run *run)
{
    run->group_count = scope->group_count;
    run->workload_count = scope->workload_count;
    run->group_names = ARENA_ARRAY(arena, const char *, scope->group_count + 1);
    run->nodes = ARENA_ARRAY(arena, int32_t, scope->group_count + 1);
    run->workload_names = ARENA_ARRAY(arena, const char *, scope->workload_count + 1);
    run->replicas = ARENA_ARRAY(arena, int32_t, scope->workload_count + 1);
    for (uint32_t g = 0; g < scope->group_count; g++) {
        run->group_names[g] = keep(arena, scope->groups[g].name);
        run->nodes[g] = setup->nodes[g];
    }
    for (uint32_t w = 0; w < scope->workload_count; w++) {
        run->workload_names[w] = keep(arena, scope->workloads[w].name);
        run->replicas[w] = setup->replicas[w];
    }
}

static void keep_steps(struct arena *arena, const struct verify_result *result,
                       struct known_run *run)
{
    run->steps = ARENA_ARRAY(arena, struct walk_words, result->step_count + 1);
    run->step_count = result->step_count;
    for (uint32_t i = 0; i < result->step_count; i++) {
        const struct story_step *told = &result->steps[i].told;
        run->steps[i] = (struct walk_words){keep(arena, told->actor), keep(arena, told->action),
                                            keep(arena, told->object), keep(arena, told->detail)};
    }
}

static const char *whose(struct arena *arena, const struct scope *scope,
                         const struct verify_result *result)
{
    return result->whose < scope->workload_count
               ? arena_strdup(arena, scope->workloads[result->whose].name)
               : NULL;
}

void known_runs_add(struct arena *arena, const struct scope *scope,
                    const struct verify_report *report, struct known_runs *runs)
{
    for (uint32_t i = 0; i < report->result_count; i++) {
        const struct verify_result *result = &report->results[i];
        if (result->verdict != VERDICT_VIOLATED || !result->setup)
            continue;
        struct known_run run = {
            .intent = i,
            .whose = whose(arena, scope, result),
            .asked = result->asked,
            .initial = result->initial,
            .loop_from = result->loop_from,
            .loops = result->loops,
            .rests = result->rests,
            .reductions = result->reductions,
            .manner = result->nodes,
        };
        keep_sizes(arena, scope, result->setup, &run);
        keep_steps(arena, result, &run);
        VEC_PUSH(arena, runs, run);
    }
}

void known_runs_add_setup(struct arena *arena, const struct scope *scope, const struct setup *setup,
                          struct known_runs *runs)
{
    struct known_run run = {.intent = UINT32_MAX};
    keep_sizes(arena, scope, setup, &run);
    VEC_PUSH(arena, runs, run);
}

bool known_runs_are_of(const struct known_runs *runs, uint32_t intent, const char *workload)
{
    for (uint32_t i = 0; i < runs->count; i++) {
        const struct known_run *run = &runs->items[i];
        if (run->intent == intent &&
            (workload && run->whose ? strcmp(workload, run->whose) == 0 : workload == run->whose))
            return true;
    }
    return false;
}

uint32_t known_run_intent(const struct known_runs *runs, uint32_t number)
{
    return runs->items[number].intent;
}

bool known_runs_same_setup(const struct known_runs *one, uint32_t number,
                           const struct known_runs *other, uint32_t other_number)
{
    const struct known_run *left = &one->items[number];
    const struct known_run *right = &other->items[other_number];
    return left->group_count == right->group_count &&
           left->workload_count == right->workload_count &&
           memcmp(left->nodes, right->nodes, sizeof(*left->nodes) * left->group_count) == 0 &&
           memcmp(left->replicas, right->replicas,
                  sizeof(*left->replicas) * left->workload_count) == 0;
}

/* ---- the setup ---- */

static uint32_t group_number(const struct scope *scope, const char *name)
{
    for (uint32_t g = 0; g < scope->group_count; g++)
        if (strcmp(scope->groups[g].name, name) == 0)
            return g;
    return UINT32_MAX;
}

static uint32_t workload_number(const struct scope *scope, const char *name)
{
    for (uint32_t w = 0; w < scope->workload_count; w++)
        if (strcmp(scope->workloads[w].name, name) == 0)
            return w;
    return UINT32_MAX;
}

static int32_t within(int32_t number, int32_t least, int32_t most)
{
    return number < least ? least : number > most ? most : number;
}

static uint32_t run_group(const struct known_run *run, const char *name)
{
    for (uint32_t i = 0; i < run->group_count; i++)
        if (strcmp(run->group_names[i], name) == 0)
            return i;
    return UINT32_MAX;
}

/* Nodes that are objects are as many as there are, also those that a repair adds, or makes
 * different from what they were counted with. */
static bool give_nodes(const struct known_run *run, struct setup_group *group)
{
    const uint32_t known = run_group(run, group->name);
    const int32_t most = group->open ? INT32_MAX : group->most;
    if (known == UINT32_MAX)
        return group->least == most;
    group->least = group->most = within(run->nodes[known], group->least, most);
    group->open = false;
    return true;
}

bool known_run_scope(struct arena *arena, const struct known_runs *runs, uint32_t number,
                     const struct scope *scope, struct scope *single)
{
    const struct known_run *run = &runs->items[number];
    *single = *scope;
    single->groups = arena_copy(arena, scope->groups, sizeof(*scope->groups) * scope->group_count);
    single->workloads =
        arena_copy(arena, scope->workloads, sizeof(*scope->workloads) * scope->workload_count);
    if (run->workload_count != scope->workload_count)
        return false;
    for (uint32_t i = 0; i < run->group_count; i++)
        if (group_number(scope, run->group_names[i]) == UINT32_MAX)
            return false;
    for (uint32_t g = 0; g < scope->group_count; g++)
        if (!give_nodes(run, &single->groups[g]))
            return false;
    for (uint32_t i = 0; i < run->workload_count; i++) {
        const uint32_t w = workload_number(scope, run->workload_names[i]);
        if (w == UINT32_MAX)
            return false;
        struct setup_workload *workload = &single->workloads[w];
        workload->least = workload->most =
            within(run->replicas[i], workload->least, workload->most);
    }
    return true;
}

/* ---- replaying ---- */

static bool follow(struct walk *walk, const struct known_run *run)
{
    for (uint32_t i = 0; i < run->step_count; i++) {
        const uint32_t choice = walk_find(walk, &run->steps[i], 0);
        if (choice == UINT32_MAX)
            return false;
        walk_take(walk, choice);
    }
    return true;
}

/* The intents that were judged together with it; gives its place among them. */
static uint32_t judged(struct arena *arena, const struct verify_plan *plan,
                       const struct known_run *run, struct check_intent **intents, uint32_t *count)
{
    uint32_t place = UINT32_MAX;
    *intents = ARENA_ARRAY(arena, struct check_intent, plan->intents.count + 1);
    *count = 0;
    for (uint32_t i = 0; i < plan->intents.count; i++) {
        if (!(run->asked >> i & 1))
            continue;
        if (i == run->intent)
            place = *count;
        (*intents)[(*count)++] = plan->intents.items[i];
    }
    return place;
}

static bool stands(struct arena *arena, const struct known_runs *runs, uint32_t number,
                   const struct verify_plan *plan, const struct verify_options *options)
{
    enum { STEPS_MOST = 600 }; /* beyond, the setup is explored as quickly */
    const struct known_run *run = &runs->items[number];
    struct population_options manner = options->population;
    struct setups setups = {0};
    struct check_intent *intents;
    struct problems problems;
    struct scope single;
    uint32_t count;
    const uint32_t place = judged(arena, plan, run, &intents, &count);
    if (place == UINT32_MAX || run->step_count > STEPS_MOST ||
        !known_run_scope(arena, runs, number, &plan->scope, &single))
        return false;
    scope_enumerate(arena, &single, &setups);
    if (setups.count != 1)
        return false;
    manner.nodes = run->manner;
    manner.reductions = run->reductions;
    problems_init(&problems, arena);
    struct crew *crew = crew_create(NULL, arena->memory, &single, &setups.items[0], intents, count,
                                    &manner, &problems);
    if (!crew)
        return false;
    struct walk *walk = walk_create_at(arena, crew_worker(crew), run->initial, false);
    const bool found = walk && follow(walk, run) &&
                       !walk_refutes(walk, place, run->loops, run->rests, run->loop_from);
    crew_free(crew);
    return found;
}

bool known_runs_replay(struct memory *memory, const struct known_runs *runs,
                       const struct verify_plan *plan, const struct verify_options *run)
{
    bool found = false;
    for (uint32_t i = runs->count; i-- > 0 && !found;) {
        struct arena scratch;
        arena_init(&scratch, memory);
        found = stands(&scratch, runs, i, plan, run);
        arena_release(&scratch);
    }
    return found;
}

uint64_t known_runs_standing(struct memory *memory, const struct known_runs *runs, uint32_t count,
                             const struct verify_plan *plan, const struct verify_options *run)
{
    uint64_t standing = 0;
    for (uint32_t i = 0; i < count && i < 64; i++) {
        struct arena scratch;
        arena_init(&scratch, memory);
        standing |= stands(&scratch, runs, i, plan, run) ? UINT64_C(1) << i : 0;
        arena_release(&scratch);
    }
    return standing;
}
