/* SPDX-License-Identifier: Apache-2.0 */
/*
 * libfathom-trace: tell which change made a controller do what it does.
 *
 * A change that a person makes gets an identifier, its CPID (change propagation
 * id). It travels on objects: a controller that reads objects and writes others
 * because of them reads the contexts of the former, merges them into one, and
 * puts that on the latter. If several changes meet, the merge makes a new CPID
 * and tells the trace server from which ones (a mergelog). Spans say what was
 * done under a CPID, by whom and how long it took. One reconcile:
 *
 *     struct fathom_trace_context seen[2], now;
 *     fathom_trace_extract(deployment_annotations, n, &seen[0]);
 *     fathom_trace_extract(replica_set_annotations, m, &seen[1]);
 *     fathom_trace_merge(tracer, seen, 2, &now);
 *     struct fathom_span *span = fathom_span_start(tracer, &now, "sync");
 *     ... write the ReplicaSet, with the annotations of
 *         fathom_trace_inject(&now, span, &annotations) ...
 *     fathom_span_end(span);
 *
 * Nothing here waits for the trace server: records go into a bounded queue, and
 * a thread of the tracer sends them. What does not fit is dropped and counted.
 * All functions may be called from several threads; there is no global state. A
 * tracer outlives its spans. Functions that get NULL for a tracer or a span do
 * nothing, so that tracing can be left out at run time.
 */
#ifndef FATHOM_TRACE_H
#define FATHOM_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define FATHOM_TRACE_API __attribute__((visibility("default")))

/* ---- identifiers ---- */

/* A CPID or the id of a span: a UUID. All zero: none. */
struct fathom_trace_id {
    uint8_t bytes[16];
};

enum { FATHOM_TRACE_ID_TEXT = 37 }; /* "123e4567-e89b-42d3-a456-426614174000" and a NUL */

/* A new random one (version 4). */
FATHOM_TRACE_API struct fathom_trace_id fathom_trace_id_new(void);
FATHOM_TRACE_API bool fathom_trace_id_equal(const struct fathom_trace_id *one,
                                            const struct fathom_trace_id *other);
FATHOM_TRACE_API bool fathom_trace_id_is_none(const struct fathom_trace_id *id);
/* Any UUID but the one that is all zero, in either case; false: it is not one. */
FATHOM_TRACE_API bool fathom_trace_id_parse(const char *text, size_t length,
                                            struct fathom_trace_id *id);
FATHOM_TRACE_API void fathom_trace_id_format(const struct fathom_trace_id *id,
                                             char text[FATHOM_TRACE_ID_TEXT]);

/* ---- contexts ---- */

enum { FATHOM_TRACE_ANCESTORS_MOST = 64 };

/* What an object carries: its CPID, and some CPIDs that it comes from, the
 * nearest first. The ancestors only spare merges: fewer are never wrong. A
 * context whose id is none is absent. */
struct fathom_trace_context {
    struct fathom_trace_id id;
    uint32_t ancestor_count;
    struct fathom_trace_id ancestors[FATHOM_TRACE_ANCESTORS_MOST];
};

/* The annotations of a context. */
#define FATHOM_TRACE_ANNOTATION_ID          "cpid.trace/id"
#define FATHOM_TRACE_ANNOTATION_ANCESTORS   "cpid.trace/anc"
#define FATHOM_TRACE_ANNOTATION_TRACEPARENT "tracing.k8s.io/traceparent"

struct fathom_trace_annotation {
    const char *key;
    const char *value;
};

/* The context among an object's annotations; false, and an absent context, if
 * there is none. Ancestors that are missing or malformed are no ancestors. An
 * object that has a traceparent only has its trace id as CPID. */
FATHOM_TRACE_API bool fathom_trace_extract(const struct fathom_trace_annotation *annotations,
                                           size_t count, struct fathom_trace_context *context);

/* What to write on an object. The values point into the struct itself, so that
 * it must not be copied. */
struct fathom_trace_annotations {
    struct fathom_trace_annotation items[3];
    size_t count; /* 0 for an absent context; `items` may end before the traceparent */
    char id[FATHOM_TRACE_ID_TEXT];
    char ancestors[FATHOM_TRACE_ANCESTORS_MOST * FATHOM_TRACE_ID_TEXT + 1];
    char traceparent[56];
};

struct fathom_span;

/* With a span there is a traceparent, too, for programs that know only those. */
FATHOM_TRACE_API void fathom_trace_inject(const struct fathom_trace_context *context,
                                          const struct fathom_span *span,
                                          struct fathom_trace_annotations *annotations);

/* ---- merging ---- */

/* How lists of ancestors are put together when one context is an ancestor of
 * another: as in the published algorithm, which may put old ones before near
 * ones, or each ancestor after the one that it follows. */
enum fathom_trace_mode { FATHOM_TRACE_ORDERED, FATHOM_TRACE_LITERAL };

/* Ancestors of a new CPID: each source followed by its list, or all sources,
 * then the first of each list, the second of each, ... */
enum fathom_trace_order { FATHOM_TRACE_CONCAT, FATHOM_TRACE_LEVEL };

struct fathom_trace_rules {
    enum fathom_trace_mode mode;
    enum fathom_trace_order order;
    uint32_t ancestors_most; /* N; at most FATHOM_TRACE_ANCESTORS_MOST */
};

/* ORDERED, CONCAT, 8. */
FATHOM_TRACE_API struct fathom_trace_rules fathom_trace_rules_default(void);

enum fathom_trace_merged {
    FATHOM_TRACE_FAILED = -1, /* memory is exhausted; there is no result */
    FATHOM_TRACE_ABSENT,      /* no context was given; the result is absent */
    FATHOM_TRACE_KEPT,        /* one of them comes from all others: it is the result */
    FATHOM_TRACE_NEW,         /* several changes met: the result has a new CPID */
};

/* The merge alone: nothing is sent, and the CPID of a new context is `fresh`.
 * `sources`, with room for `count`, gets the CPIDs that the new one comes from
 * (`source_count` of them; none unless NEW). Absent contexts do not count. */
FATHOM_TRACE_API enum fathom_trace_merged fathom_trace_merge_contexts(
    const struct fathom_trace_rules *rules, const struct fathom_trace_context *contexts,
    size_t count, const struct fathom_trace_id *fresh, struct fathom_trace_context *result,
    struct fathom_trace_id *sources, size_t *source_count);

/* ---- tracers ---- */

struct fathom_tracer;

/* What a tracer tells: a CPID and where it comes from. No sources: a root. */
struct fathom_trace_mergelog {
    struct fathom_trace_id cpid;
    const struct fathom_trace_id *sources;
    size_t source_count;
    int64_t time_ns; /* since 1970 */
};

/* ... and what was done under it. Texts may be NULL. */
struct fathom_trace_span {
    struct fathom_trace_id cpid;
    struct fathom_trace_id span_id;
    struct fathom_trace_id parent_id; /* none: the first span of a reconcile */
    int64_t start_ns;                 /* since 1970 */
    int64_t end_ns;
    const char *service;
    const char *name;
    const char *object;          /* "Deployment/default/web" */
    const char *version_read;    /* resourceVersion */
    const char *version_written; /* resourceVersion */
};

struct fathom_trace_options {
    const char *service; /* the controller's name; needed */
    const char *server;  /* "http://127.0.0.1:7788"; NULL: nothing is sent. TLS is not spoken */
    const char *token;   /* bearer token of the server; NULL: none */
    struct fathom_trace_rules rules;
    uint32_t queue_records;     /* what may wait to be sent; by default 8192 */
    uint32_t queue_bytes;       /* by default 8 MiB */
    uint32_t send_timeout_ms;   /* of one request; by default 5000 */
    uint32_t finish_timeout_ms; /* how long the end waits for the queue; by default 2000 */
    /* If set, these get the records at once, in the caller's thread, and nothing
     * is queued or sent: for simulations and tests. */
    void (*on_mergelog)(void *context, const struct fathom_trace_mergelog *mergelog);
    void (*on_span)(void *context, const struct fathom_trace_span *span);
    void *on_context;
};

FATHOM_TRACE_API void fathom_trace_options_init(struct fathom_trace_options *options);

/* NULL if the options are wrong or the machine refuses: `why`, if not NULL, gets
 * a sentence. Texts are copied. */
FATHOM_TRACE_API struct fathom_tracer *
fathom_tracer_create(const struct fathom_trace_options *options, char *why, size_t why_size);

/* Sends what waits for at most `finish_timeout_ms`, then ends the thread; only a
 * name that is being looked up is waited for. */
FATHOM_TRACE_API void fathom_tracer_free(struct fathom_tracer *tracer);

/* Waits until all that was queued so far is sent or given up; false: time over. */
FATHOM_TRACE_API bool fathom_tracer_flush(struct fathom_tracer *tracer, uint32_t timeout_ms);

struct fathom_trace_counts {
    uint64_t sent;     /* records that the server has acknowledged */
    uint64_t dropped;  /* records that found the queue full, or were left at the end */
    uint64_t refused;  /* records that the server does not want */
    uint64_t failures; /* requests that failed and were tried again */
    uint64_t waiting;  /* records in the queue now */
};

FATHOM_TRACE_API struct fathom_trace_counts fathom_tracer_counts(struct fathom_tracer *tracer);

/* A change begins here (kubectl, a person, a timer): a new CPID without sources. */
FATHOM_TRACE_API void fathom_trace_root(struct fathom_tracer *tracer,
                                        struct fathom_trace_context *context);

/* Merges, and sends a mergelog if the result is NEW. Without a tracer: the same
 * by the default rules, and nothing is sent. */
FATHOM_TRACE_API enum fathom_trace_merged
fathom_trace_merge(struct fathom_tracer *tracer, const struct fathom_trace_context *contexts,
                   size_t count, struct fathom_trace_context *result);

/* ---- spans ---- */

/* The first span of a reconcile; it has no parent, whoever wrote the object.
 * NULL if the context is absent or memory is exhausted. */
FATHOM_TRACE_API struct fathom_span *fathom_span_start(struct fathom_tracer *tracer,
                                                       const struct fathom_trace_context *context,
                                                       const char *name);
/* A part of it, in the same controller. */
FATHOM_TRACE_API struct fathom_span *fathom_span_child(const struct fathom_span *parent,
                                                       const char *name);
/* What it is about: "Kind/namespace/name"; the resourceVersions that were read
 * and written (NULL: not known). */
FATHOM_TRACE_API void fathom_span_object(struct fathom_span *span, const char *object,
                                         const char *version_read, const char *version_written);
FATHOM_TRACE_API struct fathom_trace_id fathom_span_id(const struct fathom_span *span);
/* Ends it now and sends it. The span is gone afterwards; its children may live on. */
FATHOM_TRACE_API void fathom_span_end(struct fathom_span *span);

#ifdef __cplusplus
}
#endif

#endif
