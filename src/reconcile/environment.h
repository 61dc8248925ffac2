/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A controller in its environment, as a model for the checker core.
 *
 * The compound machine: an API server with its store, a network of requests and
 * responses in any order, the controller's rounds (one for each custom resource),
 * the garbage collector, the controllers that report the status of StatefulSets
 * and DaemonSets, users who work through a script, crashes of the controller, and
 * requests that fail. Each step is one action of one of them.
 *
 * docs/controller.md says what makes it finite and what that costs: resource
 * versions and uids are renamed after each step (which is exact, since they may
 * only be compared), and the script and the budgets are bounds.
 */
#ifndef FATHOM_RECONCILE_ENVIRONMENT_H
#define FATHOM_RECONCILE_ENVIRONMENT_H

#include "explore/model.h"
#include "reconcile/controller.h"

enum script_verb { SCRIPT_CREATE, SCRIPT_UPDATE, SCRIPT_DELETE };

/* What a user does, atomically unless client_async. */
struct script_operation {
    enum script_verb verb;
    struct object_key key;
    const struct datum *object; /* create, update */
    struct place place;
};

/* How versions and uids are renamed after each step. */
enum renaming {
    RENAME_BY_PLACE, /* in the order in which they occur: only equality counts */
    RENAME_BY_ORDER, /* in the order in which they were made, too */
    RENAME_NONE,     /* not at all: the numbers grow, and so does the graph */
};

/* Which participants are promised a turn (fairness); tests switch single promises off. */
enum {
    UNFAIR_STABILIZE = 1,
    UNFAIR_COLLECTOR = 2,
    UNFAIR_CONTROLLER = 4,
    UNFAIR_SCHEDULE = 8,
};

/* Conditions on objects, in predicates.h. */
struct match_rules;
struct safety_rules;

struct environment_options {
    const struct script_operation *script;
    uint32_t script_count;
    uint32_t crashes;
    uint32_t failures;
    uint32_t stale_reads;

    bool fuse_schedule;     /* a round reads the custom resource when it starts */
    bool no_status;         /* StatefulSets and DaemonSets report nothing */
    bool status_flap;       /* they may also report that nothing is ready */
    bool timeout_applied;   /* a request that times out may have been applied */
    bool client_async;      /* users send requests, which take their time */
    bool external_failures; /* requests to the application's own API fail, too */
    bool own_failures;      /* only the controller's own requests fail */
    bool one_failure;       /* and only with a Timeout */
    enum renaming renaming;
    /* Keeps differences between states that have no effect: requests that are answered
     * and not read yet, the stability of objects that are gone. For tests that compare
     * with it. */
    bool keep_all;
    unsigned unfair;
    bool one_api_turn; /* the API server is promised a turn, not each request */

    const struct match_rules *match; /* NULL: the controller's own */
    const struct safety_rules *safety;
};

struct environment;

/* NULL: it cannot be modelled, and `problems` says why. The controller and all
 * that the options point to must outlive it. Problems that come up later are
 * added there, too. */
struct environment *environment_create(struct memory *memory, const struct controller *controller,
                                       const struct environment_options *options,
                                       struct problems *problems);
void environment_free(struct environment *environment);

const struct model *environment_model(const struct environment *environment);

/* A question could not be answered, so the result of the exploration is not valid. */
bool environment_failed(const struct environment *environment);
const atomic_bool *environment_failure(const struct environment *environment); /* for the search */

/* Custom resources that the script makes, sorted; property i of the model, and
 * atoms 2 i (it is there and its desired state is attainable) and 2 i + 1 (and it
 * is not matched), are about resource i. Safety properties come after these. */
uint32_t environment_resource_count(const struct environment *environment);
struct object_key environment_resource(const struct environment *environment, uint32_t index);
uint32_t environment_safety_count(const struct environment *environment);
const char *environment_safety_name(const struct environment *environment, uint32_t index);

/* How often the controller was asked, and how much is remembered. */
struct environment_statistics {
    uint64_t questions; /* that the controller or the verbs answered */
    uint64_t shapes;
};
struct environment_statistics environment_statistics(const struct environment *environment);

/* A state as trees, for words about it. Numbers are those of the state. */
struct world_round {
    const struct datum *scheduled;
    const struct datum *resource; /* that the round was started with; NULL: no round */
    const struct datum *memory;
    bool done, failed;
    bool has_request, has_response;
    struct api_request request;
    struct controller_response response;
};

struct world_key {
    struct object_key key;
    const struct datum *object; /* NULL: none */
    bool collected;             /* the collector's Delete is in flight */
    bool stable;
    bool has_status; /* a report of its status is in flight */
    struct api_request status;
};

struct env_world {
    uint32_t script_done;
    uint32_t crashes;
    uint32_t failures;
    uint32_t stale_reads;
    struct object_list store;
    const struct datum *external;
    struct world_round *rounds; /* by resource */
    struct world_key *keys;     /* those with an object or a message in flight */
    uint32_t key_count;
    struct api_request *orphans;
    uint32_t orphan_count;
    struct api_request *users; /* by place in the script; verb API_LIST: none in flight */
    bool lags;
    struct object_list lagging;
};

/* In the arena; of the state with these words. */
struct env_world *environment_world(const struct environment *environment, struct arena *arena,
                                    const uint32_t *words, uint32_t length);

/* What a step was, as far as words about it need to know. */
enum action {
    ACTION_USER,
    ACTION_CRASH,
    ACTION_LAG, /* an API server falls behind */
    ACTION_SCHEDULE,
    ACTION_RUN,
    ACTION_CONTINUE,
    ACTION_END,
    ACTION_SERVE_CONTROLLER,
    ACTION_SERVE_COLLECTOR,
    ACTION_SERVE_STATUS,
    ACTION_SERVE_ORPHAN,
    ACTION_SERVE_USER,
    ACTION_FAIL_CONTROLLER,
    ACTION_FAIL_COLLECTOR,
    ACTION_FAIL_STATUS,
    ACTION_FAIL_ORPHAN,
    ACTION_FAIL_USER,
    ACTION_STALE_SCHEDULE,
    ACTION_STALE_READ,
    ACTION_COLLECT,
    ACTION_REPORT_STATUS,
    ACTION_STABILIZE,
    ACTION_COUNT
};

/* `argument` of a step: which resource, place in the script, orphan, or (of the
 * collector, status controllers) number of the key; and a variant: which error. */
static inline uint32_t step_argument(uint32_t which, uint32_t variant)
{
    return which | variant << 24;
}
static inline uint32_t step_which(uint32_t argument)
{
    return argument & 0xffffff;
}
static inline uint32_t step_variant(uint32_t argument)
{
    return argument >> 24;
}
struct object_key environment_key(const struct environment *environment, uint32_t number);

#endif
