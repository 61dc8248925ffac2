/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The ZooKeeper controller with one ConfigMap and one StatefulSet, and mistakes to
 * choose from (parameters, all false unless said):
 *     parentIsError    a parent znode that exists already ends the round with an error
 *     znodeLast        the znode is created after the set was written, if it is not there
 *                      by then, and an update needs it
 *     unversioned      the znode is set whatever its version is
 *     unchecked        whether the znode could be set is not looked at
 *     direct           (no mistake) a set that is not found is created without looking again
 *     rule             (no mistake) a configuration that does not work is refused
 *     safety           "told": a set shrinks to n only if its znode, if there is one, says
 *                      n or less; "strict": and there must be one
 */
#include "fathom/parts.h"

static bool flag(struct fathom_call *call, const char *name)
{
    return fathom_truth(call, fathom_parameter(call, name), NULL, false);
}

static const struct fathom_value *config(const struct fathom_round *round)
{
    return fathom_make(round->call, "{data: {conf: %v}}",
                       fathom_at(round->call, round->cr, "spec.conf"));
}

static const struct fathom_value *set(const struct fathom_round *round)
{
    return fathom_make(round->call, "{spec: {replicas: %v, template: {config: %v}}}",
                       fathom_at(round->call, round->cr, "spec.replicas"),
                       fathom_at(round->call, round->local, "config"));
}

static const char *const changing[] = {"spec.replicas", "spec.template", NULL};
static const struct fathom_memo config_version[] = {{"config", "metadata.resourceVersion"},
                                                    {NULL, NULL}};

enum { SET = 1, PARTS };

static const struct fathom_part items[PARTS] = {
    {.kind = "ConfigMap", .suffix = "-cm", .make = config, .remember = config_version},
    {.kind = "StatefulSet", .suffix = "", .make = set, .updated = changing, .owned_only = true},
};
static const struct fathom_parts parts = {.items = items, .count = PARTS};

static struct fathom_answer ask(const struct fathom_round *round, const char *at,
                                const struct fathom_value *content)
{
    return (struct fathom_answer){.local = fathom_now_at(round, at),
                                  .request = {.verb = FATHOM_EXTERNAL, .object = content}};
}

static struct fathom_answer create_node(const struct fathom_round *round, const char *at)
{
    return ask(round, at,
               fathom_make(round->call, "{call: 'create', name: %s, size: %v}", round->name,
                           fathom_at(round->call, round->cr, "spec.replicas")));
}

static struct fathom_answer after_look(const struct fathom_round *round,
                                       const struct fathom_response *response)
{
    if (response->error == FATHOM_NOT_FOUND)
        return flag(round->call, "direct") ? fathom_parts_write(&parts, round, SET, response)
                                           : fathom_parts_get(&parts, round, SET);
    return response->error
               ? fathom_end_error(round)
               : ask(round, "exists",
                     fathom_make(round->call, "{call: 'exists', name: %s}", round->name));
}

static struct fathom_answer after_exists(const struct fathom_round *round,
                                         const struct fathom_response *response)
{
    struct fathom_call *call = round->call;
    if (response->error || (!response->content && flag(call, "znodeLast")))
        return fathom_end_error(round);
    if (!response->content)
        return ask(round, "parent", fathom_make(call, "{call: 'parent', name: %s}", round->name));
    return ask(round, "znode",
               fathom_make(call, "{call: 'set', name: %s, size: %v, version: %v}", round->name,
                           fathom_at(call, round->cr, "spec.replicas"),
                           flag(call, "unversioned")
                               ? NULL
                               : fathom_at(call, response->content, "version")));
}

static struct fathom_answer step(struct fathom_call *call, const struct fathom_value *cr,
                                 const struct fathom_response *response,
                                 const struct fathom_value *local)
{
    struct fathom_round round = fathom_round_of(call, cr, local);
    if (!response)
        return fathom_parts_step(&parts, &round, response);
    if (fathom_is_at(call, local, "look"))
        return after_look(&round, response);
    if (fathom_is_at(call, local, "exists"))
        return after_exists(&round, response);
    bool there = response->error == FATHOM_ALREADY_EXISTS;
    if (fathom_is_at(call, local, "parent"))
        return response->error && (!there || flag(call, "parentIsError"))
                   ? fathom_end_error(&round)
                   : create_node(&round, "znode");
    if (fathom_is_at(call, local, "znode"))
        return response->error && !flag(call, "unchecked") ? fathom_end_error(&round)
                                                           : fathom_parts_get(&parts, &round, SET);
    if (fathom_is_at(call, local, "lastExists"))
        return response->error ? fathom_end_error(&round)
               : response->content
                   ? fathom_end_done(&round)
                   : ask(&round, "lastParent",
                         fathom_make(call, "{call: 'parent', name: %s}", round.name));
    if (fathom_is_at(call, local, "lastParent"))
        return response->error && !there ? fathom_end_error(&round)
                                         : create_node(&round, "lastZnode");
    if (fathom_is_at(call, local, "lastZnode"))
        return response->error ? fathom_end_error(&round) : fathom_end_done(&round);
    struct fathom_answer answer = fathom_parts_step(&parts, &round, response);
    if (fathom_is_at(call, answer.local, "get") &&
        fathom_number(call, answer.local, "part", 0) == SET)
        answer.local = fathom_with(call, answer.local, "at", fathom_make(call, "'look'"));
    bool written =
        fathom_number(call, local, "part", 0) == SET && !fathom_is_at(call, local, "get");
    if (flag(call, "znodeLast") && written && !response->error)
        return ask(&round, "lastExists",
                   fathom_make(call, "{call: 'exists', name: %s}", round.name));
    return answer;
}

static bool match(struct fathom_call *call, const struct fathom_store *store,
                  const struct fathom_value *cr)
{
    return fathom_parts_match(&parts, call, store, cr);
}

static bool works(struct fathom_call *call, const char *conf)
{
    (void)call;
    return strcmp(conf, "bad") != 0;
}

static const char *validate(struct fathom_call *call, const struct fathom_value *cr)
{
    return flag(call, "rule") && !works(call, fathom_text(call, cr, "spec.conf", ""))
               ? "spec.conf: does not work"
               : NULL;
}

/* The state: {set: uid, parent: v, size: n, version: v} of the one cluster. */
static struct fathom_external_answer external(struct fathom_call *call,
                                              const struct fathom_value *content,
                                              const struct fathom_store *store,
                                              const struct fathom_value *state,
                                              const struct fathom_value *fresh)
{
    const char *what = fathom_text(call, content, "call", "");
    const char *name = fathom_text(call, content, "name", "");
    const struct fathom_value *stored = fathom_find(call, store, "StatefulSet", "default", name);
    const struct fathom_value *map =
        fathom_find(call, store, "ConfigMap", "default", fathom_print(call, "%s-cm", name));
    struct fathom_external_answer answer = {.response = {FATHOM_OTHER, NULL}, .state = state};
    if (fathom_number(call, stored, "spec.replicas", 0) < 1 || !map ||
        !works(call, fathom_text(call, map, "data.conf", "")))
        return answer;
    const struct fathom_value *uid = fathom_at(call, stored, "metadata.uid");
    if (!fathom_equal(call, fathom_at(call, state, "set"), uid))
        state = NULL;
    const struct fathom_value *version = fathom_at(call, state, "version");
    const struct fathom_value *size = fathom_at(call, content, "size");
    const struct fathom_value *given = fathom_at(call, content, "version");
    const struct fathom_value *parent = fathom_at(call, state, "parent");
    if (strcmp(what, "exists") == 0) {
        answer.response = (struct fathom_response){
            FATHOM_OK, version ? fathom_make(call, "{version: %v}", version) : NULL};
    } else if (strcmp(what, "parent") == 0 || (strcmp(what, "create") == 0 && version)) {
        answer.response.error = parent ? FATHOM_ALREADY_EXISTS : FATHOM_OK;
        if (!parent)
            answer.state = fathom_make(call, "{set: %v, parent: %v}", uid, fresh);
    } else if (strcmp(what, "create") == 0
                   ? parent != NULL
                   : version && (!given || fathom_equal(call, given, version))) {
        answer.response.error = FATHOM_OK;
        answer.state = fathom_make(call, "{set: %v, parent: %v, size: %v, version: %v}", uid,
                                   parent, size, fresh);
    }
    return answer;
}

static const char *const safety_names[] = {"told before it shrinks", NULL};

static const char *safety(struct fathom_call *call, const struct fathom_store *before,
                          const struct fathom_store *after, const struct fathom_value *zookeeper)
{
    const char *wanted = fathom_text(call, fathom_parameter(call, "safety"), NULL, "");
    int64_t old = fathom_number(call, fathom_find(call, before, "StatefulSet", "default", "a"),
                                "spec.replicas", 0);
    int64_t now = fathom_number(call, fathom_find(call, after, "StatefulSet", "default", "a"),
                                "spec.replicas", old);
    int64_t told =
        fathom_number(call, zookeeper, "size", strcmp(wanted, "strict") == 0 ? old : now);
    return *wanted && now < old && told > now ? safety_names[0] : NULL;
}

static const char *const kinds[] = {"Simple", NULL};

const struct fathom_controller fathom_controller = {
    FATHOM_CONTROLLER_HEADER,
    .name = "zk",
    .custom_kinds = kinds,
    .init = fathom_parts_init,
    .step = step,
    .status = fathom_parts_status,
    .match = match,
    .safety_names = safety_names,
    .safety = safety,
    .validate = validate,
    .external = external,
};
