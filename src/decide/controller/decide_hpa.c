/* SPDX-License-Identifier: Apache-2.0 */
/* `fathom decide hpa`: the sync of the one HorizontalPodAutoscaler given, or
 * several in a row. */
#include "decide/claim.h"
#include "decide/controller/hpa_explain.h"
#include "decide/controller/hpa_memory.h"
#include "decide/controller/hpa_object.h"
#include "decide/controller/hpa_text.h"
#include "decide/decider.h"
#include "decide/features.h"
#include "decide/scenario.h"

#include <string.h>

/* An autoscaler's life over several syncs. */
struct life {
    const struct horizontal_pod_autoscaler *autoscaler;
    const struct features *features;
    int64_t now;
    struct hpa_scale scale;
    struct hpa_memory memory;
    struct hpa_status status;
};

static bool read_history(struct arena *arena, const struct value *history, const char *key,
                         int64_t now, struct hpa_memory_list *list, struct problems *problems)
{
    const struct value *entries = value_find(history, key);
    if (value_is_null(entries))
        return true;
    if (entries->kind != VALUE_SEQUENCE) {
        value_expected(problems, entries, key, "a list");
        return false;
    }
    VALUE_EACH_ITEM(entries, item)
    {
        int64_t replicas;
        int64_t time;
        if (!scenario_read_integer(item, "replicas", (struct scenario_number){0, 0, INT32_MAX},
                                   &replicas, problems) ||
            !scenario_read_time(item, "timestamp", &time, problems))
            return false;
        const struct hpa_memory_entry entry = {
            .replicas = (int32_t)replicas,
            .age = time == TIME_NONE ? HPA_AGE_UNSET : age_at(now, time),
        };
        VEC_PUSH(arena, list, entry);
    }
    return true;
}

static bool read_memory(struct arena *arena, const struct value *history, int64_t now,
                        struct hpa_memory *memory, struct problems *problems)
{
    const bool good =
        read_history(arena, history, "recommendations", now, &memory->recommendations, problems) &&
        read_history(arena, history, "scaleUpEvents", now, &memory->scale_ups, problems) &&
        read_history(arena, history, "scaleDownEvents", now, &memory->scale_downs, problems);
    memory->started = memory->recommendations.count > 0;
    return good;
}

/* The conditions and numbers that the object already has. */
static void read_status(struct life *life)
{
    static const char *const types[] = {"AbleToScale", "ScalingActive", "ScalingLimited"};
    const struct horizontal_pod_autoscaler_status *status = &life->autoscaler->status;
    life->status.desired_replicas = status->desired_replicas;
    for (int i = 0; i < HPA_CONDITION_COUNT; i++) {
        const struct condition *condition = conditions_find(&status->conditions, types[i]);
        if (!condition || !condition->reason)
            continue;
        life->status.conditions[i] = (struct hpa_condition){
            .reason = condition->reason,
            .message = condition->message ? condition->message : "",
            .status = strcmp(condition->status, "True") == 0,
        };
    }
}

static void write_proposals(struct arena *arena, struct json_out *json, const struct hpa_sync *sync)
{
    json_array_begin(json, "proposals");
    for (uint32_t i = 0; i < sync->input->metric_count; i++) {
        json_object_begin(json, NULL);
        json_integer(json, "replicas", sync->proposals[i].replicas);
        if (sync->proposals[i].failure != HPA_OK)
            json_string(json, "error", hpa_metric_error(arena, sync, i));
        else
            json_string(json, "metric",
                        hpa_metric_name(arena, sync->input->features, &sync->object->metrics[i]));
        json_object_end(json);
    }
    json_array_end(json);
}

/* Members of the mapping that is open, in the form of recorded syncs. */
static void write_sync(struct arena *arena, struct json_out *json, const struct hpa_sync *sync,
                       const struct hpa_status *status)
{
    const struct hpa_decision *decision = sync->decision;
    const char *error = hpa_sync_error(arena, sync);
    const char *reason = hpa_rescale_reason(arena, sync);
    json_integer(json, "newReplicas", decision->replicas);
    json_boolean(json, "rescale", decision->rescale);
    if (decision->rescale && *reason)
        json_string(json, "rescaleReason", reason);
    json_integer(json, "desiredReplicas", status->desired_replicas);
    if (error)
        json_string(json, "error", error);
    hpa_write_conditions(json, "conditions", status);
    if (status->metrics)
        hpa_write_metrics(arena, json, "currentMetrics", sync, status->metrics);
    write_proposals(arena, json, sync);
}

/* One sync: decided and remembered. */
static struct hpa_sync decide_sync(struct arena *arena, struct life *life,
                                   const struct hpa_input *input)
{
    struct hpa_decision *decision = ARENA_NEW(arena, struct hpa_decision);
    struct hpa_proposal *proposals =
        ARENA_ARRAY(arena, struct hpa_proposal, input->metric_count + 1);
    hpa_decide(input, &life->memory, proposals, decision);
    hpa_memory_record(arena, &life->memory, input, decision);
    const struct hpa_sync sync = {life->autoscaler, input, proposals, decision};
    hpa_status_update(arena, &life->status, &sync);
    return sync;
}

static bool run_sync(struct arena *arena, struct life *life, const struct objects *objects,
                     const struct value *metrics, struct json_out *json, const char *key,
                     struct problems *problems)
{
    struct hpa_input input;
    if (!hpa_read_input(arena, objects, life->autoscaler, &life->scale, metrics, life->now,
                        life->features, &input, problems))
        return false;
    const struct hpa_sync sync = decide_sync(arena, life, &input);
    json_object_begin(json, key);
    write_sync(arena, json, &sync, &life->status);
    json_object_end(json);
    return true;
}

static bool read_scale(const struct value *input, struct life *life, struct problems *problems)
{
    int64_t spec;
    int64_t status;
    if (!scenario_read_integer(input, "replicas",
                               (struct scenario_number){life->scale.spec_replicas, 0, INT32_MAX},
                               &spec, problems) ||
        !scenario_read_integer(input, "statusReplicas",
                               (struct scenario_number){spec, 0, INT32_MAX}, &status, problems))
        return false;
    life->scale.spec_replicas = (int32_t)spec;
    life->scale.status_replicas = (int32_t)status;
    return true;
}

static bool run_steps(struct arena *arena, struct life *life, const struct value *steps,
                      struct json_out *json, struct problems *problems)
{
    if (steps->kind != VALUE_SEQUENCE) {
        value_expected(problems, steps, "steps", "a list");
        return false;
    }
    json_object_begin(json, "result");
    json_array_begin(json, "steps");
    bool first = true;
    VALUE_EACH_ITEM(steps, step)
    {
        struct objects objects = {0};
        int64_t clock;
        if (!scenario_read_time(step, "clock", &clock, problems) ||
            !scenario_read_objects(arena, value_find(step, "objects"), &objects, problems) ||
            !read_scale(step, life, problems))
            return false;
        if (clock == TIME_NONE) {
            problem_error(problems, value_place(step), "clock", "expected an instant");
            return false;
        }
        if (!first)
            hpa_memory_age(&life->memory, age_at(clock, life->now));
        first = false;
        life->now = clock;
        if (!run_sync(arena, life, &objects, value_find(step, "metrics"), json, NULL, problems))
            return false;
    }
    json_array_end(json);
    json_object_end(json);
    return true;
}

static bool decide_scenario(struct arena *arena, const struct value *value,
                            const struct features *features, struct json_out *json,
                            struct problems *problems)
{
    struct scenario scenario;
    struct life life = {0};
    if (!scenario_read(arena, value, features, &scenario, problems))
        return false;
    const struct object *object =
        scenario_only(&scenario.objects, OBJECT_HORIZONTAL_POD_AUTOSCALER, problems);
    if (!object)
        return false;
    life.autoscaler = object->as.horizontal_pod_autoscaler;
    life.now = scenario_clock(&scenario);
    life.features = &scenario.features;
    if (!hpa_find_scale(arena, &scenario.objects, life.autoscaler, &life.scale, problems))
        return false;
    read_status(&life);
    const struct value *steps = value_find(scenario.input, "steps");
    if (!value_is_null(steps))
        return run_steps(arena, &life, steps, json, problems);
    return read_scale(scenario.input, &life, problems) &&
           read_memory(arena, value_find(scenario.input, "history"), life.now, &life.memory,
                       problems) &&
           run_sync(arena, &life, &scenario.objects, value_find(scenario.input, "metrics"), json,
                    "result", problems);
}

static bool same_namespace(const struct object *object,
                           const struct horizontal_pod_autoscaler *autoscaler)
{
    return object->meta->namespace &&
           strcmp(object->meta->namespace, autoscaler->meta.namespace) == 0;
}

/* Does another autoscaler select one of this one's pods, too? */
static bool selector_is_ambiguous(struct arena *arena, const struct objects *objects,
                                  const struct life *life)
{
    for (uint32_t i = 0; i < objects->count; i++) {
        const struct object *other = &objects->items[i];
        struct hpa_scale scale = {0};
        struct problems ignored;
        problems_init(&ignored, arena);
        if (other->kind != OBJECT_HORIZONTAL_POD_AUTOSCALER ||
            other->as.horizontal_pod_autoscaler == life->autoscaler ||
            !same_namespace(other, life->autoscaler) ||
            !hpa_find_scale(arena, objects, other->as.horizontal_pod_autoscaler, &scale,
                            &ignored) ||
            !scale.selector || !life->scale.selector)
            continue;
        for (uint32_t p = 0; p < objects->count; p++) {
            const struct object *pod = &objects->items[p];
            if (pod->kind == OBJECT_POD && same_namespace(pod, life->autoscaler) &&
                label_selector_matches(scale.selector, &pod->meta->labels) &&
                label_selector_matches(life->scale.selector, &pod->meta->labels))
                return true;
        }
    }
    return false;
}

static bool decide_one(struct arena *arena, const struct objects *objects,
                       const struct horizontal_pod_autoscaler *autoscaler,
                       const struct features *features, struct json_out *json,
                       struct text *sentences, struct problems *problems)
{
    /* What the controller remembers is not in its objects. It is taken to have been
     * running for a while, without a recent recommendation or change that would
     * limit this sync. */
    struct life life = {.autoscaler = autoscaler,
                        .features = features,
                        .now = scenario_present(objects),
                        .memory = {.started = true}};
    struct hpa_input input;
    if (!hpa_find_scale(arena, objects, autoscaler, &life.scale, problems) ||
        !hpa_read_input(arena, objects, autoscaler, &life.scale, NULL, life.now, life.features,
                        &input, problems))
        return false;
    input.selector_ambiguous = selector_is_ambiguous(arena, objects, &life);
    read_status(&life);
    const struct hpa_sync sync = decide_sync(arena, &life, &input);
    json_object_begin(json, NULL);
    json_string(json, "namespace", autoscaler->meta.namespace);
    json_string(json, "name", autoscaler->meta.name);
    json_integer(json, "replicas", input.spec_replicas);
    write_sync(arena, json, &sync, &life.status);
    json_object_begin(json, "explanation");
    hpa_explain_json(arena, &sync, json);
    json_object_end(json);
    json_object_end(json);
    hpa_explain(arena, &sync, sentences);
    if (sync.decision->outcome == HPA_BY_METRICS && sync.decision->replicas < input.spec_replicas)
        text_printf(sentences, "  Unless a higher recommendation was made within the "
                               "stabilization window, which manifests do not tell.\n");
    return true;
}

static bool decide_objects(struct arena *arena, const struct objects *objects,
                           const struct decide_choice *choice, struct json_out *json,
                           struct text *sentences, struct problems *problems)
{
    bool good = true;
    uint32_t found = 0;
    json_array_begin(json, "result");
    for (uint32_t i = 0; i < objects->count; i++) {
        if (objects->items[i].kind != OBJECT_HORIZONTAL_POD_AUTOSCALER)
            continue;
        found++;
        good = decide_one(arena, objects, objects->items[i].as.horizontal_pod_autoscaler,
                          &choice->features, json, sentences, problems) &&
               good;
    }
    json_array_end(json);
    if (found == 0)
        text_printf(sentences, "There is no HorizontalPodAutoscaler among the objects.\n");
    return good;
}

const struct decider decider_hpa = {
    .name = "hpa",
    .summary = "to how many replicas a HorizontalPodAutoscaler scales its target, and why",
    .decide_scenario = decide_scenario,
    .decide_objects = decide_objects,
};
