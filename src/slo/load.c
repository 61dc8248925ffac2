/* SPDX-License-Identifier: Apache-2.0 */
#include "slo/slo.h"

#include <assert.h>

bool slo_load_build(struct arena *arena, const struct slo_phase *phases, uint32_t count,
                    uint32_t loop_to, struct slo_load *load)
{
    uint64_t total = 0;
    assert(loop_to < count);
    for (uint32_t i = 0; i < count; i++)
        total += phases[i].seconds;
    if (total == 0 || total > SLO_POSITIONS_MOST)
        return false;
    *load = (struct slo_load){
        .rates = ARENA_ARRAY(arena, uint32_t, total),
        .low = ARENA_ARRAY(arena, bool, total),
        .positions = (uint32_t)total,
        .rise = UINT32_MAX,
        .fall = UINT32_MAX,
    };
    uint32_t position = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (i == loop_to)
            load->loop_to = position;
        for (uint32_t second = 0; second < phases[i].seconds; second++, position++) {
            load->rates[position] = phases[i].rate;
            load->low[position] = phases[i].low;
        }
    }
    return true;
}

uint32_t slo_load_peak(const struct slo_load *load)
{
    uint32_t peak = 0;
    for (uint32_t i = 0; i < load->positions; i++)
        peak = load->rates[i] > peak ? load->rates[i] : peak;
    return peak;
}
