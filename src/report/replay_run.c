/* SPDX-License-Identifier: Apache-2.0 */
#include "report/replay_run.h"
#include "cluster/threads/crew.h"

#include "report/report.h"
#include "walk/walk.h"

#include <string.h>

/* ---- the setup and the intents ---- */

/* A workload of which every node has a pod is not listed. */
static bool same_number(const struct value *numbers, const char *name, int32_t number)
{
    const struct value *value = value_find(numbers, name);
    int64_t found = 0;
    return !value || (value_read_integer(value, &found) && found == number);
}

static const struct setup *find_setup(struct arena *arena, const struct scope *scope,
                                      const struct value *scale)
{
    const struct value *groups = value_find(scale, "nodeGroups");
    const struct value *workloads = value_find(scale, "workloads");
    struct setups setups = {0};
    scope_enumerate(arena, scope, &setups);
    for (uint32_t i = 0; i < setups.count; i++) {
        bool same = same_number(scale, "nodes", setups.items[i].total_nodes) &&
                    same_number(scale, "pods", setups.items[i].total_pods);
        for (uint32_t g = 0; g < scope->group_count; g++)
            same &= same_number(groups, scope->groups[g].name, setups.items[i].nodes[g]);
        for (uint32_t w = 0; w < scope->workload_count; w++)
            same &= same_number(workloads, scope->workloads[w].name, setups.items[i].replicas[w]);
        if (same)
            return &setups.items[i];
    }
    return NULL;
}

/* The intents that were judged together; gives the place of the violated one. */
static uint32_t select_intents(struct arena *arena, const struct verify_plan *plan,
                               const struct told_violation *violation,
                               struct check_intent **intents, uint32_t *count)
{
    uint32_t place = UINT32_MAX;
    *intents = ARENA_ARRAY(arena, struct check_intent, violation->judged.count + 1);
    *count = 0;
    for (uint32_t i = 0; i < violation->judged.count; i++) {
        const uint32_t number = violation->judged.items[i];
        if (number >= plan->intents.count)
            return UINT32_MAX;
        if (number == violation->number &&
            strcmp(report_intent_label(arena, &plan->intents.items[number]), violation->label) == 0)
            place = *count;
        (*intents)[(*count)++] = plan->intents.items[number];
    }
    return place;
}

/* ---- the run ---- */

static void note_alternatives(struct arena *arena, const struct walk *walk, struct replay_run *run)
{
    for (uint32_t i = 0; i < walk->choices.count; i++) {
        struct story_step told;
        walk_peek(walk, arena, i, &told);
        VEC_PUSH(arena, &run->instead, told.detail);
    }
}

static void follow(struct arena *arena, struct walk *walk, uint32_t property,
                   struct replay_run *run)
{
    const struct told_violation *violation = run->violation;
    storyteller_picture(walk->teller, &run->pictures[0]);
    for (; run->steps_done < violation->steps.count; run->steps_done++) {
        const struct told_step *step = &violation->steps.items[run->steps_done];
        const struct walk_words words = {step->actor, step->action, step->object, step->detail};
        const uint32_t choice = walk_find(walk, &words, step->choice);
        if (choice == UINT32_MAX) {
            run->flaw =
                arena_printf(arena, "step %u cannot come there any more", run->steps_done + 1);
            note_alternatives(arena, walk, run);
            return;
        }
        walk_take(walk, choice);
        storyteller_picture(walk->teller, &run->pictures[run->steps_done + 1]);
    }
    run->flaw =
        walk_refutes(walk, property, violation->loops, violation->rests, violation->loop_from);
}

/* As verify does: what large setups leave out first, then without; and loops that are
 * fair to each node of several that are alike with one of them distinguished. */
static const struct {
    enum population_nodes nodes;
    enum population_reductions reductions;
} manners[] = {
    {NODES_ALIKE, REDUCTIONS_OF_LARGE},
    {NODES_ALIKE, REDUCTIONS_NEVER},
    {NODES_ONE_DISTINGUISHED, REDUCTIONS_OF_LARGE},
    {NODES_ONE_DISTINGUISHED, REDUCTIONS_NEVER},
    {NODES_ALIKE, REDUCTIONS_NEVER_LOOPS_REST},
    {NODES_ONE_DISTINGUISHED, REDUCTIONS_NEVER_LOOPS_REST},
};

bool replay_run(struct arena *arena, const struct verify_plan *plan,
                const struct population_options *options, struct replay_run *run,
                struct problems *problems)
{
    struct check_intent *intents;
    uint32_t count;
    const uint32_t errors = problems->errors;
    const uint32_t place = select_intents(arena, plan, run->violation, &intents, &count);
    const struct setup *setup = find_setup(arena, &plan->scope, run->violation->scale);
    run->pictures =
        ARENA_ARRAY(arena, struct story_picture, (size_t)run->violation->steps.count + 1);
    if (place == UINT32_MAX)
        run->flaw = "the intent is not among those of the Check any more";
    else if (!setup)
        run->flaw = "the Check has no setup of this size any more";
    if (run->flaw)
        return true;
    run->scale = report_scale(arena, &plan->scope, setup);
    struct replay_run farthest = *run;
    for (uint32_t i = 0; i < sizeof(manners) / sizeof(*manners); i++) {
        struct population_options manner = *options;
        struct replay_run tried = *run;
        manner.nodes = manners[i].nodes;
        manner.reductions = manners[i].reductions;
        tried.pictures =
            ARENA_ARRAY(arena, struct story_picture, (size_t)run->violation->steps.count + 1);
        struct crew *crew = crew_create(NULL, arena->memory, &plan->scope, setup, intents, count,
                                        &manner, problems);
        if (!crew && problems->errors == errors) {
            run->flaw = "there is not enough memory for its model";
            return true;
        }
        if (!crew)
            return false;
        struct walk *walk = walk_create_at(arena, crew_worker(crew), run->violation->begin, false);
        if (walk)
            follow(arena, walk, place, &tried);
        else
            tried.flaw = "no run begins as it does any more";
        crew_free(crew);
        /* If it stands in no manner, the one in which it got farthest says why. */
        if (i == 0 || !tried.flaw || tried.steps_done > farthest.steps_done)
            farthest = tried;
        if (!tried.flaw)
            break;
    }
    *run = farthest;
    return true;
}

enum verdict replay_verdict(const struct replay_runs *runs)
{
    enum verdict verdict = VERDICT_HOLDS;
    for (uint32_t i = 0; i < runs->count; i++) {
        if (runs->items[i].flaw)
            return VERDICT_UNDECIDED;
        verdict = VERDICT_VIOLATED;
    }
    return verdict;
}
