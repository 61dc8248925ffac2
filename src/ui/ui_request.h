/* SPDX-License-Identifier: Apache-2.0 */
/* One request of the page, and its answer. */
#ifndef FATHOM_UI_UI_REQUEST_H
#define FATHOM_UI_UI_REQUEST_H

#include "base/text.h"
#include "ui/ui_server.h"
#include "ui/verify_jobs.h"

#include <stdatomic.h>

struct ui_work {
    struct memory *memory;
    const struct ui_options *options;
    struct verify_jobs *jobs;
    atomic_uint folders; /* so many were made */
};

struct ui_answer {
    unsigned status;
    const char *type;
    struct text text;
    bool page; /* true: it is the page itself, and gets its Content-Security-Policy */
};

/* Does the path need the token? */
bool ui_path_is_open(const char *path);

/* The answer's text is initialised. */
void ui_answer_request(struct ui_work *work, const char *method, const char *path,
                       const struct text *body, struct ui_answer *answer);
__attribute__((format(printf, 3, 4))) void
ui_answer_error(struct ui_answer *answer, unsigned status, const char *format, ...);

#endif
