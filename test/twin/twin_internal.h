/* SPDX-License-Identifier: Apache-2.0 */
#ifndef FATHOM_TEST_TWIN_TWIN_INTERNAL_H
#define FATHOM_TEST_TWIN_TWIN_INTERNAL_H

#include "base/vec.h"
#include "model/scheduler/scheduler.h"
#include "model/view.h"
#include "object/policy.h"
#include "object/workload.h"
#include "twin/twin.h"

/* The actions of the population model, by the same numbers. */
enum twin_action {
#define ACTION(constant, actor, verb, fair) TWIN_##constant,
#include "model/population/actions.def"
#undef ACTION
    TWIN_ACTION_COUNT
};

enum twin_stage { PLACE_FREE, POD_WAITS, POD_STARTS, POD_IS_READY, POD_TERMINATES };
enum twin_condition { UP, CORDONED, DOWN, AWAY, REPAIRED, CONDITION_COUNT };
enum { LEVELS_MOST = 4, REVISIONS_MOST = 6, WORKLOADS_MOST = 3, EVENTS_MOST = 4, NOBODY = 255 };

struct place_of_pod {
    uint8_t stage;
    uint8_t revision;
    uint8_t level;
    uint8_t node;
};

struct twin_state {
    int32_t replicas[WORKLOADS_MOST];
    uint32_t present[WORKLOADS_MOST];
    int32_t set_replicas[REVISIONS_MOST]; /* -1: there is none */
    int32_t set_desired[REVISIONS_MOST];
    uint32_t used[EVENTS_MOST];
    uint32_t settled_once;
    uint32_t armed; /* of replicasAtLeast: bit intent * WORKLOADS_MOST + workload */
    uint8_t conditions[8];
    struct place_of_pod pods[TWIN_PODS_MOST];
};

struct twin_revision {
    uint32_t workload;
    const char *image;
    struct pod *pod;
};

struct twin_workload {
    const struct setup_workload *setup;
    const struct deployment *deployment; /* NULL: a ReplicaSet */
    int64_t levels[LEVELS_MOST];
    uint32_t level_count;
    int32_t least; /* of the autoscaler */
    int32_t most;
};

struct twin_node {
    uint32_t group;
    uint32_t templates[CONDITION_COUNT];
};

struct twin_event {
    const struct check_event *event;
    uint32_t workload;
    uint32_t first_level;
    /* apply: */
    bool gives_replicas;
    int32_t replicas;
    uint32_t revision;
};

struct twin {
    struct memory *memory;
    struct arena arena;
    struct arena scratch;
    const struct scope *scope;
    const struct setup *setup;
    struct catalog *catalog;
    struct profiles profiles;
    struct scheduler *scheduler;
    struct twin_workload workloads[WORKLOADS_MOST];
    uint32_t workload_count;
    struct twin_revision revisions[REVISIONS_MOST];
    uint32_t revision_count;
    struct twin_node nodes[TWIN_NODES_MOST];
    uint32_t node_count;
    struct twin_event events[EVENTS_MOST];
    uint32_t event_count;
    const struct check_intent *intents;
    uint32_t intent_count;
    bool remembers;
    bool overflow;
    VEC(uint32_t) place_of_class; /* by class */
    /* Classes by place, revision, stage and level; 0: none yet, else + 1. */
    uint32_t classes[TWIN_PODS_MOST][REVISIONS_MOST][POD_TERMINATES + 1][LEVELS_MOST];
    struct twin_state initial;
    struct model model;
};

/* One expansion. */
struct twin_run {
    struct twin *twin;
    const struct twin_state *state;
    struct step_sink *sink;
    bool moved; /* something goes on that is a matter of seconds */
    bool waits; /* or of minutes */
};

enum twin_pace { IDLE, LAZY, FAST };

enum { STATE_WORDS = sizeof(struct twin_state) / sizeof(uint32_t) };

/* Who a step is about, for fairness: 0 nobody, then places, nodes, workloads, sets. */
uint32_t about_pod(uint32_t place);
uint32_t about_node(uint32_t node);
uint32_t about_workload(uint32_t workload);
uint32_t about_set(uint32_t revision);

/* `victims` has a bit for each workload that loses pods. */
void twin_emit(struct twin_run *run, struct twin_state *next, enum twin_action action,
               uint32_t subject, uint32_t workload, uint32_t victims, enum twin_pace pace);

uint32_t twin_count(const struct twin *twin, const struct twin_state *state, uint32_t revision,
                    bool ready);
bool twin_pod_ready(const struct twin_state *state, uint32_t place);
uint32_t twin_class(struct twin *twin, uint32_t place, const struct place_of_pod *pod);

void twin_steps(struct twin_run *run);
void twin_events(struct twin_run *run, bool settled);
uint64_t twin_marks(struct twin *twin, const struct twin_state *state, struct twin_state *next,
                    enum twin_action action, uint32_t workload, uint32_t victims);
uint64_t twin_atoms(struct twin *twin, const struct twin_state *state);
/* One cycle, if there is a descheduler. */
void twin_deschedule(struct twin_run *run);
struct view twin_view(struct twin_run *run);
int32_t twin_budget_allows(const struct twin_run *run, const struct pod_disruption_budget *budget);
/* Does some intent that looks at rests dislike this one? */
bool twin_rest_disliked(struct twin *twin, const struct twin_state *state);

#endif
