/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The workbench: a page, and the commands that it asks for (docs/ui.md lists the paths).
 *
 * Every request but the page itself needs the token; the server answers only to names of this
 * machine and to pages of its own (base/web_page.h). A thread serves each connection.
 */
#ifndef FATHOM_UI_UI_SERVER_H
#define FATHOM_UI_UI_SERVER_H

#include "base/arena.h"

#include <stdbool.h>

struct ui_server;

struct ui_options {
    const char *listen;  /* "127.0.0.1:0" */
    const char *token;   /* that requests have to bring */
    const char *program; /* the path of this program */
    const char *folder;  /* of a workspace */
    const char *files;   /* what the page starts with: a JSON array of {"name", "text"} */
};

/* NULL, and `*error` a sentence in the arena, if it cannot be started. The options live on. */
struct ui_server *ui_server_start(struct memory *memory, const struct ui_options *options,
                                  struct arena *arena, const char **error);
/* "http://127.0.0.1:7789" */
const char *ui_server_address(const struct ui_server *server);
bool ui_server_is_local(const struct ui_server *server);
void ui_server_stop(struct ui_server *server);

#endif
