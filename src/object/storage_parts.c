/* SPDX-License-Identifier: Apache-2.0 */
#include "object/storage_parts.h"

#include "object/names.h"

#include <string.h>

static bool is_access_mode(const char *mode)
{
    static const char *const modes[] = {"ReadWriteOnce", "ReadOnlyMany", "ReadWriteMany",
                                        "ReadWriteOncePod"};
    for (size_t i = 0; i < sizeof(modes) / sizeof(modes[0]); i++)
        if (strcmp(modes[i], mode) == 0)
            return true;
    return false;
}

void access_modes_validate(struct reading *reading, const struct path *path,
                           const struct string_list *modes)
{
    bool exclusive = false;
    for (uint32_t i = 0; i < modes->count; i++) {
        const struct path item = path_item(path, i);
        exclusive = exclusive || strcmp(modes->items[i], "ReadWriteOncePod") == 0;
        if (!is_access_mode(modes->items[i]))
            text_unexpected(reading, &item, modes->items[i],
                            "ReadWriteOnce, ReadOnlyMany, ReadWriteMany or ReadWriteOncePod");
    }
    if (exclusive && modes->count > 1)
        reading_error(reading, path, "ReadWriteOncePod excludes every other mode");
}

void volume_mode_validate(struct reading *reading, const struct path *path, const char *mode)
{
    if (mode != NULL && strcmp(mode, "Filesystem") != 0 && strcmp(mode, "Block") != 0)
        text_unexpected(reading, path, mode, "Filesystem or Block");
}

void storage_amount_validate(struct reading *reading, const struct path *path,
                             const struct resource_list *list)
{
    const struct path storage = path_field(path, "storage");
    const struct quantity *amount = resource_list_find(list, "storage");
    if (amount == NULL)
        reading_missing(reading, &storage);
    else if (amount->nanos <= 0)
        reading_error(reading, &storage, "expected a quantity above 0, found %s",
                      quantity_format_text(reading->problems->arena, *amount));
}
