/* SPDX-License-Identifier: Apache-2.0 */
#include "verify/checkpoint_identity.h"

#include <string.h>

void checkpoint_identity_save(const struct checkpoint_identity *identity, struct bytes_out *out)
{
    bytes_put_text(out, identity->version);
    bytes_put_number(out, identity->program);
    bytes_put_number(out, identity->exhaustive);
    bytes_put_number(out, identity->arguments.count);
    for (uint32_t i = 0; i < identity->arguments.count; i++)
        bytes_put_text(out, identity->arguments.items[i]);
    bytes_put_number(out, identity->files.count);
    for (uint32_t i = 0; i < identity->files.count; i++) {
        bytes_put_text(out, identity->files.items[i].name);
        bytes_put_number(out, identity->files.items[i].hash);
    }
}

static const char *load_text(struct arena *arena, struct bytes_in *in)
{
    const uint64_t length = bytes_get_count(in, 1);
    char *text = ARENA_ARRAY(arena, char, length + 1);
    bytes_get(in, text, length);
    return text;
}

bool checkpoint_identity_load(struct arena *arena, struct bytes_in *in,
                              struct checkpoint_identity *identity)
{
    VEC(const char *) arguments = {0};
    *identity = (struct checkpoint_identity){.version = load_text(arena, in)};
    identity->program = bytes_get_number(in);
    identity->exhaustive = bytes_get_number(in) != 0;
    const uint64_t argument_count = bytes_get_count(in, sizeof(uint64_t));
    for (uint64_t i = 0; i < argument_count && !in->bad; i++)
        VEC_PUSH(arena, &arguments, load_text(arena, in));
    identity->arguments = (struct string_list){arguments.items, arguments.count};
    const uint64_t file_count = bytes_get_count(in, 2 * sizeof(uint64_t));
    for (uint64_t i = 0; i < file_count && !in->bad; i++) {
        struct input_file file = {.name = load_text(arena, in), .readable = true};
        file.hash = bytes_get_number(in);
        VEC_PUSH(arena, &identity->files, file);
    }
    return !in->bad;
}

static const char *list_text(struct arena *arena, const struct string_list *list)
{
    const char *text = "";
    for (uint32_t i = 0; i < list->count; i++)
        text = arena_printf(arena, "%s%s%s", text, i > 0 ? " " : "", list->items[i]);
    return text;
}

static bool same_lists(const struct string_list *left, const struct string_list *right)
{
    if (left->count != right->count)
        return false;
    for (uint32_t i = 0; i < left->count; i++)
        if (strcmp(left->items[i], right->items[i]) != 0)
            return false;
    return true;
}

const char *checkpoint_identity_differs(struct arena *arena, const struct checkpoint_identity *then,
                                        const struct checkpoint_identity *now)
{
    if (strcmp(then->version, now->version) != 0)
        return arena_printf(arena, "was written by fathom %s, and this is %s", then->version,
                            now->version);
    if (then->program != now->program)
        return "was written by another build of fathom";
    if (!same_lists(&then->arguments, &now->arguments))
        return arena_printf(arena, "was made with other arguments: \"%s\", and these are \"%s\"",
                            list_text(arena, &then->arguments), list_text(arena, &now->arguments));
    if (then->exhaustive != now->exhaustive)
        return then->exhaustive ? "was made with --all, --heatmap or a picture of all setups"
                                : "was made without --all, --heatmap or a picture of all setups";
    if (then->files.count != now->files.count)
        return arena_printf(arena, "was made from %u files, and these are %u", then->files.count,
                            now->files.count);
    for (uint32_t i = 0; i < then->files.count; i++) {
        const struct input_file *old = &then->files.items[i];
        const struct input_file *new = &now->files.items[i];
        if (strcmp(old->name, new->name) != 0)
            return arena_printf(arena, "was made from other files: %s, and not %s", old->name,
                                new->name);
        if (old->hash != new->hash)
            return arena_printf(arena, "was made from other input: %s has changed", old->name);
    }
    return NULL;
}
