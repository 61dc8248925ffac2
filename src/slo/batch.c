/* SPDX-License-Identifier: Apache-2.0 */
#include "slo/batch.h"

#include "slo/published.h"

bool slo_answer_line(struct arena *arena, const struct value *scenario,
                     const struct slo_limits *limits, enum verdict *verdict, struct json_out *json,
                     struct problems *problems)
{
    struct slo_service service;
    if (!published_read(arena, scenario, &service, problems))
        return false;
    const struct slo_verdict found = slo_judge(&service, true, limits, arena->memory);
    *verdict = found.verdict;
    json_object_begin(json, "result");
    json_string(json, "verdict", verdict_name(found.verdict));
    if (found.verdict == VERDICT_UNDECIDED) {
        json_string(json, "limit", explore_reason_text(found.reason));
    } else {
        if (found.second > 0)
            json_unsigned(json, "violationAtSecond", found.second);
        else
            json_null(json, "violationAtSecond");
        json_unsigned(json, "states", found.states);
    }
    json_object_end(json);
    return true;
}
