/* SPDX-License-Identifier: Apache-2.0 */
/* `fathom trace serve`: the trace server, until it is told to stop. */
#include "cli/interrupt.h"
#include "cli/limit_options.h"
#include "cli/session.h"
#include "cli/trace_token.h"
#include "tracing/page/page.h"
#include "tracing/server/server.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CONNECTIONS_MOST = 4096 };

static bool read_options(struct session *session, struct server_options *server)
{
    const struct options *options = &session->options;
    struct problems problems;
    problems_init(&problems, &session->arena);
    *server = (struct server_options){
        .listen = options->listen,
        .insecure = options->insecure,
        .store = options->in_memory ? NULL : options->store,
        .limits =
            {
                .cpids_most = options->max_cpids,
                .spans_most = options->max_spans,
                .bytes_most = limit_read_size("--max-store", options->max_store, &problems),
                .age_most_ns = limit_read_duration("--max-age", options->max_age, &problems),
            },
        .body_most = limit_read_size("--max-body", options->max_body, &problems),
        .rate_most = options->max_rate,
        .connections_most = CONNECTIONS_MOST,
    };
    session_complain(session, &problems);
    return !problems.errors && trace_token_read(session, &server->token);
}

/* The dashboard, with no records in it: it asks for them. */
static struct server_asset *make_page(struct arena *arena)
{
    struct server_asset *page = ARENA_NEW(arena, struct server_asset);
    const size_t length = page_start_length + page_head_length + page_tail_length;
    char *bytes = arena_allocate(arena, length);
    memcpy(bytes, page_start, page_start_length);
    memcpy(bytes + page_start_length, page_head, page_head_length);
    memcpy(bytes + page_start_length + page_head_length, page_tail, page_tail_length);
    *page = (struct server_asset){
        .path = "/",
        .type = "text/html; charset=utf-8",
        .bytes = bytes,
        .length = length,
        .policy = arena_printf(arena,
                               "default-src 'none'; connect-src 'self'; img-src data:; style-src "
                               "%s; script-src %s; base-uri 'none'; form-action 'none'; "
                               "frame-ancestors 'none'",
                               page_style_hash, page_script_hash),
    };
    return page;
}

int cmd_trace_serve(struct session *session)
{
    struct server_options options;
    const char *error = NULL;
    const struct log log = {stderr, LOG_WARN};
    if (!read_options(session, &options))
        return EXIT_INPUT;
    options.log = &log;
    options.assets = make_page(&session->arena);
    options.asset_count = 1;
    interrupt_hold();
    signal(SIGPIPE, SIG_IGN);
    struct trace_server *server =
        trace_server_start(&session->memory, &options, &session->arena, &error);
    if (!server) {
        session_say(session, "trace serve: %s", error);
        return EXIT_INPUT;
    }
    session_say(session, "trace server at %s, records in %s", trace_server_address(server),
                options.store ? options.store : "memory");
    if (!trace_server_is_local(server) && !options.token)
        session_say(session, "warning: other machines can reach it, and no token is needed");
    interrupt_wait();
    trace_server_stop(server);
    session_say(session, "trace server has stopped");
    return EXIT_HOLDS;
}
