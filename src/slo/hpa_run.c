/* SPDX-License-Identifier: Apache-2.0 */
#include "slo/hpa_run.h"

#include "slo/threshold.h"

#include <string.h>

#define NS_PER_SECOND INT64_C(1000000000)

void hpa_run_init(struct hpa_run *run, struct arena *arena, const struct slo_service *service)
{
    *run = (struct hpa_run){
        .arena = arena,
        .service = service,
        .pods = ARENA_ARRAY(arena, struct hpa_run_pod, service->pods_max + 1U),
        .pod_count = service->pods_initial,
        /* Before the first second there was no load, and a scrape that saw it. */
        .scraped = service->hpa->resolution - service->hpa->delay,
    };
    for (uint32_t i = 0; i < run->pod_count; i++)
        run->pods[i].ready = hpa_run_age_most(service);
}

void hpa_run_bounds(const struct hpa_run *run, uint32_t *least, uint32_t *most)
{
    const struct slo_load *load = &run->service->load;
    *most = load->rates[run->position];
    *least = 0;
    if (load->rise<*most && * most - load->rise> run->last)
        *most = run->last + load->rise;
    if (load->fall < run->last)
        *least = run->last - load->fall < *most ? run->last - load->fall : *most;
}

uint32_t hpa_run_ready(const struct hpa_run *run)
{
    uint32_t count = 0;
    while (count < run->pod_count && run->pods[count].starting == 0)
        count++;
    return count;
}

int64_t hpa_usage(const struct slo_hpa *hpa, uint64_t served, uint64_t full)
{
    const uint64_t share = served < full ? served : full;
    const quantity_nanos used = (quantity_nanos)share * hpa->busy_milli;
    return (int64_t)((used + (quantity_nanos)full - 1) / (quantity_nanos)full);
}

/* A sample is looked at while it is younger than a scrape and a sync, and asks
 * whether the pod was ready a window before it. */
uint32_t hpa_run_age_most(const struct slo_service *service)
{
    return 2 * service->hpa->resolution + service->hpa->sync_period;
}

/* ---- requests ---- */

static void take(struct hpa_run_pod *pod, uint32_t requests)
{
    pod->queue += requests;
}

/* Many requests to the shortest queues: all that can be levelled at once, then
 * the rest one by one. */
static void fill_least_loaded(struct hpa_run *run, uint32_t ready, uint32_t requests)
{
    while (requests > 0) {
        uint32_t least = UINT32_MAX;
        uint32_t above = UINT32_MAX;
        uint32_t count = 0;
        for (uint32_t i = 0; i < ready; i++) {
            const uint32_t queue = run->pods[i].queue;
            if (queue < least) {
                above = least;
                least = queue;
                count = 1;
            } else if (queue == least) {
                count++;
            } else if (queue < above) {
                above = queue;
            }
        }
        if (count == 0)
            return; /* there is always a ready pod */
        uint32_t levels = requests / count;
        levels = above - least < levels ? above - least : levels;
        uint32_t given = 0;
        for (uint32_t i = 0; i < ready && given < requests; i++)
            if (run->pods[i].queue == least) {
                take(&run->pods[i], levels ? levels : 1);
                given += levels ? levels : 1;
            }
        requests -= given;
    }
}

static void deal(struct hpa_run *run, uint32_t ready, uint32_t requests)
{
    const uint32_t each = requests / ready;
    uint32_t turn = run->next % ready;
    for (uint32_t i = 0; i < ready; i++)
        take(&run->pods[i], each);
    for (uint32_t i = 0; i < requests % ready; i++) {
        take(&run->pods[turn], 1);
        turn = (turn + 1) % ready;
    }
    run->next = turn;
}

/* ---- the autoscaler ---- */

static void show_pod(const struct hpa_run *run, const struct hpa_run_pod *pod,
                     struct hpa_pod_class *class, struct hpa_sample *sample)
{
    const struct slo_hpa *hpa = run->service->hpa;
    const bool ready = pod->starting == 0;
    *sample = (struct hpa_sample){
        .state = ready && pod->sample >= 0 ? HPA_SAMPLE_VALUE : HPA_SAMPLE_NONE,
        .milli = pod->sample,
        .age = ((int64_t)run->second + hpa->resolution - run->scraped) * NS_PER_SECOND,
        .window = (int64_t)hpa->resolution * NS_PER_SECOND,
    };
    *class = (struct hpa_pod_class){
        .count = 1,
        .phase = ready ? POD_RUNNING : POD_PENDING,
        .readiness = ready ? HPA_READY_TRUE : HPA_READY_FALSE,
        .started = ready,
        .start_age = ((int64_t)pod->ready + run->service->startup) * NS_PER_SECOND,
        .ready_age = (int64_t)pod->ready * NS_PER_SECOND,
        .samples = sample,
        .requests = &hpa->request,
    };
}

static const char *words_of(struct arena *arena, const struct hpa_proposal *proposal,
                            const struct hpa_decision *decision, uint32_t before)
{
    const char *held = "";
    if (proposal->failure != HPA_OK)
        return "has no metrics and does nothing";
    if (decision->stabilization == HPA_STABILIZED_DOWN)
        held = " (stabilized)";
    else if (decision->limited)
        held = " (limited)";
    if ((uint32_t)decision->replicas == before)
        return arena_printf(arena, "wants %d, keeps %u%s", decision->proposed, before, held);
    return arena_printf(arena, "wants %d, scales from %u to %d%s", decision->proposed, before,
                        decision->replicas, held);
}

static void scale_to(struct hpa_run *run, uint32_t replicas)
{
    /* Those that start come last, then the youngest. */
    if (replicas < run->pod_count)
        run->pod_count = replicas;
    for (; run->pod_count < replicas; run->pod_count++)
        run->pods[run->pod_count] =
            (struct hpa_run_pod){.starting = run->service->startup, .sample = -1};
}

void hpa_run_sync(struct hpa_run *run, struct slo_second *told)
{
    struct hpa_input input = slo_hpa_input(run->service, run->pod_count);
    struct hpa_pod_class *classes = ARENA_ARRAY(run->arena, struct hpa_pod_class, run->pod_count);
    struct hpa_sample *samples = ARENA_ARRAY(run->arena, struct hpa_sample, run->pod_count);
    struct hpa_proposal proposal;
    struct hpa_decision decision;
    const uint32_t before = run->pod_count;
    for (uint32_t i = 0; i < run->pod_count; i++)
        show_pod(run, &run->pods[i], &classes[i], &samples[i]);
    input.pods = classes;
    input.pod_count = run->pod_count;
    hpa_decide(&input, &run->memory, &proposal, &decision);
    hpa_memory_record(run->arena, &run->memory, &input, &decision);
    hpa_memory_bound(&run->memory, &input);
    scale_to(run, (uint32_t)decision.replicas);
    if (!told)
        return;
    told->utilization = proposal.failure == HPA_OK ? proposal.utilization : -1;
    if (input.metrics->target != HPA_TARGET_UTILIZATION)
        told->utilization = -1;
    told->decision = words_of(run->arena, &proposal, &decision, before);
    told->marks |= run->pod_count > before   ? SLO_MARK_ASKED
                   : run->pod_count < before ? SLO_MARK_DROPPED
                                             : 0;
}

/* ---- the second ---- */

static void handle(struct hpa_run *run, uint32_t ready)
{
    for (uint32_t i = 0; i < ready; i++) {
        struct hpa_run_pod *pod = &run->pods[i];
        const uint32_t served =
            pod->queue < run->service->handled ? pod->queue : run->service->handled;
        pod->queue -= served;
        pod->served += served;
    }
}

static void tick(struct hpa_run *run, uint32_t ready)
{
    for (uint32_t i = 0; i < run->pod_count; i++) {
        if (i < ready)
            run->pods[i].ready += run->pods[i].ready < hpa_run_age_most(run->service);
        else
            run->pods[i].starting--;
    }
    run->second++;
    run->position = slo_load_next(&run->service->load, run->position);
    hpa_memory_age(&run->memory, NS_PER_SECOND);
}

static void scrape(struct hpa_run *run)
{
    const struct slo_hpa *hpa = run->service->hpa;
    const uint64_t full = (uint64_t)run->service->handled * hpa->resolution;
    const uint32_t ready = hpa_run_ready(run);
    for (uint32_t i = 0; i < ready; i++) {
        run->pods[i].sample = hpa_usage(hpa, run->pods[i].served, full);
        run->pods[i].served = 0;
    }
    run->scraped = run->second + hpa->resolution;
}

static void tell_queues(struct hpa_run *run, uint32_t ready, struct slo_second *told)
{
    told->queue = ARENA_ARRAY(run->arena, uint32_t, ready);
    told->queue_count = ready;
    for (uint32_t i = 0; i < ready; i++)
        told->queue[i] = run->pods[i].queue;
}

bool hpa_run_second(struct hpa_run *run, uint32_t requests, struct slo_second *told)
{
    const struct slo_service *service = run->service;
    const uint32_t ready = hpa_run_ready(run);
    bool broken = false;
    if (service->balancing == SLO_LEAST_LOADED)
        fill_least_loaded(run, ready, requests);
    else
        deal(run, ready, requests);
    for (uint32_t i = 0; i < ready; i++)
        broken = broken || run->pods[i].queue > service->queue_most;
    if (told) {
        *told = (struct slo_second){.requests = requests,
                                    .allowed = service->load.rates[run->position],
                                    .serving = ready,
                                    .utilization = -1,
                                    .marks = broken ? SLO_MARK_VIOLATED : 0};
        tell_queues(run, ready, told);
    }
    handle(run, ready);
    run->last = requests;
    tick(run, ready);
    const uint32_t ready_after = hpa_run_ready(run);
    if (slo_hpa_scrapes(service->hpa, run->second))
        scrape(run);
    if (slo_hpa_syncs(service->hpa, run->second))
        hpa_run_sync(run, told);
    if (told) {
        told->marks |= ready_after > ready ? SLO_MARK_STARTED : 0;
        told->serving_after = hpa_run_ready(run);
        told->starting = run->pod_count - told->serving_after;
        told->desired = run->pod_count;
    }
    return broken;
}
