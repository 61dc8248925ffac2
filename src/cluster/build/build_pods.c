/* SPDX-License-Identifier: Apache-2.0 */
/* Pods as the controllers make them from their templates: names, owners, and
 * the labels by which revisions are told apart. */
#include "cluster/build/build_pods.h"
#include "cluster/build/build_volumes.h"
#include "cluster/build/observed_dress.h"
#include "cluster/state/population_model.h"
#include "cluster/state/worker.h"
#include "cluster/state/workloads.h"
#include "decide/controller/daemon_set/daemon_set_controller.h"
#include "object/schemas.h"

#include <string.h>

struct conditions ready_condition(struct arena *arena, const char *status, int64_t since)
{
    const struct condition ready = {
        .type = "Ready",
        .status = status,
        .last_transition_time = since,
        .last_update_time = TIME_NONE,
        .last_heartbeat_time = TIME_NONE,
    };
    return (struct conditions){arena_copy(arena, &ready, sizeof(ready)), 1};
}

static struct pod *new_pod(struct arena *arena, const struct object_meta *owner,
                           const struct pod_template *template)
{
    struct pod pod = {.meta = template->meta, .spec = template->spec};
    pod.meta.namespace = owner->namespace;
    pod.meta.creation_time = 0;
    pod.meta.deletion_time = TIME_NONE;
    pod.status.start_time = TIME_NONE;
    return arena_copy(arena, &pod, sizeof(pod));
}

static void set_owner(struct arena *arena, struct pod *pod, const char *api_version,
                      const char *kind, const char *name)
{
    const struct owner_reference reference = {
        .api_version = api_version, .kind = kind, .name = name, .controller = true};
    pod->meta.owners = arena_copy(arena, &reference, sizeof(reference));
    pod->meta.owner_count = 1;
}

/* Default spreading looks for the sets that select the pod. The ReplicaSet of a Deployment selects
 * its own pods by their hash. */
static void add_set(struct population *population, const struct workload *workload,
                    const struct pod_template *template, const char *name, const char *hash)
{
    struct arena *arena = &population->arena;
    const struct object *object = workload->setup->object;
    struct replica_set *set = ARENA_NEW(arena, struct replica_set);
    set->meta = *object->meta;
    set->meta.name = name;
    set->template = *template;
    if (workload->deployment) {
        set->selector = arena_copy(arena, workload->deployment->selector, sizeof(*set->selector));
        labels_set(arena, &set->selector->match_labels, "pod-template-hash", hash);
    } else {
        set->selector = object->as.replica_set->selector;
    }
    VEC_PUSH(arena, &population->maker->catalog->surroundings.replica_sets, set);
}

static void make_stateful(struct population *population, const struct object *object,
                          struct pod *pod, uint32_t number, int32_t ordinal)
{
    struct arena *arena = &population->arena;
    pod->meta.name = arena_printf(arena, "%s-%d", object->meta->name, ordinal);
    labels_set(arena, &pod->meta.labels, "statefulset.kubernetes.io/pod-name", pod->meta.name);
    labels_set(arena, &pod->meta.labels, "controller-revision-hash",
               arena_printf(arena, "%s-%u", object->meta->name, number + 1));
    if (population->options.features.pod_index_label)
        labels_set(arena, &pod->meta.labels, "apps.kubernetes.io/pod-index",
                   arena_printf(arena, "%d", ordinal));
    pod_add_claims(population, object, pod);
}

bool template_is_never_ready(const struct pod_template *template)
{
    const char *value = labels_find(&template->meta.annotations, ANNOTATION_NEVER_READY);
    return value && strcmp(value, "true") == 0;
}

bool pod_outcome_parse(const char *text, enum pod_outcome *outcome)
{
    static const char *const names[] = {"succeeds", "fails", "either"};
    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
        if (strcmp(text, names[i]) == 0) {
            *outcome = (enum pod_outcome)i;
            return true;
        }
    return false;
}

enum pod_outcome template_outcome(const struct pod_template *template)
{
    enum pod_outcome outcome = OUTCOME_SUCCEEDS;
    const char *text = labels_find(&template->meta.annotations, ANNOTATION_OUTCOME);
    if (text)
        pod_outcome_parse(text, &outcome);
    return outcome;
}

/* A pod of a ReplicaSet, which may be one of a Deployment, or there already. */
static void make_replicated(struct population *population, const struct workload *workload,
                            const struct pod_template *template, struct pod *pod, uint32_t number)
{
    struct arena *arena = &population->arena;
    const struct setup_workload *setup = workload->setup;
    const struct object *known = number < setup->set_count ? setup->sets[number] : NULL;
    const char *name = known ? known->meta->name : setup->object->meta->name;
    const char *hash = known ? labels_find(&known->meta->labels, "pod-template-hash") : NULL;
    if (!known && workload->deployment)
        name = arena_printf(arena, "%s-%u", name, number + 1);
    if (!hash)
        hash = arena_printf(arena, "%u", number + 1);
    set_owner(arena, pod, "apps/v1", "ReplicaSet", name);
    if (workload->deployment)
        labels_set(arena, &pod->meta.labels, "pod-template-hash", hash);
    add_set(population, workload, template, name, hash);
}

struct pod *pod_of_template(struct population *population, uint32_t workload,
                            const struct pod_template *template, uint32_t number, int32_t ordinal)
{
    struct arena *arena = &population->arena;
    const struct workload *of = &population->workloads.items[workload];
    const struct object *owner = of->setup->object;
    struct pod *pod = new_pod(arena, owner->meta, template);
    set_owner(arena, pod, owner->api_version, owner->kind_name, owner->meta->name);
    observed_dress(population, workload, number, ordinal, pod);
    pod_drop_claims(population, pod);
    switch (of->kind) {
    case OBJECT_STATEFUL_SET: make_stateful(population, owner, pod, number, ordinal); return pod;
    case OBJECT_JOB:
    case OBJECT_REPLICATION_CONTROLLER: break;
    case OBJECT_DAEMON_SET:
        labels_set(arena, &pod->meta.labels, "controller-revision-hash",
                   arena_printf(arena, "%u", number + 1));
        daemon_set_tolerations(arena, &template->spec, &pod->spec.tolerations,
                               &pod->spec.toleration_count);
        break;
    default: make_replicated(population, of, template, pod, number);
    }
    pod->meta.name = arena_printf(arena, "%s-*", pod->meta.owners[0].name);
    return pod;
}
