/* SPDX-License-Identifier: Apache-2.0 */
/* The JSON of objects without what makes no difference: the names of workloads, and fields that
 * nobody reads. */
#include "verify/shape_text.h"

#include "base/text.h"

#include <string.h>

/* Where names of workloads may stand in for one another: what nobody reads, or compares with
 * other such names alone. Anything else (a quantity, a scheduler's name, a word of Kubernetes)
 * means something by itself. */
static bool is_place_of_names(const char *key)
{
    static const char *const keys[] = {"labels", "matchLabels", "selector", "image", "serviceName"};
    for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++)
        if (strcmp(key, keys[i]) == 0)
            return true;
    return false;
}

/* Objects and lists around a place in JSON. */
struct json_place {
    const char *keys[64]; /* of the values that are open, as they are in the text */
    bool lists[64];
    uint32_t depth;
    const char *key; /* of the member that comes now */
};

/* Can the string at this place be replaced? `name` is under metadata, scaleTargetRef and in
 * containers. */
static bool is_free(struct arena *arena, const struct json_place *place)
{
    const char *last = place->key ? place->key : "";
    if (strncmp(last, "name\"", 5) == 0) {
        const char *parent = place->depth > 0 ? place->keys[place->depth - 1] : NULL;
        const char *above = place->depth > 1 ? place->keys[place->depth - 2] : NULL;
        if (parent)
            return strncmp(parent, "metadata\"", 9) == 0 ||
                   strncmp(parent, "scaleTargetRef\"", 15) == 0;
        return above && strncmp(above, "containers\"", 11) == 0;
    }
    for (uint32_t d = 0; d <= place->depth; d++) {
        const char *key = d < place->depth ? place->keys[d] : place->key;
        if (key && is_place_of_names(arena_strndup(arena, key, strcspn(key, "\""))))
            return true;
    }
    return false;
}

/* Is the place in a map whose keys are the user's own? */
static bool is_in_map(struct arena *arena, const struct json_place *place)
{
    static const char *const maps[] = {"labels",       "annotations", "matchLabels", "selector",
                                       "nodeSelector", "requests",    "limits",      "overhead"};
    for (uint32_t d = 0; d < place->depth; d++)
        for (size_t i = 0; place->keys[d] && i < sizeof(maps) / sizeof(*maps); i++)
            if (strcmp(arena_strndup(arena, place->keys[d], strcspn(place->keys[d], "\"")),
                       maps[i]) == 0)
                return true;
    return false;
}

/* Is it the place of the kind or the version of an object? */
static bool names_kind(const struct json_place *place)
{
    return place->key &&
           (strncmp(place->key, "kind\"", 5) == 0 || strncmp(place->key, "apiVersion\"", 11) == 0);
}

/* ---- what is left out ---- */

static bool is_key(const char *at, const char *key)
{
    const size_t length = strlen(key);
    return at && strncmp(at, key, length) == 0 && at[length] == '"';
}

static bool is_in_container(const struct json_place *place)
{
    const char *list =
        place->depth > 1 && !place->keys[place->depth - 1] ? place->keys[place->depth - 2] : NULL;
    return is_key(list, "containers") || is_key(list, "initContainers");
}

/* The end of the string whose opening quote this is. */
static const char *string_end(const char *json)
{
    const char *end = json + 1;
    while (*end && *end != '"')
        end += *end == '\\' && end[1] ? 2 : 1;
    return end;
}

/* The end of the value that begins here. */
static const char *value_end(const char *json)
{
    uint32_t depth = 0;
    for (; *json; json++) {
        if (*json == '"') {
            json = string_end(json);
            if (!*json)
                break;
        } else if (*json == '{' || *json == '[') {
            depth++;
        } else if (*json == '}' || *json == ']') {
            if (depth == 0)
                break;
            depth--;
        } else if (*json == ',' && depth == 0) {
            break;
        }
    }
    return json;
}

/* Are none of these annotations any that are read here? */
static bool are_foreign(const char *annotations)
{
    static const char *const own[] = {"fathom.dev/", "kubernetes.io/", "k8s.io/"};
    const char *end = value_end(annotations);
    for (size_t i = 0; i < sizeof(own) / sizeof(*own); i++) {
        const char *found = strstr(annotations, own[i]);
        if (found && found < end)
            return false;
    }
    return true;
}

/* Does nobody read the member, or not with this detail? Ports of containers matter where they are
 * ports of nodes, and probes of no pod are modelled. */
static bool is_left_out(const struct json_place *place, const char *key, size_t length,
                        enum shape_detail detail, bool has_node_ports)
{
    if (is_key(key, "annotations") && are_foreign(key + length + 2))
        return true;
    if (!is_in_container(place))
        return false;
    return is_key(key, "readinessProbe") || is_key(key, "livenessProbe") ||
           is_key(key, "startupProbe") || (is_key(key, "ports") && !has_node_ports) ||
           (is_key(key, "image") && detail >= SHAPE_BUT_IMAGES) ||
           (is_key(key, "resources") && detail >= SHAPE_BUT_REQUESTS);
}

/* ---- names ---- */

/* Appends a string without its quotes, with the names of the part's workloads replaced; false: a
 * name is in it that must not be. */
static bool append_replaced(struct text *text, const char *string, size_t length, bool replaces,
                            const struct scope_part *part)
{
    for (size_t at = 0; at < length;) {
        uint32_t w = 0;
        size_t named = 0;
        for (; w < part->scope.workload_count; w++) {
            const char *name = part->scope.workloads[w].object->meta->name;
            named = strlen(name);
            if (named <= length - at && strncmp(string + at, name, named) == 0)
                break;
        }
        if (w == part->scope.workload_count) {
            text_append_char(text, string[at++]);
            continue;
        }
        if (!replaces)
            return false;
        text_printf(text, "\x01%u\x02", w);
        at += named;
    }
    return true;
}

const char *shape_text(struct arena *arena, const char *json, const struct scope_part *part,
                       enum shape_detail detail)
{
    const bool has_node_ports = strstr(json, "\"hostPort\"") || strstr(json, "\"hostNetwork\"");
    struct json_place place = {0};
    struct text replaced;
    bool good = true;
    text_init(&replaced, arena->memory);
    while (*json && good) {
        if (*json == '{' || *json == '[') {
            if (place.depth == sizeof(place.keys) / sizeof(*place.keys)) {
                good = false;
                break;
            }
            place.lists[place.depth] = *json == '[';
            place.keys[place.depth++] = place.key;
            place.key = NULL;
        } else if ((*json == '}' || *json == ']') && place.depth > 0) {
            place.depth--;
            place.key = NULL;
        } else if (*json == ',') {
            place.key = NULL;
        }
        if (*json != '"') {
            text_append_char(&replaced, *json++);
            continue;
        }
        const char *end = string_end(json);
        const size_t length = (size_t)(end - json) - 1;
        const bool named = end[0] == '"' && end[1] == ':';
        if (named && is_left_out(&place, json + 1, length, detail, has_node_ports)) {
            json = value_end(end + 2);
            if (*json == ',')
                json++;
            else if (replaced.length > 0 && text_content(&replaced)[replaced.length - 1] == ',')
                replaced.content[--replaced.length] = '\0';
            continue;
        }
        text_append_char(&replaced, '"');
        /* Keys of fields are words of Kubernetes, and no names. */
        if ((named && !is_in_map(arena, &place)) || names_kind(&place))
            text_append(&replaced, json + 1, length);
        else
            good = append_replaced(&replaced, json + 1, length, !named && is_free(arena, &place),
                                   part);
        text_append_char(&replaced, '"');
        if (named)
            place.key = json + 1;
        json = *end ? end + 1 : end;
    }
    const char *result =
        good ? arena_strndup(arena, text_content(&replaced), replaced.length) : NULL;
    text_release(&replaced);
    return result;
}

/* May the name be read as a number? */
static bool is_number(const char *name)
{
    return strspn(name, "0123456789") == strlen(name);
}

bool shape_names_are_in_the_way(const char *common, const struct scope_part *part)
{
    for (uint32_t w = 0; w < part->scope.workload_count; w++) {
        const char *name = part->scope.workloads[w].object->meta->name;
        if (is_number(name))
            return true;
        for (const char *at = strstr(common, name); at; at = strstr(at + 1, name)) {
            /* Keys of fields are words of Kubernetes. */
            const size_t before = at > common && at[-1] == '"' ? 1 : 0;
            const size_t word = strcspn(at, "\"");
            const bool is_api_version = before && word == strlen("apiVersion") &&
                                        strncmp(at, "apiVersion\":", word + 2) == 0;
            if (!is_api_version)
                return true;
        }
    }
    return false;
}
