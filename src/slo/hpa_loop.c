/* SPDX-License-Identifier: Apache-2.0 */
#include "slo/hpa_loop.h"

#include "base/clock.h"
#include "base/hash.h"
#include "base/vec.h"
#include "slo/hpa_run.h"
#include "slo/threshold.h"

#include <string.h>

/* A run is followed for so many cycles of the controller. */
enum { CYCLES_MOST = 2000, RATES_MOST = 4000 };

/* The state at a sync, as far as the future depends on it, but for the queues. */
static uint64_t fingerprint_without_queues(const struct hpa_run *run)
{
    const uint32_t cycle = run->second % run->service->hpa->resolution;
    uint64_t hash = 0;
    for (uint32_t i = 0; i < run->pod_count; i++) {
        struct hpa_run_pod pod = run->pods[i];
        pod.queue = 0;
        hash = hash_bytes_seeded(&pod, sizeof(pod), hash);
    }
    const uint32_t rest[] = {run->next, run->position, cycle, run->pod_count};
    const struct hpa_memory_list *lists[] = {&run->memory.recommendations, &run->memory.scale_ups,
                                             &run->memory.scale_downs};
    hash = hash_bytes_seeded(rest, sizeof(rest), hash);
    for (size_t list = 0; list < sizeof(lists) / sizeof(lists[0]); list++)
        for (uint32_t i = 0; i < lists[list]->count; i++) {
            const int64_t entry[] = {(int64_t)list, lists[list]->items[i].replicas,
                                     lists[list]->items[i].age};
            hash = hash_bytes_seeded(entry, sizeof(entry), hash);
        }
    return hash;
}

static uint64_t fingerprint(const struct hpa_run *run, uint64_t without_queues)
{
    uint64_t hash = without_queues;
    for (uint32_t i = 0; i < run->pod_count; i++)
        hash = hash_bytes_seeded(&run->pods[i].queue, sizeof(run->pods[i].queue), hash);
    return hash;
}

struct landmark {
    uint64_t state;
    uint64_t without_queues;
};

/* The seconds of a run; where it begins to repeat itself. */
struct course {
    VEC(struct slo_second) seconds;
    VEC(struct landmark) landmarks; /* after each sync */
    uint32_t loop_from;
    bool loops;
    bool grows;     /* it repeats itself except for queues that grow */
    uint64_t marks; /* of the seconds that repeat */
};

static bool is_busy(const struct course *course, uint32_t pod, uint32_t from, uint32_t handled)
{
    for (uint32_t i = from; i < course->seconds.count; i++)
        if (course->seconds.items[i].queue[pod] < handled)
            return false;
    return true;
}

/* Will the run go on as it did since second `from`, at which the state was the same
 * except for the queues? Yes, if the same pods were there all the time, and each has
 * the same queue again or a longer one and was busy all the time: it will be then,
 * too. Where requests go to the shortest queue, all must have grown by the same. */
static bool only_grows(const struct course *course, const struct slo_service *service,
                       uint32_t from)
{
    const uint64_t changes = SLO_MARK_ASKED | SLO_MARK_DROPPED | SLO_MARK_STARTED;
    const struct slo_second *then = &course->seconds.items[from - 1];
    const struct slo_second *now = &course->seconds.items[course->seconds.count - 1];
    for (uint32_t i = from - 1; i < course->seconds.count; i++)
        if (course->seconds.items[i].marks & changes)
            return false;
    if (now->starting > 0)
        return false;
    for (uint32_t pod = 0; pod < now->queue_count; pod++) {
        const uint32_t grown = now->queue[pod] - then->queue[pod];
        if (now->queue[pod] < then->queue[pod] ||
            (grown > 0 && !is_busy(course, pod, from - 1, service->handled)) ||
            (service->balancing == SLO_LEAST_LOADED && grown != now->queue[0] - then->queue[0]))
            return false;
    }
    return true;
}

/* Has the run been here before? Fingerprints are long enough to tell. */
static bool comes_back(struct course *course, const struct hpa_run *run)
{
    struct landmark now = {.without_queues = fingerprint_without_queues(run)};
    now.state = fingerprint(run, now.without_queues);
    for (uint32_t i = 0; i < course->landmarks.count; i++) {
        const struct landmark *then = &course->landmarks.items[i];
        course->loop_from = (i + 1) * run->service->hpa->sync_period;
        if (then->state == now.state)
            return true;
        course->grows = then->without_queues == now.without_queues &&
                        only_grows(course, run->service, course->loop_from);
        if (course->grows)
            return true;
    }
    VEC_PUSH(run->arena, &course->landmarks, now);
    return false;
}

static void run_course(struct arena *arena, const struct slo_service *service, uint32_t rate,
                       struct course *course)
{
    struct hpa_run run;
    *course = (struct course){0};
    hpa_run_init(&run, arena, service);
    while (!course->loops && course->landmarks.count < CYCLES_MOST) {
        struct slo_second told;
        uint32_t least;
        uint32_t most;
        hpa_run_bounds(&run, &least, &most);
        hpa_run_second(&run, rate < least ? least : rate > most ? most : rate, &told);
        VEC_PUSH(arena, &course->seconds, told);
        if (slo_hpa_syncs(service->hpa, run.second))
            course->loops = comes_back(course, &run);
    }
    for (uint32_t i = course->loop_from; course->loops && i < course->seconds.count; i++) {
        course->marks |= course->seconds.items[i].marks;
        /* The load itself changes: no loop without a change of it. */
        if (course->seconds.items[i].requests != rate)
            course->marks |= SLO_MARK_LOAD_CHANGED;
    }
}

/* ---- all rates ---- */

struct tried {
    uint32_t step, peak;
    bool any_grows, any_lasts;
    uint32_t grows; /* the least rate at which queues grow for ever */
    uint32_t lasts; /* the least rate that did not come to repeat itself */
};

static void note_course(struct tried *tried, uint32_t rate, const struct course *course)
{
    if (course->grows && !tried->any_grows)
        tried->grows = rate;
    if (!course->loops && !tried->any_lasts)
        tried->lasts = rate;
    tried->any_grows |= course->grows;
    tried->any_lasts |= !course->loops;
}

static const char *describe_tried(struct arena *arena, const struct tried *tried)
{
    const char *text = "every rate was tried, from the start on";
    if (tried->any_lasts)
        text = arena_printf(arena,
                            "at %u requests a second no state came back within %d syncs, so that "
                            "what happens later is not known; a load of at most %u would be "
                            "decided",
                            tried->lasts, CYCLES_MOST, tried->lasts - (tried->lasts > 0));
    else if (tried->step > 1)
        text = arena_printf(arena,
                            "of the rates from 0 to %u only every %uth was tried, from the start "
                            "on, and none scales for ever; a load of less than %d has all of them "
                            "tried",
                            tried->peak, tried->step, RATES_MOST);
    if (tried->any_grows)
        text = arena_printf(arena,
                            "%s; at %u requests a second it settles with queues that grow "
                            "for ever",
                            text, tried->grows);
    return text;
}

static bool is_up(const struct slo_limits *limits, int64_t started)
{
    const uint64_t passed = (uint64_t)(clock_now_ns() - started) / 1000000;
    return passed >= limits->time_most_ms || (limits->interrupted && *limits->interrupted);
}

void hpa_loop(struct arena *arena, const struct slo_service *service,
              const struct slo_limits *limits, struct memory *memory, struct slo_answer *answer)
{
    const uint64_t swings = SLO_MARK_ASKED | SLO_MARK_DROPPED;
    const int64_t started = clock_now_ns();
    const uint32_t peak = slo_load_peak(&service->load);
    const uint32_t step = peak / RATES_MOST + 1;
    struct tried tried = {.step = step, .peak = peak};
    (void)memory;
    *answer = (struct slo_answer){.question = SLO_CONTROL_LOOP};
    for (uint32_t rate = 0; rate <= peak; rate += step) {
        struct course course;
        const struct arena_mark mark = arena_mark(arena);
        if (is_up(limits, started)) {
            answer->verdict = VERDICT_UNDECIDED;
            answer->reason = EXPLORE_TIME;
            return;
        }
        run_course(arena, service, rate, &course);
        answer->states += course.seconds.count;
        note_course(&tried, rate, &course);
        if (course.loops && (course.marks & swings) == swings &&
            !(course.marks & SLO_MARK_LOAD_CHANGED)) {
            answer->verdict = VERDICT_VIOLATED;
            answer->timeline = (struct slo_timeline){course.seconds.items, course.seconds.count,
                                                     true, course.loop_from};
            return;
        }
        arena_rewind(arena, mark);
    }
    const bool all = step == 1 && !tried.any_lasts;
    answer->verdict = all ? VERDICT_HOLDS : VERDICT_UNDECIDED;
    answer->reason = all ? EXPLORE_DECIDED : EXPLORE_OMISSION;
    answer->note = describe_tried(arena, &tried);
}
