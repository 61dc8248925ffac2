/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How many replicas one metric asks for.
 *
 * Follows pkg/controller/podautoscaler/replica_calculator.go and its metrics
 * package, v1.26 to v1.36. Upstream works on maps from pod names to samples; all it
 * takes from them are sums and sizes, so here the classes are summed with their
 * counts. Integer and float operations keep upstream's order and width: ratios
 * at the edge of the tolerance depend on the last bit.
 */
#include "decide/controller/hpa.h"

#include "decide/controller/go_number.h"

#include <math.h>

/* Samples that count, as sums over pods. */
struct sample_sums {
    int64_t pods;       /* with a sample, whether they are listed or not */
    int64_t usage;      /* of these */
    int64_t known_pods; /* with a sample and listed */
    int64_t known_usage;
    int64_t requests; /* of the known */
};

struct pod_groups {
    int64_t listed;
    int64_t ready;
    int64_t unready;
    int64_t missing;
    int64_t ignored;
    int64_t unready_requests;
    int64_t missing_requests;
    int64_t missing_fallback; /* usage of the missing pods if all are fully busy */
    struct sample_sums sums;
};

static bool within_tolerance(const struct hpa_input *input, double ratio)
{
    if (input->features->hpa_tolerance_is_range)
        return 1.0 - input->tolerance_down <= ratio && ratio <= 1.0 + input->tolerance_up;
    return fabs(1.0 - ratio) <= input->flags.tolerance;
}

/* Is the sample of this pod too early to be trusted? Asked for cpu only. */
static bool cpu_sample_is_unready(const struct hpa_flags *flags, const struct hpa_pod_class *pod,
                                  const struct hpa_sample *sample)
{
    if (pod->readiness == HPA_READY_UNSET || !pod->started)
        return true;
    const bool not_ready = pod->readiness == HPA_READY_FALSE;
    if (pod->start_age < flags->cpu_initialization)
        return not_ready || pod->ready_age < sample->age + sample->window;
    return not_ready && pod->start_age - pod->ready_age < flags->initial_readiness_delay;
}

static void add_samples(struct sample_sums *sums, int64_t pods, int64_t usage, int64_t requests)
{
    sums->pods += pods;
    sums->known_pods += pods;
    sums->usage = go_add_int64(sums->usage, usage);
    sums->known_usage = go_add_int64(sums->known_usage, usage);
    sums->requests = go_add_int64(sums->requests, requests);
}

/* Do these pods count as not ready? Asked before whether there is a sample. */
static bool is_unready(const struct hpa_input *input, uint32_t metric,
                       const struct hpa_pod_class *pod)
{
    const struct hpa_sample *sample = &pod->samples[metric];
    if (pod->phase == POD_PENDING)
        return true;
    return input->metrics[metric].cpu && sample->state == HPA_SAMPLE_VALUE &&
           cpu_sample_is_unready(&input->flags, pod, sample);
}

static void group_listed_class(const struct hpa_input *input, uint32_t metric,
                               const struct hpa_pod_class *pod, struct pod_groups *groups)
{
    const struct hpa_metric *spec = &input->metrics[metric];
    const struct hpa_sample *sample = &pod->samples[metric];
    const int64_t request = pod->requests[metric].milli;
    const int64_t requests = go_multiply_int64(request, pod->count);
    groups->listed += pod->count;
    if (pod->terminating || pod->phase == POD_FAILED) {
        groups->ignored += pod->count;
    } else if (is_unready(input, metric, pod)) {
        groups->unready += pod->count;
        groups->unready_requests = go_add_int64(groups->unready_requests, requests);
    } else if (sample->state != HPA_SAMPLE_VALUE) {
        const int64_t per_cent = spec->target_value > 100 ? spec->target_value : 100;
        const int64_t fallback = go_multiply_int64(request, per_cent) / 100;
        groups->missing += pod->count;
        groups->missing_requests = go_add_int64(groups->missing_requests, requests);
        groups->missing_fallback =
            go_add_int64(groups->missing_fallback, go_multiply_int64(fallback, pod->count));
    } else {
        groups->ready += pod->count;
        add_samples(&groups->sums, pod->count, go_multiply_int64(sample->milli, pod->count),
                    requests);
    }
}

static struct pod_groups group_pods(const struct hpa_input *input, uint32_t metric)
{
    struct pod_groups groups = {0};
    for (uint32_t i = 0; i < input->pod_count; i++) {
        const struct hpa_pod_class *pod = &input->pods[i];
        const struct hpa_sample *sample = &pod->samples[metric];
        if (!pod->vanished) {
            group_listed_class(input, metric, pod, &groups);
        } else if (sample->state == HPA_SAMPLE_VALUE) {
            groups.sums.pods += pod->count;
            groups.sums.usage =
                go_add_int64(groups.sums.usage, go_multiply_int64(sample->milli, pod->count));
        }
    }
    return groups;
}

/* What is wrong before anything is computed, in upstream's order. */
static enum hpa_failure check_samples(const struct hpa_input *input, uint32_t metric,
                                      uint32_t *culprit)
{
    const struct hpa_metric *spec = &input->metrics[metric];
    bool any = false;
    *culprit = UINT32_MAX;
    for (uint32_t i = 0; i < input->pod_count; i++) {
        const struct hpa_pod_class *pod = &input->pods[i];
        const enum hpa_sample_state state = pod->samples[metric].state;
        any = any || state != HPA_SAMPLE_NONE;
        if (state == HPA_SAMPLE_NO_CONTAINER &&
            (*culprit == UINT32_MAX || pod->sample_order < input->pods[*culprit].sample_order))
            *culprit = i;
    }
    if (!any)
        return HPA_NO_SAMPLES;
    if (spec->source == METRIC_CONTAINER_RESOURCE && input->features->hpa_absence_fails &&
        *culprit != UINT32_MAX)
        return HPA_CONTAINER_ABSENT;
    return HPA_OK;
}

static enum hpa_failure check_requests(const struct hpa_input *input, uint32_t metric,
                                       uint32_t *culprit)
{
    for (uint32_t i = 0; i < input->pod_count; i++) {
        if (!input->pods[i].vanished && input->pods[i].requests[metric].missing_in) {
            *culprit = i;
            return HPA_REQUEST_MISSING;
        }
    }
    return HPA_OK;
}

/* The ratio of use to target. False when there is nothing to divide by. */
static bool usage_ratio(const struct hpa_metric *spec, const struct sample_sums *sums,
                        double *ratio, int32_t *utilization, int64_t *usage)
{
    if (spec->target != HPA_TARGET_UTILIZATION) {
        *usage = go_divide_int64(sums->usage, sums->pods);
        *ratio = (double)*usage / (double)spec->target_value;
        return true;
    }
    if (sums->requests == 0)
        return false;
    const int64_t percent =
        go_divide_int64(go_multiply_int64(sums->known_usage, 100), sums->requests);
    *utilization = (int32_t)(uint32_t)(uint64_t)percent;
    *usage = go_divide_int64(sums->known_usage, sums->known_pods);
    *ratio = (double)*utilization / (double)(int32_t)spec->target_value;
    return true;
}

/* Guesses for the pods without a usable sample, such that they never speak for
 * the direction in which the samples point. */
static void refill(const struct hpa_input *input, const struct hpa_metric *spec, double ratio,
                   const struct pod_groups *groups, struct sample_sums *sums)
{
    if (groups->missing > 0) {
        const bool utilization = spec->target == HPA_TARGET_UTILIZATION;
        if (ratio < 1.0) {
            const int64_t usage = utilization
                                      ? groups->missing_fallback
                                      : go_multiply_int64(spec->target_value, groups->missing);
            add_samples(sums, groups->missing, usage, groups->missing_requests);
        } else if (ratio > 1.0 || (!utilization && input->features->hpa_missing_is_idle)) {
            add_samples(sums, groups->missing, 0, groups->missing_requests);
        }
    }
    if (groups->unready > 0 && ratio > 1.0)
        add_samples(sums, groups->unready, 0, groups->unready_requests);
}

static void propose_refilled(const struct hpa_input *input, const struct hpa_metric *spec,
                             const struct pod_groups *groups, struct hpa_proposal *proposal)
{
    const double ratio = proposal->ratio;
    struct sample_sums sums = groups->sums;
    refill(input, spec, ratio, groups, &sums);
    int32_t utilization = 0;
    int64_t usage = 0;
    double refilled = 0;
    if (!usage_ratio(spec, &sums, &refilled, &utilization, &usage)) {
        proposal->failure = HPA_NO_KNOWN_SAMPLES;
        return;
    }
    proposal->refilled_ratio = refilled;
    proposal->replicas = input->spec_replicas;
    proposal->rule = HPA_WITHIN_TOLERANCE;
    if (within_tolerance(input, refilled))
        return;
    proposal->rule = HPA_DIRECTION_KEPT;
    if ((ratio < 1.0 && refilled > 1.0) || (ratio > 1.0 && refilled < 1.0))
        return;
    const int32_t replicas = go_int32_of(ceil(refilled * (double)sums.pods));
    if ((refilled < 1.0 && replicas > input->spec_replicas) ||
        (refilled > 1.0 && replicas < input->spec_replicas))
        return;
    proposal->rule = HPA_REFILLED_RATIO;
    proposal->replicas = replicas;
}

static void propose_by_samples(const struct hpa_input *input, uint32_t metric,
                               struct hpa_proposal *proposal)
{
    const struct hpa_metric *spec = &input->metrics[metric];
    proposal->failure = check_samples(input, metric, &proposal->culprit);
    if (proposal->failure != HPA_OK)
        return;
    const struct pod_groups groups = group_pods(input, metric);
    proposal->ready_pods = groups.ready;
    proposal->unready_pods = groups.unready;
    proposal->missing_pods = groups.missing;
    proposal->ignored_pods = groups.ignored;
    if (groups.listed == 0)
        proposal->failure = HPA_NO_PODS;
    else if (groups.sums.pods == 0)
        proposal->failure = HPA_NO_READY_SAMPLES;
    else if (spec->target == HPA_TARGET_UTILIZATION)
        proposal->failure = check_requests(input, metric, &proposal->culprit);
    if (proposal->failure != HPA_OK)
        return;
    if (!usage_ratio(spec, &groups.sums, &proposal->ratio, &proposal->utilization,
                     &proposal->usage)) {
        proposal->failure = HPA_NO_KNOWN_SAMPLES;
        return;
    }
    proposal->refilled_ratio = proposal->ratio;
    if (groups.missing > 0 || (groups.unready > 0 && proposal->ratio > 1.0)) {
        propose_refilled(input, spec, &groups, proposal);
    } else if (within_tolerance(input, proposal->ratio)) {
        proposal->rule = HPA_WITHIN_TOLERANCE;
        proposal->replicas = input->spec_replicas;
    } else {
        proposal->rule = HPA_RATIO;
        proposal->replicas = go_int32_of(ceil(proposal->ratio * (double)groups.ready));
    }
}

/* Numbers of replicas that do not fit became negative, until they were capped. */
static int32_t replicas_of(double replicas, bool capped)
{
    return capped && replicas > (double)INT32_MAX ? INT32_MAX : go_int32_of(ceil(replicas));
}

/* Object and External metrics with a target for the whole. */
static void propose_by_value(const struct hpa_input *input, const struct hpa_metric *spec,
                             struct hpa_proposal *proposal)
{
    proposal->usage = spec->value_milli;
    proposal->ratio = (double)spec->value_milli / (double)spec->target_value;
    if (input->spec_replicas == 0) {
        proposal->rule = HPA_FROM_ZERO;
        proposal->replicas = go_int32_of(ceil(proposal->ratio));
        return;
    }
    if (within_tolerance(input, proposal->ratio)) {
        proposal->rule = HPA_WITHIN_TOLERANCE;
        proposal->replicas = input->spec_replicas;
        return;
    }
    int64_t listed = 0;
    for (uint32_t i = 0; i < input->pod_count; i++) {
        const struct hpa_pod_class *pod = &input->pods[i];
        if (pod->vanished)
            continue;
        listed += pod->count;
        if (pod->phase == POD_RUNNING && pod->readiness == HPA_READY_TRUE)
            proposal->ready_pods += pod->count;
    }
    if (listed == 0) {
        proposal->failure = HPA_NO_PODS;
        return;
    }
    proposal->rule = HPA_RATIO;
    proposal->replicas = replicas_of(proposal->ratio * (double)proposal->ready_pods,
                                     input->features->hpa_ratio_capped);
}

/* Object and External metrics with a target for each pod: the only ones that
 * count the replicas of the status, not of the spec. */
static void propose_per_pod(const struct hpa_input *input, const struct hpa_metric *spec,
                            struct hpa_proposal *proposal)
{
    const double value = (double)spec->value_milli;
    const double target = (double)spec->target_value;
    const double replicas = (double)input->status_replicas;
    proposal->ratio = value / (target * replicas);
    const bool capped = spec->source == METRIC_EXTERNAL && input->features->hpa_per_pod_capped;
    proposal->usage =
        capped && value >= (double)INT64_MAX ? INT64_MAX : go_int64_of(ceil(value / replicas));
    proposal->rule = HPA_WITHIN_TOLERANCE;
    proposal->replicas = input->status_replicas;
    /* Without a replica the ratio may be no number at all; the older form of
     * the comparison takes that for "close enough". */
    const bool enough = input->features->hpa_tolerance_is_range
                            ? within_tolerance(input, proposal->ratio)
                            : !(fabs(1.0 - proposal->ratio) > input->flags.tolerance);
    if (!enough) {
        proposal->rule = HPA_PER_POD;
        proposal->replicas = replicas_of(value / target, capped);
    }
}

void hpa_propose(const struct hpa_input *input, uint32_t metric, struct hpa_proposal *proposal)
{
    const struct hpa_metric *spec = &input->metrics[metric];
    *proposal = (struct hpa_proposal){0};
    if (spec->target == HPA_TARGET_NONE)
        proposal->failure = HPA_TARGET_NOT_GIVEN;
    else if (spec->source != METRIC_OBJECT && spec->source != METRIC_EXTERNAL)
        propose_by_samples(input, metric, proposal);
    else if (!spec->value_found)
        proposal->failure = HPA_VALUE_NOT_FOUND;
    else if (spec->target == HPA_TARGET_AVERAGE)
        propose_per_pod(input, spec, proposal);
    else
        propose_by_value(input, spec, proposal);
    if (proposal->failure != HPA_OK)
        proposal->replicas = 0;
}
