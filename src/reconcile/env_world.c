/* SPDX-License-Identifier: Apache-2.0 */
/* A state as trees, for output to people; not used by the search. */
#include "reconcile/environment_internal.h"

struct telling {
    const struct environment *environment;
    struct arena *arena;
};

static const struct datum *tree_of(const struct telling *telling, const struct memo_part *part)
{
    if (part->shape == 0)
        return NULL;
    const struct shape *shape = shape_at(&telling->environment->shapes, part->shape);
    uint64_t versions[HOLES_MOST];
    uint64_t uids[HOLES_MOST];
    for (uint32_t i = 0; i < part->versions; i++)
        versions[i] = part->holes[i];
    for (uint32_t i = 0; i < part->uids; i++)
        uids[i] = part->holes[part->versions + i];
    return shape_fill(telling->arena, shape->tree, versions, uids);
}

static struct api_request request_of(const struct telling *telling, const struct memo_part *part)
{
    return request_of_datum(tree_of(telling, part));
}

static void tell_round(const struct telling *telling, const struct round *round,
                       struct world_round *told)
{
    const struct shape_table *shapes = &telling->environment->shapes;
    told->scheduled = tree_of(telling, &round->scheduled);
    told->resource = tree_of(telling, &round->resource);
    if (!told->resource)
        return;
    told->memory = datum_member(tree_of(telling, &round->memory), "memory");
    told->done = shape_at(shapes, round->memory.shape)->done;
    told->failed = shape_at(shapes, round->memory.shape)->failed;
    if (round->pending.shape == 0)
        return;
    const struct shape *message = shape_at(shapes, round->pending.shape);
    told->has_request = message->role == SHAPE_REQUEST;
    told->has_response = !told->has_request;
    if (told->has_request) {
        told->request = request_of(telling, &round->pending);
    } else {
        const struct datum *tree = tree_of(telling, &round->pending);
        told->response.error = message->error;
        told->response.content = datum_member(tree, "content");
    }
}

static void tell_keys(const struct telling *telling, const struct object_draft *draft,
                      struct env_world *world)
{
    const struct datum **objects =
        ARENA_ARRAY(telling->arena, const struct datum *, draft->slot_count + 1);
    world->keys = ARENA_ARRAY(telling->arena, struct world_key, draft->slot_count + 1);
    world->key_count = draft->slot_count;
    for (uint32_t i = 0; i < draft->slot_count; i++) {
        const struct object_slot *slot = &draft->slots[i];
        struct world_key *key = &world->keys[i];
        key->key = telling->environment->shapes.keys[slot->key];
        key->object = tree_of(telling, &slot->object);
        key->collected = slot->collected;
        key->stable = slot->stable;
        key->has_status = slot->status.shape != 0;
        if (key->has_status)
            key->status = request_of(telling, &slot->status);
        if (key->object)
            objects[world->store.count++] = key->object;
    }
    world->store.items = objects;
}

static void tell_messages(const struct telling *telling, const struct object_draft *draft,
                          struct env_world *world)
{
    const struct environment_options *options = &telling->environment->options;
    world->orphans = ARENA_ARRAY(telling->arena, struct api_request, draft->orphan_count + 1);
    world->orphan_count = draft->orphan_count;
    for (uint32_t i = 0; i < draft->orphan_count; i++)
        world->orphans[i] = request_of(telling, &draft->orphans[i]);
    world->users = ARENA_ARRAY(telling->arena, struct api_request, options->script_count + 1);
    for (uint32_t i = 0; i < options->script_count; i++) {
        world->users[i].verb = API_LIST;
        if (options->client_async && draft->users[i].shape != 0)
            world->users[i] = request_of(telling, &draft->users[i]);
    }
    const struct datum **lagging =
        ARENA_ARRAY(telling->arena, const struct datum *, draft->lagging_count + 1);
    for (uint32_t i = 0; i < draft->lagging_count; i++)
        lagging[i] = tree_of(telling, &draft->lagging[i]);
    world->lags = draft->lags;
    world->lagging = (struct object_list){.items = lagging, .count = draft->lagging_count};
}

struct env_world *environment_world(const struct environment *environment, struct arena *arena,
                                    const uint32_t *words, uint32_t length)
{
    struct env_worker *worker = ARENA_NEW(arena, struct env_worker);
    worker->environment = (struct environment *)environment;
    draft_read(worker, words, length, &worker->draft);
    const struct object_draft *draft = &worker->draft;
    const struct telling telling = {.environment = environment, .arena = arena};
    struct env_world *world = ARENA_NEW(arena, struct env_world);
    world->script_done = draft->script_done;
    world->crashes = draft->crashes;
    world->failures = draft->failures;
    world->stale_reads = draft->stale_reads;
    world->external = tree_of(&telling, &draft->external);
    world->rounds = ARENA_ARRAY(arena, struct world_round, environment->resource_count + 1);
    for (uint32_t i = 0; i < environment->resource_count; i++)
        tell_round(&telling, &draft->rounds[i], &world->rounds[i]);
    tell_keys(&telling, draft, world);
    tell_messages(&telling, draft, world);
    return world;
}
