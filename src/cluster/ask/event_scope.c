/* SPDX-License-Identifier: Apache-2.0 */
/* Which nodes an event concerns, and which objects an event has deleted. */
#include "cluster/ask/event_scope.h"
#include "cluster/event_type.h"
#include "cluster/state/events.h"
#include "cluster/state/nodes.h"
#include "cluster/state/population_model.h"
#include "cluster/state/state.h"
#include "cluster/state/worker.h"

#include <string.h>

bool event_concerns(struct worker *worker, const struct population_event *event, uint32_t config)
{
    const struct check_event *source = event->event;
    const struct node_template *template = config_at(worker, config)->template;
    const uint32_t group = worker->population->templates.items[template->id].group;
    if (source->group && strcmp(worker->population->scope->groups[group].name, source->group) != 0)
        return false;
    return !source->node ||
           (!template->anonymous && strcmp(template->node->meta.name, source->node) == 0);
}

/* "web-*" stands for all that begin with "web-". The names of pods are known up
 * to what their controller makes up; in place of that is a star. */
bool name_matches(const char *pattern, const char *name)
{
    const size_t length = strcspn(pattern, "*");
    return pattern[length] == '*' ? strncmp(pattern, name, length) == 0
                                  : strcmp(pattern, name) == 0;
}

bool object_is_deleted(const struct population *population, const struct state *state,
                       const char *kind, const struct object_meta *meta)
{
    for (uint32_t e = 0; population->deletes && e < population->events.count; e++)
        if (population->events.items[e].type->deletes_object && state->event_used[e] > 0 &&
            object_name_means(&population->events.items[e].event->object, kind, meta))
            return true;
    return false;
}
