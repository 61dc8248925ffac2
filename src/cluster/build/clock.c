/* SPDX-License-Identifier: Apache-2.0 */
/* What the setup says about time: periods, delays, and the tick they share. */
#include "cluster/build/clock.h"
#include "base/saturating.h"
#include "base/word_lists.h"
#include "cluster/ask/availability.h"
#include "cluster/ask/tolerations.h"
#include "cluster/ask/zones.h"
#include "cluster/build/build_nodes.h"
#include "cluster/build/clock_cron.h"
#include "cluster/build/clock_reading.h"
#include "cluster/event_type.h"
#include "cluster/intent_class.h"
#include "cluster/reduce/distinguished_node.h"
#include "cluster/state/autoscaling.h"
#include "cluster/state/clock.h"
#include "cluster/state/conditions.h"
#include "cluster/state/configs.h"
#include "cluster/state/events.h"
#include "cluster/state/nodes.h"
#include "cluster/state/population_model.h"
#include "cluster/state/state.h"
#include "cluster/state/worker.h"
#include "cluster/state/workloads.h"
#include "decide/controller/taint_manager.h"
#include "object/descheduler_policy.h"

static int64_t seconds(int64_t count)
{
    return saturating_multiply(count, NANOSECONDS_PER_SECOND);
}

/* Of a pod that is not terminating, whatever else it does. */
static void add_age(struct reading_times *reading, uint32_t revision, int64_t duration)
{
    struct pod_times *times = &reading->population->clock->pods[revision];
    reading_add_threshold(reading, &times->start[STAGE_STARTING], duration);
    reading_add_threshold(reading, &times->start[STAGE_READY], duration);
}

/* ---- periodic controllers ---- */

/* Periods, and ages that plugins of the descheduler compare with. */
static void read_periods(struct reading_times *reading)
{
    const struct population *population = reading->population;
    const struct descheduler_policy *policy = population->descheduler_policy;
    if (population->autoscalers.count > 0)
        population->clock->sync_period =
            reading_note(reading, scope_sync_period_ns(population->scope));
    if (policy)
        population->clock->cycle_period =
            reading_note(reading, scope_descheduling_interval_ns(population->scope));
    for (uint32_t p = 0; policy && p < policy->profile_count; p++) {
        const struct descheduler_profile *profile = &policy->profiles[p];
        for (uint32_t r = 0; r < population->revisions.count; r++) {
            for (uint32_t i = 0; i < profile->deschedule.count; i++)
                if (profile->deschedule.items[i] == DESCHEDULER_POD_LIFE_TIME)
                    add_age(reading, r,
                            seconds(profile->pod_life_time.pod_life_time_seconds_most.value));
            add_age(reading, r, profile->default_evictor.pod_age_least_ns);
        }
    }
}

/* ---- pods ---- */

/* When a pod is ready, and when it is available after that. */
static void read_readiness(struct reading_times *reading, uint32_t revision)
{
    const struct revision *of = &reading->population->revisions.items[revision];
    const struct object *object = revision_workload(reading->population, revision)->setup->object;
    struct pod_times *times = &reading->population->clock->pods[revision];
    int64_t earliest = 0;
    int64_t latest = 0;
    int64_t least = 0;
    if (!of->never_ready)
        pod_ready_window(&of->pod->spec, &earliest, &latest);
    times->ready_earliest = reading_note(reading, earliest);
    times->ready_latest = reading_note(reading, latest);
    reading_add_threshold(reading, &times->start[STAGE_STARTING], latest);
    if (object->kind == OBJECT_DEPLOYMENT)
        least = object->as.deployment->min_ready_seconds;
    else if (object->kind == OBJECT_STATEFUL_SET)
        least = object->as.stateful_set->min_ready_seconds;
    times->min_ready = reading_note(reading, seconds(least));
    reading_add_threshold(reading, &times->since[STAGE_READY], seconds(least));
}

/* How long a pod of a Job runs. */
static void read_run_time(struct reading_times *reading, uint32_t revision)
{
    const struct run_time run_time = reading->population->revisions.items[revision].run_time;
    struct pod_times *times = &reading->population->clock->pods[revision];
    if (!run_time.given)
        return;
    times->run_earliest = reading_note(reading, run_time.least);
    times->run_latest = reading_note(reading, run_time.most);
    reading_add_threshold(reading, &times->since[STAGE_READY], run_time.least);
    reading_add_threshold(reading, &times->since[STAGE_READY], run_time.most);
}

static void read_pattern(struct reading_times *reading, const struct population_event *event)
{
    const struct population *population = reading->population;
    const struct workload *workload = &population->workloads.items[event->workload];
    for (uint32_t k = 1; k < event->event->pattern_count; k++) {
        const int64_t after = event->event->pattern[k].after_ns;
        reading_add_threshold(reading, &population->clock->patterns[event->workload], after);
        for (uint32_t r = 0; r < workload->revision_count; r++)
            add_age(reading, workload->first_revision + r, after);
    }
}

static void read_wave(struct reading_times *reading, struct wave *wave)
{
    const struct check_event *event = reading->population->events.items[wave->event].event;
    for (uint32_t k = 0; k < event->pattern_count; k++) {
        const int64_t end =
            k + 1 < event->pattern_count ? event->pattern[k + 1].after_ns : event->every_ns;
        wave->lengths[k] = reading_note(reading, end - event->pattern[k].after_ns);
    }
}

/* A tolerated taint counts from when the pod and the taint met: on a node that
 * is tainted for good from the pod's start, otherwise from the taint. Both, if
 * the pod may come to a node that is down already: it tolerates that, it names the
 * node, or its scheduler does not ask. */
static void read_tolerations(struct reading_times *reading, uint32_t revision)
{
    const struct population *population = reading->population;
    const struct pod_spec *spec = &population->revisions.items[revision].pod->spec;
    for (uint32_t t = 0; t < population->templates.count; t++) {
        const struct template_info *info = &population->templates.items[t];
        const struct node *node = population->catalog->templates.items[t]->node;
        const bool tainted = condition_traits[info->condition].evicts;
        const int64_t tolerated =
            node_tolerated_seconds(&population->maker->scratch, node, spec, true);
        if (tolerated == NOT_TOLERATED || tolerated == TOLERATED_FOREVER)
            continue;
        if (tainted)
            reading_add_threshold(reading, &population->clock->nodes[info->condition],
                                  seconds(tolerated));
        const bool may_come = !tainted || population->revisions.items[revision].node_name ||
                              population->revisions.items[revision].unchecked ||
                              tolerations_find(spec->tolerations, spec->toleration_count,
                                               &node->spec.taints[node->spec.taint_count - 2]);
        if (!may_come)
            continue;
        add_age(reading, revision, seconds(tolerated));
        reading_add_threshold(reading, &population->clock->pods[revision].start[STAGE_BOUND],
                              seconds(tolerated));
    }
}

/* When nothing was heard of a node for long enough. Nodes that stop together last renewed their
 * leases at different moments of ten seconds, and the controller looks every five. */
static void read_notices(struct reading_times *reading)
{
    enum { FIRST_PASS = -2, LAST_PASS = 1 };
    const int64_t pass_seconds = 5;
    const struct population *population = reading->population;
    const bool several =
        !events_have(population, LEAVES_NODES_READY | NOTICED_AT_ONCE | TAKES_ONE_NODE);
    const int64_t grace = zones_monitor_grace(&population->options.features);
    for (int pass = several ? FIRST_PASS : 0; pass <= (several ? LAST_PASS : 0); pass++) {
        const int64_t noticed =
            saturating_add(grace, seconds(saturating_multiply(pass, pass_seconds)));
        reading_add_threshold(reading, &population->clock->nodes[NODE_LOST], noticed);
        reading_add_threshold(reading, &population->clock->nodes[NODE_LOST_AWAY], noticed);
    }
}

/* How long nodes have not been needed, or not been ready, until they are removed; how long the
 * drain of one is tried, and a machine without a Node is expected to register. */
static void read_scaling(struct reading_times *reading)
{
    struct clock *clock = reading->population->clock;
    const struct autoscaling *autoscaling = reading->population->autoscaling;
    if (!autoscaling)
        return;
    clock->delay_after_add = reading_note(reading, autoscaling->options.delay_after_add);
    clock->delay_after_delete = reading_note(reading, autoscaling->options.delay_after_delete);
    for (uint32_t g = 0; g < autoscaling->group_count; g++) {
        const struct scaled_group *group = &autoscaling->groups[g];
        reading_add_threshold(reading, &clock->nodes[NODE_UNNEEDED], group->unneeded_time);
        reading_add_threshold(reading, &clock->nodes[NODE_CANDIDATE], group->unneeded_time);
        reading_add_threshold(reading, &clock->nodes[NODE_DOWN], group->unready_time);
        reading_add_threshold(reading, &clock->nodes[failed_condition(reading->population)],
                              group->unready_time);
        reading_add_threshold(reading, &clock->nodes[NODE_AWAY], group->unready_time);
    }
    reading_add_threshold(reading, &clock->nodes[NODE_LEAVING], autoscaling->options.eviction_time);
    if (condition_is_possible(reading->population, NODE_GONE))
        reading_add_threshold(reading, &clock->nodes[NODE_GONE],
                              autoscaling->options.provision_time);
    if (condition_is_possible(reading->population, NODE_GONE_AWHILE))
        reading_add_threshold(reading, &clock->nodes[NODE_GONE_AWHILE],
                              autoscaling->options.provision_time);
}

/* What intents say of time. */
static void read_intents(struct reading_times *reading)
{
    for (uint32_t i = 0; i < reading->population->intents.count; i++) {
        struct intent *intent = &reading->population->intents.items[i];
        intent->after = reading_note(reading, intent->source->after_ns);
        intent->within = reading_note(reading, intent->source->within_ns);
    }
}

static void read_all(struct reading_times *reading)
{
    const struct population *population = reading->population;
    struct clock *clock = population->clock;
    read_periods(reading);
    read_scaling(reading);
    read_intents(reading);
    for (uint32_t e = 0; e < population->events.count; e++)
        if (population->events.items[e].type->pattern == EVENT_PATTERN_OF_POD)
            read_pattern(reading, &population->events.items[e]);
    for (uint32_t r = 0; r < population->revisions.count; r++) {
        read_readiness(reading, r);
        read_run_time(reading, r);
        read_tolerations(reading, r);
    }
    read_cron_jobs(reading);
    read_job_deadlines(reading);
    for (uint32_t w = 0; w < clock->wave_count; w++)
        read_wave(reading, &clock->waves[w]);
    /* A node may be lost without anybody knowing it at once. */
    if (!events_have(population, LEAVES_NODES_READY | NOTICED_AT_ONCE))
        read_notices(reading);
}

/* ---- the whole ---- */

void clock_create(struct population *population)
{
    struct arena *arena = &population->arena;
    struct clock *clock = ARENA_NEW(arena, struct clock);
    const uint32_t revisions = population->revisions.count + 1;
    clock->patterns = ARENA_ARRAY(arena, struct thresholds, population->workloads.count + 1);
    clock->pods = ARENA_ARRAY(arena, struct pod_times, revisions);
    population->maker->slot_classes = ARENA_ARRAY(arena, struct slot_classes, revisions);
    clock->waves = ARENA_ARRAY(arena, struct wave, population->events.count + 1);
    for (uint32_t e = 0; e < population->events.count; e++) {
        const struct population_event *event = &population->events.items[e];
        if (event->type->pattern == EVENT_PATTERN_OF_LOAD)
            clock->waves[clock->wave_count++] =
                (struct wave){e, ARENA_ARRAY(arena, uint32_t, event->event->pattern_count)};
    }
    clock_count_jobs(population, clock);
    words_intern(arena, &population->maker->memories, NULL, 0);
    words_intern(arena, &population->maker->cohorts, NULL, 0);
    words_intern(arena, &population->maker->node_cohorts, NULL, 0);
    population->clock = clock;
}

/* Templates for nodes whose time in a condition counts. */
static void add_node_slots(struct population *population)
{
    struct clock *clock = population->clock;
    for (uint32_t k = 0; k < population->node_kinds.count; k++) {
        struct node_kind *kind = &population->node_kinds.items[k];
        for (int c = 0; c < NODE_CONDITION_COUNT; c++) {
            if (clock->nodes[c].count == 0)
                continue;
            const struct node *node =
                population->catalog->templates.items[kind->templates[c]]->node;
            struct template_info info = population->templates.items[kind->templates[c]];
            clock->has_node_cohorts = true;
            kind->timed[c] = population->templates.count;
            for (info.slot = SLOT_NEW; info.slot < SLOT_FIRST + NODE_COHORTS_MOST; info.slot++)
                add_node_template(population, node, kind->named, info);
        }
    }
}

void clock_finish(struct population *population)
{
    struct clock *clock = population->clock;
    struct reading_times reading = {.population = population};
    read_all(&reading);
    clock->tick_ns = reading.common > 0 ? reading.common : seconds(1);
    if (population->options.tick_parts > 0)
        clock->tick_ns /= population->options.tick_parts;
    reading.tick = clock->tick_ns;
    read_all(&reading);
    for (uint32_t r = 0; r < population->revisions.count; r++)
        for (int s = 0; s < STAGE_COUNT; s++)
            clock->has_cohorts |=
                clock->pods[r].start[s].count > 0 || clock->pods[r].since[s].count > 0;
    add_node_slots(population);
}

/* The number of the periodic controller whose first turn is chosen next: the
 * autoscalers, then the descheduler. False: no more are wanted. */
static bool choose_start(struct worker *worker, struct state *state, uint32_t number,
                         struct step_sink *sink)
{
    const struct population *population = worker->population;
    if (number > population->autoscalers.count)
        return choose_distinguished_nodes(worker, state, sink);
    const bool last = number == population->autoscalers.count;
    const uint32_t period = last ? population->clock->cycle_period : population->clock->sync_period;
    uint32_t *left = last ? &state->clocks.cycle_left : &state->clocks.sync_left[number];
    bool going = true;
    for (uint32_t first = 0; going && (first == 0 || first < period); first++) {
        *left = first;
        going = choose_start(worker, state, number + 1, sink);
    }
    return going;
}

void clock_each_start(struct worker *worker, struct state *state, struct step_sink *sink)
{
    const struct clock *clock = worker->population->clock;
    for (uint32_t w = 0; w < clock->wave_count; w++)
        state->clocks.wave_left[w] = clock->waves[w].lengths[0];
    const uint64_t starts = clock_start_count(worker->population);
    for (uint64_t start = 0; start < starts; start++) {
        clock_set_start(worker->population, state, start);
        if (!choose_start(worker, state, 0, sink))
            return;
    }
}
