/* SPDX-License-Identifier: Apache-2.0 */
/* Looking things up in the parts that all objects share. */
#include "object/meta.h"

#include <math.h>
#include <string.h>

const char *labels_find(const struct labels *labels, const char *key)
{
    uint32_t low = 0;
    uint32_t high = labels->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        int order = strcmp(key, labels->items[middle].key);
        if (order == 0)
            return labels->items[middle].value;
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return NULL;
}

bool labels_include(const struct labels *labels, const struct labels *wanted)
{
    for (uint32_t i = 0; i < wanted->count; i++) {
        const char *value = labels_find(labels, wanted->items[i].key);
        if (!value || strcmp(value, wanted->items[i].value) != 0)
            return false;
    }
    return true;
}

const struct owner_reference *object_meta_controller(const struct object_meta *meta)
{
    for (uint32_t i = 0; i < meta->owner_count; i++)
        if (meta->owners[i].controller)
            return &meta->owners[i];
    return NULL;
}

const struct condition *conditions_find(const struct conditions *conditions, const char *type)
{
    for (uint32_t i = 0; i < conditions->count; i++)
        if (strcmp(conditions->items[i].type, type) == 0)
            return &conditions->items[i];
    return NULL;
}

bool int_or_percent_equal(struct int_or_percent a, struct int_or_percent b)
{
    return a.set == b.set && (!a.set || (a.percent == b.percent && a.value == b.value));
}

/* Upstream computes percentages in float64, and for products over 2^53 that
 * shows in the result; so the same operations are done here in the same order. */
int64_t int_or_percent_of(struct int_or_percent value, int64_t total, bool round_up)
{
    if (!value.set)
        return 0;
    if (!value.percent)
        return value.value;
    double share = (double)value.value * (double)total / 100;
    share = round_up ? ceil(share) : floor(share);
    if (share >= 0x1p63)
        return INT64_MAX;
    return share < -0x1p63 ? INT64_MIN : (int64_t)share;
}
