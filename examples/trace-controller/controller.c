/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Controllers that tell what they do, and why: a small example of
 * libfathom-trace.
 *
 *     controller [SERVER]
 *
 * A person creates a Deployment and later scales it. One controller makes a
 * ReplicaSet of it, another one pods of that; each merges the contexts of the
 * objects that it read, puts the result on those that it writes, and has a span
 * for the time that it takes. The "cluster" is a few structs: in a controller of
 * yours, `struct object` is what your client library gives you.
 *
 * Prints the CPIDs of the two changes, to be asked for:
 *
 *     fathom trace serve --in-memory &
 *     controller http://127.0.0.1:7788
 */
#include <fathom/trace.h>

#include <stdio.h>
#include <string.h>

enum { PODS_MOST = 8, VALUE_MOST = 400 };

/* ---- what stands for the cluster ---- */

struct object {
    char name[64]; /* "Deployment/default/web" */
    int replicas;
    int version;
    char keys[3][40]; /* annotations */
    char values[3][VALUE_MOST];
    size_t annotation_count;
};

struct cluster {
    struct object deployment;
    struct object replica_set;
    struct object pods[PODS_MOST];
    int pod_count;
};

/* ---- contexts on objects ---- */

static void read_context(const struct object *object, struct fathom_trace_context *context)
{
    struct fathom_trace_annotation annotations[3];
    for (size_t i = 0; i < object->annotation_count; i++)
        annotations[i] = (struct fathom_trace_annotation){object->keys[i], object->values[i]};
    fathom_trace_extract(annotations, object->annotation_count, context);
}

static void write_context(struct object *object, const struct fathom_trace_context *context,
                          const struct fathom_span *span)
{
    struct fathom_trace_annotations annotations;
    fathom_trace_inject(context, span, &annotations);
    object->annotation_count = annotations.count;
    for (size_t i = 0; i < annotations.count; i++) {
        snprintf(object->keys[i], sizeof(object->keys[i]), "%s", annotations.items[i].key);
        snprintf(object->values[i], sizeof(object->values[i]), "%s", annotations.items[i].value);
    }
}

/* A call to the API server is a span of its own. */
static void write_object(struct object *object, const struct fathom_trace_context *context,
                         const struct fathom_span *sync, const char *verb)
{
    char read[16];
    char written[16];
    struct fathom_span *call = fathom_span_child(sync, verb);
    snprintf(read, sizeof(read), "%d", object->version);
    snprintf(written, sizeof(written), "%d", ++object->version);
    write_context(object, context, call);
    fathom_span_object(call, object->name, read, written);
    fathom_span_end(call);
}

/* ---- who acts ---- */

/* kubectl: a change begins. */
static void scale(struct fathom_tracer *tracer, struct cluster *cluster, int replicas)
{
    struct fathom_trace_context seen[2];
    struct fathom_trace_context now;
    char cpid[FATHOM_TRACE_ID_TEXT];
    read_context(&cluster->deployment, &seen[0]);
    fathom_trace_root(tracer, &seen[1]);
    fathom_trace_merge(tracer, seen, 2, &now);
    struct fathom_span *span = fathom_span_start(tracer, &seen[1], "apply");
    snprintf(cluster->deployment.name, sizeof(cluster->deployment.name), "Deployment/default/web");
    cluster->deployment.replicas = replicas;
    write_object(&cluster->deployment, &now, span, "update");
    fathom_span_end(span);
    fathom_trace_id_format(&seen[1].id, cpid);
    puts(cpid);
}

static void sync_deployment(struct fathom_tracer *tracer, struct cluster *cluster)
{
    struct fathom_trace_context seen[2];
    struct fathom_trace_context now;
    read_context(&cluster->deployment, &seen[0]);
    read_context(&cluster->replica_set, &seen[1]);
    fathom_trace_merge(tracer, seen, 2, &now);
    struct fathom_span *span = fathom_span_start(tracer, &now, "syncDeployment");
    struct object *set = &cluster->replica_set;
    if (set->replicas != cluster->deployment.replicas) {
        const char *verb = *set->name ? "update" : "create";
        snprintf(set->name, sizeof(set->name), "ReplicaSet/default/web-1");
        set->replicas = cluster->deployment.replicas;
        write_object(set, &now, span, verb);
    }
    fathom_span_end(span);
}

static void sync_replica_set(struct fathom_tracer *tracer, struct cluster *cluster)
{
    struct fathom_trace_context seen[PODS_MOST + 1];
    struct fathom_trace_context now;
    read_context(&cluster->replica_set, &seen[0]);
    for (int i = 0; i < cluster->pod_count; i++)
        read_context(&cluster->pods[i], &seen[i + 1]);
    fathom_trace_merge(tracer, seen, (size_t)cluster->pod_count + 1, &now);
    struct fathom_span *span = fathom_span_start(tracer, &now, "syncReplicaSet");
    while (cluster->pod_count < cluster->replica_set.replicas && cluster->pod_count < PODS_MOST) {
        struct object *pod = &cluster->pods[cluster->pod_count++];
        snprintf(pod->name, sizeof(pod->name), "Pod/default/web-1-%d", cluster->pod_count);
        write_object(pod, &now, span, "create");
    }
    fathom_span_end(span);
}

/* ---- the program ---- */

static struct fathom_tracer *tracer_of(const char *service, const char *server)
{
    struct fathom_trace_options options;
    char why[128] = "";
    fathom_trace_options_init(&options);
    options.service = service;
    options.server = server;
    struct fathom_tracer *tracer = fathom_tracer_create(&options, why, sizeof(why));
    if (!tracer)
        fprintf(stderr, "controller: %s\n", why);
    return tracer;
}

int main(int argc, char **argv)
{
    const char *server = argc > 1 ? argv[1] : NULL;
    static const char *const services[] = {"kubectl", "deployment-controller",
                                           "replicaset-controller"};
    struct fathom_tracer *tracers[3];
    static struct cluster cluster;
    for (int i = 0; i < 3; i++) {
        tracers[i] = tracer_of(services[i], server);
        if (!tracers[i])
            return 2;
    }
    static const int replicas[] = {2, 4};
    for (size_t i = 0; i < sizeof(replicas) / sizeof(replicas[0]); i++) {
        scale(tracers[0], &cluster, replicas[i]);
        sync_deployment(tracers[1], &cluster);
        sync_replica_set(tracers[2], &cluster);
    }
    uint64_t lost = 0;
    for (int i = 0; i < 3; i++) {
        fathom_tracer_flush(tracers[i], 5000);
        const struct fathom_trace_counts counts = fathom_tracer_counts(tracers[i]);
        lost += counts.dropped + counts.refused + counts.waiting;
        fathom_tracer_free(tracers[i]);
    }
    return lost ? 1 : 0;
}
