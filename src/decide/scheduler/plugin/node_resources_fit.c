/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a pod requests must be free on the node; and, by strategy, emptier or
 * fuller nodes are better.
 *
 * Until 1.27, a pod that requests nothing at all fits even an overcommitted
 * node, and a pod that requests anything does not fit a node on which cpu,
 * memory or ephemeral storage is overcommitted, whichever of them it requests.
 */
#include "base/saturating.h"
#include "decide/pod_shape.h"
#include "decide/scheduler/lead.h"
#include "decide/scheduler/plan.h"
#include "decide/scheduler/resource_score.h"

#include <math.h>
#include <string.h>

enum { COUNTER_PODS, COUNTER_CPU, COUNTER_MEMORY, COUNTER_EPHEMERAL, COUNTER_SCALARS };

struct fit {
    const struct amounts *requests;
    bool requests_anything;
    bool *ignored; /* by scalar of the pod */
    struct scored_resources *scored;
};

static bool list_has(const struct string_list *list, const char *name, size_t length)
{
    for (uint32_t i = 0; i < list->count; i++)
        if (strncmp(list->items[i], name, length) == 0 && list->items[i][length] == '\0')
            return true;
    return false;
}

/* Only extended resources can be ignored: names with a domain that is not Kubernetes' own. */
static bool is_ignored(const struct node_resources_fit_arguments *arguments, const char *name)
{
    const char *slash = strchr(name, '/');
    if (!slash || strstr(name, "kubernetes.io/"))
        return false;
    return list_has(&arguments->ignored_resources, name, strlen(name)) ||
           list_has(&arguments->ignored_resource_groups, name, (size_t)(slash - name));
}

static void prepare(struct plan *plan, struct part *part)
{
    struct arena *arena = plan->catalog->arena;
    const struct amounts *requests = &plan->shape->asked;
    struct fit *fit = ARENA_NEW(arena, struct fit);
    fit->requests = requests;
    fit->requests_anything = requests->cpu_milli || requests->memory ||
                             requests->ephemeral_storage || requests->scalar_count;
    fit->ignored = ARENA_ARRAY(arena, bool, requests->scalar_count + 1);
    for (uint32_t i = 0; i < requests->scalar_count; i++)
        fit->ignored[i] = is_ignored(&plan->profile->settings->node_resources_fit,
                                     plan->catalog->resources.items[requests->scalars[i].resource]);
    part->counters = plan_reserve_counters(plan, COUNTER_SCALARS + requests->scalar_count);
    fit->scored =
        resource_score_prepare(plan, &plan->profile->settings->node_resources_fit.resources, true);
    part->state = fit;
}

static void relate(const struct plan *plan, const struct part *part, const struct pod_shape *pod,
                   bool terminating, int64_t *counters)
{
    (void)plan;
    (void)terminating;
    const struct fit *fit = part->state;
    int64_t *own = counters + part->counters;
    own[COUNTER_PODS] = 1;
    own[COUNTER_CPU] = pod->requests.cpu_milli;
    own[COUNTER_MEMORY] = pod->requests.memory;
    own[COUNTER_EPHEMERAL] = pod->requests.ephemeral_storage;
    for (uint32_t i = 0; i < fit->requests->scalar_count; i++)
        own[COUNTER_SCALARS + i] =
            amounts_scalar(&pod->requests, fit->requests->scalars[i].resource);
    resource_score_relate(fit->scored, pod, counters);
}

/* Notes what is missing; the reason is composed only if a text is wanted. */
static void note(const struct trial *trial, struct verdict *verdict, const char *format,
                 const char *name)
{
    if (verdict->code == VERDICT_FEASIBLE)
        verdict->code = VERDICT_UNSCHEDULABLE;
    if (!trial->texts)
        return;
    verdict->reason = arena_printf(trial->texts, "%s%s%s%s", verdict->reason ? verdict->reason : "",
                                   verdict->reason ? ", " : "", format, name);
}

/* Notes that there is not enough. What is missing even on an empty node cannot be made free by
 * preemption. Apart, so that the question itself, which is asked of every node, stays small. */
__attribute__((noinline)) static void refuse(const struct trial *trial, struct verdict *verdict,
                                             const char *name, int64_t requested,
                                             int64_t allocatable)
{
    const struct features *features = &trial->plan->catalog->features;
    if (requested == 0 && features->fit_only_requested)
        return;
    note(trial, verdict, "Insufficient ", name);
    if (requested > allocatable && features->fit_may_be_unresolvable)
        verdict->code = VERDICT_UNRESOLVABLE;
}

/* One resource. */
static void compare(const struct trial *trial, struct verdict *verdict, const char *name,
                    int64_t requested, int64_t allocatable, int64_t used)
{
    if (requested > saturating_subtract(allocatable, used))
        refuse(trial, verdict, name, requested, allocatable);
}

static struct verdict filter(const struct trial *trial)
{
    const struct fit *fit = trial->part->state;
    const int64_t *used = trial->now->counters + trial->part->counters;
    const struct node_template *template = trial->now->template;
    const struct amounts *allocatable = &template->allocatable;
    struct verdict verdict = verdict_feasible();
    if (used[COUNTER_PODS] + 1 > template->allocatable_pods)
        note(trial, &verdict, "Too many pods", "");
    if (!fit->requests_anything)
        return verdict;
    compare(trial, &verdict, "cpu", fit->requests->cpu_milli, allocatable->cpu_milli,
            used[COUNTER_CPU]);
    compare(trial, &verdict, "memory", fit->requests->memory, allocatable->memory,
            used[COUNTER_MEMORY]);
    compare(trial, &verdict, "ephemeral-storage", fit->requests->ephemeral_storage,
            allocatable->ephemeral_storage, used[COUNTER_EPHEMERAL]);
    for (uint32_t i = 0; i < fit->requests->scalar_count; i++) {
        const struct scalar_amount *scalar = &fit->requests->scalars[i];
        if (scalar->amount != 0 && !fit->ignored[i])
            compare(trial, &verdict, trial->plan->catalog->resources.items[scalar->resource],
                    scalar->amount, amounts_scalar(allocatable, scalar->resource),
                    used[COUNTER_SCALARS + i]);
    }
    return verdict;
}

/* The user's points score from 0 to 10. */
static int64_t point_score(const struct utilization_point *point)
{
    return (int64_t)point->score * (NODE_SCORE_MOST / 10);
}

static int64_t shape_value(const struct node_resources_fit_arguments *arguments,
                           int64_t utilization)
{
    const struct utilization_point *points = arguments->shape;
    uint32_t count = arguments->shape_count;
    for (uint32_t i = 0; i < count; i++) {
        if (utilization > points[i].utilization)
            continue;
        if (i == 0)
            return point_score(&points[0]);
        int64_t low = point_score(&points[i - 1]);
        return low + (point_score(&points[i]) - low) * (utilization - points[i - 1].utilization) /
                         (points[i].utilization - points[i - 1].utilization);
    }
    return count > 0 ? point_score(&points[count - 1]) : 0;
}

static int64_t score_resource(const struct node_resources_fit_arguments *arguments,
                              int64_t requested, int64_t allocatable)
{
    switch (arguments->scoring_strategy) {
    case SCORING_LEAST_ALLOCATED:
        return requested > allocatable
                   ? 0
                   : saturating_multiply(allocatable - requested, NODE_SCORE_MOST) / allocatable;
    case SCORING_MOST_ALLOCATED:
        return saturating_multiply(requested > allocatable ? allocatable : requested,
                                   NODE_SCORE_MOST) /
               allocatable;
    case SCORING_REQUESTED_TO_CAPACITY_RATIO: break;
    }
    int64_t utilization =
        requested > allocatable ? 100 : saturating_multiply(requested, 100) / allocatable;
    return shape_value(arguments, utilization);
}

/* What others hold of a resource: as much as they may, or as little (`least`). */
static int64_t held_beside(const struct scored_resource *resource, const struct beside *beside,
                           bool least)
{
    return least ? resource_score_at_least(resource, beside)
                 : resource_score_beside(resource, beside);
}

/* The score of a node on which others hold so much. NULL: there are none. */
static int64_t score_beside(const struct plan *plan, const struct part *part,
                            const struct load *load, const struct beside *beside, bool least)
{
    const struct node_resources_fit_arguments *arguments =
        &plan->profile->settings->node_resources_fit;
    const struct fit *fit = part->state;
    bool by_ratio = arguments->scoring_strategy == SCORING_REQUESTED_TO_CAPACITY_RATIO;
    int64_t sum = 0;
    int64_t weights = 0;
    for (uint32_t i = 0; i < fit->scored->count; i++) {
        const struct scored_resource *resource = &fit->scored->items[i];
        int64_t allocatable = resource_score_allocatable(resource, load->template);
        if (allocatable == 0)
            continue;
        int64_t requested = saturating_add(load->counters[resource->counter], resource->request);
        if (beside)
            requested = saturating_add(requested, held_beside(resource, beside, least));
        int64_t value = score_resource(arguments, requested, allocatable);
        if (by_ratio && value <= 0)
            continue;
        sum += value * resource->weight;
        weights += resource->weight;
    }
    if (weights == 0)
        return 0;
    return by_ratio ? (int64_t)round((double)sum / (double)weights) : sum / weights;
}

static int64_t score(const struct trial *trial)
{
    return score_beside(trial->plan, trial->part, trial->now, NULL, false);
}

/* What others hold lowers the score of a node, or raises it, by strategy. */
static int64_t lead_beside(const struct lead *lead)
{
    const struct plan *plan = lead->cycle->plan;
    const struct record *const *records = lead->cycle->records;
    switch (plan->profile->settings->node_resources_fit.scoring_strategy) {
    case SCORING_LEAST_ALLOCATED:
        return score_beside(plan, lead->part, &records[lead->ahead]->load, lead->beside, false) -
               score_beside(plan, lead->part, &records[lead->behind]->load, lead->behind_least,
                            true);
    case SCORING_MOST_ALLOCATED: return lead_raw(lead, lead->ahead) - NODE_SCORE_MOST;
    case SCORING_REQUESTED_TO_CAPACITY_RATIO: break;
    }
    return -NODE_SCORE_MOST;
}

static const struct plugin_field fields[] = {{"containers[0].resources.requests", NULL},
                                             {"containers[0].resources", NULL},
                                             {"containers", NULL},
                                             {0}};

const struct plugin plugin_node_resources_fit = {
    .name = "NodeResourcesFit",
    .mirrors = "pkg/scheduler/framework/plugins/noderesources/fit.go @ v1.26.15",
    .weight = 1,
    .events = EVENT_POD_DELETE | EVENT_NODE_ADD | EVENT_NODE_UPDATE,
    .reads = &resource_reads,
    .fields = fields,
    .prepare = prepare,
    .relate = relate,
    .filter = filter,
    .score = score,
    .lead_beside = lead_beside,
};
