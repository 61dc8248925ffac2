/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The questions that are asked of a service, and their answers.
 *
 *     objective        no traffic that the load allows breaks the objective
 *     deadlock         there is always something that can happen next
 *     nonblocking      it can always return to idle
 *     controlLoop      it does not scale for ever while the load stays the same
 *     controllability  it does not rely on refusing requests that the load allows
 *
 * An answer that shows something has a timeline: what happened second by second.
 * For a violated objective it is a shortest one. All but `objective` look beyond
 * the moment at which the objective is broken.
 */
#ifndef FATHOM_SLO_QUESTIONS_H
#define FATHOM_SLO_QUESTIONS_H

#include "explore/explore.h"
#include "slo/slo.h"

enum slo_question {
    SLO_OBJECTIVE,
    SLO_DEADLOCK,
    SLO_NONBLOCKING,
    SLO_CONTROL_LOOP,
    SLO_CONTROLLABILITY,
    SLO_QUESTION_COUNT
};

const char *slo_question_name(enum slo_question question);     /* "controlLoop" */
const char *slo_question_text(enum slo_question question);     /* what holds */
const char *slo_question_violated(enum slo_question question); /* what happens otherwise */

struct slo_limits {
    uint32_t threads;
    uint64_t states_most;
    uint64_t time_most_ms;
    const atomic_bool *interrupted; /* may be NULL */
};

void slo_limits_init(struct slo_limits *limits);

/* One second of a run. */
struct slo_second {
    uint32_t requests;
    uint32_t allowed; /* by the load */
    uint32_t serving; /* pods among which they were shared */
    uint32_t serving_after;
    uint32_t starting;    /* pods on their way, at the end */
    uint32_t desired;     /* pods wanted, at the end (horizontalPodAutoscaler) */
    int32_t utilization;  /* per cent of the request that the autoscaler saw; -1: it did not look */
    uint32_t *queue;      /* of each pod, after the requests came */
    uint32_t queue_count; /* pods that have one */
    uint64_t marks;       /* enum slo_mark */
    const char *decision; /* what the autoscaler did, in words; NULL: it did not look */
};

struct slo_timeline {
    struct slo_second *seconds;
    uint32_t count;
    bool loops;
    uint32_t loop_from; /* the seconds after the first `loop_from` repeat for ever */
};

struct slo_answer {
    enum slo_question question;
    enum verdict verdict;
    enum explore_reason reason; /* if undecided */
    const char *note;           /* a remark on the answer; NULL: none */
    struct slo_timeline timeline;
    uint64_t states;
    uint64_t transitions;
    bool shortest; /* no shorter traffic breaks the objective */
};

/* Why it is undecided. */
const char *slo_reason_text(enum explore_reason reason);

/* The objective alone, without a timeline: for lists and tables. */
struct slo_verdict {
    enum verdict verdict;
    enum explore_reason reason;
    uint32_t second; /* of the first possible violation; 0: there is none */
    uint64_t states;
    uint64_t transitions;
    bool shortest;
};

/* `beyond`: the search goes on past violations, so that `states` are all states
 * there are. */
struct slo_verdict slo_judge(const struct slo_service *service, bool beyond,
                             const struct slo_limits *limits, struct memory *memory);

/* Timelines and notes are put into the arena. */
void slo_ask(struct arena *arena, const struct slo_service *service, enum slo_question question,
             const struct slo_limits *limits, struct memory *memory, struct slo_answer *answer);

#endif
