/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which plugins run where. Mirrors expandMultiPointPlugins of
 * pkg/scheduler/framework/runtime/framework.go @ v1.26.15: what multiPoint
 * enables runs at every extension point that the plugin implements, unless it
 * is disabled there; what is enabled at the point itself comes first if it
 * overrides a multiPoint plugin, and last if it does not.
 */
#include "decide/scheduler/configuration.h"

#include "decide/scheduler/plugin.h"

#include <string.h>

static const char default_name[] = "default-scheduler";

typedef bool implements(const char *name);

static bool implements_pre_filter(const char *name)
{
    const struct plugin *plugin = plugin_find(name);
    return plugin && plugin->pre_filter;
}

static bool implements_filter(const char *name)
{
    const struct plugin *plugin = plugin_find(name);
    return plugin && plugin->filter;
}

static bool implements_score(const char *name)
{
    const struct plugin *plugin = plugin_find(name);
    return plugin && plugin->weight > 0;
}

static bool implements_preemption(const char *name)
{
    return strcmp(name, "DefaultPreemption") == 0;
}

struct plugin_list {
    const struct scheduler_plugin *items[2 * PLUGINS_MOST];
    uint32_t count;
};

static const struct scheduler_plugin *find_plugin(const struct scheduler_plugin *plugins,
                                                  uint32_t count, const char *name)
{
    for (uint32_t i = 0; i < count; i++)
        if (strcmp(plugins[i].name, name) == 0)
            return &plugins[i];
    return NULL;
}

static void list_add(struct plugin_list *list, const struct scheduler_plugin *plugin)
{
    if (list->count < sizeof(list->items) / sizeof(list->items[0]))
        list->items[list->count++] = plugin;
}

/* The plugins of one extension point, in order. */
static struct plugin_list expand(const struct scheduler_profile *settings,
                                 enum extension_point point, implements *has_point)
{
    const struct scheduler_plugin_set *own = &settings->plugins[point];
    const struct scheduler_plugin_set *multi = &settings->plugins[EXTENSION_MULTI_POINT];
    bool no_multi = find_plugin(own->disabled, own->disabled_count, "*") != NULL;
    struct plugin_list list = {.count = 0};
    for (uint32_t i = 0; i < own->enabled_count; i++)
        if (!no_multi && has_point(own->enabled[i].name) &&
            find_plugin(multi->enabled, multi->enabled_count, own->enabled[i].name))
            list_add(&list, &own->enabled[i]);
    for (uint32_t i = 0; !no_multi && i < multi->enabled_count; i++) {
        const char *name = multi->enabled[i].name;
        if (has_point(name) && !find_plugin(own->disabled, own->disabled_count, name) &&
            !find_plugin(own->enabled, own->enabled_count, name))
            list_add(&list, &multi->enabled[i]);
    }
    for (uint32_t i = 0; i < own->enabled_count; i++)
        if (has_point(own->enabled[i].name) &&
            (no_multi || !find_plugin(multi->enabled, multi->enabled_count, own->enabled[i].name)))
            list_add(&list, &own->enabled[i]);
    return list;
}

static const struct plugin **plugins_of(struct arena *arena, const struct plugin_list *list,
                                        uint32_t *count)
{
    const struct plugin **plugins = ARENA_ARRAY(arena, const struct plugin *, list->count + 1);
    for (uint32_t i = 0; i < list->count; i++)
        plugins[i] = plugin_find(list->items[i]->name);
    *count = list->count;
    return plugins;
}

static void resolve_profile(struct arena *arena, struct profile *profile,
                            const struct scheduler_profile *settings)
{
    profile->scheduler_name = settings->scheduler_name;
    profile->settings = settings;
    struct plugin_list pre_filters = expand(settings, EXTENSION_PRE_FILTER, implements_pre_filter);
    profile->pre_filters = plugins_of(arena, &pre_filters, &profile->pre_filter_count);
    struct plugin_list filters = expand(settings, EXTENSION_FILTER, implements_filter);
    profile->filters = plugins_of(arena, &filters, &profile->filter_count);
    struct plugin_list scores = expand(settings, EXTENSION_SCORE, implements_score);
    profile->scores = ARENA_ARRAY(arena, struct scored_plugin, scores.count + 1);
    for (uint32_t i = 0; i < scores.count; i++)
        profile->scores[profile->score_count++] = (struct scored_plugin){
            plugin_find(scores.items[i]->name),
            scores.items[i]->weight ? scores.items[i]->weight : 1,
        };
    profile->preempts = expand(settings, EXTENSION_POST_FILTER, implements_preemption).count > 0;
}

/* Plugins of the default configuration that the model leaves out without a
 * warning: they concern binding, sorting, or kinds of volumes that are not
 * modelled. */
static bool is_passed_over(const char *name)
{
    static const char *const names[] = {
        "PrioritySort",    "DefaultPreemption", "DefaultBinder",   "EBSLimits",
        "GCEPDLimits",     "NodeVolumeLimits",  "AzureDiskLimits", "CinderLimits",
        "SchedulingGates", "SelectorSpread",
    };
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return false;
}

static void warn_of_unknown(const struct scheduler_profile *settings, struct place place,
                            struct problems *problems)
{
    for (uint32_t point = 0; point < EXTENSION_POINT_COUNT; point++) {
        const struct scheduler_plugin_set *set = &settings->plugins[point];
        for (uint32_t i = 0; i < set->enabled_count; i++)
            if (!plugin_find(set->enabled[i].name) && !is_passed_over(set->enabled[i].name))
                problem_warning(problems, place, "profiles",
                                "plugin %s is not modelled: the scheduler of the model runs "
                                "without it",
                                set->enabled[i].name);
    }
}

struct profiles profiles_resolve(struct arena *arena,
                                 const struct scheduler_configuration *configuration,
                                 struct place place, struct problems *problems)
{
    struct profiles profiles = {0};
    profiles.items = ARENA_ARRAY(arena, struct profile, configuration->profile_count + 1);
    for (uint32_t i = 0; i < configuration->profile_count; i++) {
        const struct scheduler_profile *settings = &configuration->profiles[i];
        struct profile *profile = &profiles.items[profiles.count++];
        resolve_profile(arena, profile, settings);
        profile->percentage_of_nodes_to_score = configuration->percentage_of_nodes_to_score;
        if (settings->percentage_of_nodes_to_score.set)
            profile->percentage_of_nodes_to_score =
                (int32_t)settings->percentage_of_nodes_to_score.value;
        warn_of_unknown(settings, place, problems);
    }
    return profiles;
}

static struct resource_weights cpu_and_memory(struct arena *arena)
{
    struct resource_weight *weights = ARENA_ARRAY(arena, struct resource_weight, 2);
    weights[0] = (struct resource_weight){"cpu", 1};
    weights[1] = (struct resource_weight){"memory", 1};
    return (struct resource_weights){weights, 2};
}

struct profiles profiles_default(struct arena *arena)
{
    struct scheduler_profile *settings = ARENA_NEW(arena, struct scheduler_profile);
    settings->scheduler_name = default_name;
    struct scheduler_plugin_set *multi = &settings->plugins[EXTENSION_MULTI_POINT];
    multi->enabled = ARENA_ARRAY(arena, struct scheduler_plugin, PLUGINS_MOST + 1);
    for (uint32_t i = 0; plugin_registry[i]; i++)
        multi->enabled[multi->enabled_count++] =
            (struct scheduler_plugin){plugin_registry[i]->name, plugin_registry[i]->weight};
    multi->enabled[multi->enabled_count++] = (struct scheduler_plugin){"DefaultPreemption", 0};
    settings->node_resources_fit.resources = cpu_and_memory(arena);
    settings->balanced_allocation.resources = cpu_and_memory(arena);
    settings->inter_pod_affinity.hard_pod_affinity_weight = 1;
    settings->default_preemption = (struct default_preemption_arguments){10, 100};
    struct profiles profiles = {ARENA_NEW(arena, struct profile), 1};
    resolve_profile(arena, profiles.items, settings);
    return profiles;
}

const struct profile *profiles_find(const struct profiles *profiles, const char *scheduler_name)
{
    if (!scheduler_name)
        scheduler_name = default_name;
    for (uint32_t i = 0; i < profiles->count; i++)
        if (strcmp(profiles->items[i].scheduler_name, scheduler_name) == 0)
            return &profiles->items[i];
    return NULL;
}
