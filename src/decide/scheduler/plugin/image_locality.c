/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Nodes that have the pod's images already are better, the more so the larger
 * the images are and the more nodes have them. The counters upstream are those
 * of the moment when a node was last updated; here they are always up to date.
 */
#include "decide/scheduler/plugin/image_locality.h"
#include "base/saturating.h"
#include "decide/node_reads.h"
#include "decide/scheduler/cycle.h"
#include "decide/scheduler/image_name.h"
#include "decide/scheduler/lead.h"

#include <string.h>

static const int64_t mebibyte = INT64_C(1024) * 1024;
static const int64_t least_sum = INT64_C(23) * 1024 * 1024; /* up to this images do not count */

struct image {
    const char *name;
    int64_t size;
    uint64_t nodes; /* that have it, in this decision */
};

struct images {
    struct image *items; /* one for each container, and for each image volume (1.36) */
    uint32_t count;
    uint32_t container_count; /* by which the most that counts grows */
    uint64_t total_nodes;
};

static void prepare(struct plan *plan, struct part *part)
{
    struct arena *arena = plan->catalog->arena;
    const struct pod_spec *spec = &plan->shape->pod->spec;
    struct images *images = ARENA_NEW(arena, struct images);
    images->items =
        ARENA_ARRAY(arena, struct image,
                    spec->init_container_count + spec->container_count + spec->volume_count + 1);
    bool init_containers_count = plan->catalog->features.image_of_init_containers;
    for (uint32_t i = 0; init_containers_count && i < spec->init_container_count; i++)
        images->items[images->count++].name =
            image_name_normalised(arena, spec->init_containers[i].image);
    for (uint32_t i = 0; i < spec->container_count; i++)
        images->items[images->count++].name = image_name_normalised(
            arena, spec->containers[i].image ? spec->containers[i].image : "");
    images->container_count = images->count;
    bool volumes_count = plan->catalog->features.image_of_volumes;
    for (uint32_t i = 0; volumes_count && i < spec->volume_count; i++)
        if (spec->volumes[i].image)
            images->items[images->count++].name =
                image_name_normalised(arena, spec->volumes[i].image);
    part->state = images;
    part->facts = plan_reserve_facts(plan, images->count);
}

static bool node_has_image(const struct node *node, const char *name)
{
    for (uint32_t i = 0; i < node->status.image_count; i++)
        for (uint32_t n = 0; n < node->status.images[i].names.count; n++)
            if (strcmp(node->status.images[i].names.items[n], name) == 0)
                return true;
    return false;
}

static void examine(const struct plan *plan, const struct part *part,
                    const struct node_template *template, int64_t *facts)
{
    struct images *images = part->state;
    for (uint32_t i = 0; i < images->count; i++) {
        facts[i] = node_has_image(template->node, images->items[i].name);
        const int64_t *size = map_get(&plan->catalog->images, images->items[i].name);
        if (size)
            images->items[i].size = *size;
    }
}

static int64_t most_of(const struct images *images)
{
    return 1000 * mebibyte * images->container_count;
}

static int64_t score_of(const struct images *images, int64_t sum)
{
    const int64_t most = most_of(images);
    if (sum < least_sum)
        sum = least_sum;
    else if (sum > most)
        sum = most;
    return NODE_SCORE_MOST * (sum - least_sum) / (most - least_sum);
}

/* The more nodes have it the more. */
static int64_t counted_size(const struct images *images, const struct image *image)
{
    const double spread = (double)image->nodes / (double)images->total_nodes;
    return saturating_from_double((double)image->size * spread);
}

int64_t image_locality_most(const struct part *part)
{
    const struct images *images = part->state;
    int64_t sum = 0;
    for (uint32_t i = 0; i < images->count; i++) {
        if (images->items[i].size == 0)
            return NODE_SCORE_MOST;
        sum = saturating_add(sum, images->items[i].size);
    }
    return score_of(images, sum);
}

/* ---- other numbers of nodes (decide/node_reads.h) ---- */

/* How scores change with the number of nodes of the groups without a maximum, which all have the
 * same of these images. */
struct growing {
    const struct cycle *cycle;
    const struct part *part;
    struct node_sum sum;  /* of these nodes */
    const int64_t *facts; /* which of the images they have */
};

/* What the image counts with so many more of these nodes. It never falls with the number, or never
 * rises. */
static int64_t counted_with(const struct growing *growing, uint32_t number, int64_t more)
{
    struct images images = *(const struct images *)growing->part->state;
    struct image image = images.items[number];
    images.total_nodes += (uint64_t)more;
    image.nodes += growing->facts[number] ? (uint64_t)more : 0;
    return counted_size(&images, &image);
}

/* Is the score of the entry the same with any number from the present one to so many more? Where
 * the bytes themselves are looked at (image_locality_lacks), these are. */
static bool score_stays(const struct growing *growing, uint32_t entry, int64_t more)
{
    const struct images *images = growing->part->state;
    const struct catalog *catalog = growing->cycle->view->catalog;
    const int64_t *facts = growing->cycle->records[entry]->load.facts + growing->part->facts;
    int64_t least = 0;
    int64_t most = 0;
    for (uint32_t i = 0; i < images->count; i++) {
        if (!facts[i])
            continue;
        const int64_t now = counted_with(growing, i, 0);
        const int64_t then = counted_with(growing, i, more);
        least = saturating_add(least, now < then ? now : then);
        most = saturating_add(most, now < then ? then : now);
    }
    return catalog->node_reads->keeps_scores ? least == most
                                             : score_of(images, least) == score_of(images, most);
}

static bool scores_stay(void *context, int64_t nodes)
{
    const struct growing *growing = context;
    for (uint32_t entry = 0; entry < growing->cycle->view->node_count; entry++)
        if (!score_stays(growing, entry, nodes - growing->sum.value))
            return false;
    return true;
}

/* Have these nodes the same of the images as those that were met before? */
static bool has_same(const struct images *images, const int64_t *left, const int64_t *right)
{
    for (uint32_t i = 0; left && i < images->count; i++)
        if ((left[i] != 0) != (right[i] != 0))
            return false;
    return true;
}

/* Which share of the nodes has an image makes a difference: only one number of nodes of the groups
 * with a maximum, and so many of the others that no score changes. */
static void follow_shares(struct cycle *cycle, const struct part *part, uint32_t groups)
{
    enum { BEYOND_ALL = 50 };
    static const char why[] = "which share of the nodes has an image makes a difference";
    const struct catalog *catalog = cycle->view->catalog;
    struct node_reads *reads = catalog->node_reads;
    struct growing growing = {.cycle = cycle, .part = part};
    bool alike = true;
    for (uint32_t entry = 0; entry < cycle->view->node_count; entry++) {
        const struct view_node nodes = cycle->view->nodes[entry];
        const int64_t *facts = cycle->records[entry]->load.facts + part->facts;
        if (!(node_reads_group(reads, nodes.config) & reads->open))
            continue;
        alike &= has_same(part->state, growing.facts, facts);
        growing.facts = facts;
        node_sum_add(catalog, &growing.sum, nodes);
    }
    /* With several kinds, scores depend on the proportion of their numbers. */
    node_reads_pin(reads, alike ? groups & ~reads->open : groups, why);
    if (alike && growing.facts)
        node_sum_follow(catalog, &growing.sum,
                        scores_stay(&growing, growing.sum.value + (INT64_C(1) << BEYOND_ALL)),
                        scores_stay, &growing);
}

static void pre_score(struct cycle *cycle, const struct part *part)
{
    struct images *images = part->state;
    struct node_sum total = {0};
    bool shared = false;
    for (uint32_t i = 0; i < images->count; i++)
        images->items[i].nodes = 0;
    for (uint32_t entry = 0; entry < cycle->view->node_count; entry++) {
        const int64_t *facts = cycle->records[entry]->load.facts + part->facts;
        uint32_t count = cycle->view->nodes[entry].count;
        node_sum_add(cycle->view->catalog, &total, cycle->view->nodes[entry]);
        for (uint32_t i = 0; i < images->count; i++)
            images->items[i].nodes += facts[i] ? count : 0;
    }
    images->total_nodes = (uint64_t)total.value;
    for (uint32_t i = 0; i < images->count; i++)
        shared |= images->items[i].nodes > 0 && images->items[i].nodes < images->total_nodes;
    /* Images that are small count nothing, whichever nodes have them. */
    if (shared && image_locality_most(part) > 0 && cycle->view->catalog->node_reads)
        follow_shares(cycle, part, total.groups);
}

/* What the images of a node count. */
static int64_t sum_at(const struct images *images, const struct node *node)
{
    int64_t sum = 0;
    for (uint32_t i = 0; i < images->count; i++)
        if (node_has_image(node, images->items[i].name))
            sum += counted_size(images, &images->items[i]);
    return sum;
}

int64_t image_locality_with(const struct part *part, const struct node *node, int64_t more)
{
    const struct images *images = part->state;
    return score_of(images, sum_at(images, node) + more);
}

int64_t image_locality_lacks(const struct part *part, const struct node *node)
{
    const struct images *images = part->state;
    const int64_t lacks = most_of(images) - sum_at(images, node);
    return lacks > 0 ? lacks : 0;
}

static int64_t score(const struct trial *trial)
{
    const struct images *images = trial->part->state;
    const int64_t *facts = trial->now->facts + trial->part->facts;
    int64_t sum = 0;
    for (uint32_t i = 0; i < images->count; i++) {
        if (!facts[i])
            continue;
        sum += counted_size(images, &images->items[i]);
    }
    return score_of(images, sum);
}

/* Images are on nodes, and the nodes are all in the view, feasible or not. */
static int64_t lead(const struct lead *lead)
{
    return lead_raw(lead, lead->ahead) - lead_raw(lead, lead->behind);
}

static void read_images(struct reads *reads, const struct container *containers, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        reads_image(reads, image_name_normalised(reads->arena, containers[i].image));
}

static void read_incoming(struct reads *reads, const struct pod_spec *spec)
{
    read_images(reads, spec->containers, spec->container_count);
    read_images(reads, spec->init_containers, spec->init_container_count);
    for (uint32_t i = 0; i < spec->volume_count; i++)
        if (spec->volumes[i].image)
            reads_image(reads, image_name_normalised(reads->arena, spec->volumes[i].image));
}

static const struct plugin_reads reads = {.of_incoming = read_incoming,
                                          .only_room = only_room_ever};

const struct plugin plugin_image_locality = {
    .name = "ImageLocality",
    .mirrors = "pkg/scheduler/framework/plugins/imagelocality/image_locality.go @ v1.26.15",
    .weight = 1,
    .global_score = true,
    .reads = &reads,
    .prepare = prepare,
    .examine = examine,
    .pre_score = pre_score,
    .score = score,
    .lead = lead,
};
