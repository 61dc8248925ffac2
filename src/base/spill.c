/* SPDX-License-Identifier: Apache-2.0 */
#include "base/spill.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void note(struct spill *spill, int error)
{
    int none = 0;
    atomic_compare_exchange_strong(&spill->error, &none, error);
}

/* For file systems that cannot make a file without a name. */
static int open_unlinked(const char *folder)
{
    char name[4096];
    const int length = snprintf(name, sizeof(name), "%s/fathom-spill-XXXXXX", folder);
    if (length < 0 || (size_t)length >= sizeof(name)) {
        errno = ENAMETOOLONG;
        return -1;
    }
    const int file = mkstemp(name);
    if (file >= 0) {
        unlink(name);
        fcntl(file, F_SETFD, FD_CLOEXEC);
    }
    return file;
}

int spill_open(struct spill *spill)
{
    int file = -1;
#ifdef O_TMPFILE
    file = open(spill->folder, O_TMPFILE | O_RDWR | O_CLOEXEC, S_IRUSR | S_IWUSR);
    if (file < 0 && errno != EOPNOTSUPP && errno != EISDIR && errno != EINVAL) {
        note(spill, errno);
        return -1;
    }
#endif
    if (file < 0)
        file = open_unlinked(spill->folder);
    if (file < 0)
        note(spill, errno);
    return file;
}

void spill_close(struct spill *spill, int file, uint64_t bytes)
{
    close(file);
    atomic_fetch_sub(&spill->bytes, bytes);
}

bool spill_reserve(struct spill *spill, int file, uint64_t from, uint64_t to)
{
    const int error = posix_fallocate(file, (off_t)from, (off_t)(to - from));
    if (error != 0) {
        note(spill, error);
        return false;
    }
    const uint64_t now = atomic_fetch_add(&spill->bytes, to - from) + (to - from);
    uint64_t peak = atomic_load(&spill->peak_bytes);
    while (now > peak && !atomic_compare_exchange_weak(&spill->peak_bytes, &peak, now))
        ;
    return true;
}

bool spill_write(struct spill *spill, int file, const void *data, size_t bytes)
{
    for (size_t done = 0; done < bytes;) {
        const ssize_t some = pwrite(file, (const char *)data + done, bytes - done, (off_t)done);
        if (some < 0 && errno == EINTR)
            continue;
        if (some <= 0) {
            note(spill, some < 0 ? errno : ENOSPC);
            return false;
        }
        done += (size_t)some;
    }
    return true;
}

const char *spill_error(const struct spill *spill)
{
    const int error = atomic_load(&spill->error);
    return error == 0 ? NULL : strerror(error);
}
