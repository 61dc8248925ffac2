/* SPDX-License-Identifier: Apache-2.0 */
/* The modes that do not store states; none is offered yet. */
#include "explore/explore_internal.h"

void lossy_run(struct search *search)
{
    limits_end(&search->limits, EXPLORE_UNSUPPORTED);
    for (uint32_t i = 0; i < search->result->property_count; i++)
        search->result->properties[i].reason = EXPLORE_UNSUPPORTED;
}
