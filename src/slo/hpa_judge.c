/* SPDX-License-Identifier: Apache-2.0 */
#include "slo/hpa_judge.h"

#include "base/clock.h"
#include "base/limit.h"
#include "base/vec.h"
#include "slo/hpa_population.h"
#include "slo/hpa_run.h"
#include "slo/threshold.h"

enum { BLAST_SECONDS = 300 };

struct judging {
    struct arena *arena;
    const struct slo_service *service;
    const struct slo_limits *limits;
    struct memory *memory;
    int64_t started;
    uint32_t *traffic; /* requests of each second, of the shortest violation known */
    uint32_t count;    /* 0: none is known */
    uint64_t states, transitions;
};

/* ---- trying ---- */

/* A run that notes its traffic. */
struct attempt {
    struct judging *judging;
    struct hpa_run run;
    VEC(uint32_t) traffic;
    bool broken;
};

static void attempt_init(struct attempt *attempt, struct judging *judging)
{
    *attempt = (struct attempt){.judging = judging};
    hpa_run_init(&attempt->run, judging->arena, judging->service);
}

/* False if continuing cannot give a shorter violation. */
static bool attempt_second(struct attempt *attempt, uint64_t requests)
{
    const struct judging *judging = attempt->judging;
    uint32_t least;
    uint32_t most;
    hpa_run_bounds(&attempt->run, &least, &most);
    const uint32_t chosen = requests < least ? least : requests > most ? most : (uint32_t)requests;
    VEC_PUSH(judging->arena, &attempt->traffic, chosen);
    attempt->broken = hpa_run_second(&attempt->run, chosen, NULL);
    return !attempt->broken && (judging->count == 0 || attempt->traffic.count + 1 < judging->count);
}

static void attempt_keep(struct attempt *attempt)
{
    struct judging *judging = attempt->judging;
    if (!attempt->broken || (judging->count > 0 && attempt->traffic.count >= judging->count))
        return;
    judging->traffic = attempt->traffic.items;
    judging->count = attempt->traffic.count;
}

/* Sends as many requests as the load allows, for a while. */
static void blast(struct attempt *attempt)
{
    for (uint32_t i = 0; i < BLAST_SECONDS; i++)
        if (!attempt_second(attempt, UINT64_MAX))
            break;
    attempt_keep(attempt);
}

/* Sends a constant number of requests for some time, then as many as the load allows. */
static void try_wait(struct judging *judging, uint64_t requests, uint32_t seconds)
{
    struct attempt attempt;
    const struct arena_mark mark = arena_mark(judging->arena);
    const uint32_t known = judging->count;
    attempt_init(&attempt, judging);
    bool going = true;
    for (uint32_t i = 0; i < seconds && going; i++)
        going = attempt_second(&attempt, requests);
    attempt_keep(&attempt);
    if (going)
        blast(&attempt);
    if (judging->count == known)
        arena_rewind(judging->arena, mark);
}

static uint32_t forgets_after(const struct slo_service *service)
{
    const struct hpa_input input = slo_hpa_input(service, 1);
    const struct slo_hpa *hpa = service->hpa;
    const int64_t window = hpa->scale_up ? hpa_down_window(&input) : hpa->flags.downscale_window;
    return (uint32_t)(window / INT64_C(1000000000)) + 2 * (hpa->sync_period + hpa->resolution);
}

/* Tries the traffic that breaks most services: a burst from the start, after a
 * time without requests (at every moment between two syncs), or after a
 * constant load. */
static void try_usual(struct judging *judging)
{
    enum { SHARES = 10 };
    const struct slo_service *service = judging->service;
    const uint32_t period = service->hpa->sync_period;
    const uint32_t quiet = forgets_after(service);
    const uint64_t peak = slo_load_peak(&service->load);
    try_wait(judging, 0, 0);
    for (uint32_t offset = 0; offset < period; offset++) {
        try_wait(judging, 0, offset);
        try_wait(judging, 0, quiet + offset);
    }
    for (uint32_t share = 1; share < SHARES; share++)
        for (uint32_t offset = 0; offset < period; offset += period / 3 + 1)
            try_wait(judging, peak * share / SHARES, quiet + offset);
}

/* ---- following what the population did ---- */

/* How many of the range, and when: at first, evenly, or in the end. */
enum amount { AMOUNT_LOW, AMOUNT_MIDDLE, AMOUNT_HIGH, AMOUNT_COUNT };
enum pace { PACE_EARLY, PACE_EVEN, PACE_LATE, PACE_COUNT };

struct manner {
    enum amount amount;
    enum pace pace;
    bool waits;
};

/* The requests of second `second` of a stretch, for all pods together. */
static uint64_t requests_of(const struct hpa_run *run, const struct hpa_stretch *stretch,
                            uint32_t second, const struct manner *manner)
{
    const uint64_t ready = hpa_run_ready(run);
    const uint64_t parts = manner->amount == AMOUNT_LOW    ? stretch->low
                           : manner->amount == AMOUNT_HIGH ? stretch->high
                                                           : (stretch->low + stretch->high) / 2;
    /* Each pod gets as much as in the stretch of the population. */
    const uint64_t total = parts * ready / stretch->ready / HPA_PARTS;
    const uint64_t peak = run->service->load.rates[run->position];
    if (manner->pace == PACE_EVEN)
        return total * (second + 1) / stretch->seconds - total * second / stretch->seconds;
    const uint64_t place =
        manner->pace == PACE_LATE ? stretch->seconds - 1 - second : (uint64_t)second;
    const uint64_t left = total > place * peak ? total - place * peak : 0;
    return left < peak ? left : peak;
}

/* Where the population had fewer pods after a sync than there are, the controller
 * remembers: what came between the last two syncs comes again until it forgets. */
static bool wait_for_fewer(struct attempt *attempt, uint32_t replicas, uint32_t begin)
{
    const uint32_t end = attempt->traffic.count;
    const uint32_t patience = forgets_after(attempt->judging->service);
    uint32_t waited = 0;
    while (attempt->run.pod_count > replicas && waited < patience)
        for (uint32_t i = begin; i < end; i++, waited++)
            if (!attempt_second(attempt, attempt->traffic.items[i]))
                return false;
    return true;
}

static void follow(struct judging *judging, const struct hpa_population *population,
                   const struct run_path *path, const struct manner *manner)
{
    struct attempt attempt;
    const struct arena_mark mark = arena_mark(judging->arena);
    const uint32_t known = judging->count;
    attempt_init(&attempt, judging);
    uint32_t synced = 0;
    bool going = true;
    for (uint32_t i = 0; i < path->step_count && going; i++) {
        const uint32_t argument = path->steps[i].argument;
        const uint32_t replicas = hpa_step_replicas(argument);
        const struct hpa_stretch stretch = hpa_stretch_at(
            population, path->words + path->offsets[i],
            (uint32_t)(path->offsets[i + 1] - path->offsets[i]), hpa_step_level(argument));
        for (uint32_t second = 0; second < stretch.seconds && going; second++)
            going = attempt_second(&attempt, requests_of(&attempt.run, &stretch, second, manner));
        if (replicas == 0 || !going)
            continue;
        if (manner->waits && attempt.run.pod_count > replicas)
            going = wait_for_fewer(&attempt, replicas, synced);
        synced = attempt.traffic.count;
    }
    attempt_keep(&attempt);
    if (going)
        blast(&attempt);
    if (judging->count == known)
        arena_rewind(judging->arena, mark);
}

static void follow_in_all_manners(struct judging *judging, const struct hpa_population *population,
                                  const struct run_path *path)
{
    for (unsigned i = 0; i < AMOUNT_COUNT * PACE_COUNT * 2; i++) {
        const struct manner manner = {(enum amount)(i / 2 % AMOUNT_COUNT),
                                      (enum pace)(i / 2 / AMOUNT_COUNT), i % 2};
        follow(judging, population, path, &manner);
    }
}

/* ---- the verdict ---- */

static uint64_t time_left(const struct judging *judging)
{
    uint64_t left = judging->limits->time_most_ms;
    limit_spend_ns(&left, clock_now_ns() - judging->started);
    return left;
}

static struct exploration *explore(struct judging *judging, struct hpa_population *population,
                                   uint64_t states_most)
{
    static const struct property property = {
        .name = "objective", .kind = PROPERTY_STEP_INVARIANT, .marks = SLO_MARK_VIOLATED};
    struct explore_options options;
    explore_options_init(&options);
    options.threads = judging->limits->threads;
    options.states_most = judging->limits->states_most;
    if (options.states_most != UINT64_MAX)
        options.states_most -=
            judging->states < options.states_most ? judging->states : options.states_most - 1;
    if (states_most < options.states_most)
        options.states_most = states_most;
    options.time_most_ms = time_left(judging);
    options.interrupted = judging->limits->interrupted;
    population->model.properties = &property;
    population->model.property_count = 1;
    struct exploration *found = explore_run(&population->model, &options, judging->memory);
    if (found) {
        judging->states += found->statistics.states;
        judging->transitions += found->statistics.transitions;
    }
    return found;
}

/* How precisely the population is explored: coarsely and without remembered
 * recommendations first. */
struct look {
    uint32_t grain;
    bool holds;
};

static const struct look looks[] = {{1, false}, {2, false}, {1, true}, {4, false},
                                    {2, true},  {8, false}, {4, true}, {16, false}};

enum { LOOK_COUNT = sizeof(looks) / sizeof(looks[0]), STATES_OF_A_LOOK = 2000000 };

/* Explores the population; each suspected violation is tried as a real run. */
static struct slo_verdict judge_at(struct judging *judging, const struct look *look,
                                   uint32_t horizon, uint64_t states_most)
{
    struct hpa_population population;
    struct slo_verdict verdict = {.verdict = VERDICT_UNDECIDED, .reason = EXPLORE_UNSUPPORTED};
    if (!hpa_population_init(&population, judging->service, look->grain, horizon, look->holds))
        return verdict;
    struct exploration *found = explore(judging, &population, states_most);
    verdict.reason = EXPLORE_MEMORY;
    if (!found)
        return verdict;
    verdict.verdict = found->properties[0].verdict;
    verdict.reason = found->properties[0].reason;
    if (verdict.verdict == VERDICT_VIOLATED)
        follow_in_all_manners(judging, &population, &found->properties[0].path);
    explore_free(found);
    return verdict;
}

/* Is there nothing before the second of the violation that is known? What is
 * found meanwhile is taken. */
static bool is_shortest(struct judging *judging)
{
    enum { STATES_MOST = 200000 };
    for (uint32_t i = 0; i < LOOK_COUNT;) {
        const uint32_t known = judging->count;
        if (known == 1)
            return true;
        const struct slo_verdict verdict = judge_at(judging, &looks[i], known - 1, STATES_MOST);
        if (verdict.verdict == VERDICT_HOLDS)
            return true;
        if (verdict.verdict != VERDICT_VIOLATED)
            return false;
        i += judging->count == known;
    }
    return false;
}

static void tell(struct judging *judging, struct slo_timeline *timeline)
{
    struct hpa_run run;
    hpa_run_init(&run, judging->arena, judging->service);
    *timeline = (struct slo_timeline){
        .seconds = ARENA_ARRAY(judging->arena, struct slo_second, judging->count),
        .count = judging->count};
    for (uint32_t i = 0; i < judging->count; i++)
        hpa_run_second(&run, judging->traffic[i], &timeline->seconds[i]);
}

struct slo_verdict hpa_judge(struct arena *arena, const struct slo_service *service,
                             const struct slo_limits *limits, struct memory *memory,
                             struct slo_timeline *timeline)
{
    struct judging judging = {.arena = arena,
                              .service = service,
                              .limits = limits,
                              .memory = memory,
                              .started = clock_now_ns()};
    struct slo_verdict verdict = {.verdict = VERDICT_VIOLATED};
    try_usual(&judging);
    for (uint32_t i = 0; judging.count == 0 && i < LOOK_COUNT; i++) {
        verdict = judge_at(&judging, &looks[i], 0, STATES_OF_A_LOOK);
        const bool unfinished = verdict.verdict == VERDICT_UNDECIDED &&
                                verdict.reason == EXPLORE_STATES &&
                                judging.states < limits->states_most;
        if (verdict.verdict != VERDICT_VIOLATED && !unfinished)
            break;
    }
    if (judging.count > 0) {
        verdict.shortest = is_shortest(&judging);
        verdict.second = judging.count;
        verdict.verdict = VERDICT_VIOLATED;
        verdict.reason = EXPLORE_DECIDED;
        if (timeline)
            tell(&judging, timeline);
    } else if (verdict.verdict == VERDICT_VIOLATED) {
        verdict.verdict = VERDICT_UNDECIDED;
        verdict.reason = EXPLORE_OMISSION;
    }
    verdict.states = judging.states;
    verdict.transitions = judging.transitions;
    return verdict;
}
