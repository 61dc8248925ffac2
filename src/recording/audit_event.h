/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One event of the API server's audit log (audit.k8s.io/v1): a request, who made
 * it, and how it was answered.
 *
 * How much of the bodies is there depends on the audit policy: nothing at level
 * Metadata, both at RequestResponse. All texts live as long as the event.
 */
#ifndef FATHOM_RECORDING_AUDIT_EVENT_H
#define FATHOM_RECORDING_AUDIT_EVENT_H

#include "manifest/document.h"

struct audit_event {
    const char *id; /* auditID; NULL: none */
    const char *verb;
    const char *resource; /* "pods" */
    const char *subresource;
    const char *kind;      /* "Pod"; NULL: neither bodies nor our table tell */
    const char *namespace; /* NULL: none */
    const char *name;      /* NULL: none; a name that was generated is in the response only */
    const char *uid;
    const char *user;
    const char *agent;
    const char *actor;    /* a known controller; NULL: another client */
    int64_t version_read; /* the version that the request insists on; -1: any */
    int64_t code;         /* of the response; 0: none */
    int64_t start_ns;     /* TIME_NONE: not told */
    int64_t end_ns;
    const struct value *request; /* bodies; NULL: not logged */
    const struct value *response;
};

/* Is this document such an event? */
bool is_audit_event(const struct value *document);

/* False for what writes nothing: reads, watches, other stages of a request than
 * its completion, and requests that are about no object. */
bool audit_event_read(const struct value *document, struct audit_event *event);

/* "bind", "evict", "scale", "status", "create", "update" (patches included), "delete", ... */
const char *audit_action(const struct audit_event *event);

#endif
