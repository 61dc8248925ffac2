/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The revisions of workloads that have pods already. New pods of a revision will
 * look like those that are there, with all that admission has put in.
 */
#include "cluster/build/build.h"
#include "cluster/build/observed.h"
#include "cluster/build/supports.h"
#include "decide/controller/deployment/template_signature.h"
#include "decide/pod_fingerprint.h"
#include "manifest/document.h"

#include <stdlib.h>
#include <string.h>

/* ---- volumes ---- */

void observed_drop_claims(struct population *population, struct pod_spec *spec)
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
    observed_drop_claims(population, &pod->spec);
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

uint32_t observed_revision_of(const struct population *population, const struct observed_pod *pod)
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

/* ---- what cannot be told apart ---- */

/* A set, its newest pod, and what controllers read of that. */
struct newest {
    uint32_t workload;
    const struct object *set;
    const struct observed_pod *pod;
    const char *read;
};

typedef VEC(struct newest) newest_list;

/* What controllers read of a pod, wherever it is. */
static const char *what_is_read(struct arena *arena, const struct scope *scope,
                                const struct observed_pod *pod)
{
    struct pod anywhere = *pod->object->as.pod;
    struct text text;
    anywhere.spec.node_name = NULL;
    text_init(&text, arena->memory);
    pod_fingerprint(&text, observed_slice(arena, scope->reads, &anywhere));
    const char *read = arena_strdup(arena, text_content(&text));
    text_release(&text);
    return read;
}

/* There are few sets and many pods, and those of one set often stand together. */
static const struct newest *newest_of(struct arena *arena, const struct scope *scope,
                                      newest_list *known, const struct observed_pod *pod)
{
    for (uint32_t i = known->count; i-- > 0;)
        if (known->items[i].workload == pod->workload && known->items[i].set == pod->set)
            return &known->items[i];
    const struct observed_pod *newest = newest_pod(scope, pod->workload, pod->set);
    VEC_PUSH(
        arena, known,
        ((struct newest){pod->workload, pod->set, newest, what_is_read(arena, scope, newest)}));
    return &known->items[known->count - 1];
}

void observed_check(const struct scope *scope, struct problems *problems)
{
    struct arena *arena = problems->arena;
    struct arena scratch;
    newest_list known = {0};
    arena_init(&scratch, arena->memory);
    for (uint32_t i = 0; i < scope->pod_count; i++) {
        const struct observed_pod *pod = &scope->pods[i];
        if (pod->workload == UINT32_MAX || pod->stage == OBSERVED_TERMINATING ||
            scope->workloads[pod->workload].object->kind == OBJECT_STATEFUL_SET ||
            scope->workloads[pod->workload].object->kind == OBJECT_DAEMON_SET)
            continue;
        const struct object *object = pod->object;
        const struct arena_mark mark = arena_mark(&scratch);
        const struct newest *newest = newest_of(arena, scope, &known, pod);
        if (strcmp(what_is_read(&scratch, scope, pod), newest->read) != 0)
            problem_warning(
                problems, object->place, "spec",
                "pod %s differs from pod %s of the same owner in what controllers read; "
                "it is taken to be like it",
                object->meta->name, newest->pod->object->meta->name);
        arena_rewind(&scratch, mark);
        if (labels_find(&object->meta->annotations, "controller.kubernetes.io/pod-deletion-cost"))
            problem_warning(problems, object->place, "metadata.annotations",
                            "verify does not model the deletion cost of pod %s",
                            object->meta->name);
    }
    arena_release(&scratch);
}
