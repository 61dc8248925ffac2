/* SPDX-License-Identifier: Apache-2.0 */
/* The words of values in edits.def: "$labels", "$taint". */
#include "object/check.h"
#include "object/node.h"
#include "object/pod.h"
#include "object/policy.h"
#include "object/workload.h"
#include "repair/edit.h"

#include <string.h>

typedef VEC(const char *) meanings;

struct asking {
    const struct edit_case *of;
    const struct edit_site *site;
    const char *path;
};

static const struct value *root_of(const struct asking *asking)
{
    return &asking->of->documents.items[asking->site->document].source->root;
}

static const char *write(const struct asking *asking, const struct value *value)
{
    struct text text;
    text_init(&text, asking->of->arena->memory);
    tree_write(&text, value, false);
    return text_keep(&text, asking->of->arena);
}

static void add(const struct asking *asking, const char *text, meanings *found)
{
    for (uint32_t i = 0; i < found->count; i++)
        if (strcmp(found->items[i], text) == 0)
            return;
    VEC_PUSH(asking->of->arena, found, text);
}

static void add_field(const struct asking *asking, const char *path, meanings *found)
{
    const struct value *value = tree_find_text(asking->of->arena, root_of(asking), path);
    if (!value_is_null(value))
        add(asking, write(asking, value), found);
}

/* ---- of the object ---- */

static void add_name(const struct asking *asking, meanings *found)
{
    add(asking, asking->of->documents.items[asking->site->document].object->meta->name, found);
}

static void add_namespace(const struct asking *asking, meanings *found)
{
    const char *space = asking->of->documents.items[asking->site->document].object->meta->namespace;
    add(asking, space ? space : "default", found);
}

static void add_labels_of(const struct asking *asking, const struct object *object, meanings *found)
{
    if (!object->source)
        return;
    const struct value *root = &object->source->root;
    const struct value *labels =
        tree_find_text(asking->of->arena, root, "spec.selector.matchLabels");
    if (value_is_null(labels))
        labels = tree_find_text(asking->of->arena, root, "spec.template.metadata.labels");
    if (value_is_null(labels))
        labels = tree_find_text(asking->of->arena, root,
                                "spec.jobTemplate.spec.template.metadata.labels");
    if (!value_is_null(labels))
        add(asking, write(asking, labels), found);
}

static void add_labels(const struct asking *asking, meanings *found)
{
    add_labels_of(asking, asking->of->documents.items[asking->site->document].object, found);
}

static void add_port(const struct asking *asking, meanings *found)
{
    add_field(asking,
              arena_printf(asking->of->arena, "%s.ports[0].containerPort", asking->site->base),
              found);
    if (found->count == 0)
        add(asking, "8080", found);
}

static void add_term(const struct asking *asking, meanings *found)
{
    add_field(asking, arena_printf(asking->of->arena, "%s[0]", asking->path), found);
}

static void add_service(const struct asking *asking, meanings *found)
{
    const char *dot = strrchr(asking->path, '.');
    const int length = dot ? (int)(dot - asking->path) : 0;
    add_field(asking,
              arena_printf(asking->of->arena, "%.*s.clientConfig.service.namespace", length,
                           asking->path),
              found);
}

static void add_priority(const struct asking *asking, meanings *found)
{
    const struct value *name = tree_find_text(asking->of->arena, root_of(asking), asking->path);
    const char *text = NULL;
    if (!value_read_string(name, &text))
        return;
    const struct object *class =
        objects_find(asking->of->objects, OBJECT_PRIORITY_CLASS, NULL, text);
    if (class)
        add(asking, arena_printf(asking->of->arena, "%d", class->as.priority_class->value), found);
}

/* What LimitRanges of the namespace want containers to request at least. */
static void add_least(const struct asking *asking, const char *resource, meanings *found)
{
    const struct object *own = asking->of->documents.items[asking->site->document].object;
    for (uint32_t i = 0; i < asking->of->objects->count; i++) {
        const struct object *object = &asking->of->objects->items[i];
        if (object->kind != OBJECT_LIMIT_RANGE || !own->meta->namespace ||
            strcmp(object->meta->namespace, own->meta->namespace) != 0)
            continue;
        const struct limit_range *range = object->as.limit_range;
        for (uint32_t l = 0; l < range->limit_count; l++) {
            const struct quantity *least = resource_list_find(&range->limits[l].min, resource);
            if (least && strcmp(range->limits[l].type, "Container") == 0)
                add(asking, quantity_format_text(asking->of->arena, *least), found);
        }
    }
}

static void add_least_cpu(const struct asking *asking, meanings *found)
{
    add_least(asking, "cpu", found);
}

static void add_least_memory(const struct asking *asking, meanings *found)
{
    add_least(asking, "memory", found);
}

/* ---- of the cluster ---- */

static void add_unlike(const struct asking *asking, meanings *found)
{
    for (uint32_t i = 0; i < asking->of->objects->count; i++)
        if (object_pod_template(&asking->of->objects->items[i]))
            add_labels_of(asking, &asking->of->objects->items[i], found);
}

static void add_classes(const struct asking *asking, meanings *found)
{
    for (uint32_t i = 0; i < asking->of->objects->count; i++)
        if (asking->of->objects->items[i].kind == OBJECT_PRIORITY_CLASS)
            add(asking, asking->of->objects->items[i].meta->name, found);
}

/* The node of each group and each Node object. */
static void each_node(const struct asking *asking, meanings *found,
                      void (*visit)(const struct asking *asking, const struct node *node,
                                    meanings *found))
{
    const struct objects *objects = asking->of->objects;
    for (uint32_t i = 0; i < objects->count; i++) {
        const struct object *object = &objects->items[i];
        if (object->kind == OBJECT_NODE)
            visit(asking, object->as.node, found);
        for (uint32_t g = 0; object->kind == OBJECT_CHECK && g < object->as.check->node_group_count;
             g++)
            visit(asking, &object->as.check->node_groups[g].node, found);
    }
}

static const char *effect_name(enum taint_effect effect)
{
    switch (effect) {
    case TAINT_NO_SCHEDULE: return "NoSchedule";
    case TAINT_PREFER_NO_SCHEDULE: return "PreferNoSchedule";
    default: return "NoExecute";
    }
}

static void visit_taints(const struct asking *asking, const struct node *node, meanings *found)
{
    for (uint32_t i = 0; i < node->spec.taint_count; i++)
        add(asking,
            arena_printf(asking->of->arena, "{key: %s, operator: Exists, effect: %s}",
                         node->spec.taints[i].key, effect_name(node->spec.taints[i].effect)),
            found);
}

static void visit_labels(const struct asking *asking, const struct node *node, meanings *found)
{
    for (uint32_t i = 0; i < node->meta.labels.count; i++)
        add(asking,
            arena_printf(asking->of->arena, "{%s: \"%s\"}", node->meta.labels.items[i].key,
                         node->meta.labels.items[i].value),
            found);
}

static void visit_selectors(const struct asking *asking, const struct node *node, meanings *found)
{
    for (uint32_t i = 0; i < node->meta.labels.count; i++)
        add(asking,
            arena_printf(asking->of->arena, "%s=%s", node->meta.labels.items[i].key,
                         node->meta.labels.items[i].value),
            found);
}

static void add_taints(const struct asking *asking, meanings *found)
{
    each_node(asking, found, visit_taints);
}

static void add_node_labels(const struct asking *asking, meanings *found)
{
    each_node(asking, found, visit_labels);
}

static void add_node_selectors(const struct asking *asking, meanings *found)
{
    each_node(asking, found, visit_selectors);
}

static void add_more(const struct asking *asking, uint32_t number, meanings *found)
{
    const struct edit_document *document = &asking->of->documents.items[asking->site->document];
    add(asking, edit_node_like(asking->of, document, number), found);
}

static void add_one_more(const struct asking *asking, meanings *found)
{
    add_more(asking, 1, found);
}

static void add_second_more(const struct asking *asking, meanings *found)
{
    add_more(asking, 2, found);
}

static void add_third_more(const struct asking *asking, meanings *found)
{
    add_more(asking, 3, found);
}

static const struct word {
    const char *name; /* one that begins with another comes before it */
    void (*add)(const struct asking *asking, meanings *found);
} words[] = {
    {"$namespace", add_namespace}, {"$name", add_name},
    {"$labels", add_labels},       {"$label", add_node_labels},
    {"$port", add_port},           {"$term", add_term},
    {"$service", add_service},     {"$selector", add_node_selectors},
    {"$priority", add_priority},   {"$unlike", add_unlike},
    {"$class", add_classes},       {"$taint", add_taints},
    {"$leastCpu", add_least_cpu},  {"$leastMemory", add_least_memory},
    {"$first", add_one_more},      {"$second", add_second_more},
    {"$third", add_third_more},
};

static const struct word *word_at(const char *text)
{
    for (uint32_t i = 0; i < sizeof(words) / sizeof(*words); i++)
        if (strncmp(text, words[i].name, strlen(words[i].name)) == 0)
            return &words[i];
    return NULL;
}

/* The first word of the text in place, in every meaning. False: there is none. */
static bool expand_first(const struct asking *asking, const char *text, meanings *results)
{
    struct arena *arena = asking->of->arena;
    for (const char *at = strchr(text, '$'); at; at = strchr(at + 1, '$')) {
        const struct word *word = word_at(at);
        meanings found = {0};
        if (!word)
            continue;
        word->add(asking, &found);
        for (uint32_t i = 0; i < found.count; i++)
            VEC_PUSH(arena, results,
                     arena_printf(arena, "%.*s%s%s", (int)(at - text), text, found.items[i],
                                  at + strlen(word->name)));
        return true;
    }
    return false;
}

struct string_list edit_words_expand(const struct edit_case *of, const struct edit_site *site,
                                     const char *path, const char *text)
{
    const struct asking asking = {of, site, path};
    meanings open = {0};
    meanings done = {0};
    VEC_PUSH(of->arena, &open, text);
    for (uint32_t i = 0; i < open.count; i++) {
        const char *next = open.items[i];
        if (!expand_first(&asking, next, &open))
            VEC_PUSH(of->arena, &done, next);
    }
    return (struct string_list){done.items, done.count};
}
