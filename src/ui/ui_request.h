/* SPDX-License-Identifier: Apache-2.0 */
/* One request of the page, and its answer. */
#ifndef FATHOM_UI_UI_REQUEST_H
#define FATHOM_UI_UI_REQUEST_H

#include "ui/ui_answer.h"
#include "ui/ui_server.h"
#include "ui/verify_jobs.h"

#include <stdatomic.h>

struct ui_work {
    struct memory *memory;
    const struct ui_options *options;
    struct verify_jobs *jobs;
    atomic_uint folders; /* so many were made */
};

/* Does the path need the token? */
bool ui_path_is_open(const char *path);
/* Is it answered at once, and with little? Others take turns (ui/work_places.h). */
bool ui_request_is_light(const char *method, const char *path);

/* The answer's text is initialised. */
void ui_answer_request(struct ui_work *work, const char *method, const char *path,
                       const struct text *body, struct ui_answer *answer);

#endif
