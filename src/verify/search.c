/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs are those of the model without reductions, so each step of them is one that the model has.
 * Loops of fast steps that cannot be left count as rest (cluster/rest.h), which the model only
 * knows if it is asked to; so a run that ends in a loop is made again in the model that knows it.
 */
#include "verify/search.h"

#include "base/budget.h"
#include "base/hash.h"
#include "cluster/threads/crew.h"
#include "verify/admitted_run.h"
#include "verify/search_filled.h"
#include "verify/search_path.h"
#include "verify/search_run.h"
#include "verify/search_shorten.h"
#include "verify/tell_setup.h"

/* A run has so many steps for each pod, and for none; and not more than that. */
enum { STEPS_OF_POD = 40, STEPS_LEAST = 400, STEPS_MOST = 20000 };
enum { BLIND_MORE = 8, BLIND_MOST = 128 };
/* So many states are explored while one workload acts in a cluster that others have filled. */
enum { FILLED_STATES = 20000 };

struct search {
    const struct setup_query *query;
    const struct search_limits *limits;
    struct setup_outcome *outcome;
    struct memory *memory;
    struct arena arena;
    struct asked_intents asked;
    struct crew *crew;
    struct crew *with_loops; /* knows loops that count as rest; NULL: it was not needed yet */
    struct search_findings findings;
    struct budget budget;
    uint64_t open; /* bit i: property i of the model is */
};

static struct crew *make_crew(struct search *search, enum population_reductions reductions)
{
    const struct setup_query *query = search->query;
    const struct population_options how = setup_options(query, reductions);
    struct problems problems;
    problems_init(&problems, &search->arena);
    search->budget = (struct budget){.deadline_ns = how.deadline_ns, .interrupted = query->stop};
    return crew_create(NULL, search->memory, query->scope, query->setup, search->asked.items,
                       search->asked.count, &how, &problems);
}

/* Each round has a run for each guide: the intents, and chance. */
static struct search_guide guide_of(const struct search *search, uint64_t number)
{
    const struct setup_query *query = search->query;
    const uint64_t round = number / (search->asked.count + 1);
    const uint32_t intent = (uint32_t)(number % (search->asked.count + 1));
    const uint64_t left = query->states_most - search->findings.steps;
    /* The first ones look where each step leads, later ones now and then do not. */
    const uint64_t blind = round / SEARCH_EVENTS_COUNT * BLIND_MORE;
    uint64_t steps = STEPS_LEAST + STEPS_OF_POD * (uint64_t)query->setup->total_pods;
    steps = steps < STEPS_MOST ? steps : STEPS_MOST;
    return (struct search_guide){
        .intent = intent < search->asked.count ? intent : GUIDE_NONE,
        .events = (enum search_events)(round % SEARCH_EVENTS_COUNT),
        .blind = blind < BLIND_MOST ? (uint32_t)blind : BLIND_MOST,
        .seed = hash_word(search->limits->seed + number + 1),
        .steps_most = steps < left ? steps : left,
        .effort_most = search->limits->effort,
        .stop = query->stop,
        .deadline_ns = search->budget.deadline_ns,
    };
}

static void tell(struct search *search, struct crew *crew, enum population_reductions reductions,
                 uint64_t found)
{
    const struct setup_query *query = search->query;
    struct worker *worker = crew_worker(crew);
    const struct property *properties = population_worker_model(worker)->properties;
    for (uint32_t i = 0; i < search->asked.count; i++) {
        const uint32_t number = search->asked.numbers[i];
        struct verify_result *result = &search->outcome->results[number];
        if (!(found >> i & 1))
            continue;
        /* A shorter run may have other steps. */
        const struct population_findings *findings = crew_findings(crew);
        const bool refused = steps_are_refused(findings);
        if (refused &&
            !is_admitted_run(worker, findings, &properties[i], &search->findings.paths[i]))
            continue;
        search->outcome->violated |= UINT64_C(1) << number;
        if (!(query->told >> number & 1))
            continue;
        const struct run_path path =
            refused ? search->findings.paths[i]
                    : search_shorten(&search->arena, worker, i, &search->findings.paths[i],
                                     &search->budget);
        result->asked = query->asked;
        result->reductions = reductions;
        result->searched = true;
        setup_tell(&search->outcome->arena, worker, i, &properties[i], &path, query->pictures,
                   result);
    }
    search->open &= ~found;
}

/* One run; gives what it finds. */
static uint64_t run(struct search *search, struct crew *crew, const struct search_guide *guide,
                    uint64_t open)
{
    search->findings.violated = 0;
    search->findings.goes_round = 0;
    search_run(&search->arena, crew_worker(crew), guide, open, &search->findings);
    return search->findings.violated;
}

/* The same run in the model that knows loops that count as rest. */
static void run_with_loops(struct search *search, const struct search_guide *guide, uint64_t open)
{
    if (!search->with_loops)
        search->with_loops = make_crew(search, REDUCTIONS_NEVER_LOOPS_REST);
    if (!search->with_loops)
        return;
    const uint64_t found = run(search, search->with_loops, guide, open);
    /* If it is not known whether some state is one of rest, it is not known whether the loop is
     * fair. */
    if (!crew_findings(search->with_loops)->restless)
        tell(search, search->with_loops, REDUCTIONS_NEVER_LOOPS_REST, found);
}

/* Is the intent one of those that all lead the same way, and not the first of them? */
static bool is_led_alike(const struct search *search, uint32_t intent)
{
    const struct worker *worker = crew_worker(search->crew);
    for (uint32_t i = 0; i < intent && !population_knows_nearness(worker, intent); i++)
        if (search->open >> i & 1 && !population_knows_nearness(worker, i))
            return true;
    return false;
}

static void run_and_tell(struct search *search, const struct search_guide *guide)
{
    const struct arena_mark mark = arena_mark(&search->arena);
    const uint64_t found = run(search, search->crew, guide, search->open);
    const uint64_t goes_round = search->findings.goes_round;
    tell(search, search->crew, REDUCTIONS_NEVER, found & ~goes_round);
    if (goes_round)
        run_with_loops(search, guide, goes_round);
    arena_rewind(&search->arena, mark);
}

/* Is a run with the guide made at all? */
static bool is_wanted(const struct search *search, const struct search_guide *guide)
{
    return guide->intent == GUIDE_NONE
               ? search->limits->by_chance
               : search->open >> guide->intent & 1 && !is_led_alike(search, guide->intent);
}

/* Is something open that must never happen? */
static bool asks_for_safety(const struct search *search)
{
    const struct model *model = population_worker_model(crew_worker(search->crew));
    for (uint32_t i = 0; i < search->asked.count; i++)
        if (search->open >> i & 1 && !judges_loops(&model->properties[i]))
            return true;
    return false;
}

/* All workloads fill the cluster; or others do, and one has to live with that: the first, or the
 * last. */
static void run_filled(struct search *search)
{
    const uint32_t count = search->query->scope->workload_count;
    const uint32_t leaders[] = {NOBODY_LEADS, 0, count - 1};
    for (uint32_t i = 0; i < (count > 1 ? 3 : 2) && asks_for_safety(search); i++) {
        struct search_guide guide = guide_of(search, 0);
        const struct arena_mark mark = arena_mark(&search->arena);
        guide.steps_most = FILLED_STATES;
        guide.effort_most = search->findings.effort + search->limits->effort;
        search->findings.violated = 0;
        search_filled(&search->arena, crew_worker(search->crew), leaders[i], count, &guide,
                      search->open, &search->findings);
        tell(search, search->crew, REDUCTIONS_NEVER, search->findings.violated);
        arena_rewind(&search->arena, mark);
    }
}

/* Is something open that must happen in the end? */
static bool asks_for_ends(const struct search *search)
{
    const struct model *model = population_worker_model(crew_worker(search->crew));
    for (uint32_t i = 0; i < search->asked.count; i++)
        if (search->open >> i & 1 && judges_loops(&model->properties[i]))
            return true;
    return false;
}

/* Others fill the one domain that a hard constraint leaves to a workload: the first that has one,
 * or the last. */
static void run_domains(struct search *search)
{
    const uint32_t count = search->query->scope->workload_count;
    const struct worker *worker = crew_worker(search->crew);
    struct domain_search first = {.workload = UINT32_MAX};
    struct domain_search last = {.workload = UINT32_MAX};
    for (uint32_t w = 0; w < count; w++)
        if (domain_search_for(worker, w, &last) && first.workload == UINT32_MAX)
            first = last;
    const struct domain_search *const domains[] = {&first, &last};
    const uint32_t runs = first.workload == UINT32_MAX      ? 0
                          : first.workload == last.workload ? 1
                                                            : 2;
    for (uint32_t i = 0; i < runs && asks_for_ends(search); i++) {
        struct search_guide guide = guide_of(search, 0);
        guide.intent = GUIDE_NONE;
        guide.events = EVENTS_AT_REST;
        guide.domain = domains[i];
        guide.effort_most = search->findings.effort + search->limits->effort;
        run_and_tell(search, &guide);
    }
}

static bool is_over(const struct search *search)
{
    const struct setup_query *query = search->query;
    return !search->open || search->findings.steps >= query->states_most ||
           search->findings.effort >= search->limits->effort || budget_is_over(&search->budget);
}

static void note(const struct search *search, const struct population_findings *findings)
{
    search->outcome->came |= findings->came;
    for (uint32_t i = 0; i < search->asked.count; i++)
        if (findings->applied >> i & 1)
            search->outcome->applied |= UINT64_C(1) << search->asked.numbers[i];
}

static void release(struct search *search, struct crew *crew)
{
    if (!crew)
        return;
    note(search, crew_findings(crew));
    crew_free(crew);
}

void setup_search(const struct setup_query *query, const struct search_limits *limits,
                  struct memory *memory, struct memory *stories, struct setup_outcome *outcome)
{
    struct search search = {.query = query, .limits = limits, .outcome = outcome, .memory = memory};
    *outcome = (struct setup_outcome){
        .asked = query->asked, .states_most = query->states_most, .reductions = REDUCTIONS_NEVER};
    arena_init(&outcome->arena, stories);
    outcome->results = ARENA_ARRAY(&outcome->arena, struct verify_result, query->intent_count + 1);
    arena_init(&search.arena, memory);
    search.asked = asked_intents(&search.arena, query, query->asked);
    search.findings.paths = ARENA_ARRAY(&search.arena, struct run_path, search.asked.count + 1);
    search.open = (UINT64_C(1) << search.asked.count) - 1;
    if (!setup_is_over(query, clock_now_ns()))
        search.crew = make_crew(&search, REDUCTIONS_NEVER);
    const uint64_t runs = search.crew ? limits->rounds * (search.asked.count + 1) : 0;
    for (uint64_t number = 0; number < runs && !is_over(&search); number++) {
        const struct search_guide guide = guide_of(&search, number);
        if (is_wanted(&search, &guide))
            run_and_tell(&search, &guide);
    }
    if (search.crew && limits->filled) {
        run_filled(&search);
        run_domains(&search);
    }
    release(&search, search.crew);
    release(&search, search.with_loops);
    outcome->runs = search.findings.runs;
    outcome->states = search.findings.steps;
    outcome->transitions = search.findings.steps;
    outcome->undecided = query->asked & ~outcome->violated;
    arena_release(&search.arena);
}
