/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A plugin's table as a `struct controller`: each function makes a call, calls the
 * plugin, and checks its result before it is used.
 */
#include "reconcile/front/plugin.h"
#include "reconcile/front/plugin_guard.h"

#include <dlfcn.h>

_Static_assert((int)FATHOM_GET == API_GET + 1, "verbs are in the same order");
_Static_assert((int)FATHOM_UPDATE_STATUS == API_UPDATE_STATUS + 1, "verbs are in the same order");
_Static_assert((int)FATHOM_EXTERNAL == API_EXTERNAL + 1, "verbs are in the same order");
_Static_assert((int)FATHOM_OK == API_OK, "errors are in the same order");
_Static_assert((int)FATHOM_NOT_FOUND == API_NOT_FOUND, "errors are in the same order");
_Static_assert((int)FATHOM_OTHER == API_OTHER, "errors are in the same order");

static const struct controller_plugin *plugin_of(const struct controller *controller)
{
    return controller->context;
}

static struct plugin_call plugin_call_start(const struct controller *controller,
                                            struct arena *arena, struct problems *problems,
                                            const char *function)
{
    plugin_guard_enter(plugin_of(controller)->table->name, function);
    return (struct plugin_call){.base = {&plugin_host},
                                .plugin = plugin_of(controller),
                                .arena = arena,
                                .problems = problems,
                                .function = function};
}

static bool plugin_call_end(const struct plugin_call *call)
{
    plugin_guard_leave();
    return !call->failed;
}

static const struct fathom_store *store_of(const struct object_list *objects)
{
    return (const struct fathom_store *)(const void *)objects;
}

static bool plugin_init(const struct controller *controller, struct arena *arena,
                        const struct datum **local, struct problems *problems)
{
    struct plugin_call call = plugin_call_start(controller, arena, problems, "init");
    *local = plugin_datum(call.plugin->table->init(&call.base));
    return plugin_call_end(&call);
}

/* What a plugin may leave out of a request is put in, what must not be missing is
 * asked for. */
static void take_request(struct plugin_call *call, const struct fathom_request *asked,
                         const struct datum *custom_resource, struct api_request *request)
{
    if ((unsigned)asked->verb > FATHOM_EXTERNAL) {
        plugin_call_fail(call, "a request with the unknown verb %u", (unsigned)asked->verb);
        return;
    }
    *request = (struct api_request){.verb = (enum api_verb)(asked->verb - 1),
                                    .object = plugin_datum(asked->object),
                                    .uid_precondition = plugin_datum(asked->uid),
                                    .version_precondition = plugin_datum(asked->version)};
    request->key = (struct object_key){"", "", ""};
    const char *verb = api_verb_name(request->verb);
    bool writes = asked->verb == FATHOM_CREATE || asked->verb == FATHOM_UPDATE ||
                  asked->verb == FATHOM_UPDATE_STATUS;
    if (writes && !request->object)
        plugin_call_fail(call, "a request to %s without an object", verb);
    if (asked->verb == FATHOM_EXTERNAL)
        return;
    const struct datum *object = writes ? request->object : NULL;
    request->key.kind = asked->kind ? asked->kind : datum_text(datum_at(object, "kind"), "");
    request->key.name_space = asked->name_space
                                  ? asked->name_space
                                  : datum_text(datum_at(custom_resource, "metadata.namespace"), "");
    if (asked->verb != FATHOM_LIST)
        request->key.name =
            asked->name ? asked->name : datum_text(datum_at(object, "metadata.name"), "");
    if (!*request->key.kind)
        plugin_call_fail(call, "a request to %s without a kind", verb);
    else if (!*request->key.name && asked->verb != FATHOM_LIST && asked->verb != FATHOM_CREATE)
        plugin_call_fail(call, "a request to %s a %s without a name", verb, request->key.kind);
}

static bool plugin_step(const struct controller *controller, struct arena *arena,
                        const struct datum *custom_resource,
                        const struct controller_response *response, const struct datum *local,
                        struct controller_answer *answer, struct problems *problems)
{
    struct plugin_call call = plugin_call_start(controller, arena, problems, "step");
    struct fathom_response told = {0};
    if (response)
        told = (struct fathom_response){(enum fathom_error)response->error,
                                        plugin_value(response->content)};
    struct fathom_answer given = call.plugin->table->step(
        &call.base, plugin_value(custom_resource), response ? &told : NULL, plugin_value(local));
    *answer = (struct controller_answer){.local = plugin_datum(given.local)};
    if (!call.failed && given.request.verb != FATHOM_NO_REQUEST) {
        answer->has_request = true;
        take_request(&call, &given.request, custom_resource, &answer->request);
    }
    return plugin_call_end(&call);
}

static bool plugin_status(const struct controller *controller, struct arena *arena,
                          const struct datum *local, bool *done, bool *error,
                          struct problems *problems)
{
    struct plugin_call call = plugin_call_start(controller, arena, problems, "status");
    enum fathom_status status = call.plugin->table->status(&call.base, plugin_value(local));
    *done = status == FATHOM_DONE;
    *error = status == FATHOM_ERROR;
    if (status != FATHOM_RUNNING && !*done && !*error)
        plugin_call_fail(&call, "gave %d, which is no status", (int)status);
    return plugin_call_end(&call);
}

static bool plugin_match(const struct controller *controller, struct arena *arena,
                         const struct object_list *store, const struct datum *custom_resource,
                         bool *matches, struct problems *problems)
{
    struct plugin_call call = plugin_call_start(controller, arena, problems, "match");
    *matches =
        call.plugin->table->match(&call.base, store_of(store), plugin_value(custom_resource));
    return plugin_call_end(&call);
}

static bool plugin_safety(const struct controller *controller, struct arena *arena,
                          const struct object_list *before, const struct object_list *after,
                          const struct datum *external, const char **violated,
                          struct problems *problems)
{
    struct plugin_call call = plugin_call_start(controller, arena, problems, "safety");
    *violated = call.plugin->table->safety(&call.base, store_of(before), store_of(after),
                                           plugin_value(external));
    return plugin_call_end(&call);
}

static bool plugin_validate(const struct controller *controller, struct arena *arena,
                            const struct datum *custom_resource, bool *valid, const char **why,
                            struct problems *problems)
{
    struct plugin_call call = plugin_call_start(controller, arena, problems, "validate");
    const char *wrong = call.plugin->table->validate(&call.base, plugin_value(custom_resource));
    *valid = !wrong;
    if (why)
        *why = wrong;
    return plugin_call_end(&call);
}

static bool plugin_validate_change(const struct controller *controller, struct arena *arena,
                                   const struct datum *custom_resource, const struct datum *before,
                                   bool *valid, const char **why, struct problems *problems)
{
    struct plugin_call call = plugin_call_start(controller, arena, problems, "validate_change");
    const char *wrong = call.plugin->table->validate_change(
        &call.base, plugin_value(custom_resource), plugin_value(before));
    *valid = !wrong;
    if (why)
        *why = wrong;
    return plugin_call_end(&call);
}

static bool plugin_external(const struct controller *controller, struct arena *arena,
                            const struct datum *request, const struct object_list *store,
                            const struct datum *state, uint64_t fresh,
                            struct controller_response *response, const struct datum **state_after,
                            struct problems *problems)
{
    struct plugin_call call = plugin_call_start(controller, arena, problems, "external");
    struct fathom_external_answer given = call.plugin->table->external(
        &call.base, plugin_value(request), store_of(store), plugin_value(state),
        plugin_value(datum_version(arena, fresh)));
    if ((unsigned)given.response.error > FATHOM_OTHER)
        plugin_call_fail(&call, "gave %u, which is no error", (unsigned)given.response.error);
    *response = (struct controller_response){(enum api_error)given.response.error,
                                             plugin_datum(given.response.content)};
    *state_after = plugin_datum(given.state);
    return plugin_call_end(&call);
}

static bool plugin_desired(const struct controller *controller, struct arena *arena,
                           const struct object_list *store, const struct datum *custom_resource,
                           bool *desired, struct problems *problems)
{
    struct plugin_call call = plugin_call_start(controller, arena, problems, "desired");
    *desired =
        call.plugin->table->desired(&call.base, store_of(store), plugin_value(custom_resource));
    return plugin_call_end(&call);
}

static void plugin_release(struct controller *controller)
{
    struct controller_plugin *plugin = controller->context;
    if (plugin->library)
        dlclose(plugin->library);
    plugin->library = NULL;
}

bool plugin_table_validate(const struct controller_plugin *plugin, const char *file,
                           struct problems *problems)
{
    const struct fathom_controller *table = plugin->table;
    uint32_t before = problems->errors;
    if (table->abi != FATHOM_CONTROLLER_ABI)
        problem_error(problems, plugin->place, plugin->path,
                      "%s: made for version %u of fathom/controller.h, this Fathom speaks version "
                      "%d: compile it anew",
                      file, table->abi, FATHOM_CONTROLLER_ABI);
    else if (table->size != sizeof *table)
        problem_error(
            problems, plugin->place, plugin->path,
            "%s: its fathom_controller has %u bytes, %zu were expected: it does not start "
            "with FATHOM_CONTROLLER_HEADER, or has to be compiled anew",
            file, table->size, sizeof *table);
    if (problems->errors > before)
        return false;
    const char *missing = !table->name           ? "name"
                          : !table->custom_kinds ? "custom_kinds"
                          : !table->init         ? "init"
                          : !table->step         ? "step"
                          : !table->status       ? "status"
                                                 : NULL;
    if (missing)
        problem_error(problems, plugin->place, plugin->path, "%s: its fathom_controller has no %s",
                      file, missing);
    else if (!table->custom_kinds[0])
        problem_error(problems, plugin->place, plugin->path,
                      "%s: its fathom_controller has no kind in custom_kinds", file);
    return problems->errors == before;
}

void plugin_controller_init(struct controller *controller, struct controller_plugin *plugin)
{
    const struct fathom_controller *table = plugin->table;
    *controller = (struct controller){
        .name = table->name,
        .context = plugin,
        .custom_kinds = table->custom_kinds,
        .user_kinds = table->user_kinds,
        .init = plugin_init,
        .step = plugin_step,
        .status = plugin_status,
        .match = table->match ? plugin_match : NULL,
        .safety_names = table->safety_names,
        .safety = table->safety ? plugin_safety : NULL,
        .validate = table->validate ? plugin_validate : NULL,
        .validate_change = table->validate_change ? plugin_validate_change : NULL,
        .external = table->external ? plugin_external : NULL,
        .desired = table->desired ? plugin_desired : NULL,
        .release = plugin_release,
    };
}
