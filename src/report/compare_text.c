/* SPDX-License-Identifier: Apache-2.0 */
/* `fathom diff`, for people and for programs. */
#include "report/compare_report.h"
#include "report/formats.h"
#include "report/report.h"

#include <inttypes.h>
#include <string.h>

enum verdict comparisons_verdict(const struct comparisons *comparisons)
{
    enum verdict verdict = VERDICT_HOLDS;
    for (uint32_t i = 0; i < comparisons->count; i++) {
        const struct comparison *of = comparisons->items[i].comparison;
        if (!of || of->verdict == COMPARE_DIFFERENT)
            return VERDICT_VIOLATED;
        if (of->verdict == COMPARE_UNKNOWN)
            verdict = VERDICT_UNDECIDED;
    }
    return verdict;
}

static const char *verdict_of(const struct verify_result *result)
{
    return result ? verdict_name(result->verdict) : "not asked";
}

static bool flips(const struct compared_intent *pair)
{
    return !pair->old || !pair->new || pair->old->verdict != pair->new->verdict;
}

/* The run of the side on which the intent is violated. */
static void write_run(struct arena *arena, const struct comparison *of,
                      const struct compared_intent *pair, struct text *text)
{
    const bool appears = pair->new && pair->new->verdict == VERDICT_VIOLATED;
    const struct verify_result *result = appears ? pair->new : pair->old;
    const struct scope *scope = appears ? &of->new.plan->scope : &of->old.plan->scope;
    if (!result || result->verdict != VERDICT_VIOLATED)
        return;
    text_printf(text, "    %s with %s:\n",
                appears ? "violated from now on" : "not violated any more",
                report_scale(arena, scope, result->setup));
    report_write_steps(arena, result, "      ", text);
}

static void write_intents(struct arena *arena, const struct comparison *of, struct text *text)
{
    for (uint32_t i = 0; i < of->intents.count; i++) {
        const struct compared_intent *pair = &of->intents.items[i];
        const struct verify_result *any = pair->new ? pair->new : pair->old;
        text_printf(text, "  %s: %s", report_intent_label(arena, any->intent),
                    verdict_of(pair->old));
        if (!flips(pair)) {
            text_append_string(text, ", as before\n");
            continue;
        }
        text_printf(text, " -> %s\n", verdict_of(pair->new));
        write_run(arena, of, pair, text);
    }
}

static void write_steps(struct text *text, uint32_t steps)
{
    if (steps == UINT32_MAX)
        text_append_string(text, "never");
    else
        text_printf(text, "%u", steps);
}

static void write_states(struct arena *arena, const struct comparison *of, struct text *text)
{
    if (!of->setup)
        return;
    text_printf(text, "  with %s: %" PRIu64 " states -> %" PRIu64 " states\n",
                report_scale(arena, &of->new.plan->scope, of->new_setup), of->old_states,
                of->new_states);
    for (uint32_t i = 0; i < of->ready.count; i++) {
        const struct compared_ready *ready = &of->ready.items[i];
        text_printf(text, "  %s: at most %u ready -> %u; longest way back to all ready, in steps: ",
                    ready->workload, ready->old_most, ready->new_most);
        write_steps(text, ready->old_steps);
        text_append_string(text, " -> ");
        write_steps(text, ready->new_steps);
        text_append_string(text, "\n");
    }
    if (of->appear_count > 0)
        text_printf(text, "  possible from now on (%u):\n", of->appear_count);
    for (uint32_t i = 0; i < of->appear.count; i++)
        text_printf(text, "    %s\n", of->appear.items[i]);
    if (of->vanish_count > 0)
        text_printf(text, "  not possible any more (%u):\n", of->vanish_count);
    for (uint32_t i = 0; i < of->vanish.count; i++)
        text_printf(text, "    %s\n", of->vanish.items[i]);
}

static void write_verdict(const struct comparison *of, struct text *text)
{
    if (of->verdict == COMPARE_UNKNOWN)
        text_printf(text, "  not known to be equal: %s; %u of %u setups are equal\n", of->unknown,
                    of->setups_equal, of->setup_count);
    else if (of->verdict == COMPARE_DIFFERENT)
        text_append_string(text, "  the behaviour differs\n");
    else if (of->same_objects)
        text_append_string(text, "  no behavioural difference: the documents are the same\n");
    else
        text_printf(text,
                    "  no behavioural difference: the states and steps of all %u setups are the "
                    "same, up to names\n",
                    of->setup_count);
    for (uint32_t i = 0; of->verdict == COMPARE_EQUAL && i < of->left_out.count; i++)
        text_printf(text, "  Premise: %s\n", of->left_out.items[i]);
}

static void write_one(struct arena *arena, const struct compared *item, struct text *text)
{
    const struct comparison *of = item->comparison;
    if (!of) {
        text_printf(text, "%s: only in %s\n", item->old_name ? item->old_name : item->new_name,
                    item->old_name ? "OLD" : "NEW");
        return;
    }
    text_printf(text, "%s -> %s\n", item->old_name, item->new_name);
    write_intents(arena, of, text);
    if (of->scopes_differ)
        text_append_string(text, "  there are other workloads or other groups of nodes\n");
    if (of->sizes_differ)
        text_append_string(text, "  there are other sizes\n");
    write_states(arena, of, text);
    write_verdict(of, text);
}

void comparisons_write_text(const struct writer_context *how, const struct comparisons *comparisons,
                            struct text *text)
{
    for (uint32_t i = 0; i < comparisons->count; i++)
        write_one(how->arena, &comparisons->items[i], text);
}
