/* SPDX-License-Identifier: Apache-2.0 */
#include "base/input_file.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { WRITER_WAIT_MS = 5000, LOOK_MS = 50 };

/* Is there something in the pipe, or a writer that has not written yet? A byte is copied, not
 * taken: without writers there is nothing to wait for, so that the copy has no bytes; with one it
 * would have to wait. */
static bool is_written_to(int descriptor, int copy)
{
    const ssize_t copied = tee(descriptor, copy, 1, SPLICE_F_NONBLOCK);
    return copied > 0 || (copied < 0 && errno == EAGAIN);
}

static bool has_writer(int descriptor)
{
    struct pollfd look = {.fd = descriptor, .events = POLLIN};
    int copy[2];
    bool found = false;
    if (pipe2(copy, O_CLOEXEC) != 0)
        return true;
    for (int waited = 0; waited < WRITER_WAIT_MS && !found; waited += LOOK_MS)
        found = poll(&look, 1, LOOK_MS) > 0 || is_written_to(descriptor, copy[1]);
    close(copy[0]);
    close(copy[1]);
    return found;
}

int input_open(const char *path)
{
    struct stat status;
    const int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (descriptor < 0)
        return -1;
    if (fstat(descriptor, &status) == 0 && S_ISFIFO(status.st_mode) && !has_writer(descriptor)) {
        close(descriptor);
        errno = ETIMEDOUT;
        return -1;
    }
    const int flags = fcntl(descriptor, F_GETFL);
    if (flags >= 0)
        fcntl(descriptor, F_SETFL, flags & ~O_NONBLOCK);
    return descriptor;
}

FILE *input_open_stream(const char *path)
{
    const int descriptor = input_open(path);
    FILE *stream = descriptor < 0 ? NULL : fdopen(descriptor, "rb");
    if (!stream && descriptor >= 0)
        close(descriptor);
    return stream;
}

const char *input_why(int error)
{
    return error == ETIMEDOUT ? "no program writes to this pipe" : strerror(error);
}

FILE *input_reopen(const char *path)
{
    struct stat status;
    if (stat(path, &status) != 0 || !S_ISREG(status.st_mode))
        return NULL;
    return fopen(path, "rbe");
}
