/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whether others can keep a pod from every node that fits.
 *
 * A node turns the pod down if others hold so much of one resource there that less is left than it
 * requests. The others have only so many pods, and pods can fill only so many nodes
 * (cover_bound.h). If more nodes fit than that, one of them has room. It is enough to show this for
 * some of the nodes: for those that need at least as much as one of them does, and for those of one
 * place, where the others may have fewer pods.
 *
 * A DaemonSet has as many pods as there are nodes, but few on each. Where that is less, its pods
 * are taken to be on every node.
 *
 * Nodes that are not up are not counted: pods that are stuck there hold room that nobody has
 * measured.
 *
 * Whether others can hold more than an amount on each of the nodes, so that scores change, is the
 * same question with thresholds for what scores count.
 */
#include "cluster/ask/room_of_others.h"
#include "base/hash.h"
#include "cluster/ask/cover_bound.h"
#include "cluster/ask/price_bound.h"
#include "cluster/ask/room_held.h"
#include "cluster/state/config_facts.h"
#include "cluster/state/configs.h"
#include "cluster/state/nodes.h"
#include "cluster/state/population_model.h"
#include "cluster/state/state.h"
#include "cluster/state/worker.h"
#include "decide/scheduler/plugin.h"

#include <stdlib.h>
#include <string.h>

/* Nodes that the pod fits on, and the least that fills each of them, by resource. */
struct fitting {
    uint32_t place;  /* ROOM_ANYWHERE: there are several */
    uint32_t places; /* all of them, as bits */
    uint64_t count;
    const char *zone; /* that may fail and come back with them; NULL: nobody knows */
    int64_t thresholds[ROOM_MOST];
};

struct crowd {
    struct worker *worker;
    const struct others *others;
    uint32_t resource_count;
    struct room request;     /* of the pod */
    bool by_score;           /* true: a node counts as filled if others hold more than an amount */
    bool matters[ROOM_MOST]; /* by resource: false if the pod does not ask for it */
    struct fitting *nodes;
    uint32_t count;
    bool lasting;            /* true: for ever; false: at a moment */
    struct cover_pods *pods; /* room for those of the others */
    uint32_t shown_kind;     /* of the others' pods: that of the pods ... */
    uint32_t shown;          /* ... that the view shows as well, so many of them */
    uint32_t fewer_kind;     /* of which one pod less is there; UINT32_MAX: none */
};

/* ---- the nodes ---- */

/* Do nodes run out of it? */
static bool runs_out(uint32_t resource)
{
    return resource != ROOM_SCORED_CPU && resource != ROOM_SCORED_MEMORY;
}

/* Does the pod request anything but a place? */
static bool requests_something(const struct crowd *crowd)
{
    for (uint32_t r = 0; r < crowd->resource_count; r++)
        if (r != ROOM_PODS && runs_out(r) && crowd->request.amounts[r] > 0)
            return true;
    return false;
}

static void find_what_matters(struct crowd *crowd, uint32_t class)
{
    const struct population *population = crowd->worker->population;
    if (crowd->others->requests)
        crowd->request = crowd->others->requests[class_info(crowd->worker, class)->revision];
    else
        for (uint32_t r = 0; r < crowd->resource_count; r++)
            crowd->request.amounts[r] = room_request(crowd->worker, class, r);
    /* Up to Kubernetes 1.27 a pod that requests something does not go to a node on which anything
     * is overcommitted, as a node may be where runs begin. */
    const bool looks_at_all = !population->options.features.fit_only_requested &&
                              population->scope->start == START_OBSERVED &&
                              requests_something(crowd);
    for (uint32_t r = 0; r < crowd->resource_count; r++)
        crowd->matters[r] =
            runs_out(r) ? looks_at_all || crowd->request.amounts[r] > 0 : crowd->by_score;
}

/* What is left on a node of the config when the pods of the model are on it. */
static int64_t room_left(const struct crowd *crowd, uint32_t number, uint32_t resource)
{
    const struct node_config *config = config_at(crowd->worker, number);
    int64_t left = room_of_node(crowd->worker, number, resource);
    for (uint32_t p = 0; p < config->pod_entry_count; p++)
        left -= config->pods[p].count * room_request(crowd->worker, config->pods[p].pod, resource);
    return left;
}

/* What pods of others that stay where they are hold of a node of the group at most. A group of the
 * model may have nodes of several groups. */
static int64_t room_of_staying(const struct crowd *crowd, uint32_t group, uint32_t resource)
{
    const struct others *others = crowd->others;
    const uint64_t mixed = crowd->worker->population->scope->groups[group].mixed;
    int64_t most = 0;
    for (uint32_t g = 0; others->staying && g < others->group_count; g++)
        if ((g == group || (mixed >> g & 1) != 0) && others->staying[g].amounts[resource] > most)
            most = others->staying[g].amounts[resource];
    return most;
}

/* The least that others have to bring to fill a node of the entry; 0 and less: it may be full from
 * the start. */
static int64_t threshold(const struct crowd *crowd, uint32_t config, uint32_t group,
                         const struct beside *most, uint32_t resource)
{
    const int64_t staying = room_of_staying(crowd, group, resource);
    if (!crowd->matters[resource])
        return INT64_MAX;
    if (most && !runs_out(resource))
        return (resource == ROOM_SCORED_CPU ? most->cpu_milli : most->memory) - staying + 1;
    /* The pod does not fit if there is less left than it needs. */
    return room_left(crowd, config, resource) - staying - crowd->request.amounts[resource] + 1;
}

/* The zone of the node, where outages take whole zones. */
static const char *zone_of(const struct crowd *crowd, uint32_t config)
{
    const char *key = crowd->others->zones_back.key;
    return key ? labels_find(&config_at(crowd->worker, config)->template->node->meta.labels, key)
               : NULL;
}

static void add_nodes(struct crowd *crowd, const struct view_node *entry, const struct beside *most)
{
    struct worker *worker = crowd->worker;
    const uint32_t kind = config_template(worker, entry->config)->node;
    const uint32_t group = worker->population->node_kinds.items[kind].group;
    struct fitting *nodes = &crowd->nodes[crowd->count];
    const uint64_t mixed = worker->population->scope->groups[group].mixed;
    *nodes = (struct fitting){.place = mixed ? ROOM_ANYWHERE : room_place(group),
                              .places = room_places(group, mixed),
                              .count = entry->count,
                              .zone = mixed ? NULL : zone_of(crowd, entry->config)};
    for (uint32_t r = 0; r < crowd->resource_count; r++) {
        nodes->thresholds[r] = threshold(crowd, entry->config, group, most, r);
        if (nodes->thresholds[r] <= 0)
            return;
    }
    crowd->count++;
}

/* ---- the others ---- */

/* Which pods are taken to be on every node, as many as can be on one, rather than where they fill
 * the most? */
enum spreading { SPREAD_NONE, SPREAD_DAEMONS, SPREAD_ALL };

static bool is_everywhere(const struct crowd *crowd, const struct pods_held *pods,
                          enum spreading spreading)
{
    uint64_t nodes = 0;
    if (spreading != SPREAD_DAEMONS)
        return spreading == SPREAD_ALL;
    for (uint32_t n = 0; n < crowd->count; n++)
        nodes += crowd->nodes[n].count;
    return pods->on_node * nodes <= pods->most[ROOM_ANYWHERE] * UINT64_C(2);
}

/* Nodes of some of the entries. `at_least`: only those that need as much as this one; `place`: only
 * those of this place, if it is not ROOM_ANYWHERE. */
struct node_choice {
    const struct fitting *at_least;
    uint32_t place;
    enum spreading spreading;
};

static bool is_chosen(const struct crowd *crowd, const struct node_choice *choice,
                      const struct fitting *nodes)
{
    if (choice->place != ROOM_ANYWHERE && nodes->place != choice->place)
        return false;
    for (uint32_t r = 0; r < crowd->resource_count; r++)
        if (nodes->thresholds[r] < choice->at_least->thresholds[r])
            return false;
    return true;
}

/* So many of the pods the others can have in all, those left out that the view shows. */
static uint64_t pods_anywhere(const struct crowd *crowd, const struct pods_held *pods)
{
    const uint32_t kind = (uint32_t)(pods - crowd->others->pods);
    const uint32_t most = (crowd->lasting ? pods->lasting : pods->most)[ROOM_ANYWHERE];
    const uint32_t less =
        (kind == crowd->shown_kind ? crowd->shown : 0) + (kind == crowd->fewer_kind ? 1 : 0);
    return most > less ? most - less : 0;
}

/* So many of the pods the others can have on the nodes. */
static uint64_t pods_there(const struct crowd *crowd, const bool *places,
                           const struct pods_held *pods)
{
    const uint32_t *most = crowd->lasting ? pods->lasting : pods->most;
    const uint64_t anywhere = pods_anywhere(crowd, pods);
    uint64_t there = 0;
    if (places[ROOM_ANYWHERE])
        return anywhere;
    for (uint32_t p = ROOM_ANYWHERE + 1; p < ROOM_PLACES; p++)
        there += places[p] ? most[p] : 0;
    return there < anywhere ? there : anywhere;
}

/* ---- nodes that have come back ---- */

static bool is_one_of(const struct crowd *crowd, const struct node_choice *choice,
                      const struct fitting *nodes)
{
    return !choice || is_chosen(crowd, choice, nodes);
}

/* So many of the nodes are in the zone. Those of which it is not known may be in any. */
static uint64_t count_in_zone(const struct crowd *crowd, const struct node_choice *choice,
                              const char *zone)
{
    uint64_t count = 0;
    for (uint32_t n = 0; n < crowd->count; n++) {
        const struct fitting *nodes = &crowd->nodes[n];
        if (is_one_of(crowd, choice, nodes) &&
            (!nodes->zone || (zone && strcmp(nodes->zone, zone) == 0)))
            count += nodes->count;
    }
    return count;
}

/* On so many of the nodes, or of those that are chosen, there may be pods of others that began to
 * terminate while the node was not up. Where zones fail, these are nodes of few zones. */
static uint64_t count_back(const struct crowd *crowd, const struct node_choice *choice)
{
    const struct others *others = crowd->others;
    const struct zones_back *back = &others->zones_back;
    uint64_t largest = 0;
    if (crowd->lasting)
        return 0;
    for (uint32_t n = 0; back->key && n < crowd->count; n++)
        if (is_one_of(crowd, choice, &crowd->nodes[n])) {
            const uint64_t count = count_in_zone(crowd, choice, crowd->nodes[n].zone);
            largest = count > largest ? count : largest;
        }
    const uint64_t most = back->zones * largest + back->nodes;
    return back->key && most < others->nodes_back ? most : others->nodes_back;
}

/* Can the others fill all nodes that are chosen? */
static bool can_fill(struct crowd *crowd, const struct node_choice *choice)
{
    const struct others *others = crowd->others;
    bool places[ROOM_PLACES] = {false};
    int64_t thresholds[ROOM_MOST];
    uint64_t nodes = 0;
    uint32_t kinds = 0;
    for (uint32_t n = 0; n < crowd->count; n++)
        if (is_chosen(crowd, choice, &crowd->nodes[n])) {
            nodes += crowd->nodes[n].count;
            for (uint32_t p = 0; p < ROOM_PLACES; p++)
                places[p] |= (crowd->nodes[n].places >> p & 1) != 0;
        }
    for (uint32_t r = 0; r < crowd->resource_count; r++)
        thresholds[r] = choice->at_least->thresholds[r];
    for (uint32_t k = 0; k < others->pod_kinds; k++) {
        const struct pods_held *pods = &others->pods[k];
        const uint64_t there = pods_there(crowd, places, pods);
        if (!is_everywhere(crowd, pods, choice->spreading)) {
            crowd->pods[kinds++] = (struct cover_pods){pods->request.amounts, there};
            continue;
        }
        const uint64_t on_node = pods->on_node < there ? pods->on_node : there;
        for (uint32_t r = 0; r < crowd->resource_count; r++) {
            if (!crowd->matters[r] || thresholds[r] == INT64_MAX)
                continue;
            thresholds[r] -= (int64_t)on_node * pods->request.amounts[r];
            if (thresholds[r] <= 0)
                return true;
        }
    }
    const uint64_t filled =
        cover_bound(&crowd->worker->scratch, crowd->pods, kinds, thresholds, crowd->resource_count);
    return filled + count_back(crowd, choice) >= nodes;
}

/* ---- nodes of different sizes, filled by amount ---- */

/* Nodes that are filled by as much of a resource. */
struct nodes_to_fill {
    int64_t amount;
    uint64_t count;
};

static int by_amount(const void *left, const void *right)
{
    const struct nodes_to_fill *a = left;
    const struct nodes_to_fill *b = right;
    return (a->amount > b->amount) - (a->amount < b->amount);
}

/* What the others can have of the resource on all the nodes together. */
static int64_t amount_there(const struct crowd *crowd, uint32_t resource)
{
    bool places[ROOM_PLACES] = {false};
    int64_t amount = 0;
    for (uint32_t n = 0; n < crowd->count; n++)
        for (uint32_t p = 0; p < ROOM_PLACES; p++)
            places[p] |= (crowd->nodes[n].places >> p & 1) != 0;
    for (uint32_t k = 0; k < crowd->others->pod_kinds; k++) {
        const struct pods_held *pods = &crowd->others->pods[k];
        amount += pods->request.amounts[resource] * (int64_t)pods_there(crowd, places, pods);
    }
    return amount;
}

/* What divides the requests of all pods of the others: they hold multiples of it. 0: they request
 * nothing. */
static int64_t unit_of(const struct crowd *crowd, uint32_t resource)
{
    int64_t unit = 0;
    for (uint32_t k = 0; k < crowd->others->pod_kinds; k++) {
        int64_t left = crowd->others->pods[k].request.amounts[resource];
        while (left > 0) {
            const int64_t rest = unit % left;
            unit = left;
            left = rest;
        }
    }
    return unit;
}

static int64_t round_up(int64_t amount, int64_t unit)
{
    return unit > 0 ? ((amount - 1) / unit + 1) * unit : amount;
}

/* So many of the nodes can be filled with what the others have of the resource, the cheapest
 * first. */
static uint64_t count_filled(struct crowd *crowd, uint32_t resource)
{
    struct nodes_to_fill *nodes =
        ARENA_ARRAY(&crowd->worker->scratch, struct nodes_to_fill, crowd->count + 1);
    const int64_t unit = unit_of(crowd, resource);
    int64_t amount = amount_there(crowd, resource);
    uint64_t filled = 0;
    for (uint32_t n = 0; n < crowd->count; n++)
        nodes[n] = (struct nodes_to_fill){round_up(crowd->nodes[n].thresholds[resource], unit),
                                          crowd->nodes[n].count};
    qsort(nodes, crowd->count, sizeof(*nodes), by_amount);
    for (uint32_t n = 0; n < crowd->count; n++) {
        const uint64_t most = (uint64_t)(amount / nodes[n].amount);
        const uint64_t here = most < nodes[n].count ? most : nodes[n].count;
        filled += here;
        amount -= (int64_t)here * nodes[n].amount;
        if (here < nodes[n].count)
            break;
    }
    return filled;
}

static bool can_fill_by_amount(struct crowd *crowd)
{
    uint64_t filled = count_back(crowd, NULL);
    uint64_t nodes = 0;
    for (uint32_t n = 0; n < crowd->count; n++)
        nodes += crowd->nodes[n].count;
    for (uint32_t r = 0; r < crowd->resource_count; r++)
        if (crowd->matters[r])
            filled += count_filled(crowd, r);
    return filled >= nodes;
}

/* The same with a price for each resource, so that no pod counts for several. */
static bool can_fill_by_price(struct crowd *crowd)
{
    struct arena *scratch = &crowd->worker->scratch;
    const struct arena_mark mark = arena_mark(scratch);
    struct priced_nodes *priced = ARENA_ARRAY(scratch, struct priced_nodes, crowd->count + 1);
    bool places[ROOM_PLACES] = {false};
    uint64_t nodes = 0;
    for (uint32_t n = 0; n < crowd->count; n++) {
        priced[n] = (struct priced_nodes){crowd->nodes[n].thresholds, crowd->nodes[n].count};
        nodes += crowd->nodes[n].count;
        for (uint32_t p = 0; p < ROOM_PLACES; p++)
            places[p] |= (crowd->nodes[n].places >> p & 1) != 0;
    }
    for (uint32_t k = 0; k < crowd->others->pod_kinds; k++) {
        const struct pods_held *pods = &crowd->others->pods[k];
        crowd->pods[k] =
            (struct cover_pods){pods->request.amounts, pods_there(crowd, places, pods)};
    }
    const uint64_t filled = price_bound(scratch, crowd->pods, crowd->others->pod_kinds, priced,
                                        crowd->count, crowd->resource_count);
    arena_rewind(scratch, mark);
    return filled + count_back(crowd, NULL) >= nodes;
}

/* ---- all of it ---- */

/* Can the others fill all nodes, for ever or at a moment? */
static bool can_crowd(struct crowd *crowd, bool lasting)
{
    crowd->lasting = lasting;
    if (!can_fill_by_amount(crowd) || !can_fill_by_price(crowd))
        return false;
    for (uint32_t n = 0; n < crowd->count; n++) {
        const uint32_t places[] = {ROOM_ANYWHERE, crowd->nodes[n].place};
        for (uint32_t i = 0; i < 2; i++)
            for (enum spreading s = SPREAD_NONE; s <= SPREAD_ALL; s++)
                if (!can_fill(crowd, &(struct node_choice){&crowd->nodes[n], places[i], s}))
                    return false;
    }
    return true;
}

/* Does a pod of the class request what those of the kind do? */
static bool is_of_kind(const struct crowd *crowd, uint32_t class, const struct pods_held *pods)
{
    for (uint32_t r = 0; r < crowd->resource_count; r++)
        if (pods->request.amounts[r] != room_request(crowd->worker, class, r))
            return false;
    return true;
}

/* The pods of the view are not counted once more where they are among those of the others. */
static void leave_out_shown(struct crowd *crowd, const struct view *view, uint32_t class)
{
    const struct others *others = crowd->others;
    const uint32_t own = others->shown ? others->own_kinds : 0;
    crowd->shown_kind = UINT32_MAX;
    crowd->fewer_kind = UINT32_MAX;
    for (uint32_t k = others->pod_kinds - own; k < others->pod_kinds; k++)
        if (is_of_kind(crowd, class, &others->pods[k]))
            crowd->shown_kind = k;
    for (uint32_t n = 0; own > 0 && n < view->node_count; n++)
        crowd->shown +=
            view->nodes[n].count * config_at(crowd->worker, view->nodes[n].config)->pod_count;
}

/* A pod of one component, its others, and these nodes. */
static struct crowd crowd_of(struct worker *worker, const struct others *others,
                             const struct view *view, uint32_t class, const uint32_t *entries,
                             uint32_t count, const struct beside *most)
{
    struct crowd crowd = {
        .worker = worker,
        .others = others,
        .resource_count = ROOM_EXTENDED + others->resource_count,
        .by_score = most != NULL,
        .nodes = ARENA_ARRAY(&worker->scratch, struct fitting, count + 1),
        .pods = ARENA_ARRAY(&worker->scratch, struct cover_pods, others->pod_kinds + 1),
    };
    find_what_matters(&crowd, class);
    leave_out_shown(&crowd, view, class);
    for (uint32_t i = 0; i < count; i++)
        if (config_condition(worker, view->nodes[entries[i]].config) == NODE_UP)
            add_nodes(&crowd, &view->nodes[entries[i]], most ? &most[i] : NULL);
    return crowd;
}

bool others_need_all(struct worker *worker, const struct view *view, uint32_t class,
                     const uint32_t *entries, uint32_t count, const struct beside *most)
{
    const struct others *others = worker->population->options.others;
    const struct arena_mark mark = arena_mark(&worker->scratch);
    struct crowd crowd = crowd_of(worker, others, view, class, entries, count, most);
    bool all = !others->unknown && others->sibling_count == 0;
    for (uint32_t k = 0; all && k < others->pod_kinds; k++) {
        crowd.fewer_kind = UINT32_MAX;
        const bool some = pods_anywhere(&crowd, &others->pods[k]) > 0;
        crowd.fewer_kind = k;
        all = !some || !can_crowd(&crowd, false);
    }
    arena_rewind(&worker->scratch, mark);
    return all;
}

/* The same, for the pod of one component and its others. */
static enum crowding crowd_out(struct worker *worker, const struct others *others,
                               const struct view *view, uint32_t class, const uint32_t *entries,
                               uint32_t count, const struct beside *most)
{
    struct crowd crowd = crowd_of(worker, others, view, class, entries, count, most);
    return can_crowd(&crowd, true)    ? CROWDING_LASTING
           : can_crowd(&crowd, false) ? CROWDING_PASSING
                                      : CROWDING_NONE;
}

/* Asks for the component, and for all that are asked together with it. */
static enum crowding crowd_out_any(struct worker *worker, const struct view *view, uint32_t class,
                                   const uint32_t *entries, uint32_t count,
                                   const struct beside *most)
{
    const struct others *others = worker->population->options.others;
    const struct arena_mark mark = arena_mark(&worker->scratch);
    const enum crowding first = crowd_out(worker, others, view, class, entries, count, most);
    enum crowding crowding = first;
    for (uint32_t i = 0; i < others->sibling_count; i++) {
        const enum crowding other =
            crowd_out(worker, &others->siblings[i], view, class, entries, count, most);
        worker->findings.siblings_differ |= other != first;
        crowding = other > crowding ? other : crowding;
    }
    arena_rewind(&worker->scratch, mark);
    return crowding;
}

/* The answer depends on the pod and on the nodes that fit and are up. In the pool these are nodes
 * without pods, and the same ones again and again. The last answers are remembered. */
struct known_crowding {
    uint32_t length; /* 0: there is none */
    uint32_t *words; /* the class, and config and count of each entry that is up */
    enum crowding crowding;
};

enum { CROWDINGS_KNOWN = 64, CROWDING_WORDS_MOST = 256 };

static struct known_crowding *find_known(struct worker *worker, const uint32_t *words,
                                         uint32_t length)
{
    if (!worker->known_crowdings)
        worker->known_crowdings =
            ARENA_ARRAY(&worker->arena, struct known_crowding, CROWDINGS_KNOWN);
    struct known_crowding *known =
        &worker->known_crowdings[hash_bytes(words, length * sizeof(*words)) % CROWDINGS_KNOWN];
    if (known->length == length && memcmp(known->words, words, length * sizeof(*words)) == 0)
        return known;
    if (!known->words)
        known->words = ARENA_ARRAY(&worker->arena, uint32_t, CROWDING_WORDS_MOST);
    known->length = 0;
    return known;
}

enum crowding others_crowd(struct worker *worker, const struct view *view, uint32_t class,
                           const uint32_t *entries, uint32_t count, const struct beside *most)
{
    uint32_t length = 0;
    uint32_t words[CROWDING_WORDS_MOST];
    if (worker->population->options.others->unknown)
        return CROWDING_LASTING;
    if (most || !worker->population->pools || 1 + 2 * count > CROWDING_WORDS_MOST)
        return crowd_out_any(worker, view, class, entries, count, most);
    words[length++] = class;
    for (uint32_t i = 0; i < count; i++) {
        const struct view_node *entry = &view->nodes[entries[i]];
        if (config_condition(worker, entry->config) != NODE_UP)
            continue;
        words[length++] = entry->config;
        words[length++] = entry->count;
    }
    struct known_crowding *known = find_known(worker, words, length);
    if (known->length == 0) {
        known->crowding = crowd_out_any(worker, view, class, entries, count, most);
        memcpy(known->words, words, length * sizeof(*words));
        known->length = length;
    }
    return known->crowding;
}
