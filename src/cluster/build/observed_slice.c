/* SPDX-License-Identifier: Apache-2.0 */
/* Pods of a live cluster with what controllers read of them, so that equal ones are found. */
#include "cluster/build/observed_slice.h"
#include "cluster/state/population_model.h"
#include "decide/pod_requests.h"
#include "decide/pod_resize.h"
#include "decide/reads.h"
#include "decide/scheduler/image_name.h"
#include "setup/scope_reads.h"

static struct labels slice_labels(struct arena *arena, const struct reads *reads,
                                  const struct labels *labels)
{
    struct labels slice = {.items = ARENA_ARRAY(arena, struct label, labels->count + 1)};
    for (uint32_t i = 0; i < labels->count; i++)
        if (reads_has_pod_label(reads, labels->items[i].key))
            slice.items[slice.count++] = labels->items[i];
    return slice;
}

/* Whose images are kept: all, or those that a pod may be placed by. */
enum kept_images { IMAGES_NONE, IMAGES_READ, IMAGES_ALL };

static const char *slice_image(struct arena *arena, const struct reads *reads, const char *image,
                               enum kept_images kept)
{
    return kept == IMAGES_ALL || (kept == IMAGES_READ &&
                                  reads_has_image(reads, image_name_normalised(arena, image)))
               ? image
               : NULL;
}

/* Requests and host ports; names and images only where they are read. */
static struct container slice_container(struct arena *arena, const struct reads *reads,
                                        const struct container *container, enum kept_images images)
{
    return (struct container){
        .name = reads->container_names ? container->name : "",
        .image = slice_image(arena, reads, container->image, images),
        .restart_policy = container->restart_policy,
        .restarts_all = container->restarts_all,
        .ports = container->ports,
        .port_count = container->port_count,
        .resources = container->resources,
    };
}

/* A pod that is resized in place stays as it is: its containers keep what they count with. */
static void keep_resizes(struct arena *arena, const struct pod *pod, struct pod_spec *slice)
{
    const struct pod_spec *spec = &pod->spec;
    for (uint32_t i = 0; i < spec->container_count; i++)
        slice->containers[i].resources.requests = container_held(arena, pod, &spec->containers[i]);
    for (uint32_t i = 0; i < spec->init_container_count; i++)
        if (container_restarts_always(&spec->init_containers[i]))
            slice->init_containers[i].resources.requests =
                container_held(arena, pod, &spec->init_containers[i]);
    slice->resources = pod_held(arena, pod);
}

static struct container *slice_containers(struct arena *arena, const struct reads *reads,
                                          const struct container *containers, uint32_t count,
                                          enum kept_images images)
{
    struct container *slice = ARENA_ARRAY(arena, struct container, count + 1);
    for (uint32_t i = 0; i < count; i++)
        slice[i] = slice_container(arena, reads, &containers[i], images);
    return slice;
}

/* What two pods may not share; a descheduler also minds local storage, and a pod that may be placed
 * its images. */
static void slice_volumes(struct arena *arena, struct pod_spec *spec, bool local, bool images)
{
    struct volume *slice = ARENA_ARRAY(arena, struct volume, spec->volume_count + 1);
    uint32_t count = 0;
    for (uint32_t i = 0; i < spec->volume_count; i++) {
        const struct volume *volume = &spec->volumes[i];
        const bool is_local =
            volume->source == VOLUME_EMPTY_DIR || volume->source == VOLUME_HOST_PATH;
        if ((volume->source == VOLUME_OTHER && !(volume->image && images)) || (is_local && !local))
            continue;
        slice[count] = *volume;
        if (volume->source != VOLUME_EPHEMERAL_CLAIM)
            slice[count].name = "";
        count++;
    }
    spec->volumes = slice;
    spec->volume_count = count;
}

struct pod *observed_slice(struct arena *arena, const struct reads *reads, const struct pod *pod,
                           bool pulls, bool resizes)
{
    const bool waits = !pod->spec.node_name;
    if (reads->everything)
        return arena_copy(arena, pod, sizeof(*pod));
    const bool looked_at = waits || (reads->pods_in_place && !pod_is_pinned(pod));
    const enum kept_images images = looked_at ? IMAGES_ALL : pulls ? IMAGES_READ : IMAGES_NONE;
    struct pod *slice = ARENA_NEW(arena, struct pod);
    slice->meta = (struct object_meta){
        .name = pod->meta.name,
        .namespace = pod->meta.namespace,
        .creation_time = 0,
        .deletion_time = TIME_NONE,
        .labels = slice_labels(arena, reads, &pod->meta.labels),
    };
    if (waits || reads->pods_in_place) {
        slice->meta.owners = pod->meta.owners;
        slice->meta.owner_count = pod->meta.owner_count;
        slice->meta.annotations = pod->meta.annotations;
    }
    slice->status.start_time = TIME_NONE;
    struct pod_spec *spec = &slice->spec;
    *spec = pod->spec;
    spec->node_name = NULL;
    spec->containers =
        slice_containers(arena, reads, spec->containers, spec->container_count, images);
    spec->init_containers =
        slice_containers(arena, reads, spec->init_containers, spec->init_container_count, images);
    if (resizes)
        keep_resizes(arena, pod, spec);
    spec->priority_class_name = NULL;
    spec->termination_grace_seconds = 0;
    spec->active_deadline_seconds = (struct optional_int){0};
    spec->hostname = NULL;
    spec->subdomain = NULL;
    slice_volumes(arena, spec, reads->pods_in_place, images != IMAGES_NONE);
    if (looked_at)
        return slice;
    spec->node_selector = (struct labels){0};
    spec->topology_spread_constraint_count = 0;
    if (spec->affinity) {
        spec->affinity = arena_copy(arena, spec->affinity, sizeof(*spec->affinity));
        spec->affinity->node_affinity = NULL;
    }
    return slice;
}
