/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/rank_requests.h"

#include "base/hash.h"
#include "cli/interrupt.h"
#include "cluster/threads/crew.h"
#include "ranks/exchange.h"
#include "ranks/link_mpi.h"
#include "verify/setup_query.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

struct request {
    uint64_t explores; /* 0: there are no more requests */
    uint64_t unit, setup, asked, reductions, interleaving;
    uint64_t states_most, depth_most;
};

/* ---- what all ranks do ---- */

/* The findings of every rank, on rank 0. Those of components (room held, sizes) do not matter where
 * whole setups are explored. False: broken. */
static bool join_findings(struct link *link, struct crew *crew)
{
    for (uint32_t rank = 1; rank < link->count; rank++) {
        const struct population_findings *own = crew_findings(crew);
        struct population_findings found = *own;
        found.sizes.why = NULL;
        if (!link_share(link, rank, &found, sizeof(found)))
            return false;
        if (link->rank != 0)
            continue;
        found.held = own->held;
        found.sizes = own->sizes;
        crew_add_findings(crew, &found);
    }
    return true;
}

/* Has every rank a model, and the same one? */
static bool all_are_ready(const struct rank_requests *requests, uint64_t model)
{
    struct link *link = requests->link;
    uint64_t least = 0;
    if (model != 0)
        least = hash_word(requests->input.identity ^ model) | 1;
    uint64_t most = least;
    if (!link_reduce(link, LINK_LEAST, &least, 1) || !link_reduce(link, LINK_MOST, &most, 1))
        return false;
    if (least != 0 && least != most) {
        if (link->rank == 0)
            fputs("fathom-mpi: the ranks read different files, or are different builds\n", stderr);
        link_mpi_abort(EXIT_INPUT);
    }
    return least != 0;
}

static struct exploration *without_memory(const struct link *link, const struct model *model,
                                          struct memory *memory)
{
    struct exploration *result = exploration_create(model, memory);
    const enum explore_reason reason = link->broken ? EXPLORE_INTERRUPTED : EXPLORE_MEMORY;
    for (uint32_t i = 0; result && i < result->property_count; i++)
        result->properties[i].reason = reason;
    if (result)
        exploration_summarise(result, reason);
    return result;
}

/* What a checkpoint of this exploration is known by, and what it goes on from. */
static const struct rank_keeping *keep(struct rank_requests *requests,
                                       const struct request *request, uint64_t model,
                                       struct crew *crew)
{
    if (!requests->opened)
        requests->checkpoint =
            rank_checkpoint_open(requests->session, requests->link, requests->input.question,
                                 requests->checkpoint_interval_ms);
    requests->opened = true;
    const struct rank_checkpoint_key key = {
        request->unit,       request->setup,        request->asked,
        request->reductions, request->interleaving, model,
    };
    return rank_checkpoint_attach(requests->checkpoint, &key, crew);
}

static struct exploration *explore_together(struct rank_requests *requests,
                                            const struct request *request, struct crew *crew,
                                            const struct explore_options *options,
                                            struct memory *memory)
{
    struct link *link = requests->link;
    struct exchange *exchange =
        crew ? exchange_create(memory, crew_worker(crew), link->count) : NULL;
    const uint64_t model = exchange ? exchange_fingerprint(exchange) | 1 : 0;
    struct exploration *found = NULL;
    link->interrupted = options->interrupted;
    if (all_are_ready(requests, model)) {
        const struct codec codec = exchange_codec(exchange);
        const struct rank_options how = {options, link, &codec, &requests->statistics,
                                         keep(requests, request, model, crew)};
        found = rank_explore(crew_model(crew), &how, memory);
        rank_checkpoint_detach(requests->checkpoint, found ? found->reason : EXPLORE_MEMORY);
        (void)join_findings(link, crew);
    } else if (crew) {
        found = without_memory(link, crew_model(crew), memory);
    }
    exchange_free(exchange);
    return found;
}

/* ---- rank 0 ---- */

struct exploration *rank_requests_explore(void *context, const struct setup_query *query,
                                          enum population_reductions reductions, struct crew *crew,
                                          const struct explore_options *options,
                                          struct memory *memory)
{
    struct rank_requests *requests = context;
    struct request request = {
        .explores = 1,
        .unit = query->unit,
        .setup = query->number,
        .asked = query->asked,
        .reductions = (uint64_t)reductions,
        .interleaving = (uint64_t)query->population->interleaving,
        .states_most = options->states_most,
        .depth_most = options->depth_most,
    };
    requests->link->interrupted = options->interrupted;
    if (!link_share(requests->link, 0, &request, sizeof(request)))
        return without_memory(requests->link, crew_model(crew), memory);
    return explore_together(requests, &request, crew, options, memory);
}

/* ---- the others ---- */

struct server {
    struct rank_requests *requests;
    struct session *session;
    const struct verify_settings *settings;
    const struct verify_plan *plans;
};

static void explore_requested(const struct server *server, const struct request *request,
                              struct arena *arena, struct memory *memory)
{
    const struct verify_plan *plan = &server->plans[request->unit];
    const struct verify_settings own =
        verify_settings_of(server->settings, (uint32_t)request->unit);
    struct population_options how = own.run.population;
    struct setups setups = {0};
    struct problems problems;
    problems_init(&problems, arena);
    scope_enumerate(arena, &plan->scope, &setups);
    how.interleaving = (enum population_interleaving)request->interleaving;
    how.reductions = (enum population_reductions)request->reductions;
    how.interrupted = interrupt_listen();
    const struct setup_query query = {.intents = plan->intents.items,
                                      .intent_count = plan->intents.count};
    const struct asked_intents asked = asked_intents(arena, &query, request->asked);
    struct crew *crew = NULL;
    if (request->setup < setups.count)
        crew = crew_create(NULL, memory, &plan->scope, &setups.items[request->setup], asked.items,
                           asked.count, &how, &problems);
    struct explore_options options;
    explore_options_init(&options);
    options.all = true;
    options.states_most = request->states_most;
    options.depth_most = (uint32_t)request->depth_most;
    options.interrupted = how.interrupted;
    explore_free(explore_together(server->requests, request, crew, &options, memory));
    if (crew)
        crew_free(crew);
}

void rank_requests_serve(void *context, struct session *session,
                         const struct verify_settings *settings, const struct verify_plan *plans)
{
    struct rank_requests *requests = context;
    const struct server server = {requests, session, settings, plans};
    struct request request;
    requests->link->interrupted = interrupt_listen();
    while (link_share(requests->link, 0, &request, sizeof(request)) && request.explores) {
        struct memory memory;
        struct arena arena;
        memory_init(&memory, verify_memory_for_setups(&settings->run));
        memory.may_overdraw = true;
        arena_init(&arena, &session->memory);
        explore_requested(&server, &request, &arena, &memory);
        arena_release(&arena);
    }
    requests->over = true;
}

/* ---- the end ---- */

static void print_statistics(struct rank_requests *requests)
{
    enum { NUMBERS = 8 };
    struct link *link = requests->link;
    const struct rank_statistics *own = &requests->statistics;
    uint64_t states = 0, states_most = 0, transitions = 0, bytes = 0;
    double seconds = 0;
    if (link->rank == 0)
        fprintf(stderr, "%5s %12s %12s %12s %12s %12s %10s %9s\n", "rank", "states", "expanded",
                "transitions", "sent", "bytes", "batches", "seconds");
    for (uint32_t rank = 0; rank < link->count; rank++) {
        uint64_t numbers[NUMBERS] = {own->states,
                                     own->expanded,
                                     own->transitions,
                                     own->sent,
                                     link->bytes_sent,
                                     link->batches_sent,
                                     (uint64_t)(own->cpu_seconds * 1e6)};
        if (!link_share(link, rank, numbers, sizeof(numbers)))
            return;
        states += numbers[0];
        states_most = numbers[0] > states_most ? numbers[0] : states_most;
        transitions += numbers[2];
        bytes += numbers[4];
        seconds += (double)numbers[6] / 1e6;
        if (link->rank == 0)
            fprintf(stderr,
                    "%5u %12" PRIu64 " %12" PRIu64 " %12" PRIu64 " %12" PRIu64 " %12" PRIu64
                    " %10" PRIu64 " %9.2f\n",
                    rank, numbers[0], numbers[1], numbers[2], numbers[3], numbers[4], numbers[5],
                    (double)numbers[6] / 1e6);
    }
    if (link->rank == 0)
        fprintf(stderr,
                "largest share of states %.3f of the mean, %.1f bytes a transition, %" PRIu64
                " levels, %" PRIu64 " states gathered, %.2f processor seconds\n",
                states > 0 ? (double)states_most * link->count / (double)states : 1,
                transitions > 0 ? (double)bytes / (double)transitions : 0, own->levels,
                own->gathered, seconds);
}

void rank_requests_end(struct rank_requests *requests, bool prints_statistics)
{
    struct request request = {0};
    struct link *link = requests->link;
    link->interrupted = interrupt_listen();
    rank_checkpoint_close(requests->checkpoint);
    if (!requests->over && !link_share(link, 0, &request, sizeof(request)))
        return;
    if (request.explores) {
        /* This rank has refused what rank 0 has accepted. */
        fprintf(stderr, "fathom-mpi: rank %u cannot read what rank 0 can\n", link->rank);
        link_mpi_abort(EXIT_INPUT);
    }
    if (prints_statistics)
        print_statistics(requests);
}
