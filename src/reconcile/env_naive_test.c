/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A second environment, as plain as can be: a state is one tree, a step builds a new
 * one, states are compared by their text after renaming, and the search, strongly
 * connected components and fairness are written down once more from the
 * specification. It shares with the real one the verbs and the controllers, nothing
 * else: no shapes, no remembered answers, no words, no checker core. On random
 * controllers, scripts and options both have to agree on states, transitions and
 * verdicts.
 *
 * FATHOM_NAIVE_CASES in the environment runs so many cases instead of a few,
 * FATHOM_NAIVE_FIRST begins with another one; a case that fails is told.
 */
#include "reconcile/reconcile_fixture.h"

#include "base/hash.h"
#include "base/map.h"
#include "base/vec.h"

#include <stdlib.h>

enum { CASES = 20, STATES_LIMIT = 2500, CLASSES_MOST = 256 };

struct edge {
    uint32_t target;
    uint32_t class; /* UINT32_MAX: no promise, may never come */
};

struct node {
    const struct datum *state;
    VEC(struct edge) edges;
    bool present[4], matched[4];
};

struct naive {
    struct fixture *fixture;
    struct arena arena; /* of the graph */
    struct map ids;     /* text to index + 1 */
    VEC(struct node) nodes;
    struct map classes;
    uint32_t class_count;
    uint64_t transitions;
    const char *resources[4]; /* "Cluster/default/a", sorted */
    uint32_t resource_count;
    bool too_large;
    uint32_t from;
    struct arena space;
    struct arena *scratch; /* of one expansion */
};

/* --- Trees --- */

static const struct datum *at(const struct datum *state, const char *format, const char *key)
{
    char path[256];
    snprintf(path, sizeof(path), format, key);
    return datum_at(state, path);
}

static const struct datum *put(struct naive *naive, const struct datum *state, const char *format,
                               const char *key, const struct datum *value)
{
    char path[256];
    snprintf(path, sizeof(path), format, key);
    return datum_with(naive->scratch, state, path, value);
}

static int64_t number(const struct datum *state, const char *path)
{
    return datum_number(datum_at(state, path), 0);
}

static const struct datum *add(struct naive *naive, const struct datum *state, const char *path)
{
    return datum_with(naive->scratch, state, path,
                      datum_integer(naive->scratch, number(state, path) + 1));
}

struct new_names {
    uint64_t values[2][256];
    uint32_t counts[2];
};

static uint64_t renamed(struct new_names *renaming, uint32_t kind, uint64_t value)
{
    uint32_t i = 0;
    while (i < renaming->counts[kind] && renaming->values[kind][i] != value)
        i++;
    if (i == renaming->counts[kind])
        renaming->values[kind][renaming->counts[kind]++] = value;
    return i;
}

static const struct datum *rename_all(struct arena *arena, const struct datum *tree,
                                      struct new_names *renaming)
{
    if (tree->kind == DATUM_VERSION)
        return datum_version(arena, renamed(renaming, 0, tree->number));
    if (tree->kind == DATUM_UID)
        return datum_uid(arena, renamed(renaming, 1, tree->number));
    if (tree->kind == DATUM_LIST) {
        const struct datum **items = ARENA_ARRAY(arena, const struct datum *, tree->count + 1);
        for (uint32_t i = 0; i < tree->count; i++)
            items[i] = rename_all(arena, tree->items[i], renaming);
        return datum_list(arena, items, tree->count);
    }
    if (tree->kind == DATUM_OBJECT) {
        struct datum_member *members = ARENA_ARRAY(arena, struct datum_member, tree->count + 1);
        for (uint32_t i = 0; i < tree->count; i++) {
            members[i].key = tree->members[i].key;
            members[i].value = rename_all(arena, tree->members[i].value, renaming);
        }
        return datum_object(arena, members, tree->count);
    }
    return datum_copy(arena, tree);
}

/* A number above all. */
static uint64_t fresh(const struct datum *tree, enum datum_kind kind)
{
    uint64_t most = 0;
    if (tree->kind == kind)
        return tree->number + 1;
    for (uint32_t i = 0; i < tree->count && tree->kind >= DATUM_LIST; i++) {
        const uint64_t found =
            fresh(tree->kind == DATUM_LIST ? tree->items[i] : tree->members[i].value, kind);
        most = found > most ? found : most;
    }
    return most;
}

/* --- The graph --- */

static const char *text_of(struct naive *naive, const struct datum *state)
{
    struct text text;
    text_init(&text, &naive->fixture->memory);
    datum_write(&text, DATUM_TAGGED, state);
    const char *copy = arena_strdup(naive->scratch, text_content(&text));
    text_release(&text);
    return copy;
}

/* Of two orphans the order does not count: the lesser text stands for both. */
static const char *canonical_text(struct naive *naive, const struct datum **state)
{
    struct new_names renaming = {0};
    const struct datum *orphans = datum_member(*state, "orphans");
    const struct datum *first = rename_all(naive->scratch, *state, &renaming);
    const char *text = text_of(naive, first);
    if (orphans && orphans->count == 2) {
        struct new_names other = {0};
        const struct datum *turned[] = {orphans->items[1], orphans->items[0]};
        const struct datum *second = rename_all(
            naive->scratch,
            datum_with(naive->scratch, *state, "orphans", datum_list(naive->scratch, turned, 2)),
            &other);
        const char *text2 = text_of(naive, second);
        if (strcmp(text2, text) < 0) {
            text = text2;
            first = second;
        }
    }
    *state = first;
    return text;
}

/* Mappings and lists that became empty are none. */
static const struct datum *without_empty(struct naive *naive, const struct datum *tree)
{
    struct datum_member *members =
        ARENA_ARRAY(naive->scratch, struct datum_member, tree->count + 1);
    uint32_t count = 0;
    for (uint32_t i = 0; i < tree->count; i++) {
        const struct datum *value = tree->members[i].value;
        if (value->kind < DATUM_LIST || value->count > 0)
            members[count++] = tree->members[i];
    }
    return datum_object(naive->scratch, members, count);
}

static uint32_t node_of(struct naive *naive, const struct datum *state)
{
    const struct datum *rounds = datum_member(state, "rounds");
    if (rounds)
        state = datum_with(naive->scratch, state, "rounds", without_empty(naive, rounds));
    state = without_empty(naive, state);
    const char *text = canonical_text(naive, &state);
    struct map_entry *entry = map_put(&naive->ids, text);
    if (!entry->value) {
        entry->key = arena_strdup(&naive->arena, text);
        entry->value = (void *)(uintptr_t)(naive->nodes.count + 1);
        struct node node = {.state = datum_copy(&naive->arena, state)};
        VEC_PUSH(&naive->arena, &naive->nodes, node);
    }
    return (uint32_t)(uintptr_t)entry->value - 1;
}

static void step_to(struct naive *naive, const struct datum *state, const char *class)
{
    struct edge edge = {.class = UINT32_MAX};
    if (class) {
        struct map_entry *entry = map_put(&naive->classes, class);
        if (!entry->value) {
            entry->key = arena_strdup(&naive->arena, class);
            entry->value = (void *)(uintptr_t)++naive->class_count;
        }
        edge.class = (uint32_t)(uintptr_t)entry->value - 1;
    }
    edge.target = node_of(naive, state);
    naive->transitions++;
    VEC_PUSH(&naive->arena, &naive->nodes.items[naive->from].edges, edge);
}

/* --- Requests --- */

static const struct datum *message(struct naive *naive, const struct api_request *request)
{
    struct arena *arena = naive->scratch;
    const struct datum_member members[] = {
        {"verb", datum_string(arena, api_verb_name(request->verb))},
        {"kind", datum_string(arena, request->key.kind)},
        {"namespace", datum_string(arena, request->key.name_space)},
        {"name", datum_string(arena, request->key.name)},
        {"object", request->object},
    };
    return datum_object(arena, members, 5);
}

static const char *key_of(struct naive *naive, const struct object_key *key)
{
    return arena_printf(naive->scratch, "%s/%s/%s", key->kind, key->name_space, key->name);
}

/* The state after the request, and the answer to it. */
static const struct datum *serve(struct naive *naive, const struct datum *state,
                                 const struct datum *request, const struct datum **answer)
{
    static const struct api_kind custom = {.kind = "Cluster", .custom = true};
    struct arena *arena = naive->scratch;
    struct api_request made = {
        .key = {.kind = datum_text(datum_member(request, "kind"), ""),
                .name_space = datum_text(datum_member(request, "namespace"), ""),
                .name = datum_text(datum_member(request, "name"), "")},
        .object = datum_member(request, "object"),
    };
    assert_true(api_verb_parse(datum_text(datum_member(request, "verb"), ""), &made.verb));
    const struct api_kind *kind = api_kind_built_in(made.key.kind);
    /* What the request alone knows is in use, too. */
    const struct datum *both[] = {state, request};
    const struct datum *used = datum_list(arena, both, 2);
    const struct api_numbers numbers = {.version = fresh(used, DATUM_VERSION),
                                        .uid = fresh(used, DATUM_UID)};
    const char *key = key_of(naive, &made.key);
    const struct api_outcome outcome =
        api_apply(arena, kind ? kind : &custom, &made, at(state, "objects[\"%s\"]", key), &numbers);
    const struct datum_member members[] = {
        {"error", datum_string(arena, api_error_name(outcome.error))}, {"content", outcome.reply}};
    *answer = datum_object(arena, members, 2);
    if (!outcome.written)
        return state;
    state = put(naive, state, "objects[\"%s\"]", key, outcome.stored);
    if (outcome.unsettles || !outcome.stored)
        state = put(naive, state, "stable[\"%s\"]", key, NULL);
    return state;
}

/* --- Actions --- */

static void act_user(struct naive *naive, const struct datum *state)
{
    const struct environment_options *options = &naive->fixture->options;
    const int64_t done = number(state, "done");
    if (done == options->script_count)
        return;
    const struct script_operation *operation = &options->script[done];
    struct arena *arena = naive->scratch;
    struct api_request request = {.key = operation->key, .object = operation->object};
    const struct datum *stored = at(state, "objects[\"%s\"]", key_of(naive, &operation->key));
    request.verb = operation->verb == SCRIPT_CREATE   ? API_CREATE
                   : operation->verb == SCRIPT_UPDATE ? API_UPDATE
                                                      : API_DELETE;
    if (operation->verb == SCRIPT_UPDATE && stored)
        request.object =
            datum_with(arena, operation->object, "metadata", datum_member(stored, "metadata"));
    const struct datum *answer = NULL;
    const struct datum *next = add(naive, state, "done");
    const struct datum *sent = message(naive, &request);
    if (options->client_async)
        next = put(naive, next, "users[\"%s\"]", arena_printf(arena, "%d", (int)done), sent);
    else
        next = serve(naive, next, sent, &answer);
    step_to(naive, next, NULL);
}

static const struct datum *with_orphan(struct naive *naive, const struct datum *state,
                                       const struct datum *request)
{
    const struct datum *orphans = datum_member(state, "orphans");
    return datum_with(naive->scratch, state,
                      arena_printf(naive->scratch, "orphans[%u]", orphans ? orphans->count : 0),
                      request);
}

static void act_crash(struct naive *naive, const struct datum *state)
{
    if (number(state, "crashes") == naive->fixture->options.crashes)
        return;
    const struct datum *next = add(naive, state, "crashes");
    for (uint32_t i = 0; i < naive->resource_count; i++) {
        const struct datum *request = at(state, "rounds[\"%s\"].request", naive->resources[i]);
        if (request)
            next = with_orphan(naive, next, request);
        next = put(naive, next, "rounds[\"%s\"]", naive->resources[i], NULL);
    }
    next = datum_with(naive->scratch, next, "rounds", NULL);
    step_to(naive, next, NULL);
}

/* A server that lags keeps a copy of the store. */
static void act_lag(struct naive *naive, const struct datum *state)
{
    if (datum_member(state, "lag") || number(state, "stale") == naive->fixture->options.stale_reads)
        return;
    const struct datum *next = datum_with(naive->scratch, state, "lag.on", datum_bool(true));
    step_to(naive, datum_with(naive->scratch, next, "lag.objects", datum_member(state, "objects")),
            NULL);
}

/* After a crash reads may be stale; one that is not ends that. */
static bool reads_stale(const struct datum *state)
{
    return datum_member(state, "lag") && number(state, "crashes") > 0;
}

static const struct datum *read_fresh(struct naive *naive, const struct datum *state)
{
    return reads_stale(state) ? datum_with(naive->scratch, state, "lag", NULL) : state;
}

static const struct datum *read_stale(struct naive *naive, const struct datum *state)
{
    const struct datum *next = add(naive, state, "stale");
    return number(next, "stale") == naive->fixture->options.stale_reads
               ? datum_with(naive->scratch, next, "lag", NULL)
               : next;
}

static const char *class_of(struct naive *naive, const char *what, const char *key)
{
    return arena_printf(naive->scratch, "%s %s", what, key);
}

static bool round_is_over(const struct datum *memory)
{
    const char *after = datum_text(datum_member(memory, "after"), "");
    return strcmp(after, "done") == 0 || strcmp(after, "error") == 0;
}

/* A round without its scheduled copy and without anything else is none. */
static const struct datum *without_round(struct naive *naive, const struct datum *state,
                                         const char *key)
{
    const struct datum *scheduled = at(state, "rounds[\"%s\"].scheduled", key);
    const struct datum *next = put(naive, state, "rounds[\"%s\"]", key, NULL);
    if (datum_member(next, "rounds") && datum_member(next, "rounds")->count == 0)
        next = datum_with(naive->scratch, next, "rounds", NULL);
    return scheduled ? put(naive, next, "rounds[\"%s\"].scheduled", key, scheduled) : next;
}

static void start_round(struct naive *naive, const struct datum *state, const char *key,
                        const struct datum *copy, const char *class)
{
    const struct datum *next = put(naive, state, "rounds[\"%s\"].resource", key, copy);
    next = put(naive, next, "rounds[\"%s\"].scheduled", key, NULL);
    next = put(naive, next, "rounds[\"%s\"].memory", key, chain_memory(naive->scratch, 0, "start"));
    step_to(naive, next, class);
}

static void act_start(struct naive *naive, const struct datum *state, const char *key)
{
    const bool fused = naive->fixture->options.fuse_schedule;
    const struct datum *stored = at(state, "objects[\"%s\"]", key);
    const struct datum *old = reads_stale(state) ? at(state, "lag.objects[\"%s\"]", key) : NULL;
    const struct datum *scheduled = at(state, "rounds[\"%s\"].scheduled", key);
    const bool running = at(state, "rounds[\"%s\"].resource", key) != NULL;
    const char *class = class_of(naive, "round", key);
    if (fused) {
        if (!running && stored)
            start_round(naive, read_fresh(naive, state), key, stored, class);
        if (!running && old)
            start_round(naive, read_stale(naive, state), key, old, NULL);
        return;
    }
    if (stored && !datum_equal(stored, scheduled))
        step_to(naive,
                put(naive, read_fresh(naive, state), "rounds[\"%s\"].scheduled", key, stored),
                class_of(naive, "schedule", key));
    if (old && !datum_equal(old, scheduled))
        step_to(naive, put(naive, read_stale(naive, state), "rounds[\"%s\"].scheduled", key, old),
                NULL);
    if (!running && scheduled)
        start_round(naive, state, key, scheduled, class);
}

static void act_round(struct naive *naive, const struct datum *state, const char *key)
{
    const struct controller *controller = &naive->fixture->controller;
    const struct datum *resource = at(state, "rounds[\"%s\"].resource", key);
    const struct datum *memory = at(state, "rounds[\"%s\"].memory", key);
    const struct datum *given = at(state, "rounds[\"%s\"].response", key);
    if (!resource || at(state, "rounds[\"%s\"].request", key))
        return;
    if (round_is_over(memory)) {
        step_to(naive, without_round(naive, state, key), class_of(naive, "round", key));
        return;
    }
    struct controller_response response = {.content = datum_member(given, "content")};
    struct controller_answer answer = {0};
    if (given)
        assert_true(api_error_parse(datum_text(datum_member(given, "error"), ""), &response.error));
    assert_true(controller->step(controller, naive->scratch, resource, given ? &response : NULL,
                                 memory, &answer, &naive->fixture->problems));
    const struct datum *next = put(naive, state, "rounds[\"%s\"].response", key, NULL);
    next = put(naive, next, "rounds[\"%s\"].memory", key, answer.local);
    if (answer.has_request)
        next = put(naive, next, "rounds[\"%s\"].request", key, message(naive, &answer.request));
    step_to(naive, next, class_of(naive, "round", key));
}

static bool may_fail(const struct naive *naive, const struct datum *state, bool own)
{
    const struct environment_options *options = &naive->fixture->options;
    return number(state, "failures") < options->failures && (own || !options->own_failures);
}

static void act_request(struct naive *naive, const struct datum *state, const char *key)
{
    const struct datum *request = at(state, "rounds[\"%s\"].request", key);
    if (!request)
        return;
    const struct datum *answer = NULL;
    const struct datum *waiting = put(naive, state, "rounds[\"%s\"].request", key, NULL);
    const struct datum *next = serve(naive, waiting, request, &answer);
    const bool reads = strcmp(datum_text(datum_member(request, "verb"), ""), "get") == 0;
    const struct datum *read = reads ? read_fresh(naive, next) : next;
    step_to(naive, put(naive, read, "rounds[\"%s\"].response", key, answer),
            class_of(naive, "serve", key));
    if (reads && reads_stale(state)) {
        const struct datum *past =
            datum_with(naive->scratch, waiting, "objects", datum_at(waiting, "lag.objects"));
        serve(naive, past, request, &answer);
        step_to(naive,
                put(naive, read_stale(naive, waiting), "rounds[\"%s\"].response", key, answer),
                NULL);
    }
    if (!may_fail(naive, state, true))
        return;
    static const char *const errors[] = {"Timeout", "ServerTimeout", "Conflict", "Timeout"};
    for (int i = 0; i < (naive->fixture->options.timeout_applied ? 4 : 3); i++) {
        const struct datum_member error = {"error", datum_string(naive->scratch, errors[i])};
        const struct datum *failed = add(naive, i == 3 ? next : waiting, "failures");
        step_to(naive,
                put(naive, failed, "rounds[\"%s\"].response", key,
                    datum_object(naive->scratch, &error, 1)),
                NULL);
    }
}

/* An emptied mapping is none. */
static const struct datum *drop(struct naive *naive, const struct datum *state, const char *what,
                                const char *key)
{
    char path[64];
    snprintf(path, sizeof(path), "%s[\"%%s\"]", what);
    const struct datum *next = put(naive, state, path, key, NULL);
    const struct datum *left = datum_member(next, what);
    return left && left->count == 0 ? datum_with(naive->scratch, next, what, NULL) : next;
}

static void act_message(struct naive *naive, const struct datum *state, const struct datum *request,
                        const struct datum *without, const char *class)
{
    const struct datum *answer = NULL;
    step_to(naive, serve(naive, without, request, &answer), class);
    if (may_fail(naive, state, false))
        step_to(naive, add(naive, without, "failures"), NULL);
}

static void act_messages(struct naive *naive, const struct datum *state)
{
    const struct datum *collected = datum_member(state, "collected");
    const struct datum *status = datum_member(state, "status");
    const struct datum *users = datum_member(state, "users");
    const struct datum *orphans = datum_member(state, "orphans");
    for (uint32_t i = 0; collected && i < collected->count; i++) {
        const char *key = collected->members[i].key;
        act_message(naive, state, collected->members[i].value, drop(naive, state, "collected", key),
                    class_of(naive, "serve collector", key));
    }
    for (uint32_t i = 0; status && i < status->count; i++) {
        const char *key = status->members[i].key;
        act_message(naive, state, status->members[i].value, drop(naive, state, "status", key),
                    class_of(naive, "serve status", key));
    }
    for (uint32_t i = 0; users && i < users->count; i++) {
        const char *key = users->members[i].key;
        act_message(naive, state, users->members[i].value, drop(naive, state, "users", key),
                    class_of(naive, "serve user", key));
    }
    for (uint32_t i = 0; orphans && i < orphans->count; i++) {
        const struct datum *left =
            datum_with(naive->scratch, state, arena_printf(naive->scratch, "orphans[%u]", i), NULL);
        if (orphans->count == 1)
            left = datum_with(naive->scratch, state, "orphans", NULL);
        act_message(naive, state, orphans->items[i], left,
                    arena_printf(naive->scratch, "serve orphan %u", i));
    }
}

static bool is_orphan(struct naive *naive, const struct datum *state, const struct datum *object)
{
    const struct datum *owners = datum_at(object, "metadata.ownerReferences");
    for (uint32_t i = 0; owners && i < owners->count; i++) {
        const struct object_key key = {
            .kind = datum_text(datum_member(owners->items[i], "kind"), ""),
            .name_space = "default",
            .name = datum_text(datum_member(owners->items[i], "name"), "")};
        const struct datum *owner = at(state, "objects[\"%s\"]", key_of(naive, &key));
        if (datum_equal(datum_at(owner, "metadata.uid"), datum_member(owners->items[i], "uid")))
            return false;
    }
    return owners && owners->count > 0;
}

static void act_object(struct naive *naive, const struct datum *state, const char *key,
                       const struct datum *object)
{
    const struct environment_options *options = &naive->fixture->options;
    const char *kind = datum_text(datum_member(object, "kind"), "");
    struct api_request request = {
        .verb = API_DELETE,
        .key = {.kind = kind,
                .name_space = "default",
                .name = datum_text(datum_at(object, "metadata.name"), "")}};
    if (is_orphan(naive, state, object) && !at(state, "collected[\"%s\"]", key))
        step_to(naive, put(naive, state, "collected[\"%s\"]", key, message(naive, &request)),
                class_of(naive, "collect", key));
    if (strcmp(kind, "StatefulSet") != 0 || options->no_status || at(state, "stable[\"%s\"]", key))
        return;
    const int64_t wanted = number(object, "spec.replicas");
    for (int i = 0; i < 2 && !at(state, "status[\"%s\"]", key); i++) {
        if (i == 1 && (!options->status_flap || wanted == 0))
            break;
        request.verb = API_UPDATE_STATUS;
        request.object = datum_with(naive->scratch, object, "status.readyReplicas",
                                    datum_integer(naive->scratch, i == 0 ? wanted : 0));
        step_to(naive, put(naive, state, "status[\"%s\"]", key, message(naive, &request)),
                class_of(naive, i == 0 ? "status" : "status zero", key));
    }
    step_to(naive, put(naive, state, "stable[\"%s\"]", key, datum_bool(true)),
            class_of(naive, "stabilize", key));
}

static void expand(struct naive *naive, uint32_t from)
{
    const struct datum *state = naive->nodes.items[from].state;
    const struct datum *objects = datum_member(state, "objects");
    naive->from = from;
    act_user(naive, state);
    act_crash(naive, state);
    act_lag(naive, state);
    for (uint32_t i = 0; i < naive->resource_count; i++) {
        act_start(naive, state, naive->resources[i]);
        act_round(naive, state, naive->resources[i]);
        act_request(naive, state, naive->resources[i]);
    }
    act_messages(naive, state);
    for (uint32_t i = 0; objects && i < objects->count; i++)
        act_object(naive, state, objects->members[i].key, objects->members[i].value);
}

static void look_at_state(struct naive *naive, struct node *node)
{
    const struct datum *objects = datum_member(node->state, "objects");
    const struct datum *items[32];
    const struct controller *controller = &naive->fixture->controller;
    struct object_list store = {.items = items};
    for (uint32_t i = 0; objects && i < objects->count; i++)
        items[store.count++] = objects->members[i].value;
    for (uint32_t i = 0; i < naive->resource_count; i++) {
        const struct datum *resource = at(node->state, "objects[\"%s\"]", naive->resources[i]);
        node->present[i] = resource != NULL;
        if (resource)
            assert_true(controller->match(controller, naive->scratch, &store, resource,
                                          &node->matched[i], &naive->fixture->problems));
    }
}

/* --- Components, by reachability: fine for graphs this small --- */

struct components {
    uint32_t *order, *low, *component, *stack;
    bool *on_stack;
    uint32_t next, stack_count, count;
};

static void connect(const struct naive *naive, uint32_t resource, struct components *components,
                    uint32_t from)
{
    const struct node *node = &naive->nodes.items[from];
    components->order[from] = components->low[from] = ++components->next;
    components->stack[components->stack_count++] = from;
    components->on_stack[from] = true;
    for (uint32_t i = 0; i < node->edges.count; i++) {
        const uint32_t to = node->edges.items[i].target;
        if (!naive->nodes.items[to].present[resource])
            continue;
        if (components->order[to] == 0) {
            connect(naive, resource, components, to);
            if (components->low[to] < components->low[from])
                components->low[from] = components->low[to];
        } else if (components->on_stack[to] && components->order[to] < components->low[from]) {
            components->low[from] = components->order[to];
        }
    }
    if (components->low[from] != components->order[from])
        return;
    components->count++;
    for (uint32_t member = UINT32_MAX; member != from;) {
        member = components->stack[--components->stack_count];
        components->on_stack[member] = false;
        components->component[member] = components->count;
    }
}

static bool is_fair(const struct naive *naive, const struct components *components, uint32_t which)
{
    bool everywhere[CLASSES_MOST];
    bool taken[CLASSES_MOST] = {0};
    memset(everywhere, true, sizeof(everywhere));
    bool cycles = false;
    bool pressed = false;
    for (uint32_t n = 0; n < naive->nodes.count; n++) {
        bool enabled[CLASSES_MOST] = {0};
        if (components->component[n] != which)
            continue;
        const struct node *node = &naive->nodes.items[n];
        for (uint32_t i = 0; i < node->edges.count; i++) {
            const struct edge *edge = &node->edges.items[i];
            const bool inside = components->component[edge->target] == which;
            cycles |= inside;
            if (edge->class == UINT32_MAX)
                continue;
            pressed = true;
            enabled[edge->class] = true;
            taken[edge->class] |= inside;
        }
        for (uint32_t c = 0; c < naive->class_count; c++)
            everywhere[c] &= enabled[c];
    }
    for (uint32_t c = 0; c < naive->class_count; c++)
        if (everywhere[c] && !taken[c])
            return false;
    return cycles || !pressed;
}

static bool violates(struct naive *naive, uint32_t resource)
{
    struct arena *arena = &naive->arena;
    const uint32_t count = naive->nodes.count;
    struct components components = {
        .order = ARENA_ARRAY(arena, uint32_t, count),
        .low = ARENA_ARRAY(arena, uint32_t, count),
        .component = ARENA_ARRAY(arena, uint32_t, count),
        .stack = ARENA_ARRAY(arena, uint32_t, count),
        .on_stack = ARENA_ARRAY(arena, bool, count),
    };
    for (uint32_t n = 0; n < count; n++)
        if (naive->nodes.items[n].present[resource] && components.order[n] == 0)
            connect(naive, resource, &components, n);
    for (uint32_t which = 1; which <= components.count; which++) {
        bool unmatched = false;
        for (uint32_t n = 0; n < count && !unmatched; n++)
            unmatched =
                components.component[n] == which && !naive->nodes.items[n].matched[resource];
        if (unmatched && is_fair(naive, &components, which))
            return true;
    }
    return false;
}

/* --- Random cases --- */

static uint64_t seed;
static uint64_t case_number;

static uint32_t any(uint32_t below)
{
    seed = hash_word(seed + 1);
    return (uint32_t)(seed % below);
}

static void make_case(struct fixture *fixture)
{
    static const char *const kinds[] = {"ConfigMap", "StatefulSet", "Service"};
    static const char *const fields[] = {"data.conf=conf", "spec.replicas=replicas",
                                         "spec.port=conf"};
    static const char *const specs[] = {"{\"replicas\":1,\"conf\":\"x\"}",
                                        "{\"replicas\":2,\"conf\":\"x\"}",
                                        "{\"replicas\":0,\"conf\":\"z\"}"};
    const uint32_t links = 1 + any(2);
    fixture->chain = (struct chain){.found_is_done = any(5) == 0, .without_version = any(3) == 0};
    for (uint32_t i = 0; i < links; i++) {
        const uint32_t kind = any(3);
        add_link(fixture, kinds[kind],
                 any(4) == 0 ? "b"
                 : i == 0    ? ""
                             : "-x",
                 fields[kind], any(2) == 0);
    }
    const uint32_t operations = 1 + any(3);
    const bool two = any(4) == 0;
    fixture->script_count = 0;
    for (uint32_t i = 0; i < operations; i++) {
        const char *name = two && any(2) == 0 ? "ab" : "a";
        const uint32_t verb = i == 0 ? 0 : any(3);
        add_operation(fixture, (enum script_verb)verb, name,
                      verb == SCRIPT_DELETE ? NULL : specs[any(3)]);
    }
    fixture->options.crashes = any(2);
    fixture->options.failures = any(3) == 0;
    fixture->options.stale_reads = any(4) == 0 ? 1 + any(2) : 0;
    fixture->options.fuse_schedule = any(2) == 0;
    fixture->options.no_status = any(2) == 0;
    fixture->options.status_flap = any(3) == 0;
    fixture->options.timeout_applied = any(2) == 0;
    fixture->options.client_async = any(4) == 0;
    fixture->options.own_failures = any(3) == 0;
    fixture->options.renaming = RENAME_BY_PLACE;
    fixture->options.keep_all = false;
}

/* False: the graph is too large for the plain way. */
static bool explore_naively(struct naive *naive)
{
    arena_init(&naive->space, &naive->fixture->memory);
    naive->scratch = &naive->space;
    node_of(naive, datum_object(naive->scratch, NULL, 0));
    for (uint32_t i = 0; i < naive->nodes.count && naive->nodes.count <= STATES_LIMIT; i++) {
        const struct arena_mark mark = arena_mark(naive->scratch);
        look_at_state(naive, &naive->nodes.items[i]);
        expand(naive, i);
        arena_rewind(naive->scratch, mark);
    }
    arena_release(&naive->space);
    return naive->nodes.count <= STATES_LIMIT && naive->class_count <= CLASSES_MOST;
}

static bool compare_both(struct fixture *fixture)
{
    struct exploration *result = explore_all(fixture);
    struct naive *naive = ARENA_NEW(&fixture->arena, struct naive);
    bool compared = false;
    naive->fixture = fixture;
    arena_init(&naive->arena, &fixture->memory);
    map_init(&naive->ids, &naive->arena);
    map_init(&naive->classes, &naive->arena);
    naive->resource_count = environment_resource_count(fixture->environment);
    for (uint32_t i = 0; i < naive->resource_count; i++) {
        const struct object_key key = environment_resource(fixture->environment, i);
        naive->resources[i] =
            arena_printf(&naive->arena, "%s/%s/%s", key.kind, key.name_space, key.name);
    }
    if (result->complete && result->statistics.states <= STATES_LIMIT && explore_naively(naive)) {
        compared = true;
        if (result->statistics.states != naive->nodes.count ||
            result->statistics.transitions != naive->transitions)
            print_message("case %lu\n", (unsigned long)case_number);
        assert_int_equal(result->statistics.states, naive->nodes.count);
        assert_int_equal(result->statistics.transitions, naive->transitions);
        for (uint32_t i = 0; i < naive->resource_count; i++)
            assert_int_equal(result->properties[i].verdict == VERDICT_VIOLATED, violates(naive, i));
    }
    explore_free(result);
    arena_release(&naive->arena);
    return compared;
}

static void both_agree(void **state)
{
    struct fixture *fixture = *state;
    const char *wanted = getenv("FATHOM_NAIVE_CASES");
    const char *begin = getenv("FATHOM_NAIVE_FIRST");
    const uint32_t cases = wanted ? (uint32_t)strtoul(wanted, NULL, 10) : CASES;
    const uint64_t first = begin ? strtoul(begin, NULL, 10) : 0;
    uint32_t compared = 0;
    uint32_t tried = 0;
    fixture->states_most = STATES_LIMIT + 1;
    while (compared < cases) {
        seed = first + tried++;
        case_number = seed;
        make_case(fixture);
        compared += compare_both(fixture);
    }
    assert_in_range(tried, cases, 20 * cases);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(both_agree, fixture_setup, fixture_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
