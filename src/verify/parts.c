/* SPDX-License-Identifier: Apache-2.0 */
#include "verify/parts.h"

struct decided_part *parts_find(const struct parts *parts, uint32_t workload)
{
    for (uint32_t p = 0; parts && p < parts->count; p++)
        for (uint32_t w = 0; w < parts->items[p].workload_count; w++)
            if (parts->items[p].workloads[w] == workload)
                return &parts->items[p];
    return NULL;
}

void parts_begin(struct parts *parts, struct arena *arena, const struct components *components,
                 uint32_t workload_count)
{
    parts->count = components->count;
    parts->items = ARENA_ARRAY(arena, struct decided_part, components->count + 1);
    parts->couplings = components->couplings;
    parts->coupling_count = components->coupling_count;
    parts->preempts = UINT32_MAX;
    parts_ask(parts);
    for (uint32_t p = 0; p < parts->count; p++) {
        struct decided_part *part = &parts->items[p];
        part->workloads = ARENA_ARRAY(arena, uint32_t, workload_count + 1);
        part->like = UINT32_MAX;
        part->sibling = UINT32_MAX;
        for (uint32_t o = 0; o < OBSTACLE_COUNT; o++)
            part->culprits[o] = UINT32_MAX;
        for (uint32_t w = 0; w < workload_count; w++)
            if (components->of[w] == p)
                part->workloads[part->workload_count++] = w;
    }
}

void parts_ask(struct parts *parts)
{
    parts->stays = parts->restless = parts->unbounded = UINT32_MAX;
    parts_blame(parts, OBSTACLE_COUNT, UINT32_MAX);
}

/* Why others made no difference to what holds. */
static unsigned reasons_of(const struct others *others, unsigned hindered)
{
    if (others->unknown)
        return REASON_ANYTHING;
    return (others->leave_drained_nodes ? REASON_LEAVING : 0) |
           (others->shared_quotas & ~others->scarce_quotas ? REASON_QUOTAS : 0) |
           (hindered & HINDERED_BY_LASTING_ROOM   ? REASON_LASTING_ROOM
            : hindered & HINDERED_BY_PASSING_ROOM ? REASON_PASSING_ROOM
                                                  : REASON_ROOM);
}

void parts_note(struct parts *parts, uint32_t number, const struct others *others, uint64_t asked,
                uint64_t holds, uint64_t states, unsigned hindered, enum explore_reason ended_by)
{
    struct decided_part *part = &parts->items[number];
    part->states += states;
    if (!(asked & part->asked))
        return;
    part->ended_by = ended_by;
    part->hindered = hindered;
    if (holds & part_open(part))
        parts->reasons |= reasons_of(others, hindered);
    if (others->unknown)
        part->by_itself |= holds & part_open(part);
    else
        part->beside |= holds & part_open(part);
}

void parts_learn(struct parts *parts, uint32_t number)
{
    struct decided_part *part = &parts->items[number];
    const struct decided_part *like = &parts->items[part->like];
    part->by_itself = like->by_itself;
    part->beside = like->beside;
    part->ended_by = like->ended_by;
    part->hindered = like->hindered;
}

void parts_reopen(struct parts *parts, uint32_t number, uint64_t intents)
{
    parts->items[number].by_itself &= ~intents;
    parts->items[number].beside &= ~intents;
}

/* ---- what stands in the way ---- */

static void blame(struct decided_part *part, enum part_obstacle obstacle, uint32_t culprit)
{
    part->obstacles |= 1U << obstacle;
    part->culprits[obstacle] = culprit;
}

static void find_obstacles(const struct parts *parts, struct decided_part *part, uint32_t number)
{
    if (part->ended_by != EXPLORE_DECIDED) {
        blame(part, OBSTACLE_LIMIT, number);
    } else if (parts->unbounded != UINT32_MAX) {
        blame(part, OBSTACLE_UNMEASURED, parts->unbounded);
    } else if (part->hindered == 0) {
        blame(part, OBSTACLE_ANY_NODE, UINT32_MAX);
    } else {
        if (part->hindered & HINDERED_BY_LASTING_ROOM)
            blame(part, OBSTACLE_LASTING_ROOM, UINT32_MAX);
        else if (part->hindered & HINDERED_BY_PASSING_ROOM)
            blame(part, OBSTACLE_PASSING_ROOM, UINT32_MAX);
        if (part->hindered & HINDERED_BY_STAYING)
            blame(part, OBSTACLE_STAYING, parts->stays);
        if (part->hindered & HINDERED_BY_UNREST)
            blame(part, OBSTACLE_UNREST, parts->restless);
        if (part->hindered & HINDERED_BY_PREEMPTION)
            blame(part, OBSTACLE_PREEMPTS, parts->preempts);
    }
}

void parts_blame(struct parts *parts, enum part_obstacle obstacle, uint32_t culprit)
{
    parts->blamed = obstacle;
    parts->culprit = culprit;
}

void parts_conclude(struct parts *parts, uint32_t number, uint64_t open)
{
    struct decided_part *part = &parts->items[number];
    if (part->like != UINT32_MAX)
        parts_learn(parts, number);
    part->obstacles = 0;
    if (part_open(part))
        find_obstacles(parts, part, number);
    part->by_itself &= ~open;
    part->beside &= ~open;
    /* Of the one that was not measured it is said already that it has too many states. */
    if (parts->blamed == OBSTACLE_UNMEASURED && parts->culprit == number && part->obstacles != 0)
        return;
    if (open && parts->blamed != OBSTACLE_COUNT)
        blame(part, parts->blamed, parts->culprit);
}

void parts_note_violated(struct parts *parts, uint32_t intent, uint32_t workload)
{
    struct decided_part *part = parts_find(parts, workload);
    parts->violated |= UINT64_C(1) << intent;
    if (part && part->asked >> intent & 1)
        part->violated |= UINT64_C(1) << intent;
}

void parts_note_whole(struct parts *parts, uint64_t asked, uint64_t undecided)
{
    for (uint32_t p = 0; p < parts->count; p++)
        parts->items[p].in_whole |= part_open(&parts->items[p]) & asked & ~undecided;
}

/* ---- a copy ---- */

static const char *copy_text(struct arena *arena, const char *text)
{
    return text ? arena_strdup(arena, text) : NULL;
}

struct parts *parts_copy(struct arena *arena, const struct parts *parts)
{
    struct parts *copy = ARENA_NEW(arena, struct parts);
    *copy = *parts;
    copy->items = arena_copy(arena, parts->items, parts->count * sizeof(*parts->items));
    copy->couplings =
        arena_copy(arena, parts->couplings, parts->coupling_count * sizeof(*parts->couplings));
    for (uint32_t p = 0; p < copy->count; p++)
        copy->items[p].workloads =
            arena_copy(arena, parts->items[p].workloads,
                       parts->items[p].workload_count * sizeof(*parts->items[p].workloads));
    for (uint32_t c = 0; c < copy->coupling_count; c++) {
        copy->couplings[c].namespace = copy_text(arena, parts->couplings[c].namespace);
        copy->couplings[c].name = copy_text(arena, parts->couplings[c].name);
    }
    return copy;
}
