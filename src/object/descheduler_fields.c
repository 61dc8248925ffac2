/* SPDX-License-Identifier: Apache-2.0 */
/* Fields that both versions of DeschedulerPolicy and the arguments of its
 * plugins have in common. */
#include "object/descheduler_fields.h"

#include "object/selector_text.h"

const char *const descheduler_type_fields[] = {"apiVersion", "kind", NULL};

void selector_text_decode(struct reading *reading, const struct path *path,
                          const struct value *value, struct label_selector **target)
{
    const char *text = NULL;
    const char *why = NULL;
    string_decode(reading, path, value, &text);
    if (text == NULL || *text == '\0')
        return;
    struct label_selector *selector = ARENA_NEW(reading->arena, struct label_selector);
    if (selector_text_parse(reading->arena, text, selector, &why))
        *target = selector;
    else
        reading_expected(reading, path, value,
                         arena_printf(reading->problems->arena, "a label selector (%s)", why));
}

void selector_text_encode(struct arena *scratch, struct json_out *json, const char *key,
                          const struct label_selector *selector)
{
    if (selector != NULL)
        json_string(json, key, selector_text_format(scratch, selector));
}

static void decode_nodes(struct reading *reading, const struct path *path,
                         const struct value *value, void *base)
{
    selector_text_decode(reading, path, value, &((struct descheduler_policy *)base)->node_selector);
}

static void encode_nodes(struct arena *scratch, struct json_out *json, const char *key,
                         const void *base)
{
    selector_text_encode(scratch, json, key,
                         ((const struct descheduler_policy *)base)->node_selector);
}

const struct field_hook descheduler_nodes_hook = {decode_nodes, encode_nodes};
