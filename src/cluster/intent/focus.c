/* SPDX-License-Identifier: Apache-2.0 */
#include "cluster/intent/focus.h"
#include "cluster/state/state.h"

bool is_out_of_focus(const struct population_state *state, uint32_t workload)
{
    return state->focus > 0 && workload + 1 != state->focus;
}
