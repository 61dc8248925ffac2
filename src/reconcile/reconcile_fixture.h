/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Small controllers for tests, written against struct controller: a chain of
 * objects, each got and then created or updated, as the published controllers do.
 */
#ifndef FATHOM_RECONCILE_RECONCILE_FIXTURE_H
#define FATHOM_RECONCILE_RECONCILE_FIXTURE_H

#include "base/clock.h"
#include "explore/explore.h"
#include "reconcile/environment.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { CHAIN_MOST = 8 };

/* One object of the chain. */
struct link {
    const char *kind;
    const char *suffix;
    /* Fields of the custom resource's spec that go into the object, "to=from ..."; a
     * `from` that is no field of the spec is a plain text. */
    const char *fields;
    bool owner_check; /* updated only if it is ours */
};

struct chain {
    struct link links[CHAIN_MOST];
    uint32_t count;
    bool found_is_done;   /* the first object found ends the round */
    bool without_version; /* updates carry no resource version */
};

struct fixture {
    struct memory memory;
    struct arena arena;
    struct problems problems;
    struct script_operation script[8];
    uint32_t script_count;
    struct chain chain;
    struct controller controller;
    struct environment_options options;
    struct environment *environment;
    uint64_t states_most; /* 0: all */
    uint32_t threads;     /* 0: one */
};

static inline const struct datum *fixture_json(struct fixture *fixture, const char *text)
{
    const struct datum *datum =
        datum_read(&fixture->arena, DATUM_TAGGED, (struct place){.file = "test", .line = 1}, text,
                   strlen(text), &fixture->problems);
    assert_int_equal(fixture->problems.errors, 0);
    return datum;
}

/* --- The chain as a controller. Its memory: {"at": link, "after": "get"|"create"|"update"}. --- */

static inline const struct datum *chain_memory(struct arena *arena, int64_t at, const char *after)
{
    const struct datum_member members[] = {
        {"at", datum_integer(arena, at)},
        {"after", datum_string(arena, after)},
    };
    return datum_object(arena, members, 2);
}

static inline bool chain_init(const struct controller *controller, struct arena *arena,
                              const struct datum **local, struct problems *problems)
{
    (void)controller;
    (void)problems;
    *local = chain_memory(arena, 0, "start");
    return true;
}

static inline bool chain_status(const struct controller *controller, struct arena *arena,
                                const struct datum *local, bool *done, bool *error,
                                struct problems *problems)
{
    (void)controller;
    (void)arena;
    (void)problems;
    const char *after = datum_text(datum_member(local, "after"), "");
    *done = strcmp(after, "done") == 0;
    *error = strcmp(after, "error") == 0;
    return true;
}

static inline const struct datum *chain_name(struct arena *arena, const struct link *link,
                                             const struct datum *resource)
{
    const char *name = datum_text(datum_at(resource, "metadata.name"), "");
    return datum_string(arena, arena_printf(arena, "%s%s", name, link->suffix));
}

static inline const struct datum *chain_owners(struct arena *arena, const struct datum *resource)
{
    const struct datum_member members[] = {
        {"kind", datum_member(resource, "kind")},
        {"name", datum_at(resource, "metadata.name")},
        {"uid", datum_at(resource, "metadata.uid")},
        {"controller", datum_bool(true)},
    };
    const struct datum *owner = datum_object(arena, members, 4);
    return datum_list(arena, &owner, 1);
}

static inline const struct datum *chain_fields(struct arena *arena, const struct link *link,
                                               const struct datum *object,
                                               const struct datum *resource)
{
    char *rest = arena_strdup(arena, link->fields);
    for (char *field = strtok(rest, " "); field; field = strtok(NULL, " ")) {
        char *from = strchr(field, '=');
        *from++ = '\0';
        const struct datum *value = datum_member(datum_member(resource, "spec"), from);
        object = datum_with(arena, object, field, value ? value : datum_string(arena, from));
    }
    return object;
}

static inline const struct datum *chain_make(struct arena *arena, const struct link *link,
                                             const struct datum *resource)
{
    const struct datum *object = NULL;
    object = datum_with(arena, object, "kind", datum_string(arena, link->kind));
    object = datum_with(arena, object, "metadata.name", chain_name(arena, link, resource));
    object =
        datum_with(arena, object, "metadata.namespace", datum_at(resource, "metadata.namespace"));
    object = datum_with(arena, object, "metadata.ownerReferences", chain_owners(arena, resource));
    return chain_fields(arena, link, object, resource);
}

static inline void chain_get(const struct chain *chain, struct arena *arena,
                             const struct datum *resource, int64_t at,
                             struct controller_answer *answer)
{
    if (at == chain->count) {
        answer->local = chain_memory(arena, 0, "done");
        return;
    }
    answer->local = chain_memory(arena, at, "get");
    answer->has_request = true;
    answer->request = (struct api_request){
        .verb = API_GET,
        .key = {.kind = chain->links[at].kind,
                .name_space = datum_text(datum_at(resource, "metadata.namespace"), ""),
                .name = chain_name(arena, &chain->links[at], resource)->text},
    };
}

static inline void chain_write(const struct chain *chain, struct arena *arena,
                               const struct datum *resource, int64_t at,
                               const struct controller_response *response,
                               struct controller_answer *answer)
{
    const struct link *link = &chain->links[at];
    const struct datum *made = chain_make(arena, link, resource);
    answer->local = chain_memory(arena, at, response->error == API_NOT_FOUND ? "create" : "update");
    answer->has_request = true;
    answer->request.key =
        (struct object_key){.kind = link->kind,
                            .name_space = datum_text(datum_at(resource, "metadata.namespace"), ""),
                            .name = datum_text(datum_at(made, "metadata.name"), "")};
    if (response->error == API_NOT_FOUND) {
        answer->request.verb = API_CREATE;
        answer->request.object = made;
        return;
    }
    const struct datum *owners = datum_at(made, "metadata.ownerReferences");
    if (link->owner_check &&
        !datum_equal(datum_at(response->content, "metadata.ownerReferences"), owners)) {
        *answer = (struct controller_answer){.local = chain_memory(arena, 0, "error")};
        return;
    }
    const struct datum *found = response->content;
    found = datum_with(arena, found, "metadata.ownerReferences", owners);
    if (chain->without_version)
        found = datum_with(arena, found, "metadata.resourceVersion", NULL);
    answer->request.verb = API_UPDATE;
    answer->request.object = chain_fields(arena, link, found, resource);
}

static inline bool chain_step(const struct controller *controller, struct arena *arena,
                              const struct datum *resource,
                              const struct controller_response *response, const struct datum *local,
                              struct controller_answer *answer, struct problems *problems)
{
    (void)problems;
    const struct chain *chain = controller->context;
    const int64_t at = datum_number(datum_member(local, "at"), 0);
    const char *after = datum_text(datum_member(local, "after"), "");
    if (strcmp(after, "start") == 0)
        chain_get(chain, arena, resource, 0, answer);
    else if (strcmp(after, "get") != 0 && response->error == API_OK)
        chain_get(chain, arena, resource, at + 1, answer);
    else if (strcmp(after, "get") == 0 && response->error == API_OK && at == 0 &&
             chain->found_is_done)
        answer->local = chain_memory(arena, 0, "done");
    else if (strcmp(after, "get") == 0 &&
             (response->error == API_OK || response->error == API_NOT_FOUND))
        chain_write(chain, arena, resource, at, response, answer);
    else
        answer->local = chain_memory(arena, 0, "error");
    return true;
}

static inline bool chain_match(const struct controller *controller, struct arena *arena,
                               const struct object_list *store, const struct datum *resource,
                               bool *matches, struct problems *problems)
{
    (void)problems;
    const struct chain *chain = controller->context;
    *matches = true;
    for (uint32_t i = 0; i < chain->count; i++) {
        const struct datum *made = chain_make(arena, &chain->links[i], resource);
        bool found = false;
        for (uint32_t k = 0; k < store->count; k++) {
            const struct datum *object = store->items[k];
            if (datum_equal(datum_member(object, "kind"), datum_member(made, "kind")) &&
                datum_equal(datum_at(object, "metadata.name"), datum_at(made, "metadata.name")))
                found = datum_equal(datum_member(object, "spec"), datum_member(made, "spec")) &&
                        datum_equal(datum_member(object, "data"), datum_member(made, "data"));
        }
        *matches = *matches && found;
    }
    return true;
}

/* --- The fixture --- */

static inline int fixture_setup(void **state)
{
    static const char *const kinds[] = {"Cluster", NULL};
    static struct fixture fixture;
    memset(&fixture, 0, sizeof(fixture));
    memory_init(&fixture.memory, SIZE_MAX);
    arena_init(&fixture.arena, &fixture.memory);
    problems_init(&fixture.problems, &fixture.arena);
    fixture.controller = (struct controller){
        .name = "chain",
        .context = &fixture.chain,
        .custom_kinds = kinds,
        .init = chain_init,
        .step = chain_step,
        .status = chain_status,
        .match = chain_match,
    };
    fixture.options.renaming = RENAME_BY_ORDER;
    fixture.options.keep_all = true;
    *state = &fixture;
    return 0;
}

static inline int fixture_teardown(void **state)
{
    struct fixture *fixture = *state;
    environment_free(fixture->environment);
    arena_release(&fixture->arena);
    assert_int_equal(fixture->memory.used_bytes, 0);
    return 0;
}

static inline void add_link(struct fixture *fixture, const char *kind, const char *suffix,
                            const char *fields, bool owner_check)
{
    fixture->chain.links[fixture->chain.count++] = (struct link){kind, suffix, fields, owner_check};
}

static inline void add_operation(struct fixture *fixture, enum script_verb verb, const char *name,
                                 const char *spec)
{
    struct script_operation *operation = &fixture->script[fixture->script_count++];
    *operation = (struct script_operation){
        .verb = verb, .key = {.kind = "Cluster", .name_space = "default", .name = name}};
    if (spec)
        operation->object = fixture_json(
            fixture, arena_printf(&fixture->arena,
                                  "{\"kind\":\"Cluster\",\"metadata\":{\"name\":\"%s\","
                                  "\"namespace\":\"default\"},\"spec\":%s}",
                                  name, spec));
    fixture->options.script = fixture->script;
    fixture->options.script_count = fixture->script_count;
}

/* Explores all of it. The environment stays until the next call. */
static inline struct exploration *explore_all(struct fixture *fixture)
{
    environment_free(fixture->environment);
    fixture->environment = environment_create(&fixture->memory, &fixture->controller,
                                              &fixture->options, &fixture->problems);
    for (uint32_t i = 0; i < fixture->problems.count; i++)
        print_message("%s\n", fixture->problems.items[i].message);
    assert_non_null(fixture->environment);
    struct explore_options options;
    explore_options_init(&options);
    options.all = true;
    options.lasso_effort_most = 0;
    options.threads = fixture->threads > 0 ? fixture->threads : 1;
    options.parallel_from = 16;
    if (fixture->states_most > 0)
        options.states_most = fixture->states_most;
    struct exploration *result =
        explore_run(environment_model(fixture->environment), &options, &fixture->memory);
    for (uint32_t i = 0; i < fixture->problems.count; i++)
        print_message("%s\n", fixture->problems.items[i].message);
    assert_false(environment_failed(fixture->environment));
    return result;
}

#endif
