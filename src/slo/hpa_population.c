/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Why the ranges cover every real run.
 *
 * Sharing. Amounts are in parts of a request, as if requests could be divided
 * and every ready pod got the same. While the number of ready pods stays, what
 * comes to a pod in turn over any stretch of seconds differs from that by less than
 * one request, hence so does its queue; and a queue is whole. So a queue above
 * the objective needs a divided one above it (strictly), and when the number of
 * ready pods changes bounds are rounded to whole requests, so that the argument
 * begins anew. What was served differs by less than two requests each time.
 * With `leastLoaded` the same holds for the level that queues are filled up to.
 *
 * Traffic. Of all ways to spread a number of requests over a stretch, sending
 * them as late and as fast as possible leaves the longest queue and lets the
 * least be served; as early and as fast as possible leaves the shortest, lets
 * the most be served, and makes the longest queue on the way. (A queue is the
 * greatest, over all suffixes, of what came in the suffix less what could be
 * served in it.) So these two are played through, on the bounds that matter.
 *
 * What a pod had and got is what it served and still has: so pieces of the range of
 * its queue in the end go with pieces of the range of what it served.
 *
 * Decisions. The proposal of a sync grows with the usage (hpa_judge_test.c
 * tries), so the proposals at both ends bound it. Stabilization gives a number
 * between the proposal and the recommendations of the past. These are at most
 * the present replicas, unless a rate limit kept the replicas from following
 * one; the greatest such is kept (`owed`). Rate limits that look at changes of
 * the past are bounded by their not mattering and by nothing being allowed.
 *
 * A ramp is left out, which allows more traffic, not less.
 */
#include "slo/hpa_population.h"

#include "decide/controller/hpa_memory.h"
#include "slo/hpa_run.h"
#include "slo/threshold.h"

#include <stdlib.h>
#include <string.h>

#define NS_PER_SECOND INT64_C(1000000000)
#define NO_SAMPLE     UINT32_MAX

enum { GROUPS_MOST = 64 };

/* Pods that are alike. Its words in a state are its members, in order. */
struct group {
    uint32_t count;
    uint32_t starting; /* seconds until they are ready; 0: they are */
    uint32_t ready;    /* seconds since they became so, at most age_most */
    uint32_t queue_low, queue_high;
    uint32_t served_low, served_high; /* in the running window */
    uint32_t sample_low, sample_high; /* served in the window of the last scrape */
};

enum { GROUP_WORDS = sizeof(struct group) / sizeof(uint32_t), HEADER_WORDS = 5 };

struct hpa_state {
    uint32_t second; /* within the cycle */
    uint32_t position;
    uint32_t owed;     /* a recommendation that a rate limit held back; 0: none */
    uint32_t held;     /* no fewer were recommended, which is remembered ... */
    uint32_t held_for; /* ... for so many seconds, less 1; 0: not any more */
    uint32_t group_count;
    struct group groups[GROUPS_MOST];
};

struct scratch {
    struct hpa_state from, to, next;
    uint32_t words[HEADER_WORDS + GROUPS_MOST * GROUP_WORDS];
};

static uint32_t capacity(const struct hpa_population *population)
{
    return population->service->handled * HPA_PARTS;
}

static uint32_t replicas_of(const struct hpa_state *state)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < state->group_count; i++)
        count += state->groups[i].count;
    return count;
}

static uint32_t ready_of(const struct hpa_state *state)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < state->group_count; i++)
        count += state->groups[i].starting == 0 ? state->groups[i].count : 0;
    return count;
}

/* ---- words ---- */

/* The oldest first, and of equal age those with more waiting: they are the ones
 * that were there before the others. Those that start come last. */
static int compare_groups(const void *left, const void *right)
{
    const struct group *a = left;
    const struct group *b = right;
    const uint32_t *a_words = left;
    const uint32_t *b_words = right;
    if (a->starting != b->starting)
        return a->starting < b->starting ? -1 : 1;
    if (a->ready != b->ready)
        return a->ready > b->ready ? -1 : 1;
    for (uint32_t i = 3; i < GROUP_WORDS; i++)
        if (a_words[i] != b_words[i])
            return a_words[i] > b_words[i] ? -1 : 1;
    return 0;
}

static void merge_equal_groups(struct hpa_state *state)
{
    uint32_t kept = 0;
    qsort(state->groups, state->group_count, sizeof(struct group), compare_groups);
    for (uint32_t i = 0; i < state->group_count; i++) {
        if (state->groups[i].count == 0)
            continue;
        if (kept > 0 && compare_groups(&state->groups[kept - 1], &state->groups[i]) == 0)
            state->groups[kept - 1].count += state->groups[i].count;
        else
            state->groups[kept++] = state->groups[i];
    }
    state->group_count = kept;
}

static uint32_t pack(struct hpa_state *state, uint32_t *words)
{
    merge_equal_groups(state);
    words[0] = state->second;
    words[1] = state->position;
    words[2] = state->owed;
    words[3] = state->held;
    words[4] = state->held_for;
    memcpy(words + HEADER_WORDS, state->groups, sizeof(struct group) * state->group_count);
    return HEADER_WORDS + state->group_count * GROUP_WORDS;
}

static void unpack(const uint32_t *words, uint32_t length, struct hpa_state *state)
{
    state->second = words[0];
    state->position = words[1];
    state->owed = words[2];
    state->held = words[3];
    state->held_for = words[4];
    state->group_count = (length - HEADER_WORDS) / GROUP_WORDS;
    memcpy(state->groups, words + HEADER_WORDS, sizeof(struct group) * state->group_count);
}

static void copy(struct hpa_state *to, const struct hpa_state *from)
{
    memcpy(to, from, offsetof(struct hpa_state, groups) + sizeof(struct group) * from->group_count);
}

/* ---- stretches ---- */

/* Does a stretch end with this second? */
static bool is_boundary(const struct hpa_population *population, uint32_t second)
{
    const struct slo_hpa *hpa = population->service->hpa;
    return slo_hpa_syncs(hpa, second) || slo_hpa_scrapes(hpa, second) ||
           (population->horizon > 0 && second == population->horizon);
}

static struct hpa_stretch stretch_from(const struct hpa_population *population,
                                       const struct hpa_state *state, uint32_t level)
{
    const struct slo_load *load = &population->service->load;
    const uint32_t rate = load->rates[state->position];
    struct hpa_stretch stretch = {.ready = ready_of(state)};
    uint32_t position = state->position;
    uint32_t longest = UINT32_MAX; /* until pods become ready */
    for (uint32_t i = 0; i < state->group_count; i++)
        if (state->groups[i].starting > 0 && state->groups[i].starting < longest)
            longest = state->groups[i].starting;
    do {
        stretch.seconds++;
        position = slo_load_next(load, position);
    } while (stretch.seconds < longest &&
             !is_boundary(population, state->second + stretch.seconds) &&
             load->rates[position] == rate);
    stretch.peak = (uint64_t)rate * HPA_PARTS;
    const uint64_t all = stretch.peak * stretch.seconds;
    stretch.high = all * level / population->levels;
    stretch.low = level ? all * (level - 1) / population->levels : 0;
    return stretch;
}

struct hpa_stretch hpa_stretch_at(const struct hpa_population *population, const uint32_t *words,
                                  uint32_t length, uint32_t level)
{
    struct hpa_state state;
    unpack(words, length, &state);
    return stretch_from(population, &state, level);
}

/* One way to spread the requests, on one bound of every group. Numbers are parts
 * of a request times the pods that are ready, so that sharing is exact. */
struct play {
    uint64_t queue[GROUPS_MOST];
    uint64_t served[GROUPS_MOST];
    uint64_t longest; /* queue on the way */
};

/* The level that the queues are filled up to by `total` parts. */
static uint64_t filled_to(const struct hpa_state *state, const struct play *play, uint64_t total)
{
    uint64_t below = 0;
    uint64_t above = total;
    for (uint32_t i = 0; i < state->group_count; i++)
        above = state->groups[i].starting == 0 && play->queue[i] + total > above
                    ? play->queue[i] + total
                    : above;
    while (below < above) {
        const uint64_t middle = below + (above - below + 1) / 2;
        uint64_t room = 0;
        for (uint32_t i = 0; i < state->group_count; i++)
            if (state->groups[i].starting == 0 && play->queue[i] < middle)
                room += (middle - play->queue[i]) * state->groups[i].count;
        if (room <= total)
            below = middle;
        else
            above = middle - 1;
    }
    return below;
}

/* One second in which a pod gets `parts` on average; `up` rounds against us. */
static void play_second(const struct hpa_population *population, const struct hpa_state *state,
                        struct play *play, uint64_t parts, uint32_t ready, bool up)
{
    const bool least_loaded = population->service->balancing == SLO_LEAST_LOADED;
    const uint64_t full = (uint64_t)capacity(population) * ready;
    const uint64_t level =
        least_loaded && parts > 0 ? filled_to(state, play, parts * ready) + up : 0;
    for (uint32_t i = 0; i < state->group_count; i++) {
        if (state->groups[i].starting > 0)
            continue;
        if (!least_loaded)
            play->queue[i] += parts;
        else if (play->queue[i] < level)
            play->queue[i] = level;
        play->longest = play->queue[i] > play->longest ? play->queue[i] : play->longest;
        const uint64_t served = play->queue[i] < full ? play->queue[i] : full;
        play->queue[i] -= served;
        play->served[i] += served;
    }
}

static void play_through(const struct hpa_population *population, const struct hpa_state *state,
                         const struct hpa_stretch *stretch, bool high, bool late, struct play *play)
{
    const uint64_t total = high ? stretch->high : stretch->low;
    for (uint32_t i = 0; i < state->group_count; i++)
        play->queue[i] =
            (uint64_t)(high ? state->groups[i].queue_high : state->groups[i].queue_low) *
            stretch->ready;
    memset(play->served, 0, sizeof(play->served));
    play->longest = 0;
    for (uint32_t second = 0; second < stretch->seconds; second++) {
        /* So much comes in this second and those before it, or after it. */
        const uint64_t place = late ? stretch->seconds - 1 - second : second;
        const uint64_t before = place * stretch->peak;
        const uint64_t left = total > before ? total - before : 0;
        play_second(population, state, play, left < stretch->peak ? left : stretch->peak,
                    stretch->ready, high);
    }
}

static uint64_t divided_up(uint64_t value, uint64_t by)
{
    return (value + by - 1) / by;
}

static uint32_t rounded_up(uint64_t value, uint32_t unit)
{
    const uint64_t rounded = (value + unit - 1) / unit * unit;
    return rounded < UINT32_MAX / 2 ? (uint32_t)rounded : UINT32_MAX / 2;
}

static uint32_t rounded_down(uint64_t value, uint32_t unit)
{
    return rounded_up(value / unit * unit, 1);
}

/* The bounds of every group after a stretch, not rounded yet. */
struct outcome {
    uint64_t queue_low[GROUPS_MOST], queue_high[GROUPS_MOST];
    uint64_t served_low[GROUPS_MOST], served_high[GROUPS_MOST];
    bool broken; /* the objective may be, on the way */
};

/* The requests of a stretch come and are handled. */
static void play_stretch(const struct hpa_population *population, const struct hpa_state *state,
                         const struct hpa_stretch *stretch, struct outcome *outcome)
{
    const uint64_t ready = stretch->ready;
    const uint64_t allowed = (uint64_t)population->service->queue_most * HPA_PARTS * ready;
    struct play most_left, least_served, most_served, least_left;
    play_through(population, state, stretch, true, true, &most_left);
    play_through(population, state, stretch, true, false, &most_served);
    play_through(population, state, stretch, false, true, &least_served);
    play_through(population, state, stretch, false, false, &least_left);
    for (uint32_t i = 0; i < state->group_count; i++) {
        outcome->queue_high[i] = divided_up(most_left.queue[i], ready);
        outcome->queue_low[i] = least_left.queue[i] / ready;
        outcome->served_high[i] = divided_up(most_served.served[i], ready);
        outcome->served_low[i] = least_served.served[i] / ready;
    }
    outcome->broken = most_served.longest > allowed || most_left.longest > allowed;
}

/* What a group of pods had and got is what it served and has. So a range of queues
 * that is cut at the end narrows what was served. Only where shares are equal. */
static void conserve(const struct hpa_state *state, const struct hpa_stretch *stretch, uint32_t i,
                     struct outcome *outcome)
{
    const uint64_t low = state->groups[i].queue_low + stretch->low / stretch->ready;
    const uint64_t high = state->groups[i].queue_high + divided_up(stretch->high, stretch->ready);
    if (low > outcome->queue_high[i] && low - outcome->queue_high[i] > outcome->served_low[i])
        outcome->served_low[i] = low - outcome->queue_high[i];
    if (high > outcome->queue_low[i] && high - outcome->queue_low[i] < outcome->served_high[i])
        outcome->served_high[i] = high - outcome->queue_low[i];
}

static void take_outcome(const struct hpa_population *population, const struct outcome *outcome,
                         struct hpa_state *state)
{
    for (uint32_t i = 0; i < state->group_count; i++) {
        struct group *group = &state->groups[i];
        if (group->starting > 0)
            continue;
        group->queue_high = rounded_up(outcome->queue_high[i], population->queue_unit);
        group->queue_low = rounded_down(outcome->queue_low[i], population->queue_unit);
        group->served_high =
            rounded_up(group->served_high + outcome->served_high[i], population->served_unit);
        group->served_low =
            rounded_down(group->served_low + outcome->served_low[i], population->served_unit);
    }
}

/* ---- the end of a stretch ---- */

static uint32_t least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

static uint32_t most(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

/* By how much what a pod served in some seconds may differ from an equal share
 * while the number of ready pods stays: less than one request at either end. */
enum { SLACK = 2 * HPA_PARTS };

/* The number of ready pods changes. */
static void round_queues(struct hpa_state *state)
{
    for (uint32_t i = 0; i < state->group_count; i++) {
        struct group *group = &state->groups[i];
        group->served_low -= least(group->served_low, SLACK);
        group->served_high += group->starting == 0 && group->served_high > 0 ? SLACK : 0;
        group->queue_low = rounded_down(group->queue_low, HPA_PARTS);
        group->queue_high = rounded_up(group->queue_high, HPA_PARTS);
    }
}

static void pass(const struct hpa_population *population, struct hpa_state *state, uint32_t seconds)
{
    bool more = false;
    for (uint32_t i = 0; i < state->group_count; i++) {
        struct group *group = &state->groups[i];
        if (group->starting == 0)
            group->ready = least(group->ready + seconds, population->age_most);
        else if ((group->starting -= seconds) == 0)
            more = true;
    }
    if (more)
        round_queues(state);
    state->held_for -= least(state->held_for, seconds);
    state->held = state->held_for ? state->held : 0;
    for (uint32_t i = 0; i < seconds; i++)
        state->position = slo_load_next(&population->service->load, state->position);
    state->second += seconds;
    if (population->horizon == 0)
        state->second %= population->cycle;
}

/* Samples that no sync will look at before the next scrape do not matter. */
static void forget_samples(const struct hpa_population *population, struct hpa_state *state)
{
    const struct slo_hpa *hpa = population->service->hpa;
    for (uint32_t second = state->second + 1;; second++) {
        if (slo_hpa_scrapes(hpa, second))
            break;
        if (slo_hpa_syncs(hpa, second))
            return;
    }
    for (uint32_t i = 0; i < state->group_count; i++)
        state->groups[i].sample_low = state->groups[i].sample_high = 0;
}

/* A sample of pods that were not ready all through its window does not count
 * as one, whatever it says; unless they took so long to start that the controller
 * trusts them at once. */
static void scrape(const struct hpa_population *population, struct hpa_state *state)
{
    const uint32_t window = population->service->hpa->resolution;
    const uint32_t full = capacity(population) * window;
    const uint32_t slack = ready_of(state) > 1 ? SLACK : 0;
    const int64_t oldest = (int64_t)population->service->startup + population->age_most;
    const bool trusted =
        oldest * NS_PER_SECOND >= population->service->hpa->flags.cpu_initialization;
    for (uint32_t i = 0; i < state->group_count; i++) {
        struct group *group = &state->groups[i];
        if (group->starting > 0)
            continue;
        const bool whole = group->ready >= window || trusted;
        group->sample_low = 0;
        group->sample_high = 0;
        if (whole && group->served_low > slack)
            group->sample_low = least(group->served_low - slack, full);
        if (whole && group->served_high > 0)
            group->sample_high = least(group->served_high + slack, full);
        group->served_low = 0;
        group->served_high = 0;
    }
}

/* ---- decisions ---- */

/* The replicas that the metrics ask for when every usage is at one end of its
 * range; false if they do not say. */
static bool propose(const struct hpa_population *population, const struct hpa_state *state,
                    bool high, struct hpa_input *input, int32_t *proposed)
{
    const struct slo_hpa *hpa = population->service->hpa;
    const uint64_t full = (uint64_t)capacity(population) * hpa->resolution;
    struct hpa_pod_class classes[GROUPS_MOST];
    struct hpa_sample samples[GROUPS_MOST];
    const uint32_t since = (state->second + hpa->delay) % hpa->resolution;
    for (uint32_t i = 0; i < state->group_count; i++) {
        const struct group *group = &state->groups[i];
        const bool ready = group->starting == 0;
        const uint32_t served = high ? group->sample_high : group->sample_low;
        const bool sampled = ready && group->sample_low != NO_SAMPLE;
        samples[i] = (struct hpa_sample){
            .state = sampled ? HPA_SAMPLE_VALUE : HPA_SAMPLE_NONE,
            .milli = sampled ? hpa_usage(hpa, served, full) : 0,
            .age = (int64_t)since * NS_PER_SECOND,
            .window = (int64_t)hpa->resolution * NS_PER_SECOND,
        };
        classes[i] = (struct hpa_pod_class){
            .count = group->count,
            .phase = ready ? POD_RUNNING : POD_PENDING,
            .readiness = ready ? HPA_READY_TRUE : HPA_READY_FALSE,
            .started = ready,
            .start_age = ((int64_t)group->ready + population->service->startup) * NS_PER_SECOND,
            .ready_age = (int64_t)group->ready * NS_PER_SECOND,
            .samples = &samples[i],
            .requests = &hpa->request,
        };
    }
    struct hpa_proposal proposal;
    input->pods = classes;
    input->pod_count = state->group_count;
    hpa_propose(input, 0, &proposal);
    input->pods = NULL;
    input->pod_count = 0;
    *proposed = proposal.replicas;
    return proposal.failure == HPA_OK;
}

/* Where the limits let a stabilized number go, if no change of the past counts. */
static int32_t limited(const struct hpa_input *input, int32_t stabilized)
{
    const struct hpa_memory none = {.started = true};
    struct hpa_decision decision = {.proposed = stabilized};
    hpa_normalize(input, &none, &decision);
    return decision.replicas;
}

static int32_t least_of(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

/* All numbers of replicas that the sync may lead to: low to high. */
struct reach {
    int32_t low, high;
    int32_t wanted; /* the most that it may have wanted */
    int32_t sure;   /* the least that it did recommend; 0: nothing */
};

static struct reach decide(const struct hpa_population *population, const struct hpa_state *state)
{
    const int32_t current = (int32_t)replicas_of(state);
    struct hpa_input input = slo_hpa_input(population->service, (uint32_t)current);
    struct reach reach = {current, current, 0, 0};
    int32_t low;
    int32_t high;
    if (!propose(population, state, false, &input, &low) ||
        !propose(population, state, true, &input, &high))
        return reach;
    if (low > high) { /* it should not be; then at least both are covered */
        const int32_t other = low;
        low = high;
        high = other;
    }
    reach.sure = low;
    const int32_t held = least_of((int32_t)state->held, current);
    if (low < held)
        low = held;
    if (high < low)
        high = low;
    if (population->remembers_up && low > current)
        low = current;
    if (population->remembers_down && high < current)
        high = current;
    if (population->remembers_down && high < (int32_t)state->owed)
        high = (int32_t)state->owed;
    reach.low = limited(&input, low);
    reach.high = limited(&input, high);
    reach.wanted = high < input.max_replicas ? high : input.max_replicas;
    if (!population->remembers_changes)
        return reach;
    if (low < current)
        reach.low = low > input.min_replicas ? low : input.min_replicas;
    else
        reach.low = current;
    reach.high = high > current ? least_of(high, input.max_replicas) : current;
    return reach;
}

/* Those that start go first, then the youngest. */
static void drop(struct hpa_state *state, uint32_t count)
{
    const uint32_t ready = ready_of(state);
    while (count > 0) {
        struct group *group = &state->groups[state->group_count - 1];
        const uint32_t dropped = least(group->count, count);
        group->count -= dropped;
        count -= dropped;
        if (group->count == 0)
            state->group_count--;
    }
    if (ready_of(state) != ready)
        round_queues(state);
}

/* Room for one more group: two that differ in numbers only become one that has
 * the numbers of both. */
static void coarsen(struct hpa_state *state)
{
    for (uint32_t i = 0; i + 1 < state->group_count; i++) {
        struct group *one = &state->groups[i];
        const struct group *other = &state->groups[i + 1];
        if (other->starting > 0 || one->ready != other->ready)
            continue;
        one->count += other->count;
        one->queue_low = least(one->queue_low, other->queue_low);
        one->served_low = least(one->served_low, other->served_low);
        one->sample_low = least(one->sample_low, other->sample_low);
        one->queue_high = most(one->queue_high, other->queue_high);
        one->served_high = most(one->served_high, other->served_high);
        one->sample_high = most(one->sample_high, other->sample_high);
        memmove(&state->groups[i + 1], &state->groups[i + 2],
                sizeof(struct group) * (state->group_count - i - 2));
        state->group_count--;
        return;
    }
    bug("a service has more than %d groups of pods", GROUPS_MOST);
}

static void scale_to(const struct hpa_population *population, struct hpa_state *state,
                     uint32_t replicas)
{
    const uint32_t current = replicas_of(state);
    if (replicas < current)
        drop(state, current - replicas);
    if (replicas <= current)
        return;
    if (state->group_count == GROUPS_MOST)
        coarsen(state);
    state->groups[state->group_count++] = (struct group){.count = replicas - current,
                                                         .starting = population->service->startup,
                                                         .sample_low = NO_SAMPLE,
                                                         .sample_high = NO_SAMPLE};
    if (population->service->startup == 0)
        round_queues(state);
}

/* ---- what the core calls ---- */

struct hpa_expansion {
    const struct hpa_population *population;
    struct scratch *scratch;
    struct step_sink *sink;
};

static bool emit(struct hpa_expansion *expansion, struct hpa_state *state, uint32_t level,
                 uint32_t replicas, uint64_t marks)
{
    struct scratch *scratch = expansion->scratch;
    forget_samples(expansion->population, state);
    const uint32_t length = pack(state, scratch->words);
    return step_sink_emit(expansion->sink, &(struct step){.words = scratch->words,
                                                          .length = length,
                                                          .argument = level | replicas << 22,
                                                          .fairness = FAIRNESS_NONE,
                                                          .marks = marks});
}

/* The recommendation that holds the replicas up the most is kept. Others that are
 * remembered, too, are forgotten here, which allows more, not less. */
static void hold(const struct hpa_population *population, struct hpa_state *state, int32_t sure)
{
    if (population->window == 0 || sure <= 0 || (uint32_t)sure < state->held)
        return;
    state->held = (uint32_t)sure;
    state->held_for = population->window;
}

static bool sync(struct hpa_expansion *expansion, uint32_t level, uint64_t marks)
{
    const struct hpa_population *population = expansion->population;
    struct scratch *scratch = expansion->scratch;
    merge_equal_groups(&scratch->to);
    const struct reach reach = decide(population, &scratch->to);
    for (int32_t replicas = reach.low; replicas <= reach.high; replicas++) {
        copy(&scratch->next, &scratch->to);
        scale_to(population, &scratch->next, (uint32_t)replicas);
        scratch->next.owed = population->remembers_down && reach.wanted > replicas &&
                                     reach.wanted > (int32_t)replicas_of(&scratch->to)
                                 ? (uint32_t)reach.wanted
                                 : 0;
        hold(population, &scratch->next, reach.sure);
        if (!emit(expansion, &scratch->next, level, (uint32_t)replicas, marks))
            return false;
    }
    return true;
}

static bool end_stretch(struct hpa_expansion *expansion, const struct hpa_stretch *stretch,
                        const struct outcome *outcome, uint32_t level)
{
    const struct hpa_population *population = expansion->population;
    struct scratch *scratch = expansion->scratch;
    struct hpa_state *to = &scratch->to;
    const struct slo_hpa *hpa = population->service->hpa;
    const uint64_t marks = outcome->broken ? SLO_MARK_VIOLATED : 0;
    copy(to, &scratch->from);
    take_outcome(population, outcome, to);
    pass(population, to, stretch->seconds);
    if (slo_hpa_scrapes(hpa, to->second))
        scrape(population, to);
    if (slo_hpa_syncs(hpa, to->second))
        return sync(expansion, level, marks);
    return emit(expansion, to, level, 0, marks);
}

/* The range of the queues that the first group (the oldest, with the longest) may
 * have in the end is cut into pieces, each of which says more about what was
 * served. */
static bool try_level(struct hpa_expansion *expansion, uint32_t level)
{
    const struct hpa_population *population = expansion->population;
    const struct hpa_state *from = &expansion->scratch->from;
    const struct hpa_stretch stretch = stretch_from(population, from, level);
    const bool equal = population->service->balancing == SLO_ROUND_ROBIN;
    struct outcome whole;
    play_stretch(population, from, &stretch, &whole);
    const uint64_t low = whole.queue_low[0];
    const uint64_t high = whole.queue_high[0];
    const uint64_t pieces = equal ? (high - low) / population->split + 1 : 1;
    for (uint64_t piece = pieces; piece-- > 0;) {
        struct outcome outcome = whole;
        if (equal) {
            outcome.queue_low[0] = low + (high - low) * piece / pieces;
            outcome.queue_high[0] = low + divided_up((high - low) * (piece + 1), pieces);
            conserve(from, &stretch, 0, &outcome);
        }
        if (outcome.served_low[0] > outcome.served_high[0])
            continue; /* no such run */
        if (!end_stretch(expansion, &stretch, &outcome, level))
            return false;
    }
    return true;
}

static void expand(const struct model *model, void *worker, const uint32_t *words, uint32_t length,
                   struct step_sink *sink)
{
    const struct hpa_population *population = model->context;
    struct scratch *scratch = worker;
    struct hpa_expansion expansion = {population, scratch, sink};
    unpack(words, length, &scratch->from);
    if (population->horizon > 0 && scratch->from.second >= population->horizon)
        return;
    const uint32_t rate = population->service->load.rates[scratch->from.position];
    /* The most first, as in the other model. */
    for (uint32_t level = rate > 0 ? population->levels + 1 : 1; level-- > 0;)
        if (!try_level(&expansion, level))
            return;
}

static void initial(const struct model *model, void *worker, struct step_sink *sink)
{
    const struct hpa_population *population = model->context;
    struct scratch *scratch = worker;
    scratch->to = (struct hpa_state){.group_count = 1};
    /* Before the first sync the replicas count as recommended, just then. */
    if (population->window > 0) {
        scratch->to.held = population->service->pods_initial;
        scratch->to.held_for = population->window + population->service->hpa->sync_period;
    }
    scratch->to.groups[0] =
        (struct group){.count = population->service->pods_initial, .ready = population->age_most};
    const uint32_t length = pack(&scratch->to, scratch->words);
    step_sink_emit(sink, &(struct step){.words = scratch->words, .length = length});
}

static void *worker_create(const struct model *model, struct memory *memory)
{
    (void)model;
    return memory_try_allocate_zeroed(memory, sizeof(struct scratch));
}

static void worker_free(const struct model *model, struct memory *memory, void *worker)
{
    (void)model;
    memory_release(memory, worker, sizeof(struct scratch));
}

/* ---- the model ---- */

static uint32_t greatest_divisor(uint32_t a, uint32_t b)
{
    while (b) {
        const uint32_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

static bool looks_back(const struct scaling_rules *rules, uint32_t seconds)
{
    for (uint32_t i = 0; rules && i < rules->policy_count; i++)
        if (rules->policies[i].period_seconds > (int32_t)seconds)
            return true;
    return false;
}

/* How fine things are at grain 1. */
enum { LEVELS = 4, QUEUES = 16, SERVED = 16, SPLITS = 8 };

/* Seconds for which a recommendation holds the replicas up, plus 1. A window
 * without `behavior` counts its edge. */
static uint32_t window_of(const struct slo_hpa *hpa, const struct hpa_input *input)
{
    const int64_t window = hpa->scale_up ? hpa_down_window(input) : hpa->flags.downscale_window;
    const uint32_t seconds = (uint32_t)(window / NS_PER_SECOND);
    return hpa->scale_up || seconds == 0 ? seconds : seconds + 1;
}

/* A whole number of requests, so that `all` is about so many of them. */
static uint32_t unit_of(uint64_t all, uint32_t count)
{
    return rounded_up(all / count > HPA_PARTS ? all / count : HPA_PARTS, HPA_PARTS);
}

bool hpa_population_init(struct hpa_population *population, const struct slo_service *service,
                         uint32_t grain, uint32_t horizon, bool holds)
{
    static const char *const actions[] = {"second"};
    const struct slo_hpa *hpa = service->hpa;
    const uint64_t cycle = (uint64_t)hpa->sync_period * hpa->resolution /
                           greatest_divisor(hpa->sync_period, hpa->resolution);
    const struct hpa_input input = slo_hpa_input(service, 1);
    /* Groups that start must leave room for the others, and sums fit 32 bits. */
    if (cycle > SLO_INTERVAL_MOST || service->startup / hpa->sync_period > GROUPS_MOST / 2 ||
        (uint64_t)service->handled * HPA_PARTS * hpa->resolution > UINT32_MAX / 4 ||
        (uint64_t)service->queue_most * HPA_PARTS > UINT32_MAX / 4)
        return false;
    *population = (struct hpa_population){
        .service = service,
        .grain = grain,
        .levels = LEVELS * grain,
        .horizon = horizon,
        .window = holds ? window_of(hpa, &input) : 0,
        .split = unit_of((uint64_t)service->handled * HPA_PARTS * hpa->resolution, SPLITS * grain),
        /* A short look can afford to be exact. */
        .queue_unit =
            horizon ? 1 : unit_of((uint64_t)service->queue_most * HPA_PARTS, QUEUES * grain),
        .served_unit =
            unit_of((uint64_t)service->handled * HPA_PARTS * hpa->resolution, SERVED * grain),
        .cycle = (uint32_t)cycle,
        .age_most = hpa_run_age_most(service),
        .remembers_down =
            (hpa->scale_up ? hpa_down_window(&input) : hpa->flags.downscale_window) > 0,
        .remembers_up = hpa->scale_up && hpa_up_window(&input) > 0,
        .remembers_changes = looks_back(hpa->scale_up, hpa->sync_period) ||
                             looks_back(hpa->scale_down, hpa->sync_period),
    };
    population->model = (struct model){
        .name = "horizontalPodAutoscaler",
        .context = population,
        .length_least = HEADER_WORDS,
        .length_most = HEADER_WORDS + GROUPS_MOST * GROUP_WORDS,
        .actions = actions,
        .action_count = 1,
        .mark_count = 6,
        .worker_create = worker_create,
        .worker_free = worker_free,
        .initial = initial,
        .expand = expand,
    };
    return true;
}
