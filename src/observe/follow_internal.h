/* SPDX-License-Identifier: Apache-2.0 */
/* The inside of following: what the rules of the actors share. */
#ifndef FATHOM_OBSERVE_FOLLOW_INTERNAL_H
#define FATHOM_OBSERVE_FOLLOW_INTERNAL_H

#include "model/decider.h"
#include "object/node.h"
#include "object/pod.h"
#include "observe/follow.h"
#include "observe/restore.h"

/* Views older than this explain nothing. The longest lag seen in the recorded
 * runs is printed by the tests; work queues retry within this time. */
#define LAG_SECONDS_MOST 1.0

/* How long the log of requests may go on after the watch has ended. */
#define CUT_SECONDS_MOST 2.0

struct follower {
    struct recording *recording;
    struct restorer restorer;
    struct problems *problems;
    const char *namespace;     /* of the deed at hand: names below are of it */
    struct arena scratch;      /* of one judgement */
    struct objects unchanging; /* PriorityClasses and the like: in no watch */
    struct text answer;        /* of a decider */
    struct text sentences;
    struct text would; /* what the model would do, at the latest view */
};

/* The cluster as it was after a commit. */
struct glimpse {
    struct follower *follower;
    struct objects objects;
    int64_t rv;
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

bool glimpse_at(struct follower *follower, int64_t rv, double now,
                const struct foresight *foresight, struct glimpse *glimpse);
const struct object *glimpse_find(const struct glimpse *glimpse, enum object_kind kind,
                                  const char *name);

/* Is the object of the namespace at hand, or of none? */
bool is_of_namespace(const struct follower *follower, const struct object_meta *meta);

/* The decision of a decider for one object: the member `decision` of the result
 * for it. NULL if there is none. */
const struct value *follower_decide(struct follower *follower, const struct decider *decider,
                                    const struct glimpse *glimpse, const char *name);

/* How often this actor did this to objects of `kind` owned by `owner` after
 * commit `since` and before `deed`. */
uint32_t deeds_between(const struct follower *follower, const struct deed *deed, int64_t since,
                       const char *action, const char *owner);

/* Is this text in the list? */
bool list_has(const struct value *list, const char *text);

/* The pod is active: neither finished nor being deleted. */
bool pod_is_active(const struct pod *pod);
/* Who controls the object: the name if the kind is right, otherwise NULL. */
const char *controller_name(const struct object_meta *meta, const char *kind);
/* The owner that the line of a pod's birth names; NULL: none. */
const char *owner_of(const struct follower *follower, const char *pod, int64_t rv);

/* How the recording ends (follow_rest.c). */
enum follow_end follow_end(struct follower *follower, const char **restless);

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
