/* SPDX-License-Identifier: Apache-2.0 */
/* What a loop of the autoscaler did, and why. */
#ifndef FATHOM_DECIDE_AUTOSCALER_AUTOSCALER_RESULT_H
#define FATHOM_DECIDE_AUTOSCALER_AUTOSCALER_RESULT_H

#include "base/json_out.h"
#include "base/vec.h"
#include "decide/autoscaler/autoscaler_pod.h"

struct cluster_autoscaler;
struct autoscaler_group;

enum scale_up_result {
    SCALE_UP_NOT_TRIED,
    SCALE_UP_NOT_NEEDED,
    SCALE_UP_NO_OPTIONS,
    SCALE_UP_IN_COOLDOWN,
    SCALE_UP_SUCCESSFUL,
    SCALE_UP_ERROR,
};

enum scale_down_result {
    SCALE_DOWN_NOT_TRIED,
    SCALE_DOWN_IN_COOLDOWN,
    SCALE_DOWN_NO_UNNEEDED,
    SCALE_DOWN_NO_NODE_DELETED,
    SCALE_DOWN_STARTED,
    SCALE_DOWN_IN_PROGRESS,
    SCALE_DOWN_ERROR,
};

enum unremovable_reason {
    REMOVABLE,
    UNREMOVABLE_DISABLED,
    UNREMOVABLE_NOT_LONG_ENOUGH,
    UNREMOVABLE_NOT_UNREADY_LONG_ENOUGH,
    UNREMOVABLE_MIN_SIZE,
    UNREMOVABLE_MIN_RESOURCES,
    UNREMOVABLE_BEING_DELETED,
    UNREMOVABLE_UTILIZED,
    UNREMOVABLE_OTHER,
    UNREMOVABLE_RECENTLY,
    UNREMOVABLE_NO_PLACE,
    UNREMOVABLE_BLOCKED,
    UNREMOVABLE_ERROR,
};

enum blocking_reason {
    BLOCKED_NOT,
    BLOCKED_CONTROLLER_NOT_FOUND,
    BLOCKED_MIN_REPLICAS,
    BLOCKED_NOT_REPLICATED,
    BLOCKED_LOCAL_STORAGE,
    BLOCKED_NOT_SAFE,
    BLOCKED_SYSTEM_POD,
    BLOCKED_BUDGET,
};

struct pod_placing {
    const struct autoscaler_pod *pod;
    const char *to;      /* as results call the node */
    const char *to_name; /* its name */
};

typedef VEC(const struct autoscaler_pod *) pod_list;
typedef VEC(struct pod_placing) placed_list;

/* Growing one group. */
struct scale_option {
    struct autoscaler_group *group;
    int64_t nodes;
    pod_list pods;
};

struct rejected_pod {
    const struct autoscaler_pod *pod;
    const char *const *reasons; /* by group: of the scheduler's filters; NULL: not asked */
};

struct group_increase {
    struct autoscaler_group *group;
    int64_t from, to, most;
};

typedef VEC(struct group_increase) increase_list;

struct simulated_removal {
    const char *node;
    placed_list pods;
};

typedef VEC(struct simulated_removal) removal_list;

struct removed_node {
    const char *node;
    int64_t since;
    pod_list pods;
    bool risky;
};

struct unremovable_node {
    const char *node;
    enum unremovable_reason reason;
    const struct autoscaler_pod *pod;
    enum blocking_reason pod_reason;
};

struct node_utilization {
    const char *node;
    double utilization;
};

enum scale_action_kind {
    ACTION_INCREASE,
    ACTION_DECREASE_TARGET,
    ACTION_DELETE_NODE,
    ACTION_TAINT,
    ACTION_UNTAINT,
    ACTION_CORDON,
};

struct scale_action {
    enum scale_action_kind kind;
    const char *group;
    const char *node;
    int64_t by;
    const char *key;
    const char *effect;
    bool error;
};

struct loop_result {
    const char *error;
    bool unhealthy;

    enum scale_up_result up;
    placed_list schedulable;
    pod_list to_help;
    VEC(struct scale_option) options;
    VEC(struct autoscaler_group *) best;
    const struct scale_option *chosen;
    increase_list increases;
    pod_list awaiting;
    VEC(struct rejected_pod) remain;
    const char **skipped; /* by group: why it cannot grow; NULL: it can */
    const char *up_error;

    enum scale_down_result down;
    bool down_reached; /* the step of scaling down, whatever came of it */
    VEC(const char *) candidates;
    VEC(struct node_utilization) utilization;
    removal_list placed;
    VEC(struct removed_node) unneeded;
    VEC(struct unremovable_node) unremovable;
    removal_list placed_at_delete;
    VEC(const char *) delete_empty;
    VEC(const char *) delete_drain;

    VEC(struct scale_action) actions;
};

/* As the recordings have it: one mapping under "result". */
void loop_result_write(struct json_out *json, const struct cluster_autoscaler *autoscaler,
                       const struct loop_result *result);

/* The same in sentences. */
void loop_result_tell(struct text *sentences, const struct cluster_autoscaler *autoscaler,
                      const struct loop_result *result);

#endif
