/* SPDX-License-Identifier: Apache-2.0 */
/* What the report says of violations: the first of each intent, and how many setups have one. */
#include "verify/verify_internal.h"

void keep_violations(struct run *run, const struct setup *setup, struct setup_outcome *outcome)
{
    for (uint32_t i = 0; i < run->intent_count; i++) {
        struct verify_result *result = &run->report->results[i];
        if (!(outcome->violated >> i & 1))
            continue;
        if (result->verdict != VERDICT_VIOLATED) {
            const struct verify_result *told = &outcome->results[i];
            *result = (struct verify_result){
                .intent = &run->intents[i],
                .verdict = VERDICT_VIOLATED,
                .setup = setup,
                .asked = told->asked,
                .initial = told->initial,
                .reductions = told->reductions,
                .nodes = told->nodes,
                .steps = told->steps,
                .step_count = told->step_count,
                .causes = told->causes,
                .start = told->start,
                .picture = told->picture,
                .values = told->values,
                .loops = told->loops,
                .loop_from = told->loop_from,
                .rests = told->rests,
                .whose = told->whose,
                .unconfirmed = told->unconfirmed,
                .searched = told->searched,
                .costs = told->costs,
                .cost_count = told->cost_count,
            };
        }
        result->violations++;
    }
}
