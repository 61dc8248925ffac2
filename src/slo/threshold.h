/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The service under the rule `queueThreshold`, as a model for the checker core:
 * one step is one second, and the states are those between two seconds.
 *
 * The rule is that of the published models (M. van Zijl, "Model Checking for
 * Cloud Autoscaling using WATERS"): every `interval` seconds a pod is asked for
 * if the last pod's queue is long, and one is dropped if the first pod's queue
 * is short; both may happen at once. Pods are numbered, since the rule looks at
 * the first and the last.
 */
#ifndef FATHOM_SLO_THRESHOLD_H
#define FATHOM_SLO_THRESHOLD_H

#include "explore/model.h"
#include "slo/slo.h"

/* What happened in a second. */
enum slo_mark {
    SLO_MARK_VIOLATED = 1 << 0,     /* a queue is longer than the objective allows */
    SLO_MARK_ASKED = 1 << 1,        /* a pod was asked for */
    SLO_MARK_DROPPED = 1 << 2,      /* a pod was dropped */
    SLO_MARK_STARTED = 1 << 3,      /* a pod began to serve */
    SLO_MARK_REFUSED = 1 << 4,      /* requests came that the model cannot take */
    SLO_MARK_LOAD_CHANGED = 1 << 5, /* the load was not the one committed to */
};

enum slo_atom { SLO_ATOM_IDLE = 1 << 0, SLO_ATOM_COMMITTED = 1 << 1, SLO_ATOM_NEVER = 1 << 2 };

/* The argument of the step that settles on a rate. */
#define THRESHOLD_COMMIT UINT32_MAX

/* Variants of the model that some questions need. */
struct threshold_view {
    bool refusals; /* a refused second leads to a state without steps, not nowhere */
    bool commits;  /* the load may settle on one rate for ever; a step of that takes no
                      time, and later ones take until the rule was looked at */
    /* A second is several steps: first come some single requests, then some lots of
     * 8, then of 64, and so on. Every number of requests is some choice of lots,
     * and what is reached by different numbers from different states is one
     * state on the way, so that a second costs the logarithm of the rate. Only where sharing two
     * packets is sharing their sum, and without ramps. */
    bool packets;
};

struct threshold_model {
    struct model model; /* properties are the caller's to set */
    const struct slo_service *service;
    struct threshold_view view;
    uint32_t header_words;
    uint32_t steps_per_second; /* 1 without packets */
    bool wide;                 /* a queue takes a word, not half of one */
};

/* Whether a service can be looked at in packets, and that is worth it. */
bool threshold_packets_pay(const struct slo_service *service);
void threshold_model_init(struct threshold_model *model, const struct slo_service *service,
                          struct threshold_view view);

/* A state, unpacked. */
struct threshold_state {
    uint32_t on;        /* pods that serve */
    uint32_t elapsed;   /* seconds since the rule was looked at */
    uint32_t creating;  /* 1 while a pod is on its way */
    uint32_t started;   /* seconds that it has been */
    uint32_t position;  /* of the load */
    uint32_t next;      /* whose turn it is, from 1 */
    uint32_t last;      /* requests of the last second; only kept where the load needs it */
    uint32_t committed; /* rate settled on, plus 1; 0: none */
    uint32_t packet;    /* how many packets of this second were dealt with */
    bool stuck;
    uint32_t *queue; /* pods_max of them */
};

/* What happened within a second, for tables and pictures. */
struct threshold_second {
    uint64_t marks;
    uint32_t serving;    /* pods that requests were shared among */
    uint32_t queue_peak; /* the longest, after the requests came */
    bool checked;        /* the rule was looked at */
};

/* One second with so many requests, in place. False: the requests are refused,
 * and the state is of no use any more. */
bool threshold_step(const struct slo_service *service, struct threshold_state *state,
                    uint32_t requests, struct threshold_second *second);
/* The same in parts: some of the requests (true unless they are refused), the rest. */
bool threshold_allocate(const struct slo_service *service, struct threshold_state *state,
                        uint32_t requests);
void threshold_initial(const struct slo_service *service, struct threshold_state *state);
/* The requests of the next second in a state that has settled on a rate. */
uint32_t threshold_committed_requests(const struct slo_service *service,
                                      const struct threshold_state *state);
void threshold_unpack(const struct threshold_model *model, const uint32_t *words,
                      struct threshold_state *state);

#endif
