/* SPDX-License-Identifier: Apache-2.0 */
#include "reconcile/check_file.h"

#include "base/suggest.h"
#include "base/vec.h"
#include "object/path.h"
#include "reconcile/front/controller_open.h"
#include "reconcile/shapes.h"

#include <string.h>

enum { BUDGET_MOST = 20 };

struct reading {
    struct arena *arena;
    const struct value *root;
    struct problems *problems;
};

/* --- What every part needs --- */

static const char *text_of(const struct reading *reading, const struct path *path)
{
    return path_text(reading->arena, path);
}

static const struct value *find(const struct reading *reading, const struct path *path)
{
    return path_value(reading->root, path);
}

static void complain_unknown(const struct reading *reading, const struct value *mapping,
                             const struct member *member, const struct path *path,
                             const char *const *known)
{
    struct suggestion suggestion = {.word = member->key};
    for (const char *const *name = known; *name; name++)
        suggestion_offer(&suggestion, *name);
    const struct path field = path_field(path, member->key);
    problem_error(reading->problems, member_place(mapping, member), text_of(reading, &field),
                  "unknown field%s%s%s", suggestion.nearest ? "; did you mean \"" : "",
                  suggestion.nearest ? suggestion.nearest : "", suggestion.nearest ? "\"?" : "");
}

/* A mapping with no other members than these. NULL if it is not there or wrong. */
static const struct value *mapping_at(const struct reading *reading, const struct path *path,
                                      const char *const *known)
{
    const struct value *value = find(reading, path);
    if (value_is_null(value))
        return NULL;
    if (value->kind != VALUE_MAPPING) {
        value_expected(reading->problems, value, text_of(reading, path), "a mapping");
        return NULL;
    }
    VALUE_EACH_MEMBER(value, member)
    {
        bool is_known = !known;
        for (const char *const *name = known; known && *name && !is_known; name++)
            is_known = strcmp(*name, member->key) == 0;
        if (!is_known)
            complain_unknown(reading, value, member, path, known);
    }
    return value;
}

static const struct value *sequence_at(const struct reading *reading, const struct path *path)
{
    const struct value *value = find(reading, path);
    if (value_is_null(value))
        return NULL;
    if (value->kind != VALUE_SEQUENCE) {
        value_expected(reading->problems, value, text_of(reading, path), "a list");
        return NULL;
    }
    return value;
}

static const char *string_at(const struct reading *reading, const struct path *parent,
                             const char *name, const char *fallback)
{
    const struct path path = path_field(parent, name);
    const struct value *value = find(reading, &path);
    const char *text = fallback;
    if (!value_is_null(value) && !value_read_string(value, &text))
        value_expected(reading->problems, value, text_of(reading, &path), "a string");
    return text;
}

static bool boolean_at(const struct reading *reading, const struct path *parent, const char *name,
                       bool fallback)
{
    const struct path path = path_field(parent, name);
    const struct value *value = find(reading, &path);
    bool truth = fallback;
    if (!value_is_null(value) && !value_read_boolean(value, &truth))
        value_expected(reading->problems, value, text_of(reading, &path), "true or false");
    return truth;
}

static uint32_t budget_at(const struct reading *reading, const struct path *parent,
                          const char *name)
{
    const struct path path = path_field(parent, name);
    const struct value *value = find(reading, &path);
    int64_t number = 0;
    if (value_is_null(value))
        return 0;
    if (!value_read_integer(value, &number) || number < 0 || number > BUDGET_MOST) {
        value_expected(reading->problems, value, text_of(reading, &path),
                       "a whole number from 0 to 20");
        return 0;
    }
    return (uint32_t)number;
}

static const struct datum *datum_of(const struct reading *reading, const struct value *value)
{
    return value_is_null(value) ? NULL : datum_of_value(reading->arena, value, reading->problems);
}

static struct place place_of(const struct reading *reading, const struct path *path)
{
    return path_place(reading->root, path);
}

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

static void read_object(const struct reading *reading, const struct path *path,
                        struct script_operation *operation)
{
    const struct path field = path_field(path, "object");
    const struct value *value = mapping_at(reading, &field, NULL);
    if (!value) {
        if (value_is_null(find(reading, &field)))
            problem_error(reading->problems, place_of(reading, path), text_of(reading, &field),
                          "expected the object, found nothing");
        return;
    }
    const struct datum *object = datum_of(reading, value);
    operation->key = object_key_of(object);
    if (*operation->key.kind == '\0' || *operation->key.name == '\0') {
        problem_error(reading->problems, value_place(value), text_of(reading, &field),
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
            problem_error(reading->problems, value_place(value), text_of(reading, &field),
                          "expected what a user writes, found %s, which is the API server's",
                          servers_own[i]);
    if (has_numbers(object))
        problem_error(reading->problems, value_place(value), text_of(reading, &field),
                      "expected what a user writes, found {$rv: ...} or {$uid: ...}, which only "
                      "the API server gives out");
    operation->object = object;
}

static void read_deleted(const struct reading *reading, const struct path *path,
                         struct script_operation *operation)
{
    operation->key = (struct object_key){
        .kind = string_at(reading, path, "kind", ""),
        .name_space = string_at(reading, path, "namespace", "default"),
        .name = string_at(reading, path, "name", ""),
    };
    const struct path object = path_field(path, "object");
    if (!value_is_null(find(reading, &object)))
        operation->key = object_key_of(datum_of(reading, find(reading, &object)));
    if (*operation->key.name_space == '\0')
        operation->key.name_space = "default";
    if (*operation->key.kind == '\0' || *operation->key.name == '\0')
        problem_error(reading->problems, place_of(reading, path), text_of(reading, path),
                      "expected kind and name of the object to delete");
}

static void read_operation(const struct reading *reading, const struct path *path,
                           struct script_operation *operation)
{
    static const char *const known[] = {"op", "object", "kind", "name", "namespace", NULL};
    if (!mapping_at(reading, path, known)) {
        if (value_is_null(find(reading, path)))
            problem_error(reading->problems, place_of(reading, path), text_of(reading, path),
                          "expected an operation, found nothing");
        return;
    }
    const char *verb = string_at(reading, path, "op", "");
    operation->place = place_of(reading, path);
    operation->key = (struct object_key){"", "", ""};
    if (strcmp(verb, "create") == 0 || strcmp(verb, "update") == 0) {
        operation->verb = strcmp(verb, "create") == 0 ? SCRIPT_CREATE : SCRIPT_UPDATE;
        read_object(reading, path, operation);
    } else if (strcmp(verb, "delete") == 0) {
        operation->verb = SCRIPT_DELETE;
        read_deleted(reading, path, operation);
    } else {
        const struct path field = path_field(path, "op");
        problem_error(reading->problems, place_of(reading, &field), text_of(reading, &field),
                      "expected create, update or delete, found \"%s\"", verb);
    }
}

static void read_script(const struct reading *reading, const struct path *spec,
                        struct controller_check *check)
{
    const struct path path = path_field(spec, "script");
    const struct value *list = sequence_at(reading, &path);
    if (!list || list->count == 0) {
        problem_error(reading->problems, place_of(reading, spec), text_of(reading, &path),
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

static void read_bounds(const struct reading *reading, const struct path *spec,
                        struct environment_options *options)
{
    static const char *const budgets[] = {"crashes", "failures", "staleReads", NULL};
    static const char *const reductions[] = {"fuseSchedule", "statusController", "merge", NULL};
    static const char *const switches[] = {"statusFlap",       "timeoutApplied", "clientAsync",
                                           "externalFailures", "ownFailures",    NULL};
    struct path path = path_field(spec, "budgets");
    if (mapping_at(reading, &path, budgets)) {
        options->crashes = budget_at(reading, &path, "crashes");
        options->failures = budget_at(reading, &path, "failures");
        options->stale_reads = budget_at(reading, &path, "staleReads");
    }
    path = path_field(spec, "reductions");
    const struct value *given = mapping_at(reading, &path, reductions);
    options->fuse_schedule = given && boolean_at(reading, &path, "fuseSchedule", false);
    options->no_status = given && !boolean_at(reading, &path, "statusController", true);
    const bool merge = given && boolean_at(reading, &path, "merge", false);
    options->renaming = merge ? RENAME_BY_PLACE : RENAME_BY_ORDER;
    options->keep_all = !merge;
    path = path_field(spec, "options");
    if (mapping_at(reading, &path, switches)) {
        options->status_flap = boolean_at(reading, &path, "statusFlap", false);
        options->timeout_applied = boolean_at(reading, &path, "timeoutApplied", false);
        options->client_async = boolean_at(reading, &path, "clientAsync", false);
        options->external_failures = boolean_at(reading, &path, "externalFailures", false);
        options->own_failures = boolean_at(reading, &path, "ownFailures", false);
    }
}

/* --- Conditions --- */

/* "Kind/namespace/name", or "self". */
static bool read_pattern(const struct reading *reading, const struct path *parent,
                         struct object_pattern *pattern)
{
    const struct path path = path_field(parent, "object");
    const char *text = string_at(reading, parent, "object", NULL);
    *pattern = (struct object_pattern){0};
    if (text && strcmp(text, "self") == 0) {
        pattern->self = true;
        return true;
    }
    char *copy = text ? arena_strdup(reading->arena, text) : NULL;
    char *first = copy ? strchr(copy, '/') : NULL;
    char *second = first ? strchr(first + 1, '/') : NULL;
    if (!second || first == copy || second[1] == '\0' || strchr(second + 1, '/')) {
        problem_error(reading->problems, place_of(reading, &path), text_of(reading, &path),
                      "expected \"Kind/namespace/name\" or \"self\", found %s%s%s",
                      text ? "\"" : "", text ? text : "nothing", text ? "\"" : "");
        return false;
    }
    *first = '\0';
    *second = '\0';
    *pattern = (struct object_pattern){.kind = copy, .name_space = first + 1, .name = second + 1};
    return true;
}

static bool check_datum_path(const struct reading *reading, struct place place, const char *at,
                             const char *text)
{
    if (datum_path_is_well_formed(text))
        return true;
    problem_error(reading->problems, place, at,
                  "expected the path of a field, such as spec.replicas, found \"%s\"", text);
    return false;
}

/* {cr: path}: that field of the custom resource. */
static const char *resource_path_of(const struct reading *reading, const struct value *value,
                                    const char *at)
{
    const char *path = NULL;
    if (value->kind != VALUE_MAPPING || value->count != 1 ||
        strcmp(value->members[0].key, "cr") != 0)
        return NULL;
    if (!value_read_string(&value->members[0].value, &path)) {
        value_expected(reading->problems, &value->members[0].value, at,
                       "the path of a field of the custom resource");
        return "spec";
    }
    return check_datum_path(reading, value_place(value), at, path) ? path : "spec";
}

static void read_fields(const struct reading *reading, const struct path *parent,
                        struct match_rule *rule)
{
    const struct path path = path_field(parent, "fields");
    const struct value *fields = mapping_at(reading, &path, NULL);
    if (!fields)
        return;
    struct field_rule *rules = ARENA_ARRAY(reading->arena, struct field_rule, fields->count + 1);
    for (uint32_t i = 0; i < fields->count; i++) {
        const struct member *member = &fields->members[i];
        const char *at = text_of(reading, &path);
        rules[i].path = member->key;
        check_datum_path(reading, member_place(fields, member), at, member->key);
        rules[i].resource_path = resource_path_of(reading, &member->value, at);
        if (!rules[i].resource_path)
            rules[i].value = datum_of(reading, &member->value);
    }
    rule->fields = rules;
    rule->field_count = fields->count;
}

static void read_absent_fields(const struct reading *reading, const struct path *parent,
                               struct match_rule *rule)
{
    const struct path path = path_field(parent, "absentFields");
    const struct value *list = sequence_at(reading, &path);
    if (!list)
        return;
    const char **names = ARENA_ARRAY(reading->arena, const char *, list->count + 1);
    for (uint32_t i = 0; i < list->count; i++) {
        const struct path item = path_item(&path, i);
        names[i] = "x";
        if (!value_read_string(&list->items[i], &names[i]))
            value_expected(reading->problems, &list->items[i], text_of(reading, &item),
                           "the path of a field");
        check_datum_path(reading, value_place(&list->items[i]), text_of(reading, &item), names[i]);
    }
    rule->absent_fields = names;
    rule->absent_count = list->count;
}

static void read_match(const struct reading *reading, const struct path *spec,
                       struct controller_check *check)
{
    static const char *const known[] = {"object", "fields", "absentFields", "absent", NULL};
    const struct path path = path_field(spec, "match");
    const struct value *list = sequence_at(reading, &path);
    if (!list)
        return;
    struct match_rule *rules = ARENA_ARRAY(reading->arena, struct match_rule, list->count + 1);
    for (uint32_t i = 0; i < list->count; i++) {
        const struct path item = path_item(&path, i);
        if (!mapping_at(reading, &item, known))
            continue;
        read_pattern(reading, &item, &rules[i].object);
        read_fields(reading, &item, &rules[i]);
        read_absent_fields(reading, &item, &rules[i]);
        rules[i].absent = boolean_at(reading, &item, "absent", false);
        if (rules[i].absent && (rules[i].field_count > 0 || rules[i].absent_count > 0))
            problem_error(reading->problems, place_of(reading, &item), text_of(reading, &item),
                          "expected no fields of an object that is to be absent");
    }
    check->match = (struct match_rules){.items = rules, .count = list->count};
    check->options.match = &check->match;
}

/* One of `equals`, `notEquals`, `lessThan`, `greaterThan`, `exists`. */
static void read_comparison(const struct reading *reading, const struct path *path,
                            struct object_condition *condition)
{
    static const struct {
        const char *name;
        enum comparison comparison;
    } kinds[] = {
        {"equals", COMPARE_EQUALS}, {"notEquals", COMPARE_DIFFERS},
        {"lessThan", COMPARE_LESS}, {"greaterThan", COMPARE_GREATER},
        {"exists", COMPARE_EXISTS},
    };
    uint32_t given = 0;
    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
        const struct path field = path_field(path, kinds[i].name);
        const struct value *value = find(reading, &field);
        if (!value)
            continue;
        given++;
        condition->comparison = kinds[i].comparison;
        if (kinds[i].comparison == COMPARE_EXISTS) {
            if (!boolean_at(reading, path, "exists", true))
                condition->comparison = COMPARE_ABSENT;
            continue;
        }
        condition->resource_path = resource_path_of(reading, value, text_of(reading, &field));
        if (!condition->resource_path)
            condition->value = datum_of(reading, value);
        const bool orders =
            kinds[i].comparison == COMPARE_LESS || kinds[i].comparison == COMPARE_GREATER;
        double number = 0;
        if (orders && !condition->resource_path && !value_read_number(value, &number))
            value_expected(reading->problems, value, text_of(reading, &field), "a number");
    }
    if (given == 0)
        condition->comparison = COMPARE_EXISTS;
    if (given > 1 || (given == 0 && condition->path) ||
        (given == 1 && !condition->path && condition->comparison != COMPARE_EXISTS &&
         condition->comparison != COMPARE_ABSENT))
        problem_error(reading->problems, place_of(reading, path), text_of(reading, path),
                      "expected a field and one of equals, notEquals, lessThan, greaterThan, "
                      "exists, or an object and exists");
}

static void read_safety_rule(const struct reading *reading, const struct path *path,
                             struct safety_rule *rule)
{
    static const char *const known[] = {"name", "never", NULL};
    static const char *const parts[] = {"object",   "field",       "equals", "notEquals",
                                        "lessThan", "greaterThan", "exists", NULL};
    rule->name = "";
    if (!mapping_at(reading, path, known))
        return;
    rule->name = string_at(reading, path, "name", "");
    const struct path never = path_field(path, "never");
    const struct value *list = sequence_at(reading, &never);
    if (*rule->name == '\0' || !list || list->count == 0) {
        problem_error(reading->problems, place_of(reading, path), text_of(reading, path),
                      "expected a name, and a list of conditions that are never true together "
                      "(never)");
        return;
    }
    struct object_condition *conditions =
        ARENA_ARRAY(reading->arena, struct object_condition, list->count + 1);
    for (uint32_t i = 0; i < list->count; i++) {
        const struct path item = path_item(&never, i);
        if (!mapping_at(reading, &item, parts))
            continue;
        read_pattern(reading, &item, &conditions[i].object);
        conditions[i].path = string_at(reading, &item, "field", NULL);
        if (conditions[i].path)
            check_datum_path(reading, place_of(reading, &item), text_of(reading, &item),
                             conditions[i].path);
        read_comparison(reading, &item, &conditions[i]);
    }
    rule->never = conditions;
    rule->count = list->count;
}

static void read_safety(const struct reading *reading, const struct path *spec,
                        struct controller_check *check)
{
    enum { RULES_MOST = 20 };
    const struct path path = path_field(spec, "safety");
    const struct value *list = sequence_at(reading, &path);
    if (!list || list->count == 0)
        return;
    if (list->count > RULES_MOST) {
        problem_error(reading->problems, value_place(list), text_of(reading, &path),
                      "expected at most %d safety properties, found %u", RULES_MOST, list->count);
        return;
    }
    struct safety_rule *rules = ARENA_ARRAY(reading->arena, struct safety_rule, list->count);
    for (uint32_t i = 0; i < list->count; i++) {
        const struct path item = path_item(&path, i);
        read_safety_rule(reading, &item, &rules[i]);
        for (uint32_t k = 0; k < i; k++)
            if (strcmp(rules[k].name, rules[i].name) == 0)
                problem_error(reading->problems, place_of(reading, &item), text_of(reading, &item),
                              "there is another safety property of the name \"%s\"", rules[i].name);
    }
    check->safety = (struct safety_rules){.items = rules, .count = list->count};
    check->safety_place = value_place(list);
    check->options.safety = &check->safety;
}

/* --- The matrix --- */

static const struct desired_state *read_states(const struct reading *reading,
                                               const struct path *parent, const char *name,
                                               uint32_t *count)
{
    static const char *const known[] = {"name", "spec", NULL};
    const struct path path = path_field(parent, name);
    const struct value *list = sequence_at(reading, &path);
    *count = 0;
    if (!list)
        return NULL;
    struct desired_state *states =
        ARENA_ARRAY(reading->arena, struct desired_state, list->count + 1);
    for (uint32_t i = 0; i < list->count; i++) {
        const struct path item = path_item(&path, i);
        const struct path spec = path_field(&item, "spec");
        if (!mapping_at(reading, &item, known))
            continue;
        states[i].name = string_at(reading, &item, "name",
                                   arena_printf(reading->arena, "%s %u", name, (unsigned)i + 1));
        states[i].spec = datum_of(reading, find(reading, &spec));
        if (!states[i].spec)
            problem_error(reading->problems, place_of(reading, &item), text_of(reading, &spec),
                          "expected the spec of a custom resource, found nothing");
    }
    *count = list->count;
    return states;
}

static void read_matrix(const struct reading *reading, const struct path *spec,
                        struct controller_check *check)
{
    static const char *const known[] = {"states", "bad", NULL};
    const struct path path = path_field(spec, "matrix");
    if (!mapping_at(reading, &path, known))
        return;
    check->states = read_states(reading, &path, "states", &check->state_count);
    check->bad_states = read_states(reading, &path, "bad", &check->bad_count);
}

/* --- All of it --- */

bool controller_check_is(const struct value *root)
{
    const char *version = value_find_string(root, "apiVersion");
    const char *kind = value_find_string(root, "kind");
    return version && kind && strncmp(version, "fathom/", strlen("fathom/")) == 0 &&
           strcmp(kind, "ControllerCheck") == 0;
}

static void read_controller(const struct reading *reading, const struct path *spec,
                            int64_t timeout_ns, struct controller_check *check)
{
    const struct path path = path_field(spec, "controller");
    if (value_is_null(find(reading, &path))) {
        problem_error(reading->problems, place_of(reading, spec), text_of(reading, &path),
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
    const struct reading reading = {.arena = arena, .root = root, .problems = problems};
    const uint32_t errors = problems->errors;
    *check = (struct controller_check){.name = "controller", .file = root->file};
    const char *version = value_find_string(root, "apiVersion");
    if (version && strcmp(version, "fathom/v1") != 0) {
        const struct path path = path_field(&path_root, "apiVersion");
        problem_error(problems, place_of(&reading, &path), "apiVersion",
                      "expected fathom/v1, found \"%s\"", version);
        return false;
    }
    mapping_at(&reading, &path_root, top);
    const struct path metadata = path_field(&path_root, "metadata");
    if (!value_is_null(find(&reading, &metadata)))
        check->name = string_at(&reading, &metadata, "name", check->name);
    const struct path spec = path_field(&path_root, "spec");
    if (!mapping_at(&reading, &spec, parts)) {
        if (value_is_null(find(&reading, &spec)))
            problem_error(problems, value_place(root), "spec",
                          "expected a controller and a script, found nothing");
        return false;
    }
    read_script(&reading, &spec, check);
    read_bounds(&reading, &spec, &check->options);
    read_match(&reading, &spec, check);
    read_safety(&reading, &spec, check);
    read_matrix(&reading, &spec, check);
    /* A program is started only for a check that is right otherwise. */
    if (problems->errors == errors)
        read_controller(&reading, &spec, timeout_ns, check);
    if (problems->errors == errors && !check->options.match && !check->controller.match)
        problem_error(problems, place_of(&reading, &spec), "spec.match",
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
