/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The garbage collector, a thread beside the server: it deletes objects whose
 * owners are all gone (the rule of the checker's environment), empties namespaces
 * that are being deleted, and lets go what waits for its dependents.
 */
#ifndef FATHOM_APISERVER_COLLECTOR_H
#define FATHOM_APISERVER_COLLECTOR_H

#include "apiserver/apiserver.h"

/* What a delete with propagationPolicy Foreground leaves behind, until the
 * dependents are gone. */
#define FOREGROUND_FINALIZER "foregroundDeletion"

struct collector *collector_start(struct apiserver *server);
/* The server is stopping already. */
void collector_end(struct collector *collector);

/* One look at everything. False: there was nothing to do. Takes the lock. */
bool collect_garbage(struct apiserver *server);

#endif
