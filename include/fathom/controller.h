/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A Kubernetes controller as a C plugin, for `fathom controller`.
 *
 * This header is all that a plugin needs; it is compiled without anything of
 * Fathom's and not linked with it:
 *
 *     cc -shared -fPIC -O2 -Iinclude -o mine.so mine.c
 *
 * (or not compiled at all: a check that names `plugin: ./mine.c` has it compiled.)
 * A plugin exports one constant:
 *
 *     static struct fathom_answer step(struct fathom_call *call, const struct fathom_value *cr,
 *                                      const struct fathom_response *response,
 *                                      const struct fathom_value *local)
 *     {
 *         const char *name = fathom_text(call, cr, "metadata.name", "");
 *         if (!response) // the round begins
 *             return (struct fathom_answer){
 *                 .local = fathom_make(call, "{at: 'created'}"),
 *                 .request = {FATHOM_CREATE, "ConfigMap", "default", name,
 *                             fathom_make(call, "{kind: 'ConfigMap', metadata: {name: '%s'},"
 *                                               " data: {x: %v}}",
 *                                         name, fathom_at(call, cr, "spec.x"))}};
 *         bool fine = !response->error || response->error == FATHOM_ALREADY_EXISTS;
 *         return (struct fathom_answer){.local = fathom_make(call, fine ? "{at: 'done'}"
 *                                                                      : "{at: 'error'}")};
 *     }
 *     ...
 *     const struct fathom_controller fathom_controller = {
 *         FATHOM_CONTROLLER_HEADER, .name = "mine", .custom_kinds = kinds,
 *         .init = init, .step = step, .status = status, .match = match};
 *
 * The controller is a state machine. A round starts with the memory that `init`
 * gives; each `step` takes the custom resource as it was when the round started,
 * the answer to the request of the step before (NULL: there was none) and the
 * memory, and gives the next memory and maybe one request. The round is over when
 * `status` says so of the memory, and the next one starts from `init` again.
 *
 * Every function must be pure: the same values in, the same values out, whenever
 * and in whatever thread it is called. No clock, no random numbers, no variable
 * that outlives a call: what a controller wants to remember is its memory. The
 * checker asks some questions twice and refuses a controller that changes its mind.
 *
 * Values are immutable, and belong to the call: a plugin frees nothing and keeps
 * no pointer. Everything takes NULL for a value that is not there.
 *
 * fathom/parts.h does the usual "get, then create or update, one object after the
 * other" for a plugin that gives a list of its objects.
 */
#ifndef FATHOM_CONTROLLER_H
#define FATHOM_CONTROLLER_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Goes up when something below changes its meaning or its place. What is added at
 * the end of a struct does not count: `size` tells what is there. */
#define FATHOM_CONTROLLER_ABI 1
#define FATHOM_CONTROLLER_HEADER \
    .abi = FATHOM_CONTROLLER_ABI, .size = sizeof(struct fathom_controller)

/* An object of the API, a part of one, or a controller's memory: JSON, with two
 * more kinds, resource versions and uids, that can be copied and compared only.
 * NULL is null, and whatever is absent. */
struct fathom_value;
/* All objects that are stored at one moment, sorted by kind, namespace, name. */
struct fathom_store;

enum fathom_verb {
    FATHOM_NO_REQUEST,
    FATHOM_GET,
    FATHOM_LIST, /* of one kind and namespace */
    FATHOM_CREATE,
    FATHOM_UPDATE,
    FATHOM_UPDATE_STATUS,
    FATHOM_DELETE,
    FATHOM_EXTERNAL, /* to the application's own API, see `external` below */
};

enum fathom_error {
    FATHOM_OK,
    FATHOM_BAD_REQUEST,
    FATHOM_CONFLICT,
    FATHOM_FORBIDDEN,
    FATHOM_INVALID,
    FATHOM_NOT_FOUND,
    FATHOM_ALREADY_EXISTS,
    FATHOM_NOT_SUPPORTED,
    FATHOM_INTERNAL_ERROR,
    FATHOM_TIMEOUT,
    FATHOM_SERVER_TIMEOUT,
    FATHOM_OTHER,
};

struct fathom_request {
    enum fathom_verb verb;
    const char *kind;
    const char *name_space; /* NULL: that of the custom resource */
    const char *name;       /* NULL: the name in `object`; of a list: none */
    /* What to create or write; of an external call, its content. */
    const struct fathom_value *object;
    /* Of a delete: only if the object has this uid, this resource version. */
    const struct fathom_value *uid;
    const struct fathom_value *version;
};

struct fathom_response {
    enum fathom_error error;
    /* Of success: the object; of a list a list; of a delete NULL. An external API
     * may give content to errors, too. */
    const struct fathom_value *content;
};

struct fathom_answer {
    const struct fathom_value *local;
    struct fathom_request request; /* all zero: none */
};

struct fathom_external_answer {
    struct fathom_response response;
    const struct fathom_value *state; /* of the application, from now on */
};

enum fathom_status { FATHOM_RUNNING, FATHOM_DONE, FATHOM_ERROR };

/* What a call may use. Use it through the functions below. */
struct fathom_host;
struct fathom_call {
    const struct fathom_host *host;
};

struct fathom_controller {
    uint32_t abi;
    uint32_t size;
    const char *name;
    const char *const *custom_kinds; /* of its custom resources; NULL at the end */
    const char *const *user_kinds;   /* NULL, or other kinds that users write, NULL at the end */

    const struct fathom_value *(*init)(struct fathom_call *call);
    struct fathom_answer (*step)(struct fathom_call *call, const struct fathom_value *cr,
                                 const struct fathom_response *response,
                                 const struct fathom_value *local);
    enum fathom_status (*status)(struct fathom_call *call, const struct fathom_value *local);

    /* The rest may be left out. */

    /* Whether the cluster is as this custom resource wants it. */
    bool (*match)(struct fathom_call *call, const struct fathom_store *store,
                  const struct fathom_value *cr);
    /* Names of its safety properties, NULL at the end; may be left out. */
    const char *const *safety_names;
    /* The name of the safety property that a step from one store to the next breaks;
     * NULL: none. `external` is the application's state after the step. */
    const char *(*safety)(struct fathom_call *call, const struct fathom_store *before,
                          const struct fathom_store *after, const struct fathom_value *external);
    /* Rules for custom resources, kept by the API server. NULL: all is well; otherwise
     * what is wrong, for people. */
    const char *(*validate)(struct fathom_call *call, const struct fathom_value *cr);
    const char *(*validate_change)(struct fathom_call *call, const struct fathom_value *cr,
                                   const struct fathom_value *before);
    /* The application's own API: what a FATHOM_EXTERNAL request with this content does
     * to its state, which is NULL at first. What would count up at every change keeps
     * `fresh` instead: a version that occurs nowhere yet, to be copied and compared. */
    struct fathom_external_answer (*external)(struct fathom_call *call,
                                              const struct fathom_value *content,
                                              const struct fathom_store *store,
                                              const struct fathom_value *state,
                                              const struct fathom_value *fresh);
    /* Whether what this custom resource wants can be had at all (the Secret that it
     * names exists). Left out: whenever the custom resource exists. */
    bool (*desired)(struct fathom_call *call, const struct fathom_store *store,
                    const struct fathom_value *cr);
};

/* The one symbol that a plugin exports. */
extern const struct fathom_controller fathom_controller;

/* --- Reading values ------------------------------------------------------
 * A path is "spec.template.metadata", with "[2]" for items of a list and
 * ["a.b/c"] for keys that hold dots. NULL as a path is the value itself. */

struct fathom_host {
    uint32_t abi;
    uint32_t size;
    const struct fathom_value *(*at)(struct fathom_call *call, const struct fathom_value *value,
                                     const char *path);
    const char *(*text)(const struct fathom_value *value, const char *fallback);
    int64_t (*number)(const struct fathom_value *value, int64_t fallback);
    bool (*truth)(const struct fathom_value *value, bool fallback);
    bool (*equal)(const struct fathom_value *a, const struct fathom_value *b);
    uint32_t (*count)(const struct fathom_value *value);
    const struct fathom_value *(*item)(const struct fathom_value *value, uint32_t index);
    const char *(*key)(const struct fathom_value *value, uint32_t index);
    const struct fathom_value *(*make)(struct fathom_call *call, const char *form,
                                       va_list arguments);
    const struct fathom_value *(*with)(struct fathom_call *call, const struct fathom_value *value,
                                       const char *path, const struct fathom_value *member);
    char *(*print)(struct fathom_call *call, const char *format, va_list arguments);
    const struct fathom_value *(*find)(const struct fathom_store *store, const char *kind,
                                       const char *name_space, const char *name);
    uint32_t (*store_count)(const struct fathom_store *store);
    const struct fathom_value *(*store_item)(const struct fathom_store *store, uint32_t index);
    const struct fathom_value *(*parameters)(struct fathom_call *call);
    void (*fail_with)(struct fathom_call *call, const char *format, va_list arguments);
};

#define FATHOM_UNUSED __attribute__((unused))

FATHOM_UNUSED static inline const struct fathom_value *
fathom_at(struct fathom_call *call, const struct fathom_value *value, const char *path)
{
    return path ? call->host->at(call, value, path) : value;
}

/* The text of a string; the fallback if there is none. */
FATHOM_UNUSED static inline const char *fathom_text(struct fathom_call *call,
                                                    const struct fathom_value *value,
                                                    const char *path, const char *fallback)
{
    return call->host->text(fathom_at(call, value, path), fallback);
}

FATHOM_UNUSED static inline int64_t fathom_number(struct fathom_call *call,
                                                  const struct fathom_value *value,
                                                  const char *path, int64_t fallback)
{
    return call->host->number(fathom_at(call, value, path), fallback);
}

FATHOM_UNUSED static inline bool fathom_truth(struct fathom_call *call,
                                              const struct fathom_value *value, const char *path,
                                              bool fallback)
{
    return call->host->truth(fathom_at(call, value, path), fallback);
}

/* Of the same content; NULL equals NULL only. */
FATHOM_UNUSED static inline bool
fathom_equal(struct fathom_call *call, const struct fathom_value *a, const struct fathom_value *b)
{
    return call->host->equal(a, b);
}

/* Items of a list or members of an object, in the order of their keys; 0 of others. */
FATHOM_UNUSED static inline uint32_t fathom_count(struct fathom_call *call,
                                                  const struct fathom_value *value)
{
    return call->host->count(value);
}

FATHOM_UNUSED static inline const struct fathom_value *
fathom_item(struct fathom_call *call, const struct fathom_value *value, uint32_t index)
{
    return call->host->item(value, index);
}

/* The key of a member; NULL of a list's item. */
FATHOM_UNUSED static inline const char *fathom_key(struct fathom_call *call,
                                                   const struct fathom_value *value, uint32_t index)
{
    return call->host->key(value, index);
}

/* --- Making values ------------------------------------------------------- */

/*
 * A value from a form: JSON, where strings may also stand between single quotes and
 * keys made of letters, digits, '_' and '-' need no quotes, with these placeholders:
 *
 *     %v  in place of a value or a key's value: a `const struct fathom_value *`;
 *         a member whose value is NULL is left out;
 *         inside a string: the text or number that the value is (nothing for NULL)
 *     %s  in place of a value or inside a string: a `const char *`, put in as it is
 *     %d  likewise, an `int`
 *     %%  inside a string: a percent sign
 *
 * A mistake in the form ends the check with an explanation.
 */
FATHOM_UNUSED static inline const struct fathom_value *fathom_make(struct fathom_call *call,
                                                                   const char *form, ...)
{
    va_list arguments;
    va_start(arguments, form);
    const struct fathom_value *value = call->host->make(call, form, arguments);
    va_end(arguments);
    return value;
}

/* A copy in which `path` holds `member` (NULL: nothing); what lies between is made. */
FATHOM_UNUSED static inline const struct fathom_value *
fathom_with(struct fathom_call *call, const struct fathom_value *value, const char *path,
            const struct fathom_value *member)
{
    return call->host->with(call, value, path, member);
}

/* As printf would; lives as long as the call. */
FATHOM_UNUSED __attribute__((format(printf, 2, 3))) static inline const char *
fathom_print(struct fathom_call *call, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const char *text = call->host->print(call, format, arguments);
    va_end(arguments);
    return text;
}

/* --- The store, the parameters, and giving up ----------------------------- */

FATHOM_UNUSED static inline const struct fathom_value *
fathom_find(struct fathom_call *call, const struct fathom_store *store, const char *kind,
            const char *name_space, const char *name)
{
    return call->host->find(store, kind, name_space, name);
}

FATHOM_UNUSED static inline uint32_t fathom_store_count(struct fathom_call *call,
                                                        const struct fathom_store *store)
{
    return call->host->store_count(store);
}

FATHOM_UNUSED static inline const struct fathom_value *
fathom_store_item(struct fathom_call *call, const struct fathom_store *store, uint32_t index)
{
    return call->host->store_item(store, index);
}

/* What the check gives beside the plugin's name as `parameters`; the same all the time. */
FATHOM_UNUSED static inline const struct fathom_value *fathom_parameter(struct fathom_call *call,
                                                                        const char *path)
{
    return call->host->at(call, call->host->parameters(call), path);
}

/* The controller cannot answer, for a reason that is not the cluster's: the check
 * ends with exit code 2 and this message. What the function then returns is ignored. */
FATHOM_UNUSED __attribute__((format(printf, 2, 3))) static inline void
fathom_fail(struct fathom_call *call, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    call->host->fail_with(call, format, arguments);
    va_end(arguments);
}

#ifdef __cplusplus
}
#endif

#endif
