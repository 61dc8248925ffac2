/* SPDX-License-Identifier: Apache-2.0 */
/* A cycle: profile by profile, plugin by plugin. After
 * pkg/descheduler/descheduler.go and pkg/framework/profile @ v0.27.1 and
 * v0.28.1. */
#include "decide/descheduler/descheduler.h"

#include "decide/descheduler/cluster_sizes.h"
#include "decide/descheduler/descheduler_outcomes.h"
#include "decide/descheduler/descheduler_plugins.h"
#include "object/policy.h"

#include <string.h>

enum { PRIORITY_THRESHOLD_DEFAULT = 2000000000 };

/* ---- profiles ---- */

/* The first plugin that is enabled and not configured; they are built in the
 * order of their names. */
static bool find_unconfigured(const struct descheduler_profile *profile,
                              enum descheduler_plugin *found)
{
    const struct descheduler_plugin_list *const lists[] = {&profile->deschedule, &profile->balance};
    bool any = false;
    for (int l = 0; l < 2; l++)
        for (uint32_t i = 0; i < lists[l]->count; i++) {
            const enum descheduler_plugin plugin = lists[l]->items[i];
            if (profile->configured[plugin])
                continue;
            if (!any ||
                strcmp(descheduler_plugin_name(plugin), descheduler_plugin_name(*found)) < 0)
                *found = plugin;
            any = true;
        }
    return any;
}

static bool profile_is_sound(struct cycle *cycle, const struct descheduler_profile *profile)
{
    enum descheduler_plugin missing;
    if (!find_unconfigured(profile, &missing))
        return true;
    const char *name = descheduler_plugin_name(missing);
    VEC_PUSH(cycle->arena, &cycle->result->notes,
             arena_printf(cycle->arena,
                          "profile %s not created: unable to build %s plugin: unable to find "
                          "\"%s\" plugin config",
                          profile->name, name, name));
    return false;
}

static int64_t threshold_of(const struct cycle *cycle, const struct descheduler_profile *profile)
{
    const struct default_evictor_arguments *evictor = &profile->default_evictor;
    const char *name = evictor->priority_threshold_class_name;
    if (evictor->priority_threshold.set)
        return evictor->priority_threshold.value;
    const struct object *class =
        name && cycle->setup->objects
            ? objects_find(cycle->setup->objects, OBJECT_PRIORITY_CLASS, NULL, name)
            : NULL;
    return class ? class->as.priority_class->value : PRIORITY_THRESHOLD_DEFAULT;
}

static void enter_profile(struct cycle *cycle, const struct descheduler_profile *profile)
{
    cycle->profile = profile;
    cycle->filters = ARENA_ARRAY(cycle->arena, uint8_t, cycle->cluster->kinds.count + 1);
    cycle->priority_threshold = threshold_of(cycle, profile);
}

static void run_plugins(struct cycle *cycle, const struct descheduler_profile *profile,
                        const struct descheduler_plugin_list *list, bool explain)
{
    enter_profile(cycle, profile);
    for (uint32_t i = 0; i < list->count && !cycle_given_up(cycle); i++) {
        struct descheduler_story story = {.profile = profile->name, .plugin = list->items[i]};
        cycle->plugin = list->items[i];
        cycle->story = explain ? &story : NULL;
        cycle->situation = (struct signature){0};
        descheduler_plugin_type(cycle->plugin)->run(cycle);
        cycle->step++;
        if (explain)
            VEC_PUSH(cycle->arena, &cycle->result->stories, story);
    }
}

static void run_profiles(struct cycle *cycle, bool explain)
{
    const struct descheduler_policy *policy = cycle->setup->policy;
    const bool together =
        cycle->setup->profiles_in_turn || !cycle->setup->features.deschedule_first;
    bool *sound = ARENA_ARRAY(cycle->arena, bool, policy->profile_count + 1);
    for (uint32_t i = 0; i < policy->profile_count; i++) {
        const struct descheduler_profile *profile = &policy->profiles[i];
        sound[i] = profile_is_sound(cycle, profile);
        if (sound[i])
            run_plugins(cycle, profile, &profile->deschedule, explain);
        if (sound[i] && together)
            run_plugins(cycle, profile, &profile->balance, explain);
    }
    for (uint32_t i = 0; i < policy->profile_count && !together; i++)
        if (sound[i])
            run_plugins(cycle, &policy->profiles[i], &policy->profiles[i].balance, explain);
}

/* ---- the cycle ---- */

/* v0.27 treats any threshold that is given by name as if a value was given, too. */
static const char *policy_error(struct arena *arena, const struct descheduler_setup *setup)
{
    for (uint32_t i = 0; i < setup->policy->profile_count; i++) {
        const struct descheduler_profile *profile = &setup->policy->profiles[i];
        const char *name = profile->default_evictor.priority_threshold_class_name;
        if (setup->features.threshold_name_refused && name && *name)
            return arena_printf(arena,
                                "policy: in profile %s: priority threshold misconfigured, only one "
                                "of priorityThreshold fields can be set, got "
                                "&TypeMeta{Kind:,APIVersion:,}",
                                profile->name);
    }
    return NULL;
}

static void select_nodes(struct cluster *cluster, const struct descheduler_policy *policy)
{
    cluster->cycle_nodes = (struct node_sum){0};
    for (uint32_t n = 0; n < cluster->node_count; n++) {
        struct cluster_node *node = &cluster->nodes[n];
        node->in_cycle = node->ready &&
                         (!policy->node_selector ||
                          label_selector_matches(policy->node_selector, &node->node->meta.labels));
        if (node->in_cycle)
            cluster_count_node(cluster, &cluster->cycle_nodes, n);
    }
}

static void run_once(struct cycle *cycle, bool explain)
{
    cluster_reset(cycle->cluster);
    select_nodes(cycle->cluster, cycle->setup->policy);
    cycle->result->error = policy_error(cycle->arena, cycle->setup);
    if (cycle->result->error)
        return;
    if (!cluster_sum_exceeds(cycle->cluster, &cycle->cluster->cycle_nodes, 1))
        VEC_PUSH(cycle->arena, &cycle->result->notes, "0 or 1 ready nodes: cycle aborted");
    else
        run_profiles(cycle, explain);
}

void descheduler_run(struct arena *arena, const struct descheduler_setup *setup,
                     struct cluster *cluster, bool explain, struct descheduler_result *result)
{
    *result = (struct descheduler_result){0};
    struct cycle cycle = {.arena = arena, .setup = setup, .cluster = cluster, .result = result};
    run_once(&cycle, explain);
}

void descheduler_run_choosing(struct arena *arena, const struct descheduler_setup *setup,
                              struct cluster *cluster, struct choice *choice,
                              struct descheduler_result *result)
{
    *result = (struct descheduler_result){0};
    struct cycle cycle = {
        .arena = arena, .setup = setup, .cluster = cluster, .choice = choice, .result = result};
    run_once(&cycle, false);
}

/* ---- what is read ---- */

/* A plugin without `reads` counts as one that reads everything. */
static struct kind_readers readers_of(enum descheduler_plugin plugin,
                                      const struct descheduler_features *features)
{
    const struct descheduler_plugin_type *type = descheduler_plugin_type(plugin);
    if (!type || !type->reads)
        return (struct kind_readers){true, true, true, true};
    return type->reads(features);
}

static void add_readers(struct kind_readers *readers, const struct descheduler_plugin_list *list,
                        const struct descheduler_features *features)
{
    for (uint32_t i = 0; i < list->count; i++) {
        const struct kind_readers one = readers_of(list->items[i], features);
        readers->ages |= one.ages;
        readers->restarts |= one.restarts;
        readers->reasons |= one.reasons;
        readers->names |= one.names;
    }
}

struct kind_readers descheduler_readers(const struct descheduler_policy *policy,
                                        struct descheduler_features features)
{
    struct kind_readers readers = {0};
    for (uint32_t p = 0; p < policy->profile_count; p++) {
        add_readers(&readers, &policy->profiles[p].deschedule, &features);
        add_readers(&readers, &policy->profiles[p].balance, &features);
    }
    return readers;
}

void descheduler_reads_pod(struct reads *reads, const struct pod_spec *spec)
{
    reads_node_labels(reads, &spec->node_selector);
    if (spec->affinity)
        reads_node_affinity(reads, spec->affinity->node_affinity);
    reads_spread_constraints(reads, spec->topology_spread_constraints,
                             spec->topology_spread_constraint_count);
}

void descheduler_reads_policy(struct reads *reads, const struct descheduler_policy *policy)
{
    reads->all_resources = true;
    reads->all_pod_labels = true;
    reads->pods_in_place = true;
    reads_node_label_selector(reads, policy->node_selector);
    for (uint32_t p = 0; p < policy->profile_count; p++)
        reads_node_label_selector(reads, policy->profiles[p].default_evictor.node_selector);
}

bool descheduler_plugin_is_timed(enum descheduler_plugin plugin)
{
    for (int minor = DESCHEDULER_MINOR_FIRST; minor <= DESCHEDULER_MINOR_LAST; minor++) {
        const struct descheduler_features features = descheduler_features_of_version(minor);
        const struct kind_readers readers = readers_of(plugin, &features);
        if (readers.ages || readers.restarts)
            return true;
    }
    return false;
}

const char *descheduler_plugin_field(const char *name)
{
    for (int i = 0; i < DESCHEDULER_PLUGIN_COUNT; i++) {
        const struct descheduler_plugin_type *type = descheduler_plugin_type(i);
        if (type && strcmp(descheduler_plugin_name(i), name) == 0)
            return type->field;
    }
    return NULL;
}
