/* SPDX-License-Identifier: Apache-2.0 */
/* What there is in the beginning: workloads, events, schedulers. */
#include "decide/controller/daemon_set/daemon_set_controller.h"
#include "decide/controller/taint_manager.h"
#include "manifest/document.h"
#include "object/schemas.h"
#include "twin/twin_internal.h"

#include <stdlib.h>
#include <string.h>

/* ---- workloads ---- */

const char *twin_image(const struct pod_template *template)
{
    return template->spec.container_count > 0 ? template->spec.containers[0].image : "";
}

int64_t twin_request(const struct pod_spec *spec)
{
    int64_t sum = 0;
    for (uint32_t c = 0; c < spec->container_count; c++) {
        const struct quantity *cpu =
            resource_list_find(&spec->containers[c].resources.requests, "cpu");
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
static void add_set(struct twin *twin, struct pod *pod, const struct setup_workload *setup,
                    const struct pod_template *template, uint32_t ordinal)
{
    struct arena *arena = &twin->arena;
    const struct object *object = setup->object;
    struct replica_set *set = ARENA_NEW(arena, struct replica_set);
    struct label_selector *selector = ARENA_NEW(arena, struct label_selector);
    const bool deployed = object->kind == OBJECT_DEPLOYMENT;
    const char *hash = arena_printf(arena, "r%u", ordinal);
    const char *name =
        deployed ? arena_printf(arena, "%s-%s", object->meta->name, hash) : object->meta->name;
    if (deployed && ordinal <= setup->set_count) { /* it is there already */
        name = setup->sets[ordinal - 1]->meta->name;
        hash = labels_find(&setup->sets[ordinal - 1]->meta->labels, "pod-template-hash");
    }
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

uint32_t twin_add_revision(struct twin *twin, uint32_t workload,
                           const struct pod_template *template)
{
    struct arena *arena = &twin->arena;
    const struct object *object = twin->workloads[workload].setup->object;
    uint32_t ordinal = 1;
    for (uint32_t r = 0; r < twin->revision_count; r++) {
        if (twin->revisions[r].workload != workload)
            continue;
        if (strcmp(twin->revisions[r].image, twin_image(template)) == 0)
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
    default: add_set(twin, pod, twin->workloads[workload].setup, template, ordinal); break;
    }
    twin->revisions[twin->revision_count] = (struct twin_revision){
        workload, twin_image(template), template, pod, NOBODY, 0, false, false};
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
        .request = twin_request(&template->spec),
        .levels = {twin_request(&template->spec)},
        .level_count = 1,
        .least = twin->setup->autoscaler_min[number],
        .most = twin->setup->autoscaler_max[number],
        .replicas = twin->setup->replicas[number],
        .largest = greater(twin->setup->replicas[number], twin->setup->autoscaler_max[number]),
    };
    workload->first = twin->scope->start == START_OBSERVED
                          ? twin_observed_revisions(twin, number)
                          : twin_add_revision(twin, number, template);
    twin->initial.replicas[number] = workload->replicas;
    twin->initial.present[number] = workload->first;
    if (workload->kind == OBJECT_STATEFUL_SET && twin->scope->start != START_OBSERVED)
        twin->initial.current[number] = workload->first;
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
    event->revision = twin_add_revision(twin, event->workload, workload_template(event->object));
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

static bool add_waves(struct twin *twin, struct twin_workload *workload, struct twin_event *event)
{
    const struct check_event *source = event->event;
    event->first = workload->total_count;
    if (workload->total_count + source->pattern_count > TOTALS_MOST)
        return false;
    for (uint32_t k = 0; k < source->pattern_count; k++)
        workload->totals[workload->total_count++] =
            quantity_milli_value(source->pattern[k].cpu.value);
    twin->initial.load[event->workload] = event->first + 1;
    return true;
}

static bool add_event(struct twin *twin, const struct check_event *source, uint32_t number)
{
    if (twin->event_count == EVENTS_MOST || source->node)
        return false;
    struct twin_event *event = &twin->events[twin->event_count++];
    *event = (struct twin_event){.event = source, .workload = NOBODY};
    twin->remembers |= source->after_settled;
    twin_compile_condition(twin, event);
    if (source->object.name)
        event->workload = find_workload(twin, source->object.kind, source->object.name);
    switch (source->kind) {
    case EVENT_NODE_FAILURE:
    case EVENT_ZONE_OUTAGE:
    case EVENT_PARTITION:
    case EVENT_MAINTENANCE:
    case EVENT_KERNEL_PANIC:
    case EVENT_DELETE:
    case EVENT_PROVISIONING_FAILURE:
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
    case EVENT_LOAD_PATTERN:
        return event->workload != NOBODY &&
               add_waves(twin, &twin->workloads[event->workload], event);
    case EVENT_APPLY: return add_apply(twin, event, number);
    default: return false;
    }
}

/* Is there a pod that does not stay on a node without an answer until all nodes are noticed? */
static bool pods_are_hasty(const struct twin *twin)
{
    const struct taint gone = {.key = "node.kubernetes.io/unreachable", .effect = TAINT_NO_EXECUTE};
    for (uint32_t r = 0; r < twin->revision_count; r++) {
        const struct pod_spec *spec = &twin->revisions[r].pod->spec;
        if (taint_manager_tolerated_seconds(&gone, 1, spec->tolerations, spec->toleration_count) <=
            15)
            return true;
    }
    return false;
}

/* Can a zone be partly disrupted, while a node is down for ever? With so few
 * nodes three of a zone must be, and one be left. Or can all nodes stop at once, and pods be
 * evicted before that is known? */
static bool taints_may_be_late(const struct twin *twin)
{
    int64_t taken = 0;
    bool for_ever = false;
    bool several = false;
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
        several |= silences && !event->recovers && event->topology_key;
    }
    for (uint32_t n = 0; n < twin->node_count; n++)
        taken += twin->initial.conditions[n] == DOWN;
    return (for_ever && taken >= 3 && twin->node_count > 3) ||
           (several && twin->node_count > 1 && pods_are_hasty(twin));
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

enum twin_interleaving twin_interleaving_of(const struct check *check)
{
    return strcmp(check->meta.name, "full") == 0      ? TWIN_FULL
           : strcmp(check->meta.name, "racing") == 0  ? TWIN_RACING
           : strcmp(check->meta.name, "settled") == 0 ? TWIN_SETTLED
                                                      : TWIN_CONTROLLERS;
}

bool twin_lags(const struct check *check)
{
    return check && labels_find(&check->meta.annotations, TWIN_LAG);
}

bool twin_pulls_images(const struct check *check)
{
    return check && labels_find(&check->meta.annotations, TWIN_IMAGES);
}

int64_t twin_image_bytes(const struct check *check)
{
    return twin_pulls_images(check)
               ? strtoll(labels_find(&check->meta.annotations, TWIN_IMAGES), NULL, 10) * 1024 * 1024
               : 0;
}

/* Outages and loads leave alone what workloads are told to have, and so does a manifest that says
 * nothing of replicas. Of all other events that is not looked at any closer. */
static bool may_scale(const struct twin *twin, const struct twin_event *event)
{
    switch (event->event->kind) {
    case EVENT_APPLY:
        return twin->workloads[twin->scaled_workload].setup->comes_later ||
               (event->workload == twin->scaled_workload && event->changes_replicas);
    case EVENT_NODE_FAILURE:
    case EVENT_ZONE_OUTAGE:
    case EVENT_PARTITION:
    case EVENT_CPU_CHANGE:
    case EVENT_CPU_PATTERN:
    case EVENT_LOAD_PATTERN:
    case EVENT_LOAD: return false;
    default: return true;
    }
}

/* What controllers have to remember. */
static void find_memories(struct twin *twin)
{
    for (uint32_t w = 0; w < twin->workload_count; w++)
        if (twin->workloads[w].setup && twin->workloads[w].setup->autoscaler)
            twin->scaled_workload = w;
    twin->has_periodic = twin_has_periodic(twin);
    for (uint32_t r = 1; r < twin->revision_count; r++)
        twin->ranks |= twin_priority(twin, r) != twin_priority(twin, 0);
    for (uint32_t e = 0; e < twin->event_count; e++)
        twin->scaled |= may_scale(twin, &twin->events[e]);
}

struct features twin_features(const struct check *check)
{
    const char *version = check ? labels_find(&check->meta.annotations, TWIN_VERSION) : NULL;
    struct features features = features_of_version(FEATURES_MINOR_FIRST);
    if (version && !features_of_text(version, &features))
        bug("%s is no version", version);
    return features;
}

/* By the conditions of a Job's pod, or by what an expression says of its phase. */
static bool rejections_are_told(const struct twin *twin)
{
    bool runs_low = false;
    bool told = twin_reads_pods(twin, "phase");
    for (uint32_t e = 0; e < twin->event_count; e++)
        runs_low |= twin->events[e].event->kind == EVENT_NODE_PRESSURE;
    for (uint32_t w = 0; w < twin->workload_count; w++)
        told |= twin_job_has_rules(twin, w);
    return runs_low && told;
}

bool twin_build(struct twin *twin)
{
    const struct check *check = twin->scope->check;
    if (twin->scope->workload_count > WORKLOADS_MOST || !check || twin->intent_count > INTENTS_MOST)
        return false;
    twin->clocked = twin->scope->time == TIME_CLOCKED;
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
    twin->interleaving = twin_interleaving_of(check);
    twin->lags = twin_lags(check);
    if (twin->catalog->surroundings.budgets.count > BUDGETS_MOST)
        return false;
    twin->begins_settled =
        twin->scope->start == START_SETTLED || twin->scope->start == START_CANONICAL;
    twin->initial.begun = !twin->begins_settled;
    if (!twin_add_bystanders(twin) || !twin_add_nodes(twin))
        return false;
    find_schedulers(twin);
    find_memories(twin);
    if (!twin_find_images(twin))
        return false;
    twin_find_claims(twin);
    twin_add_services(twin);
    twin->admits = twin_admission_matters(twin);
    twin->tells = rejections_are_told(twin);
    twin->taints_late =
        !twin->clocked && (twin->manner == TWIN_TAKES_ALL || taints_may_be_late(twin));
    if (twin->clocked)
        twin_read_times(twin);
    return twin->scope->start != START_OBSERVED || twin_observed_pods(twin);
}
