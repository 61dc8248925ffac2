/* SPDX-License-Identifier: Apache-2.0 */
/* Durations in the manifests, and the tick that divides them all. */
#include "decide/controller/kubelet.h"
#include "decide/controller/node_lifecycle.h"
#include "decide/controller/taint_manager.h"
#include "object/descheduler_policy.h"
#include "twin/twin_internal.h"

#include <string.h>

/* They are gone through twice: for the tick, and then in ticks. */
struct reading {
    struct twin *twin;
    int64_t common;
    bool counting;
};

static int64_t seconds(int64_t count)
{
    return count * NANOSECONDS_PER_SECOND;
}

static uint32_t ticks_of(struct reading *reading, int64_t duration)
{
    int64_t a = reading->common;
    for (int64_t b = duration; b != 0;) {
        const int64_t rest = a % b;
        a = b;
        b = rest;
    }
    reading->common = a;
    return reading->counting ? (uint32_t)(duration / reading->twin->clock.tick) : 0;
}

static void add_limit(struct reading *reading, struct limits *limits, int64_t duration)
{
    if (duration <= 0)
        return;
    const uint32_t ticks = ticks_of(reading, duration);
    uint32_t at = 0;
    while (at < limits->count && limits->items[at] < ticks)
        at++;
    if (!reading->counting || (at < limits->count && limits->items[at] == ticks))
        return;
    if (limits->count == LIMITS_MOST) {
        reading->twin->overflow = true;
        return;
    }
    for (uint32_t i = limits->count++; i > at; i--)
        limits->items[i] = limits->items[i - 1];
    limits->items[at] = ticks;
}

/* An age that somebody may ask for, of a pod that is not terminating. */
static void add_age(struct reading *reading, uint32_t revision, int64_t duration)
{
    add_limit(reading, &reading->twin->clock.times[revision].starting, duration);
    add_limit(reading, &reading->twin->clock.times[revision].ready, duration);
}

/* ---- pods ---- */

static void read_pod(struct reading *reading, uint32_t revision)
{
    const struct twin *twin = reading->twin;
    const struct pod *pod = twin->revisions[revision].pod;
    const struct object *owner = twin->workloads[twin->revisions[revision].workload].setup->object;
    struct twin_times *times = &reading->twin->clock.times[revision];
    int64_t earliest = 0;
    int64_t latest = 0;
    const char *never = labels_find(&pod->meta.annotations, "fathom.dev/never-ready");
    for (uint32_t c = 0; c < pod->spec.container_count && !(never && strcmp(never, "true") == 0);
         c++) {
        int64_t first;
        int64_t last;
        kubelet_ready_window(pod->spec.containers[c].startup_probe,
                             pod->spec.containers[c].readiness_probe, &first, &last);
        earliest = first > earliest ? first : earliest;
        latest = last > latest ? last : latest;
    }
    times->earliest = ticks_of(reading, earliest);
    times->latest = ticks_of(reading, latest);
    add_limit(reading, &times->starting, latest);
    const int64_t least = owner->kind == OBJECT_DEPLOYMENT ? owner->as.deployment->min_ready_seconds
                          : owner->kind == OBJECT_STATEFUL_SET
                              ? owner->as.stateful_set->min_ready_seconds
                              : 0;
    times->min_ready = ticks_of(reading, seconds(least));
    add_limit(reading, &times->since, seconds(least));
}

int64_t twin_tolerated_seconds(const struct twin *twin, const struct node *node, uint32_t revision,
                               bool silent)
{
    const struct pod_spec *spec = &twin->revisions[revision].pod->spec;
    struct taint taints[8];
    uint32_t count = 0;
    for (uint32_t t = 0; t < node->spec.taint_count; t++) {
        const struct taint *taint = &node->spec.taints[t];
        const bool of_lifecycle = strcmp(taint->key, "node.kubernetes.io/unreachable") == 0 ||
                                  strcmp(taint->key, "node.kubernetes.io/not-ready") == 0;
        if (taint->effect == TAINT_NO_EXECUTE && (silent || !of_lifecycle))
            taints[count++] = *taint;
    }
    return count == 0 ? TOLERATED_FOREVER
                      : taint_manager_tolerated_seconds(taints, count, spec->tolerations,
                                                        spec->toleration_count);
}

/* The pod and the taint meet when the later of them comes. Which one that is matters
 * if the pod may come to a node that is tainted already. */
static bool may_come(const struct twin *twin, uint32_t revision, const struct node *node)
{
    const struct pod_spec *spec = &twin->revisions[revision].pod->spec;
    return spec->node_name || twin->revisions[revision].unchecked ||
           tolerations_find(spec->tolerations, spec->toleration_count,
                            &node->spec.taints[node->spec.taint_count - 2]);
}

static void read_tolerations(struct reading *reading, uint32_t revision)
{
    static const enum twin_condition conditions[] = {UP, DOWN, AWAY, REPAIRED};
    struct twin *twin = reading->twin;
    for (uint32_t n = 0; n < twin->node_count; n++)
        for (int c = 0; c < 4; c++) {
            const struct node *node =
                twin->catalog->templates.items[twin->nodes[n].templates[conditions[c]]]->node;
            const int64_t tolerated = twin_tolerated_seconds(twin, node, revision, true);
            if (tolerated == NOT_TOLERATED || tolerated == TOLERATED_FOREVER)
                continue;
            if (conditions[c] != UP)
                add_limit(reading, &twin->clock.nodes[conditions[c]], seconds(tolerated));
            if (conditions[c] != UP && !may_come(twin, revision, node))
                continue;
            add_age(reading, revision, seconds(tolerated));
            add_limit(reading, &twin->clock.times[revision].bound, seconds(tolerated));
        }
}

/* ---- the rest ---- */

static void read_policy(struct reading *reading)
{
    struct twin *twin = reading->twin;
    const struct check_descheduler *descheduler = twin->scope->check->controllers.descheduler;
    if (!descheduler || !descheduler->policy)
        return;
    twin->clock.cycle_period = ticks_of(reading, descheduler->interval_ns);
    for (uint32_t p = 0; p < descheduler->policy->profile_count; p++)
        for (uint32_t r = 0; r < twin->revision_count; r++) {
            const struct descheduler_profile *profile = &descheduler->policy->profiles[p];
            for (uint32_t i = 0; i < profile->deschedule.count; i++)
                if (profile->deschedule.items[i] == DESCHEDULER_POD_LIFE_TIME)
                    add_age(reading, r,
                            seconds(profile->pod_life_time.pod_life_time_seconds_most.value));
            add_age(reading, r, profile->default_evictor.pod_age_least_ns);
        }
}

/* Nodes that stop together are noticed at four passes of the controller, five seconds apart. */
static void read_notices(struct reading *reading, int64_t grace, bool several)
{
    struct twin *twin = reading->twin;
    for (int64_t late = several ? -10 : 0; late <= (several ? 5 : 0); late += 5) {
        add_limit(reading, &twin->clock.nodes[LOST], grace + seconds(late));
        add_limit(reading, &twin->clock.nodes[LOST_AWAY], grace + seconds(late));
    }
}

static void read_event(struct reading *reading, uint32_t number)
{
    struct twin *twin = reading->twin;
    const struct check_event *event = twin->events[number].event;
    const uint32_t workload = twin->events[number].workload;
    const int64_t grace = node_lifecycle_default_rules(&twin->features).monitor_grace;
    switch (event->kind) {
    case EVENT_CPU_PATTERN:
        for (uint32_t k = 1; k < event->pattern_count; k++) {
            add_limit(reading, &twin->clock.patterns[workload], event->pattern[k].after_ns);
            for (uint32_t r = 0; r < twin->revision_count; r++)
                if (twin->revisions[r].workload == workload)
                    add_age(reading, r, event->pattern[k].after_ns);
        }
        break;
    case EVENT_LOAD_PATTERN:
        twin->clock.wave = number;
        for (uint32_t k = 0; k < event->pattern_count; k++) {
            const bool last = k + 1 == event->pattern_count;
            const int64_t end = last ? event->every_ns : event->pattern[k + 1].after_ns;
            twin->clock.wave_lengths[k] = ticks_of(reading, end - event->pattern[k].after_ns);
        }
        break;
    case EVENT_PARTITION:
        if (event->from != PARTITION_CLIENTS)
            read_notices(reading, grace, event->topology_key != NULL);
        break;
    case EVENT_NODE_FAILURE: read_notices(reading, grace, false); break;
    case EVENT_KERNEL_PANIC:
    case EVENT_ZONE_OUTAGE: read_notices(reading, grace, true); break;
    default: break;
    }
}

/* How long the cluster autoscaler waits. */
static void read_scaling(struct reading *reading)
{
    struct twin *twin = reading->twin;
    struct autoscaler_options options;
    if (!twin_autoscaler_options(twin, &options))
        return;
    twin->clock.after_add = ticks_of(reading, options.delay_after_add);
    twin->clock.after_delete = ticks_of(reading, options.delay_after_delete);
    add_limit(reading, &twin->clock.nodes[SPARE], options.unneeded_time);
    add_limit(reading, &twin->clock.nodes[CANDIDATE], options.unneeded_time);
    add_limit(reading, &twin->clock.nodes[DOWN], options.unready_time);
    add_limit(reading, &twin->clock.nodes[REPAIRED], options.unready_time);
    add_limit(reading, &twin->clock.nodes[AWAY], options.unready_time);
    add_limit(reading, &twin->clock.nodes[LEAVING], options.eviction_time);
    for (uint32_t e = 0; e < twin->event_count; e++) {
        const struct check_event *event = twin->events[e].event;
        if (event->kind == EVENT_DELETE && strcmp(event->object.kind, "Node") == 0)
            add_limit(reading, &twin->clock.nodes[event->recovers ? GONE_AWHILE : GONE],
                      options.provision_time);
    }
}

static void read_all(struct reading *reading)
{
    struct twin *twin = reading->twin;
    const struct check_autoscaler *autoscaler =
        twin->scope->check->controllers.horizontal_pod_autoscaler;
    for (uint32_t w = 0; w < twin->workload_count; w++)
        if (twin->workloads[w].setup->autoscaler)
            twin->clock.sync_period =
                ticks_of(reading, autoscaler ? autoscaler->sync_period_ns : seconds(15));
    read_policy(reading);
    read_scaling(reading);
    for (uint32_t i = 0; i < twin->intent_count; i++) {
        twin->clock.after[i] = ticks_of(reading, twin->intents[i].after_ns);
        twin->clock.within[i] = ticks_of(reading, twin->intents[i].within_ns);
    }
    for (uint32_t r = 0; r < twin->revision_count; r++) {
        read_pod(reading, r);
        read_tolerations(reading, r);
    }
    for (uint32_t e = 0; e < twin->event_count; e++)
        read_event(reading, e);
}

void twin_read_times(struct twin *twin)
{
    struct reading reading = {.twin = twin};
    twin->clock.wave = NOBODY;
    read_all(&reading);
    twin->clock.tick = reading.common > 0 ? reading.common : seconds(1);
    reading.counting = true;
    read_all(&reading);
    /* What is wrong with a node in the beginning has been so for long. */
    for (uint32_t n = 0; n < twin->node_count; n++)
        twin->initial.ages[n] = UINT16_MAX;
    if (twin->clock.wave != NOBODY)
        twin->initial.wave_left = twin->clock.wave_lengths[0];
}
