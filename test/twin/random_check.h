/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Small random clusters of the kind that the twin knows, as manifests: a Check
 * with its objects, and what an `apply` event applies.
 */
#ifndef FATHOM_TEST_TWIN_RANDOM_CHECK_H
#define FATHOM_TEST_TWIN_RANDOM_CHECK_H

#include "base/text.h"
#include "decide/controller/random_test.h"

#define APPLIED_FILE "applied.yaml"

/* Parts of a random cluster that a failing one may be without. */
enum random_part {
    PART_SECOND_WORKLOAD,
    PART_SECOND_GROUP,
    PART_SPREAD,
    PART_ANTI_AFFINITY,
    PART_TAINT,
    PART_TOLERATION,
    PART_AUTOSCALER,
    PART_BUDGET,
    PART_FAILURE,
    PART_MAINTENANCE,
    PART_SCALE,
    PART_CPU,
    PART_APPLY,
    PART_PREFERENCE,
    PART_TIGHT,
    PART_DESCHEDULER,
    PART_PRIORITY,
    PART_OTHER_KIND,
    PART_ZONE_OUTAGE,
    PART_PARTITION,
    PART_DELETE,
    PART_PRESSURE,
    PART_LOAD,
    PART_PANIC,
    PART_SETTLED_START,
    PART_PATTERN,
    PART_FULL,    /* periodic controllers do not wait for rest */
    PART_RESTORE, /* what is applied is taken back, or applied by a controller */
    PART_NODE_NAME,
    PART_SCHEDULERS,
    PART_OBSERVED,  /* runs begin with pods that are there */
    PART_CANONICAL, /* or with one settled state */
    PART_CLOCKED,
    PART_WAVES,
    PART_PROBE,
    PART_MIN_READY,
    PART_WINDOWS, /* of an autoscaler */
    PART_SERVICE,
    PART_VERSION, /* of Kubernetes, another than the first */
    PART_EMPTY_SELECTOR,
    PART_SECOND_BUDGET,
    PART_EVICTION_POLICY,
    PART_DESCHEDULER_VERSION,
    PART_CONTROLLERS, /* periodic controllers wait for other controllers alone */
    PART_LAG,         /* of the statuses of budgets */
    PART_JOB_POLICY,
    PART_DISK,   /* a volume for one node at a time */
    PART_IMAGES, /* that nodes pull */
    PART_QUOTA,
    PART_WEBHOOK,
    PART_CLUSTER_AUTOSCALER,
    PART_EXPRESSIONS, /* intents in users' own words instead of the library's */
    PART_TIMES,       /* in which they have to come true */
    PART_CONDITIONS,  /* of events */
    PART_VOLUME,      /* that stays where it is */
    PART_COUNT
};

/* Only parts of `parts` (a bit each) are used; the same seed and parts give the
 * same texts. */
struct random_check {
    struct memory memory;
    struct text check;
    struct text applied; /* what its `apply` events bring: APPLIED_FILE */
};
void random_check_make(struct random_check *made, uint64_t seed, uint64_t parts);
void random_check_release(struct random_check *made);

/* ---- random_objects.c ---- */

struct generator {
    struct dice dice;
    struct dice more; /* for versions and what they change */
    uint64_t parts;
    uint64_t wanted; /* parts that the cluster is about: always there ... */
    uint64_t barred; /* ... and those that would only make it larger */
    struct text *text;
    const char *kind; /* of the first workload */
    bool scaled;      /* it has an autoscaler */
    bool budget;      /* and a budget */
    bool scheduled;   /* there is more than one profile of schedulers */
    bool clocked;
    bool served;
    bool observed; /* there are nodes and pods already */
    bool pulls;    /* images that nodes pull count */
    bool weighs;   /* and ImageLocality weighs more than others */
    int grows;     /* nodes that the cluster autoscaler may add; 0: there is none */
    bool hasty;    /* with short times, by a clock */
    bool third;    /* it scales a third group, which has no node yet */
    struct dice growth;
    struct dice words; /* for conditions of events */
    struct dice images;
    struct group {
        const char *name;
        int count; /* 0: there is none */
        const char *zone;
        const char *region;
        const char *taints;
        int cpu;
    } groups[2];
};

/* Is the part wanted, once in `sides`? The dice are thrown in any case. */
bool has(struct generator *generator, enum random_part part, int64_t sides);

/* The same for every image, so that only the image makes another template. */
struct shape {
    int cpu;    /* 0: no requests */
    int spread; /* 0: none, 1: hard, 2: soft */
    bool by_zone;
    bool anti_affinity;
    const char *tolerations;
    bool prefers;
    bool recreates;
    bool parallel; /* StatefulSet */
    bool on_delete;
    int partition;
    int surge;
    int completions; /* of a Job; 0: a work queue */
    int backoff;
    const char *outcome;
    bool deadline;
    const char *policy;   /* of a Job; NULL: none */
    const char *priority; /* class; NULL: none */
    bool limited;
    bool never_ready;
    const char *node_name; /* NULL: the scheduler decides */
    const char *scheduler; /* NULL: the default one */
    int delay;             /* seconds, of its readiness probe; -1: it has none */
    int min_ready;         /* seconds */
    int sleep;             /* seconds, of its preStop hook; 0: it has none */
    bool disk;             /* a volume that all of its pods use */
    const char *claim; /* that all of its pods have; "": one each, of a StatefulSet; NULL: none */
    const char *side;  /* the image of a second container; NULL: it has none */
    const char *init;  /* that of an init container */
};

struct shape random_shape(struct generator *generator);
/* Which containers it has beside the first. */
void choose_containers(struct generator *generator, struct shape *shape);
/* The images that a node reports from the beginning, as a field of its status. */
void write_images(struct generator *generator);
void write_workload(struct text *text, const char *kind, const char *name,
                    const struct shape *shape, int replicas, const char *image);
/* How many pods there shall be, and by what rules. */
void write_rules(struct text *text, const char *kind, const struct shape *shape, int replicas);
/* The spec of a pod, further in than whatever it belongs to. */
void write_spec(struct text *text, const char *kind, const char *name, const struct shape *shape,
                const char *image);

/* ---- random_expressions.c ---- */

/* Intents in users' own words. */
void write_expressions(struct generator *generator, struct dice *dice);
/* One that is true or false of a whole state. */
void write_expression(struct generator *generator, struct dice *dice);

/* ---- random_observed.c ---- */

/* The nodes as objects, in any condition, the first workload with what it has already, and pods
 * that are nobody's. */
void write_observed(struct generator *generator, const struct shape *shape, int replicas);

#endif
