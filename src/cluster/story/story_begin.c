/* SPDX-License-Identifier: Apache-2.0 */
/* The names at the beginning of a run: every node has one, and every pod that is
 * there already. */
#include "cluster/reduce/distinguished_node.h"
#include "cluster/state/configs.h"
#include "cluster/state/nodes.h"
#include "cluster/state/observed.h"
#include "cluster/state/population_model.h"
#include "cluster/state/state.h"
#include "cluster/state/worker.h"
#include "cluster/state/workloads.h"
#include "cluster/story/story.h"
#include "cluster/story/story_internal.h"
#include "cluster/story/story_names.h"

#include <string.h>

/* The named nodes of a group have numbers of their own; the others get the
 * numbers that are left, in order. */
static const char *free_name(const struct storyteller *teller, const char *group, uint32_t *number)
{
    for (;;) {
        const char *name = arena_printf(teller->arena, "%s-%u", group, ++*number);
        bool taken = false;
        for (uint32_t k = 0; k < teller->population->node_kinds.count; k++) {
            const struct node_kind *kind = &teller->population->node_kinds.items[k];
            const uint32_t up = kind->templates[NODE_UP];
            taken |= kind->named &&
                     strcmp(teller->population->catalog->templates.items[up]->node->meta.name,
                            name) == 0;
        }
        if (!taken)
            return name;
    }
}

/* A node without pods yet. */
static struct named_node *add_node(struct storyteller *teller, const char *name, uint32_t config)
{
    VEC_PUSH(teller->arena, &teller->nodes,
             ((struct named_node){arena_strdup(teller->arena, name), .config = config}));
    return &teller->nodes.items[teller->nodes.count - 1];
}

/* `number` counts the names of the group. */
static void add_nodes(struct storyteller *teller, const struct node_kind *kind,
                      const struct view_node *entry, uint32_t *number)
{
    const struct setup_group *group = &teller->population->scope->groups[kind->group];
    const struct node_config *config = config_at(teller->worker, entry->config);
    for (uint32_t i = 0; i < entry->count; i++) {
        const char *name;
        if (kind->named)
            name = config->template->node->meta.name;
        else if (group->names)
            name = group->names[(*number)++];
        else
            name = free_name(teller, group->name, number);
        struct named_node *node = add_node(teller, name, entry->config);
        for (uint32_t p = 0; p < config_entry_count(config); p++)
            for (uint32_t c = 0; c < config->pods[p].count; c++) {
                const uint32_t class = config->pods[p].pod;
                const uint32_t pod =
                    story_new_pod(teller, class_info(teller->worker, class)->revision);
                VEC_PUSH(teller->arena, &node->pods, ((struct placed_pod){pod, class}));
            }
    }
}

/* The nodes and pods that a run from the present state begins with. */
static void add_observed(struct storyteller *teller)
{
    const struct population *population = teller->population;
    struct arena *arena = teller->arena;
    for (uint32_t n = 0; n < population->observed_nodes.count; n++) {
        const struct observed_node *observed = &population->observed_nodes.items[n];
        struct named_node *node = add_node(teller, observed->name, observed->config);
        for (uint32_t p = 0; p < observed->pods.count; p++) {
            const struct observed_name *pod = &observed->pods.items[p];
            const uint32_t known =
                story_known_pod(teller, class_info(teller->worker, pod->number)->revision,
                                arena_strdup(arena, pod->name));
            VEC_PUSH(arena, &node->pods, ((struct placed_pod){known, pod->number}));
        }
    }
    for (uint32_t i = 0; i < population->observed_waiting.count; i++) {
        const struct observed_name *pod = &population->observed_waiting.items[i];
        VEC_PUSH(arena, &teller->waiting[pod->number],
                 story_known_pod(teller, pod->number, arena_strdup(arena, pod->name)));
    }
}

/* Finds the observed node that is the distinguished one. */
static void set_distinguished(struct storyteller *teller, uint32_t config)
{
    const uint32_t undistinguished = config_undistinguished(teller->worker, config);
    for (uint32_t n = 0; n < teller->nodes.count && undistinguished != config; n++)
        if (teller->nodes.items[n].config == undistinguished) {
            teller->nodes.items[n].config = config;
            return;
        }
}

/* Notes what the objects are like. All nodes are known: the numbers of pods follow theirs. */
static void note_values(struct storyteller *teller, const struct state *state)
{
    teller->values.count = 0;
    for (uint32_t o = 0; o < object_of_node(teller, 0); o++)
        VEC_PUSH(teller->arena, &teller->values, value_in_state(teller, state, o));
    for (uint32_t n = 0; n < teller->nodes.count; n++)
        VEC_PUSH(teller->arena, &teller->values,
                 value_of_node(teller->worker, teller->nodes.items[n].config));
    for (uint32_t p = 0; p < teller->pods.count; p++)
        VEC_PUSH(teller->arena, &teller->values, ((struct story_value){POD_WAITING, 0}));
    for (uint32_t n = 0; n < teller->nodes.count; n++)
        for (uint32_t i = 0; i < teller->nodes.items[n].pods.count; i++) {
            const struct placed_pod *placed = &teller->nodes.items[n].pods.items[i];
            teller->values.items[object_of_pod(teller, placed->pod)] =
                (struct story_value){n, placed->class};
        }
}

struct storyteller *storyteller_create(struct arena *arena, struct worker *worker,
                                       const uint32_t *words, uint32_t length)
{
    const struct population *population = worker->population;
    const bool observed = population->scope->start == START_OBSERVED;
    const uint32_t revisions = population->revisions.count;
    struct storyteller *teller = ARENA_NEW(arena, struct storyteller);
    *teller = (struct storyteller){
        .arena = arena,
        .population = population,
        .worker = worker,
        .words = arena_copy(arena, words, length * sizeof(*words)),
        .length = length,
        .waiting = ARENA_ARRAY(arena, story_numbers, revisions + 1),
        .created = ARENA_ARRAY(arena, uint32_t, revisions + 1),
        .workload_names = ARENA_ARRAY(arena, const char *, population->workloads.count + 1),
    };
    for (uint32_t w = 0; w < population->workloads.count; w++)
        teller->workload_names[w] = arena_strdup(arena, population->workloads.items[w].setup->name);
    const struct arena_mark mark = arena_mark(&worker->scratch);
    const struct state *state = state_unpack(worker, words, length);
    uint32_t *numbers = ARENA_ARRAY(arena, uint32_t, population->scope->group_count + 1);
    add_observed(teller);
    for (uint32_t k = 0; k < population->node_kinds.count; k++)
        for (uint32_t n = 0; n < state->node_count; n++) {
            const struct node_kind *kind = &population->node_kinds.items[k];
            if (config_template(worker, state->nodes[n].config)->node != k)
                continue;
            /* Nodes of a live cluster have their names and pods already. */
            if (observed && population->scope->groups[kind->group].names)
                set_distinguished(teller, state->nodes[n].config);
            else
                add_nodes(teller, kind, &state->nodes[n], &numbers[kind->group]);
        }
    for (uint32_t r = 0; r < revisions && !observed; r++)
        for (uint32_t i = 0; i < state->pending[r]; i++)
            VEC_PUSH(arena, &teller->waiting[r], story_new_pod(teller, r));
    note_values(teller, state);
    arena_rewind(&worker->scratch, mark);
    return teller;
}

/* The copy must not write to memory of the original. */
#define COPY_VEC(arena, vec)                                                                    \
    do {                                                                                        \
        (vec)->items = arena_copy((arena), (vec)->items, (vec)->count * sizeof(*(vec)->items)); \
        (vec)->capacity = (vec)->count;                                                         \
    } while (0)

struct storyteller *storyteller_copy(struct arena *arena, const struct storyteller *teller)
{
    struct storyteller *copy = arena_copy(arena, teller, sizeof(*teller));
    const uint32_t revisions = teller->population->revisions.count;
    copy->arena = arena;
    copy->without_causes = true;
    COPY_VEC(arena, &copy->nodes);
    for (uint32_t n = 0; n < copy->nodes.count; n++)
        COPY_VEC(arena, &copy->nodes.items[n].pods);
    COPY_VEC(arena, &copy->pods);
    copy->waiting = arena_copy(arena, teller->waiting, sizeof(*teller->waiting) * (revisions + 1));
    for (uint32_t r = 0; r < revisions; r++)
        COPY_VEC(arena, &copy->waiting[r]);
    copy->created = arena_copy(arena, teller->created, sizeof(*teller->created) * (revisions + 1));
    copy->subjects = (story_numbers){0};
    COPY_VEC(arena, &copy->values);
    COPY_VEC(arena, &copy->writers);
    /* It does not look for causes, so it needs no writes. */
    copy->writes = (story_writes){0};
    copy->step_ends = (story_numbers){0};
    return copy;
}
