/* SPDX-License-Identifier: Apache-2.0 */
/* The inside of following: what the rules of the actors share. */
#ifndef FATHOM_RECORDING_FOLLOW_INTERNAL_H
#define FATHOM_RECORDING_FOLLOW_INTERNAL_H

#include "decide/decider.h"
#include "object/node.h"
#include "object/pod.h"
#include "recording/follow.h"
#include "recording/restore.h"

/* Views older than this explain nothing. The scheduler decides one pod after the
 * other and at once; controllers wait in work queues, and their requests for
 * leave (20 a second each). docs/recorded-runs.md tells what was needed. */
#define LAG_SCHEDULER  1.0
#define LAG_CONTROLLER 2.0

/* How long the log of requests may go on after the watch has ended. */
#define CUT_SECONDS_MOST 2.0

struct autoscaler_past;

struct follower {
    struct recording *recording;
    struct restorer restorer;
    struct problems *problems;
    struct features features;  /* of the version that is recorded: 1.26 */
    const char *namespace;     /* of the deed at hand: names below are of it */
    struct arena scratch;      /* of one judgement */
    struct objects unchanging; /* PriorityClasses and the like: in no watch */
    struct text answer;        /* of a decider */
    struct text sentences;
    struct text would;   /* what the model would do, at the latest view */
    uint32_t views_left; /* of the deed at hand, before the search is given up */
    bool blind;          /* the deed at hand rests on what was not recorded */
    VEC(struct autoscaler_past *) pasts;
    uint32_t variant; /* of flags and clocks, by which autoscalers were explained last */
};

/* How many views of one deed are looked at, all in all. */
enum { VIEWS_MOST = 4000 };

/* What a controller has heard of: watches are by kind, and each brings the
 * versions in the order of their commits, but one may lag behind another. */
enum { VIEW_KINDS_MOST = 8 };
struct outlook {
    int64_t rv; /* of kinds that are not named below */
    uint32_t count;
    struct {
        const char *kind;
        int64_t rv;
    } behind[VIEW_KINDS_MOST];
};
int64_t outlook_rv(const struct outlook *outlook, const char *kind);

/* The cluster as it is in a view. */
struct glimpse {
    struct follower *follower;
    struct objects objects;
    struct outlook outlook;
    double now; /* when the deed was done */
};

/* Versions that take the place of those at that commit: what an actor knows of
 * its own doing before it is committed. */
struct foresight {
    struct version **items;
    uint32_t count;
};

/* Would the model have done the deed, seeing this? What it would do instead is
 * written into follower->would by the first call. */
typedef bool (*follow_rule)(struct follower *follower, const struct deed *deed,
                            struct glimpse *glimpse);

bool glimpse_at(struct follower *follower, const struct outlook *outlook, double now,
                const struct foresight *foresight, struct glimpse *glimpse);
const struct object *glimpse_find(const struct glimpse *glimpse, enum object_kind kind,
                                  const char *name);

/* Is the object of the namespace at hand, or of none? */
bool is_of_namespace(const struct follower *follower, const struct object_meta *meta);

/* The decision of a decider for one object: the member `decision` of the result
 * for it. NULL if there is none. */
const struct value *follower_decide(struct follower *follower, const struct decider *decider,
                                    const struct glimpse *glimpse, const char *name);

/* How often this actor did this to objects of the deed's kind owned by `owner`
 * before the deed, unseen in this view. */
uint32_t deeds_unseen(const struct follower *follower, const struct deed *deed,
                      const struct outlook *outlook, const char *action, const char *owner);

/* Is this text in the list? */
bool list_has(const struct value *list, const char *text);

/* The pod is active: neither finished nor being deleted. */
bool pod_is_active(const struct pod *pod);
/* Who controls the object: the name if the kind is right, otherwise NULL. */
const char *controller_name(const struct object_meta *meta, const char *kind);
/* The owner that the line of a pod's birth names; NULL: none. */
const char *owner_of(const struct follower *follower, const char *pod, int64_t rv);

/* ---- views (follow_views.c) ---- */

/* A row of rules.def. */
struct rule_row {
    const char *actor;
    const char *action;
    const char *kind;
    follow_rule rule;
    const char *sees;
    double lag_most;
};

/* Is there a view from which the rule makes the deed? `lag` is how old what it
 * has not seen is. */
bool follow_judge(struct follower *follower, const struct rule_row *row, const struct deed *deed,
                  double *lag);

/* False if the deed at hand has taken up its share of the search. */
bool view_spend(struct follower *follower);

/* The number of versions committed before this one. */
uint32_t versions_before(const struct recording *recording, int64_t rv);

/* The Deployment that a ReplicaSet belongs to; NULL: none. */
const char *deployment_of_set(const struct follower *follower, const char *set);

/* How the recording ends (follow_rest.c). */
enum follow_end follow_end(struct follower *follower, const char **restless);
/* Does it go round in a circle (follow_loop.c)? */
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
