/* SPDX-License-Identifier: Apache-2.0 */
#include "verify/turn_examples.h"

#include "cluster/intent/registry.h"
#include "cluster/intent_class.h"

static enum verdict turned(enum verdict verdict)
{
    return verdict == VERDICT_VIOLATED ? VERDICT_HOLDS
           : verdict == VERDICT_HOLDS  ? VERDICT_VIOLATED
                                       : verdict;
}

/* Without a run there is nothing to show but the largest setup that has none. */
static void turn(struct verify_report *report, struct verify_result *result)
{
    result->verdict = turned(result->verdict);
    if (result->verdict == VERDICT_VIOLATED) {
        result->setup = &report->setups.items[report->setups.count - 1];
        result->whose = UINT32_MAX;
    }
    result->violations = report->setups_explored - result->violations;
}

void turn_examples(struct verify_report *report)
{
    for (uint32_t i = 0; i < report->result_count; i++) {
        if (!intent_class_of(report->results[i].intent)->asks_for_example ||
            report->setups.count == 0)
            continue;
        turn(report, &report->results[i]);
        for (uint64_t s = 0; report->verdicts && s < report->setups_explored; s++) {
            uint8_t *verdict = &report->verdicts[s * report->result_count + i];
            *verdict = (uint8_t)turned((enum verdict) * verdict);
        }
    }
}
