/* SPDX-License-Identifier: Apache-2.0 */
#include "cluster/story/step_deed.h"

#include "cluster/state/actions.h"
#include "cluster/state/population_model.h"
#include "cluster/state/state.h"
#include "cluster/state/worker.h"
#include "cluster/story/story_internal.h"
#include "cluster/story/words.h"

static unsigned change_between(int32_t from, int32_t to)
{
    /* A ReplicaSet that is not there yet has a negative number. */
    const int32_t before = from < 0 ? 0 : from;
    const int32_t after = to < 0 ? 0 : to;
    return after > before ? DEED_RAISES : after < before ? DEED_LOWERS : 0;
}

/* What becomes of the numbers of the workload. */
static unsigned changes_of(const struct story_telling *telling, uint32_t workload)
{
    const struct population *population = telling->population;
    unsigned changes =
        change_between(telling->from->replicas[workload], telling->to->replicas[workload]);
    for (uint32_t r = 0; r < population->revisions.count; r++)
        if (population->revisions.items[r].workload == workload)
            changes |=
                change_between(telling->from->sets[r].replicas, telling->to->sets[r].replicas);
    return changes;
}

struct step_deed step_deed_tell(const struct story_telling *telling)
{
    const struct population *population = telling->population;
    struct step_deed deed = {.action = telling->step->action, .workload = UINT32_MAX};
    if (telling->revision && telling->revision->workload < population->managed_count)
        deed.workload = telling->revision->workload;
    for (uint32_t w = 0; w < population->managed_count; w++) {
        const unsigned changes = changes_of(telling, w);
        if (changes && deed.workload == UINT32_MAX)
            deed.workload = w;
        if (deed.workload == w)
            deed.changes |= changes;
    }
    return deed;
}

struct step_deed step_deed_of(struct worker *worker, const uint32_t *words, uint32_t length,
                              const struct step *step)
{
    const struct arena_mark mark = arena_mark(&worker->scratch);
    const struct story_telling telling = words_telling(worker, words, length, step);
    const struct step_deed deed = step_deed_tell(&telling);
    arena_rewind(&worker->scratch, mark);
    return deed;
}

bool step_deed_is_done(const struct step_deed *deed)
{
    return !action_has((enum population_action)deed->action,
                       IS_EVENT | IS_IDLE | IS_QUIET | IS_PATTERN);
}

bool step_deed_brings_pods(const struct step_deed *deed)
{
    return action_has((enum population_action)deed->action, MAKES_PODS | BRINGS_PODS);
}

bool step_deed_takes_away(const struct step_deed *deed)
{
    return (deed->changes & DEED_LOWERS) != 0 ||
           action_has((enum population_action)deed->action, TAKES_AWAY | EVICTS_PODS | IS_MISHAP);
}

bool step_deed_is_mishap(const struct step_deed *deed)
{
    return action_has((enum population_action)deed->action, IS_MISHAP);
}
