/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Child processes over three pipes that never block: poll decides which pipe is
 * written or read next. So a child that writes before it has read everything, or fills
 * its standard error, cannot cause a deadlock.
 */
#include "reconcile/front/child.h"

#include "base/clock.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

enum { SAID_BYTES_MOST = 1 << 16, READ_BYTES = 1 << 16 };

static void close_end(int *end)
{
    if (*end >= 0)
        close(*end);
    *end = -1;
}

static bool pipes_open(int pipes[3][2])
{
    for (int i = 0; i < 3; i++)
        pipes[i][0] = pipes[i][1] = -1;
    for (int i = 0; i < 3; i++) {
        if (pipe2(pipes[i], O_CLOEXEC) != 0)
            return false;
    }
    return true;
}

/* Our environment and PYTHONUNBUFFERED: Python buffers its output to a pipe, so a
 * program that does not flush would seem to hang. */
static char **environment_of_child(struct memory *memory, size_t *bytes)
{
    static char unbuffered[] = "PYTHONUNBUFFERED=1";
    size_t count = 0;
    while (environ[count])
        count++;
    *bytes = (count + 2) * sizeof *environ;
    char **copy = memory_allocate(memory, *bytes);
    memcpy(copy, environ, count * sizeof *environ);
    copy[count] = unbuffered; /* the first one of a name counts */
    copy[count + 1] = NULL;
    return copy;
}

static int spawn(pid_t *pid, struct memory *memory, char *const *argv, const char *folder,
                 int pipes[3][2])
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t none;
    sigset_t defaults;
    sigemptyset(&none);
    sigemptyset(&defaults);
    sigaddset(&defaults, SIGPIPE);
    sigaddset(&defaults, SIGXFSZ);
    sigaddset(&defaults, SIGINT);
    sigaddset(&defaults, SIGTERM);
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
    if (folder)
        posix_spawn_file_actions_addchdir_np(&actions, folder);
    posix_spawn_file_actions_adddup2(&actions, pipes[0][0], STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, pipes[1][1], STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, pipes[2][1], STDERR_FILENO);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &defaults);
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK |
                                              POSIX_SPAWN_SETSIGDEF);
    size_t bytes;
    char **environment = environment_of_child(memory, &bytes);
    int error = posix_spawnp(pid, argv[0], &actions, &attributes, argv, environment);
    memory_release(memory, environment, bytes);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return error;
}

bool child_start(struct child *child, struct memory *memory, char *const *argv, const char *folder)
{
    *child = (struct child){.input = -1, .output = -1, .errors = -1};
    text_init(&child->received, memory);
    text_init(&child->said, memory);
    int pipes[3][2];
    int error = pipes_open(pipes) ? spawn(&child->pid, memory, argv, folder, pipes) : errno;
    close_end(&pipes[0][0]);
    close_end(&pipes[1][1]);
    close_end(&pipes[2][1]);
    child->input = pipes[0][1];
    child->output = pipes[1][0];
    child->errors = pipes[2][0];
    if (error) {
        child->pid = 0;
        child_release(child);
        errno = error;
        return false;
    }
    fcntl(child->input, F_SETFL, O_NONBLOCK);
    fcntl(child->output, F_SETFL, O_NONBLOCK);
    fcntl(child->errors, F_SETFL, O_NONBLOCK);
    return true;
}

void child_release(struct child *child)
{
    close_end(&child->input);
    close_end(&child->output);
    close_end(&child->errors);
    if (child->pid > 0) {
        kill(-child->pid, SIGKILL);
        while (waitpid(child->pid, NULL, 0) < 0 && errno == EINTR)
            continue;
    }
    child->pid = 0;
    text_release(&child->received);
    text_release(&child->said);
}

/* --- Talking ---------------------------------------------------------------- */

/* A child that is gone makes a write fail, not the process end. */
static ssize_t write_quietly(int file, const char *bytes, size_t count)
{
    sigset_t pipe_signal;
    sigset_t before;
    sigset_t pending;
    sigemptyset(&pipe_signal);
    sigaddset(&pipe_signal, SIGPIPE);
    sigpending(&pending);
    bool was_pending = sigismember(&pending, SIGPIPE) == 1;
    pthread_sigmask(SIG_BLOCK, &pipe_signal, &before);
    ssize_t written = write(file, bytes, count);
    int error = errno;
    if (written < 0 && error == EPIPE && !was_pending) {
        struct timespec at_once = {0};
        while (sigtimedwait(&pipe_signal, NULL, &at_once) < 0 && errno == EINTR)
            continue;
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    errno = error;
    return written;
}

/* Reads what is there; closes the end of a pipe that is over. */
static void drain(int *end, struct text *text)
{
    static _Thread_local char buffer[READ_BYTES];
    ssize_t count = read(*end, buffer, sizeof buffer);
    if (count > 0)
        text_append(text, buffer, (size_t)count);
    else if (count == 0 || (errno != EAGAIN && errno != EINTR))
        close_end(end);
}

static void keep_last(struct text *said)
{
    if (said->length <= SAID_BYTES_MOST)
        return;
    size_t surplus = said->length - SAID_BYTES_MOST / 2;
    memmove(said->content, said->content + surplus, said->length - surplus + 1);
    said->length -= surplus;
}

/* One turn of waiting and moving bytes. False at the deadline. */
static bool child_turn(struct child *child, const char **bytes, size_t *count, int64_t deadline_ns)
{
    struct pollfd ends[3] = {
        {.fd = child->output, .events = POLLIN},
        {.fd = child->errors, .events = POLLIN},
        {.fd = *count ? child->input : -1, .events = POLLOUT},
    };
    int64_t left_ns = deadline_ns - clock_now_ns();
    if (left_ns <= 0)
        return false;
    struct timespec left = {left_ns / 1000000000, left_ns % 1000000000};
    if (ppoll(ends, 3, &left, NULL) < 0)
        return true; /* interrupted */
    if (ends[2].revents) {
        ssize_t written = write_quietly(child->input, *bytes, *count);
        if (written > 0) {
            *bytes += written;
            *count -= (size_t)written;
        } else if (errno != EAGAIN && errno != EINTR) {
            *count = 0; /* the child closed its input; it may still answer, or end */
        }
    }
    if (ends[1].revents) {
        drain(&child->errors, &child->said);
        keep_last(&child->said);
    }
    if (ends[0].revents)
        drain(&child->output, &child->received);
    return true;
}

/* Takes the first line of what was received, if there is a whole one. */
static bool take_line(struct child *child, struct text *line, size_t *searched)
{
    struct text *received = &child->received;
    char *end = received->length > *searched
                    ? memchr(received->content + *searched, '\n', received->length - *searched)
                    : NULL;
    *searched = received->length;
    if (!end)
        return false;
    size_t length = (size_t)(end - received->content);
    text_append(line, received->content, length);
    memmove(received->content, end + 1, received->length - length);
    received->length -= length + 1;
    return true;
}

enum child_outcome child_ask(struct child *child, const char *bytes, size_t count,
                             struct text *line, int64_t timeout_ns)
{
    int64_t deadline_ns = clock_now_ns() + timeout_ns;
    size_t searched = 0;
    text_reset(line);
    for (;;) {
        if (count == 0 && take_line(child, line, &searched))
            return CHILD_FINE;
        if (child->received.length > CHILD_LINE_BYTES_MOST)
            return CHILD_TOO_LONG;
        if (child->output < 0)
            return CHILD_ENDED;
        if (!child_turn(child, &bytes, &count, deadline_ns))
            return CHILD_HANGS;
    }
}

bool child_has_more(struct child *child)
{
    if (child->output >= 0) {
        struct pollfd end = {.fd = child->output, .events = POLLIN};
        if (poll(&end, 1, 0) > 0 && (end.revents & POLLIN))
            drain(&child->output, &child->received);
    }
    return child->received.length > 0;
}

enum child_outcome child_finish(struct child *child, int64_t timeout_ns)
{
    int64_t deadline_ns = clock_now_ns() + timeout_ns;
    const char *nothing = NULL;
    size_t count = 0;
    close_end(&child->input);
    while (child->output >= 0 || child->errors >= 0) {
        if (child->received.length > CHILD_LINE_BYTES_MOST)
            return CHILD_TOO_LONG;
        if (!child_turn(child, &nothing, &count, deadline_ns))
            return CHILD_HANGS;
    }
    return CHILD_FINE;
}

/* --- Its end ------------------------------------------------------------------ */

static bool wait_shortly(pid_t pid, int *status)
{
    for (int i = 0; i < 100; i++) {
        if (waitpid(pid, status, WNOHANG) == pid)
            return true;
        struct timespec moment = {.tv_nsec = 2000000};
        nanosleep(&moment, NULL);
    }
    return false;
}

const char *child_end(struct child *child, struct arena *arena, int *exit_code)
{
    int status = 0;
    *exit_code = -1;
    if (child->pid <= 0)
        return "it is gone";
    if (!wait_shortly(child->pid, &status))
        return "it still runs";
    /* Ends the processes that it started, too. */
    kill(-child->pid, SIGKILL);
    child->pid = 0;
    while (child->errors >= 0) {
        const char *nothing = NULL;
        size_t count = 0;
        if (!child_turn(child, &nothing, &count, clock_now_ns() + 100000000))
            break;
    }
    if (WIFSIGNALED(status))
        return arena_printf(arena, "killed by signal %d (%s)", WTERMSIG(status),
                            strsignal(WTERMSIG(status)));
    *exit_code = WEXITSTATUS(status);
    return arena_printf(arena, "exit code %d", *exit_code);
}
