/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names along a run. The teller keeps concrete nodes and pods beside the packed
 * state; each step changes the configs of some nodes, and the difference of the
 * old and the new config says which pods came, went or changed their stage.
 */
#include "model/population/clock.h"
#include "model/population/story_internal.h"

#include "model/controller/kubelet.h"

#include <string.h>

static const struct node_config *config_at(const struct storyteller *teller, uint32_t config)
{
    return teller->population->catalog->configs.items[config];
}

static uint32_t kind_of(const struct storyteller *teller, uint32_t config)
{
    return teller->population->templates.items[config_at(teller, config)->template->id].node;
}

static const char *new_pod_name(struct storyteller *teller, uint32_t revision)
{
    const struct pod *pod = teller->population->revisions.items[revision].pod;
    const size_t stem = strcspn(pod->meta.name, "*");
    if (!pod->meta.name[stem]) /* a pod with an identity */
        return arena_strdup(teller->arena, pod->meta.name);
    return arena_printf(teller->arena, "%.*s%u", (int)stem, pod->meta.name,
                        ++teller->created[revision]);
}

static uint32_t new_pod(struct storyteller *teller, uint32_t revision)
{
    const struct named_pod pod = {new_pod_name(teller, revision), revision};
    VEC_PUSH(teller->arena, &teller->pods, pod);
    VEC_PUSH(teller->arena, &teller->values, ((struct story_value){POD_NOWHERE, 0}));
    return teller->pods.count - 1;
}

/* A pod that is there from the start. */
static uint32_t known_pod(struct storyteller *teller, uint32_t revision, const char *name)
{
    const struct named_pod pod = {arena_strdup(teller->arena, name), revision};
    VEC_PUSH(teller->arena, &teller->pods, pod);
    VEC_PUSH(teller->arena, &teller->values, ((struct story_value){POD_NOWHERE, 0}));
    return teller->pods.count - 1;
}

static const char *pod_name(const struct storyteller *teller, uint32_t pod)
{
    return teller->pods.items[pod].name;
}

static void remember(struct storyteller *teller, const uint32_t *words, uint32_t length)
{
    teller->words = arena_copy(teller->arena, words, length * sizeof(*words));
    teller->length = length;
}

/* ---- the beginning ---- */

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

static void add_nodes(struct storyteller *teller, uint32_t kind, const struct view_node *entry)
{
    const struct population *population = teller->population;
    const struct node_kind *of = &population->node_kinds.items[kind];
    const char *group = population->scope->groups[of->group].name;
    const char **names = population->scope->groups[of->group].names;
    uint32_t number = 0;
    for (uint32_t i = 0; i < teller->nodes.count; i++)
        number += teller->nodes.items[i].kind == kind;
    for (uint32_t i = 0; i < entry->count; i++) {
        struct named_node node = {.kind = kind, .config = entry->config};
        if (of->named)
            node.name = config_at(teller, entry->config)->template->node->meta.name;
        else if (names)
            node.name = names[number++];
        else
            node.name = free_name(teller, group, &number);
        node.name = arena_strdup(teller->arena, node.name);
        const struct node_config *config = config_at(teller, entry->config);
        for (uint32_t p = 0; p < config_entry_count(config); p++)
            for (uint32_t c = 0; c < config->pods[p].count; c++) {
                const uint32_t revision = population->classes.items[config->pods[p].pod].revision;
                const struct placed_pod pod = {new_pod(teller, revision), config->pods[p].pod};
                VEC_PUSH(teller->arena, &node.pods, pod);
            }
        VEC_PUSH(teller->arena, &teller->nodes, node);
    }
}

/* Are the nodes of this kind there by name, with what is on them? */
static bool is_observed(const struct storyteller *teller, uint32_t kind)
{
    const struct population *population = teller->population;
    return population->scope->start == START_OBSERVED &&
           population->scope->groups[population->node_kinds.items[kind].group].names;
}

/* The nodes and pods that a run from the present state begins with. */
static void add_observed(struct storyteller *teller)
{
    const struct population *population = teller->population;
    for (uint32_t n = 0; n < population->observed_nodes.count; n++) {
        const struct observed_node *observed = &population->observed_nodes.items[n];
        struct named_node node = {
            .name = arena_strdup(teller->arena, observed->name),
            .kind = kind_of(teller, observed->config),
            .config = observed->config,
        };
        for (uint32_t p = 0; p < observed->pods.count; p++) {
            const struct observed_name *pod = &observed->pods.items[p];
            const struct placed_pod placed = {
                known_pod(teller, population->classes.items[pod->number].revision, pod->name),
                pod->number};
            VEC_PUSH(teller->arena, &node.pods, placed);
        }
        VEC_PUSH(teller->arena, &teller->nodes, node);
    }
    for (uint32_t i = 0; i < population->observed_waiting.count; i++) {
        const struct observed_name *pod = &population->observed_waiting.items[i];
        VEC_PUSH(teller->arena, &teller->waiting[pod->number],
                 known_pod(teller, pod->number, pod->name));
    }
}

static struct story_value status_value(const struct population_state *state, uint32_t workload)
{
    uint32_t words[STATUS_WORDS];
    status_pack(&state->statuses[workload], words);
    return (struct story_value){words[0], words[1]};
}

/* The objects as they are: nodes have their numbers once all of them are there,
 * pods stand behind them. */
static void note_values(struct storyteller *teller, const struct population_state *state)
{
    const struct population *population = teller->population;
    teller->values.count = 0;
    for (uint32_t w = 0; w < population->workloads.count; w++)
        VEC_PUSH(teller->arena, &teller->values,
                 ((struct story_value){state->replicas[w], state->present[w]}));
    for (uint32_t r = 0; r < population->revisions.count; r++)
        VEC_PUSH(teller->arena, &teller->values,
                 ((struct story_value){state->sets[r].replicas, (uint32_t)state->sets[r].desired}));
    for (uint32_t w = 0; w < population->workloads.count; w++)
        VEC_PUSH(teller->arena, &teller->values, status_value(state, w));
    for (uint32_t n = 0; n < teller->nodes.count; n++)
        VEC_PUSH(teller->arena, &teller->values,
                 value_of_node(population, teller->nodes.items[n].config));
    for (uint32_t p = 0; p < teller->pods.count; p++)
        VEC_PUSH(teller->arena, &teller->values, ((struct story_value){POD_WAITING, 0}));
    for (uint32_t n = 0; n < teller->nodes.count; n++)
        for (uint32_t i = 0; i < teller->nodes.items[n].pods.count; i++) {
            const struct placed_pod *placed = &teller->nodes.items[n].pods.items[i];
            teller->values.items[object_of_pod(teller, placed->pod)] =
                (struct story_value){n, placed->class};
        }
}

struct storyteller *storyteller_create(struct arena *arena, struct population *population,
                                       const uint32_t *words, uint32_t length)
{
    struct storyteller *teller = ARENA_NEW(arena, struct storyteller);
    const uint32_t revisions = population->revisions.count;
    *teller = (struct storyteller){.arena = arena, .population = population};
    teller->waiting = arena_allocate(arena, sizeof(*teller->waiting) * (revisions + 1));
    teller->created = ARENA_ARRAY(arena, uint32_t, revisions + 1);
    remember(teller, words, length);
    const struct arena_mark mark = arena_mark(&population->scratch);
    const struct population_state *state = state_unpack(population, words, length);
    add_observed(teller);
    for (uint32_t k = 0; k < population->node_kinds.count; k++)
        for (uint32_t n = 0; n < state->node_count; n++)
            if (kind_of(teller, state->nodes[n].config) == k && !is_observed(teller, k))
                add_nodes(teller, k, &state->nodes[n]);
    for (uint32_t r = 0; r < revisions && population->scope->start != START_OBSERVED; r++)
        for (uint32_t i = 0; i < state->pending[r]; i++)
            VEC_PUSH(arena, &teller->waiting[r], new_pod(teller, r));
    note_values(teller, state);
    arena_rewind(&population->scratch, mark);
    return teller;
}

/* The copy must not write into what it shares. */
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
    /* What happened before is of no interest to it. */
    copy->writes.items = NULL;
    copy->writes.count = 0;
    copy->writes.capacity = 0;
    copy->step_ends = (story_numbers){0};
    return copy;
}

/* ---- one step ---- */

static int64_t count_of(const struct population_state *state, uint32_t config)
{
    int64_t count = 0;
    for (uint32_t n = 0; n < state->node_count; n++)
        count += state->nodes[n].config == config ? state->nodes[n].count : 0;
    return count;
}

static uint32_t pods_of(const struct node_config *config, uint32_t class)
{
    for (uint32_t p = 0; p < config_entry_count(config); p++)
        if (config->pods[p].pod == class)
            return config->pods[p].count;
    return 0;
}

static uint32_t pod_total(const struct node_config *config)
{
    uint32_t total = config->pod_count;
    for (uint32_t i = 0; i < config->waiting_entry_count; i++)
        total += config->waiting[i].count;
    return total;
}

/* How many pods would have to change for one config to become the other. */
static uint32_t distance(const struct storyteller *teller, uint32_t from, uint32_t to)
{
    const struct node_config *a = config_at(teller, from);
    const struct node_config *b = config_at(teller, to);
    uint32_t same = 0;
    for (uint32_t p = 0; p < config_entry_count(a); p++) {
        const uint32_t other = pods_of(b, a->pods[p].pod);
        same += other < a->pods[p].count ? other : a->pods[p].count;
    }
    return pod_total(a) + pod_total(b) - 2 * same;
}

static void note_subject(struct storyteller *teller, uint32_t pod)
{
    VEC_PUSH(teller->arena, &teller->subjects, pod);
}

static void note_write(struct storyteller *teller, uint32_t object, struct story_value after,
                       bool matters)
{
    struct story_value *now = &teller->values.items[object];
    if (now->number == after.number && now->detail == after.detail)
        return;
    while (teller->writers.count < teller->values.count)
        VEC_PUSH(teller->arena, &teller->writers, 0);
    const struct story_write write = {object, *now, after, matters, teller->writers.items[object]};
    VEC_PUSH(teller->arena, &teller->writes, write);
    *now = after;
    if (matters)
        teller->writers.items[object] = teller->step_ends.count + 1;
}

/* Levels of usage that differ only in who is older are the model's own affair. */
static bool class_change_matters(const struct population *population, uint32_t from, uint32_t to)
{
    const struct class_info *before = &population->classes.items[from];
    const struct class_info *after = &population->classes.items[to];
    const struct workload *workload =
        &population->workloads.items[population->revisions.items[before->revision].workload];
    return before->stage != after->stage ||
           workload->levels[before->level].cpu_milli != workload->levels[after->level].cpu_milli;
}

static void note_pod(struct storyteller *teller, uint32_t pod, int64_t where, uint32_t class)
{
    const uint32_t object = object_of_pod(teller, pod);
    const struct story_value *before = &teller->values.items[object];
    const bool stays = before->number == where && where >= 0;
    note_write(teller, object, (struct story_value){where, class},
               !stays || class_change_matters(teller->population, before->detail, class));
}

/* The place of a pod of this revision whose class the new config has too many of;
 * it looks like `class` to everybody, unless that is VIEW_NONE. */
static uint32_t find_surplus(const struct storyteller *teller, const struct named_node *node,
                             const struct node_config *now, uint32_t alike, uint32_t revision)
{
    for (uint32_t i = 0; i < node->pods.count; i++) {
        const uint32_t class = node->pods.items[i].class;
        uint32_t have = 0;
        for (uint32_t j = 0; j < node->pods.count; j++)
            have += node->pods.items[j].class == class;
        if (have > pods_of(now, class) &&
            (revision == UINT32_MAX ||
             teller->population->classes.items[class].revision == revision) &&
            (alike == VIEW_NONE || !class_change_matters(teller->population, class, alike)))
            return i;
    }
    return UINT32_MAX;
}

static uint32_t take_waiting(struct storyteller *teller, uint32_t revision)
{
    const uint32_t pod = teller->waiting[revision].items[0];
    teller->waiting[revision].count--;
    memmove(teller->waiting[revision].items, teller->waiting[revision].items + 1,
            teller->waiting[revision].count * sizeof(pod));
    return pod;
}

/* A pod of this class is on the node now that was not: it changed its stage, or
 * came from those that wait, or was made there. */
static void arrive(struct storyteller *teller, struct named_node *node,
                   const struct node_config *now, uint32_t class)
{
    const uint32_t revision = teller->population->classes.items[class].revision;
    const int64_t here = node - teller->nodes.items;
    uint32_t changed = find_surplus(teller, node, now, class, revision);
    if (changed == UINT32_MAX)
        changed = find_surplus(teller, node, now, VIEW_NONE, revision);
    if (changed != UINT32_MAX) {
        /* That pods get other slots for their ages is the model's own affair. */
        if (!teller->population->clock ||
            class_change_matters(teller->population, node->pods.items[changed].class, class))
            note_subject(teller, node->pods.items[changed].pod);
        node->pods.items[changed].class = class;
        note_pod(teller, node->pods.items[changed].pod, here, class);
        return;
    }
    const struct placed_pod placed = {
        .pod = teller->waiting[revision].count > 0 ? take_waiting(teller, revision)
                                                   : new_pod(teller, revision),
        .class = class,
    };
    VEC_PUSH(teller->arena, &node->pods, placed);
    note_subject(teller, placed.pod);
    note_pod(teller, placed.pod, here, class);
}

static uint32_t count_placed(const struct named_node *node, uint32_t class)
{
    uint32_t have = 0;
    for (uint32_t i = 0; i < node->pods.count; i++)
        have += node->pods.items[i].class == class;
    return have;
}

/* Pods that look as they did, but for the slots of their ages, are the same pods;
 * to be found before anybody is taken to have changed. */
static void match_alike(struct storyteller *teller, struct named_node *node,
                        const struct node_config *now)
{
    for (uint32_t p = 0; p < config_entry_count(now); p++) {
        const uint32_t class = now->pods[p].pod;
        const uint32_t revision = teller->population->classes.items[class].revision;
        while (count_placed(node, class) < now->pods[p].count) {
            const uint32_t same = find_surplus(teller, node, now, class, revision);
            if (same == UINT32_MAX)
                break;
            node->pods.items[same].class = class;
            note_pod(teller, node->pods.items[same].pod, node - teller->nodes.items, class);
        }
    }
}

static void change_config(struct storyteller *teller, struct named_node *node, uint32_t config)
{
    const uint32_t subjects = teller->subjects.count;
    const struct story_value before = value_of_node(teller->population, node->config);
    const struct story_value after = value_of_node(teller->population, config);
    const struct node_config *now = config_at(teller, config);
    if (teller->population->clock)
        match_alike(teller, node, now);
    for (uint32_t p = 0; p < config_entry_count(now); p++)
        while (count_placed(node, now->pods[p].pod) < now->pods[p].count)
            arrive(teller, node, now, now->pods[p].pod);
    for (uint32_t gone;
         (gone = find_surplus(teller, node, now, VIEW_NONE, UINT32_MAX)) != UINT32_MAX;) {
        const struct placed_pod placed = node->pods.items[gone];
        note_subject(teller, placed.pod);
        note_pod(teller, placed.pod, POD_NOWHERE, placed.class);
        node->pods.count--;
        memmove(&node->pods.items[gone], &node->pods.items[gone + 1],
                (node->pods.count - gone) * sizeof(*node->pods.items));
    }
    node->config = config;
    if (teller->population->clock && teller->subjects.count == subjects &&
        after.number == before.number && after.detail == before.detail)
        return;
    teller->subject_node = (uint32_t)(node - teller->nodes.items);
    note_write(teller, object_of_node(teller, teller->subject_node), after, true);
    teller->touched_nodes++;
}

/* The node that becomes one of `config`: of those that have to change, and could,
 * the one that changes least. */
static struct named_node *find_changing(struct storyteller *teller,
                                        const struct population_state *to, uint32_t config)
{
    struct named_node *best = NULL;
    uint32_t nearest = UINT32_MAX;
    int64_t *surplus = ARENA_ARRAY(&teller->population->scratch, int64_t,
                                   teller->population->catalog->configs.count);
    const uint32_t kind = kind_of(teller, config);
    for (uint32_t i = 0; i < teller->nodes.count; i++)
        surplus[teller->nodes.items[i].config]++;
    for (uint32_t n = 0; n < to->node_count; n++)
        surplus[to->nodes[n].config] -= to->nodes[n].count;
    for (uint32_t i = 0; i < teller->nodes.count; i++) {
        struct named_node *node = &teller->nodes.items[i];
        if (node->kind != kind || surplus[node->config] <= 0)
            continue;
        const uint32_t steps = distance(teller, node->config, config);
        if (steps < nearest) {
            nearest = steps;
            best = node;
        }
    }
    return best;
}

static void follow(struct storyteller *teller, const struct population_state *from,
                   const struct population_state *to)
{
    teller->subjects.count = 0;
    teller->subject_node = UINT32_MAX;
    teller->touched_nodes = 0;
    for (uint32_t n = 0; n < teller->nodes.count; n++)
        teller->nodes.items[n].config_before = teller->nodes.items[n].config;
    for (uint32_t n = 0; n < to->node_count; n++)
        for (int64_t have = count_of(from, to->nodes[n].config); have < to->nodes[n].count;
             have++) {
            struct named_node *node = find_changing(teller, to, to->nodes[n].config);
            if (node)
                change_config(teller, node, to->nodes[n].config);
        }
    for (uint32_t r = 0; r < teller->population->revisions.count; r++) {
        while (teller->waiting[r].count < to->pending[r]) {
            const uint32_t pod = new_pod(teller, r);
            VEC_PUSH(teller->arena, &teller->waiting[r], pod);
            note_subject(teller, pod);
            note_pod(teller, pod, POD_WAITING, 0);
        }
        while (teller->waiting[r].count > to->pending[r]) {
            const uint32_t pod = take_waiting(teller, r);
            note_subject(teller, pod);
            note_pod(teller, pod, POD_NOWHERE, 0);
        }
    }
    for (uint32_t w = 0; w < teller->population->workloads.count; w++)
        note_write(teller, object_of_workload(teller, w),
                   (struct story_value){to->replicas[w], to->present[w]}, true);
    for (uint32_t r = 0; r < teller->population->revisions.count; r++)
        note_write(teller, object_of_set(teller, r),
                   (struct story_value){to->sets[r].replicas, (uint32_t)to->sets[r].desired}, true);
    for (uint32_t w = 0; w < teller->population->workloads.count; w++)
        note_write(teller, object_of_status(teller, w), status_value(to, w), true);
    VEC_PUSH(teller->arena, &teller->step_ends, teller->writes.count);
}

/* ---- words ---- */

static const char *set_name(const struct storyteller *teller, uint32_t revision)
{
    const struct object_meta *meta = &teller->population->revisions.items[revision].pod->meta;
    return meta->owner_count > 0 ? meta->owners[0].name : meta->name;
}

/* The kind of the controller that owns the pods: "ReplicaSet". */
static const char *owner_kind(const struct storyteller *teller, uint32_t revision)
{
    const struct object_meta *meta = &teller->population->revisions.items[revision].pod->meta;
    return meta->owner_count > 0 ? meta->owners[0].kind : "Pod";
}

static const char *namespace_of(const struct storyteller *teller, uint32_t revision)
{
    return teller->population->revisions.items[revision].owner_meta->namespace;
}

static const char *entry_name(const struct storyteller *teller, const struct step *step,
                              const struct population_state *from)
{
    const uint32_t entry = step_subject_of(step).node;
    if (teller->subject_node != UINT32_MAX && teller->touched_nodes <= 1)
        return teller->nodes.items[teller->subject_node].name;
    if (teller->touched_nodes > 1 || entry >= from->node_count)
        return NULL;
    const struct node *node = config_at(teller, from->nodes[entry].config)->template->node;
    return arena_strdup(teller->arena, node->meta.name);
}

static const char *object_of(const struct storyteller *teller, const struct step *step,
                             uint32_t revision, const char *pod, const char *node,
                             uint32_t workload)
{
    const bool has_revision = revision < teller->population->revisions.count;
    switch (step->action) {
    case ACT_SET_CREATE:
    case ACT_SET_DELETE:
    case ACT_STATEFUL_CREATE:
    case ACT_STATEFUL_DELETE:
    case ACT_STATEFUL_STATUS:
    case ACT_DAEMON_SYNC:
    case ACT_JOB_CREATE:
    case ACT_JOB_DELETE:
    case ACT_JOB_COMPLETE:
    case ACT_JOB_FAIL:
    case ACT_JOB_DEADLINE:
        return arena_printf(teller->arena, "%s/%s/%s", owner_kind(teller, revision),
                            namespace_of(teller, revision), set_name(teller, revision));
    case ACT_DEPLOYMENT_SYNC:
    case ACT_AUTOSCALE:
    case ACT_EVENT_SCALE:
    case ACT_REAPPLY:
    case ACT_EVENT_ROLLBACK:
    case ACT_EVENT_APPLY: break;
    default:
        if (pod && has_revision)
            return arena_printf(teller->arena, "Pod/%s/%s", namespace_of(teller, revision), pod);
        if (node)
            return arena_printf(teller->arena, "Node/%s", node);
    }
    return workload != UINT32_MAX ? teller->population->scope->workloads[workload].name : "";
}

/* What describe_step says, where there is nothing better. */
static const char *plain_detail(struct storyteller *teller, const struct step *step)
{
    struct text text;
    text_init(&text, teller->population->memory);
    population_describe_step(&teller->population->model, NULL, teller->words, teller->length, step,
                             &text);
    const char *copy = arena_strdup(teller->arena, text_content(&text));
    text_release(&text);
    return copy;
}

/* "pod web-1-4", "pods web-1-4, web-1-5", "12 pods (web-1-4, web-1-5, ...)" */
static const char *subject_list(const struct storyteller *teller)
{
    enum { NAMED_MOST = 4 };
    const uint32_t count = teller->subjects.count;
    const char *names = "";
    for (uint32_t i = 0; i < count && i < NAMED_MOST; i++)
        names = arena_printf(teller->arena, "%s%s%s", names, i > 0 ? ", " : "",
                             pod_name(teller, teller->subjects.items[i]));
    if (count > NAMED_MOST)
        return arena_printf(teller->arena, "%u pods (%s, ...)", count, names);
    return arena_printf(teller->arena, "pod%s %s", count == 1 ? "" : "s", names);
}

/* " of revision 2", for pods that have the same name in every revision. */
static const char *of_revision(const struct storyteller *teller, uint32_t revision)
{
    const struct revision *of = &teller->population->revisions.items[revision];
    const struct workload *workload = &teller->population->workloads.items[of->workload];
    if (of->ordinal < 0 || workload->revision_count == workload->ordinal_count)
        return "";
    return arena_printf(teller->arena, " of revision %u", of->number + 1);
}

/* What a DaemonSet does to its pods, by where they are now. */
static const char *sync_verb(const struct storyteller *teller)
{
    uint32_t gone = 0;
    for (uint32_t i = 0; i < teller->subjects.count; i++) {
        const struct story_value *value =
            &teller->values.items[object_of_pod(teller, teller->subjects.items[i])];
        gone += value->number == POD_NOWHERE ||
                teller->population->classes.items[value->detail].stage == STAGE_TERMINATING;
    }
    if (gone == 0)
        return "creates";
    return gone == teller->subjects.count ? "deletes" : "creates or deletes";
}

/* A pod of the revision that waits; of those for one node only one for a node of
 * this entry. */
static void note_waiting(struct storyteller *teller, const struct population_state *from,
                         uint32_t revision, uint32_t entry)
{
    const struct class_info *classes = teller->population->classes.items;
    if (teller->waiting[revision].count > 0) {
        note_subject(teller, teller->waiting[revision].items[0]);
        return;
    }
    for (uint32_t n = 0; entry < from->node_count && n < teller->nodes.count; n++) {
        const struct named_node *node = &teller->nodes.items[n];
        for (uint32_t i = 0;
             node->config_before == from->nodes[entry].config && i < node->pods.count; i++) {
            const struct class_info *info = &classes[node->pods.items[i].class];
            if (info->revision != revision || info->stage != STAGE_WAITING)
                continue;
            note_subject(teller, node->pods.items[i].pod);
            teller->subject_node = n;
            return;
        }
    }
}

/* Steps about pods, of which there may be several, and at most one node. */
static const char *pods_detail(struct storyteller *teller, const struct step *step,
                               uint32_t revision, const char *node)
{
    struct arena *arena = teller->arena;
    const char *pods = subject_list(teller);
    const char *from =
        node && teller->touched_nodes == 1 ? arena_printf(arena, " from node %s", node) : "";
    switch (step->action) {
    case ACT_SET_CREATE:
    case ACT_STATEFUL_CREATE:
    case ACT_JOB_CREATE:
        return arena_printf(arena, "%s %s creates %s%s", owner_kind(teller, revision),
                            set_name(teller, revision), pods, of_revision(teller, revision));
    case ACT_SET_DELETE:
    case ACT_STATEFUL_DELETE:
    case ACT_JOB_DELETE:
        return arena_printf(arena, "%s %s deletes %s%s%s", owner_kind(teller, revision),
                            set_name(teller, revision), pods, of_revision(teller, revision), from);
    case ACT_DAEMON_SYNC:
        return arena_printf(arena, "DaemonSet %s %s %s", set_name(teller, revision),
                            sync_verb(teller), pods);
    case ACT_PREEMPT:
        return arena_printf(arena, "the scheduler preempts %s%s to make room for a pod of %s", pods,
                            from, set_name(teller, revision));
    case ACT_ADMIT:
        return arena_printf(arena, "the kubelet of node %s admits %s", node ? node : "", pods);
    case ACT_REJECT:
    case ACT_PRESSURE_REJECT:
        return arena_printf(arena, "the kubelet of node %s rejects %s: %s", node ? node : "", pods,
                            teller->rejection);
    case ACT_KUBELET_PREEMPT:
        return arena_printf(arena,
                            "the kubelet of node %s admits a critical pod in place of others: %s",
                            node ? node : "", pods);
    case ACT_POD_GARBAGE:
        return arena_printf(arena, "the pod garbage collector deletes %s: there is no node %s",
                            pods, teller->population->revisions.items[revision].node_name);
    case ACT_PRESSURE_EVICT:
        return arena_printf(arena, "the kubelet of node %s, which runs low, evicts %s",
                            node ? node : "", pods);
    case ACT_DESCHEDULE: return arena_printf(arena, "the descheduler evicts %s%s", pods, from);
    case ACT_TAINT_EVICT: return arena_printf(arena, "the taint manager evicts %s%s", pods, from);
    case ACT_ENDPOINT_REMOVED:
        return arena_printf(arena, "proxies no longer send requests to %s", pods);
    case ACT_COLLECT: return arena_printf(arena, "the garbage collector deletes %s%s", pods, from);
    case ACT_EVENT_DELETE: return arena_printf(arena, "the user deletes %s%s", pods, from);
    case ACT_DRAIN_EVICT: return arena_printf(arena, "the drain evicts %s%s", pods, from);
    case ACT_UNSCHEDULABLE:
        return teller->population->revisions.items[revision].daemon_set
                   ? arena_printf(arena, "the scheduler cannot place %s on node %s", pods, node)
                   : arena_printf(arena, "the scheduler finds no node for %s", pods);
    default: return NULL;
    }
}

/* " (DiskPressure)": of the node in hand. */
static const char *pressure_words(const struct storyteller *teller)
{
    static const char *const words[PRESSURE_MASKS] = {
        [KUBELET_MEMORY_PRESSURE] = " (MemoryPressure)",
        [KUBELET_DISK_PRESSURE] = " (DiskPressure)",
        [KUBELET_PID_PRESSURE] = " (PIDPressure)",
    };
    if (teller->subject_node == UINT32_MAX)
        return "";
    const uint32_t config = teller->nodes.items[teller->subject_node].config;
    const char *word = words[value_of_node(teller->population, config).detail >> 1];
    return word ? word : "";
}

/* Steps about one node, and maybe one pod on it. */
static const char *node_detail(struct storyteller *teller, const struct step *step, const char *pod,
                               const char *node)
{
    struct arena *arena = teller->arena;
    switch (step->action) {
    case ACT_BIND:
        return arena_printf(arena, "the scheduler binds pod %s to node %s", pod ? pod : "", node);
    case ACT_START:
        return arena_printf(arena, "pod %s becomes ready on node %s", pod ? pod : "", node);
    case ACT_POD_SUCCEEDS:
        return arena_printf(arena, "pod %s succeeds on node %s", pod ? pod : "", node);
    case ACT_POD_FAILS: return arena_printf(arena, "pod %s fails on node %s", pod ? pod : "", node);
    case ACT_TERMINATED:
        return arena_printf(arena, "pod %s has terminated and leaves node %s", pod ? pod : "",
                            node);
    case ACT_DRAIN_DONE:
        return arena_printf(arena, "node %s is drained and goes down for maintenance", node);
    case ACT_NODE_RETURN: return arena_printf(arena, "node %s is back again", node);
    case ACT_PANIC:
        return arena_printf(arena, "node %s works too hard and goes down (kernel panic)", node);
    case ACT_EVENT_NODE_FAILS: return arena_printf(arena, "node %s fails", node);
    case ACT_EVENT_DELETE: return arena_printf(arena, "the user deletes node %s", node);
    case ACT_TAINT_NODE:
        return arena_printf(arena, "node %s does not answer and is tainted %s:NoExecute", node,
                            TAINT_UNREACHABLE);
    case ACT_EVENT_MAINTENANCE: return arena_printf(arena, "maintenance begins on node %s", node);
    case ACT_EVENT_PRESSURE:
        return arena_printf(arena, "node %s runs low%s", node, pressure_words(teller));
    case ACT_PRESSURE_ENDS:
        return arena_printf(arena, "node %s is under no pressure any more", node);
    default: return NULL;
    }
}

static const char *detail_of(struct storyteller *teller, const struct step *step, uint32_t revision,
                             const char *pod, const char *node)
{
    const bool of_revision = revision < teller->population->revisions.count;
    const char *detail = NULL;
    if (teller->subjects.count > 0 && of_revision)
        detail = pods_detail(teller, step, revision, node);
    if (!detail && node)
        detail = node_detail(teller, step, pod, node);
    return detail ? detail : plain_detail(teller, step);
}

/* The usage that a cpuChange gives the pod. */
static const char *cpu_detail(struct storyteller *teller, const char *pod, const char *node)
{
    const struct population *population = teller->population;
    const struct named_node *on = &teller->nodes.items[teller->subject_node];
    for (uint32_t i = 0; i < on->pods.count; i++) {
        if (strcmp(pod_name(teller, on->pods.items[i].pod), pod) != 0)
            continue;
        const struct class_info *info = &population->classes.items[on->pods.items[i].class];
        const struct revision *revision = &population->revisions.items[info->revision];
        return arena_printf(
            teller->arena, "pod %s on node %s now uses %lldm of CPU (it requests %lldm)", pod, node,
            (long long)population->workloads.items[revision->workload]
                .levels[info->level]
                .cpu_milli,
            (long long)revision->request_cpu_milli);
    }
    return arena_printf(teller->arena, "the CPU usage of pod %s changes", pod);
}

/* "the user applies web-v2.yaml: web goes from 2 to 1 replicas" */
static const char *apply_detail(struct storyteller *teller, const struct step *step,
                                const struct check_event *event)
{
    static const char unnamed[] = "the user applies a manifest";
    const char *plain = plain_detail(teller, step);
    const char *names = "";
    for (uint32_t i = 0; i < event->manifests.count; i++)
        names = arena_printf(teller->arena, "%s%s%s", names, i > 0 ? ", " : "",
                             event->manifests.items[i]);
    if (!*names || strncmp(plain, unnamed, strlen(unnamed)) != 0)
        return plain;
    return arena_printf(teller->arena, "the user applies %s%s", names, plain + strlen(unnamed));
}

/* Time passed for these pods. */
static const char *usage_detail(struct storyteller *teller, const struct step *step)
{
    const struct population *population = teller->population;
    if (teller->subjects.count == 0)
        return plain_detail(teller, step);
    const uint32_t object = object_of_pod(teller, teller->subjects.items[0]);
    const struct class_info *info = &population->classes.items[teller->values.items[object].detail];
    const uint32_t workload = population->revisions.items[info->revision].workload;
    return arena_printf(
        teller->arena, "time passes: %s now use%s %lldm of CPU%s", subject_list(teller),
        teller->subjects.count == 1 ? "s" : "",
        (long long)population->workloads.items[workload].levels[info->level].cpu_milli,
        teller->subjects.count == 1 ? "" : " each");
}

static int64_t period_of(const struct storyteller *teller, const struct step *step)
{
    const struct check *check = teller->population->scope->check;
    const uint32_t action = step->action;
    const int64_t second = 1000000000;
    if (teller->population->clock)
        return action == ACT_TIME ? clock_ticks_ns(teller->population, step->argument) : 0;
    if (action == ACT_AUTOSCALE)
        return check && check->controllers.horizontal_pod_autoscaler
                   ? check->controllers.horizontal_pod_autoscaler->sync_period_ns
                   : 15 * second;
    if (action == ACT_DESCHEDULE)
        return check && check->controllers.descheduler ? check->controllers.descheduler->interval_ns
                                                       : 300 * second;
    return 0;
}

/* The one workload that the step is about. */
static uint32_t workload_of(const struct storyteller *teller, uint32_t revision,
                            const struct population_state *from, const struct population_state *to)
{
    const struct population *population = teller->population;
    if (revision < population->revisions.count) {
        const uint32_t workload = population->revisions.items[revision].workload;
        return workload < population->managed_count ? workload : UINT32_MAX;
    }
    uint32_t found = population->managed_count == 1 ? 0 : UINT32_MAX;
    for (uint32_t w = 0; w < population->managed_count; w++) {
        bool changed = from->replicas[w] != to->replicas[w] || from->present[w] != to->present[w];
        for (uint32_t r = 0; r < population->revisions.count; r++)
            changed |= population->revisions.items[r].workload == w &&
                       (from->sets[r].replicas != to->sets[r].replicas ||
                        from->pending[r] != to->pending[r]);
        found = changed ? w : found;
    }
    return found;
}

/* A Deployment that works on one of its sets is told as that set's story. */
static void name_the_set(const struct storyteller *teller, const struct population_state *from,
                         const struct population_state *to, struct story_step *told)
{
    uint32_t changed = UINT32_MAX;
    for (uint32_t r = 0; r < teller->population->revisions.count; r++) {
        if (from->sets[r].replicas == to->sets[r].replicas)
            continue;
        if (changed != UINT32_MAX)
            return;
        changed = r;
    }
    if (changed == UINT32_MAX)
        return;
    told->action = from->sets[changed].replicas < 0 ? "create-replicaset" : "scale-replicaset";
    told->object = arena_printf(teller->arena, "ReplicaSet/%s/%s", namespace_of(teller, changed),
                                set_name(teller, changed));
}

void storyteller_tell(struct storyteller *teller, const struct step *step, struct story_step *told)
{
    struct population *population = teller->population;
    const struct arena_mark mark = arena_mark(&population->scratch);
    const struct population_state *from = state_unpack(population, teller->words, teller->length);
    const struct population_state *to = state_unpack(population, step->words, step->length);
    const bool passes = population->clock && step->action == ACT_TIME;
    const uint32_t revision = passes ? UINT32_MAX : step_subject_of(step).revision;
    *told = (struct story_step){
        .actor = population_action_actor(step->action),
        .action = population_action_verb(step->action),
        .outside = step->fairness == FAIRNESS_OPTIONAL,
        .waits = step->length == teller->length &&
                 memcmp(step->words, teller->words, step->length * sizeof(*step->words)) == 0,
        .quiet = population->clock && action_is_quiet((enum population_action)step->action),
        .period_ns = period_of(teller, step),
    };
    story_explain(teller, from, to, step, told);
    if ((step->action == ACT_SET_CREATE || step->action == ACT_SET_DELETE) &&
        revision < population->revisions.count)
        told->actor = owner_kind(teller, revision);
    follow(teller, from, to);
    if (step->action == ACT_UNSCHEDULABLE && revision < population->revisions.count)
        note_waiting(teller, from, revision, step_subject_of(step).node);
    const char *pod =
        teller->subjects.count == 1 ? pod_name(teller, teller->subjects.items[0]) : NULL;
    told->node = entry_name(teller, step, from);
    told->workload = workload_of(teller, revision, from, to);
    told->object = object_of(teller, step, revision, pod, told->node, told->workload);
    told->detail = step->action == ACT_EVENT_CPU && pod && teller->touched_nodes == 1
                       ? cpu_detail(teller, pod, told->node)
                       : detail_of(teller, step, revision, pod, told->node);
    if (step->action == ACT_DEPLOYMENT_SYNC)
        name_the_set(teller, from, to, told);
    else if (step->action == ACT_EVENT_APPLY && told->event)
        told->detail = apply_detail(teller, step, told->event);
    else if (step->action == ACT_TERMINATED && population->endpoints &&
             endpoint_stopped(population, from, to, revision))
        told->detail = arena_printf(
            teller->arena, "%s, while requests are still sent to it%s", told->detail,
            endpoint_was_removed(population, from, to, revision) ? ", because no other pod is ready"
                                                                 : "");
    else if (step->action == ACT_TIME)
        told->detail = usage_detail(teller, step);
    if (!teller->without_causes)
        story_find_causes(teller, from, to, step, told);
    arena_rewind(&population->scratch, mark);
    remember(teller, step->words, step->length);
}

/* ---- the picture ---- */

/* What the controller of the workload has come to, or waits for. */
static const char *note_of(struct storyteller *teller, const struct population_state *state,
                           uint32_t workload)
{
    const struct workload *of = &teller->population->workloads.items[workload];
    if (of->kind == OBJECT_STATEFUL_SET)
        return stateful_set_note(teller->population, state, workload, teller->arena);
    if (of->kind != OBJECT_JOB || state->statuses[workload].over == JOB_GOES_ON)
        return NULL;
    return state->statuses[workload].over == JOB_IS_COMPLETE ? "it is complete" : "it has failed";
}

void storyteller_picture(struct storyteller *teller, struct story_picture *picture)
{
    static const char *const stages[] = {" (starting)", "", " (terminating)", " (bound)", ""};
    struct population *population = teller->population;
    struct arena *arena = teller->arena;
    const struct arena_mark mark = arena_mark(&population->scratch);
    const struct population_state *state = state_unpack(population, teller->words, teller->length);
    *picture = (struct story_picture){
        .nodes = ARENA_ARRAY(arena, struct story_node, teller->nodes.count + 1),
        .node_count = teller->nodes.count,
        .workloads = ARENA_ARRAY(arena, struct story_workload, population->workloads.count + 1),
    };
    for (uint32_t n = 0; n < teller->nodes.count; n++) {
        const struct named_node *node = &teller->nodes.items[n];
        const enum node_condition condition = config_condition(population, node->config);
        VEC(const char *) pods = {0};
        for (uint32_t p = 0; p < node->pods.count; p++) {
            const struct class_info *info = &population->classes.items[node->pods.items[p].class];
            if (info->stage == STAGE_WAITING)
                continue;
            VEC_PUSH(arena, &pods,
                     arena_printf(arena, "%s%s", pod_name(teller, node->pods.items[p].pod),
                                  stages[info->stage]));
        }
        if (condition == NODE_UP && value_of_node(population, node->config).detail != 0) {
            picture->nodes[n] =
                (struct story_node){node->name, "under pressure", {pods.items, pods.count}};
            continue;
        }
        picture->nodes[n] = (struct story_node){
            node->name, condition_traits[condition].word, {pods.items, pods.count}};
    }
    for (uint32_t w = 0; w < population->workloads.count; w++) {
        const struct workload *workload = &population->workloads.items[w];
        VEC(const char *) waiting = {0};
        for (uint32_t r = 0; r < population->revisions.count; r++)
            for (uint32_t i = 0;
                 population->revisions.items[r].workload == w && i < teller->waiting[r].count; i++)
                VEC_PUSH(arena, &waiting, pod_name(teller, teller->waiting[r].items[i]));
        for (uint32_t n = 0; n < teller->nodes.count; n++)
            for (uint32_t i = 0; i < teller->nodes.items[n].pods.count; i++) {
                const struct placed_pod *placed = &teller->nodes.items[n].pods.items[i];
                const struct class_info *info = &population->classes.items[placed->class];
                if (info->stage == STAGE_WAITING &&
                    population->revisions.items[info->revision].workload == w)
                    VEC_PUSH(arena, &waiting, pod_name(teller, placed->pod));
            }
        if (workload->bystander && waiting.count == 0)
            continue;
        int32_t wanted = state->replicas[w];
        if (workload->bystander)
            wanted = (int32_t)waiting.count;
        else if (workload->kind == OBJECT_DAEMON_SET)
            wanted = (int32_t)daemon_set_wanted(population, state, w);
        else if (state->statuses[w].over != JOB_GOES_ON)
            wanted = 0;
        picture->workloads[picture->workload_count++] = (struct story_workload){
            arena_strdup(arena, workload->setup->name),
            wanted,
            {waiting.items, waiting.count},
            note_of(teller, state, w),
        };
    }
    arena_rewind(&population->scratch, mark);
}
