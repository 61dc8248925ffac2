/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A KubeSchedulerConfiguration, resolved: for each profile which plugins run
 * at which extension point, in which order and with which weights. Everything
 * that the user left out has upstream's default.
 */
#ifndef FATHOM_DECIDE_SCHEDULER_CONFIGURATION_H
#define FATHOM_DECIDE_SCHEDULER_CONFIGURATION_H

#include "base/error.h"
#include "object/scheduler_configuration.h"

struct plugin;

struct scored_plugin {
    const struct plugin *plugin;
    int32_t weight;
};

struct profile {
    const char *scheduler_name;
    const struct scheduler_profile *settings; /* the plugins' arguments */
    const struct plugin **pre_filters;        /* in the order of running */
    uint32_t pre_filter_count;
    const struct plugin **filters;
    uint32_t filter_count;
    struct scored_plugin *scores;
    uint32_t score_count;
    bool preempts;                        /* DefaultPreemption is enabled */
    int32_t percentage_of_nodes_to_score; /* 0: upstream's adaptive default */
};

struct profiles {
    struct profile *items;
    uint32_t count;
};

/* One profile, "default-scheduler", with everything at its default. */
struct profiles profiles_default(struct arena *arena);

/* The profiles of a configuration. Plugins that are not modelled are left out;
 * a warning says which, if the default configuration does not have them. */
struct profiles profiles_resolve(struct arena *arena,
                                 const struct scheduler_configuration *configuration,
                                 struct place place, struct problems *problems);

/* NULL when no profile has this name: pods that ask for it are not scheduled. */
const struct profile *profiles_find(const struct profiles *profiles, const char *scheduler_name);

#endif
