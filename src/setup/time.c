/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whether order alone decides, or clocks are needed.
 *
 * Without clocks any time may pass at rest, so every period may have run out
 * already. That includes everything that can really happen, and more; for most
 * manifests it is precise enough. It is not where waiting itself causes or
 * prevents a violation. Only there time is clocked by default.
 */
#include "object/time.h"
#include "decide/descheduler/descheduler.h"
#include "setup/setup.h"

const struct scheduler_configuration *scope_scheduler_configuration(const struct scope *scope)
{
    return scope->check && scope->check->controllers.scheduler
               ? scope->check->controllers.scheduler->configuration
               : NULL;
}

const struct descheduler_policy *scope_descheduler_policy(const struct scope *scope)
{
    if (scope->check && scope->check->controllers.descheduler &&
        scope->check->controllers.descheduler->policy)
        return scope->check->controllers.descheduler->policy;
    for (uint32_t i = 0; i < scope->objects->count; i++)
        if (scope->objects->items[i].kind == OBJECT_DESCHEDULER_POLICY)
            return scope->objects->items[i].as.descheduler_policy;
    return NULL;
}

int64_t scope_sync_period_ns(const struct scope *scope)
{
    enum { SECONDS = 15 }; /* as kube-controller-manager has it by default */
    return scope->check && scope->check->controllers.horizontal_pod_autoscaler
               ? scope->check->controllers.horizontal_pod_autoscaler->sync_period_ns
               : (int64_t)SECONDS * NANOSECONDS_PER_SECOND;
}

int64_t scope_descheduling_interval_ns(const struct scope *scope)
{
    enum { SECONDS = 300 };
    return scope->check && scope->check->controllers.descheduler
               ? scope->check->controllers.descheduler->interval_ns
               : (int64_t)SECONDS * NANOSECONDS_PER_SECOND;
}

/* A stabilization window delays scaling up. Without clocks a surge may last for
 * ever, so that the window would have no effect. */
static bool waits_before_scaling_up(const struct horizontal_pod_autoscaler *autoscaler)
{
    return autoscaler->has_behavior && autoscaler->scale_up.stabilization_window_seconds.set &&
           autoscaler->scale_up.stabilization_window_seconds.value > 0;
}

static bool any_is_timed(const struct descheduler_plugin_list *plugins)
{
    for (uint32_t i = 0; i < plugins->count; i++)
        if (descheduler_plugin_is_timed(plugins->items[i]))
            return true;
    return false;
}

/* Without ages such plugins would never evict anything. */
static bool goes_by_ages(const struct descheduler_policy *policy)
{
    for (uint32_t p = 0; policy && p < policy->profile_count; p++)
        if (any_is_timed(&policy->profiles[p].deschedule) ||
            any_is_timed(&policy->profiles[p].balance))
            return true;
    return false;
}

bool intents_need_clocks(const struct check_intent *intents, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (intents[i].after_ns > 0 || intents[i].within_ns > 0)
            return true;
    return false;
}

const char *scope_needs_clocks(const struct scope *scope)
{
    if (scope->check && intents_need_clocks(scope->check->intents, scope->check->intent_count))
        return INTENTS_NEED_CLOCKS;
    for (uint32_t i = 0; i < scope->objects->count; i++)
        if (scope->objects->items[i].kind == OBJECT_HORIZONTAL_POD_AUTOSCALER &&
            waits_before_scaling_up(scope->objects->items[i].as.horizontal_pod_autoscaler))
            return "an autoscaler has a stabilization window for scaling up";
    for (uint32_t e = 0; scope->check && e < scope->check->event_count; e++)
        if (event_kind_needs_clocks(scope->check->events[e].kind))
            return event_kind_needs_clocks(scope->check->events[e].kind);
    if (scope->cron_job_count > 0)
        return "jobsAtMost is about the Jobs that CronJobs make by their schedules";
    if (goes_by_ages(scope_descheduler_policy(scope)))
        return "the descheduler goes by the ages of pods";
    return NULL;
}
