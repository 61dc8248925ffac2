/* SPDX-License-Identifier: Apache-2.0 */
/* `fathom apiserver`: Kubernetes' API in memory, for kubectl and controllers to talk to. */
#include "apiserver/http_server.h"
#include "apiserver/kubeconfig_text.h"
#include "apiserver/preload.h"
#include "base/input_file.h"
#include "base/output_file.h"
#include "cli/interrupt.h"
#include "cli/session.h"
#include "manifest/manifest.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { CONNECTIONS_MOST = 512, FILE_BYTES_MOST = 1 << 20, UID_RANDOM_BITS = 46 };

/* Objects and history together as much as etcd keeps. All that the server keeps is what is stored,
 * requests and answers under way, and objects as they were that clients still read. */
static const size_t object_bytes_most = (size_t)3 << 29;
static const size_t history_bytes_most = (size_t)1 << 29;
static const size_t server_bytes_most = (size_t)3 << 30;

/* A whole file, without the white space at its end; NULL after a complaint. */
static const char *read_file(struct session *session, const char *path)
{
    FILE *file = input_open_stream(path);
    char *content = arena_allocate(&session->arena, FILE_BYTES_MOST);
    const size_t count = file ? fread(content, 1, FILE_BYTES_MOST - 1, file) : 0;
    const bool good = file && !ferror(file);
    if (!good || !count)
        session_say(session, "%s: %s", path, good ? "is empty" : input_why(errno));
    if (file)
        fclose(file);
    for (size_t end = count; end > 0 && strchr(" \r\n\t", content[end - 1]); end--)
        content[end - 1] = '\0';
    return good && count ? content : NULL;
}

/* The files that options name, where they are given. */
static bool read_files(struct session *session, struct http_server_settings *settings)
{
    const struct options *options = &session->options;
    const struct {
        const char *path;
        const char **target;
    } files[] = {
        {options->token_file, &settings->token},
        {options->tls_cert, &settings->certificate},
        {options->tls_key, &settings->key},
        {options->client_ca, &settings->client_ca},
    };
    for (size_t i = 0; i < sizeof(files) / sizeof(*files); i++) {
        if (!files[i].path)
            continue;
        *files[i].target = read_file(session, files[i].path);
        if (!*files[i].target)
            return false;
    }
    if (!settings->certificate != !settings->key ||
        (settings->client_ca && !settings->certificate)) {
        session_say(session, "--tls-cert and --tls-key belong together, and --client-ca to both");
        return false;
    }
    return true;
}

static bool may_listen(struct session *session, const struct http_server_settings *settings)
{
    if (settings->token || settings->client_ca || session->options.insecure ||
        !http_address_is_public(settings->address))
        return true;
    session_say(session,
                "--listen %s: other machines could change everything without a token; give one "
                "with --token-file, or say --insecure",
                settings->address);
    return false;
}

/* Above everything that an earlier server gave out: clients that remember older
 * versions are told to list again, and no uid comes twice. */
static struct object_store_settings fresh_numbers(const struct options *options)
{
    uint64_t random = 0;
    struct timespec now;
    if (getrandom(&random, sizeof(random), 0) != (ssize_t)sizeof(random))
        random = (uint64_t)getpid() << 20;
    clock_gettime(CLOCK_REALTIME, &now);
    return (struct object_store_settings){
        .first_version = (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000,
        .first_uid = random >> (64 - UID_RANDOM_BITS),
        .history = (uint32_t)options->history,
        .history_bytes = history_bytes_most,
    };
}

static const char *server_url(struct session *session, const struct http_server_settings *settings,
                              uint16_t port)
{
    const bool six = strchr(settings->address, ':') != NULL;
    return arena_printf(&session->arena, "%s://%s%s%s:%" PRIu16,
                        settings->certificate ? "https" : "http", six ? "[" : "", settings->address,
                        six ? "]" : "", port);
}

static bool write_kubeconfig(struct session *session, const struct http_server_settings *settings,
                             const char *url)
{
    const char *path = session->options.write_kubeconfig;
    if (!path)
        return true;
    struct text text;
    text_init(&text, &session->memory);
    kubeconfig_text(&session->arena, settings, url, &text);
    /* Nobody else is to read the token. */
    const char *why = output_file_write_secret(path, &text);
    if (why)
        session_say(session, "%s: cannot be written: %s", path, why);
    text_release(&text);
    return !why;
}

static bool preload(struct session *session, struct apiserver *server)
{
    const struct options *options = &session->options;
    const struct manifest_paths paths = {
        .items = options->filename.items,
        .count = options->filename.count,
        .recursive = options->recursive,
    };
    struct documents documents = {0};
    struct problems problems;
    problems_init(&problems, &session->arena);
    const bool good =
        manifest_load(&session->arena, &paths, &documents, &problems) &&
        apiserver_preload(server, &session->arena, &documents,
                          options->name_space ? options->name_space : "default", &problems);
    session_complain(session, &problems);
    return good;
}

static int serve(struct session *session, struct apiserver *server,
                 const struct http_server_settings *settings)
{
    const char *why = "";
    struct http_server *http = http_server_start(server, settings, &why);
    if (!http) {
        session_say(session, "cannot listen at %s, port %" PRIu16 ": %s", settings->address,
                    settings->port, why);
        return EXIT_INPUT;
    }
    const char *url = server_url(session, settings, http_server_port(http));
    const bool good = write_kubeconfig(session, settings, url);
    if (good) {
        printf("%s\n", url);
        fflush(stdout);
        interrupt_wait();
    }
    http_server_stop(http);
    return good ? EXIT_HOLDS : EXIT_INPUT;
}

int cmd_apiserver(struct session *session)
{
    const struct options *options = &session->options;
    if (!options->only_memory) {
        session_say(session, "expected --memory: everything is kept in memory, and gone when the "
                             "server ends; there is no other store");
        session_point_at_help(session);
        return EXIT_INPUT;
    }
    struct http_server_settings settings = {
        .address = options->listen_address,
        .port = (uint16_t)options->port,
        .connections_most = CONNECTIONS_MOST,
        .bytes_most = server_bytes_most,
    };
    if (!read_files(session, &settings) || !may_listen(session, &settings))
        return EXIT_INPUT;
    interrupt_hold();
    const struct apiserver_settings apiserver_settings = {
        .store = fresh_numbers(options),
        .no_collector = options->no_garbage_collector,
        .bytes_most = object_bytes_most,
    };
    struct apiserver server;
    apiserver_start(&server, &apiserver_settings);
    const int code = preload(session, &server) ? serve(session, &server, &settings) : EXIT_INPUT;
    apiserver_free(&server);
    return code;
}
