/* SPDX-License-Identifier: Apache-2.0 */
#include "report/controller_parts.h"

#include "report/report.h"

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

static const char *operation_words(struct arena *arena, const struct environment_options *options,
                                   uint32_t at)
{
    static const char *const verbs[] = {"create", "update", "delete"};
    const struct script_operation *operation = &options->script[at];
    return arena_printf(arena, "operation %u (%s %s/%s/%s)", at + 1, verbs[operation->verb],
                        operation->key.kind, operation->key.name_space, operation->key.name);
}

static void append_part(struct arena *arena, const char **list, const char *part)
{
    *list = **list ? arena_printf(arena, "%s, %s", *list, part) : part;
}

const char *controller_slice_words(struct arena *arena, const struct environment_options *options,
                                   const struct cause_slice *slice)
{
    const char *list = "";
    for (uint32_t i = 0; i < options->script_count; i++)
        if (slice->operations[i])
            append_part(arena, &list, operation_words(arena, options, i));
    if (slice->crashes > 0)
        append_part(arena, &list,
                    slice->crashes == 1 ? "1 crash"
                                        : arena_printf(arena, "%u crashes", slice->crashes));
    if (slice->failures > 0)
        append_part(arena, &list, count_words(arena, slice->failures, "failed request"));
    if (slice->stale_reads > 0)
        append_part(arena, &list, count_words(arena, slice->stale_reads, "stale read"));
    return list;
}
