/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Groups of nodes that a part cannot tell apart.
 *
 * Nodes are in different groups if anything in the scope reads what they differ in (fold_nodes.c).
 * The workloads of a part read less: a label that only others ask for, or the zone. Zones are read
 * by whoever says so (constraints, volumes, events), and by the node lifecycle controller, which
 * taints no nodes where a zone is disrupted. If so few nodes can be away at once that no zone is
 * ever disrupted, a zone that is made of several is not either.
 *
 * In the model of a part a pod may be bound to any node that fits, whatever its score is
 * (cluster/others.h), so scores do not tell nodes apart either. Where groups were taken together,
 * scores therefore rule out no node (cluster/ask/best_beside.c).
 */
#include "setup/part_fold.h"

#include "setup/scope_reads.h"

#include <string.h>

struct folding {
    struct arena *arena;
    struct scope_part *part;
    struct reads reads; /* of the part */
    uint32_t *into;     /* by group: the one that has its nodes now */
    uint32_t *before;   /* by group of the scope: nodes with names of that group before its own */
};

/* ---- what is read ---- */

static bool has_volumes(const struct pod_spec *spec)
{
    for (uint32_t v = 0; v < spec->volume_count; v++)
        if (spec->volumes[v].source != VOLUME_OTHER &&
            spec->volumes[v].source != VOLUME_EMPTY_DIR &&
            spec->volumes[v].source != VOLUME_HOST_PATH)
            return true;
    return false;
}

bool scope_part_places_volumes(const struct scope_part *part)
{
    const struct scope *scope = &part->scope;
    for (uint32_t w = 0; w < scope->workload_count; w++) {
        const struct object *object = scope->workloads[w].object;
        if (object->kind == OBJECT_STATEFUL_SET || has_volumes(&workload_template(object)->spec))
            return true;
    }
    for (uint32_t i = 0; i < scope->pod_count; i++)
        if (scope->pods[i].stage == OBSERVED_WAITING &&
            has_volumes(&scope->pods[i].object->as.pod->spec))
            return true;
    for (uint32_t e = 0; scope->check && e < scope->check->event_count; e++)
        for (uint32_t i = 0; i < scope->applied[e].count; i++) {
            const struct pod_template *template = workload_template(&scope->applied[e].items[i]);
            if (template && has_volumes(&template->spec))
                return true;
        }
    return false;
}

static bool is_of_volumes(const struct object *object)
{
    return object->kind == OBJECT_PERSISTENT_VOLUME ||
           object->kind == OBJECT_PERSISTENT_VOLUME_CLAIM || object->kind == OBJECT_STORAGE_CLASS;
}

static void collect_reads(struct folding *folding, const struct check_intent *intents,
                          uint32_t intent_count)
{
    const struct scope *scope = &folding->part->scope;
    struct reads *reads = &folding->reads;
    reads_init(reads, folding->arena);
    reads->filters_only = true;
    reads->no_volumes = true;
    /* Such nodes belong to no zone. */
    reads_node_label(reads, "node.kubernetes.io/exclude-disruption");
    for (size_t i = 0; i < 3; i++)
        reads_resource(reads, (const char *const[]){"cpu", "memory", "pods"}[i]);
    if (scope->check)
        reads_add_check(reads, scope->check);
    reads_add_intents(reads, intents, intent_count);
    for (uint32_t i = 0; i < scope->objects->count; i++)
        if (!is_of_volumes(&scope->objects->items[i]))
            reads_add_object(reads, &scope->objects->items[i]);
    for (uint32_t e = 0; scope->check && e < scope->check->event_count; e++)
        for (uint32_t i = 0; i < scope->applied[e].count; i++)
            reads_add_object(reads, &scope->applied[e].items[i]);
}

/* ---- zones ---- */

static const char *zone_of(const struct node *node, const char *key)
{
    const char *zone = labels_find(&node->meta.labels, key);
    return zone ? zone : "";
}

static bool share_zone(const struct node *one, const struct node *other)
{
    static const char *const keys[] = {
        "topology.kubernetes.io/zone",
        "topology.kubernetes.io/region",
        "failure-domain.beta.kubernetes.io/zone",
        "failure-domain.beta.kubernetes.io/region",
    };
    for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++)
        if (strcmp(zone_of(one, keys[i]), zone_of(other, keys[i])) != 0)
            return false;
    return true;
}

/* So many nodes can be away at once because of the event; INT64_MAX: nobody knows. */
static int64_t takes_nodes(const struct scope *scope, uint32_t number)
{
    const struct check_event *event = &scope->check->events[number];
    if (scope->applied[number].count > 0 ||
        scope_find_workload(scope, &event->object) != UINT32_MAX)
        return 0;
    if (event->topology_key || event_kind_has(event->kind, EVENT_FACT_ZONAL) ||
        event_kind_has(event->kind, EVENT_FACT_PANICS))
        return INT64_MAX;
    return event_kind_has(event->kind, EVENT_FACT_DRAINS) && event->concurrent < event->at_most
               ? event->concurrent
               : event->at_most;
}

/* Is a zone of so many nodes disrupted if `taken` of them are away? All have to be, or more than
 * two that are about half of them. */
static bool is_disrupted(int64_t nodes, int64_t taken)
{
    return taken >= nodes || (taken > 2 && 2 * taken >= nodes);
}

/* Can a zone ever be disrupted, or has one lost nodes at the start? */
static bool zones_matter(const struct scope *scope, const struct setup *setup)
{
    int64_t taken = 0;
    for (uint32_t e = 0; scope->check && e < scope->check->event_count; e++) {
        const int64_t more = takes_nodes(scope, e);
        if (more == INT64_MAX)
            return true;
        taken += more;
    }
    for (uint32_t g = 0; g < scope->group_count; g++) {
        int64_t nodes = 0;
        if (setup->nodes[g] == 0)
            continue;
        if (scope->groups[g].down)
            return true;
        for (uint32_t h = 0; h < scope->group_count; h++)
            if (share_zone(scope->groups[g].node, scope->groups[h].node))
                nodes += setup->nodes[h];
        if (is_disrupted(nodes, taken))
            return true;
    }
    return false;
}

/* ---- groups ---- */

/* May nodes of groups that are no Node objects be mentioned by the names that they would have, or
 * the groups themselves? Node objects that are mentioned are single. */
static bool names_are_mentioned(const struct scope *scope)
{
    const struct node_mentions *mentions = &scope->reads->mentions;
    return mentions->all || mentions->all_hostnames || mentions->names.count > 0 ||
           mentions->hostnames.count > 0;
}

static bool is_open(const struct scope *scope, const struct setup_group *group)
{
    return !group->single && (group->names || !names_are_mentioned(scope));
}

/* What is read of a node of the group, in words, without its names. */
static const char *fingerprint(const struct folding *folding, const struct setup_group *group)
{
    struct node *slice = reads_slice_node(&folding->reads, group->node);
    slice->meta.name = "";
    uint32_t kept = 0;
    for (uint32_t i = 0; i < slice->meta.labels.count; i++)
        if (strcmp(slice->meta.labels.items[i].key, LABEL_HOSTNAME) != 0)
            slice->meta.labels.items[kept++] = slice->meta.labels.items[i];
    slice->meta.labels.count = kept;
    const struct object object = {.kind = OBJECT_NODE,
                                  .api_version = "v1",
                                  .kind_name = "Node",
                                  .meta = &slice->meta,
                                  .as.node = slice};
    struct text text;
    struct json_out json;
    text_init(&text, folding->arena->memory);
    json_out_init(&json, &text, 0);
    object_encode(folding->arena, &json, NULL, &object);
    text_printf(&text, " %u %d", group->pressures, group->names != NULL);
    const char *words = arena_strndup(folding->arena, text_content(&text), text.length);
    text_release(&text);
    return words;
}

static void add_names(struct folding *folding, struct setup_group *into,
                      const struct setup_group *group)
{
    const size_t count = (size_t)into->most + (size_t)group->most;
    if (!into->names)
        return;
    const char **names = ARENA_ARRAY(folding->arena, const char *, count + 1);
    memcpy(names, into->names, (size_t)into->most * sizeof(*names));
    memcpy(names + into->most, group->names, (size_t)group->most * sizeof(*names));
    into->names = names;
}

/* Groups keep their numbers, because others of the scope know places by them (cluster/others.h).
 * One whose nodes belong to another now has none. */
static void fold_groups(struct folding *folding)
{
    enum { BITS = 64 }; /* of `mixed` */
    struct scope *scope = &folding->part->scope;
    const uint32_t count = scope->group_count;
    struct setup_group *groups =
        arena_copy(folding->arena, scope->groups, count * sizeof(*scope->groups));
    const char **words = ARENA_ARRAY(folding->arena, const char *, count + 1);
    for (uint32_t g = 0; g < count; g++) {
        uint32_t into = 0;
        words[g] = g < BITS && is_open(scope, &groups[g]) ? fingerprint(folding, &groups[g]) : NULL;
        while (into < g && !(words[g] && words[into] && strcmp(words[g], words[into]) == 0))
            into++;
        folding->into[g] = into;
        if (into == g)
            continue;
        folding->before[g] = (uint32_t)groups[into].most;
        add_names(folding, &groups[into], &groups[g]);
        groups[into].least += groups[g].least;
        groups[into].most += groups[g].most;
        groups[into].mixed |= UINT64_C(1) << into | UINT64_C(1) << g;
        groups[g].least = 0;
        groups[g].most = 0;
    }
    scope->groups = groups;
}

static void move_pods(const struct folding *folding)
{
    struct scope *scope = &folding->part->scope;
    for (uint32_t i = 0; i < scope->pod_count; i++) {
        struct observed_place *place = &scope->pods[i].place;
        if (place->group == UINT32_MAX)
            continue;
        place->node += folding->before[place->group];
        place->group = folding->into[place->group];
    }
}

static const struct setup *fold_setup(const struct folding *folding, const struct setup *setup,
                                      uint32_t group_count)
{
    struct setup *folded = ARENA_NEW(folding->arena, struct setup);
    int32_t *nodes = ARENA_ARRAY(folding->arena, int32_t, group_count + 1);
    for (uint32_t g = 0; g < group_count; g++)
        nodes[folding->into[g]] += setup->nodes[g];
    *folded = *setup;
    folded->nodes = nodes;
    return folded;
}

const struct setup *scope_part_fold(struct arena *arena, struct scope_part *part,
                                    const struct setup *setup, const struct check_intent *intents,
                                    uint32_t intent_count)
{
    const uint32_t group_count = part->scope.group_count;
    struct folding folding = {.arena = arena,
                              .part = part,
                              .into = ARENA_ARRAY(arena, uint32_t, group_count + 1),
                              .before = ARENA_ARRAY(arena, uint32_t, group_count + 1)};
    if (zones_matter(&part->scope, setup) || scope_part_places_volumes(part))
        return setup;
    collect_reads(&folding, intents, intent_count);
    if (folding.reads.everything)
        return setup;
    fold_groups(&folding);
    move_pods(&folding);
    return fold_setup(&folding, setup, group_count);
}
