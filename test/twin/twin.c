/* SPDX-License-Identifier: Apache-2.0 */
/* Building the twin, its states and their folding. */
#include "twin/twin_internal.h"

#include "object/schemas.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

_Static_assert(sizeof(struct twin_state) % sizeof(uint32_t) == 0, "states are words");

/* ---- what there is ---- */

static const char *image_of(const struct pod_template *template)
{
    return template->spec.container_count > 0 ? template->spec.containers[0].image : "";
}

static int64_t request_of(const struct pod_template *template)
{
    int64_t sum = 0;
    for (uint32_t c = 0; c < template->spec.container_count; c++) {
        const struct quantity *cpu =
            resource_list_find(&template->spec.containers[c].resources.requests, "cpu");
        sum += cpu ? quantity_milli_value(*cpu) : 0;
    }
    return sum;
}

static uint32_t add_revision(struct twin *twin, uint32_t workload,
                             const struct pod_template *template)
{
    struct arena *arena = &twin->arena;
    const struct twin_workload *of = &twin->workloads[workload];
    const struct object_meta *owner = of->setup->object->meta;
    uint32_t ordinal = 1;
    for (uint32_t r = 0; r < twin->revision_count; r++) {
        if (twin->revisions[r].workload != workload)
            continue;
        if (strcmp(twin->revisions[r].image, image_of(template)) == 0)
            return r;
        ordinal++;
    }
    if (twin->revision_count == REVISIONS_MOST)
        return NOBODY;
    struct pod *pod = ARENA_NEW(arena, struct pod);
    struct owner_reference *reference = ARENA_NEW(arena, struct owner_reference);
    struct replica_set *set = ARENA_NEW(arena, struct replica_set);
    const char *name =
        of->deployment ? arena_printf(arena, "%s-r%u", owner->name, ordinal) : owner->name;
    const char *hash = arena_printf(arena, "r%u", ordinal);
    *reference = (struct owner_reference){
        .api_version = "apps/v1", .kind = "ReplicaSet", .name = name, .controller = true};
    pod->meta = template->meta;
    pod->meta.namespace = owner->namespace;
    pod->meta.creation_time = 0;
    pod->meta.deletion_time = TIME_NONE;
    pod->meta.owners = reference;
    pod->meta.owner_count = 1;
    pod->spec = template->spec;
    pod->status.start_time = TIME_NONE;
    set->meta = *owner;
    set->meta.name = name;
    set->template = *template;
    struct label_selector *selector = ARENA_NEW(arena, struct label_selector);
    *selector =
        of->deployment ? *of->deployment->selector : *of->setup->object->as.replica_set->selector;
    if (of->deployment) {
        labels_set(arena, &pod->meta.labels, "pod-template-hash", hash);
        labels_set(arena, &selector->match_labels, "pod-template-hash", hash);
    }
    set->selector = selector;
    VEC_PUSH(arena, &twin->catalog->surroundings.replica_sets, set);
    twin->revisions[twin->revision_count] =
        (struct twin_revision){workload, image_of(template), pod};
    return twin->revision_count++;
}

static bool add_workload(struct twin *twin, uint32_t number)
{
    const struct setup_workload *setup = &twin->scope->workloads[number];
    struct twin_workload *workload = &twin->workloads[twin->workload_count++];
    const bool deployed = setup->object->kind == OBJECT_DEPLOYMENT;
    if (!deployed && setup->object->kind != OBJECT_REPLICA_SET)
        return false;
    const struct pod_template *template = deployed ? &setup->object->as.deployment->template
                                                   : &setup->object->as.replica_set->template;
    *workload = (struct twin_workload){
        .setup = setup,
        .deployment = deployed ? setup->object->as.deployment : NULL,
        .levels = {request_of(template)},
        .level_count = 1,
        .least = twin->setup->autoscaler_min[number],
        .most = twin->setup->autoscaler_max[number],
    };
    twin->initial.replicas[number] = twin->setup->replicas[number];
    twin->initial.present[number] = add_revision(twin, number, template);
    return true;
}

/* ---- nodes ---- */

static struct taint taint_of(const char *key, enum taint_effect effect)
{
    return (struct taint){.key = key, .value = "", .effect = effect, .time_added = TIME_NONE};
}

static uint32_t node_template(struct twin *twin, const struct node *node, const char *name,
                              enum twin_condition condition)
{
    struct arena *arena = &twin->arena;
    struct node *copy = arena_copy(arena, node, sizeof(*node));
    struct taint *taints = ARENA_ARRAY(arena, struct taint, node->spec.taint_count + 3);
    struct condition *ready = ARENA_NEW(arena, struct condition);
    for (uint32_t t = 0; t < node->spec.taint_count; t++)
        taints[t] = node->spec.taints[t];
    copy->meta.name = name;
    labels_set(arena, &copy->meta.labels, LABEL_HOSTNAME, name);
    copy->spec.taints = taints;
    if (condition == CORDONED) {
        copy->spec.unschedulable = true;
        taints[copy->spec.taint_count++] =
            taint_of("node.kubernetes.io/unschedulable", TAINT_NO_SCHEDULE);
    } else if (condition != UP) {
        *ready = (struct condition){.type = "Ready",
                                    .status = "Unknown",
                                    .last_transition_time = TIME_NONE,
                                    .last_update_time = TIME_NONE,
                                    .last_heartbeat_time = TIME_NONE};
        copy->status.conditions = (struct conditions){ready, 1};
        copy->spec.unschedulable = condition == AWAY;
        taints[copy->spec.taint_count++] =
            taint_of("node.kubernetes.io/unreachable", TAINT_NO_SCHEDULE);
        taints[copy->spec.taint_count++] =
            taint_of("node.kubernetes.io/unreachable", TAINT_NO_EXECUTE);
    }
    return catalog_add_named_node(twin->catalog, copy);
}

static bool add_nodes(struct twin *twin)
{
    for (uint32_t g = 0; g < twin->scope->group_count; g++)
        for (int32_t i = 1; i <= twin->setup->nodes[g]; i++) {
            const struct setup_group *group = &twin->scope->groups[g];
            if (twin->node_count == TWIN_NODES_MOST)
                return false;
            struct twin_node *node = &twin->nodes[twin->node_count++];
            const char *name = arena_printf(&twin->arena, "%s-%d", group->name, i);
            node->group = g;
            for (int c = 0; c < CONDITION_COUNT; c++)
                node->templates[c] = node_template(twin, group->node, name, (enum twin_condition)c);
        }
    return true;
}

/* ---- events ---- */

static uint32_t find_workload(const struct twin *twin, const char *kind, const char *name)
{
    for (uint32_t w = 0; kind && name && w < twin->workload_count; w++)
        if (strcmp(twin->workloads[w].setup->object->kind_name, kind) == 0 &&
            strcmp(twin->workloads[w].setup->object->meta->name, name) == 0)
            return w;
    return NOBODY;
}

static int64_t amount_of(const struct cpu_level *level, int64_t request)
{
    const int64_t milli = quantity_milli_value(level->value);
    return level->percent ? request * milli / 100000 : milli;
}

static bool add_apply(struct twin *twin, struct twin_event *event, uint32_t number)
{
    const struct objects *applied = &twin->scope->applied[number];
    if (applied->count != 1 || applied->items[0].kind != OBJECT_DEPLOYMENT)
        return false;
    const struct object *object = &applied->items[0];
    event->workload = find_workload(twin, object->kind_name, object->meta->name);
    if (event->workload == NOBODY)
        return false;
    event->gives_replicas = true; /* the generated manifests always do */
    event->replicas = object->as.deployment->replicas;
    event->revision = add_revision(twin, event->workload, &object->as.deployment->template);
    return event->revision != NOBODY;
}

static bool add_event(struct twin *twin, const struct check_event *source, uint32_t number)
{
    if (twin->event_count == EVENTS_MOST)
        return false;
    struct twin_event *event = &twin->events[twin->event_count++];
    *event = (struct twin_event){.event = source, .workload = NOBODY};
    twin->remembers |= source->after_settled;
    if (source->object.name)
        event->workload = find_workload(twin, source->object.kind, source->object.name);
    switch (source->kind) {
    case EVENT_NODE_FAILURE:
    case EVENT_MAINTENANCE: return true;
    case EVENT_SCALE: return event->workload != NOBODY;
    case EVENT_CPU_CHANGE: {
        if (event->workload == NOBODY)
            return false;
        struct twin_workload *workload = &twin->workloads[event->workload];
        event->first_level = workload->level_count;
        for (uint32_t l = 0; l < source->level_count; l++) {
            if (workload->level_count == LEVELS_MOST)
                return false;
            workload->levels[workload->level_count++] =
                amount_of(&source->levels[l], workload->levels[0]);
        }
        return true;
    }
    case EVENT_APPLY: return add_apply(twin, event, number);
    default: return false;
    }
}

static bool build(struct twin *twin)
{
    const struct check *check = twin->scope->check;
    if (twin->scope->workload_count > WORKLOADS_MOST || !check)
        return false;
    for (uint32_t r = 0; r < REVISIONS_MOST; r++)
        twin->initial.set_replicas[r] = -1;
    for (uint32_t w = 0; w < twin->scope->workload_count; w++)
        if (!add_workload(twin, w))
            return false;
    for (uint32_t e = 0; e < check->event_count; e++)
        if (!add_event(twin, &check->events[e], e))
            return false;
    for (uint32_t w = 0; w < twin->workload_count; w++)
        if (!twin->workloads[w].deployment) {
            const uint32_t revision = twin->initial.present[w];
            twin->initial.set_replicas[revision] = twin->initial.replicas[w];
            twin->initial.set_desired[revision] = 0;
        }
    return add_nodes(twin);
}

/* ---- the model ---- */

uint32_t about_pod(uint32_t place)
{
    return 1 + place;
}

uint32_t about_node(uint32_t node)
{
    return 1 + TWIN_PODS_MOST + node;
}

uint32_t about_workload(uint32_t workload)
{
    return 1 + TWIN_PODS_MOST + TWIN_NODES_MOST + workload;
}

uint32_t about_set(uint32_t revision)
{
    return 1 + TWIN_PODS_MOST + TWIN_NODES_MOST + WORKLOADS_MOST + revision;
}

enum { SUBJECTS = 1 + TWIN_PODS_MOST + TWIN_NODES_MOST + WORKLOADS_MOST + REVISIONS_MOST };

static bool is_fair(enum twin_action action)
{
    static const bool fair[] = {
#define ACTION(constant, actor, verb, is_fair) is_fair,
#include "model/population/actions.def"
#undef ACTION
    };
    return fair[action];
}

void twin_emit(struct twin_run *run, struct twin_state *next, enum twin_action action,
               uint32_t subject, uint32_t workload, uint32_t victims, enum twin_pace pace)
{
    uint32_t words[STATE_WORDS];
    const uint64_t marks = twin_marks(run->twin, run->state, next, action, workload, victims);
    run->moved |= pace == FAST;
    run->waits |= pace == LAZY;
    memcpy(words, next, sizeof(*next));
    step_sink_emit(
        run->sink,
        &(struct step){
            .words = words,
            .length = STATE_WORDS,
            .action = action,
            .fairness = is_fair(action) ? (uint32_t)action * SUBJECTS + subject : FAIRNESS_OPTIONAL,
            .marks = marks,
        });
}

static void expand(const struct model *model, void *worker, const uint32_t *words, uint32_t length,
                   struct step_sink *sink)
{
    struct twin *twin = (struct twin *)(uintptr_t)model->context;
    const struct arena_mark mark = arena_mark(&twin->scratch);
    struct twin_state state;
    (void)worker;
    (void)length;
    memcpy(&state, words, sizeof(state));
    struct twin_run run = {.twin = twin, .state = &state, .sink = sink};
    twin_steps(&run);
    arena_rewind(&twin->scratch, mark);
}

static void emit_initial(const struct model *model, void *worker, struct step_sink *sink)
{
    const struct twin *twin = model->context;
    uint32_t words[STATE_WORDS];
    (void)worker;
    memcpy(words, &twin->initial, sizeof(twin->initial));
    step_sink_emit(sink, &(struct step){.words = words, .length = STATE_WORDS});
}

static uint64_t atoms(const struct model *model, void *worker, const uint32_t *words,
                      uint32_t length)
{
    struct twin *twin = (struct twin *)(uintptr_t)model->context;
    const struct arena_mark mark = arena_mark(&twin->scratch);
    struct twin_state state;
    (void)worker;
    (void)length;
    memcpy(&state, words, sizeof(state));
    const uint64_t result = twin_atoms(twin, &state);
    arena_rewind(&twin->scratch, mark);
    return result;
}

static void describe_step(const struct model *model, void *worker, const uint32_t *from,
                          uint32_t from_length, const struct step *step, struct text *text)
{
    static const char *const names[] = {
#define ACTION(constant, actor, verb, fair) actor " " verb,
#include "model/population/actions.def"
#undef ACTION
    };
    (void)model;
    (void)worker;
    (void)from;
    (void)from_length;
    text_append_string(text, names[step->action]);
}

static void describe_state(const struct model *model, void *worker, const uint32_t *words,
                           uint32_t length, struct text *text)
{
    (void)worker;
    (void)length;
    twin_fold((struct twin *)(uintptr_t)model->context, words, text);
}

struct twin *twin_create(struct memory *memory, const struct scope *scope,
                         const struct setup *setup, const struct check_intent *intents,
                         uint32_t intent_count, const struct property *properties)
{
    static const char *const names[] = {
#define ACTION(constant, actor, verb, fair) actor " " verb,
#include "model/population/actions.def"
#undef ACTION
    };
    struct twin *twin = memory_allocate(memory, sizeof(*twin));
    memset(twin, 0, sizeof(*twin));
    twin->memory = memory;
    twin->scope = scope;
    twin->setup = setup;
    twin->intents = intents;
    twin->intent_count = intent_count;
    arena_init(&twin->arena, memory);
    arena_init(&twin->scratch, memory);
    const struct features features = features_of_version(26);
    twin->catalog = catalog_create(&twin->arena, &features);
    catalog_surround(twin->catalog, scope->objects);
    twin->profiles = profiles_default(&twin->arena);
    struct namespace_object *namespace = ARENA_NEW(&twin->arena, struct namespace_object);
    namespace->meta.name = "default";
    namespace->meta.creation_time = TIME_NONE;
    namespace->meta.deletion_time = TIME_NONE;
    labels_set(&twin->arena, &namespace->meta.labels, "kubernetes.io/metadata.name", "default");
    VEC_PUSH(&twin->arena, &twin->catalog->surroundings.namespaces, namespace);
    if (!build(twin)) {
        twin_free(twin);
        return NULL;
    }
    twin->scheduler = scheduler_create(&twin->arena, twin->catalog, &twin->profiles);
    twin->model = (struct model){
        .name = "twin",
        .context = twin,
        .length_least = STATE_WORDS,
        .length_most = STATE_WORDS,
        .actions = names,
        .action_count = TWIN_ACTION_COUNT,
        .fairness_class_count = TWIN_ACTION_COUNT * SUBJECTS,
        .atom_count = intent_count,
        .mark_count = intent_count + 1,
        .properties = properties,
        .property_count = intent_count,
        .initial = emit_initial,
        .expand = expand,
        .atoms = atoms,
        .describe_step = describe_step,
        .describe_state = describe_state,
    };
    return twin;
}

void twin_free(struct twin *twin)
{
    struct memory *memory = twin->memory;
    if (twin->scheduler)
        scheduler_release(twin->scheduler);
    arena_release(&twin->scratch);
    arena_release(&twin->arena);
    memory_release(memory, twin, sizeof(*twin));
}

const struct model *twin_model(const struct twin *twin)
{
    return &twin->model;
}

bool twin_overflowed(const struct twin *twin)
{
    return twin->overflow;
}

/* ---- folding ---- */

static int compare_texts(const void *left, const void *right)
{
    return strcmp(*(const char *const *)left, *(const char *const *)right);
}

static void append_sorted(struct text *text, const char **items, uint32_t count)
{
    if (count > 1)
        qsort(items, count, sizeof(*items), compare_texts);
    for (uint32_t i = 0; i < count; i++)
        text_printf(text, " %s", items[i]);
}

void twin_fold(struct twin *twin, const uint32_t *words, struct text *text)
{
    struct twin_state state;
    const struct arena_mark mark = arena_mark(&twin->scratch);
    const char *nodes[TWIN_NODES_MOST];
    const char *pods[TWIN_PODS_MOST];
    memcpy(&state, words, sizeof(state));
    for (uint32_t w = 0; w < twin->workload_count; w++)
        text_printf(text, "w%d/%u", state.replicas[w], state.present[w]);
    for (uint32_t r = 0; r < twin->revision_count; r++)
        text_printf(text, " s%d/%d", state.set_replicas[r], state.set_desired[r]);
    for (uint32_t e = 0; e < twin->event_count; e++)
        text_printf(text, " e%u", state.used[e]);
    text_printf(text, " %d a%x |", state.settled_once, state.armed);
    for (uint32_t n = 0; n <= twin->node_count; n++) {
        uint32_t count = 0;
        const bool waiting = n == twin->node_count;
        for (uint32_t p = 0; p < TWIN_PODS_MOST; p++) {
            const struct place_of_pod *pod = &state.pods[p];
            if (pod->stage != PLACE_FREE && pod->node == (waiting ? NOBODY : n))
                pods[count++] =
                    arena_printf(&twin->scratch, "%u.%u.%u", pod->revision, pod->stage, pod->level);
        }
        if (waiting) {
            append_sorted(text, nodes, twin->node_count);
            text_append_string(text, " |");
            append_sorted(text, pods, count);
            break;
        }
        struct text one;
        text_init(&one, twin->memory);
        text_printf(&one, "[%u:%u", twin->nodes[n].group, state.conditions[n]);
        append_sorted(&one, pods, count);
        text_append_char(&one, ']');
        nodes[n] = arena_strdup(&twin->scratch, text_content(&one));
        text_release(&one);
    }
    arena_rewind(&twin->scratch, mark);
}
