/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Liveness on several ranks.
 *
 * Rank 0 judges the graph of what trimming leaves. A property whose whole run has to stay in its
 * terrain is weakened for that: p comes again and again. If even that holds, so does the property.
 * What does not hold, or is in doubt, is judged on the whole graph, with the loop that shows it.
 */
#include "explore/property.h"
#include "ranks/rank_run.h"

enum outcome { OUTCOME_NONE, OUTCOME_HOLDS, OUTCOME_DOUBTED, OUTCOME_OPEN, OUTCOME_DECIDED };

/* What all ranks learn from rank 0. */
struct rank_verdict {
    uint8_t outcome;
    uint8_t verdict, reason;
};

static bool weaken(struct property *property)
{
    if (property->kind != PROPERTY_EVENTUALLY && property->kind != PROPERTY_LEADS_TO)
        return false;
    if (property->kind == PROPERTY_LEADS_TO)
        property->p = property->q;
    property->kind = PROPERTY_ALWAYS_EVENTUALLY;
    return true;
}

static struct rank_verdict undecided(const struct exploration *found)
{
    return (struct rank_verdict){OUTCOME_DECIDED, VERDICT_UNDECIDED,
                                 found ? (uint8_t)found->properties[0].reason
                                       : (uint8_t)EXPLORE_MEMORY};
}

/* On what is left. */
static struct rank_verdict judge_rest(struct rank_run *run, const struct property *property)
{
    struct property asked = *property;
    const bool weakened = weaken(&asked);
    struct rank_verdict verdict = {.outcome = OUTCOME_OPEN};
    struct exploration *found = rank_judge_graph(run, &asked, false);
    if (!found || found->properties[0].verdict == VERDICT_UNDECIDED)
        verdict = undecided(found);
    else if (found->properties[0].verdict == VERDICT_HOLDS && !found->properties[0].doubted)
        verdict.outcome = OUTCOME_HOLDS;
    else if (found->properties[0].verdict == VERDICT_HOLDS && !weakened)
        verdict.outcome = OUTCOME_DOUBTED;
    explore_free(found);
    return verdict;
}

static bool copy_trail(const struct run_path *path, struct trail *trail)
{
    trail->initial_index = path->initial_index;
    trail->loops = path->loops;
    trail->rests = path->loop_rests;
    trail->loop_from = path->loop_from;
    bool done = trail_push(trail, 0, PAIR_SET_NONE);
    for (uint32_t i = 0; done && i < path->step_count; i++)
        done = trail_push(trail, path->steps[i].index, PAIR_SET_NONE);
    return done;
}

/* Takes over what the graph's loop says of the model. False: no memory. */
static bool show(struct rank_run *run, uint32_t index, const struct property_result *found)
{
    struct property_result *result = &run->result->properties[index];
    struct trail trail;
    trail_init(&trail, run->memory);
    result->components = found->components;
    result->component_states = found->component_states;
    result->component_atoms = found->component_atoms;
    result->has_path = copy_trail(&found->path, &trail) && rank_replay(run, index, &trail);
    trail_release(&trail);
    return result->has_path;
}

/* On the whole graph. */
static struct rank_verdict judge_whole(struct rank_run *run, uint32_t index)
{
    struct rank_verdict verdict;
    struct exploration *found = rank_judge_graph(run, &run->model->properties[index], true);
    if (!found || found->properties[0].verdict == VERDICT_UNDECIDED)
        verdict = undecided(found);
    else if (found->properties[0].verdict == VERDICT_HOLDS)
        verdict.outcome = found->properties[0].doubted ? OUTCOME_DOUBTED : OUTCOME_HOLDS;
    else if (show(run, index, &found->properties[0]))
        verdict = (struct rank_verdict){OUTCOME_DECIDED, VERDICT_VIOLATED, EXPLORE_DECIDED};
    else
        verdict = undecided(NULL);
    explore_free(found);
    return verdict;
}

/* True: the property is open on every rank. */
static bool take_verdict(struct rank_run *run, uint32_t index, struct rank_verdict verdict)
{
    struct property_result *result = &run->result->properties[index];
    result->doubted = verdict.outcome == OUTCOME_DOUBTED;
    if (verdict.outcome != OUTCOME_DECIDED)
        return verdict.outcome == OUTCOME_OPEN;
    run->properties[index].decided = true;
    result->verdict = (enum verdict)verdict.verdict;
    result->reason = (enum explore_reason)verdict.reason;
    return false;
}

/* False: broken, or a limit was reached. */
static bool judge_all(struct rank_run *run, bool *open, bool whole)
{
    bool any = false;
    for (uint32_t i = 0; i < run->model->property_count; i++) {
        struct rank_verdict verdict = {0};
        if (!open[i])
            continue;
        if (run->link->rank == 0)
            verdict = whole ? judge_whole(run, i) : judge_rest(run, &run->model->properties[i]);
        if (!link_share(run->link, 0, &verdict, sizeof(verdict)))
            return false;
        open[i] = take_verdict(run, i, verdict);
        any |= open[i];
    }
    return any;
}

void rank_judge_liveness(struct rank_run *run)
{
    const size_t bytes = sizeof(bool) * ((size_t)run->model->property_count + 1);
    bool *open = memory_try_allocate_zeroed(run->memory, bytes);
    if (!open)
        rank_end(run, EXPLORE_MEMORY);
    if (rank_agree(run) && open) {
        for (uint32_t i = 0; i < run->model->property_count; i++)
            open[i] = property_is_liveness(&run->model->properties[i]);
        if (rank_trim(run) && rank_gather(run, false) && judge_all(run, open, false) &&
            rank_gather(run, true))
            (void)judge_all(run, open, true);
    }
    memory_release(run->memory, open, bytes);
    rank_gather_release(run);
}
