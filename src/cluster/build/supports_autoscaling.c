/* SPDX-License-Identifier: Apache-2.0 */
/* What is not modelled beside the cluster autoscaler. */
#include "cluster/ask/support.h"
#include "cluster/build/build_autoscaling.h"
#include "cluster/build/build_jobs.h"
#include "cluster/state/autoscaling.h"
#include "cluster/state/notes.h"
#include "decide/autoscaler/expander.h"
#include "decide/features.h"
#include "object/policy.h"

#include <string.h>

#define PATH "spec.controllers.clusterAutoscaler"

static void refuse(const struct support *support, struct place place, const char *path,
                   const char *what)
{
    problem_error(support->problems, place, path,
                  "verify does not model the cluster autoscaler with %s; nothing is verified",
                  what);
}

static void check_prices(const struct support *support,
                         const struct check_cluster_autoscaler *autoscaler, struct place place)
{
    for (uint32_t g = 0; g < autoscaler->group_count; g++)
        if (!autoscaler->groups[g].has_price)
            problem_error(
                support->problems, place,
                arena_printf(support->arena, PATH ".groups.%s.price", autoscaler->groups[g].name),
                "expected a price: the expander price compares the prices of groups");
}

static void check_expanders(const struct support *support,
                            const struct check_cluster_autoscaler *autoscaler,
                            const struct autoscaler_options *options, struct place place)
{
    const char *wrong = expanders_wrong(support->arena, &options->expander);
    const char *why;
    const char *priorities = autoscaling_priorities(support->scope->objects);
    if (wrong)
        problem_error(support->problems, place, PATH ".flags.expander", "%s; nothing is verified",
                      wrong);
    if (string_list_has(&options->expander, "price"))
        check_prices(support, autoscaler, place);
    if (priorities && !priorities_check(support->arena, priorities, &why))
        problem_error(support->problems, place, PATH,
                      "the regular expressions of priority %s are more than Fathom understands; "
                      "nothing is verified",
                      why);
}

static void check_groups(const struct support *support,
                         const struct check_cluster_autoscaler *autoscaler,
                         const struct autoscaler_options *options, struct place place)
{
    if (autoscaler->group_count == 0)
        problem_error(support->problems, place, PATH ".groups",
                      "expected at least one group of spec.nodeGroups, found none");
    for (uint32_t g = 0; g < autoscaler->group_count; g++) {
        struct autoscaler_options own = *options;
        autoscaling_read_group_options(support->arena, &autoscaler->groups[g], &own,
                                       support->problems);
    }
    if (autoscaler->group_count > BACKOFF_GROUPS_MOST)
        problem_error(support->problems, place, PATH ".groups",
                      "expected at most %d groups, found %u; nothing is verified",
                      BACKOFF_GROUPS_MOST, autoscaler->group_count);
}

/* Who ended a pod of a Job is not told by the autoscaler's drains. */
static void check_workloads(const struct support *support)
{
    const struct scope *scope = support->scope;
    const struct features newest = features_of_version(FEATURES_MINOR_LAST);
    for (uint32_t w = 0; w < scope->workload_count; w++) {
        const struct object *object = scope->workloads[w].object;
        if (object->kind == OBJECT_JOB &&
            job_rules_make(support->arena, &newest, object->as.job, object->as.job->completions))
            refuse(support, object->place, NULL, "a Job that has policies");
    }
}

/* Nodes under pressure have no age. */
static void check_clocked(const struct support *support, const struct check *check,
                          struct place place)
{
    for (uint32_t e = 0; e < check->event_count; e++)
        if (check->events[e].kind == EVENT_NODE_PRESSURE)
            refuse(support, check->events[e].place, NULL,
                   "clocked time and the event nodePressure");
    for (uint32_t g = 0; g < support->scope->group_count; g++)
        if (support->scope->groups[g].pressures != 0)
            refuse(support, place, PATH,
                   arena_printf(support->arena, "clocked time and node %s under pressure",
                                support->scope->groups[g].name));
}

void supports_autoscaling(const struct support *support, const struct check *check,
                          struct place place)
{
    const struct check_cluster_autoscaler *autoscaler = check->controllers.cluster_autoscaler;
    const struct features newest = features_of_version(FEATURES_MINOR_LAST);
    struct autoscaler_options options;
    for (uint32_t e = 0; !autoscaler && e < check->event_count; e++)
        if (event_kind_has(check->events[e].kind, EVENT_FACT_PROVISIONS))
            problem_error(support->problems, check->events[e].place, NULL,
                          "the event %s needs a cluster autoscaler (" PATH ")",
                          event_kind_name(check->events[e].kind));
    if (!autoscaler)
        return;
    autoscaling_read_options(support->arena, autoscaler, &newest, &options, support->problems);
    check_groups(support, autoscaler, &options, place);
    check_expanders(support, autoscaler, &options, place);
    check_workloads(support);
    if (support->scope->time == TIME_CLOCKED)
        check_clocked(support, check, place);
}
