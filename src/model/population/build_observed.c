/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A start from the present state: the ReplicaSets that are there are revisions
 * of their workloads, the pods that are there are on their nodes.
 *
 * A pod that nobody in the model looks after is a bystander: it takes place,
 * carries labels, can be evicted, and does not come back. Bystanders that are
 * equal in all that is read of them are one kind, with a workload of its own
 * that wants nothing.
 */
#include "model/controller/deployment/template_signature.h"
#include "model/controller/disruption.h"
#include "model/pod_fingerprint.h"
#include "model/population/population_internal.h"
#include "setup/reads.h"

#include "manifest/document.h"

#include <stdlib.h>
#include <string.h>

#define DESIRED_ANNOTATION "deployment.kubernetes.io/desired-replicas"

/* ---- slices ---- */

static struct labels slice_labels(struct arena *arena, const struct reads *reads,
                                  const struct labels *labels)
{
    struct labels slice = {.items = ARENA_ARRAY(arena, struct label, labels->count + 1)};
    for (uint32_t i = 0; i < labels->count; i++)
        if (reads->all_pod_labels || reads_has(&reads->pod_labels, labels->items[i].key))
            slice.items[slice.count++] = labels->items[i];
    return slice;
}

/* Requests and host ports; images only where they are read. */
static struct container *slice_containers(struct arena *arena, const struct container *containers,
                                          uint32_t count, bool images)
{
    struct container *slice = ARENA_ARRAY(arena, struct container, count + 1);
    for (uint32_t i = 0; i < count; i++)
        slice[i] = (struct container){
            .name = "",
            .image = images ? containers[i].image : NULL,
            .restart_policy = containers[i].restart_policy,
            .ports = containers[i].ports,
            .port_count = containers[i].port_count,
            .resources = containers[i].resources,
        };
    return slice;
}

/* What two pods may not share; a descheduler also minds local storage. */
static void slice_volumes(struct arena *arena, struct pod_spec *spec, bool local)
{
    struct volume *slice = ARENA_ARRAY(arena, struct volume, spec->volume_count + 1);
    uint32_t count = 0;
    for (uint32_t i = 0; i < spec->volume_count; i++) {
        const struct volume *volume = &spec->volumes[i];
        const bool is_local =
            volume->source == VOLUME_EMPTY_DIR || volume->source == VOLUME_HOST_PATH;
        if (volume->source == VOLUME_OTHER || (is_local && !local))
            continue;
        slice[count] = *volume;
        if (volume->source != VOLUME_EPHEMERAL_CLAIM)
            slice[count].name = "";
        count++;
    }
    spec->volumes = slice;
    spec->volume_count = count;
}

/* A copy of the pod with what is read of it. Of a pod that waits that is more:
 * a node is looked for. */
static struct pod *slice_pod(struct arena *arena, const struct reads *reads, const struct pod *pod)
{
    const bool waits = !pod->spec.node_name;
    const bool looked_at = waits || (reads->pods_in_place && !pod_is_pinned(pod));
    struct pod *slice = ARENA_NEW(arena, struct pod);
    slice->meta = (struct object_meta){
        .name = pod->meta.name,
        .namespace = pod->meta.namespace,
        .creation_time = 0,
        .deletion_time = TIME_NONE,
        .labels = slice_labels(arena, reads, &pod->meta.labels),
    };
    if (waits || reads->pods_in_place) {
        slice->meta.owners = pod->meta.owners;
        slice->meta.owner_count = pod->meta.owner_count;
        slice->meta.annotations = pod->meta.annotations;
    }
    slice->status.start_time = TIME_NONE;
    struct pod_spec *spec = &slice->spec;
    *spec = pod->spec;
    spec->node_name = NULL;
    spec->containers = slice_containers(arena, spec->containers, spec->container_count, looked_at);
    spec->init_containers =
        slice_containers(arena, spec->init_containers, spec->init_container_count, looked_at);
    spec->priority_class_name = NULL;
    spec->termination_grace_seconds = 0;
    spec->active_deadline_seconds = (struct optional_int){0};
    spec->hostname = NULL;
    spec->subdomain = NULL;
    slice_volumes(arena, spec, reads->pods_in_place);
    if (looked_at)
        return slice;
    spec->node_selector = (struct labels){0};
    spec->topology_spread_constraint_count = 0;
    if (spec->affinity) {
        struct affinity *affinity = ARENA_NEW(arena, struct affinity);
        *affinity = *spec->affinity;
        affinity->node_affinity = NULL;
        spec->affinity = affinity;
    }
    return slice;
}

/* ---- sets and their pods ---- */

/* ---- volumes ---- */

/* Nobody asked for the claims: volumes are taken to be wherever their pods go. */
static void drop_unknown_claims(struct population *population, struct pod_spec *spec)
{
    if (population->catalog->surroundings.claims.count > 0)
        return;
    struct volume *kept = ARENA_ARRAY(&population->arena, struct volume, spec->volume_count + 1);
    uint32_t count = 0;
    for (uint32_t i = 0; i < spec->volume_count; i++)
        if (spec->volumes[i].source != VOLUME_PERSISTENT_CLAIM &&
            spec->volumes[i].source != VOLUME_EPHEMERAL_CLAIM)
            kept[count++] = spec->volumes[i];
    spec->volumes = kept;
    spec->volume_count = count;
}

/* ---- StatefulSets and DaemonSets ---- */

/* The number behind the last hyphen; -1: there is none. */
static int32_t ordinal_of(const struct object *pod)
{
    const char *hyphen = strrchr(pod->meta->name, '-');
    if (!hyphen || !hyphen[1] || hyphen[1 + strspn(hyphen + 1, "0123456789")])
        return -1;
    return (int32_t)strtol(hyphen + 1, NULL, 10);
}

/* Was the pod made from a template that is no longer that of its StatefulSet or
 * DaemonSet? */
static bool is_outdated(const struct observed_pod *pod, const struct object *set)
{
    const bool daemons = set->kind == OBJECT_DAEMON_SET;
    const char *made_from =
        labels_find(&pod->object->meta->labels,
                    daemons ? "pod-template-generation" : "controller-revision-hash");
    const char *present =
        daemons ? labels_find(&set->meta->annotations, "deprecated.daemonset.template.generation")
                : set->as.stateful_set->status.update_revision;
    return made_from && present && strcmp(made_from, present) != 0;
}

static const struct observed_pod *find_outdated(const struct scope *scope, uint32_t workload)
{
    for (uint32_t i = 0; i < scope->pod_count; i++)
        if (scope->pods[i].workload == workload &&
            is_outdated(&scope->pods[i], scope->workloads[workload].object))
            return &scope->pods[i];
    return NULL;
}

uint32_t observed_ordinals(const struct scope *scope, uint32_t workload)
{
    int32_t most = -1;
    for (uint32_t i = 0; i < scope->pod_count; i++)
        if (scope->pods[i].workload == workload && ordinal_of(scope->pods[i].object) > most)
            most = ordinal_of(scope->pods[i].object);
    return (uint32_t)(most + 1);
}

/* The template of the pods that an update has not reached yet is in no object
 * but in those pods. */
static uint32_t add_two_revisions(struct population *population, uint32_t workload,
                                  const char *wanted)
{
    struct arena *arena = &population->arena;
    const struct object *set = population->scope->workloads[workload].object;
    const struct observed_pod *old = find_outdated(population->scope, workload);
    if (old) {
        struct pod_template *template = ARENA_NEW(arena, struct pod_template);
        template->meta = workload_template(set)->meta;
        template->spec = old->object->as.pod->spec;
        template->spec.node_name = NULL;
        if (set->kind == OBJECT_DAEMON_SET) /* that of the pod asks for its node */
            template->spec.affinity = workload_template(set)->spec.affinity;
        population_add_revision(population, workload, template, "");
    }
    return population_add_revision(population, workload, workload_template(set), wanted);
}

/* The newest pod of a set: what the set makes next will look like it, with all
 * that admission has put in. NULL: there is none. */
static const struct observed_pod *newest_pod(const struct scope *scope, uint32_t workload,
                                             const struct object *set)
{
    const struct observed_pod *newest = NULL;
    for (uint32_t i = 0; i < scope->pod_count; i++) {
        const struct observed_pod *pod = &scope->pods[i];
        if (pod->workload != workload || pod->set != set || pod->stage == OBSERVED_TERMINATING)
            continue;
        if (!newest || pod->object->meta->creation_time > newest->object->meta->creation_time)
            newest = pod;
    }
    return newest;
}

/* The set of a workload that is one, or that of a Deployment's revision. */
static const struct object *set_of(const struct setup_workload *workload, uint32_t number)
{
    if (workload->object->kind == OBJECT_REPLICA_SET)
        return workload->object;
    return number < workload->set_count ? workload->sets[number] : NULL;
}

/* The pod of this ordinal, made from the template with this number. */
static const struct observed_pod *member_pod(const struct scope *scope, uint32_t workload,
                                             uint32_t number, int32_t ordinal)
{
    const bool updating = find_outdated(scope, workload) != NULL;
    for (uint32_t i = 0; i < scope->pod_count; i++) {
        const struct observed_pod *pod = &scope->pods[i];
        if (pod->workload == workload && ordinal_of(pod->object) == ordinal &&
            number == (updating && !is_outdated(pod, scope->workloads[workload].object)))
            return pod;
    }
    return NULL;
}

/* A pod of the DaemonSet's template with this number. */
static const struct observed_pod *daemon_pod(const struct scope *scope, uint32_t workload,
                                             uint32_t number)
{
    const bool updating = find_outdated(scope, workload) != NULL;
    for (uint32_t i = 0; i < scope->pod_count; i++)
        if (scope->pods[i].workload == workload &&
            number ==
                (updating && !is_outdated(&scope->pods[i], scope->workloads[workload].object)))
            return &scope->pods[i];
    return NULL;
}

void observed_dress(struct population *population, uint32_t workload, uint32_t number,
                    int32_t ordinal, struct pod *pod)
{
    const struct scope *scope = population->scope;
    const struct setup_workload *of = &scope->workloads[workload];
    const struct observed_pod *like = NULL;
    if (scope->start != START_OBSERVED)
        return;
    if (of->object->kind == OBJECT_STATEFUL_SET)
        like = member_pod(scope, workload, number, ordinal);
    else if (of->object->kind == OBJECT_DAEMON_SET)
        like = daemon_pod(scope, workload, number);
    else if (number < (of->set_count ? of->set_count : 1))
        like = newest_pod(scope, workload, set_of(of, number));
    if (like) {
        const char *node_name = pod->spec.node_name;
        struct affinity *affinity = pod->spec.affinity;
        pod->spec = like->object->as.pod->spec;
        pod->spec.node_name = node_name;
        if (of->object->kind == OBJECT_DAEMON_SET) /* that of the pod asks for its node */
            pod->spec.affinity = affinity;
        pod->meta.labels = like->object->meta->labels;
        pod->meta.annotations = like->object->meta->annotations;
    }
    drop_unknown_claims(population, &pod->spec);
}

static const struct value *template_value(const struct object *object)
{
    return object->source ? value_find(value_find(&object->source->root, "spec"), "template")
                          : NULL;
}

uint32_t observed_add_revisions(struct population *population, uint32_t workload)
{
    const struct setup_workload *setup = &population->scope->workloads[workload];
    const char *wanted = template_signature(&population->arena, template_value(setup->object));
    uint32_t present = UINT32_MAX;
    if (setup->object->kind == OBJECT_STATEFUL_SET || setup->object->kind == OBJECT_DAEMON_SET)
        return add_two_revisions(population, workload, wanted);
    for (uint32_t i = 0; i < setup->set_count; i++) {
        const struct object *set = setup->sets[i];
        const char *signature = template_signature(&population->arena, template_value(set));
        const uint32_t revision = population_add_revision(
            population, workload, &set->as.replica_set->template, signature);
        if (present == UINT32_MAX && strcmp(signature, wanted) == 0)
            present = revision;
    }
    return present != UINT32_MAX
               ? present
               : population_add_revision(population, workload, workload_template(setup->object),
                                         wanted);
}

/* ---- bystanders ---- */

static uint32_t add_bystander(struct population *population, const struct object *object,
                              struct pod *slice)
{
    struct arena *arena = &population->arena;
    const uint32_t number = population->workloads.count;
    struct setup_workload *setup = ARENA_NEW(arena, struct setup_workload);
    setup->object = object;
    setup->name = arena_printf(arena, "Pod/%s/%s", object->meta->namespace, object->meta->name);
    const struct workload workload = {
        .setup = setup,
        .first_revision = population->revisions.count,
        .revision_count = 1,
        .ordinal_count = 1,
        .levels = ARENA_NEW(arena, struct pod_level),
        .level_count = 1,
        .bystander = true,
        .budget_owner =
            object_meta_controller(object->meta) ? BUDGET_UNKNOWN_OWNER : BUDGET_UNMANAGED,
    };
    workload.levels[0].cpu_milli = pod_cpu_request(&slice->spec);
    VEC_PUSH(arena, &population->workloads, workload);
    struct pod_template *template = ARENA_NEW(arena, struct pod_template);
    *template = (struct pod_template){.meta = slice->meta, .spec = slice->spec};
    const struct revision revision = {
        .workload = number,
        .ordinal = -1,
        .template = template,
        .owner_meta = object->meta,
        .signature = "",
        .pod = slice,
        .priority = slice->spec.priority.set ? (int32_t)slice->spec.priority.value : 0,
        .request_cpu_milli = workload.levels[0].cpu_milli,
        .never_waits = object->as.pod->spec.node_name != NULL,
        .pinned = pod_is_pinned(object->as.pod),
    };
    VEC_PUSH(arena, &population->revisions, revision);
    return population->revisions.count - 1;
}

static uint32_t bystander_revision(struct population *population, const struct object *object,
                                   struct map *known)
{
    const struct pod *pod = object->as.pod;
    const struct owner_reference *owner = object_meta_controller(&pod->meta);
    struct pod *slice = slice_pod(&population->arena, population->scope->reads, pod);
    struct text text;
    drop_unknown_claims(population, &slice->spec);
    text_init(&text, population->memory);
    pod_fingerprint(&text, slice);
    /* Drains and budgets ask for the kind of the owner. */
    text_printf(&text, " %d %s", pod->spec.node_name != NULL, owner ? owner->kind : "");
    if (population->scope->reads->pods_in_place)
        for (uint32_t i = 0; i < slice->meta.annotations.count; i++)
            text_printf(&text, " %s=%s", slice->meta.annotations.items[i].key,
                        slice->meta.annotations.items[i].value);
    uintptr_t number = (uintptr_t)map_get(known, text_content(&text));
    if (number == 0) {
        number = (uintptr_t)add_bystander(population, object, slice) + 1;
        map_put(known, arena_strndup(&population->arena, text_content(&text), text.length))->value =
            (void *)number;
    }
    text_release(&text);
    return (uint32_t)number - 1;
}

/* ---- the pods of the start ---- */

static uint32_t managed_revision(const struct population *population,
                                 const struct observed_pod *pod)
{
    const struct workload *workload = &population->workloads.items[pod->workload];
    if (workload->kind == OBJECT_STATEFUL_SET || workload->kind == OBJECT_DAEMON_SET) {
        const struct scope *scope = population->scope;
        const bool newer = find_outdated(scope, pod->workload) &&
                           !is_outdated(pod, scope->workloads[pod->workload].object);
        const int32_t index = workload->kind == OBJECT_STATEFUL_SET
                                  ? ordinal_of(pod->object) - workload->first_ordinal
                                  : 0;
        return workload->first_revision + (newer ? workload->ordinal_count : 0) + (uint32_t)index;
    }
    for (uint32_t i = 0; pod->set && i < workload->setup->set_count; i++)
        if (workload->setup->sets[i] == pod->set)
            return workload->first_revision + i;
    return workload->first_revision;
}

void observed_add_pods(struct population *population)
{
    const struct scope *scope = population->scope;
    struct map known;
    map_init(&known, &population->arena);
    population->observed_revisions =
        ARENA_ARRAY(&population->arena, uint32_t, scope->pod_count + 1);
    for (uint32_t i = 0; i < scope->pod_count; i++) {
        const struct observed_pod *pod = &scope->pods[i];
        population->observed_revisions[i] =
            pod->workload == UINT32_MAX ? bystander_revision(population, pod->object, &known)
                                        : managed_revision(population, pod);
    }
}

bool observed_needs_readiness(const struct population *population)
{
    for (uint32_t w = 0; w < population->managed_count; w++)
        if (population->scope->start == START_OBSERVED &&
            population->scope->workloads[w].set_count > 0 &&
            population->workloads.items[w].revision_count > 1)
            return true; /* something may be rolled out at this very moment */
    for (uint32_t i = 0; i < population->scope->pod_count; i++)
        if (population->scope->pods[i].workload != UINT32_MAX &&
            population->scope->pods[i].stage == OBSERVED_STARTING)
            return true;
    return false;
}

static bool is_guarded(const struct population *population, uint32_t revision)
{
    const struct pod *pod = population->revisions.items[revision].pod;
    const struct surroundings *around = &population->catalog->surroundings;
    for (uint32_t b = 0; b < around->budgets.count; b++) {
        const struct pod_disruption_budget *budget = around->budgets.items[b];
        if (strcmp(budget->meta.namespace, pod->meta.namespace) == 0 && budget->selector &&
            label_selector_matches(budget->selector, &pod->meta.labels))
            return true;
    }
    return false;
}

/* Whether a bystander is ready only budgets would know. */
static uint32_t class_of(const struct population *population, const struct observed_pod *pod,
                         uint32_t revision)
{
    const struct workload *workload =
        &population->workloads.items[population->revisions.items[revision].workload];
    const bool seen =
        workload->bystander ? is_guarded(population, revision) : population->needs_readiness;
    const uint32_t steps = workload->pattern_steps;
    if (pod->stage == OBSERVED_WAITING)
        return class_at(population, revision, STAGE_WAITING, 0);
    if (pod->stage == OBSERVED_TERMINATING)
        return class_at(population, revision, STAGE_TERMINATING,
                        population->endpoints ? ENDING_REMOVED : 0);
    /* A kubelet that has admitted a pod says when. */
    const struct pod_status *status = &pod->object->as.pod->status;
    if (pod->stage == OBSERVED_STARTING && population->admission_matters &&
        status->phase != POD_RUNNING && status->start_time == TIME_NONE)
        return class_at(population, revision, STAGE_BOUND, workload->first_level);
    if (pod->stage == OBSERVED_STARTING && seen)
        return class_at(population, revision, STAGE_STARTING, workload->first_level);
    /* Those that have been ready for long are through with their pattern. */
    return class_at(population, revision, STAGE_READY, steps > 0 ? 2 * (steps - 1) : 0);
}

static void place_sets(struct population *population, struct population_state *state)
{
    for (uint32_t w = 0; w < population->managed_count; w++) {
        const struct setup_workload *setup = population->workloads.items[w].setup;
        const uint32_t first = population->workloads.items[w].first_revision;
        for (uint32_t i = 0; i < setup->set_count; i++) {
            const struct replica_set *set = setup->sets[i]->as.replica_set;
            const char *desired = labels_find(&set->meta.annotations, DESIRED_ANNOTATION);
            state->sets[first + i].replicas = set->replicas;
            state->sets[first + i].desired =
                desired ? (int32_t)strtol(desired, NULL, 10) : state->replicas[w];
        }
    }
}

/* The nodes that have names, one by one, with what is on them. */
static void place_pods(struct population *population, struct population_state *state)
{
    const struct scope *scope = population->scope;
    struct arena *arena = &population->arena;
    uint32_t **nodes = ARENA_ARRAY(arena, uint32_t *, scope->group_count + 1);
    for (uint32_t g = 0; g < scope->group_count; g++) {
        nodes[g] = ARENA_ARRAY(arena, uint32_t, (size_t)scope->groups[g].most + 1);
        for (int32_t n = 0; scope->groups[g].names && n < scope->groups[g].most; n++) {
            const struct observed_node node = {.name = scope->groups[g].names[n], .group = g};
            nodes[g][n] = population->observed_nodes.count;
            VEC_PUSH(arena, &population->observed_nodes, node);
        }
    }
    for (uint32_t i = 0; i < scope->pod_count; i++) {
        const struct observed_pod *pod = &scope->pods[i];
        const uint32_t revision = population->observed_revisions[i];
        const char *name = pod->object->meta->name;
        if (pod->stage == OBSERVED_WAITING && pod->place.group == UINT32_MAX) {
            const struct observed_name waiting = {name, revision};
            state->pending[revision]++;
            VEC_PUSH(arena, &population->observed_waiting, waiting);
            continue;
        }
        const struct observed_name placed = {name, class_of(population, pod, revision)};
        VEC_PUSH(arena,
                 &population->observed_nodes.items[nodes[pod->place.group][pod->place.node]].pods,
                 placed);
    }
}

static bool class_waits(const struct population *population, uint32_t class)
{
    return population->classes.items[class].stage == STAGE_WAITING;
}

void observed_begin(struct population *population, struct population_state *state)
{
    const struct scope *scope = population->scope;
    place_sets(population, state);
    place_pods(population, state);
    uint32_t kept = 0;
    for (uint32_t n = 0; n < state->node_count; n++) {
        const struct node_config *config =
            population->catalog->configs.items[state->nodes[n].config];
        if (!scope->groups[population->templates.items[config->template->id].group].names)
            state->nodes[kept++] = state->nodes[n];
    }
    state->node_count = kept;
    for (uint32_t k = 0; k < population->node_kinds.count; k++) {
        const struct node_kind *kind = &population->node_kinds.items[k];
        const uint32_t template = first_template(population, kind);
        for (uint32_t n = 0; n < population->observed_nodes.count; n++) {
            struct observed_node *node = &population->observed_nodes.items[n];
            if (node->group != kind->group)
                continue;
            struct pod_count *pods =
                ARENA_ARRAY(&population->arena, struct pod_count, node->pods.count + 1);
            uint32_t count = 0;
            for (uint32_t p = 0; p < node->pods.count; p++)
                if (!class_waits(population, node->pods.items[p].number))
                    pods[count++] = (struct pod_count){node->pods.items[p].number, 1};
            node->config =
                catalog_intern_config(population->catalog, template, pods, count, NULL, 0);
            for (uint32_t p = 0; p < node->pods.count; p++)
                if (class_waits(population, node->pods.items[p].number))
                    node->config = config_replace(population, node->config, VIEW_NONE,
                                                  node->pods.items[p].number);
            state->nodes[state->node_count++] = (struct view_node){node->config, 1};
        }
    }
}

/* ---- what cannot be told apart ---- */

void observed_check(const struct scope *scope, struct problems *problems)
{
    struct arena *arena = problems->arena;
    for (uint32_t i = 0; i < scope->pod_count; i++) {
        const struct observed_pod *pod = &scope->pods[i];
        if (pod->workload == UINT32_MAX || pod->stage == OBSERVED_TERMINATING ||
            scope->workloads[pod->workload].object->kind == OBJECT_STATEFUL_SET ||
            scope->workloads[pod->workload].object->kind == OBJECT_DAEMON_SET)
            continue;
        const struct object *object = pod->object;
        const struct observed_pod *newest = newest_pod(scope, pod->workload, pod->set);
        struct pod own = *object->as.pod;
        struct pod other = *newest->object->as.pod;
        struct text texts[2];
        own.spec.node_name = NULL;
        other.spec.node_name = NULL;
        for (int t = 0; t < 2; t++) {
            text_init(&texts[t], arena->memory);
            pod_fingerprint(&texts[t], slice_pod(arena, scope->reads, t ? &other : &own));
        }
        if (strcmp(text_content(&texts[0]), text_content(&texts[1])) != 0)
            problem_warning(
                problems, object->place, "spec",
                "pod %s differs from pod %s of the same owner in what controllers read; "
                "it is taken to be like it",
                object->meta->name, newest->object->meta->name);
        text_release(&texts[0]);
        text_release(&texts[1]);
        if (labels_find(&object->meta->annotations, "controller.kubernetes.io/pod-deletion-cost"))
            problem_warning(problems, object->place, "metadata.annotations",
                            "verify does not model the deletion cost of pod %s",
                            object->meta->name);
    }
}
