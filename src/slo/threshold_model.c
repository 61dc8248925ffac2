/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The rule `queueThreshold` for the checker core.
 *
 * A state is packed into as few words as will do, since most services are small
 * and there are many states:
 *
 *     word 0   on (10 bits) | elapsed (11) | creating (1) | started (10)
 *     word 1   position of the load (20) | whose turn (12); left out if both never change
 *     word 2   the last second's requests, the rate committed to, or packets; where needed
 *     then     the queues: two a word if they fit 16 bits, else one
 *
 * Numbers of requests that lead to the same state are one step, with the
 * greatest of them as its argument.
 */
#include "slo/threshold.h"

#include <string.h>

enum { ON_BITS = 10, ELAPSED_BITS = 11, STARTED_SHIFT = 22, POSITION_BITS = 20 };
#define STUCK UINT32_MAX

_Static_assert(SLO_PODS_MOST < 1 << ON_BITS, "pods fit their field");
_Static_assert(SLO_INTERVAL_MOST < 1 << ELAPSED_BITS, "seconds fit their field");
_Static_assert(SLO_STARTUP_MOST < 1 << (32 - STARTED_SHIFT), "seconds fit their field");
_Static_assert(SLO_POSITIONS_MOST <= 1 << POSITION_BITS, "positions fit their field");

static bool deals(const struct slo_service *service)
{
    return service->balancing == SLO_ROUND_ROBIN || service->balancing == SLO_ROUND_ROBIN_PUBLISHED;
}

static bool has_second(const struct slo_service *service)
{
    return service->load.positions > 1 || (deals(service) && service->pods_max > 1);
}

static bool has_ramp(const struct slo_service *service)
{
    return service->load.rise != UINT32_MAX || service->load.fall != UINT32_MAX;
}

void threshold_unpack(const struct threshold_model *model, const uint32_t *words,
                      struct threshold_state *state)
{
    const struct slo_service *service = model->service;
    uint32_t *queue = state->queue;
    uint32_t at = 1;
    *state = (struct threshold_state){
        .on = words[0] & ((1U << ON_BITS) - 1),
        .elapsed = words[0] >> ON_BITS & ((1U << ELAPSED_BITS) - 1),
        .creating = words[0] >> (STARTED_SHIFT - 1) & 1,
        .started = words[0] >> STARTED_SHIFT,
        .next = 1,
        .stuck = words[0] == STUCK,
        .queue = queue,
    };
    if (has_second(service)) {
        state->position = words[at] & ((1U << POSITION_BITS) - 1);
        state->next = words[at++] >> POSITION_BITS;
    }
    if (has_ramp(service))
        state->last = words[at++];
    if (model->view.commits)
        state->committed = words[at++];
    if (model->view.packets)
        state->packet = words[at++];
    for (uint32_t i = 0; i < service->pods_max; i++)
        queue[i] = model->wide ? words[at + i] : words[at + i / 2] >> i % 2 * 16 & 0xffff;
}

static void pack(const struct threshold_model *model, const struct threshold_state *state,
                 uint32_t *words)
{
    const struct slo_service *service = model->service;
    uint32_t at = 1;
    words[0] = state->on | state->elapsed << ON_BITS | state->creating << (STARTED_SHIFT - 1) |
               state->started << STARTED_SHIFT;
    if (has_second(service))
        words[at++] = state->position | state->next << POSITION_BITS;
    if (has_ramp(service))
        words[at++] = state->last;
    if (model->view.commits)
        words[at++] = state->committed;
    if (model->view.packets)
        words[at++] = state->packet;
    if (model->wide) {
        memcpy(words + at, state->queue, sizeof(uint32_t) * service->pods_max);
        return;
    }
    for (uint32_t i = 0; i < service->pods_max; i += 2)
        words[at + i / 2] =
            state->queue[i] | (i + 1 < service->pods_max ? state->queue[i + 1] << 16 : 0);
}

/* ---- what the core calls ---- */

struct scratch {
    struct threshold_state from, to, seen;
    uint32_t *words;    /* of the successor */
    uint32_t *previous; /* the last one emitted */
    uint32_t numbers[];
};

static size_t scratch_bytes(const struct threshold_model *model)
{
    return sizeof(struct scratch) + sizeof(uint32_t) * (3 * (size_t)model->service->pods_max +
                                                        2 * (size_t)model->model.length_most);
}

static void *worker_create(const struct model *base, struct memory *memory)
{
    const struct threshold_model *model = base->context;
    struct scratch *scratch = memory_try_allocate_zeroed(memory, scratch_bytes(model));
    if (!scratch)
        return NULL;
    const uint32_t pods = model->service->pods_max;
    scratch->from.queue = scratch->numbers;
    scratch->to.queue = scratch->numbers + pods;
    scratch->seen.queue = scratch->numbers + 2 * (size_t)pods;
    scratch->words = scratch->numbers + 3 * (size_t)pods;
    scratch->previous = scratch->words + base->length_most;
    return scratch;
}

static void worker_free(const struct model *base, struct memory *memory, void *worker)
{
    memory_release(memory, worker, scratch_bytes(base->context));
}

static void initial(const struct model *base, void *worker, struct step_sink *sink)
{
    const struct threshold_model *model = base->context;
    struct scratch *scratch = worker;
    threshold_initial(model->service, &scratch->to);
    pack(model, &scratch->to, scratch->words);
    step_sink_emit(sink, &(struct step){.words = scratch->words, .length = base->length_most});
}

/* The numbers of requests that a second may have. */
struct choices {
    uint32_t least, most, step;
};

static struct choices choices_of(const struct slo_service *service,
                                 const struct threshold_state *state)
{
    const struct slo_load *load = &service->load;
    struct choices choices = {.most = load->rates[state->position], .step = 1};
    if (load->rise < choices.most && choices.most - load->rise > state->last)
        choices.most = state->last + load->rise;
    if (load->fall < state->last && state->last - load->fall > choices.least)
        choices.least = state->last - load->fall;
    /* The load may fall faster than the ramp allows; the limit comes first. */
    if (choices.least > choices.most)
        choices.least = choices.most;
    /* Only whole shares count where the rest is dropped; a ramp sees the rest. */
    if (service->balancing == SLO_EVEN && !has_ramp(service) && choices.least == 0)
        choices.step = state->on;
    return choices;
}

struct threshold_expansion {
    const struct threshold_model *model;
    struct scratch *scratch;
    struct step_sink *sink;
    bool emitted; /* `previous` holds a state */
    uint64_t previous_marks;
};

static bool emit(struct threshold_expansion *expansion, uint32_t requests, uint64_t marks)
{
    struct scratch *scratch = expansion->scratch;
    const uint32_t length = expansion->model->model.length_most;
    const size_t bytes = sizeof(uint32_t) * length;
    if (expansion->emitted && marks == expansion->previous_marks &&
        memcmp(scratch->words, scratch->previous, bytes) == 0)
        return true;
    uint32_t *words = scratch->words;
    scratch->words = scratch->previous;
    scratch->previous = words;
    expansion->emitted = true;
    expansion->previous_marks = marks;
    return step_sink_emit(expansion->sink, &(struct step){.words = words,
                                                          .length = length,
                                                          .argument = requests,
                                                          .fairness = FAIRNESS_NONE,
                                                          .marks = marks});
}

/* A copy of the state to work on. */
static struct threshold_state *successor(struct scratch *scratch, uint32_t pods)
{
    struct threshold_state *to = &scratch->to;
    uint32_t *queue = to->queue;
    *to = scratch->from;
    to->queue = queue;
    memcpy(queue, scratch->from.queue, sizeof(uint32_t) * pods);
    return to;
}

static bool try_requests(struct threshold_expansion *expansion, uint32_t requests)
{
    const struct threshold_model *model = expansion->model;
    struct scratch *scratch = expansion->scratch;
    struct threshold_state *to = successor(scratch, model->service->pods_max);
    struct threshold_second second;
    const bool taken = threshold_step(model->service, to, requests, &second);
    to->last = requests;
    if (!taken && !model->view.refusals)
        return true;
    if (taken) {
        pack(model, to, scratch->words);
    } else {
        memset(scratch->words, 0, sizeof(uint32_t) * model->model.length_most);
        scratch->words[0] = STUCK;
    }
    return emit(expansion, requests, second.marks);
}

/* ---- packets ---- */

/* Where only whole shares count, a packet is one for each pod that serves. */
static uint32_t packet_unit(const struct slo_service *service, const struct threshold_state *state)
{
    return service->balancing == SLO_EVEN ? state->on : 1;
}

/* Radix of the packets: few enough states on the way, few enough choices. */
enum { RADIX_BITS = 3, RADIX = 1 << RADIX_BITS };

/* The choices of one packet, as multiples of `size`, then maybe one of `last`:
 * together the packets add up to every number from 0 to `total`, and no other. */
struct packet {
    uint32_t size, multiples, last;
};

static struct packet packet_at(uint32_t total, uint32_t number)
{
    const uint32_t size = 1U << number * RADIX_BITS;
    if (total < size)
        return (struct packet){.size = size};
    /* The packets before this one cover 0 to size - 1. */
    const uint32_t left = total - (size - 1);
    const uint32_t multiples = left / size;
    if (multiples >= RADIX - 1)
        return (struct packet){.size = size, .multiples = RADIX - 1};
    return (struct packet){.size = size, .multiples = multiples, .last = left % size ? left : 0};
}

static uint32_t packet_count(uint32_t total)
{
    uint32_t count = 1;
    while (total >> count * RADIX_BITS > 0)
        count++;
    return count;
}

static bool try_packet(struct threshold_expansion *expansion, uint32_t requests)
{
    const struct threshold_model *model = expansion->model;
    struct scratch *scratch = expansion->scratch;
    struct threshold_state *to = successor(scratch, model->service->pods_max);
    struct threshold_second second = {0};
    if (to->packet + 1 < model->steps_per_second) {
        threshold_allocate(model->service, to, requests);
        to->packet++;
    } else {
        threshold_step(model->service, to, requests, &second);
        to->packet = 0;
    }
    pack(model, to, scratch->words);
    return emit(expansion, requests, second.marks);
}

static void expand_packet(struct threshold_expansion *expansion)
{
    const struct slo_service *service = expansion->model->service;
    const struct threshold_state *from = &expansion->scratch->from;
    const uint32_t unit = packet_unit(service, from);
    const struct packet packet =
        packet_at(service->load.rates[from->position] / unit, from->packet);
    if (packet.last > 0 && !try_packet(expansion, packet.last * unit))
        return;
    for (uint32_t i = packet.multiples + 1; i-- > 0;)
        if (!try_packet(expansion, i * packet.size * unit))
            return;
}

bool threshold_packets_pay(const struct slo_service *service)
{
    enum { WORTH_FROM = 128 };
    return service->balancing != SLO_ROUND_ROBIN_PUBLISHED && !has_ramp(service) &&
           slo_load_peak(&service->load) >= WORTH_FROM;
}

/* ---- one rate for ever ---- */

/* A cycle that scales up and down has a second in which a pod was dropped, and
 * its states can be reached by free traffic, too. So it is enough to settle on
 * a rate where a pod may just have been dropped. */
static bool may_commit(const struct threshold_model *model, const struct threshold_state *state)
{
    return model->view.commits && state->elapsed == 1;
}

static void commit(struct threshold_expansion *expansion)
{
    const struct threshold_model *model = expansion->model;
    const uint32_t peak = slo_load_peak(&model->service->load);
    for (uint32_t rate = 0; rate <= peak; rate++) {
        struct threshold_state *to = successor(expansion->scratch, model->service->pods_max);
        to->committed = rate + 1;
        pack(model, to, expansion->scratch->words);
        if (!emit(expansion, THRESHOLD_COMMIT, 0))
            return;
    }
}

uint32_t threshold_committed_requests(const struct slo_service *service,
                                      const struct threshold_state *state)
{
    const uint32_t rate = state->committed - 1;
    const uint32_t most = service->load.rates[state->position];
    return rate < most ? rate : most;
}

/* From here on there is no choice: one step goes until after the rule was looked
 * at the next time. */
static void expand_committed(struct threshold_expansion *expansion)
{
    const struct threshold_model *model = expansion->model;
    struct threshold_state *to = successor(expansion->scratch, model->service->pods_max);
    uint64_t marks = 0;
    do {
        struct threshold_second second;
        const uint32_t requests = threshold_committed_requests(model->service, to);
        if (!threshold_step(model->service, to, requests, &second))
            return;
        to->last = requests;
        marks |= second.marks | (requests + 1 != to->committed ? SLO_MARK_LOAD_CHANGED : 0);
    } while (to->elapsed != 1);
    pack(model, to, expansion->scratch->words);
    emit(expansion, 0, marks);
}

/* ---- expansion ---- */

/* The largest number first, so that the traffic of a counterexample is as simple as possible. */
static void try_most(struct threshold_expansion *expansion, const struct choices *choices)
{
    uint32_t requests = choices->most - choices->most % choices->step;
    while (try_requests(expansion, requests) && requests >= choices->step)
        requests -= choices->step;
}

static void expand(const struct model *base, void *worker, const uint32_t *words, uint32_t length,
                   struct step_sink *sink)
{
    const struct threshold_model *model = base->context;
    struct scratch *scratch = worker;
    struct threshold_expansion expansion = {.model = model, .scratch = scratch, .sink = sink};
    (void)length;
    threshold_unpack(model, words, &scratch->from);
    if (scratch->from.stuck)
        return;
    if (model->view.packets) {
        expand_packet(&expansion);
        return;
    }
    if (scratch->from.committed > 0) {
        expand_committed(&expansion);
        return;
    }
    const struct choices choices = choices_of(model->service, &scratch->from);
    if (choices.step > 1) /* the greatest that counts */
        try_most(&expansion, &choices);
    else
        for (uint32_t requests = choices.most + 1; requests-- > choices.least;)
            if (!try_requests(&expansion, requests))
                return;
    if (may_commit(model, &scratch->from))
        commit(&expansion);
}

static uint64_t atoms(const struct model *base, void *worker, const uint32_t *words,
                      uint32_t length)
{
    const struct threshold_model *model = base->context;
    struct scratch *scratch = worker;
    struct threshold_state *state = &scratch->seen;
    (void)length;
    threshold_unpack(model, words, state);
    if (state->stuck)
        return 0;
    const struct slo_load *load = &model->service->load;
    return (!state->creating && load->low[state->position] ? SLO_ATOM_IDLE : 0) |
           (state->committed > 0 ? SLO_ATOM_COMMITTED : 0);
}

static const char *const actions[] = {"second"};

void threshold_model_init(struct threshold_model *model, const struct slo_service *service,
                          struct threshold_view view)
{
    *model = (struct threshold_model){.service = service, .view = view};
    model->header_words =
        1U + has_second(service) + has_ramp(service) + view.commits + view.packets;
    model->steps_per_second = view.packets ? packet_count(slo_load_peak(&service->load)) : 1;
    model->wide = service->queue_most >= UINT16_MAX;
    const uint32_t length =
        model->header_words + (model->wide ? service->pods_max : (service->pods_max + 1) / 2);
    model->model = (struct model){
        .name = "queueThreshold",
        .context = model,
        .length_least = length,
        .length_most = length,
        .actions = actions,
        .action_count = 1,
        .atom_count = 3,
        .mark_count = 6,
        .worker_create = worker_create,
        .worker_free = worker_free,
        .initial = initial,
        .expand = expand,
        .atoms = atoms,
    };
}
