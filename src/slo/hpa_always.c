/* SPDX-License-Identifier: Apache-2.0 */
/*
 * deadlock. A second needs a number of requests that the load allows, and a ready
 * pod. The least number that is allowed is never above the greatest. The first pod
 * is ready at the start and the last to be dropped, and the autoscaler keeps at
 * least one.
 *
 * controllability. Every number that the load allows is dealt to the ready pods, and
 * queues have no end.
 *
 * nonblocking. Let the traffic be as low as the load allows: after some time no
 * requests come, and later none wait. From the scrapes after that on all samples say
 * 0, for which the controller never proposes more pods than there are. When the
 * recommendations of before have left their window it does not ask for any more
 * either: what it remembers was at most the replicas of then, and those were only
 * lowered to what it still remembers. So replicas only fall, in the end stay, and
 * then all pods are ready and sampled and all that limits a change is forgotten.
 * With how many pods it may stay is tried, for each number: one sync at rest. If it
 * leaves all numbers above that of the start, the service returns to idle.
 *
 * If it does not, nothing is lost as long as there never are more pods than at the
 * start: a sync in which all of them are as busy as can be tells (proposals grow
 * with usage, and before the first change all pods are ready). A pod's share of the
 * highest rate is as busy as it can be, if it can handle that, since then nothing
 * ever waits. Otherwise a traffic that leads to more pods, which are never dropped
 * again, is a violation.
 */
#include "slo/hpa_always.h"

#include "base/vec.h"
#include "slo/hpa_run.h"

enum { SECONDS_TRIED = 4000 };

static void answer_with(struct slo_answer *answer, enum verdict verdict, const char *note)
{
    answer->verdict = verdict;
    answer->reason = verdict == VERDICT_UNDECIDED ? EXPLORE_OMISSION : EXPLORE_DECIDED;
    answer->note = note;
}

/* The replicas after a sync when so many pods have long been ready, each handles so
 * many requests a second, and nothing is remembered. */
static uint32_t settled_sync(struct arena *arena, const struct slo_service *service,
                             uint32_t replicas, uint32_t handled)
{
    struct hpa_run run;
    const struct arena_mark mark = arena_mark(arena);
    hpa_run_init(&run, arena, service);
    run.memory.started = true;
    run.pod_count = replicas;
    for (uint32_t i = 0; i < replicas; i++)
        run.pods[i] =
            (struct hpa_run_pod){.ready = hpa_run_age_most(service),
                                 .sample = hpa_usage(service->hpa, handled, service->handled)};
    hpa_run_sync(&run, NULL);
    arena_rewind(arena, mark);
    return run.pod_count;
}

/* The least number of pods above that of the start at which it stays though they
 * are idle; 0: there is none. */
static uint32_t find_sticking(struct arena *arena, const struct slo_service *service,
                              uint64_t *syncs)
{
    for (uint32_t count = service->pods_initial + 1; count <= service->pods_max; count++, ++*syncs)
        if (settled_sync(arena, service, count, 0) >= count)
            return count;
    return 0;
}

/* Of services that never drop a pod: may there ever be more than at the start? */
static bool may_ask_for_more(struct arena *arena, const struct slo_service *service)
{
    const uint32_t initial = service->pods_initial;
    const uint32_t peak = slo_load_peak(&service->load);
    const uint32_t share = peak / initial + (peak % initial > 0);
    return settled_sync(arena, service, initial, share) > initial;
}

/* Why no pod is ever dropped, whatever comes; NULL if none of these is the reason. */
static const char *never_drops(const struct slo_service *service)
{
    const struct hpa_input input = slo_hpa_input(service, service->pods_initial);
    if (input.scale_down && input.scale_down->select_policy == SCALING_SELECT_DISABLED)
        return "scaleDown has the selectPolicy Disabled";
    /* Idle pods are at 0, which is then within the tolerance of any target. */
    if (input.tolerance_down >= 1)
        return "with a tolerance of 1 or more even idle pods use enough";
    return NULL;
}

/* All that the load allows, until there are more pods than at the start: how many
 * they are, or 0. */
static uint32_t find_more_pods(struct arena *arena, const struct slo_service *service,
                               struct slo_timeline *timeline)
{
    VEC(struct slo_second) seconds = {0};
    struct hpa_run run;
    const struct arena_mark mark = arena_mark(arena);
    hpa_run_init(&run, arena, service);
    while (run.pod_count <= service->pods_initial && seconds.count < SECONDS_TRIED) {
        struct slo_second told;
        uint32_t least;
        uint32_t most;
        hpa_run_bounds(&run, &least, &most);
        hpa_run_second(&run, most, &told);
        VEC_PUSH(arena, &seconds, told);
    }
    if (run.pod_count > service->pods_initial) {
        *timeline = (struct slo_timeline){.seconds = seconds.items, .count = seconds.count};
        return run.pod_count;
    }
    arena_rewind(arena, mark);
    return 0;
}

static bool can_become_low(const struct slo_load *load)
{
    for (uint32_t i = load->loop_to; i < load->positions; i++)
        if (load->low[i])
            return true;
    return false;
}

static void ask_nonblocking(struct arena *arena, const struct slo_service *service,
                            struct slo_answer *answer)
{
    const struct slo_load *load = &service->load;
    if (load->fall == 0 || !can_become_low(load) || service->handled == 0) {
        answer_with(answer, VERDICT_UNDECIDED, "the load need not become low again");
        return;
    }
    const uint32_t sticking = find_sticking(arena, service, &answer->states);
    if (sticking == 0) {
        answer_with(answer, VERDICT_HOLDS,
                    "when no requests come, what waits is handled, and the autoscaler goes back "
                    "to no more pods than at the start");
        return;
    }
    const char *reason = never_drops(service);
    answer->states++;
    if (reason && !may_ask_for_more(arena, service)) {
        answer_with(answer, VERDICT_HOLDS,
                    "pods are never dropped, but there never are more than at the start either");
        return;
    }
    const uint32_t pods = reason ? find_more_pods(arena, service, &answer->timeline) : 0;
    answer->states += answer->timeline.count;
    if (pods > 0)
        answer_with(answer, VERDICT_VIOLATED,
                    arena_printf(arena,
                                 "%s: the %u pods of second %u stay for ever, whatever comes; at "
                                 "the start there were %u",
                                 reason, pods, answer->timeline.count, service->pods_initial));
    else
        answer_with(answer, VERDICT_UNDECIDED,
                    arena_printf(arena,
                                 "%s%s%u pods would stay though they are idle, at the start there "
                                 "are %u; no traffic was found that leads to them, and none was "
                                 "ruled out",
                                 reason ? reason : "", reason ? ": " : "", sticking,
                                 service->pods_initial));
}

void hpa_always(struct arena *arena, const struct slo_service *service, enum slo_question question,
                struct slo_answer *answer)
{
    *answer = (struct slo_answer){.question = question};
    if (service->pods_min == 0 || service->pods_initial == 0)
        answer_with(answer, VERDICT_UNDECIDED, "there may be no pod that serves");
    else if (question == SLO_NONBLOCKING)
        ask_nonblocking(arena, service, answer);
    else if (question == SLO_DEADLOCK)
        answer_with(answer, VERDICT_HOLDS,
                    "every second has a next one: a pod always serves, however many requests come");
    else
        answer_with(answer, VERDICT_HOLDS,
                    "queues have no end: all requests wait until a pod handles them");
}
