/* SPDX-License-Identifier: Apache-2.0 */
#include "cluster/state/starts.h"
#include "cluster/state/classes.h"
#include "cluster/state/configs.h"
#include "cluster/state/population_model.h"
#include "cluster/state/state.h"
#include "cluster/state/worker.h"
#include "cluster/state/workloads.h"

/* Pods of a revision that have not started, and the same ones once they have. */
struct start {
    struct worker *worker;
    uint32_t starting;
    uint32_t ready;
    uint32_t *left; /* by template of nodes: so many have not started and have no place */
};

static struct start start_of(struct worker *worker, uint32_t revision)
{
    const uint32_t level = revision_workload(worker->population, revision)->first_level;
    return (struct start){
        .worker = worker,
        .starting = class_at(worker->population, revision, STAGE_STARTING, level),
        .ready = class_at(worker->population, revision, STAGE_READY, level),
    };
}

static uint32_t pods_of(const struct worker *worker, uint32_t config, uint32_t class)
{
    const struct node_config *node = config_at(worker, config);
    for (uint32_t p = 0; p < node->pod_entry_count; p++)
        if (node->pods[p].pod == class)
            return node->pods[p].count;
    return 0;
}

/* The config with so many pods of one class as pods of the other. */
static uint32_t turn(struct worker *worker, uint32_t config, uint32_t count, uint32_t from,
                     uint32_t to)
{
    for (uint32_t i = 0; i < count; i++)
        config = config_replace(worker, config, from, to);
    return config;
}

/* Are there pods that have started, and others that have not? Only then there is a choice. */
static bool is_mixed(const struct start *start, const struct state *state)
{
    bool starting = false;
    bool ready = false;
    for (uint32_t n = 0; n < state->node_count; n++) {
        starting |= pods_of(start->worker, state->nodes[n].config, start->starting) > 0;
        ready |= pods_of(start->worker, state->nodes[n].config, start->ready) > 0;
    }
    return starting && ready;
}

/* Takes the pods that have not started from their places. */
static void take_starts(struct start *start, struct state *state)
{
    struct worker *worker = start->worker;
    start->left = ARENA_ARRAY(&worker->scratch, uint32_t, worker->population->templates.count);
    for (uint32_t n = 0; n < state->node_count; n++) {
        const uint32_t config = state->nodes[n].config;
        const uint32_t count = pods_of(worker, config, start->starting);
        start->left[config_at(worker, config)->template->id] += count * state->nodes[n].count;
        state->nodes[n].config = turn(worker, config, count, start->starting, start->ready);
    }
}

static void append(struct state *state, uint32_t config, uint32_t count)
{
    if (count > 0)
        state->nodes[state->node_count++] = (struct view_node){config, count};
}

/* The same state without nodes, with room for so many entries. */
static const struct view_node *empty(struct worker *worker, struct state *state, uint32_t entries)
{
    const struct view_node *nodes = state->nodes;
    state->node_capacity = entries + 1;
    state->nodes = ARENA_ARRAY(&worker->scratch, struct view_node, state->node_capacity);
    state->node_count = 0;
    return nodes;
}

/* ---- on the first nodes ---- */

/* Of all pods of a revision on each node of a config. */
struct revision_starts {
    uint32_t revision;
    uint32_t starting; /* So many have not started, */
    uint32_t ready;    /* and so many have. */
    /* The config in which those that have started have not; plus one; 0: not known yet. */
    uint32_t all_starting;
};

/* What is known of a config, for each revision that it has such pods of. */
struct config_starts {
    struct revision_starts *items; /* NULL: nothing is known yet */
    uint32_t count;
    uint32_t template;
    uint32_t all_ready; /* the config in which all pods have started */
};

static struct revision_starts *revision_starts(struct config_starts *starts, uint32_t revision)
{
    for (uint32_t i = 0; i < starts->count; i++)
        if (starts->items[i].revision == revision)
            return &starts->items[i];
    starts->items[starts->count] = (struct revision_starts){.revision = revision};
    return &starts->items[starts->count++];
}

static struct config_starts find_starts(struct worker *worker, uint32_t number)
{
    const struct node_config *config = config_at(worker, number);
    struct config_starts starts = {
        .items = ARENA_ARRAY(&worker->arena, struct revision_starts, config->pod_entry_count + 1),
        .template = config->template->id,
        .all_ready = number,
    };
    for (uint32_t p = 0; p < config->pod_entry_count; p++) {
        const uint32_t revision = class_info(worker, config->pods[p].pod)->revision;
        const struct start start = start_of(worker, revision);
        if (config->pods[p].pod == start.starting)
            revision_starts(&starts, revision)->starting = config->pods[p].count;
        else if (config->pods[p].pod == start.ready)
            revision_starts(&starts, revision)->ready = config->pods[p].count;
    }
    for (uint32_t i = 0; i < starts.count; i++) {
        const struct start start = start_of(worker, starts.items[i].revision);
        starts.all_ready =
            turn(worker, starts.all_ready, starts.items[i].starting, start.starting, start.ready);
    }
    return starts;
}

/* Until a config is asked for that was not asked for before. */
static const struct config_starts *starts_of(struct worker *worker, uint32_t config)
{
    while (worker->starts.count <= config)
        VEC_PUSH(&worker->arena, &worker->starts, (struct config_starts){0});
    if (!worker->starts.items[config].items)
        worker->starts.items[config] = find_starts(worker, config);
    return &worker->starts.items[config];
}

/* So many pods of the revision have started on each node of the config. */
static uint32_t ready_pods(struct worker *worker, uint32_t config, uint32_t revision)
{
    const struct config_starts *starts = starts_of(worker, config);
    for (uint32_t i = 0; i < starts->count; i++)
        if (starts->items[i].revision == revision)
            return starts->items[i].ready;
    return 0;
}

/* The config in which no pod of the revision, of which it has some that have, has started. */
static uint32_t all_starting(const struct start *start, uint32_t config, uint32_t revision)
{
    struct worker *worker = start->worker;
    const struct config_starts starts = *starts_of(worker, config);
    for (uint32_t i = 0; i < starts.count; i++) {
        struct revision_starts *of = &starts.items[i];
        if (of->revision != revision)
            continue;
        if (of->all_starting == 0)
            of->all_starting = 1 + turn(worker, config, of->ready, start->ready, start->starting);
        return of->all_starting - 1;
    }
    return config;
}

/* Adds these nodes; as many pods of the revision on the first of them as are left have not
 * started. */
static void add_gathered(struct start *start, uint32_t revision, struct state *state,
                         struct view_node nodes)
{
    struct worker *worker = start->worker;
    uint32_t *left = &start->left[starts_of(worker, nodes.config)->template];
    const uint32_t each = *left > 0 ? ready_pods(worker, nodes.config, revision) : 0;
    const uint32_t most = each > 0 ? *left / each : 0;
    const uint32_t full = most < nodes.count ? most : nodes.count;
    const uint32_t rest = each > 0 && full < nodes.count ? *left - full * each : 0;
    if (full > 0)
        append(state, all_starting(start, nodes.config, revision), full);
    if (rest > 0)
        append(state, turn(worker, nodes.config, rest, start->ready, start->starting), 1);
    append(state, nodes.config, nodes.count - full - (rest > 0));
    *left -= full * each + rest;
}

/* The order of configs in a packed state. */
static void sort_nodes(const struct worker *worker, struct state *state)
{
    struct view_node *nodes = state->nodes;
    for (uint32_t n = 1; n < state->node_count; n++) {
        const struct view_node entry = nodes[n];
        uint32_t at = n;
        for (; at > 0 && catalog_config_before(worker->catalog, entry.config, nodes[at - 1].config);
             at--)
            nodes[at] = nodes[at - 1];
        nodes[at] = entry;
    }
}

/* Takes all pods that have not started from their places. `left`: by revision and template. */
static void take_all_starts(struct worker *worker, struct state *state, uint32_t *left)
{
    const uint32_t templates = worker->population->templates.count;
    for (uint32_t n = 0; n < state->node_count; n++) {
        const struct config_starts starts = *starts_of(worker, state->nodes[n].config);
        for (uint32_t i = 0; i < starts.count; i++)
            left[starts.items[i].revision * templates + starts.template] +=
                starts.items[i].starting * state->nodes[n].count;
        state->nodes[n].config = starts.all_ready;
    }
}

/* Are there pods of a revision that have started, and others that have not? */
static bool any_is_mixed(struct worker *worker, const struct state *state)
{
    enum { STARTING = 1, READY = 2 };
    uint8_t *met = ARENA_ARRAY(&worker->scratch, uint8_t, worker->population->revisions.count + 1);
    bool mixed = false;
    for (uint32_t n = 0; n < state->node_count && !mixed; n++) {
        const struct config_starts *starts = starts_of(worker, state->nodes[n].config);
        for (uint32_t i = 0; i < starts->count; i++) {
            uint8_t *of = &met[starts->items[i].revision];
            *of |= (starts->items[i].starting > 0 ? STARTING : 0) |
                   (starts->items[i].ready > 0 ? READY : 0);
            mixed |= *of == (STARTING | READY);
        }
    }
    return mixed;
}

static bool has_left(const uint32_t *left, uint32_t templates)
{
    for (uint32_t t = 0; t < templates; t++)
        if (left[t] > 0)
            return true;
    return false;
}

bool state_gather_starts(struct worker *worker, struct state *state)
{
    const uint32_t revisions = worker->population->revisions.count;
    const uint32_t templates = worker->population->templates.count;
    if (!any_is_mixed(worker, state))
        return false;
    uint32_t *left = ARENA_ARRAY(&worker->scratch, uint32_t, (size_t)revisions * templates + 1);
    take_all_starts(worker, state, left);
    sort_nodes(worker, state);
    for (uint32_t r = 0; r < revisions; r++) {
        struct start start = start_of(worker, r);
        start.left = left + (size_t)r * templates;
        if (!has_left(start.left, templates))
            continue;
        const uint32_t count = state->node_count;
        const struct view_node *nodes = empty(worker, state, 3 * count);
        for (uint32_t n = 0; n < count; n++)
            add_gathered(&start, r, state, nodes[n]);
    }
    return true;
}

/* ---- in every place ---- */

struct places {
    struct start start;
    const struct state *from; /* with no pod that has not started */
    struct state *placed;
    uint32_t most;
    void (*visit)(void *context, const struct state *placed);
    void *context;
};

/* Chooses how many pods have not started on each node from this one on: node `node` of an entry.
 * Nodes of one entry are alike, so that they have no more than the one before, `each`. */
static bool choose(struct places *places, uint32_t entry, uint32_t node, uint32_t each)
{
    struct worker *worker = places->start.worker;
    const struct state *from = places->from;
    struct state *placed = places->placed;
    if (entry == from->node_count) {
        for (uint32_t t = 0; t < worker->population->templates.count; t++)
            if (places->start.left[t] > 0)
                return true;
        if (places->most == 0)
            return false;
        places->most--;
        places->visit(places->context, placed);
        return true;
    }
    const struct view_node nodes = from->nodes[entry];
    if (node == nodes.count)
        return choose(places, entry + 1, 0, UINT32_MAX);
    uint32_t *left = &places->start.left[config_at(worker, nodes.config)->template->id];
    const uint32_t pods = pods_of(worker, nodes.config, places->start.ready);
    if (pods == 0) { /* there is nothing to choose on any of them */
        const uint32_t before = placed->node_count;
        append(placed, nodes.config, nodes.count);
        const bool done = choose(places, entry + 1, 0, UINT32_MAX);
        placed->node_count = before;
        return done;
    }
    const uint32_t here = pods < each ? pods : each;
    const uint32_t count = placed->node_count;
    bool all = true;
    for (uint32_t i = 0; all && i <= here && i <= *left; i++) {
        append(placed, turn(worker, nodes.config, i, places->start.ready, places->start.starting),
               1);
        *left -= i;
        all = choose(places, entry, node + 1, i);
        *left += i;
        placed->node_count = count;
    }
    return all;
}

bool state_each_gathered(struct worker *worker, const struct state *state, uint32_t revision,
                         uint32_t most, void (*visit)(void *context, const struct state *placed),
                         void *context)
{
    struct places places = {
        .start = start_of(worker, revision), .most = most, .visit = visit, .context = context};
    if (!is_mixed(&places.start, state)) {
        visit(context, state);
        return true;
    }
    struct state *from = state_copy(worker, state);
    take_starts(&places.start, from);
    places.from = from;
    places.placed = state_copy(worker, state);
    uint32_t nodes = 0;
    for (uint32_t n = 0; n < from->node_count; n++)
        nodes += from->nodes[n].count;
    empty(worker, places.placed, nodes);
    return choose(&places, 0, 0, UINT32_MAX);
}
