/* SPDX-License-Identifier: Apache-2.0 */
/* From the rows of edits.def to edits: paths without wildcards, values, changes. */
#include "object/quantity.h"
#include "repair/edit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const struct edit_row edit_rows[] = {
#define EDIT(name, target, path, when, values, loss, words) \
    {name, EDIT_##target, path, when, values, PROTECTION_##loss, words},
#include "repair/edits.def"
#undef EDIT
};
const uint32_t edit_row_count = sizeof(edit_rows) / sizeof(*edit_rows);

typedef VEC(const char *) texts;

struct making {
    const struct edit_case *of;
    const struct edit_row *row;
    const struct edit_site *site;
    const char *path; /* of the field, in full */
    uint32_t distance;
    struct edits *edits;
};

/* ---- wildcards ---- */

static const struct value *value_at(const struct edit_case *of, uint32_t document, const char *path)
{
    return tree_find_text(of->arena, &of->documents.items[document].source->root, path);
}

/* Does the item have the member of "KEY=VALUE]"? */
static bool has_member(const struct value *item, const char *wanted)
{
    const size_t key = strcspn(wanted, "=");
    const size_t length = strcspn(wanted, "]");
    VALUE_EACH_MEMBER(item, member)
    {
        if (strlen(member->key) == key && strncmp(member->key, wanted, key) == 0 &&
            member->value.kind == VALUE_STRING && member->value.count == length - key - 1 &&
            strncmp(member->value.text, wanted + key + 1, member->value.count) == 0)
            return true;
    }
    return false;
}

/* The first wildcard of a path: "[*]", "[name=X]" or "{*}"; NULL: there is none. */
static const char *wildcard(const char *path)
{
    for (const char *at = path; *at; at++)
        if (*at == '{' || (*at == '[' && (at[1] < '0' || at[1] > '9')))
            return at;
    return NULL;
}

static void expand_items(const struct edit_case *of, const struct value *list, const char *path,
                         const char *at, texts *paths)
{
    const char *rest = at + strcspn(at, "]") + 1;
    for (uint32_t i = 0; list->kind == VALUE_SEQUENCE && i < list->count; i++)
        if (at[1] == '*' ||
            (list->items[i].kind == VALUE_MAPPING && has_member(&list->items[i], at + 1)))
            VEC_PUSH(of->arena, paths,
                     arena_printf(of->arena, "%.*s[%u]%s", (int)(at - path), path, i, rest));
}

static void expand_members(const struct edit_case *of, const struct value *mapping,
                           const char *path, const char *at, texts *paths)
{
    const char *rest = at + strcspn(at, "}") + 1;
    for (uint32_t i = 0; mapping->kind == VALUE_MAPPING && i < mapping->count; i++)
        VEC_PUSH(of->arena, paths,
                 arena_printf(of->arena, "%.*s%s%s", (int)(at - path), path,
                              tree_key_escape(of->arena, mapping->members[i].key), rest));
}

static texts expand_path(const struct edit_case *of, uint32_t document, const char *path)
{
    texts open = {0};
    texts done = {0};
    VEC_PUSH(of->arena, &open, path);
    for (uint32_t i = 0; i < open.count; i++) {
        const char *next = open.items[i];
        const char *at = wildcard(next);
        if (!at) {
            VEC_PUSH(of->arena, &done, next);
            continue;
        }
        const struct value *around =
            value_at(of, document, arena_strndup(of->arena, next, (size_t)(at - next)));
        if (around && *at == '[')
            expand_items(of, around, next, at, &open);
        else if (around)
            expand_members(of, around, next, at, &open);
    }
    return done;
}

/* ---- numbers ---- */

/* Are numbers of this field amounts of a resource? */
static bool is_quantity(const struct edit_row *row, const char *path)
{
    static const char *const marks[] = {"resources.", "allocatable.", "averageValue"};
    bool marked = row->target == EDIT_QUOTA || row->target == EDIT_LIMIT_RANGE;
    for (uint32_t i = 0; i < sizeof(marks) / sizeof(marks[0]); i++)
        marked |= strstr(path, marks[i]) != NULL;
    return marked;
}

/* As thousandths for an amount, else as it is. */
static bool read_number(const struct making *making, const struct value *value, double *number)
{
    struct quantity quantity;
    int64_t integer;
    if (value_is_null(value))
        return false;
    if (!is_quantity(making->row, making->path)) {
        if (!value_read_integer(value, &integer))
            return false;
        *number = (double)integer;
        return true;
    }
    if (value->kind == VALUE_MAPPING || value->kind == VALUE_SEQUENCE ||
        !quantity_parse(value->text, &quantity, NULL))
        return false;
    *number = (double)quantity_milli_value(quantity);
    return true;
}

/* Half a pod, or half a claim, is none: only CPU and what a metric is compared with are divided. */
static bool is_divided(const char *path)
{
    return strstr(path, "cpu") || strstr(path, "averageValue");
}

/* Large amounts in mebibytes, small ones in thousandths, whole ones as they are. */
static const char *write_number(const struct making *making, double number)
{
    enum { MEBI = 1 << 20 };
    static const double whole = 1000;
    struct arena *arena = making->of->arena;
    if (!is_quantity(making->row, making->path))
        return arena_printf(arena, "%lld", llround(number));
    if (!is_divided(making->path))
        number = whole * ceil(number / whole);
    if (number >= whole * MEBI)
        return arena_printf(arena, "%lldMi", llround(ceil(number / whole / MEBI)));
    const long long milli = llround(number);
    if (milli % (long long)whole == 0)
        return arena_printf(arena, "\"%lld\"", milli / (long long)whole);
    return arena_printf(arena, "%lldm", milli);
}

/* ---- changes ---- */

typedef VEC(struct edit_change) changes;

/* The change of one document; one that changes nothing, or cannot be made, is left out. */
static void add_change(const struct making *making, uint32_t document, struct edit_change change,
                       changes *list)
{
    const struct value *root = &making->of->documents.items[document].source->root;
    const struct tree_path path = tree_path_parse(making->of->arena, change.path);
    const struct value *now = tree_find(root, &path);
    struct value tried;
    change.document = document;
    change.file = root->file;
    if (change.kind == CHANGE_DROP && !now)
        return;
    if (change.kind == CHANGE_SET &&
        ((now && tree_same(now, &change.value)) ||
         !tree_set(making->of->arena, root, &path, &change.value, &tried)))
        return;
    if (change.kind == CHANGE_ITEM && now && now->kind == VALUE_SEQUENCE)
        VALUE_EACH_ITEM(now, item)
        {
            if (tree_same(item, &change.value))
                return;
        }
    VEC_PUSH(making->of->arena, list, change);
}

/* In all documents of the object. A new object comes once. */
static void add_changes(const struct making *making, struct edit_change change, changes *list)
{
    const struct edit_document *own = &making->of->documents.items[making->site->document];
    for (uint32_t i = 0; i < making->of->documents.count; i++) {
        const bool same = i == making->site->document ||
                          (strcmp(making->of->documents.items[i].name, own->name) == 0 &&
                           change.kind != CHANGE_OBJECT);
        if (same)
            add_change(making, i, change, list);
    }
}

static bool begins(const char *text, const char *word, const char **rest)
{
    const size_t length = strlen(word);
    if (strncmp(text, word, length) != 0 || (text[length] && text[length] != ' '))
        return false;
    *rest = text + length + (text[length] == ' ');
    return true;
}

static bool add_number(struct making *making, double factor, double term, struct edit *edit,
                       changes *list)
{
    const struct value *now = value_at(making->of, making->site->document, making->path);
    struct edit_change change = {.kind = CHANGE_SET, .path = making->path};
    if (!read_number(making, now, &edit->before))
        return false;
    edit->after = edit->before * factor + term;
    if (making->row->loss & (PROTECTION_REPLICAS | PROTECTION_BUDGET) && edit->after < 1)
        return false; /* none at all is never a repair */
    edit->numeric = true;
    if (edit->after < 0 ||
        !tree_read(making->of->arena, write_number(making, edit->after), &change.value))
        return false;
    add_changes(making, change, list);
    return true;
}

/* "= V" or "= PATH V": a path begins with a letter or "$", and a value of our table that follows
 * one is behind a blank. */
static bool add_value(const struct making *making, const char *text, changes *list)
{
    struct edit_change change = {.kind = CHANGE_SET, .path = making->path};
    const size_t word = strcspn(text, " ");
    if (text[word] == ' ' && memchr(text, '.', word) && text[0] != '{' && text[0] != '[' &&
        text[0] != '"') {
        change.path = edit_full_path(making->of->arena, making->site,
                                     arena_strndup(making->of->arena, text, word));
        text += word + 1;
    }
    if (!change.path || !tree_read(making->of->arena, text, &change.value))
        return false;
    add_changes(making, change, list);
    return true;
}

static bool add_multiple(struct making *making, const char *text, struct edit *edit, changes *list)
{
    struct edit_change change = {.kind = CHANGE_SET, .path = making->path};
    const size_t word = strcspn(text, " ");
    const char *path = edit_full_path(making->of->arena, making->site,
                                      arena_strndup(making->of->arena, text, word));
    const struct value *from = path ? value_at(making->of, making->site->document, path) : NULL;
    const double factor = strtod(text + word, NULL);
    double number = 0;
    (void)edit;
    if (!from || value_is_null(from))
        return false;
    if (from->kind == VALUE_MAPPING)
        change.value = *from;
    else if (!read_number(making, from, &number) ||
             !tree_read(making->of->arena, write_number(making, number * factor), &change.value))
        return false;
    add_changes(making, change, list);
    return true;
}

/* One part of a candidate. False: it cannot be made here. */
static bool add_part(struct making *making, const char *part, struct edit *edit, changes *list)
{
    const char *rest;
    struct arena *arena = making->of->arena;
    struct edit_change change = {.path = making->path};
    if (begins(part, "=", &rest))
        return add_value(making, rest, list);
    if (begins(part, "+", &rest))
        return add_number(making, 1, strtod(rest, NULL), edit, list);
    if (begins(part, "-", &rest))
        return add_number(making, 1, -strtod(rest, NULL), edit, list);
    if (begins(part, "*", &rest))
        return add_number(making, strtod(rest, NULL), 0, edit, list);
    if (begins(part, "of", &rest))
        return add_multiple(making, rest, edit, list);
    if (begins(part, "drop", &rest)) {
        change.kind = CHANGE_DROP;
        change.path = *rest ? edit_full_path(arena, making->site, rest) : making->path;
    } else if (begins(part, "delete", &rest)) {
        change.kind = CHANGE_DELETE;
    } else {
        change.kind = begins(part, "object", &rest) ? CHANGE_OBJECT : CHANGE_ITEM;
        if (change.kind == CHANGE_ITEM && !begins(part, "item", &rest))
            return false;
        if (!tree_read(arena, rest, &change.value))
            return false;
    }
    add_changes(making, change, list);
    return true;
}

/* ---- edits ---- */

static bool same_changes(const struct edit *left, const struct edit *right)
{
    bool same = left->change_count == right->change_count;
    for (uint32_t i = 0; same && i < left->change_count; i++)
        same = left->changes[i].kind == right->changes[i].kind &&
               left->changes[i].document == right->changes[i].document &&
               strcmp(left->changes[i].path, right->changes[i].path) == 0 &&
               (left->changes[i].kind == CHANGE_DROP || left->changes[i].kind == CHANGE_DELETE ||
                tree_same(&left->changes[i].value, &right->changes[i].value));
    return same;
}

static void push_edit(const struct making *making, const struct edit *edit)
{
    for (uint32_t i = 0; i < making->edits->count; i++)
        if (same_changes(&making->edits->items[i], edit))
            return;
    VEC_PUSH(making->of->arena, making->edits, *edit);
}

/* Is the one path that of the other, or of something below it? */
static bool is_within(const char *path, const char *outer)
{
    const size_t length = strlen(outer);
    return strncmp(path, outer, length) == 0 &&
           (length == 0 || path[length] == '\0' || path[length] == '.' || path[length] == '[');
}

/* A plugin of the descheduler is named, and no field: then any field of its policy counts. */
static bool is_at_cause(const struct edit_document *document, const struct edit *edit)
{
    for (uint32_t i = 0; i < document->causes.count; i++) {
        const char *cause = document->causes.items[i];
        const bool plugin = !strchr(cause, '.');
        if (plugin ? edit->row->target == EDIT_DESCHEDULER
                   : is_within(edit->path, cause) || is_within(cause, edit->path))
            return true;
    }
    return false;
}

static bool make_edit(struct making *making, const char *candidate, struct edit *edit)
{
    changes list = {0};
    const struct edit_document *document = &making->of->documents.items[making->site->document];
    *edit = (struct edit){
        .row = making->row,
        .object = document->name,
        .path = making->path,
        .document = making->site->document,
        .distance = making->distance,
        .near = document->near,
    };
    for (const char *rest = candidate; rest;) {
        const char *end = strstr(rest, " & ");
        const size_t length = end ? (size_t)(end - rest) : strlen(rest);
        if (!add_part(making, arena_strndup(making->of->arena, rest, length), edit, &list))
            return false;
        rest = end ? end + 3 : NULL;
    }
    edit->at_cause = is_at_cause(document, edit);
    edit->changes = list.items;
    edit->change_count = list.count;
    return list.count > 0;
}

static void make_candidates(struct making *making)
{
    const char *rest = making->row->values;
    for (making->distance = 0; rest; making->distance++) {
        const char *end = strstr(rest, " | ");
        const size_t length = end ? (size_t)(end - rest) : strlen(rest);
        const struct string_list meant = edit_words_expand(
            making->of, making->site, making->path, arena_strndup(making->of->arena, rest, length));
        for (uint32_t i = 0; i < meant.count; i++) {
            struct edit edit;
            if (make_edit(making, meant.items[i], &edit))
                push_edit(making, &edit);
        }
        rest = end ? end + 3 : NULL;
    }
}

static void make_at(struct making *making)
{
    const char *full = edit_full_path(making->of->arena, making->site, making->row->path);
    if (!full)
        return;
    const texts paths = expand_path(making->of, making->site->document, full);
    for (uint32_t i = 0; i < paths.count; i++) {
        making->path = paths.items[i];
        if (edit_condition(making->of, making->site, making->path, making->row->when))
            make_candidates(making);
    }
}

void edits_make(const struct edit_case *of, struct edits *edits)
{
    for (uint32_t r = 0; r < edit_row_count; r++)
        for (uint32_t d = 0; d < of->documents.count; d++) {
            struct edit_sites sites = {0};
            edit_sites_find(of, edit_rows[r].target, d, &sites);
            for (uint32_t s = 0; s < sites.count; s++) {
                struct making making = {
                    .of = of, .row = &edit_rows[r], .site = &sites.items[s], .edits = edits};
                make_at(&making);
            }
        }
}

bool edit_with_number(const struct edit_case *of, const struct edit *edit, double number,
                      struct edit *other)
{
    const struct edit_site site = {.document = edit->document, .base = ""};
    struct making making = {.of = of, .row = edit->row, .site = &site, .path = edit->path};
    struct edit_change change = {.kind = CHANGE_SET, .path = edit->path};
    changes list = {0};
    if (!tree_read(of->arena, write_number(&making, number), &change.value))
        return false;
    add_changes(&making, change, &list);
    *other = *edit;
    other->after = number;
    other->changes = list.items;
    other->change_count = list.count;
    return list.count > 0;
}

/* ---- documents with edits ---- */

static bool apply_change(struct arena *arena, const struct edit_change *change, struct value *root)
{
    const struct tree_path path = tree_path_parse(arena, change->path);
    struct value result;
    if (change->kind == CHANGE_DROP) {
        if (!tree_remove(arena, root, &path, &result))
            return false;
    } else if (change->kind == CHANGE_ITEM) {
        const struct value list = tree_append(arena, tree_find(root, &path), &change->value);
        if (!tree_set(arena, root, &path, &list, &result))
            return false;
    } else if (!tree_set(arena, root, &path, &change->value, &result)) {
        return false;
    }
    *root = result;
    return true;
}

bool edit_apply(struct arena *arena, const struct edit *const *edits, uint32_t count,
                uint32_t document, const struct document *source, struct document *result,
                bool *gone)
{
    *result = *source;
    *gone = false;
    for (uint32_t e = 0; e < count; e++)
        for (uint32_t c = 0; c < edits[e]->change_count; c++) {
            const struct edit_change *change = &edits[e]->changes[c];
            if (change->document != document || change->kind == CHANGE_OBJECT)
                continue;
            *gone |= change->kind == CHANGE_DELETE;
            if (!*gone && !apply_change(arena, change, &result->root))
                return false;
        }
    return true;
}
