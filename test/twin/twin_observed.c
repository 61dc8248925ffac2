/* SPDX-License-Identifier: Apache-2.0 */
/* A start from pods that are there: whose they are, and those that are nobody's. */
#include "twin/twin_internal.h"

#include <stdlib.h>
#include <string.h>

/* ---- whose they are ---- */

/* Nobody's, so that whoever selects it takes it for its own? Not if it is being deleted. */
static bool is_free(const struct object *pod)
{
    for (uint32_t o = 0; o < pod->meta->owner_count; o++)
        if (pod->meta->owners[o].controller)
            return false;
    return pod->meta->deletion_time == TIME_NONE;
}

static const struct label_selector *selector_of(const struct object *set)
{
    switch (set->kind) {
    case OBJECT_REPLICA_SET: return set->as.replica_set->selector;
    case OBJECT_STATEFUL_SET: return set->as.stateful_set->selector;
    case OBJECT_DAEMON_SET: return set->as.daemon_set->selector;
    default: return NULL; /* Deployments adopt no pods, and Jobs select by their own UID */
    }
}

/* A StatefulSet wants a member with its name and an ordinal, a DaemonSet one on a node. */
static bool adopts(const struct object *set, const struct object *pod)
{
    const struct label_selector *selector = selector_of(set);
    const char *name = pod->meta->name;
    const size_t stem = strlen(set->meta->name);
    if (!selector || !label_selector_matches(selector, &pod->meta->labels))
        return false;
    if (set->kind == OBJECT_STATEFUL_SET)
        return strncmp(name, set->meta->name, stem) == 0 && name[stem] == '-' &&
               name[stem + 1] != '\0' &&
               name[stem + 1 + strspn(name + stem + 1, "0123456789")] == '\0';
    return set->kind != OBJECT_DAEMON_SET || pod->as.pod->spec.node_name;
}

/* Who looks after the pod, and with which of its sets (NULL: with none); NOBODY: nobody does. */
static uint32_t whose(const struct twin *twin, const struct observed_pod *pod,
                      const struct object **set)
{
    *set = pod->set;
    if (!is_free(pod->object))
        return pod->workload == UINT32_MAX ? NOBODY : pod->workload;
    for (uint32_t w = 0; w < twin->scope->workload_count; w++) {
        const struct setup_workload *workload = &twin->scope->workloads[w];
        *set = NULL;
        if (adopts(workload->object, pod->object))
            return w;
        for (uint32_t s = 0; s < workload->set_count; s++) {
            *set = workload->sets[s];
            if (adopts(*set, pod->object))
                return w;
        }
    }
    *set = NULL;
    return NOBODY;
}

static uint32_t owner_of(const struct twin *twin, const struct observed_pod *pod)
{
    const struct object *set;
    return whose(twin, pod, &set);
}

/* ---- revisions ---- */

/* Made from a template that its StatefulSet or DaemonSet has no longer? Who is adopted and says
 * nothing of a template is not like the present one either. */
static bool is_outdated(const struct observed_pod *pod, const struct object *set)
{
    const struct labels *labels = &pod->object->meta->labels;
    const char *made_from;
    const char *present;
    if (set->kind == OBJECT_DAEMON_SET) {
        made_from = labels_find(labels, "pod-template-generation");
        present = labels_find(&set->meta->annotations, "deprecated.daemonset.template.generation");
    } else {
        made_from = labels_find(labels, "controller-revision-hash");
        present = set->as.stateful_set->status.update_revision;
    }
    if (!made_from && is_free(pod->object))
        return !labels_find(labels, "controller-revision-hash");
    return made_from && present && strcmp(made_from, present) != 0;
}

/* The old template is in no object but in the pods made from it, which are taken to be alike; who
 * was adopted was made by somebody else, and counts only if there are no others. */
static void add_outdated(struct twin *twin, uint32_t workload, const struct object *set)
{
    const struct observed_pod *first = NULL;
    for (uint32_t i = 0; i < twin->scope->pod_count; i++) {
        const struct observed_pod *pod = &twin->scope->pods[i];
        if (owner_of(twin, pod) == workload && is_outdated(pod, set) &&
            (!first || (is_free(first->object) && !is_free(pod->object))))
            first = pod;
    }
    if (!first)
        return;
    struct pod_template *old = ARENA_NEW(&twin->arena, struct pod_template);
    *old = *workload_template(set);
    old->spec = first->object->as.pod->spec;
    old->spec.node_name = NULL;
    if (set->kind == OBJECT_DAEMON_SET)
        old->spec.affinity = workload_template(set)->spec.affinity;
    twin_add_revision(twin, workload, old);
}

uint32_t twin_observed_revisions(struct twin *twin, uint32_t workload)
{
    const struct setup_workload *setup = twin->workloads[workload].setup;
    if (setup->object->kind == OBJECT_STATEFUL_SET || setup->object->kind == OBJECT_DAEMON_SET) {
        const uint32_t first = twin->revision_count;
        add_outdated(twin, workload, setup->object);
        const uint32_t present =
            twin_add_revision(twin, workload, workload_template(setup->object));
        twin->initial.current[workload] = setup->object->kind == OBJECT_STATEFUL_SET ? first : 0;
        return present;
    }
    for (uint32_t i = 0; i < setup->set_count; i++) {
        const struct replica_set *set = setup->sets[i]->as.replica_set;
        const uint32_t revision = twin_add_revision(twin, workload, &set->template);
        const char *desired =
            labels_find(&set->meta.annotations, "deployment.kubernetes.io/desired-replicas");
        twin->initial.set_replicas[revision] = set->replicas;
        twin->initial.set_desired[revision] =
            desired ? atoi(desired) : twin->setup->replicas[workload];
    }
    return twin_add_revision(twin, workload, workload_template(setup->object));
}

/* ---- bystanders ---- */

bool is_bystander(const struct twin *twin, uint32_t workload)
{
    return twin->workloads[workload].kind == OBJECT_POD;
}

/* Those with the same label are alike, if they have the same to wait for. */
static uint32_t bystander(struct twin *twin, const struct object *object)
{
    struct arena *arena = &twin->arena;
    const bool waits = !object->as.pod->spec.node_name;
    const char *app = labels_find(&object->meta->labels, "app");
    for (uint32_t r = 0; r < twin->revision_count; r++)
        if (is_bystander(twin, twin->revisions[r].workload) && twin->revisions[r].waits == waits &&
            strcmp(labels_find(&twin->revisions[r].pod->meta.labels, "app"), app) == 0)
            return r;
    if (twin->revision_count == REVISIONS_MOST || twin->workload_count == WORKLOADS_MOST)
        return NOBODY;
    struct setup_workload *setup = ARENA_NEW(arena, struct setup_workload);
    struct pod *pod = arena_copy(arena, object->as.pod, sizeof(*pod));
    setup->object = object;
    pod->spec.node_name = NULL;
    /* When it becomes ready is nobody's concern. */
    pod->spec.containers = arena_copy(arena, pod->spec.containers,
                                      pod->spec.container_count * sizeof(*pod->spec.containers));
    for (uint32_t c = 0; c < pod->spec.container_count; c++)
        pod->spec.containers[c].readiness_probe = NULL;
    pod->meta.creation_time = 0;
    pod->meta.deletion_time = TIME_NONE;
    pod->status.conditions.count = 0;
    pod->status.phase = POD_PENDING;
    pod->status.start_time = TIME_NONE;
    twin->workloads[twin->workload_count] = (struct twin_workload){
        .setup = setup,
        .kind = OBJECT_POD,
        .request = twin_request(&pod->spec),
        .levels = {twin_request(&pod->spec)},
        .level_count = 1,
    };
    twin->initial.present[twin->workload_count] = twin->revision_count;
    twin->revisions[twin->revision_count] =
        (struct twin_revision){.workload = twin->workload_count++,
                               .image = "",
                               .pod = pod,
                               .node = NOBODY,
                               .waits = waits};
    return twin->revision_count++;
}

bool twin_add_bystanders(struct twin *twin)
{
    for (uint32_t i = 0; i < twin->scope->pod_count; i++)
        if (owner_of(twin, &twin->scope->pods[i]) == NOBODY &&
            bystander(twin, twin->scope->pods[i].object) == NOBODY)
            return false;
    return true;
}

/* Only these would know whether a bystander is ready: expressions, Services that an intent is
 * about, webhooks, budgets and autoscalers. */
static bool is_seen(struct twin *twin, const struct object *pod)
{
    const uint32_t revision = bystander(twin, pod);
    if (twin_reads_pods(twin, "ready") || twin_reads_pods(twin, "phase") ||
        twin->revisions[revision].served || twin_answers_for_webhook(twin, revision))
        return true;
    for (uint32_t w = 0; w < twin->scope->workload_count; w++)
        if (twin->scope->workloads[w].autoscaler &&
            twin_selects(twin->scope->workloads[w].object, &pod->meta->labels))
            return true;
    return twin_budget_counts(twin, pod);
}

/* ---- pods ---- */

static uint32_t revision_of(struct twin *twin, const struct observed_pod *pod)
{
    const struct object *set;
    const uint32_t owner = whose(twin, pod, &set);
    if (owner == NOBODY)
        return bystander(twin, pod->object);
    const struct twin_workload *workload = &twin->workloads[owner];
    if (set && set != workload->setup->object)
        return twin_add_revision(twin, owner, &set->as.replica_set->template);
    if (workload->kind == OBJECT_STATEFUL_SET || workload->kind == OBJECT_DAEMON_SET)
        for (uint32_t r = 0; r < twin->revision_count; r++)
            if (twin->revisions[r].workload == owner &&
                (r != twin->initial.present[owner]) == is_outdated(pod, workload->setup->object))
                return r;
    return twin->initial.present[owner];
}

static uint32_t node_at(const struct twin *twin, const struct observed_place *place)
{
    uint32_t first = 0;
    if (place->group == UINT32_MAX)
        return NOBODY;
    while (twin->nodes[first].group != place->group)
        first++;
    return first + place->node;
}

static uint32_t member_of(const struct twin *twin, const struct observed_pod *pod, uint32_t node)
{
    const uint32_t owner = owner_of(twin, pod);
    if (owner == NOBODY)
        return NOBODY;
    switch (twin->workloads[owner].kind) {
    case OBJECT_DAEMON_SET: return node;
    case OBJECT_STATEFUL_SET:
        return (uint32_t)strtol(strrchr(pod->object->meta->name, '-') + 1, NULL, 10);
    default: return NOBODY;
    }
}

static enum twin_stage stage_of(struct twin *twin, const struct observed_pod *pod)
{
    const struct pod_status *status = &pod->object->as.pod->status;
    switch (pod->stage) {
    case OBSERVED_WAITING: return POD_WAITS;
    case OBSERVED_TERMINATING: return POD_TERMINATES;
    case OBSERVED_READY: return POD_IS_READY;
    default: break;
    }
    if (twin->admits && status->phase != POD_RUNNING && status->start_time == TIME_NONE)
        return POD_IS_BOUND;
    return owner_of(twin, pod) == NOBODY && !is_seen(twin, pod->object) ? POD_IS_READY : POD_STARTS;
}

bool twin_observed_pods(struct twin *twin)
{
    const struct scope *scope = twin->scope;
    const uint16_t age = twin->clocked ? UINT16_MAX : 0; /* longer than anybody asks for */
    if (scope->pod_count > TWIN_PODS_MOST)
        return false;
    for (uint32_t i = 0; i < scope->pod_count; i++) {
        const struct observed_pod *pod = &scope->pods[i];
        const uint32_t revision = revision_of(twin, pod);
        if (revision == NOBODY)
            return false;
        const enum twin_stage stage = stage_of(twin, pod);
        const uint32_t node = node_at(twin, &pod->place);
        struct twin_workload *of = &twin->workloads[twin->revisions[revision].workload];
        const uint32_t member = member_of(twin, pod, node);
        if (of->kind == OBJECT_STATEFUL_SET && (int32_t)member >= of->largest)
            of->largest = (int32_t)member + 1;
        /* Who has been ready for long is through with its pattern. */
        const bool last = stage == POD_IS_READY && of->pattern_steps > 0;
        const uint8_t ending = twin->endpoints && stage == POD_TERMINATES ? ENDS_REMOVED : 0;
        twin->initial.pods[i] = (struct place_of_pod){
            .stage = (uint8_t)stage,
            .revision = (uint8_t)revision,
            .level = last ? (uint8_t)(2 * (of->pattern_steps - 1)) : ending,
            .node = stage == POD_WAITS ? NOBODY : (uint8_t)node,
            .member = (uint8_t)member,
            .nominated = NOBODY,
            .start = age,
            .since = age,
        };
    }
    twin_begin_intents(twin, &twin->initial);
    return true;
}
