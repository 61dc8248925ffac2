/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/asker.h"
#include "cli/verify_one.h"

void asker_run(struct asker *asker, const struct verify_plan *plan, uint64_t states_most,
               struct verify_report *found)
{
    struct verify_options options = asker->options;
    if (!asker->limited)
        options.states_most = states_most;
    verify_one(asker->session, asker->settings, plan, &options, found);
    if (asker->limited) {
        asker->options.states_most = options.states_most;
        asker->options.time_most_ms = options.time_most_ms;
    }
}
