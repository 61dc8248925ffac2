/* SPDX-License-Identifier: Apache-2.0 */
#include "setup/budget_words.h"

#include "base/arena.h"

static int64_t wanted(const struct pod_disruption_budget *budget, int64_t pods)
{
    if (!budget->max_unavailable.set)
        return budget->min_available.set ? int_or_percent_of(budget->min_available, pods, true) : 1;
    const int64_t rest = pods - int_or_percent_of(budget->max_unavailable, pods, true);
    return rest > 0 ? rest : 0;
}

int64_t budget_allows(const struct pod_disruption_budget *budget, int64_t pods)
{
    const int64_t allowed = pods - wanted(budget, pods);
    return allowed > 0 ? allowed : 0;
}

static const char *pods_words(struct arena *arena, int64_t pods)
{
    return arena_printf(arena, "%lld pod%s", (long long)pods, pods == 1 ? "" : "s");
}

/* "67% of 3 pods is 2.01, rounded up to 3" */
static const char *share_words(struct arena *arena, struct int_or_percent share, int64_t pods)
{
    const long long exact = (long long)share.value * pods;
    const char *of =
        arena_printf(arena, "%lld%% of %s is", (long long)share.value, pods_words(arena, pods));
    if (exact % 100 == 0)
        return arena_printf(arena, "%s %lld", of, exact / 100);
    return arena_printf(arena, "%s %lld.%02lld, rounded up to %lld", of, exact / 100, exact % 100,
                        (long long)int_or_percent_of(share, pods, true));
}

const char *budget_words(struct arena *arena, const struct pod_disruption_budget *budget,
                         int64_t pods)
{
    const long long allowed = (long long)budget_allows(budget, pods);
    const char *field = budget->max_unavailable.set ? "maxUnavailable" : "minAvailable";
    const struct int_or_percent value =
        budget->max_unavailable.set ? budget->max_unavailable : budget->min_available;
    const char *sum;
    if (!value.set)
        sum = arena_printf(arena, "minAvailable is 1 by default, of %s", pods_words(arena, pods));
    else if (value.percent)
        sum = arena_printf(arena, "%s %s", field, share_words(arena, value, pods));
    else
        sum = arena_printf(arena, "%s %lld of %s", field, (long long)value.value,
                           pods_words(arena, pods));
    return arena_printf(arena, "%s: %lld may be evicted", sum, allowed);
}

/* The fewest pods of which one may be evicted; 0: it allows nothing, however many there are. */
static int64_t fewest_allowed(const struct pod_disruption_budget *budget, int64_t pods)
{
    /* A percentage below 100 leaves one of a hundred. */
    const int64_t most = pods + 100;
    for (int64_t more = pods + 1; more <= most; more++)
        if (budget_allows(budget, more) > 0)
            return more;
    return 0;
}

const char *budget_remedy(struct arena *arena, const struct pod_disruption_budget *budget,
                          int64_t pods, const char *size_field)
{
    const char *unless = "maxUnavailable: 1, if the pod may be down while a node is drained";
    const int64_t enough = fewest_allowed(budget, pods);
    if (pods <= 1 && enough == 0)
        return unless;
    if (pods <= 1)
        return arena_printf(arena, "%s: %lld or more; or %s", size_field, (long long)enough,
                            unless);
    if (budget->max_unavailable.set)
        return "maxUnavailable: 1";
    return arena_printf(arena, "maxUnavailable: 1, or minAvailable: %lld", (long long)pods - 1);
}
