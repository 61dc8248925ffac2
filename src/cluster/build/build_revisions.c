/* SPDX-License-Identifier: Apache-2.0 */
/* Kinds of pods, one for each template of a workload (and each ordinal), and
 * their classes: a pod in every stage, with every usage. */
#include "cluster/build/build_revisions.h"
#include "cluster/build/build_daemon_sets.h"
#include "cluster/build/build_disks.h"
#include "cluster/build/build_home_pods.h"
#include "cluster/build/build_pods.h"
#include "cluster/state/homes.h"
#include "cluster/state/population_model.h"
#include "cluster/state/worker.h"
#include "cluster/state/workloads.h"
#include "decide/quota/usage.h"

#include <assert.h>

/* `like`: a class of pods of the same shape; VIEW_NONE: none is known. */
static uint32_t add_class(struct population *population, const struct pod *pod, uint32_t like,
                          struct class_info info)
{
    const uint32_t class = like == VIEW_NONE
                               ? catalog_add_pod(population->maker->catalog, pod)
                               : catalog_add_pod_like(population->maker->catalog, pod, like);
    assert(class == population->maker->classes.count);
    VEC_PUSH(&population->arena, &population->maker->classes, info);
    return class;
}

/* The pod as controllers see it in this stage. */
static struct pod *pod_in(struct arena *arena, const struct revision *revision,
                          enum pod_stage stage)
{
    /* A pod that never becomes ready still runs once its kubelet has admitted it. */
    const bool pending =
        stage == STAGE_BOUND || (stage == STAGE_STARTING && !revision->never_ready);
    struct pod *copy = arena_copy(arena, revision->pod, sizeof(*copy));
    if (stage == STAGE_WAITING) {
        pod_ask_for_target(arena, copy);
        return copy;
    }
    copy->status.phase = pending ? POD_PENDING : POD_RUNNING;
    copy->status.start_time = 0;
    copy->status.conditions = ready_condition(arena, stage == STAGE_READY ? "True" : "False", 0);
    if (stage == STAGE_TERMINATING)
        copy->meta.deletion_time = 0;
    return copy;
}

/* Those of pods that wait, by what is known of their volume. */
static void add_home_classes(struct population *population, uint32_t number)
{
    struct revision *revision = &population->revisions.items[number];
    const struct class_info waits = {number, STAGE_STARTING, 0, 0};
    const uint32_t places = revision->home > 0 ? home_place_count(population) : 0;
    const uint32_t open = open_pod_count(population, revision);
    revision->home_classes = places ? ARENA_ARRAY(&population->arena, uint32_t, places) : NULL;
    revision->open_classes = open ? ARENA_ARRAY(&population->arena, uint32_t, open) : NULL;
    for (uint32_t p = 0; p < places; p++)
        revision->home_classes[p] =
            add_class(population, pod_at_home(population, revision, p), VIEW_NONE, waits);
    for (uint32_t o = 0; o < open; o++)
        revision->open_classes[o] =
            add_class(population, pod_without_home(population, revision, o), VIEW_NONE, waits);
}

void add_classes(struct population *population, uint32_t number)
{
    struct revision *revision = &population->revisions.items[number];
    const uint32_t levels = population->workloads.items[revision->workload].level_count;
    revision->classes = ARENA_ARRAY(&population->arena, uint32_t, (size_t)STAGE_COUNT * levels);
    revision->pending_class = add_class(population, revision->pod, VIEW_NONE,
                                        (struct class_info){number, STAGE_STARTING, 0, 0});
    add_home_classes(population, number);
    for (int stage = 0; stage < STAGE_COUNT; stage++) {
        /* Pods that wait for their node ask for it, so their shape is another. */
        uint32_t like = stage == STAGE_WAITING ? VIEW_NONE : revision->pending_class;
        for (uint32_t level = 0; level < levels; level++) {
            const struct pod *pod = pod_in(&population->arena, revision, (enum pod_stage)stage);
            like = add_class(population, pod, like,
                             (struct class_info){number, (enum pod_stage)stage, level, 0});
            revision->classes[(uint32_t)stage * levels + level] = like;
        }
    }
}

/* One more template of the workload: a kind of pods, or one for each ordinal. */
uint32_t population_add_revision(struct population *population, uint32_t workload,
                                 const struct pod_template *template, const char *signature)
{
    struct workload *of = &population->workloads.items[workload];
    const uint32_t number = of->revision_count / of->ordinal_count;
    const uint32_t first = population->revisions.count;
    for (uint32_t i = 0; i < of->ordinal_count; i++) {
        const int32_t ordinal =
            of->kind == OBJECT_STATEFUL_SET ? of->first_ordinal + (int32_t)i : -1;
        struct pod *pod = pod_of_template(population, workload, template, number, ordinal);
        struct revision revision = {
            .workload = workload,
            .number = number,
            .ordinal = ordinal,
            .owner_meta = of->setup->object->meta,
            .signature = signature,
            .pod = pod,
            .written = &template->spec,
            .priority = pod->spec.priority.set ? (int32_t)pod->spec.priority.value : 0,
            .node_name = pod->spec.node_name,
            .never_ready = template_is_never_ready(template),
            .gated = population->options.features.pod_scheduling_readiness &&
                     pod->spec.scheduling_gates.count > 0,
            .refusal = pod->spec.refusals[limit_range_totals(&population->options.features)],
            .pinned = of->kind == OBJECT_DAEMON_SET,
            .outcome = template_outcome(template),
            .run_time = run_time_of(&population->arena, template),
        };
        add_disks(population, &revision, &template->spec);
        if (of->kind == OBJECT_DAEMON_SET) {
            struct daemon_set *set =
                arena_copy(&population->arena, of->setup->object->as.daemon_set, sizeof(*set));
            set->template = *template;
            revision.daemon_set = set;
        }
        VEC_PUSH(&population->arena, &population->revisions, revision);
        of->revision_count++;
    }
    return first;
}
