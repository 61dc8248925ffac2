/* SPDX-License-Identifier: Apache-2.0 */
#include "ui/workspace.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { NAME_BYTES_MOST = 300, FILES_MOST = 1000, OPEN_MOST = 16 };

const char *workspace_create(struct arena *arena)
{
    const char *parent = getenv("TMPDIR");
    char *folder = arena_strdup(
        arena, arena_printf(arena, "%s/fathom-ui-XXXXXX", parent && *parent ? parent : "/tmp"));
    return mkdtemp(folder);
}

static int remove_entry(const char *path, const struct stat *status, int kind, struct FTW *place)
{
    (void)status;
    (void)kind;
    (void)place;
    return remove(path);
}

void workspace_remove(const char *folder)
{
    if (folder)
        nftw(folder, remove_entry, OPEN_MOST, FTW_DEPTH | FTW_PHYS);
}

bool workspace_name_is_safe(const char *name)
{
    const size_t length = strlen(name);
    if (length == 0 || length > NAME_BYTES_MOST || name[0] == '/' || name[0] == '-' ||
        name[length - 1] == '/')
        return false;
    for (const char *part = name; *part; part += *part == '/') {
        const size_t bytes = strcspn(part, "/");
        if (bytes == 0 || (bytes == 1 && part[0] == '.') || strncmp(part, "..", bytes) == 0)
            return false;
        part += bytes;
    }
    for (size_t i = 0; i < length; i++)
        if ((unsigned char)name[i] < 0x20 || name[i] == 0x7F)
            return false;
    return true;
}

static bool make_folders(char *path, size_t from)
{
    for (size_t i = from; path[i]; i++) {
        if (path[i] != '/')
            continue;
        path[i] = '\0';
        const bool made = mkdir(path, 0700) == 0 || errno == EEXIST;
        path[i] = '/';
        if (!made)
            return false;
    }
    return true;
}

static bool write_file(const char *path, const char *bytes, size_t count)
{
    const int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
    bool good = file >= 0;
    while (good && count > 0) {
        const ssize_t written = write(file, bytes, count);
        good = written > 0;
        bytes += good ? written : 0;
        count -= good ? (size_t)written : 0;
    }
    if (file >= 0)
        good = close(file) == 0 && good;
    return good;
}

const char *workspace_write(struct arena *arena, const char *folder, const cJSON *files)
{
    const cJSON *file = NULL;
    if (!cJSON_IsArray(files) || cJSON_GetArraySize(files) == 0 ||
        cJSON_GetArraySize(files) > FILES_MOST)
        return "expected files: [{\"name\": ..., \"text\": ...}]";
    cJSON_ArrayForEach(file, files)
    {
        const char *name = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(file, "name"));
        const char *text = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(file, "text"));
        if (!name || !text)
            return "expected files: [{\"name\": ..., \"text\": ...}]";
        if (!workspace_name_is_safe(name))
            return arena_printf(arena, "expected a name of a file in a folder, found \"%s\"", name);
        char *path = arena_strdup(arena, arena_printf(arena, "%s/%s", folder, name));
        if (!make_folders(path, strlen(folder) + 1) || !write_file(path, text, strlen(text)))
            return arena_printf(arena, "%s: cannot be written: %s", name, strerror(errno));
    }
    return NULL;
}

bool workspace_read(const char *folder, const char *name, size_t most, struct text *text)
{
    char path[4096];
    char bytes[65536];
    size_t count;
    if (snprintf(path, sizeof(path), "%s/%s", folder, name) >= (int)sizeof(path))
        return false;
    FILE *file = fopen(path, "re");
    if (!file)
        return false;
    while (text->length <= most && (count = fread(bytes, 1, sizeof(bytes), file)) > 0)
        text_append(text, bytes, count);
    fclose(file);
    return true;
}
