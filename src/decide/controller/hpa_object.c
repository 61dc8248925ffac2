/* SPDX-License-Identifier: Apache-2.0 */
#include "decide/controller/hpa_object.h"

#include "base/map.h"
#include "decide/claim.h"
#include "decide/controller/go_number.h"
#include "decide/pod_requests.h"
#include "decide/scenario.h"
#include "object/workload.h"

/* The window of custom metrics, which do not state theirs. */
#define CUSTOM_METRIC_WINDOW (INT64_C(60) * NANOSECONDS_PER_SECOND)

/* A pod class while it is filled in. */
struct draft {
    struct hpa_pod_class class;
    struct hpa_sample *samples;
    struct hpa_request *requests;
};

struct builder {
    struct arena *arena;
    const struct horizontal_pod_autoscaler *autoscaler;
    const struct hpa_scale *scale;
    int64_t now;
    const struct features *features;
    struct map by_name; /* pod name -> number in `drafts`, plus 1 */
    VEC(struct draft) drafts;
    uint32_t samples_listed;
};

static const struct label_selector *selector_of_labels(struct arena *arena,
                                                       const struct labels *labels)
{
    struct label_selector *selector = ARENA_NEW(arena, struct label_selector);
    selector->match_labels = *labels;
    return selector;
}

bool hpa_find_scale(struct arena *arena, const struct objects *objects,
                    const struct horizontal_pod_autoscaler *autoscaler, struct hpa_scale *scale,
                    struct problems *problems)
{
    const struct object_reference *target = &autoscaler->scale_target;
    for (uint32_t i = 0; i < objects->count; i++) {
        const struct object *object = &objects->items[i];
        if (!claim_same_text(object->kind_name, target->kind) ||
            !claim_same_text(object->meta->name, target->name) ||
            !claim_same_text(object->meta->namespace, autoscaler->meta.namespace))
            continue;
        switch (object->kind) {
        case OBJECT_DEPLOYMENT:
            *scale = (struct hpa_scale){object->as.deployment->replicas,
                                        object->as.deployment->status.replicas,
                                        object->as.deployment->selector};
            return true;
        case OBJECT_REPLICA_SET:
            *scale = (struct hpa_scale){object->as.replica_set->replicas,
                                        object->as.replica_set->status.replicas,
                                        object->as.replica_set->selector};
            return true;
        case OBJECT_STATEFUL_SET:
            *scale = (struct hpa_scale){object->as.stateful_set->replicas,
                                        object->as.stateful_set->status.replicas,
                                        object->as.stateful_set->selector};
            return true;
        case OBJECT_REPLICATION_CONTROLLER:
            *scale = (struct hpa_scale){
                object->as.replication_controller->replicas,
                object->as.replication_controller->replicas,
                selector_of_labels(arena, &object->as.replication_controller->selector)};
            return true;
        default: break;
        }
    }
    problem_error(problems, (struct place){0}, NULL,
                  "the scale target of HorizontalPodAutoscaler %s, %s %s, is not among the objects",
                  autoscaler->meta.name, target->kind, target->name);
    return false;
}

static int64_t age_of(const struct builder *builder, int64_t time)
{
    return time == TIME_NONE ? HPA_AGE_UNSET : age_at(builder->now, time);
}

static struct draft *add_draft(struct builder *builder, const char *name)
{
    const uint32_t metrics = builder->autoscaler->metric_count;
    struct draft draft = {
        .class = {.count = 1, .name = name, .sample_order = UINT32_MAX},
        .samples = ARENA_ARRAY(builder->arena, struct hpa_sample, metrics + 1),
        .requests = ARENA_ARRAY(builder->arena, struct hpa_request, metrics + 1),
    };
    draft.class.samples = draft.samples;
    draft.class.requests = draft.requests;
    VEC_PUSH(builder->arena, &builder->drafts, draft);
    map_put(&builder->by_name, name)->value = (void *)(uintptr_t)builder->drafts.count;
    return &builder->drafts.items[builder->drafts.count - 1];
}

/* The draft of a pod that is listed, or of one of which only samples are left. */
static struct draft *find_draft(struct builder *builder, const char *name)
{
    const uintptr_t number = (uintptr_t)map_get(&builder->by_name, name);
    if (number)
        return &builder->drafts.items[number - 1];
    struct draft *draft = add_draft(builder, name);
    draft->class.vanished = true;
    return draft;
}

static void add_requests(const struct metric_spec *metric, const struct container *containers,
                         uint32_t count, bool sidecars_only, struct hpa_request *request)
{
    for (uint32_t i = 0; i < count && !request->missing_in; i++) {
        const struct container *container = &containers[i];
        if (sidecars_only && !container_restarts_always(container))
            continue;
        if (metric->source == METRIC_CONTAINER_RESOURCE &&
            !claim_same_text(metric->container, container->name))
            continue;
        const struct quantity *quantity =
            resource_list_find(&container->resources.requests, metric->resource);
        if (!quantity)
            request->missing_in = container->name;
        else
            request->milli += quantity_milli_value(*quantity);
    }
}

static bool has_container(const struct metric_spec *metric, const struct container *containers,
                          uint32_t count, bool sidecars_only)
{
    for (uint32_t i = 0; i < count; i++)
        if ((!sidecars_only || container_restarts_always(&containers[i])) &&
            claim_same_text(metric->container, containers[i].name))
            return true;
    return false;
}

static struct hpa_request request_of_whole(const struct metric_spec *metric, const struct pod *pod,
                                           const struct features *features)
{
    struct quantity quantity;
    if (!pod_request(features, pod, metric->resource, REQUESTS_ASKED, &quantity))
        return (struct hpa_request){.missing_in = "", .gap = HPA_GAP_IN_POD};
    return (struct hpa_request){.milli = quantity_milli_value(quantity)};
}

struct hpa_request hpa_request_of(const struct metric_spec *metric, const struct pod *pod,
                                  const struct features *features)
{
    const struct pod_spec *spec = &pod->spec;
    const bool one = metric->source == METRIC_CONTAINER_RESOURCE;
    struct hpa_request request = {0};
    if (metric->source != METRIC_RESOURCE && !one)
        return request;
    if (!one && pod_has_own_requests(features, pod))
        return request_of_whole(metric, pod, features);
    if (one && features->hpa_needs_container &&
        !has_container(metric, spec->containers, spec->container_count, false) &&
        !has_container(metric, spec->init_containers, spec->init_container_count, true))
        return (struct hpa_request){.missing_in = metric->container, .gap = HPA_GAP_NO_CONTAINER};
    add_requests(metric, spec->containers, spec->container_count, false, &request);
    if (features->hpa_counts_sidecars)
        add_requests(metric, spec->init_containers, spec->init_container_count, true, &request);
    return request;
}

static enum hpa_readiness readiness_of(const struct condition *ready)
{
    if (!ready)
        return HPA_READY_UNSET;
    if (claim_same_text(ready->status, "True"))
        return HPA_READY_TRUE;
    return claim_same_text(ready->status, "False") ? HPA_READY_FALSE : HPA_READY_UNKNOWN;
}

static void add_pod(struct builder *builder, const struct pod *pod)
{
    struct draft *draft = add_draft(builder, pod->meta.name);
    const struct condition *ready = conditions_find(&pod->status.conditions, "Ready");
    draft->class.terminating = pod->meta.deletion_time != TIME_NONE;
    draft->class.phase = pod->status.phase;
    draft->class.readiness = readiness_of(ready);
    draft->class.started = pod->status.start_time != TIME_NONE;
    draft->class.start_age = age_of(builder, pod->status.start_time);
    draft->class.ready_age = ready ? age_of(builder, ready->last_transition_time) : HPA_AGE_UNSET;
    for (uint32_t i = 0; i < builder->autoscaler->metric_count; i++)
        draft->requests[i] =
            hpa_request_of(&builder->autoscaler->metrics[i], pod, builder->features);
}

/* The usage of the named container. */
static void sample_container(const struct metric_spec *metric, const struct pod_metrics *metrics,
                             struct hpa_sample *sample)
{
    sample->state = HPA_SAMPLE_NO_CONTAINER;
    for (uint32_t i = 0; i < metrics->container_count; i++) {
        const struct container_metrics *container = &metrics->containers[i];
        if (!claim_same_text(container->name, metric->container))
            continue;
        const struct quantity *usage = resource_list_find(&container->usage, metric->resource);
        sample->state = usage ? HPA_SAMPLE_VALUE : HPA_SAMPLE_NO_VALUE;
        sample->milli = usage ? quantity_milli_value(*usage) : 0;
        return;
    }
}

/* The usage of all containers, which must all have it. */
static void sample_pod(const struct metric_spec *metric, const struct pod_metrics *metrics,
                       struct hpa_sample *sample)
{
    sample->state = metrics->container_count > 0 ? HPA_SAMPLE_VALUE : HPA_SAMPLE_NO_VALUE;
    for (uint32_t i = 0; i < metrics->container_count; i++) {
        const struct quantity *usage =
            resource_list_find(&metrics->containers[i].usage, metric->resource);
        if (!usage) {
            sample->state = HPA_SAMPLE_NO_VALUE;
            return;
        }
        sample->milli += quantity_milli_value(*usage);
    }
}

static void add_pod_metrics(struct builder *builder, const struct pod_metrics *metrics)
{
    struct draft *draft = find_draft(builder, metrics->meta.name);
    draft->class.sample_order = builder->samples_listed++;
    for (uint32_t i = 0; i < builder->autoscaler->metric_count; i++) {
        const struct metric_spec *metric = &builder->autoscaler->metrics[i];
        struct hpa_sample sample = {
            .age = age_of(builder, metrics->timestamp),
            .window = metrics->window_ns < AGE_MOST ? metrics->window_ns : AGE_MOST,
        };
        if (metric->source == METRIC_CONTAINER_RESOURCE)
            sample_container(metric, metrics, &sample);
        else if (metric->source == METRIC_RESOURCE)
            sample_pod(metric, metrics, &sample);
        else
            continue;
        draft->samples[i] = sample;
    }
}

static bool read_quantity(const struct value *value, const char *path, int64_t *milli,
                          struct problems *problems)
{
    struct quantity quantity;
    const char *text;
    const char *why = "expected a quantity";
    int64_t whole;
    if (value && value_read_integer(value, &whole)) {
        *milli = quantity_milli_value(quantity_of(whole));
        return true;
    }
    if (!value || !value_read_string(value, &text) || !quantity_parse(text, &quantity, &why)) {
        problem_error(problems, value ? value_place(value) : (struct place){0}, path, "%s", why);
        return false;
    }
    *milli = quantity_milli_value(quantity);
    return true;
}

static bool add_custom_samples(struct builder *builder, uint32_t metric, const struct value *list,
                               struct problems *problems)
{
    bool good = true;
    if (value_is_null(list) || list->kind != VALUE_SEQUENCE)
        return true;
    VALUE_EACH_ITEM(list, item)
    {
        const char *name = value_find_string(item, "pod");
        int64_t time;
        int64_t milli;
        if (!name) {
            value_expected(problems, item, "metrics.pods", "the sample of a pod");
            return false;
        }
        good = scenario_read_time(item, "timestamp", &time, problems) && good;
        if (!read_quantity(value_find(item, "value"), "metrics.pods", &milli, problems))
            return false;
        find_draft(builder, name)->samples[metric] = (struct hpa_sample){
            .state = HPA_SAMPLE_VALUE,
            .milli = milli,
            .age = age_of(builder, time),
            .window = CUSTOM_METRIC_WINDOW,
        };
    }
    return good;
}

/* Sums that do not fit wrapped around, until they were capped. */
static int64_t add_external(const struct features *features, const struct hpa_metric *metric,
                            int64_t sum, int64_t value)
{
    const bool capped = metric->target == HPA_TARGET_AVERAGE ? features->hpa_per_pod_capped
                                                             : features->hpa_ratio_capped;
    const int64_t wrapped = go_add_int64(sum, value);
    return capped && sum > 0 && value > 0 && wrapped < 0 ? INT64_MAX : wrapped;
}

/* The value of an Object metric, or the sum of an External one. */
static bool read_value(const struct features *features, const struct metric_spec *spec,
                       const struct value *metrics, struct hpa_metric *metric,
                       struct problems *problems)
{
    const bool external = spec->source == METRIC_EXTERNAL;
    const struct value *value =
        value_find(value_find(metrics, external ? "external" : "object"), spec->metric);
    if (value_is_null(value))
        return true;
    if (!external) {
        metric->value_found = true;
        return read_quantity(value, "metrics.object", &metric->value_milli, problems);
    }
    if (value->kind != VALUE_SEQUENCE) {
        value_expected(problems, value, "metrics.external", "a list");
        return false;
    }
    VALUE_EACH_ITEM(value, item)
    {
        int64_t milli;
        if (!read_quantity(item, "metrics.external", &milli, problems))
            return false;
        metric->value_found = true;
        metric->value_milli = add_external(features, metric, metric->value_milli, milli);
    }
    return true;
}

static int64_t target_value(const struct metric_spec *metric, enum hpa_target target)
{
    switch (target) {
    case HPA_TARGET_UTILIZATION: return metric->target.average_utilization.value;
    case HPA_TARGET_AVERAGE:
        return metric->target.average_value ? quantity_milli_value(*metric->target.average_value)
                                            : 0;
    case HPA_TARGET_VALUE: return quantity_milli_value(*metric->target.value);
    case HPA_TARGET_NONE: break;
    }
    return 0;
}

struct hpa_metric hpa_metric_of(const struct metric_spec *spec)
{
    const enum hpa_target target = hpa_metric_target(spec);
    return (struct hpa_metric){
        .source = spec->source,
        .target = target,
        .target_value = target_value(spec, target),
        .cpu = (spec->source == METRIC_RESOURCE || spec->source == METRIC_CONTAINER_RESOURCE) &&
               claim_same_text(spec->resource, "cpu"),
    };
}

static bool read_metrics(struct builder *builder, const struct value *values,
                         struct hpa_input *input, struct problems *problems)
{
    const struct horizontal_pod_autoscaler *autoscaler = builder->autoscaler;
    struct hpa_metric *metrics =
        ARENA_ARRAY(builder->arena, struct hpa_metric, autoscaler->metric_count + 1);
    bool good = true;
    for (uint32_t i = 0; i < autoscaler->metric_count; i++) {
        const struct metric_spec *spec = &autoscaler->metrics[i];
        struct hpa_metric *metric = &metrics[i];
        *metric = hpa_metric_of(spec);
        if (spec->source == METRIC_PODS)
            good =
                add_custom_samples(builder, i, value_find(value_find(values, "pods"), spec->metric),
                                   problems) &&
                good;
        else if (spec->source == METRIC_OBJECT || spec->source == METRIC_EXTERNAL)
            good = read_value(builder->features, spec, values, metric, problems) && good;
    }
    input->metrics = metrics;
    input->metric_count = autoscaler->metric_count;
    return good;
}

static bool is_selected(const struct builder *builder, const struct object_meta *meta)
{
    return claim_same_text(meta->namespace, builder->autoscaler->meta.namespace) &&
           builder->scale->selector &&
           label_selector_matches(builder->scale->selector, &meta->labels);
}

static void read_pods(struct builder *builder, const struct objects *objects)
{
    for (uint32_t i = 0; i < objects->count; i++)
        if (objects->items[i].kind == OBJECT_POD && is_selected(builder, objects->items[i].meta))
            add_pod(builder, objects->items[i].as.pod);
    for (uint32_t i = 0; i < objects->count; i++)
        if (objects->items[i].kind == OBJECT_POD_METRICS &&
            is_selected(builder, objects->items[i].meta))
            add_pod_metrics(builder, objects->items[i].as.pod_metrics);
}

bool hpa_read_input(struct arena *arena, const struct objects *objects,
                    const struct horizontal_pod_autoscaler *autoscaler,
                    const struct hpa_scale *scale, const struct value *metrics, int64_t now,
                    const struct features *features, struct hpa_input *input,
                    struct problems *problems)
{
    struct builder builder = {
        .arena = arena,
        .autoscaler = autoscaler,
        .scale = scale,
        .now = now,
        .features = features,
    };
    map_init(&builder.by_name, arena);
    *input = (struct hpa_input){
        .features = features,
        .flags = hpa_default_flags(),
        .spec_replicas = scale->spec_replicas,
        .status_replicas = scale->status_replicas,
        .min_replicas = autoscaler->min_replicas,
        .max_replicas = autoscaler->max_replicas,
        .scale_up = autoscaler->has_behavior ? &autoscaler->scale_up : NULL,
        .scale_down = autoscaler->has_behavior ? &autoscaler->scale_down : NULL,
    };
    hpa_input_set_tolerance(input);
    read_pods(&builder, objects);
    if (!read_metrics(&builder, metrics, input, problems))
        return false;
    struct hpa_pod_class *classes =
        ARENA_ARRAY(arena, struct hpa_pod_class, builder.drafts.count + 1);
    for (uint32_t i = 0; i < builder.drafts.count; i++)
        classes[i] = builder.drafts.items[i].class;
    input->pods = classes;
    input->pod_count = builder.drafts.count;
    return true;
}
