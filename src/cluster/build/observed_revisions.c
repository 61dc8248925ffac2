/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The revisions of workloads that have pods already. New pods of a revision will
 * look like those that are there, with all that admission has put in.
 */
#include "cluster/build/observed_revisions.h"
#include "cluster/build/build_revisions.h"
#include "cluster/build/observed_find.h"
#include "cluster/build/observed_slice.h"
#include "cluster/state/population_model.h"
#include "cluster/state/workloads.h"
#include "decide/controller/deployment/template_signature.h"
#include "decide/pod_fingerprint.h"

#include <string.h>

/* ---- StatefulSets and DaemonSets ---- */

uint32_t observed_ordinals(const struct scope *scope, uint32_t workload)
{
    int32_t most = -1;
    for (uint32_t i = 0; i < scope->pod_count; i++)
        if (scope->pods[i].workload == workload && observed_ordinal(scope->pods[i].object) > most)
            most = observed_ordinal(scope->pods[i].object);
    return (uint32_t)(most + 1);
}

/* The template of the pods that an update has not reached yet is in no object
 * but in those pods. */
static void add_outdated_revision(struct population *population, uint32_t workload)
{
    const struct object *set = population->scope->workloads[workload].object;
    const struct observed_pod *old = observed_outdated_pod(population->scope, workload);
    if (!old)
        return;
    struct pod_template *template =
        arena_copy(&population->arena, workload_template(set), sizeof(*template));
    template->spec = old->object->as.pod->spec;
    template->spec.node_name = NULL;
    if (set->kind == OBJECT_DAEMON_SET) /* that of the pod asks for its node */
        template->spec.affinity = workload_template(set)->spec.affinity;
    population_add_revision(population, workload, template, "");
}

uint32_t observed_add_revisions(struct population *population, uint32_t workload)
{
    const struct setup_workload *setup = &population->scope->workloads[workload];
    uint32_t present = UINT32_MAX;
    if (setup->object->kind == OBJECT_STATEFUL_SET || setup->object->kind == OBJECT_DAEMON_SET)
        add_outdated_revision(population, workload);
    for (uint32_t i = 0; i < setup->set_count; i++) {
        const struct object *set = setup->sets[i];
        const char *signature =
            template_signature(&population->arena, workload_template_source(set));
        const uint32_t revision = population_add_revision(
            population, workload, &set->as.replica_set->template, signature);
        if (present == UINT32_MAX && strcmp(signature, setup->signature) == 0)
            present = revision;
    }
    return present != UINT32_MAX
               ? present
               : population_add_revision(population, workload, workload_template(setup->object),
                                         setup->signature);
}

uint32_t observed_revision_of(const struct population *population, const struct observed_pod *pod)
{
    const struct workload *workload = &population->workloads.items[pod->workload];
    if (workload->kind == OBJECT_STATEFUL_SET || workload->kind == OBJECT_DAEMON_SET) {
        const uint32_t template = observed_template(population->scope, pod);
        const int32_t index = workload->kind == OBJECT_STATEFUL_SET
                                  ? observed_ordinal(pod->object) - workload->first_ordinal
                                  : 0;
        return workload->first_revision + template * workload->ordinal_count + (uint32_t)index;
    }
    for (uint32_t i = 0; pod->set && i < workload->setup->set_count; i++)
        if (workload->setup->sets[i] == pod->set)
            return workload->first_revision + i;
    return workload->first_revision;
}

/* ---- pods that the model takes to be equal ---- */

/* A set, its newest pod (NULL: it made none of those that are there), and what controllers read of
 * that. */
struct newest {
    uint32_t workload;
    const struct object *set;
    const struct observed_pod *pod;
    const char *read;
};

typedef VEC(struct newest) newest_list;

/* What controllers read of a pod, wherever it is. */
static const char *what_is_read(struct arena *arena, const struct scope *scope,
                                const struct pod *pod)
{
    struct pod anywhere = *pod;
    struct text text;
    anywhere.spec.node_name = NULL;
    anywhere.meta.owner_count = 0; /* it is that of the set, or will be */
    text_init(&text, arena->memory);
    pod_fingerprint(&text, observed_slice(arena, scope->reads, &anywhere, false, true));
    return text_keep(&text, arena);
}

/* A pod as the set that adopts the given one would make it. */
static struct pod pod_of_adopter(const struct observed_pod *pod)
{
    const struct pod_template *template = workload_template(pod->adopter);
    struct pod made = {.meta = template->meta, .spec = template->spec};
    made.meta.namespace = pod->object->meta->namespace;
    return made;
}

/* There are few sets and many pods, and those of one set often stand together. */
static const struct newest *newest_of(struct arena *arena, const struct scope *scope,
                                      newest_list *known, const struct observed_pod *pod)
{
    for (uint32_t i = known->count; i-- > 0;)
        if (known->items[i].workload == pod->workload && known->items[i].set == pod->set)
            return &known->items[i];
    const struct observed_pod *newest = observed_newest_pod(scope, pod->workload, pod->set);
    const struct pod made = newest ? *newest->object->as.pod : pod_of_adopter(pod);
    VEC_PUSH(arena, known,
             ((struct newest){pod->workload, pod->set, newest, what_is_read(arena, scope, &made)}));
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
        const bool differs =
            strcmp(what_is_read(&scratch, scope, object->as.pod), newest->read) != 0;
        if (differs && newest->pod)
            problem_warning(
                problems, object->place, "spec",
                "pod %s differs from pod %s of the same owner in what controllers read; "
                "it is taken to be like it",
                object->meta->name, newest->pod->object->meta->name);
        else if (differs)
            problem_warning(problems, object->place, "spec",
                            "pod %s differs in what controllers read from the template of %s %s, "
                            "which adopts it; it is taken to be like it",
                            object->meta->name, pod->adopter->kind_name, pod->adopter->meta->name);
        arena_rewind(&scratch, mark);
        if (labels_find(&object->meta->annotations, "controller.kubernetes.io/pod-deletion-cost"))
            problem_warning(problems, object->place, "metadata.annotations",
                            "verify does not model the deletion cost of pod %s",
                            object->meta->name);
    }
    arena_release(&scratch);
}
