/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which images nodes may pull. Only those count that ImageLocality looks for when it places a pod
 * that may go to several nodes, and that not every node reports from the beginning.
 */
#include "cluster/build/build_images.h"
#include "cluster/state/images.h"
#include "cluster/state/population_model.h"
#include "cluster/state/workloads.h"
#include "decide/scheduler/image_name.h"
#include "decide/scheduler/plugin.h"

#include <string.h>

/* An image, and the revisions whose pods pull it. */
struct image_user {
    struct container_image image;
    bool any_size;
    bool *pulled_by; /* by revision */
};

typedef VEC(struct image_user) image_users;

static bool scores_images(const struct profile *profile)
{
    for (uint32_t i = 0; i < profile->score_count; i++)
        if (strcmp(profile->scores[i].plugin->name, "ImageLocality") == 0)
            return profile->scores[i].weight > 0;
    return false;
}

/* Does the scheduler choose a node for pods of the revision with a view to their images? */
static bool is_placed_by_images(const struct population *population,
                                const struct revision *revision)
{
    const struct profile *profile =
        profiles_find(&population->profiles, revision->pod->spec.scheduler_name);
    return profile && scores_images(profile) && !revision->node_name && !revision->daemon_set &&
           !revision->never_waits;
}

static struct image_user *find_user(image_users *users, const char *name)
{
    for (uint32_t i = 0; i < users->count; i++)
        if (strcmp(users->items[i].image.names.items[0], name) == 0)
            return &users->items[i];
    return NULL;
}

static bool node_reports(const struct node *node, const char *name, int64_t *size)
{
    for (uint32_t i = 0; i < node->status.image_count; i++)
        for (uint32_t n = 0; n < node->status.images[i].names.count; n++)
            if (strcmp(node->status.images[i].names.items[n], name) == 0) {
                *size = node->status.images[i].size_bytes;
                return true;
            }
    return false;
}

/* The image, with the size that the first node reports; false: every node has it. */
static bool measure(struct population *population, struct image_user *user)
{
    bool everywhere = true;
    user->any_size = true;
    for (uint32_t g = 0; g < population->scope->group_count; g++) {
        int64_t size;
        const bool reported =
            node_reports(population->scope->groups[g].node, user->image.names.items[0], &size);
        everywhere &= reported;
        if (reported && user->any_size)
            user->image.size_bytes = size;
        user->any_size &= !reported;
    }
    if (user->any_size && population->options.image_bytes > 0) {
        user->image.size_bytes = population->options.image_bytes;
        user->any_size = false;
        population->images_assumed = true;
    }
    return !everywhere;
}

static void add_image(struct population *population, image_users *users, const char *image)
{
    const char **names = ARENA_ARRAY(&population->arena, const char *, 1);
    names[0] = image_name_normalised(&population->arena, image);
    struct image_user user = {.image.names = {names, 1}};
    if (!image || find_user(users, names[0]) || !measure(population, &user))
        return;
    user.pulled_by = ARENA_ARRAY(&population->arena, bool, population->revisions.count);
    VEC_PUSH(&population->arena, users, user);
}

/* How many of its init containers have images that count when the pod is placed. */
static uint32_t asked_init_containers(const struct population *population,
                                      const struct pod_spec *spec)
{
    return population->options.features.image_of_init_containers ? spec->init_container_count : 0;
}

/* The same of its volumes that are images. */
static uint32_t asked_volumes(const struct population *population, const struct pod_spec *spec)
{
    return population->options.features.image_of_volumes ? spec->volume_count : 0;
}

/* The images that count when a pod of the revision is placed. */
static void add_images(struct population *population, image_users *users,
                       const struct revision *revision)
{
    const struct pod_spec *spec = &revision->pod->spec;
    for (uint32_t c = 0; c < spec->container_count; c++)
        add_image(population, users, spec->containers[c].image);
    for (uint32_t c = 0; c < asked_init_containers(population, spec); c++)
        add_image(population, users, spec->init_containers[c].image);
    for (uint32_t v = 0; v < asked_volumes(population, spec); v++)
        if (spec->volumes[v].image)
            add_image(population, users, spec->volumes[v].image);
}

/* Does one of the containers have the image? */
static bool containers_have(struct population *population, const struct container *containers,
                            uint32_t count, const char *name)
{
    for (uint32_t c = 0; c < count; c++)
        if (strcmp(image_name_normalised(&population->arena, containers[c].image), name) == 0)
            return true;
    return false;
}

static bool volumes_have(struct population *population, const struct volume *volumes,
                         uint32_t count, const char *name)
{
    for (uint32_t v = 0; v < count; v++)
        if (volumes[v].image &&
            strcmp(image_name_normalised(&population->arena, volumes[v].image), name) == 0)
            return true;
    return false;
}

/* The image is in the set, and has any size: whose pods are placed by it? */
static void note_unsized(struct population *population, const struct image_user *user, uint32_t set)
{
    const char *name = user->image.names.items[0];
    for (uint32_t r = 0; r < population->revisions.count; r++) {
        const struct pod_spec *spec = &population->revisions.items[r].pod->spec;
        if (containers_have(population, spec->containers, spec->container_count, name) ||
            containers_have(population, spec->init_containers,
                            asked_init_containers(population, spec), name) ||
            volumes_have(population, spec->volumes, asked_volumes(population, spec), name))
            population->revisions.items[r].unsized |= 1U << set;
    }
}

/* Its pods pull the images of all these containers. */
static void note_pulls(struct population *population, image_users *users, uint32_t revision,
                       const struct container *containers, uint32_t count)
{
    for (uint32_t c = 0; c < count; c++) {
        struct image_user *user =
            find_user(users, image_name_normalised(&population->arena, containers[c].image));
        if (user)
            user->pulled_by[revision] = true;
    }
}

static void note_pulled_volumes(struct population *population, image_users *users,
                                uint32_t revision, const struct pod_spec *spec)
{
    for (uint32_t v = 0; v < spec->volume_count; v++) {
        struct image_user *user =
            spec->volumes[v].image ? find_user(users, image_name_normalised(&population->arena,
                                                                            spec->volumes[v].image))
                                   : NULL;
        if (user)
            user->pulled_by[revision] = true;
    }
}

/* The set of the images that the same revisions pull; NULL: there are too many sets. */
static struct image_set *set_of(struct population *population, image_users *users, uint32_t number,
                                uint32_t *sets)
{
    const struct image_user *user = &users->items[number];
    for (uint32_t i = 0; i < number; i++)
        if (memcmp(users->items[i].pulled_by, user->pulled_by,
                   population->revisions.count * sizeof(*user->pulled_by)) == 0) {
            sets[number] = sets[i];
            return sets[i] < IMAGE_SETS_MOST ? &population->image_sets.items[sets[i]] : NULL;
        }
    sets[number] = population->image_sets.count;
    if (population->image_sets.count == IMAGE_SETS_MOST)
        return NULL;
    struct image_set set = {
        .images = ARENA_ARRAY(&population->arena, struct container_image, users->count)};
    VEC_PUSH(&population->arena, &population->image_sets, set);
    for (uint32_t r = 0; r < population->revisions.count; r++)
        if (user->pulled_by[r])
            population->revisions.items[r].images |= 1U << sets[number];
    return &population->image_sets.items[sets[number]];
}

void choose_images(struct population *population)
{
    image_users users = {0};
    population->image_choices = 1;
    population->images_assumed = !population->options.images_pulled;
    if (population->images_assumed)
        return;
    for (uint32_t r = 0; r < population->revisions.count; r++)
        if (is_placed_by_images(population, &population->revisions.items[r]))
            add_images(population, &users, &population->revisions.items[r]);
    for (uint32_t r = 0; r < population->revisions.count; r++) {
        const struct pod_spec *spec = &population->revisions.items[r].pod->spec;
        note_pulls(population, &users, r, spec->containers, spec->container_count);
        note_pulls(population, &users, r, spec->init_containers, spec->init_container_count);
        note_pulled_volumes(population, &users, r, spec);
    }
    uint32_t *sets = ARENA_ARRAY(&population->arena, uint32_t, users.count + 1);
    for (uint32_t i = 0; i < users.count; i++) {
        struct image_set *set = set_of(population, &users, i, sets);
        population->images_assumed |= !set;
        if (!set)
            continue;
        set->images[set->image_count++] = users.items[i].image;
        if (users.items[i].any_size)
            note_unsized(population, &users.items[i], sets[i]);
    }
    population->image_choices = 1U << population->image_sets.count;
}

uint32_t image_sets_reported(const struct population *population, const struct node *node)
{
    uint32_t reported = 0;
    for (uint32_t s = 0; s < population->image_sets.count; s++) {
        const struct image_set *set = &population->image_sets.items[s];
        bool all = true;
        int64_t size;
        for (uint32_t i = 0; i < set->image_count; i++)
            all &= node_reports(node, set->images[i].names.items[0], &size);
        reported |= all ? 1U << s : 0;
    }
    return reported;
}

void node_add_images(struct population *population, struct node *node, uint32_t sets)
{
    for (uint32_t s = 0; s < population->image_sets.count; s++) {
        const struct image_set *set = &population->image_sets.items[s];
        if (!(sets >> s & 1))
            continue;
        struct container_image *images = ARENA_ARRAY(&population->arena, struct container_image,
                                                     node->status.image_count + set->image_count);
        if (node->status.image_count > 0)
            memcpy(images, node->status.images, node->status.image_count * sizeof(*images));
        node->status.images = images;
        for (uint32_t i = 0; i < set->image_count; i++) {
            int64_t size;
            if (!node_reports(node, set->images[i].names.items[0], &size))
                images[node->status.image_count++] = set->images[i];
        }
    }
}
