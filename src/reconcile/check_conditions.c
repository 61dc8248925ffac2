/* SPDX-License-Identifier: Apache-2.0 */
/* Conditions on objects: when a custom resource is matched, and what must never be so. */
#include "reconcile/check_reading.h"

#include <string.h>

/* "Kind/namespace/name", or "self". */
static bool read_pattern(const struct check_reading *reading, const struct path *parent,
                         struct object_pattern *pattern)
{
    const struct path path = path_field(parent, "object");
    const char *text = reading_string(reading, parent, "object", NULL);
    *pattern = (struct object_pattern){0};
    if (text && strcmp(text, "self") == 0) {
        pattern->self = true;
        return true;
    }
    char *copy = text ? arena_strdup(reading->arena, text) : NULL;
    char *first = copy ? strchr(copy, '/') : NULL;
    char *second = first ? strchr(first + 1, '/') : NULL;
    if (!second || first == copy || second[1] == '\0' || strchr(second + 1, '/')) {
        problem_error(reading->problems, reading_place(reading, &path),
                      reading_text(reading, &path),
                      "expected \"Kind/namespace/name\" or \"self\", found %s%s%s",
                      text ? "\"" : "", text ? text : "nothing", text ? "\"" : "");
        return false;
    }
    *first = '\0';
    *second = '\0';
    *pattern = (struct object_pattern){.kind = copy, .name_space = first + 1, .name = second + 1};
    return true;
}

static bool check_datum_path(const struct check_reading *reading, struct place place,
                             const char *at, const char *text)
{
    if (datum_path_is_well_formed(text))
        return true;
    problem_error(reading->problems, place, at,
                  "expected the path of a field, such as spec.replicas, found \"%s\"", text);
    return false;
}

/* {cr: path}: that field of the custom resource. */
static const char *resource_path_of(const struct check_reading *reading, const struct value *value,
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

static void read_fields(const struct check_reading *reading, const struct path *parent,
                        struct match_rule *rule)
{
    const struct path path = path_field(parent, "fields");
    const struct value *fields = reading_mapping(reading, &path, NULL);
    if (!fields)
        return;
    struct field_rule *rules = ARENA_ARRAY(reading->arena, struct field_rule, fields->count + 1);
    for (uint32_t i = 0; i < fields->count; i++) {
        const struct member *member = &fields->members[i];
        const char *at = reading_text(reading, &path);
        rules[i].path = member->key;
        check_datum_path(reading, member_place(fields, member), at, member->key);
        rules[i].resource_path = resource_path_of(reading, &member->value, at);
        if (!rules[i].resource_path)
            rules[i].value = reading_datum(reading, &member->value);
    }
    rule->fields = rules;
    rule->field_count = fields->count;
}

static void read_absent_fields(const struct check_reading *reading, const struct path *parent,
                               struct match_rule *rule)
{
    const struct path path = path_field(parent, "absentFields");
    const struct value *list = reading_sequence(reading, &path);
    if (!list)
        return;
    const char **names = ARENA_ARRAY(reading->arena, const char *, list->count + 1);
    for (uint32_t i = 0; i < list->count; i++) {
        const struct path item = path_item(&path, i);
        names[i] = "x";
        if (!value_read_string(&list->items[i], &names[i]))
            value_expected(reading->problems, &list->items[i], reading_text(reading, &item),
                           "the path of a field");
        check_datum_path(reading, value_place(&list->items[i]), reading_text(reading, &item),
                         names[i]);
    }
    rule->absent_fields = names;
    rule->absent_count = list->count;
}

void check_read_match(const struct check_reading *reading, const struct path *spec,
                      struct controller_check *check)
{
    static const char *const known[] = {"object", "fields", "absentFields", "absent", NULL};
    const struct path path = path_field(spec, "match");
    const struct value *list = reading_sequence(reading, &path);
    if (!list)
        return;
    struct match_rule *rules = ARENA_ARRAY(reading->arena, struct match_rule, list->count + 1);
    for (uint32_t i = 0; i < list->count; i++) {
        const struct path item = path_item(&path, i);
        if (!reading_mapping(reading, &item, known))
            continue;
        read_pattern(reading, &item, &rules[i].object);
        read_fields(reading, &item, &rules[i]);
        read_absent_fields(reading, &item, &rules[i]);
        rules[i].absent = reading_boolean(reading, &item, "absent", false);
        if (rules[i].absent && (rules[i].field_count > 0 || rules[i].absent_count > 0))
            problem_error(reading->problems, reading_place(reading, &item),
                          reading_text(reading, &item),
                          "expected no fields of an object that is to be absent");
    }
    check->match = (struct match_rules){.items = rules, .count = list->count};
    check->options.match = &check->match;
}

/* One of `equals`, `notEquals`, `lessThan`, `greaterThan`, `exists`. */
static void read_comparison(const struct check_reading *reading, const struct path *path,
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
        const struct value *value = reading_find(reading, &field);
        if (!value)
            continue;
        given++;
        condition->comparison = kinds[i].comparison;
        if (kinds[i].comparison == COMPARE_EXISTS) {
            if (!reading_boolean(reading, path, "exists", true))
                condition->comparison = COMPARE_ABSENT;
            continue;
        }
        condition->resource_path = resource_path_of(reading, value, reading_text(reading, &field));
        if (!condition->resource_path)
            condition->value = reading_datum(reading, value);
        const bool orders =
            kinds[i].comparison == COMPARE_LESS || kinds[i].comparison == COMPARE_GREATER;
        double number = 0;
        if (orders && !condition->resource_path && !value_read_number(value, &number))
            value_expected(reading->problems, value, reading_text(reading, &field), "a number");
    }
    if (given == 0)
        condition->comparison = COMPARE_EXISTS;
    if (given > 1 || (given == 0 && condition->path) ||
        (given == 1 && !condition->path && condition->comparison != COMPARE_EXISTS &&
         condition->comparison != COMPARE_ABSENT))
        problem_error(reading->problems, reading_place(reading, path), reading_text(reading, path),
                      "expected a field and one of equals, notEquals, lessThan, greaterThan, "
                      "exists, or an object and exists");
}

static void read_safety_rule(const struct check_reading *reading, const struct path *path,
                             struct safety_rule *rule)
{
    static const char *const known[] = {"name", "never", NULL};
    static const char *const parts[] = {"object",   "field",       "equals", "notEquals",
                                        "lessThan", "greaterThan", "exists", NULL};
    rule->name = "";
    if (!reading_mapping(reading, path, known))
        return;
    rule->name = reading_string(reading, path, "name", "");
    const struct path never = path_field(path, "never");
    const struct value *list = reading_sequence(reading, &never);
    if (*rule->name == '\0' || !list || list->count == 0) {
        problem_error(reading->problems, reading_place(reading, path), reading_text(reading, path),
                      "expected a name, and a list of conditions that are never true together "
                      "(never)");
        return;
    }
    struct object_condition *conditions =
        ARENA_ARRAY(reading->arena, struct object_condition, list->count + 1);
    for (uint32_t i = 0; i < list->count; i++) {
        const struct path item = path_item(&never, i);
        if (!reading_mapping(reading, &item, parts))
            continue;
        read_pattern(reading, &item, &conditions[i].object);
        conditions[i].path = reading_string(reading, &item, "field", NULL);
        if (conditions[i].path)
            check_datum_path(reading, reading_place(reading, &item), reading_text(reading, &item),
                             conditions[i].path);
        read_comparison(reading, &item, &conditions[i]);
    }
    rule->never = conditions;
    rule->count = list->count;
}

void check_read_safety(const struct check_reading *reading, const struct path *spec,
                       struct controller_check *check)
{
    enum { RULES_MOST = 20 };
    const struct path path = path_field(spec, "safety");
    const struct value *list = reading_sequence(reading, &path);
    if (!list || list->count == 0)
        return;
    if (list->count > RULES_MOST) {
        problem_error(reading->problems, value_place(list), reading_text(reading, &path),
                      "expected at most %d safety properties, found %u", RULES_MOST, list->count);
        return;
    }
    struct safety_rule *rules = ARENA_ARRAY(reading->arena, struct safety_rule, list->count);
    for (uint32_t i = 0; i < list->count; i++) {
        const struct path item = path_item(&path, i);
        read_safety_rule(reading, &item, &rules[i]);
        for (uint32_t k = 0; k < i; k++)
            if (strcmp(rules[k].name, rules[i].name) == 0)
                problem_error(reading->problems, reading_place(reading, &item),
                              reading_text(reading, &item),
                              "there is another safety property of the name \"%s\"", rules[i].name);
    }
    check->safety = (struct safety_rules){.items = rules, .count = list->count};
    check->safety_place = value_place(list);
    check->options.safety = &check->safety;
}
