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

long long describe_cpu_milli(const struct worker *worker, const struct class_info *info)
{
    return revision_workload(worker->population, info->revision)->levels[info->level].cpu_milli;
}

void describe_pods(struct worker *worker, const struct node_config *config, struct text *text)
{
    static const char *const stages[] = {" starting", "", " terminating", " bound", " waiting"};
    if (config_entry_count(config) == 0)
        text_append_string(text, "empty");
    for (uint32_t p = 0; p < config_entry_count(config); p++) {
        const struct class_info *info = class_info(worker, config->pods[p].pod);
        const struct revision *revision = class_revision(worker, config->pods[p].pod);
        if (revision->ordinal >= 0)
            text_printf(text, "%s%s%s", p ? ", " : "", revision->pod->meta.name,
                        stages[info->stage]);
        else
            text_printf(text, "%s%u %s%s", p ? ", " : "", config->pods[p].count,
                        revision->owner_meta->name, stages[info->stage]);
        if (info->level > 0 && info->stage == STAGE_READY)
            text_printf(text, " using %lldm", describe_cpu_milli(worker, info));
    }
}
