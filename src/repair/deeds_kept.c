/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What controllers could do before they can still do.
 *
 * A repair that makes an autoscaler, a descheduler or a rollout stand still may satisfy every
 * intent, and is none. So what is done in the setups that are kept has to be done with the repair,
 * too: by the same controller, to the same workload, in the same direction.
 *
 * Of this, what a violation is made of is no part. To blame for one that goes on for ever are the
 * steps of its loop. To blame for another one are the steps that it names; and, back from there,
 * those causes that take something away (pods are evicted or deleted, numbers go down), or that are
 * steps of the same controller (an autoscaler that goes up and down again). What only brings pods,
 * or asks for more of them, is not: a pod that finds no room is no reason to want fewer. But if an
 * intent says that there are too many pods, what asks for more is what it is about.
 *
 * What is found by exploring without the steps that are to blame, and without mishaps, is what
 * could be done apart from the violation: this is what has to stay. What follows from a step to
 * blame only need not come any more either, since without that step it cannot be reached.
 */
#include "base/word_lists.h"
#include "cluster/intent/registry.h"
#include "cluster/intent_class.h"
#include "cluster/threads/crew.h"
#include "repair/repair.h"

#include <string.h>

/* ---- lists ---- */

static bool same_name(const char *left, const char *right)
{
    return left == right || (left && right && strcmp(left, right) == 0);
}

static bool has(const struct repair_deeds *deeds, const struct repair_deed *deed)
{
    for (uint32_t i = 0; i < deeds->count; i++)
        if (deeds->items[i].action == deed->action && deeds->items[i].change == deed->change &&
            same_name(deeds->items[i].workload, deed->workload))
            return true;
    return false;
}

/* By parts: what goes up and down in one step is two deeds. */
static uint32_t parts_of(const struct step_deed *deed, const char *workload,
                         struct repair_deed parts[2])
{
    uint32_t count = 0;
    for (unsigned change = DEED_RAISES; change <= DEED_LOWERS; change <<= 1)
        if (deed->changes & change)
            parts[count++] = (struct repair_deed){deed->action, workload, change};
    if (count == 0)
        parts[count++] = (struct repair_deed){deed->action, workload, 0};
    return count;
}

/* The Jobs of a CronJob are like each other: what is done to one of them goes by the first one's
 * name. */
static const char *workload_name(const struct scope *scope, uint32_t workload)
{
    if (workload >= scope->workload_count)
        return NULL;
    const struct object *cron_job = scope->workloads[workload].cron_job;
    for (uint32_t w = 0; cron_job && w < workload; w++)
        if (scope->workloads[w].cron_job == cron_job)
            return scope->workloads[w].name;
    return scope->workloads[workload].name;
}

static void add(struct arena *arena, const struct scope *scope, const struct step_deed *deed,
                struct repair_deeds *deeds)
{
    struct repair_deed parts[2];
    const uint32_t count = parts_of(deed, workload_name(scope, deed->workload), parts);
    for (uint32_t i = 0; i < count; i++) {
        if (has(deeds, &parts[i]))
            continue;
        if (parts[i].workload)
            parts[i].workload = arena_strdup(arena, parts[i].workload);
        VEC_PUSH(arena, deeds, parts[i]);
    }
}

/* ---- what is to blame ---- */

static bool same_controller(const struct step_deed *left, const struct step_deed *right)
{
    return left->action == right->action && left->workload == right->workload;
}

/* The steps, from 1, that are to blame for a violation without a loop. */
static void mark_causes(const struct verify_result *result, bool *marked)
{
    for (uint32_t i = 0; i < result->causes.count; i++)
        if (result->causes.items[i] <= result->step_count)
            marked[result->causes.items[i]] = true;
    /* A cause comes before what it causes, so one way back is enough. */
    for (uint32_t s = result->step_count; s > 0; s--) {
        const struct story_step *told = &result->steps[s - 1].told;
        for (uint32_t i = 0; marked[s] && i < told->causes.count; i++) {
            const uint32_t cause = told->causes.items[i];
            if (cause == 0 || cause > result->step_count)
                continue;
            const struct step_deed *deed = &result->steps[cause - 1].told.deed;
            marked[cause] |= step_deed_takes_away(deed) || same_controller(deed, &told->deed);
        }
    }
}

void repair_deeds_blame(struct arena *arena, const struct scope *scope,
                        const struct verify_report *report, struct repair_deeds *blamed)
{
    for (uint32_t i = 0; i < report->result_count; i++) {
        const struct verify_result *result = &report->results[i];
        if (result->verdict != VERDICT_VIOLATED)
            continue;
        const bool too_many = intent_class_of(result->intent)->blames == BLAMES_SIZE;
        bool *marked = ARENA_ARRAY(arena, bool, result->step_count + 1);
        if (!result->loops || result->rests)
            mark_causes(result, marked);
        for (uint32_t s = 0; s < result->step_count; s++) {
            const struct step_deed *deed = &result->steps[s].told.deed;
            const bool in_loop = result->loops && !result->rests && s >= result->loop_from;
            if ((in_loop || marked[s + 1]) && step_deed_is_done(deed) &&
                (too_many || !step_deed_brings_pods(deed)))
                add(arena, scope, deed, blamed);
        }
    }
}

/* ---- exploring ---- */

struct deeds_search {
    struct step_sink sink;
    struct arena *arena; /* of what is found */
    struct arena scratch;
    const struct repair_deeds_query *query;
    struct repair_deeds *found;
    struct word_lists states;
    struct worker *worker;
    uint32_t from;
    uint32_t wanted_left;
};

static bool is_to_blame(const struct deeds_search *search, const struct step_deed *deed)
{
    struct repair_deed parts[2];
    const uint32_t count =
        parts_of(deed, workload_name(search->query->single, deed->workload), parts);
    for (uint32_t i = 0; i < count; i++)
        if (has(search->query->blamed, &parts[i]))
            return true;
    return step_deed_is_mishap(deed);
}

static uint32_t missing(const struct repair_deeds *wanted, const struct repair_deeds *found)
{
    uint32_t count = 0;
    for (uint32_t i = 0; wanted && i < wanted->count; i++)
        count += !has(found, &wanted->items[i]);
    return count;
}

static bool take_initial(struct step_sink *sink, const struct step *step)
{
    struct deeds_search *search = (struct deeds_search *)sink;
    words_intern(&search->scratch, &search->states, step->words, step->length);
    return true;
}

static bool take(struct step_sink *sink, const struct step *step)
{
    struct deeds_search *search = (struct deeds_search *)sink;
    const struct word_list *from = &search->states.items[search->from];
    const struct step_deed deed = step_deed_of(search->worker, from->words, from->count, step);
    const bool changes = step->length != from->count ||
                         memcmp(step->words, from->words, sizeof(*step->words) * step->length) != 0;
    if (!changes ||
        (search->query->blamed && step_deed_is_done(&deed) && is_to_blame(search, &deed)))
        return true;
    words_intern(&search->scratch, &search->states, step->words, step->length);
    if (step_deed_is_done(&deed)) {
        const uint32_t before = search->found->count;
        add(search->arena, search->query->single, &deed, search->found);
        if (search->query->wanted && search->found->count > before)
            search->wanted_left = missing(search->query->wanted, search->found);
    }
    return !search->query->wanted || search->wanted_left > 0;
}

/* Is it over because of a limit? Time and Ctrl-C are looked at now and then. */
static bool is_over(const struct deeds_search *search)
{
    enum { NOW_AND_THEN = 256 };
    const struct repair_deeds_query *query = search->query;
    return search->from >= query->states_most ||
           (search->from % NOW_AND_THEN == 0 && budget_is_over(query->budget));
}

static bool explore(struct deeds_search *search)
{
    const struct model *model = population_worker_model(search->worker);
    search->sink.emit = take_initial;
    model->initial(model, search->worker, &search->sink);
    search->sink.emit = take;
    for (search->from = 0; search->from < search->states.count; search->from++) {
        const struct word_list state = search->states.items[search->from];
        if (is_over(search))
            return false;
        model->expand(model, search->worker, state.words, state.count, &search->sink);
        if (search->query->wanted && search->wanted_left == 0)
            return true;
    }
    return true;
}

bool repair_deeds_find(struct arena *arena, struct memory *memory,
                       const struct repair_deeds_query *query, struct repair_deeds *found)
{
    const struct verify_plan *plan = query->plan;
    struct deeds_search search = {.arena = arena,
                                  .query = query,
                                  .found = found,
                                  .wanted_left = missing(query->wanted, found)};
    struct population_options manner = query->options->run.population;
    struct problems problems;
    struct setups setups = {0};
    if (query->wanted && search.wanted_left == 0)
        return true;
    arena_init(&search.scratch, memory);
    problems_init(&problems, &search.scratch);
    scope_enumerate(&search.scratch, query->single, &setups);
    manner.reductions = REDUCTIONS_NEVER;
    struct crew *crew = setups.count == 1 ? crew_create(NULL, memory, query->single,
                                                        &setups.items[0], plan->intents.items,
                                                        plan->intents.count, &manner, &problems)
                                          : NULL;
    bool complete = false;
    if (crew) {
        search.worker = crew_worker(crew);
        complete = explore(&search);
        found->applied |= crew_findings(crew)->applied;
        found->came |= crew_findings(crew)->came;
        crew_free(crew);
    }
    arena_release(&search.scratch);
    return complete;
}

const char *repair_deeds_missing(struct arena *arena, const struct repair_deeds *wanted,
                                 const struct repair_deeds *found)
{
    static const char *const ways[] = {[0] = "", [DEED_RAISES] = " up", [DEED_LOWERS] = " down"};
    const char *words = NULL;
    for (uint32_t i = 0; i < wanted->count; i++) {
        const struct repair_deed *deed = &wanted->items[i];
        if (!has(found, deed))
            words = arena_printf(arena, "%s%s%s: %s%s%s%s", words ? words : "", words ? ", " : "",
                                 population_action_actor(deed->action),
                                 population_action_verb(deed->action), ways[deed->change],
                                 deed->workload ? " " : "", deed->workload ? deed->workload : "");
    }
    return words;
}
