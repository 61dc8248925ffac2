/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The HorizontalPodAutoscaler's decision: how many replicas, by which rule.
 *
 * One sync is a pure function of what the controller sees (`struct hpa_input`)
 * and of what it remembers (`struct hpa_memory`, hpa_memory.h):
 *
 *     hpa_decide(&input, &memory, proposals, &decision);
 *     hpa_memory_record(...);                      the memory after the sync
 *
 * The pods come as classes with a count: pods of one class have the same phase,
 * readiness, ages, usage and requests. A concrete cluster has a class for each
 * pod. The decision depends only on sums over the classes, so folding equal
 * pods changes nothing. All times are ages: nanoseconds before now.
 *
 * Nothing is allocated and no text is made; hpa_text.h says it in words.
 */
#ifndef FATHOM_DECIDE_CONTROLLER_HPA_H
#define FATHOM_DECIDE_CONTROLLER_HPA_H

#include "decide/features.h"
#include "object/autoscaler.h"
#include "object/pod.h"

#include <stdbool.h>
#include <stdint.h>

struct hpa_memory;

/* The age of an instant that was never set (Go's year 1). */
#define HPA_AGE_UNSET (INT64_MAX / 4)

/* The flags of the controller manager. */
struct hpa_flags {
    double tolerance;
    int64_t downscale_window; /* nanoseconds, as all durations here */
    int64_t cpu_initialization;
    int64_t initial_readiness_delay;
};

struct hpa_flags hpa_default_flags(void);

enum hpa_sample_state {
    HPA_SAMPLE_NONE,         /* the metrics API lists nothing for these pods */
    HPA_SAMPLE_NO_VALUE,     /* listed, but the resource is missing in a container */
    HPA_SAMPLE_NO_CONTAINER, /* listed, but the named container is missing */
    HPA_SAMPLE_VALUE,
};

struct hpa_sample {
    enum hpa_sample_state state;
    int64_t milli;
    int64_t age;
    int64_t window; /* the time span that the value is an average of */
};

/* What is missing where a request is. */
enum hpa_gap {
    HPA_GAP_IN_CONTAINER, /* a container does not request the resource */
    HPA_GAP_IN_POD,       /* requests are given for the pod as a whole, and this is not one */
    HPA_GAP_NO_CONTAINER, /* the pod has no such container */
};

struct hpa_request {
    const char *missing_in; /* the first container without the request; NULL: none */
    int64_t milli;
    enum hpa_gap gap; /* where missing_in is not NULL */
};

enum hpa_readiness { HPA_READY_UNSET, HPA_READY_FALSE, HPA_READY_TRUE, HPA_READY_UNKNOWN };

struct hpa_pod_class {
    int64_t count;
    bool vanished; /* only samples are left of these pods */
    bool terminating;
    enum pod_phase phase;
    enum hpa_readiness readiness;
    bool started; /* status.startTime is set */
    int64_t start_age;
    int64_t ready_age;                  /* since the Ready condition last changed */
    const char *name;                   /* a representative, for messages */
    uint32_t sample_order;              /* where the metrics API lists it, for messages */
    const struct hpa_sample *samples;   /* one for each metric */
    const struct hpa_request *requests; /* one for each metric */
};

enum hpa_target { HPA_TARGET_NONE, HPA_TARGET_UTILIZATION, HPA_TARGET_AVERAGE, HPA_TARGET_VALUE };

/* The target that the controller goes by, which is not always target.type. */
enum hpa_target hpa_metric_target(const struct metric_spec *metric);

struct hpa_metric {
    enum metric_source source;
    enum hpa_target target;
    int64_t target_value; /* per cent, or milli units */
    bool cpu;             /* only cpu looks at readiness */
    bool value_found;     /* Object and External: the metrics API knows it */
    int64_t value_milli;  /* their value; of External the sum */
};

struct hpa_input {
    const struct features *features;
    struct hpa_flags flags;
    int32_t spec_replicas;   /* of the target's scale */
    int32_t status_replicas; /* of the target's scale */
    int32_t min_replicas;
    int32_t max_replicas;
    const struct scaling_rules *scale_up; /* both NULL without `behavior` */
    const struct scaling_rules *scale_down;
    double tolerance_up;
    double tolerance_down;
    bool selector_ambiguous; /* another HorizontalPodAutoscaler selects the same pods */
    const struct hpa_metric *metrics;
    uint32_t metric_count;
    const struct hpa_pod_class *pods;
    uint32_t pod_count;
};

/* Sets the tolerances from the flags and, where the release knows it, from the
 * `behavior` that is already in the input. */
void hpa_input_set_tolerance(struct hpa_input *input);

enum hpa_failure {
    HPA_OK,
    HPA_NO_SAMPLES,       /* the metrics API returned an empty list */
    HPA_CONTAINER_ABSENT, /* of a listed sample: the culprit */
    HPA_NO_PODS,          /* the selector finds none */
    HPA_NO_READY_SAMPLES, /* all samples are of pods that do not count */
    HPA_REQUEST_MISSING,  /* of a listed pod: the culprit */
    HPA_NO_KNOWN_SAMPLES, /* no sample is of a pod that is listed */
    HPA_VALUE_NOT_FOUND,  /* Object, External */
    HPA_TARGET_NOT_GIVEN, /* the metric has no usable target */
};

/* How a proposal came about. */
enum hpa_proposal_rule {
    HPA_WITHIN_TOLERANCE, /* current replicas are kept */
    HPA_RATIO,            /* ratio x ready pods, rounded up */
    HPA_REFILLED_RATIO,   /* the same, after guesses for pods without a sample */
    HPA_DIRECTION_KEPT,   /* the guesses would turn the direction: current replicas are kept */
    HPA_FROM_ZERO,        /* no replicas yet: the ratio itself, rounded up */
    HPA_PER_POD,          /* value / target, rounded up */
};

struct hpa_proposal {
    enum hpa_failure failure;
    uint32_t culprit; /* index of the pod class to blame */
    enum hpa_proposal_rule rule;
    int32_t replicas;
    int64_t usage;       /* milli units, as the status reports it */
    int32_t utilization; /* per cent */
    double ratio;
    double refilled_ratio;
    int64_t ready_pods;
    int64_t unready_pods;
    int64_t missing_pods;
    int64_t ignored_pods;
};

enum hpa_outcome {
    HPA_SCALING_DISABLED, /* the target has 0 replicas and minReplicas is not 0 */
    HPA_ABOVE_MAXIMUM,
    HPA_BELOW_MINIMUM,
    HPA_BY_METRICS,
    HPA_SELECTOR_AMBIGUOUS,
    HPA_METRICS_INVALID,
};

enum hpa_stabilization { HPA_NOT_STABILIZED, HPA_STABILIZED_DOWN, HPA_STABILIZED_UP };

enum hpa_limit {
    HPA_WITHIN_RANGE,
    HPA_SCALE_UP_LIMIT,
    HPA_TOO_MANY_REPLICAS,
    HPA_SCALE_DOWN_LIMIT,
    HPA_TOO_FEW_REPLICAS,
};

#define HPA_NO_METRIC UINT32_MAX

struct hpa_decision {
    enum hpa_outcome outcome;
    bool rescale;
    int32_t replicas; /* spec.replicas of the target after the sync */
    uint32_t invalid_metrics;
    uint32_t first_invalid;
    uint32_t metric;    /* that gave the proposal; HPA_NO_METRIC */
    int32_t proposed;   /* by the metrics, before stabilization and limits */
    int32_t stabilized; /* before limits */
    enum hpa_stabilization stabilization;
    enum hpa_limit limit;
    bool limited;  /* the limit changed the stabilized number */
    bool recorded; /* `proposed` enters the memory as a recommendation */
};

/* `proposals` has room for one of each metric; all are computed, even those
 * that the controller would not compute. */
void hpa_decide(const struct hpa_input *input, const struct hpa_memory *memory,
                struct hpa_proposal *proposals, struct hpa_decision *decision);

/* The same where it is known what each metric proposes: whether that failed, and the replicas. The
 * pods of the input are not read. */
void hpa_decide_proposed(const struct hpa_input *input, const struct hpa_memory *memory,
                         const struct hpa_proposal *proposals, struct hpa_decision *decision);

/* One metric's proposal (hpa_replicas.c). */
void hpa_propose(const struct hpa_input *input, uint32_t metric, struct hpa_proposal *proposal);

/* From proposal to number (hpa_limits.c): fills in what happens to
 * `decision->proposed`. */
void hpa_normalize(const struct hpa_input *input, const struct hpa_memory *memory,
                   struct hpa_decision *decision);

#endif
