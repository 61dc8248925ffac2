/* SPDX-License-Identifier: Apache-2.0 */
/* What is known of each workload, how that was decided, and what is in the way of the rest. */
#include "report/parts_words.h"
#include "report/report.h"

#include <string.h>

/* Lists end where people stop reading. */
enum { LISTED_MOST = 8 };

static const char *add(struct arena *arena, const char *list, const char *item)
{
    return *list ? arena_printf(arena, "%s, %s", list, item) : item;
}

const char *report_workload_name(const struct scope *scope, uint32_t workload)
{
    return workload < scope->workload_count ? scope->workloads[workload].name
                                            : "pods without a controller";
}

/* ---- how it was decided ---- */

/* Why what the others do makes no difference. What holds although others take all room, and what
 * holds because they cannot, may be several intents, or one for several workloads. */
static const char *reason_words(struct arena *arena, unsigned reasons)
{
    const bool needs_room = reasons & (REASON_ROOM | REASON_PASSING_ROOM);
    const char *room = reasons & REASON_PASSING_ROOM
                           ? "they can fill all nodes that a pod fits on only for a while"
                       : needs_room ? "they cannot fill all nodes that a pod fits on"
                       : reasons & REASON_LASTING_ROOM
                           ? "the intents hold even if they fill all nodes that a pod fits on"
                           : "the intents hold whatever they do";
    const char *but = needs_room && reasons & REASON_LASTING_ROOM
                          ? ", except where the intents do not depend on it"
                          : "";
    const char *leave =
        reasons & REASON_LEAVING ? ", and they leave every node that is drained" : "";
    const char *quotas =
        reasons & REASON_QUOTAS ? ", and the quotas that they share have enough for all" : "";
    return arena_printf(arena, "%s%s%s%s", room, but, leave, quotas);
}

const char *report_decided_by(struct arena *arena, const struct report *report)
{
    const struct verify_report *found = report->found;
    const uint32_t workloads = report->scope->workload_count;
    const char *list = "";
    uint32_t count = 0;
    for (uint32_t i = 0; i < found->result_count; i++)
        if (found->by_components >> i & 1) {
            list = add(arena, list, report_intent_label(arena, found->results[i].intent));
            count++;
        }
    const bool all = count == found->result_count;
    /* There are no others: it need not be said which node has which pods. */
    if (found->components == 1)
        return arena_printf(arena, "%s by a model that need not say on which node each pod is",
                            all ? "everything" : list);
    const char *parts = found->components == workloads
                            ? arena_printf(arena, "each of %u workloads by itself", workloads)
                            : arena_printf(arena, "%u workloads in %u groups, each by itself",
                                           workloads, found->components);
    return arena_printf(arena, "%s; what the others do makes no difference, because %s%s%s%s",
                        parts, reason_words(arena, found->part_reasons), all ? "" : " (",
                        all ? "" : list, all ? "" : ")");
}

/* ---- what is known of each workload ---- */

bool report_knows_workloads(const struct report *report, uint32_t intent)
{
    const struct verify_result *result = &report->found->results[intent];
    const struct parts *parts = report->found->parts;
    if (result->intent->workload.name || result->verdict == VERDICT_HOLDS || !parts)
        return false;
    for (uint32_t p = 0; p < parts->count; p++)
        if (parts->items[p].asked >> intent & 1)
            return true;
    return false;
}

enum verdict report_part_verdict(const struct decided_part *part, uint32_t intent)
{
    return part->violated >> intent & 1     ? VERDICT_VIOLATED
           : part_holds(part) >> intent & 1 ? VERDICT_HOLDS
                                            : VERDICT_UNDECIDED;
}

/* The workloads with this verdict, and their number. */
static const char *list_workloads(struct arena *arena, const struct report *report, uint32_t intent,
                                  enum verdict verdict, uint32_t *count)
{
    const struct parts *parts = report->found->parts;
    const char *list = "";
    *count = 0;
    for (uint32_t p = 0; p < parts->count; p++)
        for (uint32_t w = 0; w < parts->items[p].workload_count; w++)
            if (report_part_verdict(&parts->items[p], intent) == verdict &&
                (*count)++ < LISTED_MOST)
                list = add(arena, list,
                           report_workload_name(report->scope, parts->items[p].workloads[w]));
    return *count > LISTED_MOST ? arena_printf(arena, "%s and %u more", list, *count - LISTED_MOST)
                                : list;
}

/* With several setups the words are about one of them. */
static const char *in_hand(struct arena *arena, const struct report *report)
{
    const struct verify_report *found = report->found;
    if (found->setups.count < 2 || found->setups_explored >= found->setups.count)
        return "";
    const struct setup *setup = &found->setups.items[found->setups_explored];
    return arena_printf(arena, " with %s and %s",
                        count_words(arena, (uint64_t)setup->total_nodes, "node"),
                        count_words(arena, (uint64_t)setup->total_pods, "pod"));
}

/* "Deployment/shop/cart", "Deployment/shop/cart with Deployment/shop/db" */
const char *report_part_name(struct arena *arena, const struct scope *scope,
                             const struct decided_part *part)
{
    enum { NAMED_MOST = 3 };
    const char *name = report_workload_name(scope, part->workloads[0]);
    for (uint32_t w = 1; w < part->workload_count && part->workload_count <= NAMED_MOST; w++)
        name = arena_printf(arena, "%s%s%s", name, w == 1 ? " with " : " and ",
                            report_workload_name(scope, part->workloads[w]));
    return part->workload_count > NAMED_MOST
               ? arena_printf(arena, "%s with %u others", name, part->workload_count - 1)
               : name;
}

/* What couples the workloads of the part, as far as people read. */
static const char *coupled_by(struct arena *arena, const struct report *report,
                              const struct decided_part *part)
{
    const struct parts *parts = report->found->parts;
    const char *list = "";
    uint32_t count = 0;
    for (uint32_t c = 0; c < parts->coupling_count && count < LISTED_MOST; c++) {
        const struct coupled *coupled = &parts->couplings[c];
        const struct arena_mark mark = arena_mark(arena);
        if (part && parts_find(parts, coupled->one) != part)
            continue;
        const char *words = coupling_words(arena, coupled);
        /* One object often couples many, and this is asked for each of thousands. */
        if (strstr(list, words)) {
            arena_rewind(arena, mark);
            continue;
        }
        list = add(arena, list, words);
        count++;
    }
    return list;
}

/* Then nobody knows whether there are too many states. */
static bool ended_from_outside(enum explore_reason reason)
{
    return reason == EXPLORE_INTERRUPTED || reason == EXPLORE_TIME;
}

static const char *end_words(enum explore_reason reason)
{
    return ended_from_outside(reason) ? explore_reason_text(reason) : "too many states";
}

const char *report_obstacle(struct arena *arena, const struct report *report, uint32_t number,
                            enum part_obstacle obstacle)
{
    const struct parts *parts = report->found->parts;
    const struct decided_part *part = &parts->items[number];
    const uint32_t culprit = part->culprits[obstacle];
    const char *words = obstacle_words(
        arena, obstacle,
        culprit < parts->count ? report_part_name(arena, report->scope, &parts->items[culprit])
                               : NULL,
        culprit == number || (culprit < parts->count && part->like == culprit));
    if (obstacle == OBSTACLE_UNMEASURED)
        return arena_printf(arena, "%s: %s", words, end_words(parts->items[culprit].ended_by));
    if (obstacle != OBSTACLE_LIMIT)
        return words;
    return ended_from_outside(part->ended_by)
               ? end_words(part->ended_by)
               : arena_printf(arena, "%s (%s)", words, explore_reason_text(part->ended_by));
}

static const char *obstacles_of(struct arena *arena, const struct report *report, uint32_t number)
{
    const struct decided_part *part = &report->found->parts->items[number];
    const char *list = "";
    for (uint32_t o = 0; o < OBSTACLE_COUNT; o++)
        if (part->obstacles >> o & 1) {
            const char *words = report_obstacle(arena, report, number, o);
            list = *list ? arena_printf(arena, "%s; %s", list, words) : words;
        }
    if (part->workload_count > 1)
        list = arena_printf(arena, "%s; coupled by %s", list, coupled_by(arena, report, part));
    return list;
}

/* Is the intent open for the part, and for no part before it for the same reasons? */
static bool is_first_open(struct arena *arena, const struct report *report, uint32_t intent,
                          uint32_t number, const char *obstacles)
{
    const struct parts *parts = report->found->parts;
    if (!(part_open(&parts->items[number]) >> intent & 1))
        return false;
    for (uint32_t p = 0; p < number; p++)
        if (part_open(&parts->items[p]) >> intent & 1 &&
            strcmp(obstacles_of(arena, report, p), obstacles) == 0)
            return false;
    return true;
}

/* The parts from this one on for which the intent is open for these reasons. */
static const char *open_alike(struct arena *arena, const struct report *report, uint32_t intent,
                              uint32_t number, const char *obstacles)
{
    const struct parts *parts = report->found->parts;
    const char *names = "";
    uint32_t count = 0;
    for (uint32_t p = number; p < parts->count; p++)
        if (part_open(&parts->items[p]) >> intent & 1 &&
            strcmp(obstacles_of(arena, report, p), obstacles) == 0 && count++ < LISTED_MOST)
            names = add(arena, names, report_part_name(arena, report->scope, &parts->items[p]));
    return count > LISTED_MOST ? arena_printf(arena, "%s and %u more", names, count - LISTED_MOST)
                               : names;
}

const char *report_workloads_line(struct arena *arena, const struct report *report, uint32_t intent)
{
    uint32_t holds, violated, open;
    if (!report_knows_workloads(report, intent))
        return NULL;
    const char *holding = list_workloads(arena, report, intent, VERDICT_HOLDS, &holds);
    list_workloads(arena, report, intent, VERDICT_VIOLATED, &violated);
    const char *left = list_workloads(arena, report, intent, VERDICT_UNDECIDED, &open);
    const bool is_violated = report->found->results[intent].verdict == VERDICT_VIOLATED;
    if (is_violated && holds == 0)
        return NULL;
    const char *line = arena_printf(arena, "holds for %u of %s%s", holds,
                                    count_words(arena, holds + violated + open, "workload"),
                                    in_hand(arena, report));
    if (holds > 0)
        line = arena_printf(arena, "%s: %s", line, holding);
    return is_violated && open > 0 ? arena_printf(arena, "%s; open for %s", line, left) : line;
}

const char *report_together(struct arena *arena, const struct report *report)
{
    const struct parts *parts = report->found->parts;
    if (!parts || parts->count > 0 || !together_words(parts->together))
        return NULL;
    const char *couplings = coupled_by(arena, report, NULL);
    return arena_printf(arena, "all %u workloads were explored together: %s%s%s",
                        report->scope->workload_count, together_words(parts->together),
                        *couplings ? " by " : "", couplings);
}

struct string_list report_undecided_lines(struct arena *arena, const struct report *report,
                                          uint32_t intent)
{
    const struct parts *parts = report->found->parts;
    const char *workloads = report_workloads_line(arena, report, intent);
    const char *together = report_together(arena, report);
    VEC(const char *) lines = {0};
    if (workloads)
        VEC_PUSH(arena, &lines, workloads);
    for (uint32_t p = 0; parts && p < parts->count; p++) {
        const char *obstacles = obstacles_of(arena, report, p);
        if (is_first_open(arena, report, intent, p, obstacles))
            VEC_PUSH(arena, &lines,
                     arena_printf(arena, "open for %s: %s",
                                  open_alike(arena, report, intent, p, obstacles), obstacles));
    }
    if (parts && parts->count > 0 && parts->several >> intent & 1)
        VEC_PUSH(arena, &lines,
                 "all workloads were explored together: the intent is about several at once");
    if (together)
        VEC_PUSH(arena, &lines, together);
    return (struct string_list){lines.items, lines.count};
}
