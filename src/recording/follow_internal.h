/* SPDX-License-Identifier: Apache-2.0 */
/* What the rules of all actors share. */
#ifndef FATHOM_RECORDING_FOLLOW_INTERNAL_H
#define FATHOM_RECORDING_FOLLOW_INTERNAL_H

#include "decide/decider.h"
#include "decide/features.h"
#include "object/node.h"
#include "object/pod.h"
#include "recording/control_plane.h"
#include "recording/follow.h"
#include "recording/glimpse.h"
#include "recording/restore.h"

/* The maximal age of a view, in seconds. The scheduler decides one pod after the
 * other without delay; keys wait in the work queues of controllers, and requests
 * wait for the client's rate limit (20 a second each). docs/recorded-runs.md
 * tells what was needed. */
#define LAG_SCHEDULER  1.0
#define LAG_CONTROLLER 2.0

/* How long the log of requests may go on after the watch has ended. */
#define CUT_SECONDS_MOST 2.0

struct autoscaler_past;

struct follower {
    struct recording *recording;
    struct restorer restorer;
    struct problems *problems;
    struct features features; /* of the version that was recorded */
    struct control_plane plane;
    const char *namespace;     /* of the deed that is judged; rules look up names in it */
    struct arena scratch;      /* freed after each judgement */
    struct objects unchanging; /* objects of the manifests whose kinds are not watched */
    struct text answer;        /* what a decider answered, in JSON */
    struct text sentences;     /* what a decider answered, in words */
    struct text would;         /* what the model would do instead, given the latest view */
    uint32_t views_left;       /* how many more views of the deed may be tried */
    bool blind;                /* the deed depends on something that was not recorded */
    VEC(struct autoscaler_past *) pasts; /* what autoscalers have seen and done so far */
    uint32_t variant; /* the flags and clocks that explained the last autoscaler; tried first */
};

/* How many views of one deed are tried before it counts as undecided. */
enum { VIEWS_MOST = 4000 };

/* Would the model have made this write with this view? The first call writes
 * what the model would do instead into follower->would. */
typedef bool (*follow_rule)(struct follower *follower, const struct deed *deed,
                            struct glimpse *glimpse);

/* ---- views (follow_views.c) ---- */

/* A row of rules.def. */
struct follow_rule_row {
    const char *actor;
    const char *action;
    const char *kind;
    follow_rule rule;
    const char *sees; /* the kinds that the rule looks at */
    double lag_most;  /* seconds that a view may be old */
};

/* Is there a view with which the rule makes this write? `lag` is the age of the
 * oldest change that this view does not have. */
bool follow_judge(struct follower *follower, const struct follow_rule_row *row,
                  const struct deed *deed, double *lag);

/* False if the limit on views for this write is reached. */
bool view_spend(struct follower *follower);

/* The Deployment that a ReplicaSet belongs to; NULL: none. */
const char *deployment_of_set(const struct follower *follower, const char *set);

/* How the recording ends (follow_rest.c). */
enum follow_end follow_end(struct follower *follower, const char **restless);
/* Does the recording end in a cycle (follow_loop.c)? */
bool follow_loop(struct follower *follower, struct follow_loop *loop);

/* ---- rules, by actor ---- */
bool rule_replica_set_create(struct follower *, const struct deed *, struct glimpse *);
bool rule_replica_set_delete(struct follower *, const struct deed *, struct glimpse *);
bool rule_deployment_create(struct follower *, const struct deed *, struct glimpse *);
bool rule_deployment_scale(struct follower *, const struct deed *, struct glimpse *);
bool rule_stateful_set_create(struct follower *, const struct deed *, struct glimpse *);
bool rule_stateful_set_delete(struct follower *, const struct deed *, struct glimpse *);
bool rule_daemon_set_create(struct follower *, const struct deed *, struct glimpse *);
bool rule_daemon_set_delete(struct follower *, const struct deed *, struct glimpse *);
bool rule_job_create(struct follower *, const struct deed *, struct glimpse *);
bool rule_job_delete(struct follower *, const struct deed *, struct glimpse *);
bool rule_bind(struct follower *, const struct deed *, struct glimpse *);
bool rule_unschedulable(struct follower *, const struct deed *, struct glimpse *);
bool rule_preempt(struct follower *, const struct deed *, struct glimpse *);
bool rule_taint_node(struct follower *, const struct deed *, struct glimpse *);
bool rule_taint_evict(struct follower *, const struct deed *, struct glimpse *);
bool rule_mark_not_ready(struct follower *, const struct deed *, struct glimpse *);
bool rule_kubelet_status(struct follower *, const struct deed *, struct glimpse *);
bool rule_kubelet_delete(struct follower *, const struct deed *, struct glimpse *);
bool rule_budget_status(struct follower *, const struct deed *, struct glimpse *);
bool rule_evict(struct follower *, const struct deed *, struct glimpse *);
bool rule_collect(struct follower *, const struct deed *, struct glimpse *);
bool rule_collect_pod(struct follower *, const struct deed *, struct glimpse *);
bool rule_autoscale(struct follower *, const struct deed *, struct glimpse *);
bool rule_deschedule(struct follower *, const struct deed *, struct glimpse *);

#endif
