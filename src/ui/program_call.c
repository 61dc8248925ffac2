/* SPDX-License-Identifier: Apache-2.0 */
#include "ui/program_call.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* The server holds signals back and ignores some; a command is to get them as usual. */
static void set_signals(posix_spawnattr_t *attributes)
{
    sigset_t none;
    sigset_t usual;
    sigemptyset(&none);
    sigemptyset(&usual);
    sigaddset(&usual, SIGPIPE);
    posix_spawnattr_setsigmask(attributes, &none);
    posix_spawnattr_setsigdefault(attributes, &usual);
    posix_spawnattr_setpgroup(attributes, 0);
    posix_spawnattr_setflags(attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF |
                                             POSIX_SPAWN_SETPGROUP);
}

static bool spawn_in(const char *program, const char *folder, const char *const *arguments,
                     int output, int complaints, pid_t *process)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    set_signals(&attributes);
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addchdir_np(&actions, folder);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, complaints, STDERR_FILENO);
    const int error =
        posix_spawn(process, program, &actions, &attributes, (char *const *)arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    return error == 0;
}

bool program_call_start(struct program_call *call, const char *program, const char *folder,
                        const char *const *arguments)
{
    int outputs[2] = {-1, -1};
    int complaints[2] = {-1, -1};
    *call = (struct program_call){0, -1, -1};
    if (pipe2(outputs, O_CLOEXEC) < 0)
        return false;
    if (pipe2(complaints, O_CLOEXEC) < 0) {
        close(outputs[0]);
        close(outputs[1]);
        return false;
    }
    const bool runs =
        spawn_in(program, folder, arguments, outputs[1], complaints[1], &call->process);
    close(outputs[1]);
    close(complaints[1]);
    call->output = outputs[0];
    call->complaints = complaints[0];
    if (!runs) {
        call->process = 0;
        (void)program_call_wait(call);
    }
    return runs;
}

int program_call_wait(struct program_call *call)
{
    int status = 0;
    close(call->output);
    close(call->complaints);
    while (call->process > 0 && waitpid(call->process, &status, 0) < 0 && errno == EINTR)
        continue;
    call->process = 0;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* False at the end of the stream. */
static bool take_some(int descriptor, struct text *text)
{
    char bytes[65536];
    const ssize_t count = read(descriptor, bytes, sizeof(bytes));
    if (count > 0 && text->length < PROGRAM_ANSWER_BYTES_MOST)
        text_append(text, bytes, (size_t)count);
    return count > 0 || (count < 0 && errno == EINTR);
}

int program_call_run(const char *program, const char *folder, const char *const *arguments,
                     struct text *output, struct text *complaints)
{
    struct program_call call;
    struct text *const texts[] = {output, complaints};
    if (!program_call_start(&call, program, folder, arguments))
        return -1;
    struct pollfd streams[] = {{call.output, POLLIN, 0}, {call.complaints, POLLIN, 0}};
    while (streams[0].fd >= 0 || streams[1].fd >= 0) {
        if (poll(streams, 2, -1) < 0 && errno != EINTR)
            break;
        for (int i = 0; i < 2; i++)
            if (streams[i].fd >= 0 && streams[i].revents && !take_some(streams[i].fd, texts[i]))
                streams[i].fd = -1;
    }
    return program_call_wait(&call);
}
