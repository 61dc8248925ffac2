/* SPDX-License-Identifier: Apache-2.0 */
/* What a state means, and the small changes that steps are made of. */
#include "decide/controller/node_lifecycle.h"
#include "object/schemas.h"
#include "twin/twin_internal.h"

#include <string.h>

/* ---- nodes ---- */

/* The control plane takes it for Ready. */
bool condition_is_ready(enum twin_condition condition)
{
    switch (condition) {
    case UP:
    case CORDONED:
    case CANDIDATE:
    case SPARE:
    case LEAVING:
    case ORDERED:
    case FAILED:
    case ABSENT:
    case CUT:
    case CUT_AWHILE:
    case LOST:
    case LOST_AWAY:
    case GONE:
    case GONE_AWHILE: return true;
    default: return false;
    }
}

/* Its kubelet hears and is heard. */
bool condition_works(enum twin_condition condition)
{
    return condition == UP || condition == CORDONED || condition == CANDIDATE ||
           condition == SPARE || condition == LEAVING || condition == CUT ||
           condition == CUT_AWHILE;
}

/* Clients reach its pods. */
bool condition_is_reached(enum twin_condition condition)
{
    return condition == UP || condition == CORDONED || condition == CANDIDATE ||
           condition == SPARE || condition == LEAVING || condition == PARTITIONED ||
           condition == PARTITIONED_UNTAINTED || condition == PARTITIONED_UNNOTICED ||
           condition == PARTITIONED_AWHILE;
}

bool condition_is_unnoticed(enum twin_condition condition)
{
    return condition == UNNOTICED || condition == PARTITIONED_UNNOTICED;
}

/* The node lifecycle controller takes it for one that answers. */
static bool node_answers(const struct twin_state *state, uint32_t node)
{
    const enum twin_condition condition = (enum twin_condition)state->conditions[node];
    return condition_is_ready(condition) || condition_is_unnoticed(condition);
}

bool condition_returns(enum twin_condition condition)
{
    return condition == AWAY || condition == REPAIRED || condition == PARTITIONED_AWHILE ||
           condition == CUT_AWHILE || condition == GONE_AWHILE || condition == LOST_AWAY;
}

bool node_is_listed(const struct twin_state *state, uint32_t node)
{
    return state->conditions[node] != GONE && state->conditions[node] != GONE_AWHILE &&
           state->conditions[node] != ORDERED && state->conditions[node] != FAILED &&
           state->conditions[node] != ABSENT;
}

uint32_t node_template_of(const struct twin *twin, const struct twin_state *state, uint32_t node)
{
    const uint32_t pressures = state->pressures[node] % PASSES;
    return pressures ? twin->nodes[node].pressed[state->conditions[node]][pressures]
                     : twin->nodes[node].templates[state->conditions[node]];
}

static void monitor(struct twin *twin, const struct twin_state *state, struct lifecycle_zone *zones,
                    struct lifecycle_report *reports, uint32_t *zone_of)
{
    const struct node_lifecycle_rules rules = node_lifecycle_default_rules(&twin->features);
    struct lifecycle_node nodes[TWIN_NODES_MOST];
    uint32_t zone_count = 0;
    uint32_t count = 0;
    for (uint32_t n = 0; n < twin->node_count; n++) {
        const struct node *node =
            twin->catalog->templates.items[twin->nodes[n].templates[UP]]->node;
        const bool ready = node_answers(state, n);
        uint32_t same = 0;
        while (same < n &&
               strcmp(lifecycle_zone_key(&twin->scratch, node),
                      lifecycle_zone_key(
                          &twin->scratch,
                          twin->catalog->templates.items[twin->nodes[same].templates[UP]]->node)) !=
                   0)
            same++;
        zone_of[n] = same < n ? zone_of[same] : zone_count++;
        zones[zone_of[n]] = lifecycle_zone_initial(&rules);
        zones[zone_of[n]].state = ZONE_NORMAL;
        if (!node_is_listed(state, n))
            continue;
        nodes[count] = (struct lifecycle_node){
            .count = 1,
            .zone = zone_of[n],
            .known = true,
            .ready_saved = true,
            .creation_age = INT64_MAX / 4,
            .probe_age = ready ? 0 : INT64_MAX / 4,
        };
        nodes[count++].conditions[NODE_READY] = ready ? STATUS_TRUE : STATUS_UNKNOWN;
    }
    node_lifecycle_monitor(&rules, nodes, count, zones, zone_count, reports);
}

bool lifecycle_gives_up(struct twin *twin, const struct twin_state *state)
{
    (void)twin;
    for (uint32_t n = 0; n < twin->node_count; n++)
        if (node_is_listed(state, n) && node_answers(state, n))
            return true;
    return false;
}

uint32_t twin_zone_of(struct twin *twin, uint32_t node)
{
    const struct arena_mark mark = arena_mark(&twin->scratch);
    const char *own = lifecycle_zone_key(
        &twin->scratch, twin->catalog->templates.items[twin->nodes[node].templates[UP]]->node);
    uint32_t first = 0;
    while (strcmp(own,
                  lifecycle_zone_key(
                      &twin->scratch,
                      twin->catalog->templates.items[twin->nodes[first].templates[UP]]->node)) != 0)
        first++;
    arena_rewind(&twin->scratch, mark);
    return first;
}

static bool is_tainted_then(struct twin *twin, const struct twin_state *state, uint32_t node)
{
    struct lifecycle_zone zones[TWIN_NODES_MOST];
    struct lifecycle_report reports[TWIN_NODES_MOST];
    uint32_t zone_of[TWIN_NODES_MOST];
    if (!lifecycle_gives_up(twin, state))
        return false;
    monitor(twin, state, zones, reports, zone_of);
    return zones[zone_of[node]].limiter.rate > 0;
}

/* Whichever of the others are noticed by then. */
bool lifecycle_may_taint(struct twin *twin, const struct twin_state *state, uint32_t node)
{
    for (uint32_t set = 0; set < 1U << twin->node_count; set++) {
        struct twin_state then = *state;
        bool possible = true;
        for (uint32_t n = 0; n < twin->node_count; n++) {
            const enum twin_condition condition = (enum twin_condition)state->conditions[n];
            const bool noticed = (set >> n & 1) != 0;
            possible &= condition_is_unnoticed(condition) ? noticed || n != node : !noticed;
            if (noticed)
                then.conditions[n] = UNTAINTED;
        }
        if (possible && is_tainted_then(twin, &then, node))
            return true;
    }
    return false;
}

void set_condition(struct twin *twin, struct twin_state *next, uint32_t node,
                   enum twin_condition condition)
{
    next->conditions[node] = (uint8_t)condition;
    next->pressures[node] = 0;
    next->ages[node] = 0;
    for (uint32_t p = 0; p < TWIN_PODS_MOST && condition != CORDONED; p++)
        if (next->pods[p].node == node)
            next->pods[p].late = 0;
    /* When nobody answers any more, the taints are taken back. */
    for (uint32_t n = 0;
         twin->taints_late && !lifecycle_gives_up(twin, next) && n < twin->node_count; n++)
        if (next->conditions[n] == DOWN)
            next->conditions[n] = UNTAINTED;
        else if (next->conditions[n] == PARTITIONED)
            next->conditions[n] = PARTITIONED_UNTAINTED;
}

/* ---- pods ---- */

bool pod_is_there(const struct place_of_pod *pod)
{
    return pod->stage != PLACE_FREE;
}

bool pod_is_active(const struct place_of_pod *pod)
{
    return pod->stage != PLACE_FREE && pod->stage != POD_TERMINATES;
}

/* A template may say that its pods run and do not become ready (docs/formats.md). */
bool twin_never_ready(const struct twin *twin, const struct place_of_pod *pod)
{
    const char *value = labels_find(&twin->revisions[pod->revision].pod->meta.annotations,
                                    "fathom.dev/never-ready");
    return value && strcmp(value, "true") == 0;
}

bool twin_pod_runs(const struct twin *twin, const struct place_of_pod *pod)
{
    return pod->stage == POD_IS_READY || pod->stage == POD_TERMINATES ||
           (pod->stage == POD_STARTS && twin_never_ready(twin, pod));
}

bool twin_pod_ready(const struct twin_state *state, uint32_t place)
{
    const struct place_of_pod *pod = &state->pods[place];
    return pod->stage == POD_IS_READY &&
           condition_is_ready((enum twin_condition)state->conditions[pod->node]);
}

uint32_t workload_of(const struct twin *twin, const struct place_of_pod *pod)
{
    return twin->revisions[pod->revision].workload;
}

enum object_kind kind_of(const struct twin *twin, const struct place_of_pod *pod)
{
    return twin->workloads[workload_of(twin, pod)].kind;
}

uint32_t twin_count(const struct twin *twin, const struct twin_state *state, uint32_t revision,
                    bool ready)
{
    uint32_t count = 0;
    (void)twin;
    for (uint32_t p = 0; p < TWIN_PODS_MOST; p++)
        if (pod_is_active(&state->pods[p]) && state->pods[p].revision == revision)
            count += ready ? twin_pod_ready(state, p) : 1;
    return count;
}

const struct object *twin_spec(const struct twin *twin, const struct twin_state *state,
                               uint32_t workload)
{
    const uint32_t spec = state->spec[workload];
    return spec == 0 ? twin->workloads[workload].setup->object : twin->events[spec - 1].object;
}

/* A pod of a DaemonSet asks for its node by name. */
static void ask_for(struct twin *twin, struct pod *pod, const char *name)
{
    struct arena *arena = &twin->arena;
    struct affinity *affinity = ARENA_NEW(arena, struct affinity);
    struct node_affinity *node_affinity = ARENA_NEW(arena, struct node_affinity);
    struct node_selector *required = ARENA_NEW(arena, struct node_selector);
    struct node_selector_term *term = ARENA_NEW(arena, struct node_selector_term);
    struct selector_requirement *named = ARENA_NEW(arena, struct selector_requirement);
    const char **names = ARENA_NEW(arena, const char *);
    *names = name;
    if (pod->spec.affinity)
        *affinity = *pod->spec.affinity;
    if (affinity->node_affinity)
        *node_affinity = *affinity->node_affinity;
    *named = (struct selector_requirement){.key = "metadata.name", .operator= SELECTOR_IN };
    named->values.items = names;
    named->values.count = 1;
    *term = (struct node_selector_term){.match_fields = named, .match_field_count = 1};
    *required = (struct node_selector){.terms = term, .term_count = 1};
    node_affinity->required = required;
    affinity->node_affinity = node_affinity;
    pod->spec.affinity = affinity;
}

static void name_pod(struct twin *twin, struct pod *pod, uint32_t place,
                     const struct place_of_pod *of)
{
    const char *owner = twin->workloads[workload_of(twin, of)].setup->object->meta->name;
    if (kind_of(twin, of) == OBJECT_STATEFUL_SET) {
        pod->meta.name = arena_printf(&twin->arena, "%s-%u", owner, of->member);
        labels_set(&twin->arena, &pod->meta.labels, "statefulset.kubernetes.io/pod-name",
                   pod->meta.name);
        if (twin->features.pod_index_label)
            labels_set(&twin->arena, &pod->meta.labels, "apps.kubernetes.io/pod-index",
                       arena_printf(&twin->arena, "%u", of->member));
        return;
    }
    pod->meta.name = arena_printf(&twin->arena, "pod-%u-%u", of->revision, place);
    if (is_bystander(twin, workload_of(twin, of)))
        return;
    if (kind_of(twin, of) == OBJECT_DAEMON_SET)
        ask_for(twin, pod, twin->nodes[of->member].name);
}

/* As the scheduler does before it deletes a pod to make room. */
static void mark_preempted(struct arena *arena, struct pod *pod)
{
    struct condition *both = ARENA_ARRAY(arena, struct condition, 2);
    both[0] = pod->status.conditions.items[0];
    both[1] = (struct condition){.type = "DisruptionTarget",
                                 .status = "True",
                                 .reason = "PreemptionByScheduler",
                                 .last_transition_time = 0,
                                 .last_update_time = TIME_NONE,
                                 .last_heartbeat_time = TIME_NONE};
    pod->status.conditions = (struct conditions){both, 2};
}

/* The pod that waits, under its name and with its claim. */
static struct pod *waiting_pod(struct twin *twin, uint32_t place, const struct place_of_pod *pod)
{
    struct pod *copy = arena_copy(&twin->arena, twin->revisions[pod->revision].pod, sizeof(*copy));
    name_pod(twin, copy, place, pod);
    twin_dress_claims(twin, copy, pod);
    return copy;
}

uint32_t twin_class(struct twin *twin, uint32_t place, const struct place_of_pod *pod)
{
    uint32_t claimant;
    if (twin->claim_count > 0 && pod->stage == POD_WAITS &&
        twin_class_of_claimant(twin, place, pod, waiting_pod(twin, place, pod), &claimant))
        return claimant;
    const uint32_t member = pod->member == NOBODY ? TWIN_PODS_MOST : pod->member;
    const bool preempted = pod->chosen && pod->stage == POD_TERMINATES;
    uint32_t *known = preempted
                          ? &twin->preempted[place][pod->revision][pod->level][member]
                          : &twin->classes[place][pod->revision][pod->stage][pod->level][member];
    if (*known)
        return *known - 1;
    struct arena *arena = &twin->arena;
    struct pod *copy = arena_copy(arena, twin->revisions[pod->revision].pod, sizeof(*copy));
    struct condition *ready = ARENA_NEW(arena, struct condition);
    name_pod(twin, copy, place, pod);
    twin_dress_claims(twin, copy, pod);
    if (pod->stage != POD_WAITS) {
        copy->status.phase = twin_pod_runs(twin, pod) ? POD_RUNNING : POD_PENDING;
        copy->status.start_time = 0;
        if (pod->stage == POD_TERMINATES)
            copy->meta.deletion_time = 0;
        *ready = (struct condition){.type = "Ready",
                                    .status = pod->stage == POD_IS_READY ? "True" : "False",
                                    .last_transition_time = 0,
                                    .last_update_time = TIME_NONE,
                                    .last_heartbeat_time = TIME_NONE};
        copy->status.conditions = (struct conditions){ready, 1};
    }
    if (preempted)
        mark_preempted(arena, copy);
    *known = catalog_add_pod(twin->catalog, copy) + 1;
    while (twin->place_of_class.count < *known)
        VEC_PUSH(&twin->arena, &twin->place_of_class, place);
    return *known - 1;
}

bool pod_names_node(const struct twin *twin, const struct place_of_pod *pod)
{
    return twin->revisions[pod->revision].pod->spec.node_name != NULL;
}

struct view twin_view(struct twin_run *run, uint32_t scheduler, uint32_t *numbers)
{
    struct twin *twin = run->twin;
    struct view_node *nodes = ARENA_ARRAY(&twin->scratch, struct view_node, twin->node_count + 1);
    uint32_t listed = 0;
    twin->looked_at = run->state;
    for (uint32_t n = 0; n < twin->node_count; n++) {
        struct pod_count pods[TWIN_PODS_MOST];
        struct pod_count nominated[TWIN_PODS_MOST];
        uint32_t count = 0;
        uint32_t nominated_count = 0;
        for (uint32_t p = 0; p < TWIN_PODS_MOST; p++) {
            const struct place_of_pod *pod = &run->state->pods[p];
            if (!pod_is_there(pod))
                continue;
            if (pod->node == n)
                pods[count++] = (struct pod_count){twin_class(twin, p, pod), 1};
            else if (pod->stage == POD_WAITS && pod->nominated == n &&
                     twin->revisions[pod->revision].scheduler == scheduler)
                nominated[nominated_count++] = (struct pod_count){twin_class(twin, p, pod), 1};
        }
        if (!node_is_listed(run->state, n))
            continue;
        numbers[listed] = n;
        nodes[listed++] = (struct view_node){
            catalog_intern_config(twin->catalog,
                                  twin_with_images(twin, node_template_of(twin, run->state, n),
                                                   run->state->images[n]),
                                  pods, count, nominated, nominated_count),
            1};
    }
    return (struct view){.catalog = twin->catalog, .nodes = nodes, .node_count = listed};
}

void new_pod(struct twin *twin, struct twin_state *next, uint32_t revision, uint32_t member)
{
    for (uint32_t p = 0; p < TWIN_PODS_MOST; p++)
        if (!pod_is_there(&next->pods[p])) {
            next->pods[p] = (struct place_of_pod){.stage = POD_WAITS,
                                                  .revision = (uint8_t)revision,
                                                  .node = NOBODY,
                                                  .member = (uint8_t)member,
                                                  .nominated = NOBODY};
            if (twin->revisions[revision].node != NOBODY)
                twin_arrive(twin, next, p, twin->revisions[revision].node);
            return;
        }
    twin->overflow = true;
}

void lose_pod(const struct twin *twin, struct twin_state *next, uint32_t place)
{
    struct place_of_pod *pod = &next->pods[place];
    const uint32_t workload = workload_of(twin, pod);
    if (kind_of(twin, pod) == OBJECT_JOB && !twin_job_has_rules(twin, workload) && !pod->disowned &&
        next->over[workload] == 0 && next->present[workload] != NOBODY)
        next->failed[workload]++;
    *pod = (struct place_of_pod){0};
}

void end_pod(const struct twin *twin, struct twin_state *next, uint32_t place)
{
    struct place_of_pod *pod = &next->pods[place];
    if (pod->node == NOBODY) {
        lose_pod(twin, next, place);
        return;
    }
    const enum ending ending = ending_of(twin, next, place);
    pod->stage = POD_TERMINATES;
    pod->level = (uint8_t)ending;
    pod->late = 0;
    pod->start = 0;
    pod->since = 0;
}

/* ---- usage ---- */

static int64_t limit_of(const struct pod_spec *spec)
{
    int64_t sum = 0;
    for (uint32_t c = 0; c < spec->container_count; c++) {
        const struct quantity *cpu =
            resource_list_find(&spec->containers[c].resources.limits, "cpu");
        if (!cpu)
            return INT64_MAX;
        sum += quantity_milli_value(*cpu);
    }
    return sum;
}

int64_t twin_usage(const struct twin *twin, const struct twin_state *state, uint32_t place)
{
    const struct place_of_pod *pod = &state->pods[place];
    const uint32_t workload = workload_of(twin, pod);
    const struct twin_workload *of = &twin->workloads[workload];
    int64_t sharing = 0;
    if (!condition_is_reached((enum twin_condition)state->conditions[pod->node]))
        return 0;
    if (state->load[workload] == 0 && of->setup->load_milli == 0)
        return of->levels[pod->level];
    for (uint32_t p = 0; p < TWIN_PODS_MOST; p++)
        sharing +=
            twin_pod_ready(state, p) && workload_of(twin, &state->pods[p]) == workload &&
            condition_is_reached((enum twin_condition)state->conditions[state->pods[p].node]);
    const int64_t total =
        state->load[workload] == 0 ? of->setup->load_milli : of->totals[state->load[workload] - 1];
    const int64_t share = sharing == 0 ? 0 : (total + sharing - 1) / sharing;
    const int64_t limit = limit_of(&twin->revisions[pod->revision].pod->spec);
    return share < limit ? share : limit;
}

/* ---- objects ---- */

bool twin_object_deleted(const struct twin *twin, const struct twin_state *state, const char *kind,
                         const char *name)
{
    for (uint32_t e = 0; e < twin->event_count; e++) {
        const struct check_event *event = twin->events[e].event;
        if (event->kind == EVENT_DELETE && state->used[e] > 0 &&
            strcmp(event->object.kind, kind) == 0 && strcmp(event->object.name, name) == 0)
            return true;
    }
    return false;
}
