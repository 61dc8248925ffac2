/* SPDX-License-Identifier: Apache-2.0 */
/* What a request of the page has brought, while it is answered, and the commands that answer it. */
#ifndef FATHOM_UI_ASKING_H
#define FATHOM_UI_ASKING_H

#include "ui/ui_request.h"

#include <cjson/cJSON.h>

enum { ARGUMENTS_MOST = 2048 };

struct ui_asking {
    struct ui_work *work;
    struct arena arena;
    cJSON *body;
    const char *folder; /* with its manifests */
    const char *arguments[ARGUMENTS_MOST + 1];
    uint32_t argument_count;
};

/* False, after an answer that says why: it cannot be answered. It has to be ended all the same. */
bool asking_begin(struct ui_asking *asking, struct ui_work *work, const struct text *body,
                  struct ui_answer *answer);
void asking_end(struct ui_asking *asking, bool keeps_folder);

/* A member of the body that is a text; NULL: there is none. */
const char *asking_field(const struct ui_asking *asking, const char *name);
bool asking_flag(const struct ui_asking *asking, const char *name);

/* The arguments of the command. An option with a value that is no word is left out. */
void asking_add(struct ui_asking *asking, const char *argument);
void asking_add_option(struct ui_asking *asking, const char *name, const char *value);
/* The manifests of this member of the body. */
void asking_add_files(struct ui_asking *asking, const char *member);

/* The files before and after a change. */
#define ASKING_BEFORE "before"
#define ASKING_AFTER  "files"
/* Writes both into folders of their own. NULL, or why that is not possible. */
const char *asking_write_sides(struct ui_asking *asking, const char *folders[2]);

/* Runs the command: {"exit", "messages", KEY: what it answered}, an object or a text. */
void asking_answer(struct ui_asking *asking, const char *key, struct ui_answer *answer);

#endif
