/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sends records to the trace server, in a thread of its own.
 *
 * What is put goes into a ring of fixed size; if it is full, the new record is
 * dropped and counted, since later records refer to older ones. The thread
 * takes all that wait, up to a batch, and posts them. A request that fails is
 * repeated, less and less often, until the server answers; a batch that the
 * server does not want is given up.
 */
#ifndef FATHOM_TRACING_LIBRARY_SENDER_H
#define FATHOM_TRACING_LIBRARY_SENDER_H

#include "fathom/trace.h"

struct sender;

enum sender_kind { SENDER_MERGELOG, SENDER_SPAN };

/* NULL, and `*why`, if the address is wrong or the machine refuses. */
struct sender *sender_create(const struct fathom_trace_options *options, const char **why);
void sender_free(struct sender *sender, uint32_t timeout_ms);

/* Takes the text, which may be NULL: that is a dropped record, too. */
void sender_put(struct sender *sender, enum sender_kind kind, char *json, size_t length);
bool sender_flush(struct sender *sender, uint32_t timeout_ms);
struct fathom_trace_counts sender_counts(struct sender *sender);

#endif
