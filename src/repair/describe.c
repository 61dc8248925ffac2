/* SPDX-License-Identifier: Apache-2.0 */
/* A patch in words, as diffs of files, and as patches of objects. */
#include "base/input_file.h"
#include "manifest/manifest.h"
#include "manifest/value_edit.h"
#include "manifest/yaml_writer.h"
#include "repair/merge_patch.h"
#include "repair/repair.h"
#include "repair/text_edit.h"

#include <string.h>

struct describing {
    struct arena *arena;
    const struct edit_case *of;
    const struct repair_world *world;
    struct repair_patch *patch;
};

/* ---- words ---- */

static const char *value_words(struct arena *arena, const struct value *value)
{
    struct text text;
    if (!value)
        return "nothing";
    text_init(&text, arena->memory);
    tree_write(&text, value, false);
    return text_keep(&text, arena);
}

/* A path as people write it. */
static const char *path_words(struct arena *arena, const char *path)
{
    char *words = arena_strdup(arena, path);
    for (char *c = words; *c; c++)
        if (*c == '~')
            *c = '.';
    return words;
}

static const char *change_words(const struct describing *describing,
                                const struct edit_change *change)
{
    struct arena *arena = describing->arena;
    const struct value *root = &describing->of->documents.items[change->document].source->root;
    const struct value *old = tree_find_text(arena, root, change->path);
    const char *path = path_words(arena, change->path);
    switch (change->kind) {
    case CHANGE_DROP: return arena_printf(arena, "remove %s: %s", path, value_words(arena, old));
    case CHANGE_ITEM:
        return arena_printf(arena, "add to %s: %s", path, value_words(arena, &change->value));
    case CHANGE_OBJECT:
        return arena_printf(arena, "create %s %s", value_find_string(&change->value, "kind"),
                            value_find_string(value_find(&change->value, "metadata"), "name"));
    case CHANGE_DELETE: return "delete it";
    default: break;
    }
    if (!old)
        return arena_printf(arena, "set %s: %s", path, value_words(arena, &change->value));
    return arena_printf(arena, "change %s from %s to %s", path, value_words(arena, old),
                        value_words(arena, &change->value));
}

static void add_words(struct describing *describing)
{
    struct repair_patch *patch = describing->patch;
    struct arena *arena = describing->arena;
    const char **list = ARENA_ARRAY(arena, const char *, patch->edit_count + 1);
    for (uint32_t e = 0; e < patch->edit_count; e++) {
        const struct edit *edit = patch->edits[e];
        const char *words = arena_printf(arena, "%s: ", edit->object);
        const uint32_t document = edit->changes[0].document;
        const char *last = NULL;
        for (uint32_t c = 0; c < edit->change_count; c++) {
            if (edit->changes[c].document != document)
                continue;
            const char *next = change_words(describing, &edit->changes[c]);
            words = arena_printf(arena, "%s%s%s", words, last ? ", " : "", next);
            last = next;
        }
        list[e] = arena_printf(arena, "%s (%s)", words, edit->row->words);
    }
    patch->words = (struct string_list){list, patch->edit_count};
    patch->summary = list[0];
    for (uint32_t e = 1; e < patch->edit_count; e++)
        patch->summary = arena_printf(arena, "%s; %s", patch->summary, list[e]);
}

/* ---- files ---- */

static char *read_text(struct arena *arena, const char *name)
{
    enum { BLOCK = 65536 };
    FILE *file = name && name[0] != '<' ? input_reopen(name) : NULL;
    struct text text;
    char block[BLOCK];
    size_t count;
    if (!file)
        return NULL;
    text_init(&text, arena->memory);
    while ((count = fread(block, 1, BLOCK, file)) > 0)
        text_append(&text, block, count);
    const bool whole = !ferror(file) && text.length > 0 && !memchr(text.content, '\0', text.length);
    fclose(file);
    char *kept = text_keep(&text, arena);
    return whole ? kept : NULL;
}

static bool parse(struct arena *arena, const char *text, struct documents *documents)
{
    struct problems problems;
    problems_init(&problems, arena);
    *documents = (struct documents){0};
    return manifest_parse(arena, "<repair>", text, strlen(text), documents, &problems);
}

/* The number of the document in its file; UINT32_MAX: it is not there any more. */
static uint32_t number_of(const struct documents *documents, const struct value *root)
{
    for (uint32_t i = 0; i < documents->count; i++)
        if (documents->items[i].root.line == root->line &&
            documents->items[i].root.column == root->column)
            return tree_same(&documents->items[i].root, root) ? i : UINT32_MAX;
    return UINT32_MAX;
}

static bool is_of_file(const struct describing *describing, uint32_t document, const char *file)
{
    const char *own = describing->of->documents.items[document].source->root.file;
    return own && file && strcmp(own, file) == 0;
}

/* One change in the text of the file; false: it cannot be made there. */
static bool edit_file(const struct describing *describing, const struct edit_change *change,
                      const struct documents *original, char **text)
{
    const struct value *root = &describing->of->documents.items[change->document].source->root;
    struct documents documents;
    const uint32_t number = number_of(original, root);
    if (change->kind == CHANGE_OBJECT)
        *text = text_edit_add(describing->arena, *text, &change->value);
    else if (number == UINT32_MAX || !parse(describing->arena, *text, &documents) ||
             number >= documents.count)
        return false;
    else
        *text = text_edit_change(describing->arena, *text, &documents.items[number].root, change);
    return *text != NULL;
}

/* Does the text say what the patched documents of the file say? */
static bool is_right(const struct describing *describing, const char *file, const char *text,
                     const struct documents *original)
{
    struct documents documents;
    uint32_t gone = 0;
    if (!parse(describing->arena, text, &documents))
        return false;
    for (uint32_t i = 0; i < describing->of->documents.count; i++) {
        const struct value *root = &describing->of->documents.items[i].source->root;
        if (!is_of_file(describing, i, file))
            continue;
        const uint32_t number = number_of(original, root);
        const struct document *patched = describing->world->documents[i];
        if (number == UINT32_MAX)
            return false;
        if (!patched) {
            gone++;
            continue;
        }
        if (number - gone >= documents.count ||
            !tree_same(&patched->root, &documents.items[number - gone].root))
            return false;
    }
    return true;
}

static void add_file(struct describing *describing, const char *name)
{
    struct repair_patch *patch = describing->patch;
    struct repair_file file = {.name = name};
    struct documents original;
    const char *before = read_text(describing->arena, name);
    char *after = before ? arena_strdup(describing->arena, before) : NULL;
    bool good = before && parse(describing->arena, before, &original);
    for (uint32_t e = 0; good && e < patch->edit_count; e++)
        for (uint32_t c = 0; good && c < patch->edits[e]->change_count; c++) {
            const struct edit_change *change = &patch->edits[e]->changes[c];
            if (is_of_file(describing, change->document, name))
                good = edit_file(describing, change, &original, &after);
        }
    if (good && is_right(describing, name, after, &original)) {
        file.diff = text_edit_diff(describing->arena, name, before, after);
        file.text = text_edit_block(describing->arena, before, after, &file.line, &file.lines);
    }
    VEC_PUSH(describing->arena, &patch->files, file);
}

static void add_files(struct describing *describing)
{
    struct repair_patch *patch = describing->patch;
    for (uint32_t e = 0; e < patch->edit_count; e++)
        for (uint32_t c = 0; c < patch->edits[e]->change_count; c++) {
            const uint32_t document = patch->edits[e]->changes[c].document;
            const char *name = describing->of->documents.items[document].source->root.file;
            bool known = false;
            for (uint32_t i = 0; name && i < patch->files.count; i++)
                known |= strcmp(patch->files.items[i].name, name) == 0;
            if (name && !known)
                add_file(describing, name);
        }
}

/* ---- objects ---- */

/* Is it an object of the API that people write, or a file of somebody's? Nodes register themselves.
 */
static bool is_of_api(enum object_kind kind)
{
    return kind != OBJECT_NODE && kind != OBJECT_CHECK && kind != OBJECT_DESCHEDULER_POLICY &&
           kind != OBJECT_SCHEDULER_CONFIGURATION && kind != OBJECT_OTHER;
}

static const char *in_namespace(struct arena *arena, const char *space)
{
    return space ? arena_printf(arena, " --namespace %s", space) : "";
}

static void add_changed(struct describing *describing, uint32_t number)
{
    struct arena *arena = describing->arena;
    const struct edit_document *document = &describing->of->documents.items[number];
    const struct document *patched = describing->world->documents[number];
    const struct object_meta *meta = document->object->meta;
    struct repair_object object = {.name = document->name};
    if (is_of_api(document->object->kind) && !patched)
        object.kubectl = arena_printf(arena, "kubectl delete %s %s%s", document->object->kind_name,
                                      meta->name, in_namespace(arena, meta->namespace));
    else if (is_of_api(document->object->kind)) {
        object.patch = merge_patch_make(arena, &document->source->root, &patched->root);
        object.kubectl = arena_printf(arena, "kubectl patch %s %s%s --type strategic --patch '%s'",
                                      document->object->kind_name, meta->name,
                                      in_namespace(arena, meta->namespace), object.patch);
    }
    VEC_PUSH(arena, &describing->patch->objects, object);
}

static bool is_changed(const struct describing *describing, uint32_t number)
{
    const struct document *patched = describing->world->documents[number];
    return !patched ||
           !tree_same(&patched->root, &describing->of->documents.items[number].source->root);
}

static bool is_of_node(const char *kind)
{
    return strcmp(kind, "Node") == 0 || strcmp(kind, "CSINode") == 0;
}

static void add_created(struct describing *describing, const struct value *root)
{
    struct arena *arena = describing->arena;
    struct repair_object object = {
        .name = arena_printf(arena, "%s/%s", value_find_string(root, "kind"),
                             value_find_string(value_find(root, "metadata"), "name")),
    };
    struct text text;
    struct json_out json;
    text_init(&text, arena->memory);
    json_out_init(&json, &text, 0);
    value_write_json(&json, NULL, root);
    object.create = text_keep(&text, arena);
    if (!is_of_node(value_find_string(root, "kind")))
        object.kubectl =
            arena_printf(arena, "echo '%s' | kubectl create --filename -", object.create);
    VEC_PUSH(arena, &describing->patch->objects, object);
}

static void add_objects(struct describing *describing)
{
    const struct edit_case *of = describing->of;
    for (uint32_t i = 0; i < of->documents.count; i++)
        if (of->documents.items[i].event == UINT32_MAX && is_changed(describing, i))
            add_changed(describing, i);
    for (uint32_t i = 0; i < describing->world->added.count; i++)
        add_created(describing, &describing->world->added.items[i].root);
}

void repair_describe(struct arena *arena, const struct edit_case *of,
                     const struct repair_world *world, struct repair_patch *patch)
{
    struct describing describing = {arena, of, world, patch};
    add_words(&describing);
    add_files(&describing);
    add_objects(&describing);
}
