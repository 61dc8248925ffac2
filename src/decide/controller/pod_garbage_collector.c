/* SPDX-License-Identifier: Apache-2.0 */
/* Mirrors pkg/controller/podgc/gc_controller.go @ v1.26.15; since 1.27 evicted
 * pods go before other finished ones. */
#include "decide/controller/pod_garbage_collector.h"

#include <string.h>

#define QUARANTINE ((int64_t)POD_GC_QUARANTINE_SECONDS * NANOSECONDS_PER_SECOND)

enum pod_gc_verdict pod_gc_look(struct pod_gc_quarantine *quarantine, bool present)
{
    if (present) {
        /* Upstream lets the record run out; a node that vanishes again before
         * that is judged by the old record. Here, too: it keeps its age. */
        if (quarantine->begun && quarantine->age > QUARANTINE)
            *quarantine = (struct pod_gc_quarantine){0};
        return POD_GC_NOT_YET;
    }
    if (!quarantine->begun)
        *quarantine = (struct pod_gc_quarantine){.begun = true};
    if (quarantine->age < QUARANTINE)
        return POD_GC_NOT_YET;
    return quarantine->age == QUARANTINE ? POD_GC_EITHER : POD_GC_GONE;
}

void pod_gc_age(struct pod_gc_quarantine *quarantine, int64_t nanoseconds)
{
    if (!quarantine->begun)
        return;
    quarantine->age += nanoseconds;
    if (quarantine->age > QUARANTINE)
        quarantine->age = QUARANTINE + 1;
}

/* Neither Pending nor Running nor Unknown; a pod without a phase counts, too. */
static bool finished(const struct pod_gc_class *pods)
{
    return pods->phase == POD_SUCCEEDED || pods->phase == POD_FAILED ||
           pods->phase == POD_PHASE_UNSET;
}

/* Negative: a goes first. 0: no rule tells them apart. */
static int compare(const struct features *features, const struct pod_gc_class *a,
                   const struct pod_gc_class *b)
{
    if (features->pod_gc_evicted_first && a->evicted != b->evicted)
        return a->evicted ? -1 : 1;
    if (a->creation_time != b->creation_time)
        return a->creation_time < b->creation_time ? -1 : 1;
    return a->name && b->name ? strcmp(a->name, b->name) : 0;
}

static void remove_from(const struct pod_gc_class *pods, enum pod_gc_rule rule, uint32_t count,
                        struct pod_gc_decision *decision)
{
    decision->rule = rule;
    decision->removed = count;
    decision->marked_failed = pods->phase != POD_SUCCEEDED && pods->phase != POD_FAILED;
}

/* The surplus of finished pods, first to go first. */
static void collect_finished(struct arena *scratch, const struct features *features,
                             uint64_t surplus, const struct pod_gc_class *pods, uint32_t pod_count,
                             struct pod_gc_decision *decisions)
{
    uint32_t *order = ARENA_ARRAY(scratch, uint32_t, pod_count + 1);
    uint32_t count = 0;
    for (uint32_t i = 0; i < pod_count; i++) {
        uint32_t at = count;
        if (!finished(&pods[i]) || pods[i].count == 0)
            continue;
        while (at > 0 && compare(features, &pods[i], &pods[order[at - 1]]) < 0) {
            order[at] = order[at - 1];
            at--;
        }
        order[at] = i;
        count++;
    }
    for (uint32_t at = 0; at < count && surplus > 0; at++) {
        const struct pod_gc_class *class = &pods[order[at]];
        const uint32_t taken = class->count < surplus ? class->count : (uint32_t)surplus;
        surplus -= taken;
        remove_from(class, POD_GC_TERMINATED, taken, &decisions[order[at]]);
        for (uint32_t other = 0; surplus == 0 && other < count; other++) {
            const bool kept = other > at || taken < class->count;
            const bool equal = compare(features, &pods[order[other]], class) == 0;
            if (kept && other != at && equal)
                decisions[order[other]].tied = decisions[order[at]].tied = true;
        }
    }
}

void pod_gc_pass(struct arena *scratch, const struct features *features, uint32_t threshold,
                 const struct pod_gc_class *pods, uint32_t pod_count,
                 struct pod_gc_decision *decisions)
{
    uint64_t finished_count = 0;
    for (uint32_t i = 0; i < pod_count; i++) {
        decisions[i] = (struct pod_gc_decision){0};
        finished_count += finished(&pods[i]) ? pods[i].count : 0;
    }
    if (threshold > 0 && finished_count > threshold)
        collect_finished(scratch, features, finished_count - threshold, pods, pod_count, decisions);
    for (uint32_t i = 0; i < pod_count; i++) {
        if (decisions[i].removed == pods[i].count)
            continue;
        if (pods[i].terminating && pods[i].node == POD_GC_OUT_OF_SERVICE)
            remove_from(&pods[i], POD_GC_TERMINATING, pods[i].count, &decisions[i]);
        else if (pods[i].node == POD_GC_NODE_GONE)
            remove_from(&pods[i], POD_GC_ORPHANED, pods[i].count, &decisions[i]);
        else if (pods[i].terminating && pods[i].node == POD_GC_NO_NODE)
            remove_from(&pods[i], POD_GC_UNSCHEDULED, pods[i].count, &decisions[i]);
    }
}
