/* SPDX-License-Identifier: Apache-2.0 */
#include "report/controller_parts.h"

const char *controller_intent_label(struct arena *arena, const struct judged_intent *intent)
{
    return intent->is_esr ? arena_printf(arena, "esr (%s)", intent->resource) : intent->name;
}

const char *controller_intent_kind(const struct judged_intent *intent)
{
    if (!intent->is_esr)
        return "safety";
    return intent->stability ? "stability" : "progress";
}

const char *controller_intent_meaning(const struct judged_intent *intent)
{
    if (!intent->is_esr)
        return "a step breaks it";
    return intent->stability ? "its desired state no longer changes, and it is left again and again"
                             : "its desired state no longer changes, and it is never reached";
}

void controller_write_steps(const struct controller_run *run, struct text *text)
{
    int width = 1;
    for (uint32_t n = run->count; n >= 10; n /= 10)
        width++;
    for (uint32_t i = 0; i < run->count; i++) {
        const struct controller_step *step = &run->steps[i];
        if (run->loops && !run->loop_rests && i == run->loop_from)
            text_printf(text, "    %*s  from here it repeats for ever:\n", width, "");
        text_printf(text, "    %*u. %s%s\n", width, i + 1,
                    step->is_user    ? "event: "
                    : step->is_fault ? "fault: "
                                     : "",
                    step->detail);
    }
    if (run->loops && run->loop_rests)
        text_printf(text, "    %*s  and there it stays: nothing has to happen any more\n", width,
                    "");
    else if (run->loops)
        text_printf(text, "    %*s  and again from step %u\n", width, "", run->loop_from + 1);
}
