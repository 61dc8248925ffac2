/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Files, folders and standard input.
 *
 * A folder is read as kubectl reads it: files that end in .json, .yaml or .yml,
 * in the order of their names, and other folders only if asked to. A file that
 * is named itself is read whatever its name is. Symbolic links to files are
 * followed, those to folders are not (there could be circles).
 */
#include "manifest/manifest.h"

#include "base/input_file.h"
#include "base/vec.h"
#include "manifest/limits.h"
#include "manifest/manifest_internal.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct loader {
    struct arena *arena;
    struct manifest_reader *reader;
    bool recursive;
    uint64_t bytes_most;
    uint32_t files;       /* read so far */
    uint32_t passed_over; /* folders inside folders */
    struct documents *documents;
    struct problems *problems;
};

struct buffer {
    char *bytes;
    size_t count;
    size_t capacity;
};

__attribute__((format(printf, 3, 4))) static bool
refuse_file(struct loader *loader, const char *file, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const char *message = arena_vprintf(loader->problems->arena, format, arguments);
    va_end(arguments);
    problem_error(loader->problems, (struct place){.file = file}, NULL, "%s", message);
    return false;
}

static bool unreadable(struct loader *loader, const char *file)
{
    return refuse_file(loader, file, "cannot be read: %s", input_why(errno));
}

static bool too_large(struct loader *loader, const char *file)
{
    return refuse_file(loader, file, "larger than %u MiB, the most that is read",
                       (unsigned)(loader->bytes_most >> 20));
}

static bool read_all(struct loader *loader, int descriptor, const char *file, struct buffer *buffer)
{
    for (;;) {
        if (buffer->count == buffer->capacity) {
            const size_t wanted = buffer->capacity ? buffer->capacity * 2 : 1 << 16;
            buffer->bytes =
                memory_resize(loader->arena->memory, buffer->bytes, buffer->capacity, wanted);
            buffer->capacity = wanted;
        }
        const ssize_t got =
            read(descriptor, buffer->bytes + buffer->count, buffer->capacity - buffer->count);
        if (got == 0)
            return true;
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return unreadable(loader, file);
        buffer->count += (size_t)got;
        if (buffer->count > loader->bytes_most)
            return too_large(loader, file);
    }
}

/* A regular file tells its size: one byte more shows its end. */
static bool size_buffer(struct loader *loader, int descriptor, const char *file,
                        struct buffer *buffer)
{
    struct stat status;
    if (fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode) || status.st_size <= 0)
        return true;
    if ((uint64_t)status.st_size > loader->bytes_most)
        return too_large(loader, file);
    buffer->capacity = (size_t)status.st_size + 1;
    buffer->bytes = memory_allocate(loader->arena->memory, buffer->capacity);
    return true;
}

static bool load_descriptor(struct loader *loader, int descriptor, const char *file)
{
    struct buffer buffer = {0};
    const bool good = size_buffer(loader, descriptor, file, &buffer) &&
                      read_all(loader, descriptor, file, &buffer) &&
                      manifest_reader_parse(loader->reader, loader->arena, file, buffer.bytes,
                                            buffer.count, loader->documents, loader->problems);
    memory_release(loader->arena->memory, buffer.bytes, buffer.capacity);
    loader->files++;
    return good;
}

static bool load_file(struct loader *loader, const char *file)
{
    const int descriptor = input_open(file);
    if (descriptor < 0)
        return unreadable(loader, file);
    const bool good = load_descriptor(loader, descriptor, file);
    close(descriptor);
    return good;
}

bool manifest_is_name(const char *name)
{
    static const char *const endings[] = {".json", ".yaml", ".yml"};
    const size_t length = strlen(name);
    for (size_t i = 0; i < sizeof(endings) / sizeof(*endings); i++) {
        const size_t ending = strlen(endings[i]);
        if (length >= ending && strcmp(name + length - ending, endings[i]) == 0)
            return true;
    }
    return false;
}

struct names {
    const char **items;
    uint32_t count;
    uint32_t capacity;
};

static int compare_names(const void *left, const void *right)
{
    return strcmp(*(const char *const *)left, *(const char *const *)right);
}

static bool list_folder(struct loader *loader, const char *folder, struct names *names)
{
    DIR *directory = opendir(folder);
    if (!directory)
        return unreadable(loader, folder);
    const struct dirent *entry;
    while ((entry = readdir(directory))) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        const char *name = arena_strdup(loader->arena, entry->d_name);
        VEC_PUSH(loader->arena, names, name);
    }
    closedir(directory);
    if (names->count > 0)
        qsort(names->items, names->count, sizeof(*names->items), compare_names);
    return true;
}

static bool load_folder(struct loader *loader, const char *folder, uint32_t depth);

/* As kubectl does without -R. */
static bool pass_over(struct loader *loader)
{
    loader->passed_over++;
    return true;
}

static bool load_entry(struct loader *loader, const char *folder, const char *name, uint32_t depth)
{
    const char *path = arena_printf(loader->arena, "%s/%s", folder, name);
    struct stat status;
    if (lstat(path, &status) == 0 && S_ISDIR(status.st_mode))
        return loader->recursive ? load_folder(loader, path, depth + 1) : pass_over(loader);
    if (!manifest_is_name(name))
        return true;
    /* Neither a pipe nor a link to a folder; a broken link is a mistake. */
    if (stat(path, &status) == 0 && !S_ISREG(status.st_mode))
        return true;
    return load_file(loader, path);
}

static bool load_folder(struct loader *loader, const char *folder, uint32_t depth)
{
    if (depth > FOLDER_DEPTH_MOST)
        return refuse_file(loader, folder, "folders are nested too deep");
    struct names names = {0};
    if (!list_folder(loader, folder, &names))
        return false;
    bool good = true;
    for (uint32_t i = 0; i < names.count; i++)
        good = load_entry(loader, folder, names.items[i], depth) && good;
    return good;
}

/* "a/b/" is called "a/b", but "/" stays. */
static const char *without_last_slashes(struct arena *arena, const char *path)
{
    size_t length = strlen(path);
    while (length > 1 && path[length - 1] == '/')
        length--;
    return arena_strndup(arena, path, length);
}

static bool load_path(struct loader *loader, const char *path)
{
    const uint32_t documents_before = loader->documents->count;
    const uint32_t files_before = loader->files;
    const uint32_t folders_before = loader->passed_over;
    const char *name = MANIFEST_STANDARD_INPUT;
    bool good;
    struct stat status;
    if (*path == '\0')
        return refuse_file(loader, NULL, "expected the name of a file or folder, found \"\"");
    if (strcmp(path, "-") == 0) {
        good = load_descriptor(loader, STDIN_FILENO, name);
    } else if (stat(path, &status) == 0 && S_ISDIR(status.st_mode)) {
        name = without_last_slashes(loader->arena, path);
        good = load_folder(loader, name, 0);
        if (good && loader->files == files_before)
            return refuse_file(loader, name,
                               loader->passed_over > folders_before
                                   ? "no manifests (.yaml, .yml, .json) in this folder; -R reads "
                                     "the folders inside it, too"
                                   : "no manifests (.yaml, .yml, .json) in this folder");
    } else {
        name = arena_strdup(loader->arena, path);
        good = load_file(loader, name);
    }
    if (good && loader->documents->count == documents_before)
        return refuse_file(loader, name, "contains no objects");
    return good;
}

bool manifest_load(struct arena *arena, const struct manifest_paths *paths,
                   struct documents *documents, struct problems *problems)
{
    struct loader loader = {
        .arena = arena,
        .reader = manifest_reader_create_with(arena->memory, arena, paths->lenient),
        .recursive = paths->recursive,
        .bytes_most = paths->bytes_most ? paths->bytes_most : INPUT_BYTES_MOST,
        .documents = documents,
        .problems = problems,
    };
    bool good = true;
    for (uint32_t i = 0; i < paths->count; i++)
        good = load_path(&loader, paths->items[i]) && good;
    manifest_reader_free(loader.reader);
    return good;
}
