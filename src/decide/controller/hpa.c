/* SPDX-License-Identifier: Apache-2.0 */
/* One sync, from the top: follows reconcileAutoscaler and computeReplicasForMetrics
 * of pkg/controller/podautoscaler/horizontal.go, v1.26 to v1.36. */
#include "decide/controller/hpa.h"

#include "decide/controller/hpa_memory.h"

#define SECONDS(count) ((int64_t)(count)*NANOSECONDS_PER_SECOND)

struct hpa_flags hpa_default_flags(void)
{
    return (struct hpa_flags){
        .tolerance = 0.1,
        .downscale_window = SECONDS(300),
        .cpu_initialization = SECONDS(300),
        .initial_readiness_delay = SECONDS(30),
    };
}

enum hpa_target hpa_metric_target(const struct metric_spec *metric)
{
    const struct metric_target *target = &metric->target;
    switch (metric->source) {
    case METRIC_RESOURCE:
    case METRIC_CONTAINER_RESOURCE:
        if (target->average_value)
            return HPA_TARGET_AVERAGE;
        return target->average_utilization.set ? HPA_TARGET_UTILIZATION : HPA_TARGET_NONE;
    case METRIC_PODS: return HPA_TARGET_AVERAGE;
    case METRIC_OBJECT:
        if (target->type == METRIC_VALUE && target->value)
            return HPA_TARGET_VALUE;
        return target->type == METRIC_AVERAGE_VALUE && target->average_value ? HPA_TARGET_AVERAGE
                                                                             : HPA_TARGET_NONE;
    case METRIC_EXTERNAL:
        if (target->average_value)
            return HPA_TARGET_AVERAGE;
        return target->value ? HPA_TARGET_VALUE : HPA_TARGET_NONE;
    }
    return HPA_TARGET_NONE;
}

/* As the Go code turns the stored quantity into a float: an integer times a
 * negative power of ten, the coarsest of milli, micro and nano that is exact. */
static double tolerance_of(const struct quantity *quantity, double otherwise)
{
    static const struct {
        int64_t nanos;
        double unit;
    } scales[] = {{NANOSECONDS_PER_SECOND, 1}, {1000000, 1e-3}, {1000, 1e-6}, {1, 1e-9}};
    for (size_t i = 0; quantity && i < sizeof(scales) / sizeof(scales[0]); i++) {
        const quantity_nanos whole = quantity->nanos / scales[i].nanos;
        if (whole * scales[i].nanos == quantity->nanos)
            return (double)whole * scales[i].unit;
    }
    return otherwise;
}

void hpa_input_set_tolerance(struct hpa_input *input)
{
    input->tolerance_up = input->flags.tolerance;
    input->tolerance_down = input->flags.tolerance;
    if (!input->features->hpa_tolerance_is_range || !input->features->hpa_configurable_tolerance ||
        !input->scale_up)
        return;
    input->tolerance_up = tolerance_of(input->scale_up->tolerance, input->tolerance_up);
    input->tolerance_down = tolerance_of(input->scale_down->tolerance, input->tolerance_down);
}

/* The greatest of the valid proposals. False when the metrics do not suffice:
 * none is valid, or one is invalid and the others would scale down. */
static bool combine_proposals(const struct hpa_input *input, const struct hpa_proposal *proposals,
                              struct hpa_decision *decision)
{
    int32_t replicas = 0;
    for (uint32_t i = 0; i < input->metric_count; i++) {
        if (proposals[i].failure != HPA_OK) {
            if (decision->invalid_metrics++ == 0)
                decision->first_invalid = i;
        } else if (replicas == 0 || proposals[i].replicas > replicas) {
            replicas = proposals[i].replicas;
            decision->metric = i;
        }
    }
    decision->proposed = replicas;
    if (decision->invalid_metrics == 0)
        return true;
    return decision->invalid_metrics < input->metric_count && replicas >= input->spec_replicas;
}

static enum hpa_outcome find_outcome(const struct hpa_input *input,
                                     const struct hpa_proposal *proposals,
                                     struct hpa_decision *decision)
{
    if (input->spec_replicas == 0 &&
        (input->min_replicas != 0 || input->features->hpa_zero_disables))
        return HPA_SCALING_DISABLED;
    if (input->spec_replicas > input->max_replicas)
        return HPA_ABOVE_MAXIMUM;
    if (input->spec_replicas < input->min_replicas)
        return HPA_BELOW_MINIMUM;
    if (input->selector_ambiguous)
        return HPA_SELECTOR_AMBIGUOUS;
    return combine_proposals(input, proposals, decision) ? HPA_BY_METRICS : HPA_METRICS_INVALID;
}

void hpa_decide(const struct hpa_input *input, const struct hpa_memory *memory,
                struct hpa_proposal *proposals, struct hpa_decision *decision)
{
    for (uint32_t i = 0; i < input->metric_count; i++)
        hpa_propose(input, i, &proposals[i]);
    hpa_decide_proposed(input, memory, proposals, decision);
}

void hpa_decide_proposed(const struct hpa_input *input, const struct hpa_memory *memory,
                         const struct hpa_proposal *proposals, struct hpa_decision *decision)
{
    *decision = (struct hpa_decision){.metric = HPA_NO_METRIC, .replicas = input->spec_replicas};
    decision->outcome = find_outcome(input, proposals, decision);
    switch (decision->outcome) {
    case HPA_SCALING_DISABLED:
    case HPA_SELECTOR_AMBIGUOUS:
    case HPA_METRICS_INVALID: return;
    case HPA_ABOVE_MAXIMUM: decision->replicas = input->max_replicas; break;
    case HPA_BELOW_MINIMUM: decision->replicas = input->min_replicas; break;
    case HPA_BY_METRICS:
        /* An overflown proposal is negative, and counts as none. */
        if (decision->proposed < 0)
            decision->proposed = 0;
        hpa_normalize(input, memory, decision);
        break;
    }
    decision->rescale = decision->replicas != input->spec_replicas;
}
