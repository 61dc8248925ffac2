/* SPDX-License-Identifier: Apache-2.0 */
#include "recording/watch_cluster.h"

#include "base/clock.h"
#include "base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

enum { POLL_MS = 100, COMPLAINT_BYTES = 400, GRACE_MS = 2000 };

struct stream {
    const char *kind;
    pid_t process;
    int output;
    int complaints;
    double ended;          /* when it ended by itself, in seconds; negative: it has not */
    struct text pending;   /* the document that has begun */
    struct text complaint; /* what kubectl says on standard error */
};

size_t json_document_end(const char *bytes, size_t count, size_t *start)
{
    size_t at = 0;
    uint32_t depth = 0;
    bool in_string = false;
    while (at < count && strchr(" \t\r\n", bytes[at]))
        at++;
    *start = at;
    for (; at < count; at++) {
        if (in_string) {
            if (bytes[at] == '\\')
                at++;
            else if (bytes[at] == '"')
                in_string = false;
        } else if (bytes[at] == '"') {
            in_string = true;
        } else if (bytes[at] == '{' || bytes[at] == '[') {
            depth++;
        } else if ((bytes[at] == '}' || bytes[at] == ']') && (depth == 0 || --depth == 0)) {
            return at + 1;
        }
    }
    return 0;
}

static bool start_stream(struct arena *arena, const struct watch_order *order, const char *kind,
                         struct stream *stream, struct problems *problems)
{
    const char *watch[] = {order->kubectl,
                           "get",
                           kind,
                           order->namespace ? "--namespace" : "--all-namespaces",
                           order->namespace ? order->namespace : "--watch",
                           "--output-watch-events",
                           "--output=json",
                           order->namespace ? "--watch" : NULL,
                           NULL};
    const char *ask[] = {order->kubectl, "get", "--raw", kind, NULL};
    const char **arguments = kind[0] == '/' ? ask : watch;
    int output[2];
    int complaints[2];
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    if (pipe2(output, O_CLOEXEC) != 0)
        return false;
    if (pipe2(complaints, O_CLOEXEC) != 0) {
        close(output[0]);
        close(output[1]);
        return false;
    }
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, output[1], STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, complaints[1], STDERR_FILENO);
    /* A group of its own: whoever kubectl starts (a plugin that authenticates) ends with it. */
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    const int failed = posix_spawnp(&stream->process, order->kubectl, &actions, &attributes,
                                    (char *const *)(uintptr_t)arguments, environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    close(output[1]);
    close(complaints[1]);
    if (failed) {
        close(output[0]);
        close(complaints[0]);
        problem_error(problems, (struct place){0}, NULL, "%s cannot be run: %s", order->kubectl,
                      strerror(failed));
        return false;
    }
    stream->kind = kind;
    stream->ended = -1;
    stream->output = output[0];
    stream->complaints = complaints[0];
    text_init(&stream->pending, arena->memory);
    text_init(&stream->complaint, arena->memory);
    return true;
}

static void hand_over(struct stream *stream, watch_visit *visit, void *context, double time)
{
    size_t done = 0;
    for (;;) {
        size_t start;
        const size_t end = json_document_end(text_content(&stream->pending) + done,
                                             stream->pending.length - done, &start);
        if (end == 0)
            break;
        visit(context, stream->pending.content + done + start, end - start, time);
        done += end;
    }
    if (done > 0) {
        memmove(stream->pending.content, stream->pending.content + done,
                stream->pending.length - done + 1);
        stream->pending.length -= done;
    }
}

/* False at the end of the stream. */
static bool take(int file, struct text *text)
{
    char bytes[65536];
    const ssize_t count = read(file, bytes, sizeof(bytes));
    if (count > 0)
        text_append(text, bytes, (size_t)count);
    return count > 0 || (count < 0 && errno == EINTR);
}

static void close_stream(int *file)
{
    if (*file >= 0)
        close(*file);
    *file = -1;
}

/* Waits for news of any stream; false when all have ended. */
static bool listen(struct stream *streams, uint32_t count, struct pollfd *polls, watch_visit *visit,
                   void *context, double time)
{
    nfds_t open = 0;
    for (size_t i = 0; i < count; i++) {
        polls[2 * i] = (struct pollfd){streams[i].output, POLLIN, 0};
        polls[2 * i + 1] = (struct pollfd){streams[i].complaints, POLLIN, 0};
        open += streams[i].output >= 0;
    }
    if (open == 0)
        return false;
    if (poll(polls, (nfds_t)2 * count, POLL_MS) <= 0)
        return true;
    for (size_t i = 0; i < count; i++) {
        if (polls[2 * i].revents && !take(streams[i].output, &streams[i].pending)) {
            close_stream(&streams[i].output);
            streams[i].ended = time;
        }
        if (polls[2 * i + 1].revents && !take(streams[i].complaints, &streams[i].complaint))
            close_stream(&streams[i].complaints);
        hand_over(&streams[i], visit, context, time);
    }
    return true;
}

/* A kubectl that ends within this time before the recording may have ended for
 * the same reason: Ctrl-C reaches all processes. */
#define TOGETHER_SECONDS 1.0

/* What kubectl still says, until it ends or the time is over. False: it goes on. */
static bool hear_complaints(struct stream *stream, int64_t until_ns)
{
    while (stream->complaints >= 0) {
        struct pollfd look = {stream->complaints, POLLIN, 0};
        const int64_t left_ns = until_ns - clock_now_ns();
        if (left_ns <= 0)
            return false;
        if (poll(&look, 1, (int)(left_ns / 1000000) + 1) > 0 &&
            !take(stream->complaints, &stream->complaint))
            close_stream(&stream->complaints);
    }
    return true;
}

/* Waits for kubectl until the time is over; then it is killed, with all that it has started. */
static int end_process(struct stream *stream, int64_t until_ns)
{
    int status = 0;
    while (waitpid(stream->process, &status, WNOHANG) == 0) {
        if (clock_now_ns() >= until_ns)
            kill(-stream->process, SIGKILL);
        poll(NULL, 0, 10);
    }
    kill(-stream->process, SIGKILL);
    return status;
}

static bool end_stream(struct stream *stream, bool stopped, double now, int64_t until_ns,
                       struct problems *problems)
{
    if (stream->ended >= 0 && now - stream->ended > TOGETHER_SECONDS)
        stopped = false;
    hear_complaints(stream, until_ns);
    close_stream(&stream->output);
    close_stream(&stream->complaints);
    const int status = end_process(stream, until_ns);
    size_t start;
    json_document_end(text_content(&stream->pending), stream->pending.length, &start);
    const bool cut = !stopped && start < stream->pending.length;
    const bool well = stopped || (WIFEXITED(status) && WEXITSTATUS(status) == 0);
    const bool good = well && !cut;
    if (well && cut)
        problem_error(problems, (struct place){0}, NULL,
                      "kubectl get %s ended in the middle of an object", stream->kind);
    else if (!good)
        problem_error(problems, (struct place){0}, NULL, "kubectl get %s failed: %.*s",
                      stream->kind, COMPLAINT_BYTES, text_content(&stream->complaint));
    text_release(&stream->pending);
    text_release(&stream->complaint);
    return good;
}

static double seconds_since(int64_t begin)
{
    return (double)(clock_now_ns() - begin) / 1e9;
}

bool watch_cluster(struct arena *arena, const struct watch_order *order, watch_visit *visit,
                   void *context, struct problems *problems)
{
    struct stream *streams = ARENA_ARRAY(arena, struct stream, order->kind_count + 1);
    struct pollfd *polls = ARENA_ARRAY(arena, struct pollfd, (size_t)2 * order->kind_count + 1);
    const int64_t begin = clock_now_ns();
    uint32_t count = 0;
    bool good = true;
    bool stopped = false;
    while (good && count < order->kind_count) {
        good = start_stream(arena, order, order->kinds[count], &streams[count], problems);
        count += good;
    }
    while (good && !stopped && listen(streams, count, polls, visit, context, seconds_since(begin)))
        stopped = atomic_load(order->interrupted) ||
                  seconds_since(begin) * 1000 >= (double)order->milliseconds;
    const double now = seconds_since(begin);
    const int64_t until_ns = clock_now_ns() + (int64_t)GRACE_MS * 1000000;
    for (uint32_t i = 0; i < count && (stopped || !good); i++)
        kill(-streams[i].process, SIGTERM);
    for (uint32_t i = 0; i < count; i++)
        good = end_stream(&streams[i], stopped || !good, now, until_ns, problems) && good;
    return good;
}
