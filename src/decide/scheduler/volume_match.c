/* SPDX-License-Identifier: Apache-2.0 */
/* Mirrors FindMatchingVolume of k8s.io/component-helpers/storage/volume, and what VolumeZone asks
 * of a volume's labels. */
#include "decide/scheduler/volume_match.h"
#include "decide/scheduler/volume_lookup.h"

#include <string.h>

const char *const volume_zone_labels[VOLUME_ZONE_LABELS] = {
    "failure-domain.beta.kubernetes.io/zone",
    "failure-domain.beta.kubernetes.io/region",
    "topology.kubernetes.io/zone",
    "topology.kubernetes.io/region",
};

const struct quantity *volume_storage(const struct resource_list *list)
{
    static const struct quantity nothing;
    const struct quantity *quantity = resource_list_find(list, "storage");
    return quantity ? quantity : &nothing;
}

bool volume_reaches(const struct persistent_volume *volume, const struct node *node)
{
    return !volume->node_affinity ||
           node_selector_matches(volume->node_affinity, &node->meta.labels, "");
}

bool volume_is_for_claim(const struct persistent_volume *volume,
                         const struct persistent_volume_claim *claim)
{
    const struct claim_reference *reference = volume->claim;
    if (!reference || strcmp(reference->name, claim->meta.name) != 0 ||
        strcmp(reference->namespace, claim->meta.namespace) != 0)
        return false;
    return !reference->uid || !reference->uid[0] ||
           (claim->meta.uid && strcmp(reference->uid, claim->meta.uid) == 0);
}

static bool modes_are_offered(const struct persistent_volume_claim *claim,
                              const struct persistent_volume *volume)
{
    for (uint32_t i = 0; i < claim->access_modes.count; i++) {
        bool offered = false;
        for (uint32_t j = 0; j < volume->access_modes.count; j++)
            offered |= strcmp(claim->access_modes.items[i], volume->access_modes.items[j]) == 0;
        if (!offered)
            return false;
    }
    return true;
}

static bool same_volume_mode(const char *left, const char *right)
{
    return strcmp(left ? left : "Filesystem", right ? right : "Filesystem") == 0;
}

bool volume_is_possible(const struct persistent_volume *volume,
                        const struct persistent_volume_claim *claim)
{
    if (volume->claim && !volume_is_for_claim(volume, claim))
        return false;
    return strcmp(volume_class_of(volume), volume_class_of_claim(claim)) == 0 &&
           quantity_compare(*volume_storage(&volume->capacity),
                            *volume_storage(&claim->requests)) >= 0 &&
           same_volume_mode(volume->volume_mode, claim->volume_mode) &&
           volume->meta.deletion_time == TIME_NONE;
}

bool volume_is_free(const struct persistent_volume *volume,
                    const struct persistent_volume_claim *claim)
{
    return volume->phase && strcmp(volume->phase, "Available") == 0 &&
           (!claim->selector || label_selector_matches(claim->selector, &volume->meta.labels)) &&
           modes_are_offered(claim, volume);
}

/* "a__b" is the set of a and b. A label with an empty element is invalid and ignored. */
static bool zones_have(const char *zones, const char *wanted)
{
    bool found = false;
    for (const char *zone = zones;;) {
        const char *end = strstr(zone, "__");
        size_t length = end ? (size_t)(end - zone) : strlen(zone);
        if (length == 0)
            return true;
        found |= length == strlen(wanted) && strncmp(zone, wanted, length) == 0;
        if (!end)
            return found;
        zone = end + 2;
    }
}

bool volume_zone_reaches(const struct persistent_volume *volume, const struct labels *labels)
{
    for (uint32_t i = 0; i < VOLUME_ZONE_LABELS; i++) {
        const char *zones = labels_find(&volume->meta.labels, volume_zone_labels[i]);
        const char *here = labels_find(labels, volume_zone_labels[i]);
        if (zones && !zones_have(zones, here ? here : ""))
            return false;
    }
    return true;
}
