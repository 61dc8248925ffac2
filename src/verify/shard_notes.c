/* SPDX-License-Identifier: Apache-2.0 */
#include "verify/shard_notes.h"

#include <dirent.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

void shard_notes_add(const struct shard_notes *notes, uint32_t unit, uint32_t intent,
                     uint64_t setup)
{
    char path[PATH_MAX];
    const int length =
        snprintf(path, sizeof(path), "%s/violated-%016" PRIx64 "-%" PRIu32 "-%" PRIu32 "-%" PRIu64,
                 notes->folder, notes->identity, unit, intent, setup);
    if (length < 0 || (size_t)length >= sizeof(path))
        return;
    const int file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    if (file >= 0)
        close(file);
}

/* The number in the name, up to the character after it. */
static bool take(const char **name, int base, char after, uint64_t *number)
{
    char *end = NULL;
    *number = strtoull(*name, &end, base);
    if (end == *name || *end != after)
        return false;
    *name = after ? end + 1 : end;
    return true;
}

static void read_name(const struct shard_notes *notes, const char *name, uint32_t unit,
                      uint32_t intent_count, uint64_t *smallest)
{
    static const char start[] = "violated-";
    uint64_t identity, its_unit, intent, setup;
    for (size_t i = 0; i + 1 < sizeof(start); i++, name++)
        if (*name != start[i])
            return;
    if (!take(&name, 16, '-', &identity) || !take(&name, 10, '-', &its_unit) ||
        !take(&name, 10, '-', &intent) || !take(&name, 10, '\0', &setup))
        return;
    if (identity == notes->identity && its_unit == unit && intent < intent_count &&
        setup < smallest[intent])
        smallest[intent] = setup;
}

void shard_notes_read(const struct shard_notes *notes, uint32_t unit, uint32_t intent_count,
                      uint64_t *smallest)
{
    DIR *folder = opendir(notes->folder);
    if (!folder)
        return;
    for (const struct dirent *entry; (entry = readdir(folder));)
        read_name(notes, entry->d_name, unit, intent_count, smallest);
    closedir(folder);
}
