/* SPDX-License-Identifier: Apache-2.0 */
/* The twin as a model, and the folding of its states. */
#include "manifest/manifest.h"
#include "object/schemas.h"
#include "twin/twin_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

_Static_assert(sizeof(struct twin_state) % sizeof(uint32_t) == 0, "states are words");

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

enum {
    SUBJECTS_SINGLE = 1 + TWIN_PODS_MOST + TWIN_NODES_MOST + WORKLOADS_MOST + REVISIONS_MOST,
    SUBJECTS = SUBJECTS_SINGLE + REVISIONS_MOST * (TWIN_NODES_MOST + 1)
};

/* Pods of one kind on one node, or those of it that wait. */
static uint32_t about_kind(const struct place_of_pod *pod)
{
    return SUBJECTS_SINGLE + pod->revision * (TWIN_NODES_MOST + 1) +
           (pod->node == NOBODY ? TWIN_NODES_MOST : pod->node);
}

/* Outside events may never come, and nobody waits for a state to be called settled. All
 * else is somebody's turn. */
static bool is_fair(enum twin_action action)
{
    switch (action) {
    case TWIN_ACT_EVENT_NODE_FAILS:
    case TWIN_ACT_EVENT_ZONE_FAILS:
    case TWIN_ACT_EVENT_PARTITION:
    case TWIN_ACT_EVENT_LOAD:
    case TWIN_ACT_EVENT_MAINTENANCE:
    case TWIN_ACT_EVENT_PRESSURE:
    case TWIN_ACT_EVENT_CPU:
    case TWIN_ACT_EVENT_APPLY:
    case TWIN_ACT_EVENT_DELETE:
    case TWIN_ACT_EVENT_SCALE:
    case TWIN_ACT_EVENT_PROVISIONING:
    case TWIN_ACT_NODE_UNNEEDED:
    case TWIN_ACT_SETTLED: return false;
    default: return true;
    }
}

static void emit_counted(struct twin_run *run, struct twin_state *next, enum twin_action action,
                         uint32_t subject, uint32_t workload, uint32_t victims, enum twin_pace pace)
{
    uint32_t words[STATE_WORDS];
    if (!twin_note_pace(run, next, action, workload, pace))
        return;
    const uint64_t marks = twin_marks(run->twin, run->state, next, action, workload, victims);
    twin_count_turns(next);
    twin_forget_ages(run->twin, next);
    twin_forget_tries(run->twin, next);
    if (run->from) {
        twin_add_way(run, next, workload, pace);
        return;
    }
    if (run->twin->by_kind && subject >= about_pod(0) && subject < about_node(0))
        subject = about_kind(&run->state->pods[subject - about_pod(0)]);
    run->moved |= pace == FAST;
    run->waits |= pace == LAZY;
    if (run->later && pace == FAST && workload != ALL)
        run->restless |= 1U << workload;
    memcpy(words, next, sizeof(*next));
    step_sink_emit(
        run->sink,
        &(struct step){
            .words = words,
            .length = STATE_WORDS,
            .action = action,
            .fairness = is_fair(action)
                            ? ((uint32_t)action * SUBJECTS + subject) * LOOKS + (uint32_t)run->look
                            : FAIRNESS_OPTIONAL,
            .marks = marks,
        });
}

struct emission {
    struct twin_run *run;
    enum twin_action action;
    uint32_t subject;
    uint32_t workload;
    uint32_t victims;
    enum twin_pace pace;
};

static void emit_loss(void *context, struct twin_state *next)
{
    const struct emission *emission = context;
    emit_counted(emission->run, next, emission->action, emission->subject, emission->workload,
                 emission->victims, emission->pace);
}

void twin_emit(struct twin_run *run, struct twin_state *next, enum twin_action action,
               uint32_t subject, uint32_t workload, uint32_t victims, enum twin_pace pace)
{
    struct emission emission = {run, action, subject, workload, victims, pace};
    twin_job_losses(run, next, action, emit_loss, &emission);
}

/* ---- all that can happen next ---- */

/* As if runs began here. */
static void begin(struct twin_run *run)
{
    struct twin_state next = *run->state;
    next.begun = 1;
    next.settled_once = run->twin->remembers;
    twin_begin_intents(run->twin, &next);
    twin_emit(run, &next, TWIN_ACT_BEGIN, 0, ALL, 0, FAST);
}

void twin_fast_steps(struct twin_run *run)
{
    twin_look_ahead(run);
    twin_sync_workloads(run);
    twin_sync_kinds(run);
    twin_nodes(run);
    twin_drain_for_good(run);
    twin_report_images(run);
    twin_sync_budgets(run);
    twin_collect_garbage(run);
    twin_remove_endpoints(run);
    twin_rollbacks(run);
    twin_bind_claims(run);
    twin_schedule(run);
}

/* A class has the states in which whoever acts looks around as its gate. */
static uint32_t look_of(const struct model *model, uint32_t class)
{
    (void)model;
    return class % LOOKS == LOOKS_ALWAYS ? GATE_NONE : class % LOOKS - 1;
}

/* A cluster rests if nothing happens within seconds, or the same again and again for ever. It has
 * settled if that is so of minutes, too. */
void twin_steps(struct twin_run *run)
{
    struct twin *twin = run->twin;
    uint32_t moves = 0;
    twin_fast_steps(run);
    const bool rests = !run->moved || twin_rests_in_loop(twin, run->state, TWIN_SECONDS, &moves);
    const bool lasts = rests && ((!run->moved && !run->waits) ||
                                 twin_rests_in_loop(twin, run->state, TWIN_MINUTES, &moves));
    const bool periodic = twin_periodic_may_act(run, rests);
    run->moved = false;
    const bool settled = twin->clocked ? twin_clock_steps(run, rests, periodic) : lasts;
    run->look = LOOKS_ALWAYS;
    run->rested = *run->state;
    if (settled && run->rested.begun && twin->remembers)
        run->rested.settled_once = 1;
    run->state = &run->rested;
    twin_job_pods(run);
    twin_provide(run);
    run->later = true;
    run->look = LOOKS_NOW_AND_THEN;
    if (!twin->clocked && periodic) {
        twin_autoscale(run);
        twin_deschedule(run);
        twin_scale_up(run, rests);
    }
    if (periodic)
        twin_reapplies(run, settled);
    run->look = LOOKS_AT_REST;
    if (!twin->clocked && rests) {
        twin_pass_time(run);
        twin_job_deadlines(run);
        twin_scale_down(run);
    }
    run->later = false;
    run->look = LOOKS_ALWAYS;
    if (periodic)
        step_sink_open(run->sink, LOOKS_NOW_AND_THEN - 1);
    if (rests)
        step_sink_open(run->sink, LOOKS_AT_REST - 1);
    if (!run->rested.begun) {
        if (lasts && !twin->looks &&
            (!run->moved || twin_rests_in_loop(twin, run->state, TWIN_ANYBODY, &moves)))
            begin(run);
        return;
    }
    if (settled && twin->clocked)
        twin_foresee(run);
    if (settled && twin_rest_disliked(twin, run->state, run->restless | moves)) {
        struct twin_state same = run->rested;
        twin_emit(run, &same, TWIN_ACT_SETTLED, 0, ALL, 0, IDLE);
    }
    twin_events(run, settled);
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
    if (twin->clocked) {
        twin_each_start(twin, sink);
        return;
    }
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
#define ACTION(constant, actor, verb, traits, ...) actor " " verb,
#include "cluster/state/actions.def"
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
                         uint32_t intent_count, const struct property *properties,
                         enum twin_manner manner)
{
    static const char *const names[] = {
#define ACTION(constant, actor, verb, traits, ...) actor " " verb,
#include "cluster/state/actions.def"
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
    for (uint32_t g = 0; g < TWIN_SPANS; g++) {
        map_init(&twin->rests[g].numbers, &twin->arena);
        twin->rests[g].span = (enum twin_span)g;
    }
    twin->properties = properties;
    twin->manner = manner;
    twin->features = twin_features(scope->check);
    twin->reader = manifest_reader_create(memory);
    twin->catalog = catalog_create(&twin->arena, &twin->features);
    catalog_surround(twin->catalog, scope->objects);
    struct namespace_object *namespace = ARENA_NEW(&twin->arena, struct namespace_object);
    namespace->meta.name = "default";
    namespace->meta.creation_time = TIME_NONE;
    namespace->meta.deletion_time = TIME_NONE;
    labels_set(&twin->arena, &namespace->meta.labels, "kubernetes.io/metadata.name", "default");
    VEC_PUSH(&twin->arena, &twin->catalog->surroundings.namespaces, namespace);
    twin_compile_expressions(twin);
    if (!twin_build(twin)) {
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
        .fairness_class_count = TWIN_ACTION_COUNT * SUBJECTS * LOOKS,
        .class_gate = look_of,
        .gate_count = LOOKS - 1,
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
    manifest_reader_free(twin->reader);
    arena_release(&twin->scratch);
    arena_release(&twin->arena);
    memory_release(memory, twin, sizeof(*twin));
}

const struct model *twin_model(const struct twin *twin)
{
    return &twin->model;
}

void twin_begin_at(struct twin *twin, const uint32_t *words)
{
    memcpy(&twin->initial, words, sizeof(twin->initial));
}

void twin_begin_as(struct twin *twin, const struct twin *other)
{
    twin->initial = other->initial;
}

uint32_t twin_action_begin(void)
{
    return TWIN_ACT_BEGIN;
}

void twin_be_fair_to_kinds(struct twin *twin, bool to_kinds)
{
    twin->by_kind = to_kinds;
}

bool twin_overflowed(const struct twin *twin)
{
    return twin->overflow;
}

bool twin_leaves_out(const struct twin *twin)
{
    bool deletes = false;
    bool fails = false;
    for (uint32_t e = 0; e < twin->event_count; e++) {
        const enum event_kind kind = twin->events[e].event->kind;
        deletes |= kind == EVENT_DELETE;
        fails |= kind == EVENT_NODE_FAILURE || kind == EVENT_ZONE_OUTAGE || kind == EVENT_PARTITION;
    }
    return twin->admits || deletes || (fails && !twin->taints_late) ||
           twin_pulls_images(twin->scope->check);
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

/* A Job's own deletions are lowered in advance by the population. */
static int32_t failures(const struct twin *twin, const struct twin_state *state, uint32_t workload)
{
    int32_t failed = state->failed[workload];
    for (uint32_t p = 0;
         p < TWIN_PODS_MOST && state->over[workload] == 0 && !twin_job_has_rules(twin, workload);
         p++)
        failed -= pod_is_there(&state->pods[p]) && state->pods[p].disowned &&
                  workload_of(twin, &state->pods[p]) == workload;
    return state->present[workload] == NOBODY ? 0 : failed;
}

static const char *pod_text(struct twin *twin, const struct place_of_pod *pod)
{
    const bool ordinal = kind_of(twin, pod) == OBJECT_STATEFUL_SET;
    return arena_printf(&twin->scratch, "%u.%u.%u.%u.%u.%u.%u.%u.%u%s", pod->revision, pod->stage,
                        pod->level, ordinal ? pod->member : 0, pod->late, pod->chosen, pod->start,
                        pod->since, pod->turn, twin_job_pod_text(twin, pod));
}

/* The node with its pods, with those that are for it alone, and with the places
 * that are kept there. */
static const char *node_text(struct twin *twin, const struct twin_state *state, uint32_t node)
{
    const char *pods[2 * TWIN_PODS_MOST];
    uint32_t count = 0;
    struct text text;
    for (uint32_t p = 0; p < TWIN_PODS_MOST; p++) {
        const struct place_of_pod *pod = &state->pods[p];
        if (!pod_is_there(pod))
            continue;
        if (pod->node == node ||
            (pod->node == NOBODY && kind_of(twin, pod) == OBJECT_DAEMON_SET && pod->member == node))
            pods[count++] = pod_text(twin, pod);
        if (pod->stage == POD_WAITS && pod->nominated == node)
            pods[count++] = arena_printf(&twin->scratch, "*%s", pod_text(twin, pod));
    }
    text_init(&text, twin->memory);
    text_printf(&text, "[%u%s:%u:%u:%u:%x", twin->nodes[node].group,
                twin->nodes[node].named ? twin->nodes[node].name : "", state->conditions[node],
                state->pressures[node], state->ages[node], state->images[node]);
    append_sorted(&text, pods, count);
    text_append_char(&text, ']');
    const char *copy = arena_strdup(&twin->scratch, text_content(&text));
    text_release(&text);
    return copy;
}

void twin_fold(struct twin *twin, const uint32_t *words, struct text *text)
{
    struct twin_state state;
    const struct arena_mark mark = arena_mark(&twin->scratch);
    const char *nodes[TWIN_NODES_MOST];
    const char *pods[TWIN_PODS_MOST];
    uint32_t count = 0;
    memcpy(&state, words, sizeof(state));
    for (uint32_t w = 0; w < twin->workload_count; w++)
        text_printf(text, "w%d/%u/%u/%u/%d/%d/%u/%u/%d/%d ", state.replicas[w], state.present[w],
                    state.spec[w], state.current[w], state.succeeded[w], failures(twin, &state, w),
                    state.over[w], state.load[w], state.low[w], state.high[w]);
    for (uint32_t w = 0; w < twin->workload_count; w++)
        twin_job_text(twin, &state, w, text);
    for (uint32_t r = 0; r < twin->revision_count; r++)
        text_printf(text, "s%d/%d/%x ", state.set_replicas[r], state.set_desired[r],
                    state.tried[r]);
    twin_volumes_text(twin, &state, text);
    for (uint32_t e = 0; e < twin->event_count; e++)
        text_printf(text, "e%u ", state.used[e]);
    for (uint32_t b = 0; b < BUDGETS_MOST; b++)
        text_printf(text, "b%u ", state.written[b]);
    text_printf(text, "%u%u%u%u r%d ", state.settled_once, state.begun, state.early, state.unseen,
                state.recommended);
    for (uint32_t g = 0; g < TWIN_NODES_MOST; g++)
        text_printf(text, "o%u ", state.backoffs[g]);
    for (uint32_t i = 0; i < twin->intent_count; i++)
        text_printf(text, "%x:%u ", state.armed[i], state.waited[i]);
    text_printf(text, " %u/%u/%u/%u", state.sync_left, state.cycle_left, state.wave_left,
                state.cooldown_left);
    for (int l = 0; l < 3; l++)
        for (uint32_t i = 0; i < state.memory.counts[l]; i++)
            text_printf(text, " m%d:%d:%u", l, state.memory.lists[l][i].replicas,
                        state.memory.lists[l][i].syncs);
    text_printf(text, " m%u |", state.memory.started);
    for (uint32_t n = 0; n < twin->node_count; n++)
        nodes[n] = node_text(twin, &state, n);
    append_sorted(text, nodes, twin->node_count);
    for (uint32_t p = 0; p < TWIN_PODS_MOST; p++) {
        const struct place_of_pod *pod = &state.pods[p];
        if (pod_is_there(pod) && pod->node == NOBODY && kind_of(twin, pod) != OBJECT_DAEMON_SET)
            pods[count++] = pod_text(twin, pod);
    }
    text_append_string(text, " |");
    append_sorted(text, pods, count);
    arena_rewind(&twin->scratch, mark);
}
