/* SPDX-License-Identifier: Apache-2.0 */
#include "decide/autoscaler/order_choices.h"

uint32_t order_choices_next(struct order_choices *choices, uint32_t count)
{
    if (count < 2)
        return 0;
    if (choices->next == choices->taken.count) {
        VEC_PUSH(choices->arena, &choices->taken, 0);
        VEC_PUSH(choices->arena, &choices->bounds, 0);
    }
    choices->bounds.items[choices->next] = count;
    return choices->taken.items[choices->next++];
}

bool order_choices_advance(struct order_choices *choices)
{
    while (choices->taken.count > 0) {
        const uint32_t last = choices->taken.count - 1;
        choices->next = 0;
        if (++choices->taken.items[last] < choices->bounds.items[last])
            return true;
        choices->taken.count--;
        choices->bounds.count--;
    }
    return false;
}
