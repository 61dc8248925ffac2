/* SPDX-License-Identifier: Apache-2.0 */
#include "decide/autoscaler/drain_rules.h"

#include <string.h>

struct budget_list budgets_now(const struct cluster_autoscaler *autoscaler)
{
    const struct world_lists *lists = &autoscaler->lists;
    struct budget_list budgets = {
        ARENA_ARRAY(autoscaler->loop_arena, struct budget_allowance, lists->budgets.count + 1),
        lists->budgets.count};
    for (uint32_t i = 0; i < budgets.count; i++)
        budgets.items[i] = (struct budget_allowance){
            lists->budgets.items[i], lists->budgets.items[i]->status.disruptions_allowed};
    return budgets;
}

bool budget_selects(const struct pod_disruption_budget *budget, const struct autoscaler_pod *pod)
{
    return budget->selector && strcmp(budget->meta.namespace, pod->pod->meta.namespace) == 0 &&
           label_selector_matches(budget->selector, &pod->pod->meta.labels);
}

static int64_t count_selected(const struct pod_disruption_budget *budget, const pod_list *pods)
{
    int64_t count = 0;
    for (uint32_t i = 0; i < pods->count; i++)
        count += budget_selects(budget, pods->items[i]);
    return count;
}

bool budgets_are_exceeded(const struct budget_list *budgets, const pod_list *pods)
{
    for (uint32_t i = 0; i < budgets->count; i++) {
        const int64_t count = count_selected(budgets->items[i].budget, pods);
        if (count > 0 && count > budgets->items[i].allowed)
            return true;
    }
    return false;
}

void budgets_take(struct budget_list *budgets, const pod_list *pods)
{
    for (uint32_t i = 0; i < budgets->count; i++)
        budgets->items[i].allowed -= count_selected(budgets->items[i].budget, pods);
}
