/* SPDX-License-Identifier: Apache-2.0 */
/* What there is in the beginning: workloads and their pods, nodes, events. */
#include "manifest/document.h"
#include "model/controller/daemon_set/daemon_set_controller.h"
#include "model/controller/kubelet.h"
#include "object/schemas.h"
#include "twin/twin_internal.h"

#include <string.h>

/* ---- workloads ---- */

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

static void own(struct arena *arena, struct pod *pod, const char *api_version, const char *kind,
                const char *name)
{
    struct owner_reference *reference = ARENA_NEW(arena, struct owner_reference);
    *reference = (struct owner_reference){
        .api_version = api_version, .kind = kind, .name = name, .controller = true};
    pod->meta.owners = reference;
    pod->meta.owner_count = 1;
}

/* The ReplicaSet of a revision, which default spreading looks for. */
static void add_set(struct twin *twin, struct pod *pod, const struct object *object,
                    const struct pod_template *template, uint32_t ordinal)
{
    struct arena *arena = &twin->arena;
    struct replica_set *set = ARENA_NEW(arena, struct replica_set);
    struct label_selector *selector = ARENA_NEW(arena, struct label_selector);
    const bool deployed = object->kind == OBJECT_DEPLOYMENT;
    const char *hash = arena_printf(arena, "r%u", ordinal);
    const char *name =
        deployed ? arena_printf(arena, "%s-%s", object->meta->name, hash) : object->meta->name;
    *selector = deployed ? *object->as.deployment->selector : *object->as.replica_set->selector;
    if (deployed) {
        labels_set(arena, &pod->meta.labels, "pod-template-hash", hash);
        labels_set(arena, &selector->match_labels, "pod-template-hash", hash);
    }
    own(arena, pod, "apps/v1", "ReplicaSet", name);
    set->meta = *object->meta;
    set->meta.name = name;
    set->template = *template;
    set->selector = selector;
    VEC_PUSH(arena, &twin->catalog->surroundings.replica_sets, set);
}

static uint32_t add_revision(struct twin *twin, uint32_t workload,
                             const struct pod_template *template)
{
    struct arena *arena = &twin->arena;
    const struct object *object = twin->workloads[workload].setup->object;
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
    const char *revision = arena_printf(arena, "%s-r%u", object->meta->name, ordinal);
    pod->meta = template->meta;
    pod->meta.namespace = object->meta->namespace;
    pod->meta.creation_time = 0;
    pod->meta.deletion_time = TIME_NONE;
    pod->spec = template->spec;
    pod->status.start_time = TIME_NONE;
    switch (object->kind) {
    case OBJECT_STATEFUL_SET:
        own(arena, pod, "apps/v1", "StatefulSet", object->meta->name);
        labels_set(arena, &pod->meta.labels, "controller-revision-hash", revision);
        break;
    case OBJECT_DAEMON_SET:
        own(arena, pod, "apps/v1", "DaemonSet", object->meta->name);
        labels_set(arena, &pod->meta.labels, "controller-revision-hash", revision);
        daemon_set_tolerations(arena, &template->spec, &pod->spec.tolerations,
                               &pod->spec.toleration_count);
        break;
    case OBJECT_JOB: own(arena, pod, "batch/v1", "Job", object->meta->name); break;
    default: add_set(twin, pod, object, template, ordinal); break;
    }
    twin->revisions[twin->revision_count] =
        (struct twin_revision){workload, image_of(template), template, pod, NOBODY, 0};
    return twin->revision_count++;
}

static int32_t greater(int32_t a, int32_t b)
{
    return a > b ? a : b;
}

static bool add_workload(struct twin *twin, uint32_t number)
{
    const struct setup_workload *setup = &twin->scope->workloads[number];
    struct twin_workload *workload = &twin->workloads[twin->workload_count++];
    const struct pod_template *template = workload_template(setup->object);
    switch (setup->object->kind) {
    case OBJECT_DEPLOYMENT:
    case OBJECT_REPLICA_SET:
    case OBJECT_STATEFUL_SET:
    case OBJECT_DAEMON_SET:
    case OBJECT_JOB: break;
    default: return false;
    }
    if (setup->comes_later || setup->autoscaler_count > 1)
        return false;
    *workload = (struct twin_workload){
        .setup = setup,
        .kind = setup->object->kind,
        .request = request_of(template),
        .levels = {request_of(template)},
        .level_count = 1,
        .least = twin->setup->autoscaler_min[number],
        .most = twin->setup->autoscaler_max[number],
        .replicas = twin->setup->replicas[number],
        .largest = greater(twin->setup->replicas[number], twin->setup->autoscaler_max[number]),
    };
    workload->first = add_revision(twin, number, template);
    twin->initial.replicas[number] = workload->replicas;
    twin->initial.present[number] = workload->first;
    if (workload->kind == OBJECT_STATEFUL_SET)
        twin->initial.current[number] = workload->first;
    return true;
}

/* ---- nodes ---- */

static struct taint taint_of(const char *key, enum taint_effect effect)
{
    return (struct taint){.key = key, .value = "", .effect = effect, .time_added = TIME_NONE};
}

static void look_dead(struct arena *arena, struct node *node, struct taint *taints, bool tainted)
{
    struct condition *ready = ARENA_NEW(arena, struct condition);
    *ready = (struct condition){.type = "Ready",
                                .status = "Unknown",
                                .last_transition_time = TIME_NONE,
                                .last_update_time = TIME_NONE,
                                .last_heartbeat_time = TIME_NONE};
    node->status.conditions = (struct conditions){ready, 1};
    taints[node->spec.taint_count++] =
        taint_of("node.kubernetes.io/unreachable", TAINT_NO_SCHEDULE);
    if (tainted)
        taints[node->spec.taint_count++] =
            taint_of("node.kubernetes.io/unreachable", TAINT_NO_EXECUTE);
}

static uint32_t node_template(struct twin *twin, const struct node *node, const char *name,
                              enum twin_condition condition, uint32_t pressures)
{
    struct arena *arena = &twin->arena;
    struct node *copy = arena_copy(arena, node, sizeof(*node));
    struct taint *taints = ARENA_ARRAY(arena, struct taint, node->spec.taint_count + 4);
    for (uint32_t t = 0; t < node->spec.taint_count; t++)
        taints[t] = node->spec.taints[t];
    copy->meta.name = name;
    labels_set(arena, &copy->meta.labels, LABEL_HOSTNAME, name);
    copy->spec.taints = taints;
    switch (condition) {
    case CORDONED:
        copy->spec.unschedulable = true;
        taints[copy->spec.taint_count++] =
            taint_of("node.kubernetes.io/unschedulable", TAINT_NO_SCHEDULE);
        break;
    case AWAY: /* it was cordoned, and has not come back */
        copy->spec.unschedulable = true;
        look_dead(arena, copy, taints, true);
        break;
    case DOUBTED:
    case PARTED_DOUBTED: look_dead(arena, copy, taints, false); break;
    case REPAIRED:
    case DOWN:
    case PARTED:
    case PARTED_AWHILE: look_dead(arena, copy, taints, true); break;
    default: break;
    }
    if (pressures & KUBELET_MEMORY_PRESSURE)
        taints[copy->spec.taint_count++] =
            taint_of("node.kubernetes.io/memory-pressure", TAINT_NO_SCHEDULE);
    if (pressures & KUBELET_DISK_PRESSURE)
        taints[copy->spec.taint_count++] =
            taint_of("node.kubernetes.io/disk-pressure", TAINT_NO_SCHEDULE);
    if (pressures & KUBELET_PID_PRESSURE)
        taints[copy->spec.taint_count++] =
            taint_of("node.kubernetes.io/pid-pressure", TAINT_NO_SCHEDULE);
    return catalog_add_named_node(twin->catalog, copy);
}

static bool add_nodes(struct twin *twin)
{
    for (uint32_t g = 0; g < twin->scope->group_count; g++)
        for (int32_t i = 1; i <= twin->setup->nodes[g]; i++) {
            const struct setup_group *group = &twin->scope->groups[g];
            if (twin->node_count == TWIN_NODES_MOST || group->names || group->single)
                return false;
            struct twin_node *node = &twin->nodes[twin->node_count++];
            node->group = g;
            node->name = arena_printf(&twin->arena, "%s-%d", group->name, i);
            for (int c = 0; c < CONDITIONS; c++)
                node->templates[c] =
                    node_template(twin, group->node, node->name, (enum twin_condition)c, 0);
            for (uint32_t p = 1; p < PRESSURES; p++)
                node->pressed[p] = node_template(twin, group->node, node->name, UP, p);
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

int64_t twin_amount(const struct cpu_level *level, int64_t whole)
{
    const int64_t milli = quantity_milli_value(level->value);
    return level->percent ? whole * milli / 100000 : milli;
}

static bool same_strategy(const struct object *a, const struct object *b)
{
    if (a->kind == OBJECT_STATEFUL_SET)
        return a->as.stateful_set->update_strategy == b->as.stateful_set->update_strategy &&
               a->as.stateful_set->partition == b->as.stateful_set->partition;
    if (a->kind == OBJECT_DAEMON_SET)
        return a->as.daemon_set->update_strategy == b->as.daemon_set->update_strategy &&
               int_or_percent_equal(a->as.daemon_set->max_surge, b->as.daemon_set->max_surge) &&
               int_or_percent_equal(a->as.daemon_set->max_unavailable,
                                    b->as.daemon_set->max_unavailable);
    if (a->kind != OBJECT_DEPLOYMENT)
        return true;
    return a->as.deployment->strategy == b->as.deployment->strategy &&
           int_or_percent_equal(a->as.deployment->max_surge, b->as.deployment->max_surge) &&
           int_or_percent_equal(a->as.deployment->max_unavailable,
                                b->as.deployment->max_unavailable);
}

static bool gives_replicas(const struct object *object)
{
    return value_find(value_find(&object->source->root, "spec"),
                      object->kind == OBJECT_JOB ? "parallelism" : "replicas") != NULL;
}

/* What kubectl apply makes of one workload that is there. */
static bool add_apply(struct twin *twin, struct twin_event *event, uint32_t number)
{
    const struct objects *applied = &twin->scope->applied[number];
    if (applied->count != 1)
        return false;
    event->object = &applied->items[0];
    event->workload = find_workload(twin, event->object->kind_name, event->object->meta->name);
    if (event->workload == NOBODY)
        return false;
    const struct object *before = twin->workloads[event->workload].setup->object;
    event->gives_replicas = gives_replicas(event->object);
    event->changes_replicas = event->gives_replicas || gives_replicas(before);
    event->replicas = workload_replicas(event->object);
    twin->workloads[event->workload].largest =
        greater(twin->workloads[event->workload].largest, event->replicas);
    event->revision = add_revision(twin, event->workload, workload_template(event->object));
    event->spec = same_strategy(before, event->object) ? 0 : number + 1;
    return event->revision != NOBODY;
}

static bool add_levels(struct twin_workload *workload, struct twin_event *event)
{
    const struct check_event *source = event->event;
    event->first = workload->level_count;
    for (uint32_t l = 0; l < source->level_count; l++) {
        if (workload->level_count == LEVELS_MOST)
            return false;
        workload->levels[workload->level_count++] =
            twin_amount(&source->levels[l], workload->request);
    }
    return true;
}

/* They come before those of a cpuChange, wherever the event stands. */
static bool add_pattern(struct twin_workload *workload, const struct check_event *source)
{
    if (workload->level_count > 1 || 2 * source->pattern_count > LEVELS_MOST)
        return false;
    workload->pattern_steps = source->pattern_count;
    workload->level_count = 2 * source->pattern_count;
    for (uint32_t l = 0; l < workload->level_count; l++)
        workload->levels[l] = twin_amount(&source->pattern[l / 2].cpu, workload->request);
    return true;
}

static bool add_totals(struct twin *twin, struct twin_workload *workload, struct twin_event *event)
{
    const struct check_event *source = event->event;
    event->first = workload->total_count;
    for (uint32_t t = 0; t < source->total_count; t++) {
        if (workload->total_count == TOTALS_MOST)
            return false;
        workload->totals[workload->total_count++] = quantity_milli_value(source->totals[t]);
    }
    if (!source->initial)
        return true;
    if (workload->total_count == TOTALS_MOST)
        return false;
    workload->totals[workload->total_count++] = quantity_milli_value(*source->initial);
    twin->initial.load[event->workload] = workload->total_count;
    return true;
}

static bool add_event(struct twin *twin, const struct check_event *source, uint32_t number)
{
    if (twin->event_count == EVENTS_MOST || source->node)
        return false;
    struct twin_event *event = &twin->events[twin->event_count++];
    *event = (struct twin_event){.event = source, .workload = NOBODY};
    twin->remembers |= source->after_settled;
    if (source->object.name)
        event->workload = find_workload(twin, source->object.kind, source->object.name);
    switch (source->kind) {
    case EVENT_NODE_FAILURE:
    case EVENT_ZONE_OUTAGE:
    case EVENT_PARTITION:
    case EVENT_MAINTENANCE:
    case EVENT_KERNEL_PANIC:
    case EVENT_DELETE:
    case EVENT_NODE_PRESSURE: return true;
    case EVENT_SCALE:
        for (uint32_t i = 0; event->workload != NOBODY && i < source->to_count; i++)
            twin->workloads[event->workload].largest =
                greater(twin->workloads[event->workload].largest, source->to[i]);
        return event->workload != NOBODY;
    case EVENT_CPU_PATTERN:
        return event->workload != NOBODY && add_pattern(&twin->workloads[event->workload], source);
    case EVENT_CPU_CHANGE:
        return event->workload != NOBODY && add_levels(&twin->workloads[event->workload], event);
    case EVENT_LOAD:
        return event->workload != NOBODY &&
               add_totals(twin, &twin->workloads[event->workload], event);
    case EVENT_APPLY: return add_apply(twin, event, number);
    default: return false;
    }
}

/* Can a zone be partly disrupted, while a node is down for ever? With so few
 * nodes three of a zone must be, and one be left. */
static bool doubt_is_possible(const struct twin *twin)
{
    int64_t taken = 0;
    bool for_ever = false;
    for (uint32_t e = 0; e < twin->event_count; e++) {
        const struct check_event *event = twin->events[e].event;
        const bool silences = event->kind == EVENT_NODE_FAILURE ||
                              event->kind == EVENT_ZONE_OUTAGE ||
                              (event->kind == EVENT_PARTITION && event->from != PARTITION_CLIENTS);
        if (silences || event->kind == EVENT_MAINTENANCE)
            taken += event->topology_key ? 3 : event->at_most;
        if (event->kind == EVENT_KERNEL_PANIC)
            taken += 3;
        for_ever |= silences && !event->recovers;
    }
    return for_ever && taken >= 3 && twin->node_count > 3;
}

/* Pods that say where they are for make their node one of its own. */
static void find_named_nodes(struct twin *twin)
{
    for (uint32_t r = 0; r < twin->revision_count; r++)
        for (uint32_t n = 0; n < twin->node_count; n++) {
            const char *name = twin->revisions[r].pod->spec.node_name;
            if (!name || strcmp(name, twin->nodes[n].name) != 0)
                continue;
            twin->revisions[r].node = n;
            twin->nodes[n].named = true;
        }
}

/* Profiles share a queue, unless they are programs of their own. */
static void find_schedulers(struct twin *twin)
{
    const struct check_scheduler *scheduler = twin->scope->check->controllers.scheduler;
    twin->profiles =
        scheduler && scheduler->configuration
            ? profiles_resolve(&twin->arena, scheduler->configuration, (struct place){0}, NULL)
            : profiles_default(&twin->arena);
    twin->scheduler_count = 1;
    if (!scheduler || !scheduler->separate)
        return;
    twin->scheduler_count = twin->profiles.count;
    for (uint32_t r = 0; r < twin->revision_count; r++) {
        const struct profile *profile =
            profiles_find(&twin->profiles, twin->revisions[r].pod->spec.scheduler_name);
        twin->revisions[r].scheduler = profile ? (uint32_t)(profile - twin->profiles.items) : 0;
    }
}

bool twin_interleaves(const struct check *check)
{
    return strcmp(check->meta.name, "full") == 0;
}

bool twin_build(struct twin *twin)
{
    const struct check *check = twin->scope->check;
    if (twin->scope->workload_count > WORKLOADS_MOST || !check ||
        twin->intent_count > INTENTS_MOST || twin->scope->time == TIME_CLOCKED ||
        twin->scope->start == START_OBSERVED)
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
        if (twin->workloads[w].kind == OBJECT_REPLICA_SET)
            twin->initial.set_replicas[twin->initial.present[w]] = twin->initial.replicas[w];
    twin->full = twin_interleaves(check);
    twin->begins_settled = twin->scope->start == START_SETTLED;
    twin->initial.begun = !twin->begins_settled;
    if (!add_nodes(twin))
        return false;
    find_named_nodes(twin);
    find_schedulers(twin);
    twin->admits = twin_admission_matters(twin);
    twin->doubts = twin->manner == TWIN_TAKES_ALL || doubt_is_possible(twin);
    return true;
}
