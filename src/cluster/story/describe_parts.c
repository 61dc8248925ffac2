/* SPDX-License-Identifier: Apache-2.0 */
/* Nodes and the pods on them, in words. */
#include "cluster/story/describe_parts.h"
#include "base/text.h"
#include "cluster/state/configs.h"
#include "cluster/state/nodes.h"
#include "cluster/state/population_model.h"
#include "cluster/state/worker.h"
#include "cluster/state/workloads.h"

const char *describe_node_name(struct worker *worker, uint32_t config)
{
    const struct node_template *template = config_at(worker, config)->template;
    if (!template->anonymous)
        return template->node->meta.name;
    return worker->population->scope->groups[config_template(worker, config)->group].name;
}

const char *describe_node(struct worker *worker, uint32_t config)
{
    return arena_printf(&worker->scratch,
                        config_at(worker, config)->template->anonymous ? "a node of group %s"
                                                                       : "node %s",
                        describe_node_name(worker, config));
}

long long describe_cpu_milli(const struct worker *worker, uint32_t class)
{
    const struct class_info *info = class_info(worker, class);
    return revision_workload(worker->population, info->revision)->levels[info->level].cpu_milli;
}

const char *describe_pods(struct worker *worker, uint32_t config)
{
    static const char *const stages[] = {" starting", "", " terminating", " bound", " waiting"};
    const struct node_config *node = config_at(worker, config);
    struct text text;
    text_init(&text, worker->arena.memory);
    for (uint32_t p = 0; p < config_entry_count(node); p++) {
        const struct class_info *info = class_info(worker, node->pods[p].pod);
        const struct revision *revision = class_revision(worker, node->pods[p].pod);
        text_append_string(&text, p ? ", " : "");
        if (revision->ordinal >= 0)
            text_append_string(&text, revision->pod->meta.name);
        else
            text_printf(&text, "%u %s", node->pods[p].count, revision->owner_meta->name);
        text_append_string(&text, stages[info->stage]);
        if (info->level > 0 && info->stage == STAGE_READY)
            text_printf(&text, " using %lldm", describe_cpu_milli(worker, node->pods[p].pod));
    }
    return config_entry_count(node) > 0 ? text_keep(&text, &worker->scratch) : "empty";
}
