/* SPDX-License-Identifier: Apache-2.0 */
#include "object/input.h"

#include "manifest/manifest.h"
#include "object/admission.h"
#include "object/assumed_classes.h"
#include "object/kubectl_way.h"
#include "object/stand_ins.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

struct reader {
    struct arena *arena;
    const struct input_kind *kind;
    const struct input_paths *paths;
    struct input *input;
    struct documents shared; /* of -f */
};

static bool is_of_ours(const struct value *root)
{
    static const char group[] = "fathom/";
    const char *version = value_find_string(root, "apiVersion");
    return version && strncmp(version, group, sizeof(group) - 1) == 0;
}

bool input_is_of_kind(const struct input_kind *kind, const struct value *root)
{
    const char *found = value_find_string(root, "kind");
    if (!kind->kind || !found || strcmp(found, kind->kind) != 0)
        return false;
    return kind->of_any_version || is_of_ours(root);
}

static bool load(const struct reader *reader, const char *path, struct documents *documents,
                 struct problems *problems)
{
    const struct manifest_paths paths = {
        .items = &path, .count = 1, .recursive = reader->paths->recursive};
    return manifest_load(reader->arena, &paths, documents, problems);
}

/* Nobody wrote the manifests of -f for us: a key that is given twice does not stop kubectl. */
static void load_as_kubectl(struct reader *reader, const struct input_path *path)
{
    const struct manifest_paths paths = {
        .items = &path->name, .count = 1, .recursive = reader->paths->recursive, .lenient = true};
    for (uint32_t i = 0; path->documents && i < path->documents->count; i++)
        VEC_PUSH(reader->arena, &reader->shared, path->documents->items[i]);
    if (!path->documents)
        manifest_load(reader->arena, &paths, &reader->shared, &reader->input->problems);
}

/* All documents but those that are units of their own. */
static void take_others(const struct reader *reader, struct documents *to,
                        const struct documents *from)
{
    for (uint32_t i = 0; from->items && i < from->count; i++)
        if (!input_is_of_kind(reader->kind, &from->items[i].root))
            VEC_PUSH(reader->arena, to, from->items[i]);
}

/* ---- the manifests that a document names ---- */

static bool same_file(const char *left, const char *right)
{
    char left_path[PATH_MAX];
    char right_path[PATH_MAX];
    return realpath(left, left_path) && realpath(right, right_path) &&
           strcmp(left_path, right_path) == 0;
}

/* A file that is named twice, by -f and by the document, is read once. */
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

/* Paths are relative to the document's file. What is wrong with the list itself is found
 * when the document is decoded. */
static void load_named(const struct reader *reader, const struct value *root,
                       struct documents *documents, struct problems *problems)
{
    const struct value *list = value_find(value_find(root, "spec"), "manifests");
    if (!list || list->kind != VALUE_SEQUENCE)
        return;
    const char *file = root->file ? root->file : "";
    const char *slash = strrchr(file, '/');
    const int folder = slash ? (int)(slash - file) + 1 : 0;
    VALUE_EACH_ITEM(list, item)
    {
        const char *name = NULL;
        struct documents named = {0};
        if (!value_read_string(item, &name))
            continue;
        const char *path =
            name[0] == '/' ? name : arena_printf(reader->arena, "%.*s%s", folder, file, name);
        if (read_already(documents, path))
            continue;
        load(reader, path, &named, problems);
        take_others(reader, documents, &named);
    }
}

/* ---- units ---- */

static void decode_unit(const struct reader *reader, struct documents *documents,
                        struct input_unit *unit)
{
    const struct object_options options = {.namespace = reader->paths->name_space};
    object_decode(reader->arena, documents, &options, &unit->objects, &unit->problems);
    if (reader->kind->admits && !unit->root && unit->problems.errors == 0)
        objects_assume_classes(reader->arena, &unit->objects, &unit->problems);
    if (reader->kind->admits && unit->problems.errors == 0)
        objects_admit(reader->arena, &unit->objects, &(struct admission_options){0},
                      &unit->problems);
    const char *kind = reader->kind->kind;
    for (uint32_t i = 0; kind && unit->root && i < unit->objects.count; i++)
        if (unit->objects.items[i].kind != OBJECT_OTHER &&
            strcmp(unit->objects.items[i].kind_name, kind) == 0) {
            unit->object = &unit->objects.items[i];
            unit->name = unit->object->meta->name;
            unit->file = unit->object->place.file;
        }
}

/* Manifests alone are taken as they come: nobody wrote them for us. */
static void tidy(const struct reader *reader, struct documents *documents, struct input_unit *unit)
{
    documents_drop_others(documents, &unit->problems);
    unit->left_out = documents_drop_harmless(reader->arena, documents);
    documents_keep_last(reader->arena, documents, reader->paths->name_space, &unit->problems);
    stand_ins_put(reader->arena, documents, &unit->problems);
}

/* The same for those who want to see every object as it is written. Beside a Check the manifests
 * are refused as `verify` refuses them there. */
static void tidy_listed(const struct reader *reader, struct documents *documents,
                        struct input_unit *unit)
{
    for (uint32_t i = 0; i < documents->count; i++)
        if (is_of_ours(&documents->items[i].root))
            return;
    documents_drop_others(documents, &unit->problems);
    documents_keep_last(reader->arena, documents, reader->paths->name_space, &unit->problems);
}

/* `document` NULL: the manifests alone. `beside` are the documents of its file. */
static void add_unit(struct reader *reader, const struct document *document,
                     const struct documents *beside)
{
    struct input_unit unit = {.name = "manifests", .root = document ? &document->root : NULL};
    struct documents documents = {0};
    problems_init(&unit.problems, reader->arena);
    if (reader->kind->takes_manifests) {
        if (document)
            VEC_PUSH(reader->arena, &documents, *document);
        take_others(reader, &documents, beside);
        if (beside != &reader->shared)
            take_others(reader, &documents, &reader->shared);
        if (document)
            load_named(reader, &document->root, &documents, &unit.problems);
        else if (reader->kind->kind)
            tidy(reader, &documents, &unit);
        else if (reader->kind->as_kubectl)
            tidy_listed(reader, &documents, &unit);
        decode_unit(reader, &documents, &unit);
        if (!document && reader->kind->kind)
            problems_fold(&unit.problems);
    }
    VEC_PUSH(reader->arena, &reader->input->units, unit);
}

static void add_units(struct reader *reader, const struct documents *documents)
{
    for (uint32_t i = 0; i < documents->count; i++)
        if (input_is_of_kind(reader->kind, &documents->items[i].root))
            add_unit(reader, &documents->items[i], documents);
}

static void read_file(struct reader *reader, const struct input_path *path)
{
    struct documents documents = {0};
    const uint32_t before = reader->input->units.count;
    if (!path->documents && !load(reader, path->name, &documents, &reader->input->problems))
        return;
    add_units(reader, path->documents ? path->documents : &documents);
    if (reader->input->units.count == before)
        problem_error(&reader->input->problems, (struct place){.file = path->name}, NULL, "%s",
                      reader->kind->none_in_file);
}

/* Manifests without a document of the kind, where that is allowed. (manifest_load refuses
 * files and folders without objects.) */
static void add_manifests_alone(struct reader *reader)
{
    struct problems *problems = &reader->input->problems;
    if (!reader->kind->kind)
        add_unit(reader, NULL, &reader->shared);
    if (reader->input->units.count > 0 || problems->errors > 0)
        return;
    if (reader->kind->none_found)
        problem_error(problems, (struct place){0}, NULL, "%s", reader->kind->none_found);
    else
        add_unit(reader, NULL, &reader->shared);
}

bool input_read(struct arena *arena, const struct input_kind *kind, const struct input_paths *paths,
                struct input *input)
{
    struct reader reader = {.arena = arena, .kind = kind, .paths = paths, .input = input};
    *input = (struct input){0};
    problems_init(&input->problems, arena);
    if (kind->nothing_given && paths->file_count == 0 && paths->manifest_count == 0 &&
        paths->texts.count == 0) {
        problem_error(&input->problems, (struct place){0}, NULL, "%s", kind->nothing_given);
        return false;
    }
    for (uint32_t i = 0; i < paths->manifest_count; i++)
        load_as_kubectl(&reader, &paths->manifests[i]);
    for (uint32_t i = 0; i < paths->texts.count; i++)
        manifest_parse(arena, paths->texts.items[i].name, paths->texts.items[i].bytes,
                       paths->texts.items[i].length, &reader.shared, &input->problems);
    for (uint32_t i = 0; i < paths->file_count; i++)
        read_file(&reader, &paths->files[i]);
    add_units(&reader, &reader.shared);
    add_manifests_alone(&reader);
    uint32_t errors = input->problems.errors;
    for (uint32_t i = 0; i < input->units.count; i++)
        errors += input->units.items[i].problems.errors;
    return errors == 0;
}

/* ---- problems ---- */

static bool same_problem(const struct problem *left, const struct problem *right)
{
    const char *left_file = left->place.file ? left->place.file : "";
    const char *right_file = right->place.file ? right->place.file : "";
    return left->place.line == right->place.line && left->place.column == right->place.column &&
           left->kind == right->kind && strcmp(left_file, right_file) == 0 &&
           strcmp(left->message, right->message) == 0;
}

static bool is_said(const struct problems *all, const struct problem *problem)
{
    for (uint32_t i = 0; i < all->count; i++)
        if (same_problem(&all->items[i], problem))
            return true;
    return false;
}

static void add_problems(const struct problems *some, bool once, struct problems *all)
{
    for (uint32_t i = 0; i < some->count; i++) {
        if (once && is_said(all, &some->items[i]))
            continue;
        VEC_PUSH(all->arena, all, some->items[i]);
        all->errors += some->items[i].kind == PROBLEM_ERROR;
    }
}

static void make_warnings_errors(struct problems *problems)
{
    for (uint32_t i = 0; i < problems->count; i++) {
        struct problem *problem = &problems->items[i];
        if (problem->kind == PROBLEM_WARNING && !problem->is_remark) {
            problem->kind = PROBLEM_ERROR;
            problems->errors++;
        }
    }
}

void input_problems(struct arena *arena, const struct input_kind *kind, const struct input *input,
                    bool strict, struct problems *all)
{
    const bool once = kind->order == INPUT_SORTED_ONCE;
    problems_init(all, arena);
    add_problems(&input->problems, once, all);
    for (uint32_t i = 0; i < input->units.count; i++)
        add_problems(&input->units.items[i].problems, once, all);
    if (kind->order != INPUT_AS_FOUND)
        problems_sort(all);
    if (strict)
        make_warnings_errors(all);
}
