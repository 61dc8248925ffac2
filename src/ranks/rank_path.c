/* SPDX-License-Identifier: Apache-2.0 */
/* What decides properties of single states and steps, and the way there: from rank to rank, from
 * each state to the one that it was first met from. */
#include "base/error.h"
#include "explore/property.h"
#include "explore/replay.h"
#include "ranks/rank_run.h"

void rank_note_hit(struct rank_run *run, uint32_t property, struct step_key key, uint32_t id)
{
    struct rank_hit *hit = &run->properties[property].hit;
    if (key_before(key, hit->key))
        *hit = (struct rank_hit){key, id};
}

/* Does a state with these atoms decide it? */
static bool hits(const struct property *property, uint64_t atoms)
{
    const bool holds = literals_hold(&property->p, atoms);
    return (property->kind == PROPERTY_INVARIANT && !holds) ||
           (property->kind == PROPERTY_REACHABLE && holds);
}

static void look_at_new(struct rank_run *run, uint32_t property)
{
    for (uint32_t i = 0; i < run->new_atoms.count; i++)
        if (hits(&run->model->properties[property], *LIST_AT(&run->new_atoms, uint64_t, i)))
            rank_note_hit(run, property,
                          (struct step_key){*LIST_AT(&run->new_orders, uint64_t, i), 0},
                          run->level_end + i);
}

/* The first of the hits of all ranks. */
static bool decide(struct rank_run *run, uint32_t index)
{
    struct rank_property *property = &run->properties[index];
    uint64_t order = property->hit.key.order;
    if (!link_reduce(run->link, LINK_LEAST, &order, 1))
        return false;
    if (order == UINT64_MAX)
        return true;
    /* A state's order is its alone. */
    uint64_t owner = property->hit.key.order == order ? run->link->rank : UINT64_MAX;
    if (!link_reduce(run->link, LINK_LEAST, &owner, 1))
        return false;
    uint32_t place[] = {property->hit.id, property->hit.key.step};
    if (!link_share(run->link, (uint32_t)owner, place, sizeof(place)))
        return false;
    property->decided = true;
    property->rank = (uint32_t)owner;
    property->id = place[0];
    property->step = place[1];
    run->result->properties[index].verdict =
        run->model->properties[index].kind == PROPERTY_REACHABLE ? VERDICT_HOLDS : VERDICT_VIOLATED;
    return true;
}

bool rank_gather_hits(struct rank_run *run)
{
    for (uint32_t i = 0; i < run->model->property_count; i++) {
        const enum property_kind kind = run->model->properties[i].kind;
        if (run->properties[i].decided || property_is_liveness(&run->model->properties[i]))
            continue;
        if (kind == PROPERTY_INVARIANT || kind == PROPERTY_REACHABLE)
            look_at_new(run, i);
        if (!decide(run, i))
            return false;
        run->properties[i].hit = (struct rank_hit){{UINT64_MAX, UINT32_MAX}, 0};
    }
    return true;
}

/* The steps to the state, from the last to the first, which is an initial state; all ranks learn
 * them. False: broken, or no memory. */
static bool walk_back(struct rank_run *run, const struct rank_property *property,
                      struct list *steps)
{
    struct origin at = {property->rank, property->id, 0};
    bool kept = true;
    while (at.rank != NO_RANK) {
        struct origin origin = {NO_RANK, 0, 0};
        if (steps->count > run->result->statistics.depth ||
            (at.rank == run->link->rank && at.id >= run->origins.count))
            bug("a state was not met from the one that its owner names");
        if (at.rank == run->link->rank)
            origin = *LIST_AT(&run->origins, struct origin, at.id);
        if (!link_share(run->link, at.rank, &origin, sizeof(origin)))
            return false;
        uint32_t *step = list_push(steps, sizeof(*step));
        kept = kept && step;
        if (step)
            *step = origin.step;
        at = origin;
    }
    return kept;
}

bool rank_replay(struct rank_run *run, uint32_t property, struct trail *trail)
{
    /* Of the search it takes no more, as the trail names no stored states. */
    struct search search = {.model = run->model,
                            .options = run->options->explore,
                            .memory = run->memory,
                            .result = run->result};
    return replay_trail(&search, &run->model->properties[property], trail,
                        &run->result->properties[property].path);
}

static bool compose(struct rank_run *run, uint32_t property, const struct list *steps,
                    struct trail *trail)
{
    uint32_t at = steps->count;
    if (at == 0)
        bug("the way to a violation has no beginning");
    trail->initial_index = *LIST_AT(steps, uint32_t, --at);
    bool done = trail_push(trail, 0, PAIR_SET_NONE);
    while (done && at > 0)
        done = trail_push(trail, *LIST_AT(steps, uint32_t, --at), PAIR_SET_NONE);
    if (run->model->properties[property].kind == PROPERTY_STEP_INVARIANT)
        done = done && trail_push(trail, run->properties[property].step, PAIR_SET_NONE);
    return done;
}

static bool explain(struct rank_run *run, uint32_t property)
{
    struct list steps;
    struct trail trail;
    list_init(&steps, run->memory);
    trail_init(&trail, run->memory);
    bool done = walk_back(run, &run->properties[property], &steps);
    if (done && run->link->rank == 0) {
        done = compose(run, property, &steps, &trail) && rank_replay(run, property, &trail);
        run->result->properties[property].has_path = done;
    }
    trail_release(&trail);
    list_release(&steps);
    return done;
}

/* A verdict without a path is none. */
void rank_explain(struct rank_run *run)
{
    for (uint32_t i = 0; i < run->model->property_count; i++) {
        struct property_result *result = &run->result->properties[i];
        if (!run->properties[i].decided || property_is_liveness(result->property) ||
            explain(run, i))
            continue;
        result->verdict = VERDICT_UNDECIDED;
        result->reason = run->link->broken ? EXPLORE_INTERRUPTED : EXPLORE_MEMORY;
    }
}
