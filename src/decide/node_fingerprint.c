/* SPDX-License-Identifier: Apache-2.0 */
#include "decide/node_fingerprint.h"

#include "decide/fingerprint.h"

#include <string.h>

static void put_labels(struct text *text, const struct labels *labels)
{
    for (uint32_t i = 0; i < labels->count; i++) {
        const struct label *label = &labels->items[i];
        fingerprint_string(text, label->key);
        bool identity = strcmp(label->key, "kubernetes.io/hostname") == 0;
        fingerprint_string(text, identity ? NULL : label->value);
    }
}

static void put_taints(struct text *text, const struct node_spec *spec)
{
    fingerprint_number(text, spec->taint_count);
    for (uint32_t i = 0; i < spec->taint_count; i++) {
        fingerprint_string(text, spec->taints[i].key);
        fingerprint_string(text, spec->taints[i].value);
        fingerprint_number(text, spec->taints[i].effect);
    }
}

static void put_conditions(struct text *text, const struct conditions *conditions)
{
    fingerprint_number(text, conditions->count);
    for (uint32_t i = 0; i < conditions->count; i++) {
        fingerprint_string(text, conditions->items[i].type);
        fingerprint_string(text, conditions->items[i].status);
        fingerprint_string(text, conditions->items[i].reason);
    }
}

static void put_images(struct text *text, const struct node_status *status)
{
    fingerprint_number(text, status->image_count);
    for (uint32_t i = 0; i < status->image_count; i++) {
        fingerprint_strings(text, &status->images[i].names);
        fingerprint_number(text, status->images[i].size_bytes);
    }
}

void node_fingerprint(struct text *text, const struct node *node)
{
    put_labels(text, &node->meta.labels);
    fingerprint_labels(text, &node->meta.annotations);
    fingerprint_number(text, node->meta.deletion_time != TIME_NONE);
    fingerprint_number(text, node->spec.unschedulable);
    put_taints(text, &node->spec);
    fingerprint_resources(text, &node->status.capacity);
    fingerprint_resources(text, &node->status.allocatable);
    put_conditions(text, &node->status.conditions);
    put_images(text, &node->status);
    fingerprint_strings(text, &node->status.declared_features);
}
