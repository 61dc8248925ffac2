/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/trace_token.h"

#include "base/input_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TOKEN_MOST = 1024 };

static bool is_token(const char *text)
{
    const size_t length = strlen(text);
    for (size_t i = 0; i < length; i++)
        if (text[i] < 0x21 || text[i] > 0x7E)
            return false;
    return length && length < TOKEN_MOST;
}

/* The first line of the file. */
static const char *read_token_file(struct session *session, const char *path)
{
    char line[TOKEN_MOST + 2] = "";
    FILE *file = input_open_stream(path);
    const bool read = file && fgets(line, sizeof(line), file);
    const int problem = errno;
    if (file)
        fclose(file);
    line[strcspn(line, "\r\n")] = '\0';
    if (!file)
        session_say(session, "%s: cannot be read: %s", path, input_why(problem));
    else if (!read || !is_token(line))
        session_say(session, "%s: expected a token of visible ASCII characters", path);
    else
        return arena_strdup(&session->arena, line);
    return NULL;
}

/* Not from the command line, which others on the machine can see. */
bool trace_token_read(struct session *session, const char **token)
{
    const char *variable = getenv("FATHOM_TRACE_TOKEN");
    *token = NULL;
    if (session->options.token_file) {
        *token = read_token_file(session, session->options.token_file);
        return *token != NULL;
    }
    if (!variable || !*variable)
        return true;
    *token = variable;
    if (!is_token(variable))
        session_say(session, "FATHOM_TRACE_TOKEN: expected visible ASCII characters");
    return is_token(variable);
}
