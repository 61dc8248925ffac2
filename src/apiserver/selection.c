/* SPDX-License-Identifier: Apache-2.0 */
#include "apiserver/selection.h"

#include "base/vec.h"
#include "object/selector_text.h"

#include <string.h>

/* What fields can be selected by, as in the real API server. `kind` "": of all. */
static const struct {
    const char *kind;
    const char *path;
} selectable[] = {
    {"", "metadata.name"},
    {"", "metadata.namespace"},
    {"Event", "involvedObject.kind"},
    {"Event", "involvedObject.name"},
    {"Event", "involvedObject.namespace"},
    {"Event", "involvedObject.uid"},
    {"Event", "reason"},
    {"Event", "type"},
    {"Namespace", "status.phase"},
    {"Pod", "spec.nodeName"},
    {"Pod", "spec.restartPolicy"},
    {"Pod", "spec.schedulerName"},
    {"Pod", "spec.serviceAccountName"},
    {"Pod", "status.phase"},
    {"Pod", "status.podIP"},
    {"Secret", "type"},
};

static const char *find_field(const struct resource_type *type, const char *path)
{
    for (size_t i = 0; i < sizeof(selectable) / sizeof(*selectable); i++)
        if (strcmp(selectable[i].path, path) == 0 &&
            (!*selectable[i].kind || strcmp(selectable[i].kind, type->kind) == 0))
            return selectable[i].path;
    return NULL;
}

/* One of "a=b", "a==b", "a!=b". */
static bool read_field(struct arena *arena, const struct resource_type *type, const char *term,
                       struct selection *selection, const char **why)
{
    const char *equals = strchr(term, '=');
    if (!equals || equals == term) {
        *why = arena_printf(arena, "invalid selector: '%s'; can't understand '%s'", term, term);
        return false;
    }
    const bool unequal = equals[-1] == '!';
    const char *name = arena_strndup(arena, term, (size_t)(equals - term) - unequal);
    struct field_requirement requirement = {
        .path = find_field(type, name),
        .value = arena_strdup(arena, equals + (equals[1] == '=' && !unequal ? 2 : 1)),
        .unequal = unequal,
    };
    if (!requirement.path) {
        *why = arena_printf(arena, "field label not supported: %s", name);
        return false;
    }
    VEC(struct field_requirement)
    fields = {selection->fields, selection->field_count, selection->field_capacity};
    VEC_PUSH(arena, &fields, requirement);
    selection->fields = fields.items;
    selection->field_count = fields.count;
    selection->field_capacity = fields.capacity;
    return true;
}

bool selection_read(struct arena *arena, const struct resource_type *type,
                    const struct http_request *request, struct selection *selection,
                    const char **why)
{
    *selection = (struct selection){0};
    const char *labels = http_parameter(request, "labelSelector");
    const char *reason = NULL;
    if (!selector_text_parse(arena, labels, &selection->labels, &reason)) {
        *why = arena_printf(arena, "unable to parse requirement: %s", reason);
        return false;
    }
    const char *fields = http_parameter(request, "fieldSelector");
    while (*fields) {
        const size_t length = strcspn(fields, ",");
        if (length &&
            !read_field(arena, type, arena_strndup(arena, fields, length), selection, why))
            return false;
        fields += length + (fields[length] == ',');
    }
    return true;
}

static bool labels_match(struct arena *scratch, const struct label_selector *selector,
                         const struct datum *object)
{
    if (!selector->match_expression_count && !selector->match_labels.count)
        return true;
    const struct datum *written = datum_at(object, "metadata.labels");
    const uint32_t count = written && written->kind == DATUM_OBJECT ? written->count : 0;
    struct labels labels = {ARENA_ARRAY(scratch, struct label, count + 1), count};
    for (uint32_t i = 0; i < count; i++)
        labels.items[i] =
            (struct label){written->members[i].key, datum_text(written->members[i].value, "")};
    return label_selector_matches(selector, &labels);
}

/* A uid is a number inside and a text outside. */
static const char *field_text(struct arena *scratch, const struct datum *value)
{
    if (!value || (value->kind != DATUM_UID && value->kind != DATUM_VERSION))
        return datum_text(value, "");
    struct text text;
    text_init(&text, scratch->memory);
    datum_write(&text, DATUM_REAL, value);
    const char *plain = arena_strndup(scratch, text_content(&text) + 1, text.length - 2);
    text_release(&text);
    return plain;
}

bool selection_matches(struct arena *scratch, const struct selection *selection,
                       const struct datum *object)
{
    const struct arena_mark mark = arena_mark(scratch);
    bool matches = labels_match(scratch, &selection->labels, object);
    for (uint32_t i = 0; matches && i < selection->field_count; i++) {
        const struct field_requirement *field = &selection->fields[i];
        const char *value = field_text(scratch, datum_at(object, field->path));
        matches = (strcmp(value, field->value) == 0) != field->unequal;
    }
    arena_rewind(scratch, mark);
    return matches;
}
