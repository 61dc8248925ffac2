/* SPDX-License-Identifier: Apache-2.0 */
#include "cluster/intent/expression_times.h"

#include "cluster/state/actions.h"
#include "cluster/state/happening.h"

bool intent_is_timed(const struct check_intent *source)
{
    return source->after_ns > 0 || source->within_ns > 0;
}

/* From this age on nothing changes. */
static uint32_t last_age(const struct intent *intent)
{
    return intent->within > 0 ? intent->within + 1 : intent->after;
}

void intent_age_pass(const struct judged *judged, uint32_t *age)
{
    const uint32_t most = last_age(judged->intent);
    if (!judged->happening || judged->happening->action != ACT_TIME)
        return;
    *age = judged->happening->amount < most - *age ? *age + judged->happening->amount : most;
}

bool intent_age_is_early(const struct intent *intent, uint32_t age)
{
    /* The first state is judged before it is known how long a tick is. */
    return age < intent->after || (age == 0 && intent->source->after_ns > 0);
}

bool intent_age_is_late(const struct intent *intent, uint32_t age)
{
    return intent->within > 0 && age > intent->within;
}

uint32_t intent_age_until_due(const struct intent *intent, uint32_t age)
{
    if (intent_age_is_early(intent, age))
        return intent->after - age;
    return age < last_age(intent) ? last_age(intent) - age : UINT32_MAX;
}
