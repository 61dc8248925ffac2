/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A ring of members (a ConfigMap says how many are live) and the StatefulSet that runs
 * them. To shrink, one round decommissions members and the next takes them away. What a
 * round that no longer wants to shrink does with members that are decommissioned is
 * nothing; with `recommission: true` it takes them back.
 */
#include "fathom/parts.h"

static const struct fathom_value *ring(const struct fathom_round *round)
{
    return fathom_make(round->call, "{data: {live: %v}}",
                       fathom_at(round->call, round->cr, "spec.replicas"));
}

static const struct fathom_value *set(const struct fathom_round *round)
{
    return fathom_make(round->call, "{spec: {replicas: %v}}",
                       fathom_at(round->call, round->cr, "spec.replicas"));
}

enum { RING, SET, PARTS };

static const struct fathom_part items[PARTS] = {
    {.kind = "ConfigMap", .suffix = "-ring", .make = ring, .never_updated = true},
    {.kind = "StatefulSet", .suffix = "", .make = set},
};
static const struct fathom_parts parts = {.items = items, .count = PARTS};

static struct fathom_answer update(const struct fathom_round *round, const char *at,
                                   const struct fathom_value *object)
{
    return (struct fathom_answer){
        .local = fathom_make(round->call, "{at: %s}", at),
        .request = {.verb = FATHOM_UPDATE,
                    .kind = fathom_text(round->call, object, "kind", ""),
                    .name_space = round->name_space,
                    .name = fathom_text(round->call, object, "metadata.name", ""),
                    .object = object}};
}

/* Both are there: what is to be done? */
static struct fathom_answer decide(const struct fathom_round *round,
                                   const struct fathom_value *members,
                                   const struct fathom_value *running)
{
    struct fathom_call *call = round->call;
    const struct fathom_value *wanted = fathom_at(call, round->cr, "spec.replicas");
    int64_t want = fathom_number(call, wanted, NULL, 0);
    int64_t live = fathom_number(call, members, "data.live", 0);
    int64_t replicas = fathom_number(call, running, "spec.replicas", 0);
    bool again = fathom_truth(call, fathom_parameter(call, "recommission"), NULL, false);
    const struct fathom_value *ring_then = fathom_with(call, members, "data.live", wanted);
    const struct fathom_value *set_then = fathom_with(call, running, "spec.replicas", wanted);
    if (replicas > want)
        return live > want ? update(round, "last", ring_then) : update(round, "last", set_then);
    if (replicas < want) {
        struct fathom_answer answer = update(round, "grown", set_then);
        answer.local = fathom_with(call, answer.local, "ring", ring_then);
        return answer;
    }
    return again && live < want ? update(round, "last", ring_then) : fathom_end_done(round);
}

static struct fathom_answer step(struct fathom_call *call, const struct fathom_value *cr,
                                 const struct fathom_response *response,
                                 const struct fathom_value *local)
{
    struct fathom_round round = fathom_round_of(call, cr, local);
    int part = (int)fathom_number(call, local, "part", RING);
    if (fathom_is_at(call, local, "grown") && !response->error)
        return update(&round, "last", fathom_at(call, local, "ring"));
    if (fathom_is_at(call, local, "last") || fathom_is_at(call, local, "grown"))
        return response->error ? fathom_end_error(&round) : fathom_end_done(&round);
    if (fathom_is_at(call, local, "get") && part == SET && !response->error)
        return decide(&round, fathom_at(call, local, "ring"), response->content);
    struct fathom_answer answer = fathom_parts_step(&parts, &round, response);
    if (!fathom_is_at(call, local, "start") && part == RING && response && !response->error &&
        fathom_number(call, answer.local, "part", RING) == SET)
        answer.local = fathom_with(call, answer.local, "ring", response->content);
    return answer;
}

static bool match(struct fathom_call *call, const struct fathom_store *store,
                  const struct fathom_value *cr)
{
    return fathom_parts_match(&parts, call, store, cr);
}

static const char *const kinds[] = {"Simple", NULL};

const struct fathom_controller fathom_controller = {
    FATHOM_CONTROLLER_HEADER,
    .name = "ring",
    .custom_kinds = kinds,
    .init = fathom_parts_init,
    .step = step,
    .status = fathom_parts_status,
    .match = match,
};
