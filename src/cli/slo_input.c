/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/slo_input.h"

#include "manifest/manifest.h"
#include "object/admission.h"

#include <string.h>

static bool is_objective(const struct document *document)
{
    const char *version = value_find_string(&document->root, "apiVersion");
    const char *kind = value_find_string(&document->root, "kind");
    return version && kind && strncmp(version, "fathom/", strlen("fathom/")) == 0 &&
           strcmp(kind, "ServiceObjective") == 0;
}

static bool load(struct session *session, const char *path, struct documents *documents,
                 struct problems *problems)
{
    const struct manifest_paths paths = {
        .items = &path, .count = 1, .recursive = session->options.recursive};
    return manifest_load(&session->arena, &paths, documents, problems);
}

static void take_others(struct arena *arena, struct documents *to, const struct documents *from)
{
    for (uint32_t i = 0; i < from->count; i++)
        if (!is_objective(&from->items[i]))
            VEC_PUSH(arena, to, from->items[i]);
}

/* The manifests that it names, relative to its file. What is wrong with the list
 * itself is found when it is decoded. */
static void load_named(struct session *session, const struct document *objective,
                       struct documents *documents, struct problems *problems)
{
    const struct value *list = value_find(value_find(&objective->root, "spec"), "manifests");
    if (!list || list->kind != VALUE_SEQUENCE)
        return;
    const char *file = objective->root.file ? objective->root.file : "";
    const char *slash = strrchr(file, '/');
    const int folder = slash ? (int)(slash - file) + 1 : 0;
    VALUE_EACH_ITEM(list, item)
    {
        const char *name = NULL;
        struct documents named = {0};
        if (!value_read_string(item, &name))
            continue;
        const char *path =
            name[0] == '/' ? name : arena_printf(&session->arena, "%.*s%s", folder, file, name);
        if (load(session, path, &named, problems))
            take_others(&session->arena, documents, &named);
    }
}

static void add_unit(struct session *session, struct slo_input *input,
                     const struct document *objective, const struct documents *beside,
                     const struct documents *shared)
{
    struct slo_unit unit = {0};
    struct documents documents = {0};
    problems_init(&unit.problems, &session->arena);
    VEC_PUSH(&session->arena, &documents, *objective);
    take_others(&session->arena, &documents, beside);
    if (beside != shared)
        take_others(&session->arena, &documents, shared);
    load_named(session, objective, &documents, &unit.problems);
    const struct object_options reading = {.namespace = session->options.name_space};
    object_decode(&session->arena, &documents, &reading, &unit.objects, &unit.problems);
    if (unit.problems.errors == 0)
        objects_admit(&session->arena, &unit.objects, &(struct admission_options){0},
                      &unit.problems);
    for (uint32_t i = 0; i < unit.objects.count; i++)
        if (unit.objects.items[i].kind == OBJECT_SERVICE_OBJECTIVE)
            unit.object = &unit.objects.items[i];
    VEC_PUSH(&session->arena, &input->units, unit);
}

static uint32_t add_units(struct session *session, struct slo_input *input,
                          const struct documents *documents, const struct documents *shared)
{
    const uint32_t before = input->units.count;
    for (uint32_t i = 0; i < documents->count; i++)
        if (is_objective(&documents->items[i]))
            add_unit(session, input, &documents->items[i], documents, shared);
    return input->units.count - before;
}

bool slo_input_read(struct session *session, struct slo_input *input)
{
    const struct option_list *files = &session->options.filename;
    const struct option_list *operands = &session->line.operands;
    struct documents shared = {0};
    *input = (struct slo_input){0};
    problems_init(&input->problems, &session->arena);
    for (uint32_t i = 0; i < files->count; i++)
        load(session, files->items[i], &shared, &input->problems);
    for (uint32_t i = 0; i < operands->count; i++) {
        struct documents documents = {0};
        if (load(session, operands->items[i], &documents, &input->problems) &&
            add_units(session, input, &documents, &shared) == 0)
            problem_error(&input->problems, (struct place){.file = operands->items[i]}, NULL,
                          "expected a ServiceObjective (apiVersion: fathom/v1), found none; "
                          "manifests are given with -f");
    }
    add_units(session, input, &shared, &shared);
    if (input->units.count == 0 && input->problems.errors == 0)
        problem_error(&input->problems, (struct place){0}, NULL,
                      "expected a ServiceObjective, found none");
    uint32_t errors = input->problems.errors;
    for (uint32_t i = 0; i < input->units.count; i++)
        errors += input->units.items[i].problems.errors;
    return errors == 0;
}
