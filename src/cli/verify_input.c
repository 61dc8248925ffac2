/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/verify_input.h"

#include "cli/input.h"
#include "manifest/manifest.h"
#include "object/admission.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

struct reader {
    struct session *session;
    struct verify_input *input;
    struct documents shared; /* of -f */
};

static bool is_check(const struct document *document)
{
    const char *version = value_find_string(&document->root, "apiVersion");
    const char *kind = value_find_string(&document->root, "kind");
    return version && kind && strncmp(version, "fathom/", strlen("fathom/")) == 0 &&
           strcmp(kind, "Check") == 0;
}

static void take_all_but_checks(struct arena *arena, struct documents *to,
                                const struct documents *from)
{
    for (uint32_t i = 0; from->items && i < from->count; i++)
        if (!is_check(&from->items[i]))
            VEC_PUSH(arena, to, from->items[i]);
}

static bool load(struct session *session, const char *path, struct documents *documents,
                 struct problems *problems)
{
    const struct manifest_paths paths = {
        .items = &path, .count = 1, .recursive = session->options.recursive};
    return manifest_load(&session->arena, &paths, documents, problems);
}

static bool same_file(const char *left, const char *right)
{
    char left_path[PATH_MAX];
    char right_path[PATH_MAX];
    return realpath(left, left_path) && realpath(right, right_path) &&
           strcmp(left_path, right_path) == 0;
}

/* A file that is named twice, by -f and by the Check, is read once. */
static bool read_already(const struct documents *documents, const char *path)
{
    const char *last = NULL;
    for (uint32_t i = 0; i < documents->count; i++) {
        const char *file = documents->items[i].root.file;
        if (file && file != last && same_file(file, path))
            return true;
        last = file;
    }
    return false;
}

/* The manifests that the Check names, relative to its file. What is wrong with
 * the list itself is found when the Check is decoded. */
static void load_named(struct reader *reader, const struct document *check,
                       struct documents *documents, struct problems *problems)
{
    struct arena *arena = &reader->session->arena;
    const struct value *list = value_find(value_find(&check->root, "spec"), "manifests");
    if (!list || list->kind != VALUE_SEQUENCE)
        return;
    const char *slash = check->root.file ? strrchr(check->root.file, '/') : NULL;
    const int folder = slash ? (int)(slash - check->root.file) + 1 : 0;
    VALUE_EACH_ITEM(list, item)
    {
        const char *name = NULL;
        if (!value_read_string(item, &name))
            continue;
        const char *path =
            name[0] == '/' ? name : arena_printf(arena, "%.*s%s", folder, check->root.file, name);
        struct documents named = {0};
        if (read_already(documents, path))
            continue;
        load(reader->session, path, &named, problems);
        take_all_but_checks(arena, documents, &named);
    }
}

static void add_unit(struct reader *reader, const struct document *check,
                     const struct documents *beside)
{
    struct session *session = reader->session;
    struct verify_unit unit = {.name = "manifests"};
    struct documents documents = {0};
    problems_init(&unit.problems, &session->arena);
    if (check)
        VEC_PUSH(&session->arena, &documents, *check);
    take_all_but_checks(&session->arena, &documents, beside);
    if (beside != &reader->shared)
        take_all_but_checks(&session->arena, &documents, &reader->shared);
    if (check)
        load_named(reader, check, &documents, &unit.problems);
    const struct object_options reading = {.namespace = session->options.name_space};
    object_decode(&session->arena, &documents, &reading, &unit.objects, &unit.problems);
    if (unit.problems.errors == 0)
        objects_admit(&session->arena, &unit.objects, &(struct admission_options){0},
                      &unit.problems);
    for (uint32_t i = 0; check && i < unit.objects.count; i++)
        if (unit.objects.items[i].kind == OBJECT_CHECK) {
            unit.check = unit.objects.items[i].as.check;
            unit.name = unit.objects.items[i].meta->name;
            unit.file = unit.objects.items[i].place.file;
        }
    VEC_PUSH(&session->arena, &reader->input->units, unit);
}

static void add_checks(struct reader *reader, const struct documents *documents)
{
    for (uint32_t i = 0; i < documents->count; i++)
        if (is_check(&documents->items[i]))
            add_unit(reader, &documents->items[i], documents);
}

static void read_operand(struct reader *reader, const char *path)
{
    struct documents documents = {0};
    const uint32_t before = reader->input->units.count;
    if (!load(reader->session, path, &documents, &reader->input->problems))
        return;
    add_checks(reader, &documents);
    if (reader->input->units.count == before)
        problem_error(&reader->input->problems, (struct place){.file = path}, NULL,
                      "expected a Check (apiVersion: fathom/v1), found none; manifests are given "
                      "with -f");
}

bool verify_input_read(struct session *session, struct verify_input *input)
{
    const struct options *options = &session->options;
    const struct option_list *operands = &session->line.operands;
    struct reader reader = {.session = session, .input = input};
    *input = (struct verify_input){0};
    problems_init(&input->problems, &session->arena);
    if (!operands->count && !options->filename.count) {
        problem_error(&input->problems, (struct place){0}, NULL,
                      "expected a Check or manifests (-f FILE|DIR|-), found nothing");
        return false;
    }
    for (uint32_t i = 0; i < options->filename.count; i++)
        load(session, options->filename.items[i], &reader.shared, &input->problems);
    for (uint32_t i = 0; i < operands->count; i++)
        read_operand(&reader, operands->items[i]);
    add_checks(&reader, &reader.shared);
    /* A mistyped folder must not pass for a folder without mistakes. */
    if (!operands->count && !reader.shared.count && !input->problems.errors)
        problem_error(&input->problems, (struct place){0}, NULL,
                      "expected at least one object in the manifests, found none");
    if (!operands->count && !input->units.count && !input->problems.errors)
        add_unit(&reader, NULL, &reader.shared);
    uint32_t errors = input->problems.errors;
    for (uint32_t i = 0; i < input->units.count; i++)
        errors += input->units.items[i].problems.errors;
    return errors == 0;
}

static bool same_place(const struct problem *left, const struct problem *right)
{
    const char *left_file = left->place.file ? left->place.file : "";
    const char *right_file = right->place.file ? right->place.file : "";
    return left->place.line == right->place.line && left->place.column == right->place.column &&
           left->kind == right->kind && strcmp(left_file, right_file) == 0 &&
           strcmp(left->message, right->message) == 0;
}

static void add_once(struct problems *all, const struct problem *problem)
{
    for (uint32_t i = 0; i < all->count; i++)
        if (same_place(&all->items[i], problem))
            return;
    VEC_PUSH(all->arena, all, *problem);
    all->errors += problem->kind == PROBLEM_ERROR;
}

void verify_input_problems(struct session *session, const struct verify_input *input,
                           struct problems *all)
{
    problems_init(all, &session->arena);
    for (uint32_t i = 0; i < input->problems.count; i++)
        add_once(all, &input->problems.items[i]);
    for (uint32_t u = 0; u < input->units.count; u++)
        for (uint32_t i = 0; i < input->units.items[u].problems.count; i++)
            add_once(all, &input->units.items[u].problems.items[i]);
    problems_sort(all);
    if (session->options.strict)
        input_make_warnings_errors(all);
}
