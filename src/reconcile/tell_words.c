/* SPDX-License-Identifier: Apache-2.0 */
/* Values, objects and requests in words, and in what two objects differ. */
#include "reconcile/tell_internal.h"

#include <inttypes.h>
#include <string.h>

enum { WORDS_MOST = 60 };

const char *tell_value_words(struct arena *arena, const struct datum *value)
{
    if (!value)
        return "none";
    /* Long ones and those of several lines are quoted, and cut. */
    if (value->kind == DATUM_STRING && value->count <= WORDS_MOST && !strchr(value->text, '\n'))
        return value->text;
    if (value->kind == DATUM_VERSION)
        return arena_printf(arena, "version #%" PRIu64, value->number);
    if (value->kind == DATUM_UID)
        return arena_printf(arena, "uid #%" PRIu64, value->number);
    struct text text;
    text_init(&text, arena->memory);
    datum_write(&text, DATUM_TAGGED, value);
    const char *words = arena_printf(arena, "%.*s%s", WORDS_MOST, text_content(&text),
                                     text.length > WORDS_MOST ? "..." : "");
    text_release(&text);
    return words;
}

static void note_difference(struct differences *differences, const char *path,
                            const struct datum *old, const struct datum *new)
{
    if (differences->count == FIELDS_MOST)
        differences->more++;
    else
        differences->items[differences->count++] = (struct difference){path, old, new};
}

bool tell_is_nested(const struct datum *value)
{
    return value && value->kind == DATUM_OBJECT;
}

static const char *joined(struct arena *arena, const char *path, const char *key)
{
    return *path ? arena_printf(arena, "%s.%s", path, key) : key;
}

static bool is_ignored(const char *path)
{
    return strcmp(path, "metadata.resourceVersion") == 0 || strcmp(path, "metadata.uid") == 0 ||
           strcmp(path, "kind") == 0 || strcmp(path, "apiVersion") == 0 ||
           strcmp(path, "metadata.name") == 0 || strcmp(path, "metadata.namespace") == 0;
}

static void compare(struct arena *arena, const char *path, const struct datum *old,
                    const struct datum *new, struct differences *differences)
{
    if (datum_equal(old, new) || is_ignored(path))
        return;
    if ((!old || tell_is_nested(old)) && (!new || tell_is_nested(new)) &&
        (tell_is_nested(old) || tell_is_nested(new))) {
        for (uint32_t i = 0; old && i < old->count; i++)
            compare(arena, joined(arena, path, old->members[i].key), old->members[i].value,
                    datum_member(new, old->members[i].key), differences);
        for (uint32_t i = 0; new &&i < new->count; i++)
            if (!datum_member(old, new->members[i].key))
                compare(arena, joined(arena, path, new->members[i].key), NULL,
                        new->members[i].value, differences);
        return;
    }
    note_difference(differences, path, old, new);
}

/* What matters most first. */
void tell_compare(struct arena *arena, const struct datum *old, const struct datum *new,
                  struct differences *differences)
{
    static const char *const first[] = {"spec", "data"};
    const struct datum *old_rest = old;
    const struct datum *new_rest = new;
    for (size_t i = 0; i < sizeof(first) / sizeof(first[0]); i++) {
        compare(arena, first[i], datum_member(old, first[i]), datum_member(new, first[i]),
                differences);
        old_rest = datum_with(arena, old_rest, first[i], NULL);
        new_rest = datum_with(arena, new_rest, first[i], NULL);
    }
    compare(arena, "", old_rest, new_rest, differences);
}

/* "replicas 1 -> 2, data.conf a -> b"; of a new object "replicas 1". */
const char *tell_difference_words(struct arena *arena, const struct differences *differences,
                                  bool is_new)
{
    const char *words = "";
    for (uint32_t i = 0; i < differences->count; i++) {
        const struct difference *item = &differences->items[i];
        const char *path = strncmp(item->path, "spec.", 5) == 0 ? item->path + 5 : item->path;
        const char *separator = i > 0 ? ", " : "";
        if (strcmp(item->path, "metadata.ownerReferences") == 0)
            words = arena_printf(arena, "%s%s%s", words, separator,
                                 is_new ? "with an owner" : "with another owner");
        else if (is_new)
            words = arena_printf(arena, "%s%s%s %s", words, separator, path,
                                 tell_value_words(arena, item->new));
        else
            words = arena_printf(arena, "%s%s%s %s -> %s", words, separator, path,
                                 tell_value_words(arena, item->old),
                                 tell_value_words(arena, item->new));
    }
    if (differences->more > 0)
        words = arena_printf(arena, "%s and %" PRIu32 " more", words, differences->more);
    return words;
}

const char *tell_key_words(struct arena *arena, const struct object_key *key)
{
    return arena_printf(arena, "%s/%s/%s", key->kind, key->name_space,
                        *key->name ? key->name : "*");
}

const struct datum *tell_find(const struct object_list *store, const struct object_key *key)
{
    for (uint32_t i = 0; i < store->count; i++) {
        const struct object_key other = object_key_of(store->items[i]);
        if (object_key_compare(&other, key) == 0)
            return store->items[i];
    }
    return NULL;
}

const char *tell_request_words(struct arena *arena, const struct api_request *request)
{
    static const char *const names[] = {
        [API_GET] = "Get",
        [API_LIST] = "List",
        [API_CREATE] = "Create",
        [API_UPDATE] = "Update",
        [API_UPDATE_STATUS] = "UpdateStatus",
        [API_DELETE] = "Delete",
    };
    if (request->verb == API_EXTERNAL)
        return arena_printf(arena, "the call %s of the application's API",
                            tell_value_words(arena, request->object));
    return arena_printf(arena, "%s %s", names[request->verb], tell_key_words(arena, &request->key));
}

const char *tell_response_words(struct arena *arena, const struct controller_response *response)
{
    if (response->error != API_OK)
        return api_error_name(response->error);
    if (response->content && response->content->kind == DATUM_LIST)
        return arena_printf(arena, "%" PRIu32 " objects", response->content->count);
    return "Ok";
}
