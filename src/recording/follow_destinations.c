/* SPDX-License-Identifier: Apache-2.0 */
#include "recording/follow_destinations.h"

#include "recording/follow_questions.h"
#include "recording/restore_parts.h"

#include <string.h>

/* The first choice is right unless the DaemonSet controller acted by an old view. */
enum { CHOICES_MOST = 64 };

struct secret {
    struct thing *pod;
    VEC(const char *) nodes; /* the likely ones first */
    uint32_t chosen;
};

struct destinations {
    VEC(struct secret) secrets; /* by birth */
    uint32_t tried;
};

/* What was restored with another node is restored anew. */
static void choose(struct secret *secret, uint32_t chosen)
{
    secret->chosen = chosen;
    secret->pod->destined = chosen < secret->nodes.count ? secret->nodes.items[chosen] : NULL;
    for (uint32_t i = 0; i < secret->pod->versions.count; i++)
        secret->pod->versions.items[i].restored = false;
}

static bool is_secret(const struct version *first)
{
    const char *owner = line_item(value_find(first->line, "owner"), 0);
    return strcmp(first->thing->kind, "Pod") == 0 && owner && strcmp(owner, "DaemonSet") == 0 &&
           value_is_null(value_find(first->line, "object")) &&
           !value_find_string(first->line, "target") && !version_bound_node(first);
}

static void add_node(struct follower *follower, struct secret *secret, const char *node)
{
    for (uint32_t i = 0; i < secret->nodes.count; i++)
        if (strcmp(secret->nodes.items[i], node) == 0)
            return;
    VEC_PUSH(follower->recording->arena, &secret->nodes, node);
}

/* The commit with which the life of the pod ends; INT64_MAX: it is there to the end. */
static int64_t death_of(const struct thing *pod)
{
    const struct version *last = &pod->versions.items[pod->versions.count - 1];
    return last->gone ? last->rv : INT64_MAX;
}

/* Has another pod of the owner the node at some time of this one's life? */
static bool is_taken(const struct recording *recording, const struct version *birth,
                     const char *node)
{
    const char *owner = line_item(value_find(birth->line, "owner"), 1);
    for (uint32_t t = 0; t < recording->things.count; t++) {
        const struct thing *other = recording->things.items[t];
        if (other == birth->thing || strcmp(other->kind, "Pod") != 0 || other->versions.count == 0)
            continue;
        const struct version *first = &other->versions.items[0];
        const char *its_owner = line_item(value_find(first->line, "owner"), 1);
        const char *its_node = version_bound_node(first);
        if (owner && its_owner && strcmp(owner, its_owner) == 0 && its_node &&
            strcmp(its_node, node) == 0 && first->rv < death_of(birth->thing) &&
            death_of(other) > birth->rv)
            return true;
    }
    return false;
}

/* Nodes on which the DaemonSet makes a pod, seeing all but this one; those first that no other of
 * its pods takes. */
static void add_wanted_nodes(struct follower *follower, struct secret *secret,
                             const struct version *birth)
{
    const struct outlook outlook = {.rv = birth->rv - 1};
    const char *set = line_item(value_find(birth->line, "owner"), 1);
    const struct arena_mark mark = arena_mark(&follower->scratch);
    struct glimpse glimpse;
    follower->namespace = birth->thing->namespace;
    if (set && glimpse_at(follower, &outlook, birth->time, NULL, &glimpse)) {
        const struct value *nodes =
            value_find(follower_decide(follower, &decider_daemonset, &glimpse, set), "createOn");
        for (uint32_t pass = 0; pass < 2; pass++)
            for (uint32_t i = 0; nodes && i < nodes->count; i++)
                if (pass == 1 || !is_taken(follower->recording, birth, nodes->items[i].text))
                    add_node(follower, secret,
                             arena_strdup(follower->recording->arena, nodes->items[i].text));
    }
    arena_rewind(&follower->scratch, mark);
}

static void find_nodes(struct follower *follower, struct secret *secret,
                       const struct version *birth)
{
    const struct recording *recording = follower->recording;
    add_wanted_nodes(follower, secret, birth);
    for (uint32_t t = 0; t < recording->things.count; t++) {
        const struct thing *thing = recording->things.items[t];
        if (strcmp(thing->kind, "Node") == 0 && thing_at(thing, birth->rv))
            add_node(follower, secret, thing->name);
    }
}

struct destinations *destinations_guess(struct follower *follower)
{
    struct recording *recording = follower->recording;
    struct destinations *destinations = ARENA_NEW(recording->arena, struct destinations);
    for (uint32_t i = 0; i < recording->order.count; i++) {
        const struct version *birth = recording->order.items[i];
        if (birth != birth->thing->versions.items || !is_secret(birth))
            continue;
        struct secret secret = {.pod = birth->thing};
        find_nodes(follower, &secret, birth);
        choose(&secret, 0);
        VEC_PUSH(recording->arena, &destinations->secrets, secret);
    }
    return destinations;
}

bool destinations_next(struct destinations *destinations)
{
    if (++destinations->tried >= CHOICES_MOST)
        return false;
    for (uint32_t i = destinations->secrets.count; i > 0; i--) {
        struct secret *secret = &destinations->secrets.items[i - 1];
        if (secret->chosen + 1 < secret->nodes.count) {
            choose(secret, secret->chosen + 1);
            return true;
        }
        choose(secret, 0);
    }
    return false;
}
