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

/* The state at a sync, as far as the future depends on it. */
static uint64_t fingerprint(const struct hpa_run *run)
{
    const uint32_t cycle = run->second % run->service->hpa->resolution;
    uint64_t hash = hash_bytes(run->pods, sizeof(run->pods[0]) * run->pod_count);
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

/* The seconds of a run; where it begins to repeat itself. */
struct course {
    VEC(struct slo_second) seconds;
    VEC(uint64_t) states; /* after each sync */
    uint32_t loop_from;
    bool loops;
    uint64_t marks; /* of the seconds that repeat */
};

/* Has the run been here before? Fingerprints are long enough to tell. */
static bool comes_back(struct course *course, const struct hpa_run *run)
{
    const uint64_t state = fingerprint(run);
    for (uint32_t i = 0; i < course->states.count; i++)
        if (course->states.items[i] == state) {
            course->loop_from = (i + 1) * run->service->hpa->sync_period;
            return true;
        }
    VEC_PUSH(run->arena, &course->states, state);
    return false;
}

static void run_course(struct arena *arena, const struct slo_service *service, uint32_t rate,
                       struct course *course)
{
    struct hpa_run run;
    *course = (struct course){0};
    hpa_run_init(&run, arena, service);
    while (!course->loops && course->states.count < CYCLES_MOST) {
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
    bool all = step == 1;
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
        all = all && course.loops;
        if (course.loops && (course.marks & swings) == swings &&
            !(course.marks & SLO_MARK_LOAD_CHANGED)) {
            answer->verdict = VERDICT_VIOLATED;
            answer->timeline = (struct slo_timeline){course.seconds.items, course.seconds.count,
                                                     true, course.loop_from};
            return;
        }
        arena_rewind(arena, mark);
    }
    answer->verdict = all ? VERDICT_HOLDS : VERDICT_UNDECIDED;
    answer->reason = all ? EXPLORE_DECIDED : EXPLORE_OMISSION;
    answer->note = all ? "every rate was tried, from the start on"
                       : "not every rate was tried, or one took too long to repeat itself";
}
