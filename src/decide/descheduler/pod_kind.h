/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A kind of pods as the descheduler knows it: pods that are alike in all that
 * any plugin of the policy looks at. What follows from the pod alone is computed
 * once a kind.
 */
#ifndef FATHOM_DECIDE_DESCHEDULER_POD_KIND_H
#define FATHOM_DECIDE_DESCHEDULER_POD_KIND_H

#include "base/map.h"
#include "base/text.h"
#include "base/vec.h"
#include "object/pod.h"

enum { RESOURCE_CPU, RESOURCE_MEMORY, RESOURCE_FIRST_OTHER };

/* The names of the resources that pods request or policies mention, by number.
 * CPU counts in thousandths, everything else in units. */
struct resource_names {
    struct arena *arena;
    struct map numbers; /* name -> number + 1 */
    VEC(const char *) names;
};

void resource_names_init(struct resource_names *names, struct arena *arena);
uint32_t resource_names_number(struct resource_names *names, const char *name);
int64_t resource_amount(uint32_t resource, struct quantity quantity);

enum pod_quality { QUALITY_BEST_EFFORT, QUALITY_BURSTABLE, QUALITY_GUARANTEED };

struct kind_request {
    uint32_t resource;
    int64_t amount; /* with overhead: what must fit and what loads a node */
    int64_t moved; /* what node utilization counts as moved: without overhead for a resource that is
                      not requested */
};

struct pod_kind {
    const struct pod *pod; /* the representative */
    uint32_t class;        /* of the view's catalog, or the number of the kind */
    uint32_t namespace;    /* number in the cluster */
    bool finished;         /* Succeeded or Failed */
    bool terminating;
    bool evict_annotated; /* descheduler.alpha.kubernetes.io/evict overrides all filters */
    bool pinned;          /* has a node selector or node affinity, be it only preferred */
    enum pod_quality quality;
    int64_t priority_rank; /* absent is lower than every number */
    struct kind_request *requests;
    uint32_t request_count;
    uint32_t *budgets; /* numbers of the disruption budgets that guard it */
    uint32_t budget_count;
    uint32_t duplicate_group; /* RemoveDuplicates: pods with the same owners and images */
    uint32_t *owners;         /* by owner reference: numbers of (namespace, kind, name, images) */
};

/* Everything but namespace, budgets and owners. */
void pod_kind_init(struct arena *arena, struct resource_names *names, const struct pod *pod,
                   struct pod_kind *kind);

int64_t pod_age_seconds(const struct pod *pod, int64_t now);

/* What the plugins of a policy read of pods apart from their specs. */
struct kind_readers {
    bool ages;
    bool restarts;
    bool reasons; /* of containers and of the pod itself */
    bool names;   /* the order of names decides */
};

/* A text that is equal for two pods exactly when they are of one kind. */
void pod_kind_fingerprint(struct text *text, const struct pod *pod, struct kind_readers readers);

#endif
