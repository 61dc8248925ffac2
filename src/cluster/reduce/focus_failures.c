/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The result of a node's failure, workload by workload.
 *
 * If workloads are explored one at a time after a failure, and it does not matter where
 * pods go (focus_anywhere.c), then what becomes of a workload follows from which of its
 * pods were on the node that failed, and the node's template. In a large cluster hardly two
 * nodes have the same pods, but of each workload they have one, two or three. So a failure
 * is explored only with the workloads that have not lost the same pods by the failure of
 * another node; if there are none, it is left out.
 *
 * That workloads may be explored one at a time is shown for every failure, also for those
 * that are left out. What a workload does alone is found out once for all nodes that are
 * alike to it.
 */
#include "cluster/emit.h"
#include "cluster/population.h"
#include "cluster/reduce/focus.h"
#include "cluster/reduce/focus_anywhere.h"
#include "cluster/reduce/reductions.h"
#include "cluster/state/conditions.h"
#include "cluster/state/config_facts.h"
#include "cluster/state/events.h"
#include "cluster/state/nodes.h"
#include "cluster/state/population_model.h"
#include "cluster/state/state.h"
#include "cluster/state/worker.h"
#include "cluster/state/workloads.h"

#include <string.h>

/* What a workload does after it has lost these pods. */
struct loss {
    uint32_t workload;
    uint32_t template;            /* of the node that failed; VIEW_NONE: it lost nothing */
    const struct pod_count *pods; /* of its config */
    uint32_t pod_entry_count;
    bool good;         /* true if the workload can be explored by itself afterwards */
    bool acts;         /* true if it takes a step then */
    uint32_t new_pods; /* as struct focus_proof has it */
    bool seen;         /* true if the failure of another node had the same loss */
};

struct failures {
    struct worker *worker;
    struct arena arena;
    VEC(struct loss) losses;
    uint32_t *of;       /* by workload: its loss by the failure in hand, */
    uint32_t *new_pods; /* and the new pods of that loss */
};

/* Is this the last event that can come, and is nothing under way? */
static bool is_last(struct worker *worker, const struct state *state, uint32_t event)
{
    for (uint32_t n = 0; n < state->node_count; n++)
        if (config_condition(worker, state->nodes[n].config) != NODE_UP)
            return false;
    return is_last_event(worker, state, event);
}

static struct failures *failures_begin(const struct expansion *expansion, uint32_t event)
{
    struct worker *worker = expansion->worker;
    const struct population *population = expansion->population;
    const struct state *state = expansion->state;
    if (!population->may_focus || !state->begun || state->focus > 0 || expansion->postponed ||
        event_condition(population, &population->events.items[event]) != NODE_DOWN ||
        !is_last(worker, state, event) || !places_are_alike(worker, state))
        return NULL;
    struct failures *failures = ARENA_NEW(&worker->scratch, struct failures);
    failures->worker = worker;
    arena_init(&failures->arena, population->memory);
    failures->of = ARENA_ARRAY(&failures->arena, uint32_t, population->managed_count);
    failures->new_pods = ARENA_ARRAY(&failures->arena, uint32_t, population->managed_count);
    return failures;
}

static void failures_end(struct failures *failures)
{
    arena_release(&failures->arena);
}

static void find_out(struct failures *failures, const struct state *failed, struct loss *loss)
{
    struct focus_proof proof;
    focus_proof_begin(&proof, failures->worker, failed, true);
    loss->acts = follow_alone(&proof, loss->workload);
    loss->good = proof.good;
    loss->new_pods = proof.new_pods[loss->workload];
    arena_release(&proof.arena);
}

static uint32_t loss_of(struct failures *failures, const struct state *failed,
                        const struct node_config *config, uint32_t workload)
{
    const struct arena_mark mark = arena_mark(&failures->arena);
    struct pod_count *pods =
        ARENA_ARRAY(&failures->arena, struct pod_count, config->pod_entry_count + 1);
    struct loss loss = {.workload = workload, .pods = pods};
    for (uint32_t p = 0; p < config->pod_entry_count; p++)
        if (class_revision(failures->worker, config->pods[p].pod)->workload == workload)
            pods[loss.pod_entry_count++] = config->pods[p];
    loss.template = loss.pod_entry_count > 0 ? config->template->id : VIEW_NONE;
    for (uint32_t i = 0; i < failures->losses.count; i++) {
        const struct loss *known = &failures->losses.items[i];
        if (known->workload == workload && known->template == loss.template &&
            known->pod_entry_count == loss.pod_entry_count &&
            memcmp(known->pods, pods, loss.pod_entry_count * sizeof(*pods)) == 0) {
            arena_rewind(&failures->arena, mark);
            return i;
        }
    }
    find_out(failures, failed, &loss);
    VEC_PUSH(&failures->arena, &failures->losses, loss);
    return failures->losses.count - 1;
}

static bool failure_workloads(struct failures *failures, const struct state *failed,
                              uint32_t config, uint32_t *workloads, uint32_t *count)
{
    struct worker *worker = failures->worker;
    uint32_t acting = 0;
    *count = 0;
    if (failed->nodes[failed->node_count - 1].config != config)
        return false; /* its taint was taken back */
    for (uint32_t w = 0; w < worker->population->managed_count; w++) {
        failures->of[w] = loss_of(failures, failed, config_at(worker, config), w);
        const struct loss *loss = &failures->losses.items[failures->of[w]];
        if (!loss->good)
            return false;
        acting += loss->acts;
        failures->new_pods[w] = loss->new_pods;
    }
    if (acting < 2 || !room_suffices(worker, failed, failures->new_pods))
        return false;
    for (uint32_t w = 0; w < worker->population->managed_count; w++) {
        struct loss *loss = &failures->losses.items[failures->of[w]];
        if (!loss->seen && (loss->acts || loss->pod_entry_count > 0))
            workloads[(*count)++] = w;
        loss->seen = true;
    }
    worker->findings.focus = FOCUS_ANYWHERE;
    return true;
}

const struct failure_reduction failure_reduction = {
    .begin = failures_begin,
    .workloads = failure_workloads,
    .end = failures_end,
};
