/* SPDX-License-Identifier: Apache-2.0 */
/*
 * KEDA. It makes a HorizontalPodAutoscaler of a ScaledObject, and scales to and from 0 by itself.
 * Of a ScaledJob it makes Jobs, up to maxReplicaCount at once; one of them stands for all, as one
 * Job does for those of a CronJob.
 */
#include "object/stand_in.h"

#include "base/arena.h"
#include "manifest/value_edit.h"

#include <string.h>

enum { KEDA_MOST = 100 };

/* By a metric that nobody can foresee. */
static struct value any_metric(struct arena *arena, const struct value *like)
{
    const struct value empty = value_of_mapping(like);
    const struct value metric = value_with(arena, &empty, "name", value_of_text(like, "any"));
    const struct value type =
        value_with(arena, &empty, "type", value_of_text(like, "AverageValue"));
    const struct value target = value_with(arena, &type, "averageValue", value_of_text(like, "1"));
    const struct value named = value_with(arena, &empty, "metric", metric);
    const struct value external = value_with(arena, &named, "target", target);
    const struct value typed = value_with(arena, &empty, "type", value_of_text(like, "External"));
    return value_with(arena, &typed, "external", external);
}

static struct value scale_target(struct arena *arena, const struct value *target)
{
    struct value scaled = value_without(arena, target, "envSourceContainerName");
    if (!value_find(target, "kind"))
        scaled = value_with(arena, &scaled, "kind", value_of_text(target, "Deployment"));
    if (!value_find(target, "apiVersion"))
        scaled = value_with(arena, &scaled, "apiVersion", value_of_text(target, "apps/v1"));
    return scaled;
}

static struct value of_number(struct arena *arena, const struct value *like, int64_t number)
{
    struct value value = value_of_text(like, arena_printf(arena, "%lld", (long long)number));
    value.kind = VALUE_INTEGER;
    return value;
}

static bool put_autoscaler(const struct standing *standing, struct document *document)
{
    struct arena *arena = standing->arena;
    const struct value *root = &document->root;
    const struct value *spec = value_find(root, "spec");
    const struct value *target = value_find(spec, "scaleTargetRef");
    const struct value *most = value_find(spec, "maxReplicaCount");
    const struct value *least = value_find(spec, "minReplicaCount");
    int64_t number = 0;
    if (!value_find_string(target, "name"))
        return false;
    struct value bounds = value_of_mapping(spec);
    bounds = value_with(arena, &bounds, "scaleTargetRef", scale_target(arena, target));
    bounds =
        value_with(arena, &bounds, "maxReplicas", most ? *most : of_number(arena, spec, KEDA_MOST));
    if (value_read_integer(least, &number) && number > 0)
        bounds = value_with(arena, &bounds, "minReplicas", *least);
    bounds =
        value_with(arena, &bounds, "metrics", value_of_item(arena, spec, any_metric(arena, spec)));
    const struct value typed =
        stand_in_retyped(arena, root, "autoscaling/v2", "HorizontalPodAutoscaler");
    const struct value bare = value_without(arena, &typed, "status");
    const struct value made = value_with(arena, &bare, "spec", bounds);
    stand_in_put(standing, document, &made,
                 "an autoscaler that may choose any size between its bounds");
    return true;
}

/* Can KEDA make its Jobs? The API server refuses those that always restart their pods. */
static bool is_possible(const struct value *job)
{
    const struct value *pod = value_find(value_find(job, "template"), "spec");
    const char *policy = value_find_string(pod, "restartPolicy");
    return !value_is_null(pod) && !(policy && strcmp(policy, "Always") == 0);
}

/* What pods have by default, Always, is none of those that a Job may have: KEDA writes another. */
static struct value job_spec(struct arena *arena, const struct value *job)
{
    const struct value *template = value_find(job, "template");
    const struct value *pod = value_find(template, "spec");
    if (value_find(pod, "restartPolicy"))
        return *job;
    const struct value restarted =
        value_with(arena, pod, "restartPolicy", value_of_text(pod, "OnFailure"));
    const struct value filled = value_with(arena, template, "spec", restarted);
    return value_with(arena, job, "template", filled);
}

static bool put_job(const struct standing *standing, struct document *document)
{
    struct arena *arena = standing->arena;
    const struct value *spec = value_find(&document->root, "spec");
    const struct value *job = value_find(spec, "jobTargetRef");
    int64_t most = KEDA_MOST;
    if (!is_possible(job))
        return false;
    value_read_integer(value_find(spec, "maxReplicaCount"), &most);
    const struct value typed = stand_in_retyped(arena, &document->root, "batch/v1", "Job");
    const struct value bare = value_without(arena, &typed, "status");
    const struct value made = value_with(arena, &bare, "spec", job_spec(arena, job));
    stand_in_put(standing, document, &made,
                 arena_printf(arena,
                              "one Job that it makes; up to %lld at once (maxReplicaCount) are "
                              "not tried",
                              (long long)most));
    return true;
}

bool keda_put(const struct standing *standing, struct document *document)
{
    if (stand_in_is_of(&document->root, "keda.sh/", "ScaledObject"))
        return put_autoscaler(standing, document);
    return stand_in_is_of(&document->root, "keda.sh/", "ScaledJob") && put_job(standing, document);
}
