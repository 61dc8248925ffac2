/* SPDX-License-Identifier: Apache-2.0 */
#include "base/output_file.h"

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The file behind links, so that these stay; the name itself if there is no file yet. */
static const char *real_name(const char *path, char *room)
{
    return realpath(path, room) ? room : path;
}

/* A file beside it with a name of its own, open; -1, with errno: there can be none. */
static int open_draft(const char *path, char *draft, size_t room)
{
    const int length = snprintf(draft, room, "%s.XXXXXX", path);
    if (length < 0 || (size_t)length >= room) {
        errno = ENAMETOOLONG;
        return -1;
    }
    return mkstemp(draft);
}

/* Devices and pipes have no contents that could be kept. */
static bool is_written_in_place(const char *path, struct stat *status)
{
    return stat(path, status) == 0 && !S_ISREG(status->st_mode);
}

const char *output_file_refused(const char *path)
{
    char room[PATH_MAX];
    char draft[PATH_MAX + 8];
    struct stat status;
    if (is_written_in_place(path, &status))
        return S_ISDIR(status.st_mode) ? strerror(EISDIR) : NULL;
    const int descriptor = open_draft(real_name(path, room), draft, sizeof(draft));
    const int error = errno;
    if (descriptor < 0)
        return access(path, W_OK) == 0 ? NULL : strerror(error);
    close(descriptor);
    unlink(draft);
    return NULL;
}

static bool write_all(FILE *file, const struct text *text)
{
    bool written = file && fwrite(text_content(text), 1, text->length, file) == text->length;
    const int error = errno;
    if (file && fclose(file) != 0)
        return false;
    errno = written ? errno : error;
    return written;
}

/* As the file that it replaces had it, or as any new file. */
static mode_t mode_of(const char *path)
{
    struct stat status;
    if (stat(path, &status) == 0)
        return status.st_mode & 07777;
    const mode_t mask = umask(0);
    umask(mask);
    return 0666 & ~mask;
}

static const char *write_as(const char *path, const struct text *text, bool secret)
{
    char room[PATH_MAX];
    char draft[PATH_MAX + 8];
    struct stat status;
    const char *name = real_name(path, room);
    const int descriptor =
        is_written_in_place(path, &status) ? -1 : open_draft(name, draft, sizeof(draft));
    if (descriptor < 0 && secret && access(path, F_OK) == 0 && chmod(path, 0600) != 0)
        return strerror(errno);
    if (descriptor < 0)
        return write_all(fopen(path, "we"), text) ? NULL : strerror(errno);
    const bool set = fchmod(descriptor, secret ? 0600 : mode_of(name)) == 0;
    const bool written = write_all(fdopen(descriptor, "w"), text);
    if (set && written && rename(draft, name) == 0)
        return NULL;
    const char *why = strerror(errno);
    unlink(draft);
    return why;
}

const char *output_file_write(const char *path, const struct text *text)
{
    return write_as(path, text, false);
}

const char *output_file_write_secret(const char *path, const struct text *text)
{
    return write_as(path, text, true);
}
