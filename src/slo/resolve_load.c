/* SPDX-License-Identifier: Apache-2.0 */
#include "slo/resolve_parts.h"

#define NS_PER_SECOND INT64_C(1000000000)

static bool resolve_envelope(const struct slo_resolving *resolving,
                             const struct service_load *given, struct slo_load *load)
{
    const uint32_t count = given->envelope_count;
    struct slo_phase *phases = ARENA_ARRAY(resolving->arena, struct slo_phase, count);
    for (uint32_t i = 0; i < count; i++) {
        const int64_t from = given->envelope[i].from_ns;
        /* The last phase lasts for ever: it is one second that repeats. */
        int64_t to = from + NS_PER_SECOND;
        if (i + 1 < count)
            to = given->envelope[i + 1].from_ns;
        else if (given->repeat_every_ns > 0)
            to = given->repeat_every_ns;
        phases[i] = (struct slo_phase){.rate = (uint32_t)given->envelope[i].most,
                                       .seconds = (uint32_t)((to - from) / NS_PER_SECOND),
                                       .low = true};
    }
    return slo_load_build(resolving->arena, phases, count,
                          given->repeat_every_ns > 0 ? 0 : count - 1, load);
}

bool slo_resolve_load(const struct slo_resolving *resolving, struct slo_load *load)
{
    const struct service_load *given = &resolving->object->as.service_objective->load;
    bool fits;
    if (given->constant) {
        const struct slo_phase phase = {(uint32_t)given->constant->most, 1, true};
        fits = slo_load_build(resolving->arena, &phase, 1, 0, load);
    } else if (given->wave) {
        const struct slo_phase phases[] = {
            {(uint32_t)given->wave->high, (uint32_t)(given->wave->high_for_ns / NS_PER_SECOND),
             false},
            {(uint32_t)given->wave->low, (uint32_t)(given->wave->low_for_ns / NS_PER_SECOND), true},
        };
        fits = slo_load_build(resolving->arena, phases, 2, 0, load);
    } else {
        fits = resolve_envelope(resolving, given, load);
    }
    if (!fits) {
        slo_resolve_error(resolving, "spec.load", "expected a load of at most %d seconds",
                          SLO_POSITIONS_MOST);
        return false;
    }
    if (given->ramp && given->ramp->increase.set)
        load->rise = (uint32_t)given->ramp->increase.value;
    if (given->ramp && given->ramp->decrease.set)
        load->fall = (uint32_t)given->ramp->decrease.value;
    return true;
}
