/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A controller that is a program of its own and speaks JSON lines: one question, one
 * answer a line, and no memory between lines.
 *
 *     {"op":"init"}                                -> {"local":L}
 *     {"op":"step","cr":C,"resp":R,"local":L}      -> {"local":L,"req":Q}
 *     {"op":"status","local":L}                    -> {"done":false,"error":false}
 *     {"op":"match","cr":C,"store":[...]}          -> {"match":true}
 *     {"op":"safety","before":[...],"after":[...],"external":E} -> {"violated":null}
 *     {"op":"validate","cr":C}                     -> {"valid":true,"why":"..."}
 *     {"op":"validateChange","cr":C,"before":C}    -> {"valid":true,"why":"..."}
 *     {"op":"external","content":X,"store":[...],"state":S,"fresh":{"$rv":n}}
 *                                                  -> {"resp":R,"state":S}
 *     {"op":"desired","cr":C,"store":[...]}        -> {"desired":true}
 *
 * R is null, {"ok":object}, {"ok":[objects]}, {"ok":null} or {"err":"NotFound"};
 * Q is null or {"verb":"get","key":{"kind","namespace","name"},"obj":object}.
 *
 * Which of the optional questions (from safety on) a program understands, it says when
 * it is asked {"op":"hello"} -> {"operations":["safety",...],"customKinds":[...],
 * "userKinds":[...],"safetyNames":[...],"externalInitial":E,"name":"..."}. A program
 * need not know that question: it is put to a separate process, and if that process
 * ends or gives an invalid answer, the program is taken not to know any optional
 * question.
 *
 * A question is answered by one of several processes of the program: as many run as
 * threads ask at once.
 */
#ifndef FATHOM_RECONCILE_FRONT_PROGRAM_H
#define FATHOM_RECONCILE_FRONT_PROGRAM_H

#include "reconcile/controller.h"
#include "reconcile/front/child.h"

#include <pthread.h>

struct program_process {
    struct child child;
    struct text question;
    struct text answer;
    struct program_process *next; /* of those that wait for work */
};

struct program {
    struct memory *memory;
    char **argv;
    const char *folder; /* where it runs */
    int64_t timeout_ns;
    struct place place; /* where the check names it, for messages */
    const char *path;   /* likewise */
    pthread_mutex_t mutex;
    struct program_process *idle;
};

/* Reads `argv` and the rest from the fields, which the caller has set, starts the
 * program to ask what it knows, and makes a controller of it. */
bool program_controller_init(struct arena *arena, struct controller *controller,
                             struct program *program, struct problems *problems);

/* --- Between its files ----------------------------------------------------- */

/* A process that waits for work, or a new one; NULL if it cannot be started. */
struct program_process *program_process_take(struct program *program, struct problems *problems);
/* Back to the others; one that failed is ended. */
void program_process_give(struct program *program, struct program_process *process, bool failed);
void program_release(struct program *program);

/* Puts the question that is in `process->question`. The answer is an object that has
 * the member `needed` (null counts); NULL after a problem. */
const struct datum *program_ask(struct program *program, struct program_process *process,
                                struct arena *arena, const char *needed, struct problems *problems);

/* "the program python3 mine.py: MESSAGE (asked ...)" */
__attribute__((format(printf, 4, 5))) void program_complain(const struct program *program,
                                                            const struct program_process *process,
                                                            struct problems *problems,
                                                            const char *format, ...);

/* Puts a question to a separate process. The answer is NULL if it is not valid. False
 * after a problem: the process hangs. */
bool program_probe(const struct program *program, struct arena *arena, const char *question,
                   const char *needed, const struct datum **answer, struct problems *problems);

/* The request of a step. False after a problem. */
bool program_read_request(const struct program *program, const struct program_process *process,
                          struct arena *arena, const struct datum *request,
                          const struct datum *custom_resource, struct api_request *result,
                          struct problems *problems);
void program_write_response(struct text *text, const struct controller_response *response);
bool program_read_response(const struct program *program, const struct program_process *process,
                           const struct datum *value, struct controller_response *response,
                           struct problems *problems);

#endif
