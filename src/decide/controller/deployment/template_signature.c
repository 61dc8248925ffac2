/* SPDX-License-Identifier: Apache-2.0 */
#include "decide/controller/deployment/template_signature.h"

#include "base/json_out.h"
#include "manifest/document.h"
#include "object/quantity.h"

#include <stdlib.h>
#include <string.h>

/* What the API server writes into pod templates where nothing was given. */
static const struct {
    const char *key;
    const char *value;
} defaults[] = {
    {"creationTimestamp", "null"},
    {"defaultMode", "420"},
    {"dnsPolicy", "ClusterFirst"},
    {"failureThreshold", "3"},
    {"periodSeconds", "10"},
    {"protocol", "TCP"},
    {"resources", "{}"},
    {"restartPolicy", "Always"},
    {"schedulerName", "default-scheduler"},
    {"scheme", "HTTP"},
    {"securityContext", "{}"},
    {"successThreshold", "1"},
    {"terminationGracePeriodSeconds", "30"},
    {"terminationMessagePath", "/dev/termination-log"},
    {"terminationMessagePolicy", "File"},
    {"timeoutSeconds", "1"},
};

static bool is_value(const struct value *value, const char *text)
{
    if (strcmp(text, "{}") == 0)
        return value->kind == VALUE_MAPPING && value->count == 0;
    if (strcmp(text, "null") == 0)
        return value->kind == VALUE_NULL;
    return value->kind <= VALUE_STRING && strcmp(value->text, text) == 0;
}

/* Always for images without a tag or with the tag latest. */
static bool is_default_pull_policy(const struct value *container, const struct value *policy)
{
    const char *image = value_find_string(container, "image");
    if (!image)
        return false;
    const char *slash = strrchr(image, '/');
    const char *tag = strrchr(slash ? slash : image, ':');
    const bool latest = !strchr(image, '@') && (!tag || strcmp(tag, ":latest") == 0);
    return is_value(policy, latest ? "Always" : "IfNotPresent");
}

static bool is_default(const struct value *mapping, const struct member *member)
{
    if (member->value.kind == VALUE_NULL)
        return true;
    for (size_t i = 0; i < sizeof(defaults) / sizeof(*defaults); i++)
        if (strcmp(defaults[i].key, member->key) == 0)
            return is_value(&member->value, defaults[i].value);
    if (strcmp(member->key, "imagePullPolicy") == 0)
        return is_default_pull_policy(mapping, &member->value);
    /* The old name of serviceAccountName, kept in step with it. */
    if (strcmp(member->key, "serviceAccount") == 0)
        return value_find(mapping, "serviceAccountName") != NULL;
    return strcmp(member->key, "pod-template-hash") == 0;
}

static int by_key(const void *left, const void *right)
{
    return strcmp((*(const struct member *const *)left)->key,
                  (*(const struct member *const *)right)->key);
}

/* Quantities are equal by their amount, however they are written. */
static const char *canonical_quantity(struct arena *arena, const struct value *value)
{
    struct quantity quantity;
    if (value->kind > VALUE_STRING || !quantity_parse(value->text, &quantity, NULL))
        return NULL;
    quantity.format = QUANTITY_DECIMAL_SI;
    return quantity_format_text(arena, quantity);
}

static void write_value(struct arena *arena, struct json_out *json, const char *key,
                        const struct value *value, bool quantities);

static void write_mapping(struct arena *arena, struct json_out *json, const char *key,
                          const struct value *mapping, bool quantities)
{
    const struct member **members = ARENA_ARRAY(arena, const struct member *, mapping->count + 1);
    uint32_t count = 0;
    VALUE_EACH_MEMBER(mapping, member)
    {
        if (!is_default(mapping, member))
            members[count++] = member;
    }
    qsort(members, count, sizeof(*members), by_key);
    json_object_begin(json, key);
    for (uint32_t i = 0; i < count; i++)
        write_value(arena, json, members[i]->key, &members[i]->value,
                    quantities || strcmp(members[i]->key, "requests") == 0 ||
                        strcmp(members[i]->key, "limits") == 0);
    json_object_end(json);
}

static void write_value(struct arena *arena, struct json_out *json, const char *key,
                        const struct value *value, bool quantities)
{
    const char *quantity = quantities ? canonical_quantity(arena, value) : NULL;
    if (quantity) {
        json_string(json, key, quantity);
    } else if (value->kind == VALUE_MAPPING) {
        write_mapping(arena, json, key, value, quantities);
    } else if (value->kind == VALUE_SEQUENCE) {
        json_array_begin(json, key);
        VALUE_EACH_ITEM(value, item)
        {
            write_value(arena, json, NULL, item, quantities);
        }
        json_array_end(json);
    } else {
        value_write_json(json, key, value);
    }
}

const char *template_signature(struct arena *arena, const struct value *template)
{
    struct text text;
    struct json_out json;
    text_init(&text, arena->memory);
    json_out_init(&json, &text, 0);
    if (template)
        write_value(arena, &json, NULL, template, false);
    const char *signature = arena_strndup(arena, text_content(&text), text.length);
    text_release(&text);
    return signature;
}
