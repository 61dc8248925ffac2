/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/run_program.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* What is read of a program; more is taken to be a mistake. */
static const size_t bytes_most = (size_t)1 << 30;

bool program_exists(const char *name)
{
    const char *path = getenv("PATH");
    char file[4096];
    while (path && *path) {
        const size_t length = strcspn(path, ":");
        if (length + strlen(name) + 2 < sizeof(file)) {
            snprintf(file, sizeof(file), "%.*s/%s", (int)length, path, name);
            if (access(file, X_OK) == 0)
                return true;
        }
        path += length + (path[length] == ':');
    }
    return false;
}

/* False at the end of the stream. */
static bool take(int descriptor, struct text *text)
{
    char bytes[65536];
    const ssize_t count = read(descriptor, bytes, sizeof(bytes));
    if (count > 0 && text->length < bytes_most)
        text_append(text, bytes, (size_t)count);
    return count > 0 || (count < 0 && errno == EINTR);
}

static void take_both(const int *descriptors, struct text *const *texts)
{
    struct pollfd streams[2] = {{descriptors[0], POLLIN, 0}, {descriptors[1], POLLIN, 0}};
    while (streams[0].fd >= 0 || streams[1].fd >= 0) {
        if (poll(streams, 2, -1) < 0 && errno != EINTR)
            return;
        for (int i = 0; i < 2; i++)
            if (streams[i].fd >= 0 && streams[i].revents && !take(streams[i].fd, texts[i]))
                streams[i].fd = -1;
    }
}

static bool spawn(const char *const *arguments, const int *output, const int *errors,
                  pid_t *process)
{
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, output[1], STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, errors[1], STDERR_FILENO);
    errno = posix_spawnp(process, arguments[0], &actions, NULL, (char *const *)arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    return errno == 0;
}

bool program_run(const char *const *arguments, struct text *output, struct text *complaint)
{
    int outputs[2] = {-1, -1};
    int errors[2] = {-1, -1};
    pid_t process = 0;
    int status = 0;
    if (pipe2(outputs, O_CLOEXEC) < 0)
        return false;
    if (pipe2(errors, O_CLOEXEC) < 0) {
        close(outputs[0]);
        close(outputs[1]);
        return false;
    }
    const bool runs = spawn(arguments, outputs, errors, &process);
    const int why = errno;
    close(outputs[1]);
    close(errors[1]);
    if (runs)
        take_both((int[]){outputs[0], errors[0]}, (struct text *[]){output, complaint});
    else
        text_printf(complaint, "%s: %s", arguments[0], strerror(why));
    close(outputs[0]);
    close(errors[0]);
    while (runs && waitpid(process, &status, 0) < 0 && errno == EINTR)
        continue;
    return runs && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static bool is_letter(char byte)
{
    return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z');
}

/* kubectl may log its complaint instead of telling it: `E0102 ... err="..."`. */
static const char *without_log(struct arena *arena, const char *line)
{
    const char *error = strstr(line, " err=\"");
    char *text = arena_strdup(arena, error ? error + strlen(" err=\"") : line);
    const size_t length = strlen(text);
    if (error && length > 0 && text[length - 1] == '"')
        text[length - 1] = '\0';
    return text;
}

const char *program_complaint(struct arena *arena, const struct text *complaint)
{
    const char *content = text_content(complaint);
    size_t end = complaint->length;
    while (end > 0) {
        size_t start = end;
        while (start > 0 && content[start - 1] != '\n')
            start--;
        size_t first = start;
        size_t last = end;
        while (first < last && strchr("\r \t", content[first]))
            first++;
        while (last > first && strchr("\r \t", content[last - 1]))
            last--;
        if (first < last && is_letter(content[first]))
            return without_log(arena, arena_strndup(arena, content + first, last - first));
        end = start > 0 ? start - 1 : 0;
    }
    return arena_strndup(arena, content, complaint->length);
}
