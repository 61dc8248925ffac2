/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a rank has at the end of a level, in a file, and the search that goes on from there.
 *
 * All ranks write at the end of the same level, when nothing is on its way between them: each its
 * own states, what is kept of them, and its share of the counts. What other ranks know of its
 * numbers is told again (codec.h).
 */
#include "explore/property.h"
#include "explore/store_save.h"
#include "ranks/rank_run.h"

#include <string.h>

enum { SHAPE_NUMBERS = 9 };

/* What must be equal for a saved search to fit. */
static void shape_of(const struct rank_run *run, uint64_t *shape)
{
    const struct model *model = run->model;
    shape[0] = model->length_least;
    shape[1] = model->length_most;
    shape[2] = model->property_count;
    shape[3] = model->action_count;
    shape[4] = model->fairness_class_count;
    shape[5] = run->keeps_paths;
    shape[6] = run->keeps_cycles;
    shape[7] = run->link->count;
    shape[8] = run->link->rank;
}

/* ---- saving ---- */

static void save_items(struct bytes_out *out, const struct list *list, size_t item_bytes)
{
    bytes_put_number(out, list->count);
    bytes_put(out, list->items.base, list->count * item_bytes);
}

static void save_counts(const struct rank_run *run, struct bytes_out *out)
{
    const struct exploration *result = run->result;
    const struct statistics *statistics = &result->statistics;
    bytes_put_number(out, run->level_begin);
    bytes_put_number(out, run->level_end);
    bytes_put_number(out, run->level_total);
    bytes_put_number(out, run->states_total);
    bytes_put_number(out, run->depth);
    bytes_put_number(out, statistics->depth);
    bytes_put_number(out, statistics->initial_states);
    bytes_put_number(out, statistics->transitions);
    bytes_put_number(out, statistics->states_expanded);
    bytes_put_number(out, statistics->rest_states);
    bytes_put_number(out, result->atoms_seen);
    bytes_put_number(out, result->marks_seen);
    for (uint32_t i = 0; i < result->action_count; i++)
        bytes_put_number(out, result->action_fired[i]);
}

static void save_properties(const struct rank_run *run, struct bytes_out *out)
{
    for (uint32_t i = 0; i < run->model->property_count; i++) {
        const struct rank_property *property = &run->properties[i];
        bytes_put_number(out, property->decided);
        bytes_put_number(out, property->rank);
        bytes_put_number(out, property->id);
        bytes_put_number(out, property->step);
    }
}

void rank_snapshot_save(const struct rank_run *run, struct bytes_out *out)
{
    uint64_t shape[SHAPE_NUMBERS];
    shape_of(run, shape);
    bytes_put(out, shape, sizeof(shape));
    save_counts(run, out);
    save_properties(run, out);
    store_save_nodes(&run->table.store, out);
    store_save_roots(&run->table.store, run->table.count, out);
    if (run->keeps_paths) {
        save_items(out, &run->origins, sizeof(struct origin));
        save_items(out, &run->orders, sizeof(uint64_t));
    }
    if (run->keeps_cycles) {
        save_items(out, &run->arrivals, sizeof(uint32_t));
        save_items(out, &run->rests, sizeof(uint8_t));
    }
}

/* ---- loading ---- */

static bool refuse(struct bytes_in *in)
{
    in->bad = true;
    return false;
}

static bool load_items(struct bytes_in *in, struct list *list, uint64_t count, size_t item_bytes)
{
    if (bytes_get_count(in, item_bytes) != count)
        return refuse(in);
    if (count > 0 && !region_grow(&list->items, count * item_bytes))
        return false;
    bytes_get(in, list->items.base, count * item_bytes);
    list->count = (uint32_t)count;
    return !in->bad;
}

static bool load_counts(struct rank_run *run, struct bytes_in *in)
{
    struct exploration *result = run->result;
    struct statistics *statistics = &result->statistics;
    const uint64_t begin = bytes_get_number(in), end = bytes_get_number(in);
    run->level_total = bytes_get_number(in);
    run->states_total = bytes_get_number(in);
    const uint64_t depth = bytes_get_number(in);
    statistics->depth = bytes_get_number(in);
    statistics->initial_states = bytes_get_number(in);
    statistics->transitions = bytes_get_number(in);
    statistics->states_expanded = bytes_get_number(in);
    statistics->rest_states = bytes_get_number(in);
    result->atoms_seen = bytes_get_number(in);
    result->marks_seen = bytes_get_number(in);
    for (uint32_t i = 0; i < result->action_count; i++)
        result->action_fired[i] = bytes_get_number(in);
    if (in->bad || begin > end || end >= STATE_NONE || depth >= UINT32_MAX)
        return refuse(in);
    run->level_begin = (uint32_t)begin;
    run->level_end = (uint32_t)end;
    run->depth = (uint32_t)depth;
    return true;
}

static bool load_properties(struct rank_run *run, struct bytes_in *in)
{
    for (uint32_t i = 0; i < run->model->property_count; i++) {
        const struct property *kind = &run->model->properties[i];
        struct rank_property *property = &run->properties[i];
        property->decided = bytes_get_number(in) != 0;
        const uint64_t rank = bytes_get_number(in), id = bytes_get_number(in);
        const uint64_t step = bytes_get_number(in);
        if (in->bad ||
            (property->decided && (property_is_liveness(kind) || rank >= run->link->count ||
                                   id >= STATE_NONE || step > UINT32_MAX)))
            return refuse(in);
        if (!property->decided)
            continue;
        property->rank = (uint32_t)rank;
        property->id = (uint32_t)id;
        property->step = (uint32_t)step;
        run->result->properties[i].verdict =
            kind->kind == PROPERTY_REACHABLE ? VERDICT_HOLDS : VERDICT_VIOLATED;
    }
    return true;
}

/* Everything that states refer to is there, and the model can have such states. */
static bool check_states(struct rank_run *run, struct bytes_in *in)
{
    const struct rank_keeping *keeping = run->options->keeping;
    for (uint32_t id = 0; id < run->table.count; id++) {
        uint32_t length;
        if (!store_is_sound(&run->table.cursor, id))
            return refuse(in);
        const uint32_t *words = state_table_at(&run->table, id, &length);
        if (keeping->is_sound && !keeping->is_sound(keeping->context, words, length))
            return refuse(in);
    }
    return true;
}

static bool load_states(struct rank_run *run, struct bytes_in *in)
{
    struct store *store = &run->table.store;
    uint64_t nodes, roots;
    if (!store_load_nodes(store, in, &nodes) || !store_load_roots(store, in, &roots))
        return false;
    if (roots != run->level_end)
        return refuse(in);
    for (uint64_t id = 0; id < nodes; id++)
        pair_set_restore(&store->nodes, (uint32_t)id);
    for (uint64_t id = 0; id < roots; id++)
        root_set_restore(&store->roots, (uint32_t)id);
    run->table.count = (uint32_t)roots;
    return check_states(run, in);
}

static bool check_origins(const struct rank_run *run, struct bytes_in *in)
{
    for (uint32_t id = 0; id < run->origins.count; id++) {
        const struct origin *origin = LIST_AT(&run->origins, struct origin, id);
        if (origin->rank != NO_RANK &&
            (origin->rank >= run->link->count || origin->id >= STATE_NONE))
            return refuse(in);
    }
    return true;
}

bool rank_snapshot_load(struct rank_run *run, struct bytes_in *in)
{
    uint64_t shape[SHAPE_NUMBERS], saved[SHAPE_NUMBERS];
    shape_of(run, shape);
    bytes_get(in, saved, sizeof(saved));
    if (in->bad || memcmp(shape, saved, sizeof(shape)) != 0)
        return refuse(in);
    if (!load_counts(run, in) || !load_properties(run, in) || !load_states(run, in))
        return false;
    const uint64_t states = run->table.count, level = run->level_end - run->level_begin;
    if (run->keeps_paths &&
        (!load_items(in, &run->origins, states, sizeof(struct origin)) ||
         !load_items(in, &run->orders, level, sizeof(uint64_t)) || !check_origins(run, in)))
        return false;
    if (run->keeps_cycles && (!load_items(in, &run->arrivals, states, sizeof(uint32_t)) ||
                              !load_items(in, &run->rests, states, sizeof(uint8_t))))
        return false;
    return in->left == 0 || refuse(in);
}
