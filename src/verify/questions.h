/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The questions that are asked of manifests without a Check: can every node be drained, does a
 * rollout complete, does the application come back after a failure, do autoscalers come to rest?
 *
 * A question is a Check that is made here: events that may come once everything is ready, and
 * intents for each workload. Questions are asked one after the other. Those of `start` come
 * first: a workload that never becomes ready is left out of the others, because everything else
 * would be said of a cluster without it.
 */
#ifndef FATHOM_VERIFY_QUESTIONS_H
#define FATHOM_VERIFY_QUESTIONS_H

#include "base/budget.h"
#include "verify/plan.h"

enum question_topic {
    QUESTION_START,
    QUESTION_DRAIN,
    QUESTION_ROLLOUT,
    QUESTION_NODE_FAILURE,
    QUESTION_ZONE_OUTAGE,
    QUESTION_LOAD,
    QUESTION_COUNT
};

/* "node failure" */
const char *question_name(enum question_topic kind);
/* "one node fails and comes back" */
const char *question_words(enum question_topic kind);

/* Reads --event: "drain,rollout", "none", "all". Bits of enum question_topic, QUESTION_START among
 * them unless there is none. False, with a problem, if a name is unknown. */
bool questions_read(const char *text, unsigned *asked, struct problems *problems);
/* What is asked if nobody says: what makes sense for these objects. */
unsigned questions_usual(struct arena *arena, const struct objects *objects,
                         const struct scope_options *options);

/* One of the Checks of a question: those of many workloads are divided. */
struct question_check {
    enum question_topic kind;
    struct input_unit *unit; /* with problems of its own */
    struct verify_plan plan; /* if it was made */
    bool made;               /* else the unit's problems say why not */
};

struct questions {
    struct question_check *items;
    uint32_t count;
    uint32_t capacity;
};

struct question_options {
    const struct object_name *only; /* something happens to this workload alone; NULL: to all */
    bool at_any_time;               /* not only once everything is ready */
    bool room_for_all;              /* each node has room for all pods, however many */
    const struct budget *budget;    /* of the run; NULL: none */
    bool at_most;                   /* autoscaled workloads have maxReplicas pods */
};

/* Adds the Checks of one kind of question about the objects. Intents of the scope's options, if
 * there are any, are asked instead of the question's own. */
void questions_add(struct arena *arena, enum question_topic kind, const struct input_unit *unit,
                   const struct objects *objects, const struct question_options *how,
                   const struct scope_options *options, struct questions *questions);

/* ---- for questions.c (question_events.c) ---- */

struct question_events {
    struct arena *arena;
    const struct scope *scope; /* without events */
    const struct question_options *how;
    VEC(struct check_event) items;
};

/* The events of a question. */
void question_events_add(struct question_events *events, enum question_topic kind);
/* Does its autoscaler go by the CPU of its pods alone, so that the model knows what it does? */
bool question_follows_load(const struct setup_workload *workload);
/* Can the event come to anything of this workload? */
bool question_concerns(enum question_topic kind, const struct setup_workload *workload);

#endif
