/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Images: a node has those that it reported in the beginning, and those that its kubelet has pulled
 * for pods since, all of a pod's at once. ImageLocality prefers nodes that have them.
 *
 * It asks about the images of containers, from 1.30 on also of init containers: each counts as its
 * size times the share of nodes that have it. The score grows evenly between 23 MiB and 1000 MiB
 * for each image that it asks about. Where nobody says how large an image is, every size is tried.
 */
#include "decide/scheduler/image_name.h"
#include "decide/scheduler/plugin.h"
#include "twin/twin_internal.h"

#include <string.h>

enum { ASKED_MOST = 8 };

static const int64_t mebibyte = INT64_C(1024) * 1024;

static bool reports(const struct node *node, const char *name, int64_t *size)
{
    for (uint32_t i = 0; i < node->status.image_count; i++)
        for (uint32_t n = 0; n < node->status.images[i].names.count; n++)
            if (strcmp(node->status.images[i].names.items[n], name) == 0) {
                *size = node->status.images[i].size_bytes;
                return true;
            }
    return false;
}

static uint32_t find_image(const struct twin *twin, const char *name)
{
    uint32_t i = 0;
    while (i < twin->image_count && strcmp(twin->images[i].name, name) != 0)
        i++;
    return i;
}

/* ---- which images there are ---- */

/* The weight of ImageLocality, and which of the scores it is; 0: it does not count. */
static int64_t weight_of_images(const struct profile *profile, uint32_t *place)
{
    for (*place = 0; *place < profile->score_count; (*place)++)
        if (strcmp(profile->scores[*place].plugin->name, "ImageLocality") == 0)
            return profile->scores[*place].weight;
    return 0;
}

/* Does a scheduler choose among nodes for its pods, and look for images? */
static bool is_asked_about(const struct twin *twin, const struct twin_revision *revision)
{
    const struct pod_spec *spec = &revision->pod->spec;
    const struct profile *profile = profiles_find(&twin->profiles, spec->scheduler_name);
    uint32_t place;
    if (is_bystander(twin, revision->workload)
            ? !revision->waits
            : twin->workloads[revision->workload].kind == OBJECT_DAEMON_SET)
        return false;
    return profile && weight_of_images(profile, &place) > 0 && !spec->node_name;
}

/* Images that every node has from the beginning are never pulled. */
static bool add_image(struct twin *twin, const char *image)
{
    struct twin_picture picture = {.name = image_name_normalised(&twin->arena, image)};
    bool everywhere = true;
    if (find_image(twin, picture.name) < twin->image_count)
        return true;
    for (uint32_t n = 0; n < twin->node_count; n++) {
        int64_t size = 0;
        const bool has =
            reports(twin->scope->groups[twin->nodes[n].group].node, picture.name, &size);
        everywhere &= has;
        if (has && !picture.sized)
            picture.size = size;
        picture.sized |= has;
    }
    if (!picture.sized && twin_image_bytes(twin->scope->check) > 0) {
        picture.size = twin_image_bytes(twin->scope->check);
        picture.sized = true;
    }
    if (everywhere)
        return true;
    if (twin->image_count == IMAGES_MOST)
        return false;
    twin->images[twin->image_count++] = picture;
    return true;
}

static bool add_images(struct twin *twin, const struct container *containers, uint32_t count)
{
    bool fits = true;
    for (uint32_t c = 0; c < count; c++)
        fits = fits && add_image(twin, containers[c].image);
    return fits;
}

static uint32_t pulled_for(struct twin *twin, const struct container *containers, uint32_t count)
{
    uint32_t images = 0;
    for (uint32_t c = 0; c < count; c++) {
        const uint32_t image =
            find_image(twin, image_name_normalised(&twin->arena, containers[c].image));
        images |= image < twin->image_count ? 1U << image : 0;
    }
    return images;
}

bool twin_find_images(struct twin *twin)
{
    if (!twin_pulls_images(twin->scope->check))
        return true;
    for (uint32_t r = 0; r < twin->revision_count; r++) {
        const struct pod_spec *spec = &twin->revisions[r].pod->spec;
        const bool all = twin->manner == TWIN_TAKES_ALL;
        if (!all && !is_asked_about(twin, &twin->revisions[r]))
            continue;
        if (!add_images(twin, spec->containers, spec->container_count))
            return false;
        if ((all || twin->features.image_of_init_containers) &&
            !add_images(twin, spec->init_containers, spec->init_container_count))
            return false;
    }
    for (uint32_t r = 0; r < twin->revision_count; r++) {
        const struct pod_spec *spec = &twin->revisions[r].pod->spec;
        twin->revisions[r].pulls =
            pulled_for(twin, spec->containers, spec->container_count) |
            pulled_for(twin, spec->init_containers, spec->init_container_count);
    }
    for (uint32_t n = 0; n < twin->node_count; n++)
        for (uint32_t i = 0; i < twin->image_count; i++) {
            int64_t size;
            if (reports(twin->scope->groups[twin->nodes[n].group].node, twin->images[i].name,
                        &size))
                twin->nodes[n].reports |= 1U << i;
        }
    return true;
}

/* ---- nodes ---- */

void twin_report_images(struct twin_run *run)
{
    const struct twin *twin = run->twin;
    if (run->prompt && twin->interleaving != TWIN_FULL && twin->interleaving != TWIN_RACING)
        return;
    for (uint32_t p = 0; p < TWIN_PODS_MOST; p++) {
        const struct place_of_pod *pod = &run->state->pods[p];
        if (pod->stage != POD_STARTS && pod->stage != POD_IS_READY && pod->stage != POD_TERMINATES)
            continue;
        const uint32_t has = run->state->images[pod->node] | twin->nodes[pod->node].reports;
        const uint32_t comes = twin->revisions[pod->revision].pulls & ~has;
        if (comes == 0 || !condition_works((enum twin_condition)run->state->conditions[pod->node]))
            continue;
        struct twin_state next = *run->state;
        next.images[pod->node] |= (uint16_t)comes;
        twin_emit(run, &next, TWIN_ACT_IMAGES_REPORTED, about_pod(p), workload_of(twin, pod), 0,
                  FAST);
    }
}

uint32_t twin_with_images(struct twin *twin, uint32_t template, uint32_t images)
{
    struct arena *arena = &twin->arena;
    if (images == 0)
        return template;
    for (uint32_t l = 0; l < twin->looks_of_nodes.count; l++)
        if (twin->looks_of_nodes.items[l].template == template &&
            twin->looks_of_nodes.items[l].images == images)
            return twin->looks_of_nodes.items[l].as;
    const struct node *node = twin->catalog->templates.items[template]->node;
    struct node *copy = arena_copy(arena, node, sizeof(*node));
    struct container_image *list =
        ARENA_ARRAY(arena, struct container_image, node->status.image_count + IMAGES_MOST);
    for (uint32_t i = 0; i < node->status.image_count; i++)
        list[i] = node->status.images[i];
    for (uint32_t i = 0; i < twin->image_count; i++)
        if (images >> i & 1) {
            const char **name = ARENA_NEW(arena, const char *);
            *name = twin->images[i].name;
            list[copy->status.image_count++] =
                (struct container_image){.names = {name, 1}, .size_bytes = twin->images[i].size};
        }
    copy->status.images = list;
    const struct twin_look_of_node look = {template, images,
                                           catalog_add_named_node(twin->catalog, copy)};
    VEC_PUSH(arena, &twin->looks_of_nodes, look);
    return look.as;
}

/* ---- scores ---- */

/* What ImageLocality asks about for one pod. */
struct asked {
    const struct twin_run *run;
    const uint32_t *numbers; /* of the view's nodes */
    uint32_t entries;
    const char *names[ASKED_MOST];
    uint32_t count;
};

static void ask_about(struct asked *asked, const struct container *containers, uint32_t count)
{
    for (uint32_t c = 0; c < count; c++)
        if (asked->count < ASKED_MOST)
            asked->names[asked->count++] =
                image_name_normalised(&asked->run->twin->scratch, containers[c].image);
        else
            asked->run->twin->overflow = true;
}

/* Has the node of the entry the image, and how large is the image? */
static bool entry_has(const struct asked *asked, uint32_t entry, const char *name, int64_t *size)
{
    const struct twin *twin = asked->run->twin;
    const uint32_t number = asked->numbers[entry];
    const uint32_t image = find_image(twin, name);
    if (image < twin->image_count) {
        *size = twin->images[image].size;
        return (asked->run->state->images[number] | twin->nodes[number].reports) >> image & 1;
    }
    bool first = false; /* the first node that reports it says how large it is */
    for (uint32_t n = 0; n < twin->node_count && !first; n++)
        first = reports(twin->scope->groups[twin->nodes[n].group].node, name, size);
    int64_t own;
    return reports(twin->scope->groups[twin->nodes[number].group].node, name, &own);
}

/* Bytes of the images that the entry has, less those of any size. */
static int64_t bytes_at(const struct asked *asked, uint32_t entry)
{
    int64_t sum = 0;
    for (uint32_t a = 0; a < asked->count; a++) {
        int64_t size = 0;
        uint32_t having = 0;
        for (uint32_t e = 0; e < asked->entries; e++)
            having += entry_has(asked, e, asked->names[a], &size);
        if (entry_has(asked, entry, asked->names[a], &size))
            sum += (int64_t)((double)size * ((double)having / (double)asked->entries));
    }
    return sum;
}

/* The images of any size that it is asked about and the entry has. */
static uint32_t unsized_at(const struct asked *asked, uint32_t entry)
{
    uint32_t images = 0;
    int64_t size;
    for (uint32_t a = 0; a < asked->count; a++) {
        const uint32_t image = find_image(asked->run->twin, asked->names[a]);
        if (image < asked->run->twin->image_count && !asked->run->twin->images[image].sized &&
            entry_has(asked, entry, asked->names[a], &size))
            images |= 1U << image;
    }
    return images;
}

static int64_t score_of(const struct asked *asked, int64_t bytes)
{
    const int64_t least = 23 * mebibyte;
    const int64_t most = 1000 * mebibyte * asked->count;
    bytes = bytes < least ? least : bytes > most ? most : bytes;
    return 100 * (bytes - least) / (most - least);
}

/* The images that the entry has may have any size: those who have all of them, too, get as many
 * bytes of them, and the others have some that matter less. */
bool twin_images_decide(struct twin_run *run, uint32_t revision, const struct decision *decision,
                        const uint32_t *numbers, uint32_t entry)
{
    const struct pod_spec *spec = &run->twin->revisions[revision].pod->spec;
    const struct profile *profile = profiles_find(&run->twin->profiles, spec->scheduler_name);
    struct asked asked = {.run = run, .numbers = numbers, .entries = decision->node_count};
    int64_t others[TWIN_NODES_MOST]; /* what other plugins give */
    int64_t bytes[TWIN_NODES_MOST];
    bool shares[TWIN_NODES_MOST]; /* it has all of these images */
    uint32_t place;
    if (run->twin->image_count == 0 || decision->nodes[entry].verdict.plugin ||
        !decision->nodes[entry].scores)
        return false;
    const int64_t weight = weight_of_images(profile, &place);
    ask_about(&asked, spec->containers, spec->container_count);
    if (run->twin->features.image_of_init_containers)
        ask_about(&asked, spec->init_containers, spec->init_container_count);
    const uint32_t own = unsized_at(&asked, entry);
    if (weight == 0 || own == 0)
        return false;
    for (uint32_t e = 0; e < decision->node_count; e++) {
        const struct node_decision *node = &decision->nodes[e];
        bytes[e] = bytes_at(&asked, e);
        shares[e] = (own & ~unsized_at(&asked, e)) == 0;
        if (!node->scores)
            continue;
        others[e] = node->total - node->scores[place];
        if (node->scores[place] != weight * score_of(&asked, bytes[e]))
            bug("ImageLocality gives %lld", (long long)node->scores[place]);
    }
    for (int64_t more = 0; more <= 1000 * mebibyte * asked.count; more += mebibyte / 8) {
        const int64_t total = others[entry] + weight * score_of(&asked, bytes[entry] + more);
        bool wins = true;
        for (uint32_t e = 0; e < decision->node_count && wins; e++)
            if (!decision->nodes[e].verdict.plugin && decision->nodes[e].scores)
                wins = total >=
                       others[e] + weight * score_of(&asked, bytes[e] + (shares[e] ? more : 0));
        if (wins)
            return true;
    }
    return false;
}
