/* SPDX-License-Identifier: Apache-2.0 */
#include "reconcile/check_file.h"

#include "reconcile/check_reading.h"
#include "reconcile/front/controller_open.h"
#include "reconcile/shapes.h"

#include <string.h>

/* --- The script --- */

static bool has_numbers(const struct datum *tree)
{
    if (tree->kind == DATUM_VERSION || tree->kind == DATUM_UID)
        return true;
    for (uint32_t i = 0; tree->kind >= DATUM_LIST && i < tree->count; i++)
        if (has_numbers(tree->kind == DATUM_LIST ? tree->items[i] : tree->members[i].value))
            return true;
    return false;
}

static void read_object(const struct check_reading *reading, const struct path *path,
                        struct script_operation *operation)
{
    const struct path field = path_field(path, "object");
    const struct value *value = reading_mapping(reading, &field, NULL);
    if (!value) {
        if (value_is_null(reading_find(reading, &field)))
            problem_error(reading->problems, reading_place(reading, path),
                          reading_text(reading, &field), "expected the object, found nothing");
        return;
    }
    const struct datum *object = reading_datum(reading, value);
    operation->key = object_key_of(object);
    if (*operation->key.kind == '\0' || *operation->key.name == '\0') {
        problem_error(reading->problems, value_place(value), reading_text(reading, &field),
                      "expected an object with kind and metadata.name");
        return;
    }
    if (*operation->key.name_space == '\0') {
        operation->key.name_space = "default";
        object = datum_with(reading->arena, object, "metadata.namespace",
                            datum_string(reading->arena, "default"));
    }
    static const char *const servers_own[] = {"metadata.resourceVersion", "metadata.uid",
                                              "metadata.deletionTimestamp", "status"};
    for (size_t i = 0; i < sizeof(servers_own) / sizeof(servers_own[0]); i++)
        if (datum_at(object, servers_own[i]))
            problem_error(reading->problems, value_place(value), reading_text(reading, &field),
                          "expected what a user writes, found %s, which is the API server's",
                          servers_own[i]);
    if (has_numbers(object))
        problem_error(reading->problems, value_place(value), reading_text(reading, &field),
                      "expected what a user writes, found {$rv: ...} or {$uid: ...}, which only "
                      "the API server gives out");
    operation->object = object;
}

static void read_deleted(const struct check_reading *reading, const struct path *path,
                         struct script_operation *operation)
{
    operation->key = (struct object_key){
        .kind = reading_string(reading, path, "kind", ""),
        .name_space = reading_string(reading, path, "namespace", "default"),
        .name = reading_string(reading, path, "name", ""),
    };
    const struct path object = path_field(path, "object");
    if (!value_is_null(reading_find(reading, &object)))
        operation->key = object_key_of(reading_datum(reading, reading_find(reading, &object)));
    if (*operation->key.name_space == '\0')
        operation->key.name_space = "default";
    if (*operation->key.kind == '\0' || *operation->key.name == '\0')
        problem_error(reading->problems, reading_place(reading, path), reading_text(reading, path),
                      "expected kind and name of the object to delete");
}

static void read_operation(const struct check_reading *reading, const struct path *path,
                           struct script_operation *operation)
{
    static const char *const known[] = {"op", "object", "kind", "name", "namespace", NULL};
    if (!reading_mapping(reading, path, known)) {
        if (value_is_null(reading_find(reading, path)))
            problem_error(reading->problems, reading_place(reading, path),
                          reading_text(reading, path), "expected an operation, found nothing");
        return;
    }
    const char *verb = reading_string(reading, path, "op", "");
    operation->place = reading_place(reading, path);
    operation->key = (struct object_key){"", "", ""};
    if (strcmp(verb, "create") == 0 || strcmp(verb, "update") == 0) {
        operation->verb = strcmp(verb, "create") == 0 ? SCRIPT_CREATE : SCRIPT_UPDATE;
        read_object(reading, path, operation);
    } else if (strcmp(verb, "delete") == 0) {
        operation->verb = SCRIPT_DELETE;
        read_deleted(reading, path, operation);
    } else {
        const struct path field = path_field(path, "op");
        problem_error(reading->problems, reading_place(reading, &field),
                      reading_text(reading, &field),
                      "expected create, update or delete, found \"%s\"", verb);
    }
}

static void read_script(const struct check_reading *reading, const struct path *spec,
                        struct controller_check *check)
{
    const struct path path = path_field(spec, "script");
    const struct value *list = reading_sequence(reading, &path);
    if (!list || list->count == 0) {
        problem_error(reading->problems, reading_place(reading, spec), reading_text(reading, &path),
                      "expected what users do, at least one operation, found nothing");
        return;
    }
    struct script_operation *script =
        ARENA_ARRAY(reading->arena, struct script_operation, list->count);
    for (uint32_t i = 0; i < list->count; i++) {
        const struct path item = path_item(&path, i);
        read_operation(reading, &item, &script[i]);
    }
    check->options.script = script;
    check->options.script_count = list->count;
}

/* --- Budgets, reductions, options --- */

static void read_bounds(const struct check_reading *reading, const struct path *spec,
                        struct environment_options *options)
{
    static const char *const budgets[] = {"crashes", "failures", "staleReads", NULL};
    static const char *const reductions[] = {"fuseSchedule", "statusController", "merge", NULL};
    static const char *const switches[] = {"statusFlap",       "timeoutApplied", "clientAsync",
                                           "externalFailures", "ownFailures",    NULL};
    struct path path = path_field(spec, "budgets");
    if (reading_mapping(reading, &path, budgets)) {
        options->crashes = reading_budget(reading, &path, "crashes");
        options->failures = reading_budget(reading, &path, "failures");
        options->stale_reads = reading_budget(reading, &path, "staleReads");
    }
    path = path_field(spec, "reductions");
    const struct value *given = reading_mapping(reading, &path, reductions);
    options->fuse_schedule = given && reading_boolean(reading, &path, "fuseSchedule", false);
    options->no_status = given && !reading_boolean(reading, &path, "statusController", true);
    const bool merge = given && reading_boolean(reading, &path, "merge", false);
    options->renaming = merge ? RENAME_BY_PLACE : RENAME_BY_ORDER;
    options->keep_all = !merge;
    path = path_field(spec, "options");
    if (reading_mapping(reading, &path, switches)) {
        options->status_flap = reading_boolean(reading, &path, "statusFlap", false);
        options->timeout_applied = reading_boolean(reading, &path, "timeoutApplied", false);
        options->client_async = reading_boolean(reading, &path, "clientAsync", false);
        options->external_failures = reading_boolean(reading, &path, "externalFailures", false);
        options->own_failures = reading_boolean(reading, &path, "ownFailures", false);
    }
}

/* --- The matrix --- */

static const struct desired_state *read_states(const struct check_reading *reading,
                                               const struct path *parent, const char *name,
                                               uint32_t *count)
{
    static const char *const known[] = {"name", "spec", NULL};
    const struct path path = path_field(parent, name);
    const struct value *list = reading_sequence(reading, &path);
    *count = 0;
    if (!list)
        return NULL;
    struct desired_state *states =
        ARENA_ARRAY(reading->arena, struct desired_state, list->count + 1);
    for (uint32_t i = 0; i < list->count; i++) {
        const struct path item = path_item(&path, i);
        const struct path spec = path_field(&item, "spec");
        if (!reading_mapping(reading, &item, known))
            continue;
        states[i].name = reading_string(
            reading, &item, "name", arena_printf(reading->arena, "%s %u", name, (unsigned)i + 1));
        states[i].spec = reading_datum(reading, reading_find(reading, &spec));
        if (!states[i].spec)
            problem_error(reading->problems, reading_place(reading, &item),
                          reading_text(reading, &spec),
                          "expected the spec of a custom resource, found nothing");
    }
    *count = list->count;
    return states;
}

static void read_matrix(const struct check_reading *reading, const struct path *spec,
                        struct controller_check *check)
{
    static const char *const known[] = {"states", "bad", NULL};
    const struct path path = path_field(spec, "matrix");
    if (!reading_mapping(reading, &path, known))
        return;
    check->states = read_states(reading, &path, "states", &check->state_count);
    check->bad_states = read_states(reading, &path, "bad", &check->bad_count);
}

/* --- All of it --- */

static void read_controller(const struct check_reading *reading, const struct path *spec,
                            int64_t timeout_ns, struct controller_check *check)
{
    const struct path path = path_field(spec, "controller");
    if (value_is_null(reading_find(reading, &path))) {
        problem_error(reading->problems, reading_place(reading, spec), reading_text(reading, &path),
                      "expected how to get at the controller (plugin, command or machine), found "
                      "nothing");
        return;
    }
    const struct controller_options options = {.timeout_ns = timeout_ns};
    check->opened = controller_open(reading->arena, reading->root, &options, &check->controller,
                                    reading->problems);
}

bool controller_check_read(struct arena *arena, const struct value *root, int64_t timeout_ns,
                           struct controller_check *check, struct problems *problems)
{
    static const char *const top[] = {"apiVersion", "kind", "metadata", "spec", NULL};
    static const char *const parts[] = {"controller", "script", "budgets", "reductions", "options",
                                        "match",      "safety", "matrix",  NULL};
    const struct check_reading reading = {.arena = arena, .root = root, .problems = problems};
    const uint32_t errors = problems->errors;
    *check = (struct controller_check){.name = "controller", .file = root->file};
    const char *version = value_find_string(root, "apiVersion");
    if (version && strcmp(version, "fathom/v1") != 0) {
        const struct path path = path_field(&path_root, "apiVersion");
        problem_error(problems, reading_place(&reading, &path), "apiVersion",
                      "expected fathom/v1, found \"%s\"", version);
        return false;
    }
    reading_mapping(&reading, &path_root, top);
    const struct path metadata = path_field(&path_root, "metadata");
    if (!value_is_null(reading_find(&reading, &metadata)))
        check->name = reading_string(&reading, &metadata, "name", check->name);
    const struct path spec = path_field(&path_root, "spec");
    if (!reading_mapping(&reading, &spec, parts)) {
        if (value_is_null(reading_find(&reading, &spec)))
            problem_error(problems, value_place(root), "spec",
                          "expected a controller and a script, found nothing");
        return false;
    }
    read_script(&reading, &spec, check);
    read_bounds(&reading, &spec, &check->options);
    check_read_match(&reading, &spec, check);
    check_read_safety(&reading, &spec, check);
    read_matrix(&reading, &spec, check);
    /* A program is started only for a check that is right otherwise. */
    if (problems->errors == errors)
        read_controller(&reading, &spec, timeout_ns, check);
    if (problems->errors == errors && !check->options.match && !check->controller.match)
        problem_error(problems, reading_place(&reading, &spec), "spec.match",
                      "expected when a custom resource is matched, since the controller does not "
                      "say it itself");
    return problems->errors == errors;
}

void controller_check_release(struct controller_check *check)
{
    if (check->opened && check->controller.release)
        check->controller.release(&check->controller);
    check->opened = false;
}

const char *const *controller_check_script_kinds(struct arena *arena, const struct value *root)
{
    const struct value *script = value_find(value_find(root, "spec"), "script");
    const uint32_t count = script && script->kind == VALUE_SEQUENCE ? script->count : 0;
    const char **kinds = ARENA_ARRAY(arena, const char *, count + 1);
    uint32_t found = 0;
    for (uint32_t i = 0; i < count; i++) {
        const char *kind = value_find_string(value_find(&script->items[i], "object"), "kind");
        bool known = !kind || api_kind_built_in(kind);
        for (uint32_t j = 0; j < found && !known; j++)
            known = strcmp(kinds[j], kind) == 0;
        if (!known)
            kinds[found++] = kind;
    }
    return kinds;
}
