/* SPDX-License-Identifier: Apache-2.0 */
#include "decide/scheduler/plugin_reads.h"

#include "decide/scheduler/plugin.h"
#include "object/workload.h"

void plugin_reads_incoming(const struct plugin *plugin, struct reads *reads,
                           const struct pod_spec *spec)
{
    if (!plugin->reads)
        reads_everything(reads);
    else if (plugin->reads->of_incoming)
        plugin->reads->of_incoming(reads, spec);
}

bool plugin_looks_at(const struct plugin *plugin, struct catalog *catalog, const struct pod *own,
                     const struct pod *other)
{
    return !plugin->reads ||
           (plugin->reads->looks_at && plugin->reads->looks_at(catalog, own, other));
}

void scheduler_reads_incoming(struct reads *reads, const struct pod_spec *spec)
{
    for (uint32_t i = 0; plugin_registry[i]; i++)
        plugin_reads_incoming(plugin_registry[i], reads, spec);
}

void scheduler_reads_placed(struct reads *reads, const struct pod_spec *spec)
{
    for (uint32_t i = 0; plugin_registry[i]; i++) {
        const struct plugin_reads *of = plugin_registry[i]->reads;
        if (of && of->of_placed)
            of->of_placed(reads, spec);
    }
}

void scheduler_reads_object(struct reads *reads, const struct object *object)
{
    for (uint32_t i = 0; plugin_registry[i]; i++) {
        const struct plugin_reads *of = plugin_registry[i]->reads;
        if (of && of->of_object)
            of->of_object(reads, object);
    }
}

void scheduler_reads_configuration(struct reads *reads,
                                   const struct scheduler_configuration *configuration)
{
    for (uint32_t i = 0; plugin_registry[i]; i++) {
        const struct plugin_reads *of = plugin_registry[i]->reads;
        for (uint32_t p = 0; of && of->of_profile && p < configuration->profile_count; p++)
            of->of_profile(reads, &configuration->profiles[p]);
    }
}

const char *scheduler_looks_by(struct catalog *catalog, const struct pod *own,
                               const struct pod *other)
{
    for (uint32_t i = 0; plugin_registry[i]; i++)
        if (plugin_looks_at(plugin_registry[i], catalog, own, other))
            return plugin_registry[i]->name;
    return NULL;
}

bool scheduler_looks_at(struct catalog *catalog, const struct pod *own, const struct pod *other)
{
    return scheduler_looks_by(catalog, own, other) != NULL;
}

uint32_t scheduler_reads_pods_by(void)
{
    uint32_t parts = 0;
    for (uint32_t i = 0; plugin_registry[i]; i++)
        parts |= plugin_registry[i]->reads ? plugin_registry[i]->reads->pods_by : UINT32_MAX;
    return parts;
}

/* ---- mentions ---- */

/* A spec is read as that of a pod that is not placed yet: the node that the pod is
 * on is no mention. */
static void mention_spec(struct reads *reads, const struct pod_spec *spec)
{
    struct pod_spec anywhere = *spec;
    anywhere.node_name = NULL;
    scheduler_reads_incoming(reads, &anywhere);
}

static void mention_pod(struct reads *reads, const struct pod *pod)
{
    if (!pod->spec.node_name)
        reads_node_name(reads, pod->status.nominated_node_name);
    mention_spec(reads, &pod->spec);
}

static void mention_object(struct reads *reads, const struct object *object)
{
    const struct pod_template *template = object_pod_template(object);
    if (template)
        mention_spec(reads, &template->spec);
    else if (object->kind == OBJECT_POD)
        mention_pod(reads, object->as.pod);
    else if (object->kind == OBJECT_SCHEDULER_CONFIGURATION)
        scheduler_reads_configuration(reads, object->as.scheduler_configuration);
    else
        scheduler_reads_object(reads, object);
}

void scheduler_mentions(struct node_mentions *mentions, struct arena *arena,
                        const struct objects *objects, const struct pod *incoming)
{
    struct reads reads;
    reads_init(&reads, arena);
    for (uint32_t i = 0; i < objects->count; i++)
        mention_object(&reads, &objects->items[i]);
    if (incoming) {
        reads_node_name(&reads, incoming->spec.node_name);
        mention_pod(&reads, incoming);
    }
    *mentions = reads.mentions;
}
