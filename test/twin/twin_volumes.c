/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Claims that are not bound yet. Before the scheduler, or anybody, is asked, the claims and volumes
 * of the cluster are made to look as they do in the state: each claim with the volume that it has,
 * each volume with the claim that has it. So every plugin reads what is there.
 */
#include "decide/scheduler/volume_match.h"
#include "manifest/document.h"
#include "object/schemas.h"
#include "object/storage_zones.h"
#include "twin/twin_internal.h"

#include <stdio.h>
#include <string.h>

enum { FIRST_MADE = 100 }; /* plus the first node of the zone in which the volume was made */

/* ---- in the beginning ---- */

static const struct storage_class *find_class(const struct twin *twin, const char *name)
{
    for (uint32_t i = 0; i < twin->scope->objects->count; i++) {
        const struct object *object = &twin->scope->objects->items[i];
        if (object->kind == OBJECT_STORAGE_CLASS && name && strcmp(object->meta->name, name) == 0)
            return object->as.storage_class;
    }
    return NULL;
}

static const char *zone_of(const struct twin *twin, uint32_t node)
{
    const char *zone = labels_find(
        &twin->catalog->templates.items[twin->nodes[node].templates[UP]]->node->meta.labels,
        LABEL_ZONE);
    return zone ? zone : "";
}

/* The first node of the same zone. */
static uint32_t first_of_zone(const struct twin *twin, uint32_t node)
{
    uint32_t first = 0;
    while (strcmp(zone_of(twin, first), zone_of(twin, node)) != 0)
        first++;
    return first;
}

static bool zones_differ(const struct twin *twin)
{
    for (uint32_t g = 1; g < twin->scope->group_count; g++) {
        const char *one = labels_find(&twin->scope->groups[0].node->meta.labels, LABEL_ZONE);
        const char *other = labels_find(&twin->scope->groups[g].node->meta.labels, LABEL_ZONE);
        if (strcmp(one ? one : "", other ? other : "") != 0)
            return true;
    }
    return false;
}

static const struct selector_requirement *where(const struct persistent_volume *volume)
{
    return &volume->node_affinity->terms[0].match_expressions[0];
}

/* A node that a volume asks for by its name is like no other one. */
static void name_nodes(struct twin *twin, const struct persistent_volume *volume)
{
    if (!volume->node_affinity || strcmp(where(volume)->key, LABEL_HOSTNAME) != 0)
        return;
    for (uint32_t n = 0; n < twin->node_count; n++)
        twin->nodes[n].named |= strcmp(twin->nodes[n].name, where(volume)->values.items[0]) == 0;
}

static void find_volumes(struct twin *twin)
{
    for (uint32_t i = 0; i < twin->scope->objects->count; i++) {
        const struct object *object = &twin->scope->objects->items[i];
        if (object->kind != OBJECT_PERSISTENT_VOLUME || object->as.persistent_volume->claim ||
            twin->volume_count == VOLUMES_MOST)
            continue;
        struct persistent_volume *copy =
            arena_copy(&twin->arena, object->as.persistent_volume, sizeof(*copy));
        copy->phase = "Available";
        name_nodes(twin, copy);
        twin->volumes[twin->volume_count++] = copy;
    }
}

static void add_claim(struct twin *twin, const struct persistent_volume_claim *claim, bool given)
{
    const struct storage_class *class = find_class(twin, claim->storage_class_name);
    const bool made = class && storage_class_is_zonal(class);
    bool offered = false;
    for (uint32_t v = 0; v < twin->volume_count; v++)
        offered |=
            volume_is_possible(twin->volumes[v], claim) && volume_is_free(twin->volumes[v], claim);
    if ((claim->volume_name && *claim->volume_name) || twin->claim_count == CLAIMS_MOST ||
        (!offered && !(made && zones_differ(twin))))
        return;
    twin->claims[twin->claim_count++] = (struct twin_claim){
        .claim = claim,
        .given = given,
        .made = made,
        .waits = class && class->volume_binding_mode == VOLUME_BINDING_WAIT_FOR_FIRST_CONSUMER};
}

/* The claims that StatefulSets of random Checks make are like the one that is given. */
static void add_claims_of_set(struct twin *twin, uint32_t workload)
{
    const struct object *object = twin->workloads[workload].setup->object;
    const struct value *templates =
        value_find(value_find(&object->source->root, "spec"), "volumeClaimTemplates");
    const struct object *like =
        objects_find(twin->scope->objects, OBJECT_PERSISTENT_VOLUME_CLAIM, "default", "like");
    for (uint32_t m = 0; templates && like && m < TWIN_PODS_MOST; m++) {
        struct persistent_volume_claim *claim =
            arena_copy(&twin->arena, like->as.persistent_volume_claim, sizeof(*claim));
        if ((int32_t)m >= twin->workloads[workload].largest)
            break;
        claim->meta.name = arena_printf(&twin->arena, "own-%s-%u", object->meta->name, m);
        add_claim(twin, claim, false);
    }
}

void twin_find_claims(struct twin *twin)
{
    find_volumes(twin);
    for (uint32_t i = 0; i < twin->scope->objects->count; i++) {
        const struct object *object = &twin->scope->objects->items[i];
        if (object->kind == OBJECT_PERSISTENT_VOLUME_CLAIM &&
            strcmp(object->meta->name, "like") != 0)
            add_claim(twin, object->as.persistent_volume_claim, true);
    }
    for (uint32_t w = 0; w < twin->workload_count; w++)
        if (twin->workloads[w].kind == OBJECT_STATEFUL_SET && !is_bystander(twin, w))
            add_claims_of_set(twin, w);
    map_init(&twin->claiming, &twin->arena);
    map_init(&twin->surrounded, &twin->arena);
}

/* ---- the claims of a pod ---- */

static uint32_t claim_named(const struct twin *twin, const char *name)
{
    for (uint32_t c = 0; c < twin->claim_count; c++)
        if (strcmp(twin->claims[c].claim->meta.name, name) == 0)
            return c;
    return NOBODY;
}

/* Which of the claims the pod has; NOBODY: none. Pods of random Checks have one at most. */
static uint32_t claim_of(const struct twin *twin, const struct place_of_pod *pod)
{
    /* A pod without an owner has no template. */
    const struct pod_template *template = twin->revisions[pod->revision].template;
    const struct pod_spec *spec =
        template ? &template->spec : &twin->revisions[pod->revision].pod->spec;
    char name[64];
    for (uint32_t v = 0; v < spec->volume_count; v++)
        if (spec->volumes[v].source == VOLUME_PERSISTENT_CLAIM)
            return claim_named(twin, spec->volumes[v].claim_name);
    if (kind_of(twin, pod) != OBJECT_STATEFUL_SET || pod->member == NOBODY)
        return NOBODY;
    snprintf(name, sizeof(name), "own-%s-%u",
             twin->workloads[workload_of(twin, pod)].setup->object->meta->name, pod->member);
    return claim_named(twin, name);
}

/* The name of the claim in this state: what plugins know of a pod they keep under what its spec
 * says, so that a claim has another name with every change of what is bound. */
static const char *name_now(struct twin *twin, const struct twin_state *state, uint32_t claim)
{
    struct text text;
    text_init(&text, twin->memory);
    text_append_string(&text, twin->claims[claim].claim->meta.name);
    for (uint32_t c = 0; state && c < twin->claim_count; c++)
        text_printf(&text, ".%u", state->volumes[c]);
    const char *name = arena_strdup(&twin->arena, text_content(&text));
    text_release(&text);
    return name;
}

/* The pod has the claim that is its own, and none that nobody knows anything of. */
void twin_dress_claims(struct twin *twin, struct pod *copy, const struct place_of_pod *pod)
{
    const uint32_t claim = claim_of(twin, pod);
    struct volume *volumes = ARENA_ARRAY(&twin->arena, struct volume, copy->spec.volume_count + 1);
    uint32_t count = 0;
    for (uint32_t v = 0; v < copy->spec.volume_count; v++) {
        const struct volume *volume = &copy->spec.volumes[v];
        const struct object *object =
            volume->source == VOLUME_PERSISTENT_CLAIM
                ? objects_find(twin->scope->objects, OBJECT_PERSISTENT_VOLUME_CLAIM, "default",
                               volume->claim_name)
                : NULL;
        if (!object || object->as.persistent_volume_claim->volume_name)
            volumes[count++] = *volume;
    }
    if (claim != NOBODY && pod->stage == POD_WAITS)
        volumes[count++] = (struct volume){.name = "own",
                                           .source = VOLUME_PERSISTENT_CLAIM,
                                           .claim_name = name_now(twin, twin->looked_at, claim)};
    copy->spec.volumes = volumes;
    copy->spec.volume_count = count;
}

/* ---- what there is in a state ---- */

static struct persistent_volume *made_volume(struct twin *twin, uint32_t node, const char *name)
{
    struct persistent_volume *volume = ARENA_NEW(&twin->arena, struct persistent_volume);
    volume->meta.name = name;
    volume->meta.deletion_time = TIME_NONE;
    volume->storage_class_name = "";
    volume->phase = "Bound";
    labels_set(&twin->arena, &volume->meta.labels, LABEL_ZONE, zone_of(twin, node));
    return volume;
}

/* The claims and volumes of the catalogue, as they are in the state. */
static void make_surroundings(struct twin *twin, const struct twin_state *state,
                              struct surroundings *around)
{
    struct arena *arena = &twin->arena;
    for (uint32_t v = 0; v < twin->volume_count; v++) {
        struct persistent_volume *volume =
            arena_copy(arena, twin->volumes[v], sizeof(*twin->volumes[v]));
        for (uint32_t c = 0; c < twin->claim_count; c++)
            if (state->volumes[c] == v + 1)
                volume->phase = "Bound";
        VEC_PUSH(arena, &around->volumes, volume);
    }
    for (uint32_t c = 0; c < twin->claim_count; c++) {
        struct persistent_volume_claim *claim =
            arena_copy(arena, twin->claims[c].claim, sizeof(*claim));
        const uint32_t has = state->volumes[c];
        claim->meta.name = name_now(twin, state, c);
        if (has >= FIRST_MADE) {
            claim->volume_name = arena_printf(arena, "made-%u", c);
            VEC_PUSH(arena, &around->volumes,
                     made_volume(twin, has - FIRST_MADE, claim->volume_name));
        } else if (has > 0) {
            claim->volume_name = twin->volumes[has - 1]->meta.name;
        }
        if (has > 0)
            labels_set(arena, &claim->meta.annotations, "pv.kubernetes.io/bind-completed", "yes");
        VEC_PUSH(arena, &around->claims, claim);
    }
}

static void surround(struct twin *twin, const struct twin_state *state)
{
    struct surroundings *around = &twin->catalog->surroundings;
    char key[2 * CLAIMS_MOST + 1] = "";
    for (uint32_t c = 0; c < twin->claim_count; c++)
        snprintf(key + (size_t)2 * c, 3, "%02x", state->volumes[c]);
    struct map_entry *entry = map_put(
        &twin->surrounded, map_get(&twin->surrounded, key) ? key : arena_strdup(&twin->arena, key));
    if (!entry->value) {
        struct surroundings *made = ARENA_NEW(&twin->arena, struct surroundings);
        make_surroundings(twin, state, made);
        entry->value = made;
    }
    const struct surroundings *now = entry->value;
    memcpy(&around->claims, &now->claims, sizeof(around->claims));
    memcpy(&around->volumes, &now->volumes, sizeof(around->volumes));
}

bool twin_class_of_claimant(struct twin *twin, uint32_t place, const struct place_of_pod *pod,
                            const struct pod *waits, uint32_t *class)
{
    if (pod->stage != POD_WAITS || claim_of(twin, pod) == NOBODY || !twin->looked_at)
        return false;
    const struct twin_state *state = twin->looked_at;
    struct text key;
    text_init(&key, twin->memory);
    text_printf(&key, "%u.%u.%u", place, pod->revision, pod->member);
    for (uint32_t c = 0; c < twin->claim_count; c++)
        text_printf(&key, ".%u", state->volumes[c]);
    struct map_entry *entry =
        map_put(&twin->claiming, arena_strdup(&twin->arena, text_content(&key)));
    text_release(&key);
    surround(twin, state);
    if (!entry->value)
        entry->value = (void *)(uintptr_t)(catalog_add_pod(twin->catalog, waits) + 1);
    *class = (uint32_t)(uintptr_t)entry->value - 1;
    while (twin->place_of_class.count <= *class)
        VEC_PUSH(&twin->arena, &twin->place_of_class, place);
    return true;
}

/* ---- what happens to claims ---- */

static bool is_taken(const struct twin *twin, const struct twin_state *state, uint32_t volume)
{
    for (uint32_t c = 0; c < twin->claim_count; c++)
        if (state->volumes[c] == volume + 1)
            return true;
    return false;
}

/* Marks the smallest volumes that the claim can get, of those that reach the node (NULL: of all);
 * false: there is none. */
static bool smallest(const struct twin *twin, const struct twin_state *state,
                     const struct twin_claim *claim, const struct node *node, bool *fits)
{
    const struct quantity *least = NULL;
    for (int pass = 0; pass < 2; pass++)
        for (uint32_t v = 0; v < twin->volume_count; v++) {
            const struct persistent_volume *volume = twin->volumes[v];
            if (is_taken(twin, state, v) || !volume_is_possible(volume, claim->claim) ||
                !volume_is_free(volume, claim->claim) || (node && !volume_reaches(volume, node)))
                continue;
            const struct quantity *size = volume_storage(&volume->capacity);
            if (pass == 0 && (!least || quantity_compare(*size, *least) < 0))
                least = size;
            if (pass == 1)
                fits[v] = quantity_compare(*size, *least) == 0;
        }
    return least != NULL;
}

/* Volumes that the claim may get in this moment, as words of a state. */
static uint32_t volumes_for(const struct twin *twin, const struct twin_state *state, uint32_t claim,
                            uint32_t node, uint8_t *choices)
{
    const struct twin_claim *of = &twin->claims[claim];
    bool fits[VOLUMES_MOST] = {false};
    uint32_t count = 0;
    if (state->volumes[claim] > 0)
        return 0;
    const struct node *there =
        node == NOBODY ? NULL
                       : twin->catalog->templates.items[twin->nodes[node].templates[UP]]->node;
    if (smallest(twin, state, of, there, fits)) {
        for (uint32_t v = 0; v < twin->volume_count; v++)
            if (fits[v])
                choices[count++] = (uint8_t)(v + 1);
        return count;
    }
    for (uint32_t n = 0; of->made && n < twin->node_count; n++) {
        const uint8_t made = (uint8_t)(FIRST_MADE + first_of_zone(twin, n));
        const bool may_be = node == NOBODY ? node_is_listed(state, n) : n == node;
        bool known = false;
        for (uint32_t i = 0; i < count; i++)
            known |= choices[i] == made;
        if (may_be && !known)
            choices[count++] = made;
    }
    return count;
}

/* Is there a pod of the revision that waits and has the claim? */
static bool waits_with(const struct twin *twin, const struct twin_state *state, uint32_t claim)
{
    for (uint32_t p = 0; p < TWIN_PODS_MOST; p++)
        if (state->pods[p].stage == POD_WAITS && claim_of(twin, &state->pods[p]) == claim)
            return true;
    return false;
}

/* The first revision whose pods may have it. */
static uint32_t revision_of(const struct twin *twin, uint32_t claim)
{
    for (uint32_t r = 0; r < twin->revision_count; r++)
        for (uint32_t m = 0; m < TWIN_PODS_MOST; m++) {
            const struct place_of_pod pod = {.revision = (uint8_t)r, .member = (uint8_t)m};
            if (claim_of(twin, &pod) == claim)
                return r;
        }
    return NOBODY;
}

static bool is_there(const struct twin *twin, const struct twin_state *state, uint32_t claim)
{
    return !twin->claims[claim].waits && revision_of(twin, claim) != NOBODY &&
           (twin->claims[claim].given || waits_with(twin, state, claim));
}

void twin_bind_claims(struct twin_run *run)
{
    const struct twin *twin = run->twin;
    for (uint32_t c = 0; c < twin->claim_count; c++) {
        uint8_t choices[VOLUMES_MOST + TWIN_NODES_MOST];
        const uint32_t count =
            is_there(twin, run->state, c) ? volumes_for(twin, run->state, c, NOBODY, choices) : 0;
        for (uint32_t i = 0; i < count; i++) {
            struct twin_state next = *run->state;
            next.volumes[c] = choices[i];
            const uint32_t revision = revision_of(twin, c);
            twin_emit(run, &next, TWIN_ACT_BIND_CLAIM, about_node(c),
                      twin->revisions[revision].workload, 0, FAST);
        }
    }
}

bool twin_claim_is_awaited(const struct twin *twin, const struct twin_state *state,
                           const struct place_of_pod *pod)
{
    uint8_t choices[VOLUMES_MOST + TWIN_NODES_MOST];
    const uint32_t claim = claim_of(twin, pod);
    return claim != NOBODY && !twin->claims[claim].waits &&
           volumes_for(twin, state, claim, NOBODY, choices) > 0;
}

uint32_t twin_volumes_at(const struct twin *twin, const struct twin_state *state,
                         const struct place_of_pod *pod, uint32_t node, uint32_t *claim,
                         uint8_t *choices)
{
    *claim = claim_of(twin, pod);
    return *claim == NOBODY ? 0 : volumes_for(twin, state, *claim, node, choices);
}

/* ---- folding ---- */

/* Can nobody tell them apart? Those of random Checks each ask for one value of one label. */
static bool are_alike(const struct twin *twin, uint32_t one, uint32_t other)
{
    const struct persistent_volume *left = twin->volumes[one];
    const struct persistent_volume *right = twin->volumes[other];
    return quantity_compare(*volume_storage(&left->capacity), *volume_storage(&right->capacity)) ==
               0 &&
           strcmp(where(left)->key, where(right)->key) == 0 &&
           strcmp(where(left)->values.items[0], where(right)->values.items[0]) == 0;
}

void twin_volumes_text(const struct twin *twin, const struct twin_state *state, struct text *text)
{
    for (uint32_t c = 0; c < twin->claim_count; c++) {
        uint32_t has = state->volumes[c];
        for (uint32_t v = 0; has > 0 && has < FIRST_MADE && v + 1 < has; v++)
            if (are_alike(twin, v, has - 1))
                has = v + 1;
        text_printf(text, "v%u ", has);
    }
}
