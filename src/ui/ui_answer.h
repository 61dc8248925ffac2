/* SPDX-License-Identifier: Apache-2.0 */
/* What a request of the page is answered with. */
#ifndef FATHOM_UI_UI_ANSWER_H
#define FATHOM_UI_UI_ANSWER_H

#include "base/text.h"

#include <stdbool.h>

struct ui_answer {
    unsigned status;
    const char *type;
    struct text text;
    bool page; /* true: it is the page itself, and gets its Content-Security-Policy */
};

/* Instead of an answer: why there is none. */
__attribute__((format(printf, 3, 4))) void
ui_answer_error(struct ui_answer *answer, unsigned status, const char *format, ...);

#endif
