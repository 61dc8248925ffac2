/* SPDX-License-Identifier: Apache-2.0 */
#include "apiserver/preload.h"

#include "apiserver/change.h"
#include "apiserver/patch.h"

#include <string.h>

static bool comes_first(const struct value *root)
{
    const char *kind = value_find_string(root, "kind");
    return kind &&
           (strcmp(kind, "Namespace") == 0 || strcmp(kind, "CustomResourceDefinition") == 0);
}

static const struct resource_type *find_type(const struct resource_types *types,
                                             struct arena *arena, const char *api_version,
                                             const char *kind, const char **version)
{
    for (uint32_t i = 0; i < types->count; i++) {
        const struct resource_type *type = types->items[i];
        for (uint32_t j = 0; !type->out_of_service && j < type->version_count; j++) {
            *version = type->versions[j].name;
            if (strcmp(type->kind, kind) == 0 &&
                strcmp(resource_api_version(arena, type, *version), api_version) == 0)
                return type;
        }
    }
    return NULL;
}

/* As if it had come over the wire. */
static const struct datum *read_object(struct arena *arena, const struct value *root,
                                       struct problems *problems)
{
    const char *why = NULL;
    const struct datum *written = patch_content(arena, root, &why);
    if (!written) {
        problem_error(problems, value_place(root), NULL, "%s", why ? why : "expected an object");
        return NULL;
    }
    struct text text;
    text_init(&text, arena->memory);
    datum_write(&text, DATUM_REAL, written);
    const struct datum *object = datum_read(arena, DATUM_REAL, value_place(root),
                                            text_content(&text), text.length, problems);
    text_release(&text);
    return object;
}

static bool create(struct apiserver *server, struct arena *arena, const struct value *root,
                   const char *name_space, struct problems *problems)
{
    const char *kind = value_find_string(root, "kind");
    const char *api_version = value_find_string(root, "apiVersion");
    struct change change = {.server = server, .arena = arena, .name = ""};
    change.type = kind && api_version
                      ? find_type(&server->store.types, arena, api_version, kind, &change.version)
                      : NULL;
    if (!change.type) {
        problem_error(problems, value_place(root), NULL,
                      "no kind \"%s\" of \"%s\" is known to this server; a "
                      "CustomResourceDefinition would make it known",
                      kind ? kind : "", api_version ? api_version : "");
        return false;
    }
    const struct datum *object = read_object(arena, root, problems);
    if (!object)
        return false;
    const char *own = datum_text(datum_at(object, "metadata.namespace"), name_space);
    change.name_space = change.type->namespaced ? own : "";
    const struct change_result result = change_create(&change, object);
    if (result.refused)
        problem_error(problems, value_place(root), NULL, "%s", result.status.message);
    return !result.refused;
}

bool apiserver_preload(struct apiserver *server, struct arena *arena,
                       const struct documents *documents, const char *name_space,
                       struct problems *problems)
{
    bool good = true;
    pthread_mutex_lock(&server->store.lock);
    for (int pass = 0; pass < 2; pass++)
        for (uint32_t i = 0; i < documents->count; i++) {
            const struct value *root = &documents->items[i].root;
            if (comes_first(root) == (pass == 0))
                good = create(server, arena, root, name_space, problems) && good;
        }
    pthread_mutex_unlock(&server->store.lock);
    return good;
}
