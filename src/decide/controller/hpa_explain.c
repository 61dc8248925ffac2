/* SPDX-License-Identifier: Apache-2.0 */
#include "decide/controller/hpa_explain.h"

#include "decide/controller/hpa_memory.h"

#include <inttypes.h>
#include <math.h>

static const char *plural(int64_t count)
{
    return count == 1 ? "" : "s";
}

/* In the user's own way of writing: memory as 200Mi, not 209715200. */
static const char *milli_text(struct arena *arena, const struct metric_spec *spec, int64_t milli)
{
    const struct quantity *written =
        spec->target.average_value ? spec->target.average_value : spec->target.value;
    struct quantity quantity = quantity_of_milli(milli);
    if (written)
        quantity.format = written->format;
    return quantity_format_text(arena, quantity);
}

/* "165% of the requests, target 80%" */
static const char *usage_text(struct arena *arena, const struct hpa_sync *sync, uint32_t index)
{
    const struct hpa_metric *metric = &sync->input->metrics[index];
    const struct hpa_proposal *proposal = &sync->proposals[index];
    const struct metric_spec *spec = &sync->object->metrics[index];
    switch (metric->target) {
    case HPA_TARGET_UTILIZATION:
        return arena_printf(arena, "%d%% of the requests, target %" PRId64 "%%",
                            proposal->utilization, metric->target_value);
    case HPA_TARGET_AVERAGE:
        return arena_printf(arena, "%s a pod, target %s", milli_text(arena, spec, proposal->usage),
                            milli_text(arena, spec, metric->target_value));
    case HPA_TARGET_VALUE:
        return arena_printf(arena, "%s in all, target %s", milli_text(arena, spec, proposal->usage),
                            milli_text(arena, spec, metric->target_value));
    case HPA_TARGET_NONE: break;
    }
    return "no target";
}

static const char *rule_text(struct arena *arena, const struct hpa_input *input,
                             const struct hpa_proposal *proposal)
{
    switch (proposal->rule) {
    case HPA_WITHIN_TOLERANCE:
        return arena_printf(
            arena, "%s%.3g is within the tolerance: stay",
            proposal->refilled_ratio != proposal->ratio && proposal->refilled_ratio > 0
                ? "with guesses for pods without samples, ratio "
                : "ratio ",
            proposal->refilled_ratio > 0 ? proposal->refilled_ratio : proposal->ratio);
    case HPA_RATIO:
        return arena_printf(arena, "ratio %.4g x %" PRId64 " ready pod%s, rounded up",
                            proposal->ratio, proposal->ready_pods, plural(proposal->ready_pods));
    case HPA_REFILLED_RATIO:
        return arena_printf(arena, "ratio %.4g with guesses for pods without samples, rounded up",
                            proposal->refilled_ratio);
    case HPA_DIRECTION_KEPT:
        return "guesses for pods without samples would turn the direction: stay";
    case HPA_FROM_ZERO: return "no replicas yet: the ratio itself, rounded up";
    case HPA_PER_POD:
        return arena_printf(arena, "value / target, rounded up (status has %d replica%s)",
                            input->status_replicas, plural(input->status_replicas));
    }
    return "";
}

/* Pods that did not count as ready, if there are any. */
static const char *groups_text(struct arena *arena, const struct hpa_proposal *proposal)
{
    const char *text = "";
    if (proposal->unready_pods > 0)
        text = arena_printf(arena, "; %" PRId64 " not ready", proposal->unready_pods);
    if (proposal->missing_pods > 0)
        text =
            arena_printf(arena, "%s; %" PRId64 " without a sample", text, proposal->missing_pods);
    if (proposal->ignored_pods > 0)
        text = arena_printf(arena, "%s; %" PRId64 " failed or terminating, ignored", text,
                            proposal->ignored_pods);
    return text;
}

static void explain_metrics(struct arena *arena, const struct hpa_sync *sync,
                            struct text *sentences)
{
    for (uint32_t i = 0; i < sync->input->metric_count; i++) {
        const struct hpa_proposal *proposal = &sync->proposals[i];
        const char *name = hpa_metric_name(arena, sync->input->features, &sync->object->metrics[i]);
        if (proposal->failure != HPA_OK) {
            text_printf(sentences, "  %s: invalid: %s\n", name, hpa_metric_error(arena, sync, i));
            continue;
        }
        text_printf(sentences, "  %s: %s: wants %d (%s%s)%s\n", name, usage_text(arena, sync, i),
                    proposal->replicas, rule_text(arena, sync->input, proposal),
                    groups_text(arena, proposal),
                    sync->input->metric_count > 1 && i == sync->decision->metric
                        ? "  <- the highest counts"
                        : "");
    }
}

static void explain_stabilization(const struct hpa_sync *sync, struct text *sentences)
{
    const struct hpa_decision *decision = sync->decision;
    if (decision->stabilization == HPA_NOT_STABILIZED)
        return;
    const bool down = decision->stabilization == HPA_STABILIZED_DOWN;
    const struct hpa_input *input = sync->input;
    const int64_t window = !input->scale_up ? input->flags.downscale_window
                           : down           ? hpa_down_window(input)
                                            : hpa_up_window(input);
    text_printf(sentences,
                "  Stabilized from %d to %d: recommendations of the last %" PRId64
                " s were %s (stabilization window).\n",
                decision->proposed, decision->stabilized, window / NANOSECONDS_PER_SECOND,
                down ? "higher" : "lower");
}

static void explain_limit(const struct hpa_sync *sync, struct text *sentences)
{
    const struct hpa_decision *decision = sync->decision;
    if (!decision->limited)
        return;
    text_printf(sentences, "  Limited from %d to %d: ", decision->stabilized, decision->replicas);
    switch (decision->limit) {
    case HPA_WITHIN_RANGE: break;
    case HPA_SCALE_UP_LIMIT:
        if (sync->input->scale_up)
            text_printf(sentences, "behavior.scaleUp allows no more now (ScaleUpLimit).\n");
        else
            text_printf(sentences, "one sync at most doubles the replicas, or reaches 4 "
                                   "(ScaleUpLimit).\n");
        break;
    case HPA_TOO_MANY_REPLICAS:
        text_printf(sentences, "maxReplicas is %d (TooManyReplicas).\n", sync->input->max_replicas);
        break;
    case HPA_SCALE_DOWN_LIMIT:
        text_printf(sentences, "behavior.scaleDown allows no fewer now (ScaleDownLimit).\n");
        break;
    case HPA_TOO_FEW_REPLICAS:
        text_printf(sentences, "minReplicas is %d (TooFewReplicas).\n", sync->input->min_replicas);
        break;
    }
}

static const char *outcome_text(const struct hpa_decision *decision)
{
    switch (decision->outcome) {
    case HPA_SCALING_DISABLED: return "the target has 0 replicas, which switches autoscaling off";
    case HPA_ABOVE_MAXIMUM:
        return "more replicas than maxReplicas; metrics and rates are not looked at";
    case HPA_BELOW_MINIMUM:
        return "fewer replicas than minReplicas; metrics and rates are not looked at";
    case HPA_SELECTOR_AMBIGUOUS: return "another HorizontalPodAutoscaler selects the same pods";
    case HPA_METRICS_INVALID:
        return decision->metric == HPA_NO_METRIC
                   ? "no metric is valid"
                   : "a metric is invalid, and the others would scale down";
    case HPA_BY_METRICS: break;
    }
    return NULL;
}

void hpa_explain(struct arena *arena, const struct hpa_sync *sync, struct text *sentences)
{
    const struct hpa_decision *decision = sync->decision;
    const struct horizontal_pod_autoscaler *object = sync->object;
    const struct object_reference *target = &object->scale_target;
    text_printf(sentences, "HorizontalPodAutoscaler %s/%s ", object->meta.namespace,
                object->meta.name);
    if (decision->rescale)
        text_printf(sentences, "scales %s %s from %d to %d replicas.\n", target->kind, target->name,
                    sync->input->spec_replicas, decision->replicas);
    else
        text_printf(sentences, "leaves %s %s at %d replica%s.\n", target->kind, target->name,
                    decision->replicas, plural(decision->replicas));
    const char *outcome = outcome_text(decision);
    if (outcome)
        text_printf(sentences, "  Because %s.\n", outcome);
    if (decision->outcome == HPA_BY_METRICS || decision->outcome == HPA_METRICS_INVALID)
        explain_metrics(arena, sync, sentences);
    if (decision->outcome == HPA_BY_METRICS) {
        explain_stabilization(sync, sentences);
        explain_limit(sync, sentences);
    }
}

static const char *const rule_names[] = {
    [HPA_WITHIN_TOLERANCE] = "withinTolerance",
    [HPA_RATIO] = "ratio",
    [HPA_REFILLED_RATIO] = "ratioWithGuesses",
    [HPA_DIRECTION_KEPT] = "directionKept",
    [HPA_FROM_ZERO] = "fromZero",
    [HPA_PER_POD] = "perPod",
};

static const char *const outcome_names[] = {
    [HPA_SCALING_DISABLED] = "scalingDisabled",     [HPA_ABOVE_MAXIMUM] = "aboveMaximum",
    [HPA_BELOW_MINIMUM] = "belowMinimum",           [HPA_BY_METRICS] = "metrics",
    [HPA_SELECTOR_AMBIGUOUS] = "selectorAmbiguous", [HPA_METRICS_INVALID] = "metricsInvalid",
};

void hpa_explain_json(struct arena *arena, const struct hpa_sync *sync, struct json_out *json)
{
    const struct hpa_decision *decision = sync->decision;
    json_string(json, "decidedBy", outcome_names[decision->outcome]);
    json_array_begin(json, "metrics");
    for (uint32_t i = 0; i < sync->input->metric_count; i++) {
        const struct hpa_proposal *proposal = &sync->proposals[i];
        json_object_begin(json, NULL);
        json_string(json, "metric",
                    hpa_metric_name(arena, sync->input->features, &sync->object->metrics[i]));
        if (proposal->failure != HPA_OK) {
            json_string(json, "error", hpa_metric_error(arena, sync, i));
        } else {
            json_integer(json, "replicas", proposal->replicas);
            json_string(json, "rule", rule_names[proposal->rule]);
            if (isfinite(proposal->ratio))
                json_number(json, "ratio", proposal->ratio);
            json_boolean(json, "counts", i == decision->metric);
        }
        json_integer(json, "ready", proposal->ready_pods);
        json_integer(json, "unready", proposal->unready_pods);
        json_integer(json, "missing", proposal->missing_pods);
        json_integer(json, "ignored", proposal->ignored_pods);
        json_object_end(json);
    }
    json_array_end(json);
    if (decision->outcome == HPA_BY_METRICS) {
        json_integer(json, "proposed", decision->proposed);
        json_integer(json, "stabilized", decision->stabilized);
        json_boolean(json, "limited", decision->limited);
    }
}
