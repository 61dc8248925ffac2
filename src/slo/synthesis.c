/* SPDX-License-Identifier: Apache-2.0 */
#include "slo/synthesis.h"

#include "base/clock.h"
#include "base/limit.h"
#include "base/vec.h"
#include "slo/hpa.h"

#include <inttypes.h>
#include <string.h>

static const char *const names[] = {
    [SLO_FIND_MIN_PODS] = "min-pods",
    [SLO_FIND_MAX_RATE] = "max-rate",
    [SLO_FIND_THRESHOLD] = "threshold",
    [SLO_FIND_STARTUP] = "startup",
};

enum { FIND_COUNT = sizeof(names) / sizeof(names[0]), STARTUP_TRIED_MOST = 120 };

bool slo_find_parse(const char *name, enum slo_find *find)
{
    for (int i = 0; i < FIND_COUNT; i++)
        if (strcmp(names[i], name) == 0) {
            *find = (enum slo_find)i;
            return true;
        }
    return false;
}

struct finding {
    struct arena *arena;
    const struct slo_service *service;
    struct slo_limits limits;
    struct memory *memory;
    struct slo_frontier *frontier;
    int64_t started;
};

/* ---- the service with another value ---- */

static void cap_load(struct arena *arena, struct slo_load *load, uint32_t rate, bool raise)
{
    uint32_t *rates = ARENA_ARRAY(arena, uint32_t, load->positions);
    for (uint32_t i = 0; i < load->positions; i++)
        rates[i] = raise || load->rates[i] > rate ? rate : load->rates[i];
    load->rates = rates;
}

static bool is_constant(const struct slo_load *load)
{
    return load->positions == 1;
}

static void set_threshold(struct arena *arena, struct slo_service *service, uint32_t percent)
{
    if (service->rule == SLO_QUEUE_THRESHOLD) {
        service->up = (uint32_t)((uint64_t)service->queue_most * percent / 100);
        return;
    }
    struct slo_hpa *hpa = arena_copy(arena, service->hpa, sizeof(*service->hpa));
    hpa->metric.target_value = percent;
    service->hpa = hpa;
}

static struct slo_service changed(struct finding *finding, uint64_t value)
{
    struct slo_service service = *finding->service;
    const uint32_t number = (uint32_t)value;
    switch (finding->frontier->find) {
    case SLO_FIND_MIN_PODS:
        service.pods_min = number;
        service.pods_initial = service.pods_initial < number ? number : service.pods_initial;
        break;
    case SLO_FIND_MAX_RATE:
        cap_load(finding->arena, &service.load, number, is_constant(&service.load));
        break;
    case SLO_FIND_THRESHOLD: set_threshold(finding->arena, &service, number); break;
    case SLO_FIND_STARTUP: service.startup = number; break;
    }
    return service;
}

/* ---- trying ---- */

/* Keeps the probes in order. */
static void note_probe(struct finding *finding, uint64_t value, struct slo_verdict verdict)
{
    struct slo_frontier *frontier = finding->frontier;
    VEC_PUSH(finding->arena, frontier, ((struct slo_probe){0}));
    uint32_t at = frontier->count - 1;
    for (; at > 0 && frontier->items[at - 1].value > value; at--)
        frontier->items[at] = frontier->items[at - 1];
    frontier->items[at] = (struct slo_probe){value, verdict};
}

/* Does it hold with this value? The limit of time is for all tries together. */
static bool try_value(struct finding *finding, uint64_t value)
{
    struct slo_limits limits = finding->limits;
    limit_spend_ns(&limits.time_most_ms, clock_now_ns() - finding->started);
    const struct slo_service service = changed(finding, value);
    const struct slo_verdict verdict = slo_judge(&service, false, &limits, finding->memory);
    note_probe(finding, value, verdict);
    finding->frontier->undecided |= verdict.verdict == VERDICT_UNDECIDED;
    return verdict.verdict == VERDICT_HOLDS;
}

/* Every `step`th value from first to last; the best is the greatest that holds
 * below (or the least above) all that fail. */
static void search_grid(struct finding *finding, uint64_t first, uint64_t last, uint64_t step,
                        bool greatest)
{
    struct slo_frontier *frontier = finding->frontier;
    frontier->step = (uint32_t)step;
    for (uint64_t value = first; value <= last; value += step)
        try_value(finding, value);
    for (uint32_t i = 0; i < frontier->count; i++) {
        const struct slo_probe *probe = &frontier->items[greatest ? frontier->count - 1 - i : i];
        if (probe->verdict.verdict != VERDICT_HOLDS)
            continue;
        frontier->found = true;
        frontier->value = probe->value;
        frontier->open_ended = greatest && i == 0;
        break;
    }
    frontier->exact = step == 1 && !frontier->undecided;
}

static void search_rate(struct finding *finding)
{
    struct slo_frontier *frontier = finding->frontier;
    const bool constant = is_constant(&finding->service->load);
    const uint64_t most = constant ? SLO_RATE_MOST : slo_load_peak(&finding->service->load);
    frontier->exact = true;
    if (!try_value(finding, 0))
        return;
    frontier->found = true;
    uint64_t holds = 0;
    uint64_t fails = 1;
    while (fails <= most && try_value(finding, fails)) {
        holds = fails;
        fails *= 2;
    }
    if (fails > most && holds < most && try_value(finding, most))
        holds = most;
    frontier->open_ended = holds == most;
    fails = fails > most ? most : fails;
    while (holds + 1 < fails) {
        const uint64_t middle = holds + (fails - holds) / 2;
        if (try_value(finding, middle))
            holds = middle;
        else
            fails = middle;
    }
    frontier->value = holds;
    frontier->exact = !frontier->undecided;
}

void slo_find(struct arena *arena, const struct slo_service *service, enum slo_find find,
              const struct slo_limits *limits, struct memory *memory, struct slo_frontier *frontier)
{
    const bool cheap = service->rule == SLO_QUEUE_THRESHOLD;
    struct finding finding = {.arena = arena,
                              .service = service,
                              .limits = *limits,
                              .memory = memory,
                              .frontier = frontier,
                              .started = clock_now_ns()};
    *frontier = (struct slo_frontier){.find = find, .parameter = names[find], .step = 1};
    switch (find) {
    case SLO_FIND_MIN_PODS: search_grid(&finding, 1, service->pods_max, 1, false); break;
    case SLO_FIND_MAX_RATE: search_rate(&finding); break;
    case SLO_FIND_THRESHOLD: search_grid(&finding, cheap ? 1 : 5, 100, cheap ? 1 : 5, true); break;
    case SLO_FIND_STARTUP: search_grid(&finding, 0, STARTUP_TRIED_MOST, cheap ? 1 : 5, true); break;
    }
    if (find == SLO_FIND_MAX_RATE && service->divisor > 1) {
        frontier->value *= service->divisor;
        for (uint32_t i = 0; i < frontier->count; i++)
            frontier->items[i].value *= service->divisor;
    }
}

const char *slo_frontier_text(struct arena *arena, const struct slo_frontier *frontier)
{
    static const char *const best[] = {
        [SLO_FIND_MIN_PODS] = "the smallest minimum of pods that keeps the objective",
        [SLO_FIND_MAX_RATE] = "the largest rate at which the objective is kept",
        [SLO_FIND_THRESHOLD] = "the highest threshold (per cent) that keeps the objective",
        [SLO_FIND_STARTUP] = "the slowest start of pods (seconds) that keeps the objective",
    };
    const char *caveat = "";
    const char *grid = "";
    if (frontier->step > 1)
        grid = arena_printf(arena, "; only every %uth value was tried", frontier->step);
    if (frontier->undecided)
        caveat = "; a value stayed undecided, so there may be a better one";
    else if (frontier->open_ended)
        caveat = "; no larger one was tried";
    if (!frontier->found)
        return arena_printf(arena, "%s: none of those tried does%s%s", best[frontier->find],
                            frontier->undecided ? caveat : "", grid);
    return arena_printf(arena, "%s: %" PRIu64 "%s%s", best[frontier->find], frontier->value, caveat,
                        grid);
}
