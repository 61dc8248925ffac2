/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The scheduler's filters and scores of a step. The decision has them by entry of the view; nodes
 * for which it says the same share a row, whatever else is different about them.
 */
#include "cluster/story/story_scheduling.h"
#include "cluster/state/actions.h"
#include "cluster/state/population_model.h"
#include "cluster/state/worker.h"
#include "decide/scheduler/scheduler.h"

#include <string.h>

enum { ROWS_MOST = 12 };

/* A row while it is gathered. */
struct row {
    const struct node_decision *node; /* what is said of each of them */
    VEC(const char *) names;
    bool best;
    bool taken;
};

struct rows {
    const struct decision *decision;
    const struct view *view;
    VEC(struct row) items;
};

const char *story_nodes_alike(struct arena *arena, const char **names, uint32_t count)
{
    if (count == 1)
        return names[0];
    if (count == 2)
        return arena_printf(arena, "%s and %s", names[0], names[1]);
    return arena_printf(arena, "%s, %s and %u more", names[0], names[1], count - 2);
}

static bool is_best(const struct decision *decision, uint32_t entry)
{
    for (uint32_t b = 0; b < decision->best_count; b++)
        if (decision->best[b] == entry)
            return true;
    return false;
}

/* A binding is one to a node with the highest score, and a pod that is not bound fits on none. A
 * pod that is nominated, or images that decide, can be the reason that it is not so. */
static bool is_followed(const struct story_telling *telling, const struct decision *decision)
{
    if (decision->error)
        return false;
    return telling->step->action == ACT_BIND ? is_best(decision, telling->entry)
                                             : decision->feasible_nodes == 0;
}

static bool says_the_same(const struct decision *decision, const struct node_decision *a,
                          const struct node_decision *b)
{
    if (a->verdict.code != b->verdict.code || a->verdict.plugin != b->verdict.plugin)
        return false;
    if (a->verdict.code != VERDICT_FEASIBLE)
        return strcmp(a->verdict.reason, b->verdict.reason) == 0;
    return memcmp(a->scores, b->scores,
                  decision->plan->profile->score_count * sizeof(*a->scores)) == 0;
}

static struct row *row_of(struct rows *rows, struct arena *scratch,
                          const struct node_decision *node)
{
    for (uint32_t i = 0; i < rows->items.count; i++)
        if (says_the_same(rows->decision, rows->items.items[i].node, node))
            return &rows->items.items[i];
    VEC_PUSH(scratch, &rows->items, ((struct row){.node = node}));
    return &rows->items.items[rows->items.count - 1];
}

static void gather(struct rows *rows, const struct story_telling *telling)
{
    const struct decision *decision = rows->decision;
    const struct storyteller *teller = telling->teller;
    struct arena *scratch = &telling->worker->scratch;
    for (uint32_t n = 0; n < decision->node_count && n < telling->from->listed_count; n++) {
        struct row *row = row_of(rows, scratch, &decision->nodes[n]);
        for (uint32_t k = 0; k < teller->nodes.count; k++)
            if (teller->nodes.items[k].config == telling->from->nodes[n].config)
                VEC_PUSH(scratch, &row->names, teller->nodes.items[k].name);
        row->best |= is_best(decision, n);
        row->taken |= telling->step->action == ACT_BIND && n == telling->entry;
    }
}

/* Those that pass come first, the best one before the others. */
static bool comes_before(const struct row *a, const struct row *b)
{
    const bool a_passes = a->node->verdict.code == VERDICT_FEASIBLE;
    const bool b_passes = b->node->verdict.code == VERDICT_FEASIBLE;
    if (a_passes != b_passes)
        return a_passes;
    return a_passes ? a->node->total > b->node->total : a->names.count > b->names.count;
}

/* In place; rows that are equal keep their order. */
static void sort(struct rows *rows)
{
    for (uint32_t i = 1; i < rows->items.count; i++) {
        const struct row row = rows->items.items[i];
        uint32_t at = i;
        for (; at > 0 && comes_before(&row, &rows->items.items[at - 1]); at--)
            rows->items.items[at] = rows->items.items[at - 1];
        rows->items.items[at] = row;
    }
}

/* The plugins that score, and by which place of the profile they are. */
static uint32_t list_plugins(struct story_scheduling *told, const struct rows *rows,
                             struct arena *arena, uint32_t places[PLUGINS_MOST])
{
    const struct profile *profile = rows->decision->plan->profile;
    bool skipped[PLUGINS_MOST];
    VEC(const char *) names = {0};
    decision_skipped_scores(rows->decision, rows->view, skipped);
    for (uint32_t s = 0; rows->decision->best_count > 0 && s < profile->score_count; s++)
        if (!skipped[s]) {
            places[names.count] = s;
            VEC_PUSH(arena, &names, profile->scores[s].plugin->name);
        }
    told->plugins = (struct string_list){names.items, names.count};
    return names.count;
}

static struct story_scheduling_row tell_row(struct arena *arena, const struct row *row,
                                            const uint32_t *places, uint32_t place_count)
{
    const struct verdict *verdict = &row->node->verdict;
    struct story_scheduling_row told = {
        .nodes = story_nodes_alike(arena, row->names.items, row->names.count),
        .count = row->names.count,
        .passes = verdict->code == VERDICT_FEASIBLE,
        .plugin = verdict->plugin ? verdict->plugin->name : NULL,
        .best = row->best,
        .taken = row->taken,
    };
    if (verdict->code == VERDICT_NOT_EXAMINED)
        told.reason = "not examined: the pod asks for other nodes by name";
    else if (!told.passes)
        told.reason = arena_strdup(arena, verdict->reason);
    if (!told.passes)
        return told;
    told.total = row->node->total;
    told.scores = ARENA_ARRAY(arena, int64_t, place_count + 1);
    for (uint32_t p = 0; p < place_count; p++)
        told.scores[p] = row->node->scores[places[p]];
    return told;
}

void story_tell_scheduling(struct story_telling *telling, const struct decision *decision)
{
    uint32_t places[PLUGINS_MOST];
    if (!is_followed(telling, decision))
        return;
    const struct view view = state_view(telling->worker, telling->from);
    struct rows rows = {.decision = decision, .view = &view};
    gather(&rows, telling);
    sort(&rows);
    struct arena *arena = telling->arena;
    struct story_scheduling *told = ARENA_NEW(arena, struct story_scheduling);
    *told = (struct story_scheduling){
        .rows = ARENA_ARRAY(arena, struct story_scheduling_row, ROWS_MOST)};
    const uint32_t place_count = list_plugins(told, &rows, arena, places);
    for (uint32_t i = 0; i < rows.items.count; i++) {
        const struct row *row = &rows.items.items[i];
        if (row->names.count == 0)
            continue;
        if (told->row_count < ROWS_MOST)
            told->rows[told->row_count++] = tell_row(arena, row, places, place_count);
        else
            told->nodes_left_out += row->names.count;
    }
    telling->told->scheduling = told->row_count > 0 ? told : NULL;
}
