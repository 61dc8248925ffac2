/* SPDX-License-Identifier: Apache-2.0 */
/* `fathom ui`: the workbench, until it is told to stop. */
#include "base/json_out.h"
#include "cli/interrupt.h"
#include "cli/session.h"
#include "cli/trace_token.h"
#include "ui/ui_server.h"
#include "ui/workspace.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

enum { TOKEN_BYTES = 16, FILES_MOST = 500, FILE_BYTES_MOST = 4 << 20, DEPTH_MOST = 8 };

/* ---- the manifests that the page starts with ---- */

struct page_files {
    struct session *session;
    struct json_out json;
    uint32_t count;
};

static bool is_manifest(const char *name)
{
    static const char *const endings[] = {".yaml", ".yml", ".json"};
    const size_t length = strlen(name);
    for (size_t i = 0; i < sizeof(endings) / sizeof(*endings); i++) {
        const size_t ending = strlen(endings[i]);
        if (length > ending && strcmp(name + length - ending, endings[i]) == 0)
            return true;
    }
    return false;
}

/* As the page names it: as the user does, but inside of a folder. */
static const char *page_name(const struct page_files *reading, const char *path)
{
    const char *name = path;
    for (size_t skipped = 1; skipped > 0; name += skipped)
        skipped = strncmp(name, "../", 3) == 0  ? 3
                  : strncmp(name, "./", 2) == 0 ? 2
                  : *name == '/'                ? 1
                                                : 0;
    return workspace_name_is_safe(name)
               ? name
               : arena_printf(&reading->session->arena, "manifest-%u.yaml", reading->count);
}

static bool add_file(struct page_files *reading, const char *path)
{
    struct session *session = reading->session;
    struct text text;
    text_init(&text, &session->memory);
    const bool good = workspace_read(*path == '/' ? "" : ".", path, FILE_BYTES_MOST, &text);
    if (!good)
        session_say(session, "%s: cannot be read: %s", path, strerror(errno));
    else if (text.length > FILE_BYTES_MOST || ++reading->count > FILES_MOST)
        session_say(session, "%s: left out: the page takes %d files of %d MiB", path, FILES_MOST,
                    FILE_BYTES_MOST >> 20);
    else {
        json_object_begin(&reading->json, NULL);
        json_string(&reading->json, "name", page_name(reading, path));
        json_string(&reading->json, "text", text_content(&text));
        json_object_end(&reading->json);
    }
    text_release(&text);
    return good;
}

static int compare_names(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

static bool is_folder(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

/* A file, or the manifests of a folder and of those inside it. */
static bool add_path(struct page_files *reading, const char *path, uint32_t depth)
{
    struct dirent **entries = NULL;
    if (!is_folder(path))
        return add_file(reading, path);
    const int count = scandir(path, &entries, NULL, compare_names);
    bool good = count >= 0;
    for (int i = 0; i < count; i++) {
        const char *inside =
            arena_printf(&reading->session->arena, "%s/%s", path, entries[i]->d_name);
        const bool hidden = entries[i]->d_name[0] == '.';
        if (good && !hidden && (is_manifest(inside) || (depth < DEPTH_MOST && is_folder(inside))))
            good = add_path(reading, inside, depth + 1);
        free(entries[i]);
    }
    free(entries);
    return good;
}

/* NULL, after a complaint, if one of them cannot be read. */
static const char *read_files(struct session *session, struct text *text)
{
    const struct option_list *paths = &session->line.operands;
    struct page_files reading = {.session = session};
    bool good = true;
    json_out_init(&reading.json, text, 0);
    json_array_begin(&reading.json, NULL);
    for (uint32_t i = 0; good && i < paths->count; i++)
        good = add_path(&reading, paths->items[i], 0);
    json_array_end(&reading.json);
    return good ? text_content(text) : NULL;
}

/* ---- the server ---- */

/* --token-file, or a new one. */
static const char *make_token(struct session *session)
{
    unsigned char bytes[TOKEN_BYTES];
    const char *token = NULL;
    if (session->options.token_file)
        return trace_token_read(session, &token) ? token : NULL;
    if (getrandom(bytes, sizeof(bytes), 0) != (ssize_t)sizeof(bytes)) {
        session_say(session, "no random numbers: %s", strerror(errno));
        return NULL;
    }
    token = "";
    for (size_t i = 0; i < sizeof(bytes); i++)
        token = arena_printf(&session->arena, "%s%02x", token, bytes[i]);
    return token;
}

/* In the folder that runs anywhere (tools/release) the loader runs, and `fathom` beside its folder
 * starts it. */
static const char *own_path(struct session *session)
{
    static const char loader[] = "/lib/ld-";
    char path[4096];
    const ssize_t length = readlink("/proc/self/exe", path, sizeof(path) - 1);
    if (length <= 0)
        return NULL;
    path[length] = '\0';
    const char *found = strstr(path, loader);
    if (found && !strchr(found + sizeof(loader) - 1, '/'))
        return arena_printf(&session->arena, "%.*s/fathom", (int)(found - path), path);
    return arena_strdup(&session->arena, path);
}

static int serve(struct session *session, const struct ui_options *options)
{
    const char *error = NULL;
    struct ui_server *server = ui_server_start(&session->memory, options, &session->arena, &error);
    if (!server) {
        session_say(session, "ui: %s", error);
        return EXIT_INPUT;
    }
    printf("%s/#token=%s\n", ui_server_address(server), options->token);
    if (fflush(stdout) != 0) { /* nobody could use it; the program says why */
        ui_server_stop(server);
        return EXIT_INPUT;
    }
    if (!ui_server_is_local(server))
        session_say(session,
                    "warning: other machines can reach it; what they send is not encrypted");
    interrupt_wait();
    ui_server_stop(server);
    return EXIT_HOLDS;
}

int cmd_ui(struct session *session)
{
    struct text files;
    text_init(&files, &session->memory);
    struct ui_options options = {
        .listen = session->options.listen_ui,
        .program = own_path(session),
        .files = read_files(session, &files),
    };
    int code = EXIT_INPUT;
    options.token = options.files ? make_token(session) : NULL;
    interrupt_hold();
    signal(SIGPIPE, SIG_IGN);
    if (options.token && options.program) {
        options.folder = workspace_create(&session->arena);
        if (options.folder)
            code = serve(session, &options);
        else
            session_say(session, "a temporary folder cannot be made: %s", strerror(errno));
        workspace_remove(options.folder);
    }
    text_release(&files);
    return code;
}
