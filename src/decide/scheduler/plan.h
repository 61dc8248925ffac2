/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A plan: one kind of incoming pod, compiled for one profile.
 *
 * It remembers what the plugins found out about each template, each kind of
 * existing pod and each node config, so that a decision over configs that were
 * seen before is a matter of looking up and adding numbers. A plan is rebuilt
 * when the catalog has learned a new topology key, because counters are kept by
 * key. Plans live in the catalog's arena.
 */
#ifndef FATHOM_DECIDE_SCHEDULER_PLAN_H
#define FATHOM_DECIDE_SCHEDULER_PLAN_H

#include "decide/scheduler/plugin.h"

/* What is known of one node config. */
struct record {
    struct load load;
    struct verdict local;  /* of the first local filter that said no */
    uint32_t local_filter; /* its place in the profile's order; filter_count if none did */
    int64_t *scores;       /* raw local scores by the profile's order */

    /* With the nominated pods of at least the same priority; if there are any. */
    bool has_nominated;
    struct load nominated_load;
    struct verdict nominated_local;
    uint32_t nominated_local_filter;
};

struct host_port_key {
    const char *ip;
    enum protocol protocol;
    int32_t port;
};

/* The filters of a profile that can reject the pod. */
struct filter_list {
    uint32_t count;
    struct listed_filter {
        const struct plugin *plugin;
        const struct part *part;
        uint32_t order; /* its place in the profile's order */
    } items[PLUGINS_MOST];
};

struct plan {
    struct catalog *catalog;
    const struct profile *profile;
    const struct pod_class *pod;
    const struct pod_shape *shape;
    struct part parts[PLUGINS_MOST];              /* by place in the registry */
    const struct part *score_parts[PLUGINS_MOST]; /* by the profile's order */
    struct filter_list local_filters;             /* those that look at one node alone */
    struct filter_list global_filters;

    uint32_t counter_count;
    uint32_t fact_count;
    uint32_t topology_key_count; /* of the catalog, when this was built */
    VEC(int64_t *) facts;        /* by template */
    VEC(int64_t *) relations;    /* by 2 * shape + terminating */
    VEC(uint64_t) port_sets;     /* by shape: which of `port_keys` it uses */
    VEC(struct host_port_key) port_keys;
    VEC(struct record *) records; /* by config */
};

struct plan *plan_create(struct catalog *catalog, const struct profile *profile,
                         const struct pod_class *pod);

/* Brings the plan up to date with the catalog; to be called before a decision. */
void plan_refresh(struct plan *plan);

struct part *plan_part(struct plan *plan, const struct plugin *plugin);
uint32_t plugin_number(const struct plugin *plugin);

/* For `prepare`: room for so many counters or facts; gives the offset. */
static inline uint32_t plan_reserve_counters(struct plan *plan, uint32_t count)
{
    uint32_t offset = plan->counter_count;
    plan->counter_count += count;
    return offset;
}

static inline uint32_t plan_reserve_facts(struct plan *plan, uint32_t count)
{
    uint32_t offset = plan->fact_count;
    plan->fact_count += count;
    return offset;
}

const struct record *plan_record(struct plan *plan, const struct node_config *config);

/* The load of a node without pods. */
void plan_load_init(struct plan *plan, struct arena *arena, struct load *load,
                    const struct node_template *template);
/* Both are of one plan; `to` was initialised. */
void plan_load_copy(const struct plan *plan, struct load *to, const struct load *from);
void plan_load_add(struct plan *plan, struct load *load, const struct pod_class *pod,
                   uint32_t count);
void plan_load_remove(struct plan *plan, struct load *load, const struct pod_class *pod);

/* The nominated pods of the config that count against this pod, added to the load:
 * those of at least its priority. `own` is the pod itself if it is nominated here,
 * since a pod does not count against itself; otherwise NULL. False if no pod was
 * added. */
bool plan_load_nominate(struct plan *plan, struct load *load, const struct node_config *config,
                        const struct pod_class *own);

/* The first local filter that says no. `texts` as in struct trial. */
struct verdict plan_filter_local(const struct plan *plan, const struct load *load, uint32_t *filter,
                                 struct arena *texts);

#endif
